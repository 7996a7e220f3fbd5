//! Files that mean harm or are damaged (formats: G01 to G12): a clear refusal with the right code, nothing opened,
//! nothing large allocated, no panic.

use super::tests::{floats, glb, read_with, two_joints};
use crate::ReadOptions;
use serde_json::{Value, json};

fn code(bytes: &[u8]) -> &'static str {
    let error = read_with(bytes, &ReadOptions::default()).err();
    error.map_or("read", |error| {
        assert!(!error.to_string().chars().any(char::is_control));
        error.code
    })
}

/// The code after a change of the JSON of a good file.
fn after(change: impl Fn(&mut Value)) -> &'static str {
    let (mut json, bin) = two_joints();
    change(&mut json);
    code(&glb(&json, &bin))
}

fn plain() -> Vec<u8> {
    let (json, bin) = two_joints();
    glb(&json, &bin)
}

#[test]
fn g01_lengths_that_lie_cost_nothing() {
    for length in [u32::MAX, 0, 12, plain().len() as u32 - 4, plain().len() as u32 + 4] {
        let mut bytes = plain();
        bytes[8..12].copy_from_slice(&length.to_le_bytes());
        assert_eq!(code(&bytes), "GLB-E011", "{length}");
    }
    for cut in [0, 3, 4, 11, 12, 19, 24, plain().len() - 1] {
        assert!(code(&plain()[..cut]).starts_with("GLB-E01"), "{cut}");
    }
}

#[test]
fn g02_chunks_out_of_place() {
    let mut past_end = plain();
    past_end[12..16].copy_from_slice(&u32::MAX.to_le_bytes());
    assert_eq!(code(&past_end), "GLB-E011");
    let mut bin_first = plain();
    bin_first[16..20].copy_from_slice(b"BIN\0");
    assert_eq!(code(&bin_first), "GLB-E011");
    let mut empty = plain()[..12].to_vec();
    empty[8..12].copy_from_slice(&12u32.to_le_bytes());
    assert_eq!(code(&empty), "GLB-E011");
    let mut unknown = plain();
    unknown.extend(4u32.to_le_bytes());
    unknown.extend(b"ABCD1234");
    let length = unknown.len() as u32;
    unknown[8..12].copy_from_slice(&length.to_le_bytes());
    assert_eq!(code(&unknown), "read");
}

#[test]
fn g03_other_versions() {
    for version in [0u32, 1, 3, u32::MAX] {
        let mut bytes = plain();
        bytes[4..8].copy_from_slice(&version.to_le_bytes());
        assert_eq!(code(&bytes), "GLB-E010");
    }
    assert_eq!(after(|json| json["asset"]["version"] = json!("1.0")), "GLB-E010");
    assert_eq!(code(b"\x89PNG\r\n\x1a\n"), "GLB-E010");
}

#[test]
fn g04_json_that_is_none() {
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    for text in [
        format!("{{\"asset\":{{\"version\":\"2.0\",\"extras\":{deep}}}}}"),
        "{\"nodes\":[],\"nodes\":[]}".to_owned(),
        format!("{{{}", " ".repeat(1_000_000)),
        "{\"asset\":".to_owned(),
    ] {
        assert_eq!(code(text.as_bytes()), "GLB-E012");
    }
    assert_eq!(code(b"{\"asset\":{\"version\":\"\xff\"}}"), "GLB-E012");
}

#[test]
fn g05_accessors_that_leave_the_file() {
    for (field, value) in [
        ("count", json!(4_000_000_000u64)),
        ("byteOffset", json!(u64::MAX)),
        ("byteOffset", json!(2)),
        ("bufferView", json!(7)),
        ("componentType", json!(9999)),
        ("type", json!("MAT4")),
    ] {
        let found = after(|json| json["accessors"][1][field] = value.clone());
        assert!(found == "GLB-E014" || found == "GLB-E018", "{field}: {found}");
    }
    for (field, value) in [
        ("byteLength", json!(u64::MAX)),
        ("byteOffset", json!(u64::MAX)),
        ("byteStride", json!(4)),
        ("byteStride", json!(u64::MAX)),
        ("buffer", json!(3)),
    ] {
        assert_eq!(after(|json| json["bufferViews"][0][field] = value.clone()), "GLB-E014", "{field}");
    }
    assert_eq!(after(|json| json["buffers"][0]["byteLength"] = json!(97)), "GLB-E022");
    assert_eq!(after(|json| json["accessors"][1]["count"] = json!(-1)), "GLB-E012");
}

