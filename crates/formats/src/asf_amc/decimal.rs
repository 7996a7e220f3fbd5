//! Numbers as the format prints them: C's `%g`, with more digits only where six would turn a bone visibly.

use super::angle_unit::AngleUnit;

/// `%g` prints six significant digits, and so do the tools that made the files.
const DIGITS: usize = 6;

/// Digits of an `f64` that tell it from its neighbours; more say nothing.
const MOST_DIGITS: usize = 17;

/// What a written angle may be off by. Degrees get at least three decimals, 5e-4° = 8.73e-6 rad; radians five, 5e-6
/// rad. Six digits have as many below 1000° and 10 rad; real captures wind on beyond (CMU's 08_01 turns a thumb to
/// 1154°).
pub(crate) const ANGLE_ROUNDING_RAD: f64 = 5e-4 * std::f64::consts::PI / 180.0;

/// What a written length may be off by, as a share of it: half of the sixth digit, which is largest after a leading 1.
pub(crate) const LENGTH_ROUNDING: f64 = 5e-6;

/// A new angle in the file's unit, within [`ANGLE_ROUNDING_RAD`], with the digits of the word it replaces if those are
/// more.
pub(super) fn format_angle(value: f64, unit: AngleUnit, word_digits: usize) -> String {
    let decimals = match unit {
        AngleUnit::Degrees => 3,
        AngleUnit::Radians => 5,
    };
    let whole_digits = value.abs().max(1.0).log10().floor() as usize + 1;
    format_g(positive_zero(value), (whole_digits + decimals).clamp(DIGITS, MOST_DIGITS).max(word_digits))
}

/// A new length, within [`LENGTH_ROUNDING`], with the digits of the word it replaces if those are more.
pub(super) fn format_length(value: f64, word_digits: usize) -> String {
    format_g(positive_zero(value), DIGITS.max(word_digits))
}

/// A new value to the last bit, but for the sign of zero.
pub(super) fn format_full(value: f64) -> String {
    format_exact(positive_zero(value))
}

/// −0 + 0 is +0; the sign means nothing.
fn positive_zero(value: f64) -> f64 {
    value + 0.0
}

/// `%.{digits}g`: that many significant digits, no trailing zeros, an exponent below 1e-4 and from 10^digits on.
pub(super) fn format_g(value: f64, digits: usize) -> String {
    let digits = digits.max(1);
    let scientific = format!("{:.*e}", digits - 1, value);
    let Some((mantissa, exponent)) = scientific.split_once('e') else { return scientific };
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let last = digits as i32 - 1;
    if exponent < -4 || exponent > last {
        let sign = if exponent < 0 { '-' } else { '+' };
        return format!("{}e{sign}{:02}", without_trailing_zeros(mantissa), exponent.abs());
    }
    let decimals = (last - exponent) as usize;
    without_trailing_zeros(&format!("{value:.decimals$}")).to_owned()
}

/// The shortest `%g` text that reads back as the same number.
pub(super) fn format_exact(value: f64) -> String {
    let scientific = format!("{value:e}");
    let mantissa = scientific.split('e').next().unwrap_or_default();
    let digits = mantissa.bytes().filter(u8::is_ascii_digit).count();
    // At least six, so that 100000 is not written as 1e+05.
    format_g(value, digits.max(6))
}

/// Significant digits of a number's text: leading zeros are none.
pub(super) fn significant_digits(text: &[u8]) -> usize {
    let mantissa = text.iter().take_while(|byte| !matches!(byte, b'e' | b'E'));
    mantissa.filter(|byte| byte.is_ascii_digit()).skip_while(|&&digit| digit == b'0').count()
}

fn without_trailing_zeros(text: &str) -> &str {
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.'),
        false => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn texts_are_those_of_c() {
        let cases = [
            (0.0, "0"),
            (-0.0, "-0"),
            (16.7048, "16.7048"),
            (-2.489_723_4, "-2.48972"),
            (123_456.7, "123457"),
            (999_999.7, "1e+06"),
            (0.000_123_456_78, "0.000123457"),
            (7.628_52e-16, "7.62852e-16"),
            (100.0, "100"),
            (-1.620_1e-14, "-1.6201e-14"),
        ];
        for (value, expected) in cases {
            assert_eq!(format_g(value, 6), expected);
        }
        assert_eq!(format_exact(100_000.0), "100000");
        assert_eq!(format_exact(0.1 + 0.2), "0.30000000000000004");
        assert_eq!(significant_digits(b"-0.0012340e-12"), 5);
    }

    #[test]
    fn windings_keep_their_decimals_and_zeros_have_no_sign() {
        assert_eq!(format_angle(-1_154.541_26, AngleUnit::Degrees, 0), "-1154.541");
        assert_eq!(format_angle(154.541_26, AngleUnit::Degrees, 0), "154.541");
        assert_eq!(format_angle(-12.345_678_9, AngleUnit::Radians, 0), "-12.34568");
        assert_eq!(format_angle(1.234_567_89, AngleUnit::Degrees, 8), "1.2345679");
        assert_eq!(format_angle(-1e300, AngleUnit::Degrees, 0).parse(), Ok(-1e300));
        assert_eq!(format_angle(-0.0, AngleUnit::Degrees, 0), "0");
        assert_eq!((format_length(-0.0, 0), format_full(-0.0)), ("0".to_owned(), "0".to_owned()));
        assert_eq!(format_length(-1234.567, 0), "-1234.57");
    }

    proptest! {
        #[test]
        fn rounding_is_what_it_is_said_to_be(degrees in -1e6..1e6) {
            let off = |text: String, value: f64| (text.parse::<f64>().unwrap() - value).abs();
            // Reading the text back rounds once more, in the last bit.
            let last_bit = 1e6 * f64::EPSILON;
            let off_deg = off(format_angle(degrees, AngleUnit::Degrees, 0), degrees);
            prop_assert!(off_deg.to_radians() <= ANGLE_ROUNDING_RAD + last_bit);
            prop_assert!(off(format_angle(degrees, AngleUnit::Radians, 0), degrees) <= ANGLE_ROUNDING_RAD + last_bit);
            prop_assert!(off(format_length(degrees, 0), degrees) <= LENGTH_ROUNDING * degrees.abs() + last_bit);
        }

        #[test]
        fn exact_texts_read_back(bits: u64) {
            let value = f64::from_bits(bits);
            prop_assume!(value.is_finite());
            prop_assert_eq!(format_exact(value).parse::<f64>().unwrap().to_bits(), bits);
            let six: f64 = format_g(value, 6).parse().unwrap();
            prop_assert!((six - value).abs() <= value.abs() * 5.1e-6 || six.is_infinite());
        }
    }
}
