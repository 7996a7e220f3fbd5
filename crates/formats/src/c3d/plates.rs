//! Force plates: which channels a plate has, where it stands, and what it says about the force on the body.
//!
//! Types 1 to 4 of the C3D user guide. With F the force and M the moment that a plate measures at its true origin, and
//! O the vector ORIGIN from there to the middle of its surface, the moment at the surface is M_s = M + F × O, the
//! centre of pressure is (−M_s,y, M_s,x)/F_z in the plate's own axes, and the free moment is T_z = M_s,z − (x F_y − y
//! F_x).

use super::C3dFile;
use super::parameters::Parameters;
use crate::diagnostic::Diagnostic;
use crate::opensim::ForcePlate;
use aplomb_motion::{Axis, SignedPermutation};
use glam::{DMat3, DVec3};

/// Below this a centre of pressure is noise divided by noise (N).
const LEAST_FORCE_N: f64 = 20.0;

/// What all plates measured.
#[derive(Clone, Debug)]
pub struct C3dForces {
    /// Samples a second.
    pub rate_hz: f64,
    /// Force on the body, metres and newtons, Y up; the first sample is at the first frame of the markers.
    pub plates: Vec<ForcePlate>,
}

/// Whether the mean over the frames of `FORCE_PLATFORM:ZERO` is taken off each channel, as the file asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Baseline {
    /// As the file says.
    Removed,
    /// Channels as they are.
    Kept,
}

/// One plate as the file describes it, in file units.
pub(super) struct Plate {
    kind: u32,
    /// Analog channels, from 0.
    channels: Vec<usize>,
    corners: [DVec3; 4],
    origin: DVec3,
    /// Rows of the calibration of type 4.
    calibration: Option<[[f64; 6]; 6]>,
}

/// All plates, checked; none if the file has none.
pub(super) fn plates(parameters: &Parameters, analog_channels: usize) -> Result<Vec<Plate>, Box<Diagnostic>> {
    let used = parameters.number("FORCE_PLATFORM", "USED").unwrap_or(0.0);
    let numbers = |name: &str| parameters.numbers("FORCE_PLATFORM", name).unwrap_or_default();
    if !(1.0..=255.0).contains(&used) {
        return Ok(Vec::new());
    }
    let fault = |plate: usize, expected: &str, found: String| {
        Box::new(Diagnostic::error("C3D-E012", format!("plate {}: {expected}", plate + 1), found))
    };
    let rows = parameters.get("FORCE_PLATFORM", "CHANNEL").and_then(|channel| channel.dimensions.first().copied());
    let rows = rows.unwrap_or(0);
    let mut plates = Vec::new();
    for plate in 0..used as usize {
        let kind = numbers("TYPE").get(plate).copied().unwrap_or(0.0);
        if !(1.0..=255.0).contains(&kind) {
            return Err(fault(plate, "a TYPE", kind.to_string()));
        }
        let kind = kind as u32;
        let wanted = if kind == 3 { 8 } else { 6 };
        let channels = numbers("CHANNEL").get(plate * rows..plate * rows + rows).unwrap_or_default();
        let channels: Option<Vec<usize>> = channels
            .iter()
            .take(wanted)
            .map(|&channel| (channel >= 1.0 && channel <= analog_channels as f64).then(|| channel as usize - 1))
            .collect();
        let channels = channels.filter(|channels| channels.len() == wanted);
        let channels = channels.ok_or_else(|| {
            fault(plate, &format!("{wanted} CHANNELs of {analog_channels}"), format!("{:?}", numbers("CHANNEL")))
        })?;
        let corner = |index: usize| vector(numbers("CORNERS"), 12 * plate + 3 * index);
        let corners = corner(0).zip(corner(1)).zip(corner(2)).zip(corner(3)).map(|(((a, b), c), d)| [a, b, c, d]);
        let corners = corners.filter(|corners| frame_of(corners).is_some());
        let corners =
            corners.ok_or_else(|| fault(plate, "four CORNERS", format!("{} numbers", numbers("CORNERS").len())))?;
        let origin = vector(numbers("ORIGIN"), 3 * plate).unwrap_or(DVec3::ZERO);
        // The origin lies below the surface, and Z of a plate points down: files that have it above mean the way back
        // (as ezc3d reads them).
        let origin = if kind != 3 && origin.z > 0.0 { -origin } else { origin };
        let calibration = match kind {
            4 => {
                let matrix = numbers("CAL_MATRIX").get(36 * plate..36 * plate + 36);
                let matrix = matrix.filter(|matrix| matrix.iter().all(|number| number.is_finite()));
                let matrix = matrix.ok_or_else(|| {
                    fault(plate, "a CAL_MATRIX of 6 × 6", format!("{} numbers", numbers("CAL_MATRIX").len()))
                })?;
                // The first index, which is the row, runs fastest.
                Some(std::array::from_fn(|row| std::array::from_fn(|column| matrix[6 * column + row])))
            }
            _ => None,
        };
        plates.push(Plate { kind, channels, corners, origin, calibration });
    }
    Ok(plates)
}

