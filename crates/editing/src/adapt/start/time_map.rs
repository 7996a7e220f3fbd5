//! Times of a motion whose flights last longer or shorter, or that is held for a while.

/// Longer flights: times and what they become. Poses pass through a stretched flight slowest in its middle and at the
/// clip's own pace at both ends: at one pace throughout, joints would turn slower all at once at lift-off and faster at
/// touchdown, and adaptations keep such jolts.
#[derive(Clone, Debug)]
pub struct TimeMap {
    pairs: Vec<(f64, f64)>,
}

/// Of the mean pace, what the middle of a flight that gets shorter may go at most beyond it.
const EASED: f64 = 0.5;

impl TimeMap {
    /// Each flight lasts as many times longer as its factor says.
    pub fn stretching(flights: &[(f64, f64)], factors: &[f64], end_secs: f64) -> Self {
        let mut pairs = vec![(0.0, 0.0)];
        let mut added = 0.0;
        for (&(from, to), factor) in flights.iter().zip(factors) {
            pairs.push((from, from + added));
            added += (factor - 1.0) * (to - from);
            pairs.push((to, to + added));
        }
        pairs.push((end_secs, end_secs + added));
        pairs.dedup_by(|b, a| b.0 - a.0 < 1e-9);
        Self { pairs }
    }

    /// The moment at which the motion is held, for so long.
    pub fn holding(at_secs: f64, secs: f64) -> Self {
        Self { pairs: vec![(0.0, 0.0), (at_secs, at_secs), (at_secs, at_secs + secs)] }
    }

    pub fn new_secs(&self, old_secs: f64) -> f64 {
        let (from, to) = self.piece(|pair| old_secs < pair.0);
        let (old, new) = (to.0 - from.0, to.1 - from.1);
        if old <= 0.0 {
            return from.1;
        }
        let share = (old_secs - from.0) / old;
        if !(0.0..=1.0).contains(&share) {
            return from.1 + share * new;
        }
        from.1 + eased(share, old, new)
    }

    pub fn old_secs(&self, new_secs: f64) -> f64 {
        let (from, to) = self.piece(|pair| new_secs < pair.1);
        let (old, new) = (to.0 - from.0, to.1 - from.1);
        if new <= 0.0 {
            return from.0;
        }
        if old <= 0.0 || (old - new).abs() < 1e-12 || new_secs <= from.1 || new_secs >= to.1 {
            return from.0 + (new_secs - from.1) * old / new;
        }
        // Time goes on: halving finds the moment to the last bit, whatever the stretch.
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            *(if from.1 + eased(middle, old, new) < new_secs { &mut low } else { &mut high }) = middle;
        }
        from.0 + 0.5 * (low + high) * old
    }

    /// At one pace through every flight: for knots, and for what flies by itself.
    pub fn even(&self, at: f64, read: impl Fn(&(f64, f64)) -> (f64, f64)) -> f64 {
        let (from, to) = self.piece(|pair| at < read(pair).0);
        let ((a, b), (c, d)) = (read(&from), read(&to));
        if c > a { b + (at - a) * (d - b) / (c - a) } else { b }
    }

    /// Both ends of the first piece whose end lies beyond what is looked for, or of the last one.
    fn piece(&self, is_beyond: impl Fn(&(f64, f64)) -> bool) -> ((f64, f64), (f64, f64)) {
        let last = self.pairs.len() - 1;
        let index = (1..last).find(|&index| is_beyond(&self.pairs[index])).unwrap_or(last);
        (self.pairs[index - 1], self.pairs[index])
    }
}

/// New time since the start of a piece, at a share of its old time: s + (f − 1) h(s) in old lengths, h being
/// [`smooth_step`].
fn eased(s: f64, old: f64, new: f64) -> f64 {
    let more = new - old;
    // A flight that gets much shorter goes partly at one pace, so that time never stands still: h is 15/8 as steep in
    // the middle as on average.
    let most = if more < 0.0 { EASED * new / (0.875 * -more) } else { 1.0 };
    let ease = most.min(1.0);
    s * old + more * (s + ease * (smooth_step(s) - s))
}

/// From 0 to 1 with neither rate nor second derivative at its ends: accelerations do not jump.
pub fn smooth_step(s: f64) -> f64 {
    s * s * s * (10.0 + s * (6.0 * s - 15.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_maps_stretch_flights_only_and_go_back() {
        let map = TimeMap::stretching(&[(1.0, 1.4), (2.0, 2.2)], &[1.5, 1.0], 3.0);
        for (old, new) in [(0.5, 0.5), (1.0, 1.0), (1.2, 1.3), (1.4, 1.6), (2.0, 2.2), (3.0, 3.2)] {
            assert!((map.new_secs(old) - new).abs() < 1e-12, "{old} becomes {}", map.new_secs(old));
            assert!((map.old_secs(new) - old).abs() < 1e-12);
        }
    }

    #[test]
    fn time_goes_on_and_keeps_its_pace_at_the_ends_of_flights() {
        for factor in [0.2, 0.7, 1.15, 3.0] {
            let map = TimeMap::stretching(&[(1.0, 1.4)], &[factor], 2.0);
            let end = map.new_secs(2.0);
            assert!((end - 2.0 - 0.4 * (factor - 1.0)).abs() < 1e-12);
            let step = end / 2000.0;
            let mut before: Option<f64> = None;
            for index in 0..2000 {
                let secs = step * index as f64;
                let old = map.old_secs(secs);
                assert!((map.new_secs(old) - secs).abs() < 1e-9, "{secs} s, {factor} times as long");
                let pace = (map.old_secs(secs + step) - old) / step;
                assert!(pace > 0.0, "time stands still at {secs} s, {factor} times as long");
                // Flights that are not cut to a fifth change their pace by little from one millisecond to the next.
                let jump = before.map_or(0.0, |before| (pace - before).abs());
                assert!(factor < 0.5 || jump < 0.02, "pace jumps by {jump} at {secs} s, {factor} times as long");
                before = Some(pace);
            }
        }
    }
}
