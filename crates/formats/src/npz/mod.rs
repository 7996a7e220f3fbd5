//! AMASS and other SMPL motions: `.npz` archives of NumPy arrays, read and written.
//!
//! Poses are axis-angle numbers of a public tree of joints; Z is up, lengths are metres. The body model that the poses
//! were fitted with is licensed and is not used: the skeleton is a template of human proportions, or the user's own
//! table of offsets. Nothing is unpickled.

mod archive;
pub mod codes;
mod npy;
mod skeleton;
mod write;

#[cfg(test)]
mod tests;

pub use write::{write, write_like};

use crate::diagnostic::{Diagnostic, printable};
use crate::options::ReadOptions;
use aplomb_motion::{Clip, FrameTime, JointId, SignedPermutation, Timeline, TranslationTrack};
use archive::Archive;
use glam::{DQuat, DVec3};
use npy::Array;
use skeleton::Model;
use std::sync::Arc;

/// What an npz says about motion.
#[derive(Clone, Debug)]
pub struct NpzFile {
    /// Metres, Y up.
    pub clip: Clip,
    /// The rate that the file states.
    pub frame_time: Option<FrameTime>,
}

/// Reads an archive; `offsets` is a user's own table of the skeleton (JSON of joint: [x, y, z]).
pub fn read(
    bytes: &[u8],
    offsets: Option<&[u8]>,
    options: &ReadOptions,
    notes: &mut Vec<Diagnostic>,
) -> Result<NpzFile, Box<Diagnostic>> {
    let mut archive = Archive::open(bytes)?;
    let poses = poses(&mut archive)?;
    let trans = archive.array(&["trans", "transl"])?;
    let frames = poses.frames;
    let trans_shape = trans.as_ref().map_or_else(|| vec![0, 3], |trans| trans.shape.clone());
    let trans = match &trans {
        Some(trans) if trans.shape.len() == 2 && trans.shape[1] == 3 => trans.numbers().as_chunks::<3>().0,
        _ => {
            let found = format!("{trans_shape:?}");
            return Err(Box::new(Diagnostic::error("NPZ-E007", "trans of (frames, 3)", found)));
        }
    };
    if frames == 0 || trans.len() != frames {
        let found = format!("{frames} poses and {} places", trans.len());
        return Err(Box::new(Diagnostic::error("NPZ-E008", "as many places as poses, and some", found)));
    }
    let stated = rate(&mut archive, options.frame_time.is_some())?;
    let frame_time = options.frame_time.or(stated).ok_or_else(|| {
        let fault = Diagnostic::error("NPZ-E009", "mocap_framerate, mocap_frame_rate or fps", "none of them");
        Box::new(fault.hint("give the rate with {fps}"))
    })?;
    let gender = archive.array(&["gender"]).ok().flatten();
    let gender = gender.as_ref().and_then(Array::text).map_or("not stated", |gender| gender);
    let about = format!("poses of {}, gender {}", poses.model.name(), printable(gender));
    notes.push(Diagnostic::note("NPZ-N001", "", about));
    let given = offsets.map(skeleton::given_offsets).transpose()?;
    if given.is_none() {
        let found = format!(
            "the skeleton is a template of {} m: poses are exact, lengths and so heights are not the person's",
            skeleton::TEMPLATE_STATURE_M
        );
        notes.push(
            Diagnostic::warning("NPZ-W001", "", found).hint("give your own offsets with {skeleton OFFSETS.json}"),
        );
    }
    let slots = poses.model.slots();
    let skeleton = Arc::new(skeleton::skeleton(&slots, given.as_ref())?);
    let bad = |frame: usize, joint: &str| {
        let found = format!("frame {frame}, {joint}");
        Box::new(Diagnostic::error("NPZ-E010", "numbers that are finite", found))
    };
    // SMPL's own frame is Y up; the root's rotation carries it into the world of the capture, which is Z up.
    let y_up = SignedPermutation::Y_UP_FROM_Z_UP;
    let y_up_turn = DQuat::from_rotation_x(-std::f64::consts::FRAC_PI_2);
    let mut rotations = Vec::with_capacity(frames * slots.len());
    for frame in 0..frames {
        for slot in &slots {
            let turn = poses
                .vector(frame, slot.column)
                .filter(|turn| turn.is_finite())
                .ok_or_else(|| bad(frame, &slot.name))?;
            let local = DQuat::from_scaled_axis(turn);
            rotations.push(if slot.parent.is_none() { (y_up_turn * local).normalize() } else { local });
        }
    }
    let positions_m: Vec<DVec3> = trans.iter().map(|&place_m| y_up.vector(DVec3::from(place_m))).collect();
    if let Some(frame) = positions_m.iter().position(|place_m| !place_m.is_finite()) {
        return Err(bad(frame, "trans"));
    }
    let track = TranslationTrack { joint: JointId::new(0), positions_m };
    let clip = Clip::new(skeleton, Timeline::Uniform(frame_time), frames, rotations, vec![track])
        .map_err(|error| Box::new(Diagnostic::error("NPZ-E010", "a usable motion", printable(&error.to_string()))))?;
    Ok(NpzFile { clip, frame_time: stated })
}

