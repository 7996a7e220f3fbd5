//! Families of motions: what a motion measures, and which weights the clips' own measures give for a wanted one.

use super::phases::PhaseKind;
use super::source::BlendSource;
use super::{Blend, BlendSpace, Input};
use crate::EditingError;
use aplomb_analysis::ContactAnalysis;
use serde::{Deserialize, Serialize};

/// What motions of a family differ in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Parameter {
    /// From the feet at take-off to the feet after landing, over the ground; without a flight, from start to end, m.
    Length,
    /// Rise of the centre of mass in flight; without a flight, from its lowest to its highest place, m.
    Height,
    /// Of the facing, from start to end, degrees; to the left is positive.
    Turn,
    /// From start to end over the ground, m/s.
    Speed,
}

impl Parameter {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Length, Self::Height, Self::Turn, Self::Speed];

    /// As it is written.
    pub fn name(self) -> &'static str {
        match self {
            Self::Length => "length",
            Self::Height => "height",
            Self::Turn => "turn",
            Self::Speed => "speed",
        }
    }

    /// Of its values.
    pub fn unit(self) -> &'static str {
        match self {
            Self::Length | Self::Height => "m",
            Self::Turn => "°",
            Self::Speed => "m/s",
        }
    }

    /// A blend that is nearer to what was asked has it: a hundredth, or what cannot be seen (1 cm, 1°, 1 cm/s).
    pub fn tolerance(self, asked: f64) -> f64 {
        let least = match self {
            Self::Length | Self::Height | Self::Speed => 0.01,
            Self::Turn => 1.0,
        };
        f64::max(least, 0.01 * asked.abs())
    }

    /// By its name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|parameter| parameter.name() == name)
    }
}

/// Feet have come down so long after the force says so, s.
const SETTLED_SECS: f64 = 0.1;

impl BlendSpace {
    /// What each clip measures, over the part that is blended.
    pub fn measures(&self, parameter: Parameter) -> Vec<f64> {
        let clips = self.sources.iter().zip(&self.matched.keys_secs);
        clips.map(|(source, keys_secs)| self.measured(source, keys_secs, parameter)).collect()
    }

    /// What a blend measures.
    pub fn measure(&self, blend: &Blend, parameter: Parameter) -> Result<f64, EditingError> {
        Ok(self.measure_all(blend, &[parameter])?.into_iter().sum())
    }

    /// The same of several measures, in order; the blend is looked at once.
    pub fn measure_all(&self, blend: &Blend, parameters: &[Parameter]) -> Result<Vec<f64>, EditingError> {
        let contacts = ContactAnalysis { stray_first_frame: false, ..self.sources[0].contacts.clone() };
        let input = Input { clip: &blend.clip, contacts: &contacts };
        let written = BlendSource::read(&self.figure, &self.tracks, &input)?;
        let measured = |parameter: &Parameter| self.measured(&written, &blend.timing.starts_secs, *parameter);
        Ok(parameters.iter().map(measured).collect())
    }

    fn measured(&self, source: &BlendSource, keys_secs: &[f64], parameter: Parameter) -> f64 {
        let (start_secs, end_secs) = (keys_secs[0], keys_secs[keys_secs.len() - 1].min(source.last_secs()));
        // The longest flight is the jump.
        let flights = (0..self.matched.kinds.len()).filter(|&phase| self.matched.kinds[phase] == PhaseKind::Flight);
        let lasts = |phase: &usize| keys_secs[phase + 1] - keys_secs[*phase];
        let flight = flights.max_by(|a, b| lasts(a).total_cmp(&lasts(b)));
        let way_m = || (source.com_at_m(end_secs) - source.com_at_m(start_secs)).with_y(0.0).length();
        let heights = |from_secs: f64, to_secs: f64| {
            let frames = source.position(from_secs).ceil() as usize..=source.position(to_secs).floor() as usize;
            let inside = frames.filter(|frame| *frame < source.frames()).map(|frame| source.com_m[frame].y);
            inside.fold((f64::INFINITY, f64::NEG_INFINITY), |range, y| (range.0.min(y), range.1.max(y)))
        };
        match (parameter, flight) {
            (Parameter::Length, Some(phase)) => {
                let settled_secs = (keys_secs[phase + 1] + SETTLED_SECS).min(end_secs);
                let (off_m, on_m) = (source.stance_at_m(keys_secs[phase]), source.stance_at_m(settled_secs));
                (on_m - off_m).with_y(0.0).length()
            }
            (Parameter::Length, None) => way_m(),
            (Parameter::Height, Some(phase)) => {
                heights(keys_secs[phase], keys_secs[phase + 1]).1 - source.com_at_m(keys_secs[phase]).y
            }
            (Parameter::Height, None) => {
                let (low, high) = heights(start_secs, end_secs);
                high - low
            }
            (Parameter::Turn, _) => (source.heading_at_rad(end_secs) - source.heading_at_rad(start_secs)).to_degrees(),
            (Parameter::Speed, _) => way_m() / (end_secs - start_secs),
        }
    }
}

