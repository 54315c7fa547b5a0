//! Writes a scene as glTF 2.0: its visible content and its takes. The output depends only on the scene, the
//! options and the pictures.

mod animation;
mod binary;
pub mod error;
mod exact;
mod images;
mod influences;
pub mod joints;
mod keys;
mod losses;
mod materials;
mod motion;
mod names;
mod nodes;
mod placement;
mod progress;
mod readable;
mod shapes;
mod skins;
mod surface;
mod takes;
mod tracks;
mod visible;

use super::glb;
use super::packed;
use super::schema::{
    Asset, Buffer, Document, DocumentExtensions, Index, Lights, Mesh, Node, NodeExtensions, NodeLight, Path,
    Scene as SceneNodes,
};
use crate::extra::Extra;
use crate::io::count::counted;
use crate::io::export::{ExportOptions, Images, Interpolation};
use crate::io::js3d;
use crate::io::report::{Report, Severity};
use crate::mesh::primitives;
use crate::scene::Scene;
use crate::scene::instance::GeometryInstance;
use crate::scene::names::Kind;
use binary::Binary;
pub use error::ExportError;
use glam::{DQuat, DVec3};

use materials::Materials;
use motion::{Motion, Samples};
use nodes::Nodes;
use placement::Tree;
use progress::Progress;
use skins::SkinExport;
use std::collections::BTreeMap;
use std::f64::consts::FRAC_PI_2;
use surface::Triangles;
use takes::Take;
use visible::VisibleInstances;

/// A scene as glTF: JSON and binary data, and a report of what other programs will show differently.
pub struct Export {
    pub document: Document,
    /// The only buffer.
    pub bytes: Vec<u8>,
    pub report: Report,
}

impl Export {
    /// Returns the content of a single file (`.glb`).
    ///
    /// # Errors
    /// If the file would be too large.
    pub fn glb(&self) -> Result<Vec<u8>, ExportError> {
        Ok(glb::write(&self.json(None)?, &self.bytes)?)
    }

    /// Returns the JSON of two files (`.gltf` and `.bin`), the second of which is called `uri` and contains
    /// [`Self::bytes`].
    ///
    /// # Errors
    /// If it cannot be written as JSON.
    pub fn gltf(&self, uri: &str) -> Result<Vec<u8>, ExportError> {
        self.json(Some(uri.to_owned()))
    }

    fn json(&self, uri: Option<String>) -> Result<Vec<u8>, ExportError> {
        let buffer = Buffer { uri, byte_length: self.bytes.len(), ..Buffer::default() };
        let document = Document {
            buffers: if self.bytes.is_empty() { Vec::new() } else { vec![buffer] },
            ..self.document.clone()
        };
        let json = document.to_json().map_err(|error| ExportError::Json(error.to_string()))?;
        Ok(packed::seal(json, &document, &self.bytes))
    }
}

/// The state of an export.
struct Writer<'s> {
    scene: &'s Scene,
    options: &'s ExportOptions,
    images: Images<'s>,
    progress: Progress<'s>,
    binary: Binary,
    nodes: Nodes,
    materials: Materials<'s>,
    document: Document,
    report: Report,
    /// Nodes of the transforms.
    transforms: BTreeMap<&'s str, Index>,
    /// Meshes by their kind, name and material.
    meshes: BTreeMap<(Kind, &'s str, Option<&'s str>), Index>,
}

/// Writes the scene. `images` finds the bytes of pictures that it names by path.
///
/// # Errors
/// If a number is not finite, a take does not exist or is too long, or the file would be too large.
pub fn export(scene: &Scene, options: &ExportOptions, images: Images) -> Result<Export, ExportError> {
    export_with_progress(scene, options, images, &|_| true)
}

