//! Starting files for the fuzzers: small motion files of our own in every dialect a reader must know.
//!
//! They are written anew before each run, so nothing but this code is kept in the repository.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

/// Writes all seeds below `folder`, one folder a target, and says how many there are.
pub fn write_all(folder: &Path) -> Result<usize> {
    let mut written = 0;
    for (target, seeds) in [
        ("bvh_read", bvh_seeds()),
        ("asf_read", asf_seeds()),
        ("amc_read", amc_seeds()),
        ("trc_read", trc_seeds()),
        ("mot_read", mot_seeds()),
        ("glb_read", crate::fuzz_seeds_binary::glb_seeds()),
        ("fbx_read", fbx_seeds()),
        ("c3d_read", crate::fuzz_seeds_binary::c3d_seeds()),
        ("npz_read", crate::fuzz_seeds_binary::npz_seeds()),
        ("side_files", side_file_seeds()),
        ("walk", crate::fuzz_seeds_walk::walk_seeds(all_formats())),
    ] {
        let folder = folder.join(target);
        fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
        for (name, bytes) in seeds {
            fs::write(folder.join(name), bytes)?;
            written += 1;
        }
    }
    Ok(written)
}

/// Seeds by format, in the order in which the target `walk` counts them.
fn all_formats() -> [Vec<Seed>; 7] {
    use crate::fuzz_seeds_binary::{c3d_seeds, glb_seeds, npz_seeds};
    [bvh_seeds(), trc_seeds(), glb_seeds(), fbx_seeds(), c3d_seeds(), npz_seeds(), asf_seeds()]
}

pub type Seed = (String, Vec<u8>);

/// Two markers, one of them hidden for a frame.
const TRC: &str = "PathFileType\t4\t(X/Y/Z)\tw.trc\nDataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\n100\t100\t2\t2\tmm\n\
    Frame#\tTime\tR.ASIS\t\t\tL.ASIS\t\t\n\t\tX1\tY1\tZ1\tX2\tY2\tZ2\n\n1\t0.00\t1000\t2\t3\t4\t5\t6\n2\t0.01\t\t\t\t4\t5\t6\n";

fn trc_seeds() -> Vec<Seed> {
    let swaps = [
        ("plain", "", ""),
        ("crlf", "\n", "\r\n"),
        ("blanks", "\t", " "),
        ("metres", "mm", "m"),
        ("nan", "1000", "nan"),
    ];
    swaps.map(|(name, from, to)| seed(name, swapped(TRC, from, to).into_bytes())).into()
}

/// One plate over two rows.
const MOT: &str = "walk\nversion=1\nnRows=2\nnColumns=7\ninDegrees=yes\nendheader\ntime\tground_force_vx\tground_force_vy\t\
    ground_force_vz\tground_force_px\tground_force_py\tground_force_pz\n0\t1\t2\t3\t4\t5\t6\n0.5\t1\t2\t3\tnan\t5\t6\n";

fn mot_seeds() -> Vec<Seed> {
    let swaps = [
        ("plain", "", ""),
        ("crlf", "\n", "\r\n"),
        ("blanks", "\t", " "),
        ("old", "nRows=", "datarows "),
        ("named", "ground", "1_ground"),
    ];
    swaps.map(|(name, from, to)| seed(name, swapped(MOT, from, to).into_bytes())).into()
}

/// A body with two legs of channels, an end site, and two frames; everything a dialect can bend is in it.
const BVH: &str = "HIERARCHY
ROOT Hips
{
  OFFSET 0.0 0.0 0.0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Yrotation Xrotation
  JOINT LeftUpLeg
  {
    OFFSET 1.5 -2.25 0.0
    CHANNELS 3 Zrotation Xrotation Yrotation
    End Site
    {
      OFFSET 0.0 -5.0 0.5
    }
  }
  JOINT Spine
  {
    OFFSET 0.0 3.0 0.0
    CHANNELS 3 Zrotation Yrotation Xrotation
    End Site
    {
      OFFSET 0.0 4.0 0.0
    }
  }
}
MOTION
Frames: 2
Frame Time: 0.0083333
1.0 17.5 -3.0 0.5 -90.0 12.25 1 2 3 4.0 5.0 6.0
1.1 17.6 -3.1 0.6 -91.0 12.35 1 2 3 -4.0 185.0 -0.0
";

