//! Every command of the README and of the tutorials works as it stands, in an empty folder.

mod common;

use std::path::{Path, PathBuf};

use common::{aplomb_in, code, files_below, folder, repository, stderr};

/// Lines that call the program, inside blocks for a shell, without the comment behind them.
fn commands(page: &str) -> Vec<Vec<String>> {
    let mut is_shell = false;
    let mut found = Vec::new();
    for line in page.lines() {
        match line.strip_prefix("```") {
            Some(language) => is_shell = !is_shell && language == "sh",
            None => {
                let command = line.split("  #").next().unwrap_or_default();
                found.extend(command.strip_prefix("aplomb ").filter(|_| is_shell).map(words));
            }
        }
    }
    found
}

fn words(command: &str) -> Vec<String> {
    assert!(!command.contains(['"', '\'', '|', '<', '>', '*', '$']), "no shell is needed for: {command}");
    command.split_whitespace().map(str::to_owned).collect()
}

/// Runs the commands of a page in order, in a folder of its own.
fn run_page(page: &Path, at_least: usize) {
    let commands = commands(&std::fs::read_to_string(page).unwrap());
    assert!(commands.len() >= at_least, "{}: {commands:?}", page.display());
    let folder = folder();
    for command in commands {
        let words: Vec<&str> = command.iter().map(String::as_str).collect();
        let done = aplomb_in(folder.path(), &words);
        let name = page.display();
        assert_eq!(code(&done), 0, "{name}: aplomb {}: {}", command.join(" "), stderr(&done));
    }
}

/// The pages that are worked through step by step: `1-bend-a-walk.md` …, without their table of contents.
fn tutorials() -> Vec<PathBuf> {
    let mut pages = files_below(&repository("docs/tutorials"), "md");
    pages.retain(|page| page.file_name().is_some_and(|name| name != "README.md"));
    pages
}

#[test]
fn every_command_of_the_readme_works_as_it_stands() {
    run_page(&repository("README.md"), 7);
}

#[test]
fn every_command_of_the_tutorials_works_as_it_stands() {
    let pages = tutorials();
    assert!(pages.len() >= 5, "{pages:?}");
    for page in pages {
        run_page(&page, 3);
    }
}

#[test]
fn tutorials_end_with_a_picture_of_at_most_300_kb() {
    for page in tutorials() {
        let text = std::fs::read_to_string(&page).unwrap();
        let picture = text.split("](../images/").nth(1).and_then(|rest| rest.split(')').next());
        let picture = picture.unwrap_or_else(|| panic!("{}: no picture", page.display()));
        let bytes = std::fs::metadata(repository("docs/images").join(picture)).unwrap().len();
        assert!(bytes <= 300_000, "{picture}: {bytes} bytes");
    }
}
