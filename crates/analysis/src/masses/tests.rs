use super::*;
use crate::Take;
use aplomb_motion::FrameIndex;
use aplomb_motion::edit::{cut_frames, scale_time};
use aplomb_physics::BodyOptions;
use glam::DVec2;
use proptest::prelude::*;

struct Made {
    clip: Clip,
    roles: Roles,
    body: Body,
    inspection: Inspection,
}

fn made(clip: Clip) -> Made {
    let roles = Roles::detect(&clip);
    let body = Body::of_clip(&clip, &roles, &BodyOptions::default()).unwrap();
    let inspection = Take::new(clip.clone(), roles.clone(), body.clone()).into_inspection().unwrap();
    Made { clip, roles, body, inspection }
}

fn built_in(name: &str) -> Made {
    made(aplomb_builtins::clip(name).unwrap())
}

impl Made {
    fn reference(&self) -> ReferenceClip<'_> {
        ReferenceClip { name: "made", clip: &self.clip, inspection: &self.inspection }
    }

    fn rows(&self, body: &Body) -> Rows {
        Rows::of(&self.reference(), body, &groups(body, &self.roles), &MassOptions::default()).unwrap()
    }

    /// The body with some groups heavier or lighter.
    fn body_with(&self, factor: impl Fn(&str) -> f64) -> Body {
        let study = [self.reference()];
        let options = MassOptions::default();
        let study = Study::prepare(&self.body, &self.roles, &study, &options).unwrap();
        let factors: Vec<f64> = study.groups.iter().map(|group| factor(&group.name)).collect();
        let sum: f64 = factors.iter().zip(study.shares()).map(|(s, w)| s * w).sum();
        let factors = factors.iter().map(|s| s / sum).collect();
        study.body(&Fit { factors, iterations: 0, converged: true }, 1).unwrap().0
    }
}

#[test]
fn with_the_old_masses_it_is_the_reports_zero_moment_point() {
    let walk = built_in("walk");
    let rows = walk.rows(&walk.body);
    let usable = rows::usable_frames(&walk.reference(), &MassOptions::default());
    assert!(usable.len() > walk.clip.frame_count() / 2);
    let ones = vec![1.0; groups(&walk.body, &walk.roles).len()];
    for (frame, zmp_m) in usable.iter().zip(rows.zmps_m(&ones)) {
        let reported_m = walk.inspection.series.zmp_in_world_m[frame.index].unwrap() - frame.origin_m;
        assert!((zmp_m - DVec2::new(reported_m.z, reported_m.x)).length() < 1e-9, "frame {}", frame.index);
    }
    let distances = usable.iter().filter_map(|frame| walk.inspection.series.zmp_distance_m[frame.index]);
    let mean_m = distances.sum::<f64>() / usable.len() as f64;
    assert!((rows.mean_m(&ones) - mean_m).abs() < 1e-9);
}

#[test]
fn scaling_rows_is_scaling_the_body() {
    let walk = built_in("walk");
    let factor = |name: &str| if name == "thighs" { 1.4 } else { 0.9 };
    let heavier = walk.body_with(factor);
    assert!((heavier.total_mass_kg() / walk.body.total_mass_kg() - 1.0).abs() < 1e-12);
    let groups = groups(&walk.body, &walk.roles);
    let factors: Vec<f64> = groups.iter().map(|group| factor(&group.name)).collect();
    let (scaled, own) = (walk.rows(&walk.body).zmps_m(&factors), walk.rows(&heavier).zmps_m(&vec![1.0; groups.len()]));
    for (a, b) in scaled.iter().zip(own) {
        assert!((*a - b).length() < 1e-9);
    }
}

#[test]
fn both_sides_of_a_pair_are_one_group() {
    let walk = built_in("walk");
    let groups = groups(&walk.body, &walk.roles);
    let links: usize = groups.iter().map(|group| group.joints.len()).sum();
    assert_eq!(links, walk.body.links().len());
    for group in &groups {
        for &joint in &group.joints {
            let partner = walk.roles.mirror_partner(joint).unwrap();
            assert!(group.joints.contains(&partner), "{}: {joint} without {partner}", group.name);
        }
    }
    assert!((8..=14).contains(&groups.len()), "{}", groups.len());
}

proptest! {
    /// Against central differences, on made-up frames whose zero-moment point is inside, outside and near the edge.
    #[test]
    fn the_gradient_is_that_of_the_cost(
        seed in prop::collection::vec(-1.0..1.0f64, 5 * 12), x in prop::collection::vec(-0.5..0.5f64, 4), lambda_m in 0.0..0.1f64,
    ) {
        let square = vec![DVec2::new(-0.1, -0.1), DVec2::new(0.1, -0.1), DVec2::new(0.1, 0.1), DVec2::new(-0.1, 0.1)];
        let moments = (0..20).map(|i| DVec2::new(seed[2 * i], seed[2 * i + 1]) * 40.0).collect();
        let forces = (0..20).map(|i| 150.0 + 50.0 * seed[40 + i]).collect();
        let rows = Rows::made(4, moments, forces, vec![square; 5]);
        let (rows, shares) = ([&rows], [0.4, 0.3, 0.2, 0.1]);
        let problem = Problem::new(&rows, &shares, lambda_m);
        let gradient = problem.gradient(&x);
        let step = 1e-5;
        for k in 0..4 {
            let moved = |by: f64| {
                let mut x = x.clone();
                x[k] += by;
                problem.cost_m(&x)
            };
            let numeric = (moved(step) - moved(-step)) / (2.0 * step);
            // Third derivatives of the softened distance reach (0.2 m)³/(1 mm)² per unit of x: 1e-10 · 8e3 / 6.
            prop_assert!((numeric - gradient[k]).abs() < 2e-6, "{k}: {numeric} {}", gradient[k]);
        }
    }
}

