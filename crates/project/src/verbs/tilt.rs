//! `tilt`.

use super::parameter::{flag, metres, num};
use super::{CLIP, Usual, Verb};

/// Turns the whole motion against gravity.
pub(super) const VERB: Verb = Verb {
    name: "tilt",
    about: "Turn a motion against gravity, uphill or downhill",
    clip: CLIP,
    parameters: &[
        num("angle_deg", "°", "Uphill along the way; negative is downhill").required().flag(flag("angle", "DEG")),
        num("heading_deg", "°", "Way up, instead of the way that the motion travels: 0 is +Z, 90 is +X")
            .flag(flag("heading", "DEG")),
        metres("ground_height_m", "Height of the ground that is tilted")
            .usually(Usual::Number(0.0))
            .flag(flag("ground-height", "M")),
    ],
    examples: "Examples:\n  \
        aplomb tilt walk.bvh --angle 8 -o uphill.bvh\n  \
        aplomb touchup uphill.bvh --slope 8 -o climbing.bvh   the body now leans into the hill\n  \
        aplomb tilt bow.bvh --angle 5 --heading 90 -o out.bvh what does not travel needs a heading",
};
