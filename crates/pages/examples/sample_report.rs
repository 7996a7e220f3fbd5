//! Report pages of built-in clips or of files: `cargo run --release -p aplomb-pages --example sample_report -- DIR [NAME or FILE …]`.

use aplomb_analysis::InspectOptions;
use aplomb_analysis::Take;
use aplomb_motion::Roles;
use aplomb_pages::{Card, Heading, ReportInput, index_html, report_html};
use aplomb_physics::{Body, BodyOptions};
use aplomb_render::{Strip, Subject, Theme, View};
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
    let mut cards = Vec::new();
    for name in asked {
        let built = aplomb_builtins::NAMES.iter().find(|(known, _)| *known == name);
        let clip = match built {
            Some(_) => aplomb_builtins::clip(&name)?,
            None => aplomb_formats::import::read_file(Path::new(&name), &Default::default())?.clip,
        };
        let title = Path::new(&name).file_name().unwrap_or_default().to_string_lossy().into_owned();
        let roles = Roles::detect(&clip);
        let body = Body::of_clip(&clip, &roles, &BodyOptions::default())?;
        let inspection = Take::new(clip.clone(), roles.clone(), body.clone()).into_inspection()?;
        let mut input = ReportInput::new(&title, &clip, &roles, &body, &inspection);
        input.back_href = Some("index.html");
        let href = format!("{title}.html");
        let started = std::time::Instant::now();
        let page = report_html(&input);
        println!("{href}: {} kB in {:?}", page.len() / 1000, started.elapsed());
        std::fs::write(folder.join(&href), page)?;
        let picture = |theme: Theme| -> Result<String, Box<dyn Error>> {
            let mut strip = Strip::new(Subject::new(&clip, &title));
            strip.views = vec![View::Side];
            strip.theme = theme;
            strip.width_px = 800;
            strip.bare = true;
            Ok(strip.draw()?.svg)
        };
        cards.push(Card {
            verb: "inspect".into(),
            title: title.clone(),
            summary: built.map_or("", |(_, summary)| summary).into(),
            score: inspection.score.score,
            figures: vec![
                ("ZMP, mean".into(), inspection.zmp.mean_m.map_or("–".into(), |m| format!("{:.1} mm", m * 1e3))),
                ("Drift, worst".into(), inspection.skate.max_m.map_or("–".into(), |m| format!("{:.1} mm", m * 1e3))),
                ("Flights".into(), inspection.contacts.flights.len().to_string()),
            ],
            picture_svg: picture(Theme::Light)?,
            picture_dark_svg: Some(picture(Theme::Dark)?),
            href: Some(href),
            comparison: None,
        });
    }
    let heading = Heading { title: "Sample reports".into(), made_by: "sample_report".into(), ..Heading::default() };
    std::fs::write(folder.join("index.html"), index_html(&heading, &cards))?;
    Ok(())
}
