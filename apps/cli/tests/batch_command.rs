//! `aplomb batch` as a user runs it: parts, filters, a bad clip among good ones, and a run that is killed.

mod common;

use common::{aplomb, built, code, folder, stderr, stdout, text};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Copies of built-in clips, a few bytes different each, in two folders; and one that is no motion.
fn dataset(top: &Path, count: usize) {
    let source = folder();
    let clips: Vec<String> = ["walk", "short-jump", "turning-walk"]
        .map(|name| std::fs::read_to_string(built(&source, name)).unwrap())
        .into();
    for number in 0..count {
        let place = top.join(if number % 2 == 0 { "even" } else { "odd" });
        std::fs::create_dir_all(&place).unwrap();
        // A blank at the end of a file is another file with the same motion.
        let text = format!("{}{}", clips[number % 3], " ".repeat(number % 7));
        std::fs::write(place.join(format!("{number:03}.bvh")), text).unwrap();
    }
    std::fs::write(top.join("broken.bvh"), "HIERARCHY\nROOT Hips\n").unwrap();
}

fn rows(index: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(index).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn inspect_gives_an_index_that_can_be_filtered() {
    let folder = folder();
    let data = folder.path().join("data");
    dataset(&data, 6);
    let (out, index) = (folder.path().join("out"), folder.path().join("index.jsonl"));
    let pattern = format!("{}/**/*.bvh", data.display());
    let output = aplomb(&["batch", &pattern, "--do", "inspect", "-o", text(&out), "--index", text(&index)]);
    // Six done, one refused with its reason.
    assert_eq!(code(&output), 4, "{}", stderr(&output));
    let all = rows(&index);
    let names: Vec<&str> = all.iter().map(|row| row["file"].as_str().unwrap()).collect();
    assert_eq!(names[0], "broken.bvh");
    assert_eq!(
        names[1..],
        ["even/000.bvh", "even/002.bvh", "even/004.bvh", "odd/001.bvh", "odd/003.bvh", "odd/005.bvh"]
    );
    assert_eq!(all[0]["error_code"], "BVH-E006");
    assert!(all[1]["score"].as_f64().unwrap() > 50.0);

    let good = folder.path().join("good.csv");
    let filter = "score>=10 && joints>3";
    let again = ["batch", &pattern, "-o", text(&out), "--index", text(&good), "--resume", "--filter", filter, "--json"];
    let output = aplomb(&again);
    let told: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&told["resumed"], &told["in_index"], &told["clips"]), (&7.into(), &6.into(), &7.into()));
    assert_eq!(std::fs::read_to_string(&good).unwrap().lines().count(), 7);

    let misspelt = ["batch", &pattern, "-o", text(&out), "--index", text(&good), "--resume", "--filter", "scroe>=10"];
    let output = aplomb(&misspelt);
    assert!(code(&output) == 1 && stderr(&output).contains("scroe"), "{}", stderr(&output));

    let table = folder.path().join("index.parquet");
    let output = aplomb(&["batch", &pattern, "-o", text(&out), "--index", text(&table), "--resume"]);
    assert_eq!(code(&output), 4, "{}", stderr(&output));
    assert_eq!(std::fs::read(&table).unwrap()[..4], *b"PAR1");
}

#[test]
fn parts_together_are_the_whole() {
    let folder = folder();
    let data = folder.path().join("data");
    dataset(&data, 5);
    let run = |out: &str, more: &[&str]| {
        let (out, index) =
            (folder.path().join(out), folder.path().join(format!("{out}{}.jsonl", more.len() + more.concat().len())));
        let mut args =
            vec!["batch", text(&data), "--do", "convert", "--to", "glb", "-o", text(&out), "--index", text(&index)];
        args.extend_from_slice(more);
        let output = aplomb(&args);
        assert!([0, 1, 4].contains(&code(&output)), "{}", stderr(&output));
        rows(&index)
    };
    let whole = run("whole", &[]);
    let mut parts: Vec<Value> = ["1/3", "2/3", "3/3"]
        .iter()
        .zip(["a", "bb", "ccc"])
        .flat_map(|(part, name)| run(name, &["--shard", part]))
        .collect();
    parts.sort_by_key(|row| row["file"].as_str().unwrap().to_owned());
    assert_eq!(parts, whole);
}

