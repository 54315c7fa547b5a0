//! Every command does what it reports and is one undo step.

use crate::editing;

use crate::editing::{bone, examples, faults, scene, skeleton};
use glam::Vec3;
use ossature::edit::command::Command;
use ossature::edit::session::Session;
use ossature::rig::kinematics::{bind_pose, tips};
use ossature::rig::weights::capsule::capsule_weights;
use ossature::rig::weights::refine::Refinement;
use ossature::scene::Scene;
use std::collections::BTreeSet;
use std::sync::Arc;

fn applied(scene: &Scene, command: &Command) -> Scene {
    let mut changed = scene.clone();
    command.apply(&mut changed).unwrap();
    assert_eq!(faults(&changed), Vec::<String>::new(), "{command:?}");
    changed
}

/// The command changes the scene in one step with this label; undo and redo restore both states.
fn check_undo(command: &Command, label: &str) {
    let mut session = Session::new(scene(), None);
    let before = session.scene().clone();
    session.apply(std::slice::from_ref(command)).unwrap();
    let after = session.scene().clone();
    assert!(before != after, "{command:?} changes nothing");
    assert_eq!(session.history().entries().len(), 1, "{command:?}");
    assert_eq!(session.undo_label(), Some(label));
    assert!(session.is_modified());
    assert_eq!(session.undo().as_deref(), Some(label));
    assert!(session.scene().is_shared(&before), "undo of {command:?}");
    assert!(before == scene(), "{command:?} changed the scene that it shared");
    assert!(!session.is_modified());
    assert_eq!(session.redo().as_deref(), Some(label));
    assert!(session.scene().is_shared(&after), "redo of {command:?}");
    // Repeating a command that changes nothing is not a step.
    let repeatable = !matches!(
        command,
        Command::AddBone { .. }
            | Command::DeleteBone { .. }
            | Command::AddLinkedBone { .. }
            | Command::AddHandle { .. }
            | Command::DeleteHandle { .. }
            | Command::RefineWeights { refinement: Refinement::Smooth { .. }, .. }
            | Command::SplitBones { .. }
            | Command::MergeBones { .. }
            | Command::DuplicateBones { .. }
            | Command::DeleteSubtrees { .. }
            | Command::Reparent { .. }
            | Command::Poses { .. }
            | Command::ScaleRadius { .. }
            | Command::RotateBones { .. }
            | Command::ScaleBones { .. }
            | Command::AddParent { .. }
            | Command::AddTransform { .. }
            | Command::Rename { .. }
            | Command::Delete { .. }
            | Command::Duplicate { .. }
            | Command::AddInstance { .. }
            | Command::AddResource { .. }
            | Command::AddMesh { .. }
            | Command::AppendScene { .. }
            | Command::AddClips { .. }
            | Command::MakeSkinned { .. }
            | Command::AddSkeleton { .. }
            | Command::OrientSurface { .. }
            | Command::FlipOrientation { .. }
            | Command::Takes(_)
            | Command::Layers { .. }
    );
    if repeatable {
        session.apply(std::slice::from_ref(command)).unwrap();
        assert_eq!(session.history().entries().len(), 1, "{command:?} twice");
        assert!(session.scene().is_shared(&after), "{command:?} twice");
        assert!(applied(&after, command).is_shared(&after), "{command:?} copies what it does not change");
    }
}

#[test]
fn every_command_is_one_step_that_can_be_undone() {
    let mut seen = BTreeSet::new();
    for (command, label) in examples() {
        check_undo(&command, label);
        seen.insert(editing::kind(&command));
    }
    let kinds = editing::kinds().into_iter().collect();
    assert_eq!(seen, kinds, "every kind of command has an example");
}

#[test]
fn every_command_survives_json() {
    for (command, _) in examples() {
        let text = serde_json::to_string(&command).unwrap();
        let back: Command = serde_json::from_str(&text).unwrap();
        assert_eq!(serde_json::to_string(&back).unwrap(), text);
        assert_eq!(editing::kind(&back), editing::kind(&command));
    }
}

#[test]
fn a_command_shares_what_it_does_not_change() {
    for (command, _) in examples() {
        let before = scene();
        let after = applied(&before, &command);
        let (old, new) = (&before.skinned_meshes["Body"], &after.skinned_meshes["Body"]);
        let reshaped = matches!(
            command,
            Command::ReplaceSurface { .. } | Command::FlipOrientation { .. } | Command::SmoothNormals { .. }
        );
        assert_eq!(!Arc::ptr_eq(&old.surface, &new.surface), reshaped, "{command:?}");
        assert!(Arc::ptr_eq(&before.skinned_meshes["Tail"], &after.skinned_meshes["Tail"]));
        let weighted = matches!(
            command,
            Command::DeleteBone { .. }
                | Command::CalculateWeights { .. }
                | Command::CalculateBoneWeights { .. }
                | Command::SetCalculatedWeights { .. }
                | Command::RefineWeights { .. }
                | Command::PaintWeights { .. }
                | Command::TakeWeights { .. }
                | Command::Reparent { .. }
                | Command::SplitBones { .. }
                | Command::MergeBones { .. }
                | Command::DeleteSubtrees { .. }
                | Command::ReplaceSurface { .. }
        );
        assert_eq!(!Arc::ptr_eq(&old.weights, &new.weights), weighted, "{command:?}");
    }
}

