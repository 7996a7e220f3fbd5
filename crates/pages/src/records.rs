//! What a step of a receipt holds of its verb. Only this file knows how a step keeps it.

use aplomb_project::edit::{AdaptRecord, BlendRecord, PathRecord, StepRecord, TouchupRecord, TrackRecord};

pub(crate) fn touchup(step: &StepRecord) -> Option<&TouchupRecord> {
    step.touchup.as_ref()
}

pub(crate) fn path(step: &StepRecord) -> Option<&PathRecord> {
    step.path.as_deref()
}

pub(crate) fn blend(step: &StepRecord) -> Option<&BlendRecord> {
    step.blend.as_deref()
}

pub(crate) fn track(step: &StepRecord) -> Option<&TrackRecord> {
    step.track.as_deref()
}

pub(crate) fn adapt(step: &StepRecord) -> Option<&AdaptRecord> {
    step.adapt.as_deref()
}
