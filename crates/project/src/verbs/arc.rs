//! `arc`.

use super::parameter::{choice, flag, metres, secs};
use super::{CLIP, Parameter, Range, SIDES, SUPERHUMAN, Usual, Verb};

/// Bends the way.
pub(super) const VERB: Verb = Verb {
    name: "arc",
    about: "Bend the way of a motion onto a circle",
    clip: CLIP,
    parameters: &[
        RADIUS.flag(flag("radius", "M")),
        SIDE.flag(flag("side", "SIDE")),
        secs("from_secs", "Bend from where the body is at this second")
            .flag(flag("from", "SECS").conflicts(&["lead-in", "length"])),
        secs("to_secs", "Bend up to where the body is at this second")
            .flag(flag("to", "SECS").conflicts(&["lead-in", "length"])),
        LEAD_IN.flag(flag("lead-in", "M")),
        LENGTH.flag(flag("length", "M")),
        EASE.flag(flag("ease", "M")),
        SUPERHUMAN,
    ],
    examples: "Examples:\n  \
        aplomb arc walk.bvh --radius 3 --side left -o bent.bvh\n  \
        aplomb arc walk.bvh --radius 3 --side right --from 1 --to 2.5 --ease 0.3 -o bent.bvh\n  \
        aplomb touchup bent.bvh -o leaning.bvh                the body now leans into the bend",
};

/// The same as a curve that a path follows.
pub(super) const CURVE: &[Parameter] = &[RADIUS, SIDE, LEAD_IN, LENGTH, EASE];

const RADIUS: Parameter =
    metres("radius_m", "Radius of the circle that the way is bent onto").range(Range::POSITIVE).required();
const SIDE: Parameter = choice("side", SIDES, "Which way it bends, seen along the way").required();
const LEAD_IN: Parameter =
    metres("lead_in_m", "Length that stays straight first, in metres; instead of a first second")
        .range(Range::NOT_NEGATIVE);
const LENGTH: Parameter =
    metres("length_m", "Length that is bent, in metres; instead of a last second").range(Range::POSITIVE);
const EASE: Parameter = metres("ease_m", "Length over which the curvature rises and falls, in metres")
    .range(Range::NOT_NEGATIVE)
    .usually(Usual::Number(0.0));
