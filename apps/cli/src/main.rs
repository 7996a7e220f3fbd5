//! The `aplomb` command: what was typed → what is meant → the library → something to look at.

mod args;
mod changes;
mod commands;
mod number_format;
mod outcome;
mod pages;
mod places;
mod progress;
mod style;

use clap::{CommandFactory, Parser, Subcommand};
use outcome::Outcome;
use std::process::ExitCode;

/// Edit captured human motion and keep it physically right: balance, weight, flight, feet.
#[derive(Debug, Parser)]
#[command(
    name = "aplomb",
    disable_version_flag = true,
    arg_required_else_help = true,
    after_help = "Exit codes: 0 done, 1 bad input, 2 wrong usage, 3 not converged or a goal unmet, 4 some of many inputs failed.\n\
                  Colours follow NO_COLOR; progress shows only on a terminal."
)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    /// Print the version and exit (with --json: as JSON)
    #[arg(short = 'V', long)]
    version: bool,
    /// Print results as JSON
    #[arg(long, global = true)]
    json: bool,
    /// Print only results, their warnings, and errors: no notes, no progress
    #[arg(short, long, global = true)]
    quiet: bool,
    /// Print everything: every measure, and what each edit did in detail
    #[arg(short, long, global = true, conflicts_with = "quiet")]
    verbose: bool,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Show what a clip is: skeleton, roles, rate, units, and what the reader noticed
    Info(commands::info::Args),
    /// Say whether a clip obeys physics and where it does not: contacts, flights, balance, forces, and a score
    Inspect(Box<commands::inspect::Args>),
    /// Find what touches the ground and when, and write it to a file that can be corrected by hand
    Contacts(Box<commands::contacts::Args>),
    /// Inspect the built-in clips and show the result as a page
    Demo(commands::demo::Args),
    /// Verbs of the table
    #[command(flatten)]
    Edit(Box<commands::edit::VerbCommand>),
    /// Fit the masses of a body to motions that are known to be right
    Masses(Box<commands::masses::Args>),
    /// Show the body that is taken for a clip, or write it to a file that can be corrected by hand
    Body(Box<commands::masses::BodyFileArgs>),
    /// Make the edits of a project file, or those of a receipt again
    Run(Box<commands::edit::RunArgs>),
    /// Edit by hand in a local web page: viewport, timeline, plots and all tools
    Studio(commands::studio::Args),
    /// Convert between formats, or cut, mirror, scale, resample; what is not changed stays as it was, byte for byte
    Convert(commands::convert::Args),
    /// Do one job to every clip of a dataset: on all cores, in parts, resumed where it was cut off
    Batch(Box<commands::batch::Args>),
    /// Draw a stroboscopic strip of a clip, or of two clips over each other
    Render(commands::render::Args),
    /// Print a completion script for a shell
    Completions(commands::shell::CompletionArgs),
    /// Write the manual pages
    Man(commands::shell::ManArgs),
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    let print = outcome::Printing { json: cli.json, quiet: cli.quiet, verbose: cli.verbose };
    let outcome = match cli.command {
        _ if cli.version => version(print),
        Some(Command::Info(args)) => commands::info::run(&args, print),
        Some(Command::Inspect(args)) => commands::inspect::run(&args, print),
        Some(Command::Contacts(args)) => commands::contacts::run(&args, print),
        Some(Command::Demo(args)) => commands::demo::run(&args, print),
        Some(Command::Edit(verb)) => verb.run(print),
        Some(Command::Masses(args)) => commands::masses::run(&args, print),
        Some(Command::Body(args)) => commands::masses::body(&args, print),
        Some(Command::Run(args)) => args.run(print),
        Some(Command::Studio(args)) => commands::studio::run(&args, print),
        Some(Command::Convert(args)) => commands::convert::run(&args, print),
        Some(Command::Batch(args)) => commands::batch::run(&args, print),
        Some(Command::Render(args)) => commands::render::run(&args, print),
        Some(Command::Completions(args)) => commands::shell::completions(&args, &mut Cli::command()),
        Some(Command::Man(args)) => commands::shell::man(&args, Cli::command(), print),
        None => {
            let _ = Cli::command().print_help();
            Outcome::WrongUsage
        }
    };
    outcome.into()
}

fn version(print: outcome::Printing) -> Outcome {
    let version = env!("CARGO_PKG_VERSION");
    if print.json {
        let formats = serde_json::json!({ "read": ["bvh", "asf", "amc", "glb", "gltf", "vrm", "vrma", "fbx", "trc", "c3d", "npz"], "write": ["bvh", "amc", "glb", "npz", "usda"] });
        let value = serde_json::json!({ "schema": 1, "name": "aplomb", "version": version, "formats": formats });
        outcome::print_json(&value)
    } else {
        outcome::print_line(&format!("aplomb {version}"))
    }
}
