//! The vector scene: a list of shapes in pixels, y down, painted in order.

use glam::DVec2;

/// Opaque sRGB.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Colour(pub u8, pub u8, pub u8);

impl Colour {
    /// The colour a fraction `toward_other` of the way to `other`.
    pub fn mix(self, other: Colour, toward_other: f64) -> Colour {
        let t = toward_other.clamp(0.0, 1.0);
        let channel = |from: u8, to: u8| (f64::from(from) * (1.0 - t) + f64::from(to) * t).round() as u8;
        Colour(channel(self.0, other.0), channel(self.1, other.1), channel(self.2, other.2))
    }
}

/// Fill and outline.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Paint {
    pub fill: Option<Colour>,
    pub stroke: Option<(Colour, f64)>,
    pub opacity: f64,
}

impl Paint {
    pub fn fill(colour: Colour) -> Self {
        Self { fill: Some(colour), stroke: None, opacity: 1.0 }
    }

    pub fn line(colour: Colour, width_px: f64) -> Self {
        Self { fill: None, stroke: Some((colour, width_px)), opacity: 1.0 }
    }

    pub fn outlined(self, colour: Colour, width_px: f64) -> Self {
        Self { stroke: Some((colour, width_px)), ..self }
    }

    pub fn opacity(self, opacity: f64) -> Self {
        Self { opacity, ..self }
    }
}

/// Where a text hangs on its point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Anchor {
    Start,
    Middle,
    End,
}

/// A line of text.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Text {
    pub at: DVec2,
    pub size_px: f64,
    pub anchor: Anchor,
    pub colour: Colour,
    /// Slightly heavier: the embedded font has one weight.
    pub strong: bool,
    pub content: String,
}

/// What can be drawn.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Element {
    /// Convex hull of two circles.
    Capsule {
        from: DVec2,
        to: DVec2,
        from_radius: f64,
        to_radius: f64,
        paint: Paint,
    },
    Circle {
        centre: DVec2,
        radius: f64,
        paint: Paint,
    },
    Polygon {
        points: Vec<DVec2>,
        paint: Paint,
    },
    Polyline {
        points: Vec<DVec2>,
        paint: Paint,
    },
    Text(Text),
    Group(Group),
}

/// Elements that belong together, with facts for readers of the SVG.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Group {
    pub class: &'static str,
    /// Written as `data-…` attributes.
    pub data: Vec<(&'static str, String)>,
    pub opacity: f64,
    /// Corners of the rectangle outside which nothing is shown.
    pub clip: Option<(DVec2, DVec2)>,
    pub elements: Vec<Element>,
}

impl Group {
    pub fn new(class: &'static str) -> Self {
        Self { class, data: Vec::new(), opacity: 1.0, clip: None, elements: Vec::new() }
    }

    pub fn with(mut self, key: &'static str, value: impl ToString) -> Self {
        self.data.push((key, value.to_string()));
        self
    }

    pub fn push(&mut self, element: Element) {
        self.elements.push(element);
    }

    pub fn line(&mut self, from: DVec2, to: DVec2, paint: Paint) {
        self.push(Element::Polyline { points: vec![from, to], paint });
    }

    pub fn polyline(&mut self, points: Vec<DVec2>, paint: Paint) {
        if points.len() > 1 {
            self.push(Element::Polyline { points, paint });
        }
    }

    pub fn circle(&mut self, centre: DVec2, radius: f64, paint: Paint) {
        self.push(Element::Circle { centre, radius, paint });
    }

    pub fn rect(&mut self, min: DVec2, max: DVec2, paint: Paint) {
        let points = vec![min, DVec2::new(max.x, min.y), max, DVec2::new(min.x, max.y)];
        self.push(Element::Polygon { points, paint });
    }

    pub fn text(&mut self, at: DVec2, size_px: f64, anchor: Anchor, colour: Colour, content: impl Into<String>) {
        self.push(Element::Text(Text { at, size_px, anchor, colour, strong: false, content: content.into() }));
    }
}

/// The whole picture.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Scene {
    pub width: f64,
    pub height: f64,
    pub background: Colour,
    /// For screen readers and file managers; names come from files.
    pub title: String,
    pub description: String,
    pub elements: Vec<Element>,
}
