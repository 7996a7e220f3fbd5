//! Files of ours and of others: what is read is what they mean.

use super::*;
use crate::gltf::{About, write};
use aplomb_motion::{FrameIndex, Roles, Side, Timeline, WorldPose};
use serde_json::{Value, json};

/// A GLB of this JSON and these bytes.
pub(super) fn glb(json: &Value, bin: &[u8]) -> Vec<u8> {
    let mut text = serde_json::to_vec(json).unwrap();
    text.resize(text.len().next_multiple_of(4), b' ');
    let mut bytes = b"glTF".to_vec();
    bytes.extend_from_slice(&2u32.to_le_bytes());
    bytes.extend_from_slice(&((28 + text.len() + bin.len()) as u32).to_le_bytes());
    bytes.extend_from_slice(&(text.len() as u32).to_le_bytes());
    bytes.extend_from_slice(b"JSON");
    bytes.extend_from_slice(&text);
    bytes.extend_from_slice(&(bin.len() as u32).to_le_bytes());
    bytes.extend_from_slice(b"BIN\0");
    bytes.extend_from_slice(bin);
    bytes
}

pub(super) fn floats(numbers: &[f32]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}

/// Two joints over an armature of centimetres and Z up, as FBX converters leave it: the hip turns by 90° about its own
/// Z over two frames.
pub(super) fn two_joints() -> (Value, Vec<u8>) {
    let half = std::f32::consts::FRAC_1_SQRT_2;
    let mut bin = floats(&[0.0, 1.0 / 30.0, 2.0 / 30.0]);
    bin.extend(floats(&[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.382_683_43, 0.923_879_5, 0.0, 0.0, half, half]));
    bin.extend(floats(&[0.0, 0.0, 100.0, 0.0, 0.0, 100.0, 10.0, 0.0, 100.0]));
    let json = json!({
        "asset": { "version": "2.0" },
        "nodes": [
            { "name": "Armature", "children": [1], "rotation": [-half, 0.0, 0.0, half], "scale": [0.01, 0.01, 0.01] },
            { "name": "Hips", "children": [2, 3], "translation": [0.0, 0.0, 100.0] },
            { "name": "Knee", "translation": [10.0, 0.0, 0.0] },
            { "name": "Hips_end", "translation": [0.0, 20.0, 0.0] }
        ],
        "skins": [{ "joints": [1, 2] }],
        "animations": [{
            "name": "turn",
            "channels": [
                { "sampler": 0, "target": { "node": 1, "path": "rotation" } },
                { "sampler": 1, "target": { "node": 1, "path": "translation" } }
            ],
            "samplers": [{ "input": 0, "output": 1 }, { "input": 0, "output": 2, "interpolation": "LINEAR" }]
        }],
        "accessors": [
            { "bufferView": 0, "componentType": 5126, "count": 3, "type": "SCALAR" },
            { "bufferView": 0, "byteOffset": 12, "componentType": 5126, "count": 3, "type": "VEC4" },
            { "bufferView": 0, "byteOffset": 60, "componentType": 5126, "count": 3, "type": "VEC3" }
        ],
        "bufferViews": [{ "buffer": 0, "byteLength": 96 }],
        "buffers": [{ "byteLength": 96 }]
    });
    (json, bin)
}

pub(super) fn read_with(bytes: &[u8], options: &ReadOptions) -> Result<(GltfFile, Vec<&'static str>), Box<Diagnostic>> {
    let mut notes = Vec::new();
    let file = read(bytes, None, options, &mut notes)?;
    Ok((file, notes.iter().map(|note| note.code).collect()))
}

fn world_m(clip: &Clip, frame: usize) -> Vec<DVec3> {
    let mut pose = WorldPose::default();
    pose.pose(clip, FrameIndex(frame));
    pose.joint_in_world_m
}

