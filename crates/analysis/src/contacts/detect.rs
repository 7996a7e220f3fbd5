//! Detection with one clock: from evenly sampled paths to contacts, flights and pins in samples (contacts.md 1–8).

use super::clock::Evidence;
use super::effectors::{Effector, Part, tells_depth};
use super::flights::{self, Fall, FlightSamples, Verdict};
use super::load_bearing::Points;
use super::options::ContactOptions;
use super::paths::Paths;
use super::pins::{self, PinSpan};
use super::touch::{PointMotion, ROUNDING_SECS, Thresholds, close_gaps, contacts_of_point, runs_of};
use super::watched::{Watched, motion_of, thresholds, watch};
use crate::error::AnalysisError;
use aplomb_motion::signal::gaussian::Gaussian;
use aplomb_motion::signal::{SampleTimes, derivative};
use std::ops::Range;

/// Everything that was found with one clock.
pub(super) struct Detection {
    pub start_secs: f64,
    pub step_secs: f64,
    pub samples: usize,
    /// Per effector.
    pub loads: Vec<Vec<Range<usize>>>,
    pub flights: Vec<JudgedSpan>,
    /// Airborne, no flight, and gravity does not explain it either.
    pub doubtful_airborne: Vec<Range<usize>>,
    pub pins: Vec<PinSpan>,
    pub floor_m: Option<f64>,
    /// Flights by kinematics alone.
    pub evidence: Vec<Evidence>,
    /// Parts of airborne spans that nothing carries.
    forceless: Vec<Range<usize>>,
    com_height_m: Vec<f64>,
    pub watched: Vec<Watched>,
    /// What is slower is still, per sample, m/s.
    pub still_speed: Vec<f64>,
}

/// A flight and its judgement.
pub(super) struct JudgedSpan {
    pub span: FlightSamples,
    pub fall: Option<Fall>,
    pub kinematic_fall: Option<Fall>,
    pub verdict: Verdict,
}

impl Detection {
    /// Finds contacts (or takes those given, per effector in samples of these paths), then flights and pins.
    pub fn run(
        paths: &Paths,
        effectors: &[Effector],
        is_quadruped: bool,
        given: Option<Vec<Vec<Range<usize>>>>,
        options: &ContactOptions,
    ) -> Result<Self, AnalysisError> {
        let (samples, step_secs) = (paths.com_m.len(), paths.step_secs);
        let thresholds = thresholds(paths, is_quadruped, options)?;
        let (watched, floor_m) = watch(paths, effectors, &thresholds, options)?;
        let is_given = given.is_some();
        let com_height_m: Vec<f64> = paths.com_m.iter().map(|com_m| com_m.y).collect();
        let force = force_in_body_weights(&com_height_m, step_secs, options)?;
        let mut loads = match given {
            Some(loads) => loads,
            None => found_contacts(effectors, &watched, &thresholds, floor_m, step_secs, &force, options),
        };
        let mut detection = Self {
            start_secs: paths.start_secs,
            step_secs,
            samples,
            loads: Vec::new(),
            flights: Vec::new(),
            doubtful_airborne: Vec::new(),
            pins: Vec::new(),
            floor_m,
            evidence: Vec::new(),
            forceless: Vec::new(),
            com_height_m: com_height_m.clone(),
            watched,
            still_speed: thresholds.speed,
        };
        // Without points to watch nothing can be said about what is airborne.
        let airborne = if effectors.is_empty() { Vec::new() } else { flights::airborne(&loads, samples) };
        for kinematic in airborne {
            let is_free: Vec<bool> = force[kinematic.clone()].iter().map(|&f| f < options.edge_force).collect();
            let mut free = runs_of(&is_free);
            close_gaps(&mut free, options.least_gap_secs, step_secs);
            let free = free.into_iter().map(|run| run.start + kinematic.start..run.end + kinematic.start);
            detection.forceless.extend(free);
            let kinematic_fall = flights::fall(&com_height_m, &kinematic, step_secs, options);
            if !flights::is_candidate(&kinematic, samples, step_secs, options) {
                let falls = kinematic_fall.is_none_or(|fall| (options.least_g..=options.most_g).contains(&fall.g));
                if !falls {
                    detection.doubtful_airborne.push(kinematic);
                }
                continue;
            }
            let secs = kinematic.len() as f64 * step_secs;
            if let Some(fall) = kinematic_fall.filter(|_| secs >= options.least_flight_secs - ROUNDING_SECS) {
                detection.evidence.push(Evidence { secs, g: fall.g });
            }
            // Edges of given contacts are as given.
            let trimmed = match is_given {
                true => kinematic.clone(),
                false => detection.trimmed(&kinematic, &loads, &force, thresholds.height_m, options),
            };
            let trimmed_secs = trimmed.len() as f64 * step_secs;
            if trimmed_secs < options.least_flight_secs - ROUNDING_SECS {
                // Neither flight nor ground: the span keeps no label (touchup.md, bent runs).
                continue;
            }
            carry_to_edges(&mut loads, effectors, &kinematic, &trimmed, step_secs, options);
            let fall = flights::fall(&com_height_m, &trimmed, step_secs, options);
            let is_sunk = detection.is_sunk(&trimmed, effectors, options);
            let verdict = flights::verdict(fall, trimmed_secs, is_sunk, options);
            let span = FlightSamples { kinematic, trimmed };
            detection.flights.push(JudgedSpan { span, fall, kinematic_fall, verdict });
        }
        let speeds: Vec<Vec<f64>> = detection.watched.iter().map(|point| point.speed.clone()).collect();
        detection.pins = pins::pins(effectors, &loads, &speeds, step_secs, options);
        detection.loads = loads;
        Ok(detection)
    }

