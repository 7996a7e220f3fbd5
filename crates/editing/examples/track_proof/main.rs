//! Tracking of captures against the bars of `docs/algorithms/track.md`; `cargo xtask proof track`.
//!
//! Prints a table for each claim and fails if a bar is missed. Names of proofs as arguments run those alone.

#[path = "../../tests/measures/mod.rs"]
mod measures;

mod gestures;
mod scenes;

use measures::captures;
use std::path::Path;

/// Bars that were missed, in words.
#[derive(Default)]
pub struct Bars {
    missed: Vec<String>,
    asked: usize,
}

impl Bars {
    /// A claim that holds or not.
    pub fn ask(&mut self, claim: &str, holds: bool, found: String) {
        self.asked += 1;
        println!("  {} {claim}: {found}", if holds { "✓" } else { "✗" });
        if !holds {
            self.missed.push(format!("{claim}: {found}"));
        }
    }
}

/// Asks its bars of the captures in a folder.
type Proof = fn(&Path, &mut Bars);

/// In the order of the design's proofs, from the second on; the first is `cargo xtask oracles`, the last `cargo xtask
/// bench`.
const PROOFS: [(&str, Proof); 7] = [
    ("gestures", gestures::prove),
    ("markers", gestures::markers),
    ("drum", scenes::drum),
    ("staff", scenes::staff),
    ("bow", scenes::bow),
    ("patty-cake", scenes::patty_cake),
    ("slap", scenes::slap),
];

fn main() {
    let Some(folder) = captures() else { return };
    let mut bars = Bars::default();
    let asked: Vec<String> = std::env::args().skip(1).collect();
    for (name, prove) in PROOFS {
        if asked.is_empty() || asked.iter().any(|it| it == name) {
            prove(&folder, &mut bars);
        }
    }
    println!("{} of {} bars missed", bars.missed.len(), bars.asked);
    for missed in &bars.missed {
        println!("  missed: {missed}");
    }
    if !bars.missed.is_empty() {
        std::process::exit(1);
    }
}
