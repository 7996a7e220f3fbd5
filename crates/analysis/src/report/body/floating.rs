//! Feet that stand over the floor, or under it, together for a while (score.md, float).
//!
//! Floors of captures slope by millimetres a metre, and each ball joint has its own height over the sole. A plane with
//! an offset a foot takes both out; what is left and lasts is a body that was lifted.

use super::feet::{LEVEL_WITHIN_M, LONGEST_RUN, PlantedBalls, Stand, is_level, slot};
use super::{BodyFaults, MOST_FEET_COST, WHISPER};
use crate::median::median;
use crate::report::body_limits::Limit;
use crate::report::evidence::Evidence;
use crate::report::moments::{Fault, Moment};
use glam::{DMat4, DVec4};

/// Scatter of stances about the plane; the scale of a Cauchy weight, so that a part that floats does not tilt it, m.
const SCATTER_M: f64 = 0.008;
/// How far captured floors slope, 1 (a prior's deviation).
const SLOPE: f64 = 0.01;
/// How much higher one ball joint stands than the other, m (a prior's deviation).
const BETWEEN_FEET_M: f64 = 0.01;
/// Steps of the weighted fit; weights settle in fewer.
const FIT_STEPS: usize = 12;
/// A stand counts the more the longer it lasts; so much time is taken for granted at the floor, s.
const GRANTED_LEVEL_SECS: f64 = 0.05;
/// A clip that stands on one foot for less than this share of its time hops on the other.
const ONE_LEGGED_SHARE: f64 = 0.1;
/// The stretches of stands that lie farthest over the plane, and farthest under it.
pub(super) fn find(balls: &PlantedBalls, evidence: &Evidence<'_>, faults: &mut BodyFaults) {
    let mut stands: Vec<Standing> = balls.stands.iter().filter_map(|stand| Standing::of(balls, stand)).collect();
    let Some(residuals_m) = residuals_m(&mut stands) else { return };
    let is_under = faults.moments.iter().any(|moment| moment.fault == Fault::UnderFloor);
    let limits = &evidence.options.body_limits;
    for (fault, sign, limit) in [(Fault::FeetFloat, 1.0, limits.float_m), (Fault::UnderFloor, -1.0, limits.sink_m)] {
        if fault == Fault::UnderFloor && is_under {
            continue;
        }
        let together_m = together_m(&stands, &residuals_m, sign);
        report((fault, limit), (balls, &stands, &together_m), evidence, faults);
    }
}

/// How far each stand is off with its sign, less where the other foot stands nearer to the plane at the same time: a
/// foot that is held over the floor is no body that floats.
fn together_m(stands: &[Standing], residuals_m: &[f64], sign: f64) -> Vec<f64> {
    let least = |index: usize| {
        let stand = &stands[index];
        let others = stands.iter().zip(residuals_m).filter(|(other, _)| other.side != stand.side && other.meets(stand));
        others.fold(sign * residuals_m[index], |least_m, (_, off_m)| least_m.min(sign * off_m))
    };
    (0..stands.len()).map(least).collect()
}

fn report(
    (fault, limit): (Fault, Limit),
    (balls, stands, off_m): (&PlantedBalls, &[Standing], &[f64]),
    evidence: &Evidence<'_>,
    faults: &mut BodyFaults,
) {
    let Some((first, last, size)) = farthest(stands, off_m) else { return };
    faults.whispers += WHISPER * (size / limit.allowance).min(1.0).powi(2);
    let (start, end) = (&balls.stands[stands[first].index(balls)], &balls.stands[stands[last].index(balls)]);
    let name = |stand: &Stand| {
        let mut effectors = evidence.contacts.effectors.iter();
        effectors
            .find(|it| it.part == crate::contacts::Part::Ball && it.side == Some(stand.side))
            .map(|it| it.name.clone())
    };
    faults.moments.push(Moment {
        fault,
        joint: name(start),
        other: None,
        start_secs: balls.secs(start.samples.start),
        end_secs: balls.secs(end.samples.end),
        secs: balls.secs(start.samples.start),
        size,
        allowance: limit.allowance,
        cost: limit.cost(size).min(MOST_FEET_COST),
    });
}

/// A stand as a row of the fit.
struct Standing {
    start: usize,
    samples: usize,
    side: usize,
    secs: f64,
    /// Offset of the left foot, of the right foot, slopes along x and z.
    row: DVec4,
    height_m: f64,
}

