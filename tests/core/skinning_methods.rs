//! Linear, dual quaternion and mixed skinning through the evaluator, the file and the program.

use crate::running;

use crate::editing::{bone, column};
use crate::running::{Folder, good};
use glam::{DQuat, Vec3};
use ossature::edit::command::Command;
use ossature::io::js3d;
use ossature::rig::kinematics::{bind_pose, current_pose};
use ossature::rig::skeleton::Skeleton;
use ossature::rig::skinning::Method;
use ossature::rig::weights::capsule::capsule_weights;
use ossature::scene::Scene;
use ossature::scene::evaluate::{Evaluator, Posed, Settings};
use ossature::scene::skinned::SkinnedMesh;
use std::sync::Arc;

const PARTS: [f32; 5] = [0.0, 0.25, 0.5, 0.8, 1.0];

fn method(part: f32) -> Method {
    Method::try_from(part).unwrap()
}

/// Two bones in a column of three boxes, the upper one bent and twisted.
fn scene(part: f32) -> Scene {
    let surface = column(3);
    let mut skeleton = Skeleton {
        bones: vec![
            bone(Some("Lower"), None, [0.0, 1.5, 0.0], 0),
            bone(Some("Upper"), Some(0), [0.0, 1.5, 0.0], 1),
        ],
        ..Skeleton::default()
    };
    skeleton.bones.iter_mut().for_each(|bone| bone.radius = 3.0);
    let weights = capsule_weights(&skeleton, surface.positions());
    skeleton.bones[1].pose_deg = Vec3::new(50.0, 110.0, -20.0);
    let mesh = SkinnedMesh {
        surface: Arc::new(surface),
        weights: Arc::new(weights),
        skeleton: Arc::new(skeleton),
        skinning: method(part),
        ..SkinnedMesh::default()
    };
    let mut scene = Scene::default();
    scene.skinned_meshes.insert("Arm".into(), Arc::new(mesh));
    scene
}

fn posed(scene: &Scene) -> Arc<Posed> {
    Evaluator::default().evaluate(scene, &Settings::default()).skinned["Arm"].clone()
}

#[test]
fn a_rigid_motion_of_all_bones_moves_the_mesh_rigidly_under_every_method() {
    for part in PARTS {
        let mut scene = scene(part);
        let mut mesh = (*scene.skinned_meshes["Arm"]).clone();
        let skeleton = Arc::make_mut(&mut mesh.skeleton);
        skeleton.bones[0].pose_deg = Vec3::new(140.0, -65.0, 200.0);
        skeleton.bones[1].pose_deg = Vec3::ZERO;
        skeleton.base_offset = Vec3::new(1.0, -2.0, 0.5);
        let motion = current_pose(skeleton)[0] * bind_pose(skeleton)[0].inverse();
        let rotation = DQuat::from_mat3(&motion.matrix3);
        scene.skinned_meshes.insert("Arm".into(), Arc::new(mesh));
        let found = posed(&scene);
        for (found, bind) in found.positions.iter().zip(column(3).positions()) {
            let expected = motion.transform_point3(bind.as_dvec3());
            assert!((found.as_dvec3() - expected).length() < 1e-5, "part {part}");
        }
        for (found, bind) in found.normals().zip(&found.render.normal) {
            assert!((found.as_dvec3() - rotation * bind.as_dvec3()).length() < 1e-5, "part {part}");
        }
    }
}

#[test]
fn a_mixture_lies_between_both_results() {
    let (linear, dual) = (posed(&scene(0.0)), posed(&scene(1.0)));
    let apart = linear.positions.iter().zip(&dual.positions).map(|(a, b)| a.distance(*b));
    assert!(apart.fold(0.0, f32::max) > 0.05, "the methods differ in this pose");
    for part in PARTS {
        let mixed = posed(&scene(part));
        for (v, found) in mixed.positions.iter().enumerate() {
            let expected = linear.positions[v] * (1.0 - part) + dual.positions[v] * part;
            assert!(found.distance(expected) < 1e-6, "part {part}, vertex {v}");
        }
        let ends = linear.normals().zip(dual.normals());
        for (r, (found, (linear, dual))) in mixed.normals().zip(ends).enumerate() {
            let expected = (linear * (1.0 - part) + dual * part).normalize();
            assert!(found.distance(expected) < 1e-5, "part {part}, render vertex {r}");
        }
    }
}

#[test]
fn the_evaluator_sees_that_the_method_changed() {
    let mut evaluator = Evaluator::default();
    let mut scene = scene(0.0);
    let settings = Settings::default();
    let first = evaluator.evaluate(&scene, &settings).skinned["Arm"].clone();
    let again = evaluator.evaluate(&scene, &settings).skinned["Arm"].clone();
    assert!(Arc::ptr_eq(&first, &again));
    let set = Command::SetSkinning { mesh: "Arm".into(), method: Method::DUAL_QUATERNION };
    set.apply(&mut scene).unwrap();
    let changed = evaluator.evaluate(&scene, &settings).skinned["Arm"].clone();
    assert!(changed.positions != first.positions);
    assert_eq!(changed.positions, posed(&scene).positions);
}

#[test]
fn the_method_is_kept_in_the_file() {
    for part in PARTS {
        let bytes = js3d::write(&scene(part)).unwrap();
        let text = String::from_utf8(bytes.clone()).unwrap();
        assert_eq!(text.contains("\"dual_quaternions\":"), part != 0.0, "absent means linear");
        let (back, report) = js3d::read(&bytes).unwrap();
        assert!(report.is_empty(), "{report:?}");
        assert_eq!(back.skinned_meshes["Arm"].skinning, method(part));
        assert_eq!(js3d::write(&back).unwrap(), bytes);
        // An invalid value is reported, preserved, and has no effect.
        let broken = text.replace(&format!("\"dual_quaternions\":{part}"), "\"dual_quaternions\":7");
        let (back, report) = js3d::read(broken.as_bytes()).unwrap();
        assert_eq!(back.skinned_meshes["Arm"].skinning, Method::LINEAR);
        assert_eq!(report.findings.iter().any(|f| f.code == "bad-skinning"), part != 0.0);
        assert_eq!(js3d::write(&back).unwrap(), broken.as_bytes());
    }
}

#[test]
fn the_skin_command_takes_a_method() {
    let folder = Folder::new();
    let file = folder.write("arm.js3d", &scene(0.25));
    let out = folder.out("out.obj");
    let cases = [(None, 0.25), (Some("linear"), 0.0), (Some("dual-quaternion"), 1.0), (Some("0.8"), 0.8)];
    for (name, part) in cases {
        let mut arguments = vec!["skin", &file, "--space", "mesh", "-o", &out];
        arguments.extend(name.iter().flat_map(|name| ["--method", name]));
        good(&arguments);
        let obj = std::fs::read_to_string(&out).unwrap();
        let rows = obj.lines().filter_map(|line| line.strip_prefix("v "));
        let expected = posed(&scene(part));
        assert_eq!(rows.clone().count(), expected.positions.len());
        for (row, expected) in rows.zip(&expected.positions) {
            let numbers: Vec<f32> = row.split(' ').map(|n| n.parse().unwrap()).collect();
            assert_eq!(Vec3::from_slice(&numbers), *expected, "{name:?}");
        }
    }
    for wrong in ["dqs", "1.5", "NaN", ""] {
        running::bad(&["skin", &file, "--method", wrong, "-o", &out]);
    }
}
