//! `path`.

use super::grammar::{data, follow, jump, moved, timing};
use super::parameter::{flag, metres, num, of, sets, switch};
use super::{CLIP, CONTACTS, Dash, EASE, FROM, Kind, Parameter, Range, SUPERHUMAN, TO, Usual, Verb, arc};

/// Edits the path.
pub(super) const VERB: Verb = Verb {
    name: "path",
    about: "Move, bend, align and retime the path of a motion: \
            drag handles, follow a curve, change jumps, climb stairs",
    clip: CLIP,
    parameters: &[
        of("change", Kind::List(&Kind::Either(&CHANGES)), "Handles that move, and flights whose height changes")
            .flag(
                flag("move", "H:DX,DY,DZ")
                    .text(|text| data(moved(text)))
                    .dash(Dash::Any)
                    .about("Move handle H by this distance, in metres; may be given again"),
            )
            .flag(
                flag("jump", "F:height=H")
                    .text(|text| data(jump(text)))
                    .dash(Dash::Any)
                    .about("Change the height of a flight: times what it is, or metres with an m"),
            ),
        switch("stairs", "Feet rise with the path: stairs, ledges, slopes").flag(
            sets("stairs", Usual::Switch(true)).about(
                "Feet rise with the path: stairs, ledges, slopes. \
             With --move 3:0,0.17,0 step 3 and the feet there go up by 17 cm",
            ),
        ),
        switch("level_handles", "The change of heights is level at handles, instead of running smoothly through them")
            .usually(Usual::Switch(true))
            .flag(
                sets("smooth-heights", Usual::Switch(false))
                    .about("Let the change of heights run smoothly through handles, instead of level"),
            ),
        of("align_to", Kind::Clip, "Take the path of another motion, where the same feet step")
            .flag(flag("align", "CLIP").conflicts(&["follow"])),
        of(
            "follow",
            Kind::Either(&[Kind::Table(arc::CURVE), Kind::Table(CURVE)]),
            "Bend all of the motion onto a curve of the ground",
        )
        .flag(
            flag("follow", "arc:radius=R,side=SIDE|FILE.csv|FILE.svg|M…")
                .text(|text| data(follow(text)))
                .dash(Dash::Any),
        ),
        of("timing", Kind::Either(&[Kind::Choice(TIMINGS), Kind::Table(TIME_SCALE)]), "Times of the result")
            .usually(Usual::Word("auto"))
            .flag(flag("timing", "auto|paper|keep|scale=F").text(|text| data(timing(text))).about(
                "Times of the result: by stride, turn and fall; by the paper's exponents; as they were; \
                 or times a factor",
            )),
        switch("keep_keys", "Keep the keys at their uneven times instead of resampling (.glb only)")
            .flag(sets("keep-keys", Usual::Switch(true))),
        CONTACTS,
        FROM,
        TO,
        EASE,
        SUPERHUMAN,
    ],
    examples: "Examples:\n  \
        aplomb path walk.bvh --list-handles                       what can be taken hold of\n  \
        aplomb path walk.bvh --move 3:0.4,0,0 --move 4:0.4,0,0 -o aside.bvh\n  \
        aplomb path jump.bvh --jump 0:height=1.4 -o higher.bvh    1.4 times as high; height=0.6m is in metres\n  \
        aplomb path walk.bvh --stairs --move 3:0,0.17,0 --move 4:0,0.34,0 -o climbing.bvh\n  \
        aplomb path walk.bvh --align turn.bvh -o turning.bvh      the matching steps, on the path of the other\n  \
        aplomb path walk.bvh --follow arc:radius=2,side=left -o bent.bvh\n  \
        aplomb path walk.bvh --follow way.svg --scale 0.01 --from-start -o drawn.bvh\n  \
        aplomb path walk.bvh --edit moves.toml -o out.bvh         the same as data (docs/project.md)\n\n\
        Metres, Y up; a curve is seen from above, x to the right and z down the page.\n\
        Exit code 3: written, but legs are too short and some feet stay away from their places, or the motion tears: \
        a joint jumps.",
};

const CHANGES: [Kind; 3] = [Kind::Table(MOVE), Kind::Table(HIGHER), Kind::Table(AS_HIGH)];

const MOVE: &[Parameter] = &[
    of("handle", Kind::Whole, "Which handle, from 0").required(),
    of("move", Kind::Vector, "How far it goes").unit("m").required(),
];

const FLIGHT: Parameter = of("flight", Kind::Whole, "Which flight, from 0").required();
const HIGHER: &[Parameter] = &[FLIGHT, num("height", "", "Times as high as it is").required()];
const AS_HIGH: &[Parameter] = &[FLIGHT, metres("height_m", "As high as this").required()];

const TIMINGS: &[(&str, &str)] = &[
    ("auto", "By stride, turn and fall, each where it counts"),
    ("paper", "By the paper's exponents"),
    ("keep", "As they were"),
];

const TIME_SCALE: &[Parameter] =
    &[num("scale", "", "Duration of the result, times what it is").range(Range::new(0.05, 20.0)).required()];

const CURVE: &[Parameter] = &[
    of("file", Kind::File, "A curve in a .csv or .svg file"),
    of("svg", Kind::Text, "Or the words of an SVG path, M 0 0 C …"),
    of("points_m", Kind::List(&Kind::List(&Kind::Number)), "Or points of the ground, x and z").unit("m"),
    metres("metres_per_unit", "Length of one unit of the drawing, in metres")
        .range(Range::POSITIVE)
        .usually(Usual::Number(1.0))
        .flag(
            flag("scale", "M").requires("follow").about("With --follow: length of one unit of the drawing, in metres"),
        ),
    switch("from_start", "The curve begins where the motion does and goes its way").flag(
        sets("from-start", Usual::Switch(true))
            .requires("follow")
            .about("With --follow: the curve begins where the motion does and goes its way"),
    ),
    switch("stretch", "The motion is stretched to the length of the curve").flag(
        sets("stretch", Usual::Switch(true))
            .requires("follow")
            .about("With --follow: stretch the motion to the length of the curve"),
    ),
];
