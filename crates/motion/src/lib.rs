//! What a motion is.
