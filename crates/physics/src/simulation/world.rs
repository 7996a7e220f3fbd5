//! Several trees in one scene: people, drums, balls. Declared pairs of shapes push each other.

use super::actor::{Actor, SolidId};
use super::stepping::{Diverged, Drive};
use super::task::{Command, View};
use super::touch::{Pair, Touch, Touches};

/// Fills what is asked of an actor's servos at a time: which actor, when (s), what.
pub type Director<'a> = dyn FnMut(usize, f64, &mut Command) + 'a;

/// Two shapes that overlap before anything moved.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{a} and {b} overlap by {:.1} mm at the start; move one of them, or arm the pair later", 1e3 * .depth_m)]
pub struct Overlap {
    /// One shape, with its actor.
    pub a: String,
    /// The other.
    pub b: String,
    /// How deep, m.
    pub depth_m: f64,
}

/// The scene.
#[derive(Debug)]
pub struct World {
    /// In any order; pairs name them by position.
    pub actors: Vec<Actor>,
    /// Steps a second while shapes of a pair are close to each other: implicit steps eat the bounce of a stroke, and a
    /// blow lasts some 10 ms. Feet on the ground stay at the step they are given.
    pub impact_hz: f64,
    touches: Touches,
}

/// Within this distance, and what the shapes travel in one step, a pair is stepped finely, m.
const CLOSE_M: f64 = 0.02;

impl World {
    /// Actors that strike each other by declared pairs only.
    pub fn new(actors: Vec<Actor>, pairs: Vec<Pair>) -> Self {
        Self { actors, impact_hz: 3840.0, touches: Touches::new(pairs) }
    }

    /// What may touch.
    pub fn pairs(&self) -> &[Pair] {
        self.touches.pairs()
    }

    /// Simulated time.
    pub fn time_secs(&self) -> f64 {
        self.actors.first().map_or(0.0, |actor| actor.simulation.time_secs)
    }

    /// Everything that touched during the last [`World::step`], in order of time.
    pub fn touches(&self) -> &[Touch] {
        self.touches.seen()
    }

    /// Whether pairs that are armed from the start are apart.
    pub fn check_start(&mut self) -> Result<(), Overlap> {
        self.place();
        match self.touches.first_overlap(&self.actors) {
            None => Ok(()),
            Some((pair, depth_m)) => {
                let name = |id: SolidId| {
                    let actor = &self.actors[id.actor];
                    format!("{} of {}", actor.solids[id.solid].name, actor.name)
                };
                Err(Overlap { a: name(pair.a), b: name(pair.b), depth_m })
            }
        }
    }

    /// One step of `step_secs`, divided while a pair is close.
    pub fn step(&mut self, step_secs: f64, director: &mut Director<'_>) -> Result<(), Diverged> {
        self.touches.forget();
        let (mut count, mut is_close) = (1, false);
        if self.touches.is_any_armed(self.time_secs() + step_secs) {
            self.place();
            is_close = self.touches.is_any_close(&self.actors, CLOSE_M, step_secs);
            if is_close {
                count = (step_secs * self.impact_hz - 1e-9).ceil().max(1.0) as usize;
            }
        }
        for _ in 0..count {
            self.advance(step_secs / count as f64, is_close, director)?;
        }
        Ok(())
    }

    fn place(&mut self) {
        for actor in &mut self.actors {
            actor.simulation.place(&actor.model);
        }
    }

    /// All trees by themselves, then the forces between them where some are close, then time.
    fn advance(&mut self, step_secs: f64, is_close: bool, director: &mut Director<'_>) -> Result<(), Diverged> {
        let time_secs = self.time_secs();
        for (index, actor) in self.actors.iter_mut().enumerate() {
            let Actor { model, simulation, servos, ground, loads, tasks, command, .. } = actor;
            simulation.begin(model);
            command.rate.fill(0.0);
            command.push.fill(0.0);
            director(index, time_secs + step_secs, command);
            for task in tasks.iter_mut() {
                let (q, v, links) = (&simulation.q[..], &simulation.v[..], simulation.workspace());
                let ground = ground.as_ref();
                task.act(&View { model, q, v, links, ground, time_secs, step_secs }, command);
            }
            let Command { target, rate, push } = &*command;
            let drive = Drive { servos, target, rate: Some(rate), push: Some(push), loads };
            simulation.drive(model, drive, ground.as_mut(), step_secs, is_close);
        }
        if is_close {
            self.touches.act(&mut self.actors, time_secs, step_secs);
        } else {
            self.touches.let_go();
        }
        for actor in &mut self.actors {
            actor.simulation.finish(&actor.model, step_secs)?;
        }
        Ok(())
    }
}
