//! Full extension and full flexion without a pop.

use crate::EditingError;

/// A body whose leg does not reach sinks by the largest need within this time to either side, s: shorter windows shake
/// it at step rate.
pub(crate) const DROP_WINDOW_SECS: f64 = 0.25;
/// It sinks no farther than this share of a leg: beyond, the contact or the edit asks too much and the foot stays
/// behind.
pub(crate) const MOST_DROP_SHARE: f64 = 0.35;

/// How a limb behaves near the ends of its reach.
///
/// Up to `exact_share` of the range a goal is reached exactly. Beyond, the distance d is eased towards the limit L: d′
/// = s + (L − s)(1 − e^{−(d − s)/(L − s)}), with s the start of the zone: value and slope are continuous, d′ < L
/// always, and the hinge, whose angle goes as √(L − d′), straightens with bounded speed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reach {
    /// 0.5 … 1; 1 stops hard at the limit.
    pub exact_share: f64,
}

impl Default for Reach {
    /// 0.99: touch-up on captures had its knee peaks halved by planning for 0.99 of the leg instead of 0.999.
    fn default() -> Self {
        Self { exact_share: 0.99 }
    }
}

impl Reach {
    /// Goals are reached up to the last bit of the limb; beyond, the limb points at them.
    pub const HARD: Self = Self { exact_share: 1.0 };

    pub(super) fn checked(self) -> Result<Self, EditingError> {
        if (0.5..=1.0).contains(&self.exact_share) {
            return Ok(self);
        }
        Err(EditingError::Setting {
            what: "the exact share of a limb's reach",
            expected: "0.5 to 1",
            found: self.exact_share,
        })
    }

    /// The distance to take for a goal at `distance_m`, inside `shortest..=longest`.
    pub(crate) fn ease(self, distance_m: f64, (shortest_m, longest_m): (f64, f64)) -> f64 {
        // Zones as wide at both ends; never more than half of what there is.
        let zone_m = ((1.0 - self.exact_share) * longest_m).min(0.5 * (longest_m - shortest_m));
        let (low_m, high_m) = (shortest_m + zone_m, longest_m - zone_m);
        if distance_m > high_m {
            high_m + eased(distance_m - high_m, zone_m)
        } else if distance_m < low_m {
            low_m - eased(low_m - distance_m, zone_m)
        } else {
            distance_m
        }
    }
}

fn eased(beyond_m: f64, zone_m: f64) -> f64 {
    if zone_m > 0.0 { zone_m * -(-beyond_m / zone_m).exp_m1() } else { 0.0 }
}
