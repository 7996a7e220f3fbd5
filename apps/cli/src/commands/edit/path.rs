//! `path`: the way of a motion as a curve with handles.

use super::{CommonArgs, SpanArgs, UnfitArgs, length, not_negative, path_text};
use crate::args::number;
use crate::outcome::{ErrorReport, Outcome, Printing, print_json, print_line, say_error};
use aplomb_editing::arc::Arc;
use aplomb_editing::path::{JumpHeight, Timing};
use aplomb_formats::FileKind;
use aplomb_motion::Side;
use aplomb_project::edit::{Follow, FollowCurve, PathChange, PathEdit, list_handles, read_path_edit};
use aplomb_project::{Edit, RunRequest};
use glam::DVec3;
use std::path::{Path, PathBuf};

/// Options of `path`.
#[derive(Debug, clap::Args)]
#[command(
    mut_arg("out", |arg| arg.required_unless_present_any(["dry_run", "list_handles"])),
    after_help = "Examples:\n  \
    aplomb path walk.bvh --list-handles                       what can be taken hold of\n  \
    aplomb path walk.bvh --move 3:0.4,0,0 --move 4:0.4,0,0 -o aside.bvh\n  \
    aplomb path jump.bvh --jump 0:height=1.4 -o higher.bvh    1.4 times as high; height=0.6m is in metres\n  \
    aplomb path walk.bvh --stairs --move 3:0,0.17,0 --move 4:0,0.34,0 -o climbing.bvh\n  \
    aplomb path walk.bvh --align turn.bvh -o turning.bvh      the matching steps, on the path of the other\n  \
    aplomb path walk.bvh --follow arc:radius=2,side=left -o bent.bvh\n  \
    aplomb path walk.bvh --follow way.svg --scale 0.01 --from-start -o drawn.bvh\n  \
    aplomb path walk.bvh --edit moves.toml -o out.bvh         the same as data (docs/project.md)\n\n\
    Metres, Y up; a curve is seen from above, x to the right and z down the page.\n\
    Exit code 3: written, but legs are too short and some feet stay away from their places, or the motion tears: a joint jumps."
)]
pub struct PathArgs {
    /// Motion file, or builtin:NAME
    clip: PathBuf,
    /// Show handles and flights, and write nothing
    #[arg(long, conflicts_with_all = ["moves", "jumps", "follow", "align", "stairs", "timing"])]
    list_handles: bool,
    /// Move a handle by so many metres; may be given again
    #[arg(long = "move", value_name = "H:DX,DY,DZ", value_parser = moved, allow_hyphen_values = true)]
    moves: Vec<PathChange>,
    /// Change the height of a flight: times what it is, or metres with an m
    #[arg(long = "jump", value_name = "F:height=H", value_parser = jump, allow_hyphen_values = true)]
    jumps: Vec<PathChange>,
    /// Moves and options as data; those of the command line are added
    #[arg(long, value_name = "FILE.toml")]
    edit: Option<PathBuf>,
    /// Feet rise with the path: stairs, ledges, slopes. With --move 3:0,0.17,0 step 3 and the feet there go up by 17 cm
    #[arg(long)]
    stairs: bool,
    /// Let the change of heights run smoothly through handles, instead of level
    #[arg(long)]
    smooth_heights: bool,
    /// Take the path of another motion, where the same feet step
    #[arg(long, value_name = "CLIP", conflicts_with = "follow")]
    align: Option<PathBuf>,
    /// Bend all of the motion onto a curve of the ground
    #[arg(long, value_name = "arc:radius=R,side=SIDE|FILE.csv|FILE.svg|M…", value_parser = follow, allow_hyphen_values = true)]
    follow: Option<Follow>,
    /// With --follow: length of one unit of the drawing, in metres
    #[arg(long, value_name = "M", value_parser = length, requires = "follow", allow_negative_numbers = true)]
    scale: Option<f64>,
    /// With --follow: the curve begins where the motion does and goes its way
    #[arg(long, requires = "follow")]
    from_start: bool,
    /// With --follow: stretch the motion to the length of the curve
    #[arg(long, requires = "follow")]
    stretch: bool,
    /// Times of the result: by stride, turn and fall; by the paper's exponents; as they were; or times a factor [default: auto]
    #[arg(long, value_name = "auto|paper|keep|scale=F", value_parser = timing)]
    timing: Option<Timing>,
    /// Keep the keys at their uneven times instead of resampling (.glb only)
    #[arg(long)]
    keep_keys: bool,
    /// Contact file; it wins over what is found
    #[arg(long, value_name = "FILE.toml")]
    contacts: Option<PathBuf>,
    #[command(flatten)]
    span: SpanArgs,
    #[command(flatten)]
    unfit: UnfitArgs,
    #[command(flatten)]
    common: CommonArgs,
}

