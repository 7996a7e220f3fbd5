//! Writing what plain captures do not hold: frames that leave bones out, stretching bones, foreign skeletons.

use super::tests::{AMC, ASF};
use super::{AmcDocument, AsfAmcDocument, AsfDocument, write_asf};
use crate::options::{NanRepair, ReadOptions, WriteOptions};
use crate::{Diagnostic, Mode};
use aplomb_motion::{
    Axis, Channel, Channels, Clip, FrameIndex, FrameOfReference, FrameTime, JointId, Skeleton, Timeline,
    TranslationTrack, WorldPose,
};
use glam::{DQuat, DVec3};
use std::sync::Arc;

const FRAME: FrameOfReference = FrameOfReference::INTERNAL;

fn document(asf: &str, amc: &str, options: &ReadOptions) -> AsfAmcDocument {
    let asf = AsfDocument::parse(asf.into(), options, &mut Vec::new()).unwrap();
    let amc = AmcDocument::parse(amc.into(), &asf, options, &mut Vec::new()).unwrap();
    AsfAmcDocument { asf, amc }
}

fn clip(document: &AsfAmcDocument) -> Clip {
    document.to_clip(FRAME, FrameTime::from_hz(60.0).unwrap()).unwrap()
}

fn write(document: &AsfAmcDocument, clip: &Clip, options: &WriteOptions) -> (String, Vec<Diagnostic>) {
    let mut notes = Vec::new();
    let bytes = document.write(clip, FRAME, options, &mut notes).unwrap();
    (String::from_utf8(bytes).unwrap(), notes)
}

fn codes(notes: &[Diagnostic]) -> Vec<&'static str> {
    notes.iter().map(|note| note.code).collect()
}

#[test]
fn an_edited_root_keeps_separators_comments_and_line_ends() {
    let text =
        AMC.replacen("root 1.5 2 3", "root\t1.5, 2   3.00", 1).replacen("b 8", "b (8) # knee", 1).replace('\n', "\r\n");
    let document = document(ASF, &text, &ReadOptions::default());
    let mut clip = clip(&document);
    clip.track_mut(JointId::new(0)).unwrap()[1].y = 2.123_456_789;
    let (written, notes) = write(&document, &clip, &WriteOptions::default());
    assert_eq!(written, text.replacen("1.5, 2   3.00", "1.5, 2.12346   3.00", 1));
    assert!(notes.is_empty());
    let (written, _) = write(&document, &clip, &WriteOptions { full_precision: true, ..WriteOptions::default() });
    assert_eq!(written, text.replacen("1.5, 2   3.00", "1.5, 2.123456789   3.00", 1));
}

#[test]
fn more_digits_than_six_are_kept_where_the_file_has_them() {
    let text = AMC.replacen("root 1.5 2 3", "root 1.5 2.00000000 3", 1);
    let document = document(ASF, &text, &ReadOptions::default());
    let mut clip = clip(&document);
    clip.track_mut(JointId::new(0)).unwrap()[1].y = 2.123_456_789_123;
    let (written, _) = write(&document, &clip, &WriteOptions::default());
    assert_eq!(written, text.replacen("2.00000000", "2.12345679", 1));
}

#[test]
fn a_file_that_leaves_bones_out_is_written_in_full_once_edited() {
    let text = ":DEGREES\n1\nroot 1 2 3 4 5 6\na 1 2 3\nb 4\n2\nroot 1 2 3 4 5 6\n";
    let document = document(ASF, text, &ReadOptions::default());
    let mut clip = clip(&document);
    assert_eq!(write(&document, &clip, &WriteOptions::default()).0, text);
    clip.track_mut(JointId::new(0)).unwrap()[0].x = 9.0;
    let (written, notes) = write(&document, &clip, &WriteOptions::default());
    // Frame 2 must not take over anything from the edited frame 1.
    assert_eq!(written, ":DEGREES\n1\nroot 9 2 3 4 5 6\na 1 2 3\nb 4\n2\nroot 1 2 3 4 5 6\na 1 2 3\nb 4\n");
    assert_eq!(codes(&notes), ["AMC-N001"]);
}

