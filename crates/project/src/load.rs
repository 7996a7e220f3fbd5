//! Load: a file and what gravity says about its clock.
//!
//! Headers lie: several subjects of the CMU database say 120 fps and fall at 4 g, because they were captured at 60. Looking at such a clip
//! may correct the rate as long as it says so; an edit must not do so silently, as it would write the wrong rate, or another one than the
//! file had, without anybody having decided it.

use crate::error::ProjectError;
use crate::source;
use aplomb_analysis::contacts::{Clock, ClockFinding};
use aplomb_analysis::{ContactOptions, analyse_contacts};
use aplomb_formats::{Document, Import, ReadOptions};
use aplomb_motion::FrameTime;
use aplomb_physics::{Body, BodyOptions};
use std::path::Path;

/// Which frame rate a clip is taken to have.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum RateChoice {
    /// The header's, whatever gravity says.
    Header,
    /// The header's, unless gravity proves it wrong.
    #[default]
    Auto,
    /// The user's.
    Given(FrameTime),
}

/// Reads a clip at the chosen rate. A rate that was corrected is told in the import's diagnostics.
pub fn load(path: &Path, options: &ReadOptions, rate: RateChoice) -> Result<Import, ProjectError> {
    let import = read_at(path, options, rate)?;
    if rate != RateChoice::Auto {
        return Ok(import);
    }
    let Some((clock, true_time)) = wrong_rate(&import)? else { return Ok(import) };
    // Read again, so that the document knows the rate it is written back with.
    let mut import = read_at(path, options, RateChoice::Given(true_time))?;
    let evidence = RateSource::of(&import, options, RateChoice::Auto).in_words(&clock.warning().unwrap_or_default());
    import.tell_corrected_rate(&evidence);
    Ok(import)
}

/// Reads a clip that is going to be changed: `None` means that nobody chose a rate, and then a header that gravity proves wrong is refused.
pub fn load_for_edit(path: &Path, options: &ReadOptions, rate: Option<RateChoice>) -> Result<Import, ProjectError> {
    let Some(rate) = rate else {
        let import = read_at(path, options, RateChoice::Header)?;
        return match wrong_rate(&import)? {
            None => Ok(import),
            Some((clock, true_time)) => Err(ProjectError::RateInDoubt {
                path: path.to_owned(),
                gravities: clock.median_g.unwrap_or_default() / ContactOptions::default().gravity,
                stated: RateSource::of(&import, options, RateChoice::Header).verb(),
                header_hz: clock.header_hz,
                true_hz: true_time.hz(),
            }),
        };
    };
    load(path, options, rate)
}

/// Tells in the import's diagnostics if gravity proves the rate wrong that it was read with.
pub fn tell_rate_in_doubt(import: &mut Import, options: &ReadOptions) -> Result<(), ProjectError> {
    if let Some((clock, _)) = wrong_rate(import)? {
        let source = RateSource::of(import, options, RateChoice::Header);
        import.tell_doubtful_rate(&source.in_words(&clock.warning().unwrap_or_default()));
    }
    Ok(())
}

/// Where the rate that a clip was read with comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RateSource {
    /// The file states it.
    Header,
    /// The file states none.
    Assumed,
    /// The user's.
    Given,
}

impl RateSource {
    pub(crate) fn of(import: &Import, options: &ReadOptions, rate: RateChoice) -> Self {
        match rate {
            RateChoice::Given(_) => Self::Given,
            _ if options.frame_time.is_some() => Self::Given,
            _ if header_hz(import).is_some() => Self::Header,
            _ => Self::Assumed,
        }
    }

    /// Before the rate.
    fn verb(self) -> &'static str {
        match self {
            Self::Header => "header says",
            Self::Assumed => "assumed",
            Self::Given => "given",
        }
    }

    /// The analysis sees a clip and its rate, and takes the rate for the header's: what it says is put right here.
    pub(crate) fn in_words(self, warning: &str) -> String {
        match self {
            Self::Header => warning.to_owned(),
            _ => warning
                .replace("by its header", &format!("at the rate {}", self.verb()))
                .replace("the header says", self.verb()),
        }
    }
}

/// Reads the file; only a given rate replaces the header's.
pub(crate) fn read_at(path: &Path, options: &ReadOptions, rate: RateChoice) -> Result<Import, ProjectError> {
    let frame_time = match rate {
        RateChoice::Given(frame_time) => Some(frame_time),
        RateChoice::Header | RateChoice::Auto => options.frame_time,
    };
    source::read(path, &ReadOptions { frame_time, ..options.clone() })
}

/// What gravity says, if it says that the rate is wrong. A clip that no body can be made for gives no evidence.
fn wrong_rate(import: &Import) -> Result<Option<(Clock, FrameTime)>, ProjectError> {
    let Ok(body) = Body::of_clip(&import.clip, &import.roles, &BodyOptions::default()) else { return Ok(None) };
    let found = analyse_contacts(&import.clip, &import.roles, &body, &ContactOptions::default())
        .map_err(|source| ProjectError::Analysis { path: import.path.clone(), source })?;
    Ok(corrected_time(&found.clock).map(|frame_time| (found.clock, frame_time)))
}

/// The frame time of the rate that gravity shows, where it shows another than the header's.
pub(crate) fn corrected_time(clock: &Clock) -> Option<FrameTime> {
    match clock.finding {
        ClockFinding::WrongRate { factor } => FrameTime::from_hz(clock.header_hz * factor).ok(),
        _ => None,
    }
}

/// The rate that the file itself states: nominal if the header rounds one in common use; AMC files state none as a rule.
pub(crate) fn header_hz(import: &Import) -> Option<f64> {
    let frame_time = match &import.document {
        Document::Bvh(document) => document.frame_time_secs().and_then(|secs| FrameTime::from_secs(secs).ok()),
        Document::AsfAmc(document) => document.amc.samples_per_second().and_then(|hz| FrameTime::from_hz(hz).ok()),
        Document::Gltf(document) => document.frame_time,
        Document::Arrays { frame_time, .. } => *frame_time,
        Document::Markers { rate_hz } => FrameTime::from_hz(*rate_hz).ok(),
    };
    frame_time.map(FrameTime::hz)
}
