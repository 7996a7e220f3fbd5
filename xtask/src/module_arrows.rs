//! Arrows between the modules of one crate.
//!
//! A room is a module with modules below it: the crate itself, or a folder. Its own file (`lib.rs`, `mod.rs`, or
//! `name.rs` beside `name/`) is its door. The rules:
//!
//! 1. In every room, the modules directly below the door import one another in one direction only. A folder counts
//!    as one module there, with all that lies in it. So neither two files nor two folders may import each other,
//!    not even through a third.
//! 2. The door belongs to its room: it may call what lies below it, and what lies below it may use the types that it
//!    defines. Arrows between a module and the modules above it are therefore not counted.
//! 3. A re-export is no arrow of the door's. Imports are followed through it, to the file with the definition.
//! 4. The verbs of `editing` do not import one another, and what they share imports none of them.
//!
//! Tests are left out: they may look at everything.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use crate::module_graph::{Arrow, ModulePath};

/// The crate whose modules are verbs.
const CRATE_OF_VERBS: &str = "aplomb-editing";

/// Its modules that are verbs. All others are shared by them.
const VERBS: &[&str] =
    &["adapt", "arc", "blend", "path", "reach", "speed", "tilt", "touchup", "track", "transition", "travel"];

/// Which modules of one room import which, each with one import that shows it.
type Room = BTreeMap<String, BTreeMap<String, Arrow>>;

/// The rooms of a crate, by the path of their doors.
pub struct Rooms(BTreeMap<ModulePath, Room>);

impl Rooms {
    /// Sorts arrows into rooms: each belongs to the innermost room that holds both of its ends.
    pub fn new(arrows: Vec<Arrow>) -> Self {
        let mut rooms: BTreeMap<ModulePath, Room> = BTreeMap::new();
        for arrow in arrows {
            let shared = arrow.from.iter().zip(&arrow.to).take_while(|(from, to)| from == to).count();
            // One of the two is the door of the other.
            let (Some(from), Some(to)) = (arrow.from.get(shared), arrow.to.get(shared)) else { continue };
            let room = rooms.entry(arrow.from[..shared].to_vec()).or_default();
            room.entry(from.clone()).or_default().entry(to.clone()).or_insert(arrow);
        }
        Self(rooms)
    }

    /// Rooms in which modules import each other, with what is wrong there.
    pub fn cycles(&self, package: &str) -> Vec<(ModulePath, String)> {
        let in_room = |(path, room): (&ModulePath, &Room)| {
            let say = |ring: Vec<String>| {
                (path.clone(), format!("arrows: {}: {}", name(package, path), describe(room, &ring)))
            };
            rings(room).into_iter().map(say).collect::<Vec<_>>()
        };
        self.0.iter().flat_map(in_room).collect()
    }

    /// Verbs that import verbs, and shared modules that do.
    pub fn wrong_verbs(&self, package: &str) -> Vec<String> {
        let top = self.0.get(&ModulePath::new()).filter(|_| package == CRATE_OF_VERBS);
        let arrows =
            top.into_iter().flatten().flat_map(|(from, all)| all.iter().map(move |(to, arrow)| (from, to, arrow)));
        let wrong = arrows.filter(|(_, to, _)| VERBS.contains(&to.as_str()));
        let say = |(from, to, arrow): (&String, &String, &Arrow)| {
            let why = if VERBS.contains(&from.as_str()) { "verbs do not import verbs" } else { "no verb is shared" };
            format!("arrows: {package}: {from} must not import {to} ({}): {why}", shown(arrow))
        };
        wrong.map(say).collect()
    }

    /// Every arrow, a line for each module.
    pub fn text(&self, package: &str) -> String {
        let mut text = String::new();
        for (path, room) in &self.0 {
            text.push_str(&format!("{}\n", name(package, path)));
            for (from, to) in room {
                let to: Vec<&str> = to.keys().map(String::as_str).collect();
                text.push_str(&format!("    {from} → {}\n", to.join(", ")));
            }
        }
        text
    }
}

fn name(package: &str, path: &[String]) -> String {
    std::iter::once(package).chain(path.iter().map(String::as_str)).collect::<Vec<_>>().join("::")
}

fn shown(arrow: &Arrow) -> String {
    format!("{} uses {}", arrow.from.join("::"), arrow.example)
}

/// The modules that import each other, and the arrows of a shortest round trip.
fn describe(room: &Room, ring: &[String]) -> String {
    let trips = ring.iter().filter_map(|start| round_trip(room, start));
    let shortest = trips.min_by_key(Vec::len).unwrap_or_default();
    let arrows: Vec<String> =
        shortest.windows(2).filter_map(|step| Some(shown(room.get(&step[0])?.get(&step[1])?))).collect();
    format!("{} modules import each other ({}), as in {}", ring.len(), ring.join(", "), arrows.join(", "))
}

/// Sets of modules each of which leads to every other.
fn rings(room: &Room) -> BTreeSet<Vec<String>> {
    let reached: BTreeMap<&String, BTreeSet<&String>> =
        room.keys().map(|start| (start, reached_from(room, start))).collect();
    let ring_of = |(start, others): (&&String, &BTreeSet<&String>)| {
        let leads_back = |other: &&&String| reached.get(**other).is_some_and(|back| back.contains(*start));
        others.contains(*start).then(|| others.iter().filter(leads_back).map(|name| name.to_string()).collect())
    };
    reached.iter().filter_map(ring_of).collect()
}

