"""Blender imports the exported files, and the parts are where the engine has them: python blender.py FOLDER.

Needs the module `bpy`, which is Blender itself.
"""

import json
import math
import os
import pathlib
import sys

import bpy
from mathutils import Matrix, Quaternion, Vector

TOLERANCE = 1e-5
# Blender counts in frames, whole or not: at a high rate the times of key frames are kept well.
RATE = 600
# The importer turns the axes of each object and of its mesh from glTF's (y is up) to Blender's.
AXES = Matrix.Rotation(-math.pi / 2, 4, "X")


def ten_of(items):
    """Ten elements at most, the first and the last included."""
    step = (len(items) - 1) / 9
    return items if len(items) <= 10 else [items[round(index * step)] for index in range(10)]


def play(data, name):
    """Lets an object play one of its animations, each of which is imported as a track."""
    for track in data.nla_tracks:
        track.mute = True
    strip = data.nla_tracks[name].strips[0]
    data.action = strip.action
    if hasattr(strip, "action_slot"):  # Since Blender 4.4.
        data.action_slot = strip.action_slot


def check(path, sidecar):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    scene.render.fps = RATE
    bpy.ops.import_scene.gltf(filepath=str(path))
    objects = {thing.get("part"): thing for thing in bpy.data.objects if thing.parent and thing.parent.name == "body"}
    body = bpy.data.objects["body"]
    compared, worst = 0, 0.0
    for animation in sidecar["animations"]:
        name = animation["name"]
        for thing in [body, *objects.values()]:
            play(thing.animation_data, name)
        for pose in ten_of(animation["poses"]):
            moment = pose["time"] * RATE
            if sidecar["interpolation"] == "step":
                # Just after the key frame starts: its time is rounded to single precision.
                moment = min(moment + 1e-3, animation["seconds"] * RATE)
            scene.frame_set(int(moment), subframe=moment - int(moment))
            graph = bpy.context.evaluated_depsgraph_get()
            for index, (x, y, z, qw, qx, qy, qz) in enumerate(pose["parts"]):
                found = objects[index].evaluated_get(graph).matrix_world
                its = Matrix.Translation(Vector((x, y, z))) @ Quaternion((qw, qx, qy, qz)).to_matrix().to_4x4() @ AXES
                error = max(abs(found[row][column] - its[row][column]) for row in range(3) for column in range(4))
                worst = max(worst, error)
                if error >= TOLERANCE:
                    sys.exit(f"{path.name}: {name} at {pose['time']} s, part {index}: off by {error}")
                compared += 1
    if compared == 0:
        sys.exit(f"{path.name}: nothing was compared")
    print(f"{path.name}: {compared} part poses compared, off by {worst:.1e} at most")


def run_example(folder):
    """Runs the example of docs/gltf.md."""
    docs = pathlib.Path(__file__).parents[2] / "docs" / "gltf.md"
    example = docs.read_text().split("```python\n")[1].split("```")[0]
    os.chdir(folder)
    exec(compile(example, str(docs), "exec"), {})
    if bpy.data.objects["body"].matrix_world.translation.y <= 0.1:
        sys.exit("the body of the example does not walk")


def main():
    checked = set()
    for path in sorted(pathlib.Path(sys.argv[1]).glob("*.glb")):
        sidecar = json.loads(path.with_suffix(".json").read_text())
        if any("poses" in animation for animation in sidecar.get("animations", [])):
            # Between key frames that are interpolated, poses are Blender's own: all are compared at key frames.
            check(path, sidecar)
            checked.add(sidecar["interpolation"])
    if checked != {"step", "linear"}:
        sys.exit(f"there are files with poses for {checked or 'nothing'} only")
    run_example(sys.argv[1])


main()
