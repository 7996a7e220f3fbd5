//! What the page can ask for.

use crate::engine::Engine;
use crate::error::StudioError;
use crate::guard::{Guard, guard};
use crate::path_drag::{Asked, Drag};
use crate::{assets, places};
use aplomb_project::Draft;
use aplomb_project::verbs::verbs_json;
use axum::body::Body;
use axum::extract::rejection::JsonRejection;
use axum::extract::ws::{Message, WebSocket, WebSocketUpgrade};
use axum::extract::{DefaultBodyLimit, FromRequest, Path as UrlPath, Query, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router, middleware};
use serde::Deserialize;
use serde_json::{Value, json};
use std::path::Path;
use std::sync::{Arc, mpsc};

/// A change is a project file; by hand it never gets larger.
const CHANGE_BYTES: usize = 16 << 20;
/// Captures are tens of megabytes; what is larger than this belongs into the folder without us.
const UPLOAD_BYTES: usize = 512 << 20;
/// A move of the hand with all changes of a path.
const MOVE_BYTES: usize = 1 << 20;

/// What requests share.
#[derive(Clone)]
pub struct Shared {
    /// The project.
    pub engine: Arc<Engine>,
    /// Moves of hands.
    pub moves: mpsc::SyncSender<Asked>,
}

/// All routes, guarded.
pub fn router(shared: Shared, secrets: Arc<Guard>) -> Router {
    Router::new()
        .route("/api/state", get(state))
        .route("/api/motion/{which}", get(motion))
        .route("/api/files", get(files))
        .route("/api/verbs", get(|| async { Json(verbs_json()) }))
        .route("/api/live", get(live))
        .route("/api/download/{name}", get(download))
        .route("/api/change", post(change))
        .route("/api/undo", post(undo))
        .route("/api/redo", post(redo))
        .route("/api/open", post(open))
        .route("/api/save", post(save))
        .route("/api/export", post(export))
        .route("/api/stop", post(stop))
        .layer(DefaultBodyLimit::max(CHANGE_BYTES))
        .route("/api/upload", post(upload))
        .route("/", get(|| async { assets::answer("") }))
        .route("/{*path}", get(|UrlPath(path): UrlPath<String>| async move { assets::answer(&path) }))
        .with_state(shared)
        .layer(middleware::from_fn_with_state(secrets, guard))
}

/// JSON whose faults are answered in JSON.
struct Asks<T>(T);

impl<S: Send + Sync, T: serde::de::DeserializeOwned> FromRequest<S> for Asks<T> {
    type Rejection = Response;

    async fn from_request(request: axum::extract::Request, state: &S) -> Result<Self, Response> {
        match Json::<T>::from_request(request, state).await {
            Ok(Json(asks)) => Ok(Self(asks)),
            Err(rejection) => {
                let status = match &rejection {
                    JsonRejection::BytesRejection(_) => StatusCode::PAYLOAD_TOO_LARGE,
                    JsonRejection::MissingJsonContentType(_) => StatusCode::UNSUPPORTED_MEDIA_TYPE,
                    _ => StatusCode::BAD_REQUEST,
                };
                Err((status, Json(json!({ "error": rejection.body_text() }))).into_response())
            }
        }
    }
}

/// Work that takes longer than a moment belongs on a thread of its own.
async fn elsewhere<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, StudioError> + Send + 'static,
) -> Result<T, StudioError> {
    match tokio::task::spawn_blocking(work).await {
        Ok(done) => done,
        Err(error) => Err(StudioError::Start(format!("this is a bug, please report it: {error}"))),
    }
}

async fn state(State(shared): State<Shared>) -> Result<Json<Value>, StudioError> {
    Ok(Json(elsewhere(move || Ok(shared.engine.state())).await?))
}

async fn motion(State(shared): State<Shared>, UrlPath(which): UrlPath<String>) -> Result<Response, StudioError> {
    let (revision, packet) = elsewhere(move || {
        let done = shared.engine.done()?;
        let packet = match which.as_str() {
            "original" => done.original(),
            "result" => done.result(),
            _ => {
                let problem = "expected original or result".to_owned();
                return Err(StudioError::Refused { what: which, problem });
            }
        };
        Ok((done.revision, packet))
    })
    .await?;
    let mut headers = HeaderMap::new();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/octet-stream"));
    headers.insert("x-revision", HeaderValue::from(revision));
    Ok((headers, packet.to_vec()).into_response())
}

