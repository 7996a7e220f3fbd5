//! A motion as touch-up sees it: links over time, what carries them, and on which ground. On the ground, where the
//! closed form needs it, links are points; in flights they are rigid.

use super::TouchupOptions;
use super::steps::Compiled;
use crate::EditingError;
use crate::span::Frames;
use aplomb_analysis::ContactAnalysis;
use aplomb_analysis::contacts::{Flight, Verdict};
use aplomb_analysis::support::{Soles, SupportPlane, hull_into, nearest_point, zero_moment_point_m};
use aplomb_motion::signal::gaussian::Gaussian;
use aplomb_motion::signal::{SampleTimes, derivative};
use aplomb_motion::{Clip, JointId, Timeline, WorldPose};
use aplomb_physics::centroidal::{CentroidalOptions, LinkPaths, MassModel, centroidal_track_of_paths};
use aplomb_physics::{Body, GRAVITY_IN_WORLD};
use glam::{DMat3, DQuat, DVec2, DVec3};
use std::ops::Range;

/// Goals lie inside the support by at least this share of each foot, a few millimetres: a goal at the very edge
/// is approached from outside, and is still outside by any other smoothing of the acceleration.
const LEAST_MARGIN: f64 = 0.1;

/// What carries a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Label {
    /// Points that touch.
    Carried,
    /// Nothing: a flight that falls at g.
    Flight,
    /// Unknown: a flight that is too short or does not fall at g, or something that is not modelled. No step is taken
    /// there.
    None,
}

/// Convex polygons of all frames, end to end.
#[derive(Clone, Debug, Default)]
struct Polygons {
    corners_m: Vec<DVec2>,
    ends: Vec<usize>,
}

impl Polygons {
    fn of(&self, frame: usize) -> &[DVec2] {
        let start = if frame == 0 { 0 } else { self.ends[frame - 1] };
        &self.corners_m[start..self.ends[frame]]
    }
}

/// The motion, and buffers for looking at it again and again.
pub(super) struct ObservedMotion {
    pub frames: Frames,
    pub labels: Vec<Label>,
    /// How far the error of each frame is believed, 0 to 1: a person rising from a seat is carried by it.
    pub trust: Vec<f64>,
    /// How far the error of each frame is one, 0 to 1 (`dead_zones`).
    pub counts: Vec<f64>,
    /// Frames whose acceleration is known: that of a smoothed path goes to zero at the very ends, whatever it truly is
    /// there.
    pub known: Range<usize>,
    /// Frames of verified flights that are touched.
    pub flights: Vec<Range<usize>>,
    pub links: Vec<LinkPoint>,
    body: Body,
    /// Even: spans are refused otherwise.
    timeline: Timeline,
    pub total_mass_kg: f64,
    /// Link-major, `links × frames`.
    pub com_m: Vec<DVec3>,
    /// How links are turned, link-major.
    world_from_link: Vec<DQuat>,
    pub smooth_m: Vec<DVec3>,
    pub acceleration: Vec<DVec3>,
    root: JointId,
    /// Joints that turn something, and their places, joint-major.
    pub centres: Vec<JointId>,
    pub centres_m: Vec<DVec3>,
    pub planes: Vec<Option<SupportPlane>>,
    pub ground: aplomb_analysis::Ground,
    full: Polygons,
    inner: Polygons,
    /// Bit e: effector e is down.
    down: Vec<u64>,
    soles: Soles,
    effectors: Vec<(JointId, DVec3)>,
    posed: Vec<JointId>,
    pose: WorldPose,
    points_m: Vec<DVec3>,
    corners_m: Vec<DVec2>,
    smoother: Gaussian,
}

/// A body that goes faster than this does not stop from one frame to the next, m/s: at 30 Hz that takes 1.5 g, at 120
/// Hz 6 g.
const FREEZE_SPEED: f64 = 0.5;

/// How many frames at the start and at the end of a motion repeat the one beside them to the bit, while the body was on
/// its way: a recording that hung. What stops there is not the body.
fn frozen_ends(clip: &Clip, frames: &Frames) -> [usize; 2] {
    let count = frames.len();
    let is_same = |a: usize, b: usize| {
        let (a, b) = (frames.frame(a), frames.frame(b));
        clip.rotations_at(a) == clip.rotations_at(b)
            && clip.tracks().iter().all(|track| track.positions_m[a.0] == track.positions_m[b.0])
    };
    let speed = |a: usize, b: usize| {
        let (a, b) = (frames.frame(a), frames.frame(b));
        let way_m = |track: &aplomb_motion::TranslationTrack| track.positions_m[a.0].distance(track.positions_m[b.0]);
        clip.tracks().iter().map(way_m).fold(0.0, f64::max) / frames.step_secs
    };
    let repeats = |at: &dyn Fn(usize) -> usize| {
        let repeated = (0..count.saturating_sub(1)).take_while(|&index| is_same(at(index), at(index + 1))).count();
        let goes = repeated + 1 < count && speed(at(repeated), at(repeated + 1)) > FREEZE_SPEED;
        if repeated > 0 && goes { repeated } else { 0 }
    };
    [repeats(&|index| index), repeats(&|index| count - 1 - index)]
}

