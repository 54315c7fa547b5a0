//! Joins the meshes of a body: files often keep clothes, eyes and hair as meshes of their own, and a skeleton moves one.

use super::Scene;
use super::instance::GeometryInstance;
use super::parts::{self, Part};
use super::resource::Mesh;
use super::world::world_matrix;
use crate::math::bounds::Bounds;
use crate::mesh::halfedge::MeshError;
use crate::mesh::soup::Polygons;
use crate::rig::fit::is_sheet;
use crate::rig::weights::VertexWeights;
use glam::{Mat4, Vec2, Vec3};
use std::sync::Arc;

/// The meshes of a body that were joined.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Joined {
    /// The name of the mesh that they became; empty if there were fewer than two.
    pub body: String,
    /// Their number.
    pub count: usize,
    /// The names of visible meshes that are no part of the body: flat ones, such as a floor and the card of a lamp.
    pub left_out: Vec<String>,
}

impl Joined {
    /// Says what was joined and left out, as sentences without full stops.
    pub fn messages(&self) -> Vec<String> {
        let joined = (self.count > 1)
            .then(|| format!("{} meshes were joined, so that one skeleton moves them", self.count));
        let left_out = self.left_out.iter().map(|name| {
            format!("“{name}” is flat and beside the body: it stays as it is, and no skeleton moves it")
        });
        joined.into_iter().chain(left_out).collect()
    }
}

/// Returns a scene that holds one body without a skeleton, its meshes joined, and what was; `None` for other scenes, in which
/// something moves or nothing is shown.
pub fn bare_body(scene: &Scene) -> Option<(Scene, Joined)> {
    let mut scene = scene.clone();
    let is_still = scene.animation.channels.is_empty();
    // A scene of our own, which is to get its skeleton.
    let mut skinned = scene.skinned_meshes.values();
    if skinned.len() == 1 && skinned.all(|body| body.skeleton.bones.is_empty()) {
        return (is_still && scene.meshes.is_empty()).then(|| (scene, Joined::default()));
    }
    let is_bare = is_still && scene.skinned_meshes.is_empty();
    let joined = if is_bare { join_meshes(&mut scene).ok()? } else { Joined::default() };
    (is_bare && scene.meshes.len() == 1 + joined.left_out.len()).then_some((scene, joined))
}

