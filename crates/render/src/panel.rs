//! One panel: grid, ground, paths, figures and labels of one view of one row.

use crate::camera::View;
use crate::clip_measures::{ClipMeasures, Sample};
use crate::figure::{self, Bounds, Style};
use crate::ground_view;
use crate::layout::{Frame, Layout, Plan, Poses, Row};
use crate::scene::{Anchor, Colour, Element, Group, Paint};
use crate::shots::Shot;
use crate::theme::Palette;
use crate::thing::Placed;
use glam::{DVec2, DVec3};

/// Space above a panel for its caption.
pub(crate) const CAPTION_PX: f64 = 26.0;
/// Space below a panel for one row of labels.
pub(crate) const LABEL_ROW_PX: f64 = 19.0;
/// Left of the plots, for the labels of heights.
pub(crate) const LEFT_PX: f64 = 62.0;
/// Right of the plots.
pub(crate) const RIGHT_PX: f64 = 26.0;

const LABEL_PX: f64 = 13.0;
/// Advance of the widest digits of the embedded font, in ems, rounded up; used only to keep labels apart.
pub(crate) const EM_WIDTH: f64 = 0.58;

/// What all panels share.
pub(crate) struct Sheet<'a> {
    pub measured: &'a [ClipMeasures<'a>],
    /// So many of them are versions of one motion; the rest stands beside them.
    pub compared: usize,
    pub shots: &'a [Shot],
    pub poses: &'a [Poses],
    pub plan: &'a Plan,
    pub palette: Palette,
    /// Decimals of time labels.
    pub time_decimals: usize,
    /// Ground that is not level.
    pub slope: Option<SlopedGround>,
    /// Figures and ground only.
    pub bare: bool,
}

/// The plane n · x = d.
pub(crate) struct SlopedGround {
    pub normal: DVec3,
    pub distance_m: f64,
}

impl SlopedGround {
    /// Where a view that looks along the plane sees it, within `bounds` and moved by `shift_m`, metres.
    fn line_m(&self, frame: &Frame, bounds: &Bounds, shift_m: DVec2) -> Option<(DVec2, DVec2)> {
        let (camera, bounds) = (&frame.camera, bounds.moved(-shift_m));
        // Seen from ahead or above it is an area and no line. People do not walk straight uphill to the degree.
        if frame.view == View::Top || self.normal.dot(camera.toward).abs() > 0.03 {
            return None;
        }
        let (along, up) = (self.normal.dot(camera.right), self.normal.dot(camera.up));
        let at = |x_m: f64| DVec2::new(x_m, (self.distance_m - along * x_m) / up);
        let (mut from_m, mut to_m) = (bounds.min.x, bounds.max.x);
        if along != 0.0 {
            let [low, high] = [bounds.min.y, bounds.max.y].map(|y_m| (self.distance_m - up * y_m) / along);
            (from_m, to_m) = (from_m.max(low.min(high)), to_m.min(low.max(high)));
        }
        (from_m < to_m && up > 0.0).then(|| (at(from_m) + shift_m, at(to_m) + shift_m))
    }
}

