//! Built-in clips.