/// Joins all visible meshes of a scene into one, in world space. It has the name of the one with the most vertices, and all
/// materials, as parts ([`parts`]). Meshes that are flat and no part of it stay as they are.
///
/// # Errors
/// If the result is no valid surface, such as of vertices that are too far away.
pub fn join_meshes(scene: &mut Scene) -> Result<Joined, MeshError> {
    let shown: Vec<(String, GeometryInstance, Arc<Mesh>)> = scene
        .instances
        .meshes
        .iter()
        .filter(|(_, instance)| instance.settings.visible)
        .filter_map(|(name, instance)| {
            let mesh = scene.meshes.get(instance.resource.as_deref()?)?;
            Some((name.clone(), (**instance).clone(), mesh.clone()))
        })
        .collect();
    let is_flat = |mesh: &Mesh| is_sheet(mesh.surface.positions(), &mesh.surface.triangles());
    let largest =
        shown.iter().max_by_key(|(_, _, mesh)| (!is_flat(mesh), mesh.surface.vertex_count())).cloned();
    let Some((main, instance, mesh)) = largest.filter(|_| shown.len() > 1) else {
        return Ok(Joined::default());
    };
    let world = |instance: &GeometryInstance| world_matrix(scene, instance.transform.as_deref());
    let bounds = |instance: &GeometryInstance, mesh: &Mesh| {
        Bounds::from_points(mesh.surface.positions().iter().copied())
            .transformed(&Mat4::from(world(instance).as_affine3a()))
    };
    let body = bounds(&instance, &mesh);
    let is_part = |(name, instance, mesh): &(String, GeometryInstance, Arc<Mesh>)| {
        *name == main || is_near(&bounds(instance, mesh), &body) || !is_flat(mesh)
    };
    let (shown, left_out): (Vec<_>, Vec<_>) = shown.into_iter().partition(is_part);
    let mut left_out: Vec<String> =
        left_out.into_iter().filter_map(|(_, instance, _)| instance.resource).collect();
    left_out.dedup();
    let resource = instance.resource.clone().unwrap_or_default();
    if shown.len() < 2 {
        return Ok(Joined { body: resource, count: 1, left_out });
    }
    let (mut joined, mut all_parts) = (Polygons::default(), Vec::new());
    let pieces: Vec<Polygons> = shown
        .iter()
        .map(|(_, instance, mesh)| {
            Polygons::new(&mesh.surface).transformed(world(instance).as_affine3a().into())
        })
        .collect();
    let has_uvs = pieces.iter().any(|piece| !piece.uvs.is_empty());
    let has_normals = pieces.iter().any(|piece| !piece.normals.is_empty());
    for ((_, instance, mesh), mut piece) in shown.iter().zip(pieces) {
        let material = instance.material.as_deref();
        match &parts::visible(&mesh.extra, material)[..] {
            [] => all_parts.push(Part { material: instance.material.clone(), faces: piece.faces.len() }),
            shown => all_parts.extend_from_slice(shown),
        }
        let corners = piece.corner_count();
        if has_uvs {
            piece.uvs.resize(corners, Vec2::ZERO);
        }
        if has_normals {
            piece.normals.resize(corners, Vec3::ZERO);
        }
        let first = joined.positions.len() as u32;
        joined.positions.append(&mut piece.positions);
        let shifted =
            piece.faces.into_iter().map(|face| face.into_iter().map(|vertex| first + vertex).collect());
        joined.faces.extend(shifted);
        joined.uvs.append(&mut piece.uvs);
        joined.normals.append(&mut piece.normals);
    }
    let surface = Arc::new(joined.build()?);
    let mut extra = mesh.extra.clone();
    if all_parts.iter().any(|part| part.material != instance.material) {
        parts::set(&mut extra, all_parts);
    }
    for (name, instance, _) in &shown {
        scene.instances.meshes.remove(name);
        let resource = instance.resource.as_deref().unwrap_or_default();
        let is_used = |other: &GeometryInstance| other.resource.as_deref() == Some(resource);
        if !scene.instances.meshes.values().any(|other| is_used(other)) {
            scene.meshes.remove(resource);
        }
    }
    let weights = Arc::new(VertexWeights::none(surface.vertex_count()));
    scene.meshes.insert(resource.clone(), Arc::new(Mesh { surface, weights, extra }));
    scene.instances.meshes.insert(main, Arc::new(GeometryInstance { transform: None, ..instance }));
    Ok(Joined { body: resource, count: shown.len(), left_out })
}

