//! The command from outside: exit codes, messages, JSON that fits its schema, nothing lost.

mod common;

use common::{aplomb, captures, check_schema, code, files_below, json, repository, stderr, stdout, text};
use std::path::Path;

fn fixture(name: &str) -> String {
    text(&repository("fixtures").join(name)).to_owned()
}

#[test]
fn version_for_people_and_programs() {
    let output = aplomb(&["--version"]);
    assert_eq!(stdout(&output).trim(), format!("aplomb {}", env!("CARGO_PKG_VERSION")));
    let value = json(&aplomb(&["--version", "--json"]), "version");
    assert_eq!(value["version"], env!("CARGO_PKG_VERSION"));
}

#[test]
fn wrong_usage_is_2() {
    for args in [
        &[][..],
        &["fly"],
        &["info"],
        &["info", "--fps", "fast", "a.bvh"],
        &["convert", "only-one.bvh"],
        &["convert", "a.bvh", "b.bvh", "not-a-folder.bvh"],
        &["convert", "a.bvh", "b.bvh", "--cut", "3:1"],
        &["render", "a.bvh", "-o", "strip.gif"],
        &["render", "a.bvh", "-o", "strip.png", "--width", "1"],
        &["convert", "a.bvh", "b.xyz"],
        &["convert", "a.bvh", "b.bvh", "--to", "amc"],
        &["convert", "a.bvh", "b.bvh", "body.xml"],
        &["convert", "a.bvh", "body.xml", "--to-up", "z"],
        &["convert", "a.bvh", "b.bvh", "--scale", "1e300"],
        &["convert", "a.bvh", "b.bvh", "--to-unit", "banana"],
        &["info", "--strict", "--salvage", "a.bvh"],
    ] {
        let output = aplomb(args);
        assert_eq!(code(&output), 2, "{args:?}: {}", stderr(&output));
        assert!(output.status.code() == Some(2) && !output.stderr.is_empty() || !output.stdout.is_empty());
    }
}

#[test]
fn every_verb_has_examples_in_its_help() {
    let edits = aplomb_project::verbs::VERBS.iter().map(|verb| verb.name);
    for verb in
        ["info", "inspect", "contacts", "demo", "convert", "render", "completions", "man"].into_iter().chain(edits)
    {
        let help = stdout(&aplomb(&[verb, "--help"]));
        assert!(help.contains("Example"), "{verb}");
    }
}

#[test]
fn every_verb_says_in_its_help_what_the_table_says_of_it() {
    for verb in aplomb_project::verbs::VERBS {
        let help = stdout(&aplomb(&[verb.name, "-h"])).split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(help.starts_with(verb.about), "{help}");
        for typed in verb.typed().into_iter().filter(|typed| !typed.flag.name.is_empty()) {
            assert!(help.contains(&format!("--{}", typed.flag.name)), "{} --{}", verb.name, typed.flag.name);
        }
    }
}

#[test]
fn projects_fit_their_schema_and_slips_of_the_pen_do_not() {
    let samples = std::fs::read_dir(repository("samples")).unwrap().map(|entry| entry.unwrap().path());
    let mut checked = 0;
    for path in samples.filter(|path| path.extension().is_some_and(|ending| ending == "toml")) {
        let text = std::fs::read_to_string(&path).unwrap();
        let project = aplomb_project::Project::from_text(&text, &path).unwrap();
        check_schema(&serde_json::to_value(project).unwrap(), "project");
        checked += 1;
    }
    assert!(checked > 20, "{checked}");
    let schema = std::fs::read_to_string(repository("docs/schemas/project.schema.json")).unwrap();
    let validator = jsonschema::validator_for(&serde_json::from_str(&schema).unwrap()).unwrap();
    let of = |edit: serde_json::Value| serde_json::json!({ "schema": 1, "clip": "builtin:walk", "edit": [edit] });
    assert!(
        validator.is_valid(&of(
            serde_json::json!({ "verb": "arc", "radius_m": 3, "side": "left", "on": false, "x-why": 1 })
        ))
    );
    for wrong in [
        serde_json::json!({ "verb": "arc", "side": "left" }),
        serde_json::json!({ "verb": "arc", "radius_m": 3, "side": "up" }),
        serde_json::json!({ "verb": "arc", "radius_m": 3, "side": "left", "radius": 3 }),
        serde_json::json!({ "verb": "adapt", "goals": { "jump_length_m": 900 } }),
        serde_json::json!({ "verb": "wobble" }),
    ] {
        assert!(!validator.is_valid(&of(wrong.clone())), "{wrong}");
    }
}

