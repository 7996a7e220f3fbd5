//! Velocity of the centre of mass from phase to phase (section 6), and the curve that takes up its jump after a
//! landing.

use super::BlendSpace;
use super::placing::Placing;
use super::timing::Timing;
use glam::DVec3;

/// The velocity jump of a landing is made up for over this long, s.
const FACING_SECS: f64 = 0.3;

/// The curve that takes up the jump of the centre of mass's velocity after a landing: −Δv·τx(1−x)², x = time/τ. It
/// begins with the slope −Δv and ends level, inside the contact; the feet do not move.
pub(super) struct ComShifts {
    /// By phase: jump of velocity, and over how long it is made up for.
    jumps: Vec<Option<(DVec3, f64)>>,
}

impl ComShifts {
    pub fn new(space: &BlendSpace, weights: &[f64], timing: &Timing, placing: &Placing) -> Self {
        let mut jumps = vec![None; space.matched.kinds.len()];
        if space.options.smooth_facing {
            for landing in &placing.landings {
                let phase = landing.phase;
                let jump = space.velocity_jump(phase, weights, timing, placing).0;
                let over_secs = FACING_SECS.min(timing.durations_secs[phase]);
                jumps[phase] = Some((jump, over_secs));
            }
        }
        Self { jumps }
    }

    pub fn at(&self, phase: usize, into_secs: f64) -> DVec3 {
        match self.jumps[phase] {
            Some((jump, over_secs)) if into_secs < over_secs => {
                let x = into_secs / over_secs;
                jump * (-over_secs * x * (1.0 - x) * (1.0 - x))
            }
            _ => DVec3::ZERO,
        }
    }
}

impl BlendSpace {
    /// Jump of the centre of mass's velocity at the start of a phase, m/s: all of it, and what different time scales
    /// alone make.
    pub(super) fn velocity_jump(
        &self,
        phase: usize,
        weights: &[f64],
        timing: &Timing,
        placing: &Placing,
    ) -> (DVec3, DVec3) {
        let (mut whole, mut of_timing) = (DVec3::ZERO, DVec3::ZERO);
        for (clip, (source, weight)) in self.sources.iter().zip(weights).enumerate() {
            let velocity = source.com_velocity(self.matched.keys_secs[clip][phase]) * *weight;
            let before = timing.rate(phase - 1, clip, timing.durations_secs[phase - 1]);
            let after = timing.rate(phase, clip, 0.0);
            let [turn_before, turn_after] = [phase - 1, phase].map(|it| placing.moves[it][clip].rotation());
            whole += turn_after * velocity * after - turn_before * velocity * before;
            of_timing += turn_before * velocity * (after - before);
        }
        (whole, of_timing)
    }
}
