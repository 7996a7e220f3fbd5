//! From curves to a clip: every joint sampled at every instant, what stands above the roots made part of them.

use super::Moves;
use super::curve::Curve;
use super::document::Root;
use super::times::Instants;
use super::tree::{self, Joints, Tree};
use crate::diagnostic::{Diagnostic, printable};
use crate::gltf::extras::{AnimationExtras, JointExtras};
use crate::options::ReadOptions;
use aplomb_motion::{Axis, Channel, Channels, Clip, EndSite, FrameIndex, Joint, JointId, Skeleton, TranslationTrack};
use glam::{DQuat, DVec3};
use std::sync::Arc;

/// What stands still above each joint: the scale of everything above, and for a root the place of its parent.
pub(super) struct Places {
    scale_above: Vec<f64>,
    above_roots: Vec<Option<(DVec3, DQuat)>>,
}

impl Places {
    pub fn of(root: &Root, tree: &Tree, joints: &Joints, notes: &mut Vec<Diagnostic>) -> Result<Self, Box<Diagnostic>> {
        let mut scale_above = vec![1.0; joints.nodes.len()];
        let mut above_roots = vec![None; joints.nodes.len()];
        let factor = |node: usize| {
            let scale = tree.locals[node].scale;
            tree::uniform(scale).ok_or_else(|| {
                let found = format!("{} is scaled by {scale}", tree::shown(root, node));
                let fault = Diagnostic::error("GLB-E020", "the same scale in all directions above a joint", found);
                Box::new(fault.hint("apply the scale before exporting"))
            })
        };
        for (index, &node) in joints.nodes.iter().enumerate() {
            let Some(parent) = tree.parents[node] else { continue };
            if let Some(parent_index) = joints.of_node[parent] {
                scale_above[index] = scale_above[parent_index] * factor(parent)?;
                continue;
            }
            // Few joints are roots, so that walking up from each costs little; and depth is limited.
            let (mut place, mut turn, mut scale) = (DVec3::ZERO, DQuat::IDENTITY, 1.0);
            let mut above = Some(parent);
            while let Some(node) = above {
                let (local, factor) = (tree.locals[node], factor(node)?);
                place = local.translation + local.rotation * (factor * place);
                turn = local.rotation * turn;
                scale *= factor;
                above = tree.parents[node];
            }
            scale_above[index] = scale;
            above_roots[index] = Some((place, turn.normalize()));
            if (scale - 1.0).abs() > 1e-6 || turn.angle_between(DQuat::IDENTITY) > 1e-6 {
                let found = format!(
                    "what stands above {} (scale {scale:.4}, turn {:.1}°) is made part of it",
                    tree::shown(root, node),
                    turn.angle_between(DQuat::IDENTITY).to_degrees()
                );
                notes.push(Diagnostic::note("GLB-N011", "", found));
            }
        }
        Ok(Self { scale_above, above_roots })
    }

    fn translation_m(&self, joint: usize, local: DVec3) -> DVec3 {
        let scaled = self.scale_above[joint] * local;
        self.above_roots[joint].map_or(scaled, |(place, turn)| place + turn * scaled)
    }

    fn rotation(&self, joint: usize, local: DQuat) -> DQuat {
        self.above_roots[joint].map_or(local, |(_, turn)| (turn * local).normalize())
    }
}

/// Everything a clip is sampled from.
pub(super) struct Bake<'a> {
    pub root: &'a Root,
    pub tree: &'a Tree,
    pub joints: &'a Joints,
    pub moves: &'a Moves<'a>,
    pub places: &'a Places,
    pub instants: &'a Instants,
}

