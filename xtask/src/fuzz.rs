//! Feeding damaged files to the readers with libFuzzer (`fuzz/`, a `cargo fuzz` project).
//!
//! The default build has no sanitizer: our code has no `unsafe`, so panics, hangs and memory are what can go wrong, and
//! libFuzzer sees those on a stable toolchain. `--sanitizer address` also bounds single allocations. ufbx is C: its
//! branches and comparisons guide the fuzzer like ours, undefined behaviour in it ends the program, and `--sanitizer
//! address` watches its memory too.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use crate::check::Outcome;
use crate::{fuzz_seeds, helpers, shell};

/// Every target, with the keyword dictionary that lets the fuzzer past the grammar.
const TARGETS: &[(&str, &str)] = &[
    ("bvh_read", "bvh.dict"),
    ("asf_read", "asf.dict"),
    ("amc_read", "amc.dict"),
    ("trc_read", "trc.dict"),
    ("mot_read", "mot.dict"),
    ("glb_read", "glb.dict"),
    ("fbx_read", "fbx.dict"),
    ("c3d_read", "c3d.dict"),
    ("npz_read", "npz.dict"),
    ("side_files", "side_files.dict"),
    ("walk", "walk.dict"),
];

/// Targets that run at the same time; the machines this is planned for have two cores.
const AT_ONCE: usize = 2;

/// The longest input tried. Long enough for every grammar rule several times over; longer ones only slow the search.
const MOST_BYTES: usize = 16 * 1024;
/// One input taking this long is a finding: the readers promise 2 s for any file.
const SLOW_SECS: u64 = 10;
/// Memory promise of formats: 20 × file + 64 MiB; libFuzzer itself and its corpus take the rest.
const MEMORY_MB: u64 = 1024;

/// How C code is compiled. `trace-pc` and `trace-cmp` are what gcc and clang both have (`fuzz/src/coverage.c`). Traps
/// need no run-time library; alignment is left out because ufbx reads unaligned words where the processor allows it,
/// and says so.
const C_FLAGS: &str = "-fsanitize-coverage=trace-pc,trace-cmp \
     -fsanitize=undefined -fno-sanitize=alignment -fsanitize-undefined-trap-on-error";

/// Runs all targets or one of them for `secs` seconds each.
pub fn run(secs: u64, sanitizer: &str, only: Option<&str>) -> Result<Outcome> {
    let chosen: Vec<_> = TARGETS.iter().filter(|(name, _)| only.is_none_or(|only| only == *name)).collect();
    if chosen.is_empty() {
        let names: Vec<_> = TARGETS.iter().map(|(name, _)| *name).collect();
        bail!("no fuzz target named '{}'; there are {}", only.unwrap_or_default(), names.join(", "));
    }
    fuzz_seeds::write_all(Path::new("fuzz/seeds"))?;
    let programs = build(sanitizer, only)?;

    let mut outcome = Outcome::default();
    let mut pending = chosen.into_iter();
    let mut running: Vec<Fuzzer> = Vec::new();
    loop {
        while running.len() < AT_ONCE {
            let Some((name, dictionary)) = pending.next() else { break };
            running.push(Fuzzer::start(&programs, name, dictionary, secs)?);
        }
        if running.is_empty() {
            break;
        }
        std::thread::sleep(Duration::from_millis(200));
        let mut still_running = Vec::new();
        for mut fuzzer in running {
            match fuzzer.finished()? {
                None => still_running.push(fuzzer),
                Some(Ok(line)) => {
                    println!("{line}");
                    outcome.passed += 1;
                }
                Some(Err(finding)) => {
                    eprintln!("{finding}");
                    outcome.failures.push(format!("fuzz {}: a finding, see {}", fuzzer.name, fuzzer.log.display()));
                }
            }
        }
        running = still_running;
    }
    outcome.note = format!("{secs} s a target, sanitizer {sanitizer}");
    Ok(outcome)
}

