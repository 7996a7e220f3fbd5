//! All characters and things of a scene in one world, frame by frame.

use super::feet::{self, Footing};
use super::measure::{self, HandPaths};
use super::servo_targets::ServoTargets;
use super::{Advance, TrackOptions, TrackReport, Tracked, desired, unsimulated_joints};
use crate::EditingError;
use aplomb_motion::{Clip, FrameIndex, WorldPose};
use aplomb_physics::collision::Convex;
use aplomb_physics::dynamics::{JointKind, LinkId, Model, Workspace};
use aplomb_physics::simulation::{Actor, Balance, Hold, Pair, Solid, StanceLeg, Task, Touch, Upright, World};
use aplomb_physics::spatial::SpatialInertia;
use glam::{DQuat, DVec3};
use serde::Serialize;

/// A step is halved this often before giving up: 480 Hz becomes 15 360, where even explicit servos of 10 000 s⁻²
/// converge.
const MOST_HALVINGS: usize = 5;

/// Touches of a pair with less than this between them are one contact, s: a hand chatters for some milliseconds when it
/// strikes.
const SAME_CONTACT_SECS: f64 = 0.03;

/// A controller of one performer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum StageTask {
    /// See [`Upright`].
    Upright {
        /// The hand.
        link: LinkId,
        /// Which of its directions stays upright.
        axis_in_link: DVec3,
    },
    /// See [`Balance`]; over the middle of both feet.
    Balance {
        /// N/m for an adult of 75 kg.
        stiffness: f64,
        /// N·s/m for the same adult.
        damping: f64,
    },
    /// See [`Hold`].
    Hold {
        /// Whose point.
        link: LinkId,
        /// Which, m.
        point_in_link_m: DVec3,
        /// Where, m.
        at_m: DVec3,
        /// From when to when.
        span_secs: (f64, f64),
        /// Joints that help.
        joints: usize,
    },
}

/// A simulated character.
#[derive(Clone)]
pub struct Performer<'s> {
    /// For messages and reports.
    pub name: String,
    /// What is played.
    pub targets: &'s ServoTargets<'s>,
    /// Controllers, in order.
    pub tasks: Vec<StageTask>,
    /// What may strike.
    pub solids: Vec<Solid>,
    /// A direction of a link whose tilt against upright is watched.
    pub watched: Option<(LinkId, DVec3)>,
}

impl<'s> Performer<'s> {
    /// With nothing but the motion.
    pub fn new(name: impl Into<String>, targets: &'s ServoTargets<'s>) -> Self {
        Self { name: name.into(), targets, tasks: Vec::new(), solids: Vec::new(), watched: None }
    }
}

impl ServoTargets<'_> {
    /// Plays it alone in the world; a step that diverges is halved, and the report says so.
    pub fn play(&self, options: &TrackOptions, advance: Advance<'_>) -> Result<Tracked, EditingError> {
        let stage = SceneSimulation::alone(Performer::new("actor", self));
        let mut played = stage.play(options, advance)?;
        played.tracked.pop().ok_or_else(EditingError::nobody)
    }
}

/// A thing.
#[derive(Clone, Debug)]
pub struct StageProp {
    /// For messages and reports.
    pub name: String,
    /// About its own middle.
    pub shape: Convex,
    /// About its own middle; a thing without stands still.
    pub inertia: Option<SpatialInertia>,
    /// Where its middle is at the start, m.
    pub at_m: DVec3,
    /// How it is turned.
    pub rotation: DQuat,
}

/// All of them.
#[derive(Clone)]
pub struct SceneSimulation<'s> {
    /// All targets have the same frames.
    pub performers: Vec<Performer<'s>>,
    /// Actors after the performers, each with one solid.
    pub props: Vec<StageProp>,
    /// What may touch; actors are performers, then props.
    pub pairs: Vec<Pair>,
}

/// Two things that touched.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ContactEvent {
    /// Which pair of the scene.
    pub pair: usize,
    /// One part, with its owner's name.
    pub a: String,
    /// The other part.
    pub b: String,
    /// First touch.
    pub start_secs: f64,
    /// Last touch.
    pub end_secs: f64,
    /// Largest force, N.
    pub peak_force_n: f64,
    /// Deepest, m.
    pub peak_depth_m: f64,
}

/// Where a thing that moves was, frame by frame.
#[derive(Clone, Debug, PartialEq)]
pub struct PropPath {
    /// Which.
    pub name: String,
    /// Its middle, m, and how it is turned.
    pub poses: Vec<(DVec3, DQuat)>,
}

