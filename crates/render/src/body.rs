//! The capsule figure: which bones are drawn, how thick, and on which side they belong.

use aplomb_motion::{JointId, Skeleton, WorldPose};
use glam::DVec3;

/// Which half of the body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    Left,
    Right,
    Middle,
    /// Nothing is known about the skeleton.
    Unknown,
}

/// What the bone that starts at a joint is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    /// Above the body: its bones are not drawn.
    SceneRoot,
    Trunk,
    Neck,
    Head,
    Clavicle,
    UpperArm,
    Forearm,
    Hand,
    Thigh,
    Shank,
    Foot,
    Toe,
    /// Fingers, tails, ears, twist bones.
    Small,
    /// Nothing is known.
    Plain,
}

/// Part and side of one joint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Label {
    pub part: Part,
    pub side: Side,
}

/// What is known about the whole skeleton.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Labels {
    pub of_joint: Vec<Label>,
    /// Moves on two legs: its proportions are known.
    pub biped: bool,
    /// The joint whose path is the path of the body.
    pub centre: Option<JointId>,
    pub heading: Option<Heading>,
}

/// How the facing of the body is read off a pose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Heading {
    /// From the left to the right joint: across an upright body.
    Across { left: JointId, right: JointId },
    /// From the hind to the fore joint: along a body on all fours.
    Along { hind: JointId, fore: JointId },
}

/// A point that moves with a joint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct BodyPoint {
    pub joint: JointId,
    /// In the joint's frame; zero for the joint itself.
    pub offset_m: DVec3,
}

impl BodyPoint {
    pub fn joint(joint: JointId) -> Self {
        Self { joint, offset_m: DVec3::ZERO }
    }

    pub fn in_world_m(&self, pose: &WorldPose) -> DVec3 {
        pose.point_in_world_m(self.joint, self.offset_m)
    }
}

/// A bone as a tapered capsule.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Segment {
    pub from: BodyPoint,
    pub to: BodyPoint,
    /// Where along the bone the two end circles sit; 0 and 1 except for heads.
    pub along: (f64, f64),
    pub radius_m: (f64, f64),
    pub part: Part,
    pub side: Side,
}

impl Segment {
    /// Centres of the two end circles.
    pub fn ends_in_world_m(&self, pose: &WorldPose) -> (DVec3, DVec3) {
        let (a, b) = (self.from.in_world_m(pose), self.to.in_world_m(pose));
        (a.lerp(b, self.along.0), a.lerp(b, self.along.1))
    }
}

/// A foot for traces and prints.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Foot {
    pub side: Side,
    /// Point whose path is drawn: the ball of the foot or the end of the limb.
    pub trace: BodyPoint,
    /// Indices of its segments.
    pub segments: Vec<usize>,
}

/// The figure of one skeleton.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Body {
    pub centre: JointId,
    pub heading: Option<Heading>,
    pub segments: Vec<Segment>,
    /// Solid parts: the convex hull of spheres (pelvis, chest).
    pub hulls: Vec<Vec<(BodyPoint, f64)>>,
    pub feet: Vec<Foot>,
    /// Joints without any bone are drawn as balls.
    pub balls: Vec<(JointId, f64)>,
}

/// A clip of one joint says nothing about size; this is a basketball (FIBA: circumference 0.749–0.78 m).
pub(crate) const BALL_RADIUS_M: f64 = 0.12;

/// Bones shorter than this part of the stature are joints on top of each other.
const LEAST_DRAWN_BONE: f64 = 1e-4;

/// A bone before its thickness is known.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bone {
    pub from: BodyPoint,
    pub to: BodyPoint,
    label: Label,
}

/// The bones to draw and the joint to follow: what the skeleton alone decides.
#[derive(Clone, Debug)]
pub(crate) struct Anatomy {
    pub centre: JointId,
    pub bones: Vec<Bone>,
    labels: Option<Labels>,
}

impl Anatomy {
    pub fn new(skeleton: &Skeleton, labels: Option<Labels>) -> Self {
        let centre = labels.as_ref().and_then(|labels| labels.centre).unwrap_or_else(|| find_centre(skeleton));
        let label = |joint: JointId| {
            let known = labels.as_ref().and_then(|labels| labels.of_joint.get(joint.index()).copied());
            known.unwrap_or(Label { part: Part::Plain, side: Side::Unknown })
        };
        // Bones above the body lead from the origin of the file to the figure: they are no part of it.
        let above: Vec<JointId> = skeleton.ancestors(centre).skip(1).collect();
        let hidden = |joint: JointId| above.contains(&joint) || label(joint).part == Part::SceneRoot;
        let mut bones = Vec::new();
        for id in skeleton.ids() {
            if let Some(parent) = skeleton.parent(id)
                && !hidden(parent)
            {
                let mut bone_label = label(parent);
                // The bone to a tail, an ear or a jaw is no second trunk or head.
                if label(id).part == Part::Small && matches!(bone_label.part, Part::Trunk | Part::Neck | Part::Head) {
                    bone_label = label(id);
                }
                bones.push(Bone { from: BodyPoint::joint(parent), to: BodyPoint::joint(id), label: bone_label });
            }
            if !hidden(id) {
                let end = |offset_m| Bone {
                    from: BodyPoint::joint(id),
                    to: BodyPoint { joint: id, offset_m },
                    label: label(id),
                };
                bones.extend(skeleton.joint(id).end_sites.iter().map(|site| end(site.offset_m)));
            }
        }
        Self { centre, bones, labels }
    }

