//! Tracking and reaching as data: how a motion is played by a driven body, with which others, and what came of it.

use super::advance::Advance;
use super::curve_figure::CurveFigure;
use super::orientations::orientations;
use super::reach::reach_findings;
use super::track_figures::{add_markers, figures};
use super::verb::{Context, Made, Verb, VerbError};
use crate::codes;
use crate::error::ProjectError;
use crate::inspect::side_file_text;
use aplomb_analysis::{Keeps, Take, joint_jumps};
use aplomb_editing::EditingError;
use aplomb_editing::finding::Finding;
use aplomb_editing::reach::Reached;
use aplomb_editing::solver_status::SolverStatus;
use aplomb_editing::track::measure::{MarkerMeasure, SETTLING_SECS, beside_markers, joint_path_m};
use aplomb_editing::track::scene_file::{CharacterChoice, Clap, Scene};
use aplomb_editing::track::{
    ContactEvent, Figure, Guest, HeldHand, Interpolation, LegGains, Lower, PropTrack, ScenePlay, ServoTargets, Stance,
    StiffnessSearch, TrackOptions, TrackReport, find_stiffness,
};
use aplomb_motion::edit::resample;
use aplomb_motion::{Clip, Role, Timeline, first_frame};
use aplomb_physics::simulation::{Damping, Scheme, ServoGains};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// How stiff servos are: `"auto"`, or a number in s⁻².
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged, expecting = "expected \"auto\" or a stiffness in s⁻²")]
pub enum StiffnessChoice {
    /// s⁻².
    Given(f64),
    /// As stiff as smooth hands allow.
    Word(AutoWord),
}

/// `auto`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum AutoWord {
    /// Searched for.
    Auto,
}

/// How servos are damped: `"paper"`, or a share of critical damping.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged, expecting = "expected \"paper\" or a share of critical damping")]
pub enum DampingChoice {
    /// ζ.
    Ratio(f64),
    /// A tenth of the stiffness, s.
    Word(PaperWord),
}

/// `paper`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PaperWord {
    /// Zordan & Hodgins 1999.
    Paper,
}

/// A motion played by a driven body.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TrackEdit {
    /// Of all servos.
    pub stiffness: StiffnessChoice,
    /// Of all servos.
    pub damping: DampingChoice,
    /// Damping pulls towards the wanted rate, not towards rest.
    pub rate_error: bool,
    /// Which joints are driven: `upper`, `upper-stiff-back`, `full`.
    pub figure: Figure,
    /// Legs of `full`: `hold` the pose they start with, or `captured`.
    pub stance: Stance,
    /// Pelvis and legs of an upper body: `follow`, `captured`, `held`.
    pub lower: Lower,
    /// Between samples: `cubic` or `slerp`.
    pub interpolation: Interpolation,
    /// Steps a second.
    pub hz: f64,
    /// Plain forces at the start of each step; only short steps are stable.
    pub explicit: bool,
    /// Stiffness of legs that stand, N·m/rad; without it by the body's weight.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub legs: Option<LegGains>,
    /// Whose body: `adult`, `child`, `alien`, or a table.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub character: Option<CharacterChoice>,
    /// World orientations of segments instead of the clip's own motion (CSV); relative to the project file.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "crate::lossy_path::maybe")]
    pub orientations: Option<PathBuf>,
    /// Markers of the same take, to lay beside hand speeds (C3D or TRC); relative to the project file. They change
    /// nothing.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "crate::lossy_path::maybe")]
    pub markers: Option<PathBuf>,
    /// Other characters and things.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scene: Option<Scene>,
}

impl Default for TrackEdit {
    fn default() -> Self {
        let TrackOptions { gains, hz, figure, stance, lower, interpolation, rate_error, .. } = TrackOptions::default();
        Self {
            stiffness: StiffnessChoice::Given(gains.stiffness_per_s2),
            damping: DampingChoice::Ratio(1.0),
            rate_error,
            figure,
            stance,
            lower,
            interpolation,
            hz,
            explicit: false,
            legs: None,
            character: None,
            orientations: None,
            markers: None,
            scene: None,
        }
    }
}

