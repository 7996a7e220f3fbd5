//! Whole pictures: well-formed, true to scale, safe with hostile names, the same every time.

use crate::{FrameSelection, Layout, MAX_FIGURES, Picture, RenderError, Strip, Subject, Theme, View};
use aplomb_motion::{Channels, Clip, FrameIndex, FrameTime, JointId, Skeleton, Timeline, TranslationTrack};
use glam::{DQuat, DVec3};
use resvg::{tiny_skia, usvg};
use std::sync::Arc;

/// A walker of two legs, a trunk, arms and a head, 1.75 m tall, facing +Z, with swinging legs.
fn walker(frames: usize, speed_m_per_sec: f64) -> Clip {
    let mut builder = Skeleton::builder();
    let mut add = |parent: Option<JointId>, name: &str, offset: [f64; 3]| {
        builder.add(parent, name, DVec3::from_array(offset), Channels::default())
    };
    let hips = add(None, "Hips", [0.0, 0.95, 0.0]);
    let mut thighs = Vec::new();
    let mut toes = Vec::new();
    for (side, x) in [("Left", 0.09), ("Right", -0.09)] {
        let thigh = add(Some(hips), &format!("{side}UpLeg"), [x, 0.0, 0.0]);
        let shank = add(Some(thigh), &format!("{side}Leg"), [0.0, -0.44, 0.0]);
        let foot = add(Some(shank), &format!("{side}Foot"), [0.0, -0.43, 0.0]);
        toes.push(add(Some(foot), &format!("{side}ToeBase"), [0.0, -0.06, 0.14]));
        thighs.push(thigh);
    }
    let spine = add(Some(hips), "Spine", [0.0, 0.12, 0.0]);
    let chest = add(Some(spine), "Spine1", [0.0, 0.2, 0.0]);
    let neck = add(Some(chest), "Neck", [0.0, 0.22, 0.0]);
    let head = add(Some(neck), "Head", [0.0, 0.1, 0.0]);
    for (side, x) in [("Left", 1.0), ("Right", -1.0)] {
        let shoulder = add(Some(chest), &format!("{side}Shoulder"), [0.03 * x, 0.17, 0.0]);
        let arm = add(Some(shoulder), &format!("{side}Arm"), [0.15 * x, 0.0, 0.0]);
        let forearm = add(Some(arm), &format!("{side}ForeArm"), [0.0, -0.28, 0.0]);
        add(Some(forearm), &format!("{side}Hand"), [0.0, -0.25, 0.0]);
    }
    builder.end_site(head, DVec3::Y * 0.16);
    for toe in toes {
        builder.end_site(toe, DVec3::Z * 0.07);
    }
    let skeleton = Arc::new(builder.build().unwrap());
    let rate = FrameTime::from_hz(100.0).unwrap();
    let mut rotations = vec![DQuat::IDENTITY; frames * skeleton.len()];
    for frame in 0..frames {
        let swing_rad = 0.5 * (frame as f64 * 0.06).sin();
        rotations[frame * skeleton.len() + thighs[0].index()] = DQuat::from_rotation_x(swing_rad);
        rotations[frame * skeleton.len() + thighs[1].index()] = DQuat::from_rotation_x(-swing_rad);
    }
    let at = |frame: usize| DVec3::new(0.0, 0.95, frame as f64 * 0.01 * speed_m_per_sec);
    let track = TranslationTrack { joint: hips, positions_m: (0..frames).map(at).collect() };
    Clip::new(skeleton, Timeline::Uniform(rate), frames, rotations, vec![track]).unwrap()
}

/// A rod of 1 m that lies along Z at height 1 m, and does not move.
fn rod() -> Clip {
    let mut builder = Skeleton::builder();
    let joint = builder.add(None, "rod", DVec3::Y, Channels::default());
    builder.end_site(joint, DVec3::X);
    still(builder.build().unwrap(), 1)
}

fn still(skeleton: Skeleton, frames: usize) -> Clip {
    Clip::at_rest(Arc::new(skeleton), Timeline::Uniform(FrameTime::from_hz(30.0).unwrap()), frames).unwrap()
}

fn draw(clip: &Clip) -> Picture {
    Strip::new(Subject::new(clip, "clip")).draw().unwrap()
}

