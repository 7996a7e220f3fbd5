//! Whether a result is worse than what came in.

use crate::inspect::Inspected;
use crate::receipt::compare;

/// What touch-up and planting spoiled, in words. They aim at balance and feet, and may cost a little elsewhere; beyond this, people should look
/// before they use the result.
pub(crate) fn clearly_worse(first: &Inspected, after: &Inspected) -> Vec<String> {
    const POINTS: f64 = 5.0;
    const LENGTH_M: f64 = 0.01;
    let lengths = |title: &str, before_m: f64, after_m: f64| {
        let (before, after) = (1e2 * before_m, 1e2 * after_m);
        format!("the result is worse than what came in: {title} {before:.1} cm before, {after:.1} cm now")
    };
    let changes = compare(first.report(), after.report()).changes;
    let mut worse = Vec::new();
    for change in &changes {
        let (Some(before), Some(after)) = (change.before, change.after) else { continue };
        let (title, by) = (&change.title, after - before);
        match change.measure.as_str() {
            "score_all" | "score" if by < -POINTS => {
                worse
                    .push(format!("the result is worse than what came in: {title} {before:.0} before, {after:.0} now"));
            }
            // A share as well, since figures that were large scatter more; one foot scatters more than the mean of all.
            "zmp.mean_m" | "skate.mean_m" if by > LENGTH_M && after > 1.25 * before => {
                worse.push(lengths(title, before, after));
            }
            "skate.max_m" if by > 3.0 * LENGTH_M && after > 1.5 * before => worse.push(lengths(title, before, after)),
            _ => {}
        }
    }
    worse
}
