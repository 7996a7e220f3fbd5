//! Our GLB files as Blender poses them, and Blender's FBX of the same scenes as we read it.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};

use crate::check::Outcome;
use crate::oracles::{BLENDER_TOLERANCE, Reading, Verdict, compare, paired_by_name, parsed, report};
use crate::shell;

/// One capture in so many: each takes Blender about a second, and dialects of BVH do not show in a GLB.
const EVERY: usize = 4;

/// Blender's rate is single precision: keys of odd rates (29.97 Hz) drift off its whole frames, by a thousandth in a long clip.
fn is_whole(hz: f64) -> bool {
    (hz - hz.round()).abs() < 1e-9
}

/// Capture → GLB → Blender → FBX → ours; `python` has Blender's module.
pub fn run(data: &Path, files: &[PathBuf], python: &Path) -> Result<Outcome> {
    let files: Vec<PathBuf> = files.iter().step_by(EVERY).cloned().collect();
    let folder = shell::target_dir().join("oracles-blender");
    std::fs::create_dir_all(&folder)?;
    let (ours, rates) = our_readings(&folder, &files)?;
    let is_motion = |index: usize| {
        ours[index].error.is_none() && ours[index].frames.len() > 1 && rates[index].is_some_and(is_whole)
    };
    let asked: Vec<usize> = (0..files.len()).filter(|&index| is_motion(index)).collect();
    let fbx = |index: usize| folder.join(format!("{index}.fbx"));
    let requests = asked.iter().map(|&index| {
        let glb = folder.join(format!("{index}.glb"));
        json!({ "file": glb, "hz": rates[index], "frames": ours[index].frames, "fbx": fbx(index) }).to_string()
    });
    let theirs = answers(python, requests.collect())?;
    let written: Vec<PathBuf> = asked.iter().map(|&index| fbx(index)).collect();
    let again_folder = folder.join("again");
    std::fs::create_dir_all(&again_folder)?;
    let (again, _) = our_readings(&again_folder, &written)?;
    let named: Vec<Reading> = asked.iter().map(|&index| ours[index].clone()).collect();
    let mut outcome =
        report("GLB (Blender)", data, &named, |asked| verdict(&named[asked], &theirs[asked], &named[asked]));
    outcome.add(report("FBX (Blender)", data, &named, |asked| verdict(&again[asked], &theirs[asked], &named[asked])));
    std::fs::remove_dir_all(&folder)?;
    Ok(outcome)
}

/// `wanted` has the frames that both were asked for.
fn verdict(ours: &Reading, theirs: &Reading, wanted: &Reading) -> Verdict {
    if let Some(error) = ours.error.as_ref().or(theirs.error.as_ref()) {
        return Verdict::Differs(error.clone());
    }
    if ours.frames != wanted.frames {
        return Verdict::Differs(format!("frames {:?}, expected {:?}", ours.frames, wanted.frames));
    }
    match paired_by_name(ours, theirs) {
        Ok(pairs) => compare(ours, theirs, &pairs, [0.0; 3], BLENDER_TOLERANCE),
        Err(verdict) => verdict,
    }
}

/// What we read, with the rates.
fn our_readings(folder: &Path, files: &[PathBuf]) -> Result<(Vec<Reading>, Vec<Option<f64>>)> {
    let mut command = shell::cargo();
    command.args(["run", "--release", "--quiet", "--locked", "-p", "aplomb-formats", "--example", "write_glb", "--"]);
    let lines = shell::output(command.arg(folder).args(files))?;
    let rate = |line: &str| serde_json::from_str::<Value>(line).ok()?.get("hz")?.as_f64();
    Ok((parsed(&lines, files.len())?, lines.lines().map(rate).collect()))
}

fn answers(python: &Path, requests: Vec<String>) -> Result<Vec<Reading>> {
    let mut blender = Command::new(python);
    blender.arg("tests/oracles/blender_scene.py");
    let mut child = blender
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .with_context(|| format!("cannot start {}", shell::shown(&blender)))?;
    let mut input = child.stdin.take().context("Blender has no standard input")?;
    let count = requests.len();
    // On a thread of its own: both pipes can fill up.
    let asking = std::thread::spawn(move || requests.iter().try_for_each(|request| writeln!(input, "{request}")));
    let output = child.wait_with_output()?;
    if !output.status.success() {
        let stderr = String::from_utf8_lossy(&output.stderr);
        bail!("{} failed ({})\n{}", shell::shown(&blender), output.status, shell::last_lines(&stderr, 20));
    }
    asking.join().map_err(|_| anyhow::anyhow!("asking Blender failed"))?.context("asking Blender")?;
    parsed(&String::from_utf8(output.stdout)?, count)
}
