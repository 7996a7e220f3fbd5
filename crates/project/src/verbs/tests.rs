//! The table against the edits as they are read and written.

use super::*;
use crate::Edit;
use aplomb_editing::adapt::Goals;
use aplomb_editing::arc::Arc;
use aplomb_editing::track::character::Character;
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;

/// A value that the parameter takes.
fn sample(parameter: &Parameter) -> Value {
    sample_of(&parameter.kind, parameter.range)
}

fn sample_of(kind: &Kind, range: Option<Range>) -> Value {
    match kind {
        Kind::Number => json!(range.map_or(0.5, |range| (0.5 * (range.low + range.high)).min(1.5))),
        Kind::Whole => json!(2),
        Kind::Switch => json!(true),
        Kind::Choice(words) => json!(words[0].0),
        Kind::Text => json!("actor"),
        Kind::File => json!("file.toml"),
        Kind::Clip => json!("builtin:walk"),
        Kind::Vector => json!([0.0, 1.0, 0.5]),
        Kind::List(of) => match of {
            // Points of the ground and stretches of time are pairs, orientations are four.
            Kind::Number => json!([0.5, 1.0]),
            of => json!([sample_of(of, range)]),
        },
        Kind::Table(parameters) => filled(parameters, |_| true),
        Kind::Either(kinds) => sample_of(&kinds[0], range),
    }
}

fn filled(parameters: &[Parameter], is_wanted: fn(&Parameter) -> bool) -> Value {
    let mut all = Map::new();
    for parameter in parameters.iter().filter(|it| is_wanted(it)) {
        let value = match &parameter.kind {
            Kind::Table(keys) => filled(keys, is_wanted),
            _ if parameter.key == "rotation" => json!([0.0, 0.0, 0.0, 1.0]),
            _ => sample(parameter),
        };
        all.insert(parameter.key.to_owned(), value);
    }
    all.into()
}

fn edit_of(verb: &Verb, mut keys: Value) -> Result<Edit, String> {
    keys["verb"] = json!(verb.name);
    serde_json::from_value(keys).map_err(|error| error.to_string())
}

/// Every table of a verb with the pointer to it in a filled edit.
fn tables(parameters: &'static [Parameter], at: &str, all: &mut Vec<(String, &'static [Parameter])>) {
    all.push((at.to_owned(), parameters));
    for parameter in parameters {
        let at = format!("{at}/{}", parameter.key);
        match parameter.kind {
            Kind::Table(keys) => tables(keys, &at, all),
            Kind::List(Kind::Table(keys)) => tables(keys, &format!("{at}/0"), all),
            _ => {}
        }
    }
}

/// Names in backticks after "expected".
fn expected(message: &str) -> BTreeSet<String> {
    let list = message.split_once("expected").map_or("", |(_, list)| list);
    list.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

fn keys(parameters: &[Parameter]) -> BTreeSet<String> {
    parameters.iter().map(|parameter| parameter.key.to_owned()).collect()
}

#[test]
fn every_edit_has_its_verb_in_the_table() {
    let message = serde_json::from_value::<Edit>(json!({ "verb": "wobble" })).unwrap_err().to_string();
    let names: BTreeSet<String> = VERBS.iter().map(|verb| verb.name.to_owned()).collect();
    assert_eq!(expected(&message), names, "add the verb to crates/project/src/verbs");
    for verb in VERBS {
        let edit =
            edit_of(verb, filled(verb.parameters, |_| true)).unwrap_or_else(|error| panic!("{}: {error}", verb.name));
        assert_eq!(edit.verb(), verb.name);
    }
}

#[test]
fn every_key_of_the_table_is_a_key_of_the_edit_and_the_other_way_round() {
    for verb in VERBS {
        let mut all = Vec::new();
        tables(verb.parameters, "", &mut all);
        let written = serde_json::to_value(edit_of(verb, filled(verb.parameters, |_| true)).unwrap()).unwrap();
        for (at, parameters) in all {
            let table = written.pointer(&at).unwrap_or_else(|| panic!("{} {at} is not written", verb.name));
            let names: BTreeSet<String> =
                table.as_object().unwrap().keys().filter(|key| *key != "verb").cloned().collect();
            assert_eq!(names, keys(parameters), "{} {at}: what is written against the table", verb.name);
            let mut wrong = filled(verb.parameters, |_| true);
            wrong.pointer_mut(&at).unwrap()["wobble"] = json!(1);
            let message = edit_of(verb, wrong).unwrap_err();
            assert_eq!(
                expected(&message),
                keys(parameters),
                "{} {at}: what is read against the table: {message}",
                verb.name
            );
        }
    }
}

/// Where one of several tables may stand, messages name no keys: these are read by themselves.
#[test]
fn tables_that_are_one_of_several_have_the_keys_of_their_types() {
    fn refusal<T: serde::de::DeserializeOwned>(parameters: &[Parameter]) -> BTreeSet<String> {
        let mut value = filled(parameters, |_| true);
        assert!(serde_json::from_value::<T>(value.clone()).is_ok(), "{value}");
        value["wobble"] = json!(1);
        serde_json::from_value::<T>(value).err().map(|error| expected(&error.to_string())).unwrap_or_default()
    }
    let either = |verb: &str, key: &str| -> &'static [Kind] {
        let parameter = find(verb).unwrap().parameters.iter().find(|it| it.key == key).unwrap();
        let Kind::Either(kinds) = parameter.kind else { panic!("{key} is one of several") };
        kinds
    };
    let [Kind::Table(arc), Kind::Table(curve)] = either("path", "follow") else { panic!("an arc or a curve") };
    assert_eq!(refusal::<Arc>(arc), keys(arc));
    assert_eq!(refusal::<crate::edits::FollowCurve>(curve), keys(curve));
    let [_, Kind::Table(body)] = either("track", "character") else { panic!("a name or a table") };
    assert_eq!(refusal::<Character>(body), keys(body));
    let [_, Kind::Table(segments)] = body.iter().map(|it| it.kind).collect::<Vec<_>>()[..] else { panic!("segments") };
    let Kind::Table(segment) = segments[0].kind else { panic!("a segment") };
    assert_eq!(refusal::<aplomb_editing::track::character::SegmentChange>(segment), keys(segment));
}

