//! Which moments are drawn.

use crate::clip_measures::ClipMeasures;
use crate::error::RenderError;
use aplomb_motion::{Clip, FrameIndex};

/// Most figures in one view; more would only cover each other.
pub const MAX_FIGURES: usize = 200;

/// Most joints posed and drawn in one picture, over all figures.
const MAX_DRAWN_JOINTS: usize = 400_000;

/// Which frames to draw.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum FrameSelection {
    /// A round time step (1, 2, 2.5, 3, 4 or 5 times a power of ten, or a few whole frames) that gives 8 to 16 figures:
    /// as many as stand clear of each other in the layout. Clips of fewer frames show all of them.
    #[default]
    Auto,
    /// One figure every so many seconds.
    Strobe {
        /// Time between figures.
        secs: f64,
    },
    /// These frames of the first clip, in this order.
    Frames(Vec<FrameIndex>),
}

/// One moment.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Shot {
    pub time_secs: f64,
    /// Frame of each clip nearest to the time; `None` when the clip has ended.
    pub frames: Vec<Option<FrameIndex>>,
}

/// The moments, and what to tell about their choice.
pub(crate) struct Shots {
    pub shots: Vec<Shot>,
    /// The time between all neighbours, if it is one.
    pub step_secs: Option<f64>,
    pub notes: Vec<String>,
}

/// Chooses the moments between `from_secs` and `to_secs`; `ideal` is the number of figures that fit.
pub(crate) fn choose(
    measured: &[ClipMeasures],
    selection: &FrameSelection,
    (from_secs, to_secs): (f64, f64),
    ideal: usize,
) -> Result<Shots, RenderError> {
    let Some(first) = measured.first() else { return Err(RenderError::NoView) };
    let mut notes = Vec::new();
    let joints = measured.iter().map(|measures| measures.clip.skeleton().len()).sum::<usize>().max(1);
    let most = (MAX_DRAWN_JOINTS / joints).clamp(1, MAX_FIGURES);
    let (mut times, mut step_secs) = match selection {
        FrameSelection::Frames(frames) => (listed(first, frames)?, None),
        FrameSelection::Strobe { secs } => {
            if !(secs.is_finite() && *secs > 0.0) {
                return Err(RenderError::Strobe { found_secs: *secs });
            }
            (every(from_secs, to_secs, *secs, most), Some(*secs))
        }
        FrameSelection::Auto => {
            let step_secs = round_step(first.clip, to_secs - from_secs, ideal);
            (every(from_secs, to_secs, step_secs, most), Some(step_secs))
        }
    };
    if let Some(step) = step_secs {
        let asked = ((to_secs - from_secs) / step + 1e-6).floor() + 1.0;
        if asked > most as f64 {
            notes.push(format!("{most} of {asked} figures are drawn, evenly chosen: more would cover each other."));
            step_secs = None;
        }
    }
    if times.len() > most {
        notes.push(format!("{most} of {} figures are drawn, evenly chosen: more would cover each other.", times.len()));
        times = thin(&times, most);
    }
    let explicit = matches!(selection, FrameSelection::Frames(_));
    let mut shots: Vec<Shot> = times.iter().map(|&time_secs| shot_at(measured, time_secs, explicit)).collect();
    if !explicit {
        // A step finer than the frames would draw the same frame again.
        shots.dedup_by(|later, earlier| later.frames == earlier.frames);
    }
    Ok(Shots { shots, step_secs, notes })
}

fn listed(measures: &ClipMeasures, frames: &[FrameIndex]) -> Result<Vec<f64>, RenderError> {
    let last = measures.clip.frame_count() - 1;
    if let Some(frame) = frames.iter().find(|frame| frame.0 > last) {
        return Err(RenderError::FrameOutOfRange { frame: frame.0, name: measures.name.to_owned(), last });
    }
    if frames.is_empty() {
        return Err(RenderError::EmptySelection {
            asked: "an empty list of frames".to_owned(),
            first_secs: measures.clip.time_secs(FrameIndex(0)),
            last_secs: measures.last_secs(),
        });
    }
    Ok(frames.iter().map(|&frame| measures.clip.time_secs(frame)).collect())
}

