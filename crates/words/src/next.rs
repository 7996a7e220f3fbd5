//! What to do next with a motion that was edited, in flags.

use aplomb_editing::finding::Code;
use aplomb_project::{Edit, EditReceipt, EditResult, codes};

/// What helps from here; `None` where the motion is as it should be.
pub fn next_step(receipt: &EditReceipt) -> Option<String> {
    let verdict = receipt.verdict.as_ref()?;
    let last = receipt.project.edits.last()?;
    let has = |code: &Code| verdict.cost.iter().chain(&verdict.worse).any(|effect| effect.code == code.id);
    let out = receipt.outputs.first().map_or("OUT.bvh", String::as_str);
    match (verdict.result, last) {
        _ if last.has_physics() => None,
        // Geometry moved the feet, or left balance behind: that is what touch-up is for.
        (EditResult::Harmed, _) if has(&codes::POINTS_LOST) => Some(format!("add --then touchup: {WHAT_TOUCHUP_DOES}")),
        (EditResult::Harmed, _) => None,
        (_, Edit::Arc(_) | Edit::Tilt(_)) => Some(format!("aplomb touchup {out} -o RESULT.bvh: {WHAT_TOUCHUP_DOES}")),
        _ if has(&codes::PHYSICS_LEFT) => Some(format!("aplomb touchup {out} -o RESULT.bvh: {WHAT_TOUCHUP_DOES}")),
        _ => None,
    }
}

const WHAT_TOUCHUP_DOES: &str = "it puts balance back over the feet and keeps feet where they stand";

#[cfg(test)]
mod tests {
    use super::*;
    use aplomb_formats::ReadOptions;
    use aplomb_project::{Project, RunRequest, run};
    use std::path::{Path, PathBuf};

    fn next_of(edit: serde_json::Value) -> Option<String> {
        let edit: Edit = serde_json::from_value(edit).expect("an edit");
        let project = Project::new(PathBuf::from("builtin:walk"), vec![edit]);
        let request = RunRequest::quiet(Path::new(""), ReadOptions::default(), Path::new("out.bvh"));
        let outcome = run(&project, &request).expect("a motion");
        let receipt = EditReceipt::new(&outcome, project, &[PathBuf::from("bent.bvh")], false, crate::sentence);
        next_step(&receipt)
    }

    #[test]
    fn what_geometry_bent_is_touched_up_next_and_what_is_right_is_left() {
        let bent = next_of(serde_json::json!({ "verb": "arc", "radius_m": 3.0, "side": "left" }));
        assert!(bent.is_some_and(|next| next.starts_with("aplomb touchup bent.bvh -o ")));
        assert_eq!(next_of(serde_json::json!({ "verb": "cut", "from_secs": 0.5, "to_secs": 2.0 })), None);
    }
}
