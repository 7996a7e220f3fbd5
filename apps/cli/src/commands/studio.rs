//! `aplomb studio`: the page where motions are edited by hand.

use super::demo::nobody_looks;
use crate::outcome::{Outcome, Printing, print_json, print_line, say_error, say_warning};
use aplomb_studio::{Studio, StudioOptions};
use std::path::{Path, PathBuf};

/// Options of `studio`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  \
    aplomb studio                        the built-in clips, with a tour\n  \
    aplomb studio walk.bvh               a clip; files beside it can be opened, too\n  \
    aplomb studio walk.aplomb.toml       a project, which `aplomb run` replays\n  \
    aplomb studio --port 8080 --no-open\n\n\
    The page is served on 127.0.0.1 to whoever has the address that is printed. Ctrl-C ends it; what was not saved is there at the next start.")]
pub struct Args {
    /// A clip (.bvh, .amc, .trc), a project (.aplomb.toml), a folder, builtin:NAME or sample:NAME
    what: Option<PathBuf>,
    /// Port to listen on; 0 is any that is free
    #[arg(long, default_value_t = 0)]
    port: u16,
    /// Do not open the page
    #[arg(long)]
    no_open: bool,
}

/// Serves the page until it is ended.
pub fn run(args: &Args, print: Printing) -> Outcome {
    let options = StudioOptions { what: args.what.clone(), port: args.port, cache: None };
    let studio = match Studio::open(&options) {
        Ok(studio) => studio,
        Err(error) => {
            say_error(&error.to_string());
            return Outcome::BadInput;
        }
    };
    let address = studio.address().to_owned();
    let printed = match print.json {
        true => print_json(&serde_json::json!({ "schema": 1, "address": address })),
        false => print_line(&format!("open {address}\nCtrl-C ends the studio")),
    };
    if printed != Outcome::Done {
        return printed;
    }
    if !args.no_open && !nobody_looks() && opener::open_browser(&address).is_err() {
        say_warning(Path::new("studio"), "no browser could be started; open the address yourself");
    }
    match studio.serve(std::future::pending()) {
        Ok(()) => Outcome::Done,
        Err(error) => {
            say_error(&error.to_string());
            Outcome::BadInput
        }
    }
}
