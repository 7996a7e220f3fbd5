//! What moves: key times, the joints that turn, the joints whose translation is animated; all in single precision.

use crate::diagnostic::{Diagnostic, printable};
use aplomb_motion::{Clip, FrameIndex, JointId};
use glam::{DQuat, DVec3};

/// The keys of an animation.
pub(super) struct Keys {
    /// Seconds from the first frame or from 0, whichever is earlier; rising.
    pub times: Vec<f32>,
    /// Time of the source at which key times are 0: not 0 only where the source has times below 0.
    pub start_secs: f64,
    /// Joints that are turned in any frame, and at least one if no translation is animated either.
    pub turning: Vec<JointId>,
}

/// Above ten minutes single precision resolves time no better than 61 µs, and after an hour 0.24 ms: part of a frame.
const LONG_SECS: f64 = 600.0;
/// At 8 km single precision resolves 0.5 to 1 mm: what is seen begins to tremble.
const TREMBLES_FROM_M: f64 = 8192.0;

impl Keys {
    pub fn of(clip: &Clip, notes: &mut Vec<Diagnostic>) -> Result<Self, Box<Diagnostic>> {
        let first_secs = if clip.frame_count() == 0 { 0.0 } else { clip.time_secs(FrameIndex(0)) };
        let start_secs = first_secs.min(0.0);
        // Each time in double precision first: a sum of rounded steps would drift.
        let times: Vec<f32> = clip.frames().map(|frame| (clip.time_secs(frame) - start_secs) as f32).collect();
        if let Some(key) = times.windows(2).position(|pair| pair[1] <= pair[0]) {
            let found = format!("frames {key} and {} are both at {} s in single precision", key + 1, times[key]);
            let error = Diagnostic::error("GLB-E004", "key times that rise", found);
            return Err(Box::new(error.hint("cut the clip into parts ({cut}), or make fewer frames ({resample})")));
        }
        if let Some(&last) = times.last().filter(|last| f64::from(**last) > LONG_SECS) {
            let spacing_secs = f64::from(last.next_up()) - f64::from(last);
            let found =
                format!("the clip lasts {last:.0} s: key times are rounded to {:.2} ms at its end", 1e3 * spacing_secs);
            notes.push(Diagnostic::warning("GLB-W001", "", found).hint("cut it into parts of ten minutes with {cut}"));
        }
        if times.is_empty() {
            notes.push(Diagnostic::note("GLB-N002", "", "the clip has no frame: only the figure at rest is written"));
        }
        let largest_m = clip.tracks().iter().flat_map(|track| &track.positions_m);
        let largest_m = largest_m.map(|position_m| position_m.abs().max_element()).fold(0.0, f64::max);
        if largest_m > TREMBLES_FROM_M {
            let found = format!("the motion is up to {largest_m:.0} m from the origin: positions lose precision");
            notes.push(Diagnostic::warning("GLB-W002", "", found).hint("move it nearer, or check the unit ({unit})"));
        }
        refuse_bad_rotations(clip)?;
        Ok(Self { times, start_secs, turning: turning(clip) })
    }
}

/// A clip is checked when it is made, but code may have changed it since.
fn refuse_bad_rotations(clip: &Clip) -> Result<(), Box<Diagnostic>> {
    // Squared lengths; far wider than what rounding does, far narrower than a missing component. A NaN fails too.
    let is_unit = |q: &DQuat| (q.length_squared() - 1.0).abs() < 1e-3;
    let Some(index) = clip.rotations().iter().position(|q| !is_unit(q)) else { return Ok(()) };
    let (frame, joint) = (index / clip.skeleton().len(), index % clip.skeleton().len());
    let name = printable(&clip.skeleton().joints()[joint].name);
    let found = format!("{} in frame {frame}, joint {name:?}", clip.rotations()[index]);
    Err(Box::new(Diagnostic::error("GLB-E006", "a rotation of unit length", found)))
}

fn turning(clip: &Clip) -> Vec<JointId> {
    let joints = clip.skeleton().len();
    let mut turns = vec![false; joints];
    for rotations in clip.rotations().chunks_exact(joints) {
        for (turns, rotation) in turns.iter_mut().zip(rotations) {
            *turns |= *rotation != DQuat::IDENTITY;
        }
    }
    // An animation has a channel, even where nothing ever moves.
    turns[0] |= clip.tracks().is_empty();
    clip.skeleton().ids().filter(|joint| turns[joint.index()]).collect()
}

/// Numbers that are not finite in single precision would be read as nothing at all.
pub(super) fn refuse_overflow(
    clip: &Clip,
    rest_m: &[DVec3],
    bind_m: &[DVec3],
    vertices_m: &[[f32; 3]],
) -> Result<(), Box<Diagnostic>> {
    let refuse = |where_: String| {
        let error = Diagnostic::error("GLB-E003", "lengths below 1e38 m", where_);
        Err(Box::new(error.hint("check the unit of the input ({unit})")))
    };
    let name = |joint: JointId| printable(&clip.skeleton().joint(joint).name);
    for joint in clip.skeleton().ids() {
        let ends = clip.skeleton().joint(joint).end_sites.iter().map(|site| site.offset_m);
        let mut places_m = [rest_m[joint.index()], bind_m[joint.index()]].into_iter().chain(ends);
        if let Some(place_m) = places_m.find(|place_m| !place_m.as_vec3().is_finite()) {
            return refuse(format!("joint {:?} at rest at {place_m} m", name(joint)));
        }
    }
    for track in clip.tracks() {
        if let Some(frame) = track.positions_m.iter().position(|position_m| !position_m.as_vec3().is_finite()) {
            return refuse(format!("{} m in frame {frame}, joint {:?}", track.positions_m[frame], name(track.joint)));
        }
    }
    match vertices_m.iter().flatten().all(|number| number.is_finite()) {
        true => Ok(()),
        false => refuse("a body too large to be drawn".to_owned()),
    }
}
