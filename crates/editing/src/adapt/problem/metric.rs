//! How large a change of a motion is.

use crate::adapt::subject::Subject;
use aplomb_motion::Role;
use aplomb_physics::dynamics::{Matrix, Workspace, crba};

/// β of the fit, s⁴: changes over 30 ms.
pub const FIT_SMOOTHNESS: f64 = 1e-6;
/// β of adaptations, s⁴: changes are spread over a tenth of a second, which is what makes anticipation.
pub const ADAPT_SMOOTHNESS: f64 = 1e-4;
/// Changes go on so long beyond the end of a clip at which the body stands, s.
pub const BEYOND_SECS: f64 = 1.0;

/// Weight of the root's place against its turning, 1/m².
const ROOT_WEIGHT: f64 = 4.0;
/// Light links weigh at least this share of the whole: hands would be flung about for free.
const LEAST_WEIGHT: f64 = 0.1;
/// Toes at least this: they are stiff, captures hardly show how they bend, and the lightest of links would snap back
/// within a knot after lift-off.
const TOE_WEIGHT: f64 = 0.3;

/// Weight of a change of torque, where torques are unknowns, in units of what people's joints give: such a unit costs
/// what a radian of the whole body does, so that a tenth of it weighs about as much as a tenth of a radian of an arm. A
/// heavier arm then swings lower, because it is pulled as hard as before (chosen on 83_49, 16_06 and 13_11).
const TORQUE_WEIGHT: f64 = 1.0;

/// The size of a change: ‖δ‖² = Σ w_i ∫ (δx_i² + β δẍ_i²) dt + ∫ a λ² dt + b Σ (Δλ)², λ in body weights.
#[derive(Clone, Debug, PartialEq)]
pub struct Metric {
    /// w_i.
    pub weights: Vec<f64>,
    /// β, s⁴: changes are spread over β^¼.
    pub smoothness: f64,
    /// How long changes go on beyond the start and the end, as fast as they are there, s: a clip is a piece of a longer
    /// motion. A person on one leg in it stood so before, and does not begin with a sway that only its first frame
    /// allows.
    pub ends_secs: [f64; 2],
    /// a.
    pub force: f64,
    /// b.
    pub force_change: f64,
    /// c ∫ δf² dt of torques that are unknowns, f in units of what people's joints give.
    pub torque: f64,
}

impl Metric {
    /// Of a person, with w_i = √(inertia that the coordinate moves / inertia of the whole), averaged over the clip.
    pub fn of(subject: &Subject, smoothness: f64) -> Self {
        let tree = subject.tree();
        let (nv, dofs) = (tree.model.nv(), subject.coordinates.count);
        let mut mass = Matrix::zeros(nv, nv);
        let mut work = Workspace::new(&tree.model);
        let (mut q, mut v, mut a) = (tree.model.neutral(), vec![0.0; nv], vec![0.0; nv]);
        let still = vec![0.0; dofs];
        let mut blocks = Vec::new();
        let mut inertia = vec![0.0; dofs];
        let frames = subject.times_secs.len();
        for frame in (0..frames).step_by((frames / 8).max(1)) {
            let x = &subject.samples[frame * dofs..(frame + 1) * dofs];
            subject.coordinates.state([x, &still, &still], &mut q, &mut v, &mut a, Some(&mut blocks));
            crba(&tree.model, &q, &mut mass, &mut work);
            for (own, block) in subject.coordinates.links.iter().zip(&blocks) {
                let range = tree.model.v_range(own.link);
                for slot in 0..own.chart.count() {
                    let numbers = 0..range.len();
                    let sum = numbers.clone().flat_map(|i| numbers.clone().map(move |j| (i, j)));
                    inertia[own.start + slot] += sum
                        .map(|(i, j)| {
                            block.q_by_x[i][slot] * mass[(range.start + i, range.start + j)] * block.q_by_x[j][slot]
                        })
                        .sum::<f64>();
                }
            }
        }
        let whole = (inertia[0] + inertia[1] + inertia[2]) / 3.0;
        let mut weights: Vec<f64> = inertia.iter().map(|own| (own / whole).sqrt().max(LEAST_WEIGHT)).collect();
        weights[3..6].fill(ROOT_WEIGHT);
        for own in &subject.coordinates.links {
            if matches!(subject.roles.role(own.link), Some(Role::Toe(_))) {
                let range = own.start..own.start + own.chart.count();
                weights[range].iter_mut().for_each(|weight| *weight = weight.max(TOE_WEIGHT));
            }
        }
        Self {
            weights,
            smoothness,
            ends_secs: [0.0; 2],
            force: subject.force_weight,
            force_change: subject.force_weight,
            torque: TORQUE_WEIGHT,
        }
    }
}
