//! What tracking does to hands: how late they are, how much of each swing is left, and how much shaking is gone.

use aplomb_motion::signal::gaussian::Gaussian;
use aplomb_motion::signal::{SampleTimes, SignalError, derivative};
use aplomb_motion::{Clip, Role, Roles, Side, WorldPose};
use glam::DVec3;
use serde::Serialize;

/// Seconds at the start that count for nothing: servos settle under the body's weight.
pub const SETTLING_SECS: f64 = 0.5;

/// Peaks of hand speed are compared below this: what is quicker is noise or impact.
const PEAKS_HZ: f64 = 8.0;

/// Shaking begins here: gesturing hands have next to nothing above.
const SHAKING_HZ: f64 = 10.0;

/// A hand whose speed stays below this (m/s) has no swings to compare.
const LEAST_SWING_SPEED: f64 = 0.5;

/// Lags beyond this are no lags, s.
const MOST_LAG_SECS: f64 = 0.25;

/// One hand, as it was wanted and as it was played.
#[derive(Clone, Debug, Serialize)]
pub struct HandMeasure {
    /// Which.
    pub side: Side,
    /// How late the hand is, by correlation of speeds.
    pub lag_secs: f64,
    /// Speed at each peak, played over wanted.
    pub peak_ratios: Vec<f64>,
    /// Root mean square of acceleration above 10 Hz, wanted and played, m/s².
    pub shaking: [f64; 2],
    /// Wanted and played speed, m/s, a frame.
    #[serde(skip)]
    pub speed: [Vec<f64>; 2],
    /// Wanted and played height of the wrist, m, a frame.
    #[serde(skip)]
    pub height_m: [Vec<f64>; 2],
}

/// Paths of one hand's wrist in the world of the simulation, wanted and played, a point a frame.
pub struct HandPaths {
    /// Which.
    pub side: Side,
    /// Wanted and played, m.
    pub paths_m: [Vec<DVec3>; 2],
}

/// Measures hands from their paths.
pub fn hands(paths: &[HandPaths], step_secs: f64) -> Result<Vec<HandMeasure>, SignalError> {
    let mut measures = Vec::new();
    for HandPaths { side, paths_m: [wanted, played] } in paths {
        let speed = [low_passed_speed(wanted, step_secs)?, low_passed_speed(played, step_secs)?];
        let skip = frames_in(SETTLING_SECS, step_secs).min(speed[0].len());
        let lag = lag_frames(&speed[0], &speed[1], skip, step_secs);
        let peak_ratios = peak_ratios(&speed[0], &speed[1], skip, lag, step_secs);
        measures.push(HandMeasure {
            side: *side,
            lag_secs: lag * step_secs,
            peak_ratios,
            shaking: [shaking(wanted, step_secs)?, shaking(played, step_secs)?],
            speed,
            height_m: [wanted, played].map(|path| path.iter().map(|point_m| point_m.y).collect()),
        });
    }
    Ok(measures)
}

/// Speeds of a hand beside those of its own markers, which tracking never saw (Zordan & Hodgins 1999, figure 6).
#[derive(Clone, Debug, Serialize)]
pub struct MarkerMeasure {
    /// Which.
    pub side: Side,
    /// Correlation of speeds with the markers', of playback and of what was played, each with its own delay taken out.
    pub correlation: [f64; 2],
    /// Median of speeds at the markers' peaks over the markers' own; of playback and of what was played.
    pub peak_ratio: [f64; 2],
    /// Speed of the wrist's markers against their own pelvis, below 8 Hz, m/s, a frame.
    #[serde(skip)]
    pub speed: Vec<f64>,
}

