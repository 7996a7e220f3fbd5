//! Strips of figures: the result of edits, pictures for cards, and what else was in the scene of a tracked motion.

use aplomb_editing::track::PropTrack;
use aplomb_editing::track::scene_file::PropShape;
use aplomb_project::Inspected;
use aplomb_project::edit::{Outcome, Partner, TrackRecord};
use aplomb_render::{Layout, Picture, RenderError, Strip, Subject, Theme, Thing, ThingForm, View};

/// Widths of pictures, in pixels: on a card, and over the whole width of a page.
const CARD_PX: u32 = 720;
const PAGE_PX: u32 = 1280;

/// The scene of the last edit, if driven bodies played it. Frames of an earlier scene need not be those of the result.
pub fn last_scene(outcome: &Outcome) -> Option<&TrackRecord> {
    outcome.steps.last()?.track()
}

/// Things of a scene, by the frames of the written clip.
pub(crate) fn things(record: &TrackRecord) -> Vec<Thing> {
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

/// What edits made, from the side and from the front, with partners and things of its scene.
pub fn result_strip(outcome: &Outcome, name: &str) -> Result<Picture, RenderError> {
    let roles = outcome.after.as_ref().map(|after| &after.import.roles);
    let mut strip = Strip::new(Subject { clip: &outcome.clip, name, roles });
    strip.views = vec![View::Side, View::Front];
    furnish(&mut strip, last_scene(outcome));
    strip.draw()
}

/// A picture for a card: figures from the side, without words. `None` if it cannot be drawn: a card can do without.
pub fn picture_svg(inspected: &Inspected, theme: Theme) -> Option<String> {
    svg(bare(inspected, None, View::Side, theme))
}

/// A picture for a card: two versions of a motion, one over the other.
pub fn pair_svg(
    before: &Inspected,
    after: &Inspected,
    scene: Option<&TrackRecord>,
    view: View,
    theme: Theme,
) -> Option<String> {
    let mut strip = bare(before, Some(after), view, theme);
    furnish(&mut strip, scene);
    // Figures side by side would hide where the way leads, seen from above.
    strip.layout = if view == View::Top { Layout::InPlace } else { Layout::Auto };
    svg(strip)
}

/// Two versions of a motion, each figure where it is, over the whole width of a page.
pub(crate) fn exposures_svg(before: &Inspected, after: &Inspected, theme: Theme) -> Option<String> {
    let mut strip = bare(before, Some(after), View::Side, theme);
    strip.layout = Layout::InPlace;
    strip.width_px = PAGE_PX;
    svg(strip)
}

/// Figures without words, in one view.
fn bare<'a>(first: &'a Inspected, after: Option<&'a Inspected>, view: View, theme: Theme) -> Strip<'a> {
    let subject = |it: &'a Inspected| Subject { name: "", clip: it.clip(), roles: Some(&it.import.roles) };
    let mut strip = Strip::new(subject(first));
    strip.after = after.map(subject);
    strip.views = vec![view];
    strip.layout = Layout::Auto;
    strip.theme = theme;
    strip.bare = true;
    strip.width_px = CARD_PX;
    strip
}

fn svg(strip: Strip<'_>) -> Option<String> {
    strip.draw().ok().map(|picture| picture.svg)
}

/// Puts partners and things of a scene into a picture.
fn furnish<'a>(strip: &mut Strip<'a>, scene: Option<&'a TrackRecord>) {
    let Some(record) = scene else { return };
    let beside = |partner: &'a Partner| Subject {
        clip: partner.take.clip(),
        name: &partner.name,
        roles: Some(partner.take.roles()),
    };
    strip.beside = record.partners.iter().map(beside).collect();
    strip.things = things(record);
}
