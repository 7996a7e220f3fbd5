//! Writing back CMU captures: untouched bytes, single words, and new files that read as the same motion.

mod asf_support;

use aplomb_formats::asf_amc::{AmcDocument, AsfAmcDocument, AsfDocument, write_asf};
use aplomb_formats::bvh::BvhDocument;
use aplomb_formats::{ReadOptions, WriteOptions};
use aplomb_motion::{Clip, FrameIndex, FrameOfReference, FrameTime, JointId, SignedPermutation, Timeline, WorldPose};
use asf_support::{data_folder, read, takes};
use glam::{DQuat, DVec3};

fn at_120_hz() -> FrameTime {
    FrameTime::from_hz(120.0).unwrap()
}

/// Metres, as every caller uses them: the change of unit must not cost a bit.
fn metres(document: &AsfAmcDocument) -> FrameOfReference {
    FrameOfReference { metres_per_unit: document.metres_per_unit(), ..FrameOfReference::INTERNAL }
}

fn write(document: &AsfAmcDocument, clip: &Clip, options: &WriteOptions) -> (Vec<u8>, Vec<&'static str>) {
    let mut notes = Vec::new();
    let bytes = document.write(clip, metres(document), options, &mut notes).unwrap();
    (bytes, notes.iter().map(|note| note.code).collect())
}

#[test]
fn unedited_motions_give_back_their_bytes() {
    let Some(data) = data_folder() else { return };
    for take in takes(&data) {
        let (document, _) = read(&take);
        let clip = document.to_clip(metres(&document), at_120_hz()).unwrap();
        let (bytes, notes) = write(&document, &clip, &WriteOptions::default());
        assert!(bytes == std::fs::read(&take.amc).unwrap() && notes.is_empty(), "{}: {notes:?}", take.name);
        // The same in a file whose up axis is taken to be Z: the change of frame is exact both ways.
        let z_up = FrameOfReference { internal_from_file: SignedPermutation::Y_UP_FROM_Z_UP, metres_per_unit: 0.1 };
        let clip = document.to_clip(z_up, at_120_hz()).unwrap();
        let bytes = document.write(&clip, z_up, &WriteOptions::default(), &mut Vec::new()).unwrap();
        assert!(bytes == std::fs::read(&take.amc).unwrap(), "{}", take.name);
        // And after the sign of every quaternion was turned, which is no edit.
        let mut clip = clip;
        clip.rotations_mut().iter_mut().for_each(|q| *q = -*q);
        let bytes = document.write(&clip, z_up, &WriteOptions::default(), &mut Vec::new()).unwrap();
        assert!(bytes == std::fs::read(&take.amc).unwrap(), "{}", take.name);
    }
}

/// Words that differ, with both spellings.
fn differences<'a>(a: &'a [u8], b: &'a [u8]) -> Vec<(&'a str, &'a str)> {
    let words = |text: &'a [u8]| std::str::from_utf8(text).unwrap().split([' ', '\n', '\r']);
    assert_eq!(words(a).count(), words(b).count());
    words(a).zip(words(b)).filter(|(a, b)| a != b).collect()
}

#[test]
fn one_edited_channel_changes_one_word() {
    let Some(data) = data_folder() else { return };
    for take in takes(&data) {
        let (document, _) = read(&take);
        // The first frames are enough: the whole file is read again for every value.
        let start = document.amc.frame_offset(10).unwrap();
        let head = document.amc.bytes()[..start].to_vec();
        let amc = AmcDocument::parse(head, &document.asf, &ReadOptions::default(), &mut Vec::new()).unwrap();
        let document = AsfAmcDocument { amc, ..document };
        let source = document.amc.bytes();
        let frame = FrameIndex(7);
        let row = document.amc.frame(frame.0);
        // Every value of a frame in turn, through a second reading of the file with just that word replaced.
        for bone in document.asf.bones().iter().filter(|bone| !bone.dof.is_empty()) {
            for column in bone.columns.clone() {
                let new_value = format!("{:.3}", row[column] + 1.25);
                let edited = replace_word(&document, frame.0, &bone.name, column - bone.columns.start, &new_value);
                let amc = AmcDocument::parse(edited.clone(), &document.asf, &ReadOptions::default(), &mut Vec::new())
                    .unwrap();
                let twin = AsfAmcDocument { asf: document.asf.clone(), amc };
                let clip = twin.to_clip(metres(&document), at_120_hz()).unwrap();
                let (bytes, _) = write(&document, &clip, &WriteOptions::default());
                let changed = differences(source, &bytes);
                assert_eq!(changed.len(), 1, "{} {} {column}: {changed:?}", take.name, bone.name);
                // Next to a singularity an angle is only known to the digits of the quaternion; here six are.
                let (found, expected): (f64, f64) = (changed[0].1.parse().unwrap(), new_value.parse().unwrap());
                assert!((found - expected).abs() <= 1e-5 * expected.abs().max(1.0), "{} {changed:?}", take.name);
            }
        }
    }
}

