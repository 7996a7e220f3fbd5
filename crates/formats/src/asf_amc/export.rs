//! A new pair of ASF and AMC files for a clip that came from elsewhere.

use super::amc::is_amc_default;
use super::angle_unit::AngleUnit;
use super::bone::Dof;
use super::decimal::{format_angle, format_full, format_length};
use super::export_tree::{OutBone, Tree};
use crate::diagnostic::Diagnostic;
use crate::options::WriteOptions;
use aplomb_motion::{Axis, Channel, Clip, FrameIndex, FrameOfReference, FrameTime, JointId, euler};
use std::fmt::Write;

/// Both files; the motion is useless without its skeleton.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AsfAmcBytes {
    /// The skeleton file.
    pub asf: Vec<u8>,
    /// The motion file.
    pub amc: Vec<u8>,
    /// What each of the clip's joints is called in them.
    pub names: Vec<String>,
}

/// A loss below this is rounding; above it a joint needs all three axes.
const FITS_RAD: f64 = 1e-6;

/// Writes any clip as ASF and AMC, Y up if `frame` is.
///
/// All axis frames are zero, degrees of freedom come from each joint's channels (all three where fewer would lose
/// motion). ASF bones have one end each, so a joint whose children sit at different places gets bones without degrees
/// of freedom to reach them, as CMU's `lhipjoint` does. The root is called `root`; other names lose what ASF cannot
/// hold. Refused: several roots, and joints that move against their parents.
pub fn write_asf(
    clip: &Clip,
    frame: FrameOfReference,
    options: &WriteOptions,
    notes: &mut Vec<Diagnostic>,
) -> Result<AsfAmcBytes, Box<Diagnostic>> {
    let mut tree = Tree::new(clip, frame, notes)?;
    for bone in &mut tree.bones {
        if let Some(joint) = bone.joint {
            bone.dof = dofs(clip, frame, joint, bone.parent.is_none(), notes);
        }
    }
    let asf = skeleton_text(&tree.bones, frame);
    let amc = motion_text(clip, frame, &tree.bones, options);
    Ok(AsfAmcBytes { asf: asf.into_bytes(), amc: amc.into_bytes(), names: tree.names })
}

/// The joint's own axes, last composed first (fixed axes), or all three if those would lose motion.
fn dofs(clip: &Clip, frame: FrameOfReference, joint: JointId, is_root: bool, notes: &mut Vec<Diagnostic>) -> Vec<Dof> {
    let channels = &clip.skeleton().joint(joint).channels;
    let mut axes = channels.rotation_axes();
    let loses = |axes: &[Axis]| clip.frames().any(|at| angles(clip, frame, joint, at, axes, &[]).loss_rad > FITS_RAD);
    if axes.len() < 3 && (is_root || loses(&axes)) {
        if !is_root {
            let found = format!(
                "joint {:?} turns about more axes than its channels name; it gets all three",
                clip.skeleton().joint(joint).name
            );
            notes.push(Diagnostic::note("ASF-N005", "", found));
        }
        axes = [Axis::Z, Axis::Y, Axis::X].into_iter().collect();
    }
    let turns = axes.iter().rev().map(|&axis| Dof::Rotation(axis));
    if !is_root {
        return turns.collect();
    }
    let mut shifts: Vec<Axis> = Vec::new();
    for channel in channels.as_slice() {
        if let Channel::Position(axis) = channel {
            shifts.push(*axis);
        }
    }
    if shifts.len() < 3 {
        shifts = Axis::ALL.to_vec();
    }
    shifts.into_iter().map(Dof::Translation).chain(turns).collect()
}

/// Angles of a joint's local rotation in the file's axes.
fn angles(
    clip: &Clip,
    frame: FrameOfReference,
    joint: JointId,
    at: FrameIndex,
    axes: &[Axis],
    reference_deg: &[f64],
) -> euler::EulerAngles {
    let local = frame.internal_from_file.inverse().rotation(clip.rotation(at, joint));
    euler::deg_near(local, axes, reference_deg)
}

