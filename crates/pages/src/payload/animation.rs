//! The moving figure: shapes in joint frames, and where the joints are.

use super::Budget;
use super::series::stride_for;
use crate::input::ReportInput;
use crate::pack;
use aplomb_motion::{FrameIndex, JointId, Roles, Side, Skeleton, WorldPose};
use aplomb_physics::{Body, Link, Shape};
use aplomb_project::edit::Partner;
use aplomb_render::{Thing, ThingForm};
use glam::{DQuat, DVec3};
use serde::Serialize;

/// No screen shows more, and the page interpolates.
const MOST_FRAMES_HZ: f64 = 60.0;
/// Numbers a link and frame: 3 for its position, 4 for its rotation, 2 bytes each.
const BYTES_A_LINK: usize = 14;
/// Parents come first, so what is left out of a monster are its finest twigs.
const MOST_LINKS: usize = 300;

/// People and things of a scene are a handful; a hand-made input must not fill the page.
const MOST_PARTNERS: usize = 6;
const MOST_THINGS: usize = 40;

/// Thickness of a waist over that of its thinner neighbour.
const WAIST: f64 = 0.96;

/// Poses in base64, frame-major.
#[derive(Serialize)]
pub(super) struct Animation {
    n: usize,
    t: String,
    links: usize,
    /// So many of them are the figure's own; then come partners and things.
    own: usize,
    /// Position of the first link, m.
    origin: String,
    /// Positions of links from the origin, −32767…32767 for ±`reach` m.
    positions: String,
    reach: f64,
    /// Quaternions x, y, z, w, 32767 for 1.
    rotations: String,
    shapes: Vec<PackedShape>,
    /// Joint of each link.
    #[serde(skip)]
    joints: Vec<JointId>,
}

/// One shape in the frame of its link.
#[derive(Serialize)]
struct PackedShape {
    link: usize,
    side: &'static str,
    #[serde(flatten)]
    form: Form,
}

#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
enum Form {
    Capsule {
        a: [f64; 3],
        b: [f64; 3],
        r: f64,
    },
    Box {
        c: [f64; 3],
        q: [f64; 4],
        h: [f64; 3],
    },
    Ellipsoid {
        c: [f64; 3],
        q: [f64; 4],
        h: [f64; 3],
    },
    /// About Y, `h` half as high.
    Cylinder {
        r: f64,
        h: f64,
    },
}

impl Animation {
    /// The animation and, if something was left out, a sentence about it.
    pub fn of(input: &ReportInput, times_secs: &[f64], budget: &Budget) -> (Self, Option<String>) {
        let skeleton = input.clip.skeleton();
        let all = shaped_links(input.body, skeleton.len());
        let links = &all[..all.len().min(MOST_LINKS)];
        let mut beside: Vec<Beside> = input.partners.iter().take(MOST_PARTNERS).map(Beside::of).collect();
        let things = &input.things[..input.things.len().min(MOST_THINGS)];
        let count = links.len() + beside.iter().map(|it| it.links.len()).sum::<usize>() + things.len();
        let note =
            (links.len() < all.len()).then(|| format!("the figure shows {} of {} body parts", links.len(), all.len()));

        let most_frames = budget.animation_bytes / (BYTES_A_LINK * count.max(1));
        let stride = stride_for(times_secs, MOST_FRAMES_HZ, most_frames);
        let frames: Vec<usize> = (0..input.clip.frame_count().min(times_secs.len())).step_by(stride).collect();
        let mut pose = WorldPose::for_skeleton(skeleton);
        let (mut origins_m, mut offsets_m, mut rotations) = (Vec::new(), Vec::new(), Vec::new());
        for &frame in &frames {
            pose.pose(input.clip, FrameIndex(frame));
            let place = |link: &&Link| pose.joint_in_world_m[link.joint.index()];
            let origin_m = links.first().map_or(DVec3::ZERO, place);
            origins_m.push(origin_m);
            offsets_m.extend(links.iter().map(|link| place(link) - origin_m));
            rotations.extend(links.iter().map(|link| pose.world_from_joint[link.joint.index()]));
            let mut push = |at_m: DVec3, turn: DQuat| {
                offsets_m.push(at_m - origin_m);
                rotations.push(turn);
            };
            for it in &mut beside {
                it.pose(frame.saturating_sub(input.lead_frames));
                for link in &it.links {
                    let joint = link.joint.index();
                    push(it.pose.joint_in_world_m[joint], it.pose.world_from_joint[joint]);
                }
            }
            for thing in things {
                // What is nowhere is at the first link, out of sight.
                let (at_m, turn) = thing.pose_at(frame).unwrap_or((origin_m, DQuat::IDENTITY));
                push(at_m, turn);
            }
        }
        let reach = offsets_m.iter().map(|offset| offset.abs().max_element()).fold(1e-3, f64::max);
        let shares: Vec<i16> =
            offsets_m.iter().flat_map(|offset| (*offset / reach).to_array()).map(pack::unit_i16).collect();
        let turns: Vec<i16> = rotations.iter().flat_map(DQuat::to_array).map(pack::unit_i16).collect();
        let animation = Self {
            n: frames.len(),
            t: pack::f32s(frames.iter().map(|&frame| times_secs.get(frame).copied())),
            links: count,
            own: links.len(),
            origin: pack::f32s(origins_m.iter().flat_map(DVec3::to_array).map(Some)),
            positions: pack::i16s(&shares),
            reach,
            rotations: pack::i16s(&turns),
            shapes: shapes(skeleton, input.roles, links)
                .into_iter()
                .chain(shapes_beside(links.len(), &beside, things))
                .collect(),
            joints: links.iter().map(|link| link.joint).collect(),
        };
        (animation, note)
    }

