//! Files that are made from the table of verbs. They must be as the table makes them:
//! `APLOMB_GENERATE=1 cargo test -p aplomb-project --test generated` writes them anew.

mod python;
mod reference;
mod schema;

use std::path::Path;

fn check(path: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path);
    if std::env::var_os("APLOMB_GENERATE").is_some() {
        std::fs::write(&path, text).unwrap();
    }
    let found = std::fs::read_to_string(&path).unwrap_or_default();
    let line = found.lines().zip(text.lines()).position(|(found, made)| found != made);
    assert!(
        found == text,
        "{} is not what the table of verbs makes (line {line:?}); \
         APLOMB_GENERATE=1 cargo test -p aplomb-project --test generated writes it anew",
        path.display(),
    );
}

#[test]
fn the_schema_of_project_files_is_made_from_the_table() {
    check("docs/schemas/project.schema.json", &schema::text());
}

#[test]
fn methods_of_the_python_package_are_made_from_the_table() {
    check("apps/python/python/aplomb/_verbs.py", &python::text());
}

#[test]
fn the_reference_is_made_from_the_table() {
    check("docs/reference.md", &reference::text());
}
