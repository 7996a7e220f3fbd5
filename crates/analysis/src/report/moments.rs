//! Moments at which something is wrong with a motion, and what it is.

use serde::Serialize;

/// What a fault is about: the three things that a motion is judged by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Aspect {
    /// Balance, weight, flight and feet: could a body be carried like this?
    Physics,
    /// Poses and how they follow each other: could a person's joints do this?
    Body,
    /// Rate, unit, gaps, labels: is this what was captured?
    Recording,
}

/// What is wrong at a moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Fault {
    /// The force that carries the body lies outside the feet, m.
    SupportMissing,
    /// A standing foot slides, m.
    FootSlides,
    /// A flight does not fall at g, g.
    FallWrong,
    /// All joints tremble, mm.
    BodyTrembles,
    /// The whole body jumps, mm/s (summed a second).
    BodyJumps,
    /// More friction than the ground gives, 1.
    FrictionHigh,
    /// The clip's floor is not the ground, m.
    FloorOff,
    /// A foot stands over or under the clip's floor, m.
    FootHovers,
    /// The knee bends backward, °.
    KneeBackward,
    /// The knee folds too far, °.
    KneeFolds,
    /// The knee bends sideways, °.
    KneeSideways,
    /// The foot is turned about the shank, °.
    FootTurned,
    /// The foot is folded up against the shank, °.
    FootFolded,
    /// The elbow bends beyond straight, °.
    ElbowBackward,
    /// The elbow folds too far, °.
    ElbowFolds,
    /// One joint of the spine bends or turns too far, °.
    SpineBent,
    /// One joint of the neck bends or turns too far, °.
    NeckBent,
    /// The chest is turned against the pelvis, °.
    TrunkTurned,
    /// The chest is bent against the pelvis, °.
    TrunkBent,
    /// The head is turned against the chest, °.
    HeadTurned,
    /// The head is bent against the chest, °.
    HeadBent,
    /// The thigh points too far back, °.
    HipBackward,
    /// The thigh points too far ahead, °.
    HipForward,
    /// The thigh points too far out, °.
    HipOutward,
    /// The thigh points too far in, °.
    HipInward,
    /// A planted foot is turned against the pelvis, °.
    PlantedFootTurned,
    /// A joint turns faster than people can, °/s.
    TurnsTooFast,
    /// A joint turns by a jump from one frame to the next, °.
    TurnPops,
    /// A joint is somewhere else from one frame to the next, mm.
    PlacePops,
    /// A joint is turned the wrong way round between two jumps, °.
    Flipped,
    /// Everything stands still in the middle of a movement, s.
    Frozen,
    /// A foot is under the floor that it stands on elsewhere, m.
    UnderFloor,
    /// Standing feet are over the floor that they stand on elsewhere, m.
    FeetFloat,
    /// Standing feet all drift one way, m/s.
    CommonDrift,
    /// Two parts of the body are inside each other, m.
    LimbInLimb,
    /// Gravity proves the frame rate wrong; the factor between the true rate and the file's.
    RateWrong,
    /// Gravity proves the unit wrong; the factor between the true unit and the file's.
    UnitWrong,
    /// Flights dispute the frame rate; the factor between the rate they ask for and the file's.
    RateDisputed,
    /// The body is at one place that no motion leads to or from (frames that were lost), m.
    Dropout,
    /// Contacts that are stated flicker, 1/s.
    LabelsFlicker,
}

impl Fault {
    /// What it is about.
    pub fn aspect(self) -> Aspect {
        match self {
            Fault::SupportMissing
            | Fault::FootSlides
            | Fault::FallWrong
            | Fault::BodyTrembles
            | Fault::BodyJumps
            | Fault::FrictionHigh
            | Fault::FloorOff
            | Fault::FootHovers => Aspect::Physics,
            Fault::RateWrong | Fault::UnitWrong | Fault::RateDisputed | Fault::Dropout | Fault::LabelsFlicker => {
                Aspect::Recording
            }
            _ => Aspect::Body,
        }
    }

    /// Unit of [`Moment::size`].
    pub fn unit(self) -> &'static str {
        match self {
            Fault::SupportMissing
            | Fault::FootSlides
            | Fault::FloorOff
            | Fault::FootHovers
            | Fault::UnderFloor
            | Fault::FeetFloat
            | Fault::LimbInLimb
            | Fault::Dropout => "m",
            Fault::FallWrong => "g",
            Fault::BodyTrembles | Fault::PlacePops => "mm",
            Fault::BodyJumps => "mm/s",
            Fault::FrictionHigh | Fault::RateWrong | Fault::UnitWrong | Fault::RateDisputed => "1",
            Fault::Frozen => "s",
            Fault::CommonDrift => "m/s",
            Fault::TurnsTooFast => "°/s",
            Fault::LabelsFlicker => "1/s",
            _ => "°",
        }
    }
}

/// Something wrong, where and when.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Moment {
    /// What.
    pub fault: Fault,
    /// Where: a joint, or a contact point (`left_ball`); `None` for the whole body.
    pub joint: Option<String>,
    /// The other part of the body, of two that are inside each other.
    pub other: Option<String>,
    /// When it begins, s.
    pub start_secs: f64,
    /// When it ends, s.
    pub end_secs: f64,
    /// When it is worst, s.
    pub secs: f64,
    /// How much, in [`Fault::unit`].
    pub size: f64,
    /// No loss up to this.
    pub allowance: f64,
    /// What it costs: ((size − allowance) / (half − allowance))² of the fault, or a share of it.
    pub cost: f64,
}