/// Draws the panel with its top left corner (caption included) at `top_px`; gives the group and the height used.
pub(crate) fn draw(sheet: &Sheet, row: &Row, frame: &Frame, top_px: f64, last_shared: bool) -> (Group, f64) {
    let px_per_m = sheet.plan.px_per_m;
    let size = frame.bounds.size() * px_per_m;
    // Without labels the margins are equal, and the sum that the plan was made for.
    let (left_px, caption_px) = if sheet.bare { (0.5 * (LEFT_PX + RIGHT_PX), 14.0) } else { (LEFT_PX, CAPTION_PX) };
    let min = DVec2::new(left_px, top_px + caption_px);
    let max = min + size;
    let is_first = row.shots.start == 0 && row.frames.first().is_some_and(|first| first.view == frame.view);
    let panel = Panel { sheet, row, frame, min, max, shows_scale_bar: is_first };
    let mut group = Group::new(match frame.view {
        View::Side => "view side",
        View::Top => "view top",
        View::Front => "view front",
    })
    .with("px-per-metre", format!("{px_per_m:.4}"));
    if sheet.bare {
        panel.ground_line(&mut group);
        panel.figures(&mut group);
        return (group, caption_px + size.y);
    }
    group.rect(min, max, Paint::fill(sheet.palette.panel));
    panel.grid(&mut group);
    panel.caption(&mut group);
    // Side by side a trace is short and would scribble over its figure; from above and in place it leads the eye.
    let traces_below = sheet.plan.layout == Layout::Sequence && frame.view != View::Top;
    if traces_below {
        panel.traces(&mut group);
    }
    panel.figures(&mut group);
    if !traces_below {
        panel.traces(&mut group);
    }
    if frame.view == View::Top {
        panel.ground_marks(&mut group);
    }
    let mut below_px = 6.0;
    if frame.view != View::Top {
        below_px += panel.time_labels(&mut group, max.y + below_px);
    }
    if sheet.plan.layout == Layout::InPlace && (last_shared || frame.view == View::Front) {
        panel.distance_labels(&mut group, max.y + below_px);
        below_px += LABEL_ROW_PX;
    }
    (group, caption_px + size.y + below_px)
}

struct Panel<'a> {
    sheet: &'a Sheet<'a>,
    row: &'a Row,
    frame: &'a Frame,
    min: DVec2,
    max: DVec2,
    /// Once a picture: the scale is the same everywhere.
    shows_scale_bar: bool,
}

