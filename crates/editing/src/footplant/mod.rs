//! Feet that stay where they stand (Kovar, Schreiner & Gleicher 2002, "Footskate cleanup for motion capture editing").
//!
//! A [`FootPlan`] is made once from a motion and its contacts: where the heel and then the ball of each foot stand,
//! which way the foot points meanwhile, and how low its points may go. It can then be applied to that motion (`plant`),
//! or again and again to what other edits make of it (touch-up): the feet return to the same places, the legs follow by
//! [`crate::limb_ik`], and the root sinks where a leg would not reach.
//!
//! Every frame of a foot has a weight w. Pinned frames have 1, w falls to 0 over the rest of the load interval, and
//!
//! ```text
//!   ankle = p + w (p* − p) + (1 − w) o
//! ```
//!
//! with p the ankle as the edit left it, p* the plan, and o the offset p* − p of the pins beside (`swing_offsets`): a
//! swinging foot rides with the body and arrives where it will stand. Rotations go the same way, in logarithms.
//! `docs/algorithms/plant.md` has the derivation, what was chosen and why, and what was measured.

mod ancestry;
mod anchors;
mod apply;
mod drift;
mod extremes;
mod glitch;
mod labels;
mod plan;
mod steady;
mod still;
mod swing_offsets;
mod travelling;

pub(crate) use ancestry::closed_upward;
pub use apply::{PlantOutcome, PlantWorkspace, RootDrop};
pub use drift::{Drift, Skate, contact_drift, load_skate};
pub(crate) use extremes::running_extreme;
pub(crate) use glitch::bridged;
pub use labels::planting_contacts;
pub use plan::FootPlan;
pub use still::Stance;

use crate::EditingError;
use crate::limb_ik::Reach;
use crate::span::Span;
use aplomb_analysis::Ground;
use aplomb_analysis::{Keeps, Take};
use aplomb_motion::Clip;
use serde::{Deserialize, Serialize};

/// How feet are planted. Defaults are the measured ones (docs/algorithms/plant.md).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlantOptions {
    /// The plane that people stand on; the one that contacts were found with.
    pub ground: Ground,
    /// Which part of the clip may change.
    pub span: Span,
    /// Legs are planned up to this share of their length, or as far as the motion stretched them; beyond, the root
    /// sinks.
    pub reach_share: f64,
    /// The root's drop is the largest needed within this time to either side, s. Shorter windows shake the root at step
    /// rate.
    pub drop_window_secs: f64,
    /// The drop is then smoothed with this standard deviation, s.
    pub drop_sigma_secs: f64,
    /// Feet are released no faster than this, even where the load ends with the pin, s.
    pub least_ease_secs: f64,
    /// Standard deviation of the smoothing of feet while they stand, s.
    pub calm_sigma_secs: f64,
    /// Feet go from the speed they had when let go to that of the motion within about this time, s.
    pub ride_secs: f64,
    /// Offsets ride along between pins that are no farther apart than this, and are gone this long after a pin, s: a
    /// swing, and not a rest.
    pub most_ride_secs: f64,
    /// The same for hands, s.
    pub most_hand_ride_secs: f64,
    /// Whether hands that stand on the ground are held as well.
    pub hands: bool,
    /// Stances whose points drift by less stay as the motion has them, m; 0 holds all of them.
    pub still_m: f64,
    /// Whether contacts whose point travels are left out and told, as they were only found in the motion; else they are
    /// refused.
    pub drops_doubtful: bool,
}

impl Default for PlantOptions {
    fn default() -> Self {
        Self {
            ground: Ground::default(),
            span: Span::default(),
            reach_share: Reach::default().exact_share,
            drop_window_secs: crate::limb_ik::DROP_WINDOW_SECS,
            drop_sigma_secs: 0.12,
            least_ease_secs: 0.04,
            calm_sigma_secs: 0.04,
            ride_secs: 0.1,
            most_ride_secs: 1.0,
            most_hand_ride_secs: 0.4,
            hands: true,
            still_m: 0.0,
            drops_doubtful: false,
        }
    }
}

impl PlantOptions {
    /// Contacts that were found in the motion itself are no reason to refuse it.
    pub(crate) fn for_contacts_of(&self, take: &Take) -> Self {
        Self { drops_doubtful: self.drops_doubtful || !take.has_known_contacts(), ..*self }
    }

