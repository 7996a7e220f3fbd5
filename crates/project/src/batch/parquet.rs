//! The index as a Parquet file: one row group, one column a figure, every cell may be absent.
//!
//! Written through the column writers of the `parquet` crate without its Arrow half, which would add some forty crates
//! for a table that is in memory anyway.

use parquet::basic::{LogicalType, Repetition, Type as Physical};
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DataType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use parquet::schema::types::Type;
use serde_json::{Map, Value};
use std::sync::Arc;

/// Columns that are words. The others are figures: a part of a dataset in which one is absent from every row must still
/// fit together with the other parts.
const WORDS: [&str; 11] = [
    "file",
    "status",
    "error",
    "error_code",
    "input_sha256",
    "plan",
    "clock",
    "warnings",
    "edit_warnings",
    "outputs",
    "headline",
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ColumnKind {
    Flag,
    Whole,
    Figure,
    Words,
}

/// Rows as a Parquet file with these columns.
pub(super) fn parquet_bytes(rows: &[&Map<String, Value>], columns: &[&String]) -> Result<Vec<u8>, ParquetError> {
    let kinds: Vec<ColumnKind> = columns.iter().map(|name| kind(name, rows)).collect();
    let fields = columns.iter().zip(&kinds).map(|(name, kind)| field(name, *kind)).collect::<Result<Vec<_>, _>>()?;
    let schema = Type::group_type_builder("index").with_fields(fields).build()?;
    let mut bytes = Vec::new();
    let mut file = SerializedFileWriter::new(&mut bytes, Arc::new(schema), Default::default())?;
    let mut group = file.next_row_group()?;
    for (name, kind) in columns.iter().zip(kinds) {
        let Some(column) = group.next_column()? else { break };
        let cells = rows.iter().map(|row| row.get(*name));
        match kind {
            ColumnKind::Flag => write::<BoolType>(column, cells, Value::as_bool)?,
            ColumnKind::Whole => write::<Int64Type>(column, cells, Value::as_i64)?,
            ColumnKind::Figure => write::<DoubleType>(column, cells, Value::as_f64)?,
            ColumnKind::Words => write::<ByteArrayType>(column, cells, |cell| Some(words(cell)))?,
        }
    }
    group.close()?;
    file.close()?;
    Ok(bytes)
}

fn kind(name: &str, rows: &[&Map<String, Value>]) -> ColumnKind {
    let cells = || rows.iter().filter_map(|row| row.get(name)).filter(|cell| !cell.is_null());
    match () {
        () if WORDS.contains(&name) => ColumnKind::Words,
        () if cells().next().is_none() => ColumnKind::Figure,
        () if cells().all(Value::is_boolean) => ColumnKind::Flag,
        () if cells().all(Value::is_i64) => ColumnKind::Whole,
        () if cells().all(Value::is_number) => ColumnKind::Figure,
        () => ColumnKind::Words,
    }
}

fn field(name: &str, kind: ColumnKind) -> Result<Arc<Type>, ParquetError> {
    let (physical, logical) = match kind {
        ColumnKind::Flag => (Physical::BOOLEAN, None),
        ColumnKind::Whole => (Physical::INT64, None),
        ColumnKind::Figure => (Physical::DOUBLE, None),
        ColumnKind::Words => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
    };
    let built = Type::primitive_type_builder(name, physical)
        .with_repetition(Repetition::OPTIONAL)
        .with_logical_type(logical)
        .build()?;
    Ok(Arc::new(built))
}

/// Values that are there, one after the other; definition level 0 stands for each that is absent.
fn write<'a, T: DataType>(
    mut column: SerializedColumnWriter<'_>,
    cells: impl Iterator<Item = Option<&'a Value>>,
    taken: impl Fn(&Value) -> Option<T::T>,
) -> Result<(), ParquetError> {
    let cells: Vec<Option<T::T>> = cells.map(|cell| cell.filter(|cell| !cell.is_null()).and_then(&taken)).collect();
    let levels: Vec<i16> = cells.iter().map(|cell| i16::from(cell.is_some())).collect();
    let values: Vec<T::T> = cells.into_iter().flatten().collect();
    column.typed::<T>().write_batch(&values, Some(&levels), None)?;
    column.close()
}

/// Texts as they are, lists as JSON.
fn words(cell: &Value) -> ByteArray {
    cell.as_str().map_or_else(|| cell.to_string(), str::to_owned).into_bytes().into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use parquet::file::reader::{FileReader, SerializedFileReader};
    use serde_json::json;

    #[test]
    fn a_reader_finds_every_cell_and_what_is_absent() {
        let rows = [
            json!({ "file": "a.bvh", "frames": 3, "score": 71.5, "judged": true, "outputs": ["a.glb"] }),
            json!({ "file": "é.bvh", "frames": 4, "score": null, "judged": false, "friction_p95": null }),
        ];
        let rows: Vec<&Map<String, Value>> = rows.iter().map(|row| row.as_object().unwrap()).collect();
        let names = ["file", "frames", "friction_p95", "judged", "outputs", "score"].map(str::to_owned);
        let bytes = parquet_bytes(&rows, &names.iter().collect::<Vec<_>>()).unwrap();
        let reader = SerializedFileReader::new(bytes::Bytes::from(bytes)).unwrap();
        let cells = |row: parquet::record::Row| -> Vec<String> {
            row.get_column_iter().map(|(name, cell)| format!("{name} {cell}")).collect()
        };
        let found: Vec<Vec<String>> = reader.get_row_iter(None).unwrap().map(|row| cells(row.unwrap())).collect();
        let expected = [
            ["file \"a.bvh\"", "frames 3", "friction_p95 null", "judged true", "outputs \"[\"a.glb\"]\"", "score 71.5"],
            ["file \"é.bvh\"", "frames 4", "friction_p95 null", "judged false", "outputs null", "score null"],
        ];
        assert_eq!(found, expected);
    }
}
