//! The stroboscopic strip: what to draw, and the composition of the sheet.

use crate::camera::View;
use crate::clip_measures::{ClipMeasures, has_sides};
use crate::error::RenderError;
use crate::labels;
use crate::layout::{self, Layout, Plan, Poses};
use crate::panel::{self, EM_WIDTH, LEFT_PX, RIGHT_PX, Sheet, SlopedGround};
use crate::picture::Picture;
use crate::scene::{Anchor, Colour, Element, Group, Paint, Scene, Text};
use crate::shots::{self, FrameSelection, Shot, Shots};
use crate::svg;
use crate::theme::{Palette, Theme};
use crate::thing::Thing;
use aplomb_motion::{Clip, FrameIndex, Roles};
use glam::{DVec2, DVec3};

/// A clip to draw, with the name to show.
#[derive(Clone, Copy, Debug)]
pub struct Subject<'a> {
    /// The motion.
    pub clip: &'a Clip,
    /// Shown in the title; may be anything, it is escaped.
    pub name: &'a str,
    /// Roles the user gave; found from the clip when not given.
    pub roles: Option<&'a Roles>,
}

impl<'a> Subject<'a> {
    /// A clip whose joint roles are found from its names and its motion.
    pub fn new(clip: &'a Clip, name: &'a str) -> Self {
        Self { clip, name, roles: None }
    }
}

/// A stroboscopic picture of one clip, or of two over each other (before and after).
///
/// ```no_run
/// # fn show(clip: &aplomb_motion::Clip) -> Result<(), aplomb_render::RenderError> {
/// use aplomb_render::{Strip, Subject};
/// let picture = Strip::new(Subject::new(clip, "walk")).draw()?;
/// let png: Vec<u8> = picture.to_png(1.0)?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Strip<'a> {
    /// The clip, or the one before an edit.
    pub subject: Subject<'a>,
    /// The clip after an edit, drawn over the first at the same times.
    pub after: Option<Subject<'a>>,
    /// Others of the scene, at the same times and in one colour.
    pub beside: Vec<Subject<'a>>,
    /// Things of the scene, by the frames of the last clip that is compared.
    pub things: Vec<Thing>,
    /// Panels from top to bottom.
    pub views: Vec<View>,
    /// Which moments.
    pub frames: FrameSelection,
    /// Start of the part to draw; the start of the motion when not given.
    pub from_secs: Option<f64>,
    /// End of the part to draw; the end of the longer clip when not given.
    pub to_secs: Option<f64>,
    /// Width of the picture; the height follows.
    pub width_px: u32,
    /// Light or dark.
    pub theme: Theme,
    /// True positions or side by side.
    pub layout: Layout,
    /// Out of the ground, where that is not level; of any length. It is drawn where it is seen from its side, below the
    /// lowest joint.
    pub ground_normal: Option<DVec3>,
    /// Figures on their ground and nothing else: no title, labels, grid or notes. For small pictures such as cards.
    pub bare: bool,
}

const LEAST_WIDTH_PX: u32 = 400;
const MOST_WIDTH_PX: u32 = 8_000;
const HEADER_PX: f64 = 78.0;
const NOTE_PX: f64 = 18.0;

impl<'a> Strip<'a> {
    /// Side and top view, automatic moments and layout, 1600 pixels, light.
    pub fn new(subject: Subject<'a>) -> Self {
        Self {
            subject,
            after: None,
            beside: Vec::new(),
            things: Vec::new(),
            views: vec![View::Side, View::Top],
            frames: FrameSelection::Auto,
            from_secs: None,
            to_secs: None,
            width_px: 1600,
            theme: Theme::Light,
            layout: Layout::Auto,
            ground_normal: None,
            bare: false,
        }
    }

    /// Draws the picture.
    pub fn draw(&self) -> Result<Picture, RenderError> {
        self.check_size()?;
        let measured = self.measured()?;
        let Some(measures) = measured.first() else { return Err(RenderError::NoView) };
        let plot_px = f64::from(self.width_px) - LEFT_PX - RIGHT_PX;
        let right = measures.right();
        let layout = self.layout.resolve(measures, right);
        let ideal = layout.ideal_figures(measures, right, plot_px);
        let shots = shots::choose(&measured, &self.frames, self.range_secs(&measured), ideal)?;
        let poses: Vec<Poses> = {
            let leader = self.compared() - 1;
            shots.shots.iter().map(|shot| Poses::new(&measured, shot, &self.things, leader)).collect()
        };
        let plan = layout::plan(&measured, &poses, &self.views, right, layout, plot_px);
        let notes = self.notes(&measured, &shots, &plan);
        Ok(self.compose(&measured, &shots, &poses, &plan, notes))
    }

