//! Random projects: every verb with every parameter, and the text of a file as people and other programs leave it.

use aplomb_analysis::contacts::ContactEntry;
use aplomb_project::verbs::VERBS;
use aplomb_project::{Edit, Project};
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;

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

fn side() -> BoxedStrategy<Value> {
    word(&["left", "right"])
}

fn list(items: BoxedStrategy<Value>, least: usize) -> BoxedStrategy<Value> {
    prop::collection::vec(items, least..least + 3).prop_map(Value::Array).boxed()
}

fn point() -> BoxedStrategy<Value> {
    [number(), number(), number()].prop_map(|point| json!(point)).boxed()
}

/// A span of time, for verbs that have one.
fn with_span(mut fields: Vec<Field>) -> Vec<Field> {
    fields.extend(["from_secs", "to_secs"].map(|key| maybe(key, number())));
    fields
}

/// An edit of any verb.
pub fn edit() -> BoxedStrategy<Edit> {
    let verbs: Vec<(&str, Vec<Field>)> = vec![
        ("cut", with_span(vec![])),
        ("join", vec![needed("clips", list(text(), 1)), maybe("place", word(&["continue", "as-is"]))]),
        ("speed", with_span(vec![needed("factor", number()), maybe("ease_secs", number())])),
        ("arc", with_span(arc())),
        (
            "tilt",
            vec![needed("angle_deg", number()), maybe("heading_deg", number()), maybe("ground_height_m", number())],
        ),
        ("travel", vec![maybe("speed", number()), maybe("cycles", count())]),
        (
            "transition",
            vec![
                needed("into", text()),
                needed("from_secs", number()),
                needed("to_secs", number()),
                maybe("into_secs", number()),
            ],
        ),
        ("path", path()),
        ("touchup", touchup()),
        ("plant", with_span(grounded())),
        ("blend", blend()),
        ("adapt", adapt()),
        ("track", track()),
        ("reach", reach()),
    ];
    check_against_table(&verbs);
    let of_verb = |(verb, fields): (&'static str, Vec<Field>)| {
        let named = move |mut edit: Value| {
            edit["verb"] = json!(verb);
            serde_json::from_value::<Edit>(edit.clone()).unwrap_or_else(|error| panic!("{edit}: {error}"))
        };
        table(fields).prop_map(named).boxed()
    };
    prop::strategy::Union::new(verbs.into_iter().map(of_verb)).boxed()
}

/// A verb or a parameter that is missing here would go untested.
fn check_against_table(verbs: &[(&str, Vec<Field>)]) {
    let names = |verbs: Vec<&'static str>| verbs.into_iter().collect::<BTreeSet<_>>();
    for verb in VERBS {
        let fields = verbs.iter().find(|(name, _)| *name == verb.name);
        let (_, fields) = fields.unwrap_or_else(|| panic!("{} is missing from the random projects", verb.name));
        let made = names(fields.iter().map(|(key, ..)| *key).collect());
        let known = names(verb.parameters.iter().map(|it| it.key).collect());
        assert_eq!(made, known, "parameters of {}: in the random projects, in the table of verbs", verb.name);
    }
    assert_eq!(verbs.len(), VERBS.len(), "a verb that the table does not have");
}

fn arc() -> Vec<Field> {
    let mut fields = vec![needed("radius_m", number()), needed("side", side())];
    fields.extend(["lead_in_m", "length_m", "ease_m"].map(|key| maybe(key, number())));
    fields
}

