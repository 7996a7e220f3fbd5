//! Verbs as the table has them: options become data, and data becomes an edit.

use super::CommonArgs;
use crate::outcome::{Outcome, Printing, say_error};
use aplomb_project::edit::{read_character, read_scene, read_steps};
use aplomb_project::verbs::{Dash, Kind, Reads, Said, Typed, Usual, Verb};
use aplomb_project::{Edit, ProjectError};
use aplomb_words::in_flags;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Command, FromArgMatches, value_parser};
use serde_json::Value;
use std::path::PathBuf;

/// One verb of the table as it was typed.
#[derive(Debug)]
pub struct TypedVerb {
    verb: &'static Verb,
    matches: ArgMatches,
    /// What every verb takes.
    pub common: CommonArgs,
}

impl TypedVerb {
    /// What was typed after the name of the verb.
    pub fn new(verb: &'static Verb, matches: &ArgMatches) -> Result<Self, clap::Error> {
        Ok(Self { verb, matches: matches.clone(), common: CommonArgs::from_arg_matches(matches)? })
    }

    /// Makes the edit, or says why there is none.
    pub fn made(&self, edit: Result<Edit, ProjectError>, print: Printing) -> Outcome {
        match edit {
            Ok(edit) => self.common.make(&self.clip(), vec![edit], print),
            Err(error) => {
                say_error(&in_flags(&error));
                Outcome::BadInput
            }
        }
    }

    /// The motion that is edited: the first that was named.
    pub fn clip(&self) -> PathBuf {
        self.clips().into_iter().next().unwrap_or_default()
    }

    /// All motions that were named without an option.
    pub fn clips(&self) -> Vec<PathBuf> {
        let named = |id: &str| self.matches.try_get_many::<PathBuf>(id).ok().flatten().into_iter().flatten().cloned();
        named("clip").chain(named("clips")).collect()
    }

    /// What was typed, over what a file says.
    pub fn edit(&self, base: Option<Edit>) -> Result<Edit, ProjectError> {
        self.edit_with(base, &self.clips())
    }

    /// The same of these clips, wherever they were named.
    pub fn edit_with(&self, base: Option<Edit>, clips: &[PathBuf]) -> Result<Edit, ProjectError> {
        let mut said = base.map_or_else(|| Ok(Said::new(self.verb)), Said::over)?;
        for Typed { place, parameter, flag } in self.verb.typed() {
            let kind = &parameter.kind;
            if is_many(kind) && flag.name.is_empty() {
                clips.iter().skip(1).for_each(|clip| said.say_file(&place, kind, clip.clone()));
                continue;
            }
            let id = if flag.name.is_empty() { parameter.key } else { flag.name };
            if !self.is_given(id) {
                continue;
            }
            match flag.reads {
                Reads::Content => {}
                Reads::Sets(value) => said.say(&place, kind, value.value().unwrap_or_default()),
                _ if matches!(kind, Kind::File | Kind::Clip) => {
                    self.many::<PathBuf>(id).for_each(|file| said.say_file(&place, kind, file));
                }
                _ => self.many::<Value>(id).for_each(|value| said.say(&place, kind, value)),
            }
        }
        let mut edit = said.edit()?;
        self.take_contents(&mut edit)?;
        Ok(edit)
    }

    /// Whether an option was typed.
    pub fn is_given(&self, id: &str) -> bool {
        self.matches.value_source(id) == Some(ValueSource::CommandLine)
    }

    /// All values of an option.
    pub fn many<T: Clone + Send + Sync + 'static>(&self, id: &str) -> impl Iterator<Item = T> {
        self.matches.get_many::<T>(id).into_iter().flatten().cloned()
    }

    /// What files hold goes into the edit itself, so that a receipt needs no other file.
    fn take_contents(&self, edit: &mut Edit) -> Result<(), ProjectError> {
        match edit {
            Edit::Touchup(touchup) => {
                for file in self.many::<PathBuf>("steps") {
                    touchup.steps = read_steps(&file)?.steps;
                }
            }
            Edit::Track(track) => {
                for file in self.many::<PathBuf>("scene") {
                    track.scene = Some(read_scene(&file)?);
                }
                for file in self.many::<PathBuf>("character") {
                    track.character = Some(read_character(&file)?);
                }
            }
            _ => {}
        }
        Ok(())
    }
}

