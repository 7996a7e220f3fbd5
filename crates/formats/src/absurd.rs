//! Numbers that no motion has stop here, in every format: one rule, one message.
//!
//! One value of 1e200 is a slip of a program. It is finite, so readers can hold it, but squares and differences of it
//! are not, and every mean over it is worthless. Who works with a clip may rely on it that places are human.

use crate::diagnostic::{Diagnostic, shown};
use aplomb_motion::Clip;
use aplomb_motion::markers::MarkerSet;
use glam::DVec3;

/// No capture goes farther than 100 km, from the origin or from joint to joint, m.
pub(crate) const FARTHEST_M: f64 = 1e5;

/// Angles, times and forces beyond this have lost every digit that says something: a double resolves 1e-4 here.
pub(crate) const LARGEST: f64 = 1e12;

/// A number that no motion has.
pub(crate) struct Absurd {
    expected: &'static str,
    found: String,
    whose: String,
    advice: &'static str,
    /// From 0; none where it holds for the whole file.
    pub frame: Option<usize>,
}

impl Absurd {
    /// A place, if it is too far away.
    pub fn place(place_m: DVec3, whose: impl FnOnce() -> String, frame: Option<usize>) -> Option<Self> {
        // The length overflows before the numbers do.
        let far_m = Some(place_m.length()).filter(|far_m| far_m.is_finite()).unwrap_or(place_m.abs().max_element());
        (far_m.is_nan() || far_m > FARTHEST_M).then(|| Self {
            expected: "a place within 1e5 m of its parent or the origin",
            found: format!("{far_m:.3e} m"),
            advice: "correct the value in the file, or give the unit that its lengths are in",
            whose: whose(),
            frame,
        })
    }

    /// Any other number, if it is too large.
    pub fn number(value: f64, whose: impl FnOnce() -> String, frame: Option<usize>) -> Option<Self> {
        (value.is_nan() || value.abs() > LARGEST).then(|| Self {
            expected: "a number within 1e12",
            found: format!("{value:.3e}"),
            advice: "correct the value in the file",
            whose: whose(),
            frame,
        })
    }

    /// The first in the rows of a file; `whose` names a column.
    pub fn in_rows<'a>(rows: impl Iterator<Item = &'a [f64]>, whose: impl Fn(usize) -> String) -> Option<Self> {
        rows.enumerate().find_map(|(frame, row)| {
            let column = row.iter().position(|value| value.abs() > LARGEST)?;
            Self::number(row[column], || whose(column), Some(frame))
        })
    }

    /// The first marker that is too far away.
    pub fn in_markers(markers: &MarkerSet) -> Option<Self> {
        let frames = markers.positions_m.chunks_exact(markers.names.len().max(1));
        frames.enumerate().find_map(|(frame, places_m)| {
            let far =
                |(place_m, name): (&Option<DVec3>, &String)| Self::place((*place_m)?, || marker(name), Some(frame));
            places_m.iter().zip(&markers.names).find_map(far)
        })
    }

    /// The first joint that is too far from its parent or the origin.
    pub fn in_clip(clip: &Clip) -> Option<Self> {
        let joints = clip.skeleton().joints();
        let name = |name: &str| format!("joint {}", shown(name.as_bytes()));
        let mut offsets = joints.iter().flat_map(|joint| {
            let ends = joint.end_sites.iter().map(|end| end.offset_m);
            std::iter::once(joint.offset_m).chain(ends).map(move |offset_m| (joint, offset_m))
        });
        let far = offsets.find_map(|(joint, offset_m)| Self::place(offset_m, || name(&joint.name), None));
        far.or_else(|| {
            clip.tracks().iter().find_map(|track| {
                let whose = || name(&clip.skeleton().joint(track.joint).name);
                let mut places_m = track.positions_m.iter().enumerate();
                places_m.find_map(|(frame, place_m)| Self::place(*place_m, whose, Some(frame)))
            })
        })
    }

    /// The message, without a line.
    pub fn diagnostic(&self) -> Diagnostic {
        let Self { expected, found, whose, frame, advice } = self;
        let when = frame.map_or(String::new(), |frame| format!(", frame {frame}"));
        Diagnostic::error("IMP-E005", *expected, format!("{found} ({whose}{when})")).hint(*advice)
    }
}

/// A marker in a message.
pub(crate) fn marker(name: &str) -> String {
    format!("marker {}", shown(name.as_bytes()))
}
