//! What goals ask of a person around a flight: known from the clip's flight and the goals alone, before anything is
//! fitted or solved.

use super::goals::{Goals, WhichSide, WhichStage};
use super::start::RAMP_SECS;
use super::subject::{contacts_of, counted_flights};
use crate::EditingError;
use crate::beyond_people::{BeyondPeople, largest_share, rounded_down};
use crate::level_push::{RUN_UP_SECS, run_up_in_words};
use crate::short_number;
use aplomb_analysis::Take;
use aplomb_motion::{FrameIndex, Role, Side, WorldPose};
use aplomb_physics::human_limits::{
    Pushing, most_push, most_takeoff_speed, most_takeoff_up, most_turn_in_air, takeoff_up, widened,
};
use aplomb_physics::{GRAVITY, HumanLimit};
use glam::DVec3;

/// A push along the ground has a peak: so many times its mean.
const PEAK_OVER_MEAN: f64 = 1.15;
/// Half twists of all captured jumps converge and land on their feet (docs/algorithms/adapt.md, measured), degrees.
const MOST_PROVEN_DEG: f64 = 180.0;
/// Velocities are differences over so long a time, s.
const VELOCITY_SECS: f64 = 0.1;

/// What no person can do of goals, if anything: the worst of it, with the most that people can. Nothing is said of
/// clips whose flight is not known; the fit says what is wrong with them.
pub fn beyond_people(take: &Take, goals: &Goals) -> Result<Option<BeyondPeople>, EditingError> {
    goals.check()?;
    let Some(jump) = Jump::of(take, goals.flight)? else { return Ok(None) };
    let Some(beyond) = jump.beyond(goals) else { return Ok(None) };
    let is_within = |goals: &Goals| jump.beyond(goals).is_none();
    let share = largest_share(|share| Ok::<_, EditingError>(is_within(&goals.at_share(share))))?;
    let nearest = share.map(|share| goals.at_share(share).rounded()).filter(is_within);
    let nearest = nearest.map(|goals| goals.of_flight_in_words());
    Ok(Some(BeyondPeople { goal: goals.of_flight_in_words(), nearest, ..beyond }))
}

/// One flight of a clip as people make it.
struct Jump {
    secs: f64,
    /// The centre of mass lands so much higher than it leaves the ground.
    higher_m: f64,
    /// Level velocity of the centre of mass in flight.
    level: DVec3,
    /// Its velocity where the push-off begins, and where the landing is over.
    around: [DVec3; 2],
    /// Level speed of the run-up.
    run_up: f64,
    /// Turn of the pelvis about the vertical, rad.
    turn_rad: f64,
    /// Along the way.
    forward: DVec3,
}

/// What a jump takes.
#[derive(Clone, Copy)]
struct Asked {
    up: f64,
    speed: f64,
    turn: f64,
    friction: f64,
}

impl Jump {
    fn of(take: &Take, flight: Option<usize>) -> Result<Option<Self>, EditingError> {
        let flights = counted_flights(contacts_of(take)?);
        let length = |own: &(f64, f64)| own.1 - own.0;
        let longest = || flights.iter().copied().max_by(|a, b| length(a).total_cmp(&length(b)));
        let Some((from, to)) = flight.map_or_else(longest, |flight| flights.get(flight).copied()) else {
            return Ok(None);
        };
        let secs = to - from;
        if secs <= 0.0 {
            return Ok(None);
        }
        let mut body = MovingBody::of(take)?;
        let [left_m, landed_m] = [from, to].map(|secs| body.com_m(secs));
        let level = (landed_m - left_m).with_y(0.0) / secs;
        let mut velocity = |secs: f64| body.velocity(secs);
        let around = [velocity(from - RAMP_SECS), velocity(to + RAMP_SECS)];
        let run_up = velocity(from - RUN_UP_SECS).with_y(0.0).length();
        let turn_rad = body.turn_rad(from, to);
        let forward = level.normalize_or(body.ahead(from));
        Ok(Some(Self { secs, higher_m: landed_m.y - left_m.y, level, around, run_up, turn_rad, forward }))
    }

