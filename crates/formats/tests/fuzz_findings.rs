//! Files that a fuzzer found to break a reader once, each cut down to what mattered.

use aplomb_formats::bvh::BvhDocument;
use aplomb_formats::{Mode, ReadOptions, WriteOptions};
use aplomb_motion::FrameOfReference;

const ONE_JOINT: &str = "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 3 Xrotation Yrotation Zrotation\n}\nMOTION\n";

fn bvh(mode: Mode, rows: &[u8]) -> Result<BvhDocument, String> {
    let mut bytes = format!("{ONE_JOINT}Frames: 2\nFrame Time: 0.1\n").into_bytes();
    bytes.extend_from_slice(rows);
    let options = ReadOptions { mode, ..ReadOptions::default() };
    BvhDocument::parse(bytes, &options, &mut Vec::new()).map_err(|diagnostic| diagnostic.to_string())
}

#[test]
fn a_comma_inside_a_word_that_is_no_number_does_not_read_the_rows_for_ever() {
    let rows = b"1.0 2.0 3.0\n1.0 x,0 3.0\n";
    let error = bvh(Mode::Tolerant, rows).unwrap_err();
    assert!(error.contains("x,0"), "{error}");
    assert_eq!(bvh(Mode::Salvage, rows).unwrap().frame_count(), 1);
}

#[test]
fn a_brace_glued_to_an_unknown_channel_is_not_written_as_part_of_its_name() {
    let text = "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 1 Xscale}\nMOTION\nFrames: 1\nFrame Time: 0.1\n1\n";
    let again = written_anew(text.as_bytes());
    assert_eq!(again.frame_count(), 1);
    assert_eq!(again.row(0), Some(&[1.0][..]));
}

#[test]
fn an_unknown_channel_among_comma_separators_does_not_rewrite_an_unedited_file() {
    let text = "HIERARCHY\nROOT a\n{\nOFFSET 0, 0, 0\nCHANNELS 2 Xscale, Yscale\n}\nMOTION\nFrames: 1\nFrame Time: 0.1\n1, 2\n";
    let document = BvhDocument::parse(text.into(), &ReadOptions::default(), &mut Vec::new()).unwrap();
    let clip = document.to_clip(FrameOfReference::INTERNAL).unwrap();
    let options = WriteOptions::default();
    let written = document.write(&clip, FrameOfReference::INTERNAL, &options, &mut Vec::new()).unwrap();
    assert_eq!(String::from_utf8(written).unwrap(), text);
}

/// Reads, writes in canonical form, and reads what was written.
fn written_anew(bytes: &[u8]) -> BvhDocument {
    let read = |bytes: Vec<u8>| BvhDocument::parse(bytes, &ReadOptions::default(), &mut Vec::new()).unwrap();
    let document = read(bytes.to_vec());
    let clip = document.to_clip(FrameOfReference::INTERNAL).unwrap();
    let options = WriteOptions { canonical: true, full_precision: true, ..WriteOptions::default() };
    read(document.write(&clip, FrameOfReference::INTERNAL, &options, &mut Vec::new()).unwrap())
}
