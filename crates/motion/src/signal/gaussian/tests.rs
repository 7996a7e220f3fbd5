use super::*;
use glam::DVec3;
use proptest::prelude::*;

const STEP_SECS: f64 = 1.0 / 120.0;

fn line(count: usize) -> Vec<f64> {
    (0..count).map(|i| 3.0 - 0.7 * i as f64).collect()
}

fn assert_close(found: &[f64], expected: &[f64], tolerance: f64) {
    assert_eq!(found.len(), expected.len());
    for (index, (a, b)) in found.iter().zip(expected).enumerate() {
        assert!((a - b).abs() <= tolerance, "sample {index}: {a} against {b}");
    }
}

/// A cheap fixed noise in [-1, 1].
fn noise(count: usize) -> Vec<f64> {
    let mut state: u64 = 0x9E37_79B9_7F4A_7C15;
    (0..count)
        .map(|_| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as f64 / (1u64 << 30) as f64 - 1.0
        })
        .collect()
}

#[test]
fn smoothing_time_is_four_sigmas() {
    let by_window = Gaussian::from_window_secs(0.08, STEP_SECS).unwrap();
    assert_eq!(by_window, Gaussian::from_sigma_secs(0.02, STEP_SECS).unwrap());
    // σ is 2.4 samples, so 4σ = 9.6 samples.
    assert_eq!(by_window.radius_samples(), 10);
    let ratio = by_window.weight(2) / by_window.weight(0);
    assert!((ratio - (-0.5_f64 * (2.0 / 2.4_f64).powi(2)).exp()).abs() < 1e-14);
}

#[test]
fn weights_are_normalised_with_the_variance_asked_for() {
    let sigma_samples = 6.0;
    let gaussian = Gaussian::from_sigma_secs(sigma_samples * STEP_SECS, STEP_SECS).unwrap();
    let sides = (1..=gaussian.radius_samples()).map(|d| (d as f64, gaussian.weight(d)));
    let total = gaussian.weight(0) + 2.0 * sides.clone().map(|(_, w)| w).sum::<f64>();
    assert!((total - 1.0).abs() < 1e-14);
    let variance = 2.0 * sides.map(|(d, w)| d * d * w).sum::<f64>();
    // Cutting at 4σ takes 2·4·φ(4) = 0.11 % of the variance.
    assert!((variance / sigma_samples.powi(2) - 1.0).abs() < 1.5e-3, "{variance}");
    assert_eq!(gaussian.weight(gaussian.radius_samples() + 1), 0.0);
}

#[test]
fn matches_the_convolution_written_out() {
    let signal = noise(50);
    let gaussian = Gaussian::from_window_secs(0.1, STEP_SECS).unwrap();
    let radius = gaussian.radius_samples() as isize;
    let smoothed = gaussian.smooth(&signal);
    for centre in 0..signal.len() as isize {
        let expected: f64 = (-radius..=radius)
            .map(|offset| {
                let index = centre + offset;
                // One reflection is enough for this clip.
                let sample = if index < 0 {
                    2.0 * signal[0] - signal[(-index) as usize]
                } else if index > 49 {
                    2.0 * signal[49] - signal[(98 - index) as usize]
                } else {
                    signal[index as usize]
                };
                gaussian.weight(offset.unsigned_abs()) * sample
            })
            .sum();
        assert!((smoothed[centre as usize] - expected).abs() < 1e-14, "sample {centre}");
    }
}

#[test]
fn a_sine_is_damped_as_theory_says() {
    let (sigma_secs, frequency_hz) = (0.02, 4.0);
    let omega = std::f64::consts::TAU * frequency_hz;
    let signal: Vec<f64> = (0..600).map(|i| (omega * i as f64 * STEP_SECS).sin()).collect();
    let smoothed = Gaussian::from_sigma_secs(sigma_secs, STEP_SECS).unwrap().smooth(&signal);
    let gain = (-0.5 * (omega * sigma_secs).powi(2)).exp();
    let expected: Vec<f64> = signal.iter().map(|x| gain * x).collect();
    // The cut at 4σ: weight 6e-5 and the renormalisation of the same size.
    assert_close(&smoothed[50..550], &expected[50..550], 2e-4);
}

