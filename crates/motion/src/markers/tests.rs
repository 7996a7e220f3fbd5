use super::cluster::{SegmentPath, centre_of_rotation_m};
use super::{Landmark, MarkerSet, MarkersError, gaps, person_clip};
use crate::kinematics::WorldPose;
use crate::roles::{BodyPlan, Role, Side};
use glam::{DQuat, DVec3};

/// A person who stands facing +Z and bobs up and down; places in metres, left is +X.
fn standing(frames: usize) -> MarkerSet {
    let mut places: Vec<(String, DVec3)> =
        vec![("C7".into(), DVec3::new(0.0, 1.48, -0.08)), ("Sternum".into(), DVec3::new(0.0, 1.40, 0.08))];
    for (letter, sign) in [("L", 1.0), ("R", -1.0)] {
        for (name, [x, y, z]) in [
            ("ASIS", [0.12, 1.0, 0.08]),
            ("PSIS", [0.05, 1.02, -0.10]),
            ("knee", [0.14, 0.5, 0.0]),
            ("ankle", [0.12, 0.08, -0.02]),
            ("heel", [0.08, 0.04, -0.08]),
            ("5meta", [0.12, 0.03, 0.10]),
            ("toe", [0.08, 0.03, 0.16]),
            ("Shoulder", [0.18, 1.45, 0.0]),
            ("elbow_lat", [0.26, 1.12, 0.0]),
            ("elbow_med", [0.18, 1.12, 0.0]),
            ("wrist", [0.22, 0.86, 0.02]),
        ] {
            places.push((format!("{letter}_{name}"), DVec3::new(sign * x, y, z)));
        }
    }
    let bob = |frame: usize| DVec3::Y * 0.02 * (frame as f64 * 0.2).sin();
    let positions_m =
        (0..frames).flat_map(|frame| places.iter().map(move |(_, at_m)| Some(*at_m + bob(frame)))).collect();
    MarkerSet {
        names: places.into_iter().map(|(name, _)| name).collect(),
        rate_hz: 100.0,
        start_secs: 0.0,
        positions_m,
    }
}

#[test]
fn a_person_stands_where_the_markers_are() {
    let person = person_clip(&standing(50)).unwrap();
    assert_eq!(person.roles.plan(), BodyPlan::Biped);
    let mut pose = WorldPose::for_skeleton(person.clip.skeleton());
    pose.pose(&person.clip, crate::FrameIndex(0));
    let at_m = |role: Role| pose.joint_in_world_m[person.roles.joint(role).unwrap().index()];
    // Harrington for a pelvis 0.24 m wide and 0.18 m deep: 8.65 cm to the side, 8.3 below and 5.3 behind the ASIS,
    // tilted with the pelvis.
    let hip_m = at_m(Role::Thigh(Side::Left));
    assert!(
        (hip_m.x - 0.0865).abs() < 1e-3 && (hip_m.y - 0.92).abs() < 0.02 && (hip_m.z - 0.025).abs() < 0.02,
        "{hip_m}"
    );
    let mirrored = at_m(Role::Thigh(Side::Right));
    assert!((mirrored * DVec3::new(-1.0, 1.0, 1.0)).distance(hip_m) < 1e-12);
    let elbow_m = at_m(Role::Forearm(Side::Left));
    assert!(elbow_m.distance(DVec3::new(0.22, 1.12, 0.0)) < 1e-9, "{elbow_m}");
    // Knees and ankles lie inside their outer markers.
    assert!((at_m(Role::Shank(Side::Left)).x - 0.088).abs() < 5e-3);
    let toe = person.roles.joint(Role::Toe(Side::Left)).unwrap();
    let end_m = person.clip.skeleton().joint(toe).end_sites[0].offset_m;
    assert!(pose.point_in_world_m(toe, end_m).distance(DVec3::new(0.08, 0.03, 0.16)) < 1e-9);
}

#[test]
fn what_is_missing_is_named() {
    let mut markers = standing(5);
    markers.names[2] = "nothing".to_owned();
    let Err(error) = person_clip(&markers) else { panic!("a person without a pelvis") };
    assert!(matches!(&error, MarkersError::Missing { missing, .. } if missing == "Asis(Left)"), "{error}");
    assert!(error.to_string().contains("nothing"));
    let empty = MarkerSet { names: Vec::new(), rate_hz: 100.0, start_secs: 0.0, positions_m: Vec::new() };
    assert!(person_clip(&empty).is_err());
}