fn is_many(kind: &Kind) -> bool {
    matches!(kind, Kind::List(_))
}

/// The options of a verb that are parameters of the edit.
pub fn with_parameters(command: Command, verb: &'static Verb) -> Command {
    let file = |id: &'static str, value: &'static str, about: &'static str| {
        Arg::new(id).value_name(value).help(about).required(true).value_parser(value_parser!(PathBuf))
    };
    let typed = verb.typed();
    let command = match typed.iter().find(|it| it.flag.name.is_empty()) {
        Some(Typed { parameter, flag, .. }) if is_many(&parameter.kind) => {
            command.arg(file(parameter.key, flag.value, verb.clip).num_args(2..).action(ArgAction::Append))
        }
        Some(Typed { parameter, flag, .. }) => {
            command.arg(file("clip", "CLIP", verb.clip)).arg(file(parameter.key, flag.value, parameter.about))
        }
        None => command.arg(file("clip", "CLIP", verb.clip)),
    };
    command.args(typed.iter().filter(|it| !it.flag.name.is_empty()).map(option))
}

/// One option.
fn option(typed: &Typed) -> Arg {
    let Typed { place, parameter, flag } = typed;
    let about = if flag.about.is_empty() { parameter.about } else { flag.about };
    let mut arg = Arg::new(flag.name).long(flag.name).help(about).conflicts_with_all(flag.conflicts);
    if !flag.requires.is_empty() {
        arg = arg.requires(flag.requires);
    }
    if !flag.unless.is_empty() {
        arg = arg.required_unless_present(flag.unless);
    }
    let arg = match flag.reads {
        Reads::Sets(_) => return arg.action(ArgAction::SetTrue),
        Reads::List(read) => arg.value_delimiter(',').value_parser(read),
        Reads::Text(read) => arg.value_parser(read),
        Reads::Content => return arg.value_name(flag.value).value_parser(value_parser!(PathBuf)),
        Reads::Kind => by_kind(arg, typed),
    };
    // A part of something that may be absent is needed with it only.
    let is_whole = place.len() == 1;
    let arg = match parameter.default {
        Usual::Number(number) if is_whole || !flag.requires.is_empty() => arg.default_value(number.to_string()),
        Usual::Word(word) if is_whole || !flag.requires.is_empty() => arg.default_value(word),
        Usual::Required => arg.required(is_whole),
        _ => arg,
    };
    let action = if is_many(&parameter.kind) || matches!(flag.reads, Reads::List(_)) {
        ArgAction::Append
    } else {
        ArgAction::Set
    };
    let is_number = matches!(parameter.kind, Kind::Number) && flag.dash == Dash::Number;
    let arg = arg.value_name(flag.value).action(action);
    arg.allow_negative_numbers(is_number).allow_hyphen_values(flag.dash == Dash::Any)
}

fn by_kind(arg: Arg, typed: &Typed) -> Arg {
    let parameter = typed.parameter;
    match parameter.kind {
        Kind::File | Kind::Clip => arg.value_parser(value_parser!(PathBuf)),
        Kind::Choice(words) => {
            // Words have dashes on the command line, whatever they have in files.
            let typed = |word: &str| word.replace('_', "-");
            let values = words.iter().map(|(word, about)| PossibleValue::new(typed(word)).help(*about));
            let data = move |found: String| words.iter().find(|(word, _)| typed(word) == found).map(|it| it.0.into());
            arg.value_parser(
                PossibleValuesParser::new(values).map(move |found| -> Value { data(found).unwrap_or_default() }),
            )
        }
        _ => arg.value_parser(move |text: &str| parameter.read(text)),
    }
}
