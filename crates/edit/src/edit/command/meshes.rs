//! Commands on surfaces: adding meshes, appending scenes, and changing whole surfaces.

use super::bones::clean_name;
use super::effects::Edit;
use super::helpers::{check_finite, skinned_mesh};
use super::objects;
use super::{CommandError, Result};
use crate::io::js3d;
use crate::io::motion::clips;
use crate::mesh::halfedge::HalfedgeMesh;
use crate::mesh::primitives::Primitive;
use crate::mesh::soup::Polygons;
use crate::rig::shapes::ShapeKey;
use crate::rig::skeleton::Skeleton;
use crate::rig::weights::VertexWeights;
use crate::rig::weights::method::Method;
use crate::scene::instance::{GeometryInstance, InstanceKind};
use crate::scene::names::{Kind, ObjectRef};
use crate::scene::resource::Mesh;
use crate::scene::skinned::SkinnedMesh;
use crate::scene::{Scene, append};
use glam::{Mat3, Vec3};
use serde::de::Error as _;
use serde::ser::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::collections::HashMap;
use std::sync::Arc;

/// How far directions may be from being of length 1 and at right angles.
const RIGHT_ANGLE: f32 = 1e-3;

/// The source of a surface.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Surface {
    Primitive(Primitive),
    Polygons(#[serde(with = "crate::edit::session::shared")] Arc<Polygons>),
    /// An existing surface, serialised as its polygons.
    Built(#[serde(with = "built")] Arc<HalfedgeMesh>),
}

impl Surface {
    fn build(&self) -> Result<Arc<HalfedgeMesh>> {
        Ok(match self {
            Surface::Primitive(primitive) => Arc::new(primitive.build()?),
            Surface::Polygons(polygons) => Arc::new(polygons.build()?),
            Surface::Built(surface) => {
                surface.positions().iter().try_for_each(|p| check_finite("a position", *p))?;
                Arc::clone(surface)
            }
        })
    }
}

/// A scene as command data, serialised as js3d text.
#[derive(Clone, Debug, PartialEq)]
pub struct SceneData(pub Arc<Scene>);

impl Serialize for SceneData {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let bytes = js3d::write(&self.0).map_err(S::Error::custom)?;
        serializer.serialize_str(&String::from_utf8_lossy(&bytes))
    }
}

impl<'de> Deserialize<'de> for SceneData {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let (scene, _) = js3d::read(text.as_bytes()).map_err(D::Error::custom)?;
        Ok(Self(Arc::new(scene)))
    }
}

/// Serialises a surface as its polygons.
mod built {
    use crate::mesh::halfedge::HalfedgeMesh;
    use crate::mesh::soup::Polygons;
    use serde::de::Error as _;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    use std::sync::Arc;

