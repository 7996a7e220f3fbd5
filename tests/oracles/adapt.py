"""Adapted motions judged by Pinocchio: what force its inverse dynamics still misses at the root.

    python adapt.py < states > verdicts

States are lines of JSON from the example `adapt_states` of aplomb-editing: a tree, and q, v, a and forces over time. A verdict has the 95th
percentile and the maximum of the root's residual force as a part of body weight, and of its moment in body weights times metres.
"""

import json
import sys

import numpy as np
import pinocchio as pin

from dynamics import pinocchio_model


def main():
    for line in sys.stdin:
        if not line.strip():
            continue
        given = json.loads(line)
        motion = given["motion"]
        model, ours_q, ours_v, carrier = pinocchio_model(motion["links"])
        data = model.createData()
        forces, moments = [], []
        for state in motion["states"]:
            q, v, a = (np.array(state[name])[order] for name, order in (("q", ours_q), ("v", ours_v), ("a", ours_v)))
            pin.forwardKinematics(model, data, q)
            loads = pin.StdVec_Force()
            for _ in range(model.njoints):
                loads.append(pin.Force.Zero())
            for load in state["forces"]:
                joint, place = carrier[load["link"]]
                point = place.act(np.array(load["point"]))
                force = data.oMi[joint].rotation.T @ np.array(load["force"])
                loads[joint] = loads[joint] + pin.Force(force, np.cross(point, force))
            tau = pin.rnea(model, data, q, v, a, loads)
            forces.append(np.linalg.norm(tau[:3]) / motion["body_weight_n"])
            moments.append(np.linalg.norm(tau[3:6]) / motion["body_weight_n"])
        verdict = {"name": given["name"], "states": len(forces)}
        verdict["force_p95"], verdict["force_max"] = float(np.percentile(forces, 95)), float(np.max(forces))
        verdict["moment_p95"], verdict["moment_max"] = float(np.percentile(moments, 95)), float(np.max(moments))
        print(json.dumps(verdict), flush=True)


if __name__ == "__main__":
    main()
