//! Roles from structure, for skeletons whose names say nothing (formats.md 10.3): mirrored pairs of chains are limbs,
//! the pair nearest the root is the legs, the path between the pairs is the spine.

use super::Draft;
use super::families::Part;
use super::geometry::Poses;
use super::names::Word;
use super::role::{Role, Side};
use super::sides::{self, LegJoints};
use super::trunk::common_ancestor;
use crate::ids::JointId;
use crate::skeleton::Skeleton;

/// Structure is never as sure as a name.
const BY_STRUCTURE: f64 = 0.7;

/// Fills in a body where names found no limb at all. Names that found some are not contradicted.
pub(super) fn fill(skeleton: &Skeleton, words: &[Word], poses: &Poses, draft: &mut Draft) {
    let limbs_named = Side::BOTH.iter().any(|&side| {
        let any = [Role::Thigh(side), Role::Shank(side), Role::UpperArm(side), Role::Forearm(side)];
        any.iter().any(|&role| draft.joint(role).is_some())
    });
    let meaningful = words.iter().filter(|word| word.part.is_some_and(|part| part != Part::Root)).count();
    // A few accidental words ("ring", "ball") in a skeleton of meaningless names do not make a naming.
    // Below eight joints there is no body with four limbs; above two thousand it is a crowd or an attack on the search.
    if limbs_named || meaningful * 5 > words.len() || !(8..=2_000).contains(&skeleton.len()) {
        return;
    }
    if super::smpl::fill(skeleton, draft) {
        return;
    }
    let tree = Tree::measure(skeleton, poses);
    let Some((legs, arms)) = leg_and_arm_pairs(&tree) else { return };
    let Some(hips) = common_ancestor(skeleton, &[legs.attach, arms.attach]) else { return };
    let body = Body { hips, chest: arms.attach, legs, arms };
    body.assign(&tree, draft);
}

/// What the recursion over subtrees knows of each joint.
struct Tree<'a> {
    skeleton: &'a Skeleton,
    poses: &'a Poses,
    /// Joints on the longest way down, not counting the joint itself.
    height: Vec<usize>,
    size: Vec<usize>,
}

impl<'a> Tree<'a> {
    fn measure(skeleton: &'a Skeleton, poses: &'a Poses) -> Self {
        let (mut height, mut size) = (vec![0; skeleton.len()], vec![1; skeleton.len()]);
        for joint in skeleton.ids().rev() {
            if let Some(parent) = skeleton.parent(joint) {
                height[parent.index()] = height[parent.index()].max(height[joint.index()] + 1);
                size[parent.index()] += size[joint.index()];
            }
        }
        Self { skeleton, poses, height, size }
    }

    /// The main way down two mirrored subtrees, step by step in both: into the child that goes deepest, carries most
    /// and reaches furthest. Where the two have the same children, a bone counts with the shorter of its two lengths,
    /// because one side sometimes carries a junk bone metres long.
    fn backbones(&self, a: JointId, b: JointId) -> [Vec<JointId>; 2] {
        let mut chains = [vec![a], vec![b]];
        let (mut a, mut b) = (a, b);
        loop {
            let (of_a, of_b) = (self.skeleton.children(a), self.skeleton.children(b));
            let shape = |joint: JointId| (self.height[joint.index()], self.size[joint.index()]);
            let alike = of_a.len() == of_b.len() && of_a.iter().zip(of_b).all(|(&a, &b)| shape(a) == shape(b));
            let next = if alike {
                let both = of_a.iter().copied().zip(of_b.iter().copied());
                both.rev().max_by(|&x, &y| {
                    let shorter = |pair: (JointId, JointId)| self.poses.bone_m(pair.0).min(self.poses.bone_m(pair.1));
                    shape(x.0).cmp(&shape(y.0)).then(shorter(x).total_cmp(&shorter(y)))
                })
            } else {
                self.main_child(a, &[]).zip(self.main_child(b, &[]))
            };
            let Some(next) = next else { return chains };
            (a, b) = next;
            chains[0].push(a);
            chains[1].push(b);
        }
    }

