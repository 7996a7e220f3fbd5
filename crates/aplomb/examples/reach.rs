//! A greeting whose hand is at a place at a moment.

use aplomb::edits::{HandGoal, HandPoint, ReachEdit};
use aplomb::{Edit, Motion, Side, glam::DVec3};

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = tempfile::tempdir()?;
    let wave = Motion::load("builtin:wave")?;
    let goal = HandGoal {
        hand: Side::Right,
        at_secs: 1.0,
        to_m: DVec3::new(-0.3, 1.3, 0.35),
        window_secs: HandGoal::USUAL_WINDOW_SECS,
        point: HandPoint::Palm,
    };
    let reaching = wave.edit(Edit::Reach(ReachEdit(goal)))?;
    println!("goals are met: {}", reaching.is_met());
    reaching.save_with_receipt(folder.path().join("reaching.bvh"), folder.path().join("reaching.json"))?;
    Ok(())
}
