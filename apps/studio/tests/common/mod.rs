//! A studio that runs, and a client that sends exactly what a test gives it.

use aplomb_studio::{Studio, StudioOptions};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

pub struct Running {
    pub port: u16,
    pub token: String,
    pub cookie: String,
    pub folder: tempfile::TempDir,
    end: Option<tokio::sync::oneshot::Sender<()>>,
    thread: Option<std::thread::JoinHandle<()>>,
}

pub struct Answer {
    pub status: u16,
    pub head: String,
    pub body: Vec<u8>,
}

impl Answer {
    pub fn json(&self) -> serde_json::Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&self.body)))
    }

    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }
}

impl Running {
    /// In a folder of its own, which `prepare` may fill; `what` is relative to it.
    pub fn start(what: Option<&str>, prepare: impl FnOnce(&Path)) -> Self {
        let folder = tempfile::tempdir().unwrap();
        prepare(folder.path());
        Self::start_in(folder, what, 0)
    }

    pub fn start_in(folder: tempfile::TempDir, what: Option<&str>, port: u16) -> Self {
        let cache = folder.path().join(".cache");
        let what = what.map(|what| if what.contains(':') { PathBuf::from(what) } else { folder.path().join(what) });
        let studio =
            Studio::open(&StudioOptions { what: what.or(Some(folder.path().to_owned())), port, cache: Some(cache) })
                .unwrap();
        let address = studio.address().to_owned();
        let port = address.split(':').nth(2).unwrap().split('/').next().unwrap().parse().unwrap();
        let token = address.split("token=").nth(1).unwrap().to_owned();
        let (end, ended) = tokio::sync::oneshot::channel::<()>();
        let thread = std::thread::spawn(move || {
            studio
                .serve(async {
                    let _ = ended.await;
                })
                .unwrap();
        });
        let mut running = Self { port, token, cookie: String::new(), folder, end: Some(end), thread: Some(thread) };
        let answer = running.raw(&format!("GET /?token={} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n", running.token), b"");
        assert_eq!(answer.status, 303);
        let line = answer.head.lines().find(|line| line.to_ascii_lowercase().starts_with("set-cookie:")).unwrap();
        assert!(line.contains("HttpOnly") && line.contains("SameSite=Strict"), "{line}");
        running.cookie = line.split_once(':').unwrap().1.trim().split(';').next().unwrap().to_owned();
        running
    }

    /// Sends head lines as they are, with a length and a body behind them.
    pub fn raw(&self, head: &str, body: &[u8]) -> Answer {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(120))).unwrap();
        let length = if body.is_empty() { String::new() } else { format!("Content-Length: {}\r\n", body.len()) };
        stream.write_all(format!("{head}{length}Connection: close\r\n\r\n").as_bytes()).unwrap();
        // A server that refuses may close before all is sent.
        let _ = stream.write_all(body);
        let mut bytes = Vec::new();
        let _ = stream.read_to_end(&mut bytes);
        let split = bytes.windows(4).position(|four| four == b"\r\n\r\n").unwrap_or(bytes.len());
        let head = String::from_utf8_lossy(&bytes[..split]).into_owned();
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
        let mut body = bytes.get(split + 4..).unwrap_or_default().to_vec();
        if head.to_ascii_lowercase().contains("transfer-encoding: chunked") {
            body = unchunked(&body);
        }
        Answer { status, head, body }
    }

    pub fn get(&self, path: &str) -> Answer {
        let (port, cookie) = (self.port, &self.cookie);
        self.raw(&format!("GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nCookie: {cookie}\r\n"), b"")
    }

    pub fn post(&self, path: &str, body: &serde_json::Value) -> Answer {
        self.post_bytes(path, "application/json", body.to_string().as_bytes())
    }

    pub fn post_bytes(&self, path: &str, kind: &str, body: &[u8]) -> Answer {
        let (port, cookie) = (self.port, &self.cookie);
        let head = format!(
            "POST {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nOrigin: http://127.0.0.1:{port}\r\nCookie: {cookie}\r\nContent-Type: {kind}\r\n"
        );
        self.raw(&head, body)
    }

    pub fn state(&self) -> serde_json::Value {
        self.get("/api/state").json()
    }

    /// Waits until the edits of the present revision are made, or failed.
    pub fn settled(&self) -> serde_json::Value {
        let started = Instant::now();
        loop {
            let state = self.state();
            let revision = &state["revision"];
            let failed = state["failure"]["revision"] == *revision;
            if state["running"] == false && (state["done"]["revision"] == *revision || failed) {
                return state;
            }
            assert!(started.elapsed() < Duration::from_secs(180), "{state}");
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// Adds an edit.
    pub fn add(&self, edit: serde_json::Value) -> Answer {
        let state = self.state();
        let mut draft = state["draft"].clone();
        draft["entries"].as_array_mut().unwrap().push(serde_json::json!({ "on": true, "edit": edit }));
        self.post(
            "/api/change",
            &serde_json::json!({ "revision": state["revision"], "label": "added", "draft": draft }),
        )
    }

    /// Ends it and gives the folder back.
    pub fn end(mut self) -> tempfile::TempDir {
        self.stop();
        std::mem::replace(&mut self.folder, tempfile::tempdir().unwrap())
    }

    fn stop(&mut self) {
        drop(self.end.take());
        if let Some(thread) = self.thread.take() {
            thread.join().unwrap();
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.stop();
    }
}

fn unchunked(mut bytes: &[u8]) -> Vec<u8> {
    let mut whole = Vec::new();
    while let Some(line) = bytes.windows(2).position(|two| two == b"\r\n") {
        let size = usize::from_str_radix(std::str::from_utf8(&bytes[..line]).unwrap().trim(), 16).unwrap();
        if size == 0 {
            break;
        }
        whole.extend_from_slice(&bytes[line + 2..line + 2 + size]);
        bytes = &bytes[line + 2 + size + 2..];
    }
    whole
}
