//! Copies of the meshes of nodes (`EXT_mesh_gpu_instancing`).

use super::super::schema::Kind;
use super::nodes::Nodes;
use super::refuse;
use super::source::Source;
use crate::io::count::counted;
use crate::io::file::ReadError;
use crate::io::limits::GLTF_COPIES;
use crate::io::report::{Report, Severity};
use glam::{DAffine3, DQuat, DVec3};
use std::collections::HashMap;

/// `node_from_copy` of the copies of the mesh of a node.
pub type Copies = HashMap<usize, Vec<DAffine3>>;

/// Reads the copies of the nodes that are shown and have any.
///
/// # Errors
/// If their accessors cannot be used.
pub fn copies(source: &Source, nodes: &Nodes, report: &mut Report) -> Result<Copies, ReadError> {
    let mut copies = Copies::new();
    let mut allowed = GLTF_COPIES.limit(source.size);
    for node in nodes.visible() {
        let data = &nodes.all[node];
        let extension = data.extensions.as_ref().and_then(|extensions| extensions.gpu_instancing.as_ref());
        let Some(attributes) = extension.map(|extension| &extension.attributes) else { continue };
        let pointer = format!("/nodes/{node}/extensions/EXT_mesh_gpu_instancing");
        let read = |name: &str, kind: Kind| -> Result<Option<Vec<f32>>, ReadError> {
            let Some(&accessor) = attributes.get(name) else { return Ok(None) };
            match source.document.accessors.get(accessor).map(|accessor| accessor.kind) {
                Some(found) if found == kind => source.finite(accessor).map(Some),
                _ => Err(refuse(&pointer, format!("{name} is not an accessor of {kind:?}"))),
            }
        };
        let translations = read("TRANSLATION", Kind::Vec3)?;
        let rotations = read("ROTATION", Kind::Vec4)?;
        let scales = read("SCALE", Kind::Vec3)?;
        let counts = [(&translations, 3), (&rotations, 4), (&scales, 3)];
        let counts = counts.iter().filter_map(|(numbers, width)| Some(numbers.as_ref()?.len() / width));
        let Some(count) = counts.min() else { continue };
        if data.skin.is_some() || data.mesh.is_none() || count > allowed {
            let text = format!(
                "{} left out: the mesh is skinned, or there are too many of them",
                counted(count, "copy of a mesh is", "copies of a mesh are")
            );
            report.add(Severity::Warning, "left-out", pointer, text);
            continue;
        }
        allowed -= count;
        let vector = |numbers: &Option<Vec<f32>>, index: usize, default: DVec3| {
            let parts = numbers.as_ref().and_then(|numbers| numbers.get(3 * index..3 * index + 3));
            parts.map_or(default, |parts| DVec3::new(parts[0].into(), parts[1].into(), parts[2].into()))
        };
        let matrix = |index: usize| {
            let parts = rotations.as_ref().and_then(|numbers| numbers.get(4 * index..4 * index + 4));
            let rotation = parts.map_or(DQuat::IDENTITY, |parts| {
                DQuat::from_xyzw(parts[0].into(), parts[1].into(), parts[2].into(), parts[3].into())
            });
            let rotation =
                if rotation.length_squared() > 0.0 { rotation.normalize() } else { DQuat::IDENTITY };
            let translation = vector(&translations, index, DVec3::ZERO);
            DAffine3::from_scale_rotation_translation(
                vector(&scales, index, DVec3::ONE),
                rotation,
                translation,
            )
        };
        copies.insert(node, (0..count).map(matrix).collect());
    }
    Ok(copies)
}
