//! A motion for the page: the body, where every link is at every frame, and what the report says of it.

use crate::packet::Packet;
use crate::poses::{figure, poses};
use crate::scene;
use aplomb_analysis::contacts::ContactSource;
use aplomb_motion::{Clip, JointId, Roles, Side, Skeleton};
use aplomb_pages::Figure;
use aplomb_physics::Body;
use aplomb_project::Inspected;
use aplomb_project::edit::TrackRecord;
use aplomb_project::series_table::kind_name;
use glam::DVec3;
use serde_json::{Map, Value, json};

/// The whole packet of a motion.
pub fn packet(
    clip: &Clip,
    roles: &Roles,
    inspected: Option<&Inspected>,
    body: Option<&Body>,
    scene: Option<&TrackRecord>,
) -> Vec<u8> {
    let figure = figure(clip, roles, body);
    let mut packet = Packet::default();
    let times_secs = match inspected.map(|it| &it.inspection.series.times_secs) {
        Some(times_secs) if times_secs.len() == clip.frame_count() => times_secs.clone(),
        _ => clip.frames().map(|frame| clip.time_secs(frame)).collect(),
    };
    poses(&mut packet, clip, &figure.joints, times_secs);
    let mut header = header(clip, roles, &figure);
    if let Some(scene) = scene {
        header.extend(scene::write_scene(&mut packet, scene, clip.frame_count()));
    }
    if let Some(inspected) = inspected {
        series(&mut packet, inspected);
        header.extend(findings_header(inspected));
    }
    packet.finish(header)
}

fn header(clip: &Clip, roles: &Roles, figure: &Figure) -> Map<String, Value> {
    let skeleton = clip.skeleton();
    let names: Vec<&str> = figure.joints.iter().map(|joint| skeleton.joint(*joint).name.as_str()).collect();
    let parents: Vec<Option<usize>> = figure.joints.iter().map(|joint| parent_link(skeleton, *joint, figure)).collect();
    let parts: Vec<Option<String>> =
        figure.joints.iter().map(|joint| roles.role(*joint).map(|role| role.to_string())).collect();
    let frame_time = clip.timeline().uniform();
    Map::from_iter([
        ("frames".to_owned(), json!(clip.frame_count())),
        ("hz".to_owned(), json!(frame_time.map(|time| time.hz()))),
        ("duration".to_owned(), json!(clip.duration_secs())),
        ("links".to_owned(), json!(names)),
        ("parents".to_owned(), json!(parents)),
        ("roles".to_owned(), json!(parts)),
        ("figure".to_owned(), json!(figure)),
    ])
}

/// The next joint above that is drawn.
fn parent_link(skeleton: &Skeleton, joint: JointId, figure: &Figure) -> Option<usize> {
    let mut at = skeleton.joint(joint).parent;
    // No longer than the tree is deep.
    for _ in 0..skeleton.len() {
        let above = at?;
        if let Some(link) = figure.joints.iter().position(|known| *known == above) {
            return Some(link);
        }
        at = skeleton.joint(above).parent;
    }
    None
}

fn series(packet: &mut Packet, inspected: &Inspected) {
    let series = &inspected.inspection.series;
    let mut vectors = |name: &str, values: &[Option<DVec3>]| {
        packet.array(name, values.iter().flat_map(|value| value.unwrap_or(DVec3::NAN).to_array()));
    };
    vectors("com", &series.com_in_world_m);
    vectors("velocity", &series.com_velocity);
    vectors("momentum", &series.angular_momentum);
    vectors("force", &series.force_newtons);
    vectors("zmp", &series.zmp_in_world_m);
    vectors("cop", &series.cop_in_world_m);
    let mut scalars = |name: &str, values: &[Option<f64>]| {
        packet.array(name, values.iter().map(|value| value.unwrap_or(f64::NAN)));
    };
    scalars("zmp_distance", &series.zmp_distance_m);
    scalars("balance", &series.balance_distance_m);
    scalars("friction", &series.friction_ratio);
    scalars("penetration", &series.penetration_m);
    scalars("support_height", &series.support_height_m);
    packet.array("polygon_start", polygon_starts(&series.support_polygon_m));
    packet.array("polygon", series.support_polygon_m.iter().flatten().flat_map(|corner| corner.to_array()));
}

/// Corner at which the polygon of each frame begins, and the end of the last one's.
fn polygon_starts(polygons: &[Vec<glam::DVec2>]) -> Vec<f64> {
    let mut starts = vec![0.0];
    let mut corners = 0;
    for polygon in polygons {
        corners += polygon.len();
        starts.push(corners as f64);
    }
    starts
}

fn findings_header(inspected: &Inspected) -> Map<String, Value> {
    let inspection = &inspected.inspection;
    let contacts = &inspection.contacts;
    let effectors: Vec<Value> = contacts
        .effectors
        .iter()
        .map(|it| json!({ "name": it.name, "side": it.side.map(|side| if side == Side::Left { "left" } else { "right" }) }))
        .collect();
    let drifts = inspection.contact_reports.iter().map(|report| report.drift_m).chain(std::iter::repeat(None));
    let spans: Vec<Value> = contacts
        .contacts
        .iter()
        .zip(drifts)
        .map(|(it, drift_m)| {
            json!({ "effector": it.effector, "start": it.start_secs, "end": it.end_secs, "drift_m": drift_m,
                    "hand": it.source == ContactSource::Hand })
        })
        .collect();
    let phases: Vec<Value> =
        inspection.phases.iter().map(|it| json!([kind_name(it.kind), it.start_secs, it.end_secs])).collect();
    let flights: Vec<Value> = contacts
        .flights
        .iter()
        .zip(&inspection.flight_reports)
        .map(|(flight, report)| {
            json!({ "start": flight.start_secs, "end": flight.end_secs, "g": report.g, "verdict": report.verdict })
        })
        .collect();
    Map::from_iter([
        ("effectors".to_owned(), json!(effectors)),
        ("contacts".to_owned(), json!(spans)),
        ("phases".to_owned(), json!(phases)),
        ("flights".to_owned(), json!(flights)),
        ("mass".to_owned(), json!(inspection.total_mass_kg)),
        ("floor".to_owned(), json!(contacts.floor_height_m)),
        ("stray".to_owned(), json!(contacts.stray_first_frame)),
        ("warnings".to_owned(), json!(inspection.warnings)),
        ("score".to_owned(), json!(inspection.score.score_all)),
        ("zmp_mean_m".to_owned(), json!(inspection.zmp.mean_m)),
        ("outside_share".to_owned(), json!(inspection.zmp.outside_share)),
        ("friction".to_owned(), json!(aplomb_analysis::InspectOptions::default().friction)),
    ])
}
