//! `adapt`.

use super::grammar::{carry, data, scale, stagger, times, torque};
use super::parameter::{choice, flag, metres, num, of, secs, sets, switch, table};
use super::range::number;
use super::{BOTH_SIDES, CLIP, Dash, Kind, ONE_SIDE, PART, Parameter, Range, SUPERHUMAN, Usual, Verb, shift};

/// Adapts the motion.
pub(super) const VERB: Verb = Verb {
    name: "adapt",
    about: "Adapt a jump or a run to goals with full dynamics: \
            farther, higher, turned, loaded, weak, on one leg, over a hurdle",
    clip: CLIP,
    parameters: &[
        table("goals", GOALS, "What should change; everything else stays as near to the clip as it can"),
        of("goals_file", Kind::File, "A file with the goals"),
        of("contacts", Kind::File, "Contact file; it wins over what is found").flag(flag("contacts", "FILE.toml")),
        switch("best", "Write what comes nearest where goals cannot be met").flag(sets("best", Usual::Switch(true))),
        SUPERHUMAN,
    ],
    examples: "Examples:\n  \
        aplomb adapt jump.bvh --jump-length +0.5 -o longer.bvh           \
        half a metre farther, prepared by a deeper crouch\n  \
        aplomb adapt jump.bvh --jump-height 1.3x -o higher.bvh\n  \
        aplomb adapt jump.bvh --twist 180 -o twist.bvh                   half a turn to the left in the air\n  \
        aplomb adapt jump.bvh --carry right_hand=8kg -o briefcase.bvh\n  \
        aplomb adapt jump.bvh --torque right_foot=25% -o limping.bvh     a quarter of what the right ankle gives\n  \
        aplomb adapt jump.bvh --scale left_thigh=0.85,right_thigh=0.85 -o short.bvh\n  \
        aplomb adapt jump.bvh --hop right -o hop.bvh\n  \
        aplomb adapt run.bvh --hurdle 0.5 --forces forces.csv -o hurdle.bvh\n  \
        aplomb adapt jump.bvh --grab both -o bar.bvh                     catches a bar at the top and swings\n  \
        aplomb adapt jump.bvh --goals goals.toml -o out.bvh\n  \
        aplomb adapt builtin:long-jump --jump-length +0.3 --dry-run\n\n\
        The clip is fitted to the equations of motion first, with the forces of heels, balls and toes. \
        Exit code 3: the goals cannot be met, and nothing is written unless --best is given.",
};

/// Any number: the goals themselves say which make sense, with those of a file.
const fn any(name: &'static str, value: &'static str) -> super::Flag {
    flag(name, value).text(|text| number(text).map(Into::into))
}

/// `1.3x`.
const fn factor(name: &'static str) -> super::Flag {
    flag(name, "TIMESx").text(|text| times(text).map(Into::into))
}

