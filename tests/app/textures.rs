//! Textures on surfaces in pictures: the right colours at the right places, also while the surface moves.

use super::support::*;
use base64::Engine;
use bevy::prelude::{Assets, DetectChanges};
use bevy::render::storage::ShaderBuffer;
use glam::{Vec2, Vec3};
use ossature::edit::command::Command;
use ossature::edit::render::{Background, Format, Overlays, RenderSettings, Viewpoint};
use ossature::edit::select::selection::Selection;
use ossature::editor::render::{Job, Renderer};
use ossature::math::camera::AxisView;
use ossature::mesh::halfedge::HalfedgeMesh;
use ossature::rig::skeleton::{Bone, Skeleton};
use ossature::rig::weights::VertexWeights;
use ossature::scene::Scene;
use ossature::scene::instance::GeometryInstance;
use ossature::scene::parts::{self, Part};
use ossature::scene::resource::{Material, MaterialKind, Texture, TextureKind};
use ossature::scene::skinned::SkinnedMesh;
use std::path::PathBuf;
use std::sync::Arc;

const SIDE: u32 = 64;
const COLORS: [[f32; 3]; 4] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 1.0, 1.0]];

/// Returns an image of two by two pixels, the lowest row first: red, green; blue, white.
fn four_colors() -> String {
    let mut raw = b"rawf".to_vec();
    raw.extend([2_u32, 2].iter().flat_map(|side| side.to_le_bytes()));
    raw.extend(COLORS.iter().flatten().flat_map(|value| value.to_le_bytes()));
    format!("hdr64:{}", base64::engine::general_purpose::STANDARD_NO_PAD.encode(raw))
}

/// Returns a square on one bone, facing the front view, with a texture.
fn square(image: &str) -> Scene {
    let corners = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]].map(Vec2::from);
    let positions = corners.map(|at| at.extend(0.0)).to_vec();
    let uvs = corners.map(|at| at * 0.5 + 0.5).to_vec();
    let surface = HalfedgeMesh::from_polygons(positions, &[vec![0, 1, 2, 3]], Some(&[uvs])).unwrap();
    let bone = Bone { extent: Vec3::Y, ..Bone::default() };
    let skinned = SkinnedMesh {
        surface: Arc::new(surface),
        weights: Arc::new(VertexWeights { ends: vec![1, 2, 3, 4], bones: vec![0; 4], weights: vec![1.0; 4] }),
        skeleton: Arc::new(Skeleton { bones: vec![bone], ..Skeleton::default() }),
        ..SkinnedMesh::default()
    };
    let (sampler, image) = ("nearest".to_owned(), image.into());
    let albedo = Some("Picture".to_owned());
    let mut scene = Scene::default();
    let texture = Texture::from(TextureKind::Image { sampler, image });
    let material = Material::from(MaterialKind::Lambertian { albedo });
    let placed = GeometryInstance {
        resource: Some(MESH.into()),
        material: Some("Cloth".into()),
        ..GeometryInstance::default()
    };
    scene.textures.insert("Picture".into(), Arc::new(texture));
    scene.materials.insert("Cloth".into(), Arc::new(material));
    scene.skinned_meshes.insert(MESH.into(), Arc::new(skinned));
    scene.instances.skinned_meshes.insert("Square".into(), Arc::new(placed));
    scene
}

fn renderer(scene: Scene, path: Option<PathBuf>) -> Renderer {
    let job = Job {
        scene,
        path,
        settings: RenderSettings {
            frames: [0, 10],
            step: 1,
            size: [SIDE, SIDE],
            eye: Viewpoint::Framed(Some(AxisView::Front)),
            background: Background::default(),
            overlays: Overlays::default(),
            format: Format::Png,
            output: "unused".into(),
        },
        selection: Selection::default(),
        ik: None,
        xray: false,
        bone_look: Default::default(),
    };
    Renderer::new(&job, false)
}

/// Returns the colours near the middle: [lower left, lower right, upper left, upper right].
fn quarters(renderer: &mut Renderer, frame: u32) -> [[u8; 3]; 4] {
    let picture = renderer.frame(frame).unwrap();
    let (near, far) = (SIDE / 2 - 6, SIDE / 2 + 6);
    [[near, far], [far, far], [near, near], [far, near]].map(|[x, y]| {
        let at = 4 * (y * SIDE + x) as usize;
        [picture.rgba[at], picture.rgba[at + 1], picture.rgba[at + 2]]
    })
}

/// Returns which of the four colours it is, from the channels that are bright.
fn named(color: [u8; 3]) -> Option<usize> {
    let bright = color.map(|channel| if channel > 110 { 1.0 } else { 0.0 });
    COLORS.iter().position(|of| *of == bright)
}

#[test]
fn a_picture_lies_where_its_coordinates_say_and_turns_with_the_skin() {
    let Some(_turn) = Turn::take() else { return };
    let mut scene = square(&four_colors());
    let seen = quarters(&mut renderer(scene.clone(), None), 0);
    assert_eq!(seen.map(named), [0, 1, 2, 3].map(Some), "{seen:?}");
    // A quarter turn about z: the lower left corner is at the lower right.
    let (mesh, bone, pose_deg) = (MESH.to_owned(), 0, Vec3::ZERO.with_z(90.0));
    let pose = Command::set_bone(mesh, bone, "pose", pose_deg);
    pose.apply(&mut scene).unwrap();
    let seen = quarters(&mut renderer(scene, None), 0);
    assert_eq!(seen.map(named), [2, 0, 3, 1].map(Some), "{seen:?}");
}