    pub fn serialize<S: Serializer>(surface: &HalfedgeMesh, to: S) -> Result<S::Ok, S::Error> {
        Polygons::new(surface).serialize(to)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Arc<HalfedgeMesh>, D::Error> {
        let surface = Polygons::deserialize(from)?.build().map_err(D::Error::custom)?;
        Ok(Arc::new(surface))
    }
}

/// Returns the actual name of a new mesh with the requested name `wanted`: `Mesh` if nothing visible remains,
/// with a number if the name is taken.
pub fn mesh_name(scene: &Scene, wanted: &str) -> String {
    let wanted = clean_name(wanted);
    scene.unused_name(if wanted.is_empty() { "Mesh" } else { &wanted })
}

pub fn add(edit: &mut Edit, name: &str, surface: &Surface, skinned: bool) -> Result {
    let base = match surface {
        // Primitives are built around or on the origin.
        Surface::Primitive(_) => Vec3::ZERO,
        Surface::Polygons(polygons) => bounds_center(&polygons.positions),
        Surface::Built(surface) => bounds_center(surface.positions()),
    };
    let surface = surface.build()?;
    let name = mesh_name(edit.scene, name);
    let weights = Arc::new(VertexWeights::none(surface.vertex_count()));
    let kind = if skinned { Kind::SkinnedMesh } else { Kind::Mesh };
    if skinned {
        let skeleton = Skeleton { base, ..Skeleton::default() };
        let mesh = SkinnedMesh {
            surface,
            weights,
            skeleton: Arc::new(skeleton),
            weight_method: Method::FOR_NEW_MESHES,
            ..SkinnedMesh::default()
        };
        edit.scene.skinned_meshes.insert(name.clone(), Arc::new(mesh));
    } else {
        let mesh = Mesh { surface, weights, ..Mesh::default() };
        edit.scene.meshes.insert(name.clone(), Arc::new(mesh));
    }
    edit.record_created(kind, &name);
    objects::add_instance(edit, &ObjectRef::new(kind, name))
}

pub fn add_skeleton(edit: &mut Edit, mesh: &str, from: &Scene) -> Result {
    let mut skeletons = from.skinned_meshes.values().map(|mesh| &mesh.skeleton);
    let (Some(skeleton), None) = (skeletons.next(), skeletons.next()) else {
        return Err(CommandError::Value { subject: "the other scene", rule: "one skinned mesh" });
    };
    let mesh = match edit.scene.skinned_meshes.get(mesh) {
        Some(skinned) if skinned.skeleton.bones.is_empty() => mesh.to_owned(),
        Some(_) => {
            return Err(CommandError::Value { subject: "the skinned mesh", rule: "one without bones" });
        }
        None => make_skinned(edit, mesh)?,
    };
    let shapes = skinned_mesh(edit.scene, &mesh)?.skeleton.shapes.clone();
    let skeleton = Arc::new(Skeleton { shapes, ..(**skeleton).clone() });
    edit.change_skinned(&mesh, |mesh| mesh.skeleton = skeleton);
    Ok(())
}

/// Returns the name of the skinned mesh.
pub fn make_skinned(edit: &mut Edit, name: &str) -> Result<String> {
    let scene = &mut *edit.scene;
    let Some(mesh) = scene.meshes.get(name).cloned() else {
        return Err(CommandError::NoSuch { kind: Kind::Mesh.text(), name: name.to_owned() });
    };
    let mut particles = scene.instances.particles.values();
    let is_kept = particles.any(|instance| instance.mesh.as_deref() == Some(name));
    let new_name = if is_kept { scene.unused_name(name) } else { name.to_owned() };
    if !is_kept {
        scene.meshes.remove(name);
    }
    let skeleton = Skeleton { base: bounds_center(mesh.surface.positions()), ..Skeleton::default() };
    let skinned = SkinnedMesh {
        surface: Arc::clone(&mesh.surface),
        weights: Arc::new(VertexWeights::none(mesh.surface.vertex_count())),
        skeleton: Arc::new(skeleton),
        weight_method: Method::FOR_NEW_MESHES,
        mesh_extra: mesh.extra.clone(),
        ..SkinnedMesh::default()
    };
    scene.skinned_meshes.insert(new_name.clone(), Arc::new(skinned));
    let shows_mesh = |instance: &GeometryInstance| instance.resource.as_deref() == Some(name);
    let instances = &mut scene.instances;
    let converted: Vec<String> = instances
        .meshes
        .iter()
        .filter(|(_, instance)| shows_mesh(instance))
        .map(|(name, _)| name.clone())
        .collect();
    for name in &converted {
        if let Some(mut instance) = instances.meshes.remove(name) {
            Arc::make_mut(&mut instance).resource = Some(new_name.clone());
            instances.skinned_meshes.insert(name.clone(), instance);
        }
    }
    if !is_kept {
        edit.record_removed(Kind::Mesh, name);
    }
    edit.record_created(Kind::SkinnedMesh, &new_name);
    for instance in &converted {
        edit.record_removed(Kind::Instance(InstanceKind::Mesh), instance);
        edit.record_created(Kind::Instance(InstanceKind::SkinnedMesh), instance);
    }
    Ok(new_name)
}

/// Returns the centre of the bounding box of positions.
fn bounds_center(positions: &[Vec3]) -> Vec3 {
    let low = positions.iter().copied().reduce(Vec3::min);
    let high = positions.iter().copied().reduce(Vec3::max);
    let center = low.zip(high).map(|(low, high)| (low.as_dvec3() + high.as_dvec3()) / 2.0);
    center.unwrap_or_default().as_vec3()
}

pub fn append(edit: &mut Edit, added: &SceneData) -> Result {
    if added.0.names().is_empty() {
        return Err(CommandError::Value { subject: "the appended scene", rule: "one that is not empty" });
    }
    let animation = Arc::clone(&edit.scene.animation);
    for (kind, name) in append::append(edit.scene, &added.0) {
        edit.record_created(kind, &name);
    }
    let merged = std::mem::replace(&mut edit.scene.animation, animation);
    edit.replace_animation(Arc::unwrap_or_clone(merged));
    Ok(())
}

pub fn add_clips(edit: &mut Edit, mesh: &str, clips: &SceneData) -> Result {
    let mut changed = edit.scene.clone();
    clips::add_clips(&mut changed, mesh, &clips.0)
        .map_err(|rule| CommandError::Clips { mesh: mesh.to_owned(), why: rule })?;
    edit.replace_animation(Arc::unwrap_or_clone(changed.animation));
    if let Some(skinned) = changed.skinned_meshes.get(mesh) {
        edit.scene.skinned_meshes.insert(mesh.to_owned(), skinned.clone());
    }
    Ok(())
}

/// Returns the surface and weights of a mesh or a skinned mesh.
fn surface_and_weights<'a>(
    scene: &'a Scene,
    mesh: &ObjectRef,
) -> Result<(&'a Arc<HalfedgeMesh>, &'a Arc<VertexWeights>)> {
    let found = match mesh.kind {
        Kind::Mesh => scene.meshes.get(&mesh.name).map(|m| (&m.surface, &m.weights)),
        Kind::SkinnedMesh => {
            let mesh = scene.skinned_meshes.get(&mesh.name);
            mesh.map(|m| (&m.surface, &m.weights))
        }
        _ => {
            return Err(CommandError::Value {
                subject: "what has a surface",
                rule: "a mesh or a skinned mesh",
            });
        }
    };
    found.ok_or_else(|| CommandError::NoSuch { kind: mesh.kind.text(), name: mesh.name.clone() })
}