    /// What is left of an airborne span when points that still carry are waited for at both ends.
    fn trimmed(
        &self,
        kinematic: &Range<usize>,
        loads: &[Vec<Range<usize>>],
        force: &[f64],
        touch_height_m: f64,
        options: &ContactOptions,
    ) -> Range<usize> {
        // A foot that is drawn up or stretched far above its floor carries nothing, whatever the noise of the capture
        // says.
        let most_m = options.edge_height * touch_height_m;
        let is_near = |effector: usize, sample: usize| {
            let point = &self.watched[effector];
            point.heights_m[sample] - point.local_floor_m[sample] <= most_m
        };
        let any = |touches: &dyn Fn(&Range<usize>) -> bool, sample: usize| {
            let mut points = loads.iter().enumerate().filter(|(_, contacts)| contacts.iter().any(touches));
            points.any(|(effector, _)| is_near(effector, sample))
        };
        let may_leave = |sample: usize| any(&|contact| contact.end == kinematic.start, sample);
        let may_land = |sample: usize| any(&|contact| contact.start == kinematic.end, sample);
        flights::trimmed(kinematic, force, may_leave, may_land, self.step_secs, options)
    }

    /// How far the support under a contact is off the place where points of its kind usually stand, if that is far.
    pub fn raised_m(&self, effector: usize, contact: &Range<usize>, options: &ContactOptions) -> Option<f64> {
        let point = &self.watched[effector];
        let usual_m = point.standing_m.or(self.floor_m)?;
        // Of the point itself: the surroundings of a short stance on a box know the floor only. Its lowest: heels rise
        // and toes come down.
        let own_m = point.heights_m[contact.clone()].iter().copied().reduce(f64::min)?;
        Some(own_m - usual_m).filter(|off_m| off_m.abs() > options.raised_m)
    }

    /// Where points of each effector's kind stand most of the time.
    pub fn standing_m(&self) -> Vec<Option<f64>> {
        self.watched.iter().map(|point| point.standing_m).collect()
    }

    /// Something leaves the ground, and nothing of it falls at g.
    pub fn has_unclear_flights_only(&self) -> bool {
        let leaves = !self.evidence.is_empty() || !self.doubtful_airborne.is_empty();
        leaves && self.flights.iter().all(|flight| flight.verdict != Verdict::Verified)
    }

    /// g of the longest fall that is a parabola beyond doubt: airborne, without force. Feet that flail after a bad
    /// landing hide the end of a flight, so the force alone cuts it out here; what the verdict on the whole span is
    /// does not matter to the clock.
    pub fn clear_fall_g(&self, options: &ContactOptions) -> Option<f64> {
        let [least_g, most_g] = options.clear_flight_g;
        let flights = self.flights.iter().map(|flight| &flight.span.trimmed);
        let clear = self.forceless.iter().chain(flights).filter_map(|range| {
            let secs = range.len() as f64 * self.step_secs;
            let fall = flights::fall(&self.com_height_m, range, self.step_secs, options)?;
            let is_clear = secs >= options.clock_flight_secs
                && (least_g..=most_g).contains(&fall.g)
                && fall.residual_m <= options.clear_flight_residual_m;
            is_clear.then_some((secs, fall.g))
        });
        clear.max_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, g)| g)
    }

    /// Least and largest g of the flights, if they speak against the clock that they were found with: one that is long
    /// enough to tell falls faster than g, or none falls at g. (Slower falls only mean that something carries.)
    pub fn disputed_g(&self, options: &ContactOptions) -> Option<[f64; 2]> {
        let is_long =
            |flight: &&JudgedSpan| flight.span.trimmed.len() as f64 * self.step_secs >= options.clock_flight_secs;
        let too_fast = |flight: &JudgedSpan| flight.fall.is_some_and(|fall| fall.g > options.most_g);
        let falls_at_g = self.flights.iter().any(|flight| flight.verdict == Verdict::Verified)
            || self.clear_fall_g(options).is_some();
        if falls_at_g && !self.flights.iter().filter(is_long).any(too_fast) {
            return None;
        }
        let all_g = self.flights.iter().filter_map(|flight| Some(flight.fall?.g));
        Some(all_g.fold([f64::INFINITY, f64::NEG_INFINITY], |[least, most], g| [least.min(g), most.max(g)]))
            .filter(|[least, most]| least <= most)
    }

    /// Time of a sample range: edges lie half way between the last sample on one side and the first on the other.
    pub fn secs_of(&self, range: &Range<usize>) -> (f64, f64) {
        let last = self.samples - 1;
        let edge = |edge: usize| (edge as f64 - 0.5).clamp(0.0, last as f64);
        (self.start_secs + edge(range.start) * self.step_secs, self.start_secs + edge(range.end) * self.step_secs)
    }

    fn is_sunk(&self, flight: &Range<usize>, effectors: &[Effector], options: &ContactOptions) -> bool {
        let told = self.watched.iter().zip(tells_depth(effectors)).filter(|(_, tells)| *tells);
        told.into_iter().any(|(point, _)| {
            let lowest_m = point.heights_m[flight.clone()].iter().copied().fold(f64::INFINITY, f64::min);
            point.standing_m.is_some_and(|standing_m| lowest_m < standing_m - options.sunk_m)
        })
    }
}

