//! The scene of `track`: other characters and things.

use super::parameter::{choice, metres, num, of, secs, table};
use super::reach::{AT, HAND, TO, WINDOW};
use super::{Kind, Parameter, Range, Usual};

/// Keys of a scene.
pub(super) const SCENE: &[Parameter] = &[
    of("name", Kind::Text, "What the one whose clip is edited is called").usually(Usual::Word("actor")),
    num("speed", "", "Speed of all motions, times what it is").usually(Usual::Number(1.0)),
    of("sequence", Kind::List(&Kind::List(&Kind::Number)), "Stretches of the input, one after the other").unit("s"),
    of("character", Kind::List(&Kind::Table(OTHER)), "Who else is there"),
    of("prop", Kind::List(&Kind::Table(PROP)), "Things"),
    of("pair", Kind::List(&Kind::Table(PAIR)), "What may touch; nothing else does"),
    of("task", Kind::List(&Kind::Either(&TASKS)), "Controllers that help"),
    of("reach", Kind::List(&Kind::Table(&[WHO, HAND, AT, TO, WINDOW])), "Hands that must be somewhere"),
    of("clap", Kind::List(&Kind::Table(CLAP)), "Hands of two that must meet"),
];

/// Whose body.
pub(super) const CHARACTER: Kind = Kind::Either(&[Kind::Choice(CHARACTERS), Kind::Table(BODY)]);

const CHARACTERS: &[(&str, &str)] = &[
    ("adult", "The person who was captured"),
    ("child", "About six years old"),
    ("alien", "Long arms, large head, short legs"),
];

const WHO: Parameter = of("who", Kind::Text, "Whose").required();
const FROM: Parameter = secs("from_secs", "From when; from the start if not given");
const NAME: Parameter = of("name", Kind::Text, "For names of parts").required();

const OTHER: &[Parameter] = &[
    NAME,
    of("clip", Kind::Clip, "Their motion; that of the first if not given"),
    of("character", CHARACTER, "Their body"),
    of("at_m", Kind::List(&Kind::Number), "Where the hips are over the ground at the start, x and z").unit("m"),
    num("turn_deg", "°", "Turn to the left about the hips, in degrees").usually(Usual::Number(0.0)),
];

const PROP: &[Parameter] = &[
    NAME,
    of("shape", Kind::Either(&SHAPES), "One shape, about its middle").required(),
    of("at_m", Kind::Vector, "Its middle at the start; what is held is where the hand is").unit("m"),
    num("mass_kg", "kg", "A thing without stands still"),
    of("held_by", Kind::Text, "The hand that holds it, as actor.right_hand"),
];

const SHAPES: [Kind; 4] = [
    Kind::Table(&[table("ball", &[RADIUS], "A ball").required()]),
    Kind::Table(&[table("box", &[place("half_m", "Half of width, height and depth")], "A table, a wall").required()]),
    Kind::Table(&[table("cylinder", &[RADIUS, metres("height_m", "Its height").required()], "A drum").required()]),
    Kind::Table(&[
        table("staff", &[metres("length_m", "Its length").required(), RADIUS], "A staff with round ends").required()
    ]),
];

const RADIUS: Parameter = metres("radius_m", "Its radius").required();

const PAIR: &[Parameter] = &[
    of("a", Kind::Text, "One of them").required(),
    of("b", Kind::Text, "The other").required(),
    num("stiffness", "N/m", "How hard they push each other").usually(Usual::Number(1e5)),
    num("damping", "N·s/m", "How fast the push dies away; what restitution asks for if not given"),
    num("restitution", "", "Share of their speed that two things keep when they bounce apart")
        .usually(Usual::Number(0.67)),
    num("friction", "", "Coulomb's coefficient").usually(Usual::Number(0.6)),
    FROM,
];

const TASKS: [Kind; 3] = [Kind::Table(UPRIGHT), Kind::Table(BALANCE), Kind::Table(HOLD)];

const HAND_PART: Parameter = of("part", Kind::Text, "As actor.right_hand").required();

const UPRIGHT: &[Parameter] = &[
    choice("kind", &[("upright", "A wrist that keeps what its hand holds upright")], "Which controller").required(),
    HAND_PART,
];

const BALANCE: &[Parameter] = &[
    choice("kind", &[("balance", "Legs that keep the centre of mass over the feet")], "Which controller").required(),
    WHO,
    num("stiffness", "N/m", "For an adult").usually(Usual::Number(8000.0)),
    num("damping", "N·s/m", "For an adult").usually(Usual::Number(1500.0)),
];

const HOLD: &[Parameter] = &[
    choice("kind", &[("hold", "A hand that stays at a place of the world")], "Which controller").required(),
    HAND_PART,
    of("at_m", Kind::Vector, "Where its palm stays").unit("m").required(),
    FROM,
    secs("to_secs", "To when; to the end if not given"),
];

const CLAP: &[Parameter] = &[
    of("a", Kind::Text, "One hand, as actor.right_hand").required(),
    of("b", Kind::Text, "The other").required(),
    of("at_secs", Kind::List(&Kind::Number), "When, by the input's own clock").unit("s").required(),
    WINDOW,
    metres("depth_m", "How deep in each other the hands are wanted")
        .range(Range::NOT_NEGATIVE)
        .usually(Usual::Number(0.015)),
];

const BODY: &[Parameter] = &[
    choice("base", CHARACTERS, "The body that the table starts from").usually(Usual::Word("adult")),
    table("segments", SEGMENTS, "Changes on top, by segment; both sides alike"),
];

const SEGMENTS: &[Parameter] = &[
    table("pelvis", SEGMENT, "Between the hip joints and the lowest of the spine"),
    table("trunk", SEGMENT, "Spine and collar bones"),
    table("head", SEGMENT, "Neck and head"),
    table("upper_arm", SEGMENT, "Shoulder to elbow"),
    table("forearm", SEGMENT, "Elbow to wrist"),
    table("hand", SEGMENT, "Hand and fingers"),
    table("thigh", SEGMENT, "Hip to knee"),
    table("shank", SEGMENT, "Knee to ankle"),
    table("foot", SEGMENT, "Foot and toes"),
];

const SEGMENT: &[Parameter] = &[
    num("scale", "", "Times its lengths"),
    num("density_kg_m3", "kg/m³", "Its mass is this times the volume of its shapes"),
    of("shape", Kind::Either(&FLESH), "Another shape, in the joint's own axes, which then says mass and inertia"),
];

const FLESH: [Kind; 3] = [
    Kind::Table(&[table("capsule", CAPSULE, "A tube with round ends").required()]),
    Kind::Table(&[table("box", ROUND_A_MIDDLE, "A box").required()]),
    Kind::Table(&[table("ellipsoid", ROUND_A_MIDDLE, "An egg").required()]),
];

const CAPSULE: &[Parameter] = &[place("start_m", "One end"), place("end_m", "The other end"), RADIUS];

const ROUND_A_MIDDLE: &[Parameter] =
    &[place("centre_m", "Its middle"), TURN, place("half_m", "Half of its width, height and depth")];

const TURN: Parameter = of("rotation", Kind::List(&Kind::Number), "How it is turned, as x, y, z, w").required();

const fn place(key: &'static str, about: &'static str) -> Parameter {
    of(key, Kind::Vector, about).unit("m").required()
}
