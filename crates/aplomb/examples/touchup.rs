//! A jump that was bent onto a circle, made physically right; the receipt as a page for people.

use aplomb::edits::{ArcEdit, TouchupEdit};
use aplomb::{Edit, Motion, Side};

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = tempfile::tempdir()?;
    let jump = Motion::load("builtin:long-jump")?.edit(Edit::Arc(ArcEdit::new(1.5, Side::Left)))?;
    let right = jump.edit(Edit::Touchup(TouchupEdit::default()))?;
    println!("goals are met: {}", right.is_met());
    right.save_with_receipt(folder.path().join("right.bvh"), folder.path().join("right.json"))?;
    if let Some(page) = right.receipt_page() {
        std::fs::write(folder.path().join("right.html"), page)?;
    }
    Ok(())
}
