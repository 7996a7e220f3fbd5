//! `blend`.

use super::grammar::measure;
use super::parameter::{choice, flag, metres, num, of, sets, switch, table};
use super::range::number;
use super::{Dash, Kind, Parameter, Usual, Verb};

/// Blends clips.
pub(super) const VERB: Verb = Verb {
    name: "blend",
    about: "Make the motion between motions: \
            a jump between two jumps that falls at g, lands on its feet and keeps its balance",
    clip: "Motion files, or builtin:NAME; two or more",
    parameters: &[
        of("clips", Kind::List(&Kind::Clip), "The other motions").required().flag(flag("", "CLIP")),
        of("weights", Kind::List(&Kind::Number), "How much of each clip, the first one's first; together 1").flag(
            flag("weights", "W,W,…")
                .list(|text| number(text).map(Into::into))
                .dash(Dash::Any)
                .conflicts(&["weight", "sweep", "at"])
                .about("How much of each clip"),
        ),
        table("at", MEASURES, "What the result shall measure, instead of weights")
            .flag(flag("at", "NAME=VALUE,…").list(measure).conflicts(&["sweep", "normalize"]).about(
            "What the result shall measure, instead of weights: length (m), height (m), turn (degrees), speed (m/s)",
        )),
        of("phases", Kind::File, "Phases by hand: which there are, and when they end in each clip")
            .flag(flag("phases", "FILE.toml")),
        choice("scheme", SCHEMES, "What is interpolated").usually(Usual::Word("com")).flag(flag("scheme", "HOW")),
        choice("timing", TIMINGS, "How long phases last").usually(Usual::Word("sqrt")).flag(flag("timing", "HOW")),
        switch("smooth_timing", "Ease the change of pace inside contacts; costs a little friction")
            .flag(sets("smooth-timing", Usual::Switch(true))),
        switch("smooth_facing", "Take up what turning does to the velocity at landings; costs some friction")
            .flag(sets("smooth-facing", Usual::Switch(true))),
        switch("contact_keys", "Let crouches meet, too").flag(sets("contact-keys", Usual::Switch(true))),
        switch("mirror", "Exchange left and right of all clips but the first")
            .flag(sets("mirror", Usual::Switch(true))),
        switch("first_skeleton", "Put the other motions on the first one's skeleton, and plant their feet"),
    ],
    examples: "Examples:\n  \
        aplomb blend short.bvh long.bvh --weight 0.3 -o between.bvh          three tenths of the second\n  \
        aplomb blend a.bvh b.bvh c.bvh --weights 0.2,0.5,0.3 -o abc.bvh\n  \
        aplomb blend short.bvh long.bvh --at length=1.1 -o jump.bvh          weights for a jump of 1.1 m\n  \
        aplomb blend short.bvh long.bvh --sweep 0:1:0.1 -o family/           eleven files\n  \
        aplomb blend --space jumps.toml --at length=1.6,turn=45 -o jump.bvh  clips from a file\n  \
        aplomb blend builtin:short-jump builtin:long-jump --weight 0.5 --dry-run\n\n\
        All clips need one skeleton, and phases that correspond: the same flights, or steps of the same feet. \
        Weights are not negative and sum to 1: between motions physics is kept, beyond them nothing is guaranteed. \
        Exit code 3: written, but legs are too short for the feet, or no blend measures what --at asks.",
};

const MEASURES: &[Parameter] = &[
    metres("length", "From the feet at take-off to the feet after landing; without a flight, from start to end"),
    metres("height", "Rise of the centre of mass in flight; without a flight, from its lowest to its highest place"),
    num("turn", "°", "Turn of the facing from start to end; to the left is positive"),
    num("speed", "m/s", "Speed over the ground from start to end"),
];

const SCHEMES: &[(&str, &str)] = &[
    ("com", "Centre of mass and feet: flights fall at g, feet stay"),
    ("root", "Root and joints, the usual way"),
    ("foot", "Joints, hung on a foot that stands"),
];

const TIMINGS: &[(&str, &str)] =
    &[("sqrt", "Root of the mean square: gravity stays"), ("linear", "Mean: gravity is off")];
