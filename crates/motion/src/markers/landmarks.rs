//! Which marker sits where: laboratories name the same spot differently.

use crate::roles::Side;

/// A spot on the body that a marker may sit on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Landmark {
    /// Front of the pelvis (anterior superior iliac spine).
    Asis(Side),
    /// Back of the pelvis (posterior superior iliac spine).
    Psis(Side),
    /// Sacrum, between the PSIS.
    Sacrum,
    /// Hip joint centre, computed by the laboratory.
    HipCentre(Side),
    /// One of several markers on the thigh.
    Thigh(Side),
    /// Outer side of the knee.
    KneeLateral(Side),
    /// Inner side of the knee.
    KneeMedial(Side),
    /// One of several markers on the shank.
    Shank(Side),
    /// Outer ankle.
    AnkleLateral(Side),
    /// Inner ankle.
    AnkleMedial(Side),
    /// Back of the heel.
    Heel(Side),
    /// Middle of the foot.
    Midfoot(Side),
    /// Head of the fifth metatarsal: outer side of the ball.
    BallLateral(Side),
    /// Head of the first metatarsal: inner side of the ball.
    BallMedial(Side),
    /// Front end of the foot.
    Toe(Side),
    /// Seventh cervical vertebra.
    C7,
    /// Notch above the sternum, or the inner end of a clavicle.
    Sternum,
    /// Top of the shoulder (acromion).
    Shoulder(Side),
    /// Outer side of the elbow.
    ElbowLateral(Side),
    /// Inner side of the elbow.
    ElbowMedial(Side),
    /// Thumb side of the wrist, or its only marker.
    WristRadius(Side),
    /// Little finger's side of the wrist.
    WristUlna(Side),
    /// Side of the head.
    Temple(Side),
}

impl Landmark {
    /// By the names of OpenSim's models, Plug-in Gait, and the laboratories whose data the tests use. Case, dots,
    /// underscores and blanks do not count.
    pub fn from_name(name: &str) -> Option<Self> {
        let plain: String = name.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_ascii_lowercase();
        match plain.as_str() {
            "c7" => return Some(Self::C7),
            "sternum" | "clav" | "man" | "jn" | "ij" | "strn" | "midclavicle" => return Some(Self::Sternum),
            "vsacral" | "sacr" | "sacrum" | "s2" => return Some(Self::Sacrum),
            _ => {}
        }
        let sides = [("left", Side::Left), ("right", Side::Right), ("l", Side::Left), ("r", Side::Right)];
        let before = sides.iter().find_map(|(word, side)| Some((plain.strip_prefix(word)?, *side)));
        let behind = || sides.iter().find_map(|(word, side)| Some((plain.strip_suffix(word)?, *side)));
        let by_rest = |(rest, side): (&str, Side)| Self::on_side(rest, side);
        before.and_then(by_rest).or_else(|| behind().and_then(by_rest))
    }

    fn on_side(rest: &str, side: Side) -> Option<Self> {
        let numbered = |stems: &[&str]| {
            let stem = rest.trim_end_matches(|letter: char| letter.is_ascii_digit());
            stem.len() < rest.len() && stems.contains(&stem)
        };
        Some(match rest {
            // CMU's front and back of the waist.
            "asis" | "asi" | "fwt" => Self::Asis(side),
            "psis" | "psi" | "bwt" => Self::Psis(side),
            "hjc" => Self::HipCentre(side),
            "knee" | "kne" | "kneelat" | "lknee" | "lepi" | "lek" | "lfc" | "lfe" => Self::KneeLateral(side),
            "mknee" | "kneemed" | "mepi" | "mfc" | "mfe" => Self::KneeMedial(side),
            "ankle" | "ank" | "anklelat" | "lmal" | "lm" => Self::AnkleLateral(side),
            "mankle" | "anklemed" | "mmal" | "mm" => Self::AnkleMedial(side),
            "heel" | "hee" | "calc" | "cal" => Self::Heel(side),
            "midfootsup" | "midfootlat" | "mfl" | "mfs" => Self::Midfoot(side),
            "5meta" | "mt5" | "toelat" | "p5mt" | "5mth" => Self::BallLateral(side),
            "1meta" | "mt1" | "toemed" | "p1mt" | "1mth" => Self::BallMedial(side),
            "toe" | "toetip" => Self::Toe(side),
            "sternum" | "clavicle" => Self::Sternum,
            "shoulder" | "sho" | "sh" | "acr" | "acromium" | "acromion" => Self::Shoulder(side),
            "elbow" | "elb" | "elbowlat" | "lel" => Self::ElbowLateral(side),
            "melbow" | "elbowmed" | "mel" => Self::ElbowMedial(side),
            "wristradius" | "wristlat" | "wra" | "faradius" | "wrist" | "wr" => Self::WristRadius(side),
            "wristulna" | "wristmed" | "wrb" | "faulna" => Self::WristUlna(side),
            "temple" | "fhd" => Self::Temple(side),
            "thighupper" | "thighfront" | "thighrear" | "thad" | "thap" | "thld" | "thlp" | "thi" => Self::Thigh(side),
            "shankupper" | "shankfront" | "shankrear" | "shankantsup" | "tiad" | "tiap" | "tilat" | "tib" => {
                Self::Shank(side)
            }
            _ if numbered(&["th", "thigh"]) => Self::Thigh(side),
            _ if numbered(&["sh", "tb", "shank"]) => Self::Shank(side),
            _ => return None,
        })
    }
}
