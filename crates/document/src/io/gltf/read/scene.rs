//! Converts a checked file to a scene: skinned meshes, meshes, cameras and lights with instances and
//! transforms.

use super::animate::{self, AnimatedMesh};
use super::build::{Build, ShapedMesh};
use super::materials::Materials;
use super::motion::{Motion, motions};
use super::nodes::Nodes;
use super::pieces::{self, RigPieces};
use super::rig::{DroppedJoints, SkinnedRig};
use super::shapes::ShapeSource;
use super::skins::{self, Rig};
use super::source::Source;
use super::surface::{self, Binding, Piece, Surface};
use super::{empties, instancing, lights, range};
use crate::extra::Extra;
use crate::io::count::counted;
use crate::io::file::ReadError;
use crate::io::gltf::schema;
use crate::io::import::ImportOptions;
use crate::io::report::{Report, Severity};
use crate::io::unique_names::UniqueNames;
use crate::math::decompose::decompose;
use crate::mesh::halfedge::HalfedgeMesh;
use crate::rig::skeleton::{Handle, Shape, Skeleton};
use crate::rig::weights::VertexWeights;
use crate::rig::weights::bind_snapshot::BindSnapshot;
use crate::rig::weights::method::Method;
use crate::scene::Scene;
use crate::scene::instance::{GeometryInstance, GeometrySettings};
use crate::scene::parts::{self, Part};
use crate::scene::resource::{Mesh, Transform};
use crate::scene::skinned::{SkinnedMesh, map_spaces};
use glam::{DAffine3, DVec3};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// A scene, and information about its file.
pub struct BuiltScene {
    pub scene: Scene,
    /// The names of all animations.
    pub animations: Vec<String>,
    /// The number of images inside the file.
    pub embedded: usize,
}

pub fn build(source: &Source, options: &ImportOptions, report: &mut Report) -> Result<BuiltScene, ReadError> {
    let nodes = Nodes::new(&source.document)?;
    for &root in &nodes.uprooted {
        let text =
            "a root of the scene has a parent that is not in the scene; it is shown without the parent";
        report.add(Severity::Warning, "scene-root", format!("/nodes/{root}"), text);
    }
    let motions = motions(source, &nodes, report)?;
    let animations = motions.iter().map(|motion| motion.name.clone()).collect();
    let mut motions = animate::select_motions(motions, options)?;
    let copies = instancing::copies(source, &nodes, report)?;
    let mut build = Build {
        source,
        nodes: &nodes,
        copies,
        scene: Scene::default(),
        names: UniqueNames::default(),
        report,
        transforms: HashMap::new(),
        materials: Materials::new(source, options.without_images),
        shaped: Vec::new(),
        instances: HashMap::new(),
        sheared: 0,
    };
    let mut rigged = build.add_rigs(&motions)?;
    build.add_meshes(&rigged)?;
    lights::add_cameras_and_lights(&mut build);
    empties::add(&mut build, &rigged);
    empties::remove_idle(&mut motions, &mut build, &rigged);
    animate::animate(&mut build, &mut rigged, &motions, options);
    if build.sheared > 0 {
        let text = format!(
            "{} nodes are sheared; transforms of js3d are not, and theirs are the nearest",
            build.sheared
        );
        build.report.add(Severity::Warning, "sheared", "/nodes", text);
    }
    build.materials.report(build.report);
    if rigged.is_empty() && build.scene.instances.all().is_empty() {
        let mut text = "the file shows nothing: no mesh, skin, camera or light is in its scene".to_owned();
        let transforms = build.scene.transforms.len();
        if transforms > 0 {
            text += &format!(
                "; {} without shape",
                counted(transforms, "node becomes a transform", "nodes become transforms")
            );
        }
        build.report.add(Severity::Warning, "shows-nothing", "/scenes", text);
    }
    for AnimatedMesh { name, rigged, mut skinned, .. } in rigged {
        skinned.bind_snapshot = BindSnapshot::capture_except(&rigged.skeleton, &[]);
        skinned.skeleton = Arc::new(rigged.skeleton);
        build.scene.skinned_meshes.insert(name, Arc::new(skinned));
    }
    build.find_spaces();
    range::check(&build.scene)?;
    Ok(BuiltScene { scene: build.scene, embedded: build.materials.embedded, animations })
}

/// The names of a mesh and its material.
type AddedMesh = (String, Option<String>);

