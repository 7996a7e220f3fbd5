//! Writes `fixtures/*.bvh`: built-in clips as files, in centimetres at 60 Hz. No recorded motion.
//!
//! `cargo run -p aplomb-cli --example make_fixtures -- fixtures`; a test checks that the committed files are just
//! these.

use aplomb_formats::bvh::{self, BvhStyle};
use aplomb_formats::{WriteOptions, atomic};
use aplomb_motion::{FrameOfReference, FrameTime, edit};
use std::path::Path;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = std::env::args().nth(1).ok_or("usage: make_fixtures FOLDER")?;
    for name in ["walk", "wave"] {
        let clip = edit::resample(&aplomb_builtins::clip(name)?, FrameTime::from_hz(60.0)?)?;
        let centimetres = FrameOfReference { metres_per_unit: 0.01, ..FrameOfReference::INTERNAL };
        let options = WriteOptions::default();
        let bytes = bvh::write_canonical(&clip, centimetres, &BvhStyle::default(), &options, &mut Vec::new())?;
        atomic::write(&Path::new(&folder).join(name).with_extension("bvh"), &bytes, true)?;
    }
    Ok(())
}
