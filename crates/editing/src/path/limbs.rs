//! Where feet go when the path is bent (Lockwood & Singh 2011, section 3.3).
//!
//! All frames of one contact move rigidly together, with the root key that is nearest to the foot *in space*: feet
//! stand about parallel to the path at its nearest point. Between contacts the foot moves with the root key of its own
//! time (plus what that leg is usually ahead: dogs' front paws), and what its contacts would have it elsewhere fades
//! along 6u⁵ − 15u⁴ + 10u³ after the last one and comes in before the next. All of this depends on the original alone.

use super::ground_plane::{in_world, on_plane};
use super::source::{Foot, PathSource};
use crate::EditingError;
use crate::limb_ik::{LimbIk, Reach};
use crate::span::smoothstep;
use aplomb_analysis::contacts::Part;
use aplomb_motion::{BodyPlan, Clip, JointId, LimbKind, Roles, WorldPose, so3};
use glam::{DQuat, DVec3};
use num_complex::Complex64;
use std::ops::Range;

/// The nearest root key is looked for this far from the middle of a contact, s.
const NEAREST_SECS: f64 = 1.0;
/// Keys that are farther from the foot by no more than this are as near: the one in the middle of the contact is taken,
/// m.
const AS_NEAR_M: f64 = 0.002;
/// A foot leaves its contact, and comes to the next, over this time, s.
const BLEND_SECS: f64 = 0.2;
/// Legs are stretched to this share of their length; farther only where the original does. At share s a knee goes
/// ½s/√(1 − s²) times as far as the foot's last bit of way: 11 times at 0.999, 3.5 at 0.99, 2.5 at 0.98. What knees of
/// edited jumps and stairs jump by in a frame goes with it.
const REACH_SHARE: f64 = 0.98;
/// The same for animals, whose legs lie flat in a gallop and come hardly nearer to their place when the body sinks; and
/// where a heel must come up, which would take a little of a heel that stands with it.
const FARTHEST_SHARE: f64 = 0.999;

/// A heel that has left the ground for so long may come up as far as a leg needs, s: about as long as heels lead toes
/// in a walk.
const HEEL_SECS: f64 = 0.1;

/// A contact of one foot.
#[derive(Clone, Debug)]
pub(super) struct Plant {
    pub keys: Range<usize>,
    /// The root key it moves with.
    pub key: usize,
}

/// Which root key a foot moves with, and how much it stands.
#[derive(Clone, Copy, Debug)]
pub(super) struct FootKey {
    /// Root key, between keys.
    pub at: f64,
    /// Contact before and how much of it is left.
    pub before: (u32, f64),
    /// Contact after and how much of it is there.
    pub after: (u32, f64),
}

impl FootKey {
    /// The contact that the foot is in.
    pub fn plant(&self) -> Option<usize> {
        (self.before.1 >= 1.0).then_some(self.before.0 as usize)
    }

    /// 1 in contact, 0 where the foot rides with the body.
    pub fn held(&self) -> f64 {
        self.before.1 + self.after.1
    }
}

/// A leg, or an arm that stands, over all keys of the original.
#[derive(Clone, Debug)]
pub(super) struct PathLimb {
    pub ik: LimbIk,
    /// Joints from the skeleton's root to the limb's parent.
    pub above: Vec<JointId>,
    /// Whether bones of the limb change length.
    pub stretches: bool,
    pub plants: Vec<Plant>,
    pub carried: Vec<FootKey>,
    /// Hip, ankle in the world, and rotation of the foot, with signs that follow each other.
    pub hip_m: Vec<DVec3>,
    pub ankle_m: Vec<DVec3>,
    pub world_from_end: Vec<DQuat>,
    /// How far the ankle may be from the hip, m, how far before a heel comes up, and how far it can be at most.
    pub reach_m: Vec<f64>,
    pub farthest_m: Vec<f64>,
    pub longest_m: Vec<f64>,
    pub heel: Option<Heel>,
    /// A front leg of an animal.
    pub is_paw: bool,
    /// How many keys it is usually ahead of the root.
    pub ahead: f64,
}

