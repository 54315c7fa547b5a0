//! Parts of a surface with separate materials: the extra member `parts` of a mesh, a list of materials and
//! face counts in the order of the faces. An instance shows them as long as its own material is one of
//! theirs.

use crate::extra::array::Array;
use crate::extra::{Extra, Value};
use crate::mesh::halfedge::HalfedgeMesh;
use crate::mesh::render::RenderMesh;
use std::collections::BTreeSet;

/// The name of the member.
pub const MEMBER: &str = "parts";
const MATERIAL: &str = "material";
const FACES: &str = "faces";

#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    pub material: Option<String>,
    pub faces: usize,
}

/// Returns the parts of a mesh; empty if it is undivided or the member is malformed.
pub fn parts(extra: &Extra) -> Vec<Part> {
    let part = |item: &Value| {
        let faces = match member(item, FACES)? {
            Value::Unsigned(faces) => usize::try_from(*faces).ok()?,
            _ => return None,
        };
        let material = match member(item, MATERIAL)? {
            Value::Text(name) => Some(name.to_string()),
            _ => None,
        };
        Some(Part { material, faces })
    };
    let parts: Option<Vec<_>> = items(extra).into_iter().flatten().map(|item| part(&item)).collect();
    parts.unwrap_or_default()
}

/// Divides a mesh into parts.
pub fn set(extra: &mut Extra, parts: impl IntoIterator<Item = Part>) {
    let value = |part: Part| {
        let material = part.material.map_or(Value::Null, |name| Value::Text(name.into()));
        let faces = Value::Unsigned(part.faces as u64);
        Err(Value::Object(Box::new([(MATERIAL.into(), material), (FACES.into(), faces)])))
    };
    let list: Array<Value> = parts.into_iter().map(value).collect();
    extra.set(MEMBER, Value::Array(list));
}

/// Returns the parts that an instance with this material shows; none if it shows the mesh as a whole.
pub fn visible(extra: &Extra, material: Option<&str>) -> Vec<Part> {
    let mut parts = parts(extra);
    if parts.len() < 2 || !parts.iter().any(|part| part.material.as_deref() == material) {
        parts.clear();
    }
    parts
}

/// Returns the names of the materials of the parts, without duplicates.
pub fn materials(extra: &Extra) -> BTreeSet<String> {
    parts(extra).into_iter().filter_map(|part| part.material).collect()
}

/// Replaces the material of each part by the result of `to`. Any other content of the member stays.
pub fn map_materials(extra: &mut Extra, to: impl Fn(&Option<String>) -> Option<String>) {
    let renamed = |item: &Value| {
        let mut item = item.clone();
        if let Value::Object(members) = &mut item
            && let Some((_, material)) = members.iter_mut().find(|(key, _)| &**key == MATERIAL)
            && let Value::Text(name) = material
        {
            *material = to(&Some(name.to_string())).map_or(Value::Null, |name| Value::Text(name.into()));
        }
        Err(item)
    };
    let list: Option<Array<Value>> = items(extra).map(|items| items.map(|item| renamed(&item)).collect());
    if let Some(list) = list {
        extra.set(MEMBER, Value::Array(list));
    }
}

fn items(extra: &Extra) -> Option<impl Iterator<Item = std::borrow::Cow<'_, Value>>> {
    match extra.get(MEMBER)? {
        Value::Array(items) => Some(items.iter()),
        _ => None,
    }
}

fn member<'v>(item: &'v Value, name: &str) -> Option<&'v Value> {
    let Value::Object(members) = item else {
        return None;
    };
    let mut members = members.iter();
    members.find(|(key, _)| &**key == name).map(|(_, value)| value)
}

/// Returns the triangle corners (render vertices) of each part, with the index of the part; parts without
/// triangles are left out. The last part extends to the last face. Without parts, there is a single one with
/// index 0.
pub fn divide(surface: &HalfedgeMesh, render: &RenderMesh, parts: &[Part]) -> Vec<(usize, Vec<u32>)> {
    let mut ends: Vec<usize> = Vec::new();
    for part in parts {
        ends.push(ends.last().unwrap_or(&0).saturating_add(part.faces));
    }
    let last = parts.len().saturating_sub(1);
    let mut divided: Vec<(usize, Vec<u32>)> = (0..=last).map(|part| (part, Vec::new())).collect();
    // The index of each face among the faces that are not boundaries.
    let mut index = 0;
    let mut indices = vec![0; surface.face_count()];
    for (face_index, is_boundary) in indices.iter_mut().zip(surface.face_boundaries()) {
        *face_index = index;
        index += usize::from(!is_boundary);
    }
    for (triangle, &face) in render.indices.chunks_exact(3).zip(&render.triangle_face) {
        let part = ends.partition_point(|end| *end <= indices[face as usize]);
        divided[part.min(last)].1.extend_from_slice(triangle);
    }
    divided.retain(|(_, corners)| !corners.is_empty());
    divided
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::primitives;
    use glam::Vec3;

    fn part(material: &str, faces: usize) -> Part {
        let material = Some(material.to_owned()).filter(|name| !name.is_empty());
        Part { material, faces }
    }

    #[test]
    fn parts_round_trip_and_are_shown_by_their_materials() {
        let mut extra = Extra::default();
        let all = [part("Skin", 2), part("", 1), part("Shirt", 3)];
        set(&mut extra, all.clone());
        assert_eq!(parts(&extra), all);
        assert_eq!(visible(&extra, Some("Shirt")), all);
        assert_eq!(visible(&extra, None), all);
        assert_eq!(visible(&extra, Some("Other")), []);
        assert_eq!(Vec::from_iter(materials(&extra)), ["Shirt", "Skin"]);
        map_materials(&mut extra, |name| name.clone().filter(|name| name != "Skin").map(|name| name + " 2"));
        assert_eq!(parts(&extra), [part("", 2), part("", 1), part("Shirt 2", 3)]);
        extra.set(MEMBER, Value::Bool(true));
        assert_eq!(parts(&extra), []);
    }

    #[test]
    fn the_last_part_extends_to_the_last_face() {
        let cube = primitives::cuboid(Vec3::ONE).unwrap();
        let render = RenderMesh::new(&cube);
        let counts = |parts: &[Part]| {
            let divided = divide(&cube, &render, parts);
            divided.iter().map(|(part, corners)| (*part, corners.len())).collect::<Vec<_>>()
        };
        assert_eq!(counts(&[]), [(0, 36)]);
        assert_eq!(counts(&[part("a", 2), part("b", 0), part("c", 1)]), [(0, 12), (2, 24)]);
        assert_eq!(counts(&[part("a", 2), part("b", usize::MAX), part("c", 9)]), [(0, 12), (1, 24)]);
    }
}
