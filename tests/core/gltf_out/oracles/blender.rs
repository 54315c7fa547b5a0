//! Blender: what it shows of exported files and what it writes back. `OSSATURE_BLENDER` names a Python that
//! has `bpy` (tested with 5.0.1); `./dev oracles --blender` installs one where `./dev test` finds it.

use super::super::{exported, media, walk, with_four_weights};
use crate::gltf_in::file_of;
use crate::gltf_in::posed::{size, vertices, wide, worst};
use crate::gltf_in::round_trip::assert_shapes_are_back;
use crate::rig_support::handle;
use glam::{DQuat, DVec3, Vec3};
use ossature::io::export::ExportOptions;
use ossature::rig::kinematics::bind_pose;
use ossature::rig::skeleton::Skeleton;
use ossature::scene::Scene;
use ossature::scene::evaluate::{Evaluator, Settings};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;

/// Opens a file, prints what it shows (in glTF axes), and writes it again with extras.
const SCRIPT: &str = "
import bpy, json, sys
source, told, written, *frames = sys.argv[1:]
bpy.ops.wm.read_factory_settings(use_empty=True)
bpy.context.scene.render.fps = 24
bpy.ops.import_scene.gltf(filepath=source)
rig = next(o for o in bpy.data.objects if o.type == 'ARMATURE')
mesh = next(o for o in bpy.data.objects if o.type == 'MESH' and any(m.type == 'ARMATURE' for m in o.modifiers))
turned = lambda p: [p[0], p[2], -p[1]]
shown = []
for frame in map(float, frames):
    bpy.context.scene.frame_set(int(frame), subframe=frame - int(frame))
    seen = mesh.evaluated_get(bpy.context.evaluated_depsgraph_get())
    vertices = [turned(seen.matrix_world @ v.co) for v in seen.to_mesh().vertices]
    poses = {b.name: list(b.matrix_basis.to_euler('XYZ')) for b in rig.pose.bones}
    shown.append({'vertices': vertices, 'poses': poses})
stored = [turned(mesh.matrix_world @ v.co) for v in mesh.data.vertices]
bones = {b.name: [turned(rig.matrix_world @ b.head_local), turned(rig.matrix_world @ b.tail_local)] for b in rig.data.bones}
bpy.ops.export_scene.gltf(filepath=written, export_format='GLB', export_extras=True)
json.dump({'shown': shown, 'stored': stored, 'bones': bones}, open(told, 'w'))
";

#[derive(Deserialize)]
struct Told {
    shown: Vec<Shown>,
    stored: Vec<DVec3>,
    /// The head and tail of each in edit mode.
    bones: BTreeMap<String, [DVec3; 2]>,
}

#[derive(Deserialize)]
struct Shown {
    vertices: Vec<DVec3>,
    /// The angles about x, y and z in radians.
    poses: BTreeMap<String, DVec3>,
}

/// Returns what Blender shows of a scene at frames, and the file that it writes.
fn through_blender(scene: &Scene, frames: &[f32]) -> (Told, Vec<u8>) {
    let python = std::env::var_os("OSSATURE_BLENDER");
    let python = python.expect("OSSATURE_BLENDER names a Python that has bpy");
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let options = ExportOptions { scene: false, ..ExportOptions::default() };
    std::fs::write(at("out.glb"), exported(scene, &options).0).unwrap();
    let mut program = Command::new(python);
    program.args(["-c", SCRIPT]);
    program.args(["out.glb", "told.json", "back.glb"].map(at));
    let output = program.args(frames.iter().map(f32::to_string)).output().unwrap();
    let read = |path: &Path| {
        let error = String::from_utf8_lossy(&output.stderr);
        std::fs::read(path).unwrap_or_else(|e| panic!("{}: {e}: {error}", path.display()))
    };
    let told = serde_json::from_slice(&read(&at("told.json"))).unwrap();
    (told, read(&at("back.glb")))
}

const FRAMES: [f32; 4] = [0.0, 5.0, 9.0, 15.0];

