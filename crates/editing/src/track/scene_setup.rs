//! From a scene as data to a stage that can be played.

use super::props::{Grip, PropTrack};
use super::scene_file::{Prop, PropShape, Scene, TaskChoice};
use super::scene_simulation::{Performance, Performer, SceneSimulation, StageProp, StageTask};
use super::servo_targets::{ServoTargets, fold};
use super::unsimulated_joints;
use super::{Advance, Figure, Lower, TrackOptions};
use crate::EditingError;
use crate::hand_goal::{HandGoal, Reached, palm_in_hand_m};
use aplomb_analysis::{Keeps, Take};
use aplomb_motion::edit::{concatenate, cut, cut_frames, resample, translate, with_speed};
use aplomb_motion::{Clip, FrameIndex, JointId, Role, Side, Timeline, WorldPose};
use aplomb_physics::Body;
use aplomb_physics::body::Link;
use aplomb_physics::collision::Convex;
use aplomb_physics::dynamics::{DynamicSkeleton, LinkId};
use aplomb_physics::simulation::{Hold, Loss, Pair, Solid, SolidId};
use glam::{DMat3, DQuat, DVec3};
use serde::Serialize;
use std::collections::BTreeMap;

/// A character of a scene, on their own bones already.
#[derive(Clone, Debug)]
pub struct Guest {
    /// As the scene calls them.
    pub name: String,
    /// What they do.
    pub take: Take,
    /// Where the hips start, (x, z), m, and how far they are turned; without it where the clip has them.
    pub place: Option<([f64; 2], f64)>,
}

impl Guest {
    /// The joint that is this part of them.
    fn part(&self, role: Role) -> Result<JointId, EditingError> {
        self.take.roles().joint(role).ok_or_else(|| {
            let missing = EditingError::no_role(role, self.take.clip().skeleton());
            EditingError::Scene { problem: format!("{:?}: {missing}", self.name) }
        })
    }
}

/// What a scene made.
#[derive(Clone, Debug)]
pub struct ScenePlay {
    /// With everything.
    pub played: Performance,
    /// The same without any touch between things, where the scene has pairs: what hands would do.
    pub untouched: Option<Performance>,
    /// Hands that were put somewhere.
    pub reached: Vec<Reached>,
    /// Where things were, in the order of the scene.
    pub things: Vec<PropTrack>,
    /// How well hands stayed where a task held them.
    pub held: Vec<HeldHand>,
    /// Largest turn of a joint where one segment of a sequence follows the other, degrees.
    pub seam_deg: Option<f64>,
}

/// A hand that a task held at a place.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct HeldHand {
    /// As the scene calls it.
    pub part: String,
    /// Farthest that the palm was from its place, without the time that it takes to get there, m.
    pub worst_m: f64,
}

/// A palm that is held is there so long after the end of its way, s: a task's errors fall at 25 s⁻¹ behind servos of 63
/// s⁻¹.
const HELD_AFTER_SECS: f64 = 0.3;

