//! Draws every built-in clip: `cargo run --release -p aplomb-builtins --example strips -- DIR [NAME …]`.

use aplomb_render::{Strip, Subject, View};
use std::error::Error;
use std::path::PathBuf;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let folder = PathBuf::from(arguments.next().ok_or("give a folder for the pictures")?);
    let asked: Vec<String> = arguments.collect();
    std::fs::create_dir_all(&folder)?;
    for (name, description) in aplomb_builtins::NAMES {
        if !asked.is_empty() && !asked.iter().any(|asked| asked == name) {
            continue;
        }
        let clip = aplomb_builtins::clip(name)?;
        let title = format!("{name}: {description}");
        let mut strip = Strip::new(Subject::new(&clip, &title));
        strip.views = vec![View::Side, View::Top, View::Front];
        std::fs::write(folder.join(format!("{name}.png")), strip.draw()?.to_png(1.0)?)?;
    }
    Ok(())
}
