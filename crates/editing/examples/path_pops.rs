//! How far edits that people make, and edits that tear limbs, bend the ways of joints: where the limit of `LimbPop`
//! comes from. See docs/algorithms/path.md.
#[path = "../tests/measures/mod.rs"]
mod measures;

use aplomb_analysis::Take;
use aplomb_editing::arc::Arc;
use aplomb_editing::path::{GroundCurve, JumpHeight, PathEditor, PathOptions};
use aplomb_motion::{FrameTime, Side, edit};
use glam::DVec3;
use measures::Capture;

type Edit = (&'static str, bool, fn(&mut PathEditor) -> Option<()>);

fn ahead(editor: &PathEditor) -> DVec3 {
    let handles = editor.handles();
    (handles[handles.len() - 1].position_m - handles[0].position_m).with_y(0.0).normalize_or(DVec3::Z)
}

fn aside(editor: &mut PathEditor, by_m: f64) -> Option<()> {
    let to_m = DVec3::Y.cross(ahead(editor)) * by_m;
    editor.move_handle(editor.handles().len() / 2, to_m).ok()
}

fn all(editor: &mut PathEditor, by: impl Fn(usize, DVec3) -> DVec3) -> Option<()> {
    (0..editor.handles().len()).try_for_each(|index| {
        let at_m = editor.handles()[index].position_m;
        editor.move_handle(index, by(index, at_m)).ok()
    })
}

fn arc(editor: &mut PathEditor, radius_m: f64) -> Option<()> {
    editor.follow(&GroundCurve::Arc(Arc::new(radius_m, Side::Left))).ok()
}

fn stretched(editor: &mut PathEditor, scale: f64) -> Option<()> {
    let from_m = editor.handles()[0].position_m;
    all(editor, |_, at_m| (at_m - from_m).with_y(0.0) * (scale - 1.0))
}

const EDITS: [Edit; 19] = [
    ("arc 3 m", true, |e| arc(e, 3.0)),
    ("arc 2 m", true, |e| arc(e, 2.0)),
    ("arc 1.5 m", true, |e| arc(e, 1.5)),
    ("aside 0.1 m", true, |e| aside(e, 0.1)),
    ("aside 0.3 m", true, |e| aside(e, 0.3)),
    ("x0.8", true, |e| stretched(e, 0.8)),
    ("x1.2", true, |e| stretched(e, 1.2)),
    ("x1.3", true, |e| stretched(e, 1.3)),
    ("zigzag 0.2 m", true, |e| {
        let left = DVec3::Y.cross(ahead(e));
        all(e, |index, _| left * if index % 2 == 0 { 0.1 } else { -0.1 })
    }),
    ("last 0.3 m on", true, |e| {
        let by_m = ahead(e) * 0.3;
        e.move_handle(e.handles().len() - 1, by_m).ok()
    }),
    ("higher x1.5", true, |e| {
        (!e.flights().is_empty()).then_some(())?;
        e.set_jump_height(0, JumpHeight::Times(1.5)).ok()
    }),
    ("arc 0.3 m", false, |e| arc(e, 0.3)),
    ("aside 1 m", false, |e| aside(e, 1.0)),
    ("aside 3 m", false, |e| aside(e, 3.0)),
    ("on the next", false, |e| {
        let middle = e.handles().len() / 2;
        let next_m = e.handles().get(middle + 1)?.position_m;
        let at_m = e.handles()[middle].position_m;
        e.move_handle(middle, (next_m - at_m).with_y(0.0)).ok()
    }),
    ("swapped", false, |e| {
        let middle = e.handles().len() / 2;
        let (next_m, at_m) = (e.handles().get(middle + 1)?.position_m, e.handles()[middle].position_m);
        e.move_handle(middle, (next_m - at_m).with_y(0.0)).ok()?;
        e.move_handle(middle + 1, (at_m - next_m).with_y(0.0)).ok()
    }),
    ("there and back", false, |e| {
        let length_m = e.handles()[e.handles().len() - 1].position_m.distance(e.handles()[0].position_m);
        let (from_m, way) = (e.handles()[0].position_m, ahead(e));
        all(e, |_, at_m| {
            let along_m = (at_m - from_m).dot(way);
            if along_m > 0.5 * length_m { way * (length_m - 2.0 * along_m) } else { DVec3::ZERO }
        })
    }),
    ("x3", false, |e| stretched(e, 3.0)),
    ("higher x10", false, |e| {
        (!e.flights().is_empty()).then_some(())?;
        e.set_jump_height(0, JumpHeight::Times(10.0)).ok()
    }),
];

fn main() {
    let Some(folder) = measures::captures() else { return };
    let mut captures = Vec::new();
    for kind in ["walk-straight", "walk-turn", "run", "jump-forward", "jump-turn", "hop"] {
        let mut files: Vec<_> =
            std::fs::read_dir(folder.join("cmu-bvh").join(kind)).unwrap().flatten().map(|it| it.path()).collect();
        files.sort();
        for file in files {
            let name = format!("cmu-bvh/{kind}/{}", file.file_name().unwrap().to_str().unwrap());
            if let Some(it) = Capture::try_read(&folder, &name) {
                for hz in [120.0, 60.0, 30.0] {
                    let Ok(clip) = edit::resample(&it.clip, FrameTime::from_hz(hz).unwrap()) else { continue };
                    let same = Capture {
                        name: it.name.clone(),
                        clip,
                        roles: it.roles.clone(),
                        body: it.body.clone(),
                        contacts: it.contacts.clone(),
                        left_alone: it.left_alone.clone(),
                    };
                    captures.push((hz, kind, same));
                }
            }
        }
    }
    println!("edit               Hz  clips  torn   beyond mm: median  0.9  worst (clip, joint)");
    for (name, is_ordinary, edit) in EDITS {
        for hz in [120.0, 60.0, 30.0] {
            let mut found: Vec<(f64, String)> = Vec::new();
            let mut turns: Vec<f64> = Vec::new();
            let mut told = 0;
            for (_, kind, it) in captures.iter().filter(|it| it.0 == hz) {
                let Ok(mut editor) = PathEditor::new(
                    &Take::new(it.clip.clone(), it.roles.clone(), it.body.clone())
                        .with_known_contacts(it.contacts.clone(), None),
                    PathOptions::default(),
                ) else {
                    continue;
                };
                if edit(&mut editor).is_none() {
                    continue;
                }
                let Ok(done) = editor.solve() else { continue };
                let pops = editor.pops(&done).unwrap();
                let worst = pops.iter().max_by(|a, b| a.beyond_m().total_cmp(&b.beyond_m())).unwrap();
                turns.push(done.report.fastest_turn);
                told += usize::from(done.report.is_spun() || worst.is_torn());
                found.push((
                    worst.beyond_m() * 1e3,
                    format!(
                        "{kind} {} {} {:.2} s {:.0} -> {:.0} mm",
                        it.name,
                        worst.joint,
                        worst.secs,
                        worst.second_difference_m[0] * 1e3,
                        worst.second_difference_m[1] * 1e3
                    ),
                ));
            }
            turns.sort_by(f64::total_cmp);
            let turn = |share: f64| turns[((turns.len() - 1) as f64 * share) as usize];
            found.sort_by(|a, b| a.0.total_cmp(&b.0));
            let at = |share: f64| found[((found.len() - 1) as f64 * share) as usize].0;
            let torn = found.iter().filter(|it| it.0 > 0.0).count();
            println!(
                "{}{name:16} {hz:4} {:4} {torn:5}  {:8.1} {:8.1} {:8.1}  told {told:3} turns {:5.1} {:5.1} {:5.1}  {}",
                if is_ordinary { " " } else { "!" },
                found.len(),
                at(0.5),
                at(0.9),
                at(1.0),
                turn(0.5),
                turn(0.9),
                turn(1.0),
                found[found.len() - 1].1
            );
        }
    }
}
