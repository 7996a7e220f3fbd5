//! Numbers of a file, element by element, with every offset and length checked (glTF 2.0, section 3.6.2).

use super::document::{Accessor, Root};
use crate::diagnostic::{Diagnostic, shown};
use std::borrow::Cow;

/// The buffers that are needed, by their index; the others were not opened.
pub(super) type Buffers<'a> = [OpenBuffer<'a>];
/// `None` if it was not opened.
pub(super) type OpenBuffer<'a> = Option<Cow<'a, [u8]>>;

/// The elements of one accessor.
pub(super) struct Values<'a> {
    /// Absent: zeros.
    dense: Option<Strided<'a>>,
    number: Number,
    pub count: usize,
    pub width: usize,
    /// Sorted indices of elements that stand elsewhere, and where.
    replaced: Option<(Vec<usize>, Strided<'a>)>,
}

#[derive(Clone, Copy)]
struct Strided<'a> {
    bytes: &'a [u8],
    stride: usize,
}

/// How a number is stored, and what it is divided by.
#[derive(Clone, Copy)]
struct Number {
    kind: Kind,
    normalized: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    I8,
    U8,
    I16,
    U16,
    U32,
    F32,
}

impl Kind {
    fn of(component_type: u32) -> Option<Self> {
        match component_type {
            5120 => Some(Self::I8),
            5121 => Some(Self::U8),
            5122 => Some(Self::I16),
            5123 => Some(Self::U16),
            5125 => Some(Self::U32),
            5126 => Some(Self::F32),
            _ => None,
        }
    }

    fn bytes(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::U32 | Self::F32 => 4,
        }
    }

    /// `None` past the end.
    fn read(self, bytes: &[u8]) -> Option<f64> {
        Some(match self {
            Self::I8 => f64::from(bytes.first()?.cast_signed()),
            Self::U8 => f64::from(*bytes.first()?),
            Self::I16 => f64::from(i16::from_le_bytes(*bytes.first_chunk()?)),
            Self::U16 => f64::from(u16::from_le_bytes(*bytes.first_chunk()?)),
            Self::U32 => f64::from(u32::from_le_bytes(*bytes.first_chunk()?)),
            Self::F32 => f64::from(f32::from_le_bytes(*bytes.first_chunk()?)),
        })
    }
}

impl Number {
    /// Section 3.11: signed numbers are cut at −1.
    fn scaled(self, value: f64) -> f64 {
        match self.kind {
            _ if !self.normalized => value,
            Kind::I8 => (value / 127.0).max(-1.0),
            Kind::U8 => value / 255.0,
            Kind::I16 => (value / 32767.0).max(-1.0),
            Kind::U16 => value / 65535.0,
            Kind::U32 | Kind::F32 => value,
        }
    }
}

impl<'a> Values<'a> {
    /// The accessor `index`, checked; nothing is allocated but what stands in a sparse list.
    pub fn open(root: &Root, buffers: &'a Buffers<'_>, index: usize) -> Result<Self, Box<Diagnostic>> {
        let fault = |what: &str| {
            let expected = format!("accessor {index} to lie in the file");
            Box::new(Diagnostic::error("GLB-E014", expected, what.to_owned()))
        };
        let accessor: &Accessor = root.accessors.get(index).ok_or_else(|| fault("no such accessor"))?;
        let kind = Kind::of(accessor.component_type).ok_or_else(|| fault("numbers of an unknown type"))?;
        let width = match accessor.shape.as_str() {
            "SCALAR" => 1,
            "VEC2" => 2,
            "VEC3" => 3,
            "VEC4" => 4,
            other => return Err(fault(&format!("elements of type {}", shown(other.as_bytes())))),
        };
        let element_bytes = width * kind.bytes();
        let strided = |view: usize, offset: usize, count: usize, element_bytes: usize, number_bytes: usize| {
            strided(root, buffers, view, offset, count, element_bytes, number_bytes).map_err(|what| fault(&what))
        };
        let dense = match accessor.buffer_view {
            Some(view) => Some(strided(view, accessor.byte_offset, accessor.count, element_bytes, kind.bytes())?),
            None => None,
        };
        let replaced = match &accessor.sparse {
            None => None,
            Some(sparse) => {
                let (indices, values) = (&sparse.indices, &sparse.values);
                let index_kind = Kind::of(indices.component_type)
                    .filter(|kind| matches!(kind, Kind::U8 | Kind::U16 | Kind::U32))
                    .ok_or_else(|| fault("sparse indices that are no whole numbers"))?;
                let bytes = index_kind.bytes();
                let at = strided(indices.buffer_view, indices.byte_offset, sparse.count, bytes, bytes)?;
                let list: Vec<usize> =
                    (0..sparse.count).filter_map(|entry| Some(index_kind.read(at.element(entry)?)? as usize)).collect();
                if list.windows(2).any(|pair| pair[1] <= pair[0]) || list.last().is_some_and(|&l| l >= accessor.count) {
                    return Err(fault("sparse indices that do not rise, or go beyond the elements"));
                }
                let stand = strided(values.buffer_view, values.byte_offset, sparse.count, element_bytes, kind.bytes())?;
                Some((list, stand))
            }
        };
        let number = Number { kind, normalized: accessor.normalized };
        Ok(Self { dense, number, count: accessor.count, width, replaced })
    }

