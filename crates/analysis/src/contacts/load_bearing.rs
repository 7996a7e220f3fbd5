//! What carries: feet on steps and boxes, palms on the floor where heights alone do not tell, and feet that only hang
//! (contacts.md 2).
//!
//! A foot held still in the air and a foot on a step look alike. What tells them apart is weight: where no point is
//! down and the body does not fall, something carries it, and what is still then is what carries; where another foot
//! stands lower all the time, nothing hangs on the still one.

use super::effectors::{Effector, Part};
use super::flights::airborne;
use super::options::ContactOptions;
use super::touch::{PointMotion, ROUNDING_SECS, Thresholds, contacts_of_point, runs_of};
use super::watched::Watched;
use aplomb_motion::Side;
use std::ops::Range;

/// What is known of all points.
pub(super) struct Points<'a> {
    pub effectors: &'a [Effector],
    pub watched: &'a [Watched],
    /// Per effector, whether it may touch at all.
    pub possible: &'a [Vec<bool>],
    pub thresholds: &'a Thresholds,
    pub floor_m: Option<f64>,
    pub step_secs: f64,
    pub options: &'a ContactOptions,
}

impl Points<'_> {
    /// Adds stances of still feet and palms in spans that are airborne by the plain rule although the body is carried.
    /// `force` is in body weights.
    ///
    /// A short stance of a foot is believed only if the other foot stands as high within a second: a run over a box has
    /// that, a run that was tilted against gravity has not.
    pub fn add_carriers(&self, loads: &mut [Vec<Range<usize>>], force: &[f64]) {
        let samples = force.len();
        let mut is_airborne = vec![false; samples];
        airborne(loads, samples).into_iter().for_each(|span| is_airborne[span].fill(true));
        let carries = |still: &Range<usize>| {
            let mut forces: Vec<f64> = still.clone().filter(|&i| is_airborne[i]).map(|i| force[i]).collect();
            let carried = forces.iter().filter(|&&f| f > self.options.edge_force).count();
            forces.sort_by(f64::total_cmp);
            // Feet are still at the top of a jump, too, but there nothing carries.
            let middle = forces.get(forces.len() / 2).is_some_and(|&f| f >= self.options.carrier_force);
            middle && self.secs(carried) >= self.options.least_contact_secs - ROUNDING_SECS
        };
        let carrying: Vec<Vec<Range<usize>>> =
            (0..loads.len()).map(|index| self.still_spans(index).into_iter().filter(carries).collect()).collect();
        let is_believed = |index: usize, span: &Range<usize>| {
            let Some(over_m) = self.over_usual_m(index, span) else { return true };
            let has_partner = || {
                carrying.iter().enumerate().any(|(other, spans)| {
                    let is_other = self.effectors[other].side != self.effectors[index].side;
                    let is_level = |it: &Range<usize>| {
                        let apart = it.start.saturating_sub(span.end).max(span.start.saturating_sub(it.end));
                        let other_m = self.over_usual_m(other, it);
                        self.secs(apart) <= 1.0
                            && other_m.is_some_and(|other_m| (other_m - over_m).abs() <= self.thresholds.height_m)
                    };
                    is_other && spans.iter().any(is_level)
                })
            };
            self.secs(span.len()) >= self.options.carrier_secs - ROUNDING_SECS || has_partner()
        };
        for (index, contacts) in loads.iter_mut().enumerate() {
            let believed: Vec<&Range<usize>> = carrying[index].iter().filter(|span| is_believed(index, span)).collect();
            if !believed.is_empty() {
                let mut is_down = vec![false; samples];
                contacts.iter().chain(believed).for_each(|span| is_down[span.clone()].fill(true));
                *contacts = runs_of(&is_down);
            }
        }
    }

    fn secs(&self, samples: usize) -> f64 {
        samples as f64 * self.step_secs
    }

    /// Where a point that can carry is still, whatever its height; of that, what is no higher over its lowest than a
    /// contact may be.
    fn still_spans(&self, index: usize) -> Vec<Range<usize>> {
        let (effector, point) = (&self.effectors[index], &self.watched[index]);
        let heights_m = &point.heights_m;
        let possible: Vec<bool> = match (effector.part, self.floor_m) {
            (Part::Hand, Some(floor_m)) => {
                heights_m.iter().map(|height_m| height_m - floor_m <= self.options.palm_height_m).collect()
            }
            (Part::Hand | Part::Named, _) => return Vec::new(),
            _ => self.possible[index].clone(),
        };
        let level_m = vec![0.0; heights_m.len()];
        let motion = PointMotion { speed: point.speed.clone(), height_m: level_m.clone(), floor_m: level_m, possible };
        let still = contacts_of_point(&motion, self.thresholds, self.options, self.step_secs);
        let most_m = self.options.off_height * self.thresholds.height_m;
        let mut is_low = vec![false; heights_m.len()];
        for span in still {
            let lowest_m = heights_m[span.clone()].iter().copied().fold(f64::INFINITY, f64::min);
            span.for_each(|i| is_low[i] = heights_m[i] - lowest_m <= most_m);
        }
        runs_of(&is_low)
    }

    /// Drops contacts of feet that hang still: raised, and all the time another foot stands lower.
    pub fn drop_hanging(&self, loads: &mut [Vec<Range<usize>>]) {
        let samples = self.watched.first().map_or(0, |point| point.heights_m.len());
        let raised_m = self.options.raised_m;
        // How high the lowest stance of each side is over its usual place.
        let lowest_of = |side| {
            let mut lowest_m = vec![f64::INFINITY; samples];
            for (index, contacts) in loads.iter().enumerate() {
                let is_foot = self.effectors[index].side == side && self.effectors[index].part.stands();
                for contact in contacts.iter().filter(|_| is_foot) {
                    let Some(over_m) = self.over_usual_m(index, contact) else { continue };
                    contact.clone().for_each(|i| lowest_m[i] = lowest_m[i].min(over_m));
                }
            }
            lowest_m
        };
        let lowest = Side::BOTH.map(|side| (Some(side), lowest_of(Some(side))));
        let most_alone = (self.options.least_contact_secs / self.step_secs).ceil() as usize;
        let whole_window = (2.0 * self.options.floor_window_secs / self.step_secs).ceil() as usize;
        let hangs = |index: usize, contact: &Range<usize>| {
            let effector = &self.effectors[index];
            // A foot at an end of the clip may carry beyond it, unless it hangs for longer than any step.
            let is_inside = contact.start > 0 && contact.end < samples || contact.len() > whole_window;
            let Some((_, others)) = lowest.iter().find(|(side, _)| effector.side.is_some() && *side != effector.side)
            else {
                return false;
            };
            let Some(over_m) = self.over_usual_m(index, contact).filter(|over_m| *over_m > raised_m) else {
                return false;
            };
            // What stands at the same height now and then is a floor up there.
            let alone = contact.clone().filter(|&i| others[i] > over_m - raised_m).count();
            is_inside && alone < most_alone
        };
        let kept: Vec<Vec<Range<usize>>> = loads
            .iter()
            .enumerate()
            .map(|(index, contacts)| contacts.iter().filter(|contact| !hangs(index, contact)).cloned().collect())
            .collect();
        loads.iter_mut().zip(kept).for_each(|(contacts, kept)| *contacts = kept);
    }

    /// Height of a stance over the place where points of its kind usually stand; `None` for hands, paws and named
    /// points.
    fn over_usual_m(&self, index: usize, contact: &Range<usize>) -> Option<f64> {
        if !matches!(self.effectors[index].part, Part::Heel | Part::Ball | Part::Toe) {
            return None;
        }
        let point = &self.watched[index];
        let usual_m = point.standing_m?;
        Some(point.heights_m[contact.clone()].iter().copied().reduce(f64::min)? - usual_m)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DVec3;

    const STEP_SECS: f64 = 0.01;

    /// Two balls that go as given: heights and speeds.
    struct Case {
        effectors: Vec<Effector>,
        watched: Vec<Watched>,
        options: ContactOptions,
    }

    impl Case {
        fn new(points: [(Vec<f64>, Vec<f64>); 2]) -> Self {
            let effectors = Side::BOTH.map(|side| Effector {
                name: format!("{side}_ball"),
                part: Part::Ball,
                side: Some(side),
                joint: aplomb_motion::JointId::new(0),
                point_in_joint_m: DVec3::ZERO,
                may_be_raised: true,
            });
            let watched = points.map(|(heights_m, speed)| Watched::standing_at_zero(heights_m, speed));
            Self { effectors: effectors.into(), watched: watched.into(), options: ContactOptions::default() }
        }

        fn found(&self, loads: [Vec<Range<usize>>; 2], force: &[f64]) -> Vec<Vec<Range<usize>>> {
            let thresholds = Thresholds { speed: vec![0.45; force.len()], height_m: 0.05 };
            let possible = vec![vec![true; force.len()]; 2];
            let points = Points {
                effectors: &self.effectors,
                watched: &self.watched,
                possible: &possible,
                thresholds: &thresholds,
                floor_m: Some(0.0),
                step_secs: STEP_SECS,
                options: &self.options,
            };
            let mut loads = loads.to_vec();
            points.add_carriers(&mut loads, force);
            points.drop_hanging(&mut loads);
            loads
        }
    }

    fn one(span: Range<usize>) -> Vec<Range<usize>> {
        [span].into()
    }

    /// Fast but for a span.
    fn still_in(span: Range<usize>) -> Vec<f64> {
        (0..200).map(|i| if span.contains(&i) { 0.0 } else { 2.0 }).collect()
    }

    #[test]
    fn a_still_foot_carries_where_nothing_else_does() {
        let case = Case::new([(vec![0.3; 200], still_in(60..100)), (vec![0.0; 200], still_in(0..50))]);
        assert_eq!(case.found([vec![], one(0..50)], &[1.0; 200]), vec![one(60..100), one(0..50)]);
        // In free fall it does not.
        assert_eq!(case.found([vec![], one(0..50)], &[0.1; 200]), vec![vec![], one(0..50)]);
    }

    #[test]
    fn short_stances_on_boxes_need_a_second_one_as_high() {
        let case =
            |other_m: f64| Case::new([(vec![0.2; 200], still_in(60..80)), (vec![other_m; 200], still_in(90..110))]);
        let nothing = || [vec![], vec![]];
        assert_eq!(case(0.22).found(nothing(), &[1.0; 200]), vec![one(60..80), one(90..110)]);
        assert_eq!(case(0.4).found(nothing(), &[1.0; 200]), vec![Vec::<Range<usize>>::new(); 2]);
    }

    #[test]
    fn a_foot_held_still_in_the_air_stands_on_nothing() {
        let held = (vec![0.3; 200], still_in(20..160));
        let case = Case::new([held.clone(), (vec![0.0; 200], vec![0.0; 200])]);
        assert_eq!(case.found([one(20..160), one(0..200)], &[1.0; 200]), vec![vec![], one(0..200)]);
        // On a step it carries alone while the other foot swings.
        let case = Case::new([held, (vec![0.0; 200], still_in(0..90))]);
        assert_eq!(case.found([one(20..160), one(0..90)], &[1.0; 200]), vec![one(20..160), one(0..90)]);
    }
}
