//! The one table of verbs and their parameters: name, kind, unit, range, default and one plain sentence.
//!
//! Options of the command, keys of project files, `docs/schemas/project.schema.json`, methods of the Python package,
//! forms of the studio and `docs/reference.md` come from it. Tests hold it against the edits as they are read and
//! written: no key may be missing on either side.

mod adapt;
mod arc;
mod blend;
mod cut;
mod grammar;
mod join;
mod json;
mod parameter;
mod path;
mod plant;
mod range;
mod reach;
mod said;
mod scene;
mod speed;
mod tilt;
mod touchup;
mod track;
mod transition;
mod travel;

#[cfg(test)]
mod tests;

pub use grammar::slope;
pub use json::verbs_json;
pub use parameter::{Dash, Flag, Kind, Parameter, Reads, Usual};
pub use range::{Range, not_negative, number, positive};
pub use said::{Said, Typed};

use parameter::{flag, num, of, secs, sets, switch};

/// A verb: what it does to a motion, and which parameters it takes.
#[derive(Clone, Copy, Debug)]
pub struct Verb {
    /// In project files and on the command line.
    pub name: &'static str,
    /// One plain sentence.
    pub about: &'static str,
    /// What is said of the motion that it is made from.
    pub clip: &'static str,
    /// Its keys in project files.
    pub parameters: &'static [Parameter],
    /// Command lines, each with a few words, and what else help should say.
    pub examples: &'static str,
}

/// All verbs, in the order of help.
pub const VERBS: &[Verb] = &[
    path::VERB,
    touchup::VERB,
    plant::VERB,
    blend::VERB,
    adapt::VERB,
    track::VERB,
    reach::VERB,
    cut::VERB,
    join::VERB,
    transition::VERB,
    arc::VERB,
    tilt::VERB,
    travel::VERB,
    speed::VERB,
];

/// The verb of this name.
pub fn find(name: &str) -> Option<&'static Verb> {
    VERBS.iter().find(|verb| verb.name == name)
}

const CLIP: &str = "Motion file, or builtin:NAME";

const SIDES: &[(&str, &str)] = &[("left", "To the left"), ("right", "To the right")];
const ONE_SIDE: &[(&str, &str)] = &[("left", "The left one"), ("right", "The right one")];
const BOTH_SIDES: &[(&str, &str)] = &[("left", "The left one"), ("right", "The right one"), ("both", "Both")];

/// Start of the stretch that changes.
const FROM: Parameter = secs("from_secs", "Change the motion from here, in seconds; from its start if not given")
    .flag(flag("from", "SECS"));
/// End of the stretch that changes.
const TO: Parameter = secs("to_secs", "Change it up to here; to its end if not given").flag(flag("to", "SECS"));
/// How long a change takes to grow.
const EASE: Parameter = secs("ease_secs", "The change grows over this long, inside each end that is given")
    .range(Range::NOT_NEGATIVE)
    .usually(Usual::Number(0.25))
    .flag(flag("ease", "SECS"));
/// Parts of the body.
const JOINTS: Parameter = of(
    "joints",
    Kind::List(&Kind::Text),
    "Change only these parts: upper_body, legs, left_arm …, a role, or a joint's name, each with all below it; \
     =NAME for one joint",
)
.flag(flag("joints", "PART,…").list(|text| Ok(text.into())));
/// Beyond what people can do.
const SUPERHUMAN: Parameter =
    switch("superhuman", "Go on where no person could, and say so (docs/analysis/human-limits.md)")
        .flag(sets("superhuman", Usual::Switch(true)));
/// The ground.
const SLOPE: Parameter = of(
    "slope",
    Kind::Either(&[Kind::Number, Kind::Vector]),
    "Ground that is not level: degrees uphill along the way, or its normal",
)
.unit("°")
.flag(flag("slope", "DEG|X,Y,Z").text(|text| grammar::data(slope(text))).dash(Dash::Any));
/// Contacts by hand.
const CONTACTS: Parameter =
    of("contacts", Kind::File, "Contact file; it wins over what is found, and over what lies beside the clip")
        .flag(flag("contacts", "FILE.toml"));
/// A part of the body.
const PART: Parameter = of("part", Kind::Text, "A role (right_hand) or a joint's name").required();
/// How far something goes.
const fn shift(key: &'static str, about: &'static str) -> Parameter {
    num(key, "m", about).range(Range::new(-5.0, 5.0)).usually(Usual::Number(0.0))
}