    /// Longest bone with its end site that leaves `joint`, the one to `main` not counted.
    fn side_branch_m(&self, joint: JointId, main: JointId) -> f64 {
        let others = self.skeleton.children(joint).iter().filter(|&&child| child != main);
        others.map(|&child| self.poses.bone_m(child) + self.poses.end_m(child)).fold(0.0, f64::max)
    }

    fn main_child(&self, joint: JointId, but: &[JointId]) -> Option<JointId> {
        let children = self.skeleton.children(joint).iter().copied().filter(|child| !but.contains(child));
        children.rev().max_by(|&a, &b| {
            let key = |joint: JointId| (self.height[joint.index()], self.size[joint.index()]);
            key(a).cmp(&key(b)).then(self.poses.bone_m(a).total_cmp(&self.poses.bone_m(b)))
        })
    }
}

/// Two chains that mirror each other.
struct Pair {
    attach: JointId,
    chains: [Vec<JointId>; 2],
    /// Distance of each joint of the chain from its first, mean of both sides; the last entry is the end site.
    along_m: Vec<f64>,
}

/// All topmost mirrored pairs of chains with at least three joints; the two that reach furthest, legs first.
fn leg_and_arm_pairs(tree: &Tree) -> Option<(Pair, Pair)> {
    let mut pairs = Vec::new();
    let mut open: Vec<JointId> = tree.skeleton.roots().collect();
    while let Some(joint) = open.pop() {
        let mut rest: Vec<JointId> = tree.skeleton.children(joint).to_vec();
        // Quadratic in siblings; a fan of more is hair or feathers.
        while rest.len() <= 64
            && let Some((a, b, pair)) = best_pair(tree, joint, &rest)
        {
            rest.retain(|&child| child != a && child != b);
            pairs.push(pair);
        }
        open.extend(rest);
    }
    let reach = |pair: &Pair| pair.along_m.last().copied().unwrap_or(0.0);
    pairs.sort_by(|a, b| reach(b).total_cmp(&reach(a)));
    let longest = pairs.first().map(reach)?;
    // Faces and skirts have mirrored chains too, but never a fifth as long as a leg.
    let mut limbs = pairs.into_iter().filter(|pair| reach(pair) > 0.2 * longest).take(2);
    let (first, second) = (limbs.next()?, limbs.next()?);
    let depth = |pair: &Pair| tree.skeleton.depth(pair.attach);
    // `first` reaches further: legs, unless the other pair sits nearer the root.
    Some(if depth(&second) < depth(&first) { (second, first) } else { (first, second) })
}

fn best_pair(tree: &Tree, attach: JointId, children: &[JointId]) -> Option<(JointId, JointId, Pair)> {
    let mut best: Option<(f64, JointId, JointId, Pair)> = None;
    for (index, &a) in children.iter().enumerate() {
        for &b in &children[index + 1..] {
            let same_shape =
                tree.height[a.index()] == tree.height[b.index()] && tree.size[a.index()] == tree.size[b.index()];
            if !same_shape || tree.height[a.index()] < 2 {
                continue;
            }
            let chains = tree.backbones(a, b);
            let Some(difference) = difference(tree, &chains) else { continue };
            let along_m = along(tree, &chains);
            let reach = along_m.last().copied().unwrap_or(0.0);
            let score = reach * (1.0 - difference);
            if best.as_ref().is_none_or(|(most, ..)| score > *most) {
                best = Some((score, a, b, Pair { attach, chains, along_m }));
            }
        }
    }
    best.map(|(_, a, b, pair)| (a, b, pair))
}

/// Median relative difference of corresponding bones, `None` above 20 %: captured left and right differ by up to 8 %,
/// fingers and junk bones by anything (the median ignores them).
fn difference(tree: &Tree, chains: &[Vec<JointId>; 2]) -> Option<f64> {
    let mut differences: Vec<f64> = chains[0]
        .iter()
        .zip(&chains[1])
        .map(|(&a, &b)| (tree.poses.bone_m(a), tree.poses.bone_m(b)))
        .filter(|&(a, b)| a.max(b) > 0.0)
        .map(|(a, b)| (a - b).abs() / a.max(b))
        .collect();
    differences.sort_by(f64::total_cmp);
    let median = *differences.get(differences.len() / 2)?;
    (median < 0.2).then_some(median)
}