/// The simulated hand that holds a prop.
fn hand_link(grip: &Grip, targets: &[ServoTargets<'_>]) -> Result<LinkId, EditingError> {
    let link = targets[grip.who].skeleton.links.link_of(grip.joint);
    link.ok_or_else(|| unknown(&grip.name, "is held by a hand that is not simulated; choose a figure with hands"))
}

impl Scene {
    /// Plays a scene: the first guest is the one whose clip is edited.
    pub fn play(
        &self,
        mut guests: Vec<Guest>,
        options: &TrackOptions,
        advance: Advance<'_>,
    ) -> Result<ScenePlay, EditingError> {
        self.check(&guests)?;
        // What hands strike must be drawn where it is simulated.
        let options = &TrackOptions { lower: Lower::Held, ..*options };
        let seam_deg = self.put_in_order(&mut guests)?;
        self.put_in_place(&mut guests, options)?;
        let mut reached = self.put_hands(&mut guests)?;
        let aims = self.rehearsed(&guests, options)?;
        let (guests, grips, clapped) = self.prepared(&guests, &aims)?;
        reached.extend(clapped);
        let targets: Vec<ServoTargets<'_>> =
            guests.iter().map(|guest| ServoTargets::of_take(&guest.take, options)).collect::<Result<_, _>>()?;
        let stage = self.stage(&guests, &targets, &grips)?;
        let played = stage.play(options, advance)?;
        let untouched = match stage.pairs.is_empty() {
            true => None,
            false => Some(SceneSimulation { pairs: Vec::new(), ..stage }.play(options, advance)?),
        };
        let things = self.props.iter().map(|prop| prop.track(&played, &grips)).collect();
        let held = self.held(&guests, &played)?;
        Ok(ScenePlay { played, untouched, reached, things, held, seam_deg })
    }

    fn held(&self, guests: &[Guest], played: &Performance) -> Result<Vec<HeldHand>, EditingError> {
        let mut all = Vec::new();
        for task in &self.tasks {
            let TaskChoice::Hold { part, at_m, from_secs, to_secs } = task else { continue };
            let (who, hand) = hand_of(part, guests)?;
            let joint = guests[who].part(Role::Hand(hand))?;
            let Some(clip) = played.tracked.get(who).map(|tracked| &tracked.clip) else { continue };
            let palm_m = palm_in_hand_m(clip.skeleton(), joint);
            let mut pose = WorldPose::for_skeleton(clip.skeleton());
            let since_secs = |frame| clip.time_secs(frame) - clip.time_secs(FrameIndex(0));
            let from_secs = from_secs.unwrap_or(0.0);
            let Some(first) = clip.frames().find(|&frame| since_secs(frame) >= from_secs) else { continue };
            pose.pose(clip, first);
            let way_m = pose.point_in_world_m(joint, palm_m).distance(*at_m);
            let span_secs = from_secs + Hold::way_secs(way_m) + HELD_AFTER_SECS..to_secs.unwrap_or(f64::INFINITY);
            let mut worst_m: f64 = 0.0;
            for frame in clip.frames().filter(|&frame| span_secs.contains(&since_secs(frame))) {
                pose.pose(clip, frame);
                worst_m = worst_m.max(pose.point_in_world_m(joint, palm_m).distance(*at_m));
            }
            all.push(HeldHand { part: part.clone(), worst_m });
        }
        Ok(all)
    }

    fn check(&self, guests: &[Guest]) -> Result<(), EditingError> {
        let positive = |what, expected, found: f64, range: std::ops::RangeInclusive<f64>| match range.contains(&found) {
            true => Ok(()),
            false => Err(EditingError::Setting { what, expected, found }),
        };
        positive("the speed of a scene", "from 0.05 to 20", self.speed, 0.05..=20.0)?;
        for pair in &self.pairs {
            positive("the stiffness of a pair", "from 1 to 1e8 N/m", pair.stiffness, 1.0..=1e8)?;
            positive("the damping of a pair", "from 0 to 1e6 N·s/m", pair.damping.unwrap_or(0.0), 0.0..=1e6)?;
            let restitutions = Loss::LEAST_RESTITUTION..=1.0;
            positive("the restitution of a pair", "from 0.14 to 1", pair.restitution, restitutions)?;
            positive("the friction of a pair", "from 0 to 10", pair.friction, 0.0..=10.0)?;
        }
        let mut names: Vec<&str> = guests
            .iter()
            .map(|guest| guest.name.as_str())
            .chain(self.props.iter().map(|prop| prop.name.as_str()))
            .collect();
        names.sort_unstable();
        if let Some(pair) = names.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(unknown(pair[0], "names somebody and something else, too; give each a name of its own"));
        }
        for prop in &self.props {
            let sizes = match prop.shape {
                PropShape::Ball { radius_m } => vec![radius_m],
                PropShape::Box { half_m } => half_m.to_array().to_vec(),
                PropShape::Cylinder { radius_m, height_m } => vec![radius_m, height_m],
                PropShape::Staff { length_m, radius_m } => vec![length_m, radius_m],
            };
            for size in sizes {
                positive("the size of a prop", "from 0.001 to 100 m", size, 1e-3..=100.0)?;
            }
            if let Some(mass_kg) = prop.mass_kg {
                positive("the mass of a prop", "from 0.001 to 10000 kg", mass_kg, 1e-3..=1e4)?;
            } else if prop.held_by.is_some() {
                return Err(unknown(&prop.name, "is held and has no mass; give mass_kg"));
            }
            if !prop.at_m.is_finite() {
                return Err(unknown(&prop.name, "is nowhere: at_m is not finite"));
            }
        }
        Ok(())
    }

    /// Segments one after the other.
    fn put_in_order(&self, guests: &mut [Guest]) -> Result<Option<f64>, EditingError> {
        if self.sequence.is_empty() {
            return Ok(None);
        }
        let mut seam_rad: f64 = 0.0;
        for guest in guests.iter_mut() {
            let parts: Vec<Clip> =
                self.sequence.iter().map(|&[from, to]| cut(guest.take.clip(), from..to)).collect::<Result<_, _>>()?;
            for pair in parts.windows(2) {
                let last = FrameIndex(pair[0].frame_count() - 1);
                let turns = pair[0].rotations_at(last).iter().zip(pair[1].rotations_at(FrameIndex(0)));
                let turn = turns.map(|(a, b)| aplomb_motion::so3::angle_between(*a, *b)).fold(0.0, f64::max);
                seam_rad = seam_rad.max(turn);
            }
            guest.take = guest.take.with_clip(
                concatenate(&parts.iter().collect::<Vec<_>>(), aplomb_motion::edit::Join::AsIs)?,
                Keeps::Nothing,
            );
        }
        Ok(Some(seam_rad.to_degrees()))
    }

    /// All characters on the first one's clock, where the scene wants them, as the simulation will see them.
    fn put_in_place(&self, guests: &mut [Guest], options: &TrackOptions) -> Result<(), EditingError> {
        let Some(first) = guests.first() else { return Err(EditingError::nobody()) };
        let Timeline::Uniform(frame_time) = *first.take.clip().timeline() else {
            return Err(EditingError::UnevenFrames);
        };
        for guest in guests.iter_mut() {
            if guest.take.clip().timeline() != &Timeline::Uniform(frame_time) {
                guest.take = guest.take.with_clip(resample(guest.take.clip(), frame_time)?, Keeps::Nothing);
            }
            if options.figure != Figure::Full {
                let skeleton = DynamicSkeleton::new(
                    guest.take.clip(),
                    guest.take.roles(),
                    guest.take.body()?,
                    fold(options.figure),
                )?;
                guest.take = guest.take.with_clip(
                    unsimulated_joints::settled(guest.take.clip(), guest.take.roles(), &skeleton),
                    Keeps::Nothing,
                );
            }
            if let Some(([x, z], turn_deg)) = guest.place {
                let hips = guest.part(Role::Hips)?;
                let mut pose = WorldPose::for_skeleton(guest.take.clip().skeleton());
                pose.pose(guest.take.clip(), FrameIndex(0));
                let from_m = pose.joint_in_world_m[hips.index()];
                let turned = aplomb_motion::edit::turn_about_up(guest.take.clip(), turn_deg.to_radians())?;
                let there_m = DQuat::from_rotation_y(turn_deg.to_radians()) * from_m;
                guest.take = guest
                    .take
                    .with_clip(translate(&turned, DVec3::new(x - there_m.x, 0.0, z - there_m.z))?, Keeps::Nothing);
            }
        }
        same_length(guests)
    }

    fn put_hands(&self, guests: &mut [Guest]) -> Result<Vec<Reached>, EditingError> {
        let mut reached = Vec::new();
        for reach in &self.reaches {
            let who = guests.iter().position(|guest| guest.name == reach.who);
            let who = who.ok_or_else(|| unknown(&reach.who, "is nobody of the scene"))?;
            put_hand(&mut guests[who], &reach.goal(), &mut reached)?;
        }
        Ok(reached)
    }

    /// All characters with their hands put where they are aimed, holding what they hold, at the scene's speed.
    #[allow(clippy::type_complexity, reason = "three things that are used once, side by side")]
    pub(super) fn prepared(
        &self,
        guests: &[Guest],
        aims: &[(usize, HandGoal)],
    ) -> Result<(Vec<Guest>, Vec<Grip>, Vec<Reached>), EditingError> {
        let mut guests = guests.to_vec();
        let mut reached = Vec::new();
        for (who, goal) in aims {
            put_hand(&mut guests[*who], goal, &mut reached)?;
        }
        let mut grips = Vec::new();
        for prop in self.props.iter().filter(|prop| prop.held_by.is_some()) {
            grips.push(self.give(prop, &mut guests)?);
        }
        if self.speed != 1.0 {
            for guest in &mut guests {
                guest.take = guest.take.with_clip(with_speed(guest.take.clip(), self.speed)?, Keeps::Nothing);
            }
            same_length(&mut guests)?;
        }
        Ok((guests, grips, reached))
    }

    /// Welds a prop to the hand that holds it: its mass is the hand's, and so is the gain of the wrist.
    fn give(&self, prop: &Prop, guests: &mut [Guest]) -> Result<Grip, EditingError> {
        let (who, hand) = hand_of(prop.held_by.as_deref().unwrap_or_default(), guests)?;
        let guest = &mut guests[who];
        let joint = guest.part(Role::Hand(hand))?;
        let mut pose = WorldPose::for_skeleton(guest.take.clip().skeleton());
        let mut up = DVec3::ZERO;
        for frame in guest.take.clip().frames() {
            pose.pose(guest.take.clip(), frame);
            up += pose.world_from_joint[joint.index()].conjugate() * DVec3::Y;
        }
        let axis = up.normalize_or(DVec3::Y);
        let at_m = palm_in_hand_m(guest.take.clip().skeleton(), joint);
        let turn = DQuat::from_rotation_arc(DVec3::Y, axis);
        let inertia = prop.inertia().transformed(DMat3::from_quat(turn), at_m);
        let mut links: Vec<Link> = guest.take.body()?.links().to_vec();
        match links.iter_mut().find(|link| link.joint == joint) {
            Some(link) => link.inertia = link.inertia + inertia,
            None => links.push(Link { joint, inertia, shapes: Vec::new() }),
        }
        let body = guest.take.body()?;
        let body = Body::from_links(
            body.skeleton().clone(),
            links,
            body.stature_m(),
            body.source().clone(),
            body.warnings().to_vec(),
        )?;
        guest.take = guest.take.with_body(body);
        Ok(Grip { who, joint, axis, at_m, turn, shape: prop.convex(at_m, turn), name: prop.name.clone() })
    }

    pub(super) fn stage<'s>(
        &self,
        guests: &[Guest],
        targets: &'s [ServoTargets<'s>],
        grips: &[Grip],
    ) -> Result<SceneSimulation<'s>, EditingError> {
        let mut performers: Vec<Performer<'s>> =
            guests.iter().zip(targets).map(|(guest, targets)| Performer::new(guest.name.clone(), targets)).collect();
        for grip in grips {
            let link = hand_link(grip, targets)?;
            performers[grip.who].watched = Some((link, grip.axis));
        }
        let props: Vec<StageProp> = self.props.iter().filter(|prop| prop.held_by.is_none()).map(Prop::staged).collect();
        let mut pairs = Vec::new();
        // Solids by their names, added as pairs ask for them.
        let mut known: BTreeMap<String, Vec<SolidId>> = BTreeMap::new();
        for pair in &self.pairs {
            let mut ends = Vec::new();
            for name in [&pair.a, &pair.b] {
                if !known.contains_key(name) {
                    let found = solids(name, guests, targets, grips, &props, &mut performers)?;
                    known.insert(name.clone(), found);
                }
                ends.push(known[name].clone());
            }
            for (&a, &b) in ends[0].iter().flat_map(|a| ends[1].iter().map(move |b| (a, b))) {
                pairs.push(Pair {
                    stiffness: pair.stiffness,
                    loss: pair.damping.map_or(Loss::Restitution(pair.restitution), Loss::Damping),
                    friction: pair.friction,
                    from_secs: pair.from_secs.unwrap_or(f64::NEG_INFINITY) / self.speed,
                    ..Pair::new(a, b)
                });
            }
        }
        for task in &self.tasks {
            let (who, task) = self.task(task, guests, targets, grips)?;
            if let (StageTask::Upright { link, axis_in_link }, None) = (task, performers[who].watched) {
                performers[who].watched = Some((link, axis_in_link));
            }
            performers[who].tasks.push(task);
        }
        Ok(SceneSimulation { performers, props, pairs })
    }

    fn task(
        &self,
        task: &TaskChoice,
        guests: &[Guest],
        targets: &[ServoTargets<'_>],
        grips: &[Grip],
    ) -> Result<(usize, StageTask), EditingError> {
        let hand_link = |part: &str| -> Result<_, EditingError> {
            let (who, hand) = hand_of(part, guests)?;
            let joint = guests[who].part(Role::Hand(hand))?;
            let link = targets[who].skeleton.links.link_of(joint);
            Ok((who, joint, link.ok_or_else(|| unknown(part, "is not simulated"))?))
        };
        match task {
            TaskChoice::Upright { part } => {
                let (who, joint, link) = hand_link(part)?;
                let grip = grips.iter().find(|grip| grip.who == who && grip.joint == joint);
                let grip = grip.ok_or_else(|| unknown(part, "holds nothing that could be kept upright"))?;
                Ok((who, StageTask::Upright { link, axis_in_link: grip.axis }))
            }
            TaskChoice::Balance { who, stiffness, damping } => {
                let index = guests.iter().position(|guest| guest.name == *who);
                let index = index.ok_or_else(|| unknown(who, "is nobody of the scene"))?;
                if targets[index].footing.is_none() {
                    return Err(unknown(who, "has no legs that are simulated: balance needs the full figure"));
                }
                Ok((index, StageTask::Balance { stiffness: *stiffness, damping: *damping }))
            }
            TaskChoice::Hold { part, at_m, from_secs, to_secs } => {
                let (who, joint, link) = hand_link(part)?;
                let point_in_link_m = palm_in_hand_m(guests[who].take.clip().skeleton(), joint);
                let span_secs = (from_secs.unwrap_or(f64::NEG_INFINITY), to_secs.unwrap_or(f64::INFINITY));
                Ok((who, StageTask::Hold { link, point_in_link_m, at_m: *at_m, span_secs, joints: 3 }))
            }
        }
    }
}