/// What was played.
#[derive(Clone, Debug)]
pub struct Performance {
    /// Performer by performer.
    pub tracked: Vec<Tracked>,
    /// In order of time.
    pub contacts: Vec<ContactEvent>,
    /// Things that move.
    pub props: Vec<PropPath>,
    /// Tilt of what was watched, degrees, frame by frame; performer by performer.
    pub tilts_deg: Vec<Vec<f64>>,
}

impl<'s> SceneSimulation<'s> {
    /// One performer and nothing else.
    pub fn alone(performer: Performer<'s>) -> Self {
        Self { performers: vec![performer], props: Vec::new(), pairs: Vec::new() }
    }

    /// Plays it; a step that diverges is halved, and the reports say so.
    pub fn play(&self, options: &TrackOptions, advance: Advance<'_>) -> Result<Performance, EditingError> {
        options.check()?;
        let mut halvings = 0;
        loop {
            let hz = options.hz * f64::from(1u32 << halvings);
            match self.play_at(hz, options, advance) {
                Err(EditingError::Diverged(_)) if halvings < MOST_HALVINGS => halvings += 1,
                Err(error) => return Err(error),
                Ok(mut played) => {
                    played.tracked.iter_mut().for_each(|tracked| tracked.report.halvings = halvings);
                    return Ok(played);
                }
            }
        }
    }

    fn play_at(&self, hz: f64, options: &TrackOptions, advance: Advance<'_>) -> Result<Performance, EditingError> {
        let Some(first) = self.performers.first() else { return Err(EditingError::nobody()) };
        let mut watches: Vec<PerformerWatch<'_>> =
            self.performers.iter().map(|one| PerformerWatch::new(one, options)).collect();
        let mut actors: Vec<Actor> = self.performers.iter().map(|one| actor(one, options)).collect();
        for prop in &self.props {
            actors.push(prop_actor(prop)?);
        }
        let mut world = World::new(actors, self.pairs.clone());
        world.check_start()?;
        let mut contacts = Contacts::new(self);
        let mut paths = self.moving_props();
        let clip = &first.targets.frames;
        let since = |frame| clip.time_secs(FrameIndex(frame)) - clip.time_secs(FrameIndex(0));
        let performers = &self.performers;
        let mut direct = |index: usize, at_secs: f64, command: &mut aplomb_physics::simulation::Command| {
            let Some(Performer { targets, .. }) = performers.get(index) else { return };
            targets.desired.at(&targets.skeleton.links.model, at_secs, &mut command.target, &mut command.rate);
            if !options.rate_error {
                command.rate.fill(0.0);
            }
        };
        let (mut steps, mut longest_secs) = (0, 0.0f64);
        for frame in 1..clip.frame_count() {
            let (from_secs, to_secs) = (since(frame - 1), since(frame));
            // A whole number of steps between frames, none longer than asked for.
            let parts = ((to_secs - from_secs) * hz - 1e-6).ceil().max(1.0) as usize;
            let step_secs = (to_secs - from_secs) / parts as f64;
            for _ in 0..parts {
                world.step(step_secs, &mut direct)?;
                contacts.note(world.touches());
            }
            (steps, longest_secs) = (steps + parts, longest_secs.max(step_secs));
            for (watch, actor) in watches.iter_mut().zip(&world.actors) {
                watch.note(actor, FrameIndex(frame), to_secs);
            }
            for (actor, path) in &mut paths {
                let q = &world.actors[*actor].simulation.q;
                path.poses.push((DVec3::new(q[4], q[5], q[6]), DQuat::from_slice(&q[..4])));
            }
            advance(to_secs, since(clip.frame_count() - 1));
        }
        let mut played = Performance {
            tracked: Vec::new(),
            contacts: contacts.done,
            props: paths.into_iter().map(|(_, path)| path).collect(),
            tilts_deg: Vec::new(),
        };
        for watch in watches {
            let (tracked, tilts_deg) = watch.finish(options, steps, longest_secs)?;
            played.tracked.push(tracked);
            played.tilts_deg.push(tilts_deg);
        }
        Ok(played)
    }

    fn moving_props(&self) -> Vec<(usize, PropPath)> {
        let moving = self.props.iter().enumerate().filter(|(_, prop)| prop.inertia.is_some());
        moving
            .map(|(index, prop)| {
                let path = PropPath { name: prop.name.clone(), poses: vec![(prop.at_m, prop.rotation)] };
                (self.performers.len() + index, path)
            })
            .collect()
    }
}

