"""A tour of the package that runs as it stands: ``python tour.py``. Every step says what it shows."""

import tempfile
from pathlib import Path

import numpy as np

import aplomb


def main() -> None:
    # 1. Read. Formats, unit and up axis are found out; what was guessed is told.
    walk = aplomb.load("builtin:walk")
    print(walk)
    print("joints that are known:", ", ".join(list(walk.roles.values())[:6]), "…")

    # 2. Look. The report of the command, as a dict.
    report = walk.inspect()
    print(f"score {report['score']:.0f}, {len(report['contacts'])} contacts, {len(report['flights'])} flights")

    # 3. Arrays are the clip's own numbers.
    lowered = walk.copy()
    assert lowered.root is not None  # only of a figure that is nailed in place
    lowered.root[:, 1] -= 0.05
    print(f"lowered by 5 cm: feet {1e3 * lowered.inspect()['penetration']['max_m']:.0f} mm under the floor")

    # 4. Edit: bend the way onto a circle by geometry, then make it physically right.
    bent = aplomb.run({"edit": [{"verb": "arc", "radius_m": 2.0, "side": "left"}]}, walk)
    right = bent.touchup()
    before, after = bent.inspect()["zmp"]["mean_m"], right.inspect()["zmp"]["mean_m"]
    print(f"balance of the bent walk: {1e3 * before:.0f} mm off, after touch-up {1e3 * after:.0f} mm")
    assert after < before

    # 5. Blend: half of a short and half of a long jump falls at g.
    jump = aplomb.blend(["builtin:short-jump", "builtin:long-jump"], weights=[0.5, 0.5])
    gravities = [flight["g"] for flight in jump.inspect()["flights"] if flight["g"] is not None]
    print("flights fall at", ", ".join(f"{g:.2f} m/s²" for g in gravities))
    assert all(abs(g - 9.81) < 1.0 for g in gravities)

    # 6. Write, in any format; what was not edited comes back byte for byte.
    with tempfile.TemporaryDirectory() as folder:
        right.save(Path(folder) / "right.bvh")
        right.save(Path(folder) / "right.glb")
        again = aplomb.load(Path(folder) / "right.glb")
        assert np.abs(again.world_positions() - right.world_positions()).max() < 1e-4
    print("done")


if __name__ == "__main__":
    main()
