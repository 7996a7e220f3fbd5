//! Unit and up axis of a file that states neither, guessed from the body in it (formats.md 1.7). The guess is always
//! told, with the number it came from.

mod up;

use crate::diagnostic::Diagnostic;
use aplomb_motion::roles::{BodyPlan, Roles};
use aplomb_motion::{Axis, Clip, FrameOfReference, SignedPermutation, stature};

/// Data are inches times 0.45 (CMU's ASF header).
const CMU_UNIT_M: f64 = 0.0254 / 0.45;

/// What is known without guessing.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Known {
    /// From the user.
    pub given_unit_m: Option<f64>,
    /// From the file itself (ASF).
    pub stated_unit_m: Option<f64>,
    /// From the user.
    pub given_up: Option<Axis>,
}

/// The frame a clip was written in.
#[derive(Clone, Debug, PartialEq)]
pub struct FrameGuess {
    /// Unit and axes.
    pub frame: FrameOfReference,
    /// `cm`, `in`, `CMU units`, … for people.
    pub unit_name: String,
    /// How tall the person is ([`aplomb_motion::stature`]), if one was recognised.
    pub stature_file_units: Option<f64>,
    /// The file's up axis.
    pub up: Axis,
    /// 0 to 1; 1 if both were given. Below 0.6 people should look.
    pub confidence: f64,
    /// The guess in words: notes when sure, warnings when not.
    pub diagnostics: Vec<Diagnostic>,
}

impl FrameGuess {
    /// How tall the person is, m.
    pub fn stature_m(&self) -> Option<f64> {
        self.stature_file_units.map(|stature| stature * self.frame.metres_per_unit)
    }
}

/// Guesses the frame of a clip that was read in its own unit and axes. What is known wins.
pub fn guess_frame(clip: &Clip, roles: &Roles, known: Known) -> FrameGuess {
    // A length like the bones it comes from: in file units here.
    let stature = stature::of_clip(clip, roles).map(|stature| stature.metres).filter(|&units| units > 0.0);
    let mut diagnostics = Vec::new();
    let (unit_m, unit_name, unit_confidence) = unit(stature, roles, known, &mut diagnostics);
    let (axis, up_confidence) = match known.given_up {
        Some(axis) => (axis, 1.0),
        None => up::guess(clip, roles, stature, &mut diagnostics),
    };
    let frame = FrameOfReference { internal_from_file: SignedPermutation::lifting(axis), metres_per_unit: unit_m };
    let confidence = unit_confidence.min(up_confidence);
    FrameGuess { frame, unit_name, stature_file_units: stature, up: axis, confidence, diagnostics }
}

/// One unit a skeleton may be in.
struct Unit {
    name: &'static str,
    metres: f64,
    /// Statures in this unit that are taken for it, half-open.
    statures: std::ops::Range<f64>,
}

/// No two overlap, so that one number has one answer: a child in centimetres (50 to 95) reads as inches and a giant in
/// decimetres as CMU units. People who have such files say so; the note tells the number.
const UNITS: [Unit; 6] = [
    Unit { name: "m", metres: 1.0, statures: 0.8..2.6 },
    Unit { name: "dm", metres: 0.1, statures: 10.0..20.0 },
    Unit { name: "CMU units", metres: CMU_UNIT_M, statures: 20.0..40.0 },
    Unit { name: "in", metres: 0.0254, statures: 40.0..95.0 },
    Unit { name: "cm", metres: 0.01, statures: 95.0..260.0 },
    Unit { name: "mm", metres: 0.001, statures: 800.0..2600.0 },
];

fn unit(stature: Option<f64>, roles: &Roles, known: Known, notes: &mut Vec<Diagnostic>) -> (f64, String, f64) {
    let known_unit = known.given_unit_m.map(|unit_m| (unit_m, "given"));
    if let Some((unit_m, by)) = known_unit.or(known.stated_unit_m.map(|unit_m| (unit_m, "stated by the file"))) {
        check_known_unit(unit_m, by, stature, notes);
        return (unit_m, name_of(unit_m), 1.0);
    }
    let Some(stature) = stature else {
        let why = match roles.plan() {
            BodyPlan::Quadruped => "four-legged bodies come in every size",
            BodyPlan::Single => "a single body comes in every size",
            _ => "no standing body was recognised",
        };
        notes.push(
            Diagnostic::note("FRM-N003", "", format!("unit unknown: {why}; taken as 1 m"))
                .hint("give the unit with {unit}"),
        );
        return (1.0, "m".to_owned(), 0.3);
    };
    let Some(unit) = UNITS.iter().find(|unit| unit.statures.contains(&stature)) else {
        let found = format!("a body {stature:.4} units tall fits no unit; taken as 1 m");
        notes.push(Diagnostic::warning("FRM-W001", "", found).hint("give the unit with {unit}"));
        return (1.0, "m".to_owned(), 0.2);
    };
    let stature_m = stature * unit.metres;
    let family = roles.family().map_or("", |(family, _)| family);
    let confidence = match unit.name {
        "CMU units" if family.starts_with("CMU") => 0.95,
        "dm" if family.starts_with("MakeHuman") => 0.95,
        // Rare units without the family that uses them: plausible, no more.
        "CMU units" | "dm" => 0.65,
        _ if (1.3..2.2).contains(&stature_m) => 0.9,
        _ => 0.7,
    };
    let found = format!("unit guessed as {}: the body is {stature:.4} units tall, {stature_m:.2} m", unit.name);
    notes.push(Diagnostic::note("FRM-N001", "", found));
    (unit.metres, unit.name.to_owned(), confidence)
}

/// A unit that makes a giant or a toy of a person is worth a word, never an objection.
fn check_known_unit(unit_m: f64, by: &str, stature: Option<f64>, notes: &mut Vec<Diagnostic>) {
    let Some(stature) = stature else { return };
    let stature_m = stature * unit_m;
    if !(0.6..2.6).contains(&stature_m) {
        let found = format!("with the unit of {unit_m} m {by} the body is {stature_m:.3} m tall");
        notes.push(Diagnostic::warning("FRM-W003", "", found).hint("check the unit"));
    }
}

pub(crate) fn name_of(unit_m: f64) -> String {
    let same = |unit: &&Unit| (unit.metres / unit_m - 1.0).abs() < 1e-4;
    UNITS.iter().find(same).map_or_else(|| format!("{unit_m} m"), |unit| unit.name.to_owned())
}

#[cfg(test)]
mod tests;
