//! What the first edits of a project made, kept for as long as nothing that led to it changes.
//!
//! People tune the last edit again and again; everything before it stays. A prefix of the edits is known by a hash over
//! the program's version, what the project says before its edits, each edit with its parameters, and the bytes of every
//! file that was read. Replay with and without the cache gives the same motion, as a kept state is the very state that
//! replay had there.

use crate::edits::{Edit, InputFile};
use crate::error::ProjectError;
use crate::run::Journey;
use aplomb_formats::Import;
use serde::Serialize;
use sha2::{Digest, Sha256};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Which clip, which edits: equal keys mean equal motions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Key([u8; 32]);

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
        let bytes_of = |value: Result<Vec<u8>, serde_json::Error>| {
            value.map_err(|error| ProjectError::Table { what: "key of an edit", detail: error.to_string() })
        };
        let mut hash = Sha256::new();
        let what = bytes_of(serde_json::to_vec(what))?;
        let inputs = bytes_of(serde_json::to_vec(inputs))?;
        for part in first.iter().copied().chain([what.as_slice(), inputs.as_slice()]) {
            // With its length, so that no two lists of parts run into the same bytes.
            hash.update((part.len() as u64).to_le_bytes());
            hash.update(part);
        }
        Ok(Self(hash.finalize().into()))
    }
}

/// States of recent replays, and the way to stop one that runs.
pub struct PrefixCache {
    /// How many of each are kept; none where they are not needed again.
    capacity: usize,
    states: Vec<(Key, Journey)>,
    imports: Vec<(Key, Arc<Import>)>,
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
        Self { capacity, states: Vec::new(), imports: Vec::new(), cancel }
    }

    /// Set by others while a replay runs, it ends with [`ProjectError::Cancelled`] before the next edit. To start
    /// another one, clear it.
    pub fn cancel_flag(&self) -> Arc<AtomicBool> {
        self.cancel.clone()
    }

    pub(crate) fn refuse_cancelled(&self) -> Result<(), ProjectError> {
        if self.cancel.load(Ordering::Relaxed) { Err(ProjectError::Cancelled) } else { Ok(()) }
    }

    /// The longest known prefix: how many edits it has, and its state. `keys[i]` is the key after i edits.
    pub(crate) fn longest(&mut self, keys: &[Key]) -> Option<(usize, Journey)> {
        let known = |key: &Key| self.states.iter().position(|(known, _)| known == key);
        let (edits, place) = keys.iter().enumerate().rev().find_map(|(edits, key)| Some((edits, known(key)?)))?;
        let entry = self.states.remove(place);
        let state = entry.1.clone();
        self.states.push(entry);
        Some((edits, state))
    }

    pub(crate) fn keep(&mut self, key: &Key, state: &Journey) {
        if self.capacity > 0 {
            keep(&mut self.states, self.capacity, (key.clone(), state.clone()));
        }
    }

    pub(crate) fn import(&mut self, key: &Key) -> Option<Arc<Import>> {
        self.imports.iter().find(|(known, _)| known == key).map(|(_, import)| import.clone())
    }

    pub(crate) fn keep_import(&mut self, key: &Key, import: &Arc<Import>) {
        if self.capacity > 0 {
            // Two, so that going back and forth between clips is quick; each may be large.
            keep(&mut self.imports, 2, (key.clone(), import.clone()));
        }
    }
}

/// The oldest goes.
fn keep<K: PartialEq, V>(entries: &mut Vec<(K, V)>, capacity: usize, entry: (K, V)) {
    entries.retain(|(key, _)| *key != entry.0);
    entries.push(entry);
    let surplus = entries.len().saturating_sub(capacity);
    entries.drain(..surplus);
}
