//! A captured person as the solver sees one: folded links, charts, points that touch, and when they stand.

use super::coordinates::{Chart, Coordinates};
use super::motion::unwrapped;
use super::problem::{Metric, Stand, Touch};
use super::stands::{self, FlightEdges, Paths, Span};
use crate::EditingError;
use aplomb_analysis::ContactAnalysis;
use aplomb_analysis::contacts::Part;
use aplomb_motion::{BodyPlan, Clip, LimbKind, Role, Roles, Side, WorldPose};
use aplomb_physics::Body;
use aplomb_physics::dynamics::{BodyModel, DynamicSkeleton, FoldOptions, LinkId, Matrix, Workspace, crba};
use glam::DVec3;

/// Weight of the root's place against its turning, 1/m².
const ROOT_WEIGHT: f64 = 4.0;
/// Light links weigh at least this share of the whole: hands would be flung about for free.
const LEAST_WEIGHT: f64 = 0.1;
/// Toes at least this: they are stiff, captures hardly show how they bend, and the lightest of links would snap back within a knot after lift-off.
const TOE_WEIGHT: f64 = 0.3;

/// Weight of forces, in body weights, against radians: light, so that it is motion that stays near the performance. Newtons with weight one (the
/// paper's s = 1) would be half a million, and leave no force at all.
pub const FORCE_WEIGHT: f64 = 1e-3;

/// Weight of a change of torque, where torques are unknowns, as large as what people's joints give: it costs what a radian of the
/// whole body does, so that a tenth of it weighs about as much as a tenth of a radian of an arm. A heavier arm then swings lower, because it is pulled as hard as before (chosen on 83_49, 16_06 and 13_11).
const TORQUE_WEIGHT: f64 = 1.0;

/// From the ball of the foot to the tip of the toes, of the stature (Winter 2009: a foot is 0.152 of it, its ball at 0.73 of the foot). End sites
/// of captures stop short of the tip, which is the last thing to leave the ground.
const TOE_SHARE: f64 = 0.041;

/// The person.
#[derive(Clone, Debug)]
pub(super) struct Figure {
    pub skeleton: DynamicSkeleton,
    pub coordinates: Coordinates,
    pub touches: Vec<Touch>,
    pub stands: Vec<Stand>,
    /// Flights, s.
    pub flights: Vec<(f64, f64)>,
    /// Between which times each of them begins and ends.
    pub edges: Vec<FlightEdges>,
    /// Contacts as the analysis found them.
    spans: Vec<Span>,
    /// Of forces in the norm.
    pub force_weight: f64,
    pub ground_m: f64,
    /// Links by what they are.
    pub roles: LinkRoles,
    /// Of the frames.
    pub times_secs: Vec<f64>,
    /// Coordinates of the frames.
    pub samples: Vec<f64>,
}

/// Which link is what.
#[derive(Clone, Debug, Default)]
pub(super) struct LinkRoles {
    of_link: Vec<Option<Role>>,
}

impl LinkRoles {
    pub fn link(&self, role: Role, tree: &BodyModel) -> Option<LinkId> {
        let index = self.of_link.iter().position(|own| *own == Some(role))?;
        tree.model.links().nth(index)
    }

    /// The link of the chest: the last of the spine.
    pub fn trunk(&self, tree: &BodyModel) -> Option<LinkId> {
        let index = self.of_link.iter().rposition(|own| matches!(own, Some(Role::Spine(_) | Role::Neck(_))))?;
        tree.model.links().nth(index)
    }

    /// The link of the head, with the neck.
    pub fn head(&self, tree: &BodyModel) -> Option<LinkId> {
        let index = self.of_link.iter().rposition(|own| matches!(own, Some(Role::Head | Role::Neck(_))))?;
        tree.model.links().nth(index)
    }

    pub fn role(&self, link: LinkId) -> Option<Role> {
        self.of_link.get(link.index()).copied().flatten()
    }
}

