//! Changes to a motion, made on purpose.

use aplomb_analysis::{Keeps, Take};
use aplomb_motion::edit::body_joint;
use aplomb_motion::{Clip, FrameIndex, JointId, Role, Side, WorldPose, so3};
use glam::{DQuat, DVec3};

/// What is done to a motion, in the middle half of its time, eased in and out.
#[derive(Clone, Copy)]
pub enum Change {
    /// Nothing at all.
    Nothing,
    /// A joint is turned about an axis, degrees.
    Turn(&'static str, Joint, Axis, f64),
    /// The whole body goes up or down, m.
    Up(f64),
    /// The whole body goes aside, m, all of the time.
    Aside(f64),
    /// The way over the ground is taken away.
    NoWay,
    /// All rotations and places are smoothed, s.
    Smooth(f64),
}

#[derive(Clone, Copy)]
pub enum Joint {
    Knee,
    Spine,
    Wrist,
    Forearm,
    Arm,
    Foot,
    Thigh,
    Head,
}

#[derive(Clone, Copy)]
pub enum Axis {
    /// From the right hip to the left.
    Left,
    Up,
    /// Where the person looks.
    Ahead,
    /// The bone below the joint.
    Own,
    /// The bone above the joint.
    Above,
}

/// What nobody wants.
pub const BAD: [Change; 12] = [
    Change::Turn("knee −45°", Joint::Knee, Axis::Left, -45.0),
    Change::Turn("spine bent by 66°", Joint::Spine, Axis::Left, 66.0),
    Change::Turn("spine turned by 50°", Joint::Spine, Axis::Up, 50.0),
    Change::Turn("wrist 100°", Joint::Wrist, Axis::Left, 100.0),
    Change::Turn("forearm 60°", Joint::Forearm, Axis::Own, 60.0),
    Change::Turn("arm 40° away", Joint::Arm, Axis::Ahead, 40.0),
    Change::Up(-0.15),
    Change::Up(0.20),
    Change::NoWay,
    Change::Turn("foot turned by 100°", Joint::Foot, Axis::Above, 100.0),
    Change::Turn("thigh 50° out", Joint::Thigh, Axis::Ahead, 50.0),
    Change::Smooth(0.25),
];

/// What nobody minds.
pub const HARMLESS: [Change; 7] = [
    Change::Nothing,
    Change::Turn("head 8°", Joint::Head, Axis::Up, 8.0),
    Change::Turn("arm 6°", Joint::Arm, Axis::Ahead, 6.0),
    Change::Turn("spine 4°", Joint::Spine, Axis::Up, 4.0),
    Change::Up(0.01),
    Change::Aside(0.015),
    Change::Smooth(0.02),
];

impl Change {
    /// For tables.
    pub fn title(self) -> String {
        match self {
            Change::Nothing => "nothing".to_owned(),
            Change::Turn(title, ..) => title.to_owned(),
            Change::Up(metres) => format!("{:+.0} cm up", 100.0 * metres),
            Change::Aside(metres) => format!("{:.1} cm aside", 100.0 * metres),
            Change::NoWay => "way taken away".to_owned(),
            Change::Smooth(secs) => format!("smoothed {secs} s"),
        }
    }

