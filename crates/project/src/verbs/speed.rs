//! `speed`.

use super::parameter::{flag, num};
use super::{CLIP, EASE, FROM, Range, TO, Verb};

/// Plays faster or slower.
pub(super) const VERB: Verb = Verb {
    name: "speed",
    about: "Play a motion, or a stretch of it, faster or slower",
    clip: CLIP,
    parameters: &[
        num("factor", "", "Speed, times what it is").range(Range::POSITIVE).required().flag(flag("factor", "FACTOR")),
        FROM,
        TO,
        EASE,
    ],
    examples: "Examples:\n  \
        aplomb speed walk.bvh --factor 1.5 -o brisk.bvh\n  \
        aplomb speed take.bvh --factor 0.5 --from 2 --to 3 --ease 0.2 -o slow.bvh",
};
