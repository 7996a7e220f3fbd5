//! An arc on the ground, and where a motion along a straight line comes to lie on it.

mod centreline;

use crate::EditingError;
use crate::travel_line::TravelLine;
use aplomb_motion::edit::GroundMove;
use aplomb_motion::{Clip, FrameIndex, Side};
use aplomb_physics::GRAVITY;
use centreline::Centreline;
use serde::{Deserialize, Serialize};

/// Which arc, and how much of the way is bent. The default bends all of it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Arc {
    /// Of the line that the motion travels along, m. Infinite is straight.
    pub radius_m: f64,
    /// To which side of the *travel* it bends (someone walking backwards bends to the side on the left of the way, not
    /// of the body).
    pub side: Side,
    /// The first so many metres of the way stay straight.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lead_in_m: Option<f64>,
    /// So many metres of the way are bent, then it goes on straight ahead. Without it, everything after the lead-in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub length_m: Option<f64>,
    /// The curvature rises and falls evenly over so many metres at either end of the bend, half of them inside it.
    /// Without it the heading starts to turn at once, which is a jump of angular velocity of speed / radius.
    #[serde(default)]
    pub ease_m: f64,
}

impl Arc {
    /// Everything on one arc.
    pub fn new(radius_m: f64, side: Side) -> Self {
        Self { radius_m, side, lead_in_m: None, length_m: None, ease_m: 0.0 }
    }

    /// The radius at which someone of this speed leans by `lean_rad` in a steady turn: r = v²/(g·tan λ).
    pub fn radius_for_lean_m(speed: f64, lean_rad: f64) -> f64 {
        speed * speed / (GRAVITY * lean_rad.tan())
    }

    /// The same arc for the part of the way that is travelled between two times; without one of them, from the start or
    /// to the end.
    pub fn between(self, clip: &Clip, from_secs: Option<f64>, to_secs: Option<f64>) -> Result<Self, EditingError> {
        let duration_secs = clip.duration_secs();
        let (start, end) = (from_secs.unwrap_or(0.0), to_secs.unwrap_or(duration_secs));
        if !(start >= 0.0 && start < end && end <= duration_secs + 1e-9) {
            return Err(EditingError::EmptySpan { from_secs: start, to_secs: end, duration_secs });
        }
        let line = TravelLine::of(clip)?;
        let start_secs = clip.time_secs(FrameIndex(0));
        let along_m = |secs: f64| {
            let is_before = |frame: &FrameIndex| clip.time_secs(*frame) - start_secs < secs - 1e-9;
            let frame = clip.frames().take_while(is_before).count().min(clip.frame_count().saturating_sub(1));
            line.place(FrameIndex(frame)).along_m
        };
        let start_m = along_m(start).max(0.0);
        let lead_in_m = from_secs.map(|_| start_m);
        Ok(Self { lead_in_m, length_m: to_secs.map(|_| along_m(end) - start_m), ..self })
    }

    /// How the body of each frame is moved on the ground.
    pub fn moves(&self, clip: &Clip) -> Result<Vec<GroundMove>, EditingError> {
        let line = TravelLine::of(clip)?;
        let centreline = self.centreline()?;
        self.check_sway(&line)?;
        Ok(clip.frames().map(|frame| self.move_at(&line, &centreline, frame)).collect())
    }

    /// The place so far along the arc, ahead and to the left of where it starts.
    pub(crate) fn ahead_and_left_m(&self, along_m: f64) -> Result<[f64; 2], EditingError> {
        let place = self.centreline()?.at(along_m);
        Ok([place.ahead_m, place.left_m])
    }

    pub(crate) fn centreline(&self) -> Result<Centreline, EditingError> {
        let setting = |what, expected, found| EditingError::Setting { what, expected, found };
        if self.radius_m.is_nan() || self.radius_m <= 0.0 {
            return Err(setting("the radius of the arc", "more than 0 m", self.radius_m));
        }
        if !(self.ease_m >= 0.0 && self.ease_m.is_finite()) {
            return Err(setting("the ease of the arc", "0 m or more", self.ease_m));
        }
        if let Some(found) = self.lead_in_m.filter(|lead_m| !(*lead_m >= 0.0 && lead_m.is_finite())) {
            return Err(setting("the lead-in of the arc", "0 m or more", found));
        }
        if let Some(found) = self.length_m.filter(|length_m| !(*length_m >= self.ease_m && *length_m > 0.0)) {
            return Err(setting("the length of the arc", "more than 0 m and at least its ease", found));
        }
        let to_left = match self.side {
            Side::Left => 1.0,
            Side::Right => -1.0,
        };
        // An arc without lead-in goes on backwards too: a body that sways back behind its start stays on the circle.
        let starts_bent = self.lead_in_m.is_none() && self.length_m.is_none() && self.ease_m == 0.0;
        let start_m = if starts_bent { None } else { Some(self.lead_in_m.unwrap_or(0.0)) };
        Ok(Centreline::new(to_left / self.radius_m, start_m, self.length_m, self.ease_m))
    }

    /// Beyond the centre of the circle the way would run backwards.
    pub(crate) fn check_sway(&self, line: &TravelLine) -> Result<(), EditingError> {
        let inward = |beside_m: f64| if self.side == Side::Left { beside_m } else { -beside_m };
        let sway_m = line.places().map(|place| inward(place.beside_m)).fold(0.0, f64::max);
        match sway_m < self.radius_m {
            true => Ok(()),
            false => Err(EditingError::ArcTooTight { radius_m: self.radius_m, sway_m }),
        }
    }

    pub(crate) fn move_at(&self, line: &TravelLine, centreline: &Centreline, frame: FrameIndex) -> GroundMove {
        let place = line.place(frame);
        let on_arc = centreline.at(place.along_m);
        let (sin, cos) = on_arc.heading_rad.sin_cos();
        // p' = C(s) + w·N(s), N = (−sin θ, cos θ) in the axes ahead and left of the line.
        let ahead_m = on_arc.ahead_m - place.beside_m * sin;
        let left_m = on_arc.left_m + place.beside_m * cos;
        GroundMove::turning_onto(on_arc.heading_rad, line.point_m(place), line.at_m(ahead_m, left_m))
    }
}