fn skeleton_text(bones: &[OutBone], frame: FrameOfReference) -> String {
    let mut text = String::from(":version 1.10\n:name aplomb\n:units\n  mass 1.0\n");
    // Lengths are inches times this value.
    let length_unit = 0.0254 / frame.metres_per_unit;
    let _ = writeln!(text, "  length {}\n  angle deg", format_full(length_unit));
    text.push_str(":documentation\n  written by Aplomb\n:root\n  order");
    let Some((root, rest)) = bones.split_first() else { return text };
    for dof in &root.dof {
        let _ = write!(text, " {}", dof.token().to_uppercase());
    }
    text.push_str("\n  axis XYZ\n  position 0 0 0\n  orientation 0 0 0\n:bonedata\n");
    for (index, bone) in rest.iter().enumerate() {
        let length = bone.vector.length();
        // A direction that other readers can normalise, even for a bone of no length.
        let direction = bone.vector.try_normalize().unwrap_or(glam::DVec3::Y);
        let [x, y, z] = direction.to_array().map(format_full);
        let _ = writeln!(text, "  begin\n    id {}\n    name {}", index + 1, bone.name);
        let _ = writeln!(text, "    direction {x} {y} {z}\n    length {}\n    axis 0 0 0 XYZ", format_full(length));
        if !bone.dof.is_empty() {
            let tokens: Vec<&str> = bone.dof.iter().map(|dof| dof.token()).collect();
            let limits = vec!["(-inf inf)"; bone.dof.len()];
            let _ = writeln!(text, "    dof {}\n    limits {}", tokens.join(" "), limits.join("\n           "));
        }
        text.push_str("  end\n");
    }
    text.push_str(":hierarchy\n  begin\n");
    let mut children: Vec<Vec<&str>> = vec![Vec::new(); bones.len()];
    for bone in rest {
        if let Some(parent) = bone.parent {
            children[parent].push(&bone.name);
        }
    }
    for (bone, children) in bones.iter().zip(&children).filter(|(_, children)| !children.is_empty()) {
        let _ = writeln!(text, "    {} {}", bone.name, children.join(" "));
    }
    text.push_str("  end\n");
    text
}

fn motion_text(clip: &Clip, frame: FrameOfReference, bones: &[OutBone], options: &WriteOptions) -> String {
    let number = |dof: Dof, value: f64| match dof {
        _ if options.full_precision => format_full(value),
        Dof::Rotation(_) => format_angle(value, AngleUnit::Degrees, 0),
        _ => format_length(value, 0),
    };
    let mut text = String::from(":FULLY-SPECIFIED\n:DEGREES\n");
    // Not everybody's, so it stands only where the rate is another than what everybody takes.
    if let Some(hz) = clip.timeline().uniform().map(FrameTime::hz).filter(|hz| !is_amc_default(*hz)) {
        let _ = writeln!(text, ":SAMPLES-PER-SECOND {hz}");
    }
    let moving: Vec<(&OutBone, JointId)> =
        bones.iter().filter_map(|bone| Some((bone, bone.joint.filter(|_| !bone.dof.is_empty())?))).collect();
    // Each frame is solved near the one before it, so that curves stay continuous.
    let mut previous_deg: Vec<Vec<f64>> = vec![Vec::new(); moving.len()];
    for at in clip.frames() {
        let _ = writeln!(text, "{}", at.0 + 1);
        for (&(bone, joint), previous_deg) in moving.iter().zip(&mut previous_deg) {
            text.push_str(&bone.name);
            let axes: Vec<Axis> = bone.dof.iter().rev().filter_map(|dof| rotation_axis(*dof)).collect();
            let found = angles(clip, frame, joint, at, &axes, previous_deg);
            *previous_deg = found.angles_deg.to_vec();
            let position = frame.position_to_file(clip.translation_m(at, joint));
            let mut turns = found.angles_deg.iter().rev();
            for dof in &bone.dof {
                let value = match dof {
                    Dof::Translation(axis) => position[axis.index()],
                    _ => turns.next().copied().unwrap_or(0.0),
                };
                let _ = write!(text, " {}", number(*dof, value));
            }
            text.push('\n');
        }
    }
    text
}

fn rotation_axis(dof: Dof) -> Option<Axis> {
    match dof {
        Dof::Rotation(axis) => Some(axis),
        _ => None,
    }
}
