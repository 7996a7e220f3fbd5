//! Receipt pages of edits: `cargo run --release -p aplomb-pages --example sample_receipt -- DIR [NAME or FILE, then @VERB or nothing …]`.
//!
//! Each clip is bent to a radius of 1.5 m and touched up; `@arc` only bends it, `@speed` plays it at half its speed. What is left out of a
//! real receipt (`--html` of the command) are most measures.

use aplomb_analysis::Take;
use aplomb_analysis::report::Inspection;
use aplomb_analysis::{ContactOptions, InspectOptions};
use aplomb_editing::arc::Arc;
use aplomb_editing::displacement;
use aplomb_editing::speed::Speed;
use aplomb_editing::touchup::{TouchupOptions, touch_up};
use aplomb_motion::{Clip, Roles, Side};
use aplomb_pages::{
    Card, Change, Comparison, ConvergenceStage, Heading, JointChange, MeasureRow, ReceiptInput, ReportInput,
    RootChange, index_html, receipt_html,
};
use aplomb_physics::{Body, BodyOptions};
use aplomb_render::{Strip, Subject, Theme, View};
use std::error::Error;
use std::path::{Path, PathBuf};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let folder = PathBuf::from(arguments.next().ok_or("give a folder for the pages")?);
    let mut asked: Vec<String> = arguments.collect();
    if asked.is_empty() {
        asked = ["walk", "long-jump", "walk@arc", "long-jump@speed"].map(str::to_owned).into();
    }
    std::fs::create_dir_all(&folder)?;
    let cards = asked.iter().map(|name| make(&folder, name)).collect::<Result<Vec<Card>, _>>()?;
    let heading = Heading { title: "Sample receipts".into(), made_by: "sample_receipt".into(), ..Heading::default() };
    std::fs::write(folder.join("receipts.html"), index_html(&heading, &cards))?;
    Ok(())
}

/// An edit and what it is called.
struct Edited {
    verb: &'static str,
    summary: &'static str,
    before: Clip,
    after: Clip,
    convergence: Vec<ConvergenceStage>,
    same_moments: Vec<(f64, f64)>,
    warnings: Vec<String>,
}

fn make(folder: &Path, asked: &str) -> Result<Card, Box<dyn Error>> {
    let (name, verb) = asked.split_once('@').unwrap_or((asked, "touchup"));
    let is_built_in = aplomb_builtins::NAMES.iter().any(|(known, _)| *known == name);
    let clip = match is_built_in {
        true => aplomb_builtins::clip(name)?,
        false => aplomb_formats::import::read_file(Path::new(name), &Default::default())?.clip,
    };
    let title = Path::new(name).file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let roles = Roles::detect(&clip);
    let body = Body::of_clip(&clip, &roles, &BodyOptions::default())?;
    let edited = edit(verb, clip, &roles, &body)?;
    let inspected = |clip: &Clip| Take::new(clip.clone(), roles.clone(), body.clone()).into_inspection();
    let [before, after] = [inspected(&edited.before)?, inspected(&edited.after)?];
    let side = |title: &'static str, clip, inspection| ReportInput::new(title, clip, &roles, &body, inspection);
    let command = format!("aplomb {verb} {title}.bvh -o {title}-{verb}.bvh --html {title}-{verb}.html");
    let recipe = format!("[[edit]]\nverb = \"{verb}\"\n");
    let mut input = ReceiptInput::new(
        &title,
        edited.verb,
        side("before", &edited.before, &before),
        side("after", &edited.after, &after),
    );
    input.summary = edited.summary;
    input.command = &command;
    input.version = concat!("aplomb ", env!("CARGO_PKG_VERSION"));
    input.input_file = name;
    input.recipe = &recipe;
    input.measures = measures(&before, &after);
    input.convergence = edited.convergence.clone();
    if edited.same_moments.is_empty() {
        (input.joints, input.root) = changes(&edited.before, &edited.after)?;
    }
    input.same_moments = edited.same_moments.clone();
    input.warnings = edited.warnings.clone();
    input.back_href = Some("receipts.html");
    let started = std::time::Instant::now();
    let page = receipt_html(&input);
    let href = format!("{title}-{verb}.html");
    let frames = edited.after.frame_count();
    println!("{href}: {frames} frames, {} kB in {:?}", page.len() / 1000, started.elapsed());
    std::fs::write(folder.join(&href), page)?;
    card(&title, &edited, &before, &after, href)
}

fn edit(verb: &str, clip: Clip, roles: &Roles, body: &Body) -> Result<Edited, Box<dyn Error>> {
    let bend = Arc::new(1.5, Side::Left);
    let plain = |verb, summary, before, after| Edited {
        verb,
        summary,
        before,
        after,
        convergence: Vec::new(),
        same_moments: Vec::new(),
        warnings: Vec::new(),
    };
    Ok(match verb {
        "touchup" => {
            let bent = bend.apply(&clip)?;
            // Bending changes no contact, so that those of the capture hold.
            let contacts = Take::new(clip.clone(), roles.clone(), body.clone()).into_contacts()?;
            let done = touch_up(
                &Take::new(bent.clone(), roles.clone(), body.clone()).with_known_contacts(contacts.clone(), None),
                &TouchupOptions::default(),
            )?;
            Edited {
                convergence: stages(&done.iterations, done.after.weighted_m),
                warnings: done.warnings,
                ..plain("touchup", "Bent to a radius of 1.5 m to the left, then made to balance.", bent, done.clip)
            }
        }
        "arc" => {
            let bent = bend.apply(&clip)?;
            plain("arc", "Bent to a radius of 1.5 m to the left.", clip, bent)
        }
        "speed" => {
            let slow = Speed::new(0.5).apply(&clip)?;
            let ends = (clip.duration_secs(), slow.duration_secs());
            Edited { same_moments: vec![(0.0, 0.0), ends], ..plain("speed", "Played at half the speed.", clip, slow) }
        }
        other => return Err(format!("{other}: touchup, arc or speed").into()),
    })
}

