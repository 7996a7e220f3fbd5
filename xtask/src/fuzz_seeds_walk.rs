//! Starting files for the fuzz target `walk`: whole bodies that walk some steps, so that body, contacts, forces and
//! edits have something to work on, and every reader's own seeds.

use crate::fuzz_seeds::Seed;
use std::fmt::Write;

/// Edits that the target knows.
const VERBS: u8 = 8;

/// Each seed behind a byte for its format and one for an edit.
pub fn walk_seeds(mut by_format: [Vec<Seed>; 7]) -> Vec<Seed> {
    let mut seeds = Vec::new();
    for (format, name, text) in
        [(0, "walks.bvh", bvh_person(1.0)), (0, "stands.bvh", bvh_person(0.0)), (1, "walks.trc", trc_person())]
    {
        by_format[usize::from(format)].truncate(4);
        for verb in 0..VERBS {
            seeds.push((format!("{name}.{verb}"), [&[format, verb], text.as_bytes()].concat()));
        }
    }
    for (format, verb, (name, bytes)) in (0u8..)
        .zip(by_format)
        .flat_map(|(format, seeds)| (0..VERBS).cycle().zip(seeds).map(move |(verb, seed)| (format, verb, seed)))
    {
        seeds.push((format!("{format}.{name}"), [&[format, verb], bytes.as_slice()].concat()));
    }
    seeds
}

const FRAMES: usize = 24;

/// Depth, name and offset in metres; a joint without joints below it gets an end.
const JOINTS: [(usize, &str, [f64; 3]); 19] = [
    (0, "Hips", [0.0, 0.0, 0.0]),
    (1, "Spine", [0.0, 0.1, 0.0]),
    (2, "Spine1", [0.0, 0.2, 0.0]),
    (3, "Neck", [0.0, 0.2, 0.0]),
    (4, "Head", [0.0, 0.1, 0.0]),
    (3, "LeftShoulder", [0.05, 0.18, 0.0]),
    (4, "LeftArm", [0.13, 0.0, 0.0]),
    (5, "LeftForeArm", [0.28, 0.0, 0.0]),
    (6, "LeftHand", [0.25, 0.0, 0.0]),
    (3, "RightShoulder", [-0.05, 0.18, 0.0]),
    (4, "RightArm", [-0.13, 0.0, 0.0]),
    (5, "RightForeArm", [-0.28, 0.0, 0.0]),
    (6, "RightHand", [-0.25, 0.0, 0.0]),
    (1, "LeftUpLeg", [0.09, -0.05, 0.0]),
    (2, "LeftLeg", [0.0, -0.42, 0.0]),
    (3, "LeftFoot", [0.0, -0.41, 0.0]),
    (1, "RightUpLeg", [-0.09, -0.05, 0.0]),
    (2, "RightLeg", [0.0, -0.42, 0.0]),
    (3, "RightFoot", [0.0, -0.41, 0.0]),
];

/// A body that walks ahead at 1.2 m/s with swinging arms, or stands if `stride` is 0.
fn bvh_person(stride: f64) -> String {
    let mut text = "HIERARCHY\n".to_owned();
    for (index, (depth, name, [x, y, z])) in JOINTS.into_iter().enumerate() {
        let (word, channels) = match depth {
            0 => ("ROOT", "6 Xposition Yposition Zposition Zrotation Yrotation Xrotation"),
            _ => ("JOINT", "3 Zrotation Yrotation Xrotation"),
        };
        let _ = write!(text, "{word} {name}\n{{\nOFFSET {x} {y} {z}\nCHANNELS {channels}\n");
        let next = JOINTS.get(index + 1).map_or(0, |(depth, ..)| *depth);
        if next <= depth {
            let end = if name.ends_with("Foot") { "0 -0.07 0.15" } else { "0 0.1 0" };
            let _ = writeln!(text, "End Site\n{{\nOFFSET {end}\n}}");
            text.push_str(&"}\n".repeat(depth - next + 1));
        }
    }
    let _ = write!(text, "MOTION\nFrames: {FRAMES}\nFrame Time: 0.0333333\n");
    for frame in 0..FRAMES {
        let swing = (0.5 * frame as f64).sin();
        let bob_m = stride * 0.02 * swing * swing;
        let _ = write!(text, "0 {:.3} {:.3} 0 0 0", 0.95 - bob_m, stride * 0.04 * frame as f64);
        for (_, name, _) in &JOINTS[1..] {
            let side = if name.starts_with("Left") { swing } else { -swing };
            let bend_deg = match *name {
                "LeftUpLeg" | "RightUpLeg" => 25.0 * stride * side,
                "LeftLeg" | "RightLeg" => 15.0 * stride * (1.0 - side),
                "LeftArm" | "RightArm" => -20.0 * side,
                _ => 0.0,
            };
            let hang_deg = match *name {
                "LeftArm" => -80,
                "RightArm" => 80,
                _ => 0,
            };
            let _ = write!(text, " {hang_deg} 0 {bend_deg:.1}");
        }
        text.push('\n');
    }
    text
}

