//! Rust source as a tree: what is built for users, without what only tests see.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use syn::punctuated::Punctuated;

/// Reads and parses one file.
pub fn parse(file: &Path) -> Result<syn::File> {
    let text = std::fs::read_to_string(file).with_context(|| file.display().to_string())?;
    syn::parse_file(&text).with_context(|| file.display().to_string())
}

/// Stands under `#[test]`, `#[cfg(test)]` or `#[cfg(all(test, …))]`.
pub fn is_test_only(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        let condition = || attribute.parse_args::<syn::Meta>().is_ok_and(|condition| needs_tests(&condition));
        attribute.path().is_ident("test") || (attribute.path().is_ident("cfg") && condition())
    })
}

fn needs_tests(condition: &syn::Meta) -> bool {
    let words = Punctuated::<syn::Meta, syn::Token![,]>::parse_terminated;
    match condition {
        syn::Meta::Path(word) => word.is_ident("test"),
        syn::Meta::List(all) if all.path.is_ident("all") => {
            all.parse_args_with(words).is_ok_and(|all| all.iter().any(needs_tests))
        }
        _ => false,
    }
}

/// The attributes of an item; none for items that syn does not know.
pub fn attributes(item: &syn::Item) -> &[syn::Attribute] {
    use syn::Item::*;
    match item {
        Const(item) => &item.attrs,
        Enum(item) => &item.attrs,
        ExternCrate(item) => &item.attrs,
        Fn(item) => &item.attrs,
        ForeignMod(item) => &item.attrs,
        Impl(item) => &item.attrs,
        Macro(item) => &item.attrs,
        Mod(item) => &item.attrs,
        Static(item) => &item.attrs,
        Struct(item) => &item.attrs,
        Trait(item) => &item.attrs,
        TraitAlias(item) => &item.attrs,
        Type(item) => &item.attrs,
        Union(item) => &item.attrs,
        Use(item) => &item.attrs,
        _ => &[],
    }
}

/// The file of `mod name;` that is written in `parent`.
pub fn file_of_child(parent: &Path, name: &str) -> Option<PathBuf> {
    let stem = parent.file_stem()?.to_str()?;
    let beside = parent.parent()?;
    let folder = if ["lib", "main", "mod"].contains(&stem) { beside.to_owned() } else { beside.join(stem) };
    [folder.join(format!("{name}.rs")), folder.join(name).join("mod.rs")].into_iter().find(|file| file.is_file())
}
