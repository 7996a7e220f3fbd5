//! BVH: reading never panics, and what was read can be posed.
#![no_main]

use aplomb_formats::bvh::BvhDocument;
use aplomb_fuzz::{check_clip, check_messages, every_mode};
use aplomb_motion::FrameOfReference;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    for options in every_mode() {
        let mut notes = Vec::new();
        let document = BvhDocument::parse(data.to_vec(), &options, &mut notes);
        check_messages(&notes, document.as_ref().err().map(|error| &**error));
        let Ok(document) = document else { continue };
        let Ok(clip) = document.to_clip(FrameOfReference::INTERNAL) else { continue };
        check_clip(&clip);
    }
});
