//! Joint centres between the markers.

use super::cluster::{SegmentPath, centre_of_rotation_m};
use super::gaps;
use super::landmarks::Landmark;
use super::{MarkerSet, MarkersError};
use crate::roles::Side;
use glam::{DMat3, DQuat, DVec3};
use std::collections::HashMap;

/// From the skin at the outer side to the middle of the joint: half the breadth of the bone, soft tissue and the
/// marker's own radius (breadths of knee, ankle and elbow of adults are 9–10, 7 and 7 cm).
const HALF_KNEE_M: f64 = 0.052;
const HALF_ANKLE_M: f64 = 0.042;
const HALF_ELBOW_M: f64 = 0.040;
/// From a marker on the acromion down to the centre of the shoulder joint: humeral head's radius, soft tissue, marker.
const SHOULDER_BELOW_ACROMION_M: f64 = 0.05;
/// From the middle of the acromia up to C7.
const C7_ABOVE_ACROMIA_M: f64 = 0.03;
/// The lumbar joint (L5/S1) between the middles of PSIS and ASIS.
const LUMBAR_FROM_PSIS: f64 = 0.3;
/// An ankle, for a start: this part of the foot ahead of the heel …
const ANKLE_AHEAD_OF_HEEL: f64 = 0.27;
/// … and this far above the heel's marker.
const ANKLE_ABOVE_HEEL_M: f64 = 0.05;

/// One point over time.
pub(super) type Path = Vec<DVec3>;

/// Paths of all joints of a person.
pub(super) struct Centres {
    pub frames: usize,
    pub pelvis: Vec<DQuat>,
    pub lumbar_m: Path,
    pub neck_m: Path,
    pub thorax: Vec<DQuat>,
    pub head: Vec<DQuat>,
    pub sides: [SideCentres; 2],
    pub warnings: Vec<String>,
}

/// Left or right.
pub(super) struct SideCentres {
    pub side: Side,
    pub hip_m: Path,
    pub knee_m: Path,
    pub ankle_m: Path,
    pub heel_m: Path,
    pub ball_m: Path,
    pub toe_m: Path,
    /// Leftward over the ball of the foot.
    pub foot_left: Vec<DVec3>,
    pub shoulder_m: Path,
    pub elbow_m: Path,
    pub wrist_m: Path,
}

/// Axes left, up, forward: `up` exactly, `left` as nearly as it can be.
pub(super) fn turned(up: DVec3, left: DVec3) -> DQuat {
    let up = up.try_normalize().unwrap_or(DVec3::Y);
    let left = left.reject_from_normalized(up).try_normalize().unwrap_or_else(|| up.any_orthonormal_vector());
    DQuat::from_mat3(&DMat3::from_cols(left, up, left.cross(up))).normalize()
}

/// Axes left, up, forward: `forward` exactly.
pub(super) fn facing(forward: DVec3, left: DVec3) -> DQuat {
    let forward = forward.try_normalize().unwrap_or(DVec3::Z);
    let left = left.reject_from_normalized(forward).try_normalize().unwrap_or_else(|| forward.any_orthonormal_vector());
    DQuat::from_mat3(&DMat3::from_cols(left, forward.cross(left), forward)).normalize()
}

fn outward(side: Side) -> f64 {
    if side == Side::Left { 1.0 } else { -1.0 }
}

/// Landmarks with their paths, gaps bridged.
struct Seen<'a> {
    markers: &'a MarkerSet,
    paths_m: HashMap<Landmark, Vec<Path>>,
    warnings: Vec<String>,
}

impl<'a> Seen<'a> {
    fn of(markers: &'a MarkerSet) -> Result<Self, MarkersError> {
        let mut seen = Self { markers, paths_m: HashMap::new(), warnings: Vec::new() };
        for (index, name) in markers.names.iter().enumerate() {
            let Some(landmark) = Landmark::from_name(name) else { continue };
            match gaps::filled(markers.path(index), markers.rate_hz)? {
                Some(path) => seen.paths_m.entry(landmark).or_default().push(path),
                None => seen.warnings.push(format!("marker {name:?} is hidden for too long and is left out")),
            }
        }
        Ok(seen)
    }

    /// Mean of the markers on a landmark.
    fn get(&self, landmark: Landmark) -> Option<Path> {
        let paths_m = self.paths_m.get(&landmark)?;
        let (first, rest) = paths_m.split_first()?;
        let mut mean = first.clone();
        for path in rest {
            mean.iter_mut().zip(path).for_each(|(sum, position_m)| *sum += *position_m);
        }
        mean.iter_mut().for_each(|sum| *sum /= paths_m.len() as f64);
        Some(mean)
    }