impl Build<'_> {
    fn add_rigs(&mut self, motions: &[Motion]) -> Result<Vec<AnimatedMesh>, ReadError> {
        let nodes = self.nodes;
        let mut known = HashSet::new();
        let skins = nodes.visible().filter_map(|node| nodes.all[node].skin);
        let mut used: Vec<usize> = skins.filter(|skin| known.insert(*skin)).collect();
        // A skeleton without a mesh is one to bind a body to.
        let document_skins = &self.source.document.skins;
        let mut taken: HashSet<usize> =
            used.iter().flat_map(|skin| &document_skins[*skin].joints).copied().collect();
        for (skin, data) in document_skins.iter().enumerate() {
            let is_shown = data.joints.iter().all(|joint| nodes.shown[*joint] && !taken.contains(joint));
            if is_shown && !data.joints.is_empty() && known.insert(skin) {
                taken.extend(&data.joints);
                used.push(skin);
            }
        }
        let unused = document_skins.len() - used.len();
        if unused > 0 {
            let text = match unused {
                1 => "1 skin has no mesh in the scene; it is left out".to_owned(),
                _ => format!("{unused} skins have no mesh in the scene; they are left out"),
            };
            self.report.add(Severity::Warning, "left-out", "/skins", text);
        }
        let driven: HashSet<usize> = motions.iter().flat_map(Motion::driven).collect();
        let is_driven = |node: usize| driven.contains(&node);
        let rigs = skins::rigs(self.source, nodes, &used, &is_driven, self.report)?;
        rigs.into_iter().map(|rig| self.add_rig(rig, motions)).collect()
    }

    fn add_rig(&mut self, rig: Rig, motions: &[Motion]) -> Result<AnimatedMesh, ReadError> {
        let (source, nodes) = (self.source, self.nodes);
        let neutral = neutral_joint(&rig, nodes);
        let skin_joints = pieces::skin_joints(&rig, &source.document, neutral);
        let RigPieces { pieces, name, ours } =
            pieces::find((nodes, &self.copies), &source.document, &rig, &skin_joints);
        let hidden = pieces.iter().filter(|piece| nodes.hidden[piece.node]).count();
        let is_visible = hidden == 0 || hidden < pieces.len();
        let skin = rig.skins.first().map_or(0, |(skin, _)| *skin);
        let pointer = format!("/skins/{skin}");
        if pieces.len() > 1 {
            let text = format!("{} meshes of one skeleton become one surface", pieces.len());
            self.report.add(Severity::Note, "joined-meshes", &pointer, text);
        }
        if hidden > 0 && is_visible {
            let text = format!(
                "{} hidden; as part of a surface it is shown",
                counted(hidden, "mesh is", "meshes are")
            );
            self.report.add(Severity::Warning, "hidden-parts", &pointer, text);
        }
        let surface =
            surface::surface(source, &pieces, rig.blend_matrices.as_deref(), &pointer, self.report)?;
        let mesh = surface.as_ref().map(|surface| build_mesh(surface, &pointer)).transpose()?;
        let dropped = DroppedJoints { neutral, root: dropped_root(&rig, nodes, surface.as_ref(), motions) };
        let skin_name = source.document.skins.get(skin).and_then(|skin| skin.name.as_deref());
        let wanted = first_name([name, skin_name]);
        let name = self.names.unique(wanted.unwrap_or("Character"));
        let both = mesh.as_ref().zip(surface.as_ref());
        let (shapes, keys) = both
            .map(|(mesh, surface)| surface.shapes.keys(mesh, &surface.repaired.origins))
            .unwrap_or_default();
        if let Some(surface) = surface.as_ref().filter(|_| !shapes.is_empty()) {
            self.shaped.push(shaped_mesh(&name, &surface.shapes.sources, &shapes));
        }
        let mut rigged = SkinnedRig::new(rig, nodes, &dropped, both, ours.as_ref(), self.report);
        rigged.skeleton.shapes = shapes;
        rigged.hide_unused(&pointer, self.report);
        self.check_rigged(&rigged, &pointer)?;
        let transform = self.add_placement(rigged.rig.anchor, rigged.rig.anchor_from_mesh, &name);
        let parts = surface.map(|surface| surface.parts).unwrap_or_default();
        let (material, extra) = self.add_parts(&parts);
        let instance_name = self.name_instance(pieces.first().map(|piece| piece.node), &name);
        let instance = instance(transform, &name, material, is_visible);
        let instances = &mut self.scene.instances.skinned_meshes;
        instances.insert(instance_name, instance);
        let stored = rigged.stored.as_ref();
        let skinned = SkinnedMesh {
            surface: Arc::new(mesh.unwrap_or_default()),
            weights: Arc::new(rigged.weights.clone()),
            mesh_extra: extra,
            weight_method: stored.map_or(Method::FOR_NEW_MESHES, |stored| stored.weight_method),
            skinning: stored.map_or_else(Default::default, |stored| stored.skinning),
            poses: stored.map(|stored| stored.poses.clone()).unwrap_or_default(),
            shapes: Arc::new(keys),
            ..SkinnedMesh::default()
        };
        Ok(AnimatedMesh { name, pointer, rigged, skinned })
    }

    /// Refuses too many bones, and reports vertices without weights.
    fn check_rigged(&mut self, rigged: &SkinnedRig, pointer: &str) -> Result<(), ReadError> {
        let bones = rigged.skeleton.bones.len();
        if bones > usize::from(u16::MAX) {
            let problem = format!("the skeleton would have {bones} bones, and 65,535 are the most");
            return Err(super::refuse(pointer, problem));
        }
        let unweighted = rigged.weights.unweighted_count();
        if unweighted > 0 && rigged.weights.vertex_count() > 0 {
            let subject = counted(unweighted, "vertex has", "vertices have");
            let text = format!("{subject} no weights and will not move");
            self.report.add(Severity::Note, "no-weights", pointer, text);
        }
        Ok(())
    }

    /// Returns the name of a new instance of a resource, which a node shows.
    pub fn name_instance(&mut self, node: Option<usize>, resource: &str) -> String {
        let name = self.names.unique(&format!("{resource} instance"));
        if let Some(node) = node {
            self.instances.entry(self.nodes.name(node)).or_insert_with(|| name.clone());
        }
        name
    }

    /// Gives handles in the space of an instance the name that it has here; one that is missing leaves them off, in that of
    /// their mesh.
    fn find_spaces(&mut self) {
        let mut missing = 0;
        for shared in self.scene.skinned_meshes.values_mut() {
            let is_known = |name: &String| self.instances.contains_key(name.as_str());
            let is_lost =
                |handle: &Handle| handle.enabled && !handle.space_instance.as_ref().is_none_or(is_known);
            if shared.skeleton.handles.iter().any(is_lost) {
                let skeleton = Arc::make_mut(&mut Arc::make_mut(shared).skeleton);
                for handle in skeleton.handles.iter_mut().filter(|handle| is_lost(handle)) {
                    handle.enabled = false;
                    missing += 1;
                }
            }
            map_spaces(shared, &|name| self.instances.get(name).cloned());
        }
        if missing > 0 {
            let text = format!(
                "{} turned off: the file does not show what they go with",
                counted(missing, "handle is", "handles are")
            );
            self.report.add(Severity::Note, "handles-off", "/nodes", text);
        }
    }

    /// Adds meshes that no skeleton moves.
    fn add_meshes(&mut self, rigs: &[AnimatedMesh]) -> Result<(), ReadError> {
        let nodes = self.nodes;
        let is_driven = nodes.at_or_below(empties::joint_nodes(rigs));
        // A node with morph targets has a mesh of its own.
        let mut added: HashMap<(usize, Option<usize>), Option<AddedMesh>> = HashMap::new();
        for node in nodes.visible().filter(|node| !is_driven[*node]) {
            let node_data = &nodes.all[node];
            let Some(index) = node_data.mesh.filter(|_| node_data.skin.is_none()) else {
                continue;
            };
            let weights = Some(&*node_data.weights).filter(|weights| !weights.is_empty());
            let parts = &self.source.document.meshes[index].primitives;
            let has_targets = parts.iter().any(|part| !part.targets.is_empty());
            let key = (index, has_targets.then_some(node));
            let known = match added.get(&key) {
                Some(known) => known.clone(),
                None => {
                    let new = self.add_mesh(index, weights, node)?;
                    added.insert(key, new.clone());
                    new
                }
            };
            let Some((mesh, material)) = known else { continue };
            let copies = self.copies.get(&node).cloned().unwrap_or_else(|| vec![DAffine3::IDENTITY]);
            for copy in copies {
                let transform = self.add_placement(Some(node), copy, &mesh);
                let name = self.name_instance(Some(node), &mesh);
                let instance = instance(transform, &mesh, material.clone(), !nodes.hidden[node]);
                let instances = &mut self.scene.instances;
                let table = if has_targets { &mut instances.skinned_meshes } else { &mut instances.meshes };
                table.insert(name, instance);
            }
        }
        let elsewhere =
            (0..nodes.all.len()).filter(|node| !nodes.shown[*node] && !nodes.is_empty(*node)).count();
        if elsewhere > 0 {
            let text = format!(
                "{} not in the scene that the file shows, and left out",
                counted(elsewhere, "mesh, camera or light is", "meshes, cameras or lights are")
            );
            self.report.add(Severity::Warning, "left-out", "/scenes", text);
        }
        Ok(())
    }

    /// Adds the mesh of a node, and returns the names of the mesh and its material. One with shapes is a skinned mesh without
    /// bones.
    fn add_mesh(
        &mut self,
        index: usize,
        weights: Option<&[f64]>,
        node: usize,
    ) -> Result<Option<AddedMesh>, ReadError> {
        let pointer = format!("/meshes/{index}");
        let piece =
            Piece { node, mesh: index, matrix: DAffine3::IDENTITY, binding: Binding::Nothing, weights };
        let Some(surface) = surface::surface(self.source, &[piece], None, &pointer, self.report)? else {
            return Ok(None);
        };
        let mesh = build_mesh(&surface, &pointer)?;
        let mesh_name = self.source.document.meshes[index].name.as_deref();
        let wanted = first_name([mesh_name, Some(self.nodes.name(node))]);
        let name = self.names.unique(wanted.unwrap_or("Mesh"));
        let (material, extra) = self.add_parts(&surface.parts);
        let weights = Arc::new(VertexWeights::none(mesh.vertex_count()));
        let (shapes, keys) = surface.shapes.keys(&mesh, &surface.repaired.origins);
        if shapes.is_empty() {
            let mesh = Mesh { surface: Arc::new(mesh), weights, extra };
            self.scene.meshes.insert(name.clone(), Arc::new(mesh));
        } else {
            self.shaped.push(shaped_mesh(&name, &surface.shapes.sources, &shapes));
            let skinned = SkinnedMesh {
                surface: Arc::new(mesh),
                weights,
                skeleton: Arc::new(Skeleton { shapes, ..Skeleton::default() }),
                shapes: Arc::new(keys),
                mesh_extra: extra,
                ..SkinnedMesh::default()
            };
            self.scene.skinned_meshes.insert(name.clone(), Arc::new(skinned));
        }
        Ok(Some((name, material)))
    }

    /// Adds the materials of parts. Returns the material of the largest part, and all parts as an extra
    /// member of the mesh if there are several.
    fn add_parts(&mut self, parts: &[(Option<usize>, usize)]) -> (Option<String>, Extra) {
        let mut extra = Extra::default();
        let mut faces: HashMap<Option<usize>, usize> = HashMap::new();
        parts.iter().for_each(|(material, count)| *faces.entry(*material).or_default() += count);
        let mut name = |material: Option<usize>| {
            let materials = &mut self.materials;
            Some(materials.add(material?, &mut self.scene, &mut self.names, self.report))
        };
        let largest = faces.iter().max_by_key(|(material, count)| (**count, std::cmp::Reverse(**material)));
        let largest = largest.and_then(|(material, _)| name(*material));
        if faces.len() > 1 {
            let parts =
                parts.iter().map(|(material, faces)| Part { material: name(*material), faces: *faces });
            parts::set(&mut extra, parts);
        }
        (largest, extra)
    }

    /// Returns the name of the transform of a node, and adds it and those of its ancestors if necessary.
    pub fn add_transform(&mut self, node: usize) -> String {
        let ancestors: Vec<usize> = self.nodes.ancestors(node).collect();
        let mut parent: Option<String> = None;
        for node in ancestors.into_iter().rev() {
            if let Some(name) = self.transforms.get(&node) {
                parent = Some(name.clone());
                continue;
            }
            let transform = self.split_transform(self.nodes.local[node], parent);
            let wanted = self.nodes.name(node);
            let name = self.names.unique(if wanted.is_empty() { "Node" } else { wanted });
            self.scene.transforms.insert(name.clone(), Arc::new(transform));
            self.transforms.insert(node, name.clone());
            parent = Some(name);
        }
        parent.unwrap_or_default()
    }

    /// Returns the transform of an object with the matrix `node_from_object` relative to a node, and adds it
    /// if necessary.
    pub fn add_placement(
        &mut self,
        node: Option<usize>,
        node_from_object: DAffine3,
        name: &str,
    ) -> Option<String> {
        let parent = node.map(|node| self.add_transform(node));
        if parent.is_some() && node_from_object == DAffine3::IDENTITY {
            return parent;
        }
        let transform = self.split_transform(node_from_object, parent);
        let name = self.names.unique(&format!("{name} transform"));
        self.scene.transforms.insert(name.clone(), Arc::new(transform));
        Some(name)
    }

    fn split_transform(&mut self, matrix: DAffine3, parent: Option<String>) -> Transform {
        let Some((translation, rotation, scale)) = decompose(matrix, DVec3::ONE) else {
            // Flat, which Blender uses to hide objects.
            let axes = matrix.matrix3;
            let scale = [axes.x_axis, axes.y_axis, axes.z_axis].map(DVec3::length);
            let (translation, scale) = (matrix.translation.as_vec3(), DVec3::from_array(scale).as_vec3());
            return Transform { parent, translation, scale, ..Transform::default() };
        };
        let recomposed = DAffine3::from_scale_rotation_translation(scale, rotation, translation);
        let error = (recomposed.matrix3 - matrix.matrix3).to_cols_array();
        let error = error.into_iter().map(f64::abs).fold(0.0, f64::max);
        self.sheared += usize::from(error > 1e-4 * scale.abs().max_element());
        let (translation, rotation, scale) = (translation.as_vec3(), rotation.as_quat(), scale.as_vec3());
        Transform { parent, translation, rotation, scale, ..Transform::default() }
    }

    pub fn document(&self) -> &schema::Document {
        &self.source.document
    }
}

