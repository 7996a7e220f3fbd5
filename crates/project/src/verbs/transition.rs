//! `transition`.

use super::parameter::{flag, of, secs};
use super::{Kind, Verb};

/// Goes over from one motion into another.
pub(super) const VERB: Verb = Verb {
    name: "transition",
    about: "Blend from one motion into another",
    clip: "The motion that gives way: a file, or builtin:NAME",
    parameters: &[
        of("into", Kind::Clip, "The motion that takes over").required().flag(flag("", "INTO")),
        secs("from_secs", "Where the blend begins, in seconds of the first motion")
            .required()
            .flag(flag("from", "SECS")),
        secs("to_secs", "Where the second motion has taken over, in seconds of the first")
            .required()
            .flag(flag("to", "SECS")),
        secs("into_secs", "Second of the second motion that meets --from; where poses fit best if not given")
            .flag(flag("into-at", "SECS")),
    ],
    examples: "Examples:\n  \
        aplomb transition walk.bvh jog.bvh --from 2 --to 2.6 -o both.bvh\n  \
        aplomb transition builtin:walk builtin:run --from 1.2 --to 1.7 -o faster.bvh\n  \
        aplomb touchup faster.bvh -o leaning.bvh              the body now leans into the change\n\n\
        Both clips need one skeleton and one rate.",
};
