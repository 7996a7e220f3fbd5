//! Long proofs on real data that are too slow for `./check`.

use anyhow::{Result, bail};

/// A claim of the documentation, shown on real data.
struct Proof {
    name: &'static str,
    claim: &'static str,
    run: fn() -> Result<bool>,
}

/// Every proof there is. Add one here when a verb's page claims something a unit test cannot show.
const PROOFS: &[Proof] = &[];

/// Runs one proof, or lists them.
pub fn run(name: Option<&str>) -> Result<bool> {
    let Some(name) = name else {
        println!("{}", listing());
        return Ok(true);
    };
    match PROOFS.iter().find(|proof| proof.name == name) {
        Some(proof) => {
            println!("proof {}: {}", proof.name, proof.claim);
            (proof.run)()
        }
        None => bail!("there is no proof named '{name}'\n{}", listing()),
    }
}

fn listing() -> String {
    if PROOFS.is_empty() {
        return "no proofs are registered yet; they are listed in xtask/src/proof.rs".to_owned();
    }
    let lines = PROOFS.iter().map(|proof| format!("  {:<16} {}", proof.name, proof.claim));
    format!("available proofs:\n{}", lines.collect::<Vec<_>>().join("\n"))
}