fn count(picture: &Picture, what: &str) -> usize {
    picture.svg.matches(what).count()
}

#[test]
fn pictures_are_well_formed_and_the_size_they_say() {
    let clip = walker(300, 1.4);
    for theme in [Theme::Light, Theme::Dark] {
        for layout in [Layout::InPlace, Layout::Sequence] {
            let mut strip = Strip::new(Subject::new(&clip, "walk"));
            strip.views = vec![View::Side, View::Top, View::Front];
            (strip.theme, strip.layout) = (theme, layout);
            let picture = strip.draw().unwrap();
            let tree = usvg::Tree::from_str(&picture.svg, &usvg::Options::default()).unwrap();
            assert_eq!(tree.size().width(), picture.width as f32);
            assert_eq!(tree.size().height(), picture.height as f32);
            assert!(!picture.svg.contains("NaN") && !picture.svg.contains("inf"));
            assert_eq!(count(&picture, "class=\"view "), 3 * count(&picture, "class=\"view side\""));
            assert_eq!(count(&picture, "class=\"figure\""), 3 * picture.figures);
        }
    }
}

#[test]
fn png_has_the_size_and_shows_something() {
    let picture = draw(&walker(200, 1.4));
    let half = tiny_skia::Pixmap::decode_png(&picture.to_png(0.5).unwrap()).unwrap();
    assert_eq!((half.width(), half.height()), (picture.width / 2, (f64::from(picture.height) / 2.0).round() as u32));
    let full = tiny_skia::Pixmap::decode_png(&picture.to_png(1.0).unwrap()).unwrap();
    let is = |red, green, blue| {
        move |p: &&tiny_skia::PremultipliedColorU8| (p.red(), p.green(), p.blue()) == (red, green, blue)
    };
    let pixels = full.pixels();
    // The newest figure is drawn in the full colours of left and right, and the title in the colour of text.
    assert!(pixels.iter().filter(is(213, 94, 0)).count() > 500, "no right side");
    assert!(pixels.iter().filter(is(0, 114, 178)).count() > 50, "no left side");
    let title = (0..50).flat_map(|y| (60..140).map(move |x| (x, y)));
    let dark = title.filter(|&(x, y)| full.pixel(x, y).is_some_and(|p| p.red() < 100)).count();
    assert!(dark > 60, "the embedded font draws no title: {dark} dark pixels");
    assert!(matches!(picture.to_png(1e9), Err(RenderError::Size { .. })));
    assert!(matches!(picture.to_png(f64::NAN), Err(RenderError::Size { .. })));
}

#[test]
fn hostile_names_stay_text() {
    let clip = walker(50, 0.0);
    let name = "</title><script>alert('x')</script>&<![CDATA[\u{1b}\u{0}\u{202e}]]>\"";
    let mut strip = Strip::new(Subject::new(&clip, name));
    strip.after = Some(Subject::new(&clip, name));
    let picture = strip.draw().unwrap();
    assert!(!picture.svg.contains("<![") && !picture.svg.contains("</title><"));
    assert!(!picture.svg.contains("<script"));
    assert!(!picture.svg.contains('\u{0}') && !picture.svg.contains('\u{202e}'));
    usvg::Tree::from_str(&picture.svg, &usvg::Options::default()).unwrap();
    picture.to_png(0.25).unwrap();
    let long = "x".repeat(1_000_000);
    let long = Strip::new(Subject::new(&clip, &long)).draw().unwrap();
    assert!(long.svg.len() < 2_000_000, "a long name is cut");
}

/// A bone of a metre is as long as the scale says, in every view that shows its true length.
#[test]
fn a_metre_is_as_long_as_the_stated_scale() {
    let picture = draw(&rod());
    // `M x y L x' y' A`: the straight flank of the tapered capsule is √(L² − (r₀ − r₁)²) long.
    let path = picture.svg.split("class=\"figure\"").nth(1).unwrap().split("d=\"M").nth(1).unwrap();
    let end = path.find('A').unwrap();
    let numbers: Vec<f64> = path[..end].split([' ', 'L']).map(|text| text.parse().unwrap()).collect();
    let radius = |arc: usize| -> f64 { path.split('A').nth(arc).unwrap().split(' ').next().unwrap().parse().unwrap() };
    let flank_px = (numbers[2] - numbers[0]).hypot(numbers[3] - numbers[1]);
    let length_px = flank_px.hypot(radius(2) - radius(1));
    // Coordinates are written to a hundredth of a pixel.
    assert!((length_px - picture.px_per_metre).abs() < 0.05, "{length_px} px for {} px/m", picture.px_per_metre);
    assert!(picture.svg.contains(&format!("data-px-per-metre=\"{:.4}\"", picture.px_per_metre)));
}

