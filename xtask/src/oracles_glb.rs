//! Our GLB files as others see them: the Khronos validator must have nothing to say, and three.js must put every joint
//! where we do.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Result;

use crate::check::Outcome;
use crate::oracles::{Pairs, Reading, Verdict, compare, parsed, report, their_readings};
use crate::{helpers, shell};

/// Every node's rotation and translation is rounded to single precision, 6e-8 each, and three.js multiplies
/// single-precision keys down chains of some twenty joints: 1e-6 would be all of them in the same direction.
const TOLERANCE: f64 = 1e-6;

/// Writes a GLB of every file and has them all read by one process of Node.
pub fn run(data: &Path, files: &[PathBuf]) -> Result<Outcome> {
    let modules = match helpers::node_oracles() {
        Ok(folder) => folder.join("node_modules"),
        Err(error) => return Ok(Outcome::skipped(format!("oracles GLB: {error:#}"))),
    };
    let folder = shell::target_dir().join("oracles-glb");
    std::fs::create_dir_all(&folder)?;
    let mut command = shell::example("write_glb")?;
    let ours = parsed(&shell::output(command.arg(&folder).args(files))?, files.len())?;
    // Answers come in the order of requests: the Nth is about the Nth file.
    let mut requests = ours.clone();
    for (number, request) in requests.iter_mut().enumerate() {
        request.file = folder.join(format!("{number}.glb"));
    }
    let mut node = Command::new("node");
    node.arg("tests/oracles/glb_read.mjs").arg(modules);
    let theirs = their_readings(&mut node, &requests)?;
    let outcome = report("GLB (validator, three.js)", data, &ours, |index| verdict(&ours[index], &theirs[index]));
    std::fs::remove_dir_all(&folder)?;
    Ok(outcome)
}

fn verdict(ours: &Reading, theirs: &Reading) -> Verdict {
    // A file that they refuse is our fault, unlike a BVH of others.
    if let Some(error) = ours.error.as_ref().or(theirs.error.as_ref()) {
        return Verdict::Differs(error.clone());
    }
    if ours.frames.is_empty() {
        return Verdict::Agrees(0.0);
    }
    if theirs.nodes.len() < ours.nodes.len() {
        return Verdict::Differs(format!("{} nodes, they find {}", ours.nodes.len(), theirs.nodes.len()));
    }
    let pairs: Pairs = (0..ours.nodes.len()).map(|node| (node, node)).collect();
    compare(ours, theirs, &pairs, [0.0; 3], TOLERANCE)
}