/// Compares a hand with the markers of the same take: a clip of joint centres at the same frames. Nothing if it has no
/// such hand.
///
/// Pelvises are held in the simulation, so the markers' speed is measured against the markers' own pelvis.
pub fn beside_markers(
    hand: &HandMeasure,
    markers: &Clip,
    roles: &Roles,
    step_secs: f64,
) -> Result<Option<MarkerMeasure>, SignalError> {
    let joints = roles.joint(Role::Hips).zip(roles.joint(Role::Hand(hand.side)));
    let Some((hips, wrist)) = joints else { return Ok(None) };
    let mut pose = WorldPose::for_skeleton(markers.skeleton());
    let in_pelvis_m = |frame| {
        pose.pose(markers, frame);
        let from_hips_m = pose.joint_in_world_m[wrist.index()] - pose.joint_in_world_m[hips.index()];
        pose.world_from_joint[hips.index()].conjugate() * from_hips_m
    };
    let path_m: Vec<DVec3> = markers.frames().map(in_pelvis_m).collect();
    let speed = low_passed_speed(&path_m, step_secs)?;
    let skip = frames_in(SETTLING_SECS, step_secs).min(speed.len());
    let compared = hand.speed.each_ref().map(|other| {
        // Takes may end some frames apart.
        let both = speed.len().min(other.len());
        let (speed, other) = (&speed[..both], &other[..both]);
        let lag = lag_frames(speed, other, skip.min(both), step_secs);
        let mut ratios = peak_ratios(speed, other, skip.min(both), lag, step_secs);
        ratios.sort_by(f64::total_cmp);
        (correlation(speed, other, skip, lag.round() as usize), ratios.get(ratios.len() / 2).copied().unwrap_or(0.0))
    });
    let (correlation, peak_ratio) = (compared.map(|it| it.0), compared.map(|it| it.1));
    Ok(Some(MarkerMeasure { side: hand.side, correlation, peak_ratio, speed }))
}

/// Pearson's, of the second seen `lag` frames later, from `skip` on.
fn correlation(a: &[f64], b: &[f64], skip: usize, lag: usize) -> f64 {
    let pairs = || a.iter().zip(b.iter().skip(lag)).skip(skip);
    let count = pairs().count().max(1) as f64;
    let (mean_a, mean_b) = (pairs().map(|it| it.0).sum::<f64>() / count, pairs().map(|it| it.1).sum::<f64>() / count);
    let (mut both, mut own_a, mut own_b) = (0.0, 0.0, 0.0);
    for (a, b) in pairs().map(|(a, b)| (a - mean_a, b - mean_b)) {
        (both, own_a, own_b) = (both + a * b, own_a + a * a, own_b + b * b);
    }
    both / (own_a * own_b).sqrt().max(1e-12)
}

/// Played over wanted shaking of both hands together; the less, the smoother.
pub fn shaking_ratio(hands: &[HandMeasure]) -> Option<f64> {
    let sum = |which: usize| hands.iter().map(|hand| hand.shaking[which].powi(2)).sum::<f64>().sqrt();
    (sum(0) > 0.0).then(|| sum(1) / sum(0))
}

/// The time between two frames of an even clip, and the mean of an uneven one.
pub(super) fn mean_step_secs(clip: &Clip) -> f64 {
    clip.duration_secs() / clip.frame_count().saturating_sub(1).max(1) as f64
}

/// Where a joint is, a frame.
pub fn joint_path_m(clip: &Clip, joint: aplomb_motion::JointId) -> Vec<DVec3> {
    let mut pose = WorldPose::for_skeleton(clip.skeleton());
    let at = |frame| {
        pose.pose(clip, frame);
        pose.joint_in_world_m[joint.index()]
    };
    clip.frames().map(at).collect()
}

fn frames_in(secs: f64, step_secs: f64) -> usize {
    (secs / step_secs.max(1e-9)).round() as usize
}

/// σ of the Gaussian that passes half the power at `hz`.
fn sigma_secs(hz: f64) -> f64 {
    2f64.ln().sqrt() / (std::f64::consts::TAU * hz)
}

fn low_passed_speed(path_m: &[DVec3], step_secs: f64) -> Result<Vec<f64>, SignalError> {
    let smooth = Gaussian::from_sigma_secs(sigma_secs(PEAKS_HZ), step_secs)?.smooth(path_m);
    Ok(derivative::first(&smooth, SampleTimes::uniform(step_secs)?).iter().map(|v| v.length()).collect())
}

fn shaking(path_m: &[DVec3], step_secs: f64) -> Result<f64, SignalError> {
    let acceleration = derivative::second(path_m, SampleTimes::uniform(step_secs)?);
    let slow = Gaussian::from_sigma_secs(sigma_secs(SHAKING_HZ), step_secs)?.smooth(&acceleration);
    let skip = frames_in(SETTLING_SECS, step_secs).min(slow.len() / 2);
    // The last frames see only one side of what they differentiate.
    let inner = skip..slow.len().saturating_sub(frames_in(0.1, step_secs)).max(skip);
    let count = inner.len().max(1) as f64;
    let sum: f64 = inner.map(|at| (acceleration[at] - slow[at]).length_squared()).sum();
    Ok((sum / count).sqrt())
}

