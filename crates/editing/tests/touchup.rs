//! Touch-up on built-in clips, and what it refuses.

mod measures;

use aplomb_analysis::Take;
use aplomb_analysis::contacts::ClockFinding;
use aplomb_builtins::clip as built_in;
use aplomb_editing::EditingError;
use aplomb_editing::arc::Arc;
use aplomb_editing::footplant::contact_drift;
use aplomb_editing::mask::{Mask, apply_within, shares};
use aplomb_editing::span::{Span, TimeSpan};
use aplomb_editing::touchup::{Balance, Stage, Status, Step, StepList, TouchupOptions, needed_lean, touch_up};
use aplomb_motion::{FrameIndex, FrameTime, Role, Roles, Side, edit};
use measures::{Capture, Towards, change_deg, lean_rad, square_speed, zmp};

fn capture(name: &str) -> Capture {
    let clip = built_in(name).unwrap();
    let roles = Roles::detect(&clip);
    Capture::of(name.to_owned(), clip, roles)
}

fn refused(capture: &Capture, options: &TouchupOptions) -> String {
    let Capture { clip, roles, body, contacts, .. } = capture;
    touch_up(&Take::new(clip.clone(), roles.clone(), body.clone()).with_known_contacts(contacts.clone(), None), options)
        .unwrap_err()
        .to_string()
}

#[test]
fn a_bent_walk_leans_into_the_bend_on_both_sides() {
    let walk = capture("walk");
    let Capture { clip, roles, body, contacts, .. } = &walk;
    let ground = aplomb_analysis::Ground::default();
    let own_m = zmp(clip, body, contacts, &ground, 0.167).mean_m;
    for side in Side::BOTH {
        let bent = Arc::new(2.0, side).apply(clip).unwrap();
        let done = touch_up(
            &Take::new(bent.clone(), roles.clone(), body.clone()).with_known_contacts(contacts.clone(), None),
            &TouchupOptions::default(),
        )
        .unwrap();
        let lean = |clip| lean_rad(clip, roles, body, Towards::Side(side));
        let share = (lean(&done.clip) - lean(&done.planted)) / (square_speed(clip, body) / (9.81 * 2.0)).atan();
        // Proof 1 between the bars of 1.5 and 3 m.
        assert!((0.6..1.05).contains(&share), "{side}: {share}");
        let [input_m, after_m] = [&bent, &done.clip].map(|clip| zmp(clip, body, contacts, &ground, 0.167).mean_m);
        assert!(after_m < 0.3 * input_m && after_m < own_m.max(0.004), "{side}: {own_m} {input_m} {after_m}");
        assert!(contact_drift(&done.clip, contacts).worst_m < 1e-4);
        assert_eq!(done.status, Status::Improved);
        // Figure 9: a step that does not help is taken back, so no step starts higher than the one before it.
        let starts: Vec<f64> =
            done.iterations.iter().filter(|it| it.iteration == 0).map(|it| it.balance.weighted_m).collect();
        assert!(
            starts.is_sorted_by(|a, b| a >= b) && starts[0] > 2.0 * done.after.weighted_m,
            "{starts:?} {:?}",
            done.after
        );
    }
}

/// tan θ = v²/(g r), on a circle that is walked half around within the time that ways are smoothed over, too.
#[test]
fn the_lean_that_a_curve_needs_is_that_of_its_speed_and_radius() {
    for (name, radius_m, is_too_far) in [("walk", 2.0, false), ("run", 4.0, false), ("run", 1.0, true)] {
        let Capture { clip, body, .. } = &capture(name);
        let bent = Arc::new(radius_m, Side::Left).apply(clip).unwrap();
        let needed = needed_lean(&bent, body).unwrap().expect("it travels");
        let expected_deg = (square_speed(clip, body) / (9.81 * radius_m)).atan().to_degrees();
        // Speeds go up and down within a stride, and it is the upper quartile.
        assert!((0.85..1.3).contains(&(needed.lean_deg / expected_deg)), "{name}: {needed:?} {expected_deg}");
        assert!((0.8..1.2).contains(&(needed.radius_m / radius_m)), "{name}: {needed:?}");
        assert_eq!(needed.is_too_far(), is_too_far, "{name}: {needed:?}");
    }
}

