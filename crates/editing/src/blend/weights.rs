//! Which weights can be blended with.

use crate::EditingError;

/// Weights may miss 1 by rounding: three decimals of thirds.
const WEIGHT_TOLERANCE: f64 = 1e-6;

/// Whether weights can be blended with: one a clip, finite, none negative, summing to 1.
pub(crate) fn check_weights(weights: &[f64], clips: usize) -> Result<(), EditingError> {
    let fail = |problem: String| Err(EditingError::Weights { problem });
    if weights.len() != clips {
        return fail(format!("there are {} weights for {clips} clips", weights.len()));
    }
    if let Some(weight) = weights.iter().find(|weight| !weight.is_finite()) {
        return fail(format!("{weight} is not a number that could be a weight"));
    }
    if let Some(weight) = weights.iter().find(|weight| **weight < 0.0) {
        return fail(format!(
            "{weight} is negative: between motions physics can be kept, beyond them nothing is guaranteed"
        ));
    }
    let sum: f64 = weights.iter().sum();
    match (sum - 1.0).abs() <= WEIGHT_TOLERANCE {
        true => Ok(()),
        false => Err(EditingError::WeightSum { sum }),
    }
}

/// Weights divided by their sum.
pub fn normalized_weights(weights: &[f64]) -> Result<Vec<f64>, EditingError> {
    let sum: f64 = weights.iter().sum();
    if !(sum.is_finite() && sum > 0.0) {
        return Err(EditingError::Weights {
            problem: format!("they sum to {}, which nothing can be divided by", crate::short_number(sum)),
        });
    }
    Ok(weights.iter().map(|weight| weight / sum).collect())
}
