//! A motion whose numbers are NumPy arrays.

use crate::errors::{raised, raised_format, refused};
use aplomb_analysis::contacts::ContactFile;
use aplomb_formats::{Diagnostic, FileKind, Import, Limits, ReadOptions, WriteOptions, atomic};
use aplomb_motion::{
    Axis, Channels, Clip as Motion, FrameTime, Joint, JointId, Roles, Skeleton, Timeline, TranslationTrack, WorldPose,
};
use aplomb_project::edit::MemoryClip;
use aplomb_project::inspect::{body_of, inspect_import};
use aplomb_project::publish::Publication;
use aplomb_project::{EditReceipt, InspectRequest, Outcome, ProjectError, RateChoice, contact_sidecar};
use glam::{DQuat, DVec3};
use numpy::{PyArray1, PyArray2, PyArray3, PyArrayMethods, PyReadonlyArray2, PyReadonlyArray3};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What a clip came from: units, document, roles; its own motion may have changed since.
pub(crate) struct Source {
    pub import: Import,
    /// The user chose the rate, so that no verb doubts it again.
    pub is_rate_chosen: bool,
    /// What is known of the contacts of a motion, and that motion: with other numbers it does not hold.
    pub known: Option<(ContactFile, Motion)>,
}

/// What the edits that made a clip did: its receipt, and all that the page of the receipt shows.
pub(crate) struct Edited {
    pub outcome: Outcome,
    pub receipt: EditReceipt,
}

/// A motion: joints, and their rotations and places as NumPy arrays.
#[pyclass(module = "aplomb._aplomb", frozen)]
pub struct Clip {
    pub(crate) source: Arc<Source>,
    skeleton: Arc<Skeleton>,
    timeline: Timeline,
    rotations: Py<PyArray3<f64>>,
    /// Joint and its places, (frames, 3).
    tracks: Vec<(JointId, Py<PyArray2<f64>>)>,
    /// The edits that made it.
    edited: Option<Arc<Edited>>,
}

impl Clip {
    pub(crate) fn new(
        py: Python<'_>,
        source: Arc<Source>,
        motion: Motion,
        edited: Option<Arc<Edited>>,
    ) -> PyResult<Self> {
        let (skeleton, timeline, frames, rotations, tracks) = motion.into_parts();
        let flat: Vec<f64> = rotations.iter().flat_map(|rotation| rotation.to_array()).collect();
        let rotations = PyArray1::from_vec(py, flat).reshape([frames, skeleton.len(), 4])?.unbind();
        let mut arrays = Vec::with_capacity(tracks.len());
        for track in tracks {
            let flat: Vec<f64> = track.positions_m.iter().flat_map(|position_m| position_m.to_array()).collect();
            arrays.push((track.joint, PyArray1::from_vec(py, flat).reshape([frames, 3])?.unbind()));
        }
        Ok(Self { source, skeleton, timeline, rotations, tracks: arrays, edited })
    }

    /// The motion as its arrays have it now. Rotations are made unit again; what is no rotation is refused.
    fn motion(&self, py: Python<'_>) -> PyResult<Motion> {
        let rotations = self.rotations.bind(py).try_readonly()?;
        let view = rotations.as_array();
        let frames = view.shape()[0];
        let mut quaternions = Vec::with_capacity(frames * self.skeleton.len());
        for (frame, rows) in view.outer_iter().enumerate() {
            for (joint, row) in rows.outer_iter().enumerate() {
                let rotation = DQuat::from_xyzw(row[0], row[1], row[2], row[3]);
                let length = rotation.length();
                // Off by more than a tenth it was not meant as a rotation.
                if !(0.9..1.1).contains(&length) {
                    let name = &self.skeleton.joint(JointId::new(joint)).name;
                    return Err(refused(
                        py,
                        format!(
                            "frame {frame}, joint {name}: expected a unit quaternion (x, y, z, w), found length {length}"
                        ),
                    ));
                }
                // To the last bit where it is unit already: an untouched clip stays what it was.
                quaternions.push(if (length - 1.0).abs() < 1e-12 { rotation } else { rotation / length });
            }
        }
        let mut tracks = Vec::with_capacity(self.tracks.len());
        for (joint, positions) in &self.tracks {
            let positions = positions.bind(py).try_readonly()?;
            let rows = positions.as_array();
            let positions_m = rows.outer_iter().map(|row| DVec3::new(row[0], row[1], row[2])).collect();
            tracks.push(TranslationTrack { joint: *joint, positions_m });
        }
        Motion::new(Arc::clone(&self.skeleton), self.timeline.clone(), frames, quaternions, tracks)
            .map_err(|error| refused(py, error.to_string()))
    }

