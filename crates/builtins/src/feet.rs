//! A foot's whole journey: where it stands, how it rolls, how it swings. Feet are planned first; the body follows.

use crate::curves::{ClampedSpline, Quintic, bump, min_jerk};
use crate::human::{ANKLE_HEIGHT_M, BALL, HEEL};
use glam::{DQuat, DVec3};

/// One time on the ground. Pitch above 0 is heel up: the foot turns about the ball joint; below 0 about the heel.
#[derive(Clone, Copy, Debug)]
pub struct Stance {
    pub on_secs: f64,
    /// The whole sole is down from this time.
    pub flat_secs: f64,
    /// It is down up to this time.
    pub heel_off_secs: f64,
    pub off_secs: f64,
    /// Ankle on the ground plane while flat.
    pub ankle_m: DVec3,
    pub yaw_rad: f64,
    pub pitch_on_deg: f64,
    pub rate_on_deg: f64,
    pub pitch_off_deg: f64,
    pub rate_off_deg: f64,
}

impl Stance {
    /// Stands flat, from before the clip to after it.
    pub fn standing(ankle_m: DVec3, yaw_rad: f64) -> Self {
        let (on_secs, off_secs) = (-1e3, 1e3);
        Self {
            on_secs,
            flat_secs: on_secs,
            heel_off_secs: off_secs,
            off_secs,
            ankle_m,
            yaw_rad,
            pitch_on_deg: 0.0,
            rate_on_deg: 0.0,
            pitch_off_deg: 0.0,
            rate_off_deg: 0.0,
        }
    }

    fn yaw(&self) -> DQuat {
        DQuat::from_rotation_y(self.yaw_rad)
    }

    fn flat_ankle_m(&self) -> DVec3 {
        DVec3::new(self.ankle_m.x, ANKLE_HEIGHT_M, self.ankle_m.z)
    }

    /// A point of the ground, given from the ankle: forward along the foot and towards the body's left.
    pub fn ground_point_m(&self, left_m: f64, forward_m: f64) -> DVec3 {
        let point = self.flat_ankle_m() + self.yaw() * DVec3::new(left_m, 0.0, forward_m);
        DVec3::new(point.x, 0.0, point.z)
    }

    fn pitch_deg(&self, t: f64) -> f64 {
        if t < self.flat_secs {
            let start = [self.pitch_on_deg, self.rate_on_deg, 0.0];
            Quintic::new(self.on_secs, start, self.flat_secs, [0.0; 3]).at(t)
        } else if t > self.heel_off_secs {
            let end = [self.pitch_off_deg, self.rate_off_deg, 0.0];
            Quintic::new(self.heel_off_secs, [0.0; 3], self.off_secs, end).at(t)
        } else {
            0.0
        }
    }

    /// The ball joint at a pitch, with its sole point held.
    fn ball_m(&self, pitch_deg: f64) -> DVec3 {
        let flat = self.flat_ankle_m();
        if pitch_deg >= 0.0 {
            return flat + self.yaw() * BALL;
        }
        let heel = flat + self.yaw() * HEEL;
        heel + self.yaw() * (DQuat::from_rotation_x(pitch_deg.to_radians()) * (BALL - HEEL))
    }
}

/// How a foot travels between two stances. Accelerations are along the travel and upwards, m/s².
#[derive(Clone, Debug)]
pub struct Swing {
    /// Share of the swing, pitch in degrees.
    pub pitch_keys: Vec<(f64, f64)>,
    pub lift_m: f64,
    pub lift_shape: (f64, f64),
    pub first_acceleration: (f64, f64),
    pub last_acceleration: (f64, f64),
    /// Share of the swing after which the toes are straight again.
    pub toes_straight: f64,
}

/// A place of the sole that touches the ground.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SolePoint {
    Heel,
    Ball,
    Toe,
}

impl SolePoint {
    pub fn name(self) -> &'static str {
        match self {
            SolePoint::Heel => "heel",
            SolePoint::Ball => "ball",
            SolePoint::Toe => "toe",
        }
    }
}

/// Where a foot is in one frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FootPose {
    pub ankle_m: DVec3,
    pub world_from_foot: DQuat,
    /// Local rotation of the toes.
    pub toes: DQuat,
}

/// Stances in order, and the swing between them.
#[derive(Clone, Debug)]
pub struct FootPlan {
    pub stances: Vec<Stance>,
    pub swing: Swing,
    /// +1 for the left foot.
    pub side: f64,
}

impl FootPlan {
    /// The foot at a time between the first stance's start and the last one's end.
    pub fn at(&self, t: f64) -> FootPose {
        let next = self.stances.partition_point(|stance| stance.on_secs <= t);
        let stance = &self.stances[next.saturating_sub(1)];
        match self.stances.get(next) {
            Some(following) if t > stance.off_secs => self.swing_pose(stance, following, t),
            _ => stance_pose(stance, t),
        }
    }

    fn swing_pose(&self, from: &Stance, to: &Stance, t: f64) -> FootPose {
        let swing = &self.swing;
        let (start, end) = (from.off_secs, to.on_secs);
        let duration = end - start;
        let u = (t - start) / duration;
        let mut keys = vec![(0.0, from.pitch_off_deg)];
        keys.extend_from_slice(&swing.pitch_keys);
        keys.push((1.0, to.pitch_on_deg));
        let pitch_deg = ClampedSpline::new(keys, from.rate_off_deg * duration, to.rate_on_deg * duration).at(u);
        let yaw_rad = from.yaw_rad + (to.yaw_rad - from.yaw_rad) * min_jerk(u);
        let ball_m = self.swing_ball_m(from, to, t, u);

        // Toes: flat on the ground where the ball carries, in line with the foot elsewhere.
        let straight = swing.toes_straight;
        let mut follow = min_jerk(u / straight);
        if to.pitch_on_deg > 0.0 {
            follow *= 1.0 - min_jerk((u - 0.5) / 0.5);
        }
        let world_from_foot = DQuat::from_rotation_y(yaw_rad) * DQuat::from_rotation_x(pitch_deg.to_radians());
        FootPose {
            ankle_m: ball_m - world_from_foot * BALL,
            world_from_foot,
            toes: DQuat::from_rotation_x(((follow - 1.0) * pitch_deg.max(0.0)).to_radians()),
        }
    }

