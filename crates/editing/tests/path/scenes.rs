//! Clips with everything that path editing needs to know about them, and what is measured of its results.

#![allow(dead_code, reason = "shared by two programs, none of which uses everything")]

use aplomb_analysis::ContactAnalysis;
use aplomb_analysis::Take;
use aplomb_builtins::clip as built_in;
use aplomb_editing::EditingError;
use aplomb_editing::footplant::contact_drift;
use aplomb_editing::path::{PathEditor, PathOptions, Timing};
use aplomb_motion::kinematics::joint_positions_m;
use aplomb_motion::{
    Axis, Channels, Clip, FrameIndex, FrameTime, Roles, Skeleton, Timeline, TranslationTrack, WorldPose,
};
use aplomb_physics::{Body, BodyOptions};
use glam::{DQuat, DVec3};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::{Mutex, PoisonError};

#[derive(Clone)]
pub struct Scene {
    pub clip: Clip,
    pub roles: Roles,
    pub body: Body,
    pub contacts: ContactAnalysis,
}

impl Scene {
    pub fn of(clip: Clip) -> Self {
        let roles = Roles::detect(&clip);
        let body = Body::of_clip(&clip, &roles, &BodyOptions::default()).unwrap();
        let contacts = Take::new(clip.clone(), roles.clone(), body.clone()).into_contacts().unwrap();
        Self { clip, roles, body, contacts }
    }

    pub fn editor(&self) -> PathEditor {
        self.editor_with(PathOptions::default())
    }

    pub fn editor_with(&self, options: PathOptions) -> PathEditor {
        self.try_editor(options).unwrap()
    }

    pub fn try_editor(&self, options: PathOptions) -> Result<PathEditor, EditingError> {
        PathEditor::new(
            &Take::new(self.clip.clone(), self.roles.clone(), self.body.clone())
                .with_known_contacts(self.contacts.clone(), None),
            options,
        )
    }
}

/// One joint that goes straight ahead at a constant speed, 6 s long.
pub fn line_clip(speed: f64) -> Clip {
    let mut builder = Skeleton::builder();
    let joint = builder.add(None, "Ball", DVec3::Y, Channels::rotating([Axis::Z, Axis::X, Axis::Y], true));
    builder.end_site(joint, DVec3::Y * 0.1);
    let frames = 361;
    let positions_m = (0..frames).map(|i| DVec3::new(0.0, 1.0, speed * f64::from(i) / 60.0)).collect();
    let timeline = Timeline::Uniform(FrameTime::from_hz(60.0).unwrap());
    let track = TranslationTrack { joint, positions_m };
    let rotations = vec![DQuat::IDENTITY; frames as usize];
    Clip::new(Arc::new(builder.build().unwrap()), timeline, frames as usize, rotations, vec![track]).unwrap()
}

/// The clip with one frame held, but for a tremor of a tenth of a millimetre.
pub fn with_stop(clip: &Clip, at: usize, frames: usize) -> Clip {
    let order: Vec<usize> = (0..at).chain(std::iter::repeat_n(at, frames)).chain(at..clip.frame_count()).collect();
    let rotations = order.iter().flat_map(|&frame| clip.rotations_at(FrameIndex(frame)).to_vec()).collect();
    let tracks = clip.tracks().iter().map(|track| {
        let tremor = |index: usize| match (at..at + frames).contains(&index) {
            true => DVec3::new((index as f64 * 1.7).sin(), 0.0, (index as f64 * 2.3).cos()) * 1e-4,
            false => DVec3::ZERO,
        };
        let positions_m = order.iter().enumerate().map(|(index, &frame)| track.positions_m[frame] + tremor(index));
        TranslationTrack { joint: track.joint, positions_m: positions_m.collect() }
    });
    let tracks = tracks.collect();
    Clip::new(clip.skeleton().clone(), clip.timeline().clone(), order.len(), rotations, tracks).unwrap()
}

/// Contacts at the new times of a retimed 120 Hz clip.
pub fn warped(contacts: &ContactAnalysis, key_secs: &[f64]) -> ContactAnalysis {
    let mut found = contacts.clone();
    let last = key_secs.len() - 1;
    let at = |secs: f64| {
        let key = (secs * 120.0).clamp(0.0, last as f64);
        let (low, share) = ((key as usize).min(last - 1), key - (key as usize).min(last - 1) as f64);
        key_secs[low] + share * (key_secs[low + 1] - key_secs[low])
    };
    for pin in &mut found.pins {
        (pin.start_secs, pin.end_secs) = (at(pin.start_secs), at(pin.end_secs));
        (pin.load_start_secs, pin.load_end_secs) = (at(pin.load_start_secs), at(pin.load_end_secs));
    }
    found
}

