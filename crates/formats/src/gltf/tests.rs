use super::*;
use aplomb_motion::{Channels, EndSite, FrameIndex, FrameTime, Joint, JointId, Skeleton, Timeline, TranslationTrack};
use glam::{DQuat, DVec3};
use proptest::prelude::*;
use serde_json::Value;
use std::sync::Arc;

fn joint(name: &str, parent: Option<usize>, offset_m: DVec3) -> Joint {
    let (parent, channels) = (parent.map(JointId::new), Channels::default());
    Joint { name: name.to_owned(), parent, offset_m, channels, end_sites: vec![] }
}

fn with_end(mut joint: Joint, offset_m: DVec3) -> Joint {
    joint.end_sites.push(EndSite { name: None, offset_m });
    joint
}

fn at_hz(hz: f64) -> Timeline {
    Timeline::Uniform(FrameTime::from_hz(hz).unwrap())
}

fn clip(joints: Vec<Joint>, timeline: Timeline, frames: usize) -> Clip {
    Clip::at_rest(Arc::new(Skeleton::new(joints).unwrap()), timeline, frames).unwrap()
}

/// The file and what the writer said, after our own checker has passed it.
fn written(clip: &Clip) -> (Vec<u8>, Vec<&'static str>) {
    let mut notes = Vec::new();
    let bytes = write(clip, &Roles::detect(clip), &About::default(), &mut notes).unwrap();
    check(&bytes, clip).unwrap();
    (bytes, notes.iter().map(|note| note.code).collect())
}

fn refused(clip: &Clip) -> (&'static str, String) {
    let error = write(clip, &Roles::detect(clip), &About::default(), &mut Vec::new()).unwrap_err();
    (error.code, error.to_string())
}

fn json_length(bytes: &[u8]) -> usize {
    u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize
}

fn json(bytes: &[u8]) -> Value {
    serde_json::from_slice(&bytes[20..20 + json_length(bytes)]).unwrap()
}

/// The numbers of a float accessor, found by walking the plain JSON.
fn floats(bytes: &[u8], accessor: &Value) -> Vec<f32> {
    let root = json(bytes);
    let accessor = &root["accessors"][accessor.as_u64().unwrap() as usize];
    let view = &root["bufferViews"][accessor["bufferView"].as_u64().unwrap() as usize];
    let width = match accessor["type"].as_str().unwrap() {
        "SCALAR" => 1,
        "VEC3" => 3,
        "VEC4" => 4,
        _ => 16,
    };
    let number = |value: &Value| value.as_u64().unwrap() as usize;
    let start = 28 + json_length(bytes) + number(&view["byteOffset"]) + number(&accessor["byteOffset"]);
    let numbers = bytes[start..start + 4 * width * number(&accessor["count"])].as_chunks::<4>().0;
    numbers.iter().map(|&four| f32::from_le_bytes(four)).collect()
}

#[test]
fn a_clip_of_one_frame_has_one_key_at_zero() {
    let (bytes, _) = written(&clip(vec![joint("a", None, DVec3::Y), joint("b", Some(0), DVec3::X)], at_hz(30.0), 1));
    let root = json(&bytes);
    assert_eq!(floats(&bytes, &root["animations"][0]["samplers"][0]["input"]), [0.0]);
    assert_eq!(u32::from_le_bytes(bytes[8..12].try_into().unwrap()) as usize, bytes.len());
}

#[test]
fn a_clip_without_frames_has_no_animation() {
    let (bytes, codes) = written(&clip(vec![joint("a", None, DVec3::Y)], at_hz(30.0), 0));
    assert_eq!(json(&bytes).get("animations"), None);
    assert_eq!(codes, ["GLB-N002"]);
}

#[test]
fn a_lone_joint_and_bones_without_length_can_be_seen() {
    for joints in
        [vec![joint("ball", None, DVec3::Y)], vec![joint("a", None, DVec3::ZERO), joint("b", Some(0), DVec3::ZERO)]]
    {
        let (bytes, _) = written(&clip(joints, at_hz(30.0), 2));
        let positions = floats(&bytes, &json(&bytes)["meshes"][0]["primitives"][0]["attributes"]["POSITION"]);
        let reach = positions.iter().fold(0.0f32, |most, x| most.max(x.abs()));
        assert!(reach > 0.01, "{reach}");
    }
}

