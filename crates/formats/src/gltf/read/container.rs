//! The two ways a glTF travels: one binary file (GLB: header, JSON chunk, binary chunk) or plain JSON with buffers
//! beside it or inside it.
//!
//! Lengths that the file states are compared with what is there and never allocated from (the `gltf` crate asks for 4
//! GiB on the word of a header). Files beside the asset are opened only by plain names inside its folder.

use super::document::Buffer;
use crate::diagnostic::{Diagnostic, shown};
use crate::options::ReadOptions;
use base64::Engine as _;
use std::borrow::Cow;
use std::path::{Component, Path, PathBuf};

/// The parts of a file.
pub(super) struct Container<'a> {
    pub json: &'a [u8],
    /// The binary chunk of a GLB.
    pub bin: Option<&'a [u8]>,
}

/// glTF 2.0, section 4.4: 12 bytes of header, then chunks of length, type and contents.
pub(super) fn open(bytes: &[u8]) -> Result<Container<'_>, Box<Diagnostic>> {
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    if text.trim_ascii_start().first() == Some(&b'{') {
        return Ok(Container { json: text, bin: None });
    }
    if !bytes.starts_with(b"glTF") {
        let found = format!("a file that starts with {}", shown(&bytes[..bytes.len().min(16)]));
        return Err(Box::new(Diagnostic::error("GLB-E010", "a GLB (`glTF`) or the JSON of a glTF", found)));
    }
    let cut = |expected: String, found: String| {
        let fault = Diagnostic::error("GLB-E011", expected, found);
        Box::new(fault.hint("the file is cut or damaged: copy or export it again"))
    };
    let (Some(version), Some(stated)) = (word(bytes, 4), word(bytes, 8)) else {
        return Err(cut("12 bytes of header".to_owned(), format!("{} bytes", bytes.len())));
    };
    if version != 2 {
        let found = format!("version {version}");
        let fault = Diagnostic::error("GLB-E010", "glTF of version 2", found);
        return Err(Box::new(fault.hint("export it as glTF 2.0")));
    }
    if stated != bytes.len() {
        return Err(cut(format!("{stated} bytes, as the header says"), format!("{} bytes", bytes.len())));
    }
    let mut chunks = Chunks { bytes, at: 12 };
    let json = match chunks.next().transpose()? {
        Some((b"JSON", json)) => json,
        Some((kind, _)) => return Err(cut("a JSON chunk first".to_owned(), shown(kind))),
        None => return Err(cut("a JSON chunk".to_owned(), "none".to_owned())),
    };
    let bin = match chunks.next().transpose()? {
        Some((b"BIN\0", bin)) => Some(bin),
        // Chunks of kinds that are not known are to be skipped (section 4.4.3).
        Some(_) | None => None,
    };
    for chunk in chunks {
        chunk?;
    }
    Ok(Container { json, bin })
}

struct Chunks<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Iterator for Chunks<'a> {
    type Item = Result<(&'a [u8; 4], &'a [u8]), Box<Diagnostic>>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.at >= self.bytes.len() {
            return None;
        }
        let start = self.at + 8;
        let rest = self.bytes.get(start..);
        let length = word(self.bytes, self.at);
        let kind = self.bytes.get(self.at + 4..start).and_then(|kind| kind.first_chunk::<4>());
        let contents = rest.zip(length).and_then(|(rest, length)| rest.get(..length));
        self.at = contents.map_or(usize::MAX, |contents| start + contents.len());
        match kind.zip(contents) {
            Some(chunk) => Some(Ok(chunk)),
            None => {
                let expected = length.map_or("a whole chunk".to_owned(), |length| format!("a chunk of {length} bytes"));
                let found = format!("{} bytes to the end of the file", rest.map_or(0, <[u8]>::len));
                let fault = Diagnostic::error("GLB-E011", expected, found);
                Some(Err(Box::new(fault.hint("the file is cut or damaged: copy or export it again"))))
            }
        }
    }
}

