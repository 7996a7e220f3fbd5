//! Random projects: every verb with every parameter, and the text of a file as people and other programs leave it.

use aplomb_analysis::contacts::ContactEntry;
use aplomb_project::verbs::{Kind, Parameter, Usual, VERBS, Verb};
use aplomb_project::{Edit, Project};
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Map, Value, json};

/// A parameter: its key, whether it has to be there, and its values.
type Field = (&'static str, bool, BoxedStrategy<Value>);

fn needed(key: &'static str, values: impl Strategy<Value = Value> + 'static) -> Field {
    (key, true, values.boxed())
}

fn maybe(key: &'static str, values: impl Strategy<Value = Value> + 'static) -> Field {
    (key, false, values.boxed())
}

/// A table with some of the fields that it may have, and all that it needs.
fn table(fields: Vec<Field>) -> BoxedStrategy<Value> {
    let parts: Vec<BoxedStrategy<Option<(&'static str, Value)>>> = fields
        .into_iter()
        .map(|(key, is_needed, values)| match is_needed {
            true => values.prop_map(move |value| Some((key, value))).boxed(),
            false => prop::option::weighted(0.4, values.prop_map(move |value| (key, value))).boxed(),
        })
        .collect();
    let object = |parts: Vec<Option<(&str, Value)>>| {
        let pairs = parts.into_iter().flatten().map(|(key, value)| (key.to_owned(), value));
        Value::Object(pairs.collect::<Map<String, Value>>())
    };
    parts.prop_map(object).boxed()
}

fn number() -> BoxedStrategy<Value> {
    prop_oneof![
        (-3..4i8).prop_map(|whole| json!(f64::from(whole))),
        (-10.0..10.0f64).prop_map(|value| json!(value)),
        select(vec![0.1 + 0.2, 1e-9, -0.0, 123_456_789.125, 1e22]).prop_map(|value| json!(value)),
    ]
    .boxed()
}

fn count() -> BoxedStrategy<Value> {
    (0..9u8).prop_map(|count| json!(count)).boxed()
}

fn yes_or_no() -> BoxedStrategy<Value> {
    any::<bool>().prop_map(|is| json!(is)).boxed()
}

/// One of the words.
fn word(words: &'static [&'static str]) -> BoxedStrategy<Value> {
    select(words).prop_map(|word| json!(word)).boxed()
}

/// Names and files, some of them awkward.
fn text() -> BoxedStrategy<Value> {
    word(&["walk.bvh", "builtin:run", "actor.right_hand", "a/ü b.bvh", "[edit]", "say \"x\" # no comment", "o'neill"])
}

fn list(items: BoxedStrategy<Value>, least: usize) -> BoxedStrategy<Value> {
    prop::collection::vec(items, least..least + 3).prop_map(Value::Array).boxed()
}

fn point() -> BoxedStrategy<Value> {
    [number(), number(), number()].prop_map(|point| json!(point)).boxed()
}

/// An edit of any verb, with any of the parameters that the table of verbs has.
pub fn edit() -> BoxedStrategy<Edit> {
    let of_verb = |verb: &'static Verb| {
        let named = move |mut edit: Value| {
            edit["verb"] = json!(verb.name);
            serde_json::from_value::<Edit>(edit.clone()).unwrap_or_else(|error| panic!("{edit}: {error}"))
        };
        table(fields(verb.parameters)).prop_map(named).boxed()
    };
    prop::strategy::Union::new(VERBS.iter().map(of_verb)).boxed()
}

fn fields(parameters: &'static [Parameter]) -> Vec<Field> {
    let values = |it: &'static Parameter| match it.key {
        "rotation" => [number(), number(), number(), number()].prop_map(|four| json!(four)).boxed(),
        // `join` needs a motion that follows.
        "clips" => list(text(), 1),
        _ => of_kind(&it.kind),
    };
    parameters.iter().map(|it| (it.key, it.default == Usual::Required, values(it))).collect()
}

fn of_kind(kind: &'static Kind) -> BoxedStrategy<Value> {
    let pair = || [number(), number()].prop_map(|pair| json!(pair)).boxed();
    match kind {
        Kind::Number => number(),
        Kind::Whole => count(),
        Kind::Switch => yes_or_no(),
        Kind::Choice(words) => select(*words).prop_map(|(word, _)| json!(word)).boxed(),
        Kind::Text | Kind::File | Kind::Clip => text(),
        Kind::Vector => point(),
        // Some of these are places of the ground and spans of time.
        Kind::List(Kind::Number) => pair(),
        Kind::List(of) => list(of_kind(of), 0),
        Kind::Table(parameters) => table(fields(parameters)),
        Kind::Either(kinds) => prop::strategy::Union::new(kinds.iter().map(of_kind)).boxed(),
    }
}

