//! Bodies of clips: from a table alone, or with masses fitted to motions that are known to be right.

use crate::error::ProjectError;
use crate::inspect::{InspectRequest, Inspected, body_of, inspect_import};
use crate::load::{RateChoice, load_for_edit};
use crate::receipt::difference;
use aplomb_analysis::AnalysisError;
use aplomb_analysis::masses::{ClipFit, MassFit, MassOptions, ReferenceClip, cross_validate, estimate, hold_out};
use aplomb_formats::Import;
use aplomb_motion::Skeleton;
use aplomb_physics::Body;
use std::path::{Path, PathBuf};

/// Masses and how well they do on motions that they were not fitted to.
#[derive(Clone, Debug)]
pub struct FittedMasses {
    /// The fit over all clips that were given to it.
    pub fit: MassFit,
    /// Each judged by masses of a fit without it: the clips that were held out or, without such, each in turn. Empty
    /// for a single clip.
    pub unseen: Vec<ClipFit>,
    /// Whether clips were left out by the user.
    pub was_held_out: bool,
}

/// The body of one clip, as every verb would take it. Masses know no time, so a header that may be wrong is no reason
/// to refuse; a rate that was given is taken.
pub fn body_of_file(path: &Path, request: &InspectRequest) -> Result<(Import, Body), ProjectError> {
    let rate = match request.rate {
        given @ RateChoice::Given(_) => given,
        RateChoice::Header | RateChoice::Auto => RateChoice::Header,
    };
    let import = crate::load::read_at(path, &request.read, rate)?;
    let body = body_of(&import, request)?;
    Ok((import, body))
}

/// Fits the masses of the body of one of the clips, the first by name, to all `clips`, and judges them on `held_out`,
/// or by leaving out one clip after the other.
///
/// `rate` is the user's choice: without it a clip whose clock gravity proves wrong is refused.
pub fn fit_masses(
    clips: &[PathBuf],
    held_out: &[PathBuf],
    request: &InspectRequest,
    rate: Option<RateChoice>,
    options: &MassOptions,
) -> Result<FittedMasses, ProjectError> {
    // Bodies of two clips of one person differ a little, as they are made from their motion: whichever is named first
    // must not decide what the table is worth on the others.
    let Some(first) = clips.first().and(clips.iter().chain(held_out).min()) else {
        let source = AnalysisError::TooFewReferences { found: 0, least: 1 };
        return Err(ProjectError::Analysis { path: PathBuf::new(), source });
    };
    let import = load_for_edit(first, &request.read, rate)?;
    let start = body_of(&import, request)?;
    let open = |paths: &[PathBuf]| -> Result<Vec<Inspected>, ProjectError> {
        paths.iter().map(|path| opened(path, first, &start, request, rate)).collect()
    };
    let (known, unknown) = (open(clips)?, open(held_out)?);
    let names = |clips: &[Inspected]| clips.iter().map(|it| it.import.path.display().to_string()).collect::<Vec<_>>();
    let (known_names, unknown_names) = (names(&known), names(&unknown));
    let (seen, unseen) = (references(&known, &known_names), references(&unknown, &unknown_names));
    let roles = &known[0].import.roles;
    let failed = |source| ProjectError::Masses { source };
    let fit = estimate(&start, roles, &seen, options).map_err(failed)?;
    let unseen = match (unseen.is_empty(), seen.len()) {
        (false, _) => hold_out(&start, roles, &seen, &unseen, options).map_err(failed)?,
        (true, 0 | 1) => Vec::new(),
        (true, _) => cross_validate(&start, roles, &seen, options).map_err(failed)?,
    };
    Ok(FittedMasses { fit, unseen, was_held_out: !held_out.is_empty() })
}

fn references<'a>(clips: &'a [Inspected], names: &'a [String]) -> Vec<ReferenceClip<'a>> {
    let reference = |(clip, name): (&'a Inspected, &'a String)| ReferenceClip {
        name,
        clip: clip.clip(),
        inspection: &clip.inspection,
    };
    clips.iter().zip(names).map(reference).collect()
}

fn opened(
    path: &Path,
    first: &Path,
    body: &Body,
    request: &InspectRequest,
    rate: Option<RateChoice>,
) -> Result<Inspected, ProjectError> {
    let import = load_for_edit(path, &request.read, rate)?;
    body.check_skeleton(import.clip.skeleton()).map_err(|_| ProjectError::OtherSkeleton {
        first: first.to_owned(),
        other: path.to_owned(),
        detail: difference(body.skeleton(), import.clip.skeleton()),
    })?;
    if let Some(detail) = other_bones(body.skeleton(), import.clip.skeleton()) {
        return Err(ProjectError::OtherSkeleton { first: first.to_owned(), other: path.to_owned(), detail });
    }
    judged(import, body, request)
}

/// The bone that shows that two skeletons of the same joints are of two people. Files round to less than a hundredth.
fn other_bones(first: &Skeleton, other: &Skeleton) -> Option<String> {
    const LEAST_M: f64 = 2e-3;
    const LEAST_SHARE: f64 = 0.01;
    let joints = first.joints().iter().zip(other.joints());
    joints.filter(|(own, _)| own.parent.is_some()).find_map(|(own, its)| {
        let (own_m, its_m) = (own.offset_m.length(), its.offset_m.length());
        let apart_m = (own_m - its_m).abs();
        (apart_m > LEAST_M && apart_m > LEAST_SHARE * own_m).then(|| {
            format!(
                "the bone to {:?} is {:.1} cm long in one and {:.1} cm in the other: two people",
                own.name,
                1e2 * own_m,
                1e2 * its_m
            )
        })
    })
}

fn judged(import: Import, body: &Body, request: &InspectRequest) -> Result<Inspected, ProjectError> {
    inspect_import(import, body.clone(), &InspectRequest { rate: RateChoice::Header, ..request.clone() })
}
