//! `inspect --compare`: the receipt of a change, as every verb that edits prints it.

use crate::changes::{changes_text, heading, warnings_text};
use crate::outcome::{Outcome, Printing, print_json, print_line, say_error};
use aplomb_project::receipt::compare_files;
use aplomb_project::{InspectRequest, Receipt};
use aplomb_words::in_flags;
use std::path::PathBuf;

/// Compares two clips.
pub fn run(clips: &[PathBuf], request: &InspectRequest, print: Printing) -> Outcome {
    let [before, after] = clips else {
        say_error(&format!("--compare takes two clips, the one before and the one after; found {}", clips.len()));
        return Outcome::WrongUsage;
    };
    match compare_files(before, after, request) {
        Ok((_, _, receipt)) if print.json => print_json(&receipt),
        Ok((_, _, receipt)) => print_line(&text(&receipt, print.verbose)),
        Err(error) => {
            if print.json {
                let error = crate::outcome::ErrorReport::from(&error);
                print_json(&serde_json::json!({ "schema": 1, "error": error }));
            }
            say_error(&in_flags(&error));
            Outcome::BadInput
        }
    }
}

fn text(receipt: &Receipt, verbose: bool) -> String {
    let (before, after) = (&receipt.before, &receipt.after);
    let mut text = heading(&before.file, &after.file);
    text.push_str(&changes_text(&receipt.changes, verbose));
    text.push_str(&warnings_text(&before.warnings, &after.warnings));
    text.truncate(text.trim_end().len());
    text
}