/// Markers of the right side, in millimetres: name, x to the left, y up, z ahead. The left side is the mirror image.
const MARKERS: [(&str, [f64; 3]); 11] = [
    ("ASIS", [-120.0, 950.0, 60.0]),
    ("PSIS", [-40.0, 960.0, -100.0]),
    ("Shoulder", [-190.0, 1420.0, 0.0]),
    ("Elbow", [-230.0, 1130.0, -20.0]),
    ("Wrist", [-240.0, 880.0, 40.0]),
    ("Knee", [-130.0, 500.0, 30.0]),
    ("Knee.Medial", [-40.0, 500.0, 30.0]),
    ("Ankle", [-130.0, 90.0, 0.0]),
    ("Ankle.Medial", [-50.0, 90.0, 0.0]),
    ("Heel", [-90.0, 40.0, -60.0]),
    ("Toe", [-90.0, 30.0, 140.0]),
];

/// The same walk by markers, legs and arms in turn ahead.
fn trc_person() -> String {
    let names: Vec<String> =
        ["R", "L"].iter().flat_map(|side| MARKERS.map(|(name, _)| format!("{side}.{name}"))).collect();
    let (labels, axes): (Vec<String>, Vec<String>) =
        (1..).zip(&names).map(|(index, name)| (format!("{name}\t\t"), format!("X{index}\tY{index}\tZ{index}"))).unzip();
    let mut text = format!(
        "PathFileType\t4\t(X/Y/Z)\tp.trc\n\
         DataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\n60\t60\t{FRAMES}\t{}\tmm\n\
         Frame#\tTime\t{}\n\t\t{}\n\n",
        names.len(),
        labels.join("\t"),
        axes.join("\t")
    );
    for frame in 0..FRAMES {
        let swing = (0.3 * frame as f64).sin();
        let _ = write!(text, "{}\t{:.4}", frame + 1, frame as f64 / 60.0);
        for side in [1.0, -1.0] {
            for (name, [x, y, z]) in MARKERS {
                let reach = if y < 600.0 { (600.0 - y) * 0.4 } else { 0.0 };
                let lift = if name == "Toe" || name == "Heel" { 20.0 * (1.0 + side * swing) } else { 0.0 };
                let ahead = z + 20.0 * frame as f64 + side * swing * reach;
                let _ = write!(text, "\t{:.1}\t{:.1}\t{ahead:.1}", side * x, y + lift);
            }
        }
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_person_is_well_formed() {
        let text = bvh_person(1.0);
        assert_eq!(text.matches('{').count(), text.matches('}').count(), "{text}");
        assert!(text.len() < 14_000 && trc_person().len() < 14_000, "{} {}", text.len(), trc_person().len());
        let rows = text.lines().skip_while(|line| !line.starts_with("Frame Time")).skip(1);
        assert!(rows.into_iter().all(|row| row.split(' ').count() == 6 + 3 * (JOINTS.len() - 1)));
    }
}
