//! Methods of the Python package: one a verb, with typed parameters.

use aplomb_project::verbs::{Kind, Parameter, Usual, VERBS, Verb};
use std::fmt::Write;

const HEAD: &str = r#""""One method a verb. Made from the table of verbs (crates/project/src/verbs); changes are made there."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Literal, Mapping, Sequence, Union

if TYPE_CHECKING:
    from . import Clip

PathLike = Union[str, "os.PathLike[str]"]


class Verbs:
    """What can be done to a clip. Lengths in metres, times in seconds, Y up; every method returns a new clip."""

    __slots__ = ()

    def _verb(self, verb: str, parameters: Mapping[str, Any]) -> Clip:
        raise NotImplementedError
"#;

/// The module.
pub fn text() -> String {
    let mut text = HEAD.to_owned();
    // `cut` has names of its own in Python: start and end.
    VERBS.iter().filter(|verb| verb.name != "cut").for_each(|verb| method(verb, &mut text));
    text
}

fn method(verb: &Verb, text: &mut String) {
    // A clip has a path already: its file.
    let name = if verb.name == "path" { "path_edit" } else { verb.name };
    let (clips, others): (Vec<&Parameter>, Vec<&Parameter>) =
        verb.parameters.iter().partition(|it| matches!(it.kind, Kind::List(Kind::Clip)));
    let (needed, free): (Vec<&Parameter>, Vec<&Parameter>) =
        others.into_iter().partition(|it| it.default == Usual::Required);
    let _ = write!(text, "\n    def {name}(\n        self,\n");
    match clips.first() {
        Some(clips) => _ = writeln!(text, "        *{}: {},", clips.key, type_of(&Kind::Clip)),
        None => text.push_str("        *,\n"),
    }
    for parameter in needed.iter().chain(&free) {
        let _ = writeln!(text, "        {}: {},", parameter.key, declared(parameter));
    }
    let about = wrapped(&format!("\"\"\"{}.", verb.about), 8);
    let _ = write!(text, "    ) -> Clip:\n{about}\n");
    for parameter in clips.iter().chain(&needed).chain(&free) {
        text.push_str(&wrapped(&format!("{}: {}", parameter.key, sentence(parameter)), 12));
    }
    let _ =
        write!(text, "        \"\"\"\n        return self._verb(\n            \"{}\",\n            {{\n", verb.name);
    for parameter in clips.iter().chain(&needed).chain(&free) {
        let value = if clips.is_empty() || parameter.key != clips[0].key {
            parameter.key.to_owned()
        } else {
            format!("list({})", parameter.key)
        };
        let _ = writeln!(text, "                \"{}\": {value},", parameter.key);
    }
    text.push_str("            },\n        )\n");
}

/// What it means, its unit and its range.
fn sentence(parameter: &Parameter) -> String {
    let mut facts = Vec::new();
    facts.extend(Some(parameter.unit.to_owned()).filter(|unit| !unit.is_empty()));
    facts.extend(parameter.range.map(|range| format!("{} to {}", range.low, range.high)));
    match facts.is_empty() {
        true => format!("{}.", parameter.about),
        false => format!("{} ({}).", parameter.about, facts.join(", ")),
    }
}

/// Lines of at most 120 columns; all but the first begin so far in.
fn wrapped(text: &str, inner: usize) -> String {
    let mut lines = String::new();
    let mut line = " ".repeat(8);
    for word in text.split(' ') {
        if line.chars().count() + word.chars().count() > 119 {
            lines.push_str(line.trim_end());
            lines.push('\n');
            line = " ".repeat(inner);
        }
        line.push_str(word);
        line.push(' ');
    }
    lines.push_str(line.trim_end());
    lines.push('\n');
    lines
}

fn declared(parameter: &Parameter) -> String {
    let of = type_of(&parameter.kind);
    match parameter.default {
        Usual::Required => of,
        Usual::Absent => format!("{of} | None = None"),
        Usual::Number(number) if matches!(parameter.kind, Kind::Whole) => format!("{of} = {number}"),
        Usual::Number(number) => format!("{of} = {number:?}"),
        Usual::Word(word) => format!("{of} = \"{word}\""),
        Usual::Switch(is_on) => format!("{of} = {}", if is_on { "True" } else { "False" }),
    }
}

fn type_of(kind: &Kind) -> String {
    match kind {
        Kind::Number => "float".to_owned(),
        Kind::Whole => "int".to_owned(),
        Kind::Switch => "bool".to_owned(),
        Kind::Choice(words) => {
            let words: Vec<String> = words.iter().map(|(word, _)| format!("\"{word}\"")).collect();
            format!("Literal[{}]", words.join(", "))
        }
        Kind::Text => "str".to_owned(),
        Kind::File => "PathLike".to_owned(),
        Kind::Clip => "Clip | PathLike".to_owned(),
        Kind::Vector => "Sequence[float]".to_owned(),
        Kind::List(of) => format!("Sequence[{}]", type_of(of)),
        Kind::Table(_) => "Mapping[str, Any]".to_owned(),
        Kind::Either(kinds) => {
            let mut types: Vec<String> = kinds.iter().map(type_of).collect();
            types.dedup();
            types.join(" | ")
        }
    }
}