#[test]
fn filled_values_are_written_as_numbers() {
    let text = AMC.replacen("b 7", "b nan", 1);
    let options = ReadOptions { repair_nan: Some(NanRepair::Hold), ..ReadOptions::default() };
    let document = document(ASF, &text, &options);
    let (written, _) = write(&document, &clip(&document), &WriteOptions::default());
    assert_eq!(written, AMC.replacen("b 7", "b 8", 1));
}

#[test]
fn radians_are_written_as_radians() {
    let text =
        AMC.replacen(":DEGREES", ":RADIANS", 1).replace("10 20 30", "0.1 0.2 0.3").replace("4 5 6", "0.4 0.5 0.6");
    let document = document(ASF, &text.replace("b 7", "b 0.7").replace("b 8", "b 0.8"), &ReadOptions::default());
    let mut clip = clip(&document);
    let bone = &document.asf.bones()[2];
    let quarter = bone.axis_frame * DQuat::from_rotation_x(0.25) * bone.axis_frame.conjugate();
    clip.set_rotation(FrameIndex(1), JointId::new(2), quarter);
    let (written, notes) = write(&document, &clip, &WriteOptions::default());
    assert!(written.ends_with("a 0.4 0.5 0.6\nb 0.25\n") && notes.is_empty(), "{written} {notes:?}");
}

#[test]
fn stretching_and_shifting_bones_are_solved_back() {
    let asf = ASF.replacen("dof rx ry rz", "dof l", 1).replacen("axis 10 20 30", "axis 0 0 90", 1).replacen(
        "length 3",
        "length 3\n bodymass 2",
        1,
    );
    let amc = ":DEGREES\n1\nroot 0 0 0 0 0 0\na 0.5\nb 0\n";
    let stretching = document(&asf, amc, &ReadOptions::default());
    let mut edited = clip(&stretching);
    edited.track_mut(JointId::new(2)).unwrap()[0] = DVec3::new(0.0, 2.75, 0.0);
    let (written, notes) = write(&stretching, &edited, &WriteOptions::default());
    assert_eq!((written.as_str(), codes(&notes)), (amc.replace("a 0.5", "a 0.75").as_str(), vec![]));
    // Off the bone's line: the nearest is written and the rest is reported.
    edited.track_mut(JointId::new(2)).unwrap()[0] = DVec3::new(0.25, 2.75, 0.0);
    let (written, notes) = write(&stretching, &edited, &WriteOptions::default());
    assert_eq!((written.as_str(), codes(&notes)), (amc.replace("a 0.5", "a 0.75").as_str(), vec!["AMC-W012"]));
    assert!(notes[0].to_string().contains("0.250000 file units at \"b\" in frame 0"), "{}", notes[0]);
    // `tx ty` of b, whose x points along y.
    let shifting =
        document(&asf.replacen("dof rx\n", "dof ty tx\n", 1), &amc.replace("b 0", "b 0 0"), &ReadOptions::default());
    let mut edited = clip(&shifting);
    edited.track_mut(JointId::new(2)).unwrap()[0] = DVec3::new(0.25, 2.75, 0.0);
    let (written, notes) = write(&shifting, &edited, &WriteOptions::default());
    assert_eq!((written.as_str(), codes(&notes)), (amc.replace("b 0", "b -0.25 0.25").as_str(), vec![]));
}

/// Two legs side by side, a name to clean up, a joint without length, and two joints of one name.
fn foreign() -> Clip {
    let mut builder = Skeleton::builder();
    let turning = Channels::rotating([Axis::Z, Axis::X, Axis::Y], false);
    let hips = builder.add(None, "Hips", DVec3::Y, Channels::rotating([Axis::Z, Axis::X, Axis::Y], true));
    let left = builder.add(Some(hips), "left leg", DVec3::X, turning.clone());
    let right = builder.add(Some(hips), "end", -DVec3::X, turning.clone());
    let foot = builder.add(Some(left), "foot", -DVec3::Y, Channels::new(&[Channel::Rotation(Axis::X)]).unwrap());
    let other = builder.add(Some(right), "FOOT", -DVec3::Y, turning);
    builder.add(Some(foot), "toe", DVec3::ZERO, Channels::default());
    builder.end_site(other, DVec3::Z);
    builder.end_site(other, DVec3::X);
    let skeleton = Arc::new(builder.build().unwrap());
    let timeline = Timeline::Uniform(FrameTime::from_hz(30.0).unwrap());
    let mut clip = Clip::at_rest(skeleton, timeline, 3).unwrap();
    for (index, rotation) in clip.rotations_mut().iter_mut().enumerate() {
        *rotation = DQuat::from_scaled_axis(DVec3::new(0.1, 0.2, -0.3) * index as f64);
    }
    clip
}