    fn check(&self) -> Result<(), EditingError> {
        let setting = |what, expected, found| Err(EditingError::Setting { what, expected, found });
        if !(0.8..=1.0).contains(&self.reach_share) {
            return setting("the share of a leg's length that is planned for", "0.8 to 1", self.reach_share);
        }
        for (what, found) in [
            ("the window of the root's drop", self.drop_window_secs),
            ("the smoothing of the root's drop", self.drop_sigma_secs),
            ("the least ease of a foot", self.least_ease_secs),
            ("the smoothing of feet that stand", self.calm_sigma_secs),
        ] {
            if !(0.0..=10.0).contains(&found) {
                return setting(what, "0 to 10 s", found);
            }
        }
        for (what, found) in [
            ("the time in which feet take up the motion's speed", self.ride_secs),
            ("the longest ride of a foot between two stances", self.most_ride_secs),
            ("the longest ride of a hand between two stances", self.most_hand_ride_secs),
        ] {
            if !(1e-3..=10.0).contains(&found) {
                return setting(what, "0.001 to 10 s", found);
            }
        }
        Ok(())
    }
}

/// A planted clip and what it took.
#[derive(Clone, Debug)]
pub struct Planted {
    /// The result.
    pub clip: Clip,
    /// Where feet stand: may be applied again after other edits.
    pub plan: FootPlan,
    /// What the last application did.
    pub outcome: PlantOutcome,
    /// Sliding before the edit.
    pub before: Drift,
    /// Sliding after it.
    pub after: Drift,
}

/// What was done, for receipts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PlantSummary {
    /// Pins that were held.
    pub pins: usize,
    /// Deepest that the root was lowered, m.
    pub deepest_drop_m: f64,
    /// Farthest that a pinned foot stays from its place because the leg is too short, m.
    pub worst_miss_m: f64,
}

/// Contacts that are found are found again in what came of them so many times at most.
const MOST_ROUNDS: usize = 3;

/// Removes foot sliding from a clip and changes nothing else: feet stand still while they are pinned, point one way,
/// and do not go below where the clip had them; the root gives way by millimetres. Contacts are those of
/// [`planting_contacts`]. Where these were found, feet that stand show a little more than feet that slid: that is held,
/// too, until planting again would change nothing.
pub fn plant(take: &Take, options: &PlantOptions) -> Result<Planted, EditingError> {
    let mut planted = plant_once(take, options)?;
    if take.has_known_contacts() {
        return Ok(planted);
    }
    for _ in 1..MOST_ROUNDS {
        if planted.plan.is_still() {
            break;
        }
        let again = take.with_clip(planted.clip.clone(), Keeps::Time).without_inherited();
        let Ok(next) = plant_once(&again, options) else { break };
        if next.plan.is_still() {
            break;
        }
        planted.clip = next.clip;
    }
    planted.after = contact_drift(&planted.clip, planting_contacts(take)?);
    Ok(planted)
}

fn plant_once(take: &Take, options: &PlantOptions) -> Result<Planted, EditingError> {
    let (clip, roles, body, contacts) = (take.clip(), take.roles(), take.body()?, planting_contacts(take)?);
    body.check_skeleton(clip.skeleton())?;
    let bridged = bridged(clip, contacts, &options.span, &[])?;
    let smooth = bridged.as_ref().map_or(clip, |(smooth, _)| smooth);
    let options = options.for_contacts_of(take);
    let mut plan = FootPlan::new(smooth, roles, contacts, &options)?;
    let (mut planted, mut outcome) = (smooth.clone(), PlantOutcome::default());
    if !plan.is_still() {
        planted = plan.root.with_track(planted)?;
        outcome = plan.settle(&mut planted, &mut PlantWorkspace::default());
    }
    plan.add_first(bridged.map(|(_, found)| found).unwrap_or_default());
    let before = contact_drift(clip, contacts);
    let after = contact_drift(&planted, contacts);
    Ok(Planted { clip: planted, plan, outcome, before, after })
}

impl Planted {
    /// The figures of the receipt.
    pub fn summary(&self) -> PlantSummary {
        PlantSummary {
            pins: self.plan.pin_count(),
            deepest_drop_m: self.outcome.deepest_drop_m,
            worst_miss_m: self.outcome.worst_miss_m,
        }
    }
}
