//! Ways a motion is spoiled: what careless edits and bad recordings do to a clip. The score is proved against them
//! (`docs/analysis/score.md`), and they help to tune detectors.
//!
//! Every damage is deterministic; those with chance in them take a seed. Clips should be evenly timed and free of a
//! stray first frame.

mod poses;

pub use poses::PoseDamage;

use crate::contacts::{Flight, Verdict};
use aplomb_motion::edit::{self, EditError, LocalPose};
use aplomb_motion::so3;
use aplomb_motion::{Clip, FrameIndex, JointId, Role, Roles, Side, TranslationTrack, WorldPose};
use glam::{DQuat, DVec3};
use std::ops::Range;

/// Tilt of the whole motion against gravity.
const TILT_DEG: f64 = 10.0;
/// Added to every frame's way, m/s.
const SLIDE_M_PER_SEC: f64 = 0.2;
/// Noise of the root, each axis, m.
const JITTER_M: f64 = 0.005;
/// Noise of every joint about a random axis, degrees.
const JITTER_DEG: f64 = 1.0;
/// Float over the floor, m.
const LIFT_M: f64 = 0.05;
/// Time in which a part of a clip is lifted and put down again, s.
const LIFT_RAMP_SECS: f64 = 0.2;
/// Radius of the circle that a way is bent onto, m.
const BEND_RADIUS_M: f64 = 1.5;
/// A way shorter than this is not bent, m.
const LEAST_BENT_WAY_M: f64 = 1.0;
/// Time that is cut out at once, s.
const DROP_SECS: f64 = 0.033;
/// Mean time from cut to cut, s.
const DROP_EVERY_SECS: f64 = 0.8;

/// A way to spoil a motion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Damage {
    /// The whole motion is turned by 10° about the axis across its way, as if it climbed.
    TiltAlong,
    /// The whole motion is turned by 10° about the direction of its way, as if it walked along a slope.
    TiltSideways,
    /// Played twice as fast at the same frame rate.
    DoubleSpeed,
    /// Played half as fast.
    HalfSpeed,
    /// The body slides ahead by 0.2 m/s on top of its own way.
    Slide,
    /// Every frame's root is off by 5 mm an axis, every joint by 1° (white, Gaussian).
    Jitter,
    /// Half of that.
    HalfJitter,
    /// The clip floats 5 cm over its floor.
    Lift,
    /// Its middle third does.
    LiftMiddle,
    /// Its straight way is bent onto a circle of 1.5 m, poses unchanged.
    Bend,
    /// Verified flights take 1.4 times as long.
    LongFlights,
    /// Verified flights take 0.7 times as long.
    ShortFlights,
    /// 33 ms are cut out every 0.8 s on average.
    DropFrames,
}

impl Damage {
    /// All of them, in the order of the documentation.
    pub const ALL: [Damage; 13] = [
        Damage::TiltAlong,
        Damage::TiltSideways,
        Damage::DoubleSpeed,
        Damage::HalfSpeed,
        Damage::Slide,
        Damage::Jitter,
        Damage::HalfJitter,
        Damage::Lift,
        Damage::LiftMiddle,
        Damage::Bend,
        Damage::LongFlights,
        Damage::ShortFlights,
        Damage::DropFrames,
    ];

