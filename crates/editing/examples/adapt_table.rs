//! Figure 4 of the paper from our own runs: the same goals with reduced dynamics, with full dynamics and as the optimum
//! of torque smoothness; and what the weight of forces in the norm does to the fit (section 4.2). On a built-in jump,
//! and on a captured one where there are captures.
//!
//! `--json` for `cargo xtask bench`, which prints and judges; `--quick` leaves the optima out.

#[path = "../tests/measures/mod.rs"]
mod measures;

use aplomb_analysis::ContactAnalysis;
use aplomb_analysis::Take;
use aplomb_editing::adapt::{Dynamics, FORCE_WEIGHT, Goals, Initialised, Objective, Progress, Subject};
use aplomb_motion::{Clip, Roles};
use aplomb_physics::{Body, BodyOptions};
use cpu_time::ProcessTime;
use measures::{Capture, captures};

/// Adaptations to which all three formulations apply.
const GOALS: [(&str, &str); 4] = [
    ("0.3 m farther", "jump_length_m = 0.3"),
    ("1.2 times as high", "jump_height = 1.2"),
    (
        "feet staggered",
        "[[footprints]]\nside = \"left\"\nforward_m = 0.1\n[[footprints]]\nside = \"right\"\nforward_m = -0.1",
    ),
    ("8 kg in a hand", "[[carry]]\npart = \"right_hand\"\nmass_kg = 8"),
];

/// Weights of forces in newtons, which the paper calls s, and ours in body weights.
const SCALES: [Option<f64>; 4] = [Some(1.0), Some(0.01), Some(0.001), None];

struct Jumper {
    name: String,
    clip: Clip,
    roles: Roles,
    body: Body,
    contacts: ContactAnalysis,
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let has = |word: &str| words.iter().any(|own| own == word);
    let (is_json, is_quick) = (has("--json"), has("--quick"));
    let clip = aplomb_builtins::clip("long-jump").unwrap();
    let roles = Roles::detect(&clip);
    let body = Body::of_clip(&clip, &roles, &BodyOptions::default()).unwrap();
    let contacts = Take::new(clip.clone(), roles.clone(), body.clone()).into_inspection().unwrap().contacts;
    let mut jumpers = vec![Jumper { name: "built-in long-jump".to_owned(), clip, roles, body, contacts }];
    if let Some(folder) = captures() {
        let Capture { name, clip, roles, body, contacts, .. } =
            Capture::read(&folder, "cmu-bvh/jump-forward/13_11.bvh");
        jumpers.push(Jumper { name, clip, roles, body, contacts });
    }
    let print = |line: serde_json::Value| {
        if is_json {
            println!("{line}");
            return;
        }
        let cells = line.as_object().into_iter().flatten().map(|(key, value)| format!("{key} {value}"));
        println!("{}", cells.collect::<Vec<_>>().join("  "));
    };
    for jumper in &jumpers {
        weights(jumper, &print);
        figure_4(jumper, is_quick, &print);
    }
}

fn figure_4(jumper: &Jumper, is_quick: bool, print: &dyn Fn(serde_json::Value)) {
    let Jumper { name, clip, roles, body, contacts } = jumper;
    let subject =
        Subject::new(&Take::new(clip.clone(), roles.clone(), body.clone()).with_known_contacts(contacts.clone(), None))
            .unwrap();
    let fit = Initialised::new(subject, &mut |_: &Progress| true).unwrap();
    for (label, text) in GOALS {
        let plain = Goals::from_toml(text).unwrap();
        // What carries something counts the arm's torques by itself; reduced is without them.
        let reduced = Goals { torques: Some(Vec::new()), ..plain.clone() };
        let full = Goals { dynamics: Some(Dynamics::Full), ..plain.clone() };
        let smooth = Goals { objective: Some(Objective::TorqueSmoothness), ..plain };
        for (formulation, goals) in [("reduced", reduced), ("full", full), ("torque-smoothness", smooth)] {
            if is_quick && formulation == "torque-smoothness" {
                continue;
            }
            let (mut iterations, mut factorisations) = (0, 0);
            let started = ProcessTime::now();
            let done = fit.adapt(&goals, &mut |progress: &Progress| {
                iterations += 1;
                factorisations += progress.factorisations;
                true
            });
            let secs = started.elapsed().as_secs_f64();
            let report = done.unwrap().report;
            let [unknowns, equalities, inequalities] = report.sizes;
            print(serde_json::json!({
                "clip": name, "goals": label, "formulation": formulation, "unknowns": unknowns, "equalities": equalities,
                "inequalities": inequalities, "iterations": iterations, "factorisations": factorisations, "cpu_secs": secs,
                "change_deg": report.change_from_start.angles_rms_deg, "jerk_ratio": report.jerk_ratio,
                "force_p95": report.between.force_p95, "is_converged": report.status.is_met(),
            }));
        }
    }
}

/// The fit with forces weighed otherwise.
fn weights(jumper: &Jumper, print: &dyn Fn(serde_json::Value)) {
    let Jumper { name, clip, roles, body, contacts } = jumper;
    let subject =
        Subject::new(&Take::new(clip.clone(), roles.clone(), body.clone()).with_known_contacts(contacts.clone(), None))
            .unwrap();
    let weight_n = 9.81 * body.total_mass_kg();
    for scale in SCALES {
        let weight = scale.map_or(FORCE_WEIGHT, |s| (s * weight_n).powi(2));
        let mut watch = |_: &Progress| true;
        let fit = Initialised::weighing_forces(subject.clone(), weight, &mut watch).unwrap();
        let told = &fit.report;
        let [left, right] = told.ballistics.push_off_bw;
        print(serde_json::json!({
            "clip": name, "s": scale.unwrap_or(FORCE_WEIGHT.sqrt() / weight_n), "first_iterations": told.iterations[0],
            "change_deg": told.change.angles_rms_deg, "push_off_bw": left + right, "is_converged": told.status.is_met(),
        }));
    }
}
