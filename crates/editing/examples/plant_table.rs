//! Foot planting alone on captures: how far feet slide before and after, and whether anything pops.
//!
//! `plant_table [--all | FILE …]`: the clips of the proof, every capture, or these files below the folder of captures.

#[path = "../tests/measures/mod.rs"]
mod measures;

use aplomb_analysis::Ground;
use aplomb_analysis::Take;
use aplomb_editing::footplant::{PlantOptions, load_skate, plant, planting_contacts};
use aplomb_motion::{Role, Side};
use measures::{
    Capture, captures, change_deg, lowest_m, median, peak_acceleration, peak_knee, toe_change_deg, with_jitter,
};
use std::path::Path;

/// Every Bandai clip, straight and turning walks, jumps, stairs, dances and acrobatics of CMU, and noisy copies.
const FOLDERS: [&str; 7] = [
    "bandai-bvh",
    "cmu-bvh/walk-straight",
    "cmu-bvh/walk-turn",
    "cmu-bvh/jump-forward",
    "cmu-bvh/stairs-terrain",
    "cmu-bvh/dance",
    "quadruped/dog-bvh-derived",
];
const NOISY: [&str; 3] =
    ["cmu-bvh/walk-straight/02_01.bvh", "cmu-bvh/jump-forward/16_06.bvh", "bandai-bvh/dataset-1_walk_normal_001.bvh"];

fn main() {
    let Some(folder) = captures() else { return };
    let mut files: Vec<String> = std::env::args().skip(1).collect();
    let all = files == ["--all"];
    if files.is_empty() || all {
        files.clear();
        let folders = if all { vec![""] } else { FOLDERS.to_vec() };
        folders.iter().for_each(|below| add_clips(&folder, below, &mut files));
        files.sort();
        files.extend(NOISY.map(|file| format!("{file}+noise")));
    }
    let (mut planted_clips, mut missing_clips) = (0usize, 0usize);
    println!(
        "clip                             pins  worst mm  mean mm (before)  drop mm  acceleration x  knee x (rad/s²)  sunk mm  change deg  toes: air  down  load: mean mm (before)  mm/s (before)"
    );
    let (mut failed, mut knees, mut slides) = (Vec::new(), Vec::new(), Vec::new());
    for file in files {
        let (file, noisy) = file.strip_suffix("+noise").map_or((file.clone(), false), |file| (file.to_owned(), true));
        let Some(mut capture) = Capture::try_read(&folder, &file) else {
            println!("{file}: no body or no contacts");
            continue;
        };
        if noisy {
            // Half a degree and three millimetres in every frame: jitter that is easily seen.
            capture = Capture::of(capture.name + "+noise", with_jitter(&capture.clip, 0.01, 0.003), capture.roles);
        }
        let Capture { name, clip, roles, body, .. } = &capture;
        let contacts =
            &planting_contacts(&Take::new(clip.clone(), roles.clone(), body.clone())).cloned().expect("contacts");
        let toes_deg = |planted: &aplomb_motion::Clip| toe_change_deg(clip, planted, roles, contacts);
        let planted = match plant(
            &Take::new(clip.clone(), roles.clone(), body.clone()).with_known_contacts(contacts.clone(), None),
            &PlantOptions::default(),
        ) {
            Ok(planted) => planted,
            Err(error) => {
                println!("{name:<32} {error}");
                continue;
            }
        };
        let ground = Ground::default();
        let has_knees = roles.joint(Role::Shank(Side::Left)).is_some();
        // A still has no peaks at all.
        let share = |after: f64, before: f64| if before > 0.0 { after / before } else { 1.0 };
        let [own_knee, new_knee] =
            [clip, &planted.clip].map(|clip| if has_knees { peak_knee(clip, roles) } else { 0.0 });
        let knee = share(new_knee, own_knee);
        let acceleration = share(peak_acceleration(&planted.clip), peak_acceleration(clip));
        let sunk_mm = (lowest_m(clip, contacts, &ground) - lowest_m(&planted.clip, contacts, &ground)) * 1e3;
        let skate = [clip, &planted.clip].map(|clip| load_skate(clip, contacts, &ground));
        let [air_deg, down_deg] = toes_deg(&planted.clip);
        let (worst_mm, mean_mm) = (planted.after.worst_m * 1e3, planted.after.mean_m * 1e3);
        println!(
            "{name:<32} {:4} {worst_mm:9.2} {mean_mm:8.2} {:9.2} {:8.1} {acceleration:13.2} {knee:9.2} {new_knee:6.0} {sunk_mm:8.2} {:9.2} {air_deg:10.1} {down_deg:5.1} {:10.1} {:8.1} {:11.1} {:8.1}",
            planted.after.pins,
            planted.before.mean_m * 1e3,
            planted.outcome.deepest_drop_m * 1e3,
            change_deg(clip, &planted.clip),
            skate[1].mean_m * 1e3,
            skate[0].mean_m * 1e3,
            skate[1].mean_speed * 1e3,
            skate[0].mean_speed * 1e3,
        );
        slides.push(skate[1].mean_speed / skate[0].mean_speed.max(1e-9));
        knees.push(knee);
        let bars = [
            (worst_mm <= 2.0 && mean_mm <= 0.5, "drifts"),
            (acceleration <= 1.5, "acceleration"),
            (knee <= 2.5, "knee"),
            (sunk_mm <= 2.0, "sinks"),
            (air_deg <= 3.0, "toes in the air"),
        ];
        planted_clips += 1;
        missing_clips += usize::from(bars.iter().any(|(holds, _)| !holds));
        failed.extend(bars.iter().filter(|(holds, _)| !holds).map(|(_, what)| format!("{name}: {what}")));
    }
    let knee = median(knees);
    if knee > 1.4 {
        failed.push(format!("median knee {knee:.2}"));
    }
    println!(
        "median knee {knee:.2}; sliding over whole loads {:.2} of before (median); {} bars missed {failed:?}",
        median(slides),
        failed.len()
    );
    println!("{} of {planted_clips} planted clips hold every bar", planted_clips - missing_clips);
    if !failed.is_empty() {
        std::process::exit(1);
    }
}

/// Motion files of a folder and the folders in it, as paths below `folder`.
fn add_clips(folder: &Path, below: &str, files: &mut Vec<String>) {
    for entry in std::fs::read_dir(folder.join(below)).expect("readable folder") {
        let entry = entry.expect("readable entry");
        let name = entry.file_name().into_string().expect("UTF-8");
        let path = if below.is_empty() { name } else { format!("{below}/{name}") };
        if entry.file_type().expect("file type").is_dir() {
            add_clips(folder, &path, files);
        } else if path.ends_with(".bvh") {
            files.push(path);
        }
    }
}
