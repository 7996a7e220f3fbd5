//! What each joint is to the body: hips, left thigh, right hand. Found from names, from structure and from motion.
//!
//! Names decide first: every known naming family is normalised to one vocabulary, and words that mean different joints
//! in different families ("shoulder", "hip", "leg", "arm", "foot") are decided by their place in the chain and by which
//! other words occur beside them. Where names say nothing, mirrored pairs of chains do. Every assignment keeps the rule
//! that made it and how far it can be trusted; a mapping given by the user always wins.

mod families;
mod fingerprint;
mod geometry;
mod limbs;
mod mirror;
mod names;
mod plan;
mod role;
mod sides;
mod smpl;
mod structure;
mod trunk;

pub use role::{Digit, Role, Side, UnknownRole};

use crate::clip::Clip;
use crate::ids::JointId;
use crate::skeleton::Skeleton;
use geometry::Poses;
use serde::Serialize;
use std::collections::HashMap;

/// How the body stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum BodyPlan {
    /// A person: two legs, upright. Limbs may be missing.
    Biped,
    /// Four legs; the front ones hold the arm roles.
    Quadruped,
    /// One rigid body: a ball, a prop.
    Single,
    /// Not recognised; roles may still be known in part.
    Unknown,
}

/// Why a joint has its role.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Assignment {
    /// The role.
    pub role: Role,
    /// 0 (a guess) to 1 (certain, or given by the user). Below 0.6 people should look.
    pub confidence: f64,
    /// The rule that decided, in a few words.
    pub reason: String,
}

/// Arm or leg; front and hind leg of a quadruped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum LimbKind {
    /// Arm or front leg.
    Arm,
    /// Leg or hind leg.
    Leg,
}

/// One limb as inverse kinematics needs it: three named joints and everything between them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limb {
    /// Clavicle or shoulder blade, if there is one.
    pub girdle: Option<JointId>,
    /// Upper arm or thigh.
    pub root: JointId,
    /// Forearm or shank.
    pub middle: JointId,
    /// Hand or foot.
    pub end: JointId,
    /// First joint beyond the end that has a role of its own on the limb: toe, or the fingers joint of a front leg.
    pub tip: Option<JointId>,
    /// Every joint from `root` to `end`, both included, spare joints (twist bones, second halves) too.
    pub chain: Vec<JointId>,
}

/// The roles of one skeleton's joints.
#[derive(Clone, Debug, PartialEq)]
pub struct Roles {
    assignments: Vec<Option<Assignment>>,
    parents: Vec<Option<JointId>>,
    /// Name without side, and the side: finds the partner of joints that have no role of their own.
    mirror_keys: Vec<(String, Option<Side>)>,
    by_role: HashMap<Role, JointId>,
    partners: Vec<Option<JointId>>,
    plan: BodyPlan,
    family: Option<(&'static str, f64)>,
    warnings: Vec<String>,
}

impl Roles {
    /// Finds roles from names, bone lengths and the motion itself.
    pub fn detect(clip: &Clip) -> Self {
        Self::from_evidence(clip.skeleton(), &Poses::sample(clip))
    }

    /// Finds roles from names and the rest pose alone. Files whose rest pose is meaningless (offsets along one axis)
    /// need [`Roles::detect`] when their names are meaningless too.
    pub fn detect_skeleton(skeleton: &Skeleton) -> Self {
        Self::from_evidence(skeleton, &Poses::rest(skeleton))
    }

    fn from_evidence(skeleton: &Skeleton, poses: &Poses) -> Self {
        let words = names::read_all(skeleton);
        let mut draft = Draft::new(skeleton.len());
        if skeleton.len() == 1 {
            plan::single(&words, &mut draft);
        } else {
            limbs::by_name(skeleton, &words, poses, &mut draft);
            structure::fill(skeleton, &words, poses, &mut draft);
        }
        draft.plan = plan::body_plan(skeleton, &words, poses, &draft);
        plan::check_sides(poses, &mut draft);
        let family = fingerprint::fingerprint(&words).or(draft.family);
        let mut roles = Self {
            assignments: draft.assignments,
            parents: skeleton.joints().iter().map(|joint| joint.parent).collect(),
            mirror_keys: words.iter().map(|word| (word.mirror_key(), word.side)).collect(),
            by_role: HashMap::new(),
            partners: Vec::new(),
            plan: draft.plan,
            family,
            warnings: draft.warnings,
        };
        roles.index();
        roles
    }