    /// For tables.
    pub const fn title(self) -> &'static str {
        match self {
            Damage::TiltAlong => "tilt 10° along",
            Damage::TiltSideways => "tilt 10° sideways",
            Damage::DoubleSpeed => "double speed",
            Damage::HalfSpeed => "half speed",
            Damage::Slide => "slide 0.2 m/s",
            Damage::Jitter => "jitter 5 mm, 1°",
            Damage::HalfJitter => "half jitter",
            Damage::Lift => "+5 cm, whole clip",
            Damage::LiftMiddle => "+5 cm, middle only",
            Damage::Bend => "bent to r = 1.5 m",
            Damage::LongFlights => "flight × 1.4",
            Damage::ShortFlights => "flight × 0.7",
            Damage::DropFrames => "drop 33 ms",
        }
    }

    /// The spoiled clip; `None` where the damage does not apply (nothing flies, nothing travels). `flights` are the
    /// clip's own, by its own clock.
    pub fn apply(self, clip: &Clip, roles: &Roles, flights: &[Flight], seed: u64) -> Result<Option<Clip>, EditError> {
        if clip.frame_count() == 0 {
            return Ok(None);
        }
        let way = Way::of(clip, roles);
        let times_secs: Vec<f64> = clip.frames().map(|frame| clip.time_secs(frame)).collect();
        let tilted = |axis: DVec3| {
            let turn = DQuat::from_axis_angle(axis, TILT_DEG.to_radians());
            let pivot_m = way.middle_m();
            moved(clip, |_| (turn, pivot_m - turn * pivot_m))
        };
        let lifted =
            |height_m: &dyn Fn(usize) -> f64| moved(clip, |frame| (DQuat::IDENTITY, DVec3::Y * height_m(frame)));
        Ok(Some(match self {
            // Turning up about "right" lifts what lies ahead.
            Damage::TiltAlong => tilted(way.ahead.cross(DVec3::Y))?,
            Damage::TiltSideways => tilted(way.ahead)?,
            Damage::DoubleSpeed => edit::with_speed(clip, 2.0)?,
            Damage::HalfSpeed => edit::with_speed(clip, 0.5)?,
            Damage::Slide => moved(clip, |frame| {
                (DQuat::IDENTITY, way.ahead * (SLIDE_M_PER_SEC * (times_secs[frame] - times_secs[0])))
            })?,
            Damage::Jitter => jittered(clip, 1.0, seed)?,
            Damage::HalfJitter => jittered(clip, 0.5, seed)?,
            Damage::Lift => lifted(&|_| LIFT_M)?,
            Damage::LiftMiddle => {
                let whole_secs = clip.duration_secs();
                lifted(&|frame| LIFT_M * middle_third(times_secs[frame] - times_secs[0], whole_secs))?
            }
            Damage::Bend if way.length_m < LEAST_BENT_WAY_M => return Ok(None),
            Damage::Bend => moved(clip, |frame| way.bent(frame))?,
            Damage::LongFlights => return warped_flights(clip, flights, 1.4),
            Damage::ShortFlights => return warped_flights(clip, flights, 0.7),
            Damage::DropFrames => return dropped(clip, seed),
        }))
    }
}

/// Where the hips go.
struct Way {
    hips_m: Vec<DVec3>,
    /// Horizontal, of unit length: from the first to the last frame, or where the figure looks if it stays about its
    /// place.
    ahead: DVec3,
    /// First to last frame, along the ground.
    length_m: f64,
}

impl Way {
    fn of(clip: &Clip, roles: &Roles) -> Self {
        let hips = roles.joint(Role::Hips).unwrap_or_else(|| edit::body_joint(clip.skeleton()));
        let mut pose = WorldPose::for_skeleton(clip.skeleton());
        let mut place_m = |frame: FrameIndex| {
            pose.pose(clip, frame);
            pose.point_in_world_m(hips, DVec3::ZERO)
        };
        let hips_m: Vec<DVec3> = clip.frames().map(&mut place_m).collect();
        let from_to_m = hips_m.last().zip(hips_m.first()).map_or(DVec3::ZERO, |(last_m, first_m)| last_m - first_m);
        let way_m = from_to_m.with_y(0.0);
        let thighs = Side::BOTH.map(|side| roles.joint(Role::Thigh(side)));
        let looks = match thighs {
            [Some(left), Some(right)] => edit::facing_yaw_rad(clip, FrameIndex(0), left, right).ok().flatten(),
            _ => None,
        };
        let looks = looks.map_or(DVec3::Z, |yaw_rad| DVec3::new(yaw_rad.sin(), 0.0, yaw_rad.cos()));
        // Shorter ways are a shift of weight.
        let ahead = if way_m.length() > 0.3 { way_m.normalize() } else { looks };
        Self { hips_m, ahead, length_m: way_m.length() }
    }

