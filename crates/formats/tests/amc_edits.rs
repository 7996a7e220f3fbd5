//! Edited AMC captures: what is written reads back as what was meant, within the digits written.

use aplomb_formats::export::{self, Encoded};
use aplomb_formats::{FileKind, FormatError, Import, Mode, ReadOptions, WriteOptions, read_file};
use aplomb_motion::edit::{self, MirrorPlane};
use aplomb_motion::{Clip, FrameTime, stature};
use std::path::{Path, PathBuf};

/// Every AMC among the captures; none (and a line on stderr) when there are none.
fn captures() -> Vec<PathBuf> {
    let default = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let folder = std::env::var_os("APLOMB_DATA").map_or(default, PathBuf::from).join("cmu-asf-amc");
    let subjects = std::fs::read_dir(&folder).into_iter().flatten().flatten();
    let files = subjects.flat_map(|subject| std::fs::read_dir(subject.path()).into_iter().flatten().flatten());
    let mut takes: Vec<PathBuf> =
        files.map(|file| file.path()).filter(|path| FileKind::from_path(path) == Some(FileKind::Amc)).collect();
    takes.sort();
    if takes.is_empty() {
        eprintln!("SKIPPED: no captures in {} (set APLOMB_DATA)", folder.display());
    }
    takes
}

fn at_hz(hz: f64) -> FrameTime {
    FrameTime::from_hz(hz).unwrap()
}

fn read(path: &Path, mode: Mode) -> Import {
    let options = ReadOptions { frame_time: Some(at_hz(120.0)), mode, ..ReadOptions::default() };
    read_file(path, &options).unwrap()
}

fn mirrored(import: &Import) -> Clip {
    let partners = edit::mirror_partners(import.clip.skeleton(), |joint| import.roles.mirror_partner(joint)).unwrap();
    edit::mirror(&import.clip, &partners, MirrorPlane::AcrossX).unwrap()
}

fn encode(import: &Import, clip: &Clip) -> Encoded {
    // Beside the source, so that only the motion is encoded; nothing is written.
    let path = import.path.with_file_name("edited.amc");
    export::encode(&path, clip, Some(import), import.frame(), &WriteOptions::default())
        .unwrap_or_else(|error| panic!("{}: {error}", import.path.display()))
}

/// 08_01 winds a thumb to 1154°: six digits of that are 5e-3°, which `encode` refuses as it reads its own file back.
#[test]
fn edited_captures_read_back_as_meant() {
    for path in captures() {
        let import = read(&path, Mode::Tolerant);
        let edits = [
            ("mirror", mirrored(&import)),
            ("cut", edit::cut(&import.clip, 0.5..1.0).unwrap()),
            ("resample", edit::resample(&import.clip, at_hz(30.0)).unwrap()),
        ];
        for (edit, clip) in edits {
            let encoded = encode(&import, &clip);
            assert!(!encoded.identical, "{} {edit}", path.display());
            let (_, amc) = encoded.files.iter().find(|(path, _)| path.ends_with("edited.amc")).unwrap();
            let source = std::fs::read(&path).unwrap();
            let negative_zeros = |bytes: &[u8]| {
                let text = String::from_utf8_lossy(bytes).into_owned();
                text.split_ascii_whitespace().filter(|&word| word == "-0").count()
            };
            assert!(negative_zeros(amc) <= negative_zeros(&source), "{} {edit}: -0", path.display());
        }
    }
}

#[test]
fn the_kept_part_of_a_damaged_file_is_not_the_file() {
    let Some(path) = captures().into_iter().next() else { return };
    let folder = tempfile::tempdir().unwrap();
    let (whole, cut) = (std::fs::read(&path).unwrap(), folder.path().join("cut.amc"));
    let import = read(&path, Mode::Tolerant);
    assert!(encode(&import, &import.clip).identical);
    let subject = path.parent().unwrap().file_name().unwrap();
    std::fs::copy(path.with_file_name(subject).with_extension("asf"), folder.path().join("cut.asf")).unwrap();
    // In the middle of a number.
    std::fs::write(&cut, &whole[..100_000]).unwrap();
    let import = read(&cut, Mode::Salvage);
    let encoded = encode(&import, &import.clip);
    assert!(!encoded.identical);
    assert!(encoded.files[0].1.len() < 100_000 && whole.starts_with(&encoded.files[0].1));
    let warning = import.diagnostics.iter().find(|note| note.code == "AMC-W010").unwrap().to_string();
    assert_eq!(warning.matches('[').count(), 1, "one code a message: {warning}");
}

