//! Balance and forces of a blend (sections 5.2, 5.3, appendix D).

use super::compared::Compared;
use super::guarantees::{BalanceGuarantee, ForceGuarantee};
use super::phases::PhaseKind;
use super::source::BlendSource;
use crate::EditingError;
use aplomb_analysis::Ground;
use aplomb_analysis::support::{SOLE_HALF_WIDTH_M, Soles, hull_into, nearest_point};
use aplomb_motion::signal::derivative;
use aplomb_motion::{FrameIndex, WorldPose};
use aplomb_physics::GRAVITY;
use glam::DVec3;

/// So near to a change of phase smoothing mixes two, s.
const FROM_CHANGE_SECS: f64 = 0.1;

/// Below this share of the weight, friction is a quotient of two small numbers. A guarantee covers a little more than
/// the report, which judges friction from 0.2 on.
const LEAST_GUARANTEED_LOAD: f64 = 0.15;

impl Compared<'_> {
    /// Whether the blend keeps its balance where all clips do, over the points that are down in all of them.
    pub fn balance(&self) -> BalanceGuarantee {
        let mut balance = BalanceGuarantee::default();
        let mut pose = WorldPose::for_skeleton(self.written.clip.skeleton());
        for frame in 0..self.written.frames() {
            let instant = self.blend.timing.at(self.secs_of(frame));
            if self.space.matched.kinds[instant.phase] != PhaseKind::Contact {
                continue;
            }
            let down = self
                .counted()
                .map(|(clip, source, _)| down(source, instant.times_secs[clip]))
                .fold(u64::MAX, |all, own| all & own);
            // The nearest frame of each clip: points move by a millimetre between frames while they stand.
            let are_inside = self.counted().all(|(clip, source, _)| {
                let near = (source.position(instant.times_secs[clip]).round() as usize).min(source.frames() - 1);
                outside_m(source, near, down, &mut pose) == Some(0.0)
            });
            if down == 0 || !are_inside {
                continue;
            }
            balance.frames += 1;
            let outside_m = outside_m(&self.written, frame, down, &mut pose).unwrap_or(0.0);
            if outside_m > 1e-9 {
                balance.lost_frames += 1;
                balance.worst_m = balance.worst_m.max(outside_m);
            }
        }
        balance
    }

    /// Friction against the clips' at the same time, and equation 14.
    pub fn forces(&self) -> Result<ForceGuarantee, EditingError> {
        let own = accelerations(&self.written)?;
        let inputs: Vec<Vec<DVec3>> = self.space.sources.iter().map(accelerations).collect::<Result<_, _>>()?;
        let (timing, placing) = (&self.blend.timing, &self.blend.placing);
        let mut forces = ForceGuarantee::default();
        let mut beyond = 0;
        let (mut worst_excess, mut has_frames) = (f64::NEG_INFINITY, false);
        for (frame, acceleration) in own.iter().enumerate() {
            let secs = self.secs_of(frame);
            let instant = timing.at(secs);
            let is_contact = self.space.matched.kinds[instant.phase] == PhaseKind::Contact;
            let is_near = |keys: &[f64], secs: f64| keys.iter().any(|key| (key - secs).abs() < FROM_CHANGE_SECS);
            let near_input =
                self.counted().any(|(clip, ..)| is_near(&self.space.matched.keys_secs[clip], instant.times_secs[clip]));
            if !is_contact || is_near(&timing.starts_secs, secs) || near_input {
                continue;
            }
            let (mut predicted, mut most, mut are_loaded) = (DVec3::ZERO, 0.0_f64, true);
            for (clip, source, weight) in self.counted() {
                let at = source.at(instant.times_secs[clip]);
                let theirs = at.sum(|frame| inputs[clip][frame]);
                let rate = timing.rate(instant.phase, clip, instant.into_secs);
                predicted += placing.moves[instant.phase][clip].rotation() * theirs * (weight * rate * rate);
                match friction(theirs) {
                    Some(needed) => most = most.max(needed),
                    None => are_loaded = false,
                }
            }
            forces.equation_14_g = forces.equation_14_g.max((*acceleration - predicted).length() / GRAVITY);
            let Some(needed) = friction(*acceleration).filter(|_| are_loaded) else { continue };
            forces.frames += 1;
            has_frames = true;
            forces.friction = forces.friction.max(needed);
            worst_excess = worst_excess.max(needed - most);
            beyond += usize::from(needed - most > 0.01);
        }
        if has_frames {
            forces.friction_excess = worst_excess;
            forces.excess_share = beyond as f64 / forces.frames as f64;
        }
        Ok(forces)
    }
}

/// |F along the ground| / F into it, if there is a load.
fn friction(acceleration: DVec3) -> Option<f64> {
    let load = acceleration.y + GRAVITY;
    (load > LEAST_GUARANTEED_LOAD * GRAVITY).then(|| acceleration.with_y(0.0).length() / load)
}

fn accelerations(source: &BlendSource) -> Result<Vec<DVec3>, EditingError> {
    Ok(derivative::second(&source.smooth_com_m, source.times()?))
}

/// Which effectors are down: a bit each.
fn down(source: &BlendSource, secs: f64) -> u64 {
    let mut down = 0;
    for contact in &source.contacts.contacts {
        if (contact.start_secs..=contact.end_secs).contains(&secs) {
            let effectors = source.contacts.effectors.iter();
            let bit = effectors.take(64).position(|effector| effector.name == contact.effector);
            down |= bit.map_or(0, |bit| 1 << bit);
        }
    }
    down
}

/// How far the centre of mass is from being over the points that are down, m; `None` where none is.
fn outside_m(source: &BlendSource, frame: usize, down: u64, pose: &mut WorldPose) -> Option<f64> {
    let effectors = &source.contacts.effectors;
    pose.pose(&source.clip, FrameIndex(frame));
    let at = |index: usize| pose.point_in_world_m(effectors[index].joint, effectors[index].point_in_joint_m);
    let is_down = |index: usize| down >> index & 1 == 1;
    let soles = Soles::new(effectors, SOLE_HALF_WIDTH_M);
    let plane = soles.plane(Ground::default(), is_down, at)?;
    let (mut corners, mut hull) = (Vec::new(), Vec::new());
    soles.corners_into(&plane, 0.0, is_down, at, &mut corners);
    hull_into(&mut corners, &mut hull);
    let com_m = plane.flat_m(source.com_m[frame]);
    Some(nearest_point(&hull, com_m).distance(com_m))
}