#[test]
fn info_fits_its_schema_and_knows_the_figure() {
    let output = aplomb(&["info", "--json", "--loops", &fixture("walk.bvh")]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let clip = &json(&output, "info")["clips"][0];
    assert_eq!((clip["frames"].as_u64(), clip["fps"].as_f64()), (Some(193), Some(60.0)));
    assert_eq!((clip["unit_m"].as_f64(), clip["up"].as_str()), (Some(0.01), Some("Y")));
    assert_eq!(clip["body_plan"], "biped");
    let role_of = |name: &str| {
        let joints = clip["joints"].as_array().unwrap();
        joints.iter().find(|joint| joint["name"] == name).unwrap()["role"].clone()
    };
    assert_eq!(role_of("LeftUpLeg"), "left_thigh");
    assert_eq!(role_of("RightForeArm"), "right_forearm");
    // The walk was made with a cycle of 64 frames.
    let period_secs = clip["loops"][0]["period_secs"].as_f64().unwrap();
    assert!((period_secs - 64.0 / 60.0).abs() < 1e-9, "{period_secs}");
}

#[test]
fn some_of_many_failing_is_4_and_all_failing_is_1() {
    let walk = fixture("walk.bvh");
    let output = aplomb(&["info", "--json", &walk, "missing.bvh"]);
    assert_eq!(code(&output), 4);
    let value = json(&output, "info");
    assert!(value["clips"][1]["error"]["message"].as_str().unwrap().contains("missing.bvh"));
    let output = aplomb(&["info", "missing.bvh"]);
    assert_eq!(code(&output), 1);
    assert!(stderr(&output).contains("missing.bvh: cannot read"), "{}", stderr(&output));
}

#[test]
fn conversion_keeps_every_byte_and_never_overwrites() {
    let folder = tempfile::tempdir().unwrap();
    let (walk, copy) = (fixture("walk.bvh"), folder.path().join("copy.bvh"));
    let output = aplomb(&["convert", "--json", &walk, text(&copy)]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    assert_eq!(json(&output, "convert")["files"][0]["identical"], true);
    assert_eq!(std::fs::read(&walk).unwrap(), std::fs::read(&copy).unwrap());

    let refused = aplomb(&["convert", &fixture("wave.bvh"), text(&copy)]);
    assert_eq!(code(&refused), 1);
    assert!(stderr(&refused).contains("--force"));
    assert_eq!(std::fs::read(&walk).unwrap(), std::fs::read(&copy).unwrap());
    assert_eq!(code(&aplomb(&["convert", "--force", &fixture("wave.bvh"), text(&copy)])), 0);
    assert_ne!(std::fs::read(&walk).unwrap(), std::fs::read(&copy).unwrap());
}

#[test]
fn bad_input_is_1_says_where_and_writes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let whole = std::fs::read_to_string(fixture("wave.bvh")).unwrap();
    let broken = folder.path().join("broken.bvh");
    let short_row = whole.trim_end().rsplit_once(' ').unwrap().0;
    std::fs::write(&broken, short_row).unwrap();
    let out = folder.path().join("out.bvh");
    let output = aplomb(&["convert", text(&broken), text(&out)]);
    assert_eq!(code(&output), 1);
    let last_line = short_row.lines().count();
    assert!(stderr(&output).contains(&format!("line {last_line}")), "{}", stderr(&output));
    assert!(!out.exists());
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "no stray file");
    // Salvage keeps the whole rows.
    let output = aplomb(&["convert", "--salvage", text(&broken), text(&out)]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let clip = &json(&aplomb(&["info", "--json", text(&out)]), "info")["clips"][0];
    assert_eq!(clip["frames"], 312);
}

#[test]
fn edits_do_what_they_say() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out.bvh");
    let walk = fixture("walk.bvh");
    let info_after = |args: &[&str]| {
        let all: Vec<&str> = ["convert", "--force", &walk, text(&out)].iter().chain(args).copied().collect();
        let output = aplomb(&all);
        assert_eq!(code(&output), 0, "{args:?}: {}", stderr(&output));
        json(&aplomb(&["info", "--json", text(&out)]), "info")["clips"][0].clone()
    };
    assert_eq!(info_after(&["--cut", "0.5:1"])["frames"], 30);
    assert_eq!(info_after(&["--cut", "0:3.2"])["frames"], 193, "an end at the last frame means all of it");
    assert_eq!(info_after(&["--to-unit", "1000"])["frames"], 193);
    let tiny = std::fs::read_to_string(&out).unwrap();
    assert!(
        tiny.contains("OFFSET 0.000000 0.00096") || tiny.contains("OFFSET 0.000000 0.000959999"),
        "digits kept: {}",
        &tiny[..300]
    );
    let resampled = info_after(&["--resample", "30"]);
    assert_eq!((resampled["frames"].as_u64(), resampled["fps"].as_f64()), (Some(97), Some(30.0)));
    let faster = info_after(&["--speed", "2"]);
    assert_eq!((faster["frames"].as_u64(), faster["fps"].as_f64()), (Some(97), Some(60.0)));
    assert_eq!(info_after(&["--fps", "50"])["fps"], 50.0);
    assert_eq!(info_after(&["--to-up", "z"])["up"], "Z");
    assert_eq!(info_after(&["--to-unit", "m"])["unit_m"], 1.0);
    let scaled = info_after(&["--scale", "1.1"])["stature_m"].as_f64().unwrap();
    let stature_m = info_after(&[])["stature_m"].as_f64().unwrap();
    assert!((scaled / stature_m - 1.1).abs() < 1e-6);
    assert_eq!(info_after(&["--mirror"])["frames"], 193);
}

