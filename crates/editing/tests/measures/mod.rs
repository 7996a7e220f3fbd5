//! What the proofs of planting and touch-up measure, on real captures.

// Each test and example that includes this uses a part of it.
#![allow(dead_code, reason = "shared by several programs, none of which uses everything")]

pub mod model;
pub mod turning;

use aplomb_analysis::Take;
use aplomb_analysis::support::{Soles, hull_into, nearest_point, zero_moment_point_m};
use aplomb_analysis::{ContactAnalysis, Ground};
use aplomb_editing::footplant::planting_contacts;
use aplomb_editing::span::TimeSpan;
use aplomb_editing::touchup::TouchupOptions;
use aplomb_formats::{ReadOptions, read_file};
use aplomb_motion::signal::gaussian::Gaussian;
use aplomb_motion::signal::{SampleTimes, derivative};
use aplomb_motion::{Clip, FrameIndex, JointId, LimbKind, Role, Roles, Side, WorldPose, so3};
use aplomb_physics::centroidal::{CentroidalOptions, MassModel, centroidal_track};
use aplomb_physics::{Body, BodyOptions};
use glam::DVec3;
use std::path::{Path, PathBuf};

/// Over which touch-up grows at the ends of spans and beside what is left alone, s.
const EASE_SECS: f64 = 0.6;

/// The folder of captures, or a line that says why there is none.
pub fn captures() -> Option<PathBuf> {
    let default = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let folder = std::env::var_os("APLOMB_DATA").map_or(default, PathBuf::from);
    if !folder.is_dir() {
        eprintln!("SKIPPED: no captures at {}; set APLOMB_DATA", folder.display());
        return None;
    }
    Some(folder)
}

/// A capture with what edits need to know about it.
pub struct Capture {
    pub name: String,
    pub clip: Clip,
    pub roles: Roles,
    pub body: Body,
    pub contacts: ContactAnalysis,
    /// Stretches that touch-up leaves alone; see [`Capture::commanded`].
    pub left_alone: Vec<TimeSpan>,
}

impl Capture {
    /// As verbs take it.
    pub fn take(&self) -> Take {
        Take::new(self.clip.clone(), self.roles.clone(), self.body.clone())
            .with_known_contacts(self.contacts.clone(), None)
    }

    /// With what `aplomb touchup` goes by: contacts to plant by, and stretches that something else carries, which
    /// are not measured either.
    pub fn commanded(mut self) -> Self {
        let Self { clip, roles, body, .. } = &self;
        let take = Take::new(clip.clone(), roles.clone(), body.clone());
        let mut contacts = planting_contacts(&take).cloned().unwrap();
        let alone = take.unexplained().unwrap().to_vec();
        self.left_alone =
            alone.iter().map(|span| TimeSpan { start_secs: span.start_secs, end_secs: span.end_secs }).collect();
        contacts.other.extend(alone);
        self.contacts = contacts;
        self
    }

    /// The same settings for this clip, however it was bent.
    pub fn touchup(&self, options: &TouchupOptions) -> TouchupOptions {
        let mut options = TouchupOptions { leave_alone: self.left_alone.clone(), ..options.clone() };
        // As long as the command's ease of touch-up; the span's own is that of other verbs.
        options.plant.span.ease_secs = EASE_SECS;
        options
    }

    /// Contacts whose pins are held for sure: beside stretches that are left alone feet slide as they did.
    pub fn held_contacts(&self) -> ContactAnalysis {
        let mut contacts = self.contacts.clone();
        let is_near = |start_secs: f64, end_secs: f64| {
            let near =
                |span: &TimeSpan| start_secs < span.end_secs + EASE_SECS && span.start_secs - EASE_SECS < end_secs;
            self.left_alone.iter().any(near)
        };
        contacts.pins.retain(|pin| !is_near(pin.start_secs, pin.end_secs));
        contacts
    }

    /// Reads a file; an artificial first frame is cut off, so that all frames can be measured.
    pub fn read(folder: &Path, file: &str) -> Self {
        Self::try_read(folder, file).unwrap()
    }

