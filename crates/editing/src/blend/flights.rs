//! Flights of a blend: gravity, straightness, turn and momentum (sections 4.1, 4.2).

use super::Blend;
use super::compared::Compared;
use super::facing::ComShifts;
use super::guarantees::FlightGuarantee;
use super::phases::PhaseKind;
use super::solve::Solver;
use super::source::BlendSource;
use crate::EditingError;
use aplomb_analysis::parabola::Parabola;
use aplomb_analysis::report::bend_m;
use aplomb_motion::Timeline;
use aplomb_physics::centroidal::{CentroidalOptions, LinkPaths, centroidal_track_of_paths};
use glam::DVec3;

/// Detected flights hold a little contact at their ends: the middle 80 % is fitted, by normalised time, in clips and
/// blend alike. Whole frames would make windows of different shares, and gravity agree to 1.5 % only.
const WINDOW: (f64, f64) = (0.1, 0.9);

/// Lines are judged over all of a flight.
const WHOLE: (f64, f64) = (0.0, 1.0);

/// Places in the window.
const FLIGHT_SAMPLES: usize = 41;

/// Smoothing of momentum, s; the physics report smooths forces over 0.167.
const MOMENTUM_SMOOTHING_SECS: f64 = 0.08;

impl Compared<'_> {
    pub fn flights(&self) -> Result<Vec<FlightGuarantee>, EditingError> {
        let kinds = self.space.matched.kinds.iter().enumerate();
        let flights = kinds.filter(|(_, kind)| **kind == PhaseKind::Flight).map(|(phase, _)| phase);
        flights.map(|phase| self.flight(phase)).collect()
    }

    fn flight(&self, phase: usize) -> Result<FlightGuarantee, EditingError> {
        let keys_secs = &self.space.matched.keys_secs;
        let timing = &self.blend.timing;
        let secs = timing.durations_secs[phase];
        let own = self.posed(phase, WINDOW)?;
        let written = self.written_g(phase);
        let own_path = self.posed(phase, WHOLE)?;
        let inputs: Vec<(f64, Vec<DVec3>)> = self
            .space
            .sources
            .iter()
            .zip(keys_secs)
            .map(|(source, keys)| (keys[phase + 1] - keys[phase], window(source, keys[phase], keys[phase + 1], WINDOW)))
            .collect();
        let input_g: Vec<f64> = inputs.iter().map(|(lasts_secs, samples)| gravity(samples, *lasts_secs)).collect();
        let path = |(source, keys): (&BlendSource, &Vec<f64>)| window(source, keys[phase], keys[phase + 1], WHOLE);
        let input_paths: Vec<Vec<DVec3>> = self.space.sources.iter().zip(keys_secs).map(path).collect();
        let input_bend_m: Vec<f64> = input_paths.iter().map(|path| off_line_m(path)).collect();
        let weights = &self.blend.weights;
        let predicted =
            inputs.iter().zip(&input_g).zip(weights).map(|(((own_secs, _), g), w)| w * g * (own_secs / secs).powi(2));
        let turn = |source: &BlendSource, start_secs: f64, end_secs: f64| {
            (source.heading_at_rad(end_secs) - source.heading_at_rad(start_secs)).to_degrees()
        };
        let start_secs = timing.starts_secs[phase];
        let deviation =
            |source: &BlendSource, start_secs: f64, end_secs: f64| self.deviation(source, start_secs, end_secs);
        let each = || self.space.sources.iter().zip(keys_secs);
        let pivot = |(source, keys): (&BlendSource, &Vec<f64>)| {
            let last = keys.len() - 1;
            turn(source, keys[0], keys[last]) - turn(source, keys[phase], keys[phase + 1])
        };
        Ok(FlightGuarantee {
            predicted_g: predicted.sum(),
            g: gravity(&own, secs),
            written_predicted_g: written.map(|it| it.0),
            written_g: written.map(|it| it.1),
            input_ground_bend_m: input_paths.iter().map(|path| bend_m(path)).collect(),
            ground_bend_m: bend_m(&own_path),
            allowed_bend_m: input_bend_m.iter().zip(weights).map(|(bend_m, weight)| bend_m * weight).sum(),
            bend_m: off_line_m(&own_path),
            sideways_m: bend_m(&own),
            input_sideways_m: inputs.iter().map(|(_, samples)| bend_m(samples)).collect(),
            input_turn_deg: each().map(|(source, keys)| turn(source, keys[phase], keys[phase + 1])).collect(),
            turn_deg: turn(&self.written, start_secs, start_secs + secs),
            input_pivot_deg: each().map(pivot).collect(),
            input_momentum_deviation: each()
                .map(|(source, keys)| deviation(source, keys[phase], keys[phase + 1]))
                .collect::<Result<_, _>>()?,
            momentum_deviation: deviation(&self.written, start_secs, start_secs + secs)?,
            input_g,
            input_bend_m,
        })
    }

    /// Gravity that frames in the middle of a flight must have, and have. The clips are looked at in the instants of
    /// just these frames: a captured flight is no perfect parabola, and fits to other instants of it differ by up to
    /// 1.5 %.
    fn written_g(&self, phase: usize) -> Option<(f64, f64)> {
        let timing = &self.blend.timing;
        let (start_secs, secs) = (timing.starts_secs[phase], timing.durations_secs[phase]);
        let part_of = |frame: usize| (self.secs_of(frame) - start_secs) / secs;
        let frames = (0..self.written.frames()).filter(|frame| (WINDOW.0..=WINDOW.1).contains(&part_of(*frame)));
        let frames: Vec<usize> = frames.collect();
        let step_secs = self.written.frame_time.secs();
        let fall = |samples: &[DVec3], step_secs: f64| {
            Parabola::fit(samples).map(|fit: Parabola<DVec3>| -fit.acceleration(step_secs).y)
        };
        let own: Vec<DVec3> = frames.iter().map(|&frame| self.written.com_m[frame]).collect();
        let own_g = fall(&own, step_secs)?;
        let mut predicted = 0.0;
        for (clip, source, weight) in self.counted() {
            let keys = &self.space.matched.keys_secs[clip];
            let rate = (keys[phase + 1] - keys[phase]) / secs;
            let at = |&frame: &usize| source.com_at_m(keys[phase] + (self.secs_of(frame) - start_secs) * rate);
            let samples: Vec<DVec3> = frames.iter().map(at).collect();
            predicted += weight * rate * rate * fall(&samples, step_secs * rate)?;
        }
        Some((predicted, own_g))
    }

    /// Centre of mass of the blend's own poses over a part of a phase, at the moments that clips are looked at.
    fn posed(&self, phase: usize, part: (f64, f64)) -> Result<Vec<DVec3>, EditingError> {
        let (space, Blend { timing, placing, weights, .. }) = (self.space, self.blend);
        let shifts = ComShifts::new(space, weights, timing, placing);
        let mut solver = Solver::new(space, weights);
        let fades = space.fades(timing, placing, &shifts, &mut solver);
        let place = |index: usize| {
            let into_secs = share(index, part) * timing.durations_secs[phase];
            let instant = timing.within(phase, into_secs);
            space.pose_instant(&instant, timing, placing, &shifts, &fades, &mut solver);
            space.figure.body.com_in_world_m(&solver.world)
        };
        Ok((0..FLIGHT_SAMPLES).map(place).collect())
    }

    /// Standard deviation of the angular momentum over the middle of a flight, by axis.
    fn deviation(&self, source: &BlendSource, start_secs: f64, end_secs: f64) -> Result<DVec3, EditingError> {
        let lasts_secs = end_secs - start_secs;
        // From the flight's own frames only: smoothing must not mix in the ground.
        let frames = source.position(start_secs).ceil() as usize..=source.position(end_secs).floor() as usize;
        let frames = *frames.start()..(*frames.end() + 1).min(source.frames());
        if frames.len() < 4 {
            return Ok(DVec3::ZERO);
        }
        let body = &self.space.figure.body;
        let part = aplomb_motion::edit::cut_frames(
            &source.clip,
            aplomb_motion::FrameIndex(frames.start)..aplomb_motion::FrameIndex(frames.end),
        )?;
        let paths = LinkPaths::of_clip(&part, body)?;
        let options = CentroidalOptions { smoothing_secs: MOMENTUM_SMOOTHING_SECS, ..CentroidalOptions::default() };
        let timeline = Timeline::Uniform(source.frame_time);
        let track = centroidal_track_of_paths(&paths, body, &timeline, &options)?;
        let is_inside = |index: &usize| {
            let secs = source.first_secs + (frames.start + index) as f64 * source.frame_time.secs();
            (start_secs + WINDOW.0 * lasts_secs..=start_secs + WINDOW.1 * lasts_secs).contains(&secs)
        };
        let momenta: Vec<DVec3> =
            (0..track.len()).filter(is_inside).map(|index| track.momentum[index].angular).collect();
        let count = momenta.len().max(1) as f64;
        let mean = momenta.iter().sum::<DVec3>() / count;
        let variance = momenta.iter().map(|it| (*it - mean) * (*it - mean)).sum::<DVec3>() / count;
        Ok(DVec3::new(variance.x.sqrt(), variance.y.sqrt(), variance.z.sqrt()))
    }
}

