//! Which naming family a skeleton is of (formats.md 10.2).

use super::names::Word;

/// Families by words that must all occur, most telling first; a word with a side must occur on both.
const FINGERPRINTS: [(&str, &[&str]); 15] = [
    ("CMU Acclaim", &["femur", "tibia", "humerus", "radius", "lowerback", "upperback"]),
    ("CMU BVH", &["hip", "upleg", "lowerback", "spine", "fingerbase", "thumb"]),
    ("CMU BVH for 3ds Max", &["hip", "knee", "lowerback", "chest", "lowerneck", "collar"]),
    ("MakeHuman", &["upperleg", "lowerleg", "upperarm", "lowerarm", "metatarsal"]),
    ("MakeHuman (old)", &["upleg", "loleg", "uparm", "loarm", "clavicle"]),
    ("Unreal", &["thigh", "calf", "ball", "clavicle", "upperarm", "lowerarm", "pelvis"]),
    ("3ds Max Biped", &["thigh", "calf", "clavicle", "upperarm", "forearm", "pelvis"]),
    ("Rigify", &["thigh", "shin", "shoulder", "upperarm", "forearm", "spine"]),
    ("Poser", &["buttock", "thigh", "shin", "collar", "shldr", "forearm"]),
    ("SMPL", &["pelvis", "hip", "knee", "ankle", "collar", "shoulder", "elbow", "wrist"]),
    ("Biovision", &["hip", "knee", "ankle", "collar", "shoulder", "elbow", "wrist"]),
    ("Perception Neuron", &["upleg", "leg", "foot", "arm", "forearm", "hand", "inhandindex"]),
    ("HumanIK", &["hips", "upleg", "leg", "foot", "shoulder", "arm", "forearm", "hand"]),
    ("VRM or Bandai-Namco", &["hips", "upperleg", "lowerleg", "upperarm", "lowerarm", "hand", "shoulder"]),
    ("horse", &["frontscapula", "fronthumerus", "frontlegupper", "backlegupper", "backleglower"]),
];

/// The first family all of whose words occur; else the best partial match above two thirds.
pub(super) fn fingerprint(words: &[Word]) -> Option<(&'static str, f64)> {
    let share = |wanted: &[&str]| {
        let found = wanted.iter().filter(|text| words.iter().any(|word| word.text.ends_with(**text))).count();
        found as f64 / wanted.len() as f64
    };
    let mut best: Option<(&'static str, f64)> = None;
    for (family, wanted) in FINGERPRINTS {
        let found = share(wanted);
        if found >= 1.0 {
            return Some((family, 1.0));
        }
        if found > best.map_or(2.0 / 3.0, |(_, most)| most) {
            best = Some((family, found));
        }
    }
    best
}
