"""The native half; use the package."""

from typing import Any, final

import numpy as np
import numpy.typing as npt

__all__ = [
    "__version__",
    "AplombError",
    "Clip",
    "Edits",
    "Job",
    "load",
    "inspect_file",
    "clip_from_arrays",
    "clear_leftovers",
]

__version__: str

class AplombError(Exception):
    """What Aplomb refuses, and which keyword helps."""

    code: str | None

@final
class Clip:
    rotations: npt.NDArray[np.float64]
    root: npt.NDArray[np.float64] | None
    translations: dict[str, npt.NDArray[np.float64]]
    names: list[str]
    parents: list[int | None]
    offsets: npt.NDArray[np.float64]
    roles: list[str | None]
    fps: float | None
    times: npt.NDArray[np.float64]
    path: str
    unit_m: float
    diagnostics: list[str]
    receipt_json: str | None
    def receipt_html(self) -> str | None: ...
    def world_positions(self) -> npt.NDArray[np.float64]: ...
    def inspect_json(self) -> str: ...
    def save(self, path: str, force: bool = ..., accept_harm: bool = ...) -> list[str]: ...
    def copy(self) -> Clip: ...
    def __len__(self) -> int: ...

@final
class Edits:
    def __new__(
        cls, project: str, folder: str, clip: Clip | None = ..., others: list[tuple[str, Clip]] = ...
    ) -> Edits: ...
    def run(self) -> Clip: ...
    def handles(self) -> str: ...

@final
class Job:
    def __new__(cls, task: str, folder: str, to: str | None = ...) -> Job: ...
    def stamp(self, key: str, path: str) -> str: ...
    def process(self, key: str, path: str, out: str) -> str: ...

def clear_leftovers(folder: str) -> None: ...
def load(path: str, options: dict[str, Any] | None = ...) -> Clip: ...
def inspect_file(path: str, options: dict[str, Any] | None = ...) -> str: ...
def clip_from_arrays(
    names: list[str],
    parents: list[int],
    offsets: npt.NDArray[np.float64],
    rotations: npt.NDArray[np.float64],
    root: npt.NDArray[np.float64],
    fps: float,
) -> Clip: ...
