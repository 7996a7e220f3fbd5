//! What people can do: how fast they leave the ground, how fast they turn in the air, how hard they push along the
//! ground. One table for all verbs; `docs/analysis/human-limits.md` has what was measured on people, and by whom.
//!
//! Limits are those of the best, not of most: what a record shows is possible, and what is twice a record is a slip of
//! the finger or a wish that no capture can serve. A captured person widens them ([`widened`]): an athlete is not
//! refused for what the clip already does.

use crate::gravity::GRAVITY;
use serde::Serialize;

/// A clip's own value counts so many times: its flight times and masses are known to some per cent only.
const OWN_MARGIN: f64 = 1.1;

/// Straight up from a stand, m/s: a rise of 0.74 m. Spike jumps of good volleyball players, with a run-up, rise
/// 0.59 ± 0.07 m (Bisseling et al. 2008).
const STANDING_UP: f64 = 3.8;

/// The same with a run-up, m/s: a rise of 1.13 m. High jumpers of 2.3 m leave the ground at 4.0 to 4.6 m/s (Dapena &
/// Chung 1988), long jumpers at 3.9 (Čoh et al. 2017).
const RUN_UP_UP: f64 = 4.7;

/// From this speed on a run-up helps no more, m/s: that of high jumpers.
const FULL_RUN_UP: f64 = 7.0;

/// Up and along together, from a stand, m/s. The record of the standing long jump (3.73 m, 2015) is 2.3 to 2.4 m of
/// flight beside 1.4 m of reach at both ends, with a landing 0.45 m lower: 4.4 to 4.6 m/s at 30°. Men who are fit jump
/// at 3 to 3.7 m/s (Wakai & Linthorne 2005).
const STANDING_SPEED: f64 = 4.6;

/// Whole turns a second in the air, mean of the flight: one in a flight of half a second. Figure skaters turn faster,
/// with a run-up, on ice and with arms pulled in (King 2005); arms that hang are flung out at 6 g by this.
const TURNS_A_SECOND: f64 = 2.0;

/// Push along the ground that who walks keeps up for a tenth of a second, share of the weight: 19° of lean. Walked
/// turns of 90° need a friction of 0.38 (slow) to 0.54 (fast) at their peak, push-off ahead included (Fino & Lockhart
/// 2014).
const WALKING_PUSH: f64 = 0.35;

/// The same of who runs: 35° of lean. Sprinters need less than 0.5 on flat curves of 17 m, where they are 10 % slower
/// than straight ahead (Diaz et al. 2024); on circles of 1 to 6 m all slow down the tighter it is (Chang & Kram 2007).
const RUNNING_PUSH: f64 = 0.70;

/// Speeds at which people walk and surely run, m/s: they change over at 2 m/s (Hreljac 1993).
const WALKING_SPEED: f64 = 2.0;
const RUNNING_SPEED: f64 = 3.0;

/// Push along the ground of who takes off or lands, share of the weight: what dry floors give to shoes.
const JUMPING_PUSH: f64 = 0.8;

/// What a limit is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum HumanLimit {
    /// Speed of the centre of mass straight up as the feet leave the ground, m/s.
    TakeoffUp,
    /// Its speed in all, m/s.
    TakeoffSpeed,
    /// Turn about the vertical in the air, degrees a second.
    TurnInAir,
    /// Lean against a push along the ground, degrees.
    Lean,
    /// Friction that the ground has to give, 1.
    Friction,
}

impl HumanLimit {
    /// All of them.
    pub const ALL: [HumanLimit; 5] = [
        HumanLimit::TakeoffUp,
        HumanLimit::TakeoffSpeed,
        HumanLimit::TurnInAir,
        HumanLimit::Lean,
        HumanLimit::Friction,
    ];

    /// In receipts and in the table of the documentation.
    pub const fn key(self) -> &'static str {
        match self {
            HumanLimit::TakeoffUp => "takeoff_up",
            HumanLimit::TakeoffSpeed => "takeoff_speed",
            HumanLimit::TurnInAir => "turn_in_air",
            HumanLimit::Lean => "lean",
            HumanLimit::Friction => "friction",
        }
    }

    /// A value with its unit.
    pub fn in_words(self, value: f64) -> String {
        match self {
            HumanLimit::TakeoffUp | HumanLimit::TakeoffSpeed => format!("{value:.1} m/s"),
            HumanLimit::TurnInAir => format!("{value:.0}° a second"),
            HumanLimit::Lean => format!("{value:.0}°"),
            HumanLimit::Friction => format!("{value:.1}"),
        }
    }
}

/// How a body moves that pushes along the ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Pushing {
    /// It walks or runs, at this speed, m/s.
    Going(f64),
    /// It takes off or lands.
    Jumping,
}

/// A limit for a person whose clip shows this much.
pub fn widened(limit: f64, own: f64) -> f64 {
    limit.max(OWN_MARGIN * own)
}

