//! `adapt`: goals in a file of their own, and forces that go to one.

use super::verb::TypedVerb;
use crate::outcome::{Outcome, Printing, say_error};
use aplomb_project::edit::{AdaptEdit, read_goals};
use aplomb_project::{Edit, ProjectError};
use aplomb_words::in_flags;
use std::path::PathBuf;

/// Options of `adapt` that are no parameters of the edit.
#[derive(Debug, clap::Args)]
pub struct AdaptArgs {
    /// Goals as a file; the other options add to it
    #[arg(long, value_name = "FILE.toml")]
    goals: Option<PathBuf>,
    /// Write forces and torques over time
    #[arg(long, value_name = "FILE.csv")]
    forces: Option<PathBuf>,
}

impl AdaptArgs {
    /// Adapts the motion.
    pub fn run(&self, verb: &TypedVerb, print: Printing) -> Outcome {
        let edit = match self.edit(verb) {
            Ok(edit) => edit,
            error => return verb.made(error, print),
        };
        if let Edit::Adapt(adapt) = &edit {
            if adapt.goals.is_empty() {
                say_error(
                    "say what should change: --jump-length, --twist, --carry …, or --goals FILE.toml; \
                     aplomb adapt --help has examples",
                );
                return Outcome::WrongUsage;
            }
            if let Err(error) = adapt.goals.check() {
                say_error(&in_flags(&error));
                return Outcome::BadInput;
            }
        }
        verb.common.make_with_forces(&verb.clip(), vec![edit], self.forces.as_deref(), print)
    }

    /// The goals themselves go into the record, so that a receipt needs no other file.
    fn edit(&self, verb: &TypedVerb) -> Result<Edit, ProjectError> {
        let goals = self.goals.as_deref().map(read_goals).transpose()?.unwrap_or_default();
        verb.edit(Some(Edit::Adapt(Box::new(AdaptEdit { goals, ..AdaptEdit::default() }))))
    }
}