fn path() -> Vec<Field> {
    let curve = |key: &'static str, values: BoxedStrategy<Value>| {
        table(vec![
            needed(key, values),
            maybe("metres_per_unit", number()),
            maybe("stretch", yes_or_no()),
            maybe("from_start", yes_or_no()),
        ])
    };
    let points = list([number(), number()].prop_map(|point| json!(point)).boxed(), 2);
    let follow = prop_oneof![table(arc()), curve("file", text()), curve("svg", text()), curve("points_m", points)];
    let change = prop_oneof![
        table(vec![needed("handle", count()), needed("move", point())]),
        table(vec![needed("flight", count()), needed("height", number())]),
        table(vec![needed("flight", count()), needed("height_m", number())]),
    ];
    let timing = prop_oneof![word(&["auto", "paper", "keep"]), table(vec![needed("scale", number())])];
    let mut fields = vec![
        maybe("timing", timing),
        maybe("align_to", text()),
        maybe("contacts", text()),
        maybe("ease_secs", number()),
        maybe("follow", follow),
        needed("change", list(change.boxed(), 0)),
    ];
    fields.extend(["stairs", "level_handles", "keep_keys"].map(|key| maybe(key, yes_or_no())));
    with_span(fields)
}

/// What touch-up and planting share.
fn grounded() -> Vec<Field> {
    let slope = prop_oneof![number(), point()];
    vec![
        maybe("slope", slope),
        maybe("ease_secs", number()),
        maybe("joints", list(text(), 0)),
        maybe("contacts", text()),
    ]
}

fn touchup() -> Vec<Field> {
    let step = table(vec![
        needed("stage", word(&["ground", "flight"])),
        needed("s2", list(text(), 0)),
        maybe("s3", list(text(), 0)),
        maybe("width_secs", number()),
        maybe("rho", number()),
        maybe("repeat", count()),
    ]);
    let mut fields = grounded();
    fields.extend([
        maybe("only", word(&["ground", "flight"])),
        maybe("margin", number()),
        maybe("steps_file", text()),
        maybe("steps", list(step, 0)),
    ]);
    with_span(fields)
}

fn blend() -> Vec<Field> {
    let at = table(["length", "height", "turn", "speed"].map(|key| maybe(key, number())).into());
    let mut fields = vec![
        needed("clips", list(text(), 0)),
        maybe("weights", list(number(), 0)),
        maybe("at", at),
        maybe("scheme", word(&["com", "root", "foot"])),
        maybe("timing", word(&["sqrt", "linear"])),
        maybe("phases", text()),
    ];
    let switches = ["smooth_timing", "smooth_facing", "contact_keys", "mirror", "first_skeleton"];
    fields.extend(switches.map(|key| maybe(key, yes_or_no())));
    fields
}

fn adapt() -> Vec<Field> {
    let sides = || word(&["left", "right", "both"]);
    let lists = [
        (
            "footprints",
            table(vec![
                maybe("stage", word(&["takeoff", "landing", "all"])),
                maybe("side", sides()),
                maybe("forward_m", number()),
                maybe("up_m", number()),
            ]),
        ),
        ("carry", table(vec![needed("part", text()), needed("mass_kg", number())])),
        ("scale", table(vec![needed("part", text()), needed("factor", number())])),
        ("torque", table(vec![needed("part", text()), maybe("most_nm", number())])),
        ("fixed", table(vec![needed("part", text()), needed("bent_deg", number())])),
        (
            "cone",
            table(with_span(vec![
                needed("part", text()),
                needed("within_deg", number()),
                maybe("of", word(&["joint", "up"])),
            ])),
        ),
        ("pose", table(vec![needed("at_secs", number()), maybe("parts", list(text(), 0))])),
        ("facing", table(vec![needed("at_secs", number()), needed("left_deg", number())])),
        ("place", table(vec![maybe("part", text()), maybe("at_secs", number()), maybe("up_m", number())])),
    ];
    let mut goals: Vec<Field> = lists.into_iter().map(|(key, item)| maybe(key, list(item, 0))).collect();
    let numbers = ["jump_length_m", "jump_height", "flight_time", "landing_load_bw", "friction"];
    goals.extend(numbers.map(|key| maybe(key, number())));
    goals.extend([
        maybe("twist", table(vec![needed("deg", number()), maybe("at", word(&["landing", "takeoff"]))])),
        maybe("hop", table(vec![needed("on", sides()), maybe("other_knee_deg", number())])),
        maybe("hurdle", table(vec![needed("height_m", number()), maybe("flight_time", number())])),
        maybe("grab", table(vec![maybe("hands", sides()), maybe("height_m", number())])),
        maybe("torques", list(text(), 0)),
        maybe("dynamics", word(&["reduced", "full"])),
    ]);
    vec![
        maybe("goals", table(goals)),
        maybe("goals_file", text()),
        maybe("contacts", text()),
        maybe("best", yes_or_no()),
    ]
}