/// The dialects of formats.md, 1.1–1.5: what real exporters write, and what they write wrongly.
fn bvh_seeds() -> Vec<Seed> {
    let swaps: &[(&str, &str, &str)] = &[
        ("plain", "", ""),
        ("crlf", "\n", "\r\n"),
        ("cr_only", "\n", "\r"),
        ("tabs", "  ", "\t"),
        ("lower_keywords", "JOINT", "joint"),
        ("lower_channels", "rotation", "Rotation"),
        ("brace_on_keyword_line", "Hips\n{", "Hips {"),
        ("brace_glued", "Spine\n  {", "Spine{"),
        ("name_with_space", "LeftUpLeg", "Bip01 L Thigh"),
        ("name_with_prefix", "Hips", "mixamorig:Hips"),
        ("duplicate_names", "LeftUpLeg", "Spine"),
        ("named_end_site", "End Site", "End Site toe"),
        ("comma_decimals", ".", ","),
        ("frames_without_blank", "Frames: 2", "Frames:2"),
        ("frames_with_tab", "Frames: 2", "Frames:\t2"),
        ("frames_too_many", "Frames: 2", "Frames: 999999999"),
        ("frames_too_few", "Frames: 2", "Frames: 1"),
        ("frame_time_short", "0.0083333", ".0083333"),
        ("frame_time_zero", "0.0083333", "0"),
        ("exponents", "12.25", "7.62852e-016"),
        ("fortran_exponent", "12.25", "1.0D-3"),
        ("not_a_number", "12.25", "-1.#IND"),
        ("wrapped_rows", " -90.0", "\n-90.0"),
        ("wrapped_one_row", " -91.0", "\n-91.0"),
        ("extra_column", "6.0\n", "6.0 0 0\n"),
        ("trailing_blanks", "\n", " \n"),
        ("unknown_channel", "CHANNELS 3 Zrotation Yrotation Xrotation", "CHANNELS 3 Zrotation Yrotation Xscale"),
        ("count_lies", "CHANNELS 3", "CHANNELS 4"),
        (
            "channels_before_offset",
            "OFFSET 0.0 3.0 0.0\n    CHANNELS 3 Zrotation Yrotation Xrotation",
            "CHANNELS 3 Zrotation Yrotation Xrotation\n    OFFSET 0.0 3.0 0.0",
        ),
        ("end_site_without_channels", "OFFSET 0.0 4.0 0.0", "OFFSET 0.0 4.0 0.0\n      CHANNELS 0"),
        ("cut_in_a_number", "185.0 -0.0\n", "18"),
        ("text_after", "-0.0\n", "-0.0\n# made by hand\n"),
        ("comment_before", "HIERARCHY", "# made by hand\nHIERARCHY"),
        ("no_break_space", "ROOT ", "ROOT\u{a0}"),
        ("byte_order_mark", "HIERARCHY", "\u{feff}HIERARCHY"),
        ("big_angles", "185.0", "1e6"),
        ("rotation_only_root", "CHANNELS 6 Xposition Yposition Zposition Zrotation", "CHANNELS 3 Zrotation"),
    ];
    let mut seeds: Vec<Seed> =
        swaps.iter().map(|(name, from, to)| seed(name, swapped(BVH, from, to).into_bytes())).collect();
    seeds.push(seed("all_rows_on_one_line", one_line_rows().into_bytes()));
    seeds.push(seed(
        "two_roots",
        BVH.replace("MOTION", "ROOT Ball\n{\n  OFFSET 0 0 0\n  CHANNELS 0\n}\nMOTION").into_bytes(),
    ));
    seeds.push(seed("six_channels_everywhere", six_channels().into_bytes()));
    seeds.push(seed("no_frames", static_pose().into_bytes()));
    seeds.push(seed("no_end_sites", b"HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 3 Xrotation Yrotation Zrotation\n}\nMOTION\nFrames: 1\nFrame Time: .04\n1 2 3".to_vec()));
    seeds.push(seed("mixed_line_ends", BVH.replacen('\n', "\r\n", 9).into_bytes()));
    seeds.push(seed("name_not_utf8", BVH.bytes().map(|byte| if byte == b'H' { 0xc8 } else { byte }).collect()));
    seeds.push(seed("utf16", BVH.encode_utf16().flat_map(u16::to_le_bytes).collect()));
    seeds
}

fn swapped(text: &str, from: &str, to: &str) -> String {
    if from.is_empty() { text.to_owned() } else { text.replace(from, to) }
}

fn one_line_rows() -> String {
    let (head, rows) = BVH.split_once("0.0083333\n").unwrap_or((BVH, ""));
    format!("{head}0.0083333\n{}", rows.replace('\n', " "))
}

