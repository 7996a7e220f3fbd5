//! What proves touch-up (docs/algorithms/touchup.md), with its figures, on built-in clips; `cargo xtask proof touchup`
//! asks the same of captures.

mod measures;

use aplomb_analysis::Ground;
use aplomb_analysis::Take;
use aplomb_builtins::clip as built_in;
use aplomb_editing::arc::Arc;
use aplomb_editing::footplant::contact_drift;
use aplomb_editing::tilt::Tilt;
use aplomb_editing::touchup::{TouchedUp, TouchupOptions, touch_up};
use aplomb_editing::transition::Transition;
use aplomb_motion::{Clip, Roles, Side, WorldPose};
use measures::model::Agreement;
use measures::turning::{Turning, ahead};
use measures::{Capture, Towards, lean_rad, lowest_m, mean, peak_acceleration, peak_knee, square_speed, zmp};

/// Built-ins are balanced to within this by any smoothing; ratios of less say nothing, m.
const NOTHING_M: f64 = 0.002;

fn capture(name: &str) -> Capture {
    let clip = built_in(name).unwrap();
    let roles = Roles::detect(&clip);
    Capture::of(name.to_owned(), clip, roles).commanded()
}

fn done(capture: &Capture, input: &Clip, options: &TouchupOptions) -> TouchedUp {
    let Capture { roles, body, contacts, .. } = capture;
    touch_up(
        &Take::new(input.clone(), roles.clone(), body.clone()).with_known_contacts(contacts.clone(), None),
        &capture.touchup(options),
    )
    .unwrap()
}

/// Proof 5: feet stand, nothing sinks, nothing pops.
fn check_feet(title: &str, capture: &Capture, input: &Clip, done: &TouchedUp, ground: &Ground) {
    let Capture { roles, contacts, .. } = capture;
    let drift = contact_drift(&done.clip, contacts);
    assert!(drift.worst_m <= 0.005 && drift.mean_m <= 0.001, "{title}: {drift:?}");
    let sunk_m = lowest_m(input, contacts, ground) - lowest_m(&done.clip, contacts, ground);
    assert!(sunk_m <= 0.002, "{title}: sinks by {sunk_m}");
    let acceleration = peak_acceleration(&done.clip) / peak_acceleration(input);
    let knee = peak_knee(&done.clip, roles) / peak_knee(input, roles);
    assert!(acceleration <= 1.5 && knee <= 2.5, "{title}: acceleration {acceleration}, knee {knee}");
}

/// The share of the lean that a bend asks for, percent. It moves the zero-moment point outwards by s = h·v²/(g·r), and
/// aiming at the edge of a patch takes a lean only for the rest. The built-in's point runs through the middle of its
/// feet, so that each has (1 − margin) of half a sole's width to spare: 1 − (1 − margin) w/s. Sway adds to it, and the
/// wider support of both feet takes from it: ten percent to either side are left for these.
fn asked_share(shift_m: f64, options: &TouchupOptions) -> f64 {
    // Goals lie inside by a tenth in any case.
    let spare_m = (1.0 - options.margin.max(0.1)) * options.sole_half_width_m;
    (1.0 - spare_m / shift_m).max(0.0) * 100.0
}

