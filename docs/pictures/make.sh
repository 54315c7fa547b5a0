#!/usr/bin/env bash
# Makes the pictures of the documents again, offscreen:
#
#   docs/pictures/make.sh [--with PROGRAM] [PART ...]
#
# All parts where none is named: window deformation wave posing performance walker bodies walk painting gltf first_rig bevy blender. It needs the built program
# (target/release/ossature unless another is given), a Vulkan driver (a software one will do) and python3. `first_rig` and
# `bevy` compile a test and an example; `performance` compiles an example and needs ImageMagick, `bevy` xvfb too, and `blender` a Python that has bpy in
# OSSATURE_BLENDER: without these they are left out, and it says so. Makes the files smaller with pngquant, if that is there.
set -eu
cd "$(dirname "$0")/../.."
ossature=target/release/ossature
if [ "${1:-}" = --with ]; then
  ossature=$(realpath "$2")
  shift 2
fi
all=(window deformation wave posing performance walker bodies walk painting gltf first_rig bevy blender)
parts=("$@")
[ $# -gt 0 ] || parts=("${all[@]}")
[ -x "$ossature" ] || { echo "there is no program $ossature: cargo build --release" >&2; exit 2; }
scenes=$(mktemp -d)
trap 'rm -r "$scenes"' EXIT
pictures=$PWD/docs/pictures
made=$scenes/made
human=media/js3d/A4-human.js3d
walk=media/js3d/A4-human-walk.js3d

left_out() { echo "$1 is left out: $2" >&2; }
shoot() { # NAME SCENE OPTION ...
  "$ossature" screenshot "$2" -o "$pictures/$1.png" --size 1280x800 "${@:3}"
}

window() {
  shoot animate "$walk" --tab animate --frame 10 --select Human_instance --select forearm.L
  # An IK handle on the left forearm, not yet reached.
  "$ossature" ik "$human" --target forearm.L=2.35,4.3,0.6 --steps 0 -o "$scenes/handle.js3d" >/dev/null
  shoot rig "$scenes/handle.js3d" --tab rig --select Human_skinned_mesh --select forearm.L
  # The weights of the left upper arm, by capsules.
  shoot weights "$human" --weights-view --view front --select Human_skinned_mesh --select upper_arm.L
}

# For docs/first-rig.md: its last page, as the test that follows it word by word leaves it.
first_rig() {
  FIRST_RIG_PICTURE=$pictures/first-rig.png cargo test --release --test app first_rig
}

# For docs/deformation.md: a tube twisted by 180 degrees, the weights of the left thigh by heat, the same by capsules and by
# heat, and an animal.
deformation() {
  for method in linear dual-quaternion; do
    "$ossature" screenshot media/js3d/cylinder.js3d -o "$pictures/twist-$method.png" --size 1280x720 \
      --tab animate --frame 24 --unmute "Middle joint.y" --method "$method"
  done
  shoot compare media/js3d/cylinder.js3d --tab animate --frame 24 --unmute "Middle joint.y" --compare
  "$ossature" weights "$human" --method heat -o "$scenes/warm.js3d" >/dev/null
  shoot heat "$scenes/warm.js3d" --weights-view --select Human_skinned_mesh --select thigh.L
  "$ossature" screenshot "$walk" -o "$pictures/capsule-heat.png" --size 1600x900 --tab animate --frame 10 \
    --compare capsule,heat --weights-view --select Human_instance --select thigh.L
  "$ossature" render media/js3d/quadruped.js3d -o "$pictures/quadruped.png" --frames 20 --size 720x540 \
    --view left --overlays grid
}

# A wave, for the README: a handle on the left hand takes the arm alone up and out; its target has keys.
wave() {
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
    "$ossature" render "$scenes/wave.js3d" -o "$pictures/wave-$frame.png" --frames "$frame" --size 360x480 \
      --view front --overlays grid
  done
}

# For docs/posing.md: poses that handles pull the human into, by the commands of that page.
posing() {
  pose() { # NAME VIEW OPTION ...
    local view=()
    [ -z "$2" ] || view=(--view "$2")
    "$ossature" ik "${from:-$human}" "${@:3}" -o "$scenes/$1.js3d" >/dev/null
    "$ossature" render "$scenes/$1.js3d" -o "$pictures/pose-$1.png" --frames 0 --size 360x480 --overlays grid "${view[@]}"
  }
  pose crouch "" --pin foot.L --pin foot.R --target pelvis=0,1.95,-0.45 --orient pelvis=25,0,0 --chain root --free-root
  pose floor "" --pin foot.L --pin foot.R --target hand.R=-0.45,0.5,1.1 --chain root --free-root
  pose squat "" --pin foot.L --pin foot.R --target head=0,3.9,0.3 --chain root --free-root
  pose wave "" --target hand.L=1.7,5.6,0.5 --pole hand.L=2.6,3.2,-1
  # With the palms towards the body.
  turned() { echo "{\"command\":\"set_pose\",\"mesh\":\"Human_skinned_mesh\",\"bone\":\"forearm.$1\",\"pose_deg\":[0,$2,0]}"; }
  echo "{\"do\":[$(turned L 60),$(turned R -60)]}" >"$scenes/turned.jsonl"
  "$ossature" run "$scenes/turned.jsonl" "$human" -o "$scenes/turned.js3d" >/dev/null
  from=$scenes/turned.js3d pose contact left --target foot.L=0.4,0.1,1.35 --orient foot.L=-12,0,0 --target foot.R=-0.4,0.22,-0.35 \
    --orient foot.R=30,0,0 --target pelvis=0,2.88,0.25 --orient pelvis=4,0,0 --target hand.R=-0.9,2.5,1.15 \
    --target hand.L=0.95,2.5,-0.4 --free-root
  pose look "" --look head=3,5.5,0.5
}

# For docs/posing.md: twelve frames of a performance made by dragging.
performance() {
  command -v montage >/dev/null || { left_out performance "it needs ImageMagick"; return; }
  cargo run --release --example make_performance -- "$scenes/performance.js3d"
  "$ossature" render "$scenes/performance.js3d" -o "$scenes/performance/%02d.png" --frames 0..71 --size 240x320 --overlays grid
  local shown=()
  for frame in 00 09 16 24 30 36 44 48 52 57 62 67; do shown+=("$scenes/performance/$frame.png"); done
  montage "${shown[@]}" -tile 6x2 -geometry +2+2 -background '#202124' "$pictures/performance.png"
}

# For the README and docs/motion.md: a bare body that walks.
walker() {
  "$ossature" walk media/obj/human.obj -o "$scenes/walker.js3d"
  "$ossature" render "$scenes/walker.js3d" -o "$pictures/walker.gif" --size 360x480 --overlays grid,bones
}

# For docs/motion.md: bodies of other proportions, with what was fitted into them, at two moments of their walks.
bodies() {
  command -v montage >/dev/null || { left_out bodies "it needs ImageMagick"; return; }
  cargo run --release --no-default-features --example make_bodies -- "$scenes/bodies"
  local body shown=()
  for body in tall armoured giraffe; do
    "$ossature" walk "$scenes/bodies/$body.obj" -o "$scenes/$body.js3d"
    "$ossature" render "$scenes/$body.js3d" -o "$scenes/bodies/$body-%02d.png" --frames 0..7 --size 300x400 --overlays grid,bones
    shown+=("$scenes/bodies/$body-00.png" "$scenes/bodies/$body-07.png")
  done
  montage "${shown[@]}" -tile 6x1 -geometry +2+2 -background '#202124' "$pictures/bodies.png"
}

# The walk, for the README.
walk() {
  "$ossature" render "$walk" -o "$pictures/walk.gif" --size 360x480 --overlays grid
}

# For docs/weights.md: the strokes of that page, before and after, in a pose that needs them, and seen from near by.
painting() {
  close_up() { # NAME HEIGHT POSES
    printf '%s\n' "{\"do\":[$3]}" "{\"do\":[{\"command\":\"add_resource\",\"kind\":\"camera\",\"name\":\"Near\",\
\"properties\":[[\"vertical_fov\",{\"float\":24}]],\"rotation\":[0,0,0,1],\"translation\":[0,$2,4.6]}]}" >"$scenes/$1.jsonl"
    "$ossature" paint "$human" --stroke "docs/strokes/$1.json" -o "$scenes/after.js3d" >/dev/null
    cp "$human" "$scenes/before.js3d"
    for when in before after; do
      "$ossature" run "$scenes/$1.jsonl" "$scenes/$when.js3d" -o "$scenes/posed.js3d" >/dev/null
      "$ossature" render "$scenes/posed.js3d" -o "$pictures/$1-$when.png" --frames 0 --size 480x400 --camera Near_instance
      "$ossature" measure "$scenes/posed.js3d"
      rm "$scenes/posed.js3d"
    done
    rm "$scenes/after.js3d"
  }
  posed() { echo "{\"command\":\"set_pose\",\"mesh\":\"Human_skinned_mesh\",\"bone\":\"$1\",\"pose_deg\":[$2]}"; }
  close_up armpit 4.2 "$(posed upper_arm.L 0,0,60),$(posed upper_arm.R 0,0,-60)"
  close_up crotch 2.8 "$(posed thigh.L -60,0,-30),$(posed thigh.R 10,0,35)"
}

# For docs/gltf.md: a walk comes in from glTF, is weighed anew, an IK handle takes the left hand up, and it goes out again:
# here, in the Bevy example (on a virtual display) and in Blender.
character() {
  [ ! -f "$scenes/out.glb" ] || return 0
  "$ossature" convert "$walk" "$scenes/from-elsewhere.glb" --no-scene 2>/dev/null
  "$ossature" convert "$scenes/from-elsewhere.glb" "$scenes/in.js3d" 2>/dev/null
  "$ossature" weights "$scenes/in.js3d" --method heat -o "$scenes/heat.js3d" >/dev/null
  "$ossature" ik "$scenes/heat.js3d" --target hand.L=1.7,5.6,0.5 --steps 0 -o "$scenes/out.js3d" >/dev/null
  "$ossature" convert "$scenes/out.js3d" "$scenes/out.glb" 2>/dev/null
}
gltf() {
  character
  shoot gltf-here "$scenes/out.js3d" --tab animate --frame 10 --select "Human_instance instance" --select "IK hand.L"
}
bevy() {
  for program in Xvfb import; do
    command -v $program >/dev/null || { left_out bevy "there is no $program"; return 0; }
  done
  character
  # Where cargo puts it, which a configuration may have moved.
  local game
  game=$(cargo build --release --example bevy_game --message-format json |
    python3 -c 'import json, sys
built = [json.loads(line) for line in sys.stdin]
print([one["executable"] for one in built if one.get("target", {}).get("name") == "bevy_game"][-1])')
  exec 3<> <(:)
  Xvfb -displayfd 3 -screen 0 1280x720x24 -nolisten tcp >/dev/null 2>&1 &
  local display=$! number playing
  read -r -t 20 number <&3
  DISPLAY=:$number "$game" "$scenes/out.glb" >/dev/null 2>&1 &
  playing=$!
  # It compiles its shaders first.
  sleep "${BEVY_SECONDS:-30}"
  DISPLAY=:$number import -window root "$pictures/gltf-bevy.png"
  kill "$playing" "$display"
  wait "$playing" "$display" 2>/dev/null || true
}
blender() {
  [ -n "${OSSATURE_BLENDER:-}" ] || { left_out blender "OSSATURE_BLENDER names no Python that has bpy"; return 0; }
  character
  local rate
  rate=$("$ossature" info "$scenes/out.js3d" --json |
    python3 -c 'import json, sys; print(json.load(sys.stdin)["animation"]["frames_per_second"])')
  "$OSSATURE_BLENDER" docs/pictures/blender.py "$scenes/out.glb" "$pictures/gltf-blender.png" 10 "$rate"
}

touch "$made"
for part in "${parts[@]}"; do
  case " ${all[*]} " in
    *" $part "*) $part ;;
    *) echo "there is no part $part" >&2; exit 2 ;;
  esac
done
if command -v pngquant >/dev/null; then
  find "$pictures" -name '*.png' -newer "$made" -exec pngquant --force --ext .png --quality 80-98 {} +
fi
find "$pictures" -newer "$made" -type f -printf '%f\n' | sort
