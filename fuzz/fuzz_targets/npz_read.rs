//! npz: reading never panics or unpickles, and gives a clip that can be posed; SMPL poses that were read can be written
//! and read again.
#![no_main]

use aplomb_formats::npz;
use aplomb_fuzz::{check_clip, check_messages, check_same_motion, every_mode};

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    for options in every_mode() {
        let mut notes = Vec::new();
        let read = npz::read(data, None, &options, &mut notes);
        check_messages(&notes, read.as_ref().err().map(|error| &**error));
        let Ok(file) = read else { continue };
        check_clip(&file.clip);
        let Ok(bytes) = npz::write(&file.clip, &mut Vec::new()) else { continue };
        let again = npz::read(&bytes, None, &options, &mut Vec::new()).expect("we read what we wrote");
        if again.clip.skeleton().len() == file.clip.skeleton().len() {
            check_same_motion(&file.clip, &again.clip, 1e-6);
        }
    }
});
