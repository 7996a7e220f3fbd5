//! Who and what else a tracked motion was played with, for pages and strips.

use aplomb_editing::track::PropTrack;
use aplomb_editing::track::scene::PropShape;
use aplomb_formats::FormatError;
use aplomb_pages::Other;
use aplomb_project::edit::{Outcome, Partner, TrackRecord};
use aplomb_render::{Strip, Subject, Thing, ThingForm, View};
use std::path::Path;

/// The scene of the last edit, if that was played by driven bodies: of an earlier one the frames may be others.
pub fn last_scene(outcome: &Outcome) -> Option<&TrackRecord> {
    outcome.steps.last()?.track()
}

/// Everybody else.
pub fn others<'a>(record: &'a TrackRecord) -> Vec<Other<'a>> {
    let lead_frames = record.lead_frames;
    let partners = record.partners.iter();
    let other = |Partner { take, .. }: &'a Partner| {
        Some(Other { clip: take.clip(), roles: take.roles(), body: take.body().ok()?, lead_frames })
    };
    partners.filter_map(other).collect()
}

/// Everything, by the frames of the written clip.
pub fn things(record: &TrackRecord) -> Vec<Thing> {
    let thing = |track: &PropTrack| {
        let form = match track.shape {
            PropShape::Ball { radius_m } => ThingForm::Ball { radius_m },
            PropShape::Box { half_m } => ThingForm::Box { half_m },
            PropShape::Cylinder { radius_m, height_m } => ThingForm::Cylinder { radius_m, height_m },
            PropShape::Staff { length_m, radius_m } => ThingForm::Rod { length_m, radius_m },
        };
        let lead = track.poses.first().copied().into_iter().cycle().take(record.lead_frames);
        Thing { form, poses: lead.chain(track.poses.iter().copied()).collect() }
    };
    record.things.iter().map(thing).collect()
}

/// Puts the others and the things of a scene into a picture.
pub fn furnish<'a>(strip: &mut Strip<'a>, record: &'a TrackRecord) {
    let beside = |partner: &'a Partner| Subject {
        clip: partner.take.clip(),
        name: &partner.name,
        roles: Some(partner.take.roles()),
    };
    strip.beside = record.partners.iter().map(beside).collect();
    strip.things = things(record);
}

/// What came of edits as a strip, PNG or SVG by the name.
pub fn strip(path: &Path, outcome: &Outcome) -> Result<Vec<u8>, FormatError> {
    let fail = |reason: String| FormatError::Unsupported { path: path.to_owned(), reason };
    let name = path.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
    let roles = outcome.after.as_ref().map(|after| &after.import.roles);
    let mut strip = Strip::new(Subject { clip: &outcome.clip, name: &name, roles });
    strip.views = vec![View::Side, View::Front];
    if let Some(record) = last_scene(outcome) {
        furnish(&mut strip, record);
    }
    let picture = strip.draw().map_err(|error| fail(error.to_string()))?;
    match path.extension().and_then(|ending| ending.to_str()) {
        Some(ending) if ending.eq_ignore_ascii_case("png") => {
            picture.to_png(1.0).map_err(|error| fail(error.to_string()))
        }
        Some(ending) if ending.eq_ignore_ascii_case("svg") => Ok(picture.svg.into_bytes()),
        _ => Err(fail("name the strip .png or .svg".to_owned())),
    }
}
