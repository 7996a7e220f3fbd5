//! The same captures as BVH (cgspeed conversion): frame k + 1 of the BVH is frame k of the AMC, after an added T-pose.

mod asf_support;

use aplomb_motion::{FrameOfReference, FrameTime, WorldPose};
use asf_support::{data_folder, read, rotation, takes};
use glam::{DMat3, DVec3};

/// BVH joint and ASF bone that start at the same point.
const LOWER_BODY: [(&str, &str); 13] = [
    ("Hips", "root"),
    ("LeftUpLeg", "lfemur"),
    ("LeftLeg", "ltibia"),
    ("LeftFoot", "lfoot"),
    ("LeftToeBase", "ltoes"),
    ("RightUpLeg", "rfemur"),
    ("RightLeg", "rtibia"),
    ("RightFoot", "rfoot"),
    ("RightToeBase", "rtoes"),
    ("LowerBack", "lowerback"),
    ("Spine", "upperback"),
    ("Spine1", "thorax"),
    ("LHipJoint", "lhipjoint"),
];

/// Above the thorax, whose length the conversion drops.
const UPPER_BODY: [(&str, &str); 9] = [
    ("Neck", "lowerneck"),
    ("Neck1", "upperneck"),
    ("Head", "head"),
    ("LeftShoulder", "lclavicle"),
    ("LeftArm", "lhumerus"),
    ("LeftForeArm", "lradius"),
    ("RightShoulder", "rclavicle"),
    ("RightArm", "rhumerus"),
    ("RightForeArm", "rradius"),
];

#[test]
fn the_bvh_of_the_same_capture_agrees_on_every_frame() {
    let Some(data) = data_folder() else { return };
    let mut compared = 0;
    for take in takes(&data) {
        let Some(path) = &take.bvh else { continue };
        let (document, _) = read(&take);
        let clip = document.to_clip(FrameOfReference::INTERNAL, FrameTime::from_hz(120.0).unwrap()).unwrap();
        let bvh = NaiveBvh::read(&std::fs::read_to_string(path).unwrap());
        let thorax = document.asf.bones().iter().find(|bone| bone.name == "thorax").unwrap();
        let joint = |name: &str| clip.skeleton().find(name).unwrap_or_else(|| panic!("{name}"));
        // The T-pose is frame 0, so the number of an AMC frame is the index of its BVH frame: 16_15 starts at 10.
        let ids = document.amc.frame_ids();
        assert_eq!(ids.last().copied(), Some(bvh.frames.len() as i64 - 1), "{}", take.name);
        let mut pose = WorldPose::for_skeleton(clip.skeleton());
        let (mut worst, mut worst_thorax) = (0.0f64, 0.0f64);
        for frame in clip.frames() {
            pose.pose(&clip, frame);
            let expected = bvh.pose(ids[frame.0] as usize);
            for (there, here) in LOWER_BODY {
                let off = (pose.joint_in_world_m[joint(here).index()] - expected[bvh.index(there)].1).length();
                worst = worst.max(off);
            }
            // The defect is exactly the thorax vector, turned with the thorax.
            let lost = pose.world_from_joint[joint("thorax").index()] * thorax.vector();
            for (there, here) in UPPER_BODY {
                let off = pose.joint_in_world_m[joint(here).index()] - expected[bvh.index(there)].1;
                assert!((off.length() - thorax.length).abs() < 1e-3, "{} frame {} {here}", take.name, frame.0);
                worst_thorax = worst_thorax.max((off - lost).length());
            }
        }
        eprintln!("{}: lower body {worst:.2e}, upper body less the thorax vector {worst_thorax:.2e} units", take.name);
        // The BVH holds offsets to 5 decimals and angles to 4; along a leg of 20 units that is some 5e-5.
        assert!(worst < 1e-3 && worst_thorax < 1e-3, "{}: {worst:e}, {worst_thorax:e}", take.name);
        compared += 1;
    }
    assert!(compared >= 10, "only {compared} takes in both formats");
}

/// Name, parent, offset, channels.
type NaiveJoint = (String, Option<usize>, DVec3, Vec<String>);

/// A BVH evaluator of a few lines, for well-formed files: the other reader is not trusted to test this one.
struct NaiveBvh {
    joints: Vec<NaiveJoint>,
    frames: Vec<Vec<f64>>,
}

impl NaiveBvh {
    fn read(text: &str) -> Self {
        let (tree, motion) = text.split_once("MOTION").unwrap();
        let mut words = tree.split_whitespace();
        let (mut joints, mut open): (Vec<NaiveJoint>, Vec<usize>) = Default::default();
        let mut in_end_site = false;
        while let Some(word) = words.next() {
            let mut number = || words.next().unwrap().parse::<f64>().unwrap();
            match word {
                "ROOT" | "JOINT" => {
                    let name = words.next().unwrap().to_owned();
                    joints.push((name, open.last().copied(), DVec3::ZERO, Vec::new()));
                    open.push(joints.len() - 1);
                }
                "OFFSET" if !in_end_site => {
                    joints.last_mut().unwrap().2 = DVec3::new(number(), number(), number());
                }
                "CHANNELS" => {
                    let count = number() as usize;
                    joints.last_mut().unwrap().3 = words.by_ref().take(count).map(str::to_owned).collect();
                }
                "End" => in_end_site = true,
                "}" if in_end_site => in_end_site = false,
                "}" => drop(open.pop()),
                _ => {}
            }
        }
        let width: usize = joints.iter().map(|joint| joint.3.len()).sum();
        let rows = motion.split_once("Time:").unwrap().1;
        let values: Vec<f64> = rows.split_whitespace().skip(1).map(|word| word.parse().unwrap()).collect();
        Self { joints, frames: values.chunks_exact(width).map(<[f64]>::to_vec).collect() }
    }

    fn index(&self, name: &str) -> usize {
        self.joints.iter().position(|joint| joint.0 == name).unwrap_or_else(|| panic!("{name}"))
    }

    fn pose(&self, frame: usize) -> Vec<(DMat3, DVec3)> {
        let mut values = self.frames[frame].iter();
        let mut pose: Vec<(DMat3, DVec3)> = Vec::new();
        for (_, parent, offset, channels) in &self.joints {
            let (mut local, mut position) = (DMat3::IDENTITY, *offset);
            for channel in channels {
                let (&value, axis) = (values.next().unwrap(), channel.chars().next().unwrap());
                match channel.ends_with("rotation") {
                    true => local *= rotation(axis, value),
                    false => position["XYZ".find(axis).unwrap()] = value,
                }
            }
            let (world, at) = parent.map_or((DMat3::IDENTITY, DVec3::ZERO), |parent| pose[parent]);
            pose.push((world * local, at + world * position));
        }
        pose
    }
}
