//! The scene as SVG text. Hand-written because the subset is tiny and every byte of it must be deterministic and
//! escaped.

use crate::scene::{Anchor, Colour, Element, Group, Paint, Scene, Text};
use glam::DVec2;
use std::fmt::Write;

/// Families a browser may use; the rasteriser knows only the first.
pub(crate) const FONT_FAMILIES: &str = "Ubuntu, 'Segoe UI', 'Helvetica Neue', Arial, sans-serif";

/// Writes the scene.
pub(crate) fn write(scene: &Scene) -> String {
    let mut out = String::with_capacity(64 * 1024);
    let (width, height) = (number(scene.width), number(scene.height));
    // Writing to a String cannot fail, so the results of `write!` are dropped throughout.
    let _ = write!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
         font-family=\"{FONT_FAMILIES}\" stroke-linejoin=\"round\" stroke-linecap=\"round\" role=\"img\">\n\
         <title>{}</title>\n<desc>{}</desc>\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"{}\"/>\n",
        escape(&scene.title),
        escape(&scene.description),
        hex(scene.background),
    );
    for element in &scene.elements {
        write_element(&mut out, element);
    }
    out.push_str("</svg>\n");
    out
}

fn write_element(out: &mut String, element: &Element) {
    match element {
        Element::Capsule { from, to, from_radius, to_radius, paint } => {
            write_capsule(out, (*from, *from_radius), (*to, *to_radius), paint);
        }
        Element::Circle { centre, radius, paint } => write_circle(out, *centre, *radius, paint),
        Element::Polygon { points, paint } => {
            out.push_str("<path d=\"");
            write_points(out, points);
            let _ = writeln!(out, "Z\"{}/>", attributes(paint));
        }
        Element::Polyline { points, paint } => {
            out.push_str("<path d=\"");
            write_points(out, points);
            let _ = writeln!(out, "\"{}/>", attributes(paint));
        }
        Element::Text(text) => write_text(out, text),
        Element::Group(group) => write_group(out, group),
    }
}

fn write_group(out: &mut String, group: &Group) {
    let _ = write!(out, "<g class=\"{}\"", group.class);
    for (key, value) in &group.data {
        let _ = write!(out, " data-{key}=\"{}\"", escape(value));
    }
    if group.opacity < 1.0 {
        let _ = write!(out, " opacity=\"{}\"", number(group.opacity));
    }
    out.push_str(">\n");
    if let Some((min, max)) = group.clip {
        // A nested viewport clips without an id: ids of several pictures in one page would meet.
        let (x, y, size) = (number(min.x), number(min.y), max - min);
        let (width, height) = (number(size.x), number(size.y));
        let _ = writeln!(
            out,
            "<svg x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" viewBox=\"{x} {y} {width} {height}\">"
        );
    }
    for element in &group.elements {
        write_element(out, element);
    }
    if group.clip.is_some() {
        out.push_str("</svg>\n");
    }
    out.push_str("</g>\n");
}

/// The outline of two circles and their outer tangents.
///
/// With d the distance of the centres and n⃗ at angle φ off the axis, cos φ = (r_from − r_to)/d, the tangent points are
/// centre + r·n⃗ on either side. If one circle holds the other there is no tangent, and the larger circle is the
/// outline.
fn write_capsule(out: &mut String, from: (DVec2, f64), to: (DVec2, f64), paint: &Paint) {
    let ((a, ra), (b, rb)) = (from, to);
    let axis = b - a;
    let distance = axis.length();
    if distance <= (ra - rb).abs() + 1e-9 {
        let (centre, radius) = if ra >= rb { (a, ra) } else { (b, rb) };
        return write_circle(out, centre, radius, paint);
    }
    let cos = (ra - rb) / distance;
    let sin = (1.0 - cos * cos).max(0.0).sqrt();
    let along = axis / distance;
    let normal = |sign: f64| along * cos + along.perp() * (sin * sign);
    let (up, down) = (normal(1.0), normal(-1.0));
    // The arc about the larger circle is the long way round.
    let (large_b, large_a) = (i32::from(rb > ra), i32::from(ra > rb));
    let _ = writeln!(
        out,
        "<path d=\"M{}L{}A{rb} {rb} 0 {large_b} 0 {}L{}A{ra} {ra} 0 {large_a} 0 {}Z\"{}/>",
        point(a + up * ra),
        point(b + up * rb),
        point(b + down * rb),
        point(a + down * ra),
        point(a + up * ra),
        attributes(paint),
        ra = number(ra),
        rb = number(rb),
    );
}

