//! Everything that can go wrong in this crate, told with the joint and the way out.

use aplomb_motion::signal::SignalError;

/// What makes a body or a motion unusable for physics.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum PhysicsError {
    /// A body belongs to one skeleton.
    #[error(
        "the body was made for another skeleton: {detail}; make the body from this clip, or give the matching body file"
    )]
    OtherSkeleton {
        /// The first difference.
        detail: String,
    },
    /// Options outside what a body can be.
    #[error("{what} must be between {least} and {most}, found {found}")]
    Option {
        /// Which, with its unit.
        what: &'static str,
        /// Smallest.
        least: f64,
        /// Largest.
        most: f64,
        /// Given.
        found: f64,
    },
    /// All bones have no length, so nothing has volume.
    #[error(
        "no joint of this skeleton has a bone of any length, so there is nothing to give mass to; write a body file by hand"
    )]
    NoMass,
    /// A tree of links that cannot be simulated.
    #[error("link {link:?}: {why}")]
    Model {
        /// Its name.
        link: String,
        /// What is wrong.
        why: &'static str,
    },
    /// Masses are positive.
    #[error(
        "joint {joint:?}: mass must be positive and finite, found {found_kg} kg; leave the link out if it has no mass"
    )]
    LinkMass {
        /// Joint name.
        joint: String,
        /// The value.
        found_kg: f64,
    },
    /// A centre of mass is a point.
    #[error("joint {joint:?}: the centre of mass is not finite")]
    LinkCom {
        /// Joint name.
        joint: String,
    },
    /// No solid has such an inertia.
    #[error("joint {joint:?}: the inertia about the centre of mass cannot belong to a solid body: {why}")]
    LinkInertia {
        /// Joint name.
        joint: String,
        /// Which rule is broken.
        why: &'static str,
    },
    /// One link a joint.
    #[error("joint {joint:?} has two links; add them into one")]
    RepeatedLink {
        /// Joint name.
        joint: String,
    },
    /// A range of a joint motion that does not exist.
    #[error("range_deg: no joint motion is called {key:?}; expected one of {known}")]
    UnknownRange {
        /// As it stands in the file.
        key: String,
        /// All there are.
        known: String,
    },
    /// A range that no joint has.
    #[error("range_deg.{key}: expected degrees from 0 to 180, found {found_deg}; correct it or delete the line")]
    RangeOfJoint {
        /// Which motion.
        key: String,
        /// In the file.
        found_deg: f64,
    },
    /// Masses of links and the stated total disagree.
    #[error("total_mass_kg is {stated_kg}, but the links add up to {sum_kg} kg; correct one of them")]
    TotalMass {
        /// In the file.
        stated_kg: f64,
        /// Of the links.
        sum_kg: f64,
    },
    /// Names that this skeleton does not have.
    #[error("the body file names {names}, which this skeleton does not have; its joints are {known}")]
    UnknownJoints {
        /// Missing names, quoted.
        names: String,
        /// Names the skeleton has.
        known: String,
    },
    /// A name that several joints share.
    #[error("joint {joint:?} occurs {count} times in this skeleton; add joint_index (one of {indices}) to its link")]
    AmbiguousJoint {
        /// Joint name.
        joint: String,
        /// How often.
        count: usize,
        /// Where.
        indices: String,
    },
    /// Index and name of a link disagree.
    #[error("joint_index {index} is not a joint called {joint:?}; joints of that name have the indices {indices}")]
    JointIndex {
        /// Joint name.
        joint: String,
        /// As given.
        index: usize,
        /// Where the name occurs.
        indices: String,
    },
    /// Not TOML, or not a body.
    #[error("body file: {0}")]
    BodyFile(String),
    /// A later version of the file.
    #[error("body file: schema {found} is not known, this program reads schema {known}")]
    Schema {
        /// In the file.
        found: u32,
        /// Ours.
        known: u32,
    },
    /// Slices that do not belong to the body.
    #[error("expected {expected} {what} (one a joint), found {found}")]
    Count {
        /// Of what.
        what: &'static str,
        /// Joints.
        expected: usize,
        /// Given.
        found: usize,
    },
    /// From filters and derivatives.
    #[error(transparent)]
    Signal(#[from] SignalError),
}
