"""Edit captured human motion and keep it physically right.

    import aplomb

    clip = aplomb.load("walk.bvh")
    clip.rotations            # (frames, joints, 4), x y z w: the clip's own numbers, not a copy
    clip.inspect()["score"]   # whether it obeys physics, 0 to 100
    bent = clip.arc(radius_m=2.0, side="left").touchup()
    bent.save("bent.bvh")

Every verb is that of the command ``aplomb`` with the parameters of its project files (docs/reference.md): lengths in metres,
times in seconds, Y up. Work runs without the interpreter's lock, so that threads use all cores. What is refused raises
:class:`AplombError` with what is wrong and which keyword helps; ``error.code`` is a reader's code, if it is one.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any, Mapping, Sequence

import numpy as np

from . import _aplomb
from ._aplomb import AplombError, __version__
from ._verbs import PathLike, Verbs

__all__ = ["AplombError", "Clip", "PathEditor", "blend", "from_arrays", "inspect", "load", "run", "__version__"]


class Clip(Verbs):
    """A motion: a tree of joints, and their rotations and places over time as NumPy arrays.

    Arrays are the clip's own: what is changed in place is changed in the clip, and no access copies. Use :meth:`copy`
    before changing a clip that is still needed as it was.

    Every verb is a method: ``wave.track(character="child")``, ``jump.adapt(goals={"jump_length_m": 0.3})``,
    ``short.blend(long, weights=[0.5, 0.5])``. Ctrl-C stops those that take seconds. Goals that cannot be met raise
    :class:`AplombError`; with ``best=True`` the result is what comes nearest. :class:`PathEditor` collects handles and
    moves for :meth:`path_edit`.
    """

    __slots__ = ("_native",)

    def __init__(self, native: _aplomb.Clip) -> None:
        self._native = native

    @property
    def rotations(self) -> np.ndarray:
        """Local rotations, (frames, joints, 4) as x, y, z, w."""
        return self._native.rotations

    @property
    def root(self) -> np.ndarray | None:
        """Places of the root, (frames, 3), metres, Y up; ``None`` for a figure that is nailed in place."""
        return self._native.root

    @property
    def translations(self) -> dict[str, np.ndarray]:
        """Places, (frames, 3), of every joint whose translation is animated, the root's among them."""
        return self._native.translations

    @property
    def names(self) -> list[str]:
        """Joints, parents before children."""
        return self._native.names

    @property
    def parents(self) -> list[int | None]:
        """Index of each joint's parent; ``None`` for a root."""
        return self._native.parents

    @property
    def offsets(self) -> np.ndarray:
        """From each joint's parent at rest, (joints, 3), metres."""
        return self._native.offsets

    @property
    def roles(self) -> dict[str, str]:
        """What the joints are to the body: ``{"LeftUpLeg": "left_thigh", …}``."""
        return {name: role for name, role in zip(self._native.names, self._native.roles) if role is not None}

    @property
    def fps(self) -> float | None:
        """Frames a second; ``None`` where key times are uneven."""
        return self._native.fps

    @property
    def times(self) -> np.ndarray:
        """Time of each frame, s."""
        return self._native.times

    @property
    def duration(self) -> float:
        """From the first frame to the last, s."""
        times = self._native.times
        return float(times[-1] - times[0]) if len(times) else 0.0

    @property
    def path(self) -> str:
        """The file that it came from."""
        return self._native.path

    @property
    def unit_m(self) -> float:
        """Metres in one unit of that file; saving goes back to it."""
        return self._native.unit_m

    @property
    def diagnostics(self) -> list[str]:
        """What the reader guessed, tolerated or dropped."""
        return self._native.diagnostics

    @property
    def receipt(self) -> dict[str, Any] | None:
        """What the edits that made it did (docs/schemas/receipt.schema.json); ``None`` for a clip that was read."""
        text = self._native.receipt_json
        return None if text is None else _object(text)

    def receipt_html(self) -> str | None:
        """The receipt as one HTML page, as ``--html`` of the command writes it: both motions, every measure, what was done.

        ``None`` for a clip that was read, and where no body can be made to judge the motion.
        """
        return self._native.receipt_html()

    def world_positions(self) -> np.ndarray:
        """Where every joint is in the world, (frames, joints, 3), metres, Y up."""
        return self._native.world_positions()

    def inspect(self) -> dict[str, Any]:
        """The physics report of the motion as it is now (docs/schemas/inspect.schema.json)."""
        return _object(self._native.inspect_json())

    def cut(self, start: float | None = None, end: float | None = None) -> Clip:
        """A part of it, from ``start`` to before ``end``, s."""
        return self._verb("cut", {"from_secs": start, "to_secs": end})

    def save(self, path: PathLike, *, force: bool = False, accept_harm: bool = False) -> list[str]:
        """Writes it (.bvh, .amc, .glb, .npz, .usda) and returns what the writer had to say.

        An unedited clip gives back its file, byte for byte. An existing file is replaced only with ``force``.
        A motion that edits made worse is written only with ``accept_harm``; ``receipt["verdict"]`` says what is worse.
        """
        return self._native.save(os.fspath(path), force, accept_harm)

    def copy(self) -> Clip:
        """A clip of its own arrays."""
        return Clip(self._native.copy())

    def _verb(self, verb: str, parameters: Mapping[str, Any]) -> Clip:
        given = {key: value for key, value in parameters.items() if value is not None}
        if "clips" in given:
            given["clips"] = [clip if isinstance(clip, Clip) else load(clip) for clip in given["clips"]]
        return run({"edit": [{"verb": verb, **given}]}, self)

    def __len__(self) -> int:
        return len(self._native)

    def __repr__(self) -> str:
        return repr(self._native)


