//! Names above the columns of a table.

use super::lines::Cell;
use crate::asf_amc::lex::remark;
use crate::diagnostic::{Diagnostic, shown};
use crate::options::ReadOptions;
use std::collections::HashSet;

/// Reads names, `most.0` at most of what `most.1` calls them; a name that comes twice is remarked upon. `codes` are
/// those of a limit that is exceeded and of a repeated name.
pub(super) fn names<'a>(
    bytes: &[u8],
    labels: impl Iterator<Item = Cell<'a>>,
    most: (usize, &str),
    options: &ReadOptions,
    codes: (&'static str, &'static str),
    notes: &mut Vec<Diagnostic>,
) -> Result<Vec<String>, Box<Diagnostic>> {
    let name_bytes = options.limits.name_bytes;
    let mut seen = HashSet::new();
    let mut names = Vec::new();
    for (offset, label) in labels {
        let over = match () {
            () if names.len() >= most.0 => Some(most),
            () if label.len() > name_bytes => Some((name_bytes, "bytes in a name")),
            () => None,
        };
        if let Some((limit, what)) = over {
            let fault = Diagnostic::error(codes.0, format!("at most {limit} {what}"), shown(label));
            return Err(Box::new(fault.at(bytes, offset).hint("raise the limit with {limit}")));
        }
        let name = String::from_utf8_lossy(label).into_owned();
        if !seen.insert(name.clone()) {
            remark(Diagnostic::warning(codes.1, "every name once", shown(label)), bytes, offset, notes);
        }
        names.push(name);
    }
    Ok(names)
}