fn six_channels() -> String {
    let positions = "CHANNELS 6 Xposition Yposition Zposition";
    let text = BVH.replace("CHANNELS 3", positions);
    text.replace(" 1 2 3 ", " 1.5 -2.25 0 1 2 3 0 3 0 ")
}

fn static_pose() -> String {
    let (head, _) = BVH.split_once("Frames:").unwrap_or((BVH, ""));
    format!("{head}Frames: 0\nFrame Time: 0.033333\n")
}

const ASF: &str = "# made by hand
:version 1.10
:name small
:units
  mass 1.0
  length 0.45
  angle deg
:documentation
  A hip, a thigh and a shank.
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
    limits (-160.0 20.0)
           (-70.0 70.0)
           (-60.0 70.0)
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

fn asf_seeds() -> Vec<Seed> {
    let swaps: &[(&str, &str, &str)] = &[
        ("plain", "", ""),
        ("crlf", "\n", "\r\n"),
        ("radians", "angle deg", "angle rad"),
        ("upper_case", "begin", "BEGIN"),
        ("other_axis_order", "0 0 20 XYZ", "0 0 20 ZYX"),
        ("lower_axis_order", "XYZ", "xyz"),
        ("unknown_axis_order", "0 0 20 XYZ", "0 0 20 XXY"),
        ("limits_infinite", "(-160.0 20.0)", "(-inf inf)"),
        ("limits_reversed", "(-160.0 20.0)", "(20.0 -160.0)"),
        ("limits_missing", "           (-60.0 70.0)\n", ""),
        ("length_dof", "dof rx ry rz", "dof rx ry rz tx ty tz l"),
        ("commas", "0.34 -0.93 0", "0.34, -0.93, 0"),
        ("cycle", "lfemur ltibia", "ltibia lhipjoint"),
        ("unknown_bone", "lfemur ltibia", "lfemur lfoot"),
        ("no_direction", "direction 0.34 -0.93 0", "direction 0 0 0"),
        ("negative_length", "length 7.1", "length -7.1"),
        ("skin", ":hierarchy", ":skin\n file.obj\n:hierarchy"),
        ("vendor_fields", "length 7.1", "length 7.1\n    bodymass 3\n    cofmass 0.5"),
        ("root_orientation", "orientation 0 0 0", "orientation 0 90 0"),
        ("root_order", "TX TY TZ RX RY RZ", "RZ RY RX TX TY TZ"),
        ("units_last", ":units\n  mass 1.0\n  length 0.45\n  angle deg\n", ""),
        ("cut", "  end\n", ""),
    ];
    swaps.iter().map(|(name, from, to)| seed(name, swapped(ASF, from, to).into_bytes())).collect()
}

const AMC: &str = "#!OML:ASF small.asf
:FULLY-SPECIFIED
:DEGREES
1
root 1.0 17.0 -3.0 2.0 -0.5 1.25
lfemur -20.5 3.0 19.0
ltibia 35.0
2
root 1.1 17.1 -3.1 2.1 -0.6 1.35
lfemur -20.6 3.1 19.1
ltibia 35.1
";

/// The skeleton belongs to the input: an AMC means nothing without its ASF. The target has one of its own.
fn amc_seeds() -> Vec<Seed> {
    let swaps: &[(&str, &str, &str)] = &[
        ("plain", "", ""),
        ("crlf", "\n", "\r\n"),
        ("radians", ":DEGREES", ":RADIANS"),
        ("no_unit", ":DEGREES\n", ""),
        ("lower_case", ":DEGREES", ":degrees"),
        ("starts_at_ten", "\n1\n", "\n10\n"),
        ("starts_at_zero", "\n1\n", "\n0\n"),
        ("repeated_frame", "\n2\n", "\n1\n"),
        ("gap", "\n2\n", "\n5\n"),
        ("short_row", "3.0 19.0", "3.0"),
        ("long_row", "3.0 19.0", "3.0 19.0 4"),
        ("unknown_bone", "ltibia", "lfoot"),
        ("bone_twice", "ltibia 35.0", "ltibia 35.0\nltibia 35.0"),
        ("bone_missing", "ltibia 35.1\n", ""),
        ("order_changes", "2\nroot", "2\nltibia 35.1\nroot"),
        ("exponents", "35.0", "3.50e+001"),
        ("not_a_number", "35.0", "nan"),
        ("comments", "\n2\n", "\n# next\n2\n"),
        ("cut", "35.1\n", "35."),
        ("empty", AMC, ""),
    ];
    swaps.iter().map(|(name, from, to)| seed(name, swapped(AMC, from, to).into_bytes())).collect()
}