fn write_circle(out: &mut String, centre: DVec2, radius: f64, paint: &Paint) {
    let (x, y) = (number(centre.x), number(centre.y));
    let _ = writeln!(out, "<circle cx=\"{x}\" cy=\"{y}\" r=\"{}\"{}/>", number(radius), attributes(paint));
}

fn write_text(out: &mut String, text: &Text) {
    let anchor = match text.anchor {
        Anchor::Start => "start",
        Anchor::Middle => "middle",
        Anchor::End => "end",
    };
    let colour = hex(text.colour);
    let weight = if text.strong {
        format!(" stroke=\"{colour}\" stroke-width=\"{}\"", number(text.size_px * 0.03))
    } else {
        String::new()
    };
    let _ = writeln!(
        out,
        "<text x=\"{}\" y=\"{}\" font-size=\"{}\" text-anchor=\"{anchor}\" fill=\"{colour}\"{weight}>{}</text>",
        number(text.at.x),
        number(text.at.y),
        number(text.size_px),
        escape(&text.content),
    );
}

fn write_points(out: &mut String, points: &[DVec2]) {
    for (index, &p) in points.iter().enumerate() {
        out.push(if index == 0 { 'M' } else { 'L' });
        out.push_str(&point(p));
    }
}

fn attributes(paint: &Paint) -> String {
    let mut out = String::new();
    match paint.fill {
        Some(colour) => {
            let _ = write!(out, " fill=\"{}\"", hex(colour));
        }
        None => out.push_str(" fill=\"none\""),
    }
    if let Some((colour, width)) = paint.stroke {
        let _ = write!(out, " stroke=\"{}\" stroke-width=\"{}\"", hex(colour), number(width));
    }
    if paint.opacity < 1.0 {
        let _ = write!(out, " opacity=\"{}\"", number(paint.opacity));
    }
    out
}

fn hex(Colour(red, green, blue): Colour) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}

fn point(p: DVec2) -> String {
    format!("{} {}", number(p.x), number(p.y))
}

/// Two decimals are a hundredth of a pixel. Extents were checked before drawing; if a number were not finite all the
/// same, it must not reach the file.
fn number(value: f64) -> String {
    let value = if value.is_finite() { value } else { 0.0 };
    let text = format!("{value:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

/// Escapes markup and replaces what XML 1.0 cannot hold, as well as the marks that would turn the rest of a line
/// around.
pub(crate) fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\t' | '\n' | '\r' => out.push(' '),
            '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            c if c.is_control() => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short_and_finite() {
        assert_eq!(number(-0.001), "0");
        assert_eq!(number(12.5), "12.5");
        assert_eq!(number(f64::NAN), "0");
        assert_eq!(number(f64::INFINITY), "0");
    }

    #[test]
    fn names_cannot_leave_their_place() {
        assert_eq!(escape("</title><script>&\"'"), "&lt;/title&gt;&lt;script&gt;&amp;&quot;&#39;");
        assert_eq!(escape("a\u{0}b\u{202e}c\nd"), "a\u{fffd}b\u{fffd}c d");
    }

    #[test]
    fn a_circle_inside_the_other_is_drawn_as_the_larger() {
        let mut out = String::new();
        let paint = Paint::fill(Colour(0, 0, 0));
        write_capsule(&mut out, (DVec2::ZERO, 5.0), (DVec2::new(1.0, 0.0), 2.0), &paint);
        assert!(out.starts_with("<circle cx=\"0\" cy=\"0\" r=\"5\""), "{out}");
        let mut equal = String::new();
        write_capsule(&mut equal, (DVec2::ZERO, 2.0), (DVec2::new(10.0, 0.0), 2.0), &paint);
        assert!(equal.starts_with("<path d=\"M0 2L10 2A2 2 0 0 0 10 -2L0 -2A2 2 0 0 0 0 2Z\""), "{equal}");
    }
}
