//! Proof 2: gestures in free space. Errors, lag, peaks of hand speed, shaking, convergence, speed.

use crate::Bars;
use crate::measures::{Capture, mean, median};
use aplomb_analysis::Take;
use aplomb_editing::track::measure::beside_markers;
use aplomb_editing::track::{Interpolation, Orientations, ServoTargets, TrackOptions, Tracked, find_stiffness};
use aplomb_formats::ReadOptions;
use aplomb_motion::{Clip, FrameTime, Timeline, edit, so3};
use aplomb_physics::simulation::{Damping, Scheme, ServoGains};
use cpu_time::ThreadTime;
use glam::DVec3;
use std::path::Path;

/// Gestures, traffic, drums, waves, swings, punches; the last five took no part when gains were chosen.
pub const CLIPS: [&str; 13] = [
    "cmu-bvh/gesture-upper/79_18.bvh",
    "cmu-bvh/gesture-upper/62_07.bvh",
    "cmu-bvh/gesture-upper/13_26.bvh",
    "cmu-bvh/gesture-upper/113_27.bvh",
    "cmu-bvh/gesture-upper/02_05.bvh",
    "cmu-bvh/swing-carry/02_08.bvh",
    "cmu-bvh/swing-carry/124_07.bvh",
    "bandai-bvh/dataset-1_punch_normal_001.bvh",
    "cmu-bvh/gesture-upper/141_16.bvh",
    "cmu-bvh/swing-carry/79_01.bvh",
    "cmu-bvh/swing-carry/80_19.bvh",
    "bandai-bvh/dataset-2_wave-right-hand_normal_001.bvh",
    "bandai-bvh/dataset-1_byebye_normal_001.bvh",
];

/// A capture at its true rate: subject 141 was taken at 60 frames a second, whatever its files say.
pub fn read(folder: &Path, file: &str) -> Capture {
    let capture = Capture::read(folder, file);
    if !capture.name.starts_with("141_") {
        return capture;
    }
    let rate = Timeline::Uniform(FrameTime::from_hz(60.0).unwrap());
    Capture { clip: capture.clip.with_timeline(rate).unwrap(), ..capture }
}

struct Row {
    error_deg: f64,
    lag_ms: f64,
    ratios: Vec<f64>,
}

fn row(name: &str, tracked: &Tracked) -> Row {
    let report = &tracked.report;
    let moving: Vec<_> = report.hands.iter().filter(|hand| !hand.peak_ratios.is_empty()).collect();
    let lag_ms = 1e3 * median(moving.iter().map(|hand| hand.lag_secs).collect());
    let ratios: Vec<f64> = moving.iter().flat_map(|hand| hand.peak_ratios.iter().copied()).collect();
    println!(
        "  {name:34} {:5.2}°  lag {lag_ms:4.0} ms  peaks {:.2} of {:3}  shaking {:.2}",
        report.rms_error_deg,
        median(ratios.clone()),
        ratios.len(),
        report.shaking_ratio.unwrap_or(f64::NAN),
    );
    Row { error_deg: report.rms_error_deg, lag_ms, ratios }
}