    fn need(&self, landmark: Landmark) -> Result<Path, MarkersError> {
        self.get(landmark).ok_or_else(|| self.missing(&format!("{landmark:?}")))
    }

    fn missing(&self, what: &str) -> MarkersError {
        const SHOWN: usize = 60;
        let names = self.markers.names.iter().take(SHOWN).map(String::as_str);
        MarkersError::Missing { missing: what.to_owned(), found: names.collect::<Vec<_>>().join(", ") }
    }

    fn cluster(&self, landmarks: &[Landmark]) -> Option<SegmentPath> {
        let paths = landmarks.iter().filter_map(|landmark| self.paths_m.get(landmark)).flatten();
        SegmentPath::of_markers(&paths.map(Vec::as_slice).collect::<Vec<_>>())
    }
}

fn mixed(a: &[DVec3], b: &[DVec3], share: f64) -> Path {
    a.iter().zip(b).map(|(a, b)| a.lerp(*b, share)).collect()
}

/// Joint centres of a person wearing these markers.
pub(super) fn centres(markers: &MarkerSet) -> Result<Centres, MarkersError> {
    let seen = Seen::of(markers)?;
    let frames = markers.frames();
    let [asis_l, asis_r] = [seen.need(Landmark::Asis(Side::Left))?, seen.need(Landmark::Asis(Side::Right))?];
    let by_psis = || Some(mixed(&seen.get(Landmark::Psis(Side::Left))?, &seen.get(Landmark::Psis(Side::Right))?, 0.5));
    let back_m = by_psis().or_else(|| seen.get(Landmark::Sacrum)).ok_or_else(|| seen.missing("PSIS or sacrum"))?;
    let front_m = mixed(&asis_l, &asis_r, 0.5);
    let pelvis: Vec<DQuat> =
        (0..frames).map(|frame| facing(front_m[frame] - back_m[frame], asis_l[frame] - asis_r[frame])).collect();
    let pelvis_path = SegmentPath { origin_m: front_m.clone(), world_from_segment: pelvis.clone() };
    let mean = |values: &mut dyn Iterator<Item = f64>| values.sum::<f64>() / frames.max(1) as f64;
    let width_m = mean(&mut (0..frames).map(|frame| asis_l[frame].distance(asis_r[frame])));
    let depth_m = mean(&mut (0..frames).map(|frame| front_m[frame].distance(back_m[frame])));
    let lumbar_m = mixed(&back_m, &front_m, LUMBAR_FROM_PSIS);

    let shoulders = [seen.need(Landmark::Shoulder(Side::Left))?, seen.need(Landmark::Shoulder(Side::Right))?];
    let mid_shoulder_m = mixed(&shoulders[0], &shoulders[1], 0.5);
    let (c7_m, sternum_m) = (seen.get(Landmark::C7), seen.get(Landmark::Sternum));
    let rough_up = |frame: usize| (mid_shoulder_m[frame] - lumbar_m[frame]).try_normalize().unwrap_or(DVec3::Y);
    // On the trunk's axis, at the height of C7: half way from the spine's skin to the sternum.
    let neck_m: Path = (0..frames)
        .map(|frame| match (&c7_m, &sternum_m) {
            (Some(c7_m), Some(sternum_m)) => {
                c7_m[frame] + 0.5 * (sternum_m[frame] - c7_m[frame]).reject_from_normalized(rough_up(frame))
            }
            (Some(c7_m), None) => {
                c7_m[frame] + (mid_shoulder_m[frame] - c7_m[frame]).reject_from_normalized(rough_up(frame))
            }
            (None, _) => mid_shoulder_m[frame] + C7_ABOVE_ACROMIA_M * rough_up(frame),
        })
        .collect();
    let across_m = |frame: usize| shoulders[0][frame] - shoulders[1][frame];
    let upright = |neck_m: &[DVec3]| -> Vec<DQuat> {
        (0..frames).map(|frame| turned(neck_m[frame] - lumbar_m[frame], across_m(frame))).collect()
    };
    let temples = Side::BOTH.map(|side| seen.get(Landmark::Temple(side)));
    let skull_m = match &temples {
        [Some(left_m), Some(right_m)] => Some(mixed(left_m, right_m, 0.5)),
        _ => None,
    };
    // The acromia ride on the shoulder girdle, which bounces with the arms (a runner's by 1.2 of what the centre of
    // mass does); C7 and skull stand on the spine (1.04); the sternum pitches with the ribs (1.1 to 1.4) and helps
    // where C7 tells the other end.
    let rough = SegmentPath { origin_m: neck_m.clone(), world_from_segment: upright(&neck_m) };
    let anchors: Vec<&Path> = match (&c7_m, &sternum_m, &skull_m) {
        (Some(c7_m), Some(sternum_m), _) => vec![c7_m, sternum_m],
        (Some(only_m), None, _) | (None, _, Some(only_m)) | (None, Some(only_m), None) => vec![only_m],
        (None, None, None) => Vec::new(),
    };
    let neck_m: Path = match anchors.len() {
        0 => neck_m,
        count => {
            let in_trunk_m: Vec<DVec3> = anchors.iter().map(|anchor| rough.mean_in_segment_m(anchor)).collect();
            let held_m = |frame: usize| {
                let held = anchors.iter().zip(&in_trunk_m);
                held.map(|(anchor, place_m)| anchor[frame] - rough.world_from_segment[frame] * *place_m).sum::<DVec3>()
            };
            (0..frames).map(|frame| held_m(frame) / count as f64).collect()
        }
    };
    let thorax = upright(&neck_m);
    let head: Vec<DQuat> = match &temples {
        [Some(left_m), Some(right_m)] => (0..frames)
            .map(|frame| turned(left_m[frame].midpoint(right_m[frame]) - neck_m[frame], left_m[frame] - right_m[frame]))
            .collect(),
        _ => thorax.clone(),
    };

    let build = |side: Side| -> Result<SideCentres, MarkersError> {
        let hip_in_pelvis_m = match seen.get(Landmark::HipCentre(side)) {
            Some(hip_m) => pelvis_path.mean_in_segment_m(&hip_m),
            None => harrington_m(side, width_m, depth_m),
        };
        let hip_m: Path = (0..frames).map(|frame| pelvis_path.in_world_m(frame, hip_in_pelvis_m)).collect();
        let left: Vec<DVec3> = pelvis.iter().map(|rotation| *rotation * DVec3::X).collect();
        let leg = Leg::build(&seen, side, hip_m, &left)?;
        let acromion_m = &shoulders[usize::from(side == Side::Right)];
        let shoulder_m: Path =
            (0..frames).map(|frame| acromion_m[frame] - thorax[frame] * DVec3::Y * SHOULDER_BELOW_ACROMION_M).collect();
        let elbow_m = elbow(&seen, side, &shoulder_m, &thorax)?;
        let (radius_m, ulna_m) = (seen.get(Landmark::WristRadius(side)), seen.get(Landmark::WristUlna(side)));
        let wrist_m = match (radius_m, ulna_m) {
            (Some(radius_m), Some(ulna_m)) => mixed(&radius_m, &ulna_m, 0.5),
            (Some(only_m), None) | (None, Some(only_m)) => only_m,
            (None, None) => return Err(seen.missing(&format!("{side} wrist"))),
        };
        let Leg { hip_m, knee_m, ankle_m, heel_m, ball_m, toe_m, foot_left } = leg;
        Ok(SideCentres { side, hip_m, knee_m, ankle_m, heel_m, ball_m, toe_m, foot_left, shoulder_m, elbow_m, wrist_m })
    };
    let sides = [build(Side::Left)?, build(Side::Right)?];
    Ok(Centres { frames, pelvis, lumbar_m, neck_m, thorax, head, sides, warnings: seen.warnings })
}

