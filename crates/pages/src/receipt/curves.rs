//! What dynamics made of a motion (a driven body, an adaptation): facts, curves over time and a picture of its figures. Drawn here, so that it
//! needs no script.

use crate::escape::html;
use crate::units::number;
use std::fmt::Write;

/// What it is about, told.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CurveChange {
    /// In a few words each.
    pub facts: Vec<String>,
    /// Curves.
    pub plots: Vec<CurvePlot>,
    /// Both motions as figures where they are, like exposures of one plate.
    pub exposures: Option<Exposures>,
}

/// Figures of a motion in one picture.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Exposures {
    /// What is drawn.
    pub title: String,
    /// As SVG text, for light pages.
    pub light_svg: String,
    /// And for dark ones; the other is shown there, too, where there is none.
    pub dark_svg: Option<String>,
}

/// Curves over time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CurvePlot {
    /// What is drawn.
    pub title: String,
    /// Of what, in which unit.
    pub subtitle: String,
    /// Name and points (s, value): the first is dashed, the second strong, a third faint.
    pub curves: Vec<(String, Vec<[f64; 2]>)>,
    /// Moments with a line and a word.
    pub marks: Vec<(f64, String)>,
}

/// Size of every drawing of a receipt.
pub(super) const WIDTH: f64 = 640.0;
pub(super) const PLOT_HEIGHT: f64 = 236.0;
const CURVE_MARGIN: f64 = 38.0;
/// Points of a curve; more than this are thinned.
const MOST_CURVE_POINTS: usize = 1500;
const MOST_FACTS: usize = 40;
const MOST_MARKS: usize = 12;
const CLASSES: [&str; 3] = ["was", "is", "free"];

/// The picture over the whole width, then one card a plot, the facts on the first.
pub(super) fn section(told: &CurveChange) -> String {
    let mut out = told.exposures.as_ref().map(picture).unwrap_or_default();
    let plots = told.plots.iter().filter(|plot| plot.curves.iter().any(|(_, points)| points.len() > 1));
    for (index, plot) in plots.enumerate() {
        let _ = write!(
            out,
            "    <section class=\"card path-card track-card\" aria-label=\"{0}\"><h2>{0} <small>{1}</small></h2><figure>{2}{3}</figure>",
            html(&plot.title),
            html(&plot.subtitle),
            drawing(plot),
            legend(plot)
        );
        if index == 0 {
            for fact in told.facts.iter().take(MOST_FACTS) {
                let _ = write!(out, "<p class=\"facts-line\">{}</p>", html(fact));
            }
        }
        out.push_str("</section>\n");
    }
    out
}

/// As an image: what is inside cannot run, and its styles and ids stay its own.
fn picture(exposures: &Exposures) -> String {
    let title = html(&exposures.title);
    let image = |class: &str, svg: &str| {
        let bytes = crate::pack::bytes(svg.as_bytes());
        format!("<img{class} loading=\"lazy\" alt=\"{title}\" src=\"data:image/svg+xml;base64,{bytes}\">")
    };
    let images = match &exposures.dark_svg {
        Some(dark) => image(" class=\"for-light\"", &exposures.light_svg) + &image(" class=\"for-dark\"", dark),
        None => image("", &exposures.light_svg),
    };
    format!(
        "    <section class=\"card path-card exposures-card\" aria-label=\"{title}\"><h2>{title}</h2><figure>{images}</figure></section>\n"
    )
}

fn legend(plot: &CurvePlot) -> String {
    let mut out = String::from("<figcaption class=\"path-legend\">");
    for ((name, _), class) in plot.curves.iter().zip(["was-line", "", "free-line"]) {
        let _ = write!(out, "<i class=\"{class}\"></i>{} ", html(name));
    }
    out.push_str("</figcaption>");
    out
}

