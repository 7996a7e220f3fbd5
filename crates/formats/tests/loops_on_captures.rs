//! Loops of real walks and runs.

mod capture_support;

use aplomb_motion::edit::{LoopCandidate, LoopOptions, find_loops, whole_clip_loop};
use aplomb_motion::{Clip, FrameIndex};
use capture_support::{BANDAI_METRES_PER_UNIT, CMU_METRES_PER_UNIT, capture};

fn loops_of(name: &str, clip: &Clip) -> Vec<LoopCandidate> {
    let loops = find_loops(clip, &LoopOptions::default()).unwrap();
    for found in &loops {
        println!(
            "{name}: frames {}..{}, {:.3} s, pose {:.1} mm, velocity {:.3} m/s, yaw {:.2} rad, shift {:.2} m",
            found.start.0,
            found.end.0,
            found.period_secs,
            found.pose_error_m * 1e3,
            found.velocity_error_m_per_s,
            found.advance.yaw_rad,
            found.advance.shift_m.length()
        );
    }
    loops
}

#[test]
fn strides_of_walks_and_runs_are_found() {
    let cases = [
        ("cmu-bvh/walk-straight/16_15.bvh", CMU_METRES_PER_UNIT, 1.0..1.2),
        ("cmu-bvh/walk-straight/02_01.bvh", CMU_METRES_PER_UNIT, 1.0..1.2),
        ("cmu-bvh/walk-straight/07_01.bvh", CMU_METRES_PER_UNIT, 1.0..1.2),
        ("cmu-bvh/walk-straight/35_01.bvh", CMU_METRES_PER_UNIT, 1.0..1.2),
        ("cmu-bvh/walk-turn/16_11.bvh", CMU_METRES_PER_UNIT, 1.0..1.25),
        ("cmu-bvh/run/16_35.bvh", CMU_METRES_PER_UNIT, 0.65..0.9),
        ("bandai-bvh/dataset-1_walk_normal_001.bvh", BANDAI_METRES_PER_UNIT, 1.0..1.2),
        ("bandai-bvh/dataset-1_walk_giant_001.bvh", BANDAI_METRES_PER_UNIT, 1.2..1.4),
        ("bandai-bvh/dataset-2_run_normal_001.bvh", BANDAI_METRES_PER_UNIT, 0.6..0.9),
    ];
    for (name, metres_per_unit, stride_secs) in cases {
        let Some(clip) = capture(name, metres_per_unit) else { return };
        let loops = loops_of(name, &clip);
        assert!(!loops.is_empty(), "{name}");
        // Strides only: neither single steps nor pairs of strides.
        assert!(loops.iter().all(|found| stride_secs.contains(&found.period_secs)), "{name}: {loops:?}");
        // A stride of a grown-up goes 0.6 m (in a turn) to 3 m (running).
        assert!(loops.iter().all(|found| (0.6..3.0).contains(&found.advance.shift_m.length())), "{name}: {loops:?}");
    }
}

#[test]
fn single_cycles_loop_as_a_whole() {
    for (name, last) in [("walk-back", 30), ("run", 23), ("dash", 19), ("byebye", 120)] {
        let path = format!("bandai-bvh/dataset-1_{name}_normal_001.bvh");
        let Some(clip) = capture(&path, BANDAI_METRES_PER_UNIT) else { return };
        let found = whole_clip_loop(&clip, &LoopOptions::default()).unwrap();
        let found = found.unwrap_or_else(|| panic!("{name} does not loop"));
        assert_eq!((found.start, found.end), (FrameIndex(0), FrameIndex(last)), "{name}: {found:?}");
    }
    let Some(kick) = capture("bandai-bvh/dataset-1_kick_normal_001.bvh", BANDAI_METRES_PER_UNIT) else { return };
    assert_eq!(whole_clip_loop(&kick, &LoopOptions::default()).unwrap(), None);
    // A CMU file starts with a T-pose that no walk comes back to.
    let Some(walk) = capture("cmu-bvh/walk-straight/16_15.bvh", CMU_METRES_PER_UNIT) else { return };
    assert_eq!(whole_clip_loop(&walk, &LoopOptions::default()).unwrap(), None);
}
