//! Docs in plain words: no riddles, no sentence that needs two breaths, no line that runs off the page.
//!
//! `docs/style.md` says how we write. Here is what can be counted; code and code blocks are left out.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

/// Words of a sentence, at most.
const MOST_WORDS: usize = 40;

/// Columns of a line, at most. Prose has 120; rows of tables may need more.
const MOST_COLUMNS: usize = 160;

/// Words and phrases that readers had to read twice.
const RIDDLES: &[&str] = &[
    "all in all",
    "alike to",
    "at the door",
    "comes along",
    "goes nowhere",
    "is made part of it",
    "is said so",
    "it is said",
    "mend",
    "mended",
    "mends",
    "nobody",
    "nobody's",
    "nothing costs",
    "on the word of",
    "own word",
    "refused by name",
    "so many",
    "somebody",
    "somebody's",
    "spoilt",
    "taken hold of",
    "told",
    "whoever",
];

/// What is read, below the root of the tree.
const PAGES: &[&str] = &["README.md", "apps/python/README.md"];
const FOLDER: &str = "docs";

#[derive(Clone, Copy, PartialEq, Eq)]
enum Excepted {
    Riddles,
    Everything,
}

/// Pages that are not held to this, and why.
const EXCEPT: &[(&str, Excepted, &str)] = &[
    ("docs/style.md", Excepted::Riddles, "shows ten sentences as they were"),
    ("docs/reference.md", Excepted::Everything, "made from the table of verbs (crates/project/src/verbs)"),
    ("docs/diagnostics.md", Excepted::Everything, "made from the codes of the readers (crates/formats)"),
    ("docs/analysis/score.md", Excepted::Everything, "changes with the score; its words come after it"),
    ("docs/analysis/harm.md", Excepted::Everything, "changes with the rule of harm; its words come after it"),
    ("docs/analysis/anatomy.md", Excepted::Everything, "changes with the joint ranges; its words come after it"),
    ("docs/analysis/human-limits.md", Excepted::Everything, "changes with the joint ranges; its words come after it"),
    ("docs/measured/score-findings.md", Excepted::Everything, "changes with the score; its words come after it"),
    ("docs/algorithms/touchup.md", Excepted::Everything, "changes with touch-up; its words come after it"),
    ("docs/algorithms/plant.md", Excepted::Everything, "changes with planting; its words come after it"),
];

/// What was found, a line each, and how many pages were read.
pub fn look_below(root: &Path) -> Result<(Vec<String>, usize)> {
    let (mut failures, mut pages) = (Vec::new(), 0);
    for page in all_pages(root)? {
        let name = page.strip_prefix(root).unwrap_or(&page).display().to_string();
        let excepted = EXCEPT.iter().find(|(path, ..)| *path == name).map(|&(_, what, _)| what);
        if excepted == Some(Excepted::Everything) {
            continue;
        }
        pages += 1;
        let text = std::fs::read_to_string(&page).with_context(|| name.clone())?;
        let found = faults(&text, excepted == Some(Excepted::Riddles));
        failures.extend(found.into_iter().map(|(line, what)| format!("words: {name}:{line} {what}")));
    }
    Ok((failures, pages))
}

fn all_pages(root: &Path) -> Result<Vec<PathBuf>> {
    let mut pages: Vec<PathBuf> = PAGES.iter().map(|page| root.join(page)).filter(|page| page.is_file()).collect();
    let mut folders = vec![root.join(FOLDER)];
    while let Some(folder) = folders.pop().filter(|folder| folder.is_dir()) {
        for entry in std::fs::read_dir(&folder).with_context(|| folder.display().to_string())? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "md") {
                pages.push(path);
            }
        }
    }
    pages.sort();
    Ok(pages)
}