    /// Points that bound the drawn figure.
    pub fn points(&self) -> impl Iterator<Item = BodyPoint> + '_ {
        let ends = self.bones.iter().flat_map(|bone| [bone.from, bone.to]);
        std::iter::once(BodyPoint::joint(self.centre)).chain(ends)
    }

    /// Thicknesses by bone length in a pose of the clip (offsets may be placeholders that tracks replace) and by
    /// stature.
    pub fn flesh(&self, pose: &WorldPose, stature_m: f64) -> Body {
        let biped = self.labels.as_ref().is_some_and(|labels| labels.biped);
        let mut segments = Vec::with_capacity(self.bones.len());
        for bone in &self.bones {
            let length_m = bone.from.in_world_m(pose).distance(bone.to.in_world_m(pose));
            if length_m < LEAST_DRAWN_BONE * stature_m || !length_m.is_finite() {
                continue;
            }
            segments.push(segment(bone, length_m, stature_m, biped));
        }
        if biped {
            keep_one_head(&mut segments, pose, stature_m);
        }
        segments.extend(self.missing_tips(&segments, pose, stature_m));
        let balls = if segments.is_empty() { vec![(self.centre, BALL_RADIUS_M)] } else { Vec::new() };
        let feet = find_feet(&segments);
        let hulls = if biped { self.solid_parts(stature_m) } else { Vec::new() };
        let heading = self.labels.as_ref().and_then(|labels| labels.heading);
        Body { centre: self.centre, heading, segments, hulls, feet, balls }
    }

    /// Heads and hands of files that end a chain at its last joint: they go on the way their parent bone went in this
    /// pose.
    fn missing_tips(&self, segments: &[Segment], pose: &WorldPose, stature_m: f64) -> Vec<Segment> {
        let Some(labels) = &self.labels else { return Vec::new() };
        let mut tips = Vec::new();
        for (index, &label) in labels.of_joint.iter().enumerate() {
            let joint = JointId::new(index);
            let length_m = match label.part {
                Part::Head if labels.biped => 0.13 * stature_m,
                Part::Hand => 0.08 * stature_m,
                _ => continue,
            };
            let is_there = |segment: &Segment| {
                segment.part == label.part && (segment.from.joint == joint || label.part == Part::Head)
            };
            let inward = segments.iter().find(|segment| segment.to == BodyPoint::joint(joint));
            if let Some(inward) = inward
                && inward.part != label.part
                && !segments.iter().any(is_there)
            {
                let way = (inward.to.in_world_m(pose) - inward.from.in_world_m(pose)).normalize_or_zero();
                let offset_m = pose.world_from_joint[index].inverse() * way * length_m;
                let bone = Bone { from: BodyPoint::joint(joint), to: BodyPoint { joint, offset_m }, label };
                tips.push(segment(&bone, length_m, stature_m, labels.biped));
            }
        }
        tips
    }

    /// Pelvis and chest as solids: the joints of both thighs with the centre, the joints of both arms with the upper
    /// trunk.
    fn solid_parts(&self, stature_m: f64) -> Vec<Vec<(BodyPoint, f64)>> {
        let roots_of = |part: Part| {
            let starts = self.bones.iter().filter(move |bone| bone.label.part == part).map(|bone| bone.from);
            let mut starts: Vec<BodyPoint> = starts.collect();
            starts.dedup();
            starts
        };
        let mut hulls = Vec::new();
        let thighs = roots_of(Part::Thigh);
        if thighs.len() == 2 {
            let mut pelvis: Vec<_> = thighs.into_iter().map(|point| (point, 0.044 * stature_m)).collect();
            pelvis.push((BodyPoint::joint(self.centre), 0.05 * stature_m));
            hulls.push(pelvis);
        }
        let arms = roots_of(Part::UpperArm);
        if arms.len() == 2 {
            let mut chest: Vec<_> = arms.into_iter().map(|point| (point, 0.026 * stature_m)).collect();
            let clavicles = roots_of(Part::Clavicle).into_iter().map(|point| (point, 0.04 * stature_m));
            chest.extend(clavicles);
            let into_neck = self.bones.iter().filter(|bone| {
                bone.label.part == Part::Trunk && roots_of(Part::Neck).iter().any(|neck| neck.joint == bone.to.joint)
            });
            chest.extend(into_neck.map(|bone| (bone.from, 0.058 * stature_m)));
            hulls.push(chest);
        }
        hulls
    }
}

