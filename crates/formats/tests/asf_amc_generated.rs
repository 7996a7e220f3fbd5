//! Random skeletons in random dialects read as the values they were made of; damaged files never panic.

use aplomb_formats::asf_amc::{AmcDocument, AsfAmcDocument, AsfDocument};
use aplomb_formats::{Limits, Mode, ReadOptions, WriteOptions};
use aplomb_motion::{FrameOfReference, FrameTime, JointId};
use glam::DMat3;
use proptest::prelude::*;

const DOFS: [&str; 7] = ["rx", "ry", "rz", "tx", "ty", "tz", "l"];
const ORDERS: [&str; 6] = ["XYZ", "XZY", "YXZ", "YZX", "ZXY", "ZYX"];

#[derive(Clone, Debug)]
struct MadeBone {
    parent: usize,
    direction: [f64; 3],
    length: f64,
    axis: [f64; 3],
    order: usize,
    dof: Vec<&'static str>,
}

#[derive(Clone, Debug)]
struct Made {
    bones: Vec<MadeBone>,
    root_order: Vec<&'static str>,
    /// Frames of values: root first, then bones in order.
    frames: Vec<Vec<f64>>,
    radians: bool,
    noise: u64,
}

/// Up to six decimals, as files have them: the text is the exact value.
fn decimal(range: std::ops::Range<i32>) -> impl Strategy<Value = f64> {
    (range, 0..7u32).prop_map(|(value, decimals)| f64::from(value) / 10f64.powi(decimals as i32))
}

fn bone(index: usize) -> impl Strategy<Value = MadeBone> {
    let dof = proptest::sample::subsequence(DOFS.to_vec(), 0..=7).prop_shuffle();
    let axis = proptest::array::uniform3(decimal(-180..180));
    let direction = prop_oneof![
        Just([1.0, 0.0, 0.0]),
        Just([0.0, -0.6, 0.8]),
        Just([1.53547e-11, -4.22004e-11, 1.0]),
        Just([0.0, 1.0, 0.0])
    ];
    (0..=index, direction, decimal(0..20_000), axis, 0..6usize, dof).prop_map(
        |(parent, direction, length, axis, order, dof)| MadeBone { parent, direction, length, axis, order, dof },
    )
}

fn made() -> impl Strategy<Value = Made> {
    let bones = (0..9usize).prop_flat_map(|count| (0..count).map(bone).collect::<Vec<_>>());
    let root_order = proptest::sample::subsequence(DOFS[..6].to_vec(), 1..=6).prop_shuffle();
    (bones, root_order, 1..5usize, any::<bool>(), any::<u64>()).prop_flat_map(
        |(bones, root_order, frames, radians, noise)| {
            let width = root_order.len() + bones.iter().map(|bone| bone.dof.len()).sum::<usize>();
            let frames =
                proptest::collection::vec(proptest::collection::vec(decimal(-400_000..400_000), width), frames);
            frames.prop_map(move |frames| Made {
                bones: bones.clone(),
                root_order: root_order.clone(),
                frames,
                radians,
                noise,
            })
        },
    )
}

/// Small choices that must not matter.
struct Noise(u64);

impl Noise {
    fn pick(&mut self, choices: u64) -> u64 {
        // xorshift64*
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) % choices
    }

    fn blank(&mut self) -> &'static str {
        [" ", "  ", "\t", " , ", ",", " \t "][self.pick(6) as usize]
    }

    fn case(&mut self, word: &str) -> String {
        match self.pick(3) {
            0 => word.to_uppercase(),
            1 => word.to_lowercase(),
            _ => word.to_owned(),
        }
    }

    fn end(&mut self) -> String {
        let comment = ["", "", " # a comment: begin end (1 2)", "   "][self.pick(4) as usize];
        let line_end = ["\n", "\r\n", "\r", "\n\n"][self.pick(4) as usize];
        format!("{comment}{line_end}")
    }

    /// Words on one line.
    fn line(&mut self, words: &[String]) -> String {
        let mut line = String::from(["", " ", "\t\t"][self.pick(3) as usize]);
        for (index, word) in words.iter().enumerate() {
            if index > 0 {
                line.push_str(self.blank());
            }
            line.push_str(word);
        }
        line + &self.end()
    }

    fn shuffle<T>(&mut self, items: &mut [T]) {
        for index in (1..items.len()).rev() {
            items.swap(index, self.pick(index as u64 + 1) as usize);
        }
    }
}

fn name(index: usize) -> String {
    format!("bone{index}")
}

