//! One module a verb: its options, its help, what it does.

pub mod batch;
pub mod contacts;
pub mod convert;
pub mod demo;
pub mod edit;
pub mod info;
pub mod inspect;
pub mod masses;
pub mod render;
pub mod shell;
pub mod studio;