/// Replaces the surface of a mesh, its weights if given, and its shapes by those that `reshape` returns.
fn set_surface(
    edit: &mut Edit,
    mesh: &ObjectRef,
    surface: Arc<HalfedgeMesh>,
    rows: Option<VertexWeights>,
    reshape: impl Fn(&ShapeKey) -> ShapeKey,
) {
    let rows = rows.map(Arc::new);
    let name = &mesh.name;
    match mesh.kind {
        Kind::Mesh => edit.change_mesh(name, |mesh| {
            mesh.surface = surface;
            mesh.weights = rows.unwrap_or_else(|| mesh.weights.clone());
        }),
        _ => edit.change_skinned(name, |mesh| {
            mesh.surface = surface;
            if !mesh.shapes.is_empty() {
                mesh.shapes = Arc::new(mesh.shapes.iter().map(reshape).collect());
            }
            mesh.weights = rows.unwrap_or_else(|| mesh.weights.clone());
        }),
    }
}

pub fn replace(edit: &mut Edit, mesh: &ObjectRef, surface: &Surface) -> Result {
    let (old, weights) = surface_and_weights(edit.scene, mesh)?;
    let new = surface.build()?;
    if *new == **old {
        return Ok(());
    }
    let same = same_places(old.positions(), new.positions());
    let rows = transferred_rows(&same, weights);
    // Normals are those of the new surface.
    let reshape = |key: &ShapeKey| {
        let offset = |vertex: u32| {
            let found = key.positions.binary_search_by_key(&vertex, |(vertex, _)| *vertex).ok()?;
            Some(key.positions[found].1)
        };
        let moved = (0..).zip(&same).filter_map(|(vertex, old)| Some((vertex, offset((*old)?)?)));
        ShapeKey { positions: moved.collect(), normals: Vec::new() }
    };
    set_surface(edit, mesh, new, Some(rows), reshape);
    Ok(())
}

/// Returns, for each new vertex, the old one at the same position. Several vertices at one position are matched in their
/// order.
fn same_places(old: &[Vec3], new: &[Vec3]) -> Vec<Option<u32>> {
    // Zero and minus zero are equal.
    let key = |p: &Vec3| (*p + Vec3::ZERO).to_array().map(f32::to_bits);
    let mut by_position: HashMap<[u32; 3], Vec<u32>> = HashMap::with_capacity(old.len());
    for (v, p) in old.iter().enumerate().rev() {
        by_position.entry(key(p)).or_default().push(v as u32);
    }
    new.iter().map(|p| by_position.get_mut(&key(p)).and_then(Vec::pop)).collect()
}

