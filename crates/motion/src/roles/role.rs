//! The vocabulary: what a joint is to a body, with stable text names (`left_thigh`, `spine_2`, `right_index_1`).

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// Of the body, not of the picture: the left hand stays left whichever way the figure faces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// The body's own left.
    Left,
    /// The body's own right.
    Right,
}

impl Side {
    /// Left, right.
    pub const BOTH: [Side; 2] = [Side::Left, Side::Right];

    /// The other one.
    pub const fn other(self) -> Self {
        match self {
            Side::Left => Side::Right,
            Side::Right => Side::Left,
        }
    }

    const fn text(self) -> &'static str {
        match self {
            Side::Left => "left",
            Side::Right => "right",
        }
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}

/// Which finger.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Digit {
    /// First.
    Thumb,
    /// Second.
    Index,
    /// Third.
    Middle,
    /// Fourth.
    Ring,
    /// Fifth.
    Pinky,
    /// All fingers moved by one joint (CMU `lfingers`, SMPL `L_Hand`), and what lies below the wrist of a hoofed front
    /// leg.
    Fingers,
}

impl Digit {
    /// Every digit, thumb first.
    pub const ALL: [Digit; 6] = [Digit::Thumb, Digit::Index, Digit::Middle, Digit::Ring, Digit::Pinky, Digit::Fingers];

    const fn text(self) -> &'static str {
        match self {
            Digit::Thumb => "thumb",
            Digit::Index => "index",
            Digit::Middle => "middle",
            Digit::Ring => "ring",
            Digit::Pinky => "pinky",
            Digit::Fingers => "fingers",
        }
    }
}

/// What a joint is to the body. A role names the body segment that *moves with* the joint, so the joint's centre is the
/// segment's near end: `Thigh` sits at the hip, `Shank` at the knee, `Foot` at the ankle, `Hand` at the wrist.
///
/// On four-legged bodies the same words follow the anatomy: `Clavicle` is the shoulder blade, `Hand` the carpus (a
/// horse's "knee"), `Foot` the hock, `Toe` the fetlock or paw.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// Above the hips and no part of the body (`Reference`, `joint_Root`, `Armature`, `Bip01`). It may be animated.
    SceneRoot,
    /// The joint that carries legs *and* trunk; moving it moves everything.
    Hips,
    /// Counted from 0 upward from the hips.
    Spine(u16),
    /// Counted from 0 upward from the trunk.
    Neck(u16),
    /// The skull.
    Head,
    /// The lower jaw.
    Jaw,
    /// Counted from 0 away from the hips.
    Tail(u16),
    /// An eye.
    Eye(Side),
    /// An ear; further joints of the same ear are helpers.
    Ear(Side),
    /// Collar bone or shoulder blade.
    Clavicle(Side),
    /// Shoulder joint.
    UpperArm(Side),
    /// Elbow joint.
    Forearm(Side),
    /// Wrist joint.
    Hand(Side),
    /// Segments count from 1 at the knuckle (thumb: from its root).
    Finger(Side, Digit, u16),
    /// Hip joint.
    Thigh(Side),
    /// Knee joint.
    Shank(Side),
    /// Ankle joint.
    Foot(Side),
    /// Ball of the foot.
    Toe(Side),
    /// The only joint of a clip whose name says ball.
    Ball,
    /// The only joint of any other one-body clip.
    Prop,
    /// A joint that is no body segment of its own: twist and roll bones, second halves of two-part bones, zero-length
    /// connectors (`LHipJoint`, `__UpLeg_L`), mesh carriers, end markers. Its mass and its motion belong to the nearest
    /// joint above it that has a role; inside a limb it is a spare joint that inverse kinematics must carry along.
    Helper,
}

impl Role {
    /// Left or right, for roles that come in pairs.
    pub const fn side(self) -> Option<Side> {
        match self {
            Role::Eye(side)
            | Role::Ear(side)
            | Role::Clavicle(side)
            | Role::UpperArm(side)
            | Role::Forearm(side)
            | Role::Hand(side)
            | Role::Finger(side, ..)
            | Role::Thigh(side)
            | Role::Shank(side)
            | Role::Foot(side)
            | Role::Toe(side) => Some(side),
            _ => None,
        }
    }

    /// The same part on the other side; roles on the midline mirror to themselves.
    pub const fn mirrored(self) -> Self {
        match self {
            Role::Eye(side) => Role::Eye(side.other()),
            Role::Ear(side) => Role::Ear(side.other()),
            Role::Clavicle(side) => Role::Clavicle(side.other()),
            Role::UpperArm(side) => Role::UpperArm(side.other()),
            Role::Forearm(side) => Role::Forearm(side.other()),
            Role::Hand(side) => Role::Hand(side.other()),
            Role::Finger(side, digit, segment) => Role::Finger(side.other(), digit, segment),
            Role::Thigh(side) => Role::Thigh(side.other()),
            Role::Shank(side) => Role::Shank(side.other()),
            Role::Foot(side) => Role::Foot(side.other()),
            Role::Toe(side) => Role::Toe(side.other()),
            other => other,
        }
    }

    /// Whether at most one joint of a body can hold it.
    pub const fn is_unique(self) -> bool {
        !matches!(self, Role::Helper | Role::SceneRoot)
    }

    /// Names for messages: what may be written, with `N` for a number.
    pub const VALID_NAMES: &'static str = "scene_root, hips, spine_N, neck_N, head, jaw, tail_N, ball, prop, helper, none, \
         and with left_ or right_: eye, ear, clavicle, upper_arm, forearm, hand, thumb_N, index_N, middle_N, ring_N, \
         pinky_N, fingers_N, thigh, shank, foot, toe";

