//! Decimal numbers in text, both ways: what every text reader and writer here needs, at the speed of the memory.
//!
//! Reading: [`plain_decimal`] takes what nearly every token of a motion file is, `-12.3456`, eight digits at a time;
//! anything else goes to [`parse`], which knows every spelling that real files use and says why it refuses the others.
//! Both give the `f64` nearest to the decimal, the very one of `str::parse`. Writing: [`push_fixed`] rounds correctly
//! to a number of decimals, [`push_shortest`] gives the fewest digits that read back as the same `f64`.

/// A number found by [`plain_decimal`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plain {
    /// The nearest `f64`.
    pub value: f64,
    /// First byte after it.
    pub end: usize,
    /// Digits after the point.
    pub decimals: u8,
}

/// Powers of ten that an `f64` holds exactly.
const POWERS: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20,
    1e21, 1e22,
];

/// Powers of ten of up to seven digits, as integers.
const SMALL_POWERS: [u64; 8] = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000];

const ASCII_ZEROS: u64 = 0x3030_3030_3030_3030;
const HIGH_BITS: u64 = 0x8080_8080_8080_8080;

/// `[-]digits[POINT digits]` with at most seven digits before and fifteen behind the point, at `start`; `None` for
/// anything else, and where all digits together are more than a double holds.
///
/// The caller checks what follows. The mantissa is at most 2⁵³ and the divisor at most 10²², so both are exact and one
/// division rounds once: the result is the correctly rounded one (W. D. Clinger, "How to read floating point numbers
/// accurately", PLDI 1990).
#[inline(always)]
pub fn plain_decimal<const POINT: u8>(bytes: &[u8], start: usize) -> Option<Plain> {
    let negative = *bytes.get(start)? == b'-';
    let whole_at = start + usize::from(negative);
    let (whole, whole_digits) = digits_at(bytes, whole_at)?;
    let point_at = whole_at + whole_digits;
    if *bytes.get(point_at)? != POINT {
        if whole_digits == 0 || whole_digits == 8 {
            return None;
        }
        let magnitude = aligned_digits(whole, whole_digits) as f64;
        return Some(Plain { value: if negative { -magnitude } else { magnitude }, end: point_at, decimals: 0 });
    }
    let (fraction, decimals) = digits_at(bytes, point_at + 1)?;
    // Eight is "eight or more"; and a lone point is no number.
    if whole_digits == 8 || whole_digits + decimals == 0 {
        return None;
    }
    let whole = aligned_digits(whole, whole_digits);
    if decimals == 8 {
        return long_fraction(bytes, point_at + 1, negative, whole, aligned_digits(fraction, 8));
    }
    let mantissa = whole * SMALL_POWERS[decimals & 7] + aligned_digits(fraction, decimals);
    let magnitude = mantissa as f64 / POWERS[decimals];
    let value = if negative { -magnitude } else { magnitude };
    Some(Plain { value, end: point_at + 1 + decimals, decimals: decimals as u8 })
}

/// Eight to fifteen decimals, as programs write that print doubles; `None` where the digits are too many for one
/// division.
#[inline(never)]
fn long_fraction(bytes: &[u8], fraction_at: usize, negative: bool, whole: u64, first_eight: u64) -> Option<Plain> {
    let (fraction, more) = digits_at(bytes, fraction_at + 8)?;
    if more == 8 {
        return None;
    }
    // Below 10²² in front of the check, so nothing overflows that would pass it.
    let front = whole * 100_000_000 + first_eight;
    let mantissa = front.checked_mul(SMALL_POWERS[more & 7])?.checked_add(aligned_digits(fraction, more))?;
    if mantissa > 1 << 53 {
        return None;
    }
    let magnitude = mantissa as f64 / POWERS[8 + more];
    let value = if negative { -magnitude } else { magnitude };
    Some(Plain { value, end: fraction_at + 8 + more, decimals: (8 + more) as u8 })
}