fn unknown(name: &str, problem: &str) -> EditingError {
    EditingError::Scene { problem: format!("{name:?} {problem}") }
}

pub(super) fn put_hand(guest: &mut Guest, goal: &HandGoal, reached: &mut Vec<Reached>) -> Result<(), EditingError> {
    let (clip, found) = goal.apply(guest.take.clip(), guest.take.roles())?;
    guest.take = guest.take.with_clip(clip, Keeps::Nothing);
    reached.push(found);
    Ok(())
}

/// `actor.right_hand`.
pub(super) fn hand_of(name: &str, guests: &[Guest]) -> Result<(usize, Side), EditingError> {
    let (who, role) = part_of(name, guests)?;
    match role {
        Role::Hand(side) => Ok((who, side)),
        _ => Err(unknown(name, "is no hand; expected something like actor.right_hand")),
    }
}

fn part_of(name: &str, guests: &[Guest]) -> Result<(usize, Role), EditingError> {
    let everybody = || guests.iter().map(|guest| guest.name.as_str()).collect::<Vec<_>>().join(", ");
    let found = name.split_once('.').and_then(|(who, part)| {
        let who = guests.iter().position(|guest| guest.name == who)?;
        part.parse::<Role>().ok().map(|role| (who, role))
    });
    found.ok_or_else(|| {
        let problem =
            format!("names no part; expected WHO.PART with one of {} and a role such as right_hand", everybody());
        unknown(name, &problem)
    })
}

