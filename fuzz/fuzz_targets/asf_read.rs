//! ASF: reading a skeleton never panics, and gives back the bytes it was made of.
#![no_main]

use aplomb_formats::asf_amc::AsfDocument;
use aplomb_fuzz::{check_messages, every_mode};

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    for options in every_mode() {
        let mut notes = Vec::new();
        let document = AsfDocument::parse(data.to_vec(), &options, &mut notes);
        check_messages(&notes, document.as_ref().err().map(|error| &**error));
        let Ok(document) = document else { continue };
        assert_eq!(document.bytes(), data);
        // Bones outside the hierarchy are told and left out.
        assert!(document.order().len() <= document.bones().len());
    }
});
