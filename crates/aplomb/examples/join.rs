//! A jump after a walk, from where the walk ends. The jump is in memory, and edited itself.

use aplomb::edits::{CutEdit, Join, JoinEdit};
use aplomb::{Edit, Motion};

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = tempfile::tempdir()?;
    let jump = Motion::load("builtin:long-jump")?;
    let jump = jump.edit(Edit::Cut(CutEdit { from_secs: Some(0.2), to_secs: None }))?;
    let walk = Motion::load("builtin:walk")?.with_other("the jump", &jump);
    let both = walk.edit(Edit::Join(JoinEdit { clips: vec!["the jump".into()], place: Join::Continue }))?;
    println!("{:.2} s together", both.clip().duration_secs());
    both.save_with_receipt(folder.path().join("both.bvh"), folder.path().join("both.json"))?;
    Ok(())
}