    /// The ground that is not level, as high as the lowest joint of the figures lets it be.
    fn slope(&self, poses: &[Poses]) -> Option<SlopedGround> {
        let normal = self.ground_normal?.try_normalize().filter(|normal| normal.y > 0.0)?;
        let drawn = poses.iter().flat_map(|poses| poses.of_clip.iter().flatten());
        let heights_m = drawn.flat_map(|pose| pose.joint_in_world_m.iter().map(|joint_m| joint_m.dot(normal)));
        let distance_m = heights_m.fold(f64::INFINITY, f64::min);
        distance_m.is_finite().then_some(SlopedGround { normal, distance_m })
    }

    /// How many clips are versions of one motion; the rest stands beside them.
    fn compared(&self) -> usize {
        1 + usize::from(self.after.is_some())
    }

    fn check_size(&self) -> Result<(), RenderError> {
        if self.views.is_empty() {
            return Err(RenderError::NoView);
        }
        if !(LEAST_WIDTH_PX..=MOST_WIDTH_PX).contains(&self.width_px) {
            return Err(RenderError::Size {
                what: "the picture width in pixels",
                least: f64::from(LEAST_WIDTH_PX),
                most: f64::from(MOST_WIDTH_PX),
                found: f64::from(self.width_px),
            });
        }
        Ok(())
    }

