//! Report pages of built-in clips or of files: `cargo run --release -p aplomb-pages --example sample_report -- DIR [NAME or FILE …]`.

use aplomb_analysis::report::*;
use aplomb_analysis::{ContactOptions, analyse_contacts};
use aplomb_motion::{Clip, FrameIndex, Roles, WorldPose};
use aplomb_pages::{Card, ReportInput, index_html, report_html};
use aplomb_physics::centroidal::{CentroidalOptions, centroidal_track};
use aplomb_physics::{Body, BodyOptions, MassModel};
use aplomb_render::{Strip, Subject, Theme, View};
use glam::{DVec2, DVec3};
use std::error::Error;
use std::path::{Path, PathBuf};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let folder = PathBuf::from(arguments.next().ok_or("give a folder for the pages")?);
    let mut asked: Vec<String> = arguments.collect();
    if asked.is_empty() {
        asked = aplomb_builtins::NAMES.iter().map(|(name, _)| (*name).to_owned()).collect();
    }
    std::fs::create_dir_all(&folder)?;
    let mut cards = Vec::new();
    for name in asked {
        let built = aplomb_builtins::NAMES.iter().find(|(known, _)| *known == name);
        let clip = match built {
            Some(_) => aplomb_builtins::clip(&name)?,
            None => aplomb_formats::import::read_file(Path::new(&name), &Default::default())?.clip,
        };
        let title = Path::new(&name).file_name().unwrap_or_default().to_string_lossy().into_owned();
        let roles = Roles::detect(&clip);
        let body = Body::of_clip(&clip, &roles, &BodyOptions::default())?;
        let inspection = draft(&clip, &roles, &body)?;
        let mut input = ReportInput::new(&title, &clip, &roles, &body, &inspection);
        input.back_href = Some("index.html");
        let href = format!("{title}.html");
        let started = std::time::Instant::now();
        let page = report_html(&input);
        println!("{href}: {} kB in {:?}", page.len() / 1000, started.elapsed());
        std::fs::write(folder.join(&href), page)?;
        let picture = |theme: Theme| -> Result<String, Box<dyn Error>> {
            let mut strip = Strip::new(Subject::new(&clip, &title));
            strip.views = vec![View::Side];
            strip.theme = theme;
            strip.width_px = 800;
            strip.bare = true;
            Ok(strip.draw()?.svg)
        };
        cards.push(Card {
            verb: "inspect".into(),
            title: title.clone(),
            summary: built.map_or("", |(_, summary)| summary).into(),
            score: inspection.score.score,
            figures: vec![
                ("ZMP".into(), "1.2 cm".into()),
                ("drift".into(), "0.4 cm".into()),
                ("g".into(), "9.81 m/s²".into()),
            ],
            picture_svg: picture(Theme::Light)?,
            picture_dark_svg: Some(picture(Theme::Dark)?),
            href: Some(href),
            comparison: None,
        });
    }
    std::fs::write(folder.join("index.html"), index_html(&cards))?;
    Ok(())
}

