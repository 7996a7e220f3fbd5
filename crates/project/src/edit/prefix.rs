//! What the first edits of a project made, kept for as long as nothing that led to it changes.
//!
//! People tune the last edit again and again; everything before it stays. A prefix of the edits is known by a hash over the program's version,
//! what the project says before its edits, each edit with its parameters, and the bytes of every file that was read. Replay with and without
//! the cache gives the same motion, as a kept state is the very state that replay had there.

use super::record::Edit;
use super::run::{InputFile, StepRecord};
use super::work::Work;
use crate::error::ProjectError;
use crate::inspect::Inspected;
use aplomb_formats::Import;
use aplomb_motion::Clip;
use serde::Serialize;
use sha2::{Digest, Sha256};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Replay after some edits.
#[derive(Clone)]
pub(super) struct State {
    pub work: Work,
    pub steps: Vec<StepRecord>,
    pub is_met: bool,
    /// What joint changes are counted from …
    pub base: Option<Arc<Clip>>,
    /// … and its report.
    pub edited: Option<Arc<Inspected>>,
}

/// Which clip, which edits: equal keys mean equal motions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Key([u8; 32]);

impl Key {
    /// Of a project before its first edit. `inputs` are the files read for it.
    pub fn start(head: &impl Serialize, inputs: &[InputFile]) -> Result<Self, ProjectError> {
        Self::of(&[env!("CARGO_PKG_VERSION").as_bytes()], head, inputs)
    }

    /// After one more edit.
    pub fn then(&self, edit: &Edit, inputs: &[InputFile]) -> Result<Self, ProjectError> {
        Self::of(&[&self.0], edit, inputs)
    }

    fn of(first: &[&[u8]], what: &impl Serialize, inputs: &[InputFile]) -> Result<Self, ProjectError> {
        let told = |value: Result<Vec<u8>, serde_json::Error>| {
            value.map_err(|error| ProjectError::Table { what: "key of an edit", detail: error.to_string() })
        };
        let mut hash = Sha256::new();
        let what = told(serde_json::to_vec(what))?;
        let inputs = told(serde_json::to_vec(inputs))?;
        for part in first.iter().copied().chain([what.as_slice(), inputs.as_slice()]) {
            // With its length, so that no two lists of parts run into the same bytes.
            hash.update((part.len() as u64).to_le_bytes());
            hash.update(part);
        }
        Ok(Self(hash.finalize().into()))
    }
}

/// A judgement is of a state, and of the contact file that it is judged with.
type Question = (Key, String);

/// States and judgements of recent replays, and the way to stop one that runs.
pub struct PrefixCache {
    /// How many of each are kept; none where nobody comes back.
    capacity: usize,
    states: Vec<(Key, State)>,
    imports: Vec<(Key, Arc<Import>)>,
    judged: Vec<(Question, Option<Arc<Inspected>>)>,
    cancel: Arc<AtomicBool>,
}

impl PrefixCache {
    /// Keeps nothing.
    pub fn off() -> Self {
        Self::keeping(0)
    }

    /// Keeps the newest states, so many.
    pub fn keeping(capacity: usize) -> Self {
        let cancel = Arc::new(AtomicBool::new(false));
        Self { capacity, states: Vec::new(), imports: Vec::new(), judged: Vec::new(), cancel }
    }

    /// Set by others while a replay runs, it ends with [`ProjectError::Cancelled`] before the next edit. Whoever starts the next one clears it.
    pub fn cancel_flag(&self) -> Arc<AtomicBool> {
        self.cancel.clone()
    }

    pub(super) fn refuse_cancelled(&self) -> Result<(), ProjectError> {
        if self.cancel.load(Ordering::Relaxed) { Err(ProjectError::Cancelled) } else { Ok(()) }
    }

    /// The longest known prefix: how many edits it has, and its state. `keys[i]` is the key after i edits.
    pub(super) fn longest(&mut self, keys: &[Key]) -> Option<(usize, State)> {
        let known = |key: &Key| self.states.iter().position(|(known, _)| known == key);
        let (edits, place) = keys.iter().enumerate().rev().find_map(|(edits, key)| Some((edits, known(key)?)))?;
        let entry = self.states.remove(place);
        let state = entry.1.clone();
        self.states.push(entry);
        Some((edits, state))
    }

    pub(super) fn keep(&mut self, key: &Key, state: &State) {
        if self.capacity > 0 {
            keep(&mut self.states, self.capacity, (key.clone(), state.clone()));
        }
    }

    pub(super) fn import(&mut self, key: &Key) -> Option<Arc<Import>> {
        self.imports.iter().find(|(known, _)| known == key).map(|(_, import)| import.clone())
    }

    pub(super) fn keep_import(&mut self, key: &Key, import: &Arc<Import>) {
        if self.capacity > 0 {
            // Two, so that going back and forth between clips is quick; each may be large.
            keep(&mut self.imports, 2, (key.clone(), import.clone()));
        }
    }

    /// A judgement, made if it is not known.
    pub(super) fn judgement(
        &mut self,
        question: Question,
        judge: impl FnOnce() -> Result<Option<Inspected>, ProjectError>,
    ) -> Result<Option<Arc<Inspected>>, ProjectError> {
        if let Some((_, known)) = self.judged.iter().find(|(known, _)| *known == question) {
            return Ok(known.clone());
        }
        let made = judge()?.map(Arc::new);
        if self.capacity > 0 {
            keep(&mut self.judged, self.capacity, (question, made.clone()));
        }
        Ok(made)
    }
}

/// The oldest goes.
fn keep<K: PartialEq, V>(entries: &mut Vec<(K, V)>, capacity: usize, entry: (K, V)) {
    entries.retain(|(key, _)| *key != entry.0);
    entries.push(entry);
    let surplus = entries.len().saturating_sub(capacity);
    entries.drain(..surplus);
}
