//! Where a touch-up changes a motion, step by step: `touchup_trace CLIP.bvh plain|walk RADIUS|run DEG|jump|uphill [left|right] [--margin M]`.

#[path = "../tests/measures/mod.rs"]
mod measures;

use aplomb_analysis::Ground;
use aplomb_editing::arc::Arc;
use aplomb_editing::tilt::Tilt;
use aplomb_editing::touchup::{TouchupOptions, touch_up};
use aplomb_motion::signal::gaussian::Gaussian;
use aplomb_motion::signal::{SampleTimes, derivative};
use aplomb_motion::{Clip, Side, so3};
use glam::DVec3;
use measures::{Capture, change_deg, peak_knee, square_speed, step_secs, zmp};
use std::path::Path;

fn peak(clip: &Clip) -> (f64, String, f64) {
    let joints = clip.skeleton().len();
    let positions_m = aplomb_motion::kinematics::joint_positions_m(clip);
    let step = step_secs(clip);
    let filter = Gaussian::from_window_secs(0.05, step).unwrap();
    let mut best = (0.0, String::new(), 0.0);
    for joint in 0..joints {
        let path: Vec<DVec3> = positions_m.iter().skip(joint).step_by(joints).copied().collect();
        let acceleration = derivative::second(&filter.smooth(&path), SampleTimes::uniform(step).unwrap());
        let edge = ((0.1 / step).round() as usize).min(acceleration.len() / 4);
        for frame in edge..acceleration.len() - edge {
            if acceleration[frame].length() > best.0 {
                let name = clip.skeleton().joint(clip.skeleton().ids().nth(joint).unwrap()).name.clone();
                best = (acceleration[frame].length(), name, frame as f64 * step);
            }
        }
    }
    best
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [input, kind, rest @ ..] = &arguments[..] else { panic!("give CLIP.bvh and a kind") };
    let side = if rest.iter().any(|side| side == "right") { Side::Right } else { Side::Left };
    let capture = Capture::read(Path::new(""), input);
    let Capture { clip, roles, body, contacts, .. } = &capture;
    let mut options = TouchupOptions::default();
    if let Some(at) = rest.iter().position(|it| it == "--margin") {
        options.margin = rest[at + 1].parse().unwrap();
    }
    let value = rest.first().and_then(|it| it.parse::<f64>().ok());
    let mut ground = Ground::default();
    let edited = match kind.as_str() {
        "walk" | "jump" => Arc::new(value.unwrap_or(1.5), side).apply(clip).unwrap(),
        "run" => {
            let radius_m = Arc::radius_for_lean_m(square_speed(clip, body).sqrt(), value.unwrap_or(20.0).to_radians());
            Arc::new(radius_m, side).apply(clip).unwrap()
        }
        "uphill" => {
            let tilt = Tilt::uphill(8.0);
            let slope = tilt.slope(clip).unwrap();
            ground = Ground::new(slope.point_m, slope.normal).unwrap();
            options.plant.ground = ground;
            tilt.apply(clip).unwrap()
        }
        _ => clip.clone(),
    };
    println!("{:.2} s; flights {:?}", clip.duration_secs(), contacts.flights.iter().map(|it| (it.start_secs, it.end_secs, it.verdict)).collect::<Vec<_>>());
    println!("other {:?}", contacts.other);
    let done = touch_up(&edited, roles, body, contacts, &options).unwrap();
    let line = |title: &str, clip: &Clip| {
        let (a, joint, at) = peak(clip);
        println!(
            "{title:28} zmp {:5.2} w {:5.2} change {:5.2} peak {a:6.1} {joint} {at:.2} s knee {:6.1}",
            zmp(clip, body, contacts, &ground, 0.167).mean_m * 100.0,
            zmp(clip, body, contacts, &ground, 0.167).weighted_m * 100.0,
            change_deg(&done.planted, clip),
            peak_knee(clip, roles),
        );
    };
    line("unedited", clip);
    line("edited", &edited);
    line("planted", &done.planted);
    for count in 1..=done.layers.len() {
        let layer = &done.layers[count - 1];
        let (again, outcome) = done.with_layers(&done.layers[..count]);
        line(&format!("{} {} drop {:.0} mm", layer.step, layer.name, outcome.deepest_drop_m * 1e3), &again);
    }
    println!("change by joint, rms degrees");
    let joints = clip.skeleton().len();
    for (index, joint) in clip.skeleton().ids().enumerate() {
        let sum: f64 = (0..clip.frame_count())
            .map(|frame| {
                let at = frame * joints + index;
                so3::angle_between(done.planted.rotations()[at], done.clip.rotations()[at]).to_degrees().powi(2)
            })
            .sum();
        let rms = (sum / clip.frame_count() as f64).sqrt();
        if rms > 0.2 {
            print!("{} {rms:.1}  ", clip.skeleton().joint(joint).name);
        }
    }
    println!();
}
