//! Curves over time, with the facts beside them and a picture of the figures. Drawn here, so that it needs no script.

use crate::escape::html;
use crate::units::number;
use aplomb_project::edit::CurveFigure;
use std::fmt::Write;

/// Figures of two motions in one picture, each where it is.
pub(super) struct Exposures {
    /// What is drawn.
    pub title: &'static str,
    /// As SVG text, for light pages.
    pub light_svg: String,
    /// And for dark ones, which show the other where there is none.
    pub dark_svg: Option<String>,
}

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 236.0;
const CURVES_MARGIN: f64 = 38.0;
/// Points of a curve; more than this are thinned.
const MOST_PLOTTED_POINTS: usize = 1500;
const MOST_FACTS: usize = 40;
const MOST_MARKS: usize = 12;
const CLASSES: [&str; 3] = ["was", "is", "free"];

/// The picture over the whole width, then one card a plot, the facts on the first.
pub(super) fn section(facts: &[String], figures: &[CurveFigure], exposures: Option<&Exposures>) -> String {
    let mut out = exposures.map(picture).unwrap_or_default();
    let plots = figures.iter().filter(|plot| plot.curves.iter().any(|(_, points)| points.len() > 1));
    for (index, plot) in plots.enumerate() {
        let _ = write!(
            out,
            "    <section class=\"card path-card track-card\" aria-label=\"{0}\"><h2>{0} <small>{1}</small></h2>\
             <figure>{2}{3}</figure>",
            html(&plot.title),
            html(&plot.subtitle),
            drawing(plot),
            legend(plot)
        );
        for fact in facts.iter().take(MOST_FACTS).filter(|_| index == 0) {
            let _ = write!(out, "<p class=\"facts-line\">{}</p>", html(fact));
        }
        out.push_str("</section>\n");
    }
    out
}

/// As an image: what is inside cannot run, and its styles and ids stay its own.
fn picture(exposures: &Exposures) -> String {
    let title = html(exposures.title);
    let image = |class: &str, svg: &str| {
        let bytes = crate::pack::bytes(svg.as_bytes());
        format!("<img{class} loading=\"lazy\" alt=\"{title}\" src=\"data:image/svg+xml;base64,{bytes}\">")
    };
    let images = match &exposures.dark_svg {
        Some(dark) => image(" class=\"for-light\"", &exposures.light_svg) + &image(" class=\"for-dark\"", dark),
        None => image("", &exposures.light_svg),
    };
    format!(
        "    <section class=\"card path-card exposures-card\" aria-label=\"{title}\"><h2>{title}</h2>\
         <figure>{images}</figure></section>\n"
    )
}

fn legend(plot: &CurveFigure) -> String {
    let mut out = String::from("<figcaption class=\"path-legend\">");
    for ((name, _), class) in plot.curves.iter().zip(["was-line", "", "free-line"]) {
        let _ = write!(out, "<i class=\"{class}\"></i>{} ", html(name));
    }
    out.push_str("</figcaption>");
    out
}

/// Where values are in a drawing.
struct Scale {
    secs: [f64; 2],
    /// Lowest and highest line, and how far lines are apart.
    values: [f64; 2],
    step: f64,
}

impl Scale {
    /// `None` where there is nothing to draw.
    fn of(curves: &[Vec<[f64; 2]>]) -> Option<Self> {
        let ends = |part: usize| {
            let all = || curves.iter().flatten().map(|point| point[part]);
            [all().fold(f64::INFINITY, f64::min), all().fold(f64::NEG_INFINITY, f64::max)]
        };
        let (secs, [low, high]) = (ends(0), ends(1));
        let step = nice_step((high - low).max(1e-6) / 4.0);
        let values = [(low / step).floor() * step, (high / step).ceil() * step];
        (secs[0] < secs[1] && low.is_finite()).then_some(Self { secs, values, step })
    }

    fn x(&self, secs: f64) -> f64 {
        CURVES_MARGIN + (secs - self.secs[0]) / (self.secs[1] - self.secs[0]) * (WIDTH - 1.5 * CURVES_MARGIN)
    }

    fn y(&self, value: f64) -> f64 {
        let [bottom, top] = self.values;
        HEIGHT - 30.0 - (value - bottom) / (top - bottom).max(1e-9) * (HEIGHT - 52.0)
    }

    fn write_lines(&self, svg: &mut String) {
        let ([bottom, top], step) = (self.values, self.step);
        let places = if step < 0.1 { 2 } else { usize::from(step < 1.0) };
        let lines = ((top - bottom) / step).round().min(12.0) as usize;
        for index in 0..=lines {
            let value = bottom + index as f64 * step;
            let _ = write!(
                svg,
                "<line class=\"axis\" x1=\"{CURVES_MARGIN}\" y1=\"{0:.1}\" x2=\"{1}\" y2=\"{0:.1}\"/>\
                 <text x=\"2\" y=\"{2:.1}\">{3}</text>",
                self.y(value),
                WIDTH - 0.5 * CURVES_MARGIN,
                self.y(value) + 4.0,
                html(&number(value, places))
            );
        }
    }
}

