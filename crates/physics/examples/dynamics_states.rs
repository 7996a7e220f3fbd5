//! Models and random states with everything the dynamics core computes of them, as lines of JSON.
//!
//!     dynamics_states FILE…
//!
//! `cargo xtask oracles` lays them beside Pinocchio's and MuJoCo's answers (`tests/oracles/dynamics.py`). Every BVH
//! file is one model (its skeleton with de Leva's masses, each massive joint a ball); one further model has every kind
//! of joint.

use aplomb_formats::mjcf::{MjcfBody, MjcfJoint, MjcfModel};
use aplomb_formats::{ReadOptions, read_file};
use aplomb_motion::{FrameIndex, Roles, WorldPose};
use aplomb_physics::dynamics::*;
use aplomb_physics::{Body, BodyOptions, SpatialInertia, Symmetric3};
use glam::{DMat3, DQuat, DVec3};
use serde_json::{Value, json};
use std::path::Path;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut dice = Dice(20261116);
    let mixed = mixed_tree(&mut dice)?;
    println!("{}", answers("every kind of joint", &mixed, &mut dice));
    for file in std::env::args().skip(1) {
        let model = model_of(Path::new(&file))?;
        println!("{}", answers(&file, &model, &mut dice));
    }
    Ok(())
}

fn model_of(path: &Path) -> Result<Model, Box<dyn std::error::Error>> {
    let import = read_file(path, &ReadOptions::default())?;
    let clip = import.clip;
    let roles = Roles::detect(&clip);
    let body = Body::of_clip(&clip, &roles, &BodyOptions::default())?;
    let mut pose = WorldPose::for_skeleton(clip.skeleton());
    pose.pose(&clip, FrameIndex(0));
    Ok(BodyModel::new(&body, &pose)?.model)
}

fn mixed_tree(dice: &mut Dice) -> Result<Model, Box<dyn std::error::Error>> {
    let axis = DVec3::new(0.3, -0.8, 0.5);
    let kinds =
        [JointKind::Ball, JointKind::Revolute { axis }, JointKind::Fixed, JointKind::Revolute { axis: DVec3::Z }];
    let mut builder = Model::builder();
    let mut links: Vec<LinkId> = Vec::new();
    for index in 0..17 {
        let parent = links.get(index.max(1) / 2).copied().filter(|_| index > 0);
        let kind = if index == 0 { JointKind::Free } else { kinds[index % 4] };
        let axes = DMat3::from_quat(dice.rotation());
        let mass_kg = 2.5 + 2.0 * dice.roll();
        let about_com = Symmetric3::diagonal(DVec3::new(0.015, 0.01, 0.012) * mass_kg).rotated(axes);
        let inertia = SpatialInertia { mass_kg, com_m: dice.vector() * 0.2, about_com };
        // Turned frames below the root only: the two engines disagree about where a free root's rest frame counts.
        let rest = if index % 3 == 1 { dice.rotation() } else { DQuat::IDENTITY };
        let offset_m = if index == 0 { DVec3::ZERO } else { dice.vector() * 0.4 };
        links.push(builder.add(parent, format!("l{index}"), kind, offset_m, rest, inertia));
    }
    Ok(builder.build()?)
}

fn answers(name: &str, model: &Model, dice: &mut Dice) -> Value {
    let states: Vec<Value> = (0..3).map(|_| answer(model, dice)).collect();
    let links: Vec<Value> = model
        .links()
        .map(|link| {
            let inertia = model.inertia(link);
            let axis = match model.kind(link) {
                JointKind::Revolute { axis } => axis.to_array(),
                _ => [0.0; 3],
            };
            json!({
                "name": model.name(link),
                "parent": model.parent(link).map(LinkId::index),
                "kind": kind_name(model.kind(link)),
                "axis": axis,
                "offset": model.offset_m(link).to_array(),
                "rest": model.rest(link).to_array(),
                "mass": inertia.mass_kg,
                "com": inertia.com_m.to_array(),
                "inertia": six(inertia.about_com),
            })
        })
        .collect();
    json!({ "name": name, "nv": model.nv(), "links": links, "mjcf": mjcf(model).write(), "states": states })
}