    /// The link that moves with a joint, as the scripts count links; none if nothing is drawn for it.
    pub fn link_of(&self, joint: JointId) -> Option<usize> {
        self.joints.iter().position(|known| *known == joint)
    }
}

fn shaped_links(body: &Body, joints: usize) -> Vec<&Link> {
    body.links().iter().filter(|link| !link.shapes.is_empty() && link.joint.index() < joints).collect()
}

/// A partner, posed frame by frame.
struct Beside<'a> {
    partner: &'a Partner,
    links: Vec<&'a Link>,
    pose: WorldPose,
}

impl<'a> Beside<'a> {
    fn of(partner: &'a Partner) -> Self {
        let skeleton = partner.take.clip().skeleton();
        let body = partner.take.body().ok();
        let mut links = body.map(|body| shaped_links(body, skeleton.len())).unwrap_or_default();
        links.truncate(MOST_LINKS);
        Self { partner, links, pose: WorldPose::for_skeleton(skeleton) }
    }

    fn pose(&mut self, frame: usize) {
        let last = self.partner.take.clip().frame_count().saturating_sub(1);
        self.pose.pose(self.partner.take.clip(), FrameIndex(frame.min(last)));
    }
}

/// Partners in one colour and things in another, on the links after the figure's own.
fn shapes_beside(own: usize, beside: &[Beside], things: &[Thing]) -> Vec<PackedShape> {
    let mut shapes = Vec::new();
    let mut link = own;
    for Beside { partner, links, .. } in beside {
        for (index, part) in links.iter().enumerate() {
            let forms = part.shapes.iter().take(8).filter_map(form);
            shapes.extend(forms.map(|form| PackedShape { link: link + index, side: "other", form }));
        }
        let waists = waists(partner.take.clip().skeleton(), partner.take.roles(), links).into_iter();
        shapes.extend(waists.map(|waist| PackedShape { link: link + waist.link, side: "other", ..waist }));
        link += links.len();
    }
    for thing in things {
        let form = match thing.form {
            ThingForm::Cylinder { radius_m, height_m } => (radius_m.is_finite() && height_m.is_finite())
                .then_some(Form::Cylinder { r: radius_m, h: 0.5 * height_m }),
            ThingForm::Ball { radius_m } => {
                form(&Shape::Capsule { start_m: DVec3::ZERO, end_m: DVec3::ZERO, radius_m })
            }
            ThingForm::Box { half_m } => form(&Shape::Box { centre_m: DVec3::ZERO, rotation: DQuat::IDENTITY, half_m }),
            ThingForm::Rod { length_m, radius_m } => {
                let end_m = DVec3::Y * (0.5 * length_m - radius_m).max(0.0);
                form(&Shape::Capsule { start_m: -end_m, end_m, radius_m })
            }
        };
        shapes.extend(form.map(|form| PackedShape { link, side: "thing", form }));
        link += 1;
    }
    shapes
}

/// The figure of a body, for drawing: which joints have shapes, and the shapes in the frames of those joints.
#[derive(Serialize)]
pub struct Figure {
    /// Joint of each link, as `link` of the shapes counts them.
    #[serde(skip)]
    pub joints: Vec<JointId>,
    shapes: Vec<PackedShape>,
}

impl Figure {
    /// Of a body on its skeleton; of monsters the first 300 links.
    pub fn of(skeleton: &Skeleton, roles: &Roles, body: &Body) -> Self {
        let mut links = shaped_links(body, skeleton.len());
        links.truncate(MOST_LINKS);
        Self { joints: links.iter().map(|link| link.joint).collect(), shapes: shapes(skeleton, roles, &links) }
    }

    /// Where no body can be made: every bone a stick.
    pub fn sticks(skeleton: &Skeleton) -> Self {
        const RADIUS_M: f64 = 0.02;
        let mut shapes = Vec::new();
        for joint in skeleton.ids().take(MOST_LINKS) {
            let own = skeleton.joint(joint);
            let Some(link) = own.parent.map(|parent| parent.index()).filter(|link| *link < MOST_LINKS) else {
                continue;
            };
            let stick = Shape::Capsule { start_m: DVec3::ZERO, end_m: own.offset_m, radius_m: RADIUS_M };
            shapes.extend(form(&stick).map(|form| PackedShape { link, side: "middle", form }));
        }
        Self { joints: skeleton.ids().take(MOST_LINKS).collect(), shapes }
    }
}

