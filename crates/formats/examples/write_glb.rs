//! GLBs of motion files, with what we say about them: what `cargo xtask oracles` lays beside other programs' reading.
//!
//!     write_glb FOLDER FILE…       writes FOLDER/N.glb for the Nth file; prints a line of JSON for each:
//!                                  {"file", "glb", "hz", "nodes", "frames", "positions"} in metres, Y up, or {"file", "error"}
//!     write_glb --usda FOLDER FILE…  the same as FOLDER/N.usda
//!     write_glb --speed N FILE…    seconds for writing and for checking what was written, the best of N

use std::hint::black_box;
use std::path::Path;
use std::process::ExitCode;

use aplomb_formats::{ReadOptions, WriteOptions, export, gltf, read_file};
use aplomb_motion::{Clip, FrameIndex, WorldPose};
use cpu_time::ProcessTime;
use glam::DVec3;
use serde_json::{Value, json};

/// Frames compared in each file.
const SAMPLES: usize = 8;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let result = match args.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["--speed", repeats, files @ ..] => speed(repeats, files),
        ["--usda", folder, files @ ..] => {
            write_all(folder, "usda", files);
            Ok(())
        }
        [folder, files @ ..] => {
            write_all(folder, "glb", files);
            Ok(())
        }
        [] => Err("a folder and files, or --speed N and files".to_owned()),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("write_glb: {problem}");
            ExitCode::FAILURE
        }
    }
}

fn write_all(folder: &str, ending: &str, files: &[&str]) {
    for (number, file) in files.iter().enumerate() {
        let out = Path::new(folder).join(format!("{number}.{ending}"));
        let answer = write(file, &out).unwrap_or_else(|error| json!({ "file": file, "error": error }));
        println!("{answer}");
    }
}

fn write(file: &str, glb: &Path) -> Result<Value, String> {
    let import = read_file(Path::new(file), &ReadOptions::default()).map_err(|error| error.to_string())?;
    let encoded = export::encode(glb, &import.clip, Some(&import), import.frame(), &WriteOptions::default());
    let encoded = encoded.map_err(|error| error.to_string())?;
    export::save(&encoded, true).map_err(|error| error.to_string())?;
    let clip = &import.clip;
    let count = SAMPLES.min(clip.frame_count());
    let mut frames: Vec<usize> =
        (0..count).map(|sample| sample * (clip.frame_count() - 1) / (count - 1).max(1)).collect();
    frames.dedup();
    let mut pose = WorldPose::for_skeleton(clip.skeleton());
    let positions: Vec<_> = frames.iter().map(|&frame| positions(clip, &mut pose, frame)).collect();
    let hz = clip.timeline().uniform().map(|time| time.hz());
    Ok(json!({ "file": file, "glb": glb, "hz": hz, "nodes": nodes(clip), "frames": frames, "positions": positions }))
}

/// In the order of the nodes: joints, then end sites.
fn nodes(clip: &Clip) -> Vec<Value> {
    let joints = clip.skeleton().ids();
    let parent = |id| clip.skeleton().parent(id).map(|parent| parent.index());
    let mut nodes: Vec<Value> = joints
        .map(|id| json!({ "name": clip.skeleton().joint(id).name, "parent": parent(id), "end": false }))
        .collect();
    for id in clip.skeleton().ids() {
        let ends = clip.skeleton().joint(id).end_sites.iter();
        nodes.extend(ends.map(|_| json!({ "name": "End Site", "parent": id.index(), "end": true })));
    }
    nodes
}

fn positions(clip: &Clip, pose: &mut WorldPose, frame: usize) -> Vec<[f64; 3]> {
    pose.pose(clip, FrameIndex(frame));
    let mut positions: Vec<[f64; 3]> = pose.joint_in_world_m.iter().map(DVec3::to_array).collect();
    for id in clip.skeleton().ids() {
        let ends = clip.skeleton().joint(id).end_sites.iter();
        positions.extend(ends.map(|site| pose.point_in_world_m(id, site.offset_m).to_array()));
    }
    positions
}

fn speed(repeats: &str, files: &[&str]) -> Result<(), String> {
    let repeats: u32 = repeats.parse().map_err(|error| format!("--speed {repeats}: {error}"))?;
    for file in files {
        let import = read_file(Path::new(file), &ReadOptions::default()).map_err(|error| error.to_string())?;
        let about = gltf::About::default();
        let write = || gltf::write(&import.clip, &import.roles, &about, &mut Vec::new());
        let bytes = write().map_err(|error| error.to_string())?;
        let write_secs = best(repeats, || drop(black_box(write())));
        let check_secs = best(repeats, || drop(black_box(gltf::check(&bytes, &import.clip))));
        let answer = json!({
            "file": file,
            "frames": import.clip.frame_count(),
            "bytes": bytes.len() as f64,
            "write_secs": write_secs,
            "check_secs": check_secs,
        });
        println!("{answer}");
    }
    Ok(())
}

fn best(repeats: u32, mut work: impl FnMut()) -> f64 {
    let mut best_secs = f64::INFINITY;
    for _ in 0..repeats.max(1) {
        let started = ProcessTime::now();
        work();
        best_secs = best_secs.min(started.elapsed().as_secs_f64());
    }
    best_secs
}