fn shaped_mesh(name: &str, sources: &[ShapeSource], shapes: &[Shape]) -> ShapedMesh {
    let weights = shapes.iter().map(|shape| shape.weight).collect();
    ShapedMesh { name: name.to_owned(), sources: sources.to_vec(), weights }
}

fn build_mesh(surface: &Surface, pointer: &str) -> Result<HalfedgeMesh, ReadError> {
    surface
        .repaired
        .polygons
        .build()
        .map_err(|error| super::refuse(pointer, format!("the mesh could not be repaired: {error}")))
}

fn first_name(names: [Option<&str>; 2]) -> Option<&str> {
    names.into_iter().flatten().find(|name| !name.is_empty())
}

fn instance(
    transform: Option<String>,
    resource: &str,
    material: Option<String>,
    visible: bool,
) -> Arc<GeometryInstance> {
    Arc::new(GeometryInstance {
        transform,
        resource: Some(resource.to_owned()),
        material,
        settings: GeometrySettings { visible, ..GeometrySettings::default() },
        ..GeometryInstance::default()
    })
}

/// Returns the joint that Blender's exporter adds for vertices without weights.
fn neutral_joint(rig: &Rig, nodes: &Nodes) -> Option<usize> {
    let mut joints = rig.joints.iter().map(|joint| joint.node);
    joints.position(|node| {
        nodes.name(node) == "neutral_bone" && nodes.all[node].children.is_empty() && rig.joints.len() > 1
    })
}