fn vector(numbers: &[f64], at: usize) -> Option<DVec3> {
    let three = numbers.get(at..)?.first_chunk::<3>()?;
    Some(DVec3::from(*three)).filter(|vector| vector.is_finite())
}

/// Axes of a plate in the world: x from corner 2 to 1, y from corner 4 to 1; `None` if corners fall together.
fn frame_of(corners: &[DVec3; 4]) -> Option<DMat3> {
    let x = (corners[0] - corners[1]).try_normalize()?;
    let across = (corners[0] - corners[3]).try_normalize()?;
    let z = x.cross(across).try_normalize()?;
    Some(DMat3::from_cols(x, z.cross(x), z))
}

/// The axis that stands on the plates, if all agree.
pub(super) fn up_axis(plates: &[Plate]) -> Option<Axis> {
    let normal = |plate: &Plate| {
        let normal = frame_of(&plate.corners)?.z_axis.abs();
        Axis::ALL.into_iter().find(|axis| normal[axis.index()] > 0.99)
    };
    let first = normal(plates.first()?)?;
    plates.iter().all(|plate| normal(plate) == Some(first)).then_some(first)
}

impl C3dFile<'_> {
    /// What the plates say about the force on the body.
    pub fn forces(&self, baseline: Baseline, notes: &mut Vec<Diagnostic>) -> Result<C3dForces, Box<Diagnostic>> {
        let mut measured = Vec::new();
        for (index, plate) in plates(&self.parameters, self.analog_channels)?.iter().enumerate() {
            if plate.kind > 4 {
                let found = format!("plate {} is of type {}", index + 1, plate.kind);
                notes.push(Diagnostic::warning("C3D-W005", "", found));
                continue;
            }
            let channels: Vec<Vec<f64>> =
                plate.channels.iter().map(|&channel| self.zeroed(channel, baseline)).collect();
            measured.push(self.force_plate(index, plate, &channels));
        }
        Ok(C3dForces { rate_hz: self.markers.rate_hz * self.samples_a_frame as f64, plates: measured })
    }

    fn zeroed(&self, channel: usize, baseline: Baseline) -> Vec<f64> {
        let mut values = self.analog(channel);
        let Some([from, to]) =
            self.parameters.numbers("FORCE_PLATFORM", "ZERO").and_then(|zero| zero.first_chunk::<2>())
        else {
            return values;
        };
        // Frames from 1; 0 to 0, and ends before the start, ask for nothing.
        if baseline == Baseline::Kept || *from < 1.0 || to < from {
            return values;
        }
        let samples = |frame: f64| (frame as usize).saturating_mul(self.samples_a_frame);
        let quiet = values.get(samples(from - 1.0)..samples(*to).min(values.len())).unwrap_or_default();
        if !quiet.is_empty() {
            let mean = quiet.iter().sum::<f64>() / quiet.len() as f64;
            values.iter_mut().for_each(|value| *value -= mean);
        }
        values
    }

    fn force_plate(&self, index: usize, plate: &Plate, channels: &[Vec<f64>]) -> ForcePlate {
        let unit_m = self.metres_per_unit;
        let world_from_plate = frame_of(&plate.corners).unwrap_or(DMat3::IDENTITY);
        let middle = plate.corners.iter().sum::<DVec3>() / 4.0;
        let y_up = SignedPermutation::lifting(self.up);
        let samples = channels.iter().map(Vec::len).min().unwrap_or(0);
        let mut wrenches = Vec::with_capacity(samples);
        for sample in 0..samples {
            let raw: Vec<f64> = channels.iter().map(|channel| channel[sample]).collect();
            wrenches.push(plate.at_surface(&raw));
        }
        // A plate pushes and never pulls: whatever sign its maker chose, the body is pushed up.
        let vertical = |force: DVec3| y_up.vector(world_from_plate * force).y;
        let total_up_n: f64 = wrenches.iter().map(|(force, _)| vertical(*force)).sum();
        let sign = if total_up_n < 0.0 { -1.0 } else { 1.0 };
        let (mut force_n, mut point_m, mut torque_n_m) = (Vec::new(), Vec::new(), Vec::new());
        for (force, surface) in wrenches {
            let place = (force.z.abs() >= LEAST_FORCE_N).then(|| match surface {
                Surface::Moment(moment) => DVec3::new(-moment.y / force.z, moment.x / force.z, 0.0),
                Surface::Point(point, _) => point,
            });
            let twist = match (surface, place) {
                (Surface::Moment(moment), Some(at)) => moment.z - (at.x * force.y - at.y * force.x),
                (Surface::Moment(moment), None) => moment.z,
                (Surface::Point(_, twist), _) => twist,
            };
            force_n.push(sign * y_up.vector(world_from_plate * force));
            point_m.push(place.map(|at| unit_m * y_up.vector(world_from_plate * at + middle)));
            torque_n_m.push(sign * unit_m * y_up.vector(world_from_plate * DVec3::new(0.0, 0.0, twist)));
        }
        ForcePlate { name: format!("plate_{}", index + 1), force_n, point_m, torque_n_m }
    }
}