fn drawing(plot: &CurvePlot) -> String {
    let finite = |points: &[[f64; 2]]| -> Vec<[f64; 2]> {
        let every = points.len().div_ceil(MOST_CURVE_POINTS).max(1);
        points.iter().step_by(every).filter(|point| point.iter().all(|part| part.is_finite())).copied().collect()
    };
    let curves: Vec<Vec<[f64; 2]>> = plot.curves.iter().take(3).map(|(_, points)| finite(points)).collect();
    let all = || curves.iter().flatten();
    let ends = |part: usize| {
        let low = all().map(|point| point[part]).fold(f64::INFINITY, f64::min);
        (low, all().map(|point| point[part]).fold(f64::NEG_INFINITY, f64::max))
    };
    let ((first, last), (low, high)) = (ends(0), ends(1));
    if !(first < last && low.is_finite()) {
        return String::new();
    }
    let step = nice_step((high - low).max(1e-6) / 4.0);
    let (bottom, top) = ((low / step).floor() * step, (high / step).ceil() * step);
    let x = |value: f64| CURVE_MARGIN + (value - first) / (last - first) * (WIDTH - 1.5 * CURVE_MARGIN);
    let y = |value: f64| PLOT_HEIGHT - 30.0 - (value - bottom) / (top - bottom).max(1e-9) * (PLOT_HEIGHT - 52.0);
    let mut svg =
        format!("<svg viewBox=\"0 0 {WIDTH} {PLOT_HEIGHT}\" role=\"img\" aria-label=\"{}\">", html(&plot.title));
    let places = if step < 0.1 { 2 } else { usize::from(step < 1.0) };
    let lines = ((top - bottom) / step).round().min(12.0) as usize;
    for index in 0..=lines {
        let value = bottom + index as f64 * step;
        let _ = write!(
            svg,
            "<line class=\"axis\" x1=\"{CURVE_MARGIN}\" y1=\"{0:.1}\" x2=\"{1}\" y2=\"{0:.1}\"/><text x=\"2\" y=\"{2:.1}\">{3}</text>",
            y(value),
            WIDTH - 0.5 * CURVE_MARGIN,
            y(value) + 4.0,
            html(&number(value, places))
        );
    }
    for (secs, word) in plot.marks.iter().filter(|mark| (first..=last).contains(&mark.0)).take(MOST_MARKS) {
        let _ = write!(
            svg,
            "<line class=\"at-handle\" x1=\"{0:.1}\" y1=\"18\" x2=\"{0:.1}\" y2=\"{1:.1}\"/><text x=\"{2:.1}\" y=\"13\">{3}</text>",
            x(*secs),
            y(bottom),
            x(*secs) - 6.0,
            html(word)
        );
    }
    for (points, class) in curves.iter().zip(CLASSES) {
        let line: Vec<String> =
            points.iter().map(|[secs, value]| format!("{:.1},{:.1}", x(*secs), y(*value))).collect();
        let _ = write!(svg, "<polyline class=\"{class}\" points=\"{}\"/>", line.join(" "));
    }
    let _ = write!(
        svg,
        "<text x=\"{CURVE_MARGIN}\" y=\"{0}\">{1} s</text><text x=\"{2:.0}\" y=\"{0}\" text-anchor=\"end\">{3} s</text></svg>",
        PLOT_HEIGHT - 10.0,
        html(&number(first, 2)),
        WIDTH - 0.5 * CURVE_MARGIN,
        html(&number(last, 2)),
    );
    svg
}

fn nice_step(least: f64) -> f64 {
    let ten = 10f64.powf(least.log10().floor());
    [1.0, 2.0, 5.0, 10.0].into_iter().map(|part| part * ten).find(|step| *step >= least * 0.999).unwrap_or(10.0 * ten)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn curves_are_drawn_and_names_escaped() {
        let points = |by: f64| (0..50).map(|at| [at as f64 * 0.1, (at as f64 * 0.2).sin() + by]).collect();
        let plot = CurvePlot {
            title: "<hand>".to_owned(),
            curves: vec![("a".to_owned(), points(0.0)), ("b".to_owned(), points(0.1))],
            marks: vec![(2.0, "<hit>".to_owned()), (99.0, "late".to_owned())],
            ..CurvePlot::default()
        };
        let out = section(&CurveChange { facts: vec!["<fact>".to_owned()], plots: vec![plot], exposures: None });
        assert!(out.contains("&lt;hand&gt;") && out.contains("&lt;hit&gt;") && out.contains("&lt;fact&gt;"), "{out}");
        assert!(!out.contains("late") && out.matches("<polyline").count() == 2);
    }

    #[test]
    fn exposures_are_images_in_both_themes_and_cannot_run() {
        let svg = "<svg><script>alert(1)</script></svg>".to_owned();
        let exposures = Exposures { title: "<jump>".to_owned(), light_svg: svg.clone(), dark_svg: Some(svg) };
        let out = section(&CurveChange { exposures: Some(exposures), ..CurveChange::default() });
        assert!(out.contains("&lt;jump&gt;") && !out.contains("<script") && !out.contains("<svg"), "{out}");
        assert_eq!(out.matches("<img").count(), 2);
    }

    #[test]
    fn nothing_that_is_no_number_is_drawn() {
        let plot = CurvePlot {
            curves: vec![("a".to_owned(), vec![[0.0, f64::NAN], [f64::INFINITY, 1.0]])],
            ..CurvePlot::default()
        };
        let out = section(&CurveChange { plots: vec![plot], ..CurveChange::default() });
        assert!(!out.contains("NaN") && !out.contains("inf"), "{out}");
    }
}
