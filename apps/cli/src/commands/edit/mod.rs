//! Verbs that change a motion: a command line becomes an edit, the project makes it, and a receipt says what it did.

mod adapt;
mod blend;
mod command;
mod family;
mod path;
mod path_text;
mod perform;
mod replay;
mod sparkline;
mod text;
mod track_text;
mod verb;

pub use command::VerbCommand;
pub use replay::RunArgs;

use crate::args::{BodyArgs, InputArgs};
use crate::outcome::{Outcome, Printing, say_error};
use aplomb_project::edit::{BodyChoice, Fps, FpsWord, InputChoice};
use aplomb_project::{Edit, Project, RateChoice};
use perform::{Job, perform};
use std::path::{Path, PathBuf};

/// Where the result goes.
#[derive(Clone, Debug, Default, clap::Args)]
#[command(next_help_heading = "About the output")]
pub struct OutputArgs {
    /// File to write (.bvh, .amc, .glb, .npz, .usda)
    #[arg(short, long, value_name = "FILE", required_unless_present = "dry_run")]
    pub out: Option<PathBuf>,
    /// Do everything and show the receipt, but write nothing
    #[arg(long)]
    pub dry_run: bool,
    /// Replace existing output
    #[arg(long)]
    pub force: bool,
    /// Write the motion even if the edits made it worse (exit code 3 all the same)
    #[arg(long)]
    pub accept_harm: bool,
    /// Write the receipt as JSON, which `aplomb run` replays
    #[arg(long, value_name = "FILE.json")]
    pub receipt: Option<PathBuf>,
    /// Write the receipt as a page, with both motions over each other
    #[arg(long, value_name = "FILE.html")]
    pub html: Option<PathBuf>,
    /// Draw the result as a strip of figures, with all bodies and things of its scene
    #[arg(long, value_name = "FILE.png|FILE.svg")]
    pub strip: Option<PathBuf>,
}

/// What every verb takes.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct CommonArgs {
    #[command(flatten)]
    output: OutputArgs,
    /// Then run this verb with its usual options: touchup repairs balance and flights, plant holds feet still
    #[arg(long, value_name = "VERB", value_parser = ["touchup", "plant"], help_heading = "About the output")]
    then: Option<String>,
    #[command(flatten)]
    body: BodyArgs,
    /// Look for contacts anew, even if a file beside the clip (CLIP.contacts.toml) has those it had before it was bent
    /// or tilted
    #[arg(long, help_heading = "About the body")]
    detect_contacts: bool,
    #[command(flatten)]
    input: InputArgs,
}

/// A part of the body, for verbs that have no use for it: people who know it from others see why.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct UnfitArgs {
    #[arg(long, hide = true, value_name = "PART,…", num_args = 0..=1, default_missing_value = "")]
    joints: Option<String>,
}

/// A part of the time, for verbs that have no use for it.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct UnfitSpanArgs {
    #[arg(long, hide = true, value_name = "SECS", allow_hyphen_values = true)]
    from: Option<String>,
    #[arg(long, hide = true, value_name = "SECS", allow_hyphen_values = true)]
    to: Option<String>,
}

impl UnfitArgs {
    fn refused(&self, why: &str) -> Option<Outcome> {
        self.joints.as_ref().map(|_| {
            say_error(&format!("--joints does not go with this verb: {why}"));
            Outcome::WrongUsage
        })
    }
}

impl UnfitSpanArgs {
    fn refused(&self, why: &str) -> Option<Outcome> {
        self.from.as_ref().or(self.to.as_ref()).map(|_| {
            say_error(&format!("--from and --to do not go with this verb: {why}"));
            Outcome::WrongUsage
        })
    }
}

impl CommonArgs {
    /// Makes the edits and says what they did.
    fn make(&self, clip: &Path, edits: Vec<Edit>, print: Printing) -> Outcome {
        self.make_with_forces(clip, edits, None, print)
    }

    /// The same; forces of an adaptation go to a file of their own.
    fn make_with_forces(&self, clip: &Path, edits: Vec<Edit>, forces: Option<&Path>, print: Printing) -> Outcome {
        perform(
            &Job {
                project: self.project(clip, edits),
                folder: Path::new(""),
                file: None,
                receipt_inputs: Vec::new(),
                input: &self.input,
                output: &self.output,
                forces,
            },
            print,
        )
    }

    fn project(&self, clip: &Path, mut edits: Vec<Edit>) -> Project {
        // Of a verb alone, every parameter has its usual value.
        let next = self.then.as_ref().map(|verb| serde_json::json!({ "verb": verb }));
        edits.extend(next.and_then(|edit| serde_json::from_value::<Edit>(edit).ok()));
        Project {
            fps: self.input.fps.map(fps),
            input: InputChoice::of(&self.input.read_options()),
            body: BodyChoice { file: self.body.body.clone(), ..BodyChoice::of(&self.body.options()) },
            points: self.body.all_points(),
            detect_contacts: self.detect_contacts,
            ..Project::new(clip, edits)
        }
    }
}

/// As a project file has it.
fn fps(rate: RateChoice) -> Fps {
    match rate {
        RateChoice::Auto => Fps::Word(FpsWord::Auto),
        RateChoice::Header => Fps::Word(FpsWord::Header),
        RateChoice::Given(frame_time) => Fps::Hz(frame_time.hz()),
    }
}