#[test]
fn files_are_shown_and_missing_ones_are_a_checker() {
    let Some(_turn) = Turn::take() else { return };
    let folder = tempfile::tempdir().unwrap();
    // The rows of a PNG start at the top.
    let rows = [[0, 0, 255, 255, 255, 255], [255, 0, 0, 0, 255, 0]].concat();
    let path = folder.path().join("four.png");
    image::save_buffer(&path, &rows, 2, 2, image::ColorType::Rgb8).unwrap();
    let scene_file = Some(folder.path().join("scene.js3d"));
    let seen = quarters(&mut renderer(square("four.png"), scene_file.clone()), 0);
    assert_eq!(seen.map(named), [0, 1, 2, 3].map(Some), "{seen:?}");
    std::fs::remove_file(&path).unwrap();
    let picture = renderer(square("four.png"), scene_file).frame(0).unwrap();
    let pixels = picture.rgba.chunks_exact(4);
    let magenta = pixels.filter(|p| p[0] > 90 && p[2] > 90 && p[1] < 80).count();
    assert!(magenta > 200, "{magenta} pixels of the checker");
}

/// Returns the square with another material, of one colour, on its right half.
fn in_two_parts() -> Scene {
    let mut scene = square(&four_colors());
    let corners =
        [[-1.0, -1.0], [0.0, -1.0], [1.0, -1.0], [1.0, 1.0], [0.0, 1.0], [-1.0, 1.0]].map(Vec2::from);
    let positions = corners.map(|at| at.extend(0.0)).to_vec();
    let faces = [vec![0, 1, 4, 5], vec![1, 2, 3, 4]];
    let uv = |face: &Vec<u32>| face.iter().map(|&at| corners[at as usize] * 0.5 + 0.5).collect();
    let uvs: Vec<Vec<Vec2>> = faces.iter().map(uv).collect();
    let mesh = Arc::make_mut(scene.skinned_meshes.get_mut(MESH).unwrap());
    mesh.surface = Arc::new(HalfedgeMesh::from_polygons(positions, &faces, Some(&uvs)).unwrap());
    mesh.weights =
        Arc::new(VertexWeights { ends: (1..=6).collect(), bones: vec![0; 6], weights: vec![1.0; 6] });
    let part = |material: &str| Part { material: Some(material.to_owned()), faces: 1 };
    parts::set(&mut mesh.mesh_extra, [part("Cloth"), part("Paint")]);
    let (color, scale) = (Vec3::X, 1.0);
    let red = Texture::from(TextureKind::Constant { color, scale });
    let albedo = Some("Red".to_owned());
    scene.textures.insert("Red".into(), Arc::new(red));
    let paint = Material::from(MaterialKind::Lambertian { albedo });
    scene.materials.insert("Paint".into(), Arc::new(paint));
    scene
}

#[test]
fn each_part_of_a_surface_has_its_own_material_and_moves_with_it() {
    let Some(_turn) = Turn::take() else { return };
    let mut scene = in_two_parts();
    let seen = quarters(&mut renderer(scene.clone(), None), 0);
    assert_eq!(seen.map(named), [0, 0, 2, 0].map(Some), "{seen:?}");
    let (mesh, bone, pose_deg) = (MESH.to_owned(), 0, Vec3::ZERO.with_z(90.0));
    let pose = Command::set_bone(mesh, bone, "pose", pose_deg);
    pose.apply(&mut scene).unwrap();
    let seen = quarters(&mut renderer(scene.clone(), None), 0);
    assert_eq!(seen.map(named), [2, 0, 0, 0].map(Some), "{seen:?}");
    // The instance's material replaces the materials of the parts.
    let instance = Arc::make_mut(scene.instances.skinned_meshes.get_mut("Square").unwrap());
    instance.material = Some("Other".into());
    let other = scene.materials["Paint"].clone();
    scene.materials.insert("Other".into(), other);
    let seen = quarters(&mut renderer(scene, None), 0);
    assert_eq!(seen.map(named), [Some(0); 4], "{seen:?}");
}

#[test]
fn what_moves_brings_no_texture_coordinates() {
    let Some(mut person) = Person::with_scene(960, 720, in_two_parts()) else {
        return;
    };
    person.app.frames(6);
    let changed = |person: &mut Person, since| {
        let world = person.app.world();
        let now = world.change_tick();
        let buffers = world.resource_ref::<Assets<ShaderBuffer>>().last_changed();
        buffers.is_newer_than(since, now)
    };
    let since = person.app.world().change_tick();
    for turn in 1..=6 {
        let (mesh, bone, pose_deg) = (MESH.to_owned(), 0, Vec3::ZERO.with_z(15.0 * turn as f32));
        let pose = Command::set_bone(mesh, bone, "pose", pose_deg);
        person.editor().session.apply(&[pose]).unwrap();
        person.app.frames(2);
    }
    assert!(!changed(&mut person, since));
    // The weights view needs none, so afterwards they are uploaded again.
    person.editor().settings.display.weights_view = true;
    person.app.frames(4);
    let since = person.app.world().change_tick();
    person.editor().settings.display.weights_view = false;
    person.app.frames(4);
    assert!(changed(&mut person, since));
}
