//! Draws a BVH file: `cargo run -p aplomb-render --example strip -- IN.bvh OUT.png|OUT.svg [options]`.
//!
//! Options: `--scale METRES_PER_UNIT`, `--up x|y|z`, `--after SECOND.bvh`, `--strobe SECS`, `--frames A,B,C`, `--from
//! SECS`, `--to SECS`, `--layout place|row`, `--front`, `--dark`, `--width PX`, `--name TEXT`.

use aplomb_formats::ReadOptions;
use aplomb_formats::bvh::BvhDocument;
use aplomb_motion::{Axis, Clip, FrameIndex, FrameOfReference, SignedPermutation};
use aplomb_render::{FrameSelection, Layout, Strip, Subject, Theme, View};
use std::error::Error;
use std::path::Path;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [input, output, options @ ..] = &arguments[..] else { return Err("give IN.bvh and OUT.png or OUT.svg".into()) };
    let value = |name: &str| {
        let at = options.iter().position(|option| option == name)?;
        options.get(at + 1)
    };
    let has = |name: &str| options.iter().any(|option| option == name);

    let metres_per_unit = value("--scale").map_or(Ok(1.0), |text| text.parse())?;
    let up = match value("--up").map(String::as_str) {
        Some("x") => Axis::X,
        Some("z") => Axis::Z,
        _ => Axis::Y,
    };
    let frame = FrameOfReference { internal_from_file: SignedPermutation::lifting(up), metres_per_unit };
    let clip = read(input, frame)?;
    let after = value("--after").map(|path| read(path, frame)).transpose()?;
    let stem =
        |path: &str| Path::new(path).file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let name = value("--name").cloned().unwrap_or_else(|| stem(input));
    let after_name = value("--after").map(|path| stem(path)).unwrap_or_default();

    let mut strip = Strip::new(Subject::new(&clip, &name));
    strip.after = after.as_ref().map(|clip| Subject::new(clip, &after_name));
    if let Some(secs) = value("--strobe") {
        strip.frames = FrameSelection::Strobe { secs: secs.parse()? };
    }
    if let Some(list) = value("--frames") {
        let frames: Result<Vec<usize>, _> = list.split(',').map(str::parse).collect();
        strip.frames = FrameSelection::Frames(frames?.into_iter().map(FrameIndex).collect());
    }
    strip.from_secs = value("--from").map(|secs| secs.parse()).transpose()?;
    strip.to_secs = value("--to").map(|secs| secs.parse()).transpose()?;
    strip.layout = match value("--layout").map(String::as_str) {
        Some("place") => Layout::InPlace,
        Some("row") => Layout::Sequence,
        _ => Layout::Auto,
    };
    if has("--front") {
        strip.views.push(View::Front);
    }
    if has("--dark") {
        strip.theme = Theme::Dark;
    }
    if let Some(width) = value("--width") {
        strip.width_px = width.parse()?;
    }
    let picture = strip.draw()?;
    let bytes = if output.ends_with(".svg") { picture.svg.clone().into_bytes() } else { picture.to_png(1.0)? };
    std::fs::write(output, bytes)?;
    let size = format!("{} × {} px", picture.width, picture.height);
    println!("{name}: {size}, {} figures, {:.1} px/m", picture.figures, picture.px_per_metre);
    Ok(())
}

fn read(path: &str, frame: FrameOfReference) -> Result<Clip, Box<dyn Error>> {
    let mut notes = Vec::new();
    let document = BvhDocument::parse(std::fs::read(path)?, &ReadOptions::default(), &mut notes)
        .map_err(|diagnostic| format!("{path}: {diagnostic:?}"))?;
    document.to_clip(frame).map_err(|diagnostic| format!("{path}: {diagnostic:?}").into())
}