    /// Every role a mapping file is likely to name, for suggestions.
    pub fn common() -> Vec<Role> {
        let mut roles = vec![Role::SceneRoot, Role::Hips, Role::Head, Role::Jaw, Role::Ball, Role::Prop, Role::Helper];
        for number in 0..6 {
            roles.extend([Role::Spine(number), Role::Neck(number), Role::Tail(number)]);
        }
        for side in Side::BOTH {
            roles.extend([Role::Eye(side), Role::Ear(side), Role::Clavicle(side), Role::UpperArm(side)]);
            roles.extend([Role::Forearm(side), Role::Hand(side), Role::Thigh(side), Role::Shank(side)]);
            roles.extend([Role::Foot(side), Role::Toe(side)]);
            for digit in Digit::ALL {
                roles.extend((1..5).map(|segment| Role::Finger(side, digit, segment)));
            }
        }
        roles
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Role::SceneRoot => f.write_str("scene_root"),
            Role::Hips => f.write_str("hips"),
            Role::Spine(number) => write!(f, "spine_{number}"),
            Role::Neck(number) => write!(f, "neck_{number}"),
            Role::Head => f.write_str("head"),
            Role::Jaw => f.write_str("jaw"),
            Role::Tail(number) => write!(f, "tail_{number}"),
            Role::Eye(side) => write!(f, "{side}_eye"),
            Role::Ear(side) => write!(f, "{side}_ear"),
            Role::Clavicle(side) => write!(f, "{side}_clavicle"),
            Role::UpperArm(side) => write!(f, "{side}_upper_arm"),
            Role::Forearm(side) => write!(f, "{side}_forearm"),
            Role::Hand(side) => write!(f, "{side}_hand"),
            Role::Finger(side, digit, segment) => write!(f, "{side}_{}_{segment}", digit.text()),
            Role::Thigh(side) => write!(f, "{side}_thigh"),
            Role::Shank(side) => write!(f, "{side}_shank"),
            Role::Foot(side) => write!(f, "{side}_foot"),
            Role::Toe(side) => write!(f, "{side}_toe"),
            Role::Ball => f.write_str("ball"),
            Role::Prop => f.write_str("prop"),
            Role::Helper => f.write_str("helper"),
        }
    }
}

/// A text that names no role.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a role; roles are {names}", names = Role::VALID_NAMES)]
pub struct UnknownRole(pub String);

impl FromStr for Role {
    type Err = UnknownRole;

    fn from_str(text: &str) -> Result<Self, UnknownRole> {
        parse(text).ok_or_else(|| UnknownRole(text.to_owned()))
    }
}

fn parse(text: &str) -> Option<Role> {
    let midline = match text {
        "scene_root" => Some(Role::SceneRoot),
        "hips" => Some(Role::Hips),
        "head" => Some(Role::Head),
        "jaw" => Some(Role::Jaw),
        "ball" => Some(Role::Ball),
        "prop" => Some(Role::Prop),
        "helper" => Some(Role::Helper),
        _ => None,
    };
    if midline.is_some() {
        return midline;
    }
    let (side, rest) = match text.split_once('_')? {
        ("left", rest) => (Side::Left, rest),
        ("right", rest) => (Side::Right, rest),
        ("spine", number) => return number_of(number).map(Role::Spine),
        ("neck", number) => return number_of(number).map(Role::Neck),
        ("tail", number) => return number_of(number).map(Role::Tail),
        _ => return None,
    };
    match rest {
        "eye" => return Some(Role::Eye(side)),
        "ear" => return Some(Role::Ear(side)),
        "clavicle" => return Some(Role::Clavicle(side)),
        "upper_arm" => return Some(Role::UpperArm(side)),
        "forearm" => return Some(Role::Forearm(side)),
        "hand" => return Some(Role::Hand(side)),
        "thigh" => return Some(Role::Thigh(side)),
        "shank" => return Some(Role::Shank(side)),
        "foot" => return Some(Role::Foot(side)),
        "toe" => return Some(Role::Toe(side)),
        _ => {}
    }
    let (word, segment) = rest.split_once('_')?;
    let digit = Digit::ALL.into_iter().find(|digit| digit.text() == word)?;
    number_of(segment).map(|segment| Role::Finger(side, digit, segment))
}

/// Plain decimal without sign or leading zeros, so that every role has exactly one name.
fn number_of(text: &str) -> Option<u16> {
    let number: u16 = text.parse().ok()?;
    (number.to_string() == text).then_some(number)
}

impl Serialize for Role {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Role {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_role_has_one_name_and_reads_back() {
        let mut seen = std::collections::HashSet::new();
        for role in Role::common() {
            let text = role.to_string();
            assert_eq!(text.parse(), Ok(role));
            assert_eq!(role.mirrored().mirrored(), role);
            assert_eq!(role.mirrored() == role, role.side().is_none(), "{role}");
            assert!(seen.insert(text));
        }
    }

    #[test]
    fn other_spellings_are_refused() {
        for text in ["", "Hips", "spine", "spine_", "spine_01", "spine_+1", "spine_-1", "left", "left_", "left_spine_1"]
        {
            assert_eq!(text.parse::<Role>(), Err(UnknownRole(text.to_owned())));
        }
        let message = "left_tigh".parse::<Role>().unwrap_err().to_string();
        assert!(message.contains("\"left_tigh\"") && message.contains("thigh"), "{message}");
    }
}
