"""World positions of every joint of BVH and GLB files as Blender reads them.

    python blender.py < requests > answers

Requests and answers are lines of JSON as in three_fk.mjs; end sites are left out, because Blender turns them into the tails of bones.
A BVH comes in its own axes and units. A GLB comes in metres, Y up; its request also has "hz", the rate of the clip, and "fbx": the same
scene is written there as animators write it (centimetres, Blender's own axes, no leaf bones).
"""

import contextlib
import json
import os
import sys

# How far from a whole frame a key may fall. Rates of Blender and times of glTF are single precision, 6e-8 each: after 3,000 frames a
# key is some ten-thousandths off. A wrong rate is off by whole frames.
MOST_FRAMES_OFF = 0.01


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
            bpy.ops.wm.read_factory_settings(use_empty=True)
            is_bvh = request["file"].lower().endswith(".bvh")
            answer = read_bvh(bpy, request) if is_bvh else read_glb(bpy, request)
        except Exception as error:  # whatever Blender's add-on raises is its answer
            answer = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps({"file": request["file"], **answer}), file=answers, flush=True)


def read_bvh(bpy, request):
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
    frame_count = bpy.context.scene.frame_end
    return posed(bpy, request["frames"], 1, frame_count, list)


def read_glb(bpy, request):
    scene = bpy.context.scene
    # Frames of Blender are those of the clip: its rates are whole numbers over a base.
    scene.render.fps = max(1, round(request["hz"]))
    scene.render.fps_base = scene.render.fps / request["hz"]
    bpy.ops.import_scene.gltf(filepath=os.path.abspath(request["file"]))
    action = armature_of(bpy).animation_data.action
    put_on_whole_frames(action)
    first, last = (round(edge) for edge in action.frame_range)
    # Blender is Z up.
    answer = posed(bpy, request["frames"], first, last - first + 1, lambda head: [head.x, head.z, -head.y])
    scene.frame_start, scene.frame_end = first, last
    bpy.ops.export_scene.fbx(
        filepath=os.path.abspath(request["fbx"]),
        object_types={"ARMATURE"},
        add_leaf_bones=False,
        bake_anim=True,
        bake_anim_use_all_actions=False,
        bake_anim_use_nla_strips=False,
        bake_anim_simplify_factor=0.0,
    )
    return answer


def put_on_whole_frames(action):
    """Each key onto the frame that it belongs to: motions are compared frame by frame, not at times that single precision moves."""
    for layer in action.layers:
        for strip in layer.strips:
            for bag in strip.channelbags:
                for curve in bag.fcurves:
                    for key in curve.keyframe_points:
                        frame = round(key.co.x)
                        if abs(key.co.x - frame) > MOST_FRAMES_OFF:
                            raise ValueError(f"{curve.data_path}: a key at frame {key.co.x}")
                        key.co.x = frame
                    curve.update()


def posed(bpy, frames, first, frame_count, place):
    armature = armature_of(bpy)
    bones = list(armature.pose.bones)
    index_of = {bone.name: index for index, bone in enumerate(bones)}
    parent_of = lambda bone: index_of[bone.parent.name] if bone.parent else None  # noqa: E731
    nodes = [{"name": bone.name, "parent": parent_of(bone), "end": False} for bone in bones]
    positions = []
    for frame in frames:
        # One that Blender did not load.
        if frame >= frame_count:
            positions.append(None)
            continue
        bpy.context.scene.frame_set(first + frame)
        positions.append([place(armature.matrix_world @ bone.head) for bone in bones])
    return {"frame_count": frame_count, "nodes": nodes, "positions": positions}


def armature_of(bpy):
    return next(thing for thing in bpy.data.objects if thing.type == "ARMATURE")


main()
