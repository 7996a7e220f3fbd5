//! Edits of motion, one module a verb, and what the verbs share.
//!
//! Shared: [`limb_ik`], the project's only inverse kinematics; [`footplant`], feet that stay where they stand;
//! [`displacement`], corrections in layers over a motion; [`pops`], whether an edit makes limbs jerk;
//! [`beyond_people`], goals that no person can meet.

pub mod adapt;
pub mod arc;
pub mod beyond_people;
pub mod blend;
mod body_root;
pub mod displacement;
pub mod finding;
pub mod footplant;
mod ground_arc;
mod hand_goal;
mod level_push;
pub mod limb_ik;
pub mod mask;
pub mod mirror;
mod missing;
pub mod path;
pub mod pops;
pub mod reach;
mod rigid_moves;
pub mod solver_status;
pub mod span;
pub mod speed;
pub mod tilt;
pub mod touchup;
pub mod track;
pub mod transition;
pub mod travel;
mod travel_line;

use crate::beyond_people::BeyondPeople;
use aplomb_analysis::AnalysisError;
use aplomb_motion::edit::EditError;
use aplomb_motion::signal::SignalError;
use aplomb_motion::{ClipError, LimbKind, Role, Side};
use aplomb_numerics::NumericsError;
use aplomb_physics::PhysicsError;
use aplomb_physics::simulation::{Diverged, Overlap};

/// A number of a message: no more digits than people can use.
pub fn short_number(value: f64) -> String {
    match value.abs() < 1e6 {
        true => ((value * 1e3).round() / 1e3).to_string(),
        false => format!("{value:e}"),
    }
}

fn span_in_words(from_secs: f64, to_secs: f64, duration_secs: f64) -> String {
    let [from, to, lasts] = [from_secs, to_secs, duration_secs].map(short_number);
    if from_secs >= to_secs {
        format!("the span ends at {to} s, which is not after its start at {from} s; the clip lasts {lasts} s")
    } else if from_secs < duration_secs && to_secs > duration_secs {
        format!("the span from {from} s to {to} s ends after the clip, which lasts {lasts} s")
    } else {
        format!("the span from {from} s to {to} s holds no frames of the clip, which lasts {lasts} s")
    }
}

