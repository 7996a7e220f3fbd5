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
    println!(
        "{:.2} s; flights {:?}",
        clip.duration_secs(),
        contacts.flights.iter().map(|it| (it.start_secs, it.end_secs, it.verdict)).collect::<Vec<_>>()
    );
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
    if rest.iter().any(|it| it == "--rows") {
        rows(clip, &capture, &Ground::default());
    }
    line("unedited", clip);
    line("edited", &edited);
    line("planted", &done.planted);
    for count in 1..=done.layers.len() {
        let layer = &done.layers[count - 1];
        let (again, outcome) = done.with_layers(&done.layers[..count]);
        line(&format!("{} {} drop {:.0} mm", layer.step, layer.name, outcome.deepest_drop_m * 1e3), &again);
    }
    if rest.iter().any(|it| it == "--rows-after") {
        rows(&done.clip, &capture, &ground);
    }
    if rest.iter().any(|it| it == "--turns") {
        let count = done.layers[0].turns[0].rotation_rad.len();
        for frame in (0..count).step_by(8) {
            let mut line = format!("{:5.2} s", frame as f64 * step_secs(clip));
            for name in ["lower", "upper_body", "arms", "everything"] {
                let of = done.layers.iter().filter(|it| {
                    it.name.contains(&format!("ground {name}")) || it.name.contains(&format!("flight {name}"))
                });
                let sum: DVec3 = of.clone().map(|it| it.turns[0].rotation_rad[frame]).sum();
                let shift: DVec3 = of.map(|it| it.translation_m.get(frame).copied().unwrap_or_default()).sum();
                line += &format!(
                    " | {name} {:5.1} {:5.1} {:5.1} deg, {:4.0} {:4.0} {:4.0} mm",
                    sum.x.to_degrees(),
                    sum.y.to_degrees(),
                    sum.z.to_degrees(),
                    shift.x * 1e3,
                    shift.y * 1e3,
                    shift.z * 1e3
                );
            }
            println!("{line}");
        }
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

/// Distance of the zero-moment point from the support ahead of and beside the way, by frame.
pub fn rows(clip: &Clip, capture: &Capture, ground: &Ground) {
    use aplomb_analysis::support::{Soles, hull_into, nearest_point, zero_moment_point_m};
    use aplomb_motion::{FrameIndex, WorldPose};
    use aplomb_physics::centroidal::{CentroidalOptions, MassModel, centroidal_track};
    let (body, contacts) = (&capture.body, &capture.contacts);
    let track =
        centroidal_track(clip, body, &CentroidalOptions { model: MassModel::Points, smoothing_secs: 0.167 }).unwrap();
    let soles = Soles::new(&contacts.effectors, 0.04);
    let step = step_secs(clip);
    let mut pose = WorldPose::for_skeleton(clip.skeleton());
    for frame in (0..clip.frame_count()).step_by(4) {
        let at_secs = frame as f64 * step;
        let downs: Vec<bool> = contacts
            .effectors
            .iter()
            .map(|e| contacts.contacts_of(&e.name).any(|c| c.start_secs <= at_secs && at_secs <= c.end_secs))
            .collect();
        pose.pose(clip, FrameIndex(frame));
        let at = |index: usize| {
            let effector = &contacts.effectors[index];
            pose.point_in_world_m(effector.joint, effector.point_in_joint_m)
        };
        let names: String =
            downs.iter().zip(&contacts.effectors).filter(|(d, _)| **d).map(|(_, e)| format!("{} ", e.name)).collect();
        let Some(plane) = soles.plane(*ground, |i| downs[i], at) else {
            println!("{at_secs:.3} -- {names}");
            continue;
        };
        let force = track.momentum_rate[frame].linear + DVec3::Y * (9.81 * track.total_mass_kg);
        let load = force.dot(plane.normal()) / (9.81 * track.total_mass_kg);
        let (mut corners, mut hull) = (Vec::new(), Vec::new());
        soles.corners_into(&plane, 0.0, |i| downs[i], at, &mut corners);
        hull_into(&mut corners, &mut hull);
        let z = zero_moment_point_m(track.com_in_world_m[frame], force, track.momentum_rate[frame].angular, &plane);
        let flat = plane.flat_m(z);
        let off = plane.direction(flat - nearest_point(&hull, flat));
        let a = frame.saturating_sub(30);
        let b = (frame + 30).min(clip.frame_count() - 1);
        let ahead = (track.com_in_world_m[b] - track.com_in_world_m[a]).with_y(0.0).normalize();
        let left = DVec3::Y.cross(ahead);
        println!(
            "{at_secs:.3} load {load:4.2} off ahead {:5.1} left {:5.1} cm  {names}",
            off.dot(ahead) * 100.0,
            off.dot(left) * 100.0
        );
    }
}
