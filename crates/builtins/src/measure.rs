//! What a built-in clip achieved, read off the clip itself: drift, balance, gravity, ranges. Tests and the table in the
//! docs use it.

use crate::BuiltMotion;
use aplomb_motion::{FrameIndex, JointId, WorldPose};
use aplomb_physics::GRAVITY;
use glam::{DVec2, DVec3};

/// Half the width of what stands on the ground: sole, paw.
const FOOT_HALF_WIDTH_M: f64 = 0.0375;
/// Half the size of the patch a seat gives.
const SEAT_HALF_M: f64 = 0.12;

/// A free flight.
#[derive(Clone, Debug, PartialEq)]
pub struct Flight {
    /// First airborne frame's time.
    pub start_secs: f64,
    /// Last airborne frame's time.
    pub end_secs: f64,
    /// Of the parabola fitted to the centre of mass.
    pub gravity: f64,
    /// Greatest distance from that parabola, all three directions.
    pub residual_m: f64,
}

/// The figures of one clip.
#[derive(Clone, Debug, PartialEq)]
pub struct Figures {
    /// Greatest way a planned contact point moves while it should rest.
    pub drift_m: f64,
    /// How far the point where the ground has to push lies outside what is planned to touch: mean over frames whose
    /// vertical force exceeds 0.3 body weights.
    pub pressure_mean_m: f64,
    /// The same: 95 % of frames are nearer.
    pub pressure_p95_m: f64,
    /// The same: the worst frame.
    pub pressure_max_m: f64,
    /// Least and greatest vertical force, body weights.
    pub force: (f64, f64),
    /// Gaps between contacts.
    pub flights: Vec<Flight>,
    /// Lowest place of any point that is planned to touch at some time: heels, toes, paws.
    pub lowest_m: f64,
    /// Least and greatest flexion of both knees (hind legs of a quadruped), degrees; none without knees.
    pub knee_deg: Option<(f64, f64)>,
    /// Greatest angular acceleration of any joint, rad/s², and its name.
    pub angular_acceleration: (f64, String),
}

/// Measures a clip.
pub fn figures(made: &BuiltMotion) -> Figures {
    let clip = &made.clip;
    let mut pose = WorldPose::for_skeleton(clip.skeleton());
    let frames = clip.frame_count();
    let (mut masses, mut touches) = (Vec::new(), Vec::new());
    for frame in clip.frames() {
        pose.pose(clip, frame);
        masses.extend(made.masses.iter().map(|mass| pose.point_in_world_m(JointId::new(mass.joint), mass.at_m)));
        touches.extend(made.contacts.iter().map(|c| pose.point_in_world_m(c.joint, c.point_in_joint_m)));
    }
    let step_secs = clip.time_secs(FrameIndex(1));
    let (pressure, force, com) = pressure_points(made, &masses, frames, step_secs);
    let mut outside: Vec<f64> = (1..frames.saturating_sub(1))
        .filter(|&frame| force[frame] > 0.3)
        .map(|frame| outside_support_m(made, &touches, frame, step_secs, pressure[frame]))
        .collect();
    outside.sort_by(f64::total_cmp);
    let count = outside.len().max(1);
    let loaded = &force[1..frames - 1];
    Figures {
        drift_m: drift_m(made, &touches, frames, step_secs),
        pressure_mean_m: outside.iter().sum::<f64>() / count as f64,
        pressure_p95_m: outside.get(count * 95 / 100).copied().unwrap_or(0.0),
        pressure_max_m: outside.last().copied().unwrap_or(0.0),
        force: range(loaded.iter().copied()),
        flights: flights(made, &com, step_secs),
        lowest_m: touches.iter().map(|p| p.y).fold(f64::INFINITY, f64::min),
        knee_deg: knee_deg(made),
        angular_acceleration: angular_acceleration(made, step_secs),
    }
}

/// Flexion of one knee over the clip, degrees; empty if there is no such joint.
pub fn knee_curve_deg(made: &BuiltMotion, joint: &str) -> Vec<f64> {
    let Some(knee) = made.clip.skeleton().find(joint) else { return Vec::new() };
    made.clip.frames().map(|frame| made.clip.rotation(frame, knee).to_scaled_axis().length().to_degrees()).collect()
}

