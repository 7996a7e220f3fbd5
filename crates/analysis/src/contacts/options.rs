//! Every constant of the contact rule, with its unit.

use super::rate_source::RateSource;
use crate::error::AnalysisError;
use crate::ground::Ground;
use aplomb_motion::JointId;
use aplomb_physics::GRAVITY;
use glam::DVec3;

/// A point of the body that the user wants watched.
#[derive(Clone, Debug, PartialEq)]
pub struct NamedPoint {
    /// As it will be reported.
    pub name: String,
    /// The joint it moves with.
    pub joint: JointId,
    /// In that joint's frame, m.
    pub point_in_joint_m: DVec3,
    /// Whether it may rest on something above the floor (a seat, a bar). Without it only the floor counts, as for
    /// hands: anything that hangs still would otherwise "touch" the air.
    pub may_be_raised: bool,
}

/// The constants of contacts.md. Defaults are the measured ones; the numbers in brackets are the page's points.
#[derive(Clone, Debug, PartialEq)]
pub struct ContactOptions {
    /// Points are watched at this rate at least (0), Hz.
    pub detection_hz: f64,
    /// A jump of one or two frames farther than this is bridged (0), m.
    pub spike_m: f64,
    /// Toe tip past the ball where the skeleton has no end site (1), m.
    pub toe_past_ball_m: f64,
    /// Smoothing time of points and of the centre of mass (1, 6), s.
    pub smoothing_secs: f64,
    /// Half the window of the local floor (2), s.
    pub floor_window_secs: f64,
    /// Share of the window below the local floor (2).
    pub floor_quantile: f64,
    /// Width of the kernel that finds the densest height (2), m.
    pub floor_kernel_m: f64,
    /// A local floor farther than this from the clip's is a raised support (2), m.
    pub raised_m: f64,
    /// Of levels that feet stand on, the floor is the lowest that is used for this share of the time of the most used
    /// one (2).
    pub floor_share: f64,
    /// A still foot or palm that nothing else explains the force over is a support if that is, in the middle, this
    /// share of the weight (2).
    pub carrier_force: f64,
    /// It has to last this long, or the other foot stands as high within a second (2), s.
    pub carrier_secs: f64,
    /// A palm no higher than this over the floor may be such a support (2), m.
    pub palm_height_m: f64,
    /// The plane heights are measured from (2).
    pub ground: Ground,
    /// Least speed threshold V of two-legged bodies (3), m/s.
    pub speed: f64,
    /// Least speed threshold of four-legged bodies (3), m/s.
    pub quadruped_speed: f64,
    /// V per horizontal speed of the root (3).
    pub speed_per_root_speed: f64,
    /// Smoothing time of the root's speed (3), s.
    pub root_smoothing_secs: f64,
    /// Height threshold H of two-legged bodies (3), m.
    pub height_m: f64,
    /// Height threshold of four-legged bodies (3), m.
    pub quadruped_height_m: f64,
    /// A contact ends above this many H (4).
    pub off_height: f64,
    /// It ends above this many V, too, running forward in time: lift-off (4).
    pub off_speed_forward: f64,
    /// It ends above this many V, too, running backward: touchdown (4).
    pub off_speed_backward: f64,
    /// Shorter gaps are closed (4), s.
    pub least_gap_secs: f64,
    /// Shorter contacts are dropped (4), s.
    pub least_contact_secs: f64,
    /// Longer airborne spans are no flights (5), s.
    pub longest_flight_secs: f64,
    /// Magnitude of gravity, m/s².
    pub gravity: f64,
    /// Edges of flights move inward while the ground carries more than this share of the weight (6).
    pub edge_force: f64,
    /// Edges move no farther than this (6), s.
    pub edge_reach_secs: f64,
    /// Nor do they move to where the points that would touch are more than this many H over their floor (6): a foot so
    /// high carries nothing.
    pub edge_height: f64,
    /// Shorter flights are dropped (6), s.
    pub least_flight_secs: f64,
    /// Part of a flight that gravity is fitted to (7).
    pub fit_share: f64,
    /// Fewer samples than this in that part: all of the flight is taken (7).
    pub fit_least_samples: usize,
    /// Least fitted g of a verified flight (7), m/s².
    pub least_g: f64,
    /// Largest fitted g of a verified flight (7), m/s².
    pub most_g: f64,
    /// Flights outside that range are `short` up to this length (7), s.
    pub short_flight_secs: f64,
    /// They are also `short` while noise explains by how much: so much in a tenth of a second, and with 1/T² (7), m/s².
    pub g_noise_at_tenth: f64,
    /// The ball of a foot, or a paw, this far below its standing height in flight makes it doubtful (7), m.
    pub sunk_m: f64,
    /// A median kinematic g above this means a wrong rate or unit (7), m/s².
    pub wrong_clock_g: f64,
    /// Flights that the median needs (7).
    pub clock_flights: usize,
    /// One flight is enough if it lasts this long (7), s.
    pub clock_flight_secs: f64,
    /// Where no flight is verified at the header's rate: one fall of that length, airborne and without force, at a
    /// slower rate, with a fitted g in this range, m/s².
    pub clear_flight_g: [f64; 2],
    /// With at most this residual such a fall shows that the slower rate is the true one, m.
    pub clear_flight_residual_m: f64,
    /// Statures beyond these bounds make the unit wrong, not the rate (issue: header lies), m.
    pub plausible_stature_m: [f64; 2],
    /// Whether a wrong rate is corrected for the analysis, as the page says, or only reported.
    pub correct_rate: bool,
    /// Where the clip's rate comes from, for messages.
    pub rate_source: RateSource,
    /// A planted point moves slower than this (8), m/s.
    pub pin_speed: f64,
    /// It does so for at least this long (8), s.
    pub least_pin_secs: f64,
    /// Else its slowest stretch of this length is taken (8), s.
    pub slowest_pin_secs: f64,
    /// The heel's pin ends this long after the ball's begins (8), s.
    pub hand_over_secs: f64,
    /// More points to watch (1, 10).
    pub named_points: Vec<NamedPoint>,
}

