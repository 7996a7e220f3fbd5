//! The proofs of path editing on captures, as tables: see docs/algorithms/path.md.
//!
//! `path_proof [align|steps|smooth|arcs|lean|stretch|jumps|stairs|lifted|dog]`; without a word all of them. Ends with 1
//! if a bar is missed.

mod fits;
#[path = "../../tests/measures/mod.rs"]
mod measures;

use aplomb_editing::arc::Arc;
use aplomb_editing::footplant::contact_drift;
use aplomb_editing::path::{GroundCurve, JumpHeight, PathEdited, PathEditor, PathOptions, ScaleFactors, Timing, align};
use aplomb_editing::touchup::{TouchupOptions, touch_up};
use aplomb_motion::{Clip, FrameIndex, Side, WorldPose};
use fits::{distance_m, fitted_g, fitted_g_at, most, shown};
use glam::DVec3;
use measures::{Capture, Towards, captures, lean_rad, mean, peak_acceleration, peak_knee, square_speed, step_secs};
use std::path::Path;

/// Straight take, turning take of the same subject, and whether the turn is about 90°.
const WALK_PAIRS: [(&str, &str, bool); 8] = [
    ("16_15", "16_11", false),
    ("16_15", "16_13", false),
    ("16_15", "16_17", true),
    ("16_15", "16_19", true),
    ("16_21", "16_23", false),
    ("16_21", "16_25", false),
    ("16_21", "16_27", true),
    ("16_21", "16_29", true),
];
const RUN_PAIRS: [(&str, &str); 6] = [
    ("127_06", "127_09"),
    ("16_35", "16_37"),
    ("16_55", "16_51"),
    ("16_35", "16_39"),
    ("16_35", "16_41"),
    ("16_35", "16_43"),
];
const WALKS: [&str; 9] = ["02_01", "02_02", "07_01", "08_01", "104_02", "10_04", "16_15", "16_21", "35_01"];
const SMOOTH: [&str; 7] = ["02_01", "02_02", "07_01", "08_01", "16_15", "16_21", "35_01"];
const JUMPS: [&str; 12] =
    ["16_05", "16_06", "16_07", "16_09", "83_46", "83_48", "83_49", "118_10", "118_15", "118_20", "118_25", "13_11"];
const DOGS: [&str; 4] = ["dog_walk00", "dog_walk03", "dog_run00", "dog_run02"];

/// Slower segments hold some standing, m/s.
const WALKING: f64 = 0.8;

type Section = fn(&Path, &mut Bars);

struct Bars {
    failed: Vec<String>,
}

impl Bars {
    fn check(&mut self, holds: bool, what: impl FnOnce() -> String) {
        if !holds {
            self.failed.push(what());
        }
    }
}

fn main() {
    let Some(folder) = captures() else { return };
    let word = std::env::args().nth(1);
    let mut bars = Bars { failed: Vec::new() };
    let sections: [(&str, Section); 10] = [
        ("align", alignment),
        ("steps", steps),
        ("smooth", smooth),
        ("arcs", arcs),
        ("lean", lean),
        ("stretch", stretch),
        ("jumps", jumps),
        ("stairs", stairs),
        ("lifted", lifted),
        ("dog", dogs),
    ];
    for (name, section) in sections {
        if word.as_deref().is_none_or(|word| word == name) {
            println!("\n## {name}");
            section(&folder, &mut bars);
        }
    }
    println!("\n{} bars missed", bars.failed.len());
    for failure in &bars.failed {
        println!("  {failure}");
    }
    if !bars.failed.is_empty() {
        std::process::exit(1);
    }
}

fn read(folder: &Path, kind: &str, name: &str) -> Capture {
    Capture::read(folder, &format!("cmu-bvh/{kind}/{name}.bvh"))
}

fn editor(capture: &Capture, options: PathOptions) -> PathEditor {
    PathEditor::new(&capture.take(), options).unwrap()
}

