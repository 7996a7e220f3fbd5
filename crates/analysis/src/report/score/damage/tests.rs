use super::*;
use crate::Take;
use aplomb_builtins as builtins;
use aplomb_physics::{Body, BodyOptions};

fn builtin(name: &str) -> (Clip, Roles, Vec<Flight>) {
    let clip = builtins::clip(name).unwrap();
    let roles = Roles::detect(&clip);
    let body = Body::of_clip(&clip, &roles, &BodyOptions::default()).unwrap();
    let flights = Take::new(clip.clone(), roles.clone(), body.clone()).into_contacts().unwrap().flights;
    (clip, roles, flights)
}

fn hips_m(clip: &Clip, roles: &Roles) -> Vec<DVec3> {
    Way::of(clip, roles).hips_m
}

#[test]
fn damages_are_the_same_every_time_and_chance_depends_on_the_seed() {
    let (clip, roles, flights) = builtin("walk");
    for damage in Damage::ALL {
        let once = damage.apply(&clip, &roles, &flights, 3).unwrap();
        assert_eq!(once, damage.apply(&clip, &roles, &flights, 3).unwrap(), "{}", damage.title());
        assert_ne!(once.as_ref(), Some(&clip), "{}", damage.title());
    }
    let jitter = |seed| Damage::Jitter.apply(&clip, &roles, &flights, seed).unwrap();
    assert_ne!(jitter(3), jitter(4));
}

#[test]
fn a_tilt_turns_everything_by_ten_degrees_about_the_middle() {
    let (clip, roles, flights) = builtin("walk");
    let way = Way::of(&clip, &roles);
    let uphill = Damage::TiltAlong.apply(&clip, &roles, &flights, 0).unwrap().unwrap();
    let (from, to) = (hips_m(&clip, &roles), hips_m(&uphill, &roles));
    let (before, after) = (from[from.len() - 1] - from[0], to[to.len() - 1] - to[0]);
    assert!((before.length() - after.length()).abs() < 1e-9);
    let climbed_deg = (after.y / after.length()).asin().to_degrees() - (before.y / before.length()).asin().to_degrees();
    assert!((climbed_deg - 10.0).abs() < 1e-6, "{climbed_deg}");
    assert!((uphill.frame_count(), way.length_m > 1.0) == (clip.frame_count(), true));
}

#[test]
fn a_bend_keeps_the_length_of_the_way_and_turns_the_body() {
    let (clip, roles, flights) = builtin("walk");
    let bent = Damage::Bend.apply(&clip, &roles, &flights, 0).unwrap().unwrap();
    let way = Way::of(&clip, &roles);
    let (from, to) = (hips_m(&clip, &roles), hips_m(&bent, &roles));
    let angle_rad = way.length_m / BEND_RADIUS_M;
    let chord_m = 2.0 * BEND_RADIUS_M * (0.5 * angle_rad).sin();
    let found_m = (to[to.len() - 1] - to[0]).with_y(0.0).length();
    assert!((found_m - chord_m.abs()).abs() < 0.02, "{found_m} {chord_m}");
    assert!(from.iter().zip(&to).all(|(a, b)| (a.y - b.y).abs() < 1e-9));
    let (standing, roles, flights) = builtin("wave");
    assert_eq!(Damage::Bend.apply(&standing, &roles, &flights, 0).unwrap(), None);
}

#[test]
fn only_flights_are_stretched() {
    let (clip, roles, flights) = builtin("long-jump");
    let verified: f64 = flights.iter().filter(|it| it.verdict == Verdict::Verified).map(Flight::secs).sum();
    assert!(verified > 0.2);
    let long = Damage::LongFlights.apply(&clip, &roles, &flights, 0).unwrap().unwrap();
    // Rounded to whole frames at both edges and at the new length.
    assert!((long.duration_secs() - clip.duration_secs() - 0.4 * verified).abs() < 0.02);
    let (walk, roles, flights) = builtin("walk");
    assert_eq!(Damage::LongFlights.apply(&walk, &roles, &flights, 0).unwrap(), None);
    assert_eq!(long.rotations_at(FrameIndex(0)), clip.rotations_at(FrameIndex(0)));
    let (last_long, last) = (FrameIndex(long.frame_count() - 1), FrameIndex(clip.frame_count() - 1));
    assert_eq!(long.rotations_at(last_long), clip.rotations_at(last));
}

#[test]
fn jitter_is_as_large_as_it_says() {
    let (clip, roles, flights) = builtin("bow");
    let spoiled = Damage::Jitter.apply(&clip, &roles, &flights, 5).unwrap().unwrap();
    let root = clip.skeleton().roots().next().unwrap();
    let off =
        clip.track(root).unwrap().iter().zip(spoiled.track(root).unwrap()).map(|(a, b)| (*a - *b).length_squared());
    let sigma_m = (off.sum::<f64>() / (3 * clip.frame_count()) as f64).sqrt();
    // A deviation of n samples is known to 1/√(2n): some hundred frames of three axes.
    assert!((sigma_m / JITTER_M - 1.0).abs() < 0.1, "{sigma_m}");
    let angles = clip.rotations().iter().zip(spoiled.rotations()).map(|(a, b)| so3::angle_between(*a, *b).powi(2));
    let sigma_deg = (angles.sum::<f64>() / clip.rotations().len() as f64).sqrt().to_degrees();
    assert!((sigma_deg / JITTER_DEG - 1.0).abs() < 0.05, "{sigma_deg}");
}

#[test]
fn a_clip_without_frames_is_not_spoiled() {
    let (clip, roles, flights) = builtin("walk");
    let empty = Clip::at_rest(clip.skeleton().clone(), clip.timeline().clone(), 0).unwrap();
    for damage in Damage::ALL {
        assert_eq!(damage.apply(&empty, &roles, &flights, 0).unwrap(), None);
    }
    let one = edit::cut_frames(&clip, FrameIndex(0)..FrameIndex(1)).unwrap();
    for damage in Damage::ALL {
        damage.apply(&one, &roles, &[], 0).unwrap();
    }
}