/// Shapes of what a pair names.
fn solids(
    name: &str,
    guests: &[Guest],
    targets: &[ServoTargets<'_>],
    grips: &[Grip],
    props: &[StageProp],
    performers: &mut [Performer<'_>],
) -> Result<Vec<SolidId>, EditingError> {
    if let Some(index) = props.iter().position(|prop| prop.name == name) {
        return Ok(vec![SolidId { actor: guests.len() + index, solid: 0 }]);
    }
    let (who, part, link, shapes) = if let Some(grip) = grips.iter().find(|grip| grip.name == name) {
        let link = hand_link(grip, targets)?;
        (grip.who, name.to_owned(), link, vec![grip.shape])
    } else {
        let (who, role) = part_of(name, guests)?;
        let skeleton = &targets[who].skeleton;
        let joint = guests[who].take.roles().joint(role).ok_or_else(|| unknown(name, "is not in this skeleton"))?;
        // A head may be one with the neck that carries it.
        let mut above = guests[who].take.clip().skeleton().ancestors(joint);
        let carrier = above.find_map(|joint| skeleton.links.link_of(joint).map(|link| (joint, link)));
        let (joint, link) = carrier.ok_or_else(|| unknown(name, "is not simulated"))?;
        let shapes = skeleton.body.link(joint).map(|link| link.shapes.iter().map(Convex::from).collect());
        (who, role.to_string(), link, shapes.unwrap_or_default())
    };
    if shapes.is_empty() {
        return Err(unknown(name, "has no shape that could touch"));
    }
    let own = &mut performers[who].solids;
    let start = own.len();
    own.extend(shapes.into_iter().map(|shape| Solid { name: part.clone(), link, shape }));
    Ok((start..own.len()).map(|solid| SolidId { actor: who, solid }).collect())
}

/// As many frames as the first has; shorter clips stand still at the end.
fn same_length(guests: &mut [Guest]) -> Result<(), EditingError> {
    let Some(frames) = guests.first().map(|guest| guest.take.clip().frame_count()) else { return Ok(()) };
    for guest in guests.iter_mut() {
        let own = guest.take.clip().frame_count();
        if own > frames {
            guest.take =
                guest.take.with_clip(cut_frames(guest.take.clip(), FrameIndex(0)..FrameIndex(frames))?, Keeps::Nothing);
        } else if own < frames && own > 0 {
            let (skeleton, timeline, _, mut rotations, mut tracks) = guest.take.clip().clone().into_parts();
            let last = rotations[rotations.len() - skeleton.len()..].to_vec();
            (own..frames).for_each(|_| rotations.extend_from_slice(&last));
            for track in &mut tracks {
                let end_m = track.positions_m[own - 1];
                track.positions_m.resize(frames, end_m);
            }
            guest.take =
                guest.take.with_clip(Clip::new(skeleton, timeline, frames, rotations, tracks)?, Keeps::Nothing);
        }
    }
    Ok(())
}
