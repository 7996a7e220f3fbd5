//! How far feet slide while they stand, and how deep they sink (score.md, drift).

use super::evidence::Evidence;
use super::{ContactReport, SkateSummary};
use crate::contacts::effectors::tells_depth;
use crate::contacts::{Contact, Part, Paths};
use crate::error::AnalysisError;
use aplomb_motion::Side;
use aplomb_motion::signal::gaussian::Gaussian;
use aplomb_motion::signal::{SampleTimes, derivative};
use std::ops::Range;

/// Shorter stances say nothing about sliding (score.md), s.
const LEAST_SLIDING_STANCE_SECS: f64 = 0.08;

/// Stances are cut into equal parts no longer than this (score.md), s.
const LONGEST_PART_SECS: f64 = 0.6;

/// The stance of a foot (heel, ball and toe together) or a paw.
pub(crate) struct Stance {
    /// How long, s.
    pub secs: f64,
    /// How far it slides, m.
    pub drift_m: f64,
}

/// One report a contact, and the sliding of all feet.
///
/// `speeds` are [`Evidence::level_speeds`].
pub(super) fn reports(evidence: &Evidence<'_>, speeds: &[Vec<f64>]) -> (Vec<ContactReport>, SkateSummary) {
    let Some(even) = &evidence.even else { return (Vec::new(), SkateSummary::default()) };
    let effectors = &evidence.contacts.effectors;
    let floors_m: Vec<Option<Vec<f64>>> =
        (0..effectors.len()).map(|effector| floor_under_m(evidence, effector)).collect();
    let report = |contact: &Contact| {
        let effector = effectors.iter().position(|effector| effector.name == contact.effector)?;
        let samples = even.range_of_secs(contact.start_secs, contact.end_secs);
        let drift_m = drift_m(&speeds[effector][samples], even.step_secs);
        let rows = evidence.rows_within(contact.start_secs, contact.end_secs);
        let floor_m = floors_m[effector].as_ref();
        let depth_m = |row: usize| floor_m.map(|floor_m| evidence.depth_m(effector, row, floor_m[row]));
        let penetration_m = rows.map(depth_m).fold(None, deepest);
        Some(ContactReport { drift_m, penetration_m })
    };
    // Every contact is of an effector; the other arm is for the compiler.
    let nothing = ContactReport { drift_m: None, penetration_m: None };
    let reports = evidence.contacts.contacts.iter().map(|it| report(it).unwrap_or_else(|| nothing.clone())).collect();
    (reports, skate(&evidence.stances(speeds, even)))
}

fn skate(stances: &[Stance]) -> SkateSummary {
    let secs: f64 = stances.iter().map(|stance| stance.secs).sum();
    let weighted: f64 = stances.iter().map(|stance| stance.drift_m * stance.secs).sum();
    SkateSummary {
        mean_m: (secs > 0.0).then(|| weighted / secs),
        max_m: stances.iter().map(|stance| Some(stance.drift_m)).fold(None, deepest),
    }
}

fn deepest(a: Option<f64>, b: Option<f64>) -> Option<f64> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.max(b)),
        (a, b) => a.or(b),
    }
}

impl Evidence<'_> {
    /// Speed along the ground of every effector at the samples of [`Evidence::even`], smoothed as contacts are, m/s.
    pub fn level_speeds(&self) -> Result<Vec<Vec<f64>>, AnalysisError> {
        let Some(even) = &self.even else { return Ok(Vec::new()) };
        let smoother = Gaussian::from_window_secs(self.options.contacts.smoothing_secs, even.step_secs)?;
        let times = SampleTimes::uniform(even.step_secs)?;
        let normal = self.options.contacts.ground.normal();
        let level = |path_m: &Vec<glam::DVec3>| {
            let velocity = derivative::first(&smoother.smooth(path_m), times);
            velocity.into_iter().map(|velocity| (velocity - normal * velocity.dot(normal)).length()).collect()
        };
        Ok(even.points_m.iter().map(level).collect())
    }

    /// Stances of feet and paws of at least [`LEAST_SLIDING_STANCE_SECS`], with what each slides: of a foot, by the
    /// slowest point that is down, since a heel that rises is no slide. `speeds` are [`Evidence::level_speeds`].
    pub fn stances(&self, speeds: &[Vec<f64>], even: &Paths) -> Vec<Stance> {
        let mut stances = Vec::new();
        for limb in self.standing_limbs() {
            let mut slowest = vec![f64::INFINITY; even.com_m.len()];
            for &effector in &limb {
                for contact in self.contacts.contacts_of(&self.contacts.effectors[effector].name) {
                    for sample in even.range_of_secs(contact.start_secs, contact.end_secs) {
                        slowest[sample] = slowest[sample].min(speeds[effector][sample]);
                    }
                }
            }
            for samples in runs_of(&slowest) {
                let secs = samples.len() as f64 * even.step_secs;
                if let Some(drift_m) = drift_m(&slowest[samples], even.step_secs) {
                    stances.push(Stance { secs, drift_m });
                }
            }
        }
        stances
    }

    /// Effectors that stand as one: the points of each foot, each paw.
    pub fn standing_limbs(&self) -> Vec<Vec<usize>> {
        let of = |wanted: &dyn Fn(Part, Option<Side>) -> bool| -> Vec<usize> {
            let effectors = self.contacts.effectors.iter().enumerate();
            effectors.filter(|(_, effector)| wanted(effector.part, effector.side)).map(|(index, _)| index).collect()
        };
        let mut limbs: Vec<Vec<usize>> = Vec::new();
        for side in Side::BOTH {
            let is_foot = |part: Part| matches!(part, Part::Heel | Part::Ball | Part::Toe);
            limbs.push(of(&|part, of_side| is_foot(part) && of_side == Some(side)));
        }
        limbs.extend(of(&|part, _| matches!(part, Part::FrontPaw | Part::HindPaw)).into_iter().map(|paw| vec![paw]));
        limbs.retain(|limb| !limb.is_empty());
        limbs
    }

    /// How far a point is under a floor at a row, m; 0 above.
    pub fn depth_m(&self, effector: usize, row: usize, floor_m: f64) -> f64 {
        (floor_m - self.options.contacts.ground.height_m(self.points_m[effector][row])).max(0.0)
    }
}