/// What a receipt would tell with one figure twice did not improve, and repaired flights are no excuse for balance that
/// is clearly worse.
#[test]
fn what_is_no_better_is_told() {
    let of = |weighted_m: f64| Balance { mean_m: weighted_m, weighted_m, frames: 100 };
    let told = |before_m: f64, after_m: f64, flights: bool| of(before_m).status_of(&of(after_m), flights);
    assert_eq!(told(0.022, 0.022, false), Status::NotImproved);
    assert_eq!(told(0.022, 0.015, false), Status::Improved);
    assert_eq!(told(0.161, 0.179, true), Status::NotImproved);
    assert_eq!(told(0.010, 0.011, true), Status::Improved);
    assert_eq!(told(0.0005, 0.0005, false), Status::WasFine);
}

#[test]
fn layers_put_on_again_make_the_result() {
    let walk = capture("walk");
    let Capture { clip, roles, body, contacts, .. } = &walk;
    let bent = Arc::new(3.0, Side::Left).apply(clip).unwrap();
    let done = touch_up(
        &Take::new(bent.clone(), roles.clone(), body.clone()).with_known_contacts(contacts.clone(), None),
        &TouchupOptions::default(),
    )
    .unwrap();
    assert!((8..=12).contains(&done.layers.len()) && done.layers.len() == done.iterations.len());
    let (again, _) = done.with_layers(&done.layers);
    assert_eq!(again, done.clip);
    assert_eq!(done.with_layers([]).0.frame_count(), done.planted.frame_count());
    assert!(done.layers.iter().all(|layer| layer.largest_turn_rad() < 0.3 && layer.error_m.is_some()));
}

#[test]
fn jumps_and_runs_fall_at_g_and_keep_their_spin() {
    for (name, radius_m) in [("long-jump", 1.5), ("run", 4.0)] {
        let jump = capture(name);
        let Capture { clip, roles, body, contacts, .. } = &jump;
        let bent = Arc::new(radius_m, Side::Right).apply(clip).unwrap();
        let done = touch_up(
            &Take::new(bent.clone(), roles.clone(), body.clone()).with_known_contacts(contacts.clone(), None),
            &TouchupOptions::default(),
        )
        .unwrap();
        let touched: Vec<_> = done.flights.iter().filter(|flight| flight.touched).collect();
        assert!(!touched.is_empty(), "{name}: {:?}", done.flights);
        for flight in touched {
            assert!((flight.after.g / 9.81 - 1.0).abs() < 0.005, "{name}: {flight:?}");
            assert!(flight.after.residual_m < 0.0005, "{name}: {flight:?}");
            assert!(flight.after.momentum_spread < 0.3 * flight.before.momentum_spread, "{name}: {flight:?}");
        }
        // Built-ins are balanced to begin with: two millimetres of what landing on a parabola costs are nothing.
        let (before_m, after_m) = (done.before.weighted_m, done.after.weighted_m);
        assert!(after_m <= before_m.max(0.002), "{name}: {before_m} {after_m}");
    }
}

