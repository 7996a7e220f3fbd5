//! Numbers as people type them, and which make sense.

/// Numbers from one to another, both included.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Range {
    /// The least.
    pub low: f64,
    /// The most.
    pub high: f64,
    /// What messages call it.
    pub what: &'static str,
}

impl Range {
    /// A factor of a million either way is a slip of the keyboard.
    pub const POSITIVE: Self = Self { low: 1e-6, high: 1e6, what: "number" };
    /// Zero or more.
    pub const NOT_NEGATIVE: Self = Self { low: 0.0, high: 1e6, what: "number" };

    /// From the least to the most.
    pub const fn new(low: f64, high: f64) -> Self {
        Self { low, high, what: "number" }
    }

    /// Reads a number inside.
    pub fn read(self, text: &str) -> Result<f64, String> {
        let Self { low, high, what } = self;
        match number(text)? {
            value if (low..=high).contains(&value) => Ok(value),
            _ => Err(format!("expected a {what} from {low} to {high}, found {text}")),
        }
    }
}

/// A finite number.
pub fn number(text: &str) -> Result<f64, String> {
    match text.trim().parse::<f64>() {
        Ok(value) if value.is_finite() => Ok(value),
        _ => Err(format!("expected a number, found {text}")),
    }
}

/// A number above zero.
pub fn positive(text: &str) -> Result<f64, String> {
    Range::POSITIVE.read(text)
}

/// Zero or more.
pub fn not_negative(text: &str) -> Result<f64, String> {
    Range::NOT_NEGATIVE.read(text)
}
