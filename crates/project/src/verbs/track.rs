//! `track`.

use super::grammar::{damping, data, legs, stiffness};
use super::parameter::{choice, flag, num, of, sets, switch, table};
use super::scene::{CHARACTER, SCENE};
use super::{CLIP, Dash, Kind, Parameter, Range, Usual, Verb};

/// Plays the motion.
pub(super) const VERB: Verb = Verb {
    name: "track",
    about: "Play a motion by a simulated body whose joints are driven: other bodies, drums, staffs, partners, balance",
    clip: CLIP,
    parameters: &[
        of(
            "stiffness",
            Kind::Either(&[Kind::Number, Kind::Choice(&[("auto", "As stiff as smooth hands allow")])]),
            "Stiffness of the servos over the inertia they move, in s⁻², or auto",
        )
        .unit("s⁻²")
        .range(Range::POSITIVE)
        .usually(Usual::Number(4000.0))
        .flag(flag("stiffness", "auto|S").text(|text| data(stiffness(text)))),
        of(
            "damping",
            Kind::Either(&[Kind::Number, Kind::Choice(&[("paper", "A tenth of the stiffness")])]),
            "Damping: a share of critical damping, or the paper's tenth of the stiffness",
        )
        .range(Range::NOT_NEGATIVE)
        .usually(Usual::Number(1.0))
        .flag(flag("damping", "paper|ZETA").text(|text| data(damping(text)))),
        switch("rate_error", "Damp towards the wanted rate instead of towards rest: less lag, more overshoot")
            .flag(sets("rate-error", Usual::Switch(true))),
        choice("figure", FIGURES, "Which joints are driven")
            .usually(Usual::Word("upper"))
            .flag(flag("figure", "FIGURE")),
        choice("stance", STANCES, "Legs of the full figure: keep their first pose, or do what was captured")
            .usually(Usual::Word("hold"))
            .flag(flag("stance", "STANCE")),
        table("legs", LEGS, "Stiffness of the legs of the full figure; by the body's weight if not given").flag(
            flag("legs", "HIP,KNEE,ANKLE")
                .text(|text| data(legs(text)))
                .about("Stiffness of hip, knee and ankle of the full figure, in N·m/rad"),
        ),
        choice("lower", LOWERS, "Pelvis and legs under an upper body")
            .usually(Usual::Word("follow"))
            .flag(flag("lower", "LOWER")),
        of("character", CHARACTER, "Whose body: adult, child, alien, or a table of segments")
            .flag(flag("character", "NAME|FILE.toml").content().about("Whose body: adult, child, alien, or a file")),
        of(
            "orientations",
            Kind::File,
            "World orientations of segments instead of the clip's motion: time, segment, x, y, z, w",
        )
        .flag(flag("orientations", "FILE.csv").conflicts(&["scene"])),
        of("markers", Kind::File, "Markers of the same take, to see whose speed the hands have: C3D or TRC")
            .flag(flag("markers", "FILE")),
        choice("interpolation", INTERPOLATIONS, "How the motion goes on between samples")
            .usually(Usual::Word("cubic"))
            .flag(
                sets("slerp", Usual::Word("slerp"))
                    .about("Go from sample to sample along great circles instead of by cubics"),
            ),
        table("scene", SCENE, "Who and what else is there, what may touch, which controllers help")
            .flag(flag("scene", "FILE.toml").content()),
        num("hz", "Hz", "Steps a second")
            .range(Range::POSITIVE)
            .usually(Usual::Number(480.0))
            .flag(flag("hz", "HZ").dash(Dash::No)),
        switch("explicit", "Explicit servos, which need short steps: to see that both come to the same")
            .flag(sets("explicit", Usual::Switch(true))),
    ],
    examples: "Examples:\n  \
        aplomb track wave.bvh -o tracked.bvh --html tracked.html\n  \
        aplomb track wave.bvh --character child -o child.bvh      or alien, or a table in a file\n  \
        aplomb track wave.bvh --stiffness auto -o tracked.bvh     as stiff as smooth hands allow\n  \
        aplomb track person.bvh --orientations trackers.csv -o played.bvh\n  \
        aplomb track drum.bvh --scene drum.toml -o drumming.bvh   things that hands strike\n  \
        aplomb run sample:drumming -o drumming.bvh                the same from the samples\n\n\
        Others of a scene are written beside the output, as OUT.NAME.bvh. \
        docs/algorithms/track.md says what scenes and\ncharacters hold.\n\
        Exit code 3: written, but the body falls, or a hand does not get where it should.",
};

const FIGURES: &[(&str, &str)] = &[
    ("upper", "Waist, chest, head and arms on a held pelvis: 27 degrees of freedom"),
    ("upper-stiff-back", "The same with a back of one piece: 24"),
    ("full", "All of the body on its feet: 48 and a free pelvis"),
];

const STANCES: &[(&str, &str)] = &[("hold", "Keep the pose they start with"), ("captured", "Do what they did")];

const LOWERS: &[(&str, &str)] =
    &[("follow", "As late and as smooth as the arms"), ("captured", "As captured"), ("held", "Still")];

const INTERPOLATIONS: &[(&str, &str)] = &[("cubic", "By cubics"), ("slerp", "Along great circles")];

const LEGS: &[Parameter] = &[leg("hip", "Of each hip"), leg("knee", "Of each knee"), leg("ankle", "Of each ankle")];

const fn leg(key: &'static str, about: &'static str) -> Parameter {
    num(key, "N·m/rad", about).range(Range::NOT_NEGATIVE).required()
}
