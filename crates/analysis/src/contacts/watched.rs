//! Heights, speeds and floors of the points that may touch something (contacts.md 1–3).

use super::effectors::{Effector, Part};
use super::floor::{densest_height_m, floor_height_m, local_floor_m};
use super::options::ContactOptions;
use super::paths::Paths;
use super::touch::{PointMotion, Thresholds};
use crate::error::AnalysisError;
use aplomb_motion::signal::gaussian::Gaussian;
use aplomb_motion::signal::{SampleTimes, derivative};
use glam::DVec3;

/// What is known about one watched point.
pub(super) struct Watched {
    pub heights_m: Vec<f64>,
    pub local_floor_m: Vec<f64>,
    pub speed: Vec<f64>,
    /// Where points of its kind stand on the floor of the clip.
    pub standing_m: Option<f64>,
}

#[cfg(test)]
impl Watched {
    /// A point whose kind stands at height 0.
    pub fn standing_at_zero(heights_m: Vec<f64>, speed: Vec<f64>) -> Self {
        let local_floor_m = vec![0.0; heights_m.len()];
        Self { heights_m, local_floor_m, speed, standing_m: Some(0.0) }
    }
}

/// V = max(V₀, 0.15 · horizontal root speed), and H.
pub(super) fn thresholds(
    paths: &Paths,
    is_quadruped: bool,
    options: &ContactOptions,
) -> Result<Thresholds, AnalysisError> {
    let (least_speed, height_m) = match is_quadruped {
        true => (options.quadruped_speed, options.quadruped_height_m),
        false => (options.speed, options.height_m),
    };
    let level: Vec<DVec3> = paths.root_m.iter().map(|root_m| root_m.with_y(0.0)).collect();
    let velocity = derivative::first(&level, SampleTimes::uniform(paths.step_secs)?);
    let speed: Vec<f64> = velocity.iter().map(|velocity| velocity.length()).collect();
    let smooth = Gaussian::from_window_secs(options.root_smoothing_secs, paths.step_secs)?.smooth(&speed);
    let speed = smooth.iter().map(|speed| least_speed.max(options.speed_per_root_speed * speed)).collect();
    Ok(Thresholds { speed, height_m })
}

/// Heights, speeds and floors of all points, and the floor of the clip.
pub(super) fn watch(
    paths: &Paths,
    effectors: &[Effector],
    thresholds: &Thresholds,
    options: &ContactOptions,
) -> Result<(Vec<Watched>, Option<f64>), AnalysisError> {
    let smoother = Gaussian::from_window_secs(options.smoothing_secs, paths.step_secs)?;
    let times = SampleTimes::uniform(paths.step_secs)?;
    let radius = (options.floor_window_secs / paths.step_secs).round() as usize;
    let mut watched: Vec<Watched> = Vec::with_capacity(effectors.len());
    for path_m in &paths.points_m {
        let smooth_m = smoother.smooth(path_m);
        let heights_m: Vec<f64> = smooth_m.iter().map(|point_m| options.ground.height_m(*point_m)).collect();
        let speed = derivative::first(&smooth_m, times).iter().map(|velocity| velocity.length()).collect();
        let local_floor_m = local_floor_m(&heights_m, radius, options.floor_quantile);
        watched.push(Watched { heights_m, local_floor_m, speed, standing_m: None });
    }
    let slow_heights_m = |wanted: &dyn Fn(&Effector) -> bool| -> Vec<f64> {
        let points = watched.iter().zip(effectors).filter(|(_, effector)| wanted(effector));
        let slow = points.flat_map(|(point, _)| {
            let samples = point.speed.iter().zip(&thresholds.speed).zip(&point.heights_m);
            samples.filter(|((speed, most), _)| speed < most).map(|(_, height_m)| *height_m)
        });
        slow.collect()
    };
    let (kernel_m, apart_m) = (options.floor_kernel_m, options.raised_m);
    // A ball stands some centimetres above the heel's floor, so each kind of point has its own; but all of them on the
    // level that balls say is the floor, or a heel would have its usual place upstairs and the ball of the same foot
    // downstairs.
    let level_of = |heights_m: Vec<f64>| floor_height_m(heights_m, kernel_m, apart_m, options.floor_share);
    let ball_m = level_of(slow_heights_m(&|other| other.part == Part::Ball));
    let standing_m: Vec<Option<f64>> = effectors
        .iter()
        .map(|effector| {
            let same_m = slow_heights_m(&|other| other.part == effector.part && effector.part.stands());
            let is_of_foot = matches!(effector.part, Part::Heel | Part::Toe);
            // Joint centres of captures are off by centimetres, so a heel's place is sought within 1.5 steps of the
            // ball's.
            let near_ball = ball_m.filter(|_| is_of_foot).and_then(|ball_m| {
                let near_m = same_m.iter().copied().filter(|height_m| (height_m - ball_m).abs() <= 1.5 * apart_m);
                densest_height_m(near_m.collect(), kernel_m)
            });
            near_ball.or_else(|| level_of(same_m))
        })
        .collect();
    let on_floor_m = effectors.iter().zip(&standing_m).flat_map(|(effector, standing_m)| {
        let own_m = slow_heights_m(&|other| other.name == effector.name);
        own_m
            .into_iter()
            .filter(|height_m| standing_m.is_some_and(|m| (height_m - m).abs() <= apart_m))
            .collect::<Vec<_>>()
    });
    let floor_m = densest_height_m(on_floor_m.collect(), kernel_m);
    for (point, standing_m) in watched.iter_mut().zip(standing_m) {
        point.standing_m = standing_m;
    }
    Ok((watched, floor_m))
}

/// Hands that hang still are no contacts: what may not be raised must have its local floor near the clip's. Nor does
/// the heel of a foot stand that is held still on its ball: it is higher over its usual place than the ball is, where a
/// step would raise both alike. (The other way round tells nothing: on the edge of a step the heel hangs lower than the
/// ball that carries.)
pub(super) fn motion_of(
    point: &Watched,
    effector: &Effector,
    ball: Option<&Watched>,
    floor_m: Option<f64>,
    options: &ContactOptions,
) -> PointMotion {
    let pitch_m = |sample: usize| {
        let (ball, heel_standing_m) = (ball?, point.standing_m?);
        let ball_over_m = ball.heights_m[sample] - ball.standing_m?;
        Some(point.heights_m[sample] - heel_standing_m - ball_over_m)
    };
    let is_possible = |(sample, local_m): (usize, &f64)| {
        let is_pitched = pitch_m(sample).is_some_and(|pitch_m| pitch_m > options.raised_m);
        match floor_m {
            Some(floor_m) if !effector.may_be_raised => local_m - floor_m <= options.raised_m,
            _ => !is_pitched,
        }
    };
    PointMotion {
        speed: point.speed.clone(),
        height_m: point.heights_m.clone(),
        floor_m: point.local_floor_m.clone(),
        possible: point.local_floor_m.iter().enumerate().map(is_possible).collect(),
    }
}