fn word(bytes: &[u8], at: usize) -> Option<usize> {
    let four = bytes.get(at..)?.first_chunk::<4>()?;
    usize::try_from(u32::from_le_bytes(*four)).ok()
}

/// The bytes of one buffer: the binary chunk, inside the JSON, or a file in the asset's own folder.
pub(super) fn buffer<'a>(
    index: usize,
    buffer: &Buffer,
    bin: Option<&'a [u8]>,
    folder: Option<&Path>,
    options: &ReadOptions,
) -> Result<Cow<'a, [u8]>, Box<Diagnostic>> {
    let bytes: Cow<'a, [u8]> = match &buffer.uri {
        None if index == 0 && bin.is_some() => Cow::Borrowed(bin.unwrap_or_default()),
        None => {
            let fault = Diagnostic::error("GLB-E022", format!("the bytes of buffer {index}"), "no chunk and no uri");
            return Err(Box::new(fault));
        }
        Some(uri) if uri.get(..5).is_some_and(|scheme| scheme.eq_ignore_ascii_case("data:")) => {
            Cow::Owned(from_data_uri(index, uri)?)
        }
        Some(uri) => Cow::Owned(from_file(index, uri, folder, options)?),
    };
    if bytes.len() < buffer.byte_length {
        let (expected, found) = (format!("{} bytes in buffer {index}", buffer.byte_length), bytes.len().to_string());
        return Err(Box::new(Diagnostic::error("GLB-E022", expected, found).hint("the file is cut or damaged")));
    }
    Ok(bytes)
}

fn from_data_uri(index: usize, uri: &str) -> Result<Vec<u8>, Box<Diagnostic>> {
    let refuse = |found: String| Box::new(Diagnostic::error("GLB-E022", format!("base64 in buffer {index}"), found));
    let (head, data) = uri.split_once(',').ok_or_else(|| refuse(shown(uri.as_bytes())))?;
    if !head.to_ascii_lowercase().ends_with(";base64") {
        return Err(refuse(shown(head.as_bytes())));
    }
    let engine = base64::engine::general_purpose::STANDARD;
    engine.decode(data).map_err(|error| refuse(error.to_string()))
}

/// A plain relative name: no scheme, no root, no way up, no way round through percent signs.
fn from_file(
    index: usize,
    uri: &str,
    folder: Option<&Path>,
    options: &ReadOptions,
) -> Result<Vec<u8>, Box<Diagnostic>> {
    let refuse = |found: String| {
        let fault =
            Diagnostic::error("GLB-E021", format!("the uri of buffer {index} to name a file beside the asset"), found);
        Box::new(fault.hint("export it as GLB, with everything in one file"))
    };
    let name = percent_decoded(uri).ok_or_else(|| refuse(shown(uri.as_bytes())))?;
    let is_plain = !name.is_empty()
        && !name.contains([':', '\\', '\0'])
        && Path::new(&name).components().all(|part| matches!(part, Component::Normal(_)));
    if !is_plain {
        return Err(refuse(shown(uri.as_bytes())));
    }
    let folder = folder.ok_or_else(|| refuse(format!("{}, and no folder to look in", shown(uri.as_bytes()))))?;
    let path: PathBuf = folder.join(&name);
    // A link inside the folder may lead out of it.
    let inside = path.canonicalize().ok().zip(folder.canonicalize().ok());
    match inside {
        Some((file, folder)) if file.starts_with(&folder) => {}
        Some(_) => return Err(refuse(format!("{}, which leads out of the folder", shown(uri.as_bytes())))),
        None => return Err(refuse(format!("{}, which is not there", shown(uri.as_bytes())))),
    }
    crate::limited::read_limited(&path, options)
        .map_err(|error| refuse(crate::diagnostic::printable(&error.to_string())))
}

fn percent_decoded(uri: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(uri.len());
    let mut rest = uri.as_bytes();
    while let Some((&byte, tail)) = rest.split_first() {
        rest = tail;
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let (digits, tail) = rest.split_at_checked(2)?;
        bytes.push(u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()?);
        rest = tail;
    }
    String::from_utf8(bytes).ok()
}
