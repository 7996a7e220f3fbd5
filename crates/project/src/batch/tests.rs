use super::*;
use crate::load::RateChoice;
use aplomb_formats::ReadOptions;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

fn input(folder: &Path, name: &str, text: &str) -> BatchInput {
    let path = folder.join(name);
    std::fs::write(&path, text).unwrap();
    BatchInput { key: name.to_owned(), path }
}

/// A stick that turns; `angle` makes files differ.
fn bvh(angle: f64) -> String {
    format!(
        "HIERARCHY\nROOT Hips\n{{\nOFFSET 0 0 0\nCHANNELS 6 Xposition Yposition Zposition Zrotation Yrotation Xrotation\nEnd Site\n{{\nOFFSET 0 1 0\n}}\n}}\n\
         MOTION\nFrames: 2\nFrame Time: 0.033333\n0 1 0 0 0 0\n0 1 0 {angle} 0 0\n"
    )
}

fn convert_to_glb() -> BatchJob {
    BatchJob::new(BatchTask::Convert, ReadOptions::default(), Some(RateChoice::Header), Some("glb".to_owned()))
}

fn run_in(folder: &Path, inputs: &[BatchInput], earlier: Earlier) -> (BatchOutcome, usize) {
    let heard = AtomicUsize::new(0);
    let request = BatchRequest {
        job: &convert_to_glb(),
        inputs,
        folder: folder.to_owned(),
        shard: Shard::default(),
        jobs: Some(2),
        earlier,
        on_entry: &|_| {
            heard.fetch_add(1, Ordering::Relaxed);
        },
    };
    let outcome = run(&request).unwrap();
    (outcome, heard.into_inner())
}

#[test]
fn one_bad_clip_does_not_stop_the_others_and_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let inputs = [
        input(folder.path(), "a.bvh", &bvh(3.0)),
        input(folder.path(), "b.bvh", "junk"),
        input(folder.path(), "c.bvh", &bvh(4.0)),
    ];
    let (outcome, heard) = run_in(&out, &inputs, Earlier::Refuse);
    assert_eq!((heard, outcome.resumed), (3, 0));
    let ok: Vec<bool> = outcome.entries.iter().map(Entry::is_ok).collect();
    assert_eq!(ok, [true, false, true]);
    assert_eq!(outcome.entries[1].row["error_code"], "BVH-E001");
    assert!(out.join("a.glb").is_file() && out.join("c.glb").is_file() && !out.join("b.glb").exists());
}

#[test]
fn what_is_done_is_done_again_only_if_something_changed() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let mut inputs = vec![
        input(folder.path(), "a.bvh", &bvh(3.0)),
        input(folder.path(), "b.bvh", &bvh(4.0)),
        input(folder.path(), "c.bvh", "junk"),
    ];
    let (first, _) = run_in(&out, &inputs, Earlier::Refuse);
    let index = |outcome: &BatchOutcome| {
        index_bytes(outcome.entries.iter().map(|entry| &entry.row), IndexFormat::JsonLines).unwrap()
    };
    let (again, _) = run_in(&out, &inputs, Earlier::Resume);
    assert_eq!((again.resumed, index(&again)), (3, index(&first)));
    // Failed ones are tried again when asked for.
    assert_eq!(run_in(&out, &inputs, Earlier::Retry).0.resumed, 2);
    // Another input, or an output that is gone, is done anew.
    inputs[0] = input(folder.path(), "a.bvh", &bvh(5.0));
    std::fs::remove_file(out.join("b.glb")).unwrap();
    assert_eq!(run_in(&out, &inputs, Earlier::Resume).0.resumed, 1);
    assert!(out.join("b.glb").is_file());
    // Without a word about the journal that is there, nothing happens.
    let request = BatchRequest {
        job: &convert_to_glb(),
        inputs: &inputs,
        folder: out.clone(),
        shard: Shard::default(),
        jobs: None,
        earlier: Earlier::Refuse,
        on_entry: &|_| {},
    };
    assert!(matches!(run(&request).err().unwrap(), ProjectError::BatchThere { .. }));
}

#[test]
fn a_line_that_was_cut_is_passed_over() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let inputs = [input(folder.path(), "a.bvh", &bvh(3.0)), input(folder.path(), "b.bvh", &bvh(4.0))];
    let (whole, _) = run_in(&out, &inputs, Earlier::Refuse);
    let journal = out.join(".aplomb/journal-1-of-1.jsonl");
    let bytes = std::fs::read(&journal).unwrap();
    for cut in [bytes.len() - 1, bytes.len() - 40, 7, 0] {
        std::fs::write(&journal, &bytes[..cut]).unwrap();
        let (outcome, _) = run_in(&out, &inputs, Earlier::Resume);
        assert_eq!(outcome.entries, whole.entries, "{cut}");
        // And the journal is whole again.
        assert_eq!(run_in(&out, &inputs, Earlier::Resume).0.resumed, 2, "{cut}");
    }
}

#[test]
fn shards_share_the_clips_without_rest() {
    let keys: Vec<String> = (0..1000).map(|number| format!("take/{number:04}.bvh")).collect();
    let mut sizes = Vec::new();
    for number in 1..=7 {
        let shard = Shard::new(number, 7).unwrap();
        sizes.push(keys.iter().filter(|key| shard.holds(key)).count());
    }
    assert_eq!(sizes.iter().sum::<usize>(), 1000);
    // 143 each, give or take four times the spread of so many throws of a die with seven sides.
    assert!(sizes.iter().all(|size| (98..190).contains(size)), "{sizes:?}");
    assert_eq!((Shard::new(0, 3), Shard::new(4, 3)), (None, None));
}

#[test]
fn two_runs_do_not_work_on_one_batch_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(".aplomb/journal-1-of-1.jsonl");
    let (first, _) = Journal::open(&path, Earlier::Resume).unwrap();
    let fault = Journal::open(&path, Earlier::Resume).err().unwrap();
    assert!(fault.to_string().contains("another run"), "{fault}");
    drop(first);
    assert!(Journal::open(&path, Earlier::Resume).is_ok());
}
