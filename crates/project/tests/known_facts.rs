//! What is known of a motion holds for every verb, and for the next program that reads it.

use aplomb_analysis::contacts::{ContactEntry, ContactSource};
use aplomb_formats::{ReadOptions, WriteOptions};
use aplomb_motion::{FrameOfReference, FrameTime};
use aplomb_project::edit::{Outcome, RunRequest, run};
use aplomb_project::publish::Publication;
use aplomb_project::{InspectRequest, Project, RateChoice, contact_sidecar, contacts_of_file, inspect_file, load};
use std::path::Path;

fn run_text(text: &str) -> Outcome {
    run_with(text, Vec::new())
}

fn run_with(text: &str, contacts: Vec<ContactEntry>) -> Outcome {
    let mut project = Project::from_toml(text, Path::new("p.toml")).unwrap();
    project.contacts = contacts;
    run(&project, &RunRequest::quiet(Path::new(""), Default::default(), Path::new("out.bvh"))).unwrap()
}

/// Contacts of a built-in clip whose stances end 0.10 s earlier than they are found to.
fn corrected(name: &str) -> Vec<ContactEntry> {
    let (_, found) = contacts_of_file(Path::new(name), &InspectRequest::default()).unwrap();
    let shorter = |entry: ContactEntry| ContactEntry {
        end_secs: (entry.end_secs - 0.1).max(entry.start_secs + 0.05),
        source: ContactSource::Hand,
        ..entry
    };
    found.to_file().contacts.into_iter().map(shorter).collect()
}

#[test]
fn contacts_that_a_person_corrected_hold_for_blend() {
    let text = "schema = 1\nclip = \"builtin:short-jump\"\n[[edit]]\nverb = \"blend\"\nclips = [\"builtin:long-jump\"]\n\
                weights = [0.5, 0.5]\n";
    let (found, stated) = (run_text(text), run_with(text, corrected("builtin:short-jump")));
    assert!(found.clip != stated.clip, "the same motion with and without corrected contacts");
}

#[test]
fn contacts_that_a_person_corrected_hold_for_adapt() {
    let text =
        "schema = 1\nclip = \"builtin:long-jump\"\n[[edit]]\nverb = \"adapt\"\n[edit.goals]\njump_length_m = 0.1\n";
    let found = run_text(text);
    // Takes off and lands 20 ms earlier and later than was found: a fit by other flights is another motion.
    let (_, contacts) = contacts_of_file(Path::new("builtin:long-jump"), &InspectRequest::default()).unwrap();
    let longer =
        |entry: ContactEntry| ContactEntry { end_secs: entry.end_secs - 0.02, source: ContactSource::Hand, ..entry };
    let stated = run_with(text, contacts.to_file().contacts.into_iter().map(longer).collect());
    assert!(found.clip != stated.clip, "the same motion with and without corrected contacts");
}

#[test]
fn a_child_is_read_back_as_a_child() {
    let folder = tempfile::tempdir().unwrap();
    // Data are inches times 0.45, as in many captures: a child in this unit has the size of an adult in decimetres.
    let frame = FrameOfReference { metres_per_unit: 0.0254 / 0.45, ..FrameOfReference::INTERNAL };
    let adult = folder.path().join("adult.bvh");
    let clip = aplomb_motion::edit::scale(&aplomb_builtins::clip("wave").unwrap(), 0.87).unwrap();
    Publication::new(&adult, &clip, None, frame, &WriteOptions::default(), None).unwrap().save(&[], false).unwrap();
    let text = format!(
        "schema = 1\nclip = {:?}\n[[edit]]\nverb = \"track\"\ncharacter = \"child\"\n",
        adult.display().to_string()
    );
    let made = run_text(&text);
    let stature_m = made.after.as_ref().unwrap().body.stature_m().unwrap();
    let out = folder.path().join("child.bvh");
    let publication = Publication::of_outcome(&out, &made).unwrap();
    publication.save(&[], false).unwrap();
    let again = inspect_file(&out, &InspectRequest::default()).unwrap();
    let read_m = again.body.stature_m().unwrap();
    assert!((read_m - stature_m).abs() < 0.02, "{stature_m} m written, {read_m} m read");
    assert!(again.import.diagnostics.iter().any(|it| it.code == "IMP-N003"), "{:?}", again.import.diagnostics);
    // Beside another motion it means nothing.
    let other = folder.path().join("other.bvh");
    std::fs::rename(contact_sidecar::place_beside(&out), contact_sidecar::place_beside(&other)).unwrap();
    std::fs::copy(&out, folder.path().join("bare.bvh")).unwrap();
    let bare = inspect_file(&folder.path().join("bare.bvh"), &InspectRequest::default()).unwrap();
    assert!((bare.body.stature_m().unwrap() - stature_m).abs() > 0.3, "without it a reader takes an adult");
}

