//! Touch-up and planting leave right things alone: bars of docs/algorithms/touchup.md, on captures as they are.
//!
//! `cargo run --release --package aplomb-editing --example no_harm_proof [-- --clips] [--only NAME] [--pictures FOLDER]
//! [--bent RADIUS]`. Captures are read from `APLOMB_DATA` (default `../shared/data`). `--bent` lists what straight ways
//! need that are bent without a word about it.

#[path = "../tests/measures/mod.rs"]
mod measures;

use aplomb_analysis::Take;
use aplomb_analysis::fidelity::{BodyPart, Fidelity};
use aplomb_editing::arc::Arc;
use aplomb_editing::footplant::{PlantOptions, plant};
use aplomb_editing::span::{Span, TimeSpan};
use aplomb_editing::touchup::{DeadZones, TouchedUp, TouchupOptions, touch_up};
use aplomb_formats::{ReadOptions, read_file};
use aplomb_motion::{Clip, FrameIndex, FrameTime, Side, Timeline, kinematics, so3};
use aplomb_physics::{Body, BodyOptions};
use aplomb_render::{FrameSelection, Strip, Subject, View};
use glam::DVec3;
use rayon::prelude::*;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Over which the command's touch-up grows beside what is left alone, s.
const EASE_SECS: f64 = 0.6;
/// A motion of which less physics is right has something to be mended, points.
const RIGHT_PHYSICS: f64 = 95.0;
/// So many captures are shaken, by this much, degrees.
const SHAKEN: usize = 40;
const SHAKEN_DEG: f64 = 1.0;

const LEAST_CLIPS: usize = 100;
const LEAST_IDENTICAL: f64 = 0.60;
const MOST_RMS_DEG: [f64; 2] = [0.3, 0.9];
const MOST_PELVIS_M: f64 = 0.025;
const MOST_HANDS_M: f64 = 0.04;
const MOST_KNEE_BACK_DEG: f64 = 3.0;
const MOST_TWICE_M: f64 = 0.001;

/// What became of one capture.
struct Row {
    name: String,
    physics: f64,
    touched: Result<Touched, String>,
    /// Farthest that a joint moves when planting is done again, m.
    planted_again_m: Option<f64>,
    planted_again: String,
}

struct Touched {
    done: TouchedUp,
    identical: bool,
    rms_deg: f64,
    pelvis_m: f64,
    hands_m: f64,
    knee_back_deg: f64,
    again_m: Option<f64>,
    again: String,
}

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let with_clips = words.iter().any(|word| word == "--clips");
    let only = words.iter().position(|word| word == "--only").and_then(|at| words.get(at + 1));
    let Some(folder) = measures::captures() else { return ExitCode::SUCCESS };
    let files: Vec<PathBuf> = ["cmu-bvh", "bandai-bvh"].iter().flat_map(|name| files(&folder.join(name))).collect();
    let is_wanted = |path: &&PathBuf| only.is_none_or(|only| path.to_string_lossy().contains(only.as_str()));
    if let Some(radius) = words.iter().position(|word| word == "--bent").and_then(|at| words.get(at + 1)) {
        bent(&folder, &files, radius.parse().expect("a radius in metres"));
        return ExitCode::SUCCESS;
    }
    let takes: Vec<(String, Take)> =
        files.par_iter().filter(is_wanted).filter_map(|path| take(&folder, path)).collect();
    let rows: Vec<Row> = takes.par_iter().map(|(name, take)| row(name, take)).collect();
    if with_clips {
        rows.iter().for_each(print);
    }
    if let Some(folder) = words.iter().position(|word| word == "--pictures").and_then(|at| words.get(at + 1)) {
        takes.iter().zip(&rows).for_each(|((_, take), row)| draw(take, row, Path::new(folder)));
    }
    let mut bars = Bars::default();
    bars.unedited(&rows);
    bars.again(&rows);
    bars.shaken(&takes);
    println!("\n{} bars missed", bars.missed.len());
    bars.missed.iter().for_each(|missed| println!("  {missed}"));
    if bars.missed.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// What changed, before and after.
fn draw(take: &Take, row: &Row, folder: &Path) {
    let Ok(touched) = &row.touched else { return };
    if touched.identical {
        return;
    }
    let mut strip = Strip::new(Subject::new(take.clip(), &row.name));
    strip.after = Some(Subject::new(&touched.done.clip, "touched up"));
    strip.frames = FrameSelection::Strobe { secs: (take.clip().duration_secs() / 12.0).max(0.1) };
    strip.views.push(View::Front);
    strip.width_px = 1500;
    let picture = strip.draw().ok().and_then(|drawn| drawn.to_png(1.0).ok());
    let place = folder.join(format!("{}.png", row.name.replace('/', "-")));
    if let Some(Err(error)) = picture.map(|picture| std::fs::write(&place, picture)) {
        println!("{}: {error}", place.display());
    }
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let (mut found, mut folders) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(folder) = folders.pop() {
        for path in std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()) {
            match path.extension().is_some_and(|it| it == "bvh") {
                true => found.push(path),
                false if path.is_dir() => folders.push(path),
                false => {}
            }
        }
    }
    found.sort();
    found
}

