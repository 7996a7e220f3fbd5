//! What can be done about a refusal. Libraries say what is wrong; here stands what helps, in flags for the command and
//! in the keys of project files (which are Python's keywords) for everything else.

use aplomb_analysis::AnalysisError;
use aplomb_editing::EditingError;
use aplomb_formats::FormatError;
use aplomb_motion::edit::EditError;
use aplomb_motion::{ClipError, TimeError};
use aplomb_project::ProjectError;
use std::io::ErrorKind;
use std::path::Path;

/// Advice in both languages. It follows the message as it is, punctuation included.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Advice {
    flags: String,
    keys: String,
}

impl Advice {
    fn new(flags: impl Into<String>, keys: impl Into<String>) -> Self {
        Self { flags: flags.into(), keys: keys.into() }
    }

    fn flags_only(flags: impl Into<String>) -> Self {
        Self::new(flags, "")
    }
}

/// A refusal that something may help against.
pub trait Advised: std::fmt::Display {
    /// What helps; empty where nothing is known.
    fn advice(&self) -> Advice;

    /// What is wrong, where the message itself names options: as keys.
    fn message_in_keys(&self) -> String {
        self.to_string()
    }
}

/// A refusal for people at a terminal: what is wrong, and which flag or command helps.
pub fn in_flags(error: &impl Advised) -> String {
    format!("{error}{}", error.advice().flags)
}

/// A refusal for people who write project files or Python: what is wrong, and which key helps.
pub fn in_keys(error: &impl Advised) -> String {
    error.message_in_keys() + &error.advice().keys
}

impl Advised for ProjectError {
    fn message_in_keys(&self) -> String {
        match self {
            Self::Format(error) => error.message_in_keys(),
            other => other.to_string(),
        }
    }

    fn advice(&self) -> Advice {
        match self {
            Self::Format(error) => error.advice(),
            Self::Edit { source, .. } | Self::StepFile { source, .. } => source.advice(),
            Self::Analysis { source, .. } | Self::Contacts { source, .. } | Self::Masses { source } => {
                of_analysis(source)
            }
            Self::FileRate { source, .. } => of_time(source),
            Self::OutputOutside { .. } => Advice::flags_only(", or give -o to say where the result goes"),
            Self::PartOfABody { .. } => Advice::flags_only(" `aplomb body CLIP -o body.toml` writes a whole one"),
            Self::BatchThere { .. } => Advice::flags_only("; --resume goes on with it, --force begins anew"),
            Self::RateInDoubt { header_hz, true_hz, .. } => {
                let why = "(slow motion, or sped up on purpose)";
                Advice::new(
                    format!(
                        "; give --fps auto or --fps {true_hz} to correct the rate, or --fps {header_hz} to keep it \
                         {why}"
                    ),
                    format!("; give fps = \"auto\" or {true_hz} to correct the rate, or {header_hz} to keep it {why}"),
                )
            }
            Self::DifferentSkeletons { .. } => {
                Advice::new("; --compare takes two versions of one clip", "; give two versions of one clip")
            }
            Self::NoReceipt { .. } => Advice::flags_only("; edits write one with --receipt"),
            Self::ChangedInput { .. } => Advice::flags_only("; --changed-input makes the edits with what is there now"),
            Self::Harmed { harm, .. } => {
                let why = harm.in_words(crate::sentence).sentence;
                Advice::new(
                    format!(". {why} --accept-harm writes it all the same"),
                    format!(". {why} accept_harm writes it all the same"),
                )
            }
            Self::NotJudged { .. } => Advice::new(", or --contacts", ", or its contacts"),
            _ => Advice::default(),
        }
    }
}

impl Advised for FormatError {
    fn message_in_keys(&self) -> String {
        match self {
            Self::Invalid { path, diagnostic, .. } => format!("{}: {}", path.display(), diagnostic.in_keys()),
            other => other.to_string(),
        }
    }

