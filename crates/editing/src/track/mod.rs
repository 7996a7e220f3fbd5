//! Tracking: captured motion played by a simulated body whose joints are driven by servos (Zordan & Hodgins 1999).
//!
//! A clip becomes desired rotations of sixteen links (or of the upper body on a held pelvis), a servo at each joint
//! pulls towards them, and what physics makes of it is the result: spikes go, peaks and timing stay, and things that
//! push can push. `docs/algorithms/track.md` has the equations and the measurements.

pub mod character;
mod claps;
mod desired;
mod falls;
pub(crate) mod feet;
pub mod measure;
mod props;
pub mod scene_file;
mod scene_setup;
mod scene_simulation;
mod search;
mod servo_targets;
mod unsimulated_joints;

pub use desired::{Interpolation, Orientations};
pub use props::PropTrack;
pub use scene_setup::{Guest, HeldHand, ScenePlay};
pub use scene_simulation::ContactEvent;
pub use search::{StiffnessSearch, find_stiffness};
pub use servo_targets::ServoTargets;
pub use unsimulated_joints::Lower;

use crate::EditingError;
use aplomb_analysis::Take;
use aplomb_motion::Clip;
use aplomb_physics::simulation::{Scheme, ServoGains};
use feet::Standing;
use measure::HandMeasure;
use serde::{Deserialize, Serialize};

/// Which joints are driven.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Figure {
    /// Waist, chest, head and arms on a held pelvis, legs as captured: 27 degrees of freedom.
    #[default]
    Upper,
    /// The same with a back of one piece: 24.
    UpperStiffBack,
    /// All of the body, 48 and a free pelvis, standing on its feet.
    Full,
}

/// Stiffness of legs that carry, N·m/rad. Inertia of what hangs below a joint says nothing about holding up what stands
/// on it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LegGains {
    /// Of each hip.
    pub hip: f64,
    /// Of each knee.
    pub knee: f64,
    /// Of each ankle.
    pub ankle: f64,
}

impl LegGains {
    /// For an adult of 75 kg and 1.75 m.
    pub const ADULT: Self = Self { hip: 1500.0, knee: 1500.0, ankle: 1200.0 };

    /// What tips a standing body is m g h: gains of a smaller body are smaller by that.
    pub fn scaled(self, mass_kg: f64, stature_m: f64) -> Self {
        let share = mass_kg / 75.0 * stature_m / 1.75;
        Self { hip: self.hip * share, knee: self.knee * share, ankle: self.ankle * share }
    }
}

/// What the legs of a standing body are asked to do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stance {
    /// To keep the pose they start with; what the pelvis leans goes into the waist (Zordan & Hodgins 1999: legs were
    /// not captured).
    #[default]
    Hold,
    /// What they did.
    Captured,
}

/// How a clip is tracked.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TrackOptions {
    /// Of all joints.
    pub gains: ServoGains,
    /// Steps a second.
    pub hz: f64,
    /// Implicit unless convergence is to be shown.
    pub scheme: Scheme,
    /// Which joints.
    pub figure: Figure,
    /// Between samples.
    pub interpolation: Interpolation,
    /// Damping pulls towards the wanted rate instead of towards rest: hands lag less and overshoot more.
    pub rate_error: bool,
    /// Legs of [`Figure::Full`].
    pub stance: Stance,
    /// Pelvis and legs that are not simulated.
    pub lower: Lower,
    /// Of legs that stand; without, by the body's weight from [`LegGains::ADULT`]. Only for [`Figure::Full`].
    pub legs: Option<LegGains>,
}

impl Default for TrackOptions {
    fn default() -> Self {
        Self {
            gains: ServoGains::default(),
            hz: 480.0,
            scheme: Scheme::Implicit,
            figure: Figure::Upper,
            interpolation: Interpolation::Cubic,
            rate_error: false,
            stance: Stance::Hold,
            lower: Lower::Follow,
            legs: None,
        }
    }
}

impl TrackOptions {
    fn check(&self) -> Result<(), EditingError> {
        let setting = |what, expected, found: f64, is_right: bool| match is_right {
            true => Ok(()),
            false => Err(EditingError::Setting { what, expected, found }),
        };
        let ServoGains { stiffness_per_s2, .. } = self.gains;
        let time_secs = self.gains.damping_time_secs();
        setting("the stiffness", "from 1 to 1000000 s⁻²", stiffness_per_s2, (1.0..=1e6).contains(&stiffness_per_s2))?;
        setting("damping over stiffness", "from 0 to 10 s", time_secs, (0.0..=10.0).contains(&time_secs))?;
        setting("the step rate", "from 24 to 1000000 Hz", self.hz, (24.0..=1e6).contains(&self.hz))?;
        for gain in self.legs.iter().flat_map(|legs| [legs.hip, legs.knee, legs.ankle]) {
            setting("a leg's stiffness", "from 0 to 1000000 N·m/rad", gain, (0.0..=1e6).contains(&gain))?;
        }
        Ok(())
    }
}

/// A clip that was played, with what came of it.
#[derive(Clone, Debug)]
pub struct Tracked {
    /// The whole skeleton, links as simulated.
    pub clip: Clip,
    /// What the servos had to follow, at the same frames.
    pub wanted: Clip,
    /// How it went.
    pub report: TrackReport,
}

/// How tracking went.
#[derive(Clone, Debug, Serialize)]
pub struct TrackReport {
    /// Stiffness that was used, s⁻².
    pub stiffness_per_s2: f64,
    /// Degrees of freedom that were simulated.
    pub degrees_of_freedom: usize,
    /// Root mean square of the angle between wanted and played rotations over joints and frames, without the first half
    /// second.
    pub rms_error_deg: f64,
    /// Mean of the same, which Zordan & Hodgins call ε.
    pub mean_error_deg: f64,
    /// Hands that move.
    pub hands: Vec<HandMeasure>,
    /// Played over wanted acceleration above 10 Hz.
    pub shaking_ratio: Option<f64>,
    /// Longest step taken.
    pub step_secs: f64,
    /// How often the step was halved because a longer one diverged.
    pub halvings: usize,
    /// Steps taken.
    pub steps: usize,
    /// How a standing body stood.
    pub standing: Option<Standing>,
}

/// Called on the way: with the simulated seconds, and all of them.
pub type Advance<'a> = &'a dyn Fn(f64, f64);

/// Plays a clip in free space (or standing, if all of the body is driven).
pub fn track(take: &Take, options: &TrackOptions) -> Result<Tracked, EditingError> {
    ServoTargets::of_take(take, options)?.play(options, &|_, _| {})
}

#[cfg(test)]
mod tests;
