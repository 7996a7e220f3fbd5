//! AMC: reading the motion of a small skeleton never panics; what was read can be posed, an unedited motion is written
//! back to the byte, and one written anew is the same motion.
#![no_main]

use std::sync::LazyLock;

use aplomb_formats::asf_amc::{AmcDocument, AsfAmcDocument, AsfDocument};
use aplomb_formats::{Mode, ReadOptions, WriteOptions};
use aplomb_fuzz::{check_clip, check_messages, check_same_motion, every_mode};
use aplomb_motion::{FrameOfReference, FrameTime};

/// The skeleton whose bones the dictionary and the seeds name.
const SKELETON: &str = "
:version 1.10
:units
  length 0.45
  angle deg
:root
  order TX TY TZ RX RY RZ
  axis XYZ
  position 0 0 0
  orientation 0 0 0
:bonedata
  begin
    id 1
    name lhipjoint
    direction 0.6 -0.7 0.3
    length 2.4
    axis 0 0 0 XYZ
  end
  begin
    id 2
    name lfemur
    direction 0.34 -0.93 0
    length 7.1
    axis 0 0 20 XYZ
    dof rx ry rz
    limits (-160.0 20.0) (-70.0 70.0) (-60.0 70.0)
  end
  begin
    id 3
    name ltibia
    direction 0.34 -0.93 0
    length 7.5
    axis 0 0 20 XYZ
    dof rx
    limits (-10.0 170.0)
  end
:hierarchy
  begin
    root lhipjoint
    lhipjoint lfemur
    lfemur ltibia
  end
";

static ASF: LazyLock<AsfDocument> = LazyLock::new(|| {
    AsfDocument::parse(SKELETON.into(), &ReadOptions::default(), &mut Vec::new()).expect("the skeleton is sound")
});

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    for options in every_mode() {
        let mut notes = Vec::new();
        let amc = AmcDocument::parse(data.to_vec(), &ASF, &options, &mut notes);
        check_messages(&notes, amc.as_ref().err().map(|error| &**error));
        let Ok(amc) = amc else { continue };
        let document = AsfAmcDocument { asf: ASF.clone(), amc };
        let frame_time = FrameTime::from_hz(120.0).expect("a rate");
        let Ok(clip) = document.to_clip(FrameOfReference::INTERNAL, frame_time) else { continue };
        check_clip(&clip);

        let write = |options| document.write(&clip, FrameOfReference::INTERNAL, &options, &mut Vec::new());
        let unedited = write(WriteOptions::default()).expect("what was read can be written");
        assert_eq!(unedited, document.amc.bytes());
        if options.mode != Mode::Salvage {
            assert_eq!(unedited, data);
        }

        let anew = WriteOptions { canonical: true, full_precision: true, ..WriteOptions::default() };
        let anew = write(anew).expect("what was read can be written anew");
        let amc =
            AmcDocument::parse(anew, &ASF, &ReadOptions::default(), &mut Vec::new()).expect("we read what we wrote");
        let again = AsfAmcDocument { asf: ASF.clone(), amc };
        let again = again.to_clip(FrameOfReference::INTERNAL, frame_time).expect("the same motion");
        check_same_motion(&clip, &again, 1e-6);
    }
});