fn knee_deg(made: &BuiltMotion) -> Option<(f64, f64)> {
    let angles: Vec<f64> = ["LeftLeg", "RightLeg"].iter().flat_map(|joint| knee_curve_deg(made, joint)).collect();
    (!angles.is_empty()).then(|| range(angles.into_iter()))
}

fn range(values: impl Iterator<Item = f64>) -> (f64, f64) {
    values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)))
}

/// Zero moment point, vertical force in body weights and centre of mass, frame by frame, of the point masses.
fn pressure_points(
    made: &BuiltMotion,
    points: &[DVec3],
    frames: usize,
    step_secs: f64,
) -> (Vec<DVec2>, Vec<f64>, Vec<DVec3>) {
    let count = made.masses.len();
    let (mut pressure, mut force, mut com) = (vec![DVec2::ZERO; frames], vec![1.0; frames], Vec::with_capacity(frames));
    for frame in 0..frames {
        let (mut centre, mut moment, mut load_sum) = (DVec3::ZERO, DVec2::ZERO, 0.0);
        for (k, mass) in made.masses.iter().enumerate() {
            let at = |frame: usize| points[frame * count + k];
            centre += at(frame) * mass.share;
            if frame == 0 || frame + 1 == frames {
                continue;
            }
            let x = at(frame);
            let acceleration = (at(frame + 1) - 2.0 * x + at(frame - 1)) / (step_secs * step_secs);
            let load = acceleration.y + GRAVITY;
            moment += (DVec2::new(x.x, x.z) * load - DVec2::new(acceleration.x, acceleration.z) * x.y) * mass.share;
            load_sum += load * mass.share;
        }
        com.push(centre);
        if frame > 0 && frame + 1 < frames {
            force[frame] = load_sum / GRAVITY;
            pressure[frame] = moment / load_sum;
        }
    }
    (pressure, force, com)
}

fn touching(made: &BuiltMotion, frame: usize, step_secs: f64) -> impl Iterator<Item = usize> + '_ {
    let t = frame as f64 * step_secs;
    let slack = 1e-9;
    (0..made.contacts.len())
        .filter(move |&c| t >= made.contacts[c].start_secs - slack && t <= made.contacts[c].end_secs + slack)
}

fn drift_m(made: &BuiltMotion, touches: &[DVec3], frames: usize, step_secs: f64) -> f64 {
    // A ball rolls and a seat gives; what is held are feet and paws.
    let held = |c: usize| made.contacts[c].effector != "ball";
    let count = made.contacts.len();
    let mut first = vec![None; count];
    let mut drift = 0.0_f64;
    for frame in 0..frames {
        for c in touching(made, frame, step_secs).filter(|&c| held(c)) {
            let at = touches[frame * count + c];
            drift = drift.max((at - *first[c].get_or_insert(at)).length());
        }
    }
    drift
}

fn outside_support_m(made: &BuiltMotion, touches: &[DVec3], frame: usize, step_secs: f64, pressure: DVec2) -> f64 {
    let count = made.contacts.len();
    let mut corners = Vec::new();
    // A frame next to a change of contact may lean on what touches in either neighbour: second differences look that
    // far.
    let near = [frame - 1, frame, frame + 1];
    for c in near.into_iter().flat_map(|near| touching(made, near, step_secs)) {
        let at = touches[frame * count + c];
        let half = if made.contacts[c].effector == "hips" { SEAT_HALF_M } else { FOOT_HALF_WIDTH_M };
        // An octagon: the width of a sole whichever way it points.
        for corner in 0..8 {
            let angle = f64::from(corner) * std::f64::consts::FRAC_PI_4;
            corners.push(DVec2::new(at.x, at.z) + DVec2::from_angle(angle) * half);
        }
    }
    distance_to_hull(corners, pressure)
}

