//! Whether anything pops: peak accelerations of joints against those of the clips.

use super::compared::Compared;
use super::guarantees::AccelerationGuarantee;
use super::source::BlendSource;
use crate::EditingError;
use aplomb_motion::kinematics::joint_positions_m;
use aplomb_motion::signal::derivative;
use aplomb_motion::signal::gaussian::Gaussian;
use glam::DVec3;

/// Unsmoothed peaks are noise of the capture, s.
const SMOOTHING_SECS: f64 = 0.05;
/// Filters and differences are one-sided at the ends, s.
const EDGE_SECS: f64 = 0.1;

impl Compared<'_> {
    pub fn acceleration(&self) -> Result<AccelerationGuarantee, EditingError> {
        let own = peaks(&self.written, 0.0, f64::MAX)?;
        let mut theirs = vec![0.0_f64; own.len()];
        for (clip, source, _) in self.counted() {
            let keys = &self.space.matched.keys_secs[clip];
            for (most, (peak, _)) in theirs.iter_mut().zip(peaks(source, keys[0], keys[keys.len() - 1])?) {
                *most = most.max(peak);
            }
        }
        let joints = self.space.figure.skeleton.joints();
        let mut worst = AccelerationGuarantee::default();
        for ((joint, (peak, secs)), input_peak) in joints.iter().zip(own).zip(theirs) {
            if input_peak > 0.0 && peak / input_peak > worst.ratio {
                let (joint, ratio) = (joint.name.clone(), peak / input_peak);
                worst = AccelerationGuarantee { joint, secs, peak, input_peak, ratio };
            }
        }
        Ok(worst)
    }
}

/// Of every joint, the largest acceleration between two times and when, m/s² and s.
fn peaks(source: &BlendSource, from_secs: f64, to_secs: f64) -> Result<Vec<(f64, f64)>, EditingError> {
    let joints = source.clip.skeleton().len();
    let step_secs = source.frame_time.secs();
    // What is blended, as if it were a clip of its own.
    let first = source.position(from_secs).round().max(0.0) as usize;
    let last = (source.position(to_secs).round() as usize).min(source.frames() - 1);
    let edge = (EDGE_SECS / step_secs).round() as usize;
    let filter = Gaussian::from_window_secs(SMOOTHING_SECS, step_secs)?;
    let places_m = joint_positions_m(&source.clip);
    let peak = |joint: usize| -> Result<(f64, f64), EditingError> {
        let way = places_m.iter().skip(joint).step_by(joints).skip(first).take((last + 1).saturating_sub(first));
        let way_m: Vec<DVec3> = way.copied().collect();
        let accelerations = derivative::second(&filter.smooth(&way_m), source.times()?);
        let inner = accelerations.iter().enumerate().take(way_m.len().saturating_sub(edge)).skip(edge);
        let largest = inner.map(|(frame, it)| (it.length(), frame)).max_by(|a, b| a.0.total_cmp(&b.0));
        Ok(largest.map_or((0.0, 0.0), |(peak, frame)| (peak, frame as f64 * step_secs)))
    };
    (0..joints).map(peak).collect()
}