/// Rows 3 and 5, in one run of Blender: vertices, heads and tails of bones, and their angles.
#[test]
#[ignore = "needs OSSATURE_BLENDER"]
fn the_walk_is_the_same_in_blender() {
    let scene = with_four_weights(walk());
    let (told, _) = through_blender(&scene, &FRAMES);
    let mesh = &scene.skinned_meshes["Human_skinned_mesh"];
    let skeleton = &mesh.skeleton;
    let height = size(mesh.surface.positions().iter().map(|at| at.as_dvec3()));
    let bind = bind_pose(skeleton);
    let mut tails = 0;
    for bone in skeleton.shown_bones() {
        let name = skeleton.bone_name(bone);
        let [head, tail] = told.bones[&name];
        let start = bind[bone].translation;
        assert!(head.distance(start) < 1e-5, "{name}: {head}, not {start}");
        let tip = start + skeleton.bones[bone].extent.as_dvec3();
        // Blender cannot know tips at which no child starts.
        let is_met = (0..bind.len()).any(|child| {
            skeleton.bones[child].parent == Some(bone as u32) && bind[child].translation.distance(tip) < 1e-6
        });
        if is_met {
            assert!(tail.distance(tip) < 1e-5, "{name}: {tail}, not {tip}");
            tails += 1;
        }
    }
    assert!(tails > 15, "{tails}");
    for (frame, shown) in FRAMES.into_iter().zip(&told.shown) {
        let found: Vec<(DVec3, DVec3)> =
            told.stored.iter().copied().zip(shown.vertices.iter().copied()).collect();
        let off = worst(&found, &wide(vertices(&scene, Some(frame))), 1e-5 * height);
        assert!(off < 1e-4, "frame {frame}: {off}");
        let settings = Settings { frame: Some(frame), ..Settings::default() };
        let evaluated = Evaluator::default().evaluate(&scene, &settings);
        let posed = &evaluated.skinned["Human_skinned_mesh"].skeleton;
        for bone in posed.shown_bones() {
            let name = posed.bone_name(bone);
            let turn = |angles: DVec3| DQuat::from_mat3(&ossature::math::rotation::from_euler(angles));
            let off = turn(shown.poses[&name])
                .angle_between(turn(posed.bones[bone].pose_deg.as_dvec3().map(f64::to_radians)));
            assert!(off.to_degrees() < 0.01, "{name} at frame {frame}: {}°", off.to_degrees());
        }
    }
}

/// Row 8: exported, opened and written by Blender with extras, imported.
#[test]
#[ignore = "needs OSSATURE_BLENDER"]
fn what_blender_gives_back_is_what_it_got() {
    let mut scene = with_four_weights(media("A4-human-walk"));
    let mesh = Arc::make_mut(scene.skinned_meshes.get_mut("Human_skinned_mesh").unwrap());
    let skeleton = Arc::make_mut(&mut mesh.skeleton);
    for (bone, id, enabled) in [(5, 40, false), (9, 7, true)] {
        let mut added = handle(bone, bind_pose(skeleton)[bone].translation.as_vec3() + Vec3::splat(0.1));
        added.channel_id = id;
        added.enabled = enabled;
        added.chain = Some(2);
        skeleton.handles.push(added);
    }
    let expected = Skeleton::clone(skeleton);
    let (_, back) = through_blender(&scene, &[0.0]);
    let again = file_of(&back);
    assert_eq!(again.scene.skinned_meshes.len(), 1, "{:?}", again.report);
    let found = again.scene.skinned_meshes.values().next().unwrap();
    assert_shapes_are_back(&expected, &found.skeleton, false);
    assert!(found.skeleton.handles.iter().all(|handle| !handle.enabled));
    let height = size(found.surface.positions().iter().map(|at| at.as_dvec3()));
    let take = &again.scene.animation.takes.list[0];
    assert_eq!(again.scene.animation.clip.rate, 24.0);
    for frame in FRAMES {
        let ours = wide(vertices(&scene, Some(frame)));
        let theirs = wide(vertices(&again.scene, Some(take.range[0] as f32 + frame)));
        let off = worst(&theirs, &ours, 1e-5 * height).max(worst(&ours, &theirs, 1e-5 * height));
        assert!(off < 1e-4 * height, "frame {frame}: {off}");
    }
}
