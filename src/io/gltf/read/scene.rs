//! A checked file as a scene: skinned meshes, meshes, cameras and lights with instances and transforms.

use super::Options;
use super::animate::{self, Animated};
use super::build::Build;
use super::materials::Materials;
use super::motion::{Motion, motions};
use super::names::Names;
use super::nodes::Nodes;
use super::pieces::{self, Found};
use super::rig::{Dropped, Rigged};
use super::skins::{self, Rig};
use super::source::Source;
use super::surface::{self, Follows, Piece, Surface};
use crate::extra::Extra;
use crate::io::count::counted;
use crate::io::file::ReadError;
use crate::io::gltf::schema;
use crate::io::js3d;
use crate::io::report::{Report, Severity};
use crate::math::decompose::decompose;
use crate::mesh::halfedge::HalfedgeMesh;
use crate::rig::weights::VertexWeights;
use crate::rig::weights::bind_snapshot::BindSnapshot;
use crate::rig::weights::method::Method;
use crate::scene::Scene;
use crate::scene::instance::GeometryInstance;
use crate::scene::parts::{self, Part};
use crate::scene::resource::{Mesh, Transform};
use crate::scene::skinned::SkinnedMesh;
use glam::{DAffine3, DVec3};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// A scene, and what is said of the file.
pub struct Built {
    pub scene: Scene,
    /// Names of all animations.
    pub animations: Vec<String>,
    /// How many images lie in the file.
    pub embedded: usize,
}

pub fn build(source: &Source, options: &Options, report: &mut Report) -> Result<Built, ReadError> {
    let nodes = Nodes::new(&source.document)?;
    let motions = motions(source, &nodes, report)?;
    let animations = motions.iter().map(|motion| motion.name.clone()).collect();
    let motions = animate::chosen(motions, options)?;
    let mut build = Build {
        source,
        nodes: &nodes,
        scene: Scene::default(),
        names: Names::default(),
        report,
        transforms: HashMap::new(),
        materials: Materials::new(source, options.without_images),
        sheared: 0,
    };
    let mut rigged = build.rigs(&motions)?;
    build.meshes(&rigged)?;
    build.cameras_and_lights();
    animate::animate(&mut build, &mut rigged, &motions, options);
    if build.sheared > 0 {
        let text = format!(
            "{} nodes are sheared; transforms of js3d are not, and theirs are the nearest",
            build.sheared
        );
        build.report.add(Severity::Warning, "sheared", "/nodes", text);
    }
    build.materials.report(build.report);
    if rigged.is_empty() && build.scene == Scene::default() {
        let text = "the file shows nothing: no mesh, camera or light is in its scene";
        build
            .report
            .add(Severity::Warning, "shows-nothing", "/scenes", text);
    }
    for Animated {
        name,
        rigged,
        mut skinned,
        ..
    } in rigged
    {
        skinned.bind_snapshot = BindSnapshot::capture_except(&rigged.skeleton, &[]);
        skinned.skeleton = Arc::new(rigged.skeleton);
        build.scene.skinned_meshes.insert(name, Arc::new(skinned));
    }
    in_range(&build.scene)?;
    Ok(Built {
        scene: build.scene,
        embedded: build.materials.embedded,
        animations,
    })
}

/// That all numbers beside those of surfaces, which are checked as they are read, can be written: numbers of a file may
/// be finite and too large here, as they are or multiplied.
fn in_range(scene: &Scene) -> Result<(), ReadError> {
    let mut bare = scene.clone();
    bare.meshes.clear();
    for mesh in bare.skinned_meshes.values_mut() {
        let mesh = Arc::make_mut(mesh);
        (mesh.surface, mesh.weights) = (Arc::default(), Arc::default());
    }
    match js3d::write(&bare) {
        Err(js3d::WriteError::NotFinite { at }) => {
            let what = format!("a number becomes too large: that at {at} of the scene");
            Err(super::refuse("/nodes", what))
        }
        _ => Ok(()),
    }
}