const BODY: &str = "schema = 1
total_mass_kg = 10.0

[[link]]
joint = \"Hips\"
mass_kg = 10.0
com_in_joint_m = [0.0, 0.1, 0.0]
inertia_kg_m2 = { xx = 0.1, yy = 0.1, zz = 0.1 }
";

fn side_file_seeds() -> Vec<Seed> {
    let files: &[(&str, &str)] = &[
        ("empty", ""),
        ("schema", "schema = 1\n\n[roles]\nHips = \"none\"\nSpine = \"spine\"\n"),
        ("body", BODY),
        ("roles", "[roles]\nHips = \"pelvis\"\nLeftUpLeg = \"left_thigh\"\n\"Bip01 L Foot\" = \"left_foot\"\n"),
        ("roles_flat", "Hips = \"pelvis\"\nLeftUpLeg = \"left_thigh\"\n"),
        ("unknown_role", "[roles]\nHips = \"wing\"\n"),
        ("wrong_type", "[roles]\nHips = 3\n"),
        ("repeated_key", "Hips = \"pelvis\"\nHips = \"pelvis\"\n"),
        ("nested", "a = { b = { c = [[[[1]]]] } }\n"),
        ("cut", "[roles\nHips = \"pel"),
        ("crlf", "[roles]\r\nHips = \"pelvis\"\r\n"),
    ];
    files.iter().map(|(name, text)| seed(name, text.as_bytes().to_vec())).collect()
}

fn seed(name: &str, bytes: Vec<u8>) -> Seed {
    (format!("seed_{name}"), bytes)
}

/// Two bones, one of which turns: text of version 7.4, with a pivot and a pre-rotation, Y and Z up.
fn fbx_seeds() -> Vec<Seed> {
    let axis = |up: u8| {
        let text = format!(
            r#"; FBX 7.4.0 project file
FBXHeaderExtension: {{ FBXHeaderVersion: 1003
FBXVersion: 7400
}}
GlobalSettings: {{ Properties70: {{
P: "UpAxis", "int", "Integer", "",{up}
P: "UnitScaleFactor", "double", "Number", "",1
P: "TimeMode", "enum", "", "",6
}}
}}
Objects: {{
NodeAttribute: 1, "NodeAttribute::", "LimbNode" {{ TypeFlags: "Skeleton" }}
NodeAttribute: 2, "NodeAttribute::", "LimbNode" {{ TypeFlags: "Skeleton" }}
Model: 3, "Model::Hips", "LimbNode" {{ Properties70: {{
P: "Lcl Translation", "Lcl Translation", "", "A",0,90,0
P: "RotationPivot", "Vector3D", "Vector", "",0,1,0
}}
}}
Model: 4, "Model::Leg", "LimbNode" {{ Properties70: {{
P: "RotationActive", "bool", "", "",1
P: "PreRotation", "Vector3D", "Vector", "",0,0,90
P: "Lcl Translation", "Lcl Translation", "", "A",9,-5,0
}}
}}
AnimationStack: 5, "AnimStack::Take", "" {{ }}
AnimationLayer: 6, "AnimLayer::Base", "" {{ }}
AnimationCurveNode: 7, "AnimCurveNode::R", "" {{ }}
AnimationCurve: 8, "AnimCurve::", "" {{
KeyTime: *3 {{ a: 0,1539538600,3079077200 }}
KeyValueFloat: *3 {{ a: 0,30,10 }}
KeyAttrFlags: *1 {{ a: 4 }}
KeyAttrDataFloat: *4 {{ a: 0,0,0,0 }}
KeyAttrRefCount: *1 {{ a: 3 }}
}}
}}
Connections: {{
C: "OO",3,0
C: "OO",1,3
C: "OO",4,3
C: "OO",2,4
C: "OO",6,5
C: "OO",7,6
C: "OP",7,4, "Lcl Rotation"
C: "OP",8,7, "d|X"
}}
"#
        );
        (format!("up{up}.fbx"), text.into_bytes())
    };
    vec![axis(1), axis(2)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_dialect_differs_from_the_plain_file_and_has_its_own_name() {
        for seeds in [bvh_seeds(), asf_seeds(), amc_seeds(), side_file_seeds()] {
            let names: BTreeSet<_> = seeds.iter().map(|(name, _)| name).collect();
            let contents: BTreeSet<_> = seeds.iter().map(|(_, bytes)| bytes).collect();
            assert_eq!(names.len(), seeds.len());
            assert_eq!(contents.len(), seeds.len(), "a replacement that did not bite");
        }
    }
}
