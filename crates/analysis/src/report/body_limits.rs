//! What captures of people show, and what is beyond it: the limits that were set by data.

/// From where on a fault counts, and where it costs half of the score.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limit {
    /// No loss up to this.
    pub allowance: f64,
    /// Half of the score is lost here.
    pub half: f64,
}

impl Limit {
    const fn new(allowance: f64, half: f64) -> Self {
        Self { allowance, half }
    }

    /// ((x − a) / (h − a))², 0 within the allowance.
    pub(crate) fn cost(self, size: f64) -> f64 {
        cost(size, self.allowance, self.half)
    }

    /// Both, so many times as large.
    #[must_use]
    pub fn scaled(self, factor: f64) -> Self {
        Self::new(self.allowance * factor, self.half * factor)
    }
}

/// The limits of the body's faults that no anatomy tells. `verdict_proof --held-out` sets each from other people and
/// scores those that were left out (docs/analysis/score.md).
#[derive(Clone, Debug, PartialEq)]
pub struct BodyLimits {
    /// Change of a joint's turn from frame to frame, at 120 Hz, degrees.
    pub turn_pop_deg: Limit,
    /// Second difference of a joint's place, at 120 Hz, mm.
    pub place_pop_mm: Limit,
    /// Turn of a forearm about itself, °/s. People turn theirs at 600 to 700 °/s while the hand stays.
    pub forearm_deg_per_sec: Limit,
    /// Stands over the plane of all stands, m.
    pub float_m: Limit,
    /// Stands under it, m: soles give way, and feet that roll dip.
    pub sink_m: Limit,
    /// What a run of stands drifts all alike, m/s.
    pub drift_m_per_sec: Limit,
    /// What two feet that stand at once slide all alike, m/s.
    pub both_drift_m_per_sec: Limit,
    /// Factor of all ranges of joints, 1.
    pub ranges: f64,
}

impl Default for BodyLimits {
    fn default() -> Self {
        Self {
            turn_pop_deg: Limit::new(20.0, 50.0),
            place_pop_mm: Limit::new(60.0, 150.0),
            forearm_deg_per_sec: Limit::new(750.0, 950.0),
            float_m: Limit::new(0.017, 0.027),
            sink_m: Limit::new(0.030, 0.045),
            drift_m_per_sec: Limit::new(0.036, 0.051),
            both_drift_m_per_sec: Limit::new(0.040, 0.055),
            ranges: 1.0,
        }
    }
}

/// t = (max(0, x − a) / (h − a))².
pub(crate) fn cost(size: f64, allowance: f64, half: f64) -> f64 {
    let excess = (size - allowance).max(0.0) / (half - allowance);
    excess * excess
}
