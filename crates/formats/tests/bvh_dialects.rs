//! Random skeletons in random dialects: what is read is what was written, and comes back to the byte.

use aplomb_formats::bvh::{BvhDocument, BvhStyle, write_canonical};
use aplomb_formats::{Diagnostic, ReadOptions, Severity, WriteOptions};
use aplomb_motion::euler::rotation_from_deg;
use aplomb_motion::{Axis, Channel, Clip, FrameIndex, FrameOfReference, JointId, SignedPermutation, WorldPose};
use glam::DVec3;
use proptest::prelude::*;

/// How a file is spelled, apart from what it says.
#[derive(Clone, Debug)]
struct Spelling {
    eol: &'static str,
    case: u8,
    brace_on_keyword_line: bool,
    indent: &'static str,
    gap: &'static str,
    trailing_blank: bool,
    blank_lines: bool,
    numbers: u8,
    wrapped: bool,
    bom: bool,
    final_eol: bool,
}

#[derive(Clone, Debug)]
struct MadeJoint {
    parent: Option<usize>,
    offset: [f64; 3],
    channels: Vec<Channel>,
    has_end: bool,
}

#[derive(Clone, Debug)]
struct Made {
    joints: Vec<MadeJoint>,
    rows: Vec<Vec<f64>>,
    spelling: Spelling,
}

fn spelling() -> impl Strategy<Value = Spelling> {
    let eol = prop_oneof![Just("\n"), Just("\r\n"), Just("\r")];
    let indent = prop_oneof![Just("\t"), Just("  "), Just("    "), Just("")];
    let gap = prop_oneof![Just(" "), Just("\t"), Just("  "), Just(" \t ")];
    let flags = any::<[bool; 6]>();
    (eol, 0..3u8, indent, gap, 0..4u8, flags).prop_map(|(eol, case, indent, gap, numbers, flags)| Spelling {
        eol,
        case,
        brace_on_keyword_line: flags[0],
        indent,
        gap,
        trailing_blank: flags[1],
        blank_lines: flags[2],
        numbers,
        wrapped: flags[3],
        bom: flags[4],
        final_eol: flags[5],
    })
}

/// Values that all number spellings hold exactly: multiples of 1e-4.
fn value() -> impl Strategy<Value = f64> {
    prop_oneof![Just(0.0), Just(-0.0), Just(180.0), (-4_000_000..4_000_000i64).prop_map(|units| units as f64 / 1e4)]
}

fn channels() -> impl Strategy<Value = Vec<Channel>> {
    let all: Vec<Channel> =
        Axis::ALL.into_iter().flat_map(|axis| [Channel::Position(axis), Channel::Rotation(axis)]).collect();
    let rotations: Vec<Channel> = Axis::ALL.map(Channel::Rotation).to_vec();
    prop_oneof![
        3 => Just(rotations).prop_shuffle(),
        2 => Just(all.clone()).prop_shuffle(),
        1 => (Just(all).prop_shuffle(), 0..6usize).prop_map(|(mut list, count)| { list.truncate(count); list }),
    ]
}

fn made() -> impl Strategy<Value = Made> {
    let joint = (any::<prop::sample::Index>(), [value(), value(), value()], channels(), any::<bool>());
    (prop::collection::vec(joint, 1..9), 1..6usize, spelling())
        .prop_flat_map(|(joints, frames, spelling)| {
            let joints: Vec<MadeJoint> = joints
                .into_iter()
                .enumerate()
                .map(|(index, (parent, offset, channels, has_end))| MadeJoint {
                    // Now and then a second root.
                    parent: (index > 0).then(|| parent.index(index + 1)).filter(|&parent| parent < index),
                    offset,
                    channels,
                    has_end,
                })
                .collect();
            let columns: usize = joints.iter().map(|joint| joint.channels.len()).sum();
            let rows = prop::collection::vec(prop::collection::vec(value(), columns), frames);
            (Just(joints), rows, Just(spelling))
        })
        .prop_map(|(joints, rows, spelling)| in_file_order(joints, rows, spelling))
}

/// Joints in the order in which a file lists them, depth first.
fn in_file_order(joints: Vec<MadeJoint>, rows: Vec<Vec<f64>>, spelling: Spelling) -> Made {
    let children = |parent: Option<usize>| -> Vec<usize> {
        (0..joints.len()).rev().filter(|&joint| joints[joint].parent == parent).collect()
    };
    let mut order = Vec::new();
    let mut stack = children(None);
    while let Some(joint) = stack.pop() {
        order.push(joint);
        stack.extend(children(Some(joint)));
    }
    let place = |joint: usize| order.iter().position(|&other| other == joint).unwrap();
    let sorted =
        order.iter().map(|&joint| MadeJoint { parent: joints[joint].parent.map(place), ..joints[joint].clone() });
    Made { joints: sorted.collect(), rows, spelling }
}

