//! Every crate we build on may be used under a free licence that fits ours.

use anyhow::{Context, Result};
use cargo_metadata::MetadataCommand;
use spdx::{Expression, LicenseReq};

use crate::check::Outcome;

/// Licences that ask for no more than naming the authors.
const FITTING: &[&str] = &[
    "MIT",
    "MIT-0",
    "Apache-2.0",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "ISC",
    "Zlib",
    "0BSD",
    "BSL-1.0",
    "CC0-1.0",
    "Unlicense",
    "Unicode-3.0",
    // Fonts embedded unchanged in pictures: both licences allow bundling with any software.
    "OFL-1.1",
    "Ubuntu-font-1.0",
];

/// Checks the licence expression of every crate in the lock file.
pub fn run() -> Result<Outcome> {
    let metadata =
        MetadataCommand::new().other_options(vec!["--locked".to_owned()]).exec().context("cargo metadata")?;
    let mut outcome = Outcome::default();
    for package in &metadata.packages {
        let name = format!("{} {}", package.name, package.version);
        if let Err(why) = fits(package.license.as_deref()) {
            outcome.failures.push(format!("licences: {name}: {why}"));
        }
    }
    outcome.note = format!("{} packages", metadata.packages.len());
    Ok(outcome)
}

fn fits(licence: Option<&str>) -> Result<(), String> {
    let text = licence.ok_or("states no licence")?;
    // Old manifests separate alternatives with a slash.
    let expression = Expression::parse(&text.replace('/', " OR ")).map_err(|error| format!("'{text}': {error}"))?;
    let fitting = |wanted: &LicenseReq| wanted.license.id().is_some_and(|id| FITTING.contains(&id.name));
    if expression.evaluate(fitting) { Ok(()) } else { Err(format!("'{text}' does not fit MIT OR Apache-2.0")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_fitting_alternative_is_enough_and_all_parts_must_fit() {
        assert_eq!(fits(Some("MIT OR GPL-3.0-only")), Ok(()));
        assert_eq!(fits(Some("MIT/Apache-2.0")), Ok(()));
        assert_eq!(fits(Some("(MIT OR Apache-2.0) AND Unicode-3.0")), Ok(()));
        assert!(fits(Some("MIT AND GPL-3.0-only")).is_err());
        assert!(fits(Some("GPL-2.0-or-later")).is_err());
        assert!(fits(Some("mine")).is_err());
        assert!(fits(None).is_err());
    }
}
