//! Where the figures stand: true positions, or side by side in time order; and how large.

use crate::camera::{Camera, View};
use crate::clip_measures::ClipMeasures;
use crate::figure::{Bounds, bounds};
use crate::shots::Shot;
use crate::thing::{Placed, Thing};
use aplomb_motion::WorldPose;
use glam::{DVec2, DVec3};
use std::ops::Range;

/// How figures are spread.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Layout {
    /// True positions if the body covers at least one and a half times its stature over the ground without going to and
    /// fro, else side by side.
    #[default]
    Auto,
    /// Every figure at its true place in the world.
    InPlace,
    /// Side by side in time order at equal distances, each figure moved so that its centre stands in its own place.
    Sequence,
}

impl Layout {
    /// Never `Auto`.
    pub(crate) fn resolve(self, measures: &ClipMeasures, right: DVec3) -> Layout {
        if self != Layout::Auto {
            return self;
        }
        let span_m = measures.span_m(right);
        let travels = span_m >= 1.5 * measures.stature_m;
        let to_and_fro = measures.path_m() > 2.2 * span_m;
        if travels && !to_and_fro { Layout::InPlace } else { Layout::Sequence }
    }

    /// How many figures stand clear of each other in a picture `plot_px` wide.
    pub(crate) fn ideal_figures(self, measures: &ClipMeasures, right: DVec3, plot_px: f64) -> usize {
        let figures = match self {
            // Walking figures are about as wide as 0.45 of their stature; two thirds of that still read well.
            Layout::InPlace => measures.span_m(right) / (0.3 * measures.stature_m),
            // About 120 pixels a figure.
            _ => plot_px / 125.0,
        };
        (figures.round() as usize).clamp(10, 16)
    }
}

/// The poses of one moment, one a clip.
pub(crate) struct Poses {
    pub of_clip: Vec<Option<WorldPose>>,
    /// Centre of the first clip that has a frame here.
    pub centre_m: DVec3,
    /// Things where they are at this moment.
    pub things: Vec<Placed>,
}

impl Poses {
    /// Things move by the frames of clip `leader`.
    pub fn new(measured: &[ClipMeasures], shot: &Shot, things: &[Thing], leader: usize) -> Self {
        let pose_of = |(measures, frame): (&ClipMeasures, &Option<aplomb_motion::FrameIndex>)| {
            let frame = (*frame)?;
            let mut pose = WorldPose::for_skeleton(measures.clip.skeleton());
            pose.pose(measures.clip, frame);
            Some(pose)
        };
        let of_clip: Vec<Option<WorldPose>> = measured.iter().zip(&shot.frames).map(pose_of).collect();
        let centre = |(measures, pose): (&ClipMeasures, &Option<WorldPose>)| {
            pose.as_ref().map(|pose| pose.joint_in_world_m[measures.body.centre.index()])
        };
        let centre_m = measured.iter().zip(&of_clip).find_map(centre).unwrap_or(DVec3::ZERO);
        let placed = |thing: &Thing| {
            let (at_m, rotation) = thing.pose_at(shot.frames.get(leader).copied().flatten()?.0)?;
            Some(Placed { form: thing.form, at_m, rotation })
        };
        Self { of_clip, centre_m, things: things.iter().filter_map(placed).collect() }
    }

    fn bounds(&self, measured: &[ClipMeasures], camera: &Camera) -> Bounds {
        let each = measured.iter().zip(&self.of_clip);
        let figures = each.filter_map(|(measures, pose)| Some(bounds(&measures.body, pose.as_ref()?, camera)));
        figures.chain(self.things.iter().map(|thing| thing.bounds(camera))).fold(Bounds::EMPTY, Bounds::union)
    }
}

/// One view of one row of figures, on the picture plane in metres.
pub(crate) struct Frame {
    pub view: View,
    pub camera: Camera,
    /// What the panel shows.
    pub bounds: Bounds,
    /// Added to the projection of each moment of the row.
    pub shifts_m: Vec<DVec2>,
}

/// A row of figures, seen in every view.
pub(crate) struct Row {
    pub shots: Range<usize>,
    /// Number of equal places side by side; the last row may leave some empty.
    pub places: usize,
    pub frames: Vec<Frame>,
}

/// The geometry of the whole picture.
pub(crate) struct Plan {
    pub layout: Layout,
    pub px_per_m: f64,
    pub rows: Vec<Row>,
}

/// Heights of panels as parts of the picture width.
const SIDE_HEIGHT: f64 = 0.34;
const TOP_HEIGHT: f64 = 0.30;

/// Figures lower than this part of the picture width are set in one more row, as long as the picture stays below four
/// times its width.
const SMALL_FIGURE: f64 = 0.11;

/// Lays out the moments in a picture whose plots are `plot_px` wide.
pub(crate) fn plan(
    measured: &[ClipMeasures],
    poses: &[Poses],
    views: &[View],
    right: DVec3,
    layout: Layout,
    plot_px: f64,
) -> Plan {
    match layout {
        Layout::InPlace => plan_in_place(measured, poses, views, right, plot_px),
        _ => plan_sequence(measured, poses, views, right, plot_px),
    }
}

