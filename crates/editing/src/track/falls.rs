//! Whether a body that should stand still stands.
//!
//! A body that falls shows it by one of four signs, and clips end before the last of them: a walker whose clip ends
//! after a second has left its feet for good while its centre of mass is still as high as ever.

use aplomb_motion::Role;
use aplomb_physics::GRAVITY;
use glam::{DVec2, DVec3};
use serde::Serialize;

/// A body whose centre has sunk below this share of its height does not stand any more. A deep bow lowers it by a
/// tenth.
const SUNK: f64 = 0.7;

/// A pelvis that leans farther from what is asked of it is not carried by its legs any more: standing bodies stay
/// within some degrees, and from 45° on gravity pulls more across than along the legs.
const TIPPED_RAD: f64 = std::f64::consts::FRAC_PI_4;

/// Soles are drawn 8 cm wide and are a centimetre wider on each side.
const SOLE_EDGE_M: f64 = 0.01;

/// What is off its feet for less may be a corner that lifts for a moment, s.
const OFF_FEET_SECS: f64 = 0.05;

/// What shows that a body falls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum FallSign {
    /// The centre of mass is below 0.7 of its height at the start.
    Sunk,
    /// Something other than a sole is on the ground.
    Landed(Role),
    /// The pelvis leans by more than 45° from what is asked.
    Tipped,
    /// The extrapolated centre of mass c + ċ √(h/g) is outside the soles that touch, and does not come back while the
    /// motion lasts: no pressure under the feet can stop it any more (Hof, Gazendam & Sinke 2005).
    OffItsFeet,
}

impl std::fmt::Display for FallSign {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Sunk => f.write_str("its centre of mass sinks"),
            Self::Landed(role) => write!(f, "{role} is on the ground"),
            Self::Tipped => f.write_str("its pelvis tips over"),
            Self::OffItsFeet => f.write_str("its centre of mass leaves its feet for good"),
        }
    }
}

/// One frame of a body that should stand.
#[derive(Clone, Copy, Debug)]
pub(super) struct StandingFrame<'a> {
    pub time_secs: f64,
    pub com_m: DVec3,
    pub com_height_m: f64,
    /// Of the pelvis against what is asked.
    pub leans_rad: f64,
    /// Outline of the corners of soles that touch, (x, z), counter-clockwise; less than three if none or one or two do.
    pub support_m: &'a [DVec2],
    /// What besides soles touches.
    pub landed: Option<Role>,
}

/// Looks for signs, frame by frame.
#[derive(Clone, Debug)]
pub(super) struct FallWatch {
    start_height_m: f64,
    last: Option<(f64, DVec3)>,
    off_feet_since_secs: Option<f64>,
    fell: Option<(f64, FallSign)>,
}

impl FallWatch {
    pub fn new(start_height_m: f64) -> Self {
        Self { start_height_m, last: None, off_feet_since_secs: None, fell: None }
    }

    pub fn note(&mut self, seen: StandingFrame<'_>) {
        let StandingFrame { time_secs, com_m, com_height_m, leans_rad, support_m, landed } = seen;
        let sign = match landed {
            _ if com_height_m < SUNK * self.start_height_m => Some(FallSign::Sunk),
            Some(role) => Some(FallSign::Landed(role)),
            None => (leans_rad > TIPPED_RAD).then_some(FallSign::Tipped),
        };
        self.fell = self.fell.or(sign.map(|sign| (time_secs, sign)));
        let before = self.last.replace((time_secs, com_m));
        let velocity = before.map_or(DVec3::ZERO, |(secs, at_m)| (com_m - at_m) / (time_secs - secs).max(1e-9));
        let ahead_m = com_m + velocity * (com_height_m.max(0.1) / GRAVITY).sqrt();
        let is_over = support_m.len() >= 3 && margin_m(support_m, DVec2::new(ahead_m.x, ahead_m.z)) > -SOLE_EDGE_M;
        self.off_feet_since_secs = match is_over {
            true => None,
            false => self.off_feet_since_secs.or(Some(time_secs)),
        };
    }

    pub fn has_fallen(&self) -> bool {
        self.fell.is_some()
    }

    /// When, and by which sign, with the motion at its end.
    pub fn fall(&self) -> Option<(f64, FallSign)> {
        let end_secs = self.last.map_or(0.0, |last| last.0);
        let left = self.off_feet_since_secs.filter(|since_secs| end_secs - since_secs >= OFF_FEET_SECS);
        self.fell.or(left.map(|secs| (secs, FallSign::OffItsFeet)))
    }
}

/// How far inside an outline a point is, m; negative outside.
pub(super) fn margin_m(outline_m: &[DVec2], point_m: DVec2) -> f64 {
    let edges = outline_m.iter().zip(outline_m.iter().cycle().skip(1));
    edges.map(|(a, b)| (*b - *a).normalize_or_zero().perp_dot(point_m - *a)).fold(f64::INFINITY, f64::min)
}

#[cfg(test)]
mod tests {
    use super::*;
    use aplomb_motion::Side;

    const SOLES: [DVec2; 4] =
        [DVec2::new(-0.1, -0.1), DVec2::new(0.1, -0.1), DVec2::new(0.1, 0.1), DVec2::new(-0.1, 0.1)];

    fn stands(time_secs: f64) -> StandingFrame<'static> {
        StandingFrame { time_secs, com_m: DVec3::Y, com_height_m: 1.0, leans_rad: 0.1, support_m: &SOLES, landed: None }
    }

    fn watched(change: impl Fn(f64, &mut StandingFrame<'static>)) -> Option<(f64, FallSign)> {
        let mut watch = FallWatch::new(1.0);
        for frame in 0..120 {
            let mut seen = stands(f64::from(frame) / 120.0);
            change(seen.time_secs, &mut seen);
            watch.note(seen);
        }
        watch.fall()
    }

    #[test]
    fn each_sign_is_told_by_its_name_and_those_who_stand_are_not_accused() {
        assert_eq!(watched(|_, _| {}), None);
        let told = |found: Option<(f64, FallSign)>| found.map(|(secs, sign)| ((secs * 120.0).round() as i32, sign));
        let sunk = watched(|secs, seen| seen.com_height_m = 1.0 - 0.5 * secs);
        assert_eq!(told(sunk), Some((73, FallSign::Sunk)));
        let hand = FallSign::Landed(Role::Hand(Side::Left));
        let landed = watched(|secs, seen| seen.landed = (secs > 0.4).then_some(Role::Hand(Side::Left)));
        assert_eq!(told(landed), Some((49, hand)));
        assert_eq!(told(watched(|secs, seen| seen.leans_rad = secs)), Some((95, FallSign::Tipped)));
    }

    #[test]
    fn who_is_off_its_feet_at_the_end_falls_and_who_comes_back_does_not() {
        // At 0.5 m/s a pendulum of 1 m is lost √(h/g) · 0.5 = 16 cm before its centre is over the edge.
        let lost = watched(|secs, seen| seen.com_m.x = 0.5 * (secs - 0.5).max(0.0));
        let (secs, sign) = lost.unwrap();
        assert_eq!(sign, FallSign::OffItsFeet);
        assert!((0.5..0.52).contains(&secs), "{secs}");
        let sways = watched(|secs, seen| seen.com_m.x = 0.15 * (secs * std::f64::consts::PI).sin().powi(2));
        assert_eq!(sways, None);
        // In the air.
        let (secs, _) = watched(|secs, seen| seen.support_m = if secs < 0.8 { &SOLES } else { &[] }).unwrap();
        assert!((0.79..0.82).contains(&secs));
    }
}
