//! The ground as the complex plane: a point is w = z + ix, a turn by θ about the vertical is a product with e^{iθ}.

use glam::DVec3;
use num_complex::Complex64;

/// The ground point below `point_m`.
pub(super) fn on_plane(point_m: DVec3) -> Complex64 {
    Complex64::new(point_m.z, point_m.x)
}

/// The point of the world over `w` at a height.
pub(super) fn in_world(w: Complex64, height_m: f64) -> DVec3 {
    DVec3::new(w.im, height_m, w.re)
}

/// e^{iθ}.
pub(super) fn turn(rad: f64) -> Complex64 {
    let (sin, cos) = rad.sin_cos();
    Complex64::new(cos, sin)
}

/// |w|. `Complex64::norm` guards against overflow with `hypot`, at many times the price.
pub(super) fn length(w: Complex64) -> f64 {
    w.norm_sqr().sqrt()
}