    /// The same; nothing of a file that nothing can be said about: one frame, no body.
    pub fn try_read(folder: &Path, file: &str) -> Option<Self> {
        let import = read_file(&folder.join(file), &ReadOptions::default()).ok()?;
        let clip = aplomb_motion::first_frame::without_stray(&import.clip).ok()?.unwrap_or(import.clip);
        let name = Path::new(file).file_stem().unwrap().to_str().unwrap().to_owned();
        Self::try_of(name, clip, import.roles)
    }

    pub fn of(name: String, clip: Clip, roles: Roles) -> Self {
        Self::try_of(name, clip, roles).unwrap()
    }

    fn try_of(name: String, clip: Clip, roles: Roles) -> Option<Self> {
        let body = Body::of_clip(&clip, &roles, &BodyOptions::default()).ok()?;
        // The report's contacts know which frames something unmodelled carries.
        let contacts = Take::new(clip.clone(), roles.clone(), body.clone()).into_inspection().ok()?.contacts;
        Some(Self { name, clip, roles, body, contacts, left_alone: Vec::new() })
    }
}

pub fn step_secs(clip: &Clip) -> f64 {
    clip.timeline().uniform().unwrap().secs()
}

/// Largest acceleration of any joint centre, smoothed over 50 ms, m/s². The outer 0.1 s are left out.
pub fn peak_acceleration(clip: &Clip) -> f64 {
    let joints = clip.skeleton().len();
    let positions_m = aplomb_motion::kinematics::joint_positions_m(clip);
    let step = step_secs(clip);
    let filter = Gaussian::from_window_secs(0.05, step).unwrap();
    let mut peak = 0.0_f64;
    for joint in 0..joints {
        let path: Vec<DVec3> = positions_m.iter().skip(joint).step_by(joints).copied().collect();
        let acceleration = derivative::second(&filter.smooth(&path), SampleTimes::uniform(step).unwrap());
        peak = inner(&acceleration, step).iter().map(|a| a.length()).fold(peak, f64::max);
    }
    peak
}

/// Largest angular acceleration of a knee's flexion, smoothed over 50 ms, rad/s².
pub fn peak_knee(clip: &Clip, roles: &Roles) -> f64 {
    let step = step_secs(clip);
    let filter = Gaussian::from_window_secs(0.05, step).unwrap();
    let mut pose = WorldPose::for_skeleton(clip.skeleton());
    let mut peak = 0.0_f64;
    for side in Side::BOTH {
        let joints = [Role::Thigh(side), Role::Shank(side), Role::Foot(side)].map(|role| roles.joint(role).unwrap());
        let flexion: Vec<f64> = clip
            .frames()
            .map(|frame| {
                pose.pose(clip, frame);
                let [hip, knee, ankle] = joints.map(|joint| pose.joint_in_world_m[joint.index()]);
                (knee - hip).angle_between(ankle - knee)
            })
            .collect();
        let acceleration = derivative::second(&filter.smooth(&flexion), SampleTimes::uniform(step).unwrap());
        peak = inner(&acceleration, step).iter().map(|a| a.abs()).fold(peak, f64::max);
    }
    peak
}

fn inner<T>(values: &[T], step: f64) -> &[T] {
    let edge = ((0.1 / step).round() as usize).min(values.len() / 4);
    &values[edge..values.len() - edge]
}

/// Lowest point of heels, balls and toes over the ground, m.
pub fn lowest_m(clip: &Clip, contacts: &ContactAnalysis, ground: &Ground) -> f64 {
    let mut pose = WorldPose::for_skeleton(clip.skeleton());
    let mut lowest_m = f64::INFINITY;
    for frame in clip.frames().skip(usize::from(contacts.stray_first_frame)) {
        pose.pose(clip, frame);
        for effector in contacts.effectors.iter().filter(|effector| effector.part.stands()) {
            let point_m = pose.point_in_world_m(effector.joint, effector.point_in_joint_m);
            lowest_m = lowest_m.min(ground.height_m(point_m));
        }
    }
    lowest_m
}

