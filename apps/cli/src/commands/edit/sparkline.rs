//! Numbers as a line of bars.

/// Eighths of a cell, the largest full.
pub(super) fn sparkline(values: &[f64]) -> String {
    const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    let most = values.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
    values.iter().map(|value| BARS[((value / most * 7.0).round() as usize).min(7)]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_bar_is_full() {
        assert_eq!(sparkline(&[2.0, 1.0, 0.0]), "█▅▁");
        assert_eq!(sparkline(&[0.0, 0.0]), "▁▁");
    }
}