/// The longest matched window, aligned: mean and largest distance from the target's path over the ground, cm, and how
/// many handles.
fn aligned(
    own: &Capture,
    other: &Capture,
    scale_factors: ScaleFactors,
) -> Option<(f64, f64, usize, PathEdited, Vec<f64>)> {
    let target = editor(other, PathOptions::default());
    let options = PathOptions { scale_factors, ..PathOptions::default() };
    let (mut editor, found) = align(&own.take(), &target, options).ok()?;
    let done = editor.solve().unwrap();
    let path_m = &target.original_path_m()[found.target_keys.clone()];
    let apart_cm: Vec<f64> = done.report.path_m.iter().map(|point_m| distance_m(*point_m, path_m) * 100.0).collect();
    let times: Vec<f64> = target.handles()[found.target.clone()].iter().map(|handle| handle.time_secs).collect();
    let steps_secs = times.windows(2).map(|pair| pair[1] - pair[0]).collect();
    Some((mean(&apart_cm), most(&apart_cm), found.source.len(), done, steps_secs))
}

fn alignment(folder: &Path, bars: &mut Bars) {
    println!("pair                handles   mean / max cm    s = 1");
    let (mut full, mut unscaled) = (Vec::new(), Vec::new());
    for (source, target, is_sharp) in WALK_PAIRS {
        let (own, other) = (read(folder, "walk-straight", source), read(folder, "walk-turn", target));
        let Some((mean_cm, max_cm, handles, ..)) = aligned(&own, &other, ScaleFactors::PerSegment) else {
            bars.check(false, || format!("{source} -> {target}: no match"));
            continue;
        };
        let Some((plain_cm, plain_max_cm, ..)) = aligned(&own, &other, ScaleFactors::One) else { continue };
        println!(
            "{source} -> {target}    {handles:4}     {mean_cm:.2} / {max_cm:.2}    {plain_cm:.2} / {plain_max_cm:.2}"
        );
        let (mean_bar, max_bar) = if is_sharp { (1.0, 3.0) } else { (0.5, 1.5) };
        bars.check(handles >= 4 && mean_cm <= mean_bar && max_cm <= max_bar, || {
            format!("{source} -> {target}: {mean_cm:.2} / {max_cm:.2} cm over {handles} handles")
        });
        // The set of the design is the seven pairs that had four handles there.
        if target != "16_29" {
            full.push(mean_cm);
            unscaled.push(plain_cm);
        }
    }
    let (set_cm, plain_cm) = (mean(&full), mean(&unscaled));
    println!("mean of the seven   {set_cm:.2}, s = 1: {plain_cm:.2}, ratio {:.2}", set_cm / plain_cm);
    bars.check(set_cm <= 0.5 && set_cm <= 0.7 * plain_cm, || format!("set mean {set_cm:.3}, s = 1 {plain_cm:.3}"));
    for (source, target) in RUN_PAIRS {
        let (own, other) = (read(folder, "run", source), read(folder, "run", target));
        let Some((mean_cm, max_cm, handles, ..)) = aligned(&own, &other, ScaleFactors::PerSegment) else {
            println!("{source} -> {target}    no match");
            continue;
        };
        println!("{source} -> {target}  {handles:4}     {mean_cm:.2} / {max_cm:.2}");
        bars.check(mean_cm <= 1.7 && max_cm <= 4.5, || format!("{source} -> {target}: {mean_cm:.2} / {max_cm:.2} cm"));
    }
}

/// Times of steps that the rule gives against those of the turning takes.
fn steps(folder: &Path, bars: &mut Bars) {
    let (mut off, mut off_kept, mut sums) = (Vec::new(), Vec::new(), [0.0, 0.0]);
    for (source, target, _) in WALK_PAIRS {
        let (own, other) = (read(folder, "walk-straight", source), read(folder, "walk-turn", target));
        let Some((.., done, real_secs)) = aligned(&own, &other, ScaleFactors::PerSegment) else { continue };
        for (segment, real_secs) in done.report.segments.iter().zip(&real_secs) {
            off.push(segment.secs[1] / real_secs - 1.0);
            off_kept.push(segment.secs[0] / real_secs - 1.0);
            sums = [sums[0] + segment.secs[1], sums[1] + real_secs];
        }
    }
    let rms = |off: &[f64]| mean(&off.iter().map(|off| off * off).collect::<Vec<_>>()).sqrt() * 100.0;
    let total = (sums[0] / sums[1] - 1.0) * 100.0;
    println!("{} steps: rms {:.1} % (times kept {:.1} %), total {total:+.1} %", off.len(), rms(&off), rms(&off_kept));
    bars.check(rms(&off) <= 8.0 && total.abs() <= 5.0, || {
        format!("step times: rms {:.1} %, total {total:.1} %", rms(&off))
    });
}