const GOALS: &[Parameter] = &[
    metres("jump_length_m", "Jump farther by this distance, in metres")
        .range(Range::new(-5.0, 5.0))
        .flag(any("jump-length", "±M").dash(Dash::Any)),
    num("jump_height", "", "Height of the jump, times what it is; the flight lasts longer by its square root")
        .range(Range::new(0.2, 4.0))
        .flag(factor("jump-height").conflicts(&["flight-time"])),
    num("flight_time", "", "Time in the air, times what it is").range(Range::new(0.4, 3.0)).flag(factor("flight-time")),
    table("twist", TWIST, "Turn in the air").replaced(),
    of("footprints", Kind::List(&Kind::Table(FOOTPRINTS)), "Footprints that go elsewhere").flag(
        flag("stagger", "M")
            .text(|text| data(stagger(text)))
            .dash(Dash::Any)
            .about("Distance of the left foot in front of the right one, at takeoff and landing, in metres"),
    ),
    of("carry", Kind::List(&Kind::Table(CARRY)), "Carry something: a role or joint and its weight")
        .flag(flag("carry", "PART=KG,…").list(|text| data(carry(text)))),
    of("scale", Kind::List(&Kind::Table(SCALE)), "Limbs of another length")
        .flag(flag("scale", "PART=TIMES,…").list(|text| data(scale(text)))),
    of("torque", Kind::List(&Kind::Table(TORQUE)), "Weak joints: N·m, or a share of what they give in the clip")
        .flag(flag("torque", "PART=NM|PART=N%,…").list(|text| data(torque(text)))),
    of("fixed", Kind::List(&Kind::Table(FIXED)), "Joints that keep an angle"),
    table("hop", HOP, "Jump on one leg").replaced(),
    table("hurdle", HURDLE, "Clear a hurdle").replaced(),
    table("grab", GRAB, "Catch a bar at the top of the flight and swing from it"),
    of("cone", Kind::List(&Kind::Table(CONE)), "Parts that stay within cones"),
    of("pose", Kind::List(&Kind::Table(POSE)), "Poses that are kept"),
    of("facing", Kind::List(&Kind::Table(FACING)), "Where the pelvis faces at a time"),
    of("place", Kind::List(&Kind::Table(PLACE)), "Joints that are somewhere at a time"),
    of("above", Kind::List(&Kind::Table(ABOVE)), "Joints that stay above a height"),
    num("landing_load_bw", "× weight", "Land softly: most that the ground pushes, in body weights")
        .range(Range::new(1.0, 20.0))
        .flag(any("landing-load", "BW")),
    num("friction", "", "Friction of the ground; 0.8 if not given")
        .range(Range::new(0.1, 3.0))
        .flag(any("friction", "MU")),
    switch("torque_bounds", "Torques are bounded as people's are, unless this is false").usually(Usual::Absent),
    choice(
        "dynamics",
        DYNAMICS,
        "Rows of the equations of motion: those of the root, or all, with a change of torques counting as well",
    )
    .flag(flag("dynamics", "WHICH")),
    of(
        "torques",
        Kind::List(&Kind::Text),
        "Joints whose torques are unknowns, above these parts; with reduced dynamics",
    ),
    choice(
        "objective",
        OBJECTIVES,
        "What is minimised: the change from the performance, or what the paper compares with (slower)",
    )
    .flag(flag("objective", "WHAT")),
    of("flight", Kind::Whole, "Which flight is meant, from 0; without it the longest").flag(flag("flight", "N")),
    switch("limb_distance", "Limbs keep apart, unless this is false").usually(Usual::Absent),
];

const TURNED: Range = Range::new(-720.0, 720.0);

const TWIST: &[Parameter] = &[
    num("deg", "°", "Turn in the air, degrees to the left")
        .range(TURNED)
        .required()
        .flag(any("twist", "DEG").dash(Dash::Any)),
    choice("at", ENDS, "Which end of the flight is turned")
        .usually(Usual::Word("landing"))
        .flag(flag("twist-at", "END").requires("twist")),
];

const ENDS: &[(&str, &str)] = &[("landing", "Feet land turned"), ("takeoff", "Feet take off turned the other way")];

const FOOTPRINTS: &[Parameter] = &[
    choice("stage", STAGES, "Which of them").usually(Usual::Word("all")),
    choice("side", BOTH_SIDES, "Of which foot").usually(Usual::Word("both")),
    shift("forward_m", "Along the way"),
    shift("left_m", "Across it"),
    shift("up_m", "Up, onto a box"),
];

const STAGES: &[(&str, &str)] =
    &[("takeoff", "Before the flight"), ("landing", "After it, and all that follows"), ("all", "All of them")];

const CARRY: &[Parameter] = &[PART, num("mass_kg", "kg", "How much").range(Range::new(0.0, 100.0)).required()];

const SCALE: &[Parameter] = &[PART, num("factor", "", "Times as long").range(Range::new(0.5, 2.0)).required()];

