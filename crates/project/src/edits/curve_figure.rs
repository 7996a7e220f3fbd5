//! What is drawn of a motion that dynamics made.

/// Curves over time.
#[derive(Clone, Debug, PartialEq)]
pub struct CurveFigure {
    /// What is drawn.
    pub title: String,
    /// Of what, in which unit.
    pub subtitle: String,
    /// Name and points (s, value).
    pub curves: Vec<(String, Vec<[f64; 2]>)>,
    /// Moments with a line and a word.
    pub marks: Vec<(f64, String)>,
}