#[test]
fn defaults_of_the_table_are_those_of_the_edits() {
    let needed = |it: &Parameter| it.default == Usual::Required || matches!(it.kind, Kind::Table(_));
    for verb in VERBS {
        let mut all = Vec::new();
        tables(verb.parameters, "", &mut all);
        let mut keys = filled(verb.parameters, needed);
        // What is one of a list has defaults, too.
        for (at, parameters) in &all {
            if let Some(list) = at.strip_suffix("/0") {
                let (table, key) = list.rsplit_once('/').unwrap();
                keys.pointer_mut(table).unwrap()[key] = json!([filled(parameters, needed)]);
            }
        }
        let written = serde_json::to_value(edit_of(verb, keys).unwrap()).unwrap();
        for (at, parameters) in all {
            for parameter in parameters.iter().filter(|it| !needed(it)) {
                let place = format!("{} {at}/{}", verb.name, parameter.key);
                let found = written.pointer(&format!("{at}/{}", parameter.key)).cloned().unwrap_or_default();
                match parameter.default.value() {
                    Some(Value::Number(number)) => {
                        assert_eq!(found.as_f64().unwrap_or(0.0), number.as_f64().unwrap(), "{place}");
                    }
                    Some(value) => assert_eq!(found, value, "{place}"),
                    None if found.is_array() => {}
                    None => assert_eq!(found, Value::Null, "{place}"),
                }
            }
        }
    }
}

#[test]
fn words_of_choices_are_those_of_the_edits() {
    for verb in VERBS {
        let mut all = Vec::new();
        tables(verb.parameters, "", &mut all);
        for (at, parameters) in all {
            for parameter in parameters {
                let Kind::Choice(words) = parameter.kind else { continue };
                let with = |word: &str| {
                    let mut keys = filled(verb.parameters, |_| true);
                    keys.pointer_mut(&at).unwrap()[parameter.key] = json!(word);
                    edit_of(verb, keys)
                };
                let mut known: BTreeSet<String> = words.iter().map(|(word, _)| (*word).to_owned()).collect();
                known.iter().for_each(|word| assert!(with(word).is_ok(), "{} {at} {word}", verb.name));
                // People do not hop on both legs: the goals refuse it, and so does the table.
                known.extend((parameter.key == "on").then(|| "both".to_owned()));
                assert_eq!(expected(&with("wobble").unwrap_err()), known, "{} {at}/{}", verb.name, parameter.key);
            }
        }
    }
}

