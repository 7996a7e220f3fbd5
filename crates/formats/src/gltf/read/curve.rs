//! Keys over time and what lies between them (glTF 2.0, appendix C).

use super::accessor::{Buffers, Values};
use super::document::{Animation, Interpolation, Root, Sampler};
use super::tree::unit;
use crate::diagnostic::Diagnostic;
use glam::{DQuat, DVec3};
use std::collections::HashMap;
use std::rc::Rc;

/// One animated quantity of one node.
pub(super) struct Curve<'a> {
    pub times_secs: Rc<[f64]>,
    values: Keys<'a>,
    interpolation: Interpolation,
}

/// Where the values of keys stand.
enum Keys<'a> {
    /// In a buffer of the file.
    Stored(Values<'a>),
    /// Here, one after the other.
    #[cfg(feature = "fbx")]
    Own(Vec<f64>),
}

impl Keys<'_> {
    /// `None` past the end.
    fn get<const N: usize>(&self, index: usize) -> Option<[f64; N]> {
        match self {
            Self::Stored(values) => values.get(index),
            #[cfg(feature = "fbx")]
            Self::Own(numbers) => numbers.get(N * index..)?.first_chunk().copied(),
        }
    }
}

/// A place on a curve: on a key, or a share of the way from a key to the next.
#[derive(Clone, Copy)]
enum Spot {
    Key(usize),
    Between(usize, f64),
}

/// Key times by the accessor that holds them: all channels of a file may share one list.
#[derive(Default)]
pub(super) struct KeyTimes {
    read: HashMap<usize, Rc<[f64]>>,
}

impl KeyTimes {
    fn get(&mut self, root: &Root, buffers: &Buffers<'_>, index: usize) -> Result<Rc<[f64]>, Box<Diagnostic>> {
        if let Some(times) = self.read.get(&index) {
            return Ok(Rc::clone(times));
        }
        let fault =
            |found: String| Box::new(Diagnostic::error("GLB-E017", "key times that are finite and rise", found));
        let values = Values::open(root, buffers, index)?;
        if values.width != 1 || !values.is_float() {
            return Err(fault(format!("accessor {index}, which holds no times")));
        }
        let mut times: Vec<f64> = Vec::new();
        for key in 0..values.count {
            let time_secs = values.get::<1>(key).map_or(f64::NAN, |[time]| time);
            if !time_secs.is_finite() || times.last().is_some_and(|&last| time_secs <= last) {
                return Err(fault(format!("{time_secs} s at key {key} of accessor {index}")));
            }
            times.push(time_secs);
        }
        if times.is_empty() {
            return Err(fault(format!("accessor {index} without any")));
        }
        let times: Rc<[f64]> = times.into();
        self.read.insert(index, Rc::clone(&times));
        Ok(times)
    }
}

impl<'a> Curve<'a> {
    /// The sampler of a channel whose values have `width` numbers.
    pub fn open(
        root: &Root,
        buffers: &'a Buffers<'_>,
        animation: &Animation,
        sampler: usize,
        width: usize,
        times: &mut KeyTimes,
    ) -> Result<Self, Box<Diagnostic>> {
        let sampler: &Sampler = animation.samplers.get(sampler).ok_or_else(|| {
            let found = format!("sampler {sampler} of {}", animation.samplers.len());
            Box::new(Diagnostic::error("GLB-E016", "a channel whose sampler is there", found))
        })?;
        let times_secs = times.get(root, buffers, sampler.input)?;
        let values = Values::open(root, buffers, sampler.output)?;
        let each = if sampler.interpolation == Interpolation::CubicSpline { 3 } else { 1 };
        if values.width != width || Some(values.count) != times_secs.len().checked_mul(each) {
            let expected =
                format!("{} values of {width} numbers for {} keys", times_secs.len() * each, times_secs.len());
            let found = format!("{} of {} in accessor {}", values.count, values.width, sampler.output);
            return Err(Box::new(Diagnostic::error("GLB-E018", expected, found)));
        }
        Ok(Self { times_secs, values: Keys::Stored(values), interpolation: sampler.interpolation })
    }

