//! Every code of the C3D reader, in one place.

/// Code and meaning. `E` stops, `W` was tolerated (an error in strict mode), `N` is worth knowing.
pub const TABLE: &[(&str, &str)] = &[
    ("C3D-E001", "the file is empty or larger than the limit"),
    ("C3D-E002", "the file is no C3D: the key 0x50 is missing"),
    ("C3D-E003", "the parameter section lies outside of the file, or is of an unknown processor"),
    ("C3D-E004", "a parameter is cut, or its sizes do not fit into the file"),
    ("C3D-E005", "the data section lies outside of the file, or is shorter than its frames"),
    ("C3D-E006", "the frame numbers contradict each other"),
    ("C3D-E007", "a limit is exceeded: points, name length"),
    ("C3D-E008", "there is no frame, or there are no points"),
    ("C3D-E009", "the frame rate is missing or absurd"),
    ("C3D-E010", "the unit of lengths is unknown"),
    ("C3D-E011", "the scale of points is missing, zero or not finite"),
    ("C3D-E012", "a force plate names channels, corners or a matrix that are not there"),
    ("C3D-W001", "a parameter stands twice; the first counts"),
    ("C3D-W002", "the file is cut; the whole frames before the cut were kept"),
    ("C3D-W003", "a marker has a name that another has too"),
    ("C3D-W004", "force plates cannot be used; the markers can"),
    ("C3D-W005", "a plate is of a type that only its maker knows; its channels are kept, no force is made of them"),
    ("C3D-W006", "the analog rate does not fit the number of samples a frame; the samples count"),
    ("C3D-N001", "what else is in the file: analog channels, force plates"),
    ("C3D-N002", "the up axis was taken from force plates, from Y_SCREEN, or as Z"),
];

#[cfg(test)]
mod tests {
    use super::TABLE;
    use std::collections::BTreeSet;

    #[test]
    fn the_table_holds_exactly_the_codes_in_use() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/c3d");
        let mut used = BTreeSet::new();
        for file in ["mod.rs", "parameters.rs", "data.rs", "plates.rs"] {
            let text = std::fs::read_to_string(folder.join(file)).unwrap();
            used.extend(text.split('"').filter(|word| word.len() == 8 && word.starts_with("C3D-")).map(str::to_owned));
        }
        let table: BTreeSet<String> = TABLE.iter().map(|(code, _)| (*code).to_owned()).collect();
        assert_eq!(table.len(), TABLE.len(), "a code stands twice");
        assert_eq!(used, table);
    }
}