    fn swing_ball_m(&self, from: &Stance, to: &Stance, t: f64, u: f64) -> DVec3 {
        let swing = &self.swing;
        let (start, end) = (from.off_secs, to.on_secs);
        let (first, last) = (from.ball_m(from.pitch_off_deg), to.ball_m(to.pitch_on_deg));
        // The ball's velocity as the foot rolls over the heel: dR/dφ · (ball − heel) · φ′.
        let e = 1e-4;
        let roll = |pitch_deg: f64| to.ball_m(pitch_deg.min(0.0));
        let last_velocity = (roll(to.pitch_on_deg + e) - roll(to.pitch_on_deg - e)) * (to.rate_on_deg / (2.0 * e));
        let last_velocity = if to.pitch_on_deg < 0.0 { last_velocity } else { DVec3::ZERO };
        let travel = DVec3::new(last.x - first.x, 0.0, last.z - first.z);
        let along = if travel.length() > 0.05 { travel.normalize() } else { to.yaw() * DVec3::Z };
        let a0 = along * swing.first_acceleration.0 + DVec3::Y * swing.first_acceleration.1;
        let a1 = along * swing.last_acceleration.0 + DVec3::Y * swing.last_acceleration.1;
        let turn_rad = to.yaw_rad - from.yaw_rad;
        let component = |i: usize, first: DVec3, last: DVec3| {
            Quintic::new(start, [first[i], 0.0, a0[i]], end, [last[i], last_velocity[i], a1[i]]).at(t)
        };
        let mut ball = if turn_rad.abs() < 0.8 {
            DVec3::new(component(0, first, last), component(1, first, last), component(2, first, last))
        } else {
            // A jump with a turn: on a straight line the feet would pass through each other; they go round the middle
            // between their stances instead.
            let centre = |stance: &Stance| stance.ground_point_m(-self.side * TURN_HALF_WIDTH_M, TURN_FORWARD_M);
            let (c0, c1) = (centre(from), centre(to));
            let s = min_jerk(u);
            let arm0 = first - c0;
            let arm1 = DQuat::from_rotation_y(-turn_rad) * (last - c1);
            let arm = arm0 + (arm1 - arm0) * s;
            let mut ball = c0 + (c1 - c0) * s + DQuat::from_rotation_y(turn_rad * s) * arm;
            ball.y = component(1, first, last);
            ball
        };
        ball.y += swing.lift_m * bump(u, swing.lift_shape);
        ball
    }

    /// Heel, ball and toe contacts between two times: (which, start, end).
    pub fn contacts(&self, from_secs: f64, to_secs: f64) -> Vec<(SolePoint, f64, f64)> {
        let mut contacts = Vec::new();
        for stance in &self.stances {
            let heel_on = if stance.pitch_on_deg > 0.0 { stance.flat_secs } else { stance.on_secs };
            let ball_on = if stance.pitch_on_deg > 0.0 { stance.on_secs } else { stance.flat_secs };
            for (point, start, end) in [
                (SolePoint::Heel, heel_on, stance.heel_off_secs),
                (SolePoint::Ball, ball_on, stance.off_secs),
                (SolePoint::Toe, ball_on, stance.off_secs),
            ] {
                let (start, end) = (start.max(from_secs), end.min(to_secs));
                if end > start {
                    contacts.push((point, start - from_secs, end - from_secs));
                }
            }
        }
        contacts
    }
}

/// Half turns go round a point this far inside each ankle.
const TURN_HALF_WIDTH_M: f64 = 0.10;
/// They go round a point this far ahead of it: the middle of the sole.
const TURN_FORWARD_M: f64 = 0.05;

fn stance_pose(stance: &Stance, t: f64) -> FootPose {
    let pitch_deg = stance.pitch_deg(t);
    let world_from_foot = stance.yaw() * DQuat::from_rotation_x(pitch_deg.to_radians());
    FootPose {
        ankle_m: stance.ball_m(pitch_deg) - world_from_foot * BALL,
        world_from_foot,
        toes: DQuat::from_rotation_x(-pitch_deg.max(0.0).to_radians()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::human::BALL_HEIGHT_M;

    #[test]
    fn a_rolling_foot_keeps_its_sole_point() {
        let stance = Stance {
            on_secs: 0.0,
            flat_secs: 0.1,
            heel_off_secs: 0.4,
            off_secs: 0.6,
            pitch_on_deg: -20.0,
            rate_on_deg: 100.0,
            pitch_off_deg: 55.0,
            rate_off_deg: 200.0,
            ..Stance::standing(DVec3::new(0.1, 0.0, 2.0), 0.2)
        };
        for step in 0..=60 {
            let pose = stance_pose(&stance, step as f64 * 0.01);
            let (point, rest) = if step <= 10 { (HEEL, 0.0) } else { (BALL, BALL_HEIGHT_M) };
            let sole = pose.ankle_m + pose.world_from_foot * point;
            let expected = stance.flat_ankle_m() + stance.yaw() * point;
            assert!((sole - expected).length() < 1e-12 && (sole.y - rest).abs() < 1e-12, "{step}");
        }
    }
}
