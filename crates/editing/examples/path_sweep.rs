//! Edits that people make, on every capture: the instant at which a knee, ankle, elbow or wrist bends its way most
//! beyond the capture's own, and whether it is reported.
//!
//! `path_sweep [PART OF A NAME …]`; a line for each edit whose worst bend is beyond 10 mm more than 1.5 times the
//! capture's own near that instant, then a table. See docs/algorithms/path.md.
#[path = "../tests/measures/mod.rs"]
mod measures;

use aplomb_analysis::Take;
use aplomb_editing::arc::Arc;
use aplomb_editing::path::{GroundCurve, JumpHeight, PathEditor, PathOptions, Timing};
use aplomb_motion::Side;
use glam::DVec3;
use measures::Capture;
use std::path::{Path, PathBuf};

/// An edit by name, and the options it is made with.
type Edit = (String, PathOptions, Box<dyn Fn(&mut PathEditor) -> Option<()>>);

fn edits(editor: &PathEditor) -> Vec<Edit> {
    let usual = PathOptions::default;
    let stairs = || PathOptions { stairs: true, ..PathOptions::default() };
    let mut edits: Vec<Edit> = Vec::new();
    for flight in 0..editor.flights().len() {
        for times in [0.5, 1.5] {
            let edit = move |it: &mut PathEditor| it.set_jump_height(flight, JumpHeight::Times(times)).ok();
            edits.push((format!("jump {flight} x{times}"), usual(), Box::new(edit)));
        }
    }
    let handles = editor.handles();
    let last = handles.len() - 1;
    let ahead = (handles[last].position_m - handles[0].position_m).with_y(0.0).normalize_or(DVec3::Z);
    let left = DVec3::Y.cross(ahead);
    for (way, to_m) in [("aside", 0.3 * left), ("ahead", 0.3 * ahead)] {
        let edit = move |it: &mut PathEditor| it.move_handle(last.div_ceil(2), to_m).ok();
        edits.push((format!("handle {way}"), usual(), Box::new(edit)));
    }
    let follow = |it: &mut PathEditor| it.follow(&GroundCurve::Arc(Arc::new(2.0, Side::Left))).ok();
    edits.push(("arc 2 m".to_owned(), usual(), Box::new(follow)));
    for factor in [0.8, 1.25] {
        let options = PathOptions { timing: Timing::Scale(factor), ..usual() };
        edits.push((format!("time x{factor}"), options, Box::new(|_| Some(()))));
    }
    for (way, step_m) in [("up", 0.15), ("down", -0.15)] {
        let edit = move |it: &mut PathEditor| {
            (0..=last).try_for_each(|handle| it.move_handle(handle, DVec3::Y * (step_m * handle as f64)).ok())
        };
        edits.push((format!("stairs {way}"), stairs(), Box::new(edit)));
    }
    edits
}

fn main() {
    let Some(folder) = measures::captures() else { return };
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    let mut files = Vec::new();
    for part in ["cmu-bvh", "bandai-bvh", "other-bvh", "bvh-dialects", "quadruped"] {
        find(&folder.join(part), &mut files);
    }
    // Kind of edit → how many, reported, and what bends beyond 10, 15, 20 and 30 mm unreported.
    let mut table: std::collections::BTreeMap<String, [usize; 7]> = Default::default();
    let (mut edited, mut refused) = (0, 0);
    for file in files {
        let name = file.strip_prefix(&folder).unwrap_or(&file).display().to_string();
        if !wanted.is_empty() && !wanted.iter().any(|part| name.contains(part.as_str())) {
            continue;
        }
        let Some(it) = Capture::try_read(&folder, &name) else { continue };
        let open = |options: PathOptions| {
            PathEditor::new(
                &Take::new(it.clip.clone(), it.roles.clone(), it.body.clone())
                    .with_known_contacts(it.contacts.clone(), None),
                options,
            )
        };
        let editor = match open(PathOptions::default()) {
            Ok(editor) => editor,
            Err(_) => {
                refused += 1;
                continue;
            }
        };
        edited += 1;
        for (what, options, edit) in edits(&editor) {
            let Ok(mut editor) = open(options) else { continue };
            if edit(&mut editor).is_none() {
                continue;
            }
            let Ok(done) = editor.solve() else { continue };
            let pops = editor.pops(&done).unwrap();
            let Some(worst) = pops.iter().max_by(|a, b| a.jerk_m().total_cmp(&b.jerk_m())) else { continue };
            let step_secs = measures::step_secs(&it.clip);
            let told = pops.iter().any(|pop| pop.is_torn() || pop.is_jerk(step_secs)) || done.report.is_spun();
            let kind = what.split(' ').filter(|word| word.parse::<usize>().is_err()).collect::<Vec<_>>().join(" ");
            let row = table.entry(kind).or_default();
            row[0] += 1;
            row[1] += usize::from(told);
            let beyond_mm = worst.jerk_m() * 1e3;
            for (slot, limit_mm) in [(2, 5.0), (3, 10.0), (4, 15.0), (5, 20.0), (6, 30.0)] {
                row[slot] += usize::from(beyond_mm > limit_mm && !told);
            }
            if beyond_mm > 10.0 {
                let [before_mm, after_mm] = worst.second_difference_m.map(|metres| metres * 1e3);
                println!(
                    "{beyond_mm:6.1} {} {name} {what}: {} at {:.3} s {before_mm:.1} -> {after_mm:.1} mm; lowered {:.0} mm, unreached {}",
                    if told { "told  " } else { "untold" },
                    worst.joint,
                    worst.secs,
                    done.report.deepest_drop_m * 1e3,
                    done.report.unreached_keys
                );
            }
        }
    }
    println!("{edited} captures edited, {refused} refused");
    println!("edit              count  told  untold beyond 5, 10, 15, 20, 30 mm");
    for (kind, row) in table {
        println!(
            "{kind:16} {:6} {:5} {:7} {:4} {:4} {:4} {:4}",
            row[0], row[1], row[2], row[3], row[4], row[5], row[6]
        );
    }
}

fn find(folder: &Path, files: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    let mut paths: Vec<PathBuf> = entries.flatten().map(|it| it.path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            find(&path, files);
        } else if path.extension().is_some_and(|it| it == "bvh") {
            files.push(path);
        }
    }
}