fn along(tree: &Tree, chains: &[Vec<JointId>; 2]) -> Vec<f64> {
    let mean = |length: &dyn Fn(JointId) -> f64, index: usize| {
        // The smaller of the two: one side of a pair sometimes carries a junk bone.
        length(chains[0][index]).min(length(chains[1][index]))
    };
    let joints = chains[0].len().min(chains[1].len());
    let mut along_m = vec![0.0];
    for index in 1..joints {
        along_m.push(along_m[index - 1] + mean(&|joint| tree.poses.bone_m(joint), index));
    }
    along_m.push(along_m[joints - 1] + mean(&|joint| tree.poses.end_m(joint), joints - 1));
    along_m
}

/// Proportions of a limb: ratios of lengths, and how far they may stray at a cost of one.
struct Proportions {
    lower_to_upper: f64,
    spread: f64,
    /// Hand or foot, to its tip, over the lower segment.
    rest_to_lower: f64,
    /// What lies before the limb proper (clavicle, hip connector) over the upper segment.
    before_to_upper: f64,
    before_spread: f64,
}

/// From the segment lengths of Winter (2009, fig. 4.1): thigh .245, shank .246, foot .152 of stature. Rigs stray from
/// anatomy, so the spreads are wide.
const LEG: Proportions =
    Proportions { lower_to_upper: 1.0, spread: 0.2, rest_to_lower: 0.5, before_to_upper: 0.0, before_spread: 0.5 };
/// Same source: upper arm .186, forearm .146, hand .108, shoulder half-width .129 (chains often start on the midline).
const ARM: Proportions =
    Proportions { lower_to_upper: 0.78, spread: 0.3, rest_to_lower: 0.6, before_to_upper: 0.7, before_spread: 0.5 };
/// Animals that stand on their toes: a short femur or humerus, a long metapodium. Between a dog and a horse.
const HIND: Proportions =
    Proportions { lower_to_upper: 1.4, spread: 0.4, rest_to_lower: 0.9, before_to_upper: 0.5, before_spread: 1.0 };
/// The same in front, below a long shoulder blade.
const FRONT: Proportions =
    Proportions { lower_to_upper: 1.4, spread: 0.4, rest_to_lower: 0.9, before_to_upper: 1.0, before_spread: 1.0 };

/// Indices of root, middle and end joint along a pair's chains: the triple that looks most like a limb.
fn find_segments(tree: &Tree, pair: &Pair, like: &Proportions) -> Option<[usize; 3]> {
    let joints = pair.along_m.len() - 1;
    let total = pair.along_m[joints];
    // A joint inside a segment must stay straight: 12° of bend is a cost of one.
    let straightness = 12f64.to_radians();
    let bend_cost = |index: usize| {
        let bend = |chain: &[JointId]| tree.poses.bend_rad(chain[index - 1], chain[index], chain[index + 1]);
        let mean = 0.5 * (bend(&pair.chains[0]) + bend(&pair.chains[1]));
        // Fingers leave the arm at the hand, never inside a segment; what branches off there is a mesh carrier of no
        // length.
        let branch = pair.chains.each_ref().map(|chain| tree.side_branch_m(chain[index], chain[index + 1]));
        let branches = branch[0].min(branch[1]) > 0.03 * total;
        (mean / straightness).powi(2) + if branches { 4.0 } else { 0.0 }
    };
    // Limbs have a handful of joints; a chain of hundreds is a tentacle, and the search is cubic.
    if joints > 24 {
        return None;
    }
    let bends: Vec<f64> =
        (0..joints).map(|index| if index == 0 || index + 1 == joints { 0.0 } else { bend_cost(index) }).collect();
    let mut best: Option<(f64, [usize; 3])> = None;
    for root in 0..joints {
        for middle in root + 1..joints {
            for end in middle + 1..joints {
                let upper = pair.along_m[middle] - pair.along_m[root];
                let lower = pair.along_m[end] - pair.along_m[middle];
                if upper < 0.05 * total || lower < 0.05 * total {
                    continue;
                }
                let rest = (total - pair.along_m[end]).min(2.0 * lower);
                let inside: f64 = bends[root + 1..middle].iter().chain(&bends[middle + 1..end]).sum();
                let cost = ((lower / upper / like.lower_to_upper).ln() / like.spread).powi(2)
                    + ((rest / lower - like.rest_to_lower) / 0.5).powi(2)
                    + ((pair.along_m[root] / upper - like.before_to_upper) / like.before_spread).powi(2)
                    + inside;
                if best.is_none_or(|(least, _)| cost < least) {
                    best = Some((cost, [root, middle, end]));
                }
            }
        }
    }
    // A cost of 30 is e.g. a lower segment three times the upper: no limb.
    best.filter(|&(cost, _)| cost < 30.0).map(|(_, segments)| segments)
}

