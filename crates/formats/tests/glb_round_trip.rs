//! BVH → GLB → BVH over real captures: every joint comes back to where it was.

use aplomb_formats::export::encode;
use aplomb_formats::{ReadOptions, WriteOptions, read_bytes, read_file};
use aplomb_motion::{Clip, WorldPose};
use std::path::Path;

mod capture_support;

/// Largest distance of joints, metres.
fn apart_m(a: &Clip, b: &Clip) -> f64 {
    assert_eq!((a.frame_count(), a.skeleton().len()), (b.frame_count(), b.skeleton().len()));
    let (mut pose_a, mut pose_b) = (WorldPose::default(), WorldPose::default());
    let mut worst_m = 0.0f64;
    for frame in a.frames() {
        pose_a.pose(a, frame);
        pose_b.pose(b, frame);
        let pairs = pose_a.joint_in_world_m.iter().zip(&pose_b.joint_in_world_m);
        worst_m = pairs.map(|(p, q)| p.distance(*q)).fold(worst_m, f64::max);
    }
    worst_m
}

#[test]
fn a_bvh_that_went_through_a_glb_is_the_same_motion() {
    let paths: Vec<std::path::PathBuf> =
        capture_support::bvh_files().iter().map(|name| capture_support::path(name)).collect();
    if paths.is_empty() {
        return;
    }
    let options = ReadOptions::default();
    let mut seen = 0;
    // Every fifth, and every dialect: all of them take a minute, and `cargo xtask oracles` has three.js look at the GLB
    // of each.
    let chosen = |(index, path): &(usize, &std::path::PathBuf)| {
        index % 5 == 0 || path.parent().is_some_and(|folder| folder.ends_with("bvh-dialects"))
    };
    for (_, path) in paths.iter().enumerate().filter(chosen) {
        let name = path.display();
        let first = read_file(path, &options).unwrap_or_else(|error| panic!("{error}"));
        let glb = encode(Path::new("a.glb"), &first.clip, Some(&first), first.frame(), &WriteOptions::default())
            .unwrap_or_else(|error| panic!("{name}: {error}"));
        let glb = glb.files.into_iter().next().unwrap().1;
        let second =
            read_bytes(Path::new("a.glb"), glb.clone(), &options).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(second.frame(), first.frame(), "{name}: unit and axes of the source");
        assert_eq!(second.clip.timeline(), first.clip.timeline(), "{name}");
        let bvh = encode(Path::new("b.bvh"), &second.clip, Some(&second), second.frame(), &WriteOptions::default())
            .unwrap_or_else(|error| panic!("{name}: {error}"));
        let third = read_bytes(Path::new("b.bvh"), bvh.files.into_iter().next().unwrap().1, &options)
            .unwrap_or_else(|error| panic!("{name}: {error}"));
        let names = |clip: &Clip| -> Vec<String> { clip.skeleton().joints().iter().map(|j| j.name.clone()).collect() };
        let channels =
            |clip: &Clip| -> Vec<_> { clip.skeleton().joints().iter().map(|j| j.channels.clone()).collect() };
        assert_eq!(channels(&third.clip), channels(&first.clip), "{name}");
        assert_eq!(names(&third.clip), names(&first.clip), "{name}");
        // A tenth of a millimetre on a body of 1.8 m, that is 1e-4 m; files without a stature may be of any size.
        let size_m =
            first.clip.tracks().iter().flat_map(|track| &track.positions_m).map(|p| p.length()).fold(1.0, f64::max);
        let found_m = apart_m(&first.clip, &third.clip);
        assert!(found_m < 1e-4 * size_m, "{name}: {found_m} m");
        // Unedited, a GLB is given back to the byte.
        let copy =
            encode(Path::new("c.glb"), &second.clip, Some(&second), second.frame(), &WriteOptions::default()).unwrap();
        assert!(copy.identical && copy.files[0].1 == glb, "{name}");
        seen += 1;
    }
    assert!(seen > 20, "{seen}");
}