/// Returns the root joint if it only carries the whole: no vertex has it, it never rotates, and several
/// joints are attached to it (as in our own exports), or the only one moves.
fn dropped_root(rig: &Rig, nodes: &Nodes, surface: Option<&Surface>, motions: &[Motion]) -> Option<usize> {
    let mut roots = (0..rig.joints.len()).filter(|joint| {
        rig.joints[*joint].parent.is_none() && nodes.name(rig.joints[*joint].node) != "neutral_bone"
    });
    let (root, None) = (roots.next()?, roots.next()) else {
        return None;
    };
    let children: Vec<usize> =
        (0..rig.joints.len()).filter(|joint| rig.joints[*joint].parent == Some(root)).collect();
    let node = rig.joints[root].node;
    let is_animated = |path| motions.iter().any(|motion| motion.changes(node, path));
    let is_translated = |joint: &usize| {
        motions.iter().any(|motion| motion.changes(rig.joints[*joint].node, schema::Path::Translation))
    };
    let is_our_root = children.len() > 1 && nodes.name(node) == "root";
    let is_carrier =
        children.len() == 1 && is_translated(&children[0]) && !is_animated(schema::Path::Translation);
    if rig.posed
        || !(is_our_root || is_carrier)
        || is_animated(schema::Path::Rotation)
        || is_animated(schema::Path::Scale)
    {
        return None;
    }
    let has_weights = surface.is_some_and(|surface| surface.rows.has_joint(root as u16));
    (!has_weights).then_some(root)
}
