//! What was typed, gathered as data, becomes an edit.

use super::parameter::{Flag, Kind, Parameter};
use super::{Verb, find};
use crate::edits::Edit;
use crate::error::ProjectError;
use serde_json::{Map, Value};
use std::path::{Path, PathBuf};
use toml::Table;

/// An option of a verb, and where its value goes.
#[derive(Clone, Debug)]
pub struct Typed {
    /// Keys from the edit down to the parameter.
    pub place: Vec<&'static str>,
    /// What it sets.
    pub parameter: &'static Parameter,
    /// As it is typed.
    pub flag: Flag,
}

/// Names of files need not be text, and data is: each file is a number in the data, behind this letter that no file
/// name begins with.
const FILE: char = '\u{1}';

/// What was said of an edit, over what a file says of it. Files may hold numbers that are none, which JSON cannot.
pub struct Said {
    verb: &'static Verb,
    base: Table,
    said: Value,
    files: Vec<PathBuf>,
}

impl Said {
    /// Nothing yet.
    pub fn new(verb: &'static Verb) -> Self {
        Self { verb, base: Table::new(), said: Value::Object(Map::new()), files: Vec::new() }
    }

    /// What a file says; options go over it, and lists are added to.
    pub fn over(mut edit: Edit) -> Result<Self, ProjectError> {
        let verb = find(edit.verb()).ok_or_else(|| failed(edit.verb(), "this verb is in no table"))?;
        let mut said = Self::new(verb);
        for path in edit.paths_mut() {
            *path = PathBuf::from(said.number_of(std::mem::take(path)));
        }
        said.base = Table::try_from(&edit).map_err(|error| failed(verb.name, &error.to_string()))?;
        Ok(said)
    }

    /// Takes a value in. Lists grow; tables that are there take in the keys of others.
    pub fn say(&mut self, place: &[&'static str], kind: &Kind, value: Value) {
        let mut at = &mut self.said;
        for key in place {
            if !at.is_object() {
                *at = Value::Object(Map::new());
            }
            at = &mut at[*key];
        }
        match (kind, at, value) {
            (Kind::List(_), Value::Array(there), Value::Array(more)) => there.extend(more),
            (Kind::List(_), Value::Array(there), one) => there.push(one),
            (Kind::List(_), at, one @ Value::Object(_) | one @ Value::Number(_) | one @ Value::String(_)) => {
                *at = Value::Array(vec![one]);
            }
            (_, Value::Object(there), Value::Object(more)) => there.extend(more),
            (_, at, value) => *at = value,
        }
    }

    /// A file, which need not have a name in letters.
    pub fn say_file(&mut self, place: &[&'static str], kind: &Kind, path: PathBuf) {
        let value = Value::from(self.number_of(path));
        self.say(place, kind, value);
    }

    /// All of it as an edit.
    pub fn edit(self) -> Result<Edit, ProjectError> {
        let Self { verb, mut base, said, files } = self;
        let fail = |error: &dyn std::fmt::Display| failed(verb.name, &error.to_string());
        merge(verb.parameters, &mut base, Table::try_from(said).map_err(|error| fail(&error))?);
        base.insert("verb".to_owned(), verb.name.into());
        let mut edit: Edit = base.try_into().map_err(|error| fail(&error))?;
        for path in edit.paths_mut() {
            if let Some(file) = file_of(path, &files) {
                *path = file;
            }
        }
        Ok(edit)
    }

    fn number_of(&mut self, path: PathBuf) -> String {
        self.files.push(path);
        format!("{FILE}{}", self.files.len() - 1)
    }
}

fn file_of(path: &Path, files: &[PathBuf]) -> Option<PathBuf> {
    let number: usize = path.to_str()?.strip_prefix(FILE)?.parse().ok()?;
    files.get(number).cloned()
}

fn failed(verb: &str, problem: &str) -> ProjectError {
    ProjectError::ProjectFile { path: PathBuf::from(verb), detail: problem.to_owned() }
}

/// Puts what was said over what a file says.
fn merge(parameters: &[Parameter], base: &mut Table, said: Table) {
    for (key, value) in said {
        let parameter = parameters.iter().find(|parameter| parameter.key == key);
        match (base.get_mut(&key), value, parameter) {
            (
                Some(toml::Value::Table(there)),
                toml::Value::Table(more),
                Some(Parameter { kind: Kind::Table(keys), is_replaced: false, .. }),
            ) => merge(keys, there, more),
            (Some(toml::Value::Array(there)), toml::Value::Array(more), _) => there.extend(more),
            (_, value, _) => _ = base.insert(key, value),
        }
    }
}

impl Verb {
    /// All options that set parameters, in the order of the table.
    pub fn typed(&self) -> Vec<Typed> {
        let mut all = Vec::new();
        gather(self.parameters, &[], &mut all);
        all
    }
}

fn gather(parameters: &'static [Parameter], place: &[&'static str], all: &mut Vec<Typed>) {
    for parameter in parameters {
        let place: Vec<&'static str> = place.iter().copied().chain([parameter.key]).collect();
        let flags = parameter.flags.iter().flatten();
        all.extend(flags.map(|flag| Typed { place: place.clone(), parameter, flag: *flag }));
        let kinds: &[Kind] = match &parameter.kind {
            Kind::Either(kinds) => kinds,
            kind => std::slice::from_ref(kind),
        };
        for kind in kinds {
            if let Kind::Table(keys) = kind {
                gather(keys, &place, all);
            }
        }
    }
}
