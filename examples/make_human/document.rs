//! The scene that is written: the skinned figure, its instance and transform, a plain material. No animation.

use crate::quads::QuadMesh;
use glam::{Quat, Vec3};
use ossature::mesh::halfedge::{HalfedgeMesh, MeshError};
use ossature::rig::{skeleton::Skeleton, weights::VertexWeights};
use ossature::scene::instance::GeometryInstance;
use ossature::scene::resource::{Material, MaterialKind, Texture, TextureKind, Transform};
use ossature::scene::skinned::SkinnedMesh;
use ossature::scene::{Scene, Table};
use std::sync::Arc;

/// The document's surface with smooth corner normals. Vertices keep their order.
pub fn surface(mesh: &QuadMesh) -> Result<HalfedgeMesh, MeshError> {
    let polygons: Vec<Vec<u32>> = mesh.quads.iter().map(|q| q.iter().map(|&v| v as u32).collect()).collect();
    let uvs: Vec<Vec<glam::Vec2>> = mesh.uvs.iter().map(|u| u.to_vec()).collect();
    HalfedgeMesh::from_polygons(mesh.positions.clone(), &polygons, Some(&uvs))
}

/// A scene with the figure alone. `name` begins all names; with "Human" they are those of Scotty3D's own
/// human scene. `color`: linear r, g, b.
pub fn scene(
    name: &str,
    color: Vec3,
    surface: HalfedgeMesh,
    skeleton: Skeleton,
    weights: VertexWeights,
) -> Scene {
    let called = |what: &str| format!("{name}_{what}");
    let (transform, human, skin) = (called("transform"), called("skinned_mesh"), called("material"));
    let texture = called("color");
    let figure = SkinnedMesh {
        surface: Arc::new(surface),
        weights: Arc::new(weights),
        skeleton: Arc::new(skeleton),
        ..SkinnedMesh::default()
    };
    let instance = GeometryInstance {
        transform: Some(transform.clone()),
        resource: Some(human.clone()),
        material: Some(skin.clone()),
        ..GeometryInstance::default()
    };
    let place = Transform {
        parent: None,
        translation: Vec3::ZERO,
        rotation: Quat::IDENTITY,
        scale: Vec3::ONE,
        extra: Default::default(),
    };
    let color = TextureKind::Constant { color, scale: 1.0 };
    let kind = MaterialKind::Lambertian { albedo: Some(texture.clone()) };
    let mut scene = Scene {
        transforms: one(transform, place),
        skinned_meshes: one(human, figure),
        textures: one(texture, Texture { kind: color, extra: Default::default() }),
        materials: one(skin, Material { kind, extra: Default::default() }),
        ..Scene::default()
    };
    scene.instances.skinned_meshes = one(called("instance"), instance);
    scene
}

fn one<T>(name: String, value: T) -> Table<T> {
    Table::from([(name, Arc::new(value))])
}
