//! Functions, files and lines that have grown past the point where they can be read.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use syn::spanned::Spanned;
use syn::visit::{self, Visit};

use crate::arrows::is_pending;
use crate::check::Outcome;
use crate::rust_source;

/// A file is 150–400 lines; past this it is two things.
const MOST_LINES: usize = 600;

/// A function is at most a screen or two. Tests may be longer: they tell a story from top to bottom.
const MOST_FUNCTION_LINES: usize = 100;

/// What rustfmt wraps code at; it leaves comments and strings alone.
const MOST_COLUMNS: usize = 120;

/// Whether long lines fail the check, or are only counted.
const LONG_LINES_FAIL: bool = false;

/// Source below these folders is ours and written by hand.
const OUR_FOLDERS: &[&str] = &["crates", "apps", "xtask", "fuzz", "tests"];

/// Names long files, long functions and, if asked to, every long line.
pub fn run(lists_long_lines: bool) -> Result<Outcome> {
    let mut failures = Vec::new();
    let mut long_lines = Vec::new();
    for file in our_sources(Path::new("."))? {
        let text = std::fs::read_to_string(&file).with_context(|| file.display().to_string())?;
        let name = file.strip_prefix(".").unwrap_or(&file).display().to_string();
        let lines = text.lines().count();
        if lines > MOST_LINES {
            failures.push(format!("sizes: {name} has {lines} lines, {MOST_LINES} at most: which two things is it?"));
        }
        if is_production(&file) && !is_pending(&file) {
            let say = |(function, lines)| {
                format!("sizes: {name}: {function} has {lines} lines, {MOST_FUNCTION_LINES} at most: name its stages")
            };
            failures.extend(long_functions(&text).with_context(|| name.clone())?.into_iter().map(say));
        }
        long_lines
            .extend(too_wide(&text).into_iter().map(|(line, columns)| format!("{name}:{line}: {columns} columns")));
    }
    if lists_long_lines {
        long_lines.iter().for_each(|line| println!("{line}"));
    }
    let note = format!("{} lines over {MOST_COLUMNS} columns", long_lines.len());
    if LONG_LINES_FAIL && !long_lines.is_empty() {
        failures.push(format!("sizes: {note}: `cargo xtask sizes --long-lines` lists them"));
    }
    Ok(Outcome { failures, note, ..Outcome::default() })
}

/// Every source file below a workspace's folders, in order.
pub fn our_sources(root: &Path) -> Result<Vec<PathBuf>> {
    let mut pending: Vec<PathBuf> = OUR_FOLDERS.iter().map(|folder| root.join(folder)).filter(|f| f.is_dir()).collect();
    let mut files = Vec::new();
    while let Some(folder) = pending.pop() {
        for entry in std::fs::read_dir(&folder).with_context(|| folder.display().to_string())? {
            let entry = entry?;
            let name = entry.file_name();
            let kind = entry.file_type()?;
            if kind.is_dir() && name != "target" && name != "node_modules" {
                pending.push(entry.path());
            } else if kind.is_file() && is_source(Path::new(&name)) {
                files.push(entry.path());
            }
        }
    }
    files.sort();
    Ok(files)
}

fn is_source(name: &Path) -> bool {
    name.extension().is_some_and(|extension| ["rs", "mjs", "js", "py"].iter().any(|known| extension == *known))
}

/// Rust that users get, not tests beside it.
pub fn is_production(file: &Path) -> bool {
    let words: Vec<&str> = file.iter().filter_map(|word| word.to_str()).collect();
    let is_test = |word: &&str| *word == "tests" || *word == "tests.rs" || word.ends_with("_tests.rs");
    let is_ours = words.iter().any(|word| ["crates", "apps", "xtask"].contains(word));
    is_ours && words.contains(&"src") && !words.iter().any(is_test) && file.extension().is_some_and(|e| e == "rs")
}

