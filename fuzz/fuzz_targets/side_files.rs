//! Aplomb's own side files, `roles.toml` and `body.toml`: reading never panics, and the numbers and roles that were
//! read are written and read again without a change.
#![no_main]

use std::sync::{Arc, LazyLock};

use aplomb_formats::roles_file;
use aplomb_fuzz::check_messages;
use aplomb_motion::{Channels, Roles, Skeleton};
use aplomb_physics::Body;
use glam::DVec3;

/// The skeleton whose joints the dictionary and the seeds name; one name is there twice, one has blanks.
static SKELETON: LazyLock<Arc<Skeleton>> = LazyLock::new(|| {
    let mut builder = Skeleton::builder();
    let hips = builder.add(None, "Hips", DVec3::ZERO, Channels::default());
    let thigh = builder.add(Some(hips), "LeftUpLeg", DVec3::new(0.1, -0.1, 0.0), Channels::default());
    builder.add(Some(thigh), "Bip01 L Foot", DVec3::new(0.0, -0.8, 0.0), Channels::default());
    let spine = builder.add(Some(hips), "Spine", DVec3::new(0.0, 0.2, 0.0), Channels::default());
    builder.add(Some(spine), "Spine", DVec3::new(0.0, 0.2, 0.0), Channels::default());
    Arc::new(builder.build().expect("the skeleton is sound"))
});

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    match roles_file::parse(data, &SKELETON) {
        Ok(given) => {
            let roles = Roles::detect_skeleton(&SKELETON).with_overrides(&given);
            let written = roles_file::write(&SKELETON, &roles);
            let again = roles_file::parse(written.as_bytes(), &SKELETON).expect("we read what we wrote");
            for (joint, role) in again {
                assert_eq!(roles.role(joint), role, "{joint:?}");
            }
        }
        Err(error) => check_messages(&[], Some(&error)),
    }
    let Ok(text) = std::str::from_utf8(data) else { return };
    if let Ok(body) = Body::from_toml(text, &SKELETON) {
        let written = body.to_toml().expect("what was read can be written");
        let again = Body::from_toml(&written, &SKELETON).expect("we read what we wrote");
        // The numbers; the words on where they come from name the file they were read from.
        assert_eq!(again.links(), body.links());
    }
});
