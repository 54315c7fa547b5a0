//! Bodies that are upright along z, or look along x: they are posed like those that are upright along y and look along z.

use super::Desk;
use glam::{DVec3, Mat3, Quat, Vec3};
use ossature::edit::action::Action;
use ossature::edit::command::Command;
use ossature::edit::request::Request;
use ossature::edit::select::selection::Selection;
use ossature::edit::session::Session;
use ossature::edit::settings::view::Tab;
use ossature::rig::body::feet::feet;
use ossature::rig::edits::roll::roll_toward;
use ossature::rig::kinematics::rotation_axes;
use ossature::rig::limits::humanoid;
use ossature::rig::skeleton::Skeleton;
use std::sync::Arc;

/// Turns to the axes of a body, given as what x, y and z become: of glTF exports with z up, and of `CesiumMan`.
const TURNS: [Mat3; 3] = [
    Mat3::from_cols(Vec3::X, Vec3::Z, Vec3::NEG_Y),
    Mat3::from_cols(Vec3::Y, Vec3::Z, Vec3::X),
    Mat3::from_cols(Vec3::NEG_X, Vec3::Y, Vec3::NEG_Z),
];

/// Turns a skeleton in its bind pose, with the local axes of its bones.
fn turn(skeleton: &mut Skeleton, by: Mat3) {
    skeleton.base = by * skeleton.base;
    for bone in &mut skeleton.bones {
        let [x, ..] = rotation_axes(bone).map(|axis| by.as_dmat3() * axis);
        bone.extent = by * bone.extent;
        bone.roll_deg = roll_toward(bone.extent, x).unwrap() as f32;
    }
}

fn desk(by: Mat3) -> Desk {
    let mut desk = Desk::new(Tab::Animate);
    let mut scene = desk.session.scene().clone();
    let mesh = Arc::make_mut(scene.skinned_meshes.get_mut(&desk.mesh).unwrap());
    turn(Arc::make_mut(&mut mesh.skeleton), by);
    desk.session = Session::new(scene, None);
    desk.session.select(Selection::from_mesh(desk.session.scene(), &desk.mesh));
    desk.evaluate();
    desk
}

#[test]
fn feet_and_limits_are_found_in_a_turned_body() {
    for by in TURNS {
        let mut upright = Desk::new(Tab::Animate).stored().clone();
        let mut turned = upright.clone();
        turn(&mut turned, by);
        assert_eq!(feet(&turned), feet(&upright));
        let all: Vec<usize> = (0..upright.bones.len()).collect();
        for skeleton in [&mut upright, &mut turned] {
            skeleton.bones.iter_mut().for_each(|bone| bone.limits_deg = Default::default());
            assert!(humanoid::apply(skeleton, &all) > 10);
        }
        for (bone, (upright, turned)) in upright.bones.iter().zip(&turned.bones).enumerate() {
            let values = |bone: &ossature::rig::skeleton::Bone| (bone.limits_deg, bone.preferred_deg);
            assert_eq!(values(upright), values(turned), "bone {bone}");
        }
    }
}

/// The feet are pinned, not the hands, and the body keeps its balance when a hand leads it down.
#[test]
fn a_turned_body_is_posed_like_an_upright_one() {
    let posed = |by: Mat3| {
        let mut desk = desk(by);
        desk.select_bone("hand.R");
        desk.act(Action::ADD_BODY_IK);
        let hand = desk.bone("hand.R") as u32;
        let handle = desk.stored().handles.iter().position(|handle| handle.bone == hand);
        let moved = by * Vec3::new(-0.45, 0.5, 1.1);
        let command = Command::set_handle(desk.mesh.clone(), handle.unwrap(), "target", moved);
        desk.apply(vec![command]);
        desk
    };
    let upright = posed(Mat3::IDENTITY);
    let rest = Desk::new(Tab::Animate).tips();
    assert!(super::farthest(&upright.tips(), &rest) > 0.5);
    for by in TURNS {
        let turned = posed(by);
        let pinned = |desk: &Desk| {
            let handles = desk.stored().handles.iter().filter(|handle| handle.pinned);
            handles.map(|handle| desk.stored().bone_name(handle.bone as usize)).collect::<Vec<_>>()
        };
        assert_eq!(pinned(&turned), ["foot.L", "foot.R"]);
        let expected: Vec<DVec3> = upright.tips().iter().map(|tip| by.as_dmat3() * *tip).collect();
        let apart = super::farthest(&turned.tips(), &expected);
        assert!(apart < 0.02, "{by}: {apart}");
    }
}

