//! Whole pages.

use crate::input::ReportInput;
use crate::receipt::View;
use crate::report;
use crate::{Card, Comparison, Heading, index_html, receipt_html, report_html};
use aplomb_analysis::Take;
use aplomb_analysis::report::{Fault, Inspection, IntersectionFinding, JointLimitFinding, Moment};
use aplomb_formats::ReadOptions;
use aplomb_motion::{Channels, Clip, FrameTime, Roles, Skeleton, Timeline};
use aplomb_physics::{Body, BodyOptions};
use aplomb_project::{EditReceipt, InspectRequest, Judgement, Outcome, Project, RunRequest};
use glam::{DQuat, DVec3};
use serde_json::json;
use std::path::Path;
use std::sync::Arc;

pub(crate) const HOSTILE: &str = "</script><img src=x onerror=alert(1)>\"'{{data}}<!--";

pub(crate) struct Subject {
    pub clip: Clip,
    pub roles: Roles,
    pub body: Body,
    pub inspection: Inspection,
}

impl Subject {
    pub fn of(clip: Clip) -> Self {
        let roles = Roles::detect(&clip);
        let body = Body::of_clip(&clip, &roles, &BodyOptions::default()).unwrap();
        let inspection = Take::new(clip.clone(), roles.clone(), body.clone()).into_inspection().unwrap();
        Self { clip, roles, body, inspection }
    }

    pub fn input<'a>(&'a self, title: &'a str) -> ReportInput<'a> {
        let judgement = Judgement::of(&self.inspection, aplomb_words::sentence);
        ReportInput::new(title, (&self.clip, &self.roles, &self.body), &self.inspection, judgement)
    }

    fn page(&self, title: &str) -> String {
        report::page(&self.input(title))
    }
}

/// The data as the page's script reads it.
pub(crate) fn data_of(page: &str) -> serde_json::Value {
    let (_, after) = page.split_once("<script type=\"application/json\" id=\"data\">").unwrap();
    serde_json::from_str(after.split_once("</script>").unwrap().0).unwrap()
}

pub(crate) fn floats(value: &serde_json::Value) -> Vec<f32> {
    use base64::Engine;
    let bytes = base64::engine::general_purpose::STANDARD.decode(value.as_str().unwrap()).unwrap();
    bytes.chunks_exact(4).map(|four| f32::from_le_bytes(four.try_into().unwrap())).collect()
}

#[test]
fn hostile_names_stay_text() {
    let mut subject = Subject::of(aplomb_builtins::clip("long-jump").unwrap());
    let inspection = &mut subject.inspection;
    inspection.warnings.push(HOSTILE.to_owned());
    for effector in &mut inspection.contacts.effectors {
        effector.name.push_str(HOSTILE);
    }
    for contact in &mut inspection.contacts.contacts {
        contact.effector.push_str(HOSTILE);
    }
    let (joint, motion) = (HOSTILE.to_owned(), HOSTILE.to_owned());
    inspection.checks.joint_limits.push(JointLimitFinding { joint, motion, beyond_deg: 3.0, secs: 0.5, share: 0.1 });
    let (joint_a, joint_b) = (HOSTILE.to_owned(), HOSTILE.to_owned());
    inspection.checks.intersections.push(IntersectionFinding { joint_a, joint_b, depth_m: 0.1, secs: 0.1, share: 0.1 });
    let mut input = subject.input(HOSTILE);
    input.facts = vec![(HOSTILE.to_owned(), HOSTILE.to_owned())];
    input.back_href = Some("javascript:alert(1)");
    let page = report::page(&input);
    assert!(!page.contains("<img"), "markup from a name");
    assert!(!page.contains("javascript:"), "a link that runs");
    assert_eq!(page.matches("</script>").count(), 2, "one end for the data, one for the scripts");
    assert_eq!(data_of(&page)["title"], HOSTILE, "the name is kept as it is");
}

