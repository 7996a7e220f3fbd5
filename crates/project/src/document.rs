//! A project file as people keep it: edits that are switched off, comments, and whatever other programs wrote into it,
//! all of which survive.
//!
//! [`Project`] is what is replayed; a [`ProjectDocument`] is what is saved. On top of a project's keys it knows
//!
//! - `on = false` in an edit: it stays in its place and is not made;
//! - keys that begin with `x-`, anywhere: other people's, kept and never looked at;
//! - top-level keys and tables that are not known here: kept and reported, unless they look like a slip of the pen.
//!   Inside an edit an unknown key is refused: a misspelt parameter would silently make another motion.

use crate::edits::{Edit, Fps, OutputChoice, Project};
use crate::error::ProjectError;
use aplomb_analysis::contacts::ContactEntry;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use toml_edit::{DocumentMut, Item, TableLike, Value, value};

mod merge;

/// Top-level keys of a project.
const KNOWN: [&str; 10] =
    ["schema", "clip", "fps", "input", "body", "detect_contacts", "point", "output", "contact", "edit"];

/// Largest project file that is read.
pub const MOST_PROJECT_BYTES: usize = 16 << 20;

/// An edit, made or not.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    /// Whether it is made.
    pub on: bool,
    /// What it does.
    pub edit: Edit,
}

/// What may change of a document at once; the rest of the file stays as it is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Draft {
    /// The motion it starts from; relative to the project file, or `builtin:NAME`.
    #[serde(serialize_with = "crate::lossy_path::one")]
    pub clip: PathBuf,
    /// True rate of the clips.
    #[serde(default)]
    pub fps: Option<Fps>,
    /// Where the result goes.
    #[serde(default)]
    pub output: OutputChoice,
    /// Contacts of the clip, corrected by hand; empty where they are found.
    #[serde(default)]
    pub contacts: Vec<ContactEntry>,
    /// Every edit, those switched off too.
    pub entries: Vec<Entry>,
}

/// A project file in memory.
#[derive(Clone, Debug)]
pub struct ProjectDocument {
    /// Everything in the file, in its order and with its comments.
    text: DocumentMut,
    /// The project with all its edits, whether on or off.
    all: Project,
    /// Of each edit.
    on: Vec<bool>,
    /// Top-level keys that are not known here.
    unknown: Vec<String>,
}

impl ProjectDocument {
    /// A clip without edits.
    pub fn new(clip: impl Into<PathBuf>) -> Result<Self, ProjectError> {
        let project = Project::new(clip, Vec::new());
        Self::parse(&project.to_toml()?, Path::new("new project"))
    }

    /// Reads the text of a project file; `path` is for messages.
    pub fn parse(text: &str, path: &Path) -> Result<Self, ProjectError> {
        let fail = |detail: String| ProjectError::ProjectFile { path: path.to_owned(), detail };
        if text.len() > MOST_PROJECT_BYTES {
            return Err(fail(format!(
                "{} bytes are too many for a project file (at most {MOST_PROJECT_BYTES})",
                text.len()
            )));
        }
        let kept: DocumentMut = text.parse().map_err(|error: toml_edit::TomlError| fail(error.to_string()))?;
        let mut plain = kept.clone();
        without_foreign(plain.as_table_mut());
        let mut unknown = Vec::new();
        for key in kept.iter().map(|(key, _)| key.to_owned()) {
            if KNOWN.contains(&key.as_str()) || is_foreign(&key) {
                continue;
            }
            if let Some(meant) = KNOWN.into_iter().find(|known| strsim::damerau_levenshtein(known, &key) <= 2) {
                return Err(fail(format!("unknown key {key:?}; is {meant:?} meant? Keys of your own begin with x-")));
            }
            plain.remove(&key);
            unknown.push(key);
        }
        let mut on = Vec::new();
        for (index, edit) in edits_of(&mut plain).into_iter().enumerate() {
            on.push(match edit.remove("on").map(|item| item.as_bool()) {
                None => true,
                Some(Some(on)) => on,
                Some(None) => return Err(fail(format!("edit {}: on must be true or false", index + 1))),
            });
        }
        // Lines are counted as in the file wherever it says nothing that a project does not know.
        let is_plain = unknown.is_empty() && !on.contains(&false) && kept.to_string() == plain.to_string();
        let all = match is_plain {
            true => Project::from_toml(text, path)?,
            false => Project::from_toml(&plain.to_string(), path)?,
        };
        on.resize(all.edits.len(), true);
        Ok(Self { text: kept, all, on, unknown })
    }

