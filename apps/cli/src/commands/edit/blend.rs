//! `blend`: motions between motions, physically right.

use super::family::{Sweep, sweep};
use super::{CommonArgs, UnfitArgs, UnfitSpanArgs};
use crate::args::number;
use crate::outcome::{Outcome, Printing, say_error};
use aplomb_editing::blend::{Parameter, PhaseTiming, Scheme, normalized_weights};
use aplomb_project::Edit;
use aplomb_project::edit::{BlendEdit, SpaceFile};
use clap::ValueEnum;
use std::path::{Path, PathBuf};

/// Options of `blend`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  \
    aplomb blend short.bvh long.bvh --weight 0.3 -o between.bvh          three tenths of the second\n  \
    aplomb blend a.bvh b.bvh c.bvh --weights 0.2,0.5,0.3 -o abc.bvh\n  \
    aplomb blend short.bvh long.bvh --at length=1.1 -o jump.bvh          weights for a jump of 1.1 m\n  \
    aplomb blend short.bvh long.bvh --sweep 0:1:0.1 -o family/           eleven files\n  \
    aplomb blend --space jumps.toml --at length=1.6,turn=45 -o jump.bvh  clips from a file\n  \
    aplomb blend builtin:short-jump builtin:long-jump --weight 0.5 --dry-run\n\n\
    All clips need one skeleton, and phases that correspond: the same flights, or steps of the same feet. Weights are not negative and sum \
    to 1: between motions physics is kept, beyond them nothing is guaranteed. Exit code 3: written, but legs are too short for the feet, or no blend \
    measures what --at asks.")]
