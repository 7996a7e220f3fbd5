//! What the report and the score are computed from, gathered once.

use super::InspectOptions;
use super::rows::{rows_in_spans, rows_within};
use super::support::Support;
use crate::contacts::{ContactAnalysis, Paths, Subject, Traces};
use aplomb_motion::{Clip, Roles};
use aplomb_physics::Body;
use glam::DVec3;
use std::ops::Range;

/// One row a frame of the motion; a stray first frame has no row. Times are seconds by the clock that was used.
///
/// Lists of effectors are in the order of [`ContactAnalysis::effectors`].
pub(crate) struct Evidence<'a> {
    /// As it was read: the header's clock, all frames.
    pub clip: &'a Clip,
    pub roles: &'a Roles,
    pub body: &'a Body,
    pub options: &'a InspectOptions,
    /// With all `other` spans.
    pub contacts: &'a ContactAnalysis,
    /// The file's frame of row 0: 1 after a stray first frame, else 0.
    pub first_frame: usize,
    /// From the file's first frame.
    pub times_secs: Vec<f64>,
    /// Raw but for bridged spikes.
    pub com_m: Vec<DVec3>,
    /// Per effector and row; raw but for bridged spikes.
    pub points_m: Vec<Vec<DVec3>>,
    /// Where points of each effector's kind stand most of the time, over [`crate::Ground`]; `None` for hands, named
    /// points and what never stands.
    pub standing_m: Vec<Option<f64>>,
    /// Points and centre of mass at 100 Hz or more (a natural spline through the frames where they are fewer); `None`
    /// for fewer than two frames. Contacts and flights were found on these.
    pub even: Option<Paths>,
    /// Per effector and row: whether the point is down.
    pub is_down: Vec<Vec<bool>>,
    /// Carried by something unmodelled: within a span of [`ContactAnalysis::other`].
    pub is_other: Vec<bool>,
}

impl<'a> Evidence<'a> {
    pub(super) fn gather(
        subject: &Subject<'a>,
        options: &'a InspectOptions,
        contacts: &'a ContactAnalysis,
        traces: Traces,
        support: &Support,
    ) -> Self {
        let rows = traces.times_secs.len();
        let other = contacts.other.iter().map(|span| (span.start_secs, span.end_secs));
        Self {
            clip: subject.clip,
            roles: subject.roles,
            body: subject.body,
            options,
            contacts,
            first_frame: usize::from(contacts.stray_first_frame),
            is_other: match contacts.effectors.is_empty() || traces.even.is_none() {
                // It is not known what carries the body, so nothing is judged.
                true => vec![true; rows],
                false => rows_in_spans(&traces.times_secs, other),
            },
            is_down: support.is_down.clone(),
            times_secs: traces.times_secs,
            com_m: traces.com_m,
            points_m: traces.points_m,
            standing_m: traces.standing_m,
            even: traces.even,
        }
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.times_secs.len()
    }

    /// Rows from one time to another, both included.
    pub fn rows_within(&self, start_secs: f64, end_secs: f64) -> Range<usize> {
        rows_within(&self.times_secs, start_secs, end_secs)
    }
}