/// Place of a sample in a part of a phase.
fn share(index: usize, part: (f64, f64)) -> f64 {
    part.0 + (part.1 - part.0) * index as f64 / (FLIGHT_SAMPLES - 1) as f64
}

/// The centre of mass over a part of a phase.
fn window(source: &BlendSource, start_secs: f64, end_secs: f64, part: (f64, f64)) -> Vec<DVec3> {
    let at = |index: usize| source.com_at_m(start_secs + share(index, part) * (end_secs - start_secs));
    (0..FLIGHT_SAMPLES).map(at).collect()
}

/// Largest horizontal distance from the best straight line in time, that is from going on at constant velocity (figures
/// 1 and 2), m.
///
/// The fit is linear in the samples, so what a blend is off by is Σ w of what clips are: it cannot be more than Σ w of
/// their distances.
fn off_line_m(samples: &[DVec3]) -> f64 {
    let count = samples.len() as f64;
    let place = |index: usize| index as f64 - 0.5 * (count - 1.0);
    let mean_m = samples.iter().sum::<DVec3>() / count;
    let squares: f64 = (0..samples.len()).map(|index| place(index) * place(index)).sum();
    let slope = samples.iter().enumerate().map(|(index, it)| *it * place(index)).sum::<DVec3>() / squares;
    let off = |(index, it): (usize, &DVec3)| (*it - mean_m - slope * place(index)).with_y(0.0).length();
    samples.iter().enumerate().map(off).fold(0.0, f64::max)
}

/// Downward acceleration of a window of a phase that lasts so long, m/s².
fn gravity(samples: &[DVec3], lasts_secs: f64) -> f64 {
    let step_secs = lasts_secs * (WINDOW.1 - WINDOW.0) / (FLIGHT_SAMPLES - 1) as f64;
    Parabola::fit(samples).map_or(0.0, |fit| -fit.acceleration(step_secs).y)
}
