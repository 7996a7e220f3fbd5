//! A whole motion on a given curve of the ground: every handle goes to the place on the curve that lies as far along as
//! it did.

use super::PathEditor;
use crate::EditingError;
use crate::ground_arc::Arc;
use crate::travel_line::TravelLine;
use aplomb_motion::FrameIndex;
use aplomb_motion::spline::NaturalSpline;
use glam::{DQuat, DVec3};

/// Points of a curve nearer than this are one, m.
const SAME_POINT_M: f64 = 1e-3;
/// Samples between two points of a curve, by which its length is measured.
const CURVE_SAMPLES: usize = 32;
/// A motion that leaves its straight line by more than this share of its way is no straight one.
const STRAIGHT_SHARE: f64 = 0.15;

/// What lies this share of an arc's radius outside of it is stretched by as much. A motion that leaves its line farther
/// turns by itself, and is put on the arc along its own way: legs have no tenth to spare (a dog's gallop that drifts by
/// 0.4 m, on a circle of 1.5 m, was lowered by 66 mm).
const MOST_STRETCH: f64 = 0.1;

/// A motion without a straight line must go at least so far along its handles, m.
const LEAST_ROUND_M: f64 = 1.0;

/// Where a motion shall go.
#[derive(Clone, Debug, PartialEq)]
pub enum GroundCurve {
    /// A circle, or a part of one, from where the motion starts and the way it goes.
    Arc(Arc),
    /// A smooth curve through these points (x, z) of the world, m.
    Points {
        /// At least two.
        points_m: Vec<[f64; 2]>,
        /// The motion is stretched to the length of the curve; else it keeps its strides, ends before the curve does or
        /// goes straight on beyond.
        stretch: bool,
        /// The curve is moved and turned so that it begins where the motion does and goes its way; else it lies where
        /// its points say.
        from_start: bool,
    },
}

impl PathEditor {
    /// Puts all handles on a curve. What a handle lay beside its way it lies beside the curve.
    pub fn follow(&mut self, curve: &GroundCurve) -> Result<(), EditingError> {
        let goals_m: Vec<DVec3> = match curve {
            GroundCurve::Arc(arc) => {
                self.check_steps(arc.radius_m)?;
                let moves = arc.moves(self.original())?;
                let line = TravelLine::of(self.original())?;
                let goal = |handle: &super::Handle| moves[handle.key.0].point_m(handle.position_m);
                match self.drifts(&line, arc.radius_m) {
                    true => self.along_arc(arc, &line)?,
                    false => self.handles().iter().map(goal).collect(),
                }
            }
            GroundCurve::Points { points_m, stretch, from_start } => self.on_points(points_m, *stretch, *from_start)?,
        };
        for (handle, goal_m) in goals_m.into_iter().enumerate() {
            let height_m = self.goals_m()[handle].y;
            self.set_handle(handle, goal_m.with_y(height_m))?;
        }
        Ok(())
    }

    /// Whether the motion goes on all the time, but leaves its straight line too far for an arc.
    fn drifts(&self, line: &TravelLine, radius_m: f64) -> bool {
        let places: Vec<_> = self.handles().iter().map(|handle| line.place(FrameIndex(handle.key.0))).collect();
        let (first, last) = (places[0], places[places.len() - 1]);
        let goes_on = places.windows(2).all(|pair| pair[1].along_m >= pair[0].along_m - 0.05);
        let steps_m = self.handles().windows(2).map(|two| (two[1].position_m - two[0].position_m).with_y(0.0).length());
        // To and fro is no way: hops that stay about a place.
        let is_way = steps_m.sum::<f64>() <= (1.0 + MOST_STRETCH) * (last.along_m - first.along_m);
        goes_on && is_way && places.iter().any(|place| place.beside_m.abs() > MOST_STRETCH * radius_m)
    }

    /// Every handle on the arc itself, as far along as it is on its own way.
    fn along_arc(&self, arc: &Arc, line: &TravelLine) -> Result<Vec<DVec3>, EditingError> {
        let (mut along_m, mut last_m) = (0.0, self.handles()[0].position_m);
        let start_m = last_m;
        let mut goals_m = Vec::with_capacity(self.handles().len());
        for handle in self.handles() {
            along_m += (handle.position_m - last_m).with_y(0.0).length();
            last_m = handle.position_m;
            let [ahead_m, left_m] = arc.ahead_and_left_m(along_m)?;
            goals_m.push(start_m + line.ahead() * ahead_m + line.left() * left_m);
        }
        Ok(goals_m)
    }

    /// Handles more than half way round from each other do not tell which way the circle goes between them.
    fn check_steps(&self, radius_m: f64) -> Result<(), EditingError> {
        let steps_m =
            self.handles().windows(2).map(|pair| (pair[1].position_m - pair[0].position_m).with_y(0.0).length());
        if steps_m.fold(0.0, f64::max) > std::f64::consts::PI * radius_m {
            let (what, expected) =
                ("the radius of a followed arc", "so many metres that no step goes more than half way round it");
            return Err(EditingError::Setting { what, expected, found: radius_m });
        }
        Ok(())
    }

