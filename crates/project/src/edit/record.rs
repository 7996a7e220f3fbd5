//! A verb with its parameters as data: what a project file holds, what a command line becomes, and what a receipt shows.

use super::adapt::AdaptEdit;
use super::blend::BlendEdit;
use super::path::PathEdit;
use super::physical::{PlantEdit, TouchupEdit};
use super::track::{ReachEdit, TrackEdit};
use aplomb_editing::EditingError;
use aplomb_editing::arc::Arc;
use aplomb_editing::path::Timing;
use aplomb_editing::span::Span;
use aplomb_editing::speed::Speed;
use aplomb_editing::tilt::Tilt;
use aplomb_editing::transition::Transition;
use aplomb_editing::travel::Travel;
use aplomb_motion::edit::{EditError, Join, concatenate, cut};
use aplomb_motion::{Clip, Side, first_frame};
use serde::{Deserialize, Serialize};
use std::ops::Bound;
use std::path::{Path, PathBuf};

/// One edit. In a project file `verb` says which.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "verb", rename_all = "snake_case")]
pub enum Edit {
    /// A part of the motion.
    Cut(CutEdit),
    /// Other motions after it.
    Join(JoinEdit),
    /// Faster or slower.
    Speed(SpeedEdit),
    /// Bent onto an arc.
    Arc(ArcEdit),
    /// Tilted against gravity.
    Tilt(Tilt),
    /// A motion on the spot, carried on as fast as its feet go back.
    Travel(Travel),
    /// Over into another motion.
    Transition(TransitionEdit),
    /// Another way over the ground, with feet, flights and times that follow.
    Path(PathEdit),
    /// Balanced, and falling as bodies do.
    Touchup(TouchupEdit),
    /// Feet that stay where they stand.
    Plant(PlantEdit),
    /// Between several motions.
    Blend(BlendEdit),
    /// A jump or a run adapted to goals, with full dynamics.
    Adapt(Box<AdaptEdit>),
    /// Played by a driven body.
    Track(TrackEdit),
    /// A hand that is at a place at a moment.
    Reach(ReachEdit),
}

/// From here to there, the end not included unless it is the clip's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CutEdit {
    /// Without it, from the start.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from_secs: Option<f64>,
    /// Without it, to the end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to_secs: Option<f64>,
}

/// Which motions follow.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JoinEdit {
    /// In this order; relative to the project file.
    #[serde(serialize_with = "crate::lossy_path::many")]
    pub clips: Vec<PathBuf>,
    /// Where they go: `continue` (from where the body is) or `as-is`.
    #[serde(default = "goes_on")]
    pub place: Join,
}

fn goes_on() -> Join {
    Join::Continue
}

/// How fast, and when.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SpeedEdit {
    /// 2 is twice as fast.
    pub factor: f64,
    /// Without it, from the start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from_secs: Option<f64>,
    /// Without it, to the end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to_secs: Option<f64>,
    /// The pace changes over this long at each end that is given.
    #[serde(default = "usual_ease")]
    pub ease_secs: f64,
}

/// Which arc; by metres of the way or by seconds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ArcEdit {
    /// m.
    pub radius_m: f64,
    /// Of the way.
    pub side: Side,
    /// So many metres stay straight first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lead_in_m: Option<f64>,
    /// So many metres are bent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub length_m: Option<f64>,
    /// The curvature rises and falls over so many metres.
    #[serde(default)]
    pub ease_m: f64,
    /// Instead of `lead_in_m`: bent from where the body is at this time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from_secs: Option<f64>,
    /// Instead of `length_m`: up to where the body is at this time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to_secs: Option<f64>,
}

/// Into what, and when.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TransitionEdit {
    /// The second motion; relative to the project file.
    #[serde(serialize_with = "crate::lossy_path::one")]
    pub into: PathBuf,
    /// The first begins to give way.
    pub from_secs: f64,
    /// The second has taken over.
    pub to_secs: f64,
    /// Second of the second motion that meets `from_secs`; without it, where the poses fit best.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub into_secs: Option<f64>,
}

fn usual_ease() -> f64 {
    Span::default().ease_secs
}

