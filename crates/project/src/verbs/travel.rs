//! `travel`.

use super::parameter::{flag, num, of};
use super::{CLIP, Kind, Range, Usual, Verb};

/// Gives the motion its way.
pub(super) const VERB: Verb = Verb {
    name: "travel",
    about: "Make a motion on the spot move forward, as fast as its feet go back",
    clip: CLIP,
    parameters: &[
        of("cycles", Kind::Whole, "How often the motion is repeated")
            .usually(Usual::Number(1.0))
            .flag(flag("cycles", "N")),
        num("speed", "m/s", "Speed over the ground in m/s; as fast as feet go back if not given")
            .range(Range::POSITIVE)
            .flag(flag("speed", "SPEED")),
    ],
    examples: "Examples:\n  \
        aplomb travel horse.bvh --cycles 6 -o going.bvh        a cycle on the spot, six times, over the ground\n  \
        aplomb path going.bvh --follow arc:radius=3,side=left -o round.bvh\n  \
        aplomb travel treadmill.bvh --speed 1.4 -o walk.bvh    where the belt's speed is known",
};
