//! Contacts that travel with a clip: `walk.bvh.contacts.toml` beside `walk.bvh`.
//!
//! Bending a way slides feet and tilting it lifts them, so contacts are known from before such an edit and are worse
//! found after it. Within a project they are carried along; between two commands they go through this file. It is a
//! contact file as people know them, with a part that binds it to the bytes of its clip: beside any other motion it
//! means nothing. One rule for every format: of those that are written only some could hold it inside.

use crate::codes;
use crate::error::ProjectError;
use crate::side_text::side_file_text;
use crate::source::{hex_sha256, sha256};
use aplomb_analysis::AnalysisError;
use aplomb_analysis::contacts::{ContactFile, ContactHistory, ContactSource};
use aplomb_editing::finding::Finding;
use aplomb_formats::export::Encoded;
use aplomb_formats::{FileKind, ReadOptions};
use std::path::{Path, PathBuf};

/// What the name of the file has beyond its clip's.
const ENDING: &str = ".contacts.toml";

/// Where the contacts of a clip lie if they travelled with it.
pub fn place_beside(clip: &Path) -> PathBuf {
    let mut name = clip.as_os_str().to_owned();
    name.push(ENDING);
    PathBuf::from(name)
}

/// What lies beside a clip.
#[derive(Clone, Debug, PartialEq)]
pub enum Beside {
    /// Nothing, or a contact file that a person keeps there for `--contacts`.
    Nothing,
    /// Contacts of this very clip.
    Fits(Box<ContactFile>),
    /// Something else: the finding says why it is not used.
    Unfit(Box<Finding>),
}

impl Beside {
    /// Contacts of this very clip.
    pub(crate) fn fitting(self) -> Option<ContactFile> {
        match self {
            Self::Fits(file) => Some(*file),
            _ => None,
        }
    }
}

/// Looks beside a clip whose bytes have this hash.
pub fn look_beside(clip: &Path, sha256: &str) -> Beside {
    let place = place_beside(clip);
    if !place.is_file() {
        return Beside::Nothing;
    }
    let read = || -> Result<ContactFile, ProjectError> {
        let fail = |source| ProjectError::Contacts { path: place.clone(), source };
        ContactFile::from_toml(&side_file_text(&place)?).map_err(fail)
    };
    let unfit = |finding: Finding| Beside::Unfit(Box::new(finding));
    match read() {
        Err(error) => unfit(Finding::of(codes::FILE_BESIDE_BROKEN).value("why", error.to_string())),
        Ok(ContactFile { carried: None, .. }) => Beside::Nothing,
        Ok(ContactFile { carried: Some(ContactHistory { clip_sha256, .. }), .. }) if clip_sha256 != sha256 => {
            unfit(Finding::of(codes::FILE_BESIDE_OF_ANOTHER).value("file", place.display().to_string()))
        }
        Ok(file) => Beside::Fits(Box::new(file)),
    }
}

/// What people should know of the contacts beside a clip that they look at. Looking finds its own contacts, so that no
/// edit is judged by what it says itself.
pub(crate) fn finding_for_lookers(clip: &Path) -> Result<Option<Finding>, ProjectError> {
    let name = place_beside(clip).display().to_string();
    Ok(match beside_file(clip)? {
        // Unit, axes and rate are no news about contacts: the reader says that it took them.
        Beside::Fits(file) if file.carried.as_ref().is_some_and(ContactHistory::is_for_reading_alone) => None,
        Beside::Fits(_) => Some(Finding::of(codes::FILE_BESIDE_LEFT).value("file", name)),
        Beside::Unfit(why) => Some(*why),
        Beside::Nothing => None,
    })
}

/// The same of a file whose hash is not known yet.
pub(crate) fn beside_file(clip: &Path) -> Result<Beside, ProjectError> {
    if !place_beside(clip).is_file() {
        return Ok(Beside::Nothing);
    }
    let sha256 = sha256(clip, &ReadOptions::default())?;
    Ok(sha256.map_or(Beside::Nothing, |sha256| look_beside(clip, &sha256)))
}

/// What is known of the contacts, ground and pace of this very file.
pub fn known_beside(clip: &Path) -> Result<Option<ContactFile>, ProjectError> {
    match crate::source::built_in_name(clip) {
        Some(_) => Ok(None),
        None => Ok(beside_file(clip)?.fitting()),
    }
}

/// The file that goes with an encoded clip, and its text: `None` where nothing was carried, or where no verb reads the
/// format.
pub fn file_for(encoded: &Encoded, carried: Option<&ContactFile>) -> Result<Option<(PathBuf, Vec<u8>)>, ProjectError> {
    let (Some(file), Some((clip, bytes))) = (carried, encoded.files.last()) else { return Ok(None) };
    let Some(carried) = file.carried.as_ref().filter(|_| FileKind::from_path(clip) != Some(FileKind::Usda)) else {
        return Ok(None);
    };
    let carried = ContactHistory { clip_sha256: hex_sha256(bytes), ..carried.clone() };
    let place = place_beside(clip);
    let fail = |source: AnalysisError| ProjectError::Contacts { path: place.clone(), source };
    let text = ContactFile { carried: Some(carried), ..file.clone() }.to_toml().map_err(fail)?;
    if file.carried.as_ref().is_some_and(ContactHistory::is_for_reading_alone) {
        let (what, them) = match file.carried.as_ref().is_some_and(|it| it.frame.is_some()) {
            true => ("Unit and up axis", "them"),
            false => ("Frame rate", "it"),
        };
        let header = format!(
            "# {what} of the clip beside this file, which readers would guess wrongly. `aplomb` uses {them} for as \
             long as the clip stays as it is.\n\n"
        );
        return Ok(Some((place, format!("{header}{text}").into_bytes())));
    }
    let header = "# What the clip beside this file touches, known from before an edit that moved its feet. `aplomb` uses it for as long as the clip stays as it is\n\
                  # (--detect-contacts looks anew). Correct what is wrong and mark it source = \"hand\".\n\n";
    Ok(Some((place, format!("{header}{text}").into_bytes())))
}