fn character() -> BoxedStrategy<Value> {
    let ball = table(vec![needed("centre_m", point()), needed("rotation", four()), needed("half_m", point())]);
    let shape = table(vec![needed("ellipsoid", ball)]);
    let segment = || table(vec![maybe("scale", number()), maybe("shape", shape.clone())]);
    let segments = table(vec![maybe("hand", segment()), maybe("thigh", segment())]);
    let own = table(vec![maybe("base", word(&["adult", "child", "alien"])), maybe("segments", segments)]);
    prop_oneof![word(&["adult", "child", "alien"]), own].boxed()
}

fn four() -> BoxedStrategy<Value> {
    [number(), number(), number(), number()].prop_map(|four| json!(four)).boxed()
}

fn track() -> Vec<Field> {
    let shape = prop_oneof![
        table(vec![needed("ball", table(vec![needed("radius_m", number())]))]),
        table(vec![needed("staff", table(vec![needed("length_m", number()), needed("radius_m", number())]))]),
    ];
    let prop = table(vec![
        needed("name", text()),
        needed("shape", shape),
        maybe("at_m", point()),
        maybe("mass_kg", number()),
        maybe("held_by", text()),
    ]);
    let task = prop_oneof![
        table(vec![needed("kind", word(&["upright"])), needed("part", text())]),
        table(vec![needed("kind", word(&["balance"])), needed("who", text()), maybe("stiffness", number())]),
        table(with_span(vec![needed("kind", word(&["hold"])), needed("part", text()), needed("at_m", point())])),
    ];
    let somebody = table(vec![
        needed("name", text()),
        maybe("clip", text()),
        maybe("character", character()),
        maybe("at_m", [number(), number()].prop_map(|at| json!(at))),
        maybe("turn_deg", number()),
    ]);
    let mut its_reach = reach();
    its_reach.retain(|(key, ..)| *key != "point");
    its_reach.push(needed("who", text()));
    let clap = table(vec![needed("a", text()), needed("b", text()), needed("at_secs", list(number(), 0))]);
    let pair = table(vec![needed("a", text()), needed("b", text()), maybe("damping", number())]);
    let scene = table(vec![
        maybe("name", text()),
        maybe("speed", number()),
        maybe("sequence", list([number(), number()].prop_map(|span| json!(span)).boxed(), 0)),
        maybe("character", list(somebody, 0)),
        maybe("prop", list(prop, 0)),
        maybe("pair", list(pair, 0)),
        maybe("task", list(task.boxed(), 0)),
        maybe("reach", list(table(its_reach), 0)),
        maybe("clap", list(clap, 0)),
    ]);
    let legs = table(["hip", "knee", "ankle"].map(|key| needed(key, number())).into());
    vec![
        maybe("stiffness", prop_oneof![number(), word(&["auto"])]),
        maybe("damping", prop_oneof![number(), word(&["paper"])]),
        maybe("figure", word(&["upper", "upper-stiff-back", "full"])),
        maybe("lower", word(&["follow", "captured", "held"])),
        maybe("explicit", yes_or_no()),
        maybe("legs", legs),
        maybe("character", character()),
        maybe("orientations", text()),
        maybe("markers", text()),
        maybe("scene", scene),
    ]
}

fn reach() -> Vec<Field> {
    vec![
        needed("hand", side()),
        needed("at_secs", number()),
        needed("to_m", point()),
        maybe("window_secs", number()),
        maybe("point", word(&["palm", "wrist"])),
    ]
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
