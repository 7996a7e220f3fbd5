//! Numbers that no motion has stop at the door of every reader, with a message that says where they stand and what to
//! do.

use aplomb_formats::opensim::mot;
use aplomb_formats::{Diagnostic, FormatError, ReadOptions, read_bytes, read_file};
use std::io::{Cursor, Write};
use std::path::Path;

/// Refused with the one code and these words; the words of the whole message.
fn check(fault: &Diagnostic, words: &[&str]) {
    assert_eq!(fault.code, "IMP-E005", "{fault}");
    let message = fault.to_string();
    for word in words.iter().chain(&["expected", "found", "correct the value"]) {
        assert!(message.contains(word), "{word} is missing: {message}");
    }
}

fn refused(name: &str, bytes: impl Into<Vec<u8>>, words: &[&str]) {
    match read_bytes(Path::new(name), bytes.into(), &ReadOptions::default()) {
        Err(FormatError::Invalid { path, diagnostic, .. }) => {
            assert_eq!(path, Path::new(name));
            check(&diagnostic, words);
        }
        Err(other) => panic!("{name}: {other}"),
        Ok(_) => panic!("{name} was read"),
    }
}

/// The file is read as it is and refused with one part of it replaced.
fn refused_when(name: &str, text: &str, from: &str, to: &str, words: &[&str]) {
    read_bytes(Path::new(name), text.into(), &ReadOptions::default()).unwrap_or_else(|error| panic!("{error}"));
    assert!(text.contains(from), "{from}");
    refused(name, text.replacen(from, to, 1), words);
}

const BVH: &str = "HIERARCHY\nROOT Hips\n{\nOFFSET 0 0 0\n\
    CHANNELS 6 Xposition Yposition Zposition Zrotation Yrotation Xrotation\n\
    JOINT Leg\n{\nOFFSET 0 -0.5 0\nCHANNELS 3 Zrotation Yrotation Xrotation\nEnd Site\n{\nOFFSET 0 -0.4 0\n}\n}\n}\n\
    MOTION\nFrames: 2\nFrame Time: 0.01\n0 0.9 0 1 2 3 4 5 6\n0.1 0.9 0 1 2 3 40 5 6\n";

#[test]
fn bvh() {
    refused_when("a.bvh", BVH, "0.1 0.9", "1e200 0.9", &["line 20", "frame 1", "Hips", "1.000e200"]);
    refused_when("a.bvh", BVH, "0.1 0.9", "1e7 0.9", &["line 20", "frame 1", "Hips", "1.000e7 m"]);
    refused_when("a.bvh", BVH, "3 40 5", "3 -4e30 5", &["line 20", "frame 1", "Zrotation", "Leg", "-4.000e30"]);
    refused_when("a.bvh", BVH, "0 -0.5 0", "0 -5e200 0", &["Leg", "5.000e200 m"]);
    refused_when("a.bvh", BVH, "0 -0.4 0", "0 -4e9 0", &["Leg", "4.000e9 m"]);
}

const ASF: &str = ":version 1.10\n:name small\n:units\nmass 1.0\nlength 0.45\nangle deg\n\
    :root\norder TX TY TZ RX RY RZ\n\
    axis XYZ\nposition 0 0 0\norientation 0 0 0\n:bonedata\nbegin\nid 1\nname lfemur\ndirection 0 -1 0\nlength 7.1\n\
    axis 0 0 20 XYZ\ndof rx ry rz\nend\n:hierarchy\nbegin\nroot lfemur\nend\n";
const AMC: &str = ":FULLY-SPECIFIED\n:DEGREES\n\
    1\nroot 1 17 -3 2 -0.5 1\nlfemur -20 3 19\n2\nroot 1 17 -3 2 -0.5 1\nlfemur -21 3 19\n";

#[test]
fn asf_and_amc() {
    let folder = tempfile::tempdir().unwrap();
    let read = |asf: String, amc: String| {
        std::fs::write(folder.path().join("a.asf"), asf).unwrap();
        std::fs::write(folder.path().join("a.amc"), amc).unwrap();
        read_file(&folder.path().join("a.amc"), &ReadOptions::default())
    };
    read(ASF.to_owned(), AMC.to_owned()).unwrap();
    for (asf, amc, words) in [
        (ASF.to_owned(), AMC.replace("2\nroot 1 17", "2\nroot 1e200 17"), &["line 6", "frame 1", "root", "1.000e200"]),
        (ASF.to_owned(), AMC.replace("-21", "-2e100"), &["line 6", "frame 1", "lfemur", "2.000e100"]),
        (ASF.replace("length 7.1", "length 7e150"), AMC.to_owned(), &["lfemur", "3.951e149 m", "unit", "file"]),
    ] {
        match read(asf, amc) {
            Err(FormatError::Invalid { diagnostic, .. }) => check(&diagnostic, words),
            other => panic!("{other:?}"),
        }
    }
}

const TRC: &str = "PathFileType\t4\t(X/Y/Z)\tw.trc\n\
    DataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\n100\t100\t2\t2\tmm\n\
    Frame#\tTime\tR.Knee\t\t\tR.Ankle\t\t\n\t\tX1\tY1\tZ1\tX2\tY2\tZ2\n\n\
    1\t0.00\t1000\t2\t3\t4\t5\t6\n2\t0.01\t1000\t2\t3\t4\t5\t6\n";

#[test]
fn one_marker_sample_of_1e200_is_refused_with_its_line_and_name() {
    let text = TRC.replace("2\t0.01\t1000\t2\t3\t4\t5\t6", "2\t0.01\t1000\t2\t3\t4\t1e200\t6");
    refused("a.trc", text, &["line 8", "frame 1", "R.Ankle", "1.000e197 m"]);
    refused("a.trc", TRC.replace("2\t0.01", "2\t1e200"), &["line 8", "time", "1.000e200"]);
}

