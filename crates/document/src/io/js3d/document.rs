//! Reads the whole document: sections in the order of their dependencies.

use super::ReadError;
use super::json::GLTF_HINT;
use super::json::Node;
use super::properties::read_all;
use super::reader::{Members, Reader};
use super::{animator, mesh, posing, resources, shapes, skeleton, values, weight_method};
use crate::rig::skeleton::Skeleton;
use crate::rig::skinning;
use crate::rig::weights::VertexWeights;
use crate::rig::weights::bind_snapshot::BindSnapshot;
use crate::scene::instance::{InstanceKind, Instances};
use crate::scene::names::{Kind, with_table};
use crate::scene::property::Resource;
use crate::scene::resource::Mesh;
use crate::scene::skinned::SkinnedMesh;
use crate::scene::{Scene, SceneExtra, Table};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Our own member of a skinned mesh: the fraction of dual quaternions in its skinning.
pub const DUAL_QUATERNIONS: &str = "dual_quaternions";

/// Our own member of a skinned mesh: the indices of bones that have moved since its weights were calculated.
pub const MOVED_BONES: &str = "bones_moved_since_weights";

pub fn read(r: &mut Reader<'_>, root: Node<'_>) -> Result<Scene, ReadError> {
    let Node::Object(items) = root else {
        let problem = format!("expected a scene, found {}", root.kind());
        return Err(r.refuse(problem, "A js3d file is an object with the members scene and animator."));
    };
    let mut document = r.members(items);
    refuse_other_formats(r, &document)?;
    let mut extra = SceneExtra::default();
    let mut scene = match document.expect(r, "scene", "an empty scene") {
        Some(node) => r.within("scene", |r| {
            let members = r.object(node);
            read_scene(r, members, &mut extra)
        })?,
        None => Scene::default(),
    };
    if let Some(node) = document.expect(r, "animator", "no animation") {
        scene.animation = Arc::new(r.within("animator", |r| animator::read(r, node, &scene))?);
    }
    extra.document = r.rest(document);
    scene.extra = Arc::new(extra);
    r.within("scene", |r| note_equal_names(r, &scene));
    Ok(scene)
}

/// Refuses an object without any member of a scene: it is another kind of file, and would be overwritten if
/// it were opened as an empty scene.
fn refuse_other_formats(r: &Reader<'_>, document: &Members<'_>) -> Result<(), ReadError> {
    let is_object = |name: &str| matches!(document.get(name), Some(Node::Object(_)));
    if is_object("scene") || is_object("animator") {
        return Ok(());
    }
    Err(if is_object("asset") {
        r.refuse("expected a scene, found what looks like glTF", GLTF_HINT)
    } else {
        r.refuse(
            "expected a scene, found an object without the members scene and animator",
            "Check that it is a js3d file.",
        )
    })
}

fn read_scene(r: &mut Reader<'_>, mut m: Members<'_>, extra: &mut SceneExtra) -> Result<Scene, ReadError> {
    m.format(r, values::FORMAT);
    let mut scene = Scene::default();
    let names: BTreeSet<String> = match m.get("transforms") {
        Some(Node::Object(items)) => items.iter().map(|(name, _)| name.to_string()).collect(),
        _ => BTreeSet::new(),
    };
    let known = |kind: Kind, name: &str| kind == Kind::Transform && names.contains(name);
    scene.transforms = table(r, &mut m, "transforms", |r, m| read_all(r, m, Kind::Transform, &known))?;
    r.within("transforms", |r| resources::refuse_cycles(r, &scene.transforms))?;
    scene.cameras = resource_table(r, &mut m, &scene, Kind::Camera)?;
    scene.meshes = nodes(r, &mut m, "meshes", |r, node| {
        let (surface, weights, extra) = mesh::read(r, node, None)?;
        Ok(Mesh { surface: surface.into(), weights: weights.into(), extra })
    })?;
    scene.skinned_meshes = table(r, &mut m, "skinned_meshes", skinned_mesh)?;
    scene.shapes = resource_table(r, &mut m, &scene, Kind::Shape)?;
    scene.particles = table(r, &mut m, "particles", |r, m| resources::particles(r, m, &known))?;
    scene.textures = table(r, &mut m, "textures", |r, m| resources::texture(r, m, &known))?;
    scene.materials = resource_table(r, &mut m, &scene, Kind::Material)?;
    scene.delta_lights = resource_table(r, &mut m, &scene, Kind::DeltaLight)?;
    scene.env_lights = resource_table(r, &mut m, &scene, Kind::EnvLight)?;
    if let Some(node) = m.expect(r, "instances", "no instance") {
        scene.instances = r.within("instances", |r| {
            let mut m = r.object(node);
            let instances = instances(r, &mut m, &scene)?;
            extra.instances = r.rest(m);
            Ok(instances)
        })?;
    }
    extra.scene = r.rest(m);
    Ok(scene)
}

/// Reads the seven maps of instances. The caller reads the remaining members of `m`.
fn instances(r: &mut Reader<'_>, m: &mut Members<'_>, scene: &Scene) -> Result<Instances, ReadError> {
    Ok(Instances {
        cameras: resource_table(r, m, scene, Kind::Instance(InstanceKind::Camera))?,
        meshes: resource_table(r, m, scene, Kind::Instance(InstanceKind::Mesh))?,
        skinned_meshes: resource_table(r, m, scene, Kind::Instance(InstanceKind::SkinnedMesh))?,
        shapes: resource_table(r, m, scene, Kind::Instance(InstanceKind::Shape))?,
        particles: resource_table(r, m, scene, Kind::Instance(InstanceKind::Particles))?,
        delta_lights: resource_table(r, m, scene, Kind::Instance(InstanceKind::DeltaLight))?,
        env_lights: resource_table(r, m, scene, Kind::Instance(InstanceKind::EnvLight))?,
    })
}

