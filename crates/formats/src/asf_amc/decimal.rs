//! Numbers as the format prints them: C's `%g`.

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

    proptest! {
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
