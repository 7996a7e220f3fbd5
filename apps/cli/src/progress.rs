//! Progress on long work: a bar on a terminal, silence elsewhere.

use crate::outcome::Printing;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::time::{Duration, Instant};

/// A bar that appears only after a second of work.
pub struct Progress {
    bar: ProgressBar,
    started: Instant,
    shown: std::sync::atomic::AtomicBool,
}

impl Progress {
    /// `what` is being done `total` times.
    pub fn new(what: &'static str, total: usize, print: Printing) -> Self {
        let hidden = print.quiet || print.json || total < 2;
        let bar = ProgressBar::with_draw_target(Some(total as u64), ProgressDrawTarget::hidden());
        if let Ok(style) = ProgressStyle::with_template("{msg} {bar:30} {pos}/{len} {eta}") {
            bar.set_style(style);
        }
        bar.set_message(what);
        Self { bar, started: Instant::now(), shown: std::sync::atomic::AtomicBool::new(hidden) }
    }

    /// One piece of work of unknown length; [`Progress::say`] tells what of it is in hand.
    pub fn working(what: &'static str, print: Printing) -> Self {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        if let Ok(style) = ProgressStyle::with_template("{spinner} {msg} {elapsed}") {
            bar.set_style(style);
        }
        bar.set_message(what);
        let hidden = print.quiet || print.json;
        if !hidden {
            let shown = bar.clone();
            std::thread::spawn(move || {
                std::thread::sleep(Duration::from_secs(1));
                if !shown.is_finished() {
                    shown.set_draw_target(ProgressDrawTarget::stderr());
                    shown.enable_steady_tick(Duration::from_millis(120));
                }
            });
        }
        Self { bar, started: Instant::now(), shown: std::sync::atomic::AtomicBool::new(true) }
    }

    /// What is being done now.
    pub fn say(&self, what: String) {
        self.bar.set_message(what);
    }

    /// One more is done.
    pub fn step(&self) {
        use std::sync::atomic::Ordering;
        if self.started.elapsed() > Duration::from_secs(1) && !self.shown.swap(true, Ordering::Relaxed) {
            // Indicatif draws only if standard error is a terminal.
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
        self.bar.inc(1);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