    fn measured(&self) -> Result<Vec<ClipMeasures<'a>>, RenderError> {
        let (from_secs, to_secs) = self.asked_range()?;
        let subjects = std::iter::once(self.subject).chain(self.after).chain(self.beside.iter().copied());
        subjects
            .map(|Subject { clip, name, roles }| {
                let labels = match roles {
                    Some(roles) => labels::labels(clip, roles),
                    None => labels::labels(clip, &Roles::detect(clip)),
                };
                ClipMeasures::new(clip, name, labels, from_secs, to_secs)
            })
            .collect()
    }

    /// The range that was asked for, checked against the first clip; infinite where nothing was asked.
    fn asked_range(&self) -> Result<(f64, f64), RenderError> {
        let clip = self.subject.clip;
        let Some(last) = clip.frame_count().checked_sub(1) else {
            return Err(RenderError::NoFrames { name: self.subject.name.to_owned() });
        };
        let (first_secs, last_secs) = (clip.time_secs(FrameIndex(0)), clip.time_secs(FrameIndex(last)));
        let from_secs = self.from_secs.unwrap_or(f64::NEG_INFINITY);
        let to_secs = self.to_secs.unwrap_or(f64::INFINITY);
        // Not `from > to`: NaN must be refused too.
        let holds_a_frame = from_secs <= to_secs && from_secs <= last_secs && to_secs >= first_secs;
        let between = || clip.frames().any(|frame| (from_secs..=to_secs).contains(&clip.time_secs(frame)));
        if !holds_a_frame || !between() {
            let bound = |word: &str, secs: Option<f64>| secs.map(|secs| format!("{word} {secs} s"));
            let asked: Vec<String> =
                bound("from", self.from_secs).into_iter().chain(bound("to", self.to_secs)).collect();
            let asked = asked.join(" ");
            return Err(RenderError::EmptySelection { asked, first_secs, last_secs });
        }
        Ok((from_secs, to_secs))
    }

    fn range_secs(&self, measured: &[ClipMeasures]) -> (f64, f64) {
        let first_secs = measured.first().map_or(0.0, ClipMeasures::first_secs);
        let last_secs = measured.iter().map(ClipMeasures::last_secs).fold(f64::NEG_INFINITY, f64::max);
        let from_secs = self.from_secs.map_or(first_secs, |asked| asked.max(first_secs));
        (from_secs, self.to_secs.map_or(last_secs, |asked| asked.min(last_secs)).max(from_secs))
    }

    fn notes(&self, measured: &[ClipMeasures], shots: &Shots, plan: &Plan) -> Vec<String> {
        let mut notes = Vec::new();
        let spread = match plan.layout {
            Layout::InPlace => "Figures stand where they were; older ones are lighter.",
            _ => {
                "Figures are set side by side in time order; heights are true. Lines show the way since the figure before."
            }
        };
        if shots.shots.len() > 1 {
            notes.push(spread.to_owned());
        }
        for measures in measured {
            let (lowest_m, at_secs) = measures.lowest;
            let whose = if measured.len() > 1 { format!(" of {}", short(measures.name, 40)) } else { String::new() };
            notes.push(format!("Lowest joint{whose}: {} m at {at_secs:.2} s.", signed_millimetres(lowest_m)));
            if measures.stray_first_frame {
                let listed = matches!(self.frames, FrameSelection::Frames(_));
                let left_out = if listed { "paths leave it out" } else { "it is left out" };
                notes.push(format!("Frame 0{whose} is a stray pose before the motion: {left_out}."));
            }
            if !measures.body.balls.is_empty() {
                let radius_m = crate::body::BALL_RADIUS_M;
                notes.push(format!("A single point is drawn as a ball of radius {radius_m} m."));
            }
        }
        notes.extend(shots.notes.iter().cloned());
        notes
    }

    fn compose(
        &self,
        measured: &[ClipMeasures],
        shots: &Shots,
        poses: &[Poses],
        plan: &Plan,
        notes: Vec<String>,
    ) -> Picture {
        let palette = self.theme.palette();
        let width = f64::from(self.width_px);
        let sheet = Sheet {
            measured,
            compared: self.compared(),
            shots: &shots.shots,
            poses,
            plan,
            palette,
            time_decimals: time_decimals(&shots.shots, shots.step_secs),
            slope: self.slope(poses),
            bare: self.bare,
        };
        let mut elements = Vec::new();
        let mut y = 0.0;
        if !self.bare {
            elements.push(Element::Group(self.header(measured, shots, &palette)));
            y = HEADER_PX;
        }
        for row in &plan.rows {
            let last_shared = row.frames.iter().rposition(|frame| frame.view != View::Front);
            for (index, frame) in row.frames.iter().enumerate() {
                let (group, height) = panel::draw(&sheet, row, frame, y, last_shared == Some(index));
                elements.push(Element::Group(group));
                y += height + 10.0;
            }
        }
        let mut footer = Group::new("notes");
        let shown = if self.bare { &[][..] } else { &notes };
        for line in wrap(shown, ((width - LEFT_PX - RIGHT_PX) / (12.5 * 0.5)) as usize) {
            footer.text(DVec2::new(LEFT_PX, y + 12.0), 12.5, Anchor::Start, palette.muted, line);
            y += NOTE_PX;
        }
        elements.push(Element::Group(footer));
        let height = (y + 14.0).ceil();
        let title = self.title(usize::MAX);
        let description = format!("Stroboscopic picture, {} figures. {}", shots.shots.len(), notes.join(" "));
        let scene = Scene { width, height, background: palette.background, title, description, elements };
        Picture {
            svg: svg::write(&scene),
            width: self.width_px,
            height: height as u32,
            figures: shots.shots.len(),
            px_per_metre: plan.px_per_m,
            notes,
        }
    }

    fn title(&self, most_chars: usize) -> String {
        match self.after {
            // Names are data: the common case of before and after of one file keeps both in full view.
            Some(after) => {
                let each = most_chars / 2;
                format!("{}  ›  {}", short(self.subject.name, each), short(after.name, each))
            }
            None => short(self.subject.name, most_chars),
        }
    }

    fn header(&self, measured: &[ClipMeasures], shots: &Shots, palette: &Palette) -> Group {
        let mut group = Group::new("header");
        let width = f64::from(self.width_px);
        let measured = &measured[..self.compared().min(measured.len())];
        let legend = legend(measured, palette);
        let legend_px: f64 = legend.iter().map(|(_, text)| legend_entry_px(text)).sum();
        let title_px = width - LEFT_PX - RIGHT_PX - legend_px - 30.0;
        let most_chars = (title_px / (23.0 * EM_WIDTH)).max(12.0) as usize;
        group.push(Element::Text(Text {
            at: DVec2::new(LEFT_PX, 40.0),
            size_px: 23.0,
            anchor: Anchor::Start,
            colour: palette.text,
            strong: true,
            content: self.title(most_chars),
        }));
        let facts = measured.iter().map(facts).collect::<Vec<_>>().join("  ›  ");
        let spacing = match shots.step_secs {
            Some(step_secs) if shots.shots.len() > 1 => format!(", every {} s", trimmed(step_secs)),
            _ => String::new(),
        };
        let figures = match shots.shots.len() {
            1 => "1 figure".to_owned(),
            count => format!("{count} figures{spacing}"),
        };
        let line = format!("{facts}  ·  {figures}");
        group.text(DVec2::new(LEFT_PX, 63.0), 14.5, Anchor::Start, palette.muted, line);
        let mut x = width - RIGHT_PX - legend_px;
        for (colour, text) in legend {
            group.circle(DVec2::new(x + 6.0, 35.0), 6.0, Paint::fill(colour));
            group.text(DVec2::new(x + 18.0, 40.0), 14.0, Anchor::Start, palette.text, text.as_str());
            x += legend_entry_px(&text);
        }
        group
    }
}