fn runs_of(slowest: &[f64]) -> Vec<Range<usize>> {
    let mut runs: Vec<Range<usize>> = Vec::new();
    for (sample, _) in slowest.iter().enumerate().filter(|(_, speed)| speed.is_finite()) {
        match runs.last_mut() {
            Some(last) if last.end == sample => last.end += 1,
            _ => runs.push(sample..sample + 1),
        }
    }
    runs
}

/// How far a stance slides: in equal parts of at most 0.6 s, mean speed of the slower half × length of the part; the
/// mean of the parts.
///
/// The slower half leaves rolling out; a length and not a speed, so that playing slower gains nothing (score.md).
/// `None` if it is short.
fn drift_m(speeds: &[f64], step_secs: f64) -> Option<f64> {
    let secs = speeds.len() as f64 * step_secs;
    if speeds.is_empty() || secs < LEAST_SLIDING_STANCE_SECS - 1e-9 {
        return None;
    }
    let parts = (secs / LONGEST_PART_SECS - 1e-9).ceil().max(1.0) as usize;
    let edge = |part: usize| part * speeds.len() / parts;
    let part_m = |part: usize| {
        let mut speeds = speeds[edge(part)..edge(part + 1)].to_vec();
        speeds.sort_by(f64::total_cmp);
        let slower = &speeds[..speeds.len().div_ceil(2)];
        let mean = slower.iter().sum::<f64>() / slower.len() as f64;
        mean * speeds.len() as f64 * step_secs
    };
    Some((0..parts).map(part_m).sum::<f64>() / parts as f64)
}

/// The floor under a point at every row: where points of its kind usually stand; on a raised or lowered support (a
/// step) that one; between two contacts the lower of theirs. `None` for points that know no floor, or whose dips say
/// nothing (`tells_depth`).
///
/// A ball joint stands some centimetres above the sole, so each kind of point has its own height: a skeleton's joints
/// are no shoes.
pub(super) fn floor_under_m(evidence: &Evidence<'_>, effector: usize) -> Option<Vec<f64>> {
    if !tells_depth(&evidence.contacts.effectors)[effector] {
        return None;
    }
    let usual_m = evidence.standing_m[effector]?;
    let mut floor_m = vec![usual_m; evidence.rows()];
    let mut gap_start = 0;
    let mut before_m = None;
    for contact in evidence.contacts.contacts_of(&evidence.contacts.effectors[effector].name) {
        let rows = evidence.rows_within(contact.start_secs, contact.end_secs);
        let here_m = usual_m + contact.raised_m.unwrap_or(0.0);
        if let Some(gap) = floor_m.get_mut(gap_start..rows.start) {
            gap.fill(before_m.map_or(here_m, |before_m: f64| before_m.min(here_m)));
        }
        gap_start = rows.end;
        floor_m[rows].fill(here_m);
        before_m = Some(here_m);
    }
    if let (Some(rest), Some(before_m)) = (floor_m.get_mut(gap_start..), before_m) {
        rest.fill(before_m);
    }
    Some(floor_m)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_steady_slide_is_its_length_and_rolling_is_none() {
        // 0.2 m/s for 0.5 s: 0.1 m. For 1.2 s: two parts of 0.6 s with 0.12 m each.
        assert!((drift_m(&[0.2; 50], 0.01).unwrap() - 0.1).abs() < 1e-12);
        assert!((drift_m(&[0.2; 120], 0.01).unwrap() - 0.12).abs() < 1e-12);
        let rolling: Vec<f64> = (0..50).map(|i| if i < 30 { 0.0 } else { 1.0 }).collect();
        assert_eq!(drift_m(&rolling, 0.01), Some(0.0));
        assert_eq!(drift_m(&[0.2; 7], 0.01), None);
        assert_eq!(drift_m(&[], 0.01), None);
    }
}
