//! World positions of every joint and end site of BVH files, as lines of JSON, in the file's own unit and axes.
//!
//!     dump_positions [--position detect|replace|add] [--samples N] FILE…
//!
//! `cargo xtask oracles` lays them beside what three.js and Blender read; `tests/oracles/three_fk.mjs` says what a line
//! holds.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use aplomb_formats::bvh::BvhDocument;
use aplomb_formats::{PositionSemantics, ReadOptions};
use aplomb_motion::{Clip, FrameIndex, FrameOfReference, WorldPose};
use glam::DVec3;
use serde_json::{Value, json};

fn main() -> ExitCode {
    let request = match Request::from_args(std::env::args().skip(1)) {
        Ok(request) => request,
        Err(problem) => {
            eprintln!("dump_positions: {problem}");
            return ExitCode::from(2);
        }
    };
    for file in &request.files {
        let answer = match dump(file, &request) {
            Ok(answer) => answer,
            Err(error) => json!({ "file": file, "error": error }),
        };
        println!("{answer}");
    }
    ExitCode::SUCCESS
}

struct Request {
    options: ReadOptions,
    samples: usize,
    files: Vec<PathBuf>,
}

impl Request {
    fn from_args(mut args: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut request = Self { options: ReadOptions::default(), samples: 8, files: Vec::new() };
        while let Some(arg) = args.next() {
            let mut value = || args.next().ok_or(format!("{arg} needs a value"));
            match arg.as_str() {
                "--position" => {
                    request.options.position_semantics = match value()?.as_str() {
                        "detect" => PositionSemantics::Detect,
                        "replace" => PositionSemantics::Replace,
                        "add" => PositionSemantics::Add,
                        other => return Err(format!("--position {other}: detect, replace or add")),
                    }
                }
                "--samples" => request.samples = value()?.parse().map_err(|error| format!("--samples: {error}"))?,
                file => request.files.push(PathBuf::from(file)),
            }
        }
        Ok(request)
    }
}

fn dump(file: &Path, request: &Request) -> Result<Value, String> {
    let bytes = std::fs::read(file).map_err(|error| error.to_string())?;
    let document =
        BvhDocument::parse(bytes, &request.options, &mut Vec::new()).map_err(|diagnostic| diagnostic.to_string())?;
    // The file as it is: one unit counts as one metre, and no axis is turned.
    let clip = document.to_clip(FrameOfReference::INTERNAL).map_err(|diagnostic| diagnostic.to_string())?;
    let frames = sampled(clip.frame_count(), request.samples);
    let mut pose = WorldPose::for_skeleton(clip.skeleton());
    let positions: Vec<Vec<DVec3>> = frames.iter().map(|&frame| node_positions(&clip, &mut pose, frame)).collect();
    let first = document.joints().first();
    Ok(json!({
        "file": file,
        "frame_count": clip.frame_count(),
        "frames": frames,
        "nodes": nodes(&clip),
        "positions": positions.iter().map(|frame| frame.iter().map(DVec3::to_array).collect()).collect::<Vec<Vec<_>>>(),
        // What the file says, not what the clip made of it: a clip's root offset may come from its channels.
        "root_offset": first.map(|root| root.offset.map(|number| number.value)),
        "moving_children": clip.skeleton().joints().iter().any(|joint| joint.parent.is_some() && joint.channels.has_position()),
    }))
}

/// Evenly spaced frames, the first and the last among them.
fn sampled(frames: usize, samples: usize) -> Vec<usize> {
    let count = samples.min(frames);
    let mut chosen: Vec<usize> = (0..count).map(|sample| sample * (frames - 1) / (count - 1).max(1)).collect();
    chosen.dedup();
    chosen
}

/// Joints, each followed by its end sites.
fn nodes(clip: &Clip) -> Vec<Value> {
    let mut nodes = Vec::new();
    let mut node_of_joint = Vec::new();
    for joint in clip.skeleton().joints() {
        let parent = joint.parent.map(|parent| node_of_joint[parent.index()]);
        let node: usize = nodes.len();
        node_of_joint.push(node);
        nodes.push(json!({ "name": joint.name, "parent": parent, "end": false }));
        for end in &joint.end_sites {
            nodes.push(json!({ "name": end.name.as_deref().unwrap_or("End Site"), "parent": node, "end": true }));
        }
    }
    nodes
}

fn node_positions(clip: &Clip, pose: &mut WorldPose, frame: usize) -> Vec<DVec3> {
    pose.pose(clip, FrameIndex(frame));
    let mut positions = Vec::new();
    for (id, joint) in clip.skeleton().ids().zip(clip.skeleton().joints()) {
        positions.push(pose.joint_in_world_m[id.index()]);
        positions.extend(joint.end_sites.iter().map(|end| pose.point_in_world_m(id, end.offset_m)));
    }
    positions
}
