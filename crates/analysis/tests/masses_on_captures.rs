//! Masses fitted to captures of a person help on captures that were left out. `cargo xtask proof masses` has the whole
//! table.

use aplomb_analysis::InspectOptions;
use aplomb_analysis::Take;
use aplomb_analysis::masses::{MassOptions, ReferenceClip, cross_validate, estimate, mean_of};
use aplomb_formats::{ReadOptions, read_file};
use aplomb_physics::{Body, BodyOptions};
use std::path::{Path, PathBuf};

#[test]
fn a_turning_walker_is_fitted_and_stays_plausible() {
    let data = std::env::var_os("APLOMB_DATA").map(PathBuf::from);
    let data = data.unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"));
    let paths = ["walk-turn/83_36", "walk-turn/83_37", "jump-forward/83_48"]
        .map(|name| data.join("cmu-bvh").join(name).with_extension("bvh"));
    if let Some(absent) = paths.iter().find(|path| !path.is_file()) {
        eprintln!("SKIPPED: no capture {}", absent.display());
        return;
    }
    let imports = paths.each_ref().map(|path| read_file(path, &ReadOptions::default()).unwrap());
    let roles = &imports[0].roles;
    let body = Body::of_clip(&imports[0].clip, roles, &BodyOptions::default()).unwrap();
    let options = InspectOptions::default();
    let inspections = imports.each_ref().map(|import| {
        Take::new(import.clip.clone(), import.roles.clone(), body.clone())
            .with_options(options.clone())
            .into_inspection()
            .unwrap()
    });
    let references: Vec<ReferenceClip<'_>> = imports
        .iter()
        .zip(&inspections)
        .map(|(import, inspection)| ReferenceClip { name: "83", clip: &import.clip, inspection })
        .collect();
    let (before_m, after_m) = mean_of(&cross_validate(&body, roles, &references, &MassOptions::default()).unwrap());
    assert!(after_m < 0.95 * before_m, "clips left out: {before_m} → {after_m} m");
    let fit = estimate(&body, roles, &references, &MassOptions::default()).unwrap();
    assert!(fit.after_m <= fit.before_m && fit.converged);
    assert!(fit.groups.iter().all(|group| group.is_plausible()), "{:?}", fit.warnings);
}
