//! `touchup`.

use super::parameter::{choice, flag, num, of, secs};
use super::{CLIP, CONTACTS, EASE, FROM, JOINTS, Kind, Parameter, Range, SLOPE, TO, Usual, Verb};
use crate::edits::TOUCHUP_EASE_SECS;

/// Balances the motion.
pub(super) const VERB: Verb = Verb {
    name: "touchup",
    about: "Make an edited motion physically right: \
            balance on the ground, parabolas and spin in the air, feet that stand",
    clip: CLIP,
    parameters: &[
        choice("only", STAGES, "Correct only what stands, or only what flies").flag(flag("only", "STAGE")),
        num("margin", "", "Where in each foot to aim: 0 is the edge of the support, 1 the middle of the foot")
            .range(Range { low: 0.0, high: 1.0, what: "margin" })
            .usually(Usual::Number(0.5))
            .flag(flag("margin", "0..1")),
        of("steps", Kind::List(&Kind::Table(STEP)), "Steps instead of the usual ones: which parts correct what").flag(
            flag("steps", "FILE.toml")
                .content()
                .about("Step list, instead of the usual one: which parts correct what, how slowly, and how much of it"),
        ),
        of("steps_file", Kind::File, "A file with the steps"),
        FROM,
        TO,
        EASE.usually(Usual::Number(TOUCHUP_EASE_SECS)),
        JOINTS,
        SLOPE,
        CONTACTS_ANEW,
    ],
    examples: "Examples:\n  \
        aplomb touchup bent.bvh -o leaning.bvh                 balance, flights and feet of an edited motion\n  \
        aplomb touchup bent.bvh --dry-run                      only what it would do\n  \
        aplomb touchup uphill.bvh --slope 8 -o climbing.bvh    on ground that rises by 8° along the way\n  \
        aplomb touchup jump.bvh --only flight -o jump2.bvh     parabolas and spin, nothing else\n  \
        aplomb touchup take.bvh --from 2 --to 4 -o take2.bvh   seconds 2 to 4, eased at both ends\n  \
        aplomb touchup bent.bvh -o a.bvh --receipt a.json --html a.html\n\n\
        Exit code 3: written, but balance did not come nearer, \
        or the result is clearly worse in score, slide or balance.",
};

/// Contacts by hand are no contacts found anew.
pub(super) const CONTACTS_ANEW: Parameter = {
    let mut contacts = CONTACTS;
    contacts.flags = [Some(flag("contacts", "FILE.toml").conflicts(&["detect_contacts"])), None];
    contacts
};

const STAGES: &[(&str, &str)] = &[("ground", "Balance over the feet"), ("flight", "Parabolas and angular momentum")];

const STEP: &[Parameter] = &[
    choice("stage", STAGES, "What it corrects").required(),
    of("s2", Kind::List(&Kind::Text), "What turns: upper_body, lower_body, everything, arms, a role, or a joint")
        .required(),
    of("s3", Kind::List(&Kind::Text), "What is carried along and keeps its direction; steps on the ground only"),
    secs("width_secs", "How slowly the correction varies: slow for a lean, fast for a sway")
        .usually(Usual::Number(0.0)),
    num("rho", "", "Share of the correction that is made at once")
        .range(Range::new(0.0, 1.0))
        .usually(Usual::Number(1.0)),
    of("repeat", Kind::Whole, "How often the step is made").usually(Usual::Number(1.0)),
];
