"""World positions of every joint of GLB files as Blender reads them, and the same scene as Blender's FBX.

    python blender_scene.py < requests > answers

A request is a line {"file": "a.glb", "hz": 120, "frames": [0, …], "fbx": "a.fbx"}; its answer has "nodes" and "positions" (metres,
Y up) as in three_fk.mjs, or "error". The FBX is written as animators write it: centimetres, Blender's own axes, no leaf bones.
"""

import json
import os
import sys


def main():
    # Blender prints to the standard output; the answers must come alone.
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    import bpy

    for line in sys.stdin:
        if not line.strip():
            continue
        request = json.loads(line)
        try:
            answer = positions(bpy, request)
        except Exception as error:  # whatever Blender's add-on raises is its answer
            answer = {"file": request["file"], "error": f"{type(error).__name__}: {error}"}
        print(json.dumps(answer), file=answers, flush=True)


def positions(bpy, request):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    # Frames of Blender are those of the clip: its rates are whole numbers over a base.
    scene.render.fps = max(1, round(request["hz"]))
    scene.render.fps_base = scene.render.fps / request["hz"]
    bpy.ops.import_scene.gltf(filepath=os.path.abspath(request["file"]))
    armature = next(thing for thing in bpy.data.objects if thing.type == "ARMATURE")
    first, last = (float(edge) for edge in armature.animation_data.action.frame_range)
    bones = list(armature.pose.bones)
    index_of = {bone.name: index for index, bone in enumerate(bones)}
    nodes = [
        {"name": bone.name, "parent": index_of[bone.parent.name] if bone.parent else None, "end": False}
        for bone in bones
    ]
    answers = []
    for frame in request["frames"]:
        scene.frame_set(int(first) + frame)
        heads = [armature.matrix_world @ bone.head for bone in bones]
        # Blender is Z up.
        answers.append([[head.x, head.z, -head.y] for head in heads])
    scene.frame_start, scene.frame_end = int(first), round(last)
    bpy.ops.export_scene.fbx(
        filepath=os.path.abspath(request["fbx"]),
        object_types={"ARMATURE"},
        add_leaf_bones=False,
        bake_anim=True,
        bake_anim_use_all_actions=False,
        bake_anim_use_nla_strips=False,
        bake_anim_simplify_factor=0.0,
    )
    return {"file": request["file"], "nodes": nodes, "positions": answers}


main()
