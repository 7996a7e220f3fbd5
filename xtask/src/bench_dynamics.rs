//! Speed of the dynamics core and of the simulation, beside Pinocchio's and MuJoCo's on the same humanoid in the same
//! run.

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

/// Degrees of freedom of the humanoids that are measured.
const MODELS: [&str; 2] = ["48", "54"];

/// Ours and the peers' are measured in turn, this often: what else the machine does meets all of them.
const ROUNDS: usize = 3;

/// One algorithm, µs a call.
#[derive(Debug, Serialize)]
pub struct DynamicsRun {
    what: &'static str,
    nv: &'static str,
    us: f64,
    peer: &'static str,
    peer_us: Option<f64>,
    asked_ratio: f64,
}

type Times = BTreeMap<String, f64>;

/// Ours, and the peers' if they are wanted and can be had.
pub fn measured(peers: bool) -> Result<Vec<DynamicsRun>> {
    let program = built_of("aplomb-physics", "dynamics_speed")?;
    let folder = shell::target_dir().join("bench");
    std::fs::create_dir_all(&folder)?;
    let peers = peers
        .then(|| Peers::compiled(&folder))
        .and_then(|peers| peers.inspect_err(|error| println!("Pinocchio and MuJoCo are not measured: {error:#}")).ok());
    let mut runs = Vec::new();
    for nv in MODELS {
        let model = folder.join(format!("humanoid-{nv}.txt"));
        std::fs::write(&model, shell::output(Command::new(&program).args(["--model", nv]))?)?;
        let (mut ours, mut theirs) = (Times::new(), Times::new());
        for _ in 0..ROUNDS {
            better(&mut ours, &shell::output(Command::new(&program).arg(&model))?)?;
            if let Some(peers) = &peers {
                peers.measure(&model, &mut theirs)?;
            }
        }
        for (what, peer, asked_ratio) in ASKED {
            let us = *ours.get(what).with_context(|| format!("dynamics_speed does not tell of {what}"))?;
            runs.push(DynamicsRun { what, nv, us, peer, peer_us: theirs.get(what).copied(), asked_ratio });
        }
    }
    Ok(runs)
}

/// Small programs against the engines' own libraries.
struct Peers {
    python: PathBuf,
    folder: PathBuf,
    /// With its library as shipped, and built from its headers for this very processor: some algorithms are quicker in
    /// one, some in the other.
    pinocchio: [PathBuf; 2],
    mujoco: PathBuf,
}

impl Peers {
    fn compiled(folder: &Path) -> Result<Self> {
        let python = helpers::python_env("dynamics-bench", None)?;
        let site = shell::output(Command::new(&python).args(["-c", "import site; print(site.getsitepackages()[0])"]))?;
        let site = PathBuf::from(site.trim());
        let pinocchio = [compiled_pinocchio(&site, folder, false)?, compiled_pinocchio(&site, folder, true)?];
        let mujoco = compiled_mujoco(&site, folder)?;
        Ok(Self { python, folder: folder.to_owned(), pinocchio, mujoco })
    }

    fn measure(&self, model: &Path, theirs: &mut Times) -> Result<()> {
        let mut scenes = Vec::new();
        for place in ["air", "ground"] {
            let scene = self.folder.join(format!("humanoid-{place}.xml"));
            let mut script = Command::new(&self.python);
            std::fs::write(&scene, shell::output(script.arg("tests/oracles/humanoid_mjcf.py").arg(model).arg(place))?)?;
            scenes.push(scene);
        }
        for program in &self.pinocchio {
            better(theirs, &shell::output(Command::new(program).arg(model))?)?;
        }
        better(theirs, &shell::output(Command::new(&self.mujoco).args(&scenes))?)
    }
}

fn compiled_pinocchio(site: &Path, folder: &Path, is_native: bool) -> Result<PathBuf> {
    let prefix = site.join("cmeel.prefix");
    let source = "tests/oracles/dynamics_bench.cpp";
    let program = folder.join(if is_native { "pinocchio_bench_native" } else { "pinocchio_bench" });
    if is_newer(&program, source) {
        return Ok(program);
    }
    println!("compiling {source} (once, some minutes)");
    let mut compiler = Command::new("g++");
    // The limits are those Pinocchio itself is built with.
    compiler.args(["-w", "-O3", "-std=c++17", "-DNDEBUG"]);
    compiler.args(["-DBOOST_MPL_LIMIT_LIST_SIZE=30", "-DBOOST_MPL_LIMIT_VECTOR_SIZE=30"]);
    compiler.args(["-DBOOST_MPL_CFG_NO_PREPROCESSED_HEADERS", "-DBOOST_FUSION_INVOKE_MAX_ARITY=12"]);
    compiler.arg("-I").arg(prefix.join("include")).arg("-I").arg(prefix.join("include/eigen3")).arg(source);
    compiler.arg("-o").arg(&program);
    if is_native {
        compiler.arg("-march=native");
    } else {
        // Instances of templates come from the library.
        compiler.arg("-DPINOCCHIO_ENABLE_TEMPLATE_INSTANTIATION");
        compiler.arg("-L").arg(prefix.join("lib")).arg("-lpinocchio_default");
        compiler.arg(format!("-Wl,-rpath,{}", prefix.join("lib").display()));
    }
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

/// Lines `what,µs`; of a thing measured more than once the best.
fn better(all: &mut Times, lines: &str) -> Result<()> {
    for line in lines.lines() {
        let (what, us) = line.split_once(',').with_context(|| format!("{line:?} is no time"))?;
        let us: f64 = us.trim().parse().with_context(|| format!("{line:?} is no time"))?;
        all.entry(what.to_owned()).and_modify(|best| *best = best.min(us)).or_insert(us);
    }
    Ok(())
}

/// The table.
pub fn print(runs: &[DynamicsRun]) {
    let titles = ("dynamics of a humanoid", "nv", "µs", "peer", "peer µs", "ratio");
    println!("\n{:<24} {:>4} {:>9} {:>12} {:>10} {:>7}", titles.0, titles.1, titles.2, titles.3, titles.4, titles.5);
    for run in runs {
        let (theirs, ratio) = match run.peer_us {
            Some(us) => (format!("{us:.2}"), format!("{:.2}", run.us / us)),
            None => ("–".to_owned(), "–".to_owned()),
        };
        println!("{:<24} {:>4} {:>9.2} {:>12} {theirs:>10} {ratio:>7}", run.what, run.nv, run.us, run.peer);
    }
}

/// Ratios to the peers that were measured.
pub fn goals(runs: &[DynamicsRun]) -> Vec<Goal> {
    let goal = |run: &DynamicsRun| {
        let ratio = run.us / run.peer_us?;
        let (measured, asked) = (format!("{ratio:.2}"), format!("<= {}", run.asked_ratio));
        Some(Goal {
            what: format!("{}, nv {}", run.what, run.nv).into(),
            measured,
            asked,
            met: ratio <= run.asked_ratio,
        })
    };
    runs.iter().filter_map(goal).collect()
}
