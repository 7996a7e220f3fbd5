//! Speed and memory beside the peers'.

use std::path::Path;

use anyhow::{Result, bail};

/// Measures; needs the BVH reader.
pub fn run(_peers: bool, _json: Option<&Path>, _repeats: u32) -> Result<bool> {
    bail!("there is nothing to measure yet")
}
