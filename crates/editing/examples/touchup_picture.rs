//! Before and after as a strip: `touchup_picture CLIP.bvh OUT.png walk|run|uphill|jump|plain [left|right]`.

#[path = "../tests/measures/mod.rs"]
mod measures;

use aplomb_analysis::Ground;
use aplomb_analysis::Take;
use aplomb_editing::arc::Arc;
use aplomb_editing::tilt::Tilt;
use aplomb_editing::touchup::{TouchupOptions, touch_up};
use aplomb_motion::Side;
use aplomb_render::{FrameSelection, Strip, Subject, View};
use measures::{Capture, square_speed, toe_change_deg};
use std::path::Path;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [input, output, kind, rest @ ..] = &arguments[..] else { panic!("give CLIP.bvh, OUT.png and a kind") };
    let side = if rest.first().is_some_and(|side| side == "right") { Side::Right } else { Side::Left };
    let capture = Capture::read(Path::new(""), input);
    let Capture { name, clip, roles, body, contacts, .. } = &capture;
    let mut options = TouchupOptions::default();
    let edited = match kind.as_str() {
        "walk" | "jump" => Arc::new(1.5, side).apply(clip).unwrap(),
        "run" => {
            let radius_m = Arc::radius_for_lean_m(square_speed(clip, body).sqrt(), 20f64.to_radians());
            Arc::new(radius_m, side).apply(clip).unwrap()
        }
        "uphill" => {
            let tilt = Tilt::uphill(8.0);
            let slope = tilt.slope(clip).unwrap();
            options.plant.ground = Ground::new(slope.point_m, slope.normal).unwrap();
            tilt.apply(clip).unwrap()
        }
        _ => clip.clone(),
    };
    let done = touch_up(
        &Take::new(edited.clone(), roles.clone(), body.clone()).with_known_contacts(contacts.clone(), None),
        &options,
    )
    .unwrap();
    let mut strip = Strip::new(Subject::new(&edited, name));
    strip.after = Some(Subject::new(&done.clip, "touched up"));
    strip.frames = FrameSelection::Strobe { secs: if kind == "run" { 0.12 } else { 0.3 } };
    strip.views.push(View::Front);
    strip.width_px = 1500;
    std::fs::write(output, strip.draw().unwrap().to_png(1.0).unwrap()).unwrap();
    let (before_cm, after_cm) = (done.before.mean_m * 100.0, done.after.mean_m * 100.0);
    let [air_deg, down_deg] = toe_change_deg(&edited, &done.clip, roles, contacts);
    println!(
        "{name}: {before_cm:.2} -> {after_cm:.2} cm, {:?}; toes {air_deg:.1}° in the air, {down_deg:.1}° down",
        done.status
    );
}