/// Turn at a handle minus the mean turn at its neighbours, change from the original, worst handle, degrees.
fn kink_deg(editor: &PathEditor, done: &PathEdited) -> f64 {
    let turn = |path_m: &[DVec3], key: usize| {
        let (a, b) = ((path_m[key] - path_m[key - 1]).with_y(0.0), (path_m[key + 1] - path_m[key]).with_y(0.0));
        a.cross(b).y.atan2(a.dot(b)).to_degrees()
    };
    let kink = |path_m: &[DVec3], key: usize| turn(path_m, key) - 0.5 * (turn(path_m, key - 1) + turn(path_m, key + 1));
    let inner = &editor.handles()[1..editor.handles().len() - 1];
    let change = |key: usize| kink(&done.report.path_m, key) - kink(editor.original_path_m(), key);
    most(&inner.iter().map(|handle| change(handle.key.0).abs()).collect::<Vec<_>>())
}

type Edit = Box<dyn Fn(&mut PathEditor)>;

/// Every edit of the table of smoothness with its bar: what was measured in the design and a fifth more.
fn smooth_edits() -> Vec<(&'static str, f64, Edit)> {
    let ahead = |editor: &PathEditor| {
        let handles = editor.handles();
        (handles[handles.len() - 1].position_m - handles[0].position_m).with_y(0.0).normalize()
    };
    let one_segment = |scale: f64| -> Edit {
        Box::new(move |editor| {
            let middle = editor.handles().len() / 2;
            let [a, b] = [middle - 1, middle].map(|index| editor.handles()[index].position_m);
            for index in middle..editor.handles().len() {
                editor.move_handle(index, (b - a).with_y(0.0) * (scale - 1.0)).unwrap();
            }
        })
    };
    let aside = move |by_m: f64, is_zigzag: bool| -> Edit {
        Box::new(move |editor| {
            let left = DVec3::Y.cross(ahead(editor));
            let handles = editor.handles().len();
            let wanted: Vec<usize> = if is_zigzag { (1..handles - 1).collect() } else { vec![handles / 2] };
            for index in wanted {
                let sign = if index % 2 == 0 { 1.0 } else { -1.0 };
                editor.move_handle(index, left * (by_m * sign)).unwrap();
            }
        })
    };
    let whole: Edit = Box::new(|editor| {
        let start_m = editor.handles()[0].position_m;
        for index in 0..editor.handles().len() {
            let away_m = (editor.handles()[index].position_m - start_m).with_y(0.0);
            editor.move_handle(index, away_m * 2.0).unwrap();
        }
    });
    let arc: Edit = Box::new(|editor| editor.follow(&GroundCurve::Arc(Arc::new(1.5, Side::Left))).unwrap());
    vec![
        ("all x3", 0.4, whole),
        ("segment x1.5", 0.8, one_segment(1.5)),
        ("segment x2", 1.9, one_segment(2.0)),
        ("segment x3", 5.6, one_segment(3.0)),
        ("segment x0.5", 1.0, one_segment(0.5)),
        ("side 0.3 m", 0.9, aside(0.3, false)),
        ("side 0.5 m", 2.2, aside(0.5, false)),
        ("side 1 m", 3.9, aside(1.0, false)),
        ("zigzag 0.3 m", 5.9, aside(0.3, true)),
        ("arc 1.5 m", 0.3, arc),
    ]
}

