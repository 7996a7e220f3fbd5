//! Joints that jump from one frame to the next.
//!
//! Two looks at each joint: how its own turn changes, and where it is. At 30 Hz an honest landing turns a foot by 36°
//! from frame to frame, so turns alone would miss pops there or accuse landings; places tell them apart.

use crate::median::median;
use crate::posed::{JointPaths, Posed};
use crate::report::body_limits::Limit;
use crate::report::evidence::Evidence;
use crate::report::moments::{Fault, Moment};
use aplomb_motion::{BodyPlan, FrameIndex, JointId, Role, Roles, so3};
use glam::{DQuat, DVec3};

/// A jump is this many times what is usual around it.
const JUMP_RATIO: f64 = 5.0;
/// In surroundings this much quieter a turn needs no allowance for the frame rate.
const QUIET_RATIO: f64 = 20.0;
/// Half the window that says what is usual, s, and frames at least.
const POP_AROUND_SECS: f64 = 0.15;
const LEAST_POP_AROUND: usize = 3;
/// So many jumps count; a broken recording is not worse for having more.
const MOST_COUNTED: usize = 12;
/// Jumps nearer to each other are one fault, s.
const SAME_MOMENT_SECS: f64 = 0.1;
/// A joint that shows this share of the farthest one's jump, and lies above it, is the one to blame.
const SHARE_OF_CULPRIT: f64 = 0.6;
/// With fewer joints that have a role, all are watched.
const LEAST_WATCHED: usize = 3;
/// A joint turned by more between two jumps is the wrong way round, degrees.
const LEAST_FLIP_DEG: f64 = 90.0;
/// A flip that lasts longer is a pose, s.
const LONGEST_FLIP_SECS: f64 = 1.5;

/// A jump of one joint.
#[derive(Clone, Copy)]
struct Pop {
    fault: Fault,
    row: usize,
    joint: JointId,
    size: f64,
    allowance: f64,
    cost: f64,
}

/// All jumps, as moments: one a cluster in time, with the joint to blame.
pub(super) fn find(evidence: &Evidence<'_>, posed: &Posed, hz: f64, moments: &mut Vec<Moment>) {
    let radius = ((POP_AROUND_SECS * hz).round() as usize).max(LEAST_POP_AROUND);
    let slow = (120.0 / hz).max(1.0);
    // What is of one piece turns its speed round in a frame when it bounces.
    if evidence.roles.plan() == BodyPlan::Single {
        return;
    }
    let joints = watched(evidence.roles, evidence.clip.skeleton().len());
    let mut pops = largest(turn_pops(evidence, &joints, posed.rows(), radius, slow));
    let limit = evidence.options.body_limits.place_pop_mm.scaled(slow.powf(0.4));
    pops.extend(largest(place_pops(&posed.paths(), &joints, radius, limit)));
    pops.sort_by_key(|pop| pop.row);
    let same = (SAME_MOMENT_SECS * hz).round() as usize;
    let mut clusters: Vec<Vec<Pop>> = Vec::new();
    for pop in pops {
        match clusters.last_mut() {
            Some(last) if last.last().is_some_and(|before| pop.row - before.row <= same) => last.push(pop),
            _ => clusters.push(vec![pop]),
        }
    }
    moments.extend(clusters.iter().map(|cluster| as_moment(evidence, cluster)));
    merge_flips(evidence, moments);
}

/// Trunk, head and limbs. Toes, fingers and thumbs are left out: optical captures hold hardly any data of them, and
/// their joints spin freely in many clips that are right. Paws flick by 50° in a frame at a gallop.
fn watched(roles: &Roles, joint_count: usize) -> Vec<JointId> {
    let is_watched = |joint: &JointId| match roles.role(*joint) {
        Some(Role::Toe(_) | Role::Finger(..) | Role::Eye(_) | Role::Ear(_) | Role::Jaw | Role::Tail(_)) | None => false,
        Some(Role::Helper | Role::SceneRoot) => false,
        Some(Role::Hand(_) | Role::Foot(_)) => roles.plan() != BodyPlan::Quadruped,
        Some(_) => true,
    };
    let known: Vec<JointId> = (0..joint_count).map(JointId::new).filter(is_watched).collect();
    if known.len() >= LEAST_WATCHED { known } else { (0..joint_count).map(JointId::new).collect() }
}