fn delete_bone(bone: usize) -> Command {
    let mesh = "Body".into();
    Command::DeleteBone { mesh, bone }
}

#[test]
fn a_deleted_bone_takes_its_channels_and_handles_and_leaves_tips_in_place() {
    let before = scene();
    let after = applied(&before, &delete_bone(1));
    let tips_of = |scene: &Scene| {
        let skeleton = skeleton(scene, "Body");
        tips(skeleton, &bind_pose(skeleton))
    };
    let (old, new) = (tips_of(&before), tips_of(&after));
    assert_eq!(new.len(), 3);
    for (kept, was) in [(0, 0), (1, 2), (2, 3)] {
        assert!((new[kept] - old[was]).length() < 1e-6, "tip of bone {was}");
    }
    let channels: Vec<_> = after.animation.channels["Body"].keys().cloned().collect();
    assert_eq!(channels, ["bone.11.pose", "handle.2.target", "handle.5.enabled", "handle.9.enabled"]);
    let after = applied(&before, &delete_bone(2));
    assert_eq!(skeleton(&after, "Body").handles.len(), 1, "its handle is deleted");
    assert!(!after.animation.channels["Body"].contains_key("handle.2.target"));
    assert!(after.animation.channels["Body"].contains_key("bone.3.pose"));
    assert!(Arc::ptr_eq(
        &before.animation.channels["Place"]["translation"],
        &after.animation.channels["Place"]["translation"]
    ));
}

/// Weights of the deleted bone are gone; the others keep their proportions and their bones.
#[test]
fn weights_follow_a_deleted_bone() {
    let before = scene();
    let after = applied(&before, &delete_bone(1));
    let (old, new) = (&before.skinned_meshes["Body"].weights, &after.skinned_meshes["Body"].weights);
    for v in 0..old.ends.len() {
        let left: Vec<_> = old.influences(v).filter(|&(bone, _)| bone != 1).collect();
        let sum: f32 = left.iter().map(|(_, weight)| weight).sum();
        let expected: Vec<_> = left.iter().map(|&(b, w)| (if b > 1 { b - 1 } else { b }, w / sum)).collect();
        assert_eq!(new.influences(v).collect::<Vec<_>>(), expected, "vertex {v}");
    }
}

#[test]
fn a_bone_that_shares_its_channel_id_leaves_the_channels_to_the_other() {
    let mut scene = scene();
    let mut body = (*scene.skinned_meshes["Body"]).clone();
    Arc::make_mut(&mut body.skeleton).bones[3].channel_id = 3;
    scene.skinned_meshes.insert("Body".into(), Arc::new(body));
    delete_bone(1).apply(&mut scene).unwrap();
    assert!(scene.animation.channels["Body"].contains_key("bone.3.pose"));
}

/// Channels `bone.11` and `handle.9` are left over from deleted parts.
#[test]
fn new_bones_and_handles_never_inherit_old_motion() {
    let before = scene();
    let add = Command::AddBone { mesh: "Body".into(), parent: None, extent: Vec3::Y, radius: 0.5 };
    let after = applied(&before, &add);
    assert_eq!(skeleton(&after, "Body").bones[4].channel_id, 12);
    let after = applied(&before, &Command::AddHandle { mesh: "Body".into(), bone: 1 });
    let handle = skeleton(&after, "Body").handles[2].clone();
    assert_eq!(handle.channel_id, 10);
    assert!(!handle.enabled);
    // Base 0.25, Root 1, Mid 1.5 up and 0.25 forward; the pose does not matter.
    assert_eq!(handle.target, Vec3::new(0.0, 2.75, 0.25));
}

#[test]
fn moving_a_tip_keeps_the_tips_of_children() {
    let before = scene();
    let extent = Vec3::new(0.5, 0.5, 0.5);
    let after = applied(&before, &Command::MoveTip { mesh: "Body".into(), bone: 0, extent });
    let bones = &skeleton(&after, "Body").bones;
    assert_eq!(bones[0].extent, extent);
    assert_eq!(bones[1].extent, Vec3::new(-0.5, 2.0, -0.25));
    assert_eq!(bones[3].extent, Vec3::new(0.5, 0.5, -0.5));
    let after = applied(&before, &Command::set_bone("Body".into(), 0, "extent", extent));
    assert_eq!(skeleton(&after, "Body").bones[1].extent, Vec3::new(0.0, 1.5, 0.25));
}