    fn on_points(&self, points_m: &[[f64; 2]], stretch: bool, from_start: bool) -> Result<Vec<DVec3>, EditingError> {
        let mut curve = Smooth::through(points_m)?;
        let Way { places_m: places, start_m, ahead } = self.places()?;
        if from_start {
            curve.carry_to(start_m, ahead);
        }
        let way_m = places.last().map_or(0.0, |place| place.0).max(f64::MIN_POSITIVE);
        let scale = if stretch { curve.length_m() / way_m } else { 1.0 };
        Ok(places
            .iter()
            .map(|&(along_m, beside_m)| {
                let (point_m, ahead) = curve.at(along_m * scale);
                point_m + DVec3::Y.cross(ahead) * beside_m
            })
            .collect())
    }

    /// Along and beside the way, for each handle, and where the way begins and leads. A motion that turns by itself is
    /// measured along its handles.
    fn places(&self) -> Result<Way, EditingError> {
        let line = TravelLine::of(self.original());
        if let Ok(line) = &line {
            let place = |handle: &super::Handle| line.place(FrameIndex(handle.key.0));
            let places: Vec<_> = self.handles().iter().map(place).collect();
            let start_m = places[0].along_m;
            let way_m = (places[places.len() - 1].along_m - start_m).abs();
            let goes_on = places.windows(2).all(|pair| pair[1].along_m >= pair[0].along_m - 0.05);
            if goes_on && places.iter().all(|place| place.beside_m.abs() <= STRAIGHT_SHARE * way_m) {
                let on_way = places.iter().map(|place| (place.along_m - start_m, place.beside_m)).collect();
                let start_m = line.start_m() + line.ahead() * start_m;
                return Ok(Way { places_m: on_way, start_m, ahead: line.ahead() });
            }
        }
        let mut along_m = 0.0;
        let mut found = vec![(0.0, 0.0)];
        for pair in self.handles().windows(2) {
            along_m += (pair[1].position_m - pair[0].position_m).with_y(0.0).length();
            found.push((along_m, 0.0));
        }
        // A round comes back to where it began and has no line, but it has a way.
        if let (Err(error), true) = (line, along_m < LEAST_ROUND_M) {
            return Err(error);
        }
        let (first, next) = (self.handles()[0].position_m, self.handles()[1].position_m);
        let ahead = (next - first).with_y(0.0).normalize_or(DVec3::Z);
        Ok(Way { places_m: found, start_m: first, ahead })
    }
}

/// Where the handles of a motion are on its way.
struct Way {
    /// Along and beside it, m.
    places_m: Vec<(f64, f64)>,
    start_m: DVec3,
    ahead: DVec3,
}

/// A natural spline through points, by arc length.
struct Smooth {
    samples_m: Vec<DVec3>,
    along_m: Vec<f64>,
}

impl Smooth {
    fn through(points_m: &[[f64; 2]]) -> Result<Self, EditingError> {
        if let Some(index) = points_m.iter().position(|point| !point.iter().all(|part| part.is_finite())) {
            return Err(EditingError::Curve { problem: format!("point {index} is not finite") });
        }
        let mut knots_m = Vec::new();
        let mut points: Vec<DVec3> = Vec::new();
        for point_m in points_m.iter().map(|&[x, z]| DVec3::new(x, 0.0, z)) {
            let Some(last_m) = points.last() else {
                points.push(point_m);
                knots_m.push(0.0);
                continue;
            };
            let step_m = last_m.distance(point_m);
            if step_m >= SAME_POINT_M {
                knots_m.push(knots_m[knots_m.len() - 1] + step_m);
                points.push(point_m);
            }
        }
        let spline = NaturalSpline::new(&knots_m, &points)
            .map_err(|_| EditingError::Curve { problem: "it needs at least two points that are apart".to_owned() })?;
        let mut samples_m = vec![points[0]];
        for pair in knots_m.windows(2) {
            let inside = (1..=CURVE_SAMPLES).map(|i| pair[0] + (pair[1] - pair[0]) * i as f64 / CURVE_SAMPLES as f64);
            samples_m.extend(inside.map(|at| spline.value(at)));
        }
        let mut along_m = vec![0.0];
        for pair in samples_m.windows(2) {
            along_m.push(along_m[along_m.len() - 1] + pair[0].distance(pair[1]));
        }
        Ok(Self { samples_m, along_m })
    }

    /// Moves and turns the curve so that it begins at a point and in a direction.
    fn carry_to(&mut self, start_m: DVec3, ahead: DVec3) {
        let (from_m, was_ahead) = self.at(0.0);
        let turn = DQuat::from_rotation_y(ahead.x.atan2(ahead.z) - was_ahead.x.atan2(was_ahead.z));
        for point_m in &mut self.samples_m {
            *point_m = start_m.with_y(0.0) + turn * (*point_m - from_m);
        }
    }

    fn length_m(&self) -> f64 {
        self.along_m[self.along_m.len() - 1]
    }

    /// Point and direction; straight on beyond the ends.
    fn at(&self, along_m: f64) -> (DVec3, DVec3) {
        let last = self.samples_m.len() - 2;
        let piece = self.along_m.partition_point(|&at_m| at_m <= along_m).saturating_sub(1).min(last);
        let (a, b) = (self.samples_m[piece], self.samples_m[piece + 1]);
        let ahead = (b - a).normalize_or(DVec3::Z);
        (a + ahead * (along_m - self.along_m[piece]), ahead)
    }
}
