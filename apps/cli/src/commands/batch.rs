//! `aplomb batch`: one job over a dataset, on all cores, in parts, resumed where it was cut off.

use crate::args::InputArgs;
use crate::outcome::{Outcome, Printing, print_json, print_line, say_error};
use crate::places;
use crate::progress::Progress;
use aplomb_formats::import::read_limited;
use aplomb_formats::{FileKind, Limits, ReadOptions, atomic};
use aplomb_project::Project;
use aplomb_project::batch::{
    BatchInput, BatchJob, BatchOutcome, BatchRequest, BatchTask, Earlier, Entry, Filter, IndexFormat, Shard,
    index_bytes, run as run_batch,
};
use aplomb_words::{in_flags, sentence};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Component, Path, PathBuf};

/// Options of `batch`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  \
    aplomb batch 'mocap/**/*.bvh' --do inspect -o out --index out/index.jsonl    physics of a dataset, one row a clip\n  \
    aplomb batch mocap --do touchup -o repaired --resume                         every clip below a folder, made physically right\n  \
    aplomb batch 'mocap/**/*.bvh' --do bend.toml -o bent --jobs 2                the edits of a project file\n  \
    aplomb batch 'mocap/**/*.bvh' --do convert --to glb -o glb                   another format\n  \
    aplomb batch mocap --do inspect -o out --index good.jsonl --resume --filter 'score>=70 && fps==120'\n  \
    aplomb batch mocap --do inspect -o out --shard 3/16 --index out/3.jsonl      one part of sixteen (Slurm, Kubernetes)\n\n\
    One clip that fails stops nothing: it is a row with its message, and the exit code is 4. docs/datasets.md has the rest.")]
pub struct Args {
    /// Files, folders (all motion files below), patterns ('a/**/*.bvh', quoted), or @LIST with a path a line
    #[arg(required = true, value_name = "CLIPS")]
    inputs: Vec<String>,
    /// inspect, convert, a project file (TOML), or a verb with its usual settings (touchup, plant)
    #[arg(long = "do", value_name = "JOB", default_value = "inspect")]
    job: String,
    /// Folder for outputs and for the journal of what is done
    #[arg(short, long, value_name = "DIR")]
    out: PathBuf,
    /// Table of all clips of this part: .jsonl, .csv or .parquet; DuckDB and Polars read all three
    #[arg(long, value_name = "FILE")]
    index: Option<PathBuf>,
    /// Only rows for which this holds go into the index: 'score>=70 && fps==120', 'status==failed || judged==false'
    #[arg(long, value_name = "CONDITION", value_parser = Filter::parse)]
    filter: Option<Filter>,
    /// Format of the outputs; the input's own if not given
    #[arg(long, value_name = "ENDING", value_parser = ["bvh", "amc", "glb", "npz", "usda"])]
    to: Option<String>,
    /// How many clips at a time; as many as there are cores if not given
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
    /// Do part I of N only: the same clips on whatever machine
    #[arg(long, value_name = "I/N", value_parser = shard)]
    shard: Option<Shard>,
    /// Go on where an earlier run stopped; what was done with the same input, job and version is not done again
    #[arg(long, conflicts_with = "force")]
    resume: bool,
    /// With --resume: try clips again that failed
    #[arg(long, requires = "resume")]
    retry: bool,
    /// Write motions even if the edits made them worse; their rows say so
    #[arg(long)]
    accept_harm: bool,
    /// Begin anew, and replace outputs and index
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    input: InputArgs,
}

impl Args {
    /// All of it, unless a part was asked for.
    fn part(&self) -> Shard {
        self.shard.unwrap_or_default()
    }
}

fn shard(text: &str) -> Result<Shard, String> {
    let parts = text.split_once('/').and_then(|(number, count)| Some((number.parse().ok()?, count.parse().ok()?)));
    parts
        .and_then(|(number, count)| Shard::new(number, count))
        .ok_or_else(|| format!("expected I/N with I from 1 to N, found {text}"))
}

/// Does the job and writes the index.
pub fn run(args: &Args, print: Printing) -> Outcome {
    let planned = match plan(args) {
        Ok(planned) => planned,
        Err(message) => {
            say_error(&message);
            return Outcome::WrongUsage;
        }
    };
    let (inputs, job) = planned;
    let progress = Progress::new("batch", inputs.iter().filter(|input| args.part().holds(&input.key)).count(), print);
    let request = BatchRequest {
        job: &job,
        inputs: &inputs,
        folder: args.out.clone(),
        shard: args.part(),
        jobs: args.jobs.map(usize::from),
        earlier: match (args.force, args.resume, args.retry) {
            (true, ..) => Earlier::Replace,
            (_, true, true) => Earlier::Retry,
            (_, true, false) => Earlier::Resume,
            _ => Earlier::Refuse,
        },
        on_entry: &|_| progress.step(),
    };
    let outcome = run_batch(&request);
    drop(progress);
    let shown = outcome.map_err(|error| in_flags(&error)).and_then(|outcome| finish(args, &outcome, print));
    shown.unwrap_or_else(|message| {
        say_error(&message);
        Outcome::BadInput
    })
}

