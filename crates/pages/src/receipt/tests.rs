//! Whole receipts.

use super::{ConvergenceStage, View};
use crate::tests::{HOSTILE, Subject, chain, data_of, floats};
use aplomb_motion::{Clip, FrameIndex, JointId};
use aplomb_project::edit::Partner;
use aplomb_project::edit_receipt::{JointReport, RootReport};
use aplomb_project::receipt::{Change, Measure};
use aplomb_render::{Thing, ThingForm};
use glam::{DQuat, DVec3};

fn built(name: &str) -> Clip {
    aplomb_builtins::clip(name).unwrap()
}

/// The same motion, ten centimetres higher.
fn raised(clip: &Clip) -> Clip {
    let mut raised = clip.clone();
    for place_m in raised.track_mut(JointId::new(0)).unwrap() {
        *place_m += DVec3::Y * 0.1;
    }
    raised
}

fn row(measure: &str, title: &str, unit: &'static str, before: f64, after: f64, change: Change) -> Measure {
    let (measure, title) = (measure.to_owned(), title.to_owned());
    Measure { measure, title, unit, before: Some(before), after: Some(after), change }
}

fn stage(name: &str, values: Vec<f64>) -> ConvergenceStage {
    ConvergenceStage { name: name.to_owned(), error: "error".to_owned(), unit: "m".to_owned(), values }
}

#[test]
fn both_motions_are_there_as_they_were_measured() {
    let clip = built("walk");
    let (before, after) = (Subject::of(clip.clone()), Subject::of(raised(&clip)));
    let page = View::new("walk", "raise", before.input("low"), after.input("high")).html();
    let data = data_of(&page);
    for (name, subject) in [("before", &before), ("after", &after)] {
        let heights = floats(&data[name]["series"]["com"][1]);
        let measured = &subject.inspection.series.com_in_world_m;
        assert_eq!(heights.len(), measured.len());
        for (written, measured) in heights.iter().zip(measured) {
            // Single precision at a metre.
            assert!((f64::from(*written) - measured.unwrap().y).abs() < 1e-6, "{name}");
        }
    }
    assert_eq!(data["before"]["title"], "low");
    for word in ["http:", "https:", "url(", "@import", "<link rel=\"stylesheet\"", "src="] {
        assert!(!page.contains(word), "{word} in the page");
    }
    assert!(page.contains("default-src 'none'"));
}

#[test]
fn others_and_things_of_a_scene_move_with_the_motion_after() {
    let subject = Subject::of(built("walk"));
    let alone = data_of(&View::new("a", "track", subject.input("a"), subject.input("b")).html());
    let own = alone["after"]["animation"]["links"].as_u64().unwrap();
    let mut after = subject.input("b");
    let Subject { clip, roles, body, .. } = &subject;
    let partner =
        Partner { name: "b".to_owned(), take: aplomb_analysis::Take::new(clip.clone(), roles.clone(), body.clone()) };
    (after.partners, after.lead_frames) = (std::slice::from_ref(&partner), 1);
    let at_m = DVec3::new(0.5, 1.0, 2.0);
    let form = ThingForm::Cylinder { radius_m: 0.3, height_m: 0.4 };
    after.things = vec![Thing { form, poses: vec![(at_m, DQuat::IDENTITY)] }, Thing { form, poses: Vec::new() }];
    let data = data_of(&View::new("a", "track", subject.input("a"), after).html());
    let animation = &data["after"]["animation"];
    // One body more, and two things; those that came before stay first.
    assert_eq!((animation["own"].as_u64(), animation["links"].as_u64()), (Some(own), Some(2 * own + 2)));
    assert_eq!(data["before"]["animation"]["links"].as_u64(), Some(own));
    let shapes = animation["shapes"].as_array().unwrap();
    let drum = shapes.iter().find(|shape| shape["side"] == "thing").unwrap();
    assert_eq!(
        (drum["kind"].as_str(), drum["r"].as_f64(), drum["h"].as_f64()),
        (Some("cylinder"), Some(0.3), Some(0.2))
    );
    assert_eq!(drum["link"].as_u64(), Some(2 * own));
    let theirs: Vec<u64> =
        shapes.iter().filter(|shape| shape["side"] == "other").map(|shape| shape["link"].as_u64().unwrap()).collect();
    assert!(!theirs.is_empty() && theirs.iter().all(|link| (own..2 * own).contains(link)), "{theirs:?}");
}

#[test]
fn hostile_words_stay_text() {
    let subject = Subject::of(built("long-jump"));
    let mut input = View::new(HOSTILE, HOSTILE, subject.input(HOSTILE), subject.input(HOSTILE));
    let text = HOSTILE.to_owned();
    (input.summary, input.recipe, input.command, input.version) = (HOSTILE, HOSTILE, HOSTILE, HOSTILE);
    (input.input_file, input.input_hash) = (HOSTILE, HOSTILE);
    input.parameters = vec![(text.clone(), text.clone())];
    let measures = [row(HOSTILE, HOSTILE, HOSTILE, 1.0, 2.0, Change::Worse)];
    let joints = [JointReport { joint: text.clone(), rms_deg: 1.0, max_deg: 2.0, at_secs: 0.1 }];
    (input.measures, input.joints) = (&measures, &joints);
    input.convergence =
        vec![ConvergenceStage { name: text.clone(), error: text.clone(), unit: text.clone(), values: vec![1.0] }];
    input.notes = vec![text.clone()];
    input.warnings = vec![text];
    input.back_href = Some("javascript:alert(1)");
    let page = input.html();
    assert!(!page.contains("<img"), "markup from a name");
    assert!(!page.contains("javascript:"), "a link that runs");
    assert_eq!(page.matches("</script>").count(), 2, "one end for the data, one for the scripts");
    assert_eq!(data_of(&page)["convergence"][0]["name"], HOSTILE, "the name is kept as it is");
}

