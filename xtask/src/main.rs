//! `cargo xtask …`: every check of the project, runnable locally. `./check` is `cargo xtask check`.

mod arrows;
mod bench;
mod bench_adapt;
mod bench_dynamics;
mod browser;
mod check;
mod constants;
mod fuzz;
mod fuzz_seeds;
mod fuzz_seeds_binary;
mod fuzz_seeds_walk;
mod helpers;
mod licences;
mod module_arrows;
mod module_graph;
mod oracles;
mod oracles_blender;
mod oracles_c3d;
mod oracles_dynamics;
mod oracles_glb;
mod oracles_usd;
mod pages;
mod plain_docs;
mod plain_words;
mod proof;
mod python;
mod rust_source;
mod shell;
mod sizes;
mod studio;
mod synthetic;
mod testing;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use clap::{Parser, Subcommand};

#[derive(Parser)]
#[command(name = "cargo xtask", about = "Every check of the project, runnable locally")]
struct Cli {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Everything a change needs before it lands, with a table of times and the count of tests
    Check {
        /// Add the heavy extras: the comparison with Blender
        #[arg(long)]
        all: bool,
    },
    /// Are all files formatted?
    Fmt,
    /// Lints of all targets, warnings are errors
    Clippy,
    /// API documentation, warnings are errors
    Docs,
    /// Unit, integration and documentation tests
    Test,
    /// Does the Python package build, and do its tests pass, on a Ray cluster too?
    Python,
    /// Do dependencies between our crates, and imports between their modules, only point the way ARCHITECTURE.md
    /// allows?
    Arrows {
        /// Print which module imports which, room by room
        #[arg(long)]
        graph: bool,
    },
    /// May every crate we build on be used under a licence that fits ours?
    Licences,
    /// Files over 600 lines, functions over 100, lines over 120 columns
    Sizes {
        /// List every line over 120 columns
        #[arg(long)]
        long_lines: bool,
    },
    /// Has the same name of a constant two values?
    Constants,
    /// Does a library name a flag or a command?
    Words,
    /// Feed damaged files to the readers
    Fuzz {
        /// Seconds for each target
        #[arg(long, default_value_t = 60)]
        secs: u64,
        /// Sanitizer; `address` also limits single allocations and needs RUSTC_BOOTSTRAP=1 or a nightly toolchain
        #[arg(long, default_value = "none")]
        sanitizer: String,
        /// Only this target
        target: Option<String>,
    },
    /// Write the fuzzers' starting files: small motion files in every dialect
    FuzzSeeds {
        /// Folder that gets one folder a target
        #[arg(default_value = "fuzz/seeds")]
        folder: PathBuf,
    },
    /// Compare our reading of real files with other programs' reading
    Oracles {
        /// Add Blender (a download of several hundred megabytes, Python 3.11 only)
        #[arg(long)]
        all: bool,
        /// Blender and nothing else
        #[arg(long, conflicts_with = "all")]
        blender: bool,
    },
    /// Drive a browser through the HTML report and the demo's front page
    Pages,
    /// Drive a browser through the studio
    Studio,
    /// Speed and memory of reading, writing and forward kinematics, beside the peers'
    Bench {
        /// Measure the Python parsers too (numpy, pymotion), installed into the user cache
        #[arg(long)]
        peers: bool,
        /// Write the numbers to this file
        #[arg(long, value_name = "FILE")]
        json: Option<PathBuf>,
        /// Repeats; the best counts
        #[arg(long, default_value_t = 7)]
        repeats: u32,
    },
    /// Write the synthetic motion that `bench` measures: 31 joints, 96 channels
    MakeBvh {
        /// Where to
        file: PathBuf,
        /// How many frames
        #[arg(long, default_value_t = 10_000)]
        frames: usize,
    },
    /// Run one of the long proofs on real data
    Proof {
        /// Which; without a name the proofs are listed
        name: Option<String>,
    },
}

fn main() -> ExitCode {
    match run(Cli::parse().task) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Runs one task; `false` means that it ran and found something wrong, which it has already printed.
fn run(task: Task) -> Result<bool> {
    std::env::set_current_dir(shell::workspace_root())?;
    match task {
        Task::Check { all } => check::run(all),
        Task::Fmt => check::alone(check::fmt()),
        Task::Clippy => check::alone(check::clippy()),
        Task::Docs => check::alone(check::docs()),
        Task::Test => check::alone(testing::run()),
        Task::Python => check::alone(python::run()),
        Task::Arrows { graph } => check::alone(arrows::run(graph)),
        Task::Licences => check::alone(licences::run()),
        Task::Sizes { long_lines } => check::alone(sizes::run(long_lines)),
        Task::Constants => check::alone(constants::run()),
        Task::Words => check::alone(plain_words::run()),
        Task::Fuzz { secs, sanitizer, target } => check::alone(fuzz::run(secs, &sanitizer, target.as_deref())),
        Task::FuzzSeeds { folder } => {
            let written = fuzz_seeds::write_all(&folder)?;
            println!("{written} seeds under {}", folder.display());
            Ok(true)
        }
        Task::Oracles { blender: true, .. } => check::alone(oracles::run_blender()),
        Task::Oracles { all, .. } => check::alone(oracles::run(all)),
        Task::Pages => check::alone(pages::run()),
        Task::Studio => check::alone(studio::run()),
        Task::Bench { peers, json, repeats } => bench::run(peers, json.as_deref(), repeats),
        Task::MakeBvh { file, frames } => {
            std::fs::write(&file, synthetic::bvh(frames))?;
            Ok(true)
        }
        Task::Proof { name } => proof::run(name.as_deref()),
    }
}
