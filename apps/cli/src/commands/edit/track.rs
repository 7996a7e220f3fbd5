//! `track` and `reach`: motions played by driven bodies, and hands that are somewhere at a moment.

use super::{CommonArgs, not_negative};
use crate::args::{number, positive};
use crate::outcome::{Outcome, Printing, say_error};
use aplomb_editing::reach::{HandGoal, HandPoint};
use aplomb_editing::track::{Figure, Interpolation, LegGains, Lower, Stance};
use aplomb_motion::Side;
use aplomb_project::Edit;
use aplomb_project::edit::{
    AutoWord, DampingChoice, PaperWord, ReachEdit, StiffnessChoice, TrackEdit, read_character, read_scene,
};
use glam::DVec3;
use std::path::PathBuf;

/// Options of `track`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  \
    aplomb track wave.bvh -o tracked.bvh --html tracked.html\n  \
    aplomb track wave.bvh --character child -o child.bvh      or alien, or a table in a file\n  \
    aplomb track wave.bvh --stiffness auto -o tracked.bvh     as stiff as smooth hands allow\n  \
    aplomb track person.bvh --orientations trackers.csv -o played.bvh\n  \
    aplomb track drum.bvh --scene drum.toml -o drumming.bvh   things that hands strike\n  \
    aplomb run sample:drumming -o drumming.bvh                the same from the samples\n\n\
    Others of a scene are written beside the output, as OUT.NAME.bvh. docs/algorithms/track.md says what scenes and\n\
    characters hold.\n\
    Exit code 3: written, but the body falls, or a hand does not get where it should.")]
