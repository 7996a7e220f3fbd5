//! Missing support and needed friction (score.md: support, friction).

use crate::report::dense::DenseSupport;
use crate::report::support::LEAST_JUDGED_LOAD;

/// Mean missing support, m. What a sample misses, and why the outer 0.08 s miss nothing, is the report's
/// (`report::support`).
pub(super) fn support_m(dense: &DenseSupport, known_only: bool) -> Option<f64> {
    mean(
        dense
            .error_m
            .iter()
            .zip(&dense.is_other)
            .filter(|(_, is_other)| !(known_only && **is_other))
            .filter_map(|it| *it.0),
    )
}

fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (sum, count) = values.fold((0.0, 0), |(sum, count), value| (sum + value, count + 1));
    (count > 0).then(|| sum / f64::from(count))
}

/// 95th percentile of |F_h| / F_v over samples on the ground that carry some weight.
pub(super) fn friction(dense: &DenseSupport, known_only: bool) -> Option<f64> {
    let is_wanted = |sample: &usize| {
        let is_out = dense.is_airborne[*sample] || (known_only && dense.is_other[*sample]);
        !is_out && dense.load[*sample].is_some_and(|load| load > LEAST_JUDGED_LOAD)
    };
    let samples = (0..dense.load.len()).filter(is_wanted);
    percentile_95(samples.filter_map(|sample| dense.friction_ratio[sample]).collect())
}

fn percentile_95(mut values: Vec<f64>) -> Option<f64> {
    let rank = (values.len().checked_sub(1)? as f64 * 0.95).round() as usize;
    Some(*values.select_nth_unstable_by(rank, f64::total_cmp).1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_carried_by_something_else_count_only_when_asked_for() {
        let mut dense = DenseSupport {
            load: vec![Some(1.0), None, Some(1.0), Some(0.1)],
            friction_ratio: vec![Some(0.2), None, Some(0.6), Some(7.0)],
            error_m: vec![Some(0.25), None, Some(0.5), Some(0.0)],
            is_airborne: vec![false; 4],
            is_other: vec![false, false, true, false],
        };
        assert_eq!((support_m(&dense, true), support_m(&dense, false)), (Some(0.125), Some(0.25)));
        // Hardly any weight: no friction asked for.
        assert_eq!((friction(&dense, true), friction(&dense, false)), (Some(0.2), Some(0.6)));
        dense.is_airborne.fill(true);
        assert_eq!(friction(&dense, false), None);
    }

    #[test]
    fn one_outlier_of_a_hundred_is_not_the_friction() {
        let mut ratios: Vec<f64> = (0..100).map(|i| f64::from(i) * 0.001).collect();
        ratios[17] = 50.0;
        assert_eq!(percentile_95(ratios), Some(0.095));
        assert_eq!(percentile_95(vec![]), None);
        assert_eq!(percentile_95(vec![0.4]), Some(0.4));
    }
}
