//! Writes a scene as glTF 2.0: what is seen, with its takes. What a file holds is a function of the scene, the options
//! and the pictures alone.

mod animation;
mod binary;
mod images;
mod influences;
pub mod joints;
mod keys;
mod losses;
mod materials;
mod motion;
mod names;
mod nodes;
pub mod options;
mod placed;
mod placement;
mod skins;
mod surface;
mod takes;
mod tracks;
mod watch;

use super::glb;
use super::packed;
use super::schema::{
    Asset, Buffer, Document, DocumentExtensions, Index, Lights, Mesh, Node, NodeExtensions, NodeLight, Path,
    Scene as SceneNodes,
};
use crate::extra::Extra;
use crate::io::js3d;
use crate::io::report::{Report, Severity};
use crate::mesh::primitives;
use crate::scene::Scene;
use crate::scene::instance::GeometryInstance;
use crate::scene::names::Kind;
use binary::Binary;
use glam::{DQuat, DVec3};
pub use keys::FRAME_PARTS;
use materials::Materials;
use motion::{Motion, Samples};
use nodes::Nodes;
pub use options::{ExportError, Images, Influences, Interpolation, Options};
use placed::Placed;
use placement::Tree;
use skins::Skinned;
use std::collections::BTreeMap;
use std::f64::consts::FRAC_PI_2;
use surface::Triangles;
use takes::Take;
use watch::Watch;

/// A scene as glTF: JSON and bytes, and what other programs will show otherwise.
pub struct Export {
    pub document: Document,
    /// The only buffer.
    pub bytes: Vec<u8>,
    pub report: Report,
}

impl Export {
    /// As one file (`.glb`).
    ///
    /// # Errors
    /// If it would be too large.
    pub fn glb(&self) -> Result<Vec<u8>, ExportError> {
        Ok(glb::write(&self.json(None)?, &self.bytes)?)
    }

    /// The JSON of two files (`.gltf` and `.bin`), the second of which is called `uri` and holds [`Self::bytes`].
    ///
    /// # Errors
    /// If it cannot be written as JSON.
    pub fn gltf(&self, uri: &str) -> Result<Vec<u8>, ExportError> {
        self.json(Some(uri.to_owned()))
    }

    fn json(&self, uri: Option<String>) -> Result<Vec<u8>, ExportError> {
        let buffer = Buffer {
            uri,
            byte_length: self.bytes.len(),
            ..Buffer::default()
        };
        let document = Document {
            buffers: if self.bytes.is_empty() {
                Vec::new()
            } else {
                vec![buffer]
            },
            ..self.document.clone()
        };
        let json = document
            .to_json()
            .map_err(|error| ExportError::Json(error.to_string()))?;
        Ok(packed::sealed(json, &document, &self.bytes))
    }
}

/// A scene under way to a file.
struct Writer<'s> {
    scene: &'s Scene,
    options: &'s Options,
    images: Images<'s>,
    watch: Watch<'s>,
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
/// If a number is not finite, a take is not there or too long, or the file would be too large.
pub fn export(scene: &Scene, options: &Options, images: Images) -> Result<Export, ExportError> {
    export_watched(scene, options, images, &|_| true)
}

/// As [`export`]. `progress` is told what part is done, from 0 to 1; false ends it.
///
/// # Errors
/// As [`export`]; [`ExportError::Cancelled`].
pub fn export_watched(
    scene: &Scene,
    options: &Options,
    images: Images,
    progress: &dyn Fn(f32) -> bool,
) -> Result<Export, ExportError> {
    let placed = Placed::new(scene);
    let takes = takes::takes(scene, options)?;
    // For the report, each skinned mesh at each frame; for the animations, each half frame and what is finer.
    let frames: u64 = takes.iter().map(Take::frames).sum();
    let poses = frames.saturating_mul(placed.by_mesh().len() as u64 + 4);
    let mut writer = Writer {
        scene,
        options,
        images,
        watch: Watch::new(progress, poses),
        binary: Binary::default(),
        nodes: Nodes::default(),
        materials: Materials::default(),
        document: Document::default(),
        report: Report::default(),
        transforms: BTreeMap::new(),
        meshes: BTreeMap::new(),
    };
    losses::scene(scene, &placed, &mut writer.report);
    // Bones first: they keep their names.
    let mut skinned = writer.skinned(&placed)?;
    writer.transforms(&placed)?;
    for mesh in &mut skinned {
        writer.instances(mesh)?;
        let Writer { watch, report, .. } = &mut writer;
        losses::skin(scene, mesh, &takes, watch, report)?;
    }
    let spheres = writer.rigid(&placed)?;
    writer.cameras_and_lights(&placed)?;
    writer.animate(&skinned, &spheres, &takes)?;
    writer.finish()
}

