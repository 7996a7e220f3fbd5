//! The subcommands of all verbs, and what runs them.

use super::verb::{TypedVerb, with_parameters};
use super::{CommonArgs, adapt, blend, path};
use crate::outcome::{Outcome, Printing};
use aplomb_project::verbs::{VERBS, Verb, find};
use clap::error::ErrorKind;
use clap::{ArgMatches, Args, Command, FromArgMatches, Subcommand};

/// One verb of the table as it was typed.
#[derive(Debug)]
pub struct VerbCommand {
    typed: TypedVerb,
    own: Own,
}

/// Options that are no parameters of an edit.
#[derive(Debug)]
enum Own {
    None,
    Path(path::PathArgs),
    Blend(blend::BlendArgs),
    Adapt(adapt::AdaptArgs),
}

impl Subcommand for VerbCommand {
    fn augment_subcommands(command: Command) -> Command {
        command.subcommands(VERBS.iter().map(command_of))
    }

    fn augment_subcommands_for_update(command: Command) -> Command {
        Self::augment_subcommands(command)
    }

    fn has_subcommand(name: &str) -> bool {
        find(name).is_some()
    }
}

impl FromArgMatches for VerbCommand {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let typed = matches.subcommand().and_then(|(name, matches)| Some((find(name)?, matches)));
        let (verb, matches) = typed.ok_or_else(|| clap::Error::new(ErrorKind::MissingSubcommand))?;
        let own = match verb.name {
            "path" => Own::Path(path::PathArgs::from_arg_matches(matches)?),
            "blend" => Own::Blend(blend::BlendArgs::from_arg_matches(matches)?),
            "adapt" => Own::Adapt(adapt::AdaptArgs::from_arg_matches(matches)?),
            _ => Own::None,
        };
        Ok(Self { typed: TypedVerb::new(verb, matches)?, own })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl VerbCommand {
    /// Makes the edit.
    pub fn run(&self, print: Printing) -> Outcome {
        match &self.own {
            Own::None => self.typed.made(self.typed.edit(None), print),
            Own::Path(own) => own.run(&self.typed, print),
            Own::Blend(own) => own.run(&self.typed, print),
            Own::Adapt(own) => own.run(&self.typed, print),
        }
    }
}

/// The options of a verb: its own, those that are no parameters, and those that every verb has.
fn command_of(verb: &'static Verb) -> Command {
    let command = with_parameters(Command::new(verb.name), verb);
    let command = match verb.name {
        "path" => path::with_own(command),
        "blend" => blend::with_own(command),
        "adapt" => CommonArgs::augment_args(adapt::AdaptArgs::augment_args(command)),
        _ => CommonArgs::augment_args(command),
    };
    // Last, since options that are derived bring sentences of their own.
    command.about(verb.about).long_about(None::<&str>).after_help(verb.examples)
}
