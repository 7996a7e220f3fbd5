//! What point masses and rigid links leave out: the same motion with links filled with 100 points each (section 5 of
//! the paper).

use super::{mean, step_secs};
use aplomb_analysis::support::{SupportPlane, zero_moment_point_m};
use aplomb_analysis::{ContactAnalysis, Ground};
use aplomb_motion::signal::gaussian::Gaussian;
use aplomb_motion::signal::{SampleTimes, derivative};
use aplomb_motion::{Clip, JointId, WorldPose};
use aplomb_physics::Body;
use aplomb_physics::centroidal::{CentroidalOptions, MassModel, centroidal_track};
use glam::{DMat3, DVec3};

/// Of paths before they are differentiated, s.
const SMOOTHING_SECS: f64 = 0.167;

/// How far models are from blocks of 100 points with the links' own inertia, percent.
pub struct Agreement {
    /// Angular momentum of rigid links, by which flight steps go, of the sum of its parts'.
    pub rigid: f64,
    /// That of point masses, the paper's.
    pub points: f64,
    /// That of what is left when the parts cancel.
    pub points_of_rest: f64,
    /// Zero-moment point of point masses, by which ground steps go, of the height: mean.
    pub zmp: f64,
    /// The same, worst.
    pub worst_zmp: f64,
}

impl Agreement {
    pub fn of(clip: &Clip, body: &Body, contacts: &ContactAnalysis) -> Self {
        let (few, many) = (whole(clip, &points_of(body)), whole(clip, &blocks_of(body)));
        let step = step_secs(clip);
        let is_carried = |frame: usize| {
            let at_secs = frame as f64 * step;
            contacts.contacts.iter().any(|it| (it.start_secs..=it.end_secs).contains(&at_secs))
        };
        let edge = (0.1 / step) as usize;
        let options = CentroidalOptions { model: MassModel::Rigid, smoothing_secs: SMOOTHING_SECS };
        let rigid = centroidal_track(clip, body, &options).unwrap();
        let (mut off, mut rigid_off, mut size, mut worst_m) = (0.0, 0.0, 0.0, 0.0_f64);
        let mut distances_m = Vec::new();
        for frame in edge..clip.frame_count() - edge {
            off += few.spin[frame].distance_squared(many.spin[frame]);
            rigid_off += rigid.momentum[frame].angular.distance_squared(many.spin[frame]);
            size += few.turning[frame].powi(2);
            // Next to flight the point runs away; half the weight is enough to tell.
            if is_carried(frame) && few.load[frame] > 0.5 {
                let distance_m = few.zmp_m[frame].distance(many.zmp_m[frame]);
                distances_m.push(distance_m);
                worst_m = worst_m.max(distance_m);
            }
        }
        let height_m = body.stature_m().unwrap();
        let rest = few.spin.iter().map(|spin| spin.length_squared()).sum::<f64>();
        Self {
            rigid: (rigid_off / size).sqrt() * 100.0,
            points: (off / size).sqrt() * 100.0,
            points_of_rest: (off / rest).sqrt() * 100.0,
            zmp: mean(&distances_m) / height_m * 100.0,
            worst_zmp: worst_m / height_m * 100.0,
        }
    }
}

struct Whole {
    /// Angular momentum about the centre of mass.
    spin: Vec<DVec3>,
    /// The sum of what its parts have, whichever way they turn: in a walk they cancel.
    turning: Vec<f64>,
    zmp_m: Vec<DVec3>,
    load: Vec<f64>,
}

type MassPoint = (JointId, DVec3, f64);

fn points_of(body: &Body) -> Vec<MassPoint> {
    body.links().iter().map(|link| (link.joint, link.inertia.com_m, link.inertia.mass_kg)).collect()
}

/// A grid of 4 × 5 × 5 in a block whose second moments are those of the link: with M = L Lᵀ the image of a cube under
/// L.
fn blocks_of(body: &Body) -> Vec<MassPoint> {
    let mut found = Vec::new();
    for link in body.links() {
        let mass_kg = link.inertia.mass_kg;
        let m = link.inertia.about_com.second_moments().to_mat3() * (1.0 / mass_kg);
        let l00 = m.x_axis.x.max(1e-12).sqrt();
        let (l10, l20) = (m.x_axis.y / l00, m.x_axis.z / l00);
        let l11 = (m.y_axis.y - l10 * l10).max(1e-12).sqrt();
        let l21 = (m.y_axis.z - l20 * l10) / l11;
        let l22 = (m.z_axis.z - l20 * l20 - l21 * l21).max(0.0).sqrt();
        let root = DMat3::from_cols(DVec3::new(l00, l10, l20), DVec3::new(0.0, l11, l21), DVec3::new(0.0, 0.0, l22));
        // n samples at the middles of n cells of [−a, a] have variance a²(1 − 1/n²)/3.
        let at = |index: usize, count: usize| {
            let n = count as f64;
            (2.0 * index as f64 + 1.0 - n) / n * (3.0 / (1.0 - 1.0 / (n * n))).sqrt()
        };
        for index in 0..100 {
            let cube = DVec3::new(at(index % 4, 4), at(index / 4 % 5, 5), at(index / 20, 5));
            found.push((link.joint, link.inertia.com_m + root * cube, mass_kg / 100.0));
        }
    }
    found
}

fn whole(clip: &Clip, points: &[MassPoint]) -> Whole {
    let (frames, step) = (clip.frame_count(), step_secs(clip));
    let filter = Gaussian::from_window_secs(SMOOTHING_SECS, step).unwrap();
    let times = SampleTimes::uniform(step).unwrap();
    let total_kg: f64 = points.iter().map(|(_, _, mass_kg)| mass_kg).sum();
    let mut pose = WorldPose::for_skeleton(clip.skeleton());
    let mut paths_m = vec![vec![DVec3::ZERO; frames]; points.len()];
    for frame in clip.frames() {
        pose.pose(clip, frame);
        for (path_m, (joint, in_joint_m, _)) in paths_m.iter_mut().zip(points) {
            path_m[frame.0] = pose.point_in_world_m(*joint, *in_joint_m);
        }
    }
    let mut com_m = vec![DVec3::ZERO; frames];
    for (path_m, (_, _, mass_kg)) in paths_m.iter_mut().zip(points) {
        *path_m = filter.smooth(path_m);
        path_m.iter().zip(&mut com_m).for_each(|(point_m, com_m)| *com_m += *point_m * (mass_kg / total_kg));
    }
    let (mut spin, mut turning) = (vec![DVec3::ZERO; frames], vec![0.0; frames]);
    let (mut force, mut moment) = (vec![DVec3::Y * (9.81 * total_kg); frames], vec![DVec3::ZERO; frames]);
    for (path_m, (_, _, mass_kg)) in paths_m.iter().zip(points) {
        let (velocity, acceleration) = (derivative::first(path_m, times), derivative::second(path_m, times));
        for frame in 0..frames {
            let arm_m = path_m[frame] - com_m[frame];
            let own = arm_m.cross(velocity[frame]) * *mass_kg;
            spin[frame] += own;
            turning[frame] += own.length();
            force[frame] += acceleration[frame] * *mass_kg;
            moment[frame] += arm_m.cross((acceleration[frame] + DVec3::Y * 9.81) * *mass_kg);
        }
    }
    let plane = SupportPlane::new(Ground::default(), 0.0);
    let zmp_m = (0..frames).map(|i| zero_moment_point_m(com_m[i], force[i], moment[i], &plane)).collect();
    let load = force.iter().map(|force| force.y / (9.81 * total_kg)).collect();
    Whole { spin, turning, zmp_m, load }
}
