//! One home a concept: a constant's name has one value in all that users get.
//!
//! Two constants of the same name and different values are either one number that has drifted apart, or two things
//! with one name. Gather the first in one place; rename the second, so that the name says what differs.
//!
//! Numbers of modules are compared, whatever their crate. Constants inside a function are seen whole on one screen and
//! those of a type carry its name, so both are left out.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use anyhow::Result;
use syn::visit::{self, Visit};

use crate::arrows::is_pending;
use crate::check::Outcome;
use crate::rust_source;
use crate::sizes::{is_production, our_sources};

/// Types whose values are compared.
const NUMBERS: &[&str] =
    &["f64", "f32", "usize", "isize", "u8", "u16", "u32", "u64", "u128", "i8", "i16", "i32", "i64", "i128", "DVec3"];

/// Numbers that stand in one file only; everything else imports their names.
const HOMES: &[(&str, &str)] = &[("9.81", "crates/physics/src/gravity.rs")];

/// Where one value of a name stands.
#[derive(Debug, Clone, PartialEq)]
struct ConstantPlace {
    file: String,
    value: String,
}

/// Reads every production file and compares.
pub fn run() -> Result<Outcome> {
    look_below(Path::new("."))
}

fn look_below(root: &Path) -> Result<Outcome> {
    let mut places: BTreeMap<String, Vec<ConstantPlace>> = BTreeMap::new();
    let mut failures = Vec::new();
    for file in our_sources(root)? {
        let inside = file.strip_prefix(root).unwrap_or(&file);
        // Tools are not for users.
        if is_production(inside) && !is_pending(inside) && !inside.starts_with("xtask") {
            let name = inside.display().to_string();
            let items = rust_source::parse(&file)?.items;
            add_constants(&mut places, &name, &items);
            failures.extend(strays(&name, &items));
        }
    }
    failures.extend(different(&places));
    let note = format!("{} numbers with names", places.values().map(Vec::len).sum::<usize>());
    Ok(Outcome { failures, note, ..Outcome::default() })
}

fn add_constants(places: &mut BTreeMap<String, Vec<ConstantPlace>>, file: &str, items: &[syn::Item]) {
    for item in items.iter().filter(|item| !rust_source::is_test_only(rust_source::attributes(item))) {
        match item {
            syn::Item::Const(constant) => {
                let text = |tokens: &dyn quote::ToTokens| tokens.to_token_stream().to_string();
                if NUMBERS.contains(&text(&constant.ty).as_str()) {
                    let place = ConstantPlace { file: file.to_owned(), value: plain(&text(&constant.expr)) };
                    places.entry(constant.ident.to_string()).or_default().push(place);
                }
            }
            syn::Item::Mod(syn::ItemMod { content: Some((_, inside)), .. }) => add_constants(places, file, inside),
            _ => {}
        }
    }
}

/// Numbers with a home that stand in this file, which is another.
fn strays(file: &str, items: &[syn::Item]) -> Vec<String> {
    let mut literals = Literals::default();
    items.iter().for_each(|item| literals.visit_item(item));
    let strays = HOMES.iter().filter(|(number, home)| *home != file && literals.0.contains(*number));
    strays.map(|(number, home)| format!("constants: {number} stands in {file}: its home is {home}")).collect()
}

#[derive(Default)]
struct Literals(BTreeSet<String>);

impl<'ast> Visit<'ast> for Literals {
    fn visit_item(&mut self, item: &'ast syn::Item) {
        if !rust_source::is_test_only(rust_source::attributes(item)) {
            visit::visit_item(self, item);
        }
    }

    fn visit_lit_float(&mut self, number: &'ast syn::LitFloat) {
        self.0.insert(number.base10_digits().to_owned());
    }
}

/// `0.20`, `0.2_f64` and `2e-1` are one number.
fn plain(value: &str) -> String {
    let digits = value.replace('_', "");
    let number = digits.trim_end_matches("f64").trim_end_matches("usize").parse::<f64>();
    number.map_or_else(|_| value.to_owned(), |number| number.to_string())
}

fn different(places: &BTreeMap<String, Vec<ConstantPlace>>) -> Vec<String> {
    let differ = |all: &[ConstantPlace]| all.iter().any(|place| place.value != all[0].value);
    let say = |(name, all): (&String, &Vec<ConstantPlace>)| {
        let all: Vec<String> = all.iter().map(|place| format!("{} in {}", place.value, place.file)).collect();
        format!("constants: {name} is {}: one home, or names that say what differs", all.join(", "))
    };
    places.iter().filter(|(_, all)| differ(all)).map(say).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wrong(files: &[&str]) -> Vec<String> {
        let mut places = BTreeMap::new();
        for (at, text) in files.iter().enumerate() {
            add_constants(&mut places, &format!("{at}.rs"), &syn::parse_file(text).unwrap().items);
        }
        different(&places)
    }

    #[test]
    fn the_workspace_as_it_is_today_passes() {
        let found = look_below(&crate::shell::workspace_root()).unwrap();
        assert_eq!(found.failures, Vec::<String>::new());
    }

    #[test]
    fn one_name_with_two_values_is_named_with_both_files() {
        let found = wrong(&["pub const LOAD: f64 = 0.2;", "mod a { const LOAD: f64 = 0.15; }"]);
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].contains("LOAD is 0.2 in 0.rs, 0.15 in 1.rs"), "{found:?}");
    }

    #[test]
    fn a_number_away_from_its_home_is_named() {
        let items = syn::parse_file("fn f() -> f64 { 2.0 * 9.81 } #[cfg(test)] mod tests {}").unwrap().items;
        assert_eq!(strays("crates/physics/src/gravity.rs", &items), Vec::<String>::new());
        assert_eq!(strays("crates/editing/src/arc.rs", &items).len(), 1);
        let only_in_tests = syn::parse_file("#[cfg(test)] mod tests { const G: f64 = 9.81; }").unwrap().items;
        assert_eq!(strays("crates/editing/src/arc.rs", &only_in_tests), Vec::<String>::new());
    }

    #[test]
    fn one_value_written_in_two_ways_and_tests_are_left_alone() {
        assert_eq!(wrong(&["const A: f64 = 0.20;", "const A: f64 = 2e-1;"]), Vec::<String>::new());
        assert_eq!(wrong(&["const A: u32 = 1_000;", "#[cfg(test)] const A: u32 = 2;"]), Vec::<String>::new());
        assert_eq!(wrong(&["const A: &str = \"a\";", "const A: &str = \"b\";"]), Vec::<String>::new());
    }
}
