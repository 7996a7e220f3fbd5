//! How long a blend takes: two built-in jumps, repeated poses at their ends to 500 and 2,000 frames; and a sweep of
//! 1,000 blends over all cores.
//!
//! Ends with 1 if a blend of 500 frames takes more than 10 ms of one core. `--json` for `cargo xtask bench`, which
//! judges by itself.

use aplomb_analysis::Take;
use aplomb_editing::blend::{BlendOptions, BlendSpace};
use aplomb_motion::edit::{self, Join};
use aplomb_motion::{Clip, FrameIndex, Roles};
use aplomb_physics::{Body, BodyOptions};
use cpu_time::ThreadTime;
use std::time::Instant;

const SWEEP: usize = 1000;

fn main() {
    let is_json = std::env::args().any(|argument| argument == "--json");
    if !is_json {
        println!("frames  joints  look ms  blend ms  sweep of {SWEEP} ms: all cores / one");
    }
    let mut missed = false;
    for frames in [500, 2000] {
        let clips = ["short-jump", "long-jump"].map(|name| lengthened(name, frames));
        let roles = Roles::detect(&clips[0]);
        let body = Body::of_clip(&clips[0], &roles, &BodyOptions::default()).unwrap();
        let takes: Vec<Take> = clips.iter().map(|clip| Take::new(clip.clone(), roles.clone(), body.clone())).collect();
        // Contacts are found before the clock starts.
        assert!(takes.iter().all(|take| take.contacts().is_ok()));
        let start = ThreadTime::now();
        let space = BlendSpace::new(&takes, BlendOptions::default()).unwrap();
        let look_ms = ms(start);
        let runs = 20;
        space.blend(&[0.5, 0.5]).unwrap();
        let start = ThreadTime::now();
        for run in 0..runs {
            let weight = f64::from(run) / f64::from(runs);
            space.blend(&[1.0 - weight, weight]).unwrap();
        }
        let blend_ms = ms(start) / f64::from(runs);
        let sweep = SWEEP * 500 / frames;
        let weights: Vec<Vec<f64>> = (0..sweep)
            .map(|index| index as f64 / (sweep - 1) as f64)
            .map(|weight| vec![1.0 - weight, weight])
            .collect();
        let start = Instant::now();
        let made = space.sweep(&weights).into_iter().filter(|blend| blend.is_ok()).count();
        let sweep_ms = start.elapsed().as_secs_f64() * 1e3;
        assert_eq!(made, sweep);
        let sweep_alone_ms = blend_ms * sweep as f64;
        let joints = clips[0].skeleton().len();
        if is_json {
            let line = serde_json::json!({
                "frames": frames, "joints": joints, "look_ms": look_ms, "blend_ms": blend_ms,
                "sweep": sweep, "sweep_ms": sweep_ms, "sweep_alone_ms": sweep_alone_ms,
            });
            println!("{line}");
            continue;
        }
        println!(
            "{frames:6} {joints:7} {look_ms:8.1} {blend_ms:9.2}  {sweep} blends: {sweep_ms:.0} / {sweep_alone_ms:.0}"
        );
        missed |= blend_ms * 500.0 / frames as f64 > 10.0;
    }
    if missed && !is_json {
        println!("a bar is missed");
        std::process::exit(1);
    }
}

fn ms(start: ThreadTime) -> f64 {
    start.elapsed().as_secs_f64() * 1e3
}

/// The clip, standing at its end until it has so many frames.
fn lengthened(name: &str, frames: usize) -> Clip {
    let once = aplomb_builtins::clip(name).unwrap();
    let last = edit::cut_frames(&once, FrameIndex(once.frame_count() - 1)..FrameIndex(once.frame_count())).unwrap();
    let mut parts = vec![&once];
    parts.extend(std::iter::repeat_n(&last, frames.saturating_sub(once.frame_count())));
    edit::cut_frames(&edit::concatenate(&parts, Join::AsIs).unwrap(), FrameIndex(0)..FrameIndex(frames)).unwrap()
}
