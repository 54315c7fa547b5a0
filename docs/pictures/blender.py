"""A picture of a glTF file in Blender, rendered on the processor. Needs bpy (pip install bpy==5.0.1, Python 3.11).

    python blender.py FILE.glb OUT.png FRAME FRAMES_PER_SECOND [ACTION]
"""

import sys
from math import radians

import bpy
from mathutils import Vector

file, out, frame, rate, *action = sys.argv[1:]
bpy.ops.wm.read_factory_settings(use_empty=True)
scene = bpy.context.scene
# Seconds of the file become frames at this rate.
scene.render.fps = round(float(rate))
bpy.ops.import_scene.gltf(filepath=file)
for armature in (thing for thing in bpy.data.objects if thing.type == "ARMATURE"):
    if action:
        armature.animation_data.action = bpy.data.actions[action[0]]
        armature.animation_data.action_slot = bpy.data.actions[action[0]].slots[0]
scene.frame_set(int(frame))

# What is seen, in the pose: Blender's z is up, characters look along -y.
meshes = [thing for thing in bpy.data.objects if thing.type == "MESH" and not thing.hide_get() and thing.parent]
graph = bpy.context.evaluated_depsgraph_get()
corners = []
for thing in meshes:
    seen = thing.evaluated_get(graph)
    corners += [seen.matrix_world @ vertex.co for vertex in seen.to_mesh().vertices]
low = Vector(min(corner[axis] for corner in corners) for axis in range(3))
high = Vector(max(corner[axis] for corner in corners) for axis in range(3))
middle, size = (low + high) / 2, (high - low).length

bpy.ops.mesh.primitive_plane_add(size=20 * size, location=(middle.x, middle.y, low.z))
bpy.context.object.data.materials.append(bpy.data.materials.new("Ground"))
bpy.data.materials["Ground"].use_nodes = True
bpy.data.materials["Ground"].node_tree.nodes["Principled BSDF"].inputs[0].default_value = (0.1, 0.14, 0.1, 1)
world = scene.world = bpy.data.worlds.new("World")
world.use_nodes = True
world.node_tree.nodes["Background"].inputs[0].default_value = (0.6, 0.7, 0.8, 1)
world.node_tree.nodes["Background"].inputs[1].default_value = 0.5
bpy.ops.object.light_add(type="SUN", rotation=(radians(50), radians(10), radians(-30)))
bpy.context.object.data.energy = 3
eye = middle + Vector((0.45, -1.0, 0.25)).normalized() * size * 1.9
bpy.ops.object.camera_add(location=eye, rotation=(middle - eye).to_track_quat("-Z", "Y").to_euler())
scene.camera = bpy.context.object
bpy.context.object.data.lens = 60

scene.render.engine = "CYCLES"
scene.cycles.device = "CPU"
scene.cycles.samples = 24
scene.cycles.use_denoising = False
scene.render.resolution_x, scene.render.resolution_y = 480, 640
scene.render.filepath = out
bpy.ops.render.render(write_still=True)
