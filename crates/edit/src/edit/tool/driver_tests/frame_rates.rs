//! A drag gives the same result for any number of frames, and at whichever points the pointer was sampled.

use super::*;
use crate::edit::command::Command;
use crate::edit::select::selection::Selection;
use crate::io::examples::Example;
use crate::math::bounds::Bounds;
use crate::math::camera::Viewport;
use crate::rig::body;
use crate::rig::ik;
use crate::rig::kinematics::{current_pose, tips};
use crate::scene::Scene;

const SIZE: Vec2 = Vec2::new(800.0, 600.0);

fn human() -> Scene {
    Example::Human.read().unwrap().0
}

/// The human seen from the front, with auto-key on and a handle on each of these bones that pulls its limb.
fn pulled(bones: &[&str]) -> (Pointer, Vec<Vec3>) {
    let scene = human();
    let (mesh, skinned) = scene.skinned_meshes.iter().next().unwrap();
    let (mesh, skeleton) = (mesh.clone(), skinned.skeleton.clone());
    let tails = tips(&skeleton, &current_pose(&skeleton));
    let tails: Vec<Vec3> = tails.iter().map(|tail| tail.as_vec3()).collect();
    let mut session = Session::new(scene.clone(), None);
    let mut grips = Vec::new();
    for (handle, name) in bones.iter().enumerate() {
        let bone = skeleton.bones.iter().position(|bone| bone.name.as_deref() == Some(*name)).unwrap();
        grips.push(tails[bone]);
        let chain = Some(body::limb::limb(&skeleton, bone));
        let mesh = mesh.clone();
        session
            .apply(&[
                Command::AddHandle { mesh: mesh.clone(), bone },
                Command::set_handle(mesh.clone(), handle, "chain", chain),
                Command::set_handle(mesh, handle, "enabled", true),
            ])
            .unwrap();
    }
    session.set_auto_key(true);
    let selection = Selection::from_mesh(session.scene(), &mesh);
    session.select(selection);
    let mut camera = ViewCamera::default();
    let bounds = Bounds::from_points(tails.iter().copied());
    camera.frame(&bounds, SIZE);
    let mut pointer = Pointer::new(session, Tab::Animate, Viewport { camera, size: SIZE, covered_top: 0.0 });
    pointer.ik = Some(ik::Options::default());
    (pointer, grips)
}

/// The file, and the displayed angles.
fn outcome(pointer: &mut Pointer) -> (Vec<u8>, Vec<Vec3>) {
    let shown = pointer.evaluated();
    let skeleton = &shown.skinned.values().next().unwrap().skeleton;
    let pose = skeleton.bones.iter().map(|bone| bone.pose_deg).collect();
    (bytes(pointer), pose)
}

#[test]
fn a_dragged_hand_and_foot_end_the_same_at_any_frame_rate() {
    let dragged = |frames: usize, shake: f32| {
        let (mut p, grips) = pulled(&["hand.L", "foot.R"]);
        for (grip, offset) in grips.iter().zip([Vec2::new(-90.0, -80.0), Vec2::new(20.0, -60.0)]) {
            let from = p.pixel(*grip);
            p.press(from);
            for frame in 1..=frames {
                let part = frame as f32 / frames as f32;
                // A different path in between, which returns to the same end.
                let aside = Vec2::new(shake, -shake) * (std::f32::consts::PI * part).sin();
                p.move_to(from + offset * part + if frame < frames { aside } else { Vec2::ZERO });
            }
            p.release();
        }
        assert_eq!(p.steps().len(), 2 + 2, "{:?}", p.steps());
        outcome(&mut p)
    };
    let once = dragged(1, 0.0);
    assert!(once.1.iter().filter(|angles| **angles != Vec3::ZERO).count() > 3);
    for (frames, shake) in [(7, 40.0), (24, 0.0), (60, 25.0), (240, -60.0)] {
        assert!(dragged(frames, shake) == once, "{frames} frames");
    }
}
