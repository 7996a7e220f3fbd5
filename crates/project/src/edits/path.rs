//! Path editing as data: which handles move, what is followed, and what came of it.

use super::curve::{csv_points, svg_path_points, svg_points};
use super::path_record::PathRecord;
use super::pops::pop_findings;
use super::verb::{Context, Made, Verb, VerbError, blamed_on};
use crate::codes;
use crate::error::ProjectError;
use crate::inspect::side_file_text;
use aplomb_analysis::Take;
use aplomb_editing::EditingError;
use aplomb_editing::arc::Arc;
use aplomb_editing::finding::Finding;
use aplomb_editing::footplant::planting_contacts;
use aplomb_editing::path::{Alignment, GroundCurve, JumpHeight, PathEditor, PathOptions, Timing, align};
use aplomb_editing::solver_status::SolverStatus;
use glam::DVec3;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// Where a motion goes, and how its times follow.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PathEdit {
    /// Times of the result: `auto`, `paper`, `keep`, or `{ scale = 1.2 }`.
    pub timing: Timing,
    /// Planted feet rise with the path.
    pub stairs: bool,
    /// The change of heights is level at handles; else it runs smoothly through them.
    pub level_handles: bool,
    /// Keys stay keys, at uneven times, which only some formats can hold.
    pub keep_keys: bool,
    /// A motion whose path is taken; relative to the project file.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "crate::lossy_path::maybe")]
    pub align_to: Option<PathBuf>,
    /// A contact file of the motion as it is before this edit; relative to the project file.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "crate::lossy_path::maybe")]
    pub contacts: Option<PathBuf>,
    /// Everything before stays to the bit, if times are kept and the way comes back; without it, from the start.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from_secs: Option<f64>,
    /// Everything after stays in the same way; without it, to the end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to_secs: Option<f64>,
    /// The edit grows over this long at each end that is given.
    pub ease_secs: f64,
    /// A curve on the ground that all of the motion is bent onto.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub follow: Option<Follow>,
    /// Go on where no person could.
    pub superhuman: bool,
    /// Handles that move, from where `follow` or `align_to` put them, and flights whose height changes; in any order.
    #[serde(rename = "change", skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<PathChange>,
}

impl Default for PathEdit {
    fn default() -> Self {
        let PathOptions { timing, stairs, level_handles, keep_keys, .. } = PathOptions::default();
        Self {
            timing,
            stairs,
            level_handles,
            keep_keys,
            align_to: None,
            contacts: None,
            from_secs: None,
            to_secs: None,
            ease_secs: aplomb_editing::span::Span::default().ease_secs,
            follow: None,
            superhuman: false,
            changes: Vec::new(),
        }
    }
}

/// One handle or one flight.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "ChangeFields", into = "ChangeFields")]
pub enum PathChange {
    /// A handle goes so far, m.
    Move {
        /// From 0.
        handle: usize,
        /// x, y, z.
        by_m: DVec3,
    },
    /// A flight becomes so high.
    Jump {
        /// From 0.
        flight: usize,
        /// Times what it is, or metres.
        height: JumpHeight,
    },
}

/// As it is written: `{ handle = 3, move = [x, y, z] }`, `{ flight = 0, height = 1.4 }`, `{ flight = 0, height_m = 0.6
/// }`.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct ChangeFields {
    #[serde(skip_serializing_if = "Option::is_none")]
    handle: Option<usize>,
    #[serde(rename = "move", skip_serializing_if = "Option::is_none")]
    by_m: Option<[f64; 3]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    flight: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    height: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    height_m: Option<f64>,
}

impl TryFrom<ChangeFields> for PathChange {
    type Error = &'static str;

