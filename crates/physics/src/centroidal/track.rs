//! A whole clip: what the centre of mass and the momenta do over time.
//!
//! What is differentiated are the paths of the links' centres of mass and the links' orientations, in the world, with
//! the project's one derivative ([`aplomb_motion::signal::derivative`]), after the caller's smoothing. Why these and
//! not joint angles: it is what touch-up moves and smooths (Shin 2003); bones may stretch or slide (translation
//! tracks); the rate of linear momentum then is exactly the second difference of the centre of mass, so that a parabola
//! shows gravity to the last digit; and an error in one joint does not grow along the chain through products of
//! velocities.
//!
//! Frames are handled in blocks of a fixed size with as many neighbours as smoothing reaches, so the result is the same
//! to the last bit however many threads there are.

use super::{Centroidal, LinkState, MassModel, Sums};
use crate::body::Body;
use crate::error::PhysicsError;
use crate::spatial::SpatialForce;
use aplomb_motion::signal::SampleTimes;
use aplomb_motion::signal::gaussian::{self, Gaussian};
use aplomb_motion::signal::orientation::{self, OrientationFilter, OrientationWorkspace};
use aplomb_motion::signal::{SignalError, derivative};
use aplomb_motion::{Clip, FrameIndex, Timeline, WorldPose};
use glam::{DQuat, DVec3};
use rayon::prelude::*;
use std::ops::Range;

/// How a clip is looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CentroidalOptions {
    /// Rigid links, or points.
    pub model: MassModel,
    /// Smoothing time w of the links' paths and orientations (a Gaussian with σ = w/4); 0 leaves them alone.
    pub smoothing_secs: f64,
}

/// Centre of mass, momenta and rates, one of each a frame.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CentroidalTrack {
    /// kg.
    pub total_mass_kg: f64,
    /// Centre of mass, m.
    pub com_in_world_m: Vec<DVec3>,
    /// Linear and angular momentum about the centre of mass.
    pub momentum: Vec<SpatialForce>,
    /// Their rates: sum of all external forces and of their moments about the centre of mass.
    pub momentum_rate: Vec<SpatialForce>,
}

impl CentroidalTrack {
    /// Number of frames.
    pub fn len(&self) -> usize {
        self.com_in_world_m.len()
    }

    /// Whether the clip had no frames.
    pub fn is_empty(&self) -> bool {
        self.com_in_world_m.is_empty()
    }

    /// One frame.
    pub fn at(&self, frame: FrameIndex) -> Centroidal {
        Centroidal {
            com_in_world_m: self.com_in_world_m[frame.0],
            momentum: self.momentum[frame.0],
            momentum_rate: self.momentum_rate[frame.0],
        }
    }

    /// Velocity of the centre of mass, m/s.
    pub fn com_velocity(&self, frame: FrameIndex) -> DVec3 {
        self.momentum[frame.0].linear / self.total_mass_kg
    }

    /// Acceleration of the centre of mass, m/s².
    pub fn com_acceleration(&self, frame: FrameIndex) -> DVec3 {
        self.momentum_rate[frame.0].linear / self.total_mass_kg
    }
}

/// Where every link's centre of mass is and how it is turned, frame by frame (`frames × links`).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LinkPaths {
    /// Number of links.
    pub links: usize,
    /// m, frame-major.
    pub com_in_world_m: Vec<DVec3>,
    /// Orientation of the link's joint, frame-major.
    pub world_from_joint: Vec<DQuat>,
}

/// Frames in a block: enough to make the neighbours' share small, few enough to stay in the cache.
const BLOCK_FRAMES: usize = 256;

impl LinkPaths {
    /// Poses every frame of a clip.
    pub fn of_clip(clip: &Clip, body: &Body) -> Result<Self, PhysicsError> {
        body.check_skeleton(clip.skeleton())?;
        let links = body.links().len();
        let mut com_in_world_m = vec![DVec3::ZERO; links * clip.frame_count()];
        let mut world_from_joint = vec![DQuat::IDENTITY; links * clip.frame_count()];
        com_in_world_m
            .par_chunks_mut(links * BLOCK_FRAMES)
            .zip(world_from_joint.par_chunks_mut(links * BLOCK_FRAMES))
            .enumerate()
            .for_each_init(WorldPose::default, |pose, (block, (coms_m, rotations))| {
                let rows = coms_m.chunks_exact_mut(links).zip(rotations.chunks_exact_mut(links));
                for (row, (coms_m, rotations)) in rows.enumerate() {
                    pose.pose(clip, FrameIndex(block * BLOCK_FRAMES + row));
                    for ((link, com_m), rotation) in body.links().iter().zip(coms_m).zip(rotations) {
                        *com_m = pose.point_in_world_m(link.joint, link.inertia.com_m);
                        *rotation = pose.world_from_joint[link.joint.index()];
                    }
                }
            });
        Ok(Self { links, com_in_world_m, world_from_joint })
    }

