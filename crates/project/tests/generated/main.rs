//! Files that are made from the table of verbs. They must be as the table makes them:
//! `APLOMB_GENERATE=1 cargo test -p aplomb-project --test generated` writes them anew.

mod python;
mod reference;
mod schema;

use aplomb_project::verbs::VERBS;
use std::path::{Path, PathBuf};

/// A file of the repository.
fn place(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)
}

fn check(path: &str, text: &str) {
    let path = place(path);
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

/// The rest of that schema is written by hand; a receipt names verbs, and those are the table's.
#[test]
fn the_schema_of_receipts_knows_every_verb() {
    let path = "docs/schemas/receipt.schema.json";
    let found = std::fs::read_to_string(place(path)).unwrap();
    let (head, rest) = found.split_once("\"verb\": {\n          \"enum\": [\n").expect("the list of verbs");
    let (_, tail) = rest.split_once("\n          ]").expect("its end");
    let names: Vec<String> = VERBS.iter().map(|verb| format!("            {:?}", verb.name)).collect();
    let names = names.join(",\n");
    check(path, &format!("{head}\"verb\": {{\n          \"enum\": [\n{names}\n          ]{tail}"));
}

#[test]
fn methods_of_the_python_package_are_made_from_the_table() {
    check("apps/python/python/aplomb/_verbs.py", &python::text());
}

#[test]
fn the_reference_is_made_from_the_table() {
    check("docs/reference.md", &reference::text());
}
