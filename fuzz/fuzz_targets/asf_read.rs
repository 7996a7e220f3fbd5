//! ASF: reading a skeleton never panics and keeps its bytes; a motion of it can be posed, is written back to the byte,
//! and is the same motion when both files are written anew.
#![no_main]

use aplomb_formats::asf_amc::{AmcDocument, AsfAmcDocument, AsfDocument, write_asf};
use aplomb_formats::{ReadOptions, WriteOptions};
use aplomb_fuzz::{check_clip, check_messages, check_same_motion, every_mode};
use aplomb_motion::{FrameOfReference, FrameTime};

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    for options in every_mode() {
        let mut notes = Vec::new();
        let document = AsfDocument::parse(data.to_vec(), &options, &mut notes);
        check_messages(&notes, document.as_ref().err().map(|error| &**error));
        let Ok(asf) = document else { continue };
        assert_eq!(asf.bytes(), data);
        // Bones outside the hierarchy are told and left out.
        assert!(asf.order().len() <= asf.bones().len());
        check_motion_of(asf);
    }
});

fn check_motion_of(asf: AsfDocument) {
    // A motion that names every bone; where a name is no AMC word, or a count does not fit, there is none to check.
    let Ok(amc) = AmcDocument::parse(one_frame(&asf), &asf, &ReadOptions::default(), &mut Vec::new()) else { return };
    let document = AsfAmcDocument { asf, amc };
    let frame_time = FrameTime::from_hz(120.0).expect("a rate");
    let Ok(clip) = document.to_clip(FrameOfReference::INTERNAL, frame_time) else { return };
    check_clip(&clip);
    let write = document.write(&clip, FrameOfReference::INTERNAL, &WriteOptions::default(), &mut Vec::new());
    assert_eq!(write.expect("what was read can be written"), document.amc.bytes());

    let full = WriteOptions { full_precision: true, ..WriteOptions::default() };
    // Refused where ASF cannot hold the figure; then nothing is written.
    let Ok(anew) = write_asf(&clip, FrameOfReference::INTERNAL, &full, &mut Vec::new()) else { return };
    let asf = AsfDocument::parse(anew.asf, &ReadOptions::default(), &mut Vec::new()).expect("we read what we wrote");
    let amc =
        AmcDocument::parse(anew.amc, &asf, &ReadOptions::default(), &mut Vec::new()).expect("we read what we wrote");
    let again = AsfAmcDocument { asf, amc };
    let again = again.to_clip(FrameOfReference::INTERNAL, frame_time).expect("the same motion");
    if again.skeleton().len() == clip.skeleton().len() {
        check_same_motion(&clip, &again, 1e-6);
    }
}

fn one_frame(asf: &AsfDocument) -> Vec<u8> {
    let mut text = String::from(":FULLY-SPECIFIED\n:DEGREES\n1\n");
    for &bone in asf.order() {
        let bone = &asf.bones()[bone];
        if !bone.dof.is_empty() {
            text.push_str(&bone.name);
            (0..bone.dof.len()).for_each(|value| text.push_str(&format!(" {}", 10 * value + 1)));
            text.push('\n');
        }
    }
    text.into_bytes()
}
