//! What a blend guarantees, kind by kind.

use super::phases::PhaseEvent;
use glam::DVec3;
use serde::Serialize;

/// One flight.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FlightGuarantee {
    /// Gravity that was fitted to each clip, over the middle of the phase, m/s².
    pub input_g: Vec<f64>,
    /// What it must be in the blend: Σ w(Tᵢ/T)²gᵢ (equation 6; with linear timing off by equation 8), m/s².
    pub predicted_g: f64,
    /// What it is, fitted to poses of the blend at the same shares of the flight, m/s².
    pub g: f64,
    /// What frames that were written must have: the same fit to the clips at the instants of those frames, m/s². Absent
    /// below four frames.
    pub written_predicted_g: Option<f64>,
    /// What they have, m/s².
    pub written_g: Option<f64>,
    /// Largest horizontal distance of each clip's centre of mass from a straight line in time (constant velocity), m.
    pub input_bend_m: Vec<f64>,
    /// Σ w of that, m.
    pub allowed_bend_m: f64,
    /// Of the blend, m.
    pub bend_m: f64,
    /// Largest distance of each clip's path from the best straight line *on the ground*, over all of the flight, m.
    pub input_ground_bend_m: Vec<f64>,
    /// Of the blend, m. It is no linear measure: where ways cross, speeding up along one is sideways to the other, and
    /// it may be more than Σ w.
    pub ground_bend_m: f64,
    /// The same over the middle of the flight, m.
    pub input_sideways_m: Vec<f64>,
    /// Of the blend, m.
    pub sideways_m: f64,
    /// How far each clip turns about the vertical in the air, degrees.
    pub input_turn_deg: Vec<f64>,
    /// How far the blend does, degrees.
    pub turn_deg: f64,
    /// How far each clip turns from take-off's to landing's side of the ground: the part of its turn that is pivoted,
    /// degrees.
    pub input_pivot_deg: Vec<f64>,
    /// Standard deviation of the angular momentum about the centre of mass by axis, kg·m²/s; of each clip.
    pub input_momentum_deviation: Vec<DVec3>,
    /// Of the blend.
    pub momentum_deviation: DVec3,
}

/// From one phase to the next.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct TransitionGuarantee {
    /// When, s.
    pub secs: f64,
    /// What happens.
    pub event: PhaseEvent,
    /// Jump of the centre of mass's velocity from different time scales, m/s.
    pub timing_jump: f64,
    /// The same, with what turning the clips to the blended facing adds, m/s.
    pub velocity_jump: f64,
    /// What is left of that after [`super::BlendOptions::smooth_facing`] took its share, m/s.
    pub left_jump: f64,
    /// Farthest that a clip is turned here, degrees.
    pub turned_deg: f64,
    /// Largest second difference of a leg's joint at the frames about the change, as seen from the pelvis, m.
    pub leg_bend_m: f64,
    /// How far that is beyond what the clips have there, m.
    pub leg_jump_m: f64,
}

/// Feet that stand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct FeetGuarantee {
    /// Farthest that the ball of a foot that stands in all clips is from its interpolated place, m.
    pub off_track_m: f64,
    /// Farthest that such a ball moves while it stands, m.
    pub drift_m: f64,
    /// The same beyond the clip whose foot moves more at that time, m; not more than zero if feet slide no more than
    /// they did.
    pub drift_excess_m: f64,
    /// Lowest ball against the lowest of the clips, m; negative is deeper.
    pub lowest_m: f64,
    /// The same of any joint: knees and hands may touch the ground, too.
    pub lowest_joint_m: f64,
}

/// Static balance.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct BalanceGuarantee {
    /// Frames in which all clips have their centre of mass over their feet.
    pub frames: usize,
    /// Of these, frames in which the blend does not: equation 11 says none.
    pub lost_frames: usize,
    /// Farthest outside, m.
    pub worst_m: f64,
}

/// Forces and friction, 0.1 s or more from any change of phase.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct ForceGuarantee {
    /// Frames that were judged.
    pub frames: usize,
    /// Largest friction that the blend needs.
    pub friction: f64,
    /// Farthest that it is above what a clip needs at that time.
    pub friction_excess: f64,
    /// Share of frames in which it is more than 0.01 above.
    pub excess_share: f64,
    /// Largest difference of the force from Σ w(Tᵢ/T)²Fᵢ (equation 14), in body weights.
    pub equation_14_g: f64,
}

/// Peak acceleration of a joint, smoothed over 50 ms, against the larger of the clips': where it is much larger,
/// something pops.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct AccelerationGuarantee {
    /// The joint whose ratio is worst.
    pub joint: String,
    /// When it peaks, s.
    pub secs: f64,
    /// m/s².
    pub peak: f64,
    /// The largest of the same joint in any clip, m/s².
    pub input_peak: f64,
    /// One over the other; 0 for clips that are too short to tell.
    pub ratio: f64,
}