/// Downward acceleration of the parabola that fits the centre of mass best within a span, m/s².
pub fn fitted_g(clip: &Clip, body: &Body, (start_secs, end_secs): (f64, f64)) -> f64 {
    let mut pose = WorldPose::for_skeleton(clip.skeleton());
    let middle_secs = 0.5 * (start_secs + end_secs);
    let (mut moments, mut right) = ([0.0; 5], [0.0; 3]);
    for frame in clip.frames() {
        let secs = clip.time_secs(frame) - clip.time_secs(FrameIndex(0));
        if !(start_secs - 1e-9..=end_secs + 1e-9).contains(&secs) {
            continue;
        }
        pose.pose(clip, frame);
        let (t, y) = (secs - middle_secs, body.com_in_world_m(&pose).y);
        for (power, moment) in moments.iter_mut().enumerate() {
            *moment += t.powi(power as i32);
        }
        for (power, value) in right.iter_mut().enumerate() {
            *value += y * t.powi(power as i32);
        }
    }
    let [m0, m1, m2, m3, m4] = moments;
    let matrix = glam::DMat3::from_cols(DVec3::new(m0, m1, m2), DVec3::new(m1, m2, m3), DVec3::new(m2, m3, m4));
    -2.0 * (matrix.inverse() * DVec3::from_array(right)).z
}

/// Built-in clips take a while to make: each is made once.
pub fn scene(name: &str) -> Scene {
    static MADE: Mutex<BTreeMap<String, Scene>> = Mutex::new(BTreeMap::new());
    let mut made = MADE.lock().unwrap_or_else(PoisonError::into_inner);
    made.entry(name.to_owned()).or_insert_with(|| Scene::of(built_in(name).unwrap())).clone()
}

pub fn farthest_m(a: &Clip, b: impl Fn(DVec3) -> DVec3, c: &Clip) -> f64 {
    assert_eq!(a.frame_count(), c.frame_count());
    let (from, to) = (joint_positions_m(a), joint_positions_m(c));
    from.iter().zip(to).map(|(&from, to)| b(from).distance(to)).fold(0.0, f64::max)
}

/// Drift of pinned points beyond the input's, mm: on keys and resampled.
pub fn extra_drift_mm(scene: &Scene, editor: &mut PathEditor, timing: Timing) -> (f64, f64) {
    // Pins of less than 0.12 s are not judged; a slower motion must not make them long enough.
    let mut contacts = scene.contacts.clone();
    contacts.pins.retain(|pin| pin.end_secs - pin.start_secs >= 0.12);
    let before = contact_drift(&scene.clip, &contacts).worst_m;
    editor.set_timing(Timing::Keep).unwrap();
    let on_keys = contact_drift(&editor.solve().unwrap().clip, &contacts).worst_m;
    editor.set_timing(timing).unwrap();
    let done = editor.solve().unwrap();
    let resampled = contact_drift(&done.clip, &warped(&contacts, &done.report.key_secs)).worst_m;
    ((on_keys - before) * 1e3, (resampled - before) * 1e3)
}

/// The clip below a joint on the floor that is turned and never moves.
pub fn with_floor_root(clip: &Clip) -> Clip {
    let turn = DQuat::from_rotation_y(0.7);
    let at_m = DVec3::new(0.3, 0.0, -0.2);
    let old = clip.skeleton();
    let mut builder = Skeleton::builder();
    let floor = builder.add(None, "Floor", at_m, Channels::default());
    for joint in old.ids() {
        let it = old.joint(joint);
        let parent = old.parent(joint).map_or(floor, |parent| aplomb_motion::JointId::new(parent.index() + 1));
        let added = builder.add(Some(parent), it.name.clone(), it.offset_m, it.channels.clone());
        for end in &it.end_sites {
            builder.end_site(added, end.offset_m);
        }
    }
    let joints = old.len();
    let root = old.roots().next().unwrap();
    let mut rotations = Vec::new();
    for frame in clip.frames() {
        rotations.push(turn);
        for (index, &rotation) in clip.rotations_at(frame).iter().enumerate() {
            rotations.push(if index == root.index() { turn.conjugate() * rotation } else { rotation });
        }
    }
    assert_eq!(rotations.len(), (joints + 1) * clip.frame_count());
    let tracks = clip.tracks().iter().map(|track| {
        let in_floor = |place_m: &DVec3| {
            if track.joint == root { turn.conjugate() * (*place_m - at_m) } else { *place_m }
        };
        TranslationTrack {
            joint: aplomb_motion::JointId::new(track.joint.index() + 1),
            positions_m: track.positions_m.iter().map(in_floor).collect(),
        }
    });
    let skeleton = Arc::new(builder.build().unwrap());
    Clip::new(skeleton, clip.timeline().clone(), clip.frame_count(), rotations, tracks.collect()).unwrap()
}