    /// On the ground under the middle of the way.
    fn middle_m(&self) -> DVec3 {
        (self.hips_m.iter().sum::<DVec3>() / self.hips_m.len() as f64).with_y(0.0)
    }

    /// Rotation and shift that take a frame from the straight line to the circle that touches it at the start: the way
    /// along the line becomes arc length, the distance from the line stays.
    fn bent(&self, frame: usize) -> (DQuat, DVec3) {
        let start_m = self.hips_m[0].with_y(0.0);
        let left = DVec3::Y.cross(self.ahead);
        let along_m = (self.hips_m[frame] - start_m).dot(self.ahead);
        let angle_rad = along_m / BEND_RADIUS_M;
        // Positive about Y takes ahead to left.
        let turn = DQuat::from_rotation_y(angle_rad);
        let on_circle_m = start_m + (self.ahead * angle_rad.sin() + left * (1.0 - angle_rad.cos())) * BEND_RADIUS_M;
        (turn, on_circle_m - turn * (start_m + self.ahead * along_m))
    }
}

/// World′ = rotation · world + shift, frame by frame. Only roots touch the world.
fn moved(clip: &Clip, by: impl Fn(usize) -> (DQuat, DVec3)) -> Result<Clip, EditError> {
    let (skeleton, timeline, frames, mut rotations, mut tracks) = clip.clone().into_parts();
    let roots: Vec<JointId> = skeleton.roots().collect();
    for &root in &roots {
        if !tracks.iter().any(|track| track.joint == root) {
            tracks.push(TranslationTrack { joint: root, positions_m: vec![skeleton.joint(root).offset_m; frames] });
        }
    }
    for frame in 0..frames {
        let (turn, shift_m) = by(frame);
        for &root in &roots {
            let rotation = &mut rotations[frame * skeleton.len() + root.index()];
            *rotation = (turn * *rotation).normalize();
        }
        for track in tracks.iter_mut().filter(|track| roots.contains(&track.joint)) {
            track.positions_m[frame] = turn * track.positions_m[frame] + shift_m;
        }
    }
    Ok(Clip::new(skeleton, timeline, frames, rotations, tracks)?)
}

/// 1 in the middle third, 0 outside, eased over [`LIFT_RAMP_SECS`] inside of it.
fn middle_third(secs: f64, whole_secs: f64) -> f64 {
    let inside_secs = (secs - whole_secs / 3.0).min(2.0 / 3.0 * whole_secs - secs);
    let ramp = (inside_secs / LIFT_RAMP_SECS).clamp(0.0, 1.0);
    ramp * ramp * (3.0 - 2.0 * ramp)
}

fn jittered(clip: &Clip, strength: f64, seed: u64) -> Result<Clip, EditError> {
    let mut chance = Chance::new(seed);
    let mut spoiled = moved(clip, |_| (DQuat::IDENTITY, DVec3::ZERO))?;
    for rotation in spoiled.rotations_mut() {
        let axis = chance.vector().try_normalize().unwrap_or(DVec3::X);
        let angle_rad = chance.normal() * (strength * JITTER_DEG).to_radians();
        *rotation = (*rotation * so3::exp(axis * angle_rad)).normalize();
    }
    let roots: Vec<JointId> = clip.skeleton().roots().collect();
    for root in roots {
        for position_m in spoiled.track_mut(root).into_iter().flatten() {
            *position_m += chance.vector() * (strength * JITTER_M);
        }
    }
    Ok(spoiled)
}

