//! FBX: reading never panics and gives a clip that can be posed. The C code of ufbx counts its branches and traps on
//! undefined behaviour (`fuzz/src/coverage.c`, `cargo xtask fuzz`).
#![no_main]

use aplomb_formats::fbx::read;
use aplomb_fuzz::{check_clip, check_messages, every_mode};

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    for options in every_mode() {
        let mut notes = Vec::new();
        let file = read(data, &options, &mut notes);
        check_messages(&notes, file.as_ref().err().map(|error| &**error));
        if let Ok(file) = file {
            check_clip(&file.clip);
        }
    }
});
