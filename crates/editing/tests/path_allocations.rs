//! A drag allocates by clip and handle, never by frame. A program of its own, because the counter replaces the
//! allocator.

mod measures;

use aplomb_analysis::Take;
use aplomb_builtins::clip as built_in;
use aplomb_editing::arc::Arc;
use aplomb_editing::path::{GroundCurve, PathEditor, PathOptions};
use aplomb_motion::{FrameTime, Roles, Side, edit};
use measures::Capture;

#[test]
fn four_times_the_frames_need_no_more_allocations() {
    let once = built_in("walk").unwrap();
    let [few, many] = [30.0, 120.0].map(|hz| {
        let clip = edit::resample(&once, FrameTime::from_hz(hz).unwrap()).unwrap();
        let Capture { clip, roles, body, contacts, .. } =
            Capture::of("walk".to_owned(), clip.clone(), Roles::detect(&clip));
        let mut editor = PathEditor::new(
            &Take::new(clip.clone(), roles.clone(), body.clone()).with_known_contacts(contacts.clone(), None),
            PathOptions::default(),
        )
        .unwrap();
        editor.follow(&GroundCurve::Arc(Arc::new(1.5, Side::Left))).unwrap();
        let mut edited = editor.solve().unwrap();
        let counted = allocation_counter::measure(|| editor.solve_into(&mut edited).unwrap());
        (counted.count_total, clip.frame_count())
    });
    // Splines through handles, the report's lists: some dozens, whatever the rate.
    assert!(few.0 < 100 && many.0 < 100, "{few:?} {many:?} (allocations, frames)");
}
