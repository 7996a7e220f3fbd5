//! Degrees or radians, as the file says.

/// What angles are measured in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AngleUnit {
    /// `angle deg`, `:DEGREES`.
    #[default]
    Degrees,
    /// `angle rad`, `:RADIANS`.
    Radians,
}

impl AngleUnit {
    /// A value of the file in degrees.
    #[inline]
    pub fn to_deg(self, value: f64) -> f64 {
        match self {
            AngleUnit::Degrees => value,
            AngleUnit::Radians => value.to_degrees(),
        }
    }

    /// Degrees in the unit of the file.
    #[inline]
    pub fn from_deg(self, angle_deg: f64) -> f64 {
        match self {
            AngleUnit::Degrees => angle_deg,
            AngleUnit::Radians => angle_deg.to_radians(),
        }
    }
}
