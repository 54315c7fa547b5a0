//! What no skeleton is fitted into: several bodies, what has no inside, bones that would lie outside. The error says what to do.

use crate::bodies::{Human, with_positions};
use crate::running::*;
use glam::{Vec2, Vec3};
use ossature::edit::command::{Command, Surface};
use ossature::io::obj::{Object, write};
use ossature::mesh::halfedge::HalfedgeMesh;
use ossature::mesh::primitives::{self, Primitive};
use ossature::mesh::soup::Polygons;
use ossature::rig::fit::{Body, FitError, Options, Template, fit, fit_best};
use ossature::scene::Scene;
use std::path::Path;
use std::sync::Arc;

fn joined(pieces: &[HalfedgeMesh]) -> HalfedgeMesh {
    let (mut positions, mut faces) = (Vec::new(), Vec::new());
    for piece in pieces {
        let first = positions.len() as u32;
        positions.extend_from_slice(piece.positions());
        faces.extend(piece.triangles().iter().map(|face| face.map(|corner| first + corner).to_vec()));
    }
    HalfedgeMesh::from_polygons(positions, &faces, None).unwrap()
}

fn moved(surface: &HalfedgeMesh, scale: f32, offset: Vec3) -> HalfedgeMesh {
    let positions = surface.positions().iter().map(|point| scale * *point + offset);
    with_positions(surface, positions.collect())
}

fn save(path: &Path, objects: &[(&str, &HalfedgeMesh)]) -> String {
    let polygons: Vec<Polygons> = objects.iter().map(|(_, surface)| Polygons::new(surface)).collect();
    let objects = objects.iter().zip(&polygons);
    let objects: Vec<Object> = objects.map(|((name, _), polygons)| Object { name, polygons }).collect();
    std::fs::write(path, write("", &objects).unwrap()).unwrap();
    path.display().to_string()
}

/// Two humans side by side, and a child behind one; but not one with a ball and a shield beside it.
#[test]
fn two_bodies_are_not_fitted_as_one() {
    let human = HalfedgeMesh::clone(&Human::new().surface);
    let other = moved(&human, 1.0, 6.0 * Vec3::X);
    let child = moved(&human, 0.5, -4.0 * Vec3::Z);
    for (pieces, count) in [
        (vec![human.clone(), other.clone()], 2),
        (vec![child.clone(), human.clone()], 2),
        (vec![human.clone(), child, other.clone()], 3),
    ] {
        match Body::from_surface(&joined(&pieces)) {
            Err(FitError::Several(places)) => assert_eq!(places.len(), count),
            found => panic!("{found:?}"),
        }
    }
    let ball = moved(&primitives::uv_sphere(0.6, 24, 16).unwrap(), 1.0, Vec3::new(4.0, 2.0, 0.0));
    let shield = moved(&primitives::cuboid(Vec3::new(2.0, 2.5, 0.2)).unwrap(), 1.0, 1.5 * Vec3::Z);
    assert!(Body::from_surface(&joined(&[human.clone(), ball, shield])).is_ok());
    let folder = Folder::new();
    let two = save(&folder.path("two.obj"), &[("One", &human), ("Other", &other)]);
    for command in ["fit", "walk"] {
        let (error, _) = bad(&[command, &two, "-o", &folder.out("out.js3d")]);
        for part in ["two.obj", "2 bodies stand apart", "about 5.99 2.8", "a file of its own"] {
            assert!(error.contains(part), "{error}");
        }
    }
}

/// Pins that lead out of the body are no skeleton, and what is not pinned yet is asked for.
#[test]
fn bones_outside_of_the_body_are_an_error() {
    let human = Human::new();
    let body = Body::from_surface(&human.surface).unwrap();
    let template = Template::named("humanoid").unwrap();
    let names = ["ankle.L", "ankle.R", "wrist.L", "wrist.R", "head"];
    let place = |index: usize| Vec3::new(4.0, 0.5 * index as f32, 0.0);
    let pins: Vec<(String, Vec3)> =
        names.iter().enumerate().map(|(index, name)| (name.to_string(), place(index))).collect();
    let refused = |pins: &[(String, Vec3)]| {
        let options = Options { pins: pins.to_vec(), front: Some(Vec3::Z), ..Options::default() };
        fit(&body, &template, &options).unwrap_err()
    };
    let error = refused(&pins);
    let FitError::Outside { outside, bones, joints } = &error else { panic!("{error}") };
    assert!(2 * outside > *bones && joints.contains(&"hips".to_owned()), "{error}");
    assert_eq!(error.missing(), joints);
}

/// A joint may be beside the body, but not many heights away from it.
#[test]
fn pins_far_from_the_body_are_an_error() {
    let human = Human::new();
    let body = Body::from_surface(&human.surface).unwrap();
    let pinned = |x: f32| {
        let pins = vec![("wrist.L".to_owned(), Vec3::new(x, 3.0, 0.1))];
        fit_best(&body, &Options { pins, ..Options::default() })
    };
    assert!(pinned(3.0).is_ok());
    assert!(matches!(pinned(100.0), Err(FitError::Far { name, .. }) if name == "wrist.L"));
    let folder = Folder::new();
    let file = save(&folder.path("body.obj"), &[("Body", &human.surface)]);
    for command in ["fit", "walk"] {
        let (error, _) = bad(&[command, &file, "-o", &folder.out("out.js3d"), "--at", "wrist.L=100,3,0.1"]);
        for part in ["body.obj", "“wrist.L” is pinned at about 100 3 0, far from the body", "near it"] {
            assert!(error.contains(part), "{error}");
        }
    }
}

#[test]
fn the_commands_say_what_to_do() {
    let folder = Folder::new();
    let out = folder.out("out.js3d");
    let plate = HalfedgeMesh::from_polygons(
        vec![Vec3::ZERO, Vec3::X, Vec3::X + Vec3::Y, Vec3::Y],
        &[vec![0, 1, 2, 3]],
        None,
    )
    .unwrap();
    let plate = save(&folder.path("plate.obj"), &[("Plate", &plate)]);
    let cube = save(&folder.path("cube.obj"), &[("Cube", &primitives::cuboid(Vec3::ONE).unwrap())]);
    for (file, parts) in [
        (plate, ["plate.obj", "flat or open", "closed"]),
        (cube, ["cube.obj", "limbs are not to be seen", "--at ankle"]),
    ] {
        let (error, _) = bad(&["fit", &file, "-o", &out]);
        for part in parts {
            assert!(error.contains(part), "{error}");
        }
    }
}

/// The card of a lamp above the body, as in a scene for a renderer: it stays a mesh.
#[test]
fn a_card_above_the_body_gets_no_bones() {
    let folder = Folder::new();
    let mut scene = Scene::default();
    let card = Primitive::Plane { size: Vec2::splat(1.5), divisions: [1, 1] }.build().unwrap();
    let card = moved(&card, 1.0, 9.0 * Vec3::Y);
    for (name, surface) in [("Body", &*Human::new().surface), ("Card", &card)] {
        let surface = Surface::Built(Arc::new(surface.clone()));
        Command::AddMesh { name: name.into(), surface, skinned: false }.apply(&mut scene).unwrap();
    }
    let (file, out) = (folder.write("scene.js3d", &scene), folder.path("rigged.js3d"));
    let output = run(&["fit", &file, "-o", &out.display().to_string()]);
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success() && told.contains("“Card” is flat and beside the body"), "{told}");
    let rigged = read(&out);
    assert_eq!(rigged.meshes["Card"].surface.positions(), card.positions());
    assert!(rigged.skinned_meshes["Body"].skeleton.bones.len() > 20);
}
