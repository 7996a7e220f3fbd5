//! Joint names taken apart: side, words, numbers (formats.md 10.1).

use super::families::{self, Part};
use super::role::Side;
use crate::ids::JointId;
use crate::skeleton::Skeleton;

/// One joint's name, normalised.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Word {
    /// Left or right, if the name says so.
    pub side: Option<Side>,
    /// What is left, lower case and run together: `LeftHandIndex1` gives `handindex`.
    pub text: String,
    /// Numbers in the order they stand: `toe2-1.R` gives [2, 1].
    pub numbers: Vec<u32>,
    /// What the text means, if anything.
    pub part: Option<Part>,
    /// Marked as no body segment: twist, mesh carrier, end marker, control.
    pub marked_helper: Option<&'static str>,
    /// The meaning came only after dropping words in front of it.
    pub loose: bool,
}

impl Word {
    /// Equal for the two joints of a mirrored pair.
    pub fn mirror_key(&self) -> String {
        let mut key = format!("{}{}", self.marked_helper.unwrap_or(""), self.text);
        for number in &self.numbers {
            key.push_str(&format!("_{number}"));
        }
        key
    }

    /// The part on a given side, unless the joint is marked as a helper.
    pub fn part_on(&self, side: Side) -> Option<Part> {
        self.part.filter(|_| self.side == Some(side) && self.marked_helper.is_none())
    }

    /// The part of a joint that names no side and is not marked as a helper.
    pub fn midline_part(&self) -> Option<Part> {
        self.part.filter(|_| self.side.is_none() && self.marked_helper.is_none())
    }
}

/// Normalises every name of a skeleton.
pub(super) fn read_all(skeleton: &Skeleton) -> Vec<Word> {
    let raw: Vec<&str> = skeleton.joints().iter().map(|joint| last_component(&joint.name)).collect();
    let prefix = shared_prefix(&raw);
    let mut words: Vec<Word> = raw.iter().map(|name| read(name.strip_prefix(prefix).unwrap_or(name))).collect();
    for joint in skeleton.ids().filter(|&joint| is_connector(skeleton, joint)) {
        words[joint.index()].marked_helper.get_or_insert("connector");
    }
    words
}

/// `<parent>_to_<child>` between that parent and that child, `<parent>_to_end` with nothing below: bones that only
/// reach from one joint to the next, as our ASF writer adds them (an ASF bone has one end). Whatever words their names
/// hold are about their neighbours. A number may follow where the name was taken.
fn is_connector(skeleton: &Skeleton, joint: JointId) -> bool {
    let name = |joint: JointId| skeleton.joint(joint).name.as_str();
    let parent = skeleton.parent(joint).map(name);
    let Some(to) = parent.and_then(|parent| name(joint).strip_prefix(parent)?.strip_prefix("_to_")) else {
        return false;
    };
    match skeleton.children(joint) {
        [] => to.starts_with("end"),
        children => children.iter().any(|&child| to.starts_with(name(child))),
    }
}

/// Cuts name spaces and paths: `mixamorig:Hips`, `|root|hips`.
fn last_component(name: &str) -> &str {
    match name.rfind([':', '|']) {
        Some(at) if at + 1 < name.len() => &name[at + 1..],
        _ => name,
    }
}

/// Longest prefix, ending at a separator or before a capital or digit, that at least 80 % of the joints share.
fn shared_prefix<'a>(names: &[&'a str]) -> &'a str {
    const SHARE: f64 = 0.8;
    if names.len() < 4 {
        return "";
    }
    let needed = (SHARE * names.len() as f64).ceil() as usize;
    // A prefix that 80 % share is a prefix of at least one of any 21 % of the names; a handful of candidates is enough.
    let candidates = names.iter().step_by((names.len() / 8).max(1));
    let mut best = "";
    for candidate in candidates {
        let ends = candidate.char_indices().skip(1).filter(|&(at, character)| {
            let before = candidate[..at].chars().next_back();
            let after_separator = before.is_some_and(|before| matches!(before, '_' | '-' | '.' | ' '));
            let case_change = character.is_uppercase() && before.is_some_and(|before| before.is_lowercase());
            after_separator || case_change
        });
        for (at, _) in ends {
            let prefix = &candidate[..at];
            if prefix.len() > best.len()
                // A side or body word that happens to be common (`left…` in half a body) is no prefix.
                && !families::is_meaningful_prefix(prefix)
                && names.iter().filter(|name| name.starts_with(prefix)).count() >= needed
            {
                best = prefix;
            }
        }
    }
    best
}

