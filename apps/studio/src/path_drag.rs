//! Handles that are being dragged: each move becomes a motion within a frame of the screen.
//!
//! A thread of its own, so that a replay that still runs does not hold the hand up. It keeps the factorisation of the
//! last motion it had in hand; of moves that wait it makes the newest only.

use crate::engine::{Engine, request};
use crate::packet::Packet;
use crate::poses;
use aplomb_editing::finding::{Severity, in_words};
use aplomb_editing::path::PathEdited;
use aplomb_motion::JointId;
use aplomb_pages::Figure;
use aplomb_project::edit::{LivePath, PathEdit, PrefixCache, live_path};
use aplomb_project::{Edit, Project};
use aplomb_words::{in_keys, sentence};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use std::path::PathBuf;
use std::sync::{Arc, mpsc};
use std::time::Instant;

/// Where the hand is.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Drag {
    /// Counts moves of a page, to tell answers apart.
    pub n: u64,
    /// Which entry of the document, from 0, those that are off counted.
    pub entry: usize,
    /// The edit as it shall be.
    pub edit: PathEdit,
    /// Whether handles, flights and the original path are wanted too.
    #[serde(default)]
    pub grab: bool,
}

/// A move, and where its answer goes.
pub struct Asked {
    /// The move.
    pub drag: Drag,
    /// Takes the packet; an error is a packet too.
    pub answer: tokio::sync::mpsc::Sender<Vec<u8>>,
}

struct HeldPath {
    live: LivePath,
    joints: Vec<JointId>,
    /// The edits before, and the edit.
    project: Project,
    folder: PathBuf,
    edit: PathEdit,
}

/// Serves moves until all senders are gone.
pub fn serve(engine: Arc<Engine>, moves: mpsc::Receiver<Asked>) {
    let mut states = PrefixCache::keeping(3);
    let mut held: Option<HeldPath> = None;
    while let Ok(first) = moves.recv() {
        // The newest of each page; what asks for handles is always answered.
        let mut waiting = vec![first];
        while let Ok(next) = moves.try_recv() {
            waiting.retain(|old| old.drag.grab || !old.answer.same_channel(&next.answer));
            waiting.push(next);
        }
        for Asked { drag, answer } in waiting {
            let started = Instant::now();
            let packet = match make(&engine, &drag, &mut held, &mut states, started) {
                Ok(packet) => packet,
                Err(problem) => {
                    let header = [("type", json!("drag")), ("n", json!(drag.n)), ("error", json!(problem))];
                    Packet::default().finish(header.map(|(key, value)| (key.to_owned(), value)).into_iter().collect())
                }
            };
            // A page that went away needs no answer; one that does not read gets the next.
            let _ = answer.try_send(packet);
        }
    }
}

fn make(
    engine: &Engine,
    drag: &Drag,
    held: &mut Option<HeldPath>,
    states: &mut PrefixCache,
    started: Instant,
) -> Result<Vec<u8>, String> {
    let (document, folder) = engine.project();
    let number =
        document.numbers().get(drag.entry).copied().flatten().ok_or("this edit is off, or not there any more")?;
    let mut project = document.project();
    project.edits.truncate(number);
    let is_held = held
        .as_ref()
        .is_some_and(|it| it.project == project && it.folder == folder && LivePath::is_near(&it.edit, &drag.edit));
    if !is_held {
        let mut with = project.clone();
        with.edits.push(Edit::Path(drag.edit.clone()));
        let nothing = |_: usize, _: &Edit| {};
        let live = live_path(&with, &request(&folder, &nothing, &|_| true, None), number, states)
            .map_err(|error| in_keys(&error))?;
        // The page draws with the links of the result it has.
        let joints = joints(engine, &live).ok_or("wait until the clip is shown")?;
        *held = Some(HeldPath { live, joints, project, folder, edit: drag.edit.clone() });
    }
    let Some(HeldPath { live, joints, .. }) = held else { return Err("nothing is in hand".to_owned()) };
    live.set(&drag.edit).map_err(|error| in_keys(&error))?;
    let done = live.editor.solve().map_err(|error| in_keys(&error))?;
    let solved = started.elapsed();
    let mut packet = Packet::default();
    let clip = &done.clip;
    poses::poses(&mut packet, clip, joints, clip.frames().map(|frame| clip.time_secs(frame)).collect());
    packet.array("path", done.report.path_m.iter().flat_map(|point| point.to_array()));
    packet.array("key_t", done.report.key_secs.iter().copied());
    if drag.grab {
        packet.array("original_path", live.editor.original_path_m().iter().flat_map(|point| point.to_array()));
    }
    let mut header = answer_header(drag, live, &done);
    header.insert("solve_ms".to_owned(), json!(1e3 * solved.as_secs_f64()));
    header.insert("made_ms".to_owned(), json!(1e3 * started.elapsed().as_secs_f64()));
    Ok(packet.finish(header))
}

/// The links that the page draws of this skeleton.
fn joints(engine: &Engine, live: &LivePath) -> Option<Vec<JointId>> {
    let done = engine.done().ok()?;
    let (original, after) = (&done.outcome.original, done.outcome.after.as_ref());
    let skeleton = live.editor.original().skeleton();
    let body = after.map(|it| &it.body).filter(|body| body.check_skeleton(skeleton).is_ok());
    Some(match body {
        Some(body) => Figure::of(skeleton, &original.roles, body).joints,
        None => Figure::sticks(skeleton).joints,
    })
}

fn answer_header(drag: &Drag, live: &LivePath, done: &PathEdited) -> Map<String, Value> {
    let (editor, report) = (&live.editor, &done.report);
    let mut header = Map::from_iter([
        ("type".to_owned(), json!("drag")),
        ("n".to_owned(), json!(drag.n)),
        ("entry".to_owned(), json!(drag.entry)),
        ("frames".to_owned(), json!(done.clip.frame_count())),
        ("duration".to_owned(), json!(done.clip.duration_secs())),
        ("secs".to_owned(), json!(report.secs)),
        ("segments".to_owned(), json!(report.segments)),
        ("warnings".to_owned(), json!(in_words(&report.findings, Severity::Warning, sentence))),
        ("is_spun".to_owned(), json!(report.is_spun())),
        ("unreached".to_owned(), json!(report.unreached_keys)),
        ("goals".to_owned(), json!(editor.goals_m().iter().map(|goal| goal.to_array()).collect::<Vec<_>>())),
    ]);
    if drag.grab {
        let handles: Vec<Value> = editor
            .handles()
            .iter()
            .zip(&live.base_m)
            .map(|(handle, base_m)| {
                json!({ "key": handle.key.0, "secs": handle.time_secs, "kind": handle.kind, "lead": handle.lead,
                        "position": handle.position_m.to_array(), "base": base_m.to_array() })
            })
            .collect();
        let flights: Vec<Value> = editor
            .flights()
            .iter()
            .map(|it| {
                json!({ "start": it.start_secs, "end": it.end_secs, "height_m": it.height_m, "g": it.g,
                              "start_key": it.start.0, "end_key": it.end.0 })
            })
            .collect();
        header.insert("handles".to_owned(), json!(handles));
        header.insert("flights".to_owned(), json!(flights));
        header.insert("notes".to_owned(), json!(in_words(&live.findings, Severity::Note, sentence)));
    }
    header
}
