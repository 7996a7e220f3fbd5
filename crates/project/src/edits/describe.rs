//! An edit in words, for receipts and pages.

use super::blend::BlendEdit;
use super::edit::Edit;
use super::kinematic::{ArcEdit, CutEdit, JoinEdit, SpeedEdit, TransitionEdit};
use super::path::{Follow, PathChange, PathEdit};
use super::plant::PlantEdit;
use super::reach::ReachEdit;
use super::slope::Slope;
use super::touchup::TouchupEdit;
use super::track::TrackEdit;
use aplomb_editing::path::{JumpHeight, Timing};
use aplomb_editing::short_number;
use aplomb_editing::tilt::Tilt;
use aplomb_editing::touchup::{Stage, TouchupOptions};
use aplomb_editing::travel::Travel;
use glam::DVec3;
use std::path::Path;

impl Edit {
    /// As part of a sentence: "bent to the left with a radius of 2 m".
    pub fn in_words(&self) -> String {
        match self {
            Edit::Cut(CutEdit { from_secs, to_secs }) => format!("cut{}", span(*from_secs, *to_secs)),
            Edit::Join(JoinEdit { clips, .. }) => {
                let names: Vec<String> = clips.iter().map(|path| name(path)).collect();
                format!("joined with {}", names.join(" and "))
            }
            Edit::Speed(SpeedEdit { factor, from_secs, to_secs, .. }) => {
                format!("played {} times as fast{}", short_number(*factor), span(*from_secs, *to_secs))
            }
            Edit::Arc(ArcEdit { radius_m, side, lead_in_m, length_m, from_secs, to_secs, .. }) => {
                let straight = lead_in_m.map_or_else(String::new, |metres| format!(" after {metres} m"));
                let length = length_m.map_or_else(String::new, |metres| format!(" over {metres} m"));
                let when = span(*from_secs, *to_secs);
                format!("bent to the {side} with a radius of {radius_m} m{straight}{length}{when}")
            }
            Edit::Tilt(Tilt { angle_deg, .. }) if *angle_deg < 0.0 => format!("tilted downhill by {}°", -angle_deg),
            Edit::Tilt(Tilt { angle_deg, .. }) => format!("tilted uphill by {angle_deg}°"),
            Edit::Travel(Travel { speed, cycles }) => {
                let speed =
                    speed.map_or("as fast as its feet go back".to_owned(), |it| format!("at {} m/s", short_number(it)));
                match cycles {
                    1 => format!("carried on {speed}"),
                    cycles => format!("played {cycles} times and carried on {speed}"),
                }
            }
            Edit::Transition(TransitionEdit { into, from_secs, to_secs, .. }) => {
                format!("blended into {} from {} to {} s", name(into), short_number(*from_secs), short_number(*to_secs))
            }
            Edit::Path(path) => path.in_words(),
            Edit::Touchup(touchup) => touchup.in_words(),
            Edit::Blend(blend) => blend.in_words(),
            Edit::Adapt(adapt) => adapt.in_words(),
            Edit::Track(track) => track.in_words(),
            Edit::Reach(ReachEdit(goal)) => format!(
                "the {} hand put at {}, {}, {} m at {} s",
                goal.hand,
                short_number(goal.to_m.x),
                short_number(goal.to_m.y),
                short_number(goal.to_m.z),
                short_number(goal.at_secs)
            ),
            Edit::Plant(PlantEdit { slope, from_secs, to_secs, joints, .. }) => {
                format!("feet planted{}{}{}", ground(*slope), span(*from_secs, *to_secs), parts(joints))
            }
        }
    }
}

impl PathEdit {
    fn in_words(&self) -> String {
        let mut parts = Vec::new();
        match &self.follow {
            Some(Follow::Arc(arc)) => {
                let radius = short_number(arc.radius_m);
                parts.push(format!("bent to the {} along a circle with a radius of {radius} m", arc.side));
            }
            Some(Follow::Curve(curve)) => parts.push(match &curve.file {
                Some(file) => format!("bent along the curve of {}", name(file)),
                None => "bent along a drawn curve".to_owned(),
            }),
            None => {}
        }
        parts.extend(self.align_to.iter().map(|path| format!("put on the path of {}", name(path))));
        let moves = self.changes.iter().filter_map(|change| match change {
            PathChange::Move { handle, by_m } => Some((handle, by_m)),
            PathChange::Jump { .. } => None,
        });
        let moves: Vec<(&usize, &DVec3)> = moves.collect();
        match moves[..] {
            [] => {}
            [(handle, by_m)] => {
                let [x, y, z] = by_m.to_array().map(short_number);
                parts.push(format!("handle {handle} of its path moved by {x}, {y}, {z} m"));
            }
            _ => parts.push(format!("{} handles of its path moved", moves.len())),
        }
        for change in &self.changes {
            match *change {
                PathChange::Jump { flight, height: JumpHeight::Times(times) } => {
                    parts.push(format!("flight {flight} made {} times as high", short_number(times)));
                }
                PathChange::Jump { flight, height: JumpHeight::Metres(height_m) } => {
                    parts.push(format!("flight {flight} made {} m high", short_number(height_m)));
                }
                PathChange::Move { .. } => {}
            }
        }
        if parts.is_empty() {
            parts.push("its path left as it is".to_owned());
        }
        let stairs = if self.stairs { ", feet rising with the path" } else { "" };
        let timing = match self.timing {
            Timing::Auto => String::new(),
            Timing::Paper => ", timed by the paper's exponents".to_owned(),
            Timing::Keep => ", times kept".to_owned(),
            Timing::Scale(factor) => format!(", taking {} times as long", short_number(factor)),
        };
        format!("{}{stairs}{timing}", parts.join(" and "))
    }
}