#[test]
fn a_page_asks_the_network_for_nothing_and_holds_no_nan() {
    let page = Subject::of(aplomb_builtins::clip("walk").unwrap()).page("walk");
    for word in ["http:", "https:", "url(", "@import", "<link rel=\"stylesheet\"", "src="] {
        assert!(!page.contains(word), "{word} in the page");
    }
    assert!(page.contains("default-src 'none'"));
    let json = data_of(&page).to_string();
    assert!(!json.contains("NaN") && !json.contains("null,null,null"), "numbers or gaps");
}

#[test]
fn what_is_written_is_what_was_measured() {
    let subject = Subject::of(aplomb_builtins::clip("long-jump").unwrap());
    let data = data_of(&subject.page("long-jump"));
    let series = &subject.inspection.series;
    let heights = floats(&data["series"]["com"][1]);
    assert_eq!(heights.len(), series.times_secs.len());
    for (written, measured) in heights.iter().zip(&series.com_in_world_m) {
        match measured {
            // Single precision at a metre.
            Some(com_m) => assert!((f64::from(*written) - com_m.y).abs() < 1e-6),
            None => assert_eq!(*written, crate::pack::ABSENT),
        }
    }
    assert!(heights.iter().all(|height| height.is_finite()));
    // 120 Hz are halved for the figure.
    assert_eq!(data["animation"]["n"].as_u64().unwrap() as usize, subject.clip.frame_count().div_ceil(2));
    assert_eq!(data["flights"].as_array().unwrap().len(), 1);
}

#[test]
fn a_page_opens_on_the_motion_and_not_on_a_stray_pose() {
    let mut clip = aplomb_builtins::clip("long-jump").unwrap();
    clip.rotations_at_mut(aplomb_motion::FrameIndex(0)).fill(DQuat::IDENTITY);
    let subject = Subject::of(clip);
    assert_eq!(subject.inspection.series.com_in_world_m[0], None, "the T-pose is left out");
    let first = data_of(&subject.page("jump"))["first"].as_f64().unwrap();
    assert!((first - 1.0 / 120.0).abs() < 1e-9, "{first}");
    let walk = Subject::of(aplomb_builtins::clip("walk").unwrap());
    let page = walk.page("walk");
    assert_eq!(data_of(&page)["first"], 0.0);
    assert!(page.contains("The body never leaves the ground."));
    assert!(Subject::of(chain(3, 30, 60.0)).page("chain").contains("No flight was found."));
}

/// A chain of joints that swings: long and with many joints, as no person is.
pub(crate) fn chain(joints: usize, frames: usize, hz: f64) -> Clip {
    let mut builder = Skeleton::builder();
    let mut parent = None;
    for index in 0..joints {
        parent = Some(builder.add(parent, format!("joint{index}"), DVec3::Y * 0.1, Channels::default()));
    }
    builder.end_site(parent.unwrap(), DVec3::Y * 0.1);
    let skeleton = Arc::new(builder.build().unwrap());
    let swing = |index: usize| DQuat::from_rotation_x((index as f64 * 0.001).sin());
    let rotations = (0..frames * joints).map(swing).collect();
    Clip::new(skeleton, Timeline::Uniform(FrameTime::from_hz(hz).unwrap()), frames, rotations, vec![]).unwrap()
}

#[test]
fn long_clips_still_give_pages_that_open() {
    for (joints, frames, hz) in [(31, 10_000, 120.0), (31, 60_000, 240.0), (400, 3_000, 120.0)] {
        let subject = Subject::of(chain(joints, frames, hz));
        let page = subject.page("long");
        assert!(page.len() < 10_000_000, "{joints} joints, {frames} frames: {} bytes", page.len());
        let receipt = View::new("long", "cut", subject.input("a"), subject.input("b")).html();
        assert!(receipt.len() < 11_000_000, "{joints} joints, {frames} frames: a receipt of {} bytes", receipt.len());
    }
}

#[test]
fn clips_of_one_frame_and_without_feet_have_a_page() {
    for clip in [chain(3, 1, 60.0), chain(1, 2, 60.0), aplomb_builtins::clip("ball").unwrap()] {
        let page = Subject::of(clip).page("small");
        assert!(data_of(&page)["series"]["n"].as_u64().unwrap() > 0);
        // All but the scripts, which know the word.
        assert!(!page.split("<script>").next().unwrap().contains("NaN"));
    }
}

