//! `reach`.

use super::grammar::{data, point};
use super::parameter::{choice, flag, of, secs};
use super::{CLIP, Dash, Kind, ONE_SIDE, Parameter, Range, Usual, Verb};
use aplomb_editing::reach::HandGoal;

/// Puts the hand there.
pub(super) const VERB: Verb = Verb {
    name: "reach",
    about: "Put a hand at a place at a moment, and ease the arm there and back",
    clip: CLIP,
    parameters: &[
        HAND.flag(flag("hand", "SIDE")),
        AT.flag(flag("at", "SECS").dash(Dash::No)),
        TO.flag(flag("to", "X,Y,Z").text(|text| data(point(text))).dash(Dash::Any)),
        WINDOW.flag(flag("window", "SECS").dash(Dash::No)),
        choice("point", POINTS, "What of the hand goes there").usually(Usual::Word("palm")).flag(flag("of", "PART")),
    ],
    examples: "Examples:\n  \
        aplomb reach wave.bvh --hand right --at 2.4 --to -0.3,1.4,0.5 -o touching.bvh\n  \
        aplomb reach wave.bvh --hand left --at 1 --to 0.3,1.2,0.4 --window 0.6 --of wrist -o touching.bvh\n\n\
        Metres, Y up. The hand keeps its orientation; shoulder, elbow and wrist are turned.\n\
        Exit code 3: written, but the hand stays more than 5 mm away.",
};

/// Which hand.
pub(super) const HAND: Parameter = choice("hand", ONE_SIDE, "Which hand").required();
/// When.
pub(super) const AT: Parameter = secs("at_secs", "When it is there, in seconds").range(Range::NOT_NEGATIVE).required();
/// Where.
pub(super) const TO: Parameter = of("to_m", Kind::Vector, "Where it is then").unit("m").required();
/// How long it takes.
pub(super) const WINDOW: Parameter =
    secs("window_secs", "Time that the arm takes to leave its motion, and to come back")
        .range(Range::POSITIVE)
        .usually(Usual::Number(HandGoal::USUAL_WINDOW_SECS));

const POINTS: &[(&str, &str)] = &[("palm", "The middle of the hand"), ("wrist", "The wrist")];
