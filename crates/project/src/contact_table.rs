//! Contacts frame by frame, as arrays for Python: an npz with `contacts` (frames × effectors, bool), `effectors`
//! (names) and `times_secs`.

use crate::error::ProjectError;
use aplomb_analysis::contacts::{Contact, ContactAnalysis};
use ndarray::{Array1, Array2};
use ndarray_npy::{NpzWriter, WritableElement, WriteDataError};
use std::io::{Cursor, Write};

/// Contacts as an npz file's bytes. A frame counts if its time lies in the half-open span of a contact.
pub fn contacts_npz(found: &ContactAnalysis, frames: usize) -> Result<Vec<u8>, ProjectError> {
    let fail = |detail: String| ProjectError::Table { what: "npz of contacts", detail };
    let hz = found.clock.used_hz;
    let times_secs: Array1<f64> = (0..frames).map(|frame| frame as f64 / hz).collect();
    let names: Array1<Name> = found.effectors.iter().map(|effector| Name::new(&effector.name)).collect();
    let mut npz = NpzWriter::new(Cursor::new(Vec::new()));
    npz.add_array("contacts", &contact_matrix(found, frames)).map_err(|error| fail(error.to_string()))?;
    npz.add_array("effectors", &names).map_err(|error| fail(error.to_string()))?;
    npz.add_array("times_secs", &times_secs).map_err(|error| fail(error.to_string()))?;
    Ok(npz.finish().map_err(|error| fail(error.to_string()))?.into_inner())
}

/// Frames × effectors.
pub fn contact_matrix(found: &ContactAnalysis, frames: usize) -> Array2<bool> {
    let mut down = Array2::from_elem((frames, found.effectors.len()), false);
    for (column, effector) in found.effectors.iter().enumerate() {
        for contact in found.contacts_of(&effector.name) {
            for frame in frames_of(contact, found.clock.used_hz, frames) {
                down[(frame, column)] = true;
            }
        }
    }
    down
}

/// Frames at or after the start and before the end. Ends come from samples, so a thousandth of a frame is rounding.
fn frames_of(contact: &Contact, hz: f64, frames: usize) -> std::ops::Range<usize> {
    let first_at = |secs: f64| ((secs * hz - 1e-3).ceil().max(0.0) as usize).min(frames);
    first_at(contact.start_secs)..first_at(contact.end_secs)
}

/// Longest name of an effector in the file; longer ones are cut.
const NAME_CHARS: usize = 64;

/// A name as NumPy stores text: UTF-32 of fixed width (`<U64`), filled up with zeros.
struct Name([u32; NAME_CHARS]);

impl Name {
    fn new(text: &str) -> Self {
        let mut chars = [0; NAME_CHARS];
        for (slot, letter) in chars.iter_mut().zip(text.chars()) {
            *slot = u32::from(letter);
        }
        Self(chars)
    }
}

impl WritableElement for Name {
    fn type_descriptor() -> py_literal::Value {
        py_literal::Value::String(format!("<U{NAME_CHARS}"))
    }

    fn write<W: Write>(&self, mut writer: W) -> Result<(), WriteDataError> {
        let bytes: Vec<u8> = self.0.iter().flat_map(|letter| letter.to_le_bytes()).collect();
        Ok(writer.write_all(&bytes)?)
    }

    fn write_slice<W: Write>(slice: &[Self], mut writer: W) -> Result<(), WriteDataError> {
        slice.iter().try_for_each(|name| name.write(&mut writer))
    }
}
