//! Our GLB files as Blender poses them, and Blender's FBX of the same scenes as we read it.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Result;
use serde_json::{Value, json};

use crate::check::Outcome;
use crate::oracles::{BLENDER_TOLERANCE, Reading, Verdict, answers, compare, paired_by_name, parsed, report};
use crate::shell;

/// Capture → GLB → Blender → FBX → ours; `python` has Blender's module.
pub fn run(data: &Path, files: &[PathBuf], python: &Path) -> Result<Outcome> {
    let folder = shell::target_dir().join("oracles-blender");
    std::fs::create_dir_all(&folder)?;
    let (ours, rates) = our_readings(&folder, files)?;
    // One that we do not read is asked for too, and fails.
    let asked: Vec<usize> = (0..files.len()).filter(|&index| ours[index].frames.len() != 1).collect();
    println!(
        "Blender: {} files of a single frame, which is no animation to it, are left out",
        files.len() - asked.len()
    );
    let fbx = |index: usize| folder.join(format!("{index}.fbx"));
    let requests = asked.iter().map(|&index| {
        let glb = folder.join(format!("{index}.glb"));
        json!({ "file": glb, "hz": rates[index], "frames": ours[index].frames, "fbx": fbx(index) }).to_string()
    });
    let theirs = answers(Command::new(python).arg("tests/oracles/blender.py"), requests.collect())?;
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
    if let Some(missing) = theirs.positions.iter().position(Option::is_none) {
        return Verdict::Differs(format!("they have no frame {}", wanted.frames[missing]));
    }
    match paired_by_name(ours, theirs) {
        Ok(pairs) => compare(ours, theirs, &pairs, [0.0; 3], BLENDER_TOLERANCE),
        Err(verdict) => verdict,
    }
}

/// What we read, with the rates.
fn our_readings(folder: &Path, files: &[PathBuf]) -> Result<(Vec<Reading>, Vec<Option<f64>>)> {
    let mut command = shell::example("write_glb")?;
    let lines = shell::output(command.arg(folder).args(files))?;
    let rate = |line: &str| serde_json::from_str::<Value>(line).ok()?.get("hz")?.as_f64();
    Ok((parsed(&lines, files.len())?, lines.lines().map(rate).collect()))
}
