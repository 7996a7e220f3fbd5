//! The straight line that a motion travels along.

use crate::EditingError;
use aplomb_motion::edit::body_joint;
use aplomb_motion::{Clip, FrameIndex, WorldPose, first_frame};
use glam::DVec3;

/// The way of a motion as a straight line on the ground, and where the body is along it and beside it.
///
/// The direction is that of the velocity which fits the body's path best (least squares over time), so that the sway of
/// single steps at either end does not turn it; the line runs through the middle of the path and starts beside the
/// first frame.
#[derive(Clone, Debug, PartialEq)]
pub struct TravelLine {
    start_m: DVec3,
    ahead: DVec3,
    speed: f64,
    places: Vec<PlaceOnLine>,
}

/// Where a body is in the axes of a [`TravelLine`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlaceOnLine {
    /// Metres along the line from its start.
    pub along_m: f64,
    /// Metres to the left of the line.
    pub beside_m: f64,
}

/// Standing people sway by centimetres; a way of less than this has no direction that could be bent.
const LEAST_TRAVEL_M: f64 = 0.25;

impl TravelLine {
    /// From the path of the joint that carries the body.
    pub fn of(clip: &Clip) -> Result<Self, EditingError> {
        let joint = body_joint(clip.skeleton()).index();
        let mut pose = WorldPose::for_skeleton(clip.skeleton());
        let mut point_m = |frame| {
            pose.pose(clip, frame);
            DVec3::new(pose.joint_in_world_m[joint].x, 0.0, pose.joint_in_world_m[joint].z)
        };
        let path_m: Vec<DVec3> = clip.frames().map(&mut point_m).collect();
        // A pose that some converters put before the first captured frame stands anywhere.
        let first = usize::from(first_frame::is_stray(clip));
        let captured = || clip.frames().map(|frame| clip.time_secs(frame)).zip(path_m.iter().copied()).skip(first);
        let count = captured().count().max(1) as f64;
        let (sum_secs, sum_m) = captured().fold((0.0, DVec3::ZERO), |(t, p), (secs, point_m)| (t + secs, p + point_m));
        let (middle_secs, middle_m) = (sum_secs / count, sum_m / count);
        // Slope of the regression of place on time: Σ(t − t̄)(p − p̄) / Σ(t − t̄)².
        let spread: f64 = captured().map(|(secs, _)| (secs - middle_secs).powi(2)).sum();
        let drift: DVec3 = captured().map(|(secs, point_m)| (point_m - middle_m) * (secs - middle_secs)).sum();
        let speed = if spread > 0.0 { drift.length() / spread } else { 0.0 };
        let way_m = speed * clip.duration_secs();
        let (Some(ahead), true) = (drift.try_normalize(), way_m >= LEAST_TRAVEL_M) else {
            return Err(EditingError::DoesNotTravel { way_m, least_m: LEAST_TRAVEL_M });
        };
        let first_m = path_m.get(first).copied().unwrap_or(middle_m);
        let start_m = middle_m + ahead * (first_m - middle_m).dot(ahead);
        let left = DVec3::Y.cross(ahead);
        let place = |p: &DVec3| PlaceOnLine { along_m: (*p - start_m).dot(ahead), beside_m: (*p - start_m).dot(left) };
        let places = path_m.iter().map(place).collect();
        Ok(Self { start_m, ahead, speed, places })
    }

    /// Unit vector along the line.
    pub fn ahead(&self) -> DVec3 {
        self.ahead
    }

    /// Unit vector to its left.
    pub fn left(&self) -> DVec3 {
        DVec3::Y.cross(self.ahead)
    }

    /// Mean speed along the line, m/s.
    pub fn speed(&self) -> f64 {
        self.speed
    }

    /// Where the line starts, on the ground.
    pub fn start_m(&self) -> DVec3 {
        self.start_m
    }

    /// Where the body of a frame is.
    pub fn place(&self, frame: FrameIndex) -> PlaceOnLine {
        self.places[frame.0]
    }

    /// Frame by frame.
    pub fn places(&self) -> impl Iterator<Item = PlaceOnLine> + '_ {
        self.places.iter().copied()
    }

    pub(crate) fn point_m(&self, place: PlaceOnLine) -> DVec3 {
        self.at_m(place.along_m, place.beside_m)
    }

    pub(crate) fn at_m(&self, along_m: f64, beside_m: f64) -> DVec3 {
        self.start_m + self.ahead * along_m + self.left() * beside_m
    }
}
