//! Shared by the ASF/AMC tests: where the captures are, and naive matrix implementations to compare with.

#![allow(dead_code, reason = "each test binary uses its own part")]

use aplomb_formats::asf_amc::{AmcDocument, AsfAmcDocument, AsfDocument};
use aplomb_formats::{Diagnostic, ReadOptions};
use glam::{DMat3, DVec3};
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// Folder of captures; `None` (and a line on stderr) when there is none.
pub fn data_folder() -> Option<PathBuf> {
    let default = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let folder = std::env::var_os("APLOMB_DATA").map_or(default, PathBuf::from);
    if folder.join("cmu-asf-amc").is_dir() {
        return Some(folder);
    }
    eprintln!("SKIPPED: no captures in {} (set APLOMB_DATA)", folder.display());
    None
}

/// A take: its skeleton, its motion, and the BVH conversion of the same capture if there is one.
pub struct Take {
    pub name: String,
    pub asf: PathBuf,
    pub amc: PathBuf,
    pub bvh: Option<PathBuf>,
}

pub fn takes(data: &Path) -> Vec<Take> {
    let mut takes = Vec::new();
    for subject in sorted(&data.join("cmu-asf-amc")) {
        let files = sorted(&subject);
        let asf = files.iter().find(|file| file.extension().is_some_and(|end| end == "asf"));
        let asf = asf.expect("each subject has its skeleton").clone();
        for amc in files.into_iter().filter(|file| file.extension().is_some_and(|end| end == "amc")) {
            let name = amc.file_stem().unwrap().to_str().unwrap().to_owned();
            let folders = sorted(&data.join("cmu-bvh"));
            let bvh = folders.iter().map(|folder| folder.join(&name).with_extension("bvh")).find(|file| file.is_file());
            takes.push(Take { name, asf: asf.clone(), amc, bvh });
        }
    }
    takes
}

fn sorted(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

pub fn read(take: &Take) -> (AsfAmcDocument, Vec<Diagnostic>) {
    let mut notes = Vec::new();
    let options = ReadOptions::default();
    let asf = AsfDocument::parse(std::fs::read(&take.asf).unwrap(), &options, &mut notes).unwrap();
    let amc = AmcDocument::parse(std::fs::read(&take.amc).unwrap(), &asf, &options, &mut notes).unwrap();
    (AsfAmcDocument { asf, amc }, notes)
}

pub fn rotation(axis: char, angle_deg: f64) -> DMat3 {
    match axis.to_ascii_lowercase() {
        'x' => DMat3::from_rotation_x(angle_deg.to_radians()),
        'y' => DMat3::from_rotation_y(angle_deg.to_radians()),
        'z' => DMat3::from_rotation_z(angle_deg.to_radians()),
        other => panic!("{other}"),
    }
}

/// A bone as naive text splitting finds it; good for CMU files only.
pub struct NaiveBone {
    direction: DVec3,
    length: f64,
    axis: [f64; 3],
    dof: Vec<String>,
}

/// The formula of the format, written with matrices and hash maps, sharing nothing with the reader.
pub struct Naive {
    bones: HashMap<String, NaiveBone>,
    links: Vec<(String, String)>,
    pub frames: Vec<HashMap<String, Vec<f64>>>,
}

impl Naive {
    pub fn read(take: &Take) -> Self {
        let text = std::fs::read_to_string(&take.asf).unwrap();
        let mut bones = HashMap::new();
        let (data, tree) = text.split_once(":hierarchy").unwrap();
        for block in data.split(":bonedata").nth(1).unwrap().split("begin").skip(1) {
            let field = |name: &str| -> Vec<String> {
                let mut lines = block.lines().map(|line| line.split_whitespace().collect::<Vec<_>>());
                let found = lines.find(|words| words.first() == Some(&name));
                found.map_or(Vec::new(), |words| words[1..].iter().map(|word| word.to_string()).collect())
            };
            let numbers = |name: &str| -> Vec<f64> { field(name).iter().map_while(|word| word.parse().ok()).collect() };
            let bone = NaiveBone {
                direction: DVec3::from_slice(&numbers("direction")),
                length: numbers("length")[0],
                axis: numbers("axis").try_into().unwrap(),
                dof: field("dof"),
            };
            bones.insert(field("name")[0].clone(), bone);
        }
        let mut links = Vec::new();
        for line in tree.lines() {
            let mut words = line.split_whitespace();
            let parent = words.next().unwrap_or_default().to_owned();
            links.extend(words.map(|child| (parent.clone(), child.to_owned())));
        }
        let mut frames: Vec<HashMap<String, Vec<f64>>> = Vec::new();
        for line in std::fs::read_to_string(&take.amc).unwrap().lines() {
            let words: Vec<&str> = line.split_whitespace().collect();
            if line.starts_with(['#', ':']) || words.is_empty() {
                continue;
            }
            if words.len() == 1 {
                frames.push(HashMap::new());
            } else {
                let values = words[1..].iter().map(|word| word.parse().unwrap()).collect();
                frames.last_mut().unwrap().insert(words[0].to_owned(), values);
            }
        }
        Self { bones, links, frames }
    }

    /// World rotation and *end* of every bone, in file units.
    pub fn pose(&self, frame: usize) -> HashMap<&str, (DMat3, DVec3)> {
        let values = &self.frames[frame];
        let root = &values["root"];
        let world = rotation('z', root[5]) * rotation('y', root[4]) * rotation('x', root[3]);
        let mut pose = HashMap::from([("root", (world, DVec3::new(root[0], root[1], root[2])))]);
        for (parent, child) in &self.links {
            let bone = &self.bones[child];
            let [a, b, c] = bone.axis;
            let axis = rotation('z', c) * rotation('y', b) * rotation('x', a);
            let motion = bone
                .dof
                .iter()
                .zip(values.get(child).into_iter().flatten())
                .fold(DMat3::IDENTITY, |motion, (dof, &angle)| rotation(dof.chars().nth(1).unwrap(), angle) * motion);
            let (parent_world, parent_end) = pose[parent.as_str()];
            let world = parent_world * axis * motion * axis.inverse();
            pose.insert(child, (world, parent_end + world * (bone.direction * bone.length)));
        }
        pose
    }

    pub fn parent(&self, bone: &str) -> Option<&str> {
        self.links.iter().find(|(_, child)| child == bone).map(|(parent, _)| parent.as_str())
    }
}