    fn try_from(fields: ChangeFields) -> Result<Self, Self::Error> {
        match fields {
            ChangeFields { handle: Some(handle), by_m: Some(by_m), flight: None, height: None, height_m: None } => {
                Ok(Self::Move { handle, by_m: DVec3::from_array(by_m) })
            }
            ChangeFields { handle: None, by_m: None, flight: Some(flight), height: Some(times), height_m: None } => {
                Ok(Self::Jump { flight, height: JumpHeight::Times(times) })
            }
            ChangeFields { handle: None, by_m: None, flight: Some(flight), height: None, height_m: Some(height_m) } => {
                Ok(Self::Jump { flight, height: JumpHeight::Metres(height_m) })
            }
            _ => Err("expected a handle with move = [x, y, z], or a flight with height (times what it is) or height_m"),
        }
    }
}

impl From<PathChange> for ChangeFields {
    fn from(change: PathChange) -> Self {
        match change {
            PathChange::Move { handle, by_m } => {
                Self { handle: Some(handle), by_m: Some(by_m.to_array()), ..Self::default() }
            }
            PathChange::Jump { flight, height: JumpHeight::Times(times) } => {
                Self { flight: Some(flight), height: Some(times), ..Self::default() }
            }
            PathChange::Jump { flight, height: JumpHeight::Metres(height_m) } => {
                Self { flight: Some(flight), height_m: Some(height_m), ..Self::default() }
            }
        }
    }
}

/// A curve on the ground.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged, expecting = "expected radius_m and side of an arc, or one of file, svg and points_m")]
pub enum Follow {
    /// A circle, from where the motion starts and the way it goes.
    Arc(Arc),
    /// Something drawn.
    Curve(FollowCurve),
}

/// A curve through points, seen from above: x to the right, z down the page. One of the first three.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct FollowCurve {
    /// `.csv` or `.svg`; relative to the project file.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "crate::lossy_path::maybe")]
    pub file: Option<PathBuf>,
    /// The words of an SVG path, `M 0 0 C …`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub svg: Option<String>,
    /// Points (x, z), m.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub points_m: Option<Vec<[f64; 2]>>,
    /// Length of one unit of the drawing, m.
    pub metres_per_unit: f64,
    /// The motion is stretched to the length of the curve; else it keeps its strides.
    pub stretch: bool,
    /// The curve begins where the motion does and goes its way; else it lies where its numbers say.
    pub from_start: bool,
}

impl Default for FollowCurve {
    fn default() -> Self {
        Self { file: None, svg: None, points_m: None, metres_per_unit: 1.0, stretch: false, from_start: false }
    }
}

impl FollowCurve {
    fn points_m(&self, context: &mut Context<'_>) -> Result<Vec<[f64; 2]>, ProjectError> {
        let inline = |detail: String| ProjectError::ProjectFile { path: PathBuf::from("follow"), detail };
        let points = match (&self.file, &self.svg, &self.points_m) {
            (Some(file), None, None) => {
                let path = context.sources.place(file);
                let fail = |detail| ProjectError::ProjectFile { path: path.clone(), detail };
                // What is no text is no curve: the name of the format that was expected is the file's own.
                let text = context.sources.text(file).map_err(|error| match error {
                    ProjectError::NotText { valid_bytes, .. } => {
                        fail(format!("expected a curve as text in UTF-8, found other bytes at byte {valid_bytes}"))
                    }
                    error => error,
                })?;
                let ending = path.extension().map(|ending| ending.to_string_lossy().to_ascii_lowercase());
                match ending.as_deref() {
                    Some("svg") => svg_points(&text).map_err(fail)?,
                    Some("csv") => csv_points(&text).map_err(fail)?,
                    _ => return Err(fail("expected a curve in a .csv or .svg file".to_owned())),
                }
            }
            (None, Some(words), None) => svg_path_points(words).map_err(inline)?,
            (None, None, Some(points)) => points.clone(),
            _ => return Err(inline("expected one of file, svg and points_m".to_owned())),
        };
        if !(self.metres_per_unit.is_finite() && self.metres_per_unit > 0.0) {
            return Err(inline(format!("expected a positive metres_per_unit, found {}", self.metres_per_unit)));
        }
        Ok(points.into_iter().map(|point| point.map(|part| part * self.metres_per_unit)).collect())
    }
}