#[test]
fn what_stands_above_the_root_is_made_part_of_it() {
    let (json, bin) = two_joints();
    let (file, codes) = read_with(&glb(&json, &bin), &ReadOptions::default()).unwrap();
    assert_eq!(codes, ["GLB-N011"]);
    let clip = &file.clip;
    let names: Vec<&str> = clip.skeleton().joints().iter().map(|joint| joint.name.as_str()).collect();
    assert_eq!(names, ["Hips", "Knee"]);
    assert_eq!(clip.timeline(), &Timeline::Uniform(FrameTime::from_hz(30.0).unwrap()));
    // 100 units up Z of the armature are one metre up Y of the world; the end site hangs on the hips.
    let at = world_m(clip, 0);
    assert!(at[0].distance(DVec3::Y) < 1e-7 && at[1].distance(DVec3::new(0.1, 1.0, 0.0)) < 1e-7, "{at:?}");
    assert!(clip.skeleton().joints()[0].end_sites[0].offset_m.distance(0.2 * DVec3::Y) < 1e-9);
    // Turned by 90° about the armature's Z, which is the world's Y: X goes to −Z.
    let at = world_m(clip, 2);
    assert!(at[0].distance(DVec3::new(0.1, 1.0, 0.0)) < 1e-7, "{at:?}");
    assert!(at[1].distance(DVec3::new(0.1, 1.0, -0.1)) < 1e-7, "{at:?}");
    assert!(clip.track(JointId::new(1)).is_none());
}

#[test]
fn a_clip_of_ours_comes_back() {
    let clip = ours(FrameTime::from_secs(0.0083333).unwrap());
    let bytes = write(&clip, &Roles::detect(&clip), &About::default(), &mut Vec::new()).unwrap();
    let (file, codes) = read_with(&bytes, &ReadOptions::default()).unwrap();
    assert!(codes.is_empty(), "{codes:?}");
    assert_eq!(file.clip.timeline(), clip.timeline());
    let strip = |clip: &Clip| -> Vec<(String, Option<JointId>, Channels)> {
        clip.skeleton().joints().iter().map(|j| (j.name.clone(), j.parent, j.channels.clone())).collect()
    };
    assert_eq!(strip(&file.clip), strip(&clip));
    assert_eq!(file.clip.tracks().len(), clip.tracks().len());
    for frame in clip.frames() {
        for (a, b) in world_m(&clip, frame.0).iter().zip(world_m(&file.clip, frame.0)) {
            // Single precision, a few joints deep.
            assert!(a.distance(b) < 1e-6, "{frame}: {a} {b}");
        }
    }
}

use aplomb_motion::{Channels, EndSite, Joint, Skeleton, TranslationTrack};
use glam::DQuat;
use std::sync::Arc;

/// Names that repeat, an inner joint that slides, an offset that channels replace, an end site.
fn ours(frame_time: FrameTime) -> Clip {
    let joint = |name: &str, parent: Option<usize>, offset_m: DVec3, positions| Joint {
        name: name.to_owned(),
        parent: parent.map(JointId::new),
        offset_m,
        channels: Channels::rotating([Axis::Z, Axis::X, Axis::Y], positions),
        end_sites: vec![],
    };
    let mut joints = vec![
        joint("Hips", None, DVec3::new(5.0, 1.0, 2.0), true),
        joint("Bone", Some(0), DVec3::Y, false),
        joint("Bone", Some(0), 7.0 * DVec3::X, true),
        joint("", Some(1), DVec3::Y, false),
    ];
    joints[3].end_sites.push(EndSite { name: None, offset_m: 0.1 * DVec3::Z });
    let frames = 7;
    let rotation =
        |index: usize| DQuat::from_scaled_axis(DVec3::new(0.1, 0.2 * (index % 5) as f64, -0.05 * index as f64));
    let track = |joint: usize, from: DVec3| TranslationTrack {
        joint: JointId::new(joint),
        positions_m: (0..frames).map(|frame| from + 0.01 * frame as f64 * DVec3::X).collect(),
    };
    let tracks = vec![track(0, DVec3::Y), track(2, 0.3 * DVec3::X)];
    let rotations = (0..frames * joints.len()).map(rotation).collect();
    Clip::new(Arc::new(Skeleton::new(joints).unwrap()), Timeline::Uniform(frame_time), frames, rotations, tracks)
        .unwrap()
}

