//! Which axis points up: head above feet in the motion and at rest, and ground that stays where it is.

use crate::diagnostic::Diagnostic;
use aplomb_motion::roles::{BodyPlan, Role, Roles, Side};
use aplomb_motion::{Axis, Clip, FrameIndex, JointId, WorldPose};
use glam::DVec3;

/// Enough frames to see what a clip does; the guess must not cost what reading costs.
const MOST_WATCHED_FRAMES: usize = 240;

/// The likeliest up axis and how sure it is.
///
/// Three witnesses, because each can be fooled: the direction from the feet to the head over the frames (a clip of
/// lying or rolling points elsewhere), the same in the rest pose (some rest poses are placeholders, some worlds are
/// turned by the root), and how still the lowest point of the body stays along the axis (a figure that stands still
/// shows nothing). Y gets a little in advance: most files are Y up.
pub(super) fn guess(clip: &Clip, roles: &Roles, stature: Option<f64>, notes: &mut Vec<Diagnostic>) -> (Axis, f64) {
    let Some(body) = Body::find(roles) else {
        notes.push(
            Diagnostic::note("FRM-N004", "", "up axis unknown: no body was recognised; taken as Y")
                .hint("give it with {up}"),
        );
        return (Axis::Y, 0.3);
    };
    let motion = watch(clip, &body);
    let rest = rest_direction(clip, &body, stature);
    let mut scores = Axis::ALL.map(|axis| {
        let index = axis.index();
        motion.upward[index].max(0.0) + rest[index].max(0.0) + 0.5 * motion.stillness[index]
    });
    scores[Axis::Y.index()] += 0.15;
    let best = Axis::ALL.into_iter().max_by(|a, b| scores[a.index()].total_cmp(&scores[b.index()])).unwrap_or(Axis::Y);
    let second =
        Axis::ALL.into_iter().filter(|&axis| axis != best).map(|axis| scores[axis.index()]).fold(0.0, f64::max);
    let lead = scores[best.index()] - second;
    let numbers = format!(
        "head over feet {:.2} of upright in the motion and {:.2} at rest along {}",
        motion.upward[best.index()],
        rest[best.index()],
        best.letter()
    );
    if lead < 0.25 {
        let found = format!("up axis guessed as {}, but other axes are nearly as likely: {numbers}", best.letter());
        notes.push(Diagnostic::warning("FRM-W002", "", found).hint("give it with {up}"));
        return (best, 0.5);
    }
    notes.push(Diagnostic::note("FRM-N002", "", format!("up axis guessed as {}: {numbers}", best.letter())));
    (best, if lead > 0.6 { 0.95 } else { 0.8 })
}

/// What should be above what.
struct Body {
    above: Vec<JointId>,
    below: Vec<JointId>,
    plan: BodyPlan,
}

impl Body {
    fn find(roles: &Roles) -> Option<Self> {
        let feet: Vec<JointId> = Side::BOTH.into_iter().filter_map(|side| roles.joint(Role::Foot(side))).collect();
        let (above, below) = match roles.plan() {
            BodyPlan::Biped => {
                let hips = roles.joint(Role::Hips)?;
                let top = roles.joint(Role::Head).or_else(|| roles.spine_chain().last().copied())?;
                let shanks = || Side::BOTH.into_iter().filter_map(|side| roles.joint(Role::Shank(side))).collect();
                let legs = if feet.is_empty() { shanks() } else { feet };
                let below = if legs.is_empty() { vec![hips] } else { legs };
                (vec![top], below)
            }
            BodyPlan::Quadruped => {
                let hands = Side::BOTH.into_iter().filter_map(|side| roles.joint(Role::Hand(side)));
                let chest = roles.joint(Role::Neck(0)).or_else(|| roles.joint(Role::Head))?;
                (vec![roles.joint(Role::Hips)?, chest], feet.iter().copied().chain(hands).collect())
            }
            BodyPlan::Single | BodyPlan::Unknown => return None,
        };
        (!below.is_empty()).then_some(Self { above, below, plan: roles.plan() })
    }

    fn direction(&self, positions: &[DVec3]) -> DVec3 {
        let mean = |joints: &[JointId]| {
            joints.iter().map(|joint| positions[joint.index()]).sum::<DVec3>() / joints.len().max(1) as f64
        };
        mean(&self.above) - mean(&self.below)
    }
}

struct Motion {
    /// Mean unit direction from below to above.
    upward: DVec3,
    /// Per axis, 1 if the lowest joint stays at one height, towards 0 as it wanders by more than a tenth of the body.
    stillness: [f64; 3],
}

fn watch(clip: &Clip, body: &Body) -> Motion {
    let frames = clip.frame_count();
    let count = frames.min(MOST_WATCHED_FRAMES);
    if count == 0 {
        return Motion { upward: DVec3::ZERO, stillness: [0.0; 3] };
    }
    let mut pose = WorldPose::for_skeleton(clip.skeleton());
    let mut upward = DVec3::ZERO;
    let mut size = 0.0;
    let mut lowest: [Vec<f64>; 3] = Default::default();
    for step in 0..count {
        pose.pose(clip, FrameIndex(step * frames / count));
        let direction = body.direction(&pose.joint_in_world_m);
        upward += direction.normalize_or_zero() / count as f64;
        size += direction.length() / count as f64;
        let low = pose.joint_in_world_m.iter().fold(DVec3::INFINITY, |low, &position| low.min(position));
        for axis in Axis::ALL {
            lowest[axis.index()].push(low[axis.index()]);
        }
    }
    let stillness = lowest.map(|mut heights| {
        heights.sort_by(f64::total_cmp);
        let at = |share: f64| heights[((heights.len() - 1) as f64 * share) as usize];
        // Tenth to ninetieth percentile: an added first frame or a dropout at the end says nothing.
        let wander = (at(0.9) - at(0.1)) / size.max(f64::MIN_POSITIVE);
        1.0 / (1.0 + (wander / 0.1).powi(2))
    });
    Motion { upward, stillness }
}

/// Direction from feet to head at rest as a share of the stature; zero if the rest pose is no standing body.
fn rest_direction(clip: &Clip, body: &Body, stature: Option<f64>) -> DVec3 {
    let Some(stature) = stature.filter(|&stature| stature > 0.0 && body.plan == BodyPlan::Biped) else {
        return DVec3::ZERO;
    };
    let share = body.direction(&clip.skeleton().rest_positions_m()) / stature;
    // A standing body has its head about 0.85 of its stature above its ankles; placeholders have anything.
    if (0.6..1.05).contains(&share.length()) { share } else { DVec3::ZERO }
}