fn replace_word(document: &AsfAmcDocument, frame: usize, bone: &str, slot: usize, new: &str) -> Vec<u8> {
    let source = std::str::from_utf8(document.amc.bytes()).unwrap();
    let start = document.amc.frame_offset(frame).unwrap();
    let row = start + source[start..].find(&format!("\n{bone} ")).unwrap() + 1;
    let word = source[row..].match_indices(' ').nth(slot).unwrap().0 + row + 1;
    let end = word + source[word..].find([' ', '\r', '\n']).unwrap();
    format!("{}{new}{}", &source[..word], &source[end..]).into_bytes()
}

#[test]
fn canonical_files_read_as_the_same_motion() {
    let Some(data) = data_folder() else { return };
    for take in takes(&data) {
        let (document, _) = read(&take);
        let clip = document.to_clip(metres(&document), at_120_hz()).unwrap();
        let (bytes, notes) = write(&document, &clip, &WriteOptions { canonical: true, ..WriteOptions::default() });
        assert!(notes.is_empty(), "{notes:?}");
        let again = AmcDocument::parse(bytes, &document.asf, &ReadOptions::default(), &mut Vec::new()).unwrap();
        assert_eq!(again.frame_ids(), document.amc.frame_ids());
        for frame in 0..again.frame_count() {
            assert_eq!(again.frame(frame), document.amc.frame(frame), "{} frame {frame}", take.name);
        }
    }
}

#[test]
fn other_frame_counts_are_written_anew_and_stay_continuous() {
    let Some(data) = data_folder() else { return };
    for take in takes(&data) {
        let (document, _) = read(&take);
        let clip = document.to_clip(metres(&document), at_120_hz()).unwrap();
        let frames = clip.frame_count() - 1;
        let rotations = clip.rotations()[..frames * clip.skeleton().len()].to_vec();
        let mut tracks = clip.tracks().to_vec();
        tracks.iter_mut().for_each(|track| track.positions_m.truncate(frames));
        let shorter =
            Clip::new(clip.skeleton().clone(), Timeline::Uniform(at_120_hz()), frames, rotations, tracks).unwrap();
        let (bytes, notes) =
            write(&document, &shorter, &WriteOptions { full_precision: true, ..WriteOptions::default() });
        assert!(notes.contains(&"AMC-N001") && !notes.contains(&"AMC-W011"), "{notes:?}");
        let again = AmcDocument::parse(bytes, &document.asf, &ReadOptions::default(), &mut Vec::new()).unwrap();
        let again = AsfAmcDocument { asf: document.asf.clone(), amc: again };
        let read_back = again.to_clip(metres(&document), at_120_hz()).unwrap();
        let worst = shorter.rotations().iter().zip(read_back.rotations()).map(|(a, b)| a.dot(*b).abs());
        // acos is blind below 1e-8: compare 1 − |dot|, which is θ²/8.
        assert!(worst.fold(1.0, f64::min) > 1.0 - 1e-14, "{}", take.name);
    }
}

#[test]
fn edits_that_bones_cannot_hold_are_reported_not_dropped() {
    let Some(data) = data_folder() else { return };
    let (document, _) = read(&takes(&data)[0]);
    let mut clip = document.to_clip(metres(&document), at_120_hz()).unwrap();
    let knee = clip.skeleton().find("ltibia").unwrap();
    // The knee has one axis; a turn of 10° about a second one cannot be held. 200° about its own leaves the limits.
    let bone = document.asf.bones().iter().find(|bone| bone.name == "ltibia").unwrap();
    let sideways = bone.axis_frame * DQuat::from_rotation_z(10f64.to_radians()) * bone.axis_frame.conjugate();
    let turned = clip.rotation(FrameIndex(7), knee) * sideways;
    clip.set_rotation(FrameIndex(7), knee, turned);
    let bent = bone.axis_frame * DQuat::from_rotation_x(200f64.to_radians()) * bone.axis_frame.conjugate();
    clip.set_rotation(FrameIndex(9), knee, bent);
    let mut notes = Vec::new();
    document.write(&clip, metres(&document), &WriteOptions::default(), &mut notes).unwrap();
    let text: Vec<String> = notes.iter().map(ToString::to_string).collect();
    assert_eq!(notes.iter().map(|note| note.code).collect::<Vec<_>>(), ["AMC-W011", "AMC-W013"], "{text:?}");
    assert!(text[0].contains("\"ltibia\" in frame 7") && text[0].contains("10.0000°"), "{}", text[0]);
    assert!(text[1].contains("\"ltibia\" in frame 9") && text[1].contains("outside (-10 170)"), "{}", text[1]);
    // A joint pulled out of its socket is an error, and so is another skeleton.
    let mut tracks = clip.tracks().to_vec();
    let away = vec![DVec3::X; clip.frame_count()];
    tracks.push(aplomb_motion::TranslationTrack { joint: knee, positions_m: away });
    let pulled = Clip::new(
        clip.skeleton().clone(),
        clip.timeline().clone(),
        clip.frame_count(),
        clip.rotations().to_vec(),
        tracks,
    )
    .unwrap();
    let error = document.write(&pulled, metres(&document), &WriteOptions::default(), &mut notes).unwrap_err();
    assert_eq!(error.code, "AMC-E015");
    let error = document.write(&clip, FrameOfReference::INTERNAL, &WriteOptions::default(), &mut notes).unwrap_err();
    assert_eq!(error.code, "AMC-E012");
}