impl Made {
    fn text(&self) -> String {
        let s = &self.spelling;
        let word = |word: &str| match s.case {
            0 => word.to_owned(),
            1 => word.to_lowercase(),
            _ => word.to_uppercase(),
        };
        let mut text = String::new();
        if s.bom {
            text.push('\u{feff}');
        }
        let line = |text: &mut String, depth: usize, words: &str| {
            text.push_str(&s.indent.repeat(depth));
            text.push_str(words);
            if s.trailing_blank {
                text.push(' ');
            }
            text.push_str(s.eol);
            if s.blank_lines {
                text.push_str(s.eol);
            }
        };
        let open = |text: &mut String, depth: usize, words: &str| {
            if s.brace_on_keyword_line {
                line(text, depth, &format!("{words}{{"));
            } else {
                line(text, depth, words);
                line(text, depth, "{");
            }
        };
        line(&mut text, 0, &word("HIERARCHY"));
        let mut depths: Vec<usize> = Vec::new();
        for (index, joint) in self.joints.iter().enumerate() {
            let depth = joint.parent.map_or(0, |parent| depths[parent] + 1);
            // Close what is deeper than this joint's parent.
            let last = index.checked_sub(1).map_or(0, |last| depths[last] + 1);
            for closed in (depth..last).rev() {
                line(&mut text, closed, "}");
            }
            depths.push(depth);
            let keyword = word(if depth == 0 { "ROOT" } else { "JOINT" });
            open(&mut text, depth, &format!("{keyword}{}Joint {index}", s.gap));
            let offset = joint.offset.map(|value| self.number(value)).join(s.gap);
            line(&mut text, depth + 1, &format!("{}{}{offset}", word("OFFSET"), s.gap));
            let names: Vec<String> = joint.channels.iter().map(|channel| word(&channel_name(*channel))).collect();
            let list = [vec![word("CHANNELS"), names.len().to_string()], names].concat().join(s.gap);
            line(&mut text, depth + 1, &list);
            if joint.has_end {
                open(&mut text, depth + 1, &format!("{} {}", word("End"), word("Site")));
                line(&mut text, depth + 2, &format!("{}{}{offset}", word("OFFSET"), s.gap));
                line(&mut text, depth + 1, "}");
            }
        }
        for closed in (0..depths.last().map_or(0, |depth| depth + 1)).rev() {
            line(&mut text, closed, "}");
        }
        line(&mut text, 0, &word("MOTION"));
        line(&mut text, 0, &format!("{}:{}{}", word("Frames"), s.gap, self.rows.len()));
        line(&mut text, 0, &format!("{}:{}{}", word("Frame Time"), s.gap, self.number(0.0083)));
        for row in &self.rows {
            let numbers: Vec<String> = row.iter().map(|&value| self.number(value)).collect();
            // Rows that are broken into pieces of the same length, the last one shorter.
            let piece = if s.wrapped && numbers.len() > 1 { numbers.len().div_ceil(2) } else { numbers.len().max(1) };
            for numbers in numbers.chunks(piece) {
                line(&mut text, 0, &numbers.join(s.gap));
            }
        }
        if !s.final_eol {
            text.truncate(text.trim_end().len());
        }
        text
    }

    fn number(&self, value: f64) -> String {
        match self.spelling.numbers {
            0 => format!("{value}"),
            1 => format!("{value:.4}"),
            2 => format!("{value:.10}"),
            _ => format!("{value:e}"),
        }
    }
}

fn channel_name(channel: Channel) -> String {
    match channel {
        Channel::Position(axis) => format!("{}position", axis.letter()),
        Channel::Rotation(axis) => format!("{}rotation", axis.letter()),
    }
}

fn read(bytes: &[u8]) -> (BvhDocument, Vec<Diagnostic>) {
    let mut notes = Vec::new();
    let document = BvhDocument::parse(bytes.to_vec(), &ReadOptions::default(), &mut notes);
    let document = document.unwrap_or_else(|error| panic!("{error}\n{}", String::from_utf8_lossy(bytes)));
    (document, notes)
}

const FRAMES: [FrameOfReference; 3] = [
    FrameOfReference::INTERNAL,
    FrameOfReference { internal_from_file: SignedPermutation::Y_UP_FROM_Z_UP, metres_per_unit: 0.01 },
    FrameOfReference { internal_from_file: SignedPermutation::Y_UP_FROM_X_UP, metres_per_unit: 0.056444 },
];

/// Tokens between white space.
fn tokens(bytes: &[u8]) -> Vec<&[u8]> {
    bytes.split(u8::is_ascii_whitespace).filter(|token| !token.is_empty()).collect()
}

