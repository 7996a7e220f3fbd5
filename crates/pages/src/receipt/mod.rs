//! The receipt of an edit as a page: what a motion was, what it became, and what exactly was done to it.

mod blend;
mod changes;
mod curves;
mod dynamics;
mod moments;
mod parts;
mod path;
#[cfg(test)]
mod tests;
mod view;

use crate::escape::html;
use crate::input::ReportInput;
use crate::judged;
use crate::payload::{Budget, Payload};
use crate::report;
use crate::template::{Page, fill};
use aplomb_analysis::fidelity::Fidelity;
use aplomb_project::EditVerdict;
use aplomb_project::edit_receipt::{JointReport, RootReport};
use aplomb_project::receipt::Measure;
use serde::Serialize;

pub use view::receipt_html;

/// What a receipt page shows. Texts may be anything; they are escaped.
#[derive(Clone, Debug)]
pub(crate) struct View<'a> {
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
    /// Hash of its bytes with the name of the hash, e.g. `sha256:9f…`; may be empty.
    pub input_hash: &'a str,
    /// Whether the motion is better or worse; `None` where it cannot be judged.
    pub outcome: Option<&'a EditVerdict>,
    /// How far it went from the motion before.
    pub fidelity: Option<&'a Fidelity>,
    /// The motion before. Its title says what it is called.
    pub before: ReportInput<'a>,
    /// The motion after.
    pub after: ReportInput<'a>,
    /// The same measures of both.
    pub measures: &'a [Measure],
    /// How the error fell, in the order of the work; empty for verbs that do not iterate.
    pub convergence: Vec<ConvergenceStage>,
    /// Cards about the way over the ground and about a blend, as markup; may be empty.
    pub about_path: String,
    /// Cards about a driven body or an adaptation, as markup; may be empty.
    pub about_dynamics: String,
    /// How far joints were turned, in any order.
    pub joints: &'a [JointReport],
    /// How far the whole body was moved.
    pub root: Option<RootReport>,
    /// Worth knowing.
    pub notes: Vec<String>,
    /// Worth a second look; shown with those of the report of the motion after.
    pub warnings: Vec<String>,
    /// Moments that belong together, (before, after) in seconds, both rising: the two figures are shown at the same
    /// moment of the motion. Empty if the edit left time alone; a cut has its two ends.
    pub same_moments: Vec<(f64, f64)>,
    /// Link back to a page beside this one.
    pub back_href: Option<&'a str>,
}

/// One step of an iteration: a part of figure 9 of Shin, Kovar and Gleicher (2003).
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct ConvergenceStage {
    /// Name of the step.
    pub name: String,
    /// What falls, e.g. "distance of the zero-moment point"; stages with the same error share an axis.
    pub error: String,
    /// Of the values; `m` is shown as a length.
    pub unit: String,
    /// One value an iteration, the first before anything was done by this step.
    pub values: Vec<f64>,
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
/// Rows a table shows; the JSON receipt has them all.
const MOST_ROWS: usize = 200;

impl<'a> View<'a> {
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
            outcome: None,
            fidelity: None,
            before,
            after,
            measures: &[],
            convergence: Vec::new(),
            about_path: String::new(),
            about_dynamics: String::new(),
            joints: &[],
            root: None,
            notes: Vec::new(),
            warnings: Vec::new(),
            same_moments: Vec::new(),
            back_href: None,
        }
    }

    /// The whole page: one file, no network. At most about 11 MB however long the clip is.
    pub fn html(&self) -> String {
        let pair = self.pair();
        // Serialising plain structs of finite numbers and strings cannot fail; an empty object makes the page say so.
        let json = serde_json::to_string(&pair).unwrap_or_else(|_| "{}".to_owned());
        let main = fill(
            TEMPLATE,
            &[
                ("title", &html(self.title)),
                ("verb", &html(self.verb)),
                ("outcome", &changes::outcome(self.outcome)),
                ("verdict", &parts::verdict(self)),
                ("scores", &parts::scores(self)),
                ("headline", &judged::headline(&self.after.judgement)),
                ("aspects", &judged::aspects(&self.after.judgement, Some(&self.before.judgement))),
                (
                    "moments",
                    &judged::moments(&self.after.judgement, Some(&self.before.judgement), &pair.after, &self.after),
                ),
                ("facts", &report::facts(&self.after)),
                ("gains", &(parts::gains(self.measures) + &changes::ways(self.fidelity))),
                ("warnings", &report::warnings(&self.all_warnings(&pair.after))),
                ("stage", &report::stage(WHICH)),
                ("path", &self.about_path),
                ("track", &self.about_dynamics),
                ("convergence", &parts::convergence(&pair.convergence)),
                ("joints", &parts::joints(self, &pair.after)),
                ("measures", &parts::measures(self.measures)),
                ("recipe", &parts::recipe(self)),
            ],
        );
        Page {
            title: &format!("{} – {}", self.title, self.verb),
            style: STYLE,
            script: report::SCRIPT,
            back_href: self.back_href,
            main: &main,
            footer: report::FOOTER,
            data_json: Some(&json),
        }
        .html()
    }

    fn pair(&self) -> Pair<'_> {
        let is_drawn = |stage: &&ConvergenceStage| {
            stage.values.len() <= MOST_SHOWN_ITERATIONS && stage.values.iter().all(|value| value.is_finite())
        };
        let is_moment = |pair: &&(f64, f64)| pair.0.is_finite() && pair.1.is_finite();
        Pair {
            before: Payload::of(&self.before, &Budget::ONE_OF_TWO),
            after: Payload::of(&self.after, &Budget::ONE_OF_TWO),
            same_moments: self.same_moments.iter().filter(is_moment).take(MOST_MOMENTS).copied().collect(),
            convergence: self.convergence.iter().filter(is_drawn).take(MOST_SHOWN_STAGES).collect(),
        }
    }

    fn all_warnings(&self, after: &Payload) -> Vec<String> {
        let inspection = self.after.inspection;
        let of_report = inspection.warnings.iter().map(|warning| report::in_words(warning, inspection));
        self.warnings.iter().chain(&after.notes).cloned().chain(of_report).collect()
    }
}
