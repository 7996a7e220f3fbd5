//! Speed and memory of reading, writing and posing, beside the peers' in the same run on the same bytes.
//!
//! Times are processor seconds of the whole process, ours and the peers' alike, and the best of several repeats: it is
//! work that is compared, and what else the machine does hardly counts.

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::{bench_adapt, bench_dynamics, helpers, shell, synthetic};

/// The file that peers are compared on: about 9.8 MB.
const FRAMES: usize = 10_000;
/// Files for the question whether cost is linear in frames.
const SERIES: [usize; 4] = [2_500, 5_000, FRAMES, 20_000];
/// Cost of a frame in the longest file over that in the shortest. Caches and allocation granularity make it
/// uneven; a quadratic term would make it eight.
const LINEAR: f64 = 1.5;

/// Measures, prints the table and writes the numbers; says whether every goal was met.
pub fn run(peers: bool, json_file: Option<&Path>, repeats: u32) -> Result<bool> {
    let ours_program = build()?;
    let folder = shell::target_dir().join("bench");
    std::fs::create_dir_all(&folder)?;
    let mut series = Vec::new();
    for frames in SERIES {
        let file = folder.join(format!("synthetic-{frames}.bvh"));
        std::fs::write(&file, synthetic::bvh(frames))?;
        series.push(file);
    }
    let main_file =
        &series[SERIES.iter().position(|&frames| frames == FRAMES).context("the main file is one of them")?];

    // A process a file, as the peers have it: what the allocator does with the memory of other files is not measured.
    let mut ours = Vec::new();
    for file in &series {
        ours.extend(measured(&ours_program, std::slice::from_ref(file), repeats)?);
    }
    let main = ours.iter().find(|run| run.frames == FRAMES).context("the main file was not measured")?;
    let memory = peak_memory(&ours_program, main_file)?;
    let their_runs = measured_peers(peers, main_file, repeats)?;
    let captures = measured_captures(&ours_program, repeats)?;

    let glb = measured_glb(&series, repeats)?;
    let touchup = measured_touchup()?;
    let path = measured_path()?;
    let blend = measured_blend()?;
    let dynamics = bench_dynamics::measured(peers)?;
    let adapt = bench_adapt::measured()?;

    print_series(&ours);
    print_glb(&glb);
    print_touchup(&touchup);
    print_path(&path);
    print_blend(&blend);
    bench_dynamics::print(&dynamics);
    bench_adapt::print(&adapt);
    if let Some(captures) = &captures {
        print_captures(captures);
    }
    print_peers(main, &their_runs);
    let mut goals = goals(main, &ours, &memory, &their_runs);
    goals.extend(glb_goals(&glb));
    goals.extend(touchup_goals(&touchup));
    goals.extend(path_goals(&path));
    goals.extend(blend_goals(&blend));
    goals.extend(bench_dynamics::goals(&dynamics));
    goals.extend(bench_adapt::goals(&adapt));
    print_goals(&goals);
    if let Some(file) = json_file {
        let numbers = json!({
            "synthetic": ours, "memory": memory, "peers": their_runs, "captures": captures, "glb": glb, "touchup": touchup, "path": path, "blend": blend, "dynamics": dynamics, "adapt": adapt, "goals": goals,
            "joints": synthetic::JOINT_COUNT, "channels": synthetic::CHANNEL_COUNT,
        });
        std::fs::write(file, serde_json::to_string_pretty(&numbers)? + "\n")?;
    }
    Ok(goals.iter().all(|goal| goal.met))
}

/// What the example program `bench_bvh` of `crates/formats` says about one file.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct OurRun {
    file: PathBuf,
    bytes: f64,
    frames: usize,
    joints: usize,
    /// Bytes in memory → document and clip.
    parse_secs: f64,
    /// The same from the file, with its unit, its axes and the roles of its joints found out.
    import_secs: f64,
    /// Canonical text of all frames, to memory.
    write_secs: f64,
    written_bytes: f64,
    /// The unedited clip through its document: the very bytes again.
    copy_secs: f64,
    /// World positions and rotations of every joint in every frame.
    fk_secs: f64,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