#[test]
fn foreign_skeletons_become_bones_with_one_end_each() {
    let clip = foreign();
    let mut notes = Vec::new();
    let options = WriteOptions { full_precision: true, ..WriteOptions::default() };
    let pair = write_asf(&clip, FRAME, &options, &mut notes).unwrap();
    // The foot turns about more than its one channel, and so does the toe, which has none.
    assert_eq!(codes(&notes), ["ASF-N002", "ASF-N004", "ASF-N005", "ASF-N005"]);
    let text = notes[0].to_string();
    for renamed in [
        "\"Hips\" is now \"root\"",
        "\"left leg\" is now \"left_leg\"",
        "\"end\" is now \"end_2\"",
        "\"FOOT\" is now \"FOOT_2\"",
    ] {
        assert!(text.contains(renamed), "{text}");
    }
    let strict = ReadOptions { mode: Mode::Strict, ..ReadOptions::default() };
    let asf = AsfDocument::parse(pair.asf, &strict, &mut notes).unwrap();
    let amc = AmcDocument::parse(pair.amc, &asf, &strict, &mut notes).unwrap();
    let read_back = AsfAmcDocument { asf, amc }.to_clip(FRAME, FrameTime::from_hz(30.0).unwrap()).unwrap();
    let (mut expected, mut found) = (WorldPose::default(), WorldPose::default());
    for frame in clip.frames() {
        expected.pose(&clip, frame);
        found.pose(&read_back, frame);
        for (joint, name) in ["root", "left_leg", "end_2", "foot", "FOOT_2", "toe"].into_iter().enumerate() {
            let at = read_back.skeleton().find(name).unwrap().index();
            assert!((expected.joint_in_world_m[joint] - found.joint_in_world_m[at]).length() < 1e-12, "{name}");
            assert!(expected.world_from_joint[joint].dot(found.world_from_joint[at]).abs() > 1.0 - 1e-12, "{name}");
        }
        // Both end sites of the right foot are ends of bones now.
        let ends: Vec<DVec3> = read_back
            .skeleton()
            .ids()
            .flat_map(|id| {
                let ends = read_back.skeleton().joint(id).end_sites.iter();
                ends.map(|end| found.point_in_world_m(id, end.offset_m)).collect::<Vec<_>>()
            })
            .collect();
        for offset in [DVec3::Z, DVec3::X] {
            let tip = expected.point_in_world_m(JointId::new(4), offset);
            assert!(ends.iter().any(|end| (*end - tip).length() < 1e-12));
        }
    }
}

#[test]
fn what_asf_cannot_hold_is_refused() {
    let clip = foreign();
    let refuse = |clip: &Clip| *write_asf(clip, FRAME, &WriteOptions::default(), &mut Vec::new()).unwrap_err();
    let joint = JointId::new(3);
    let with_track = |positions_m: Vec<DVec3>| {
        let mut tracks = clip.tracks().to_vec();
        tracks.push(TranslationTrack { joint, positions_m });
        Clip::new(clip.skeleton().clone(), clip.timeline().clone(), 3, clip.rotations().to_vec(), tracks).unwrap()
    };
    let error = refuse(&with_track(vec![DVec3::ZERO, DVec3::ZERO, DVec3::X]));
    assert_eq!(error.code, "ASF-E020");
    assert!(
        error.to_string().contains("\"foot\" moved by 1.000000 m") && error.to_string().contains("frame 2"),
        "{error}"
    );
    // A track that never moves is an offset.
    assert!(write_asf(&with_track(vec![DVec3::X; 3]), FRAME, &WriteOptions::default(), &mut Vec::new()).is_ok());
    let mut builder = Skeleton::builder();
    builder.add(None, "one", DVec3::ZERO, Channels::default());
    builder.add(None, "two", DVec3::ZERO, Channels::default());
    let two = Clip::at_rest(Arc::new(builder.build().unwrap()), clip.timeline().clone(), 1).unwrap();
    assert_eq!(refuse(&two).code, "ASF-E019");
}
