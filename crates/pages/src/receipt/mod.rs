//! The receipt of an edit as a page: what a motion was, what it became, and what exactly was done to it.

mod curves;
mod guarantees;
mod parts;
mod path;
#[cfg(test)]
mod tests;

use crate::escape::html;
use crate::input::ReportInput;
use crate::payload::{Budget, Payload};
use crate::report;
use crate::template::{Page, fill};
use serde::Serialize;

pub use curves::{CurveChange, CurvePlot, Exposures};
pub use guarantees::{GuaranteeRow, Guarantees};
pub use path::{PathChange, PathFlight, PathHandle, PathLimb, PathSpeed};

/// What a receipt page is made from. Texts may be anything; they are escaped.
#[derive(Clone, Debug)]
pub struct ReceiptInput<'a> {
    /// Name of the clip or file.
    pub title: &'a str,
    /// What was done to it, e.g. `touchup`.
    pub verb: &'a str,
    /// The same in a sentence, e.g. "Bent to a radius of 1.5 m to the left."; may be empty.
    pub summary: &'a str,
    /// The parameters in words, (label, value).
    pub parameters: Vec<(String, String)>,
    /// The edit as it stands in a project file (TOML); may be empty.
    pub recipe: &'a str,
    /// The exact command line; may be empty.
    pub command: &'a str,
    /// Of the program that made the edit, e.g. `aplomb 0.1.0`; may be empty.
    pub version: &'a str,
    /// Name of the file that was read; may be empty.
    pub input_file: &'a str,
    /// Hash of its bytes with the name of the hash, e.g. `blake3:9f…`; may be empty.
    pub input_hash: &'a str,
    /// The motion before. Its title says what it is called.
    pub before: ReportInput<'a>,
    /// The motion after.
    pub after: ReportInput<'a>,
    /// The same measures of both.
    pub measures: Vec<MeasureRow>,
    /// How the error fell, in the order of the work; empty for verbs that do not iterate.
    pub convergence: Vec<ConvergenceStage>,
    /// What became of the way over the ground, where an edit changed it.
    pub path: Option<PathChange>,
    /// What dynamics made of it: a driven body, or an adaptation.
    pub dynamics: Option<CurveChange>,
    /// What a blend keeps of physics.
    pub guarantees: Option<Guarantees>,
    /// How far joints were turned, in any order.
    pub joints: Vec<JointChange>,
    /// How far the whole body was moved.
    pub root: Option<RootChange>,
    /// Worth knowing.
    pub notes: Vec<String>,
    /// Worth a second look; shown with those of the report of the motion after.
    pub warnings: Vec<String>,
    /// Moments that belong together, (before, after) in seconds, both rising: the two figures are shown at the same moment of the
    /// motion. Empty if the edit left time alone; a cut has its two ends.
    pub same_moments: Vec<(f64, f64)>,
    /// Link back to a page beside this one.
    pub back_href: Option<&'a str>,
}

/// What a measure did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// Improved by more than it can be told to.
    Better,
    /// Got worse by more than it can be told to.
    Worse,
    /// Moved by less than that.
    Same,
    /// Moved, and neither way is better.
    Different,
    /// Known of one of the two, or of none.
    Unknown,
}

/// One measure before and after.
#[derive(Clone, Debug, PartialEq)]
pub struct MeasureRow {
    /// Path in the JSON report, e.g. `zmp.mean_m`: decides which measures are shown large.
    pub measure: String,
    /// For people.
    pub title: String,
    /// `m`, `g`, `mm`, `mm/s`, `s`, `points`, `1`, `share`, `count`, or any other unit to be written as it is.
    pub unit: String,
    /// Before.
    pub before: Option<f64>,
    /// After.
    pub after: Option<f64>,
    /// What that means.
    pub change: Change,
}

/// One step of an iteration: a part of figure 9 of Shin, Kovar and Gleicher (2003).
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ConvergenceStage {
    /// Name of the step.
    pub name: String,
    /// What falls, e.g. "distance of the zero-moment point"; stages with the same error share an axis.
    pub error: String,
    /// Of the values; `m` is shown as a length.
    pub unit: String,
    /// One value an iteration, the first before anything was done by this step.
    pub values: Vec<f64>,
}

/// How far one joint was turned.
#[derive(Clone, Debug, PartialEq)]
pub struct JointChange {
    /// Name in the skeleton.
    pub name: String,
    /// Over all frames, in its parent's frame.
    pub rms_deg: f64,
    /// At worst …
    pub max_deg: f64,
    /// … and when, s.
    pub max_secs: f64,
}

