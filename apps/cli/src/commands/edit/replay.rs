//! `run`: the edits of a project file, or of a receipt, made again.

use super::OutputArgs;
use super::perform::{Job, perform};
use crate::args::InputArgs;
use crate::outcome::{Outcome, Printing, say_error, say_note};
use aplomb_formats::import::read_limited;
use aplomb_formats::{Limits, ReadOptions};
use aplomb_project::edit::InputFile;
use aplomb_project::samples::{sample, sample_name};
use aplomb_project::{Project, ProjectDocument};
use aplomb_words::in_flags;
use std::path::{Path, PathBuf};

/// Receipts hold whole reports; larger than this is something else.
const MOST_RECEIPT_BYTES: u64 = 64 << 20;

/// Options of `run`.
#[derive(Debug, clap::Args)]
#[command(
    // A project may name its output itself.
    mut_arg("out", |arg| arg.required_unless_present_any(["dry_run", "project"])),
    after_help = "Examples:\n  \
    aplomb run bent-walk.toml -o bent.bvh                  the edits of a project file\n  \
    aplomb run leaning.json -o again.bvh                   the same edits as those of a receipt\n  \
    aplomb run bent-walk.toml --dry-run                    only what they would do\n  \
    aplomb run walk.aplomb.toml                            as saved by the studio, to the output it names\n  \
    aplomb run sample:bent-walk -o bent.bvh --html bent.html\n\n\
    Samples, which need no files: sample:walk-to-run, sample:bent-walk, sample:uphill-walk, sample:bent-jump,\n\
    sample:planted-walk; sample:zigzag-run, sample:stairs, sample:longer-jump, sample:higher-jump,\n\
    sample:quadruped-circle, sample:bouncing-ball, sample:aligned-walk, sample:drawn-walk;\n\
    sample:gesture-adult, -child, -alien, sample:drumming, sample:drumming-through, sample:staff, sample:staff-alone,\n\
    sample:balanced-bow, sample:bow-alone, sample:held-hand, sample:patty-cake-pair, sample:patty-cake-fast, sample:patty-cake-slap.\n\
    Paths in a project are relative to its file. docs/project.md says how one is written."
)]
pub struct RunArgs {
    /// Project file (TOML), a receipt (JSON), or sample:NAME
    project: PathBuf,
    /// Replay a receipt although files it was made from have changed since
    #[arg(long)]
    changed_input: bool,
    #[command(flatten)]
    output: OutputArgs,
    #[command(flatten)]
    input: InputArgs,
}

impl RunArgs {
    /// Replays the edits.
    pub fn run(&self, print: Printing) -> Outcome {
        let (mut project, receipt_inputs) = match self.read(print) {
            Ok(read) => read,
            Err(message) => {
                say_error(&message);
                return Outcome::BadInput;
            }
        };
        if let Some(rate) = self.input.fps {
            project.fps = Some(super::fps(rate));
        }
        let file = Some(self.project.as_path()).filter(|path| sample_name(path).is_none());
        let folder = file.and_then(Path::parent).unwrap_or(Path::new(""));
        if let Some(file) = file {
            for outside in project.sources_outside(folder) {
                say_note(file, &format!("reads {}, which is not below its folder", outside.display()), print);
            }
        }
        let mut output = self.output.clone();
        if output.out.is_none() && !output.dry_run {
            output.out = match project.own_output(folder) {
                Ok(out) => out,
                Err(error) => {
                    say_error(&in_flags(&error));
                    return Outcome::BadInput;
                }
            };
        }
        let job = Job { project, folder, file, receipt_inputs, input: &self.input, output: &output, forces: None };
        perform(&job, print)
    }

    /// The edits, and what the files they were made from held, where a receipt says it and it shall count.
    fn read(&self, print: Printing) -> Result<(Project, Vec<InputFile>), String> {
        if let Some(name) = sample_name(&self.project) {
            return sample(name).map(|project| (project, Vec::new())).map_err(|error| in_flags(&error));
        }
        let limits = Limits { file_bytes: MOST_RECEIPT_BYTES, ..Limits::default() };
        let bytes = read_limited(&self.project, &ReadOptions { limits, ..ReadOptions::default() })
            .map_err(|error| in_flags(&error))?;
        let text = String::from_utf8(bytes)
            .map_err(|_| format!("{}: expected a project file in TOML, found other bytes", self.project.display()))?;
        if !text.trim_start().starts_with('{') {
            let document = ProjectDocument::parse(&text, &self.project).map_err(|error| in_flags(&error))?;
            for unknown in document.unknown() {
                say_note(&self.project, &format!("{unknown:?} is not known here and is left alone"), print);
            }
            return Ok((document.project(), Vec::new()));
        }
        let project = Project::from_text(&text, &self.project).map_err(|error| in_flags(&error))?;
        let inputs = if self.changed_input { Vec::new() } else { Project::inputs_of_receipt(&text) };
        Ok((project, inputs))
    }
}
