//! `cut`, `join`, `transition`, `arc`, `tilt`, `travel`, `speed`: edits that know no physics, and make the motions that touch-up is for.

use super::{CommonArgs, SpanArgs, length, not_negative};
use crate::args::{number, positive};
use crate::outcome::{Outcome, Printing};
use aplomb_editing::span::Span;
use aplomb_editing::tilt::Tilt;
use aplomb_editing::travel::Travel;
use aplomb_motion::edit::Join;
use aplomb_project::Edit;
use aplomb_project::edit::{ArcEdit, CutEdit, JoinEdit, SpeedEdit, TransitionEdit};
use clap::ValueEnum;
use std::path::PathBuf;

/// Options of `cut`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  \
    aplomb cut take.bvh -o step.bvh --from 1.5 --to 3     seconds 1.5 to 3\n  \
    aplomb cut take.bvh -o end.bvh --from 10              from second 10 on\n  \
    aplomb cut builtin:run -o stride.bvh --to 0.7")]
pub struct CutArgs {
    /// Motion file, or builtin:NAME
    clip: PathBuf,
    /// First second that is kept; the start if not given
    #[arg(long, value_name = "SECS", value_parser = number, allow_negative_numbers = true)]
    from: Option<f64>,
    /// The first second that is not; everything if not given
    #[arg(long, value_name = "SECS", value_parser = number, allow_negative_numbers = true, required_unless_present = "from")]
    to: Option<f64>,
    #[command(flatten)]
    common: CommonArgs,
}

impl CutArgs {
    /// Keeps a part.
    pub fn run(&self, print: Printing) -> Outcome {
        let edit = Edit::Cut(CutEdit { from_secs: self.from, to_secs: self.to });
        self.common.make(&self.clip, vec![edit], print)
    }
}

/// Options of `join`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  \
    aplomb join a.bvh b.bvh c.bvh -o all.bvh              each goes on from where the body is\n  \
    aplomb join a.bvh b.bvh -o both.bvh --place as-is     each stays where it was\n\n\
    Nothing is blended at the joins; see `aplomb transition`. All clips need one skeleton and one rate.")]
