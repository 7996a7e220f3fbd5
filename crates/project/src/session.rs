//! A project that is being worked on: revisions, undo and redo, saving, and what is left after a crash.
//!
//! Every change makes a new revision; one made against an older revision is refused, so that two windows cannot
//! overwrite each other. Undo goes over whole documents, which are small texts. After each change the document is
//! written to a recovery file in the user's cache folder, whole or not at all; saving the project takes it away.

use crate::document::{Draft, MOST_PROJECT_BYTES, ProjectDocument};
use crate::error::ProjectError;
use aplomb_formats::atomic;
use sha2::{Digest, Sha256};
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Steps that can be taken back.
const MOST_UNDO: usize = 200;

/// Why a change was not made.
#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    /// The project was changed meanwhile.
    #[error(
        "the project has changed meanwhile (revision {now}, yours was made for {yours}); look at it and make your change again"
    )]
    Stale {
        /// What the change was made for.
        yours: u64,
        /// What there is.
        now: u64,
    },
    /// There is nothing to take back, or to make again.
    #[error("there is nothing to {0}")]
    Nothing(&'static str),
    /// The project has no file yet.
    #[error("this project has no file yet; say where it shall be saved, with a name that ends in .aplomb.toml")]
    NoFile,
    /// Anything else.
    #[error(transparent)]
    Project(#[from] ProjectError),
}

/// A project that is being worked on.
#[derive(Debug)]
pub struct Session {
    document: ProjectDocument,
    revision: u64,
    undo: Vec<(String, ProjectDocument)>,
    redo: Vec<(String, ProjectDocument)>,
    /// Where it is saved.
    file: Option<PathBuf>,
    /// The text as it was read or last saved.
    saved: Option<String>,
    recovery: Option<PathBuf>,
    is_recovered: bool,
}

impl Session {
    /// Work on a document that came from `file`, or from nowhere. With a cache folder, changes survive a crash: if one
    /// left any that are not in the file, they are there again. A document without a file is found again by `known_as`,
    /// the clip that it begins with.
    pub fn open(
        document: ProjectDocument,
        file: Option<PathBuf>,
        cache: Option<&Path>,
        known_as: &Path,
    ) -> Result<Self, SessionError> {
        let saved = file.as_ref().map(|_| document.to_text());
        let recovery = cache.map(|cache| recovery_file(cache, file.as_deref().unwrap_or(known_as)));
        let mut session = Self {
            document,
            revision: 1,
            undo: Vec::new(),
            redo: Vec::new(),
            file,
            saved,
            recovery,
            is_recovered: false,
        };
        session.recover();
        Ok(session)
    }

    /// The same with revisions counted from here: a window that shows the project that was open before must not change
    /// this one.
    pub fn starting_at(mut self, revision: u64) -> Self {
        self.revision = revision;
        self
    }

    /// What the crash left, as one change that can be taken back. A file that cannot be read is no reason not to start.
    fn recover(&mut self) {
        let Some(path) = &self.recovery else { return };
        let is_sane =
            std::fs::symlink_metadata(path).is_ok_and(|it| it.is_file() && it.len() <= MOST_PROJECT_BYTES as u64);
        let Some(text) = is_sane.then(|| std::fs::read_to_string(path).ok()).flatten() else { return };
        let Ok(left) = ProjectDocument::parse(&text, path) else { return };
        if left.to_text() != self.document.to_text() {
            self.undo.push(("unsaved changes".to_owned(), std::mem::replace(&mut self.document, left)));
            self.is_recovered = true;
        }
    }

    /// The document.
    pub fn document(&self) -> &ProjectDocument {
        &self.document
    }

    /// Counts changes, undone ones too.
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// Where it is saved.
    pub fn file(&self) -> Option<&Path> {
        self.file.as_deref()
    }

    /// Whether the file lacks something; a project without a file lacks nothing until it is changed.
    pub fn is_changed(&self) -> bool {
        match &self.saved {
            Some(saved) => *saved != self.document.to_text(),
            None => !self.undo.is_empty(),
        }
    }

    /// Whether changes of an earlier session were found.
    pub fn is_recovered(&self) -> bool {
        self.is_recovered
    }

    /// What undo would take back, and redo make again.
    pub fn ways(&self) -> (Option<&str>, Option<&str>) {
        (self.undo.last().map(|(label, _)| label.as_str()), self.redo.last().map(|(label, _)| label.as_str()))
    }

    /// Makes a change, in words for the undo button.
    pub fn change(&mut self, revision: u64, label: &str, draft: Draft) -> Result<(), SessionError> {
        self.refuse_stale(revision)?;
        let changed = self.document.with(draft)?;
        self.put(label, changed)
    }

    /// Another document altogether, as one change: a project that was dropped onto the page.
    pub fn replace(&mut self, revision: u64, label: &str, document: ProjectDocument) -> Result<(), SessionError> {
        self.refuse_stale(revision)?;
        self.put(label, document)
    }

    fn put(&mut self, label: &str, document: ProjectDocument) -> Result<(), SessionError> {
        if document.to_text() == self.document.to_text() {
            return Ok(());
        }
        self.undo.push((label.to_owned(), std::mem::replace(&mut self.document, document)));
        let surplus = self.undo.len().saturating_sub(MOST_UNDO);
        self.undo.drain(..surplus);
        self.redo.clear();
        self.revision += 1;
        self.autosave();
        Ok(())
    }

    /// Takes the last change back.
    pub fn undo(&mut self, revision: u64) -> Result<(), SessionError> {
        self.refuse_stale(revision)?;
        let (label, before) = self.undo.pop().ok_or(SessionError::Nothing("undo"))?;
        self.redo.push((label, std::mem::replace(&mut self.document, before)));
        self.revision += 1;
        self.autosave();
        Ok(())
    }

    /// Makes the last change that was taken back again.
    pub fn redo(&mut self, revision: u64) -> Result<(), SessionError> {
        self.refuse_stale(revision)?;
        let (label, after) = self.redo.pop().ok_or(SessionError::Nothing("redo"))?;
        self.undo.push((label, std::mem::replace(&mut self.document, after)));
        self.revision += 1;
        self.autosave();
        Ok(())
    }

    /// Saves the project, to its file or to a new one; only its own file is replaced without `force`.
    pub fn save(&mut self, to: Option<PathBuf>, force: bool) -> Result<&Path, SessionError> {
        let file = to.or_else(|| self.file.clone()).ok_or(SessionError::NoFile)?;
        let text = self.document.to_text();
        let is_own = self.file.as_deref() == Some(&file);
        atomic::write(&file, text.as_bytes(), force || is_own).map_err(ProjectError::from)?;
        if let Some(recovery) = &self.recovery {
            let _ = std::fs::remove_file(recovery);
        }
        self.saved = Some(text);
        self.is_recovered = false;
        Ok(self.file.insert(file).as_path())
    }

    fn refuse_stale(&self, yours: u64) -> Result<(), SessionError> {
        match self.revision {
            now if now == yours => Ok(()),
            now => Err(SessionError::Stale { yours, now }),
        }
    }

    /// What cannot be written here must not keep the user from working: the project itself is in memory.
    fn autosave(&self) {
        let Some(recovery) = &self.recovery else { return };
        if let Some(folder) = recovery.parent() {
            let _ = std::fs::create_dir_all(folder);
        }
        if self.is_changed() {
            let _ = atomic::write(recovery, self.document.to_text().as_bytes(), true);
        } else {
            let _ = std::fs::remove_file(recovery);
        }
    }
}

/// One a project.
fn recovery_file(cache: &Path, of: &Path) -> PathBuf {
    let place = of.canonicalize().or_else(|_| std::path::absolute(of)).unwrap_or_else(|_| of.to_owned());
    let mut name = String::new();
    for byte in Sha256::digest(place.to_string_lossy().as_bytes()).iter().take(12) {
        let _ = write!(name, "{byte:02x}");
    }
    cache.join("recovery").join(format!("{name}.aplomb.toml"))
}

/// The user's cache folder for Aplomb, where the system has one.
pub fn cache_folder() -> Option<PathBuf> {
    let named = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let base = named("XDG_CACHE_HOME").filter(|path| path.is_absolute()).or_else(|| {
        let home = named("HOME").or_else(|| named("USERPROFILE"))?;
        Some(if cfg!(target_os = "macos") { home.join("Library/Caches") } else { home.join(".cache") })
    })?;
    Some(base.join("aplomb"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::Entry;
    use crate::edits::{CutEdit, Edit};

    fn cut(secs: f64) -> Entry {
        Entry { on: true, edit: Edit::Cut(CutEdit { from_secs: None, to_secs: Some(secs) }) }
    }

    fn session(cache: Option<&Path>) -> Session {
        let document = ProjectDocument::new("builtin:walk").unwrap();
        Session::open(document, None, cache, Path::new(".")).unwrap()
    }

    fn add(session: &mut Session, secs: f64) {
        let mut draft = session.document().draft();
        draft.entries.push(cut(secs));
        session.change(session.revision(), "cut", draft).unwrap();
    }

    #[test]
    fn changes_are_taken_back_and_made_again() {
        let mut session = session(None);
        add(&mut session, 2.0);
        add(&mut session, 1.0);
        assert_eq!((session.revision(), session.document().entries().len()), (3, 2));
        session.undo(3).unwrap();
        assert_eq!(session.document().entries(), [cut(2.0)]);
        assert_eq!(session.ways(), (Some("cut"), Some("cut")));
        session.redo(4).unwrap();
        assert_eq!(session.document().entries().len(), 2);
        session.undo(5).unwrap();
        add(&mut session, 0.5);
        assert!(matches!(session.redo(session.revision()), Err(SessionError::Nothing("redo"))));
    }

    #[test]
    fn a_change_made_for_an_older_revision_is_refused_and_changes_nothing() {
        let mut session = session(None);
        let draft = session.document().draft();
        add(&mut session, 2.0);
        let before = session.document().to_text();
        let refused = session.change(1, "late", draft).unwrap_err();
        assert!(matches!(refused, SessionError::Stale { yours: 1, now: 2 }), "{refused}");
        assert!(matches!(session.undo(1), Err(SessionError::Stale { .. })));
        assert_eq!(session.document().to_text(), before);
    }

    #[test]
    fn what_was_not_saved_is_there_after_a_crash_and_gone_after_saving() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("walk.aplomb.toml");
        let document = ProjectDocument::new("builtin:walk").unwrap();
        std::fs::write(&file, document.to_text()).unwrap();
        let cache = folder.path().join("cache");
        let open = || Session::open(document.clone(), Some(file.clone()), Some(&cache), folder.path()).unwrap();
        let mut first = open();
        add(&mut first, 1.0);
        drop(first);
        let mut second = open();
        assert!(second.is_recovered() && second.is_changed());
        assert_eq!(second.document().entries(), [cut(1.0)]);
        second.save(None, false).unwrap();
        assert!(!second.is_changed());
        assert!(std::fs::read_to_string(&file).unwrap().contains("to_secs = 1.0"));
        assert!(!open().is_recovered());
    }

    #[test]
    fn another_file_is_replaced_only_with_force() {
        let folder = tempfile::tempdir().unwrap();
        let taken = folder.path().join("taken.aplomb.toml");
        std::fs::write(&taken, "somebody's").unwrap();
        let mut session = session(None);
        assert!(matches!(session.save(None, false), Err(SessionError::NoFile)));
        assert!(session.save(Some(taken.clone()), false).is_err());
        assert_eq!(std::fs::read_to_string(&taken).unwrap(), "somebody's");
        session.save(Some(taken.clone()), true).unwrap();
        assert!(ProjectDocument::parse(&std::fs::read_to_string(&taken).unwrap(), &taken).is_ok());
    }
}