/// Proof 1, with the share of atan(v²/gr) that each margin may have at 1.5, 3 and 6 m; and proof 2 on walks.
#[test]
fn leans_are_those_of_the_margin_and_fall_with_the_radius() {
    let walk = capture("walk");
    let (ground, own_speed) = (Ground::default(), square_speed(&walk.clip, &walk.body));
    let mut pose = WorldPose::for_skeleton(walk.clip.skeleton());
    let heights_m = walk.clip.frames().map(|frame| {
        pose.pose(&walk.clip, frame);
        walk.body.com_in_world_m(&pose).y
    });
    let height_m = mean(&heights_m.collect::<Vec<_>>());
    for (margin, bars) in [
        // At 6 m captures are asked for 15 and 50 %: their points run nearer to the edge. Here `asked_share` asks.
        (0.0, [(35.0, 80.0), (25.0, 200.0), (0.0, 105.0)]),
        (0.5, [(65.0, 95.0), (60.0, 200.0), (0.0, 105.0)]),
        (0.8, [(75.0, 105.0); 3]),
    ] {
        let options = TouchupOptions { margin, ..TouchupOptions::default() };
        let mut last_deg = f64::INFINITY;
        for (radius_m, (least, most)) in [1.5, 3.0, 6.0].into_iter().zip(bars) {
            let leans = Side::BOTH.map(|side| {
                let bent = Arc::new(radius_m, side).apply(&walk.clip).unwrap();
                let done = done(&walk, &bent, &options);
                let title = format!("margin {margin}, {radius_m} m {side}");
                check_feet(&title, &walk, &bent, &done, &ground);
                let [own_m, after_m] =
                    [&walk.clip, &done.clip].map(|clip| zmp(clip, &walk.body, &walk.contacts, &ground, 0.167).mean_m);
                assert!(after_m <= (0.75 * own_m).max(NOTHING_M), "{title}: {own_m} {after_m}");
                let lean = |clip| lean_rad(clip, &walk.roles, &walk.body, Towards::Side(side)).to_degrees();
                lean(&done.clip) - lean(&done.planted)
            });
            assert!(leans.iter().all(|lean| *lean > 0.0), "margin {margin}, {radius_m} m: {leans:?}");
            let lean_deg = mean(&leans);
            let share = lean_deg / (own_speed / (9.81 * radius_m)).atan().to_degrees() * 100.0;
            let asked = asked_share(height_m * own_speed / (9.81 * radius_m), &options);
            assert!((share - asked).abs() < 10.0, "margin {margin}, {radius_m} m: {share} % of {asked} %");
            assert!((least..=most).contains(&share), "margin {margin}, {radius_m} m: {share} %");
            assert!(lean_deg < last_deg, "margin {margin}, {radius_m} m: {lean_deg} {last_deg}");
            last_deg = lean_deg;
        }
    }
}

/// Proof 2 on a slope.
#[test]
fn who_walks_uphill_leans_ahead() {
    let walk = capture("walk");
    let tilt = Tilt::uphill(8.0);
    let (slope, tilted) = (tilt.slope(&walk.clip).unwrap(), tilt.apply(&walk.clip).unwrap());
    let ground = Ground::new(slope.point_m, slope.normal).unwrap();
    let mut options = TouchupOptions::default();
    options.plant.ground = ground;
    let done = done(&walk, &tilted, &options);
    check_feet("uphill", &walk, &tilted, &done, &ground);
    let of = |clip: &Clip, ground: &Ground| zmp(clip, &walk.body, &walk.contacts, ground, 0.167).mean_m;
    let (own_m, after_m) = (of(&walk.clip, &Ground::default()), of(&done.clip, &ground));
    assert!(after_m <= (0.75 * own_m).max(NOTHING_M), "{own_m} {after_m}");
    let lean = |clip| lean_rad(clip, &walk.roles, &walk.body, Towards::Ahead).to_degrees();
    let lean_deg = lean(&done.clip) - lean(&done.planted);
    assert!((3.0..9.0).contains(&lean_deg), "{lean_deg}");
}

/// Proofs 2 and 4 on runs, at the leans and with the figures that captures are asked for.
#[test]
fn bent_runs_balance_and_fall() {
    let run = capture("run");
    let (ground, speed) = (Ground::default(), square_speed(&run.clip, &run.body).sqrt());
    for lean_deg in [10.0_f64, 15.0, 20.0] {
        let radius_m = Arc::radius_for_lean_m(speed, lean_deg.to_radians());
        let leans = Side::BOTH.map(|side| {
            let bent = Arc::new(radius_m, side).apply(&run.clip).unwrap();
            let done = done(&run, &bent, &TouchupOptions::default());
            let title = format!("{lean_deg}° {side}");
            check_feet(&title, &run, &bent, &done, &ground);
            for secs in [0.167, 0.1] {
                let [own, after] =
                    [&run.clip, &done.clip].map(|clip| zmp(clip, &run.body, &run.contacts, &ground, secs).weighted_m);
                assert!(after <= own.max(NOTHING_M), "{title}, {secs} s: {own} {after}");
            }
            let touched: Vec<_> = done.flights.iter().filter(|flight| flight.touched).collect();
            assert!(!touched.is_empty(), "{title}: {:?}", done.flights);
            for flight in touched {
                assert!((flight.after.g / 9.81 - 1.0).abs() <= 0.005, "{title}: {flight:?}");
                assert!(flight.after.residual_m <= 0.0005, "{title}: {flight:?}");
                assert!(flight.after.momentum_spread <= 0.3 * flight.before.momentum_spread, "{title}: {flight:?}");
            }
            let lean = |clip| lean_rad(clip, &run.roles, &run.body, Towards::Side(side)).to_degrees();
            lean(&done.clip) - lean(&done.planted)
        });
        let share = mean(&leans) / lean_deg * 100.0;
        assert!((65.0..=105.0).contains(&share), "{lean_deg}°: {share} %");
    }
}

