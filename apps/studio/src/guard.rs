//! Which requests are served: those with the token, from this machine, from our own page.
//!
//! The address that is printed carries a random token. The page is asked for once with it and gives a cookie back,
//! which scripts cannot read and other sites cannot send; from then on the cookie counts. A page of another site can
//! neither call us (its Origin is not ours, and the cookie is not sent) nor make its own name lead to us (the Host must
//! be the loopback interface).

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use sha2::{Digest, Sha256};
use std::fmt::Write;
use std::path::Path;
use std::sync::Arc;

/// Everything the page needs comes from us; inline styles are those that plots set on their own elements.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; \
                      font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Secrets of one server.
#[derive(Debug)]
pub struct Guard {
    token: String,
    cookie_name: String,
    cookie: String,
    port: u16,
}

impl Guard {
    /// A fresh token. The cookie is the same as at the last start on this port where a folder to remember it is given,
    /// so that a page that is open goes on after a restart.
    pub fn new(port: u16, memory: Option<&Path>) -> Result<Self, String> {
        let random = || -> Result<String, String> {
            let mut bytes = [0u8; 32];
            getrandom::fill(&mut bytes).map_err(|error| format!("the system gives no random numbers: {error}"))?;
            Ok(hex(&bytes))
        };
        let secret = match memory {
            Some(folder) => remembered(folder, &random)?,
            None => random()?,
        };
        let cookie = hex(&Sha256::digest(format!("aplomb studio {port} {secret}")));
        Ok(Self { token: random()?, cookie_name: format!("aplomb_{port}"), cookie, port })
    }

    /// The address to open.
    pub fn address(&self) -> String {
        format!("http://127.0.0.1:{}/?token={}", self.port, self.token)
    }

    fn is_our_host(&self, host: &str) -> bool {
        ["127.0.0.1", "localhost", "[::1]"].iter().any(|name| host == format!("{name}:{}", self.port))
    }

    fn is_our_origin(&self, origin: &str) -> bool {
        origin.strip_prefix("http://").is_some_and(|host| self.is_our_host(host))
    }

    fn has_cookie(&self, headers: &HeaderMap) -> bool {
        let cookies = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
        let mut pairs = cookies.flat_map(|line| line.split(';')).filter_map(|pair| pair.trim().split_once('='));
        pairs.any(|(name, value)| name == self.cookie_name && same(value, &self.cookie))
    }
}

/// A secret in a file that only its owner reads.
fn remembered(folder: &Path, random: &dyn Fn() -> Result<String, String>) -> Result<String, String> {
    let file = folder.join("studio.secret");
    let is_secret = |text: &String| text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    if let Some(known) = std::fs::read_to_string(&file).ok().filter(is_secret) {
        return Ok(known);
    }
    let secret = random()?;
    // Without it a restart asks for the new address; nothing else is lost.
    let _ = std::fs::create_dir_all(folder).and_then(|()| write_private(&file, &secret));
    Ok(secret)
}

fn write_private(file: &Path, text: &str) -> std::io::Result<()> {
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.mode(0o600);
    }
    use std::io::Write;
    options.open(file)?.write_all(text.as_bytes())
}

fn hex(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(2 * bytes.len());
    for byte in bytes {
        let _ = write!(text, "{byte:02x}");
    }
    text
}

/// Compares without telling by its time how much was right.
fn same(a: &str, b: &str) -> bool {
    a.len() == b.len() && a.bytes().zip(b.bytes()).fold(0, |differ, (a, b)| differ | (a ^ b)) == 0
}

/// Lets through what may pass, and puts the headers on what goes out.
pub async fn guard(State(guard): State<Arc<Guard>>, request: Request, next: Next) -> Response {
    let mut response = match verdict(&guard, &request) {
        Verdict::Pass => next.run(request).await,
        Verdict::Exchange => exchange(&guard),
        Verdict::Refuse(why) => refusal(why),
    };
    let headers = response.headers_mut();
    for (name, value) in [
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::X_FRAME_OPTIONS, "DENY"),
        (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    response
}

enum Verdict {
    Pass,
    Exchange,
    Refuse(&'static str),
}

fn verdict(guard: &Guard, request: &Request) -> Verdict {
    let headers = request.headers();
    let text = |name: HeaderName| headers.get(name).map(|value| value.to_str().unwrap_or("?"));
    if !text(header::HOST).is_some_and(|host| guard.is_our_host(host)) {
        return Verdict::Refuse("this server answers to 127.0.0.1 only");
    }
    let origin = text(header::ORIGIN);
    if origin.is_some_and(|origin| !guard.is_our_origin(origin)) {
        return Verdict::Refuse("calls from other sites are not answered");
    }
    let is_socket = headers.contains_key(header::UPGRADE);
    let changes = ![Method::GET, Method::HEAD].contains(request.method());
    // Browsers tell the origin of whatever changes something; what does not tell is no page of ours.
    if (changes || is_socket) && origin.is_none() {
        return Verdict::Refuse("a call that changes something must say where it comes from");
    }
    if guard.has_cookie(headers) {
        return Verdict::Pass;
    }
    let mut given = request.uri().query().unwrap_or_default().split('&').filter_map(|pair| pair.strip_prefix("token="));
    if request.uri().path() == "/" && !changes && given.any(|token| same(token, &guard.token)) {
        return Verdict::Exchange;
    }
    Verdict::Refuse("open the address that `aplomb studio` printed, with its token")
}

fn exchange(guard: &Guard) -> Response {
    let Guard { cookie_name, cookie, .. } = guard;
    let cookie = format!("{cookie_name}={cookie}; HttpOnly; SameSite=Strict; Path=/");
    (StatusCode::SEE_OTHER, [(header::LOCATION, "/".to_owned()), (header::SET_COOKIE, cookie)]).into_response()
}

fn refusal(why: &str) -> Response {
    (StatusCode::FORBIDDEN, [(header::CONTENT_TYPE, "text/plain; charset=utf-8")], format!("403: {why}\n"))
        .into_response()
}
