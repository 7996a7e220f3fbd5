//! How long touch-up takes on one core: a built-in walk and run repeated, at 30 and 120 Hz, in processor seconds.
//! `--json` for `cargo xtask bench`.

use aplomb_analysis::Take;
use aplomb_builtins::clip;
use aplomb_editing::touchup::{TouchupOptions, touch_up};
use aplomb_motion::edit::{self, Join};
use aplomb_motion::{FrameTime, Roles};
use aplomb_physics::{Body, BodyOptions};
use cpu_time::ProcessTime;

fn main() {
    let is_json = std::env::args().any(|argument| argument == "--json");
    if !is_json {
        println!("clip    Hz   frames  iterations      s  µs a frame and iteration");
    }
    for name in ["walk", "run"] {
        let once = clip(name).unwrap();
        let roles = Roles::detect(&once);
        for (hz, wanted) in [(30.0, 1000), (30.0, 4000), (120.0, 2500), (120.0, 10_000)] {
            let one = edit::resample(&once, FrameTime::from_hz(hz).unwrap()).unwrap();
            let copies = vec![&one; wanted / one.frame_count() + 1];
            let long = edit::concatenate(&copies, Join::Continue).unwrap();
            let body = Body::of_clip(&long, &roles, &BodyOptions::default()).unwrap();
            let contacts = Take::new(long.clone(), roles.clone(), body.clone()).into_contacts().unwrap();
            let options = TouchupOptions { keep_layers: false, ..TouchupOptions::default() };
            let start = ProcessTime::now();
            let done = touch_up(
                &Take::new(long.clone(), roles.clone(), body.clone()).with_known_contacts(contacts.clone(), None),
                &options,
            )
            .unwrap();
            let secs = start.elapsed().as_secs_f64();
            let (frames, iterations) = (long.frame_count(), done.iterations.len());
            let each = secs * 1e6 / (frames * iterations) as f64;
            if is_json {
                let line = serde_json::json!({
                    "clip": name, "hz": hz, "frames": frames, "iterations": iterations, "secs": secs,
                });
                println!("{line}");
                continue;
            }
            println!("{name:6} {hz:4} {frames:8} {iterations:10} {secs:8.3} {each:6.2}");
        }
    }
}