    /// What the jump takes with goals; the clip's own without any.
    fn asked(&self, goals: Option<&Goals>) -> Asked {
        let (mut secs, mut higher_m, mut shift_m, mut turn_rad) =
            (self.secs, self.higher_m, DVec3::ZERO, self.turn_rad);
        if let Some(goals) = goals {
            secs *= goals.flight_time.or(goals.jump_height.map(f64::sqrt)).unwrap_or(1.0);
            secs *= goals.hurdle.map_or(1.0, |hurdle| hurdle.stretch());
            let landing_m = self.landing_shift_m(goals);
            higher_m += landing_m.y;
            shift_m = landing_m.with_y(0.0) + self.forward * goals.jump_length_m.unwrap_or(0.0);
            turn_rad += goals.twist.map_or(0.0, |twist| twist.deg.to_radians());
        }
        // A shift is built up before the flight and goes on behind it (start::stages).
        let level = self.level + shift_m / (secs + RAMP_SECS);
        let up = takeoff_up(secs, higher_m);
        let down = GRAVITY * secs - up;
        let push = |velocity: DVec3, up: f64| {
            let load = GRAVITY + ((up - velocity.y.abs()) / RAMP_SECS).max(0.0);
            PEAK_OVER_MEAN * (level - velocity.with_y(0.0)).length() / RAMP_SECS / load
        };
        let friction = push(self.around[0], up).max(push(self.around[1], down));
        Asked { up, speed: up.hypot(level.length()), turn: turn_rad.abs() / secs, friction }
    }

    /// How far footprints of the landing go against those of the take-off, mean of both feet.
    fn landing_shift_m(&self, goals: &Goals) -> DVec3 {
        let left = DVec3::Y.cross(self.forward);
        let of = |own: &super::goals::Footprints| {
            let sign = match own.stage {
                WhichStage::Landing => 1.0,
                WhichStage::Takeoff => -1.0,
                WhichStage::All => 0.0,
            };
            let share = if own.side == WhichSide::Both { 1.0 } else { 0.5 };
            (self.forward * own.forward_m + left * own.left_m + DVec3::Y * own.up_m) * sign * share
        };
        goals.footprints.iter().map(of).sum()
    }

    fn beyond(&self, goals: &Goals) -> Option<BeyondPeople> {
        let (own, asked) = (self.asked(None), self.asked(Some(goals)));
        let ground = goals.friction.unwrap_or_else(|| most_push(Pushing::Jumping));
        let with = run_up_in_words(self.run_up);
        let limits = [
            (HumanLimit::TakeoffUp, asked.up, own.up, most_takeoff_up(self.run_up), with),
            (HumanLimit::TakeoffSpeed, asked.speed, own.speed, most_takeoff_speed(self.run_up), with),
            (HumanLimit::TurnInAir, asked.turn, own.turn, most_turn_in_air(), ""),
            (HumanLimit::Friction, asked.friction, own.friction, ground, "to push off and to land"),
        ];
        let broken = limits.into_iter().filter_map(|(limit, asked, own, most, when)| {
            let most = widened(most, own);
            (asked > most).then_some((asked / most, limit, [asked, most], when))
        });
        let (_, limit, values, when) = broken.max_by(|a, b| a.0.total_cmp(&b.0))?;
        let unit = if limit == HumanLimit::TurnInAir { 1.0_f64.to_degrees() } else { 1.0 };
        let [asked, most] = values.map(|value| value * unit);
        Some(BeyondPeople { goal: String::new(), limit, asked, most, when: when.to_owned(), nearest: None })
    }
}

impl Goals {
    /// The same goals of the flight, going only so far: 0 leaves it as it is.
    fn at_share(&self, share: f64) -> Self {
        let towards = |factor: f64| 1.0 + (factor - 1.0) * share;
        let mut near = self.clone();
        near.jump_length_m = self.jump_length_m.map(|metres| metres * share);
        near.jump_height = self.jump_height.map(towards);
        near.flight_time = self.flight_time.map(towards);
        for own in &mut near.footprints {
            [own.forward_m, own.left_m, own.up_m] = [own.forward_m, own.left_m, own.up_m].map(|metres| metres * share);
        }
        near.twist.iter_mut().for_each(|twist| twist.deg *= share);
        if let Some(hurdle) = &mut near.hurdle {
            hurdle.height_m *= share;
            hurdle.flight_time = hurdle.flight_time.map(towards);
        }
        near
    }

