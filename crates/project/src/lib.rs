//! The walk of a motion, in one place: load → body → analyse → report, the edits of a project, and the receipt of a
//! change.
//!
//! The command, the studio and Python call this crate, so that all of them say the same of the same file. Files are
//! read and written here (through `aplomb-formats`); physics and analysis know none. Nothing here computes anything
//! itself.

#[cfg(feature = "batch")]
pub mod batch;
pub mod codes;
pub mod contact_sidecar;
pub mod contact_table;
pub mod document;
pub mod edit_receipt;
mod edit_result;
mod edits;
pub mod error;
mod files;
mod handles;
pub mod harm;
pub mod inspect;
pub mod judgement;
pub mod load;
mod lossy_path;
pub mod mass_fit;
mod mjcf;
mod path_drag;
mod prefix;
pub mod publish;
mod reader;
pub mod receipt;
pub mod report;
mod request;
mod run;
pub mod samples;
pub mod series_table;
pub mod session;
mod side_text;
pub mod source;
pub mod verbs;

pub use document::{Draft, Entry, ProjectDocument};
pub use edit_receipt::EditReceipt;
pub use edit_result::{EditResult, EditVerdict, Effect, Harm};
pub use edits::{Edit, Project};
pub use error::ProjectError;
pub use files::{Outcome, run};
pub use inspect::{InspectRequest, Inspected, PointRequest, contacts_of_file, inspect_file};
pub use judgement::{Grade, Judgement, MomentReport};
pub use load::{RateChoice, load, load_for_edit, tell_rate_in_doubt};
pub use mass_fit::{FittedMasses, body_of_file, fit_masses};
pub use mjcf::mjcf;
pub use receipt::{Receipt, compare, compare_files};
pub use report::ClipReport;
pub use request::RunRequest;
pub use session::Session;

/// Verbs as data, and how they are made.
pub mod edit {
    pub use crate::edits::*;
    pub use crate::files::{Outcome, blend_family, run, run_cached};
    pub use crate::handles::{HandleList, ListedFlight, ListedHandle, list_handles};
    pub use crate::path_drag::{LivePath, live_path};
    pub use crate::prefix::PrefixCache;
    pub use crate::request::{MemoryClip, RunRequest};
}

#[cfg(test)]
mod replay_tests;
#[cfg(test)]
mod tests;