    /// Takes a project as it is.
    pub fn of(project: &Project) -> Result<Self, ProjectError> {
        Self::parse(&project.to_toml()?, &project.clip)
    }

    /// What is replayed: the edits that are on.
    pub fn project(&self) -> Project {
        let on = self.all.edits.iter().zip(&self.on).filter(|(_, on)| **on);
        Project { edits: on.map(|(edit, _)| edit.clone()).collect(), ..self.all.clone() }
    }

    /// Every edit.
    pub fn entries(&self) -> Vec<Entry> {
        let entry = |(edit, on): (&Edit, &bool)| Entry { on: *on, edit: edit.clone() };
        self.all.edits.iter().zip(&self.on).map(entry).collect()
    }

    /// Number in [`Self::project`] of each entry; `None` for those that are off.
    pub fn numbers(&self) -> Vec<Option<usize>> {
        let mut next = 0..;
        self.on.iter().map(|on| if *on { next.next() } else { None }).collect()
    }

    /// What may be changed, as it is now.
    pub fn draft(&self) -> Draft {
        let Project { clip, fps, output, contacts, .. } = self.all.clone();
        Draft { clip, fps, output, contacts, entries: self.entries() }
    }

    /// Top-level keys of the file that are not known here; they are kept.
    pub fn unknown(&self) -> &[String] {
        &self.unknown
    }

    /// The text of the file.
    pub fn to_text(&self) -> String {
        self.text.to_string()
    }

    /// The document with a draft's changes: whatever the draft does not change stays in the file as it is, comments and
    /// all.
    pub fn with(&self, draft: Draft) -> Result<Self, ProjectError> {
        let Draft { clip, fps, output, contacts, entries } = draft;
        let edits = entries.iter().map(|entry| entry.edit.clone()).collect();
        let after = Project { clip, fps, output, contacts, edits, ..self.all.clone() };
        let mut text = self.text.clone();
        let (before, after) = (tables_of(&self.all)?, tables_of(&after)?);
        merge::merge(&mut text, &before, &after);
        for (edit, entry) in edits_of(&mut text).into_iter().zip(&entries) {
            switch(edit, entry.on);
        }
        Self::parse(&text.to_string(), Path::new("project"))
    }
}

/// The edits of a file, whether they have headers or stand in one line.
fn edits_of(text: &mut DocumentMut) -> Vec<&mut dyn TableLike> {
    match text.get_mut("edit") {
        Some(Item::ArrayOfTables(tables)) => tables.iter_mut().map(|table| table as _).collect(),
        Some(Item::Value(Value::Array(array))) => {
            array.iter_mut().filter_map(Value::as_inline_table_mut).map(|table| table as _).collect()
        }
        _ => Vec::new(),
    }
}

/// Writes whether an edit is made, unless its table says the same.
fn switch(edit: &mut dyn TableLike, on: bool) {
    match edit.get_mut("on").and_then(Item::as_value_mut) {
        Some(kept) if kept.as_bool() == Some(on) => {}
        Some(_) if on => drop(edit.remove("on")),
        Some(kept) => merge::replace_value(kept, &Value::from(false)),
        None if on => {}
        None => drop(edit.insert("on", value(false))),
    }
}

fn tables_of(project: &Project) -> Result<DocumentMut, ProjectError> {
    let failed = |error: toml_edit::TomlError| ProjectError::Table { what: "project file", detail: error.to_string() };
    project.to_toml()?.parse().map_err(failed)
}

fn is_foreign(key: &str) -> bool {
    key.starts_with("x-")
}