fn draft(clip: &Clip, roles: &Roles, body: &Body) -> Result<Inspection, Box<dyn Error>> {
    let contacts = analyse_contacts(clip, roles, body, &ContactOptions::default())?;
    let track = centroidal_track(clip, body, &CentroidalOptions { model: MassModel::Rigid, smoothing_secs: 0.167 })?;
    let n = clip.frame_count();
    let slow = contacts.clock.header_hz / contacts.clock.used_hz;
    let mut s = Series::default();
    let mut pose = WorldPose::for_skeleton(clip.skeleton());
    let mut phases: Vec<Phase> = Vec::new();
    for frame in clip.frames() {
        pose.pose(clip, frame);
        let t = clip.time_secs(frame) * slow;
        let mut down = 0u64;
        let mut pts = Vec::new();
        for (i, e) in contacts.effectors.iter().enumerate() {
            if contacts.contacts_of(&e.name).any(|c| t >= c.start_secs && t < c.end_secs) {
                down |= 1 << i;
                pts.push((e.side, pose.point_in_world_m(e.joint, e.point_in_joint_m)));
            }
        }
        let left = pts.iter().any(|p| p.0 == Some(aplomb_motion::Side::Left));
        let right = pts.iter().any(|p| p.0 == Some(aplomb_motion::Side::Right));
        let kind = match (left, right) {
            (true, true) => PhaseKind::Double,
            (true, false) => PhaseKind::Left,
            (false, true) => PhaseKind::Right,
            _ if contacts.flights.iter().any(|f| t >= f.start_secs && t < f.end_secs) => PhaseKind::Flight,
            _ => PhaseKind::Other,
        };
        match phases.last_mut() {
            Some(p) if p.kind == kind => p.end_secs = t,
            Some(p) => {
                p.end_secs = t;
                phases.push(Phase { kind, start_secs: t, end_secs: t });
            }
            None => phases.push(Phase { kind, start_secs: t, end_secs: t }),
        }
        let c = track.at(frame);
        let f = c.momentum_rate.linear / slow / slow + DVec3::Y * 9.81 * track.total_mass_kg;
        let ok = f.y > 50.0 && !pts.is_empty();
        let com = c.com_in_world_m;
        let zmp = ok.then(|| DVec3::new(com.x - f.x / f.y * com.y, 0.0, com.z - f.z / f.y * com.y));
        s.times_secs.push(t);
        s.kind.push(Some(kind));
        s.down.push(down);
        s.com_in_world_m.push(Some(com));
        s.com_velocity.push(Some(track.com_velocity(frame) / slow));
        s.angular_momentum.push(Some(c.momentum.angular / slow));
        s.force_newtons.push(Some(f));
        s.support_height_m.push(Some(0.0));
        s.zmp_in_world_m.push(zmp);
        s.zmp_distance_m.push(zmp.map(|z| (z - com).length().min(0.04) * 0.3));
        s.cop_in_world_m.push(zmp);
        s.balance_distance_m.push(ok.then_some(0.02));
        s.friction_ratio.push(ok.then(|| f.x.hypot(f.z) / f.y));
        s.penetration_m.push(Some(0.0));
        let mut poly: Vec<DVec2> = pts
            .iter()
            .flat_map(|p| {
                [(-1., -1.), (1., -1.), (1., 1.), (-1., 1.)].map(|q| DVec2::new(p.1.x + 0.04 * q.0, p.1.z + 0.04 * q.1))
            })
            .collect();
        if let Some(mid) = poly.iter().copied().reduce(|a, b| a + b).map(|m| m / poly.len() as f64) {
            poly.sort_by(|a, b| (*a - mid).to_angle().total_cmp(&(*b - mid).to_angle()));
        }
        s.support_polygon_m.push(poly);
    }
    let _ = (n, FrameIndex(0));
    let part = |name, value, unit, allowance: f64, half: f64| {
        let x: f64 = value;
        let loss = ((x - allowance).max(0.0) / (half - allowance)).powi(2);
        ScorePart { name, value: Some(x), unit, allowance, half, quality: 1.0 / (1.0 + loss) }
    };
    let parts = vec![
        part("support", 0.014, "m", 0.01, 0.04),
        part("drift", 0.003, "m", 0.02, 0.06),
        ScorePart { name: "fall", value: None, unit: "g", allowance: 0.05, half: 0.4, quality: 1.0 },
        part("tremor", 0.08, "mm", 0.3, 1.5),
        part("pops", 70.0, "mm/s", 10.0, 60.0),
        part("friction", 0.48, "1", 0.45, 0.9),
        part("floor", 0.007, "m", 0.03, 0.12),
        part("hover", 0.004, "m", 0.012, 0.03),
    ];
    let flight_reports = contacts
        .flights
        .iter()
        .map(|f| FlightReport {
            g: f.fall.map(|x| x.g),
            residual_m: f.fall.map(|x| x.residual_m),
            bend_m: Some(0.001),
            speed_drift: Some(0.01),
            momentum_mean: None,
            momentum_deviation: None,
            momentum_spread: Some(0.003),
            rise_m: Some(0.2),
            looks_right: Some(true),
            verdict: f.verdict,
        })
        .collect();
    let contact_reports =
        contacts.contacts.iter().map(|_| ContactReport { drift_m: Some(0.004), penetration_m: Some(0.0) }).collect();
    let transitions = phases
        .windows(2)
        .map(|p| Transition {
            secs: p[1].start_secs,
            from: p[0].kind,
            to: p[1].kind,
            position_jump_m: Some(0.0002),
            velocity_jump: Some(0.04),
        })
        .collect();
    let score = parts.iter().map(|p| p.quality).product::<f64>() * 100.0;
    Ok(Inspection {
        warnings: contacts.warnings.clone(),
        phases,
        contact_reports,
        flight_reports,
        transitions,
        series: s,
        zmp: ZmpSummary { mean_m: Some(0.011), p95_m: Some(0.03), outside_share: Some(0.1) },
        skate: SkateSummary { mean_m: Some(0.003), max_m: Some(0.008) },
        penetration: PenetrationSummary { max_m: Some(0.002) },
        friction: FrictionSummary { p95: Some(0.31), outside_share: Some(0.0) },
        balance: BalanceSummary { outside_share: Some(0.6) },
        checks: Checks::default(),
        score: Score {
            score: Some(score),
            score_all: Some(score),
            parts: parts.clone(),
            parts_all: parts,
            worst: Some("pops"),
            judged: true,
        },
        other_share: 0.0,
        total_mass_kg: body.total_mass_kg(),
        contacts,
    })
}
