"""What Ray costs beside the work itself: ``python ray_overhead.py FOLDER`` (docs/datasets.md has the figures).

The same clips, first one after the other in this process, then over a local cluster of two workers, in tasks of several sizes. CPU time is
that of this process and of everything that Ray started (so that other work on the machine does not count); wall time is for quiet machines.
"""

import os
import shutil
import sys
import tempfile
import time
from pathlib import Path
from typing import Callable

from aplomb import _aplomb

TICKS = os.sysconf("SC_CLK_TCK")


def tree_cpu_secs() -> float:
    """CPU time of this process and all below it."""
    parent_of, spent = {}, {}
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                fields = Path("/proc", entry, "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            parent_of[int(entry)], spent[int(entry)] = int(fields[1]), (int(fields[11]) + int(fields[12])) / TICKS

    def is_ours(process: int) -> bool:
        while process > 1:
            if process == os.getpid():
                return True
            process = parent_of.get(process, 0)
        return False

    return sum(secs for process, secs in spent.items() if is_ours(process))


def measured(name: str, clips: int, work: Callable[[], object], repeats: int = 3) -> None:
    best = [float("inf")] * 2
    for _ in range(repeats):
        wall, cpu = time.perf_counter(), tree_cpu_secs()
        work()
        best = [min(best[0], time.perf_counter() - wall), min(best[1], tree_cpu_secs() - cpu)]
    each = f" {1e3 * best[1] / clips:7.2f} ms CPU a clip" if clips else ""
    print(f"{name:<38} {best[0]:7.2f} s wall {best[1]:7.2f} s CPU{each}", flush=True)


def main() -> None:
    clips = sorted(Path(sys.argv[1]).rglob("*.bvh"))
    out = Path(tempfile.mkdtemp())

    def alone() -> None:
        job = _aplomb.Job("inspect", ".", None)
        for clip in clips:
            job.process(clip.name, str(clip), str(out))

    measured(f"{len(clips)} clips in this process", len(clips), alone)
    import ray

    import aplomb.ray

    os.environ.setdefault("RAY_worker_niceness", "0")
    measured(
        "start of the cluster",
        0,
        lambda: ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, logging_level="error"),
        repeats=1,
    )

    def over(per_task: int) -> None:
        shutil.rmtree(out, ignore_errors=True)
        aplomb.ray.batch(clips, job="inspect", out=out, clips_per_task=per_task)

    measured("first run: workers start and import", len(clips), lambda: over(8), repeats=1)
    for per_task in (1, 8, 32):
        measured(f"over Ray, {per_task} clips a task", len(clips), lambda: over(per_task))
    measured("resumed: nothing left to do", len(clips), lambda: aplomb.ray.batch(clips, job="inspect", out=out))
    ray.shutdown()
    shutil.rmtree(out, ignore_errors=True)


if __name__ == "__main__":
    main()
