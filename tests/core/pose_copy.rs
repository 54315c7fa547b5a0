//! Poses that are copied and pasted elsewhere: a mirrored paste is the mirror image of the copied skeleton.

use crate::editing::{Random, bone};
use glam::{DVec3, Vec3};
use ossature::edit::command::Command;
use ossature::edit::pose::{PoseCopy, copy};
use ossature::rig::kinematics::{current_pose, tips};
use ossature::rig::skeleton::Skeleton;
use ossature::scene::Scene;
use ossature::scene::skinned::SkinnedMesh;
use std::sync::Arc;

/// A hip in the middle, arms paired by name, feet by position alone, a horn on one side only. Rolls are
/// arbitrary.
fn skeleton() -> Skeleton {
    let mut bones = vec![
        bone(Some("Hip"), None, [0.0, 1.0, 0.1], 0),
        bone(Some("Arm.L"), Some(0), [0.8, 0.4, 0.2], 1),
        bone(Some("Arm.R"), Some(0), [-0.8, 0.4, 0.2], 2),
        bone(None, Some(1), [0.5, -1.0, 0.0], 3),
        bone(None, Some(2), [-0.5, -1.0, 0.0], 4),
        bone(Some("Horn"), Some(0), [0.3, 1.0, 0.0], 5),
    ];
    for (index, bone) in bones.iter_mut().enumerate() {
        bone.roll_deg = 37.0 * index as f32;
    }
    Skeleton { bones, ..Skeleton::default() }
}

fn posed(mut skeleton: Skeleton, random: &mut Random) -> Skeleton {
    for bone in &mut skeleton.bones {
        bone.pose_deg = random.vec3(200.0);
    }
    skeleton.base_offset = random.vec3(1.0);
    skeleton
}

fn applied(skeleton: &Skeleton, commands: &[Command]) -> Skeleton {
    let mesh = SkinnedMesh { skeleton: Arc::new(skeleton.clone()), ..SkinnedMesh::default() };
    let mut scene = Scene::default();
    scene.skinned_meshes.insert("M".into(), Arc::new(mesh));
    for command in commands {
        command.apply(&mut scene).unwrap();
    }
    (*scene.skinned_meshes["M"].skeleton).clone()
}

#[test]
fn a_copied_pose_comes_back() {
    let posed = posed(skeleton(), &mut Random::new(1));
    let copied = copy(&posed, &[], &[]);
    let text = serde_json::to_string(&copied).unwrap();
    assert_eq!(serde_json::from_str::<PoseCopy>(&text).unwrap(), copied);
    let pasted = copied.paste("M", &skeleton());
    assert_eq!((applied(&skeleton(), &pasted.commands), pasted.unmatched.len()), (posed.clone(), 0));
    // Only the chosen bones, without the base.
    let pasted = copy(&posed, &[1, 3], &[]).paste("M", &skeleton());
    let mut expected = skeleton();
    [1, 3].into_iter().for_each(|b| expected.bones[b].pose_deg = posed.bones[b].pose_deg);
    assert_eq!(applied(&skeleton(), &pasted.commands), expected);
    assert_eq!(copy(&posed, &[99], &[]).bone_count(), 0);
}

#[test]
fn what_is_not_there_is_told() {
    let copied = copy(&skeleton(), &[], &[]);
    let mut other = skeleton();
    other.bones.truncate(4);
    other.bones[1].name = Some("Wing".into());
    let pasted = copied.paste("M", &other);
    assert_eq!(pasted.unmatched, ["Arm.L", "bone 4", "Horn"]);
    assert_eq!(pasted.commands.len(), 3 + 1);
    assert_eq!(copied.paste_mirrored("M", &skeleton()).unmatched, ["Horn"]);
}

#[test]
fn a_mirrored_pose_is_the_mirror_image() {
    let mut random = Random::new(7);
    for _ in 0..50 {
        let posed = posed(skeleton(), &mut random);
        let pasted = copy(&posed, &[], &[]).paste_mirrored("M", &posed);
        let mirrored = applied(&posed, &pasted.commands);
        let (old, new) = (tips(&posed, &current_pose(&posed)), tips(&mirrored, &current_pose(&mirrored)));
        for (from, to) in [(0, 0), (1, 2), (2, 1), (3, 4), (4, 3)] {
            let expected = old[from] * DVec3::new(-1.0, 1.0, 1.0);
            assert!(new[to].distance(expected) < 1e-5, "{from} to {to}: {} is not {expected}", new[to]);
        }
        // Mirroring twice restores the pose, including whole turns of the angles.
        let back = copy(&mirrored, &[], &[]).paste_mirrored("M", &mirrored);
        let back = applied(&mirrored, &back.commands);
        let again = tips(&back, &current_pose(&back));
        for bone in 0..5 {
            assert!(again[bone].distance(old[bone]) < 1e-5);
        }
    }
}

/// If the axes are mirror images, angles keep their whole turns: a hinge about x bends the same way.
#[test]
fn mirrored_axes_mean_mirrored_angles() {
    let mut skeleton = skeleton();
    skeleton.bones[1].roll_deg = 20.0;
    skeleton.bones[2].roll_deg = -20.0;
    skeleton.bones[1].pose_deg = Vec3::new(400.0, 30.0, -170.0);
    let pasted = copy(&skeleton, &[1], &[]).paste_mirrored("M", &skeleton);
    let expected = Command::set_bone("M".into(), 2, "pose", Vec3::new(400.0, -30.0, 170.0));
    assert_eq!(pasted.commands, [expected]);
}
