//! What a path edit asks of a person, before any pose is made: refused with the nearest that works, or said in the
//! findings where a person wants it all the same.

use super::path::{Follow, PathChange, PathEdit};
use super::verb::{Context, VerbError};
use aplomb_editing::EditingError;
use aplomb_editing::beyond_people::{BeyondPeople, largest_share, rounded_down, rounded_up};
use aplomb_editing::finding::Finding;
use aplomb_editing::path::{JumpHeight, PathEditor, Timing};
use aplomb_editing::short_number;
use glam::DVec3;

impl PathEdit {
    /// The editor has the changes already. Whether people can do it.
    pub(super) fn check_people(
        &self,
        editor: &mut PathEditor,
        context: &mut Context<'_>,
        findings: &mut Vec<Finding>,
    ) -> Result<bool, VerbError> {
        // A way that another person was captured on is one that people go.
        if self.align_to.is_some() && self.changes.is_empty() {
            return Ok(true);
        }
        let Some(beyond) = editor.beyond_people()? else { return Ok(true) };
        let beyond = BeyondPeople { goal: self.goal_in_words(), ..beyond };
        if self.superhuman {
            findings.push(beyond.finding());
            return Ok(false);
        }
        let nearest = self.nearest(editor, context)?.map(|near| near.goal_in_words());
        Err(EditingError::BeyondPeople(Box::new(BeyondPeople { nearest, ..beyond })).into())
    }

    /// The most of what is asked that people can do.
    fn nearest(&self, editor: &mut PathEditor, context: &mut Context<'_>) -> Result<Option<Self>, VerbError> {
        // An aligned way is where moves start from.
        let base_m: Option<Vec<DVec3>> = self.align_to.as_ref().map(|_| self.base_of(editor));
        let mut is_within = |near: &Self| -> Result<bool, VerbError> {
            editor.reset();
            editor.set_timing(near.timing)?;
            for (handle, place_m) in base_m.iter().flatten().enumerate() {
                editor.set_handle(handle, *place_m)?;
            }
            let made = near.follow_on(editor, context).and_then(|()| Ok(near.change_on(editor)?));
            // Circles too tight to be followed at all are beyond, too.
            Ok(made.is_ok() && editor.beyond_people()?.is_none())
        };
        let share = largest_share(|share| is_within(&self.at_share(share)))?;
        // What is offered is rounded: it is tried as it is offered.
        let near = share.map(|share| self.at_share(share).rounded());
        Ok(near.map(|near| is_within(&near).map(|works| works.then_some(near))).transpose()?.flatten())
    }

    /// Where handles are before the changes.
    fn base_of(&self, editor: &PathEditor) -> Vec<DVec3> {
        let mut base_m = editor.goals_m().to_vec();
        for change in &self.changes {
            if let PathChange::Move { handle, by_m } = change {
                base_m[*handle] -= *by_m;
            }
        }
        base_m
    }

    /// The same edit going only so far: 0 leaves the motion as it is.
    fn at_share(&self, share: f64) -> Self {
        let towards = |factor: f64| 1.0 + (factor - 1.0) * share;
        let mut near = self.clone();
        if let Timing::Scale(factor) = &mut near.timing {
            *factor = towards(*factor);
        }
        match &mut near.follow {
            Some(Follow::Arc(arc)) => arc.radius_m /= share.max(NARROWEST_SHARE),
            Some(Follow::Curve(curve)) => curve.metres_per_unit /= share.max(NARROWEST_SHARE),
            None => {}
        }
        for change in &mut near.changes {
            match change {
                PathChange::Move { by_m, .. } => *by_m *= share,
                PathChange::Jump { height: JumpHeight::Times(times), .. } => *times = towards(*times),
                PathChange::Jump { height: JumpHeight::Metres(height_m), .. } => *height_m *= share,
            }
        }
        near
    }

    fn rounded(mut self) -> Self {
        if let Timing::Scale(factor) = &mut self.timing {
            *factor = if *factor < 1.0 { rounded_up(*factor) } else { rounded_down(*factor) };
        }
        match &mut self.follow {
            Some(Follow::Arc(arc)) => arc.radius_m = rounded_up(arc.radius_m),
            Some(Follow::Curve(curve)) => curve.metres_per_unit = rounded_up(curve.metres_per_unit),
            None => {}
        }
        for change in &mut self.changes {
            match change {
                PathChange::Move { by_m, .. } => *by_m = DVec3::from_array(by_m.to_array().map(rounded_down)),
                PathChange::Jump { height: JumpHeight::Times(it) | JumpHeight::Metres(it), .. } => {
                    *it = rounded_down(*it);
                }
            }
        }
        self
    }

    /// What is asked, as the start of a sentence.
    fn goal_in_words(&self) -> String {
        let mut parts = Vec::new();
        match &self.follow {
            Some(Follow::Arc(arc)) => parts.push(format!("a circle of {} m", short_number(arc.radius_m))),
            Some(Follow::Curve(curve)) => {
                parts.push(format!("the curve at {} m a unit", short_number(curve.metres_per_unit)));
            }
            None => {}
        }
        for change in self.changes.iter().take(MOST_NAMED_CHANGES) {
            parts.push(match *change {
                PathChange::Move { handle, by_m } => {
                    let [x, y, z] = by_m.to_array().map(short_number);
                    format!("handle {handle} moved by {x}, {y}, {z} m")
                }
                PathChange::Jump { flight, height: JumpHeight::Times(times) } => {
                    format!("flight {flight} {} times as high", short_number(times))
                }
                PathChange::Jump { flight, height: JumpHeight::Metres(height_m) } => {
                    format!("flight {flight} {} m high", short_number(height_m))
                }
            });
        }
        let more = self.changes.len().saturating_sub(MOST_NAMED_CHANGES);
        if more > 0 {
            parts.push(format!("{more} more changes in the same proportion"));
        }
        if let Timing::Scale(factor) = self.timing {
            parts.push(format!("{} times as long", short_number(factor)));
        }
        if parts.is_empty() { "this path".to_owned() } else { parts.join(", ") }
    }
}

/// A circle so many times as wide is straight.
const NARROWEST_SHARE: f64 = 1e-3;

/// Changes that a message names.
const MOST_NAMED_CHANGES: usize = 3;
