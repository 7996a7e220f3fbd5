//! What a path edit did, for receipts; and the handles of a clip, for those who are about to edit it.

use super::edit::Edit;
use super::file::Project;
use super::path::PathEdit;
use super::verb::in_words;
use crate::error::ProjectError;
use crate::files::{RunRequest, Walk};
use crate::prefix::PrefixCache;
use aplomb_editing::EditingError;
use aplomb_editing::finding::Severity;
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
    /// Keys in contact whose foot cannot be where it should …
    pub unreached_keys: usize,
    /// … and by how much at worst, m.
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
    /// The root there before, m …
    pub before_m: [f64; 3],
    /// … and on the new path, m, before the body is lowered for reach.
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

/// The handles and flights of a clip (`docs/schemas/handles.schema.json`).
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct HandleList {
    /// 1.
    pub schema: u32,
    /// As it was given.
    pub clip: String,
    /// s.
    pub duration_secs: f64,
    /// What may be moved.
    pub handles: Vec<ListedHandle>,
    /// What may be made higher or lower.
    pub flights: Vec<ListedFlight>,
    /// Worth knowing.
    pub notes: Vec<String>,
}

/// A handle.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ListedHandle {
    /// As `--move` takes it.
    pub handle: usize,
    /// s.
    pub time_secs: f64,
    /// The root there, in the world, m.
    pub position_m: [f64; 3],
    /// Why it is one.
    pub kind: HandleKind,
    /// The foot in front; the standing one where only one stands.
    pub lead: Option<Side>,
}

/// A flight.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ListedFlight {
    /// As `--jump` takes it.
    pub flight: usize,
    /// First airborne key, s.
    pub start_secs: f64,
    /// Last airborne key, s.
    pub end_secs: f64,
    /// How high the centre of mass goes over the line from take-off to landing, m.
    pub height_m: f64,
    /// Downward acceleration of the parabola that fits it best, m/s²; `null` below four keys.
    pub g: Option<f64>,
}

/// What can be taken hold of in the clip of a project, by the first path edit in it; edits before that one are not made.
pub fn list_handles(project: &Project, request: &RunRequest<'_>) -> Result<HandleList, ProjectError> {
    let edit = project.edits.iter().find_map(|edit| match edit {
        Edit::Path(path) => Some(path.clone()),
        _ => None,
    });
    let edit = PathEdit { align_to: None, follow: None, ..edit.unwrap_or_default() };
    let project = Project { edits: vec![Edit::Path(edit.clone())], ..project.clone() };
    let read = project.read_options(&request.read, request.folder);
    let mut walk = Walk::start(&project, request, &read, &mut PrefixCache::off())?;
    let mut findings = Vec::new();
    let (editor, duration_secs) = walk.with_edit(0, |take, context| {
        Ok((edit.editor(take, context, &mut findings)?.0, take.clip().duration_secs()))
    })?;
    let handles = editor.handles().iter().enumerate().map(|(handle, it)| ListedHandle {
        handle,
        time_secs: it.time_secs,
        position_m: it.position_m.to_array(),
        kind: it.kind,
        lead: it.lead,
    });
    let flights = editor.flights().iter().enumerate().map(|(flight, it)| ListedFlight {
        flight,
        start_secs: it.start_secs,
        end_secs: it.end_secs,
        height_m: it.height_m,
        g: it.g,
    });
    Ok(HandleList {
        schema: 1,
        clip: project.clip.display().to_string(),
        duration_secs,
        handles: handles.collect(),
        flights: flights.collect(),
        notes: in_words(&findings, Severity::Note),
    })
}