    /// The motion as it is now, under a name that edits have for it.
    pub(crate) fn in_memory(&self, py: Python<'_>, name: &str) -> PyResult<MemoryClip> {
        let motion = self.motion(py)?;
        let known = self.known_of(&motion);
        Ok(MemoryClip { name: name.into(), import: Import { clip: motion, ..self.source.import.clone() }, known })
    }

    /// What is known of the contacts of this motion: with other numbers it does not hold.
    fn known_of(&self, motion: &Motion) -> Option<ContactFile> {
        self.source.known.as_ref().filter(|(_, of)| of == motion).map(|(contacts, _)| contacts.clone())
    }
}

/// Options that say what the user knows better than a file.
fn read_options(py: Python<'_>, options: Option<&Bound<'_, PyDict>>) -> PyResult<(ReadOptions, Option<RateChoice>)> {
    let mut read = ReadOptions { limits: Limits::default(), ..ReadOptions::default() };
    let mut rate = None;
    for (key, value) in options.into_iter().flatten() {
        let key: String = key.extract()?;
        if value.is_none() {
            continue;
        }
        match key.as_str() {
            "fps" => match value.extract::<String>() {
                Ok(word) if word == "auto" => rate = Some(RateChoice::Auto),
                Ok(word) if word == "header" => rate = Some(RateChoice::Header),
                Ok(word) => {
                    return Err(refused(py, format!("fps: expected a number, \"auto\" or \"header\", found {word:?}")));
                }
                Err(_) => {
                    let time =
                        FrameTime::from_hz(value.extract()?).map_err(|error| refused(py, format!("fps: {error}")))?;
                    rate = Some(RateChoice::Given(time));
                }
            },
            "unit" => read.metres_per_unit = Some(value.extract()?),
            "up" => {
                read.up = Some(match value.extract::<String>()?.to_lowercase().as_str() {
                    "x" => Axis::X,
                    "y" => Axis::Y,
                    "z" => Axis::Z,
                    other => return Err(refused(py, format!("up: expected x, y or z, found {other:?}"))),
                });
            }
            "skeleton" => read.skeleton_file = Some(value.extract()?),
            "roles" => read.roles_file = Some(value.extract()?),
            "animation" => read.animation = Some(value.extract()?),
            other => {
                return Err(refused(
                    py,
                    format!("{other}: there is no such option; fps, unit, up, skeleton, roles, animation"),
                ));
            }
        }
    }
    Ok((read, rate))
}

/// Reads a motion file, or makes `builtin:NAME`.
#[pyfunction]
#[pyo3(signature = (path, options=None))]
pub fn load(py: Python<'_>, path: PathBuf, options: Option<&Bound<'_, PyDict>>) -> PyResult<Clip> {
    let (read, rate) = read_options(py, options)?;
    let chosen = rate.unwrap_or(RateChoice::Header);
    let import = py.detach(|| aplomb_project::load(&path, &read, chosen)).map_err(|error| raised(py, &error))?;
    let motion = import.clip.clone();
    let known = contact_sidecar::known_beside(&path).map_err(|error| raised(py, &error))?;
    let known = known.map(|known| (known, motion.clone()));
    let source = Source { import, is_rate_chosen: rate.is_some(), known };
    Clip::new(py, Arc::new(source), motion, None)
}

/// The report of `aplomb inspect --json` for a file, as JSON.
#[pyfunction]
#[pyo3(signature = (path, options=None))]
pub fn inspect_file(py: Python<'_>, path: PathBuf, options: Option<&Bound<'_, PyDict>>) -> PyResult<String> {
    let (read, rate) = read_options(py, options)?;
    let request = InspectRequest {
        read,
        rate: rate.unwrap_or_default(),
        words: Some(aplomb_words::sentence),
        ..InspectRequest::default()
    };
    let inspected = py.detach(|| {
        aplomb_project::inspect_file(&path, &request).map(|inspected| inspected.report(aplomb_words::sentence))
    });
    json(py, &inspected.map_err(|error| raised(py, &error))?)
}

