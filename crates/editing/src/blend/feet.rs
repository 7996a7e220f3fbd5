//! Feet of a blend: whether they stay where they stand (section 5.1).

use super::compared::Compared;
use super::guarantees::FeetGuarantee;
use super::phases::PhaseKind;
use super::source::BlendSource;
use aplomb_analysis::contacts::Part;
use glam::DVec3;

impl Compared<'_> {
    pub fn feet(&self) -> FeetGuarantee {
        let mut feet = FeetGuarantee { drift_excess_m: f64::NEG_INFINITY, ..FeetGuarantee::default() };
        for foot in 0..self.space.figure.legs.len() {
            let mut stance: Vec<Vec<DVec3>> = Vec::new();
            for frame in 0..self.written.frames() {
                match self.standing(foot, frame) {
                    Some(row) => {
                        feet.off_track_m = feet.off_track_m.max(row[0].distance(row[1]));
                        stance.push(row);
                    }
                    None => feet.end_stance(&mut stance),
                }
            }
            feet.end_stance(&mut stance);
        }
        if feet.drift_excess_m == f64::NEG_INFINITY {
            feet.drift_excess_m = 0.0;
        }
        let balls = |source: &BlendSource, frame: usize| {
            source.feet.iter().map(|foot| foot.ball_m[frame].y).fold(f64::INFINITY, f64::min)
        };
        let joints = |source: &BlendSource, frame: usize| source.lowest_joint_m[frame];
        feet.lowest_m = self.over_the_clips_m(balls);
        feet.lowest_joint_m = self.over_the_clips_m(joints);
        feet
    }

    /// The lowest of something in the blend, over the lowest of it in any clip, m.
    fn over_the_clips_m(&self, height_m: impl Fn(&BlendSource, usize) -> f64) -> f64 {
        let lowest = |source: &BlendSource, from_secs: f64, to_secs: f64| {
            let frames = source.position(from_secs).floor().max(0.0) as usize..source.frames();
            let last = source.position(to_secs).ceil() as usize;
            let heights = frames.take_while(|frame| *frame <= last);
            heights.map(|frame| height_m(source, frame)).fold(f64::INFINITY, f64::min)
        };
        let inputs = self.counted().map(|(clip, source, _)| {
            let keys = &self.space.matched.keys_secs[clip];
            lowest(source, keys[0], keys[keys.len() - 1])
        });
        let own_m = lowest(&self.written, 0.0, f64::MAX);
        if own_m.is_finite() { own_m - inputs.fold(f64::INFINITY, f64::min) } else { 0.0 }
    }

    /// Where a ball is, where it should be, and where it is in each clip, if it stands in all of them.
    fn standing(&self, foot: usize, frame: usize) -> Option<Vec<DVec3>> {
        let instant = self.blend.timing.at(self.secs_of(frame));
        if self.space.matched.kinds[instant.phase] != PhaseKind::Contact {
            return None;
        }
        let mut row = vec![self.written.feet[foot].ball_m[frame], DVec3::ZERO];
        for (clip, source, weight) in self.counted() {
            let secs = instant.times_secs[clip];
            if !self.is_pinned(source, foot, secs) {
                return None;
            }
            let ball_m = source.at(secs).sum(|frame| source.feet[foot].ball_m[frame]);
            row[1] += self.blend.placing.moves[instant.phase][clip].point_m(ball_m) * weight;
            row.push(ball_m);
        }
        Some(row)
    }

    fn is_pinned(&self, source: &BlendSource, foot: usize, secs: f64) -> bool {
        let side = self.space.figure.legs[foot].side;
        let is_ball = |name: &str| {
            let mut effectors = source.contacts.effectors.iter();
            effectors.any(|it| it.name == name && it.part == Part::Ball && it.side == Some(side))
        };
        source.contacts.pins.iter().any(|pin| (pin.start_secs..=pin.end_secs).contains(&secs) && is_ball(&pin.effector))
    }
}

impl FeetGuarantee {
    fn end_stance(&mut self, stance: &mut Vec<Vec<DVec3>>) {
        if stance.len() > 1 {
            let drift = |column: usize| {
                let first_m = stance[0][column];
                stance.iter().map(|row| row[column].distance(first_m)).fold(0.0, f64::max)
            };
            let own_m = drift(0);
            let inputs_m = (2..stance[0].len()).map(drift).fold(0.0, f64::max);
            self.drift_m = self.drift_m.max(own_m);
            self.drift_excess_m = self.drift_excess_m.max(own_m - inputs_m);
        }
        stance.clear();
    }
}