/// What is known at the middle of the surface: a moment, or a centre of pressure and a free moment.
#[derive(Clone, Copy)]
enum Surface {
    Moment(DVec3),
    Point(DVec3, f64),
}

impl Plate {
    /// Force, and moment at the surface, in the plate's axes.
    fn at_surface(&self, raw: &[f64]) -> (DVec3, Surface) {
        let of = |index: usize| raw.get(index).copied().unwrap_or(0.0);
        match self.kind {
            1 => (DVec3::new(of(0), of(1), of(2)), Surface::Point(DVec3::new(of(3), of(4), 0.0), of(5))),
            3 => {
                // Kistler: four sensors at (±a, ±b), and the surface az0 above them (negative).
                let (a, b, az0) = (self.origin.x, self.origin.y, self.origin.z);
                let force = DVec3::new(of(0) + of(1), of(2) + of(3), of(4) + of(5) + of(6) + of(7));
                let moment = DVec3::new(
                    b * (of(4) + of(5) - of(6) - of(7)),
                    a * (of(5) + of(6) - of(4) - of(7)),
                    b * (of(1) - of(0)) + a * (of(2) - of(3)),
                );
                (force, Surface::Moment(moment + force.cross(DVec3::new(0.0, 0.0, az0))))
            }
            _ => {
                let mut six: [f64; 6] = std::array::from_fn(of);
                if let Some(rows) = &self.calibration {
                    six = rows.map(|row| row.iter().zip(&six).map(|(gain, value)| gain * value).sum());
                }
                let (force, moment) = (DVec3::new(six[0], six[1], six[2]), DVec3::new(six[3], six[4], six[5]));
                (force, Surface::Moment(moment + force.cross(self.origin)))
            }
        }
    }
}