impl TrackEdit {
    fn in_words(&self) -> String {
        use aplomb_editing::track::Figure;
        use aplomb_editing::track::scene_file::CharacterChoice;
        let what = match self.figure {
            Figure::Upper | Figure::UpperStiffBack => "played by a driven upper body",
            Figure::Full => "played by a driven body on its feet",
        };
        let who = match &self.character {
            None => String::new(),
            Some(CharacterChoice::Named(base)) => {
                format!(" of another character ({})", format!("{base:?}").to_lowercase())
            }
            Some(CharacterChoice::Table(_)) => " of another character".to_owned(),
        };
        let scene = self.scene.as_ref().map_or_else(String::new, |scene| {
            let mut parts: Vec<String> = scene.characters.iter().map(|it| it.name.clone()).collect();
            parts.extend(scene.props.iter().map(|it| it.name.clone()));
            let with = if parts.is_empty() { String::new() } else { format!(" with {}", parts.join(" and ")) };
            let pace = if scene.speed == 1.0 {
                String::new()
            } else {
                format!(" at {} times the speed", short_number(scene.speed))
            };
            format!("{with}{pace}")
        });
        format!("{what}{who}{scene}")
    }
}

impl BlendEdit {
    fn in_words(&self) -> String {
        let names: Vec<String> = self.clips.iter().map(|path| name(path)).collect();
        let names = names.join(" and ");
        let asked = self.at.iter().map(|(it, value)| format!("{} {} {}", it.name(), short_number(*value), it.unit()));
        match self.weights.is_empty() {
            true => format!("interpolated with {names} for {}", asked.collect::<Vec<_>>().join(" and ")),
            false => {
                let weights: Vec<String> = self.weights.iter().map(|weight| short_number(*weight)).collect();
                format!("interpolated with {names}, weights {}", weights.join(" : "))
            }
        }
    }
}

impl TouchupEdit {
    fn in_words(&self) -> String {
        let stage = match self.only {
            None => "",
            Some(Stage::Ground) => " on the ground only",
            Some(Stage::Flight) => " in flights only",
        };
        let steps = if self.steps.is_empty() && self.steps_file.is_none() { "" } else { " by a step list of its own" };
        let when = span(self.from_secs, self.to_secs);
        let usual = TouchupOptions::default().margin;
        let margin = if self.margin == usual { String::new() } else { format!(", margin {}", self.margin) };
        format!("touched up{stage}{}{when}{}{steps}{margin}", ground(self.slope), parts(&self.joints))
    }
}

fn span(from_secs: Option<f64>, to_secs: Option<f64>) -> String {
    match (from_secs, to_secs) {
        (None, None) => String::new(),
        (Some(from), None) => format!(" from {} s on", short_number(from)),
        (None, Some(to)) => format!(" up to {} s", short_number(to)),
        (Some(from), Some(to)) => format!(" from {} to {} s", short_number(from), short_number(to)),
    }
}

fn ground(slope: Option<Slope>) -> String {
    match slope {
        None => String::new(),
        Some(Slope::Degrees(degrees)) => format!(" on a slope of {degrees}°"),
        Some(Slope::Normal([x, y, z])) => format!(" on ground with the normal {x}, {y}, {z}"),
    }
}

fn parts(joints: &[String]) -> String {
    if joints.is_empty() { String::new() } else { format!(" ({} only)", joints.join(", ")) }
}

fn name(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_read_as_sentences() {
        let of = |text: &str| toml::from_str::<Edit>(text).unwrap().in_words();
        assert_eq!(of("verb = \"arc\"\nradius_m = 2.0\nside = \"left\""), "bent to the left with a radius of 2 m");
        assert_eq!(of("verb = \"tilt\"\nangle_deg = -8.0"), "tilted downhill by 8°");
        assert_eq!(of("verb = \"cut\"\nfrom_secs = 1.5"), "cut from 1.5 s on");
        assert_eq!(of("verb = \"speed\"\nfactor = 2.0\nto_secs = 1.0"), "played 2 times as fast up to 1 s");
        assert_eq!(of("verb = \"join\"\nclips = [\"x/b.bvh\", \"builtin:run\"]"), "joined with b.bvh and builtin:run");
        let touchup = "verb = \"touchup\"\nonly = \"ground\"\nslope = 8.0\njoints = [\"arms\"]";
        assert_eq!(of(touchup), "touched up on the ground only on a slope of 8° (arms only)");
        assert_eq!(of("verb = \"plant\""), "feet planted");
        let path = "verb = \"path\"\ntiming = \"keep\"\n[[change]]\nhandle = 1\nmove = [0.1, 0.0, 0.0]\n\
                    [[change]]\nflight = 0\nheight = 1.5";
        assert_eq!(
            of(path),
            "handle 1 of its path moved by 0.1, 0, 0 m and flight 0 made 1.5 times as high, times kept"
        );
        assert_eq!(of("verb = \"cut\"\nfrom_secs = 2.6333333333333333"), "cut from 2.633 s on");
    }
}
