//! The highest or lowest value around each sample.

use std::collections::VecDeque;

/// The extreme of each window of ±`radius` samples, in linear time; `wins(a, b)` says that a makes b superfluous.
pub(crate) fn running_extreme(values: &[f64], radius: usize, wins: fn(f64, f64) -> bool) -> Vec<f64> {
    let mut output = vec![0.0; values.len()];
    running_extreme_into(values, radius, wins, &mut VecDeque::new(), &mut output);
    output
}

/// [`running_extreme`] without allocation once the queue has grown.
pub(super) fn running_extreme_into(
    values: &[f64],
    radius: usize,
    wins: fn(f64, f64) -> bool,
    candidates: &mut VecDeque<usize>,
    output: &mut [f64],
) {
    candidates.clear();
    let mut next = 0;
    for (centre, extreme) in output.iter_mut().enumerate() {
        while next < values.len() && next <= centre + radius {
            while candidates.back().is_some_and(|&last| wins(values[next], values[last])) {
                candidates.pop_back();
            }
            candidates.push_back(next);
            next += 1;
        }
        while candidates.front().is_some_and(|&first| first + radius < centre) {
            candidates.pop_front();
        }
        *extreme = candidates.front().map_or(values[centre], |&best| values[best]);
    }
}
