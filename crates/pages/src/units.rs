//! Numbers with their units, as people read them.

/// What is written where nothing was measured.
pub(crate) const UNKNOWN: &str = "–";

/// With a true minus, without "-0.0".
pub(crate) fn number(value: f64, decimals: usize) -> String {
    if !value.is_finite() {
        return UNKNOWN.to_owned();
    }
    let text = format!("{value:.decimals$}");
    match text.strip_prefix('-') {
        Some(digits) if digits.chars().all(|digit| matches!(digit, '0' | '.')) => digits.to_owned(),
        Some(digits) => format!("−{digits}"),
        None => text,
    }
}

/// Metres as millimetres, centimetres or metres.
pub(crate) fn length(metres: f64) -> String {
    match metres.abs() {
        size if size < 0.009_95 => format!("{} mm", number(metres * 1e3, 1)),
        size if size < 0.995 => format!("{} cm", number(metres * 1e2, 1)),
        _ => format!("{} m", number(metres, 2)),
    }
}

/// The same, or "–".
pub(crate) fn length_or_dash(metres: Option<f64>) -> String {
    metres.filter(|metres| metres.is_finite()).map_or_else(|| UNKNOWN.to_owned(), length)
}

/// A number with a unit, or "–".
pub(crate) fn with_unit(value: Option<f64>, decimals: usize, unit: &str) -> String {
    match value.filter(|value| value.is_finite()) {
        Some(value) if unit.is_empty() => number(value, decimals),
        Some(value) => format!("{} {unit}", number(value, decimals)),
        None => UNKNOWN.to_owned(),
    }
}

/// Always in centimetres, or "–".
pub(crate) fn centimetres(metres: f64) -> String {
    with_unit(Some(100.0 * metres), 1, "cm")
}

/// Always in millimetres, or "–".
pub(crate) fn millimetres(metres: f64) -> String {
    with_unit(Some(1e3 * metres), 1, "mm")
}

/// A share as a percentage.
pub(crate) fn percent(share: f64) -> String {
    match share * 100.0 {
        small if small > 0.0 && small < 0.1 => "< 0.1 %".to_owned(),
        value if value < 9.95 => format!("{} %", number(value, 1)),
        value => format!("{} %", number(value, 0)),
    }
}

/// `left_front_paw` → "left front paw".
pub(crate) fn words(name: &str) -> String {
    name.replace('_', " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_choose_their_unit() {
        assert_eq!(length(0.0004), "0.4 mm");
        assert_eq!(length(-0.021), "−2.1 cm");
        assert_eq!(length(1.754), "1.75 m");
        assert_eq!(length(-0.000_01), "0.0 mm");
        assert_eq!(length_or_dash(Some(f64::NAN)), "–");
        assert_eq!(with_unit(Some(9.812), 2, "m/s²"), "9.81 m/s²");
        assert_eq!((percent(0.0), percent(0.0004), percent(0.123)), ("0.0 %".into(), "< 0.1 %".into(), "12 %".into()));
    }
}