/// Reads a section of resources that are completely described by property rows. `scene` contains what they
/// may refer to.
fn resource_table<T: Resource>(
    r: &mut Reader<'_>,
    m: &mut Members<'_>,
    scene: &Scene,
    kind: Kind,
) -> Result<Table<T>, ReadError> {
    let exists = |kind: Kind, name: &str| with_table!(&scene, kind, table => table.contains_key(name));
    table(r, m, kind.map(), |r, m| read_all(r, m, kind, &exists))
}

fn skinned_mesh(r: &mut Reader<'_>, mut m: Members<'_>) -> Result<SkinnedMesh, ReadError> {
    let mut skeleton: Skeleton = match m.expect(r, "skeleton", "no bone") {
        Some(node) => r.within("skeleton", |r| {
            let members = r.object(node);
            skeleton::read(r, members)
        })?,
        None => Default::default(),
    };
    let (surface, weights, mesh_extra) = match m.expect(r, "mesh", "an empty mesh") {
        Some(node) => r.within("mesh", |r| mesh::read(r, node, Some(skeleton.bones.len())))?,
        None => Default::default(),
    };
    let (shapes, keys) = shapes::read(r, &mut m, &surface);
    skeleton.shapes = shapes;
    // Without weights, no bone can have moved since they were calculated.
    let stored: &VertexWeights = &weights;
    let moved = if stored.bones.is_empty() { Vec::new() } else { moved_bones(&mut m, skeleton.bones.len()) };
    Ok(SkinnedMesh {
        bind_snapshot: BindSnapshot::capture_except(&skeleton, &moved),
        surface: surface.into(),
        weights: weights.into(),
        skeleton: skeleton.into(),
        skinning: skinning(r, &mut m),
        weight_method: weight_method::read(r, &mut m),
        shapes: keys.into(),
        poses: posing::read_poses(r, &mut m).into(),
        mesh_extra,
        extra: r.rest(m),
    })
}

/// Reads our own member; a value of another type is not ours and is preserved.
fn skinning(r: &mut Reader<'_>, m: &mut Members<'_>) -> skinning::Method {
    let fraction = m.get(DUAL_QUATERNIONS).and_then(Node::number);
    match fraction.map(|fraction| (fraction, skinning::Method::try_from(fraction as f32))) {
        Some((_, Ok(method))) => {
            m.take(DUAL_QUATERNIONS);
            return method;
        }
        Some((fraction, Err(_))) => r.within(DUAL_QUATERNIONS, |r| {
            let text = "the part of dual quaternions is a number from 0 to 1";
            r.warn("bad-skinning", format!("{text}, not {fraction:?}; blended matrices are used"))
        }),
        None => {}
    }
    skinning::Method::default()
}

/// Reads our own member like [`skinning`]: indices of bones of the skeleton, ascending.
fn moved_bones(m: &mut Members<'_>, bones: usize) -> Vec<usize> {
    let Some(Node::Array(items)) = m.get(MOVED_BONES) else {
        return Vec::new();
    };
    let index = |item: &Node| {
        let number = item.number()?;
        let bone = number as usize;
        (number >= 0.0 && number == bone as f64 && bone < bones).then_some(bone)
    };
    let found: Option<Vec<usize>> = items.iter().map(|item| index(&item)).collect();
    match found.filter(|found| !found.is_empty() && found.is_sorted_by(|a, b| a < b)) {
        Some(found) => {
            m.take(MOVED_BONES);
            found
        }
        None => Vec::new(),
    }
}

/// Reads a section: resources by name.
fn table<T>(
    r: &mut Reader<'_>,
    m: &mut Members<'_>,
    name: &str,
    mut read: impl FnMut(&mut Reader<'_>, Members<'_>) -> Result<T, ReadError>,
) -> Result<Table<T>, ReadError> {
    nodes(r, m, name, |r, node| {
        let members = r.entry(node)?;
        read(r, members)
    })
}

fn nodes<T>(
    r: &mut Reader<'_>,
    m: &mut Members<'_>,
    name: &str,
    mut read: impl FnMut(&mut Reader<'_>, Node<'_>) -> Result<T, ReadError>,
) -> Result<Table<T>, ReadError> {
    let Some(node) = m.expect(r, name, "no entry") else {
        return Ok(Table::default());
    };
    r.within(name, |r| {
        let entries = r.object(node).into_items().into_iter();
        entries
            .map(|(name, node)| Ok((name.to_string(), Arc::new(r.within(&name, |r| read(r, node))?))))
            .collect()
    })
}

/// Notes equal names in several maps: channels find their targets by name alone, so that such resources share
/// their animation.
fn note_equal_names(r: &mut Reader<'_>, scene: &Scene) {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for (_, name) in scene.names() {
        *counts.entry(name).or_default() += 1;
    }
    for (name, count) in counts.into_iter().filter(|(_, count)| *count > 1) {
        let shown = values::shorten(name);
        let text = format!("{count} resources are called \"{shown}\" and share its animation; they are kept");
        r.note("duplicate-name", text);
    }
}