fn largest_distance(a: &Clip, b: &Clip) -> f64 {
    let (mut pose_a, mut pose_b) = (WorldPose::default(), WorldPose::default());
    let mut worst = 0.0f64;
    let mut size = 1e-9f64;
    for index in a.frames() {
        pose_a.pose(a, index);
        pose_b.pose(b, index);
        for (p, q) in pose_a.joint_in_world_m.iter().zip(&pose_b.joint_in_world_m) {
            worst = worst.max((*p - *q).length());
            size = size.max(p.length());
        }
    }
    worst / size
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_read_is_what_was_written(made in made()) {
        let text = made.text();
        let (document, notes) = read(text.as_bytes());
        prop_assert!(notes.iter().all(|note| note.severity < Severity::Error));
        prop_assert_eq!(document.joints().len(), made.joints.len());
        for (index, (found, joint)) in document.joints().iter().zip(&made.joints).enumerate() {
            let name = format!("Joint {index}");
            prop_assert_eq!(document.joint_names_raw().nth(index).unwrap(), name.as_bytes());
            prop_assert_eq!(found.parent, joint.parent);
            prop_assert_eq!(found.offset.map(|number| number.value.to_bits()), joint.offset.map(f64::to_bits));
            prop_assert_eq!(found.end_sites.len(), usize::from(joint.has_end));
        }
        let columns = made.rows[0].len();
        if columns > 0 {
            prop_assert_eq!(document.frame_count(), made.rows.len());
        }
        for (frame, row) in made.rows.iter().enumerate().filter(|_| columns > 0) {
            let bits: Vec<u64> = row.iter().map(|value| value.to_bits()).collect();
            let found: Vec<u64> = document.row(frame).unwrap().iter().map(|value| value.to_bits()).collect();
            prop_assert_eq!(found, bits);
        }
        // The pose of a frame is the product of its channels, written out once more.
        let clip = document.to_clip(FrameOfReference::INTERNAL).unwrap();
        for (frame, row) in made.rows.iter().enumerate().filter(|_| columns > 0) {
            let mut first = 0;
            for (index, joint) in made.joints.iter().enumerate() {
                let values = &row[first..first + joint.channels.len()];
                first += joint.channels.len();
                let (mut axes, mut angles) = (Vec::new(), Vec::new());
                let mut translation = DVec3::from_array(joint.offset);
                for (channel, &value) in joint.channels.iter().zip(values) {
                    match channel {
                        Channel::Position(axis) => translation[axis.index()] = value,
                        Channel::Rotation(axis) => {
                            axes.push(*axis);
                            angles.push(value);
                        }
                    }
                }
                let expected = rotation_from_deg(&axes, &angles);
                let found = clip.rotation(FrameIndex(frame), JointId::new(index));
                prop_assert!((expected - found).length() < 4e-16 * 4.0, "{:?} {:?}", expected, found);
                if !document.dialect().positions_add {
                    let found = clip.translation_m(FrameIndex(frame), JointId::new(index));
                    // Joints that stay within a millionth of the longest bone count as fixed.
                    prop_assert!((found - translation).length() < 1e-3, "{:?} {:?}", found, translation);
                }
            }
        }
    }

    #[test]
    fn unedited_files_come_back_to_the_byte(made in made(), frame in 0..3usize) {
        let text = made.text();
        let (document, _) = read(text.as_bytes());
        let clip = document.to_clip(FRAMES[frame]).unwrap();
        let mut notes = Vec::new();
        let written = document.write(&clip, FRAMES[frame], &WriteOptions::default(), &mut notes).unwrap();
        prop_assert_eq!(String::from_utf8(written).unwrap(), text);
        prop_assert!(notes.is_empty(), "{:?}", notes);
    }

    #[test]
    fn one_edit_changes_one_token(
        made in made(),
        frame in 0..3usize,
        at in any::<(prop::sample::Index, prop::sample::Index, prop::sample::Index)>(),
        by in 0.5..20.0f64,
    ) {
        let text = made.text();
        let (document, _) = read(text.as_bytes());
        prop_assume!(document.columns() > 0 && !document.dialect().positions_add);
        let reference = FRAMES[frame];
        let mut clip = document.to_clip(reference).unwrap();
        let index = FrameIndex(at.0.index(document.frame_count()));
        let joint = at.1.index(document.joints().len());
        let made_joint = &made.joints[joint];
        prop_assume!(!made_joint.channels.is_empty());
        let slot = at.2.index(made_joint.channels.len());
        let first = document.joints()[joint].channels.as_ref().unwrap().first_column;
        let row = document.row(index.0).unwrap();
        let id = JointId::new(joint);
        match made_joint.channels[slot] {
            Channel::Position(axis) => {
                // Only joints with a track move frame by frame.
                let Some(track) = clip.track_mut(id) else { return Ok(()) };
                let mut position = reference.position_to_file(track[index.0]);
                position[axis.index()] += by;
                track[index.0] = reference.position_from_file(position);
            }
            Channel::Rotation(axis) => {
                let rotations = made_joint.channels.iter().zip(&row[first..]).filter_map(|(channel, &value)| match channel {
                    Channel::Rotation(other) => Some((*other, if *other == axis { value + by } else { value })),
                    Channel::Position(_) => None,
                });
                let (axes, angles): (Vec<Axis>, Vec<f64>) = rotations.unzip();
                // Next to the singularity other angles may express the same rotation.
                let middle_deg = if axes.len() == 3 { angles[1] } else { 0.0 };
                prop_assume!(middle_deg.to_radians().cos().abs() > 0.1);
                let edited = reference.internal_from_file.rotation(rotation_from_deg(&axes, &angles));
                clip.set_rotation(index, id, edited);
            }
        }
        let mut notes = Vec::new();
        let written = document.write(&clip, reference, &WriteOptions::default(), &mut notes).unwrap();
        prop_assert!(notes.is_empty(), "{:?}", notes);
        let (before, after) = (tokens(text.as_bytes()), tokens(&written));
        prop_assert_eq!(before.len(), after.len());
        let changed = before.iter().zip(&after).filter(|(before, after)| before != after).count();
        // A position in another unit may come back as a neighbour of what it was, but never in another token.
        prop_assert_eq!(changed, 1, "{}\n{}", text, String::from_utf8_lossy(&written));
        let (again, _) = read(&written);
        let column = first + slot;
        let value = again.row(index.0).unwrap()[column];
        prop_assert!((value - row[column] - by).abs() < 1e-6, "{} {} {}", value, row[column], by);
    }

    #[test]
    fn written_anew_it_is_the_same_motion(made in made(), frame in 0..3usize) {
        let text = made.text();
        let (document, _) = read(text.as_bytes());
        let reference = FRAMES[frame];
        let clip = document.to_clip(reference).unwrap();
        let options = WriteOptions { canonical: true, full_precision: true, ..WriteOptions::default() };
        let written = document.write(&clip, reference, &options, &mut Vec::new()).unwrap();
        let (again, _) = read(&written);
        if !document.dialect().positions_add && !again.dialect().positions_add {
            for frame in 0..document.frame_count() {
                prop_assert_eq!(document.row(frame), again.row(frame));
            }
            let reread = again.to_clip(reference).unwrap();
            prop_assert!(largest_distance(&clip, &reread) < 1e-9);
        }
        // Written once more it does not change any more.
        let clip = again.to_clip(reference).unwrap();
        let twice = again.write(&clip, reference, &options, &mut Vec::new()).unwrap();
        if !again.dialect().positions_add {
            prop_assert_eq!(String::from_utf8(written).unwrap(), String::from_utf8(twice).unwrap());
        }
    }

    #[test]
    fn without_its_document_it_is_the_same_motion(made in made(), frame in 0..3usize) {
        let (document, _) = read(made.text().as_bytes());
        let reference = FRAMES[frame];
        let clip = document.to_clip(reference).unwrap();
        let options = WriteOptions { full_precision: true, ..WriteOptions::default() };
        let written = write_canonical(&clip, reference, &BvhStyle::default(), &options, &mut Vec::new()).unwrap();
        let (again, _) = read(&written);
        if !again.dialect().positions_add {
            let reread = again.to_clip(reference).unwrap();
            // Angles go through the solver; 1e-9 is asked, rounding of eight joints in a chain is below it.
            prop_assert!(largest_distance(&clip, &reread) < 1e-9);
        }
    }

    #[test]
    fn broken_files_never_panic(made in made(), cuts in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6), end in any::<prop::sample::Index>()) {
        let mut bytes = made.text().into_bytes();
        for (at, byte) in cuts {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        bytes.truncate(end.index(bytes.len()) + 1);
        for mode in [aplomb_formats::Mode::Strict, aplomb_formats::Mode::Tolerant, aplomb_formats::Mode::Salvage] {
            let options = ReadOptions { mode, ..ReadOptions::default() };
            let mut notes = Vec::new();
            if let Ok(document) = BvhDocument::parse(bytes.clone(), &options, &mut notes) {
                let Ok(clip) = document.to_clip(FrameOfReference::INTERNAL) else { continue };
                let written = document.write(&clip, FrameOfReference::INTERNAL, &WriteOptions::default(), &mut notes).unwrap();
                if document.is_salvaged() {
                    read(&written);
                } else {
                    prop_assert_eq!(&written, &bytes);
                }
            }
        }
    }
}