impl Figure {
    pub fn new(clip: &Clip, roles: &Roles, body: &Body, contacts: &ContactAnalysis) -> Result<Self, EditingError> {
        if roles.plan() == BodyPlan::Quadruped {
            return Err(EditingError::Goals {
                problem: "adaptation is for people, and this body has four legs".to_owned(),
            });
        }
        if clip.frame_count() < 12 {
            return Err(EditingError::TooFewFrames { frames: clip.frame_count(), needs: "adaptation", least: 12 });
        }
        let skeleton = DynamicSkeleton::new(clip, roles, body, FoldOptions { toes: true, ..FoldOptions::default() })?;
        let tree = &skeleton.links;
        let (times_secs, configurations) = configurations(clip, tree);
        let mut touches = touches(roles, contacts, &skeleton, clip);
        if touches.is_empty() {
            return Err(EditingError::NoContact { verb: "adapt" });
        }
        let mut paths = Paths::of(tree, &times_secs, &configurations);
        let spans = stands::spans(contacts, &touches, clip.duration_secs());
        let ground_m = stands::level_soles(&mut touches, &spans, &mut paths);
        let edges = stands::flights(contacts, &touches, &mut paths, ground_m);
        let flights: Vec<(f64, f64)> = edges.iter().map(|own| (own.takeoff_secs[1], own.landing_secs[0])).collect();
        let toe_axis = |link: LinkId| toe_axis(link, roles, tree, &touches, &mut paths.clone());
        let coordinates = Coordinates::choose(tree, &configurations, toe_axis)?;
        let samples = unwrapped(&coordinates, tree, &configurations);
        let of_link = tree.joints.iter().map(|joint| roles.role(*joint)).collect();
        let roles = LinkRoles { of_link };
        let stands = Vec::new();
        let found = Self {
            coordinates,
            touches,
            stands,
            flights,
            edges,
            spans,
            force_weight: FORCE_WEIGHT,
            ground_m,
            roles,
            times_secs,
            samples,
            skeleton,
        };
        let flights = found.flights.clone();
        found.with_flights(flights)
    }

    /// The same person with flights that begin and end at other times.
    pub fn with_flights(&self, flights: Vec<(f64, f64)>) -> Result<Self, EditingError> {
        let configurations = self.captured_configurations(&self.tree().model.neutral());
        let mut paths = Paths::of(self.tree(), &self.times_secs, &configurations);
        let settled = stands::settle(self.spans.clone(), &self.touches, &flights, &mut paths, self.ground_m)?;
        let stands = stands::place(&self.touches, &settled, &mut paths, self.ground_m);
        Ok(Self { stands, flights, ..self.clone() })
    }

    fn captured_configurations(&self, neutral: &[f64]) -> Vec<Vec<f64>> {
        let of_frame = |x: &[f64]| {
            let mut q = neutral.to_vec();
            self.coordinates.configuration(x, &mut q);
            q
        };
        self.samples.chunks_exact(self.coordinates.count).map(of_frame).collect()
    }

    /// The same person, with axes of some links' angles chosen for other configurations than the clip's.
    pub fn rechosen(&self, tree: &BodyModel, links: &[LinkId], configurations: &[Vec<f64>]) -> Self {
        let coordinates = self.coordinates.rechosen(tree, links, configurations);
        let captured = self.captured_configurations(&tree.model.neutral());
        let samples = unwrapped(&coordinates, tree, &captured);
        Self { coordinates, samples, ..self.clone() }
    }

    pub fn tree(&self) -> &BodyModel {
        &self.skeleton.links
    }