/// A path edit in a file of its own (`--edit`): the keys of an edit, without the verb. Its paths are made to lead from
/// where the program runs.
pub fn read_path_edit(path: &Path) -> Result<PathEdit, ProjectError> {
    let fail = |detail: String| ProjectError::ProjectFile { path: path.to_owned(), detail };
    let mut edit: PathEdit = toml::from_str(&side_file_text(path)?).map_err(|error| fail(error.to_string()))?;
    let folder = path.parent().unwrap_or(Path::new(""));
    for file in edit.paths_mut().into_iter().filter(|file| crate::source::built_in_name(file).is_none()) {
        *file = folder.join(&*file);
    }
    Ok(edit)
}

impl PathEdit {
    /// Whether any handle, flight or time is asked to be another.
    pub fn asks_for_something(&self) -> bool {
        self.follow.is_some()
            || self.align_to.is_some()
            || !self.changes.is_empty()
            || matches!(self.timing, Timing::Scale(_))
            || self.keep_keys
    }

    pub(crate) fn paths_mut(&mut self) -> Vec<&mut PathBuf> {
        let curve = match &mut self.follow {
            Some(Follow::Curve(curve)) => curve.file.as_mut(),
            _ => None,
        };
        self.align_to.iter_mut().chain(&mut self.contacts).chain(curve).collect()
    }

    pub(crate) fn side_files(&self) -> Vec<&Path> {
        let curve = match &self.follow {
            Some(Follow::Curve(curve)) => curve.file.as_deref(),
            _ => None,
        };
        self.contacts.as_deref().into_iter().chain(curve).collect()
    }

    /// Puts the handles on the curve that is followed.
    pub(crate) fn follow_on(&self, editor: &mut PathEditor, context: &mut Context<'_>) -> Result<(), VerbError> {
        let Some(follow) = &self.follow else { return Ok(()) };
        let curve = match follow {
            Follow::Arc(arc) => GroundCurve::Arc(*arc),
            Follow::Curve(curve) => GroundCurve::Points {
                points_m: curve.points_m(context)?,
                stretch: curve.stretch,
                from_start: curve.from_start,
            },
        };
        Ok(editor.follow(&curve)?)
    }

    /// Moves handles from where they are, and changes flights.
    pub(crate) fn change_on(&self, editor: &mut PathEditor) -> Result<(), EditingError> {
        for change in &self.changes {
            match *change {
                PathChange::Move { handle, by_m } => {
                    let from_m = editor.goals_m().get(handle).copied().unwrap_or_default();
                    editor.set_handle(handle, from_m + by_m)?;
                }
                PathChange::Jump { flight, height } => editor.set_jump_height(flight, height)?,
            }
        }
        Ok(())
    }

    pub(crate) fn editor(
        &self,
        take: &Take,
        context: &mut Context<'_>,
        findings: &mut Vec<Finding>,
    ) -> Result<(PathEditor, Option<Alignment>), VerbError> {
        if self.align_to.is_some() && self.follow.is_some() {
            return Err(EditingError::Conflict { a: "align_to", b: "follow" }.into());
        }
        let options = PathOptions {
            timing: self.timing,
            stairs: self.stairs,
            level_handles: self.level_handles,
            keep_keys: self.keep_keys,
            ..PathOptions::default()
        };
        let target = match &self.align_to {
            Some(name) => Some((context.sources.take(name, take)?, context.sources.place(name))),
            None => None,
        };
        if planting_contacts(take)?.stray_first_frame {
            findings.push(Finding::of(codes::FIRST_FRAME_LEFT_OUT));
        }
        let Some((target, place)) = target else { return Ok((PathEditor::new(take, options)?, None)) };
        let is_same_body = take.body()?.check_skeleton(target.clip().skeleton()).is_ok();
        let whole = PathEditor::new(&target, PathOptions::default()).map_err(|source| blamed_on(place, source))?;
        let (mut editor, found) = align(take, &whole, options)?;
        if !is_same_body {
            // Hips of another height would bend or lift the knees of this one all the way.
            for handle in 0..editor.handles().len() {
                let goal_m = editor.goals_m()[handle].with_y(editor.handles()[handle].position_m.y);
                editor.set_handle(handle, goal_m)?;
            }
            findings.push(Finding::of(codes::WAY_WITHOUT_HEIGHTS));
        }
        let [start_secs, end_secs] = found.source_secs;
        let finding = Finding::of(codes::ALIGNED).value("handles", found.source.len()).at(start_secs, end_secs);
        findings.push(finding.value("first", found.target.start).value("last", found.target.end - 1));
        Ok((editor, Some(found)))
    }
}

