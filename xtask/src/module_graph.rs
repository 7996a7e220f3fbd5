//! Which module of a crate knows which: read from its `use` lines and its paths.
//!
//! A path is followed to the module that defines what it names, through re-exports and imports on the way. So
//! `super::Span`, where the parent only re-exports `span::Span`, is an arrow to `span`, not to the parent.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use anyhow::{Context, Result};
use proc_macro2::{TokenStream, TokenTree};
use syn::visit::{self, Visit};

use crate::rust_source;

/// How many re-exports one name may pass; a ring of imports ends there.
const MOST_REEXPORTS: usize = 16;

/// Names from the root of the crate on; the root itself is empty.
pub type ModulePath = Vec<String>;

/// One module knows another, with a path that shows it. Modules written inside a file count as that file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Arrow {
    pub from: ModulePath,
    pub to: ModulePath,
    /// As written, for the message.
    pub example: String,
}

/// The modules of one crate that are built for users.
#[derive(Debug, Default)]
pub struct ModuleGraph {
    modules: BTreeMap<ModulePath, Module>,
}

#[derive(Debug, Default)]
struct Module {
    /// The module whose file this one is written in; differs from its own path for `mod name { … }`.
    file: ModulePath,
    items: BTreeSet<String>,
    imports: Vec<Import>,
    paths: BTreeSet<Vec<String>>,
}

/// One leaf of a `use`.
#[derive(Debug, Clone)]
struct Import {
    segments: Vec<String>,
    /// `None` for `*`.
    name: Option<String>,
    is_reexport: bool,
}

/// Where a path leads inside the crate.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Target {
    Module(ModulePath),
    /// Something defined in this module.
    ItemOf(ModulePath),
}

impl ModuleGraph {
    /// Reads a crate from its `lib.rs` or `main.rs` on.
    pub fn of_crate(root: &Path) -> Result<Self> {
        let mut graph = Self::default();
        let mut pending = vec![(ModulePath::new(), root.to_owned())];
        while let Some((path, file)) = pending.pop() {
            let items = rust_source::parse(&file)?.items;
            for child in graph.add_file(path.clone(), &items) {
                let name = child.last().map_or("", String::as_str);
                // Modules inside a file have no files of their own below them.
                let found = (child.len() == path.len() + 1).then(|| rust_source::file_of_child(&file, name)).flatten();
                let found = found.with_context(|| format!("{}: no file for `mod {name};`", file.display()))?;
                pending.push((child, found));
            }
        }
        Ok(graph)
    }

    /// How many files.
    pub fn files(&self) -> usize {
        self.modules.iter().filter(|(path, module)| **path == module.file).count()
    }

    /// Adds the modules written in one file; returns those whose files must be read next.
    pub fn add_file(&mut self, path: ModulePath, items: &[syn::Item]) -> Vec<ModulePath> {
        let mut elsewhere = Vec::new();
        let mut pending = vec![(path.clone(), items)];
        while let Some((at, items)) = pending.pop() {
            let mut reader = Reader::default();
            reader.module.file = path.clone();
            for item in items.iter().filter(|item| !rust_source::is_test_only(rust_source::attributes(item))) {
                match item {
                    syn::Item::Mod(child) => {
                        let below = [at.as_slice(), &[child.ident.to_string()]].concat();
                        match &child.content {
                            Some((_, items)) => pending.push((below, items)),
                            None => elsewhere.push(below),
                        }
                    }
                    _ => reader.visit_item(item),
                }
                reader.module.items.extend(name_of(item));
            }
            self.modules.insert(at, reader.module);
        }
        elsewhere
    }

    /// Every arrow between files. A re-export of what lies below is none: it is how a room shows what it has.
    pub fn arrows(&self) -> Vec<Arrow> {
        let mut arrows = BTreeMap::new();
        for (at, module) in &self.modules {
            let imports = module.imports.iter().map(|import| (&import.segments, import.is_reexport));
            for (segments, is_reexport) in imports.chain(module.paths.iter().map(|path| (path, false))) {
                let Some(Target::ItemOf(found)) = self.resolve(at, segments, MOST_REEXPORTS) else { continue };
                let Some(to) = self.modules.get(&found).map(|found| found.file.clone()) else { continue };
                let shows_what_lies_below = is_reexport && to.starts_with(at);
                if to != module.file && !shows_what_lies_below {
                    arrows.entry((module.file.clone(), to)).or_insert_with(|| segments.join("::"));
                }
            }
        }
        arrows.into_iter().map(|((from, to), example)| Arrow { from, to, example }).collect()
    }

    /// Follows a path from a module; `None` when it leaves the crate.
    fn resolve(&self, from: &[String], segments: &[String], reexports_left: usize) -> Option<Target> {
        let mut at = from.to_vec();
        let mut rest = segments;
        let mut is_ours = false;
        while let [first, others @ ..] = rest {
            match first.as_str() {
                "crate" => at.clear(),
                "self" => {}
                "super" => drop(at.pop()?),
                _ => break,
            }
            (rest, is_ours) = (others, true);
        }
        while let [name, others @ ..] = rest {
            let found = self.look_up(&at, name, others.is_empty(), reexports_left);
            match found {
                Some(Some(Target::Module(module))) => at = module,
                Some(found) => return found,
                // Made by a macro, most likely.
                None => return is_ours.then_some(Target::ItemOf(at)),
            }
            (rest, is_ours) = (others, true);
        }
        Some(Target::Module(at))
    }

