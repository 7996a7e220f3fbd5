//! Codes, their use and their sentences belong together: none is forgotten, and no hole stays empty.

use aplomb_editing::finding::Code;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

const TABLES: [(&str, &[(&str, Code)]); 2] =
    [("editing", aplomb_editing::finding::codes::TABLE), ("project", aplomb_project::codes::TABLE)];

fn codes() -> impl Iterator<Item = Code> {
    TABLES.into_iter().flat_map(|(_, table)| table).map(|(_, code)| *code)
}

/// Every source file below a folder but the tables.
fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|it| it == "rs") && !path.ends_with("codes.rs") {
            found.push(path);
        }
    }
}

#[test]
fn the_tables_hold_exactly_the_codes_in_use() {
    for (name, table) in TABLES {
        let mut files = Vec::new();
        sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(name).join("src"), &mut files);
        let text: String = files.iter().map(|path| std::fs::read_to_string(path).unwrap()).collect();
        let used: BTreeSet<&str> = text
            .split(|letter: char| !(letter.is_alphanumeric() || "_:".contains(letter)))
            .filter_map(|word| word.strip_prefix("codes::"))
            .collect();
        let known: BTreeSet<&str> = table.iter().map(|(constant, _)| *constant).collect();
        let forgotten: Vec<_> = known.difference(&used).collect();
        assert!(forgotten.is_empty(), "nothing in {name} finds {forgotten:?}");
        let foreign = text.lines().find(|line| codes().any(|code| line.contains(code.id)));
        assert_eq!(foreign, None, "{name}: codes go by their constants");
    }
}

#[test]
fn every_code_has_a_name_of_its_own_that_says_how_much_it_matters() {
    let mut ids = BTreeSet::new();
    for code in codes() {
        let (verb, number) = code.id.split_once('-').unwrap();
        assert!(verb.len() == 3 && verb.chars().all(|it| it.is_ascii_uppercase()), "{}", code.id);
        let digits = number.strip_prefix('W').or(number.strip_prefix('N')).unwrap();
        assert!(digits.len() == 3 && digits.chars().all(|it| it.is_ascii_digit()), "{}", code.id);
        assert!(ids.insert(code.id), "{} is there twice", code.id);
        assert!(!code.meaning.is_empty(), "{}", code.id);
    }
}

#[test]
fn every_code_has_one_sentence_with_values_that_it_has() {
    let sentences = aplomb_words::SENTENCES;
    for code in codes() {
        let own: Vec<_> = sentences.iter().filter(|(id, _)| *id == code.id).collect();
        let [(_, template)] = own[..] else { panic!("{}: {} sentences", code.id, own.len()) };
        let holes: BTreeSet<&str> = aplomb_words::names(template).into_iter().collect();
        let unknown: Vec<_> = holes.iter().filter(|name| !code.values.contains(name)).collect();
        assert!(unknown.is_empty(), "{}: no values {unknown:?}", code.id);
        // A moment has one time to tell, a span has two.
        let unsaid: Vec<_> = code.values.iter().filter(|it| **it != "end_secs" && !holes.contains(*it)).collect();
        assert!(unsaid.is_empty(), "{}: the sentence leaves out {unsaid:?}", code.id);
    }
    let known: BTreeSet<&str> = codes().map(|code| code.id).collect();
    assert!(sentences.iter().all(|(id, _)| known.contains(id)), "sentences of codes that are gone");
}
