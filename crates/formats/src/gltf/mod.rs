//! GLB, the binary form of glTF 2.0: a skeleton, its motion and a generated body that any viewer can show; and reading
//! of skeletal animation from glTF files of anybody's making ([`read`]).
//!
//! Metres, Y up. The motion is not turned: a clip walks where it walks. One node a joint and one an end site; the body
//! is a skin of capsules, each moved by one joint alone. What glTF cannot say goes into `extras`.

mod check;
pub mod codes;
mod extras;
pub mod figure;
mod json;
mod keys;
mod layout;
mod mesh;
mod names;
pub mod read;
mod rest;

pub use check::check;
pub use extras::{AnimationExtras, AssetExtras, ContactInterval, JointExtras};

use crate::diagnostic::Diagnostic;
use aplomb_motion::{Clip, FrameOfReference, Roles};
use layout::Layout;
use std::path::Path;

/// What is known about a motion beside the motion.
#[derive(Clone, Copy, Debug, Default)]
pub struct About<'a> {
    /// Format and path of the source, if there is one; of the path only the last name is written.
    pub source: Option<(&'a str, &'a Path)>,
    /// Unit and axes of the source.
    pub frame: FrameOfReference,
    /// When which part of the body touches something.
    pub contacts: &'a [ContactInterval],
}

/// The clip as a GLB. `roles` say how thick the body is where.
///
/// Memory beyond the result is the mesh of the body: a few kilobytes a joint.
pub fn write(
    clip: &Clip,
    roles: &Roles,
    about: &About<'_>,
    notes: &mut Vec<Diagnostic>,
) -> Result<Vec<u8>, Box<Diagnostic>> {
    let joints = clip.skeleton().len();
    if joints > MOST_SKIN_JOINTS {
        let found = format!("{joints} joints");
        return Err(Box::new(Diagnostic::error("GLB-E001", format!("at most {MOST_SKIN_JOINTS} joints"), found)));
    }
    let keys = keys::Keys::of(clip, notes)?;
    let rest_m = rest::translations_m(clip);
    let bind_m = rest::positions_m(clip, &rest_m);
    let mesh = mesh::of_capsules(&figure::capsules(clip, roles), &bind_m);
    keys::refuse_overflow(clip, &rest_m, &bind_m, &mesh.positions_m)?;
    if mesh.positions_m.is_empty() {
        // Lengths so small that every face has shrunk to a line in single precision.
        return Err(Box::new(Diagnostic::error("GLB-E003", "a body that can be drawn", "a body without any extent")));
    }

    let names = names::of_nodes(clip.skeleton(), &[layout::BODY, layout::ROOTS]);
    if names.changed > 0 {
        let found = format!("{} joints got another name: names of nodes are unique and not empty", names.changed);
        notes.push(Diagnostic::note("GLB-N001", "", found));
    }
    let layout = Layout::new(clip, &keys, &mesh);
    let root = layout.document(clip, about, &names, &rest_m, &keys, &mesh);
    let json = serde_json::to_vec(&root).map_err(|error| {
        Box::new(Diagnostic::error("GLB-E005", "a description that can be written as JSON", error.to_string()))
    })?;
    let mut bytes = layout.container(&json)?;
    let bin_start = bytes.len() - layout.bin_bytes();
    layout.fill(&mut bytes[bin_start..], clip, &bind_m, &keys, &mesh);
    Ok(bytes)
}

/// `JOINTS_0` holds at most 16 bits.
const MOST_SKIN_JOINTS: usize = 65_536;

#[cfg(test)]
mod tests;