fn drawing(plot: &CurveFigure) -> String {
    let finite = |points: &[[f64; 2]]| -> Vec<[f64; 2]> {
        let every = points.len().div_ceil(MOST_PLOTTED_POINTS).max(1);
        points.iter().step_by(every).filter(|point| point.iter().all(|part| part.is_finite())).copied().collect()
    };
    let curves: Vec<Vec<[f64; 2]>> = plot.curves.iter().take(CLASSES.len()).map(|(_, points)| finite(points)).collect();
    let Some(scale) = Scale::of(&curves) else { return String::new() };
    let [first, last] = scale.secs;
    let mut svg = format!("<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"{}\">", html(&plot.title));
    scale.write_lines(&mut svg);
    for (secs, word) in plot.marks.iter().filter(|mark| (first..=last).contains(&mark.0)).take(MOST_MARKS) {
        let _ = write!(
            svg,
            "<line class=\"at-handle\" x1=\"{0:.1}\" y1=\"18\" x2=\"{0:.1}\" y2=\"{1:.1}\"/>\
             <text x=\"{2:.1}\" y=\"13\">{3}</text>",
            scale.x(*secs),
            scale.y(scale.values[0]),
            scale.x(*secs) - 6.0,
            html(word)
        );
    }
    for (points, class) in curves.iter().zip(CLASSES) {
        let at = |[secs, value]: &[f64; 2]| format!("{:.1},{:.1}", scale.x(*secs), scale.y(*value));
        let line: Vec<String> = points.iter().map(at).collect();
        let _ = write!(svg, "<polyline class=\"{class}\" points=\"{}\"/>", line.join(" "));
    }
    let _ = write!(
        svg,
        "<text x=\"{CURVES_MARGIN}\" y=\"{0}\">{1} s</text>\
         <text x=\"{2:.0}\" y=\"{0}\" text-anchor=\"end\">{3} s</text></svg>",
        HEIGHT - 10.0,
        html(&number(first, 2)),
        WIDTH - 0.5 * CURVES_MARGIN,
        html(&number(last, 2)),
    );
    svg
}

/// 1, 2 or 5 times a power of ten, at least this.
pub(super) fn nice_step(least: f64) -> f64 {
    let power = 10_f64.powf(least.max(1e-9).log10().floor());
    [1.0, 2.0, 5.0, 10.0].into_iter().map(|it| it * power).find(|step| *step >= least * 0.999).unwrap_or(power)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figure(title: &str, curves: Vec<(String, Vec<[f64; 2]>)>, marks: Vec<(f64, String)>) -> CurveFigure {
        CurveFigure { title: title.to_owned(), subtitle: String::new(), curves, marks }
    }

    #[test]
    fn curves_are_drawn_and_names_escaped() {
        let points = |by: f64| (0..50).map(|at| [at as f64 * 0.1, (at as f64 * 0.2).sin() + by]).collect();
        let curves = vec![("a".to_owned(), points(0.0)), ("b".to_owned(), points(0.1))];
        let plot = figure("<hand>", curves, vec![(2.0, "<hit>".to_owned()), (99.0, "late".to_owned())]);
        let out = section(&["<fact>".to_owned()], &[plot], None);
        assert!(out.contains("&lt;hand&gt;") && out.contains("&lt;hit&gt;") && out.contains("&lt;fact&gt;"), "{out}");
        assert!(!out.contains("late") && out.matches("<polyline").count() == 2);
    }

    #[test]
    fn exposures_are_images_in_both_themes_and_cannot_run() {
        let svg = "<svg><script>alert(1)</script></svg>".to_owned();
        let exposures = Exposures { title: "<jump>", light_svg: svg.clone(), dark_svg: Some(svg) };
        let out = section(&[], &[], Some(&exposures));
        assert!(out.contains("&lt;jump&gt;") && !out.contains("<script") && !out.contains("<svg"), "{out}");
        assert_eq!(out.matches("<img").count(), 2);
    }

    #[test]
    fn nothing_that_is_no_number_is_drawn() {
        let curve = ("a".to_owned(), vec![[0.0, f64::NAN], [f64::INFINITY, 1.0]]);
        let out = section(&[], &[figure("", vec![curve], Vec::new())], None);
        assert!(!out.contains("NaN") && !out.contains("inf"), "{out}");
    }

    #[test]
    fn steps_of_axes_are_round() {
        assert_eq!([0.13, 0.7, 1.0, 3.0].map(nice_step), [0.2, 1.0, 1.0, 5.0]);
    }
}
