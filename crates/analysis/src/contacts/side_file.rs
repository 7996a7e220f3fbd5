//! The contact file: what was found, and what a person knows better (contacts.md 10). Text in, text out.

use super::contact_history::ContactHistory;
use crate::error::AnalysisError;
use serde::{Deserialize, Serialize};

/// The one version so far.
pub const SCHEMA: u32 = 1;

/// Load: the point carries weight. Pin: it may be held still.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ContactKind {
    /// For phases, support, flights.
    Load,
    /// For planting.
    Pin,
}

/// Where an entry comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ContactSource {
    /// Found by the rule; replaced when it runs again.
    #[default]
    Auto,
    /// Written by a person; survives.
    Hand,
}

/// One interval.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ContactEntry {
    /// Which point.
    pub effector: String,
    /// From the file's first frame.
    pub start_secs: f64,
    /// From the file's first frame.
    pub end_secs: f64,
    /// Load or pin.
    pub kind: ContactKind,
    /// Auto or hand.
    #[serde(default)]
    pub source: ContactSource,
}

/// A contact file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ContactFile {
    /// [`SCHEMA`].
    pub schema: u32,
    /// Rate of the clip that the seconds go with: a clip whose header lies has two clocks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub frame_rate_hz: Option<f64>,
    /// How many frames that clip has: another length is another clip.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub frames: Option<usize>,
    /// Set where the contacts went through an edit with the clip that they lie beside.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub carried: Option<ContactHistory>,
    /// All intervals.
    #[serde(default, rename = "contact")]
    pub contacts: Vec<ContactEntry>,
}

impl ContactFile {
    /// Reads the TOML of a contact file and checks that it does not contradict itself.
    pub fn from_toml(text: &str) -> Result<Self, AnalysisError> {
        let file: Self = toml::from_str(text).map_err(|error| AnalysisError::SideFile { detail: error.to_string() })?;
        if file.schema != SCHEMA {
            let detail = format!("schema {} is not known; this version reads schema {SCHEMA}", file.schema);
            return Err(AnalysisError::SideFile { detail });
        }
        if let Some(hz) = file.frame_rate_hz.filter(|hz| !(hz.is_finite() && *hz > 0.0)) {
            return Err(AnalysisError::SideFile { detail: format!("frame_rate_hz must be positive, found {hz}") });
        }
        file.check_entries()?;
        file.carried.as_ref().map_or(Ok(()), ContactHistory::check)?;
        Ok(file)
    }

    /// The text of a contact file.
    pub fn to_toml(&self) -> Result<String, AnalysisError> {
        toml::to_string(self).map_err(|error| AnalysisError::SideFile { detail: error.to_string() })
    }

    fn check_entries(&self) -> Result<(), AnalysisError> {
        let problem = |index: usize, problem: String| {
            Err(AnalysisError::SideEntry { entry: index + 1, effector: self.contacts[index].effector.clone(), problem })
        };
        for (index, entry) in self.contacts.iter().enumerate() {
            if !(entry.start_secs.is_finite() && entry.end_secs.is_finite() && entry.start_secs < entry.end_secs) {
                let found = format!("{} to {} s", entry.start_secs, entry.end_secs);
                return problem(index, format!("expected a start before its end, found {found}"));
            }
            let same = |other: &&ContactEntry| other.effector == entry.effector && other.kind == entry.kind;
            let earlier = self.contacts[..index].iter().filter(same);
            if let Some(other) = earlier.into_iter().find(|other| overlap(entry, other)) {
                let other = format!("{} to {} s", other.start_secs, other.end_secs);
                return problem(index, format!("overlaps with the same effector's {other}; join or part the two"));
            }
        }
        Ok(())
    }

    /// This file, found anew, with the hand-written entries of an older one: those stay, and what was found gives way
    /// to them. Seconds of the older file are converted if its clock was another.
    #[must_use]
    pub fn with_hand_entries_of(&self, older: &ContactFile) -> ContactFile {
        let older = older.in_clock_of(self.frame_rate_hz);
        let hand: Vec<ContactEntry> =
            older.contacts.into_iter().filter(|entry| entry.source == ContactSource::Hand).collect();
        let mut contacts = hand.clone();
        for entry in self.contacts.iter().filter(|entry| entry.source == ContactSource::Auto) {
            contacts.extend(outside(entry, &hand));
        }
        contacts.sort_by(|a, b| a.start_secs.total_cmp(&b.start_secs).then_with(|| a.effector.cmp(&b.effector)));
        ContactFile { contacts, ..self.clone() }
    }

    /// The same frames by another clock. Without a rate on either side seconds are taken as they are.
    #[must_use]
    pub fn in_clock_of(&self, frame_rate_hz: Option<f64>) -> ContactFile {
        let stretch = match (self.frame_rate_hz, frame_rate_hz) {
            // Rounded rates of the same clock (119.88 written with two decimals) are no other clock.
            (Some(own), Some(wanted)) if (own / wanted - 1.0).abs() > 1e-3 => own / wanted,
            _ => 1.0,
        };
        let mut contacts = self.contacts.clone();
        for entry in &mut contacts {
            entry.start_secs *= stretch;
            entry.end_secs *= stretch;
        }
        let frame_rate_hz = frame_rate_hz.or(self.frame_rate_hz);
        let carried = self.carried.as_ref().map(|carried| carried.stretched(stretch));
        ContactFile { schema: self.schema, frame_rate_hz, frames: self.frames, carried, contacts }
    }
}