/// What walks and runs need that are bent without a word about it.
fn bent(folder: &Path, files: &[PathBuf], radius_m: f64) {
    let moves = ["walk-straight", "run", "jump-forward"];
    for path in files.iter().filter(|path| moves.iter().any(|word| path.to_string_lossy().contains(word))) {
        let Some((name, take)) = take(folder, path) else { continue };
        let Ok(clip) = Arc::new(radius_m, Side::Left).apply(take.clip()) else { continue };
        let bent = again(&take, &clip);
        match touch_up(&bent, &options(&bent)) {
            Ok(done) => println!(
                "{name:40} {} zmp {:4.2} -> {:4.2} cm, against the path {:4.2}, most {:4.1}",
                if done.needs.everything { "ALL" } else { "   " },
                done.before.weighted_m * 100.0,
                done.after.weighted_m * 100.0,
                done.needs.bent_m * 100.0,
                done.needs.largest_m * 100.0,
            ),
            Err(error) => println!("{name:40} {error}"),
        }
    }
}

/// People who were captured at 60 Hz under headers of 120 Hz, though not all of their clips fly and prove it.
const AT_60_HZ: [&str; 6] = ["75_", "87_", "88_", "90_", "139_12", "141_"];

/// A capture at its true rate.
fn take(folder: &Path, path: &Path) -> Option<(String, Take)> {
    let import = read_file(path, &ReadOptions::default()).ok()?;
    let body = Body::of_clip(&import.clip, &import.roles, &BodyOptions::default()).ok()?;
    let first = Take::new(import.clip.clone(), import.roles.clone(), body.clone());
    let clock = first.inspection().ok()?.contacts.clock;
    let name = path.strip_prefix(folder).unwrap_or(path).display().to_string();
    let file = path.file_name().unwrap_or_default().to_string_lossy();
    let mut clock = clock;
    if AT_60_HZ.iter().any(|person| file.starts_with(person)) {
        clock.used_hz = 60.0;
    }
    if (clock.used_hz / clock.header_hz - 1.0).abs() < 1e-9 {
        return Some((name, first));
    }
    let timeline = Timeline::Uniform(FrameTime::from_hz(clock.used_hz).ok()?);
    let clip = import.clip.with_timeline(timeline).ok()?;
    Some((name, Take::new(clip, import.roles, body)))
}

/// As the command has them.
fn options(take: &Take) -> TouchupOptions {
    let alone = take.unexplained().map(<[_]>::to_vec).unwrap_or_default();
    let span =
        |span: &aplomb_analysis::contacts::OtherSpan| TimeSpan { start_secs: span.start_secs, end_secs: span.end_secs };
    let plant = PlantOptions {
        ground: take.ground(),
        span: Span { ease_secs: EASE_SECS, ..Span::default() },
        ..PlantOptions::default()
    };
    let dead_zones = Some(DeadZones::default());
    TouchupOptions {
        dead_zones,
        leave_alone: alone.iter().map(span).collect(),
        plant,
        keep_layers: false,
        ..Default::default()
    }
}

fn again(take: &Take, clip: &Clip) -> Take {
    Take::new(clip.clone(), take.roles().clone(), take.shared_body().expect("a body"))
}

