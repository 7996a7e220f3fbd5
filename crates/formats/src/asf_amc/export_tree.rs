//! Joints as ASF bones: one end a bone, names without white space.

use super::bone::Dof;
use crate::diagnostic::Diagnostic;
use aplomb_motion::{Clip, FrameOfReference, JointId};
use glam::DVec3;
use std::collections::HashMap;

/// A bone to be written; the first of a tree is the root.
pub(super) struct OutBone {
    pub name: String,
    /// `None` for a bone that only reaches from one joint to the next.
    pub joint: Option<JointId>,
    pub parent: Option<usize>,
    /// To its end, file units.
    pub vector: DVec3,
    pub dof: Vec<Dof>,
}

pub(super) struct Tree {
    pub bones: Vec<OutBone>,
    /// One a joint.
    pub names: Vec<String>,
}

/// A micrometre: what six digits of a metre hold.
const STILL_M: f64 = 1e-6;

impl Tree {
    pub fn new(clip: &Clip, frame: FrameOfReference, notes: &mut Vec<Diagnostic>) -> Result<Self, Box<Diagnostic>> {
        let skeleton = clip.skeleton();
        let roots: Vec<&str> = skeleton.roots().map(|root| skeleton.joint(root).name.as_str()).collect();
        if roots.len() != 1 {
            let found = format!("{}: {roots:?}", roots.len());
            let error = Diagnostic::error("ASF-E019", "one root: an ASF file has no place for more", found);
            return Err(Box::new(error));
        }
        let offsets = rest_offsets(clip, frame)?;
        let mut taken = Taken::default();
        let names = names(clip, &mut taken, notes);
        let mut bones: Vec<OutBone> = Vec::with_capacity(skeleton.len());
        // The bone at whose end each joint sits.
        let mut below = vec![0usize; skeleton.len()];
        let mut added = 0;
        for joint in skeleton.ids() {
            let is_root = skeleton.parent(joint).is_none();
            let children = skeleton.children(joint);
            let ends = skeleton.joint(joint).end_sites.iter().map(|end| frame.position_to_file(end.offset_m));
            let ends: Vec<DVec3> = ends.collect();
            let reach = || children.iter().map(|child| offsets[child.index()]).chain(ends.iter().copied());
            // The one place everything hangs at, if it is one; the root has no length.
            let first = reach().next().unwrap_or(DVec3::ZERO);
            let shared = !is_root && reach().all(|offset| offset == first);
            let bone = bones.len();
            bones.push(OutBone {
                name: names[joint.index()].clone(),
                joint: Some(joint),
                parent: (!is_root).then(|| below[joint.index()]),
                vector: if shared { first } else { DVec3::ZERO },
                dof: Vec::new(),
            });
            let mut connectors: Vec<(DVec3, usize)> = vec![(bones[bone].vector, bone)];
            let targets = children.iter().map(|child| (offsets[child.index()], Some(*child)));
            for (offset, child) in targets.chain(ends.iter().map(|end| (*end, None))) {
                let connector = match connectors.iter().find(|(reached, _)| *reached == offset) {
                    Some(&(_, connector)) => connector,
                    None => {
                        let to = child.map_or("end", |child| names[child.index()].as_str());
                        let name = taken.unique(format!("{}_to_{to}", names[joint.index()]));
                        bones.push(OutBone { name, joint: None, parent: Some(bone), vector: offset, dof: Vec::new() });
                        connectors.push((offset, bones.len() - 1));
                        added += 1;
                        bones.len() - 1
                    }
                };
                if let Some(child) = child {
                    below[child.index()] = connector;
                }
            }
        }
        if added > 0 {
            let found = format!("{added} bones without degrees of freedom were added to reach joints side by side");
            notes.push(Diagnostic::note("ASF-N004", "", found));
        }
        Ok(Self { bones, names })
    }
}

/// Where each joint sits from its parent, file units; refuses joints that move against their parents.
fn rest_offsets(clip: &Clip, frame: FrameOfReference) -> Result<Vec<DVec3>, Box<Diagnostic>> {
    let skeleton = clip.skeleton();
    let mut offsets: Vec<DVec3> =
        skeleton.joints().iter().map(|joint| frame.position_to_file(joint.offset_m)).collect();
    for track in clip.tracks().iter().filter(|track| skeleton.parent(track.joint).is_some()) {
        let Some(&first_m) = track.positions_m.first() else { continue };
        let moved = |position_m: &DVec3| (*position_m - first_m).length() > STILL_M;
        if let Some(at) = track.positions_m.iter().position(moved) {
            let far_m = (track.positions_m[at] - first_m).length();
            let name = &skeleton.joint(track.joint).name;
            let found = format!("{name:?} moved by {far_m:.6} m against its parent by frame {at}");
            let error = Diagnostic::error("ASF-E020", "joints that keep their distance from their parents", found);
            return Err(Box::new(
                error.hint("only the root of an ASF skeleton travels here: write .bvh, .glb or .usda, which hold it"),
            ));
        }
        offsets[track.joint.index()] = frame.position_to_file(first_m);
    }
    Ok(offsets)
}

/// A word for each joint: no white space, separators, comments or keywords; unique whatever the case.
fn names(clip: &Clip, taken: &mut Taken, notes: &mut Vec<Diagnostic>) -> Vec<String> {
    // Words with a meaning of their own where a name stands.
    for reserved in ["root", "begin", "end"] {
        taken.unique(reserved.to_owned());
    }
    let skeleton = clip.skeleton();
    let mut renamed = Vec::new();
    let mut name_of = |joint: JointId| {
        let given = &skeleton.joint(joint).name;
        let name = match skeleton.parent(joint) {
            None => "root".to_owned(),
            Some(_) => taken.unique(word(given)),
        };
        if name != *given {
            renamed.push(format!("{given:?} is now {name:?}"));
        }
        name
    };
    let names = skeleton.ids().map(&mut name_of).collect();
    if !renamed.is_empty() {
        let found = format!("joints renamed for the format: {}", renamed.join(", "));
        notes.push(Diagnostic::note("ASF-N002", "", found));
    }
    names
}

fn word(given: &str) -> String {
    const LONGEST: usize = 200;
    let safe = |character: char| match character {
        ',' | '(' | ')' | '#' | ':' => '_',
        other if other.is_whitespace() || other.is_control() => '_',
        other => other,
    };
    let mut word: String = given.chars().take(LONGEST).map(safe).collect();
    // A row that starts with a digit or a sign looks like a frame number to simple readers.
    if !word.starts_with(|first: char| first.is_alphabetic() || first == '_') {
        word.insert(0, '_');
    }
    word
}

/// Names in use in lower case, each with the number the next joint of that name gets.
#[derive(Default)]
struct Taken(HashMap<String, usize>);

impl Taken {
    fn unique(&mut self, wanted: String) -> String {
        let mut name = wanted.clone();
        let first = self.0.get(&wanted.to_ascii_lowercase()).copied().unwrap_or(2);
        for number in first.. {
            if !self.0.contains_key(&name.to_ascii_lowercase()) {
                break;
            }
            name = format!("{wanted}_{number}");
            // The search goes on from here next time: a thousand joints of one name cost a thousand steps.
            self.0.insert(wanted.to_ascii_lowercase(), number + 1);
        }
        self.0.insert(name.to_ascii_lowercase(), 2);
        name
    }
}