/// Root mean square over joints and frames of the change of local rotations, degrees.
pub fn change_deg(a: &Clip, b: &Clip) -> f64 {
    let (mut sum, mut count) = (0.0, 0.0);
    for (a, b) in a.rotations().iter().zip(b.rotations()) {
        let angle = so3::angle_between(*a, *b).to_degrees();
        (sum, count) = (sum + angle * angle, count + 1.0);
    }
    f64::sqrt(sum / f64::max(count, 1.0))
}

/// Root mean square change of the toes' local rotations, degrees: over frames in which their foot is in the air, and
/// over those in which it is down.
pub fn toe_change_deg(a: &Clip, b: &Clip, roles: &Roles, contacts: &ContactAnalysis) -> [f64; 2] {
    let step = step_secs(a);
    let (mut sums, mut counts) = ([0.0_f64; 2], [0.0_f64; 2]);
    for side in Side::BOTH {
        let Some(toes) = roles.joint(Role::Toe(side)) else { continue };
        let own = |name: &str| contacts.effectors.iter().any(|it| it.name == name && it.side == Some(side));
        let loads: Vec<_> = contacts.contacts.iter().filter(|it| own(&it.effector)).collect();
        for frame in a.frames() {
            let at_secs = frame.0 as f64 * step;
            let is_down = loads.iter().any(|it| (it.start_secs..=it.end_secs).contains(&at_secs));
            let angle = so3::angle_between(a.rotation(frame, toes), b.rotation(frame, toes)).to_degrees();
            sums[usize::from(is_down)] += angle * angle;
            counts[usize::from(is_down)] += 1.0;
        }
    }
    [0, 1].map(|it| (sums[it] / counts[it].max(1.0)).sqrt())
}

pub fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

pub fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

/// Deterministic jitter of joint rotations and the root, as noisy capture has: uniform within ±`rad` and ±`m`.
pub fn with_jitter(clip: &Clip, rad: f64, m: f64) -> Clip {
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    };
    let mut noisy = clip.clone();
    for rotation in noisy.rotations_mut() {
        *rotation = (*rotation * so3::exp(DVec3::new(next(), next(), next()) * rad)).normalize();
    }
    for track in noisy.tracks_mut() {
        for position_m in &mut track.positions_m {
            *position_m += DVec3::new(next(), next(), next()) * m;
        }
    }
    noisy
}

/// The yardstick: distance of the zero-moment point from the full support, by the physics crate's own momenta and not
/// by what touch-up uses inside.
#[derive(Clone, Copy, Debug, Default)]
pub struct Zmp {
    /// Mean over carried frames, m.
    pub mean_m: f64,
    /// Weighted by force, m.
    pub weighted_m: f64,
    /// Mean over frames that carry more than the weight, m.
    pub heavy_m: f64,
}

/// Distance of the zero-moment point from the full support, a frame; `None` where [`zmp`] does not count.
pub fn zmp_distances_m(
    clip: &Clip,
    body: &Body,
    contacts: &ContactAnalysis,
    ground: &Ground,
    smoothing_secs: f64,
) -> Vec<Option<f64>> {
    let mut distances_m = vec![None; clip.frame_count()];
    for_each_zmp(clip, body, contacts, ground, smoothing_secs, |frame, distance_m, _| {
        distances_m[frame] = Some(distance_m)
    });
    distances_m
}

/// Errors of a clip under given contacts; frames carrying less than 0.15 of the weight or carried by something
/// unmodelled are left out, and 0.1 s at either end.
pub fn zmp(clip: &Clip, body: &Body, contacts: &ContactAnalysis, ground: &Ground, smoothing_secs: f64) -> Zmp {
    let (mut sum, mut count, mut weighted, mut weight, mut heavy, mut heavy_count) = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0);
    for_each_zmp(clip, body, contacts, ground, smoothing_secs, |_, distance_m, load| {
        (sum, count) = (sum + distance_m, count + 1.0);
        (weighted, weight) = (weighted + distance_m * load, weight + load);
        if load > 1.0 {
            (heavy, heavy_count) = (heavy + distance_m, heavy_count + 1.0);
        }
    });
    let share = |sum: f64, count: f64| if count > 0.0 { sum / count } else { 0.0 };
    Zmp { mean_m: share(sum, count), weighted_m: share(weighted, weight), heavy_m: share(heavy, heavy_count) }
}

