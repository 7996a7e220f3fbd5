use super::*;
use crate::so3::{angle_between, exp, log};
use proptest::prelude::*;

const STEP_SECS: f64 = 1.0 / 120.0;

fn gaussian(window_secs: f64) -> Gaussian {
    Gaussian::from_window_secs(window_secs, STEP_SECS).unwrap()
}

fn smoothing(window_secs: f64) -> OrientationFilter {
    OrientationFilter::from_gaussian(&gaussian(window_secs))
}

/// A tumbling motion with a little roughness.
fn tumble(count: usize) -> Vec<DQuat> {
    (0..count)
        .map(|i| {
            let t = i as f64 * 0.1;
            let rough = 0.05 * (i * i % 7) as f64;
            exp(DVec3::new(t.sin(), 0.7 * (1.3 * t).cos() + rough, 0.3 * t))
        })
        .collect()
}

fn assert_same(found: &[DQuat], expected: &[DQuat], tolerance_rad: f64) {
    assert_eq!(found.len(), expected.len());
    for (index, (a, b)) in found.iter().zip(expected).enumerate() {
        let angle = angle_between(*a, *b);
        assert!(angle <= tolerance_rad, "sample {index}: {angle:e} rad apart");
    }
}

#[test]
fn increment_weights_are_the_partial_sums() {
    let filter = OrientationFilter::from_mask(&[0.1, 0.2, 0.3, 0.25, 0.15]).unwrap();
    let expected = [-0.1, -0.1 - 0.2, 0.25 + 0.15, 0.15];
    for (found, expected) in filter.increment_weights.iter().zip(expected) {
        assert!((found - expected).abs() < 1e-15);
    }
    assert_eq!(filter.increment_weights.len(), 4);
}

#[test]
fn masks_and_the_gaussian_agree() {
    let gaussian = gaussian(0.1);
    let radius = gaussian.radius_samples() as isize;
    let mask: Vec<f64> = (-radius..=radius).map(|m| gaussian.weight(m.unsigned_abs())).collect();
    let (by_mask, by_gaussian) =
        (OrientationFilter::from_mask(&mask).unwrap(), OrientationFilter::from_gaussian(&gaussian));
    assert_same(&by_mask.apply(&tumble(60)), &by_gaussian.apply(&tumble(60)), 1e-14);
}

#[test]
fn about_one_axis_it_is_the_vector_filter() {
    // Rotations about one axis commute, so any mask must filter the angle, ends and short clips included.
    let angles: Vec<f64> = (0..30).map(|i| 0.1 * i as f64 + 0.3 * ((i * i % 5) as f64)).collect();
    let axis = DVec3::new(2.0, -1.0, 2.0) / 3.0;
    for count in [2, 3, 5, 30] {
        let turning: Vec<DQuat> = angles[..count].iter().map(|&angle| exp(axis * angle)).collect();
        let gaussian = gaussian(0.15);
        let expected: Vec<DQuat> = gaussian.smooth(&angles[..count]).iter().map(|&angle| exp(axis * angle)).collect();
        assert_same(&OrientationFilter::from_gaussian(&gaussian).apply(&turning), &expected, 1e-12);
    }
}

#[test]
fn a_skew_mask_filters_as_the_vector_mask_does() {
    let mask = [0.5, -0.2, 0.4, 0.2, 0.1];
    let angles: Vec<f64> = (0..20).map(|i| 0.2 * ((i * i % 9) as f64)).collect();
    let turning: Vec<DQuat> = angles.iter().map(|&angle| exp(DVec3::Y * angle)).collect();
    let filtered = OrientationFilter::from_mask(&mask).unwrap().apply(&turning);
    for centre in 2..18 {
        let expected: f64 = mask.iter().enumerate().map(|(m, a)| a * angles[centre + m - 2]).sum();
        assert!(angle_between(filtered[centre], exp(DVec3::Y * expected)) < 1e-14, "sample {centre}");
    }
}

#[test]
fn the_identity_mask_changes_nothing() {
    let input = tumble(20);
    for mask in [&[1.0][..], &[0.0, 1.0, 0.0]] {
        assert_eq!(OrientationFilter::from_mask(mask).unwrap().apply(&input), input);
    }
    assert_eq!(smoothing(0.0).apply(&input), input);
}

#[test]
fn what_stands_still_stays_still_bit_for_bit() {
    let still = vec![exp(DVec3::new(0.3, -1.7, 0.9)); 20];
    assert_eq!(smoothing(0.2).apply(&still), still);
}

#[test]
fn both_ends_keep_their_orientation() {
    let input = tumble(50);
    let output = smoothing(0.2).apply(&input);
    assert!(angle_between(output[0], input[0]) < 1e-14);
    assert!(angle_between(output[49], input[49]) < 1e-14);
    assert!(angle_between(output[25], input[25]) > 1e-3, "the inside does change");
}

#[test]
fn a_constant_rate_comes_back_ends_included() {
    let rate_per_sample = DVec3::new(0.9, -1.4, 0.3);
    for count in [0, 1, 2, 3, 8, 100] {
        let turning: Vec<DQuat> = (0..count).map(|i| exp(rate_per_sample * i as f64) * exp(DVec3::X)).collect();
        assert_same(&smoothing(0.3).apply(&turning), &turning, 1e-12);
    }
}