pub fn prove(folder: &Path, bars: &mut Bars) {
    let all: Vec<Capture> = CLIPS.iter().map(|file| read(folder, file)).collect();
    for (name, gains, limits) in [
        ("paper's damping, s = 10 000", ServoGains { stiffness_per_s2: 1e4, damping: Damping::Paper }, None),
        ("s = 1000", ServoGains { stiffness_per_s2: 1e3, damping: Damping::Ratio(1.0) }, None),
        ("s = 4000", ServoGains::default(), Some([5.5, 7.0, 55.0, 0.7])),
        ("s = 10 000", ServoGains { stiffness_per_s2: 1e4, ..ServoGains::default() }, Some([3.5, 5.0, 30.0, 0.8])),
    ] {
        println!("{name}");
        let options = TrackOptions { gains, ..TrackOptions::default() };
        let (mut secs, mut simulated) = (0.0, 0.0);
        let mut rows = Vec::new();
        for capture in &all {
            let take = Take::new(capture.clip.clone(), capture.roles.clone(), capture.body.clone());
            let targets = ServoTargets::of_take(&take, &options).unwrap();
            let start = ThreadTime::now();
            let tracked = targets.play(&options, &|_, _| {}).unwrap();
            (secs, simulated) = (secs + start.elapsed().as_secs_f64(), simulated + capture.clip.duration_secs());
            rows.push(row(&capture.name, &tracked));
        }
        let errors: Vec<f64> = rows.iter().map(|row| row.error_deg).collect();
        let worst = errors.iter().copied().fold(0.0, f64::max);
        let lag = rows.iter().map(|row| row.lag_ms).fold(0.0, f64::max);
        let ratios: Vec<f64> = rows.iter().flat_map(|row| row.ratios.iter().copied()).collect();
        let near = ratios.iter().filter(|ratio| (**ratio - 1.0).abs() <= 0.1).count() as f64 / ratios.len() as f64;
        let ratio = median(ratios);
        println!(
            "  all: {:.2}° worst {worst:.2}°, lag ≤ {lag:.0} ms, peak ratio {ratio:.2}, {:.0} % within 10 %, {:.0} × real time",
            mean(&errors),
            1e2 * near,
            simulated / secs
        );
        if let Some([most_mean, most, most_lag, least_near]) = limits {
            bars.ask(
                &format!("{name}: mean error ≤ {most_mean}°"),
                mean(&errors) <= most_mean,
                format!("{:.2}°", mean(&errors)),
            );
            bars.ask(&format!("{name}: each ≤ {most}°"), worst <= most, format!("{worst:.2}°"));
            bars.ask(&format!("{name}: lag ≤ {most_lag} ms"), lag <= most_lag, format!("{lag:.0} ms"));
            bars.ask(&format!("{name}: median peak 0.95–1.05"), (0.95..=1.05).contains(&ratio), format!("{ratio:.3}"));
            let factor = simulated / secs;
            bars.ask(&format!("{name}: ≥ 150 × real time"), factor >= 150.0, format!("{factor:.0} ×"));
            let told = format!("{:.0} %", 1e2 * near);
            bars.ask(&format!("{name}: peaks within 10 % ≥ {:.0} %", 1e2 * least_near), near >= least_near, told);
        }
    }
    noisy(&all[1..5], bars);
    converges(&all[0], bars);
}

/// Orientations at 20 Hz with 1° of noise, as an electromagnetic tracker gives them.
fn noisy(captures: &[Capture], bars: &mut Bars) {
    println!("20 Hz orientations with 1° of noise, s = 4000 and auto");
    let options = TrackOptions { interpolation: Interpolation::Slerp, ..TrackOptions::default() };
    for capture in captures {
        let clip = edit::cut(&capture.clip, 0.0..12.0).unwrap_or_else(|_| capture.clip.clone());
        let given = with_noise(&clip, 20.0, 1f64.to_radians());
        let take = Take::new(clip, capture.roles.clone(), capture.body.clone());
        let targets = ServoTargets::of_orientations(&given, &take, &options).unwrap();
        let ratio = targets.play(&options, &|_, _| {}).unwrap().report.shaking_ratio.unwrap();
        let (best, search) = find_stiffness(&targets, &options, &|_, _| {}).unwrap();
        let claim = format!("{}: shaking ≤ ¼ of playback's", capture.name);
        let auto = best.report.shaking_ratio.unwrap();
        bars.ask(
            &claim,
            ratio <= 0.25 && auto <= 0.25 && search.is_smooth,
            format!(
                "{ratio:.2}; auto s = {:.0}: {auto:.2}, ε {:.1}°",
                best.report.stiffness_per_s2, best.report.mean_error_deg
            ),
        );
    }
}