#[test]
fn stages_and_spans_limit_what_changes() {
    let jump = capture("long-jump");
    let Capture { clip, roles, body, contacts, .. } = &jump;
    let clip = &Arc::new(1.5, Side::Left).apply(clip).unwrap();
    let only = |stage| TouchupOptions { only: Some(stage), ..TouchupOptions::default() };
    let ground = touch_up(
        &Take::new(clip.clone(), roles.clone(), body.clone()).with_known_contacts(contacts.clone(), None),
        &only(Stage::Ground),
    )
    .unwrap();
    assert!(ground.layers.iter().all(|layer| layer.name.starts_with("ground")));
    let flight = touch_up(
        &Take::new(clip.clone(), roles.clone(), body.clone()).with_known_contacts(contacts.clone(), None),
        &only(Stage::Flight),
    )
    .unwrap();
    assert!(flight.layers.iter().all(|layer| layer.name.starts_with("flight")) && !flight.layers.is_empty());

    let walk = capture("walk");
    let bent = Arc::new(2.0, Side::Left).apply(&walk.clip).unwrap();
    let mut options = TouchupOptions::default();
    let end_secs = bent.duration_secs();
    options.plant.span.from_secs = Some(0.5 * end_secs);
    let half = touch_up(
        &Take::new(bent.clone(), walk.roles.clone(), walk.body.clone())
            .with_known_contacts(walk.contacts.clone(), None),
        &options,
    )
    .unwrap();
    for frame in bent.frames().filter(|frame| bent.time_secs(*frame) < 0.5 * end_secs) {
        assert_eq!(bent.rotations_at(frame), half.clip.rotations_at(frame), "{frame}");
    }
    assert!(change_deg(&bent, &half.clip) > 0.2);
}

#[test]
fn the_rate_does_not_matter() {
    let walk = capture("walk");
    let bent = Arc::new(2.0, Side::Left).apply(&walk.clip).unwrap();
    let mut leans = Vec::new();
    for hz in [30.0, 60.0, 120.0] {
        let clip = edit::resample(&bent, FrameTime::from_hz(hz).unwrap()).unwrap();
        let done = touch_up(
            &Take::new(clip.clone(), walk.roles.clone(), walk.body.clone())
                .with_known_contacts(walk.contacts.clone(), None),
            &TouchupOptions::default(),
        )
        .unwrap();
        let lean = |clip| lean_rad(clip, &walk.roles, &walk.body, Towards::Side(Side::Left)).to_degrees();
        leans.push(lean(&done.clip) - lean(&done.planted));
    }
    // Measured on captures: 0.15°; contacts have edges half a frame off at 30 Hz.
    assert!(leans.iter().all(|lean| (lean - leans[2]).abs() < 0.25), "{leans:?}");
}

#[test]
fn step_lists_are_text_and_are_checked() {
    let usual = StepList::usual(true);
    assert_eq!(StepList::from_toml(&usual.to_toml().unwrap()).unwrap(), usual);
    let walk = capture("walk");
    let step = |stage, s2: &[&str], s3: &[&str], rho: f64| Step {
        stage,
        s2: s2.iter().map(|it| it.to_string()).collect(),
        s3: s3.iter().map(|it| it.to_string()).collect(),
        width_secs: 0.5,
        rho,
        repeat: 1,
    };
    let with = |step: Step| TouchupOptions { steps: Some(StepList { steps: vec![step] }), ..TouchupOptions::default() };
    for (wrong, says) in [
        (step(Stage::Ground, &["tail_of_a_mermaid"], &[], 0.5), "no joint, role or group \"tail_of_a_mermaid\""),
        (step(Stage::Ground, &["upper_body", "left_arm"], &[], 0.5), "overlap"),
        (step(Stage::Ground, &["arms"], &["upper_body"], 0.5), "does not hang on s2"),
        (step(Stage::Ground, &["lower_body"], &[], 0.5), "add upper_body to s3"),
        (step(Stage::Flight, &["everything"], &["head"], 0.5), "no s3"),
        (step(Stage::Ground, &["upper_body"], &[], 1.5), "rho must be above 0 and at most 1, found 1.5"),
        (step(Stage::Ground, &["upper_body"], &[], 0.0), "rho"),
        (step(Stage::Ground, &[], &[], 0.5), "names nothing"),
        (Step { repeat: 0, ..step(Stage::Ground, &["arms"], &[], 0.5) }, "repeat"),
        (Step { width_secs: f64::NAN, ..step(Stage::Ground, &["arms"], &[], 0.5) }, "width_secs"),
    ] {
        let message = refused(&walk, &with(wrong));
        assert!(message.contains(says) && message.starts_with("step 1"), "{message}");
    }
    let empty = TouchupOptions { steps: Some(StepList::default()), ..TouchupOptions::default() };
    assert!(refused(&walk, &empty).contains("no [[step]]"));
    for text in ["step = 3", "[[step]]\nstage = \"ground\"", "[[step]]\nstage=\"ground\"\ns2=[\"arms\"]\nspeed=3"] {
        assert!(matches!(StepList::from_toml(text), Err(EditingError::StepList { .. })), "{text}");
    }
    // A list of one's own: the upper body first (section 4.4), with the head held level.
    let own = "[[step]]\nstage=\"ground\"\ns2=[\"upper_body\"]\ns3=[\"head\"]\nwidth_secs=0.7\nrho=0.3\nrepeat=2\n";
    let options = TouchupOptions { steps: Some(StepList::from_toml(own).unwrap()), ..TouchupOptions::default() };
    let Capture { clip, roles, body, contacts, .. } = &walk;
    let done = touch_up(
        &Take::new(clip.clone(), roles.clone(), body.clone()).with_known_contacts(contacts.clone(), None),
        &options,
    )
    .unwrap();
    assert_eq!(done.layers.len(), 2);
    assert_eq!(done.layers[0].turns.len(), 2);
}

