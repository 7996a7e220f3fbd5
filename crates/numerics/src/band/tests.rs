// Indices are the subject here: rows and columns of matrices.
#![allow(clippy::needless_range_loop, reason = "rows and columns are indices in the formulas")]

use super::*;
use proptest::prelude::*;

/// Gauss with full rows and partial pivoting: slow, and obviously right.
fn dense_solve(mut a: Vec<Vec<f64>>, mut b: Vec<f64>) -> Vec<f64> {
    let n = b.len();
    for c in 0..n {
        let pivot = (c..n).max_by(|&i, &j| a[i][c].abs().total_cmp(&a[j][c].abs())).unwrap();
        a.swap(c, pivot);
        b.swap(c, pivot);
        for r in c + 1..n {
            let m = a[r][c] / a[c][c];
            for k in c..n {
                a[r][k] -= m * a[c][k];
            }
            b[r] -= m * b[c];
        }
    }
    for r in (0..n).rev() {
        let known: f64 = (r + 1..n).map(|k| a[r][k] * b[k]).sum();
        b[r] = (b[r] - known) / a[r][r];
    }
    b
}

/// Numbers in −1 … 1 that depend on the seed only.
fn noise(seed: u64) -> impl FnMut() -> f64 {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }
}

fn largest_difference(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

proptest! {
    #[test]
    fn lu_agrees_with_dense_elimination(size in 1usize..40, below in 0usize..5, above in 0usize..5, seed in any::<u64>()) {
        let mut next = noise(seed);
        let mut band = BandMatrix::zero(size, below, above);
        let mut dense = vec![vec![0.0; size]; size];
        for i in 0..size {
            for j in i.saturating_sub(below)..(i + above + 1).min(size) {
                // No dominance: pivoting is needed. The small push keeps most draws away from singular.
                let value = next() + if i == j { 0.3 } else { 0.0 };
                band.add(i, j, value);
                dense[i][j] = value;
            }
        }
        let b: Vec<f64> = (0..size).map(|_| next()).collect();
        if let Ok(lu) = BandLu::factor(&band) {
            let mut x = b.clone();
            lu.solve(&mut x).unwrap();
            let expected = dense_solve(dense, b.clone());
            let largest = expected.iter().fold(1.0_f64, |m, v| m.max(v.abs()));
            // Random draws reach condition numbers of 1e6 or so: |x| up to 1e6, and as many digits lost again.
            prop_assume!(largest < 1e5);
            prop_assert!(largest_difference(&x, &expected) < 1e-8 * largest);
            prop_assert!(largest_difference(&band.multiply(&x).unwrap(), &b) < 1e-9 * largest);
        }
    }

    #[test]
    fn cholesky_agrees_with_dense_elimination(size in 1usize..40, half in 0usize..5, seed in any::<u64>()) {
        let mut next = noise(seed);
        let mut band = SymmetricBand::zero(size, half);
        let mut dense = vec![vec![0.0; size]; size];
        for i in 0..size {
            for j in i.saturating_sub(half)..=i {
                // Diagonally dominant, so positive definite.
                let value = if i == j { 2.0 * half as f64 + 1.0 + next() * 0.5 } else { next() };
                band.add(i, j, value);
                dense[i][j] = value;
                dense[j][i] = value;
            }
        }
        let b: Vec<f64> = (0..size).map(|_| next()).collect();
        let mut x = b.clone();
        BandCholesky::factor(band).unwrap().solve(&mut x).unwrap();
        prop_assert!(largest_difference(&x, &dense_solve(dense, b)) < 1e-11);
    }
}

#[test]
fn a_zero_on_the_diagonal_needs_an_exchange_and_gets_one() {
    let mut band = BandMatrix::zero(2, 1, 1);
    band.add(0, 1, 2.0);
    band.add(1, 0, 4.0);
    let mut x = vec![6.0, 8.0];
    BandLu::factor(&band).unwrap().solve(&mut x).unwrap();
    assert_eq!(x, [2.0, 3.0]);
}

#[test]
fn the_string_under_constant_load_hangs_in_a_parabola() {
    // −x″ = 1 with x = 0 at both ends: x = s(1 − s)/2, which second differences reproduce exactly.
    let (size, step) = (99, 0.01);
    let mut band = BandMatrix::zero(size, 1, 1);
    for i in 0..size {
        band.add(i, i, 2.0 / (step * step));
        for j in [i.wrapping_sub(1), i + 1] {
            if j < size {
                band.add(i, j, -1.0 / (step * step));
            }
        }
    }
    let mut x = vec![1.0; size];
    BandLu::factor(&band).unwrap().solve(&mut x).unwrap();
    for (i, x) in x.iter().enumerate() {
        let s = (i + 1) as f64 * step;
        assert!((x - 0.5 * s * (1.0 - s)).abs() < 1e-13, "{i}");
    }
}

#[test]
fn singular_and_indefinite_matrices_and_wrong_lengths_are_named() {
    let mut singular = BandMatrix::zero(3, 1, 1);
    singular.add(0, 0, 1.0);
    singular.add(2, 2, 1.0);
    assert!(matches!(BandLu::factor(&singular), Err(NumericsError::Singular { row: 1, .. })));
    let mut indefinite = SymmetricBand::zero(2, 1);
    indefinite.add(0, 0, 1.0);
    indefinite.add(1, 0, 2.0);
    indefinite.add(1, 1, 1.0);
    assert!(matches!(BandCholesky::factor(indefinite), Err(NumericsError::NotPositiveDefinite { row: 1, .. })));
    let mut one = BandMatrix::zero(1, 0, 0);
    one.add(0, 0, 1.0);
    let lu = BandLu::factor(&one).unwrap();
    assert_eq!(lu.solve(&mut [1.0, 2.0]), Err(NumericsError::Length { expected: 1, found: 2 }));
    let nan = {
        let mut nan = BandMatrix::zero(1, 0, 0);
        nan.add(0, 0, f64::NAN);
        nan
    };
    assert!(BandLu::factor(&nan).is_err());
}