/// Figure 6: hand speeds of markers that tracking never saw, of playback and of what was played. Only one take has its
/// markers beside it.
pub fn markers(folder: &Path, bars: &mut Bars) {
    let capture = read(folder, "cmu-bvh/gesture-upper/02_05.bvh");
    let taken = aplomb_formats::read_file(&folder.join("c3d/cmu_02_05.c3d"), &ReadOptions::default()).unwrap();
    let (frames, own) = (taken.clip.frame_count(), capture.clip.frame_count());
    assert!(frames.abs_diff(own) <= 1, "{frames} frames of markers, {own} of joints");
    let step_secs = capture.clip.timeline().uniform().unwrap().secs();
    let options = TrackOptions { interpolation: Interpolation::Slerp, ..TrackOptions::default() };
    let given = with_noise(&capture.clip, 20.0, 1f64.to_radians());
    let take = Take::new(capture.clip.clone(), capture.roles.clone(), capture.body.clone());
    let scores = [
        ("capture", ServoTargets::of_take(&take, &options).unwrap()),
        ("20 Hz, 1° of noise", ServoTargets::of_orientations(&given, &take, &options).unwrap()),
    ];
    for (name, targets) in scores {
        let played = targets.play(&options, &|_, _| {}).unwrap();
        for hand in &played.report.hands {
            let found = beside_markers(hand, &taken.clip, &taken.roles, step_secs).unwrap().unwrap();
            let ([a, b], [c, d]) = (found.peak_ratio, found.correlation);
            println!(
                "markers, {name}, {} hand: peaks × {a:.2} playback, × {b:.2} played; correlation {c:.3}, {d:.3}",
                hand.side
            );
            if name != "capture" {
                // The figure's own claim.
                let claim = format!("markers, {}: nearer to what was played than to playback", hand.side);
                bars.ask(&claim, d > c, format!("{d:.3} and {c:.3}"));
            }
        }
    }
}

fn with_noise(clip: &Clip, hz: f64, sigma_rad: f64) -> Orientations {
    let mut given = Orientations::of_clip(clip, clip.skeleton().ids().collect(), hz);
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut uniform = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as f64 / (1u64 << 53) as f64
    };
    // Twelve uniform numbers have a variance of one.
    let mut normal = || (0..12).map(|_| uniform()).sum::<f64>() - 6.0;
    for rotation in &mut given.rotations {
        *rotation *= so3::exp(DVec3::new(normal(), normal(), normal()) * sigma_rad / 3f64.sqrt());
    }
    given
}

fn converges(capture: &Capture, bars: &mut Bars) {
    let clip = edit::cut(&capture.clip, 2.0..6.0).unwrap();
    let play = |options: &TrackOptions| {
        let take = Take::new(clip.clone(), capture.roles.clone(), capture.body.clone());
        let targets = ServoTargets::of_take(&take, options).unwrap();
        targets.play(options, &|_, _| {}).unwrap().clip
    };
    let tiny = TrackOptions { hz: 15_360.0, scheme: Scheme::Explicit, ..TrackOptions::default() };
    let truth = play(&tiny);
    let driven = |clip: &Clip, other: &Clip| {
        // Only joints that are driven differ at all.
        let pairs = clip.rotations().iter().zip(other.rotations()).map(|(a, b)| so3::angle_between(*a, *b).powi(2));
        let (sum, count) = pairs.filter(|square| *square > 0.0).fold((0.0, 0.0), |(s, n), x| (s + x, n + 1.0));
        f64::sqrt(sum / f64::max(count, 1.0)).to_degrees()
    };
    let errors =
        [120.0, 240.0, 480.0, 960.0].map(|hz| driven(&play(&TrackOptions { hz, ..TrackOptions::default() }), &truth));
    println!("against explicit steps of 1/15 360 s, {}: 120, 240, 480, 960 Hz: {errors:.3?}°", capture.name);
    bars.ask("1/480 s within 0.25° of explicit 1/15 360 s", errors[2] <= 0.25, format!("{:.3}°", errors[2]));
    bars.ask(
        "half the step, half the error",
        (0.4..0.6).contains(&(errors[3] / errors[2])),
        format!("{:.2}", errors[3] / errors[2]),
    );
}