#[test]
fn zero_and_vanishing_times_are_the_identity() {
    let signal = noise(20);
    for window_secs in [0.0, 1e-300, 1e-6] {
        let gaussian = Gaussian::from_window_secs(window_secs, STEP_SECS).unwrap();
        assert_eq!(gaussian.radius_samples(), 0, "{window_secs}");
        assert_eq!(gaussian.smooth(&signal), signal);
    }
}

#[test]
fn a_still_signal_stays_bit_for_bit() {
    let still = vec![DVec3::new(0.1, 0.7, -1.3e3); 30];
    assert_eq!(Gaussian::from_window_secs(0.2, STEP_SECS).unwrap().smooth(&still), still);
}

#[test]
fn vectors_are_smoothed_by_component() {
    let (x, y, z) = (noise(40), line(40), vec![2.0; 40]);
    let vectors: Vec<DVec3> = (0..40).map(|i| DVec3::new(x[i], y[i], z[i])).collect();
    let gaussian = Gaussian::from_window_secs(0.1, STEP_SECS).unwrap();
    let smoothed = gaussian.smooth(&vectors);
    assert_eq!(smoothed.iter().map(|v| v.x).collect::<Vec<_>>(), gaussian.smooth(&x));
    assert_eq!(smoothed.iter().map(|v| v.y).collect::<Vec<_>>(), gaussian.smooth(&y));
}

#[test]
fn a_column_is_smoothed_in_place_of_a_copy() {
    let columns = 3;
    let rows: Vec<f64> = noise(60);
    let gaussian = Gaussian::from_window_secs(0.1, STEP_SECS).unwrap();
    let mut output = vec![f64::NAN; rows.len()];
    gaussian.smooth_column_into(&rows, &mut output, columns, 1);
    let column: Vec<f64> = rows.iter().skip(1).step_by(columns).copied().collect();
    let found: Vec<f64> = output.iter().skip(1).step_by(columns).copied().collect();
    assert_eq!(found, gaussian.smooth(&column));
    assert!(output.iter().step_by(columns).all(|x| x.is_nan()), "other columns are left alone");
}

#[test]
fn tiny_clips() {
    let gaussian = Gaussian::from_window_secs(0.5, STEP_SECS).unwrap();
    assert_eq!(gaussian.smooth::<f64>(&[]), Vec::<f64>::new());
    assert_eq!(gaussian.smooth(&[4.5]), vec![4.5]);
    assert_close(&gaussian.smooth(&[4.5, -2.0]), &[4.5, -2.0], 1e-12);
    // Of three samples the middle one nears the line through the ends, but for the cut at 4σ (3e-4 of the peak weight).
    let three = gaussian.smooth(&[0.0, 1.0, 4.0]);
    assert!((three[1] - 2.0).abs() < 1e-4, "{three:?}");
}

#[test]
fn unusable_parameters_are_refused() {
    for window_secs in [-1.0, f64::NAN, f64::INFINITY] {
        let error = Gaussian::from_window_secs(window_secs, STEP_SECS).unwrap_err();
        assert!(matches!(error, SignalError::SmoothingTime { .. }), "{error}");
    }
    for step_secs in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let error = Gaussian::from_window_secs(0.1, step_secs).unwrap_err();
        assert!(matches!(error, SignalError::TimeStep { .. }), "{error}");
    }
    let error = Gaussian::from_window_secs(1e9, STEP_SECS).unwrap_err();
    assert!(matches!(error, SignalError::KernelTooLong { .. }), "{error}");
    let times = SampleTimes::keyed(&[0.0, 1.0]).unwrap();
    let error = smooth_at_times_into(1e9, times, &[0.0, 1.0], &mut [0.0, 0.0]).unwrap_err();
    assert!(matches!(error, SignalError::KernelTooLong { .. }), "{error}");
}

#[test]
fn uneven_smoothing_of_even_times_is_the_even_one() {
    let signal = noise(40);
    let times: Vec<f64> = (0..40).map(|i| i as f64 * STEP_SECS).collect();
    for sigma_secs in [0.0, 0.011, 0.03, 0.31] {
        let mut uneven = vec![0.0; 40];
        smooth_at_times_into(sigma_secs, SampleTimes::keyed(&times).unwrap(), &signal, &mut uneven).unwrap();
        let even = Gaussian::from_sigma_secs(sigma_secs, STEP_SECS).unwrap().smooth(&signal);
        // The even kernel reaches ceil(4σ) samples, the uneven one only what lies within 4σ: one more weight of 3e-4
        // relative, spread over 2.5σ samples, each side.
        assert_close(&uneven, &even, 4e-4);
    }
}

