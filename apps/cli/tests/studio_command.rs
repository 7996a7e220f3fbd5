//! The studio as the command starts it: every tool on captures, what it saves and what `aplomb run` makes of that, and
//! a kill in the middle of a save.

mod common;

use common::{aplomb_with, captures, code, files_below, folder, stderr, text};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A client that may speak to a studio.
#[derive(Clone)]
struct Line {
    port: u16,
    cookie: String,
}

/// A studio in a process of its own, ended when it is dropped.
struct Studio {
    child: Child,
    line: Line,
}

impl Studio {
    fn start(folder: &Path, cache: &Path, what: &[&str]) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_aplomb"));
        command.arg("studio").args(["--json", "--no-open"]).args(what).current_dir(folder);
        let mut child = command.env("XDG_CACHE_HOME", cache).stdout(Stdio::piped()).spawn().expect("aplomb runs");
        // One object, on as many lines as it likes.
        let (mut told, mut out) = (String::new(), BufReader::new(child.stdout.take().expect("a pipe")));
        let address = loop {
            assert!(out.read_line(&mut told).expect("its words") > 0, "the studio ended: {told}");
            if let Ok(whole) = serde_json::from_str::<Value>(&told) {
                break whole["address"].as_str().expect("an address").to_owned();
            }
        };
        let port = address.split(':').nth(2).and_then(|rest| rest.split('/').next()).expect("a port");
        let line = Line { port: port.parse().expect("a number"), cookie: String::new() };
        let mut studio = Self { child, line };
        let token = address.split("token=").nth(1).expect("a token");
        let (_, head, _) = studio.line.ask("GET", &format!("/?token={token}"), "").expect("an answer");
        let line = head.lines().find(|line| line.to_ascii_lowercase().starts_with("set-cookie:")).expect("a cookie");
        let cookie = line.split_once(':').expect("a value").1.trim().split(';').next().expect("a value");
        studio.line.cookie = cookie.to_owned();
        studio
    }

    fn post(&self, path: &str, body: &Value) -> Value {
        let (status, _, answer) = self.line.ask("POST", path, &body.to_string()).expect("an answer");
        assert_eq!(status, 200, "{path} {body}: {answer}");
        serde_json::from_str(&answer).expect("JSON")
    }

    fn state(&self) -> Value {
        let (_, _, answer) = self.line.ask("GET", "/api/state", "").expect("an answer");
        serde_json::from_str(&answer).unwrap_or_else(|error| panic!("{error}: {answer}"))
    }

    /// Waits until the edits are made, or failed.
    fn settled(&self) -> Value {
        let started = Instant::now();
        loop {
            let state = self.state();
            let is_of_now = |what: &str| state[what]["revision"] == state["revision"];
            if state["running"] == false && (is_of_now("done") || is_of_now("failure")) {
                return state;
            }
            assert!(started.elapsed() < Duration::from_secs(180), "{}", state["failure"]);
            std::thread::sleep(Duration::from_millis(30));
        }
    }

    fn add(&self, edit: Value) -> Value {
        let state = self.settled();
        let mut draft = state["draft"].clone();
        draft["entries"].as_array_mut().expect("a list").push(json!({ "on": true, "edit": edit }));
        self.post("/api/change", &json!({ "revision": state["revision"], "label": "added", "draft": draft }));
        self.settled()
    }
}

impl Line {
    /// Status, head and body; `None` where the studio went away meanwhile.
    fn ask(&self, method: &str, path: &str, body: &str) -> Option<(u16, String, String)> {
        let port = self.port;
        let mut stream = TcpStream::connect(("127.0.0.1", port)).ok()?;
        stream.set_read_timeout(Some(Duration::from_secs(120))).ok()?;
        let (cookie, length) = (&self.cookie, body.len());
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nOrigin: http://127.0.0.1:{port}\r\nCookie: {cookie}\r\n\
             Content-Type: application/json\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}"
        );
        stream.write_all(head.as_bytes()).ok()?;
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes).ok()?;
        let all = String::from_utf8_lossy(&bytes).into_owned();
        let (head, body) = all.split_once("\r\n\r\n")?;
        Some((head.split(' ').nth(1)?.parse().ok()?, head.to_owned(), body.to_owned()))
    }
}