/// How tracking went, for receipts.
#[derive(Clone, Debug, Serialize)]
pub struct TrackRecord {
    /// Of the one whose clip was edited.
    pub report: TrackReport,
    /// What stiffnesses were tried, where one was searched for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub search: Option<StiffnessSearch>,
    /// The other characters.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub others: Vec<OtherRecord>,
    /// What touched, in order of time.
    pub contacts: Vec<ContactEvent>,
    /// Hands that were put somewhere first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub reached: Vec<Reached>,
    /// Hands that a task held at a place.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub held: Vec<HeldHand>,
    /// Farthest that something held leaned, degrees, without the first half second.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tilt_deg: Option<f64>,
    /// In the first half second, while servos settle under its weight.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub settling_tilt_deg: Option<f64>,
    /// Largest turn of a joint between segments of a sequence, degrees.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seam_deg: Option<f64>,
    /// Hands beside the markers of the same take.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub markers: Vec<MarkerMeasure>,
    /// Curves for drawing.
    #[serde(skip)]
    pub figures: Vec<CurveFigure>,
    /// The others' motions.
    #[serde(skip)]
    pub partners: Vec<Partner>,
    /// Things, for drawing.
    #[serde(skip)]
    pub things: Vec<PropTrack>,
    /// Frames of the written clip before partners and things begin: a pose of calibration has neither.
    #[serde(skip)]
    pub lead_frames: usize,
}

/// Another character as it was played, for writing and drawing.
#[derive(Clone, Debug)]
pub struct Partner {
    /// As the scene calls them.
    pub name: String,
    /// What they did.
    pub take: Take,
}

/// Another character of the scene.
#[derive(Clone, Debug, Serialize)]
pub struct OtherRecord {
    /// As the scene calls them.
    pub name: String,
    /// How it went.
    pub report: TrackReport,
}

/// A scene in a file of its own (`--scene`). Its paths are made to lead from where the program runs.
pub fn read_scene(path: &Path) -> Result<Scene, ProjectError> {
    let fail = |detail: String| ProjectError::ProjectFile { path: path.to_owned(), detail };
    let mut scene: Scene = toml::from_str(&side_file_text(path)?).map_err(|error| fail(error.to_string()))?;
    let folder = path.parent().unwrap_or(Path::new(""));
    let clips = scene.characters.iter_mut().filter_map(|it| it.clip.as_mut());
    for clip in clips.filter(|clip| crate::source::built_in_name(clip).is_none()) {
        *clip = folder.join(&*clip);
    }
    Ok(scene)
}

/// A character by its name, or in a file of its own (`--character`).
pub fn read_character(name: &Path) -> Result<CharacterChoice, ProjectError> {
    use aplomb_editing::track::character::BuiltInCharacter;
    let known = BuiltInCharacter::NAMES.into_iter().find(|(known, _)| name.to_str() == Some(known));
    if let Some((_, base)) = known {
        return Ok(CharacterChoice::Named(base));
    }
    if name.extension().is_none() && !name.exists() {
        let detail = "there is no such character; there are adult, child and alien, or give a file in TOML".to_owned();
        return Err(ProjectError::ProjectFile { path: name.to_owned(), detail });
    }
    let fail = |detail: String| ProjectError::ProjectFile { path: name.to_owned(), detail };
    toml::from_str(&side_file_text(name)?).map(CharacterChoice::Table).map_err(|error| fail(error.to_string()))
}

impl TrackEdit {
    pub(crate) fn clips(&self) -> Vec<&Path> {
        let scene = self.scene.iter().flat_map(|scene| &scene.characters);
        scene.filter_map(|character| character.clip.as_deref()).collect()
    }

    pub(super) fn paths_mut(&mut self) -> Vec<&mut PathBuf> {
        let scene = self.scene.iter_mut().flat_map(|scene| &mut scene.characters);
        let files = self.orientations.iter_mut().chain(&mut self.markers);
        scene.filter_map(|character| character.clip.as_mut()).chain(files).collect()
    }

