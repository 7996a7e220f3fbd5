//! Other programs' reading of the same files.
//!
//! Aplomb's forward kinematics of real captures is laid beside three.js's and (with `--all`) Blender's. three.js *adds*
//! position channels to the OFFSET where Blender, assimp and we *replace* it; so our adding reading must agree with
//! three.js on every file, and our own reading must differ from it by exactly the root's OFFSET wherever only the root
//! moves.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use serde::Deserialize;

use crate::check::Outcome;
use crate::{helpers, shell};

/// three.js keeps keys in single precision: 6e-8 of a value each, summed over chains of up to some twenty joints, and
/// its quaternions are not normalised again; 1.7e-7 is seen. A wrong axis, order or sign is a hundred thousand times
/// larger.
const THREE_TOLERANCE: f64 = 1e-6;
/// Blender works in single precision throughout, through the inverses of rest matrices and angles in radians: 5e-6 is
/// seen.
pub const BLENDER_TOLERANCE: f64 = 2e-5;
/// Frames compared in each file, evenly spaced from the first to the last.
const SAMPLES: usize = 8;

/// Compares with every oracle that can be had here; the others are skipped with the reason. `all` adds Blender.
pub fn run(all: bool) -> Result<Outcome> {
    let Some(data) = shell::data_dir() else {
        return Ok(Outcome::skipped("oracles: no captures (APLOMB_DATA, default ../shared/data)"));
    };
    let files = bvh_files(&data)?;
    let ours = our_readings(&files, "replace")?;
    let mut outcome = Outcome::default();

    match helpers::node_oracles() {
        Ok(folder) => {
            let added = our_readings(&files, "add")?;
            let mut node = Command::new("node");
            node.arg("tests/oracles/three_fk.mjs").arg(folder.join("node_modules"));
            let theirs = their_readings(&mut node, &ours)?;
            outcome
                .add(report("three.js", &data, &ours, |index| like_three(&ours[index], &added[index], &theirs[index])));
        }
        Err(error) => outcome.skipped.push(format!("oracles three.js: {error:#}")),
    }
    outcome.add(crate::oracles_glb::run(&data, &files)?);
    outcome.add(crate::oracles_dynamics::run(&data, &files)?);
    outcome.add(crate::oracles_c3d::run(&data)?);
    outcome.add(crate::oracles_usd::run(&data, &files)?);
    if all {
        outcome.add(with_blender(&data, &files, &ours)?);
    }
    Ok(outcome)
}

/// Blender alone.
pub fn run_blender() -> Result<Outcome> {
    let Some(data) = shell::data_dir() else {
        return Ok(Outcome::skipped("oracles: no captures (APLOMB_DATA, default ../shared/data)"));
    };
    let files = bvh_files(&data)?;
    with_blender(&data, &files, &our_readings(&files, "replace")?)
}

fn with_blender(data: &Path, files: &[PathBuf], ours: &[Reading]) -> Result<Outcome> {
    let python = match helpers::python_env("blender", Some("3.11")) {
        Ok(python) => python,
        Err(error) => return Ok(Outcome::skipped(format!("oracles Blender: {error:#}"))),
    };
    let theirs = their_readings(Command::new(&python).arg("tests/oracles/blender.py"), ours)?;
    let mut outcome = report("Blender", data, ours, |index| like_blender(&ours[index], &theirs[index]));
    outcome.add(crate::oracles_blender::run(data, files, &python)?);
    Ok(outcome)
}

/// One program's reading of one file.
#[derive(Debug, Clone, Deserialize)]
pub struct Reading {
    pub file: PathBuf,
    /// Why it could not be read; then nothing else is there.
    pub error: Option<String>,
    #[serde(default)]
    pub nodes: Vec<Node>,
    /// Sampled frames (in our own reading) and the world positions of all nodes in each, in file units.
    #[serde(default)]
    pub frames: Vec<usize>,
    #[serde(default)]
    pub positions: Vec<Option<Vec<[f64; 3]>>>,
    /// OFFSET of the root, and whether other joints have position channels (our own reading only).
    #[serde(default)]
    root_offset: [f64; 3],
    #[serde(default)]
    moving_children: bool,
}

