//! Past the readers: of any file that is read, body, inspection, an edit and writing end in a result or in an error,
//! never in a panic. The first byte says which format the rest is, the second which edit is made.
#![no_main]

use aplomb_analysis::{Keeps, Take};
use aplomb_editing::EditingError;
use aplomb_editing::arc::Arc;
use aplomb_editing::footplant::{PlantOptions, plant};
use aplomb_editing::reach::{HandGoal, HandPoint};
use aplomb_editing::span::Span;
use aplomb_editing::speed::Speed;
use aplomb_editing::tilt::Tilt;
use aplomb_editing::touchup::{TouchupOptions, touch_up};
use aplomb_editing::travel::Travel;
use aplomb_formats::export::encode;
use aplomb_formats::{ReadOptions, WriteOptions, read_bytes};
use aplomb_fuzz::{check_clip, check_messages};
use aplomb_motion::edit::cut;
use aplomb_motion::{Clip, Side};
use aplomb_physics::{Body, BodyOptions};
use glam::DVec3;
use std::path::Path;

/// In the order of the seeds. An AMC needs a second file, and an ASF alone stands still.
const FORMATS: [&str; 7] = ["a.bvh", "a.trc", "a.glb", "a.fbx", "a.c3d", "a.npz", "a.asf"];

/// Longer clips only slow the search.
const MOST_FRAMES: usize = 240;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let [format, verb, bytes @ ..] = data else { return };
    let path = Path::new(FORMATS[usize::from(*format) % FORMATS.len()]);
    let Ok(import) = read_bytes(path, bytes.to_vec(), &ReadOptions::default()) else { return };
    check_messages(&import.diagnostics, None);
    check_clip(&import.clip);
    if import.clip.frame_count() > MOST_FRAMES {
        return;
    }
    let Ok(body) = Body::of_clip(&import.clip, &import.roles, &BodyOptions::default()) else { return };
    assert!(body.total_mass_kg().is_finite());
    let take = Take::new(import.clip.clone(), import.roles.clone(), body);
    if take.inspection().is_err() {
        return;
    }
    let made = match edited(&take, *verb) {
        Ok(made) => made,
        Err(error) => {
            let told = error.to_string();
            assert!(!told.is_empty() && !told.contains("NaN"), "{told}");
            return;
        }
    };
    check_clip(&made);
    // Who judges an edit inspects it again, with the same body.
    if made.frame_count() <= 4 * MOST_FRAMES {
        let _ = take.with_clip(made.clone(), Keeps::Nothing).into_inspection();
    }
    // A BVH says nothing of its unit, and the stature of a damaged body suggests a wrong one.
    let unit = Some(import.frame().metres_per_unit);
    for (name, metres_per_unit) in [("b.bvh", unit), ("b.glb", None)] {
        if let Ok(written) = encode(Path::new(name), &made, Some(&import), import.frame(), &WriteOptions::default()) {
            let (path, bytes) = &written.files[0];
            let options = ReadOptions { metres_per_unit, ..ReadOptions::default() };
            read_bytes(path, bytes.clone(), &options).expect("we read what we wrote");
        }
    }
});

fn edited(take: &Take, verb: u8) -> Result<Clip, EditingError> {
    let clip = take.clip();
    let middle_secs = 0.5 * clip.duration_secs();
    match verb % 8 {
        0 => Ok(cut(clip, ..middle_secs)?),
        1 => Speed { factor: 1.5, span: Span::default() }.apply(clip),
        2 => Arc::new(3.0, Side::Left).apply(clip),
        3 => Tilt::uphill(5.0).apply(clip),
        4 => Ok(Travel::default().apply(take)?.clip),
        5 => {
            let (hand, to_m) = (Side::Right, DVec3::new(0.2, 1.2, 0.5));
            let goal = HandGoal { hand, at_secs: middle_secs, to_m, window_secs: 0.2, point: HandPoint::Palm };
            Ok(goal.apply(clip, take.roles())?.0)
        }
        6 => Ok(plant(take, &PlantOptions::default())?.clip),
        _ => Ok(touch_up(take, &TouchupOptions::default())?.clip),
    }
}