#[test]
fn hostile_cards_stay_text() {
    let card = Card {
        verb: HOSTILE.into(),
        title: HOSTILE.into(),
        summary: HOSTILE.into(),
        score: Some(f64::NAN),
        figures: vec![(HOSTILE.into(), HOSTILE.into())],
        picture_svg: "<svg/>".into(),
        href: Some("javascript:alert(1)".into()),
        comparison: Some(Comparison {
            before_href: Some("https://example.org".into()),
            after_href: Some("after.html".into()),
            figures: vec![(HOSTILE.into(), HOSTILE.into(), HOSTILE.into())],
        }),
        ..Card::default()
    };
    let heading = Heading {
        title: HOSTILE.into(),
        lead: HOSTILE.into(),
        notes: vec![HOSTILE.into()],
        failures: vec![(HOSTILE.into(), HOSTILE.into())],
        made_by: HOSTILE.into(),
    };
    let page = index_html(&heading, &[card]);
    assert_eq!(page.matches("</script>").count(), 1, "the end of the page's own script");
    assert!(!page.contains("<img src=x"), "markup from a name");
    assert!(!page.contains("javascript:") && !page.contains("example.org"), "links lead to neighbours only");
    assert!(page.contains("href=\"after.html\""));
    assert!(!page.contains("NaN"));
}

/// What `aplomb run` would make of edits of a built-in clip.
fn edited(project: &str) -> (Outcome, EditReceipt) {
    let project = Project::from_text(project, Path::new("test.toml")).unwrap();
    let request = RunRequest {
        command: &["aplomb".to_owned(), "a b".to_owned()],
        ..RunRequest::quiet(Path::new(""), ReadOptions::default(), Path::new("out.bvh"))
    };
    let outcome = aplomb_project::run(&project, &request).unwrap();
    let receipt = EditReceipt::new(&outcome, project, &[], true, aplomb_words::sentence);
    (outcome, receipt)
}

#[test]
fn the_receipt_of_edits_is_a_page_with_what_was_done() {
    let (outcome, receipt) = edited(
        "schema = 1\nclip = \"builtin:walk\"\n[[edit]]\nverb = \"arc\"\nradius_m = 2.0\nside = \"left\"\n\
         [[edit]]\nverb = \"touchup\"\n",
    );
    let page = receipt_html(&outcome, &receipt, None, Some("index.html")).unwrap();
    for word in ["aplomb &#39;a b&#39;", "builtin:walk", "Bent to", "href=\"index.html\"", "id=\"convergence\""] {
        assert!(page.contains(word), "{word}");
    }
    let data = data_of(&page);
    assert_eq!((&data["before"]["title"], &data["after"]["title"]), (&json!("edited"), &json!("repaired")));
    assert_eq!(data["same_moments"], json!([]), "touch-up leaves time alone");
    assert!(!data["convergence"].as_array().unwrap().is_empty());
}

#[test]
fn a_receipt_of_a_cut_pairs_the_moments_that_show_the_same() {
    let (outcome, receipt) =
        edited("schema = 1\nclip = \"builtin:walk\"\n[[edit]]\nverb = \"cut\"\nfrom_secs = 0.5\nto_secs = 1.5\n");
    let page = receipt_html(&outcome, &receipt, Some("part"), None).unwrap();
    let pairs = data_of(&page)["same_moments"].clone();
    assert_eq!((&pairs[0][0], &pairs[0][1]), (&json!(0.5), &json!(0.0)), "{pairs}");
    assert!(page.contains("<title>part – cut"));
}

#[test]
fn the_report_of_a_clip_says_where_it_came_from() {
    let inspected = aplomb_project::inspect_file(Path::new("builtin:ball"), &InspectRequest::default()).unwrap();
    let page = report_html(&inspected, Some(("bounce", "index.html")), aplomb_words::sentence);
    assert!(page.contains("bounce") && page.contains("builtin:ball") && page.contains("href=\"index.html\""));
}

