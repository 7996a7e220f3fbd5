//! Which frames an edit may touch, eased in and out.

use serde::{Deserialize, Serialize};

/// A stretch of a clip, by the seconds of its own clock. The default is all of it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Span {
    /// From here; without it from the start.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from_secs: Option<f64>,
    /// To here; without it to the end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to_secs: Option<f64>,
    /// The edit grows from nothing over this long at either end that is given, inside the span.
    pub ease_secs: f64,
}

impl Default for Span {
    fn default() -> Self {
        Self { from_secs: None, to_secs: None, ease_secs: 0.25 }
    }
}

/// 3u² − 2u³ between 0 and 1: even at both ends.
pub fn smoothstep(u: f64) -> f64 {
    let u = u.clamp(0.0, 1.0);
    u * u * (3.0 - 2.0 * u)
}