/// Takes one name apart.
fn read(name: &str) -> Word {
    let connector = name.starts_with("__");
    let (tokens, mut side) = japanese_side(name);
    let mut words: Vec<String> = Vec::new();
    let mut numbers = Vec::new();
    for token in tokens {
        match token {
            Token::Number(number) => numbers.push(number),
            // Hind, rear and back leg are one thing; the vocabulary knows "back".
            Token::Word(word) if word == "hind" || word == "rear" => words.push("back".to_owned()),
            Token::Word(word) => words.push(word),
        }
    }
    let mut marked_helper = connector.then_some("connector");
    words.retain(|word| {
        if let Some(mark) = families::helper_mark(word) {
            marked_helper = marked_helper.or(Some(mark));
            return false;
        }
        if side.is_none()
            && let Some(found) = side_word(word)
        {
            side = Some(found);
            return false;
        }
        !families::is_noise(word)
    });
    let joined = words.concat();
    let mut word = Word { side, text: joined, numbers, part: None, marked_helper, loose: false };
    word.part = families::part(&word.text);
    if word.part.is_none() {
        // `lhipjoint`, `rshoulderjoint`: the noise word glued on.
        if let Some(rest) = word.text.strip_suffix("joint").filter(|rest| !rest.is_empty()) {
            word.text = rest.to_owned();
            word.part = families::part(&word.text);
        }
    }
    if word.part.is_none() {
        glued_side(&mut word);
    }
    if word.part.is_none() {
        drop_leading_words(&mut word, &words);
    }
    word
}

fn side_word(word: &str) -> Option<Side> {
    match word {
        "left" | "l" | "lf" | "lft" | "lt" => Some(Side::Left),
        "right" | "r" | "rt" | "rgt" | "rgh" => Some(Side::Right),
        _ => None,
    }
}

/// `lfemur`, `rhumerus`, `leftarm`: the side glued to a word that is known without it and unknown with it.
fn glued_side(word: &mut Word) {
    if word.side.is_some() {
        return;
    }
    let text = word.text.clone();
    for (glued, side) in [("left", Side::Left), ("right", Side::Right), ("l", Side::Left), ("r", Side::Right)] {
        for rest in [text.strip_prefix(glued), text.strip_suffix(glued)].into_iter().flatten() {
            if let Some(part) = families::part(rest).filter(|part| part.is_paired()) {
                (word.side, word.part, word.text) = (Some(side), Some(part), rest.to_owned());
                return;
            }
        }
    }
}

/// Rig prefixes that too few joints share to be removed as such: `Character1_LeftArm` among unprefixed joints.
fn drop_leading_words(word: &mut Word, words: &[String]) {
    for first in 1..words.len() {
        if let Some(part) = families::part(&words[first..].concat()) {
            (word.part, word.loose) = (Some(part), true);
            return;
        }
    }
}

enum Token {
    Word(String),
    Number(u32),
}

/// Japanese names carry the side as their first character.
fn japanese_side(name: &str) -> (Vec<Token>, Option<Side>) {
    let side = match name.chars().next() {
        Some('左') => Some(Side::Left),
        Some('右') => Some(Side::Right),
        _ => None,
    };
    let rest = if side.is_some() { name.char_indices().nth(1).map_or("", |(at, _)| &name[at..]) } else { name };
    (split(rest), side)
}