/// A clip made of arrays: names, parents (−1 for a root), offsets (J, 3), rotations (T, J, 4) and the root's places (T,
/// 3).
#[pyfunction]
pub fn clip_from_arrays(
    py: Python<'_>,
    names: Vec<String>,
    parents: Vec<i64>,
    offsets: PyReadonlyArray2<'_, f64>,
    rotations: PyReadonlyArray3<'_, f64>,
    root: PyReadonlyArray2<'_, f64>,
    fps: f64,
) -> PyResult<Clip> {
    let fault = |message: String| refused(py, message);
    let (joints, shape) = (names.len(), rotations.as_array().shape().to_vec());
    let offsets = offsets.as_array();
    if parents.len() != joints
        || offsets.shape() != [joints, 3]
        || shape[1..] != [joints, 4]
        || root.as_array().shape() != [shape[0], 3]
    {
        return Err(fault(format!(
            "expected {joints} parents, offsets ({joints}, 3), rotations (T, {joints}, 4) and root (T, 3)"
        )));
    }
    let mut list = Vec::with_capacity(joints);
    for (index, (name, parent)) in names.into_iter().zip(parents).enumerate() {
        let parent = match parent {
            -1 => None,
            parent => match usize::try_from(parent).ok().filter(|parent| *parent < index) {
                Some(parent) => Some(JointId::new(parent)),
                None => {
                    return Err(fault(format!("joint {index} {name}: its parent must come before it, found {parent}")));
                }
            },
        };
        let row = offsets.row(index);
        let offset_m = DVec3::new(row[0], row[1], row[2]);
        list.push(Joint {
            name,
            parent,
            offset_m,
            channels: Channels::rotating([Axis::Z, Axis::Y, Axis::X], parent.is_none()),
            end_sites: vec![],
        });
    }
    let skeleton = Skeleton::new(list).map_err(|error| fault(error.to_string()))?;
    let frame_time = FrameTime::from_hz(fps).map_err(|error| fault(format!("fps: {error}")))?;
    let quaternions: Vec<DQuat> = rotations
        .as_array()
        .rows()
        .into_iter()
        .map(|row| DQuat::from_xyzw(row[0], row[1], row[2], row[3]))
        .map(|rotation| if rotation.length() > 0.0 { rotation.normalize() } else { rotation })
        .collect();
    let positions_m = root.as_array().outer_iter().map(|row| DVec3::new(row[0], row[1], row[2])).collect();
    let track = TranslationTrack { joint: JointId::new(0), positions_m };
    let motion = Motion::new(Arc::new(skeleton), Timeline::Uniform(frame_time), shape[0], quaternions, vec![track])
        .map_err(|error| fault(error.to_string()))?;
    let import = Import::of_clip(Path::new("arrays.bvh"), motion.clone());
    let source = Source { import, is_rate_chosen: true, known: None };
    Clip::new(py, Arc::new(source), motion, None)
}

/// As the Python half reads it.
pub(crate) fn json(py: Python<'_>, value: &impl serde::Serialize) -> PyResult<String> {
    serde_json::to_string(value).map_err(|error| refused(py, error.to_string()))
}

#[pymethods]
impl Clip {
    /// Local rotations, (frames, joints, 4) as x, y, z, w: the clip's own numbers; what is changed in place is changed
    /// in the clip.
    #[getter]
    fn rotations(&self, py: Python<'_>) -> Py<PyArray3<f64>> {
        self.rotations.clone_ref(py)
    }

    /// Places of the root, (frames, 3), metres, Y up: the clip's own numbers. `None` for a figure that is nailed in
    /// place.
    #[getter]
    fn root(&self, py: Python<'_>) -> Option<Py<PyArray2<f64>>> {
        let root = self.skeleton.roots().next()?;
        let (_, positions) = self.tracks.iter().find(|(joint, _)| *joint == root)?;
        Some(positions.clone_ref(py))
    }

