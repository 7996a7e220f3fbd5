//! What a motion is: skeletons, poses and clips; rotations, time, forward kinematics; filters and splines.
//!
//! This crate knows no files and no forces. Inside it everything is metres, seconds and radians, Y up, right-handed,
//! `f64`. `docs/notation.md` holds the conventions that all crates share.

pub mod axes;
pub mod channels;
pub mod clip;
pub mod edit;
pub mod euler;
pub mod first_frame;
pub mod ids;
pub mod kinematics;
pub mod markers;
pub mod roles;
pub mod signal;
pub mod skeleton;
pub mod so3;
pub mod spline;
pub mod stature;
pub mod time;

pub use axes::{Axis, FrameOfReference, SignedPermutation};
pub use channels::{Channel, Channels};
pub use clip::{Clip, ClipError, TranslationTrack};
pub use ids::{FrameIndex, JointId};
pub use kinematics::WorldPose;
pub use roles::{BodyPlan, LimbKind, Role, Roles, Side};
pub use skeleton::{EndSite, Joint, Skeleton, SkeletonBuilder, SkeletonError};
pub use time::{FrameRate, FrameTime, TimeError, Timeline};