    /// The same roles with what the user knows better. `None` takes a role away. A unique role given to one joint is
    /// taken from the joint that held it.
    #[must_use]
    pub fn with_overrides(mut self, given: &[(JointId, Option<Role>)]) -> Self {
        let taken: HashMap<Role, JointId> = given
            .iter()
            .filter_map(|&(joint, role)| role.filter(|role| role.is_unique()).map(|role| (role, joint)))
            .collect();
        for (index, slot) in self.assignments.iter_mut().enumerate() {
            let holder = slot.as_ref().and_then(|assignment| taken.get(&assignment.role));
            if holder.is_some_and(|holder| holder.index() != index) {
                *slot = None;
            }
        }
        for &(joint, role) in given {
            if let Some(slot) = self.assignments.get_mut(joint.index()) {
                *slot = role.map(|role| Assignment { role, confidence: 1.0, reason: "given".to_owned() });
            }
        }
        self.index();
        self.plan = plan::after_overrides(&self);
        self
    }

    fn index(&mut self) {
        self.by_role.clear();
        for (index, assignment) in self.assignments.iter().enumerate() {
            if let Some(assignment) = assignment {
                self.by_role.entry(assignment.role).or_insert(JointId::new(index));
            }
        }
        self.partners = mirror::partners(self);
    }

    /// How the body stands.
    pub fn plan(&self) -> BodyPlan {
        self.plan
    }

    /// Naming family and how much of it was found, 0 to 1.
    pub fn family(&self) -> Option<(&'static str, f64)> {
        self.family
    }

    /// What should be looked at.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// Per joint, in skeleton order.
    pub fn assignments(&self) -> &[Option<Assignment>] {
        &self.assignments
    }

    /// What is known about one joint.
    pub fn assignment(&self, joint: JointId) -> Option<&Assignment> {
        self.assignments.get(joint.index())?.as_ref()
    }

    /// A joint's role.
    pub fn role(&self, joint: JointId) -> Option<Role> {
        self.assignment(joint).map(|assignment| assignment.role)
    }

    /// The joint that holds a role (the first one, for [`Role::Helper`] and [`Role::SceneRoot`]).
    pub fn joint(&self, role: Role) -> Option<JointId> {
        self.by_role.get(&role).copied()
    }

    /// A limb, if its three main joints are known and lie on one chain.
    pub fn limb(&self, side: Side, kind: LimbKind) -> Option<Limb> {
        let (girdle, root, middle, end) = match kind {
            LimbKind::Arm => (Some(Role::Clavicle(side)), Role::UpperArm(side), Role::Forearm(side), Role::Hand(side)),
            LimbKind::Leg => (None, Role::Thigh(side), Role::Shank(side), Role::Foot(side)),
        };
        let (root, middle, end) = (self.joint(root)?, self.joint(middle)?, self.joint(end)?);
        let chain = self.chain(root, end)?;
        let tip = match kind {
            LimbKind::Leg => self.joint(Role::Toe(side)),
            LimbKind::Arm => self.joint(Role::Finger(side, Digit::Fingers, 1)),
        };
        let limb = Limb { girdle: girdle.and_then(|role| self.joint(role)), root, middle, end, tip, chain };
        limb.chain.contains(&middle).then_some(limb)
    }

    /// Every joint from the hips to the head, both included, as far as they are known; spare joints too.
    pub fn spine_chain(&self) -> Vec<JointId> {
        let Some(hips) = self.joint(Role::Hips) else { return Vec::new() };
        let numbered = |make: fn(u16) -> Role| (0..u16::MAX).map_while(move |number| self.joint(make(number))).last();
        let top = self.joint(Role::Head).or_else(|| numbered(Role::Neck)).or_else(|| numbered(Role::Spine));
        top.and_then(|top| self.chain(hips, top)).unwrap_or_else(|| vec![hips])
    }