/// The eight bytes at `at` with digits turned into 0…9, and how many leading ones are digits; `None` near the end.
#[inline(always)]
fn digits_at(bytes: &[u8], at: usize) -> Option<(u64, usize)> {
    let eight: [u8; 8] = bytes.get(at..at.wrapping_add(8))?.try_into().ok()?;
    let digits = u64::from_le_bytes(eight) ^ ASCII_ZEROS;
    // A byte is above 9 iff adding 118 reaches the high bit (or it was set before); no carry leaves a byte.
    let not_digit = (((digits & !HIGH_BITS) + 0x7676_7676_7676_7676) | digits) & HIGH_BITS;
    Some((digits, (not_digit.trailing_zeros() / 8) as usize))
}

/// The number that the first `count` (0 to 8) bytes spell, most significant first: three multiplications.
#[inline(always)]
fn aligned_digits(digits: u64, count: usize) -> u64 {
    // Leading zeros come in from below; two shifts because count may be 0.
    let shift = 4 * (8 - count as u32);
    let v = (digits << shift) << shift;
    let pairs = v.wrapping_mul(10).wrapping_add(v >> 8);
    let odd = (pairs & 0x0000_00FF_0000_00FF).wrapping_mul(0x000F_4240_0000_0064);
    let even = ((pairs >> 16) & 0x0000_00FF_0000_00FF).wrapping_mul(0x0000_2710_0000_0001);
    odd.wrapping_add(even) >> 32
}

/// A number found by [`parse`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parsed {
    /// The nearest `f64`.
    pub value: f64,
    /// Decimal places that the spelling resolves, its exponent taken into account.
    pub decimals: u8,
    /// Spelled with a Fortran exponent, `1.0D-3`.
    pub fortran: bool,
}

/// Why a token is not a usable number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NumberFault {
    /// `nan`, `-nan(ind)`, `1.#QNAN`, `-1.#IND`, …: a program's way of printing "not a number".
    NotANumber,
    /// `inf`, `1.#INF`, or a decimal too large for an `f64`.
    Infinite,
    /// More bytes than allowed.
    TooLong,
    /// Holds a zero byte.
    Nul,
    /// Not a decimal number.
    Malformed,
}

/// Any decimal spelling: `.5`, `5.`, `+1.5`, `1e-7`, `1.0E+001`, `1.0D-3`. `point` is `.` or `,`.
pub fn parse(token: &[u8], point: u8, longest: usize) -> Result<Parsed, NumberFault> {
    if token.len() > longest {
        return Err(NumberFault::TooLong);
    }
    let Some(shape) = Shape::of(token, point) else { return Err(fault(token)) };
    let value: Result<f64, _> = match std::str::from_utf8(token) {
        Ok(text) if point == b'.' && !shape.fortran => text.parse(),
        _ => {
            let mut text = String::with_capacity(token.len());
            text.extend(token.iter().map(|&byte| match byte {
                b'd' | b'D' => 'e',
                _ if byte == point => '.',
                _ => byte as char,
            }));
            text.parse()
        }
    };
    let value = value.map_err(|_| NumberFault::Malformed)?;
    if !value.is_finite() {
        return Err(NumberFault::Infinite);
    }
    Ok(Parsed { value, decimals: shape.decimals(), fortran: shape.fortran })
}

/// Counts of a token's parts.
struct Shape {
    fraction_digits: i64,
    exponent: i64,
    fortran: bool,
}