    /// Number of frames.
    pub fn frames(&self) -> usize {
        self.com_in_world_m.len().checked_div(self.links).unwrap_or(0)
    }

    /// Some of the frames.
    ///
    /// # Panics
    /// If there are not so many.
    pub fn part(&self, frames: Range<usize>) -> Self {
        let rows = frames.start * self.links..frames.end * self.links;
        Self {
            links: self.links,
            com_in_world_m: self.com_in_world_m[rows.clone()].to_vec(),
            world_from_joint: self.world_from_joint[rows].to_vec(),
        }
    }

    fn check(&self, body: &Body, timeline: &Timeline) -> Result<(), PhysicsError> {
        let rows = self.frames() * self.links;
        let times = match timeline {
            Timeline::Uniform(_) => self.frames(),
            Timeline::Keyed(times_secs) => times_secs.len(),
        };
        let fits = self.links == body.links().len() && self.com_in_world_m.len() == rows;
        if fits && self.world_from_joint.len() == rows && times == self.frames() {
            return Ok(());
        }
        let (links, frames) = (self.links, self.frames());
        let detail = format!(
            "paths of {links} links over {frames} frames do not fit a body of {} links and {times} times",
            body.links().len()
        );
        Err(PhysicsError::OtherSkeleton { detail })
    }
}

/// Centre of mass, momenta and rates of a clip. One frame has no velocity and two have no acceleration; those are zero.
pub fn centroidal_track(
    clip: &Clip,
    body: &Body,
    options: &CentroidalOptions,
) -> Result<CentroidalTrack, PhysicsError> {
    centroidal_track_of_paths(&LinkPaths::of_clip(clip, body)?, body, clip.timeline(), options)
}

/// [`centroidal_track`] of paths that were made before, at the times of `timeline`: of a part of a clip, or by another
/// clock.
pub fn centroidal_track_of_paths(
    paths: &LinkPaths,
    body: &Body,
    timeline: &Timeline,
    options: &CentroidalOptions,
) -> Result<CentroidalTrack, PhysicsError> {
    paths.check(body, timeline)?;
    track_of_paths(paths, body, timeline, options, BLOCK_FRAMES)
}

fn track_of_paths(
    paths: &LinkPaths,
    body: &Body,
    timeline: &Timeline,
    options: &CentroidalOptions,
    block_frames: usize,
) -> Result<CentroidalTrack, PhysicsError> {
    let frames = paths.frames();
    let smoother = Smoother::new(timeline, options.smoothing_secs)?;
    let block_frames = if smoother.needs_all_frames() { frames.max(1) } else { block_frames };
    let mut whole = vec![Centroidal::default(); frames];
    whole.par_chunks_mut(block_frames).enumerate().try_for_each_init(
        Scratch::default,
        |scratch, (block, output)| {
            let from = block * block_frames;
            let block = Block::around(from..from + output.len(), smoother.reach_frames(), frames);
            let times = match timeline {
                Timeline::Uniform(frame_time) => SampleTimes::uniform(frame_time.secs())?,
                Timeline::Keyed(times_secs) => SampleTimes::keyed(&times_secs[block.with_neighbours.clone()])?,
            };
            scratch.evaluate(paths, body, &smoother, options.model, &block, times, output)
        },
    )?;
    Ok(CentroidalTrack {
        total_mass_kg: body.total_mass_kg(),
        com_in_world_m: whole.iter().map(|frame| frame.com_in_world_m).collect(),
        momentum: whole.iter().map(|frame| frame.momentum).collect(),
        momentum_rate: whole.iter().map(|frame| frame.momentum_rate).collect(),
    })
}

/// A run of frames and the frames around it that its values depend on.
struct Block {
    frames: Range<usize>,
    with_neighbours: Range<usize>,
}

impl Block {
    fn around(frames: Range<usize>, reach: usize, frame_count: usize) -> Self {
        // One neighbour for the derivatives, and one more: a clip's last frame takes its parabola from the last three.
        let halo = reach + 2;
        let with_neighbours = frames.start.saturating_sub(halo)..(frames.end + halo).min(frame_count);
        Self { frames, with_neighbours }
    }

    fn offset(&self) -> usize {
        self.frames.start - self.with_neighbours.start
    }
}

/// The caller's smoothing, for even or uneven times.
enum Smoother {
    None,
    Even { gaussian: Gaussian, filter: OrientationFilter },
    Uneven { sigma_secs: f64 },
}

impl Smoother {
    fn new(timeline: &Timeline, window_secs: f64) -> Result<Self, SignalError> {
        match (window_secs == 0.0, timeline) {
            (true, _) => Ok(Self::None),
            (false, Timeline::Uniform(frame_time)) => {
                let gaussian = Gaussian::from_window_secs(window_secs, frame_time.secs())?;
                let filter = OrientationFilter::from_gaussian(&gaussian);
                Ok(Self::Even { gaussian, filter })
            }
            (false, Timeline::Keyed(_)) if window_secs.is_finite() && window_secs > 0.0 => {
                Ok(Self::Uneven { sigma_secs: window_secs / 4.0 })
            }
            (false, Timeline::Keyed(_)) => Err(SignalError::SmoothingTime { found_secs: window_secs }),
        }
    }