/// The hip joint from the middle of the ASIS, in axes left, up, forward (Harrington, Zavatsky, Lawson, Yuan &
/// Theologis, "Prediction of the hip joint centre in adults, children, and patients with cerebral palsy based on
/// magnetic resonance imaging", J. Biomech. 40, 2007; the regressions on pelvic width and depth).
fn harrington_m(side: Side, width_m: f64, depth_m: f64) -> DVec3 {
    DVec3::new(outward(side) * (0.33 * width_m + 0.0073), -0.30 * width_m - 0.0109, -0.24 * depth_m - 0.0099)
}

struct Leg {
    hip_m: Path,
    knee_m: Path,
    ankle_m: Path,
    heel_m: Path,
    ball_m: Path,
    toe_m: Path,
    foot_left: Vec<DVec3>,
}

impl Leg {
    fn build(seen: &Seen<'_>, side: Side, hip_m: Path, left: &[DVec3]) -> Result<Self, MarkersError> {
        let frames = hip_m.len();
        let (heel_m, toe_m) = (seen.need(Landmark::Heel(side))?, seen.need(Landmark::Toe(side))?);
        let (lateral_m, medial_m) = (seen.get(Landmark::BallLateral(side)), seen.get(Landmark::BallMedial(side)));
        // Across the ball: from markers on both of its sides, else from the toes and the one side.
        let foot_left: Vec<DVec3> = (0..frames)
            .map(|frame| match (&lateral_m, &medial_m) {
                (Some(lateral_m), Some(medial_m)) => outward(side) * (lateral_m[frame] - medial_m[frame]),
                (Some(lateral_m), None) => {
                    let along = (toe_m[frame] - heel_m[frame]).normalize_or_zero();
                    outward(side) * (lateral_m[frame] - heel_m[frame]).reject_from(along)
                }
                _ => left[frame],
            })
            .collect();
        let ball_m = match (lateral_m, medial_m) {
            (Some(lateral_m), Some(medial_m)) => mixed(&lateral_m, &medial_m, 0.5),
            (Some(lateral_m), None) => (0..frames)
                .map(|frame| {
                    let across = foot_left[frame].normalize_or_zero();
                    // The outer marker, moved to the foot's middle line.
                    lateral_m[frame] - across * (lateral_m[frame] - heel_m[frame].midpoint(toe_m[frame])).dot(across)
                })
                .collect(),
            _ => mixed(&heel_m, &toe_m, 0.73),
        };
        let foot_cluster =
            [Landmark::Heel, Landmark::Midfoot, Landmark::BallLateral, Landmark::BallMedial, Landmark::Toe]
                .map(|landmark| landmark(side));
        let (thigh, shank, foot) = (
            seen.cluster(&[Landmark::Thigh(side)]),
            seen.cluster(&[Landmark::Shank(side)]),
            seen.cluster(&foot_cluster),
        );
        let ankle_guess_m: Path = (0..frames)
            .map(|frame| {
                let forward_m = toe_m[frame] - heel_m[frame];
                let up = forward_m.cross(foot_left[frame]).normalize_or_zero();
                heel_m[frame] + ANKLE_AHEAD_OF_HEEL * forward_m + ANKLE_ABOVE_HEEL_M * up
            })
            .collect();
        let knee_guess_m = mixed(&hip_m, &ankle_guess_m, 0.5);
        let (knee_lateral_m, knee_medial_m) =
            (seen.get(Landmark::KneeLateral(side)), seen.get(Landmark::KneeMedial(side)));
        let knee_m = match (knee_lateral_m, knee_medial_m, &thigh, &shank) {
            (Some(lateral_m), Some(medial_m), ..) => mixed(&lateral_m, &medial_m, 0.5),
            (Some(lateral_m), None, ..) => {
                let away = |frame: usize| outward(side) * left[frame];
                inside(&lateral_m, &hip_m, away, HALF_KNEE_M)
            }
            (None, _, Some(thigh), Some(shank)) => centre_of_rotation_m(thigh, shank, &knee_guess_m),
            _ => return Err(seen.missing(&format!("{side} knee"))),
        };
        let (ankle_lateral_m, ankle_medial_m) =
            (seen.get(Landmark::AnkleLateral(side)), seen.get(Landmark::AnkleMedial(side)));
        let ankle_m = match (ankle_lateral_m, ankle_medial_m, &shank, &foot) {
            (Some(lateral_m), Some(medial_m), ..) => mixed(&lateral_m, &medial_m, 0.5),
            (Some(lateral_m), None, ..) => {
                let away = |frame: usize| outward(side) * foot_left[frame];
                inside(&lateral_m, &knee_m, away, HALF_ANKLE_M)
            }
            (None, _, Some(shank), Some(foot)) => centre_of_rotation_m(shank, foot, &ankle_guess_m),
            _ => return Err(seen.missing(&format!("{side} ankle"))),
        };
        Ok(Self { hip_m, knee_m, ankle_m, heel_m, ball_m, toe_m, foot_left })
    }
}