impl Shape {
    /// `[+-] digits [point digits] [(e|d) [+-] digits]` with a digit before the exponent.
    fn of(token: &[u8], point: u8) -> Option<Self> {
        let digits = |bytes: &[u8]| bytes.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let unsigned = |bytes: &[u8]| usize::from(matches!(bytes.first(), Some(b'+' | b'-')));
        let rest = &token[unsigned(token)..];
        let whole = digits(rest);
        let rest = &rest[whole..];
        let (fraction, rest) = match rest.split_first() {
            Some((&byte, rest)) if byte == point => (digits(rest), &rest[digits(rest)..]),
            _ => (0, rest),
        };
        if whole + fraction == 0 {
            return None;
        }
        let (exponent, fortran) = match rest.split_first() {
            None => (0, false),
            Some((&letter @ (b'e' | b'E' | b'd' | b'D'), rest)) => {
                let sign = unsigned(rest);
                let magnitude = &rest[sign..];
                if magnitude.is_empty() || digits(magnitude) != magnitude.len() {
                    return None;
                }
                // Exponents beyond an f64's only need to stay beyond it.
                let size = magnitude.iter().fold(0i64, |n, d| (n * 10 + i64::from(d - b'0')).min(100_000));
                let negative = sign == 1 && rest[0] == b'-';
                (if negative { -size } else { size }, matches!(letter, b'd' | b'D'))
            }
            Some(_) => return None,
        };
        Some(Self { fraction_digits: fraction as i64, exponent, fortran })
    }

    fn decimals(&self) -> u8 {
        (self.fraction_digits - self.exponent).clamp(0, 255) as u8
    }
}

/// Names the fault of a token that is not a decimal.
fn fault(token: &[u8]) -> NumberFault {
    if token.contains(&0) {
        return NumberFault::Nul;
    }
    let unsigned = match token.split_first() {
        Some((b'+' | b'-', rest)) => rest,
        _ => token,
    };
    let lower = unsigned.to_ascii_lowercase();
    // Old Windows runtimes print 1.#QNAN, 1.#IND00, 1.#INF; newer ones nan(ind); C's printf nan(0x8…).
    if lower.starts_with(b"inf") || lower.starts_with(b"1.#inf") {
        NumberFault::Infinite
    } else if lower.starts_with(b"nan") || lower.starts_with(b"1.#") {
        NumberFault::NotANumber
    } else {
        NumberFault::Malformed
    }
}

/// Whether a token can only be meant as a number, broken or not: it begins like one, or spells "not a number".
pub fn looks_numeric(token: &[u8]) -> bool {
    let unsigned = match token.split_first() {
        Some((b'+' | b'-', rest)) => rest,
        _ => token,
    };
    match unsigned.first() {
        Some(b'0'..=b'9' | b'.' | b',') => true,
        _ => matches!(fault(token), NumberFault::NotANumber | NumberFault::Infinite),
    }
}

/// `00`, `01`, … `99`, to write two digits at a time.
const PAIRS: [[u8; 2]; 100] = {
    let mut pairs = [[b'0'; 2]; 100];
    let mut n = 0;
    while n < 100 {
        pairs[n] = [b'0' + (n / 10) as u8, b'0' + (n % 10) as u8];
        n += 1;
    }
    pairs
};

/// Appends `value` with exactly `decimals` digits after the point (none, and no point, for 0), correctly rounded: the
/// decimal nearest to the binary value, ties to even, as `format!("{:.1$}")` gives it, an order of magnitude faster.
///
/// value·10^d is computed in `f64` with a relative error of at most 2⁻⁵³; unless the result lies that close to a half,
/// its rounding is the rounding of the exact product. The rest, and numbers beyond 2⁵³ units, take the standard
/// library's way. A negative value that rounds to zero loses its sign, so that noise does not spell `-0`; a true −0
/// keeps it.
#[inline]
pub fn push_fixed(out: &mut Vec<u8>, value: f64, decimals: usize) {
    const INTEGERS: f64 = 4_503_599_627_370_496.0;
    const LARGEST: f64 = INTEGERS / 2.0;
    let scaled = match POWERS.get(decimals) {
        Some(power) => value.abs() * power,
        None => f64::INFINITY,
    };
    if scaled.is_nan() || scaled >= LARGEST || decimals > 18 {
        return push_fixed_slowly(out, value, decimals);
    }
    // Adding 2⁵² leaves no room for a fraction: ties to even, without a call to the library.
    let rounded = (scaled + INTEGERS) - INTEGERS;
    let to_half = (scaled - rounded).abs() - 0.5;
    // |scaled|·2⁻⁵³ is the error; twice that for good measure.
    if to_half.abs() <= scaled * (2.0 * f64::EPSILON) {
        return push_fixed_slowly(out, value, decimals);
    }
    let units = rounded as u64;
    let is_negative = value.is_sign_negative() && (units != 0 || value == 0.0);
    // The number ends in the middle, so that a stretch of fixed length can be copied, which needs no call.
    let mut buffer = [b'0'; 2 * WIDEST];
    let mut at = if decimals == 6 { six_decimals(&mut buffer, units) } else { digits(&mut buffer, units, decimals) };
    if is_negative {
        at -= 1;
        buffer[at] = b'-';
    }
    let end = out.len() + (WIDEST - at);
    out.extend_from_slice(&buffer[at..at + WIDEST]);
    out.truncate(end);
}

