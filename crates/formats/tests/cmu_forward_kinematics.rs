//! Every CMU pair: joints stand where the formula of the format, written naively with matrices, puts them.

mod asf_support;

use aplomb_motion::{FrameOfReference, FrameTime, WorldPose};
use asf_support::{Naive, data_folder, read, takes};

#[test]
fn joints_stand_where_the_formula_puts_them_on_every_frame() {
    let Some(data) = data_folder() else { return };
    let takes = takes(&data);
    assert!(takes.len() >= 10, "{} takes", takes.len());
    let mut worst = 0.0f64;
    for take in &takes {
        let (document, _) = read(take);
        let clip = document.to_clip(FrameOfReference::INTERNAL, FrameTime::from_hz(120.0).unwrap()).unwrap();
        let naive = Naive::read(take);
        assert_eq!(clip.frame_count(), naive.frames.len(), "{}", take.name);
        let mut pose = WorldPose::for_skeleton(clip.skeleton());
        for frame in clip.frames() {
            pose.pose(&clip, frame);
            let expected = naive.pose(frame.0);
            for id in clip.skeleton().ids() {
                let joint = clip.skeleton().joint(id);
                let start = naive.parent(&joint.name).map_or(expected["root"].1, |parent| expected[parent].1);
                let mut off = (pose.joint_in_world_m[id.index()] - start).length();
                for end in &joint.end_sites {
                    let tip = pose.point_in_world_m(id, end.offset_m);
                    off = off.max((tip - expected[joint.name.as_str()].1).length());
                }
                worst = worst.max(off);
                // File units of about 6 cm: rounding of some twenty products at coordinates below 100.
                assert!(off < 1e-9, "{} frame {} {}: {off:e}", take.name, frame.0, joint.name);
            }
        }
    }
    eprintln!("largest distance from the formula: {worst:e} file units");
}