impl PathArgs {
    /// Edits the path, or shows what can be edited.
    pub fn run(&self, print: Printing) -> Outcome {
        let why = "a path carries the whole body, and a part that stays behind would be torn off; edit a stretch of time with --from and --to";
        if let Some(refused) = self.unfit.refused(why) {
            return refused;
        }
        let edit = match self.edit() {
            Ok(edit) => edit,
            Err(message) => {
                say_error(&message);
                return Outcome::BadInput;
            }
        };
        if self.list_handles {
            return self.list(edit, print);
        }
        if !edit.asks_for_something() {
            say_error(
                "nothing to edit: give --move, --jump, --follow, --align, --timing scale=F or --edit; --list-handles shows what can be moved",
            );
            return Outcome::WrongUsage;
        }
        if let (true, Some(out)) = (edit.keep_keys, &self.common.output.out)
            && FileKind::from_path(out) != Some(FileKind::Glb)
        {
            say_error(&format!("{}: this format has one frame time; --keep-keys needs a .glb", out.display()));
            return Outcome::WrongUsage;
        }
        self.common.make(&self.clip, vec![Edit::Path(edit)], print)
    }

    /// What was typed, over what the file says.
    fn edit(&self) -> Result<PathEdit, String> {
        let mut edit = match &self.edit {
            Some(file) => read_path_edit(file).map_err(|error| error.to_string())?,
            None => PathEdit::default(),
        };
        edit.timing = self.timing.unwrap_or(edit.timing);
        edit.stairs |= self.stairs;
        edit.level_handles &= !self.smooth_heights;
        edit.keep_keys |= self.keep_keys;
        edit.align_to = self.align.clone().or(edit.align_to);
        edit.contacts = self.contacts.clone().or(edit.contacts);
        (edit.from_secs, edit.to_secs) = (self.span.from.or(edit.from_secs), self.span.to.or(edit.to_secs));
        edit.ease_secs = self.span.ease.unwrap_or(edit.ease_secs);
        if let Some(follow) = &self.follow {
            edit.follow = Some(follow.clone());
        }
        match &mut edit.follow {
            Some(Follow::Curve(curve)) => {
                curve.metres_per_unit = self.scale.unwrap_or(curve.metres_per_unit);
                curve.stretch |= self.stretch;
                curve.from_start |= self.from_start;
            }
            Some(Follow::Arc(_)) if self.scale.is_some() || self.stretch || self.from_start => {
                return Err("--scale, --stretch and --from-start are for curves; an arc begins where the motion does"
                    .to_owned());
            }
            _ => {}
        }
        edit.changes.extend(self.moves.iter().chain(&self.jumps));
        Ok(edit)
    }

    fn list(&self, edit: PathEdit, print: Printing) -> Outcome {
        let project = self.common.project(&self.clip, vec![Edit::Path(edit)]);
        match list_handles(
            &project,
            &RunRequest::quiet(Path::new(""), self.common.input.read_options(), Path::new("handles")),
        ) {
            Ok(list) if print.json => print_json(&list),
            Ok(list) => print_line(&path_text::list_text(&list)),
            Err(error) => {
                if print.json {
                    print_json(&serde_json::json!({ "schema": 1, "error": ErrorReport::from(&error) }));
                }
                say_error(&error.to_string());
                Outcome::BadInput
            }
        }
    }
}

/// `3:0.4,0,-1`.
fn moved(text: &str) -> Result<PathChange, String> {
    let expected = || format!("expected HANDLE:DX,DY,DZ in metres, found {text}");
    let (handle, by) = text.split_once(':').ok_or_else(expected)?;
    let handle = handle.trim().parse().map_err(|_| expected())?;
    let numbers: Vec<f64> = by.split(',').map(number).collect::<Result<_, _>>()?;
    let [x, y, z] = numbers[..] else { return Err(expected()) };
    Ok(PathChange::Move { handle, by_m: DVec3::new(x, y, z) })
}

/// `0:height=1.4`, `0:height=0.6m`.
fn jump(text: &str) -> Result<PathChange, String> {
    let expected = || format!("expected FLIGHT:height=1.4 (times what it is) or FLIGHT:height=0.6m, found {text}");
    let (flight, height) = text.split_once(':').ok_or_else(expected)?;
    let flight = flight.trim().parse().map_err(|_| expected())?;
    let height = height.trim().strip_prefix("height=").ok_or_else(expected)?;
    let height = match height.strip_suffix('m') {
        Some(metres) => JumpHeight::Metres(number(metres)?),
        None => JumpHeight::Times(number(height)?),
    };
    Ok(PathChange::Jump { flight, height })
}