async fn files(State(shared): State<Shared>) -> Result<Json<Value>, StudioError> {
    let listed = elsewhere(move || Ok(places::list(shared.engine.root()))).await?;
    Ok(Json(json!({ "files": listed })))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Change {
    revision: u64,
    label: String,
    draft: Draft,
}

async fn change(State(shared): State<Shared>, Asks(asks): Asks<Change>) -> Result<Json<Value>, StudioError> {
    let revision = elsewhere(move || shared.engine.put(asks.revision, &asks.label, asks.draft)).await?;
    Ok(Json(json!({ "revision": revision })))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct At {
    revision: u64,
}

async fn undo(State(shared): State<Shared>, Asks(asks): Asks<At>) -> Result<Json<Value>, StudioError> {
    Ok(Json(json!({ "revision": elsewhere(move || shared.engine.undo(asks.revision)).await? })))
}

async fn redo(State(shared): State<Shared>, Asks(asks): Asks<At>) -> Result<Json<Value>, StudioError> {
    Ok(Json(json!({ "revision": elsewhere(move || shared.engine.redo(asks.revision)).await? })))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Open {
    revision: u64,
    what: String,
}

async fn open(State(shared): State<Shared>, Asks(asks): Asks<Open>) -> Result<Json<Value>, StudioError> {
    let revision = elsewhere(move || shared.engine.open(asks.revision, &asks.what)).await?;
    Ok(Json(json!({ "revision": revision })))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Save {
    #[serde(default)]
    name: Option<String>,
    #[serde(default)]
    force: bool,
}

async fn save(State(shared): State<Shared>, Asks(asks): Asks<Save>) -> Result<Json<Value>, StudioError> {
    let file = elsewhere(move || shared.engine.save(asks.name.as_deref(), asks.force)).await?;
    Ok(Json(json!({ "file": file })))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Export {
    name: String,
    #[serde(default)]
    force: bool,
    #[serde(default)]
    accept_harm: bool,
}

async fn export(State(shared): State<Shared>, Asks(asks): Asks<Export>) -> Result<Json<Value>, StudioError> {
    Ok(Json(elsewhere(move || shared.engine.export(&asks.name, asks.force, asks.accept_harm)).await?))
}

async fn stop(State(shared): State<Shared>) -> Json<Value> {
    shared.engine.stop();
    Json(json!({}))
}

#[derive(Deserialize)]
struct Download {
    #[serde(default)]
    accept_harm: bool,
}

/// The result, its receipt page, or the project, for the browser's own download folder.
async fn download(
    State(shared): State<Shared>,
    UrlPath(name): UrlPath<String>,
    Query(asks): Query<Download>,
) -> Result<Response, StudioError> {
    let shown: String = name
        .chars()
        .map(|letter| if letter.is_ascii_alphanumeric() || "._-".contains(letter) { letter } else { '-' })
        .collect();
    let bytes = elsewhere(move || {
        if name.ends_with(places::PROJECT_ENDING) {
            return Ok(shared.engine.project().0.to_text().into_bytes());
        }
        // Saved, not shown here: its scripts are inside it, and this server's policy forbids those.
        if name.ends_with(".html") {
            return Ok(shared.engine.receipt_page()?.into_bytes());
        }
        let encoded = shared.engine.encoded(Path::new(&name), asks.accept_harm)?;
        Ok(encoded.encoded.files.into_iter().next_back().map(|(_, bytes)| bytes).unwrap_or_default())
    })
    .await?;
    let disposition = HeaderValue::from_str(&format!("attachment; filename=\"{shown}\""))
        .unwrap_or(HeaderValue::from_static("attachment"));
    let kind = HeaderValue::from_static("application/octet-stream");
    Ok(([(header::CONTENT_TYPE, kind), (header::CONTENT_DISPOSITION, disposition)], bytes).into_response())
}

#[derive(Deserialize)]
struct Upload {
    name: String,
}

async fn upload(State(shared): State<Shared>, Query(asks): Query<Upload>, body: Body) -> Result<Response, StudioError> {
    let Ok(bytes) = axum::body::to_bytes(body, UPLOAD_BYTES).await else {
        let error = format!("the file is larger than {} MB, or its sender went away", UPLOAD_BYTES >> 20);
        return Ok((StatusCode::PAYLOAD_TOO_LARGE, Json(json!({ "error": error }))).into_response());
    };
    let name = elsewhere(move || places::take_in(shared.engine.root(), &asks.name, &bytes)).await?;
    Ok(Json(json!({ "name": name })).into_response())
}

async fn live(State(shared): State<Shared>, socket: WebSocketUpgrade) -> Response {
    socket.max_message_size(MOVE_BYTES).max_frame_size(MOVE_BYTES).on_upgrade(move |socket| talk(socket, shared))
}

/// Events out, moves in, motions out; until either side goes.
async fn talk(mut socket: WebSocket, shared: Shared) {
    let mut events = shared.engine.events();
    let (answer, mut answers) = tokio::sync::mpsc::channel::<Vec<u8>>(4);
    loop {
        let out = tokio::select! {
            event = events.recv() => match event {
                Ok(event) => serde_json::to_string(&event).ok().map(|text| (Message::text(text), matches!(event, crate::engine::Event::Closing))),
                // A client that was too slow asks for the state again.
                Err(tokio::sync::broadcast::error::RecvError::Lagged(_)) => Some((Message::text(r#"{"type":"state"}"#), false)),
                Err(tokio::sync::broadcast::error::RecvError::Closed) => return,
            },
            packet = answers.recv() => packet.map(|packet| (Message::binary(packet), false)),
            message = socket.recv() => match message {
                Some(Ok(Message::Text(text))) => match serde_json::from_str::<Drag>(&text) {
                    // A full queue means that newer moves wait already.
                    Ok(drag) => { let _ = shared.moves.try_send(Asked { drag, answer: answer.clone() }); None }
                    Err(error) => Some((Message::text(json!({ "type": "refused", "error": error.to_string() }).to_string()), false)),
                },
                Some(Ok(Message::Close(_))) | Some(Err(_)) | None => return,
                Some(Ok(_)) => None,
            },
        };
        if let Some((message, is_last)) = out
            && (socket.send(message).await.is_err() || is_last)
        {
            return;
        }
    }
}