/// Builds the targets and gives the folder of the programs.
fn build(sanitizer: &str, only: Option<&str>) -> Result<PathBuf> {
    let cargo_fuzz = helpers::cargo_tool("cargo-fuzz")?;
    // A folder for each sanitizer: they build everything with different flags and would evict each other.
    let target_dir = shell::target_dir().join(format!("fuzz-{sanitizer}"));
    let mut command = Command::new(cargo_fuzz);
    command.args(["fuzz", "build", "--sanitizer", sanitizer, "--target-dir"]).arg(&target_dir);
    command.args(only).env_remove("CARGO_TARGET_DIR");
    let address = if sanitizer == "address" { " -fsanitize=address" } else { "" };
    command.env("CFLAGS", format!("{} {C_FLAGS}{address}", std::env::var("CFLAGS").unwrap_or_default()));
    if !shell::succeeds(&mut command)? {
        bail!("the fuzz targets do not build");
    }
    let host = host_triple()?;
    Ok(target_dir.join(host).join("release"))
}

fn host_triple() -> Result<String> {
    let about = shell::output(Command::new("rustc").arg("-vV"))?;
    let host = about.lines().find_map(|line| line.strip_prefix("host: "));
    Ok(host.context("rustc -vV names no host")?.to_owned())
}

struct Fuzzer {
    name: &'static str,
    log: PathBuf,
    child: Child,
    started: Instant,
}

impl Fuzzer {
    fn start(programs: &Path, name: &'static str, dictionary: &str, secs: u64) -> Result<Self> {
        let corpus = Path::new("fuzz/corpus").join(name);
        let artifacts = Path::new("fuzz/artifacts").join(name);
        let regressions = Path::new("fuzz/regressions").join(name);
        std::fs::create_dir_all(&corpus)?;
        std::fs::create_dir_all(&artifacts)?;
        let log = artifacts.join("last-run.log");
        let file = std::fs::File::create(&log)?;
        let mut command = Command::new(programs.join(name));
        command
            .arg(format!("-max_total_time={secs}"))
            .arg(format!("-max_len={MOST_BYTES}"))
            .arg(format!("-timeout={SLOW_SECS}"))
            .arg(format!("-rss_limit_mb={MEMORY_MB}"))
            .arg(format!("-dict=fuzz/dictionaries/{dictionary}"))
            .arg(format!("-artifact_prefix={}/", artifacts.display()))
            .arg("-print_final_stats=1")
            // The first folder grows; the others are only read.
            .arg(&corpus)
            .arg(Path::new("fuzz/seeds").join(name));
        if regressions.is_dir() {
            command.arg(regressions);
        }
        command.stdin(Stdio::null()).stdout(file.try_clone()?).stderr(file);
        let child = command.spawn().with_context(|| format!("cannot start fuzz target {name}"))?;
        Ok(Self { name, log, child, started: Instant::now() })
    }

    /// `None` while it runs; then a line of statistics, or the end of its log with the finding.
    fn finished(&mut self) -> Result<Option<Result<String, String>>> {
        let Some(status) = self.child.try_wait()? else { return Ok(None) };
        let log = String::from_utf8_lossy(&std::fs::read(&self.log)?).into_owned();
        if !status.success() {
            return Ok(Some(Err(format!("{}: {status}\n{}", self.name, shell::last_lines(&log, 40)))));
        }
        let stat = |key: &str| {
            let line = log.lines().find(|line| line.starts_with(key)).unwrap_or_default();
            line.rsplit(' ').next().unwrap_or_default().to_owned()
        };
        let done = log.lines().rev().find(|line| line.contains("DONE")).unwrap_or_default();
        let coverage = done.split_once("cov: ").and_then(|(_, rest)| rest.split(' ').next()).unwrap_or("?");
        Ok(Some(Ok(format!(
            "{:<12} {:>4.0} s  {:>9} inputs, coverage {coverage}, peak memory {} MB, no finding",
            self.name,
            self.started.elapsed().as_secs_f64(),
            stat("stat::number_of_executed_units"),
            stat("stat::peak_rss_mb"),
        ))))
    }
}
