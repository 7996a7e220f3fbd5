"""The job of ``aplomb batch`` over a Ray cluster: paths in, index out; retried, resumable, nothing twice in the index.

    import aplomb.ray

    index = aplomb.ray.batch("/data/mocap", job="inspect", out="/data/out", index="/data/out/index.jsonl")

Needs ``pip install 'aplomb[ray]'`` and paths that every machine sees (a shared file system). Tasks are pure: they read a
clip, write its outputs in one step (a file appears whole or not at all) and return a row. The journal is written by the
driver alone, one line a clip, so that a worker that dies loses nothing but the clips it had in hand, which Ray gives to
another; and a driver that dies goes on where its journal ends.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any, Callable, Iterable

from . import _aplomb

ENDINGS = {".bvh", ".amc", ".glb", ".gltf", ".vrm", ".vrma", ".fbx", ".trc", ".c3d", ".npz"}


def batch(
    inputs: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
    *,
    job: str = "inspect",
    out: str | os.PathLike[str],
    index: str | os.PathLike[str] | None = None,
    to: str | None = None,
    resume: bool = True,
    clips_per_task: int = 8,
    tasks_in_flight: int | None = None,
    retries: int = 3,
    told: Callable[[int, int], None] | None = None,
) -> list[dict[str, Any]]:
    """Does ``job`` to every clip and returns the rows of the index, sorted by file.

    ``inputs`` is a folder (every motion file below) or paths. ``job`` is ``inspect``, ``convert`` (with ``to``), a verb
    (``touchup``) or a project file. ``retries`` counts the deaths of workers a task may see, not refusals: a clip that is
    refused is a row with its message. Ray must be initialised, or is started here with its defaults.
    """
    import ray

    if not ray.is_initialized():
        # Workers of Ray give way to everything else (niceness 15); those that we start for this job alone work like the command's threads.
        os.environ.setdefault("RAY_worker_niceness", "0")
        ray.init()
    folder = Path(out)
    (folder / ".aplomb").mkdir(parents=True, exist_ok=True)
    clips = _clips(inputs, folder)
    task, task_folder = _task(job)
    native = _aplomb.Job(task, task_folder, to)
    journal = folder / ".aplomb" / "journal-ray.jsonl"
    entries: dict[str, dict[str, Any]] = {}
    before = _read(journal) if resume else {}
    if not resume and journal.exists():
        journal.unlink()
    pending = []
    for key, path in clips:
        earlier = before.get(key)
        if earlier is not None and earlier["stamp"] == native.stamp(key, path) and _is_there(earlier, folder):
            entries[key] = earlier
        else:
            pending.append((key, path))

    # A worker that dies (killed, out of memory, its machine gone) is Ray's to replace.
    remote = ray.remote(max_retries=retries)(_process)
    chunks = [pending[start : start + clips_per_task] for start in range(0, len(pending), clips_per_task)]
    most = tasks_in_flight or max(2, 2 * int(ray.cluster_resources().get("CPU", 1)))
    running: list[Any] = []
    with _appended(journal) as lines:
        while chunks or running:
            # Few at a time: ten million clips are not ten million promises in the driver's memory.
            while chunks and len(running) < most:
                running.append(remote.remote(task, task_folder, to, chunks.pop(0), str(folder)))
            done, running = ray.wait(running, num_returns=1)
            for text in ray.get(done[0]):
                entry = json.loads(text)
                if entry["key"] in entries:
                    continue
                entries[entry["key"]] = entry
                lines.write(text + "\n")
            lines.flush()
            if told is not None:
                told(len(entries), len(clips))
    _aplomb.clear_leftovers(str(folder))
    rows = [entries[key]["row"] for key in sorted(entries)]
    if index is not None:
        _write_whole(Path(index), "".join(json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n" for row in rows))
    return rows


def _process(task: str, task_folder: str, to: str | None, clips: list[tuple[str, str]], out: str) -> list[str]:
    """Runs in a worker."""
    from aplomb import _aplomb as native

    job = native.Job(task, task_folder, to)
    return [job.process(key, path, out) for key, path in clips]


def _task(job: str) -> tuple[str, str]:
    if job in ("inspect", "convert"):
        return job, "."
    path = Path(job)
    if path.suffix:
        return path.read_text(encoding="utf-8"), str(path.parent.resolve())
    return f'schema = 1\nclip = "each"\n[[edit]]\nverb = {json.dumps(job)}\n', "."


def _clips(inputs: Any, out: Path) -> list[tuple[str, str]]:
    if isinstance(inputs, (str, os.PathLike)):
        top = Path(inputs).resolve()
        if not top.is_dir():
            return [(top.name, str(top))]
        inside = out.resolve()
        found = (path for path in top.rglob("*") if path.suffix.lower() in ENDINGS and path.is_file())
        paths = sorted(path for path in found if inside not in path.parents)
    else:
        paths = sorted(Path(path).resolve() for path in inputs)
        top = Path(os.path.commonpath([path.parent for path in paths])) if paths else Path(".")
    return [(path.relative_to(top).as_posix(), str(path)) for path in paths]


def _read(journal: Path) -> dict[str, dict[str, Any]]:
    """Whole lines; a last line that a killed driver was writing is passed over."""
    entries = {}
    if journal.exists():
        for line in journal.read_bytes().splitlines():
            try:
                entry = json.loads(line)
                entries[entry["key"]] = entry
            except (ValueError, KeyError, TypeError):
                continue
    return entries


def _is_there(entry: dict[str, Any], folder: Path) -> bool:
    outputs = entry.get("outputs", [])
    return all((folder / path).is_file() and (folder / path).stat().st_size == size for path, size in outputs)


def _appended(journal: Path) -> Any:
    """Opened so that what follows begins on a line of its own."""
    if journal.exists() and journal.stat().st_size > 0:
        with journal.open("rb+") as there:
            there.seek(-1, os.SEEK_END)
            if there.read(1) != b"\n":
                there.write(b"\n")
    return journal.open("a", encoding="utf-8")


def _write_whole(path: Path, text: str) -> None:
    """The index appears whole or not at all."""
    temporary = path.with_name(path.name + ".part")
    temporary.write_text(text, encoding="utf-8")
    os.replace(temporary, path)