#[derive(Debug, Clone, Deserialize)]
pub struct Node {
    name: String,
    parent: Option<usize>,
    end: bool,
}

/// What one file's comparison says: how far apart, as a part of the largest coordinate, or why it does not count.
pub enum Verdict {
    Agrees(f64),
    Differs(String),
    NotComparable(String),
}

fn like_three(ours: &Reading, added: &Reading, theirs: &Reading) -> Verdict {
    if let Some(verdict) = unread(ours, theirs) {
        return verdict;
    }
    let pairs = match paired_by_order(added, theirs) {
        Ok(pairs) => pairs,
        Err(verdict) => return verdict,
    };
    let adding = compare(added, theirs, &pairs, [0.0; 3], THREE_TOLERANCE);
    // Where only the root moves, adding its OFFSET shifts the whole figure and does nothing else.
    if matches!(adding, Verdict::Agrees(_)) && !ours.moving_children {
        return compare(ours, theirs, &pairs, ours.root_offset, THREE_TOLERANCE);
    }
    adding
}

fn like_blender(ours: &Reading, theirs: &Reading) -> Verdict {
    if let Some(verdict) = unread(ours, theirs) {
        return verdict;
    }
    match paired_by_name(ours, theirs) {
        Ok(pairs) => compare(ours, theirs, &pairs, [0.0; 3], BLENDER_TOLERANCE),
        Err(verdict) => verdict,
    }
}

fn unread(ours: &Reading, theirs: &Reading) -> Option<Verdict> {
    match (&ours.error, &theirs.error) {
        (Some(error), _) => Some(Verdict::Differs(format!("we do not read it: {error}"))),
        (None, Some(error)) => Some(Verdict::NotComparable(format!("not read: {error}"))),
        (None, None) => None,
    }
}

pub type Pairs = Vec<(usize, usize)>;

/// Joints in file order, end sites by the joint they hang on. three.js cuts names at the first blank.
fn paired_by_order(ours: &Reading, theirs: &Reading) -> Result<Pairs, Verdict> {
    let joints = |reading: &Reading| -> Vec<usize> {
        (0..reading.nodes.len()).filter(|&node| !reading.nodes[node].end).collect()
    };
    let (our_joints, their_joints) = (joints(ours), joints(theirs));
    if our_joints.len() != their_joints.len() {
        return Err(Verdict::Differs(format!("{} joints, they find {}", our_joints.len(), their_joints.len())));
    }
    let mut pairs: Pairs = our_joints.into_iter().zip(their_joints).collect();
    for &(our, their) in &pairs {
        let (our, their) = (&ours.nodes[our].name, &theirs.nodes[their].name);
        if our.split_whitespace().next() != their.split_whitespace().next() {
            return Err(Verdict::Differs(format!("joint '{our}' is '{their}' to them")));
        }
    }
    let end_sites = pairs.iter().filter_map(|&(our, their)| Some((end_of(ours, our)?, end_of(theirs, their)?)));
    let end_sites: Pairs = end_sites.collect();
    pairs.extend(end_sites);
    Ok(pairs)
}

fn end_of(reading: &Reading, joint: usize) -> Option<usize> {
    reading.nodes.iter().position(|node| node.end && node.parent == Some(joint))
}