#[test]
fn near_the_identity_it_is_the_vector_filter_of_logarithms() {
    let gaussian = gaussian(0.1);
    let differences = |size: f64| {
        let vectors: Vec<DVec3> = tumble(60).iter().map(|&q| log(q) * size).collect();
        let rotations: Vec<DQuat> = vectors.iter().map(|&v| exp(v)).collect();
        let filtered = OrientationFilter::from_gaussian(&gaussian).apply(&rotations);
        let expected = gaussian.smooth(&vectors);
        filtered.iter().zip(expected).map(|(q, v)| (log(*q) - v).length()).fold(0.0, f64::max)
    };
    let (coarse, fine) = (differences(1e-2), differences(1e-3));
    // Commutators are products of two increments: a tenth of the size, a hundredth of the difference.
    assert!(coarse < 1e-4, "{coarse:e}");
    assert!((80.0..120.0).contains(&(coarse / fine)), "{coarse:e} {fine:e}");
}

#[test]
fn smoothing_takes_noise_away() {
    let clean: Vec<DQuat> = (0..400).map(|i| exp(DVec3::new(1.0, 0.5, -0.2) * (0.02 * i as f64).sin())).collect();
    let noisy: Vec<DQuat> = clean
        .iter()
        .enumerate()
        .map(|(i, &q)| {
            let wobble = |k: usize| 0.02 * ((i * i * k + 7 * i) % 11) as f64 - 0.1;
            q * exp(DVec3::new(wobble(1), wobble(3), wobble(5)))
        })
        .collect();
    let energy = |q: &[DQuat]| q.windows(2).map(|pair| angle_between(pair[0], pair[1]).powi(2)).sum::<f64>();
    let smoothed = smoothing(0.1).apply(&noisy);
    assert!(energy(&smoothed) < 0.05 * energy(&noisy), "{} of {}", energy(&smoothed), energy(&noisy));
}

#[test]
fn uneven_times_agree_with_even_ones_and_with_vectors() {
    let input = tumble(40);
    let even_times: Vec<f64> = (0..40).map(|i| i as f64 * STEP_SECS).collect();
    let mut workspace = OrientationWorkspace::default();
    let mut output = vec![DQuat::IDENTITY; 40];
    // 4σ falls on a whole number of samples and a hair more, so both kernels hold the same samples.
    let sigma_secs = 2.0 * STEP_SECS + 1e-9;
    let even = Gaussian::from_sigma_secs(2.0 * STEP_SECS, STEP_SECS).unwrap();
    smooth_at_times_into(sigma_secs, SampleTimes::keyed(&even_times).unwrap(), &input, &mut workspace, &mut output)
        .unwrap();
    assert_same(&output, &OrientationFilter::from_gaussian(&even).apply(&input), 1e-6);

    let uneven_times: Vec<f64> = (0..40).map(|i| i as f64 * STEP_SECS + 0.003 * (i as f64).sin()).collect();
    let uneven = SampleTimes::keyed(&uneven_times).unwrap();
    let angles: Vec<f64> = (0..40).map(|i| 0.3 * ((i * i % 5) as f64)).collect();
    let turning: Vec<DQuat> = angles.iter().map(|&angle| exp(DVec3::Z * angle)).collect();
    smooth_at_times_into(0.03, uneven, &turning, &mut workspace, &mut output).unwrap();
    let mut expected = vec![0.0; 40];
    crate::signal::gaussian::smooth_at_times_into(0.03, uneven, &angles, &mut expected).unwrap();
    let expected: Vec<DQuat> = expected.iter().map(|&angle| exp(DVec3::Z * angle)).collect();
    assert_same(&output, &expected, 1e-12);
}

#[test]
fn unusable_masks_are_refused() {
    let refused = |mask: &[f64]| OrientationFilter::from_mask(mask).unwrap_err();
    assert_eq!(refused(&[]), SignalError::MaskLength { found: 0 });
    assert_eq!(refused(&[0.5, 0.5]), SignalError::MaskLength { found: 2 });
    assert_eq!(refused(&[-0.5, 0.0, 0.5]), SignalError::MaskSum { found: 0.0 });
    assert!(matches!(refused(&[f64::NAN]), SignalError::MaskSum { .. }));
}

proptest! {
    #[test]
    fn choice_of_axes_does_not_matter(
        left in prop::array::uniform3(-2.0..2.0), right in prop::array::uniform3(-2.0..2.0), count in 2_usize..50,
    ) {
        let (left, right) = (exp(DVec3::from(left)), exp(DVec3::from(right)));
        let input = tumble(count);
        let turned: Vec<DQuat> = input.iter().map(|&q| left * q * right).collect();
        let filter = smoothing(0.12);
        let expected: Vec<DQuat> = filter.apply(&input).iter().map(|&q| left * q * right).collect();
        assert_same(&filter.apply(&turned), &expected, 1e-12);
    }

    #[test]
    fn signs_do_not_matter(flips in prop::collection::vec(any::<bool>(), 30)) {
        let input = tumble(30);
        let flipped: Vec<DQuat> = input.iter().zip(flips).map(|(&q, flip)| if flip { -q } else { q }).collect();
        assert_same(&smoothing(0.1).apply(&flipped), &smoothing(0.1).apply(&input), 1e-13);
    }

    #[test]
    fn a_shift_in_time_shifts_the_result(shift in 1_usize..20) {
        let input = tumble(80);
        let filter = smoothing(0.1);
        let radius = gaussian(0.1).radius_samples();
        let whole = filter.apply(&input);
        let later = filter.apply(&input[shift..]);
        prop_assert_eq!(&later[radius..60 - radius], &whole[shift + radius..shift + 60 - radius]);
    }

    #[test]
    fn backwards_in_time_is_the_same(count in 2_usize..40) {
        let input = tumble(count);
        let backwards: Vec<DQuat> = input.iter().rev().copied().collect();
        let mut result = smoothing(0.1).apply(&backwards);
        result.reverse();
        assert_same(&result, &smoothing(0.1).apply(&input), 1e-12);
    }
}