impl Bake<'_> {
    pub fn clip(
        &self,
        own: Option<&AnimationExtras>,
        options: &ReadOptions,
        notes: &mut Vec<Diagnostic>,
    ) -> Result<Clip, Box<Diagnostic>> {
        let (frames, count) = (self.instants.times_secs.len(), self.joints.nodes.len());
        let mut rotations = vec![DQuat::IDENTITY; frames * count];
        let mut tracks = Vec::new();
        let mut rest_m = Vec::with_capacity(count);
        for (joint, &node) in self.joints.nodes.iter().enumerate() {
            let local = self.tree.locals[node];
            let turns = self.moves.nodes[node].rotation.as_ref();
            let still = self.places.rotation(joint, local.rotation);
            let mut hint = 0;
            for (frame, &time_secs) in self.instants.times_secs.iter().enumerate() {
                let rotation = match turns {
                    None => still,
                    Some(curve) => {
                        let turn = curve.rotation(time_secs, self.instants.snap_secs, &mut hint);
                        self.places.rotation(joint, turn.ok_or_else(|| self.unusable(node, "rotation", time_secs))?)
                    }
                };
                rotations[frame * count + joint] = rotation;
            }
            let mut offset_m = self.places.translation_m(joint, local.translation);
            if let Some(curve) = &self.moves.nodes[node].translation {
                let positions_m = self.positions_m(joint, node, curve)?;
                let is_root = self.parent(node).is_none();
                // Many exporters animate every translation, most of which never change: those are offsets.
                let first_m = positions_m[0];
                let is_still = positions_m.iter().all(|at_m| at_m.distance(first_m) <= 1e-6 * (1.0 + first_m.length()));
                match is_still && !is_root && own.is_none() {
                    true => offset_m = first_m,
                    false => tracks.push(TranslationTrack { joint: JointId::new(joint), positions_m }),
                }
            }
            rest_m.push(offset_m);
        }
        let moved: Vec<bool> = {
            let mut moved = vec![false; count];
            tracks.iter().for_each(|track| moved[track.joint.index()] = true);
            moved
        };
        let skeleton = self.skeleton(&rest_m, &moved, own, options, notes)?;
        let clip = Clip::new(Arc::new(skeleton), self.instants.timeline.clone(), frames, rotations, tracks);
        let clip = clip.map_err(|error| {
            Box::new(Diagnostic::error("GLB-E026", "a usable motion", printable(&error.to_string())))
        })?;
        if self.instants.between_keys {
            self.tell_deviation(&clip, notes);
        }
        Ok(clip)
    }

    fn positions_m(&self, joint: usize, node: usize, curve: &Curve<'_>) -> Result<Vec<DVec3>, Box<Diagnostic>> {
        let mut hint = 0;
        let position = |&time_secs: &f64| {
            let local = curve.vector(time_secs, self.instants.snap_secs, &mut hint);
            Ok(self.places.translation_m(joint, local.ok_or_else(|| self.unusable(node, "translation", time_secs))?))
        };
        self.instants.times_secs.iter().map(position).collect()
    }

    fn unusable(&self, node: usize, what: &str, time_secs: f64) -> Box<Diagnostic> {
        let found = format!("none at {time_secs} s, node {}", tree::shown(self.root, node));
        Box::new(Diagnostic::error("GLB-E019", format!("a {what} that can be used"), found))
    }

    fn parent(&self, node: usize) -> Option<usize> {
        self.tree.parents[node].and_then(|parent| self.joints.of_node[parent])
    }

    fn skeleton(
        &self,
        rest_m: &[DVec3],
        moved: &[bool],
        own: Option<&AnimationExtras>,
        options: &ReadOptions,
        notes: &mut Vec<Diagnostic>,
    ) -> Result<Skeleton, Box<Diagnostic>> {
        let mut joints = Vec::with_capacity(rest_m.len());
        let mut nameless = 0;
        for (index, &node) in self.joints.nodes.iter().enumerate() {
            let extras: Option<&JointExtras> = own.and_then(|own| own.joints.get(index));
            let given = extras.and_then(|extras| extras.name.as_deref()).unwrap_or(&self.root.nodes[node].name);
            if given.len() > options.limits.name_bytes {
                let expected = format!("names of at most {} bytes", options.limits.name_bytes);
                let fault = Diagnostic::error("GLB-E013", expected, format!("{} bytes at node {node}", given.len()));
                return Err(Box::new(fault.hint("raise the limit with {limit name-bytes=N}")));
            }
            let is_nameless = given.is_empty() && extras.is_none();
            nameless += usize::from(is_nameless);
            let parent = self.parent(node);
            let positions = parent.is_none() || moved[index];
            let usual = Channels::rotating([Axis::Z, Axis::Y, Axis::X], positions);
            joints.push(Joint {
                name: if is_nameless { format!("node_{node}") } else { given.to_owned() },
                parent: parent.map(JointId::new),
                offset_m: extras.and_then(|extras| extras.offset_m).map_or(rest_m[index], DVec3::from),
                channels: extras.and_then(|extras| channels(&extras.channels)).unwrap_or(usual),
                end_sites: Vec::new(),
            });
        }
        for &end in &self.joints.ends {
            let Some(joint) = self.tree.parents[end].and_then(|parent| self.joints.of_node[parent]) else { continue };
            let own_scale = tree::uniform(self.tree.locals[self.joints.nodes[joint]].scale).unwrap_or(1.0);
            let offset_m = self.places.scale_above[joint] * own_scale * self.tree.locals[end].translation;
            // A joint of ours has its ends in order, unnamed; others call them by names that say nothing about the
            // body.
            joints[joint].end_sites.push(EndSite { name: None, offset_m });
        }
        if nameless > 0 {
            notes.push(Diagnostic::note("GLB-N012", "", format!("{nameless} nodes without a name are called node_N")));
        }
        Skeleton::new(joints).map_err(|error| {
            Box::new(Diagnostic::error("GLB-E026", "a usable skeleton", printable(&error.to_string())))
        })
    }

    /// How far the even frames are from the keys that do not fall on one.
    fn tell_deviation(&self, clip: &Clip, notes: &mut Vec<Diagnostic>) {
        // Enough keys to know; a hostile file may point at one list ten thousand times.
        let mut budget = 500_000usize;
        let (mut worst_rad, mut worst_m) = (0.0f64, 0.0f64);
        let Some(frame_time) = clip.timeline().uniform() else { return };
        let (start_secs, last) = (self.instants.times_secs[0], clip.frame_count() - 1);
        let at = |time_secs: f64| {
            let frame = ((time_secs - start_secs) / frame_time.secs()).clamp(0.0, last as f64);
            let low = frame.floor() as usize;
            (FrameIndex(low), FrameIndex((low + 1).min(last)), frame.fract())
        };
        for (index, &node) in self.joints.nodes.iter().enumerate() {
            let (moves, joint) = (&self.moves.nodes[node], JointId::new(index));
            let mut hint = 0;
            for &time_secs in moves.rotation.iter().flat_map(|curve| &*curve.times_secs) {
                let Some(left) = budget.checked_sub(1) else { break };
                budget = left;
                let Some(meant) = moves.rotation.as_ref().and_then(|curve| curve.rotation(time_secs, 0.0, &mut hint))
                else {
                    break;
                };
                let (low, high, share) = at(time_secs);
                let baked = clip.rotation(low, joint).slerp(clip.rotation(high, joint), share);
                worst_rad = worst_rad.max(baked.angle_between(self.places.rotation(index, meant)));
            }
            let (mut hint, Some(track_m)) = (0, clip.track(joint)) else { continue };
            for &time_secs in moves.translation.iter().flat_map(|curve| &*curve.times_secs) {
                let Some(left) = budget.checked_sub(1) else { break };
                budget = left;
                let Some(meant) = moves.translation.as_ref().and_then(|curve| curve.vector(time_secs, 0.0, &mut hint))
                else {
                    break;
                };
                let (low, high, share) = at(time_secs);
                let baked_m = track_m[low.0].lerp(track_m[high.0], share);
                worst_m = worst_m.max(baked_m.distance(self.places.translation_m(index, meant)));
            }
        }
        let found = format!(
            "keys do not fall on even frames: sampled at {:.2} frames a second, which leaves the keys by up to {:.2}° and {:.1} mm",
            frame_time.hz(),
            worst_rad.to_degrees(),
            1e3 * worst_m
        );
        notes.push(Diagnostic::warning("GLB-W012", "", found));
    }
}

/// `Tx Ty Tz Rz Rx Ry`, as our writer puts them.
fn channels(text: &str) -> Option<Channels> {
    let channel = |word: &str| {
        let axis = match word.get(1..)? {
            "x" => Axis::X,
            "y" => Axis::Y,
            "z" => Axis::Z,
            _ => return None,
        };
        match word.get(..1)? {
            "T" => Some(Channel::Position(axis)),
            "R" => Some(Channel::Rotation(axis)),
            _ => None,
        }
    };
    let list = text.split_whitespace().take(7).map(channel).collect::<Option<Vec<_>>>()?;
    Channels::new(&list)
}