/// Whether a piece is within reach of a body: their boxes meet, and it is no larger, as a floor is.
fn is_near(piece: &Bounds, body: &Bounds) -> bool {
    let longest = |bounds: &Bounds| (bounds.max - bounds.min).max_element();
    let meets = piece.min.cmple(body.max).all() && body.min.cmple(piece.max).all();
    meets && longest(piece) < longest(body)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::primitives::{self, Primitive};
    use crate::rig::skeleton::Bone;
    use crate::scene::resource::Transform;
    use crate::scene::skinned::SkinnedMesh;

    /// Adds a cube of edge 1 with a material, moved by `offset`.
    fn add(scene: &mut Scene, name: &str, material: &str, offset: Vec3) {
        let cube = primitives::cuboid(Vec3::ONE).unwrap();
        let weights = Arc::new(VertexWeights::none(cube.vertex_count()));
        let mesh = Mesh { surface: Arc::new(cube), weights, extra: Default::default() };
        scene.meshes.insert(name.into(), Arc::new(mesh));
        scene
            .transforms
            .insert(name.into(), Arc::new(Transform { translation: offset, ..Transform::default() }));
        let instance = GeometryInstance {
            transform: Some(name.into()),
            resource: Some(name.into()),
            material: Some(material.into()),
            ..GeometryInstance::default()
        };
        scene.instances.meshes.insert(name.into(), Arc::new(instance));
    }

    #[test]
    fn meshes_become_one_where_they_were_with_their_materials() {
        let mut scene = Scene::default();
        add(&mut scene, "body", "skin", Vec3::ZERO);
        assert_eq!(join_meshes(&mut scene), Ok(Joined::default()));
        assert_eq!(bare_body(&scene).map(|(body, joined)| (body.meshes.len(), joined.count)), Some((1, 0)));
        add(&mut scene, "eye", "glass", Vec3::new(3.0, 0.0, 0.0));
        add(&mut scene, "hidden", "skin", Vec3::new(9.0, 0.0, 0.0));
        let hidden = Arc::make_mut(scene.instances.meshes.get_mut("hidden").unwrap());
        hidden.settings.visible = false;
        assert!(bare_body(&scene).is_none(), "one mesh is left over");
        let skinned = |bones: usize| {
            let mut body = SkinnedMesh::default();
            Arc::make_mut(&mut body.skeleton).bones.resize_with(bones, Bone::default);
            let skinned_meshes = [("body".into(), Arc::new(body))].into();
            Scene { skinned_meshes, ..Scene::default() }
        };
        assert!(bare_body(&skinned(0)).is_some() && bare_body(&skinned(1)).is_none());
        let joined = join_meshes(&mut scene).unwrap();
        assert!(joined.count == 2 && joined.left_out.is_empty(), "{joined:?}");
        let names: Vec<&String> = scene.instances.meshes.keys().collect();
        assert_eq!(names.len(), 2);
        let (_, instance) = scene.instances.meshes.iter().find(|(name, _)| *name != "hidden").unwrap();
        let mesh = &scene.meshes[instance.resource.as_deref().unwrap()];
        let xs = mesh.surface.positions().iter().map(|point| point.x);
        assert_eq!(mesh.surface.vertex_count(), 16);
        assert_eq!((xs.clone().fold(f32::MAX, f32::min), xs.fold(f32::MIN, f32::max)), (-0.5, 3.5));
        let shown = parts::visible(&mesh.extra, instance.material.as_deref());
        let shown: Vec<_> =
            shown.iter().map(|part| (part.material.as_deref().unwrap(), part.faces)).collect();
        assert_eq!(shown, [("skin", 6), ("glass", 6)]);
        assert_eq!(scene.meshes.len(), 2, "the hidden one stays");
    }

    fn add_card(scene: &mut Scene, name: &str, size: f32, offset: Vec3) {
        add(scene, name, "paper", offset);
        let mesh = Arc::make_mut(scene.meshes.get_mut(name).unwrap());
        mesh.surface =
            Arc::new(Primitive::Plane { size: Vec2::splat(size), divisions: [1, 1] }.build().unwrap());
    }

    /// A lamp's card above the body and the floor that it stands on are left out; a flat eyebrow is not.
    #[test]
    fn flat_meshes_beside_the_body_stay_as_they_are() {
        let mut scene = Scene::default();
        add(&mut scene, "body", "skin", Vec3::ZERO);
        add_card(&mut scene, "lamp", 0.5, Vec3::Y);
        add_card(&mut scene, "floor", 9.0, -0.5 * Vec3::Y);
        let (found, joined) = bare_body(&scene).unwrap();
        assert_eq!((joined.body.as_str(), joined.count), ("body", 1));
        assert_eq!(joined.left_out, ["floor", "lamp"]);
        assert_eq!(found, scene, "nothing changes");
        assert!(joined.messages().iter().any(|text| text.contains("“lamp” is flat")), "{joined:?}");
        add_card(&mut scene, "brow", 0.1, 0.5 * Vec3::Y);
        let (found, joined) = bare_body(&scene).unwrap();
        assert_eq!((joined.count, found.meshes.len(), joined.left_out.len()), (2, 3, 2));
    }
}