/// A link as a point.
pub(super) struct LinkPoint {
    pub joint: JointId,
    pub in_joint_m: DVec3,
    pub mass_kg: f64,
}

/// Where the force that one frame needs meets the ground.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pressure {
    /// Zero-moment point, m.
    pub zmp_m: DVec3,
    /// In the plane.
    pub flat_m: DVec2,
    /// Force into the ground over the body's weight.
    pub load: f64,
}

impl ObservedMotion {
    pub fn new(
        clip: &Clip,
        body: &Body,
        contacts: &ContactAnalysis,
        (frames, root): (Frames, JointId),
        steps: &[Compiled],
        options: &TouchupOptions,
    ) -> Result<Self, EditingError> {
        let count = frames.len();
        let edge = ((0.5 * options.smoothing_secs / frames.step_secs).ceil() as usize).min(count / 4);
        let link_points = body.links().iter().map(|link| LinkPoint {
            joint: link.joint,
            in_joint_m: link.inertia.com_m,
            mass_kg: link.inertia.mass_kg,
        });
        let links: Vec<LinkPoint> = link_points.collect();
        let mut centres = vec![root];
        for step in steps {
            centres.extend(step.regions.iter().map(|region| region.joint));
            centres.extend(step.carried.iter().chain(&step.fixed));
        }
        centres.sort();
        centres.dedup();
        let effectors: Vec<(JointId, DVec3)> =
            contacts.effectors.iter().map(|effector| (effector.joint, effector.point_in_joint_m)).collect();
        let wanted = links.iter().map(|link| link.joint).chain(centres.iter().copied());
        let wanted = wanted.chain(effectors.iter().map(|(joint, _)| *joint));
        let posed = crate::footplant::closed_upward(clip.skeleton(), wanted);
        let mut motion = Self {
            labels: vec![Label::None; count],
            trust: vec![1.0; count],
            counts: vec![1.0; count],
            known: {
                let [start, end] = frozen_ends(clip, &frames);
                (start + edge).min(count)..count.saturating_sub(end + edge).max((start + edge).min(count))
            },
            flights: Vec::new(),
            total_mass_kg: body.total_mass_kg(),
            body: body.clone(),
            timeline: clip.timeline().clone(),
            com_m: vec![DVec3::ZERO; links.len() * count],
            world_from_link: vec![DQuat::IDENTITY; links.len() * count],
            smooth_m: vec![DVec3::ZERO; links.len() * count],
            acceleration: vec![DVec3::ZERO; links.len() * count],
            centres_m: vec![DVec3::ZERO; centres.len() * count],
            centres,
            planes: vec![None; count],
            root,
            ground: options.plant.ground,
            full: Polygons::default(),
            inner: Polygons::default(),
            down: vec![0; count],
            soles: Soles::new(&contacts.effectors, options.sole_half_width_m),
            points_m: vec![DVec3::ZERO; effectors.len()],
            posed,
            pose: WorldPose::for_skeleton(clip.skeleton()),
            corners_m: Vec::new(),
            smoother: Gaussian::from_window_secs(options.smoothing_secs, frames.step_secs)?,
            effectors,
            links,
            frames,
        };
        motion.label(contacts);
        let mut beside = Frames { share: vec![1.0; count], ..motion.frames.clone() };
        beside.leave_alone(&options.leave_alone, options.plant.span.ease_secs);
        motion.trust = beside.share;
        for span in &options.leave_alone {
            let range = motion.frames.range(span.start_secs, span.end_secs);
            motion.labels[range].fill(Label::None);
        }
        Ok(motion)
    }