fn walk_pair(folder: &Path) -> Import {
    let walk = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/walk.bvh");
    let walk = read(&walk, Mode::Tolerant);
    save_as(&folder.join("walk.amc"), &walk, &walk.clip, false).unwrap();
    read(&folder.join("walk.amc"), Mode::Tolerant)
}

fn save_as(path: &Path, import: &Import, clip: &Clip, force: bool) -> Result<Encoded, FormatError> {
    let encoded = export::encode(path, clip, Some(import), import.frame(), &WriteOptions::default())?;
    export::save(&encoded, force).map(|()| encoded)
}

/// An AMC alone cannot be opened: wherever it goes, readers find its skeleton.
#[test]
fn motions_take_their_skeleton_along() {
    let folder = tempfile::tempdir().unwrap();
    let import = walk_pair(folder.path());
    let asf = std::fs::read(folder.path().join("walk.asf")).unwrap();
    let there = folder.path().join("there");
    std::fs::create_dir(&there).unwrap();
    // A subject's takes share its skeleton, and others find it as long as it is the only one.
    for (name, skeleton, written) in [
        ("07_01.amc", "07.asf", 2),
        ("07_02.amc", "07.asf", 1),
        ("dance.amc", "07.asf", 1),
        ("slow_walk.amc", "07.asf", 1),
    ] {
        let encoded = save_as(&there.join(name), &import, &import.clip, false).unwrap();
        assert!(encoded.identical && encoded.files.len() == written, "{name}");
        assert_eq!(std::fs::read(there.join(skeleton)).unwrap(), asf);
        assert_eq!(read(&there.join(name), Mode::Tolerant).clip, import.clip);
    }
    // Beside another skeleton of the same name: refused without force, and nothing is left half done.
    std::fs::write(there.join("jump.asf"), "another").unwrap();
    let refused = save_as(&there.join("jump.amc"), &import, &import.clip, false).unwrap_err();
    assert!(matches!(refused, FormatError::Exists { .. }), "{refused}");
    assert!(!there.join("jump.amc").exists());
    save_as(&there.join("jump.amc"), &import, &import.clip, true).unwrap();
    assert_eq!(read(&there.join("jump.amc"), Mode::Tolerant).clip, import.clip);
    // The one of its number is another now: it gets its own.
    std::fs::write(there.join("07.asf"), "another").unwrap();
    save_as(&there.join("07_03.amc"), &import, &import.clip, false).unwrap();
    assert_eq!(std::fs::read(there.join("07_03.asf")).unwrap(), asf);
}

#[test]
fn an_edited_skeleton_makes_a_new_pair() {
    let folder = tempfile::tempdir().unwrap();
    let import = walk_pair(folder.path());
    let giant = edit::scale(&import.clip, 2.0).unwrap();
    let encoded = save_as(&folder.path().join("giant.amc"), &import, &giant, false).unwrap();
    assert!(encoded.notes.iter().any(|note| note.code == "EXP-N002"), "{:?}", encoded.notes);
    let read_back = read(&folder.path().join("giant.amc"), Mode::Tolerant);
    let height_m = |clip: &Clip| clip.skeleton().joints().iter().map(|joint| joint.offset_m.length()).sum::<f64>();
    assert!((height_m(&read_back.clip) / height_m(&import.clip) - 2.0).abs() < 1e-9);
}

/// Bones that the writer adds between joints carry no role, and the person stays as tall.
#[test]
fn roles_and_stature_survive_acclaim() {
    let folder = tempfile::tempdir().unwrap();
    let pair = walk_pair(folder.path());
    let walk = read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/walk.bvh"), Mode::Tolerant);
    let stature_m = |import: &Import| stature::of_clip(&import.clip, &import.roles).unwrap().metres;
    assert!((stature_m(&pair) / stature_m(&walk) - 1.0).abs() < 1e-6, "{} {}", stature_m(&pair), stature_m(&walk));
    for joint in walk.clip.skeleton().ids() {
        let name = if joint.index() == 0 { "root" } else { &walk.clip.skeleton().joint(joint).name };
        let twin = pair.clip.skeleton().find(name).unwrap();
        assert_eq!(pair.roles.role(twin), walk.roles.role(joint), "{name}");
    }
}
