//! Checks.

fn main() {}