struct Memory {
    /// Highest resident memory of the process less what it had before reading; `None` where the system does not tell.
    peak_bytes: Option<f64>,
    /// Rotations and translations of the clip.
    decoded_bytes: f64,
    file_bytes: f64,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
struct PeerRun {
    name: String,
    load_secs: f64,
    fk_secs: Option<f64>,
}

#[derive(Debug, Clone, Serialize)]
pub(crate) struct Goal {
    pub(crate) what: Cow<'static, str>,
    pub(crate) measured: String,
    pub(crate) asked: String,
    pub(crate) met: bool,
}

fn build() -> Result<PathBuf> {
    built("bench_bvh")
}

fn built(example: &str) -> Result<PathBuf> {
    built_of("aplomb-formats", example)
}

pub(crate) fn built_of(package: &str, example: &str) -> Result<PathBuf> {
    let mut command = shell::cargo();
    command.args(["build", "--release", "--quiet", "--locked", "-p", package, "--example", example]);
    shell::output(&mut command)?;
    Ok(shell::target_dir().join("release/examples").join(example))
}

/// What the example program `write_glb` of `crates/formats` says about one file.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct GlbRun {
    file: PathBuf,
    frames: usize,
    /// Of the GLB.
    bytes: f64,
    write_secs: f64,
    /// Reading it back and comparing it with the clip.
    check_secs: f64,
}

fn measured_glb(files: &[PathBuf], repeats: u32) -> Result<Vec<GlbRun>> {
    let lines = shell::output(Command::new(built("write_glb")?).args(["--speed", &repeats.to_string()]).args(files))?;
    lines.lines().map(|line| serde_json::from_str(line).context("write_glb's answer")).collect()
}

fn print_glb(runs: &[GlbRun]) {
    println!("\nGLB of the same motion\n{:>8} {:>9} {:>12} {:>12}", "frames", "MB", "write MB/s", "check MB/s");
    for run in runs {
        let rate = |secs: f64| run.bytes / 1e6 / secs;
        let (write, check) = (rate(run.write_secs), rate(run.check_secs));
        println!("{:>8} {:>9.2} {write:>12.0} {check:>12.0}", run.frames, run.bytes / 1e6);
    }
}

fn glb_goals(runs: &[GlbRun]) -> Vec<Goal> {
    let (Some(short), Some(long)) = (runs.first(), runs.last()) else { return Vec::new() };
    let rate = long.bytes / 1e6 / long.write_secs;
    let growth = (long.write_secs / long.bytes) / (short.write_secs / short.bytes);
    vec![
        Goal {
            what: Cow::Borrowed("GLB write"),
            measured: format!("{rate:.0} MB/s"),
            asked: ">= 200 MB/s".to_owned(),
            met: rate >= 200.0,
        },
        Goal {
            what: Cow::Borrowed("GLB write, linear in bytes"),
            measured: format!("{growth:.3}x"),
            asked: format!("<= {LINEAR:.3}x"),
            met: growth <= LINEAR,
        },
    ]
}

/// What the example program `touchup_speed` of `crates/editing` says about one clip.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct TouchupRun {
    clip: String,
    hz: f64,
    frames: usize,
    iterations: usize,
    secs: f64,
}

impl TouchupRun {
    fn micros(&self) -> f64 {
        self.secs * 1e6 / (self.frames * self.iterations.max(1)) as f64
    }
}

/// Shin, Kovar & Gleicher 2003, sections 4.2 to 4.5: all steps, on a 2 GHz Xeon, ms a frame.
const PAPER_MS_A_FRAME: std::ops::RangeInclusive<f64> = 1.1..=1.6;

fn measured_touchup() -> Result<Vec<TouchupRun>> {
    let lines = shell::output(Command::new(built_of("aplomb-editing", "touchup_speed")?).arg("--json"))?;
    lines.lines().map(|line| serde_json::from_str(line).context("touchup_speed's answer")).collect()
}

