//! Places in damaged files.
#![no_main]

use aplomb_formats::diagnostic::{Place, shown};

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let place = Place::locate(data, data.len() / 2);
    assert!(place.line >= 1 && place.column >= 1);
    assert!(!shown(data).bytes().any(|byte| byte.is_ascii_control()));
});