/// The shift of the best correlation, between frames by a parabola; none for a hand that hardly moves.
fn lag_frames(wanted: &[f64], played: &[f64], skip: usize, step_secs: f64) -> f64 {
    let most = frames_in(MOST_LAG_SECS, step_secs).max(2);
    if wanted.len() < skip + 4 * most || wanted.iter().skip(skip).all(|&speed| speed < LEAST_SWING_SPEED) {
        return 0.0;
    }
    let end = wanted.len() - most - 1;
    // Means are taken out, or a long stillness outweighs every swing.
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    let of_wanted = mean(&wanted[skip..end]);
    let score = |shift: usize| -> f64 {
        let of_played = mean(&played[skip + shift..end + shift]);
        let both = |at: usize| (wanted[at] - of_wanted, played[at + shift] - of_played);
        let (mut dot, mut norm) = (0.0, 0.0);
        for (a, b) in (skip..end).map(both) {
            (dot, norm) = (dot + a * b, norm + b * b);
        }
        dot / norm.sqrt().max(1e-12)
    };
    let scores: Vec<f64> = (0..=most).map(score).collect();
    let best = (0..=most).max_by(|&a, &b| scores[a].total_cmp(&scores[b])).unwrap_or(0);
    if best == 0 || best == most {
        return best as f64;
    }
    let (before, at, after) = (scores[best - 1], scores[best], scores[best + 1]);
    let bend = before - 2.0 * at + after;
    best as f64 + if bend < 0.0 { 0.5 * (before - after) / bend } else { 0.0 }
}

/// At each peak above a quarter of the largest: the highest played speed around where it should come, over the wanted
/// one.
fn peak_ratios(wanted: &[f64], played: &[f64], skip: usize, lag: f64, step_secs: f64) -> Vec<f64> {
    let most = wanted.iter().skip(skip).copied().fold(0.0, f64::max);
    if most < LEAST_SWING_SPEED {
        return Vec::new();
    }
    let near = frames_in(0.05, step_secs).max(1);
    let mut ratios = Vec::new();
    for at in (skip + 1).max(1)..wanted.len().saturating_sub(1) {
        let is_peak = wanted[at] > 0.25 * most && wanted[at] >= wanted[at - 1] && wanted[at] > wanted[at + 1];
        let centre = at + lag.round() as usize;
        if is_peak && centre + near < played.len() {
            let window = &played[centre.saturating_sub(near)..=centre + near];
            ratios.push(window.iter().copied().fold(0.0, f64::max) / wanted[at]);
        }
    }
    ratios
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_late_and_small_copy_is_measured_as_such() {
        let step_secs = 1.0 / 120.0;
        let speed = |secs: f64| 1.0 + (3.0 * secs).sin() + 0.4 * (7.1 * secs).sin();
        let wanted: Vec<f64> = (0..1200).map(|frame| speed(frame as f64 * step_secs)).collect();
        let played: Vec<f64> = (0..1200).map(|frame| 0.9 * speed(frame as f64 * step_secs - 0.041)).collect();
        let lag = lag_frames(&wanted, &played, 60, step_secs) * step_secs;
        assert!((lag - 0.041).abs() < 1e-3, "{lag} s");
        let ratios = peak_ratios(&wanted, &played, 60, lag / step_secs, step_secs);
        assert!(ratios.len() > 3 && ratios.iter().all(|ratio| (ratio - 0.9).abs() < 1e-3), "{ratios:?}");
        assert!(correlation(&wanted, &played, 60, 5) > 0.999 && correlation(&wanted, &played, 60, 40) < 0.9);
    }

    #[test]
    fn shaking_is_what_is_quick() {
        let step_secs = 1.0 / 120.0;
        let path = |hz: f64| -> Vec<DVec3> {
            let omega = std::f64::consts::TAU * hz;
            // Of 1 m/s² whatever the frequency.
            (0..600).map(|frame| DVec3::X * (omega * frame as f64 * step_secs).sin() / omega.powi(2)).collect()
        };
        let [slow, quick] = [2.0, 25.0].map(|hz| shaking(&path(hz), step_secs).unwrap());
        // Of √½ m/s² differences over some frames see three quarters at 25 Hz.
        assert!(slow < 0.05 && (0.5..0.75).contains(&quick), "{slow} {quick}");
    }
}