/// A foot whose heel may come up about its ball, the toes staying where they are.
#[derive(Clone, Debug)]
pub(super) struct Heel {
    pub toe: JointId,
    /// The ball in the world, at every key.
    pub ball_m: Vec<DVec3>,
    /// Whether ball or toes are down.
    pub is_down: Vec<bool>,
    /// How freely the heel comes up, 0 to 1: not at all while it stands, and the freer the longer it has left the
    /// ground or has not come to it.
    pub free: Vec<f64>,
    /// The axis about which the heel rises: level, across the foot as it stands. Of each contact one, since a foot that
    /// leaves the ground is steeper than upright, and where it points by itself then turns round from one key to the
    /// next.
    pub across: Vec<DVec3>,
}

/// Every limb that stands on something.
pub(super) fn limbs(source: &PathSource, roles: &Roles) -> Result<Vec<PathLimb>, EditingError> {
    let mut found = Vec::new();
    for foot in &source.feet {
        let kind = if foot.is_front { LimbKind::Arm } else { LimbKind::Leg };
        let Some(joints) = roles.limb(foot.side, kind) else {
            if foot.stances.is_empty() {
                continue;
            }
            return Err(EditingError::no_limb(roles, foot.side, kind));
        };
        let ik = LimbIk::for_role(&source.clip, roles, foot.side, kind, Reach::HARD)?;
        let below = |joint: JointId| source.clip.skeleton().is_in_subtree(joint, joints.end);
        let heel = foot.effectors.iter().find(|it| it.part == Part::Ball && it.joint != joints.end);
        let heel = heel.filter(|ball| source.clip.skeleton().parent(ball.joint) == Some(joints.end));
        let heel = heel.filter(|ball| below(ball.joint) && ball.point_in_joint_m == DVec3::ZERO).map(|ball| ball.joint);
        let reach_share = if roles.plan() == BodyPlan::Quadruped { FARTHEST_SHARE } else { REACH_SHARE };
        found.push(limb(source, foot, ik, heel, reach_share));
    }
    Ok(found)
}

fn limb(source: &PathSource, foot: &Foot, ik: LimbIk, toe: Option<JointId>, reach_share: f64) -> PathLimb {
    let clip = &source.clip;
    let keys = source.keys();
    let plants = plants(source, foot);
    // Only legs that are not under the root are ahead of it: for a standing person any key may be the nearest.
    let ahead = if foot.is_front { usual_lead(&plants) } else { 0.0 };
    let mut above: Vec<JointId> = clip.skeleton().ancestors(ik.root()).filter(|&joint| joint != ik.root()).collect();
    above.reverse();
    let carried = carried(source, &plants, ahead);
    let mut limb = PathLimb {
        above,
        stretches: clip.tracks().iter().any(|track| ik.chain()[1..].contains(&track.joint)),
        is_paw: foot.is_front && foot.effectors.iter().all(|effector| effector.part == Part::FrontPaw),
        ahead,
        plants,
        hip_m: Vec::with_capacity(keys),
        ankle_m: Vec::with_capacity(keys),
        world_from_end: Vec::with_capacity(keys),
        reach_m: Vec::with_capacity(keys),
        farthest_m: Vec::with_capacity(keys),
        longest_m: Vec::with_capacity(keys),
        heel: toe.map(|toe| Heel {
            toe,
            ball_m: Vec::with_capacity(keys),
            is_down: is_down(source, &foot.front_down),
            free: heel_freedom(source, &foot.heel_down, &carried),
            across: Vec::new(),
        }),
        carried,
        ik,
    };
    limb.look(clip, reach_share);
    limb
}

