//! Every verb in a list, and what must hold whatever a command is given.

use crate::common::{aplomb, stderr, stdout, text};
use aplomb_formats::{ReadOptions, read_file};
use aplomb_motion::Clip;
use std::path::{Path, PathBuf};

/// What a command is given: {walk}, {jump}, {wave}, {mill} and {out} stand for files.
pub const COMMANDS: &[&str] = &[
    "info {walk} --json",
    "inspect {walk} --json",
    "inspect {jump} --json",
    "contacts {walk} -o {out}.toml",
    "body {walk} -o {out}.toml",
    "masses {walk} -o {out}.toml",
    "render {walk} -o {out}.svg",
    "convert {walk} {out}.glb",
    "convert {walk} {out}.usda",
    "convert {walk} {out}.xml",
    "convert {walk} {out}.amc",
    "convert {walk} {out}.bvh --mirror",
    "convert {walk} {out}.bvh --resample 30 --scale 1.1",
    "inspect {walk} --html {out}.html",
    "arc {walk} --radius 3 --side left -o {out}.bvh",
    "tilt {walk} --angle 5 -o {out}.bvh",
    "cut {walk} --from 0.5 --to 2 -o {out}.bvh",
    "join {walk} {walk} -o {out}.bvh",
    "speed {walk} --factor 1.2 -o {out}.bvh",
    "travel {mill} --speed 1.3 -o {out}.bvh",
    "transition {walk} {walk} --from 1 --to 1.5 -o {out}.bvh",
    "reach {wave} --hand right --at 2.4 --to -0.3,1.4,0.5 -o {out}.bvh",
    "reach {wave} --hand left --at 1 --to 0.3,1.2,0.4 -o {out}.bvh",
    "touchup {walk} -o {out}.bvh",
    "touchup {jump} -o {out}.bvh",
    "plant {walk} -o {out}.bvh",
    "path {walk} --list-handles",
    "path {walk} --move 3:0.1,0,0 -o {out}.bvh",
    "path {walk} --follow arc:radius=4,side=left -o {out}.bvh",
    "blend {walk} {walk} --weight 0.5 -o {out}.bvh",
    "adapt {jump} --jump-length +0.1 -o {out}.bvh",
    "track {wave} -o {out}.bvh",
    "track {wave} --character child -o {out}.bvh",
];

/// Names that stand for files in [`COMMANDS`].
pub const CLIPS: [&str; 4] = ["walk", "jump", "wave", "mill"];

/// What they stand for: built-in clips, and a walk on a treadmill.
pub fn clip(name: &str) -> Clip {
    let built_in = |name| aplomb_builtins::clip(name).unwrap();
    match name {
        "jump" => built_in("short-jump"),
        "mill" => {
            let mut clip = built_in("walk");
            let root = clip.skeleton().roots().next().unwrap();
            clip.track_mut(root).unwrap().iter_mut().for_each(|place_m| (place_m.x, place_m.z) = (0.0, 0.0));
            clip
        }
        name => built_in(name),
    }
}

/// A command that ran.
pub struct Ran {
    pub exit: i32,
    /// Its one error, if it refused.
    pub error: String,
    pub printed: String,
    /// What no command may do.
    pub wrong: Vec<String>,
}

impl Ran {
    /// Runs a command whose files `file` names; what it writes is called `out`, whatever its ending.
    pub fn of(folder: &Path, out: &str, command: &str, file: impl Fn(&str) -> PathBuf) -> Self {
        let mut words: Vec<String> = command.split(' ').map(str::to_owned).collect();
        for word in &mut words {
            for name in CLIPS {
                *word = word.replace(&format!("{{{name}}}"), text(&file(name)));
            }
            *word = word.replace("{out}", text(&folder.join(out)));
        }
        let output = aplomb(&words.iter().map(String::as_str).collect::<Vec<_>>());
        let (exit, message) = (output.status.code().unwrap_or(-1), stderr(&output));
        let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
        let written = entries.filter(|name| name.to_string_lossy().starts_with(&format!("{out}."))).count();
        let errors: Vec<&str> = message.lines().filter(|line| line.starts_with("error")).collect();
        let mut wrong = Vec::new();
        if message.contains("panicked") || ![0, 1, 3].contains(&exit) {
            wrong.push(format!("exit code {exit}: {message}"));
        }
        if exit == 1 && (errors.len() != 1 || written > 0) {
            wrong.push(format!("{written} files and {} errors: {message}", errors.len()));
        }
        if exit == 0 && command.contains("{out}.bvh") {
            match read_file(&folder.join(out).with_extension("bvh"), &ReadOptions::default()) {
                Ok(import) if import.clip.rotations().iter().all(|turn| turn.is_finite()) => {}
                Ok(_) => wrong.push("a rotation that is none".to_owned()),
                Err(error) => wrong.push(error.to_string()),
            }
        }
        Self { exit, error: errors.join(" "), printed: stdout(&output), wrong }
    }
}