#[test]
fn clips_that_readers_guess_rightly_get_no_file_beside_them() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("cut.bvh");
    let made = run_text("schema = 1\nclip = \"builtin:walk\"\n[[edit]]\nverb = \"cut\"\nto_secs = 1.0\n");
    let publication = Publication::of_outcome(&out, &made).unwrap();
    publication.save(&[], false).unwrap();
    assert_eq!(publication.beside(), None);
    assert!(!contact_sidecar::place_beside(&out).exists());
}

#[test]
fn the_rate_of_an_amc_that_cannot_state_it_is_read_back() {
    let folder = tempfile::tempdir().unwrap();
    let place = |name: &str| folder.path().join(name);
    // An AMC of 120 Hz states no rate. A person knows better: it is of 60 Hz.
    let walk = aplomb_builtins::clip("walk").unwrap();
    let internal = FrameOfReference::INTERNAL;
    let slow = aplomb_motion::edit::resample(&walk, FrameTime::from_hz(120.0).unwrap()).unwrap();
    let plain = Publication::new(&place("a.amc"), &slow, None, internal, &WriteOptions::default(), None).unwrap();
    plain.save(&[], false).unwrap();
    assert_eq!(plain.beside(), None);
    let text = format!("schema = 1\nclip = {:?}\nfps = 60\n[[edit]]\nverb = \"cut\"\nto_secs = 1.0\n", place("a.amc"));
    let made = run_text(&text);
    let publication = Publication::of_outcome(&place("b.amc"), &made).unwrap();
    publication.save(&[], false).unwrap();
    assert_eq!(publication.finding().unwrap().code.id, "RUN-N010");

    let again = inspect_file(&place("b.amc"), &InspectRequest::default()).unwrap();
    let diagnostics = &again.import.diagnostics;
    assert_eq!(again.import.clip.timeline().uniform().unwrap().hz(), 60.0);
    assert!(diagnostics.iter().any(|it| it.code == "IMP-N004" && it.found.contains("b.amc.contacts.toml")));
    assert!(diagnostics.iter().all(|it| it.code != "IMP-W001"), "{diagnostics:?}");
    let next = format!("schema = 1\nclip = {:?}\n[[edit]]\nverb = \"cut\"\nto_secs = 0.5\n", place("b.amc"));
    assert_eq!(run_text(&next).clip.timeline().uniform().unwrap().hz(), 60.0);

    // Bound to the bytes: beside another motion it means nothing. And a person's word wins.
    let given = InspectRequest { rate: RateChoice::Given(FrameTime::from_hz(30.0).unwrap()), ..Default::default() };
    assert_eq!(inspect_file(&place("b.amc"), &given).unwrap().import.clip.timeline().uniform().unwrap().hz(), 30.0);
    std::fs::copy(contact_sidecar::place_beside(&place("b.amc")), contact_sidecar::place_beside(&place("a.amc")))
        .unwrap();
    let other = load(&place("a.amc"), &ReadOptions::default(), RateChoice::Header).unwrap();
    assert_eq!(other.clip.timeline().uniform().unwrap().hz(), 120.0);
    // A new pair states the rate itself.
    let pair = Publication::new(&place("c.amc"), &made.clip, None, internal, &WriteOptions::default(), None).unwrap();
    assert_eq!(pair.beside(), None);
}