fn print_touchup(runs: &[TouchupRun]) {
    println!(
        "\ntouch-up, all steps\n{:>6} {:>5} {:>8} {:>12} {:>9} {:>14} {:>20}",
        "clip", "Hz", "frames", "iterations", "s", "µs/frame/iter", "paper's time / ours"
    );
    for run in runs {
        let ms = run.secs * 1e3 / run.frames as f64;
        let (least, most) = (PAPER_MS_A_FRAME.start() / ms, PAPER_MS_A_FRAME.end() / ms);
        let (name, micros) = (&run.clip, run.micros());
        let ratio = format!("{least:.0} to {most:.0}");
        println!(
            "{name:>6} {:>5} {:>8} {:>12} {:>9.3} {micros:>14.2} {ratio:>20}",
            run.hz, run.frames, run.iterations, run.secs
        );
    }
}

fn touchup_goals(runs: &[TouchupRun]) -> Vec<Goal> {
    let worst = runs.iter().filter(|run| run.hz == 30.0).map(TouchupRun::micros).fold(0.0, f64::max);
    let longest = runs.iter().filter(|run| run.hz == 120.0 && run.frames >= 10_000);
    let secs = longest.map(|run| run.secs * 1e4 / run.frames as f64).fold(0.0, f64::max);
    vec![
        Goal {
            what: Cow::Borrowed("touch-up at 30 Hz, a frame and iteration"),
            measured: format!("{worst:.1} µs"),
            asked: "<= 12 µs".to_owned(),
            met: worst <= 12.0,
        },
        Goal {
            what: Cow::Borrowed("touch-up of 10,000 frames at 120 Hz"),
            measured: format!("{secs:.2} s"),
            asked: "<= 2 s".to_owned(),
            met: secs <= 2.0,
        },
    ]
}

/// What the example program `path_speed` of `crates/editing` says about one length of walk, 31 joints.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct PathRun {
    keys: usize,
    look_ms: f64,
    drag_ms: f64,
    bent_ms: f64,
}

fn measured_path() -> Result<Vec<PathRun>> {
    let lines = shell::output(Command::new(built_of("aplomb-editing", "path_speed")?).arg("--json"))?;
    lines.lines().map(|line| serde_json::from_str(line).context("path_speed's answer")).collect()
}

fn print_path(runs: &[PathRun]) {
    println!(
        "\npath editing, 31 joints\n{:>8} {:>15} {:>14} {:>14}",
        "keys", "first look ms", "one handle ms", "all bent ms"
    );
    for run in runs {
        println!("{:>8} {:>15.1} {:>14.2} {:>14.2}", run.keys, run.look_ms, run.drag_ms, run.bent_ms);
    }
}

fn path_goals(runs: &[PathRun]) -> Vec<Goal> {
    let worst = |ms: fn(&PathRun) -> f64| runs.iter().map(|run| ms(run) * 1e3 / run.keys as f64).fold(0.0, f64::max);
    let (look_ms, drag_ms) = (worst(|run| run.look_ms), worst(|run| run.drag_ms.max(run.bent_ms)));
    vec![
        Goal {
            what: Cow::Borrowed("first look at a path, per 1,000 keys"),
            measured: format!("{look_ms:.1} ms"),
            asked: "<= 25 ms".to_owned(),
            met: look_ms <= 25.0,
        },
        Goal {
            what: Cow::Borrowed("one drag of a path, per 1,000 keys, 1,000 to 10,000"),
            measured: format!("{drag_ms:.2} ms"),
            asked: "<= 2 ms".to_owned(),
            met: drag_ms <= 2.0,
        },
    ]
}

/// What the example program `blend_speed` of `crates/editing` says: two jumps of so many frames.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct BlendRun {
    frames: usize,
    joints: usize,
    look_ms: f64,
    blend_ms: f64,
    sweep: usize,
    sweep_ms: f64,
    sweep_alone_ms: f64,
}

fn measured_blend() -> Result<Vec<BlendRun>> {
    let lines = shell::output(Command::new(built_of("aplomb-editing", "blend_speed")?).arg("--json"))?;
    lines.lines().map(|line| serde_json::from_str(line).context("blend_speed's answer")).collect()
}