/// Contacts as a person corrects them.
pub fn contacts() -> BoxedStrategy<Vec<ContactEntry>> {
    let contact = table(vec![
        needed("effector", text()),
        needed("start_secs", number()),
        needed("end_secs", number()),
        needed("kind", word(&["load", "pin"])),
        maybe("source", word(&["auto", "hand"])),
    ]);
    let entry = |value: Value| serde_json::from_value::<ContactEntry>(value).expect("a contact");
    prop::collection::vec(contact.prop_map(entry), 0..4).boxed()
}

/// A project with everything that one may say; no two of its edits are equal, so that each can be found again.
pub fn project() -> BoxedStrategy<Project> {
    let point = table(vec![needed("name", text()), needed("joint", text()), maybe("point_in_joint_m", point())]);
    let head = table(vec![
        needed("schema", Just(json!(1))),
        needed("clip", text()),
        maybe("fps", prop_oneof![number(), word(&["auto", "header"])]),
        maybe("input", table(vec![maybe("up", word(&["x", "y", "z"])), maybe("roles", text())])),
        maybe("body", table(vec![maybe("mass_kg", number()), maybe("table", word(&["winter"]))])),
        maybe("detect_contacts", yes_or_no()),
        maybe("point", list(point, 0)),
        maybe("output", table(vec![maybe("file", text())])),
    ]);
    let whole = |(head, contacts, edits): (Value, Vec<ContactEntry>, Vec<Edit>)| {
        let mut project: Project = serde_json::from_value(head).expect("the head of a project");
        project.contacts = contacts;
        for edit in edits {
            if !project.edits.contains(&edit) {
                project.edits.push(edit);
            }
        }
        project
    };
    (head, contacts(), prop::collection::vec(edit(), 0..6)).prop_map(whole).boxed()
}

/// The project's text with what people and other programs put into it: comments, keys of their own at any depth, tables
/// of their own, edits that are switched off. `whims` decides where.
pub fn decorated(project: &Project, whims: &[u8]) -> String {
    let text = project.to_toml().expect("text");
    let mut whims = whims.iter().cycle().copied().enumerate();
    let mut lines: Vec<String> = Vec::new();
    for line in text.lines() {
        let (index, whim) = whims.next().expect("some whims");
        let is_block = line.starts_with('[') && !is_nested(line);
        match line.starts_with('[') {
            true if is_block && whim % 5 == 0 => lines.push(format!("[other-{index}]\nfov = 40 # theirs\n")),
            true if is_block && whim % 5 == 1 => {
                lines.push(format!("# before\n[[x-marks.deep-{index}]]\nat = [1, 2]\n"))
            }
            _ => {}
        }
        if line.starts_with('[') && whim % 3 == 0 {
            lines.push(format!("# about {index}"));
        }
        match line.contains(" = ") && whim % 4 == 0 {
            true => lines.push(format!("{line} # note {index}")),
            false => lines.push(line.to_owned()),
        }
        if line == "[[edit]]" && whim % 7 < 2 {
            lines.push(["on = false # for now", "on = true"][usize::from(whim % 7)].to_owned());
        }
        if line.starts_with('[') && whim % 6 == 0 {
            lines.push(format!("x-note-{index} = {{ kept = \"[edit]\" }}"));
        }
    }
    lines.join("\n") + "\n"
}

/// Whether a header lies inside an edit.
fn is_nested(header: &str) -> bool {
    header.starts_with("[edit.") || header.starts_with("[[edit.")
}

/// Text of a file, top-level table by top-level table; comments go with what follows them. The first has the keys
/// before any table.
pub fn blocks(text: &str) -> Vec<String> {
    let mut blocks = vec![String::new()];
    let mut waiting = String::new();
    for line in text.lines() {
        let is_waiting = line.is_empty() || line.starts_with('#');
        if line.starts_with('[') && !is_nested(line) {
            blocks.push(String::new());
        }
        waiting.push_str(line);
        waiting.push('\n');
        if !is_waiting {
            blocks.last_mut().expect("never empty").push_str(&std::mem::take(&mut waiting));
        }
    }
    blocks.push(waiting);
    blocks.into_iter().map(|block| block.trim().to_owned()).filter(|block| !block.is_empty()).collect()
}