/// Calls back with frame, distance and load.
fn for_each_zmp(
    clip: &Clip,
    body: &Body,
    contacts: &ContactAnalysis,
    ground: &Ground,
    smoothing_secs: f64,
    mut tell: impl FnMut(usize, f64, f64),
) {
    let options = CentroidalOptions { model: MassModel::Points, smoothing_secs };
    let track = centroidal_track(clip, body, &options).unwrap();
    let soles = Soles::new(&contacts.effectors, 0.04);
    let step = step_secs(clip);
    let frames = clip.frame_count();
    let (mut down, mut is_carried) = (vec![0u64; frames], vec![false; frames]);
    for contact in &contacts.contacts {
        let bit = contacts.effectors.iter().position(|effector| effector.name == contact.effector).unwrap();
        let start = ((contact.start_secs / step - 1e-6).ceil().max(0.0)) as usize;
        let end = (((contact.end_secs / step + 1e-6).floor() as usize) + 1).min(frames);
        for frame in start..end {
            down[frame] |= 1 << bit;
            is_carried[frame] = true;
        }
    }
    for span in &contacts.other {
        let is_within = |frame: usize| (span.start_secs..=span.end_secs).contains(&(frame as f64 * step));
        (0..frames).filter(|&frame| is_within(frame)).for_each(|frame| is_carried[frame] = false);
    }
    let mut pose = WorldPose::for_skeleton(clip.skeleton());
    let (mut corners, mut hull) = (Vec::new(), Vec::new());
    let edge = (0.1 / step).round() as usize;
    for frame in edge..frames.saturating_sub(edge) {
        if !is_carried[frame] {
            continue;
        }
        pose.pose(clip, FrameIndex(frame));
        let at = |index: usize| {
            let effector = &contacts.effectors[index];
            pose.point_in_world_m(effector.joint, effector.point_in_joint_m)
        };
        let is_down = |index: usize| down[frame] >> index & 1 == 1;
        let Some(plane) = soles.plane(*ground, is_down, at) else { continue };
        let force = track.momentum_rate[frame].linear + DVec3::Y * (9.81 * track.total_mass_kg);
        let load = force.dot(plane.normal()) / (9.81 * track.total_mass_kg);
        if load < 0.15 {
            continue;
        }
        soles.corners_into(&plane, 0.0, is_down, at, &mut corners);
        hull.clear();
        hull_into(&mut corners, &mut hull);
        let rate = track.momentum_rate[frame].angular;
        let flat_m = plane.flat_m(zero_moment_point_m(track.com_in_world_m[frame], force, rate, &plane));
        let distance_m = nearest_point(&hull, flat_m).distance(flat_m);
        tell(frame, distance_m, load);
    }
}

/// Lean of the centre of mass over the middle of the ankles towards a side of the way (or ahead), mean over the middle
/// 60 % of a clip, rad.
pub fn lean_rad(clip: &Clip, roles: &Roles, body: &Body, towards: Towards) -> f64 {
    let ankles = Side::BOTH.map(|side| roles.joint(Role::Foot(side)).unwrap());
    let mut pose = WorldPose::for_skeleton(clip.skeleton());
    let (mut coms_m, mut feet_m) = (Vec::new(), Vec::new());
    for frame in clip.frames() {
        pose.pose(clip, frame);
        coms_m.push(body.com_in_world_m(&pose));
        feet_m.push(pose.joint_in_world_m[ankles[0].index()].midpoint(pose.joint_in_world_m[ankles[1].index()]));
    }
    let step = step_secs(clip);
    let way = Gaussian::from_window_secs(1.0, step).unwrap().smooth(&coms_m);
    let velocity = derivative::first(&way, SampleTimes::uniform(step).unwrap());
    let frames = coms_m.len();
    let leans = (frames / 5..frames - frames / 5).map(|frame| {
        let ahead = velocity[frame].with_y(0.0).normalize_or_zero();
        let direction = match towards {
            Towards::Side(Side::Left) => DVec3::Y.cross(ahead),
            Towards::Side(Side::Right) => ahead.cross(DVec3::Y),
            Towards::Ahead => ahead,
        };
        let over = coms_m[frame] - feet_m[frame];
        over.dot(direction).atan2(over.y)
    });
    mean(&leans.collect::<Vec<_>>())
}