impl Build<'_> {
    fn rigs(&mut self, motions: &[Motion]) -> Result<Vec<Animated>, ReadError> {
        let nodes = self.nodes;
        let mut seen = HashSet::new();
        let skins = nodes.visible().filter_map(|node| nodes.of[node].skin);
        let used: Vec<usize> = skins.filter(|skin| seen.insert(*skin)).collect();
        let unused = self.source.document.skins.len() - used.len();
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
        rigs.into_iter().map(|rig| self.rig(rig, motions)).collect()
    }

    fn rig(&mut self, rig: Rig, motions: &[Motion]) -> Result<Animated, ReadError> {
        let (source, nodes) = (self.source, self.nodes);
        let neutral = neutral_joint(&rig, nodes);
        let skin_joints = pieces::skin_joints(&rig, &source.document, neutral);
        let Found { pieces, name, ours } = pieces::find(nodes, &rig, &skin_joints);
        let skin = rig.skins.first().map_or(0, |(skin, _)| *skin);
        let at = format!("/skins/{skin}");
        if pieces.len() > 1 {
            let text = format!("{} meshes of one skeleton become one surface", pieces.len());
            self.report.add(Severity::Note, "joined-meshes", &at, text);
        }
        let surface = surface::surface(source, &pieces, rig.applied.as_deref(), &at, self.report)?;
        let mesh = surface.as_ref().map(|surface| built(surface, &at)).transpose()?;
        let dropped = Dropped {
            neutral,
            root: dropped_root(&rig, nodes, surface.as_ref(), motions),
        };
        let of_skin = source
            .document
            .skins
            .get(skin)
            .and_then(|skin| skin.name.as_deref());
        let wanted = first_name([name, of_skin]);
        let name = self.names.unique(wanted.unwrap_or("Character"));
        let both = mesh.as_ref().zip(surface.as_ref());
        let rigged = Rigged::new(rig, nodes, &dropped, both, ours.as_ref(), self.report);
        self.check_rigged(&rigged, &at)?;
        let transform = self.placed(rigged.rig.anchor, rigged.rig.placed, &name);
        let parts = surface.map(|surface| surface.parts).unwrap_or_default();
        let (material, extra) = self.parts(&parts);
        let instance_name = self.names.unique(&format!("{name} instance"));
        let instance = instance(transform, &name, material);
        let instances = &mut self.scene.instances.skinned_meshes;
        instances.insert(instance_name, instance);
        let skinned = SkinnedMesh {
            surface: Arc::new(mesh.unwrap_or_default()),
            weights: Arc::new(rigged.weights.clone()),
            mesh_extra: extra,
            weight_method: Method::FOR_NEW_MESHES,
            ..SkinnedMesh::default()
        };
        Ok(Animated {
            name,
            at,
            rigged,
            skinned,
        })
    }

    /// Refuses too many bones, and says what does not move.
    fn check_rigged(&mut self, rigged: &Rigged, at: &str) -> Result<(), ReadError> {
        let bones = rigged.skeleton.bones.len();
        if bones > usize::from(u16::MAX) {
            let what = format!("the skeleton would have {bones} bones, and 65,535 are the most");
            return Err(super::refuse(at, what));
        }
        let still = rigged.weights.unweighted_count();
        if still > 0 && rigged.weights.vertex_count() > 0 {
            let have = counted(still, "vertex has", "vertices have");
            let text = format!("{have} no weights: nothing moves what has none");
            self.report.add(Severity::Note, "no-weights", at, text);
        }
        Ok(())
    }

    /// Meshes that no skeleton moves.
    fn meshes(&mut self, rigs: &[Animated]) -> Result<(), ReadError> {
        let nodes = self.nodes;
        let mut joint = vec![false; nodes.of.len()];
        for rig in rigs {
            let joints = rig.rigged.rig.joint_of.keys();
            joints.for_each(|node| joint[*node] = true);
        }
        for &node in &nodes.order {
            joint[node] |= nodes.parent[node].is_some_and(|parent| joint[parent]);
        }
        let mut taken: HashMap<usize, Option<(String, Option<String>)>> = HashMap::new();
        for node in nodes.visible().filter(|node| !joint[*node]) {
            let of = &nodes.of[node];
            let Some(index) = of.mesh.filter(|_| of.skin.is_none()) else {
                continue;
            };
            let known = match taken.get(&index) {
                Some(known) => known.clone(),
                None => {
                    let new = self.mesh(index, nodes.name(node))?;
                    taken.insert(index, new.clone());
                    new
                }
            };
            let Some((mesh, material)) = known else { continue };
            let transform = Some(self.transform(node));
            let name = self.names.unique(&format!("{mesh} instance"));
            let instance = instance(transform, &mesh, material);
            self.scene.instances.meshes.insert(name, instance);
        }
        let hidden = (0..nodes.of.len())
            .filter(|node| !nodes.shown[*node] && nodes.of[*node].mesh.is_some())
            .count();
        if hidden > 0 {
            let text = format!("{hidden} meshes are not in the scene that the file shows; they are left out");
            self.report.add(Severity::Warning, "left-out", "/scenes", text);
        }
        Ok(())
    }

    /// A mesh with its material.
    fn mesh(&mut self, index: usize, node: &str) -> Result<Option<(String, Option<String>)>, ReadError> {
        let at = format!("/meshes/{index}");
        let piece = Piece {
            mesh: index,
            matrix: DAffine3::IDENTITY,
            follows: Follows::Nothing,
        };
        let Some(surface) = surface::surface(self.source, &[piece], None, &at, self.report)? else {
            return Ok(None);
        };
        let mesh = built(&surface, &at)?;
        let stated = self.source.document.meshes[index].name.as_deref();
        let wanted = first_name([stated, Some(node)]);
        let name = self.names.unique(wanted.unwrap_or("Mesh"));
        let (material, extra) = self.parts(&surface.parts);
        let weights = Arc::new(VertexWeights::none(mesh.vertex_count()));
        let mesh = Mesh {
            surface: Arc::new(mesh),
            weights,
            extra,
        };
        self.scene.meshes.insert(name.clone(), Arc::new(mesh));
        Ok(Some((name, material)))
    }

    /// The material of the largest part, and all parts as an extra member of the mesh where there are several.
    fn parts(&mut self, parts: &[(Option<usize>, usize)]) -> (Option<String>, Extra) {
        let mut extra = Extra::default();
        let mut faces: HashMap<Option<usize>, usize> = HashMap::new();
        parts
            .iter()
            .for_each(|(material, count)| *faces.entry(*material).or_default() += count);
        let mut name = |material: Option<usize>| {
            let materials = &mut self.materials;
            Some(materials.take(material?, &mut self.scene, &mut self.names, self.report))
        };
        let largest = faces
            .iter()
            .max_by_key(|(material, count)| (**count, std::cmp::Reverse(**material)));
        let largest = largest.and_then(|(material, _)| name(*material));
        if faces.len() > 1 {
            let parts = parts.iter().map(|(material, faces)| Part {
                material: name(*material),
                faces: *faces,
            });
            parts::set(&mut extra, parts);
        }
        (largest, extra)
    }

    /// The name of the transform of a node, which it and those above get where they have none yet.
    pub fn transform(&mut self, node: usize) -> String {
        let up: Vec<usize> = self.nodes.up(node).collect();
        let mut parent: Option<String> = None;
        for node in up.into_iter().rev() {
            if let Some(name) = self.transforms.get(&node) {
                parent = Some(name.clone());
                continue;
            }
            let transform = self.as_transform(self.nodes.local[node], parent);
            let wanted = self.nodes.name(node);
            let name = self.names.unique(if wanted.is_empty() { "Node" } else { wanted });
            self.scene.transforms.insert(name.clone(), Arc::new(transform));
            self.transforms.insert(node, name.clone());
            parent = Some(name);
        }
        parent.unwrap_or_default()
    }

    /// The transform of what lies at `placed` from a node.
    pub fn placed(&mut self, node: Option<usize>, placed: DAffine3, name: &str) -> Option<String> {
        let parent = node.map(|node| self.transform(node));
        if parent.is_some() && placed == DAffine3::IDENTITY {
            return parent;
        }
        let transform = self.as_transform(placed, parent);
        let name = self.names.unique(&format!("{name} transform"));
        self.scene.transforms.insert(name.clone(), Arc::new(transform));
        Some(name)
    }

    fn as_transform(&mut self, matrix: DAffine3, parent: Option<String>) -> Transform {
        let Some((translation, rotation, scale)) = decompose(matrix, DVec3::ONE) else {
            // Flat: as Blender hides things.
            let axes = matrix.matrix3;
            let scale = [axes.x_axis, axes.y_axis, axes.z_axis].map(DVec3::length);
            let (translation, scale) = (matrix.translation.as_vec3(), DVec3::from_array(scale).as_vec3());
            return Transform {
                parent,
                translation,
                scale,
                ..Transform::default()
            };
        };
        let again = DAffine3::from_scale_rotation_translation(scale, rotation, translation);
        let off = (again.matrix3 - matrix.matrix3).to_cols_array();
        let off = off.into_iter().map(f64::abs).fold(0.0, f64::max);
        self.sheared += usize::from(off > 1e-4 * scale.abs().max_element());
        let (translation, rotation, scale) = (translation.as_vec3(), rotation.as_quat(), scale.as_vec3());
        Transform {
            parent,
            translation,
            rotation,
            scale,
            ..Transform::default()
        }
    }

    fn cameras_and_lights(&mut self) {
        let nodes = self.nodes;
        for node in nodes.visible() {
            let extensions = nodes.of[node].extensions.as_ref();
            let light = extensions
                .and_then(|of| of.lights_punctual.as_ref())
                .map(|light| light.light);
            super::lights::take(self, node, nodes.of[node].camera, light);
        }
    }

    pub fn document(&self) -> &schema::Document {
        &self.source.document
    }
}

