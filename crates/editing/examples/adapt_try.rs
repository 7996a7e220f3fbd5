//! Scratch.
#[path = "../tests/measures/mod.rs"]
mod measures;
use aplomb_editing::adapt::{Goals, Initialised};
use aplomb_render::{FrameSelection, Strip, Subject, View};
use measures::{Capture, captures};

const GOALS: [(&str, &str); 15] = [
    ("longer", "jump_length_m = 0.5"),
    ("longer-retimed", "jump_length_m = 0.5\nflight_time = 1.15"),
    ("higher", "jump_height = 1.3"),
    ("stagger", "[[footprints]]\nside = \"left\"\nforward_m = 0.15\n[[footprints]]\nside = \"right\"\nforward_m = -0.15"),
    ("twist90", "twist = { deg = 90 }"),
    ("briefcase", "[[carry]]\npart = \"right_hand\"\nmass_kg = 8"),
    ("ankle", "[[torque]]\npart = \"right_foot\"\nshare_of_peak = 0.25"),
    ("briefcase-ankle", "[[carry]]\npart = \"right_hand\"\nmass_kg = 8\n[[torque]]\npart = \"right_foot\"\nshare_of_peak = 0.25"),
    ("limp", "[[torque]]\npart = \"right_upper_arm\"\nmost_nm = 4"),
    ("twist180", "twist = { deg = 180 }"),
    ("twist180-takeoff", "twist = { deg = 180, at = \"takeoff\" }"),
    ("hop", "hop = { on = \"right\" }"),
    ("hop-limits", "hop = { on = \"right\" }\n[[torque]]\npart = \"right_thigh\"\nmost_nm = 220\n[[torque]]\npart = \"right_shank\"\nmost_nm = 220"),
    ("short-legs", "[[scale]]\npart = \"left_thigh\"\nfactor = 0.85\n[[scale]]\npart = \"right_thigh\"\nfactor = 0.85\n[[scale]]\npart = \"left_shank\"\nfactor = 0.85\n[[scale]]\npart = \"right_shank\"\nfactor = 0.85"),
    ("hurdle", "hurdle = { height_m = 0.5 }"),
];

fn main() {
    let Some(folder) = captures() else { return };
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let verbose = std::env::var_os("VERBOSE").is_some();
    let (name, wanted) = arguments.split_first().unwrap();
    println!("== {name}");
    let it = Capture::read(&folder, &format!("cmu-bvh/{name}.bvh"));
    let mut watch = |p: &aplomb_editing::adapt::Progress| {
        if verbose {
            println!("   {} {} step {} fact {} ip {} {:?}", p.phase, p.iteration, p.step, p.factorisations, p.by_interior_point, p.at_points.unmet());
        }
        true
    };
    let fit = match Initialised::new(&it.clip, &it.roles, &it.body, &it.contacts, &mut watch) {
        Ok(fit) => fit,
        Err(error) => {
            println!("fit: {error}");
            return;
        }
    };
    let r = &fit.report;
    if verbose {
        println!("{r:#?}");
    }
    let b = &r.between;
    println!(
        "fit {} it {:?} knots {} sizes {:?} between p95 {:.1} p99 {:.1} max {:.1} td {:.1} % moment {:.0} drift {:.1} mm torque {:.0} {} jerk {:.0} mu {:.2} clear {:.0} mm change {:.1} ({:.1}) deg {:.0} mm {:.2} s flights {:.3?} g {:.2}",
        r.is_converged, r.iterations, r.knots, r.sizes, b.force_p95 * 100.0, b.force_p99 * 100.0, b.force_max * 100.0,
        b.force_max_at_touchdown * 100.0, b.moment_max, b.foot_drift_m * 1e3, b.torque_max, b.torque_max_link, b.jerk_rms, b.friction_max,
        b.clearance_m * 1e3, r.change.joints_rms_deg, r.change.without_feet_rms_deg, r.change.root_rms_m * 1e3, r.secs, r.flights, r.ballistics.g
    );
    let fitted = fit.clip(&it.clip).unwrap();
    for (label, text) in GOALS {
        if !wanted.is_empty() && !wanted.iter().any(|word| word == label || word == "all") {
            continue;
        }
        let done = match fit.adapt(&Goals::from_toml(text).unwrap(), &mut watch) {
            Ok(done) => done,
            Err(error) => {
                println!("{label}: {error}");
                continue;
            }
        };
        let r = &done.report;
        let b = &r.between;
        println!(
            "{label:<16} {} {:?}+{:?} p95 {:.1} p99 {:.1} max {:.1} td {:.1} % drift {:.1} mm torque {:.0} {} over {:.1} jerk x{:.2} mu {:.2} change {:.1} ({:.1}) deg com {:.0} mm rise {:.2}->{:.2} g {:.2} spin {:.1} {:.1} ±{:.2} push {:.2?}->{:.2?} land {:.2?} lean {:.0}->{:.0} hand {:.0?} mm limbs {:.0} mm clear {:.0} mm {:.2} s {}",
            r.is_converged, r.iterations, r.refinements, b.force_p95 * 100.0, b.force_p99 * 100.0, b.force_max * 100.0,
            b.force_max_at_touchdown * 100.0, b.foot_drift_m * 1e3, b.torque_max, b.torque_max_link, r.torque_over_nm, r.jerk_ratio, b.friction_max,
            r.change_from_start.joints_rms_deg, r.change_from_start.without_feet_rms_deg,
            (r.after.lowest_before_takeoff_m - r.before.lowest_before_takeoff_m) * 1e3, r.before.rise_m, r.after.rise_m, r.after.g,
            r.after.spin_before, r.after.spin_at_liftoff, r.after.spin_change, r.before.push_off_bw, r.after.push_off_bw, r.after.landing_bw,
            r.before.lean_after_deg, r.after.lean_after_deg,
            [0, 1].map(|i| (r.after.hands_in_flight_m[i] - r.before.hands_in_flight_m[i]) * 1e3), r.limbs_spare_m * 1e3, b.clearance_m * 1e3, r.secs,
            r.at_points.unmet().unwrap_or_default()
        );
        if let Some(out) = std::env::var_os("PICTURES") {
            let clip = fit.adapted_clip(&it.clip, &done).unwrap();
            let mut strip = Strip::new(Subject::new(&fitted, &it.name));
            strip.after = Some(Subject::new(&clip, label));
            strip.frames = FrameSelection::Strobe { secs: 0.15 };
            strip.views.push(View::Front);
            strip.width_px = 1500;
            let file = std::path::Path::new(&out).join(format!("{}-{label}.png", it.name));
            std::fs::write(file, strip.draw().unwrap().to_png(1.0).unwrap()).unwrap();
        }
    }
}
