//! Long proofs on real data that are too slow for `./check`.

use crate::shell;
use anyhow::{Result, bail};

/// A claim of the documentation, shown on real data.
struct Proof {
    name: &'static str,
    claim: &'static str,
    run: fn() -> Result<bool>,
}

/// Every proof there is. Add one here when a verb's page claims something a unit test cannot show.
const PROOFS: &[Proof] = &[
    Proof {
        name: "masses",
        claim: "masses fitted to some captures of a person lower the error on the others, and stay a person's",
        run: || example("aplomb-analysis", "proof_masses"),
    },
    Proof {
        name: "score",
        claim: "captured clips outscore their own spoiled versions (docs/analysis/score.md)",
        run: || captures_test("score_on_captures"),
    },
    Proof {
        name: "verdict",
        claim: "the score sees what people see: spoiled poses, floats and drifts of captures rank below the clean clip (docs/analysis/score.md)",
        run: || example("aplomb-editing", "verdict_proof"),
    },
    Proof {
        name: "harm",
        claim: "changes that were spoiled on purpose are called harm, and changes that no person minds are not (docs/analysis/harm.md)",
        run: || example("aplomb-words", "harm_proof"),
    },
    Proof {
        name: "plant",
        claim: "planted feet of captures stand still, sink nowhere and do not pop",
        run: || example("aplomb-editing", "plant_table"),
    },
    Proof {
        name: "touchup",
        claim: "bent walks, runs and jumps, uphill walks and unedited captures keep the bars of docs/algorithms/touchup.md",
        run: || example("aplomb-editing", "touchup_proof"),
    },
    Proof {
        name: "no-harm",
        claim: "touch-up leaves captures alone that are right, a second touch-up or planting changes nothing, and noise is no reason to refuse (docs/algorithms/touchup.md)",
        run: || example("aplomb-editing", "no_harm_proof"),
    },
    Proof {
        name: "path",
        claim: "edited paths of captures keep the bars of docs/algorithms/path.md: alignment, smoothness, feet, flights, times",
        run: || example("aplomb-editing", "path_proof"),
    },
    Proof {
        name: "blend",
        claim: "blends of captured pairs keep the bars of docs/algorithms/blend.md: gravity, straight flights, feet, balance, friction, smoothness",
        run: || example("aplomb-editing", "blend_proof"),
    },
    Proof {
        name: "track",
        claim: "captures played by driven bodies keep the bars of docs/algorithms/track.md: errors, lag, peaks, smoothness, contact, tasks",
        run: || example("aplomb-editing", "track_proof"),
    },
    Proof {
        name: "adapt",
        claim: "captured jumps and runs are fitted and adapted within the figures of docs/algorithms/adapt.md",
        run: || example("aplomb-editing", "adapt_proof"),
    },
    Proof {
        name: "studio",
        claim: "every tool of the studio works in a browser on captures of 300 to 5,500 frames, and the command replays what was saved to the same bytes (docs/studio.md)",
        run: crate::studio::on_captures,
    },
    Proof {
        name: "force-plates",
        claim: "force, centre of pressure, touchdown and lift-off agree with force plates (docs/analysis/force-plates.md)",
        run: force_plates,
    },
];

/// A proof is an example of the crate whose claim it shows: it prints its table and fails if a bar is missed.
fn example(package: &str, name: &str) -> Result<bool> {
    shell::succeeds(shell::cargo().args(["run", "--release", "--quiet", "--package", package, "--example", name]))
}

/// A proof that is a test over captures, as it needs the readers, too.
fn captures_test(name: &str) -> Result<bool> {
    let test = ["test", "--package", "aplomb-cli", "--test", name, "--", "--nocapture"];
    shell::succeeds(shell::cargo().args(test))
}

/// The same, and table, figure and force curves are kept outside the repository.
fn force_plates() -> Result<bool> {
    let folder = std::path::absolute(shell::target_dir().join("proofs/force-plates"))?;
    let test = ["test", "--package", "aplomb-cli", "--test", "force_plates", "--", "--nocapture"];
    shell::succeeds(shell::cargo().args(test).env("APLOMB_PROOF_DIR", folder))
}

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
    let lines = PROOFS.iter().map(|proof| format!("  {:<16} {}", proof.name, proof.claim));
    format!("available proofs:\n{}", lines.collect::<Vec<_>>().join("\n"))
}
