//! Edits of every kind, and what they do to the file.

use aplomb_formats::bvh::{BvhDocument, BvhStyle, Eol, write_canonical};
use aplomb_formats::{Diagnostic, ReadOptions, WriteOptions};
use aplomb_motion::{
    Axis, Channels, Clip, FrameIndex, FrameOfReference, FrameTime, JointId, Skeleton, Timeline, TranslationTrack,
};
use glam::{DQuat, DVec3};
use std::sync::Arc;

const CENTIMETRES: FrameOfReference = FrameOfReference { metres_per_unit: 0.01, ..FrameOfReference::INTERNAL };

/// Six channels everywhere, as some exporters write; the hips' OFFSET is a placeholder, the leg's repeats its channels.
const SIX: &str = "HIERARCHY\r
ROOT Hips\r
{\r
  OFFSET 1 90 -400\r
  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\r
  JOINT Leg\r
  {\r
    OFFSET 0 -40 0\r
    CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\r
    End Site\r
    {\r
      OFFSET 0 -8 12\r
    }\r
  }\r
}\r
MOTION\r
Frames: 3\r
Frame Time: .0083333\r
0 95 1 0 0 0 0 -40 0 10 20 30\r
0 96 2 0 0 0 0 -40 0 11 21 31\r
0 97 3 0 0 0 0 -40 0 12 22 32\r
";

fn read(text: &str) -> BvhDocument {
    BvhDocument::parse(text.into(), &ReadOptions::default(), &mut Vec::new()).unwrap()
}

fn write(document: &BvhDocument, clip: &Clip, options: &WriteOptions) -> (String, Vec<&'static str>) {
    let mut notes: Vec<Diagnostic> = Vec::new();
    let bytes = document.write(clip, CENTIMETRES, options, &mut notes).unwrap();
    (String::from_utf8(bytes).unwrap(), notes.iter().map(|note| note.code).collect())
}

fn edited_skeleton(clip: &Clip, edit: impl FnMut(JointId, &mut aplomb_motion::Joint)) -> Clip {
    let (skeleton, timeline, frames, rotations, tracks) = clip.clone().into_parts();
    let skeleton = skeleton.map_joints(edit).unwrap();
    Clip::new(Arc::new(skeleton), timeline, frames, rotations, tracks).unwrap()
}

#[test]
fn a_new_frame_time_changes_its_token_alone() {
    let document = read(SIX);
    let clip = document.to_clip(CENTIMETRES).unwrap();
    // The same nominal rate, stated exactly, is no change.
    let same = clip.clone().with_timeline(Timeline::Uniform(FrameTime::from_hz(120.0).unwrap())).unwrap();
    assert_eq!(write(&document, &same, &WriteOptions::default()).0, SIX);
    for (hz, token) in
        [(60.0, "0.0166667"), (30.0, "0.0333333"), (29.97, "0.0333667"), (23.976, "0.0417083"), (100.0, "0.0100000")]
    {
        let slower = clip.clone().with_timeline(Timeline::Uniform(FrameTime::from_hz(hz).unwrap())).unwrap();
        let (written, notes) = write(&document, &slower, &WriteOptions::default());
        assert_eq!(written, SIX.replace(".0083333", token));
        assert!(notes.is_empty());
        assert_eq!(read(&written).frame_time().nominal(), FrameTime::from_hz(hz).unwrap().nominal(), "{hz}");
    }
    let odd = FrameTime::from_secs(0.0137123456789).unwrap();
    let odd = clip.with_timeline(Timeline::Uniform(odd)).unwrap();
    assert_eq!(write(&document, &odd, &WriteOptions::default()).0, SIX.replace(".0083333", "0.0137123456789"));
}

#[test]
fn a_bone_held_by_channels_is_written_to_its_channels() {
    let document = read(SIX);
    let clip = document.to_clip(CENTIMETRES).unwrap();
    assert_eq!(clip.tracks().len(), 1, "the leg does not move against the hips");
    let longer = edited_skeleton(&clip, |id, joint| {
        if id.index() == 1 {
            joint.offset_m.y = -0.45;
        }
    });
    let (written, notes) = write(&document, &longer, &WriteOptions::default());
    // In all frames, and in the OFFSET, which repeated the channels.
    assert_eq!(written, SIX.replace("0 -40 0", "0 -45 0"));
    assert!(notes.is_empty());
    // A placeholder OFFSET is left alone when the root moves.
    let mut moved = clip.clone();
    moved.track_mut(JointId::new(0)).unwrap()[2].y = 1.0;
    assert_eq!(write(&document, &moved, &WriteOptions::default()).0, SIX.replace("0 97 3", "0 100 3"));
}

