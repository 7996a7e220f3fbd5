//! Names of nodes: every one different, because viewers find the target of a track by its name.

use aplomb_motion::Skeleton;
use std::collections::{HashMap, HashSet};

/// Names of the joints' nodes and, for each joint, of its end sites' nodes.
pub(super) struct NodeNames {
    pub joints: Vec<String>,
    pub ends: Vec<Vec<String>>,
    /// Names that could not stay as they are.
    pub changed: usize,
}

pub(super) fn of_nodes(skeleton: &Skeleton, reserved: &[&str]) -> NodeNames {
    let mut taken = Taken { names: reserved.iter().map(|&name| name.to_owned()).collect(), next: HashMap::new() };
    let mut changed = 0;
    let mut joints = Vec::with_capacity(skeleton.len());
    for (index, joint) in skeleton.joints().iter().enumerate() {
        let wanted = if joint.name.trim().is_empty() { format!("joint_{index}") } else { joint.name.clone() };
        let name = taken.unique(wanted);
        changed += usize::from(name != joint.name);
        joints.push(name);
    }
    // After all joints: an end site never takes the name of a joint that comes later.
    let ends = skeleton.joints().iter().zip(&joints);
    let ends = ends.map(|(joint, name)| joint.end_sites.iter().map(|_| taken.unique(format!("{name}_end"))).collect());
    NodeNames { ends: ends.collect(), joints, changed }
}

struct Taken {
    names: HashSet<String>,
    /// The number to try next for a name that is taken: many equal names must not cost the square of their number.
    next: HashMap<String, usize>,
}

impl Taken {
    fn unique(&mut self, wanted: String) -> String {
        if self.names.insert(wanted.clone()) {
            return wanted;
        }
        let next = self.next.entry(wanted.clone()).or_insert(2);
        loop {
            let name = format!("{wanted}_{next}");
            *next += 1;
            if self.names.insert(name.clone()) {
                return name;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use aplomb_motion::{Channels, EndSite, JointId};
    use glam::DVec3;

    #[test]
    fn names_are_unique_and_never_empty() {
        let end = || EndSite { name: None, offset_m: DVec3::Y };
        let joints = ["a", "a", "a_2", "", "a_end", "a"].iter().enumerate().map(|(index, name)| aplomb_motion::Joint {
            name: (*name).to_owned(),
            parent: (index > 0).then(|| JointId::new(0)),
            offset_m: DVec3::X,
            channels: Channels::default(),
            end_sites: if index == 0 { vec![end(), end()] } else { vec![] },
        });
        let skeleton = Skeleton::new(joints.collect()).unwrap();
        let names = of_nodes(&skeleton, &["body"]);
        assert_eq!(names.joints, ["a", "a_2", "a_2_2", "joint_3", "a_end", "a_3"]);
        assert_eq!(names.ends[0], ["a_end_2", "a_end_3"]);
        assert_eq!(names.changed, 4);
    }
}
