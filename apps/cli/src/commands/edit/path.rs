//! `path`: what can be taken hold of, edits in a file of their own, and refusals.

use super::verb::TypedVerb;
use super::{CommonArgs, UnfitArgs, path_text};
use crate::outcome::{ErrorReport, Outcome, Printing, print_json, print_line, say_error};
use aplomb_formats::FileKind;
use aplomb_project::edit::{list_handles, read_path_edit};
use aplomb_project::{Edit, RunRequest};
use aplomb_words::in_flags;
use clap::Args;
use serde_json::Value;
use std::path::{Path, PathBuf};

/// Options of `path` that are no parameters of the edit.
#[derive(Debug, clap::Args)]
pub struct PathArgs {
    /// Show handles and flights, and write nothing
    #[arg(long, conflicts_with_all = ["move", "jump", "follow", "align", "stairs", "timing"])]
    list_handles: bool,
    /// Moves and options as data; those of the command line are added
    #[arg(long, value_name = "FILE.toml")]
    edit: Option<PathBuf>,
    #[command(flatten)]
    unfit: UnfitArgs,
}

/// With its own options and those of every verb; a list of handles needs no output.
pub fn with_own(command: clap::Command) -> clap::Command {
    CommonArgs::augment_args(PathArgs::augment_args(command))
        .mut_arg("out", |arg| arg.required_unless_present_any(["dry_run", "list_handles"]))
}

impl PathArgs {
    /// Edits the path, or shows what can be edited.
    pub fn run(&self, verb: &TypedVerb, print: Printing) -> Outcome {
        let why = "a path carries the whole body, and a part that stays behind would be torn off; \
                   edit a stretch of time with --from and --to";
        if let Some(refused) = self.unfit.refused(why) {
            return refused;
        }
        let is_arc = verb.many::<Value>("follow").any(|follow| follow.get("radius_m").is_some());
        if is_arc && ["scale", "stretch", "from-start"].into_iter().any(|id| verb.is_given(id)) {
            say_error("--scale, --stretch and --from-start are for curves; an arc begins where the motion does");
            return Outcome::BadInput;
        }
        let base = self.edit.as_deref().map(read_path_edit).transpose();
        let edit = match base.and_then(|base| verb.edit(base.map(Edit::Path))) {
            Ok(edit) => edit,
            error => return verb.made(error, print),
        };
        if self.list_handles {
            return list(verb, edit, print);
        }
        match &edit {
            Edit::Path(path) if !path.asks_for_something() => {
                say_error(
                    "nothing to edit: give --move, --jump, --follow, --align, --timing scale=F or --edit; \
                     --list-handles shows what can be moved",
                );
                Outcome::WrongUsage
            }
            Edit::Path(path) if path.keep_keys && !is_glb(verb.common.output.out.as_deref()) => {
                let out = verb.common.output.out.as_deref().unwrap_or(Path::new(""));
                say_error(&format!("{}: this format has one frame time; --keep-keys needs a .glb", out.display()));
                Outcome::WrongUsage
            }
            _ => verb.made(Ok(edit), print),
        }
    }
}

/// Where nothing is written, any format will do.
fn is_glb(out: Option<&Path>) -> bool {
    out.is_none_or(|out| FileKind::from_path(out) == Some(FileKind::Glb))
}

fn list(verb: &TypedVerb, edit: Edit, print: Printing) -> Outcome {
    let project = verb.common.project(&verb.clip(), vec![edit]);
    let read = verb.common.input.read_options();
    let request = RunRequest::quiet(Path::new(""), read, Path::new("handles"));
    match list_handles(&project, &request, aplomb_words::sentence) {
        Ok(list) if print.json => print_json(&list),
        Ok(list) => print_line(&path_text::list_text(&list)),
        Err(error) => {
            if print.json {
                print_json(&serde_json::json!({ "schema": 1, "error": ErrorReport::from(&error) }));
            }
            say_error(&in_flags(&error));
            Outcome::BadInput
        }
    }
}