fn reached_from<'room>(room: &'room Room, start: &'room String) -> BTreeSet<&'room String> {
    let mut reached = BTreeSet::new();
    let mut pending = vec![start];
    while let Some(at) = pending.pop() {
        pending.extend(room.get(at).into_iter().flat_map(BTreeMap::keys).filter(|to| reached.insert(*to)));
    }
    reached
}

/// The shortest way from a module back to itself, both ends included.
fn round_trip(room: &Room, start: &String) -> Option<Vec<String>> {
    let mut seen = BTreeSet::new();
    let mut pending = VecDeque::from([vec![start.clone()]]);
    while let Some(way) = pending.pop_front() {
        for to in room.get(way.last()?).into_iter().flat_map(BTreeMap::keys) {
            let longer = [way.as_slice(), std::slice::from_ref(to)].concat();
            if to == start {
                return Some(longer);
            }
            if seen.insert(to) {
                pending.push_back(longer);
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::module_graph::ModuleGraph;

    /// A crate as a list of modules and their text; parents before children.
    fn rooms(modules: &[(&str, &str)]) -> Rooms {
        let mut graph = ModuleGraph::default();
        for (path, text) in modules {
            let path = path.split("::").filter(|name| !name.is_empty()).map(str::to_owned).collect();
            graph.add_file(path, &syn::parse_file(text).unwrap().items);
        }
        Rooms::new(graph.arrows())
    }

    fn cycles(modules: &[(&str, &str)]) -> Vec<String> {
        rooms(modules).cycles("house").into_iter().map(|(_, wrong)| wrong).collect()
    }

    #[test]
    fn two_files_that_import_each_other_are_named_with_their_imports() {
        let wrong = cycles(&[
            ("", "mod a; mod b; mod c;"),
            ("a", "use crate::b::B; pub struct A(B);"),
            ("b", "pub struct B; fn f() { super::a::A::new() }"),
            ("c", "use crate::a::A;"),
        ]);
        assert_eq!(wrong.len(), 1, "{wrong:?}");
        assert!(wrong[0].contains("2 modules import each other (a, b)"), "{wrong:?}");
        assert!(wrong[0].contains("a uses crate::b::B") && wrong[0].contains("b uses super::a::A::new"), "{wrong:?}");
    }

    #[test]
    fn two_folders_that_import_each_other_through_different_files_are_found() {
        let wrong = cycles(&[
            ("", "mod left; mod right;"),
            ("left", "mod one; mod two;"),
            ("left::one", "use crate::right::one::R; "),
            ("left::two", "pub struct L;"),
            ("right", "mod one; mod two;"),
            ("right::one", "pub struct R;"),
            ("right::two", "use crate::left::two::L;"),
        ]);
        assert!(wrong.len() == 1 && wrong[0].contains("(left, right)"), "{wrong:?}");
    }

    #[test]
    fn a_ring_of_three_and_one_inside_a_macro_are_found() {
        let wrong = cycles(&[
            ("", "mod a; mod b; mod c;"),
            ("a", "fn f() -> String { format!(\"{}\", super::b::f()) }"),
            ("b", "use crate::c as other; pub fn f() { other::g() }"),
            ("c", "pub fn g() { use super::a; a::f() }"),
        ]);
        assert!(wrong.len() == 1 && wrong[0].contains("3 modules"), "{wrong:?}");
    }

    #[test]
    fn an_import_through_the_parent_is_followed_to_the_definition() {
        let through_reexports = [
            ("", "mod a; mod b; pub use a::*; use b::B as Renamed;"),
            ("a", "use super::Renamed; pub struct A;"),
            ("b", "pub struct B; fn f(a: crate::A) {}"),
        ];
        assert_eq!(cycles(&through_reexports).len(), 1);
    }

    #[test]
    fn a_door_may_call_its_room_and_the_room_may_use_its_types() {
        let room = [
            ("", "mod room;"),
            ("room", "mod part; pub struct Options; fn f() { part::run(Options) } pub use part::run;"),
            ("room::part", "use super::Options; pub fn run(options: Options) {}"),
        ];
        assert_eq!(cycles(&room), Vec::<String>::new());
    }

    #[test]
    fn tests_visibilities_and_names_of_other_crates_are_no_arrows() {
        let modules = [
            ("", "mod a; mod b;"),
            ("a", "use crate::b::B; pub(super) struct A; #[cfg(test)] mod tests;"),
            ("b", "pub(in crate::a) struct B; #[cfg(test)] mod tests { use crate::a::A; } fn f() { serde::a::A }"),
        ];
        assert_eq!(cycles(&modules), Vec::<String>::new());
    }

    #[test]
    fn a_verb_that_imports_a_verb_is_named() {
        let rooms = rooms(&[
            ("", "mod arc; mod tilt; mod span; pub use arc::TravelLine;"),
            ("arc", "pub struct TravelLine;"),
            ("tilt", "use crate::TravelLine;"),
            ("span", "use crate::arc::TravelLine; use crate::tilt::T;"),
        ]);
        let wrong = rooms.wrong_verbs("aplomb-editing");
        assert_eq!(wrong.len(), 3, "{wrong:?}");
        assert!(wrong.iter().any(|wrong| wrong.contains("tilt must not import arc")), "{wrong:?}");
        assert!(rooms.wrong_verbs("aplomb-motion").is_empty());
    }

    #[test]
    fn the_graph_has_a_line_for_each_module_that_imports_something() {
        let rooms = rooms(&[("", "mod a; mod b;"), ("a", "use crate::b::B;"), ("b", "pub struct B;")]);
        assert_eq!(rooms.text("house"), "house\n    a → b\n");
    }
}
