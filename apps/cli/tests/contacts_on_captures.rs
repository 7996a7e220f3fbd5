//! Contacts, flights and clocks of real captures.
//!
//! Here and not in the analysis crate because reading files and masses never meet below the programs.

mod common;

use aplomb_analysis::Take;
use aplomb_analysis::contacts::{ClockFinding, ContactAnalysis, ContactFile, Verdict};
use aplomb_editing::arc::Arc;
use aplomb_formats::{ReadOptions, read_file};
use aplomb_motion::{Clip, FrameIndex, FrameTime, Roles, Side, edit};
use aplomb_physics::{Body, BodyOptions};
use common::{captures, files_below};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

fn analysed_clip(clip: &Clip, roles: &Roles) -> ContactAnalysis {
    let body = Body::of_clip(clip, roles, &BodyOptions::default()).unwrap();
    Take::new(clip.clone(), roles.clone(), body.clone()).into_contacts().unwrap()
}

fn analysed(path: &Path) -> ContactAnalysis {
    let import = read_file(path, &ReadOptions::default()).unwrap();
    analysed_clip(&import.clip, &import.roles)
}

/// `83` of `83_49.bvh`.
fn subject(path: &Path) -> String {
    let name = path.file_stem().unwrap().to_str().unwrap();
    name.split('_').next().unwrap().to_owned()
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// Up and down stairs, slopes and rough ground: feet stand at several heights, no body flies, and none is carried by
/// anything unknown.
#[test]
fn stairs_and_slopes_are_stood_on() {
    let Some(folder) = captures("contacts on captures") else { return };
    // Least height of the highest support over the floor of the clip, m: as counted steps of 15 to 20 cm, or seen in
    // pictures.
    for (name, least_m) in
        [("111_27", 0.25), ("13_35", 0.55), ("83_27", 0.3), ("83_34", 0.4), ("74_14", 0.3), ("74_16", 0.4)]
    {
        let analysis = analysed(&folder.join(format!("cmu-bvh/stairs-terrain/{name}.bvh")));
        assert!(analysis.flights.is_empty() && analysis.other.is_empty(), "{name}: {:?}", analysis.flights);
        let raised_m = |side: &str| {
            let contacts = analysis.contacts.iter().filter(|it| it.effector == format!("{side}_ball"));
            contacts.map(|it| it.raised_m.unwrap_or(0.0)).fold(f64::NEG_INFINITY, f64::max)
        };
        eprintln!("{name}: left foot up to {:.2} m, right foot {:.2} m", raised_m("left"), raised_m("right"));
        assert!(raised_m("left") > least_m && raised_m("right") > least_m, "{name}");
    }
    // Off a ledge of 0.6 m: the floor is where they land, and they fall at g.
    for name in ["81_12", "82_02"] {
        let analysis = analysed(&folder.join(format!("cmu-bvh/stairs-terrain/{name}.bvh")));
        let highest_m = analysis.contacts.iter().filter_map(|it| it.raised_m).fold(0.0, f64::max);
        assert!((0.5..0.75).contains(&highest_m), "{name}: {highest_m}");
        // Heels, balls and toes agree which level the floor is: whatever stands is on the floor or on the ledge.
        let heights_m = analysis.contacts.iter().filter(|it| !it.effector.ends_with("hand")).map(|it| it.raised_m);
        assert!(heights_m.flatten().all(|raised_m| raised_m > 0.0), "{name}: {:?}", analysis.contacts);
        let g: Vec<f64> = analysis.flights.iter().map(|flight| flight.fall.unwrap().g).collect();
        assert!(g.len() == 1 && (9.0..11.5).contains(&g[0]), "{name}: {g:?}");
    }
}

/// A body that balances on one foot stands on one foot.
#[test]
fn a_foot_held_in_the_air_is_no_contact() {
    let Some(folder) = captures("contacts on captures") else { return };
    let analysis = analysed(&folder.join("cmu-bvh/swing-carry/49_18.bvh"));
    let in_the_air = |it: &&aplomb_analysis::contacts::Contact| it.effector.starts_with("right") && it.end_secs > 5.0;
    assert_eq!(analysis.contacts.iter().filter(in_the_air).count(), 0);
    assert!(analysis.flights.is_empty(), "{:?}", analysis.flights);
}

/// A rate is corrected only if flights agree on gravity then. This one falls at 6 g by its header, and at half the rate
/// at 15 and 11 m/s².
#[test]
fn flights_that_disagree_prove_no_rate() {
    let Some(folder) = captures("contacts on captures") else { return };
    let analysis = analysed(&folder.join("other-bvh/mass_backflip.bvh"));
    let ClockFinding::DisputedRate { factor, g } = analysis.clock.finding else { panic!("{:?}", analysis.clock) };
    assert_eq!((factor, analysis.clock.used_hz), (0.5, 120.0));
    assert!(g[0] < 12.0 && g[1] > 14.0, "{g:?}");
    assert!(analysis.warnings[0].contains("no rate is proved"), "{:?}", analysis.warnings);
}

/// Whatever is called verified falls at 8.5 to 12.7 m/s², however long it is.
#[test]
fn verified_flights_fall_at_g() {
    let Some(folder) = captures("contacts on captures") else { return };
    let mut verified = 0;
    for path in files_below(&folder, "bvh") {
        for flight in analysed(&path).flights.iter().filter(|flight| flight.verdict == Verdict::Verified) {
            assert!((8.5..=12.7).contains(&flight.fall.unwrap().g), "{}: {flight:?}", path.display());
            verified += 1;
        }
    }
    eprintln!("{verified} verified flights");
    assert!(verified > 120, "{verified}");
}

/// Flights long enough to be jumps: shorter ones are the hops of runs, where a few frames decide.
const JUMP_SECS: f64 = 0.2;

#[test]
fn people_fall_at_g() {
    let Some(folder) = captures("contacts on captures") else { return };
    let files = files_below(&folder.join("cmu-bvh"), "bvh");
    for wanted in ["13", "16", "83", "118"] {
        let mut all_g = Vec::new();
        for path in files.iter().filter(|path| subject(path) == wanted) {
            for flight in analysed(path).flights.iter().filter(|flight| flight.verdict == Verdict::Verified) {
                let g = flight.fall.unwrap().g;
                all_g.push(g);
                if flight.secs() > JUMP_SECS {
                    assert!((8.5..12.7).contains(&g), "{}: {flight:?}", path.display());
                }
            }
        }
        let (flights, g) = (all_g.len(), median(all_g));
        eprintln!("subject {wanted}: {flights} verified flights, median g {g:.2}");
        assert!(flights >= 4 && (9.0..10.8).contains(&g), "{wanted}: {flights}, {g}");
    }
}

#[test]
fn walks_do_not_fly() {
    let Some(folder) = captures("contacts on captures") else { return };
    let kinds = ["walk-straight", "walk-turn"].map(|kind| files_below(&folder.join("cmu-bvh").join(kind), "bvh"));
    let files: Vec<&PathBuf> = kinds.iter().flatten().collect();
    assert!(files.len() > 15);
    for path in files {
        let analysis = analysed(path);
        assert!(analysis.flights.is_empty(), "{}: {:?}", path.display(), analysis.flights);
        let of_side = |side: &str| analysis.contacts.iter().any(|contact| contact.effector.starts_with(side));
        assert!(of_side("left") && of_side("right"), "{}", path.display());
    }
}

/// Subjects whose files say 120 fps and were captured at 60. A clip shows it if something in it clearly flies.
#[test]
fn headers_that_lie_are_found_and_no_true_one_is_corrected() {
    let Some(folder) = captures("contacts on captures") else { return };
    let lying: BTreeSet<&str> = ["75", "87", "88", "90", "139", "141"].into();
    let mut found: BTreeSet<String> = BTreeSet::new();
    let mut clips = 0;
    for path in files_below(&folder.join("cmu-bvh"), "bvh") {
        let analysis = analysed(&path);
        assert!(analysis.stray_first_frame, "{}: the converter's T-pose", path.display());
        let subject = subject(&path);
        match analysis.clock.finding {
            ClockFinding::WrongRate { factor } => {
                assert!(lying.contains(subject.as_str()), "{}: {:?}", path.display(), analysis.clock);
                assert_eq!((factor, analysis.clock.used_hz), (0.5, 60.0), "{}", path.display());
                assert!(analysis.warnings[0].contains("captured at 60 fps, the header says 120"));
                found.insert(subject);
                clips += 1;
            }
            ClockFinding::DisputedRate { .. } | ClockFinding::WrongUnit { .. } => {
                panic!("{}: {:?}", path.display(), analysis.clock)
            }
            ClockFinding::Agrees | ClockFinding::NoEvidence => {}
        }
    }
    eprintln!("wrong rates found in {clips} clips of subjects {found:?}");
    assert_eq!(found.iter().map(String::as_str).collect::<BTreeSet<_>>(), lying);
    assert!(clips >= 12, "{clips}");
}

/// 120 → 60 → 30 Hz: the same contacts within a frame of the lower rate.
#[test]
fn contacts_do_not_depend_on_the_rate() {
    let Some(folder) = captures("contacts on captures") else { return };
    for (file, flights) in
        [("walk-straight/16_15", 0), ("walk-straight/02_01", 0), ("jump-forward/83_49", 1), ("run/09_01", 3)]
    {
        let import = read_file(&folder.join(format!("cmu-bvh/{file}.bvh")), &ReadOptions::default()).unwrap();
        let frames = import.clip.frame_count();
        let captured = edit::cut_frames(&import.clip, FrameIndex(1)..FrameIndex(frames)).unwrap();
        let at_120 = analysed_clip(&captured, &import.roles);
        assert_eq!(at_120.flights.len(), flights, "{file}");
        for hz in [60.0, 30.0] {
            let resampled = edit::resample(&captured, FrameTime::from_hz(hz).unwrap()).unwrap();
            let other = analysed_clip(&resampled, &import.roles);
            assert_eq!(other.flights.len(), flights, "{file} at {hz} Hz");
            let nearest_ms = |secs: f64, effector: &str, edge: fn(&aplomb_analysis::contacts::Contact) -> f64| {
                let edges = other.contacts_of(effector).map(edge);
                edges.map(|other_secs| 1000.0 * (secs - other_secs).abs()).fold(f64::INFINITY, f64::min)
            };
            let mut off_ms: Vec<f64> = Vec::new();
            for contact in &at_120.contacts {
                off_ms.push(nearest_ms(contact.start_secs, &contact.effector, |contact| contact.start_secs));
                off_ms.push(nearest_ms(contact.end_secs, &contact.effector, |contact| contact.end_secs));
            }
            off_ms.sort_by(f64::total_cmp);
            let (middle_ms, nine_tenths_ms) = (off_ms[off_ms.len() / 2], off_ms[off_ms.len() * 9 / 10]);
            eprintln!("{file} at {hz} Hz: shift of edges {middle_ms:.1} ms median, {nine_tenths_ms:.1} ms for 90 %");
            // One sample of 120 Hz, and two.
            assert!(middle_ms < 8.4 && nine_tenths_ms < 16.8, "{file} at {hz} Hz: {off_ms:?}");
        }
    }
}

/// Every BVH there is, however odd: an answer without NaN.
#[test]
fn every_capture_gets_an_answer() {
    let Some(folder) = captures("contacts on captures") else { return };
    let files = files_below(&folder, "bvh");
    assert!(files.len() > 150);
    for path in files {
        let analysis = analysed(&path);
        let spans = analysis.contacts.iter().map(|it| (it.start_secs, it.end_secs));
        let spans = spans.chain(analysis.flights.iter().map(|it| (it.start_secs, it.end_secs)));
        let spans = spans.chain(analysis.pins.iter().map(|it| (it.start_secs, it.end_secs)));
        for (start_secs, end_secs) in spans {
            assert!(start_secs.is_finite() && end_secs.is_finite() && start_secs < end_secs, "{}", path.display());
        }
        if analysis.contacts.is_empty() {
            assert!(!analysis.warnings.is_empty(), "{}: nothing found and nothing said", path.display());
        }
    }
}

/// A clip with a contact file for it.
struct Told {
    name: &'static str,
    clip: Clip,
    roles: Roles,
    body: Body,
    file: ContactFile,
}

impl Told {
    fn read(folder: &Path, name: &'static str) -> Self {
        let import = read_file(&folder.join(format!("cmu-bvh/{name}.bvh")), &ReadOptions::default()).unwrap();
        let (clip, roles) = (import.clip, import.roles);
        let body = Body::of_clip(&clip, &roles, &BodyOptions::default()).unwrap();
        let file = analysed_clip(&clip, &roles).to_file();
        Self { name, clip, roles, body, file }
    }

    fn given(&self, clip: &Clip, file: &ContactFile) -> Result<ContactAnalysis, String> {
        Take::new(clip.clone(), self.roles.clone(), self.body.clone())
            .with_stated_contacts(file.clone())
            .into_contacts()
            .map_err(|error| error.to_string())
    }
}

/// Walks, turns, runs, jumps, dances and stairs.
const MOVING: [&str; 12] = [
    "walk-straight/02_01",
    "walk-straight/16_15",
    "walk-straight/08_01",
    "walk-turn/16_11",
    "walk-turn/83_36",
    "run/09_01",
    "run/16_35",
    "run/127_06",
    "jump-forward/16_06",
    "jump-forward/83_49",
    "dance/05_02",
    "stairs-terrain/13_35",
];

/// Contacts are held against the motion: one's own pass, also if every one of them is widened by six frames at
/// both ends, and if the motion was bent since so that it must lean by 20°; those of another motion, or of another
/// stretch, are refused with the point, the time and its speed.
#[test]
fn contacts_of_another_motion_are_refused_and_honest_ones_are_not() {
    let Some(folder) = captures("contacts on captures") else { return };
    let told: Vec<Told> = MOVING.iter().map(|name| Told::read(&folder, name)).collect();
    for it in &told {
        let end_secs = it.clip.duration_secs();
        let own = it.given(&it.clip, &it.file).unwrap();
        assert_eq!(own.contacts.len(), analysed_clip(&it.clip, &it.roles).contacts.len(), "{}", it.name);
        let mut wide = it.file.clone();
        for entry in &mut wide.contacts {
            entry.start_secs = (entry.start_secs - 0.05).max(0.0);
            entry.end_secs = (entry.end_secs + 0.05).min(end_secs);
        }
        assert!(it.given(&it.clip, &wide).is_ok(), "{}: {:?}", it.name, it.given(&it.clip, &wide).err());
        // tan 20° g, for the mean speed of the way.
        let first = edit::cut_frames(&it.clip, FrameIndex(1)..FrameIndex(it.clip.frame_count())).unwrap();
        let root = |frame: usize| first.translation_m(FrameIndex(frame), aplomb_motion::JointId::new(0)).with_y(0.0);
        let speed = root(0).distance(root(first.frame_count() - 1)) / end_secs;
        for side in Side::BOTH {
            let bent = Arc::new((speed * speed / 3.57).max(1.5), side).apply(&it.clip).unwrap();
            assert!(it.given(&bent, &it.file).is_ok(), "{} bent: {:?}", it.name, it.given(&bent, &it.file).err());
        }
    }
    let (mut refused, mut all) = (0, 0);
    for (a, b) in told.iter().flat_map(|a| told.iter().map(move |b| (a, b))).filter(|(a, b)| a.name != b.name) {
        let mut foreign = b.file.clone();
        let end_secs = a.clip.duration_secs();
        // Without what would be refused for its time alone; a few seconds of standing contradict nothing.
        foreign.contacts.retain(|entry| entry.end_secs < end_secs);
        all += 1;
        if let Err(message) = a.given(&a.clip, &foreign) {
            refused += 1;
            assert!(message.contains("contradicts") && message.contains("m/s"), "{message}");
        }
    }
    eprintln!("{refused} of {all} files of other clips are refused");
    // Some of these clips stand for seconds, which fits any contacts; files of the program name their frames
    // besides, and are refused for those.
    assert!(2 * refused > all, "{refused} of {all}");
    let [walk, run] = [&told[1], &told[5]];
    let message = walk.given(&walk.clip, &run.file).unwrap_err();
    assert!(message.contains("contradicts"), "{message}");
    let mut later = walk.file.clone();
    later
        .contacts
        .iter_mut()
        .for_each(|entry| (entry.start_secs, entry.end_secs) = (entry.start_secs + 0.4, entry.end_secs + 0.4));
    assert!(walk.given(&walk.clip, &later).is_err(), "contacts of a stretch that was cut off");
}
