//! Receipt pages of bent and touched-up clips: `cargo run --release -p aplomb-pages --example sample_receipt -- DIR [NAME or FILE …]`.
//!
//! Each clip is bent to a radius of 1.5 m and touched up. What is left out of a real receipt (`aplomb touchup --html`) are most measures.

use aplomb_analysis::report::{Inspection, inspect};
use aplomb_analysis::{ContactOptions, InspectOptions, analyse_contacts};
use aplomb_editing::arc::Arc;
use aplomb_editing::displacement;
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
        asked = ["walk", "long-jump"].map(str::to_owned).into();
    }
    std::fs::create_dir_all(&folder)?;
    let cards = asked.iter().map(|name| make(&folder, name)).collect::<Result<Vec<Card>, _>>()?;
    let heading = Heading { title: "Sample receipts".into(), made_by: "sample_receipt".into(), ..Heading::default() };
    std::fs::write(folder.join("receipts.html"), index_html(&heading, &cards))?;
    Ok(())
}

fn make(folder: &Path, name: &str) -> Result<Card, Box<dyn Error>> {
    let is_built_in = aplomb_builtins::NAMES.iter().any(|(known, _)| *known == name);
    let clip = match is_built_in {
        true => aplomb_builtins::clip(name)?,
        false => aplomb_formats::import::read_file(Path::new(name), &Default::default())?.clip,
    };
    let title = Path::new(name).file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let roles = Roles::detect(&clip);
    let body = Body::of_clip(&clip, &roles, &BodyOptions::default())?;
    let bent = Arc::new(1.5, Side::Left).apply(&clip)?;
    // Bending changes no contact, so that those of the capture hold.
    let contacts = analyse_contacts(&clip, &roles, &body, &ContactOptions::default())?;
    let done = touch_up(&bent, &roles, &body, &contacts, &TouchupOptions::default())?;
    let inspected = |clip: &Clip| inspect(clip, &roles, &body, None, &InspectOptions::default());
    let [before, after] = [inspected(&bent)?, inspected(&done.clip)?];
    let side = |title: &'static str, clip, inspection| ReportInput::new(title, clip, &roles, &body, inspection);
    let command = format!("aplomb touchup {title}-bent.bvh -o {title}-touched.bvh --html {title}-receipt.html");
    let mut input =
        ReceiptInput::new(&title, "touchup", side("bent", &bent, &before), side("touched up", &done.clip, &after));
    input.summary = "Bent to a radius of 1.5 m to the left, then made to balance.";
    input.command = &command;
    input.version = concat!("aplomb ", env!("CARGO_PKG_VERSION"));
    input.input_file = name;
    input.parameters = vec![("Margin".into(), "0.5 of each foot's patch".into()), ("Smoothing".into(), "0.1 s".into())];
    input.recipe = "[[edit]]\nverb = \"touchup\"\nmargin = 0.5\n";
    input.measures = measures(&before, &after);
    input.convergence = stages(&done.iterations, done.after.weighted_m);
    (input.joints, input.root) = changes(&bent, &done.clip)?;
    input.warnings = done.warnings.clone();
    input.back_href = Some("receipts.html");
    let started = std::time::Instant::now();
    let page = receipt_html(&input);
    let href = format!("{title}-receipt.html");
    println!("{href}: {} frames, {} kB in {:?}", clip.frame_count(), page.len() / 1000, started.elapsed());
    std::fs::write(folder.join(&href), page)?;
    card(&title, &bent, &done.clip, &before, &after, href)
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
    bent: &Clip,
    touched: &Clip,
    before: &Inspection,
    after: &Inspection,
    href: String,
) -> Result<Card, Box<dyn Error>> {
    let picture = |theme: Theme| -> Result<String, Box<dyn Error>> {
        let mut strip = Strip::new(Subject::new(bent, "before"));
        strip.after = Some(Subject::new(touched, "after"));
        strip.views = vec![View::Side];
        strip.theme = theme;
        strip.width_px = 800;
        strip.bare = true;
        Ok(strip.draw()?.svg)
    };
    let millimetres = |metres: Option<f64>| metres.map_or("–".to_owned(), |metres| format!("{:.1} mm", metres * 1e3));
    let score = |it: &Inspection| it.score.score.map_or("–".to_owned(), |score| format!("{score:.0}"));
    Ok(Card {
        verb: "touchup".into(),
        title: format!("{title}, bent"),
        summary: "Bent to a radius of 1.5 m, then made to balance.".into(),
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
