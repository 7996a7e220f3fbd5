//! Completions and manual pages, made from the same definitions as the command itself.

use crate::outcome::{Outcome, Printing, print_line, say_error};
use aplomb_formats::atomic;
use aplomb_words::in_flags;
use clap_complete::Shell;
use std::io::Write;
use std::path::PathBuf;

/// Which shell.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  aplomb completions bash > ~/.local/share/bash-completion/completions/aplomb")]
pub struct CompletionArgs {
    /// Shell to complete for
    shell: Shell,
}

/// Where the pages go.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  aplomb man --out ~/.local/share/man/man1\n  aplomb man | man -l -")]
pub struct ManArgs {
    /// Folder for one page a verb; without it the main page goes to standard output
    #[arg(short, long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// Replace existing pages
    #[arg(long)]
    force: bool,
}

/// Prints a completion script.
pub fn completions(args: &CompletionArgs, command: &mut clap::Command) -> Outcome {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, command, "aplomb", &mut script);
    match std::io::stdout().write_all(&script) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            say_error(&format!("cannot write to standard output: {error}"));
            Outcome::BadInput
        }
        _ => Outcome::Done,
    }
}

/// Writes `aplomb.1` and a page for every verb.
pub fn man(args: &ManArgs, command: clap::Command, print: Printing) -> Outcome {
    match pages(command).and_then(|pages| deliver(args, &pages, print)) {
        Ok(outcome) => outcome,
        Err(message) => {
            say_error(&message);
            Outcome::BadInput
        }
    }
}

fn pages(mut command: clap::Command) -> Result<Vec<(String, Vec<u8>)>, String> {
    command.build();
    let mut pages = Vec::new();
    let mut add = |name: String, command: clap::Command| {
        let mut page = Vec::new();
        let rendered = clap_mangen::Man::new(command).render(&mut page);
        rendered.map_err(|error| format!("cannot make the page {name}: {error}"))?;
        pages.push((name, page));
        Ok::<(), String>(())
    };
    for verb in command.get_subcommands().filter(|verb| verb.get_name() != "help") {
        let name = format!("aplomb-{}", verb.get_name());
        add(format!("{name}.1"), verb.clone().name(name))?;
    }
    add("aplomb.1".to_owned(), command)?;
    Ok(pages)
}

fn deliver(args: &ManArgs, pages: &[(String, Vec<u8>)], print: Printing) -> Result<Outcome, String> {
    let Some(folder) = &args.out else {
        let main = pages.last().map_or(&[][..], |(_, page)| page);
        return Ok(print_line(&String::from_utf8_lossy(main)));
    };
    std::fs::create_dir_all(folder)
        .map_err(|error| format!("{}: cannot make the folder: {error}", folder.display()))?;
    for (name, _) in pages {
        atomic::refuse_existing(&folder.join(name), args.force).map_err(|error| in_flags(&error))?;
    }
    for (name, page) in pages {
        let path = folder.join(name);
        atomic::write(&path, page, args.force).map_err(|error| in_flags(&error))?;
        if !print.quiet {
            print_line(&path.display().to_string());
        }
    }
    Ok(Outcome::Done)
}