    /// A name inside a module: `None` if it is not there, `Some(None)` if it is from another crate.
    fn look_up(&self, at: &[String], name: &str, is_last: bool, reexports_left: usize) -> Option<Option<Target>> {
        let module = self.modules.get(at)?;
        let below = [at, &[name.to_owned()]].concat();
        let child = self.modules.contains_key(&below).then_some(Some(Target::Module(below)));
        if child.is_some() && !is_last {
            return child;
        }
        if module.items.contains(name) {
            return Some(Some(Target::ItemOf(at.to_vec())));
        }
        let reexports_left = reexports_left.checked_sub(1)?;
        let named = module.imports.iter().find(|import| import.name.as_deref() == Some(name));
        // `use name;` and `use name::Item as name` look themselves up; the name outside the crate is meant.
        if let Some(import) = named.filter(|import| import.segments != [name]) {
            return Some(self.resolve(at, &import.segments, reexports_left));
        }
        let through_globs = || {
            module.imports.iter().filter(|import| import.name.is_none()).find_map(|glob| {
                match self.resolve(at, &glob.segments, reexports_left)? {
                    Target::Module(of) if of != at => self.look_up(&of, name, is_last, reexports_left),
                    _ => None,
                }
            })
        };
        child.or_else(through_globs)
    }
}

/// Collects what one module defines, imports and names.
#[derive(Default)]
struct Reader {
    module: Module,
}

impl<'ast> Visit<'ast> for Reader {
    fn visit_item(&mut self, item: &'ast syn::Item) {
        if !rust_source::is_test_only(rust_source::attributes(item)) {
            visit::visit_item(self, item);
        }
    }

    fn visit_impl_item_fn(&mut self, function: &'ast syn::ImplItemFn) {
        if !rust_source::is_test_only(&function.attrs) {
            visit::visit_impl_item_fn(self, function);
        }
    }

    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        if item.leading_colon.is_none() {
            let is_reexport = !matches!(item.vis, syn::Visibility::Inherited);
            add_imports(&item.tree, &mut Vec::new(), is_reexport, &mut self.module.imports);
        }
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        if path.leading_colon.is_none() {
            self.module.paths.insert(path.segments.iter().map(|segment| segment.ident.to_string()).collect());
        }
        visit::visit_path(self, path);
    }

    /// `pub(super)` is no arrow.
    fn visit_visibility(&mut self, _: &'ast syn::Visibility) {}

    fn visit_macro(&mut self, makro: &'ast syn::Macro) {
        self.visit_path(&makro.path);
        add_paths_of_tokens(makro.tokens.clone(), &mut self.module.paths);
    }
}

fn add_imports(tree: &syn::UseTree, above: &mut Vec<String>, is_reexport: bool, imports: &mut Vec<Import>) {
    let mut add = |segments: Vec<String>, name| imports.push(Import { segments, name, is_reexport });
    let leaf = |name: &syn::Ident| {
        let own = (name != "self").then(|| name.to_string());
        above.iter().cloned().chain(own).collect::<Vec<_>>()
    };
    match tree {
        syn::UseTree::Name(name) => {
            let segments = leaf(&name.ident);
            let name = segments.last().cloned();
            add(segments, name);
        }
        syn::UseTree::Rename(renamed) => add(leaf(&renamed.ident), Some(renamed.rename.to_string())),
        syn::UseTree::Glob(_) => add(above.clone(), None),
        syn::UseTree::Path(path) => {
            above.push(path.ident.to_string());
            add_imports(&path.tree, above, is_reexport, imports);
            above.pop();
        }
        syn::UseTree::Group(group) => {
            group.items.iter().for_each(|tree| add_imports(tree, above, is_reexport, imports));
        }
    }
}

/// Arguments of macros are tokens only; a path there is names with `::` between them.
fn add_paths_of_tokens(tokens: TokenStream, paths: &mut BTreeSet<Vec<String>>) {
    let mut path: Vec<String> = Vec::new();
    let mut colons = 0;
    for token in tokens {
        match token {
            TokenTree::Punct(punct) if punct.as_char() == ':' => colons += 1,
            TokenTree::Ident(name) => {
                if colons != 2 && !path.is_empty() {
                    paths.insert(std::mem::take(&mut path));
                }
                path.push(name.to_string());
                colons = 0;
            }
            other => {
                paths.extend(Some(std::mem::take(&mut path)).filter(|path| !path.is_empty()));
                colons = 0;
                if let TokenTree::Group(group) = other {
                    add_paths_of_tokens(group.stream(), paths);
                }
            }
        }
    }
    paths.extend(Some(path).filter(|path| !path.is_empty()));
}

fn name_of(item: &syn::Item) -> Option<String> {
    use syn::Item::*;
    let name = match item {
        Const(item) => &item.ident,
        Enum(item) => &item.ident,
        Fn(item) => &item.sig.ident,
        Macro(item) => item.ident.as_ref()?,
        Static(item) => &item.ident,
        Struct(item) => &item.ident,
        Trait(item) => &item.ident,
        TraitAlias(item) => &item.ident,
        Type(item) => &item.ident,
        Union(item) => &item.ident,
        _ => return None,
    };
    Some(name.to_string())
}
