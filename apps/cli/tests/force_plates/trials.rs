//! The measured trials: markers and plates of people whose weight is known.

use std::path::PathBuf;

/// What people do in a trial: bars differ by it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    Walk,
    Squat,
    Run,
    DropJump,
    Sprint,
}

impl Kind {
    pub const ALL: [Kind; 5] = [Kind::Walk, Kind::Squat, Kind::Run, Kind::DropJump, Kind::Sprint];

    pub fn name(self) -> &'static str {
        match self {
            Kind::Walk => "walk",
            Kind::Squat => "squat",
            Kind::Run => "run",
            Kind::DropJump => "drop jump",
            Kind::Sprint => "sprint",
        }
    }
}

pub struct Trial {
    pub name: &'static str,
    pub kind: Kind,
    pub trc: &'static str,
    pub mot: &'static str,
    pub treadmill: bool,
}

macro_rules! opencap {
    ($kind:ident, $name:literal) => {
        Trial {
            name: $name,
            kind: Kind::$kind,
            trc: concat!("opencap-subject4/", $name, ".trc"),
            mot: concat!("opencap-subject4/", $name, "_grf.mot"),
            treadmill: false,
        }
    };
}

pub const TRIALS: &[Trial] = &[
    opencap!(Walk, "walking1"),
    opencap!(Walk, "walking2"),
    opencap!(Walk, "walkingTS1"),
    Trial {
        name: "rajagopal-walk",
        kind: Kind::Walk,
        trc: "rajagopal-walk/motion_capture_walk.trc",
        mot: "rajagopal-walk/grf_walk.mot",
        treadmill: false,
    },
    Trial {
        name: "gait10dof-walk",
        kind: Kind::Walk,
        trc: "gait10dof-walk/subject01_walk.trc",
        mot: "gait10dof-walk/subject01_walk_grf.mot",
        treadmill: true,
    },
    opencap!(Squat, "squats1"),
    Trial {
        name: "hamner-run",
        kind: Kind::Run,
        trc: "hamner-run-subject02/subject02_running.trc",
        mot: "hamner-run-subject02/subject02_running_grf.mot",
        treadmill: true,
    },
    Trial {
        name: "rajagopal-run",
        kind: Kind::Run,
        trc: "rajagopal-run/motion_capture_run.trc",
        mot: "rajagopal-run/grf_run.mot",
        treadmill: true,
    },
    opencap!(DropJump, "DJ1"),
    opencap!(DropJump, "DJ2"),
    opencap!(DropJump, "DJAsym1"),
    Trial {
        name: "sprint-ja1",
        kind: Kind::Sprint,
        trc: "sprinter-ja1/JA1Gait35.trc",
        mot: "sprinter-ja1/JA1Gait35_grf.mot",
        treadmill: false,
    },
];

/// The folder of the trials, or why there is none.
pub fn folder() -> Option<PathBuf> {
    let folder = crate::common::captures("force plates")?.join("gait-grf");
    if folder.is_dir() {
        return Some(folder);
    }
    eprintln!("SKIPPED: no force-plate trials at {}", folder.display());
    None
}
