//! A contact file that is found anew keeps what people wrote into it: their entries as they stand, and every comment
//! (contacts.md 9).

use super::side_file::{ContactEntry, ContactFile, ContactSource};
use crate::error::AnalysisError;
use std::fmt::Write;
use toml_edit::{DocumentMut, Item, Table, Value};

/// Seconds that differ by less are the same number, written by the same program.
const SAME_SECS: f64 = 1e-6;

/// What replaces a contact file.
#[derive(Clone, Debug, PartialEq)]
pub struct Rewritten {
    /// What the new text holds: found contacts, and entries by hand.
    pub file: ContactFile,
    /// The new text.
    pub text: String,
    /// Found entries of the old text that the new one has not, and the other way round: unmarked changes of a person,
    /// or of the rule. If there are any, keep a copy of the old text.
    pub changed: usize,
}

impl ContactFile {
    /// This file, found anew, in the place of an older text: hand-written entries and all comments stay.
    pub fn replacing(&self, old_text: &str) -> Result<Rewritten, AnalysisError> {
        let older = ContactFile::from_toml(old_text)?;
        let file = self.with_hand_entries_of(&older);
        let older = older.in_clock_of(self.frame_rate_hz);
        let mut document: DocumentMut = old_text
            .parse()
            .map_err(|error: toml_edit::TomlError| AnalysisError::SideFile { detail: error.to_string() })?;
        let found_of = |file: &ContactFile| -> Vec<ContactEntry> {
            file.contacts.iter().filter(|entry| entry.source == ContactSource::Auto).cloned().collect()
        };
        let (old_found, new_found) = (found_of(&older), found_of(&file));
        let missing = |of: &[ContactEntry], among: &[ContactEntry]| {
            of.iter().filter(|entry| !among.iter().any(|other| is_same(entry, other))).count()
        };
        let changed = missing(&old_found, &new_found) + missing(&new_found, &old_found);

        let tables = match document.remove("contact") {
            Some(Item::ArrayOfTables(tables)) => tables.into_iter().collect(),
            // An array in one line: its entries have no place for comments of their own.
            _ => Vec::<Table>::new(),
        };
        let mut notes: Vec<(ContactEntry, String)> = Vec::new();
        let mut by_hand: Vec<(ContactEntry, String)> = Vec::new();
        for (mut table, entry) in tables.into_iter().zip(&older.contacts) {
            match entry.source {
                ContactSource::Hand => {
                    set_secs(&mut table, "start_secs", entry.start_secs);
                    set_secs(&mut table, "end_secs", entry.end_secs);
                    by_hand.push((entry.clone(), table_text(&table)));
                }
                ContactSource::Auto => {
                    let comments = comments_of(&table_text(&table));
                    notes.extend((!comments.is_empty()).then(|| (entry.clone(), comments)));
                }
            }
        }
        let trailing = document.trailing().as_str().unwrap_or_default().to_owned();
        document.set_trailing("");
        if let Some(hz) = self.frame_rate_hz {
            set_secs(document.as_table_mut(), "frame_rate_hz", hz);
        }
        if let Some(frames) = self.frames.and_then(|frames| i64::try_from(frames).ok()) {
            document.insert("frames", toml_edit::value(frames));
        }
        let mut text = document.to_string();
        for entry in &file.contacts {
            match by_hand.iter().position(|(hand, _)| hand == entry) {
                Some(index) => text.push_str(&by_hand.remove(index).1),
                None => {
                    let mut note = String::new();
                    notes.retain(|(noted, comments)| {
                        let is_here = noted.effector == entry.effector
                            && noted.kind == entry.kind
                            && noted.start_secs < entry.end_secs
                            && entry.start_secs < noted.end_secs;
                        if is_here {
                            note.push_str(comments);
                        }
                        !is_here
                    });
                    let found = toml::to_string(entry)
                        .map_err(|error| AnalysisError::SideFile { detail: error.to_string() })?;
                    // Writing into a string cannot fail.
                    let _ = write!(text, "\n{note}[[contact]]\n{found}");
                }
            }
        }
        if !notes.is_empty() {
            text.push_str("\n# Comments on entries that are found no more:\n");
            notes.iter().for_each(|(_, comments)| text.push_str(comments));
        }
        if !trailing.trim().is_empty() {
            if !trailing.starts_with('\n') {
                text.push('\n');
            }
            text.push_str(&trailing);
        }
        Ok(Rewritten { file, text, changed })
    }
}

fn is_same(a: &ContactEntry, b: &ContactEntry) -> bool {
    a.effector == b.effector
        && a.kind == b.kind
        && (a.start_secs - b.start_secs).abs() < SAME_SECS
        && (a.end_secs - b.end_secs).abs() < SAME_SECS
}

