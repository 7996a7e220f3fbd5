//! Pictures of a motion: stroboscopic strips of a capsule figure, seen from the side, from above and from the front.
//!
//! [`Strip`] says what to draw; [`Strip::draw`] gives a [`Picture`]: SVG text, and PNG made from that same text with a
//! font that is part of the program, so the picture is the same on every machine. Names come from untrusted files and
//! are escaped; numbers that are not finite never reach the picture.
//!
//! Kinematics come from `aplomb-motion`; this crate only projects and draws.

mod body;
mod camera;
mod clip_measures;
mod error;
mod figure;
mod ground_view;
mod labels;
mod layout;
mod panel;
mod picture;
mod scene;
mod shots;
mod strip;
mod svg;
mod theme;
mod thing;

#[cfg(test)]
mod tests;

pub use camera::View;
pub use error::RenderError;
pub use layout::Layout;
pub use picture::Picture;
pub use shots::{FrameSelection, MAX_FIGURES};
pub use strip::{Strip, Subject};
pub use theme::Theme;
pub use thing::{Thing, ThingForm};