fn actor(performer: &Performer<'_>, options: &TrackOptions) -> Actor {
    let targets = performer.targets;
    let model = &targets.skeleton.links.model;
    let (mut q, mut v) = (model.neutral(), vec![0.0; model.nv()]);
    targets.desired.at(model, 0.0, &mut q, &mut v);
    let mut actor = Actor::new(performer.name.clone(), model.clone(), targets.servos(options), q, v);
    actor.simulation.scheme = options.scheme;
    actor.ground = targets.footing.as_ref().map(|footing| footing.ground.clone());
    actor.solids = performer.solids.clone();
    actor.tasks = performer.tasks.iter().filter_map(|task| task.make(targets)).collect();
    actor
}

fn prop_actor(prop: &StageProp) -> Result<Actor, EditingError> {
    let mut builder = Model::builder();
    let (kind, inertia) = match prop.inertia {
        Some(inertia) => (JointKind::Free, inertia),
        None => (JointKind::Fixed, SpatialInertia::ZERO),
    };
    let (offset_m, rest) =
        if prop.inertia.is_some() { (DVec3::ZERO, DQuat::IDENTITY) } else { (prop.at_m, prop.rotation) };
    let link = builder.add(None, prop.name.clone(), kind, offset_m, rest, inertia);
    let model = builder.build()?;
    let mut actor = Actor::fixed(prop.name.clone(), model);
    if prop.inertia.is_some() {
        actor.simulation.q[..4].copy_from_slice(&prop.rotation.to_array());
        actor.simulation.q[4..7].copy_from_slice(&prop.at_m.to_array());
    }
    actor.solids = vec![Solid { name: prop.name.clone(), link, shape: prop.shape }];
    Ok(actor)
}

impl StageTask {
    fn make(&self, targets: &ServoTargets<'_>) -> Option<Box<dyn Task>> {
        let model = &targets.skeleton.links.model;
        Some(match *self {
            Self::Upright { link, axis_in_link } => Box::new(Upright { link, axis_in_link, up: DVec3::Y }),
            Self::Balance { stiffness, damping } => {
                let footing = targets.footing.as_ref()?;
                let links = feet::leg_links(targets.roles, &targets.skeleton);
                let legs = links.chunks_exact(3).map(|leg| StanceLeg { joints: [leg[0], leg[1], leg[2]] }).collect();
                let share = model.total_mass_kg() / 75.0;
                let balance = Balance::over(footing.middle_m, legs);
                Box::new(Balance { stiffness: stiffness * share, damping: damping * share, ..balance })
            }
            Self::Hold { link, point_in_link_m, at_m, span_secs, joints } => {
                let mut hold = Hold::new(model, link, point_in_link_m, at_m, joints);
                (hold.from_secs, hold.to_secs) = span_secs;
                Box::new(hold)
            }
        })
    }
}

/// What is seen of one performer.
struct PerformerWatch<'s> {
    performer: &'s Performer<'s>,
    out: Clip,
    pose: WorldPose,
    work: Workspace,
    target: Vec<f64>,
    rate: Vec<f64>,
    footing: Option<Footing>,
    hands: Vec<(LinkId, HandPaths)>,
    tilts_deg: Vec<f64>,
    sum: f64,
    sum_of_squares: f64,
    count: f64,
}

impl<'s> PerformerWatch<'s> {
    fn new(performer: &'s Performer<'s>, options: &TrackOptions) -> Self {
        let ServoTargets { skeleton, desired, frames, roles, footing, .. } = performer.targets;
        let model = &skeleton.links.model;
        let (mut target, mut rate) = (model.neutral(), vec![0.0; model.nv()]);
        desired.at(model, 0.0, &mut target, &mut rate);
        let mut work = Workspace::new(model);
        work.place(model, &target);
        let hands = performer.targets.hand_paths(&work);
        let mut out = unsimulated_joints::filled_in(frames, roles, skeleton, options.gains, options.lower);
        let mut pose = WorldPose::for_skeleton(frames.skeleton());
        skeleton.put(&target, &mut out, FrameIndex(0), &mut pose);
        let mut watch = Self {
            performer,
            out,
            pose,
            work,
            target,
            rate,
            footing: footing.clone(),
            hands,
            tilts_deg: Vec::new(),
            sum: 0.0,
            sum_of_squares: 0.0,
            count: 0.0,
        };
        watch.note_tilt();
        watch
    }

