//! Dependencies between our own crates point one way only. The table here is ARCHITECTURE.md's picture.
//! Inside a crate the rules of `module_arrows` hold.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;

use anyhow::{Context, Result};
use cargo_metadata::{DependencyKind, Metadata, MetadataCommand, TargetKind};

use crate::check::Outcome;
use crate::module_arrows::Rooms;
use crate::module_graph::ModuleGraph;
use crate::shell;

/// Folders that are still being rebuilt: cycles there, long functions and constants are counted, but do not fail.
const PENDING: &[&str] = &[];

/// Where a package sits in the house.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Room {
    /// A library below `crates/`, with the libraries it may know.
    Library(&'static [&'static str]),
    /// A program below `apps/`: may know every library, and no crate may know it.
    App,
    /// Tools: know nothing of ours, so that they still build when a library does not.
    Tool,
}

/// Which crate may know which. `formats` and `physics` never meet: what one needs of the other goes through `project`.
const ROOMS: &[(&str, Room)] = &[
    ("aplomb-motion", Room::Library(&[])),
    ("aplomb-formats", Room::Library(&["aplomb-motion"])),
    ("aplomb-numerics", Room::Library(&[])),
    ("aplomb-render", Room::Library(&["aplomb-motion"])),
    ("aplomb-physics", Room::Library(&["aplomb-motion", "aplomb-numerics"])),
    ("aplomb-analysis", Room::Library(&["aplomb-motion", "aplomb-numerics", "aplomb-physics"])),
    ("aplomb-editing", Room::Library(&["aplomb-motion", "aplomb-numerics", "aplomb-physics", "aplomb-analysis"])),
    // Pictures of the built-ins are an example of this crate, so it may know the renderer.
    (
        "aplomb-builtins",
        Room::Library(&["aplomb-motion", "aplomb-numerics", "aplomb-physics", "aplomb-editing", "aplomb-render"]),
    ),
    (
        "aplomb-project",
        Room::Library(&[
            "aplomb-motion",
            "aplomb-formats",
            "aplomb-numerics",
            "aplomb-physics",
            "aplomb-analysis",
            "aplomb-editing",
            "aplomb-builtins",
        ]),
    ),
    // Findings and refusals in words, for apps: it knows what each room can refuse.
    (
        "aplomb-words",
        Room::Library(&["aplomb-motion", "aplomb-formats", "aplomb-analysis", "aplomb-editing", "aplomb-project"]),
    ),
    // Pages for people: reports, receipts, the demo's index. Drawn from what `project` found, without mathematics of
    // their own; `project` never knows how it is drawn.
    (
        "aplomb-pages",
        Room::Library(&[
            "aplomb-motion",
            "aplomb-physics",
            "aplomb-analysis",
            "aplomb-editing",
            "aplomb-render",
            "aplomb-project",
            // Tests and examples make receipts.
            "aplomb-words",
        ]),
    ),
    // The door for Rust users: names of the rooms below, and no work of its own.
    (
        "aplomb",
        Room::Library(&[
            "aplomb-motion",
            "aplomb-formats",
            "aplomb-physics",
            "aplomb-analysis",
            "aplomb-editing",
            "aplomb-project",
            "aplomb-words",
            "aplomb-pages",
        ]),
    ),
    // The server and page of `aplomb studio`: the command starts it, so it is a library to it, and knows no app itself.
    (
        "aplomb-studio",
        Room::Library(&[
            "aplomb-motion",
            "aplomb-formats",
            "aplomb-numerics",
            "aplomb-physics",
            "aplomb-analysis",
            "aplomb-editing",
            "aplomb-builtins",
            "aplomb-project",
            "aplomb-words",
            "aplomb-pages",
        ]),
    ),
    ("aplomb-cli", Room::App),
    ("aplomb-python", Room::App),
    ("xtask", Room::Tool),
];

/// Package name → names of the workspace packages it depends on, tests and build scripts included.
type Graph = BTreeMap<String, Vec<String>>;

/// Reads the workspace and checks every arrow, between crates and inside them; prints them if asked to.
pub fn run(prints: bool) -> Result<Outcome> {
    let metadata = MetadataCommand::new().no_deps().exec().context("cargo metadata")?;
    let graph = workspace_graph(&metadata);
    let mut failures = wrong_arrows(&graph);
    let (mut files, mut pending) = (0, 0);
    for (package, root) in roots(&metadata) {
        let modules = ModuleGraph::of_crate(root)?;
        files += modules.files();
        let rooms = Rooms::new(modules.arrows());
        if prints {
            // A pager may close before the end.
            std::io::stdout().write_all(rooms.text(package).as_bytes()).ok();
        }
        failures.extend(rooms.wrong_verbs(package));
        for (room, wrong) in rooms.cycles(package) {
            let folder = root.parent().map(|source| source.join(room.join("/")));
            if folder.is_some_and(|folder| is_pending(&folder)) {
                pending += 1;
            } else {
                failures.push(wrong);
            }
        }
    }
    let waiting =
        if pending > 0 { format!(", {pending} cycles in rooms that are still to be tidied") } else { String::new() };
    Ok(Outcome { failures, note: format!("{} packages, {files} modules{waiting}", graph.len()), ..Outcome::default() })
}

