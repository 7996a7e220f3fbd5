//! Report pages: `cargo run --release -p aplomb-pages --example sample_report -- DIR [NAME or FILE …]`.

use aplomb_pages::{Card, Heading, index_html, picture_svg, report_html};
use aplomb_project::{InspectRequest, inspect_file};
use aplomb_render::Theme;
use std::error::Error;
use std::path::{Path, PathBuf};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let folder = PathBuf::from(arguments.next().ok_or("give a folder for the pages")?);
    let mut asked: Vec<String> = arguments.collect();
    if asked.is_empty() {
        asked = aplomb_builtins::NAMES.iter().map(|(name, _)| (*name).to_owned()).collect();
    }
    std::fs::create_dir_all(&folder)?;
    let cards = asked.iter().map(|name| make(&folder, name)).collect::<Result<Vec<Card>, _>>()?;
    let heading = Heading { title: "Sample reports".into(), made_by: "sample_report".into(), ..Heading::default() };
    std::fs::write(folder.join("index.html"), index_html(&heading, &cards))?;
    Ok(())
}

fn make(folder: &Path, name: &str) -> Result<Card, Box<dyn Error>> {
    let built = aplomb_builtins::NAMES.iter().find(|(known, _)| *known == name);
    let file = if built.is_some() { format!("builtin:{name}") } else { name.to_owned() };
    let title = Path::new(name).file_name().unwrap_or_default().to_string_lossy().into_owned();
    let inspected = inspect_file(Path::new(&file), &InspectRequest::default())?;
    let href = format!("{title}.html");
    let started = std::time::Instant::now();
    let page = report_html(&inspected, Some((&title, "index.html")), aplomb_words::sentence);
    println!("{href}: {} kB in {:?}", page.len() / 1000, started.elapsed());
    std::fs::write(folder.join(&href), page)?;
    let report = inspected.report(aplomb_words::sentence);
    let millimetres = |metres: Option<f64>| metres.map_or("–".to_owned(), |metres| format!("{:.1} mm", metres * 1e3));
    Ok(Card {
        verb: "inspect".into(),
        title,
        summary: built.map_or("", |(_, summary)| summary).into(),
        score: report.judgement.shown_score,
        grade: Some(report.judgement.grade),
        headline: report.judgement.sentences(),
        figures: vec![
            ("ZMP, mean".into(), millimetres(report.zmp.mean_m)),
            ("Drift, worst".into(), millimetres(report.skate.max_m)),
            ("Flights".into(), report.flights.len().to_string()),
        ],
        picture_svg: picture_svg(&inspected, Theme::Light).unwrap_or_default(),
        picture_dark_svg: picture_svg(&inspected, Theme::Dark),
        href: Some(href),
        comparison: None,
    })
}