/// Times from the start on, at most `most`, evenly thinned when there are more.
fn every(from_secs: f64, to_secs: f64, step_secs: f64, most: usize) -> Vec<f64> {
    // The small part of a step keeps the last figure when rounding puts it a hair behind the end.
    let count = ((to_secs - from_secs) / step_secs + 1e-6).floor() + 1.0;
    if count <= most as f64 {
        return (0..count as usize).map(|index| from_secs + index as f64 * step_secs).collect();
    }
    let stride = (count - 1.0) / (most.max(2) - 1) as f64;
    (0..most).map(|index| from_secs + (index as f64 * stride).round() * step_secs).collect()
}

fn thin(times: &[f64], most: usize) -> Vec<f64> {
    let last = times.len() - 1;
    (0..most).filter_map(|index| times.get(index * last / most.max(2).saturating_sub(1)).copied()).collect()
}

/// The round step whose number of figures is nearest to `ideal`, preferring 8 to 16.
fn round_step(clip: &Clip, duration_secs: f64, ideal: usize) -> f64 {
    let shortest_secs = match clip.timeline().uniform() {
        Some(frame_time) => frame_time.secs(),
        None => duration_secs / clip.frame_count().max(2) as f64,
    };
    if duration_secs <= 0.0 {
        return shortest_secs.max(1e-3);
    }
    if clip.frame_count() <= ideal {
        return shortest_secs;
    }
    let figures = |step_secs: f64| (duration_secs / step_secs + 1e-6).floor() + 1.0;
    let steps = (-4..6).flat_map(|power| [1.0, 2.0, 2.5, 3.0, 4.0, 5.0].map(|mantissa| mantissa * 10f64.powi(power)));
    // Short clips have no round step of whole frames: a few whole frames are offered too.
    let whole_frames = (1..=6).map(|frames| f64::from(frames) * shortest_secs);
    let is_whole = |value: f64| (value - value.round()).abs() < 1e-3;
    let misfit = |step_secs: f64| {
        let count = figures(step_secs);
        let outside = (8.0 - count).max(0.0) + (count - 16.0).max(0.0);
        // A step of whole frames puts every figure at the very time of its label.
        let broken = if is_whole(step_secs / shortest_secs) { 0.0 } else { 5.0 };
        let crooked = if is_whole(step_secs * 1e3 / 5.0) { 0.0 } else { 2.0 };
        (count - ideal as f64).abs() + 10.0 * outside + broken + crooked
    };
    let best = steps
        .chain(whole_frames)
        .filter(|&step| step >= shortest_secs * (1.0 - 1e-6))
        .min_by(|a, b| misfit(*a).total_cmp(&misfit(*b)));
    best.unwrap_or(shortest_secs)
}

fn shot_at(measured: &[ClipMeasures], time_secs: f64, explicit: bool) -> Shot {
    let frame = |measures: &ClipMeasures| {
        let frame = nearest_frame(measures.clip, time_secs)?;
        Some(if explicit { frame } else { frame.max(measures.first_frame()) })
    };
    let frames: Vec<Option<FrameIndex>> = measured.iter().map(frame).collect();
    // The label tells the time of the frame that is drawn, not the one that was wished for.
    let drawn =
        measured.iter().zip(&frames).find_map(|(measures, frame)| frame.map(|frame| measures.clip.time_secs(frame)));
    Shot { time_secs: drawn.unwrap_or(time_secs), frames }
}

/// The frame nearest to a time; `None` more than half a frame (and 10 ms) behind the last one.
fn nearest_frame(clip: &Clip, time_secs: f64) -> Option<FrameIndex> {
    let last = clip.frame_count().checked_sub(1)?;
    let at = |index: usize| clip.time_secs(FrameIndex(index));
    let slack_secs = if last > 0 { 0.5 * (at(last) - at(last - 1)) } else { 0.0 };
    if time_secs > at(last) + slack_secs.max(0.01) {
        return None;
    }
    // First frame at or after the time, by bisection: times rise.
    let (mut low, mut high) = (0, last);
    while low < high {
        let middle = (low + high) / 2;
        if at(middle) < time_secs { low = middle + 1 } else { high = middle }
    }
    let earlier_is_nearer = low > 0 && time_secs - at(low - 1) < at(low) - time_secs;
    Some(FrameIndex(if earlier_is_nearer { low - 1 } else { low }))
}
