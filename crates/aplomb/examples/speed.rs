//! A walk that is a quarter faster.

use aplomb::edits::SpeedEdit;
use aplomb::{Edit, Motion};

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = tempfile::tempdir()?;
    let walk = Motion::load("builtin:walk")?;
    let fast = walk.edit(Edit::Speed(SpeedEdit::new(1.25)))?;
    println!("{:.2} s long", fast.clip().duration_secs());
    fast.save_with_receipt(folder.path().join("fast.bvh"), folder.path().join("fast.json"))?;
    Ok(())
}
