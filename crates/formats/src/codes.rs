//! Codes that belong to no single format: files as such, unit and up axis, the roles file. Readers have tables of their
//! own.

/// Code and meaning.
pub const TABLE: &[(&str, &str)] = &[
    ("IMP-E001", "the file is larger than the limit"),
    ("IMP-E002", "the frame rate is unusable"),
    ("IMP-E003", "lengths overflow in metres"),
    ("IMP-E004", "markers that make no person"),
    ("IMP-E005", "a place or a number that no motion has"),
    ("IMP-W001", "an AMC stores no frame rate; 120 Hz is assumed"),
    ("IMP-W002", "gravity proves the header's frame rate wrong; it was corrected, as asked"),
    ("IMP-W003", "a skeleton was given for a file that brings its own"),
    ("IMP-W004", "gravity proves the frame rate wrong; it was left as it is, because no time was edited"),
    ("IMP-W005", "a marker could not be used"),
    ("IMP-N001", "a skeleton without motion is shown as one frame at rest"),
    ("IMP-N002", "a person was made of markers"),
    ("IMP-N003", "unit and up axis are stated beside the file"),
    ("IMP-N004", "the frame rate is stated beside the file"),
    ("EXP-E001", "an AMC cannot be read back without its ASF"),
    ("EXP-E002", "an unexpected number of files was to be written"),
    ("EXP-E003", "the clip has uneven key times"),
    ("EXP-W001", "an edited glTF is written anew: the motion is kept, its meshes and materials are not"),
    (
        "EXP-W002",
        "an AMC has no field for the frame rate, and that of the motion is not the 120 Hz which programs take",
    ),
    ("EXP-N001", "the body is small against the unit, so all digits are written"),
    ("EXP-N002", "the skeleton was edited, so a new ASF is written beside the AMC"),
    ("EXP-N003", "a model of MuJoCo holds the body; the motion is left out"),
    ("FRM-W001", "the body's stature fits no unit; metres are taken"),
    ("FRM-W002", "the up axis is doubtful"),
    ("FRM-W003", "the unit given or stated makes a giant or a toy of the body"),
    ("FRM-N001", "the unit was guessed from the stature"),
    ("FRM-N002", "the up axis was guessed from head and feet"),
    ("FRM-N003", "the unit is unknown; metres are taken"),
    ("FRM-N004", "the up axis is unknown; Y is taken"),
    ("ROL-E001", "a roles file is not UTF-8"),
    ("ROL-E002", "a roles file is not TOML"),
    ("ROL-E003", "a roles file has no [roles] table, or something beside it"),
    ("ROL-E004", "a roles file names a joint that the skeleton lacks"),
    ("ROL-E005", "a roles file names a role that does not exist"),
    ("ROL-E006", "a roles file gives one role to two joints"),
    ("ROL-E007", "a roles file names a joint twice"),
];

#[cfg(test)]
mod tests {
    use super::TABLE;
    use std::collections::BTreeSet;
    use std::path::Path;

    /// A code that is used and not listed, or listed and not used, shows here.
    #[test]
    fn the_table_holds_just_the_codes_in_use() {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        let files = [
            "absurd.rs",
            "import.rs",
            "export.rs",
            "frame_guess.rs",
            "frame_guess/up.rs",
            "limited.rs",
            "roles_file.rs",
        ];
        let mut used = BTreeSet::new();
        for file in files {
            let text = std::fs::read_to_string(source.join(file)).unwrap();
            for (at, _) in text.match_indices('"') {
                let code = text.get(at + 1..at + 9).unwrap_or("");
                if ["IMP-", "EXP-", "FRM-", "ROL-"].iter().any(|prefix| code.starts_with(prefix)) {
                    used.insert(code.to_owned());
                }
            }
        }
        let listed: BTreeSet<String> = TABLE.iter().map(|(code, _)| (*code).to_owned()).collect();
        assert_eq!(used, listed);
        assert_eq!(listed.len(), TABLE.len(), "a code stands twice");
    }
}