fn largest(mut pops: Vec<Pop>) -> Vec<Pop> {
    pops.sort_by(|a, b| b.cost.total_cmp(&a.cost).then(a.row.cmp(&b.row)).then(a.joint.cmp(&b.joint)));
    pops.truncate(MOST_COUNTED);
    pops
}

/// Changes of joints' own turns: ‖w(i) − w(i−1)‖, w the rotation vector from a frame to the next.
fn turn_pops(evidence: &Evidence<'_>, joints: &[JointId], rows: usize, radius: usize, slow: f64) -> Vec<Pop> {
    let clip = evidence.clip;
    let local = |row: usize, joint: usize| clip.rotations_at(FrameIndex(row + evidence.first_frame))[joint];
    let turn = |row: usize, joint: usize| {
        let step = local(row - 1, joint).conjugate() * local(row, joint);
        // Twice the sine of half the angle: near enough to find what is worth a closer look.
        DVec3::new(step.x, step.y, step.z) * (2.0 * step.w.signum())
    };
    let limit = evidence.options.body_limits.turn_pop_deg;
    let least = limit.allowance.to_radians() * 0.8;
    let mut before = vec![DVec3::ZERO; joints.len()];
    let mut candidates: Vec<(usize, usize)> = Vec::new();
    for row in 1..rows.saturating_sub(1) {
        for (&joint, before) in joints.iter().zip(&mut before) {
            let now = turn(row, joint.index());
            // The first and the last frame are often put there by a converter.
            if row > 2 && (now - *before).length_squared() > least * least {
                candidates.push((row, joint.index()));
            }
            *before = now;
        }
    }
    let exact = |row: usize, joint: usize| {
        let turn = |row: usize| so3::log(hemisphere(local(row - 1, joint).conjugate() * local(row, joint)));
        (turn(row) - turn(row - 1)).length().to_degrees()
    };
    let found = candidates.into_iter().filter_map(|(row, joint)| {
        let size = exact(row, joint);
        let around = row.saturating_sub(radius).max(2)..(row + radius + 1).min(rows);
        let usual = median(&mut around.map(|near| exact(near, joint)).collect::<Vec<_>>())?;
        let limit = if size > QUIET_RATIO * usual { limit } else { limit.scaled(slow.sqrt()) };
        pop(Fault::TurnPops, (row, joint), size, usual, limit)
    });
    found.collect()
}

/// Second differences of joints' places, mm.
fn place_pops(paths: &JointPaths<'_>, joints: &[JointId], radius: usize, limit: Limit) -> Vec<Pop> {
    let rows = paths.frames();
    let exact = |row: usize, joint: usize| {
        let at = |row: usize| paths.at(row, JointId::new(joint));
        1000.0 * (at(row - 1) + at(row + 1) - at(row) * 2.0).length()
    };
    let mut found = Vec::new();
    for row in 2..rows.saturating_sub(2) {
        for joint in joints.iter().map(|joint| joint.index()) {
            let size = exact(row, joint);
            if size <= limit.allowance {
                continue;
            }
            let around = row.saturating_sub(radius).max(1)..(row + radius + 1).min(rows - 1);
            let Some(usual) = median(&mut around.map(|near| exact(near, joint)).collect::<Vec<_>>()) else { continue };
            found.extend(pop(Fault::PlacePops, (row, joint), size, usual, limit));
        }
    }
    found
}

