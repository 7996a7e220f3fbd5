//! How hard a way over the ground pushes the body along it: to turn, to start and to stop.

use crate::EditingError;
use aplomb_motion::signal::{SampleTimes, derivative, gaussian};
use aplomb_physics::GRAVITY;
use aplomb_physics::human_limits::{Pushing, most_push};
use glam::DVec3;

/// Bodies sway within a step; over this long a way shows, s. Half a step at a walk, a whole one at a run.
const SWAY_SECS: f64 = 0.5;

/// A push that lasts so long is no stumble, s.
const LASTING_SECS: f64 = 0.1;

/// Slower ways have no curve to speak of, m/s.
const LEAST_SPEED: f64 = 0.3;

/// A way of the body over the ground, in time.
pub struct GroundWay<'a> {
    /// Of every frame, s, rising.
    pub secs: &'a [f64],
    /// The body on the ground, m.
    pub places_m: &'a [DVec3],
    /// What the body does in every frame: that is of the clip, whatever becomes of its way.
    pub pushing: &'a [Pushing],
}

/// The hardest push of a way that lasts.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LevelPush {
    /// Times what people reach in this gait.
    pub ratio: f64,
    /// Share of the weight.
    pub share: f64,
    /// What people reach there, share of the weight.
    pub most: f64,
    /// When, s.
    pub at_secs: f64,
    /// Over the ground there, m/s.
    pub speed: f64,
    /// Of the curve there, m; infinite on a straight way.
    pub radius_m: f64,
}

impl LevelPush {
    /// Of a way; nothing where it is too short to tell.
    pub fn of(way: &GroundWay<'_>) -> Result<Self, EditingError> {
        let GroundWay { secs, places_m, pushing } = way;
        let frames = secs.len();
        let Some(lasts_secs) = secs.last().zip(secs.first()).map(|(end, start)| end - start) else {
            return Ok(Self::default());
        };
        if frames < 5 || lasts_secs <= 2.0 * SWAY_SECS {
            return Ok(Self::default());
        }
        let times = SampleTimes::keyed(secs)?;
        let mut smooth_m = places_m.to_vec();
        gaussian::smooth_at_times_into(0.25 * SWAY_SECS, times, places_m, &mut smooth_m)?;
        let (velocity, acceleration) = (derivative::first(&smooth_m, times), derivative::second(&smooth_m, times));
        // What is smoothed at an end knows one side only.
        let is_inside = |frame: &usize| {
            secs[*frame] - secs[0] >= 0.5 * SWAY_SECS && secs[frames - 1] - secs[*frame] >= 0.5 * SWAY_SECS
        };
        let mut pushes: Vec<Self> = (0..frames)
            .filter(is_inside)
            .map(|frame| {
                let share = acceleration[frame].length() / GRAVITY;
                let (most, speed) = (most_push(pushing[frame]), velocity[frame].length());
                let across = velocity[frame].cross(acceleration[frame]).length();
                let is_curve = speed > LEAST_SPEED && across > 0.0;
                let radius_m = if is_curve { speed.powi(3) / across } else { f64::INFINITY };
                Self { ratio: share / most, share, most, at_secs: secs[frame], speed, radius_m }
            })
            .collect();
        // The ratio that is reached for so long in total: an order statistic.
        let rank = (LASTING_SECS / lasts_secs * frames as f64) as usize;
        if rank >= pushes.len() {
            return Ok(Self::default());
        }
        let (_, lasting, _) = pushes.select_nth_unstable_by(rank, |a, b| b.ratio.total_cmp(&a.ratio));
        Ok(*lasting)
    }

    /// What it is like, for messages.
    pub fn in_words(&self) -> String {
        let [secs, speed] = [self.at_secs, self.speed].map(|value| format!("{value:.1}"));
        match self.radius_m {
            radius_m if radius_m < FARTHEST_RADIUS_M => {
                format!("at {secs} s, at {speed} m/s on a curve of {radius_m:.1} m")
            }
            _ => format!("at {secs} s, at {speed} m/s"),
        }
    }
}

