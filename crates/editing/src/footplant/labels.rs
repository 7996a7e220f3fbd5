//! Contacts of clips that jitter.

use super::steady::{noise_m, sigma_secs_for_speed, steadied};
use crate::EditingError;
use aplomb_analysis::{ContactAnalysis, ContactOptions, Keeps, Take};
use aplomb_motion::signal::gaussian::WINDOW_PER_SIGMA;
use aplomb_motion::{Clip, WorldPose};
use glam::DVec3;

/// Longest smoothing time of contacts, s: beyond, the steps of a walk run into each other.
const MOST_SMOOTHING_SECS: f64 = 0.24;

/// Smoothing is changed if it should be this many times what is asked for.
const WORTHWHILE: f64 = 1.5;

/// Contacts to hold feet by: known or stated ones, else those that are found. Jitter of a few millimetres makes
/// standing points look as fast as moving ones and would leave nothing to hold. So in clips that jitter, contacts are
/// found in a copy whose root is steady, with as much smoothing as the noise of the feet that is left asks for.
pub fn planting_contacts(take: &Take) -> Result<&ContactAnalysis, EditingError> {
    take.contacts_to_hold(|take| {
        let mut found = if take.stated_contacts().is_some() { take.contacts()?.clone() } else { found(take)? };
        // An edit has changed the pace since the clip was read: flights fall wrongly by its doing, and no header is to
        // blame.
        if take.is_retimed() {
            found.clock.excuse();
        }
        Ok(found)
    })
}

fn found(take: &Take) -> Result<ContactAnalysis, EditingError> {
    let steady = steadied(take.clip(), take.roles())?;
    let watched = steady.map_or_else(|| take.without_inherited(), |steady| take.with_clip(steady, Keeps::Nothing));
    let contacts = watched.contacts()?;
    let smoothing_secs = smoothing_secs_for(watched.clip(), contacts).min(MOST_SMOOTHING_SECS);
    let options = &watched.options().contacts;
    // A little more would move edges of clips that need none: quick feet at 30 Hz look a little like noise.
    if smoothing_secs <= WORTHWHILE * options.smoothing_secs {
        return Ok(contacts.clone());
    }
    let options = ContactOptions { smoothing_secs, ..options.clone() };
    let mut contacts = watched.with_contact_options(options).into_contacts()?;
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