/// Proof 3: what was never edited hardly changes, and is no worse balanced.
#[test]
fn what_was_never_edited_hardly_changes() {
    for margin in [0.0, 0.5] {
        let options = TouchupOptions { margin, ..TouchupOptions::default() };
        for name in ["walk", "turning-walk", "run", "short-jump", "long-jump", "half-turn-jump", "wave", "bow"] {
            let own = capture(name);
            let done = done(&own, &own.clip, &options);
            let ground = Ground::default();
            check_feet(name, &own, &own.clip, &done, &ground);
            let change_deg = measures::change_deg(&done.planted, &done.clip);
            let most_deg = match name {
                "run" => 3.5,
                _ if margin == 0.0 => 1.6,
                _ => 2.0,
            };
            assert!(change_deg <= most_deg, "{name}, margin {margin}: {change_deg}°");
            let [before, after] =
                [&own.clip, &done.clip].map(|clip| zmp(clip, &own.body, &own.contacts, &ground, 0.167).weighted_m);
            assert!(after <= before.max(NOTHING_M), "{name}, margin {margin}: {before} {after}");
        }
    }
}

/// Proof 7: points and rigid links against links of 100 points.
#[test]
fn points_and_rigid_links_are_enough() {
    for name in ["walk", "run", "long-jump"] {
        let Capture { clip, body, contacts, .. } = &capture(name);
        let Agreement { rigid, zmp, .. } = Agreement::of(clip, body, contacts);
        assert!(rigid < 2.0 && zmp < 1.0, "{name}: momentum {rigid} %, ZMP {zmp} %");
    }
}

/// Proof 7, figure 7: a straight walk that is bent and touched up leans as one that was made on a circle.
#[test]
fn bent_walks_lean_as_turning_walks_do() {
    let (straight, turning) = (capture("walk"), capture("turning-walk"));
    let side = Side::Left;
    let bend = Turning::of(&turning.clip, &turning.roles, &turning.body, side);
    let within = bend.tightest();
    let at = |values: &[f64]| mean(&within.iter().map(|&frame| values[frame]).collect::<Vec<_>>());
    let needed_rad = at(&bend.needed).atan();
    let upright_rad = lean_rad(&straight.clip, &straight.roles, &straight.body, Towards::Side(side));
    let own_share = (at(&bend.lean_rad) - upright_rad) / needed_rad;
    let radius_m = Arc::radius_for_lean_m(square_speed(&straight.clip, &straight.body).sqrt(), needed_rad);
    let bent = Arc::new(radius_m, side).apply(&straight.clip).unwrap();
    let done = done(&straight, &bent, &TouchupOptions::default());
    let lean = |clip| lean_rad(clip, &straight.roles, &straight.body, Towards::Side(side));
    let share = (lean(&done.clip) - lean(&done.planted)) / needed_rad;
    assert!(own_share > 0.0 && (0.5..=1.5).contains(&(share / own_share)), "{share} {own_share}");
}

/// Proof 7, figure 6: from a walk to a run by plain blending; speeding up leans ahead, wherever in the stride it
/// happens. Captures are asked for 50 to 150 % of atan(a/g); feet are long that way, and two of them longer, so that
/// the zero-moment point leaves room: built-ins lean by 11 to 68 %, 31 % on average.
#[test]
fn who_speeds_up_leans_ahead() {
    let (walk, run, body) = (built_in("walk").unwrap(), built_in("run").unwrap(), capture("walk").body);
    let mut shares = Vec::new();
    for from_secs in [0.8, 1.0, 1.2, 1.4, 1.6, 1.8, 2.0] {
        let change = Transition { from_secs, to_secs: from_secs + 0.6, into_secs: None };
        let made = change.apply(&walk, &run).unwrap().clip;
        let roles = Roles::detect(&made);
        let contacts = Take::new(made.clone(), roles.clone(), body.clone()).into_inspection().unwrap().contacts;
        let done = touch_up(
            &Take::new(made.clone(), roles.clone(), body.clone()).with_known_contacts(contacts.clone(), None),
            &TouchupOptions::default(),
        )
        .unwrap();
        let [before, after] = [&made, &done.clip].map(|clip| ahead(&Turning::of(clip, &roles, &body, Side::Left)));
        assert!(after.lean_deg > 0.0 && after.lean_deg > before.lean_deg, "{from_secs} s: {after:?}, {before:?}");
        assert!(done.after.mean_m < 0.2 * done.before.mean_m, "{from_secs} s: {:?} {:?}", done.before, done.after);
        shares.push(after.share());
    }
    assert!((25.0..=150.0).contains(&mean(&shares)), "{shares:?}");
}
