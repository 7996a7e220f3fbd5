//! What has to be known of a clip before drawing: size, travel, facing, lowest point.

use crate::body::{Anatomy, Body, Heading, Labels, Side};
use crate::error::RenderError;
use aplomb_motion::{Clip, FrameIndex, JointId, WorldPose, first_frame};
use glam::{DVec2, DVec3};

/// Coordinates beyond this are not motion: a kilometre-wide capture would already be a dot in the picture.
const MAX_EXTENT_M: f64 = 1e6;

/// Frames looked at for paths; a 1600-pixel picture cannot show more.
const MAX_SAMPLES: usize = 1500;

/// One clip with its figure and its path.
pub(crate) struct ClipMeasures<'a> {
    pub clip: &'a Clip,
    pub name: &'a str,
    pub body: Body,
    /// Tallest posture of the clip, or 1 m for a point.
    pub stature_m: f64,
    pub samples: Vec<Sample>,
    /// Lowest drawn joint or end, and its time.
    pub lowest: (f64, f64),
    /// Frame 0 is a pose that the file's converter put before the motion.
    pub stray_first_frame: bool,
    /// Height of each foot's traced point when it stands.
    pub standing_m: Vec<f64>,
}

/// Where the body is at one time.
pub(crate) struct Sample {
    pub time_secs: f64,
    pub centre_m: DVec3,
    pub facing: Option<DVec3>,
    /// One for each foot of the body.
    pub feet_m: Vec<DVec3>,
}

impl<'a> ClipMeasures<'a> {
    pub fn new(
        clip: &'a Clip,
        name: &'a str,
        labels: Option<Labels>,
        from_secs: f64,
        to_secs: f64,
    ) -> Result<Self, RenderError> {
        if clip.frame_count() == 0 {
            return Err(RenderError::NoFrames { name: name.to_owned() });
        }
        let anatomy = Anatomy::new(clip.skeleton(), labels);
        let stray_first_frame = first_frame::is_stray(clip);
        let frames = sampled_frames(clip, from_secs, to_secs, stray_first_frame);
        let mut pose = WorldPose::for_skeleton(clip.skeleton());

        let mut stature_m: f64 = 0.0;
        let mut lowest = (f64::INFINITY, 0.0);
        let mut farthest_m: f64 = 0.0;
        for &frame in &frames {
            pose.pose(clip, frame);
            let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
            for point in anatomy.points() {
                let p = point.in_world_m(&pose);
                // `f64::max` drops NaN, so NaN is made infinite first.
                let reach = p.abs().max_element();
                farthest_m = farthest_m.max(if p.is_finite() { reach } else { f64::INFINITY });
                low = low.min(p.y);
                high = high.max(p.y);
            }
            stature_m = stature_m.max(high - low);
            if low < lowest.0 {
                lowest = (low, clip.time_secs(frame));
            }
        }
        if farthest_m > MAX_EXTENT_M {
            return Err(RenderError::Extent { name: name.to_owned(), found_m: farthest_m, most_m: MAX_EXTENT_M });
        }
        let stature_m = if stature_m > 1e-6 { stature_m } else { 1.0 };

        let middle = frames.get(frames.len() / 2).copied().unwrap_or(FrameIndex(0));
        pose.pose(clip, middle);
        let body = anatomy.flesh(&pose, stature_m);
        let sample = |&frame: &FrameIndex| {
            pose.pose(clip, frame);
            Sample {
                time_secs: clip.time_secs(frame),
                centre_m: pose.joint_in_world_m[body.centre.index()],
                facing: facing(&body, &pose),
                feet_m: body.feet.iter().map(|foot| foot.trace.in_world_m(&pose)).collect(),
            }
        };
        let samples: Vec<Sample> = frames.iter().map(sample).collect();
        let standing_m = (0..body.feet.len()).map(|foot| standing_height_m(&samples, foot)).collect();
        Ok(Self { clip, name, body, stature_m, samples, lowest, stray_first_frame, standing_m })
    }

    /// The first frame that belongs to the motion.
    pub fn first_frame(&self) -> FrameIndex {
        FrameIndex(usize::from(self.stray_first_frame))
    }

    /// Time of the clip's first frame. A stray first frame does not move the start: the times stay round.
    pub fn first_secs(&self) -> f64 {
        self.clip.time_secs(FrameIndex(0))
    }

    /// Time of the last frame.
    pub fn last_secs(&self) -> f64 {
        self.clip.time_secs(FrameIndex(self.clip.frame_count() - 1))
    }

    /// Horizontal unit vector that the picture shows to the right.
    ///
    /// In travel: from start to end if that is most of the ground covered, else the main axis of the path (to and fro).
    /// In place: the mean facing, or the first one if the body turns about so that no mean stands out.
    pub fn right(&self) -> DVec3 {
        let ground: Vec<DVec2> = self.samples.iter().map(|sample| sample.centre_m.xz_ground()).collect();
        let (Some(&first), Some(&last)) = (ground.first(), ground.last()) else { return DVec3::X };
        let net = last - first;
        let reach = ground.iter().map(|p| p.distance(first)).fold(0.0, f64::max);
        if reach >= 0.5 * self.stature_m {
            let direction = if net.length() >= 0.6 * reach { net } else { main_axis(&ground, net) };
            if let Some(direction) = direction.try_normalize() {
                return DVec3::new(direction.x, 0.0, direction.y);
            }
        }
        let facings = || self.samples.iter().filter_map(|sample| sample.facing);
        let count = facings().count();
        let mean = facings().sum::<DVec3>() / count.max(1) as f64;
        // A resultant below one half: the facing is spread over more than half the circle.
        let facing = if mean.length() >= 0.5 { mean.try_normalize() } else { facings().next() };
        facing.unwrap_or(DVec3::X)
    }

