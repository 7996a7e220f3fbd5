//! `join`.

use super::parameter::{choice, flag, of};
use super::{Kind, Usual, Verb};

/// Puts motions one after the other.
pub(super) const VERB: Verb = Verb {
    name: "join",
    about: "Put motions one after the other",
    clip: "Motion files in their order, or builtin:NAME",
    parameters: &[
        of("clips", Kind::List(&Kind::Clip), "The motions that follow, in their order")
            .required()
            .flag(flag("", "CLIP")),
        choice("place", PLACES, "Where the next motion begins")
            .usually(Usual::Word("continue"))
            .flag(flag("place", "HOW")),
    ],
    examples: "Examples:\n  \
        aplomb join a.bvh b.bvh c.bvh -o all.bvh              each goes on from where the body is\n  \
        aplomb join a.bvh b.bvh -o both.bvh --place as-is     each stays where it was\n\n\
        Nothing is blended at the joins; see `aplomb transition`. All clips need one skeleton and one rate.",
};

const PLACES: &[(&str, &str)] = &[("continue", "From where the body is"), ("as-is", "Where it was")];
