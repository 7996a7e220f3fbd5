"""Our dynamics core beside Pinocchio and MuJoCo.

    python dynamics.py < states > verdicts

States are lines of JSON from the example `dynamics_states` of aplomb-physics; a verdict is a line with the model's name and, for each
engine and quantity, the largest difference as a part of the quantity's largest entry over all states.
"""

import json
import sys

import mujoco
import numpy as np
import pinocchio as pin

WIDTH_V = {"free": 6, "ball": 3, "revolute": 1, "fixed": 0}
WIDTH_Q = {"free": 7, "ball": 4, "revolute": 1, "fixed": 0}


def main():
    for line in sys.stdin:
        if line.strip():
            model = json.loads(line)
            # Skeletons repeat names of joints now and then; both engines want them once.
            for index, link in enumerate(model["links"]):
                link["name"] = f"{index}_{link['name']}"
            verdict = {"name": model["name"], "nv": model["nv"]}
            verdict["Pinocchio"] = with_pinocchio(model)
            verdict["MuJoCo"] = with_mujoco(model)
            print(json.dumps(verdict), flush=True)


def starts(links):
    """Where each link's numbers begin in our own order."""
    q, v, answer = 0, 0, []
    for link in links:
        answer.append((q, v))
        q += WIDTH_Q[link["kind"]]
        v += WIDTH_V[link["kind"]]
    return answer


def depth_first(links):
    children = {}
    for index, link in enumerate(links):
        children.setdefault(link["parent"], []).append(index)
    order, stack = [], children.get(None, [])[::-1]
    while stack:
        index = stack.pop()
        order.append(index)
        stack.extend(children.get(index, [])[::-1])
    return order


def full(inertia):
    xx, yy, zz, xy, xz, yz = inertia
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


class Differences:
    def __init__(self):
        self.worst = {}

    def add(self, what, ours, theirs):
        ours, theirs = np.asarray(ours), np.asarray(theirs)
        size = max(np.abs(theirs).max(), 1e-12)
        difference = float(np.abs(ours - theirs).max() / size)
        if not np.isfinite(difference):
            difference = 1e300
        self.worst[what] = max(self.worst.get(what, 0.0), difference)


def pinocchio_model(links):
    """The tree, where our numbers stand in its own, and for each link its joint and where it is fixed to it."""
    model = pin.Model()
    model.gravity.linear = np.array([0.0, -9.81, 0.0])
    carrier, ours_q, ours_v, found = {}, [], [], starts(links)
    for index in depth_first(links):
        link = links[index]
        parent_joint, parent_place = carrier.get(link["parent"], (0, pin.SE3.Identity()))
        rest = pin.Quaternion(np.array(link["rest"])).toRotationMatrix()
        place = parent_place * pin.SE3(rest, np.array(link["offset"]))
        q, v = found[index]
        if link["kind"] == "fixed":
            joint, own_place = parent_joint, place
        else:
            kind = {
                "free": pin.JointModelFreeFlyer,
                "ball": pin.JointModelSpherical,
                "revolute": lambda: pin.JointModelRevoluteUnaligned(np.array(link["axis"])),
            }[link["kind"]]()
            joint, own_place = model.addJoint(parent_joint, kind, place, link["name"]), pin.SE3.Identity()
            # Pinocchio has linear before angular, and a free joint's position before its rotation.
            if link["kind"] == "free":
                ours_q += [q + 4, q + 5, q + 6, q, q + 1, q + 2, q + 3]
                ours_v += [v + 3, v + 4, v + 5, v, v + 1, v + 2]
            else:
                ours_q += range(q, q + WIDTH_Q[link["kind"]])
                ours_v += range(v, v + WIDTH_V[link["kind"]])
        carrier[index] = (joint, own_place)
        if link["mass"] > 0:
            inertia = pin.Inertia(link["mass"], np.array(link["com"]), full(link["inertia"]))
            model.appendBodyToJoint(joint, inertia, own_place)
    return model, ours_q, ours_v, carrier


