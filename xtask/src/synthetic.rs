//! Synthetic motion for the benches: the joint tree of the common 31-joint captures, smooth made-up angles.
//!
//! Deterministic, so that numbers of two runs are about the same bytes: about 0.98 MB per 1,000 frames.

use std::f64::consts::TAU;
use std::fmt::Write;

/// Joint names with their depth in the tree, in file order.
const JOINTS: &[(usize, &str)] = &[
    (0, "Hips"),
    (1, "LHipJoint"),
    (2, "LeftUpLeg"),
    (3, "LeftLeg"),
    (4, "LeftFoot"),
    (5, "LeftToeBase"),
    (1, "RHipJoint"),
    (2, "RightUpLeg"),
    (3, "RightLeg"),
    (4, "RightFoot"),
    (5, "RightToeBase"),
    (1, "LowerBack"),
    (2, "Spine"),
    (3, "Spine1"),
    (4, "Neck"),
    (5, "Neck1"),
    (6, "Head"),
    (4, "LeftShoulder"),
    (5, "LeftArm"),
    (6, "LeftForeArm"),
    (7, "LeftHand"),
    (8, "LeftFingerBase"),
    (9, "LeftHandIndex1"),
    (8, "LThumb"),
    (4, "RightShoulder"),
    (5, "RightArm"),
    (6, "RightForeArm"),
    (7, "RightHand"),
    (8, "RightFingerBase"),
    (9, "RightHandIndex1"),
    (8, "RThumb"),
];

/// Joints of the synthetic skeleton.
pub const JOINT_COUNT: usize = JOINTS.len();
/// Three positions of the root and three angles a joint.
pub const CHANNEL_COUNT: usize = 3 + 3 * JOINT_COUNT;

const FRAME_SECS: f64 = 1.0 / 120.0;

/// A BVH of `frames` frames at 120 Hz: every channel a sine of its own amplitude, rate and phase, six decimals.
pub fn bvh(frames: usize) -> String {
    let mut random = Random(7);
    let mut text = String::with_capacity(4096 + frames * CHANNEL_COUNT * 11);
    write_hierarchy(&mut text, &mut random);
    let waves: Vec<Wave> = (0..CHANNEL_COUNT).map(|_| Wave::random(&mut random)).collect();
    let _ = write!(text, "MOTION\nFrames: {frames}\nFrame Time: 0.0083333\n");
    for frame in 0..frames {
        let secs = frame as f64 * FRAME_SECS;
        for (channel, wave) in waves.iter().enumerate() {
            let separator = if channel == 0 { "" } else { " " };
            let _ = write!(text, "{separator}{:.6}", wave.at(secs));
        }
        text.push('\n');
    }
    text
}

fn write_hierarchy(text: &mut String, random: &mut Random) {
    text.push_str("HIERARCHY\n");
    for (index, &(depth, name)) in JOINTS.iter().enumerate() {
        let indent = "  ".repeat(depth);
        let (keyword, channels) = match depth {
            0 => ("ROOT", "6 Xposition Yposition Zposition Zrotation Yrotation Xrotation"),
            _ => ("JOINT", "3 Zrotation Yrotation Xrotation"),
        };
        let offset = match depth {
            0 => [0.0; 3],
            _ => [random.between(-4.0, 4.0), random.between(-18.0, 18.0), random.between(-4.0, 4.0)],
        };
        let _ = writeln!(text, "{indent}{keyword} {name}\n{indent}{{");
        let _ = writeln!(text, "{indent}  OFFSET {:.6} {:.6} {:.6}", offset[0], offset[1], offset[2]);
        let _ = writeln!(text, "{indent}  CHANNELS {channels}");
        let next_depth = JOINTS.get(index + 1).map_or(0, |&(depth, _)| depth);
        if next_depth <= depth {
            let _ = writeln!(text, "{indent}  End Site\n{indent}  {{\n{indent}    OFFSET 0.0 -5.0 0.0\n{indent}  }}");
        }
        // Close this joint and every ancestor that the next joint is not below.
        for closed in (next_depth..=depth).rev().filter(|_| next_depth <= depth) {
            let _ = writeln!(text, "{}}}", "  ".repeat(closed));
        }
    }
}

struct Wave {
    amplitude: f64,
    hz: f64,
    phase_rad: f64,
}

impl Wave {
    fn random(random: &mut Random) -> Self {
        Self { amplitude: random.between(5.0, 70.0), hz: random.between(0.3, 2.5), phase_rad: random.between(0.0, TAU) }
    }

    fn at(&self, secs: f64) -> f64 {
        self.amplitude * (TAU * self.hz * secs + self.phase_rad).sin()
    }
}

/// SplitMix64 (Steele, Lea, Flood 2014): the same numbers on every machine, and no dependency for a test file.
pub struct Random(pub u64);

impl Random {
    /// The next 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number in `low..high`.
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        let unit = (self.bits() >> 11) as f64 / (1u64 << 53) as f64;
        low + (high - low) * unit
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn braces_close_and_every_row_has_every_channel() {
        let text = bvh(3);
        let (hierarchy, motion) = text.split_once("MOTION\n").unwrap();
        assert_eq!(hierarchy.matches('{').count(), hierarchy.matches('}').count());
        assert_eq!(hierarchy.matches("JOINT").count() + hierarchy.matches("ROOT").count(), 31);
        let mut depth = 0_i32;
        for line in hierarchy.lines() {
            depth += i32::from(line.trim() == "{") - i32::from(line.trim() == "}");
            assert!(depth >= 0);
            if let Some(name) = line.trim().strip_prefix("JOINT ") {
                let expected = JOINTS.iter().find(|(_, known)| *known == name).unwrap().0;
                assert_eq!(depth as usize, expected, "{name}");
            }
        }
        let rows: Vec<_> = motion.lines().skip(2).collect();
        assert_eq!(rows.len(), 3);
        assert!(rows.iter().all(|row| row.split(' ').count() == CHANNEL_COUNT));
        assert_eq!(CHANNEL_COUNT, 96);
    }

    #[test]
    fn two_calls_give_the_same_bytes() {
        assert_eq!(bvh(2), bvh(2));
    }
}