/// Blender orders bones its own way, so by name; it writes blanks as underscores and renames repeated names.
pub fn paired_by_name(ours: &Reading, theirs: &Reading) -> Result<Pairs, Verdict> {
    let mut pairs = Pairs::new();
    for (our, node) in ours.nodes.iter().enumerate().filter(|(_, node)| !node.end) {
        let name = node.name.replace(' ', "_");
        if ours.nodes[..our].iter().any(|earlier| !earlier.end && earlier.name == node.name) {
            return Err(Verdict::NotComparable(format!("joint name '{name}' is there twice")));
        }
        match theirs.nodes.iter().position(|their| their.name == name || their.name == node.name) {
            Some(their) => pairs.push((our, their)),
            None => return Err(Verdict::Differs(format!("joint '{name}' is unknown to them"))),
        }
    }
    Ok(pairs)
}

pub fn compare(ours: &Reading, theirs: &Reading, pairs: &Pairs, shift: [f64; 3], tolerance: f64) -> Verdict {
    let mut worst = 0.0_f64;
    let mut compared = 0;
    for ((frame, ours_at), theirs_at) in ours.frames.iter().zip(&ours.positions).zip(&theirs.positions) {
        // A frame they did not load (they trust a wrong count in the header) cannot be compared.
        let (Some(ours_at), Some(theirs_at)) = (ours_at, theirs_at) else { continue };
        compared += 1;
        let largest = theirs_at.iter().chain(ours_at).flatten().fold(0.0_f64, |most, x| most.max(x.abs()));
        for &(our, their) in pairs {
            let gap = (0..3).map(|axis| (ours_at[our][axis] + shift[axis] - theirs_at[their][axis]).powi(2));
            let relative = gap.sum::<f64>().sqrt() / largest.max(f64::MIN_POSITIVE);
            if relative > tolerance || relative.is_nan() {
                return Verdict::Differs(format!(
                    "frame {frame}, {}: ours {:?} (shift {shift:?}), theirs {:?}: {relative:.1e} apart, allowed {tolerance:.0e}",
                    ours.nodes[our].name, ours_at[our], theirs_at[their]
                ));
            }
            worst = worst.max(relative);
        }
    }
    match compared {
        0 => Verdict::NotComparable("they load no frame of it".to_owned()),
        _ => Verdict::Agrees(worst),
    }
}

pub fn report(oracle: &str, data: &Path, ours: &[Reading], verdict: impl Fn(usize) -> Verdict) -> Outcome {
    let mut outcome = Outcome::default();
    let mut worst = 0.0_f64;
    for (index, reading) in ours.iter().enumerate() {
        let name = reading.file.strip_prefix(data).unwrap_or(&reading.file).display();
        match verdict(index) {
            Verdict::Agrees(apart) => {
                outcome.passed += 1;
                worst = worst.max(apart);
            }
            Verdict::Differs(why) => outcome.failures.push(format!("oracles {oracle} {name}: {why}")),
            Verdict::NotComparable(why) => outcome.skipped.push(format!("oracles {oracle} {name}: {why}")),
        }
    }
    println!(
        "{oracle}: {} files agree, worst {worst:.1e} of the largest coordinate; {} differ, {} not comparable",
        outcome.passed,
        outcome.failures.len(),
        outcome.skipped.len()
    );
    outcome
}

/// Our reading through the library, by the example program of `crates/formats`.
fn our_readings(files: &[PathBuf], position: &str) -> Result<Vec<Reading>> {
    let mut command = shell::example("dump_positions")?;
    command.args(["--position", position, "--samples", &SAMPLES.to_string()]).args(files);
    parsed(&shell::output(&mut command)?, files.len())
}

/// Their reading of the same frames.
pub fn their_readings(command: &mut Command, ours: &[Reading]) -> Result<Vec<Reading>> {
    let request = |reading: &Reading| serde_json::json!({ "file": reading.file, "frames": reading.frames }).to_string();
    answers(command, ours.iter().map(request).collect())
}