fn print_blend(runs: &[BlendRun]) {
    println!(
        "\nblends of two jumps\n{:>8} {:>7} {:>14} {:>9} {:>7} {:>9} {:>14}",
        "frames", "joints", "first look ms", "blend ms", "sweep", "sweep ms", "on one core ms"
    );
    for run in runs {
        println!(
            "{:>8} {:>7} {:>14.1} {:>9.2} {:>7} {:>9.0} {:>14.0}",
            run.frames, run.joints, run.look_ms, run.blend_ms, run.sweep, run.sweep_ms, run.sweep_alone_ms
        );
    }
}

fn blend_goals(runs: &[BlendRun]) -> Vec<Goal> {
    let worst = runs.iter().map(|run| run.blend_ms * 500.0 / run.frames as f64).fold(0.0, f64::max);
    vec![Goal {
        what: Cow::Borrowed("a blend of two clips of 500 frames"),
        measured: format!("{worst:.2} ms"),
        asked: "<= 10 ms".to_owned(),
        met: worst <= 10.0,
    }]
}

fn measured(program: &Path, files: &[PathBuf], repeats: u32) -> Result<Vec<OurRun>> {
    let lines = shell::output(Command::new(program).args(["--repeats", &repeats.to_string()]).args(files))?;
    lines.lines().map(|line| serde_json::from_str(line).context("bench_bvh's answer")).collect()
}

fn peak_memory(program: &Path, file: &Path) -> Result<Memory> {
    let line = shell::output(Command::new(program).arg("--memory").arg(file))?;
    serde_json::from_str(&line).context("bench_bvh's answer")
}

/// The peers that can be had here; the others are named with the reason.
fn measured_peers(python: bool, file: &Path, repeats: u32) -> Result<Vec<PeerRun>> {
    let mut runs = Vec::new();
    let mut run = |name: &str, command: Result<Command>| {
        let lines = command.and_then(|mut command| shell::output(command.arg(file).arg(repeats.to_string())));
        match lines
            .and_then(|lines| lines.lines().map(|line| Ok(serde_json::from_str(line)?)).collect::<Result<Vec<_>>>())
        {
            Ok(measured) => runs.extend(measured),
            Err(error) => println!("{name} is not measured: {error:#}"),
        }
    };
    let node = helpers::node_oracles().map(|folder| {
        let mut node = Command::new("node");
        node.arg("tests/oracles/three_bench.mjs").arg(folder.join("node_modules"));
        node
    });
    run("three.js", node);
    if python {
        let python = helpers::python_env("peers", None).map(|python| {
            let mut command = Command::new(python);
            command.arg("tests/oracles/peers_bench.py");
            command
        });
        run("Python", python);
    }
    Ok(runs)
}

fn measured_captures(program: &Path, repeats: u32) -> Result<Option<Vec<OurRun>>> {
    match shell::data_dir() {
        Some(data) => Ok(Some(measured(program, &crate::oracles::bvh_files(&data)?, repeats.min(3))?)),
        None => {
            println!("real captures are not measured: no folder APLOMB_DATA (default ../shared/data)");
            Ok(None)
        }
    }
}

fn print_series(runs: &[OurRun]) {
    println!("\nsynthetic motion, {} joints, {} channels", synthetic::JOINT_COUNT, synthetic::CHANNEL_COUNT);
    println!(
        "{:>8} {:>9} {:>12} {:>12} {:>12} {:>12} {:>14}",
        "frames", "MB", "parse MB/s", "import MB/s", "write MB/s", "copy MB/s", "FK frames/s"
    );
    for run in runs {
        println!(
            "{:>8} {:>9.2} {:>12.0} {:>12.0} {:>12.0} {:>12.0} {:>14.0}",
            run.frames,
            run.bytes / 1e6,
            run.bytes / 1e6 / run.parse_secs,
            run.bytes / 1e6 / run.import_secs,
            run.written_bytes / 1e6 / run.write_secs,
            run.bytes / 1e6 / run.copy_secs,
            run.frames as f64 / run.fk_secs,
        );
    }
}

