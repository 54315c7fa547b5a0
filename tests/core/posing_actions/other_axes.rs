//! Bodies that are upright along z, or look along x: they are posed like those that are upright along y and look along z.

use super::Desk;
use glam::{DVec3, Mat3, Vec3};
use ossature::edit::action::Action;
use ossature::edit::command::Command;
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
