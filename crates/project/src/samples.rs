//! The experiments of Shin, Kovar & Gleicher 2003, foot planting alone, figures 11 to 16 of Lockwood & Singh 2011,
//! experiments of Safonova & Hodgins 2005, adaptations of Sulejmanpašić & Popović 2005 and the examples of Zordan &
//! Hodgins 1999, as projects over built-in clips: `sample:NAME` stands for a project file.

use crate::edits::Project;
use crate::error::ProjectError;
use std::path::Path;

/// What names of samples begin with.
pub const SAMPLE: &str = "sample:";

/// A project that the program brings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sample {
    /// As it is asked for.
    pub name: &'static str,
    /// What it shows.
    pub about: &'static str,
    /// The project file.
    pub text: &'static str,
}

/// All of them; their files are in `samples/`.
pub const SAMPLES: [Sample; 43] = [
    Sample {
        name: "walk-to-run",
        about: "a walk blended into a run, then leaning into the change of speed",
        text: include_str!("../../../samples/walk-to-run.toml"),
    },
    Sample {
        name: "bent-walk",
        about: "a straight walk bent onto a circle, then leaning into the bend",
        text: include_str!("../../../samples/bent-walk.toml"),
    },
    Sample {
        name: "uphill-walk",
        about: "a level walk tilted uphill, then leaning into the hill",
        text: include_str!("../../../samples/uphill-walk.toml"),
    },
    Sample {
        name: "bent-jump",
        about: "a long jump bent onto a circle, then flying straight again",
        text: include_str!("../../../samples/bent-jump.toml"),
    },
    Sample {
        name: "planted-walk",
        about: "a bent walk whose feet slide, then stand; nothing else changes",
        text: include_str!("../../../samples/planted-walk.toml"),
    },
    Sample {
        name: "zigzag-run",
        about: "running, a jump and running on as a zigzag, the jump shorter and higher, down to lower ground",
        text: include_str!("../../../samples/zigzag-run.toml"),
    },
    Sample {
        name: "stairs",
        about: "a level walk that climbs stairs",
        text: include_str!("../../../samples/stairs.toml"),
    },
    Sample {
        name: "longer-jump",
        about: "a long jump, 40 cm longer: as long in the air, and falling as it did",
        text: include_str!("../../../samples/longer-jump.toml"),
    },
    Sample {
        name: "higher-jump",
        about: "a long jump, half as high again: longer in the air, and falling as it did",
        text: include_str!("../../../samples/higher-jump.toml"),
    },
    Sample {
        name: "quadruped-circle",
        about: "an animal's straight walk as a circle",
        text: include_str!("../../../samples/quadruped-circle.toml"),
    },
    Sample {
        name: "bouncing-ball",
        about: "a ball whose bounces are higher, lower and longer",
        text: include_str!("../../../samples/bouncing-ball.toml"),
    },
    Sample {
        name: "aligned-walk",
        about: "a straight walk on the path of a turning one",
        text: include_str!("../../../samples/aligned-walk.toml"),
    },
    Sample {
        name: "drawn-walk",
        about: "a straight walk along a drawn curve, then leaning into its bends",
        text: include_str!("../../../samples/drawn-walk.toml"),
    },
    Sample {
        name: "between-jumps",
        about: "a jump between a short and a long one: it falls at g and lands on its feet",
        text: include_str!("../../../samples/between-jumps.toml"),
    },
    Sample {
        name: "quarter-turn",
        about: "a long jump and one with half a turn make a quarter turn, straight through the air",
        text: include_str!("../../../samples/quarter-turn.toml"),
    },
    Sample {
        name: "between-seats",
        about: "sitting down on a seat between two heights, with feet that stay",
        text: include_str!("../../../samples/between-seats.toml"),
    },
    Sample {
        name: "limp-shoulder-jump",
        about: "a long jump with a limp right arm",
        text: include_str!("../../../samples/limp-shoulder-jump.toml"),
    },
    Sample {
        name: "half-twist-landing",
        about: "a long jump that lands the other way round",
        text: include_str!("../../../samples/half-twist-landing.toml"),
    },
    Sample {
        name: "half-twist-takeoff",
        about: "a long jump that starts the other way round",
        text: include_str!("../../../samples/half-twist-takeoff.toml"),
    },
    Sample {
        name: "high-bar",
        about: "a jump that catches a bar and swings from it",
        text: include_str!("../../../samples/high-bar.toml"),
    },
    Sample {
        name: "one-leg-hop-soft",
        about: "a hop with limited torques at hip and knee",
        text: include_str!("../../../samples/one-leg-hop-soft.toml"),
    },
    Sample {
        name: "dunk-run",
        about: "a run on shorter legs that ends at a rim",
        text: include_str!("../../../samples/dunk-run.toml"),
    },
    Sample { name: "hurdle-run", about: "a run over a hurdle", text: include_str!("../../../samples/hurdle-run.toml") },
    Sample {
        name: "cross-step-run",
        about: "a run whose steps cross",
        text: include_str!("../../../samples/cross-step-run.toml"),
    },
    Sample {
        name: "farther-jump",
        about: "a long jump, 30 cm farther with full dynamics: prepared by a deeper crouch",
        text: include_str!("../../../samples/farther-jump.toml"),
    },
    Sample {
        name: "staggered-jump",
        about: "a long jump with staggered feet at takeoff and landing",
        text: include_str!("../../../samples/staggered-jump.toml"),
    },
    Sample {
        name: "briefcase-jump",
        about: "a long jump with 8 kg in the right hand",
        text: include_str!("../../../samples/briefcase-jump.toml"),
    },
    Sample {
        name: "injured-ankle-jump",
        about: "a long jump with a weak right ankle: the other leg does the work",
        text: include_str!("../../../samples/injured-ankle-jump.toml"),
    },
    Sample {
        name: "twisting-jump",
        about: "a long jump with a quarter turn, built up before takeoff",
        text: include_str!("../../../samples/twisting-jump.toml"),
    },
    Sample {
        name: "one-leg-hop",
        about: "a long jump on the right leg alone",
        text: include_str!("../../../samples/one-leg-hop.toml"),
    },
    Sample {
        name: "gesture-adult",
        about: "a greeting played by a driven body",
        text: include_str!("../../../samples/gesture-adult.toml"),
    },
    Sample {
        name: "gesture-child",
        about: "the same by a child's body",
        text: include_str!("../../../samples/gesture-child.toml"),
    },
    Sample {
        name: "gesture-alien",
        about: "the same by a long-armed alien",
        text: include_str!("../../../samples/gesture-alien.toml"),
    },
    Sample {
        name: "drumming",
        about: "hands that strike a drum and bounce",
        text: include_str!("../../../samples/drumming.toml"),
    },
    Sample {
        name: "drumming-through",
        about: "the same without contact: hands go through the drum",
        text: include_str!("../../../samples/drumming-through.toml"),
    },
    Sample {
        name: "staff",
        about: "a staff that is pumped, kept upright by the wrist",
        text: include_str!("../../../samples/staff.toml"),
    },
    Sample {
        name: "staff-alone",
        about: "the same without the wrist's task: the staff leans",
        text: include_str!("../../../samples/staff-alone.toml"),
    },
    Sample {
        name: "balanced-bow",
        about: "a bow on driven legs that keep the balance",
        text: include_str!("../../../samples/balanced-bow.toml"),
    },
    Sample {
        name: "bow-alone",
        about: "the same without balance: the body falls",
        text: include_str!("../../../samples/bow-alone.toml"),
    },
    Sample {
        name: "held-hand",
        about: "a bow with one hand on a rail, where it stays",
        text: include_str!("../../../samples/held-hand.toml"),
    },
    Sample {
        name: "patty-cake-pair",
        about: "patty cake of two children, from one adult's motion",
        text: include_str!("../../../samples/patty-cake-pair.toml"),
    },
    Sample {
        name: "patty-cake-fast",
        about: "the same at 133 % of the speed",
        text: include_str!("../../../samples/patty-cake-fast.toml"),
    },
    Sample {
        name: "patty-cake-slap",
        about: "patty cake that ends in a slap",
        text: include_str!("../../../samples/patty-cake-slap.toml"),
    },
];

/// The sample that a path means, if it means one.
pub fn sample_name(path: &Path) -> Option<&str> {
    path.to_str()?.strip_prefix(SAMPLE)
}

/// The project of a sample.
pub fn sample(name: &str) -> Result<Project, ProjectError> {
    let path = Path::new(SAMPLE).with_file_name(format!("{SAMPLE}{name}"));
    match SAMPLES.iter().find(|sample| sample.name == name) {
        Some(sample) => Project::from_toml(sample.text, &path),
        None => {
            let known = SAMPLES.map(|sample| sample.name).join(", ");
            Err(ProjectError::ProjectFile { path, detail: format!("there is no such sample; there are {known}") })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_are_projects_and_others_are_answered_with_them() {
        for known in SAMPLES {
            assert!(!sample(known.name).unwrap().edits.is_empty(), "{}", known.name);
        }
        let error = sample("bent-swim").unwrap_err().to_string();
        assert!(error.contains("sample:bent-swim") && error.contains("bent-jump"), "{error}");
    }
}
