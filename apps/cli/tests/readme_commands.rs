//! Every command of the README works as it stands, in an empty folder.

mod common;

use common::{aplomb_in, code, folder, repository, stderr};

/// Lines that call the program, inside blocks for a shell, without what is said about them.
fn commands(page: &str) -> Vec<Vec<String>> {
    let mut is_shell = false;
    let mut found = Vec::new();
    for line in page.lines() {
        match line.strip_prefix("```") {
            Some(language) => is_shell = !is_shell && language == "sh",
            None => {
                let told = line.split("  #").next().unwrap_or_default();
                found.extend(told.strip_prefix("aplomb ").filter(|_| is_shell).map(words));
            }
        }
    }
    found
}

fn words(command: &str) -> Vec<String> {
    assert!(!command.contains(['"', '\'', '|', '>', '*', '$']), "no shell is needed for: {command}");
    command.split_whitespace().map(str::to_owned).collect()
}

#[test]
fn every_command_of_the_readme_works_as_it_stands() {
    let page = std::fs::read_to_string(repository("README.md")).unwrap();
    let commands = commands(&page);
    assert!(commands.len() >= 7, "{commands:?}");
    let folder = folder();
    for command in commands {
        let words: Vec<&str> = command.iter().map(String::as_str).collect();
        let done = aplomb_in(folder.path(), &words);
        assert_eq!(code(&done), 0, "aplomb {}: {}", command.join(" "), stderr(&done));
    }
}