#[test]
fn there_and_back_through_acclaim() {
    let folder = tempfile::tempdir().unwrap();
    let (amc, back) = (folder.path().join("walk.amc"), folder.path().join("back.bvh"));
    let output = aplomb(&["convert", &fixture("walk.bvh"), text(&amc)]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    assert!(folder.path().join("walk.asf").exists());
    let output = aplomb(&["convert", text(&amc), text(&back), "--fps", "60"]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let clip = &json(&aplomb(&["info", "--json", text(&back)]), "info")["clips"][0];
    assert_eq!((clip["frames"].as_u64(), clip["fps"].as_f64()), (Some(193), Some(60.0)));
    // Connectors of the pair are no part of the body: the person is as tall as before.
    let stature_m = |path: &str| {
        let shown = json(&aplomb(&["info", "--json", path, "--fps", "60"]), "info");
        shown["clips"][0]["stature_m"].as_f64().unwrap()
    };
    assert!((stature_m(text(&amc)) / stature_m(&fixture("walk.bvh")) - 1.0).abs() < 1e-6);
    // The pair is refused whole if one of its two files exists and says something else.
    std::fs::remove_file(&amc).unwrap();
    std::fs::write(folder.path().join("walk.asf"), "another skeleton").unwrap();
    assert_eq!(code(&aplomb(&["convert", &fixture("walk.bvh"), text(&amc)])), 1);
    assert!(!amc.exists());
}

#[test]
fn a_glb_is_written_from_any_source_with_any_edit() {
    let folder = tempfile::tempdir().unwrap();
    let (glb, amc) = (folder.path().join("walk.glb"), folder.path().join("walk.amc"));
    let walk = fixture("walk.bvh");
    let output = aplomb(&[
        "convert",
        "--json",
        &walk,
        text(&glb),
        "--cut",
        "0.5:1.5",
        "--resample",
        "30",
        "--mirror",
        "--scale",
        "2",
    ]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let file = &json(&output, "convert")["files"][0];
    // The 60 frames of the cut last 59/60 s, which is 29.5 new frames; halves go up, and there is one more frame than
    // steps.
    assert_eq!((file["frames"].as_u64(), file["identical"].as_bool()), (Some(31), Some(false)));
    let bytes = std::fs::read(&glb).unwrap();
    assert_eq!((&bytes[..4], file["bytes"].as_u64()), (&b"glTF"[..], Some(bytes.len() as u64)));
    assert_eq!(code(&aplomb(&["convert", &walk, text(&glb)])), 1, "an existing file is not replaced");
    assert_eq!(std::fs::read(&glb).unwrap(), bytes);
    assert_eq!(code(&aplomb(&["convert", &walk, text(&amc)])), 0);
    let output = aplomb(&["convert", "--force", text(&amc), text(&glb)]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    assert_ne!(std::fs::read(&glb).unwrap(), bytes);
    let out = format!("{}/many/", folder.path().display());
    assert_eq!(code(&aplomb(&["convert", &walk, &fixture("wave.bvh"), &out, "--to", "glb", "--canonical"])), 0);
    assert!(folder.path().join("many/wave.glb").exists());
    // glTF has one unit and one up axis.
    assert_eq!(code(&aplomb(&["convert", "--force", &walk, text(&glb), "--to-unit", "cm"])), 2);
    // What is written is read again.
    let output = aplomb(&["info", text(&glb)]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
}

#[test]
fn pictures_are_drawn() {
    let folder = tempfile::tempdir().unwrap();
    let (png, svg) = (folder.path().join("walk.png"), folder.path().join("both.svg"));
    let output = aplomb(&["render", "--json", &fixture("walk.bvh"), "-o", text(&png)]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let figures = json(&output, "render")["figures"].as_u64().unwrap();
    assert!((5..=20).contains(&figures), "{figures}");
    assert!(std::fs::read(&png).unwrap().starts_with(b"\x89PNG"));
    let output = aplomb(&["render", &fixture("walk.bvh"), &fixture("wave.bvh"), "-o", text(&svg), "--strobe", "0.5"]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    assert!(std::fs::read_to_string(&svg).unwrap().starts_with("<svg"));
    assert_eq!(code(&aplomb(&["render", &fixture("walk.bvh"), "-o", text(&png)])), 1, "existing picture");
}

#[test]
fn hostile_names_do_not_reach_the_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("hostile.bvh");
    let whole = std::fs::read_to_string(fixture("wave.bvh")).unwrap();
    std::fs::write(&path, whole.replace("JOINT Head", "JOINT Head\u{1b}[2J\u{202e}")).unwrap();
    let output = aplomb(&["info", text(&path)]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    assert!(!stdout(&output).contains(['\u{1b}', '\u{202e}']));
    assert!(stdout(&output).contains("Head\\u{1b}[2J\\u{202e}"));
}

#[test]
fn roles_can_be_saved_corrected_and_given() {
    let folder = tempfile::tempdir().unwrap();
    let roles = folder.path().join("roles.toml");
    let wave = fixture("wave.bvh");
    assert_eq!(code(&aplomb(&["info", &wave, "--save-roles", text(&roles)])), 0);
    let saved = std::fs::read_to_string(&roles).unwrap();
    std::fs::write(&roles, saved.replace("left_thigh", "right_thigh_")).unwrap();
    let output = aplomb(&["info", &wave, "--roles", text(&roles)]);
    assert_eq!(code(&output), 1);
    assert!(stderr(&output).contains("roles.toml: line"), "{}", stderr(&output));
    std::fs::write(&roles, saved).unwrap();
    let given = &json(&aplomb(&["info", "--json", &wave, "--roles", text(&roles)]), "info")["clips"][0];
    assert_eq!(given["joints"][0]["reason"], "given");
}

#[test]
fn completions_and_manual_pages_come_from_the_same_definitions() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        assert!(stdout(&aplomb(&["completions", shell])).contains("convert"), "{shell}");
    }
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(code(&aplomb(&["man", "--out", text(folder.path())])), 0);
    let verbs = ["info", "inspect", "contacts", "demo", "convert", "render"];
    let pages = verbs.map(|verb| format!("aplomb-{verb}.1"));
    for page in pages.iter().map(String::as_str).chain(["aplomb.1"]) {
        assert!(std::fs::read_to_string(folder.path().join(page)).unwrap().contains("aplomb"), "{page}");
    }
}

#[test]
fn every_capture_comes_back_byte_for_byte() {
    let Some(data) = captures("every_capture_comes_back_byte_for_byte") else { return };
    for extension in ["bvh", "amc"] {
        let files = files_below(&data, extension);
        assert!(files.len() > 10, "captures are there");
        // Names repeat between folders: one output folder for each.
        for (index, chunk) in by_folder(&files).into_iter().enumerate() {
            let folder = tempfile::tempdir().unwrap();
            let out = format!("{}/{index}/", folder.path().display());
            let mut args = vec!["convert", "--json"];
            args.extend(chunk.iter().map(|path| text(path)));
            args.push(&out);
            let output = aplomb(&args);
            assert_eq!(code(&output), 0, "{}", stdout(&output));
            for path in chunk {
                let copy = Path::new(&out).join(path.file_name().unwrap());
                assert!(std::fs::read(path).unwrap() == std::fs::read(&copy).unwrap(), "{}", path.display());
            }
        }
    }
}

#[test]
fn fixtures_are_what_our_own_code_makes() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["walk", "wave"] {
        let frame_time = aplomb_motion::FrameTime::from_hz(60.0).unwrap();
        let clip = aplomb_motion::edit::resample(&aplomb_builtins::clip(name).unwrap(), frame_time).unwrap();
        let frame = aplomb_motion::FrameOfReference { metres_per_unit: 0.01, ..Default::default() };
        let path = folder.path().join(name).with_extension("bvh");
        let options = aplomb_formats::WriteOptions::default();
        let encoded = aplomb_formats::export::encode(&path, &clip, None, frame, &options).unwrap();
        let committed = std::fs::read(fixture(&format!("{name}.bvh"))).unwrap();
        assert!(
            encoded.files[0].1 == committed,
            "{name}: run `cargo run -p aplomb-cli --example make_fixtures -- fixtures`"
        );
    }
}

fn by_folder(files: &[std::path::PathBuf]) -> Vec<&[std::path::PathBuf]> {
    files.chunk_by(|a, b| a.parent() == b.parent()).collect()
}

#[test]
fn a_body_becomes_a_model_of_mujoco() {
    let folder = tempfile::tempdir().unwrap();
    let (out, heavy) = (folder.path().join("body.xml"), folder.path().join("heavy.xml"));
    let output = aplomb(&["convert", "builtin:walk", text(&out)]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let masses = |path: &Path| -> Vec<f64> {
        let model = std::fs::read_to_string(path).unwrap();
        assert!(model.starts_with("<mujoco model=") && model.contains("<key name=\"start\""), "{model}");
        assert_eq!(model.matches("<freejoint").count(), 1);
        model.split("mass=\"").skip(1).filter_map(|rest| rest.split('"').next()?.parse().ok()).collect()
    };
    let usual: f64 = masses(&out).iter().sum();
    assert!((50.0..90.0).contains(&usual), "{usual} kg");
    let output = aplomb(&["body", "builtin:walk", "--mass", "120", "-o", text(&heavy)]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    assert!((masses(&heavy).iter().sum::<f64>() - 120.0).abs() < 1e-9);
    // An existing file stays.
    assert_eq!(code(&aplomb(&["convert", "builtin:run", text(&out)])), 1);
}