fn smooth(folder: &Path, bars: &mut Bars) {
    println!("edit           per segment   one s    s = 1   (bar), degrees; knee x, acceleration x of the worst walk");
    let takes = SMOOTH.map(|name| read(folder, "walk-straight", name));
    for (name, measured, edit) in smooth_edits() {
        let worst = |scale_factors| {
            let kinks = takes.iter().map(|capture| {
                let mut editor = editor(capture, PathOptions { scale_factors, ..PathOptions::default() });
                edit(&mut editor);
                let done = editor.solve().unwrap();
                kink_deg(&editor, &done)
            });
            most(&kinks.collect::<Vec<_>>())
        };
        let [full, single, plain] = [ScaleFactors::PerSegment, ScaleFactors::Single, ScaleFactors::One].map(worst);
        let bar = measured * 1.2;
        let pops = takes.iter().map(|capture| {
            let mut editor = editor(capture, PathOptions::default());
            edit(&mut editor);
            let clip = editor.solve().unwrap().clip;
            let knee = peak_knee(&clip, &capture.roles) / peak_knee(&capture.clip, &capture.roles);
            [knee, peak_acceleration(&clip) / peak_acceleration(&capture.clip)]
        });
        let pops: Vec<[f64; 2]> = pops.collect();
        let [knee, acceleration] = [0, 1].map(|i| most(&pops.iter().map(|it| it[i]).collect::<Vec<_>>()));
        println!("{name:14} {full:10.2} {single:9.2} {plain:8.2}   ({bar:.2}) {knee:8.2} {acceleration:6.2}");
        bars.check(full <= bar, || format!("{name}: a kink of {full:.2}°"));
        // Steps of an ordinary length; the others ask for legs of a metre and more.
        if ["side 0.3 m", "arc 1.5 m", "segment x0.5"].contains(&name) {
            bars.check(knee <= 2.5 && acceleration <= 2.5, || {
                format!("{name}: pops, knee x{knee:.2}, {acceleration:.2}")
            });
        }
    }
}

/// Sliding of pinned points beyond what the same pin does in the input, mm, the worst pin: on keys, and resampled.
fn extra_drift_mm(capture: &Capture, editor: &mut PathEditor) -> (f64, f64, PathEdited) {
    editor.set_timing(Timing::Keep).unwrap();
    let kept = editor.solve().unwrap();
    editor.set_timing(Timing::Auto).unwrap();
    let done = editor.solve().unwrap();
    let step = step_secs(&capture.clip);
    let key_secs = &done.report.key_secs;
    let (mut on_keys_mm, mut resampled_mm) = (f64::NEG_INFINITY, f64::NEG_INFINITY);
    for pin in capture.contacts.pins.iter().filter(|pin| pin.end_secs - pin.start_secs >= 0.12) {
        let effector = capture.contacts.effectors.iter().find(|it| it.name == pin.effector).unwrap();
        let cut_secs = 0.1 * (pin.end_secs - pin.start_secs);
        let keys = ((pin.start_secs + cut_secs) / step).ceil() as usize..=((pin.end_secs - cut_secs) / step) as usize;
        let (first, last) = (*keys.start(), (*keys.end()).min(key_secs.len() - 1));
        if last <= first + 1 {
            continue;
        }
        let path = |clip: &Clip, frames: std::ops::RangeInclusive<usize>| {
            let mut pose = WorldPose::for_skeleton(clip.skeleton());
            let place = |frame| {
                pose.pose(clip, FrameIndex(frame));
                pose.point_in_world_m(effector.joint, effector.point_in_joint_m)
            };
            frames.map(place).collect::<Vec<DVec3>>()
        };
        let own = path(&capture.clip, first..=last);
        on_keys_mm = on_keys_mm.max(slide_mm(&path(&kept.clip, first..=last)) - slide_mm(&own));
        let frames = (key_secs[first] / step).ceil() as usize..=(key_secs[last] / step) as usize;
        let frames = *frames.start()..=(*frames.end()).min(done.clip.frame_count() - 1);
        resampled_mm = resampled_mm.max(slide_mm(&path(&done.clip, frames)) - slide_mm(&own));
    }
    (on_keys_mm, resampled_mm, done)
}

