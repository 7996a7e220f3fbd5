//! One module a verb: its options, its help, what it does.

pub mod convert;
pub mod info;
pub mod render;
pub mod shell;
