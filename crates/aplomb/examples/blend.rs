//! A jump half way between a short and a long one.

use aplomb::edits::BlendEdit;
use aplomb::{Edit, Motion};

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = tempfile::tempdir()?;
    let short = Motion::load("builtin:short-jump")?;
    let blend = BlendEdit::new(vec!["builtin:long-jump".into()], vec![0.5, 0.5]);
    let between = short.edit(Edit::Blend(blend))?;
    println!("goals are met: {}", between.is_met());
    between.save_with_receipt(folder.path().join("between.bvh"), folder.path().join("between.json"))?;
    Ok(())
}
