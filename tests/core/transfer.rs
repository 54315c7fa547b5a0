//! Weights transferred from the other side and from another mesh: on the human, by commands and by actions.

use crate::paint::{MESH, bone, human, weights};
use crate::running::{Folder, bad, good, read};
use glam::{Mat4, Quat, Vec3};
use ossature::edit::action::Action;
use ossature::edit::command::{Command, WeightSource};
use ossature::edit::select::selection::Selection;
use ossature::edit::session::Session;
use ossature::edit::settings::view::{View, ViewSettings};
use ossature::mesh::soup::Polygons;
use ossature::rig::weights::VertexWeights;
use ossature::scene::Scene;
use ossature::scene::evaluate::Evaluated;
use ossature::scene::instance::GeometryInstance;
use ossature::scene::resource::Transform;
use std::sync::Arc;

fn take(from: WeightSource) -> Command {
    Command::TakeWeights { mesh: MESH.into(), vertices: None, from }
}

fn of(weights: &VertexWeights, vertex: usize, bone: usize) -> f32 {
    let mut row = weights.influences(vertex);
    row.find(|(of, _)| usize::from(*of) == bone).map_or(0.0, |(_, weight)| weight)
}

/// All of the left arm follows the hand; the right side is made to match.
#[test]
fn one_side_of_the_human_gets_what_the_other_has() {
    let mut scene = human();
    let [hand, other] = ["hand.L", "hand.R"].map(|name| bone(&scene, name));
    let mut mesh = (*scene.skinned_meshes[MESH]).clone();
    let mut changed = VertexWeights::none(0);
    for (vertex, place) in mesh.surface.positions().iter().enumerate() {
        match place.x > 0.9 {
            true => changed.push_row([(hand as u16, 1.0)]),
            false => changed.push_row(mesh.weights.influences(vertex)),
        }
    }
    mesh.weights = Arc::new(changed);
    scene.skinned_meshes.insert(MESH.into(), Arc::new(mesh));
    let folder = Folder::new();
    let (input, output) = (folder.write("in.js3d", &scene), folder.out("out.js3d"));
    good(&["weights", &input, "--keep", "--mirror", "left", "-o", &output]);
    let after = read(&output);
    let positions = after.skinned_meshes[MESH].surface.positions().to_vec();
    let mut right = 0;
    for (vertex, place) in positions.iter().enumerate() {
        if place.x < -0.95 {
            right += 1;
            assert!(of(weights(&after), vertex, other) > 0.99, "{place}");
        }
        if place.x > 0.01 {
            assert_eq!(weights(&after).row(vertex), weights(&scene).row(vertex), "the left side stays");
        }
    }
    assert!(right > 100, "{right}");
    // The command gives the same, to the bit.
    let mut by_command = scene.clone();
    let from = WeightSource::OtherSide { from_positive: true, most: 0 };
    take(from).apply(&mut by_command).unwrap();
    assert_eq!(weights(&by_command), weights(&after));
}

/// The same body again, without weights and with other indices, as clothes over the first.
fn dressed() -> Scene {
    let mut scene = human();
    let mut shirt = (*scene.skinned_meshes[MESH]).clone();
    shirt.weights = Arc::new(VertexWeights::none(shirt.surface.vertex_count()));
    scene.skinned_meshes.insert("Shirt".into(), Arc::new(shirt));
    scene
}

#[test]
fn clothes_get_the_weights_of_the_body() {
    let folder = Folder::new();
    let (input, output) = (folder.write("in.js3d", &dressed()), folder.out("out.js3d"));
    good(&["weights", &input, "--mesh", "Shirt", "--from", MESH, "-o", &output]);
    let after = read(&output);
    let shirt = &after.skinned_meshes["Shirt"].weights;
    assert!(shirt.sums().all(|sum| (sum - 1.0).abs() < 1e-5));
    let mut furthest = 0.0f32;
    for vertex in 0..shirt.vertex_count() {
        for (bone, weight) in weights(&after).influences(vertex) {
            furthest = furthest.max((weight - of(shirt, vertex, usize::from(bone))).abs());
        }
    }
    // Weights are those at the same place; faint ones are dropped.
    assert!(furthest < 1e-3, "{furthest}");
    let (said, _) = bad(&["weights", &input, "--mesh", "Shirt", "--from", "Cape", "-o", &output]);
    assert!(said.contains("Cape"), "{said}");
    let (said, _) = bad(&["weights", &input, "--mesh", MESH, "--from", MESH, "-o", &output]);
    assert!(said.contains("another"), "{said}");
}

/// Clothes that were made elsewhere, larger and turned, and then put on the body: positions in the world
/// count.
#[test]
fn clothes_that_were_moved_onto_the_body_take_the_right_weights() {
    let mut scene = dressed();
    let put_on = Mat4::from_scale_rotation_translation(
        Vec3::splat(0.5),
        Quat::from_rotation_y(0.7),
        Vec3::new(3.0, -1.0, 2.0),
    );
    let made = put_on.inverse();
    let mut shirt = (*scene.skinned_meshes["Shirt"]).clone();
    let polygons = Polygons::new(&shirt.surface).transformed(made);
    shirt.surface = Arc::new(polygons.build().unwrap());
    scene.skinned_meshes.insert("Shirt".into(), Arc::new(shirt));
    let (scale, rotation, translation) = put_on.to_scale_rotation_translation();
    let transform = Transform { translation, rotation, scale, ..Transform::default() };
    scene.transforms.insert("Hanger".into(), Arc::new(transform));
    for (name, resource, transform) in [("Body", MESH, None), ("Worn", "Shirt", Some("Hanger".to_owned()))] {
        let resource = Some(resource.to_owned());
        let instance = GeometryInstance { resource, transform, ..GeometryInstance::default() };
        scene.instances.skinned_meshes.insert(name.into(), Arc::new(instance));
    }
    let take = Command::TakeWeights {
        mesh: "Shirt".into(),
        vertices: None,
        from: WeightSource::Mesh { name: MESH.into() },
    };
    let body = weights(&scene).clone();
    take.apply(&mut scene).unwrap();
    let shirt = &scene.skinned_meshes["Shirt"];
    let mut furthest = 0.0f32;
    for vertex in 0..body.vertex_count() {
        for (bone, weight) in body.influences(vertex) {
            furthest = furthest.max((weight - of(&shirt.weights, vertex, usize::from(bone))).abs());
        }
    }
    assert!(furthest < 2e-3, "{furthest}");
}

