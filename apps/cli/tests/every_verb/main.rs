//! Every verb on what it is seldom given: bodies that miss a part, and clips of a few frames.

mod commands;
#[path = "../common/mod.rs"]
mod common;
mod missing_parts;
mod parts;
mod short_clips;
