//! What a page of a motion is made from.

use aplomb_analysis::{InspectOptions, Inspection};
use aplomb_motion::{Clip, Roles};
use aplomb_physics::Body;
use aplomb_render::Thing;

/// What a report page is made from.
#[derive(Clone, Debug)]
pub struct ReportInput<'a> {
    /// Name of the clip or file, shown as it is; may be anything, it is escaped.
    pub title: &'a str,
    /// The motion.
    pub clip: &'a Clip,
    /// Roles of its joints: sides get their colours.
    pub roles: &'a Roles,
    /// The body whose shapes are drawn.
    pub body: &'a Body,
    /// Who else is there, at the same times.
    pub others: Vec<Other<'a>>,
    /// Things of the scene, by the frames of the clip.
    pub things: Vec<Thing>,
    /// The report.
    pub inspection: &'a Inspection,
    /// Further lines of provenance, (label, value): format, unit and how it was found, program version …
    pub facts: Vec<(String, String)>,
    /// Friction coefficient whose cone is drawn: [`InspectOptions::friction`].
    pub friction: f64,
    /// Whether the file states no rate, so that the one it was read with was assumed.
    pub rate_was_assumed: bool,
    /// Link back to a page beside this one, e.g. `index.html`; anything that is no relative path is left out.
    pub back_href: Option<&'a str>,
}

/// Somebody else of a scene.
#[derive(Clone, Copy, Debug)]
pub struct Other<'a> {
    /// What they do.
    pub clip: &'a Clip,
    /// Their joints: what is a trunk is drawn as one.
    pub roles: &'a Roles,
    /// Their shapes.
    pub body: &'a Body,
    /// Frames of the first one's clip before theirs begins.
    pub lead_frames: usize,
}

impl<'a> ReportInput<'a> {
    /// Without further facts, the usual friction cone, and no link back.
    pub fn new(title: &'a str, clip: &'a Clip, roles: &'a Roles, body: &'a Body, inspection: &'a Inspection) -> Self {
        let friction = InspectOptions::default().friction;
        Self {
            title,
            clip,
            roles,
            body,
            others: Vec::new(),
            things: Vec::new(),
            inspection,
            facts: Vec::new(),
            friction,
            rate_was_assumed: false,
            back_href: None,
        }
    }
}
