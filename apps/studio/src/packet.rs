//! Numbers for the page: a JSON header and arrays of 32-bit floats behind it, read by the browser without parsing.
//!
//! `[length of the header, u32 LE][header][zeros up to a multiple of 4][floats, LE]`. The header's `arrays` says of
//! each array where it begins and how long it is, counted in floats. What is not measured is NaN, here and nowhere
//! else: the page draws gaps.

use serde_json::{Map, Value, json};

/// A packet that is being made.
#[derive(Default)]
pub struct Packet {
    arrays: Map<String, Value>,
    floats: Vec<u8>,
}

impl Packet {
    /// Adds an array.
    pub fn array(&mut self, name: &str, values: impl IntoIterator<Item = f64>) {
        let start = self.floats.len() / 4;
        for value in values {
            self.floats.extend_from_slice(&(value as f32).to_le_bytes());
        }
        self.arrays.insert(name.to_owned(), json!([start, self.floats.len() / 4 - start]));
    }

    /// Room for so many floats more.
    pub fn reserve(&mut self, floats: usize) {
        self.floats.reserve(4 * floats);
    }

    /// The bytes.
    pub fn finish(self, mut header: Map<String, Value>) -> Vec<u8> {
        header.insert("arrays".to_owned(), Value::Object(self.arrays));
        let header = Value::Object(header).to_string().into_bytes();
        let padded = header.len().next_multiple_of(4);
        let mut bytes = Vec::with_capacity(4 + padded + self.floats.len());
        bytes.extend_from_slice(&(header.len() as u32).to_le_bytes());
        bytes.extend_from_slice(&header);
        bytes.resize(4 + padded, 0);
        bytes.extend_from_slice(&self.floats);
        bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_packet_says_where_its_arrays_are() {
        let mut packet = Packet::default();
        packet.array("a", [1.0, 2.0]);
        packet.array("b", [f64::NAN]);
        let bytes = packet.finish(Map::from_iter([("x".to_owned(), json!(1))]));
        let length = u32::from_le_bytes(bytes[..4].try_into().unwrap()) as usize;
        let header: Value = serde_json::from_slice(&bytes[4..4 + length]).unwrap();
        assert_eq!(header, json!({ "x": 1, "arrays": { "a": [0, 2], "b": [2, 1] } }));
        let floats = &bytes[4 + length.next_multiple_of(4)..];
        assert_eq!(floats.len(), 12);
        assert_eq!(f32::from_le_bytes(floats[4..8].try_into().unwrap()), 2.0);
        assert!(f32::from_le_bytes(floats[8..].try_into().unwrap()).is_nan());
    }
}
