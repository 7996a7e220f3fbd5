//! The floor under one point at one time, and the floor of the whole clip (contacts.md 2).

use std::ops::Range;

/// The q-quantile of the heights within ± `radius` samples of each sample, cut off at the ends. Between ranks it is linear.
pub(super) fn local_floor_m(heights_m: &[f64], radius: usize, quantile: f64) -> Vec<f64> {
    let window_of = |sample: usize| sample.saturating_sub(radius)..(sample + radius + 1).min(heights_m.len());
    let mut window: Range<usize> = 0..0;
    let mut sorted: Vec<f64> = Vec::with_capacity(2 * radius + 1);
    let place = |sorted: &[f64], height_m: f64| sorted.partition_point(|&other_m| other_m < height_m);
    let mut floor_m = Vec::with_capacity(heights_m.len());
    for sample in 0..heights_m.len() {
        let next = window_of(sample);
        for &entering_m in &heights_m[window.end..next.end] {
            sorted.insert(place(&sorted, entering_m), entering_m);
        }
        for &leaving_m in &heights_m[window.start..next.start] {
            sorted.remove(place(&sorted, leaving_m));
        }
        window = next;
        floor_m.push(quantile_of_sorted(&sorted, quantile));
    }
    floor_m
}

fn quantile_of_sorted(sorted: &[f64], quantile: f64) -> f64 {
    let rank = quantile * (sorted.len() - 1) as f64;
    let below = rank.floor() as usize;
    let above = (below + 1).min(sorted.len() - 1);
    sorted[below] + (sorted[above] - sorted[below]) * (rank - below as f64)
}

/// The height around which most samples lie: mean of the fullest window of width `kernel_m`. Not a low percentile: one dip of a capture
/// below its floor would move that.
pub(crate) fn densest_height_m(mut heights_m: Vec<f64>, kernel_m: f64) -> Option<f64> {
    heights_m.sort_by(f64::total_cmp);
    let mut end = 0;
    let mut fullest = 0..0;
    for start in 0..heights_m.len() {
        while end < heights_m.len() && heights_m[end] - heights_m[start] <= kernel_m {
            end += 1;
        }
        if end - start > fullest.len() {
            fullest = start..end;
        }
    }
    let count = fullest.len();
    (count > 0).then(|| heights_m[fullest].iter().sum::<f64>() / count as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sliding_quantiles_are_those_of_each_window() {
        let heights_m: Vec<f64> = (0..60).map(|i| f64::from((i * 37) % 23) * 0.01).collect();
        for radius in [0, 1, 7, 100] {
            for (sample, floor_m) in local_floor_m(&heights_m, radius, 0.3).into_iter().enumerate() {
                let mut window = heights_m[sample.saturating_sub(radius)..(sample + radius + 1).min(60)].to_vec();
                window.sort_by(f64::total_cmp);
                assert_eq!(floor_m, quantile_of_sorted(&window, 0.3), "{radius} {sample}");
            }
        }
        assert!(local_floor_m(&[], 3, 0.5).is_empty());
        assert_eq!(quantile_of_sorted(&[1.0, 2.0, 3.0], 0.25), 1.5);
    }

    #[test]
    fn one_dip_does_not_move_the_floor() {
        let mut heights_m = vec![0.20; 50];
        heights_m.extend(vec![0.01; 20]);
        heights_m.extend((0..200).map(|i| f64::from(i) * 0.005));
        assert!((densest_height_m(heights_m, 0.01).unwrap() - 0.20).abs() < 0.003);
        assert_eq!(densest_height_m(Vec::new(), 0.01), None);
    }
}
