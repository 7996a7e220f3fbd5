//! The server as strangers and as the page meet it.

mod common;

use common::Running;
use futures_util::{SinkExt, StreamExt};
use serde_json::json;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::{self, Message};

fn studio() -> Running {
    Running::start(Some("builtin:walk"), |_| {})
}

#[test]
fn forms_get_units_ranges_and_words_from_the_table_of_verbs() {
    let verbs: serde_json::Value = studio().get("/api/verbs").json();
    let radius = &verbs["arc"]["parameters"]["radius_m"];
    assert_eq!((&radius["kind"], &radius["unit"], &radius["required"]), (&json!("number"), &json!("m"), &json!(true)));
    let margin = &verbs["touchup"]["parameters"]["margin"];
    assert_eq!((&margin["min"], &margin["max"], &margin["default"]), (&json!(0.0), &json!(1.0), &json!(0.5)));
    assert_eq!(verbs["arc"]["parameters"]["side"]["words"][0][0], "left");
    // What the page's adapt tool asks for.
    let goals = &verbs["adapt"]["parameters"]["goals"]["parameters"];
    assert_eq!(goals["twist"]["parameters"]["deg"]["max"], 720.0);
    assert_eq!(goals["carry"]["of"]["parameters"]["mass_kg"]["unit"], "kg");
    assert_eq!(goals["hurdle"]["parameters"]["height_m"]["min"], 0.05);
}

#[test]
fn without_token_or_cookie_nothing_is_answered() {
    let studio = studio();
    let host = format!("Host: 127.0.0.1:{}\r\n", studio.port);
    for path in ["/", "/api/state", "/api/motion/result", "/main.js", "/?token=wrong", "/api/state?token=", "/nothing"]
    {
        let answer = studio.raw(&format!("GET {path} HTTP/1.1\r\n{host}"), b"");
        assert_eq!(answer.status, 403, "{path}");
        assert!(!answer.text().contains(&studio.token));
    }
    let token = &studio.token;
    assert_eq!(
        studio.raw(&format!("GET /api/state?token={token} HTTP/1.1\r\n{host}"), b"").status,
        403,
        "only the page takes it"
    );
    let wrong = studio.cookie.replace('=', "=0");
    assert_eq!(studio.raw(&format!("GET / HTTP/1.1\r\n{host}Cookie: {wrong}\r\n"), b"").status, 403);
    let page = studio.get("/");
    assert_eq!(page.status, 200);
    let head = page.head.to_ascii_lowercase();
    for wanted in [
        "content-security-policy: default-src 'none'",
        "referrer-policy: no-referrer",
        "nosniff",
        "frame-options: deny",
    ] {
        assert!(head.contains(wanted), "{wanted}\n{head}");
    }
    assert!(!head.contains("unsafe"), "{head}");
}

#[test]
fn other_hosts_and_other_sites_are_refused() {
    let studio = studio();
    let (port, cookie) = (studio.port, &studio.cookie);
    for host in ["evil.example", "127.0.0.1", "evil.example:80", "127.0.0.1.evil.example", "localhost:1"] {
        let answer = studio.raw(&format!("GET /api/state HTTP/1.1\r\nHost: {host}\r\nCookie: {cookie}\r\n"), b"");
        assert_eq!(answer.status, 403, "{host}");
    }
    let ours = format!("Host: localhost:{port}\r\nCookie: {cookie}\r\n");
    assert_eq!(studio.raw(&format!("GET /api/state HTTP/1.1\r\n{ours}"), b"").status, 200);
    for origin in ["http://evil.example", "null", "https://127.0.0.1", &format!("http://evil.example:{port}")] {
        let head = format!("GET /api/state HTTP/1.1\r\n{ours}Origin: {origin}\r\n");
        assert_eq!(studio.raw(&head, b"").status, 403, "{origin}");
        let head = format!("POST /api/undo HTTP/1.1\r\n{ours}Origin: {origin}\r\nContent-Type: application/json\r\n");
        assert_eq!(studio.raw(&head, b"{\"revision\":1}").status, 403, "{origin}");
    }
    let head = format!("POST /api/undo HTTP/1.1\r\n{ours}Content-Type: application/json\r\n");
    assert_eq!(studio.raw(&head, b"{\"revision\":1}").status, 403, "what changes something says where it comes from");
}