    /// w_i = √(inertia that the coordinate moves / inertia of the whole), averaged over the clip.
    pub fn metric(&self, smoothness: f64) -> Metric {
        let tree = self.tree();
        let (nv, dofs) = (tree.model.nv(), self.coordinates.count);
        let mut mass = Matrix::zeros(nv, nv);
        let mut work = Workspace::new(&tree.model);
        let (mut q, mut v, mut a) = (tree.model.neutral(), vec![0.0; nv], vec![0.0; nv]);
        let still = vec![0.0; dofs];
        let mut blocks = Vec::new();
        let mut inertia = vec![0.0; dofs];
        let frames = self.times_secs.len();
        for frame in (0..frames).step_by((frames / 8).max(1)) {
            let x = &self.samples[frame * dofs..(frame + 1) * dofs];
            self.coordinates.state([x, &still, &still], &mut q, &mut v, &mut a, Some(&mut blocks));
            crba(&tree.model, &q, &mut mass, &mut work);
            for (own, block) in self.coordinates.links.iter().zip(&blocks) {
                let range = tree.model.v_range(own.link);
                for slot in 0..own.chart.count() {
                    let numbers = 0..range.len();
                    let sum = numbers.clone().flat_map(|i| numbers.clone().map(move |j| (i, j)));
                    inertia[own.start + slot] += sum
                        .map(|(i, j)| {
                            block.q_by_x[i][slot] * mass[(range.start + i, range.start + j)] * block.q_by_x[j][slot]
                        })
                        .sum::<f64>();
                }
            }
        }
        let whole = (inertia[0] + inertia[1] + inertia[2]) / 3.0;
        let mut weights: Vec<f64> = inertia.iter().map(|own| (own / whole).sqrt().max(LEAST_WEIGHT)).collect();
        weights[3..6].fill(ROOT_WEIGHT);
        for own in &self.coordinates.links {
            if matches!(self.roles.role(own.link), Some(Role::Toe(_))) {
                let range = own.start..own.start + own.chart.count();
                weights[range].iter_mut().for_each(|weight| *weight = weight.max(TOE_WEIGHT));
            }
        }
        Metric {
            weights,
            smoothness,
            ends_secs: [0.0; 2],
            force: self.force_weight,
            force_change: self.force_weight,
            torque: TORQUE_WEIGHT,
        }
    }
}

fn configurations(clip: &Clip, tree: &BodyModel) -> (Vec<f64>, Vec<Vec<f64>>) {
    let mut pose = WorldPose::for_skeleton(clip.skeleton());
    let mut configurations = Vec::with_capacity(clip.frame_count());
    for frame in clip.frames() {
        pose.pose(clip, frame);
        let mut q = tree.model.neutral();
        tree.configuration(&pose, &mut q);
        configurations.push(q);
    }
    (clip.frames().map(|frame| clip.time_secs(frame)).collect(), configurations)
}

/// Heel, ball and toe of each foot and the palms, on the links that carry them. The ball belongs to the toes, which lie still while the heel
/// rises: a point under the foot would roll forward by centimetres.
fn touches(roles: &Roles, contacts: &ContactAnalysis, skeleton: &DynamicSkeleton, clip: &Clip) -> Vec<Touch> {
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

/// Across the foot, in the toe's own axes: toes that do not move in the capture still have to bend.
fn toe_axis(link: LinkId, roles: &Roles, tree: &BodyModel, touches: &[Touch], paths: &mut Paths<'_>) -> Option<DVec3> {
    let joint = tree.joints[link.index()];
    let is_toe = |side: Side| roles.limb(side, LimbKind::Leg).and_then(|leg| leg.tip) == Some(joint);
    let side = Side::BOTH.into_iter().find(|side| is_toe(*side))?;
    let group = usize::from(side == Side::Right);
    let own = |part: Part| touches.iter().find(|touch| touch.group == group && touch.part == part);
    let (heel, ball) = (own(Part::Heel)?, own(Part::Ball)?);
    let middle = paths.len() / 2;
    let ahead_m = paths.point_m(middle, ball) - paths.point_m(middle, heel);
    let up = paths.world_from_link(middle, heel.link) * paths.up_in_link(middle, heel);
    let across = up.cross(ahead_m).normalize_or(DVec3::X);
    Some((paths.world_from_link(middle, link).transpose() * across).normalize_or(DVec3::X))
}

impl Figure {
    /// The link that a word names: a joint's own name or a role.
    pub fn part(&self, word: &str) -> Result<LinkId, EditingError> {
        let tree = self.tree();
        let by_role = || match word.parse::<Role>().ok()? {
            // One link with the neck.
            Role::Head => self.roles.head(tree),
            role => self.roles.link(role, tree),
        };
        tree.model.link(word).or_else(by_role).ok_or_else(|| EditingError::UnknownPart {
            word: word.to_owned(),
            groups: "(none here: one link is meant)".to_owned(),
            joints: tree.model.links().map(|link| tree.model.name(link)).collect::<Vec<_>>().join(", "),
        })
    }

    /// Joints that turn about one axis.
    pub fn hinges(&self) -> usize {
        self.coordinates.links.iter().filter(|own| matches!(own.chart, Chart::Hinge { .. })).count()
    }
}
