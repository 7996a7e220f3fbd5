//! One motion on the path of another (Lockwood & Singh 2011, figure 16).
//!
//! Both are cut to the longest run of handles with the same foot in front at each; then the handles of the one are put
//! on those of the other.

use super::{Handle, HandleKind, PathEditor, PathOptions};
use crate::EditingError;
use crate::footplant::planting_contacts;
use aplomb_analysis::ContactAnalysis;
use aplomb_analysis::{Keeps, Take};
use aplomb_motion::{FrameIndex, edit};
use serde::Serialize;
use std::ops::Range;

/// Fewer handles say nothing about the way between them.
const LEAST_HANDLES: usize = 3;

/// Which handles were matched.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Alignment {
    /// Handles of the motion that is edited.
    pub source: Range<usize>,
    /// Handles of the motion whose path is taken.
    pub target: Range<usize>,
    /// When they begin and end in the clip that is edited, s.
    pub source_secs: [f64; 2],
    /// How far the target turns between its first and last two handles of the run, rad.
    pub target_turn_rad: f64,
    /// Keys of the target from its first to its last handle, both included.
    #[serde(skip)]
    pub target_keys: Range<usize>,
}

/// An editor of the matching part of a motion, with its handles on those of `target`.
pub fn align(take: &Take, target: &PathEditor, options: PathOptions) -> Result<(PathEditor, Alignment), EditingError> {
    let whole = PathEditor::new(take, options.clone())?;
    let matched = longest_match(whole.handles(), target.handles()).ok_or(EditingError::NoMatch {
        least: LEAST_HANDLES,
        source_handles: inner(whole.handles()).len(),
        target_handles: inner(target.handles()).len(),
    })?;
    let own = &whole.handles()[matched.source.clone()];
    let (first, last) = (own[0].key.0, own[own.len() - 1].key.0);
    let cut = edit::cut_frames(whole.original(), FrameIndex(first)..FrameIndex(last + 1))?;
    let from_secs = own[0].time_secs;
    let contacts = between(planting_contacts(take)?, from_secs, own[own.len() - 1].time_secs);
    let given = own.iter().map(|handle| FrameIndex(handle.key.0 - first)).collect();
    let mut editor = PathEditor::new(
        &take.with_clip(cut, Keeps::Nothing).with_known_contacts(contacts, None),
        PathOptions { handles: Some(given), ..options },
    )?;
    for (handle, goal) in target.handles()[matched.target.clone()].iter().enumerate() {
        editor.set_handle(handle, goal.position_m)?;
    }
    Ok((editor, matched))
}

/// Handles between the ends: those at the ends are cuts, and may lie anywhere in a step.
fn inner(handles: &[Handle]) -> Range<usize> {
    let is_end = |handle: &&Handle| handle.kind == HandleKind::End;
    let first = handles.iter().take_while(is_end).count();
    let last = handles.iter().rev().take_while(is_end).count();
    first..handles.len().saturating_sub(last).max(first)
}

/// The longest run with equal lead feet; of equally long ones, where the target turns farthest (never where the fit
/// would be best).
fn longest_match(source: &[Handle], target: &[Handle]) -> Option<Alignment> {
    let (own, other) = (inner(source), inner(target));
    let mut best: Option<Alignment> = None;
    for start in own.clone() {
        for at in other.clone() {
            let alike = |offset: &usize| {
                let leads = (source[start + offset].lead, target[at + offset].lead);
                leads.0.is_some() && leads.0 == leads.1
            };
            let most = (own.end - start).min(other.end - at);
            let count = (0..most).take_while(alike).count();
            if count < LEAST_HANDLES {
                continue;
            }
            let window = &target[at..at + count];
            let found = Alignment {
                source: start..start + count,
                source_secs: [source[start].time_secs, source[start + count - 1].time_secs],
                target: at..at + count,
                target_turn_rad: turn_rad(window),
                target_keys: window[0].key.0..window[count - 1].key.0 + 1,
            };
            let wins = best
                .as_ref()
                .is_none_or(|best| (count, found.target_turn_rad) > (best.source.len(), best.target_turn_rad));
            if wins {
                best = Some(found);
            }
        }
    }
    best
}

fn turn_rad(handles: &[Handle]) -> f64 {
    let way = |pair: &[Handle]| (pair[1].position_m - pair[0].position_m).with_y(0.0);
    let mut pairs = handles.windows(2).map(way);
    match (pairs.next(), pairs.next_back()) {
        (Some(first), Some(last)) if first.length() > 0.0 && last.length() > 0.0 => first.angle_between(last),
        _ => 0.0,
    }
}

/// The contacts of a part of a clip, by the part's own clock.
fn between(contacts: &ContactAnalysis, start_secs: f64, end_secs: f64) -> ContactAnalysis {
    let mut part = contacts.clone();
    part.stray_first_frame = false;
    let shift = |secs: f64| secs.clamp(start_secs, end_secs) - start_secs;
    part.contacts.retain(|it| it.end_secs > start_secs && it.start_secs < end_secs);
    for contact in &mut part.contacts {
        (contact.start_secs, contact.end_secs) = (shift(contact.start_secs), shift(contact.end_secs));
    }
    part.pins.retain(|it| it.end_secs > start_secs && it.start_secs < end_secs);
    for pin in &mut part.pins {
        (pin.start_secs, pin.end_secs) = (shift(pin.start_secs), shift(pin.end_secs));
        (pin.load_start_secs, pin.load_end_secs) = (shift(pin.load_start_secs), shift(pin.load_end_secs));
    }
    part.flights.retain(|it| it.start_secs > start_secs && it.end_secs < end_secs);
    for flight in &mut part.flights {
        (flight.start_secs, flight.end_secs) = (shift(flight.start_secs), shift(flight.end_secs));
        (flight.kinematic_start_secs, flight.kinematic_end_secs) =
            (shift(flight.kinematic_start_secs), shift(flight.kinematic_end_secs));
    }
    part.other.clear();
    part
}