    /// Places of every joint whose translation is animated, by name.
    #[getter]
    fn translations<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let all = PyDict::new(py);
        for (joint, positions) in &self.tracks {
            all.set_item(&self.skeleton.joint(*joint).name, positions.clone_ref(py))?;
        }
        Ok(all)
    }

    #[getter]
    fn names(&self) -> Vec<String> {
        self.skeleton.joints().iter().map(|joint| joint.name.clone()).collect()
    }

    /// Index of each joint's parent; `None` for roots.
    #[getter]
    fn parents(&self) -> Vec<Option<usize>> {
        self.skeleton.joints().iter().map(|joint| joint.parent.map(JointId::index)).collect()
    }

    /// From each joint's parent, (joints, 3), metres.
    #[getter]
    fn offsets<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let flat: Vec<f64> = self.skeleton.joints().iter().flat_map(|joint| joint.offset_m.to_array()).collect();
        PyArray1::from_vec(py, flat).reshape([self.skeleton.len(), 3])
    }

    /// Role of each joint, or `None`.
    #[getter]
    fn roles(&self) -> Vec<Option<String>> {
        let roles: &Roles = &self.source.import.roles;
        self.skeleton.ids().map(|joint| roles.role(joint).map(|role| role.to_string())).collect()
    }

    /// Frames a second; `None` where key times are uneven.
    #[getter]
    fn fps(&self) -> Option<f64> {
        self.timeline.uniform().map(|time| time.hz())
    }

    /// Time of each frame, s.
    #[getter]
    fn times<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        let frames = self.rotations.bind(py).dims()[0];
        PyArray1::from_iter(py, (0..frames).map(|frame| self.timeline.time_secs(aplomb_motion::FrameIndex(frame))))
    }

    #[getter]
    fn path(&self) -> String {
        self.source.import.path.display().to_string()
    }

    /// Metres in one unit of the file.
    #[getter]
    fn unit_m(&self) -> f64 {
        self.source.import.frame().metres_per_unit
    }

    /// What the reader noticed, one text each.
    #[getter]
    fn diagnostics(&self) -> Vec<String> {
        self.source.import.diagnostics.iter().map(Diagnostic::in_keys).collect()
    }

    /// JSON of the receipt of the edits that made it.
    #[getter]
    fn receipt_json(&self, py: Python<'_>) -> PyResult<Option<String>> {
        self.edited.as_ref().map(|edited| json(py, &edited.receipt)).transpose()
    }

    /// The receipt as a page; `None` without edits, or where no body can be made.
    fn receipt_html(&self, py: Python<'_>) -> Option<String> {
        let edited = self.edited.as_ref()?;
        let title = aplomb_pages::file_name(&self.path());
        py.detach(|| aplomb_pages::receipt_html(&edited.outcome, &edited.receipt, Some(&title), None))
    }

    /// Where every joint is in the world, (frames, joints, 3), metres, Y up.
    fn world_positions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray3<f64>>> {
        let motion = self.motion(py)?;
        let (frames, joints) = (motion.frame_count(), self.skeleton.len());
        let flat = py.detach(|| {
            let mut flat = Vec::with_capacity(frames * joints * 3);
            let mut pose = WorldPose::default();
            for frame in motion.frames() {
                pose.pose(&motion, frame);
                flat.extend(pose.joint_in_world_m.iter().flat_map(|place_m| place_m.to_array()));
            }
            flat
        });
        PyArray1::from_vec(py, flat).reshape([frames, joints, 3])
    }

    /// The report of `aplomb inspect --json`, as JSON.
    fn inspect_json(&self, py: Python<'_>) -> PyResult<String> {
        let mut import = self.source.import.clone();
        import.clip = self.motion(py)?;
        let request = InspectRequest {
            rate: RateChoice::Header,
            words: Some(aplomb_words::sentence),
            ..InspectRequest::default()
        };
        let report = py.detach(|| {
            let body = body_of(&import, &request)?;
            inspect_import(import, body, &request).map(|inspected| inspected.report(aplomb_words::sentence))
        });
        json(py, &report.map_err(|error| raised(py, &error))?)
    }

    /// Writes it; the ending of the name says how. An unedited clip gives back its file, byte for byte.
    #[pyo3(signature = (path, force=false, accept_harm=false))]
    fn save(&self, py: Python<'_>, path: PathBuf, force: bool, accept_harm: bool) -> PyResult<Vec<String>> {
        if let Some(why) = FileKind::refusal_to_write(&path) {
            return Err(refused(py, format!("{}: {why}", path.display())));
        }
        atomic::refuse_existing(&path, force).map_err(|error| raised_format(py, error))?;
        let (motion, source) = (self.motion(py)?, Arc::clone(&self.source));
        let known = self.known_of(&motion);
        let edited = self.edited.as_ref().map(|edited| &edited.outcome);
        // Arrays that were changed since are a person's own work.
        if let Some(outcome) = edited.filter(|outcome| !accept_harm && outcome.clip == motion) {
            outcome.refuse_harm(&path).map_err(|error| raised(py, &error))?;
        }
        let written = py.detach(move || {
            let (import, options) = (&source.import, WriteOptions::default());
            let written = Publication::new(&path, &motion, Some(import), import.frame(), &options, known.as_ref())?;
            written.save(&[], force)?;
            Ok(written.encoded.notes.iter().map(ToString::to_string).collect())
        });
        written.map_err(|error: ProjectError| raised(py, &error))
    }

    /// A copy whose arrays are its own.
    fn copy(&self, py: Python<'_>) -> PyResult<Self> {
        Self::new(py, Arc::clone(&self.source), self.motion(py)?, self.edited.clone())
    }

    fn __len__(&self, py: Python<'_>) -> usize {
        self.rotations.bind(py).dims()[0]
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        let rate = self.fps().map_or_else(|| "uneven times".to_owned(), |hz| format!("{hz:.4} fps"));
        format!("<aplomb.Clip {}: {} frames of {} joints, {rate}>", self.path(), self.__len__(py), self.skeleton.len())
    }
}