/// Writes the scene like [`export`]. `progress` receives the fraction done, from 0 to 1, and returns whether
/// to continue.
///
/// # Errors
/// The errors of [`export`], and [`ExportError::Cancelled`].
pub fn export_with_progress(
    scene: &Scene,
    options: &ExportOptions,
    images: Images,
    progress: &dyn Fn(f32) -> bool,
) -> Result<Export, ExportError> {
    let visible = VisibleInstances::new(scene);
    let takes = takes::takes(scene, options)?;
    // The report needs each skinned mesh at each frame, the animations each half frame and subdivisions.
    let frames: u64 = takes.iter().map(Take::frames).sum();
    let poses = frames.saturating_mul(visible.by_mesh().len() as u64 + 4);
    let mut writer = Writer {
        scene,
        options,
        images,
        progress: Progress::new(progress, poses),
        binary: Binary::default(),
        nodes: Nodes::default(),
        materials: Materials::default(),
        document: Document::default(),
        report: Report::default(),
        transforms: BTreeMap::new(),
        meshes: BTreeMap::new(),
    };
    losses::scene(scene, &visible, &mut writer.report);
    // Bones first, so that their names remain unchanged.
    let mut skinned = writer.prepare_skinned(&visible)?;
    writer.write_transforms(&visible)?;
    for mesh in &mut skinned {
        writer.write_instances(mesh)?;
        let Writer { progress, report, .. } = &mut writer;
        losses::skin(scene, mesh, &takes, progress, report)?;
    }
    let spheres = writer.write_rigid(&visible)?;
    writer.write_cameras_and_lights(&visible)?;
    writer.write_animations(&skinned, &spheres, &takes)?;
    writer.finish()
}

