//! Phases by hand, and more keys inside long contacts.

use super::phases::{Matched, PhaseEvent, PhaseKind};
use super::source::BlendSource;
use crate::EditingError;
use serde::{Deserialize, Serialize};

/// Which phases there are, and when they end in each clip.
///
/// ```toml
/// phases = ["contact", "flight", "contact"]
/// [[clip]]
/// keys_secs = [0.85, 1.21]
/// [[clip]]
/// keys_secs = [1.02, 1.55]
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ManualPhases {
    /// In order.
    pub phases: Vec<PhaseKind>,
    /// Clip by clip, in the order they are blended.
    #[serde(rename = "clip")]
    pub clips: Vec<ManualKeys>,
}

/// When the phases of one clip end.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ManualKeys {
    /// One for each phase but the last, s from the file's first frame.
    pub keys_secs: Vec<f64>,
    /// The part that is blended begins at this time; without it, where the clip does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start_secs: Option<f64>,
    /// The part ends at this time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end_secs: Option<f64>,
}

/// Shorter phases cannot be distinguished from one frame, s.
const LEAST_GIVEN_SECS: f64 = 1e-3;

impl ManualPhases {
    /// Reads the text of a phases file.
    pub fn from_toml(text: &str) -> Result<Self, EditingError> {
        toml::from_str(text).map_err(|error| EditingError::ManualPhases { problem: error.to_string() })
    }

    pub(super) fn matched(&self, sources: &[BlendSource]) -> Result<Matched, EditingError> {
        let fail = |problem: String| Err(EditingError::ManualPhases { problem });
        if self.clips.len() != sources.len() {
            return fail(format!("there are keys of {} clips, and {} are blended", self.clips.len(), sources.len()));
        }
        if self.phases.is_empty() {
            return fail("there is no phase; name at least one".to_owned());
        }
        let mut keys_secs = Vec::new();
        for (index, (given, source)) in self.clips.iter().zip(sources).enumerate() {
            let clip = index + 1;
            if given.keys_secs.len() + 1 != self.phases.len() {
                let (expected, found) = (self.phases.len() - 1, given.keys_secs.len());
                return fail(format!("clip {clip} has {found} keys, {} phases need {expected}", self.phases.len()));
            }
            let (first_secs, last_secs) = (source.first_secs, source.last_secs());
            let start_secs = given.start_secs.unwrap_or(first_secs);
            let end_secs = given.end_secs.unwrap_or(last_secs);
            let keys: Vec<f64> =
                std::iter::once(start_secs).chain(given.keys_secs.iter().copied()).chain([end_secs]).collect();
            if let Some(secs) = keys.iter().find(|secs| !(first_secs - 1e-6..=last_secs + 1e-6).contains(*secs)) {
                return fail(format!("clip {clip}: {secs} s lies outside it ({first_secs:.3} to {last_secs:.3} s)"));
            }
            if let Some(pair) = keys.windows(2).find(|pair| pair[1] - pair[0] < LEAST_GIVEN_SECS) {
                return fail(format!("clip {clip}: the phase from {} s to {} s has no length", pair[0], pair[1]));
            }
            keys_secs.push(keys);
        }
        let event = |pair: &[PhaseKind]| match (pair[0], pair[1]) {
            (PhaseKind::Contact, PhaseKind::Flight) => PhaseEvent::TakeOff(None),
            (PhaseKind::Flight, PhaseKind::Contact) => PhaseEvent::Landing(None),
            _ => PhaseEvent::Key,
        };
        let events = self.phases.windows(2).map(event).collect();
        Ok(Matched { kinds: self.phases.clone(), events, keys_secs, is_gait: false, findings: Vec::new() })
    }
}

/// A crouch is at least so deep, m.
const LEAST_CROUCH_M: f64 = 0.05;

/// A crouch is so far from both ends of its phase, s.
const FROM_ENDS_SECS: f64 = 0.15;

/// Splits contact phases where all bodies are lowest inside them: crouches meet then, whatever each did before
/// ("additional key frames can be added during long contact phases", section 3).
pub(super) fn split_at_lowest(matched: &mut Matched, sources: &[BlendSource]) {
    for phase in (0..matched.kinds.len()).rev() {
        if matched.kinds[phase] != PhaseKind::Contact {
            continue;
        }
        let lowest = |clip: usize| {
            let (source, keys_secs) = (&sources[clip], &matched.keys_secs[clip]);
            let step_secs = source.frame_time.secs();
            let (start_secs, end_secs) = (keys_secs[phase], keys_secs[phase + 1]);
            let frames = (source.position(start_secs).ceil() as usize)..(source.position(end_secs).floor() as usize);
            let height_m = |frame: &usize| source.smooth_com_m[*frame].y;
            let low = frames.clone().min_by(|a, b| height_m(a).total_cmp(&height_m(b)))?;
            let secs = source.first_secs + low as f64 * step_secs;
            let is_inside = secs - start_secs > FROM_ENDS_SECS && end_secs - secs > FROM_ENDS_SECS;
            let highest =
                |frames: std::ops::Range<usize>| frames.map(|frame| height_m(&frame)).fold(f64::MIN, f64::max);
            let depth_m = highest(frames.start..low + 1).min(highest(low..frames.end)) - height_m(&low);
            (is_inside && depth_m > LEAST_CROUCH_M).then_some(secs)
        };
        let lowest: Option<Vec<f64>> = (0..sources.len()).map(lowest).collect();
        let Some(lowest) = lowest else { continue };
        for (keys_secs, secs) in matched.keys_secs.iter_mut().zip(&lowest) {
            keys_secs.insert(phase + 1, *secs);
        }
        matched.kinds.insert(phase, PhaseKind::Contact);
        matched.events.insert(phase, PhaseEvent::Key);
    }
}