#[test]
fn what_cannot_be_touched_up_says_why() {
    let mut walk = capture("walk");
    for margin in [-0.1, 1.1, f64::NAN] {
        assert!(refused(&walk, &TouchupOptions { margin, ..TouchupOptions::default() }).contains("margin"));
    }
    let one = Capture {
        clip: edit::cut_frames(&walk.clip, FrameIndex(0)..FrameIndex(1)).unwrap(),
        name: String::new(),
        roles: walk.roles.clone(),
        body: walk.body.clone(),
        contacts: walk.contacts.clone(),
        left_alone: Vec::new(),
    };
    assert!(refused(&one, &TouchupOptions::default()).contains("at least 5"));

    let jump = capture("long-jump");
    let error = touch_up(
        &Take::new(walk.clip.clone(), walk.roles.clone(), jump.body.clone())
            .with_known_contacts(walk.contacts.clone(), None),
        &TouchupOptions::default(),
    );
    // All built-ins share one skeleton; a dog's body does not fit.
    assert!(error.is_ok());
    let dog = capture("quadruped-walk");
    let error = touch_up(
        &Take::new(walk.clip.clone(), walk.roles.clone(), dog.body.clone())
            .with_known_contacts(walk.contacts.clone(), None),
        &TouchupOptions::default(),
    )
    .unwrap_err();
    assert!(matches!(error, EditingError::Physics(_)), "{error}");
    assert!(refused(&dog, &TouchupOptions::default()).contains("two legs"));

    walk.contacts.clock.finding = ClockFinding::WrongRate { factor: 0.5 };
    walk.contacts.clock.median_g = Some(39.2);
    let message = refused(&walk, &TouchupOptions::default());
    assert!(message.contains("60") && message.contains("120") && message.contains("4.0 g"), "{message}");
    walk.contacts.clock.finding = ClockFinding::NoEvidence;
    walk.contacts.contacts.clear();
    walk.contacts.pins.clear();
    assert!(refused(&walk, &TouchupOptions::default()).contains("touches the ground"));
}

