//! The index of a batch: one row a clip, for programs that filter datasets.

use super::parquet::parquet_bytes;
use crate::error::ProjectError;
use serde_json::{Map, Value};
use std::collections::BTreeSet;
use std::path::Path;

/// How an index is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IndexFormat {
    /// One JSON object a line.
    JsonLines,
    /// Comma-separated, with a header.
    Csv,
    /// Columns with types.
    Parquet,
}

impl IndexFormat {
    /// By the ending of a name.
    pub fn from_path(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "jsonl" | "ndjson" => Some(Self::JsonLines),
            "csv" => Some(Self::Csv),
            "parquet" | "pq" => Some(Self::Parquet),
            _ => None,
        }
    }
}

/// Rows as a file.
pub fn index_bytes<'a>(
    rows: impl IntoIterator<Item = &'a Map<String, Value>> + Clone,
    format: IndexFormat,
) -> Result<Vec<u8>, ProjectError> {
    let fault = |detail: String| ProjectError::Table { what: "index", detail };
    match format {
        IndexFormat::JsonLines => {
            let mut bytes = Vec::new();
            for row in rows {
                serde_json::to_writer(&mut bytes, row).map_err(|error| fault(error.to_string()))?;
                bytes.push(b'\n');
            }
            Ok(bytes)
        }
        IndexFormat::Csv => {
            let header = columns(rows.clone());
            let mut writer = csv::Writer::from_writer(Vec::new());
            writer.write_record(&header).map_err(|error| fault(error.to_string()))?;
            for row in rows {
                let cell = |name: &&String| match row.get(*name) {
                    None | Some(Value::Null) => String::new(),
                    Some(Value::String(text)) => text.clone(),
                    Some(other) => other.to_string(),
                };
                writer.write_record(header.iter().map(cell)).map_err(|error| fault(error.to_string()))?;
            }
            writer.into_inner().map_err(|error| fault(error.to_string()))
        }
        IndexFormat::Parquet => {
            let header = columns(rows.clone());
            let rows: Vec<&Map<String, Value>> = rows.into_iter().collect();
            parquet_bytes(&rows, &header).map_err(|error| fault(error.to_string()))
        }
    }
}

/// Columns that any row has; the name first, the others by name.
fn columns<'a>(rows: impl IntoIterator<Item = &'a Map<String, Value>>) -> Vec<&'a String> {
    let names: BTreeSet<&String> = rows.into_iter().flat_map(Map::keys).collect();
    let (first, rest): (Vec<&String>, Vec<&String>) = names.into_iter().partition(|name| *name == "file");
    first.into_iter().chain(rest).collect()
}
