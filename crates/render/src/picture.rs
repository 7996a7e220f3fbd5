//! The finished picture, and its pixels.

use crate::error::RenderError;
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg;
use std::sync::{Arc, OnceLock};

/// Longest edge of a PNG; 16 k × 16 k pixels are one gigabyte while drawing.
const MAX_PNG_EDGE_PX: f64 = 16_384.0;

/// Most pixels of a PNG (400 MB while drawing).
const MAX_PNG_PIXELS: f64 = 1e8;

/// A drawn motion.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture {
    /// The picture as SVG text.
    pub svg: String,
    /// Width in pixels at scale 1.
    pub width: u32,
    /// Height in pixels at scale 1.
    pub height: u32,
    /// Number of figures drawn in each view (overlaid clips count once a moment).
    pub figures: usize,
    /// Pixels a metre, the same in all views.
    pub px_per_metre: f64,
    /// What was chosen or left out, in sentences; also written below the picture.
    pub notes: Vec<String>,
}

impl Picture {
    /// The same SVG as PNG bytes, `scale` pixels for each pixel of the SVG.
    pub fn to_png(&self, scale: f64) -> Result<Vec<u8>, RenderError> {
        let (width, height) = (f64::from(self.width) * scale, f64::from(self.height) * scale);
        let fits = scale.is_finite()
            && scale > 0.0
            && width.max(height) <= MAX_PNG_EDGE_PX
            && width.min(height) >= 1.0
            && width * height <= MAX_PNG_PIXELS;
        if !fits {
            let (w, h) = (f64::from(self.width), f64::from(self.height));
            let most = (MAX_PNG_EDGE_PX / w.max(h)).min((MAX_PNG_PIXELS / (w * h)).sqrt());
            return Err(RenderError::Size { what: "the PNG scale", least: 1.0 / w.min(h), most, found: scale });
        }
        let options = usvg::Options { fontdb: fonts(), font_family: "Ubuntu".to_owned(), ..Default::default() };
        let refused = |reason: String| RenderError::Png { reason };
        let tree = usvg::Tree::from_str(&self.svg, &options).map_err(|error| refused(error.to_string()))?;
        let mut pixels = Pixmap::new(width.round() as u32, height.round() as u32)
            .ok_or_else(|| refused("no memory for the pixels".to_owned()))?;
        resvg::render(&tree, Transform::from_scale(scale as f32, scale as f32), &mut pixels.as_mut());
        pixels.encode_png().map_err(|error| refused(error.to_string()))
    }
}

/// Only the embedded fonts: text must not depend on what a machine has installed.
pub(crate) fn fonts() -> Arc<usvg::fontdb::Database> {
    static FONTS: OnceLock<Arc<usvg::fontdb::Database>> = OnceLock::new();
    let load = || {
        let mut database = usvg::fontdb::Database::new();
        database.load_font_data(epaint_default_fonts::UBUNTU_LIGHT.to_vec());
        // Fallbacks for arrows and symbols in names.
        database.load_font_data(epaint_default_fonts::HACK_REGULAR.to_vec());
        database.load_font_data(epaint_default_fonts::NOTO_EMOJI_REGULAR.to_vec());
        database.set_sans_serif_family("Ubuntu");
        Arc::new(database)
    };
    FONTS.get_or_init(load).clone()
}