#[test]
fn what_is_not_a_number_is_not_written() {
    let subject = Subject::of(built("walk"));
    let mut input = View::new("walk", "touchup", subject.input("a"), subject.input("b"));
    let measures = [row("zmp.mean_m", "ZMP", "m", f64::NAN, f64::INFINITY, Change::Unknown)];
    let joints = [JointReport { joint: "Hips".into(), rms_deg: f64::NAN, max_deg: 1.0, at_secs: f64::NAN }];
    (input.measures, input.joints) = (&measures, &joints);
    input.convergence = vec![stage("ground", vec![f64::NAN]), stage("flight", vec![0.02, 0.01])];
    input.root = Some(RootReport { rms_m: f64::NAN, max_m: 1.0, at_secs: 0.0 });
    input.same_moments = vec![(0.0, f64::NAN), (0.0, 0.0), (1.0, 2.0)];
    let page = input.html();
    // All but style and scripts, which know the words, and base64, which may spell them.
    let words = page.split_once("<main>").unwrap().1.split_once("</main>").unwrap().0;
    assert!(!words.contains("NaN") && !words.contains("inf"), "a number that is none");
    let data = data_of(&page);
    assert_eq!(data["convergence"].as_array().unwrap().len(), 1);
    assert_eq!(data["same_moments"].as_array().unwrap().len(), 2);
}

#[test]
fn the_worst_joint_comes_first_and_knows_its_part_of_the_figure() {
    let subject = Subject::of(built("walk"));
    let joints = subject.clip.skeleton().joints();
    let change = |index: usize, rms_deg: f64| JointReport {
        joint: joints[index].name.clone(),
        rms_deg,
        max_deg: 2.0 * rms_deg,
        at_secs: 0.5,
    };
    let changes = [change(1, 1.0), change(2, 4.0), change(3, 0.0)];
    let mut input = View::new("walk", "touchup", subject.input("a"), subject.input("b"));
    input.joints = &changes;
    let page = input.html();
    let names: Vec<&str> =
        page.split("<span class=\"joint-name\">").skip(1).map(|rest| rest.split_once('<').unwrap().0).collect();
    assert_eq!(names, [joints[2].name.as_str(), joints[1].name.as_str()], "what did not move is left out");
    assert_eq!(page.matches("class=\"joint\" aria-pressed=\"false\" data-link=").count(), 2);
    assert!(page.contains("2 of 3 moved"));
}

#[test]
fn what_changed_most_stands_at_the_top() {
    let subject = Subject::of(built("walk"));
    let mut input = View::new("walk", "touchup", subject.input("a"), subject.input("b"));
    let mut measures = vec![
        row("score", "score", "points", 60.0, 90.0, Change::Better),
        row("friction.p95", "friction", "1", 0.3, 0.3, Change::Same),
        row("skate.max_m", "slide", "m", 0.01, 0.02, Change::Worse),
        row("zmp.mean_m", "ZMP", "m", 0.04, 0.01, Change::Better),
    ];
    let page = View { measures: &measures, ..input.clone() }.html();
    let titles: Vec<&str> =
        page.split("<span class=\"gain-title\">").skip(1).map(|rest| rest.split_once('<').unwrap().0).collect();
    assert_eq!(titles, ["ZMP", "Slide", "Friction"]);
    assert!(page.contains("4.0 cm") && page.contains("▼ 75 % better"));
    measures.push(Measure { before: None, after: None, ..row("g", "g of flights", "g", 0.0, 0.0, Change::Unknown) });
    input.measures = &measures;
    assert!(input.html().contains("Neither motion shows: g of flights."));
}

#[test]
fn clips_of_one_frame_have_receipts() {
    for clip in [chain(3, 1, 60.0), chain(1, 2, 60.0), built("ball")] {
        let subject = Subject::of(clip);
        let page = View::new("tiny", "cut", subject.input("a"), subject.input("b")).html();
        assert!(data_of(&page)["before"]["series"]["n"].as_u64().unwrap() > 0);
    }
}

#[test]
fn a_cut_need_not_have_the_frames_of_the_whole() {
    let clip = built("walk");
    let part = aplomb_motion::edit::cut_frames(&clip, FrameIndex(60)..FrameIndex(120)).unwrap();
    let (before, after) = (Subject::of(clip), Subject::of(part));
    let mut input = View::new("walk", "cut", before.input("whole"), after.input("part"));
    input.same_moments = vec![(0.5, 0.0), (1.0, 0.5)];
    let data = data_of(&input.html());
    assert_eq!(data["same_moments"], serde_json::json!([[0.5, 0.0], [1.0, 0.5]]));
    assert_ne!(data["before"]["series"]["n"], data["after"]["series"]["n"]);
}
