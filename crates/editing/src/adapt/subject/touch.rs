//! Points of the body that may touch the world.

use aplomb_analysis::ContactAnalysis;
use aplomb_analysis::contacts::Part;
use aplomb_motion::{Clip, LimbKind, Roles, Side, WorldPose};
use aplomb_physics::dynamics::{DynamicSkeleton, LinkId};
use glam::DVec3;

/// A point of a link that may touch the world.
#[derive(Clone, Debug, PartialEq)]
pub struct Touch {
    /// `left_heel` …
    pub name: String,
    pub link: LinkId,
    pub point_in_link_m: DVec3,
    /// Points of one foot (or hand) share it: they hold one rigid thing together. Feet are 0 (left) and 1 (right),
    /// hands 2 and 3.
    pub group: usize,
    pub part: Part,
}

impl Touch {
    /// 0 on the left, 1 on the right.
    pub fn side(&self) -> usize {
        self.group % 2
    }

    pub fn is_foot(&self) -> bool {
        self.group < 2
    }
}

/// From the ball of the foot to the tip of the toes, of the stature (Winter 2009: a foot is 0.152 of it, its ball at
/// 0.73 of the foot). End sites of captures stop short of the tip, which is the last thing to leave the ground.
const TOE_SHARE: f64 = 0.041;

/// Heel, ball and toe of each foot and the palms, on the links that carry them. The ball belongs to the toes, which lie
/// still while the heel rises: a point under the foot would roll forward by centimetres.
pub fn touches(roles: &Roles, contacts: &ContactAnalysis, skeleton: &DynamicSkeleton, clip: &Clip) -> Vec<Touch> {
    let tree = &skeleton.links;
    let mut pose = WorldPose::for_skeleton(clip.skeleton());
    pose.pose(clip, aplomb_motion::FrameIndex(clip.frame_count() / 2));
    let mut found = Vec::new();
    for effector in &contacts.effectors {
        let Some(side) = effector.side else { continue };
        if !matches!(effector.part, Part::Heel | Part::Ball | Part::Toe | Part::Hand) {
            continue;
        }
        let mut carrier = clip.skeleton().ancestors(effector.joint);
        let Some((joint, link)) = carrier.find_map(|joint| Some((joint, tree.link_of(joint)?))) else { continue };
        let mut point_in_link_m = effector.point_in_joint_m;
        if joint != effector.joint {
            let at_m = pose.point_in_world_m(effector.joint, effector.point_in_joint_m);
            let turn = pose.world_from_joint[joint.index()];
            point_in_link_m = turn.conjugate() * (at_m - pose.joint_in_world_m[joint.index()]);
        }
        let is_toe_joint = roles.limb(side, LimbKind::Leg).and_then(|leg| leg.tip) == Some(joint);
        if effector.part == Part::Toe && is_toe_joint {
            let least_m = TOE_SHARE * skeleton.body.stature_m().unwrap_or(1.7);
            point_in_link_m *= (least_m / point_in_link_m.length().max(1e-3)).max(1.0);
        }
        let group = usize::from(side == Side::Right) + if effector.part == Part::Hand { 2 } else { 0 };
        found.push(Touch { name: effector.name.clone(), link, point_in_link_m, group, part: effector.part });
    }
    found
}
