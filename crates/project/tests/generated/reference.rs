//! The page of all verbs and parameters.

use aplomb_project::verbs::{Flag, Kind, Parameter, Reads, Usual, VERBS, Verb};
use std::fmt::Write;

const HEAD: &str = "# Verbs and their parameters

Every verb with every parameter: its key in [project files](project.md) and in Python, the option of the command,
which values it takes, and what holds where it is not given. Lengths are metres, times seconds, Y is up.
[edit.md](edit.md) says how verbs go together.

This page is made from the table of verbs in `crates/project/src/verbs`;
`APLOMB_GENERATE=1 cargo test -p aplomb-project --test generated` makes it anew.
";

/// The page.
pub fn text() -> String {
    let mut text = HEAD.to_owned();
    VERBS.iter().for_each(|verb| section(verb, &mut text));
    text
}

fn section(verb: &Verb, text: &mut String) {
    let _ = write!(text, "\n## {}\n\n{}.\n", verb.name, verb.about);
    let mut told: Vec<(String, Vec<&str>)> = Vec::new();
    table("", verb.parameters, text, &mut told);
    let examples = verb.examples.trim_start_matches("Examples:\n");
    let (commands, notes) = examples.split_once("\n\n").unwrap_or((examples, ""));
    let commands: Vec<&str> = commands.lines().map(str::trim_start).collect();
    let _ = write!(text, "\n```\n{}\n```\n", commands.join("\n"));
    if !notes.is_empty() {
        let _ = write!(text, "\n{notes}\n");
    }
}

/// A table of keys, then those of the tables inside it; each set of keys once.
fn table(place: &str, parameters: &[Parameter], text: &mut String, told: &mut Vec<(String, Vec<&'static str>)>) {
    let keys: Vec<&str> = parameters.iter().map(|parameter| parameter.key).collect();
    if let Some((other, _)) = told.iter().find(|(other, known)| !other.is_empty() && *known == keys) {
        let _ = write!(text, "\n`{place}` has the keys of `{other}`.\n");
        return;
    }
    told.push((place.to_owned(), keys));
    if !place.is_empty() {
        let or = if told.iter().filter(|(other, _)| other == place).count() > 1 { "Or keys" } else { "Keys" };
        let _ = write!(text, "\n{or} of `{place}`:\n");
    }
    text.push_str("\n| key | option | value | if not given | what it is |\n|---|---|---|---|---|\n");
    for parameter in parameters {
        let flags = parameter.flags.iter().flatten().map(option).collect::<Vec<_>>().join(", ");
        let usual = usual(parameter.default);
        let _ = writeln!(
            text,
            "| `{}` | {flags} | {} | {usual} | {} |",
            parameter.key,
            value(parameter),
            parameter.about.replace('|', "\\|")
        );
    }
    for parameter in parameters {
        let place = if place.is_empty() { parameter.key.to_owned() } else { format!("{place}.{}", parameter.key) };
        inner(&place, &parameter.kind, text, told);
    }
}

fn inner(place: &str, kind: &Kind, text: &mut String, told: &mut Vec<(String, Vec<&'static str>)>) {
    match kind {
        Kind::Table(parameters) => table(place, parameters, text, told),
        Kind::List(of) => inner(place, of, text, told),
        Kind::Either(kinds) => kinds.iter().for_each(|kind| inner(place, kind, text, told)),
        _ => {}
    }
}

fn option(flag: &Flag) -> String {
    match flag.reads {
        _ if flag.name.is_empty() => format!("`{}`", flag.value),
        Reads::Sets(_) => format!("`--{}`", flag.name),
        _ => format!("`--{} {}`", flag.name, flag.value.replace('|', "\\|")),
    }
}

fn usual(default: Usual) -> String {
    match default {
        Usual::Required => "has to be given".to_owned(),
        Usual::Absent | Usual::Word("") => "–".to_owned(),
        Usual::Number(number) => number.to_string(),
        Usual::Word(word) => format!("`{word}`"),
        Usual::Switch(is_on) => is_on.to_string(),
    }
}

fn value(parameter: &Parameter) -> String {
    let mut facts = vec![of_kind(&parameter.kind)];
    facts.extend(parameter.range.map(|range| format!("{} to {}", range.low, range.high)));
    facts.extend(Some(parameter.unit.to_owned()).filter(|unit| !unit.is_empty()));
    facts.join(", ")
}

fn of_kind(kind: &Kind) -> String {
    match kind {
        Kind::Number => "number".to_owned(),
        Kind::Whole => "whole number".to_owned(),
        Kind::Switch => "true or false".to_owned(),
        Kind::Choice(words) => {
            words.iter().map(|(word, about)| format!("`{word}` ({})", lower(about))).collect::<Vec<_>>().join(", ")
        }
        Kind::Text => "text".to_owned(),
        Kind::File => "file".to_owned(),
        Kind::Clip => "motion".to_owned(),
        Kind::Vector => "`[x, y, z]`".to_owned(),
        Kind::List(of) => format!("list of: {}", of_kind(of)),
        Kind::Table(_) => "table".to_owned(),
        Kind::Either(kinds) => {
            let mut all: Vec<String> = kinds.iter().map(of_kind).collect();
            all.dedup();
            all.join(", or ")
        }
    }
}

fn lower(about: &str) -> String {
    let mut letters = about.to_owned();
    if let Some(first) = letters.get_mut(..1) {
        first.make_ascii_lowercase();
    }
    letters
}