/// Checks that a turned body does what an upright one does, within a hundredth of its height: to the axes of other files, and
/// by 30° about the vertical.
fn is_turned_along(what: &str, done: impl Fn(&mut Desk, Mat3)) {
    let after = |by: Mat3| {
        let mut desk = desk(by);
        done(&mut desk, by);
        desk.tips()
    };
    let upright = after(Mat3::IDENTITY);
    assert!(super::farthest(&upright, &Desk::new(Tab::Animate).tips()) > 0.3, "{what}: nothing moved");
    for by in TURNS.into_iter().chain([Mat3::from_rotation_y(0.52)]) {
        let expected: Vec<DVec3> = upright.iter().map(|tip| by.as_dmat3() * *tip).collect();
        let apart = super::farthest(&after(by), &expected);
        assert!(apart < 0.02, "{what}, {by}: {apart}");
    }
}

/// One raised arm and one bent leg, in the angles of the bones, which turn along; and the hips moved aside.
fn pose(desk: &mut Desk, by: Mat3) {
    let angles = [
        ("upper_arm.R", [70.0, 10.0, 20.0]),
        ("forearm.R", [60.0, 0.0, 0.0]),
        ("thigh.L", [-50.0, 5.0, 0.0]),
    ];
    let mesh = desk.mesh.clone();
    let mut commands: Vec<Command> = angles
        .iter()
        .map(|(bone, angles)| Command::set_bone(mesh.clone(), desk.bone(bone), "pose", Vec3::from(*angles)))
        .collect();
    commands.push(Command::set_skeleton(mesh, "base_offset", by * Vec3::new(0.3, 0.1, 0.2)));
    desk.apply(commands);
}

#[test]
fn poses_of_turned_bodies_are_mirrored() {
    is_turned_along("a pasted pose", |desk, by| {
        pose(desk, by);
        desk.carry_out(Request::Act(Action::SELECT_ALL));
        desk.carry_out(Request::Act(Action::COPY_POSE));
        desk.act(Action::PASTE_MIRRORED_POSE);
    });
    is_turned_along("symmetry", |desk, by| {
        desk.session.set_symmetric(true);
        pose(desk, by);
    });
    is_turned_along("a pasted handle", |desk, by| {
        desk.select_bone("hand.L");
        desk.act(Action::ADD_LIMB_IK);
        let target = desk.handle(0).target + by * Vec3::new(-0.3, 0.6, 0.5);
        let mut commands = vec![Command::set_handle(desk.mesh.clone(), 0, "target", target)];
        let turned = Quat::from_mat3(&by) * Quat::from_rotation_z(0.4) * Quat::from_mat3(&by).inverse();
        let orientation = Some(ossature::rig::skeleton::Orientation::new(turned, 1.0));
        commands.push(Command::set_handle(desk.mesh.clone(), 0, "orientation", orientation));
        desk.apply(commands);
        desk.carry_out(Request::Act(Action::SELECT_ALL));
        desk.carry_out(Request::Act(Action::COPY_POSE));
        desk.act(Action::PASTE_MIRRORED_POSE);
    });
    is_turned_along("a drag of both hands", |desk, by| {
        desk.session.set_symmetric(true);
        desk.apply(super::pull::pulled(desk, "hand.L", false, by * Vec3::new(-0.4, 0.7, 0.8)));
    });
}

/// An edit of one side is repeated on the other, and a missing side is made.
#[test]
fn bones_of_turned_bodies_are_mirrored() {
    is_turned_along("a moved tail", |desk, by| {
        desk.session.set_symmetric(true);
        let bone = desk.bone("hand.R");
        let extent = desk.stored().bones[bone].extent + by * Vec3::new(-0.4, 0.2, 0.3);
        desk.apply(vec![Command::MoveTip { mesh: desk.mesh.clone(), bone, extent }]);
    });
    let arms = |by: Mat3| {
        let mut desk = desk(by);
        let bone = desk.bone("upper_arm.R");
        desk.apply(vec![Command::DeleteSubtrees { mesh: desk.mesh.clone(), bones: vec![bone] }]);
        let missing = desk.stored().bones.len();
        let bones: Vec<usize> = (0..missing).collect();
        desk.apply(vec![Command::MirrorBones { mesh: desk.mesh.clone(), bones, axis: None }]);
        assert!(desk.stored().bones.len() > missing);
        let names = ["upper_arm.R", "hand.R"].map(|name| desk.bone(name));
        let tips = desk.tips();
        names.map(|bone| tips[bone])
    };
    let upright = arms(Mat3::IDENTITY);
    for by in TURNS {
        let expected = upright.map(|tip| by.as_dmat3() * tip);
        assert!(super::farthest(&arms(by), &expected) < 1e-3, "{by}");
    }
}
