//! The `aplomb` command.

fn main() {}
