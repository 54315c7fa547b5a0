//! Poses and handles under live symmetry: mirroring twice restores a pose, a symmetric skin stays symmetric,
//! and handles follow with all their settings.

use super::{ARM_L, ARM_R, HAND_L, HAND_R, MESH, SPINE, apply, now, session, session_on, skeleton};
use crate::editing::Random;
use glam::{DVec3, Vec3};
use ossature::edit::command::Command;
use ossature::edit::session::Session;
use ossature::rig::body::mirror_plane::MirrorPlane;
use ossature::rig::edits::symmetry::mirrored_pose;
use ossature::rig::kinematics::current_pose;
use ossature::rig::limits::Limits;
use ossature::rig::skeleton::{Bone, Pole, Skeleton};
use std::sync::Arc;

#[test]
fn names_limits_and_what_ik_goes_by_follow() {
    let mut session = session();
    let mesh = || MESH.to_owned();
    let limits = Limits([Some([-10.0, 90.0]), Some([-5.0, 30.0]), None]);
    apply(
        &mut session,
        &[
            Command::SetBoneName { mesh: mesh(), bone: HAND_R, name: "Hand.R".into() },
            Command::set_bone(mesh(), ARM_L, "limits", limits),
            Command::set_bone(mesh(), ARM_L, "stiffness", Vec3::splat(0.5)),
            Command::set_bone(mesh(), ARM_L, "preferred", Some(Vec3::new(1.0, 2.0, 3.0))),
            Command::set_handle(mesh(), 1, "target", Vec3::new(-2.0, 1.0, 0.5)),
            Command::set_handle(mesh(), 1, "weight", 0.5),
            Command::set_handle(mesh(), 1, "enabled", true),
            Command::set_handle(
                mesh(),
                1,
                "pole",
                Some(Pole { point: Vec3::new(-1.0, 2.0, 3.0), weight: 0.75 }),
            ),
            Command::set_handle(mesh(), 1, "pinned", true),
        ],
    );
    let after = now(&session);
    assert_eq!(after.bone_name(HAND_L), "Hand.L");
    assert_eq!(after.bones[ARM_R].limits_deg, limits.mirrored());
    assert_eq!(after.bones[ARM_R].stiffness, Vec3::splat(0.5));
    assert_eq!(after.bones[ARM_R].preferred_deg, Some(Vec3::new(1.0, -2.0, -3.0)));
    let handle = &after.handles[0];
    assert_eq!((handle.target, handle.weight), (Vec3::new(2.0, 1.0, 0.5), 0.5));
    assert!(handle.enabled && handle.pinned);
    assert_eq!(handle.pole.unwrap().point, Vec3::new(1.0, 2.0, 3.0));
}

#[test]
fn handles_come_and_go_in_pairs() {
    let mut session = session();
    let mesh = || MESH.to_owned();
    apply(
        &mut session,
        &[
            Command::AddHandle { mesh: mesh(), bone: ARM_R },
            Command::set_handle(mesh(), 2, "target", Vec3::new(-1.0, 2.0, 0.0)),
        ],
    );
    let after = now(&session);
    assert_eq!(after.handles.len(), 4);
    let new = &after.handles[3];
    assert_eq!((new.bone as usize, new.target), (ARM_L, Vec3::new(1.0, 2.0, 0.0)));
    assert_eq!(session.selection().handle(), Some(2));
    apply(&mut session, &[Command::DeleteHandle { mesh: mesh(), handle: 2 }]);
    assert_eq!(now(&session).handles.len(), 2);
    apply(&mut session, &[Command::DeleteHandle { mesh: mesh(), handle: 0 }]);
    assert!(now(&session).handles.is_empty());
}

#[test]
fn auto_key_keys_both_sides_in_one_step() {
    let mut session = session();
    session.set_auto_key(true);
    let (mesh, bone, pose_deg) = (MESH.into(), ARM_L, Vec3::new(10.0, 20.0, 30.0));
    apply(&mut session, &[Command::set_bone(mesh, bone, "pose", pose_deg)]);
    let keyed: Vec<&String> = session.scene().animation.channels[MESH].keys().collect();
    assert_eq!(keyed, ["bone.1.pose", "bone.2.pose"]);
}