fn pop(fault: Fault, (row, joint): (usize, usize), size: f64, usual: f64, limit: Limit) -> Option<Pop> {
    let cost = limit.cost(size);
    let stands_out = size > JUMP_RATIO * usual && cost > 0.0;
    stands_out.then(|| Pop { fault, row, joint: JointId::new(joint), size, allowance: limit.allowance, cost })
}

/// The shorter way round.
fn hemisphere(q: DQuat) -> DQuat {
    if q.w < 0.0 { -q } else { q }
}

/// Jumps at one time: the joint that turned most is to blame, or, where none turned, the highest one that moved.
fn as_moment(evidence: &Evidence<'_>, cluster: &[Pop]) -> Moment {
    let by_cost = |pop: &&Pop| pop.fault == Fault::TurnPops;
    let turned = cluster.iter().filter(by_cost).max_by(|a, b| a.cost.total_cmp(&b.cost));
    let farthest = cluster.iter().max_by(|a, b| a.cost.total_cmp(&b.cost)).unwrap_or(&cluster[0]);
    let highest = cluster.iter().filter(|pop| pop.size >= SHARE_OF_CULPRIT * farthest.size).min_by_key(|pop| pop.joint);
    let blamed = turned.or(highest).unwrap_or(farthest);
    let secs = |row: usize| evidence.times_secs.get(row).copied().unwrap_or(0.0);
    let rows = cluster.iter().map(|pop| pop.row);
    Moment {
        fault: blamed.fault,
        joint: Some(evidence.clip.skeleton().joint(blamed.joint).name.clone()),
        other: None,
        start_secs: secs(rows.clone().min().unwrap_or(0)),
        end_secs: secs(rows.max().unwrap_or(0)),
        secs: secs(blamed.row),
        size: blamed.size,
        allowance: blamed.allowance,
        cost: cluster.iter().map(|pop| pop.cost).sum(),
    }
}

/// Two jumps of one joint that is the wrong way round between them are one fault.
fn merge_flips(evidence: &Evidence<'_>, moments: &mut Vec<Moment>) {
    let local = |secs: f64, ahead: isize, joint: JointId| {
        let row = evidence.times_secs.partition_point(|time| *time < secs - 1e-9);
        let row = row.saturating_add_signed(ahead).min(evidence.times_secs.len() - 1);
        evidence.clip.rotations_at(FrameIndex(row + evidence.first_frame))[joint.index()]
    };
    let mut first = 0;
    while first < moments.len() {
        let entry = &moments[first];
        let is_exit = |exit: &Moment| {
            let joint = entry.joint.as_deref().and_then(|name| evidence.clip.skeleton().find(name))?;
            let near = exit.start_secs > entry.start_secs && exit.end_secs - entry.start_secs < LONGEST_FLIP_SECS;
            if !(near && exit.fault == Fault::TurnPops && exit.joint == entry.joint) {
                return None;
            }
            let before = local(entry.start_secs, -1, joint);
            let between = local(0.5 * (entry.end_secs + exit.start_secs), 0, joint);
            let turned_deg = so3::angle_between(before, between).to_degrees();
            let left_deg = so3::angle_between(before, local(exit.end_secs, 1, joint)).to_degrees();
            (turned_deg > LEAST_FLIP_DEG && left_deg < 0.5 * turned_deg).then_some(turned_deg)
        };
        let found = (entry.fault == Fault::TurnPops).then(|| {
            let mut others = moments.iter().enumerate();
            others.find_map(|(index, exit)| is_exit(exit).map(|turned_deg| (index, turned_deg)))
        });
        if let Some((index, turned_deg)) = found.flatten() {
            let (end_secs, cost) = (moments[index].end_secs, moments[index].cost);
            let flip = &mut moments[first];
            (flip.fault, flip.size, flip.allowance) = (Fault::Flipped, turned_deg, LEAST_FLIP_DEG);
            (flip.end_secs, flip.cost) = (end_secs, flip.cost + cost);
            moments.remove(index);
        }
        first += 1;
    }
}
