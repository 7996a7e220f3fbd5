"""World positions of every joint of BVH files as Blender reads them.

    python blender_fk.py < requests > answers

Requests and answers are lines of JSON as in three_fk.mjs; end sites are left out, because Blender turns
them into the tails of bones.
"""

import contextlib
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
    # Blender's own axes are Y forward, Z up: asking for those leaves the file's numbers as they are.
    with contextlib.redirect_stdout(sys.stderr):
        bpy.ops.import_anim.bvh(
            filepath=os.path.abspath(request["file"]),
            axis_forward="Y",
            axis_up="Z",
            global_scale=1.0,
            frame_start=1,
            use_fps_scale=False,
            update_scene_fps=True,
            update_scene_duration=True,
            rotate_mode="NATIVE",
        )
    armature = next(thing for thing in bpy.data.objects if thing.type == "ARMATURE")
    bones = list(armature.pose.bones)
    index_of = {bone.name: index for index, bone in enumerate(bones)}
    nodes = [
        {"name": bone.name, "parent": index_of[bone.parent.name] if bone.parent else None, "end": False}
        for bone in bones
    ]
    scene = bpy.context.scene
    frame_count = scene.frame_end
    answers = []
    for frame in request["frames"]:
        if frame >= frame_count:
            answers.append(None)
            continue
        scene.frame_set(frame + 1)
        heads = [armature.matrix_world @ bone.head for bone in bones]
        answers.append([list(head) for head in heads])
    return {"file": request["file"], "frame_count": frame_count, "nodes": nodes, "positions": answers}


main()
