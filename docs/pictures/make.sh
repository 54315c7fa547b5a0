#!/usr/bin/env bash
# Makes the pictures of the documents again, offscreen:  docs/pictures/make.sh [PROGRAM]
#
# Needs the built program (target/release/ossature unless another is given), a Vulkan driver (a software
# one will do) and python3. Makes the files smaller with pngquant, if that is there. The picture of the Bevy example needs
# xvfb and ImageMagick, that of Blender a Python with bpy in OSSATURE_BLENDER.
set -eu
cd "$(dirname "$0")/../.."
ossature=${1:-target/release/ossature}
scenes=$(mktemp -d)
trap 'rm -r "$scenes"' EXIT
human=media/js3d/A4-human.js3d
walk=media/js3d/A4-human-walk.js3d

# An IK handle on the left forearm, not yet reached.
"$ossature" ik "$human" --target forearm.L=2.35,4.3,0.6 --steps 0 -o "$scenes/handle.js3d" >/dev/null

"$ossature" screenshot "$walk" -o docs/pictures/animate.png --size 1280x800 --tab animate --frame 10 \
  --select Human_instance --select forearm.L
"$ossature" screenshot "$scenes/handle.js3d" -o docs/pictures/rig.png --size 1280x800 \
  --tab rig --select Human_skinned_mesh --select forearm.L

# For docs/first-rig.md: its last page, as the test that follows it word by word leaves it.
FIRST_RIG_PICTURE=$PWD/docs/pictures/first-rig.png cargo test --release --test app first_rig

# The weights of the left upper arm, by capsules.
"$ossature" screenshot "$human" -o docs/pictures/weights.png --size 1280x800 --heat --view front \
  --select Human_skinned_mesh --select upper_arm.L

# For docs/deformation.md: a tube twisted by 180 degrees, and the weights of the left thigh.
for method in linear dual-quaternion; do
  "$ossature" screenshot media/js3d/cylinder.js3d -o "docs/pictures/twist-$method.png" --size 1280x720 \
    --tab animate --frame 24 --unmute "Middle joint.y" --method "$method"
done
"$ossature" screenshot media/js3d/cylinder.js3d -o docs/pictures/compare.png --size 1280x800 --tab animate \
  --frame 24 --unmute "Middle joint.y" --compare
"$ossature" weights "$human" --method heat -o "$scenes/warm.js3d" >/dev/null
"$ossature" screenshot "$scenes/warm.js3d" -o docs/pictures/heat.png --size 1280x800 --heat \
  --select Human_skinned_mesh --select thigh.L
# The same by capsules and by heat, and an animal.
"$ossature" screenshot "$walk" -o docs/pictures/capsule-heat.png --size 1600x900 --tab animate --frame 10 \
  --compare capsule,heat --heat --select Human_instance --select thigh.L
"$ossature" render media/js3d/quadruped.js3d -o docs/pictures/quadruped.png --frames 20 --size 720x540 \
  --view left --overlays grid

# A wave, for the README: a handle on the left hand takes the arm alone up and out; its target has keys.
"$ossature" ik "$human" --target hand.L=1.9,2.98,0.07 --steps 0 -o "$scenes/arm.js3d" >/dev/null
python3 - "$scenes/arm.js3d" "$scenes/wave.js3d" <<'PYTHON'
import json, sys
scene = json.load(open(sys.argv[1]))
keys = [0, [1.9, 2.98, 0.07], 8, [2.1, 4.4, 0.9], 12, [1.4, 5.5, 0.6], 18, [2.1, 5.2, 0.5], 21, [1.4, 5.5, 0.6], 24, [2.1, 5.2, 0.5]]
wave = {"handle.0.target": {"type": "Vec3", "knots": keys}}
scene["animator"]["splines"]["Human_skinned_mesh"] = wave
json.dump(scene, open(sys.argv[2], "w"))
PYTHON
for frame in 0 12 24; do
  "$ossature" render "$scenes/wave.js3d" -o "docs/pictures/wave-$frame.png" --frames "$frame" --size 360x480 \
    --view front --overlays grid
done

# For docs/posing.md: poses that handles pull the human into, by the commands of that page.
pose() { # NAME VIEW OPTION ...
  "$ossature" ik "$human" "${@:3}" -o "$scenes/$1.js3d" >/dev/null
  "$ossature" render "$scenes/$1.js3d" -o "docs/pictures/pose-$1.png" --frames 0 --size 360x480 --overlays grid $2
}
pose crouch "" --pin foot.L --pin foot.R --target pelvis=0,1.95,-0.45 --orient pelvis=25,0,0 --chain root --free-root
pose floor "" --pin foot.L --pin foot.R --target hand.R=-0.45,0.5,1.1 --target pelvis=0,2.2,-0.55 \
  --orient pelvis=35,0,0 --chain root --free-root
pose wave "" --target hand.L=1.7,5.6,0.5 --pole hand.L=2.6,3.2,-1
pose contact "--view left" --target foot.L=0.4,0.1,1.35 --orient foot.L=-12,0,0 --target foot.R=-0.4,0.22,-0.35 \
  --orient foot.R=30,0,0 --target pelvis=0,2.88,0.25 --orient pelvis=4,0,0 --target hand.R=-0.9,2.5,1.15 \
  --target hand.L=0.95,2.5,-0.4 --free-root
pose look "" --look head=1,5.5,3

# The walk, for the README.
"$ossature" render "$walk" -o docs/pictures/walk.gif --size 360x480 --overlays grid
# For docs/gltf.md: a walk comes in from glTF, is weighed anew, an IK handle takes the left hand up, and it goes out again:
# here, in the Bevy example (on a virtual display) and in Blender (OSSATURE_BLENDER: a Python that has bpy).
"$ossature" convert "$walk" "$scenes/from-elsewhere.glb" --no-scene 2>/dev/null
"$ossature" convert "$scenes/from-elsewhere.glb" "$scenes/in.js3d" 2>/dev/null
"$ossature" weights "$scenes/in.js3d" --method heat -o "$scenes/heat.js3d" >/dev/null
"$ossature" ik "$scenes/heat.js3d" --target hand.L=1.7,5.6,0.5 --steps 0 -o "$scenes/out.js3d" >/dev/null
"$ossature" convert "$scenes/out.js3d" "$scenes/out.glb" 2>/dev/null
"$ossature" screenshot "$scenes/out.js3d" -o docs/pictures/gltf-here.png --size 1280x800 --tab animate --frame 10 \
  --select "Human_instance instance" --select "IK hand.L"
if command -v xvfb-run >/dev/null && command -v import >/dev/null; then
  cargo build --release --example bevy_game
  xvfb-run -a -s "-screen 0 1280x720x24" sh -c \
    'cargo run --quiet --release --example bevy_game -- "$0" & sleep 30; import -window root "$1"; kill $!' \
    "$scenes/out.glb" docs/pictures/gltf-bevy.png
fi
if [ -n "${OSSATURE_BLENDER:-}" ]; then
  "$OSSATURE_BLENDER" docs/pictures/blender.py "$scenes/out.glb" "$PWD/docs/pictures/gltf-blender.png" 10
fi
if command -v pngquant >/dev/null; then
  pngquant --force --ext .png --quality 80-98 docs/pictures/*.png
fi