    /// The changed motion; `None` where it has no such part, or no way.
    pub fn apply(self, take: &Take) -> Option<Take> {
        let clip = take.clip();
        let changed = match self {
            Change::Nothing => clip.clone(),
            Change::Turn(_, joint, axis, degrees) => turned(take, joint, axis, degrees)?,
            Change::Up(metres) => moved(clip, |share| DVec3::Y * (metres * share)),
            Change::Aside(metres) => moved(clip, |share| DVec3::X * (metres * share)),
            Change::NoWay => without_way(clip)?,
            Change::Smooth(secs) => smoothed(clip, secs)?,
        };
        Some(take.with_clip(changed, Keeps::Time).without_inherited())
    }
}

/// 0 at the ends, 1 in the middle half, eased over a tenth of the clip.
fn share(frame: usize, frames: usize) -> f64 {
    let at = frame as f64 / frames.max(2) as f64;
    let inside = ((at - 0.25).min(0.75 - at) / 0.1).clamp(0.0, 1.0);
    inside * inside * (3.0 - 2.0 * inside)
}

fn turned(take: &Take, joint: Joint, axis: Axis, degrees: f64) -> Option<Clip> {
    let (clip, roles) = (take.clip(), take.roles());
    let side = Side::Left;
    let (role, below) = match joint {
        Joint::Knee => (Role::Shank(side), Role::Foot(side)),
        Joint::Spine => (Role::Spine(0), Role::Head),
        Joint::Wrist => (Role::Hand(side), Role::Hand(side)),
        Joint::Forearm => (Role::Forearm(side), Role::Hand(side)),
        Joint::Arm => (Role::UpperArm(side), Role::Forearm(side)),
        Joint::Foot => (Role::Foot(side), Role::Foot(side)),
        Joint::Thigh => (Role::Thigh(side), Role::Shank(side)),
        Joint::Head => (Role::Head, Role::Head),
    };
    let (joint, below) = (roles.joint(role)?, roles.joint(below)?);
    let above = match role {
        Role::Foot(side) => roles.joint(Role::Shank(side))?,
        _ => joint,
    };
    let parent = clip.skeleton().joint(joint).parent?;
    let hips = [Role::Thigh(Side::Left), Role::Thigh(Side::Right)].map(|role| roles.joint(role));
    let mut pose = WorldPose::for_skeleton(clip.skeleton());
    let mut changed = clip.clone();
    for frame in 0..clip.frame_count() {
        pose.pose(clip, FrameIndex(frame));
        let at = |joint: JointId| pose.joint_in_world_m[joint.index()];
        let left = at(hips[0]?) - at(hips[1]?);
        let in_world = match axis {
            Axis::Left => left,
            Axis::Up => DVec3::Y,
            Axis::Ahead => left.cross(DVec3::Y),
            Axis::Own => at(below) - at(joint),
            Axis::Above => at(joint) - at(above),
        };
        let in_parent = (pose.world_from_joint[parent.index()].conjugate() * in_world).normalize_or_zero();
        let turn = so3::exp(in_parent * (degrees.to_radians() * share(frame, clip.frame_count())));
        let rotation: DQuat = clip.rotation(FrameIndex(frame), joint);
        changed.set_rotation(FrameIndex(frame), joint, (turn * rotation).normalize());
    }
    Some(changed)
}

fn moved(clip: &Clip, by: impl Fn(f64) -> DVec3) -> Clip {
    let mut changed = clip.clone();
    let frames = clip.frame_count();
    let roots: Vec<JointId> = clip.skeleton().roots().collect();
    for root in roots {
        for (frame, place_m) in changed.track_mut(root).into_iter().flatten().enumerate() {
            *place_m += by(share(frame, frames));
        }
    }
    changed
}

/// The mean velocity over the ground is taken out.
fn without_way(clip: &Clip) -> Option<Clip> {
    const LEAST_WAY_M: f64 = 1.0;
    let root = clip.skeleton().roots().next()?;
    let mut changed = clip.clone();
    let track = changed.track_mut(root)?;
    let way_m = (*track.last()? - *track.first()?).with_y(0.0);
    let last = (track.len() - 1).max(1) as f64;
    track.iter_mut().enumerate().for_each(|(frame, place_m)| *place_m -= way_m * (frame as f64 / last));
    (way_m.length() > LEAST_WAY_M).then_some(changed)
}

fn smoothed(clip: &Clip, secs: f64) -> Option<Clip> {
    let hz = clip.timeline().uniform()?.hz();
    let radius = (secs * hz).ceil() as isize;
    // Full width at half of the height.
    let sigma = (secs * hz / 2.355).max(1e-6);
    let weight = |away: isize| (-0.5 * (away as f64 / sigma).powi(2)).exp();
    let mut changed = clip.clone();
    let last = clip.frame_count() as isize - 1;
    for joint in clip.skeleton().ids() {
        for frame in 0..=last {
            let own = clip.rotation(FrameIndex(frame as usize), joint);
            let (mut sum, mut total) = (DVec3::ZERO, 0.0);
            for away in -radius..=radius {
                let other = clip.rotation(FrameIndex((frame + away).clamp(0, last) as usize), joint);
                let between = own.conjugate() * other;
                let between = if between.w < 0.0 { -between } else { between };
                sum += so3::log(between) * weight(away);
                total += weight(away);
            }
            changed.set_rotation(FrameIndex(frame as usize), joint, (own * so3::exp(sum / total)).normalize());
        }
    }
    let root = body_joint(clip.skeleton());
    let roots: Vec<JointId> = clip.skeleton().roots().chain([root]).collect();
    for root in roots {
        let Some(places_m) = clip.track(root).map(<[DVec3]>::to_vec) else { continue };
        for (frame, place_m) in changed.track_mut(root).into_iter().flatten().enumerate() {
            let at = |away: isize| places_m[(frame as isize + away).clamp(0, last) as usize];
            let total: f64 = (-radius..=radius).map(weight).sum();
            *place_m = (-radius..=radius).map(|away| at(away) * weight(away)).sum::<DVec3>() / total;
        }
    }
    Some(changed)
}
