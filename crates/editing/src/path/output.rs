//! The edited motion, frame by frame: poses of the original at their new times, carried along the new path, with the
//! legs solved last.
//!
//! Legs are solved *after* the poses are interpolated: slerped legs would let planted feet drift by millimetres.
//! Rotations between keys are cubic in the quaternion's components (neighbours in one hemisphere, normalised
//! afterwards): of the order of [`aplomb_motion::edit::sample_at`] at a tenth of its price, which sixty drags a second
//! need.

use super::ground_plane::{in_world, on_plane};
use super::limbs::{Move, PathLimb};
use super::reach::{Needs, NewPath, lifted};
use super::source::PathSource;
use super::timing::NewTimes;
use crate::EditingError;
use crate::body_root::BodyRoot;
use crate::limb_ik::{EndRotation, LimbGoal, Swivel, unit};
use crate::span::MOST_FRAMES;
use aplomb_motion::{Clip, FrameIndex, JointId, Timeline, TranslationTrack};
use glam::{DQuat, DVec3};
use std::sync::Arc;

/// A frame nearer to a key than this share of the step is that key.
const ON_A_KEY: f64 = 1e-7;
/// Legs that swing are eased in beyond this share of their reach.
const EASED_SHARE: f64 = 0.97;
/// A foot that moves with the body to within this is left alone, m and rad.
const AS_CARRIED: f64 = 1e-9;

/// What the original gives for interpolation.
#[derive(Clone, Debug)]
pub(super) struct SourcePoses {
    /// The rotations with signs that follow each other, frame-major.
    aligned: Vec<DQuat>,
    /// Joints from the root to the hips.
    to_hips: Vec<JointId>,
    /// Per joint: its translation track.
    tracks: Vec<Option<usize>>,
    /// The joints that carry bodies through the world: of the body whose path it is, and roots of whatever else is
    /// there.
    carriers: Vec<BodyRoot>,
}

impl SourcePoses {
    pub fn of(source: &PathSource) -> Self {
        let clip = &source.clip;
        let joints = clip.skeleton().len();
        let mut aligned = clip.rotations().to_vec();
        for index in joints..aligned.len() {
            if aligned[index].dot(aligned[index - joints]) < 0.0 {
                aligned[index] = -aligned[index];
            }
        }
        let mut to_hips: Vec<JointId> = clip.skeleton().ancestors(source.hips).collect();
        to_hips.reverse();
        let track = |joint| clip.tracks().iter().position(|track| track.joint == joint);
        Self { aligned, to_hips, tracks: clip.skeleton().ids().map(track).collect(), carriers: source.carriers.clone() }
    }
}

/// Buffers of a result that may be used again.
#[derive(Clone, Debug, Default)]
pub(super) struct Buffers {
    pub rotations: Vec<DQuat>,
    pub tracks: Vec<TranslationTrack>,
    /// The hips on the new path, a value a key.
    hips_m: Vec<DVec3>,
    stretched: Vec<Stretched>,
}

/// A limb whose bones change length: solved when the clip is put together.
#[derive(Clone, Debug)]
struct Stretched {
    limb: usize,
    frame: FrameIndex,
    place: (DQuat, DVec3),
    goal: LimbGoal,
}

/// Four keys and their weights at a place between the middle two.
#[derive(Clone, Copy, Debug)]
struct KeyWeights {
    key: usize,
    /// Share of the interval.
    share: f64,
    keys: [usize; 4],
    weights: [f64; 4],
}

