//! Transfers weights: from the other side of a surface, from the surface of another character, or from some
//! vertices to others.

use super::VertexWeights;
use super::paint::canvas::Canvas;
use super::paint::mirror::{Image, MirrorMap};
use super::paint::painted::{PaintedRows, Rows};
use super::paint::row::{Row, Rules};
use crate::mesh::bvh::Bvh;
use crate::mesh::halfedge::HalfedgeMesh;
use crate::rig::body::middle::BothSides;
use crate::rig::kinematics::parent_past_links;
use crate::rig::skeleton::Skeleton;
use glam::{Mat4, Vec3};
use std::collections::HashMap;
use std::sync::Arc;

/// Points within this distance of the mirror plane, as a fraction of the surface's size, count as on it.
const MIDDLE: f32 = 1e-4;
/// The extra distance at which a position with a matching normal is preferred to the nearest one, as a
/// fraction of the surface's size.
const NORMAL_SLACK: f32 = 0.05;

/// A surface with its skeleton and weights, in the space of the surface.
#[derive(Clone, Copy)]
pub struct Skinned<'a> {
    pub surface: &'a HalfedgeMesh,
    pub skeleton: &'a Skeleton,
    /// Weights that are valid for the surface and skeleton.
    pub weights: &'a Arc<VertexWeights>,
}

/// The vertices that get new rows, in ascending order; `None` for all.
type Chosen<'a> = Option<&'a [u32]>;

/// Mirrors weights from one side of the character to the other, each bone's to its counterpart. Points on the
/// plane get the mean of their weights and the mirror image of these.
///
/// A vertex gets at most as many bones as `most` (0 for no limit) or its source has, whichever is larger. The
/// weights of locked bones stay, and so do rows whose source has a bone without a counterpart.
pub fn from_other_side(
    skinned: Skinned,
    (from_positive, most): (bool, usize),
    chosen: Chosen,
) -> PaintedRows {
    let canvas = Canvas::new(skinned.surface);
    let tree = Bvh::from_surface(skinned.surface);
    let sides = BothSides::new(skinned.skeleton);
    let map = MirrorMap::new(&canvas, skinned.surface, &tree, &sides.plane);
    let counterpart = |bone: u16| sides.others.get(usize::from(bone)).copied().flatten();
    let middle = MIDDLE * canvas.size;
    let mut source = Row::new();
    transfer(skinned, &canvas, chosen, |rows, point, row| {
        let mut limit = most;
        let x = sides.plane.signed_distance(canvas.points[point as usize].as_dvec3());
        let is_middle = x.abs() <= f64::from(middle);
        if !is_middle && (x > 0.0) == from_positive {
            return None;
        }
        let mut add_image = |from: u32, part: f64| {
            rows.read_original(&canvas, from, &mut source);
            limit = limit.max(source.len());
            source.iter().all(|&(bone, weight)| match counterpart(bone) {
                Some(bone) => {
                    add(row, bone as u16, part * weight);
                    true
                }
                None => false,
            })
        };
        let has_image = match map.images[point as usize] {
            Image::Point(from) => add_image(from, 1.0),
            Image::Between(corners, parts) => {
                let mut corners = corners.iter().zip(parts);
                corners.all(|(&from, part)| add_image(from, f64::from(part)))
            }
            Image::Nowhere => false,
        };
        if !has_image {
            return None;
        }
        if is_middle {
            rows.read_original(&canvas, point, &mut source);
            limit = limit.max(source.len());
            source.iter().for_each(|&(bone, weight)| add(row, bone, weight));
            row.iter_mut().for_each(|(_, weight)| *weight /= 2.0);
        }
        Some(if most > 0 { limit } else { 0 })
    })
}

/// Transfers weights from the nearest position on another surface in the bind pose, preferring one that faces
/// the same way.
///
/// `to_from`: the transform from the space of `from` to that of `to`. Bones are matched by name; a bone that
/// is missing in `to` is replaced by its nearest ancestor that is not. The weights of locked bones stay.
///
/// # Errors
/// Fails if the skeletons have no bone name in common.
pub fn from_surface(
    to: Skinned,
    from: Skinned,
    to_from: Mat4,
    chosen: Chosen,
) -> Result<PaintedRows, NoBoneInCommon> {
    let bones = bones_by_name(to.skeleton, from.skeleton);
    if bones.iter().all(Option::is_none) {
        return Err(NoBoneInCommon);
    }
    let canvas = Canvas::new(to.surface);
    let positions = from.surface.positions().iter();
    let positions: Vec<Vec3> = positions.map(|position| to_from.transform_point3(*position)).collect();
    let tree = Bvh::from_surface(from.surface).refitted(&positions);
    // A transform that mirrors turns the surface inside out.
    let orientation = to_from.determinant().signum();
    let normals = canvas.normals(to.surface, to.surface.positions());
    let bounds = tree.bounds();
    let slack = NORMAL_SLACK * (bounds.max - bounds.min).max_element();
    Ok(transfer(to, &canvas, chosen, |_, point, row| {
        let (position, normal) = (canvas.points[point as usize], normals[point as usize]);
        let nearest = tree.closest(&positions, position)?;
        let faces_same_way = |triangle: &[u32; 3]| {
            let [a, b, c] = triangle.map(|vertex| positions[vertex as usize]);
            (b - a).cross(c - a).dot(normal) * orientation > 0.0
        };
        let fitting = tree.closest_where(&positions, position, faces_same_way);
        let near = fitting.filter(|near| near.distance <= nearest.distance + slack).unwrap_or(nearest);
        for (&vertex, part) in near.triangle.iter().zip(near.weights) {
            for (bone, weight) in from.weights.influences(vertex as usize) {
                if let Some(Some(bone)) = bones.get(usize::from(bone)) {
                    add(row, *bone, f64::from(part) * f64::from(weight));
                }
            }
        }
        (!row.is_empty()).then_some(0)
    }))
}

