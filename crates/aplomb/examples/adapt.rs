//! A standing jump that goes 30 cm farther, with full dynamics.

use aplomb::edits::{AdaptEdit, Goals};
use aplomb::{Edit, Motion};

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = tempfile::tempdir()?;
    let jump = Motion::load("builtin:long-jump")?;
    let goals = Goals { jump_length_m: Some(0.3), flight_time: Some(1.1), ..Goals::default() };
    let farther = jump.edit(Edit::Adapt(Box::new(AdaptEdit { goals, ..AdaptEdit::default() })))?;
    println!("goals are met: {}", farther.is_met());
    farther.save_with_receipt(folder.path().join("farther.bvh"), folder.path().join("farther.json"))?;
    Ok(())
}