#[test]
fn names_are_cleaned() {
    for (given, kept) in [
        ("  Hand.L ", Some("Hand.L")),
        ("a\nb\u{7}", Some("ab")),
        (" \t ", None),
        ("", None),
        ("Mão 手", Some("Mão 手")),
    ] {
        let set = Command::SetBoneName { mesh: "Body".into(), bone: 0, name: given.into() };
        let after = applied(&scene(), &set);
        assert_eq!(skeleton(&after, "Body").bones[0].name.as_deref(), kept, "{given:?}");
    }
}

/// A name identifies one bone: a clash gets a number, the same name again does not.
#[test]
fn names_are_unique() {
    let mut scene = scene();
    for (bone, given, kept, label) in [
        (1, " Root ", "Root.001", "Rename Mid to Root.001"),
        (2, "Root", "Root.002", "Rename bone 7 to Root.002"),
        (1, "Root.001", "Root.001", "Rename Root.001 to Root.001"),
        (3, "Root.001", "Root.003", "Rename Branch to Root.003"),
    ] {
        let (mesh, name) = ("Body".to_owned(), given.to_owned());
        let set = Command::SetBoneName { mesh, bone, name };
        assert_eq!(set.label(&scene), label);
        set.apply(&mut scene).unwrap();
        assert_eq!(skeleton(&scene, "Body").bones[bone].name.as_deref(), Some(kept));
    }
}

#[test]
fn weights_are_the_capsule_weights_and_equal_ones_stay_shared() {
    let calculate = Command::CalculateWeights { mesh: "Body".into(), method: Default::default() };
    let after = applied(&scene(), &calculate);
    let body = &after.skinned_meshes["Body"];
    assert!(*body.weights == capsule_weights(&body.skeleton, body.surface.positions()));
    let again = applied(&after, &calculate);
    assert!(after.is_shared(&again));
}

/// The record of moved bones stays with the weights through refinements, undo and redo.
#[test]
fn bones_that_moved_since_the_calculation_are_known() {
    let mut session = Session::new(scene(), None);
    let moved = |session: &Session| {
        let body = &session.scene().skinned_meshes["Body"];
        body.bind_snapshot.moved(&body.skeleton)
    };
    let mesh = || "Body".to_owned();
    session.apply(&[Command::CalculateWeights { mesh: mesh(), method: Default::default() }]).unwrap();
    assert_eq!(moved(&session), [0; 0]);
    let radius = Command::set_bone(mesh(), 3, "radius", 0.7);
    session.apply(&[radius]).unwrap();
    session.apply(&[Command::MoveTip { mesh: mesh(), bone: 1, extent: Vec3::Y }]).unwrap();
    assert_eq!(moved(&session), [1, 2, 3]);
    let clear = Command::RefineWeights { mesh: "Body".into(), vertices: None, refinement: Refinement::Clear };
    session.apply(&[clear]).unwrap();
    assert_eq!(moved(&session), [1, 2, 3]);
    session
        .apply(&[Command::CalculateBoneWeights {
            mesh: mesh(),
            bones: vec![3, 1],
            method: Default::default(),
        }])
        .unwrap();
    assert_eq!(moved(&session), [2]);
    session.apply(&[Command::CalculateWeights { mesh: mesh(), method: Default::default() }]).unwrap();
    assert_eq!(moved(&session), [0; 0]);
    for expected in [&[2][..], &[1, 2, 3], &[1, 2, 3], &[3], &[]] {
        session.undo();
        assert_eq!(moved(&session), expected);
    }
    // A radius that changes no weight still counts as up to date after a calculation.
    let mut session = Session::new(scene(), None);
    let thin = |radius| Command::set_bone("Tail".into(), 0, "radius", radius);
    let tail = |session: &Session| {
        let tail = &session.scene().skinned_meshes["Tail"];
        tail.bind_snapshot.moved(&tail.skeleton)
    };
    let calculate = Command::CalculateWeights { mesh: "Tail".into(), method: Default::default() };
    session.apply(&[thin(1e-3), calculate.clone()]).unwrap();
    session.apply(&[thin(2e-3)]).unwrap();
    assert_eq!(tail(&session), [0]);
    session.apply(&[calculate]).unwrap();
    assert_eq!(tail(&session), [0; 0]);
}

#[test]
fn the_last_bone_can_go() {
    let mut scene = scene();
    for _ in 0..4 {
        delete_bone(0).apply(&mut scene).unwrap();
        assert_eq!(faults(&scene), Vec::<String>::new());
    }
    assert!(skeleton(&scene, "Body").bones.is_empty());
    assert!(skeleton(&scene, "Body").handles.is_empty());
    assert!(scene.skinned_meshes["Body"].weights.bones.is_empty());
    let mut body = (*scene.skinned_meshes["Body"]).clone();
    Arc::make_mut(&mut body.skeleton).bones.push(bone(None, None, [0.0; 3], u32::MAX));
    scene.skinned_meshes.insert("Body".into(), Arc::new(body));
    let add = Command::AddBone { mesh: "Body".into(), parent: None, extent: Vec3::Y, radius: 0.5 };
    let after = applied(&scene, &add);
    assert_eq!(skeleton(&after, "Body").bones[1].channel_id, 0, "above the highest there is none");
}
