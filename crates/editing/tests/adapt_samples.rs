//! Every adaptation among the samples, on built-in clips: the paper's and a few more.

use aplomb_analysis::Take;
use aplomb_editing::adapt::{Goals, Initialised, Subject, TorqueOver};
use aplomb_motion::Roles;
use aplomb_physics::{Body, BodyOptions};
use std::collections::BTreeMap;
use std::path::Path;

/// File name, built-in clip and goals of each sample that adapts.
fn samples() -> Vec<(String, String, Goals)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples");
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let mut found = Vec::new();
    for file in files {
        let project: toml::Table = std::fs::read_to_string(&file).unwrap().parse().unwrap();
        let Some(edit) = project["edit"].as_array().and_then(|edits| edits.first()) else { continue };
        if edit["verb"].as_str() == Some("adapt") {
            let clip = project["clip"].as_str().unwrap().strip_prefix("builtin:").unwrap().to_owned();
            let name = file.file_stem().unwrap().to_string_lossy().into_owned();
            found.push((name, clip, edit["goals"].clone().try_into().unwrap()));
        }
    }
    found
}

#[test]
fn samples_of_adaptation_meet_their_goals() {
    let samples = samples();
    for name in [
        "staggered-jump",
        "briefcase-jump",
        "injured-ankle-jump",
        "limp-shoulder-jump",
        "half-twist-landing",
        "half-twist-takeoff",
        "high-bar",
        "dunk-run",
        "one-leg-hop",
        "one-leg-hop-soft",
        "hurdle-run",
        "cross-step-run",
    ] {
        assert!(samples.iter().any(|sample| sample.0 == name), "{name} is one of the paper's");
    }
    let mut fits: BTreeMap<String, Initialised> = BTreeMap::new();
    let mut missed = Vec::new();
    for (name, clip_name, goals) in &samples {
        let fit = fits.entry(clip_name.clone()).or_insert_with(|| {
            let clip = aplomb_builtins::clip(clip_name).unwrap();
            let roles = Roles::detect(&clip);
            let body = Body::of_clip(&clip, &roles, &BodyOptions::default()).unwrap();
            let contacts = Take::new(clip.clone(), roles.clone(), body.clone()).into_inspection().unwrap().contacts;
            let subject = Subject::new(
                &Take::new(clip.clone(), roles.clone(), body.clone()).with_known_contacts(contacts.clone(), None),
            )
            .unwrap();
            Initialised::new(subject, &mut |_: &_| true).unwrap()
        });
        let report = match fit.adapt(goals, &mut |_: &_| true) {
            Ok(done) => done.report,
            Err(error) => {
                missed.push(format!("{name}: {error}"));
                continue;
            }
        };
        let between = &report.between;
        println!(
            "{name}: {:?} + {:?}, F p95 {:.4}, p99 {:.4}, max {:.4}, down {:.4}, drift {:.4} m, torque {:.0} N·m, jerk {:.2}, limbs {} {:.4} m",
            report.iterations,
            report.refinements,
            between.force_p95,
            between.force_p99,
            between.force_max,
            between.force_max_at_touchdown,
            between.foot_drift_m,
            between.torque_max,
            report.jerk_ratio,
            report.limbs_deepest,
            report.limbs_deeper_m
        );
        let beyond = report.torques_over.iter().map(TorqueOver::beyond_nm).fold(0.0, f64::max);
        // The acceptance figures of docs/algorithms/adapt.md; the limbs' is what rows 2.5 ms apart and the solver's
        // tolerance leave.
        let most = [
            ("rows unmet", f64::from(u8::from(!report.status.is_met())), 0.0),
            ("iterations a step", report.iterations.iter().copied().max().unwrap_or(0) as f64, 5.0),
            ("steps", report.iterations.len() as f64, 3.0),
            ("refinements", report.refinements.iter().sum::<usize>() as f64, 4.0),
            ("force at points", report.at_points.force, 0.002),
            ("place at points, m", report.at_points.place_m, 5e-4),
            ("force p95", between.force_p95, 0.025),
            ("force p99", between.force_p99, 0.07),
            ("force", between.force_max, 0.1),
            ("force at touchdown", between.force_max_at_touchdown, 0.25),
            ("drift, m", between.foot_drift_m, 0.004),
            ("friction", between.friction_max, 0.801),
            ("pull", -between.normal_least, 1e-3),
            ("below the ground, m", -between.clearance_m, 0.0015),
            ("jerk", report.jerk_ratio, 1.25),
            ("limbs, m deeper", report.limbs_deeper_m, 1e-3),
            ("torque beyond its bound, N·m", beyond, 0.0),
            ("torque, N·m", between.torque_max, 400.0),
            ("lifted foot, m short of 0.03", 0.03 - report.cleared.lifted_foot_m.unwrap_or(1.0), 0.0),
            ("feet under the hurdle, m", -report.cleared.over_hurdle_m.unwrap_or(1.0), 0.0),
            ("body in the hurdle's bar, m", -report.cleared.from_bar_m.unwrap_or(1.0), 0.0),
            ("g", (report.after.g / 9.81 - 1.0).abs(), 0.005),
            ("spin in flight, N·m·s", report.after.spin_change, 0.2),
        ];
        for (what, found, most) in most {
            if found.is_nan() || found > most {
                missed.push(format!("{name}: {what} {found:.4}, at most {most}"));
            }
        }
    }
    assert!(missed.is_empty(), "{missed:#?}");
}