    /// Whether every frame stays at its time on the same bones.
    pub(super) fn keeps_time(&self) -> bool {
        let is_paced = self.scene.as_ref().is_some_and(|scene| scene.speed != 1.0 || !scene.sequence.is_empty());
        self.orientations.is_none() && self.character.is_none() && !is_paced
    }

    fn options(&self) -> TrackOptions {
        let damping = match self.damping {
            DampingChoice::Ratio(ratio) => Damping::Ratio(ratio),
            DampingChoice::Word(PaperWord::Paper) => Damping::Paper,
        };
        let stiffness_per_s2 = match self.stiffness {
            StiffnessChoice::Given(stiffness) => stiffness,
            StiffnessChoice::Word(AutoWord::Auto) => ServoGains::default().stiffness_per_s2,
        };
        TrackOptions {
            gains: ServoGains { stiffness_per_s2, damping },
            hz: self.hz,
            scheme: if self.explicit { Scheme::Explicit } else { Scheme::Implicit },
            figure: self.figure,
            stance: self.stance,
            lower: self.lower,
            interpolation: self.interpolation,
            rate_error: self.rate_error,
            legs: self.legs,
        }
    }

    /// The motion on the bones and with the masses of the character.
    fn cast(&self, take: &Take) -> Result<(Take, Option<Finding>), EditingError> {
        let Some(character) = &self.character else { return Ok((take.clone(), None)) };
        let cast = character.character().cast(take)?;
        let body = cast.body()?;
        let finding = Finding::of(codes::CHARACTER).value("mass_kg", body.total_mass_kg());
        let finding = finding.value("stature_m", body.stature_m().unwrap_or_default());
        Ok((cast, Some(finding)))
    }

    /// Plays the motion alone.
    fn play_alone(&self, cast: &Take, options: &TrackOptions, context: &mut Context<'_>) -> Result<Played, VerbError> {
        let targets = match &self.orientations {
            None => ServoTargets::of_take(cast, options)?,
            Some(file) => {
                let text = context.sources.text(file)?;
                let given = orientations(&text, cast.clip().skeleton(), cast.roles())
                    .map_err(|detail| context.bad_file(file, detail))?;
                ServoTargets::of_orientations(&given, cast, options)?
            }
        };
        let advance = simulated(context.advance);
        let (tracked, search) = match self.stiffness {
            StiffnessChoice::Given(_) => (targets.play(options, &advance)?, None),
            StiffnessChoice::Word(AutoWord::Auto) => {
                let (tracked, search) = find_stiffness(&targets, options, &advance)?;
                (tracked, Some(search))
            }
        };
        let figures = figures(&tracked, None, &[], &context.marks);
        Ok(Played { clip: tracked.clip, record: TrackRecord::new(tracked.report, search, figures) })
    }

    /// Plays the motion with everyone and everything of a scene.
    fn play_scene(
        &self,
        scene: &Scene,
        cast: Take,
        (take, others): (&Take, &[Take]),
        options: &TrackOptions,
        context: &Context<'_>,
    ) -> Result<Played, VerbError> {
        if self.orientations.is_some() {
            return Err(EditingError::Conflict { a: "orientations", b: "scene" }.into());
        }
        if self.stiffness == StiffnessChoice::Word(AutoWord::Auto) {
            return Err(EditingError::Conflict { a: "stiffness = \"auto\"", b: "scene" }.into());
        }
        let first = Guest { name: scene.name.clone(), take: cast, place: None };
        let all = guests(scene, first, others, take)?;
        let cast = all.clone();
        let play = scene.play(all, options, &simulated(context.advance))?;
        let problem = "it has no characters".to_owned();
        Ok(played(play, cast, &context.marks).ok_or(EditingError::Scene { problem })?)
    }

