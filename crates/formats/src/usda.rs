//! USD as text (`.usda`): a UsdSkel skeleton and its animation, for Omniverse, Houdini, Maya, Blender. Written, not
//! read.
//!
//! ```text
//! SkelRoot "Motion" > Skeleton "Skeleton" (joints, bind and rest transforms) > SkelAnimation "Animation" (translations, rotations, scales)
//! ```
//!
//! USD multiplies row vectors: translations stand in the last row of a matrix. Quaternions are (w, x, y, z). Joints are
//! paths of identifiers; names as they were are in `jointNames`. No crate is used: `openusd` changes its interface with
//! every release, and what is needed is text.

use crate::diagnostic::{Diagnostic, printable};
use aplomb_motion::{Clip, FrameIndex, JointId, Skeleton};
use glam::DVec3;
use std::collections::HashSet;
use std::fmt::Write;

/// Every code of the writer.
pub const CODES: &[(&str, &str)] = &[
    ("USD-E001", "a length cannot be held in single precision, or is not a number"),
    ("USD-N001", "joints were renamed: names in USD are identifiers, and different"),
    ("USD-N002", "end sites have no place in a UsdSkel skeleton and are left out"),
];

/// The clip as the text of a stage: metres, Y up.
pub fn write(clip: &Clip, source_name: Option<&str>, notes: &mut Vec<Diagnostic>) -> Result<String, Box<Diagnostic>> {
    refuse_overflow(clip)?;
    let skeleton = clip.skeleton();
    let (identifiers, renamed) = identifiers(skeleton);
    if renamed > 0 {
        let found = format!(
            "{renamed} joints got another name: names in USD are identifiers; jointNames has them as they were"
        );
        notes.push(Diagnostic::note("USD-N001", "", found));
    }
    let ends: usize = skeleton.joints().iter().map(|joint| joint.end_sites.len()).sum();
    if ends > 0 {
        notes.push(Diagnostic::note(
            "USD-N002",
            "",
            format!("{ends} end sites are left out: UsdSkel has joints alone"),
        ));
    }
    let paths = paths(skeleton, &identifiers);
    let joints = list(paths.iter().map(|path| format!("\"{path}\"")));
    let names = list(skeleton.joints().iter().map(|joint| quoted(&joint.name)));
    let rest_m: Vec<DVec3> = skeleton.joints().iter().map(|joint| joint.offset_m).collect();
    let world_m = skeleton.rest_positions_m();
    // An even clip has a time code a frame; keys of an uneven one are seconds.
    let rate_hz = clip.timeline().uniform().map(|time| time.hz());
    let code = |frame: FrameIndex| match rate_hz {
        Some(_) => frame.0.to_string(),
        None => clip.time_secs(frame).to_string(),
    };
    let (first, last) = match clip.frame_count() {
        0 => ("0".to_owned(), "0".to_owned()),
        frames => (code(FrameIndex(0)), code(FrameIndex(frames - 1))),
    };
    let per_second = rate_hz.unwrap_or(1.0);
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = write!(
        text,
        "#usda 1.0\n(\n    customLayerData = {{\n        string creator = \"Aplomb {version}\"\n        string source = {source}\n    }}\n    \
         defaultPrim = \"Motion\"\n    endTimeCode = {last}\n    framesPerSecond = {per_second}\n    metersPerUnit = 1\n    startTimeCode = {first}\n    \
         timeCodesPerSecond = {per_second}\n    upAxis = \"Y\"\n)\n\ndef SkelRoot \"Motion\"\n{{\n    def Skeleton \"Skeleton\" (\n        \
         prepend apiSchemas = [\"SkelBindingAPI\"]\n    )\n    {{\n        uniform matrix4d[] bindTransforms = {bind}\n        \
         uniform token[] jointNames = {names}\n        uniform token[] joints = {joints}\n        uniform matrix4d[] restTransforms = {rest}\n        \
         rel skel:animationSource = </Motion/Skeleton/Animation>\n\n        def SkelAnimation \"Animation\"\n        {{\n            \
         uniform token[] joints = {joints}\n            half3[] scales = {scales}\n",
        version = env!("CARGO_PKG_VERSION"),
        source = quoted(source_name.unwrap_or("")),
        bind = list(world_m.iter().map(|at_m| matrix(*at_m))),
        rest = list(rest_m.iter().map(|at_m| matrix(*at_m))),
        scales = list(skeleton.ids().map(|_| "(1, 1, 1)".to_owned())),
    );
    samples(&mut text, clip, "quatf[] rotations", &code, |frame, joint| {
        let q = clip.rotation(frame, joint);
        format!("({}, {}, {}, {})", q.w as f32, q.x as f32, q.y as f32, q.z as f32)
    });
    samples(&mut text, clip, "float3[] translations", &code, |frame, joint| {
        let at_m = clip.translation_m(frame, joint).as_vec3();
        format!("({}, {}, {})", at_m.x, at_m.y, at_m.z)
    });
    text.push_str("        }\n    }\n}\n");
    Ok(text)
}

