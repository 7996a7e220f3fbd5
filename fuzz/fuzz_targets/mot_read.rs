//! MOT: reading never panics; times rise, and force plates have one value a row.
#![no_main]

use aplomb_formats::opensim::{force_plates, mot};
use aplomb_fuzz::{check_messages, every_mode};

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    for options in every_mode() {
        let mut notes = Vec::new();
        let read = mot::parse(data, &options, &mut notes);
        check_messages(&notes, read.as_ref().err().map(|error| &**error));
        let Ok(table) = read else { continue };
        assert!(table.times_secs.windows(2).all(|pair| pair[0] < pair[1]));
        for plate in force_plates(&table) {
            assert_eq!((plate.force_n.len(), plate.point_m.len()), (table.rows(), table.rows()));
        }
    }
});