impl PathLimb {
    fn look(&mut self, clip: &Clip, reach_share: f64) {
        let wanted = [Some(self.ik.end()), self.heel.as_ref().map(|heel| heel.toe)].into_iter().flatten();
        let posed = crate::footplant::closed_upward(clip.skeleton(), wanted);
        let mut pose = WorldPose::for_skeleton(clip.skeleton());
        for frame in clip.frames() {
            pose.pose_joints(clip, frame, &posed);
            let at = |joint: JointId| pose.joint_in_world_m[joint.index()];
            let (hip_m, ankle_m) = (at(self.ik.root()), at(self.ik.end()));
            let longest_m = match self.stretches {
                true => hip_m.distance(ankle_m),
                false => self.ik.longest_m(clip.skeleton(), clip.rotations_at(frame)),
            };
            self.longest_m.push(longest_m.max(hip_m.distance(ankle_m)));
            self.farthest_m.push((FARTHEST_SHARE * longest_m).max(hip_m.distance(ankle_m)));
            self.reach_m.push((reach_share * longest_m).max(hip_m.distance(ankle_m)));
            self.hip_m.push(hip_m);
            self.ankle_m.push(ankle_m);
            self.world_from_end.push(pose.world_from_joint[self.ik.end().index()]);
            if let Some(heel) = &mut self.heel {
                heel.ball_m.push(pose.joint_in_world_m[heel.toe.index()]);
            }
        }
        so3::align_hemispheres(&mut self.world_from_end);
        if let Some(heel) = &mut self.heel {
            heel.across = across(&self.plants, &self.ankle_m, &heel.ball_m);
        }
    }
}

/// Across the foot as it stands in each contact; between two contacts, that of the nearer.
fn across(plants: &[Plant], ankle_m: &[DVec3], ball_m: &[DVec3]) -> Vec<DVec3> {
    let of_keys = |keys: Range<usize>| {
        let ahead: DVec3 = keys.map(|key| (ball_m[key] - ankle_m[key]).with_y(0.0)).sum();
        DVec3::Y.cross(ahead.normalize_or(DVec3::Z))
    };
    let of_plants: Vec<DVec3> = plants.iter().map(|plant| of_keys(plant.keys.clone())).collect();
    let from =
        |key: usize, plant: &Plant| plant.keys.start.saturating_sub(key).max((key + 1).saturating_sub(plant.keys.end));
    (0..ankle_m.len())
        .map(|key| {
            let next = plants.partition_point(|plant| plant.keys.end <= key);
            let near = [next.checked_sub(1), Some(next).filter(|&next| next < plants.len())].into_iter().flatten();
            match near.min_by_key(|&plant| from(key, &plants[plant])) {
                Some(plant) => of_plants[plant],
                None => of_keys(key..key + 1),
            }
        })
        .collect()
}

fn is_down(source: &PathSource, spans: &[(f64, f64)]) -> Vec<bool> {
    let mut down = vec![false; source.keys()];
    for &(start_secs, end_secs) in spans {
        down[source.keys_between(start_secs, end_secs)].fill(true);
    }
    down
}

/// See [`Heel::free`]; a foot in the air is as free as it is held, so that a raised heel comes down as the foot leaves.
fn heel_freedom(source: &PathSource, heel_down: &[(f64, f64)], carried: &[FootKey]) -> Vec<f64> {
    let apart_secs = |at_secs: f64| {
        let from = |&(start_secs, end_secs): &(f64, f64)| (start_secs - at_secs).max(at_secs - end_secs).max(0.0);
        heel_down.iter().map(from).fold(f64::INFINITY, f64::min)
    };
    let free = |(&at_secs, carried): (&f64, &FootKey)| smoothstep(apart_secs(at_secs) / HEEL_SECS) * carried.held();
    source.times_secs.iter().zip(carried).map(free).collect()
}

/// Contacts in keys, each with the root key nearest to it on the ground.
fn plants(source: &PathSource, foot: &Foot) -> Vec<Plant> {
    let mut plants: Vec<Plant> = Vec::new();
    for &(start_secs, end_secs) in &foot.stances {
        let keys = source.keys_between(start_secs, end_secs);
        let keys = keys.start.max(plants.last().map_or(0, |plant| plant.keys.end))..keys.end;
        if keys.is_empty() {
            continue;
        }
        let centre_m = foot.centre_m[keys.clone()].iter().copied().sum::<DVec3>() / keys.len() as f64;
        let centre = on_plane(centre_m);
        let middle_secs = 0.5 * (source.times_secs[keys.start] + source.times_secs[keys.end - 1]);
        let near = source.keys_between(middle_secs - NEAREST_SECS, middle_secs + NEAREST_SECS);
        let apart_m = |key: usize| (source.ground_m[key] - centre).norm();
        let least_m = near.clone().map(apart_m).fold(f64::INFINITY, f64::min);
        let from_middle = |key: usize| (source.times_secs[key] - middle_secs).abs();
        let nearest = near
            .filter(|&key| apart_m(key) <= least_m + AS_NEAR_M)
            .min_by(|&a, &b| from_middle(a).total_cmp(&from_middle(b)));
        plants.push(Plant { key: nearest.unwrap_or(keys.start), keys });
    }
    plants
}

