//! glTF: reading never panics, opens no other file, and gives a clip that can be posed; what is read can be written and
//! read again.
#![no_main]

use aplomb_formats::gltf::{About, read, write};
use aplomb_fuzz::{check_clip, check_messages, check_same_motion, every_mode};
use aplomb_motion::Roles;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    for options in every_mode() {
        let mut notes = Vec::new();
        let file = read::read(data, None, &options, &mut notes);
        check_messages(&notes, file.as_ref().err().map(|error| &**error));
        let Ok(file) = file else { continue };
        check_clip(&file.clip);
        // Refused where single precision cannot hold it.
        let Ok(bytes) = write(&file.clip, &Roles::detect(&file.clip), &About::default(), &mut Vec::new()) else {
            continue;
        };
        let again = read::read(&bytes, None, &options, &mut Vec::new()).expect("we read what we wrote");
        // Single precision, down chains of any length the fuzzer finds.
        check_same_motion(&file.clip, &again.clip, 1e-3);
    }
});