#[test]
fn uneven_keys_of_ours_stay_uneven_and_those_of_others_are_sampled() {
    let times = vec![0.0, 0.1, 0.15, 0.4, 0.45, 0.5, 0.7];
    let clip = ours(FrameTime::from_hz(30.0).unwrap()).with_timeline(Timeline::keyed(times).unwrap()).unwrap();
    let bytes = write(&clip, &Roles::detect(&clip), &About::default(), &mut Vec::new()).unwrap();
    let (file, _) = read_with(&bytes, &ReadOptions::default()).unwrap();
    assert_eq!(file.clip.frame_count(), 7);
    assert!((file.clip.duration_secs() - 0.7).abs() < 1e-6 && file.frame_time.is_none());

    let (json, mut bin) = two_joints();
    bin[4..8].copy_from_slice(&0.05f32.to_le_bytes());
    let (file, codes) = read_with(&glb(&json, &bin), &ReadOptions::default()).unwrap();
    assert!(codes.contains(&"GLB-W012"), "{codes:?}");
    assert!(file.clip.timeline().uniform().is_some());
}

#[test]
fn cubic_splines_and_steps_are_sampled_between_keys() {
    let (mut json, mut bin) = two_joints();
    // Two keys a second apart, with tangents that make x(u) the cubic through 0 and 1 with slopes 0 and 0: 1/2 in the
    // middle.
    bin.truncate(0);
    bin.extend(floats(&[0.0, 1.0]));
    bin.extend(floats(&[0.0; 3]).iter().chain(&floats(&[0.0; 3])).chain(&floats(&[0.0; 3])));
    bin.extend(floats(&[0.0; 3]).iter().chain(&floats(&[100.0, 0.0, 0.0])).chain(&floats(&[0.0; 3])));
    json["animations"][0]["channels"] = json!([{ "sampler": 0, "target": { "node": 1, "path": "translation" } }]);
    json["animations"][0]["samplers"] = json!([{ "input": 0, "output": 1, "interpolation": "CUBICSPLINE" }]);
    json["accessors"] = json!([
        { "bufferView": 0, "componentType": 5126, "count": 2, "type": "SCALAR" },
        { "bufferView": 0, "byteOffset": 8, "componentType": 5126, "count": 6, "type": "VEC3" }
    ]);
    json["bufferViews"][0]["byteLength"] = json!(80);
    json["buffers"][0]["byteLength"] = json!(80);
    let (file, codes) = read_with(&glb(&json, &bin), &ReadOptions::default()).unwrap();
    assert!(codes.contains(&"GLB-N014"), "{codes:?}");
    assert_eq!(file.clip.frame_count(), 31);
    let x = |clip: &Clip, frame: usize| clip.translation_m(FrameIndex(frame), JointId::new(0)).x;
    // Hermite's cubic 3u² − 2u³ of a metre.
    for frame in [0, 6, 15, 30] {
        let u = frame as f64 / 30.0;
        assert!((x(&file.clip, frame) - (3.0 * u * u - 2.0 * u * u * u)).abs() < 1e-7, "{frame}");
    }
    json["animations"][0]["samplers"][0]["interpolation"] = json!("STEP");
    json["accessors"][1]["count"] = json!(2);
    json["accessors"][1]["byteOffset"] = json!(20);
    let stepped = read_with(&glb(&json, &bin), &ReadOptions::default()).unwrap().0.clip;
    assert_eq!((x(&stepped, 0), x(&stepped, 29)), (0.0, 0.0));
}