struct Body {
    hips: JointId,
    chest: JointId,
    legs: Pair,
    arms: Pair,
}

impl Body {
    fn assign(&self, tree: &Tree, draft: &mut Draft) {
        let head = self.head_chain(tree);
        let (like_leg, like_arm) = if self.stands_on_four(tree, &head) { (&HIND, &FRONT) } else { (&LEG, &ARM) };
        let Some(leg) = find_segments(tree, &self.legs, like_leg) else { return };
        let Some(arm) = find_segments(tree, &self.arms, like_arm) else { return };
        let first_leg = self.first_leg_side(tree, leg, draft);
        let first_arm = self.first_arm_side(tree, leg, arm, first_leg);
        draft.give(self.hips, Role::Hips, BY_STRUCTURE, "where two mirrored pairs of chains meet");
        for above in tree.skeleton.ancestors(self.hips).skip(1) {
            draft.give(above, Role::SceneRoot, BY_STRUCTURE, "above the hips");
        }
        let names = [Role::Thigh, Role::Shank, Role::Foot];
        for (chain, side) in self.legs.chains.iter().zip([first_leg, first_leg.other()]) {
            give_limb(chain, leg, names.map(|make| make(side)), "proportions of a mirrored pair of legs", draft);
            // The toe is the first joint below the ankle that is not on it.
            let toe = (leg[2] + 1..chain.len()).find(|&index| self.legs.along_m[index] > self.legs.along_m[leg[2]]);
            if let Some(&toe) = toe.and_then(|index| chain.get(index)) {
                draft.give(toe, Role::Toe(side), BY_STRUCTURE - 0.05, "below the ankle");
            }
        }
        let names = [Role::UpperArm, Role::Forearm, Role::Hand];
        for (chain, side) in self.arms.chains.iter().zip([first_arm, first_arm.other()]) {
            if arm[0] > 0 {
                draft.give(chain[0], Role::Clavicle(side), BY_STRUCTURE, "first joint of a mirrored pair of arms");
            }
            give_limb(chain, arm, names.map(|make| make(side)), "proportions of a mirrored pair of arms", draft);
        }
        self.trunk(tree, &head, draft);
    }

    /// Neck joints and the head: from the chest up, until the face spreads out or the chain ends.
    fn head_chain(&self, tree: &Tree) -> Vec<JointId> {
        let arms = [self.arms.chains[0][0], self.arms.chains[1][0]];
        let mut chain = Vec::new();
        let mut next = tree.main_child(self.chest, &arms);
        while let Some(joint) = next {
            chain.push(joint);
            let children = tree.skeleton.children(joint);
            let twins = match children {
                &[a, b] => {
                    let (a_m, b_m) = (tree.poses.bone_m(a), tree.poses.bone_m(b));
                    tree.size[a.index()] == tree.size[b.index()] && (a_m - b_m).abs() < 0.15 * a_m.max(b_m)
                }
                _ => false,
            };
            next = if twins || children.len() > 2 { None } else { tree.main_child(joint, &[]) };
        }
        // A leaf that never turns and has no extent marks the top of the head.
        if let (true, Some(&last)) = (chain.len() > 1, chain.last())
            && tree.skeleton.children(last).is_empty()
            && tree.poses.is_still(last)
            && tree.poses.from_motion
            && tree.poses.end_m(last) < 0.01 * tree.poses.bone_m(last)
            // A skull is longer than the neck bone below it; a head joint right above the neck is not.
            && tree.skeleton.parent(last).is_some_and(|head| tree.poses.bone_m(last) > 1.5 * tree.poses.bone_m(head))
        {
            chain.pop();
        }
        chain
    }