/// Mirroring twice restores a pose, with any rolls; and the other side turns like the reflection, compared by
/// matrices.
#[test]
fn a_pose_mirrored_twice_is_the_same() {
    let mut random = Random::new(9);
    for _ in 0..1000 {
        let bone = |random: &mut Random| Bone {
            extent: random.vec3(1.0),
            roll_deg: random.vec3(180.0).x,
            ..Bone::default()
        };
        let (a, b) = (bone(&mut random), bone(&mut random));
        // Within a turn, and away from where two sets of angles are equally near.
        let pose = random.vec3(80.0);
        let there = mirrored_pose(&a, &b, pose, &MirrorPlane::X);
        let back = mirrored_pose(&b, &a, there, &MirrorPlane::X);
        let turn = |bone: &Bone, pose: Vec3| {
            let skeleton =
                Skeleton { bones: vec![Bone { pose_deg: pose, ..bone.clone() }], ..Skeleton::default() };
            current_pose(&skeleton)[0].matrix3
        };
        let (was, is) = (turn(&a, pose), turn(&a, back));
        assert!(was.abs_diff_eq(is, 1e-6), "{pose} {there} {back}");
        let s = glam::DMat3::from_diagonal(DVec3::new(-1.0, 1.0, 1.0));
        assert!((s * was * s).abs_diff_eq(turn(&b, there), 1e-5), "{pose} {there}");
    }
    let (l, r) = (&skeleton().bones[ARM_L], &skeleton().bones[ARM_R]);
    let pose = Vec3::new(200.0, -30.0, 75.5);
    assert_eq!(mirrored_pose(r, l, mirrored_pose(l, r, pose, &MirrorPlane::X), &MirrorPlane::X), pose);
}

/// Posing one side with symmetry on keeps the skin its own mirror image, with any rolls.
#[test]
fn a_symmetric_skin_stays_symmetric() {
    use crate::editing::column;
    use ossature::rig::weights::VertexWeights;
    use ossature::scene::evaluate::{Evaluator, Settings};
    let surface = column(6);
    let positions = surface.positions().to_vec();
    let mut weights = VertexWeights::none(0);
    for at in &positions {
        let part = 0.3 + 0.1 * at.z;
        let arm = if at.x > 0.0 { ARM_L } else { ARM_R };
        weights.push_row([(SPINE as u16, 1.0 - part), (arm as u16, part)]);
    }
    let mut rolled = skeleton();
    rolled.bones[ARM_R].roll_deg = 77.0;
    for (skeleton, error) in [(skeleton(), 1e-5), (rolled, 1e-4)] {
        let mut session = session_on(skeleton);
        let mut scene = session.scene().clone();
        let mesh = Arc::make_mut(scene.skinned_meshes.get_mut(MESH).unwrap());
        (mesh.surface, mesh.weights) = (Arc::new(surface.clone()), Arc::new(weights.clone()));
        session = Session::new(scene, None);
        session.set_symmetric(true);
        let mut random = Random::new(3);
        for _ in 0..50 {
            let (mesh, bone, pose_deg) = (MESH.into(), ARM_L, random.vec3(170.0));
            apply(&mut session, &[Command::set_bone(mesh, bone, "pose", pose_deg)]);
            let settings = Settings { ik: None, ..Settings::default() };
            let evaluated = Evaluator::default().evaluate(session.scene(), &settings);
            let skinned = &evaluated.skinned[MESH].positions;
            for (v, at) in positions.iter().enumerate() {
                let flip = |p: Vec3| p * Vec3::new(-1.0, 1.0, 1.0);
                let other = positions.iter().position(|p| *p == flip(*at)).unwrap();
                assert!(flip(skinned[v]).distance(skinned[other]) <= error, "{pose_deg}");
            }
        }
    }
}