#[test]
fn the_strobe_sets_the_number_of_figures() {
    let clip = walker(201, 1.4);
    let with = |frames: FrameSelection| {
        let mut strip = Strip::new(Subject::new(&clip, "walk"));
        strip.frames = frames;
        strip.draw()
    };
    assert_eq!(with(FrameSelection::Strobe { secs: 0.5 }).unwrap().figures, 5);
    assert_eq!(with(FrameSelection::Frames(vec![FrameIndex(3), FrameIndex(90)])).unwrap().figures, 2);
    let auto = with(FrameSelection::Auto).unwrap();
    assert!((8..=16).contains(&auto.figures), "{}", auto.figures);
    let many = with(FrameSelection::Strobe { secs: 1e-9 }).unwrap();
    assert_eq!(many.figures, MAX_FIGURES);
    assert!(many.notes.iter().any(|note| note.contains("evenly chosen")), "{:?}", many.notes);
    assert!(matches!(with(FrameSelection::Strobe { secs: 0.0 }), Err(RenderError::Strobe { .. })));
    assert!(matches!(with(FrameSelection::Strobe { secs: f64::NAN }), Err(RenderError::Strobe { .. })));
    let outside = with(FrameSelection::Frames(vec![FrameIndex(201)]));
    assert_eq!(outside, Err(RenderError::FrameOutOfRange { frame: 201, name: "walk".into(), last: 200 }));
    assert!(matches!(with(FrameSelection::Frames(vec![])), Err(RenderError::EmptySelection { .. })));
}

#[test]
fn a_range_of_time_is_kept_to() {
    let clip = walker(301, 1.4);
    let mut strip = Strip::new(Subject::new(&clip, "walk"));
    (strip.from_secs, strip.to_secs) = (Some(1.0), Some(2.0));
    strip.frames = FrameSelection::Strobe { secs: 0.25 };
    let picture = strip.draw().unwrap();
    assert_eq!(picture.figures, 5);
    assert!(picture.svg.contains("data-time-secs=\"1.0000\"") && picture.svg.contains("data-time-secs=\"2.0000\""));
    for (from, to) in [(2.0, 1.0), (9.0, 10.0), (f64::NAN, 2.0)] {
        (strip.from_secs, strip.to_secs) = (Some(from), Some(to));
        assert!(matches!(strip.draw(), Err(RenderError::EmptySelection { .. })), "{from} {to}");
    }
}

#[test]
fn travel_stands_in_place_and_standing_is_spread() {
    let side_by_side = |clip: &Clip| draw(clip).notes.iter().any(|note| note.contains("side by side"));
    assert!(!side_by_side(&walker(300, 1.4)));
    assert!(side_by_side(&walker(300, 0.0)));
    assert!(side_by_side(&walker(30, 1.4)), "0.4 m are no travel");
}

#[test]
fn one_looks_at_the_right_hand_side() {
    assert!(draw(&walker(300, 1.4)).svg.contains("from its right"));
    assert!(draw(&walker(300, 0.0)).svg.contains("from its right"));
    assert!(draw(&walker(300, -1.4)).svg.contains("from its left"), "walking backward shows the left");
}

#[test]
fn before_and_after_share_their_times() {
    let (before, after) = (walker(200, 1.4), walker(100, 1.0));
    let mut strip = Strip::new(Subject::new(&before, "a"));
    strip.after = Some(Subject::new(&after, "b"));
    strip.frames = FrameSelection::Strobe { secs: 0.5 };
    strip.views = vec![View::Side];
    let picture = strip.draw().unwrap();
    // 0, 0.5, 1.0 and 1.5 s; the second clip ends at 0.99 s, which is within half a frame of 1.0 s.
    assert_eq!(picture.figures, 4);
    assert_eq!(count(&picture, "class=\"figure\""), 7);
    assert!(picture.svg.contains(">before<") && picture.svg.contains(">after<"));
}

