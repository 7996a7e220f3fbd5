//! Every code of the npz reader and writer, in one place.

/// Code and meaning. `E` stops, `W` is a loss or a guess, `N` is worth knowing.
pub const TABLE: &[(&str, &str)] = &[
    ("NPZ-E001", "the file is no zip archive of arrays, or is damaged"),
    ("NPZ-E002", "a limit is exceeded: members, unpacked bytes, how much a member grows"),
    ("NPZ-E003", "the header of an array is not that of NumPy"),
    ("NPZ-E004", "an array has a shape that its bytes do not fill"),
    ("NPZ-E005", "an array holds pickled objects, or numbers of a type that is not read"),
    ("NPZ-E006", "there are no poses: the file holds no motion"),
    ("NPZ-E007", "poses or trans have a shape that no SMPL model has"),
    ("NPZ-E008", "poses and trans have different numbers of frames, or none"),
    ("NPZ-E009", "the frame rate is missing or absurd"),
    ("NPZ-E010", "a pose or a place is not finite"),
    ("NPZ-E011", "the file of offsets is no JSON of joints, or lacks some"),
    ("NPZ-E012", "the skeleton is not SMPL's, so its rotations are not SMPL poses"),
    ("NPZ-E013", "the archive cannot be written"),
    ("NPZ-W001", "the skeleton is a template: the file has none, and the licensed body model is not used"),
    ("NPZ-W002", "joints that SMPL-H does not have were left out"),
    ("NPZ-W003", "members of the source that the writer does not know, or jaw and eyes, were left out"),
    ("NPZ-N001", "what the file says about the person: model, gender"),
];

#[cfg(test)]
mod tests {
    use super::TABLE;
    use std::collections::BTreeSet;

    #[test]
    fn the_table_holds_exactly_the_codes_in_use() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/npz");
        let mut used = BTreeSet::new();
        for file in ["mod.rs", "npy.rs", "archive.rs", "skeleton.rs", "write.rs"] {
            let text = std::fs::read_to_string(folder.join(file)).unwrap();
            used.extend(text.split('"').filter(|word| word.len() == 8 && word.starts_with("NPZ-")).map(str::to_owned));
        }
        let table: BTreeSet<String> = TABLE.iter().map(|(code, _)| (*code).to_owned()).collect();
        assert_eq!(table.len(), TABLE.len(), "a code stands twice");
        assert_eq!(used, table);
    }
}
