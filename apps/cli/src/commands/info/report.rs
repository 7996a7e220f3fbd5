//! What is known of one clip, as data; text and JSON are two views of it.

use super::tree::{self, JointReport};
use aplomb_formats::diagnostic::printable;
use aplomb_formats::{Diagnostic, Import, Severity};
use aplomb_motion::edit::{LoopOptions, find_loops};
use aplomb_motion::{Axis, Channel};
use serde::Serialize;
use std::fmt::Write;

/// One clip. Field names are the JSON's: they stay (`docs/schemas/info.schema.json`).
#[derive(Debug, Serialize)]
pub struct ClipReport {
    file: String,
    format: &'static str,
    frames: usize,
    /// Rate the clip is read at: nominal if the header rounds one in common use.
    fps: Option<f64>,
    frame_time_secs: Option<f64>,
    duration_secs: f64,
    unit_m: f64,
    unit_name: String,
    up: String,
    stature_m: Option<f64>,
    root_travels: bool,
    body_plan: aplomb_motion::roles::BodyPlan,
    family: Option<String>,
    family_confidence: Option<f64>,
    joints: Vec<JointReport>,
    #[serde(skip_serializing_if = "Option::is_none")]
    loops: Option<Vec<LoopReport>>,
    diagnostics: Vec<Diagnostic>,
}

/// A stretch that repeats.
#[derive(Debug, Serialize)]
struct LoopReport {
    start_frame: usize,
    end_frame: usize,
    period_secs: f64,
    pose_error_m: f64,
    velocity_error_m_per_sec: f64,
}

impl ClipReport {
    /// Collects everything; loops are looked for on request, as that takes longer than reading.
    pub fn new(import: &Import, with_loops: bool) -> Self {
        let clip = &import.clip;
        let frame_time = clip.timeline().uniform();
        let (up, flipped) = import.frame().internal_from_file.up();
        let family = import.roles.family();
        let joints = clip.skeleton().ids().map(|id| joint_report(import, id)).collect();
        let loops = with_loops.then(|| {
            // Refused only for options out of range, and these are the defaults.
            let found = find_loops(clip, &LoopOptions::default()).unwrap_or_default();
            found
                .into_iter()
                .map(|cycle| LoopReport {
                    start_frame: cycle.start.0,
                    end_frame: cycle.end.0,
                    period_secs: cycle.period_secs,
                    pose_error_m: cycle.pose_error_m,
                    velocity_error_m_per_sec: cycle.velocity_error_m_per_s,
                })
                .collect()
        });
        Self {
            file: import.path.display().to_string(),
            format: import.kind.name(),
            frames: clip.frame_count(),
            fps: frame_time.map(|frame_time| frame_time.hz()),
            frame_time_secs: frame_time.map(|frame_time| frame_time.exact_secs()),
            duration_secs: clip.duration_secs(),
            unit_m: import.frame().metres_per_unit,
            unit_name: import.guess.unit_name.to_string(),
            up: format!("{}{}", if flipped { "-" } else { "" }, up.letter()),
            stature_m: import.guess.stature_m(),
            root_travels: clip.root_travels(),
            body_plan: import.roles.plan(),
            family: family.map(|(name, _)| name.to_owned()),
            family_confidence: family.map(|(_, confidence)| confidence),
            joints,
            loops,
            diagnostics: import.diagnostics.clone(),
        }
    }

    /// What the reader noticed.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }

    /// Everything, for one clip on a terminal.
    pub fn full_text(&self) -> String {
        let mut text = format!("{}\n", printable(&self.file));
        let mut row = |label: &str, value: String| {
            let _ = writeln!(text, "  {label:<9} {value}");
        };
        row("format", self.format.to_owned());
        row("frames", format!("{} ({:.3} s at {})", self.frames, self.duration_secs, self.rate_text()));
        row("unit", format!("{} ({:.6} m)", self.unit_name, self.unit_m));
        row("up", self.up.clone());
        if let Some(stature_m) = self.stature_m {
            row("stature", format!("{stature_m:.2} m"));
        }
        row("body", self.body_text());
        if !self.root_travels {
            row("root", "no translation: the figure is nailed in place".to_owned());
        }
        for cycle in self.loops.iter().flatten() {
            let span = format!("frames {}–{} ({:.3} s)", cycle.start_frame, cycle.end_frame, cycle.period_secs);
            let errors = format!("{:.1} cm, {:.2} m/s", 100.0 * cycle.pose_error_m, cycle.velocity_error_m_per_sec);
            row("loop", format!("{span}, seam {errors}"));
        }
        if self.loops.as_ref().is_some_and(Vec::is_empty) {
            row("loop", "none found".to_owned());
        }
        row("joints", self.joints.len().to_string());
        text.push_str(&tree::text(&self.joints));
        text.truncate(text.trim_end().len());
        text
    }

    /// One line, for many clips.
    pub fn one_line(&self) -> String {
        let warnings = self.diagnostics.iter().filter(|diagnostic| diagnostic.severity == Severity::Warning).count();
        let warned = match warnings {
            0 => String::new(),
            1 => ", 1 warning".to_owned(),
            more => format!(", {more} warnings"),
        };
        format!(
            "{}: {}, {}, {:.2} s at {}, {} joints, {}, {} up{warned}",
            printable(&self.file),
            self.format,
            if self.frames == 1 { "1 frame".to_owned() } else { format!("{} frames", self.frames) },
            self.duration_secs,
            self.rate_text(),
            self.joints.len(),
            self.unit_name,
            self.up,
        )
    }

    fn rate_text(&self) -> String {
        match self.fps {
            Some(fps) if fps.fract() == 0.0 => format!("{fps:.0} Hz"),
            Some(fps) => format!("{fps:.3} Hz"),
            None => "uneven times".to_owned(),
        }
    }

    fn body_text(&self) -> String {
        let plan = format!("{:?}", self.body_plan).to_lowercase();
        match (&self.family, self.family_confidence) {
            (Some(family), Some(confidence)) => format!("{plan}, {family} names ({:.0} %)", 100.0 * confidence),
            _ => plan,
        }
    }
}

fn joint_report(import: &Import, id: aplomb_motion::JointId) -> JointReport {
    let joint = import.clip.skeleton().joint(id);
    let assignment = import.roles.assignment(id);
    JointReport {
        name: joint.name.clone(),
        parent: joint.parent.map(|parent| parent.index()),
        offset_m: joint.offset_m.to_array(),
        channels: joint.channels.as_slice().iter().map(|&channel| channel_name(channel)).collect(),
        end_sites: joint.end_sites.len(),
        moves: import.clip.track(id).is_some(),
        role: assignment.map(|assignment| assignment.role.to_string()),
        confidence: assignment.map(|assignment| assignment.confidence),
        reason: assignment.map(|assignment| assignment.reason.clone()),
    }
}

/// `Tx`, `Rz`, …
fn channel_name(channel: Channel) -> String {
    let lower = |axis: Axis| axis.letter().to_ascii_lowercase();
    match channel {
        Channel::Position(axis) => format!("T{}", lower(axis)),
        Channel::Rotation(axis) => format!("R{}", lower(axis)),
    }
}
