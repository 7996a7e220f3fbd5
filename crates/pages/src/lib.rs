//! Pages for people: the report of one clip ([`report_html`]), the receipt of an edit ([`receipt_html`]) and the front
//! page of many ([`index_html`]).
//!
//! Each page is one file that needs no network: style sheets, scripts and data are inside, and a content security
//! policy forbids everything else. The scripts are our own, plain ES2020 without a build step (`assets/`). Names from
//! files are untrusted: they are escaped in HTML, and `<` never appears in embedded data.
//!
//! Pages are drawn from what `aplomb-project` found ([`aplomb_project::Inspected`], [`aplomb_project::EditReceipt`]).
//! Nothing is computed here that those do not already say.

mod escape;
mod index;
mod input;
mod judged;
mod pack;
mod payload;
mod pictures;
mod receipt;
mod report;
mod template;
mod units;

#[cfg(test)]
mod tests;

pub use index::{Card, Comparison, Heading, index_html};
pub use payload::Figure;
pub use pictures::{last_scene, pair_svg, picture_svg, result_strip};
pub use receipt::receipt_html;
pub use report::report_html;

/// A path without its folder, as pages name files.
pub fn file_name(file: &str) -> String {
    let name = std::path::Path::new(file).file_name();
    name.map_or_else(|| file.to_owned(), |name| name.to_string_lossy().into_owned())
}