    fn advice(&self) -> Advice {
        match self {
            Self::NoSkeleton { .. } => {
                Advice::new("; give it with --skeleton FILE.asf", "; give it with skeleton = \"FILE.asf\"")
            }
            Self::Exists { .. } => Advice::new("; give --force to replace it", "; give force to replace it"),
            Self::Io { path, action, source } => of_io(path, action, source.kind()),
            _ => Advice::default(),
        }
    }
}

/// What the operating system refused.
fn of_io(path: &Path, action: &str, kind: ErrorKind) -> Advice {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty() && !folder.is_dir());
    match (kind, folder) {
        (ErrorKind::NotFound, Some(folder)) => {
            let help = format!("; the folder {} does not exist: make it first", folder.display());
            Advice::new(help.clone(), help)
        }
        (ErrorKind::NotFound, None) if action == "read" => {
            let help = "; there is no such file: check the name";
            Advice::new(help, help)
        }
        (ErrorKind::IsADirectory, _) => Advice::new(
            "; it is a folder: give files, or `aplomb batch` for all that lie in it",
            "; it is a folder: give files, or batch for all that lie in it",
        ),
        (ErrorKind::PermissionDenied, _) => {
            let help = "; you have no right to: choose another place, or ask for the right";
            Advice::new(help, help)
        }
        (ErrorKind::StorageFull, _) => {
            let help = "; the disk is full: make room, or choose another place";
            Advice::new(help, help)
        }
        _ => Advice::default(),
    }
}

impl Advised for EditingError {
    fn advice(&self) -> Advice {
        match self {
            Self::InClip { source, .. } => source.advice(),
            Self::Edit(EditError::Time(error)) | Self::Clip(ClipError::Time(error)) => of_time(error),
            Self::Analysis(error) => of_analysis(error),
            Self::DoesNotTravel { .. } => {
                Advice::new(": give them their way first (aplomb travel)", ": give them their way first (travel)")
            }
            Self::NoHeading { .. } => Advice::new(
                "; say which way is up by --heading (heading_deg in a project): 0 is +Z, 90 is +X",
                "; say which way is up by heading_deg: 0 is +Z, 90 is +X",
            ),
            Self::NoStance => Advice::new(
                ": a motion on the spot gets its way from `aplomb travel` first; contacts that you know can be given \
                 (`aplomb contacts` writes a file to correct, --contacts takes it); `aplomb arc` bends a way without \
                 any; else check roles and unit",
                ": a motion on the spot gets its way from travel first; contacts that you know can be given; arc bends \
                 a way without any; else check roles and unit",
            ),
            Self::TooFewHandles { .. } => Advice::new(
                "; a cycle on the spot can be carried on and repeated first (aplomb travel)",
                "; a cycle on the spot can be carried on and repeated first (travel)",
            ),
            Self::StretchRetimed => Advice::new(
                ": give timing = \"keep\" (--timing keep); other times move every frame that follows",
                ": give timing = \"keep\"; other times move every frame that follows",
            ),
            Self::StretchLeadsAway { .. } => Advice::new(
                "; move only handles inside the stretch (--list-handles tells their times), or edit all of it",
                "; move only handles inside the stretch, or edit all of it",
            ),
            Self::OtherBones { .. } => Advice::new(
                ", or --skeleton-from FIRST-CLIP puts all clips on its bones",
                ", or put all clips on the bones of the first (first_skeleton)",
            ),
            Self::WeightSum { .. } => {
                Advice::new("; --normalize divides them by their sum", "; divide them by their sum")
            }
            Self::NoCommonPhases { mirror_helps, .. } => no_common_phases(*mirror_helps),
            Self::BeyondPeople(_) => {
                Advice::new("; --superhuman goes on all the same", "; superhuman = true goes on all the same")
            }
            Self::Unmet { .. } => Advice::new(
                ", or see how near it comes with --best (best = true in a project)",
                ", or see how near it comes with best = true",
            ),
            _ => Advice::default(),
        }
    }
}

