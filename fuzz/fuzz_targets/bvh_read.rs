//! BVH: reading never panics; what was read can be posed, an unedited motion is written back to the byte, and one
//! written anew is the same motion.
#![no_main]

use aplomb_formats::bvh::BvhDocument;
use aplomb_formats::{Mode, ReadOptions, WriteOptions};
use aplomb_fuzz::{check_clip, check_messages, check_same_motion, every_mode};
use aplomb_motion::FrameOfReference;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    for options in every_mode() {
        let mut notes = Vec::new();
        let document = BvhDocument::parse(data.to_vec(), &options, &mut notes);
        check_messages(&notes, document.as_ref().err().map(|error| &**error));
        let Ok(document) = document else { continue };
        let Ok(clip) = document.to_clip(FrameOfReference::INTERNAL) else { continue };
        check_clip(&clip);

        let write = |options| document.write(&clip, FrameOfReference::INTERNAL, &options, &mut Vec::new());
        let unedited = write(WriteOptions::default()).expect("what was read can be written");
        if options.mode != Mode::Salvage {
            assert_eq!(unedited, data);
        }

        let anew = WriteOptions { canonical: true, full_precision: true, ..WriteOptions::default() };
        let anew = write(anew).expect("what was read can be written anew");
        let again = BvhDocument::parse(anew, &ReadOptions::default(), &mut Vec::new()).expect("we read what we wrote");
        let again = again.to_clip(FrameOfReference::INTERNAL).expect("the same motion");
        check_same_motion(&clip, &again, 1e-6);
    }
});