    /// The first `N` numbers of an element; `None` past the end or where an element has fewer.
    pub fn get<const N: usize>(&self, element: usize) -> Option<[f64; N]> {
        if element >= self.count || N > self.width {
            return None;
        }
        let replaced = self.replaced.as_ref().and_then(|(indices, values)| {
            let entry = indices.binary_search(&element).ok()?;
            values.element(entry)
        });
        let bytes = match (replaced, &self.dense) {
            (Some(bytes), _) => bytes,
            (None, Some(dense)) => dense.element(element)?,
            (None, None) => return Some([0.0; N]),
        };
        let mut numbers = [0.0; N];
        for (slot, bytes) in numbers.iter_mut().zip(bytes.chunks(self.number.kind.bytes())) {
            *slot = self.number.scaled(self.number.kind.read(bytes)?);
        }
        Some(numbers)
    }

    /// Key times and tangents must be real numbers; colours and weights need not.
    pub fn is_float(&self) -> bool {
        self.number.kind == Kind::F32
    }
}

impl<'a> Strided<'a> {
    fn element(&self, index: usize) -> Option<&'a [u8]> {
        self.bytes.get(index.checked_mul(self.stride)?..)
    }
}

/// The bytes from the first element to the end of the last.
fn strided<'a>(
    root: &Root,
    buffers: &'a Buffers<'_>,
    view_index: usize,
    offset: usize,
    count: usize,
    element_bytes: usize,
    number_bytes: usize,
) -> Result<Strided<'a>, String> {
    let view = root.buffer_views.get(view_index).ok_or("a buffer view that is not there")?;
    let buffer = buffers.get(view.buffer).and_then(Option::as_ref).ok_or("a buffer that is not there")?;
    let view_end = view.byte_offset.checked_add(view.byte_length).ok_or("a buffer view that overflows")?;
    let viewed = buffer.get(view.byte_offset..view_end).ok_or("a buffer view beyond its buffer")?;
    let stride = view.byte_stride.unwrap_or(element_bytes);
    if stride < element_bytes || stride > 252.max(element_bytes) {
        return Err(format!("elements of {element_bytes} bytes every {stride} bytes"));
    }
    if !(view.byte_offset.wrapping_add(offset)).is_multiple_of(number_bytes) || !stride.is_multiple_of(number_bytes) {
        return Err("numbers that are not aligned".to_owned());
    }
    let length = match count {
        0 => 0,
        _ => (count - 1).checked_mul(stride).and_then(|all| all.checked_add(element_bytes)).ok_or("an overflow")?,
    };
    let end = offset.checked_add(length).ok_or("an overflow")?;
    let bytes = viewed
        .get(offset..end)
        .ok_or_else(|| format!("{count} elements from byte {offset} of a view of {} bytes", viewed.len()))?;
    Ok(Strided { bytes, stride })
}
