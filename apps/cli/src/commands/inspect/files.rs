//! Pages and tables that `inspect` writes: names are settled and checked before any work, and files appear whole.

use super::Args;
use crate::outcome::{Outcome, say_error};
use crate::{pages, places};
use aplomb_formats::{FormatError, atomic};
use aplomb_project::series_table::{series_csv, summary_csv};
use aplomb_project::{ClipReport, Inspected, ProjectError};
use aplomb_words::{in_flags, sentence};
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

/// What is to be written where.
pub struct Files {
    /// One page a clip, in their order.
    pages: Vec<PathBuf>,
    /// What each clip is called on them.
    titles: Vec<String>,
    /// The index of many pages.
    index: Option<PathBuf>,
    csv: Option<PathBuf>,
    is_single: bool,
    force: bool,
}

impl Files {
    /// Names every file and refuses those that exist, are read, or cannot be made.
    pub fn plan(args: &Args) -> Result<Self, Outcome> {
        let is_single = args.clips.len() == 1;
        let (pages, index) = match &args.html {
            None => (Vec::new(), None),
            Some(html) if is_single && !names_folder(html) => (vec![html.clone()], None),
            Some(folder) => {
                if folder.is_file() {
                    let count = args.clips.len();
                    say_error(&format!("{}: {count} clips need a folder for their pages", folder.display()));
                    return Err(Outcome::WrongUsage);
                }
                (
                    page_names(&args.clips).iter().map(|name| folder.join(name)).collect(),
                    Some(folder.join("index.html")),
                )
            }
        };
        let titles = titles(&args.clips);
        let files = Self { pages, titles, index, csv: args.csv.clone(), is_single, force: args.force };
        files.refuse_confusion(args).map_err(|message| {
            say_error(&message);
            Outcome::WrongUsage
        })?;
        files.refuse_existing().map_err(|error| {
            say_error(&in_flags(&error));
            Outcome::BadInput
        })?;
        Ok(files)
    }

    fn refuse_confusion(&self, args: &Args) -> Result<(), String> {
        let side_files = args.physics.files().chain(args.input.files());
        let inputs = args.clips.iter().map(PathBuf::as_path).chain(side_files);
        places::refuse_confusion(inputs, self.all().map(PathBuf::as_path))
    }

    fn refuse_existing(&self) -> Result<(), FormatError> {
        let folder = self.index.as_deref().and_then(Path::parent);
        for path in self.all() {
            // The folder of an index is made.
            match path.parent() == folder && folder.is_some() {
                true => atomic::refuse_existing(path, self.force)?,
                false => places::refuse_existing(path, self.force)?,
            }
        }
        let Some(folder) = folder else { return Ok(()) };
        std::fs::create_dir_all(folder).map_err(|source| FormatError::Io {
            path: folder.to_owned(),
            action: "make the folder",
            source,
        })
    }

    fn all(&self) -> impl Iterator<Item = &PathBuf> {
        self.pages.iter().chain(&self.index).chain(&self.csv)
    }

    /// What is reported to people.
    pub fn names(&self) -> impl Iterator<Item = String> {
        let page = if self.index.is_some() { self.index.as_ref() } else { self.pages.first() };
        page.into_iter().chain(&self.csv).map(|path| path.display().to_string())
    }

    /// What belongs to one clip: its page, and its frames if it is the only one.
    pub fn write_clip(&self, index: usize, inspected: &Inspected) -> Result<(), ProjectError> {
        if let Some(page) = self.pages.get(index) {
            let name = self.titles.get(index).filter(|_| self.index.is_some());
            let known_as = name.map(|name| (name.as_str(), "index.html"));
            atomic::write(page, aplomb_pages::report_html(inspected, known_as, sentence).as_bytes(), self.force)?;
        }
        if let (Some(csv), true) = (&self.csv, self.is_single) {
            atomic::write(csv, &series_csv(&inspected.inspection)?, self.force)?;
        }
        Ok(())
    }

    /// What belongs to many clips: the index of their pages and the table of their scores.
    pub fn write_overview(
        &self,
        clips: &[PathBuf],
        reports: &[Result<ClipReport, ProjectError>],
    ) -> Result<(), ProjectError> {
        if let Some(index) = &self.index {
            let (mut cards, mut failures) = (Vec::new(), Vec::new());
            for (((report, page), title), clip) in reports.iter().zip(&self.pages).zip(&self.titles).zip(clips) {
                match report {
                    Ok(report) => cards.push(pages::card(report, title, page, None)),
                    Err(error) => {
                        // Most messages begin with the file, which already stands before them.
                        let (why, file) = (in_flags(error), format!("{}: ", clip.display()));
                        failures.push((title.clone(), why.strip_prefix(&file).unwrap_or(&why).to_owned()));
                    }
                }
            }
            let heading = pages::inspect_heading(clips.len(), failures);
            atomic::write(index, aplomb_pages::index_html(&heading, &cards).as_bytes(), self.force)?;
        }
        if let (Some(csv), false) = (&self.csv, self.is_single) {
            let names: Vec<String> = clips.iter().map(|path| path.display().to_string()).collect();
            let rows =
                names.iter().zip(reports).map(|(name, report)| (name.as_str(), report.as_ref().map_err(in_flags)));
            atomic::write(csv, &summary_csv(rows)?, self.force)?;
        }
        Ok(())
    }
}

/// A folder, or a name that can only be one.
fn names_folder(path: &Path) -> bool {
    path.is_dir() || path.as_os_str().to_string_lossy().ends_with(['/', std::path::MAIN_SEPARATOR])
}

/// Names of files, with their folders where two are called the same.
fn titles(clips: &[PathBuf]) -> Vec<String> {
    let mut counts: HashMap<String, usize> = HashMap::new();
    let whole: Vec<String> = clips.iter().map(|path| path.display().to_string()).collect();
    whole.iter().for_each(|file| *counts.entry(aplomb_pages::file_name(file)).or_default() += 1);
    let title = |file: &String| Some(aplomb_pages::file_name(file)).filter(|name| counts.get(name) == Some(&1));
    whole.iter().map(|file| title(file).unwrap_or_else(|| file.clone())).collect()
}

/// `walk.html`; takes of the same name in two folders become `walk.html` and `walk-2.html`.
fn page_names(clips: &[PathBuf]) -> Vec<String> {
    let mut taken = HashSet::from(["index".to_owned()]);
    let mut name = |clip: &PathBuf| {
        let stem = clip.file_stem().map_or_else(|| "clip".to_owned(), |stem| stem.to_string_lossy().into_owned());
        let numbered = (1..).map(|count| if count == 1 { stem.clone() } else { format!("{stem}-{count}") });
        // Case must not matter to lists of files from two systems.
        let free = numbered.into_iter().find(|name| taken.insert(name.to_lowercase())).unwrap_or(stem);
        format!("{free}.html")
    };
    clips.iter().map(&mut name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clips_of_equal_names_are_told_apart() {
        let clips = ["a/walk.bvh", "b/walk.bvh", "b/run.bvh"].map(PathBuf::from);
        assert_eq!(titles(&clips), ["a/walk.bvh", "b/walk.bvh", "run.bvh"]);
    }

    #[test]
    fn pages_of_equal_names_get_numbers() {
        let clips = ["a/walk.bvh", "b/walk.bvh", "Walk.amc", "index.bvh"].map(PathBuf::from);
        assert_eq!(page_names(&clips), ["walk.html", "walk-2.html", "Walk-3.html", "index-2.html"]);
    }
}
