//! What a path asks of a person: known from way and times alone, before any pose is made.

use super::PathEditor;
use crate::EditingError;
use crate::beyond_people::BeyondPeople;
use crate::level_push::{GroundWay, JUMP_FLIGHT_SECS, LevelPush, RUN_UP_SECS, ground_speeds, pushing, run_up_in_words};
use crate::path::ground_plane::{in_world, length};
use aplomb_physics::HumanLimit;
use aplomb_physics::human_limits::{lean_rad, most_takeoff_speed, most_takeoff_up, takeoff_up, widened};
use glam::DVec3;
use num_complex::Complex64;

/// How a flight begins, m/s.
#[derive(Clone, Copy)]
struct Takeoff {
    up: f64,
    level: f64,
    run_up: f64,
}

impl PathEditor {
    /// What no person can do of what is asked for by now, if anything; the worst of it. Bodies that are no people have
    /// no such limits.
    pub fn beyond_people(&mut self) -> Result<Option<BeyondPeople>, EditingError> {
        if !self.is_person {
            return Ok(None);
        }
        self.deform()?;
        let own = (&self.source.ground_m, &self.source.times_secs);
        let new = (&self.work.deformed.points_m, &self.work.times.secs);
        let own_speeds = ground_speeds(own.1, &on_ground(own.0))?;
        let new_speeds = ground_speeds(new.1, &on_ground(new.0))?;
        let pushes = [self.push(own.0, own.1, &own_speeds)?, self.push(new.0, new.1, &own_speeds)?];
        let most = widened(1.0, pushes[0].ratio);
        let mut worst = (1.0, None);
        if pushes[1].ratio > most {
            let push = pushes[1];
            let [asked, most_deg] = [push.share, push.most * most].map(|share| lean_rad(share).to_degrees());
            worst = (push.ratio / most, Some(beyond(HumanLimit::Lean, [asked, most_deg], push.in_words())));
        }
        for flight in 0..self.flights.len() {
            let own = self.takeoff(flight, own.0, own.1, &own_speeds, [0.0; 2]);
            let keys = [self.flights[flight].start.0, self.flights[flight].end.0];
            let new = self.takeoff(flight, new.0, new.1, &new_speeds, keys.map(|key| self.work.rise_m[key]));
            let when = run_up_in_words(new.run_up);
            let speeds = [
                (HumanLimit::TakeoffUp, new.up, widened(most_takeoff_up(new.run_up), own.up)),
                (
                    HumanLimit::TakeoffSpeed,
                    new.up.hypot(new.level),
                    widened(most_takeoff_speed(new.run_up), own.up.hypot(own.level)),
                ),
            ];
            for (limit, asked, most) in speeds {
                if asked / most > worst.0 {
                    worst = (asked / most, Some(beyond(limit, [asked, most], when.to_owned())));
                }
            }
        }
        Ok(worst.1)
    }

    fn push(&self, points_m: &[Complex64], secs: &[f64], own_speeds: &[f64]) -> Result<LevelPush, EditingError> {
        let jump = |flight: &super::PathFlight| (secs[flight.start.0], secs[flight.end.0]);
        let jumps: Vec<(f64, f64)> =
            self.flights.iter().map(jump).filter(|(from, to)| to - from >= JUMP_FLIGHT_SECS).collect();
        let pushing = pushing(secs, own_speeds, &jumps);
        LevelPush::of(&GroundWay { secs, places_m: &on_ground(points_m), pushing: &pushing })
    }

    /// How a flight begins on this way, whose body is so much higher at its two ends than the clip's.
    fn takeoff(
        &self,
        flight: usize,
        points_m: &[Complex64],
        secs: &[f64],
        speeds: &[f64],
        rise_m: [f64; 2],
    ) -> Takeoff {
        let (start, end) = (self.flights[flight].start.0, self.flights[flight].end.0);
        let lasts_secs = (secs[end] - secs[start]).max(1e-3);
        let higher_m = self.source.com_height_m[end] - self.source.com_height_m[start] + rise_m[1] - rise_m[0];
        let before = secs.partition_point(|own| *own < secs[start] - RUN_UP_SECS);
        Takeoff {
            up: takeoff_up(lasts_secs, higher_m),
            level: length(points_m[end] - points_m[start]) / lasts_secs,
            run_up: speeds[before.min(start)],
        }
    }
}

fn on_ground(points_m: &[Complex64]) -> Vec<DVec3> {
    points_m.iter().map(|point_m| in_world(*point_m, 0.0)).collect()
}

fn beyond(limit: HumanLimit, [asked, most]: [f64; 2], when: String) -> BeyondPeople {
    BeyondPeople { goal: String::new(), limit, asked, most, when, nearest: None }
}