/// Farthest from the mean, mm.
fn slide_mm(path_m: &[DVec3]) -> f64 {
    let mean_m = path_m.iter().copied().sum::<DVec3>() / path_m.len().max(1) as f64;
    path_m.iter().map(|point_m| point_m.distance(mean_m)).fold(0.0, f64::max) * 1e3
}

fn speed_change(done: &PathEdited) -> f64 {
    let speed = |i: usize| done.report.segments.iter().map(|it| it.length_m[i]).sum::<f64>() / done.report.secs[i];
    speed(1) / speed(0) - 1.0
}

fn arcs(folder: &Path, bars: &mut Bars) {
    println!("clip    radius side   speed %  drift mm keys, resampled  lowered mm  unreached  knee x  acceleration x");
    for (radius_m, slower) in [(1.5, -10.0), (2.0, -7.5), (3.0, -4.5)] {
        let mut changes = Vec::new();
        for name in WALKS {
            let capture = read(folder, "walk-straight", name);
            for side in Side::BOTH {
                let mut editor = editor(&capture, PathOptions::default());
                editor.follow(&GroundCurve::Arc(Arc::new(radius_m, side))).unwrap();
                let (on_keys_mm, resampled_mm, done) = extra_drift_mm(&capture, &mut editor);
                let change = speed_change(&done) * 100.0;
                changes.push(change);
                let knee = peak_knee(&done.clip, &capture.roles) / peak_knee(&capture.clip, &capture.roles);
                let acceleration = peak_acceleration(&done.clip) / peak_acceleration(&capture.clip);
                let report = &done.report;
                println!(
                    "{name:7} {radius_m:5} {side:6} {change:8.1} {on_keys_mm:11.3} {resampled_mm:8.3} {:16.1} {:9} {knee:9.2} {acceleration:9.2}",
                    report.deepest_drop_m * 1e3,
                    report.unreached_keys
                );
                let title = || format!("{name} on {radius_m} m to the {side}");
                bars.check(on_keys_mm <= 0.1 && resampled_mm <= 0.5, || format!("{}: drifts", title()));
                bars.check(report.unreached_keys == 0, || {
                    format!("{}: {} keys out of reach", title(), report.unreached_keys)
                });
                bars.check(knee <= 2.5 && acceleration <= 1.5, || format!("{}: pops", title()));
            }
        }
        let change = mean(&changes);
        println!("mean at {radius_m} m: {change:.1} %");
        bars.check((change - slower).abs() <= 2.0, || format!("arcs of {radius_m} m: {change:.1} %"));
    }
}

/// Followed arcs, then touch-up: the two verbs as one.
fn lean(folder: &Path, bars: &mut Bars) {
    println!("clip    radius side   lean deg before -> after (v^2/gR)   ZMP outside cm before -> after   slide mm");
    for name in ["02_01", "07_01"] {
        let capture = read(folder, "walk-straight", name);
        for radius_m in [1.5, 2.0, 3.0] {
            for side in Side::BOTH {
                let mut editor = editor(&capture, PathOptions::default());
                editor.follow(&GroundCurve::Arc(Arc::new(radius_m, side))).unwrap();
                let clip = editor.solve().unwrap().clip;
                let bent = Capture::of(name.to_owned(), clip, capture.roles.clone());
                let Capture { clip, roles, body, contacts, .. } = &bent;
                let done = touch_up(&bent.take(), &TouchupOptions::default()).unwrap();
                let lean_deg = |clip: &Clip| lean_rad(clip, roles, &capture.body, Towards::Side(side)).to_degrees();
                let (before, after) = (lean_deg(clip), lean_deg(&done.clip));
                let steady = (square_speed(clip, body) / (9.81 * radius_m)).atan().to_degrees();
                let slide_mm = contact_drift(&done.clip, contacts).worst_m * 1e3;
                println!(
                    "{name:7} {radius_m:5} {side:6} {before:9.1} -> {after:5.1} ({steady:.1}) {:18.1} -> {:.1} {slide_mm:19.1}",
                    done.before.mean_m * 1e2,
                    done.after.mean_m * 1e2
                );
                bars.check(after > before + 0.5 && after > 0.0, || {
                    format!("{name} on {radius_m} m to the {side}: leans {before:.1} -> {after:.1} deg")
                });
                bars.check(done.after.mean_m < 0.6 * done.before.mean_m, || {
                    format!(
                        "{name} on {radius_m} m to the {side}: ZMP {:.3} -> {:.3} m",
                        done.before.mean_m, done.after.mean_m
                    )
                });
            }
        }
    }
}