def with_pinocchio(description):
    model, ours_q, ours_v, _ = pinocchio_model(description["links"])
    data, differences, nv = model.createData(), Differences(), model.nv
    for state in description["states"]:
        def vector(name):
            return np.array(state[name])[ours_v]

        def matrix(name, rows=nv):
            return np.array(state[name]).reshape(rows, -1)

        def square(name):
            return matrix(name)[np.ix_(ours_v, ours_v)]

        q, v, a, tau = np.array(state["q"])[ours_q], vector("v"), vector("a"), vector("tau")
        mass = pin.crba(model, data, q)
        mass = np.triu(mass) + np.triu(mass, 1).T
        differences.add("M", square("mass"), mass)
        differences.add("bias", vector("bias"), pin.nonLinearEffects(model, data, q, v))
        differences.add("rnea", vector("rnea"), pin.rnea(model, data, q, v, a))
        differences.add("aba", vector("aba"), pin.aba(model, data, q, v, tau))
        by_q, by_v, _ = pin.computeRNEADerivatives(model, data, q, v, a)
        differences.add("rnea derivatives", [square("rnea_by_q"), square("rnea_by_v")], [by_q, by_v])
        pin.computeABADerivatives(model, data, q, v, tau)
        inverse = np.triu(data.Minv) + np.triu(data.Minv, 1).T
        forward = matrix("aba_by_q_v_tau")
        parts = [forward[:, k * nv : (k + 1) * nv][np.ix_(ours_v, ours_v)] for k in range(3)]
        for what, ours, theirs in zip("qvτ", parts, [data.ddq_dq, data.ddq_dv, inverse]):
            differences.add(f"aba derivative by {what}", ours, theirs)
        differences.add("centre", state["com"], pin.centerOfMass(model, data, q))
        jacobian = pin.jacobianCenterOfMass(model, data, q)
        differences.add("centre's Jacobian", matrix("com_jacobian", 3)[:, ours_v], jacobian)
        angular_first = [3, 4, 5, 0, 1, 2]
        momentum = pin.computeCentroidalMap(model, data, q)[angular_first]
        differences.add("momentum matrix", matrix("momentum_matrix", 6)[:, ours_v], momentum)
        dh_dq = pin.computeCentroidalDynamicsDerivatives(model, data, q, v, a)[0]
        differences.add("momentum by q", matrix("momentum_by_q", 6)[:, ours_v], dh_dq[angular_first])
    return differences.worst


def with_mujoco(description):
    links = description["links"]
    model = mujoco.MjModel.from_xml_string(description["mjcf"])
    model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONTACT | mujoco.mjtDisableBit.mjDSBL_CONSTRAINT
    data, differences, nv = mujoco.MjData(model), Differences(), model.nv
    # MuJoCo's world has Z up.
    turn = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]])
    turn_quaternion = pin.Quaternion(turn)
    for state in description["states"]:
        qpos, qvel, qacc = np.zeros(model.nq), np.zeros(nv), np.zeros(nv)
        applied = np.zeros(nv)
        # A free joint's linear part is told in world axes there, in the link's own here: u = T ours, u̇ = T (ours' + (ω × v, 0)).
        change, rate = np.zeros((nv, nv)), np.zeros(nv)
        for index, link in enumerate(links):
            if link["kind"] == "fixed":
                continue
            joint = mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_JOINT, link["name"])
            q_to, v_to = model.jnt_qposadr[joint], model.jnt_dofadr[joint]
            q, v = starts(links)[index]
            width = WIDTH_V[link["kind"]]
            if link["kind"] == "free":
                ours = pin.Quaternion(np.array(state["q"][q : q + 4]))
                rotation = (turn_quaternion * ours).coeffs()
                qpos[q_to : q_to + 3] = turn @ np.array(state["q"][q + 4 : q + 7])
                qpos[q_to + 3 : q_to + 7] = rotation[[3, 0, 1, 2]]
                world = turn @ ours.toRotationMatrix()
                change[v_to : v_to + 3, v + 3 : v + 6] = world
                change[v_to + 3 : v_to + 6, v : v + 3] = np.eye(3)
                spin, linear = np.array(state["v"][v : v + 3]), np.array(state["v"][v + 3 : v + 6])
                rate[v_to : v_to + 3] = world @ np.cross(spin, linear)
            else:
                if link["kind"] == "ball":
                    qpos[q_to : q_to + 4] = np.array(state["q"][q : q + 4])[[3, 0, 1, 2]]
                else:
                    qpos[q_to] = state["q"][q]
                change[v_to : v_to + width, v : v + width] = np.eye(width)
        qvel = change @ np.array(state["v"])
        qacc = change @ np.array(state["a"]) + rate
        # Forces are dual: ours = Tᵀ theirs, so theirs = T⁻ᵀ ours; T is orthogonal.
        applied = change @ np.array(state["tau"])
        data.qpos[:], data.qvel[:] = qpos, qvel
        mujoco.mj_forward(model, data)
        mass = np.zeros((nv, nv))
        mujoco.mj_fullM(model, data, mass)
        differences.add("M", np.array(state["mass"]).reshape(nv, nv), change.T @ mass @ change)
        # Our bias is at a = 0 in our own numbers, which is u̇ = rate in theirs.
        bias = change.T @ (data.qfrc_bias + mass @ rate)
        differences.add("bias", state["bias"], bias)
        data.qacc[:] = qacc
        mujoco.mj_inverse(model, data)
        differences.add("rnea", state["rnea"], change.T @ data.qfrc_inverse)
        data.qfrc_applied[:] = applied
        mujoco.mj_forward(model, data)
        differences.add("aba", state["aba"], change.T @ (data.qacc - rate))
        differences.add("centre", turn @ np.array(state["com"]), data.subtree_com[0])
        mujoco.mj_subtreeVel(model, data)
        ours = np.array(state["momentum_matrix"]).reshape(6, nv) @ np.array(state["v"])
        differences.add("angular momentum", turn @ ours[:3], data.subtree_angmom[0])
    return differences.worst


if __name__ == "__main__":
    main()
