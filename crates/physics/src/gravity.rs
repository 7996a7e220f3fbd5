//! Gravity, in one place: what is made, repaired and judged here falls by the same number.

use glam::DVec3;

/// g, m/s². Two decimals: from place to place it differs by more than the third.
pub const GRAVITY: f64 = 9.81;

/// Down the world's Y axis, m/s².
pub const GRAVITY_IN_WORLD: DVec3 = DVec3::new(0.0, -GRAVITY, 0.0);
