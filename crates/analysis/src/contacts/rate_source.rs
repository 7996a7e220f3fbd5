//! Where the rate of a clip comes from.

/// Where the rate of a clip comes from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RateSource {
    /// The file states it.
    #[default]
    Header,
    /// The file states none.
    Assumed,
    /// The user gave it.
    Given,
}

impl RateSource {
    /// What stands before the rate in a sentence.
    pub fn verb(self) -> &'static str {
        match self {
            Self::Header => "header says",
            Self::Assumed => "assumed",
            Self::Given => "given",
        }
    }
}