fn row(name: &str, take: &Take) -> Row {
    let physics = take.inspection().ok().and_then(|it| it.score.physics_all).unwrap_or(0.0);
    let touched = touch_up(take, &options(take)).map_err(|error| error.to_string()).map(|done| {
        let after = again(take, &done.clip);
        let fidelity = Fidelity::of(take, &after);
        let moved = |parts: &[BodyPart]| {
            let moved = fidelity.iter().flat_map(|it| &it.moved).filter(|it| parts.contains(&it.part));
            moved.map(|it| it.held_m).fold(0.0, f64::max)
        };
        let knee = fidelity.as_ref().and_then(|it| it.knee_back.as_ref());
        let identical = is_same(take.clip(), &done.clip);
        let second = match identical {
            true => Some(done.clip.clone()),
            false => touch_up(&after, &options(&after)).ok().map(|second| second.clip),
        };
        Touched {
            identical,
            rms_deg: fidelity.as_ref().and_then(|it| it.joints_rms_deg).unwrap_or(0.0),
            pelvis_m: moved(&[BodyPart::Pelvis]),
            hands_m: moved(&[BodyPart::LeftHand, BodyPart::RightHand]),
            knee_back_deg: knee.map_or(0.0, |it| (it.after_deg - it.before_deg.max(0.0)).max(0.0)),
            again_m: second.as_ref().map(|second| farthest_m(&done.clip, second)),
            again: second.as_ref().map_or_else(String::new, |second| farthest(&done.clip, second)),
            done,
        }
    });
    let options = PlantOptions { ground: take.ground(), ..PlantOptions::default() };
    let planted = plant(take, &options).ok();
    let planted_again_m = planted.and_then(|first| {
        let second = plant(&again(take, &first.clip), &options).ok()?;
        Some((farthest_m(&first.clip, &second.clip), farthest(&first.clip, &second.clip)))
    });
    let planted_again = planted_again_m.as_ref().map_or_else(String::new, |again| again.1.clone());
    let planted_again_m = planted_again_m.map(|again| again.0);
    Row { name: name.to_owned(), physics, touched, planted_again_m, planted_again }
}

fn is_same(before: &Clip, after: &Clip) -> bool {
    let places = |clip: &Clip| clip.tracks().iter().map(|track| track.positions_m.clone()).collect::<Vec<_>>();
    before.rotations() == after.rotations() && places(before) == places(after)
}

/// Where two motions differ most, for those who look for the cause.
fn farthest(before: &Clip, after: &Clip) -> String {
    let joints = before.skeleton().len();
    let places = [before, after].map(kinematics::joint_positions_m);
    let away = places[0].iter().zip(&places[1]).map(|(a, b)| a.distance(*b)).enumerate();
    let Some((at, away_m)) = away.max_by(|a, b| a.1.total_cmp(&b.1)) else { return String::new() };
    let secs = before.time_secs(FrameIndex(at / joints));
    let name = before.skeleton().ids().nth(at % joints).map_or("", |id| before.skeleton().joint(id).name.as_str());
    format!("{:.2} cm: {name} at {secs:.2} s", away_m * 100.0)
}

fn farthest_m(before: &Clip, after: &Clip) -> f64 {
    let places = [before, after].map(kinematics::joint_positions_m);
    places[0].iter().zip(&places[1]).map(|(a, b)| a.distance(*b)).fold(0.0, f64::max)
}

fn print(row: &Row) {
    print!("{:48} physics {:5.1} ", row.name, row.physics);
    match &row.touched {
        Err(error) => print!("REFUSED {error}"),
        Ok(it) => {
            let needs = &it.done.needs;
            let stances = it.done.plan.stances();
            let mut drifts: Vec<f64> = stances.iter().map(|it| it.drift_m * 100.0).collect();
            drifts.sort_by(f64::total_cmp);
            let repaired = it.done.flights.iter().filter(|it| it.touched).count();
            print!(
                "{} rms {:4.2} pelvis {:4.1} hands {:4.1} knee {:3.1} | {}bent {:5.2} most {:4.1} zmp {:4.2}->{:4.2} | \
                 stances {}/{} drift {:3.1} {:4.1} | flights {repaired}/{} | {:?} again {} plant again {}",
                if it.identical { "same" } else { "    " },
                it.rms_deg,
                it.pelvis_m * 100.0,
                it.hands_m * 100.0,
                it.knee_back_deg,
                if needs.everything { "ALL " } else { "" },
                needs.bent_m * 100.0,
                needs.largest_m * 100.0,
                it.done.before.weighted_m * 100.0,
                it.done.after.weighted_m * 100.0,
                needs.stances.len(),
                stances.len(),
                drifts.get(drifts.len() / 2).copied().unwrap_or(0.0),
                drifts.last().copied().unwrap_or(0.0),
                it.done.flights.len(),
                it.done.status,
                it.again,
                row.planted_again,
            );
            it.done.findings.iter().for_each(|finding| print!(" {}", finding.code.id));
        }
    }
    println!();
}

/// A capture, and how far a second time takes it; nothing if that is refused.
type Again<'a> = (&'a Row, Option<f64>);

#[derive(Default)]
struct Bars {
    missed: Vec<String>,
}

impl Bars {
    fn check(&mut self, holds: bool, what: String) {
        println!("{} {what}", if holds { "  " } else { "! " });
        if !holds {
            self.missed.push(what);
        }
    }