#[test]
fn masses_that_were_spoilt_are_mended() {
    let walk = built_in("walk");
    // A very heavy head and light legs: the zero-moment point swings out of the feet.
    let spoilt = walk.body_with(|name| match name {
        "head and neck" => 12.0,
        "thighs" | "shanks" => 0.5,
        _ => 1.0,
    });
    let options = MassOptions { lambda_m: 1e-3, ..MassOptions::default() };
    let fit = estimate(&spoilt, &walk.roles, &[walk.reference()], &options).unwrap();
    assert!(fit.before_m > 1e-3, "{}", fit.before_m);
    assert!(fit.after_m < 0.5 * fit.before_m, "{} {}", fit.before_m, fit.after_m);
    assert!((fit.body.total_mass_kg() / spoilt.total_mass_kg() - 1.0).abs() < 1e-9);
    assert!(fit.body.links().iter().all(|link| link.inertia.mass_kg > 0.0));
    // The file gives it back, and says where it comes from.
    let text = fit.body.to_toml().unwrap();
    assert!(text.contains("masses fitted to 1 clips"));
    assert_eq!(Body::from_toml(&text, walk.clip.skeleton()).unwrap().links(), fit.body.links());
}

#[test]
fn a_larger_weight_stays_nearer_to_the_table() {
    let walk = built_in("walk");
    let spoilt = walk.body_with(|name| if name == "head and neck" { 3.0 } else { 1.0 });
    let away = |lambda_m: f64| {
        let options = MassOptions { lambda_m, ..MassOptions::default() };
        let fit = estimate(&spoilt, &walk.roles, &[walk.reference()], &options).unwrap();
        fit.groups.iter().map(|group| group.factor().ln().powi(2)).sum::<f64>()
    };
    let (light, heavy) = (away(1e-3), away(1.0));
    assert!(light > 10.0 * heavy, "{light} {heavy}");
}

#[test]
fn clips_left_out_are_judged_by_the_others() {
    let walk = built_in("walk");
    let halves = [0..walk.clip.frame_count() / 2, walk.clip.frame_count() / 2..walk.clip.frame_count()]
        .map(|range| made(cut_frames(&walk.clip, FrameIndex(range.start)..FrameIndex(range.end)).unwrap()));
    let spoilt = walk.body_with(|name| if name == "head and neck" { 3.0 } else { 1.0 });
    let references = halves.each_ref().map(Made::reference);
    let folds = cross_validate(&spoilt, &walk.roles, &references, &MassOptions::default()).unwrap();
    assert_eq!(folds.len(), 2);
    let (before_m, after_m) = mean_of(&folds);
    assert!(after_m < before_m, "{before_m} {after_m}");
    let alone = cross_validate(&spoilt, &walk.roles, &references[..1], &MassOptions::default());
    assert!(matches!(alone, Err(AnalysisError::TooFewReferences { found: 1, least: 2 })));
}

#[test]
fn wrong_clocks_and_empty_references_are_refused_by_name() {
    let jump = aplomb_builtins::clip("long-jump").unwrap();
    // Played at double speed, everything falls at 4 g.
    let fast = scale_time(&jump, 0.5).unwrap();
    let fast = made(fast);
    let error = estimate(&fast.body, &fast.roles, &[fast.reference()], &MassOptions::default()).unwrap_err();
    assert!(matches!(&error, AnalysisError::WrongClock { clip, .. } if clip == "made"), "{error}");
    let ball = built_in("ball");
    let error = estimate(&ball.body, &ball.roles, &[ball.reference()], &MassOptions::default()).unwrap_err();
    assert!(matches!(error, AnalysisError::NoReferenceFrames { .. }), "{error}");
    let error = estimate(&ball.body, &ball.roles, &[], &MassOptions::default()).unwrap_err();
    assert!(matches!(error, AnalysisError::TooFewReferences { .. }), "{error}");
    let walk = built_in("walk");
    let error = estimate(&ball.body, &ball.roles, &[walk.reference()], &MassOptions::default()).unwrap_err();
    assert!(matches!(error, AnalysisError::Physics(_)), "{error}");
    for lambda_m in [-1.0, f64::NAN] {
        let options = MassOptions { lambda_m, ..MassOptions::default() };
        let error = estimate(&walk.body, &walk.roles, &[walk.reference()], &options).unwrap_err();
        assert!(matches!(error, AnalysisError::Option { name: "lambda_m", .. }), "{error}");
    }
}
