//! The same job over many clips: on all cores, one bad clip never in the way of the others, and resumed where it was
//! cut off.
//!
//! What is done is written to a journal, one line a clip, after its outputs are in place. A killed run leaves whole
//! outputs and whole lines (a last line without its end is passed over), so that going on gives what an undisturbed run
//! gives. A line counts only for the same bytes of input, the same job and the same version. The index is made from the
//! journal: sorted by name, without times of the run, so that it is the same in whatever order it was made, and on
//! however many machines.

mod filter;
mod index;
mod job;
mod journal;
mod leftovers;
mod parquet;

pub use filter::Filter;
pub use index::{IndexFormat, index_bytes};
pub use job::{BatchJob, BatchTask};
pub use journal::{Entry, Journal};
pub use leftovers::clear_leftovers;

use crate::error::ProjectError;
use rayon::prelude::*;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Mutex;
use std::time::Duration;

/// One clip of a batch.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct BatchInput {
    /// Its name in the index and below the output folder: with `/`, relative to what the inputs have in common.
    pub key: String,
    /// Where it is.
    pub path: PathBuf,
}

/// Part `number` (from 1) of `count`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    number: u32,
    count: u32,
}

impl Shard {
    /// `None` unless 1 ≤ number ≤ count.
    pub fn new(number: u32, count: u32) -> Option<Self> {
        (1 <= number && number <= count).then_some(Self { number, count })
    }

    /// Whether a clip belongs to this part. By its name alone, so that machines that see other files agree.
    pub fn holds(&self, key: &str) -> bool {
        let hash = Sha256::digest(key.as_bytes());
        let first = hash.iter().take(8).fold(0u64, |all, &byte| all << 8 | u64::from(byte));
        first % u64::from(self.count) == u64::from(self.number - 1)
    }

    fn journal_name(&self) -> String {
        format!("journal-{}-of-{}.jsonl", self.number, self.count)
    }
}

impl Default for Shard {
    fn default() -> Self {
        Self { number: 1, count: 1 }
    }
}

/// Writing a clip takes milliseconds, on a slow network disk a few seconds: what was not touched for this long is not
/// being written.
const LONGEST_WRITE: Duration = Duration::from_secs(600);

/// How a batch is run.
pub struct BatchRequest<'a> {
    /// What is done to each clip.
    pub job: &'a BatchJob,
    /// The clips of all parts.
    pub inputs: &'a [BatchInput],
    /// Outputs and the journal go here.
    pub folder: PathBuf,
    /// Which part of them this is.
    pub shard: Shard,
    /// Clips at a time; as many as there are cores if not given.
    pub jobs: Option<usize>,
    /// What to do with a journal that is there.
    pub earlier: Earlier,
    /// Called after each clip.
    pub on_entry: &'a (dyn Fn(&Entry) + Sync),
}

/// What to do where an earlier run left its journal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Earlier {
    /// It is refused.
    #[default]
    Refuse,
    /// What it did is not done again.
    Resume,
    /// The same, but clips that failed are tried again.
    Retry,
    /// It is forgotten.
    Replace,
}

/// What a batch did: the entries of all clips of this part, by name.
pub struct BatchOutcome {
    /// Sorted by key.
    pub entries: Vec<Entry>,
    /// How many were done by an earlier run.
    pub resumed: usize,
}

/// Does the job to every clip that is not done yet.
pub fn run(request: &BatchRequest<'_>) -> Result<BatchOutcome, ProjectError> {
    let journal_path = request.folder.join(".aplomb").join(request.shard.journal_name());
    let (journal, before) = Journal::open(&journal_path, request.earlier)?;
    // The journal is locked: no other run is at work here, unless on another part, so half a file is a leftover.
    clear_leftovers(&request.folder, if request.shard.count == 1 { Duration::ZERO } else { LONGEST_WRITE });
    let mine: Vec<&BatchInput> = request.inputs.iter().filter(|input| request.shard.holds(&input.key)).collect();
    let entries: Mutex<BTreeMap<String, Entry>> = Mutex::new(BTreeMap::new());
    let resumed = std::sync::atomic::AtomicUsize::new(0);
    let fault: Mutex<Option<ProjectError>> = Mutex::new(None);
    let work = |input: &&BatchInput| {
        let stamp = request.job.stamp(input);
        let earlier = before.get(&input.key).filter(|entry| {
            entry.stamp == stamp
                && entry.outputs_are_there(&request.folder)
                && (entry.is_ok() || request.earlier != Earlier::Retry)
        });
        let entry = match earlier {
            Some(entry) => {
                resumed.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                entry.clone()
            }
            None => {
                let entry = request.job.process(input, &request.folder, stamp);
                if let Err(error) = journal.append(&entry) {
                    // Without a journal the work is lost: the run ends with this error, after what is in hand.
                    fault.lock().unwrap_or_else(std::sync::PoisonError::into_inner).get_or_insert(error);
                }
                entry
            }
        };
        (request.on_entry)(&entry);
        entries.lock().unwrap_or_else(std::sync::PoisonError::into_inner).insert(input.key.clone(), entry);
    };
    let has_fault = || fault.lock().unwrap_or_else(std::sync::PoisonError::into_inner).is_some();
    let all = || {
        mine.par_iter().for_each(|input| {
            if !has_fault() {
                work(input)
            }
        })
    };
    match request.jobs.and_then(|jobs| rayon::ThreadPoolBuilder::new().num_threads(jobs).build().ok()) {
        Some(pool) => pool.install(all),
        None => all(),
    }
    if let Some(error) = fault.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner) {
        return Err(error);
    }
    let entries = entries.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    Ok(BatchOutcome { entries: entries.into_values().collect(), resumed: resumed.into_inner() })
}

#[cfg(test)]
mod tests;