/// Wider ways are straight, m.
const FARTHEST_RADIUS_M: f64 = 20.0;

/// What a body does that goes at these speeds, m/s, beside flights that are jumps.
pub fn pushing(secs: &[f64], speeds: &[f64], jumps_secs: &[(f64, f64)]) -> Vec<Pushing> {
    let is_jump = |secs: f64| {
        jumps_secs.iter().any(|(from, to)| (from - AROUND_JUMP_SECS..=to + AROUND_JUMP_SECS).contains(&secs))
    };
    let of = |(secs, speed): (&f64, &f64)| if is_jump(*secs) { Pushing::Jumping } else { Pushing::Going(*speed) };
    secs.iter().zip(speeds).map(of).collect()
}

/// Push-off and landing are this long, s.
const AROUND_JUMP_SECS: f64 = 0.4;

/// Flights from here on are jumps, s: those of runs last 0.1 to 0.2.
pub const JUMP_FLIGHT_SECS: f64 = 0.28;

/// A run-up is looked at so long before the feet leave the ground, s.
pub const RUN_UP_SECS: f64 = 0.5;

/// Slower bodies stand before they jump, m/s.
const LEAST_RUN_UP: f64 = 1.0;

/// How a jump begins, for messages.
pub fn run_up_in_words(run_up: f64) -> &'static str {
    if run_up < LEAST_RUN_UP { "from a stand" } else { "with this run-up" }
}

/// Smoothed speeds over the ground.
pub fn ground_speeds(secs: &[f64], places_m: &[DVec3]) -> Result<Vec<f64>, EditingError> {
    if secs.len() < 3 {
        return Ok(vec![0.0; secs.len()]);
    }
    let times = SampleTimes::keyed(secs)?;
    let mut smooth_m = places_m.to_vec();
    gaussian::smooth_at_times_into(0.5 * SWAY_SECS, times, places_m, &mut smooth_m)?;
    Ok(derivative::first(&smooth_m, times).iter().map(|velocity| velocity.length()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn on_circle(speed: f64, radius_m: f64) -> LevelPush {
        let secs: Vec<f64> = (0..360).map(|frame| frame as f64 / 120.0).collect();
        let place = |secs: &f64| {
            let (sin, cos) = (speed * secs / radius_m).sin_cos();
            DVec3::new(radius_m * cos, 0.0, radius_m * sin)
        };
        let places_m: Vec<DVec3> = secs.iter().map(place).collect();
        let speeds = vec![speed; secs.len()];
        LevelPush::of(&GroundWay { secs: &secs, places_m: &places_m, pushing: &pushing(&secs, &speeds, &[]) }).unwrap()
    }

    #[test]
    fn a_circle_pushes_by_its_speed_and_radius() {
        for (speed, radius_m) in [(1.4, 2.0), (4.0, 6.0), (1.2, 1.5)] {
            let push = on_circle(speed, radius_m);
            let exact = speed * speed / (GRAVITY * radius_m);
            assert!((push.share / exact - 1.0).abs() < 0.05, "{} instead of {exact}", push.share);
            assert!((push.radius_m / radius_m - 1.0).abs() < 0.06, "{} m", push.radius_m);
        }
        assert!(on_circle(1.4, 1.5).ratio < 1.0 && on_circle(4.0, 1.0).ratio > 1.0);
    }

    #[test]
    fn a_straight_way_pushes_nothing_and_a_short_one_says_nothing() {
        let straight = on_circle(1.4, 1e6);
        assert!(straight.share < 1e-3 && !straight.in_words().contains("curve"), "{straight:?}");
        let few = LevelPush::of(&GroundWay { secs: &[0.0], places_m: &[DVec3::ZERO], pushing: &[Pushing::Jumping] });
        assert_eq!(few.unwrap(), LevelPush::default());
    }
}