#[test]
fn numbers_outside_their_range_are_refused_in_the_same_words() {
    let mut checked = 0;
    for typed in VERBS.iter().flat_map(Verb::typed) {
        let (Some(Range { low, high, what }), Reads::Kind) = (typed.parameter.range, typed.flag.reads) else {
            continue;
        };
        for outside in [low - 1.0, high + 1.0] {
            let message = format!("expected a {what} from {low} to {high}, found {outside}");
            assert_eq!(typed.parameter.read(&outside.to_string()), Err(message), "{}", typed.flag.name);
        }
        assert_eq!(typed.parameter.read(&low.to_string()), Ok(json!(low)));
        assert_eq!(typed.parameter.read(&high.to_string()), Ok(json!(high)));
        assert_eq!(typed.parameter.read("wide"), Err("expected a number, found wide".to_owned()));
        checked += 1;
    }
    assert!(checked > 10, "{checked}");
    assert_eq!(positive("0"), Err("expected a number from 0.000001 to 1000000, found 0".to_owned()));
    assert_eq!(not_negative("-1"), Err("expected a number from 0 to 1000000, found -1".to_owned()));
}

#[test]
fn goals_outside_their_range_are_refused() {
    let goals = find("adapt").unwrap().parameters.iter().find(|it| it.key == "goals").unwrap();
    let Kind::Table(parameters) = goals.kind else { panic!("goals are a table") };
    let mut all = Vec::new();
    tables(parameters, "", &mut all);
    let mut checked = 0;
    for (at, parameters) in all {
        for parameter in parameters {
            let Some(Range { low, high, .. }) = parameter.range else { continue };
            for (value, is_fine) in [(low - 0.01, false), (low, true), (high, true), (high + 0.01, false)] {
                let mut table = filled(parameters, |it| it.default == Usual::Required);
                table[parameter.key] = json!(value);
                if parameter.key == "share_of_peak" || parameter.key == "most_nm" {
                    table = json!({ "part": "left_foot", parameter.key: value });
                }
                let goals = match at.trim_start_matches('/').split('/').collect::<Vec<_>>()[..] {
                    [""] => table,
                    [key] => json!({ key: table }),
                    [key, _] => json!({ key: [table] }),
                    _ => panic!("{at}"),
                };
                let read: Goals = serde_json::from_value(goals.clone()).unwrap();
                assert_eq!(read.check().is_ok(), is_fine, "{goals}");
                checked += 1;
            }
        }
    }
    assert!(checked > 80, "{checked}");
}

#[test]
fn what_is_said_goes_over_what_a_file_says() {
    let verb = find("adapt").unwrap();
    let base = json!({ "goals": {
        "friction": 0.5, "twist": { "deg": 90.0, "at": "takeoff" }, "grab": { "hands": "left", "swing_secs": 1.0 },
        "carry": [{ "part": "head", "mass_kg": 1.0 }],
    } });
    let mut said = Said::over(edit_of(verb, base).unwrap()).unwrap();
    for Typed { place, parameter, flag } in verb.typed() {
        let text = match flag.name {
            "twist" => "180",
            "carry" => "left_hand=3kg",
            _ => continue,
        };
        let (Reads::Text(read) | Reads::List(read)) = flag.reads else { panic!("{}", flag.name) };
        said.say(&place, &parameter.kind, read(text).unwrap());
    }
    said.say(&["goals", "grab", "hands"], &Kind::Text, json!("both"));
    let Edit::Adapt(edit) = said.edit().unwrap() else { panic!("an adaptation") };
    let goals = serde_json::to_value(&edit.goals).unwrap();
    // A turn is replaced, a bar keeps what is not said, lists grow.
    assert_eq!(goals["twist"], json!({ "deg": 180.0, "at": "landing" }));
    assert_eq!((&goals["grab"]["hands"], &goals["grab"]["swing_secs"]), (&json!("both"), &json!(1.0)));
    assert_eq!(goals["carry"].as_array().unwrap().len(), 2);
    assert_eq!(goals["friction"], 0.5);
}

#[cfg(unix)]
#[test]
fn files_need_no_name_in_letters() {
    use std::os::unix::ffi::OsStrExt;
    let odd = std::path::PathBuf::from(std::ffi::OsStr::from_bytes(b"walk\xff.bvh"));
    let mut said = Said::new(find("join").unwrap());
    said.say_file(&["clips"], &Kind::List(&Kind::Clip), odd.clone());
    said.say_file(&["clips"], &Kind::List(&Kind::Clip), "builtin:walk".into());
    let Edit::Join(join) = said.edit().unwrap() else { panic!("a join") };
    assert_eq!(join.clips, [odd, "builtin:walk".into()]);
}