impl<'s> Writer<'s> {
    /// Prepares the skinned meshes that have bones, and names their joints.
    fn prepare_skinned(
        &mut self,
        visible: &VisibleInstances<'s>,
    ) -> Result<Vec<SkinExport<'s>>, ExportError> {
        let mut result = Vec::new();
        for (name, (mesh, instances)) in visible.by_mesh() {
            if mesh.skeleton.bones.is_empty() {
                continue;
            }
            let Self { binary, nodes, .. } = self;
            let prepared =
                SkinExport::new(self.scene, name, mesh, instances, binary, &mut nodes.names, self.options)?;
            match prepared {
                Some(prepared) => result.push(prepared),
                None => self.report_no_faces(name),
            }
        }
        Ok(result)
    }

    fn report_no_faces(&mut self, name: &str) {
        let place = format!("mesh “{name}”");
        self.report.add(Severity::Warning, "no-faces", place, "left out: it has no faces");
    }

    fn write_transforms(&mut self, visible: &VisibleInstances<'s>) -> Result<(), ExportError> {
        let scene = self.scene;
        for (name, parent) in Tree::new(scene, visible.transforms()).transforms {
            let Some(transform) = scene.transforms.get(name) else {
                continue;
            };
            let mut node = Node::default();
            let values = motion::transform_values(transform);
            for (path, value) in [Path::Translation, Path::Rotation, Path::Scale].into_iter().zip(values) {
                error::all_finite(value.is_finite(), || format!("a number of transform “{name}”"))?;
                motion::set_property(&mut node, path, value);
            }
            let parent = parent.and_then(|parent| self.transforms.get(parent).copied());
            let index = self.nodes.add_named(parent, name, node);
            self.transforms.insert(name, index);
        }
        Ok(())
    }

    fn transform_node(&self, name: Option<&str>) -> Option<Index> {
        self.transforms.get(name?).copied()
    }

    /// Returns the index of a mesh with the material of an instance, or with those of its parts.
    fn add_mesh(
        &mut self,
        kind: Kind,
        name: &'s str,
        instance: &'s GeometryInstance,
        triangles: &Triangles,
    ) -> Result<Index, ExportError> {
        let material_name = instance.material.as_deref();
        if let Some(&index) = self.meshes.get(&(kind, name, material_name)) {
            return Ok(index);
        }
        let mut materials = Vec::new();
        for material in triangles.materials(material_name) {
            let Self { scene, binary, images, report, .. } = self;
            materials.push(self.materials.material(scene, material, binary, *images, report)?);
        }
        let primitives = triangles.primitives(&materials);
        let mut mesh = Mesh { name: Some(name.to_owned()), primitives, ..Mesh::default() };
        if let Some(skinned) = self.scene.skinned_meshes.get(name).filter(|_| kind == Kind::SkinnedMesh) {
            shapes::describe(&mut mesh, &skinned.skeleton);
        }
        self.document.meshes.push(mesh);
        let index = self.document.meshes.len() - 1;
        self.meshes.insert((kind, name, material_name), index);
        Ok(index)
    }

    fn write_instances(&mut self, skinned: &mut SkinExport<'s>) -> Result<(), ExportError> {
        for index in 0..skinned.instances.len() {
            let instance = skinned.instances[index].instance;
            let mesh = self.add_mesh(Kind::SkinnedMesh, skinned.name, instance, &skinned.triangles)?;
            let space = self.transform_node(instance.transform.as_deref());
            let Self { nodes, document, .. } = self;
            skinned.write_instance(index, space, mesh, nodes, &mut document.skins, self.options);
        }
        Ok(())
    }

    /// Writes meshes and shapes, including skinned meshes without bones. Returns the nodes of shapes, whose
    /// radius may be animated.
    fn write_rigid(
        &mut self,
        visible: &VisibleInstances<'s>,
    ) -> Result<BTreeMap<&'s str, Vec<Index>>, ExportError> {
        let mut triangles: BTreeMap<(Kind, &str), Option<Triangles>> = BTreeMap::new();
        let boneless = visible.skinned.iter().filter(|(.., mesh)| mesh.skeleton.bones.is_empty());
        let boneless = boneless.map(|(name, instance, mesh_name, mesh)| {
            (
                Kind::SkinnedMesh,
                (*name, *instance),
                *mesh_name,
                (&*mesh.surface, &mesh.mesh_extra),
                &mesh.shapes[..],
            )
        });
        let meshes = visible.meshes.iter().map(|(name, instance, mesh_name, mesh)| {
            (Kind::Mesh, (*name, *instance), *mesh_name, (&*mesh.surface, &mesh.extra), &[][..])
        });
        for (kind, instance, mesh_name, surface, keys) in boneless.chain(meshes).collect::<Vec<_>>() {
            let found = match triangles.get(&(kind, mesh_name)) {
                Some(found) => found.clone(),
                None => {
                    let written = Triangles::write(&mut self.binary, mesh_name, surface, keys, None)?;
                    if written.is_none() {
                        self.report_no_faces(mesh_name);
                    }
                    triangles.insert((kind, mesh_name), written.clone());
                    written
                }
            };
            if let Some(found) = found {
                self.add_rigid_node(kind, instance, mesh_name, &found, None)?;
            }
        }
        let mut spheres: BTreeMap<&str, Vec<Index>> = BTreeMap::new();
        let mut sphere = None;
        for (name, instance, shape_name, shape) in &visible.shapes {
            let found = match &sphere {
                Some(found) => Triangles::clone(found),
                None => {
                    let surface = primitives::uv_sphere(1.0, 32, 16).unwrap_or_default();
                    let surface = (&surface, &Extra::default());
                    let Some(triangles) = Triangles::write(&mut self.binary, "sphere", surface, &[], None)?
                    else {
                        break;
                    };
                    sphere.insert(triangles).clone()
                }
            };
            let radius = error::finite(shape.radius, || format!("the radius of “{shape_name}”"))?;
            let scale = Some(DVec3::splat(radius));
            let node = self.add_rigid_node(Kind::Shape, (name, instance), shape_name, &found, scale)?;
            spheres.entry(shape_name).or_default().push(node);
        }
        Ok(spheres)
    }

    fn add_rigid_node(
        &mut self,
        kind: Kind,
        (name, instance): (&str, &'s GeometryInstance),
        mesh_name: &'s str,
        triangles: &Triangles,
        scale: Option<DVec3>,
    ) -> Result<Index, ExportError> {
        let mesh = self.add_mesh(kind, mesh_name, instance, triangles)?;
        let parent = self.transform_node(instance.transform.as_deref());
        let node = Node { mesh: Some(mesh), scale, ..Node::default() };
        Ok(self.nodes.add_named(parent, name, node))
    }

    fn write_cameras_and_lights(&mut self, visible: &VisibleInstances<'s>) -> Result<(), ExportError> {
        let mut written: BTreeMap<&str, Index> = BTreeMap::new();
        for (name, instance, resource, camera) in &visible.cameras {
            if !written.contains_key(resource) {
                self.document.cameras.push(materials::camera(resource, camera)?);
                written.insert(resource, self.document.cameras.len() - 1);
            }
            let parent = self.transform_node(instance.transform.as_deref());
            let node = Node { camera: written.get(resource).copied(), ..Node::default() };
            self.nodes.add_named(parent, name, node);
        }
        let (mut lights, mut written) = (Vec::new(), BTreeMap::<&str, Index>::new());
        for (name, instance, resource, light) in &visible.lights {
            let light = match written.get(resource) {
                Some(&light) => light,
                None => {
                    lights.push(materials::light(resource, light)?);
                    written.insert(resource, lights.len() - 1);
                    lights.len() - 1
                }
            };
            let parent = self.transform_node(instance.transform.as_deref());
            let node = Node {
                // Lights shine along +y here, along -z in glTF.
                rotation: Some(DQuat::from_rotation_x(FRAC_PI_2)),
                extensions: Some(NodeExtensions {
                    lights_punctual: Some(NodeLight { light }),
                    ..NodeExtensions::default()
                }),
                ..Node::default()
            };
            self.nodes.add_named(parent, name, node);
        }
        if !lights.is_empty() {
            let lights_punctual = Some(Lights { lights });
            self.document.extensions = Some(DocumentExtensions { lights_punctual });
        }
        Ok(())
    }

    fn write_animations(
        &mut self,
        skinned: &[SkinExport<'s>],
        spheres: &BTreeMap<&'s str, Vec<Index>>,
        takes: &[Take],
    ) -> Result<(), ExportError> {
        let scene = self.scene;
        let is_animated = |name: &&str| scene.animation.channels.contains_key(*name);
        let motion = Motion {
            scene,
            skins: skinned.iter().map(|skinned| (skinned.name, &skinned.joints)).collect(),
            transforms: self.transforms.keys().copied().filter(is_animated).collect(),
            shapes: spheres.keys().copied().filter(is_animated).collect(),
        };
        let size = skinned.iter().map(|skinned| losses::size(skinned.mesh)).fold(0.0, f32::max);
        let size = if size > 0.0 { f64::from(size) } else { 1.0 };
        let rest = if self.options.pose_in_nodes {
            motion.values(scene, &self.progress.ik)
        } else {
            motion.rest(&self.progress.ik)
        };
        let tracks = tracks::tracks(&motion, skinned, &self.transforms, spheres, size, rest);
        for track in &tracks {
            for &node in &track.nodes {
                motion::set_property(&mut self.nodes.nodes[node], track.path, track.rest);
            }
        }
        takes::check_values(takes, tracks.len())?;
        let rate = f64::from(scene.animation.clip.rate);
        let mut samples = Samples::new(&motion, &mut self.progress);
        let (animations, bent) = animation::animations(
            &mut self.binary,
            &mut samples,
            &tracks,
            takes,
            rate,
            self.options.interpolation,
        )?;
        self.document.animations = animations;
        if bent > 0 && self.options.interpolation == Interpolation::Keyed {
            let text = format!(
                "{} on tangents, which Blender ignores; for Blender, export with linear interpolation",
                counted(bent, "curve depends", "curves depend")
            );
            self.report.add(Severity::Warning, "tangents", "", text);
        }
        let mut nodes_of_bones = BTreeMap::new();
        for mesh in skinned {
            for (bone, node) in mesh.node_names() {
                nodes_of_bones.entry(bone).or_insert(node);
            }
        }
        let extras = self.document.animations.iter_mut().filter_map(|animation| animation.extras.as_mut());
        extras.for_each(|extras| takes::name_feet(extras, &nodes_of_bones));
        let meshes = self.meshes.iter().filter(|((kind, ..), _)| *kind == Kind::SkinnedMesh);
        let meshes: Vec<(&str, Index)> = meshes.map(|((_, name, _), mesh)| (*name, *mesh)).collect();
        let Self { nodes, binary, document, .. } = self;
        shapes::add_tracks(scene, takes, &meshes, nodes, binary, &mut document.animations);
        binary.check_finite(|| "the weight of a shape".to_owned())
    }

    fn finish(mut self) -> Result<Export, ExportError> {
        let changed = self.nodes.names.changed_elsewhere();
        if changed > 0 {
            let text = format!(
                "{} one of : / [ ], which three.js leaves out and Godot partly replaces: animations still work there, \
                 scripts must use the changed names",
                counted(changed, "name has", "names have")
            );
            self.report.add(Severity::Note, "names", "", text);
        }
        let document = &mut self.document;
        document.asset = Asset {
            version: "2.0".to_owned(),
            generator: Some(concat!("Ossature ", env!("CARGO_PKG_VERSION")).to_owned()),
            ..Asset::default()
        };
        document.scene = Some(0);
        document.scenes = vec![SceneNodes { nodes: self.nodes.roots, ..SceneNodes::default() }];
        document.nodes = self.nodes.nodes;
        document.materials = self.materials.materials;
        document.textures = self.materials.textures;
        document.images = self.materials.images;
        document.accessors = self.binary.accessors;
        document.buffer_views = self.binary.views;
        document.extensions_used = document.used_extensions();
        readable::check(document, self.binary.bytes.len())?;
        let mut bytes = self.binary.bytes;
        bytes.resize(bytes.len().next_multiple_of(4), 0);
        if self.options.scene {
            let scene = js3d::write(self.scene).map_err(|error| ExportError::Scene(error.to_string()))?;
            packed::add(document, &mut bytes, &scene);
        }
        let largest = self.binary.largest;
        let export = Export { document: self.document, bytes, report: self.report };
        readable::check_products(&export, largest)?;
        Ok(export)
    }
}
