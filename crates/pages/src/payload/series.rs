//! What the plots show, at the file's rate or 120 Hz at most.

use super::Budget;
use crate::input::ReportInput;
use crate::pack;
use aplomb_analysis::report::{PhaseKind, Series};
use aplomb_motion::FrameIndex;
use aplomb_physics::GRAVITY;
use glam::{DVec2, DVec3};
use serde::Serialize;
use std::collections::HashMap;

const MOST_SERIES_HZ: f64 = 120.0;
/// A convex hull of feet and hands has fewer; what has more is drawn with its first ones.
const MOST_CORNERS: usize = 32;
/// Corners are stored to the millimetre, so that a foot at rest is one polygon.
const CORNER_M: f64 = 1e-3;

/// Arrays in base64, one value a sample.
#[derive(Serialize)]
pub(super) struct PackedSeries {
    n: usize,
    /// Frame of the file of each sample is sample × stride.
    stride: usize,
    t: String,
    /// 0 unknown, 1 flight, 2 left, 3 right, 4 double, 5 other.
    kind: String,
    com: [String; 3],
    velocity: [String; 3],
    momentum: [String; 3],
    /// Vertical force over weight.
    load: String,
    zmp_distance: String,
    zmp: [String; 3],
    balance: String,
    friction: String,
    penetration: String,
    polygons: Polygons,
}

/// Support polygons, each once.
#[derive(Serialize)]
struct Polygons {
    /// Which polygon each sample has; 0 is none.
    index: String,
    /// Polygon i − 1 has corners `starts[i − 1]..starts[i]`.
    starts: String,
    /// x and z in millimetres from `origin`.
    corners: String,
    origin: [f64; 2],
}

impl PackedSeries {
    pub fn of(input: &ReportInput, budget: &Budget) -> Self {
        let series = &input.inspection.series;
        let times_secs = times_secs(input);
        let stride = stride_for(&times_secs, MOST_SERIES_HZ, budget.samples);
        let samples: Vec<usize> = (0..times_secs.len()).step_by(stride).collect();
        let scalar = |values: &[Option<f64>]| pack::f32s(samples.iter().map(|&i| values.get(i).copied().flatten()));
        let vector = |values: &[Option<DVec3>]| {
            let axis = |axis: usize| {
                pack::f32s(samples.iter().map(|&i| values.get(i).copied().flatten().map(|vector| vector[axis])))
            };
            [axis(0), axis(1), axis(2)]
        };
        let weight_newtons = input.inspection.total_mass_kg * GRAVITY;
        let load = |i: &usize| series.force_newtons.get(*i).copied().flatten().map(|force| force.y / weight_newtons);
        let kind = |i: &usize| series.kind.get(*i).copied().flatten().map_or(0, kind_code);
        Self {
            n: samples.len(),
            stride,
            t: pack::f32s(samples.iter().map(|&i| times_secs.get(i).copied())),
            kind: pack::bytes(&samples.iter().map(kind).collect::<Vec<u8>>()),
            com: vector(&series.com_in_world_m),
            velocity: vector(&series.com_velocity),
            momentum: vector(&series.angular_momentum),
            load: pack::f32s(samples.iter().map(load)),
            zmp_distance: scalar(&series.zmp_distance_m),
            zmp: vector(&series.zmp_in_world_m),
            balance: scalar(&series.balance_distance_m),
            friction: scalar(&series.friction_ratio),
            penetration: scalar(&series.penetration_m),
            polygons: Polygons::of(series, &samples),
        }
    }
}

/// Times of all frames by the report's clock; the clip's own where the report has none.
pub(super) fn times_secs(input: &ReportInput) -> Vec<f64> {
    let series = &input.inspection.series;
    if series.times_secs.len() == input.clip.frame_count() {
        return series.times_secs.clone();
    }
    let clock = &input.inspection.contacts.clock;
    let slower = if clock.used_hz > 0.0 && clock.header_hz > 0.0 { clock.header_hz / clock.used_hz } else { 1.0 };
    input.clip.frames().map(|frame: FrameIndex| input.clip.time_secs(frame) * slower).collect()
}

/// Every how many frames, so that neither rate nor count is passed.
pub(super) fn stride_for(times_secs: &[f64], most_hz: f64, most: usize) -> usize {
    let frames = times_secs.len();
    let span_secs = times_secs.last().zip(times_secs.first()).map_or(0.0, |(last, first)| last - first);
    let hz = if span_secs > 0.0 { frames.saturating_sub(1) as f64 / span_secs } else { 0.0 };
    // 120.0001 Hz is 120 Hz.
    let by_rate = (hz / most_hz - 1e-3).ceil().clamp(1.0, 1e6) as usize;
    by_rate.max(frames.div_ceil(most.max(1))).max(1)
}

pub(super) fn kind_code(kind: PhaseKind) -> u8 {
    match kind {
        PhaseKind::Flight => 1,
        PhaseKind::Left => 2,
        PhaseKind::Right => 3,
        PhaseKind::Double => 4,
        PhaseKind::Other => 5,
    }
}

impl Polygons {
    fn of(series: &Series, samples: &[usize]) -> Self {
        let polygon_of = |i: usize| series.support_polygon_m.get(i).map_or(&[][..], Vec::as_slice);
        let first = samples.iter().find_map(|&i| polygon_of(i).first().copied().filter(|corner| corner.is_finite()));
        let origin = first.unwrap_or(DVec2::ZERO);
        let rounded = |corner: &DVec2| {
            // `as` saturates and takes NaN to 0.
            let millimetres = (*corner - origin) / CORNER_M;
            [millimetres.x.round() as i32, millimetres.y.round() as i32]
        };
        let mut known: HashMap<Vec<[i32; 2]>, u32> = HashMap::new();
        let (mut starts, mut corners, mut index) = (vec![0u32], Vec::new(), Vec::with_capacity(samples.len()));
        for &i in samples {
            let polygon: Vec<[i32; 2]> = polygon_of(i).iter().take(MOST_CORNERS).map(rounded).collect();
            if polygon.is_empty() {
                index.push(0);
                continue;
            }
            let next = starts.len() as u32;
            let number = *known.entry(polygon.clone()).or_insert_with(|| {
                corners.extend(polygon.into_iter().flatten().map(|millimetres| millimetres as u32));
                starts.push(corners.len() as u32 / 2);
                next
            });
            index.push(number);
        }
        Self {
            index: pack::u32s(&index),
            starts: pack::u32s(&starts),
            corners: pack::u32s(&corners),
            origin: [origin.x, origin.y],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strides_keep_rate_and_count() {
        let times = |frames: usize, hz: f64| (0..frames).map(|i| i as f64 / hz).collect::<Vec<f64>>();
        assert_eq!(stride_for(&times(100, 120.0), 120.0, 1000), 1);
        assert_eq!(stride_for(&times(100, 120.0), 60.0, 1000), 2);
        assert_eq!(stride_for(&times(100, 240.0), 60.0, 10), 10);
        assert_eq!(stride_for(&times(1, 60.0), 60.0, 10), 1);
        assert_eq!(stride_for(&[], 60.0, 10), 1);
    }
}
