//! The floor under one point at one time, and the floor of the whole clip (contacts.md 2).

use std::ops::Range;

/// The q-quantile of the heights within ± `radius` samples of each sample, cut off at the ends. Between ranks it is
/// linear.
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

/// The height around which most samples lie: mean of the fullest window of width `kernel_m`. Not a low percentile: one
/// dip of a capture below its floor would move that.
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

/// The floor of a clip: the densest height, or, where feet stand on several levels, the lowest of those that hold at
/// least `least_share` as many samples. A clip that climbs stairs and waits at the top, or on a ledge before a jump,
/// still has the floor at the bottom. Levels are at least `apart_m` apart: nearer ones are one floor with heels, balls
/// and noise.
pub(crate) fn floor_height_m(heights_m: Vec<f64>, kernel_m: f64, apart_m: f64, least_share: f64) -> Option<f64> {
    let mut left_m = heights_m;
    let mut level_m = densest_height_m(left_m.clone(), kernel_m)?;
    // Some levels are stood on more quietly than others, so all of a level counts, not its peak.
    let near = |heights_m: &[f64], level_m: f64| {
        heights_m.iter().filter(|height_m| (*height_m - level_m).abs() <= 0.5 * apart_m).count()
    };
    let least = least_share * near(&left_m, level_m) as f64;
    loop {
        left_m.retain(|height_m| *height_m < level_m - apart_m);
        match densest_height_m(left_m.clone(), kernel_m).filter(|lower_m| near(&left_m, *lower_m) as f64 >= least) {
            Some(lower_m) => level_m = lower_m,
            None => return Some(level_m),
        }
    }
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

    #[test]
    fn the_floor_is_the_lowest_level_that_feet_stand_on() {
        let level = |height_m: f64, samples: usize| (0..samples).map(move |i| height_m + 0.002 * (i % 3) as f64);
        let stairs: Vec<f64> =
            level(0.6, 300).chain(level(0.4, 80)).chain(level(0.2, 90)).chain(level(0.0, 150)).collect();
        assert!((floor_height_m(stairs, 0.01, 0.08, 0.2).unwrap() - 0.002).abs() < 1e-3);
        // A dip of a capture is no level, nor are heels 5 cm under balls.
        let dipping: Vec<f64> = level(0.05, 300).chain(level(0.0, 200)).chain(level(-0.2, 30)).collect();
        assert!((floor_height_m(dipping, 0.01, 0.08, 0.2).unwrap() - 0.052).abs() < 1e-3);
        assert_eq!(floor_height_m(Vec::new(), 0.01, 0.08, 0.2), None);
    }
}
