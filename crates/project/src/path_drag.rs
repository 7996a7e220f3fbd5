//! A path edit while its handles are dragged: the motion before it is made once, then handles move as often as the hand
//! does.

use crate::edits::{Edit, PathChange, PathEdit, Project};
use crate::error::ProjectError;
use crate::files::Walk;
use crate::prefix::PrefixCache;
use crate::request::RunRequest;
use aplomb_editing::EditingError;
use aplomb_editing::finding::Finding;
use aplomb_editing::path::PathEditor;
use glam::DVec3;

/// A path edit that is being made.
pub struct LivePath {
    /// With the edit's changes made.
    pub editor: PathEditor,
    /// Where handles are before the edit's changes: as the motion has them, or on the curve it follows. Changes are
    /// counted from here, m.
    pub base_m: Vec<DVec3>,
    /// What was decided on the way.
    pub findings: Vec<Finding>,
}

impl LivePath {
    /// Puts everything where an edit says that differs in its changes, times and stairs only.
    pub fn set(&mut self, edit: &PathEdit) -> Result<(), EditingError> {
        self.editor.reset();
        for (handle, base_m) in self.base_m.iter().enumerate() {
            self.editor.set_handle(handle, *base_m)?;
        }
        self.editor.set_timing(edit.timing)?;
        self.editor.set_stairs(edit.stairs);
        edit.change_on(&mut self.editor)
    }

    /// Whether [`Self::set`] is all that lies between two edits.
    pub fn is_near(one: &PathEdit, other: &PathEdit) -> bool {
        let bare = |edit: &PathEdit| {
            let PathEdit { timing, stairs, .. } = PathEdit::default();
            let changes: Vec<PathChange> = Vec::new();
            PathEdit { timing, stairs, changes, ..edit.clone() }
        };
        bare(one) == bare(other)
    }
}

/// Makes the edits before edit `index`, which must be a path edit, and takes hold of its handles.
pub fn live_path(
    project: &Project,
    request: &RunRequest<'_>,
    index: usize,
    cache: &mut PrefixCache,
) -> Result<LivePath, ProjectError> {
    let Some(Edit::Path(path)) = project.edits.get(index) else {
        let detail = format!("edit {} is not a path edit, so it has no handles", index + 1);
        return Err(ProjectError::ProjectFile { path: project.clip.clone(), detail });
    };
    let read = project.read_options(&request.read, request.folder);
    let mut walk = Walk::start(project, request, &read, cache)?;
    walk.make(index, cache)?;
    let mut findings = Vec::new();
    let (editor, base_m) = walk.with_edit(index, |take, context| {
        let (mut editor, _) = path.editor(take, context, &mut findings)?;
        path.follow_on(&mut editor, context)?;
        let base_m = editor.goals_m().to_vec();
        path.change_on(&mut editor)?;
        Ok((editor, base_m))
    })?;
    Ok(LivePath { editor, base_m, findings })
}
