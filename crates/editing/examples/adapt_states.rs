//! Adapted captures with their forces as lines of JSON, for an engine that others wrote (`tests/oracles/adapt.py`,
//! `cargo xtask oracles`).

#[path = "../tests/measures/mod.rs"]
mod measures;

use aplomb_analysis::Take;
use aplomb_editing::adapt::{Goals, Initialised, Subject};
use measures::{Capture, captures};
use serde_json::json;

/// Two jumps and a run, with goals that change footprints, body, torques and what is held.
const ADAPTATIONS: [(&str, &[(&str, &str)]); 3] = [
    (
        "jump-forward/13_11",
        &[
            ("longer", "jump_length_m = 0.5"),
            ("half twist", "twist = { deg = 180 }"),
            ("briefcase", "[[carry]]\npart = \"right_hand\"\nmass_kg = 8"),
            ("bar", "grab = {}"),
        ],
    ),
    ("jump-forward/16_06", &[("higher", "jump_height = 1.3"), ("hop", "hop = { on = \"right\" }")]),
    ("run/02_03", &[("hurdle", "hurdle = { height_m = 0.5 }")]),
];

fn main() {
    let Some(folder) = captures() else { return };
    for (path, adaptations) in ADAPTATIONS {
        let Capture { clip, roles, body, contacts, .. } = Capture::read(&folder, &format!("cmu-bvh/{path}.bvh"));
        let subject = Subject::new(
            &Take::new(clip.clone(), roles.clone(), body.clone()).with_known_contacts(contacts.clone(), None),
        )
        .unwrap();
        let fit = Initialised::new(subject, &mut |_: &_| true).unwrap();
        for (label, text) in adaptations {
            let done = fit.adapt(&Goals::from_toml(text).unwrap(), &mut |_: &_| true).unwrap();
            // Four times between frames of a capture: most of these moments are not collocation points.
            let states = serde_json::to_value(fit.states(&done, 480.0)).unwrap();
            println!("{}", json!({ "name": format!("{path} {label}"), "motion": states }));
        }
    }
}