#[test]
fn a_bent_capture_is_balanced_and_a_wrong_clock_refused() {
    let Some(folder) = measures::captures() else { return };
    let ground = aplomb_analysis::Ground::default();
    for file in ["walk-straight/07_01", "walk-straight/16_21", "run/09_01"] {
        let capture = Capture::read(&folder, &format!("cmu-bvh/{file}.bvh"));
        let Capture { clip, roles, body, contacts, .. } = &capture;
        let radius_m = if file.starts_with("run") { 5.0 } else { 2.0 };
        let bent = Arc::new(radius_m, Side::Left).apply(clip).unwrap();
        let done = touch_up(
            &Take::new(bent.clone(), roles.clone(), body.clone()).with_known_contacts(contacts.clone(), None),
            &TouchupOptions::default(),
        )
        .unwrap();
        let [own, after] = [clip, &done.clip].map(|clip| zmp(clip, body, contacts, &ground, 0.167).weighted_m);
        assert!(after < 0.75 * own, "{file}: {own} {after}");
        assert!(contact_drift(&done.clip, contacts).worst_m < 0.005, "{file}");
        assert!(measures::peak_knee(&done.clip, roles) < 2.5 * measures::peak_knee(&bent, roles), "{file}");
        assert!(done.flights.iter().filter(|it| it.touched).all(|it| (it.after.g / 9.81 - 1.0).abs() < 0.005));
    }
}

/// Subjects that were captured at 60 fps and say 120: whatever gravity gives away is refused by name, and nothing else
/// is.
#[test]
fn wrong_clocks_are_refused_by_name() {
    let Some(folder) = measures::captures() else { return };
    let mut refusals = 0;
    for file in [
        "run/139_12",
        "jump-forward/75_03",
        "jump-forward/75_10",
        "jump-turn/75_06",
        "jump-turn/75_09",
        "hop/75_13",
        "jump-forward/141_04",
        "jump-turn/141_06",
        "hop/141_05",
        "acrobatics/87_03",
        "acrobatics/88_01",
        "acrobatics/90_02",
    ] {
        let wrong = Capture::read(&folder, &format!("cmu-bvh/{file}.bvh"));
        let is_wrong = matches!(wrong.contacts.clock.finding, ClockFinding::WrongRate { .. });
        // Every jump gives the clock away; acrobatics need not.
        assert!(is_wrong || file.starts_with("acrobatics"), "{file}: {:?}", wrong.contacts.clock);
        if is_wrong {
            let message = refused(&wrong, &TouchupOptions::default());
            assert!(message.contains("about 60") && message.contains("says 120"), "{file}: {message}");
            refusals += 1;
        }
    }
    assert!(refusals >= 9, "{refusals}");
}

/// A dance with a partner: frames that need a support where no foot is stay as they are, with what is between them, and
/// the others are corrected.
#[test]
fn what_something_else_carries_is_left_alone() {
    let Some(folder) = measures::captures() else { return };
    let dance = Capture::read(&folder, "cmu-bvh/dance/60_01.bvh").commanded();
    let Capture { clip, roles, body, contacts, left_alone, .. } = &dance;
    let alone_secs: f64 = left_alone.iter().map(|span| span.end_secs - span.start_secs).sum();
    assert!(alone_secs > 10.0, "{left_alone:?}");
    let done = touch_up(
        &Take::new(clip.clone(), roles.clone(), body.clone()).with_known_contacts(contacts.clone(), None),
        &dance.touchup(&TouchupOptions::default()),
    )
    .unwrap();
    // Proof 3; 7.3° when the partner was not known.
    assert!(change_deg(&done.planted, &done.clip) < 2.0, "{}", change_deg(&done.planted, &done.clip));
    assert!(done.after.weighted_m < 0.3 * done.before.weighted_m, "{:?} {:?}", done.before, done.after);
}

/// Palms of cartwheels that the contact rule does not see: force is needed where a hand is, and no lean is.
#[test]
fn who_stands_on_a_hand_that_was_not_seen_is_left_alone() {
    let Some(folder) = measures::captures() else { return };
    for (file, at_secs) in
        [("cmu-bvh/acrobatics/49_06", 2.1), ("cmu-bvh/acrobatics/49_08", 3.3), ("other-bvh/mass_cart", 0.74)]
    {
        let capture = Capture::read(&folder, &format!("{file}.bvh")).commanded();
        let Capture { clip, roles, body, contacts, left_alone, .. } = &capture;
        let is_within = |span: &TimeSpan| (span.start_secs..=span.end_secs).contains(&at_secs);
        assert!(left_alone.iter().any(is_within), "{file}: {left_alone:?}");
        let done = touch_up(
            &Take::new(clip.clone(), roles.clone(), body.clone()).with_known_contacts(contacts.clone(), None),
            &capture.touchup(&TouchupOptions::default()),
        )
        .unwrap();
        // Proof 3; 2.0, 1.8 and 3.0° when hands were not looked for.
        assert!(change_deg(&done.planted, &done.clip) < 2.0, "{file}: {}", change_deg(&done.planted, &done.clip));
    }
}

