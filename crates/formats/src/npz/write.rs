//! SMPL poses out of a clip that has SMPL's skeleton: the keys of AMASS, both spellings of the rate.

use super::archive::Archive;
use super::npy::{self, Array, Values};
use super::skeleton::{BODY, Model};
use crate::diagnostic::{Diagnostic, printable};
use aplomb_motion::{Clip, JointId, SignedPermutation};
use glam::{DQuat, DVec3};
use std::io::{Cursor, Write};

/// Members that this writer makes anew from the clip, whatever they are called in the source; the person is taken over.
const KNOWN: [&str; 15] = [
    "poses",
    "pose",
    "root_orient",
    "global_orient",
    "pose_body",
    "body_pose",
    "pose_hand",
    "trans",
    "transl",
    "mocap_framerate",
    "mocap_frame_rate",
    "fps",
    "mocap_meta",
    "betas",
    "gender",
];
/// More names than this are no longer listed.
const MOST_LISTED: usize = 12;

/// Whose motion it is: shape and gender of the body model.
struct Person {
    betas: Array,
    gender: Array,
}

impl Person {
    fn nobody() -> Self {
        Self { betas: numbers(vec![16], vec![0.0; 16]), gender: text("neutral") }
    }
}

fn numbers(shape: Vec<usize>, values: Vec<f64>) -> Array {
    Array { shape, values: Values::Numbers(values) }
}

fn text(text: &str) -> Array {
    Array { shape: vec![], values: Values::Texts(vec![text.to_owned()]) }
}

/// The archive. Refused for other skeletons: rotations of another rest pose are not SMPL's, and turning them into such
/// is retargeting.
pub fn write(clip: &Clip, notes: &mut Vec<Diagnostic>) -> Result<Vec<u8>, Box<Diagnostic>> {
    write_person(clip, Person::nobody(), notes)
}

/// The same for a clip out of an archive: it stays the motion of the same person, and what is not taken over is told.
pub fn write_like(clip: &Clip, source: &[u8], notes: &mut Vec<Diagnostic>) -> Result<Vec<u8>, Box<Diagnostic>> {
    let mut archive = Archive::open(source)?;
    let mut person = Person::nobody();
    // A shape that cannot be read (pickled, cut) is as good as none; its name is told below.
    let mut lost: Vec<String> = Vec::new();
    match archive.array(&["betas"]) {
        Ok(Some(betas)) if matches!(betas.values, Values::Numbers(_)) => person.betas = betas,
        Ok(None) => {}
        _ => lost.push("betas".to_owned()),
    }
    match archive.array(&["gender"]) {
        Ok(Some(gender)) if gender.text().is_some() => person.gender = gender,
        Ok(None) => {}
        _ => lost.push("gender".to_owned()),
    }
    let is_smpl_x = archive.array(&["poses"])?.is_some_and(|poses| poses.shape.get(1) == Some(&165));
    lost.extend(is_smpl_x.then(|| "jaw and eyes of poses".to_owned()));
    lost.extend(archive.names().filter(|name| !KNOWN.contains(name)).map(printable));
    if !lost.is_empty() {
        lost.sort();
        let more = lost.len().saturating_sub(MOST_LISTED);
        lost.truncate(MOST_LISTED);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        let found = format!("left out of the archive: {}{more}", lost.join(", "));
        notes.push(Diagnostic::warning("NPZ-W003", "", found));
    }
    write_person(clip, person, notes)
}