/// Rows of axis-angle numbers, put together from however many members.
struct Poses {
    model: Model,
    frames: usize,
    width: usize,
    numbers: Vec<f64>,
}

impl Poses {
    fn vector(&self, frame: usize, joint: usize) -> Option<DVec3> {
        let three = self.numbers.get(frame * self.width + 3 * joint..)?.first_chunk::<3>()?;
        Some(DVec3::from(*three))
    }
}

fn poses(archive: &mut Archive<'_>) -> Result<Poses, Box<Diagnostic>> {
    let refuse = |array: &Array, name: &str| {
        let found = format!("{:?}", array.shape);
        Box::new(Diagnostic::error("NPZ-E007", format!("{name} of (frames, 66, 72, 156 or 165)"), found))
    };
    if let Some(array) = archive.array(&["poses", "pose"])? {
        let [frames, width] = *array.shape.as_slice() else { return Err(refuse(&array, "poses")) };
        let model = Model::of_width(width).ok_or_else(|| refuse(&array, "poses"))?;
        return Ok(Poses { model, frames, width, numbers: array.numbers().to_vec() });
    }
    // The parts of a row, as SMPL-X files have them: root, body, and hands where there are some.
    let root = archive.array(&["root_orient", "global_orient"])?;
    let body = archive.array(&["pose_body", "body_pose"])?;
    let (Some(root), Some(body)) = (root, body) else {
        let fault = Diagnostic::error("NPZ-E006", "poses, or root_orient and pose_body", "neither");
        return Err(Box::new(fault.hint("this archive holds no motion (a body shape, perhaps)")));
    };
    let hands = archive.array(&["pose_hand"])?;
    let parts: Vec<&Array> = [&root, &body].into_iter().chain(hands.as_ref()).collect();
    let frames = root.shape.first().copied().unwrap_or(0);
    for part in &parts {
        if part.shape.len() != 2 || part.shape[0] != frames {
            let found = format!("{:?} beside {:?}", part.shape, root.shape);
            return Err(Box::new(Diagnostic::error("NPZ-E008", "parts of poses with the same frames", found)));
        }
    }
    let width: usize = parts.iter().map(|part| part.shape[1]).sum();
    let model = Model::of_width(width).filter(|_| root.shape[1] == 3).ok_or_else(|| refuse(&body, "pose_body"))?;
    let mut numbers = Vec::with_capacity(frames * width);
    for frame in 0..frames {
        for part in &parts {
            let width = part.shape[1];
            numbers.extend_from_slice(part.numbers().get(frame * width..(frame + 1) * width).unwrap_or_default());
        }
    }
    Ok(Poses { model, frames, width, numbers })
}

/// Both spellings of AMASS, and a third; a number or a text that is one.
fn rate(archive: &mut Archive<'_>, is_given: bool) -> Result<Option<FrameTime>, Box<Diagnostic>> {
    let Some(array) = archive.array(&["mocap_framerate", "mocap_frame_rate", "fps"])? else { return Ok(None) };
    let hz = array.numbers().first().copied().or_else(|| array.text()?.trim().parse().ok());
    match hz.filter(|hz| (0.01..=1e5).contains(hz)).and_then(|hz| FrameTime::from_hz(hz).ok()) {
        Some(frame_time) => Ok(Some(frame_time)),
        None if is_given => Ok(None),
        None => {
            let fault =
                Diagnostic::error("NPZ-E009", "a frame rate", hz.map_or("no number".to_owned(), |hz| hz.to_string()));
            Err(Box::new(fault.hint("give the rate with {fps}")))
        }
    }
}