fn overlap(a: &ContactEntry, b: &ContactEntry) -> bool {
    a.start_secs < b.end_secs && b.start_secs < a.end_secs
}

/// What is left of a found interval beside the hand-written ones of its effector and kind.
///
/// One of them that has its middle within the found interval, or the other way round, is that contact as a person sees
/// it, and nothing is left: a contact that was shortened stays short. One that only reaches into it cuts it.
fn outside(entry: &ContactEntry, hand: &[ContactEntry]) -> Vec<ContactEntry> {
    let same = |other: &&ContactEntry| other.effector == entry.effector && other.kind == entry.kind;
    let has_middle =
        |a: &ContactEntry, b: &ContactEntry| (a.start_secs..=a.end_secs).contains(&(0.5 * (b.start_secs + b.end_secs)));
    if hand.iter().filter(same).any(|it| has_middle(it, entry) || has_middle(entry, it)) {
        return Vec::new();
    }
    let mut left = vec![entry.clone()];
    for cut in hand.iter().filter(same) {
        left = left
            .into_iter()
            .flat_map(|part| {
                if !overlap(&part, cut) {
                    return vec![part];
                }
                let before = ContactEntry { end_secs: cut.start_secs, ..part.clone() };
                let after = ContactEntry { start_secs: cut.end_secs, ..part };
                [before, after].into_iter().filter(|part| part.end_secs > part.start_secs).collect()
            })
            .collect();
    }
    left
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(effector: &str, start_secs: f64, end_secs: f64, source: ContactSource) -> ContactEntry {
        ContactEntry { effector: effector.into(), start_secs, end_secs, kind: ContactKind::Load, source }
    }

    fn file(contacts: Vec<ContactEntry>) -> ContactFile {
        ContactFile { schema: SCHEMA, frame_rate_hz: Some(120.0), frames: None, carried: None, contacts }
    }

    #[test]
    fn text_reads_back_to_the_last_bit() {
        let file = file(vec![
            entry("left_heel", 1.0 / 3.0, 0.7, ContactSource::Auto),
            entry("x", 0.0, 1e-3, ContactSource::Hand),
        ]);
        assert_eq!(ContactFile::from_toml(&file.to_toml().unwrap()).unwrap(), file);
        let by_hand =
            "schema = 1\n[[contact]]\neffector = \"left_hand\"\nstart_secs = 1\nend_secs = 2\nkind = \"pin\"\n";
        let read = ContactFile::from_toml(by_hand).unwrap();
        assert_eq!((read.contacts[0].kind, read.contacts[0].source), (ContactKind::Pin, ContactSource::Auto));
    }

    #[test]
    fn hand_entries_survive_and_win() {
        let older = file(vec![
            entry("a", 1.0, 2.0, ContactSource::Hand),
            entry("c", 1.0, 2.0, ContactSource::Hand),
            entry("a", 5.0, 6.0, ContactSource::Auto),
        ]);
        let found = file(vec![
            entry("a", 0.5, 3.0, ContactSource::Auto),
            entry("b", 1.5, 1.7, ContactSource::Auto),
            // The other's end reaches into this one.
            entry("c", 1.9, 3.0, ContactSource::Auto),
        ]);
        let merged = found.with_hand_entries_of(&older);
        let spans: Vec<_> = merged.contacts.iter().map(|e| (e.effector.as_str(), e.start_secs, e.end_secs)).collect();
        assert_eq!(spans, vec![("a", 1.0, 2.0), ("c", 1.0, 2.0), ("b", 1.5, 1.7), ("c", 2.0, 3.0)]);
        assert_eq!(found.with_hand_entries_of(&merged), merged, "again and again");
    }

    #[test]
    fn another_clock_keeps_its_frames() {
        let at_120 = file(vec![entry("a", 1.0, 2.0, ContactSource::Hand)]);
        let at_60 = at_120.in_clock_of(Some(60.0));
        assert_eq!((at_60.contacts[0].start_secs, at_60.contacts[0].end_secs), (2.0, 4.0));
    }

    #[test]
    fn contradictions_are_named() {
        for (text, expected) in [
            ("schema = 2", "schema 2"),
            ("contact = 3", "contact"),
            ("schema = 1\nframe_rate_hz = -1.0", "frame_rate_hz"),
            (
                "schema = 1\n[[contact]]\neffector = \"a\"\nstart_secs = 2.0\nend_secs = 1.0\nkind = \"load\"",
                "start before its end",
            ),
            (
                "schema = 1\n[[contact]]\neffector = \"a\"\nstart_secs = nan\nend_secs = 1.0\nkind = \"load\"",
                "start before its end",
            ),
        ] {
            let message = ContactFile::from_toml(text).unwrap_err().to_string();
            assert!(message.contains(expected), "{message}");
        }
        let twice = file(vec![entry("a", 0.0, 2.0, ContactSource::Hand), entry("a", 1.0, 3.0, ContactSource::Hand)]);
        let message = ContactFile::from_toml(&twice.to_toml().unwrap()).unwrap_err().to_string();
        assert!(message.contains("entry 2") && message.contains("overlaps"), "{message}");
    }
}
