//! The shapes of a skinned mesh: our own member, which Scotty3D ignores. Absent if there are none.
//!
//! Each has a `name`, an `id` (that of its channel), a `weight` (0 if absent), `vertices` with `offsets`, three numbers each, and
//! if normals change `corners` (half-edges) with `normals`, the differences.

use super::WriteError;
use super::json::Node;
use super::posing::optional;
use super::reader::{Members, Reader};
use super::write::object::Object;
use crate::mesh::halfedge::HalfedgeMesh;
use crate::rig::shapes::ShapeKey;
use crate::rig::skeleton::Shape;
use crate::scene::skinned::SkinnedMesh;
use glam::Vec3;
use std::borrow::Cow;
use std::collections::HashSet;

const NAME: &str = "shapes";

type Shapes = (Vec<Shape>, Vec<ShapeKey>);

/// Reads the shapes of a surface; a value of another form is not ours: it is kept, with a finding.
pub fn read(r: &mut Reader<'_>, m: &mut Members<'_>, surface: &HalfedgeMesh) -> Shapes {
    let problem = "shapes is not a list of shapes, each with a name, a unique id, vertices of the mesh in ascending order and \
                   as many offsets; there are none";
    optional(r, m, (NAME, "bad-shapes", problem), Shapes::default(), |node| {
        let Node::Array(items) = node else { return None };
        let (shapes, keys): Shapes =
            items.iter().map(|item| shape(&item)).collect::<Option<Vec<_>>>()?.into_iter().unzip();
        let mut ids = HashSet::new();
        let are_unique = shapes.iter().all(|shape| ids.insert(shape.channel_id));
        (are_unique && keys.iter().all(|key| key.fits(surface))).then_some((shapes, keys))
    })
}

fn shape(node: &Node<'_>) -> Option<(Shape, ShapeKey)> {
    let Node::Object(members) = node else { return None };
    let (mut shape, mut id) = (Shape::default(), None);
    let [mut vertices, mut corners] = [Vec::new(), Vec::new()];
    let [mut offsets, mut normals] = [Vec::new(), Vec::new()];
    for (key, value) in members {
        match (&**key, value) {
            ("name", Node::Text(name)) => shape.name = (&**name).into(),
            ("id", Node::Unsigned(number)) => id = Some(u32::try_from(*number).ok()?),
            ("weight", number) => {
                shape.weight = Some(number.number()? as f32).filter(|weight| weight.is_finite())?
            }
            ("vertices", list) => vertices = indices(list)?,
            ("corners", list) => corners = indices(list)?,
            ("offsets", list) => offsets = vectors(list)?,
            ("normals", list) => normals = vectors(list)?,
            _ => return None,
        }
    }
    shape.channel_id = id?;
    let is_whole = vertices.len() == offsets.len() && corners.len() == normals.len();
    let entries = |indices: Vec<u32>, vectors: Vec<Vec3>| indices.into_iter().zip(vectors).collect();
    let key = ShapeKey { positions: entries(vertices, offsets), normals: entries(corners, normals) };
    is_whole.then_some((shape, key))
}

fn indices(node: &Node<'_>) -> Option<Vec<u32>> {
    let Node::Array(items) = node else { return None };
    let index = |item: Cow<Node>| match *item {
        Node::Unsigned(number) => u32::try_from(number).ok(),
        _ => None,
    };
    items.iter().map(index).collect()
}

fn vectors(node: &Node<'_>) -> Option<Vec<Vec3>> {
    let Node::Array(items) = node else { return None };
    let numbers: Vec<f32> =
        items.iter().map(|item| item.number().map(|n| n as f32)).collect::<Option<_>>()?;
    let is_whole = numbers.len().is_multiple_of(3) && numbers.iter().all(|number| number.is_finite());
    is_whole.then(|| numbers.chunks_exact(3).map(Vec3::from_slice).collect())
}

/// Writes the shapes, in their order.
pub fn write(o: &mut Object<'_>, skinned: &SkinnedMesh) -> Result<(), WriteError> {
    let shapes: Vec<(&Shape, &ShapeKey)> = skinned.skeleton.shapes.iter().zip(&*skinned.shapes).collect();
    if shapes.is_empty() {
        return Ok(());
    }
    o.member(NAME, |w| {
        w.objects(&shapes, |o, (shape, key)| {
            o.text("name", &shape.name);
            o.unsigned("id", shape.channel_id);
            if shape.weight != 0.0 {
                o.float("weight", shape.weight)?;
            }
            entries(o, ["vertices", "offsets"], &key.positions)?;
            if !key.normals.is_empty() {
                entries(o, ["corners", "normals"], &key.normals)?;
            }
            Ok(())
        })
    })
}

fn entries(
    o: &mut Object<'_>,
    [indices, vectors]: [&'static str; 2],
    entries: &[(u32, Vec3)],
) -> Result<(), WriteError> {
    o.indices(indices, &entries.iter().map(|(index, _)| *index as usize).collect::<Vec<_>>());
    let numbers: Vec<f32> = entries.iter().flat_map(|(_, vector)| vector.to_array()).collect();
    o.member(vectors, |w| w.numbers(&numbers))
}