    fn label(&mut self, contacts: &ContactAnalysis) {
        for (bit, effector) in contacts.effectors.iter().enumerate().take(64) {
            for contact in contacts.contacts_of(&effector.name) {
                for frame in self.frames.range(contact.start_secs, contact.end_secs) {
                    self.down[frame] |= 1 << bit;
                    self.labels[frame] = Label::Carried;
                }
            }
        }
        for flight in contacts.flights.iter().filter(|flight| flight.verdict == Verdict::Verified) {
            let range = self.range_of(flight);
            self.labels[range.clone()].fill(Label::Flight);
            // A flight that is eased in or out would be half a parabola.
            if range.len() >= 3 && self.frames.share[range.clone()].iter().all(|share| *share == 1.0) {
                self.flights.push(range);
            }
        }
        // A seat, a partner: what carries these frames is not modelled, so no error is known and nothing is corrected.
        for span in &contacts.other {
            let range = self.frames.range(span.start_secs, span.end_secs);
            self.labels[range].fill(Label::None);
        }
    }

    pub fn range_of(&self, flight: &Flight) -> Range<usize> {
        self.frames.range(flight.start_secs, flight.end_secs)
    }

    pub fn count(&self) -> usize {
        self.frames.len()
    }

    /// Where everything is; with `grounds` the support as well, which planted feet hardly change.
    pub fn look(&mut self, clip: &Clip, margin: f64, grounds: bool) {
        let count = self.count();
        if grounds {
            for polygons in [&mut self.full, &mut self.inner] {
                polygons.corners_m.clear();
                polygons.ends.clear();
            }
        }
        for frame in 0..count {
            self.pose.pose_joints(clip, self.frames.frame(frame), &self.posed);
            for (index, link) in self.links.iter().enumerate() {
                self.com_m[index * count + frame] = self.pose.point_in_world_m(link.joint, link.in_joint_m);
                self.world_from_link[index * count + frame] = self.pose.world_from_joint[link.joint.index()];
            }
            for (index, joint) in self.centres.iter().enumerate() {
                self.centres_m[index * count + frame] = self.pose.joint_in_world_m[joint.index()];
            }
            if grounds {
                self.stand(frame, margin);
            }
        }
    }

    fn stand(&mut self, frame: usize, margin: f64) {
        let down = self.down[frame];
        self.planes[frame] = None;
        if down != 0 && self.labels[frame] == Label::Carried {
            for (point_m, (joint, in_joint_m)) in self.points_m.iter_mut().zip(&self.effectors) {
                *point_m = self.pose.point_in_world_m(*joint, *in_joint_m);
            }
            let (points_m, ground) = (&self.points_m, self.ground);
            let is_down = |effector: usize| effector < 64 && down >> effector & 1 == 1;
            let at = |effector: usize| points_m[effector];
            if let Some(plane) = self.soles.plane(ground, is_down, at) {
                for (polygons, margin) in [(&mut self.full, 0.0), (&mut self.inner, margin.max(LEAST_MARGIN))] {
                    self.soles.corners_into(&plane, margin, is_down, at, &mut self.corners_m);
                    hull_into(&mut self.corners_m, &mut polygons.corners_m);
                }
                self.planes[frame] = Some(plane);
            }
        }
        for polygons in [&mut self.full, &mut self.inner] {
            polygons.ends.push(polygons.corners_m.len());
        }
    }

    /// Smooths the points' paths and differentiates them twice.
    pub fn accelerate(&mut self) -> Result<(), EditingError> {
        let count = self.count();
        let times = SampleTimes::uniform(self.frames.step_secs)?;
        let columns = self.com_m.chunks_exact(count).zip(self.smooth_m.chunks_exact_mut(count));
        for ((raw_m, smooth_m), acceleration) in columns.zip(self.acceleration.chunks_exact_mut(count)) {
            self.smoother.smooth_into(raw_m, smooth_m);
            derivative::second_into(smooth_m, times, acceleration);
        }
        Ok(())
    }

    /// m(r̈ − g) of one link.
    pub fn push(&self, link: usize, frame: usize) -> DVec3 {
        (self.acceleration[link * self.count() + frame] - GRAVITY_IN_WORLD) * self.links[link].mass_kg
    }

    /// Force into the ground over the body's weight: f = 1 + ÿ/g on level ground.
    pub fn load(&self, frame: usize, normal: DVec3) -> f64 {
        let force: f64 = (0..self.links.len()).map(|link| self.push(link, frame).dot(normal)).sum();
        force / (self.total_mass_kg * GRAVITY_IN_WORLD.length())
    }

    /// What carries each frame, in body weights: nothing in flights, and the ground never pulls.
    pub fn loads(&self) -> Vec<f64> {
        let load = |frame: usize| match self.labels[frame] {
            Label::Flight => 0.0,
            Label::Carried | Label::None => self.load(frame, self.ground.normal()).max(0.0),
        };
        (0..self.count()).map(load).collect()
    }