/// Writes the index and says how it went.
fn finish(args: &Args, outcome: &BatchOutcome, print: Printing) -> Result<Outcome, String> {
    let entries = &outcome.entries;
    if let Some(name) = args.filter.as_ref().and_then(|filter| unknown_column(filter, entries)) {
        return Err(format!(
            "--filter: no clip has {name:?}; columns are {}. What was done is kept: give another --filter with --resume",
            columns(entries).into_iter().collect::<Vec<_>>().join(", ")
        ));
    }
    let wanted: Vec<&Entry> =
        entries.iter().filter(|entry| args.filter.as_ref().is_none_or(|filter| filter.passes(&entry.row))).collect();
    if let Some((path, format)) = args.index.as_ref().and_then(|path| Some((path, IndexFormat::from_path(path)?))) {
        let bytes = index_bytes(wanted.iter().map(|entry| &entry.row), format).map_err(|error| in_flags(&error))?;
        // The index of a run that goes on is its own earlier one.
        atomic::write(path, &bytes, args.force || args.resume).map_err(|error| in_flags(&error))?;
    }
    let failed = entries.iter().filter(|entry| !entry.is_ok()).count();
    let with_status =
        |wanted: &str| entries.iter().filter(|entry| entry.row.get("status").is_some_and(|it| it == wanted)).count();
    let (unmet, harmed) = (with_status("goal_unmet"), with_status("harmed"));
    let mut ended = Outcome::of_many(entries.len(), failed);
    if ended == Outcome::Done && unmet + harmed > 0 {
        ended = Outcome::GoalUnmet;
    }
    let figures = serde_json::json!({
        "schema": 1, "clips": entries.len(), "resumed": outcome.resumed, "failed": failed, "goals_unmet": unmet, "harmed": harmed, "in_index": wanted.len(),
    });
    let printed = match print.json {
        true => print_json(&figures),
        false => {
            for entry in entries.iter().filter(|entry| !entry.is_ok()).take(20) {
                say_error(entry.row.get("error").and_then(|error| error.as_str()).unwrap_or("failed"));
            }
            if failed > 20 {
                say_error(&format!("… and {} more; the index has them all (--filter 'status==failed')", failed - 20));
            }
            print_line(&format!(
                "{} clips: {} done now, {} before, {failed} failed, {unmet} with goals unmet, {harmed} harmed{}",
                entries.len(),
                entries.len() - outcome.resumed,
                outcome.resumed,
                args.index.as_ref().map_or(String::new(), |index| format!(
                    "; {} rows in {}",
                    wanted.len(),
                    index.display()
                )),
            ))
        }
    };
    Ok(if printed == Outcome::Done { ended } else { printed })
}

/// A misspelt name would otherwise choose no row, in silence. Where everything failed the rows are not known.
fn unknown_column<'a>(filter: &'a Filter, entries: &[Entry]) -> Option<&'a str> {
    let known = columns(entries);
    let is_judged = entries.iter().any(Entry::is_ok);
    filter.names().find(|name| is_judged && !known.contains(name) && *name != "error_code")
}

fn columns(entries: &[Entry]) -> BTreeSet<&str> {
    entries.iter().flat_map(|entry| entry.row.keys()).map(String::as_str).collect()
}

/// The clips and the job; everything that can be refused is refused here.
fn plan(args: &Args) -> Result<(Vec<BatchInput>, BatchJob), String> {
    if let Some(index) = &args.index {
        if IndexFormat::from_path(index).is_none() {
            return Err(format!("{}: an index ends with .jsonl, .csv or .parquet", index.display()));
        }
        if !args.resume {
            let folder_is_made = index.parent().is_some_and(|folder| folder.starts_with(&args.out));
            match folder_is_made {
                true => atomic::refuse_existing(index, args.force),
                false => places::refuse_existing(index, args.force),
            }
            .map_err(|error| in_flags(&error))?;
        }
    } else if args.filter.is_some() {
        return Err("--filter chooses the rows of an index: give --index FILE too".to_owned());
    }
    let (task, read) = (task(args)?, args.input.read_options());
    let job = BatchJob::new(task, read, args.input.fps, args.to.clone()).worded(sentence, in_flags);
    let inputs = inputs(args)?;
    if inputs.is_empty() {
        return Err(format!("no motion files found in {}", args.inputs.join(", ")));
    }
    if job.writes_clips() {
        let mut taken: HashMap<PathBuf, &BatchInput> = HashMap::new();
        for input in &inputs {
            let output = job.output(input, &args.out);
            if !FileKind::from_path(&output).is_some_and(FileKind::is_written) {
                return Err(format!("{}: its format is not written; choose one with --to", input.path.display()));
            }
            if places::place_of(&output) == places::place_of(&input.path) {
                return Err(format!(
                    "{}: the output would replace the input; choose another folder",
                    input.path.display()
                ));
            }
            if let Some(other) = taken.insert(output.clone(), input) {
                let (a, b) = (other.path.display(), input.path.display());
                return Err(format!("{a} and {b} would both become {}", output.display()));
            }
        }
    }
    Ok((inputs, job))
}

