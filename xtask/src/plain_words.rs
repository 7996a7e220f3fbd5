//! Flags and command names only in the apps: a library that names them speaks to people who may not have them.
//!
//! Every string of the library crates is looked at, doc comments and tests left out. Docs in plain words: `plain_docs`.

use std::path::Path;

use anyhow::Result;
use syn::visit::{self, Visit};

use crate::check::Outcome;
use crate::plain_docs;
use crate::rust_source;
use crate::sizes::{is_production, our_sources};

/// Where flags and commands may stand, and why.
const EXCEPT: &[(&str, &str)] = &[
    ("crates/words/", "the words of the apps"),
    ("crates/project/src/verbs/", "the table that the command's flags and their help come from"),
    ("crates/project/src/contact_sidecar.rs", "a comment in files that it writes, for people who open them"),
    ("crates/formats/src/c3d/mod.rs", "part of what was found in JSON reports, which stay as they are"),
    ("crates/formats/src/fbx/mod.rs", "a flag of cargo"),
];

/// Reads every production file of the libraries, and every page of the docs.
pub fn run() -> Result<Outcome> {
    let mut outcome = look_below(Path::new("."))?;
    let (failures, pages) = plain_docs::look_below(Path::new("."))?;
    outcome.failures.extend(failures);
    outcome.note = format!("{}, {pages} pages in plain words", outcome.note);
    Ok(outcome)
}

fn look_below(root: &Path) -> Result<Outcome> {
    let (mut failures, mut files) = (Vec::new(), 0_usize);
    for file in our_sources(root)? {
        let inside = file.strip_prefix(root).unwrap_or(&file);
        let name = inside.display().to_string();
        let is_excepted = EXCEPT.iter().any(|(except, _)| name.starts_with(except));
        if inside.starts_with("crates") && is_production(inside) && !is_excepted {
            files += 1;
            let named = flags_in(&rust_source::parse(&file)?);
            failures.extend(named.into_iter().map(|(line, text)| {
                format!("words: {name}:{line} names a flag or a command ({text}): say it in crates/words or an app")
            }));
        }
    }
    Ok(Outcome { failures, note: format!("{files} files without flags"), ..Outcome::default() })
}

/// Lines and texts of strings that name a flag or a command.
fn flags_in(file: &syn::File) -> Vec<(usize, String)> {
    let mut strings = Strings::default();
    strings.visit_file(file);
    strings.0.into_iter().filter(|(_, text)| names_flag(text) || names_command(text)).collect()
}

#[derive(Default)]
struct Strings(Vec<(usize, String)>);

impl Strings {
    /// Macros and attributes are tokens to syn: `format!("…")`, `#[error("…")]`.
    fn look_at(&mut self, tokens: proc_macro2::TokenStream) {
        for token in tokens {
            match token {
                proc_macro2::TokenTree::Group(group) => self.look_at(group.stream()),
                proc_macro2::TokenTree::Literal(literal) => {
                    if let syn::Lit::Str(text) = syn::Lit::new(literal) {
                        self.visit_lit_str(&text);
                    }
                }
                _ => {}
            }
        }
    }
}

impl<'ast> Visit<'ast> for Strings {
    fn visit_item(&mut self, item: &'ast syn::Item) {
        if !rust_source::is_test_only(rust_source::attributes(item)) {
            visit::visit_item(self, item);
        }
    }

    fn visit_attribute(&mut self, attribute: &'ast syn::Attribute) {
        if let syn::Meta::List(list) = &attribute.meta {
            self.look_at(list.tokens.clone());
        }
    }

    fn visit_macro(&mut self, used: &'ast syn::Macro) {
        self.look_at(used.tokens.clone());
    }

    fn visit_lit_str(&mut self, text: &'ast syn::LitStr) {
        self.0.push((text.span().start().line, text.value()));
    }
}

/// `--fps`, but not a dash between words.
fn names_flag(text: &str) -> bool {
    text.match_indices("--").any(|(at, _)| {
        let (before, after) = (text[..at].chars().next_back(), text[at + 2..].chars().next());
        before.is_none_or(|it| !it.is_alphanumeric() && it != '-') && after.is_some_and(|it| it.is_ascii_lowercase())
    })
}

/// `aplomb travel`, but not the name alone.
fn names_command(text: &str) -> bool {
    text.split("aplomb ").skip(1).any(|after| after.starts_with(|it: char| it.is_ascii_lowercase()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<usize> {
        flags_in(&syn::parse_file(text).unwrap()).into_iter().map(|(line, _)| line).collect()
    }

    #[test]
    fn the_workspace_as_it_is_today_passes() {
        let found = look_below(&crate::shell::workspace_root()).unwrap();
        assert_eq!(found.failures, Vec::<String>::new());
    }

    #[test]
    fn flags_and_commands_are_found_in_strings_macros_and_attributes() {
        assert_eq!(found("const A: &str = \"give --fps\";"), [1]);
        assert_eq!(found("fn f() -> String {\n    format!(\"{} (aplomb travel)\", 1)\n}"), [2]);
        assert_eq!(found("enum E {\n    #[error(\"exists; give --force\")]\n    A,\n}"), [2]);
        assert_eq!(found("fn f() {\n    g(|| h(&[\"try \\\n --mirror\"]));\n}"), [2]);
    }

    #[test]
    fn comments_tests_and_dashes_are_left_alone() {
        assert_eq!(found("/// Give --fps.\nfn f() {} // --fps"), [0; 0]);
        assert_eq!(found("#[cfg(test)]\nmod tests { const A: &str = \"--fps\"; }"), [0; 0]);
        assert_eq!(found("const A: &str = \"a -- b, --1, aplomb\";"), [0; 0]);
    }
}
