//! What the plates measured, by foot and at the markers' frames.

use aplomb_formats::opensim::ForcePlate;
use aplomb_motion::signal::gaussian::Gaussian;
use glam::DVec3;
use std::ops::Range;

/// A span in which a plate carries more than a threshold, s.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Loaded {
    pub start_secs: f64,
    pub end_secs: f64,
    /// Whether the recording itself begins (ends) here.
    pub cut: [bool; 2],
}

impl Loaded {
    pub fn overlaps(&self, start_secs: f64, end_secs: f64) -> bool {
        self.start_secs < end_secs && start_secs < self.end_secs
    }
}

/// Plates with evenly spaced times.
pub struct Plates {
    pub start_secs: f64,
    pub step_secs: f64,
    pub plates: Vec<ForcePlate>,
}

impl Plates {
    pub fn rows(&self) -> usize {
        self.plates.iter().map(|plate| plate.force_n.len()).min().unwrap_or(0)
    }

    pub fn secs(&self, row: usize) -> f64 {
        self.start_secs + row as f64 * self.step_secs
    }

    fn row_of(&self, secs: f64) -> f64 {
        ((secs - self.start_secs) / self.step_secs).clamp(0.0, self.rows().saturating_sub(1) as f64)
    }

    /// Spans in which one plate carries more than `least_n`, edges by a straight line between samples.
    pub fn loaded(&self, plate: usize, least_n: f64) -> Vec<Loaded> {
        let force = |row: usize| self.plates[plate].force_n[row].y;
        let rows = self.rows();
        let mut spans: Vec<Loaded> = Vec::new();
        let crossing = |row: usize| {
            let (before, after) = (force(row - 1), force(row));
            self.secs(row - 1) + self.step_secs * (least_n - before) / (after - before)
        };
        let mut start: Option<usize> = None;
        for row in 0..=rows {
            let is_on = row < rows && force(row) > least_n;
            match (start, is_on) {
                (None, true) => start = Some(row),
                (Some(from), false) => {
                    let cut = [from == 0, row == rows];
                    let start_secs = if cut[0] { self.secs(0) } else { crossing(from) };
                    let end_secs = if cut[1] { self.secs(rows - 1) } else { crossing(row) };
                    spans.push(Loaded { start_secs, end_secs, cut });
                    start = None;
                }
                _ => {}
            }
        }
        spans
    }

    /// Mean centre of pressure of a plate over a span, weighted by force.
    pub fn point_m(&self, plate: usize, secs: Range<f64>) -> Option<DVec3> {
        let plate = &self.plates[plate];
        let (mut moment, mut weight) = (DVec3::ZERO, 0.0);
        for row in self.row_of(secs.start).ceil() as usize..=self.row_of(secs.end).floor() as usize {
            let force = plate.force_n[row].y;
            if let Some(point_m) = plate.point_m[row].filter(|_| force > 0.0) {
                moment += point_m * force;
                weight += force;
            }
        }
        (weight > 0.0).then(|| moment / weight)
    }

    /// Total force and first moments (Σ F_y p) at given times after smoothing with the window `window_secs`: what a
    /// low-passed force and its centre of pressure are.
    pub fn smoothed(&self, window_secs: f64, times_secs: &[f64]) -> Vec<Total> {
        let rows = self.rows();
        let mut force_n = vec![DVec3::ZERO; rows];
        let mut moment_n_m = vec![DVec3::ZERO; rows];
        for plate in &self.plates {
            for row in 0..rows {
                force_n[row] += plate.force_n[row];
                if let Some(point_m) = plate.point_m[row].filter(|_| plate.force_n[row].y > 0.0) {
                    moment_n_m[row] += point_m * plate.force_n[row].y;
                }
            }
        }
        let gaussian = Gaussian::from_window_secs(window_secs, self.step_secs).unwrap();
        let (force_n, moment_n_m) = (gaussian.smooth(&force_n), gaussian.smooth(&moment_n_m));
        let at = |secs: f64| {
            let row = self.row_of(secs);
            let (below, share) = ((row as usize).min(rows - 2), row - (row as usize).min(rows - 2) as f64);
            Total {
                force_n: force_n[below].lerp(force_n[below + 1], share),
                moment_n_m: moment_n_m[below].lerp(moment_n_m[below + 1], share),
            }
        };
        times_secs.iter().map(|&secs| at(secs)).collect()
    }

    pub fn mean_force_n(&self, secs: Range<f64>) -> f64 {
        let rows = self.row_of(secs.start).round() as usize..self.row_of(secs.end).round() as usize;
        let count = rows.len().max(1) as f64;
        rows.map(|row| self.plates.iter().map(|plate| plate.force_n[row].y).sum::<f64>()).sum::<f64>() / count
    }

    pub fn span_secs(&self) -> Range<f64> {
        self.start_secs..self.secs(self.rows() - 1)
    }
}

/// All plates together.
#[derive(Clone, Copy, Debug)]
pub struct Total {
    pub force_n: DVec3,
    pub moment_n_m: DVec3,
}