/// How fast people leave the ground straight up, with a run-up of this speed, m/s.
pub fn most_takeoff_up(run_up: f64) -> f64 {
    STANDING_UP + (RUN_UP_UP - STANDING_UP) * (run_up / FULL_RUN_UP).clamp(0.0, 1.0)
}

/// How fast they leave it in all: v² = v_run-up² + v_stand², for one push adds no more energy to a run-up than to a
/// stand.
pub fn most_takeoff_speed(run_up: f64) -> f64 {
    STANDING_SPEED.hypot(run_up)
}

/// How fast they turn in the air, rad/s.
pub fn most_turn_in_air() -> f64 {
    TURNS_A_SECOND * std::f64::consts::TAU
}

/// How hard they push along the ground, share of the weight.
pub fn most_push(pushing: Pushing) -> f64 {
    match pushing {
        Pushing::Jumping => JUMPING_PUSH,
        Pushing::Going(speed) => {
            let share = ((speed - WALKING_SPEED) / (RUNNING_SPEED - WALKING_SPEED)).clamp(0.0, 1.0);
            WALKING_PUSH + (RUNNING_PUSH - WALKING_PUSH) * share
        }
    }
}

/// How high a body rises that leaves the ground at this speed, m: h = v²/2g.
pub fn rise_m(up: f64) -> f64 {
    up * up / (2.0 * GRAVITY)
}

/// The speed straight up at which a flight begins that lasts so long and ends so much higher: v = Δh/T + gT/2.
pub fn takeoff_up(flight_secs: f64, higher_m: f64) -> f64 {
    higher_m / flight_secs + 0.5 * GRAVITY * flight_secs
}

/// The lean against a push along the ground: tan λ = push, share of the weight.
pub fn lean_rad(push: f64) -> f64 {
    push.atan()
}

/// The push that a curve takes, share of the weight: v²/(g r).
pub fn push_on_curve(speed: f64, radius_m: f64) -> f64 {
    speed * speed / (GRAVITY * radius_m)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn closed_forms_go_with_each_other() {
        // Half a second in the air, landing where it began: up and down a quarter of a second each.
        let up = takeoff_up(0.5, 0.0);
        assert!((up - GRAVITY * 0.25).abs() < 1e-12);
        assert!((rise_m(up) - 0.5 * GRAVITY * 0.25_f64.powi(2)).abs() < 1e-12);
        // Onto a box as high as the rise, the landing is at the top: the flight lasts half as long.
        assert!((takeoff_up(0.25, rise_m(up)) - up).abs() < 1e-12);
        assert!((lean_rad(push_on_curve(3.0, 9.0 / GRAVITY)).to_degrees() - 45.0).abs() < 1e-9);
    }

    #[test]
    fn records_are_within_the_limits_and_twice_the_records_are_not() {
        // Standing vertical jump of 0.6 m, high jump of 2.45 m (a rise of 1.1 m), long jump of 8.95 m.
        assert!(most_takeoff_up(0.0) > (2.0 * GRAVITY * 0.6).sqrt());
        assert!(most_takeoff_up(7.5) > (2.0 * GRAVITY * 1.1).sqrt());
        assert!(most_takeoff_speed(10.9) > 9.3_f64.hypot(3.7));
        assert!(rise_m(most_takeoff_up(0.0)) < 1.0 && rise_m(most_takeoff_up(20.0)) < 1.5);
        assert!(most_takeoff_speed(0.0) < 5.0);
    }

    #[test]
    fn who_runs_pushes_harder_than_who_walks() {
        let most = |speed| most_push(Pushing::Going(speed));
        assert_eq!((most(1.4), most(5.0)), (WALKING_PUSH, RUNNING_PUSH));
        assert!(most(1.9) < most(2.5) && most(2.5) < most(2.9));
        assert!(most_push(Pushing::Jumping) > most(9.0));
        // A walk on a circle of a metre and a half, a run on one of four; not a run on one of a metre.
        assert!(push_on_curve(1.6, 1.5) < most(1.6) && push_on_curve(4.5, 4.0) < most(4.5));
        assert!(push_on_curve(4.0, 1.0) > most(4.0));
        // 38° is beyond all who go on their feet.
        assert!(lean_rad(most(9.0)).to_degrees() < 38.0);
    }

    #[test]
    fn a_person_widens_and_never_narrows() {
        assert_eq!(widened(3.8, 1.0), 3.8);
        assert!((widened(3.8, 4.0) - 4.4).abs() < 1e-12);
    }

    #[test]
    fn the_page_has_every_limit() {
        let page = include_str!("../../../docs/analysis/human-limits.md");
        for limit in HumanLimit::ALL {
            assert!(page.contains(&format!("`{}`", limit.key())), "{limit:?} has no row");
        }
    }
}