/// Sign, 18 decimals, point and a digit, or 16 digits and a point, and some.
const WIDEST: usize = 24;

/// Spells `units`·10^−decimals so that it ends at [`WIDEST`]; gives where it begins.
#[inline]
fn digits(buffer: &mut [u8; 2 * WIDEST], units: u64, decimals: usize) -> usize {
    let mut at = WIDEST;
    let mut rest = units;
    if decimals > 0 {
        if decimals % 2 == 1 {
            at -= 1;
            buffer[at] = b'0' + (rest % 10) as u8;
            rest /= 10;
        }
        for _ in 0..decimals / 2 {
            at -= 2;
            buffer[at..at + 2].copy_from_slice(&PAIRS[(rest % 100) as usize]);
            rest /= 100;
        }
        at -= 1;
        buffer[at] = b'.';
    }
    whole_digits(buffer, at, rest)
}

/// The same for six decimals, by far the most common: divisions by constants that do not wait for each other.
#[inline]
fn six_decimals(buffer: &mut [u8; 2 * WIDEST], units: u64) -> usize {
    let (whole, fraction) = (units / 1_000_000, (units % 1_000_000) as u32);
    let pairs = [fraction / 10_000, fraction / 100 % 100, fraction % 100];
    for (place, pair) in pairs.into_iter().enumerate() {
        let at = WIDEST - 6 + 2 * place;
        buffer[at..at + 2].copy_from_slice(&PAIRS[pair as usize]);
    }
    buffer[WIDEST - 7] = b'.';
    whole_digits(buffer, WIDEST - 7, whole)
}

#[inline]
fn whole_digits(buffer: &mut [u8; 2 * WIDEST], end: usize, whole: u64) -> usize {
    let (mut at, mut rest) = (end, whole);
    while rest >= 100 {
        at -= 2;
        buffer[at..at + 2].copy_from_slice(&PAIRS[(rest % 100) as usize]);
        rest /= 100;
    }
    if rest >= 10 {
        at -= 2;
        buffer[at..at + 2].copy_from_slice(&PAIRS[rest as usize]);
    } else {
        at -= 1;
        buffer[at] = b'0' + rest as u8;
    }
    at
}

#[cold]
fn push_fixed_slowly(out: &mut Vec<u8>, value: f64, decimals: usize) {
    let text = format!("{value:.decimals$}");
    let is_zero = text.bytes().all(|byte| matches!(byte, b'-' | b'0' | b'.'));
    let text = if is_zero && value != 0.0 { text.trim_start_matches('-') } else { &text };
    out.extend_from_slice(text.as_bytes());
}

/// Appends the fewest digits that read back as the same `f64`; integers without a point, −0 as `-0`.
pub fn push_shortest(out: &mut Vec<u8>, value: f64) {
    let mut buffer = zmij::Buffer::new();
    let text = buffer.format(value);
    out.extend_from_slice(text.strip_suffix(".0").unwrap_or(text).as_bytes());
}