/// A level walk lifted onto the path of real stairs: heights of the root against those of the capture, at the nearest
/// place of the ground.
fn lifted(folder: &Path, bars: &mut Bars) {
    println!("walk -> stairs     handles  level at handles: mean / max cm   smooth: mean / max cm");
    let target = read(folder, "stairs-terrain", "83_34");
    let whole = editor(&target, PathOptions::default());
    for name in ["83_36", "83_37"] {
        let walk = read(folder, "walk-turn", name);
        let mut row = Vec::new();
        let mut handles = 0;
        for level_handles in [true, false] {
            let options = PathOptions { stairs: true, level_handles, ..PathOptions::default() };
            let Ok((mut editor, found)) = align(&walk.take(), &whole, options) else { continue };
            handles = found.source.len();
            let done = editor.solve().unwrap();
            let path_m = &whole.original_path_m()[found.target_keys.clone()];
            let off_cm = |point_m: &DVec3| {
                let apart = |p: &&DVec3| p.with_y(0.0).distance_squared(point_m.with_y(0.0));
                let nearest = path_m.iter().min_by(|a, b| apart(a).total_cmp(&apart(b)));
                nearest.map_or(f64::INFINITY, |nearest| (nearest.y - point_m.y).abs() * 100.0)
            };
            let off: Vec<f64> = done.report.path_m.iter().map(off_cm).collect();
            row.push((mean(&off), most(&off)));
        }
        let [level, smooth] = row[..] else {
            println!("{name} -> 83_34    no match");
            continue;
        };
        println!("{name} -> 83_34 {handles:6} {:19.1} / {:.1} {:26.1} / {:.1}", level.0, level.1, smooth.0, smooth.1);
        bars.check(level.0 <= 2.5 && level.1 <= 8.0, || format!("{name} lifted: {:.1} / {:.1} cm", level.0, level.1));
        bars.check(smooth.0 <= 2.0 && smooth.1 <= 5.0, || {
            format!("{name} lifted smoothly: {:.1} / {:.1} cm", smooth.0, smooth.1)
        });
    }
}

fn stretch(folder: &Path, bars: &mut Bars) {
    println!("clip     scale  exponent  lowered mm  heel deg  unreached");
    for name in WALKS {
        let capture = read(folder, "walk-straight", name);
        for scale in [0.8_f64, 0.9, 1.1, 1.2, 1.3, 1.5] {
            let mut editor = editor(&capture, PathOptions::default());
            let start_m = editor.handles()[0].position_m;
            for index in 0..editor.handles().len() {
                let away_m = (editor.handles()[index].position_m - start_m).with_y(0.0);
                editor.move_handle(index, away_m * (scale - 1.0)).unwrap();
            }
            let done = editor.solve().unwrap();
            let report = &done.report;
            // Where people walk: a standing body has no stride, and keeps the time.
            let walked = || report.segments.iter().filter(|it| it.length_m[0] / it.secs[0] > WALKING);
            let speed =
                |i: usize| walked().map(|it| it.length_m[i]).sum::<f64>() / walked().map(|it| it.secs[i]).sum::<f64>();
            let exponent = (speed(1) / speed(0)).ln() / scale.ln();
            println!(
                "{name:7} {scale:6} {exponent:9.2} {:11.1} {:9.1} {:10}",
                report.deepest_drop_m * 1e3,
                report.largest_lift_rad.to_degrees(),
                report.unreached_keys
            );
            if scale <= 1.2 {
                bars.check((1.3..=1.67).contains(&exponent), || format!("{name} x{scale}: exponent {exponent:.2}"));
            }
            if scale > 1.3 {
                bars.check(!report.findings.is_empty(), || format!("{name} x{scale}: nothing is told"));
            }
        }
    }
}