fn write_person(clip: &Clip, person: Person, notes: &mut Vec<Diagnostic>) -> Result<Vec<u8>, Box<Diagnostic>> {
    let other = |found: String| {
        let fault = Diagnostic::error("NPZ-E012", "SMPL's joints in a T-pose", found);
        Box::new(
            fault.hint("retarget the motion to an SMPL skeleton first (Blender, MoSh++); docs/formats.md says how"),
        )
    };
    let skeleton = clip.skeleton();
    let slots = Model::SmplH.slots();
    let found: Vec<Option<JointId>> = slots.iter().map(|slot| skeleton.find(&slot.name)).collect();
    for ((name, parent), joint) in BODY.iter().zip(&found) {
        let joint = joint.ok_or_else(|| other(format!("no joint {name}")))?;
        let parent_is = skeleton.parent(joint).map(|parent| skeleton.joint(parent).name.as_str());
        if parent_is != parent.map(|parent| BODY[parent].0) {
            return Err(other(format!("{name} below {}", printable(parent_is.unwrap_or("nothing")))));
        }
    }
    // A T-pose: arms out to the sides, legs down. Thirty degrees is far from an A-pose and wider than people differ.
    for (name, meant) in
        [("left_elbow", DVec3::X), ("right_elbow", -DVec3::X), ("left_knee", -DVec3::Y), ("right_knee", -DVec3::Y)]
    {
        let offset_m = skeleton.find(name).map_or(DVec3::ZERO, |joint| skeleton.joint(joint).offset_m);
        if offset_m.normalize_or_zero().dot(meant) < 0.866 {
            return Err(other(format!("{name} at {offset_m} from its parent at rest")));
        }
    }
    let left_out = skeleton.len() - found.iter().flatten().count();
    if left_out > 0 {
        notes.push(Diagnostic::warning(
            "NPZ-W002",
            "",
            format!("{left_out} joints that SMPL-H does not have are left out"),
        ));
    }
    let Some(frame_time) = clip.timeline().uniform() else {
        return Err(Box::new(
            Diagnostic::error("NPZ-E009", "one frame rate", "uneven key times").hint("resample it first"),
        ));
    };
    let z_up = SignedPermutation::Y_UP_FROM_Z_UP.inverse();
    let z_up_turn = DQuat::from_rotation_x(std::f64::consts::FRAC_PI_2);
    let frames = clip.frame_count();
    let (mut poses, mut trans) = (Vec::with_capacity(frames * 156), Vec::with_capacity(frames * 3));
    for frame in clip.frames() {
        for (slot, joint) in slots.iter().zip(&found) {
            let local = joint.map_or(DQuat::IDENTITY, |joint| clip.rotation(frame, joint));
            let turn = if slot.parent.is_none() { z_up_turn * local } else { local };
            // The nearer way round, so that angles stay below half a turn.
            let turn = if turn.w < 0.0 { -turn } else { turn };
            poses.extend(turn.to_scaled_axis().to_array());
        }
        let root = found.first().copied().flatten().map_or(DVec3::ZERO, |root| clip.translation_m(frame, root));
        trans.extend(z_up.vector(root).to_array());
    }
    let about = format!(
        "{{\"program\": \"aplomb\", \"version\": \"{}\", \"skeleton\": \"SMPL-H\"}}",
        env!("CARGO_PKG_VERSION")
    );
    let members = [
        ("poses", numbers(vec![frames, 156], poses)),
        ("trans", numbers(vec![frames, 3], trans)),
        ("betas", person.betas),
        ("gender", person.gender),
        ("mocap_framerate", numbers(vec![], vec![frame_time.hz()])),
        ("mocap_frame_rate", numbers(vec![], vec![frame_time.hz()])),
        ("mocap_meta", text(&about)),
    ];
    let mut archive = zip::ZipWriter::new(Cursor::new(Vec::new()));
    // No time of writing: the same motion gives the same bytes.
    let options = zip::write::SimpleFileOptions::default()
        .compression_method(zip::CompressionMethod::Deflated)
        .last_modified_time(zip::DateTime::default());
    let mut put = || -> Result<(), String> {
        for (name, array) in &members {
            archive.start_file(format!("{name}.npy"), options).map_err(|error| error.to_string())?;
            archive.write_all(&npy::write(array)).map_err(|error| error.to_string())?;
        }
        Ok(())
    };
    let written = put();
    let done = written.and_then(|()| archive.finish().map_err(|error| error.to_string()));
    done.map(Cursor::into_inner).map_err(|error| Box::new(Diagnostic::error("NPZ-E013", "an archive", error)))
}
