//! Pages for people: the report of one clip ([`report_html`]), the receipt of an edit ([`receipt_html`]) and the front page of many
//! ([`index_html`]).
//!
//! Each page is one file that needs no network: style sheets, scripts and data are inside, and a content security policy forbids
//! everything else. The scripts are our own, plain ES2020 without a build step (`assets/`). Names from files are untrusted: they
//! are escaped in HTML, and `<` never appears in embedded data.
//!
//! Nothing is computed here that a report does not already say; what is drawn comes from [`aplomb_analysis::Inspection`].

mod escape;
mod index;
mod input;
mod pack;
mod payload;
mod receipt;
mod report;
mod template;
mod units;

#[cfg(test)]
mod tests;

pub use index::{Card, Comparison, Heading, index_html};
pub use input::{Other, ReportInput};
pub use payload::Figure;
pub use receipt::{
    Change, ConvergenceStage, CurveChange, CurvePlot, Exposures, GuaranteeRow, Guarantees, JointChange, MeasureRow,
    PathChange, PathFlight, PathHandle, PathLimb, PathSpeed, ReceiptInput, RootChange, receipt_html,
};
pub use report::report_html;