/// BVH → ASF + AMC → clip: every joint of the BVH stands where it stood.
#[test]
fn bvh_files_become_pairs_that_move_the_same() {
    let Some(data) = data_folder() else { return };
    let mut converted = 0;
    for take in takes(&data).iter().filter(|take| take.bvh.is_some()) {
        let bytes = std::fs::read(take.bvh.as_ref().unwrap()).unwrap();
        let bvh = BvhDocument::parse(bytes, &ReadOptions::default(), &mut Vec::new()).unwrap();
        let frame = FrameOfReference { metres_per_unit: 0.0254 / 0.45, ..FrameOfReference::INTERNAL };
        let clip = bvh.to_clip(frame).unwrap();
        let read_back = through_files(&clip, frame, &WriteOptions { full_precision: true, ..WriteOptions::default() });
        assert!(largest_distance_m(&clip, &read_back) < 1e-9, "{}", take.name);
        let read_back = through_files(&clip, frame, &WriteOptions::default());
        // Six digits: 5e-4° of each angle above 100°, over a chain of a metre and a half.
        let off_m = largest_distance_m(&clip, &read_back);
        assert!(off_m < 1e-4, "{}: {off_m}", take.name);
        converted += 1;
    }
    assert!(converted >= 10);
}

/// An ASF clip through a *new* pair: its bones turn about tilted axes, so each gets the axes it needs.
#[test]
fn asf_clips_become_new_pairs_that_move_the_same() {
    let Some(data) = data_folder() else { return };
    let (document, _) = read(&takes(&data)[0]);
    let clip = document.to_clip(metres(&document), at_120_hz()).unwrap();
    let options = WriteOptions { full_precision: true, ..WriteOptions::default() };
    let read_back = through_files(&clip, metres(&document), &options);
    assert!(largest_distance_m(&clip, &read_back) < 1e-9);
}

fn through_files(clip: &Clip, frame: FrameOfReference, options: &WriteOptions) -> Clip {
    let pair = write_asf(clip, frame, options, &mut Vec::new()).unwrap();
    let strict = ReadOptions { mode: aplomb_formats::Mode::Strict, ..ReadOptions::default() };
    let asf = AsfDocument::parse(pair.asf, &strict, &mut Vec::new()).unwrap();
    let amc = AmcDocument::parse(pair.amc, &asf, &strict, &mut Vec::new()).unwrap();
    assert!((asf.metres_per_unit() / frame.metres_per_unit - 1.0).abs() < 1e-15);
    AsfAmcDocument { asf, amc }.to_clip(frame, at_120_hz()).unwrap()
}

fn largest_distance_m(a: &Clip, b: &Clip) -> f64 {
    assert_eq!(a.frame_count(), b.frame_count());
    let (mut pose_a, mut pose_b) = (WorldPose::default(), WorldPose::default());
    let partner = |id: JointId| match a.skeleton().parent(id) {
        None => JointId::new(0),
        Some(_) => b.skeleton().find(&a.skeleton().joint(id).name).unwrap(),
    };
    let partners: Vec<JointId> = a.skeleton().ids().map(partner).collect();
    let mut largest = 0.0f64;
    for frame in a.frames() {
        pose_a.pose(a, frame);
        pose_b.pose(b, frame);
        for (at, &other) in pose_a.joint_in_world_m.iter().zip(&partners) {
            largest = largest.max((*at - pose_b.joint_in_world_m[other.index()]).length());
        }
    }
    largest
}
