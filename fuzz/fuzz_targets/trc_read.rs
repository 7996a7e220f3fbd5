//! TRC: reading never panics; markers are whole frames of finite places, and the person they make, if any, can be
//! posed.
#![no_main]

use aplomb_formats::opensim::trc;
use aplomb_fuzz::{check_clip, check_messages, every_mode};
use aplomb_motion::markers::person_clip;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    for options in every_mode() {
        let mut notes = Vec::new();
        let read = trc::parse(data, &options, &mut notes);
        check_messages(&notes, read.as_ref().err().map(|error| &**error));
        let Ok(file) = read else { continue };
        let markers = file.markers;
        assert_eq!(markers.positions_m.len(), markers.frames() * markers.names.len());
        assert!(markers.rate_hz.is_finite() && markers.rate_hz > 0.0);
        if let Ok(person) = person_clip(&markers) {
            check_clip(&person.clip);
        }
    }
});
