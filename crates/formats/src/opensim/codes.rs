//! Every code of the TRC and MOT readers, in one place.

/// Code and meaning. `E` stops, `W` was tolerated (an error in strict mode), `N` is worth knowing.
pub const TABLE: &[(&str, &str)] = &[
    ("TRC-E001", "the file is empty"),
    ("TRC-E002", "the file is larger than the limit"),
    ("TRC-E003", "the file is not plain text (UTF-16, NUL bytes, another format)"),
    ("TRC-E004", "the file is not TRC: it does not begin with PathFileType"),
    ("TRC-E005", "the header is cut, or its line of marker names is missing"),
    ("TRC-E006", "the unit of lengths is missing or unknown"),
    ("TRC-E007", "a cell is not a finite number"),
    ("TRC-E008", "a row has more cells than there are markers, or no time"),
    ("TRC-E009", "a limit is exceeded: markers, name length, number length"),
    ("TRC-E010", "there is no frame"),
    ("TRC-E011", "the frame rate is missing and the times do not give one"),
    ("TRC-W001", "the declared number of markers is not the number of names; the names count"),
    ("TRC-W002", "the declared number of frames is not the number of rows; the rows count"),
    ("TRC-W003", "the declared rate does not fit the column of times; the times count"),
    ("TRC-W004", "rows end early; the markers beyond are missing there"),
    ("TRC-W005", "two markers have the same name; the first answers to it"),
    ("TRC-W006", "markers exactly at the origin are taken as missing"),
    ("TRC-W007", "a marker lacks one or two of its three coordinates and is taken as missing"),
    ("TRC-W008", "the file is damaged; the whole rows before the damage were kept"),
    ("TRC-W009", "the line of coordinate labels (X1 Y1 Z1 …) is missing"),
    ("TRC-N001", "a byte order mark was skipped"),
    ("MOT-E001", "the file is empty"),
    ("MOT-E002", "the file is larger than the limit"),
    ("MOT-E003", "the file is not plain text (UTF-16, NUL bytes, another format)"),
    ("MOT-E004", "the file is no OpenSim storage: there is no endheader line"),
    ("MOT-E005", "the line of column names is missing, or has no time"),
    ("MOT-E007", "a cell is not a number"),
    ("MOT-E008", "a row has too few or too many cells"),
    ("MOT-E009", "a limit is exceeded: columns, name length, number length"),
    ("MOT-E010", "there is no row"),
    ("MOT-E011", "the times do not rise"),
    ("MOT-W001", "the declared number of rows is not the number of rows; the rows count"),
    ("MOT-W002", "the declared number of columns is not the number of names; the names count"),
    ("MOT-W003", "two columns have the same name"),
    ("MOT-W004", "the file is damaged; the whole rows before the damage were kept"),
    ("MOT-N001", "a byte order mark was skipped"),
];

#[cfg(test)]
mod tests {
    use super::TABLE;
    use std::collections::BTreeSet;

    #[test]
    fn the_table_holds_exactly_the_codes_in_use() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/opensim");
        let mut used = BTreeSet::new();
        for file in ["trc.rs", "mot.rs"] {
            let text = std::fs::read_to_string(folder.join(file)).unwrap();
            let quoted = text.split('"').filter(|word| word.len() == 8);
            used.extend(quoted.filter(|word| word.starts_with("TRC-") || word.starts_with("MOT-")).map(str::to_owned));
        }
        let table: BTreeSet<String> = TABLE.iter().map(|(code, _)| (*code).to_owned()).collect();
        assert_eq!(table.len(), TABLE.len(), "a code stands twice");
        assert_eq!(used, table);
    }
}
