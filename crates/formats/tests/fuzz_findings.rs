//! Files that a fuzzer found to break a reader once, each cut down to what mattered.

use aplomb_formats::bvh::BvhDocument;
use aplomb_formats::{Mode, ReadOptions};

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