/// From a marker on the outer side of a joint into its middle: square to the bone that comes from `above_m`.
fn inside(lateral_m: &[DVec3], above_m: &[DVec3], away: impl Fn(usize) -> DVec3, half_m: f64) -> Path {
    let middle = |(frame, (lateral_m, above_m)): (usize, (&DVec3, &DVec3))| {
        let bone = (*lateral_m - *above_m).try_normalize().unwrap_or(-DVec3::Y);
        let away = away(frame).reject_from_normalized(bone).normalize_or_zero();
        *lateral_m - away * half_m
    };
    lateral_m.iter().zip(above_m).enumerate().map(middle).collect()
}

fn elbow(seen: &Seen<'_>, side: Side, shoulder_m: &[DVec3], thorax: &[DQuat]) -> Result<Path, MarkersError> {
    match (seen.get(Landmark::ElbowLateral(side)), seen.get(Landmark::ElbowMedial(side))) {
        (Some(lateral_m), Some(medial_m)) => Ok(mixed(&lateral_m, &medial_m, 0.5)),
        (Some(lateral_m), None) => {
            let away = |frame: usize| thorax[frame] * DVec3::X * outward(side);
            Ok(inside(&lateral_m, shoulder_m, away, HALF_ELBOW_M))
        }
        _ => Err(seen.missing(&format!("{side} elbow"))),
    }
}