#[test]
fn a_still_clip_without_tracks_keeps_its_length_in_time() {
    let skeleton = Arc::new(Skeleton::new(vec![joint("a", None, DVec3::Y), joint("b", Some(0), DVec3::Y)]).unwrap());
    let still = Clip::new(skeleton, at_hz(10.0), 11, vec![DQuat::IDENTITY; 22], vec![]).unwrap();
    let (bytes, _) = written(&still);
    let root = json(&bytes);
    assert_eq!(root["animations"][0]["channels"].as_array().unwrap().len(), 1);
    assert_eq!(*floats(&bytes, &root["animations"][0]["samplers"][0]["input"]).last().unwrap(), 1.0);
}

#[test]
fn more_than_256_joints_are_numbered_in_16_bits() {
    for (joints, component_type) in [(256, 5121), (257, 5123), (400, 5123)] {
        let chain = (0..joints).map(|index: usize| joint("bone", index.checked_sub(1), 0.1 * DVec3::Y)).collect();
        let (bytes, codes) = written(&clip(chain, at_hz(30.0), 2));
        let root = json(&bytes);
        let accessor = &root["meshes"][0]["primitives"][0]["attributes"]["JOINTS_0"];
        assert_eq!(root["accessors"][accessor.as_u64().unwrap() as usize]["componentType"], component_type);
        assert_eq!(codes, ["GLB-N001"]);
    }
}

#[test]
fn more_joints_than_a_skin_holds_are_refused() {
    let star = (0..65_537usize).map(|index| joint("j", (index > 0).then_some(0), DVec3::Y)).collect();
    assert_eq!(refused(&clip(star, at_hz(30.0), 1)).0, "GLB-E001");
}

#[test]
fn hostile_and_repeated_names_arrive_whole_and_unique() {
    let hostile = "a\"},\\\u{0}\u{1b}\u{202e}\u{2028}é";
    let joints = vec![
        joint(hostile, None, DVec3::Y),
        joint(hostile, Some(0), DVec3::Y),
        joint("", Some(0), DVec3::X),
        joint("body", Some(0), DVec3::X),
    ];
    let (bytes, codes) = written(&clip(joints, at_hz(30.0), 2));
    let root = json(&bytes);
    let names: Vec<&str> =
        root["nodes"].as_array().unwrap().iter().map(|node| node["name"].as_str().unwrap()).collect();
    assert_eq!(names, [hostile, &format!("{hostile}_2"), "joint_2", "body_2", "body"]);
    // The names of the source are not lost.
    assert_eq!(root["animations"][0]["extras"]["joints"][1]["name"], hostile);
    assert_eq!(codes, ["GLB-N001"]);
}

#[test]
fn numbers_that_single_precision_cannot_hold_are_refused_with_their_place() {
    let mut far = clip(vec![joint("Hips", None, DVec3::Y), joint("b", Some(0), DVec3::Y)], at_hz(30.0), 3);
    far.track_mut(JointId::new(0)).unwrap()[2] = DVec3::new(0.0, 1e39, 0.0);
    let (code, text) = refused(&far);
    assert!(code == "GLB-E003" && text.contains("frame 2") && text.contains("Hips"), "{text}");
    let mut nan = clip(vec![joint("Hips", None, DVec3::Y)], at_hz(30.0), 3);
    nan.track_mut(JointId::new(0)).unwrap()[1].x = f64::NAN;
    assert_eq!(refused(&nan).0, "GLB-E003");
    let mut nan = clip(vec![joint("Hips", None, DVec3::Y)], at_hz(30.0), 3);
    nan.set_rotation(FrameIndex(1), JointId::new(0), DQuat::from_xyzw(f64::NAN, 0.0, 0.0, 1.0));
    let (code, text) = refused(&nan);
    assert!(code == "GLB-E006" && text.contains("frame 1"), "{text}");
    let wide = vec![joint("a", None, DVec3::ZERO), joint("b", Some(0), DVec3::X * 1e300)];
    assert_eq!(refused(&clip(wide, at_hz(30.0), 1)).0, "GLB-E003");
}