impl Made {
    fn skeleton(&self) -> String {
        let mut noise = Noise(self.noise | 1);
        let mut sections = Vec::new();
        let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<String>>();
        let angle = if self.radians { "rad" } else { "deg" };
        let keyword = noise.case(":units");
        let mut units = noise.line(&[keyword]);
        for (key, value) in [("mass", "1.0"), ("length", "0.45"), ("angle", angle)] {
            let line = [noise.case(key), value.to_owned()];
            units += &noise.line(&line);
        }
        sections.push(units);
        sections.push(noise.line(&words(&[":documentation", "order", ":root", "is", "begin"])));
        sections.push(format!(":skin x.obj{}  begin 1 2{}", noise.end(), noise.end()));
        let mut root = vec![
            [vec![noise.case("order")], self.root_order.iter().map(|dof| noise.case(dof)).collect()].concat(),
            vec!["axis".to_owned(), "ZXY".to_owned()],
            words(&["position", "0", "0", "0"]),
            words(&["orientation", "0", "0", "0"]),
        ];
        noise.shuffle(&mut root);
        let keyword = noise.case(":root");
        let mut section = noise.line(&[keyword]);
        root.iter().for_each(|line| section += &noise.line(line));
        sections.push(section);
        sections.push(self.bone_data(&mut noise));
        let mut links: Vec<String> = Vec::new();
        for parent in 0..=self.bones.len() {
            let children: Vec<String> =
                (0..self.bones.len()).filter(|&bone| self.bones[bone].parent == parent).map(name).collect();
            if !children.is_empty() {
                let parent = if parent == 0 { "root".to_owned() } else { name(parent - 1) };
                links.push(noise.line(&[vec![parent], children].concat()));
            }
        }
        noise.shuffle(&mut links);
        let (begin, end) = (noise.case("begin"), noise.case("end"));
        sections.push(format!(
            ":hierarchy{}{}{}{}",
            noise.end(),
            noise.line(&[begin]),
            links.concat(),
            noise.line(&[end])
        ));
        noise.shuffle(&mut sections);
        format!("# made{}:version 1.10{}{}", noise.end(), noise.end(), sections.concat())
    }

    fn bone_data(&self, noise: &mut Noise) -> String {
        let mut text = format!(":bonedata{}", noise.end());
        for (index, bone) in self.bones.iter().enumerate() {
            let numbers = |values: &[f64]| values.iter().map(f64::to_string).collect::<Vec<_>>();
            let field = |name: &str, values: Vec<String>| [vec![name.to_owned()], values].concat();
            let axis = [numbers(&bone.axis), vec![noise.case(ORDERS[bone.order])]].concat();
            let mut fields = vec![
                field("id", vec![index.to_string()]),
                field("name", vec![name(index)]),
                field("direction", numbers(&bone.direction)),
                field("length", numbers(&[bone.length])),
                field("axis", axis),
                field("bodymass", vec!["1.5".to_owned()]),
            ];
            if !bone.dof.is_empty() {
                let dofs = bone.dof.iter().map(|dof| noise.case(dof)).collect();
                fields.push(field("dof", dofs));
                let limits = bone.dof.iter().map(|_| ["(-inf inf)", "( 0 0 )", "(-1e3,1e3)"][noise.pick(3) as usize]);
                fields.push(field("limits", limits.map(str::to_owned).collect()));
            }
            noise.shuffle(&mut fields);
            let begin = noise.case("begin");
            text += &noise.line(&[begin]);
            for mut field in fields {
                field[0] = noise.case(&field[0]);
                text += &noise.line(&field);
            }
            let end = noise.case("end");
            text += &noise.line(&[end]);
        }
        text
    }

