//! Figures 4, 5 and 6 of Zordan & Hodgins 1999 from our own data: heights and speeds of a hand.

use super::curve_figure::CurveFigure;
use aplomb_editing::track::measure::{HandMeasure, MarkerMeasure};
use aplomb_editing::track::{ContactEvent, Tracked};
use aplomb_motion::Side;

/// Around an impact so much is shown, s.
const AROUND_SECS: f64 = 0.35;

pub(super) fn figures(
    tracked: &Tracked,
    untouched: Option<&Tracked>,
    contacts: &[ContactEvent],
    marks: &[(f64, String)],
) -> Vec<CurveFigure> {
    let step_secs = tracked.clip.timeline().uniform().map_or(0.0, |frame_time| frame_time.secs());
    let busiest = |hand: &HandMeasure| hand.speed[0].iter().sum::<f64>();
    let hands = &tracked.report.hands;
    let Some(hand) = hands.iter().max_by(|a, b| busiest(a).total_cmp(&busiest(b))) else { return Vec::new() };
    let points = |values: &[f64]| -> Vec<[f64; 2]> {
        values.iter().enumerate().map(|(frame, value)| [frame as f64 * step_secs, *value]).collect()
    };
    let mut figures = vec![CurveFigure {
        title: "Hand speed".to_owned(),
        subtitle: speed_subtitle(hand.side),
        curves: vec![("wanted".to_owned(), points(&hand.speed[0])), ("simulated".to_owned(), points(&hand.speed[1]))],
        marks: Vec::new(),
    }];
    let strongest = contacts.iter().max_by(|a, b| a.peak_force_n.total_cmp(&b.peak_force_n));
    if let (Some(contact), Some(untouched)) = (strongest, untouched) {
        let struck = hands.iter().find(|it| contact.a.contains(&it.side.to_string())).unwrap_or(hand);
        let free = untouched.report.hands.iter().find(|it| it.side == struck.side);
        let span = contact.start_secs - AROUND_SECS..contact.start_secs + AROUND_SECS;
        let near = |values: &[f64]| -> Vec<[f64; 2]> {
            points(values).into_iter().filter(|point| span.contains(&point[0])).collect()
        };
        let mut curves =
            vec![("wanted".to_owned(), near(&struck.height_m[0])), ("simulated".to_owned(), near(&struck.height_m[1]))];
        curves.extend(free.map(|free| ("without contact".to_owned(), near(&free.height_m[1]))));
        figures.push(CurveFigure {
            title: "Hand at the impact".to_owned(),
            subtitle: format!("height of the {} wrist, m", struck.side),
            curves,
            marks: vec![(contact.start_secs, format!("{:.0} N", contact.peak_force_n))],
        });
    }
    if let (Some(first), Some(last)) = (marks.first(), marks.last()) {
        let span = first.0 - 1.0..last.0 + 1.5;
        let near = |values: &[f64]| -> Vec<[f64; 2]> {
            points(values).into_iter().filter(|point| span.contains(&point[0])).collect()
        };
        let hits =
            contacts.iter().filter(|it| span.contains(&it.start_secs)).map(|it| (it.start_secs, "hit".to_owned()));
        figures.push(CurveFigure {
            title: "Hand in the transition".to_owned(),
            subtitle: format!("height of the {} wrist, m", hand.side),
            curves: vec![
                ("wanted".to_owned(), near(&hand.height_m[0])),
                ("simulated".to_owned(), near(&hand.height_m[1])),
            ],
            marks: marks.iter().cloned().chain(hits.take(8)).collect(),
        });
    }
    figures
}

fn speed_subtitle(side: Side) -> String {
    format!("of the {side} wrist, m/s, below 8 Hz")
}

/// Speeds of markers as a third curve where the same hand's are drawn.
pub(super) fn add_markers(figures: &mut [CurveFigure], markers: &MarkerMeasure, step_secs: f64) {
    let subtitle = speed_subtitle(markers.side);
    if let Some(figure) = figures.iter_mut().find(|figure| figure.subtitle == subtitle) {
        let points = markers.speed.iter().enumerate().map(|(frame, speed)| [frame as f64 * step_secs, *speed]);
        figure.curves.push(("markers".to_owned(), points.collect()));
    }
}
