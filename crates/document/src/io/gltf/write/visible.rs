//! The visible content of a scene, which is exported: visible instances of existing resources.

use crate::scene::Scene;
use crate::scene::instance::{CameraInstance, GeometryInstance, LightInstance};
use crate::scene::resource::{Camera, DeltaLight, Mesh, Shape};
use crate::scene::skinned::SkinnedMesh;
use crate::scene::{Table, names::Kind};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Instances of a kind with their names, resource names and resources.
type Instances<'s, I, R> = Vec<(&'s str, &'s I, &'s str, &'s R)>;

/// Instances of one mesh with their names.
pub type NamedInstances<'s> = Vec<(&'s str, &'s GeometryInstance)>;

pub struct VisibleInstances<'s> {
    pub skinned: Instances<'s, GeometryInstance, SkinnedMesh>,
    pub meshes: Instances<'s, GeometryInstance, Mesh>,
    pub shapes: Instances<'s, GeometryInstance, Shape>,
    pub cameras: Instances<'s, CameraInstance, Camera>,
    pub lights: Instances<'s, LightInstance, DeltaLight>,
    /// The transforms without instances, such as sockets.
    pub empty: Vec<&'s str>,
    /// The number of hidden instances.
    pub hidden: usize,
    /// The number of resources without instances.
    pub not_placed: usize,
    /// The number of channels of values that glTF cannot animate.
    pub lost_channels: usize,
}

impl<'s> VisibleInstances<'s> {
    pub fn new(scene: &'s Scene) -> Self {
        let instances = &scene.instances;
        let mut hidden = 0;
        let mut visible = Self {
            skinned: geometry(&instances.skinned_meshes, &scene.skinned_meshes, &mut hidden),
            meshes: geometry(&instances.meshes, &scene.meshes, &mut hidden),
            shapes: geometry(&instances.shapes, &scene.shapes, &mut hidden),
            cameras: resolve(&instances.cameras, &scene.cameras, |camera| camera.camera.as_deref()),
            lights: resolve(&instances.delta_lights, &scene.delta_lights, |light| light.light.as_deref()),
            empty: empty(scene),
            hidden: 0,
            not_placed: 0,
            lost_channels: lost_channels(scene),
        };
        let lights = visible.lights.len();
        visible.lights.retain(|(_, light, ..)| light.visible);
        visible.hidden = hidden + lights - visible.lights.len();
        visible.not_placed = not_placed(scene);
        visible
    }

    /// Returns the transforms with visible instances, and those without any.
    pub fn transforms(&self) -> impl Iterator<Item = &'s str> {
        let geometry = self.skinned.iter().map(|(_, instance, ..)| *instance);
        let geometry = geometry.chain(self.meshes.iter().map(|(_, instance, ..)| *instance));
        let geometry = geometry.chain(self.shapes.iter().map(|(_, instance, ..)| *instance));
        let geometry = geometry.map(|instance| instance.transform.as_deref());
        let cameras = self.cameras.iter().map(|(_, camera, ..)| camera.transform.as_deref());
        let lights = self.lights.iter().map(|(_, light, ..)| light.transform.as_deref());
        geometry.chain(cameras).chain(lights).flatten().chain(self.empty.iter().copied())
    }

    /// Returns the skinned meshes, each with its instances.
    pub fn by_mesh(&self) -> BTreeMap<&'s str, (&'s SkinnedMesh, NamedInstances<'s>)> {
        let mut meshes = BTreeMap::new();
        for &(name, instance, mesh_name, mesh) in &self.skinned {
            let (_, instances) = meshes.entry(mesh_name).or_insert_with(|| (mesh, Vec::new()));
            instances.push((name, instance));
        }
        meshes
    }
}

fn resolve<'s, I, R>(
    instances: &'s Table<I>,
    resources: &'s Table<R>,
    resource: impl Fn(&I) -> Option<&str>,
) -> Instances<'s, I, R> {
    let resolve_instance = |(name, instance): (&'s String, &'s Arc<I>)| {
        let (resource_name, resource) = resources.get_key_value(resource(instance)?)?;
        Some((name.as_str(), &**instance, resource_name.as_str(), &**resource))
    };
    instances.iter().filter_map(resolve_instance).collect()
}

fn geometry<'s, R>(
    instances: &'s Table<GeometryInstance>,
    resources: &'s Table<R>,
    hidden: &mut usize,
) -> Instances<'s, GeometryInstance, R> {
    let mut all = resolve(instances, resources, |instance| instance.resource.as_deref());
    let before = all.len();
    all.retain(|(_, instance, ..)| instance.settings.visible);
    *hidden += before - all.len();
    all
}

fn empty(scene: &Scene) -> Vec<&str> {
    let all = scene.instances.all();
    let used: BTreeSet<&str> = all.iter().filter_map(|instance| instance.transform).collect();
    scene.transforms.keys().map(String::as_str).filter(|name| !used.contains(name)).collect()
}

fn not_placed(scene: &Scene) -> usize {
    let shown: BTreeSet<(Kind, &str)> = scene
        .instances
        .all()
        .iter()
        .filter_map(|instance| Some((Kind::placed_by(instance.kind), instance.resource?)))
        .collect();
    let is_unused = |kind: Kind, name: &String| !shown.contains(&(kind, name.as_str()));
    scene.meshes.keys().filter(|name| is_unused(Kind::Mesh, name)).count()
        + scene.skinned_meshes.keys().filter(|name| is_unused(Kind::SkinnedMesh, name)).count()
        + scene.shapes.keys().filter(|name| is_unused(Kind::Shape, name)).count()
        + scene.cameras.keys().filter(|name| is_unused(Kind::Camera, name)).count()
        + scene.delta_lights.keys().filter(|name| is_unused(Kind::DeltaLight, name)).count()
}

/// Counts channels that are not written. Those of transforms, poses and radii are written; those of handles
/// affect the poses.
fn lost_channels(scene: &Scene) -> usize {
    let is_written = |name: &str, channel: &str| {
        scene.skinned_meshes.contains_key(name)
            || scene.transforms.contains_key(name) && ["translation", "rotation", "scale"].contains(&channel)
            || scene.shapes.contains_key(name) && channel == "radius"
    };
    let channels = scene.animation.channels.iter();
    let lost =
        channels.map(|(name, channels)| channels.keys().filter(|channel| !is_written(name, channel)).count());
    lost.sum()
}