/// How far the root was moved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RootChange {
    /// Over all frames.
    pub rms_m: f64,
    /// At worst …
    pub max_m: f64,
    /// … and when, s.
    pub max_secs: f64,
}

impl<'a> ReceiptInput<'a> {
    /// With nothing but the two motions.
    pub fn new(title: &'a str, verb: &'a str, before: ReportInput<'a>, after: ReportInput<'a>) -> Self {
        Self {
            title,
            verb,
            summary: "",
            parameters: Vec::new(),
            recipe: "",
            command: "",
            version: "",
            input_file: "",
            input_hash: "",
            before,
            after,
            measures: Vec::new(),
            convergence: Vec::new(),
            path: None,
            dynamics: None,
            guarantees: None,
            joints: Vec::new(),
            root: None,
            notes: Vec::new(),
            warnings: Vec::new(),
            same_moments: Vec::new(),
            back_href: None,
        }
    }
}

/// What the scripts read.
#[derive(Serialize)]
struct Pair<'a> {
    before: Payload,
    after: Payload,
    same_moments: Vec<(f64, f64)>,
    convergence: Vec<&'a ConvergenceStage>,
}

const TEMPLATE: &str = include_str!("../../assets/receipt.html");
const WHICH: &str = include_str!("../../assets/which.html");
const STYLE: &str = concat!(
    include_str!("../../assets/base.css"),
    include_str!("../../assets/report.css"),
    include_str!("../../assets/receipt.css")
);
/// Steps and iterations of an edit are dozens; a hand-made input must not fill the page.
const MOST_SHOWN_STAGES: usize = 60;
const MOST_SHOWN_ITERATIONS: usize = 1_000;
const MOST_MOMENTS: usize = 4_000;

/// The whole page: one file, no network. At most about 11 MB however long the clip is.
pub fn receipt_html(input: &ReceiptInput) -> String {
    let (before, after) =
        (Payload::of(&input.before, &Budget::ONE_OF_TWO), Payload::of(&input.after, &Budget::ONE_OF_TWO));
    let mut warnings = input.warnings.clone();
    warnings.extend(after.notes.iter().cloned());
    let of_report = input.after.inspection.warnings.iter();
    warnings.extend(of_report.map(|warning| report::in_words(warning, input.after.inspection)));
    let joints = parts::joints(input, &after);
    let is_drawn = |stage: &&ConvergenceStage| {
        stage.values.len() <= MOST_SHOWN_ITERATIONS && stage.values.iter().all(|value| value.is_finite())
    };
    let is_moment = |pair: &&(f64, f64)| pair.0.is_finite() && pair.1.is_finite();
    let pair = Pair {
        before,
        after,
        same_moments: input.same_moments.iter().filter(is_moment).take(MOST_MOMENTS).copied().collect(),
        convergence: input.convergence.iter().filter(is_drawn).take(MOST_SHOWN_STAGES).collect(),
    };
    let convergence = parts::convergence(&pair.convergence);
    // Serialising plain structs of finite numbers and strings cannot fail; an empty object makes the page say so.
    let json = serde_json::to_string(&pair).unwrap_or_else(|_| "{}".to_owned());
    let about_path = input.path.as_ref().map(path::section).unwrap_or_default();
    let about_blend = input.guarantees.as_ref().map(guarantees::section).unwrap_or_default();
    let main = fill(
        TEMPLATE,
        &[
            ("title", &html(input.title)),
            ("verb", &html(input.verb)),
            ("verdict", &parts::verdict(input)),
            ("scores", &parts::scores(input)),
            ("facts", &report::facts(&input.after)),
            ("gains", &parts::gains(&input.measures)),
            ("warnings", &report::warnings(&warnings)),
            ("stage", &report::stage(WHICH)),
            ("path", &(about_path + &about_blend)),
            ("track", &input.dynamics.as_ref().map(curves::section).unwrap_or_default()),
            ("convergence", &convergence),
            ("joints", &joints),
            ("measures", &parts::measures(&input.measures)),
            ("recipe", &parts::recipe(input)),
        ],
    );
    Page {
        title: &format!("{} – {}", input.title, input.verb),
        style: STYLE,
        script: report::SCRIPT,
        back_href: input.back_href,
        main: &main,
        footer: report::FOOTER,
        data_json: Some(&json),
    }
    .html()
}