class PathEditor:
    """The way of a motion as a curve with handles, moved step by step and applied at once.

    >>> editor = PathEditor(clip).move(3, (0.4, 0.0, 0.0))     # the fourth handle, 40 cm along x
    >>> longer = editor.apply()

    Changes are made from the original whatever their order; those of one handle add up.
    """

    def __init__(self, clip: Clip) -> None:
        self._clip = clip
        self._parameters: dict[str, Any] = {}

    @property
    def handles(self) -> list[dict[str, Any]]:
        """What may be moved: ``handle`` (its number), ``time_secs``, ``position_m``, ``kind``, ``lead``."""
        return self._listed("handles")

    @property
    def flights(self) -> list[dict[str, Any]]:
        """What may be made higher or lower: ``flight`` (its number), ``start_secs``, ``end_secs``, ``height_m``, ``g``."""
        return self._listed("flights")

    def move(self, handle: int, by: Sequence[float]) -> PathEditor:
        """A handle by so many metres, (x, y, z)."""
        return self.change(handle=int(handle), move=[float(x) for x in by])

    def jump(self, flight: int, *, height: float | None = None, height_m: float | None = None) -> PathEditor:
        """A flight to ``height`` times what it is, or to ``height_m``."""
        given = {"height": height, "height_m": height_m}
        return self.change(flight=int(flight), **{name: value for name, value in given.items() if value is not None})

    def follow(self, **curve: Any) -> PathEditor:
        """Onto a curve: ``radius_m`` and ``side``; ``file``; ``svg``; or ``points_m``."""
        return self.set(follow=curve)

    def set(self, **parameters: Any) -> PathEditor:
        """Any parameters of ``path``: ``timing``, ``stairs``, ``align_to``, ``keep_keys``, …"""
        self._parameters.update(parameters)
        return self

    def change(self, **change: Any) -> PathEditor:
        """One more change, as project files have it under ``change``."""
        self._parameters.setdefault("change", []).append(change)
        return self

    def apply(self) -> Clip:
        """The motion with all of it done."""
        return self._clip.path_edit(**self._parameters)

    def _listed(self, of: str) -> list[dict[str, Any]]:
        text, others = _project_text({"edit": [{"verb": "path", **self._parameters}]})
        listed: list[dict[str, Any]] = _object(_aplomb.Edits(text, ".", self._clip._native, others).handles())[of]
        return listed


def _object(text: str) -> dict[str, Any]:
    read: dict[str, Any] = json.loads(text)
    return read