pub struct JoinArgs {
    /// Motion files in their order, or builtin:NAME
    #[arg(required = true, num_args = 2.., value_name = "CLIP")]
    clips: Vec<PathBuf>,
    /// Where the next motion begins
    #[arg(long, value_name = "HOW", default_value = "continue")]
    place: Place,
    #[command(flatten)]
    common: CommonArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Place {
    /// From where the body is
    Continue,
    /// Where it was
    AsIs,
}

impl JoinArgs {
    /// Puts motions one after the other.
    pub fn run(&self, print: Printing) -> Outcome {
        let Some((first, others)) = self.clips.split_first() else { return Outcome::WrongUsage };
        let place = match self.place {
            Place::Continue => Join::Continue,
            Place::AsIs => Join::AsIs,
        };
        let edit = Edit::Join(JoinEdit { clips: others.to_vec(), place });
        self.common.make(first, vec![edit], print)
    }
}

/// Options of `transition`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  \
    aplomb transition walk.bvh jog.bvh --from 2 --to 2.6 -o both.bvh\n  \
    aplomb transition builtin:walk builtin:run --from 1.2 --to 1.7 -o faster.bvh\n  \
    aplomb touchup faster.bvh -o leaning.bvh              the body now leans into the change\n\n\
    Both clips need one skeleton and one rate.")]
pub struct TransitionArgs {
    /// The motion that gives way: a file, or builtin:NAME
    clip: PathBuf,
    /// The motion that takes over
    into: PathBuf,
    /// The first begins to give way, in its own seconds
    #[arg(long, value_name = "SECS", value_parser = number, allow_negative_numbers = true)]
    from: f64,
    /// The second has taken over, in seconds of the first
    #[arg(long, value_name = "SECS", value_parser = number, allow_negative_numbers = true)]
    to: f64,
    /// Second of the second motion that meets --from; where poses fit best if not given
    #[arg(long, value_name = "SECS", value_parser = number, allow_negative_numbers = true)]
    into_at: Option<f64>,
    #[command(flatten)]
    common: CommonArgs,
}

impl TransitionArgs {
    /// Goes over from one motion into another.
    pub fn run(&self, print: Printing) -> Outcome {
        let edit =
            TransitionEdit { into: self.into.clone(), from_secs: self.from, to_secs: self.to, into_secs: self.into_at };
        self.common.make(&self.clip, vec![Edit::Transition(edit)], print)
    }
}

/// Options of `arc`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  \
    aplomb arc walk.bvh --radius 3 --side left -o bent.bvh\n  \
    aplomb arc walk.bvh --radius 3 --side right --from 1 --to 2.5 --ease 0.3 -o bent.bvh\n  \
    aplomb touchup bent.bvh -o leaning.bvh                the body now leans into the bend")]
pub struct ArcArgs {
    /// Motion file, or builtin:NAME
    clip: PathBuf,
    /// Radius of the circle that the way is bent onto
    #[arg(long, value_name = "M", value_parser = length, allow_negative_numbers = true)]
    radius: f64,
    /// Which way it bends, seen along the way
    #[arg(long, value_name = "SIDE")]
    side: SideArg,
    /// Bend from where the body is at this second …
    #[arg(long, value_name = "SECS", value_parser = number, allow_negative_numbers = true, conflicts_with_all = ["lead_in", "length"])]
    from: Option<f64>,
    /// … to where it is at this one
    #[arg(long, value_name = "SECS", value_parser = number, allow_negative_numbers = true, conflicts_with_all = ["lead_in", "length"])]
    to: Option<f64>,
    /// Or: so many metres stay straight first …
    #[arg(long, value_name = "M", value_parser = not_negative, allow_negative_numbers = true)]
    lead_in: Option<f64>,
    /// … and so many are bent
    #[arg(long, value_name = "M", value_parser = length, allow_negative_numbers = true)]
    length: Option<f64>,
    /// The curvature rises and falls over so many metres
    #[arg(long, value_name = "M", value_parser = not_negative, default_value = "0", allow_negative_numbers = true)]
    ease: f64,
    #[command(flatten)]
    common: CommonArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum SideArg {
    /// To the left
    Left,
    /// To the right
    Right,
}

impl ArcArgs {
    /// Bends the way.
    pub fn run(&self, print: Printing) -> Outcome {
        let edit = ArcEdit {
            radius_m: self.radius,
            side: match self.side {
                SideArg::Left => aplomb_motion::Side::Left,
                SideArg::Right => aplomb_motion::Side::Right,
            },
            lead_in_m: self.lead_in,
            length_m: self.length,
            ease_m: self.ease,
            from_secs: self.from,
            to_secs: self.to,
        };
        self.common.make(&self.clip, vec![Edit::Arc(edit)], print)
    }
}

/// Options of `tilt`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  \
    aplomb tilt walk.bvh --angle 8 -o uphill.bvh\n  \
    aplomb touchup uphill.bvh --slope 8 -o climbing.bvh   the body now leans into the hill\n  \
    aplomb tilt bow.bvh --angle 5 --heading 90 -o out.bvh what does not travel needs a heading")]
pub struct TiltArgs {
    /// Motion file, or builtin:NAME
    clip: PathBuf,
    /// Uphill along the way; negative is downhill
    #[arg(long, value_name = "DEG", value_parser = number, allow_negative_numbers = true)]
    angle: f64,
    /// Way up, instead of the way that the motion travels: 0 is +Z, 90 is +X
    #[arg(long, value_name = "DEG", value_parser = number, allow_negative_numbers = true)]
    heading: Option<f64>,
    /// Height of the ground that is tilted
    #[arg(long, value_name = "M", value_parser = number, default_value = "0", allow_negative_numbers = true)]
    ground_height: f64,
    #[command(flatten)]
    common: CommonArgs,
}

impl TiltArgs {
    /// Turns the whole motion against gravity.
    pub fn run(&self, print: Printing) -> Outcome {
        let edit = Tilt { angle_deg: self.angle, heading_deg: self.heading, ground_height_m: self.ground_height };
        self.common.make(&self.clip, vec![Edit::Tilt(edit)], print)
    }
}

/// Options of `travel`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  \
    aplomb travel horse.bvh --cycles 6 -o going.bvh        a cycle on the spot, six times, over the ground\n  \
    aplomb path going.bvh --follow arc:radius=3,side=left -o round.bvh\n  \
    aplomb travel treadmill.bvh --speed 1.4 -o walk.bvh    where the belt's speed is known")]
pub struct TravelArgs {
    /// Motion file, or builtin:NAME
    clip: PathBuf,
    /// Play the motion so many times, one after the other
    #[arg(long, value_name = "N", default_value = "1")]
    cycles: usize,
    /// Speed over the ground in m/s; as fast as feet go back if not given
    #[arg(long, value_name = "SPEED", value_parser = positive, allow_negative_numbers = true)]
    speed: Option<f64>,
    #[command(flatten)]
    common: CommonArgs,
}

impl TravelArgs {
    /// Gives the motion its way.
    pub fn run(&self, print: Printing) -> Outcome {
        let edit = Travel { speed: self.speed, cycles: self.cycles };
        self.common.make(&self.clip, vec![Edit::Travel(edit)], print)
    }
}

/// Options of `speed`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  \
    aplomb speed walk.bvh --factor 1.5 -o brisk.bvh\n  \
    aplomb speed take.bvh --factor 0.5 --from 2 --to 3 --ease 0.2 -o slow.bvh")]
pub struct SpeedArgs {
    /// Motion file, or builtin:NAME
    clip: PathBuf,
    /// So many times as fast
    #[arg(long, value_name = "FACTOR", value_parser = positive, allow_negative_numbers = true)]
    factor: f64,
    #[command(flatten)]
    span: SpanArgs,
    #[command(flatten)]
    common: CommonArgs,
}

impl SpeedArgs {
    /// Plays faster or slower.
    pub fn run(&self, print: Printing) -> Outcome {
        let SpanArgs { from, to, ease } = self.span;
        let ease_secs = ease.unwrap_or(Span::default().ease_secs);
        let edit = SpeedEdit { factor: self.factor, from_secs: from, to_secs: to, ease_secs };
        self.common.make(&self.clip, vec![Edit::Speed(edit)], print)
    }
}