#[test]
fn far_motion_is_written_with_a_warning() {
    let mut far = clip(vec![joint("a", None, DVec3::Y), joint("b", Some(0), DVec3::Y)], at_hz(30.0), 2);
    far.track_mut(JointId::new(0)).unwrap()[1] = DVec3::new(1e6, 0.0, -3e7);
    assert_eq!(written(&far).1, ["GLB-W002"]);
}

#[test]
fn long_clips_are_warned_of_and_times_that_fall_together_are_refused() {
    let ball = || vec![joint("ball", None, DVec3::Y)];
    assert!(written(&clip(ball(), at_hz(1.0), 601)).1.is_empty());
    assert_eq!(written(&clip(ball(), at_hz(1.0), 602)).1, ["GLB-W001"]);
    let close = Timeline::keyed(vec![0.0, 40_000.0, 40_000.001]).unwrap();
    assert_eq!(refused(&clip(ball(), close, 3)).0, "GLB-E004");
}

#[test]
fn uneven_and_negative_times_are_kept() {
    let (bytes, _) =
        written(&clip(vec![joint("ball", None, DVec3::Y)], Timeline::keyed(vec![-0.5, 0.25, 2.0]).unwrap(), 3));
    let root = json(&bytes);
    assert_eq!(floats(&bytes, &root["animations"][0]["samplers"][0]["input"]), [0.0, 0.75, 2.5]);
    assert_eq!(root["animations"][0]["extras"]["start_secs"], -0.5);
}

#[test]
fn quaternions_never_jump_to_the_other_sign() {
    let skeleton = Arc::new(Skeleton::new(vec![joint("a", None, DVec3::Y), joint("b", Some(0), DVec3::Y)]).unwrap());
    // A turn wound five times round: half of the quaternions come with the other sign.
    let rotations = (0..200).map(|index| {
        let q = DQuat::from_rotation_z(f64::from(index / 2) * 0.3);
        if index % 3 == 0 { -q } else { q }
    });
    let turning = Clip::new(skeleton, at_hz(30.0), 100, rotations.collect(), vec![]).unwrap();
    let (bytes, _) = written(&turning);
    for sampler in json(&bytes)["animations"][0]["samplers"].as_array().unwrap() {
        let keys = floats(&bytes, &sampler["output"]);
        let keys = keys.as_chunks::<4>().0;
        assert!(keys.windows(2).all(|pair| (0..4).map(|i| pair[0][i] * pair[1][i]).sum::<f32>() > 0.9));
    }
}

#[test]
fn rate_channels_source_and_contacts_come_along() {
    let mut joints = vec![joint("Hips", None, DVec3::Y), with_end(joint("Leg", Some(0), -DVec3::Y), -DVec3::Y)];
    joints[0].channels =
        Channels::rotating([aplomb_motion::Axis::Z, aplomb_motion::Axis::X, aplomb_motion::Axis::Y], true);
    let clip = clip(joints, at_hz(29.97), 5);
    let contacts = [ContactInterval { effector: "left_heel".to_owned(), start_secs: 0.1, end_secs: 0.15 }];
    let frame = FrameOfReference { metres_per_unit: 0.01, ..FrameOfReference::default() };
    let about = About { source: Some(("BVH", Path::new("/secret/folder/walk.bvh"))), frame, contacts: &contacts };
    let bytes = write(&clip, &Roles::detect(&clip), &about, &mut Vec::new()).unwrap();
    check(&bytes, &clip).unwrap();
    let root = json(&bytes);
    let extras = &root["animations"][0]["extras"];
    assert_eq!(extras["rate"], serde_json::json!([30000, 1001]));
    assert_eq!(extras["joints"][0]["channels"], "Tx Ty Tz Rz Rx Ry");
    assert_eq!(extras["contacts"][0]["effector"], "left_heel");
    assert_eq!(root["asset"]["extras"]["source_name"], "walk.bvh");
    assert_eq!(root["asset"]["extras"]["source_unit_m"], 0.01);
    assert_eq!(root["nodes"][2]["name"], "Leg_end");
    assert_eq!(root["nodes"][2]["translation"], serde_json::json!([0.0, -1.0, 0.0]));
    assert!(!String::from_utf8_lossy(&bytes).contains("secret"), "folders are nobody's business");
}

