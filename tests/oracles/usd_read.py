"""Reads .usda files of ours with Pixar's usd-core: world positions of joints at the frames asked for, one JSON object a line."""

import json
import sys

from pxr import Gf, Usd, UsdGeom, UsdSkel


def read(file, frames):
    stage = Usd.Stage.Open(file)
    if UsdGeom.GetStageUpAxis(stage) != "Y" or UsdGeom.GetStageMetersPerUnit(stage) != 1.0:
        raise ValueError("not in metres and Y up")
    cache = UsdSkel.Cache()
    prim = stage.GetPrimAtPath("/Motion/Skeleton")
    cache.Populate(UsdSkel.Root(stage.GetPrimAtPath("/Motion")), Usd.PrimDefaultPredicate)
    query = cache.GetSkelQuery(UsdSkel.Skeleton(prim))
    if not query or not query.GetAnimQuery():
        raise ValueError("no skeleton with an animation")
    topology = UsdSkel.Topology(query.GetJointOrder())
    valid, why = topology.Validate()
    if not valid:
        raise ValueError(why)
    names = UsdSkel.Skeleton(prim).GetJointNamesAttr().Get()
    parents = [topology.GetParent(index) for index in range(len(names))]
    positions = []
    for frame in frames:
        matrices = query.ComputeJointSkelTransforms(Usd.TimeCode(frame))
        positions.append([list(Gf.Matrix4d(matrix).ExtractTranslation()) for matrix in matrices])
    nodes = [{"name": name, "parent": None if parent < 0 else parent, "end": False} for name, parent in zip(names, parents)]
    return {"nodes": nodes, "positions": positions}


for line in sys.stdin:
    request = json.loads(line)
    try:
        answer = read(request["file"], request["frames"])
    except Exception as error:  # told, not hidden
        answer = {"error": f"{type(error).__name__}: {error}"}
    print(json.dumps({"file": request["file"], **answer}), flush=True)
