//! A captured person as the solver sees one: folded links, charts, points that touch, and when they stand.

use super::coordinates::{Chart, Coordinates, unwrapped};
use super::footholds::{self, FlightEdges, Foothold, FootholdSpan};
use super::link_roles::LinkRoles;
use super::paths::Paths;
use super::touch::{Touch, touches};
use crate::EditingError;
use aplomb_analysis::ContactAnalysis;
use aplomb_analysis::Take;
use aplomb_analysis::contacts::Part;
use aplomb_motion::{BodyPlan, Clip, LimbKind, Role, Roles, Side, WorldPose};
use aplomb_physics::dynamics::{BodyModel, DynamicSkeleton, FoldOptions, LinkId};
use glam::DVec3;

/// Weight of forces, in body weights, against radians: light, so that it is motion that stays near the performance.
/// Newtons with weight one (the paper's s = 1) would be half a million, and leave no force at all.
pub const FORCE_WEIGHT: f64 = 1e-3;

/// A captured person.
#[derive(Clone, Debug)]
pub struct Subject {
    pub(in crate::adapt) skeleton: DynamicSkeleton,
    /// Names of joints that are folded onto others.
    pub(in crate::adapt) folded: Vec<String>,
    pub(in crate::adapt) coordinates: Coordinates,
    pub(in crate::adapt) touches: Vec<Touch>,
    pub(in crate::adapt) footholds: Vec<Foothold>,
    /// Flights, s.
    pub(in crate::adapt) flights: Vec<(f64, f64)>,
    /// Between which times each of them begins and ends.
    pub(in crate::adapt) edges: Vec<FlightEdges>,
    /// Contacts as the analysis found them.
    spans: Vec<FootholdSpan>,
    /// Weight of forces in the norm.
    pub(in crate::adapt) force_weight: f64,
    pub(in crate::adapt) ground_m: f64,
    /// Links by what they are.
    pub(in crate::adapt) roles: LinkRoles,
    /// Times of the frames.
    pub(in crate::adapt) times_secs: Vec<f64>,
    /// Coordinates of the frames.
    pub(in crate::adapt) samples: Vec<f64>,
}

/// Contacts to adapt by: those known from before an edit, else those of the report, which knows by forces what carries
/// the body.
pub fn contacts_of(take: &Take) -> Result<&ContactAnalysis, EditingError> {
    match take.inherited_contacts() {
        Some(known) => Ok(known),
        None => Ok(&take.inspection()?.contacts),
    }
}

impl Subject {
    /// The person of a motion, seen with its contacts.
    pub fn new(take: &Take) -> Result<Self, EditingError> {
        let (clip, roles, body, contacts) = (take.clip(), take.roles(), take.body()?, contacts_of(take)?);
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
        let spans = footholds::spans(contacts, &touches, clip.duration_secs());
        let ground_m = footholds::level_soles(&mut touches, &spans, &mut paths);
        let edges = footholds::flights(contacts, &touches, &mut paths, ground_m);
        let flights: Vec<(f64, f64)> = edges.iter().map(|own| (own.takeoff_secs[1], own.landing_secs[0])).collect();
        let folded = skeleton.folded.iter().map(|joint| clip.skeleton().joint(*joint).name.clone()).collect();
        let toe_axis = |link: LinkId| toe_axis(link, roles, tree, &touches, &mut paths.clone());
        let coordinates = Coordinates::choose(tree, &configurations, toe_axis)?;
        let samples = unwrapped(&coordinates, tree, &configurations);
        let roles = LinkRoles { of_link: tree.joints.iter().map(|joint| roles.role(*joint)).collect() };
        let found = Self {
            folded,
            coordinates,
            touches,
            footholds: Vec::new(),
            flights: flights.clone(),
            edges,
            spans,
            force_weight: FORCE_WEIGHT,
            ground_m,
            roles,
            times_secs,
            samples,
            skeleton,
        };
        found.with_flights(flights)
    }

    /// The same person with flights that begin and end at other times.
    pub(in crate::adapt) fn with_flights(&self, flights: Vec<(f64, f64)>) -> Result<Self, EditingError> {
        let configurations = self.captured_configurations(&self.tree().model.neutral());
        let mut paths = Paths::of(self.tree(), &self.times_secs, &configurations);
        let settled = footholds::settle(self.spans.clone(), &self.touches, &flights, &mut paths, self.ground_m)?;
        let footholds = footholds::place(&self.touches, &settled, &mut paths, self.ground_m);
        Ok(Self { footholds, flights, ..self.clone() })
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
    pub(in crate::adapt) fn rechosen(&self, tree: &BodyModel, links: &[LinkId], configurations: &[Vec<f64>]) -> Self {
        let coordinates = self.coordinates.rechosen(tree, links, configurations);
        let captured = self.captured_configurations(&tree.model.neutral());
        let samples = unwrapped(&coordinates, tree, &captured);
        Self { coordinates, samples, ..self.clone() }
    }

    pub(in crate::adapt) fn tree(&self) -> &BodyModel {
        &self.skeleton.links
    }

    /// The link that a word names: a joint's own name or a role.
    pub(in crate::adapt) fn part(&self, word: &str) -> Result<LinkId, EditingError> {
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
    pub(in crate::adapt) fn hinges(&self) -> usize {
        self.coordinates.links.iter().filter(|own| matches!(own.chart, Chart::Hinge { .. })).count()
    }

    /// Links of an arm or a leg, from one of its links up to where it leaves the trunk.
    pub(in crate::adapt) fn limb_above(&self, link: LinkId) -> Vec<LinkId> {
        self.roles.limb_above(self.tree(), link)
    }

    /// When the clip ends, s.
    pub(in crate::adapt) fn end_secs(&self) -> f64 {
        self.times_secs.last().copied().unwrap_or(0.0)
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
