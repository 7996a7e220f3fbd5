//! Tilts a whole motion against gravity: a walk on level ground becomes the same walk on a slope.
//!
//! The body does not lean into the hill: like [`crate::arc`] this makes an input for physical touch-up (Shin, Kovar &
//! Gleicher 2003, section 4.4). Gravity stays as it was; the ground tilts along, and [`Tilt::slope`] says where it is.

use crate::EditingError;
use crate::rigid_moves::move_rigidly;
use crate::travel_line::TravelLine;
use aplomb_motion::edit::body_joint;
use aplomb_motion::{Clip, FrameIndex, WorldPose};
use glam::{DQuat, DVec3};
use serde::{Deserialize, Serialize};

/// How far, and which way is up.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tilt {
    /// Positive is uphill, degrees.
    pub angle_deg: f64,
    /// Heading of the way up: 0 is +Z, 90 is +X. Without it, the way that the motion travels.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub heading_deg: Option<f64>,
    /// Height of the level ground that is tilted, m.
    #[serde(default)]
    pub ground_height_m: f64,
}

/// The ground after a tilt.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Slope {
    /// A point of it: below the body in the first frame, which stays where it was.
    pub point_m: DVec3,
    /// Unit vector out of it.
    pub normal: DVec3,
    /// From the level motion to the tilted one, about `point_m`.
    pub tilted_from_level: DQuat,
}

impl Tilt {
    /// Uphill along the way of the motion (downhill if negative).
    pub fn uphill(angle_deg: f64) -> Self {
        Self { angle_deg, heading_deg: None, ground_height_m: 0.0 }
    }

    /// The tilted motion.
    pub fn apply(&self, clip: &Clip) -> Result<Clip, EditingError> {
        let slope = self.slope(clip)?;
        if self.angle_deg == 0.0 {
            return Ok(clip.clone());
        }
        let rotation = slope.tilted_from_level;
        let shift_m = slope.point_m - rotation * slope.point_m;
        move_rigidly(clip, |_| (rotation, shift_m))
    }

    /// Where the ground is afterwards.
    pub fn slope(&self, clip: &Clip) -> Result<Slope, EditingError> {
        let setting = |what, expected, found| EditingError::Setting { what, expected, found };
        // Beyond 45° people do not walk, and the ground is a wall.
        if !(-45.0..=45.0).contains(&self.angle_deg) {
            return Err(setting("the angle of a tilt", "between -45 and 45 degrees", self.angle_deg));
        }
        if !self.ground_height_m.is_finite() {
            return Err(setting("the height of the ground", "finite", self.ground_height_m));
        }
        let ahead = match self.heading_deg {
            Some(found) if !found.is_finite() => return Err(setting("the heading of a tilt", "finite", found)),
            Some(heading_deg) => DQuat::from_rotation_y(heading_deg.to_radians()) * DVec3::Z,
            None => match TravelLine::of(clip) {
                Err(EditingError::DoesNotTravel { way_m, .. }) => return Err(EditingError::NoHeading { way_m }),
                line => line?.ahead(),
            },
        };
        // Turning about ahead × up takes ahead towards up.
        let tilted_from_level = DQuat::from_axis_angle(ahead.cross(DVec3::Y), self.angle_deg.to_radians());
        let point_m = start_m(clip).with_y(self.ground_height_m);
        Ok(Slope { point_m, normal: tilted_from_level * DVec3::Y, tilted_from_level })
    }
}

fn start_m(clip: &Clip) -> DVec3 {
    if clip.frame_count() == 0 {
        return DVec3::ZERO;
    }
    let mut pose = WorldPose::for_skeleton(clip.skeleton());
    pose.pose(clip, FrameIndex(0));
    pose.joint_in_world_m[body_joint(clip.skeleton()).index()]
}

#[cfg(test)]
mod tests {
    use super::*;
    use aplomb_builtins::clip as built_in;
    use aplomb_motion::edit::turn_about_up;
    use aplomb_motion::kinematics::joint_positions_m;
    use proptest::prelude::*;
    use std::sync::LazyLock;

    static WALK: LazyLock<Clip> = LazyLock::new(|| built_in("walk").unwrap());

    proptest! {
        #[test]
        fn heights_over_the_slope_are_the_heights_over_the_ground(
            angle_deg in -40.0..40.0f64, yaw_rad in -3.0..3.0f64, ground_height_m in -0.5..0.5f64,
        ) {
            let clip = turn_about_up(&WALK, yaw_rad).unwrap();
            let tilt = Tilt { ground_height_m, ..Tilt::uphill(angle_deg) };
            let (slope, tilted) = (tilt.slope(&clip).unwrap(), tilt.apply(&clip).unwrap());
            for (level_m, tilted_m) in joint_positions_m(&clip).iter().zip(joint_positions_m(&tilted)) {
                let height_m = (tilted_m - slope.point_m).dot(slope.normal);
                prop_assert!((height_m - (level_m.y - ground_height_m)).abs() < 1e-12);
            }
            // The way climbs by its angle.
            let line = TravelLine::of(&clip).unwrap();
            let way_up = slope.tilted_from_level * line.ahead();
            prop_assert!((way_up.y - angle_deg.to_radians().sin()).abs() < 1e-12);
        }
    }

    #[test]
    fn a_heading_tilts_what_does_not_travel() {
        let wave = built_in("wave").unwrap();
        assert!(matches!(Tilt::uphill(5.0).apply(&wave), Err(EditingError::NoHeading { .. })));
        let tilt = Tilt { heading_deg: Some(90.0), ..Tilt::uphill(10.0) };
        let normal = tilt.slope(&wave).unwrap().normal;
        // Up towards +X: the normal leans back towards −X.
        assert!((normal - DVec3::new(-10f64.to_radians().sin(), 10f64.to_radians().cos(), 0.0)).length() < 1e-12);
        assert_eq!(Tilt { heading_deg: Some(1.0), ..Tilt::uphill(0.0) }.apply(&wave).unwrap(), wave);
    }

    #[test]
    fn walls_are_refused() {
        for angle_deg in [60.0, -90.0, f64::NAN] {
            let error = Tilt::uphill(angle_deg).apply(&WALK).unwrap_err();
            assert!(matches!(error, EditingError::Setting { .. }), "{error}");
        }
    }
}
