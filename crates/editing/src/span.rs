//! Which frames an edit may touch: without an artificial first frame, on a clock that gravity agrees with, eased in and
//! out.

use crate::EditingError;
use aplomb_analysis::ContactAnalysis;
use aplomb_analysis::contacts::ClockFinding;
use aplomb_motion::{Clip, FrameIndex, Timeline};
use aplomb_physics::GRAVITY;
use serde::{Deserialize, Serialize};

/// A stretch of a clip, by the seconds of its own clock. The default is all of it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Span {
    /// Start, s; without it the clip's start.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from_secs: Option<f64>,
    /// End, s; without it the clip's end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to_secs: Option<f64>,
    /// The edit grows from nothing over this long at either end that is given, inside the span.
    pub ease_secs: f64,
}

impl Default for Span {
    fn default() -> Self {
        Self { from_secs: None, to_secs: None, ease_secs: 0.25 }
    }
}

/// A stretch of time, s.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct TimeSpan {
    /// Start, s.
    pub start_secs: f64,
    /// End, s.
    pub end_secs: f64,
}

/// 3u² − 2u³ between 0 and 1: even at both ends.
pub(crate) fn smoothstep(u: f64) -> f64 {
    let u = u.clamp(0.0, 1.0);
    u * u * (3.0 - 2.0 * u)
}

/// Nothing is made longer than this many frames: days at 1 kHz.
pub(crate) const MOST_FRAMES: f64 = 1e8;

/// Gaps between contacts of one foot that are no longer are heel handing over to ball, s.
pub(crate) const HAND_OVER_SECS: f64 = 0.03;

/// Spans, start and end, that overlap or nearly touch become one; sorted by time.
pub(crate) fn unite(spans: &mut Vec<(f64, f64)>, gap_secs: f64) {
    spans.sort_by(|a, b| a.0.total_cmp(&b.0));
    spans.dedup_by(|next, span| {
        let joins = next.0 <= span.1 + gap_secs;
        if joins {
            span.1 = span.1.max(next.1);
        }
        joins
    });
}

/// The frames that an edit works on, evenly spaced, and how much of the edit each of them gets.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Frames {
    /// First frame of the clip that belongs to the motion.
    pub first: usize,
    pub step_secs: f64,
    /// Share of the edit, 0 to 1, a frame from `first` on.
    pub share: Vec<f64>,
}

impl Frames {
    /// Checks the clock, the spacing and the span.
    pub fn of(
        clip: &Clip,
        contacts: &ContactAnalysis,
        span: &Span,
        least: usize,
        needs: &'static str,
    ) -> Result<Self, EditingError> {
        check_clock(contacts)?;
        let Timeline::Uniform(frame_time) = clip.timeline() else { return Err(EditingError::UnevenFrames) };
        let first = usize::from(contacts.stray_first_frame).min(clip.frame_count());
        let frames = clip.frame_count() - first;
        if frames < least {
            return Err(EditingError::TooFewFrames { frames, needs, least });
        }
        let mut found = Self { first, step_secs: frame_time.secs(), share: vec![1.0; frames] };
        found.ease(clip, span)?;
        Ok(found)
    }

    fn ease(&mut self, clip: &Clip, span: &Span) -> Result<(), EditingError> {
        let duration_secs = clip.duration_secs();
        if !(span.ease_secs >= 0.0 && span.ease_secs.is_finite()) {
            let (what, expected) = ("the ease of a span", "0 s or more");
            return Err(EditingError::Setting { what, expected, found: span.ease_secs });
        }
        let (from_secs, to_secs) = (span.from_secs.unwrap_or(0.0), span.to_secs.unwrap_or(duration_secs));
        let is_inside = from_secs.is_finite() && to_secs.is_finite() && from_secs < to_secs;
        if !is_inside || from_secs >= duration_secs || to_secs <= 0.0 {
            return Err(EditingError::EmptySpan { from_secs, to_secs, duration_secs });
        }
        let start_secs = clip.time_secs(FrameIndex(0));
        for (index, share) in self.share.iter_mut().enumerate() {
            let at_secs = clip.time_secs(FrameIndex(self.first + index)) - start_secs;
            let rise = |given: Option<f64>, since_secs: f64| match given {
                None => 1.0,
                Some(_) if since_secs < 0.0 => 0.0,
                Some(_) if since_secs >= span.ease_secs => 1.0,
                Some(_) => smoothstep(since_secs / span.ease_secs),
            };
            *share = rise(span.from_secs, at_secs - from_secs) * rise(span.to_secs, to_secs - at_secs);
        }
        Ok(())
    }

    /// Leaves stretches of time as they are; the edit fades over `ease_secs` before and after them.
    pub fn leave_alone(&mut self, spans: &[TimeSpan], ease_secs: f64) {
        for span in spans {
            let (start, end) = (self.position(span.start_secs), self.position(span.end_secs));
            let ease = (ease_secs / self.step_secs).max(1.0);
            for (index, share) in self.share.iter_mut().enumerate() {
                let at = index as f64;
                let beside = (start - at).max(at - end).max(0.0);
                *share *= smoothstep(beside / ease);
            }
        }
    }

    pub fn len(&self) -> usize {
        self.share.len()
    }

    /// The clip's frame.
    pub fn frame(&self, index: usize) -> FrameIndex {
        FrameIndex(self.first + index)
    }

    /// Position in frames of a time of the analysis; may lie outside.
    pub fn position(&self, secs: f64) -> f64 {
        secs / self.step_secs - self.first as f64
    }

    /// Frames from one time of the analysis up to another, whose edges lie between frames.
    pub fn range(&self, start_secs: f64, end_secs: f64) -> std::ops::Range<usize> {
        // Contacts that reach the ends of a clip have their edge on the first or last frame itself.
        let inside = |position: f64| position.clamp(0.0, self.len() as f64) as usize;
        let start = inside((self.position(start_secs) - 1e-6).ceil());
        let end = inside((self.position(end_secs) + 1e-6).floor() + 1.0);
        start..end.max(start)
    }
}

/// Whether gravity agrees with the clock; nothing can be repaired on a wrong one.
pub(crate) fn check_clock(contacts: &ContactAnalysis) -> Result<(), EditingError> {
    let clock = &contacts.clock;
    match clock.finding {
        ClockFinding::WrongRate { factor } => Err(EditingError::WrongRate {
            header_hz: clock.header_hz,
            likely_hz: clock.header_hz * factor,
            times_g: clock.median_g.unwrap_or(f64::NAN) / GRAVITY,
        }),
        ClockFinding::WrongUnit { scale } => Err(EditingError::WrongUnit { scale }),
        // No other rate is proved, so there is none to refuse in favour of.
        ClockFinding::Agrees | ClockFinding::NoEvidence | ClockFinding::DisputedRate { .. } => Ok(()),
    }
}
