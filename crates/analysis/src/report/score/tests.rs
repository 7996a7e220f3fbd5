use super::*;
use crate::median::median;

#[test]
fn the_curve_is_flat_to_the_allowance_and_a_half_at_half() {
    assert_eq!(quality(0.0, 0.01, 0.04), 1.0);
    assert_eq!(quality(0.01, 0.01, 0.04), 1.0);
    assert!((quality(0.04, 0.01, 0.04) - 0.5).abs() < 1e-12);
    assert!((quality(0.07, 0.01, 0.04) - 0.2).abs() < 1e-12);
    assert_eq!(part("drift", "m", None, 0.02, 0.06).quality, 1.0);
    assert_eq!(part("drift", "m", Some(f64::NAN), 0.02, 0.06).value, None);
}

#[test]
fn medians_of_even_and_odd_counts() {
    assert_eq!(median(&mut [3.0, 1.0, 2.0]), Some(2.0));
    assert_eq!(median(&mut [4.0, 1.0, 2.0, 3.0]), Some(2.5));
    assert_eq!(median(&mut []), None);
}

mod on_built_ins {
    use crate::InspectOptions;
    use crate::Take;
    use crate::report::Score;
    use crate::report::score::damage::Damage;
    use aplomb_builtins as builtins;
    use aplomb_motion::{Clip, FrameIndex, Roles, edit};
    use aplomb_physics::{Body, BodyOptions};

    fn score(clip: &Clip) -> Score {
        let roles = Roles::detect(clip);
        let body = Body::of_clip(clip, &roles, &BodyOptions::default()).unwrap();
        let mut options = InspectOptions::default();
        options.contacts.correct_rate = false;
        Take::new(clip.clone(), roles.clone(), body.clone())
            .with_options(options.clone())
            .into_inspection()
            .unwrap()
            .score
    }

    #[test]
    fn a_computed_walk_scores_high_and_its_spoiled_versions_name_the_cause() {
        let clip = builtins::clip("walk").unwrap();
        let roles = Roles::detect(&clip);
        let clean = score(&clip);
        let points = clean.score_all.unwrap();
        assert!(points > 80.0, "{clean:#?}");
        assert_eq!(
            clean.parts.iter().map(|part| part.name).collect::<Vec<_>>(),
            ["support", "drift", "fall", "tremor", "pops", "friction", "floor", "hover"]
        );
        for (damage, part) in [
            (Damage::TiltAlong, "support"),
            (Damage::Slide, "drift"),
            (Damage::Jitter, "tremor"),
            (Damage::DropFrames, "pops"),
        ] {
            let spoiled = score(&damage.apply(&clip, &roles, &[], 1).unwrap().unwrap());
            assert!(spoiled.score_all.unwrap() < points - 3.0, "{}: {spoiled:#?}", damage.title());
            let quality = |score: &Score| score.parts_all.iter().find(|it| it.name == part).unwrap().quality;
            assert!(quality(&spoiled) < quality(&clean) - 0.03, "{}: {spoiled:#?}", damage.title());
        }
    }

    #[test]
    fn clips_about_which_nothing_can_be_said_have_no_score_and_no_nan() {
        let walk = builtins::clip("walk").unwrap();
        for frames in [1, 2, 3, 4, 5, 9] {
            let short = edit::cut_frames(&walk, FrameIndex(0)..FrameIndex(frames)).unwrap();
            let score = score(&short);
            assert_eq!(score.parts.len(), 8);
            assert!(score.parts.iter().all(|part| part.quality.is_finite() && part.value.is_none_or(f64::is_finite)));
            assert!(frames >= 5 || (score.score, score.score_all) == (None, None), "{frames}: {score:?}");
        }
    }

    /// Friction at slower rates used to count samples in the air.
    #[test]
    fn a_slower_rate_says_the_same_of_a_computed_run() {
        let clip = builtins::clip("run").unwrap();
        let own = score(&clip);
        for hz in [60.0, 30.0] {
            let slower = score(&edit::resample(&clip, aplomb_motion::FrameTime::from_hz(hz).unwrap()).unwrap());
            let moved = (own.score_all.unwrap() - slower.score_all.unwrap()).abs();
            assert!(moved < 5.0, "{hz} Hz: {own:#?} {slower:#?}");
        }
    }

    /// As the demo judges it: contacts are given, because nothing in the path of a ball tells a bounce from a wall.
    #[test]
    fn a_ball_may_bounce() {
        use crate::contacts::{ContactEntry, ContactFile, ContactKind, ContactSource, NamedPoint, side_file};
        let made = builtins::make("ball").unwrap();
        let first = &made.contacts[0];
        let mut options = InspectOptions::default();
        options.contacts.named_points = vec![NamedPoint {
            name: first.effector.clone(),
            joint: first.joint,
            point_in_joint_m: first.point_in_joint_m,
            may_be_raised: false,
        }];
        let entry = |contact: &builtins::PlannedContact| ContactEntry {
            effector: contact.effector.clone(),
            start_secs: contact.start_secs,
            end_secs: contact.end_secs,
            kind: ContactKind::Load,
            source: ContactSource::Hand,
        };
        let contacts = made.contacts.iter().map(entry).collect();
        let given =
            ContactFile { schema: side_file::SCHEMA, frame_rate_hz: None, frames: None, carried: None, contacts };
        let roles = Roles::detect(&made.clip);
        let body = Body::of_clip(&made.clip, &roles, &BodyOptions::default()).unwrap();
        let found = Take::new(made.clip.clone(), roles.clone(), body.clone())
            .with_stated_contacts(given.clone())
            .with_options(options.clone())
            .into_inspection()
            .unwrap();
        eprintln!("{:#?}", found.score);
        assert!(found.score.score.is_some_and(|points| points > 90.0), "{:#?}", found.score);
    }
}

#[test]
fn one_gross_fault_does_not_hide_the_next_kind() {
    let moment = |fault, cost| Moment {
        fault,
        joint: None,
        other: None,
        start_secs: 0.0,
        end_secs: 0.0,
        secs: 0.0,
        size: 1.0,
        allowance: 0.0,
        cost,
    };
    let pops = [moment(Fault::TurnPops, 81.0)];
    let pops_and_drift = [moment(Fault::TurnPops, 81.0), moment(Fault::CommonDrift, 1.0)];
    let more_pops = [moment(Fault::TurnPops, 81.0), moment(Fault::TurnPops, 1.0)];
    assert!((points(&pops, 0.0) - 10.0).abs() < 1e-9);
    assert!((points(&pops_and_drift, 0.0) - 100.0 / 11.0).abs() < 1e-9);
    assert!(points(&more_pops, 0.0) > points(&pops_and_drift, 0.0));
    assert_eq!((points(&[], 0.0), points(&[], 1.0)), (100.0, 50.0));
}
