//! The one first and second derivative that every feature uses, for positions and for orientations, even or uneven
//! samples.
//!
//! Both come from the slopes sᵢ between neighbours (hᵢ the time between samples i and i+1):
//!
//! - inside, the derivatives of the parabola through three samples (Lagrange), for even times the central differences:
//!   x′ᵢ = (sᵢ₋₁ hᵢ + sᵢ hᵢ₋₁)/(hᵢ₋₁ + hᵢ),  x″ᵢ = 2(sᵢ − sᵢ₋₁)/(hᵢ₋₁ + hᵢ);
//! - at the ends, the derivatives of the parabola through the outermost three samples: x′₀ = s₀ − h₀ (s₁ − s₀)/(h₀ +
//!   h₁), which is of second order as inside, and x″₀ = x″₁, the neighbour's value.
//!
//! Why the ends' acceleration is a copy: a body in flight has ÿ = −g in every frame. Point-reflected ends would give 0
//! there and switch gravity off for a frame, which force-based contact detection reads as one body weight of ground
//! force; the four-point second-order formula (2, −5, 4, −1) is exact for cubics but has 2.8 times the noise of (1, −2,
//! 1), in just the frame that least can be said about. The copy is exact for parabolas, and no noisier than its
//! neighbour.
//!
//! For orientations the slope is the world rotation vector from one sample to the next over the time between, log(qᵢ₊₁
//! qᵢ⁻¹)/hᵢ: the mean angular velocity of the interval. Rates up to half a turn per sample are told right (a log over
//! two samples, the usual central difference, only half of that), a constant rate is exact everywhere, and the order is
//! that of the linear case.
//!
//! One sample has zero derivatives; two have the slope between them and no acceleration; none give none.

use super::{Linear, SampleTimes};
use crate::so3;
use glam::{DQuat, DVec3};

/// First derivative of each sample; see the module for ends and short clips.
///
/// # Panics
/// If there are key times and not one per sample.
pub fn first<T: Linear>(values: &[T], times: SampleTimes<'_>) -> Vec<T> {
    let mut output = vec![T::ZERO; values.len()];
    first_into(values, times, &mut output);
    output
}

/// [`first`] without allocation.
///
/// # Panics
/// If there is not one output (and one key time, if there are any) per sample.
pub fn first_into<T: Linear>(values: &[T], times: SampleTimes<'_>, output: &mut [T]) {
    assert_lengths(values.len(), times, output.len());
    first_from_slopes(times, |i| slope(values, times, i), output);
}

/// Second derivative of each sample; see the module for ends and short clips.
///
/// # Panics
/// If there are key times and not one per sample.
pub fn second<T: Linear>(values: &[T], times: SampleTimes<'_>) -> Vec<T> {
    let mut output = vec![T::ZERO; values.len()];
    second_into(values, times, &mut output);
    output
}

/// [`second`] without allocation.
///
/// # Panics
/// If there is not one output (and one key time, if there are any) per sample.
pub fn second_into<T: Linear>(values: &[T], times: SampleTimes<'_>, output: &mut [T]) {
    assert_lengths(values.len(), times, output.len());
    second_from_slopes(times, |i| slope(values, times, i), output);
}

/// Angular velocity in rad/s of each orientation `world_from_body`, in world axes. Signs of the quaternions do not
/// matter.
///
/// # Panics
/// If there are key times and not one per sample.
pub fn angular_velocity_in_world(world_from_body: &[DQuat], times: SampleTimes<'_>) -> Vec<DVec3> {
    let mut output = vec![DVec3::ZERO; world_from_body.len()];
    angular_velocity_in_world_into(world_from_body, times, &mut output);
    output
}

/// [`angular_velocity_in_world`] without allocation.
///
/// # Panics
/// If there is not one output (and one key time, if there are any) per sample.
pub fn angular_velocity_in_world_into(world_from_body: &[DQuat], times: SampleTimes<'_>, output: &mut [DVec3]) {
    assert_lengths(world_from_body.len(), times, output.len());
    first_from_slopes(times, |i| turn_rate_in_world(world_from_body, times, i), output);
}

/// Angular velocity in rad/s of each orientation `world_from_body`, in the body's own axes: that in the world, turned
/// into them.
///
/// # Panics
/// If there are key times and not one per sample.
pub fn angular_velocity_in_body(world_from_body: &[DQuat], times: SampleTimes<'_>) -> Vec<DVec3> {
    let mut output = vec![DVec3::ZERO; world_from_body.len()];
    angular_velocity_in_body_into(world_from_body, times, &mut output);
    output
}

/// [`angular_velocity_in_body`] without allocation.
///
/// # Panics
/// If there is not one output (and one key time, if there are any) per sample.
pub fn angular_velocity_in_body_into(world_from_body: &[DQuat], times: SampleTimes<'_>, output: &mut [DVec3]) {
    angular_velocity_in_world_into(world_from_body, times, output);
    turn_into_body(world_from_body, output);
}

/// Angular acceleration in rad/s² of each orientation `world_from_body`, in world axes.
///
/// # Panics
/// If there are key times and not one per sample.
pub fn angular_acceleration_in_world(world_from_body: &[DQuat], times: SampleTimes<'_>) -> Vec<DVec3> {
    let mut output = vec![DVec3::ZERO; world_from_body.len()];
    angular_acceleration_in_world_into(world_from_body, times, &mut output);
    output
}

