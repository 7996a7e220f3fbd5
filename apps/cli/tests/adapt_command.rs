//! `aplomb adapt` from the outside.

mod common;

use common::{aplomb, code, folder, receipt, stderr, stdout, text};

#[test]
fn a_longer_jump_is_written_with_receipt_and_forces() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    let (out, file, forces) = (at("longer.bvh"), at("receipt.json"), at("forces.csv"));
    let common = ["adapt", "builtin:long-jump", "--jump-length", "+0.2", "-o", text(&out)];
    let more = ["--forces", text(&forces), "--receipt", text(&file)];
    // Validated against the schema.
    let made = receipt(&[&common[..], &more[..]].concat());
    let record = &made["steps"][0]["adapt"]["adapted"];
    assert_eq!(record["is_converged"], true);
    assert!(record["between"]["force_p95"].as_f64().unwrap() < 0.025);
    let table = std::fs::read_to_string(&forces).unwrap();
    let header = table.lines().next().unwrap();
    assert!(header.starts_with("time_secs,left_heel_x_n,"), "{header}");
    // One row a frame, as in the clip that was written.
    assert_eq!(table.lines().count() as u64, made["steps"][0]["frames"].as_u64().unwrap() + 1);
    // The receipt makes it again, to the byte.
    let again = at("again.bvh");
    receipt(&["run", text(&file), "-o", text(&again)]);
    assert!(std::fs::read(&again).unwrap() == std::fs::read(&out).unwrap());
    let shown = aplomb(&["adapt", "builtin:long-jump", "--jump-height", "1.1x", "--dry-run"]);
    assert!(code(&shown) == 0 && stdout(&shown).contains("goals met"), "{}", stderr(&shown));
}

#[test]
fn wrong_goals_are_told_and_nothing_is_written() {
    let folder = folder();
    let (goals, out) = (folder.path().join("goals.toml"), folder.path().join("out.bvh"));
    std::fs::write(&goals, "jump_lenght_m = 1").unwrap();
    for (code_expected, expected, words) in [
        (2, "say what should change", &["builtin:long-jump"][..]),
        (1, "jump_length_m", &["builtin:long-jump", "--jump-length", "900"]),
        (1, "left_wing", &["builtin:long-jump", "--carry", "left_wing=3kg"]),
        (1, "jump_lenght_m", &["builtin:long-jump", "--goals", text(&goals)]),
        (1, "flight", &["builtin:bow", "--jump-length", "0.2"]),
        (2, "PART=KG", &["builtin:long-jump", "--carry", "8kg"]),
    ] {
        let words: Vec<&str> = ["adapt"].into_iter().chain(words.iter().copied()).chain(["-o", text(&out)]).collect();
        let output = aplomb(&words);
        let told = stderr(&output) + &stdout(&output);
        assert_eq!(code(&output), code_expected, "{words:?}: {told}");
        assert!(told.contains(expected), "{words:?}: {told}");
        assert!(!out.exists());
    }
}

#[test]
fn goals_out_of_reach_end_with_3_and_without_a_file() {
    let folder = folder();
    let out = folder.path().join("out.bvh");
    let output = aplomb(&["adapt", "builtin:short-jump", "--stagger", "4", "-o", text(&out)]);
    assert_eq!(code(&output), 3, "{}", stderr(&output));
    assert!(stderr(&output).contains("cannot be met") && stderr(&output).contains("mm"), "{}", stderr(&output));
    assert!(!out.exists());
}
