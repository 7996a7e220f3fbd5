//! What kind of motion file something is: by its name, by its contents, and what is said of those that are not read.

use crate::diagnostic::shown;
use crate::error::FormatError;
use std::path::Path;

/// Kinds of motion file that can be read or written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// Biovision hierarchy.
    Bvh,
    /// Acclaim motion; its skeleton is an ASF.
    Amc,
    /// Acclaim skeleton, without motion.
    Asf,
    /// Binary glTF.
    Glb,
    /// glTF under other names (`.gltf`, `.vrm`, `.vrma`): read, not written.
    Gltf,
    /// Autodesk's exchange format: read, not written.
    Fbx,
    /// Markers, of which a person is made: read, not written.
    Trc,
    /// Markers, analog channels and force plates of a laboratory: read, not written.
    C3d,
    /// AMASS and other SMPL motions as arrays of NumPy.
    Npz,
    /// USD as text: written, not read.
    Usda,
}

impl FileKind {
    /// All there are.
    pub const ALL: [Self; 10] = [
        Self::Bvh,
        Self::Amc,
        Self::Asf,
        Self::Glb,
        Self::Gltf,
        Self::Fbx,
        Self::Trc,
        Self::C3d,
        Self::Npz,
        Self::Usda,
    ];

    /// How names of such files end, without the dot; the usual ending first.
    pub fn endings(self) -> &'static [&'static str] {
        match self {
            Self::Bvh => &["bvh"],
            Self::Amc => &["amc"],
            Self::Asf => &["asf"],
            Self::Glb => &["glb"],
            Self::Gltf => &["gltf", "vrm", "vrma"],
            Self::Fbx => &["fbx"],
            Self::Trc => &["trc"],
            Self::C3d => &["c3d"],
            Self::Npz => &["npz"],
            Self::Usda => &["usda"],
        }
    }

    /// By the ending of the name, in any case.
    pub fn from_path(path: &Path) -> Option<Self> {
        let extension = path.extension()?.to_str()?.to_ascii_lowercase();
        Self::ALL.into_iter().find(|kind| kind.endings().contains(&extension.as_str()))
    }

    /// Whether a motion can be read from it; a skeleton alone is none.
    pub fn is_read(self) -> bool {
        !matches!(self, Self::Asf | Self::Usda)
    }

    /// Whether motion can be written in it.
    pub fn is_written(self) -> bool {
        matches!(self, Self::Bvh | Self::Amc | Self::Glb | Self::Npz | Self::Usda)
    }

    /// Why nothing is written under a name, and which to give instead; `None` for one that says a format that is
    /// written.
    pub fn refusal_to_write(path: &Path) -> Option<String> {
        let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default().to_ascii_lowercase();
        let why = match (Self::from_path(path), ending.as_str()) {
            (Some(kind), _) if kind.is_written() => return None,
            (Some(Self::Fbx), _) => {
                "FBX is read and not written: name the output .glb or .usda; Blender, Maya, Unreal and Unity open those and write FBX"
            }
            (Some(Self::Gltf), _) => "glTF is written as one file: name the output .glb",
            (_, "usd" | "usdc" | "usdz") => "USD is written as text: name the output .usda",
            (Some(Self::Asf), _) => "an ASF holds no motion: name the output .amc, and its .asf is written beside it",
            (Some(Self::Trc | Self::C3d), _) | (_, "mot" | "sto") => {
                "markers and forces are read and not written: name the output .bvh, .amc, .glb, .npz or .usda"
            }
            _ => "cannot tell the format to write: name the output .bvh, .amc, .glb, .npz or .usda",
        };
        Some(why.to_owned())
    }

    /// As people write it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Bvh => "BVH",
            Self::Amc => "AMC",
            Self::Asf => "ASF",
            Self::Glb => "GLB",
            Self::Gltf => "glTF",
            Self::Fbx => "FBX",
            Self::Trc => "TRC",
            Self::C3d => "C3D",
            Self::Npz => "npz",
            Self::Usda => "USD",
        }
    }
}

/// By the name, and by the contents where the name says nothing. A name that says something else than the contents is
/// told at once: what the wrong reader finds in them would only puzzle.
pub(crate) fn kind_of(path: &Path, bytes: &[u8]) -> Result<Option<FileKind>, FormatError> {
    match (FileKind::from_path(path), sniff(bytes)) {
        (Some(named), Some(found)) if (named == FileKind::Bvh) != (found == FileKind::Bvh) => {
            let reason = format!(
                "the name says {}, but the contents are {}; give the file its right ending",
                named.name(),
                found.name()
            );
            Err(FormatError::Unsupported { path: path.to_owned(), reason })
        }
        (named, found) => Ok(named.or(found)),
    }
}

/// What the contents look like, for files without a telling name.
fn sniff(bytes: &[u8]) -> Option<FileKind> {
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes).trim_ascii_start();
    let starts = |word: &[u8]| text.len() >= word.len() && text[..word.len()].eq_ignore_ascii_case(word);
    if bytes.starts_with(b"PK\x03\x04") {
        return Some(FileKind::Npz);
    }
    if bytes.starts_with(b"glTF") {
        return Some(FileKind::Glb);
    }
    if bytes.starts_with(b"Kaydara FBX Binary") || starts(b"; FBX") {
        return Some(FileKind::Fbx);
    }
    if starts(b"PathFileType") {
        return Some(FileKind::Trc);
    }
    if starts(b"HIERARCHY") {
        return Some(FileKind::Bvh);
    }
    let lines = text.split(|&byte| byte == b'\n' || byte == b'\r').map(<[u8]>::trim_ascii).take(64);
    for line in lines {
        let lower = line.to_ascii_lowercase();
        if lower.starts_with(b":fully-specified") || lower.starts_with(b":degrees") || lower.starts_with(b":radians") {
            return Some(FileKind::Amc);
        }
        if lower.starts_with(b":bonedata") || lower.starts_with(b":units") || lower.starts_with(b":version") {
            return Some(FileKind::Asf);
        }
    }
    None
}

/// Formats that people try, and the way that leads here; else what was found.
pub(crate) fn not_read(path: &Path, bytes: &[u8]) -> String {
    let ending = path.extension().map_or(String::new(), |ending| ending.to_string_lossy().to_ascii_lowercase());
    let known = match ending.as_str() {
        "mot" | "sto" => {
            "joint angles or forces of an OpenSim model, with no skeleton of their own: give the markers (.trc) of the trial"
        }
        "osim" => "a model of OpenSim, without motion: give the markers (.trc) of a trial",
        "usd" | "usdc" | "usdz" => "USD is written and not read: export it as GLB or BVH (Blender does both)",
        "blend" | "ma" | "mb" | "max" | "c4d" => "a scene of its own program: export it as GLB, FBX or BVH",
        "pkl" | "pickle" => "a pickle runs code when it is opened, and is never read: save its arrays as .npz",
        _ => "",
    };
    if !known.is_empty() {
        return known.to_owned();
    }
    format!(
        "not a motion file I can read: expected .bvh, .amc, .asf, .glb, .gltf, .fbx, .trc, .c3d or .npz, found contents that start with {}",
        shown(&bytes[..bytes.len().min(16)])
    )
}