impl KeyWeights {
    /// A cubic with the slopes of the parabolas through three neighbours, as in `motion::edit::sample`.
    fn new(times_secs: &[f64], key: usize, since_secs: f64) -> Self {
        let last = times_secs.len() - 1;
        let step = times_secs[(key + 1).min(last)] - times_secs[key];
        let u = if step > 0.0 { since_secs / step } else { 0.0 };
        let (key, u) = if u > 1.0 - ON_A_KEY { ((key + 1).min(last), 0.0) } else { (key, u) };
        let keys = [key.saturating_sub(1), key, (key + 1).min(last), (key + 2).min(last)];
        if u < ON_A_KEY || key == last {
            return Self { key, share: 0.0, keys, weights: [0.0, 1.0, 0.0, 0.0] };
        }
        let v = 1.0 - u;
        let (h00, h10) = (v * v * (1.0 + 2.0 * u), u * v * v);
        let (h01, h11) = (u * u * (3.0 - 2.0 * u), -u * u * v);
        // Lengths of the neighbouring intervals in units of this one.
        let before = (key > 0).then(|| (times_secs[key] - times_secs[key - 1]) / step);
        let after = (key + 2 <= last).then(|| (times_secs[key + 2] - times_secs[key + 1]) / step);
        let mut weights = [0.0, h00, h01, 0.0];
        let mut slope = |amount: f64, parts: [f64; 4]| {
            for (weight, part) in weights.iter_mut().zip(parts) {
                *weight += amount * part;
            }
        };
        // Velocity at the middle of three points z, a, b: ((a − z)/h + (b − a) h)/(1 + h); at the end: d + (d − s)/(1 +
        // h).
        let central_start = |h: f64| [-1.0 / h, 1.0 / h - h, h, 0.0].map(|part| part / (1.0 + h));
        let central_end = |h: f64| [0.0, -h, h - 1.0 / h, 1.0 / h].map(|part| part / (1.0 + h));
        let one_sided = |h: f64, beside: [f64; 4]| {
            let d = [0.0, -1.0, 1.0, 0.0];
            std::array::from_fn(|i| d[i] + (d[i] - beside[i] / h) / (1.0 + h))
        };
        match (before, after) {
            (None, None) => {
                slope(h10 + h11, [0.0, -1.0, 1.0, 0.0]);
            }
            (Some(h), None) => {
                slope(h10, central_start(h));
                slope(h11, one_sided(h, [-1.0, 1.0, 0.0, 0.0]));
            }
            (None, Some(h)) => {
                slope(h10, one_sided(h, [0.0, 0.0, -1.0, 1.0]));
                slope(h11, central_end(h));
            }
            (Some(h0), Some(h1)) => {
                slope(h10, central_start(h0));
                slope(h11, central_end(h1));
            }
        }
        Self { key, share: u, keys, weights }
    }

    fn is_key(&self) -> bool {
        self.share == 0.0
    }

    fn vector(&self, values: &[DVec3]) -> DVec3 {
        if self.is_key() {
            return values[self.key];
        }
        let [a, b, c, d] = self.keys;
        let w = self.weights;
        values[a] * w[0] + values[b] * w[1] + values[c] * w[2] + values[d] * w[3]
    }

    fn number(&self, values: &[f64]) -> f64 {
        if self.is_key() {
            return values[self.key];
        }
        let [a, b, c, d] = self.keys;
        let w = self.weights;
        values[a] * w[0] + values[b] * w[1] + values[c] * w[2] + values[d] * w[3]
    }

    fn linear(&self, values: impl Fn(usize) -> f64) -> f64 {
        let here = values(self.key);
        if self.is_key() { here } else { here + self.share * (values(self.keys[2]) - here) }
    }

    fn rotation(&self, values: &[DQuat]) -> DQuat {
        let [a, b, c, d] = self.keys;
        let w = self.weights;
        unit(values[a] * w[0] + values[b] * w[1] + values[c] * w[2] + values[d] * w[3])
    }

    /// All joints of a pose, from frame-major rotations.
    fn rotations_into(&self, values: &[DQuat], pose: &mut [DQuat]) {
        let joints = pose.len();
        let [a, b, c, d] = self.keys.map(|key| &values[key * joints..(key + 1) * joints]);
        let w = self.weights;
        for ((((local, a), b), c), d) in pose.iter_mut().zip(a).zip(b).zip(c).zip(d) {
            *local = unit(*a * w[0] + *b * w[1] + *c * w[2] + *d * w[3]);
        }
    }
}

/// From hip to ankle of a foot that swings: eased in before the leg is straight, as a knee that is stretched hard pops.
/// The leg goes as far as the capture's did, and a foot that stands as far as it must.
fn eased(away_m: DVec3, limb: &PathLimb, place: &KeyWeights, held: f64) -> DVec3 {
    let (wanted_m, most_m) = (away_m.length(), place.linear(|key| limb.reach_m[key]));
    let own_m = place.vector(&limb.hip_m).distance(place.vector(&limb.ankle_m));
    let free_m = own_m.max(EASED_SHARE * most_m);
    if wanted_m <= free_m || wanted_m <= 0.0 {
        return away_m;
    }
    let room_m = (most_m - free_m).max(1e-6);
    // As `limb_ik::Reach`: value and slope are continuous, and the limit is never passed.
    let soft_m = free_m + room_m * (1.0 - (-(wanted_m - free_m) / room_m).exp());
    away_m * ((soft_m + held * (wanted_m.min(most_m) - soft_m)) / wanted_m)
}

