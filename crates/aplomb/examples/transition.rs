//! From a walk over into a run.

use aplomb::edits::TransitionEdit;
use aplomb::{Edit, Motion};

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = tempfile::tempdir()?;
    let walk = Motion::load("builtin:walk")?;
    let over = TransitionEdit { into: "builtin:run".into(), from_secs: 1.2, to_secs: 1.8, into_secs: None };
    let run = walk.edit(Edit::Transition(over))?;
    println!("{}", run.receipt().steps[0].notes.join("\n"));
    run.save_with_receipt(folder.path().join("run.bvh"), folder.path().join("run.json"))?;
    Ok(())
}