/// Returns the weights of new vertices, those of the old ones in the same places.
fn transferred_rows(same: &[Option<u32>], weights: &VertexWeights) -> VertexWeights {
    let mut rows = VertexWeights::default();
    for old in same {
        if let Some(v) = old {
            let (bones, values) = weights.row(*v as usize);
            rows.bones.extend_from_slice(bones);
            rows.weights.extend_from_slice(values);
        }
        rows.ends.push(rows.bones.len() as u32);
    }
    rows
}

/// Whether an offset is none.
pub fn is_zero(offset: &Vec3) -> bool {
    *offset == Vec3::ZERO
}

pub fn orient(edit: &mut Edit, mesh: &ObjectRef, [up, front]: [Vec3; 2], offset: Vec3) -> Result {
    let [lengths, angle] =
        [(up.length_squared() - 1.0).abs() + (front.length_squared() - 1.0).abs(), up.dot(front).abs()];
    let is_right = lengths + angle < RIGHT_ANGLE;
    // What is not a number is refused too.
    if !is_right {
        return Err(CommandError::Value { subject: "up and front", rule: "of length 1 and at right angles" });
    }
    check_finite("the offset", offset)?;
    if edit.scene.skinned_meshes.get(&mesh.name).is_some_and(|skinned| !skinned.skeleton.bones.is_empty())
        && mesh.kind == Kind::SkinnedMesh
    {
        return Err(CommandError::Value { subject: "the skinned mesh", rule: "one without bones" });
    }
    let turn = Mat3::from_cols(up.cross(front), up, front).transpose();
    let mut surface = (**surface_and_weights(edit.scene, mesh)?.0).clone();
    surface.scale_and_rotate(1.0, turn);
    surface.translate(offset);
    let turned = |offsets: &[(u32, Vec3)]| offsets.iter().map(|(at, offset)| (*at, turn * *offset)).collect();
    let reshape =
        |key: &ShapeKey| ShapeKey { positions: turned(&key.positions), normals: turned(&key.normals) };
    set_surface(edit, mesh, Arc::new(surface), None, reshape);
    if mesh.kind == Kind::SkinnedMesh {
        edit.change_skinned(&mesh.name, |mesh| {
            let skeleton = Arc::make_mut(&mut mesh.skeleton);
            skeleton.base = turn * skeleton.base + offset;
        });
    }
    Ok(())
}

pub fn flip(edit: &mut Edit, mesh: &ObjectRef) -> Result {
    let old = Arc::clone(surface_and_weights(edit.scene, mesh)?.0);
    // A corner gets the normal of the next one: see `HalfedgeMesh::flipped`.
    let mut previous = vec![0; old.halfedge_count()];
    for face in 0..old.face_count() as u32 {
        let corners: Vec<u32> = old.face_corners(face).collect();
        let next = corners.iter().cycle().skip(1);
        corners.iter().zip(next).for_each(|(corner, next)| previous[*next as usize] = *corner);
    }
    let reshape = |key: &ShapeKey| {
        let turned = key.normals.iter().map(|(corner, offset)| (previous[*corner as usize], -*offset));
        let mut normals: Vec<(u32, Vec3)> = turned.collect();
        normals.sort_unstable_by_key(|(corner, _)| *corner);
        ShapeKey { positions: key.positions.clone(), normals }
    };
    set_surface(edit, mesh, Arc::new(old.flipped()), None, reshape);
    Ok(())
}

pub fn smooth(edit: &mut Edit, mesh: &ObjectRef, angle_deg: f32) -> Result {
    if !(0.0..=180.0).contains(&angle_deg) {
        return Err(CommandError::Value { subject: "the angle", rule: "between 0 and 180 degrees" });
    }
    let old = surface_and_weights(edit.scene, mesh)?.0;
    let smooth = (**old).clone().with_smooth_normals(angle_deg);
    // Differences of normals were those of the old ones.
    let reshape = |key: &ShapeKey| ShapeKey { positions: key.positions.clone(), normals: Vec::new() };
    set_surface(edit, mesh, Arc::new(smooth), None, reshape);
    Ok(())
}
