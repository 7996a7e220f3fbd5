//! What position channels mean: do they replace the OFFSET or add to it, and do they move at all?

use super::codes;
use super::hierarchy::JointSource;
use super::rows::Rows;
use super::scan::Report;
use crate::diagnostic::Diagnostic;
use crate::options::PositionSemantics;
use aplomb_motion::{Axis, Channel};
use glam::DVec3;

/// Where a joint's local translation comes from, in file units and axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Translation {
    /// It does not move: the offset of the skeleton.
    Fixed { offset: DVec3 },
    /// It moves, frame by frame; `rest` is what the skeleton shows without the motion.
    Animated { rest: DVec3 },
}

/// Row indices of a joint's position channels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct PositionColumns(pub [Option<usize>; 3]);

impl PositionColumns {
    pub fn of(joint: &JointSource) -> Self {
        Self(Axis::ALL.map(|axis| joint.column_of(Channel::Position(axis))))
    }

    pub fn any(&self) -> bool {
        self.0.iter().any(Option::is_some)
    }

    /// The local translation of one row: the OFFSET with each component replaced by (or added to) its channel.
    #[inline]
    pub fn translation(&self, row: &[f64], offset: DVec3, adds: bool) -> DVec3 {
        let component = |axis: usize| match self.0[axis] {
            Some(column) if adds => offset[axis] + row[column],
            Some(column) => row[column],
            None => offset[axis],
        };
        DVec3::new(component(0), component(1), component(2))
    }
}

/// The OFFSET in file units.
pub(super) fn offset_of(joint: &JointSource) -> DVec3 {
    DVec3::from_array(joint.offset.map(|number| number.value))
}

/// Whether position channels are added to the OFFSET.
///
/// Over inner joints with position channels and an OFFSET: if the channels are near zero (median below 1 % of the
/// OFFSET) where a replacing file would repeat the OFFSET (and so far from it, by more than 50 %), the file is
/// additive.
pub(super) fn adds(joints: &[JointSource], rows: &Rows, asked: PositionSemantics, report: &mut Report) -> bool {
    match asked {
        PositionSemantics::Replace => return false,
        PositionSemantics::Add => return true,
        PositionSemantics::Detect => {}
    }
    // A median does not need every frame.
    const SAMPLES: usize = 64;
    let frames = rows.starts.len();
    let step = frames.div_ceil(SAMPLES).max(1);
    let (mut sizes, mut distances) = (Vec::new(), Vec::new());
    for joint in joints.iter().filter(|joint| joint.parent.is_some()) {
        let columns = PositionColumns::of(joint);
        let has_channel = DVec3::from_array(columns.0.map(|column| f64::from(u8::from(column.is_some()))));
        let offset = offset_of(joint) * has_channel;
        if !columns.any() || offset.length() <= 1e-6 {
            continue;
        }
        for row in rows.values.chunks_exact(rows.columns.max(1)).step_by(step) {
            let channels = columns.translation(row, DVec3::ZERO, false);
            sizes.push(channels.length() / offset.length());
            distances.push((channels - offset).length() / offset.length());
        }
    }
    let (Some(size), Some(distance)) = (median(&mut sizes), median(&mut distances)) else { return false };
    let adds = size < 0.01 && distance > 0.5;
    if adds {
        let found = format!("inner position channels of {:.2} % of the OFFSET (median)", 100.0 * size);
        let warning = Diagnostic::warning(codes::ADDITIVE, "channels that repeat the OFFSET", found);
        report.say(warning.hint("they are added to it; {bvh-position=replace} forces the usual reading"));
    }
    adds
}

fn median(values: &mut [f64]) -> Option<f64> {
    let middle = values.len() / 2;
    (!values.is_empty()).then(|| *values.select_nth_unstable_by(middle, f64::total_cmp).1)
}

/// Finds the joints whose translation really moves.
///
/// Many exporters write position channels for every joint and repeat the bone there in each frame; those are offsets,
/// not motion. A value counts as constant if it stays within one unit of its column's last decimal, because a constant
/// that was computed in single precision flips between two neighbouring decimals when it is printed; columns with fewer
/// than three decimals are left out of that rule, there one unit can be real. Files printed with six significant digits
/// show the same noise as 3.55e-15 beside a bone of 40, so a millionth of the longest bone counts as constant as well.
/// Roots keep their track even when they stand still.
pub(super) fn find(joints: &[JointSource], rows: &Rows, adds: bool) -> Vec<Translation> {
    let stride = rows.columns.max(1);
    let mut candidates: Vec<(usize, PositionColumns)> = Vec::new();
    let mut found: Vec<Translation> = Vec::with_capacity(joints.len());
    for (index, joint) in joints.iter().enumerate() {
        let columns = PositionColumns::of(joint);
        let offset = offset_of(joint);
        let is_root = joint.parent.is_none();
        let first = rows.values.get(..stride).filter(|_| rows.columns > 0);
        found.push(match first {
            Some(_) if columns.any() && is_root => Translation::Animated { rest: offset },
            Some(first) if columns.any() => {
                candidates.push((index, columns));
                Translation::Fixed { offset: columns.translation(first, offset, adds) }
            }
            // A root without a frame still travels in principle: it keeps a track at its OFFSET.
            None if columns.any() && is_root => Translation::Animated { rest: offset },
            _ => Translation::Fixed { offset },
        });
    }
    let bone = |&(joint, _): &(usize, PositionColumns)| match found[joint] {
        Translation::Fixed { offset } | Translation::Animated { rest: offset } => offset.length(),
    };
    let noise = 1e-6 * candidates.iter().map(bone).fold(0.0, f64::max);
    let mut spans: Vec<ConstantColumn> = Vec::new();
    for &(joint, columns) in &candidates {
        for column in columns.0.into_iter().flatten() {
            let value = rows.values[column];
            let decimals = rows.decimals[column];
            // The difference of two neighbouring decimals is one unit only up to rounding in binary.
            let unit = if decimals < 3 { 0.0 } else { 10f64.powi(-i32::from(decimals)) * (1.0 + 1e-6) };
            let tolerance = unit.max(noise);
            spans.push(ConstantColumn { joint, column, lowest: value, highest: value, tolerance });
        }
    }
    for row in rows.values.chunks_exact(stride) {
        if spans.is_empty() {
            break;
        }
        // Columns that are seen to move are not looked at again.
        spans.retain_mut(|span| {
            let stays = span.stays(row[span.column]);
            if !stays {
                let joint = &joints[span.joint];
                found[span.joint] = Translation::Animated { rest: offset_of(joint) };
            }
            stays
        });
    }
    for &(index, columns) in &candidates {
        let joint = &joints[index];
        if let Translation::Animated { rest } = &mut found[index]
            && *rest == DVec3::ZERO
        {
            // Converters that leave every OFFSET at zero: the bone is what the channels say on average.
            let sum: DVec3 =
                rows.values.chunks_exact(stride).map(|row| columns.translation(row, offset_of(joint), adds)).sum();
            *rest = sum / rows.starts.len().max(1) as f64;
        }
    }
    found
}

struct ConstantColumn {
    joint: usize,
    column: usize,
    lowest: f64,
    highest: f64,
    tolerance: f64,
}

impl ConstantColumn {
    #[inline]
    fn stays(&mut self, value: f64) -> bool {
        self.lowest = self.lowest.min(value);
        self.highest = self.highest.max(value);
        self.highest - self.lowest <= self.tolerance
    }
}