/// Why an edit cannot be made.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum EditingError {
    /// A limb is three joints, each below the one before.
    #[error("{end:?} is not below {middle:?}, or {middle:?} not below {root:?}: a limb is one chain of joints")]
    NotAChain {
        /// Upper arm or thigh.
        root: String,
        /// Forearm or shank.
        middle: String,
        /// Hand or foot.
        end: String,
    },
    /// Roles do not name it, or do not tell how it bends.
    #[error("the {side} {kind} cannot be moved: {problem}", kind = missing::limb_name(*kind))]
    NoLimb {
        /// Left or right.
        side: Side,
        /// Arm or leg.
        kind: LimbKind,
        /// What is missing, what was found, and what to do.
        problem: String,
    },
    /// A part of the body that no joint was recognised as.
    #[error("no joint is recognised as {role} (joints are {joints}); say in a roles file which it is")]
    NoRole {
        /// The part.
        role: Role,
        /// Names in the skeleton.
        joints: String,
    },
    /// A joint id of another skeleton.
    #[error("joint {joint} does not exist: the skeleton has {joints} joints")]
    UnknownJoint {
        /// Index asked for.
        joint: usize,
        /// Joints there are.
        joints: usize,
    },
    /// Two-bone solutions need two bones.
    #[error("the bone from {from:?} to {to:?} has no length")]
    NoBone {
        /// Upper joint.
        from: String,
        /// Lower joint.
        to: String,
    },
    /// Only a motion that goes somewhere can be bent.
    #[error(
        "the motion travels {way_m:.2} m, which is no way that could be bent (at least {least_m} m); clips in place \
         and from treadmills go nowhere"
    )]
    DoesNotTravel {
        /// Along its best straight line.
        way_m: f64,
        /// What is needed.
        least_m: f64,
    },
    /// Uphill is along the way, and there is none.
    #[error("the motion travels {way_m:.2} m, so it has no way that could lead uphill")]
    NoHeading {
        /// Along its best straight line.
        way_m: f64,
    },
    /// The centre of the circle lies on the body's path.
    #[error(
        "a radius of {radius_m} m is too tight: the body swings out by {sway_m:.2} m towards the centre; give a larger radius"
    )]
    ArcTooTight {
        /// The radius.
        radius_m: f64,
        /// Farthest from the line of travel, towards the centre.
        sway_m: f64,
    },
    /// A span that holds no frames, or ends before it starts.
    #[error("{}", span_in_words(*from_secs, *to_secs, *duration_secs))]
    EmptySpan {
        /// Start.
        from_secs: f64,
        /// End.
        to_secs: f64,
        /// Of the clip.
        duration_secs: f64,
    },
    /// Other times move every frame that follows, in the stretch or not.
    #[error("the path of a stretch is edited with the times as they are")]
    StretchRetimed,
    /// A way that leads elsewhere after the stretch.
    #[error(
        "the way does not come back: at {at_secs:.2} s, outside the stretch or where it is eased, the body would be \
         drawn {away_m:.2} m away from it (at most {most_m} m)"
    )]
    StretchLeadsAway {
        /// Where it is farthest.
        at_secs: f64,
        /// How far.
        away_m: f64,
        /// How far is allowed.
        most_m: f64,
    },
    /// Two ways to say the same thing.
    #[error("{a} cannot be given together with {b}: give one or the other")]
    Conflict {
        /// One way.
        a: &'static str,
        /// The other.
        b: &'static str,
    },
    /// Only clips of the same frames and joints can be mixed.
    #[error(
        "the edited clip has {found_frames} frames and {found_joints} joints, the original {frames} and {joints}: an edit that changes time or skeleton cannot be limited to a span or to some joints"
    )]
    NotComparable {
        /// Frames of the original.
        frames: usize,
        /// Joints of the original.
        joints: usize,
        /// Frames of the edit.
        found_frames: usize,
        /// Joints of the edit.
        found_joints: usize,
    },
    /// A word for a part of the body that means nothing here.
    #[error(
        "{word:?} names no part of this skeleton; there are the groups {groups}, roles such as left_thigh, and the joints {joints}"
    )]
    UnknownPart {
        /// As it was given.
        word: String,
        /// Groups there are.
        groups: String,
        /// Names of joints, the first of them if there are many.
        joints: String,
    },
    /// The second motion of a transition ends inside the window.
    #[error(
        "the second motion cannot be entered at {into_secs} s: its part of the window must fit, at {latest_secs:.3} s at the latest"
    )]
    NoRoomInto {
        /// As it was given.
        into_secs: f64,
        /// Last second that leaves room.
        latest_secs: f64,
    },
    /// From [`aplomb_motion::edit`].
    #[error(transparent)]
    Edit(#[from] EditError),
    /// Gravity shows that the clip's clock is wrong: everything that has to do with forces would be, too.
    #[error(
        "flights of this clip fall at {times_g:.1} g: it was captured at about {likely_hz} frames a second, and its file says {header_hz}; \
         correct the rate first, then edit"
    )]
    WrongRate {
        /// What the file says.
        header_hz: f64,
        /// What gravity says.
        likely_hz: f64,
        /// Median of its flights by the file's clock, over gravity.
        times_g: f64,
    },
    /// Gravity shows that lengths are wrong.
    #[error(
        "flights of this clip fall as if its lengths were {scale:.3} of what the file says: correct the unit first, then edit"
    )]
    WrongUnit {
        /// True length over the file's.
        scale: f64,
    },
    /// Time derivatives need some frames.
    #[error("the clip has {frames} usable frame{s}; {needs} needs at least {least}", s = if *frames == 1 { "" } else { "s" })]
    TooFewFrames {
        /// What there is, without an artificial first frame.
        frames: usize,
        /// Which edit.
        needs: &'static str,
        /// How many it takes.
        least: usize,
    },
    /// Filters over time want even frames.
    #[error("the clip's frames are not evenly spaced; resample it first")]
    UnevenFrames,
    /// Nothing stands, so nothing can be planted or balanced.
    #[error(
        "no foot of this clip ever touches the ground: there is nothing to {verb}; check roles and unit, or give a contact file"
    )]
    NoContact {
        /// What was to be done.
        verb: &'static str,
    },
    /// Handles of a path are where feet stand.
    #[error("no foot of this clip is found standing, so its path cannot be taken hold of")]
    NoStance,
    /// A motion that travels as its feet say.
    #[error(
        "feet that are down go back by only {speed:.2} m/s: the body already travels as they say, or stands; there is no way to give"
    )]
    FeetStand {
        /// m/s.
        speed: f64,
    },
    /// Balance is solved for people.
    #[error(
        "touch-up balances bodies that stand on two legs, and this one has four: its legs would be splayed; plant its feet instead, or give a roles file if it is a person"
    )]
    FourLegs,
    /// Contacts that name points this clip does not have, or lie outside it.
    #[error("the contacts do not fit the clip: {detail}")]
    OtherContacts {
        /// What does not fit.
        detail: String,
    },
    /// A step list that cannot be carried out.
    #[error("step {step}{of}: {problem}", of = if name.is_empty() { String::new() } else { format!(" ({name})") })]
    Step {
        /// From 1.
        step: usize,
        /// Its name, if it has one.
        name: String,
        /// What is wrong, and what would be right.
        problem: String,
    },
    /// The text of a step list does not parse.
    #[error("the step list cannot be read: {detail}")]
    StepList {
        /// The parser's words, with line and column.
        detail: String,
    },
    /// A path has a start and an end; between them it needs steps that could change it.
    #[error(
        "this clip has {steps} step{s} that could change its path, at least two are needed: it stands, or no contacts \
         were found; check contacts",
        s = if *steps == 1 { "" } else { "s" }
    )]
    TooFewHandles {
        /// Found between the ends.
        steps: usize,
    },
    /// A number that no handle has.
    #[error("there is no handle {handle}: the path has {handles}, counted from 0")]
    UnknownHandle {
        /// As it was given.
        handle: usize,
        /// How many there are.
        handles: usize,
    },
    /// A number that no flight has.
    #[error("there is no flight {flight}: the clip has {flights}, counted from 0")]
    UnknownFlight {
        /// As it was given.
        flight: usize,
        /// How many there are.
        flights: usize,
    },
    /// Not a number, or beyond the horizon.
    #[error("handle {handle} cannot be put at {found}: give metres, finite and less than a million")]
    HandleGoal {
        /// Which one.
        handle: usize,
        /// Where it should go.
        found: String,
    },
    /// Two motions without enough steps of the same feet in a row.
    #[error(
        "the two motions have no {least} steps in a row with the same foot in front ({source_handles} and {target_handles} steps): \
         mirror one of them, or cut both by hand"
    )]
    NoMatch {
        /// Handles needed.
        least: usize,
        /// Steps of the motion that is edited.
        source_handles: usize,
        /// Steps of the one whose path is taken.
        target_handles: usize,
    },
    /// A curve on the ground that cannot be followed.
    #[error("the curve cannot be followed: {problem}")]
    Curve {
        /// What is wrong.
        problem: String,
    },
    /// A blend takes two motions at least.
    #[error("blending takes two clips or more, found {found}")]
    OneClip {
        /// Clips given.
        found: usize,
    },
    /// Skeletons that differ in bone lengths only.
    #[error("{problem}; scale or retarget it first")]
    OtherBones {
        /// Which bone.
        problem: String,
    },
    /// Skeletons that differ in more.
    #[error("{problem}; only clips of one skeleton can be blended (rename or retarget it first)")]
    OtherSkeleton {
        /// How.
        problem: String,
    },
    /// One of the motions to blend is to blame.
    #[error("clip {}: {source}", clip + 1)]
    InClip {
        /// Which, from 0.
        clip: usize,
        /// What is wrong with it.
        source: Box<EditingError>,
    },
    /// Weights that make no blend.
    #[error("these weights cannot be blended with: {problem}")]
    Weights {
        /// What is wrong, and what to do.
        problem: String,
    },
    /// Weights that are no shares of one whole.
    #[error("these weights cannot be blended with: they sum to {}, not to 1", short_number(*sum))]
    WeightSum {
        /// Of all of them.
        sum: f64,
    },
    /// Clips whose phases do not correspond.
    #[error("the clips have no phases in common: {listing}")]
    NoCommonPhases {
        /// Clip by clip, what was found.
        listing: String,
        /// More would match if a clip began with the other foot.
        mirror_helps: bool,
    },
    /// Phases by hand that do not fit the clips.
    #[error("the phases given do not fit: {problem}")]
    ManualPhases {
        /// What is wrong.
        problem: String,
    },
    /// A search that broke down.
    #[error("the search failed: {detail}")]
    Search {
        /// What the solver says.
        detail: String,
    },
    /// World orientations that cannot be followed.
    #[error("the orientations cannot be followed: {problem}")]
    Orientations {
        /// What is wrong.
        problem: String,
    },
    /// A scene that cannot be played.
    #[error("the scene cannot be played: {problem}")]
    Scene {
        /// What is wrong.
        problem: String,
    },
    /// Shapes inside each other before anything moved.
    #[error(transparent)]
    Overlap(#[from] Overlap),
    /// A simulation that left the world of reasonable numbers.
    #[error(transparent)]
    Diverged(#[from] Diverged),
    /// Goals of an adaptation that make no problem, or a clip that allows none.
    #[error("{problem}")]
    Goals {
        /// What is wrong, and what to do.
        problem: String,
    },
    /// Goals of an adaptation that no motion was found for.
    #[error("the goals cannot be met: {left}; ask for less")]
    Unmet {
        /// What is left, and by how much.
        left: String,
    },
    /// Goals that no person can meet.
    #[error("{0}")]
    BeyondPeople(Box<BeyondPeople>),
    /// The user stopped it.
    #[error("stopped before the end; nothing was changed")]
    Cancelled,
    /// A skeleton without any joint, and nothing else: what lacks a part of a body says which (`NoRole`, `NoLimb`).
    #[error("the skeleton has no joint that could carry a body")]
    NoRoot,
    /// From contacts, flights and forces.
    #[error(transparent)]
    Analysis(#[from] AnalysisError),
    /// From bodies and momenta.
    #[error(transparent)]
    Physics(#[from] PhysicsError),
    /// From filters.
    #[error(transparent)]
    Signal(#[from] SignalError),
    /// From linear systems in time.
    #[error(transparent)]
    Numerics(#[from] NumericsError),
    /// From clips.
    #[error(transparent)]
    Clip(#[from] ClipError),
    /// A setting that makes no sense.
    #[error("{what} must be {expected}, found {}", short_number(*found))]
    Setting {
        /// Which one.
        what: &'static str,
        /// What is allowed.
        expected: &'static str,
        /// The value.
        found: f64,
    },
}
