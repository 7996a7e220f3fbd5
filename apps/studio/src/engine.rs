//! The project that is open, and the thread that makes its edits.
//!
//! A change of the document is quick and happens at once; its replay runs on a thread of its own, from the longest
//! prefix it knows, and the newest change wins: whatever runs for an older one ends before its next edit. All
//! listeners get its events.

use crate::error::StudioError;
use crate::motion;
use crate::places;
use aplomb_editing::finding::{Severity, in_words};
use aplomb_formats::import::read_limited;
use aplomb_formats::{Diagnostic, FileKind, Limits, ReadOptions};
use aplomb_project::document::{Draft, MOST_PROJECT_BYTES};
use aplomb_project::edit::{Advance, PrefixCache, StepRecord, run_cached};
use aplomb_project::error::Remedy;
use aplomb_project::publish::Publication;
use aplomb_project::samples::{sample, sample_name};
use aplomb_project::session::cache_folder;
use aplomb_project::source::built_in_name;
use aplomb_project::{Edit, EditReceipt, Outcome, Project, ProjectDocument, ProjectError, RunRequest, Session};
use aplomb_words::sentence;
use serde::Serialize;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock};
use tokio::sync::broadcast;

/// States and judgements that are kept: four edits with their judgements, before and after a change.
const KEPT: usize = 8;

/// What all listeners get.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Event {
    /// The document changed, or what is known of it: ask for the state.
    State {
        /// As it is now.
        revision: u64,
    },
    /// Something takes long.
    Progress {
        /// For people.
        text: String,
        /// Of the work in hand, 0 to 1, where it is known.
        share: Option<f64>,
    },
    /// The server ends.
    Closing,
}

/// A replay that came to its end.
pub struct Done {
    /// Of the document it was made of.
    pub revision: u64,
    /// What came of it.
    pub outcome: Outcome,
    /// How long it took, s.
    pub secs: f64,
    original: OnceLock<Arc<Vec<u8>>>,
    result: OnceLock<Arc<Vec<u8>>>,
}

/// Why a replay failed.
#[derive(Clone, Debug, Serialize)]
struct Failure {
    /// Of the document it was made of.
    revision: u64,
    /// For people.
    text: String,
    /// What the page can offer to do about it.
    remedy: Option<Remedy>,
}

struct Shared {
    session: Session,
    /// Folder that paths of the project lead from.
    folder: PathBuf,
    /// Counts replays that are wanted.
    wanted: u64,
    is_running: bool,
    is_closing: bool,
    done: Option<Arc<Done>>,
    /// Why the newest replay failed.
    failure: Option<Failure>,
}

/// The project that is open.
pub struct Engine {
    shared: Mutex<Shared>,
    wake: Condvar,
    cancel: Arc<AtomicBool>,
    events: broadcast::Sender<Event>,
    /// The opened folder; nothing outside it is read or written for a request.
    root: PathBuf,
    cache: Option<PathBuf>,
}

impl Engine {
    /// Opens a clip, a project, or the first built-in clip, and starts the thread. `cache` is where recovery files go.
    pub fn start(what: Option<&Path>, cache: Option<PathBuf>) -> Result<Arc<Self>, StudioError> {
        let root = match what.filter(|path| built_in_name(path).is_none() && sample_name(path).is_none()) {
            Some(path) => {
                let full = path.canonicalize().map_err(|source| aplomb_formats::FormatError::Io {
                    path: path.to_owned(),
                    action: "open",
                    source,
                })?;
                match full.is_dir() {
                    true => full,
                    false => full.parent().unwrap_or(Path::new("/")).to_owned(),
                }
            }
            None => std::env::current_dir().map_err(|error| StudioError::Start(error.to_string()))?,
        };
        let asked = match what {
            None => "builtin:walk".to_owned(),
            Some(path) if path.is_dir() => "builtin:walk".to_owned(),
            Some(path) if built_in_name(path).is_some() || sample_name(path).is_some() => {
                path.to_string_lossy().into_owned()
            }
            Some(path) => path.file_name().unwrap_or_default().to_string_lossy().into_owned(),
        };
        let session = opened(&root, &asked, cache.as_deref())?;
        let mut states = PrefixCache::keeping(KEPT);
        let (events, _) = broadcast::channel(64);
        let folder = root.clone();
        let shared =
            Shared { session, folder, wanted: 1, is_running: false, is_closing: false, done: None, failure: None };
        let engine = Arc::new(Self {
            shared: Mutex::new(shared),
            wake: Condvar::new(),
            cancel: states.cancel_flag(),
            events,
            root,
            cache,
        });
        let worker = engine.clone();
        std::thread::Builder::new()
            .name("replay".to_owned())
            .spawn(move || worker.work(&mut states))
            .map_err(|error| StudioError::Start(error.to_string()))?;
        Ok(engine)
    }

