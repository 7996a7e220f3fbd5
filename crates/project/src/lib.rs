//! The walk of a motion, in one place: load → body → analyse → report, the edits of a project, and the receipt of a change.
//!
//! The command, the studio and Python call this crate, so that all of them say the same of the same file. Files are read and written here
//! (through `aplomb-formats`); physics and analysis know none. Nothing here computes anything itself.

pub mod batch;
pub mod carried;
pub mod contact_table;
pub mod document;
pub mod edit;
pub mod edit_receipt;
pub mod error;
pub mod inspect;
pub mod load;
mod lossy_path;
pub mod mass_fit;
mod mjcf;
pub mod receipt;
pub mod report;
pub mod samples;
pub mod series_table;
pub mod session;
pub mod source;
pub mod verbs;

pub use document::{Draft, Entry, ProjectDocument};
pub use edit::{Edit, Outcome, Project, RunRequest, run};
pub use edit_receipt::EditReceipt;
pub use error::ProjectError;
pub use inspect::{InspectRequest, Inspected, PointRequest, contacts_of_file, inspect_clip, inspect_file};
pub use load::{RateChoice, load, load_for_edit, tell_rate_in_doubt};
pub use mass_fit::{FittedMasses, body_of_file, fit_masses};
pub use mjcf::mjcf;
pub use receipt::{Receipt, compare, compare_files};
pub use report::ClipReport;
pub use session::Session;

#[cfg(test)]
mod tests;
