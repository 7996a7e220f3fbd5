//! A bent walk whose feet are put back where they stand.

use aplomb::edits::{ArcEdit, PlantEdit};
use aplomb::{Edit, Motion, Side};

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = tempfile::tempdir()?;
    let walk = Motion::load("builtin:walk")?.edit(Edit::Arc(ArcEdit::new(2.0, Side::Left)))?;
    let planted = walk.edit(Edit::Plant(PlantEdit::default()))?;
    if let Some(record) = planted.receipt().steps[1].plant() {
        println!("feet drifted by {:?}, now by {:?}", record.before, record.after);
    }
    planted.save_with_receipt(folder.path().join("planted.bvh"), folder.path().join("planted.json"))?;
    Ok(())
}