/// Lines (from 1) and what is wrong there, in the order of the page.
fn faults(text: &str, may_quote_riddles: bool) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    for (at, line) in text.lines().enumerate() {
        let columns = line.chars().count();
        if columns > MOST_COLUMNS {
            found.push((
                at + 1,
                format!("is {columns} columns wide, {MOST_COLUMNS} at most: wrap it, or split the row"),
            ));
        }
    }
    for passage in passages(text) {
        let words: Vec<&str> = passage.text.split_whitespace().collect();
        if !may_quote_riddles {
            found.extend(riddles(&words).into_iter().map(|what| (passage.line, what)));
        }
        found.extend(long_sentences(&words).into_iter().map(|what| (passage.line, what)));
    }
    found.sort_by_key(|(line, _)| *line);
    found
}

fn riddles(words: &[&str]) -> Vec<String> {
    let bare = words.iter().map(|word| word.trim_matches(|it: char| !it.is_alphanumeric()).to_lowercase());
    let text = format!(" {} ", bare.collect::<Vec<_>>().join(" "));
    let has = |riddle: &&&str| text.contains(&format!(" {riddle} "));
    let mut found: Vec<String> = RIDDLES
        .iter()
        .filter(has)
        .map(|riddle| format!("has a riddle (\"{riddle}\"): say it in plain words, docs/style.md shows how"))
        .collect();
    for sentence in sentences(words) {
        let asks = sentence.last().is_some_and(|word| word.ends_with('?'));
        if sentence.first() == Some(&"Who") && !asks {
            found.push("begins a sentence with \"Who\" that is no question: name who or what it is".to_owned());
        }
    }
    found
}

fn long_sentences(words: &[&str]) -> Vec<String> {
    let count = |sentence: &[&str]| sentence.iter().filter(|word| word.contains(char::is_alphabetic)).count();
    let long = sentences(words).into_iter().filter(|sentence| count(sentence) > MOST_WORDS);
    long.map(|sentence| {
        let start = sentence.iter().take(5).copied().collect::<Vec<_>>().join(" ");
        format!("has a sentence of {} words, {MOST_WORDS} at most: split \"{start} …\"", count(sentence))
    })
    .collect()
}

/// A sentence ends with `.`, `!` or `?` if what follows does not go on in small letters.
fn sentences<'a, 'b>(words: &'b [&'a str]) -> Vec<&'b [&'a str]> {
    let mut found = Vec::new();
    let mut start = 0;
    for at in 0..words.len() {
        let word = words[at].trim_end_matches(['"', '”', ')']);
        let goes_on = words.get(at + 1).is_some_and(|next| next.starts_with(char::is_lowercase));
        if at + 1 == words.len() || word.ends_with(['.', '!', '?']) && !goes_on {
            found.push(&words[start..=at]);
            start = at + 1;
        }
    }
    found
}

/// A paragraph, an item of a list, a heading or a cell of a table, without code, addresses and marks of emphasis.
struct Passage {
    line: usize,
    text: String,
}

fn passages(text: &str) -> Vec<Passage> {
    let mut found: Vec<Passage> = Vec::new();
    let (mut is_fenced, mut is_code, mut is_new) = (false, false, true);
    for (at, line) in text.lines().enumerate() {
        let start = line.trim_start();
        let indent = line.len() - start.len();
        let is_item = starts_item(start);
        if start.starts_with("```") {
            (is_fenced, is_new) = (!is_fenced, true);
            continue;
        }
        if is_fenced {
            continue;
        }
        if start.is_empty() {
            is_new = true;
        } else if indent >= 4 && (is_new || is_code) && !is_item {
            (is_code, is_new) = (true, false);
        } else if start.starts_with('|') {
            let cells = start.split('|').filter(|cell| cell.contains(char::is_alphanumeric));
            found.extend(cells.map(|cell| Passage { line: at + 1, text: cell.to_owned() }));
            (is_code, is_new) = (false, true);
        } else {
            let is_heading = start.starts_with('#');
            match found.last_mut().filter(|_| !is_new && !is_item && !is_heading && !is_code) {
                Some(passage) => {
                    passage.text.push(' ');
                    passage.text.push_str(start);
                }
                None => found.push(Passage { line: at + 1, text: start.to_owned() }),
            }
            (is_code, is_new) = (false, is_heading);
        }
    }
    for passage in &mut found {
        passage.text = plain(&passage.text);
    }
    found
}

