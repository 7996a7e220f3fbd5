//! Where the rate of a clip comes from.

/// Where the rate of a clip comes from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RateSource {
    /// The file states it.
    #[default]
    Header,
    /// The file states none.
    Assumed,
    /// The file beside the clip states it.
    Beside,
    /// The user gave it.
    Given,
}

impl RateSource {
    /// What stands before the rate in a sentence.
    pub fn verb(self) -> &'static str {
        match self {
            Self::Header => "header says",
            Self::Assumed => "assumed",
            Self::Beside => "stated beside it",
            Self::Given => "given",
        }
    }
}
