//! Every code of the GLB writer and of the glTF reader (from 010), in one place.

/// Code and meaning. `E` stops, `W` is a loss, `N` is worth knowing.
pub const TABLE: &[(&str, &str)] = &[
    ("GLB-E001", "the clip has more joints than a skin can hold"),
    ("GLB-E002", "the file would be larger than 4 GiB, the most that a GLB can hold"),
    ("GLB-E003", "a length cannot be held in single precision, or is not a number"),
    ("GLB-E004", "two key times are the same in single precision"),
    ("GLB-E005", "the description cannot be written as JSON"),
    ("GLB-E006", "a rotation is not of unit length"),
    ("GLB-E010", "the file is no glTF of version 2"),
    ("GLB-E011", "the container is cut or contradicts itself: lengths, chunks"),
    ("GLB-E012", "the JSON is not that of a glTF"),
    ("GLB-E013", "a limit is exceeded: nodes, nesting, name length"),
    ("GLB-E014", "an accessor lies outside of the file, overlaps itself, is not aligned or of an unknown type"),
    ("GLB-E015", "nodes make no tree: cycles, two parents, children that are not there"),
    (
        "GLB-E016",
        "a channel, a sampler, a joint or a bone points at something that is not there, or twice at one thing",
    ),
    ("GLB-E017", "key times are missing, not finite, or do not rise"),
    ("GLB-E018", "the values of a sampler are of the wrong type, or not as many as its keys"),
    ("GLB-E019", "a place, turn or scale cannot be used: not finite, of length zero, singular, mirrored, sheared"),
    ("GLB-E020", "something above a joint changes its size, or is scaled differently in different directions"),
    ("GLB-E021", "a buffer names a file outside of the asset's folder, or one that is not there; nothing was opened"),
    ("GLB-E022", "the bytes of a buffer are missing, too few, or no base64"),
    ("GLB-E023", "there is no motion"),
    ("GLB-E024", "key times span more frames than a file of this size may bring"),
    ("GLB-E025", "keys are compressed by an extension that is not read"),
    ("GLB-E026", "the values make no clip: lengths overflow"),
    ("GLB-E027", "there is no animation of this name or number"),
    ("GLB-W001", "the clip is longer than ten minutes, and key times lose precision"),
    ("GLB-W002", "the motion is so far from the origin that positions lose precision"),
    ("GLB-W010", "there are several animations; the first was read"),
    ("GLB-W011", "something animated is no joint (faces, cameras, props) and was left out"),
    ("GLB-W012", "keys do not fall on even frames; the motion was sampled, with this deviation"),
    ("GLB-N001", "joints were renamed: names of nodes are unique and not empty"),
    ("GLB-N002", "the clip has no frame, so there is no animation"),
    ("GLB-N011", "what stands above the root (scale, turn) was made part of it"),
    ("GLB-N012", "nodes without names were called node_N"),
    ("GLB-N013", "the roles are VRM's own"),
    ("GLB-N014", "the file says no rate, or has few keys; a usual rate was taken"),
];

#[cfg(test)]
mod tests {
    use super::TABLE;
    use std::collections::BTreeSet;

    #[test]
    fn the_table_holds_exactly_the_codes_in_use() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/gltf");
        let mut used = BTreeSet::new();
        let reader = folder.join("read");
        for entry in [folder, reader].iter().flat_map(|folder| std::fs::read_dir(folder).unwrap()) {
            let path = entry.unwrap().path();
            let file = path.file_name().unwrap().to_string_lossy().into_owned();
            if path.is_dir() || file == "codes.rs" || file.ends_with("tests.rs") || file == "hostile.rs" {
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