pub struct TrackArgs {
    /// Motion file, or builtin:NAME
    clip: PathBuf,
    /// Stiffness of the servos over the inertia they move, in s⁻², or auto [default: 4000]
    #[arg(long, value_name = "auto|S", value_parser = stiffness)]
    stiffness: Option<StiffnessChoice>,
    /// Damping: a share of critical damping, or the paper's tenth of the stiffness [default: 1]
    #[arg(long, value_name = "paper|ZETA", value_parser = damping)]
    damping: Option<DampingChoice>,
    /// Damp towards the wanted rate instead of towards rest: less lag, more overshoot
    #[arg(long)]
    rate_error: bool,
    /// Which joints are driven [default: upper]
    #[arg(long, value_name = "FIGURE")]
    figure: Option<FigureArg>,
    /// Legs of the full figure: keep their first pose, or do what was captured [default: hold]
    #[arg(long, value_name = "STANCE")]
    stance: Option<StanceArg>,
    /// Stiffness of hip, knee and ankle of the full figure, in N·m/rad
    #[arg(long, value_name = "HIP,KNEE,ANKLE", value_parser = legs)]
    legs: Option<LegGains>,
    /// Pelvis and legs under an upper body [default: follow]
    #[arg(long, value_name = "LOWER")]
    lower: Option<LowerArg>,
    /// Whose body: adult, child, alien, or a file
    #[arg(long, value_name = "NAME|FILE.toml")]
    character: Option<PathBuf>,
    /// World orientations of segments instead of the clip's motion: time, segment, x, y, z, w
    #[arg(long, value_name = "FILE.csv", conflicts_with = "scene")]
    orientations: Option<PathBuf>,
    /// Markers of the same take, to see whose speed the hands have: C3D or TRC
    #[arg(long, value_name = "FILE")]
    markers: Option<PathBuf>,
    /// Go from sample to sample along great circles instead of by cubics
    #[arg(long)]
    slerp: bool,
    /// Who and what else is there, what may touch, which controllers help
    #[arg(long, value_name = "FILE.toml")]
    scene: Option<PathBuf>,
    /// Steps a second [default: 480]
    #[arg(long, value_name = "HZ", value_parser = positive)]
    hz: Option<f64>,
    /// Explicit servos, which need short steps: to see that both come to the same
    #[arg(long)]
    explicit: bool,
    #[command(flatten)]
    common: CommonArgs,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum FigureArg {
    /// Waist, chest, head and arms on a held pelvis: 27 degrees of freedom
    Upper,
    /// The same with a back of one piece: 24
    UpperStiffBack,
    /// All of the body on its feet: 48 and a free pelvis
    Full,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum StanceArg {
    /// Keep the pose they start with
    Hold,
    /// Do what they did
    Captured,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum LowerArg {
    /// As late and as smooth as the arms
    Follow,
    /// As captured
    Captured,
    /// Still
    Held,
}

impl TrackArgs {
    /// Plays the motion.
    pub fn run(&self, print: Printing) -> Outcome {
        match self.edit() {
            Ok(edit) => self.common.make(&self.clip, vec![Edit::Track(edit)], print),
            Err(message) => {
                say_error(&message);
                Outcome::BadInput
            }
        }
    }

    fn edit(&self) -> Result<TrackEdit, String> {
        let usual = TrackEdit::default();
        let scene = self.scene.as_deref().map(read_scene).transpose().map_err(|error| error.to_string())?;
        let character = self.character.as_deref().map(read_character).transpose().map_err(|error| error.to_string())?;
        Ok(TrackEdit {
            stiffness: self.stiffness.unwrap_or(usual.stiffness),
            damping: self.damping.unwrap_or(usual.damping),
            rate_error: self.rate_error,
            figure: match self.figure {
                Some(FigureArg::Upper) | None => Figure::Upper,
                Some(FigureArg::UpperStiffBack) => Figure::UpperStiffBack,
                Some(FigureArg::Full) => Figure::Full,
            },
            stance: match self.stance {
                Some(StanceArg::Hold) | None => Stance::Hold,
                Some(StanceArg::Captured) => Stance::Captured,
            },
            lower: match self.lower {
                Some(LowerArg::Follow) | None => Lower::Follow,
                Some(LowerArg::Captured) => Lower::Captured,
                Some(LowerArg::Held) => Lower::Held,
            },
            interpolation: if self.slerp { Interpolation::Slerp } else { Interpolation::Cubic },
            hz: self.hz.unwrap_or(usual.hz),
            explicit: self.explicit,
            legs: self.legs,
            character,
            orientations: self.orientations.clone(),
            markers: self.markers.clone(),
            scene,
        })
    }
}

/// Options of `reach`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  \
    aplomb reach wave.bvh --hand right --at 2.4 --to -0.3,1.4,0.5 -o touching.bvh\n  \
    aplomb reach wave.bvh --hand left --at 1 --to 0.3,1.2,0.4 --window 0.6 --of wrist -o touching.bvh\n\n\
    Metres, Y up. The hand keeps its orientation; shoulder, elbow and wrist are turned.\n\
    Exit code 3: written, but the hand stays more than 5 mm away.")]
pub struct ReachArgs {
    /// Motion file, or builtin:NAME
    clip: PathBuf,
    /// Which hand
    #[arg(long, value_name = "SIDE")]
    hand: HandArg,
    /// When it is there, in seconds
    #[arg(long, value_name = "SECS", value_parser = not_negative)]
    at: f64,
    /// Where
    #[arg(long, value_name = "X,Y,Z", value_parser = point, allow_hyphen_values = true)]
    to: DVec3,
    /// The arm leaves its motion so long before, and is back so long after
    #[arg(long, value_name = "SECS", value_parser = positive, default_value_t = HandGoal::USUAL_WINDOW_SECS)]
    window: f64,
    /// What of the hand goes there [default: palm]
    #[arg(long, value_name = "PART")]
    of: Option<OfArg>,
    #[command(flatten)]
    common: CommonArgs,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum HandArg {
    /// The left one
    Left,
    /// The right one
    Right,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum OfArg {
    /// The middle of the hand
    Palm,
    /// The wrist
    Wrist,
}

impl ReachArgs {
    /// Puts the hand there.
    pub fn run(&self, print: Printing) -> Outcome {
        let goal = HandGoal {
            hand: match self.hand {
                HandArg::Left => Side::Left,
                HandArg::Right => Side::Right,
            },
            at_secs: self.at,
            to_m: self.to,
            window_secs: self.window,
            point: match self.of {
                Some(OfArg::Palm) | None => HandPoint::Palm,
                Some(OfArg::Wrist) => HandPoint::Wrist,
            },
        };
        self.common.make(&self.clip, vec![Edit::Reach(ReachEdit(goal))], print)
    }
}

fn stiffness(text: &str) -> Result<StiffnessChoice, String> {
    match text {
        "auto" => Ok(StiffnessChoice::Word(AutoWord::Auto)),
        _ => positive(text).map(StiffnessChoice::Given).map_err(|error| format!("{error}; or auto")),
    }
}

fn damping(text: &str) -> Result<DampingChoice, String> {
    match text {
        "paper" => Ok(DampingChoice::Word(PaperWord::Paper)),
        _ => not_negative(text).map(DampingChoice::Ratio).map_err(|error| format!("{error}; or paper")),
    }
}

fn legs(text: &str) -> Result<LegGains, String> {
    let numbers: Vec<f64> = text.split(',').map(not_negative).collect::<Result<_, _>>()?;
    match numbers[..] {
        [hip, knee, ankle] => Ok(LegGains { hip, knee, ankle }),
        _ => Err(format!("expected HIP,KNEE,ANKLE in N·m/rad, found {text}")),
    }
}

fn point(text: &str) -> Result<DVec3, String> {
    let numbers: Vec<f64> = text.split(',').map(number).collect::<Result<_, _>>()?;
    match numbers[..] {
        [x, y, z] => Ok(DVec3::new(x, y, z)),
        _ => Err(format!("expected X,Y,Z in metres, found {text}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_words_as_people_type_them() {
        assert_eq!(stiffness("auto"), Ok(StiffnessChoice::Word(AutoWord::Auto)));
        assert_eq!(stiffness("2500"), Ok(StiffnessChoice::Given(2500.0)));
        assert!(stiffness("-1").is_err() && stiffness("stiff").is_err() && stiffness("nan").is_err());
        assert_eq!(damping("0.7"), Ok(DampingChoice::Ratio(0.7)));
        assert_eq!(damping("paper"), Ok(DampingChoice::Word(PaperWord::Paper)));
        assert_eq!(point("-0.3,1.4,0.5"), Ok(DVec3::new(-0.3, 1.4, 0.5)));
        assert!(point("1,2").is_err() && point("1,2,inf").is_err());
        assert_eq!(legs("1500,1500,1200"), Ok(LegGains::ADULT));
    }
}