/// Contacts of every point, in samples: by height and speed, then by what must carry the body.
fn found_contacts(
    effectors: &[Effector],
    watched: &[Watched],
    thresholds: &Thresholds,
    floor_m: Option<f64>,
    step_secs: f64,
    force: &[f64],
    options: &ContactOptions,
) -> Vec<Vec<Range<usize>>> {
    let ball_of = |heel: &Effector| {
        let is_ball = |other: &Effector| other.part == Part::Ball && other.side == heel.side;
        effectors.iter().position(is_ball).filter(|_| heel.part == Part::Heel).map(|ball| &watched[ball])
    };
    let motion =
        |(point, effector): (&Watched, &Effector)| motion_of(point, effector, ball_of(effector), floor_m, options);
    let motions: Vec<PointMotion> = watched.iter().zip(effectors).map(motion).collect();
    let find = |motion: &PointMotion| contacts_of_point(motion, thresholds, options, step_secs);
    let mut loads: Vec<Vec<Range<usize>>> = motions.iter().map(find).collect();
    let possible: Vec<Vec<bool>> = motions.into_iter().map(|motion| motion.possible).collect();
    let points = Points { effectors, watched, possible: &possible, thresholds, floor_m, step_secs, options };
    points.add_carriers(&mut loads, force);
    points.drop_hanging(&mut loads);
    loads
}

/// f = 1 + ÿ/g.
fn force_in_body_weights(
    com_height_m: &[f64],
    step_secs: f64,
    options: &ContactOptions,
) -> Result<Vec<f64>, AnalysisError> {
    let smooth_m = Gaussian::from_window_secs(options.smoothing_secs, step_secs)?.smooth(com_height_m);
    let acceleration = derivative::second(&smooth_m, SampleTimes::uniform(step_secs)?);
    Ok(acceleration.iter().map(|a| 1.0 + a / options.gravity).collect())
}

/// The last points to leave, and the first to land, keep contact to the edges that the force gives. What made their
/// detection early or late makes it so for a foot that leaves or lands just before or after them, too: its edge moves
/// by as much. (Drop jumps on force plates: without it the second foot lands 34 to 45 ms late, with it 4 to 12.)
fn carry_to_edges(
    loads: &mut [Vec<Range<usize>>],
    effectors: &[Effector],
    kinematic: &Range<usize>,
    trimmed: &Range<usize>,
    step_secs: f64,
    options: &ContactOptions,
) {
    let reach = (options.edge_reach_secs / step_secs + ROUNDING_SECS).floor() as usize;
    let (held, hastened) = (trimmed.start - kinematic.start, kinematic.end - trimmed.end);
    let foot_of =
        |effector: &Effector| effector.part.stands().then_some((effector.side, effector.part == Part::FrontPaw));
    // Per point: when its foot leaves last and lands first.
    let edges_of = |effector: &Effector| {
        let foot = foot_of(effector)?;
        let points = effectors.iter().zip(&*loads).filter(|(other, _)| foot_of(other) == Some(foot));
        let contacts: Vec<&Range<usize>> = points.flat_map(|(_, contacts)| contacts).collect();
        let before = |end: &usize| *end <= kinematic.start && kinematic.start - end <= reach;
        let after = |start: &usize| *start >= kinematic.end && start - kinematic.end <= reach;
        let last = contacts.iter().map(|contact| contact.end).filter(before).max();
        Some((last, contacts.iter().map(|contact| contact.start).filter(after).min()))
    };
    let edges: Vec<_> = effectors.iter().map(|effector| edges_of(effector).unwrap_or((None, None))).collect();
    for (contacts, (last, first)) in loads.iter_mut().zip(edges) {
        for contact in contacts {
            if contact.end == kinematic.start || Some(contact.end) == last {
                contact.end += held;
            }
            if contact.start == kinematic.end || Some(contact.start) == first {
                contact.start -= hastened;
            }
        }
    }
}
