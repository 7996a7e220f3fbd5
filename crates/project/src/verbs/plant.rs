//! `plant`.

use super::touchup::CONTACTS_ANEW;
use super::{CLIP, EASE, FROM, JOINTS, SLOPE, TO, Verb};

/// Stops feet from sliding.
pub(super) const VERB: Verb = Verb {
    name: "plant",
    about: "Stop feet from sliding, and change nothing else",
    clip: CLIP,
    parameters: &[FROM, TO, EASE, JOINTS, SLOPE, CONTACTS_ANEW],
    examples: "Examples:\n  \
        aplomb plant take.bvh -o planted.bvh                   feet stay where they stand\n  \
        aplomb plant take.bvh --contacts take.toml -o out.bvh  … by contacts that you corrected\n  \
        aplomb plant uphill.bvh --slope 8 -o out.bvh",
};
