//! Motion files.
