//! Curves on the ground that people drew: a table of points (CSV), or a path of an SVG.
//!
//! Seen from above with +X to the right, +Z points down the page, as y does in an SVG: both kinds of file mean (x, z).

use kurbo::{Affine, BezPath, ParamCurve, ParamCurveArclen, PathSeg, Point};
use roxmltree::{Document, Node, ParsingOptions};
use std::str::FromStr;
use svgtypes::{SimplePathSegment, SimplifyingPathParser, Transform};

/// More points than a person draws; beyond it a file is something else.
const MOST_POINTS: usize = 100_000;
/// Parts of a drawing.
const MOST_NODES: u32 = 1_000_000;
/// Each piece of a drawn path is taken at so many points: a spline through them leaves the drawing by less than a
/// thousandth of the piece.
const POINTS_A_PIECE: usize = 24;
/// Lengths along pieces are exact to this share of the piece.
const ARCLENGTH_ACCURACY: f64 = 1e-6;

/// Points (x, z) of a table: two columns of numbers, or columns named `x` and `z` among others. Lines that begin with
/// `#` are comments. Where people write decimal commas, semicolons separate.
pub(super) fn csv_points(text: &str) -> Result<Vec<[f64; 2]>, String> {
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .comment(Some(b'#'))
        .delimiter(delimiter(text))
        .trim(csv::Trim::All)
        .from_reader(text.as_bytes());
    let mut columns: Option<[usize; 2]> = None;
    let mut points = Vec::new();
    for record in reader.records() {
        let record = record.map_err(|error| error.to_string())?;
        let line = record.position().map_or(0, csv::Position::line);
        let is_number = |field: &str| value(field).is_some();
        let Some([x, z]) = columns else {
            columns = Some(match record.iter().any(is_number) {
                true if record.len() == 2 => [0, 1],
                true => {
                    return Err(format!(
                        "line {line}: expected two numbers, x and z in metres, or a first line that names columns x and z, \
                         found {} columns",
                        record.len()
                    ));
                }
                false => named_columns(&record, line)?,
            });
            if record.iter().any(is_number) {
                points.push(point(&record, [0, 1], line)?);
            }
            continue;
        };
        points.push(point(&record, [x, z], line)?);
        if points.len() > MOST_POINTS {
            return Err(format!("line {line}: more than {MOST_POINTS} points"));
        }
    }
    Ok(points)
}

/// Semicolons, tabs or commas, as the first line of the table has them.
fn delimiter(text: &str) -> u8 {
    let first = text.lines().find(|line| !line.trim().is_empty() && !line.starts_with('#')).unwrap_or("");
    [b';', b'\t'].into_iter().find(|&letter| first.as_bytes().contains(&letter)).unwrap_or(b',')
}

/// A number, with a decimal point or, where another sign separates columns, a comma.
fn value(field: &str) -> Option<f64> {
    field.parse().or_else(|_| field.replacen(',', ".", 1).parse()).ok()
}

fn named_columns(record: &csv::StringRecord, line: u64) -> Result<[usize; 2], String> {
    let column = |name: &str| {
        let is_named =
            |field: &str| field.eq_ignore_ascii_case(name) || field.eq_ignore_ascii_case(&format!("{name}_m"));
        record.iter().position(is_named).ok_or_else(|| {
            let found: Vec<&str> = record.iter().take(8).collect();
            format!("line {line}: expected columns named x and z (metres), found {}", found.join(", "))
        })
    };
    Ok([column("x")?, column("z")?])
}

fn point(record: &csv::StringRecord, columns: [usize; 2], line: u64) -> Result<[f64; 2], String> {
    let number = |column: usize| {
        let field = record
            .get(column)
            .ok_or_else(|| format!("line {line}: expected at least {} columns, found {}", column + 1, record.len()))?;
        match value(field) {
            Some(value) if value.is_finite() => Ok(value),
            _ => Err(format!("line {line}: expected a number of metres, found {field:?}")),
        }
    };
    Ok([number(columns[0])?, number(columns[1])?])
}

