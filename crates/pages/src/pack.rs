//! Numbers as base64 of little-endian arrays: a third of JSON's size, and read by the browser in one go.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

/// What the page takes for "not measured". A number, so that no NaN is ever written.
pub(crate) const ABSENT: f32 = -3.0e38;

/// Any bytes.
pub(crate) fn bytes(values: &[u8]) -> String {
    STANDARD.encode(values)
}

/// Whole numbers of 16 bits.
pub(crate) fn i16s(values: &[i16]) -> String {
    bytes(&values.iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<u8>>())
}

/// Whole numbers of 32 bits.
pub(crate) fn u32s(values: &[u32]) -> String {
    bytes(&values.iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<u8>>())
}

/// Single precision; what is absent or not finite becomes [`ABSENT`].
pub(crate) fn f32s(values: impl IntoIterator<Item = Option<f64>>) -> String {
    bytes(&values.into_iter().flat_map(|value| single(value).to_le_bytes()).collect::<Vec<u8>>())
}

fn single(value: Option<f64>) -> f32 {
    match value {
        // Nothing we measure is anywhere near the sentinel: a metre is 1.
        Some(value) if value.abs() < 1e30 => value as f32,
        _ => ABSENT,
    }
}

/// A share of the range −1…1 in 16 bits.
pub(crate) fn unit_i16(value: f64) -> i16 {
    // `as` saturates and takes NaN to 0.
    (value.clamp(-1.0, 1.0) * 32_767.0).round() as i16
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_but_finite_numbers_is_written() {
        assert_eq!(single(Some(f64::NAN)), ABSENT);
        assert_eq!(single(Some(f64::INFINITY)), ABSENT);
        assert_eq!(single(None), ABSENT);
        assert_eq!(single(Some(-1e29)), -1e29);
        assert_eq!(f32s([Some(1.0)]), "AACAPw==");
        assert_eq!(u32s(&[1]), "AQAAAA==");
        assert_eq!((unit_i16(1.0), unit_i16(-2.0), unit_i16(f64::NAN)), (32_767, -32_767, 0));
    }
}
