#!/usr/bin/env bash
# Makes the pictures of the documents again, offscreen:
#
#   docs/pictures/make.sh [--with PROGRAM] [PART ...]
#
# All parts where none is named: window curves deformation wave posing spread performance walker bodies checked walk painting gltf first_rig bevy blender. It needs the built program
# (target/release/ossature unless another is given), a Vulkan driver (a software one will do) and python3. `first_rig` and
# `bevy` compile a test and an example; `performance` compiles an example and, like `spread`, `bodies` and `checked`, needs ImageMagick, `bevy` xvfb too, and `blender` a Python that has bpy in
# OSSATURE_BLENDER: without these they are left out, and it says so. Makes the files smaller with pngquant, if that is there.
set -eu
cd "$(dirname "$0")/../.."
ossature=target/release/ossature
if [ "${1:-}" = --with ]; then
  ossature=$(realpath "$2")
  shift 2
fi
all=(window curves deformation wave posing spread performance walker bodies checked walk painting gltf first_rig bevy blender)
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

# For docs/animation.md: the left thigh of a walk, as curves.
curves() {
  shoot curves "$walk" --tab animate --frame 10 --select Human_instance --select thigh.L --curves
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

# A camera for `render --camera Near_instance`, as a step of a script: it is at EYE and looks at TARGET (each x,y,z).
camera() { # EYE TARGET VERTICAL_FOV ASPECT
  python3 - "$@" <<'PYTHON'
import json, math, sys
eye, target = ([float(value) for value in point.split(",")] for point in sys.argv[1:3])
fov, aspect = map(float, sys.argv[3:])
x, y, z = (b - a for a, b in zip(eye, target))
yaw, pitch = math.atan2(-x, -z) / 2, math.atan2(y, math.hypot(x, z)) / 2
rotation = [math.cos(yaw) * math.sin(pitch), math.sin(yaw) * math.cos(pitch),
            -math.sin(yaw) * math.sin(pitch), math.cos(yaw) * math.cos(pitch)]
properties = [["vertical_fov", {"float": fov}], ["aspect_ratio", {"float": aspect}]]
command = {"command": "add_resource", "kind": "camera", "name": "Near"}
print(json.dumps({"do": [command | {"properties": properties, "rotation": rotation, "translation": eye}]}))
PYTHON
}

# For docs/posing.md: jobs of that page, by the drags that it counts. All through one camera, so that sizes can be compared, from
# the left, so that the profile shows what bends. The arms hang, with the palms towards the body where nothing leads the hands.
posing() {
  drag() { # FROM TO BONE=POINT OPTION ...
    "$ossature" drag "$scenes/$1.js3d" "${@:3}" -o "$scenes/$2.js3d" --force >/dev/null
  }
  camera 7.6,3.5,5.2 0,2.8,0.15 43 0.75 >"$scenes/camera.jsonl"
  turned() { echo "{\"command\":\"set_pose\",\"mesh\":\"Human_skinned_mesh\",\"bone\":\"forearm.$1\",\"pose_deg\":[0,$2,0]}"; }
  echo "{\"do\":[$(turned L 60),$(turned R -60)]}" >"$scenes/turned.jsonl"
  cp "$human" "$scenes/human.js3d"
  "$ossature" run "$scenes/turned.jsonl" "$human" -o "$scenes/turned.js3d" >/dev/null
  drag human hanging forearm.L=0.92,2.75,0.5 --symmetric
  drag turned standing forearm.L=0.92,2.75,0.5 --symmetric
  drag hanging wave forearm.L=1.75,5.1,0.55
  drag standing crouch pelvis=0,2.1,-0.3
  drag standing floor forearm.L=0.45,0.8,1 --whole-body --symmetric
  drag hanging squat head=0,3.9,0.3 --whole-body
  drag squat squat forearm.L=0.5,2.8,1.5 --symmetric
  drag standing kick shin.L=0.4,2.3,1.95
  drag kick kick forearm.R=-0.75,3.1,1
  drag kick kick forearm.L=1,2.75,-0.4
  drag standing leg pelvis=-0.38,3,-0.03
  drag leg leg shin.L=0.4,1.1,-0.75
  drag standing contact shin.L=0.35,0.35,1
  drag contact contact shin.R=-0.35,0.55,-1
  drag contact contact pelvis=0,2.85,0
  drag contact contact forearm.R=-0.85,2.7,0.9
  drag contact contact forearm.L=0.85,2.55,-0.35
  "$ossature" ik "$scenes/standing.js3d" --look head=3,5,3.4 -o "$scenes/look.js3d" >/dev/null
  local pose
  for pose in wave crouch floor squat kick leg contact look; do
    "$ossature" run "$scenes/camera.jsonl" "$scenes/$pose.js3d" -o "$scenes/seen.js3d" --force >/dev/null
    "$ossature" render "$scenes/seen.js3d" -o "$pictures/pose-$pose.png" --frames 0 --size 360x480 --overlays floor \
      --camera Near_instance
  done
}

# For docs/posing.md: a foot that is raised higher at one frame of a clip that came in from glTF with a key at every frame: as it
# came, one key changed, and with Spread at 5. The ankle's path with a dot a frame, over the path as it came.
spread() {
  command -v montage >/dev/null || { left_out spread "it needs ImageMagick"; return; }
  "$ossature" convert "$walk" "$scenes/clip.glb" --no-scene 2>/dev/null
  "$ossature" convert "$scenes/clip.glb" "$scenes/clip.js3d" 2>/dev/null
  "$ossature" drag "$scenes/clip.js3d" shin.L=0.25,1.2,-0.35 --frame 18 -o "$scenes/one.js3d" >/dev/null
  "$ossature" drag "$scenes/clip.js3d" shin.L=0.25,1.2,-0.35 --frame 18 --spread 5 -o "$scenes/five.js3d" >/dev/null
  camera 6.5,0.95,0.1 0,0.95,0.1 25 1 >"$scenes/side.jsonl"
  # As that camera projects it, in pixels.
  ankle() { # CLIP line|dots
    local frame
    for frame in {0..24}; do
      "$ossature" pose "$scenes/$1.js3d" --frame "$frame" | awk '$2 == "shin.L" {found = 1} found && $1 == "tail" {print $2, $3, $4; exit}'
    done | python3 -c 'import math, sys
scale = 240 / math.tan(math.radians(12.5))
points = [[float(value) for value in line.split()] for line in sys.stdin]
points = [(240 - scale * (z - 0.1) / (6.5 - x), 240 - scale * (y - 0.95) / (6.5 - x)) for x, y, z in points]
line = "polyline " + " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
dots = " ".join(f"circle {x:.1f},{y:.1f} {x + 3.2:.1f},{y:.1f}" for x, y in points)
print({"line": line, "dots": dots}[sys.argv[1]])' "$2"
  }
  local clip frame shown=() layers
  for clip in clip one five; do
    "$ossature" run "$scenes/side.jsonl" "$scenes/$clip.js3d" -o "$scenes/seen.js3d" --force >/dev/null
    "$ossature" render "$scenes/seen.js3d" -o "$scenes/$clip/%02d.png" --frames 14..22 --step 2 --size 480x480 \
      --camera Near_instance --background transparent
    layers=(-size 480x480 "xc:#2c2e31")
    for frame in 14 16 20 22; do
      layers+=("(" "$scenes/$clip/$frame.png" -channel A -evaluate multiply 0.22 +channel ")" -composite)
    done
    layers+=("$scenes/$clip/18.png" -composite -fill none)
    [ $clip = clip ] || layers+=(-stroke "#ffffff70" -strokewidth 2 -draw "$(ankle clip line)")
    layers+=(-stroke "#ffa040" -strokewidth 2.5 -draw "$(ankle $clip line)")
    convert "${layers[@]}" -stroke none -fill "#ffa040" -draw "$(ankle $clip dots)" "$scenes/$clip.png"
    shown+=("$scenes/$clip.png")
  done
  montage "${shown[@]}" -tile 3x1 -geometry +2+2 -depth 8 -background '#202124' "$pictures/spread.png"
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

# For docs/motion.md: a human and bodies of other proportions, with what was fitted into them, at two moments of their walks.
bodies() {
  command -v montage >/dev/null || { left_out bodies "it needs ImageMagick"; return; }
  cargo run --release --no-default-features --example make_bodies -- "$scenes/bodies"
  cp "$human" "$scenes/bodies/human.js3d"
  local body shown=()
  for body in human.js3d chibi.obj tall.obj armoured.obj giraffe.obj; do
    "$ossature" walk "$scenes/bodies/$body" --replace-skeleton -o "$scenes/walking.js3d" --force
    "$ossature" render "$scenes/walking.js3d" -o "$scenes/bodies/$body-%02d.png" --frames 0..7 --size 300x400 --overlays grid,bones
    shown+=("$scenes/bodies/$body-00.png" "$scenes/bodies/$body-07.png")
  done
  montage "${shown[@]}" -tile 10x1 -geometry +2+2 -background '#202124' "$pictures/bodies.png"
}

# For docs/fitting.md: fitted bodies in the poses in which skins fail.
checked() {
  command -v montage >/dev/null || { left_out checked "it needs ImageMagick"; return; }
  cargo run --release --no-default-features --example make_bodies -- "$scenes/bodies"
  cp media/obj/human.obj "$scenes/bodies"
  local body frame shown=()
  for body in human tall armoured chibi; do
    "$ossature" fit "$scenes/bodies/$body.obj" -o "$scenes/$body.js3d" --force
    "$ossature" motion "$scenes/$body.js3d" --add check -o "$scenes/$body-checked.js3d" --force
    for frame in 25 66 108 163 202 306; do
      "$ossature" render "$scenes/$body-checked.js3d" -o "$scenes/$body-$frame.png" --frames "$frame" --size 480x400
      shown+=("$scenes/$body-$frame.png")
    done
  done
  montage "${shown[@]}" -gravity center -crop 300x320+20+0 +repage -resize 66% -tile 6x4 -geometry +2+2 \
    -background '#202124' "$pictures/checked.png"
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