#[test]
fn g06_nodes_that_make_no_tree() {
    assert_eq!(after(|json| json["nodes"][2]["children"] = json!([0])), "GLB-E015");
    assert_eq!(after(|json| json["nodes"][2]["children"] = json!([2])), "GLB-E015");
    assert_eq!(after(|json| json["nodes"][0]["children"] = json!([1, 2])), "GLB-E015");
    assert_eq!(after(|json| json["nodes"][2]["children"] = json!([99])), "GLB-E015");
    assert_eq!(after(|json| json["skins"][0]["joints"] = json!([1, 99])), "GLB-E016");
    let chain = |count: usize| {
        let nodes = (0..count).map(|n| if n + 1 < count { json!({ "children": [n + 1] }) } else { json!({}) });
        json!({ "asset": { "version": "2.0" }, "nodes": nodes.collect::<Vec<_>>() })
    };
    assert_eq!(code(&glb(&chain(100_000), &[])), "GLB-E013");
    assert_eq!(code(&glb(&chain(10_000), &[])), "GLB-E013");
}

#[test]
fn g07_channels_that_point_nowhere() {
    let channel = "/animations/0/channels/0";
    let set = |path: &'static str, value: Value| {
        after(move |json| *json.pointer_mut(&format!("{channel}{path}")).unwrap() = value.clone())
    };
    assert_eq!(set("/target/node", json!(99)), "GLB-E016");
    assert_eq!(set("/sampler", json!(99)), "GLB-E016");
    assert_eq!(after(|json| json["animations"][0]["samplers"][0]["output"] = json!(2)), "GLB-E018");
    assert_eq!(after(|json| json["animations"][0]["samplers"][0]["input"] = json!(1)), "GLB-E017");
    assert_eq!(after(|json| json["animations"][0]["channels"][1]["target"]["path"] = json!("rotation")), "GLB-E018");
    for times in [[0.0, 0.0, 1.0], [0.0, f32::NAN, 1.0], [1.0, 0.5, 2.0], [0.0, 1.0, f32::INFINITY]] {
        let (json, mut bin) = two_joints();
        bin[..12].copy_from_slice(&floats(&times));
        assert_eq!(code(&glb(&json, &bin)), "GLB-E017");
    }
    let (json, mut bin) = two_joints();
    bin[..12].copy_from_slice(&floats(&[0.0, 1e-3, 1e9]));
    assert_eq!(code(&glb(&json, &bin)), "GLB-E024");
}

#[test]
fn g08_values_without_meaning() {
    let (json, mut bin) = two_joints();
    bin[12..28].copy_from_slice(&floats(&[0.0; 4]));
    assert_eq!(code(&glb(&json, &bin)), "GLB-E019");
    let (json, mut bin) = two_joints();
    bin[60..64].copy_from_slice(&f32::NAN.to_le_bytes());
    assert_eq!(code(&glb(&json, &bin)), "GLB-E019");
    assert_eq!(after(|json| json["nodes"][0]["scale"] = json!([0.0, 0.0, 0.0])), "GLB-E019");
    assert_eq!(after(|json| json["nodes"][0]["scale"] = json!([1.0, 2.0, 1.0])), "GLB-E020");
    assert_eq!(after(|json| json["nodes"][0]["matrix"] = json!(vec![0.0; 16])), "GLB-E019");
    let mirror = json!([-1.0, 0, 0, 0, 0, 1.0, 0, 0, 0, 0, 1.0, 0, 0, 0, 0, 1.0]);
    assert_eq!(after(|json| json["nodes"][0]["matrix"] = mirror.clone()), "GLB-E019");
    let shear = json!([1.0, 0.5, 0, 0, 0, 1.0, 0, 0, 0, 0, 1.0, 0, 0, 0, 0, 1.0]);
    assert_eq!(after(|json| json["nodes"][0]["matrix"] = shear.clone()), "GLB-E019");
}

