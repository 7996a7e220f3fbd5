//! Before and after as a strip: `path_picture CLIP OUT.png arc RADIUS left|right | side METRES | zigzag METRES |
//! stretch TIMES | jump TIMES LENGTH | stairs METRES | align OTHER | bounce`. CLIP and OTHER are BVH files or names of
//! built-in clips.

#[path = "../tests/measures/mod.rs"]
mod measures;

use aplomb_analysis::Take;
use aplomb_editing::arc::Arc;
use aplomb_editing::path::{GroundCurve, JumpHeight, PathEditor, PathOptions, align};
use aplomb_motion::{Roles, Side};
use aplomb_render::{FrameSelection, Strip, Subject};
use glam::DVec3;
use measures::Capture;
use std::path::Path;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [input, output, kind, rest @ ..] = &arguments[..] else { panic!("give CLIP, OUT.png and a kind") };
    let number = |index: usize| rest.get(index).and_then(|text| text.parse::<f64>().ok()).unwrap_or(1.0);
    let Capture { name, clip, roles, body, contacts, .. } = &read(input);
    let options = PathOptions { stairs: kind == "stairs", ..PathOptions::default() };
    let mut editor = match kind.as_str() {
        "align" => {
            let other = read(&rest[0]);
            let target = PathEditor::new(
                &Take::new(other.clip.clone(), other.roles.clone(), other.body.clone())
                    .with_known_contacts(other.contacts.clone(), None),
                PathOptions::default(),
            );
            align(
                &Take::new(clip.clone(), roles.clone(), body.clone()).with_known_contacts(contacts.clone(), None),
                &target.unwrap(),
                options,
            )
            .unwrap()
            .0
        }
        _ => PathEditor::new(
            &Take::new(clip.clone(), roles.clone(), body.clone()).with_known_contacts(contacts.clone(), None),
            options,
        )
        .unwrap(),
    };
    edit(&mut editor, kind, rest, number);
    let done = editor.solve().unwrap();
    let original = editor.original().clone();
    let mut strip = Strip::new(Subject::new(&original, name));
    strip.after = Some(Subject::new(&done.clip, "edited"));
    strip.frames = FrameSelection::Strobe { secs: if clip.duration_secs() < 2.0 { 0.12 } else { 0.3 } };
    strip.width_px = 1500;
    std::fs::write(output, strip.draw().unwrap().to_png(1.0).unwrap()).unwrap();
    let report = &done.report;
    println!(
        "{name}: {:.2} s -> {:.2} s, lowered {:.1} cm, heel {:.0}°, {:?}",
        report.secs[0],
        report.secs[1],
        report.deepest_drop_m * 100.0,
        report.largest_lift_rad.to_degrees(),
        report.findings
    );
}

fn read(name: &str) -> Capture {
    match aplomb_builtins::clip(name) {
        Ok(clip) => {
            let roles = Roles::detect(&clip);
            Capture::of(name.to_owned(), clip, roles)
        }
        Err(_) => Capture::read(Path::new(""), name),
    }
}

fn edit(editor: &mut PathEditor, kind: &str, rest: &[String], number: impl Fn(usize) -> f64) {
    let handles = editor.handles().to_vec();
    let ahead = (handles[handles.len() - 1].position_m - handles[0].position_m).with_y(0.0).normalize_or(DVec3::Z);
    let left = DVec3::Y.cross(ahead);
    match kind {
        "arc" => {
            let side = if rest.get(1).is_some_and(|side| side == "right") { Side::Right } else { Side::Left };
            editor.follow(&GroundCurve::Arc(Arc::new(number(0), side))).unwrap();
        }
        "side" => editor.move_handle(handles.len() / 2, left * number(0)).unwrap(),
        "zigzag" => {
            for index in 1..handles.len() - 1 {
                let sign = if index % 2 == 0 { 1.0 } else { -1.0 };
                editor.move_handle(index, left * (number(0) * sign)).unwrap();
            }
        }
        "stretch" => {
            for (index, handle) in handles.iter().enumerate() {
                let away_m = (handle.position_m - handles[0].position_m).with_y(0.0);
                editor.move_handle(index, away_m * (number(0) - 1.0)).unwrap();
            }
        }
        "jump" => {
            let flight = editor.flights()[0].clone();
            let path_m = editor.original_path_m();
            let way_m = (path_m[flight.end.0] - path_m[flight.start.0]).with_y(0.0);
            editor.set_jump_height(0, JumpHeight::Times(number(0))).unwrap();
            for (index, _) in handles.iter().enumerate().filter(|(_, handle)| handle.key > flight.end) {
                editor.move_handle(index, way_m * (number(1) - 1.0)).unwrap();
            }
        }
        "stairs" => {
            for index in 0..handles.len() {
                editor.move_handle(index, DVec3::Y * (number(0) * index as f64)).unwrap();
            }
        }
        "bounce" => {
            for index in 0..editor.flights().len() {
                let times = if index % 2 == 0 { 0.6 } else { 1.8 };
                editor.set_jump_height(index, JumpHeight::Times(times)).unwrap();
            }
        }
        _ => {}
    }
}