impl<'s> Writer<'s> {
    /// The skinned meshes that have bones; names of joints are given.
    fn skinned(&mut self, placed: &Placed<'s>) -> Result<Vec<Skinned<'s>>, ExportError> {
        let mut found = Vec::new();
        for (name, (mesh, instances)) in placed.by_mesh() {
            if mesh.skeleton.bones.is_empty() {
                continue;
            }
            let Self { binary, nodes, .. } = self;
            let made = Skinned::new(
                self.scene,
                name,
                mesh,
                instances,
                binary,
                &mut nodes.names,
                self.options,
            )?;
            match made {
                Some(made) => found.push(made),
                None => self.no_faces(name),
            }
        }
        Ok(found)
    }

    fn no_faces(&mut self, name: &str) {
        let at = format!("mesh “{name}”");
        self.report
            .add(Severity::Warning, "no-faces", at, "left out: it has no faces");
    }

    fn transforms(&mut self, placed: &Placed<'s>) -> Result<(), ExportError> {
        let scene = self.scene;
        for (name, parent) in Tree::new(scene, placed.transforms()).transforms {
            let Some(transform) = scene.transforms.get(name) else {
                continue;
            };
            let mut node = Node::default();
            let values = motion::transform_values(transform);
            for (path, value) in [Path::Translation, Path::Rotation, Path::Scale]
                .into_iter()
                .zip(values)
            {
                options::finite(value.element_sum(), || format!("a number of transform “{name}”"))?;
                motion::set(&mut node, path, value);
            }
            let parent = parent.and_then(|parent| self.transforms.get(parent).copied());
            let index = self.nodes.add_named(parent, name, node);
            self.transforms.insert(name, index);
        }
        Ok(())
    }

    fn transform(&self, name: Option<&str>) -> Option<Index> {
        self.transforms.get(name?).copied()
    }

    /// The index of a mesh as an instance shows it: with its material, or those of the parts of the mesh.
    fn mesh(
        &mut self,
        kind: Kind,
        name: &'s str,
        instance: &'s GeometryInstance,
        triangles: &Triangles,
    ) -> Result<Index, ExportError> {
        let wanted = instance.material.as_deref();
        if let Some(&index) = self.meshes.get(&(kind, name, wanted)) {
            return Ok(index);
        }
        let mut materials = Vec::new();
        for material in triangles.materials(wanted) {
            let Self {
                scene,
                binary,
                images,
                report,
                ..
            } = self;
            materials.push(
                self.materials
                    .material(scene, material, binary, *images, report)?,
            );
        }
        self.document.meshes.push(Mesh {
            name: Some(name.to_owned()),
            primitives: triangles.primitives(&materials),
            ..Mesh::default()
        });
        let index = self.document.meshes.len() - 1;
        self.meshes.insert((kind, name, wanted), index);
        Ok(index)
    }

    fn instances(&mut self, skinned: &mut Skinned<'s>) -> Result<(), ExportError> {
        for at in 0..skinned.instances.len() {
            let instance = skinned.instances[at].of;
            let mesh = self.mesh(Kind::SkinnedMesh, skinned.name, instance, &skinned.triangles)?;
            let space = self.transform(instance.transform.as_deref());
            let Self { nodes, document, .. } = self;
            skinned.place(at, space, mesh, nodes, &mut document.skins, self.options);
        }
        Ok(())
    }

    /// Meshes and shapes, also skinned meshes without bones. Nodes of shapes whose radius moves come back.
    fn rigid(&mut self, placed: &Placed<'s>) -> Result<BTreeMap<&'s str, Vec<Index>>, ExportError> {
        let mut triangles: BTreeMap<(Kind, &str), Option<Triangles>> = BTreeMap::new();
        let boneless = placed
            .skinned
            .iter()
            .filter(|(.., mesh)| mesh.skeleton.bones.is_empty());
        let boneless = boneless.map(|(name, instance, of, mesh)| {
            (
                Kind::SkinnedMesh,
                (*name, *instance),
                *of,
                (&*mesh.surface, &mesh.mesh_extra),
            )
        });
        let meshes = placed.meshes.iter().map(|(name, instance, of, mesh)| {
            (Kind::Mesh, (*name, *instance), *of, (&*mesh.surface, &mesh.extra))
        });
        for (kind, instance, mesh_name, surface) in boneless.chain(meshes).collect::<Vec<_>>() {
            let found = match triangles.get(&(kind, mesh_name)) {
                Some(found) => found.clone(),
                None => {
                    let made = Triangles::write(&mut self.binary, mesh_name, surface, None)?;
                    if made.is_none() {
                        self.no_faces(mesh_name);
                    }
                    triangles.insert((kind, mesh_name), made.clone());
                    made
                }
            };
            if let Some(found) = found {
                self.rigid_node(kind, instance, mesh_name, &found, None)?;
            }
        }
        let mut spheres: BTreeMap<&str, Vec<Index>> = BTreeMap::new();
        let mut ball = None;
        for (name, instance, shape_name, shape) in &placed.shapes {
            let found = match &ball {
                Some(found) => Triangles::clone(found),
                None => {
                    let surface = primitives::uv_sphere(1.0, 32, 16).unwrap_or_default();
                    let surface = (&surface, &Extra::default());
                    let Some(made) = Triangles::write(&mut self.binary, "sphere", surface, None)? else {
                        break;
                    };
                    ball.insert(made).clone()
                }
            };
            let radius = options::finite(shape.radius, || format!("the radius of “{shape_name}”"))?;
            let scale = Some(DVec3::splat(radius));
            let node = self.rigid_node(Kind::Shape, (name, instance), shape_name, &found, scale)?;
            spheres.entry(shape_name).or_default().push(node);
        }
        Ok(spheres)
    }

    fn rigid_node(
        &mut self,
        kind: Kind,
        (name, instance): (&str, &'s GeometryInstance),
        mesh_name: &'s str,
        triangles: &Triangles,
        scale: Option<DVec3>,
    ) -> Result<Index, ExportError> {
        let mesh = self.mesh(kind, mesh_name, instance, triangles)?;
        let parent = self.transform(instance.transform.as_deref());
        let node = Node {
            mesh: Some(mesh),
            scale,
            ..Node::default()
        };
        Ok(self.nodes.add_named(parent, name, node))
    }

    fn cameras_and_lights(&mut self, placed: &Placed<'s>) -> Result<(), ExportError> {
        let mut written: BTreeMap<&str, Index> = BTreeMap::new();
        for (name, instance, of, camera) in &placed.cameras {
            if !written.contains_key(of) {
                self.document.cameras.push(materials::camera(of, camera)?);
                written.insert(of, self.document.cameras.len() - 1);
            }
            let parent = self.transform(instance.transform.as_deref());
            let node = Node {
                camera: written.get(of).copied(),
                ..Node::default()
            };
            self.nodes.add_named(parent, name, node);
        }
        let (mut lights, mut written) = (Vec::new(), BTreeMap::<&str, Index>::new());
        for (name, instance, of, light) in &placed.lights {
            let light = match written.get(of) {
                Some(&light) => light,
                None => {
                    lights.push(materials::light(of, light)?);
                    written.insert(of, lights.len() - 1);
                    lights.len() - 1
                }
            };
            let parent = self.transform(instance.transform.as_deref());
            let node = Node {
                // Along +y here, along -z there.
                rotation: Some(DQuat::from_rotation_x(FRAC_PI_2)),
                extensions: Some(NodeExtensions {
                    lights_punctual: Some(NodeLight { light }),
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

    fn animate(
        &mut self,
        skinned: &[Skinned<'s>],
        spheres: &BTreeMap<&'s str, Vec<Index>>,
        takes: &[Take],
    ) -> Result<(), ExportError> {
        let scene = self.scene;
        let is_animated = |name: &&str| scene.animation.channels.contains_key(*name);
        let motion = Motion {
            scene,
            skins: skinned
                .iter()
                .map(|skinned| (skinned.name, &skinned.joints))
                .collect(),
            transforms: self.transforms.keys().copied().filter(is_animated).collect(),
            shapes: spheres.keys().copied().filter(is_animated).collect(),
        };
        let size = skinned
            .iter()
            .map(|skinned| losses::size(skinned.mesh))
            .fold(0.0, f32::max);
        let size = if size > 0.0 { f64::from(size) } else { 1.0 };
        let rest = match self.options.pose_in_nodes {
            true => motion.values(scene),
            false => motion.rest(),
        };
        let tracks = tracks::tracks(&motion, skinned, &self.transforms, spheres, size, rest);
        for track in &tracks {
            for &node in &track.nodes {
                motion::set(&mut self.nodes.nodes[node], track.path, track.rest);
            }
        }
        let values = tracks.len() as u64 * takes.iter().map(Take::frames).sum::<u64>();
        if values > options::MOST_VALUES {
            return Err(ExportError::TooManyValues { values });
        }
        let rate = f64::from(scene.animation.clip.rate);
        let mut samples = Samples::new(&motion, &mut self.watch);
        self.document.animations = animation::animations(
            &mut self.binary,
            &mut samples,
            &tracks,
            takes,
            rate,
            self.options.interpolation,
        )?;
        Ok(())
    }

    fn finish(mut self) -> Result<Export, ExportError> {
        let changed = self.nodes.names.changed_elsewhere();
        if changed > 0 {
            let text = format!(
                "{changed} names hold one of . : / [ ], which three.js leaves out and Godot partly replaces: animations \
                 still fit there, scripts must use the changed names"
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
        document.scenes = vec![SceneNodes {
            nodes: self.nodes.roots,
            ..SceneNodes::default()
        }];
        document.nodes = self.nodes.nodes;
        document.materials = self.materials.materials;
        document.textures = self.materials.textures;
        document.images = self.materials.images;
        document.accessors = self.binary.accessors;
        document.buffer_views = self.binary.views;
        document.extensions_used = document.used_extensions();
        let mut bytes = self.binary.bytes;
        bytes.resize(bytes.len().next_multiple_of(4), 0);
        if self.options.scene {
            let scene = js3d::write(self.scene).map_err(|error| ExportError::Scene(error.to_string()))?;
            packed::add(document, &mut bytes, &scene);
        }
        Ok(Export {
            document: self.document,
            bytes,
            report: self.report,
        })
    }
}
