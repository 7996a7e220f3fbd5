//! The few colours of the terminal.

use anstyle::{AnsiColor, Style};

pub const BOLD: Style = Style::new().bold();
pub const DIM: Style = Style::new().dimmed();
pub const GREEN: Style = AnsiColor::Green.on_default();
pub const YELLOW: Style = AnsiColor::Yellow.on_default();
pub const RED: Style = AnsiColor::Red.on_default();
pub const BLUE: Style = AnsiColor::Blue.on_default();
pub const CYAN: Style = AnsiColor::Cyan.on_default();