impl Default for ContactOptions {
    fn default() -> Self {
        Self {
            detection_hz: 100.0,
            spike_m: 0.05,
            toe_past_ball_m: 0.07,
            smoothing_secs: 0.08,
            floor_window_secs: 0.6,
            floor_quantile: 0.04,
            floor_kernel_m: 0.01,
            raised_m: 0.08,
            floor_share: 1.0 / 3.0,
            carrier_force: 0.7,
            carrier_secs: 0.3,
            palm_height_m: 0.2,
            ground: Ground::default(),
            speed: 0.45,
            quadruped_speed: 0.35,
            speed_per_root_speed: 0.15,
            root_smoothing_secs: 0.4,
            height_m: 0.05,
            quadruped_height_m: 0.04,
            off_height: 1.4,
            off_speed_forward: 1.8,
            off_speed_backward: 1.3,
            least_gap_secs: 0.06,
            least_contact_secs: 0.06,
            longest_flight_secs: 1.2,
            gravity: GRAVITY,
            edge_force: 0.35,
            edge_reach_secs: 0.1,
            edge_height: 2.0,
            least_flight_secs: 0.06,
            fit_share: 0.8,
            fit_least_samples: 5,
            least_g: 8.5,
            most_g: 12.7,
            short_flight_secs: 0.12,
            g_noise_at_tenth: 1.5,
            sunk_m: 0.03,
            wrong_clock_g: 20.0,
            clock_flights: 3,
            clock_flight_secs: 0.25,
            clear_flight_g: [8.5, 12.7],
            clear_flight_residual_m: 0.01,
            plausible_stature_m: [0.5, 2.5],
            correct_rate: true,
            rate_source: RateSource::default(),
            pin_speed: Self::PIN_SPEED,
            least_pin_secs: 0.1,
            slowest_pin_secs: 0.05,
            hand_over_secs: 0.05,
            named_points: Vec::new(),
        }
    }
}

impl ContactOptions {
    /// What is still, unless options say otherwise (8), m/s.
    pub const PIN_SPEED: f64 = 0.15;

    /// Refuses what would divide by zero, never end, or make every frame a contact.
    pub fn check(&self) -> Result<(), AnalysisError> {
        let not_negative = "finite and not negative";
        let positive = "finite and more than zero";
        for (name, found) in [
            ("spike_m", self.spike_m),
            ("toe_past_ball_m", self.toe_past_ball_m),
            ("smoothing_secs", self.smoothing_secs),
            ("floor_window_secs", self.floor_window_secs),
            ("raised_m", self.raised_m),
            ("floor_share", self.floor_share),
            ("carrier_force", self.carrier_force),
            ("carrier_secs", self.carrier_secs),
            ("palm_height_m", self.palm_height_m),
            ("g_noise_at_tenth", self.g_noise_at_tenth),
            ("speed_per_root_speed", self.speed_per_root_speed),
            ("root_smoothing_secs", self.root_smoothing_secs),
            ("least_gap_secs", self.least_gap_secs),
            ("least_contact_secs", self.least_contact_secs),
            ("edge_reach_secs", self.edge_reach_secs),
            ("edge_height", self.edge_height),
            ("least_flight_secs", self.least_flight_secs),
            ("sunk_m", self.sunk_m),
            ("least_pin_secs", self.least_pin_secs),
            ("hand_over_secs", self.hand_over_secs),
        ] {
            within(name, not_negative, found, found >= 0.0)?;
        }
        for (name, found) in [
            ("speed", self.speed),
            ("quadruped_speed", self.quadruped_speed),
            ("height_m", self.height_m),
            ("quadruped_height_m", self.quadruped_height_m),
            ("floor_kernel_m", self.floor_kernel_m),
            ("longest_flight_secs", self.longest_flight_secs),
            ("gravity", self.gravity),
            ("pin_speed", self.pin_speed),
            ("slowest_pin_secs", self.slowest_pin_secs),
        ] {
            within(name, positive, found, found > 0.0)?;
        }
        for (name, found) in [
            ("off_height", self.off_height),
            ("off_speed_forward", self.off_speed_forward),
            ("off_speed_backward", self.off_speed_backward),
        ] {
            within(name, "at least 1, so that what switches on stays on", found, found >= 1.0)?;
        }
        within("detection_hz", "between 1 and 10000 Hz", self.detection_hz, (1.0..=1e4).contains(&self.detection_hz))?;
        within("floor_quantile", "between 0 and 1", self.floor_quantile, (0.0..=1.0).contains(&self.floor_quantile))?;
        within(
            "fit_share",
            "more than 0 and at most 1",
            self.fit_share,
            self.fit_share > 0.0 && self.fit_share <= 1.0,
        )?;
        within("most_g", "more than least_g", self.most_g, self.most_g > self.least_g)
    }
}

fn within(name: &'static str, expected: &'static str, found: f64, is_good: bool) -> Result<(), AnalysisError> {
    if is_good && found.is_finite() { Ok(()) } else { Err(AnalysisError::Option { name, expected, found }) }
}