    /// Which side of the body is turned to a viewer in the direction `toward`, by the mean facing.
    pub fn seen_from(&self, toward: DVec3) -> Option<&'static str> {
        let facings = || self.samples.iter().filter_map(|sample| sample.facing);
        let count = facings().count();
        let mean = facings().sum::<DVec3>() / count.max(1) as f64;
        if count == 0 {
            return None;
        }
        if mean.length() < 0.5 {
            return Some("of a body that turns about");
        }
        let ahead = mean.dot(toward);
        let left = DVec3::Y.cross(mean).dot(toward);
        Some(match (ahead.abs() > left.abs(), ahead > 0.0, left > 0.0) {
            (true, true, _) => "from its front",
            (true, false, _) => "from its back",
            (false, _, true) => "from its left",
            (false, _, false) => "from its right",
        })
    }

    /// Ground covered along a direction.
    pub fn span_m(&self, direction: DVec3) -> f64 {
        let along = || self.samples.iter().map(|sample| sample.centre_m.dot(direction));
        along().fold(f64::NEG_INFINITY, f64::max) - along().fold(f64::INFINITY, f64::min)
    }

    /// Length of the way of the centre over the ground. Sampled every 0.1 s or so, because sway is no travel.
    pub fn path_m(&self) -> f64 {
        let mut length_m = 0.0;
        let mut last: Option<&Sample> = None;
        for sample in &self.samples {
            match last {
                Some(previous) if sample.time_secs - previous.time_secs < 0.25 => continue,
                Some(previous) => {
                    length_m += sample.centre_m.xz_ground().distance(previous.centre_m.xz_ground());
                }
                None => {}
            }
            last = Some(sample);
        }
        length_m
    }
}

/// The tenth lowest percent of the heights of a foot: the very lowest is a capture error more often than a stance.
fn standing_height_m(samples: &[Sample], foot: usize) -> f64 {
    let mut heights: Vec<f64> = samples.iter().filter_map(|sample| sample.feet_m.get(foot)).map(|p| p.y).collect();
    heights.sort_by(f64::total_cmp);
    heights.get(heights.len() / 10).copied().unwrap_or(0.0)
}

/// Facing on the ground. Forward is up × (left → right): facing +Z the right hand is at −X, and Y × −X = Z.
pub(crate) fn facing(body: &Body, pose: &WorldPose) -> Option<DVec3> {
    let between = |from: JointId, to: JointId| pose.joint_in_world_m[to.index()] - pose.joint_in_world_m[from.index()];
    let (forward, length_m) = match body.heading? {
        Heading::Across { left, right } => {
            let across = between(left, right);
            (DVec3::Y.cross(across), across.length())
        }
        Heading::Along { hind, fore } => {
            let along = between(hind, fore);
            (along.with_y(0.0), along.length())
        }
    };
    // Left and right above each other (lying on the side), or a rearing horse: facing has no meaning on the ground.
    if forward.length() > 0.3 * length_m { forward.try_normalize() } else { None }
}

fn sampled_frames(clip: &Clip, from_secs: f64, to_secs: f64, skip_first: bool) -> Vec<FrameIndex> {
    let inside = |frame: &FrameIndex| {
        let time_secs = clip.time_secs(*frame);
        time_secs >= from_secs && time_secs <= to_secs
    };
    let frames: Vec<FrameIndex> = clip.frames().skip(usize::from(skip_first)).filter(inside).collect();
    let points = clip.skeleton().len().max(1);
    // Bounds the work for skeletons of tens of thousands of joints.
    let most = (4_000_000 / points).clamp(2, MAX_SAMPLES);
    if frames.len() <= most {
        return frames;
    }
    let last = frames.len() - 1;
    (0..most).map(|index| frames[index * last / (most - 1)]).collect()
}

/// Principal axis of the points, pointing the way of `toward`.
fn main_axis(points: &[DVec2], toward: DVec2) -> DVec2 {
    let mean = points.iter().sum::<DVec2>() / points.len().max(1) as f64;
    let (mut xx, mut xy, mut yy) = (0.0, 0.0, 0.0);
    for p in points {
        let d = *p - mean;
        xx += d.x * d.x;
        xy += d.x * d.y;
        yy += d.y * d.y;
    }
    let angle = 0.5 * (2.0 * xy).atan2(xx - yy);
    let axis = DVec2::from_angle(angle);
    if axis.dot(toward) < 0.0 { -axis } else { axis }
}

/// The ground plane of a position.
pub(crate) trait Ground {
    /// (x, z).
    fn xz_ground(&self) -> DVec2;
}

impl Ground for DVec3 {
    fn xz_ground(&self) -> DVec2 {
        DVec2::new(self.x, self.z)
    }
}

/// Whether a colour legend of sides makes sense.
pub(crate) fn has_sides(measures: &ClipMeasures) -> bool {
    measures.body.segments.iter().any(|segment| matches!(segment.side, Side::Left | Side::Right))
}