/// Refuses to replace contacts beside `clip` without `force`; and, even with it, those that were corrected
/// by hand.
pub fn refuse_existing(clip: &Path, force: bool) -> Result<(), ProjectError> {
    let place = place_beside(clip);
    aplomb_formats::atomic::refuse_existing(&place, force)?;
    let by_hand = side_file_text(&place).ok().and_then(|text| ContactFile::from_toml(&text).ok());
    match by_hand.is_some_and(|file| file.contacts.iter().any(|entry| entry.source == ContactSource::Hand)) {
        false => Ok(()),
        true => Err(aplomb_formats::FormatError::Unsupported {
            path: place,
            reason: "holds contacts that were corrected by hand, and would be replaced; move it, or choose another name for the clip".to_owned(),
        }
        .into()),
    }
}

/// Takes away what is left beside a clip that was just replaced by one without contacts to carry, if it is ours and
/// was not corrected by hand: it belongs to nothing now.
pub fn remove_stale(clip: &Path) {
    let place = place_beside(clip);
    let file = side_file_text(&place).ok().and_then(|text| ContactFile::from_toml(&text).ok());
    let is_ours = |file: &ContactFile| {
        file.carried.is_some() && file.contacts.iter().all(|entry| entry.source == ContactSource::Auto)
    };
    if file.as_ref().is_some_and(is_ours) {
        // If it stays, it is reported and not used.
        let _ = std::fs::remove_file(place);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use aplomb_analysis::contacts::{ContactEntry, ContactKind};

    fn carried_file() -> ContactFile {
        let carried = ContactHistory { through: vec!["arc".into(), "touchup".into()], ..ContactHistory::default() };
        let entry = ContactEntry {
            effector: "left_heel".into(),
            start_secs: 0.1,
            end_secs: 0.5,
            kind: ContactKind::Load,
            source: ContactSource::Auto,
        };
        let (frame_rate_hz, frames) = (Some(120.0), Some(100));
        ContactFile { schema: 1, frame_rate_hz, frames, carried: Some(carried), contacts: vec![entry] }
    }

    #[test]
    fn contacts_belong_to_the_bytes_of_their_clip() {
        let folder = tempfile::tempdir().unwrap();
        let clip = folder.path().join("bent.bvh");
        let encoded = Encoded { files: vec![(clip.clone(), b"motion".to_vec())], notes: Vec::new(), identical: false };
        let (place, text) = file_for(&encoded, Some(&carried_file())).unwrap().unwrap();
        assert_eq!(place, folder.path().join("bent.bvh.contacts.toml"));
        assert_eq!(look_beside(&clip, &hex_sha256(b"motion")), Beside::Nothing, "not there yet");
        std::fs::write(&place, &text).unwrap();
        let Beside::Fits(file) = look_beside(&clip, &hex_sha256(b"motion")) else { panic!("its own clip") };
        assert_eq!(file.contacts, carried_file().contacts);
        assert_eq!(file.carried.as_ref().unwrap().through, ["arc", "touchup"]);
        let Beside::Unfit(why) = look_beside(&clip, &hex_sha256(b"another")) else { panic!("another clip") };
        assert_eq!(why.code, codes::FILE_BESIDE_OF_ANOTHER);
        assert!(format!("{why:?}").contains("bent.bvh.contacts.toml"), "{why:?}");
        // Files of people and files that are broken.
        std::fs::write(&place, "schema = 1\n").unwrap();
        assert_eq!(look_beside(&clip, &hex_sha256(b"motion")), Beside::Nothing);
        for hostile in [
            "schema = 1\n[carried]\nclip_sha256 = \"../..\"",
            "schema = 1\n[carried]\nclip_sha256 = 7",
            &format!("schema = 1\n[carried]\nclip_sha256 = \"{}\"\nthrough = [\"<b>\"]", "0".repeat(64)),
            &format!(
                "schema = 1\n[carried]\nclip_sha256 = \"{}\"\nleft_alone = [{{ reason = \"pull\", start_secs = nan, end_secs = 1.0 }}]",
                "0".repeat(64)
            ),
            "\u{0}",
        ] {
            std::fs::write(&place, hostile).unwrap();
            assert!(matches!(look_beside(&clip, &"0".repeat(64)), Beside::Unfit(_)), "{hostile}");
        }
    }

    #[test]
    fn only_what_nobody_corrected_is_replaced_or_taken_away() {
        let folder = tempfile::tempdir().unwrap();
        let clip = folder.path().join("bent.bvh");
        let place = place_beside(&clip);
        refuse_existing(&clip, false).unwrap();
        let mut file = carried_file();
        file.carried.as_mut().unwrap().clip_sha256 = "0".repeat(64);
        std::fs::write(&place, file.to_toml().unwrap()).unwrap();
        assert!(refuse_existing(&clip, false).is_err());
        refuse_existing(&clip, true).unwrap();
        file.contacts[0].source = ContactSource::Hand;
        std::fs::write(&place, file.to_toml().unwrap()).unwrap();
        assert!(refuse_existing(&clip, true).unwrap_err().to_string().contains("by hand"));
        remove_stale(&clip);
        assert!(place.exists());
        file.contacts[0].source = ContactSource::Auto;
        std::fs::write(&place, file.to_toml().unwrap()).unwrap();
        remove_stale(&clip);
        assert!(!place.exists());
    }
}
