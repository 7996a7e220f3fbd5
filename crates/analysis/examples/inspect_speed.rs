//! How long `inspect` takes, and its parts: `RAYON_NUM_THREADS=1 cargo run --release -p aplomb-analysis --example
//! inspect_speed`.

use aplomb_analysis::Take;
use aplomb_motion::{Clip, FrameIndex, Roles, edit};
use aplomb_physics::centroidal::{CentroidalOptions, LinkPaths, centroidal_track};
use aplomb_physics::{Body, BodyOptions};
use std::time::Instant;

/// Frames that the project's promise is made for.
const FRAMES: usize = 10_000;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let clip = long_walk()?;
    let roles = Roles::detect(&clip);
    let body = Body::of_clip(&clip, &roles, &BodyOptions::default())?;
    println!("{} frames, {} joints, {} links", clip.frame_count(), clip.skeleton().len(), body.links().len());
    let smoothed = CentroidalOptions { smoothing_secs: 0.167, ..CentroidalOptions::default() };
    time("poses of links", || LinkPaths::of_clip(&clip, &body).map(drop))?;
    time("centroidal, raw", || centroidal_track(&clip, &body, &CentroidalOptions::default()).map(drop))?;
    time("centroidal, smoothed", || centroidal_track(&clip, &body, &smoothed).map(drop))?;
    time("contacts", || Take::new(clip.clone(), roles.clone(), body.clone()).into_contacts().map(drop))?;
    time("inspect", || Take::new(clip.clone(), roles.clone(), body.clone()).into_inspection().map(drop))?;
    Ok(())
}

/// The built-in walk, over and over.
fn long_walk() -> Result<Clip, Box<dyn std::error::Error>> {
    let walk = aplomb_builtins::clip("walk")?;
    let (skeleton, timeline, frames, rotations, tracks) = walk.clone().into_parts();
    let joints = skeleton.len();
    let at = |frame: usize| frame % (frames - 1);
    let long_rotations =
        (0..FRAMES).flat_map(|frame| rotations[at(frame) * joints..(at(frame) + 1) * joints].iter().copied()).collect();
    let long_tracks = tracks
        .iter()
        .map(|track| {
            let stride_m = track.positions_m[frames - 1] - track.positions_m[0];
            let place = |frame: usize| track.positions_m[at(frame)] + stride_m * (frame / (frames - 1)) as f64;
            aplomb_motion::TranslationTrack { joint: track.joint, positions_m: (0..FRAMES).map(place).collect() }
        })
        .collect();
    let clip = Clip::new(skeleton, timeline, FRAMES, long_rotations, long_tracks)?;
    Ok(edit::cut_frames(&clip, FrameIndex(0)..FrameIndex(FRAMES))?)
}

fn time<E>(what: &str, run: impl Fn() -> Result<(), E>) -> Result<(), E> {
    let mut best_secs = f64::INFINITY;
    for _ in 0..7 {
        let start = Instant::now();
        run()?;
        best_secs = best_secs.min(start.elapsed().as_secs_f64());
    }
    println!("{what:22} {:8.1} ms, {:6.2} µs a frame", 1e3 * best_secs, 1e6 * best_secs / FRAMES as f64);
    Ok(())
}