    fn note(&mut self, actor: &Actor, frame: FrameIndex, at_secs: f64) {
        let ServoTargets { skeleton, desired, .. } = self.performer.targets;
        let (model, q) = (&skeleton.links.model, &actor.simulation.q);
        desired.at(model, at_secs, &mut self.target, &mut self.rate);
        skeleton.put(q, &mut self.out, frame, &mut self.pose);
        self.work.place(model, &self.target);
        for (link, hand) in &mut self.hands {
            hand.paths_m[0].push(self.work.link(*link).joint_in_world_m);
        }
        self.work.place(model, q);
        for (link, hand) in &mut self.hands {
            hand.paths_m[1].push(self.work.link(*link).joint_in_world_m);
        }
        self.note_tilt();
        if let (Some(footing), Some(ground)) = (&mut self.footing, &actor.ground) {
            // Both begin with the pelvis: its turn, and what is asked of it.
            let up_in_pelvis = DQuat::from_slice(&self.target[..4]).conjugate() * DVec3::Y;
            let leans_rad = (DQuat::from_slice(&q[..4]) * up_in_pelvis).angle_between(DVec3::Y);
            footing.note(ground, model, &self.work, leans_rad, at_secs);
        }
        if at_secs >= measure::SETTLING_SECS {
            for (_, angle_rad) in desired::angles_rad(model, &self.target, q) {
                self.sum += angle_rad;
                self.sum_of_squares += angle_rad * angle_rad;
                self.count += 1.0;
            }
        }
    }

    fn note_tilt(&mut self) {
        if let Some((link, axis)) = self.performer.watched {
            let direction = self.work.link(link).world_from_link * axis;
            self.tilts_deg.push(direction.angle_between(DVec3::Y).to_degrees());
        }
    }

    fn finish(self, options: &TrackOptions, steps: usize, step_secs: f64) -> Result<(Tracked, Vec<f64>), EditingError> {
        let targets = self.performer.targets;
        let share = |sum: f64| if self.count > 0.0 { sum / self.count } else { 0.0 };
        let paths: Vec<HandPaths> = self.hands.into_iter().map(|(_, hand)| hand).collect();
        let hands = measure::hands(&paths, measure::mean_step_secs(&targets.frames))?;
        let report = TrackReport {
            stiffness_per_s2: options.gains.stiffness_per_s2,
            degrees_of_freedom: targets.skeleton.links.model.nv(),
            rms_error_deg: share(self.sum_of_squares).sqrt().to_degrees(),
            mean_error_deg: share(self.sum).to_degrees(),
            shaking_ratio: measure::shaking_ratio(&hands),
            hands,
            step_secs,
            halvings: 0,
            steps,
            standing: self.footing.map(|footing| footing.standing()),
        };
        Ok((Tracked { clip: self.out, wanted: targets.wanted.clone(), report }, self.tilts_deg))
    }
}

/// Touches, joined to contacts.
struct Contacts {
    names: Vec<(String, String)>,
    done: Vec<ContactEvent>,
}

impl Contacts {
    fn new(stage: &SceneSimulation<'_>) -> Self {
        let name = |id: aplomb_physics::simulation::SolidId| match stage.performers.get(id.actor) {
            Some(one) => {
                let solid = one.solids.get(id.solid).map_or("", |solid| solid.name.as_str());
                format!("{}.{solid}", one.name)
            }
            None => stage.props.get(id.actor - stage.performers.len()).map_or_else(String::new, |it| it.name.clone()),
        };
        Self { names: stage.pairs.iter().map(|pair| (name(pair.a), name(pair.b))).collect(), done: Vec::new() }
    }

    fn note(&mut self, touches: &[Touch]) {
        for touch in touches {
            let force_n = touch.force.length();
            if force_n <= 0.0 {
                continue;
            }
            let names = &self.names[touch.pair];
            // Two shapes of a hand on the same thing are one contact.
            let same = |it: &&mut ContactEvent| {
                it.a == names.0 && it.b == names.1 && touch.time_secs - it.end_secs <= SAME_CONTACT_SECS
            };
            match self.done.iter_mut().rev().take(32).find(same) {
                Some(event) => {
                    event.end_secs = touch.time_secs;
                    event.peak_force_n = event.peak_force_n.max(force_n);
                    event.peak_depth_m = event.peak_depth_m.max(touch.depth_m);
                }
                None => self.done.push(ContactEvent {
                    pair: touch.pair,
                    a: names.0.clone(),
                    b: names.1.clone(),
                    start_secs: touch.time_secs,
                    end_secs: touch.time_secs,
                    peak_force_n: force_n,
                    peak_depth_m: touch.depth_m,
                }),
            }
        }
    }
}