#[test]
fn malformed_and_huge_messages_change_nothing() {
    let studio = studio();
    let before = studio.settled();
    for body in ["", "{", "[]", "null", "{\"revision\":1}", "{\"revision\":-1,\"label\":\"\",\"draft\":{}}"] {
        let answer = studio.post_bytes("/api/change", "application/json", body.as_bytes());
        assert!((400..500).contains(&answer.status), "{body}: {}", answer.status);
    }
    assert_eq!(studio.post_bytes("/api/change", "text/plain", b"{}").status, 415);
    let huge = vec![b' '; 17 << 20];
    assert_eq!(studio.post_bytes("/api/change", "application/json", &huge).status, 413);
    let mut draft = before["draft"].clone();
    draft["entries"] = json!([{ "on": true, "edit": { "verb": "cut", "to_sec": 1.0 } }]);
    let answer = studio.post("/api/change", &json!({ "revision": before["revision"], "label": "x", "draft": draft }));
    assert!((400..500).contains(&answer.status) && answer.text().contains("to_sec"), "{}", answer.text());
    assert_eq!(studio.state()["revision"], before["revision"]);
}

#[test]
fn paths_stay_in_the_opened_folder() {
    let studio = Running::start(None, |folder| {
        std::fs::write(folder.join("secret.txt"), "x").unwrap();
        #[cfg(unix)]
        std::os::unix::fs::symlink("/etc/passwd", folder.join("link.bvh")).unwrap();
    });
    studio.settled();
    let revision = || studio.state()["revision"].clone();
    for path in ["../x.bvh", "/etc/passwd", "link.bvh", "a/../../b.bvh", ".cache/studio.secret", "secret.txt", ""] {
        let answer = studio.post("/api/open", &json!({ "revision": revision(), "what": path }));
        assert!((400..500).contains(&answer.status), "open {path}: {}", answer.status);
        assert!(!answer.text().contains("root:"), "{path}");
        let answer = studio.post("/api/export", &json!({ "name": path }));
        assert!((400..500).contains(&answer.status), "export {path}: {}", answer.status);
        let answer = studio.post("/api/save", &json!({ "name": format!("{path}/../../x.aplomb.toml") }));
        assert!((400..500).contains(&answer.status), "save {path}: {}", answer.status);
    }
    for name in ["..%2Fx.bvh", "a%2Fx.bvh", "x.exe", ".x.bvh", "%00.bvh"] {
        let answer = studio.post_bytes(&format!("/api/upload?name={name}"), "application/octet-stream", b"x");
        assert!((400..500).contains(&answer.status), "upload {name}: {}", answer.status);
    }
    for path in
        ["/../Cargo.toml", "/..%2f..%2fCargo.toml", "/vendor/../../Cargo.toml", "//etc/passwd", "/%2e%2e/lib.rs"]
    {
        assert_ne!(studio.get(path).status, 200, "{path}");
    }
    // A change may not bring a file in from outside either.
    let answer = studio.add(json!({ "verb": "join", "clips": ["/etc/passwd"] }));
    assert_eq!(answer.status, 403, "{}", answer.text());
    let answer = studio.add(json!({ "verb": "touchup", "contacts": "../../etc/passwd" }));
    assert_eq!(answer.status, 403, "{}", answer.text());
}

#[test]
fn a_stale_change_is_refused_and_undo_goes_back() {
    let studio = studio();
    let state = studio.settled();
    assert_eq!(studio.add(json!({ "verb": "cut", "to_secs": 1.5 })).status, 200);
    let late = json!({ "revision": state["revision"], "label": "late", "draft": state["draft"] });
    assert_eq!(studio.post("/api/change", &late).status, 409);
    assert_eq!(studio.post("/api/undo", &json!({ "revision": state["revision"] })).status, 409);
    let now = studio.settled();
    assert_eq!(now["done"]["steps"][0]["verb"], "cut");
    assert_eq!(studio.post("/api/undo", &json!({ "revision": now["revision"] })).status, 200);
    let back = studio.settled();
    assert_eq!(back["draft"], state["draft"]);
    assert_eq!(back["redo"], "added");
}

#[test]
fn an_edit_that_fails_is_told_and_the_last_result_stays() {
    let studio = studio();
    studio.settled();
    assert_eq!(studio.add(json!({ "verb": "cut", "from_secs": 70.0 })).status, 200);
    let state = studio.settled();
    assert!(state["failure"]["text"].as_str().unwrap().contains("cut"), "{}", state["failure"]);
    assert_eq!(studio.get("/api/motion/result").status, 200);
}