    fn unedited(&mut self, rows: &[Row]) {
        println!("\ntouch-up of captures as they are");
        let touched: Vec<(&Row, &Touched)> =
            rows.iter().filter_map(|row| Some((row, row.touched.as_ref().ok()?))).collect();
        let refused = rows.len() - touched.len();
        let share = touched.iter().filter(|(_, it)| it.identical).count() as f64 / touched.len().max(1) as f64;
        self.check(touched.len() >= LEAST_CLIPS, format!("{} clips, {refused} refused", touched.len()));
        self.check(share >= LEAST_IDENTICAL, format!("identical: {:.0} %", 100.0 * share));
        let rms = touched.iter().map(|(_, it)| it.rms_deg).collect::<Vec<_>>();
        for (part, most) in [0.5, 0.9].into_iter().zip(MOST_RMS_DEG) {
            let found = quantile(&rms, part);
            self.check(found <= most, format!("joints turn by {found:.2}° rms at {:.0} %", 100.0 * part));
        }
        let right = || touched.iter().filter(|(row, _)| row.physics >= RIGHT_PHYSICS).map(|(_, it)| *it);
        let pelvis = quantile(&right().map(|it| it.pelvis_m).collect::<Vec<_>>(), 0.95);
        let hands = quantile(&right().map(|it| it.hands_m).collect::<Vec<_>>(), 0.95);
        let count = right().count();
        self.check(pelvis <= MOST_PELVIS_M, format!("pelvis: {:.1} cm at 95 % of {count} right", pelvis * 100.0));
        self.check(hands <= MOST_HANDS_M, format!("hands: {:.1} cm at 95 % of {count} right", hands * 100.0));
        for (row, it) in touched.iter().filter(|(_, it)| it.knee_back_deg > MOST_KNEE_BACK_DEG) {
            self.check(false, format!("{}: knee {:.1}° farther back", row.name, it.knee_back_deg));
        }
    }

    fn again(&mut self, rows: &[Row]) {
        println!("\na second time");
        let touched = rows.iter().filter_map(|row| Some((row, row.touched.as_ref().ok()?.again_m)));
        let planted = rows.iter().filter(|row| row.touched.is_ok()).map(|row| (row, row.planted_again_m));
        let lists: [(&str, Vec<Again<'_>>); 2] = [("touchup", touched.collect()), ("plant", planted.collect())];
        for (verb, list) in lists {
            let stays =
                list.iter().filter(|(_, again_m)| again_m.is_some_and(|again_m| again_m <= MOST_TWICE_M)).count();
            self.check(stays == list.len(), format!("{verb}: {stays} of {} stay within 1 mm", list.len()));
            let mut farthest: Vec<&Again<'_>> = list.iter().collect();
            farthest.sort_by(|a, b| b.1.unwrap_or(9.0).total_cmp(&a.1.unwrap_or(9.0)));
            for (row, again_m) in farthest.into_iter().take(12).filter(|it| it.1.is_none_or(|it| it > MOST_TWICE_M)) {
                println!(
                    "     {} {}",
                    row.name,
                    again_m.map_or("refused".to_owned(), |it| format!("{:.2} cm", it * 100.0))
                );
            }
        }
    }

    /// Noise on every joint, frame by frame.
    fn shaken(&mut self, takes: &[(String, Take)]) {
        let step = takes.len().div_ceil(SHAKEN).max(1);
        let chosen: Vec<&(String, Take)> = takes.iter().step_by(step).collect();
        let refused: Vec<String> = chosen
            .par_iter()
            .flat_map_iter(|(name, take)| {
                let shaken = again(take, &shaken(take.clip()));
                let touched =
                    touch_up(&shaken, &options(&shaken)).err().map(|error| format!("{name}: touchup: {error}"));
                let planted =
                    plant(&shaken, &PlantOptions::default()).err().map(|error| format!("{name}: plant: {error}"));
                touched.into_iter().chain(planted)
            })
            .collect();
        println!("\n{SHAKEN_DEG}° of noise");
        self.check(refused.is_empty(), format!("{} refusals of {} clips", refused.len(), chosen.len()));
        refused.iter().for_each(|refused| println!("     {refused}"));
    }
}

/// Every joint turned at random in every frame.
fn shaken(clip: &Clip) -> Clip {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut next = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    };
    let mut shaken = clip.clone();
    // Uniform in a cube: its standard deviation along each axis is the edge's half over √3.
    let half = SHAKEN_DEG.to_radians();
    for rotation in shaken.rotations_mut() {
        *rotation = (*rotation * so3::exp(DVec3::new(next(), next(), next()) * half)).normalize();
    }
    shaken
}

fn quantile(values: &[f64], part: f64) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let at = (part * sorted.len().saturating_sub(1) as f64).round() as usize;
    sorted.get(at).copied().unwrap_or(0.0)
}