def load(
    path: PathLike,
    *,
    fps: float | str | None = None,
    unit: float | None = None,
    up: str | None = None,
    skeleton: PathLike | None = None,
    roles: PathLike | None = None,
    animation: str | None = None,
) -> Clip:
    """Reads a motion file of any format that ``aplomb`` reads, or makes ``builtin:NAME``.

    ``fps`` is the true rate where a header is wrong (a number, or ``"auto"``: by gravity); ``unit`` metres per unit of the file;
    ``up`` its up axis; ``skeleton`` the ASF of an AMC or the offsets of an npz; ``animation`` one of several in a glTF.
    """
    options = {"fps": fps, "unit": unit, "up": up, "animation": animation}
    options["skeleton"] = None if skeleton is None else os.fspath(skeleton)
    options["roles"] = None if roles is None else os.fspath(roles)
    return Clip(_aplomb.load(os.fspath(path), options))


def inspect(clip: Clip | PathLike, *, fps: float | str | None = None) -> dict[str, Any]:
    """The physics report of a file or a clip: contacts, flights, balance, forces and a score."""
    if isinstance(clip, Clip):
        return clip.inspect()
    return _object(_aplomb.inspect_file(os.fspath(clip), {"fps": fps}))


def run(project: Mapping[str, Any] | PathLike, clip: Clip | None = None, *, folder: PathLike | None = None) -> Clip:
    """Makes the edits of a project: a file, or a dict like one (``{"clip": …, "edit": [{"verb": …}, …]}``).

    ``clip`` takes the place of the project's own. Clips inside edits may be :class:`Clip` objects or paths; relative paths lead from
    ``folder`` (default: the project file's folder, or here). The result has a ``receipt``.
    """
    if not isinstance(project, Mapping):
        path = Path(project)
        return Clip(_run(path.read_text(encoding="utf-8"), folder or path.parent, clip, []))
    text, others = _project_text(project)
    return Clip(_run(text, folder or ".", clip, others))


def _project_text(project: Mapping[str, Any]) -> tuple[str, list[tuple[str, _aplomb.Clip]]]:
    """JSON in which clips in memory have names, and the clips by name."""
    others: list[tuple[str, _aplomb.Clip]] = []

    def named(value: Any) -> Any:
        if isinstance(value, Clip):
            name = f"aplomb-clip-in-memory-{len(others)}."
            others.append((name, value._native))
            return name
        if isinstance(value, Mapping):
            return {key: named(inner) for key, inner in value.items()}
        if isinstance(value, (list, tuple)):
            return [named(inner) for inner in value]
        if isinstance(value, os.PathLike):
            return os.fspath(value)
        if isinstance(value, (np.integer, np.floating)):
            return value.item()
        return value.tolist() if isinstance(value, np.ndarray) else value

    return json.dumps({"schema": 1, "clip": "in memory", **named(project)}), others


def _run(text: str, folder: PathLike, clip: Clip | None, others: list[tuple[str, _aplomb.Clip]]) -> _aplomb.Clip:
    return _aplomb.Edits(text, os.fspath(folder), None if clip is None else clip._native, others).run()


def blend(clips: Sequence[Clip | PathLike], **parameters: Any) -> Clip:
    """The motion between motions: ``blend([short, long], weights=[0.5, 0.5])``."""
    first, *rest = clips
    return (first if isinstance(first, Clip) else load(first)).blend(*rest, **parameters)


def from_arrays(
    names: Sequence[str],
    parents: Sequence[int | None],
    offsets: np.ndarray,
    rotations: np.ndarray,
    root: np.ndarray,
    fps: float,
) -> Clip:
    """A clip from arrays: parents before children (``None`` or −1 for the root), metres, Y up, quaternions x, y, z, w."""
    indices = [-1 if parent is None else int(parent) for parent in parents]
    tree, turns, places = (np.ascontiguousarray(values, dtype=np.float64) for values in (offsets, rotations, root))
    native = _aplomb.clip_from_arrays(list(names), indices, tree, turns, places, float(fps))
    return Clip(native)
