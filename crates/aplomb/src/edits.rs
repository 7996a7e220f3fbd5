//! The parameters of every verb of [`Edit`](crate::Edit), as project files have them.
//!
//! Times are in seconds of the motion as it is before the edit. Other clips are paths, `builtin:NAME`, or names that
//! were given to [`Motion::with_other`](crate::Motion::with_other).

// One struct a verb.
pub use aplomb_editing::tilt::Tilt;
pub use aplomb_editing::travel::Travel;
pub use aplomb_project::edit::{
    AdaptEdit, ArcEdit, BlendEdit, CutEdit, JoinEdit, PathEdit, PlantEdit, ReachEdit, SpeedEdit, TouchupEdit,
    TrackEdit, TransitionEdit,
};

// How clips are read, and whose body they show, where it is not found out.
pub use aplomb_project::edit::{BodyChoice, Fps, FpsWord, InputChoice};

// Join, plant and touch-up.
pub use aplomb_editing::touchup::{Stage, Step};
pub use aplomb_motion::edit::Join;
pub use aplomb_project::edit::Slope;

// Path.
pub use aplomb_editing::arc::Arc;
pub use aplomb_editing::path::{JumpHeight, Timing};
pub use aplomb_project::edit::{Follow, FollowCurve, PathChange};

// Blend.
pub use aplomb_editing::blend::{Parameter, PhaseTiming, Scheme};

// Adapt.
pub use aplomb_editing::adapt::Goals;
/// What an adaptation can be asked for, one type a goal.
pub mod goals {
    pub use aplomb_editing::adapt::{
        Above, Carry, ConeGoal, ConeOf, Dynamics, Facing, Fixed, Footprints, Grab, Hop, Hurdle, Objective, PlaceGoal,
        PosePin, Scale, Torque, Twist, TwistAt, WhichSide, WhichStage,
    };
}

// Track and reach.
pub use aplomb_editing::reach::{HandGoal, HandPoint};
pub use aplomb_editing::track::{Figure, Interpolation, LegGains, Lower, Stance};
/// What else is there while a body is driven: other characters and things.
pub mod scene {
    pub use aplomb_editing::track::character::{BuiltInCharacter, Character};
    pub use aplomb_editing::track::scene_file::{
        CharacterChoice, Clap, PairChoice, Prop, PropShape, Scene, SceneCharacter, SceneReach, TaskChoice,
    };
}
pub use aplomb_project::edit::{AutoWord, DampingChoice, PaperWord, StiffnessChoice};