/// Splits at separators, case changes and digits; words in lower case.
fn split(name: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut word = String::new();
    let mut digits = String::new();
    let mut previous: Option<char> = None;
    let mut characters = name.chars().peekable();
    while let Some(character) = characters.next() {
        let digit = full_width_digit(character);
        if digit.is_none() && !digits.is_empty() {
            tokens.extend(digits.parse().ok().map(Token::Number));
            digits.clear();
        }
        let next_is_lower = characters.peek().is_some_and(|next| next.is_lowercase());
        let case_change = character.is_uppercase()
            && previous.is_some_and(|before| before.is_lowercase() || (before.is_uppercase() && next_is_lower));
        let separator = digit.is_none() && !character.is_alphanumeric() && character != '\u{30fc}';
        if (digit.is_some() || separator || case_change) && !word.is_empty() {
            tokens.push(Token::Word(std::mem::take(&mut word)));
        }
        match digit {
            Some(digit) => digits.push(digit),
            None if separator => {}
            None => word.extend(character.to_lowercase()),
        }
        previous = Some(character);
    }
    tokens.extend(digits.parse().ok().map(Token::Number));
    if !word.is_empty() {
        tokens.push(Token::Word(word));
    }
    tokens
}

fn full_width_digit(character: char) -> Option<char> {
    match character {
        '0'..='9' => Some(character),
        '\u{ff10}'..='\u{ff19}' => char::from_digit(character as u32 - 0xff10, 10),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(name: &str) -> (Option<Side>, String, Vec<u32>) {
        let word = read(last_component(name));
        (word.side, word.text, word.numbers)
    }

    #[test]
    fn sides_words_and_numbers_are_told_apart() {
        let (left, right) = (Some(Side::Left), Some(Side::Right));
        assert_eq!(parts("mixamorig:LeftHandIndex1"), (left, "handindex".into(), vec![1]));
        assert_eq!(parts("UpLeg_L"), (left, "upleg".into(), vec![]));
        assert_eq!(parts("rhumerus"), (right, "humerus".into(), vec![]));
        assert_eq!(parts("rShldr"), (right, "shldr".into(), vec![]));
        assert_eq!(parts("toe2-1.R"), (right, "toe".into(), vec![2, 1]));
        assert_eq!(parts("front_leg_upper_l"), (left, "frontlegupper".into(), vec![]));
        assert_eq!(parts("Left Forearm"), (left, "forearm".into(), vec![]));
        assert_eq!(parts("左ひざ"), (left, "ひざ".into(), vec![]));
        assert_eq!(parts("LHipJoint"), (left, "hip".into(), vec![]));
        assert_eq!(parts("lhipjoint"), (left, "hip".into(), vec![]));
        assert_eq!(parts("root"), (None, "root".into(), vec![]));
        assert_eq!(parts("lowerback"), (None, "lowerback".into(), vec![]));
        assert_eq!(parts("LFingers"), (left, "fingers".into(), vec![]));
    }

    #[test]
    fn prefixes_are_removed_only_when_shared() {
        let biped = ["Bip01 Pelvis", "Bip01 Spine", "Bip01 L Thigh", "Bip01 R Thigh", "Bip01"];
        assert_eq!(shared_prefix(&biped), "Bip01 ");
        assert_eq!(shared_prefix(&["LeftArm", "LeftHand", "LeftLeg", "LeftFoot", "LeftToe"]), "");
        assert_eq!(shared_prefix(&["spine_1", "spine_2", "spine_3", "spine_4"]), "");
        assert_eq!(shared_prefix(&["J_Bip_C_Hips", "J_Bip_L_Hand", "J_Bip_R_Hand", "J_Bip_C_Head"]), "J_Bip_");
    }

    #[test]
    fn helpers_are_marked() {
        for name in ["upperarm_twist_01_l", "L_Radius_RIGMESH", "HeadTop_End", "ik_foot_l", "__UpLeg_L", "neckDummy"] {
            assert!(read(name).marked_helper.is_some(), "{name}");
        }
        assert!(read("LeftToeBase").marked_helper.is_none());
    }
}