/// Runs that were bent tightly slide, so that stances are not seen and they seem to hang in the air; they are on
/// their feet all the same.
#[test]
fn bent_runs_are_not_carried_by_something_else() {
    let Some(folder) = measures::captures() else { return };
    for file in ["127_11", "16_41", "16_43", "16_51"] {
        let Capture { clip, roles, body, .. } = Capture::read(&folder, &format!("cmu-bvh/run/{file}.bvh"));
        for side in Side::BOTH {
            let bent = Arc::new(1.5, side).apply(&clip).unwrap();
            let take = Take::new(bent, roles.clone(), body.clone());
            assert_eq!(take.unexplained().unwrap(), [], "{file} {side}");
        }
    }
}

/// A tip that dips below the floor for three frames bends its toes gently.
#[test]
fn toes_do_not_flick() {
    let Some(folder) = measures::captures() else { return };
    let Capture { clip, roles, body, contacts, .. } = Capture::read(&folder, "cmu-bvh/run/127_06.bvh");
    let bent = Arc::new(6.0, Side::Left).apply(&clip).unwrap();
    let done = touch_up(
        &Take::new(bent.clone(), roles.clone(), body.clone()).with_known_contacts(contacts.clone(), None),
        &TouchupOptions::default(),
    )
    .unwrap();
    for side in Side::BOTH {
        let toe = roles.joint(Role::Toe(side)).unwrap();
        let peak = |clip: &aplomb_motion::Clip| {
            let step = |frame: usize| {
                let [a, b] = [frame, frame + 1].map(|frame| clip.rotation(FrameIndex(frame), toe));
                a.angle_between(b) / measures::step_secs(clip)
            };
            (0..clip.frame_count() - 1).map(step).fold(0.0, f64::max).to_degrees()
        };
        // 3.9 times where every frame was raised on its own.
        assert!(peak(&done.clip) < 1.6 * peak(&bent), "{side:?}: {} of {}", peak(&done.clip), peak(&bent));
    }
}

/// Toes bend where their tips would go through the floor, and nowhere else.
#[test]
fn toes_in_the_air_are_as_they_were() {
    let Some(folder) = measures::captures() else { return };
    for file in ["cmu-bvh/run/127_06", "cmu-bvh/run/16_55", "bandai-bvh/dataset-2_run_normal_001"] {
        let Capture { clip, roles, body, contacts, .. } = Capture::read(&folder, &format!("{file}.bvh"));
        let bent = Arc::new(6.0, Side::Left).apply(&clip).unwrap();
        let done = touch_up(
            &Take::new(bent.clone(), roles.clone(), body.clone()).with_known_contacts(contacts.clone(), None),
            &TouchupOptions::default(),
        )
        .unwrap();
        let [air_deg, down_deg] = measures::toe_change_deg(&bent, &done.clip, &roles, &contacts);
        // 12–17° where bends of the stance were carried along.
        assert!(air_deg < 3.0 && down_deg < 6.0, "{file}: {air_deg}° {down_deg}°");
    }
}

