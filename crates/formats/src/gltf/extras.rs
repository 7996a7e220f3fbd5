//! What glTF has no place for: `asset.extras` and `animations[0].extras`, so that a motion can come back as it was.

use aplomb_motion::{Channel, Clip, FrameOfReference};
use glam::DVec3;
use serde::{Deserialize, Serialize};

/// Where the motion came from.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct AssetExtras {
    /// Format of the source: `BVH`, `AMC`; absent for motion that was made by code.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source_format: Option<String>,
    /// Name of the source, without its folder.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source_name: Option<String>,
    /// Metres in one length unit of the source.
    pub source_unit_m: f64,
    /// Up axis of the source: `X`, `Y` or `Z`.
    pub source_up: String,
}

/// What the animation itself cannot say.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AnimationExtras {
    /// Frames a second as numerator and denominator, where the rate is one in common use: 120000/1001 is exact, 119.88
    /// is not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rate: Option<[u32; 2]>,
    /// Seconds a frame as the source states them; absent where key times are uneven.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub frame_time_secs: Option<f64>,
    /// Time of the first frame in the source; glTF has no times below 0, so keys count from here.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub start_secs: f64,
    /// In the order of `skins[0].joints`.
    pub joints: Vec<JointExtras>,
    /// When which part of the body touches something.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub contacts: Vec<ContactInterval>,
}

/// What a source knows of a joint, and a node does not hold.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct JointExtras {
    /// The name in the source, where the node had to take another.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Channels in the order of the source: `Tx Ty Tz Rz Rx Ry`.
    pub channels: String,
    /// The offset in metres, where the node's translation is another because the joint's translation is animated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offset_m: Option<[f64; 3]>,
}

/// A part of the body touches something from `start_secs` to before `end_secs`, counted from the first frame.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ContactInterval {
    /// `left_heel`, `right_toe`, …
    pub effector: String,
    /// First instant.
    pub start_secs: f64,
    /// The instant after the last.
    pub end_secs: f64,
}

pub(super) fn of_asset(source: Option<(&str, &std::path::Path)>, frame: FrameOfReference) -> AssetExtras {
    let (up, _) = frame.internal_from_file.up();
    AssetExtras {
        source_format: source.map(|(format, _)| format.to_owned()),
        source_name: source.and_then(|(_, path)| Some(path.file_name()?.to_string_lossy().into_owned())),
        source_unit_m: frame.metres_per_unit,
        source_up: up.letter().to_string(),
    }
}

pub(super) fn of_animation(
    clip: &Clip,
    node_names: &[String],
    rest_m: &[DVec3],
    start_secs: f64,
    contacts: &[ContactInterval],
) -> AnimationExtras {
    let frame_time = clip.timeline().uniform();
    let joints = clip.skeleton().joints().iter().zip(node_names).zip(rest_m);
    AnimationExtras {
        rate: frame_time.and_then(|time| time.nominal()).map(|rate| rate.fraction().into()),
        frame_time_secs: frame_time.map(|time| time.exact_secs()),
        start_secs,
        joints: joints
            .map(|((joint, node_name), &rest_m)| JointExtras {
                name: (joint.name != *node_name).then(|| joint.name.clone()),
                channels: joint
                    .channels
                    .as_slice()
                    .iter()
                    .map(|channel| letters(*channel))
                    .collect::<Vec<_>>()
                    .join(" "),
                offset_m: (joint.offset_m != rest_m).then(|| joint.offset_m.to_array()),
            })
            .collect(),
        contacts: contacts.to_vec(),
    }
}

fn letters(channel: Channel) -> String {
    let (kind, axis) = match channel {
        Channel::Position(axis) => ('T', axis),
        Channel::Rotation(axis) => ('R', axis),
    };
    format!("{kind}{}", axis.letter().to_ascii_lowercase())
}

fn is_zero(value: &f64) -> bool {
    *value == 0.0
}