#[test]
fn several_roots_get_a_common_one() {
    let (bytes, _) = written(&clip(vec![joint("a", None, DVec3::Y), joint("b", None, DVec3::X)], at_hz(30.0), 2));
    let root = json(&bytes);
    let top = root["skins"][0]["skeleton"].as_u64().unwrap() as usize;
    assert_eq!(root["nodes"][top]["children"], serde_json::json!([0, 1]));
    assert_eq!(root["scenes"][0]["nodes"].as_array().unwrap().len(), 2);
}

#[test]
fn damage_is_found() {
    let mut walk = clip(vec![joint("a", None, DVec3::Y), joint("b", Some(0), DVec3::Y)], at_hz(30.0), 20);
    walk.set_rotation(FrameIndex(7), JointId::new(1), DQuat::from_rotation_x(0.4));
    let (bytes, _) = written(&walk);
    for cut in [0, 11, 19, 40, bytes.len() - 4] {
        assert!(check(&bytes[..cut], &walk).is_err(), "cut at {cut}");
    }
    let mut other = walk.clone();
    other.set_rotation(FrameIndex(8), JointId::new(1), DQuat::from_rotation_x(1e-5));
    assert!(check(&bytes, &other).unwrap_err().contains("frame 8"));
    let mut other = walk.clone();
    other.track_mut(JointId::new(0)).unwrap()[3].x += 1e-4;
    assert!(check(&bytes, &other).is_err());
    // A changed bit in key times, rotations or translations is seen, unless it is the last digit of a rotation.
    let first_key = bytes.len() - 20 * (4 + 16 + 12);
    for at in [first_key, first_key + 4 * 20 + 7, bytes.len() - 3] {
        let mut damaged = bytes.clone();
        damaged[at] ^= 0x40;
        assert!(check(&damaged, &walk).is_err(), "byte {at}");
    }
}

fn any_clip() -> impl Strategy<Value = Clip> {
    let offset =
        || prop::array::uniform3(prop_oneof![Just(0.0), -2.0..2.0, -1e-6..1e-6, -1e4..1e4]).prop_map(DVec3::from);
    let bone = (any::<prop::sample::Index>(), ".{0,6}", offset(), prop::option::of(offset()), 0..10u8);
    (prop::collection::vec(bone, 1..12), 0..6usize, any::<u64>()).prop_map(|(bones, frames, seed)| {
        let joints = bones.iter().enumerate().map(|(index, (parent, name, offset_m, end_m, kind))| {
            // One in ten is a root of its own.
            let parent = (index > 0 && *kind > 0).then(|| parent.index(index));
            let joint = joint(name, parent, *offset_m);
            end_m.map_or(joint.clone(), |end_m| with_end(joint, end_m))
        });
        let skeleton = Arc::new(Skeleton::new(joints.collect()).unwrap());
        // A small generator of numbers in −1 … 1, so that one seed gives all the motion.
        let mut state = seed | 1;
        let mut number = move || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as f64 / f64::from(1u32 << 30) - 1.0
        };
        let turn = |_| DQuat::from_scaled_axis(4.0 * DVec3::new(number(), number(), number()));
        let rotations = (0..frames * bones.len()).map(turn).collect();
        let tracks =
            bones.iter().enumerate().filter(|(_, bone)| bone.4 % 3 == 0).map(|(index, bone)| TranslationTrack {
                joint: JointId::new(index),
                positions_m: (0..frames).map(|frame| bone.2 * frame as f64).collect(),
            });
        Clip::new(skeleton, at_hz(60.0), frames, rotations, tracks.collect()).unwrap()
    })
}

proptest! {
    #[test]
    fn every_clip_reads_back_as_itself(clip in any_clip()) {
        written(&clip);
    }
}
