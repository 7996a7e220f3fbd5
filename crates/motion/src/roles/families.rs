//! The vocabulary of the known naming families (formats.md 10.2).

use super::role::Digit;

/// What a word can mean before its place in the skeleton is known. Ambiguous words have variants of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// A scene or rig root; the hips if nothing else is.
    Root,
    /// Hips or pelvis; with a side, half of a pelvis.
    Pelvis,
    /// "hip": the pelvis without a side, the thigh joint with one.
    Hip,
    Spine,
    Neck,
    Head,
    Jaw,
    Eye,
    Ear,
    Tail,
    Clavicle,
    /// Clavicle (HIK) or upper arm (Biovision).
    Shoulder,
    UpperArm,
    /// Upper arm (HIK), or any joint of an arm.
    Arm,
    Forearm,
    Wrist,
    /// The hand; below a wrist, the palm.
    Hand,
    /// Palm bones and finger bases.
    Palm,
    Finger(Digit),
    /// `finger` with a number that says which one.
    NumberedFinger,
    Thigh,
    /// Shank (HIK), or any joint of a leg.
    Leg,
    Shank,
    Ankle,
    /// The foot; below an ankle, the toe.
    Foot,
    /// Bones inside the foot.
    Midfoot,
    Toe,
    /// Front limb of a quadruped: upper, lower, then whatever follows.
    FrontUpper,
    FrontLower,
    FrontEnd,
}

impl Part {
    /// Whether the part comes in left and right.
    pub fn is_paired(self) -> bool {
        use Part::*;
        !matches!(self, Root | Spine | Neck | Head | Jaw | Tail)
    }

    pub fn is_leg(self) -> bool {
        use Part::*;
        matches!(self, Hip | Pelvis | Thigh | Leg | Shank | Ankle | Foot | Midfoot | Toe)
    }

    pub fn is_arm(self) -> bool {
        use Part::*;
        matches!(
            self,
            Clavicle | Shoulder | UpperArm | Arm | Forearm | Wrist | Hand | FrontUpper | FrontLower | FrontEnd
        )
    }
}

/// The meaning of a normalised word.
pub(super) fn part(word: &str) -> Option<Part> {
    use Part::*;
    let part = match word {
        "root" | "rootnode" | "reference" | "armature" | "bip" | "base" | "master" | "origin" | "world"
        | "全ての親" => Root,
        "hips" | "pelvis" | "cog" | "lowerbody" | "buttock" | "pelvic" | "legpelvis" | "backlegpelvis" | "センター"
        | "下半身" | "腰" => Pelvis,
        "hip" => Hip,
        "spine" | "lowerback" | "upperback" | "back" | "thorax" | "abdomen" | "ab" | "abs" | "abdomenlower"
        | "abdomenupper" | "waist" | "torso" | "chest" | "upperchest" | "chestlower" | "chestupper" | "lowerspine"
        | "upperspine" | "midspine" | "spinelower" | "spineupper" | "spinemid" | "sternum" | "belly" | "stomach"
        | "upperbody" | "trunk" | "withers" | "上半身" => Spine,
        "neck" | "lowerneck" | "upperneck" | "necklower" | "neckupper" | "cervical" | "首" => Neck,
        "head" | "skull" | "頭" => Head,
        "jaw" | "lowerjaw" | "mouth" | "chin" | "mandible" => Jaw,
        "eye" | "eyeball" | "目" => Eye,
        "ear" => Ear,
        "tail" | "tailbase" => Tail,
        "clavicle" | "collar" | "collarbone" | "scapula" | "frontscapula" | "shoulderblade" => Clavicle,
        "shoulder" | "shldr" | "frontshoulder" | "肩" => Shoulder,
        "upperarm" | "uparm" | "armupper" | "humerus" | "fronthumerus" | "bicep" | "biceps" | "腕" => UpperArm,
        "arm" => Arm,
        "forearm" | "lowerarm" | "lowarm" | "loarm" | "armlower" | "elbow" | "radius" | "ulna" | "ひじ" => Forearm,
        "wrist" | "carpus" | "手首" => Wrist,
        "hand" | "palmhand" => Hand,
        "fingerbase" | "palm" | "metacarpal" | "handpalm" | "inhandthumb" | "inhandindex" | "inhandmiddle"
        | "inhandring" | "inhandpinky" | "indexmetacarpal" | "middlemetacarpal" | "ringmetacarpal"
        | "pinkymetacarpal" | "littlemetacarpal" | "palmindex" | "palmmiddle" | "palmring" | "palmpinky" => Palm,
        "fingers" | "handfingers" => Finger(Digit::Fingers),
        "finger" | "handfinger" => NumberedFinger,
        "thigh" | "upleg" | "upperleg" | "legupper" | "femur" | "backlegupper" | "backthigh" | "backfemur" | "足" => {
            Thigh
        }
        "leg" | "backleg" => Leg,
        "shin" | "calf" | "lowerleg" | "lowleg" | "loleg" | "leglower" | "tibia" | "knee" | "shank"
        | "backleglower" | "crus" | "stifle" | "ひざ" => Shank,
        "ankle" | "hock" | "backlegankle" | "足首" => Ankle,
        "foot" | "feet" | "backfoot" | "backlegfoot" | "backpaw" | "metatarsus" | "fetlock" => Foot,
        "metatarsal" => Midfoot,
        "toe" | "toes" | "toebase" | "ball" | "football" | "balltoe" | "bigtoe" | "backlegtoe" | "つま先" => Toe,
        "frontleg" | "foreleg" | "frontlegupper" | "forelegupper" | "frontupperleg" | "frontupleg" => FrontUpper,
        "frontleglower" | "foreleglower" | "frontlowerleg" => FrontLower,
        "frontlegankle" | "frontlegfoot" | "frontlegtoe" | "frontfoot" | "forefoot" | "frontpaw" | "forepaw"
        | "fronttoe" | "fronthoof" | "forelegfoot" | "frontlegwrist" | "pastern" => FrontEnd,
        _ => return finger(word),
    };
    Some(part)
}