#[test]
fn laboratories_names_mean_the_same() {
    let left_heel = ["L.Heel", "LHEE", "L_calc", "LCAL", "left heel", "Heel_L"];
    assert!(left_heel.iter().all(|name| Landmark::from_name(name) == Some(Landmark::Heel(Side::Left))));
    assert_eq!(Landmark::from_name("r_sh2"), Some(Landmark::Shank(Side::Right)));
    assert_eq!(Landmark::from_name("RSH"), Some(Landmark::Shoulder(Side::Right)));
    assert_eq!(Landmark::from_name("RBWT"), Some(Landmark::Psis(Side::Right)));
    assert_eq!(Landmark::from_name("LLEPI"), Some(Landmark::KneeLateral(Side::Left)));
    for nothing in ["", "R", "x52", "L_HJC_reg", "P1"] {
        assert_eq!(Landmark::from_name(nothing), None, "{nothing}");
    }
}

#[test]
fn short_gaps_are_bridged_and_long_ones_are_not() {
    let path = |frame: usize| DVec3::new(0.0, (frame as f64 * 0.05).sin(), frame as f64 * 0.01);
    let with_gap = |gap: std::ops::Range<usize>| {
        let seen = (0..200).map(|frame| (!gap.contains(&frame)).then(|| path(frame)));
        gaps::filled(seen, 100.0).unwrap()
    };
    for gap in [90..105, 0..3, 197..200] {
        let filled = with_gap(gap.clone()).unwrap();
        // A swing of 1 m amplitude: h⁴/384 over a gap of 0.8 rad is 1 mm, and splines are a few times worse; at the
        // ends, straight on, three frames are off by 6 · 0.05² of the amplitude.
        let most_m = if gap.start == 90 { 5e-3 } else { 1.5e-2 };
        assert!(gap.clone().all(|frame| filled[frame].distance(path(frame)) < most_m), "{gap:?}");
    }
    for gap in [90..115, 0..8, 190..200, 0..200] {
        assert_eq!(with_gap(gap), None);
    }
}

#[test]
fn a_hinge_is_found_by_how_it_turns() {
    let (frames, centre_m) = (200, DVec3::new(0.1, 0.5, 0.0));
    let thigh = |frame: usize| DQuat::from_rotation_x(0.4 * (frame as f64 * 0.1).sin());
    let shank = |frame: usize| thigh(frame) * DQuat::from_rotation_x(0.5 + 0.5 * (frame as f64 * 0.1).cos());
    let moved = |turn: &dyn Fn(usize) -> DQuat, at_m: DVec3| -> Vec<DVec3> {
        (0..frames).map(|frame| centre_m + DVec3::Z * (frame as f64 * 0.01) + turn(frame) * at_m).collect()
    };
    let upper = [[0.05, 0.2, 0.0], [0.0, 0.3, 0.06], [0.04, 0.1, -0.05]].map(|at| moved(&thigh, DVec3::from(at)));
    let lower = [[0.05, -0.2, 0.0], [0.0, -0.3, 0.06], [0.04, -0.1, -0.05]].map(|at| moved(&shank, DVec3::from(at)));
    let segment = |paths: &[Vec<DVec3>; 3]| SegmentPath::of_markers(&paths.each_ref().map(Vec::as_slice)).unwrap();
    let truth = moved(&thigh, DVec3::ZERO);
    // A guess 5 cm off across the axis is mended; along the axis nothing can be known, and nothing is moved.
    let guess: Vec<DVec3> = truth.iter().map(|at_m| *at_m + DVec3::new(0.01, 0.03, -0.04)).collect();
    let found = centre_of_rotation_m(&segment(&upper), &segment(&lower), &guess);
    for (found_m, truth_m) in found.iter().zip(&truth) {
        let off_m = *found_m - *truth_m;
        assert!((off_m.x - 0.01).abs() < 1e-6 && off_m.y.hypot(off_m.z) < 1e-3, "{off_m}");
    }
}

#[test]
fn seen_from_the_belt_the_foot_stands_still() {
    let markers = standing(10).seen_from_belt(DVec3::new(0.0, 0.0, -1.5));
    let z_m: Vec<f64> = markers.path(0).map(|at_m| at_m.unwrap().z).collect();
    assert!((z_m[9] - z_m[0] - 1.5 * 0.09).abs() < 1e-12);
}