/// Requests go in as lines, as many answers come out as lines, in the same order.
pub fn answers(command: &mut Command, requests: Vec<String>) -> Result<Vec<Reading>> {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .with_context(|| format!("cannot start {}", shell::shown(command)))?;
    let mut input = child.stdin.take().context("the oracle has no standard input")?;
    let count = requests.len();
    // On a thread of its own: the oracle answers while it is still being asked, and both pipes can fill up.
    let asking = std::thread::spawn(move || requests.iter().try_for_each(|request| writeln!(input, "{request}")));
    let output = child.wait_with_output()?;
    if !output.status.success() {
        let stderr = String::from_utf8_lossy(&output.stderr);
        bail!("{} failed ({})\n{}", shell::shown(command), output.status, shell::last_lines(&stderr, 20));
    }
    let asked = asking.join().map_err(|_| anyhow::anyhow!("asking the oracle failed"))?;
    asked.context("asking the oracle")?;
    parsed(&String::from_utf8(output.stdout)?, count)
}

pub fn parsed(lines: &str, expected: usize) -> Result<Vec<Reading>> {
    let readings: Vec<Reading> = lines.lines().map(serde_json::from_str).collect::<Result<_, _>>()?;
    if readings.len() != expected {
        bail!("{expected} files asked for, {} answers", readings.len());
    }
    Ok(readings)
}

/// Every BVH below a folder, sorted.
pub fn bvh_files(data: &Path) -> Result<Vec<PathBuf>> {
    let mut pending = vec![data.to_path_buf()];
    let mut files = Vec::new();
    while let Some(folder) = pending.pop() {
        for entry in std::fs::read_dir(&folder).with_context(|| folder.display().to_string())? {
            let path = entry?.path();
            if path.is_dir() {
                pending.push(path);
            } else if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("bvh")) {
                files.push(path);
            }
        }
    }
    files.sort();
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reading(positions: &[[f64; 3]]) -> Reading {
        let nodes = [("Hips", None, false), ("Left Leg", Some(0), false), ("ENDSITE", Some(1), true)];
        Reading {
            file: PathBuf::from("a.bvh"),
            error: None,
            nodes: nodes.map(|(name, parent, end)| Node { name: name.to_owned(), parent, end }).to_vec(),
            frames: vec![0],
            positions: vec![Some(positions.to_vec())],
            root_offset: [0.0, 1.0, 0.0],
            moving_children: false,
        }
    }

    #[test]
    fn a_figure_lifted_by_the_roots_offset_agrees_and_by_anything_else_differs() {
        let ours = reading(&[[0.0, 5.0, 0.0], [1.0, 4.0, 0.0], [1.0, 2.0, 0.0]]);
        let lifted = reading(&[[0.0, 6.0, 0.0], [1.0, 5.0, 0.0], [1.0, 3.0, 0.0]]);
        assert!(matches!(like_three(&ours, &lifted, &lifted), Verdict::Agrees(_)));
        let wrong = reading(&[[0.0, 6.0, 0.0], [1.0, 5.0, 0.0], [1.0, 3.1, 0.0]]);
        assert!(matches!(like_three(&ours, &lifted, &wrong), Verdict::Differs(_)));
        assert!(matches!(like_three(&lifted, &lifted, &lifted), Verdict::Differs(_)), "no shift at all");
    }

    #[test]
    fn not_a_number_is_a_difference() {
        let ours = reading(&[[0.0, 5.0, 0.0], [1.0, 4.0, 0.0], [1.0, 2.0, 0.0]]);
        let mut theirs = ours.clone();
        theirs.positions = vec![Some(vec![[f64::NAN; 3]; 3])];
        assert!(matches!(like_blender(&ours, &theirs), Verdict::Differs(_)));
    }

    #[test]
    fn a_file_they_cannot_read_is_not_counted_as_agreement() {
        let ours = reading(&[[0.0; 3]; 3]);
        let theirs = Reading { error: Some("no".to_owned()), ..ours.clone() };
        assert!(matches!(like_three(&ours, &ours, &theirs), Verdict::NotComparable(_)));
        assert!(matches!(like_three(&theirs, &ours, &ours), Verdict::Differs(_)));
    }
}