fn task(args: &Args) -> Result<BatchTask, String> {
    match args.job.as_str() {
        "inspect" => return Ok(BatchTask::Inspect),
        "convert" if args.to.is_none() => return Err("--do convert needs --to FORMAT".to_owned()),
        "convert" => return Ok(BatchTask::Convert),
        _ => {}
    }
    let path = Path::new(&args.job);
    let is_file = path.extension().is_some() || path.components().count() > 1;
    let (text, name) = match is_file {
        true => {
            // Project files are written by hand.
            let limits = Limits { file_bytes: 4 << 20, ..Limits::default() };
            let bytes = read_limited(path, &ReadOptions { limits, ..ReadOptions::default() })
                .map_err(|error| in_flags(&error))?;
            let text = String::from_utf8(bytes)
                .map_err(|_| format!("{}: expected a project file in TOML, found other bytes", path.display()))?;
            (text, path.to_owned())
        }
        false => (format!("schema = 1\nclip = \"each\"\n[[edit]]\nverb = {:?}\n", args.job), PathBuf::from("--do")),
    };
    let mut project = Project::from_text(&text, &name).map_err(|error| in_flags(&error))?;
    project.output.accept_harm |= args.accept_harm;
    if project.edits.is_empty() {
        return Err(format!("{}: it has no edit to make", name.display()));
    }
    let folder = path.parent().filter(|_| is_file).unwrap_or(Path::new("")).to_owned();
    Ok(BatchTask::Edit { project: Box::new(project), folder })
}

/// Sorted, each once. Names are relative to the folder or to the part of the pattern without wildcards.
fn inputs(args: &Args) -> Result<Vec<BatchInput>, String> {
    let mut found: BTreeMap<PathBuf, String> = BTreeMap::new();
    for given in &args.inputs {
        let mut add = |path: PathBuf, base: &Path| {
            let key = key(&path, base);
            found.entry(path).or_insert(key);
        };
        let path = Path::new(given);
        if let Some(list) = given.strip_prefix('@') {
            let text = std::fs::read_to_string(list).map_err(|error| format!("{list}: cannot read: {error}"))?;
            text.lines()
                .map(str::trim)
                .filter(|line| !line.is_empty())
                .for_each(|line| add(PathBuf::from(line), Path::new("")));
        } else if path.is_dir() {
            let is_below = places::place_of(&args.out) != places::place_of(path);
            let pattern = format!("{}/**/*", glob::Pattern::escape(given.trim_end_matches('/')));
            for file in files(&pattern)? {
                // Skeletons come with their motions; the outputs of a batch below are no inputs.
                let is_motion = FileKind::from_path(&file).is_some_and(|kind| kind != FileKind::Asf);
                if is_motion && !(is_below && file.starts_with(&args.out)) {
                    add(file, path);
                }
            }
        } else if path.is_file() || aplomb_project::source::built_in_name(path).is_some() {
            add(path.to_owned(), path.parent().unwrap_or(Path::new("")));
        } else if given.contains(['*', '?', '[']) {
            let plain =
                path.components().take_while(|part| !part.as_os_str().to_string_lossy().contains(['*', '?', '[']));
            let base: PathBuf = plain.collect();
            files(given)?.into_iter().for_each(|file| add(file, &base));
        } else {
            return Err(format!("{given}: there is no such file, folder or pattern"));
        }
    }
    let mut inputs: Vec<BatchInput> = found.into_iter().map(|(path, key)| BatchInput { key, path }).collect();
    inputs.sort();
    if let Some(pair) = inputs.windows(2).find(|pair| pair[0].key == pair[1].key) {
        let (a, b) = (pair[0].path.display(), pair[1].path.display());
        return Err(format!("{a} and {b} have one name in the index, {}; give the folder above both", pair[0].key));
    }
    Ok(inputs)
}

fn files(pattern: &str) -> Result<Vec<PathBuf>, String> {
    let paths = glob::glob(pattern).map_err(|error| format!("{pattern}: {error}"))?;
    Ok(paths.filter_map(Result::ok).filter(|path| path.is_file()).collect())
}

/// With `/` and no way up or out: it is also a name below the output folder.
fn key(path: &Path, base: &Path) -> String {
    let inner = path.strip_prefix(base).unwrap_or(path);
    let parts = inner.components().filter_map(|part| match part {
        Component::Normal(name) => Some(name.to_string_lossy().into_owned()),
        _ => None,
    });
    parts.collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_relative_and_stay_below() {
        assert_eq!(key(Path::new("/data/cmu/a/b.bvh"), Path::new("/data/cmu")), "a/b.bvh");
        assert_eq!(key(Path::new("../x/../b.bvh"), Path::new("")), "x/b.bvh");
    }

    #[test]
    fn parts_as_people_type_them() {
        assert!(shard("3/16").is_ok());
        for bad in ["0/3", "4/3", "3", "a/b", "-1/2", ""] {
            assert!(shard(bad).is_err(), "{bad}");
        }
    }
}
