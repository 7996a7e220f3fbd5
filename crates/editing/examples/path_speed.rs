//! How long a drag takes on one core: a built-in walk repeated to 1,000 and 10,000 keys, with as many spare joints as
//! make 31.
//!
//! Ends with 1 if a bar is missed: 2 ms per 1,000 keys, and 25 ms per 1,000 keys for the first look (contacts
//! included). `--json` for `cargo xtask bench`, which judges by itself.

use aplomb_analysis::Take;
use aplomb_builtins::clip;
use aplomb_editing::arc::Arc;
use aplomb_editing::path::{GroundCurve, PathEditor, PathOptions};
use aplomb_motion::edit::{self, Join};
use aplomb_motion::{Clip, FrameIndex, Roles, Side, Skeleton};
use aplomb_physics::{Body, BodyOptions};
use cpu_time::ThreadTime;
use glam::{DQuat, DVec3};

const JOINTS: usize = 31;

fn main() {
    let is_json = std::env::args().any(|argument| argument == "--json");
    if !is_json {
        println!("  keys  joints  handles  contacts ms  look ms  drag ms  all bent ms");
    }
    let mut missed = false;
    for keys in [1000, 2000, 4000, 10_000] {
        let walk = repeated(keys);
        let roles = Roles::detect(&walk);
        let body = Body::of_clip(&walk, &roles, &BodyOptions::default()).unwrap();
        let look = || Take::new(walk.clone(), roles.clone(), body.clone()).into_contacts().unwrap();
        let (contacts_ms, contacts) = mean_ms(20_000 / keys, look);
        let (look_ms, mut editor) = mean_ms(40_000 / keys, || {
            PathEditor::new(
                &Take::new(walk.clone(), roles.clone(), body.clone()).with_known_contacts(contacts.clone(), None),
                PathOptions::default(),
            )
            .unwrap()
        });
        let middle = editor.handles().len() / 2;
        let mut edited = editor.solve().unwrap();
        let mut way_m = 0.0;
        let (drag_ms, ()) = mean_ms(300_000 / keys, || {
            way_m = (way_m + 0.005) % 0.5;
            editor.move_handle(middle, DVec3::new(way_m, 0.0, 0.0)).unwrap();
            editor.solve_into(&mut edited).unwrap();
        });
        editor.follow(&GroundCurve::Arc(Arc::new(5.0, Side::Left))).unwrap();
        let (bent_ms, ()) = mean_ms(300_000 / keys, || editor.solve_into(&mut edited).unwrap());
        let (joints, handles) = (walk.skeleton().len(), editor.handles().len());
        if is_json {
            let look_ms = contacts_ms + look_ms;
            let line = serde_json::json!({ "keys": keys, "look_ms": look_ms, "drag_ms": drag_ms, "bent_ms": bent_ms });
            println!("{line}");
            continue;
        }
        println!("{keys:6} {joints:7} {handles:8} {contacts_ms:12.2} {look_ms:8.2} {drag_ms:8.2} {bent_ms:12.2}");
        let thousands = keys as f64 / 1000.0;
        missed |= drag_ms.max(bent_ms) > 2.0 * thousands || contacts_ms + look_ms > 25.0 * thousands;
    }
    if is_json {
        return;
    }
    println!("{}", if missed { "a bar is missed" } else { "all within their bars" });
    if missed {
        std::process::exit(1);
    }
}

/// Mean of some runs, in processor time: the machine may be busy with other things.
fn mean_ms<T>(runs: usize, mut run: impl FnMut() -> T) -> (f64, T) {
    let mut result = run();
    let start = ThreadTime::now();
    for _ in 0..runs {
        result = run();
    }
    (start.elapsed().as_secs_f64() * 1e3 / runs as f64, result)
}

/// The walk again and again, with fingers that hang on its hands and turn a little.
fn repeated(keys: usize) -> Clip {
    let once = clip("walk").unwrap();
    let copies = vec![&once; keys / (once.frame_count() - 1) + 2];
    let long = edit::concatenate(&copies, Join::Continue).unwrap();
    let long = edit::cut_frames(&long, FrameIndex(0)..FrameIndex(keys)).unwrap();
    let (skeleton, timeline, frames, rotations, tracks) = long.into_parts();
    let joints = skeleton.len();
    let mut all = skeleton.joints().to_vec();
    let template = all[joints - 1].clone();
    let hand = skeleton.ids().find(|&id| skeleton.children(id).is_empty()).unwrap();
    for index in joints..JOINTS {
        let mut joint = template.clone();
        joint.name = format!("Spare{index}");
        joint.parent = Some(hand);
        joint.offset_m = DVec3::X * 0.02;
        all.push(joint);
    }
    let rotations = (0..frames)
        .flat_map(|frame| {
            let own = rotations[frame * joints..(frame + 1) * joints].to_vec();
            let spare = DQuat::from_rotation_z(0.2 * (frame as f64 * 0.05).sin());
            own.into_iter().chain(std::iter::repeat_n(spare, JOINTS.saturating_sub(joints)))
        })
        .collect();
    Clip::new(std::sync::Arc::new(Skeleton::new(all).unwrap()), timeline, frames, rotations, tracks).unwrap()
}