/// The root key of every key of a foot.
fn carried(source: &PathSource, plants: &[Plant], ahead: f64) -> Vec<FootKey> {
    let last = (source.keys() - 1) as f64;
    let secs = |key: usize| source.times_secs[key];
    (0..source.keys())
        .map(|key| {
            let own = (key as f64 + ahead).clamp(0.0, last);
            let next = plants.partition_point(|plant| plant.keys.end <= key);
            if let Some(plant) = plants.get(next).filter(|plant| plant.keys.contains(&key)) {
                return FootKey { at: plant.key as f64, before: (next as u32, 1.0), after: (0, 0.0) };
            }
            let (from, to) = (next.checked_sub(1), plants.get(next).map(|_| next));
            let off = from.map(|from| plants[from].keys.end - 1);
            let on = to.map(|to| plants[to].keys.start);
            let blend_secs = blend_secs(source, off, on);
            let left = off.map_or(0.0, |off| 1.0 - smootherstep((secs(key) - secs(off)) / blend_secs));
            let come = on.map_or(0.0, |on| 1.0 - smootherstep((secs(on) - secs(key)) / blend_secs));
            FootKey { at: own, before: (from.unwrap_or(0) as u32, left), after: (to.unwrap_or(0) as u32, come) }
        })
        .collect()
}

/// How many keys the root key of a contact is ahead of the contact's middle, the median over contacts.
fn usual_lead(plants: &[Plant]) -> f64 {
    let middle = |plant: &Plant| 0.5 * (plant.keys.start + plant.keys.end - 1) as f64;
    let mut leads: Vec<f64> = plants.iter().map(|plant| plant.key as f64 - middle(plant)).collect();
    leads.sort_by(f64::total_cmp);
    leads.get(leads.len() / 2).copied().unwrap_or(0.0)
}

/// Over which time a foot leaves one contact and comes to the next; the two never overlap. At the ends of the clip it
/// is never shortened: the other contact lies outside.
fn blend_secs(source: &PathSource, off: Option<usize>, on: Option<usize>) -> f64 {
    match (off, on) {
        (Some(off), Some(on)) => BLEND_SECS.min(0.5 * (source.times_secs[on] - source.times_secs[off])),
        _ => BLEND_SECS,
    }
}

/// 6u⁵ − 15u⁴ + 10u³: acceleration too is none at both ends.
pub(super) fn smootherstep(u: f64) -> f64 {
    let u = u.clamp(0.0, 1.0);
    u * u * u * (u * (6.0 * u - 15.0) + 10.0)
}

/// The transform of a root key: w ↦ to + turn·(w − from).
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Move {
    pub from_m: Complex64,
    pub to_m: Complex64,
    pub turn_rad: f64,
    pub turn: Complex64,
    /// Sine and cosine of half the turn.
    half: (f64, f64),
}

impl Move {
    pub fn new(from_m: Complex64, to_m: Complex64, turn_rad: f64) -> Self {
        let (sin, cos) = (0.5 * turn_rad).sin_cos();
        let turn = Complex64::new(cos * cos - sin * sin, 2.0 * sin * cos);
        Self { from_m, to_m, turn_rad, turn, half: (sin, cos) }
    }

    /// Where a point of the ground goes.
    pub fn ground(&self, w: Complex64) -> Complex64 {
        self.to_m + self.turn * (w - self.from_m)
    }

    /// Where a point of the world goes, raised.
    pub fn point_m(&self, point_m: DVec3, rise_m: f64) -> DVec3 {
        in_world(self.ground(on_plane(point_m)), point_m.y + rise_m)
    }

    pub fn rotation(&self) -> DQuat {
        DQuat::from_xyzw(0.0, self.half.0, 0.0, self.half.1)
    }
}
