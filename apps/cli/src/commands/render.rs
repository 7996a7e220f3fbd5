//! `aplomb render`: a picture to judge a motion by.

use crate::args::{InputArgs, number, positive};
use crate::outcome::{Outcome, Printing, print_json, print_line, say_diagnostics, say_error, say_note};
use aplomb_formats::{FormatError, Import, atomic};
use aplomb_motion::FrameIndex;
use aplomb_project::ProjectError;
use aplomb_project::edit::Slope;
use aplomb_project::verbs::slope;
use aplomb_render::{FrameSelection, Layout, Picture, RenderError, Strip, Subject, Theme, View};
use aplomb_words::in_flags;
use clap::ValueEnum;
use std::path::{Path, PathBuf};

/// Options of `render`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  \
    aplomb render walk.bvh -o walk.png                  side and top view, figures chosen to fit\n  \
    aplomb render jump.bvh -o jump.svg --strobe 0.1 --from 1 --to 2.5\n  \
    aplomb render before.bvh after.bvh -o both.png      one over the other, at the same times\n  \
    aplomb render uphill.bvh -o up.png --slope 8        on ground that rises by 8° along the way\n  \
    aplomb render walk.bvh -o a.png --frames 0,30,60 --view side,front --theme dark")]
pub struct Args {
    /// Clip to draw (BVH, AMC, TRC), or builtin:NAME
    clip: PathBuf,
    /// A second clip, drawn over the first at the same times
    after: Option<PathBuf>,
    /// Picture to write: .png or .svg
    #[arg(short, long, value_name = "FILE")]
    out: PathBuf,
    /// Draw these frames (from 0)
    #[arg(long, value_name = "A,B,…", value_delimiter = ',', conflicts_with = "strobe")]
    frames: Vec<usize>,
    /// Draw one figure every so many seconds
    #[arg(long, value_name = "SECS", value_parser = positive)]
    strobe: Option<f64>,
    /// Start of the part to draw, in seconds
    #[arg(long, value_name = "SECS", value_parser = number, allow_negative_numbers = true)]
    from: Option<f64>,
    /// End of the part to draw, in seconds
    #[arg(long, value_name = "SECS", value_parser = number, allow_negative_numbers = true)]
    to: Option<f64>,
    /// Views, from top to bottom
    #[arg(long, value_name = "VIEW,…", value_delimiter = ',', default_value = "side,top")]
    view: Vec<ViewArg>,
    /// Where the figures stand: as they were, or side by side
    #[arg(long, value_name = "HOW", default_value = "auto")]
    layout: LayoutArg,
    /// Ground that is not level: degrees uphill along the way, or its normal; drawn below the figures
    #[arg(long, value_name = "DEG|X,Y,Z", value_parser = slope, allow_hyphen_values = true)]
    slope: Option<Slope>,
    /// Colours
    #[arg(long, default_value = "light")]
    theme: ThemeArg,
    /// Width of the picture in pixels
    #[arg(long, value_name = "PX", default_value_t = 1600, value_parser = clap::value_parser!(u32).range(400..=8000))]
    width: u32,
    /// Replace an existing picture
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    input: InputArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum ViewArg {
    /// From the side of the motion
    Side,
    /// From above
    Top,
    /// From ahead
    Front,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum LayoutArg {
    /// In place if the motion travels, else side by side
    Auto,
    /// At their true positions
    InPlace,
    /// Side by side in the order of time
    Sequence,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum ThemeArg {
    /// Dark on light
    Light,
    /// Light on dark
    Dark,
}

/// Why no picture was made.
#[derive(Debug)]
enum Failure {
    Project(ProjectError),
    Render(RenderError),
    Usage(String),
}

impl From<FormatError> for Failure {
    fn from(error: FormatError) -> Self {
        Self::Project(ProjectError::Format(error))
    }
}

impl From<ProjectError> for Failure {
    fn from(error: ProjectError) -> Self {
        Self::Project(error)
    }
}

impl From<RenderError> for Failure {
    fn from(error: RenderError) -> Self {
        Self::Render(error)
    }
}

/// Draws and writes the picture.
pub fn run(args: &Args, print: Printing) -> Outcome {
    match draw_and_write(args, print) {
        Ok(picture) if print.json => print_json(&serde_json::json!({
            "schema": 1,
            "file": args.out.display().to_string(),
            "width_px": picture.width,
            "height_px": picture.height,
            "figures": picture.figures,
            "notes": picture.notes,
        })),
        Ok(_) if print.quiet => Outcome::Done,
        Ok(picture) => print_line(&format!(
            "{}: {} figures, {} × {} pixels",
            args.out.display(),
            picture.figures,
            picture.width,
            picture.height
        )),
        Err(Failure::Project(error)) => fail(&in_flags(&error), Outcome::BadInput),
        Err(Failure::Render(error)) => fail(&format!("{}: {error}", args.clip.display()), Outcome::BadInput),
        Err(Failure::Usage(message)) => fail(&message, Outcome::WrongUsage),
    }
}

fn fail(message: &str, outcome: Outcome) -> Outcome {
    say_error(message);
    outcome
}

fn draw_and_write(args: &Args, print: Printing) -> Result<Picture, Failure> {
    let as_png = wants_png(&args.out)?;
    atomic::refuse_existing(&args.out, args.force)?;
    let read = |path: &PathBuf| -> Result<Import, ProjectError> {
        let import = args.input.load(path)?;
        if !print.json {
            say_diagnostics(path, &import.diagnostics, print);
            args.input.kept_rate(&import).iter().for_each(|note| say_note(path, note, print));
        }
        Ok(import)
    };
    let before = read(&args.clip)?;
    let after = args.after.as_ref().map(read).transpose()?;
    let (before_name, after_name) = (file_name(&args.clip), args.after.as_deref().map(file_name));
    let mut strip = Strip::new(Subject { clip: &before.clip, name: &before_name, roles: Some(&before.roles) });
    if let (Some(import), Some(name)) = (&after, &after_name) {
        strip.after = Some(Subject { clip: &import.clip, name, roles: Some(&import.roles) });
    }
    strip.views = args.view.iter().map(|&view| View::from(view)).collect();
    strip.frames = match args.strobe {
        Some(secs) => FrameSelection::Strobe { secs },
        None if args.frames.is_empty() => FrameSelection::Auto,
        None => FrameSelection::Frames(args.frames.iter().copied().map(FrameIndex).collect()),
    };
    (strip.from_secs, strip.to_secs) = (args.from, args.to);
    strip.width_px = args.width;
    strip.layout = match args.layout {
        LayoutArg::Auto => Layout::Auto,
        LayoutArg::InPlace => Layout::InPlace,
        LayoutArg::Sequence => Layout::Sequence,
    };
    strip.theme = match args.theme {
        ThemeArg::Light => Theme::Light,
        ThemeArg::Dark => Theme::Dark,
    };
    let normal = args.slope.map(|slope| slope.normal(&before.clip)).transpose();
    strip.ground_normal = normal.map_err(|error| Failure::Usage(in_flags(&error)))?;
    let picture = strip.draw()?;
    if as_png {
        atomic::write(&args.out, &picture.to_png(1.0)?, args.force)?;
    } else {
        atomic::write(&args.out, picture.svg.as_bytes(), args.force)?;
    }
    Ok(picture)
}

impl From<ViewArg> for View {
    fn from(view: ViewArg) -> Self {
        match view {
            ViewArg::Side => View::Side,
            ViewArg::Top => View::Top,
            ViewArg::Front => View::Front,
        }
    }
}

fn wants_png(path: &Path) -> Result<bool, Failure> {
    let extension = path.extension().map(|extension| extension.to_ascii_lowercase());
    match extension.as_ref().and_then(|extension| extension.to_str()) {
        Some("png") => Ok(true),
        Some("svg") => Ok(false),
        _ => Err(Failure::Usage(format!("{}: name the picture .png or .svg", path.display()))),
    }
}

fn file_name(path: &Path) -> String {
    path.file_name().map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into_owned())
}
