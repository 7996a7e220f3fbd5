//! Contacts of clips that jitter.

use super::steady::{noise_m, sigma_secs_for_speed, steadied};
use crate::EditingError;
use aplomb_analysis::{ContactAnalysis, ContactOptions, analyse_contacts};
use aplomb_motion::signal::gaussian::WINDOW_PER_SIGMA;
use aplomb_motion::{Clip, Roles, WorldPose};
use aplomb_physics::Body;
use glam::DVec3;

/// Longest smoothing time of contacts, s: beyond, the steps of a walk run into each other.
const MOST_SMOOTHING_SECS: f64 = 0.24;

/// Smoothing is changed if it should be this many times what is asked for.
const WORTHWHILE: f64 = 1.5;

/// Contacts to plant by: those of [`analyse_contacts`] unless the clip jitters. Jitter of a few millimetres makes standing points look as fast as
/// moving ones and would leave nothing to hold; so contacts are found in a copy whose root is steady, with as much smoothing as the noise of the
/// feet that is left asks for.
pub fn contacts_to_plant(
    clip: &Clip,
    roles: &Roles,
    body: &Body,
    options: &ContactOptions,
) -> Result<ContactAnalysis, EditingError> {
    let steady = steadied(clip, roles)?;
    let watched = steady.as_ref().unwrap_or(clip);
    let contacts = analyse_contacts(watched, roles, body, options)?;
    let smoothing_secs = smoothing_secs_for(watched, &contacts).min(MOST_SMOOTHING_SECS);
    // A little more would move edges of clips that need none: quick feet at 30 Hz look a little like noise.
    if smoothing_secs <= WORTHWHILE * options.smoothing_secs {
        return Ok(contacts);
    }
    let options = ContactOptions { smoothing_secs, ..options.clone() };
    let mut contacts = analyse_contacts(watched, roles, body, &options)?;
    contacts.warnings.push(format!(
        "feet jitter: contacts were found with {smoothing_secs:.2} s of smoothing, so that their edges are less sharp"
    ));
    Ok(contacts)
}

/// The smoothing time that makes points which stand stand still.
fn smoothing_secs_for(clip: &Clip, contacts: &ContactAnalysis) -> f64 {
    let Some(step) = clip.timeline().uniform() else { return 0.0 };
    let mut pose = WorldPose::for_skeleton(clip.skeleton());
    let standing: Vec<_> = contacts.effectors.iter().filter(|effector| effector.part.stands()).collect();
    let mut paths_m = vec![Vec::<DVec3>::with_capacity(clip.frame_count()); standing.len()];
    for frame in clip.frames().skip(usize::from(contacts.stray_first_frame)) {
        pose.pose(clip, frame);
        for (path_m, effector) in paths_m.iter_mut().zip(&standing) {
            path_m.push(pose.point_in_world_m(effector.joint, effector.point_in_joint_m));
        }
    }
    // The least noisy point of them: one loose marker is no reason to smooth everything.
    let noise_m = paths_m.iter().map(|path_m| noise_m(path_m)).fold(f64::INFINITY, f64::min);
    if noise_m.is_finite() { WINDOW_PER_SIGMA * sigma_secs_for_speed(noise_m, step.secs()) } else { 0.0 }
}
