//! Goals that no person can meet: what is asked, what people reach, and the nearest that works.

use crate::finding::{Finding, codes};
use aplomb_physics::HumanLimit;
use std::fmt;

/// A goal beyond what people can do.
#[derive(Clone, Debug, PartialEq)]
pub struct BeyondPeople {
    /// What was asked for, as the start of a sentence: "farther by 3 m".
    pub goal: String,
    /// Which limit it breaks.
    pub limit: HumanLimit,
    /// What it takes, in the limit's unit.
    pub asked: f64,
    /// What people reach, widened by what the clip shows, in the same unit.
    pub most: f64,
    /// What belongs to the limit: "with this run-up", "at 1.2 s, at 4.1 m/s on a curve of 1.0 m".
    pub when: String,
    /// The nearest that works: "farther by 0.62 m".
    pub nearest: Option<String>,
}

impl BeyondPeople {
    /// For receipts, where a person said to go on.
    pub fn finding(&self) -> Finding {
        let finding = Finding::of(codes::BEYOND_PEOPLE).value("goal", self.goal.as_str());
        finding.value("limit", self.limit.key()).value("asked", self.asked).value("most", self.most)
    }
}

impl fmt::Display for BeyondPeople {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { goal, limit, when, .. } = self;
        let [asked, most] = [self.asked, self.most].map(|value| limit.in_words(value));
        match limit {
            HumanLimit::TakeoffUp => {
                write!(f, "{goal} asks for a take-off at {asked} straight up; people reach {most} {when}")
            }
            HumanLimit::TakeoffSpeed => write!(f, "{goal} asks for a take-off at {asked}; people reach {most} {when}"),
            HumanLimit::TurnInAir => write!(f, "{goal} asks for a turn of {asked} in the air; people reach {most}"),
            HumanLimit::Lean => write!(f, "{goal} asks for a lean of {asked} {when}; people lean by {most} then"),
            HumanLimit::Friction => {
                write!(f, "{goal} asks for a friction of {asked} {when}; people's feet slip beyond {most}")
            }
        }?;
        match &self.nearest {
            Some(nearest) => write!(f, "; the most that works here is {nearest}"),
            None => Ok(()),
        }
    }
}

/// The largest share of what is asked that is within limits; `None` where next to nothing is. Limits grow with what is
/// asked.
pub fn largest_share<E>(mut is_within: impl FnMut(f64) -> Result<bool, E>) -> Result<Option<f64>, E> {
    let (mut within, mut beyond) = (0.0, 1.0);
    for _ in 0..SEARCH_STEPS {
        let middle = 0.5 * (within + beyond);
        *(if is_within(middle)? { &mut within } else { &mut beyond }) = middle;
    }
    Ok(Some(within).filter(|share| *share > LEAST_OFFERED_SHARE))
}

/// Half as much ten times over: a thousandth of what is asked.
const SEARCH_STEPS: usize = 10;

/// Less is not worth offering.
const LEAST_OFFERED_SHARE: f64 = 0.02;

/// Towards nothing, so that what is offered is within the limit: 0.627 is offered as 0.62.
pub fn rounded_down(value: f64) -> f64 {
    (value * 100.0).trunc() / 100.0
}

/// Away from nothing, for what is smaller the farther it goes: a radius of 1.231 m is offered as 1.24 m.
pub fn rounded_up(value: f64) -> f64 {
    (value * 100.0).ceil() / 100.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_says_what_it_takes_what_people_reach_and_what_works() {
        let beyond = BeyondPeople {
            goal: "farther by 3 m".to_owned(),
            limit: HumanLimit::TakeoffSpeed,
            asked: 7.43,
            most: 4.6,
            when: "from a stand".to_owned(),
            nearest: Some("farther by 0.62 m".to_owned()),
        };
        assert_eq!(
            beyond.to_string(),
            "farther by 3 m asks for a take-off at 7.4 m/s; people reach 4.6 m/s from a stand; the most that works \
             here is farther by 0.62 m"
        );
        let bare = BeyondPeople { nearest: None, ..beyond };
        assert!(bare.to_string().ends_with("from a stand"));
    }

    #[test]
    fn the_nearest_is_within_the_limit() {
        let share = largest_share(|share| Ok::<_, ()>(share * 3.0 <= 0.6273)).unwrap().unwrap();
        assert!((0.2081..=0.2091).contains(&share), "{share}");
        assert_eq!(largest_share(|_| Ok::<_, ()>(false)).unwrap(), None);
        assert_eq!((rounded_down(0.627), rounded_down(-0.627), rounded_up(1.231)), (0.62, -0.62, 1.24));
    }
}