fn legend(measured: &[ClipMeasures], palette: &Palette) -> Vec<(Colour, String)> {
    match measured {
        [_, _] => vec![(palette.before, "before".to_owned()), (palette.after, "after".to_owned())],
        [measures] if has_sides(measures) => vec![
            (palette.left, "left".to_owned()),
            (palette.right, "right".to_owned()),
            (palette.trunk, "middle".to_owned()),
        ],
        _ => Vec::new(),
    }
}

fn legend_entry_px(text: &str) -> f64 {
    18.0 + 14.0 * EM_WIDTH * text.chars().count() as f64 + 18.0
}

/// Duration, rate, frames.
fn facts(measures: &ClipMeasures) -> String {
    let clip = measures.clip;
    let rate = match clip.timeline().uniform() {
        Some(frame_time) => match frame_time.nominal() {
            Some(rate) => rate.to_string(),
            None => format!("{:.3} Hz", frame_time.hz()),
        },
        None => "uneven key times".to_owned(),
    };
    let frames = match clip.frame_count() {
        1 => "1 frame".to_owned(),
        count => format!("{count} frames"),
    };
    format!("{:.2} s  ·  {rate}  ·  {frames}", clip.duration_secs())
}

/// Decimals that tell neighbouring moments apart: those of the step, or two for chosen frames.
fn time_decimals(shots: &[Shot], step_secs: Option<f64>) -> usize {
    let starts_round = |decimals: usize| {
        let scale = 10f64.powi(decimals as i32);
        shots.first().is_none_or(|shot| ((shot.time_secs * scale).round() / scale - shot.time_secs).abs() < 1e-6)
    };
    match step_secs {
        Some(step_secs) if shots.len() > 1 => {
            let of_step = (1..=3).find(|&decimals| {
                let scaled = step_secs * 10f64.powi(decimals as i32);
                (scaled - scaled.round()).abs() < 1e-6
            });
            let decimals = of_step.unwrap_or(3);
            if starts_round(decimals) { decimals } else { decimals.max(2) }
        }
        _ => 2,
    }
}

fn trimmed(value: f64) -> String {
    let text = format!("{value:.4}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// At most `most_chars` characters, cut in the middle: both the family and the number of a take stay readable.
fn short(name: &str, most_chars: usize) -> String {
    let chars: Vec<char> = name.chars().take(4096).collect();
    let most_chars = most_chars.max(5);
    if chars.len() <= most_chars {
        return chars.into_iter().collect();
    }
    let head = (most_chars - 1) * 2 / 3;
    let tail = most_chars - 1 - head;
    let (start, end) = (&chars[..head], &chars[chars.len() - tail..]);
    start.iter().chain(['…'].iter()).chain(end).collect()
}

/// Sentences set in lines of at most `most_chars`.
fn wrap(sentences: &[String], most_chars: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for sentence in sentences {
        match lines.last_mut() {
            Some(line) if line.chars().count() + sentence.chars().count() + 2 <= most_chars => {
                line.push_str("  ");
                line.push_str(sentence);
            }
            _ => lines.push(sentence.clone()),
        }
    }
    lines
}

/// With a sign, and without the one of a zero: "−0.000" says something that is not so.
fn signed_millimetres(metres: f64) -> String {
    let rounded = (metres * 1000.0).round() / 1000.0;
    let rounded = if rounded == 0.0 { 0.0 } else { rounded };
    format!("{rounded:+.3}").replace('-', "−")
}

#[cfg(test)]
mod tests {
    use super::signed_millimetres;

    #[test]
    fn zero_has_no_minus() {
        let shown = [-0.0004, 0.0, -0.0123, 0.5].map(signed_millimetres);
        assert_eq!(shown, ["+0.000", "+0.000", "−0.012", "+0.500"]);
    }
}