impl Drop for Studio {
    fn drop(&mut self) {
        // SIGKILL: nothing is tidied up.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// One tool each, and all that keep a body whole on more than five thousand frames.
fn jobs() -> Vec<(&'static str, &'static str, Vec<Value>)> {
    let joined = json!({ "verb": "join", "clips": ["39_11.bvh", "39_11.bvh", "39_11.bvh", "39_11.bvh", "39_11.bvh"] });
    let moved = json!({ "verb": "path", "change": [{ "handle": 2, "move": [0.3, 0.0, 0.2] }] });
    vec![
        ("path", "83_37.bvh", vec![moved.clone()]),
        ("touchup", "83_37.bvh", vec![json!({ "verb": "touchup" })]),
        ("blend", "02_01.bvh", vec![json!({ "verb": "blend", "clips": ["02_02.bvh"], "weights": [0.5, 0.5] })]),
        ("track", "79_18.bvh", vec![json!({ "verb": "track" })]),
        ("adapt", "13_11.bvh", vec![json!({ "verb": "adapt", "goals": { "jump_length_m": 0.2 } })]),
        ("long", "39_11.bvh", vec![joined, moved, json!({ "verb": "touchup" }), json!({ "verb": "plant" })]),
    ]
}

#[test]
fn every_tool_works_on_captures_and_the_command_replays_the_same_bytes() {
    let Some(data) = captures("every_tool_works_on_captures_and_the_command_replays_the_same_bytes") else { return };
    let (work, cache, other_cache) = (folder(), folder(), folder());
    for name in ["83_37", "02_01", "02_02", "79_18", "13_11", "39_11"] {
        let file = format!("{name}.bvh");
        let found = files_below(&data, "bvh").into_iter().find(|path| path.ends_with(&file));
        std::fs::copy(found.expect("the capture"), work.path().join(&file)).unwrap();
    }
    let studio = Studio::start(work.path(), cache.path(), &["83_37.bvh"]);
    for (tool, clip, edits) in jobs() {
        let revision = studio.settled()["revision"].clone();
        studio.post("/api/open", &json!({ "revision": revision, "what": clip }));
        let mut state = studio.settled();
        for edit in edits {
            state = studio.add(edit);
            assert_eq!(state["failure"], Value::Null, "{tool}: {}", state["failure"]);
        }
        let frames = state["done"]["steps"].as_array().unwrap().last().unwrap()["frames"].as_u64().unwrap();
        let least = if tool == "long" { 5_000 } else { 200 };
        assert!(frames >= least, "{tool}: {frames} frames");
        let [out, project, again] = [format!("{tool}.bvh"), format!("{tool}.aplomb.toml"), format!("{tool}-again.bvh")];
        // Whether the motion is better is another matter: what geometry bent is worse until it is touched up.
        studio.post("/api/export", &json!({ "name": out, "accept_harm": true }));
        studio.post("/api/save", &json!({ "name": project }));
        // With nothing that the studio may have left in its cache.
        let place = |name: &str| work.path().join(name);
        let environment = [("XDG_CACHE_HOME", text(other_cache.path()))];
        let (from, to) = (place(&project), place(&again));
        let words = ["run", text(&from), "-o", text(&to), "--accept-harm", "--quiet"];
        let run = aplomb_with(&environment, &words);
        let expected = if state["done"]["verdict"]["result"] == "harmed" { 3 } else { 0 };
        assert_eq!(code(&run), expected, "{tool}: {}", stderr(&run));
        assert!(std::fs::read(place(&out)).unwrap() == std::fs::read(place(&again)).unwrap(), "{tool}: other bytes");
    }
}

#[test]
fn the_ground_that_a_command_wrote_beside_a_file_is_the_studios_too() {
    let (work, cache) = (folder(), folder());
    let place = |name: &str| work.path().join(name);
    let [tilted, by_command] = [place("tilted.bvh"), place("by-command.bvh")];
    let tilt = aplomb_with(&[], &["tilt", "builtin:walk", "--angle", "6", "-o", text(&tilted)]);
    assert_eq!(code(&tilt), 0, "{}", stderr(&tilt));
    let touchup = aplomb_with(&[], &["touchup", text(&tilted), "-o", text(&by_command)]);
    assert_eq!(code(&touchup), 0, "{}", stderr(&touchup));
    let studio = Studio::start(work.path(), cache.path(), &["tilted.bvh"]);
    let state = studio.add(json!({ "verb": "touchup" }));
    assert_eq!(state["failure"], Value::Null);
    let notes = state["done"]["steps"][0]["notes"].to_string();
    assert!(notes.contains("ground: inclined by 6.0°, from tilted.bvh.contacts.toml"), "{notes}");
    studio.post("/api/export", &json!({ "name": "by-studio.bvh" }));
    assert!(std::fs::read(by_command).unwrap() == std::fs::read(place("by-studio.bvh")).unwrap(), "other bytes");
}

/// A project so long that it takes many writes, whose first and last edits tell which version it is.
fn version(state: &Value, number: u32) -> Value {
    let mut draft = state["draft"].clone();
    let entry = |secs: f64| json!({ "on": false, "edit": { "verb": "cut", "to_secs": secs } });
    let mut entries: Vec<Value> = (0..1500).map(|_| entry(1.0)).collect();
    entries[0] = entry(f64::from(number) + 0.25);
    entries[1499] = entry(f64::from(number) + 0.25);
    draft["entries"] = json!(entries);
    json!({ "revision": state["revision"], "label": "version", "draft": draft })
}

#[test]
fn killed_in_the_middle_of_a_save_the_file_is_an_old_or_a_new_one_and_never_half() {
    let (work, cache) = (folder(), folder());
    let file = work.path().join("walk.aplomb.toml");
    std::fs::write(&file, "schema = 1\nclip = \"builtin:walk\"\n").unwrap();
    let (mut number, mut kills) = (0, 0);
    for round in 0..6_u64 {
        let mut studio = Studio::start(work.path(), cache.path(), &["walk.aplomb.toml"]);
        studio.settled();
        let (mut sent, mut acknowledged) = (number, number);
        std::thread::scope(|scope| {
            let line = studio.line.clone();
            let writer = scope.spawn(move || {
                // Until it is killed.
                let (mut sent, mut acknowledged) = (number, number);
                while let Some((200, _, state)) = line.ask("GET", "/api/state", "") {
                    let Ok(state) = serde_json::from_str::<Value>(&state) else { break };
                    sent += 1;
                    let change = version(&state, sent).to_string();
                    let Some((200, ..)) = line.ask("POST", "/api/change", &change) else { break };
                    let Some((200, ..)) = line.ask("POST", "/api/save", "{}") else { break };
                    acknowledged = sent;
                }
                (sent, acknowledged)
            });
            // Not in step with anything.
            std::thread::sleep(Duration::from_millis(300 + 97 * round));
            let _ = studio.child.kill();
            let _ = studio.child.wait();
            (sent, acknowledged) = writer.join().unwrap();
        });
        let left = std::fs::read_to_string(&file).unwrap();
        let document = aplomb_project::ProjectDocument::parse(&left, &file).expect("a whole project");
        let told: Vec<f64> = serde_json::to_value(document.draft()).unwrap()["entries"]
            .as_array()
            .unwrap()
            .iter()
            .map(|entry| entry["edit"]["to_secs"].as_f64().unwrap())
            .collect();
        if told.is_empty() {
            assert_eq!(acknowledged, 0, "what was saved is gone");
            continue;
        }
        let found = told[0] as u32;
        assert!(told.len() == 1500 && told[1499] == told[0], "half a file: {} edits", told.len());
        assert!((acknowledged..=sent).contains(&found), "{found} for {acknowledged} to {sent}");
        kills += u32::from(sent > number);
        number = sent;
    }
    assert!(kills >= 3, "the studio was killed before it was asked to save");
}