#[test]
fn odd_bodies_are_drawn() {
    let mut ball = Skeleton::builder();
    ball.add(None, "Ball", DVec3::Y, Channels::default());
    let ball = draw(&still(ball.build().unwrap(), 20));
    assert!(ball.svg.contains("<circle") && ball.notes.iter().any(|note| note.contains("ball of radius")));

    let mut stacked = Skeleton::builder();
    let first = stacked.add(None, "a", DVec3::ZERO, Channels::default());
    let second = stacked.add(Some(first), "b", DVec3::ZERO, Channels::default());
    stacked.end_site(second, DVec3::ZERO);
    draw(&still(stacked.build().unwrap(), 2)).to_png(0.25).unwrap();

    // A scene node 50 m away from the body is not drawn as a bone: the picture stays at the size of the body.
    let mut far = Skeleton::builder();
    let scene = far.add(None, "Reference", DVec3::ZERO, Channels::default());
    let hips = far.add(Some(scene), "Hips", DVec3::new(50.0, 1.0, 0.0), Channels::default());
    for x in [-0.2, 0.2] {
        let leg = far.add(Some(hips), "leg", DVec3::X * x, Channels::default());
        far.end_site(leg, -DVec3::Y);
    }
    let far = draw(&still(far.build().unwrap(), 2));
    assert!(far.px_per_metre > 200.0, "{}", far.px_per_metre);
}

#[test]
fn what_cannot_be_drawn_is_refused() {
    let none = walker(0, 1.0);
    assert_eq!(Strip::new(Subject::new(&none, "x")).draw(), Err(RenderError::NoFrames { name: "x".into() }));
    let clip = walker(10, 1.0);
    let mut strip = Strip::new(Subject::new(&clip, "x"));
    strip.width_px = 100_000;
    assert!(matches!(strip.draw(), Err(RenderError::Size { .. })));
    let mut strip = Strip::new(Subject::new(&clip, "x"));
    strip.views.clear();
    assert_eq!(strip.draw(), Err(RenderError::NoView));
    // Finite numbers whose sum is not.
    let mut builder = Skeleton::builder();
    let root = builder.add(None, "a", DVec3::splat(1e308), Channels::default());
    builder.end_site(root, DVec3::splat(1e308));
    let huge = still(builder.build().unwrap(), 3);
    assert!(matches!(Strip::new(Subject::new(&huge, "x")).draw(), Err(RenderError::Extent { .. })));
}

#[test]
fn the_same_clip_gives_the_same_picture() {
    let clip = walker(150, 1.4);
    assert_eq!(draw(&clip), draw(&clip.clone()));
    assert_eq!(draw(&clip).to_png(0.5), draw(&clip).to_png(0.5));
}

/// Converters paste a T-pose before the first captured frame; it belongs to no path and no automatic figure.
#[test]
fn a_stray_first_frame_is_left_out() {
    let mut clip = walker(200, 1.4);
    let far = FrameIndex(0);
    clip.set_rotation(far, JointId::new(10), DQuat::from_rotation_z(1.5));
    let root = JointId::new(0);
    clip.track_mut(root).unwrap()[0] = DVec3::new(-30.0, 0.95, 0.0);
    let picture = draw(&clip);
    assert!(picture.notes.iter().any(|note| note.contains("stray pose")), "{:?}", picture.notes);
    assert!(!picture.svg.contains("data-frame=\"0\"") && picture.svg.contains("data-frame=\"1\""));
    assert!(picture.px_per_metre > 150.0, "thirty metres away from the rest: {}", picture.px_per_metre);
    let mut strip = Strip::new(Subject::new(&clip, "walk"));
    strip.frames = FrameSelection::Frames(vec![far]);
    assert!(strip.draw().unwrap().svg.contains("data-frame=\"0\""), "asked for, it is drawn");
}

#[test]
fn a_bare_picture_has_figures_and_no_text() {
    let clip = walker(200, 1.2);
    let mut strip = Strip::new(Subject::new(&clip, "walker"));
    strip.views = vec![View::Side];
    strip.bare = true;
    let picture = strip.draw().unwrap();
    assert!(!picture.svg.contains("<text"), "a small picture cannot be read");
    assert!(picture.svg.contains("class=\"view side\"") && picture.figures > 3);
}
