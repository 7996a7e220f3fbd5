//! SMPL poses out of a clip that has SMPL's skeleton: the keys of AMASS, both spellings of the rate.

use super::npy::{self, Array, Values};
use super::skeleton::{BODY, Model};
use crate::diagnostic::{Diagnostic, printable};
use aplomb_motion::{Clip, JointId, SignedPermutation};
use glam::{DQuat, DVec3};
use std::io::{Cursor, Write};

/// The archive. Refused for other skeletons: rotations of another rest pose are not SMPL's, and turning them into such is retargeting.
pub fn write(clip: &Clip, notes: &mut Vec<Diagnostic>) -> Result<Vec<u8>, Box<Diagnostic>> {
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
    let numbers = |shape: Vec<usize>, values: Vec<f64>| Array { shape, values: Values::Numbers(values) };
    let text = |text: &str| Array { shape: vec![], values: Values::Texts(vec![text.to_owned()]) };
    let about = format!(
        "{{\"program\": \"aplomb\", \"version\": \"{}\", \"skeleton\": \"SMPL-H\"}}",
        env!("CARGO_PKG_VERSION")
    );
    let members = [
        ("poses", numbers(vec![frames, 156], poses)),
        ("trans", numbers(vec![frames, 3], trans)),
        ("betas", numbers(vec![16], vec![0.0; 16])),
        ("gender", text("neutral")),
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