#[test]
fn dropped_files_open_and_what_is_exported_is_what_the_project_replays() {
    let studio = Running::start(None, |_| {});
    studio.settled();
    let bvh = studio.get("/api/download/walk.bvh");
    assert_eq!(bvh.status, 200);
    let taken = studio.post_bytes("/api/upload?name=mine.bvh", "application/octet-stream", &bvh.body).json();
    assert_eq!(taken["name"], "mine.bvh");
    let broken =
        studio.post_bytes("/api/upload?name=broken.bvh", "application/octet-stream", b"HIERARCHY\nROOT {").json();
    let open = |what: &str| studio.post("/api/open", &json!({ "revision": studio.state()["revision"], "what": what }));
    assert_eq!(open(broken["name"].as_str().unwrap()).status, 200);
    assert!(studio.settled()["failure"]["text"].as_str().unwrap().contains("broken.bvh"));
    assert_eq!(open("mine.bvh").status, 200);
    studio.settled();
    studio.add(json!({ "verb": "path", "follow": { "radius_m": 3.0, "side": "left" } }));
    studio.add(json!({ "verb": "touchup" }));
    let state = studio.settled();
    let zmp = |state: &serde_json::Value| {
        state["done"]["steps"]
            .as_array()
            .unwrap()
            .iter()
            .map(|step| step["stage"]["zmp_mean_m"].as_f64().unwrap())
            .collect::<Vec<_>>()
    };
    assert!(zmp(&state)[1] < 0.5 * zmp(&state)[0], "{:?}", zmp(&state));
    let exported = studio.post("/api/export", &json!({ "name": "bent.bvh" })).json();
    assert_eq!(studio.post("/api/export", &json!({ "name": "bent.bvh" })).status, 412, "there already");
    assert_eq!(studio.post("/api/export", &json!({ "name": "mine.bvh", "force": true })).status, 422, "it is read");
    assert_eq!(studio.post("/api/save", &json!({})).status, 422, "no name yet");
    assert_eq!(studio.post("/api/save", &json!({ "name": "walk.aplomb.toml" })).status, 200);
    let folder = studio.end();
    // The same project in the hands of the engine alone.
    let text = std::fs::read_to_string(folder.path().join("walk.aplomb.toml")).unwrap();
    let document = aplomb_project::ProjectDocument::parse(&text, std::path::Path::new("walk.aplomb.toml")).unwrap();
    let request = aplomb_project::RunRequest::quiet(folder.path(), Default::default(), std::path::Path::new("x.bvh"));
    let outcome = aplomb_project::run(&document.project(), &request).unwrap();
    let original = &outcome.original;
    let options = aplomb_formats::WriteOptions::default();
    let again = aplomb_formats::export::encode(
        std::path::Path::new("x.bvh"),
        &outcome.clip,
        Some(original),
        original.frame(),
        &options,
    )
    .unwrap();
    let written = std::fs::read(folder.path().join("bent.bvh")).unwrap();
    assert!(again.files.last().unwrap().1 == written);
    assert_eq!(exported["bytes"], written.len());
}

#[test]
fn the_receipt_page_is_downloaded_and_only_with_the_cookie() {
    let studio = studio();
    studio.settled();
    studio.add(json!({ "verb": "cut", "to_secs": 1.5 }));
    studio.settled();
    let page = studio.get("/api/download/walk.html");
    assert_eq!(page.status, 200);
    let head = page.head.to_ascii_lowercase();
    // Shown by this server it would be a page without its own scripts.
    assert!(head.contains("content-disposition: attachment; filename=\"walk.html\""), "{head}");
    let text = page.text();
    assert!(text.starts_with("<!doctype html>") && text.contains("verb = &quot;cut&quot;"), "{}", &text[..200]);
    let stranger = format!("GET /api/download/walk.html HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n", studio.port);
    assert_eq!(studio.raw(&stranger, b"").status, 403);
}

#[test]
fn after_a_restart_the_page_goes_on_with_what_was_not_saved() {
    let studio = Running::start(Some("builtin:walk"), |_| {});
    let (port, cookie) = (studio.port, studio.cookie.clone());
    studio.add(json!({ "verb": "cut", "to_secs": 2.0 }));
    let first = studio.settled();
    let again = Running::start_in(studio.end(), Some("builtin:walk"), port);
    assert_eq!(again.cookie, cookie, "the cookie of the page is still good");
    let state = again.settled();
    assert_eq!(state["recovered"], true);
    assert_eq!(state["draft"], first["draft"]);
}

