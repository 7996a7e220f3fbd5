//! The zip around the arrays. Only members that are asked for are unpacked, and never more of them than a limit.

use super::npy::{self, Array};
use crate::diagnostic::{Diagnostic, printable, shown};
use std::io::{Cursor, Read};

/// Real files have a dozen members.
const MOST_MEMBERS: usize = 4_096;
/// A member may grow by so much …
const MOST_GROWTH: u64 = 200;
/// … once it is larger than this: zeros and still poses shrink to next to nothing.
const SMALL_BYTES: u64 = 16 << 20;
/// All that is unpacked of one file.
const MOST_UNPACKED_BYTES: u64 = 4 << 30;

pub(super) struct Archive<'a> {
    zip: zip::ZipArchive<Cursor<&'a [u8]>>,
    unpacked: u64,
}

impl<'a> Archive<'a> {
    pub fn open(bytes: &'a [u8]) -> Result<Self, Box<Diagnostic>> {
        let fault = |code, expected: &str, found: String| Box::new(Diagnostic::error(code, expected, found));
        if !bytes.starts_with(b"PK\x03\x04") {
            return Err(fault("NPZ-E001", "an npz archive", shown(&bytes[..bytes.len().min(16)])));
        }
        // Counted before anything is made of them. The record stands at the end, before a comment of at most 64 KiB.
        let tail = &bytes[bytes.len().saturating_sub(66_000)..];
        let end = tail.windows(4).rposition(|four| four == b"PK\x05\x06");
        let stated = end.and_then(|at| Some(u16::from_le_bytes(*tail.get(at + 10..)?.first_chunk::<2>()?)));
        let stated = stated.ok_or_else(|| fault("NPZ-E001", "the end of a zip archive", "none".to_owned()))?;
        if usize::from(stated) > MOST_MEMBERS {
            return Err(fault("NPZ-E002", "a dozen members", format!("{stated} or more")));
        }
        let zip = zip::ZipArchive::new(Cursor::new(bytes))
            .map_err(|error| fault("NPZ-E001", "an npz archive", printable(&error.to_string())))?;
        if zip.len() != usize::from(stated) {
            let found = format!("{} of {stated}", zip.len());
            return Err(fault("NPZ-E001", "members of different names", found));
        }
        Ok(Self { zip, unpacked: 0 })
    }

    /// The array of the first of these names that is there.
    pub fn array(&mut self, names: &[&str]) -> Result<Option<Array>, Box<Diagnostic>> {
        for name in names {
            if let Some(bytes) = self.member(name)? {
                return npy::parse(&bytes, name).map(Some);
            }
        }
        Ok(None)
    }

    /// Of every member, without their ending; whatever people put there.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.zip.file_names().map(|name| name.strip_suffix(".npy").unwrap_or(name))
    }

    fn member(&mut self, name: &str) -> Result<Option<Vec<u8>>, Box<Diagnostic>> {
        // Names are compared whole: one with a path in it is never asked for.
        let Some(index) = self.zip.index_for_name(&format!("{name}.npy")) else { return Ok(None) };
        let damaged =
            |why: String| Box::new(Diagnostic::error("NPZ-E001", format!("member {name} whole"), printable(&why)));
        let mut member = self.zip.by_index(index).map_err(|error| damaged(error.to_string()))?;
        let growth = member.compressed_size().saturating_mul(MOST_GROWTH).max(SMALL_BYTES);
        let most = growth.min(MOST_UNPACKED_BYTES.saturating_sub(self.unpacked));
        let mut bytes = Vec::new();
        let read = (&mut member).take(most.saturating_add(1)).read_to_end(&mut bytes);
        read.map_err(|error| damaged(error.to_string()))?;
        if bytes.len() as u64 > most {
            let found = format!("more than {most} bytes from {}", member.compressed_size());
            return Err(Box::new(Diagnostic::error("NPZ-E002", format!("a member {name} of sane size"), found)));
        }
        self.unpacked += bytes.len() as u64;
        Ok(Some(bytes))
    }
}
