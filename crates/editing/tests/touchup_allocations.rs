//! Touch-up allocates by clip, contact and iteration, never by frame. A program of its own, because the counter
//! replaces the allocator.

mod measures;

use aplomb_analysis::Take;
use aplomb_builtins::clip as built_in;
use aplomb_editing::arc::Arc;
use aplomb_editing::touchup::{TouchupOptions, touch_up};
use aplomb_motion::{FrameTime, Roles, Side, edit};
use measures::Capture;

#[test]
fn four_times_the_frames_need_no_more_allocations() {
    for name in ["walk", "run"] {
        let once = built_in(name).unwrap();
        let capture = Capture::of(name.to_owned(), once.clone(), Roles::detect(&once));
        let bent = Arc::new(4.0, Side::Left).apply(&capture.clip).unwrap();
        let options = TouchupOptions { keep_layers: false, ..TouchupOptions::default() };
        // The same motion with the same contacts at 30 and 120 Hz.
        let [few, many] = [30.0, 120.0].map(|hz| {
            let clip = edit::resample(&bent, FrameTime::from_hz(hz).unwrap()).unwrap();
            let mut iterations = 0;
            let counted = allocation_counter::measure(|| {
                let done = touch_up(
                    &Take::new(clip.clone(), capture.roles.clone(), capture.body.clone())
                        .with_known_contacts(capture.contacts.clone(), None),
                    &options,
                )
                .unwrap();
                iterations = done.iterations.len();
            });
            (counted.count_total, iterations as u64, clip.frame_count() as u64)
        });
        // Steps may end an iteration earlier or later, and vectors that grow double a few times more.
        let most = few.0 + few.0 / 2 + 40 * many.1.saturating_sub(few.1);
        assert!(many.0 <= most, "{name}: {few:?} {many:?} (allocations, iterations, frames)");
    }
}