fn built(surface: &Surface, at: &str) -> Result<HalfedgeMesh, ReadError> {
    surface
        .repaired
        .polygons
        .build()
        .map_err(|error| super::refuse(at, format!("the mesh could not be repaired: {error}")))
}

fn first_name(names: [Option<&str>; 2]) -> Option<&str> {
    names.into_iter().flatten().find(|name| !name.is_empty())
}

fn instance(transform: Option<String>, of: &str, material: Option<String>) -> Arc<GeometryInstance> {
    Arc::new(GeometryInstance {
        transform,
        of: Some(of.to_owned()),
        material,
        ..GeometryInstance::default()
    })
}

/// The joint that Blender's exporter adds for vertices without weights.
fn neutral_joint(rig: &Rig, nodes: &Nodes) -> Option<usize> {
    let mut joints = rig.joints.iter().map(|joint| joint.node);
    joints.position(|node| {
        nodes.name(node) == "neutral_bone" && nodes.of[node].children.is_empty() && rig.joints.len() > 1
    })
}

/// The top joint, where it only carries the whole: no vertex follows it, it never turns, and several joints hang on it
/// (our own exports), or the one that does moves.
fn dropped_root(rig: &Rig, nodes: &Nodes, surface: Option<&Surface>, motions: &[Motion]) -> Option<usize> {
    let mut tops = (0..rig.joints.len()).filter(|joint| {
        rig.joints[*joint].parent.is_none() && nodes.name(rig.joints[*joint].node) != "neutral_bone"
    });
    let (top, None) = (tops.next()?, tops.next()) else {
        return None;
    };
    let children: Vec<usize> = (0..rig.joints.len())
        .filter(|joint| rig.joints[*joint].parent == Some(top))
        .collect();
    let node = rig.joints[top].node;
    let turns = |path| motions.iter().any(|motion| motion.changes(node, path));
    let moves = |joint: &usize| {
        motions
            .iter()
            .any(|motion| motion.changes(rig.joints[*joint].node, schema::Path::Translation))
    };
    let ours = children.len() > 1 && nodes.name(node) == "root";
    let carries = children.len() == 1 && moves(&children[0]) && !turns(schema::Path::Translation);
    if rig.posed || !(ours || carries) || turns(schema::Path::Rotation) || turns(schema::Path::Scale) {
        return None;
    }
    let has_weights = surface.is_some_and(|surface| surface.rows.follows(top as u16));
    (!has_weights).then_some(top)
}
