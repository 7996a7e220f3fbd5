use super::*;

fn noise(seed: u64) -> impl FnMut() -> f64 {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }
}

/// A chain of blocks with rows over neighbours, bounds and longer inequalities, feasible by construction.
fn chain(blocks: usize, width: usize, seed: u64) -> BandQp {
    let mut next = noise(seed);
    let size = blocks * width;
    let mut hessian = SymmetricProfile::zero((0..size).map(|row| row.saturating_sub(width)).collect());
    for row in 0..size {
        hessian.add(row, row, 1.0 + next().abs());
        if row >= width {
            hessian.add(row, row - width, 0.3 * next());
        }
    }
    let gradient = (0..size).map(|_| 2.0 * next()).collect();
    let inside: Vec<f64> = (0..size).map(|_| next()).collect();
    let (mut equal, mut least) = (Rows::default(), Rows::default());
    for block in 0..blocks - 1 {
        for _ in 0..width / 2 {
            let numbers: Vec<f64> = (0..2 * width).map(|_| next()).collect();
            let right = numbers.iter().zip(&inside[block * width..]).map(|(a, b)| a * b).sum();
            equal.push(block * width, &numbers, right);
        }
        for slot in 0..width {
            let at = block * width + slot;
            least.push(at, &[1.0], inside[at] - 0.2 * (1.0 + next()));
        }
        let numbers: Vec<f64> = (0..2 * width).map(|_| next()).collect();
        let reached: f64 = numbers.iter().zip(&inside[block * width..]).map(|(a, b)| a * b).sum();
        least.push(block * width, &numbers, reached - 0.1);
    }
    BandQp { hessian, gradient, equal, least }
}

fn assert_optimal(qp: &BandQp, solution: &QpSolution) {
    assert_eq!(solution.status, QpStatus::Solved);
    let mut dual = qp.gradient.clone();
    qp.hessian.add_times(&solution.x, &mut dual);
    for row in 0..qp.equal.len() {
        qp.equal.add_transposed(row, -solution.equal_multipliers[row], &mut dual);
        assert!((qp.equal.dot(row, &solution.x) - qp.equal.right[row]).abs() < 1e-8);
    }
    for row in 0..qp.least.len() {
        let (slack, multiplier) =
            (qp.least.dot(row, &solution.x) - qp.least.right[row], solution.least_multipliers[row]);
        qp.least.add_transposed(row, -multiplier, &mut dual);
        assert!(slack > -1e-8 && multiplier > -1e-8, "row {row}: slack {slack}, multiplier {multiplier}");
        // Products end at 1e-10 in scaled unknowns.
        assert!(slack * multiplier < 1e-7, "row {row}: slack {slack}, multiplier {multiplier}");
    }
    let off = dual.iter().fold(0.0, |most: f64, value| most.max(value.abs()));
    assert!(off < 1e-7, "W x + g is off Eᵀy + Cᵀz by {off}");
}

#[test]
fn both_methods_end_at_the_same_optimum() {
    for seed in 1..12 {
        let qp = chain(9, 6, seed);
        let inside = qp.solve_by_interior_point().unwrap();
        assert_optimal(&qp, &inside);
        let usual = qp.solve(&[]).unwrap();
        assert_optimal(&qp, &usual);
        let apart = inside.x.iter().zip(&usual.x).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(apart < 1e-5, "seed {seed}: {apart} apart");
        let again = qp.solve(&usual.active).unwrap();
        assert!(usual.by_interior_point || again.factorisations == 1, "a warm start takes one factorisation");
    }
}

#[test]
fn rows_that_say_the_same_twice_do_no_harm() {
    let mut qp = chain(6, 6, 3);
    let (start, numbers) = qp.equal.row(2);
    let (numbers, right) = (numbers.to_vec(), qp.equal.right[2]);
    qp.equal.push(start, &numbers, right);
    assert_eq!(qp.solve(&[]).unwrap().status, QpStatus::Solved);
}

#[test]
fn contradictions_are_told() {
    let mut qp = chain(6, 6, 4);
    let (start, numbers) = qp.equal.row(2);
    let (numbers, right) = (numbers.to_vec(), qp.equal.right[2]);
    qp.equal.push(start, &numbers, right + 1.0);
    assert_eq!(qp.solve(&[]).unwrap().status, QpStatus::Infeasible);
}
