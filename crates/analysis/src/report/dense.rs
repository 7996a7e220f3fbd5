//! Links, support and friction at 100 Hz or more.
//!
//! Contacts begin and end between frames. At 30 Hz a runner's stance is six frames, and whether the one at its edge
//! counts decides the mean of a short clip. So what is smoothed, differentiated and averaged over time is looked at
//! where contacts were found: at even samples of a spline through the frames, where those are fewer.

use super::InspectOptions;
use super::forces::Forces;
use super::rows::rows_in_spans;
use super::support::{Support, supports};
use crate::contacts::{ContactAnalysis, Traces};

/// One entry a sample.
pub(crate) struct DenseSupport {
    /// F_v / (Mg).
    pub load: Vec<Option<f64>>,
    /// |F along the ground| / F into it.
    pub friction_ratio: Vec<Option<f64>>,
    /// Missing support, m.
    pub error_m: Vec<Option<f64>>,
    /// No point is down.
    pub is_airborne: Vec<bool>,
    /// Carried by something unmodelled.
    pub is_other: Vec<bool>,
}

impl DenseSupport {
    /// At the samples of the even paths, where forces are known there; else at the frames.
    pub(super) fn of(
        contacts: &ContactAnalysis,
        traces: &Traces,
        (forces, dense_forces): &(Forces, Option<Forces>),
        support: &Support,
        options: &InspectOptions,
    ) -> Self {
        let is_other = |times_secs: &[f64]| {
            rows_in_spans(times_secs, contacts.other.iter().map(|span| (span.start_secs, span.end_secs)))
        };
        let (Some(even), Some(dense_forces)) = (&traces.even, dense_forces) else {
            return Self {
                load: forces.load.clone(),
                friction_ratio: forces.friction_ratio.clone(),
                error_m: support.error_m.clone(),
                is_airborne: support.is_airborne.clone(),
                is_other: is_other(&traces.times_secs),
            };
        };
        let times_secs = even.times_secs();
        let dense = supports(contacts, &times_secs, &even.points_m, true, dense_forces, options);
        Self {
            is_other: is_other(&times_secs),
            load: dense_forces.load.clone(),
            friction_ratio: dense_forces.friction_ratio.clone(),
            error_m: dense.error_m,
            is_airborne: dense.is_airborne,
        }
    }
}
