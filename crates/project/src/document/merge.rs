//! Writes what changed in a project into the text that people keep, and leaves the rest of the text as it is.
//!
//! Three versions meet: the text, the project as it was read from it, and the project as it shall be. Only keys in
//! which the two projects differ are touched. A TOML file says by the order of its tables which element of a list a
//! nested table belongs to, so every table that is written gets a place in the file: see [`spread`].

use toml_edit::{ArrayOfTables, DocumentMut, Item, Table, Value};

/// Writes into `text` what differs between two projects, each as it would be written anew.
pub(super) fn merge(text: &mut DocumentMut, before: &DocumentMut, after: &DocumentMut) {
    let tables = tables_in(text) + tables_in(&mut after.clone());
    spread(text, 2 * tables + 2);
    Merge { half_gap: tables + 1 }.table(text, before, after);
}

struct Merge {
    /// Between two tables of the text there is room for twice as many new ones.
    half_gap: isize,
}

impl Merge {
    fn table(&self, text: &mut Table, before: &Table, after: &Table) {
        for (key, _) in before.iter().filter(|(key, _)| !after.contains_key(key)) {
            text.remove(key);
        }
        for (key, new) in after {
            let old = before.get(key);
            if old.is_some_and(|old| written(old) == written(new)) {
                continue;
            }
            let place = self.place_of_new(key, text);
            match (text.get_mut(key), old) {
                (Some(kept), Some(old)) => self.item(kept, old, new, place),
                _ => drop(text.insert(key, placed(new, place))),
            }
        }
    }

    /// Where a table that was not there goes: settings before the edits, everything else behind what its table has
    /// already.
    fn place_of_new(&self, key: &str, text: &mut Table) -> isize {
        let edits = text.get("edit").filter(|_| key != "edit").and_then(Item::as_array_of_tables);
        match edits.and_then(|edits| edits.get(0)?.position()) {
            Some(first) => first - self.half_gap,
            None => last_place(text) + 1,
        }
    }

    fn item(&self, kept: &mut Item, old: &Item, new: &Item, place: isize) {
        match (old, new) {
            (Item::Table(old), Item::Table(new)) => {
                if let Some(kept) = as_table(kept, place) {
                    return self.table(kept, old, new);
                }
            }
            (Item::ArrayOfTables(old), Item::ArrayOfTables(new)) => {
                if let Some(kept) = as_tables(kept, place).filter(|kept| kept.len() == old.len()) {
                    return self.list(kept, old, new);
                }
            }
            (_, Item::Value(new)) => {
                if let Item::Value(kept) = kept {
                    return replace_value(kept, new);
                }
            }
            _ => {}
        }
        *kept = placed(new, place);
    }

    /// An element that stays as it is keeps its text, wherever it goes. One that changes keeps what did not change in
    /// it.
    fn list(&self, kept: &mut ArrayOfTables, old: &ArrayOfTables, new: &ArrayOfTables) {
        let mut own: Vec<Table> = std::mem::take(kept).into_iter().collect();
        let places: Vec<isize> = own.iter().filter_map(Table::position).collect();
        let mut end = own.iter_mut().map(last_place).max().unwrap_or_default();
        let unchanged = unchanged(old, new);
        for (index, made) in new.iter().enumerate() {
            let is_same_verb = |old: &&Table| written_key(old, "verb") == written_key(made, "verb");
            let tuned = old.get(index).filter(is_same_verb).filter(|_| !unchanged.contains(&Some(index)));
            let (from, mut table) = match (unchanged[index], tuned) {
                (Some(from), _) => (Some(from), std::mem::take(&mut own[from])),
                (None, Some(old)) => {
                    self.table(&mut own[index], old, made);
                    (Some(index), std::mem::take(&mut own[index]))
                }
                (None, None) => (None, made.clone()),
            };
            if from != Some(index) {
                put_in_a_row(&mut table, places.get(index).copied().unwrap_or(end + 1));
            }
            end = end.max(last_place(&mut table));
            kept.push(table);
        }
    }
}

/// For each new element the old one that it is. Of equal ones, those at the same distance from the start or from the
/// end are the same.
fn unchanged(old: &ArrayOfTables, new: &ArrayOfTables) -> Vec<Option<usize>> {
    let all = |tables: &ArrayOfTables| tables.iter().map(written_table).collect::<Vec<String>>();
    let (old, new) = (all(old), all(new));
    let same = |(a, b): &(&String, &String)| a == b;
    let head = old.iter().zip(&new).take_while(same).count();
    let tail = old[head..].iter().rev().zip(new[head..].iter().rev()).take_while(same).count();
    let mut free: Vec<usize> = (head..old.len() - tail).collect();
    let of_middle = |text: &String| {
        let found = free.iter().position(|&index| old[index] == *text)?;
        Some(free.remove(found))
    };
    let middle: Vec<Option<usize>> = new[head..new.len() - tail].iter().map(of_middle).collect();
    (0..head).map(Some).chain(middle).chain((old.len() - tail..old.len()).map(Some)).collect()
}