    /// The opened folder.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Listens.
    pub fn events(&self) -> broadcast::Receiver<Event> {
        self.events.subscribe()
    }

    fn tell(&self, event: Event) {
        // No one listens: there is nothing to do.
        let _ = self.events.send(event);
    }

    /// A thread that panicked while it held the lock left whole values behind: every change is one assignment.
    fn lock(&self) -> MutexGuard<'_, Shared> {
        self.shared.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// The project as it is, and the folder that its paths lead from.
    pub fn project(&self) -> (ProjectDocument, PathBuf) {
        let shared = self.lock();
        (shared.session.document().clone(), shared.folder.clone())
    }

    /// The newest replay that came to its end.
    pub fn done(&self) -> Result<Arc<Done>, StudioError> {
        self.lock().done.clone().ok_or(StudioError::NotReady)
    }

    /// Changes the document by `change`, and makes its edits.
    fn change(&self, change: impl FnOnce(&mut Shared) -> Result<(), StudioError>) -> Result<u64, StudioError> {
        let mut shared = self.lock();
        let before = shared.session.revision();
        change(&mut shared)?;
        let revision = shared.session.revision();
        if revision != before {
            shared.wanted += 1;
            self.cancel.store(true, Ordering::Relaxed);
            self.wake.notify_all();
        }
        drop(shared);
        self.tell(Event::State { revision });
        Ok(revision)
    }

    /// A change that the user made.
    pub fn put(&self, revision: u64, label: &str, draft: Draft) -> Result<u64, StudioError> {
        self.change(|shared| {
            // A page may name what lies below the opened folder, and what the project named already.
            let known: Vec<PathBuf> =
                shared.session.document().project().sources().into_iter().map(Path::to_owned).collect();
            let all = Project {
                edits: draft.entries.iter().map(|it| it.edit.clone()).collect(),
                ..Project::new(&draft.clip, vec![])
            };
            for path in all.sources() {
                if !known.iter().any(|it| it == path) {
                    places::below(&shared.folder, &path.to_string_lossy())?;
                }
            }
            Ok(shared.session.change(revision, label, draft)?)
        })
    }

    /// Takes the last change back.
    pub fn undo(&self, revision: u64) -> Result<u64, StudioError> {
        self.change(|shared| Ok(shared.session.undo(revision)?))
    }

    /// Makes it again.
    pub fn redo(&self, revision: u64) -> Result<u64, StudioError> {
        self.change(|shared| Ok(shared.session.redo(revision)?))
    }

    /// Opens something else: a built-in clip, a sample, or a file of the folder.
    pub fn open(&self, revision: u64, asked: &str) -> Result<u64, StudioError> {
        self.change(|shared| {
            let now = shared.session.revision();
            if now != revision {
                return Err(aplomb_project::session::SessionError::Stale { yours: revision, now }.into());
            }
            let session = opened(&self.root, asked, self.cache.as_deref())?;
            shared.session = session.starting_at(now + 1);
            (shared.done, shared.failure) = (None, None);
            Ok(())
        })
    }

