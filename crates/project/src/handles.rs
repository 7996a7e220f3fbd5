//! The handles of a clip, to edit its path by.

use crate::edits::{Edit, PathEdit, Project};
use crate::error::ProjectError;
use crate::files::Walk;
use crate::prefix::PrefixCache;
use crate::request::RunRequest;
use aplomb_editing::finding::{Severity, Wording, in_words};
use aplomb_editing::path::HandleKind;
use aplomb_motion::Side;
use serde::Serialize;

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

/// What can be taken hold of in the clip of a project, by the first path edit in it; edits before that one are not
/// made.
pub fn list_handles(project: &Project, request: &RunRequest<'_>, words: Wording) -> Result<HandleList, ProjectError> {
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
        notes: in_words(&findings, Severity::Note, words),
    })
}