/// Stands in one of the [`PENDING`] folders.
pub fn is_pending(path: &Path) -> bool {
    let inside = path.strip_prefix(shell::workspace_root()).unwrap_or(path);
    let inside = inside.strip_prefix(".").unwrap_or(inside);
    PENDING.iter().any(|folder| inside.starts_with(folder))
}

/// Every library and program that is built for users, by its package and first file.
fn roots(metadata: &Metadata) -> Vec<(&str, &Path)> {
    let of_package = |package: &'_ &cargo_metadata::Package| room_of(&package.name) != Some(Room::Tool);
    let packages = metadata.workspace_packages().into_iter().filter(of_package);
    let built = |target: &&cargo_metadata::Target| {
        target.is_bin() || target.kind.iter().any(|kind| matches!(kind, TargetKind::Lib | TargetKind::CDyLib))
    };
    packages
        .flat_map(|package| {
            let targets = package.targets.iter().filter(built);
            targets.map(|target| (package.name.as_str(), target.src_path.as_std_path()))
        })
        .collect()
}

fn workspace_graph(metadata: &Metadata) -> Graph {
    let packages = metadata.workspace_packages();
    let ours: Vec<String> = packages.iter().map(|package| package.name.to_string()).collect();
    let arrows_of = |package: &cargo_metadata::Package| {
        // Examples and tests may look at a neighbour; what is built for users may not.
        let built = package.dependencies.iter().filter(|dependency| dependency.kind != DependencyKind::Development);
        let known = built.map(|dependency| dependency.name.clone());
        known.filter(|name| ours.contains(name)).collect()
    };
    packages.iter().map(|package| (package.name.to_string(), arrows_of(package))).collect()
}

fn wrong_arrows(graph: &Graph) -> Vec<String> {
    let mut wrong = Vec::new();
    for (from, dependencies) in graph {
        let Some(room) = room_of(from) else {
            wrong
                .push(format!("arrows: {from} is not in the table of xtask/src/arrows.rs: say there what it may know"));
            continue;
        };
        for to in dependencies.iter().filter(|to| *to != from) {
            if !may_know(room, to) {
                wrong.push(format!("arrows: {from} must not depend on {to} (see ARCHITECTURE.md)"));
            }
        }
    }
    wrong
}

fn may_know(room: Room, to: &str) -> bool {
    match room {
        Room::Library(allowed) => allowed.contains(&to),
        Room::App => matches!(room_of(to), Some(Room::Library(_))),
        Room::Tool => false,
    }
}

fn room_of(name: &str) -> Option<Room> {
    ROOMS.iter().find(|(known, _)| *known == name).map(|(_, room)| *room)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graph(arrows: &[(&str, &[&str])]) -> Graph {
        let owned = |(from, to): &(&str, &[&str])| (from.to_string(), to.iter().map(|to| to.to_string()).collect());
        arrows.iter().map(owned).collect()
    }

    #[test]
    fn the_workspace_as_it_is_today_passes() {
        assert_eq!(run(false).unwrap().failures, Vec::<String>::new());
    }

    #[test]
    fn the_drawn_arrows_pass() {
        let house = graph(&[
            ("aplomb-motion", &[]),
            ("aplomb-formats", &["aplomb-motion"]),
            ("aplomb-project", &["aplomb-formats", "aplomb-physics"]),
            ("aplomb-cli", &["aplomb-project", "aplomb-render"]),
        ]);
        assert_eq!(wrong_arrows(&house), Vec::<String>::new());
    }

    #[test]
    fn an_arrow_back_or_sideways_is_named() {
        for (from, to) in [
            ("aplomb-motion", "aplomb-formats"),
            ("aplomb-formats", "aplomb-physics"),
            ("aplomb-physics", "aplomb-formats"),
            ("aplomb-numerics", "aplomb-motion"),
            ("aplomb-editing", "aplomb-cli"),
            ("aplomb-project", "aplomb-pages"),
            ("aplomb-studio", "aplomb-cli"),
            ("aplomb-project", "aplomb"),
            ("xtask", "aplomb-motion"),
        ] {
            let wrong = wrong_arrows(&graph(&[(from, &[to])]));
            assert_eq!(wrong.len(), 1, "{from} -> {to}");
            assert!(wrong[0].contains(from) && wrong[0].contains(to), "{wrong:?}");
        }
    }

    #[test]
    fn a_crate_outside_the_table_is_refused() {
        let wrong = wrong_arrows(&graph(&[("aplomb-shed", &[])]));
        assert!(wrong[0].contains("aplomb-shed is not in the table"), "{wrong:?}");
    }

    #[test]
    fn a_crate_may_depend_on_itself_for_its_own_tests() {
        assert!(wrong_arrows(&graph(&[("aplomb-motion", &["aplomb-motion"])])).is_empty());
    }

    #[test]
    fn every_library_in_the_table_only_knows_libraries_above_it() {
        for (position, (name, room)) in ROOMS.iter().enumerate() {
            let Room::Library(allowed) = room else { continue };
            for known in *allowed {
                assert!(ROOMS[..position].iter().any(|(above, _)| above == known), "{name} knows {known}");
            }
        }
    }
}