#[test]
fn what_cannot_be_meant_is_refused_before_any_work() {
    let folder = folder();
    let data = folder.path().join("data");
    dataset(&data, 2);
    let out = folder.path().join("out");
    for (args, words) in [
        (vec!["batch", text(&data), "-o", text(&out), "--index", "index.txt"], ".jsonl"),
        (vec!["batch", text(&data), "-o", text(&out), "--filter", "score>1"], "--index"),
        (vec!["batch", text(&data), "-o", text(&out), "--filter", "score"], "NAME"),
        (vec!["batch", text(&data), "-o", text(&out), "--do", "wobble"], "wobble"),
        (vec!["batch", text(&data), "-o", text(&out), "--do", "convert"], "--to"),
        (vec!["batch", text(&data), "-o", text(&out), "--shard", "4/3"], "I/N"),
        (vec!["batch", "/no/such/thing", "-o", text(&out)], "no such"),
        (vec!["batch", text(&data), "-o", text(&data), "--do", "plant"], "replace the input"),
    ] {
        let output = aplomb(&args);
        assert_eq!(code(&output), 2, "{args:?}: {}{}", stdout(&output), stderr(&output));
        assert!(stderr(&output).contains(words), "{args:?}: {}", stderr(&output));
        assert!(!out.exists(), "{args:?}");
    }
}

#[test]
fn contacts_travel_with_clips_from_batch_to_batch() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    let (data, project) = (at("data"), at("bend.toml"));
    std::fs::create_dir(&data).unwrap();
    for name in ["run", "walk"] {
        std::fs::copy(built(&folder, name), data.join(format!("{name}.bvh"))).unwrap();
    }
    let bend = "[[edit]]\nverb = \"arc\"\nradius_m = 6.0\nside = \"left\"\n";
    std::fs::write(&project, format!("schema = 1\nclip = \"each\"\n{bend}")).unwrap();
    let batch = |from: &Path, job: &str, out: &str, more: &[&str]| {
        let (out, index) = (at(out), at(&format!("{out}.jsonl")));
        let words = ["batch", text(from), "--do", job, "-o", text(&out), "--index", text(&index), "--json"];
        let output = aplomb(&[&words[..], more].concat());
        assert!([0, 3].contains(&code(&output)), "{}", stderr(&output));
        (rows(&index), serde_json::from_slice::<Value>(&output.stdout).unwrap())
    };
    let (bent, _) = batch(&data, text(&project), "bent", &[]);
    // Each clip has its contacts beside it, and the index knows both files.
    for (row, name) in bent.iter().zip(["run", "walk"]) {
        assert!(at("bent").join(format!("{name}.bvh.contacts.toml")).is_file());
        let outputs = row["outputs"].to_string();
        assert!(outputs.contains(&format!("{name}.bvh.contacts.toml")), "{outputs}");
    }
    // Not a clip of its own to the next batch, which uses it: the same bytes as by the command, and others than
    // without.
    let (mended, _) = batch(&at("bent"), "touchup", "mended", &[]);
    assert_eq!(mended.len(), 2);
    let by_command = at("by-command.bvh");
    let output = aplomb(&["touchup", text(&at("bent/run.bvh")), "-o", text(&by_command), "--json"]);
    assert!(stdout(&output).contains("contacts: from run.bvh.contacts.toml"), "{}", stdout(&output));
    let bytes = |path: &str| std::fs::read(at(path)).unwrap();
    assert!(bytes("mended/run.bvh") == bytes("by-command.bvh"));
    std::fs::create_dir(at("bare")).unwrap();
    for name in ["run.bvh", "walk.bvh"] {
        std::fs::copy(at("bent").join(name), at("bare").join(name)).unwrap();
    }
    batch(&at("bare"), "touchup", "looked-for", &[]);
    assert!(bytes("mended/run.bvh") != bytes("looked-for/run.bvh"));
    // They go along into another format, and what is beside a clip is part of what was read: other contacts are other
    // work.
    let (glb, _) = batch(&at("bent"), "convert", "glb", &["--to", "glb"]);
    assert!(glb.len() == 2 && at("glb/run.glb.contacts.toml").is_file());
    let (_, told) = batch(&at("bent"), "touchup", "mended", &["--resume"]);
    assert_eq!(told["resumed"], 2);
    std::fs::remove_file(at("bent/run.bvh.contacts.toml")).unwrap();
    let (_, told) = batch(&at("bent"), "touchup", "mended", &["--resume"]);
    assert_eq!(told["resumed"], 1);
    assert!(bytes("mended/run.bvh") == bytes("looked-for/run.bvh"));
    assert!(!at("mended/run.bvh.contacts.toml").exists(), "nothing was carried, so nothing goes with it");
}