/// Stretches verified flights in time; everything else keeps its frames.
fn warped_flights(clip: &Clip, flights: &[Flight], factor: f64) -> Result<Option<Clip>, EditError> {
    let last = clip.frame_count() - 1;
    let frame_secs = clip.duration_secs() / last.max(1) as f64;
    let frame_at = |secs: f64| ((secs / frame_secs).round().max(0.0) as usize).min(last);
    let verified = flights.iter().filter(|flight| flight.verdict == Verdict::Verified);
    let spans: Vec<Range<usize>> =
        verified.map(|it| frame_at(it.start_secs)..frame_at(it.end_secs)).filter(|span| span.len() > 1).collect();
    if spans.is_empty() {
        return Ok(None);
    }
    // Where, in frames of the clip, each new frame comes from.
    let mut sources: Vec<f64> = Vec::new();
    let mut next = 0;
    for span in spans {
        sources.extend((next..span.start).map(|frame| frame as f64));
        let new_length = (span.len() as f64 * factor).round();
        sources.extend(
            (0..new_length as usize).map(|new| span.start as f64 + new as f64 * span.len() as f64 / new_length),
        );
        next = span.end;
    }
    sources.extend((next..=last).map(|frame| frame as f64));
    let start_secs = clip.time_secs(FrameIndex(0));
    let mut pose = LocalPose::for_skeleton(clip.skeleton());
    let mut rotations = Vec::with_capacity(sources.len() * clip.skeleton().len());
    let mut tracks: Vec<TranslationTrack> =
        clip.tracks().iter().map(|track| TranslationTrack { joint: track.joint, positions_m: Vec::new() }).collect();
    for source in &sources {
        edit::sample_at(clip, start_secs + source * frame_secs, &mut pose);
        rotations.extend_from_slice(&pose.rotations);
        for track in &mut tracks {
            track.positions_m.push(pose.translations_m[track.joint.index()]);
        }
    }
    let (skeleton, timeline) = (clip.skeleton().clone(), clip.timeline().clone());
    Ok(Some(Clip::new(skeleton, timeline, sources.len(), rotations, tracks)?))
}

/// Cuts frames out, so that the body jumps.
fn dropped(clip: &Clip, seed: u64) -> Result<Option<Clip>, EditError> {
    let frame_secs = clip.duration_secs() / clip.frame_count().saturating_sub(1).max(1) as f64;
    let gone = (DROP_SECS / frame_secs).round().max(1.0) as usize;
    let mut chance = Chance::new(seed);
    let mut kept: Vec<usize> = Vec::with_capacity(clip.frame_count());
    let mut frame = 0;
    // From half to one and a half times the mean.
    let mut next_cut = |from: usize| from + (DROP_EVERY_SECS * (0.5 + chance.uniform()) / frame_secs).round() as usize;
    let mut cut = next_cut(0);
    while frame < clip.frame_count() {
        if frame == cut && frame + gone < clip.frame_count() {
            frame += gone;
            cut = next_cut(frame);
            continue;
        }
        kept.push(frame);
        frame += 1;
    }
    if kept.len() == clip.frame_count() {
        return Ok(None);
    }
    let rotations = kept.iter().flat_map(|&frame| clip.rotations_at(FrameIndex(frame)).iter().copied()).collect();
    let tracks = clip.tracks().iter().map(|track| TranslationTrack {
        joint: track.joint,
        positions_m: kept.iter().map(|&frame| track.positions_m[frame]).collect(),
    });
    let (skeleton, timeline) = (clip.skeleton().clone(), clip.timeline().clone());
    Ok(Some(Clip::new(skeleton, timeline, kept.len(), rotations, tracks.collect())?))
}

/// A small generator of chance: the same seed gives the same clip on every machine (SplitMix64, Steele, Lea & Flood
/// 2014).
pub(super) struct Chance {
    state: u64,
}

impl Chance {
    pub(super) fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// In [0, 1).
    fn uniform(&mut self) -> f64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Mean 0, deviation 1 (Box & Muller 1958).
    fn normal(&mut self) -> f64 {
        let radius = (-2.0 * (1.0 - self.uniform()).ln()).sqrt();
        radius * (std::f64::consts::TAU * self.uniform()).cos()
    }

    pub(super) fn vector(&mut self) -> DVec3 {
        DVec3::new(self.normal(), self.normal(), self.normal())
    }
}

#[cfg(test)]
mod tests;