/// All that one result is made from.
pub(super) struct PathRenderer<'a> {
    pub source: &'a PathSource,
    pub poses: &'a SourcePoses,
    pub limbs: &'a [PathLimb],
    pub path: NewPath<'a>,
    pub needs: &'a Needs,
    pub times: &'a NewTimes,
}

impl PathRenderer<'_> {
    /// The result; with `keep_keys`, or for clips with uneven keys, the keys at their new times.
    pub fn render(&self, keep_keys: bool, buffers: &mut Buffers) -> Result<Clip, EditingError> {
        let clip = &self.source.clip;
        let keys = self.source.keys();
        let (frames, timeline, step_secs) = match clip.timeline() {
            Timeline::Uniform(step) if !keep_keys => {
                // The last frame is never beyond the last key: held there, it would be a step too short.
                let frames = (self.times.secs[keys - 1] / step.secs() + 1e-6).floor() + 1.0;
                if frames > MOST_FRAMES {
                    let (frames, limit) = (frames, MOST_FRAMES);
                    return Err(aplomb_motion::edit::EditError::TooManyFrames { frames, limit }.into());
                }
                (frames as usize, clip.timeline().clone(), Some(step.secs()))
            }
            _ => (keys, Timeline::keyed(self.times.secs.clone()).map_err(aplomb_motion::ClipError::from)?, None),
        };
        self.prepare(frames, buffers);
        let Buffers { rotations, tracks, hips_m, stretched } = buffers;
        let joints = clip.skeleton().len();
        let mut from = 0;
        for frame in 0..frames {
            let place = match step_secs {
                None => KeyWeights::new(&self.source.times_secs, frame, 0.0),
                Some(step_secs) => {
                    let at_secs = frame as f64 * step_secs;
                    let (key, since_secs) = self.times.locate(&self.source.times_secs, at_secs, &mut from);
                    KeyWeights::new(&self.source.times_secs, key, since_secs)
                }
            };
            let pose = &mut rotations[frame * joints..(frame + 1) * joints];
            self.frame(&place, FrameIndex(frame), pose, tracks, hips_m, stretched);
        }
        let skeleton = Arc::clone(clip.skeleton());
        let mut done = Clip::new(skeleton, timeline, frames, std::mem::take(rotations), std::mem::take(tracks))?;
        for job in stretched.drain(..) {
            self.limbs[job.limb].ik.solve_placed(&mut done, job.frame, job.place, &job.goal);
        }
        Ok(done)
    }

    /// Some keys alone, in a clip of their own.
    pub fn render_keys(&self, keys: std::ops::Range<usize>) -> Result<Clip, EditingError> {
        let clip = &self.source.clip;
        let mut buffers = Buffers::default();
        self.prepare(keys.len(), &mut buffers);
        let Buffers { mut rotations, mut tracks, hips_m, mut stretched } = buffers;
        let joints = clip.skeleton().len();
        for (frame, key) in keys.clone().enumerate() {
            let place = KeyWeights::new(&self.source.times_secs, key, 0.0);
            let pose = &mut rotations[frame * joints..(frame + 1) * joints];
            self.frame(&place, FrameIndex(frame), pose, &mut tracks, &hips_m, &mut stretched);
        }
        let timeline = Timeline::keyed(self.source.times_secs[keys.clone()].to_vec());
        let timeline = timeline.map_err(aplomb_motion::ClipError::from)?;
        Ok(Clip::new(Arc::clone(clip.skeleton()), timeline, keys.len(), rotations, tracks)?)
    }

    /// Whether every foot goes just where the body takes it.
    pub fn is_carried(&self, key: usize) -> bool {
        self.limbs.iter().zip(&self.needs.feet).all(|(limb, needs)| {
            let is_lifted = needs.is_lifted && needs.lift_rad[key] > 0.0;
            !is_lifted
                && self.rides_along(
                    limb,
                    key,
                    &needs.by(&self.path, &self.needs.roots, &limb.carried[key], on_plane(limb.ankle_m[key])),
                    needs.rise_m[key],
                )
        })
    }

    fn prepare(&self, frames: usize, buffers: &mut Buffers) {
        let clip = &self.source.clip;
        buffers.rotations.resize(frames * clip.skeleton().len(), DQuat::IDENTITY);
        buffers
            .tracks
            .resize_with(clip.tracks().len(), || TranslationTrack { joint: JointId::new(0), positions_m: Vec::new() });
        for (track, source) in buffers.tracks.iter_mut().zip(clip.tracks()) {
            track.joint = source.joint;
            track.positions_m.resize(frames, DVec3::ZERO);
        }
        buffers.hips_m.clear();
        let path = &self.path;
        buffers.hips_m.extend(path.points_m.iter().enumerate().map(|(key, &w)| {
            let height_m = self.source.root_m[key].y + path.rise_m[key] - self.needs.drop_m[key];
            in_world(w, height_m)
        }));
        buffers.stretched.clear();
    }

    fn frame(
        &self,
        place: &KeyWeights,
        frame: FrameIndex,
        pose: &mut [DQuat],
        tracks: &mut [TranslationTrack],
        hips_m: &[DVec3],
        stretched: &mut Vec<Stretched>,
    ) {
        let clip = &self.source.clip;
        if place.is_key() {
            pose.copy_from_slice(clip.rotations_at(FrameIndex(place.key)));
        } else {
            place.rotations_into(&self.poses.aligned, pose);
        }
        for (track, source) in tracks.iter_mut().zip(clip.tracks()) {
            track.positions_m[frame.0] = place.vector(&source.positions_m);
        }
        let turn = DQuat::from_rotation_y(place.number(self.path.turn_rad));
        let new_hips_m = place.vector(hips_m);
        // Where the interpolated pose has its hips, before anything is carried.
        let old_hips_m = self.chain(&self.poses.to_hips, pose, tracks, frame).1;
        for carrier in &self.poses.carriers {
            // A carrier below a joint that stands still counts from there.
            let (world_from_parent, parent_m) = self.chain(carrier.above(), pose, tracks, frame);
            if let Some(track) = self.poses.tracks[carrier.joint.index()] {
                let position_m = &mut tracks[track].positions_m[frame.0];
                let in_world_m = match carrier.joint == self.source.hips {
                    true => new_hips_m,
                    false => turn * (parent_m + world_from_parent * *position_m - old_hips_m) + new_hips_m,
                };
                *position_m = world_from_parent.conjugate() * (in_world_m - parent_m);
            }
            let local = &mut pose[carrier.joint.index()];
            *local = (world_from_parent.conjugate() * turn * world_from_parent * *local).normalize();
        }
        self.bend(place, frame, pose, tracks);
        for (index, limb) in self.limbs.iter().enumerate() {
            self.limb(index, limb, place, frame, pose, tracks, stretched);
        }
    }

    /// Turns each joint of a spine by its share, about the vertical.
    fn bend(&self, place: &KeyWeights, frame: FrameIndex, pose: &mut [DQuat], tracks: &[TranslationTrack]) {
        let Some((spine, bend_rad)) = self.path.spine else { return };
        let bend_rad = place.number(bend_rad);
        if bend_rad == 0.0 {
            return;
        }
        let share = spine.share(bend_rad);
        let mut world_from_parent = self.chain(&spine.above, pose, tracks, frame).0;
        for joint in &spine.joints {
            let local = &mut pose[joint.index()];
            *local = (world_from_parent.conjugate() * share * world_from_parent * *local).normalize();
            world_from_parent *= *local;
        }
    }

    /// World rotation and position of the last joint of a chain that starts at a root.
    fn chain(
        &self,
        chain: &[JointId],
        pose: &[DQuat],
        tracks: &[TranslationTrack],
        frame: FrameIndex,
    ) -> (DQuat, DVec3) {
        let (mut rotation, mut position_m) = (DQuat::IDENTITY, DVec3::ZERO);
        for &joint in chain {
            position_m += rotation * self.translation_m(joint, tracks, frame);
            rotation *= pose[joint.index()];
        }
        (rotation, position_m)
    }

    fn translation_m(&self, joint: JointId, tracks: &[TranslationTrack], frame: FrameIndex) -> DVec3 {
        match self.poses.tracks[joint.index()] {
            Some(track) => tracks[track].positions_m[frame.0],
            None => self.source.clip.skeleton().joint(joint).offset_m,
        }
    }

    #[expect(clippy::too_many_arguments, reason = "the pose, its tracks and the frame are one thing in three buffers")]
    fn limb(
        &self,
        index: usize,
        limb: &PathLimb,
        place: &KeyWeights,
        frame: FrameIndex,
        pose: &mut [DQuat],
        tracks: &[TranslationTrack],
        stretched: &mut Vec<Stretched>,
    ) {
        let (needs, roots) = (&self.needs.feet[index], &self.needs.roots);
        // Within a contact, and so between two keys of it, the move is the contact's own.
        let plant = |key: usize| limb.carried[key].plant();
        let ankle = on_plane(place.vector(&limb.ankle_m));
        let by = match plant(place.key) {
            Some(own) if place.is_key() || plant(place.keys[2]) == Some(own) => {
                needs.by(&self.path, roots, &limb.carried[place.key], ankle)
            }
            _ => {
                let [(here_m, here_rad), (next_m, next_rad)] =
                    [place.key, place.keys[2]].map(|key| needs.place(&self.path, roots, &limb.carried[key], ankle));
                let to_m = here_m + (next_m - here_m) * place.share;
                Move::new(ankle, to_m, here_rad + (next_rad - here_rad) * place.share)
            }
        };
        // Within one contact heights run straight: a cubic would dip before lift-off.
        let is_held = |key: usize| limb.carried[key].held() >= 1.0;
        let rise_m = match is_held(place.key) && is_held(place.keys[2]) {
            true => place.linear(|key| needs.rise_m[key]),
            false => place.number(&needs.rise_m),
        };
        let lift_rad = if needs.is_lifted { place.linear(|key| needs.lift_rad[key]) } else { 0.0 };
        if place.is_key() && lift_rad == 0.0 && self.rides_along(limb, place.key, &by, rise_m) {
            return;
        }
        let mut ankle_m = by.point_m(place.vector(&limb.ankle_m), rise_m);
        let mut world_from_end = by.rotation() * place.rotation(&limb.world_from_end);
        if let (Some(heel), true) = (&limb.heel, lift_rad > 0.0) {
            let axis = by.rotation() * heel.across[place.key];
            let (up_m, lift) = lifted(ankle_m, by.point_m(place.vector(&heel.ball_m), rise_m), axis, lift_rad);
            // Toes stay as they are: their parent turns by the lift, so they turn back by it.
            let back = world_from_end.conjugate() * lift.conjugate() * world_from_end;
            let toe = &mut pose[heel.toe.index()];
            *toe = (back * *toe).normalize();
            (ankle_m, world_from_end) = (up_m, lift * world_from_end);
        }
        let (world_from_parent, parent_m) = self.chain(&limb.above, pose, tracks, frame);
        let hip_m = parent_m + world_from_parent * self.translation_m(limb.ik.root(), tracks, frame);
        let held = place.linear(|key| limb.carried[key].held());
        if held < 1.0 {
            ankle_m = hip_m + eased(ankle_m - hip_m, limb, place, held);
        }
        let goal = LimbGoal {
            end_in_world_m: ankle_m,
            end_rotation: EndRotation::World(world_from_end),
            swivel: Swivel::Kept { turn_rad: 0.0 },
        };
        match limb.stretches {
            true => stretched.push(Stretched { limb: index, frame, place: (world_from_parent, hip_m), goal }),
            false => {
                limb.ik.solve(self.source.clip.skeleton(), (world_from_parent, hip_m), pose, &goal);
            }
        }
    }

    /// Whether a foot goes just where the body takes it.
    fn rides_along(&self, limb: &PathLimb, key: usize, by: &Move, rise_m: f64) -> bool {
        if limb.is_paw && self.path.spine.is_some_and(|(_, bend_rad)| bend_rad[key].abs() > AS_CARRIED) {
            return false;
        }
        let root = &self.needs.roots[key];
        let ankle = on_plane(limb.ankle_m[key]);
        let raised_m = self.path.rise_m[key] - self.needs.drop_m[key];
        (by.ground(ankle) - root.ground(ankle)).norm() < AS_CARRIED
            && (by.turn_rad - root.turn_rad).abs() < AS_CARRIED
            && (rise_m - raised_m).abs() < AS_CARRIED
    }
}
