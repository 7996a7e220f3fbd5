//! Fits of clips to dynamics, kept in the user's cache folder: the same clip, body and contacts need not be fitted
//! again.
//!
//! A file's name is the hash of what it was made from, its first 32 bytes are the hash of the rest. Nothing depends on
//! it: a file that is missing, damaged or of another version means that the clip is fitted anew, and one that cannot be
//! written is not written.

use aplomb_analysis::{ContactAnalysis, Take};
use aplomb_formats::atomic;
use aplomb_physics::{Body, PhysicsError};
use sha2::{Digest, Sha256};
use std::fmt::{self, Write as _};
use std::path::{Path, PathBuf};

/// So many fits are kept; the oldest go. One has 100 to 200 kB.
const MOST_FILES: usize = 256;
/// A file that is larger is none of ours.
const MOST_BYTES: u64 = 1 << 26;

/// Where one clip's fit is kept.
pub(super) struct FitCache {
    folder: PathBuf,
    file: PathBuf,
}

impl FitCache {
    /// `cache` is the user's cache folder for Aplomb.
    pub fn of(cache: &Path, take: &Take, contacts: &ContactAnalysis) -> Result<Self, PhysicsError> {
        let mut hash = Hashed(Sha256::new());
        hash_all(&mut hash, take, take.body()?, contacts);
        let name: String = hash.0.finalize().iter().take(20).map(|byte| format!("{byte:02x}")).collect();
        let folder = cache.join("fits");
        Ok(Self { file: folder.join(format!("{name}.fit")), folder })
    }

    /// What was stored, if it is whole.
    pub fn load(&self) -> Option<Vec<u8>> {
        let is_ours = std::fs::metadata(&self.file).is_ok_and(|it| it.is_file() && it.len() <= MOST_BYTES);
        let bytes = is_ours.then(|| std::fs::read(&self.file).ok()).flatten()?;
        let (sum, rest) = bytes.split_at_checked(32)?;
        (sum == Sha256::digest(rest).as_slice()).then(|| rest.to_vec())
    }

    /// Stores it, and drops the oldest where there are too many.
    pub fn store(&self, bytes: &[u8]) {
        if std::fs::create_dir_all(&self.folder).is_err() {
            return;
        }
        let mut all = Sha256::digest(bytes).to_vec();
        all.extend_from_slice(bytes);
        let _ = atomic::write(&self.file, &all, true);
        self.drop_oldest();
    }

    fn drop_oldest(&self) {
        let Ok(entries) = std::fs::read_dir(&self.folder) else { return };
        let is_fit = |path: &Path| path.extension().is_some_and(|extension| extension == "fit");
        let mut files: Vec<(std::time::SystemTime, PathBuf)> = entries
            .filter_map(|entry| {
                let entry = entry.ok()?;
                let path = entry.path();
                is_fit(&path).then_some((entry.metadata().ok()?.modified().ok()?, path))
            })
            .collect();
        files.sort();
        let over = files.len().saturating_sub(MOST_FILES);
        for (_, path) in files.into_iter().take(over) {
            let _ = std::fs::remove_file(path);
        }
    }
}

/// Everything that a fit depends on. Debug tells every number exactly; whole clips and roles have tables in them whose
/// order is by chance.
fn hash_all(hash: &mut Hashed, take: &Take, body: &Body, contacts: &ContactAnalysis) {
    let (clip, roles) = (take.clip(), take.roles());
    let _ = write!(hash, "{}|{:?}|{}|", env!("CARGO_PKG_VERSION"), clip.timeline(), clip.frame_count());
    for (id, joint) in clip.skeleton().ids().zip(clip.skeleton().joints()) {
        let _ = write!(hash, "{joint:?}|{:?}|{:?}|{:?}|", clip.skeleton().parent(id), roles.role(id), body.link(id));
    }
    for rotation in clip.rotations() {
        rotation.to_array().iter().for_each(|number| hash.0.update(number.to_le_bytes()));
    }
    for track in clip.tracks() {
        let _ = write!(hash, "{:?}|", track.joint);
        for place in &track.positions_m {
            place.to_array().iter().for_each(|number| hash.0.update(number.to_le_bytes()));
        }
    }
    let _ = write!(hash, "{:?}|{:?}|{contacts:?}", roles.plan(), body.stature_m());
}

/// Text that is not kept, only hashed.
struct Hashed(Sha256);

impl fmt::Write for Hashed {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0.update(text.as_bytes());
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cache(folder: &Path, name: &str) -> FitCache {
        let folder = folder.join("fits");
        FitCache { file: folder.join(format!("{name}.fit")), folder }
    }

    #[test]
    fn what_was_stored_comes_back_and_damage_is_seen() {
        let folder = tempfile::tempdir().unwrap();
        let cache = cache(folder.path(), "a");
        assert_eq!(cache.load(), None);
        cache.store(b"a fit");
        assert_eq!(cache.load().as_deref(), Some(&b"a fit"[..]));
        let mut bytes = std::fs::read(&cache.file).unwrap();
        *bytes.last_mut().unwrap() ^= 1;
        std::fs::write(&cache.file, &bytes).unwrap();
        assert_eq!(cache.load(), None);
        std::fs::write(&cache.file, b"short").unwrap();
        assert_eq!(cache.load(), None);
    }

    #[test]
    fn the_same_clip_has_the_same_name_and_another_one_another() {
        let folder = Path::new("cache");
        let file = |name: &str| {
            let take = Take::of_clip(aplomb_builtins::clip(name).unwrap());
            let contacts = take.inspection().unwrap().contacts.clone();
            FitCache::of(folder, &take, &contacts).unwrap().file
        };
        // Made anew: tables of names lie in another order each time.
        assert_eq!(file("short-jump"), file("short-jump"));
        assert_ne!(file("short-jump"), file("long-jump"));
    }

    #[test]
    fn the_oldest_go() {
        let folder = tempfile::tempdir().unwrap();
        for index in 0..MOST_FILES + 3 {
            cache(folder.path(), &format!("{index:04}")).store(b"x");
        }
        let left = std::fs::read_dir(folder.path().join("fits")).unwrap().count();
        assert_eq!(left, MOST_FILES);
        assert!(cache(folder.path(), &format!("{:04}", MOST_FILES + 2)).load().is_some());
    }
}