/// Takes out what belongs to others, at any depth.
fn without_foreign(table: &mut dyn TableLike) {
    let foreign: Vec<String> = table.iter().map(|(key, _)| key.to_owned()).filter(|key| is_foreign(key)).collect();
    for key in foreign {
        table.remove(&key);
    }
    for (_, item) in table.iter_mut() {
        match item {
            Item::Table(table) => without_foreign(table),
            Item::ArrayOfTables(tables) => tables.iter_mut().for_each(|table| without_foreign(table)),
            Item::Value(value) => without_foreign_in(value),
            Item::None => {}
        }
    }
}

fn without_foreign_in(value: &mut Value) {
    match value {
        Value::InlineTable(table) => without_foreign(table),
        Value::Array(values) => values.iter_mut().for_each(without_foreign_in),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edits::{CutEdit, TouchupEdit};

    const FILE: &str = r#"# my walk
schema = 1
clip = "builtin:walk"
x-owner = "somebody"

[[edit]]
verb = "cut"          # the good part
to_secs = 2.0
x-note = "kept"

[[edit]]
verb = "touchup"
on = false

[camera]
fov = 40
"#;

    fn document() -> ProjectDocument {
        ProjectDocument::parse(FILE, Path::new("p.toml")).unwrap()
    }

    #[test]
    fn what_is_not_ours_survives() {
        let document = document();
        assert_eq!(document.to_text(), FILE);
        assert_eq!(document.unknown(), ["camera"]);
        assert_eq!(document.project().edits.len(), 1, "the touch-up is off");
        assert_eq!(document.numbers(), [Some(0), None]);

        let mut draft = document.draft();
        draft.entries[1].on = true;
        draft.entries.swap(0, 1);
        let text = document.with(draft.clone()).unwrap().to_text();
        for kept in ["# my walk", "x-owner", "# the good part", "x-note", "[camera]", "fov = 40"] {
            assert!(text.contains(kept), "{kept} is gone\n{text}");
        }
        assert!(!text.contains("on = false"), "{text}");
        let again = ProjectDocument::parse(&text, Path::new("p.toml")).unwrap();
        assert_eq!(again.draft(), draft);
        assert_eq!(again.entries()[0].edit.verb(), "touchup");
    }

    #[test]
    fn a_tuned_edit_keeps_what_others_wrote_into_it() {
        let mut draft = document().draft();
        draft.entries[0].edit = Edit::Cut(CutEdit { from_secs: None, to_secs: Some(1.5) });
        let text = document().with(draft).unwrap().to_text();
        assert!(text.contains("x-note = \"kept\"") && text.contains("to_secs = 1.5"), "{text}");
    }

    #[test]
    fn edits_come_and_go_and_settings_change() {
        let mut draft = ProjectDocument::new("builtin:run").unwrap().draft();
        draft.entries = vec![Entry { on: false, edit: Edit::Touchup(TouchupEdit::default()) }];
        draft.output.file = Some("out.bvh".into());
        draft.fps = Some(Fps::Hz(60.0));
        let document = ProjectDocument::new("builtin:run").unwrap().with(draft.clone()).unwrap();
        assert_eq!(document.draft(), draft, "{}", document.to_text());
        assert!(document.project().edits.is_empty());
        let mut emptied = draft;
        emptied.entries.clear();
        emptied.fps = None;
        emptied.output = OutputChoice::default();
        let text = document.with(emptied).unwrap().to_text();
        assert!(!text.contains("edit") && !text.contains("fps") && !text.contains("out.bvh"), "{text}");
    }

    #[test]
    fn slips_of_the_pen_are_refused_with_what_may_be_meant() {
        let refused = |text: &str| ProjectDocument::parse(text, Path::new("p.toml")).unwrap_err().to_string();
        let start = "schema = 1\nclip = \"builtin:walk\"\n";
        assert!(refused(&format!("{start}[[edits]]\nverb = \"cut\"")).contains("\"edit\""));
        assert!(refused(&format!("{start}[[edit]]\nverb = \"cut\"\nto_sec = 1.0")).contains("to_sec"));
        assert!(refused(&format!("{start}[[edit]]\nverb = \"cut\"\non = 1")).contains("edit 1"));
        assert!(refused("schema = 7\nclip = \"a.bvh\"\n[later]\nx = 1").contains("newer"));
        assert!(refused("schema =").contains("p.toml"));
    }
}
