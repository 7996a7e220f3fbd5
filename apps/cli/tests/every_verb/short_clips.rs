//! Clips of one, two and three frames, through every verb: a right result or one clear message, and nothing written.

use crate::commands::{CLIPS, COMMANDS, Ran, clip};
use crate::common::{folder, saved};
use crate::parts::first_frames;
use rayon::prelude::*;

#[test]
fn clips_of_three_frames_and_less_are_edited_or_refused_in_one_sentence() {
    let folder = folder();
    for name in CLIPS {
        let clip = clip(name);
        (1..=3).for_each(|frames| drop(saved(&folder, &format!("{name}{frames}"), &first_frames(&clip, frames))));
    }
    let jobs: Vec<(usize, usize, &str)> = (1..=3)
        .flat_map(|frames| COMMANDS.iter().enumerate().map(move |(number, command)| (frames, number, *command)))
        .collect();
    let runs: Vec<(usize, &str, Ran)> = jobs
        .par_iter()
        .map(|&(frames, number, command)| {
            // Times that lie within two frames at 60 Hz.
            let short = command.replace("--from 0.5 --to 2", "--from 0 --to 0.03").replace("--at 2.4", "--at 0.01");
            let short = short.replace("--from 1 --to 1.5", "--from 0 --to 0.01").replace("--at 1 ", "--at 0.01 ");
            let file = |name: &str| folder.path().join(format!("{name}{frames}.bvh"));
            (frames, command, Ran::of(folder.path(), &format!("out{frames}-{number}"), &short, file))
        })
        .collect();
    let mut wrong = Vec::new();
    for (frames, command, ran) in &runs {
        println!("{frames} frames {command:<60} {} {}", ran.exit, ran.error);
        wrong.extend(ran.wrong.iter().map(|what| format!("{frames} frames: {command}: {what}")));
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}