fn print_captures(runs: &[OurRun]) {
    let sum = |value: fn(&OurRun) -> f64| runs.iter().map(value).sum::<f64>();
    println!(
        "\nreal captures: {} files, {:.1} MB: parse {:.0} MB/s, import {:.0} MB/s, write {:.0} MB/s, copy {:.0} MB/s, FK {:.0} frames/s",
        runs.len(),
        sum(|run| run.bytes) / 1e6,
        sum(|run| run.bytes) / 1e6 / sum(|run| run.parse_secs),
        sum(|run| run.bytes) / 1e6 / sum(|run| run.import_secs),
        sum(|run| run.written_bytes) / 1e6 / sum(|run| run.write_secs),
        sum(|run| run.bytes) / 1e6 / sum(|run| run.copy_secs),
        sum(|run| run.frames as f64) / sum(|run| run.fk_secs),
    );
}

fn print_peers(main: &OurRun, peers: &[PeerRun]) {
    println!("\nthe same {:.1} MB beside the peers (processor seconds; ratio to ours)", main.bytes / 1e6);
    println!("{:<32} {:>9} {:>9} {:>8} {:>9} {:>8}", "", "load s", "MB/s", "ratio", "FK s", "ratio");
    let ours = PeerRun { name: "Aplomb".to_owned(), load_secs: main.parse_secs, fk_secs: Some(main.fk_secs) };
    for run in std::iter::once(&ours).chain(peers) {
        let (fk, fk_ratio) = match run.fk_secs {
            Some(secs) => (format!("{secs:.4}"), format!("{:.1}", secs / main.fk_secs)),
            None => ("–".to_owned(), "–".to_owned()),
        };
        println!(
            "{:<32} {:>9.4} {:>9.1} {:>8.1} {fk:>9} {fk_ratio:>8}",
            run.name,
            run.load_secs,
            main.bytes / 1e6 / run.load_secs,
            run.load_secs / main.parse_secs,
        );
    }
}

fn goals(main: &OurRun, series: &[OurRun], memory: &Memory, peers: &[PeerRun]) -> Vec<Goal> {
    let at_least = |what: &'static str, value: f64, least: f64, unit: &str| Goal {
        what: what.into(),
        measured: format!("{value:.0}{unit}"),
        asked: format!(">= {least}{unit}"),
        met: value >= least,
    };
    let at_most = |what: &'static str, value: f64, most: f64, unit: &str| Goal {
        what: what.into(),
        measured: format!("{value:.3}{unit}"),
        asked: format!("<= {most:.3}{unit}"),
        met: value <= most,
    };
    let mut goals = vec![
        at_least("BVH parse", main.bytes / 1e6 / main.parse_secs, 300.0, " MB/s"),
        at_least("BVH write", main.written_bytes / 1e6 / main.write_secs, 150.0, " MB/s"),
    ];
    if let Some(three) = peers.iter().find(|peer| peer.name.starts_with("three.js")) {
        goals.push(at_least("parse, times three.js", three.load_secs / main.parse_secs, 20.0, "x"));
        if let Some(secs) = three.fk_secs {
            goals.push(at_most("FK, part of three.js", main.fk_secs / secs, 0.08, ""));
        }
    }
    if let Some(peak) = memory.peak_bytes {
        let allowed = 3.0 * memory.decoded_bytes + memory.file_bytes;
        goals.push(at_most("peak memory", peak / 1e6, allowed / 1e6, " MB"));
    }
    if let (Some(short), Some(long)) = (series.first(), series.last()) {
        for (what, secs) in [
            ("parse, linear in frames", (|run| run.parse_secs) as fn(&OurRun) -> f64),
            ("write, linear in frames", |run| run.write_secs),
            ("FK, linear in frames", |run| run.fk_secs),
        ] {
            let growth = (secs(long) / long.frames as f64) / (secs(short) / short.frames as f64);
            goals.push(at_most(what, growth, LINEAR, "x"));
        }
    }
    goals
}

fn print_goals(goals: &[Goal]) {
    println!("\n{:<26} {:>14} {:>16}", "goal", "measured", "asked");
    for goal in goals {
        let verdict = if goal.met { "met" } else { "MISSED" };
        println!("{:<26} {:>14} {:>16}  {verdict}", goal.what, goal.measured, goal.asked);
    }
}
