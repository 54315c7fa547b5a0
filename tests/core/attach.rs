//! Attaching a prop to a bone: it is picked up, carried, and put down, by keys of its transform.

use glam::{DAffine3, Quat, Vec3};
use ossature::edit::session::Session;
use ossature::edit::time::attach::{Attachment, attach, characters, nearest_bone};
use ossature::io::js3d;
use ossature::rig::kinematics::current_pose;
use ossature::scene::Scene;
use ossature::scene::apply_animation::animate;
use ossature::scene::instance::{GeometryInstance, InstanceKind, InstanceRef};
use ossature::scene::resource::Transform;
use ossature::scene::solve::solve_ik;
use ossature::scene::world::world_matrix;
use std::sync::Arc;

const TRANSFORM: &str = "Cup place";

/// The walking human, and a cup on a table that is turned and scaled.
fn scene() -> Scene {
    let bytes = std::fs::read("media/js3d/A4-human-walk.js3d").unwrap();
    let mut scene = js3d::read(&bytes).unwrap().0;
    let table = Transform {
        translation: Vec3::new(1.0, 2.0, 0.5),
        rotation: Quat::from_rotation_y(0.7),
        scale: Vec3::splat(2.0),
        ..Transform::default()
    };
    let cup = Transform { parent: Some("Table".into()), translation: Vec3::Y, ..Transform::default() };
    scene.transforms.insert("Table".into(), Arc::new(table));
    scene.transforms.insert(TRANSFORM.into(), Arc::new(cup));
    let instance = GeometryInstance { transform: Some(TRANSFORM.into()), ..GeometryInstance::default() };
    scene.instances.meshes.insert("Cup".into(), Arc::new(instance));
    scene
}

fn cup() -> InstanceRef {
    InstanceRef { kind: InstanceKind::Mesh, name: "Cup".into() }
}

fn attachment(scene: &Scene, bone: &str, frames: [u32; 2]) -> Attachment {
    let character = characters(scene, &cup()).remove(0);
    let mesh = scene.instances.skinned_meshes[&character].resource.as_ref().unwrap();
    let skeleton = &scene.skinned_meshes[mesh].skeleton;
    let bone = (0..skeleton.bones.len()).find(|&index| skeleton.bone_name(index) == bone).unwrap();
    Attachment { character, bone, frames, ik: Some(Default::default()) }
}

/// Returns the world matrices of the bone and of the cup at a frame.
fn placed(scene: &Scene, to: &Attachment, frame: f32) -> [DAffine3; 2] {
    let driven = animate(scene, frame);
    let character = &driven.instances.skinned_meshes[&to.character];
    let skeleton = &driven.skinned_meshes[character.resource.as_ref().unwrap()].skeleton;
    let solved = solve_ik(skeleton, &Default::default()).0;
    let world = world_matrix(&driven, character.transform.as_deref());
    [world * current_pose(&solved)[to.bone], world_matrix(&driven, Some(TRANSFORM))]
}

#[test]
fn a_prop_is_picked_up_carried_and_put_down() {
    let mut session = Session::new(scene(), None);
    let to = attachment(session.scene(), "hand.L", [5, 18]);
    let before = placed(session.scene(), &to, 0.0)[1];
    session.apply(&attach(session.scene(), &cup(), &to).unwrap()).unwrap();
    assert_eq!(session.history().undo_label(), Some("Attach Cup place"));
    let at = |frame| placed(session.scene(), &to, frame);
    let near = |a: DAffine3, b: DAffine3| a.abs_diff_eq(b, 1e-4);
    assert!(near(at(0.0)[1], before) && near(at(5.0)[1], before), "on the table until it is picked up");
    let [bone, prop] = at(5.0);
    let prop_from_bone = bone.inverse() * prop;
    for frame in [6.0, 9.0, 14.0, 18.0] {
        let [bone, prop] = at(frame);
        assert!(near(prop, bone * prop_from_bone), "in the hand at {frame}");
    }
    assert!(at(12.0)[1].translation.distance(before.translation) > 0.05, "the hand moves");
    assert!(near(at(30.0)[1], at(18.0)[1]), "where it was put down");
    // Again, over fewer frames: the keys between are replaced.
    let keys = |session: &Session| session.scene().animation.channels[TRANSFORM]["translation"].key_count();
    assert_eq!(keys(&session), 14);
    session.apply(&attach(session.scene(), &cup(), &to).unwrap()).unwrap();
    assert_eq!(keys(&session), 14);
}

#[test]
fn the_nearest_bone_is_offered_and_what_makes_no_sense_refused() {
    let mut scene = scene();
    let mut to = attachment(&scene, "hand.R", [0, 10]);
    let character = scene.instances.skinned_meshes[&to.character].resource.clone().unwrap();
    let extent = scene.skinned_meshes[&character].skeleton.bones[to.bone].extent.as_dvec3();
    let hand = placed(&scene, &to, 0.0)[0].transform_point3(0.5 * extent).as_vec3();
    let cup_place = Transform { translation: hand, ..Transform::default() };
    scene.transforms.insert(TRANSFORM.into(), Arc::new(cup_place));
    assert_eq!(nearest_bone(&scene, &cup(), &to, 0.0), to.bone);
    to.frames = [10, 9];
    assert!(attach(&scene, &cup(), &to).is_err());
    to.frames = [0, 9];
    to.bone = 999;
    assert!(attach(&scene, &cup(), &to).is_err());
    // A prop that carries the character cannot be attached to it.
    let character = scene.instances.skinned_meshes[&to.character].transform.clone().unwrap();
    let carried = Transform { parent: Some(TRANSFORM.into()), ..(*scene.transforms[&character]).clone() };
    scene.transforms.insert(character, Arc::new(carried));
    assert!(characters(&scene, &cup()).is_empty());
}
