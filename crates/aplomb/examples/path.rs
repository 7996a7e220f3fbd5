//! A standing jump half as high again: it flies longer, falls as it did, and crouches deeper before.

use aplomb::edits::{JumpHeight, PathChange, PathEdit};
use aplomb::{Edit, Motion};

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = tempfile::tempdir()?;
    let jump = Motion::load("builtin:long-jump")?;
    let higher = PathChange::Jump { flight: 0, height: JumpHeight::Times(1.5) };
    let high = jump.edit(Edit::Path(PathEdit { changes: vec![higher], ..PathEdit::default() }))?;
    println!("{:.2} s long", high.clip().duration_secs());
    high.save_with_receipt(folder.path().join("high.bvh"), folder.path().join("high.json"))?;
    Ok(())
}
