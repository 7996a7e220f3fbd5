//! Every C3D of the data folder makes a person, or is refused for the markers that it lacks.

use aplomb_formats::c3d::{self, Baseline};
use aplomb_formats::{FormatError, ReadOptions, read_file};
use std::path::{Path, PathBuf};

fn captures() -> Vec<PathBuf> {
    let default = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let folder = std::env::var_os("APLOMB_DATA").map_or(default, PathBuf::from).join("c3d");
    let Ok(entries) = std::fs::read_dir(&folder) else {
        eprintln!("SKIPPED: no captures at {}; set APLOMB_DATA", folder.display());
        return Vec::new();
    };
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

#[test]
fn every_file_is_a_person_or_says_which_marker_is_missing() {
    for path in captures() {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        match read_file(&path, &ReadOptions::default()) {
            Ok(import) => eprintln!("{name}: {} frames, {:?}", import.clip.frame_count(), import.roles.plan()),
            Err(FormatError::Invalid { diagnostic, .. }) if diagnostic.code == "IMP-E004" => {
                eprintln!("{name}: {diagnostic}");
                assert!(diagnostic.to_string().contains("no marker for"), "{diagnostic}");
            }
            Err(error) => panic!("{error}"),
        }
    }
}

/// Body weight is what people stand with: the mean over the time on the plates lies between that of a child and of a
/// giant.
#[test]
fn plates_carry_a_persons_weight() {
    let mut carried = 0;
    for path in captures() {
        let bytes = std::fs::read(&path).unwrap();
        let file = c3d::parse(&bytes, &ReadOptions::default(), &mut Vec::new()).unwrap();
        let forces = file.forces(Baseline::Removed, &mut Vec::new()).unwrap();
        let samples = forces.plates.first().map_or(0, |plate| plate.force_n.len());
        let total = |sample: usize| forces.plates.iter().map(|plate| plate.force_n[sample].y).sum::<f64>();
        let loaded: Vec<f64> = (0..samples).map(total).filter(|&force_n| force_n > 200.0).collect();
        if loaded.len() > 200 {
            let mean_n = loaded.iter().sum::<f64>() / loaded.len() as f64;
            assert!((250.0..2500.0).contains(&mean_n), "{}: {mean_n} N", path.display());
            carried += 1;
        }
    }
    assert!(carried >= 3 || captures().is_empty(), "{carried}");
}