fn samples(
    text: &mut String,
    clip: &Clip,
    what: &str,
    code: &dyn Fn(FrameIndex) -> String,
    value: impl Fn(FrameIndex, JointId) -> String,
) {
    let _ = writeln!(text, "            {what}.timeSamples = {{");
    for frame in clip.frames() {
        let values = list(clip.skeleton().ids().map(|joint| value(frame, joint)));
        let _ = writeln!(text, "                {}: {values},", code(frame));
    }
    text.push_str("            }\n");
}

fn list(items: impl Iterator<Item = String>) -> String {
    format!("[{}]", items.collect::<Vec<_>>().join(", "))
}

/// Unturned, at this place.
fn matrix(at_m: DVec3) -> String {
    format!("( (1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), ({}, {}, {}, 1) )", at_m.x, at_m.y, at_m.z)
}

/// A text as USD has it: quotes and backslashes escaped, everything that a terminal would obey too.
fn quoted(text: &str) -> String {
    let mut safe = String::from("\"");
    for letter in printable(text).chars() {
        if matches!(letter, '"' | '\\') {
            safe.push('\\');
        }
        safe.push(letter);
    }
    safe.push('"');
    safe
}

/// One name a joint, all different, of letters, digits and underscores; and how many are not what they were.
fn identifiers(skeleton: &Skeleton) -> (Vec<String>, usize) {
    let mut taken = HashSet::new();
    let mut renamed = 0;
    let names = skeleton.joints().iter().enumerate().map(|(index, joint)| {
        let plain = |letter: char| if letter.is_ascii_alphanumeric() { letter } else { '_' };
        let mut wanted: String = joint.name.chars().map(plain).collect();
        if wanted.is_empty() || wanted.starts_with(|letter: char| letter.is_ascii_digit()) {
            wanted.insert(0, '_');
        }
        // The index is unique, so that this ends at once; a name that happens to look like it gets one more.
        let mut name = wanted.clone();
        while !taken.insert(name.clone()) {
            name = format!("{name}_{index}");
        }
        renamed += usize::from(name != joint.name);
        name
    });
    (names.collect(), renamed)
}

/// `Hips/LeftUpLeg/LeftLeg`.
fn paths(skeleton: &Skeleton, identifiers: &[String]) -> Vec<String> {
    let mut paths: Vec<String> = Vec::with_capacity(identifiers.len());
    for (joint, name) in skeleton.joints().iter().zip(identifiers) {
        paths.push(match joint.parent {
            Some(parent) => format!("{}/{name}", paths[parent.index()]),
            None => name.clone(),
        });
    }
    paths
}

fn refuse_overflow(clip: &Clip) -> Result<(), Box<Diagnostic>> {
    let offsets = clip.skeleton().joints().iter().map(|joint| joint.offset_m);
    let places = clip.tracks().iter().flat_map(|track| track.positions_m.iter().copied());
    match offsets.chain(places).find(|at_m| !at_m.as_vec3().is_finite()) {
        Some(at_m) => Err(Box::new(Diagnostic::error("USD-E001", "lengths below 1e38 m", format!("{at_m} m")))),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use aplomb_motion::{Channels, FrameTime, Timeline};
    use std::sync::Arc;

    #[test]
    fn names_become_different_identifiers_and_texts_are_escaped() {
        let mut builder = Skeleton::builder();
        let hips = builder.add(None, "mixamorig:Hips", DVec3::Y, Channels::default());
        let leg = builder.add(Some(hips), "mixamorig Hips", DVec3::X, Channels::default());
        builder.add(Some(leg), "3 \"toes\"\\\u{1b}", DVec3::X, Channels::default());
        builder.end_site(leg, DVec3::Z);
        let timeline = Timeline::Uniform(FrameTime::from_hz(30.0).unwrap());
        let clip = Clip::at_rest(Arc::new(builder.build().unwrap()), timeline, 2).unwrap();
        let mut notes = Vec::new();
        let text = write(&clip, Some("a\"b.bvh"), &mut notes).unwrap();
        assert!(text.contains("[\"mixamorig_Hips\", \"mixamorig_Hips/mixamorig_Hips_1\", \"mixamorig_Hips/mixamorig_Hips_1/_3__toes___\"]"), "{text}");
        assert!(text.contains("string source = \"a\\\"b.bvh\"") && !text.contains('\u{1b}'));
        assert_eq!(notes.iter().map(|note| note.code).collect::<Vec<_>>(), ["USD-N001", "USD-N002"]);
        assert_eq!(text.matches("timeSamples").count(), 2);
    }
}