/// The same over the points that stand, over carried frames of the middle 60 %, weighted by nothing.
pub fn lean_over_stance_rad(clip: &Clip, body: &Body, contacts: &ContactAnalysis, side: Side) -> f64 {
    let step = step_secs(clip);
    let mut pose = WorldPose::for_skeleton(clip.skeleton());
    let track = centroidal_track(clip, body, &CentroidalOptions::default()).unwrap();
    let way = Gaussian::from_window_secs(1.0, step).unwrap().smooth(&track.com_in_world_m);
    let velocity = derivative::first(&way, SampleTimes::uniform(step).unwrap());
    let frames = clip.frame_count();
    let mut leans = Vec::new();
    for (frame, velocity) in velocity.iter().enumerate().take(frames - frames / 5).skip(frames / 5) {
        pose.pose(clip, FrameIndex(frame));
        let at_secs = frame as f64 * step;
        let down = contacts.contacts.iter().filter(|it| (it.start_secs..it.end_secs).contains(&at_secs));
        let points: Vec<DVec3> = down
            .map(|it| {
                let effector = contacts.effectors.iter().find(|effector| effector.name == it.effector).unwrap();
                pose.point_in_world_m(effector.joint, effector.point_in_joint_m)
            })
            .collect();
        if points.is_empty() {
            continue;
        }
        let over = track.com_in_world_m[frame] - points.iter().copied().sum::<DVec3>() / points.len() as f64;
        let ahead = velocity.with_y(0.0).normalize_or_zero();
        let direction = if side == Side::Left { DVec3::Y.cross(ahead) } else { ahead.cross(DVec3::Y) };
        leans.push(over.dot(direction).atan2(over.y));
    }
    mean(&leans)
}

/// Mean of v² over the middle 60 % of a clip, where the lean is measured, (m/s)²: people starting from a stand are
/// faster there than on average.
pub fn square_speed(clip: &Clip, body: &Body) -> f64 {
    let step = step_secs(clip);
    let track = centroidal_track(clip, body, &CentroidalOptions::default()).unwrap();
    let way = Gaussian::from_window_secs(1.0, step).unwrap().smooth(&track.com_in_world_m);
    let velocity = derivative::first(&way, SampleTimes::uniform(step).unwrap());
    let frames = velocity.len();
    let squares = velocity[frames / 5..frames - frames / 5].iter().map(|v| v.with_y(0.0).length_squared());
    mean(&squares.collect::<Vec<_>>())
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Towards {
    Side(Side),
    Ahead,
}

/// How far the line through both hips is rolled, and the trunk leans, beyond what the clip's do while a body stands
/// in the first half second, degrees.
pub fn stands_off_deg(clip: &Clip, own: &Clip, roles: &Roles) -> [f64; 2] {
    let chain = roles.spine_chain();
    let (Some(&hips), Some(&head)) = (chain.first(), chain.last()) else { return [0.0; 2] };
    let legs = Side::BOTH.map(|side| roles.limb(side, LimbKind::Leg).map(|leg| leg.root));
    let [Some(left), Some(right)] = legs else { return [0.0; 2] };
    let mut pose = WorldPose::for_skeleton(clip.skeleton());
    let mut lines = |clip: &Clip, frame: usize| {
        pose.pose(clip, FrameIndex(frame));
        let at = |joint: JointId| pose.joint_in_world_m[joint.index()];
        let across = at(left) - at(right);
        (
            across.y.atan2(across.with_y(0.0).length()).to_degrees(),
            (at(head) - at(hips)).angle_between(DVec3::Y).to_degrees(),
        )
    };
    let mut worst = [0.0_f64; 2];
    for frame in 0..(0.5 / step_secs(clip)).round() as usize {
        let ((roll_deg, lean_deg), (own_deg, own_lean_deg)) = (lines(clip, frame), lines(own, frame));
        worst[0] = worst[0].max((roll_deg - own_deg).abs());
        worst[1] = worst[1].max((lean_deg - own_lean_deg).abs());
    }
    worst
}