#[test]
fn uneven_smoothing_does_not_depend_on_where_samples_crowd() {
    // The same slow sine sampled evenly, and with every tenth stretch sampled three times as densely: the trapezoid
    // weights make both see the same signal.
    let sine = |t: f64| (3.0 * t).sin();
    let even: Vec<f64> = (0..240).map(|i| i as f64 / 120.0).collect();
    let crowded: Vec<f64> = (0..240)
        .flat_map(|i| (0..if i / 10 % 2 == 0 { 3 } else { 1 }).map(move |part| (i as f64 + part as f64 / 3.0) / 120.0))
        .collect();
    let smooth = |times: &[f64]| {
        let values: Vec<f64> = times.iter().map(|&t| sine(t)).collect();
        let mut output = vec![0.0; times.len()];
        smooth_at_times_into(0.05, SampleTimes::keyed(times).unwrap(), &values, &mut output).unwrap();
        output
    };
    let (by_even, by_crowded) = (smooth(&even), smooth(&crowded));
    let mut compared = 0;
    for (time, value) in even.iter().zip(&by_even) {
        if let Some(twin) = crowded.iter().position(|t| t == time) {
            // Of the curvature's effect, σ²/2·9 = 0.011, the trapezoid rule and the cut at 4σ leave a few per cent.
            assert!((by_crowded[twin] - value).abs() < 3e-4, "{time}: {} {value}", by_crowded[twin]);
            compared += 1;
        }
    }
    assert!(compared > 200, "{compared}");
}

proptest! {
    #[test]
    fn lines_come_back_and_ends_stay(count in 1_usize..60, window_secs in 0.0..2.0) {
        let gaussian = Gaussian::from_window_secs(window_secs, STEP_SECS).unwrap();
        // Reflected values reach slope × radius ≈ 200; rounding is a few ulps of that.
        assert_close(&gaussian.smooth(&line(count)), &line(count), 1e-12);
        let rough = noise(count);
        let smoothed = gaussian.smooth(&rough);
        prop_assert!((smoothed[0] - rough[0]).abs() < 1e-12);
        prop_assert!((smoothed[count - 1] - rough[count - 1]).abs() < 1e-12);
    }

    #[test]
    fn uneven_lines_come_back_and_ends_stay(
        steps in prop::collection::vec(1e-4..0.1, 1..40),
        sigma_secs in 0.0..0.5,
    ) {
        let mut times = vec![0.3];
        for step in steps {
            times.push(times[times.len() - 1] + step);
        }
        let straight: Vec<f64> = times.iter().map(|t| 2.0 - 5.0 * t).collect();
        let mut output = vec![0.0; times.len()];
        let sample_times = SampleTimes::keyed(&times).unwrap();
        prop_assume!(sigma_secs < 20.0 * (times[times.len() - 1] - times[0]));
        smooth_at_times_into(sigma_secs, sample_times, &straight, &mut output).unwrap();
        assert_close(&output, &straight, 1e-10);
        let rough = noise(times.len());
        smooth_at_times_into(sigma_secs, sample_times, &rough, &mut output).unwrap();
        prop_assert!((output[0] - rough[0]).abs() < 1e-10);
        prop_assert!((output[times.len() - 1] - rough[times.len() - 1]).abs() < 1e-10);
    }

    #[test]
    fn smoothing_is_linear_and_knows_no_direction(count in 2_usize..40, window_secs in 0.0..0.5) {
        let gaussian = Gaussian::from_window_secs(window_secs, STEP_SECS).unwrap();
        let signal = noise(count);
        let backwards: Vec<f64> = signal.iter().rev().copied().collect();
        let mut smoothed_backwards = gaussian.smooth(&backwards);
        smoothed_backwards.reverse();
        assert_close(&smoothed_backwards, &gaussian.smooth(&signal), 1e-12);
        let tripled: Vec<f64> = signal.iter().map(|x| 3.0 * x + 1.0).collect();
        let expected: Vec<f64> = gaussian.smooth(&signal).iter().map(|x| 3.0 * x + 1.0).collect();
        assert_close(&gaussian.smooth(&tripled), &expected, 1e-11);
    }
}
