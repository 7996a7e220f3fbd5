//! How values are typed on a command line, where a number or a word does not do.

use super::range::{not_negative, number, positive};
use crate::edits::{AutoWord, DampingChoice, Follow, FollowCurve, PaperWord, PathChange, Slope, StiffnessChoice};
use aplomb_editing::adapt::{Carry, Footprints, Scale, Torque, WhichSide, WhichStage};
use aplomb_editing::arc::Arc;
use aplomb_editing::blend::Parameter;
use aplomb_editing::path::{JumpHeight, Timing};
use aplomb_editing::track::LegGains;
use aplomb_motion::Side;
use glam::DVec3;
use serde::Serialize;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// Numbers with commas between them.
fn numbers(text: &str, read: fn(&str) -> Result<f64, String>) -> Result<Vec<f64>, String> {
    text.split(',').map(read).collect()
}

/// As project files have it.
pub(super) fn data<T: Serialize>(read: Result<T, String>) -> Result<Value, String> {
    serde_json::to_value(read?).map_err(|error| error.to_string())
}

/// `8`, `-3`, `0,0.99,-0.14`.
pub fn slope(text: &str) -> Result<Slope, String> {
    match numbers(text, number)?[..] {
        [degrees] if (-45.0..=45.0).contains(&degrees) => Ok(Slope::Degrees(degrees)),
        [_] => Err(format!("expected a slope between -45 and 45 degrees, found {text}")),
        [x, y, z] => Ok(Slope::Normal([x, y, z])),
        _ => Err(format!("expected degrees, or the ground's normal as X,Y,Z, found {text}")),
    }
}

/// `-0.3,1.4,0.5`.
pub(super) fn point(text: &str) -> Result<DVec3, String> {
    match numbers(text, number)?[..] {
        [x, y, z] => Ok(DVec3::new(x, y, z)),
        _ => Err(format!("expected X,Y,Z in metres, found {text}")),
    }
}

/// `3:0.4,0,-1`.
pub(super) fn moved(text: &str) -> Result<PathChange, String> {
    let expected = || format!("expected HANDLE:DX,DY,DZ in metres, found {text}");
    let (handle, by) = text.split_once(':').ok_or_else(expected)?;
    let handle = handle.trim().parse().map_err(|_| expected())?;
    let [x, y, z] = numbers(by, number)?[..] else { return Err(expected()) };
    Ok(PathChange::Move { handle, by_m: DVec3::new(x, y, z) })
}