/// A stretch of a bent walk: corrections begin and end within it. Where they do the error is smaller than it was on
/// average. Its peak is not: to lean one way a body first pushes itself the other way (docs/algorithms/touchup.md);
/// eased after solving it was 1.75 times the input's.
#[test]
fn ends_of_a_stretch_are_better_on_average() {
    let Some(folder) = measures::captures() else { return };
    let ground = aplomb_analysis::Ground::default();
    let (mut peaks_m, mut own_peaks_m) = (Vec::new(), Vec::new());
    for file in ["02_01", "07_01", "16_15", "16_21", "35_01"] {
        let capture = Capture::read(&folder, &format!("cmu-bvh/walk-straight/{file}.bvh"));
        let Capture { clip, roles, body, contacts, .. } = &capture;
        let bent = Arc::new(1.5, Side::Left).apply(clip).unwrap();
        for secs in [0.8, 1.4, 2.0] {
            let from_secs = 0.5 * (bent.duration_secs() - secs);
            let span = Span { from_secs: Some(from_secs), to_secs: Some(from_secs + secs), ease_secs: 0.6 };
            let mut options = TouchupOptions::default();
            options.plant.span = span;
            let done = touch_up(
                &Take::new(bent.clone(), roles.clone(), body.clone()).with_known_contacts(contacts.clone(), None),
                &options,
            )
            .unwrap();
            let shares = shares(&bent, &span).unwrap();
            // The eased frames, and 0.1 s outside, where the beginning is still felt through the smoothing.
            let near = (0.1 / measures::step_secs(&bent)) as usize;
            let is_end = |frame: usize| {
                let around = frame.saturating_sub(near)..(frame + near).min(shares.len());
                shares[frame] < 1.0 && shares[around].iter().any(|share| *share > 0.0)
            };
            let [own, after] = [&bent, &done.clip].map(|clip| {
                let distances_m = measures::zmp_distances_m(clip, body, contacts, &ground, 0.167);
                let ends = distances_m.into_iter().enumerate().filter(|(frame, _)| is_end(*frame));
                let ends_m: Vec<f64> = ends.filter_map(|(_, distance_m)| distance_m).collect();
                (measures::mean(&ends_m), ends_m.iter().copied().fold(0.0, f64::max))
            });
            assert!(after.0 < own.0, "{file}, {secs} s: {own:?} {after:?}");
            own_peaks_m.push(own.1);
            peaks_m.push(after.1);
        }
    }
    let ratio = measures::mean(&peaks_m) / measures::mean(&own_peaks_m);
    assert!(ratio < 1.5, "{ratio}");
}

/// Steps know which parts may change: with the arms held, the rest does what they would have done; and what is held is
/// held to the bit.
#[test]
fn masked_parts_stay_and_the_others_make_up_for_them() {
    let walk = capture("walk");
    let Capture { clip, roles, body, contacts, .. } = &walk;
    let bent = Arc::new(2.0, Side::Left).apply(clip).unwrap();
    let arms = aplomb_editing::mask::select(bent.skeleton(), roles, &["arms"]).unwrap();
    let others: Vec<_> = bent.skeleton().ids().filter(|joint| !arms.contains(joint)).collect();
    let mask = Mask::of_joints(bent.skeleton(), &others).unwrap();
    let options = TouchupOptions { mask: Some(mask.clone()), ..TouchupOptions::default() };
    let done = touch_up(
        &Take::new(bent.clone(), roles.clone(), body.clone()).with_known_contacts(contacts.clone(), None),
        &options,
    )
    .unwrap();
    let whole = touch_up(
        &Take::new(bent.clone(), roles.clone(), body.clone()).with_known_contacts(contacts.clone(), None),
        &TouchupOptions::default(),
    )
    .unwrap();
    for frame in bent.frames() {
        assert!(arms.iter().all(|&joint| done.clip.rotation(frame, joint) == bent.rotation(frame, joint)), "{frame}");
    }
    // Solved as if nothing were held, then held: worse than solved with what may change.
    let afterwards = apply_within(&bent, &whole.clip, &Span::default(), &mask).unwrap();
    let error_m =
        |clip: &aplomb_motion::Clip| zmp(clip, body, contacts, &aplomb_analysis::Ground::default(), 0.14).weighted_m;
    let (inside_m, after_m) = (error_m(&done.clip), error_m(&afterwards));
    assert!(inside_m <= after_m + 1e-4 && inside_m < 0.3 * error_m(&bent), "{inside_m} {after_m}");
    let (again, _) = done.with_layers(&done.layers);
    assert_eq!(again, done.clip);
}