impl Panel<'_> {
    /// Picture plane (metres, y up, after the shift) to pixels (y down).
    fn px(&self, plane_m: DVec2) -> DVec2 {
        let from_min = (plane_m - self.frame.bounds.min) * self.sheet.plan.px_per_m;
        DVec2::new(self.min.x + from_min.x, self.max.y - from_min.y)
    }

    fn shift(&self, slot: usize) -> DVec2 {
        self.frame.shifts_m.get(slot).copied().unwrap_or(DVec2::ZERO)
    }

    /// Zero of the horizontal and (from above) sideways scale: where the first figure stands.
    fn origin_m(&self) -> DVec2 {
        let first = self.sheet.poses.first().map_or(DVec2::ZERO, |pose| self.frame.camera.project(pose.centre_m));
        match (self.frame.view, self.sheet.plan.layout) {
            (View::Top, Layout::InPlace) => first,
            (View::Top, _) => DVec2::ZERO,
            _ => DVec2::new(first.x, 0.0),
        }
    }

    fn caption(&self, group: &mut Group) {
        let palette = &self.sheet.palette;
        let toward = self.frame.camera.toward;
        let seen = self.sheet.measured.first().and_then(|measures| measures.seen_from(toward));
        let text = match (self.frame.view, seen) {
            (View::Side, Some(side)) => format!("Side view, {side}"),
            (View::Side, None) => "Side view".to_owned(),
            (View::Top, _) => "Top view, from above".to_owned(),
            (View::Front, Some(side)) => format!("End view, {side}"),
            (View::Front, None) => "End view".to_owned(),
        };
        let at = DVec2::new(self.min.x, self.min.y - 8.0);
        group.push(Element::Text(crate::scene::Text {
            at,
            size_px: 14.0,
            anchor: Anchor::Start,
            colour: palette.text,
            strong: true,
            content: text,
        }));
        if !self.shows_scale_bar {
            return;
        }
        let bar_m = round_step(110.0 / self.sheet.plan.px_per_m);
        let bar_px = bar_m * self.sheet.plan.px_per_m;
        let end = DVec2::new(self.max.x, self.min.y - 12.0);
        let start = end - DVec2::new(bar_px, 0.0);
        let paint = Paint::line(palette.muted, 1.4);
        group.line(start, end, paint);
        for at in [start, end] {
            group.line(at - DVec2::new(0.0, 3.5), at + DVec2::new(0.0, 3.5), paint);
        }
        let label = DVec2::new(start.x - 8.0, end.y + 4.5);
        group.text(label, LABEL_PX, Anchor::End, palette.muted, format!("{} m", metres(bar_m, bar_m)));
    }

    /// Lines every round number of metres; heights and sideways distances are labelled at the left.
    fn grid(&self, group: &mut Group) {
        let palette = &self.sheet.palette;
        let origin = self.origin_m();
        let thin = Paint::line(palette.grid, 1.0);
        let strong = Paint::line(palette.grid_strong, 1.0);
        let step = self.height_step_m();
        for tick in ticks(self.frame.bounds.min.y - origin.y, self.frame.bounds.max.y - origin.y, step) {
            let y = self.px(DVec2::new(0.0, tick + origin.y)).y;
            group.line(DVec2::new(self.min.x, y), DVec2::new(self.max.x, y), if tick == 0.0 { strong } else { thin });
            let at = DVec2::new(self.min.x - 8.0, y + 4.5);
            group.text(at, LABEL_PX, Anchor::End, palette.muted, format!("{} m", metres(tick, step)));
        }
        if self.sheet.plan.layout == Layout::InPlace {
            let step = self.width_step_m();
            for tick in ticks(self.frame.bounds.min.x - origin.x, self.frame.bounds.max.x - origin.x, step) {
                let x = self.px(DVec2::new(tick + origin.x, 0.0)).x;
                group.line(
                    DVec2::new(x, self.min.y),
                    DVec2::new(x, self.max.y),
                    if tick == 0.0 { strong } else { thin },
                );
            }
        }
        if self.sheet.plan.layout == Layout::Sequence {
            // A hairline between the places keeps wide figures apart.
            for place in 1..self.row.places {
                let x = self.place_px(place).0.x;
                group.line(DVec2::new(x, self.min.y), DVec2::new(x, self.max.y), thin);
            }
        }
        self.ground_line(group);
    }

    fn ground_line(&self, group: &mut Group) {
        let palette = &self.sheet.palette;
        if let Some(slope) = &self.sheet.slope {
            let (bounds, in_place) = (self.frame.bounds, self.sheet.plan.layout == Layout::InPlace);
            let place_m = bounds.size().x / self.row.places.max(1) as f64;
            // Side by side each figure has a piece of ground of its own, as wide as its place.
            let piece = |(place, shift_m): (usize, &DVec2)| {
                let mut piece = bounds;
                piece.min.x += place as f64 * place_m;
                piece.max.x = piece.min.x + place_m;
                slope.line_m(self.frame, &piece, *shift_m)
            };
            let lines: Vec<(DVec2, DVec2)> = match in_place {
                true => slope.line_m(self.frame, &bounds, DVec2::ZERO).into_iter().collect(),
                false => self.frame.shifts_m.iter().enumerate().filter_map(piece).collect(),
            };
            for (from, to) in lines {
                group.line(self.px(from), self.px(to), Paint::line(palette.ground, 1.6));
            }
            return;
        }
        let ground = self.px(DVec2::ZERO).y;
        if self.frame.view != View::Top && ground <= self.max.y && ground >= self.min.y {
            let paint = Paint::line(palette.ground, 1.6);
            group.line(DVec2::new(self.min.x, ground), DVec2::new(self.max.x, ground), paint);
        }
    }

    fn height_step_m(&self) -> f64 {
        round_step(46.0 / self.sheet.plan.px_per_m)
    }

    fn width_step_m(&self) -> f64 {
        round_step(64.0 / self.sheet.plan.px_per_m)
    }

    fn distance_labels(&self, group: &mut Group, top_px: f64) {
        let origin = self.origin_m();
        let step = self.width_step_m();
        let palette = &self.sheet.palette;
        for tick in ticks(self.frame.bounds.min.x - origin.x, self.frame.bounds.max.x - origin.x, step) {
            let x = self.px(DVec2::new(tick + origin.x, 0.0)).x;
            let text = format!("{} m", metres(tick, step));
            group.text(DVec2::new(x, top_px + 12.0), LABEL_PX, Anchor::Middle, palette.muted, text);
        }
    }

    /// The way of the body, and from above the ways of the feet: the whole way, or side by side the way since the
    /// figure before (in the place of the figure that has arrived).
    fn traces(&self, group: &mut Group) {
        match self.sheet.plan.layout {
            Layout::InPlace => {
                for (index, measures) in self.sheet.measured.iter().enumerate() {
                    self.trace(group, measures, index, &measures.samples, DVec2::ZERO);
                }
            }
            _ => {
                for (slot, shot_index) in self.row.shots.clone().enumerate() {
                    let Some(shot) = self.sheet.shots.get(shot_index) else { continue };
                    let previous = shot_index.checked_sub(1).and_then(|index| self.sheet.shots.get(index));
                    let Some(previous) = previous else { continue };
                    let mut traces = Group::new("traces");
                    traces.clip = Some(self.place_px(slot));
                    for (index, measures) in self.sheet.measured.iter().enumerate() {
                        let since = between(&measures.samples, previous.time_secs, shot.time_secs);
                        self.trace(&mut traces, measures, index, since, self.shift(slot));
                    }
                    group.push(Element::Group(traces));
                }
            }
        }
    }

    /// Corners of one place of the row.
    fn place_px(&self, slot: usize) -> (DVec2, DVec2) {
        let width_px = (self.max.x - self.min.x) / self.row.places.max(1) as f64;
        let left_px = self.min.x + width_px * slot as f64;
        (DVec2::new(left_px, self.min.y), DVec2::new(left_px + width_px, self.max.y))
    }

    fn trace(&self, group: &mut Group, measures: &ClipMeasures, clip: usize, samples: &[Sample], shift: DVec2) {
        let to_px = |plane_m: DVec2| self.px(plane_m + shift);
        let camera = &self.frame.camera;
        let path = ground_view::path_px(samples.iter().map(|sample| to_px(camera.project(sample.centre_m))));
        let colour = self.clip_colour(clip).unwrap_or(self.sheet.palette.path);
        group.polyline(path, Paint::line(colour, 1.3).opacity(0.6));
        if self.frame.view == View::Top {
            let of_side = |side| self.clip_colour(clip).unwrap_or(self.sheet.palette.of_side(side));
            ground_view::foot_traces(group, measures, samples, camera, &to_px, of_side);
        }
    }

    fn figures(&self, group: &mut Group) {
        let sheet = self.sheet;
        let count = sheet.shots.len();
        for (slot, index) in self.row.shots.clone().enumerate() {
            let (Some(shot), Some(poses)) = (sheet.shots.get(index), sheet.poses.get(index)) else { continue };
            let to_px = |plane_m: DVec2| self.px(plane_m + self.shift(slot));
            // Where figures cover each other, the older are lighter.
            let age = if count > 1 { 1.0 - index as f64 / (count - 1) as f64 } else { 0.0 };
            let fade = if sheet.plan.layout == Layout::InPlace { 0.45 * age } else { 0.0 };
            let mut moment = Group::new("moment").with("time-secs", format!("{:.4}", shot.time_secs));
            let camera = &self.frame.camera;
            let thing = |placed: &Placed| placed.draw(camera, sheet.plan.px_per_m, to_px, &sheet.palette, fade);
            // A thing in front of a figure is painted after it, as far as one depth for each can tell.
            let is_near = |placed: &Placed| camera.nearness(placed.at_m) > camera.nearness(poses.centre_m) + 0.1;
            poses.things.iter().filter(|placed| !is_near(placed)).for_each(|placed| moment.push(thing(placed)));
            for (clip, (measures, pose)) in sheet.measured.iter().zip(&poses.of_clip).enumerate() {
                let (Some(pose), Some(Some(frame))) = (pose, shot.frames.get(clip)) else { continue };
                // From above the figure would hide its own footprints.
                let pale = if self.frame.view == View::Top { 0.66 } else { 0.0 };
                let style = Style {
                    palette: &sheet.palette,
                    single: self.clip_colour(clip),
                    fade: fade.max(pale),
                    opacity: if clip > 0 { 0.9 } else { 1.0 },
                };
                let mut figure =
                    figure::draw(&measures.body, pose, &self.frame.camera, sheet.plan.px_per_m, to_px, &style);
                figure.data.push(("frame", frame.0.to_string()));
                moment.push(Element::Group(figure));
            }
            poses.things.iter().filter(|placed| is_near(placed)).for_each(|placed| moment.push(thing(placed)));
            group.push(Element::Group(moment));
        }
    }

    /// Footprints, facing and the body's point of every figure, above the figures.
    fn ground_marks(&self, group: &mut Group) {
        let sheet = self.sheet;
        for (slot, index) in self.row.shots.clone().enumerate() {
            let Some(poses) = sheet.poses.get(index) else { continue };
            let to_px = |plane_m: DVec2| self.px(plane_m + self.shift(slot));
            for (clip, (measures, pose)) in sheet.measured.iter().zip(&poses.of_clip).enumerate() {
                let Some(pose) = pose else { continue };
                let of_side = |side| self.clip_colour(clip).unwrap_or(sheet.palette.of_side(side));
                let camera = &self.frame.camera;
                ground_view::footprints(group, measures, pose, camera, sheet.plan.px_per_m, &to_px, of_side);
                let colour = self.clip_colour(clip).unwrap_or(sheet.palette.path);
                ground_view::facing_tick(group, measures, pose, camera, &to_px, &sheet.palette, colour);
            }
        }
    }

    /// Times below their figures: one label for figures at one spot, in up to three rows; a label that fits in none of
    /// them is left out.
    fn time_labels(&self, group: &mut Group, top_px: f64) -> f64 {
        let mut rows: Vec<Vec<(f64, f64)>> = Vec::new();
        let most_rows = if self.sheet.plan.layout == Layout::InPlace { 3 } else { 1 };
        for spot in self.spots() {
            let secs = |time: f64| format!("{time:.*}", self.sheet.time_decimals);
            let text = match spot.times_secs {
                (first, last) if first < last => format!("{}–{} s", secs(first), secs(last)),
                (first, _) => format!("{} s", secs(first)),
            };
            let x = spot.at_px;
            let half = 0.5 * EM_WIDTH * LABEL_PX * text.chars().count() as f64 + 3.0;
            let is_free = |taken: &Vec<(f64, f64)>| taken.iter().all(|&(from, to)| x + half < from || x - half > to);
            let free = match rows.iter().position(is_free) {
                Some(free) => free,
                None if rows.len() < most_rows => {
                    rows.push(Vec::new());
                    rows.len() - 1
                }
                None => continue,
            };
            rows[free].push((x - half, x + half));
            let y = top_px + LABEL_ROW_PX * free as f64;
            if free == 0 {
                let tick = DVec2::new(x, self.max.y);
                group.line(tick, tick + DVec2::new(0.0, 4.0), Paint::line(self.sheet.palette.muted, 1.0));
            }
            group.text(DVec2::new(x, y + 12.0), LABEL_PX, Anchor::Middle, self.sheet.palette.text, text);
        }
        LABEL_ROW_PX * rows.len() as f64
    }

    /// Where the figures of the row stand; those that follow each other within 18 pixels share a spot.
    fn spots(&self) -> Vec<Spot> {
        let mut spots: Vec<Spot> = Vec::new();
        for (slot, index) in self.row.shots.clone().enumerate() {
            let (Some(shot), Some(poses)) = (self.sheet.shots.get(index), self.sheet.poses.get(index)) else {
                continue;
            };
            let at_px = self.px(self.frame.camera.project(poses.centre_m) + self.shift(slot)).x;
            match spots.last_mut() {
                Some(spot) if (spot.at_px - at_px).abs() < 18.0 && shot.time_secs > spot.times_secs.1 => {
                    spot.times_secs.1 = shot.time_secs;
                }
                _ => spots.push(Spot { at_px, times_secs: (shot.time_secs, shot.time_secs) }),
            }
        }
        spots
    }

    /// One colour a clip when two are compared, and for those who stand beside.
    fn clip_colour(&self, clip: usize) -> Option<Colour> {
        let palette = &self.sheet.palette;
        match (clip < self.sheet.compared, self.sheet.compared > 1) {
            (false, _) => Some(palette.trunk),
            (true, true) => Some(if clip == 0 { palette.before } else { palette.after }),
            (true, false) => None,
        }
    }
}