    /// Saves the project below the opened folder.
    pub fn save(&self, name: Option<&str>, force: bool) -> Result<String, StudioError> {
        let to = match name {
            Some(name) if !name.ends_with(places::PROJECT_ENDING) => {
                let problem = format!("expected a name that ends in {}", places::PROJECT_ENDING);
                return Err(StudioError::Refused { what: name.to_owned(), problem });
            }
            Some(name) => {
                let path = places::below(&self.root, name)?;
                if path.components().count() != 1 {
                    let problem =
                        "a project is saved in the opened folder itself, as its paths lead from there".to_owned();
                    return Err(StudioError::Refused { what: name.to_owned(), problem });
                }
                Some(self.root.join(path))
            }
            None => None,
        };
        let mut shared = self.lock();
        let file = shared.session.save(to, force)?.to_owned();
        let revision = shared.session.revision();
        drop(shared);
        self.tell(Event::State { revision });
        Ok(file.file_name().unwrap_or_default().to_string_lossy().into_owned())
    }

    /// The result as a file, by the same way as `aplomb run`.
    pub fn encoded(&self, path: &Path, accept_harm: bool) -> Result<Publication, StudioError> {
        let done = self.done()?;
        let written = match accept_harm {
            true => Publication::of_accepted(path, &done.outcome),
            false => Publication::of_outcome(path, &done.outcome),
        };
        Ok(written?)
    }

    /// The receipt of the newest result as a page, as `aplomb run --html` makes it.
    pub fn receipt_page(&self) -> Result<String, StudioError> {
        let done = self.done()?;
        let outcome = &done.outcome;
        let receipt = EditReceipt::new(outcome, outcome.provenance.project.clone(), &[], true, sentence);
        aplomb_pages::receipt_html(outcome, &receipt, None, None).ok_or_else(|| StudioError::Refused {
            what: "receipt page".to_owned(),
            problem: "no body can be made of this skeleton, so there is no page to show".to_owned(),
        })
    }

    /// Writes the result below the opened folder.
    pub fn export(&self, name: &str, force: bool, accept_harm: bool) -> Result<Value, StudioError> {
        let relative = places::below(&self.root, name)?;
        if !FileKind::from_path(&relative).is_some_and(FileKind::is_written) {
            let problem = format!("expected a name that ends in one of {}", places::in_words(&places::endings().1));
            return Err(StudioError::Refused { what: name.to_owned(), problem });
        }
        let path = self.root.join(&relative);
        let (document, folder) = self.project();
        if document.project().sources().into_iter().any(|source| folder.join(source) == path) {
            let problem = "the project reads this file; choose another name".to_owned();
            return Err(StudioError::Refused { what: name.to_owned(), problem });
        }
        let written = self.encoded(&path, accept_harm)?;
        written.save(&[], force)?;
        let encoded = written.encoded;
        let bytes = encoded.files.last().map_or(&[][..], |(_, bytes)| bytes.as_slice());
        let sha256: String = Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect();
        let notes: Vec<String> = encoded.notes.iter().map(ToString::to_string).collect();
        Ok(json!({ "file": name, "bytes": bytes.len(), "sha256": sha256, "notes": notes }))
    }

    /// Stops whatever runs.
    pub fn stop(&self) {
        self.cancel.store(true, Ordering::Relaxed);
    }

    /// Ends the thread.
    pub fn close(&self) {
        self.lock().is_closing = true;
        self.stop();
        self.wake.notify_all();
        self.tell(Event::Closing);
    }

    /// Everything the page shows beside motions.
    pub fn state(&self) -> Value {
        let shared = self.lock();
        let session = &shared.session;
        let document = session.document();
        let project = document.project();
        let draft = document.draft();
        let (undo, redo) = session.ways();
        let words: Vec<String> = draft.entries.iter().map(|entry| entry.edit.in_words()).collect();
        let done = shared.done.as_ref().map(|done| {
            let outcome = &done.outcome;
            let report =
                |inspected: &Option<aplomb_project::Inspected>| inspected.as_ref().map(|it| it.report(sentence));
            let (before, after) = (report(&outcome.before), report(&outcome.after));
            let both = before.zip(after.clone());
            let changes = both.map(|(before, after)| aplomb_project::compare(before, after).changes);
            let diagnostics: Vec<String> = outcome.original.diagnostics.iter().map(Diagnostic::in_keys).collect();
            let steps: Vec<Value> = outcome.steps.iter().map(step_in_words).collect();
            let verdict = outcome.harm.as_ref().map(|harm| harm.in_words(sentence));
            json!({ "revision": done.revision, "secs": done.secs, "steps": steps, "is_met": outcome.status.is_met(),
                    "verdict": verdict,
                    "judgement": after.as_ref().map(judged), "changes": changes, "diagnostics": diagnostics })
        });
        let (reads, writes) = places::endings();
        let outside: Vec<String> =
            project.sources_outside(&shared.folder).iter().map(|path| path.display().to_string()).collect();
        json!({
            "version": env!("CARGO_PKG_VERSION"),
            "revision": session.revision(),
            "draft": draft,
            "words": words,
            "numbers": document.numbers(),
            "unknown": document.unknown(),
            "outside": outside,
            "file": session.file().and_then(Path::file_name).map(|name| name.to_string_lossy()),
            "folder": self.root.display().to_string(),
            "changed": session.is_changed(),
            "recovered": session.is_recovered(),
            "undo": undo,
            "redo": redo,
            "running": shared.is_running,
            "failure": shared.failure,
            "done": done,
            "reads": reads,
            "writes": writes,
            "builtins": aplomb_builtins::NAMES,
            "samples": aplomb_project::samples::SAMPLES.iter().map(|it| (it.name, it.about)).collect::<Vec<_>>(),
        })
    }

