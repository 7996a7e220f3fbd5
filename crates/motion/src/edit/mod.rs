//! Edits that need no physics: resample, cut, concatenate, mirror, scale, change axes, move on the ground, find loops.
//!
//! Each takes a clip and gives a new one; the clip that comes in is never changed. The ground is the XZ plane, up is
//! +Y.

mod align;
mod concatenate;
mod cut;
mod error;
mod loops;
mod mirror;
mod place;
mod resample;
mod sample;
mod scale;
#[cfg(test)]
mod testing;

pub use crate::kinematics::LocalPose;
pub use align::{GroundMove, align_yaw};
pub use concatenate::{Join, concatenate};
pub use cut::{cut, cut_frames};
pub use error::EditError;
pub use loops::{LoopCandidate, LoopOptions, find_loops, whole_clip_loop};
pub use mirror::{MirrorPlane, mirror, mirror_image, mirror_partners, partners_from_names};
pub use place::{Facing, body_joint, facing_yaw_rad, move_on_ground, place_at_origin, translate, turn_about_up};
pub use resample::{resample, with_speed};
pub use sample::{ON_A_FRAME, sample_at};
pub use scale::{re_axis, scale, scale_time};
