//! Corrections in layers over a motion.
//!
//! A [`Layer`] turns subtrees of the skeleton and moves the root, frame by frame; a motion and its layers, each put on
//! top of the one before, make the result (a hierarchical displacement map: Shin, Kovar & Gleicher 2003, after
//! Bruderlin & Williams 1995 and Lee & Shin 1999). Turns are rotation vectors in the world: near the identity
//! logarithms are coordinates as good as any, and they are filtered like vectors. [`joint_changes`], [`root_change_m`]
//! and [`Layer::change`] say how much was changed, for receipts.

mod change;

pub use change::{JointChange, LayerChange, RootChange, joint_changes, root_change_m};

use crate::body_root::{BodyRoot, world_from_parent};
use crate::span::Frames;
use aplomb_motion::{Clip, JointId, so3};
use glam::DVec3;
use serde::Serialize;

/// A subtree that turns about its own joint.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Turn {
    /// Top of the subtree.
    pub joint: JointId,
    /// Rotation vector in world axes, one a frame; put before what the joint does in the world.
    pub rotation_rad: Vec<DVec3>,
}

/// One correction over a whole clip.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Layer {
    /// Of the step that made it.
    pub name: String,
    /// Step of the list, from 0.
    pub step: usize,
    /// Repetition of the step, from 0.
    pub iteration: usize,
    /// What the step was to lower, before this layer: mean distance of the zero-moment point from the support, m.
    /// `None` for flights.
    pub error_m: Option<f64>,
    /// Parents before children.
    pub turns: Vec<Turn>,
    /// Of the whole body, in the world, one a frame; empty if it stays.
    pub translation_m: Vec<DVec3>,
}

impl Layer {
    /// Puts the layer onto a clip. Rotations first, from the root outward: a joint that is to keep its direction in the
    /// world has the opposite turn of the one above it.
    pub(crate) fn apply(&self, clip: &mut Clip, root: &BodyRoot, frames: &Frames) {
        let skeleton = std::sync::Arc::clone(clip.skeleton());
        for index in 0..frames.len() {
            let frame = frames.frame(index);
            if let Some(&shift_m) = self.translation_m.get(index).filter(|shift_m| **shift_m != DVec3::ZERO) {
                let shift_m = root.in_parent(clip.rotations_at(frame), shift_m);
                if let Some(track) = clip.track_mut(root.joint) {
                    track[frame.0] += shift_m;
                }
            }
            let rotations = clip.rotations_at_mut(frame);
            for turn in &self.turns {
                let Some(&turn_rad) = turn.rotation_rad.get(index).filter(|rad| **rad != DVec3::ZERO) else { continue };
                let world_from_parent = world_from_parent(&skeleton, rotations, turn.joint);
                let local = &mut rotations[turn.joint.index()];
                *local = (so3::exp(world_from_parent.conjugate() * turn_rad) * *local).normalize();
            }
        }
    }

    /// Largest turn of any joint, rad.
    pub fn largest_turn_rad(&self) -> f64 {
        let turns = self.turns.iter().flat_map(|turn| &turn.rotation_rad);
        turns.map(|rad| rad.length()).fold(0.0, f64::max)
    }
}
