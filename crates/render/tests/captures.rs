//! Real captures: the strip finds travel, sides and moments on its own.

use aplomb_formats::ReadOptions;
use aplomb_formats::bvh::BvhDocument;
use aplomb_motion::{Clip, FrameOfReference};
use aplomb_render::{Picture, Strip, Subject};
use std::path::PathBuf;

/// One unit of a CMU file (its ASF states `length 0.45`).
const CMU_M: f64 = 0.0254 / 0.45;

fn capture(path: &str, metres_per_unit: f64) -> Option<Clip> {
    let default = || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let file = std::env::var_os("APLOMB_DATA").map_or_else(default, PathBuf::from).join(path);
    let Ok(bytes) = std::fs::read(&file) else {
        eprintln!("SKIPPED: {} is absent", file.display());
        return None;
    };
    let document = BvhDocument::parse(bytes, &ReadOptions::default(), &mut Vec::new()).unwrap();
    Some(document.to_clip(FrameOfReference { metres_per_unit, ..FrameOfReference::INTERNAL }).unwrap())
}

fn draw(clip: &Clip) -> Picture {
    let picture = Strip::new(Subject::new(clip, "capture")).draw().unwrap();
    assert!(!picture.svg.contains("NaN"));
    assert!(picture.figures <= 16, "{}", picture.figures);
    picture
}

fn side_by_side(picture: &Picture) -> bool {
    picture.notes.iter().any(|note| note.contains("side by side"))
}

#[test]
fn a_walk_is_shown_where_it_went() {
    let Some(clip) = capture("cmu-bvh/walk-straight/02_01.bvh", CMU_M) else { return };
    let picture = draw(&clip);
    assert!(!side_by_side(&picture) && picture.figures >= 8);
    assert!(picture.svg.contains("Side view, from its right") && picture.svg.contains(">left<"));
    assert!(picture.notes.iter().any(|note| note.contains("stray pose")), "CMU files begin with a T-pose");
}

#[test]
fn sitting_down_is_shown_side_by_side() {
    let Some(clip) = capture("cmu-bvh/sit/113_15.bvh", CMU_M) else { return };
    assert!(side_by_side(&draw(&clip)));
}

/// Offsets of this file are placeholders of up to 4.5 m that its tracks replace, and its root is a node on the floor.
#[test]
fn placeholder_offsets_do_not_set_the_size() {
    let Some(clip) = capture("bandai-bvh/dataset-1_kick_normal_001.bvh", 0.01) else { return };
    let picture = draw(&clip);
    assert!(picture.px_per_metre > 60.0, "{}", picture.px_per_metre);
}

#[test]
fn animals_run_to_the_right() {
    let Some(clip) = capture("quadruped/dog-bvh-derived/dog_run02.bvh", 1.0) else { return };
    let picture = draw(&clip);
    assert!(picture.svg.contains("Side view, from its right") && !side_by_side(&picture));
}

#[test]
fn one_frame_gives_one_figure() {
    let Some(clip) = capture("bvh-dialects/makehuman_tpose.bvh", 0.1) else { return };
    assert_eq!(draw(&clip).figures, 1);
}