    /// Joints from `top` down to `bottom`, both included, if `bottom` is below `top`.
    pub fn chain(&self, top: JointId, bottom: JointId) -> Option<Vec<JointId>> {
        let mut chain = vec![bottom];
        let mut joint = bottom;
        while joint != top {
            joint = (*self.parents.get(joint.index())?)?;
            chain.push(joint);
        }
        chain.reverse();
        Some(chain)
    }

    /// The joint that swaps with this one when left and right are exchanged; a joint on the midline is its own partner.
    ///
    /// By role; for joints without a role of their own (helpers, face) by name, then by the same place below a mirrored
    /// parent. `None` if no partner is known.
    pub fn mirror_partner(&self, joint: JointId) -> Option<JointId> {
        *self.partners.get(joint.index())?
    }

    /// The joints that stand on the ground: both feet, or hands and feet of a quadruped (front left, front right, hind
    /// left, hind right). For each the lowest joint of the limb that has a role: toe before foot, fingers before hand;
    /// on a quadruped the hoof below it too.
    pub fn ground_feet(&self) -> Vec<JointId> {
        let lowest = |roles: &[Role]| roles.iter().find_map(|&role| self.joint(role));
        let hind = Side::BOTH.map(|side| lowest(&[Role::Toe(side), Role::Foot(side)]));
        let front = Side::BOTH.map(|side| {
            let fingers = |segment| Role::Finger(side, Digit::Fingers, segment);
            lowest(&[fingers(3), fingers(2), fingers(1), Role::Hand(side)])
        });
        match self.plan {
            BodyPlan::Biped => hind.into_iter().flatten().collect(),
            BodyPlan::Quadruped => {
                front.into_iter().chain(hind).flatten().map(|joint| self.last_helper_below(joint)).collect()
            }
            BodyPlan::Single | BodyPlan::Unknown => Vec::new(),
        }
    }
}

impl Roles {
    /// The part that has to be named before any of the body can stand: a foot, of a body that is more than one piece
    /// and has none.
    pub fn missing_foot(&self) -> Option<Role> {
        let is_one_piece = self.plan == BodyPlan::Single;
        let none = Side::BOTH.into_iter().all(|side| self.joint(Role::Foot(side)).is_none());
        (none && !is_one_piece).then_some(Role::Foot(Side::Left))
    }

    fn last_helper_below(&self, joint: JointId) -> JointId {
        let mut last = joint;
        // Children follow their parents, so one pass finds the end of a chain of helpers.
        for index in joint.index() + 1..self.parents.len() {
            let child = JointId::new(index);
            if self.parents[index] == Some(last) && self.role(child) == Some(Role::Helper) {
                last = child;
            }
        }
        last
    }
}

/// Roles while they are being found.
struct Draft {
    assignments: Vec<Option<Assignment>>,
    plan: BodyPlan,
    family: Option<(&'static str, f64)>,
    warnings: Vec<String>,
    holders: HashMap<Role, JointId>,
}

impl Draft {
    fn new(joints: usize) -> Self {
        let assignments = vec![None; joints];
        Self { assignments, plan: BodyPlan::Unknown, family: None, warnings: Vec::new(), holders: HashMap::new() }
    }

    fn has(&self, joint: JointId) -> bool {
        self.assignments[joint.index()].is_some()
    }

    fn role(&self, joint: JointId) -> Option<Role> {
        self.assignments[joint.index()].as_ref().map(|assignment| assignment.role)
    }

    fn joint(&self, role: Role) -> Option<JointId> {
        self.holders.get(&role).copied()
    }

    /// Gives a role; a role that only one joint can hold stays with the first that got it, the next becomes a helper.
    fn give(&mut self, joint: JointId, role: Role, confidence: f64, reason: impl Into<String>) {
        let doubled = role.is_unique() && self.joint(role).is_some_and(|holder| holder != joint);
        let (role, confidence, reason) = match doubled {
            false => (role, confidence, reason.into()),
            true => (Role::Helper, confidence.min(0.7), format!("a second {role}")),
        };
        if let Some(old) = self.role(joint)
            && self.holders.get(&old) == Some(&joint)
        {
            self.holders.remove(&old);
        }
        self.holders.entry(role).or_insert(joint);
        self.assignments[joint.index()] = Some(Assignment { role, confidence, reason });
    }
}

#[cfg(test)]
mod tests;
