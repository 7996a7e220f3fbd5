//! Verbs that move frames and joints without physics, as data.

use super::verb::{Context, Made, Verb, VerbError};
use crate::codes;
use aplomb_analysis::{Ground, Take};
use aplomb_editing::EditingError;
use aplomb_editing::arc::Arc;
use aplomb_editing::beyond_people::BeyondPeople;
use aplomb_editing::finding::Finding;
use aplomb_editing::span::Span;
use aplomb_editing::speed::Speed;
use aplomb_editing::tilt::Tilt;
use aplomb_editing::transition::Transition;
use aplomb_editing::travel::Travel;
use aplomb_motion::edit::{Join, concatenate, cut};
use aplomb_motion::{Clip, Side, first_frame};
use glam::DVec3;
use serde::{Deserialize, Serialize};
use std::ops::Bound;
use std::path::PathBuf;

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

impl SpeedEdit {
    /// All of the motion, so many times as fast.
    pub fn new(factor: f64) -> Self {
        Self { factor, from_secs: None, to_secs: None, ease_secs: usual_ease() }
    }
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
    /// Bend it where no person could lean as far.
    #[serde(default)]
    pub superhuman: bool,
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

impl Verb for CutEdit {
    type Record = ();

    fn apply(&self, take: &Take, _: &mut Context<'_>) -> Result<Made<()>, VerbError> {
        let clip = take.clip();
        // A clip said to last 3.2 s has its last frame at 3.2 s: an end there means all of it.
        let half_frame_secs = clip.timeline().uniform().map_or(0.0, |frame_time| 0.5 * frame_time.secs());
        let reaches_end = |secs: f64| (secs - clip.duration_secs()).abs() <= half_frame_secs;
        let start = self.from_secs.map_or(Bound::Unbounded, Bound::Included);
        let end = self.to_secs.filter(|secs| !reaches_end(*secs)).map_or(Bound::Unbounded, Bound::Excluded);
        Ok(Made::new(cut(clip, (start, end))?, ()))
    }
}

impl Verb for JoinEdit {
    type Record = ();

    fn apply(&self, take: &Take, context: &mut Context<'_>) -> Result<Made<()>, VerbError> {
        let mut parts = vec![take.clip().clone()];
        let mut findings = Vec::new();
        for (index, name) in self.clips.iter().enumerate() {
            let other = context.sources.take(name, take)?;
            parts.push(match first_frame::without_stray(other.clip())? {
                None => other.clip().clone(),
                // A T-pose before the first captured frame would flash up in the middle of the joined motion.
                Some(rest) => {
                    findings.push(Finding::of(codes::JOINED_FIRST_FRAME).value("clip", index + 1));
                    rest
                }
            });
        }
        let clip = concatenate(&parts.iter().collect::<Vec<_>>(), self.place)?;
        Ok(Made { findings, ..Made::new(clip, ()) })
    }
}

impl Verb for SpeedEdit {
    type Record = ();

    fn apply(&self, take: &Take, _: &mut Context<'_>) -> Result<Made<()>, VerbError> {
        let Self { factor, from_secs, to_secs, ease_secs } = *self;
        let span = Span { from_secs, to_secs, ease_secs };
        Ok(Made::new(Speed { factor, span }.apply(take.clip())?, ()))
    }
}

impl Verb for ArcEdit {
    type Record = ();

    fn apply(&self, take: &Take, _: &mut Context<'_>) -> Result<Made<()>, VerbError> {
        let arc = self.to_arc(take.clip())?;
        let beyond = arc.beyond_people(take)?;
        if let Some(beyond) = beyond.clone().filter(|_| !self.superhuman) {
            return Err(EditingError::BeyondPeople(Box::new(beyond)).into());
        }
        let findings = beyond.iter().map(BeyondPeople::finding).collect();
        Ok(Made { findings, ..Made::new(arc.apply(take.clip())?, ()) })
    }
}

impl ArcEdit {
    /// All of the way, bent to this side.
    pub fn new(radius_m: f64, side: Side) -> Self {
        let (lead_in_m, length_m, from_secs, to_secs) = (None, None, None, None);
        Self { radius_m, side, lead_in_m, length_m, ease_m: 0.0, from_secs, to_secs, superhuman: false }
    }

    fn to_arc(self, clip: &Clip) -> Result<Arc, EditingError> {
        let Self { radius_m, side, lead_in_m, length_m, ease_m, from_secs, to_secs, superhuman: _ } = self;
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

impl Verb for Tilt {
    type Record = ();

    fn apply(&self, take: &Take, _: &mut Context<'_>) -> Result<Made<()>, VerbError> {
        let slope = self.slope(take.clip())?;
        let (turn, normal) = (slope.tilted_from_level, slope.normal);
        let ground = take.ground();
        // A plane's height is counted along its normal.
        let point_m = ground.normal() * -ground.height_m(DVec3::ZERO);
        let tilted = Ground::new(slope.point_m + turn * (point_m - slope.point_m), turn * ground.normal());
        let ground = Some(tilted.map_err(EditingError::from)?);
        let made = Made { ground, ..Made::new(Tilt::apply(self, take.clip())?, ()) };
        let finding = Finding::of(codes::GROUND_NORMAL).value("x", normal.x).value("y", normal.y);
        Ok(made.noting(finding.value("z", normal.z)))
    }
}

impl Verb for TransitionEdit {
    type Record = ();

    fn apply(&self, take: &Take, context: &mut Context<'_>) -> Result<Made<()>, VerbError> {
        let Self { into, from_secs, to_secs, into_secs } = self;
        let transition = Transition { from_secs: *from_secs, to_secs: *to_secs, into_secs: *into_secs };
        let into = context.sources.take(into, take)?;
        let made = transition.apply(take.clip(), into.clip())?;
        let finding = Finding::of(codes::ENTERED).value("into_secs", made.into_secs).value("apart_m", made.apart_m);
        let others = vec![into];
        Ok(Made { others, ..Made::new(made.clip, ()) }.noting(finding))
    }
}

impl Verb for Travel {
    type Record = ();

    fn apply(&self, take: &Take, _: &mut Context<'_>) -> Result<Made<()>, VerbError> {
        take.body()?;
        let made = Travel::apply(self, take)?;
        let (speed, heading) = (made.velocity.length(), made.velocity.x.atan2(made.velocity.z).to_degrees());
        let finding = Finding::of(codes::CARRIED_ON).value("speed", speed).value("heading_deg", heading);
        Ok(Made::new(made.clip, ()).noting(finding.value("slide", made.slide)))
    }
}