/// Distance from a point to the convex hull of others; 0 inside, and 0 when there is nothing to stand on.
fn distance_to_hull(mut points: Vec<DVec2>, from: DVec2) -> f64 {
    points.sort_by(|a, b| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)));
    let half = |points: &mut dyn Iterator<Item = DVec2>| {
        let mut chain: Vec<DVec2> = Vec::new();
        for point in points {
            while let [.., a, b] = chain[..]
                && (b - a).perp_dot(point - b) <= 0.0
            {
                chain.pop();
            }
            chain.push(point);
        }
        chain.pop();
        chain
    };
    let mut hull = half(&mut points.iter().copied());
    hull.extend(half(&mut points.iter().rev().copied()));
    let (mut inside, mut nearest) = (true, f64::INFINITY);
    for (i, &a) in hull.iter().enumerate() {
        let b = hull[(i + 1) % hull.len()];
        let along = ((from - a).dot(b - a) / (b - a).length_squared().max(1e-300)).clamp(0.0, 1.0);
        nearest = nearest.min((from - a - (b - a) * along).length());
        inside &= (b - a).perp_dot(from - a) >= 0.0;
    }
    if inside || hull.is_empty() { 0.0 } else { nearest }
}

/// Gaps of at least five frames between contacts, with the parabola through the centre of mass.
fn flights(made: &BuiltMotion, com: &[DVec3], step_secs: f64) -> Vec<Flight> {
    let airborne: Vec<bool> = (0..com.len()).map(|frame| touching(made, frame, step_secs).next().is_none()).collect();
    let mut flights = Vec::new();
    let mut frame = 0;
    while frame < com.len() {
        let end = (frame..com.len()).find(|&f| !airborne[f]).unwrap_or(com.len());
        if end - frame >= 5 {
            flights.push(fit_flight(com, frame, end, step_secs));
        }
        frame = end + 1;
    }
    flights
}

fn fit_flight(com: &[DVec3], start: usize, end: usize, step_secs: f64) -> Flight {
    // Least squares in the orthogonal polynomials 1, s, s² − ⟨s²⟩ about the middle.
    let middle = 0.5 * (start + end - 1) as f64;
    let s = |frame: usize| (frame as f64 - middle) * step_secs;
    let count = (end - start) as f64;
    let mean_s2 = (start..end).map(|f| s(f) * s(f)).sum::<f64>() / count;
    let basis = |f: usize| [1.0, s(f), s(f) * s(f) - mean_s2];
    let mut fit = [DVec3::ZERO; 3];
    for (k, coefficient) in fit.iter_mut().enumerate() {
        let norm: f64 = (start..end).map(|f| basis(f)[k] * basis(f)[k]).sum();
        *coefficient = (start..end).map(|f| com[f] * basis(f)[k]).sum::<DVec3>() / norm;
    }
    // Free fall bends downwards only: sideways bend counts as residual.
    let bend = fit[2];
    let model = |f: usize| fit[0] + fit[1] * basis(f)[1] + DVec3::Y * bend.y * basis(f)[2];
    Flight {
        start_secs: start as f64 * step_secs,
        end_secs: (end - 1) as f64 * step_secs,
        gravity: -2.0 * bend.y,
        residual_m: (start..end).map(|f| (com[f] - model(f)).length()).fold(0.0, f64::max),
    }
}

fn angular_acceleration(made: &BuiltMotion, step_secs: f64) -> (f64, String) {
    let clip = &made.clip;
    let mut worst = (0.0, String::new());
    for joint in clip.skeleton().ids() {
        let mut last = None;
        for frame in 1..clip.frame_count() {
            let (before, after) =
                (clip.rotation(FrameIndex(frame - 1), joint), clip.rotation(FrameIndex(frame), joint));
            let rate = aplomb_motion::so3::log(before.conjugate() * after) / step_secs;
            if let Some(last) = last.replace(rate) {
                let found = (rate - last).length() / step_secs;
                if found > worst.0 {
                    worst =
                        (found, format!("{} at {:.3} s", clip.skeleton().joint(joint).name, frame as f64 * step_secs));
                }
            }
        }
    }
    worst
}
