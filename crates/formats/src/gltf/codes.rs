//! Every code of the GLB writer, in one place.

/// Code and meaning. `E` stops, `W` is a loss, `N` is worth knowing.
pub const TABLE: &[(&str, &str)] = &[
    ("GLB-E001", "the clip has more joints than a skin can hold"),
    ("GLB-E002", "the file would be larger than 4 GiB, the most that a GLB can hold"),
    ("GLB-E003", "a length cannot be held in single precision, or is not a number"),
    ("GLB-E004", "two key times are the same in single precision"),
    ("GLB-E005", "the description cannot be written as JSON"),
    ("GLB-E006", "a rotation is not of unit length"),
    ("GLB-W001", "the clip is longer than ten minutes, and key times lose precision"),
    ("GLB-W002", "the motion is so far from the origin that positions lose precision"),
    ("GLB-N001", "joints were renamed: names of nodes are unique and not empty"),
    ("GLB-N002", "the clip has no frame, so there is no animation"),
];

#[cfg(test)]
mod tests {
    use super::TABLE;
    use std::collections::BTreeSet;

    #[test]
    fn the_table_holds_exactly_the_codes_in_use() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/gltf");
        let mut used = BTreeSet::new();
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let file = path.file_name().unwrap().to_string_lossy().into_owned();
            if path.is_dir() || file == "codes.rs" || file.ends_with("tests.rs") {
                continue;
            }
            let text = std::fs::read_to_string(&path).unwrap();
            used.extend(text.split('"').filter(|word| word.len() == 8 && word.starts_with("GLB-")).map(str::to_owned));
        }
        let table: BTreeSet<String> = TABLE.iter().map(|(code, _)| (*code).to_owned()).collect();
        assert_eq!(table.len(), TABLE.len(), "a code stands twice");
        assert_eq!(used, table);
    }
}