    /// Legs that keep their first pose play no walk.
    fn unplayed_way(&self, take: &Take) -> Option<Finding> {
        let (clip, roles) = (take.clip(), take.roles());
        let hips = roles.joint(Role::Hips).filter(|_| self.figure == Figure::Full && self.stance == Stance::Hold)?;
        let path_m = joint_path_m(clip, hips);
        let start_m = *path_m.get(usize::from(first_frame::is_stray(clip)))?;
        let away_m = path_m.iter().map(|at_m| (*at_m - start_m).with_y(0.0).length()).fold(0.0, f64::max);
        (away_m > TRAVELS_M).then(|| Finding::of(codes::WAY_NOT_PLAYED).value("away_m", away_m))
    }
}

impl Verb for TrackEdit {
    type Record = TrackRecord;

    fn apply(&self, take: &Take, context: &mut Context<'_>) -> Result<Made<TrackRecord>, VerbError> {
        let options = self.options();
        take.body()?;
        let names = self.clips();
        let others = context.takes(&names, take)?;
        let mut findings: Vec<Finding> = jumps_in(take.clip(), "").into_iter().collect();
        for (other, path) in others.iter().zip(&names) {
            findings.extend(jumps_in(other.clip(), &path.display().to_string()));
        }
        findings.extend(self.unplayed_way(take));
        findings.extend(self.scene.iter().flat_map(unpaired_claps));
        let rest = first_frame::without_stray(take.clip())?;
        let has_stray = rest.is_some();
        if has_stray {
            let keeps = self.keeps_time();
            findings.push(Finding::of(if keeps { codes::FIRST_FRAME_KEPT } else { codes::FIRST_FRAME_LEFT_OUT }));
        }
        let bare = rest.map_or_else(|| take.clone(), |rest| take.with_clip(rest, Keeps::Nothing));
        let (cast, finding) = self.cast(&bare)?;
        findings.extend(finding);
        let body = self.character.as_ref().map(|_| cast.body().cloned()).transpose()?;
        let Played { mut clip, mut record } = match &self.scene {
            None => self.play_alone(&cast, &options, context)?,
            Some(scene) => self.play_scene(scene, cast, (take, &others), &options, context)?,
        };
        if let Some(file) = &self.markers {
            record.lay_beside(file, &clip, take, context)?;
        }
        if has_stray && self.keeps_time() {
            record.lead_frames = 1;
            clip = first_frame::put_back(take.clip(), clip)?;
        }
        let is_met = record.judge(&mut findings);
        let status = SolverStatus::met_or_stalled(is_met);
        Ok(Made { findings, status, body, ..Made::new(clip, record) })
    }
}

