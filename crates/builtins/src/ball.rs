//! A bouncing ball that rolls out.

use crate::draft::{RATE_HZ, STEP_SECS};
use crate::{BuiltError, BuiltMotion, MassPoint, PlannedContact};
use aplomb_motion::{Axis, Channels, Clip, ClipError, FrameTime, Skeleton, Timeline, TranslationTrack};
use aplomb_physics::GRAVITY;
use glam::{DQuat, DVec3};
use std::f64::consts::PI;
use std::sync::Arc;

const RADIUS_M: f64 = 0.12;
const DROP_M: f64 = 1.5;
/// Speed kept at a bounce.
const RESTITUTION: f64 = 0.80;
const FORWARD_SPEED: f64 = 0.6;
const CONTACT_SECS: f64 = 0.035;
/// Slower bounces are the end of bouncing.
const ROLL_SPEED: f64 = 0.35;
const ROLL_SECS: f64 = 1.2;

/// A stretch of the ball's height: from `start_secs` on, height, speed, and the half-sine force of a contact if there
/// is one.
struct Stretch {
    start_secs: f64,
    height_m: f64,
    speed: f64,
    force: f64,
}

impl Stretch {
    fn height_m(&self, t: f64) -> f64 {
        let s = t - self.start_secs;
        let w = PI / CONTACT_SECS;
        let fall = self.height_m + self.speed * s - 0.5 * GRAVITY * s * s;
        fall + self.force * (s / w - (w * s).sin() / (w * w))
    }
}

/// Dropped from 1.5 m at 0.6 m/s forward.
pub fn bounce() -> Result<BuiltMotion, BuiltError> {
    let mut stretches = vec![Stretch { start_secs: 0.0, height_m: DROP_M, speed: 0.0, force: 0.0 }];
    let mut contacts = Vec::new();
    let mut settle_secs = 0.0;
    // Heights fall by 0.64 a bounce: from 1.4 m to 6 mm takes twelve. The bound only guards against a slip in the
    // constants.
    for _ in 0..40 {
        let Some(flight) = stretches.last() else { break };
        let fall = flight.speed.powi(2) + 2.0 * GRAVITY * (flight.height_m - RADIUS_M);
        if fall <= 0.0 || flight.start_secs > 0.0 && flight.speed < ROLL_SPEED {
            settle_secs = flight.start_secs;
            break;
        }
        let on_secs = flight.start_secs + (flight.speed + fall.sqrt()) / GRAVITY;
        let down = fall.sqrt();
        // ∫ F sin = 2F·T/π has to carry the ball's weight and turn its speed round.
        let force = ((1.0 + RESTITUTION) * down + GRAVITY * CONTACT_SECS) * PI / (2.0 * CONTACT_SECS);
        let contact = Stretch { start_secs: on_secs, height_m: RADIUS_M, speed: -down, force };
        let off_secs = on_secs + CONTACT_SECS;
        let height_m = contact.height_m(off_secs);
        contacts.push((on_secs, off_secs));
        stretches.push(contact);
        stretches.push(Stretch { start_secs: off_secs, height_m, speed: RESTITUTION * down, force: 0.0 });
    }
    let end_secs = settle_secs + ROLL_SECS;
    let frames = (end_secs * RATE_HZ) as usize + 1;
    contacts.push((settle_secs, (frames - 1) as f64 * STEP_SECS));
    let height_m = |t: f64| {
        let last = stretches.partition_point(|stretch| stretch.start_secs <= t).max(1) - 1;
        let Some(stretch) = stretches.get(last) else { return RADIUS_M };
        if t >= settle_secs {
            // What is left of the last bounce dies out within a tenth of a second.
            let s = t - settle_secs;
            let jet = [stretch.height_m, stretch.speed, -GRAVITY];
            return if s < 0.1 {
                crate::curves::Quintic::new(0.0, jet, 0.1, [RADIUS_M, 0.0, 0.0]).at(s)
            } else {
                RADIUS_M
            };
        }
        stretch.height_m(t)
    };
    let mut builder = Skeleton::builder();
    let ball = builder.add(None, "Ball", DVec3::Y * RADIUS_M, Channels::rotating([Axis::Z, Axis::X, Axis::Y], true));
    builder.end_site(ball, DVec3::Y * RADIUS_M);
    let positions_m: Vec<DVec3> = (0..frames)
        .map(|frame| {
            let t = frame as f64 * STEP_SECS;
            DVec3::new(0.0, height_m(t), FORWARD_SPEED * t)
        })
        .collect();
    let rotations = positions_m.iter().map(|p| DQuat::from_rotation_x(p.z / RADIUS_M)).collect();
    let timeline = Timeline::Uniform(FrameTime::from_hz(RATE_HZ).map_err(ClipError::from)?);
    let track = TranslationTrack { joint: ball, positions_m };
    let clip = Clip::new(Arc::new(builder.build()?), timeline, frames, rotations, vec![track])?;
    let contact = |(start_secs, end_secs)| PlannedContact {
        effector: "ball".into(),
        joint: ball,
        point_in_joint_m: DVec3::ZERO,
        start_secs,
        end_secs,
    };
    let masses = vec![MassPoint { joint: 0, share: 1.0, at_m: DVec3::ZERO }];
    Ok(BuiltMotion { clip, contacts: contacts.into_iter().map(contact).collect(), masses })
}
