//! Which clips the score is proved on: every walk, turn, run, jump, hop and transition of the CMU captures, with its
//! true rate. (Some files say 120 Hz and were captured at 60; their flights tell.)

/// What a clip shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    WalkStraight,
    WalkTurn,
    Run,
    JumpForward,
    JumpTurn,
    JumpVertical,
    Hop,
    Transition,
}

impl Kind {
    pub const ALL: [Kind; 8] = [
        Kind::WalkStraight,
        Kind::WalkTurn,
        Kind::Run,
        Kind::JumpForward,
        Kind::JumpTurn,
        Kind::JumpVertical,
        Kind::Hop,
        Kind::Transition,
    ];

    /// Where clips of this kind lie below `cmu-bvh`.
    pub const fn folder(self) -> &'static str {
        match self {
            Kind::WalkStraight => "walk-straight",
            Kind::WalkTurn => "walk-turn",
            Kind::Run => "run",
            Kind::JumpForward => "jump-forward",
            Kind::JumpTurn => "jump-turn",
            Kind::JumpVertical => "jump-vertical",
            Kind::Hop => "hop",
            Kind::Transition => "transition",
        }
    }
}

/// One clip.
pub struct Entry {
    pub kind: Kind,
    pub name: &'static str,
    pub true_hz: f64,
}

const fn clip(kind: Kind, name: &'static str, true_hz: f64) -> Entry {
    Entry { kind, name, true_hz }
}

#[rustfmt::skip]
pub const CLIPS: &[Entry] = &[
    clip(Kind::WalkStraight, "02_01", 120.0),
    clip(Kind::WalkStraight, "02_02", 120.0),
    clip(Kind::WalkStraight, "07_01", 120.0),
    clip(Kind::WalkStraight, "08_01", 120.0),
    clip(Kind::WalkStraight, "104_02", 120.0),
    clip(Kind::WalkStraight, "10_04", 120.0),
    clip(Kind::WalkStraight, "16_15", 120.0),
    clip(Kind::WalkStraight, "16_21", 120.0),
    clip(Kind::WalkStraight, "35_01", 120.0),
    clip(Kind::WalkTurn, "113_06", 120.0),
    clip(Kind::WalkTurn, "16_11", 120.0),
    clip(Kind::WalkTurn, "16_13", 120.0),
    clip(Kind::WalkTurn, "16_17", 120.0),
    clip(Kind::WalkTurn, "16_19", 120.0),
    clip(Kind::WalkTurn, "16_23", 120.0),
    clip(Kind::WalkTurn, "16_25", 120.0),
    clip(Kind::WalkTurn, "16_27", 120.0),
    clip(Kind::WalkTurn, "16_29", 120.0),
    clip(Kind::WalkTurn, "39_11", 120.0),
    clip(Kind::WalkTurn, "83_36", 120.0),
    clip(Kind::WalkTurn, "83_37", 120.0),
    clip(Kind::Run, "02_03", 120.0),
    clip(Kind::Run, "09_01", 120.0),
    clip(Kind::Run, "127_06", 120.0),
    clip(Kind::Run, "127_09", 120.0),
    clip(Kind::Run, "127_11", 120.0),
    clip(Kind::Run, "139_12", 60.0),
    clip(Kind::Run, "16_35", 120.0),
    clip(Kind::Run, "16_37", 120.0),
    clip(Kind::Run, "16_39", 120.0),
    clip(Kind::Run, "16_41", 120.0),
    clip(Kind::Run, "16_43", 120.0),
    clip(Kind::Run, "16_45", 120.0),
    clip(Kind::Run, "16_48", 120.0),
    clip(Kind::Run, "16_51", 120.0),
    clip(Kind::Run, "16_55", 120.0),
    clip(Kind::Run, "35_17", 120.0),
    clip(Kind::JumpForward, "118_10", 120.0),
    clip(Kind::JumpForward, "118_15", 120.0),
    clip(Kind::JumpForward, "118_20", 120.0),
    clip(Kind::JumpForward, "118_25", 120.0),
    clip(Kind::JumpForward, "13_11", 120.0),
    clip(Kind::JumpForward, "13_13", 120.0),
    clip(Kind::JumpForward, "141_04", 60.0),
    clip(Kind::JumpForward, "16_05", 120.0),
    clip(Kind::JumpForward, "16_06", 120.0),
    clip(Kind::JumpForward, "16_07", 120.0),
    clip(Kind::JumpForward, "16_09", 120.0),
    clip(Kind::JumpForward, "75_03", 60.0),
    clip(Kind::JumpForward, "75_10", 60.0),
    clip(Kind::JumpForward, "83_46", 120.0),
    clip(Kind::JumpForward, "83_48", 120.0),
    clip(Kind::JumpForward, "83_49", 120.0),
    clip(Kind::JumpForward, "83_50", 120.0),
    clip(Kind::JumpTurn, "141_06", 60.0),
    clip(Kind::JumpTurn, "75_06", 60.0),
    clip(Kind::JumpTurn, "75_09", 60.0),
    clip(Kind::JumpTurn, "83_51", 120.0),
    clip(Kind::JumpTurn, "83_53", 120.0),
    clip(Kind::JumpTurn, "83_54", 120.0),
    clip(Kind::JumpTurn, "83_57", 120.0),
    clip(Kind::JumpTurn, "83_58", 120.0),
    clip(Kind::JumpTurn, "83_60", 120.0),
    clip(Kind::JumpTurn, "83_61", 120.0),
    clip(Kind::JumpTurn, "83_64", 120.0),
    clip(Kind::JumpTurn, "85_01", 120.0),
    clip(Kind::JumpVertical, "02_04", 120.0),
    clip(Kind::JumpVertical, "118_01", 120.0),
    clip(Kind::JumpVertical, "118_02", 120.0),
    clip(Kind::JumpVertical, "118_05", 120.0),
    clip(Kind::JumpVertical, "13_39", 120.0),
    clip(Kind::JumpVertical, "13_41", 120.0),
    clip(Kind::JumpVertical, "16_01", 120.0),
    clip(Kind::JumpVertical, "16_03", 120.0),
    clip(Kind::Hop, "131_03", 120.0),
    clip(Kind::Hop, "132_23", 120.0),
    clip(Kind::Hop, "141_05", 60.0),
    clip(Kind::Hop, "49_03", 120.0),
    clip(Kind::Hop, "75_13", 60.0),
    clip(Kind::Transition, "104_06", 120.0),
    clip(Kind::Transition, "104_09", 120.0),
    clip(Kind::Transition, "104_53", 120.0),
    clip(Kind::Transition, "127_04", 120.0),
    clip(Kind::Transition, "127_05", 120.0),
    clip(Kind::Transition, "16_08", 120.0),
];
