#!/usr/bin/env bash
# Makes the pictures of the documents again, offscreen:  docs/pictures/make.sh [PROGRAM]
#
# Needs the built program (target/release/ossature unless another is given), a Vulkan driver (a software
# one will do) and python3. Makes the files smaller with pngquant, if that is there.
set -eu
cd "$(dirname "$0")/../.."
ossature=${1:-target/release/ossature}
scenes=$(mktemp -d)
trap 'rm -r "$scenes"' EXIT
human=media/js3d/A4-human.js3d
walk=media/js3d/A4-human-walk.js3d

# An IK handle on the left forearm, not yet reached.
"$ossature" ik "$human" --target 8=2.35,4.3,0.6 --steps 0 -o "$scenes/handle.js3d" >/dev/null

"$ossature" screenshot "$walk" -o docs/pictures/animate.png --size 1280x800 --tab animate --frame 10 \
  --select Human_instance --select forearm.L
"$ossature" screenshot "$scenes/handle.js3d" -o docs/pictures/rig.png --size 1280x800 \
  --tab rig --select Human_skinned_mesh --select 8

# For docs/first-rig.md: its last page, as the test that follows it word by word leaves it.
FIRST_RIG_PICTURE=$PWD/docs/pictures/first-rig.png cargo test --release --test app first_rig

# The weights of the left upper arm, by capsules.
"$ossature" screenshot "$human" -o docs/pictures/weights.png --size 1280x800 --heat --view front \
  --select Human_skinned_mesh --select 7

# For docs/deformation.md: a tube twisted by 180 degrees, and the weights of the left thigh.
for method in linear dual-quaternion; do
  "$ossature" screenshot media/js3d/cylinder.js3d -o "docs/pictures/twist-$method.png" --size 1280x720 \
    --tab animate --frame 24 --unmute "Middle joint.y" --method "$method"
done
"$ossature" screenshot media/js3d/cylinder.js3d -o docs/pictures/compare.png --size 1280x800 --tab animate \
  --frame 24 --unmute "Middle joint.y" --compare
"$ossature" weights "$human" --method heat -o "$scenes/warm.js3d" >/dev/null
"$ossature" screenshot "$scenes/warm.js3d" -o docs/pictures/heat.png --size 1280x800 --heat \
  --select Human_skinned_mesh --select 16
# The same by capsules and by heat, and an animal.
"$ossature" screenshot "$walk" -o docs/pictures/capsule-heat.png --size 1600x900 --tab animate --frame 10 \
  --compare capsule,heat --heat --select Human_instance --select thigh.L
"$ossature" render media/js3d/quadruped.js3d -o docs/pictures/quadruped.png --frames 20 --size 720x540 \
  --view left --overlays grid

# The walk, for the README.
"$ossature" render "$walk" -o docs/pictures/walk.gif --size 360x480 --overlays grid
if command -v pngquant >/dev/null; then
  pngquant --force --ext .png --quality 80-98 docs/pictures/*.png
fi