    fn motion(&self) -> String {
        let mut noise = Noise(self.noise.rotate_left(17) | 1);
        let keyword = noise.case(if self.radians { ":RADIANS" } else { ":DEGREES" });
        let mut text = format!("{}{}", noise.line(&[":fully-specified".to_owned()]), noise.line(&[keyword]));
        for (index, frame) in self.frames.iter().enumerate() {
            text += &noise.line(&[(index + 1).to_string()]);
            let mut rows = Vec::new();
            let mut values = frame.iter();
            let widths = std::iter::once(self.root_order.len()).chain(self.bones.iter().map(|bone| bone.dof.len()));
            for (bone, width) in widths.enumerate().filter(|(_, width)| *width > 0) {
                let bone = if bone == 0 { "root".to_owned() } else { name(bone - 1) };
                let values = values.by_ref().take(width).map(f64::to_string);
                rows.push([vec![bone], values.collect()].concat());
            }
            noise.shuffle(&mut rows);
            rows.iter().for_each(|row| text += &noise.line(row));
        }
        text
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn every_dialect_reads_as_the_values_it_was_made_of(made in made()) {
        let (asf_text, amc_text) = (made.skeleton(), made.motion());
        let options = ReadOptions { mode: Mode::Strict, ..ReadOptions::default() };
        let mut notes = Vec::new();
        let asf = AsfDocument::parse(asf_text.clone().into_bytes(), &options, &mut notes);
        let asf = asf.map_err(|error| TestCaseError::fail(format!("{error}\n{asf_text}")))?;
        let amc = AmcDocument::parse(amc_text.clone().into_bytes(), &asf, &options, &mut notes);
        let amc = amc.map_err(|error| TestCaseError::fail(format!("{error}\n{amc_text}")))?;
        // The vendor section, and nothing else.
        prop_assert_eq!(notes.iter().map(|note| note.code).collect::<Vec<_>>(), ["ASF-N003"]);
        for (index, (bone, expected)) in asf.bones()[1..].iter().zip(&made.bones).enumerate() {
            prop_assert_eq!(&bone.name, &name(index));
            prop_assert_eq!(bone.direction.to_array(), expected.direction);
            prop_assert_eq!(bone.length, expected.length);
            prop_assert_eq!(bone.parent, Some(expected.parent));
            prop_assert_eq!(bone.dof.iter().map(|dof| dof.token()).collect::<Vec<_>>(), expected.dof.clone());
            let turn = |axis: char| {
                let slot = "XYZ".find(axis).unwrap();
                let angle = if made.radians { expected.axis[slot] } else { expected.axis[slot].to_radians() };
                match slot {
                    0 => DMat3::from_rotation_x(angle),
                    1 => DMat3::from_rotation_y(angle),
                    _ => DMat3::from_rotation_z(angle),
                }
            };
            let axis = ORDERS[expected.order].chars().fold(DMat3::IDENTITY, |axis, letter| turn(letter) * axis);
            prop_assert!(DMat3::from_quat(bone.axis_frame).abs_diff_eq(axis, 1e-12), "{}", asf_text);
        }
        for (frame, expected) in made.frames.iter().enumerate() {
            prop_assert_eq!(amc.frame(frame), expected.as_slice());
        }
        let document = AsfAmcDocument { asf, amc };
        let frame = FrameOfReference { metres_per_unit: document.metres_per_unit(), ..FrameOfReference::INTERNAL };
        let mut clip = document.to_clip(frame, FrameTime::from_hz(60.0).unwrap()).unwrap();
        let bytes = document.write(&clip, frame, &WriteOptions::default(), &mut notes).unwrap();
        prop_assert_eq!(bytes, amc_text.as_bytes());
        // A nudge of the root: written, read back, and nothing else moved.
        if document.asf.bones()[0].dof.iter().filter(|dof| dof.is_rotation()).count() == 3 {
            let nudged = clip.rotations()[0] * glam::DQuat::from_rotation_y(0.3);
            clip.set_rotation(aplomb_motion::FrameIndex(0), JointId::new(0), nudged);
            let full = WriteOptions { full_precision: true, ..WriteOptions::default() };
            let bytes = document.write(&clip, frame, &full, &mut notes).unwrap();
            let again = AmcDocument::parse(bytes, &document.asf, &options, &mut notes).unwrap();
            let again = AsfAmcDocument { asf: document.asf.clone(), amc: again };
            let read_back = again.to_clip(frame, FrameTime::from_hz(60.0).unwrap()).unwrap();
            prop_assert!(read_back.rotations()[0].dot(nudged).abs() > 1.0 - 1e-13);
            prop_assert_eq!(&read_back.rotations()[1..], &clip.rotations()[1..]);
            prop_assert_eq!(read_back.tracks(), clip.tracks());
        }
    }

    #[test]
    fn damaged_files_give_errors_and_never_panic(
        made in made(),
        cut in any::<prop::sample::Index>(),
        splices in proptest::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>(), 0..40usize), 0..4),
        junk in any::<u8>(),
        in_motion in any::<bool>(),
        mode in 0..3usize,
    ) {
        let damage = |text: String| {
            let mut bytes = text.into_bytes();
            for (from, to, length) in &splices {
                let (from, to) = (from.index(bytes.len()), to.index(bytes.len()));
                let piece = bytes[from..(from + length).min(bytes.len())].to_vec();
                bytes.splice(to..to, piece);
            }
            let at = cut.index(bytes.len());
            bytes[at] = junk;
            if splices.len() % 2 == 0 {
                bytes.truncate(at + 1);
            }
            bytes
        };
        let mode = [Mode::Strict, Mode::Tolerant, Mode::Salvage][mode];
        let options = ReadOptions { mode, limits: Limits { joints: 50, ..Limits::default() }, ..ReadOptions::default() };
        let mut notes = Vec::new();
        let (asf, amc) = match in_motion {
            true => (made.skeleton().into_bytes(), damage(made.motion())),
            false => (damage(made.skeleton()), made.motion().into_bytes()),
        };
        let Ok(asf) = AsfDocument::parse(asf, &options, &mut notes) else { return Ok(()) };
        let Ok(amc) = AmcDocument::parse(amc.clone(), &asf, &options, &mut notes) else { return Ok(()) };
        let source = amc.bytes().to_vec();
        let document = AsfAmcDocument { asf, amc };
        let Ok(clip) = document.to_clip(FrameOfReference::INTERNAL, FrameTime::from_hz(60.0).unwrap()) else {
            return Ok(());
        };
        let bytes = document.write(&clip, FrameOfReference::INTERNAL, &WriteOptions::default(), &mut notes).unwrap();
        prop_assert_eq!(bytes, source);
        let canonical = WriteOptions { canonical: true, ..WriteOptions::default() };
        let bytes = document.write(&clip, FrameOfReference::INTERNAL, &canonical, &mut notes).unwrap();
        let tolerant = ReadOptions::default();
        let again = AmcDocument::parse(bytes, &document.asf, &tolerant, &mut notes).unwrap();
        for frame in 0..again.frame_count() {
            prop_assert_eq!(again.frame(frame), document.amc.frame(frame));
        }
    }
}