#[test]
fn a_joint_that_begins_to_slide_uses_its_channels_or_gets_some() {
    let slide = |clip: &Clip| {
        let (skeleton, timeline, frames, rotations, mut tracks) = clip.clone().into_parts();
        let offset_m = skeleton.joints()[1].offset_m;
        let positions_m = (0..frames).map(|frame| offset_m + DVec3::Y * 0.01 * frame as f64).collect();
        tracks.push(TranslationTrack { joint: JointId::new(1), positions_m });
        Clip::new(skeleton, timeline, frames, rotations, tracks).unwrap()
    };
    let document = read(SIX);
    let (written, notes) = write(&document, &slide(&document.to_clip(CENTIMETRES).unwrap()), &WriteOptions::default());
    assert_eq!(written, SIX.replace("-40 0 11", "-39 0 11").replace("-40 0 12", "-38 0 12"));
    assert!(notes.is_empty());
    // Without position channels there is no place: the file is written anew with them.
    let three = SIX.replace("    CHANNELS 6 Xposition Yposition Zposition", "    CHANNELS 3").replace("0 -40 0 1", "1");
    let document = read(&three);
    let sliding = slide(&document.to_clip(CENTIMETRES).unwrap());
    let (written, notes) = write(&document, &sliding, &WriteOptions::default());
    assert_eq!(notes, ["BVH-W027", "BVH-N004"]);
    let again = read(&written).to_clip(CENTIMETRES).unwrap();
    assert_eq!(again.translation_m(FrameIndex(2), JointId::new(1)).y, -0.38);
}

#[test]
fn names_offsets_and_ends_are_patched_where_they_stand() {
    let document = read(SIX);
    let clip = document.to_clip(CENTIMETRES).unwrap();
    let renamed = edited_skeleton(&clip, |id, joint| {
        if id.index() == 1 {
            joint.name = "Left Leg".into();
            joint.end_sites[0].offset_m.z = 0.1;
        }
    });
    assert_eq!(
        write(&document, &renamed, &WriteOptions::default()).0,
        SIX.replace("Leg", "Left Leg").replace("-8 12", "-8 10")
    );
    let broken = edited_skeleton(&clip, |_, joint| joint.name.push_str(" {x}\n"));
    let (written, notes) = write(&document, &broken, &WriteOptions::default());
    assert!(written.contains("ROOT Hips _x_\r\n") && notes == ["BVH-W029", "BVH-W029"], "{written} {notes:?}");
}

#[test]
fn fewer_frames_are_written_anew_in_the_same_style() {
    let document = read(SIX);
    let (skeleton, timeline, _, rotations, mut tracks) = document.to_clip(CENTIMETRES).unwrap().into_parts();
    for track in &mut tracks {
        track.positions_m.remove(0);
    }
    let clip = Clip::new(skeleton, timeline, 2, rotations[2..].to_vec(), tracks).unwrap();
    let (written, notes) = write(&document, &clip, &WriteOptions::default());
    assert_eq!(notes, ["BVH-N004"]);
    let expected = "MOTION\r\nFrames: 2\r\nFrame Time: 0.0083333\r\n\
        0 96 2 0 0 0 0 -40 0 11 21 31\r\n\
        0 97 3 0 0 0 0 -40 0 12 22 32\r\n";
    assert!(written.ends_with(expected), "{written}");
    assert!(written.starts_with(
        "HIERARCHY\r\nROOT Hips\r\n{\r\n  OFFSET 1.000000 90.000000 -400.000000\r\n  CHANNELS 6 Xposition"
    ));
}

#[test]
fn a_wrong_count_is_put_right_by_an_edit_only() {
    let wrong = SIX.replace("Frames: 3", "Frames: 300");
    let document = read(&wrong);
    let mut clip = document.to_clip(CENTIMETRES).unwrap();
    assert_eq!(write(&document, &clip, &WriteOptions::default()).0, wrong);
    clip.track_mut(JointId::new(0)).unwrap()[0].x = 0.05;
    assert_eq!(write(&document, &clip, &WriteOptions::default()).0, SIX.replace("0 95 1", "5 95 1"));
}

#[test]
fn inner_position_channels_are_dropped_on_request_if_they_stand_still() {
    let document = read(SIX);
    let clip = document.to_clip(CENTIMETRES).unwrap();
    let options = WriteOptions { root_positions_only: true, ..WriteOptions::default() };
    let (written, _) = write(&document, &clip, &options);
    assert!(written.contains("    CHANNELS 3 Zrotation Xrotation Yrotation\r\n"), "{written}");
    assert_eq!(read(&written).columns(), 9);
    let sliding = read(&SIX.replacen("-40 0 11", "-39 0 11", 1));
    let clip = sliding.to_clip(CENTIMETRES).unwrap();
    let error = sliding.write(&clip, CENTIMETRES, &options, &mut Vec::new()).unwrap_err();
    assert_eq!(error.code, "BVH-E027");
    assert!(error.found.contains("\"Leg\" moves by 1.000000"), "{error}");
}

