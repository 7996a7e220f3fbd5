//! Load, edit, look at the receipt, save.

use crate::{
    Clip, EditReceipt, Error, Import, MemoryClip, Outcome, Project, Publication, ReadOptions, RunRequest, Take,
};
use aplomb_project::Edit;
use aplomb_project::edit::{PrefixCache, run_cached};
use std::path::{Path, PathBuf};

/// The clip as reports name it before it has a file.
const UNSAVED: &str = "result";

/// The state before an edit and the one after: the next edit goes on from there.
const KEPT_STATES: usize = 2;

/// A motion and the edits that made it.
///
/// It is a [`Project`] that is replayed as it grows: what one edit learns of contacts, ground and pace holds for the
/// next, and the same edits give the same bytes as the `aplomb` command. An edit gives a new motion; the file stays as
/// it is, and has to stay so until the last edit: each one makes sure that it has the same bytes, and otherwise makes
/// all edits anew from what is there.
pub struct Motion {
    project: Project,
    folder: PathBuf,
    /// Motions that need no files.
    memory: Vec<MemoryClip>,
    cache: PrefixCache,
    outcome: Outcome,
}

impl Motion {
    /// Reads a motion file, or makes a built-in clip (`builtin:walk`).
    ///
    /// A file whose frame rate gravity proves wrong is refused; [`Motion::of_project`] can say which rate it is.
    pub fn load(path: impl Into<PathBuf>) -> Result<Self, Error> {
        Self::of_project(Project::new(path, Vec::new()), "")
    }

    /// A motion that code made, in metres and Y up. `name` is for messages.
    pub fn of_clip(name: impl Into<PathBuf>, clip: Clip) -> Result<Self, Error> {
        let name = name.into();
        let import = Import::of_clip(&name, clip);
        let memory = vec![MemoryClip { name: name.clone(), import, known: None }];
        Self::replayed(Project::new(name, Vec::new()), PathBuf::new(), memory)
    }

    /// A clip with its edits, as [`Project::from_text`] reads them. Its paths are relative to `folder`.
    pub fn of_project(project: Project, folder: impl Into<PathBuf>) -> Result<Self, Error> {
        Self::replayed(project, folder.into(), Vec::new())
    }

    fn replayed(project: Project, folder: PathBuf, memory: Vec<MemoryClip>) -> Result<Self, Error> {
        let mut cache = PrefixCache::keeping(KEPT_STATES);
        let outcome = replay(&project, &folder, &memory, &mut cache)?;
        Ok(Self { project, folder, memory, cache, outcome })
    }

    /// Gives another motion a name, under which edits that need a second one find it. A file or a built-in needs none:
    /// its path is its name.
    pub fn with_other(mut self, name: impl Into<PathBuf>, other: &Motion) -> Self {
        let name = name.into();
        let import = Import { clip: other.clip().clone(), ..other.outcome.original.clone() };
        self.memory.retain(|clip| clip.name != name);
        self.memory.push(MemoryClip { name, import, known: other.outcome.carried.clone() });
        // States are known by names and bytes of files, and this name may mean another motion now.
        self.cache = PrefixCache::keeping(KEPT_STATES);
        self
    }

    /// Makes one more edit.
    ///
    /// A goal that is not met is no error: [`Motion::is_met`] and the receipt say so.
    pub fn edit(mut self, edit: Edit) -> Result<Self, Error> {
        self.project.edits.push(edit);
        self.outcome = replay(&self.project, &self.folder, &self.memory, &mut self.cache)?;
        Ok(self)
    }

    /// The motion as it is now.
    pub fn clip(&self) -> &Clip {
        &self.outcome.clip
    }

    /// The motion with what is known of it: body, ground, contacts, the physics report.
    pub fn take(&self) -> &Take {
        &self.outcome.take
    }

    /// The clip and its edits as data; [`Project::to_toml`] writes them for people.
    pub fn project(&self) -> &Project {
        &self.project
    }

    /// Everything that the edits made, before and after.
    pub fn outcome(&self) -> &Outcome {
        &self.outcome
    }

    /// Whether every edit that solves for something reached it.
    pub fn is_met(&self) -> bool {
        self.outcome.status.is_met()
    }

    /// The same motion, to be written even where the edits made it worse. What is worse stands in the receipt.
    #[must_use]
    pub fn accepting_harm(mut self) -> Self {
        self.project.output.accept_harm = true;
        self.outcome.is_harm_accepted = true;
        self
    }

    /// What the edits did. Nothing is written yet, and the receipt says so.
    pub fn receipt(&self) -> EditReceipt {
        EditReceipt::new(&self.outcome, self.project.clone(), &[], true, aplomb_words::sentence)
    }

    /// The receipt as a page for people, one file that needs no network. `None` where no body can be made of the
    /// skeleton.
    #[cfg(feature = "pages")]
    pub fn receipt_page(&self) -> Option<String> {
        aplomb_pages::receipt_html(&self.outcome, &self.receipt(), None, None)
    }

    /// Writes the motion; the ending says the format. A file that is there already is refused and stays as it is.
    /// So is a motion that the edits made worse; [`Motion::accepting_harm`] goes on.
    pub fn save(&self, path: impl AsRef<Path>) -> Result<(), Error> {
        self.publication(path)?.save(&[], false)
    }

    /// Writes the motion, and its receipt as JSON: both or neither.
    pub fn save_with_receipt(&self, path: impl AsRef<Path>, receipt: impl AsRef<Path>) -> Result<(), Error> {
        let receipt = receipt.as_ref();
        let publication = self.publication(path)?;
        let written: Vec<PathBuf> = publication.files().map(|(path, _)| path.clone()).collect();
        // Paths of the receipt lead from where it will lie.
        let project = self.project.moved(&self.folder, receipt.parent().unwrap_or(Path::new("")));
        let receipt_data = EditReceipt::new(&self.outcome, project, &written, false, aplomb_words::sentence);
        let json = serde_json::to_vec_pretty(&receipt_data)
            .map_err(|error| Error::Table { what: "receipt", detail: error.to_string() })?;
        publication.save(&[(receipt, &json)], false)
    }

    /// The motion, ready to be written: to look at the bytes, to write other files together with it, or to replace
    /// files.
    pub fn publication(&self, path: impl AsRef<Path>) -> Result<Publication, Error> {
        Publication::of_outcome(path.as_ref(), &self.outcome)
    }
}

fn replay(project: &Project, folder: &Path, memory: &[MemoryClip], cache: &mut PrefixCache) -> Result<Outcome, Error> {
    let quiet = RunRequest::quiet(folder, ReadOptions::default(), Path::new(UNSAVED));
    run_cached(project, &RunRequest { memory, ..quiet }, cache)
}
