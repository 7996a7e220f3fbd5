//! The mirror image of a motion for a body whose left and right are not alike.
//!
//! Captured skeletons differ from side to side by centimetres: thighs, shanks, feet, the place of the hips. Rotations
//! that are mirrored alone ([`aplomb_motion::edit::mirror`]) put the longer leg where the shorter one was, and a foot
//! that stood floats or sinks. Here *places* are mirrored. Let I be the exact mirror image, sides of the skeleton
//! exchanged ([`mirror_image`]); then, on the skeleton that the motion has:
//!
//! 1. bones of trunk, neck and shoulders are turned by the shortest arc towards where I has their ends;
//! 2. a foot is turned until it points as in I, and its ball goes to its place in I; hands go to theirs. Thigh and shank,
//!    upper arm and forearm take the directions of I and then the bend that reaches ([`crate::limb_ik`]);
//! 3. the pelvis is moved until the centre of mass is where I has it, so that balance and flight are those of I;
//! 4. where a leg that stands is too short for its place, the body sinks by what is missing.
//!
//! 3 and 4 need one another, and are repeated. A skeleton whose sides are alike is I's own: nothing of this is done, and
//! the result is that of mirrored rotations to the last bit.

mod places;

use crate::EditingError;
use crate::body_root::BodyRoot;
use crate::footplant::running_extreme;
use crate::span::smoothstep;
use aplomb_motion::edit::{self, MirrorPlane, mirror_image, mirror_partners};
use aplomb_motion::signal::gaussian::Gaussian;
use aplomb_motion::{Clip, FrameIndex, JointId, Role, Roles, Side, Skeleton, WorldPose};
use aplomb_physics::{Body, BodyOptions};
use glam::DVec3;
use places::{Limb, Places, Scratch};
use rayon::prelude::*;
use serde::Serialize;

/// Sides that differ by less are alike, m: below what is seen, above the digits of files.
const ALIKE_M: f64 = 1e-4;

/// How often the pelvis is moved after the centre of mass. What is left then is below a millimetre on captures.
const MIRROR_ROUNDS: usize = 3;

/// The centre of mass goes by less than the pelvis does, since feet, hands and head stay: by about this much less.
const PELVIS_OVER_COM: f64 = 1.4;

/// Of what the body sinks by, this is not the centre of mass's to win back.
const SUNK_SHARE: f64 = 0.9;

/// A foot below the first speed stands, above the second it swings, m/s. A foot that rolls over its ball is still one
/// that stands.
const STANDS_BELOW: f64 = 1.0;
const SWINGS_ABOVE: f64 = 2.0;

/// Sunk for one step, sunk for the stride: a body that came up between would limp.
const SINKS_FOR_SECS: f64 = 0.5;

/// A mirrored motion.
#[derive(Clone, Debug, PartialEq)]
pub struct Mirrored {
    /// On the skeleton of the original.
    pub clip: Clip,
    /// Where the body's sides differ: how near to the mirror image feet that stand came. `None` where they are alike.
    pub standing: Option<StandingFeet>,
}

/// How near to the mirror image the feet stand.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct StandingFeet {
    /// Farthest that a standing foot is from its place, m.
    pub farthest_m: f64,
    /// Which foot, and when; `None` if none is off.
    pub joint: Option<JointId>,
    /// When, s.
    pub at_secs: f64,
    /// The most that the body sinks for a leg that is too short, m.
    pub lowered_m: f64,
}

/// The motion with left and right exchanged: feet, hands, head and the centre of mass are where their mirror images
/// are, as far as the skeleton's own bones reach.
///
/// Clips of bodies without arms and legs have mirrored rotations only, and so have limbs that are not recognised.
pub fn mirror(clip: &Clip, roles: &Roles, plane: MirrorPlane) -> Result<Mirrored, EditingError> {
    let partners = partners(clip.skeleton(), roles)?;
    let turned = edit::mirror(clip, &partners, plane)?;
    let image = mirror_image(clip, &partners, plane)?;
    if clip.frame_count() == 0 || are_alike(&turned, &image) {
        return Ok(Mirrored { clip: turned, standing: None });
    }
    let Some(root) = BodyRoot::of(&turned, roles) else {
        return Ok(Mirrored { clip: turned, standing: None });
    };
    let turned = root.with_track(turned)?;
    let places = Places::of(&turned, &image, roles, &root);
    if places.limbs.is_empty() {
        return Ok(Mirrored { clip: turned, standing: None });
    }
    let (clip, standing) = Solver::new(clip, roles, plane, &turned, root, places).solve()?;
    Ok(Mirrored { clip, standing: Some(standing) })
}