/// `- `, `* ` or `12. `.
fn starts_item(start: &str) -> bool {
    let digits = start.trim_start_matches(|it: char| it.is_ascii_digit());
    start.starts_with("- ") || start.starts_with("* ") || digits.len() < start.len() && digits.starts_with(". ")
}

/// Text as it is read aloud: a span of code is one word that may begin a sentence, a link is its label.
fn plain(text: &str) -> String {
    let spans = text.split('`').enumerate();
    let without_code: String = spans.map(|(at, part)| if at % 2 == 0 { part } else { "Code" }).collect();
    let mut read = String::new();
    let mut rest = without_code.as_str();
    while let Some((before, after)) = rest.split_once("](") {
        read.push_str(before);
        rest = after.split_once(')').map_or("", |(_, after)| after);
    }
    read.push_str(rest);
    read.retain(|it| !matches!(it, '*' | '[' | ']'));
    read
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<String> {
        faults(text, false).into_iter().map(|(line, what)| format!("{line}: {what}")).collect()
    }

    #[test]
    fn the_docs_as_they_are_today_pass() {
        let (failures, pages) = look_below(&crate::shell::workspace_root()).unwrap();
        assert_eq!(failures, Vec::<String>::new());
        assert!(pages >= 40, "{pages} pages");
    }

    #[test]
    fn three_planted_riddles_are_found() {
        let root = std::env::temp_dir().join(format!("aplomb-riddles-{}", std::process::id()));
        std::fs::create_dir_all(root.join("docs/algorithms")).unwrap();
        let page = "# Paths\n\nWho goes nowhere has no path.\n\n- Faults are\n  told.\n\n| a | b |\n|---|---|\n| `x` | nobody leans |\n";
        std::fs::write(root.join("docs/algorithms/path.md"), page).unwrap();
        std::fs::write(root.join("docs/reference.md"), page).unwrap();
        let (failures, pages) = look_below(&root).unwrap();
        std::fs::remove_dir_all(&root).unwrap();
        assert_eq!((failures.len(), pages), (4, 1), "{failures:?}");
        for (failure, (line, what)) in
            failures.iter().zip([(3, "goes nowhere"), (3, "Who"), (5, "told"), (10, "nobody")])
        {
            assert!(
                failure.contains(&format!("docs/algorithms/path.md:{line} ")) && failure.contains(what),
                "{failure}"
            );
        }
    }

    #[test]
    fn long_sentences_and_wide_lines_are_found() {
        let many = "word ".repeat(41);
        assert_eq!(found(&format!("Short.\n\n{}\n", many.trim())).len(), 2, "wide, and long");
        let wrapped = format!("{}\n{}.", "word ".repeat(20).trim(), "word ".repeat(21).trim());
        assert!(found(&wrapped)[0].starts_with("1: has a sentence of 41 words"), "{:?}", found(&wrapped));
        let two = format!("{}. {}.", "Word ".repeat(20).trim(), "Word ".repeat(21).trim());
        assert_eq!(found(&two.replacen(". ", ".\n", 1)), Vec::<String>::new());
        assert!(found(&"x".repeat(161))[0].contains("161 columns"));
        assert_eq!(found(&format!("Rates: {}.", "12, ".repeat(30))), Vec::<String>::new(), "numbers are no words");
    }

    #[test]
    fn code_links_and_questions_are_left_alone() {
        assert_eq!(found("`a_pendulum_is_told`, [path](docs/nobody.md). Who carries the body?"), Vec::<String>::new());
        assert_eq!(found("```sh\nnobody told somebody\n```\n\n    nobody told\n\nWell."), Vec::<String>::new());
        assert_eq!(found("```sh\nx\n```\nNobody leans.").len(), 1, "after the block prose goes on");
    }

    #[test]
    fn every_exception_has_a_reason() {
        assert!(EXCEPT.iter().all(|(path, _, why)| path.starts_with("docs/") && why.len() > 10));
    }
}
