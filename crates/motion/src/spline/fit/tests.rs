use super::*;
use crate::spline::{KnotBasis, UniformBasis};
use glam::DVec3;

fn basis() -> UniformBasis {
    UniformBasis::new(0.0, 0.1, 13).unwrap()
}

fn times(count: usize) -> Vec<f64> {
    (0..count).map(|i| i as f64 / (count - 1) as f64).collect()
}

fn rough_controls(count: usize) -> Vec<DVec3> {
    (0..count).map(|i| DVec3::new(i as f64, ((i * i * 3) % 7) as f64, -(((i * 5) % 4) as f64))).collect()
}

#[test]
fn a_sampled_spline_is_recovered() {
    let uneven = KnotBasis::clamped(&[0.0, 0.1, 0.15, 0.4, 0.4, 0.7, 1.0]).unwrap();
    fn check<B: CubicBasis + Clone>(basis: B) {
        let truth = CubicBSpline::new(basis.clone(), rough_controls(basis.control_count())).unwrap();
        let times = times(80);
        let samples: Vec<DVec3> = times.iter().map(|&t| truth.value(t)).collect();
        let weights: Vec<f64> = (0..80).map(|i| 1.0 + (i % 3) as f64).collect();
        for weights in [None, Some(&weights[..])] {
            let options = FitOptions { weights, ..FitOptions::default() };
            let fitted = SplineFitter::new(basis.clone(), &times, options).unwrap().fit(&samples).unwrap();
            for (found, expected) in fitted.controls().iter().zip(truth.controls()) {
                // The condition of the normal equations at the hardly held outermost control points is about 1e4.
                assert!((*found - *expected).length() < 1e-10, "{found} {expected}");
            }
        }
    }
    check(basis());
    check(uneven);
}

#[test]
fn the_residual_is_orthogonal_to_every_basis_function() {
    let times = times(60);
    let values: Vec<f64> = (0..60).map(|i| ((i * i) % 13) as f64).collect();
    let weights: Vec<f64> = (0..60).map(|i| (i % 4) as f64).collect();
    let options = FitOptions { weights: Some(&weights), ..FitOptions::default() };
    let curve = SplineFitter::new(basis(), &times, options).unwrap().fit(&values).unwrap();
    let mut projections = [0.0; 13];
    for ((&t, value), weight) in times.iter().zip(&values).zip(&weights) {
        let row = basis().weights_at(t);
        for (k, share) in row.value.iter().enumerate() {
            projections[row.first_control + k] += share * weight * (curve.value(t) - value);
        }
    }
    for projection in projections {
        assert!(projection.abs() < 1e-11, "{projection:e}");
    }
}

#[test]
fn weights_choose_whom_to_believe() {
    let times: Vec<f64> = times(40).into_iter().flat_map(|t| [t, t]).collect();
    let values: Vec<f64> = (0..80).map(|i| if i % 2 == 0 { 1.0 } else { 5.0 }).collect();
    let weights: Vec<f64> = (0..80).map(|i| if i % 2 == 0 { 3.0 } else { 1.0 }).collect();
    let options = FitOptions { weights: Some(&weights), ..FitOptions::default() };
    let curve = SplineFitter::new(basis(), &times, options).unwrap().fit(&values).unwrap();
    assert!((curve.value(0.37) - 2.0).abs() < 1e-12);
}

#[test]
fn roughness_leaves_lines_alone_and_bridges_gaps() {
    let gappy: Vec<f64> = times(80).into_iter().filter(|t| !(0.3..0.8).contains(t)).collect();
    let values: Vec<f64> = gappy.iter().map(|t| 2.0 - 3.0 * t).collect();
    assert!(matches!(
        SplineFitter::new(basis(), &gappy, FitOptions::default()),
        Err(SplineError::Underdetermined { control: 6 })
    ));
    let options = FitOptions { roughness: 1e-6, ..FitOptions::default() };
    let curve = SplineFitter::new(basis(), &gappy, options).unwrap().fit(&values).unwrap();
    for t in [0.0, 0.2, 0.5, 0.7, 1.0] {
        assert!((curve.value(t) - (2.0 - 3.0 * t)).abs() < 1e-9, "{t}");
    }
}

#[test]
fn the_roughness_integral_is_exact() {
    // ∫ x″² of x = t² over [0, 1] is 4, whatever the knots. Control points of t² on knots 0.1 apart: (blossom) ab+bc+ca
    // over 3.
    let mut band = Band::zero(13);
    add_roughness(&mut band, &basis(), 1.0);
    let controls: Vec<f64> = (0..13)
        .map(|i| {
            let knot = (i as f64 - 1.0) * 0.1;
            ((knot - 0.1) * knot + knot * (knot + 0.1) + (knot - 0.1) * (knot + 0.1)) / 3.0
        })
        .collect();
    let mut energy = 0.0;
    for (i, row) in band.rows.iter().enumerate() {
        for d in 0..=i.min(3) {
            energy += if d == 0 { 1.0 } else { 2.0 } * row[d] * controls[i] * controls[i - d];
        }
    }
    assert!((energy - 4.0).abs() < 1e-10, "{energy}");
}

#[test]
fn a_ridge_pulls_to_zero() {
    let options = FitOptions { ridge: 1.0, ..FitOptions::default() };
    let empty = SplineFitter::new(basis(), &[], options).unwrap().fit::<f64>(&[]).unwrap();
    assert_eq!(empty.controls(), [0.0; 13]);
    // One value where one basis function peaks alone: (wᵀw + ridge) c = w gives the value wᵀw/(wᵀw + 1).
    let curve = SplineFitter::new(basis(), &[0.5], options).unwrap().fit(&[1.0]).unwrap();
    let energy: f64 = basis().weights_at(0.5).value.iter().map(|w| w * w).sum();
    assert!((curve.value(0.5) - energy / (energy + 1.0)).abs() < 1e-14);
}

#[test]
fn unusable_fits_are_refused() {
    let refused = |times: &[f64], options| SplineFitter::new(basis(), times, options).unwrap_err();
    let plain = FitOptions::default();
    assert_eq!(refused(&[], plain), SplineError::Underdetermined { control: 0 });
    assert!(matches!(refused(&[0.5, 1.1], plain), SplineError::SampleOutside { index: 1, .. }));
    assert!(matches!(refused(&[f64::NAN], plain), SplineError::SampleOutside { index: 0, .. }));
    assert!(matches!(refused(&[0.5], FitOptions { ridge: -1.0, ..plain }), SplineError::Weight { .. }));
    assert!(matches!(refused(&[0.5], FitOptions { roughness: f64::NAN, ..plain }), SplineError::Weight { .. }));
    assert!(matches!(refused(&[0.5], FitOptions { weights: Some(&[]), ..plain }), SplineError::Count { .. }));
    assert!(matches!(refused(&[0.5], FitOptions { weights: Some(&[-1.0]), ..plain }), SplineError::Weight { .. }));
    let fitter = SplineFitter::new(basis(), &times(80), plain).unwrap();
    assert!(matches!(fitter.fit(&[0.0; 79]), Err(SplineError::Count { expected: 80, found: 79, .. })));
}