#[test]
fn g09_buffers_elsewhere_are_not_opened() {
    let folder = tempfile::tempdir().unwrap();
    let inner = folder.path().join("asset");
    std::fs::create_dir(&inner).unwrap();
    let (mut json, bin) = two_joints();
    std::fs::write(folder.path().join("secret.bin"), &bin).unwrap();
    let absolute = folder.path().join("secret.bin").display().to_string();
    let mut uris = vec![
        "../secret.bin".to_owned(),
        "%2e%2e/secret.bin".to_owned(),
        "a/../../secret.bin".to_owned(),
        absolute.clone(),
        format!("file://{absolute}"),
        "http://example.com/a.bin".to_owned(),
        "C:\\secret.bin".to_owned(),
        "..\\secret.bin".to_owned(),
        String::new(),
        "%zz".to_owned(),
        "missing.bin".to_owned(),
    ];
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(folder.path().join("secret.bin"), inner.join("link.bin")).unwrap();
        uris.push("link.bin".to_owned());
    }
    for uri in uris {
        json["buffers"][0]["uri"] = json!(uri);
        let text = serde_json::to_vec(&json).unwrap();
        let error = super::read(&text, Some(&inner), &ReadOptions::default(), &mut Vec::new()).unwrap_err();
        assert_eq!(error.code, "GLB-E021", "{uri}");
    }
    for uri in ["data:application/octet-stream;base64,%%%", "data:,plain", "data:"] {
        json["buffers"][0]["uri"] = json!(uri);
        assert_eq!(code(&serde_json::to_vec(&json).unwrap()), "GLB-E022", "{uri}");
    }
}

#[test]
fn g10_splines_need_three_values_a_key() {
    assert_eq!(after(|json| json["animations"][0]["samplers"][0]["interpolation"] = json!("CUBICSPLINE")), "GLB-E018");
    assert_eq!(after(|json| json["animations"][0]["samplers"][0]["interpolation"] = json!("MAGIC")), "GLB-E012");
}

#[test]
fn g11_sparse_lists_are_checked() {
    // Bytes 0 to 3 of the view are those of the time 0.0, so that two indices are both 0; byte 4 is 0x89.
    for (offset, count) in [(0, 2), (4, 1), (95, 2)] {
        let sparse = json!({
            "count": count,
            "indices": { "bufferView": 0, "byteOffset": offset, "componentType": 5121 },
            "values": { "bufferView": 0, "byteOffset": 0 }
        });
        assert_eq!(after(|json| json["accessors"][2]["sparse"] = sparse.clone()), "GLB-E014", "{offset}");
    }
    let huge = json!({
        "count": u64::MAX,
        "indices": { "bufferView": 0, "componentType": 5125 },
        "values": { "bufferView": 0 }
    });
    assert_eq!(after(|json| json["accessors"][2]["sparse"] = huge.clone()), "GLB-E014");
}

#[test]
fn g12_motion_without_a_skin_and_skins_without_motion() {
    assert_eq!(after(|json| json["skins"] = json!([])), "read");
    assert_eq!(after(|json| json["animations"] = json!([])), "GLB-E023");
    assert_eq!(
        after(|json| {
            json["skins"] = json!([]);
            json["animations"][0]["channels"] = json!([]);
        }),
        "GLB-E023"
    );
    // A skin whose joints nothing moves is a pose, not a motion.
    assert_eq!(after(|json| json["animations"][0]["channels"] = json!([])), "GLB-E023");
}

#[test]
fn compressed_keys_are_refused_by_name() {
    let found = after(|json| json["bufferViews"][0]["extensions"] = json!({ "EXT_meshopt_compression": {} }));
    assert_eq!(found, "GLB-E025");
}

#[test]
fn every_byte_may_be_damaged() {
    // Each byte of a whole file, one at a time: a clip or a message, never a panic.
    let good = plain();
    for at in 0..good.len() {
        for value in [0x00, 0xff, good[at] ^ 0x20] {
            let mut bytes = good.clone();
            bytes[at] = value;
            let _ = code(&bytes);
        }
    }
}