fn plan_in_place(measured: &[ClipMeasures], poses: &[Poses], views: &[View], right: DVec3, plot_px: f64) -> Plan {
    let pad_m = 0.08 * stature(measured);
    let framed = views.iter().map(|&view| {
        let camera = Camera::new(view, right);
        let figures = poses.iter().map(|pose| pose.bounds(measured, &camera)).fold(Bounds::EMPTY, Bounds::union);
        let mut bounds = with_ground(figures, view);
        for sample in measured.iter().flat_map(|measures| &measures.samples) {
            bounds.include(camera.project(sample.centre_m), 0.0);
            if view == View::Top {
                sample.feet_m.iter().for_each(|&foot| bounds.include(camera.project(foot), 0.0));
            }
        }
        bounds.min -= DVec2::splat(pad_m);
        bounds.max += DVec2::splat(pad_m);
        Frame { view, camera, bounds, shifts_m: vec![DVec2::ZERO; poses.len()] }
    });
    let mut frames: Vec<Frame> = framed.collect();
    // Side and top share their horizontal axis, so that what happens below each other happens at the same place.
    let shared: Bounds =
        frames.iter().filter(|f| f.view != View::Front).map(|f| f.bounds).fold(Bounds::EMPTY, Bounds::union);
    for frame in frames.iter_mut().filter(|frame| frame.view != View::Front) {
        frame.bounds.min.x = shared.min.x;
        frame.bounds.max.x = shared.max.x;
    }
    let px_per_m = frames.iter().map(|frame| fit(frame, plot_px)).fold(f64::INFINITY, f64::min);
    for frame in &mut frames {
        widen(frame, plot_px / px_per_m);
    }
    Plan { layout: Layout::InPlace, px_per_m, rows: vec![Row { shots: 0..poses.len(), places: 1, frames }] }
}

fn plan_sequence(measured: &[ClipMeasures], poses: &[Poses], views: &[View], right: DVec3, plot_px: f64) -> Plan {
    let pad_m = 0.08 * stature(measured);
    // The place of each figure: the centre goes to the origin sideways; heights stay true.
    let shift = |camera: &Camera, view: View, pose: &Poses| {
        let centre = camera.project(pose.centre_m);
        if view == View::Top { -centre } else { DVec2::new(-centre.x, 0.0) }
    };
    let cameras: Vec<(View, Camera)> = views.iter().map(|&view| (view, Camera::new(view, right))).collect();
    let of_view = |&(view, camera): &(View, Camera)| {
        let each = poses.iter().map(|pose| pose.bounds(measured, &camera).moved(shift(&camera, view, pose)));
        let mut bounds = with_ground(each.fold(Bounds::EMPTY, Bounds::union), view);
        bounds.min.y -= pad_m;
        bounds.max.y += pad_m;
        bounds
    };
    let bounds: Vec<Bounds> = cameras.iter().map(of_view).collect();
    let (least_u, most_u) = bounds.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), bounds| {
        (least.min(bounds.min.x), most.max(bounds.max.x))
    });
    let slot_m = most_u - least_u + pad_m;
    let heights_m: f64 = bounds.iter().map(|bounds| bounds.size().y).sum();
    let stature_m = stature(measured);
    let scale = |rows: usize| {
        let in_row = poses.len().div_ceil(rows).max(1) as f64;
        let by_height =
            cameras.iter().zip(&bounds).map(|(&(view, _), bounds)| most_height(view) * plot_px / bounds.size().y);
        by_height.fold(plot_px / (in_row * slot_m), f64::min)
    };
    let mut row_count = 1;
    while row_count < poses.len()
        && scale(row_count) * stature_m < SMALL_FIGURE * plot_px
        && scale(row_count + 1) * heights_m * (row_count + 1) as f64 <= 3.5 * plot_px
    {
        row_count += 1;
    }
    let px_per_m = scale(row_count);
    let in_row = poses.len().div_ceil(row_count).max(1);
    let width_m = plot_px / px_per_m;
    let place_m = width_m / in_row as f64;
    let row = |start: usize| {
        let shots = start..(start + in_row).min(poses.len());
        let frame = |(&(view, camera), bounds): (&(View, Camera), &Bounds)| {
            let place = |slot: usize| DVec2::new((slot as f64 + 0.5) * place_m - 0.5 * (least_u + most_u), 0.0);
            let shifts = poses[shots.clone()].iter().enumerate();
            let shifts_m = shifts.map(|(slot, pose)| shift(&camera, view, pose) + place(slot)).collect();
            let mut bounds = *bounds;
            bounds.min.x = 0.0;
            bounds.max.x = width_m;
            Frame { view, camera, bounds, shifts_m }
        };
        let frames = cameras.iter().zip(&bounds).map(frame).collect();
        Row { shots: shots.clone(), places: in_row, frames }
    };
    let rows = (0..poses.len()).step_by(in_row).map(row).collect();
    Plan { layout: Layout::Sequence, px_per_m, rows }
}

fn stature(measured: &[ClipMeasures]) -> f64 {
    measured.iter().map(|measures| measures.stature_m).fold(0.0, f64::max)
}

/// The ground line belongs to the picture unless the motion is far above or below it.
fn with_ground(mut bounds: Bounds, view: View) -> Bounds {
    let height_m = bounds.size().y;
    if view != View::Top && bounds.min.y < height_m && bounds.max.y > -height_m {
        bounds.min.y = bounds.min.y.min(0.0);
        bounds.max.y = bounds.max.y.max(0.0);
    }
    bounds
}

fn most_height(view: View) -> f64 {
    if view == View::Top { TOP_HEIGHT } else { SIDE_HEIGHT }
}

fn fit(frame: &Frame, plot_px: f64) -> f64 {
    let size = frame.bounds.size();
    (plot_px / size.x).min(most_height(frame.view) * plot_px / size.y)
}

/// Shows `width_m` about the middle.
fn widen(frame: &mut Frame, width_m: f64) {
    let middle = 0.5 * (frame.bounds.min.x + frame.bounds.max.x);
    frame.bounds.min.x = middle - 0.5 * width_m;
    frame.bounds.max.x = middle + 0.5 * width_m;
}
