//! Joints that keep an angle.

use super::goal::{Goal, Preparation, within};
use crate::EditingError;
use crate::adapt::subject::Subject;
use aplomb_physics::dynamics::{BodyModel, LinkId};
use glam::{DQuat, DVec3};
use serde::{Deserialize, Serialize};

/// A joint that does not move.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fixed {
    /// A shank or a forearm.
    pub part: String,
    /// Bent by this, degrees; 0 is straight.
    pub bent_deg: f64,
}

impl Goal for Fixed {
    fn check(&self) -> Result<(), EditingError> {
        within("fixed.bent_deg", "between 0 and 150", self.bent_deg, [0.0, 150.0])
    }

    fn prepare(&self, start: &mut Preparation<'_>) -> Result<(), EditingError> {
        let link = start.subject.part(&self.part)?;
        keep_bent(start, link, self.bent_deg)
    }
}

/// Keeps a link bent against the one above it, from the start on.
pub fn keep_bent(start: &mut Preparation<'_>, link: LinkId, bent_deg: f64) -> Result<(), EditingError> {
    let pinned = bent(start.subject, &start.body.tree, link, bent_deg.to_radians())?;
    start.staged.pin(&pinned);
    start.constraints.demands.pinned.extend(pinned);
    Ok(())
}

/// Coordinates of a link that is bent by an angle against the one above it, near how it bends in the clip.
fn bent(subject: &Subject, tree: &BodyModel, link: LinkId, bent_rad: f64) -> Result<Vec<(usize, f64)>, EditingError> {
    let model = &tree.model;
    let name = model.name(link).to_owned();
    let below = model.links().find(|&other| model.parent(other) == Some(link));
    let (Some(below), Some(_)) = (below, model.parent(link)) else {
        let problem = format!("{name} has nothing below it that could be bent: name a shank or a forearm");
        return Err(EditingError::Goals { problem });
    };
    let (upper, lower) = (model.offset_m(link).normalize_or(DVec3::Y), model.offset_m(below).normalize_or(DVec3::Y));
    let dofs = subject.coordinates.count;
    let mut q = model.neutral();
    let mut best: Option<(f64, Vec<f64>, DQuat)> = None;
    for x in subject.samples.chunks_exact(dofs) {
        subject.coordinates.configuration(x, &mut q);
        let rotation = tree.rotation(link, &q);
        let found = upper.angle_between(rotation * lower);
        if best.as_ref().is_none_or(|best| (found - bent_rad).abs() < (best.0 - bent_rad).abs()) {
            best = Some((found, x.to_vec(), rotation));
        }
    }
    let Some((found, x, rotation)) = best else {
        return Err(EditingError::Goals { problem: format!("the clip has no pose in which {name} could be bent") });
    };
    let axis = upper.cross(rotation * lower).normalize_or(DVec3::X);
    let turned = DQuat::from_axis_angle(axis, bent_rad - found) * rotation;
    subject.coordinates.configuration(&x, &mut q);
    let at = model.q_range(link).start;
    q[at..at + 4].copy_from_slice(&turned.normalize().to_array());
    let mut bent = vec![0.0; dofs];
    subject.coordinates.of_configuration(tree, &q, &x, &mut bent);
    let own = subject.coordinates.of_link(link);
    Ok((own.start..own.start + own.chart.count()).map(|index| (index, bent[index])).collect())
}
