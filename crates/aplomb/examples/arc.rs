//! A straight walk, bent onto a circle by geometry alone: its feet slide now.

use aplomb::edits::ArcEdit;
use aplomb::{Edit, Motion, Side};

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = tempfile::tempdir()?;
    let walk = Motion::load("builtin:walk")?;
    let bent = walk.edit(Edit::Arc(ArcEdit::new(2.0, Side::Left)))?;
    let slide = bent.receipt().changes.into_iter().find(|it| it.measure == "skate.max_m");
    println!("feet slide: {slide:?}");
    bent.save_with_receipt(folder.path().join("bent.bvh"), folder.path().join("bent.json"))?;
    Ok(())
}
