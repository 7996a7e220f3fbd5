//! How long reading, writing and posing BVH files takes: what `cargo xtask bench` runs for our side of its table.
//!
//!     bench_bvh [--repeats N] FILE…     a line of JSON for each file, every time the best of N
//!     bench_bvh --memory FILE           the most memory that reading took, beside the sizes of the clip and the file
//!
//! Times are processor seconds of this one-threaded process, so that other work on the machine does not count, and
//! begin with the bytes in memory.

use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use aplomb_formats::bvh::{BvhDocument, BvhStyle, write_canonical};
use aplomb_formats::import::read_file;
use aplomb_formats::{Diagnostic, ReadOptions, WriteOptions};
use aplomb_motion::{Clip, FrameOfReference, WorldPose};
use cpu_time::ProcessTime;
use glam::{DQuat, DVec3};
use serde_json::{Value, json};

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let result = match args.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["--memory", file] => memory(Path::new(file)).map(|answer| println!("{answer}")),
        ["--repeats", repeats, files @ ..] => repeats
            .parse()
            .map_err(|error| format!("--repeats {repeats}: {error}"))
            .and_then(|repeats| files.iter().try_for_each(|file| speed(&PathBuf::from(file), repeats))),
        _ => Err("--repeats N FILE… or --memory FILE".to_owned()),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("bench_bvh: {problem}");
            ExitCode::FAILURE
        }
    }
}

fn speed(file: &Path, repeats: u32) -> Result<(), String> {
    let bytes = std::fs::read(file).map_err(|error| format!("{}: {error}", file.display()))?;
    let (document, clip) = read(bytes.clone()).map_err(|error| format!("{}: {error}", file.display()))?;
    let frame = FrameOfReference::INTERNAL;
    let options = WriteOptions::default();
    let style = BvhStyle::default();
    let write = || write_canonical(&clip, frame, &style, &options, &mut Vec::new());
    let copy = || document.write(&clip, frame, &options, &mut Vec::new());
    let written_bytes = write().map_err(|error| error.to_string())?.len();
    if copy().map_err(|error| error.to_string())? != bytes {
        return Err(format!("{}: the unedited clip is not written back to the byte", file.display()));
    }

    let import = || read_file(file, &ReadOptions::default());
    import().map_err(|error| error.to_string())?;

    // The copy that the document keeps is made outside the clock: a file is read into memory that is then the
    // document's.
    let parse_secs = best(repeats, || bytes.clone(), read);
    let import_secs = best(repeats, || (), |()| import());
    let write_secs = best(repeats, || (), |()| write());
    let copy_secs = best(repeats, || (), |()| copy());
    let fk_secs = best(repeats, || WorldPose::for_skeleton(clip.skeleton()), |pose| pose_all(&clip, pose));
    let answer = json!({
        "file": file,
        "bytes": bytes.len() as f64,
        "frames": clip.frame_count(),
        "joints": clip.skeleton().len(),
        "parse_secs": parse_secs,
        "import_secs": import_secs,
        "write_secs": write_secs,
        "written_bytes": written_bytes as f64,
        "copy_secs": copy_secs,
        "fk_secs": fk_secs,
    });
    println!("{answer}");
    Ok(())
}

fn read(bytes: Vec<u8>) -> Result<(BvhDocument, Clip), Box<Diagnostic>> {
    let document = BvhDocument::parse(bytes, &ReadOptions::default(), &mut Vec::new())?;
    let clip = document.to_clip(FrameOfReference::INTERNAL)?;
    Ok((document, clip))
}

fn pose_all(clip: &Clip, mut pose: WorldPose) -> WorldPose {
    for frame in clip.frames() {
        pose.pose(clip, frame);
        black_box(&pose);
    }
    pose
}

/// Seconds of the fastest of `repeats` runs of `work`, without the time that `prepare` takes and results take to drop.
fn best<I, O>(repeats: u32, mut prepare: impl FnMut() -> I, mut work: impl FnMut(I) -> O) -> f64 {
    let mut best_secs = f64::INFINITY;
    for _ in 0..repeats.max(1) {
        let input = prepare();
        let started = ProcessTime::now();
        let output = black_box(work(input));
        best_secs = best_secs.min(started.elapsed().as_secs_f64());
        drop(output);
    }
    best_secs
}

fn memory(file: &Path) -> Result<Value, String> {
    let before = status_bytes("VmRSS:");
    let bytes = std::fs::read(file).map_err(|error| format!("{}: {error}", file.display()))?;
    let file_bytes = bytes.len();
    let (document, clip) = read(bytes).map_err(|error| error.to_string())?;
    let peak = status_bytes("VmHWM:");
    let rotations = size_of_val::<[DQuat]>(clip.rotations());
    let translations: usize = clip.tracks().iter().map(|track| size_of_val::<[DVec3]>(&track.positions_m)).sum();
    black_box((document, clip));
    Ok(json!({
        "peak_bytes": peak.zip(before).map(|(peak, before)| peak - before),
        "decoded_bytes": (rotations + translations) as f64,
        "file_bytes": file_bytes as f64,
    }))
}

/// A line of the kernel's account of this process, such as `VmHWM:   12345 kB`; `None` on other systems.
fn status_bytes(key: &str) -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(key))?;
    let kib: f64 = line.trim().strip_suffix(" kB")?.parse().ok()?;
    Some(kib * 1024.0)
}