/// Changes a number in its place, if it is another one.
fn set_secs(table: &mut Table, key: &str, secs: f64) {
    let is_same = |value: &Value| match value {
        Value::Float(found) => *found.value() == secs,
        Value::Integer(found) => *found.value() as f64 == secs,
        _ => false,
    };
    match table.get_mut(key).and_then(Item::as_value_mut) {
        Some(value) if !is_same(value) => {
            let decor = value.decor().clone();
            *value = Value::from(secs);
            *value.decor_mut() = decor;
        }
        Some(_) => {}
        None => {
            table.insert(key, toml_edit::value(secs));
        }
    }
}

/// An entry with its comments, as it stands.
fn table_text(table: &Table) -> String {
    let part = |raw: Option<&toml_edit::RawString>| raw.and_then(|raw| raw.as_str()).unwrap_or_default().to_owned();
    let (before, after) = (part(table.decor().prefix()), part(table.decor().suffix()));
    let separator = if before.is_empty() { "\n" } else { "" };
    let body = table.to_string();
    let end = if body.ends_with('\n') { "" } else { "\n" };
    format!("{separator}{before}[[contact]]{after}\n{body}{end}")
}

/// One comment a line, whatever it stood beside.
fn comments_of(text: &str) -> String {
    let comment = |line: &str| {
        // Names in a contact file hold no hash of their own unless quoted; a hash after an even number of quotes begins
        // a comment.
        let start = line.char_indices().find(|(at, c)| *c == '#' && line[..*at].matches('"').count().is_multiple_of(2));
        start.map(|(at, _)| format!("{}\n", &line[at..]))
    };
    text.lines().filter_map(comment).collect()
}

#[cfg(test)]
mod tests {
    use super::super::side_file::{ContactKind, SCHEMA};
    use super::*;

    fn found(spans: &[(&str, f64, f64)]) -> ContactFile {
        let entry = |&(effector, start_secs, end_secs): &(&str, f64, f64)| ContactEntry {
            effector: effector.into(),
            start_secs,
            end_secs,
            kind: ContactKind::Load,
            source: ContactSource::Auto,
        };
        ContactFile {
            schema: SCHEMA,
            frame_rate_hz: Some(120.0),
            frames: None,
            carried: None,
            contacts: spans.iter().map(entry).collect(),
        }
    }

    const OLD: &str = "# my jump\nschema = 1\nframe_rate_hz = 120.0 # by the camera\n\n[[contact]]\neffector = \"a\"\nstart_secs = 0.5\n\
        end_secs = 0.9 # left earlier, see video\nkind = \"load\"\nsource = \"hand\"\n\n# a slip\n[[contact]]\neffector = \"b\"\n\
        start_secs = 1.5\nend_secs = 1.7\nkind = \"load\"\nsource = \"auto\"\n# the end\n";

    #[test]
    fn a_shortened_contact_stays_short_and_comments_stay() {
        let anew = found(&[("a", 0.5, 3.0), ("b", 1.5, 1.7)]);
        let rewritten = anew.replacing(OLD).unwrap();
        let spans: Vec<_> = rewritten.file.contacts.iter().map(|it| (it.effector.as_str(), it.end_secs)).collect();
        assert_eq!(spans, vec![("a", 0.9), ("b", 1.7)]);
        assert_eq!(rewritten.changed, 0);
        for comment in ["# my jump", "# by the camera", "# left earlier, see video", "# a slip", "# the end"] {
            assert_eq!(rewritten.text.matches(comment).count(), 1, "{comment}: {}", rewritten.text);
        }
        assert_eq!(ContactFile::from_toml(&rewritten.text).unwrap(), rewritten.file);
        assert_eq!(anew.replacing(&rewritten.text).unwrap().text, rewritten.text, "again and again");
    }

    #[test]
    fn comments_on_what_is_gone_are_kept_and_changes_are_counted() {
        let rewritten = found(&[("a", 0.5, 3.0)]).replacing(OLD).unwrap();
        assert!(rewritten.text.contains("found no more:\n# a slip\n"), "{}", rewritten.text);
        assert_eq!(rewritten.changed, 1);
        assert_eq!(
            found(&[("a", 0.5, 3.0), ("b", 1.5, 1.8)]).replacing(OLD).unwrap().changed,
            2,
            "changed by hand, unmarked"
        );
        assert!(found(&[]).replacing("schema = 7").is_err());
    }

    #[test]
    fn another_clock_moves_entries_and_keeps_their_comments() {
        let slower = ContactFile { frame_rate_hz: Some(60.0), ..found(&[("b", 3.0, 3.4)]) };
        let rewritten = slower.replacing(OLD).unwrap();
        assert!(rewritten.text.contains("end_secs = 1.8 # left earlier, see video"), "{}", rewritten.text);
        assert!(rewritten.text.contains("frame_rate_hz = 60.0 # by the camera"), "{}", rewritten.text);
        assert_eq!((ContactFile::from_toml(&rewritten.text).unwrap(), rewritten.changed), (rewritten.file, 0));
    }
}