/// What something else carries is left alone, to the bit, and corrections fade towards it.
#[test]
fn stretches_that_are_left_alone_do_not_move() {
    let walk = capture("walk");
    let Capture { clip, roles, body, contacts, .. } = &walk;
    let bent = Arc::new(2.0, Side::Right).apply(clip).unwrap();
    let alone = TimeSpan { start_secs: 1.0, end_secs: 1.5 };
    let options = TouchupOptions { leave_alone: vec![alone], ..TouchupOptions::default() };
    let done = touch_up(
        &Take::new(bent.clone(), roles.clone(), body.clone()).with_known_contacts(contacts.clone(), None),
        &options,
    )
    .unwrap();
    let mut changed = 0;
    for frame in bent.frames() {
        let is_alone = (1.0..=1.5).contains(&bent.time_secs(frame));
        let is_same = bent.rotations_at(frame) == done.clip.rotations_at(frame)
            && bent.tracks()[0].positions_m[frame.0] == done.clip.tracks()[0].positions_m[frame.0];
        assert!(is_same || !is_alone, "{frame}");
        changed += usize::from(!is_same);
    }
    assert!(changed > bent.frame_count() / 2, "{changed}");
}

/// How smooth accelerations are is a choice within a range, not a number to hit: the jump whose peak acceleration went
/// from 1.34 to 1.68 of its own between 0.132 and 0.133 s stays where it is.
#[test]
fn a_little_more_smoothing_changes_little() {
    let Some(folder) = measures::captures() else { return };
    let Capture { clip, roles, body, contacts, .. } = Capture::read(&folder, "cmu-bvh/jump-forward/16_09.bvh");
    for side in Side::BOTH {
        let bent = Arc::new(1.5, side).apply(&clip).unwrap();
        let ratio = |smoothing_secs: f64| {
            let options = TouchupOptions { margin: 0.0, smoothing_secs, ..TouchupOptions::default() };
            let done = touch_up(
                &Take::new(bent.clone(), roles.clone(), body.clone()).with_known_contacts(contacts.clone(), None),
                &options,
            )
            .unwrap();
            measures::peak_acceleration(&done.clip) / measures::peak_acceleration(&bent)
        };
        let found = [0.12, 0.132, 0.133, 0.14, 0.15].map(ratio);
        assert!(found.iter().all(|ratio| *ratio < 1.5), "{side}: {found:?}");
        assert!(found.windows(2).all(|pair| (pair[1] - pair[0]).abs() < 0.1), "{side}: {found:?}");
    }
}

/// 49_04: seven frames that are one, at 3 m/s. What stops there is the recording.
#[test]
fn a_recording_that_hangs_at_its_end_is_not_believed_there() {
    let run = capture("run");
    let hung = {
        let (skeleton, timeline, frames, mut rotations, mut tracks) = run.clip.clone().into_parts();
        let joints = skeleton.len();
        let last = rotations[(frames - 1) * joints..].to_vec();
        (0..8).for_each(|_| rotations.extend_from_slice(&last));
        for track in &mut tracks {
            let last_m = *track.positions_m.last().unwrap();
            track.positions_m.extend([last_m; 8]);
        }
        aplomb_motion::Clip::new(skeleton, timeline, frames + 8, rotations, tracks).unwrap()
    };
    let change = |clip: &aplomb_motion::Clip| {
        let options = TouchupOptions::default();
        let done = touch_up(
            &Take::new(clip.clone(), run.roles.clone(), run.body.clone())
                .with_known_contacts(run.contacts.clone(), None),
            &options,
        )
        .unwrap();
        change_deg(&done.planted, &done.clip)
    };
    let (whole, hung) = (change(&run.clip), change(&hung));
    // The hang itself asks for nothing; what is near it is only known a little less.
    assert!(hung < 1.2 * whole + 0.2, "{whole} {hung}");
}
