//! Binary files that mean harm (formats: F01): cut, packed to a thousandth of what they unpack to, or with counts that
//! lie.

use super::read;
use crate::ReadOptions;
use std::io::Write;
use std::time::Instant;

/// A record of binary FBX 7.4: name, number of properties and their bytes, and what is inside. Where it ends is counted
/// from the start of the file.
fn record(out: &mut Vec<u8>, name: &str, properties: &[u8], count: u32, inside: &dyn Fn(&mut Vec<u8>)) {
    let start = out.len();
    out.extend([0; 4]);
    out.extend(count.to_le_bytes());
    out.extend((properties.len() as u32).to_le_bytes());
    out.push(name.len() as u8);
    out.extend(name.as_bytes());
    out.extend(properties);
    let before = out.len();
    inside(out);
    if out.len() > before {
        out.extend([0; 13]);
    }
    let end = (out.len() as u32).to_le_bytes();
    out[start..start + 4].copy_from_slice(&end);
}

/// An array of 64-bit numbers: how many it says, how it is packed, how many bytes it says, and the bytes.
fn array(count: u32, encoding: u32, length: u32, bytes: &[u8]) -> Vec<u8> {
    array_of(b'l', count, encoding, length, bytes)
}

fn array_of(kind: u8, count: u32, encoding: u32, length: u32, bytes: &[u8]) -> Vec<u8> {
    let mut out = vec![kind];
    for word in [count, encoding, length] {
        out.extend(word.to_le_bytes());
    }
    out.extend(bytes);
    out
}

fn packed_zeros(count: usize) -> Vec<u8> {
    let mut packer = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::best());
    let block = vec![0; 1 << 16];
    let mut left = 8 * count;
    while left > 0 {
        let part = left.min(block.len());
        packer.write_all(&block[..part]).unwrap();
        left -= part;
    }
    packer.finish().unwrap()
}

/// A file whose only content is one animation curve with these times and a hundred values.
fn with_times(times: &[u8]) -> Vec<u8> {
    let mut out = b"Kaydara FBX Binary  \0\x1a\0".to_vec();
    out.extend(7400u32.to_le_bytes());
    let text = |text: &[u8]| [&[b'S'][..], &(text.len() as u32).to_le_bytes(), text].concat();
    let mut about = [&[b'L'][..], &1000u64.to_le_bytes()].concat();
    about.extend(text(b"Curve\0\x01AnimCurve"));
    about.extend(text(b""));
    record(&mut out, "Objects", &[], 0, &|out| {
        record(out, "AnimationCurve", &about, 3, &|out| {
            let words =
                |kind, count: u32, word: [u8; 4]| array_of(kind, count, 0, 4 * count, &word.repeat(count as usize));
            record(out, "KeyTime", times, 1, &|_| {});
            record(out, "KeyValueFloat", &words(b'f', 100, 1f32.to_le_bytes()), 1, &|_| {});
            record(out, "KeyAttrFlags", &words(b'i', 1, [4, 0, 0, 0]), 1, &|_| {});
            record(out, "KeyAttrDataFloat", &words(b'f', 4, [0; 4]), 1, &|_| {});
            record(out, "KeyAttrRefCount", &words(b'i', 1, 100u32.to_le_bytes()), 1, &|_| {});
        });
    });
    out.extend([0; 13]);
    out
}

fn code(bytes: &[u8]) -> &'static str {
    let started = Instant::now();
    let code = read(bytes, &ReadOptions::default(), &mut Vec::new()).err().map_or("read", |fault| fault.code);
    // What every reader promises for any file (formats, section 12).
    assert!(started.elapsed().as_secs_f64() < 2.0, "{code} after {:?}", started.elapsed());
    code
}

#[test]
fn arrays_that_unpack_to_a_thousand_times_are_refused() {
    let few = packed_zeros(100);
    // The same file without harm is understood; it has no motion.
    let calm = with_times(&array(100, 1, few.len() as u32, &few));
    assert_eq!(code(&calm), "FBX-E003");
    // 160 MB in 156 kB, where 20 times the file and 64 MiB are allowed.
    let many = packed_zeros(20_000_000);
    let bomb = with_times(&array(20_000_000, 1, many.len() as u32, &many));
    assert!(bomb.len() < 200_000, "{}", bomb.len());
    assert_eq!(code(&bomb), "FBX-E002");
}

#[test]
fn counts_that_lie_are_refused() {
    let few = packed_zeros(100);
    let length = few.len() as u32;
    for (why, times) in [
        ("more numbers than the packing holds", array(101, 1, length, &few)),
        ("fewer", array(99, 1, length, &few)),
        ("as many as can be said", array(u32::MAX, 1, length, &few)),
        ("more bytes than the file has", array(100, 1, u32::MAX, &few)),
        ("plain numbers beyond the end", array(u32::MAX / 8, 0, u32::MAX, &[0; 80])),
        ("an unknown packing", array(100, 7, length, &few)),
        ("a packing that is none", array(100, 1, 4, b"\xff\xff\xff\xff")),
    ] {
        let found = code(&with_times(&times));
        assert!(["FBX-E001", "FBX-E002", "FBX-E003"].contains(&found), "{why}: {found}");
    }
}

#[test]
fn every_cut_and_every_damaged_byte_is_survived() {
    let few = packed_zeros(100);
    let good = with_times(&array(100, 1, few.len() as u32, &few));
    for at in 0..good.len() {
        assert!(code(&good[..at]).starts_with("FBX-E"), "cut at {at}");
        for value in [0x00, 0x7f, 0xff] {
            let mut bytes = good.clone();
            bytes[at] = value;
            assert!(code(&bytes).starts_with("FBX-E"), "byte {at} is {value}");
        }
    }
}
