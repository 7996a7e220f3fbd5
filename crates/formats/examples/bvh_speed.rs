//! How fast BVH is read and written: `cargo run --release -p aplomb-formats --example bvh_speed [file.bvh]`.
//!
//! Without a file it makes one of 10 000 frames × 31 joints × 96 channels with four decimals. Prints means of several
//! runs in megabytes (1e6 bytes of the file) a second, for one core.

use aplomb_formats::bvh::{BvhDocument, BvhStyle, write_canonical};
use aplomb_formats::{ReadOptions, WriteOptions, reframe::reframe};
use aplomb_motion::{Axis, FrameOfReference, SignedPermutation};
use std::fmt::Write as _;

const RUNS: usize = 30;

fn main() {
    let bytes = match std::env::args().nth(1) {
        Some(path) => std::fs::read(&path).unwrap_or_else(|error| panic!("{path}: {error}")),
        None => made_up(10_000, 31),
    };
    let megabytes = bytes.len() as f64 / 1e6;
    let options = ReadOptions::default();
    let centimetres =
        FrameOfReference { internal_from_file: SignedPermutation::lifting(Axis::Z), metres_per_unit: 0.01 };
    // Means, because the system counts in ticks: single differences may be off by one.
    let mut mean = [0.0; 6];
    let mut written_megabytes = [0.0; 3];
    let mut frames = 0;
    let mut columns = 0;
    for _ in 0..RUNS {
        let copy = bytes.clone();
        let start = Clock::start();
        let document = BvhDocument::parse(copy, &options, &mut Vec::new()).expect("a readable file");
        let parsed = start.elapsed_secs();
        let clip = document.to_clip(FrameOfReference::INTERNAL).expect("a clip");
        let converted = start.elapsed_secs();
        let clip = reframe(clip, centimetres).expect("a clip");
        let reframed = start.elapsed_secs();
        let canonical = WriteOptions { canonical: true, ..WriteOptions::default() };
        let unedited = document.write(&clip, centimetres, &WriteOptions::default(), &mut Vec::new()).expect("bytes");
        let patched = start.elapsed_secs();
        let anew = document.write(&clip, centimetres, &canonical, &mut Vec::new()).expect("bytes");
        let rewritten = start.elapsed_secs();
        let style = BvhStyle { decimals: 6, ..BvhStyle::default() };
        let other = write_canonical(&clip, centimetres, &style, &canonical, &mut Vec::new()).expect("bytes");
        let solved = start.elapsed_secs();
        assert!(unedited == bytes, "an unedited clip comes back to the byte");
        let times = [parsed, converted, reframed, patched, rewritten, solved];
        let mut before = 0.0;
        for (mean, now) in mean.iter_mut().zip(times) {
            *mean += (now - before) / RUNS as f64;
            before = now;
        }
        written_megabytes = [unedited, anew, other].map(|written| written.len() as f64 / 1e6);
        (frames, columns) = (clip.frame_count(), document.columns());
    }
    let values = (frames * columns).max(1) as f64;
    println!("{megabytes:.2} MB, {frames} frames x {columns} values, {:.2} bytes a value", megabytes * 1e6 / values);
    let say = |what: &str, megabytes: f64, secs: f64| {
        let (rate, each_ns, whole_ms) = (megabytes / secs, secs * 1e9 / values, secs * 1e3);
        println!("{what:<28} {rate:>8.1} MB/s {each_ns:>7.2} ns a value {whole_ms:>9.2} ms");
    };
    say("parse", megabytes, mean[0]);
    say("to clip", megabytes, mean[1]);
    say("parse and to clip", megabytes, mean[0] + mean[1]);
    say("reframe", megabytes, mean[2]);
    say("write unedited", written_megabytes[0], mean[3]);
    say("write anew, source angles", written_megabytes[1], mean[4]);
    say("write anew, angles solved", written_megabytes[2], mean[5]);
}

/// Time this thread ran, so that other work on the machine does not count; the wall clock where the system does not
/// tell.
struct Clock {
    wall: std::time::Instant,
    on_cpu_secs: Option<f64>,
}

impl Clock {
    fn start() -> Self {
        Self { wall: std::time::Instant::now(), on_cpu_secs: Self::on_cpu_secs() }
    }

    fn on_cpu_secs() -> Option<f64> {
        let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
        Some(text.split(' ').next()?.parse::<f64>().ok()? / 1e9)
    }

    fn elapsed_secs(&self) -> f64 {
        match (self.on_cpu_secs, Self::on_cpu_secs()) {
            (Some(start), Some(now)) => now - start,
            _ => self.wall.elapsed().as_secs_f64(),
        }
    }
}

/// A chain of joints with Z X Y channels, and angles as captures have them.
fn made_up(frames: usize, joints: usize) -> Vec<u8> {
    let mut text = String::from("HIERARCHY\n");
    for joint in 0..joints {
        let (keyword, channels) = match joint {
            0 => ("ROOT", "6 Xposition Yposition Zposition Zrotation Xrotation Yrotation"),
            _ => ("JOINT", "3 Zrotation Xrotation Yrotation"),
        };
        let _ = write!(text, "{keyword} Joint{joint}\n{{\nOFFSET 0.0 {joint}.5 0.0\nCHANNELS {channels}\n");
    }
    text.push_str("End Site\n{\nOFFSET 0 1 0\n}\n");
    text.push_str(&"}\n".repeat(joints));
    let _ = write!(text, "MOTION\nFrames: {frames}\nFrame Time: 0.008333\n");
    // A small generator keeps the file the same on every machine: no two neighbours have the same length.
    let mut state = 0x9e37_79b9_7f4a_7c15u64;
    for _ in 0..frames {
        for column in 0..3 + 3 * joints {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            let value = (state % 3_600_000) as f64 / 1e4 - 180.0;
            let _ = write!(text, "{}{value:.4}", if column > 0 { " " } else { "" });
        }
        text.push('\n');
    }
    text.into_bytes()
}