/// Appends the shortest spelling of `value`, rounded to at most `decimals` digits after the point.
pub fn push_at_most(out: &mut Vec<u8>, value: f64, decimals: usize) {
    let start = out.len();
    push_fixed(out, value, decimals);
    if out[start..].contains(&b'.') {
        let kept = out.iter().rposition(|&byte| byte != b'0').map_or(0, |last| last + usize::from(out[last] != b'.'));
        out.truncate(kept);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn plain(text: &str) -> Option<Plain> {
        // Room behind the number, as in the middle of a file.
        plain_decimal::<b'.'>(format!("{text}                    ").as_bytes(), 0)
    }

    fn fixed(value: f64, decimals: usize) -> String {
        let mut out = Vec::new();
        push_fixed(&mut out, value, decimals);
        String::from_utf8(out).unwrap()
    }

    fn at_most(value: f64, decimals: usize) -> String {
        let mut out = Vec::new();
        push_at_most(&mut out, value, decimals);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn plain_numbers_are_taken_and_others_left() {
        assert_eq!(plain("-12.3456"), Some(Plain { value: -12.3456, end: 8, decimals: 4 }));
        assert_eq!(plain(".0083333"), Some(Plain { value: 0.0083333, end: 8, decimals: 7 }));
        assert_eq!(plain("1.123456789"), Some(Plain { value: 1.123456789, end: 11, decimals: 9 }));
        assert_eq!(plain("-0.016666666666667").map(|found| found.value), Some(-0.016666666666667));
        assert_eq!(plain("5."), Some(Plain { value: 5.0, end: 2, decimals: 0 }));
        assert_eq!(plain("-0").map(|found| found.value.to_bits()), Some((-0.0f64).to_bits()));
        for odd in ["", "-", ".", "-.", "x", "12345678", "1.1234567890123456", "9999999.123456789", "+1", "nan", " 1"] {
            assert_eq!(plain(odd), None, "{odd:?}");
        }
        // Too near the end for eight bytes at once.
        assert_eq!(plain_decimal::<b'.'>(b"1.5", 0), None);
        assert_eq!(plain_decimal::<b'.'>(b"", 0), None);
    }

    #[test]
    fn every_spelling_in_use_is_read() {
        for (text, value, decimals) in [
            (".0083333", 0.0083333, 7),
            ("5.", 5.0, 0),
            ("+1.5", 1.5, 1),
            ("1e-7", 1e-7, 7),
            ("1.0E+001", 10.0, 0),
            ("7.62852e-016", 7.62852e-16, 21),
            ("1.0D-3", 1e-3, 4),
            ("1e-320", 1e-320, 255),
            ("123456789012345678901234567890", 123456789012345678901234567890.0, 0),
        ] {
            let found = parse(text.as_bytes(), b'.', 256).unwrap();
            assert_eq!((found.value, found.decimals), (value, decimals), "{text}");
            assert_eq!(found.fortran, text.contains('D'));
        }
        assert_eq!(parse(b"1,25", b',', 256).unwrap().value, 1.25);
        for (text, expected) in [
            ("nan", NumberFault::NotANumber),
            ("-nan(ind)", NumberFault::NotANumber),
            ("1.#QNAN", NumberFault::NotANumber),
            ("-1.#IND00", NumberFault::NotANumber),
            ("1.#INF", NumberFault::Infinite),
            ("-inf", NumberFault::Infinite),
            ("1e999", NumberFault::Infinite),
            ("0x1p3", NumberFault::Malformed),
            ("1_000", NumberFault::Malformed),
            ("1'000", NumberFault::Malformed),
            ("1,000.5", NumberFault::Malformed),
            ("1e", NumberFault::Malformed),
            ("--1", NumberFault::Malformed),
            ("1.5.2", NumberFault::Malformed),
            ("", NumberFault::Malformed),
            ("1\0", NumberFault::Nul),
        ] {
            assert_eq!(parse(text.as_bytes(), b'.', 256).unwrap_err(), expected, "{text:?}");
        }
        assert_eq!(parse(&[b'1'; 257], b'.', 256), Err(NumberFault::TooLong));
        assert!(
            looks_numeric(b"-.5x") && looks_numeric(b"-nan(ind)") && !looks_numeric(b"MOTION") && !looks_numeric(b"#")
        );
    }

    #[test]
    fn fixed_decimals_round_correctly() {
        for (value, decimals, expected) in [
            (0.0, 6, "0.000000"),
            (-0.0, 6, "-0.000000"),
            (-1e-9, 6, "0.000000"),
            (0.5, 0, "0"),
            (1.5, 0, "2"),
            (2.5, 0, "2"),
            (0.125, 2, "0.12"),
            (0.375, 2, "0.38"),
            // 1.005 is 1.00499999999999989… in binary.
            (1.005, 2, "1.00"),
            (9.9999999, 6, "10.000000"),
            (-123.456, 1, "-123.5"),
            (0.07, 3, "0.070"),
            (100.0, 4, "100.0000"),
            (1e22, 2, "10000000000000000000000.00"),
        ] {
            assert_eq!(fixed(value, decimals), expected, "{value} to {decimals}");
        }
        assert_eq!(
            [at_most(12.5, 6), at_most(1e-9, 6), at_most(-100.0, 6), at_most(0.1 + 0.2, 6)],
            ["12.5", "0", "-100", "0.3"]
        );
        assert_eq!([at_most(-0.0, 6), at_most(100.0, 0)], ["-0", "100"]);
    }

    proptest! {
        #[test]
        fn plain_equals_the_standard_library(text in "-?[0-9]{0,7}(\\.[0-9]{0,7})?") {
            match (plain(&text), text.parse::<f64>()) {
                (Some(found), Ok(value)) => {
                    prop_assert_eq!(found.value.to_bits(), value.to_bits());
                    prop_assert_eq!(found.end, text.len());
                }
                (None, Err(_)) => {}
                (found, expected) => prop_assert!(false, "{:?} {:?}", found, expected),
            }
        }

        #[test]
        fn long_fractions_equal_the_standard_library(text in "-?[0-9]{0,7}\\.[0-9]{8,18}") {
            let value: f64 = text.parse().unwrap();
            if let Some(found) = plain(&text) {
                prop_assert_eq!((found.value.to_bits(), found.end), (value.to_bits(), text.len()));
            }
        }

        #[test]
        fn parse_equals_the_standard_library(text in "[-+]?[0-9]{1,20}(\\.[0-9]{0,20})?([eE][-+]?[0-9]{1,3})?") {
            let value: f64 = text.parse().unwrap();
            match parse(text.as_bytes(), b'.', 256) {
                Ok(found) => prop_assert_eq!(found.value.to_bits(), value.to_bits()),
                Err(fault) => prop_assert!(fault == NumberFault::Infinite && value.is_infinite()),
            }
        }

        #[test]
        fn parse_never_panics(token in proptest::collection::vec(any::<u8>(), 0..40)) {
            let _ = (parse(&token, b'.', 32), parse(&token, b',', 32), looks_numeric(&token));
            let _ = (plain_decimal::<b'.'>(&token, 0), plain_decimal::<b','>(&token, token.len()));
        }

        #[test]
        fn fixed_equals_the_standard_library(value in prop_oneof![-1e4..1e4f64, any::<f64>().prop_filter("finite", |v| v.abs() < 1e30)], decimals in 0..20usize) {
            let expected = format!("{value:.decimals$}");
            let found = fixed(value, decimals);
            if expected.bytes().any(|byte| (b'1'..=b'9').contains(&byte)) {
                prop_assert_eq!(found, expected);
            } else {
                prop_assert_eq!(found.trim_start_matches('-'), expected.trim_start_matches('-'));
            }
        }

        /// Decimals that stand exactly between two candidates in decimal, and so next to a tie in binary.
        #[test]
        fn near_ties_round_as_the_standard_library(units in 0..100_000_000u64, decimals in 1..8usize) {
            let value = (units as f64 + 0.5) / 10f64.powi(decimals as i32);
            prop_assert_eq!(fixed(value, decimals), format!("{value:.decimals$}"));
        }

        #[test]
        fn shortest_reads_back(value in any::<f64>().prop_filter("finite", |v| v.is_finite())) {
            let mut out = Vec::new();
            push_shortest(&mut out, value);
            prop_assert_eq!(parse(&out, b'.', 400).unwrap().value.to_bits(), value.to_bits());
        }
    }
}