fn contents(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(place) = folders.pop() {
        for entry in std::fs::read_dir(place).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                // The journal is in the order of the work, which is not the same twice.
                folders.extend(Some(path).filter(|path| !path.ends_with(".aplomb")));
            } else {
                files.insert(path.strip_prefix(folder).unwrap().display().to_string(), std::fs::read(&path).unwrap());
            }
        }
    }
    files
}

#[test]
fn three_hundred_clips_killed_and_resumed_are_the_same_as_undisturbed() {
    let folder = folder();
    let data = folder.path().join("data");
    dataset(&data, 300);
    let args = |out: &Path, index: &Path| -> Vec<String> {
        let words = [
            "batch",
            text(&data),
            "--do",
            "convert",
            "--to",
            "glb",
            "-o",
            text(out),
            "--index",
            text(index),
            "--quiet",
            "--resume",
        ];
        words.map(str::to_owned).into()
    };
    let (calm, calm_index) = (folder.path().join("calm"), folder.path().join("calm.jsonl"));
    let words = args(&calm, &calm_index);
    assert_eq!(code(&aplomb(&words.iter().map(String::as_str).collect::<Vec<_>>())), 4);

    let (hurt, hurt_index) = (folder.path().join("hurt"), folder.path().join("hurt.jsonl"));
    let journal = hurt.join(".aplomb/journal-1-of-1.jsonl");
    let lines = || std::fs::read(&journal).map_or(0, |bytes| bytes.iter().filter(|&&byte| byte == b'\n').count());
    let mut kills = 0;
    // Killed twice: about a third of the way, and about two thirds.
    for least in [100, 200] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_aplomb"))
            .args(args(&hurt, &hurt_index))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let started = Instant::now();
        while lines() < least && started.elapsed() < Duration::from_secs(120) && child.try_wait().unwrap().is_none() {
            std::thread::sleep(Duration::from_millis(1));
        }
        // SIGKILL on Unix.
        child.kill().unwrap();
        kills += usize::from(!child.wait().unwrap().success() && lines() < 301);
        assert!(!hurt_index.exists(), "the index appears at the end");
    }
    assert!(kills >= 1, "the run was over before it could be killed");
    let done = lines();
    let words = args(&hurt, &hurt_index);
    let mut resumed: Vec<&str> = words.iter().map(String::as_str).collect();
    resumed.push("--json");
    let output = aplomb(&resumed);
    let told: Value = serde_json::from_slice(&output.stdout).unwrap();
    let before = told["resumed"].as_u64().unwrap() as usize;
    assert!(before >= 100 && before <= done, "{before} of {done}");
    assert_eq!(std::fs::read(&hurt_index).unwrap(), std::fs::read(&calm_index).unwrap());
    let (hurt, calm) = (contents(&hurt), contents(&calm));
    assert_eq!(hurt.keys().collect::<Vec<_>>(), calm.keys().collect::<Vec<_>>());
    assert!(hurt == calm, "the same files with other contents");
}