    /// The thread: makes the edits of the newest document until the server ends.
    fn work(&self, states: &mut PrefixCache) {
        let mut handled = 0;
        loop {
            let mut shared = self.lock();
            while shared.wanted == handled && !shared.is_closing {
                shared = self.wake.wait(shared).unwrap_or_else(std::sync::PoisonError::into_inner);
            }
            if shared.is_closing {
                return;
            }
            handled = shared.wanted;
            self.cancel.store(false, Ordering::Relaxed);
            shared.is_running = true;
            let (project, folder, revision) =
                (shared.session.document().project(), shared.folder.clone(), shared.session.revision());
            drop(shared);
            let started = std::time::Instant::now();
            let made = self.replay(&project, &folder, states);
            let mut shared = self.lock();
            shared.is_running = false;
            match made {
                Ok(outcome) => {
                    let secs = started.elapsed().as_secs_f64();
                    let (original, result) = (OnceLock::new(), OnceLock::new());
                    shared.done = Some(Arc::new(Done { revision, outcome, secs, original, result }));
                    shared.failure = None;
                }
                // A newer change is on its way, or stop was pressed: then the page is informed.
                Err(ProjectError::Cancelled) if shared.wanted != handled => {}
                Err(ProjectError::Cancelled) => {
                    let text = "stopped; change an edit or switch one off to go on".to_owned();
                    shared.failure = Some(Failure { revision, text, remedy: None });
                }
                Err(error) => {
                    let remedy = error.remedy();
                    // Where the page has a button for it, the message needs no advice.
                    let text = if remedy.is_some() { error.to_string() } else { aplomb_words::in_keys(&error) };
                    shared.failure = Some(Failure { revision, text, remedy });
                }
            }
            let revision = shared.session.revision();
            drop(shared);
            self.tell(Event::State { revision });
        }
    }

    fn replay(&self, project: &Project, folder: &Path, states: &mut PrefixCache) -> Result<Outcome, ProjectError> {
        let count = project.edits.len();
        self.tell(Event::Progress { text: "reading".to_owned(), share: None });
        let on_edit = |index: usize, edit: &Edit| {
            let share = Some(index as f64 / count.max(1) as f64);
            self.tell(Event::Progress { text: format!("{}, edit {} of {count}", edit.verb(), index + 1), share });
        };
        let last = std::cell::Cell::new(std::time::Instant::now());
        let (stop, cache) = (states.cancel_flag(), cache_folder());
        let advance = |advance: &Advance<'_>| {
            // Ten a second are enough to look at.
            if last.get().elapsed().as_millis() >= 100 {
                last.set(std::time::Instant::now());
                let share = match advance {
                    Advance::Simulated { secs, all_secs } => (*all_secs > 0.0).then(|| secs / all_secs),
                    Advance::Adapted(_) => None,
                };
                self.tell(Event::Progress { text: advance.to_string(), share });
            }
            !stop.load(std::sync::atomic::Ordering::Relaxed)
        };
        run_cached(project, &request(folder, &on_edit, &advance, cache.as_deref()), states)
    }
}