impl Standing {
    fn of(balls: &PlantedBalls, stand: &Stand) -> Option<Self> {
        let side = slot(stand.side);
        let height_m = median(&mut balls.heights_m[side][stand.samples.clone()].to_vec())?;
        let place_m = balls.places_m[side][stand.samples.start.midpoint(stand.samples.end)];
        let row = DVec4::new(f64::from(side == 0), f64::from(side == 1), place_m.x, place_m.z);
        let secs = stand.samples.len() as f64 * balls.step_secs;
        Some(Self { start: stand.samples.start, samples: stand.samples.len(), side, secs, row, height_m })
    }

    fn meets(&self, other: &Self) -> bool {
        self.start < other.start + other.samples && other.start < self.start + self.samples
    }

    fn index(&self, balls: &PlantedBalls) -> usize {
        let is_this = |stand: &Stand| stand.samples.start == self.start && slot(stand.side) == self.side;
        balls.stands.iter().position(is_this).unwrap_or(0)
    }
}

/// Heights over the plane, m, of the stands that are near the usual height; the others go. `None` with fewer than two
/// stands, and where the ground is not level.
fn residuals_m(stands: &mut Vec<Standing>) -> Option<Vec<f64>> {
    if stands.len() < 2 {
        return None;
    }
    let heights_m: Vec<f64> = stands.iter().map(|stand| stand.height_m).collect();
    let usual_m = median(&mut heights_m.clone())?;
    if !is_level(&heights_m, usual_m) {
        return None;
    }
    stands.retain(|stand| (stand.height_m - usual_m).abs() < LEVEL_WITHIN_M);
    let stands = &stands[..];
    let whole_secs: f64 = stands.iter().map(|stand| stand.secs).sum();
    let middle = stands.iter().map(|stand| stand.row * stand.secs).sum::<DVec4>() / whole_secs;
    let row = |stand: &Standing| stand.row - DVec4::new(0.0, 0.0, middle.z, middle.w);
    // Offsets count from the usual height, so that their prior is that both feet are alike.
    let over_m = |stand: &Standing| stand.height_m - usual_m;
    let mut fit = DVec4::ZERO;
    for _ in 0..FIT_STEPS {
        let (mut normal, mut right) = (prior(), DVec4::ZERO);
        for stand in stands {
            let (row, off) = (row(stand), (over_m(stand) - row(stand).dot(fit)) / SCATTER_M);
            let weight = stand.secs / whole_secs * stands.len() as f64 / (1.0 + off * off) / (SCATTER_M * SCATTER_M);
            normal += DMat4::from_cols(row * row.x, row * row.y, row * row.z, row * row.w) * weight;
            right += row * (weight * over_m(stand));
        }
        fit = normal.inverse() * right;
    }
    fit.is_finite().then(|| stands.iter().map(|stand| over_m(stand) - row(stand).dot(fit)).collect())
}

/// Inverse variances: of slopes, of the difference between the feet, and a whisper that keeps a missing foot finite.
fn prior() -> DMat4 {
    let (slope, feet) = (SLOPE.powi(-2), BETWEEN_FEET_M.powi(-2));
    let mut prior = DMat4::from_diagonal(DVec4::new(feet + 1.0, feet + 1.0, slope, slope));
    prior.x_axis.y = -feet;
    prior.y_axis.x = -feet;
    prior
}

/// The run of stands whose mean, weighted by time, is farthest over the plane: first, last, m.
fn farthest(stands: &[Standing], residuals_m: &[f64]) -> Option<(usize, usize, f64)> {
    let mut best: Option<(usize, usize, f64)> = None;
    let mut whole = [0.0; 2];
    stands.iter().for_each(|stand| whole[stand.side] += stand.secs);
    for first in 0..stands.len() {
        let (mut metre_secs, mut secs, mut sides) = (0.0, GRANTED_LEVEL_SECS, [0.0; 2]);
        for last in first..stands.len() {
            metre_secs += residuals_m[last] * stands[last].secs;
            secs += stands[last].secs;
            sides[stands[last].side] += stands[last].secs;
            // Both feet are off, where the clip stands on both.
            let is_believed =
                (0..2).all(|side| sides[side] > 0.0 || whole[side] < ONE_LEGGED_SHARE * (whole[0] + whole[1]));
            let mean_m = metre_secs / secs;
            if is_believed && mean_m > best.map_or(0.0, |(_, _, most_m)| most_m) {
                best = Some((first, last, mean_m));
            }
            // Longer runs than this only take the mean down to the plane's.
            if last - first > LONGEST_RUN {
                break;
            }
        }
    }
    best
}
