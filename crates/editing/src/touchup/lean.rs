//! How far a body must lean on its way, whatever it does: no edit can mend curves too tight for the speed.

use crate::EditingError;
use aplomb_motion::Clip;
use aplomb_motion::signal::gaussian::Gaussian;
use aplomb_motion::signal::{SampleTimes, derivative};
use aplomb_physics::centroidal::{CentroidalOptions, centroidal_track};
use aplomb_physics::{Body, GRAVITY};
use serde::Serialize;

/// Ways are slower than steps: smoothing time of the centre of mass, s.
const WAY_SECS: f64 = 1.0;
/// Slower ways have no direction to turn from, m/s.
const LEAST_WAY_SPEED: f64 = 0.5;
/// Runners lean by 20° to 30° in the tightest bends they take at speed; touch-up's closed form is for small turns.
const MOST_LEAN_DEG: f64 = 30.0;

/// The lean that the tightest part of a way needs.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct NeededLean {
    /// From the vertical, degrees.
    pub lean_deg: f64,
    /// Over the ground there, m/s.
    pub speed: f64,
    /// Of the curve there, m.
    pub radius_m: f64,
}

impl NeededLean {
    /// Whether people do not lean as far.
    pub fn is_too_far(&self) -> bool {
        self.lean_deg > MOST_LEAN_DEG
    }
}

/// The lean tan θ = v ω / g that most of the tighter half of a way needs (its upper quartile over time); `None` for a
/// body that stays in its place.
///
/// A circle taken at the angular rate ω is drawn smaller by smoothing, its velocity and acceleration by the same
/// factor: ω = |v × a| / |v|² is right however tight it is, and the speed comes from what is not smoothed.
pub fn needed_lean(clip: &Clip, body: &Body) -> Result<Option<NeededLean>, EditingError> {
    let Some(frame_time) = clip.timeline().uniform() else { return Ok(None) };
    let (step_secs, track) = (frame_time.secs(), centroidal_track(clip, body, &CentroidalOptions::default())?);
    let ends = (0.5 * WAY_SECS / step_secs).round() as usize;
    let way_m: Vec<_> = track.com_in_world_m.iter().map(|com_m| com_m.with_y(0.0)).collect();
    if way_m.len() < 2 * ends + 3 {
        return Ok(None);
    }
    let smooth_m = Gaussian::from_window_secs(WAY_SECS, step_secs)?.smooth(&way_m);
    let times = SampleTimes::uniform(step_secs)?;
    let (velocity, acceleration) = (derivative::first(&smooth_m, times), derivative::second(&smooth_m, times));
    // Accelerations of what is smoothed are wrong at the ends.
    let mut leans: Vec<NeededLean> = (ends..way_m.len() - ends)
        .filter(|frame| velocity[*frame].length() > LEAST_WAY_SPEED)
        .map(|frame| {
            let rate = velocity[frame].cross(acceleration[frame]).length() / velocity[frame].length_squared();
            let speed = track.momentum[frame].linear.with_y(0.0).length() / track.total_mass_kg;
            NeededLean {
                lean_deg: (speed * rate / GRAVITY).atan().to_degrees(),
                speed,
                radius_m: speed / rate.max(1e-9),
            }
        })
        .collect();
    leans.sort_by(|a, b| a.lean_deg.total_cmp(&b.lean_deg));
    Ok(leans.get(3 * leans.len() / 4).copied())
}