    /// Where the force meets the ground; `None` where nothing is known to carry the frame, or hardly anything does.
    pub fn pressure(&self, frame: usize, least_load: f64) -> Option<(Pressure, SupportPlane)> {
        let plane = self.planes[frame].filter(|_| self.known.contains(&frame))?;
        let (count, links) = (self.count(), self.links.len());
        let (mut com_m, mut force) = (DVec3::ZERO, DVec3::ZERO);
        for link in 0..links {
            com_m += self.smooth_m[link * count + frame] * self.links[link].mass_kg;
            force += self.push(link, frame);
        }
        com_m /= self.total_mass_kg;
        let load = force.dot(plane.normal()) / (self.total_mass_kg * GRAVITY_IN_WORLD.length());
        if load < least_load {
            return None;
        }
        let mut moment = DVec3::ZERO;
        for link in 0..links {
            moment += (self.smooth_m[link * count + frame] - com_m).cross(self.push(link, frame));
        }
        let zmp_m = zero_moment_point_m(com_m, force, moment, &plane);
        Some((Pressure { zmp_m, flat_m: plane.flat_m(zmp_m), load }, plane))
    }

    /// The nearest point of the shrunken support.
    pub fn goal_m(&self, frame: usize, flat_m: DVec2) -> DVec2 {
        nearest_point(self.inner.of(frame), flat_m)
    }

    /// Distance from the whole support.
    pub fn distance_m(&self, frame: usize, pressure: &Pressure) -> f64 {
        self.towards_m(frame, pressure).length()
    }

    /// The way to the whole support.
    pub fn towards_m(&self, frame: usize, pressure: &Pressure) -> DVec2 {
        nearest_point(self.full.of(frame), pressure.flat_m) - pressure.flat_m
    }

    /// Place of a joint that turns something.
    pub fn centre_m(&self, joint: JointId, frame: usize) -> DVec3 {
        let index = self.centres.binary_search(&joint).unwrap_or(0);
        self.centres_m[index * self.count() + frame]
    }

    /// Where the body's root is.
    pub fn root_m(&self, frame: usize) -> DVec3 {
        self.centre_m(self.root, frame)
    }

    /// Below the root on the ground: as good as the goal itself to turn about, and it does not jump from foot to foot.
    pub fn below_root_m(&self, frame: usize, plane: &SupportPlane) -> DVec3 {
        let root_m = self.root_m(frame);
        root_m - plane.normal() * (plane.ground().height_m(root_m) - plane.height_m())
    }

    /// Centre of mass of a frame, not smoothed.
    pub fn com_m(&self, frame: usize) -> DVec3 {
        let moment = |(index, link): (usize, &LinkPoint)| self.com_m[index * self.count() + frame] * link.mass_kg;
        self.links.iter().enumerate().map(moment).sum::<DVec3>() / self.total_mass_kg
    }

    /// Angular momentum about the centre of mass in some frames, of rigid links, not smoothed.
    pub fn angular_momenta(&self, range: &Range<usize>) -> Result<Vec<DVec3>, EditingError> {
        let count = self.count();
        // Central differences look at one neighbour on either side.
        let wide = range.start.saturating_sub(1)..(range.end + 1).min(count);
        let links = self.links.len();
        let cells = || wide.clone().flat_map(|frame| (0..links).map(move |link| link * count + frame));
        // Collecting from nested loops does not know how many there are, and would allocate again and again.
        let (mut com_in_world_m, mut world_from_joint) =
            (Vec::with_capacity(links * wide.len()), Vec::with_capacity(links * wide.len()));
        com_in_world_m.extend(cells().map(|cell| self.com_m[cell]));
        world_from_joint.extend(cells().map(|cell| self.world_from_link[cell]));
        let paths = LinkPaths { links, com_in_world_m, world_from_joint };
        let options = CentroidalOptions { model: MassModel::Rigid, smoothing_secs: 0.0 };
        let track = centroidal_track_of_paths(&paths, &self.body, &self.timeline, &options)?;
        let inside = range.start - wide.start..range.end - wide.start;
        Ok(track.momentum[inside].iter().map(|momentum| momentum.angular).collect())
    }

    /// A link's own inertia about its centre of mass, in world axes.
    pub fn own_inertia(&self, link: usize, frame: usize) -> DMat3 {
        let world_from_link = DMat3::from_quat(self.world_from_link[link * self.count() + frame]);
        self.body.links()[link].inertia.about_com.rotated(world_from_link).to_mat3()
    }
}
