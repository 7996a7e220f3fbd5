//! What touch-up leaves alone, on built-in clips.

mod measures;

use aplomb_analysis::Take;
use aplomb_builtins::clip as built_in;
use aplomb_editing::arc::Arc;
use aplomb_editing::finding::{Value, codes};
use aplomb_editing::touchup::{Status, TouchupOptions, touch_up};
use aplomb_motion::{Clip, Roles, Side};
use measures::Capture;

fn capture(name: &str) -> Capture {
    let clip = built_in(name).unwrap();
    let roles = Roles::detect(&clip);
    Capture::of(name.to_owned(), clip, roles)
}

#[test]
fn what_is_right_stays_to_the_bit() {
    for name in ["walk", "turning-walk", "long-jump"] {
        let Capture { clip, roles, body, .. } = capture(name);
        let done = touch_up(&Take::new(clip.clone(), roles, body), &TouchupOptions::default()).unwrap();
        assert!(done.needs.is_empty() && done.status == Status::WasFine, "{name}: {:?}", done.needs);
        assert_eq!(done.clip, clip, "{name}");
    }
}

/// A bent path shows in what errors go against, a slide in the velocity that all stances share.
#[test]
fn bends_and_slides_are_found_without_a_word_about_them() {
    let Capture { clip, roles, body, .. } = capture("walk");
    let touched = |clip: &Clip| {
        let take = Take::new(clip.clone(), roles.clone(), body.clone());
        touch_up(&take, &TouchupOptions::default()).unwrap()
    };
    let bent = touched(&Arc::new(2.0, Side::Left).apply(&clip).unwrap());
    assert!(bent.needs.everything && bent.after.weighted_m < 0.3 * bent.before.weighted_m, "{:?}", bent.needs);
    let mut slid = clip.clone();
    let (root, step) = (clip.skeleton().roots().next().unwrap(), measures::step_secs(&clip));
    for (frame, place_m) in slid.track_mut(root).unwrap().iter_mut().enumerate() {
        place_m.x += 0.1 * step * frame as f64;
    }
    let slid = touched(&slid);
    let held = slid.plan.stances().iter().filter(|stance| !stance.is_kept).count();
    assert!(held > 0 && held == slid.needs.stances.len(), "{:?}", slid.plan.stances());
}

#[test]
fn a_second_touch_up_changes_nothing() {
    let Capture { clip, roles, body, contacts, .. } = capture("walk");
    let take =
        |clip: &Clip| Take::new(clip.clone(), roles.clone(), body.clone()).with_known_contacts(contacts.clone(), None);
    let bent = Arc::new(2.0, Side::Left).apply(&clip).unwrap();
    let first = touch_up(&take(&bent), &TouchupOptions::default()).unwrap();
    assert!(first.needs.everything, "{:?}", first.needs);
    let second = touch_up(&take(&first.clip), &TouchupOptions::default()).unwrap();
    assert!(second.needs.is_empty(), "{:?}", second.needs);
    assert_eq!(second.clip, first.clip);
}

/// A label that reaches into the landing would lift all of it.
#[test]
fn a_late_landing_is_not_believed() {
    let mut jump = capture("long-jump");
    let flight = jump.contacts.flights.iter_mut().max_by(|a, b| a.secs().total_cmp(&b.secs())).unwrap();
    let end_secs = flight.end_secs;
    flight.end_secs += 0.2;
    let done = touch_up(&jump.take(), &TouchupOptions::default()).unwrap();
    let told = done.findings.iter().find(|finding| finding.code == codes::FLIGHT_SHORTENED).expect("told");
    let Some(Value::Number(fall_end_secs)) = told.get("fall_end_secs") else { panic!("{told:?}") };
    assert!((fall_end_secs - end_secs).abs() < 0.05, "{fall_end_secs} {end_secs}");
    let root = jump.clip.skeleton().roots().next().unwrap();
    let lifted_m = jump
        .clip
        .frames()
        .map(|frame| (done.clip.translation_m(frame, root) - jump.clip.translation_m(frame, root)).length());
    assert!(lifted_m.fold(0.0, f64::max) < 0.05);
}