fn jumps(folder: &Path, bars: &mut Bars) {
    println!(
        "clip    flight      g  height  time x (root)  g keys %  g resampled %  lowered mm  missed mm   longer: time x  g %  total %"
    );
    for name in JUMPS {
        let capture = read(folder, "jump-forward", name);
        let mut keyed = editor(&capture, PathOptions { keep_keys: true, ..PathOptions::default() });
        let mut even = editor(&capture, PathOptions::default());
        let Some(index) = (0..keyed.flights().len())
            .max_by(|&a, &b| keyed.flights()[a].height_m.total_cmp(&keyed.flights()[b].height_m))
        else {
            bars.check(false, || format!("{name}: no flight"));
            continue;
        };
        let flight = keyed.flights()[index].clone();
        let secs = flight.end_secs - flight.start_secs;
        let own_g = fitted_g(&capture.clip, &capture.body, (flight.start_secs, flight.end_secs));
        for times in [1.5, 2.0] {
            for editor in [&mut keyed, &mut even] {
                editor.reset();
                editor.set_jump_height(index, JumpHeight::Times(times)).unwrap();
            }
            let done = keyed.solve().unwrap();
            let at = |key: FrameIndex| done.report.key_secs[key.0];
            let span = (at(flight.start), at(flight.end));
            let on_keys = (fitted_g(&done.clip, &capture.body, span) / own_g - 1.0) * 100.0;
            // Captured flights are no perfect parabolas: against the original's g at the same instants.
            let result = even.solve().unwrap().clip;
            let instants = |secs: f64| flight.start_secs + (secs - span.0) / f64::sqrt(times);
            let expected = fitted_g_at(&capture, step_secs(&result), span, instants);
            let resampled = (fitted_g(&result, &capture.body, span) / expected - 1.0) * 100.0;
            let ratio = (span.1 - span.0) / secs;
            println!(
                "{name:7} {secs:6.3} {own_g:6.2} {times:7} {ratio:9.4} ({:.4}) {on_keys:8.3} {resampled:12.3} {:12.1} {:9.1}",
                f64::sqrt(times),
                done.report.deepest_drop_m * 1e3,
                done.report.worst_miss_m * 1e3
            );
            bars.check((ratio / f64::sqrt(times) - 1.0).abs() < 1e-3, || format!("{name} x{times}: time x{ratio:.4}"));
            bars.check(on_keys.abs() <= 0.1 && resampled.abs() <= 0.5, || {
                format!("{name} x{times}: g changes by {on_keys:.2} % on keys, {resampled:.2} % resampled")
            });
        }
        keyed.reset();
        let way_m = keyed.original_path_m()[flight.end.0] - keyed.original_path_m()[flight.start.0];
        for handle in 0..keyed.handles().len() {
            if keyed.handles()[handle].key >= flight.end {
                keyed.move_handle(handle, way_m.with_y(0.0) * 0.5).unwrap();
            }
        }
        let done = keyed.solve().unwrap();
        let at = |key: FrameIndex| done.report.key_secs[key.0];
        let span = (at(flight.start), at(flight.end));
        let g = (fitted_g(&done.clip, &capture.body, span) / own_g - 1.0) * 100.0;
        let total = (done.report.secs[1] / done.report.secs[0] - 1.0) * 100.0;
        let ratio = (span.1 - span.0) / secs;
        println!("{name:7} longer by half {:>74.4} {g:6.2} {total:7.2}", ratio);
        bars.check((ratio - 1.0).abs() < 1e-3 && total < 0.5 && g.abs() <= 0.1, || {
            format!("{name} longer: time x{ratio:.4}, total {total:.2} %, g {g:+.2} %")
        });
    }
}