/// [`angular_acceleration_in_world`] without allocation.
///
/// # Panics
/// If there is not one output (and one key time, if there are any) per sample.
pub fn angular_acceleration_in_world_into(world_from_body: &[DQuat], times: SampleTimes<'_>, output: &mut [DVec3]) {
    assert_lengths(world_from_body.len(), times, output.len());
    second_from_slopes(times, |i| turn_rate_in_world(world_from_body, times, i), output);
}

/// Angular acceleration in rad/s² of each orientation `world_from_body`, in the body's own axes. It is both the turned
/// world vector and the derivative of the body's angular velocity components, since ω × ω = 0.
///
/// # Panics
/// If there are key times and not one per sample.
pub fn angular_acceleration_in_body(world_from_body: &[DQuat], times: SampleTimes<'_>) -> Vec<DVec3> {
    let mut output = vec![DVec3::ZERO; world_from_body.len()];
    angular_acceleration_in_body_into(world_from_body, times, &mut output);
    output
}

/// [`angular_acceleration_in_body`] without allocation.
///
/// # Panics
/// If there is not one output (and one key time, if there are any) per sample.
pub fn angular_acceleration_in_body_into(world_from_body: &[DQuat], times: SampleTimes<'_>, output: &mut [DVec3]) {
    angular_acceleration_in_world_into(world_from_body, times, output);
    turn_into_body(world_from_body, output);
}

/// [`angular_velocity_in_world_into`] and [`angular_acceleration_in_world_into`] at once, to the same bits: the
/// logarithms, which are most of the work, are taken once.
///
/// # Panics
/// If there is not one output of each (and one key time, if there are any) per sample.
pub fn angular_rates_in_world_into(
    world_from_body: &[DQuat],
    times: SampleTimes<'_>,
    velocity: &mut [DVec3],
    acceleration: &mut [DVec3],
) {
    assert_lengths(world_from_body.len(), times, velocity.len());
    assert_lengths(world_from_body.len(), times, acceleration.len());
    let slopes = acceleration;
    for (interval, slope) in slopes.iter_mut().enumerate().take(world_from_body.len().saturating_sub(1)) {
        *slope = turn_rate_in_world(world_from_body, times, interval);
    }
    first_from_slopes(times, |interval| slopes[interval], velocity);
    if slopes.len() < 3 {
        return slopes.fill(DVec3::ZERO);
    }
    // In place: the slope before is kept, the slope after is still there when it is needed.
    let last = slopes.len() - 1;
    let mut before = Interval { secs: times.step_secs(0), slope: slopes[0] };
    for (index, value) in slopes.iter_mut().enumerate().take(last).skip(1) {
        let after = Interval { secs: times.step_secs(index), slope: *value };
        *value = (after.slope - before.slope) * (2.0 / (before.secs + after.secs));
        before = after;
    }
    slopes[0] = slopes[1];
    slopes[last] = slopes[last - 1];
}

fn assert_lengths(sample_count: usize, times: SampleTimes<'_>, output_count: usize) {
    assert_eq!(sample_count, output_count, "one output per sample");
    times.assert_fits(sample_count);
}

fn slope<T: Linear>(values: &[T], times: SampleTimes<'_>, interval: usize) -> T {
    (values[interval + 1] - values[interval]) * times.step_secs(interval).recip()
}

fn turn_rate_in_world(world_from_body: &[DQuat], times: SampleTimes<'_>, interval: usize) -> DVec3 {
    let turn = world_from_body[interval + 1] * world_from_body[interval].conjugate();
    so3::log(turn) / times.step_secs(interval)
}

fn turn_into_body(world_from_body: &[DQuat], vectors: &mut [DVec3]) {
    for (vector, orientation) in vectors.iter_mut().zip(world_from_body) {
        *vector = orientation.conjugate() * *vector;
    }
}

/// First derivatives from the slopes of the `output.len() - 1` intervals.
fn first_from_slopes<T: Linear>(times: SampleTimes<'_>, slope: impl Fn(usize) -> T, output: &mut [T]) {
    let last = match output.len() {
        0 => return,
        1 => return output[0] = T::ZERO,
        2 => return output.fill(slope(0)),
        sample_count => sample_count - 1,
    };
    let mut before = Interval { secs: times.step_secs(0), slope: slope(0) };
    for index in 1..last {
        let after = Interval { secs: times.step_secs(index), slope: slope(index) };
        let bend = (after.slope - before.slope) * (before.secs + after.secs).recip();
        if index == 1 {
            output[0] = before.slope - bend * before.secs;
        }
        // sᵢ₋₁ + (sᵢ − sᵢ₋₁) hᵢ₋₁/(hᵢ₋₁ + hᵢ): the same as the symmetric form, and a constant rate stays the same to
        // the last bit.
        output[index] = before.slope + bend * before.secs;
        if index + 1 == last {
            output[last] = after.slope + bend * after.secs;
        }
        before = after;
    }
}

/// Second derivatives from the slopes of the `output.len() - 1` intervals.
fn second_from_slopes<T: Linear>(times: SampleTimes<'_>, slope: impl Fn(usize) -> T, output: &mut [T]) {
    if output.len() < 3 {
        return output.fill(T::ZERO);
    }
    let last = output.len() - 1;
    let mut before = Interval { secs: times.step_secs(0), slope: slope(0) };
    for (index, second) in output.iter_mut().enumerate().take(last).skip(1) {
        let after = Interval { secs: times.step_secs(index), slope: slope(index) };
        *second = (after.slope - before.slope) * (2.0 / (before.secs + after.secs));
        before = after;
    }
    output[0] = output[1];
    output[last] = output[last - 1];
}

struct Interval<T> {
    secs: f64,
    slope: T,
}

#[cfg(test)]
mod tests;
