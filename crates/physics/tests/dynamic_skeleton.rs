//! Folding of captured skeletons, on captures.

use aplomb_formats::{ReadOptions, read_file};
use aplomb_motion::{Roles, WorldPose};
use aplomb_physics::dynamics::{DynamicSkeleton, FoldOptions};
use aplomb_physics::{Body, BodyOptions};
use std::path::PathBuf;

fn data() -> Option<PathBuf> {
    let folder = std::env::var_os("APLOMB_DATA")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"), PathBuf::from);
    if folder.is_dir() {
        return Some(folder);
    }
    eprintln!("SKIPPED: no captures (APLOMB_DATA, default ../shared/data)");
    None
}

#[test]
fn people_of_three_archives_fold_to_sixteen_links_and_come_back() {
    let Some(data) = data() else { return };
    let clips = [
        "cmu-bvh/walk-straight/02_01.bvh",
        "bandai-bvh/dataset-1_bow_normal_001.bvh",
        "bvh-dialects/bvhtoolbox_walk01.bvh",
        "other-bvh/mass_walk.bvh",
    ];
    for name in clips {
        let clip = read_file(&data.join(name), &ReadOptions::default()).unwrap().clip;
        let roles = Roles::detect(&clip);
        let body = Body::of_clip(&clip, &roles, &BodyOptions::default()).unwrap();
        let folded = DynamicSkeleton::new(&clip, &roles, &body, FoldOptions::default()).unwrap();
        let model = &folded.links.model;
        assert_eq!((model.link_count(), model.nv()), (16, 51), "{name}");
        assert!((model.total_mass_kg() - body.total_mass_kg()).abs() < 1e-9, "{name}");
        eprintln!("{name}: folding moves joints by up to {:.1} mm", 1e3 * folded.shift_m);
        // A prototype saw 18 mm at worst; a hand's breadth would be another skeleton.
        assert!(folded.shift_m < 0.04, "{name}: folding moves a joint by {} m", folded.shift_m);
        let options = FoldOptions { upper_body: true, ..FoldOptions::default() };
        let upper = DynamicSkeleton::new(&clip, &roles, &body, options).unwrap();
        assert_eq!((upper.links.model.link_count(), upper.links.model.nv()), (10, 27), "{name}");
        // Back onto the skeleton: unchanged configurations change nothing but where folding moved joints.
        let mut changed = folded.ready(clip.clone()).unwrap();
        let mut q = model.neutral();
        let (mut before, mut pose) =
            (WorldPose::for_skeleton(clip.skeleton()), WorldPose::for_skeleton(clip.skeleton()));
        for frame in clip.frames().step_by(10) {
            before.pose(&clip, frame);
            folded.links.configuration(&before, &mut q);
            folded.put(&q, &mut changed, frame, &mut pose);
            let mut after = WorldPose::for_skeleton(clip.skeleton());
            after.pose(&changed, frame);
            for id in clip.skeleton().ids() {
                let moved_m = after.joint_in_world_m[id.index()].distance(before.joint_in_world_m[id.index()]);
                assert!(moved_m < 1e-9, "{name}, {frame}, {}: {moved_m} m", clip.skeleton().joint(id).name);
                let turned = after.world_from_joint[id.index()].angle_between(before.world_from_joint[id.index()]);
                // angle_between loses half the digits near zero.
                assert!(turned < 1e-7, "{name}, {frame}: {turned} rad");
            }
        }
    }
}
