//! Tracking of captures against the bars of `docs/algorithms/track.md`; `cargo xtask proof track`.
//!
//! Prints a table for each claim and fails if a bar is missed.

#[path = "../../tests/measures/mod.rs"]
mod measures;

mod gestures;
mod scenes;

use measures::captures;

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

fn main() {
    let Some(folder) = captures() else { return };
    let mut bars = Bars::default();
    gestures::prove(&folder, &mut bars);
    scenes::prove(&folder, &mut bars);
    println!("{} of {} bars missed", bars.missed.len(), bars.asked);
    for missed in &bars.missed {
        println!("  missed: {missed}");
    }
    if !bars.missed.is_empty() {
        std::process::exit(1);
    }
}
