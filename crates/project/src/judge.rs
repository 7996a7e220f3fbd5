//! Whether a result is worse than what came in.

use crate::codes;
use crate::inspect::Inspected;
use crate::receipt::compare;
use aplomb_editing::finding::{Finding, by_meaning};

/// What touch-up and planting spoiled. They aim at balance and feet, and may cost a little elsewhere; beyond this,
/// people should look before they use the result.
pub(crate) fn clearly_worse(first: &Inspected, after: &Inspected) -> Vec<Finding> {
    const POINTS: f64 = 5.0;
    const LENGTH_M: f64 = 0.01;
    let lengths = |title: &str, before_m: f64, after_m: f64| {
        let finding = Finding::of(codes::LENGTH_WORSE).value("measure", title);
        finding.value("before_m", before_m).value("after_m", after_m)
    };
    let changes = compare(first.report(by_meaning), after.report(by_meaning)).changes;
    let mut worse = Vec::new();
    for change in &changes {
        let (Some(before), Some(after)) = (change.before, change.after) else { continue };
        let (title, by) = (&change.title, after - before);
        match change.measure.as_str() {
            // Physics by itself, too: beside a gross fault of the body the score hardly shows what physics lost.
            "score_all" | "score" | "aspects.physics_all" if by < -POINTS => {
                let finding = Finding::of(codes::SCORE_WORSE).value("measure", title.as_str());
                worse.push(finding.value("before", before).value("after", after));
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
