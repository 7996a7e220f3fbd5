//! Frame by frame, and the whole clip in a few numbers.

use super::evidence::Evidence;
use super::forces::Forces;
use super::score::JUDGED_OTHER_SHARE;
use super::support::LEAST_JUDGED_LOAD;
use super::support::Support;
use super::{BalanceSummary, FrictionSummary, PenetrationSummary, Phase, PhaseKind, Series, ZmpSummary, drift};
use crate::contacts::Verdict;
use aplomb_motion::FrameIndex;

/// Farther outside the polygon than this counts as outside: shoes are wider than ±4 cm here and narrower there, m.
const OUTSIDE_M: f64 = 0.01;

/// [`Series::down`] has room for so many effectors.
const DOWN_BITS: usize = 64;

/// The clip in a few numbers.
pub(super) struct Summary {
    pub zmp: ZmpSummary,
    pub penetration: PenetrationSummary,
    pub friction: FrictionSummary,
    pub balance: BalanceSummary,
}

/// One entry a frame of the file.
pub(super) fn series(evidence: &Evidence<'_>, forces: &Forces, support: &Support, phases: &[Phase]) -> Series {
    let skipped = evidence.first_frame;
    let rows = evidence.rows();
    let with_skipped = |times_secs: &[f64]| {
        // The file's first frame is where time begins.
        let stray_secs = std::iter::repeat_n(0.0, skipped);
        stray_secs.chain(times_secs.iter().copied()).collect()
    };
    let is_loaded = |row: usize| forces.load[row].is_some_and(|load| load >= LEAST_JUDGED_LOAD);
    let foot = |row: usize| support.feet[row].as_ref();
    let loaded_foot = |row: usize| foot(row).filter(|_| is_loaded(row));
    let depths_m = depths_m(evidence);
    let kinds = kinds(evidence, phases);
    let down = |row: usize| {
        let bits = evidence.is_down.iter().take(DOWN_BITS).enumerate();
        bits.fold(0, |mask, (bit, is_down)| mask | u64::from(is_down[row]) << bit)
    };
    Series {
        times_secs: with_skipped(&evidence.times_secs),
        kind: by_frame(skipped, rows, |row| kinds[row]),
        down: by_frame(skipped, rows, down),
        com_in_world_m: by_frame(skipped, rows, |row| Some(evidence.com_m[row])),
        com_velocity: by_frame(skipped, rows, |row| (rows > 1).then(|| forces.track.com_velocity(FrameIndex(row)))),
        angular_momentum: by_frame(skipped, rows, |row| (rows > 1).then(|| forces.track.momentum[row].angular)),
        force_newtons: by_frame(skipped, rows, |row| forces.force_newtons[row]),
        support_height_m: by_frame(skipped, rows, |row| foot(row).map(|foot| foot.height_m)),
        zmp_in_world_m: by_frame(skipped, rows, |row| loaded_foot(row)?.zmp_m),
        zmp_distance_m: by_frame(skipped, rows, |row| loaded_foot(row)?.zmp_distance_m),
        cop_in_world_m: by_frame(skipped, rows, |row| loaded_foot(row)?.cop_m),
        balance_distance_m: by_frame(skipped, rows, |row| foot(row).map(|foot| foot.balance_distance_m)),
        friction_ratio: by_frame(skipped, rows, |row| loaded_foot(row).and(forces.friction_ratio[row])),
        penetration_m: by_frame(skipped, rows, |row| depths_m[row]),
        support_polygon_m: by_frame(skipped, rows, |row| {
            foot(row).map(|foot| foot.polygon_m.clone()).unwrap_or_default()
        }),
    }
}

fn by_frame<T: Default>(skipped: usize, rows: usize, value: impl Fn(usize) -> T) -> Vec<T> {
    std::iter::repeat_with(T::default).take(skipped).chain((0..rows).map(value)).collect()
}

fn kinds(evidence: &Evidence<'_>, phases: &[Phase]) -> Vec<Option<PhaseKind>> {
    let mut kinds = vec![None; evidence.rows()];
    for phase in phases {
        kinds[evidence.rows_within(phase.start_secs, phase.end_secs)].fill(Some(phase.kind));
    }
    kinds
}

fn depths_m(evidence: &Evidence<'_>) -> Vec<Option<f64>> {
    let mut depths_m: Vec<Option<f64>> = vec![None; evidence.rows()];
    for effector in 0..evidence.contacts.effectors.len() {
        let Some(floor_m) = drift::floor_under_m(evidence, effector) else { continue };
        for (row, depth_m) in depths_m.iter_mut().enumerate() {
            let here_m = evidence.depth_m(effector, row, floor_m[row]);
            *depth_m = Some(depth_m.map_or(here_m, |other_m: f64| other_m.max(here_m)));
        }
    }
    depths_m
}

/// Over frames that known contacts carry; what is `other` is left out.
pub(super) fn summary(evidence: &Evidence<'_>, series: &Series) -> Summary {
    let options = evidence.options;
    let known = |values: &[Option<f64>]| -> Vec<f64> {
        let rows = values.iter().skip(evidence.first_frame).zip(&evidence.is_other);
        rows.filter(|(_, is_other)| !**is_other).filter_map(|(value, _)| *value).collect()
    };
    let zmp_m = known(&series.zmp_distance_m);
    // Every frame counts by the load it carries: near a flight the zero-moment point is a quotient of two small
    // numbers, and where it lies hardly matters (score.md, touchup.md: "force-weighted").
    let loads = known(&loads(evidence, series));
    let friction = known(&series.friction_ratio);
    let balance_m = known(&series.balance_distance_m);
    Summary {
        zmp: ZmpSummary {
            mean_m: weighted_mean(&zmp_m, &loads),
            p95_m: weighted_quantile(&zmp_m, &loads, 0.95),
            outside_share: weighted_mean(
                &zmp_m.iter().map(|distance_m| f64::from(u8::from(*distance_m > OUTSIDE_M))).collect::<Vec<_>>(),
                &loads,
            ),
        },
        penetration: PenetrationSummary { max_m: series.penetration_m.iter().flatten().copied().reduce(f64::max) },
        friction: FrictionSummary {
            p95: quantile(&friction, 0.95),
            outside_share: share(&friction, |ratio| ratio > options.friction),
        },
        balance: BalanceSummary { outside_share: share(&balance_m, |distance_m| distance_m > OUTSIDE_M) },
    }
}

