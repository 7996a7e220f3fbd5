//! What a path edit did, for receipts.

use aplomb_editing::EditingError;
use aplomb_editing::path::{
    Alignment, FlightChange, HandleKind, PathEdited, PathEditor, PathSpeed, ScaleFactors, Timing,
};
use aplomb_editing::pops::LimbPop;
use aplomb_motion::Side;
use serde::Serialize;

/// Speeds that a receipt holds; plots show no more.
const MOST_SPEEDS: usize = 400;

/// How a path edit went, for receipts.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PathRecord {
    /// Rule of the times.
    pub timing: Timing,
    /// Whether feet rose with the path.
    pub stairs: bool,
    /// Whether people can go this way at this pace: lean and take-offs.
    pub is_humanly_possible: bool,
    /// Duration before and after, s: of the part that was matched, where the motion was aligned.
    pub secs: [f64; 2],
    /// Every handle.
    pub handles: Vec<HandleRecord>,
    /// Between each two.
    pub segments: Vec<SegmentRecord>,
    /// Every flight.
    pub flights: Vec<FlightChange>,
    /// Speed along the path, key by key.
    pub speeds: Vec<PathSpeed>,
    /// Deepest that the body was lowered because legs are short, m.
    pub deepest_drop_m: f64,
    /// Farthest that a heel was raised for the same reason, degrees.
    pub largest_lift_deg: f64,
    /// Keys in contact whose foot cannot be where it should.
    pub unreached_keys: usize,
    /// How far the foot is off at worst, m.
    pub worst_miss_m: f64,
    /// Fastest that the edit turns the body, over a tenth of a second, degrees a second.
    pub fastest_turn_deg: f64,
    /// Of every knee, ankle, elbow and wrist: where its way bends most from one frame to the next.
    pub limbs: Vec<LimbPop>,
    /// Which handles of which motions were matched, and when in the original.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub alignment: Option<Alignment>,
}

/// A handle before and after.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct HandleRecord {
    /// From 0.
    pub handle: usize,
    /// Why it is one.
    pub kind: HandleKind,
    /// The foot in front.
    pub lead: Option<Side>,
    /// When, s.
    pub secs: [f64; 2],
    /// The root there before, m.
    pub before_m: [f64; 3],
    /// The root on the new path, m, before the body is lowered for reach.
    pub after_m: [f64; 3],
}

/// Between two handles.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SegmentRecord {
    /// Scale factor.
    pub scale: f64,
    /// Way over the ground, m.
    pub length_m: [f64; 2],
    /// Time it takes, s.
    pub secs: [f64; 2],
    /// Mean speed after over before.
    pub speed_change: f64,
}

impl PathRecord {
    pub(super) fn of(
        editor: &PathEditor,
        done: &PathEdited,
        alignment: Option<&Alignment>,
    ) -> Result<Self, EditingError> {
        debug_assert_eq!(editor.options().scale_factors, ScaleFactors::PerSegment);
        let report = &done.report;
        let handles = editor.handles().iter().enumerate().map(|(handle, it)| HandleRecord {
            handle,
            kind: it.kind,
            lead: it.lead,
            secs: [it.time_secs, report.key_secs[it.key.0]],
            before_m: it.position_m.to_array(),
            after_m: report.path_m[it.key.0].to_array(),
        });
        let segments = report.segments.iter().map(|it| SegmentRecord {
            scale: it.scale,
            length_m: it.length_m,
            secs: it.secs,
            speed_change: it.speed_change(),
        });
        let speeds = editor.speeds()?;
        let every = speeds.len().div_ceil(MOST_SPEEDS).max(1);
        let last = speeds.len().saturating_sub(1);
        let is_kept = |index: usize| index.is_multiple_of(every) || index == last;
        Ok(Self {
            timing: editor.options().timing,
            stairs: editor.options().stairs,
            is_humanly_possible: true,
            secs: report.secs,
            handles: handles.collect(),
            segments: segments.collect(),
            flights: editor.flight_changes()?,
            speeds: speeds.into_iter().enumerate().filter(|it| is_kept(it.0)).map(|it| it.1).collect(),
            deepest_drop_m: report.deepest_drop_m,
            largest_lift_deg: report.largest_lift_rad.to_degrees(),
            unreached_keys: report.unreached_keys,
            worst_miss_m: report.worst_miss_m,
            fastest_turn_deg: report.fastest_turn.to_degrees(),
            limbs: editor.pops(done)?,
            alignment: alignment.cloned(),
        })
    }
}