fn moment(fault: Fault, joint: &str, secs: f64, cost: f64) -> Moment {
    let (joint, other) = (Some(joint.to_owned()), None);
    let (start_secs, end_secs) = (secs - 0.1, secs + 0.1);
    Moment { fault, joint, other, start_secs, end_secs, secs, size: 146.0, allowance: 85.0, cost }
}

/// A walk with nothing wrong, whatever the engine finds in it.
fn faultless() -> Subject {
    let mut subject = Subject::of(aplomb_builtins::clip("walk").unwrap());
    let score = &mut subject.inspection.score;
    (score.score, score.physics, score.body, score.recording) = (Some(98.0), Some(98.0), Some(100.0), Some(100.0));
    (score.judged, score.moments, score.worst_aspect) = (true, Vec::new(), None);
    subject
}

/// What people see, without styles, scripts and data.
fn body_of(page: &str) -> &str {
    page.split_once("<main>").unwrap().1.split("<script").next().unwrap()
}

#[test]
fn the_light_is_green_only_if_nothing_is_wrong() {
    let mut subject = faultless();
    let page = subject.page("walk");
    let body = body_of(&page);
    assert!(body.contains("<p class=\"headline good\">Looks right: no fault found.</p>"), "{body}");
    assert!(body.contains("class=\"score good\"") && !body.contains("class=\"moment\""));
    subject.inspection.score.moments = vec![moment(Fault::FootTurned, "left_foot", 1.25, 0.06)];
    let page = subject.page("walk");
    let body = body_of(&page);
    let headline = "<p class=\"headline fair\">A foot turns past its range at 1.25 s: left_foot, 61° beyond.</p>";
    assert!(body.contains(headline), "{body}");
    assert!(!body.contains("class=\"score good\"") && body.contains("class=\"aspect fair\""), "98 of 100, and a fault");
}

#[test]
fn moments_lead_to_their_time_and_joint() {
    let mut subject = faultless();
    let foot = subject.clip.skeleton().joints().iter().find(|joint| joint.name.contains("oot")).unwrap().name.clone();
    let mut whole = moment(Fault::RateWrong, "x", 0.0, 3.0);
    (whole.joint, whole.size) = (None, 4.0);
    subject.inspection.score.moments = vec![
        moment(Fault::FootTurned, &foot, 1.25, 2.0),
        moment(Fault::FootSlides, "left_ball", 0.5, 1.0),
        whole,
        moment(Fault::TurnPops, HOSTILE, 2.0, 0.1),
    ];
    let page = subject.page("walk");
    let body = body_of(&page);
    assert!(body.contains("class=\"moment\" data-secs=\"1.2500\" data-link="), "{body}");
    assert!(
        body.contains("data-secs=\"0.5000\" data-link=") && body.contains("left ball of the foot"),
        "a contact point"
    );
    assert!(
        body.contains("<div class=\"moment\">") && body.contains("4.00 times the file&#39;s"),
        "no time, no way there"
    );
    assert!(body.contains("and 1 more") && !page.contains("<img"));
    let drawn = data_of(&page)["moments"].clone();
    assert_eq!(drawn.as_array().unwrap().len(), 3, "what has a time is on the timeline: {drawn}");
}

#[test]
fn what_physics_cannot_judge_has_no_number() {
    let mut subject = faultless();
    (subject.inspection.score.judged, subject.inspection.other_share) = (false, Some(0.62));
    (subject.inspection.score.score, subject.inspection.score.physics) = (Some(12.0), Some(12.0));
    let page = subject.page("sitting");
    let body = body_of(&page);
    assert!(body.contains("physics not judged") && body.contains("for 62 % of the time"), "{body}");
    assert!(!body.contains("class=\"score poor") && !body.contains("<b>12</b>"), "no low score");
    assert!(body.contains("class=\"headline unjudged\"") && body.contains("class=\"aspect good\""));
    assert!(!body.contains("class=\"part poor") && !body.contains("class=\"part good"), "no colours of physics");
}