/// Calls `visit` for the table and all in it that have a header, in the order in which they are written where no place
/// says otherwise.
fn each_table(table: &mut Table, visit: &mut impl FnMut(&mut Table)) {
    if !table.is_dotted() {
        visit(table);
    }
    for (_, item) in table.iter_mut() {
        match item {
            Item::Table(table) => each_table(table, visit),
            Item::ArrayOfTables(tables) => tables.iter_mut().for_each(|table| each_table(table, visit)),
            Item::None | Item::Value(_) => {}
        }
    }
}

fn tables_in(table: &mut Table) -> isize {
    let mut count = 0;
    each_table(table, &mut |_| count += 1);
    count
}

fn last_place(table: &mut Table) -> isize {
    let mut last = 0;
    each_table(table, &mut |table| last = last.max(table.position().unwrap_or_default()));
    last
}

/// Moves places of tables apart by `gap`, so that others fit between them. A table without a place has that of the one
/// before it.
fn spread(table: &mut Table, gap: isize) {
    let mut last = 0;
    each_table(table, &mut |table| {
        last = table.position().map_or(last, |place| place * gap);
        table.set_position(Some(last));
    });
}

/// Gives the table and all in it places one after the other, in the order that they have.
fn put_in_a_row(table: &mut Table, start: isize) {
    let (mut places, mut last) = (Vec::new(), isize::MIN);
    each_table(table, &mut |table| {
        last = table.position().unwrap_or(last);
        places.push((last, places.len()));
    });
    places.sort_unstable();
    let mut row = vec![0; places.len()];
    for (place, (_, table)) in (start..).zip(places) {
        row[table] = place;
    }
    let mut row = row.into_iter();
    each_table(table, &mut |table| table.set_position(row.next()));
}

/// A new item with places from `place` on.
fn placed(new: &Item, place: isize) -> Item {
    let mut new = new.clone();
    match &mut new {
        Item::Table(table) => put_in_a_row(table, place),
        Item::ArrayOfTables(tables) => {
            let mut place = place;
            for table in tables.iter_mut() {
                put_in_a_row(table, place);
                place = last_place(table) + 1;
            }
        }
        Item::None | Item::Value(_) => {}
    }
    new
}

/// A table that a person may have written on one line (`goals = { … }`) or with dots (`goals.hop.on = …`), as one with
/// a header.
fn as_table(item: &mut Item, place: isize) -> Option<&mut Table> {
    if let Item::Value(Value::InlineTable(inline)) = item {
        let mut table = std::mem::take(inline).into_table();
        put_in_a_row(&mut table, place);
        *item = Item::Table(table);
    }
    let table = item.as_table_mut()?;
    if table.is_dotted() {
        table.set_dotted(false);
        table.set_implicit(false);
        table.set_position(Some(place));
    }
    Some(table)
}

/// The same for a list, `change = [{ … }]`.
fn as_tables(item: &mut Item, place: isize) -> Option<&mut ArrayOfTables> {
    if let Item::Value(Value::Array(_)) = item {
        *item = match std::mem::take(item).into_array_of_tables() {
            Ok(tables) => placed(&Item::ArrayOfTables(tables), place),
            Err(as_it_was) => as_it_was,
        };
    }
    item.as_array_of_tables_mut()
}

/// Another value with the comments of the old one.
pub(super) fn replace_value(kept: &mut Value, new: &Value) {
    let decor = kept.decor().clone();
    *kept = new.clone();
    *kept.decor_mut() = decor;
}

/// Text of an item, for comparing what was written by the same hand.
fn written(item: &Item) -> String {
    match item {
        Item::None => String::new(),
        Item::Value(value) => value.to_string(),
        Item::Table(table) => written_table(table),
        Item::ArrayOfTables(tables) => tables.iter().map(|table| written_table(table) + "\n[[]]\n").collect(),
    }
}

fn written_table(table: &Table) -> String {
    DocumentMut::from(table.clone()).to_string()
}

fn written_key(table: &Table, key: &str) -> Option<String> {
    table.get(key).map(written)
}