pub(super) fn range(values: &[f64]) -> (f64, f64) {
    values.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |range, value| (range.0.min(*value), range.1.max(*value)))
}

/// Weights ≥ 0 that sum to 1 with Σ wᵢ·pointᵢ nearest to what is aimed at; of many, those of clips that lie near.
/// `points` are by parameter, then clip.
///
/// One parameter: the two clips on either side, as on a line. More: least squares over the simplex by projected
/// gradients, each parameter in units of its range, with a little weight on distance, so that far clips take part only
/// where near ones do not reach.
pub(super) fn scattered_weights(points: &[Vec<f64>], aimed: &[f64]) -> Vec<f64> {
    let clips = points.first().map_or(0, Vec::len);
    if let ([values], [at]) = (points, aimed) {
        return bracketing_weights(values, *at);
    }
    let scales: Vec<f64> = points.iter().map(|values| range(values)).map(|(a, b)| (b - a).max(1e-9)).collect();
    let off = |weights: &[f64]| -> Vec<f64> {
        let of = |index: usize| {
            let sum: f64 = points[index].iter().zip(weights).map(|(value, weight)| value * weight).sum();
            (sum - aimed[index]) / scales[index]
        };
        (0..points.len()).map(of).collect()
    };
    let distance = |clip: usize| -> f64 {
        (0..points.len()).map(|index| ((points[index][clip] - aimed[index]) / scales[index]).powi(2)).sum()
    };
    let far: Vec<f64> = (0..clips).map(distance).collect();
    let step = 1.0 / (points.len() * clips).max(1) as f64;
    let mut weights = vec![1.0 / clips as f64; clips];
    for _ in 0..20_000 {
        let off = off(&weights);
        let slope = |clip: usize| {
            let fit: f64 = (0..points.len()).map(|index| off[index] * points[index][clip] / scales[index]).sum();
            fit + 1e-4 * far[clip]
        };
        let moved: Vec<f64> = (0..clips).map(|clip| weights[clip] - step * slope(clip)).collect();
        weights = onto_simplex(&moved);
    }
    weights
}

/// The clips next below and next above, linearly.
fn bracketing_weights(values: &[f64], at: f64) -> Vec<f64> {
    let mut weights = vec![0.0; values.len()];
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&a, &b| values[a].total_cmp(&values[b]));
    let above = order.iter().position(|&clip| values[clip] >= at).unwrap_or(order.len() - 1);
    let (low, high) = (order[above.saturating_sub(1)], order[above]);
    let span = values[high] - values[low];
    let share = if span > 0.0 { ((at - values[low]) / span).clamp(0.0, 1.0) } else { 1.0 };
    weights[low] += 1.0 - share;
    weights[high] += share;
    weights
}

/// The nearest point whose parts are not negative and sum to 1 (Duchi and others 2008).
fn onto_simplex(point: &[f64]) -> Vec<f64> {
    let mut sorted = point.to_vec();
    sorted.sort_by(|a, b| b.total_cmp(a));
    let (mut sum, mut shift) = (0.0, 0.0);
    for (index, value) in sorted.iter().enumerate() {
        sum += value;
        let candidate = (sum - 1.0) / (index + 1) as f64;
        if value - candidate > 0.0 {
            shift = candidate;
        }
    }
    point.iter().map(|value| (value - shift).max(0.0)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn on_a_line_the_neighbours_share() {
        assert_eq!(bracketing_weights(&[2.0, 0.0, 1.0], 1.25), [0.25, 0.0, 0.75]);
        assert_eq!(bracketing_weights(&[2.0, 0.0, 1.0], 0.0), [0.0, 1.0, 0.0]);
        assert_eq!(bracketing_weights(&[1.0, 1.0], 1.0).iter().sum::<f64>(), 1.0);
    }

    #[test]
    fn in_a_plane_weights_are_barycentric_and_far_clips_stay_out() {
        // A square of clips; the point lies in the lower left quarter.
        let points = vec![vec![0.0, 1.0, 0.0, 1.0], vec![0.0, 0.0, 100.0, 100.0]];
        let weights = scattered_weights(&points, &[0.25, 25.0]);
        let at = |index: usize| -> f64 { points[index].iter().zip(&weights).map(|(p, w)| p * w).sum() };
        assert!((at(0) - 0.25).abs() < 1e-3 && (at(1) - 25.0).abs() < 0.1, "{weights:?}");
        assert!((weights.iter().sum::<f64>() - 1.0).abs() < 1e-9 && weights.iter().all(|weight| *weight >= 0.0));
        assert!(weights[3] < 0.1 && weights[0] > 0.45, "{weights:?}");
    }
}