/// Points along the path of an SVG document: its only one, or the one with the id `path`. Transforms count, the view
/// box does not: numbers are those of the drawing.
pub(super) fn svg_points(text: &str) -> Result<Vec<[f64; 2]>, String> {
    // Older drawing programs write a DOCTYPE; entities that unfold without end are refused by the parser.
    let options = ParsingOptions { allow_dtd: true, nodes_limit: MOST_NODES, ..ParsingOptions::default() };
    let document = Document::parse_with_options(text, options)
        .map_err(|error| format!("expected an SVG drawing, found: {error}"))?;
    let paths: Vec<Node<'_, '_>> =
        document.descendants().filter(|node| node.has_tag_name((SVG, "path")) || node.has_tag_name("path")).collect();
    let path = match paths[..] {
        [] => return Err("expected a drawing with a path, found none; turn shapes into paths before saving".to_owned()),
        [only] => only,
        _ => *paths.iter().find(|node| node.attribute("id") == Some("path")).ok_or_else(|| {
            format!(
                "expected one path, found {}; give the one to follow the id \"path\", or delete the others",
                paths.len()
            )
        })?,
    };
    let line = |node: Node<'_, '_>| document.text_pos_at(node.range().start).row;
    let data = path.attribute("d").ok_or_else(|| format!("line {}: this path has no d", line(path)))?;
    let mut transform = Affine::IDENTITY;
    for node in path.ancestors().filter(Node::is_element) {
        if let Some(words) = node.attribute("transform") {
            let Transform { a, b, c, d, e, f } = Transform::from_str(words)
                .map_err(|error| format!("line {}: its transform {words:?}: {error}", line(node)))?;
            transform = Affine::new([a, b, c, d, e, f]) * transform;
        }
    }
    path_points(data, transform).map_err(|problem| format!("line {}: {problem}", line(path)))
}

const SVG: &str = "http://www.w3.org/2000/svg";

/// Points along the words of an SVG path, `M 0 0 C …`.
pub(super) fn svg_path_points(data: &str) -> Result<Vec<[f64; 2]>, String> {
    path_points(data, Affine::IDENTITY)
}

fn path_points(data: &str, transform: Affine) -> Result<Vec<[f64; 2]>, String> {
    let path = transform * one_line(data)?;
    let mut points: Vec<Point> = Vec::new();
    // A piece without length has no places along it.
    for piece in path.segments().filter(|piece| piece.arclen(ARCLENGTH_ACCURACY) != 0.0) {
        points.extend(Some(piece.start()).filter(|_| points.is_empty()));
        points.extend(evenly(piece));
        if points.len() > MOST_POINTS {
            return Err(format!("a path of more than {} pieces", MOST_POINTS / POINTS_A_PIECE));
        }
    }
    let goes_nowhere = points.iter().all(|point| *point == points[0]);
    match points.iter().find(|point| !point.is_finite()) {
        None if goes_nowhere => Err("expected a line, found a path that goes nowhere".to_owned()),
        Some(_) => Err("a path with numbers that are too large".to_owned()),
        None => Ok(points.iter().map(|point| [point.x, point.y]).collect()),
    }
}

/// One pen stroke.
fn one_line(data: &str) -> Result<BezPath, String> {
    let mut path = BezPath::new();
    for segment in SimplifyingPathParser::from(data) {
        match segment.map_err(|error| format!("expected the words of an SVG path: {error}"))? {
            SimplePathSegment::MoveTo { x, y } if path.elements().is_empty() => path.move_to((x, y)),
            SimplePathSegment::MoveTo { .. } => {
                return Err("expected one line, found a path that lifts the pen; delete the other parts".to_owned());
            }
            SimplePathSegment::LineTo { x, y } => path.line_to((x, y)),
            SimplePathSegment::Quadratic { x1, y1, x, y } => path.quad_to((x1, y1), (x, y)),
            SimplePathSegment::CurveTo { x1, y1, x2, y2, x, y } => path.curve_to((x1, y1), (x2, y2), (x, y)),
            SimplePathSegment::ClosePath => {
                path.close_path();
                // Whatever comes after it is another line.
            }
        }
    }
    if path.elements().len() < 2 {
        return Err("expected a line, found a path that goes nowhere".to_owned());
    }
    Ok(path)
}

