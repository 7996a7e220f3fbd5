//! Replays a project file: `cargo run -p aplomb-project --example replay -- PROJECT.toml OUT.bvh`.

use aplomb_formats::{ReadOptions, WriteOptions, export};
use aplomb_project::{Project, run};
use std::error::Error;
use std::path::Path;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, project, out] = &arguments[..] else { return Err("give PROJECT.toml and OUT.bvh".into()) };
    let path = Path::new(project);
    let folder = path.parent().unwrap_or(Path::new("."));
    let outcome =
        run(&Project::from_toml(&std::fs::read_to_string(path)?, path)?, folder, &ReadOptions::default(), &arguments)?;
    for step in &outcome.steps {
        println!(
            "{} {}: {} frames, {:.3} s  {}",
            step.edit,
            step.verb,
            step.frames,
            step.duration_secs,
            step.notes.join("; ")
        );
    }
    let original = &outcome.original;
    let encoded =
        export::encode(Path::new(out), &outcome.clip, Some(original), original.frame(), &WriteOptions::default())?;
    export::save(&encoded, true)?;
    Ok(())
}
