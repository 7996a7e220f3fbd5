//! `cut`.

use super::parameter::{flag, secs};
use super::{CLIP, Verb};

/// Keeps a part.
pub(super) const VERB: Verb = Verb {
    name: "cut",
    about: "Keep a part of a motion",
    clip: CLIP,
    parameters: &[
        secs("from_secs", "First second that is kept; the start if not given").flag(flag("from", "SECS")),
        secs("to_secs", "The first second that is not kept; everything if not given")
            .flag(flag("to", "SECS").unless("from")),
    ],
    examples: "Examples:\n  \
        aplomb cut take.bvh -o step.bvh --from 1.5 --to 3     seconds 1.5 to 3\n  \
        aplomb cut take.bvh -o end.bvh --from 10              from second 10 on\n  \
        aplomb cut builtin:run -o stride.bvh --to 0.7",
};