/// `arc:radius=2,side=left`, a file, or the words of an SVG path.
fn follow(text: &str) -> Result<Follow, String> {
    if let Some(words) = text.strip_prefix("arc:") {
        return arc(words).map(Follow::Arc);
    }
    let ending = Path::new(text).extension().map(|ending| ending.to_string_lossy().to_ascii_lowercase());
    let is_svg_path = || {
        let mut letters = text.trim_start().chars();
        matches!(letters.next(), Some('M' | 'm')) && letters.next().is_some_and(|it| !it.is_alphabetic())
    };
    match ending.as_deref() {
        Some("csv" | "svg") => {
            Ok(Follow::Curve(FollowCurve { file: Some(PathBuf::from(text)), ..FollowCurve::default() }))
        }
        _ if is_svg_path() => Ok(Follow::Curve(FollowCurve { svg: Some(text.to_owned()), ..FollowCurve::default() })),
        _ => Err(format!(
            "expected arc:radius=2,side=left, a .csv or .svg file, or an SVG path such as \"M 0 0 C …\", found {text}"
        )),
    }
}

fn arc(words: &str) -> Result<Arc, String> {
    let mut arc = Arc::new(f64::NAN, Side::Left);
    let mut side = None;
    for word in words.split(',') {
        let (name, value) = word.split_once('=').ok_or_else(|| format!("expected NAME=VALUE, found {word}"))?;
        match name.trim() {
            "radius" => arc.radius_m = length(value)?,
            "side" => {
                side = Some(match value.trim() {
                    "left" => Side::Left,
                    "right" => Side::Right,
                    _ => return Err(format!("expected side=left or side=right, found {value}")),
                });
            }
            "lead-in" => arc.lead_in_m = Some(not_negative(value)?),
            "length" => arc.length_m = Some(length(value)?),
            "ease" => arc.ease_m = not_negative(value)?,
            other => return Err(format!("expected radius, side, lead-in, length or ease, found {other}")),
        }
    }
    arc.side = side.ok_or("an arc needs side=left or side=right")?;
    if arc.radius_m.is_nan() {
        return Err("an arc needs a radius in metres, radius=2".to_owned());
    }
    Ok(arc)
}

/// `auto`, `paper`, `keep`, `scale=1.2`.
fn timing(text: &str) -> Result<Timing, String> {
    match text.split_once('=') {
        None if text == "auto" => Ok(Timing::Auto),
        None if text == "paper" => Ok(Timing::Paper),
        None if text == "keep" => Ok(Timing::Keep),
        Some(("scale", factor)) => match number(factor)? {
            factor if (0.05..=20.0).contains(&factor) => Ok(Timing::Scale(factor)),
            _ => Err(format!("expected scale=0.05 to scale=20, found {text}")),
        },
        _ => Err(format!("expected auto, paper, keep or scale=1.2, found {text}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_and_jumps_as_people_type_them() {
        assert_eq!(moved("3:0.4,0,-1"), Ok(PathChange::Move { handle: 3, by_m: DVec3::new(0.4, 0.0, -1.0) }));
        assert_eq!(jump("0:height=1.4"), Ok(PathChange::Jump { flight: 0, height: JumpHeight::Times(1.4) }));
        assert_eq!(jump("1:height=0.6m"), Ok(PathChange::Jump { flight: 1, height: JumpHeight::Metres(0.6) }));
        for bad in ["3", "3:1,2", "x:1,2,3", "-1:0,0,0", "3:nan,0,0", "3:inf,0,0", "3:1,2,3,4"] {
            assert!(moved(bad).is_err(), "{bad}");
        }
        for bad in ["0", "0:1.4", "0:height=", "x:height=1", "0:height=high"] {
            assert!(jump(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn curves_and_times_as_people_type_them() {
        let Ok(Follow::Arc(arc)) = follow("arc:radius=2.5,side=right,ease=0.2") else { panic!("an arc") };
        assert_eq!((arc.radius_m, arc.side, arc.ease_m), (2.5, Side::Right, 0.2));
        assert!(matches!(follow("way.CSV"), Ok(Follow::Curve(FollowCurve { file: Some(_), .. }))));
        assert!(matches!(follow("M 0 0 L 1 1"), Ok(Follow::Curve(FollowCurve { svg: Some(_), .. }))));
        for bad in ["arc:radius=2", "arc:side=left", "arc:radius=-1,side=left", "arc:2", "way.txt", "Meadow"] {
            assert!(follow(bad).is_err(), "{bad}");
        }
        assert_eq!(timing("scale=1.5"), Ok(Timing::Scale(1.5)));
        assert!(timing("slow").is_err() && timing("scale=0").is_err());
        assert!(timing("scale=21").unwrap_err().contains("scale=20"));
    }
}
