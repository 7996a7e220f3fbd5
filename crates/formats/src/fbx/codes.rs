//! Every code of the FBX reader, in one place.

/// Code and meaning. `E` stops, `W` is a loss, `N` is worth knowing.
pub const TABLE: &[(&str, &str)] = &[
    ("FBX-E001", "the file is no FBX, or is cut or damaged"),
    ("FBX-E002", "a limit is exceeded: memory, nodes, nesting, name length"),
    ("FBX-E003", "there is no motion"),
    ("FBX-E004", "there is no animation of this name or number"),
    ("FBX-E005", "nodes make no tree"),
    ("FBX-E006", "key times are missing, not finite, or do not rise"),
    ("FBX-E007", "a place, turn or scale cannot be used: not finite, of length zero, mirrored"),
    ("FBX-E008", "something above a joint changes its size, or is scaled differently in different directions"),
    ("FBX-E009", "key times span more frames than a file of this size may bring"),
    ("FBX-E010", "the values make no clip: lengths overflow"),
    ("FBX-E011", "this build reads no FBX"),
    ("FBX-W001", "there are several animations; the first was read"),
    ("FBX-W002", "something animated is no joint (cameras, props) and was left out"),
    ("FBX-W003", "keys do not fall on even frames; the motion was sampled, with this deviation"),
    ("FBX-N001", "what stands above the root (scale, turn) was made part of it"),
    ("FBX-N002", "nodes without names were called node_N"),
    ("FBX-N003", "the file says no rate, or has few keys; a usual rate was taken"),
];

/// What the part that both formats share says, under a name of FBX.
#[cfg(feature = "fbx")]
const SHARED: [(&str, &str); 13] = [
    ("GLB-E013", "FBX-E002"),
    ("GLB-E015", "FBX-E005"),
    ("GLB-E017", "FBX-E006"),
    ("GLB-E019", "FBX-E007"),
    ("GLB-E020", "FBX-E008"),
    ("GLB-E023", "FBX-E003"),
    ("GLB-E024", "FBX-E009"),
    ("GLB-E026", "FBX-E010"),
    ("GLB-W011", "FBX-W002"),
    ("GLB-W012", "FBX-W003"),
    ("GLB-N011", "FBX-N001"),
    ("GLB-N012", "FBX-N002"),
    ("GLB-N014", "FBX-N003"),
];

#[cfg(feature = "fbx")]
pub(super) fn of_fbx(code: &'static str) -> &'static str {
    SHARED.iter().find(|(shared, _)| *shared == code).map_or(code, |(_, ours)| ours)
}

#[cfg(all(test, feature = "fbx"))]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn words(file: &str, prefix: &str) -> BTreeSet<String> {
        let text =
            std::fs::read_to_string(std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join(file)).unwrap();
        text.split('"').filter(|word| word.len() == 8 && word.starts_with(prefix)).map(str::to_owned).collect()
    }

    #[test]
    fn the_table_holds_exactly_the_codes_in_use() {
        let mut used: BTreeSet<String> = SHARED.iter().map(|(_, ours)| (*ours).to_owned()).collect();
        used.extend(["fbx/mod.rs", "fbx/read.rs"].iter().flat_map(|file| words(file, "FBX-")));
        let table: BTreeSet<String> = TABLE.iter().map(|(code, _)| (*code).to_owned()).collect();
        assert_eq!(table.len(), TABLE.len(), "a code stands twice");
        assert_eq!(used, table);
    }

    #[test]
    fn whatever_the_shared_part_says_has_a_name_of_fbx() {
        let shared = ["gltf/read/tree.rs", "gltf/read/bake.rs", "gltf/read/times.rs", "gltf/read/scene.rs"];
        for code in shared.iter().flat_map(|file| words(file, "GLB-")) {
            assert!(SHARED.iter().any(|(glb, _)| *glb == code), "{code}");
        }
    }
}