    fn trunk(&self, tree: &Tree, head_chain: &[JointId], draft: &mut Draft) {
        let mut spine: Vec<JointId> =
            tree.skeleton.ancestors(self.chest).take_while(|&joint| joint != self.hips).collect();
        spine.reverse();
        for (number, &joint) in (0u16..).zip(&spine) {
            draft.give(joint, Role::Spine(number), BY_STRUCTURE, "between the legs and the arms");
        }
        let Some((&head, neck)) = head_chain.split_last() else { return };
        draft.give(head, Role::Head, BY_STRUCTURE, "end of the chain above the arms");
        for (number, &joint) in (0u16..).zip(neck) {
            draft.give(joint, Role::Neck(number), BY_STRUCTURE, "between the arms and the head");
        }
    }

    fn first_leg_side(&self, tree: &Tree, [root, middle, end]: [usize; 3], draft: &mut Draft) -> Side {
        let leg = |chain: &Vec<JointId>| LegJoints {
            thigh: chain[root],
            shank: chain[middle],
            foot: chain[end],
            toe: chain.get(end + 1).copied(),
        };
        let certainty = sides::first_is_left([leg(&self.legs.chains[0]), leg(&self.legs.chains[1])], tree.poses);
        if certainty.abs() < 0.2 {
            draft.warnings.push("left and right cannot be told apart from the motion; check them".to_owned());
        }
        if certainty >= 0.0 { Side::Left } else { Side::Right }
    }

    /// Four legs: both pairs of ends hang from a level trunk in most poses, and the hind pair is short for the trunk.
    /// (Whole leg over hips to neck: people 2.3 and more, horse 1.5, dog 1.3.)
    fn stands_on_four(&self, tree: &Tree, head: &[JointId]) -> bool {
        let Some(&neck) = head.first() else { return false };
        let ends = |pair: &Pair| pair.chains.each_ref().map(|chain| chain[chain.len() - 1]);
        let trunk_m = tree.poses.path_m(tree.skeleton, self.hips, neck);
        let leg_m = self.legs.along_m.last().copied().unwrap_or(0.0);
        tree.poses.from_motion
            && leg_m < 1.8 * trunk_m
            && tree.poses.level_share(self.hips, neck, ends(&self.arms), ends(&self.legs)) > 0.6
    }

    /// Shoulders lie over the hip joints of the same side.
    fn first_arm_side(&self, tree: &Tree, leg: [usize; 3], arm: [usize; 3], first_leg: Side) -> Side {
        let across = |pair: &Pair, index: usize, pose: usize| {
            let at = |chain: &Vec<JointId>| tree.poses.positions_m[pose][chain[index].index()];
            (at(&pair.chains[0]) - at(&pair.chains[1])).normalize_or_zero()
        };
        let agreement: f64 = (0..tree.poses.len())
            .map(|pose| across(&self.legs, leg[0], pose).dot(across(&self.arms, arm[0], pose)))
            .sum();
        if agreement >= 0.0 { first_leg } else { first_leg.other() }
    }
}

/// Three roles along a chain; joints between them are spare.
fn give_limb(chain: &[JointId], segments: [usize; 3], roles: [Role; 3], reason: &str, draft: &mut Draft) {
    for (index, &joint) in chain.iter().enumerate().take(segments[2] + 1) {
        if draft.has(joint) {
            continue;
        }
        match segments.iter().position(|&at| at == index) {
            Some(which) => draft.give(joint, roles[which], BY_STRUCTURE, reason),
            None => draft.give(joint, Role::Helper, BY_STRUCTURE, "spare joint of a limb"),
        }
    }
}
