//! Receipt pages of edits: `cargo run --release -p aplomb-pages --example sample_receipt -- DIR [NAME or FILE@VERB …]`.
//!
//! Each clip is bent to a radius of 1.5 m and touched up; `@arc` only bends it, `@speed` plays it at half its speed.

use aplomb_formats::ReadOptions;
use aplomb_pages::{Card, Comparison, Heading, index_html, pair_svg, receipt_html};
use aplomb_project::{ClipReport, EditReceipt, Project, RunRequest};
use aplomb_render::{Theme, View};
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

fn project_text(clip: &str, verb: &str) -> Result<String, String> {
    const BEND: &str = "[[edit]]\nverb = \"arc\"\nradius_m = 1.5\nside = \"left\"\n";
    let edits = match verb {
        "touchup" => format!("{BEND}[[edit]]\nverb = \"touchup\"\n"),
        "arc" => BEND.to_owned(),
        "speed" => "[[edit]]\nverb = \"speed\"\nfactor = 0.5\n".to_owned(),
        other => return Err(format!("{other}: touchup, arc or speed")),
    };
    Ok(format!("schema = 1\nclip = {clip:?}\n{edits}"))
}

fn make(folder: &Path, asked: &str) -> Result<Card, Box<dyn Error>> {
    let (name, verb) = asked.split_once('@').unwrap_or((asked, "touchup"));
    let is_built_in = aplomb_builtins::NAMES.iter().any(|(known, _)| *known == name);
    let clip = if is_built_in { format!("builtin:{name}") } else { name.to_owned() };
    let title = Path::new(name).file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let project = Project::from_text(&project_text(&clip, verb)?, Path::new("sample"))?;
    let command = ["aplomb", verb, &clip, "-o", &format!("{title}-{verb}.bvh")].map(str::to_owned);
    let request = RunRequest {
        command: &command,
        ..RunRequest::quiet(Path::new(""), ReadOptions::default(), Path::new("result"))
    };
    let outcome = aplomb_project::run(&project, &request)?;
    let receipt = EditReceipt::new(&outcome, project, &[], true, aplomb_words::sentence);
    let started = std::time::Instant::now();
    let page = receipt_html(&outcome, &receipt, Some(&title), Some("receipts.html")).ok_or("no body can be made")?;
    let href = format!("{title}-{verb}.html");
    let frames = outcome.clip.frame_count();
    println!("{href}: {frames} frames, {} kB in {:?}", page.len() / 1000, started.elapsed());
    std::fs::write(folder.join(&href), page)?;
    let (first, last) = (outcome.edited.as_ref().or(outcome.before.as_ref()), outcome.after.as_ref());
    let (before, after) = first.zip(last).ok_or("no body can be made")?;
    let [was, now] = [before, after].map(|inspected| inspected.report(aplomb_words::sentence));
    let picture = |theme| pair_svg(before, after, None, View::Side, theme);
    Ok(Card {
        verb: verb.into(),
        title,
        score: now.judgement.shown_score,
        grade: Some(now.judgement.grade),
        headline: now.judgement.sentences(),
        picture_svg: picture(Theme::Light).unwrap_or_default(),
        picture_dark_svg: picture(Theme::Dark),
        href: Some(href),
        comparison: Some(Comparison { figures: figures(&was, &now), ..Comparison::default() }),
        ..Card::default()
    })
}

fn figures(before: &ClipReport, after: &ClipReport) -> Vec<(String, String, String)> {
    let millimetres = |metres: Option<f64>| metres.map_or("–".to_owned(), |metres| format!("{:.1} mm", metres * 1e3));
    let score = |it: &ClipReport| it.score.map_or("–".to_owned(), |score| format!("{score:.0}"));
    vec![
        ("Score".into(), score(before), score(after)),
        ("ZMP, mean".into(), millimetres(before.zmp.mean_m), millimetres(after.zmp.mean_m)),
        ("Drift, worst".into(), millimetres(before.skate.max_m), millimetres(after.skate.max_m)),
    ]
}