#[test]
fn what_one_channel_cannot_express_is_told() {
    let hinge = SIX
        .replace(
            "    CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation",
            "    CHANNELS 1 Xrotation",
        )
        .replace("0 -40 0 10 20 30", "20")
        .replace("0 -40 0 11 21 31", "21")
        .replace("0 -40 0 12 22 32", "22");
    let document = read(&hinge);
    let mut clip = document.to_clip(CENTIMETRES).unwrap();
    let bent = clip.rotation(FrameIndex(1), JointId::new(1)) * DQuat::from_rotation_x(5f64.to_radians());
    clip.set_rotation(FrameIndex(1), JointId::new(1), bent);
    let (written, notes) = write(&document, &clip, &WriteOptions::default());
    assert_eq!((written, notes), (hinge.replace(" 21\r", " 26\r"), vec![]));
    let twisted = bent * DQuat::from_rotation_z(0.5);
    clip.set_rotation(FrameIndex(1), JointId::new(1), twisted);
    assert_eq!(write(&document, &clip, &WriteOptions::default()).1, ["BVH-W026"]);
    // Without the document the joint gets the axes it needs.
    let bytes =
        write_canonical(&clip, CENTIMETRES, &BvhStyle::default(), &WriteOptions::default(), &mut Vec::new()).unwrap();
    let again = read(std::str::from_utf8(&bytes).unwrap()).to_clip(CENTIMETRES).unwrap();
    let error = again.rotation(FrameIndex(1), JointId::new(1)).conjugate() * twisted;
    assert!(error.xyz().length() < 1e-7);
}

#[test]
fn clips_from_elsewhere_get_sensible_channels() {
    let mut builder = Skeleton::builder();
    let hips = builder.add(None, "Hips", DVec3::Y, Channels::default());
    let own = Channels::rotating([Axis::X, Axis::Y, Axis::Z], false);
    let leg = builder.add(Some(hips), "Leg", -DVec3::Y, own);
    builder.add(Some(leg), "Foot", -DVec3::Y, Channels::default());
    builder.end_site(leg, DVec3::X);
    let timeline = Timeline::Uniform(FrameTime::from_hz(25.0).unwrap());
    let clip = Clip::at_rest(Arc::new(builder.build().unwrap()), timeline, 1).unwrap();
    let style = BvhStyle { eol: Eol::Lf, decimals: 2, ..BvhStyle::default() };
    let bytes = write_canonical(&clip, CENTIMETRES, &style, &WriteOptions::default(), &mut Vec::new()).unwrap();
    let expected = "HIERARCHY
ROOT Hips
{
\tOFFSET 0.000000 100.000000 0.000000
\tCHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
\tJOINT Leg
\t{
\t\tOFFSET 0.000000 -100.000000 0.000000
\t\tCHANNELS 3 Xrotation Yrotation Zrotation
\t\tEnd Site
\t\t{
\t\t\tOFFSET 100.000000 0.000000 0.000000
\t\t}
\t\tJOINT Foot
\t\t{
\t\t\tOFFSET 0.000000 -100.000000 0.000000
\t\t\tCHANNELS 3 Zrotation Xrotation Yrotation
\t\t}
\t}
}
MOTION
Frames: 1
Frame Time: 0.0400000
";
    let text = String::from_utf8(bytes).unwrap();
    assert!(text.starts_with(expected), "{text}");
    assert_eq!(text.lines().last().unwrap().split(' ').count(), 12);
    let keyed = clip.with_timeline(Timeline::keyed(vec![0.5]).unwrap()).unwrap();
    let error = write_canonical(&keyed, CENTIMETRES, &style, &WriteOptions::default(), &mut Vec::new()).unwrap_err();
    assert_eq!(error.code, "BVH-E028");
}

/// A pop of half a turn that is edited away does not drag the frames behind it along, and a slow turn does not flip.
#[test]
fn angles_stay_beside_the_source_and_beside_each_other() {
    let rows: String = (0..40)
        .map(|frame| format!("0 95 1 0 0 {} 0 -40 0 0 0 0\r\n", if frame == 20 { 200 } else { frame }))
        .collect();
    let head = &SIX[..SIX.find("0 95 1").unwrap()];
    let document = read(&format!("{}{rows}", head.replace("Frames: 3", "Frames: 40")));
    let mut clip = document.to_clip(CENTIMETRES).unwrap();
    let root = JointId::new(0);
    for index in 15..30 {
        clip.set_rotation(FrameIndex(index), root, DQuat::from_rotation_y((index as f64 + 0.5).to_radians()));
    }
    let (written, _) = write(&document, &clip, &WriteOptions::default());
    let again = read(&written);
    for frame in 15..30 {
        assert!((again.row(frame).unwrap()[5] - (frame as f64 + 0.5)).abs() < 1e-6, "{:?}", again.row(frame));
    }
    for index in 0..40 {
        clip.set_rotation(FrameIndex(index), root, DQuat::from_rotation_y((10.0 * index as f64).to_radians()));
    }
    let again = read(&write(&document, &clip, &WriteOptions::default()).0);
    for frame in 0..40 {
        assert!((again.row(frame).unwrap()[5] - 10.0 * frame as f64).abs() < 1e-6, "{:?}", again.row(frame));
    }
}
