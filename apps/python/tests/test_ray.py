"""The batch over a local Ray cluster of several processes, a worker killed in the middle."""

import json
import os
import signal
import threading
import time

import pytest

import aplomb

ray = pytest.importorskip("ray", reason="Ray is not installed")
import aplomb.ray as over_ray  # noqa: E402


@pytest.fixture(scope="module")
def cluster():
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, logging_level="error")
    yield
    ray.shutdown()


@pytest.fixture(scope="module")
def clips(tmp_path_factory):
    folder = tmp_path_factory.mktemp("clips")
    names = ["walk", "short-jump", "long-jump", "turning-walk"]
    made = {name: aplomb.load(f"builtin:{name}") for name in names}
    for number in range(24):
        made[names[number % 4]].save(folder / f"{number:02}.bvh")
    (folder / "broken.bvh").write_text("HIERARCHY\n")
    return folder


def workers():
    """Process ids of this session's Ray workers that run our task."""
    found = []
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                with open(f"/proc/{entry}/cmdline", "rb") as file:
                    command = file.read().replace(b"\0", b" ")
            except OSError:
                continue
            if command.startswith(b"ray::") and b"_process" in command and b"IDLE" not in command:
                found.append(int(entry))
    return found


def test_a_killed_worker_loses_nothing_and_nothing_is_there_twice(cluster, clips, tmp_path):
    calm = over_ray.batch(clips, job="inspect", out=tmp_path / "calm", index=tmp_path / "calm.jsonl", clips_per_task=3)
    assert len(calm) == 25 and sum(row["error"] is not None for row in calm) == 1

    killed = []

    def kill_one():
        # One of the workers of this test's own cluster, found by the name of the task it runs.
        for _ in range(400):
            for process in workers():
                os.kill(process, signal.SIGKILL)
                killed.append(process)
                return
            time.sleep(0.01)

    thread = threading.Thread(target=kill_one)
    thread.start()
    rows = over_ray.batch(clips, job="inspect", out=tmp_path / "hurt", index=tmp_path / "hurt.jsonl", clips_per_task=3)
    thread.join()
    assert killed, "no worker was caught at work"
    assert rows == calm
    assert (tmp_path / "hurt.jsonl").read_bytes() == (tmp_path / "calm.jsonl").read_bytes()
    keys = [json.loads(line)["key"] for line in (tmp_path / "hurt/.aplomb/journal-ray.jsonl").read_text().splitlines()]
    assert len(keys) == len(set(keys)) == 25


def test_a_driver_that_was_cut_off_goes_on(cluster, clips, tmp_path):
    out = tmp_path / "out"
    whole = over_ray.batch(clips, job="convert", to="glb", out=out)
    journal = out / ".aplomb/journal-ray.jsonl"
    lines = journal.read_bytes().splitlines(keepends=True)
    # Ten whole lines and half of the eleventh.
    journal.write_bytes(b"".join(lines[:10]) + lines[10][:40])
    done = []
    again = over_ray.batch(clips, job="convert", to="glb", out=out, told=lambda so_far, of: done.append(so_far))
    assert again == whole and done[0] > 10
    assert sorted(path.name for path in out.glob("*.glb")) == [f"{number:02}.glb" for number in range(24)]
