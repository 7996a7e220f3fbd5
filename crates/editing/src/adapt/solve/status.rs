//! How a solve ended.

use crate::adapt::problem::RowKind;
use serde::{Serialize, Serializer};

/// How a solve ended. A solve that is cancelled ends in [`EditingError::Cancelled`](crate::EditingError::Cancelled):
/// there is no motion to judge.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum SolveStatus {
    /// Every row is met.
    Met,
    /// The largest number of iterations was reached first.
    #[default]
    LimitReached,
    /// Steps got too short: no direction mends anything any more.
    Stalled,
    /// Rows are no numbers any more, or so large that no programme can be solved.
    NotFinite,
    /// Rows contradict each other; the kinds that are left unmet.
    Infeasible(Vec<RowKind>),
}

impl SolveStatus {
    /// Whether every row is met.
    pub fn is_met(&self) -> bool {
        *self == Self::Met
    }

    /// Whether every row is met, as receipts say it.
    pub fn serialize_is_met<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.is_met().serialize(serializer)
    }
}