/// Functions over the limit, with their lines from `fn` to the closing brace.
fn long_functions(text: &str) -> Result<Vec<(String, usize)>> {
    let mut found = LongFunctions::default();
    found.visit_file(&syn::parse_file(text)?);
    Ok(found.0)
}

#[derive(Default)]
struct LongFunctions(Vec<(String, usize)>);

impl LongFunctions {
    fn look_at(&mut self, signature: &syn::Signature, body: &syn::Block) {
        let lines = body.span().end().line + 1 - signature.span().start().line;
        if lines > MOST_FUNCTION_LINES {
            self.0.push((signature.ident.to_string(), lines));
        }
    }
}

impl<'ast> Visit<'ast> for LongFunctions {
    fn visit_item(&mut self, item: &'ast syn::Item) {
        if !rust_source::is_test_only(rust_source::attributes(item)) {
            visit::visit_item(self, item);
        }
    }

    fn visit_item_fn(&mut self, function: &'ast syn::ItemFn) {
        self.look_at(&function.sig, &function.block);
        visit::visit_item_fn(self, function);
    }

    fn visit_impl_item_fn(&mut self, function: &'ast syn::ImplItemFn) {
        self.look_at(&function.sig, &function.block);
        visit::visit_impl_item_fn(self, function);
    }

    fn visit_trait_item_fn(&mut self, function: &'ast syn::TraitItemFn) {
        if let Some(body) = &function.default {
            self.look_at(&function.sig, body);
        }
        visit::visit_trait_item_fn(self, function);
    }
}

/// Lines over the limit: which, from 1, and how wide. Characters count, not bytes.
fn too_wide(text: &str) -> Vec<(usize, usize)> {
    let widths = text.lines().map(|line| line.chars().count()).enumerate();
    widths.filter(|(_, columns)| *columns > MOST_COLUMNS).map(|(at, columns)| (at + 1, columns)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_this_very_file() {
        let files = our_sources(&crate::shell::workspace_root()).unwrap();
        assert!(files.iter().any(|file| file.ends_with("xtask/src/sizes.rs")));
        assert!(files.iter().all(|file| is_source(file)));
    }

    #[test]
    fn tests_and_examples_are_no_production() {
        for (file, expected) in [
            ("crates/motion/src/clip.rs", true),
            ("apps/cli/src/main.rs", true),
            ("crates/motion/src/roles/tests.rs", false),
            ("crates/motion/src/tests/clip.rs", false),
            ("crates/motion/tests/clip.rs", false),
            ("crates/motion/examples/clip.rs", false),
            ("apps/studio/web/src/main.js", false),
        ] {
            assert_eq!(is_production(Path::new(file)), expected, "{file}");
        }
    }

    #[test]
    fn a_function_of_more_than_a_hundred_lines_is_named_unless_it_is_a_test() {
        let body = |lines: usize| format!("{{\n{}}}\n", "    f();\n".repeat(lines - 2));
        let long = |head: &str, lines: usize| long_functions(&format!("{head} {}", body(lines))).unwrap();
        assert_eq!(long("fn short()", MOST_FUNCTION_LINES), []);
        assert_eq!(long("fn long()", MOST_FUNCTION_LINES + 1), [("long".to_owned(), MOST_FUNCTION_LINES + 1)]);
        assert_eq!(long("#[test] fn story()", MOST_FUNCTION_LINES + 1), []);
        let method = format!("impl A {{ /// Why.\n fn long() {} }}", body(MOST_FUNCTION_LINES + 1));
        assert_eq!(long_functions(&method).unwrap().len(), 1);
    }

    #[test]
    fn columns_are_characters() {
        assert_eq!(too_wide(&"é".repeat(MOST_COLUMNS)), []);
        assert_eq!(too_wide(&format!("a\n{}", "a".repeat(MOST_COLUMNS + 1))), [(2, MOST_COLUMNS + 1)]);
    }
}
