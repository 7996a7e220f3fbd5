//! FBX as text (version 7.4), of our own making, for tests.

use std::fmt::Write;

/// Time units of FBX in a second.
pub const TICKS: i64 = 46_186_158_000;

/// A bone whose rotation is keyed.
pub struct Bone {
    pub name: &'static str,
    pub parent: Option<usize>,
    /// In file units.
    pub translation: [f64; 3],
    pub pre_rotation_deg: [f64; 3],
    /// `Lcl Rotation`, x first, at every frame.
    pub rotations_deg: Vec<[f64; 3]>,
}

/// What the settings of a scene say.
pub struct Settings {
    /// 1 is Y, 2 is Z.
    pub up: u8,
    /// Centimetres in a unit.
    pub unit_cm: f64,
    pub hz: i64,
    pub takes: Vec<&'static str>,
}

impl Default for Settings {
    fn default() -> Self {
        Self { up: 1, unit_cm: 1.0, hz: 60, takes: vec!["Take 001"] }
    }
}

/// The first bone's places are keyed too, to one unit of x a frame.
pub fn fbx(bones: &[Bone], settings: &Settings) -> String {
    let mut objects = String::new();
    let mut connections = String::new();
    let frames = bones.first().map_or(0, |bone| bone.rotations_deg.len());
    let (front, front_sign) = if settings.up == 1 { (2, 1) } else { (1, -1) };
    for (take, name) in settings.takes.iter().enumerate() {
        let (stack, layer) = (10 + 2 * take, 11 + 2 * take);
        let _ = writeln!(objects, "AnimationStack: {stack}, \"AnimStack::{name}\", \"\" {{ }}");
        let _ = writeln!(objects, "AnimationLayer: {layer}, \"AnimLayer::Base\", \"\" {{ }}");
        let _ = writeln!(connections, "C: \"OO\",{layer},{stack}");
    }
    for (index, bone) in bones.iter().enumerate() {
        let (model, attribute) = (1000 + index, 2000 + index);
        let [x, y, z] = bone.translation;
        let [px, py, pz] = bone.pre_rotation_deg;
        let _ = writeln!(
            objects,
            "NodeAttribute: {attribute}, \"NodeAttribute::\", \"LimbNode\" {{ TypeFlags: \"Skeleton\" }}\n\
             Model: {model}, \"Model::{}\", \"LimbNode\" {{\nVersion: 232\nProperties70: {{\n\
             P: \"RotationActive\", \"bool\", \"\", \"\",1\n\
             P: \"PreRotation\", \"Vector3D\", \"Vector\", \"\",{px},{py},{pz}\n\
             P: \"Lcl Translation\", \"Lcl Translation\", \"\", \"A\",{x},{y},{z}\n\
             P: \"Lcl Rotation\", \"Lcl Rotation\", \"\", \"A\",0,0,0\n}}\n}}",
            bone.name
        );
        let above = bone.parent.map_or(0, |parent| 1000 + parent);
        let _ = writeln!(connections, "C: \"OO\",{attribute},{model}\nC: \"OO\",{model},{above}");
        let mut curves = vec![("Lcl Rotation", bone.rotations_deg.clone())];
        if index == 0 {
            curves.push(("Lcl Translation", (0..frames).map(|frame| [x + frame as f64, y, z]).collect()));
        }
        for (number, (property, values)) in curves.iter().enumerate() {
            let node = 3000 + 10 * index + number;
            let _ = writeln!(objects, "AnimationCurveNode: {node}, \"AnimCurveNode::R\", \"\" {{ }}");
            let _ = writeln!(connections, "C: \"OO\",{node},11\nC: \"OP\",{node},{model}, \"{property}\"");
            for (axis, letter) in ["X", "Y", "Z"].iter().enumerate() {
                let curve = 4000 + 100 * index + 10 * number + axis;
                let list = |text: Vec<String>| text.join(",");
                let times = list((0..frames).map(|frame| (frame as i64 * TICKS / settings.hz).to_string()).collect());
                let numbers = list(values.iter().map(|value| value[axis].to_string()).collect());
                let _ = writeln!(
                    objects,
                    "AnimationCurve: {curve}, \"AnimCurve::\", \"\" {{\nDefault: 0\nKeyVer: 4008\n\
                     KeyTime: *{frames} {{ a: {times} }}\nKeyValueFloat: *{frames} {{ a: {numbers} }}\n\
                     KeyAttrFlags: *1 {{ a: 4 }}\nKeyAttrDataFloat: *4 {{ a: 0,0,0,0 }}\nKeyAttrRefCount: *1 {{ a: {frames} }}\n}}"
                );
                let _ = writeln!(connections, "C: \"OP\",{curve},{node}, \"d|{letter}\"");
            }
        }
    }
    format!(
        "; FBX 7.4.0 project file\nFBXHeaderExtension: {{\nFBXHeaderVersion: 1003\nFBXVersion: 7400\n}}\n\
         GlobalSettings: {{\nVersion: 1000\nProperties70: {{\n\
         P: \"UpAxis\", \"int\", \"Integer\", \"\",{}\nP: \"UpAxisSign\", \"int\", \"Integer\", \"\",1\n\
         P: \"FrontAxis\", \"int\", \"Integer\", \"\",{front}\nP: \"FrontAxisSign\", \"int\", \"Integer\", \"\",{front_sign}\n\
         P: \"CoordAxis\", \"int\", \"Integer\", \"\",0\nP: \"CoordAxisSign\", \"int\", \"Integer\", \"\",1\n\
         P: \"UnitScaleFactor\", \"double\", \"Number\", \"\",{}\nP: \"TimeMode\", \"enum\", \"\", \"\",3\n}}\n}}\n\
         Objects: {{\n{objects}}}\nConnections: {{\n{connections}}}\n",
        settings.up, settings.unit_cm
    )
}
