//! The humanoid that speed is measured on, shared by examples.

use aplomb_motion::{Channels, JointId, Skeleton};
use aplomb_physics::body::BodySource;
use aplomb_physics::{Body, Link, SpatialInertia, Symmetric3};
use glam::DVec3;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Instant;

/// A humanoid of 15 bodies, nv 48.
const HUMANOID_48: &str = "\
pelvis - 0 0 0 10.7 0 0 .048 .051 .051 .077\nthorax pelvis 0 0 .1 21 0 0 .19 .356 .356 .206\nhead thorax 0 0 .42 5 0 0 .12 .034 .034 .02
uparm_l thorax 0 .19 .34 2.3 0 0 -.142 .022 .022 .0023\nforearm_l uparm_l 0 0 -.33 1.3 0 0 -.11 .0076 .0076 .0008
hand_l forearm_l 0 0 -.26 .42 0 0 -.096 .0013 .0013 .0002\nuparm_r thorax 0 -.19 .34 2.3 0 0 -.142 .022 .022 .0023
forearm_r uparm_r 0 0 -.33 1.3 0 0 -.11 .0076 .0076 .0008\nhand_r forearm_r 0 0 -.26 .42 0 0 -.096 .0013 .0013 .0002
thigh_l pelvis 0 .09 0 7.4 0 0 -.19 .12 .12 .018\nshank_l thigh_l 0 0 -.43 4.2 0 0 -.19 .067 .067 .0053
foot_l shank_l 0 0 -.43 1 .08 0 -.02 .00064 .0027 .0027\nthigh_r pelvis 0 -.09 0 7.4 0 0 -.19 .12 .12 .018
shank_r thigh_r 0 0 -.43 4.2 0 0 -.19 .067 .067 .0053\nfoot_r shank_r 0 0 -.43 1 .08 0 -.02 .00064 .0027 .0027";

/// The same with collar bones: 17 bodies, nv 54.
const HUMANOID_54: &str = "\
pelvis - 0 0 0 10.7 0 0 .048 .051 .051 .077
thorax pelvis 0 0 .1 15.4 0 0 .19 .261 .261 .151
head thorax 0 0 .42 5 0 0 .12 .034 .034 .02
clavicle_l thorax 0 .03 .34 2.8 0 .08 0 .006 .002 .006
uparm_l clavicle_l 0 .16 0 2.3 0 0 -.142 .022 .022 .0023
forearm_l uparm_l 0 0 -.33 1.3 0 0 -.11 .0076 .0076 .0008
hand_l forearm_l 0 0 -.26 .42 0 0 -.096 .0013 .0013 .0002
clavicle_r thorax 0 -.03 .34 2.8 0 -.08 0 .006 .002 .006
uparm_r clavicle_r 0 -.16 0 2.3 0 0 -.142 .022 .022 .0023
forearm_r uparm_r 0 0 -.33 1.3 0 0 -.11 .0076 .0076 .0008
hand_r forearm_r 0 0 -.26 .42 0 0 -.096 .0013 .0013 .0002
thigh_l pelvis 0 .09 0 7.4 0 0 -.19 .12 .12 .018
shank_l thigh_l 0 0 -.43 4.2 0 0 -.19 .067 .067 .0053
foot_l shank_l 0 0 -.43 1 .08 0 -.02 .00064 .0027 .0027
thigh_r pelvis 0 -.09 0 7.4 0 0 -.19 .12 .12 .018
shank_r thigh_r 0 0 -.43 4.2 0 0 -.19 .067 .067 .0053
foot_r shank_r 0 0 -.43 1 .08 0 -.02 .00064 .0027 .0027";

/// One of the two, by its degrees of freedom; the smaller one if it is not told.
pub fn built_in(nv: Option<String>) -> &'static str {
    match nv.as_deref() {
        Some("54") => HUMANOID_54,
        _ => HUMANOID_48,
    }
}

/// Lines of `name parent jx jy jz mass cx cy cz Ixx Iyy Izz`.
pub fn model(text: &str) -> Result<Body, Box<dyn std::error::Error>> {
    let mut builder = Skeleton::builder();
    let mut ids: HashMap<String, JointId> = HashMap::new();
    let mut links = Vec::new();
    for line in text.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        let numbers = words.iter().skip(2).map(|word| word.parse()).collect::<Result<Vec<f64>, _>>()?;
        let [jx, jy, jz, mass_kg, cx, cy, cz, ixx, iyy, izz] = numbers[..] else {
            return Err("ten numbers a line".into());
        };
        let joint = builder.add(ids.get(words[1]).copied(), words[0], DVec3::new(jx, jy, jz), Channels::default());
        ids.insert(words[0].to_owned(), joint);
        let about_com = Symmetric3::diagonal(DVec3::new(ixx, iyy, izz));
        let inertia = SpatialInertia { mass_kg, com_m: DVec3::new(cx, cy, cz), about_com };
        links.push(Link { joint, inertia, shapes: Vec::new() });
    }
    let source = BodySource::Given("bench".to_owned());
    Ok(Body::from_links(Arc::new(builder.build()?), links, None, source, Vec::new())?)
}

/// Best of many runs, µs a call. Runs are short, so that some of them are not interrupted whatever else the machine
/// does.
pub fn best_us(calls: usize, mut call: impl FnMut(usize)) -> f64 {
    let calls = calls / 10;
    let mut best = f64::INFINITY;
    for _ in 0..600 {
        let start = Instant::now();
        (0..calls).for_each(&mut call);
        best = best.min(start.elapsed().as_secs_f64() * 1e6 / calls as f64);
    }
    best
}