/// What a kinematic edit made, and what people should know of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Edited {
    /// The new motion.
    pub clip: Clip,
    /// What the edit decided by itself.
    pub notes: Vec<String>,
}

impl Edit {
    /// As it is written in a project file.
    pub fn verb(&self) -> &'static str {
        match self {
            Edit::Cut(_) => "cut",
            Edit::Join(_) => "join",
            Edit::Speed(_) => "speed",
            Edit::Arc(_) => "arc",
            Edit::Tilt(_) => "tilt",
            Edit::Travel(_) => "travel",
            Edit::Transition(_) => "transition",
            Edit::Path(_) => "path",
            Edit::Touchup(_) => "touchup",
            Edit::Plant(_) => "plant",
            Edit::Blend(_) => "blend",
            Edit::Adapt(_) => "adapt",
            Edit::Track(_) => "track",
            Edit::Reach(_) => "reach",
        }
    }

    /// Whether every frame stays at its time, so that contacts found before still hold.
    pub fn keeps_time(&self) -> bool {
        match self {
            Edit::Arc(_) | Edit::Tilt(_) | Edit::Touchup(_) | Edit::Plant(_) | Edit::Reach(_) => true,
            Edit::Track(track) => track.keeps_time(),
            _ => false,
        }
    }

    /// Whether bodies fall faster or slower after it.
    pub fn changes_pace(&self) -> bool {
        match self {
            Edit::Speed(_) => true,
            Edit::Path(path) => matches!(path.timing, Timing::Scale(_)),
            _ => false,
        }
    }

    /// Whether feet slide or hang by its doing, so that contacts are better known from before.
    pub fn moves_feet(&self) -> bool {
        matches!(self, Edit::Arc(_) | Edit::Tilt(_))
    }

    /// Whether it knows balance, flight and feet; the others are kinematic.
    pub fn has_physics(&self) -> bool {
        matches!(self, Edit::Touchup(_) | Edit::Plant(_))
    }

    /// Other motions it needs.
    pub fn clips(&self) -> Vec<&Path> {
        match self {
            Edit::Join(join) => join.clips.iter().map(PathBuf::as_path).collect(),
            Edit::Transition(transition) => vec![&transition.into],
            Edit::Path(path) => path.align_to.iter().map(PathBuf::as_path).collect(),
            Edit::Blend(blend) => blend.clips.iter().map(PathBuf::as_path).collect(),
            Edit::Track(track) => track.clips(),
            _ => Vec::new(),
        }
    }

    /// Side files it needs.
    pub fn side_files(&self) -> Vec<&Path> {
        match self {
            Edit::Touchup(touchup) => {
                touchup.steps_file.iter().chain(&touchup.contacts).map(PathBuf::as_path).collect()
            }
            Edit::Plant(plant) => plant.contacts.iter().map(PathBuf::as_path).collect(),
            Edit::Path(path) => path.side_files(),
            Edit::Blend(blend) => blend.phases.iter().map(PathBuf::as_path).collect(),
            Edit::Adapt(adapt) => adapt.goals_file.iter().chain(&adapt.contacts).map(PathBuf::as_path).collect(),
            Edit::Track(track) => track.orientations.iter().chain(&track.markers).map(PathBuf::as_path).collect(),
            _ => Vec::new(),
        }
    }

    /// Every path in it.
    pub(crate) fn paths_mut(&mut self) -> Vec<&mut PathBuf> {
        match self {
            Edit::Join(join) => join.clips.iter_mut().collect(),
            Edit::Transition(transition) => vec![&mut transition.into],
            Edit::Touchup(touchup) => touchup.steps_file.iter_mut().chain(&mut touchup.contacts).collect(),
            Edit::Plant(plant) => plant.contacts.iter_mut().collect(),
            Edit::Path(path) => path.paths_mut(),
            Edit::Blend(blend) => blend.clips.iter_mut().chain(&mut blend.phases).collect(),
            Edit::Adapt(adapt) => {
                let AdaptEdit { goals_file, contacts, .. } = &mut **adapt;
                goals_file.iter_mut().chain(contacts).collect()
            }
            Edit::Track(track) => track.paths_mut(),
            Edit::Cut(_) | Edit::Speed(_) | Edit::Arc(_) | Edit::Tilt(_) | Edit::Travel(_) | Edit::Reach(_) => {
                Vec::new()
            }
        }
    }

    /// The motion after this edit, if it needs neither physics nor contacts: `None` for those that do. `others` are the motions of [`Edit::clips`], in
    /// that order.
    pub fn apply(&self, clip: &Clip, others: &[Clip]) -> Result<Option<Edited>, EditingError> {
        let mut notes = Vec::new();
        let clip = match self {
            Edit::Cut(part) => part.apply(clip)?,
            Edit::Join(JoinEdit { place, .. }) => {
                let mut parts = vec![clip.clone()];
                for (index, other) in others.iter().enumerate() {
                    parts.push(without_stray_frame(other, index, &mut notes)?);
                }
                concatenate(&parts.iter().collect::<Vec<_>>(), *place)?
            }
            Edit::Speed(SpeedEdit { factor, from_secs, to_secs, ease_secs }) => {
                let span = Span { from_secs: *from_secs, to_secs: *to_secs, ease_secs: *ease_secs };
                Speed { factor: *factor, span }.apply(clip)?
            }
            Edit::Arc(arc) => arc.to_arc(clip)?.apply(clip)?,
            Edit::Tilt(tilt) => {
                let normal = tilt.slope(clip)?.normal;
                notes.push(format!("the ground's normal is now {:.4},{:.4},{:.4}", normal.x, normal.y, normal.z));
                tilt.apply(clip)?
            }
            Edit::Transition(TransitionEdit { from_secs, to_secs, into_secs, .. }) => {
                let transition = Transition { from_secs: *from_secs, to_secs: *to_secs, into_secs: *into_secs };
                let into = others.first().ok_or(EditError::NoClips)?;
                let made = transition.apply(clip, into)?;
                notes.push(format!(
                    "entered at {:.3} s of the second motion, whose poses lie {:.1} cm apart there",
                    made.into_secs,
                    100.0 * made.apart_m
                ));
                made.clip
            }
            Edit::Travel(_)
            | Edit::Path(_)
            | Edit::Touchup(_)
            | Edit::Plant(_)
            | Edit::Blend(_)
            | Edit::Adapt(_)
            | Edit::Track(_)
            | Edit::Reach(_) => return Ok(None),
        };
        Ok(Some(Edited { clip, notes }))
    }
}

