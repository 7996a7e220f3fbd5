"""How long Python's BVH parsers take to load a file and to pose all its frames; the best of N.

    python peers_bench.py FILE REPEATS

Prints a line {"name", "load_secs", "fk_secs"} for each, in processor seconds of the process. numpy is no loader: it only turns the text of the
MOTION block into numbers, which bounds from below what any loader built on it can do.
"""

import json
import sys
import time


def best(work, repeats):
    secs, result = float("inf"), None
    for _ in range(repeats):
        started = time.process_time()
        result = work()
        secs = min(secs, time.process_time() - started)
    return secs, result


def numpy_numbers(path, repeats):
    import numpy

    def load():
        with open(path) as file:
            rows = file.read().split("Frame Time:")[1].split("\n", 1)[1]
        return numpy.fromstring(rows, sep=" ")

    secs, _ = best(load, repeats)
    return {"name": f"numpy {numpy.__version__} (numbers only)", "load_secs": secs, "fk_secs": None}


def pymotion(path, repeats):
    from pymotion.io.bvh import BVH
    from pymotion.ops import skeleton

    def load():
        bvh = BVH()
        bvh.load(path)
        return bvh

    load_secs, bvh = best(load, repeats)

    def pose():
        rotations, positions, parents, offsets, _, _ = bvh.get_data()
        return skeleton.fk(rotations, positions[:, 0, :], offsets, parents)

    fk_secs, _ = best(pose, repeats)
    return {"name": "pymotion", "load_secs": load_secs, "fk_secs": fk_secs}


def main():
    path, repeats = sys.argv[1], int(sys.argv[2])
    for peer in (numpy_numbers, pymotion):
        print(json.dumps(peer(path, repeats)), flush=True)


main()