const TORQUE: &[Parameter] = &[
    PART,
    num("most_nm", "N·m", "Most about each axis of the joint above the part").range(Range::new(0.0, 2000.0)),
    num("share_of_peak", "", "Or so much of what it gives in the clip").range(Range::new(0.0, 1.0)),
];

const FIXED: &[Parameter] =
    &[PART, num("bent_deg", "°", "How far it is bent; 0 is straight").range(Range::new(0.0, 150.0)).required()];

const HOP: &[Parameter] = &[
    choice("on", ONE_SIDE, "Jump on one leg").required().flag(flag("hop", "LEG")),
    num("other_knee_deg", "°", "How far the other knee is bent")
        .range(Range::new(30.0, 150.0))
        .usually(Usual::Number(aplomb_editing::adapt::Hop::KNEE_DEG)),
];

const HURDLE: &[Parameter] = &[
    metres("height_m", "Clear a hurdle of this height, in metres")
        .range(Range::new(0.05, 1.2))
        .required()
        .flag(any("hurdle", "M")),
    num("flight_time", "", "Times as long a flight; chosen from the height if not given").range(Range::new(1.0, 4.0)),
];

const GRAB: &[Parameter] = &[
    choice("hands", BOTH_SIDES, "Catch a bar at the top of the flight and swing from it, with these hands")
        .usually(Usual::Word("both"))
        .flag(flag("grab", "HANDS")),
    metres("height_m", "Height over the ground; what straight arms reach if not given").range(Range::new(0.5, 6.0)),
    metres("ahead_m", "Before the shoulders, along the way").range(Range::new(-1.0, 1.0)).usually(Usual::Number(0.15)),
    secs("swing_secs", "How long the body swings").range(Range::new(0.2, 3.0)).usually(Usual::Number(0.8)),
];

/// A time of the clip.
const fn time(key: &'static str, about: &'static str) -> Parameter {
    secs(key, about).range(Range::new(0.0, 3600.0))
}

const AT: Parameter = time("at_secs", "When, in seconds of the clip").required();

const CONE: &[Parameter] = &[
    PART,
    num("within_deg", "°", "Half the cone's opening").range(Range::new(1.0, 179.0)).required(),
    choice("of", CONES, "Its middle").usually(Usual::Word("joint")),
    time("from_secs", "From when; from the start if not given"),
    time("to_secs", "Until when; to the end if not given"),
];

const CONES: &[(&str, &str)] = &[("joint", "Where the part points on average in the clip"), ("up", "Straight up")];

const POSE: &[Parameter] = &[
    AT,
    time("like_secs", "As in the clip at this time; at the same time if not given"),
    of("parts", Kind::List(&Kind::Text), "Which joints; all if not given"),
];

const FACING: &[Parameter] =
    &[AT, num("left_deg", "°", "To the left of where it faces then in the clip").range(TURNED).required()];

const PLACE: &[Parameter] = &[
    of("part", Kind::Text, "A role or a joint's name").usually(Usual::Word("")),
    time("at_secs", "When, in seconds of the clip").usually(Usual::Number(0.0)),
    shift("forward_m", "From where it is then in the clip, along the way"),
    shift("left_m", "Across it"),
    shift("up_m", "Up"),
];

const ABOVE: &[Parameter] = &[
    PART,
    metres("height_m", "Over the ground").range(Range::new(0.0, 5.0)).required(),
    time("from_secs", "From when").required(),
    time("to_secs", "Until when").required(),
];

const DYNAMICS: &[(&str, &str)] = &[("reduced", "The six of the root"), ("full", "All of them")];

const OBJECTIVES: &[(&str, &str)] = &[
    ("adaptation", "The change from the performance"),
    ("torque_smoothness", "How much torques bend over time"),
    ("torque", "Torques"),
    ("kinematic_smoothness", "How much joints accelerate"),
    ("power", "What joints spend"),
    ("mass_displacement", "How far masses are from where they were"),
];