/// The rest of a piece after its start, evenly by length.
fn evenly(piece: PathSeg) -> impl Iterator<Item = Point> {
    let length = piece.arclen(ARCLENGTH_ACCURACY);
    let accuracy = ARCLENGTH_ACCURACY * length.max(1e-12);
    (1..=POINTS_A_PIECE).map(move |index| match index {
        POINTS_A_PIECE => piece.end(),
        _ => piece.eval(piece.inv_arclen(length * index as f64 / POINTS_A_PIECE as f64, accuracy)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_have_two_columns_or_names() {
        assert_eq!(csv_points("0,0\n1, 2\n# end\n"), Ok(vec![[0.0, 0.0], [1.0, 2.0]]));
        assert_eq!(csv_points("time,z,x_m\n0,5,4\n"), Ok(vec![[4.0, 5.0]]));
        assert_eq!(csv_points("x;z\n0,5;1\n-1;2,25\n"), Ok(vec![[0.5, 1.0], [-1.0, 2.25]]));
        assert_eq!(csv_points("0\t1\n2\t3\n"), Ok(vec![[0.0, 1.0], [2.0, 3.0]]));
        let problem = |text: &str| csv_points(text).unwrap_err();
        assert!(problem("x,z\n0,0\n1,oops\n").contains("line 3") && problem("x,z\n0,0\n1,oops\n").contains("oops"));
        assert!(problem("x,y\n0,0\n").contains("line 1"));
        assert!(problem("1,2,3\n").contains("two numbers"));
        assert!(problem("x,z\n1\n").contains("line 2"));
        assert!(problem("0,nan\n0,0").contains("line 1"));
    }

    #[test]
    fn drawings_are_followed_with_their_transforms() {
        let svg = "<svg xmlns='http://www.w3.org/2000/svg'><g transform='translate(1 0)'>\
                   <path transform='scale(2)' d='M0 0 L1 0 Q 2 0 2 1'/></g></svg>";
        let points = svg_points(svg).unwrap();
        assert_eq!((points[0], points[points.len() - 1]), ([1.0, 0.0], [5.0, 2.0]));
        let steps: Vec<f64> =
            points[24..].windows(2).map(|pair| (pair[1][0] - pair[0][0]).hypot(pair[1][1] - pair[0][1])).collect();
        assert!(steps.iter().all(|step| (step / steps[0] - 1.0).abs() < 0.01), "{steps:?}");
    }

    #[test]
    fn drawings_that_cannot_be_followed_are_named() {
        let problem = |text: &str| svg_points(text).unwrap_err();
        assert!(problem("not xml").contains("SVG"));
        assert!(problem("<svg/>").contains("found none"));
        assert!(problem("<svg>\n<path d='M0 0 L1'/></svg>").contains("line 2"));
        assert!(problem("<svg><path d='M0 0L1 1'/><path d='M0 0L1 1'/></svg>").contains("id \"path\""));
        assert!(problem("<svg><path d='M0 0L1 1M2 2L3 3'/></svg>").contains("pen"));
        assert!(problem("<svg><path transform='bend(1)' d='M0 0L1 1'/></svg>").contains("bend"));
        for bad in ["", "M", "M 0 0", "L 1 1", "0 0 1 1", "M0 0 L1e999 0"] {
            assert!(svg_path_points(bad).is_err(), "{bad}");
        }
        assert!(svg_path_points("M 0 0 L 0 0").unwrap_err().contains("goes nowhere"));
        assert_eq!(svg_path_points("M 0 0 L 0 0 L 1 0").unwrap().len(), 1 + POINTS_A_PIECE);
    }
}