fn no_common_phases(mirror_helps: bool) -> Advice {
    let mirror = "; more would match if a clip began with the other foot: try ";
    let [flag, key] =
        ["--mirror", "mirror"].map(|it| if mirror_helps { format!("{mirror}{it}") } else { String::new() });
    Advice::new(
        format!("{flag}; cut them to what they share, or name the phases with --phases"),
        format!("{key}; cut them to what they share, or name the phases with phases"),
    )
}

fn of_analysis(error: &AnalysisError) -> Advice {
    match error {
        AnalysisError::Time(error) => of_time(error),
        _ => Advice::default(),
    }
}

fn of_time(error: &TimeError) -> Advice {
    match error {
        TimeError::FrameTime { .. } => Advice::new("; give the true rate with --fps", "; give the true rate with fps"),
        _ => Advice::default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::PathBuf;

    fn edit(source: EditingError) -> ProjectError {
        ProjectError::Edit { path: PathBuf::from("a.bvh"), edit: None, verb: "blend", source: Box::new(source) }
    }

    #[test]
    fn the_command_speaks_flags_and_the_others_speak_keys() {
        let bones = EditingError::OtherBones { problem: "a bone differs".to_owned() };
        let error = edit(EditingError::InClip { clip: 1, source: Box::new(bones) });
        let plain = "a.bvh: blend: clip 2: a bone differs; scale or retarget it first";
        assert_eq!(error.to_string(), plain);
        assert_eq!(in_flags(&error), format!("{plain}, or --skeleton-from FIRST-CLIP puts all clips on its bones"));
        assert_eq!(in_keys(&error), format!("{plain}, or put all clips on the bones of the first (first_skeleton)"));
    }

    #[test]
    fn what_the_system_refuses_says_what_to_do() {
        let io = |path: &str, action, kind: ErrorKind| {
            in_flags(&FormatError::Io { path: PathBuf::from(path), action, source: kind.into() })
        };
        assert!(io("nofile.bvh", "read", ErrorKind::NotFound).ends_with("there is no such file: check the name"));
        assert!(io("no-folder/out.bvh", "write", ErrorKind::NotFound).contains("the folder no-folder does not exist"));
        assert!(io(".", "read", ErrorKind::IsADirectory).contains("aplomb batch"));
        assert!(io("out.bvh", "write", ErrorKind::StorageFull).contains("the disk is full"));
    }

    #[test]
    fn feet_that_never_stand_have_a_way_on() {
        let error = edit(EditingError::NoStance);
        for way in ["aplomb travel", "--contacts", "aplomb arc"] {
            assert!(in_flags(&error).contains(way), "{}", in_flags(&error));
        }
        assert!(!in_keys(&error).contains("--"), "{}", in_keys(&error));
    }

    #[test]
    fn a_rate_in_doubt_can_be_corrected_or_kept() {
        let (path, gravities, stated) = (PathBuf::from("a.bvh"), 4.0, "header says");
        let error = ProjectError::RateInDoubt { path, gravities, stated, header_hz: 120.0, true_hz: 60.0 };
        assert_eq!(
            in_flags(&error),
            "a.bvh: this falls at 4.0 g: captured at 60 fps, header says 120; give --fps auto or --fps 60 to correct \
             the rate, or --fps 120 to keep it (slow motion, or sped up on purpose)"
        );
        assert!(in_keys(&error).contains("fps = \"auto\" or 60"));
    }

    #[test]
    fn clips_without_common_phases_are_mirrored_where_that_helps() {
        let error = |mirror_helps| EditingError::NoCommonPhases { listing: "none".to_owned(), mirror_helps };
        let rest = "; cut them to what they share, or name the phases with --phases";
        assert_eq!(in_flags(&error(false)), format!("the clips have no phases in common: none{rest}"));
        let mirror = "; more would match if a clip began with the other foot: try --mirror";
        assert_eq!(in_flags(&error(true)), format!("the clips have no phases in common: none{mirror}{rest}"));
        assert!(!in_keys(&error(true)).contains("--"));
    }

    #[test]
    fn what_nothing_helps_against_stays_as_it_is() {
        assert_eq!(in_flags(&EditingError::Cancelled), EditingError::Cancelled.to_string());
    }
}
