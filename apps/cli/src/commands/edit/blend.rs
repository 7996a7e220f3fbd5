//! `blend`: weights, clips and families of blends as they are typed.

use super::family::{Sweep, sweep};
use super::verb::TypedVerb;
use super::{CommonArgs, UnfitArgs, UnfitSpanArgs};
use crate::args::number;
use crate::outcome::{Outcome, Printing, say_error};
use aplomb_editing::blend::normalized_weights;
use aplomb_project::Edit;
use aplomb_project::edit::{BlendEdit, SpaceFile};
use aplomb_words::in_flags;
use clap::Args;
use serde_json::Value;
use std::path::{Path, PathBuf};

/// Options of `blend` that are no parameters of the edit.
#[derive(Debug, clap::Args)]
pub struct BlendArgs {
    /// Of two clips: how much of the second
    #[arg(long, value_name = "W", value_parser = number, allow_hyphen_values = true)]
    #[arg(conflicts_with_all = ["sweep", "at"])]
    weight: Option<f64>,
    /// Divide the weights by their sum
    #[arg(long)]
    normalize: bool,
    /// Of two clips: many blends at once, weights of the second from one to another by steps; -o names a folder
    #[arg(long, value_name = "FROM:TO:STEP", value_parser = steps)]
    sweep: Option<Sweep>,
    /// A file that names the clips
    #[arg(long, value_name = "FILE.toml", conflicts_with = "clips")]
    space: Option<PathBuf>,
    /// Skeletons that differ in bone lengths: put all clips on this one's, which must be the first, and plant feet
    #[arg(long, value_name = "CLIP")]
    skeleton_from: Option<PathBuf>,
    #[command(flatten)]
    unfit: UnfitArgs,
    #[command(flatten)]
    unfit_span: UnfitSpanArgs,
}

/// With its own options and those of every verb; a file may name the clips.
pub fn with_own(command: clap::Command) -> clap::Command {
    CommonArgs::augment_args(BlendArgs::augment_args(command))
        .mut_arg("clips", |arg| arg.num_args(1..).required(false).required_unless_present("space"))
}

impl BlendArgs {
    /// Blends clips.
    pub fn run(&self, verb: &TypedVerb, print: Printing) -> Outcome {
        let part =
            "what a blend keeps of physics it keeps for whole bodies, and its times are those of none of its clips";
        let stretch = "a blend has times of its own; cut the clips before, or the blend after (aplomb cut), \
                       and join what belongs together (aplomb join, transition)";
        if let Some(refused) = self.unfit.refused(part).or_else(|| self.unfit_span.refused(stretch)) {
            return refused;
        }
        match (self.edit(verb), &self.sweep) {
            (Ok((first, edit)), Some(range)) => sweep(&verb.common, &first, edit, range, print),
            (Ok((first, edit)), None) => verb.common.make(&first, vec![Edit::Blend(edit)], print),
            (Err((message, outcome)), _) => {
                say_error(&message);
                outcome
            }
        }
    }

    fn edit(&self, verb: &TypedVerb) -> Result<(PathBuf, BlendEdit), (String, Outcome)> {
        let wrong = |message: String| (message, Outcome::WrongUsage);
        let bad = |message: String| (message, Outcome::BadInput);
        let clips = self.space.as_deref().map_or_else(|| Ok(verb.clips()), space_clips).map_err(bad)?;
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
        if let Some(name) = asked_twice(&verb.many("at").collect::<Vec<_>>()) {
            return Err(wrong(format!("--at asks for {name} twice; give one value")));
        }
        let edit = verb.edit_with(None, &clips).map_err(|error| bad(in_flags(&error)))?;
        let Edit::Blend(mut edit) = edit else { return Err(bad("expected a blend".to_owned())) };
        match self.weight {
            Some(weight) if others.len() == 1 => edit.weights = vec![1.0 - weight, weight],
            Some(_) => {
                let clips = clips.len();
                return Err(wrong(format!("--weight is for two clips, found {clips}; give --weights, one a clip")));
            }
            None if edit.weights.is_empty() && self.sweep.is_none() && edit.at.is_empty() => {
                return Err(wrong("give --weights, --weight, --at or --sweep: how much of each clip".to_owned()));
            }
            None => {}
        }
        if self.normalize && !edit.weights.is_empty() {
            edit.weights = normalized_weights(&edit.weights).map_err(|error| bad(in_flags(&error)))?;
        }
        if self.sweep.is_some() && others.len() != 1 {
            return Err(wrong(format!("--sweep is for two clips, found {}", clips.len())));
        }
        edit.first_skeleton = self.skeleton_from.is_some();
        Ok((first.clone(), edit))
    }
}

/// The measure that is asked for a second time.
fn asked_twice(asked: &[Value]) -> Option<String> {
    let names: Vec<&String> = asked.iter().filter_map(Value::as_object).flat_map(|it| it.keys()).collect();
    names.iter().enumerate().find(|(index, name)| names[..*index].contains(name)).map(|(_, name)| (*name).clone())
}

/// Whether two paths lead to one file, however they are written. Built-in clips have no file.
fn is_same_file(a: &Path, b: &Path) -> bool {
    a == b || matches!((a.canonicalize(), b.canonicalize()), (Ok(a), Ok(b)) if a == b)
}

fn space_clips(path: &Path) -> Result<Vec<PathBuf>, String> {
    let text = std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    SpaceFile::from_toml(&text, path).map(|space| space.clips).map_err(|error| in_flags(&error))
}

/// More files than people look at.
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
    fn sweeps_as_people_type_them() {
        assert_eq!(steps("0:1:0.25").unwrap().weights(), [0.0, 0.25, 0.5, 0.75, 1.0]);
        assert_eq!(steps("0.2:0.3:0.1").unwrap().weights().len(), 2);
        for bad in ["0:1", "1:0:0.1", "0:1:0", "0:2:0.1", "-1:1:0.5", "0:1:1e-9", "a:b:c"] {
            assert!(steps(bad).is_err(), "{bad}");
        }
    }
}