/// Eyes, jaw, hair and end markers may all hang on the head: the bone that goes farthest the way of the neck is the
/// skull. If none does, none is kept.
fn keep_one_head(segments: &mut Vec<Segment>, pose: &WorldPose, stature_m: f64) {
    let is_head = |segment: &Segment| segment.part == Part::Head;
    let way = |segment: &Segment| segment.to.in_world_m(pose) - segment.from.in_world_m(pose);
    let Some(head) = segments.iter().find(|segment| is_head(segment)).map(|segment| segment.from.joint) else { return };
    let neck = segments.iter().find(|segment| segment.to == BodyPoint::joint(head)).map(way);
    let neck = neck.unwrap_or(DVec3::Y).normalize_or_zero();
    let reach_m = |segment: &Segment| way(segment).dot(neck);
    let heads = segments.iter().filter(|segment| is_head(segment) && segment.from.joint == head);
    let skull = heads.max_by(|a, b| reach_m(a).total_cmp(&reach_m(b))).copied();
    let skull = skull.filter(|segment| reach_m(segment) > 0.02 * stature_m);
    segments.retain(|segment| !is_head(segment) || Some(*segment) == skull);
}

/// The first joint, from the largest tree's root down, where the tree branches: the hips, not the scene node above
/// them.
fn find_centre(skeleton: &Skeleton) -> JointId {
    let mut subtree = vec![1usize; skeleton.len()];
    for id in skeleton.ids().rev() {
        if let Some(parent) = skeleton.parent(id) {
            subtree[parent.index()] += subtree[id.index()];
        }
    }
    // `max_by_key` gives the last of equals, so the walk runs backwards to give the first.
    let mut roots: Vec<JointId> = skeleton.roots().collect();
    roots.reverse();
    let root = roots.into_iter().max_by_key(|root| subtree[root.index()]).unwrap_or(JointId::new(0));
    let mut joint = root;
    loop {
        match skeleton.children(joint) {
            [] => return root,
            &[only] => joint = only,
            _ => return joint,
        }
    }
}

fn segment(bone: &Bone, length_m: f64, stature_m: f64, biped: bool) -> Segment {
    let Label { part, side } = bone.label;
    let by_length = |factor: f64, most: f64| (factor * length_m).clamp(0.006 * stature_m, most * stature_m);
    let tapered = |start: f64, end: f64| (start * stature_m, end * stature_m);
    let mut along = (0.0, 1.0);
    let radius_m = match (part, biped) {
        (Part::Trunk, true) => tapered(0.058, 0.056),
        (Part::Neck, true) => tapered(0.03, 0.028),
        (Part::Clavicle, true) => tapered(0.036, 0.03),
        (Part::UpperArm, true) => tapered(0.027, 0.021),
        (Part::Forearm, true) => tapered(0.021, 0.015),
        (Part::Hand, true) => tapered(0.017, 0.014),
        (Part::Thigh, true) => tapered(0.046, 0.031),
        (Part::Shank, true) => tapered(0.032, 0.02),
        (Part::Foot, true) => tapered(0.022, 0.019),
        (Part::Toe, true) => tapered(0.019, 0.014),
        (Part::Head, true) => {
            // A head is about 0.13 of the stature high and 0.1 wide; files end it anywhere, or nowhere.
            let radius_m = 0.052 * stature_m;
            let top_m = length_m.max(0.13 * stature_m) - radius_m;
            along = (0.8 * radius_m / length_m, top_m / length_m);
            (0.94 * radius_m, radius_m)
        }
        (Part::Small, _) => {
            let radius_m = by_length(0.1, 0.012);
            (radius_m, 0.8 * radius_m)
        }
        // Animals differ too much for a table; these make a horse and a dog readable at the height of their withers.
        (Part::Trunk, false) => tapered(0.11, 0.11),
        (Part::Neck, false) => tapered(0.085, 0.065),
        (Part::Head, false) => tapered(0.062, 0.04),
        (Part::Clavicle | Part::UpperArm | Part::Thigh, false) => tapered(0.055, 0.04),
        (Part::Forearm | Part::Shank, false) => tapered(0.038, 0.026),
        (Part::Foot | Part::Toe, false) => tapered(0.026, 0.022),
        _ => {
            let radius_m = by_length(0.12, 0.045);
            (radius_m, 0.72 * radius_m)
        }
    };
    Segment { from: bone.from, to: bone.to, along, radius_m, part, side }
}

/// One foot a side and limb: segments of feet and toes that hang together.
fn find_feet(segments: &[Segment]) -> Vec<Foot> {
    let mut feet: Vec<Foot> = Vec::new();
    for (index, segment) in segments.iter().enumerate() {
        if !matches!(segment.part, Part::Foot | Part::Toe) {
            continue;
        }
        let belongs = |foot: &Foot| {
            foot.segments.iter().any(|&other| {
                segments[other].to.joint == segment.from.joint || segments[other].from.joint == segment.from.joint
            })
        };
        match feet.iter_mut().find(|foot| belongs(foot)) {
            Some(foot) => foot.segments.push(index),
            None => feet.push(Foot { side: segment.side, trace: segment.to, segments: vec![index] }),
        }
    }
    feet
}
