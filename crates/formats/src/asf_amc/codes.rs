//! Every code of the ASF/AMC reader and writer, in one place.

/// Code and meaning. `E` stops, `W` was tolerated (an error in strict mode), `N` is worth knowing.
pub const CODES: &[(&str, &str)] = &[
    ("ASF-E001", "the file is empty"),
    ("ASF-E002", "the file is larger than the limit"),
    ("ASF-E003", "the file is not plain text (UTF-16, NUL bytes, another format)"),
    ("ASF-E004", "a word stands where the grammar has no place for it"),
    ("ASF-E005", "a number is missing, broken, not finite or too long"),
    ("ASF-E006", "a section is missing"),
    ("ASF-E007", "a section stands twice"),
    ("ASF-E008", "a unit is unusable"),
    ("ASF-E009", "a bone is not closed or lacks its name, direction or length"),
    ("ASF-E010", "a bone's name is taken, or is `root`"),
    ("ASF-E011", "a length is negative, or has no direction"),
    ("ASF-E012", "an axis order is not a permutation of X, Y, Z"),
    ("ASF-E013", "a degree of freedom is unknown or repeated"),
    ("ASF-E014", "the hierarchy names a bone that is not in `:bonedata`"),
    ("ASF-E015", "a bone is its own parent"),
    ("ASF-E016", "a bone has two parents"),
    ("ASF-E017", "the hierarchy goes round in a circle"),
    ("ASF-E018", "a limit is exceeded: bones, depth, name length, limits"),
    ("ASF-E019", "the clip has several roots, which ASF cannot hold"),
    ("ASF-E020", "a joint moves against its parent, which ASF cannot hold"),
    ("ASF-W001", "`:version` does not come first"),
    ("ASF-W002", "a unit is missing and was assumed"),
    ("ASF-W004", "a bone has a field of an unknown name"),
    ("ASF-W005", "a direction is not of unit length"),
    ("ASF-W006", "an axis or its order is missing and was assumed"),
    ("ASF-W007", "limits and degrees of freedom differ in number"),
    ("ASF-W008", "limits are reversed"),
    ("ASF-W009", "a bone is not in the hierarchy and was left out"),
    ("ASF-N001", "a byte order mark was skipped"),
    ("ASF-N002", "joints were renamed when writing"),
    ("ASF-N003", "a section of another vendor is kept but not read"),
    ("ASF-N004", "bones without degrees of freedom were added when writing"),
    ("ASF-N005", "a joint got all three rotations when writing"),
    ("AMC-E001", "the file is empty"),
    ("AMC-E002", "the file is larger than the limit"),
    ("AMC-E003", "the file is not plain text (UTF-16, NUL bytes, another format)"),
    ("AMC-E004", "a bone stands before the first frame number"),
    ("AMC-E005", "a row names a bone that the skeleton does not have"),
    ("AMC-E006", "a row has too few or too many values"),
    ("AMC-E007", "a value is not a finite number"),
    ("AMC-E008", "a bone stands twice in a frame"),
    ("AMC-E009", "a frame number is too large"),
    ("AMC-E010", "frames without bones would cost far more memory than the file"),
    ("AMC-E011", "there is no frame"),
    ("AMC-E012", "the clip's skeleton is not the one of the ASF file"),
    ("AMC-E014", "the values make no usable motion (overflow)"),
    ("AMC-E015", "a joint moves against its parent, and the skeleton gives it no translation"),
    ("AMC-W001", "frame numbers do not start at 1; they are kept"),
    ("AMC-W002", "frame numbers do not rise by one; they are kept"),
    ("AMC-W003", "no angle keyword before the first frame; the skeleton's unit is used"),
    ("AMC-W004", "a keyword after the first frame is ignored"),
    ("AMC-W005", "a frame leaves a bone out; its last values are held"),
    ("AMC-W006", "only the last frame leaves bones out: the file may be cut"),
    ("AMC-W008", "a bone's name differs in case from the skeleton's"),
    ("AMC-W009", "a keyword is unknown"),
    ("AMC-W010", "the file is damaged; the whole frames before the damage were kept"),
    ("AMC-W011", "a rotation does not fit the bone's degrees of freedom; the nearest one was written"),
    ("AMC-W012", "a translation does not fit the bone's degrees of freedom; the nearest one was written"),
    ("AMC-W013", "an edited value lies outside the bone's limits; it was written as it is"),
    ("AMC-W014", "values that are not numbers were filled on request"),
    ("AMC-W015", "key times are lost: AMC frames are evenly spaced"),
    ("AMC-N001", "the motion was written anew, not patched"),
    ("AMC-N003", "a byte order mark was skipped"),
];

#[cfg(test)]
mod tests {
    use super::CODES;
    use std::collections::BTreeSet;

    #[test]
    fn the_table_holds_exactly_the_codes_in_use() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/asf_amc");
        let mut used = BTreeSet::new();
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let file = path.file_name().unwrap().to_string_lossy().into_owned();
            if file == "codes.rs" || file.ends_with("tests.rs") {
                continue;
            }
            let text = std::fs::read_to_string(&path).unwrap();
            let quoted = text.split('"').filter(|word| word.len() == 8);
            used.extend(quoted.filter(|word| word.starts_with("ASF-") || word.starts_with("AMC-")).map(str::to_owned));
        }
        let table: BTreeSet<String> = CODES.iter().map(|(code, _)| (*code).to_owned()).collect();
        assert_eq!(table.len(), CODES.len(), "a code stands twice");
        assert_eq!(used, table);
    }
}