/// Share of time that something unmodelled carries; `None` without a time, or without points to watch.
pub(super) fn other_share(evidence: &Evidence<'_>) -> Option<f64> {
    let is_told = evidence.rows() > 1 && evidence.even.is_some() && !evidence.contacts.effectors.is_empty();
    is_told.then(|| part_of(&evidence.is_other, |is_other| *is_other))
}

/// Share of frames that physics judges: those with a force, of which the carrier is known.
pub(super) fn judged_share(evidence: &Evidence<'_>, forces: &Forces) -> f64 {
    let rows: Vec<(&bool, &Option<f64>)> = evidence.is_other.iter().zip(&forces.load).collect();
    part_of(&rows, |(is_other, load)| !**is_other && load.is_some())
}

fn part_of<T>(rows: &[T], is_counted: impl Fn(&T) -> bool) -> f64 {
    let counted = rows.iter().filter(|row| is_counted(row)).count();
    if rows.is_empty() { 0.0 } else { counted as f64 / rows.len() as f64 }
}

/// Body weights on the ground, where the zero-moment point is known.
fn loads(evidence: &Evidence<'_>, series: &Series) -> Vec<Option<f64>> {
    let weight_newtons = evidence.body.total_mass_kg() * evidence.options.contacts.gravity;
    let frames = series.force_newtons.iter().zip(&series.zmp_distance_m);
    frames.map(|(force, zmp)| zmp.and(*force).map(|force| (force.y / weight_newtons).max(0.0))).collect()
}

fn weighted_mean(values: &[f64], weights: &[f64]) -> Option<f64> {
    let total: f64 = weights.iter().sum();
    (total > 0.0).then(|| values.iter().zip(weights).map(|(value, weight)| value * weight).sum::<f64>() / total)
}

/// The least value that so much of the weight does not exceed.
fn weighted_quantile(values: &[f64], weights: &[f64], quantile: f64) -> Option<f64> {
    let mut sorted: Vec<(f64, f64)> = values.iter().copied().zip(weights.iter().copied()).collect();
    sorted.sort_by(|a, b| a.0.total_cmp(&b.0));
    let wanted = quantile * weights.iter().sum::<f64>();
    let mut reached = 0.0;
    for (value, weight) in sorted.iter().filter(|(_, weight)| *weight > 0.0) {
        reached += weight;
        if reached >= wanted {
            return Some(*value);
        }
    }
    // The last step may miss the total by rounding.
    sorted.last().filter(|_| wanted > 0.0).map(|(value, _)| *value)
}

fn share(values: &[f64], is_counted: impl Fn(f64) -> bool) -> Option<f64> {
    let counted = values.iter().filter(|value| is_counted(**value)).count();
    (!values.is_empty()).then(|| counted as f64 / values.len() as f64)
}

/// Linear between ranks.
fn quantile(values: &[f64], quantile: f64) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let rank = quantile * sorted.len().checked_sub(1)? as f64;
    let (below, above) = (rank.floor() as usize, rank.ceil() as usize);
    Some(sorted[below] + (sorted[above] - sorted[below]) * (rank - below as f64))
}

/// Contacts' warnings, the body's, and what the report could not say.
pub(super) fn warnings(evidence: &Evidence<'_>, forces: &Forces) -> Vec<String> {
    let contacts = evidence.contacts;
    let mut warnings = contacts.warnings.clone();
    warnings.extend(evidence.body.warnings().iter().cloned());
    if evidence.rows() > 1 && forces.is_too_short {
        let needed_secs = evidence.options.smoothing_secs;
        warnings.push(format!(
            "the motion is shorter than the smoothing time of {needed_secs} s: forces, the zero-moment point and friction cannot be told"
        ));
    }
    if let Some(share) = other_share(evidence).filter(|share| *share > JUDGED_OTHER_SHARE) {
        warnings.push(format!(
            "{:.0} % of the time the body is carried by something that is not modelled (a seat, a bar, a partner): physics does not judge this clip",
            100.0 * share
        ));
    }
    if contacts.effectors.len() > DOWN_BITS {
        warnings.push(format!(
            "{} points are watched; frame by frame only {DOWN_BITS} are told apart",
            contacts.effectors.len()
        ));
    }
    if let Some(lowered) = contacts.contacts.iter().find(|contact| contact.raised_m.is_some_and(|m| m < 0.0)) {
        warnings.push(format!(
            "{} stands {:.2} m lower than usual at {:.2} s: a step down, or a foot in the floor",
            lowered.effector,
            -lowered.raised_m.unwrap_or(0.0),
            lowered.start_secs
        ));
    }
    let doubtful = contacts.flights.iter().filter(|flight| flight.verdict == Verdict::Doubtful).count();
    if doubtful > 0 {
        let (flights, fall) = if doubtful == 1 { ("flight", "does") } else { ("flights", "do") };
        warnings.push(format!("{doubtful} {flights} {fall} not fall at g, or with a foot in the floor: see flights"));
    }
    warnings
}
