//! What is written into a project file stays where it belongs: no edit is lost, none gets what is another's.

mod random_project;

use aplomb_analysis::contacts::ContactEntry;
use aplomb_project::edit::{Fps, OutputChoice};
use aplomb_project::{Draft, Edit, Entry, Project, ProjectDocument};
use proptest::prelude::*;
use random_project::{blocks, contacts, decorated, edit, project};
use std::path::Path;

fn parsed(text: &str) -> ProjectDocument {
    ProjectDocument::parse(text, Path::new("p.toml")).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn edit_of(text: &str) -> Edit {
    let file = format!("schema = 1\nclip = \"builtin:walk\"\n[[edit]]\n{text}");
    parsed(&file).entries().remove(0).edit
}

const TWO_PATHS: &str = r#"schema = 1
clip = "builtin:walk"

[[contact]]
effector = "left_foot"
start_secs = 0.0
end_secs = 0.5
kind = "load"

[[contact]]
effector = "right_foot"
start_secs = 0.5
end_secs = 1.0
kind = "load"

# the first way
[[edit]]
verb = "path"

[[edit.change]]
handle = 1
move = [0.1, 0.0, 0.0] # a bit to the left

# the second way
[[edit]]
verb = "path"

[[edit.change]]
handle = 2
move = [0.2, 0.0, 0.0]
x-grip = "loose"

[camera]
fov = 40
"#;

#[test]
fn two_paths_keep_their_own_handles_when_one_is_moved() {
    let document = parsed(TWO_PATHS);
    let mut draft = document.draft();
    draft.entries[0].edit = edit_of("verb = \"path\"\nchange = [{ handle = 1, move = [0.5, 0.0, 0.0] }]");
    let made = document.with(draft.clone()).unwrap();
    assert_eq!(made.draft(), draft, "{}", made.to_text());
    let expected = TWO_PATHS.replace("move = [0.1, 0.0, 0.0]", "move = [0.5, 0.0, 0.0]");
    assert_eq!(made.to_text(), expected, "only the number changes");
}

#[test]
fn contact_blocks_do_not_tear_new_edits_apart() {
    let document = parsed(TWO_PATHS);
    let mut draft = document.draft();
    let goals = "verb = \"adapt\"\n[edit.goals]\njump_length_m = 0.3\n[[edit.goals.carry]]\npart = \"right_hand\"\n\
                 mass_kg = 2.0";
    draft.entries.insert(1, Entry { on: false, edit: edit_of(goals) });
    let steps = "verb = \"touchup\"\n[[edit.steps]]\nstage = \"ground\"\ns2 = [\"arms\"]\n\
                 [[edit.steps]]\nstage = \"flight\"\ns2 = []";
    draft.entries.push(Entry { on: true, edit: edit_of(steps) });
    let made = document.with(draft.clone()).unwrap();
    assert_eq!(made.draft(), draft, "{}", made.to_text());
    let (before, after) = (blocks(TWO_PATHS), blocks(&made.to_text()));
    assert_eq!(after.len(), before.len() + 2);
    for block in before {
        assert!(after.contains(&block), "lost:\n{block}\nin\n{}", made.to_text());
    }
}

#[test]
fn swapped_edits_take_their_nested_tables_with_them() {
    let document = parsed(TWO_PATHS);
    let mut draft = document.draft();
    draft.entries.swap(0, 1);
    let made = document.with(draft.clone()).unwrap();
    assert_eq!(made.draft(), draft, "{}", made.to_text());
    let (before, after) = (blocks(TWO_PATHS), blocks(&made.to_text()));
    let order: Vec<usize> = after.iter().map(|block| before.iter().position(|it| it == block).unwrap()).collect();
    assert_eq!(order, [0, 1, 2, 4, 3, 5]);
}

#[test]
fn changed_contacts_stay_before_the_edits_and_keep_what_others_wrote() {
    let text = TWO_PATHS.replacen("kind = \"load\"\n", "kind = \"load\" # seen\nx-by = \"me\"\n", 1);
    let document = parsed(&text);
    let mut draft = document.draft();
    draft.contacts[0].end_secs = 0.45;
    let made = document.with(draft.clone()).unwrap();
    assert_eq!(made.draft(), draft, "{}", made.to_text());
    assert_eq!(made.to_text(), text.replacen("end_secs = 0.5\n", "end_secs = 0.45\n", 1));
}

#[test]
fn new_settings_and_contacts_stand_before_the_edits() {
    let document = parsed(
        "schema = 1 # layout\nclip = \"builtin:walk\" # mine\n\n[[edit]]\nverb = \"touchup\"\n\n\
         [[edit.steps]]\nstage = \"ground\"\ns2 = []\n",
    );
    let mut draft = document.draft();
    draft.contacts = parsed(TWO_PATHS).draft().contacts;
    draft.output.file = Some("out.bvh".into());
    draft.clip = "builtin:run".into();
    let made = document.with(draft.clone()).unwrap();
    assert_eq!(made.draft(), draft, "{}", made.to_text());
    let headers: Vec<String> = made.to_text().lines().filter(|line| line.starts_with('[')).map(str::to_owned).collect();
    assert_eq!(headers, ["[output]", "[[contact]]", "[[contact]]", "[[edit]]", "[[edit.steps]]"]);
    assert!(made.to_text().starts_with("schema = 1 # layout\nclip = \"builtin:run\" # mine\n"), "{}", made.to_text());
}

#[test]
fn keys_of_others_are_kept_at_any_depth() {
    let text = "schema = 1\nclip = \"builtin:walk\"\n\
                edit = [{ verb = \"path\", follow = { svg = \"M 0 0 L 1 0\", x-pen = 3 }, x-id = 7 }]\n";
    let document = parsed(text);
    assert_eq!(document.to_text(), text);
    let mut draft = document.draft();
    let Edit::Path(path) = &mut draft.entries[0].edit else { panic!("a path") };
    path.stairs = true;
    draft.entries[0].on = false;
    let made = document.with(draft.clone()).unwrap();
    assert_eq!(made.draft(), draft, "{}", made.to_text());
    assert!(made.to_text().contains("x-pen = 3") && made.to_text().contains("x-id = 7"), "{}", made.to_text());
}

#[test]
fn what_stands_between_an_edit_and_its_tables_stays_there() {
    let text = "schema = 1\nclip = \"builtin:walk\"\n\n[[edit]]\nverb = \"path\"\n\n[camera]\nfov = 40\n\n\
                [[edit.change]]\nhandle = 1\nmove = [0.1, 0.0, 0.0]\n\n[[edit]]\nverb = \"cut\"\nto_secs = 2.0\n";
    let document = parsed(text);
    let mut draft = document.draft();
    let Edit::Cut(cut) = &mut draft.entries[1].edit else { panic!("a cut") };
    cut.to_secs = Some(1.5);
    assert_eq!(document.with(draft.clone()).unwrap().to_text(), text.replace("2.0", "1.5"));
    draft.entries.swap(0, 1);
    let made = document.with(draft.clone()).unwrap();
    assert_eq!(made.draft(), draft, "{}", made.to_text());
    assert!(made.to_text().contains("[camera]\nfov = 40\n"));
}

#[test]
fn a_project_may_say_that_contacts_are_found_anew() {
    let document = parsed("schema = 1\nclip = \"walk.bvh\"\ndetect_contacts = true\n");
    assert!(document.project().detect_contacts && document.unknown().is_empty());
}

/// Something that a person does to a project.
#[derive(Clone, Debug)]
enum Deed {
    Change(usize, Edit),
    Add(usize, Edit),
    Remove(usize),
    Swap(usize, usize),
    Switch(usize),
    Contacts(Vec<ContactEntry>),
    Settings(Option<f64>, Option<String>),
}

fn deed() -> impl Strategy<Value = Deed> {
    let at = || 0..6usize;
    let settings = (prop::option::of(1.0..200.0f64), prop::option::of("[a-z]{1,5}"));
    prop_oneof![
        3 => (at(), edit()).prop_map(|(at, edit)| Deed::Change(at, edit)),
        2 => (at(), edit()).prop_map(|(at, edit)| Deed::Add(at, edit)),
        1 => at().prop_map(Deed::Remove),
        1 => (at(), at()).prop_map(|(a, b)| Deed::Swap(a, b)),
        1 => at().prop_map(Deed::Switch),
        1 => contacts().prop_map(Deed::Contacts),
        1 => settings.prop_map(|(hz, file)| Deed::Settings(hz, file)),
    ]
}

/// Makes the deed; says for each edit afterwards where it was before, if nothing of it changed. `None` where there is
/// nothing to do.
fn done(draft: &mut Draft, deed: Deed) -> Option<Vec<Option<usize>>> {
    let mut from: Vec<Option<usize>> = (0..draft.entries.len()).map(Some).collect();
    let entries = &mut draft.entries;
    match deed {
        // Of two equal edits it cannot be said which is which.
        Deed::Change(_, edit) | Deed::Add(_, edit) if entries.iter().any(|entry| entry.edit == edit) => return None,
        Deed::Change(at, _) | Deed::Remove(at) | Deed::Switch(at) if at >= entries.len() => return None,
        Deed::Swap(a, b) if a.max(b) >= entries.len() => return None,
        Deed::Change(at, edit) => {
            entries[at].edit = edit;
            from[at] = None;
        }
        Deed::Add(at, edit) => {
            let at = at.min(entries.len());
            entries.insert(at, Entry { on: at % 2 == 0, edit });
            from.insert(at, None);
        }
        Deed::Remove(at) => {
            entries.remove(at);
            from.remove(at);
        }
        Deed::Swap(a, b) => {
            entries.swap(a, b);
            from.swap(a, b);
        }
        Deed::Switch(at) => {
            entries[at].on = !entries[at].on;
            from[at] = None;
        }
        Deed::Contacts(contacts) => draft.contacts = contacts,
        Deed::Settings(hz, file) => {
            draft.fps = hz.map(Fps::Hz);
            draft.output = OutputChoice { file: file.map(Into::into), ..Default::default() };
        }
    }
    Some(from)
}

/// Blocks of edits, and those that are not changed here.
fn edits_and_others(text: &str) -> (Vec<String>, Vec<String>) {
    let starts = |block: &str, names: &[&str]| {
        let header = block.lines().find(|line| line.starts_with('['));
        header.is_some_and(|header| names.contains(&header))
    };
    let (edits, rest): (Vec<_>, Vec<_>) = blocks(text).into_iter().partition(|block| starts(block, &["[[edit]]"]));
    let is_fixed = |block: &String| block.contains('[') && !starts(block, &["[[contact]]", "[output]"]);
    (edits, rest.into_iter().skip(1).filter(is_fixed).collect())
}

/// Ten thousand take about five seconds; `PROPTEST_CASES` asks for more or fewer.
fn cases() -> ProptestConfig {
    let cases = std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok());
    ProptestConfig { cases: cases.unwrap_or(10_000), failure_persistence: None, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(cases())]

    #[test]
    fn what_is_written_is_read_back_and_no_edit_changes_another(
        project in project(),
        whims in prop::collection::vec(any::<u8>(), 1..40),
        deeds in prop::collection::vec(deed(), 1..4),
    ) {
        prop_assert_eq!(&Project::from_toml(&project.to_toml().unwrap(), Path::new("p.toml")).unwrap(), &project);
        let text = decorated(&project, &whims);
        let mut document = parsed(&text);
        prop_assert_eq!(document.to_text(), text);
        let edits: Vec<Edit> = document.entries().into_iter().map(|entry| entry.edit).collect();
        prop_assert_eq!(edits, project.edits.clone());
        for deed in deeds {
            let mut draft = document.draft();
            let told = format!("{deed:?}\nbefore:\n{}", document.to_text());
            let Some(from) = done(&mut draft, deed) else { continue };
            let made = document.with(draft.clone()).unwrap_or_else(|error| panic!("{error}\n{told}"));
            let told = format!("{told}\nafter:\n{}", made.to_text());
            prop_assert_eq!(made.draft(), draft, "{}", told);
            let (read, was) = (made.project(), document.project());
            prop_assert_eq!(
                (read.input, read.body, read.detect_contacts, read.points),
                (was.input, was.body, was.detect_contacts, was.points),
                "{}", told
            );
            let (edits_before, others_before) = edits_and_others(&document.to_text());
            let (edits, others) = edits_and_others(&made.to_text());
            prop_assert_eq!(others, others_before, "{}", told);
            prop_assert_eq!(edits.len(), from.len(), "{}", told);
            for (now, was) in edits.iter().zip(from).filter_map(|(now, was)| Some((now, was?))) {
                prop_assert_eq!(now, &edits_before[was], "{}", told);
            }
            document = made;
        }
    }
}