fn live(studio: &Running, origin: &str, cookie: &str) -> tungstenite::handshake::client::Request {
    let mut request = format!("ws://127.0.0.1:{}/api/live", studio.port).into_client_request().unwrap();
    request.headers_mut().insert("Origin", origin.parse().unwrap());
    request.headers_mut().insert("Cookie", cookie.parse().unwrap());
    request
}

#[test]
fn handles_are_dragged_over_a_line_that_strangers_cannot_open() {
    let studio = studio();
    studio.settled();
    studio.add(json!({ "verb": "path" }));
    studio.settled();
    let ours = format!("http://127.0.0.1:{}", studio.port);
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        for request in [live(&studio, "http://evil.example", &studio.cookie), live(&studio, &ours, "aplomb_1=0")] {
            assert!(tokio_tungstenite::connect_async(request).await.is_err());
        }
        let (mut line, _) = tokio_tungstenite::connect_async(live(&studio, &ours, &studio.cookie)).await.unwrap();
        let header = |bytes: &[u8]| -> serde_json::Value {
            let length = u32::from_le_bytes(bytes[..4].try_into().unwrap()) as usize;
            serde_json::from_slice(&bytes[4..4 + length]).unwrap()
        };
        let mut drag = async |message: serde_json::Value| {
            line.send(Message::text(message.to_string())).await.unwrap();
            loop {
                match line.next().await.unwrap().unwrap() {
                    Message::Binary(bytes) => return header(&bytes),
                    Message::Text(text) if text.contains("refused") => return serde_json::from_str(&text).unwrap(),
                    _ => {}
                }
            }
        };
        let grabbed = drag(json!({ "n": 1, "entry": 0, "edit": {}, "grab": true })).await;
        assert!(grabbed["handles"].as_array().unwrap().len() > 3, "{grabbed}");
        let base = grabbed["handles"][2]["base"].clone();
        let moved =
            drag(json!({ "n": 2, "entry": 0, "edit": { "change": [{ "handle": 2, "move": [0.5, 0.0, 0.2] }] } })).await;
        assert_eq!(moved["n"], 2);
        assert!((moved["goals"][2][0].as_f64().unwrap() - base[0].as_f64().unwrap() - 0.5).abs() < 1e-9);
        assert_ne!(moved["secs"][0], moved["secs"][1], "times follow");
        let far =
            drag(json!({ "n": 3, "entry": 0, "edit": { "change": [{ "handle": 99, "move": [0.5, 0.0, 0.2] }] } }))
                .await;
        assert!(far["error"].as_str().unwrap().contains("99"), "{far}");
        assert!(drag(json!({ "n": 4, "entry": 7, "edit": {} })).await["error"].is_string());
        assert!(drag(json!({ "n": "x" })).await["error"].is_string());
        let back = drag(json!({ "n": 5, "entry": 0, "edit": {} })).await;
        assert_eq!(back["secs"][0], back["secs"][1]);
        // Too long a message ends the line, and nothing else.
        let _ = line.send(Message::text("x".repeat(2 << 20))).await;
    });
    assert_eq!(studio.get("/api/state").status, 200);
}

#[test]
fn who_leaves_during_a_solve_holds_nobody_up() {
    let studio = studio();
    studio.settled();
    // Many changes, none of whose results is waited for; the newest wins.
    for radius in 0..6 {
        let state = studio.state();
        let mut draft = state["draft"].clone();
        draft["entries"] = json!([{ "on": true, "edit": { "verb": "path", "follow": { "radius_m": 2.0 + f64::from(radius), "side": "left" } } }, { "on": true, "edit": { "verb": "touchup" } }]);
        assert_eq!(
            studio
                .post("/api/change", &json!({ "revision": state["revision"], "label": "bent", "draft": draft }))
                .status,
            200
        );
        let _ = std::net::TcpStream::connect(("127.0.0.1", studio.port)).map(drop);
    }
    let state = studio.settled();
    assert_eq!(state["draft"]["entries"][0]["edit"]["follow"]["radius_m"], 7.0);
    assert!(state["failure"].is_null(), "{}", state["failure"]);
    assert_eq!(state["done"]["steps"].as_array().unwrap().len(), 2);
}
