//! A level walk, tilted by 8 degrees; then touch-up leans the body into the hill.

use aplomb::edits::{Tilt, TouchupEdit};
use aplomb::{Edit, Motion};

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = tempfile::tempdir()?;
    let walk = Motion::load("builtin:walk")?;
    let tilted = walk.edit(Edit::Tilt(Tilt { angle_deg: 8.0, heading_deg: None, ground_height_m: 0.0 }))?;
    println!("the ground's normal is {}", tilted.take().ground().normal());
    let uphill = tilted.edit(Edit::Touchup(TouchupEdit::default()))?;
    uphill.save_with_receipt(folder.path().join("uphill.bvh"), folder.path().join("uphill.json"))?;
    Ok(())
}
