//! The JSON Schema of project files.

use aplomb_project::verbs::{Kind, Parameter, Range, Usual, VERBS, Verb};
use serde_json::{Map, Value, json};

/// Ends with a line feed.
pub fn text() -> String {
    let verbs: Vec<Value> = VERBS.iter().map(|verb| json!({ "$ref": format!("#/$defs/{}", verb.name) })).collect();
    let mut defs: Map<String, Value> = VERBS.iter().map(|verb| (verb.name.to_owned(), edit(verb))).collect();
    defs.extend([("input".to_owned(), input()), ("body".to_owned(), body())]);
    defs.extend(segments());
    defs.extend([("point".to_owned(), point()), ("contact".to_owned(), contact())]);
    let schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A project file of aplomb, or the project of a receipt",
        "type": "object",
        "required": ["schema", "clip"],
        "properties": {
            "schema": { "const": 1 },
            "clip": { "type": "string" },
            "fps": { "anyOf": [{ "type": "number", "exclusiveMinimum": 0 }, { "enum": ["auto", "header"] }] },
            "input": { "$ref": "#/$defs/input" },
            "body": { "$ref": "#/$defs/body" },
            "detect_contacts": { "type": "boolean" },
            "point": { "type": "array", "items": { "$ref": "#/$defs/point" } },
            "output": closed(json!({ "file": { "type": "string" }, "accept_harm": { "type": "boolean" } }), &[]),
            "contact": { "type": "array", "items": { "$ref": "#/$defs/contact" } },
            "edit": { "type": "array", "items": { "oneOf": verbs } },
        },
        "$defs": defs,
    });
    format!("{schema:#}\n")
}

/// Keys of the file's owner begin with x-, anywhere; other unknown ones are refused.
fn closed(properties: Value, required: &[&str]) -> Value {
    let mut all = json!({
        "type": "object",
        "properties": properties,
        "patternProperties": { "^x-": true },
        "additionalProperties": false,
    });
    if !required.is_empty() {
        all["required"] = json!(required);
    }
    all
}

fn edit(verb: &Verb) -> Value {
    let mut all = table(verb.parameters);
    all["description"] = json!(verb.about);
    all["properties"]["verb"] = json!({ "const": verb.name });
    all["properties"]["on"] =
        json!({ "type": "boolean", "description": "An edit that is off keeps its place and is not made" });
    let mut required = vec![json!("verb")];
    required.extend(all["required"].as_array().cloned().unwrap_or_default());
    all["required"] = required.into();
    all
}

fn table(parameters: &[Parameter]) -> Value {
    let properties: Map<String, Value> =
        parameters.iter().map(|parameter| (parameter.key.to_owned(), property(parameter))).collect();
    let required: Vec<&str> =
        parameters.iter().filter(|it| it.default == Usual::Required).map(|parameter| parameter.key).collect();
    closed(properties.into(), &required)
}

fn property(parameter: &Parameter) -> Value {
    let mut all = match (parameter.key, parameter.kind) {
        // All nine have the same keys, wherever a body is described.
        ("segments", Kind::Table(_)) => json!({ "$ref": "#/$defs/segments" }),
        (_, kind) => of_kind(&kind, parameter.range),
    };
    let unit = if parameter.unit.is_empty() { String::new() } else { format!(" ({})", parameter.unit) };
    all["description"] = json!(format!("{}{unit}", parameter.about));
    if let Some(value) = parameter.default.value() {
        all["default"] = value;
    }
    all
}

fn of_kind(kind: &Kind, range: Option<Range>) -> Value {
    match kind {
        Kind::Number => match range {
            Some(range) => json!({ "type": "number", "minimum": range.low, "maximum": range.high }),
            None => json!({ "type": "number" }),
        },
        Kind::Whole => json!({ "type": "integer", "minimum": 0 }),
        Kind::Switch => json!({ "type": "boolean" }),
        Kind::Choice(words) => json!({ "enum": words.iter().map(|(word, _)| *word).collect::<Vec<_>>() }),
        Kind::Text | Kind::File | Kind::Clip => json!({ "type": "string" }),
        Kind::Vector => json!({ "type": "array", "items": { "type": "number" }, "minItems": 3, "maxItems": 3 }),
        Kind::List(of) => json!({ "type": "array", "items": of_kind(of, range) }),
        Kind::Table(parameters) => table(parameters),
        Kind::Either(kinds) => json!({ "anyOf": kinds.iter().map(|kind| of_kind(kind, range)).collect::<Vec<_>>() }),
    }
}

/// The table of segments of a body, and one of them.
fn segments() -> Vec<(String, Value)> {
    let track = VERBS.iter().find(|verb| verb.name == "track").unwrap();
    let character = track.parameters.iter().find(|it| it.key == "character").unwrap();
    let Kind::Either([_, Kind::Table(body)]) = character.kind else { panic!("a name or a table") };
    let Kind::Table(segments) = body.iter().find(|it| it.key == "segments").unwrap().kind else { panic!("a table") };
    let Kind::Table(segment) = segments[0].kind else { panic!("a table") };
    let one = |it: &Parameter| (it.key.to_owned(), json!({ "$ref": "#/$defs/segment", "description": it.about }));
    let all = closed(segments.iter().map(one).collect::<Map<_, _>>().into(), &[]);
    vec![("segments".to_owned(), all), ("segment".to_owned(), table(segment))]
}

fn input() -> Value {
    closed(
        json!({
            "metres_per_unit": { "type": "number" },
            "up": { "enum": ["x", "y", "z"] },
            "roles": { "type": "string" },
            "skeleton": { "type": "string" },
            "bvh_position": { "enum": ["replace", "add"] },
            "repair_nan": { "enum": ["interpolate", "hold"] },
            "mode": { "enum": ["strict", "salvage"] },
        }),
        &[],
    )
}

fn body() -> Value {
    let tables = ["de_leva", "de_leva_male", "de_leva_female", "winter"];
    closed(
        json!({
            "file": { "type": "string" },
            "mass_kg": { "type": "number" },
            "stature_m": { "type": "number" },
            "table": { "enum": tables },
        }),
        &[],
    )
}

fn point() -> Value {
    closed(
        json!({
            "name": { "type": "string" },
            "joint": { "type": "string" },
            "point_in_joint_m": of_kind(&Kind::Vector, None),
            "may_be_raised": { "type": "boolean" },
        }),
        &["name", "joint"],
    )
}

fn contact() -> Value {
    closed(
        json!({
            "effector": { "type": "string" },
            "start_secs": { "type": "number" },
            "end_secs": { "type": "number" },
            "kind": { "enum": ["load", "pin"] },
            "source": { "enum": ["auto", "hand"] },
        }),
        &["effector", "start_secs", "end_secs", "kind"],
    )
}