/// The skeletons have no bone name in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoBoneInCommon;

/// Gives this row to all of `vertices`, except that the weights of locked bones stay.
pub fn from_row(skinned: Skinned, row: &[(u16, f32)], vertices: &[u32]) -> PaintedRows {
    let canvas = Canvas::new(skinned.surface);
    transfer(skinned, &canvas, Some(vertices), |_, _, new_row| {
        row.iter().for_each(|&(bone, weight)| add(new_row, bone, f64::from(weight)));
        (!new_row.is_empty()).then_some(0)
    })
}

/// Returns the mean row of `vertices`, with bones in ascending order.
pub fn mean_row(weights: &VertexWeights, vertices: &[u32]) -> Vec<(u16, f32)> {
    let mut mean = Row::new();
    for &vertex in vertices.iter().filter(|v| (**v as usize) < weights.vertex_count()) {
        for (bone, weight) in weights.influences(vertex as usize) {
            add(&mut mean, bone, f64::from(weight));
        }
    }
    let sum: f64 = mean.iter().map(|(_, weight)| weight).sum();
    mean.retain(|(_, weight)| *weight > 0.0);
    mean.iter().map(|&(bone, weight)| (bone, (weight / sum) as f32)).collect()
}

/// Builds the rows of the chosen points. `row` fills the new row of a point and returns its limit of bones (0
/// for none), or `None` to leave the point unchanged.
fn transfer(
    skinned: Skinned,
    canvas: &Canvas,
    chosen: Chosen,
    mut row: impl FnMut(&Rows, u32, &mut Row) -> Option<usize>,
) -> PaintedRows {
    let mut rules = Rules::new(skinned.skeleton, 0);
    let mut rows = Rows::new(skinned.weights.clone(), canvas.points.len());
    let mut points: Vec<u32> = match chosen {
        None => (0..canvas.points.len() as u32).collect(),
        Some(vertices) => vertices
            .iter()
            .filter_map(|&vertex| canvas.point_of_vertex.get(vertex as usize).copied())
            .collect(),
    };
    points.sort_unstable();
    points.dedup();
    let (mut blended, mut new_row) = (Row::new(), Row::new());
    let mut changed: Vec<(u32, Row)> = Vec::new();
    for point in points {
        new_row.clear();
        let Some(most) = row(&rows, point, &mut new_row) else {
            continue;
        };
        rules.most = most;
        rows.read_original(canvas, point, &mut blended);
        rules.blend(&mut blended, &new_row, 1.0, canvas.points[point as usize]);
        changed.push((point, blended.clone()));
    }
    changed.iter().for_each(|(point, row)| rows.set(*point, row));
    rows.painted(canvas)
}

fn add(row: &mut Row, bone: u16, weight: f64) {
    match row.binary_search_by_key(&bone, |(bone, _)| *bone) {
        Ok(i) => row[i].1 += weight,
        Err(i) => row.insert(i, (bone, weight)),
    }
}

/// Maps each bone of `from` to the bone of `to` with its name, or that of its nearest ancestor with a match.
fn bones_by_name(to: &Skeleton, from: &Skeleton) -> Vec<Option<u16>> {
    let named: HashMap<String, u16> = to
        .shown_bones()
        .take_while(|bone| *bone <= usize::from(u16::MAX))
        .map(|bone| (to.bone_name(bone), bone as u16))
        .collect();
    let find = |bone: usize| {
        let mut ancestors = std::iter::successors(Some(bone), |&bone| parent_past_links(from, bone));
        ancestors.find_map(|bone| named.get(&from.bone_name(bone)).copied())
    };
    (0..from.bones.len()).map(find).collect()
}

/// Whether `chosen` is a valid choice of vertices: strictly ascending and within the surface.
pub fn is_valid_choice(chosen: &[u32], surface: &HalfedgeMesh) -> bool {
    let in_order = chosen.is_sorted_by(|a, b| a < b);
    in_order && chosen.last().is_none_or(|&last| (last as usize) < surface.vertex_count())
}

#[cfg(test)]
mod tests;