fn kind_name(kind: JointKind) -> &'static str {
    match kind {
        JointKind::Free => "free",
        JointKind::Ball => "ball",
        JointKind::Revolute { .. } => "revolute",
        JointKind::Fixed => "fixed",
    }
}

fn six(s: Symmetric3) -> [f64; 6] {
    [s.xx, s.yy, s.zz, s.xy, s.xz, s.yz]
}

fn mjcf(model: &Model) -> MjcfModel {
    let bodies = model
        .links()
        .map(|link| MjcfBody {
            name: format!("{}_{}", link.index(), model.name(link)),
            parent: model.parent(link).map(LinkId::index),
            offset_m: model.offset_m(link),
            rest: model.rest(link),
            joint: match model.kind(link) {
                JointKind::Free => MjcfJoint::Free,
                JointKind::Ball => MjcfJoint::Ball,
                JointKind::Revolute { axis } => MjcfJoint::Hinge(axis),
                JointKind::Fixed => MjcfJoint::Fixed,
            },
            mass_kg: model.inertia(link).mass_kg,
            com_m: model.inertia(link).com_m,
            inertia: six(model.inertia(link).about_com),
            shapes: Vec::new(),
        })
        .collect();
    MjcfModel { name: "oracle".to_owned(), gravity: 9.81, bodies, start: Vec::new() }
}

fn answer(model: &Model, dice: &mut Dice) -> Value {
    let nv = model.nv();
    let mut q = model.neutral();
    let step = dice.many(nv, 1.2);
    model.integrate(&model.neutral(), &step, &mut q);
    let (v, a, tau) = (dice.many(nv, 2.0), dice.many(nv, 10.0), dice.many(nv, 50.0));
    let mut work = Workspace::new(model);
    let mut mass = Matrix::zeros(nv, nv);
    crba(model, &q, &mut mass, &mut work);
    mass.mirror_lower();
    let (mut bias, mut forces, mut rates) = (vec![0.0; nv], vec![0.0; nv], vec![0.0; nv]);
    rnea(model, &q, &v, &vec![0.0; nv], &Loads::NONE, &mut bias, &mut work);
    let mut inverse = InverseDerivatives::new(model);
    rnea_derivatives(model, &q, &v, &a, &Loads::NONE, &mut forces, &mut inverse, &mut work);
    let mut forward = ForwardDerivatives::new(model);
    aba_derivatives(model, &q, &v, &tau, &Loads::NONE, &mut rates, &mut forward, &mut work);
    let mut whole = CentroidDerivatives::new(model);
    whole.evaluate(model, &q, &v, &mut work);
    json!({
        "q": q, "v": v, "a": a, "tau": tau,
        "mass": mass.as_slice(), "bias": bias, "rnea": forces, "aba": rates,
        "rnea_by_q": inverse.by_q.as_slice(), "rnea_by_v": inverse.by_v.as_slice(),
        "aba_by_q_v_tau": forward.by_q_v_tau.as_slice(),
        "com": whole.at.com_in_world_m.to_array(), "com_jacobian": whole.at.com.as_slice(),
        "momentum_matrix": whole.at.momentum.as_slice(), "momentum_by_q": whole.momentum_by_q.as_slice(),
    })
}

/// A repeatable stream of numbers in −1 … 1.
struct Dice(u64);

impl Dice {
    fn roll(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    fn vector(&mut self) -> DVec3 {
        DVec3::new(self.roll(), self.roll(), self.roll())
    }

    fn rotation(&mut self) -> DQuat {
        DQuat::from_scaled_axis(self.vector() * 2.0)
    }

    fn many(&mut self, count: usize, size: f64) -> Vec<f64> {
        (0..count).map(|_| self.roll() * size).collect()
    }
}
