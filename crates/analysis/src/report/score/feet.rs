//! How high feet stand (score.md: floor, hover). How far they slide is the report's `drift`.

use crate::contacts::floor::{densest_height_m, floor_height_m};
use crate::contacts::{Effector, Part};
use crate::median::median;
use crate::report::evidence::Evidence;
use aplomb_motion::signal::gaussian::Gaussian;
use glam::DVec3;

/// Shorter stances say nothing about heights, s. Sliding is judged by shorter ones, too (`drift`).
const LEAST_LEVEL_STANCE_SECS: f64 = 0.12;
/// Stances farther from the floor stand on something else, m.
const RAISED_STANCE_M: f64 = 0.08;
/// In captures a ball's joint stands this high over the floor, m; that of the built-in figure lies lower.
const CAPTURED_BALL_HEIGHT_M: f64 = 0.035;
/// A floor farther off than this is a choice of origin, m.
const FARTHEST_FLOOR_M: f64 = 0.25;

/// The points whose height tells the floor: feet stand on their balls from heel strike to lift-off; paws are feet of
/// their own.
const PARTS: [Part; 3] = [Part::Ball, Part::FrontPaw, Part::HindPaw];

/// Heights of feet over the ground while they stand.
pub(super) struct Feet<'a> {
    stances: Vec<Stance<'a>>,
    step_secs: f64,
    kernel_m: f64,
    floor_share: f64,
}

struct Stance<'a> {
    effector: &'a Effector,
    /// One a sample, m.
    heights_m: Vec<f64>,
}

impl Stance<'_> {
    /// Mean distance from a height. Not the distance of a median: a foot that floats for a part of its stance floats.
    fn off_m(&self, floor_m: f64) -> Option<f64> {
        let sum_m: f64 = self.heights_m.iter().map(|height_m| (height_m - floor_m).abs()).sum();
        (!self.heights_m.is_empty()).then(|| sum_m / self.heights_m.len() as f64)
    }
}

impl<'a> Feet<'a> {
    pub fn of(evidence: &Evidence<'a>) -> Option<Self> {
        let even = evidence.even.as_ref()?;
        let options = &evidence.options.contacts;
        let smoother = Gaussian::from_window_secs(options.smoothing_secs, even.step_secs).ok()?;
        let mut stances = Vec::new();
        let feet = evidence.contacts.effectors.iter().zip(&even.points_m);
        for (effector, path_m) in feet.filter(|(effector, _)| PARTS.contains(&effector.part)) {
            let heights_m: Vec<f64> = path_m.iter().map(|point_m| options.ground.height_m(*point_m)).collect();
            let heights_m = smoother.smooth(&heights_m);
            let contacts = evidence.contacts.contacts_of(&effector.name);
            stances.extend(contacts.map(|contact| {
                let samples = even.range_of_secs(contact.start_secs, contact.end_secs);
                Stance { effector, heights_m: heights_m[samples].to_vec() }
            }));
        }
        let (kernel_m, floor_share) = (options.floor_kernel_m, options.floor_share);
        Some(Self { stances, step_secs: even.step_secs, kernel_m, floor_share })
    }

    /// How far the floor of the clip is off the ground, m.
    pub fn floor_m(&self) -> Option<f64> {
        let ball = self.of_part(Part::Ball).next()?;
        // A foot in one piece has its ball on the sole.
        let usual_m = if ball.effector.point_in_joint_m == DVec3::ZERO { CAPTURED_BALL_HEIGHT_M } else { 0.0 };
        let floor_m = self.densest_m(Part::Ball)?;
        // A body mostly higher than the floor is on stairs, ledges or rough ground: it is not known where
        // the ground's zero is.
        let heights_m = self.of_part(Part::Ball).flat_map(|stance| stance.heights_m.iter().copied());
        if densest_height_m(heights_m.collect(), self.kernel_m)? - floor_m > RAISED_STANCE_M {
            return None;
        }
        let off_m = (floor_m - usual_m).abs();
        (off_m <= FARTHEST_FLOOR_M).then_some(off_m)
    }

    /// How far stances are off the clip's floor, weighted by time, m.
    pub fn hover_m(&self) -> Option<f64> {
        let (mut metre_secs, mut secs) = (0.0, 0.0);
        for part in PARTS {
            let Some(floor_m) = self.usual_m(part) else { continue };
            for stance in self.of_part(part) {
                let stance_secs = stance.heights_m.len() as f64 * self.step_secs;
                let off_m = stance.off_m(floor_m);
                if let Some(off_m) =
                    off_m.filter(|&off_m| stance_secs >= LEAST_LEVEL_STANCE_SECS && off_m <= RAISED_STANCE_M)
                {
                    metre_secs += off_m * stance_secs;
                    secs += stance_secs;
                }
            }
        }
        (secs > 0.0).then(|| metre_secs / secs)
    }

    /// The middle of what is near the densest height. Where stances lie at several heights (a floor that is not level),
    /// the densest one jumps from one of them to another with the last sample; the middle does not, and no height is
    /// nearer to all of them.
    fn usual_m(&self, part: Part) -> Option<f64> {
        let densest_m = self.densest_m(part)?;
        let heights_m = self.of_part(part).flat_map(|stance| stance.heights_m.iter().copied());
        let mut near_m: Vec<f64> =
            heights_m.filter(|height_m| (height_m - densest_m).abs() <= RAISED_STANCE_M).collect();
        median(&mut near_m)
    }

    fn of_part(&self, part: Part) -> impl Iterator<Item = &Stance<'a>> {
        self.stances.iter().filter(move |stance| stance.effector.part == part)
    }

    /// The floor that points of a kind stand on.
    fn densest_m(&self, part: Part) -> Option<f64> {
        let heights_m = self.of_part(part).flat_map(|stance| stance.heights_m.iter().copied());
        floor_height_m(heights_m.collect(), self.kernel_m, RAISED_STANCE_M, self.floor_share)
    }
}
