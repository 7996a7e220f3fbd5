//! A verb with its parameters as data: what a project file holds, what a command line becomes, and what a receipt
//! shows.

use super::adapt::AdaptEdit;
use super::blend::BlendEdit;
use super::kinematic::{ArcEdit, CutEdit, JoinEdit, SpeedEdit, TransitionEdit};
use super::path::PathEdit;
use super::plant::PlantEdit;
use super::reach::ReachEdit;
use super::slope::Slope;
use super::step::VerbRecord;
use super::touchup::TouchupEdit;
use super::track::TrackEdit;
use super::verb::{Context, Made, Verb, VerbError};
use aplomb_analysis::Take;
use aplomb_editing::path::Timing;
use aplomb_editing::tilt::Tilt;
use aplomb_editing::travel::Travel;
use serde::{Deserialize, Serialize};
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

/// What an edit does to feet and falls.
#[derive(PartialEq)]
enum Effect {
    /// It knows balance, flight and feet.
    Physics,
    /// Feet slide or hang by its doing.
    MovedFeet,
    /// Bodies fall faster or slower after it.
    OtherPace,
    /// None of these.
    Neither,
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
            Edit::Cut(_)
            | Edit::Join(_)
            | Edit::Speed(_)
            | Edit::Travel(_)
            | Edit::Transition(_)
            | Edit::Path(_)
            | Edit::Blend(_)
            | Edit::Adapt(_) => false,
        }
    }

    /// Whether bodies fall faster or slower after it.
    pub fn changes_pace(&self) -> bool {
        self.effect() == Effect::OtherPace
    }

    /// Whether feet slide or hang by its doing, so that contacts are better known from before.
    pub fn moves_feet(&self) -> bool {
        self.effect() == Effect::MovedFeet
    }

    /// Whether it knows balance, flight and feet; the others are kinematic.
    pub fn has_physics(&self) -> bool {
        self.effect() == Effect::Physics
    }

    /// Whether poses are others than those that were captured, by more than a move of the whole.
    pub(crate) fn makes_other_poses(&self) -> bool {
        match self {
            Edit::Arc(_)
            | Edit::Tilt(_)
            | Edit::Path(_)
            | Edit::Transition(_)
            | Edit::Blend(_)
            | Edit::Adapt(_)
            | Edit::Track(_)
            | Edit::Reach(_) => true,
            Edit::Cut(_) | Edit::Join(_) | Edit::Speed(_) | Edit::Travel(_) | Edit::Touchup(_) | Edit::Plant(_) => {
                false
            }
        }
    }

    /// No wildcard: a new verb has to say it.
    fn effect(&self) -> Effect {
        match self {
            Edit::Touchup(_) | Edit::Plant(_) => Effect::Physics,
            Edit::Arc(_) | Edit::Tilt(_) => Effect::MovedFeet,
            Edit::Speed(_) => Effect::OtherPace,
            Edit::Path(path) if matches!(path.timing, Timing::Scale(_)) => Effect::OtherPace,
            Edit::Cut(_)
            | Edit::Join(_)
            | Edit::Travel(_)
            | Edit::Transition(_)
            | Edit::Path(_)
            | Edit::Blend(_)
            | Edit::Adapt(_)
            | Edit::Track(_)
            | Edit::Reach(_) => Effect::Neither,
        }
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

    /// A contact file of the motion as it is before this edit.
    pub(crate) fn contacts_file(&self) -> Option<&Path> {
        let file = match self {
            Edit::Touchup(touchup) => &touchup.contacts,
            Edit::Plant(plant) => &plant.contacts,
            Edit::Path(path) => &path.contacts,
            Edit::Adapt(adapt) => &adapt.contacts,
            _ => &None,
        };
        file.as_deref()
    }

    /// The ground, where the edit states it.
    pub(crate) fn slope(&self) -> Option<Slope> {
        match self {
            Edit::Touchup(touchup) => touchup.slope,
            Edit::Plant(plant) => plant.slope,
            _ => None,
        }
    }
}

impl Verb for Edit {
    type Record = Option<VerbRecord>;

    fn apply(&self, take: &Take, context: &mut Context<'_>) -> Result<Made<Option<VerbRecord>>, VerbError> {
        let none = |made: Made<()>| made.map(|()| None);
        match self {
            Edit::Cut(it) => it.apply(take, context).map(none),
            Edit::Join(it) => it.apply(take, context).map(none),
            Edit::Speed(it) => it.apply(take, context).map(none),
            Edit::Arc(it) => it.apply(take, context).map(none),
            Edit::Tilt(it) => Verb::apply(it, take, context).map(none),
            Edit::Travel(it) => Verb::apply(it, take, context).map(none),
            Edit::Transition(it) => it.apply(take, context).map(none),
            Edit::Path(it) => it.apply(take, context).map(|made| made.map(|it| Some(VerbRecord::Path(Box::new(it))))),
            Edit::Touchup(it) => {
                it.apply(take, context).map(|made| made.map(|it| Some(VerbRecord::Touchup(Box::new(it)))))
            }
            Edit::Plant(it) => it.apply(take, context).map(|made| made.map(VerbRecord::Plant).map(Some)),
            Edit::Blend(it) => it.apply(take, context).map(|made| made.map(|it| Some(VerbRecord::Blend(Box::new(it))))),
            Edit::Adapt(it) => it.apply(take, context).map(|made| made.map(|it| Some(VerbRecord::Adapt(Box::new(it))))),
            Edit::Track(it) => it.apply(take, context).map(|made| made.map(|it| Some(VerbRecord::Track(Box::new(it))))),
            Edit::Reach(it) => it.apply(take, context).map(|made| made.map(VerbRecord::Reach).map(Some)),
        }
    }
}
