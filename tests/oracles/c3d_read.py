"""Lays our reading of C3D files beside ezc3d's. In: lines of `dump_c3d`. Out: one line a file, {"file", "apart"} or {"file", "differs"}."""

import json
import sys

import ezc3d
import numpy as np


def compare(file, ours):
    if "error" in ours:
        return {"differs": "we do not read it: " + ours["error"]}
    theirs = ezc3d.c3d(file, extract_forceplat_data=True)
    points, analogs = theirs["data"]["points"], theirs["data"]["analogs"]
    if points.shape[1] != len(ours["names"]) or points.shape[2] != ours["frame_count"]:
        return {"differs": f"{len(ours['names'])} points in {ours['frame_count']} frames, they find {points.shape}"}
    labels = theirs["parameters"]["POINT"]["LABELS"]["value"][: points.shape[1]]
    if [label.split(":")[-1] for label in labels] != [name.split(":")[-1] for name in ours["names"]]:
        return {"differs": f"other names: {labels}"}
    if abs(theirs["header"]["points"]["frame_rate"] - ours["rate"]) > 1e-6 * ours["rate"]:
        return {"differs": f"another rate: {theirs['header']['points']['frame_rate']}"}
    worst = {"points": 0.0, "analog": 0.0, "force": 0.0, "pressure": 0.0, "torque": 0.0}
    for index, frame in enumerate(ours["frames"]):
        for point, place in enumerate(ours["points"][index]):
            there = points[:3, point, frame]
            if (place is None) != bool(np.isnan(there).any()):
                return {"differs": f"frame {frame}, point {point}: ours {place}, theirs {there}"}
            if place is not None:
                worst["points"] = max(worst["points"], float(np.abs(there - place).max()))
    samples = analogs.shape[2] // max(points.shape[2], 1) if analogs.size else 0
    for index, frame in enumerate(ours["frames"]):
        for channel, value in enumerate(ours["analog"][index]):
            there = analogs[0, channel, frame * samples]
            worst["analog"] = max(worst["analog"], abs(there - value) / (1.0 + abs(there)))
    platforms = theirs["data"]["platform"]
    pressures = 0
    if len(platforms) != len(ours["plates"]):
        return {"differs": f"{len(ours['plates'])} plates, they find {len(platforms)}"}
    for number, (plate, platform) in enumerate(zip(ours["plates"], platforms)):
        busiest = plate[-1]
        # They give what the plate measures, we what pushes the body: at most the sign differs, and for a whole plate.
        there = platform["force"][:, busiest["sample"]]
        sign = 1.0 if np.dot(there, busiest["force"]) >= 0 else -1.0
        for row in plate:
            sample = row["sample"]
            force = sign * np.asarray(row["force"])
            there = platform["force"][:, sample]
            worst["force"] = max(worst["force"], float(np.abs(there - force).max() / (1.0 + np.abs(there).max())))
            if row["point"] is not None:
                there = platform["center_of_pressure"][:, sample]
                pressures += 1
                gap = np.abs(there - row["point"])
                worst["pressure"] = max(worst["pressure"], float(gap.max()))
                there = platform["Tz"][:, sample]
                gap = np.abs(there - sign * np.asarray(row["torque"]))
                worst["torque"] = max(worst["torque"], float(gap.max() / (1.0 + np.abs(there).max())))
    # Both read the same numbers and calculate in double precision: 1e-13 is seen, in millimetres and shares.
    allowed = {"points": 1e-9, "analog": 1e-9, "force": 1e-9, "pressure": 1e-6, "torque": 1e-9}
    if platforms and pressures == 0:
        return {"differs": "no plate is stood on in any of the samples"}
    for name, most in allowed.items():
        if not worst[name] <= most:
            return {"differs": f"{name} are {worst[name]:.3g} apart, allowed {most}", "worst": worst}
    return {"apart": worst}


for line in sys.stdin:
    request = json.loads(line)
    try:
        verdict = compare(request["file"], request["read"])
    except Exception as error:  # what they cannot read is told, not hidden
        verdict = {"differs": f"{type(error).__name__}: {error}"}
    print(json.dumps({"file": request["file"], **verdict}), flush=True)