    /// Keys that another reader (FBX) made, with straight lines between them. Times must rise; `None` without a key.
    #[cfg(feature = "fbx")]
    pub fn own<const N: usize>(keys: impl Iterator<Item = (f64, [f64; N])>) -> Option<Self> {
        let (times, numbers): (Vec<f64>, Vec<[f64; N]>) = keys.unzip();
        let values = Keys::Own(numbers.into_flattened());
        (!times.is_empty()).then(|| Self { times_secs: times.into(), values, interpolation: Interpolation::Linear })
    }

    pub fn first_secs(&self) -> f64 {
        self.times_secs.first().copied().unwrap_or(0.0)
    }

    pub fn last_secs(&self) -> f64 {
        self.times_secs.last().copied().unwrap_or(0.0)
    }

    /// Before the first key and after the last the value stays. A key within `snap_secs` is met exactly: times are
    /// rounded to single precision, and what was written frame by frame must come back frame by frame. `hint` is the
    /// key found last.
    fn spot(&self, time_secs: f64, snap_secs: f64, hint: &mut usize) -> Spot {
        let times = &self.times_secs;
        let mut key = (*hint).min(times.len() - 1);
        if times[key] > time_secs {
            key = times.partition_point(|&time| time <= time_secs).saturating_sub(1);
        }
        while times.get(key + 1).is_some_and(|&next| next <= time_secs) {
            key += 1;
        }
        *hint = key;
        let Some(&next) = times.get(key + 1) else { return Spot::Key(key) };
        if time_secs - times[key] <= snap_secs {
            return Spot::Key(key);
        }
        if next - time_secs <= snap_secs {
            return Spot::Key(key + 1);
        }
        match self.interpolation {
            Interpolation::Step => Spot::Key(key),
            _ => Spot::Between(key, (time_secs - times[key]) / (next - times[key])),
        }
    }

    /// The value of a key; a spline keeps its tangents on both sides of it.
    fn value<const N: usize>(&self, key: usize) -> Option<[f64; N]> {
        match self.interpolation {
            Interpolation::CubicSpline => self.values.get(3 * key + 1),
            _ => self.values.get(key),
        }
    }

    fn numbers<const N: usize>(
        &self,
        spot: Spot,
        blend: impl Fn([f64; N], [f64; N], f64) -> [f64; N],
    ) -> Option<[f64; N]> {
        let (key, share) = match spot {
            Spot::Key(key) => return self.value(key),
            Spot::Between(key, share) => (key, share),
        };
        let (from, to): ([f64; N], [f64; N]) = (self.value(key)?, self.value(key + 1)?);
        if self.interpolation != Interpolation::CubicSpline {
            return Some(blend(from, to, share));
        }
        // Appendix C.5: Hermite's cubic, tangents in value a second.
        let span_secs = self.times_secs[key + 1] - self.times_secs[key];
        let (out, into): ([f64; N], [f64; N]) = (self.values.get(3 * key + 2)?, self.values.get(3 * key + 3)?);
        let (u, uu, uuu) = (share, share * share, share * share * share);
        let mut result = [0.0; N];
        for (axis, slot) in result.iter_mut().enumerate() {
            *slot = (2.0 * uuu - 3.0 * uu + 1.0) * from[axis]
                + span_secs * (uuu - 2.0 * uu + u) * out[axis]
                + (3.0 * uu - 2.0 * uuu) * to[axis]
                + span_secs * (uuu - uu) * into[axis];
        }
        Some(result)
    }

    /// `None` for a value that is not finite.
    pub fn vector(&self, time_secs: f64, snap_secs: f64, hint: &mut usize) -> Option<DVec3> {
        let spot = self.spot(time_secs, snap_secs, hint);
        let linear = |a: [f64; 3], b: [f64; 3], share: f64| DVec3::from(a).lerp(DVec3::from(b), share).to_array();
        self.numbers(spot, linear).map(DVec3::from).filter(|vector| vector.is_finite())
    }

    /// `None` for a value that says no direction.
    pub fn rotation(&self, time_secs: f64, snap_secs: f64, hint: &mut usize) -> Option<DQuat> {
        let spot = self.spot(time_secs, snap_secs, hint);
        let shortest =
            |a: [f64; 4], b: [f64; 4], share: f64| match unit(DQuat::from_array(a)).zip(unit(DQuat::from_array(b))) {
                Some((a, b)) => a.slerp(b, share).to_array(),
                None => [f64::NAN; 4],
            };
        self.numbers(spot, shortest).map(DQuat::from_array).and_then(unit)
    }
}