impl Verb for PathEdit {
    type Record = PathRecord;

    fn apply(&self, take: &Take, context: &mut Context<'_>) -> Result<Made<PathRecord>, VerbError> {
        let mut findings = Vec::new();
        let (mut editor, alignment) = self.editor(take, context, &mut findings)?;
        self.follow_on(&mut editor, context)?;
        self.change_on(&mut editor)?;
        let is_humanly_possible = self.check_people(&mut editor, context, &mut findings)?;
        let done = editor.solve()?;
        let record = PathRecord { is_humanly_possible, ..PathRecord::of(&editor, &done, alignment.as_ref())? };
        let clip = self.within(take, done.clip)?;
        if clip == *take.clip() || !self.asks_for_something() {
            findings.push(Finding::of(codes::NOTHING_TO_EDIT));
        }
        findings.extend_from_slice(&done.report.findings);
        let is_whole = pop_findings(&record.limbs, &clip, "path", &mut findings);
        let is_met = done.report.unreached_keys == 0 && !done.report.is_spun() && is_whole;
        Ok(Made { findings, status: SolverStatus::met_or_stalled(is_met), ..Made::new(clip, record) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_are_written_as_people_say_them() {
        let text = "stairs = true\ntiming = \"paper\"\nfollow = { radius_m = 2.0, side = \"left\" }\n\
                    [[change]]\nhandle = 3\nmove = [0.4, 0.0, 0.0]\n[[change]]\nflight = 1\nheight = 1.4\n\
                    [[change]]\nflight = 0\nheight_m = 0.6\n";
        let edit: PathEdit = toml::from_str(text).unwrap();
        assert_eq!(edit.changes[0], PathChange::Move { handle: 3, by_m: DVec3::new(0.4, 0.0, 0.0) });
        assert_eq!(edit.changes[1], PathChange::Jump { flight: 1, height: JumpHeight::Times(1.4) });
        assert_eq!(edit.changes[2], PathChange::Jump { flight: 0, height: JumpHeight::Metres(0.6) });
        let again: PathEdit = toml::from_str(&toml::to_string(&edit).unwrap()).unwrap();
        assert_eq!(again, edit);
        let scaled: PathEdit = toml::from_str("timing = { scale = 1.5 }").unwrap();
        assert_eq!(scaled.timing, Timing::Scale(1.5));
    }

    #[test]
    fn what_makes_no_sense_is_named_with_its_line() {
        let problem = |text: &str| toml::from_str::<PathEdit>(text).unwrap_err().to_string();
        assert!(problem("stairs = true\n[[change]]\nhandle = 3\nheight = 1.0").contains("line 2"));
        assert!(problem("stair = true").contains("stair"));
        assert!(problem("[[change]]\nhandle = -1\nmove = [0, 0, 0]").contains("line 2"));
        assert!(problem("follow = { radius = 2.0 }").contains("radius_m and side"));
        assert!(problem("timing = \"slow\"").contains("auto"));
    }
}