/// Which joint is which one's counterpart. A body with one arm has no mirror image on its own skeleton.
fn partners(skeleton: &Skeleton, roles: &Roles) -> Result<Vec<JointId>, EditingError> {
    let found = mirror_partners(skeleton, |joint| roles.mirror_partner(joint));
    let parts = [Role::UpperArm, Role::Forearm, Role::Hand, Role::Thigh, Role::Shank, Role::Foot, Role::Toe];
    let sides = parts.into_iter().flat_map(|part| Side::BOTH.map(part));
    let mut alone = sides.filter_map(|role| Some((role, roles.joint(role)?))).filter(|(role, joint)| {
        let has_other = roles.joint(role.mirrored()).is_some();
        !has_other && found.as_ref().map_or(true, |partners| partners[joint.index()] == *joint)
    });
    match alone.next() {
        Some((role, _)) => Err(EditingError::no_role(role.mirrored(), skeleton)),
        None => Ok(found?),
    }
}

/// Whether the skeleton is its own mirror image.
fn are_alike(turned: &Clip, image: &Clip) -> bool {
    let joints = turned.skeleton().joints().iter().zip(image.skeleton().joints());
    joints.zip(turned.skeleton().ids()).all(|((own, other), id)| {
        let ends = own.end_sites.iter().zip(&other.end_sites);
        let ends_alike = own.end_sites.len() == other.end_sites.len()
            && ends.into_iter().all(|(own, other)| own.offset_m.distance(other.offset_m) < ALIKE_M);
        // The length of a bone with a track is in the track.
        (turned.track(id).is_some() || own.offset_m.distance(other.offset_m) < ALIKE_M) && ends_alike
    })
}

struct Solver<'a> {
    /// Mirrored rotations.
    turned: &'a Clip,
    root: BodyRoot,
    places: Places<'a>,
    /// Masses, and where their centre should be in each frame; `None` for bodies without.
    body: Option<(Body, Vec<DVec3>)>,
    step_secs: f64,
}

impl<'a> Solver<'a> {
    fn new(
        source: &Clip,
        roles: &Roles,
        plane: MirrorPlane,
        turned: &'a Clip,
        root: BodyRoot,
        places: Places<'a>,
    ) -> Self {
        let body = Body::of_clip(source, roles, &BodyOptions::default()).ok().map(|body| {
            let mut pose = WorldPose::for_skeleton(source.skeleton());
            let com_m = source.frames().map(|frame| {
                pose.pose(source, frame);
                plane.image(body.com_in_world_m(&pose))
            });
            let com_m = com_m.collect();
            (body, com_m)
        });
        let steps = turned.frame_count().saturating_sub(1).max(1) as f64;
        Self { turned, root, places, body, step_secs: turned.duration_secs() / steps }
    }

    fn solve(&self) -> Result<(Clip, StandingFeet), EditingError> {
        let stands: Vec<Vec<f64>> = self.places.limbs.iter().map(|limb| self.how_it_stands(limb)).collect();
        let mut shift_m = vec![DVec3::ZERO; self.turned.frame_count()];
        let mut clip = self.turned.clone();
        if let Some((body, com_m)) = &self.body {
            for _ in 0..MIRROR_ROUNDS {
                let sunk_m = self.sunk_m(&stands, &shift_m)?;
                self.carry_out(&mut clip, &shift_m, &sunk_m);
                let mut pose = WorldPose::for_skeleton(clip.skeleton());
                for frame in clip.frames() {
                    pose.pose(&clip, frame);
                    let off_m = com_m[frame.0] - body.com_in_world_m(&pose) - DVec3::Y * (sunk_m[frame.0] * SUNK_SHARE);
                    shift_m[frame.0] += off_m * PELVIS_OVER_COM;
                }
            }
        }
        let sunk_m = self.sunk_m(&stands, &shift_m)?;
        let missed = self.carry_out(&mut clip, &shift_m, &sunk_m);
        let mut standing =
            StandingFeet { lowered_m: sunk_m.iter().copied().fold(0.0, f64::max), ..StandingFeet::default() };
        for ((limb, missed_m), stands) in self.places.limbs.iter().zip(&missed).zip(&stands) {
            for frame in clip.frames().filter(|frame| stands[frame.0] >= 1.0) {
                if missed_m[frame.0] > standing.farthest_m {
                    standing.farthest_m = missed_m[frame.0];
                    standing.joint = Some(limb.ik.end());
                    standing.at_secs = clip.time_secs(frame);
                }
            }
        }
        Ok((clip, standing))
    }