/// How the studio replays: nothing is written, so the name is for reports only.
pub fn request<'a>(
    folder: &'a Path,
    on_edit: &'a dyn Fn(usize, &Edit),
    advance: &'a dyn Fn(&Advance<'_>) -> bool,
    cache: Option<&'a Path>,
) -> RunRequest<'a> {
    let out = Path::new("result");
    RunRequest { on_edit, advance, cache, ..RunRequest::quiet(folder, ReadOptions::default(), out) }
}

impl Done {
    /// The motion that was read, as a packet.
    pub fn original(&self) -> Arc<Vec<u8>> {
        let make = || {
            let Outcome { original, before, .. } = &self.outcome;
            let body = before.as_ref().map(|it| &*it.body);
            Arc::new(motion::packet(&original.clip, &original.roles, before.as_ref(), body, None))
        };
        self.original.get_or_init(make).clone()
    }

    /// The motion after all edits, as a packet.
    pub fn result(&self) -> Arc<Vec<u8>> {
        let make = || {
            let Outcome { original, clip, after, .. } = &self.outcome;
            let body = after.as_ref().map(|it| &*it.body);
            let scene = aplomb_pages::last_scene(&self.outcome);
            Arc::new(motion::packet(clip, &original.roles, after.as_ref(), body, scene))
        };
        self.result.get_or_init(make).clone()
    }
}

/// What the light and the list beside it show.
fn judged(report: &aplomb_project::ClipReport) -> Value {
    let judgement = &report.judgement;
    let timed: Vec<bool> = judgement.moments.iter().map(|moment| !moment.is_of_whole_clip()).collect();
    json!({ "score": judgement.shown_score, "grade": judgement.grade, "headline": judgement.headline,
            "not_judged": judgement.not_judged, "aspects": judgement.aspects, "grades": judgement.aspect_grades,
            "moments": judgement.moments, "timed": timed, "more_moments": judgement.more_moments })
}

/// What is recorded of an edit, for the page: findings are data and get their words here.
fn step_in_words(step: &StepRecord) -> Value {
    let mut record = json!(step);
    for (key, severity) in [("notes", Severity::Note), ("warnings", Severity::Warning)] {
        record[key] = json!(in_words(&step.findings, severity, sentence));
    }
    record
}

/// Work on what was asked for.
fn opened(root: &Path, asked: &str, cache: Option<&Path>) -> Result<Session, StudioError> {
    if let Some(name) = sample_name(Path::new(asked)) {
        let document = ProjectDocument::of(&sample(name)?)?;
        return Ok(Session::open(document, None, None, root)?);
    }
    if built_in_name(Path::new(asked)).is_some() {
        return Ok(Session::open(ProjectDocument::new(asked)?, None, cache, &root.join(asked))?);
    }
    let relative = places::below(root, asked)?;
    let path = root.join(&relative);
    match places::kind_of(&relative) {
        Some("project") => {
            if relative.components().count() != 1 {
                let problem = "open the folder it lies in: `aplomb studio FILE`".to_owned();
                return Err(StudioError::Refused { what: asked.to_owned(), problem });
            }
            let limits = Limits { file_bytes: MOST_PROJECT_BYTES as u64, ..Limits::default() };
            let bytes = read_limited(&path, &ReadOptions { limits, ..ReadOptions::default() })?;
            let text = String::from_utf8(bytes).map_err(|_| StudioError::Refused {
                what: asked.to_owned(),
                problem: "expected a project file in TOML, found other bytes".to_owned(),
            })?;
            let document = ProjectDocument::parse(&text, &path)?;
            Ok(Session::open(document, Some(path), cache, root)?)
        }
        Some(_) => Ok(Session::open(ProjectDocument::new(relative)?, None, cache, &path)?),
        None => Err(StudioError::Refused {
            what: asked.to_owned(),
            problem: format!(
                "expected a motion ({}) or a project ({})",
                places::in_words(&places::endings().0),
                places::PROJECT_ENDING
            ),
        }),
    }
}

/// Where recovery files and the cookie's secret go.
pub fn usual_cache() -> Option<PathBuf> {
    cache_folder().map(|folder| folder.join("studio"))
}