    fn reach_frames(&self) -> usize {
        match self {
            Self::None | Self::Uneven { .. } => 0,
            Self::Even { gaussian, .. } => gaussian.radius_samples(),
        }
    }

    /// Regression over uneven times looks as far as its weights go, which no fixed number of frames bounds.
    fn needs_all_frames(&self) -> bool {
        matches!(self, Self::Uneven { .. })
    }
}

/// Buffers for one link over one block.
#[derive(Default)]
struct Scratch {
    raw_m: Vec<DVec3>,
    com_m: Vec<DVec3>,
    velocity: Vec<DVec3>,
    acceleration: Vec<DVec3>,
    raw_rotations: Vec<DQuat>,
    rotations: Vec<DQuat>,
    angular_velocity: Vec<DVec3>,
    angular_acceleration: Vec<DVec3>,
    orientation: OrientationWorkspace,
    sums: Vec<Sums>,
}

impl Scratch {
    #[allow(clippy::too_many_arguments, reason = "the loop body of one function, kept apart for its buffers")]
    fn evaluate(
        &mut self,
        paths: &LinkPaths,
        body: &Body,
        smoother: &Smoother,
        model: MassModel,
        block: &Block,
        times: SampleTimes<'_>,
        output: &mut [Centroidal],
    ) -> Result<(), SignalError> {
        let links = paths.links;
        self.sums.clear();
        self.sums.extend(block.frames.clone().map(|frame| Sums::about(paths.com_in_world_m[frame * links])));
        for (link, body_link) in body.links().iter().enumerate() {
            let column = block.with_neighbours.clone().map(|frame| frame * links + link);
            self.raw_m.clear();
            self.raw_m.extend(column.clone().map(|index| paths.com_in_world_m[index]));
            self.raw_rotations.clear();
            if model == MassModel::Rigid {
                self.raw_rotations.extend(column.map(|index| paths.world_from_joint[index]));
            }
            self.differentiate(smoother, times)?;
            for (row, sums) in self.sums.iter_mut().enumerate() {
                let at = block.offset() + row;
                let spins = model == MassModel::Rigid;
                let state = LinkState {
                    com_in_world_m: self.com_m[at],
                    velocity: self.velocity[at],
                    acceleration: self.acceleration[at],
                    world_from_link: if spins { self.rotations[at] } else { DQuat::IDENTITY },
                    angular_velocity: if spins { self.angular_velocity[at] } else { DVec3::ZERO },
                    angular_acceleration: if spins { self.angular_acceleration[at] } else { DVec3::ZERO },
                };
                sums.add(&body_link.inertia, &state, model);
            }
        }
        for (frame, sums) in output.iter_mut().zip(&self.sums) {
            *frame = sums.finish();
        }
        Ok(())
    }

    /// Smooths the raw columns and fills the derivatives.
    fn differentiate(&mut self, smoother: &Smoother, times: SampleTimes<'_>) -> Result<(), SignalError> {
        for buffer in [&mut self.com_m, &mut self.velocity, &mut self.acceleration] {
            buffer.resize(self.raw_m.len(), DVec3::ZERO);
        }
        for buffer in [&mut self.angular_velocity, &mut self.angular_acceleration] {
            buffer.resize(self.raw_rotations.len(), DVec3::ZERO);
        }
        self.rotations.resize(self.raw_rotations.len(), DQuat::IDENTITY);
        match smoother {
            Smoother::None => {
                self.com_m.copy_from_slice(&self.raw_m);
                self.rotations.copy_from_slice(&self.raw_rotations);
            }
            Smoother::Even { gaussian, filter } => {
                gaussian.smooth_into(&self.raw_m, &mut self.com_m);
                filter.apply_into(&self.raw_rotations, &mut self.orientation, &mut self.rotations);
            }
            // One block of the whole clip. Point masses have no orientations to smooth, and no times would fit none.
            Smoother::Uneven { sigma_secs } => {
                gaussian::smooth_at_times_into(*sigma_secs, times, &self.raw_m, &mut self.com_m)?;
                if !self.raw_rotations.is_empty() {
                    let (input, output) = (&self.raw_rotations, &mut self.rotations);
                    orientation::smooth_at_times_into(*sigma_secs, times, input, &mut self.orientation, output)?;
                }
            }
        }
        derivative::first_into(&self.com_m, times, &mut self.velocity);
        derivative::second_into(&self.com_m, times, &mut self.acceleration);
        if !self.rotations.is_empty() {
            let (velocity, acceleration) = (&mut self.angular_velocity, &mut self.angular_acceleration);
            derivative::angular_rates_in_world_into(&self.rotations, times, velocity, acceleration);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
