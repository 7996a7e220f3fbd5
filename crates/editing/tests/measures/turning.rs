//! How people lean when they turn or speed up.

use super::{mean, step_secs};
use aplomb_motion::signal::gaussian::Gaussian;
use aplomb_motion::signal::{SampleTimes, derivative};
use aplomb_motion::{Clip, JointId, Role, Roles, Side, WorldPose};
use aplomb_physics::Body;
use glam::DVec3;

/// How a walk turns, frame by frame.
pub struct Turning {
    /// v²κ/g, positive towards the side.
    pub needed: Vec<f64>,
    pub lean_rad: Vec<f64>,
    /// Of the trunk, from hips to neck, towards the side.
    pub trunk_rad: Vec<f64>,
    pub ahead_speed: Vec<f64>,
    pub ahead_lean_rad: Vec<f64>,
    pub step_secs: f64,
}

impl Turning {
    pub fn of(clip: &Clip, roles: &Roles, body: &Body, side: Side) -> Self {
        let ankles = Side::BOTH.map(|side| roles.joint(Role::Foot(side)).unwrap());
        let (hips, neck) = (roles.joint(Role::Hips).unwrap(), roles.joint(Role::Neck(0)).unwrap());
        let mut pose = WorldPose::for_skeleton(clip.skeleton());
        let (mut coms_m, mut overs_m, mut trunks_m) = (Vec::new(), Vec::new(), Vec::new());
        for frame in clip.frames() {
            pose.pose(clip, frame);
            let at = |joint: JointId| pose.joint_in_world_m[joint.index()];
            coms_m.push(body.com_in_world_m(&pose));
            overs_m.push(body.com_in_world_m(&pose) - at(ankles[0]).midpoint(at(ankles[1])));
            trunks_m.push(at(neck) - at(hips));
        }
        let step_secs = step_secs(clip);
        let times = SampleTimes::uniform(step_secs).unwrap();
        let way = Gaussian::from_window_secs(1.0, step_secs).unwrap().smooth(&coms_m);
        let (velocity, acceleration) = (derivative::first(&way, times), derivative::second(&way, times));
        let mut found = Self {
            needed: Vec::new(),
            lean_rad: Vec::new(),
            trunk_rad: Vec::new(),
            ahead_speed: Vec::new(),
            ahead_lean_rad: Vec::new(),
            step_secs,
        };
        for frame in 0..coms_m.len() {
            let ahead = velocity[frame].with_y(0.0).normalize_or_zero();
            let inward = if side == Side::Left { DVec3::Y.cross(ahead) } else { ahead.cross(DVec3::Y) };
            found.needed.push(acceleration[frame].dot(inward) / 9.81);
            found.lean_rad.push(overs_m[frame].dot(inward).atan2(overs_m[frame].y));
            found.trunk_rad.push(trunks_m[frame].dot(inward).atan2(trunks_m[frame].y));
            found.ahead_speed.push(velocity[frame].with_y(0.0).length());
            found.ahead_lean_rad.push(overs_m[frame].dot(ahead).atan2(overs_m[frame].y));
        }
        found
    }

    /// The frames that turn at least half as much as the tightest, the outer 0.5 s left out.
    pub fn tightest(&self) -> Vec<usize> {
        let edge = ((0.5 / self.step_secs) as usize).min(self.needed.len() / 4);
        let inside = edge..self.needed.len() - edge;
        let most = inside.clone().map(|frame| self.needed[frame]).fold(f64::NEG_INFINITY, f64::max);
        inside.filter(|&frame| self.needed[frame] >= 0.5 * most).collect()
    }

    /// How far the trunk swings from side to side about its own slow lean, root mean square over the middle.
    pub fn swing_deg(&self) -> f64 {
        let slow = Gaussian::from_window_secs(2.0, self.step_secs).unwrap().smooth(&self.trunk_rad);
        let frames = self.trunk_rad.len();
        let squares = (frames / 5..frames - frames / 5).map(|i| (self.trunk_rad[i] - slow[i]).powi(2));
        mean(&squares.collect::<Vec<_>>()).sqrt().to_degrees()
    }
}

/// How a motion leans ahead while it gets faster.
#[derive(Debug)]
pub struct SpeedingUp {
    /// More than at even speed, degrees.
    pub lean_deg: f64,
    /// What the acceleration asks for, atan(a/g), degrees.
    pub needed_deg: f64,
    /// How both go together.
    pub correlation: f64,
}

impl SpeedingUp {
    /// Percent.
    pub fn share(&self) -> f64 {
        self.lean_deg / self.needed_deg * 100.0
    }
}

/// Mean lean while speeding up less that at even speed, what the acceleration asks for, and how both go together.
pub fn ahead(motion: &Turning) -> SpeedingUp {
    let times = SampleTimes::uniform(motion.step_secs).unwrap();
    let rate = derivative::first(&motion.ahead_speed, times);
    let lean = Gaussian::from_window_secs(1.0, motion.step_secs).unwrap().smooth(&motion.ahead_lean_rad);
    let edge = ((0.4 / motion.step_secs) as usize).min(rate.len() / 4);
    let inside: Vec<usize> = (edge..rate.len() - edge).collect();
    let most = inside.iter().map(|&frame| rate[frame]).fold(0.0, f64::max);
    let of = |wanted: &dyn Fn(usize) -> bool, values: &[f64]| {
        mean(&inside.iter().filter(|&&frame| wanted(frame)).map(|&frame| values[frame]).collect::<Vec<_>>())
    };
    let (quick, even) = (|frame: usize| rate[frame] > 0.5 * most, |frame: usize| rate[frame].abs() < 0.25 * most);
    let (a, b) = (of(&|_| true, &rate), of(&|_| true, &lean));
    let product =
        |x: &[f64], x0: f64, y: &[f64], y0: f64| inside.iter().map(|&i| (x[i] - x0) * (y[i] - y0)).sum::<f64>();
    let correlation = product(&rate, a, &lean, b) / (product(&rate, a, &rate, a) * product(&lean, b, &lean, b)).sqrt();
    let lean_deg = (of(&quick, &lean) - of(&even, &lean)).to_degrees();
    let needed_deg = ((of(&quick, &rate) - of(&even, &rate)) / 9.81).atan().to_degrees();
    SpeedingUp { lean_deg, needed_deg, correlation }
}
