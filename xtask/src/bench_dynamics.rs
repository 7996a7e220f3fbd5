//! Speed of the dynamics core and of the simulation, beside Pinocchio's and MuJoCo's on the same humanoid in the same run.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use serde::Serialize;

use crate::bench::{Goal, built_of};
use crate::{helpers, shell};

/// What is measured, and the part of the peer's time that is asked for.
const ASKED: [(&str, &str, f64); 9] = [
    ("forward kinematics", "Pinocchio", 0.7),
    ("rnea", "Pinocchio", 0.6),
    ("aba", "Pinocchio", 0.6),
    ("crba", "Pinocchio", 0.7),
    ("crba + factor", "Pinocchio", 0.5),
    ("rnea derivatives", "Pinocchio", 0.5),
    ("aba derivatives", "Pinocchio", 0.5),
    ("step in the air", "MuJoCo", 0.5),
    ("step with feet down", "MuJoCo", 0.4),
];

/// One algorithm, µs a call.
#[derive(Debug, Serialize)]
pub struct DynamicsRun {
    what: &'static str,
    us: f64,
    peer: &'static str,
    peer_us: Option<f64>,
    asked_ratio: f64,
}

/// Ours, and the peers' if they are wanted and can be had.
pub fn measured(peers: bool) -> Result<Vec<DynamicsRun>> {
    let program = built_of("aplomb-physics", "dynamics_speed")?;
    let ours = times(&shell::output(&mut Command::new(&program))?)?;
    let theirs = match peers {
        true => peer_times(&program).unwrap_or_else(|error| {
            println!("Pinocchio and MuJoCo are not measured: {error:#}");
            BTreeMap::new()
        }),
        false => BTreeMap::new(),
    };
    let run = |(what, peer, asked_ratio): (&'static str, &'static str, f64)| {
        let us = *ours.get(what).with_context(|| format!("dynamics_speed does not tell of {what}"))?;
        Ok(DynamicsRun { what, us, peer, peer_us: theirs.get(what).copied(), asked_ratio })
    };
    ASKED.into_iter().map(run).collect()
}

/// Compiles and runs two small programs against the engines' own libraries, as shipped.
fn peer_times(program: &Path) -> Result<BTreeMap<String, f64>> {
    let python = helpers::python_env("dynamics-bench", None)?;
    let folder = shell::target_dir().join("bench");
    std::fs::create_dir_all(&folder)?;
    let model = folder.join("humanoid.txt");
    std::fs::write(&model, shell::output(Command::new(program).arg("--model"))?)?;
    let site = shell::output(Command::new(&python).args(["-c", "import site; print(site.getsitepackages()[0])"]))?;
    let site = PathBuf::from(site.trim());
    let pinocchio = compiled_pinocchio(&site, &folder)?;
    let mujoco = compiled_mujoco(&site, &folder)?;
    let mut scenes = Vec::new();
    for place in ["air", "ground"] {
        let scene = folder.join(format!("humanoid-{place}.xml"));
        let mut script = Command::new(&python);
        std::fs::write(&scene, shell::output(script.arg("tests/oracles/humanoid_mjcf.py").arg(&model).arg(place))?)?;
        scenes.push(scene);
    }
    let mut all = times(&shell::output(Command::new(pinocchio).arg(&model))?)?;
    all.extend(times(&shell::output(Command::new(mujoco).args(&scenes))?)?);
    Ok(all)
}

fn compiled_pinocchio(site: &Path, folder: &Path) -> Result<PathBuf> {
    let prefix = site.join("cmeel.prefix");
    let (program, source) = (folder.join("pinocchio_bench"), "tests/oracles/dynamics_bench.cpp");
    if is_newer(&program, source) {
        return Ok(program);
    }
    println!("compiling {source} (once, some minutes)");
    let mut compiler = Command::new("g++");
    // Instances of templates come from the library; the limits are those Pinocchio itself is built with.
    compiler.args(["-w", "-O3", "-std=c++17", "-DNDEBUG", "-DPINOCCHIO_ENABLE_TEMPLATE_INSTANTIATION"]);
    compiler.args(["-DBOOST_MPL_LIMIT_LIST_SIZE=30", "-DBOOST_MPL_LIMIT_VECTOR_SIZE=30"]);
    compiler.args(["-DBOOST_MPL_CFG_NO_PREPROCESSED_HEADERS", "-DBOOST_FUSION_INVOKE_MAX_ARITY=12"]);
    compiler.arg("-I").arg(prefix.join("include")).arg("-I").arg(prefix.join("include/eigen3")).arg(source);
    compiler.arg("-o").arg(&program).arg("-L").arg(prefix.join("lib")).arg("-lpinocchio_default");
    compiler.arg(format!("-Wl,-rpath,{}", prefix.join("lib").display()));
    shell::output(&mut compiler)?;
    Ok(program)
}

fn compiled_mujoco(site: &Path, folder: &Path) -> Result<PathBuf> {
    let home = site.join("mujoco");
    let (program, source) = (folder.join("mujoco_bench"), "tests/oracles/simulation_bench.c");
    let files = std::fs::read_dir(&home)?.filter_map(|entry| Some(entry.ok()?.path()));
    let is_library = |path: &PathBuf| path.to_string_lossy().contains("libmujoco.so");
    let library = files.filter(is_library).min().context("MuJoCo's package has no libmujoco.so")?;
    let mut compiler = Command::new("gcc");
    compiler.args(["-O3", source, "-I"]).arg(home.join("include")).arg("-o").arg(&program).arg(library);
    shell::output(compiler.arg(format!("-Wl,-rpath,{}", home.display())).arg("-lm"))?;
    Ok(program)
}

fn is_newer(program: &Path, source: &str) -> bool {
    let time = |path: &Path| path.metadata().and_then(|data| data.modified()).ok();
    time(program).zip(time(Path::new(source))).is_some_and(|(program, source)| program > source)
}

/// Lines `what,µs`; of a thing told twice the better.
fn times(lines: &str) -> Result<BTreeMap<String, f64>> {
    let mut all: BTreeMap<String, f64> = BTreeMap::new();
    for line in lines.lines() {
        let (what, us) = line.split_once(',').with_context(|| format!("{line:?} is no time"))?;
        let us: f64 = us.trim().parse().with_context(|| format!("{line:?} is no time"))?;
        all.entry(what.to_owned()).and_modify(|best| *best = best.min(us)).or_insert(us);
    }
    Ok(all)
}

/// The table.
pub fn print(runs: &[DynamicsRun]) {
    println!("\ndynamics of a humanoid, nv 48\n{:<24} {:>9} {:>12} {:>10} {:>7}", "", "µs", "peer", "peer µs", "ratio");
    for run in runs {
        let (theirs, ratio) = match run.peer_us {
            Some(us) => (format!("{us:.2}"), format!("{:.2}", run.us / us)),
            None => ("–".to_owned(), "–".to_owned()),
        };
        println!("{:<24} {:>9.2} {:>12} {theirs:>10} {ratio:>7}", run.what, run.us, run.peer);
    }
}

/// Ratios to the peers that were measured.
pub fn goals(runs: &[DynamicsRun]) -> Vec<Goal> {
    let goal = |run: &DynamicsRun| {
        let ratio = run.us / run.peer_us?;
        let (measured, asked) = (format!("{ratio:.2}"), format!("<= {}", run.asked_ratio));
        Some(Goal { what: run.what, measured, asked, met: ratio <= run.asked_ratio })
    };
    runs.iter().filter_map(goal).collect()
}