pub struct BlendArgs {
    /// Motion files, or builtin:NAME; two or more
    #[arg(value_name = "CLIP", required_unless_present = "space")]
    clips: Vec<PathBuf>,
    /// How much of each clip
    #[arg(long, value_name = "W,W,…", value_delimiter = ',', value_parser = number, allow_hyphen_values = true,
          conflicts_with_all = ["weight", "sweep", "at"])]
    weights: Vec<f64>,
    /// Of two clips: how much of the second
    #[arg(long, value_name = "W", value_parser = number, allow_hyphen_values = true, conflicts_with_all = ["sweep", "at"])]
    weight: Option<f64>,
    /// Divide the weights by their sum
    #[arg(long)]
    normalize: bool,
    /// What the result shall measure, instead of weights: length (m), height (m), turn (degrees), speed (m/s)
    #[arg(long, value_name = "NAME=VALUE,…", value_delimiter = ',', value_parser = asked, conflicts_with_all = ["sweep", "normalize"])]
    at: Vec<(Parameter, f64)>,
    /// Of two clips: many blends at once, weights of the second from one to another by steps; -o names a folder
    #[arg(long, value_name = "FROM:TO:STEP", value_parser = steps)]
    sweep: Option<Sweep>,
    /// A file that names the clips
    #[arg(long, value_name = "FILE.toml", conflicts_with = "clips")]
    space: Option<PathBuf>,
    /// Phases by hand: which there are, and when they end in each clip
    #[arg(long, value_name = "FILE.toml")]
    phases: Option<PathBuf>,
    /// What is interpolated
    #[arg(long, value_name = "HOW", default_value = "com")]
    scheme: SchemeArg,
    /// How long phases last
    #[arg(long, value_name = "HOW", default_value = "sqrt")]
    timing: TimingArg,
    /// Ease the change of pace inside contacts; costs a little friction
    #[arg(long)]
    smooth_timing: bool,
    /// Take up what turning does to the velocity at landings; costs some friction
    #[arg(long)]
    smooth_facing: bool,
    /// Let crouches meet, too
    #[arg(long)]
    contact_keys: bool,
    /// Exchange left and right of all clips but the first
    #[arg(long)]
    mirror: bool,
    /// Skeletons that differ in bone lengths: put all clips on this one's, which must be the first, and plant their feet
    #[arg(long, value_name = "CLIP")]
    skeleton_from: Option<PathBuf>,
    #[command(flatten)]
    unfit: UnfitArgs,
    #[command(flatten)]
    unfit_span: UnfitSpanArgs,
    #[command(flatten)]
    common: CommonArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum SchemeArg {
    /// Centre of mass and feet: flights fall at g, feet stay
    Com,
    /// Root and joints, the usual way
    Root,
    /// Joints, hung on a foot that stands
    Foot,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum TimingArg {
    /// Root of the mean square: gravity stays
    Sqrt,
    /// Mean: gravity is off
    Linear,
}

impl BlendArgs {
    /// Blends clips.
    pub fn run(&self, print: Printing) -> Outcome {
        let part =
            "what a blend keeps of physics it keeps for whole bodies, and its times are those of none of its clips";
        let stretch = "a blend has times of its own; cut the clips before, or the blend after (aplomb cut), and join what belongs together (aplomb join, transition)";
        if let Some(refused) = self.unfit.refused(part).or_else(|| self.unfit_span.refused(stretch)) {
            return refused;
        }
        let edit = match self.edit() {
            Ok(edit) => edit,
            Err((message, outcome)) => {
                say_error(&message);
                return outcome;
            }
        };
        let (first, edit) = edit;
        match &self.sweep {
            Some(range) => sweep(&self.common, &first, edit, range, print),
            None => self.common.make(&first, vec![Edit::Blend(edit)], print),
        }
    }

    fn edit(&self) -> Result<(PathBuf, BlendEdit), (String, Outcome)> {
        let wrong = |message: String| (message, Outcome::WrongUsage);
        let clips = match &self.space {
            None => self.clips.clone(),
            Some(path) => space_clips(path).map_err(|message| (message, Outcome::BadInput))?,
        };
        let Some((first, others)) = clips.split_first().filter(|(_, others)| !others.is_empty()) else {
            return Err(wrong("blending takes two clips or more, found 1; name what to blend with".to_owned()));
        };
        if let Some(other) = self.skeleton_from.as_ref().filter(|it| !is_same_file(it, first)) {
            return Err(wrong(format!(
                "--skeleton-from {} must name the first clip, {}: the result is written in its style; put it first",
                other.display(),
                first.display()
            )));
        }
        for (index, (parameter, _)) in self.at.iter().enumerate() {
            if self.at[..index].iter().any(|it| it.0 == *parameter) {
                return Err(wrong(format!("--at asks for {} twice; give one value", parameter.name())));
            }
        }
        let weights = match (self.weight, &self.weights[..]) {
            (Some(weight), _) if others.len() == 1 => vec![1.0 - weight, weight],
            (Some(_), _) => {
                let clips = clips.len();
                return Err(wrong(format!("--weight is for two clips, found {clips}; give --weights, one a clip")));
            }
            (None, []) if self.sweep.is_none() && self.at.is_empty() => {
                return Err(wrong("give --weights, --weight, --at or --sweep: how much of each clip".to_owned()));
            }
            (None, weights) => weights.to_vec(),
        };
        let weights = match self.normalize && !weights.is_empty() {
            true => normalized_weights(&weights).map_err(|error| (error.to_string(), Outcome::BadInput))?,
            false => weights,
        };
        if self.sweep.is_some() && others.len() != 1 {
            return Err(wrong(format!("--sweep is for two clips, found {}", clips.len())));
        }
        let edit = BlendEdit {
            at: self.at.iter().copied().collect(),
            scheme: match self.scheme {
                SchemeArg::Com => Scheme::Com,
                SchemeArg::Root => Scheme::Root,
                SchemeArg::Foot => Scheme::Foot,
            },
            timing: match self.timing {
                TimingArg::Sqrt => PhaseTiming::Sqrt,
                TimingArg::Linear => PhaseTiming::Linear,
            },
            smooth_timing: self.smooth_timing,
            smooth_facing: self.smooth_facing,
            contact_keys: self.contact_keys,
            mirror: self.mirror,
            first_skeleton: self.skeleton_from.is_some(),
            phases: self.phases.clone(),
            ..BlendEdit::new(others.to_vec(), weights)
        };
        Ok((first.clone(), edit))
    }
}

/// Whether two paths lead to one file, however they are written. Built-in clips have no file.
fn is_same_file(a: &Path, b: &Path) -> bool {
    a == b || matches!((a.canonicalize(), b.canonicalize()), (Ok(a), Ok(b)) if a == b)
}

fn space_clips(path: &Path) -> Result<Vec<PathBuf>, String> {
    let text = std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    SpaceFile::from_toml(&text, path).map(|space| space.clips).map_err(|error| error.to_string())
}

/// `length=1.6`.
fn asked(text: &str) -> Result<(Parameter, f64), String> {
    let (name, value) = text.split_once('=').ok_or_else(|| format!("expected NAME=VALUE, found {text}"))?;
    let parameter = Parameter::from_name(name).ok_or_else(|| {
        let names = Parameter::ALL.map(Parameter::name).join(", ");
        format!("expected one of {names}, found {name}")
    })?;
    Ok((parameter, number(value)?))
}

/// More files than anybody looks at.
const MOST_FAMILY_STEPS: f64 = 100_000.0;

/// `0:1:0.1`.
fn steps(text: &str) -> Result<Sweep, String> {
    let expected = || format!("expected FROM:TO:STEP between 0 and 1, such as 0:1:0.1, found {text}");
    let numbers: Vec<f64> = text.split(':').map(number).collect::<Result<_, _>>().map_err(|_| expected())?;
    let [from, to, step] = numbers[..] else { return Err(expected()) };
    let is_inside = (0.0..=1.0).contains(&from) && (0.0..=1.0).contains(&to) && from <= to && step > 0.0;
    match is_inside && (to - from) / step <= MOST_FAMILY_STEPS {
        true => Ok(Sweep { from, to, step }),
        false => Err(expected()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sweeps_and_measures_as_people_type_them() {
        assert_eq!(steps("0:1:0.25").unwrap().weights(), [0.0, 0.25, 0.5, 0.75, 1.0]);
        assert_eq!(steps("0.2:0.3:0.1").unwrap().weights().len(), 2);
        for bad in ["0:1", "1:0:0.1", "0:1:0", "0:2:0.1", "-1:1:0.5", "0:1:1e-9", "a:b:c"] {
            assert!(steps(bad).is_err(), "{bad}");
        }
        assert_eq!(asked("length=1.6").unwrap(), (Parameter::Length, 1.6));
        assert!(asked("width=1").unwrap_err().contains("height"));
    }
}