#[test]
fn quantised_sparse_and_strided_numbers_are_read() {
    let (mut json, bin) = two_joints();
    // Rotations as normalised 16-bit numbers, 4 of them every 12 bytes.
    let mut view: Vec<u8> = Vec::new();
    for quat in [[0i16, 0, 0, 32767], [0, 0, 12540, 30273], [0, 0, 23170, 23170]] {
        view.extend(quat.iter().flat_map(|number| number.to_le_bytes()));
        view.extend([0xee; 4]);
    }
    // Translations: none in the view, but the last of three by a sparse list.
    view.extend([2, 0, 0, 0]);
    view.extend(floats(&[50.0, 0.0, 0.0]));
    let mut all = bin.clone();
    let start = all.len();
    all.extend(&view);
    json["buffers"][0]["byteLength"] = json!(all.len());
    json["bufferViews"] = json!([
        { "buffer": 0, "byteLength": 96 },
        { "buffer": 0, "byteOffset": start, "byteLength": 36, "byteStride": 12 },
        { "buffer": 0, "byteOffset": start + 36, "byteLength": 16 }
    ]);
    json["accessors"][1] =
        json!({ "bufferView": 1, "componentType": 5122, "normalized": true, "count": 3, "type": "VEC4" });
    json["accessors"][2] = json!({ "componentType": 5126, "count": 3, "type": "VEC3", "sparse": {
        "count": 1, "indices": { "bufferView": 2, "componentType": 5121 }, "values": { "bufferView": 2, "byteOffset": 4 } } });
    let (file, _) = read_with(&glb(&json, &all), &ReadOptions::default()).unwrap();
    let last = world_m(&file.clip, 2);
    assert!(last[0].distance(DVec3::new(0.5, 0.0, 0.0)) < 1e-6, "{last:?}");
    assert!(last[1].distance(DVec3::new(0.5, 0.0, -0.1)) < 1e-4, "{last:?}");
}

#[test]
fn vrm_names_come_before_others_and_animations_are_chosen() {
    let (mut json, bin) = two_joints();
    json["extensions"] = json!({ "VRMC_vrm": { "humanoid": { "humanBones": { "leftUpperLeg": { "node": 2 } } } } });
    let mut second = json["animations"][0].clone();
    second["name"] = json!("other");
    json["animations"].as_array_mut().unwrap().push(second);
    let (file, codes) = read_with(&glb(&json, &bin), &ReadOptions::default()).unwrap();
    assert_eq!(file.roles, [(JointId::new(1), Some(Role::Thigh(Side::Left)))]);
    assert!(codes.contains(&"GLB-W010") && codes.contains(&"GLB-N013"));
    for name in ["other", "1"] {
        let options = ReadOptions { animation: Some(name.to_owned()), ..ReadOptions::default() };
        assert!(!read_with(&glb(&json, &bin), &options).unwrap().1.contains(&"GLB-W010"));
    }
    let options = ReadOptions { animation: Some("third".to_owned()), ..ReadOptions::default() };
    assert_eq!(read_with(&glb(&json, &bin), &options).unwrap_err().code, "GLB-E027");
}

#[test]
fn plain_json_with_its_buffer_inside_or_beside_is_read() {
    use base64::Engine as _;
    let (mut json, bin) = two_joints();
    let data = base64::engine::general_purpose::STANDARD.encode(&bin);
    json["buffers"][0]["uri"] = json!(format!("data:application/octet-stream;base64,{data}"));
    let inside = read_with(&serde_json::to_vec(&json).unwrap(), &ReadOptions::default()).unwrap().0;
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("my data.bin"), &bin).unwrap();
    json["buffers"][0]["uri"] = json!("my%20data.bin");
    let text = serde_json::to_vec(&json).unwrap();
    let beside = read(&text, Some(folder.path()), &ReadOptions::default(), &mut Vec::new()).unwrap();
    assert_eq!(inside.clip, beside.clip);
}
