//! What a page of a motion is made from.

use aplomb_analysis::{InspectOptions, Inspection};
use aplomb_motion::{Clip, Roles};
use aplomb_physics::Body;
use aplomb_project::edit::Partner;
use aplomb_project::{Inspected, Judgement};
use aplomb_render::Thing;

/// What a report page is made from.
#[derive(Clone, Debug)]
pub(crate) struct ReportInput<'a> {
    /// Name of the clip or file, shown as it is; may be anything, it is escaped.
    pub title: &'a str,
    /// The motion.
    pub clip: &'a Clip,
    /// Roles of its joints: sides get their colours.
    pub roles: &'a Roles,
    /// The body whose shapes are drawn.
    pub body: &'a Body,
    /// Others of the scene, at the same times.
    pub partners: &'a [Partner],
    /// They begin this many frames after the clip.
    pub lead_frames: usize,
    /// Things of the scene, by the frames of the clip.
    pub things: Vec<Thing>,
    /// The report.
    pub inspection: &'a Inspection,
    /// The same as a verdict, in the words of the app.
    pub judgement: Judgement,
    /// Further lines of provenance, (label, value): format, unit and how it was found, program version …
    pub facts: Vec<(String, String)>,
    /// Friction coefficient whose cone is drawn: [`InspectOptions::friction`].
    pub friction: f64,
    /// Whether the file states no rate, so that the one it was read with was assumed.
    pub rate_was_assumed: bool,
    /// Link back to a page beside this one, e.g. `index.html`; anything that is no relative path is left out.
    pub back_href: Option<&'a str>,
}

impl<'a> ReportInput<'a> {
    /// Without further facts, the usual friction cone, and no link back.
    pub fn new(
        title: &'a str,
        (clip, roles, body): (&'a Clip, &'a Roles, &'a Body),
        inspection: &'a Inspection,
        judgement: Judgement,
    ) -> Self {
        let friction = InspectOptions::default().friction;
        Self {
            title,
            clip,
            roles,
            body,
            partners: &[],
            lead_frames: 0,
            things: Vec::new(),
            inspection,
            judgement,
            facts: Vec::new(),
            friction,
            rate_was_assumed: false,
            back_href: None,
        }
    }

    /// Of a clip that was judged.
    pub fn of(title: &'a str, inspected: &'a Inspected, judgement: Judgement) -> Self {
        let body = (inspected.clip(), &inspected.import.roles, &*inspected.body);
        Self::new(title, body, &inspected.inspection, judgement)
    }
}
