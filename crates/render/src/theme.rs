//! Colours. Left and right, before and after are told apart by the blue–orange axis, which all common forms of colour
//! blindness keep (Okabe and Ito, "Color Universal Design", 2008).

use crate::body::Side;
use crate::scene::Colour;

/// Light or dark ground.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Theme {
    /// For print and documents.
    #[default]
    Light,
    /// For dark pages.
    Dark,
}

/// All colours of a picture.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Palette {
    pub background: Colour,
    pub panel: Colour,
    pub grid: Colour,
    pub grid_strong: Colour,
    pub ground: Colour,
    pub text: Colour,
    pub muted: Colour,
    pub left: Colour,
    pub right: Colour,
    pub trunk: Colour,
    pub plain: Colour,
    pub path: Colour,
    pub before: Colour,
    pub after: Colour,
    pub thing: Colour,
}

impl Theme {
    pub(crate) fn palette(self) -> Palette {
        match self {
            Theme::Light => Palette {
                background: Colour(255, 255, 255),
                panel: Colour(247, 248, 250),
                grid: Colour(230, 233, 238),
                grid_strong: Colour(205, 211, 219),
                ground: Colour(92, 100, 112),
                text: Colour(24, 29, 37),
                muted: Colour(92, 101, 115),
                left: Colour(0, 114, 178),
                right: Colour(213, 94, 0),
                trunk: Colour(88, 97, 110),
                plain: Colour(64, 98, 138),
                path: Colour(24, 29, 37),
                before: Colour(226, 132, 16),
                after: Colour(0, 102, 170),
                thing: Colour(196, 178, 146),
            },
            Theme::Dark => Palette {
                background: Colour(17, 20, 26),
                panel: Colour(24, 28, 36),
                grid: Colour(38, 44, 54),
                grid_strong: Colour(58, 66, 79),
                ground: Colour(150, 160, 175),
                text: Colour(236, 239, 244),
                muted: Colour(157, 167, 181),
                left: Colour(86, 180, 233),
                right: Colour(240, 150, 50),
                trunk: Colour(176, 184, 196),
                plain: Colour(140, 180, 220),
                path: Colour(236, 239, 244),
                before: Colour(240, 165, 60),
                after: Colour(86, 180, 233),
                thing: Colour(126, 110, 84),
            },
        }
    }
}

impl Palette {
    /// Colour of a body part by its side.
    pub fn of_side(&self, side: Side) -> Colour {
        match side {
            Side::Left => self.left,
            Side::Right => self.right,
            Side::Middle => self.trunk,
            Side::Unknown => self.plain,
        }
    }
}
