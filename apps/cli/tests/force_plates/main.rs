//! Our physics against force plates: vertical force, centre of pressure, touchdown and lift-off (`docs/analysis/force-plates.md`).
//!
//! Here and not in the analysis crate because reading files and masses never meet below the programs.

mod measure;
mod plates;
mod trials;

use measure::measure;
use trials::TRIALS;

#[test]
fn forces_agree_with_plates() {
    let Some(folder) = trials::folder() else { return };
    for trial in TRIALS {
        let measured = measure(&folder, trial);
        eprintln!("{}", measured.line());
        for event in &measured.events {
            eprint!("  {}{:+.0}", event.letter(), 1000.0 * event.error_secs);
        }
        eprintln!("\n  missed {:?} spurious {:?} split {:?}", measured.missed, measured.spurious, measured.split);
        if let Some(folder) = std::env::var_os("APLOMB_PLOTS") {
            let mut text = String::new();
            for (secs, plates, own, counts) in &measured.curves {
                text += &format!("{secs} {plates} {own} {}\n", u8::from(*counts));
            }
            std::fs::write(std::path::Path::new(&folder).join(format!("{}.txt", measured.name)), text).unwrap();
        }
        for warning in &measured.warnings {
            eprintln!("  {warning}");
        }
    }
}
