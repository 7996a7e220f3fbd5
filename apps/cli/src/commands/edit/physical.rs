//! `touchup` and `plant`: edits that know balance, flight and feet.

use super::{CommonArgs, JointsArgs, SpanArgs};
use crate::args::number;
use crate::outcome::{Outcome, Printing, say_error};
use aplomb_editing::touchup::Stage;
use aplomb_project::Edit;
use aplomb_project::edit::{PlantEdit, Slope, TOUCHUP_EASE_SECS, TouchupEdit, read_steps};
use clap::ValueEnum;
use std::path::PathBuf;

/// Options of `touchup`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  \
    aplomb touchup bent.bvh -o leaning.bvh                 balance, flights and feet of an edited motion\n  \
    aplomb touchup bent.bvh --dry-run                      only what it would do\n  \
    aplomb touchup uphill.bvh --slope 8 -o climbing.bvh    on ground that rises by 8° along the way\n  \
    aplomb touchup jump.bvh --only flight -o jump2.bvh     parabolas and spin, nothing else\n  \
    aplomb touchup take.bvh --from 2 --to 4 -o take2.bvh   seconds 2 to 4, eased at both ends\n  \
    aplomb touchup bent.bvh -o a.bvh --receipt a.json --html a.html\n\n\
    Exit code 3: written, but balance did not come nearer, or the result is clearly worse in score, slide or balance.")]
pub struct TouchupArgs {
    /// Motion file, or builtin:NAME
    clip: PathBuf,
    /// Correct only what stands, or only what flies
    #[arg(long, value_name = "STAGE")]
    only: Option<StageArg>,
    /// Where in each foot to aim: 0 is the edge of the support, 1 the middle of the foot
    #[arg(long, value_name = "0..1", value_parser = margin, default_value = "0.5", allow_negative_numbers = true)]
    margin: f64,
    /// Step list, instead of the usual one: which parts correct what, how slowly, and how much of it
    #[arg(long, value_name = "FILE.toml")]
    steps: Option<PathBuf>,
    #[command(flatten)]
    where_and_when: PlaceArgs,
    #[command(flatten)]
    common: CommonArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum StageArg {
    /// Balance over the feet
    Ground,
    /// Parabolas and angular momentum
    Flight,
}

/// Where and when, for both verbs.
#[derive(Clone, Debug, clap::Args)]
struct PlaceArgs {
    #[command(flatten)]
    span: SpanArgs,
    #[command(flatten)]
    joints: JointsArgs,
    /// Ground that is not level: degrees uphill along the way, or its normal
    #[arg(long, value_name = "DEG|X,Y,Z", value_parser = slope, allow_hyphen_values = true)]
    slope: Option<Slope>,
    /// Contact file; it wins over what is found, and over what lies beside the clip
    #[arg(long, value_name = "FILE.toml", conflicts_with = "detect_contacts")]
    contacts: Option<PathBuf>,
}

impl TouchupArgs {
    /// Balances the motion.
    pub fn run(&self, print: Printing) -> Outcome {
        let PlaceArgs { span, joints, slope, contacts } = &self.where_and_when;
        // The list itself goes into the record, so that a receipt needs no other file.
        let steps = match self.steps.as_deref().map(read_steps).transpose() {
            Ok(list) => list.map(|list| list.steps),
            Err(error) => {
                say_error(&error.to_string());
                return Outcome::BadInput;
            }
        };
        let edit = TouchupEdit {
            only: self.only.map(|stage| match stage {
                StageArg::Ground => Stage::Ground,
                StageArg::Flight => Stage::Flight,
            }),
            margin: self.margin,
            slope: *slope,
            from_secs: span.from,
            to_secs: span.to,
            ease_secs: span.ease.unwrap_or(TOUCHUP_EASE_SECS),
            joints: joints.joints.clone(),
            contacts: contacts.clone(),
            steps_file: None,
            steps: steps.unwrap_or_default(),
        };
        self.common.make(&self.clip, vec![Edit::Touchup(edit)], print)
    }
}

/// Options of `plant`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  \
    aplomb plant take.bvh -o planted.bvh                   feet stay where they stand\n  \
    aplomb plant take.bvh --contacts take.toml -o out.bvh  … by contacts that you corrected\n  \
    aplomb plant uphill.bvh --slope 8 -o out.bvh")]
pub struct PlantArgs {
    /// Motion file, or builtin:NAME
    clip: PathBuf,
    #[command(flatten)]
    where_and_when: PlaceArgs,
    #[command(flatten)]
    common: CommonArgs,
}

impl PlantArgs {
    /// Stops feet from sliding.
    pub fn run(&self, print: Printing) -> Outcome {
        let PlaceArgs { span, joints, slope, contacts } = &self.where_and_when;
        let edit = PlantEdit {
            slope: *slope,
            from_secs: span.from,
            to_secs: span.to,
            ease_secs: span.ease.unwrap_or(PlantEdit::default().ease_secs),
            joints: joints.joints.clone(),
            contacts: contacts.clone(),
        };
        self.common.make(&self.clip, vec![Edit::Plant(edit)], print)
    }
}

/// From the edge of the support to the middle of the foot.
fn margin(text: &str) -> Result<f64, String> {
    match number(text)? {
        value if (0.0..=1.0).contains(&value) => Ok(value),
        _ => Err(format!("expected a margin from 0 to 1, found {text}")),
    }
}

/// `8`, `-3`, `0,0.99,-0.14`.
pub fn slope(text: &str) -> Result<Slope, String> {
    let numbers: Vec<f64> = text.split(',').map(number).collect::<Result<_, _>>()?;
    match numbers[..] {
        [degrees] if (-45.0..=45.0).contains(&degrees) => Ok(Slope::Degrees(degrees)),
        [_] => Err(format!("expected a slope between -45 and 45 degrees, found {text}")),
        [x, y, z] => Ok(Slope::Normal([x, y, z])),
        _ => Err(format!("expected degrees, or the ground's normal as X,Y,Z, found {text}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slopes_as_people_type_them() {
        assert_eq!(slope("8"), Ok(Slope::Degrees(8.0)));
        assert_eq!(slope("-3.5"), Ok(Slope::Degrees(-3.5)));
        assert_eq!(slope("0,1,-0.1"), Ok(Slope::Normal([0.0, 1.0, -0.1])));
        for bad in ["", "1,2", "steep", "nan", "1,2,3,4", "200"] {
            assert!(slope(bad).is_err(), "{bad}");
        }
    }
}
