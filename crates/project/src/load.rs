//! Load: a file and what gravity says about its clock.
//!
//! Headers lie: several subjects of the CMU database say 120 fps and fall at 4 g, because they were captured at 60.
//! Looking at such a clip may correct the rate as long as it says so; an edit must not do so silently, as it would
//! write the wrong rate, or another one than the file had, without anyone's decision.

use crate::contact_sidecar::{known_beside, place_beside};
use crate::error::ProjectError;
use crate::source;
use aplomb_analysis::contacts::{Clock, ClockFinding, FileAxes};
use aplomb_analysis::{ContactOptions, RateSource, Take};
use aplomb_formats::{Document, Import, ReadOptions};
use aplomb_motion::{Axis, FrameTime};
use aplomb_physics::{Body, BodyOptions};
use std::path::Path;
use std::sync::Arc;

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

/// Reads a clip at the chosen rate. A rate that was corrected stands in the import's diagnostics.
pub fn load(path: &Path, options: &ReadOptions, rate: RateChoice) -> Result<Import, ProjectError> {
    let import = read_at(path, options, rate)?;
    if rate != RateChoice::Auto {
        return Ok(import);
    }
    let source = rate_source(&import, options, RateChoice::Auto);
    let Some((clock, true_time)) = wrong_rate(&plain_take(&import, source), path)? else { return Ok(import) };
    // Read again, so that the document knows the rate it is written back with.
    let mut import = read_at(path, options, RateChoice::Given(true_time))?;
    import.tell_corrected_rate(&clock.warning().unwrap_or_default());
    Ok(import)
}

/// Reads a clip that is going to be changed: `None` means that no rate was chosen, and then a header that gravity
/// proves wrong is refused.
pub fn load_for_edit(path: &Path, options: &ReadOptions, rate: Option<RateChoice>) -> Result<Import, ProjectError> {
    let (import, is_checked) = read_for_edit(path, options, rate)?;
    if !is_checked {
        refuse_wrong_rate(&import, options, &plain_take(&import, rate_source(&import, options, RateChoice::Header)))?;
    }
    Ok(import)
}

/// The same without a look at the clock; false where one is due, by [`refuse_wrong_rate`].
pub(crate) fn read_for_edit(
    path: &Path,
    options: &ReadOptions,
    rate: Option<RateChoice>,
) -> Result<(Import, bool), ProjectError> {
    match rate {
        None => Ok((read_at(path, options, RateChoice::Header)?, false)),
        Some(rate) => Ok((load(path, options, rate)?, true)),
    }
}

/// Refuses a clip whose clock gravity proves wrong.
pub(crate) fn refuse_wrong_rate(import: &Import, options: &ReadOptions, take: &Take) -> Result<(), ProjectError> {
    let Some((clock, true_time)) = wrong_rate(take, &import.path)? else { return Ok(()) };
    Err(ProjectError::RateInDoubt {
        path: import.path.clone(),
        gravities: clock.median_g.unwrap_or_default() / ContactOptions::default().gravity,
        stated: rate_source(import, options, RateChoice::Header).verb(),
        header_hz: clock.header_hz,
        true_hz: true_time.hz(),
    })
}

/// Tells in the import's diagnostics if gravity proves the rate wrong that it was read with, and that the option `auto`
/// corrects it.
pub fn tell_rate_in_doubt(import: &mut Import, options: &ReadOptions, auto: &str) -> Result<(), ProjectError> {
    let take = plain_take(import, rate_source(import, options, RateChoice::Header));
    if let Some((clock, _)) = wrong_rate(&take, &import.path)? {
        import.tell_doubtful_rate(&clock.warning().unwrap_or_default(), auto);
    }
    Ok(())
}

/// Where the rate that a clip was read with comes from.
pub(crate) fn rate_source(import: &Import, options: &ReadOptions, rate: RateChoice) -> RateSource {
    match rate {
        RateChoice::Given(_) => RateSource::Given,
        _ if options.frame_time.is_some() => RateSource::Given,
        _ if import.diagnostics.iter().any(|it| it.code == "IMP-N004") => RateSource::Beside,
        _ if header_hz(import).is_some() => RateSource::Header,
        _ => RateSource::Assumed,
    }
}

/// Reads the file; only a given rate replaces the header's. Unit, axes and rate that lie beside it count, unless the
/// user gives them.
pub(crate) fn read_at(path: &Path, options: &ReadOptions, rate: RateChoice) -> Result<Import, ProjectError> {
    let frame_time = match rate {
        RateChoice::Given(frame_time) => Some(frame_time),
        RateChoice::Header | RateChoice::Auto => options.frame_time,
    };
    let mut options = ReadOptions { frame_time, ..options.clone() };
    let known = known_beside(path)?.and_then(|file| file.carried);
    let frame = known.as_ref().and_then(|known| take_frame(known.frame.as_ref()?, &mut options));
    let rate = known.as_ref().and_then(|known| take_rate(known.rate_hz?, &mut options));
    let mut import = source::read(path, &options)?;
    let place = place_beside(path);
    let place = place.file_name().unwrap_or_default().to_string_lossy();
    if frame.is_some() {
        import.tell_stated_frame(&place);
    }
    if let Some(hz) = rate {
        import.tell_stated_rate(hz, &place);
    }
    Ok(import)
}

/// Takes unit and axes from beside the file; `None` where the user gives both.
fn take_frame(frame: &FileAxes, options: &mut ReadOptions) -> Option<()> {
    if options.metres_per_unit.is_some() && options.up.is_some() {
        return None;
    }
    let up = match frame.up.as_str() {
        "x" => Axis::X,
        "z" => Axis::Z,
        _ => Axis::Y,
    };
    options.metres_per_unit.get_or_insert(frame.unit_m);
    options.up.get_or_insert(up);
    Some(())
}

/// Takes the rate from beside the file; `None` where the user gives one.
fn take_rate(hz: f64, options: &mut ReadOptions) -> Option<f64> {
    if options.frame_time.is_some() {
        return None;
    }
    options.frame_time = Some(FrameTime::from_hz(hz).ok()?);
    Some(hz)
}

/// What gravity says, if it says that the rate is wrong. A clip that no body can be made for gives no evidence.
pub(crate) fn wrong_rate(take: &Take, path: &Path) -> Result<Option<(Clock, FrameTime)>, ProjectError> {
    if take.body().is_err() {
        return Ok(None);
    }
    let failed = |source| ProjectError::Analysis { path: path.to_owned(), source };
    let clock = take.contacts().map_err(failed)?.clock;
    Ok(corrected_time(&clock).map(|frame_time| (clock, frame_time)))
}

/// The motion of a file with the body that its bones suggest.
fn plain_take(import: &Import, source: RateSource) -> Take {
    let body = Body::of_clip(&import.clip, &import.roles, &BodyOptions::default()).map(Arc::new);
    let options = ContactOptions { rate_source: source, ..ContactOptions::default() };
    Take::with_or_without_body(import.clip.clone(), import.roles.clone(), body).with_contact_options(options)
}

/// The frame time of the rate that gravity shows, where it shows another than the header's.
pub(crate) fn corrected_time(clock: &Clock) -> Option<FrameTime> {
    match clock.finding {
        ClockFinding::WrongRate { factor } => FrameTime::from_hz(clock.header_hz * factor).ok(),
        _ => None,
    }
}

/// The rate that the file itself states: nominal if the header rounds one in common use; AMC files state none as a
/// rule.
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