fn measures(before: &Inspection, after: &Inspection) -> Vec<MeasureRow> {
    /// Path, title, unit, value.
    type Rule = (&'static str, &'static str, &'static str, fn(&Inspection) -> Option<f64>);
    let rows: [Rule; 6] = [
        ("score", "score", "points", |it| it.score.score),
        ("zmp.mean_m", "ZMP outside the support, mean", "m", |it| it.zmp.mean_m),
        ("zmp.p95_m", "ZMP outside the support, 95 % of time", "m", |it| it.zmp.p95_m),
        ("skate.max_m", "slide of a contact, worst", "m", |it| it.skate.max_m),
        ("penetration.max_m", "deepest under the floor", "m", |it| it.penetration.max_m),
        ("friction.p95", "friction needed, 95 % of time", "1", |it| it.friction.p95),
    ];
    let row = |(measure, title, unit, value): &Rule| {
        let (before, after) = (value(before), value(after));
        let least = if *unit == "points" { 0.05 } else { 5e-4 };
        let change = match (before, after) {
            (Some(before), Some(after)) if (after - before).abs() < least => Change::Same,
            (Some(before), Some(after)) if (after > before) == (*measure == "score") => Change::Better,
            (Some(_), Some(_)) => Change::Worse,
            _ => Change::Unknown,
        };
        MeasureRow { measure: (*measure).into(), title: (*title).into(), unit: (*unit).into(), before, after, change }
    };
    rows.iter().map(row).collect()
}

/// The error before each iteration, and at the end of a step that before the next.
fn stages(records: &[aplomb_editing::touchup::IterationRecord], last_m: f64) -> Vec<ConvergenceStage> {
    let mut stages: Vec<(usize, ConvergenceStage)> = Vec::new();
    for record in records {
        if stages.last().is_none_or(|(step, _)| *step != record.step) {
            let error = "Zero-moment point outside the support, by load".to_owned();
            let (name, unit) = (record.name.clone(), "m".to_owned());
            stages.push((record.step, ConvergenceStage { name, error, unit, values: Vec::new() }));
        }
        if let Some((_, stage)) = stages.last_mut() {
            stage.values.push(record.balance.weighted_m);
        }
    }
    if let Some((_, stage)) = stages.last_mut() {
        stage.values.push(last_m);
    }
    stages.into_iter().map(|(_, stage)| stage).collect()
}

fn changes(before: &Clip, after: &Clip) -> Result<(Vec<JointChange>, Option<RootChange>), Box<dyn Error>> {
    let joint = |change: &displacement::JointChange| JointChange {
        name: after.skeleton().joint(change.joint).name.clone(),
        rms_deg: change.rms_rad.to_degrees(),
        max_deg: change.max_rad.to_degrees(),
        max_secs: after.time_secs(change.max_frame),
    };
    let joints = displacement::joint_changes(before, after)?.iter().map(joint).collect();
    let root = displacement::root_change_m(before, after)?;
    let root = RootChange { rms_m: root.rms_m, max_m: root.max_m, max_secs: after.time_secs(root.max_frame) };
    Ok((joints, Some(root)))
}

fn card(
    title: &str,
    edited: &Edited,
    before: &Inspection,
    after: &Inspection,
    href: String,
) -> Result<Card, Box<dyn Error>> {
    let picture = |theme: Theme| -> Result<String, Box<dyn Error>> {
        let mut strip = Strip::new(Subject::new(&edited.before, "before"));
        strip.after = Some(Subject::new(&edited.after, "after"));
        strip.views = vec![View::Side];
        strip.theme = theme;
        strip.width_px = 800;
        strip.bare = true;
        Ok(strip.draw()?.svg)
    };
    let millimetres = |metres: Option<f64>| metres.map_or("–".to_owned(), |metres| format!("{:.1} mm", metres * 1e3));
    let score = |it: &Inspection| it.score.score.map_or("–".to_owned(), |score| format!("{score:.0}"));
    Ok(Card {
        verb: edited.verb.into(),
        title: title.to_owned(),
        summary: edited.summary.into(),
        score: after.score.score,
        picture_svg: picture(Theme::Light)?,
        picture_dark_svg: Some(picture(Theme::Dark)?),
        href: Some(href),
        comparison: Some(Comparison {
            figures: vec![
                ("Score".into(), score(before), score(after)),
                ("ZMP, mean".into(), millimetres(before.zmp.mean_m), millimetres(after.zmp.mean_m)),
                ("Drift, worst".into(), millimetres(before.skate.max_m), millimetres(after.skate.max_m)),
            ],
            ..Comparison::default()
        }),
        ..Card::default()
    })
}