    /// As it is offered; of turns no more than the half that every jump of the proof lands well.
    fn rounded(mut self) -> Self {
        for value in [&mut self.jump_length_m, &mut self.jump_height, &mut self.flight_time].into_iter().flatten() {
            *value = rounded_down(*value);
        }
        for own in &mut self.footprints {
            [own.forward_m, own.left_m, own.up_m] = [own.forward_m, own.left_m, own.up_m].map(rounded_down);
        }
        self.twist.iter_mut().for_each(|twist| twist.deg = twist.deg.trunc().clamp(-MOST_PROVEN_DEG, MOST_PROVEN_DEG));
        if let Some(hurdle) = &mut self.hurdle {
            hurdle.height_m = rounded_down(hurdle.height_m);
            hurdle.flight_time = hurdle.flight_time.map(rounded_down);
        }
        self
    }

    /// What is asked of the flight, as the start of a sentence.
    fn of_flight_in_words(&self) -> String {
        let number = |value: &f64| short_number(*value);
        let mut parts: Vec<String> = Vec::new();
        parts.extend(self.jump_length_m.as_ref().map(|metres| match metres.is_sign_negative() {
            true => format!("shorter by {} m", short_number(-metres)),
            false => format!("farther by {} m", number(metres)),
        }));
        parts.extend(self.jump_height.as_ref().map(|times| format!("{} times as high", number(times))));
        parts.extend(self.flight_time.as_ref().map(|times| format!("{} times as long in the air", number(times))));
        parts.extend(self.twist.map(|twist| format!("a turn of {}° in the air", short_number(twist.deg))));
        parts.extend(self.hurdle.map(|hurdle| format!("a hurdle of {} m", short_number(hurdle.height_m))));
        parts.extend(self.footprints.iter().filter(|own| own.stage != WhichStage::All).map(|own| {
            let [forward, left, up] = [own.forward_m, own.left_m, own.up_m].map(short_number);
            format!("footprints {forward} m ahead, {left} m to the left, {up} m up")
        }));
        parts.join(", ")
    }
}

/// The body of a clip at any time.
struct MovingBody<'a> {
    take: &'a Take,
    body: &'a aplomb_physics::Body,
    pose: WorldPose,
    hz: f64,
}

impl<'a> MovingBody<'a> {
    fn of(take: &'a Take) -> Result<Self, EditingError> {
        let clip = take.clip();
        let frames = clip.frame_count().saturating_sub(1).max(1) as f64;
        Ok(Self {
            take,
            body: take.body()?,
            pose: WorldPose::for_skeleton(clip.skeleton()),
            hz: frames / clip.duration_secs().max(1e-9),
        })
    }

    fn frame(&self, secs: f64) -> usize {
        let frame = (secs * self.hz).round().max(0.0) as usize;
        frame.min(self.take.clip().frame_count().saturating_sub(1))
    }

    fn com_m(&mut self, secs: f64) -> DVec3 {
        let frame = self.frame(secs);
        self.pose.pose(self.take.clip(), FrameIndex(frame));
        self.body.com_in_world_m(&self.pose)
    }

    fn velocity(&mut self, secs: f64) -> DVec3 {
        let (from, to) = (self.frame(secs - 0.5 * VELOCITY_SECS), self.frame(secs + 0.5 * VELOCITY_SECS));
        let lasts_secs = (to - from) as f64 / self.hz;
        if to <= from {
            return DVec3::ZERO;
        }
        let [start_m, end_m] = [from, to].map(|frame| self.com_m(frame as f64 / self.hz));
        (end_m - start_m) / lasts_secs
    }

    /// Where the pelvis faces, by its hips.
    fn ahead(&mut self, secs: f64) -> DVec3 {
        let frame = self.frame(secs);
        self.pose.pose(self.take.clip(), FrameIndex(frame));
        let hip_m = |side| self.take.roles().joint(Role::Thigh(side)).map(|it| self.pose.joint_in_world_m[it.index()]);
        let across_m =
            hip_m(Side::Left).zip(hip_m(Side::Right)).map(|(left_m, right_m)| (left_m - right_m).with_y(0.0));
        across_m.and_then(DVec3::try_normalize).map_or(DVec3::Z, |left| left.cross(DVec3::Y))
    }

    /// To the left, frame after frame.
    fn turn_rad(&mut self, from_secs: f64, to_secs: f64) -> f64 {
        let (from, to) = (self.frame(from_secs), self.frame(to_secs));
        let (mut turn_rad, mut last) = (0.0, None);
        for frame in from..=to {
            let ahead = self.ahead(frame as f64 / self.hz);
            let yaw_rad = ahead.x.atan2(ahead.z);
            if let Some(last) = last.replace(yaw_rad) {
                let step_rad: f64 = yaw_rad - last;
                turn_rad += step_rad.sin().atan2(step_rad.cos());
            }
        }
        turn_rad
    }
}