#[test]
fn the_action_takes_from_the_mesh_that_is_chosen() {
    let mut session = Session::new(dressed(), None);
    let selection = Selection::from_mesh(session.scene(), "Shirt");
    session.select(selection);
    let (evaluated, settings) = (Evaluated::default(), ViewSettings::default());
    let prepared = |session: &Session| {
        Action::TRANSFER_WEIGHTS.prepare(&View { session, evaluated: &evaluated, settings: &settings })
    };
    let commands = prepared(&session).unwrap().edits().to_vec();
    let name = MESH.to_owned();
    assert_eq!(
        commands,
        [Command::TakeWeights { mesh: "Shirt".into(), vertices: None, from: WeightSource::Mesh { name } }]
    );
    session.apply(&commands).unwrap();
    assert_eq!(session.history().entries().len(), 1);
    assert!(session.scene().skinned_meshes["Shirt"].weights.unweighted_count() == 0);
    // The body itself has no source before the shirt has weights.
    let mut body = Session::new(dressed(), None);
    let selection = Selection::from_mesh(body.scene(), MESH);
    body.select(selection);
    assert_eq!(prepared(&body).err().as_deref(), Some("There is no other skinned mesh that has weights."));
}

/// The bones of one side are anywhere, and no names pair them.
#[test]
fn what_is_not_symmetric_is_not_mirrored() {
    let mut scene = human();
    let mut mesh = (*scene.skinned_meshes[MESH]).clone();
    let skeleton = Arc::make_mut(&mut mesh.skeleton);
    for (index, bone) in skeleton.bones.iter_mut().enumerate() {
        let name = bone.name.take();
        if name.is_some_and(|name| name.ends_with(".R")) {
            bone.extent = Vec3::new(0.2, 0.1 * index as f32, 0.3);
        }
    }
    scene.skinned_meshes.insert(MESH.into(), Arc::new(mesh));
    let folder = Folder::new();
    let (input, output) = (folder.write("in.js3d", &scene), folder.out("out.js3d"));
    let (said, _) = bad(&["weights", &input, "--keep", "--mirror", "left", "-o", &output]);
    assert!(said.contains("symmetric: most of its bones have no other side"), "{said}");
}

/// Files without names are like this, up along z: sides are found by the places of bones.
#[test]
fn bones_without_names_are_mirrored_by_their_places() {
    let mut scene = human();
    let turn = Quat::from_rotation_x(std::f32::consts::FRAC_PI_2)
        * Quat::from_rotation_y(std::f32::consts::FRAC_PI_2);
    let mut mesh = (*scene.skinned_meshes[MESH]).clone();
    let mut polygons = Polygons::new(&mesh.surface);
    polygons.positions.iter_mut().for_each(|place| *place = turn * *place);
    mesh.surface = Arc::new(polygons.build().unwrap());
    let skeleton = Arc::make_mut(&mut mesh.skeleton);
    skeleton.base = turn * skeleton.base;
    let sides: Vec<Option<String>> =
        skeleton.bones.iter().map(|bone| bone.name.as_deref().map(str::to_owned)).collect();
    for bone in &mut skeleton.bones {
        (bone.name, bone.extent) = (None, turn * bone.extent);
    }
    let hand = sides.iter().position(|name| name.as_deref() == Some("hand.L")).unwrap();
    let other = sides.iter().position(|name| name.as_deref() == Some("hand.R")).unwrap();
    let mut changed = VertexWeights::none(0);
    for (vertex, place) in mesh.surface.positions().iter().enumerate() {
        match place.y > 0.9 {
            true => changed.push_row([(hand as u16, 1.0)]),
            false => changed.push_row(mesh.weights.influences(vertex)),
        }
    }
    let across = |place: Vec3| (turn.inverse() * place).x;
    let is_left = mesh.surface.positions().iter().any(|place| place.y > 0.9 && across(*place) > 0.8);
    mesh.weights = Arc::new(changed);
    scene.skinned_meshes.insert(MESH.into(), Arc::new(mesh));
    let folder = Folder::new();
    let (input, output) = (folder.write("in.js3d", &scene), folder.out("out.js3d"));
    let said = good(&["weights", &input, "--keep", "--mirror", "left", "-o", &output]);
    assert!(
        is_left && said.contains("pairs of bones by position") && said.contains("in the plane y = 0"),
        "{said}"
    );
    let after = read(&output);
    let positions = after.skinned_meshes[MESH].surface.positions().to_vec();
    let right = positions.iter().enumerate().filter(|(_, place)| place.y < -0.95);
    let moved = right.map(|(vertex, place)| {
        assert!(of(weights(&after), vertex, other) > 0.99, "{place}");
    });
    assert!(moved.count() > 100);
}
