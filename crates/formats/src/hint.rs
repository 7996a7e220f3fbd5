//! What to do about a diagnostic, with the options of the reading program marked: `give the rate with {fps}`.
//!
//! Readers know which of their options helps, and not how a program spells it. The command and the JSON that all
//! programs write have flags; Python and project files have keys.

use serde::{Serialize, Serializer};

/// Advice of a reader or writer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Hint {
    /// Text with options in braces, as [`ReadOptions`](crate::ReadOptions) name them, with `-` between words.
    Marked(&'static str),
    /// Text that may quote a file, and so has no marks.
    Text(String),
}

impl Hint {
    /// Whether there is no advice.
    pub fn is_empty(&self) -> bool {
        self.in_keys().is_empty()
    }

    /// Options as the command takes them.
    pub fn in_flags(&self) -> String {
        self.with_options(|option| format!("--{option}"))
    }

    /// Options as keywords.
    pub fn in_keys(&self) -> String {
        self.with_options(|option| option.replace('-', "_"))
    }

    fn with_options(&self, spelled: impl Fn(&str) -> String) -> String {
        let (mut rest, mut text) = match self {
            Self::Marked(text) => (*text, String::new()),
            Self::Text(text) => return text.clone(),
        };
        while let Some((before, (option, after))) =
            rest.split_once('{').and_then(|(before, it)| Some((before, it.split_once('}')?)))
        {
            text.push_str(before);
            text.push_str(&spelled(option));
            rest = after;
        }
        text + rest
    }
}

impl Serialize for Hint {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.in_flags())
    }
}

impl From<&'static str> for Hint {
    fn from(marked: &'static str) -> Self {
        Self::Marked(marked)
    }
}

impl From<String> for Hint {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marked_options_are_spelled_as_flags_or_keys() {
        let hint = Hint::from("{repair-nan=hold} fills it in, or give {fps}");
        assert_eq!(hint.in_flags(), "--repair-nan=hold fills it in, or give --fps");
        assert_eq!(hint.in_keys(), "repair_nan=hold fills it in, or give fps");
    }

    #[test]
    fn braces_of_a_file_are_no_marks() {
        assert_eq!(Hint::from("joints are {a-b}".to_owned()).in_flags(), "joints are {a-b}");
    }
}