fn stairs(folder: &Path, bars: &mut Bars) {
    println!("clip    rise m  drift mm   rises of plants, m");
    for name in ["16_15", "02_01", "07_01"] {
        let capture = read(folder, "walk-straight", name);
        for rise_m in [0.10, 0.17] {
            let mut editor = editor(&capture, PathOptions { stairs: true, ..PathOptions::default() });
            for index in 0..editor.handles().len() {
                editor.move_handle(index, DVec3::Y * (rise_m * index as f64)).unwrap();
            }
            let (on_keys_mm, ..) = extra_drift_mm(&capture, &mut editor);
            editor.set_timing(Timing::Keep).unwrap();
            let done = editor.solve().unwrap();
            let rises: Vec<f64> = plant_rises_m(&capture, &done.clip);
            let text: Vec<String> = rises.iter().map(|rise| format!("{rise:.3}")).collect();
            println!("{name:7} {rise_m:6} {on_keys_mm:9.3}   {}", text.join(" "));
            bars.check(on_keys_mm <= 0.1, || format!("{name} stairs: plants move by {on_keys_mm:.2} mm"));
            let steps: Vec<f64> = rises.windows(2).map(|pair| pair[1] - pair[0]).collect();
            let inner = &steps[1..steps.len().max(2) - 1];
            bars.check(inner.iter().all(|step| (step - rise_m).abs() < 0.02), || format!("{name} stairs: {steps:.3?}"));
        }
    }
}

/// How much each ball pin rose, by time.
fn plant_rises_m(capture: &Capture, done: &Clip) -> Vec<f64> {
    let step = step_secs(&capture.clip);
    let mut pose = WorldPose::for_skeleton(done.skeleton());
    let mut found: Vec<(f64, f64)> = Vec::new();
    for pin in capture.contacts.pins.iter().filter(|pin| pin.effector.ends_with("ball")) {
        let effector = capture.contacts.effectors.iter().find(|it| it.name == pin.effector).unwrap();
        let secs = 0.5 * (pin.start_secs + pin.end_secs);
        let mut height = |clip: &Clip| {
            pose.pose(clip, FrameIndex((secs / step).round() as usize));
            pose.point_in_world_m(effector.joint, effector.point_in_joint_m).y
        };
        found.push((secs, height(done) - height(&capture.clip)));
    }
    found.sort_by(|a, b| a.0.total_cmp(&b.0));
    found.into_iter().map(|(_, rise)| rise).collect()
}

fn dogs(folder: &Path, bars: &mut Bars) {
    println!("clip         handles  turned deg  drift mm keys, resampled  lowered mm  unreached (miss mm)  speed %");
    for name in DOGS {
        let capture = Capture::read(folder, &format!("quadruped/dog-bvh-derived/{name}.bvh"));
        let mut editor = editor(&capture, PathOptions::default());
        if let Err(error) = editor.follow(&GroundCurve::Arc(Arc::new(1.5, Side::Left))) {
            println!("{name}: {error}");
            continue;
        }
        let (on_keys_mm, resampled_mm, done) = extra_drift_mm(&capture, &mut editor);
        let way_m: f64 = done.report.segments.iter().map(|segment| segment.length_m[1]).sum();
        let (report, change) = (&done.report, speed_change(&done) * 100.0);
        println!(
            "{name:12} {:7} {:10.0} {:>13} {:>9} {:12.1} {:10} ({:.1}) {change:12.1}",
            editor.handles().len(),
            (way_m / 1.5).to_degrees(),
            shown(on_keys_mm),
            shown(resampled_mm),
            report.deepest_drop_m * 1e3,
            report.unreached_keys,
            report.worst_miss_m * 1e3,
        );
        // A galloping dog may slide on all its paws: none has a pin then, and there is no drift to judge.
        let shown_pins = capture.contacts.pins.iter().any(|pin| pin.end_secs - pin.start_secs >= 0.12);
        bars.check(shown_pins || name == "dog_run02", || format!("{name}: no pin to judge"));
        bars.check(on_keys_mm <= 0.1 && resampled_mm <= 0.5, || {
            format!("{name}: drifts {on_keys_mm:.2} / {resampled_mm:.2} mm")
        });
        bars.check(report.worst_miss_m <= 1e-3, || format!("{name}: misses by {:.1} mm", report.worst_miss_m * 1e3));
        bars.check((-16.0..=0.5).contains(&change), || format!("{name}: speed {change:+.1} %"));
    }
}