/// `0:height=1.4`, `0:height=0.6m`.
pub(super) fn jump(text: &str) -> Result<PathChange, String> {
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
pub(super) fn follow(text: &str) -> Result<Follow, String> {
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
            "radius" => arc.radius_m = positive(value)?,
            "side" => {
                side = Some(match value.trim() {
                    "left" => Side::Left,
                    "right" => Side::Right,
                    _ => return Err(format!("expected side=left or side=right, found {value}")),
                });
            }
            "lead-in" => arc.lead_in_m = Some(not_negative(value)?),
            "length" => arc.length_m = Some(positive(value)?),
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
pub(super) fn timing(text: &str) -> Result<Timing, String> {
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

/// `length=1.6`.
pub(super) fn measure(text: &str) -> Result<Value, String> {
    let (name, value) = text.split_once('=').ok_or_else(|| format!("expected NAME=VALUE, found {text}"))?;
    let parameter = Parameter::from_name(name).ok_or_else(|| {
        let names = Parameter::ALL.map(Parameter::name).join(", ");
        format!("expected one of {names}, found {name}")
    })?;
    Ok(json!({ parameter.name(): number(value)? }))
}

/// `1.3x` or `1.3`.
pub(super) fn times(text: &str) -> Result<f64, String> {
    number(text.strip_suffix('x').unwrap_or(text))
}

/// A part of the body and what is said of it.
fn named<'a>(text: &'a str, what: &str) -> Result<(String, &'a str), String> {
    let (part, value) = text.split_once('=').ok_or_else(|| format!("expected PART={what}, found {text:?}"))?;
    Ok((part.trim().to_owned(), value.trim()))
}

/// `right_hand=8kg`.
pub(super) fn carry(text: &str) -> Result<Carry, String> {
    let (part, value) = named(text, "KG")?;
    Ok(Carry { part, mass_kg: number(value.strip_suffix("kg").unwrap_or(value).trim())? })
}

/// `left_thigh=0.85`.
pub(super) fn scale(text: &str) -> Result<Scale, String> {
    let (part, value) = named(text, "TIMES")?;
    Ok(Scale { part, factor: times(value)? })
}

/// `right_foot=40`, `right_foot=25%`.
pub(super) fn torque(text: &str) -> Result<Torque, String> {
    let (part, value) = named(text, "NM")?;
    match value.strip_suffix('%') {
        Some(percent) => Ok(Torque { part, most_nm: None, share_of_peak: Some(number(percent)? / 100.0) }),
        None => Ok(Torque { part, most_nm: Some(number(value)?), share_of_peak: None }),
    }
}

/// `0.2`: the left foot so much before the right one.
pub(super) fn stagger(text: &str) -> Result<[Footprints; 2], String> {
    let apart_m = number(text)?;
    let moved =
        |side: WhichSide, forward_m: f64| Footprints { stage: WhichStage::All, side, forward_m, ..Default::default() };
    Ok([moved(WhichSide::Left, 0.5 * apart_m), moved(WhichSide::Right, -0.5 * apart_m)])
}

/// `auto`, or a number.
pub(super) fn stiffness(text: &str) -> Result<StiffnessChoice, String> {
    match text {
        "auto" => Ok(StiffnessChoice::Word(AutoWord::Auto)),
        _ => positive(text).map(StiffnessChoice::Given).map_err(|error| format!("{error}; or auto")),
    }
}

/// `paper`, or a number.
pub(super) fn damping(text: &str) -> Result<DampingChoice, String> {
    match text {
        "paper" => Ok(DampingChoice::Word(PaperWord::Paper)),
        _ => not_negative(text).map(DampingChoice::Ratio).map_err(|error| format!("{error}; or paper")),
    }
}

/// `1500,1500,1200`.
pub(super) fn legs(text: &str) -> Result<LegGains, String> {
    match numbers(text, not_negative)?[..] {
        [hip, knee, ankle] => Ok(LegGains { hip, knee, ankle }),
        _ => Err(format!("expected HIP,KNEE,ANKLE in N·m/rad, found {text}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slopes_and_places_as_people_type_them() {
        assert_eq!(slope("8"), Ok(Slope::Degrees(8.0)));
        assert_eq!(slope("-3.5"), Ok(Slope::Degrees(-3.5)));
        assert_eq!(slope("0,1,-0.1"), Ok(Slope::Normal([0.0, 1.0, -0.1])));
        for bad in ["", "1,2", "steep", "nan", "1,2,3,4", "200"] {
            assert!(slope(bad).is_err(), "{bad}");
        }
        assert_eq!(point("-0.3,1.4,0.5"), Ok(DVec3::new(-0.3, 1.4, 0.5)));
        assert!(point("1,2").is_err() && point("1,2,inf").is_err());
    }

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

    #[test]
    fn measures_and_goals_as_people_type_them() {
        assert_eq!(measure("length=1.6"), Ok(json!({ "length": 1.6 })));
        assert!(measure("width=1").unwrap_err().contains("height"));
        assert_eq!(times("1.3x"), Ok(1.3));
        assert_eq!(carry("right_hand=8kg"), Ok(Carry { part: "right_hand".to_owned(), mass_kg: 8.0 }));
        assert_eq!(torque("right_foot=25%").unwrap().share_of_peak, Some(0.25));
        assert_eq!(torque("right_foot=40").unwrap().most_nm, Some(40.0));
        assert!(scale("left_thigh").unwrap_err().contains("PART=TIMES"));
        assert!(carry("hand=heavy").is_err());
    }

    #[test]
    fn servos_as_people_type_them() {
        assert_eq!(stiffness("auto"), Ok(StiffnessChoice::Word(AutoWord::Auto)));
        assert_eq!(stiffness("2500"), Ok(StiffnessChoice::Given(2500.0)));
        assert!(stiffness("-1").is_err() && stiffness("stiff").is_err() && stiffness("nan").is_err());
        assert_eq!(damping("0.7"), Ok(DampingChoice::Ratio(0.7)));
        assert_eq!(damping("paper"), Ok(DampingChoice::Word(PaperWord::Paper)));
        assert_eq!(legs("1500,1500,1200"), Ok(LegGains::ADULT));
    }
}
