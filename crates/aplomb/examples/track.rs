//! A greeting, played by the driven body of a child.

use aplomb::edits::TrackEdit;
use aplomb::edits::scene::{BuiltInCharacter, CharacterChoice};
use aplomb::{Edit, Motion};

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = tempfile::tempdir()?;
    let wave = Motion::load("builtin:wave")?;
    let character = Some(CharacterChoice::Named(BuiltInCharacter::Child));
    let child = wave.edit(Edit::Track(TrackEdit { character, ..TrackEdit::default() }))?;
    println!("{} joints", child.clip().skeleton().len());
    child.save_with_receipt(folder.path().join("child.bvh"), folder.path().join("child.json"))?;
    Ok(())
}