/// One or more figures at the same place, and their first and last time.
struct Spot {
    at_px: f64,
    times_secs: (f64, f64),
}

fn between(samples: &[Sample], from_secs: f64, to_secs: f64) -> &[Sample] {
    let start = samples.partition_point(|sample| sample.time_secs < from_secs - 1e-9);
    let end = samples.partition_point(|sample| sample.time_secs <= to_secs + 1e-9);
    samples.get(start..end).unwrap_or(&[])
}

/// 1, 2 or 5 times a power of ten, at least `least`.
pub(crate) fn round_step(least: f64) -> f64 {
    let power = 10f64.powf(least.max(1e-9).log10().floor());
    let mantissa = [1.0, 2.0, 5.0].into_iter().find(|mantissa| mantissa * power >= least * (1.0 - 1e-9));
    mantissa.unwrap_or(10.0) * power
}

/// Multiples of `step` between two values.
fn ticks(from: f64, to: f64, step: f64) -> Vec<f64> {
    let (first, last) = ((from / step).ceil(), (to / step).floor());
    // A panel is at most a few thousand pixels and a step at least 46.
    let count = (last - first + 1.0).clamp(0.0, 200.0) as usize;
    (0..count).map(|index| (first + index as f64) * step).collect()
}

/// As many decimals as the step needs.
fn metres(value: f64, step: f64) -> String {
    let decimals = if step >= 1.0 { 0 } else { (-step.log10().floor()).clamp(0.0, 9.0) as usize };
    let text = format!("{value:.decimals$}");
    if text.trim_start_matches('-').chars().all(|c| c == '0' || c == '.') {
        "0".to_owned()
    } else {
        text.replace('-', "−")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_round() {
        for (least, step) in [(0.3, 0.5), (0.5, 0.5), (0.11, 0.2), (1.2, 2.0), (6.0, 10.0)] {
            assert!((round_step(least) - step).abs() < 1e-9 * step, "{least}");
        }
        assert_eq!(ticks(-0.6, 1.1, 0.5), [-0.5, 0.0, 0.5, 1.0]);
        assert_eq!((metres(-0.5, 0.5), metres(0.0, 0.5), metres(3.0, 1.0)), ("−0.5".into(), "0".into(), "3".into()));
    }

    #[test]
    fn a_slope_is_seen_from_its_side_only() {
        let (min, max) = (DVec2::new(-1.0, -0.2), DVec2::new(9.0, 1.0));
        let frame = |view: View| Frame {
            view,
            camera: crate::camera::Camera::new(view, DVec3::Z),
            bounds: crate::figure::Bounds { min, max },
            shifts_m: Vec::new(),
        };
        // Up by a tenth of the way, through the origin.
        let uphill = SlopedGround { normal: DVec3::new(0.0, 1.0, -0.1).normalize(), distance_m: 0.0 };
        let line = |slope: &SlopedGround, view: View| slope.line_m(&frame(view), &frame(view).bounds, DVec2::ZERO);
        let (from, to) = line(&uphill, View::Side).unwrap();
        assert!(
            from.distance(DVec2::new(-1.0, -0.1)) < 1e-12 && to.distance(DVec2::new(9.0, 0.9)) < 1e-12,
            "{from} {to}"
        );
        // Steeper, it leaves the panel before the figures do.
        let steep = SlopedGround { normal: DVec3::new(0.0, 1.0, -0.5).normalize(), distance_m: 0.0 };
        let (from, to) = line(&steep, View::Side).unwrap();
        assert!(
            from.distance(DVec2::new(-0.4, -0.2)) < 1e-12 && to.distance(DVec2::new(2.0, 1.0)) < 1e-12,
            "{from} {to}"
        );
        assert!(line(&uphill, View::Front).is_none() && line(&uphill, View::Top).is_none());
        // A figure from 4 m up the way that stands in the place from 1 to 2 m has its ground there.
        let place = Bounds { min: DVec2::new(1.0, -0.2), max: DVec2::new(2.0, 1.0) };
        let (from, to) = uphill.line_m(&frame(View::Side), &place, DVec2::new(-2.5, 0.0)).unwrap();
        assert!(
            from.distance(DVec2::new(1.0, 0.35)) < 1e-12 && to.distance(DVec2::new(2.0, 0.45)) < 1e-12,
            "{from} {to}"
        );
    }
}