#[test]
fn mot() {
    let text = "w\nnRows=2\nnColumns=2\nendheader\ntime\tground_force_vy\n0\t700\n0.5\t1e200\n";
    let fault = mot::parse(text.as_bytes(), &ReadOptions::default(), &mut Vec::new()).unwrap_err();
    check(&fault, &["line 7", "ground_force_vy", "frame 1", "1.000e200"]);
}

/// A body of two nodes whose second one goes to `far_m` in its second key, or has it as offset.
fn glb(offset_m: f32, far_m: f32) -> Vec<u8> {
    let bin: Vec<f32> = vec![0.0, 0.1, 0.0, 1.0, 0.0, far_m, 1.0, 0.0];
    let json = format!(
        r#"{{"asset":{{"version":"2.0"}},
        "nodes":[{{"name":"Hips","children":[1]}},{{"name":"Leg","translation":[0,{offset_m},0]}}],
        "skins":[{{"joints":[0,1]}}],
        "animations":[{{"channels":[{{"sampler":0,"target":{{"node":0,"path":"translation"}}}}],
        "samplers":[{{"input":0,"output":1}}]}}],
        "accessors":[{{"bufferView":0,"componentType":5126,"count":2,"type":"SCALAR"}},
        {{"bufferView":0,"byteOffset":8,"componentType":5126,"count":2,"type":"VEC3"}}],
        "bufferViews":[{{"buffer":0,"byteLength":32}}],"buffers":[{{"byteLength":32}}]}}"#
    );
    let json = format!("{json:<width$}", width = json.len().next_multiple_of(4));
    let mut bytes = b"glTF\x02\0\0\0".to_vec();
    bytes.extend(((28 + json.len() + 32) as u32).to_le_bytes());
    bytes.extend((json.len() as u32).to_le_bytes());
    bytes.extend(b"JSON");
    bytes.extend(json.as_bytes());
    bytes.extend(32u32.to_le_bytes());
    bytes.extend(b"BIN\0");
    bytes.extend(bin.iter().flat_map(|number| number.to_le_bytes()));
    bytes
}

#[test]
fn gltf() {
    read_bytes(Path::new("a.glb"), glb(-0.5, 1.0), &ReadOptions::default()).unwrap();
    refused("a.glb", glb(-0.5, 1e30), &["Hips", "frame 1", "e29 m"]);
    refused("a.glb", glb(-1e30, 1.0), &["Leg", "1.000e30 m"]);
}

#[cfg(feature = "fbx")]
#[test]
fn fbx() {
    let text = r#"; FBX 7.4.0 project file
FBXHeaderExtension: { FBXHeaderVersion: 1003
FBXVersion: 7400
}
GlobalSettings: { Properties70: {
P: "UpAxis", "int", "Integer", "",1
P: "UnitScaleFactor", "double", "Number", "",1
P: "TimeMode", "enum", "", "",6
}
}
Objects: {
NodeAttribute: 1, "NodeAttribute::", "LimbNode" { TypeFlags: "Skeleton" }
NodeAttribute: 2, "NodeAttribute::", "LimbNode" { TypeFlags: "Skeleton" }
Model: 3, "Model::Hips", "LimbNode" { Properties70: {
P: "Lcl Translation", "Lcl Translation", "", "A",0,90,0
}
}
Model: 4, "Model::Leg", "LimbNode" { Properties70: {
P: "Lcl Translation", "Lcl Translation", "", "A",9,-5,0
}
}
AnimationStack: 5, "AnimStack::Take", "" { }
AnimationLayer: 6, "AnimLayer::Base", "" { }
AnimationCurveNode: 7, "AnimCurveNode::R", "" { }
AnimationCurve: 8, "AnimCurve::", "" {
KeyTime: *3 { a: 0,1539538600,3079077200 }
KeyValueFloat: *3 { a: 0,30,10 }
KeyAttrFlags: *1 { a: 4 }
KeyAttrDataFloat: *4 { a: 0,0,0,0 }
KeyAttrRefCount: *1 { a: 3 }
}
}
Connections: {
C: "OO",3,0
C: "OO",1,3
C: "OO",4,3
C: "OO",2,4
C: "OO",6,5
C: "OO",7,6
C: "OP",7,4, "Lcl Rotation"
C: "OP",8,7, "d|X"
}
"#;
    refused_when("a.fbx", text, "9,-5,0", "9,-5e200,0", &["Leg", "5.000e198 m"]);
}

/// Two frames of 22 joints as AMASS has them, `far_m` along X in the second.
fn npz(far_m: f64) -> Vec<u8> {
    let npy = |shape: &str, numbers: &[f64]| {
        let header = format!("{{'descr': '<f8', 'fortran_order': False, 'shape': {shape}, }}\n");
        let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
        bytes.extend((header.len() as u16).to_le_bytes());
        bytes.extend(header.as_bytes());
        bytes.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
        bytes
    };
    let mut archive = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in [
        ("poses.npy", npy("(2, 66)", &[0.0; 132])),
        ("trans.npy", npy("(2, 3)", &[0.0, 0.0, 0.9, far_m, 0.0, 0.9])),
        ("mocap_framerate.npy", npy("()", &[60.0])),
    ] {
        archive.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
        archive.write_all(&bytes).unwrap();
    }
    archive.finish().unwrap().into_inner()
}

#[test]
fn npz_arrays() {
    read_bytes(Path::new("a.npz"), npz(1.0), &ReadOptions::default()).unwrap();
    refused("a.npz", npz(1e200), &["elvis", "frame 1", "1.000e200 m"]);
}