    /// 1 in frames in which this foot stands, 0 in which it swings.
    fn how_it_stands(&self, limb: &Limb) -> Vec<f64> {
        let ball_m = &limb.ball_in_image_m;
        let last = ball_m.len().saturating_sub(1);
        let one = |index: usize| {
            let (from, to) = (index.saturating_sub(1), (index + 1).min(last));
            let secs = (to - from) as f64 * self.step_secs;
            let speed = if secs > 0.0 { ball_m[to].distance(ball_m[from]) / secs } else { 0.0 };
            smoothstep((SWINGS_ABOVE - speed) / (SWINGS_ABOVE - STANDS_BELOW))
        };
        if limb.carries { (0..ball_m.len()).map(one).collect() } else { vec![0.0; ball_m.len()] }
    }

    /// How far the body must sink for legs that stand to reach their places, if it is moved by `shift_m`, m.
    fn sunk_m(&self, stands: &[Vec<f64>], shift_m: &[DVec3]) -> Result<Vec<f64>, EditingError> {
        let mut need_m = vec![0.0_f64; shift_m.len()];
        for (limb, stands) in self.places.limbs.iter().zip(stands).filter(|(limb, _)| limb.carries) {
            for (index, need_m) in need_m.iter_mut().enumerate().filter(|(index, _)| stands[*index] > 0.0) {
                *need_m = need_m.max(limb.too_far_m(index, shift_m[index]) * stands[index]);
            }
        }
        if self.step_secs <= 0.0 || need_m.iter().all(|need_m| *need_m == 0.0) {
            return Ok(need_m);
        }
        let radius = (SINKS_FOR_SECS / self.step_secs).round().min(need_m.len() as f64) as usize;
        let widened_m = running_extreme(&need_m, radius, |a, b| a >= b);
        // A filter no wider than the running maximum stays above what is needed.
        Ok(Gaussian::from_sigma_secs(SINKS_FOR_SECS / 3.0, self.step_secs)?.smooth(&widened_m))
    }

    /// Puts all frames to their places, the body moved by `shift_m` and sunk by `sunk_m`; gives how far each limb's end
    /// stays from its place, m.
    fn carry_out(&self, clip: &mut Clip, shift_m: &[DVec3], sunk_m: &[f64]) -> Vec<Vec<f64>> {
        let joints = self.turned.skeleton().len();
        let moved_m = |frame: usize| shift_m[frame] - DVec3::Y * sunk_m[frame];
        let frames = clip.rotations_mut().par_chunks_mut(joints).enumerate();
        let scratch = || Scratch::for_skeleton(self.turned.skeleton());
        let missed: Vec<Vec<f64>> = frames
            .map_init(scratch, |scratch, (frame, rotations)| {
                self.places.put(FrameIndex(frame), moved_m(frame), rotations, scratch)
            })
            .collect();
        if let (Some(from), Some(track)) = (self.turned.track(self.root.joint), clip.track_mut(self.root.joint)) {
            for (frame, (to, from)) in track.iter_mut().zip(from).enumerate() {
                let rotations = self.turned.rotations_at(FrameIndex(frame));
                *to = *from + self.root.in_parent(rotations, moved_m(frame));
            }
        }
        (0..self.places.limbs.len()).map(|limb| missed.iter().map(|missed| missed[limb]).collect()).collect()
    }
}

#[cfg(test)]
mod tests;
