//! Keeps a part of a walk.

use aplomb::edits::CutEdit;
use aplomb::{Edit, Motion};

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = tempfile::tempdir()?;
    let walk = Motion::load("builtin:walk")?;
    let part = walk.edit(Edit::Cut(CutEdit { from_secs: Some(0.5), to_secs: Some(2.0) }))?;
    println!("{} frames are left", part.clip().frame_count());
    part.save_with_receipt(folder.path().join("part.bvh"), folder.path().join("part.json"))?;
    Ok(())
}
