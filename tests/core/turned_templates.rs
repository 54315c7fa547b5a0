//! Skeletons that face anywhere, and have no names, as templates: what they are fitted into walks towards its toes.

use glam::{DVec3, Mat3, Vec3};
use ossature::edit::command::{Command, Surface};
use ossature::edit::fitting::rigging;
use ossature::edit::motions::{Choice, add};
use ossature::io::gltf::read::read;
use ossature::io::import::ImportOptions;
use ossature::rig::body::axes::BodyAxes;
use ossature::rig::body::feet::feet;
use ossature::rig::fit::{Body, Options, Template, fit};
use ossature::rig::kinematics::{bind_tips, parent_of, tips};
use ossature::rig::skeleton::Skeleton;
use ossature::scene::Scene;
use ossature::scene::evaluate::{Evaluator, Settings};
use std::sync::Arc;

const MESH: &str = "Body";

/// A skeleton turned about the origin, without names. `toes`: the length of the toes, as a multiple; negative ones point back.
fn turned(skeleton: &Skeleton, turn: Mat3, toes: f32) -> Skeleton {
    let mut skeleton = skeleton.clone();
    skeleton.base = turn * skeleton.base;
    for bone in &mut skeleton.bones {
        let is_toe = bone.name.as_deref().is_some_and(|name| name.starts_with("toes"));
        bone.extent = turn * (if is_toe { toes } else { 1.0 } * bone.extent);
        bone.name = None;
    }
    skeleton
}

/// Asserts that the human, with a skeleton of this template, walks to its front (+z), where its toes point.
fn walks_forwards(human: &crate::bodies::Human, template: &Template, name: &str) {
    let mut scene = Scene::default();
    let surface = Surface::Built(human.surface.clone());
    Command::AddMesh { name: MESH.into(), surface, skinned: true }.apply(&mut scene).unwrap();
    let body = Body::from_surface(&human.surface).unwrap();
    let found = fit(&body, template, &Options::default()).unwrap();
    assert_eq!(found.axes(), [Vec3::Y, Vec3::Z], "{name}");
    for command in rigging(&scene, MESH, &found, &|_| true).unwrap().commands {
        command.apply(&mut scene).unwrap();
    }
    let skeleton = Arc::clone(&scene.skinned_meshes[MESH].skeleton);
    let choice = Choice { motion: "walk", travels: true, ..Choice::default() };
    for command in add(&scene, MESH, &choice).unwrap_or_else(|why| panic!("{name}: {why}")).0 {
        command.apply(&mut scene).unwrap();
    }
    assert_eq!(BodyAxes::new(&skeleton).front, DVec3::Z, "{name}");
    let [first, last] = scene.animation.takes.list[0].range;
    let mut evaluator = Evaluator::default();
    let [start, end] = [first, last].map(|frame| {
        let settings = Settings { frame: Some(frame as f32), ..Settings::default() };
        let posed = evaluator.evaluate(&scene, &settings).skinned[MESH].clone();
        tips(&posed.skeleton, &posed.current)
    });
    let bind = bind_tips(&skeleton);
    let feet = feet(&skeleton);
    assert_eq!(feet.len(), 2, "{name}");
    for foot in feet {
        let ankle = bind[parent_of(&skeleton, foot.bone).unwrap()];
        let toes = bind[*foot.bones.last().unwrap()] - ankle;
        let way = end[foot.bone] - start[foot.bone];
        assert!(toes.z > 0.03 * 5.5 && way.z > 0.3 * 5.5, "{name}: toes {toes}, way {way}");
    }
}

#[test]
fn characters_that_face_anywhere_are_templates_of_ones_that_walk_forwards() {
    let human = crate::bodies::Human::new();
    let axes = [
        (Vec3::Y, Vec3::Z),
        (Vec3::Y, Vec3::NEG_Z),
        (Vec3::Y, Vec3::X),
        (Vec3::Z, Vec3::NEG_Y),
        (Vec3::Z, Vec3::X),
        // On its back, and on its face.
        (Vec3::Z, Vec3::Y),
        (Vec3::NEG_Z, Vec3::Y),
        (Vec3::NEG_Z, Vec3::NEG_Y),
    ];
    for (up, front) in axes {
        let turn = Mat3::from_cols(up.cross(front), up, front);
        // Tails of toes are guesses of importers.
        for toes in [1.0, -1.1] {
            let template = Template::from_skeleton("turned", &turned(&human.skeleton, turn, toes));
            walks_forwards(&human, &template, &format!("up {up}, front {front}, toes {toes}"));
        }
    }
}

/// `CesiumMan`, whose toes have axes that are turned by half a turn against those of its feet.
#[test]
#[ignore = "reads public files: set OSSATURE_CORPUS to their folder"]
fn a_public_character_is_a_template() {
    let file = crate::support::corpus_root().join("gltf/khronos/CesiumMan.gltf");
    let bytes = std::fs::read(&file).unwrap();
    let scene = read(&bytes, file.parent(), &ImportOptions::default()).unwrap().scene;
    let template = Template::from_skeleton("man", &scene.skinned_meshes.values().next().unwrap().skeleton);
    walks_forwards(&crate::bodies::Human::new(), &template, "CesiumMan");
}