/// `handindex`, `indexproximal`, `findex`, `thumb`.
fn finger(word: &str) -> Option<Part> {
    let word = word.strip_prefix("hand").or_else(|| word.strip_prefix('f')).unwrap_or(word);
    let word = ["metacarpal", "proximal", "intermediate", "distal", "finger"]
        .iter()
        .find_map(|ending| word.strip_suffix(ending))
        .unwrap_or(word);
    let digit = match word {
        "thumb" | "親指" => Digit::Thumb,
        "index" | "fore" | "pointer" | "人指" => Digit::Index,
        "middle" | "mid" | "中指" => Digit::Middle,
        "ring" | "薬指" => Digit::Ring,
        "pinky" | "pinkie" | "little" | "small" | "小指" => Digit::Pinky,
        _ => return None,
    };
    Some(Part::Finger(digit))
}

/// Words that mark a joint as no body segment of its own.
pub(super) fn helper_mark(word: &str) -> Option<&'static str> {
    let mark = match word {
        "twist" | "roll" | "helper" | "corrective" | "rollbone" => "twist",
        "rigmesh" | "mesh" | "geo" | "geometry" | "skinmesh" => "mesh carrier",
        "end" | "nub" | "site" | "effector" | "tip" | "null" | "endsite" | "top" => "end marker",
        "ik" | "pole" | "target" | "ctl" | "ctrl" | "control" | "driver" | "fk" | "mch" => "control",
        "camera" | "prop" | "weapon" | "gun" | "attach" | "socket" => "attachment",
        "dummy" | "offset" | "connector" => "connector",
        "breast" | "pectoral" | "ribcage" | "hair" | "skirt" | "cloth" | "sec" => "soft part",
        "heel" => "marker",
        _ => return None,
    };
    Some(mark)
}

/// Words that say nothing about the body.
pub(super) fn is_noise(word: &str) -> bool {
    matches!(
        word,
        "joint" | "jnt" | "jt" | "bone" | "skin" | "bind" | "def" | "org" | "c" | "center" | "m" | "mixamorig"
    )
}

/// Whether a prefix shared by many names is itself a side or a body word, and so must stay.
pub(super) fn is_meaningful_prefix(prefix: &str) -> bool {
    let word: String = prefix.chars().filter(|c| c.is_alphabetic()).flat_map(char::to_lowercase).collect();
    matches!(word.as_str(), "left" | "right" | "l" | "r" | "front" | "fore" | "back" | "hind")
        || (part(&word).is_some() && !matches!(part(&word), Some(Part::Root)))
}