fn shapes(skeleton: &Skeleton, roles: &Roles, links: &[&Link]) -> Vec<PackedShape> {
    let side_of = |link: &Link| match roles.role(link.joint).and_then(|role| role.side()) {
        Some(Side::Left) => "left",
        Some(Side::Right) => "right",
        None => "middle",
    };
    let of_link = |(index, link): (usize, &&Link)| {
        let side = side_of(link);
        // Four a link is what bodies have; a body file may hold any number.
        let shapes = link.shapes.iter().take(8);
        shapes.filter_map(move |shape| Some(PackedShape { link: index, side, form: form(shape)? })).collect::<Vec<_>>()
    };
    let mut shapes: Vec<PackedShape> = links.iter().enumerate().flat_map(of_link).collect();
    shapes.extend(waists(skeleton, roles, links));
    shapes
}

/// Between the parts of a trunk, which are as short as they are thick and would look like beads. A part of a trunk
/// lies across the body; its left and right end are joined to those of the next part, by way of the joint between them.
fn waists(skeleton: &Skeleton, roles: &Roles, links: &[&Link]) -> Vec<PackedShape> {
    let is_trunk = |link: &Link| roles.role(link.joint).is_some_and(|role| role.side().is_none());
    let mut shapes = Vec::new();
    for (index, link) in links.iter().enumerate().filter(|(_, link)| is_trunk(link)) {
        let joint = skeleton.joint(link.joint);
        let below = links.iter().position(|other| Some(other.joint) == joint.parent && is_trunk(other));
        let (Some(below), Some(part)) = (below, Bead::of(link)) else { continue };
        let Some(below_part) = links.get(below).and_then(|link| Bead::of(link)) else { continue };
        // A neck is thin and a head round: only parts of like thickness are one trunk.
        let (thin_m, thick_m) = (part.radius_m.min(below_part.radius_m), part.radius_m.max(below_part.radius_m));
        if thin_m < 0.7 * thick_m {
            continue;
        }
        let mut push = |link: usize, start_m: DVec3, end_m: DVec3| {
            let capsule = Shape::Capsule { start_m, end_m, radius_m: WAIST * thin_m };
            shapes.extend(form(&capsule).map(|form| PackedShape { link, side: "middle", form }));
        };
        // Rest rotations are the identity, so both frames have the same axes but for the bend of the spine.
        let aligned = if part.across_m.dot(below_part.across_m) < 0.0 { -part.across_m } else { part.across_m };
        let across_m = aligned.midpoint(below_part.across_m);
        for side in [-1.0, 1.0] {
            push(below, below_part.centre_m + side * below_part.across_m, joint.offset_m + side * across_m);
            push(index, side * across_m, part.centre_m + side * aligned);
        }
    }
    shapes
}

/// A link's first shape: its middle, from there to the end of its core, and its thickness.
struct Bead {
    centre_m: DVec3,
    across_m: DVec3,
    radius_m: f64,
}

impl Bead {
    fn of(link: &Link) -> Option<Self> {
        let (centre_m, across_m, radius_m) = match *link.shapes.first()? {
            Shape::Capsule { start_m, end_m, radius_m } => (start_m.midpoint(end_m), 0.5 * (end_m - start_m), radius_m),
            Shape::Box { centre_m, half_m, .. } | Shape::Ellipsoid { centre_m, half_m, .. } => {
                (centre_m, DVec3::ZERO, half_m.min_element())
            }
        };
        let is_usable = centre_m.is_finite() && across_m.is_finite() && radius_m.is_finite() && radius_m > 0.0;
        is_usable.then_some(Self { centre_m, across_m, radius_m })
    }
}

/// Rounded to a tenth of a millimetre; what is not finite is not drawn.
fn form(shape: &Shape) -> Option<Form> {
    let round = |value: f64| (value * 1e4).round() / 1e4;
    let vector = |vector: DVec3| vector.is_finite().then(|| vector.to_array().map(round));
    let turn = |turn: DQuat| turn.is_finite().then(|| turn.to_array().map(round));
    Some(match *shape {
        Shape::Capsule { start_m, end_m, radius_m } if radius_m.is_finite() => {
            Form::Capsule { a: vector(start_m)?, b: vector(end_m)?, r: round(radius_m) }
        }
        Shape::Capsule { .. } => return None,
        Shape::Box { centre_m, rotation, half_m } => {
            Form::Box { c: vector(centre_m)?, q: turn(rotation)?, h: vector(half_m)? }
        }
        Shape::Ellipsoid { centre_m, rotation, half_m } => {
            Form::Ellipsoid { c: vector(centre_m)?, q: turn(rotation)?, h: vector(half_m)? }
        }
    })
}