impl CutEdit {
    fn apply(self, clip: &Clip) -> Result<Clip, EditingError> {
        // A clip said to last 3.2 s has its last frame at 3.2 s: an end there means all of it.
        let half_frame_secs = clip.timeline().uniform().map_or(0.0, |frame_time| 0.5 * frame_time.secs());
        let reaches_end = |secs: f64| (secs - clip.duration_secs()).abs() <= half_frame_secs;
        let start = self.from_secs.map_or(Bound::Unbounded, Bound::Included);
        let end = self.to_secs.filter(|secs| !reaches_end(*secs)).map_or(Bound::Unbounded, Bound::Excluded);
        Ok(cut(clip, (start, end))?)
    }
}

/// A T-pose before the first captured frame would flash up in the middle of the joined motion.
fn without_stray_frame(clip: &Clip, index: usize, notes: &mut Vec<String>) -> Result<Clip, EditingError> {
    let Some(rest) = first_frame::without_stray(clip)? else { return Ok(clip.clone()) };
    notes.push(format!("the first frame of joined clip {} is no part of its motion and was left out", index + 1));
    Ok(rest)
}

impl ArcEdit {
    fn to_arc(self, clip: &Clip) -> Result<Arc, EditingError> {
        let Self { radius_m, side, lead_in_m, length_m, ease_m, from_secs, to_secs } = self;
        let arc = Arc { radius_m, side, lead_in_m, length_m, ease_m };
        match (from_secs, to_secs) {
            (None, None) => Ok(arc),
            _ if lead_in_m.is_some() || length_m.is_some() => {
                Err(EditingError::Conflict { a: "from_secs and to_secs", b: "lead_in_m and length_m" })
            }
            _ => arc.between(clip, from_secs, to_secs),
        }
    }
}