/// Simulated seconds as progress.
fn simulated<'a>(advance: &'a dyn Fn(&Advance<'_>) -> bool) -> impl Fn(f64, f64) + 'a {
    move |secs, all_secs| {
        advance(&Advance::Simulated { secs, all_secs });
    }
}

/// All characters of a scene, on their own bones; those without a motion of their own do what the first does.
fn guests(scene: &Scene, first: Guest, others: &[Take], take: &Take) -> Result<Vec<Guest>, VerbError> {
    let mut others = others.iter();
    let mut all = vec![first];
    for character in &scene.characters {
        let own = match (&character.clip, others.next()) {
            (Some(_), Some(own)) => own,
            _ => take,
        };
        own.body()?;
        let own = match first_frame::without_stray(own.clip())? {
            Some(rest) => own.with_clip(rest, Keeps::Nothing),
            None => own.clone(),
        };
        let own = match &character.character {
            None => own,
            Some(choice) => choice.character().cast(&own)?,
        };
        let place = character.at_m.map(|at_m| (at_m, character.turn_deg));
        all.push(Guest { name: character.name.clone(), take: own, place });
    }
    Ok(all)
}

/// Hands that should meet and are declared to touch nothing go through each other.
fn unpaired_claps(scene: &Scene) -> impl Iterator<Item = Finding> {
    let is_declared = |clap: &&Clap| {
        let is_both = |a: &str, b: &str| a == clap.a && b == clap.b || a == clap.b && b == clap.a;
        scene.pairs.iter().any(|pair| is_both(&pair.a, &pair.b))
    };
    let through = scene.claps.iter().filter(move |clap| !is_declared(clap));
    through
        .map(|clap| Finding::of(codes::CLAP_GOES_THROUGH).value("a", clap.a.to_string()).value("b", clap.b.to_string()))
}

/// Hips of standing people that sway move by less, m; a step is twice as long.
const TRAVELS_M: f64 = 0.3;

/// Joints that are named; a torn clip has many.
const MOST_JUMPS: usize = 3;

/// Servos round a jump of the recording off, and the arm swings after it. People must know that no actor swung it.
/// `motion` is the path of another clip than the edited one.
fn jumps_in(clip: &Clip, motion: &str) -> Option<Finding> {
    let jumps = joint_jumps(clip);
    let named: Vec<Finding> = jumps
        .iter()
        .take(MOST_JUMPS)
        .filter_map(|jump| {
            let (jump_mm, secs) = (jump.jump_mm?, jump.jump_secs?);
            Some(Finding::of(codes::JOINT_POP).joint(jump.joint.as_str()).at(secs, secs).value("jump_mm", jump_mm))
        })
        .collect();
    let more = jumps.len().saturating_sub(MOST_JUMPS);
    let finding = Finding::of(codes::CLIP_POPS).value("motion", motion).value("more", more);
    (!named.is_empty()).then(|| finding.value("jumps", named))
}

struct Played {
    clip: Clip,
    record: TrackRecord,
}

/// Nothing if no character played, which a scene's own check excludes.
fn played(play: ScenePlay, cast: Vec<Guest>, marks: &[(f64, String)]) -> Option<Played> {
    let ScenePlay { played, untouched, reached, things, held, seam_deg } = play;
    let mut all = played.tracked.into_iter().zip(cast);
    let (first, _) = all.next()?;
    let figures = figures(&first, untouched.as_ref().and_then(|it| it.tracked.first()), &played.contacts, marks);
    let rate = first.clip.timeline().uniform().map_or(0.0, |it| it.hz());
    let tilts_deg = played.tilts_deg.first().map(Vec::as_slice).unwrap_or_default();
    let (settling, settled) = tilts_deg.split_at(((SETTLING_SECS * rate) as usize).min(tilts_deg.len()));
    let most = |tilts: &[f64]| tilts.iter().copied().reduce(f64::max);
    let mut record = TrackRecord::new(first.report.clone(), None, figures);
    (record.tilt_deg, record.settling_tilt_deg) = (most(settled), most(settling));
    (record.contacts, record.reached, record.seam_deg) = (played.contacts, reached, seam_deg);
    (record.things, record.held) = (things, held);
    for (other, Guest { name, take, .. }) in all {
        record.others.push(OtherRecord { name: name.clone(), report: other.report });
        record.partners.push(Partner { name, take: take.with_clip(other.clip, Keeps::Nothing) });
    }
    Some(Played { clip: first.clip, record })
}

impl TrackRecord {
    fn new(report: TrackReport, search: Option<StiffnessSearch>, figures: Vec<CurveFigure>) -> Self {
        Self {
            report,
            search,
            others: Vec::new(),
            contacts: Vec::new(),
            reached: Vec::new(),
            held: Vec::new(),
            tilt_deg: None,
            settling_tilt_deg: None,
            seam_deg: None,
            markers: Vec::new(),
            figures,
            partners: Vec::new(),
            things: Vec::new(),
            lead_frames: 0,
        }
    }

    /// Compares hands with the markers of the same take and draws them into the figure of speeds.
    fn lay_beside(
        &mut self,
        name: &Path,
        clip: &Clip,
        take: &Take,
        context: &mut Context<'_>,
    ) -> Result<(), VerbError> {
        let taken = context.sources.take(name, take)?;
        let fail = |detail: String| context.bad_file(name, detail);
        let Timeline::Uniform(frame_time) = *clip.timeline() else {
            return Err(fail("markers are laid beside clips of even frames only".to_owned()).into());
        };
        let mut markers = taken.clip().clone();
        if markers.timeline() != clip.timeline() {
            markers = resample(&markers, frame_time).map_err(|error| fail(error.to_string()))?;
        }
        let apart = markers.frame_count().abs_diff(clip.frame_count());
        if apart as f64 * frame_time.secs() > SAME_TAKE_SECS {
            let (own, theirs) = (clip.frame_count(), markers.frame_count());
            return Err(fail(format!("expected markers of the same take, {own} frames, found {theirs}")).into());
        }
        for hand in &self.report.hands {
            let found = beside_markers(hand, &markers, taken.roles(), frame_time.secs());
            self.markers.extend(found.map_err(|error| fail(error.to_string()))?);
        }
        for found in &self.markers {
            add_markers(&mut self.figures, found, frame_time.secs());
        }
        Ok(())
    }

    /// What people should look at, and whether the body did what it was for.
    fn judge(&self, findings: &mut Vec<Finding>) -> bool {
        let mut is_met = true;
        if let Some(search) = &self.search {
            let stiffness_per_s2 = self.report.stiffness_per_s2;
            findings.push(Finding::of(codes::SERVOS_FOUND).value("stiffness_per_s2", stiffness_per_s2));
            findings.extend((!search.is_smooth).then(|| Finding::of(codes::SERVOS_SHAKE)));
        }
        let others = self.others.iter().map(|other| (other.name.as_str(), &other.report));
        for (who, report) in std::iter::once(("", &self.report)).chain(others) {
            if report.halvings > 0 {
                findings.push(Finding::of(codes::STEPS_HALVED).value("step_secs", report.step_secs));
            }
            let fall = report.standing.and_then(|standing| standing.fell_at_secs.zip(standing.fell_by));
            if let Some((secs, sign)) = fall {
                let finding = Finding::of(codes::BODY_FALLS).value("body", who).at(secs, secs);
                findings.push(finding.value("sign", sign.to_string()));
                is_met = false;
            }
        }
        for HeldHand { part, worst_m } in &self.held {
            let of_part = |code| Finding::of(code).value("part", part.to_string()).value("worst_m", *worst_m);
            findings.push(of_part(codes::PART_HELD));
            if *worst_m > HELD_M {
                findings.push(of_part(codes::PART_NOT_HELD));
                is_met = false;
            }
        }
        for reached in &self.reached {
            is_met &= reach_findings(reached, findings);
        }
        if let Some(seam_deg) = self.seam_deg.filter(|seam_deg| *seam_deg > 10.0) {
            findings.push(Finding::of(codes::SEAM).value("turn_deg", seam_deg));
        }
        is_met
    }
}

/// Takes that differ by more are not the same, s.
const SAME_TAKE_SECS: f64 = 0.1;

/// A held hand that is farther away holds nothing, m.
const HELD_M: f64 = 0.03;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tracks_are_written_as_people_say_them() {
        let text = "stiffness = \"auto\"\ndamping = \"paper\"\ncharacter = \"child\"\nfigure = \"full\"\n\
                    [scene]\nspeed = 1.33\n[[scene.prop]]\nname = \"drum\"\nshape = { cylinder = { radius_m = 0.2, height_m = 0.3 } }\n\
                    at_m = [0.0, 0.9, 0.4]\n[[scene.pair]]\na = \"actor.right_hand\"\nb = \"drum\"\n\
                    [[scene.task]]\nkind = \"upright\"\npart = \"actor.right_hand\"\n";
        let edit: TrackEdit = toml::from_str(text).unwrap();
        assert_eq!(edit.stiffness, StiffnessChoice::Word(AutoWord::Auto));
        let again: TrackEdit = toml::from_str(&toml::to_string(&edit).unwrap()).unwrap();
        assert_eq!(again, edit);
        assert!(toml::from_str::<TrackEdit>("stiffness = \"high\"").unwrap_err().to_string().contains("auto"));
        assert!(toml::from_str::<TrackEdit>("stifness = 1000.0").is_err());
    }
}
