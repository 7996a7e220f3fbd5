//! Unit and up axis of every capture against the README that lists them.

mod captures;

use aplomb_formats::frame_guess::{Known, guess_frame};
use aplomb_motion::{Axis, BodyPlan, Roles};
use std::collections::HashMap;

/// Metres per unit by file, from the table of the data's README; rows without a number are left out.
fn expected() -> HashMap<String, (f64, Axis)> {
    let readme = std::fs::read_to_string(captures::folder().join("README.md")).unwrap();
    let mut expected = HashMap::new();
    for row in readme.lines().filter(|row| row.starts_with("| ")) {
        let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
        let Some(unit) = cells.get(7) else { continue };
        let number: String = unit.chars().take_while(|c| c.is_ascii_digit() || *c == '.').collect();
        if let Ok(number) = number.parse() {
            expected.insert(cells[0].to_owned(), (number, if unit.contains("Z up") { Axis::Z } else { Axis::Y }));
        }
    }
    expected
}

#[test]
fn every_unit_and_up_axis_is_right() {
    let Some(captures) = captures::all() else { return };
    let expected = expected();
    let (mut wrong, mut checked) = (Vec::new(), 0);
    for capture in &captures {
        let roles = Roles::detect(&capture.clip);
        let guess = guess_frame(&capture.clip, &roles, Known::default());
        let told: Vec<String> = guess.diagnostics.iter().map(|note| note.to_string()).collect();
        assert!(
            guess.diagnostics.iter().any(|note| note.code.starts_with("FRM-")),
            "{}: guessed in silence",
            capture.name
        );
        // A skeleton that the README calls a fixture stands on Z by its rest pose.
        let up_by_eye = (capture.name == "bvh-dialects/pybvh_standard_skeleton.bvh").then_some(Axis::Z);
        let Some(&(unit_m, up)) = expected.get(&capture.name) else {
            if let Some(up) = up_by_eye
                && guess.up != up
            {
                wrong.push(format!("{}: {:?} up: {told:?}", capture.name, guess.up));
            }
            continue;
        };
        checked += 1;
        // 10 %: the README rounds, and calls one skeleton "0.06 (CMU-like, guess)".
        if (guess.frame.metres_per_unit / unit_m - 1.0).abs() > 0.1 {
            wrong.push(format!("{}: {}, should be {unit_m}: {told:?}", capture.name, guess.frame.metres_per_unit));
        }
        if guess.up != up {
            wrong.push(format!("{}: {:?} up, should be {up:?}: {told:?}", capture.name, guess.up));
        }
        if roles.plan() == BodyPlan::Biped && guess.confidence < 0.6 {
            wrong.push(format!("{}: unsure ({}): {told:?}", capture.name, guess.confidence));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(checked > 200, "only {checked} files are in the README");
}
