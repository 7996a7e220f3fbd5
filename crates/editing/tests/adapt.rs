//! Adaptation on a real jump. `cargo xtask proof adapt` has all of them.

mod measures;

use aplomb_analysis::Take;
use aplomb_editing::adapt::{Between, Goals, Initialised, Subject};
use measures::{Capture, captures, stands_off_deg};

/// docs/algorithms/adapt.md, acceptance figures.
fn assert_between(between: &Between, what: &str) {
    assert!(between.force_p95 < 0.025 && between.force_p99 < 0.07 && between.force_max < 0.1, "{what}: {between:?}");
    assert!(between.force_max_at_touchdown < 0.25 && between.foot_drift_m < 0.004, "{what}: {between:?}");
    assert!(between.friction_max < 0.801 && between.normal_least > -1e-3, "{what}: {between:?}");
}

#[test]
fn a_captured_jump_is_fitted_and_adapted() {
    let Some(folder) = captures() else { return };
    let jump = Capture::read(&folder, "cmu-bvh/jump-forward/13_11.bvh");
    let mut watch = |_: &_| true;
    let subject = Subject::new(
        &Take::new(jump.clip.clone(), jump.roles.clone(), jump.body.clone())
            .with_known_contacts(jump.contacts.clone(), None),
    )
    .unwrap();
    let fit = Initialised::new(subject, &mut watch).unwrap();
    let report = &fit.report;
    assert!(report.status.is_met() && report.at_points.force < 0.002, "{:?}", report.at_points);
    assert!(report.change.joints_rms_deg < 2.5 && report.change.root_rms_m < 0.05, "{:?}", report.change);
    assert_between(&report.between, "fit");
    let adapt = |text: &str| {
        let done = fit.adapt(&Goals::from_toml(text).unwrap(), &mut |_: &_| true).unwrap();
        let report = &done.report;
        assert!(report.status.is_met(), "{text}: {:?}", report.at_points);
        assert!(report.iterations.iter().all(|count| *count <= 5), "{text}: {:?}", report.iterations);
        assert!((report.after.g / 9.81 - 1.0).abs() < 0.005, "{text}: falls at {}", report.after.g);
        assert!(report.jerk_ratio < 1.25, "{text}: jerk {}", report.jerk_ratio);
        assert_between(&report.between, text);
        done.report.clone()
    };
    // Anticipation: a longer jump is prepared by a deeper crouch.
    let longer = adapt("jump_length_m = 0.5");
    assert!(longer.before.lowest_before_takeoff_m - longer.after.lowest_before_takeoff_m > 0.005);
    // A weak ankle lets the other leg push.
    let weak = adapt("[[torque]]\npart = \"right_foot\"\nshare_of_peak = 0.25");
    let ([left, right], [left_then, right_then]) = (weak.before.push_off_bw, weak.after.push_off_bw);
    assert!(left_then > left + 0.2 && right_then < right - 0.2, "{left} {right} become {left_then} {right_then}");
}

/// Legs are straight as this person stands, and steps of minimum norm rolled the pelvis by 12° instead of bending the
/// front knee.
#[test]
fn feet_that_are_put_one_before_the_other_leave_the_pelvis_level() {
    let Some(folder) = captures() else { return };
    let jump = Capture::read(&folder, "cmu-bvh/jump-forward/83_49.bvh");
    let mut watch = |_: &_| true;
    let subject = Subject::new(
        &Take::new(jump.clip.clone(), jump.roles.clone(), jump.body.clone())
            .with_known_contacts(jump.contacts.clone(), None),
    )
    .unwrap();
    let fit = Initialised::new(subject, &mut watch).unwrap();
    let text = "[[footprints]]\nside = \"left\"\nforward_m = 0.15\n[[footprints]]\nside = \"right\"\nforward_m = -0.15";
    let done = fit.adapt(&Goals::from_toml(text).unwrap(), &mut watch).unwrap();
    assert!(done.report.status.is_met(), "{:?}", done.report.at_points);
    assert_between(&done.report.between, text);
    let (own, adapted) = (fit.clip(&jump.clip).unwrap(), fit.adapted_clip(&jump.clip, &done).unwrap());
    let [hips_deg, trunk_deg] = stands_off_deg(&adapted, &own, &jump.roles);
    assert!(hips_deg < 3.0 && trunk_deg < 3.0, "hips rolled by {hips_deg}°, trunk leans by {trunk_deg}°");
}
