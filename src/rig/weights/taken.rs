//! Weights that are taken from elsewhere: from the other side of the same surface, from the surface of another character,
//! or from some vertices for others.

use super::VertexWeights;
use super::paint::canvas::Canvas;
use super::paint::mirror::{Image, MirrorMap};
use super::paint::painted::{PaintedRows, Rows};
use super::paint::row::{Row, Rules};
use crate::mesh::bvh::Bvh;
use crate::mesh::halfedge::HalfedgeMesh;
use crate::rig::edits::middle::BothSides;
use crate::rig::kinematics::parent_past_links;
use crate::rig::skeleton::Skeleton;
use glam::{Mat4, Vec3};
use std::collections::HashMap;
use std::sync::Arc;

/// Nearer to the plane between the sides than this part of the surface's size, a point lies in it.
const MIDDLE: f32 = 1e-4;
/// A place whose normal fits is taken if it is not this much further away than the nearest, as part of the surface's size.
const FITS: f32 = 0.05;

/// A surface, its bones and their weights, in the space of the surface.
#[derive(Clone, Copy)]
pub struct Skinned<'a> {
    pub surface: &'a HalfedgeMesh,
    pub skeleton: &'a Skeleton,
    /// In order for surface and skeleton.
    pub weights: &'a Arc<VertexWeights>,
}

/// Which of its vertices get new rows: these, in ascending order, or all.
type Chosen<'a> = Option<&'a [u32]>;

/// One side of the character's middle gets the weights of the other one, each bone those of its other side; points in the plane get
/// the mean of what they have and its mirror image. No vertex gets more bones than `most` (0: as many as there are) and those that it comes from have. What is locked stays, and so do rows that would come from a bone that has
/// no other side.
pub fn from_other_side(
    skinned: Skinned,
    (from_positive, most): (bool, usize),
    chosen: Chosen,
) -> PaintedRows {
    let canvas = Canvas::new(skinned.surface);
    let tree = Bvh::from_surface(skinned.surface);
    let sides = BothSides::new(skinned.skeleton);
    let map = MirrorMap::new(&canvas, skinned.surface, &tree, &sides.plane);
    let other = |bone: u16| sides.others.get(usize::from(bone)).copied().flatten();
    let middle = MIDDLE * canvas.size;
    let mut own = Row::new();
    taken(skinned, &canvas, chosen, |rows, point, row| {
        let mut limit = most;
        let x = sides.plane.across(canvas.points[point as usize]);
        let is_middle = x.abs() <= middle;
        if !is_middle && (x > 0.0) == from_positive {
            return None;
        }
        let mut image = |of: u32, part: f64| {
            rows.before(&canvas, of, &mut own);
            limit = limit.max(own.len());
            own.iter().all(|&(bone, weight)| match other(bone) {
                Some(bone) => {
                    add(row, bone as u16, part * weight);
                    true
                }
                None => false,
            })
        };
        let has_image = match map.images[point as usize] {
            Image::Point(of) => image(of, 1.0),
            Image::Between(of, parts) => of.iter().zip(parts).all(|(&of, part)| image(of, f64::from(part))),
            Image::Nowhere => false,
        };
        if !has_image {
            return None;
        }
        if is_middle {
            rows.before(&canvas, point, &mut own);
            limit = limit.max(own.len());
            own.iter().for_each(|&(bone, weight)| add(row, bone, weight));
            row.iter_mut().for_each(|(_, weight)| *weight /= 2.0);
        }
        Some(if most > 0 { limit } else { 0 })
    })
}

/// Each point gets the weights of the place of another surface that is nearest to it in the bind pose, if possible one that
/// faces the same way. `to_from`: the space of the one from that of the other, as they stand. Bones go by their names; one that is missing stands for its nearest ancestor that is not. What is
/// locked stays.
///
/// # Errors
/// If no bone of the one skeleton is named as one of the other.
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
    let positions: Vec<Vec3> = positions.map(|place| to_from.transform_point3(*place)).collect();
    let tree = Bvh::from_surface(from.surface).refitted(&positions);
    // What is mirrored by the transform is inside out.
    let outwards = to_from.determinant().signum();
    let normals = canvas.normals(to.surface, to.surface.positions());
    let bounds = tree.bounds();
    let fits = FITS * (bounds.max - bounds.min).max_element();
    Ok(taken(to, &canvas, chosen, |_, point, row| {
        let (place, normal) = (canvas.points[point as usize], normals[point as usize]);
        let nearest = tree.closest(&positions, place)?;
        let same_way = |triangle: &[u32; 3]| {
            let [a, b, c] = triangle.map(|vertex| positions[vertex as usize]);
            (b - a).cross(c - a).dot(normal) * outwards > 0.0
        };
        let fitting = tree.closest_of(&positions, place, same_way);
        let near = fitting
            .filter(|near| near.distance <= nearest.distance + fits)
            .unwrap_or(nearest);
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

/// No bone of one skeleton is named as one of the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoBoneInCommon;

/// All of `vertices` get this row, except for what is locked.
pub fn from_row(skinned: Skinned, row: &[(u16, f32)], vertices: &[u32]) -> PaintedRows {
    let canvas = Canvas::new(skinned.surface);
    taken(skinned, &canvas, Some(vertices), |_, _, mean| {
        row.iter()
            .for_each(|&(bone, weight)| add(mean, bone, f64::from(weight)));
        (!mean.is_empty()).then_some(0)
    })
}

/// The mean row of `vertices`, bones in ascending order.
pub fn mean_row(weights: &VertexWeights, vertices: &[u32]) -> Vec<(u16, f32)> {
    let mut mean = Row::new();
    for &vertex in vertices
        .iter()
        .filter(|v| (**v as usize) < weights.vertex_count())
    {
        for (bone, weight) in weights.influences(vertex as usize) {
            add(&mut mean, bone, f64::from(weight));
        }
    }
    let sum: f64 = mean.iter().map(|(_, weight)| weight).sum();
    mean.retain(|(_, weight)| *weight > 0.0);
    mean.iter()
        .map(|&(bone, weight)| (bone, (weight / sum) as f32))
        .collect()
}

/// Rows of the chosen points. `row`: puts together what a point gets, and says how many bones that may be (0: as many as
/// there are); `None`: it keeps what it has.
fn taken(
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
    let (mut before, mut mean) = (Row::new(), Row::new());
    let mut changed: Vec<(u32, Row)> = Vec::new();
    for point in points {
        mean.clear();
        let Some(most) = row(&rows, point, &mut mean) else {
            continue;
        };
        rules.most = most;
        rows.before(canvas, point, &mut before);
        rules.blend(&mut before, &mean, 1.0, canvas.points[point as usize]);
        changed.push((point, before.clone()));
    }
    changed.iter().for_each(|(point, row)| rows.put(*point, row));
    rows.painted(canvas)
}

fn add(row: &mut Row, bone: u16, weight: f64) {
    match row.binary_search_by_key(&bone, |(of, _)| *of) {
        Ok(at) => row[at].1 += weight,
        Err(at) => row.insert(at, (bone, weight)),
    }
}

/// Per bone of `from` the bone of `to` that has its name, or that of its nearest ancestor that has one.
fn bones_by_name(to: &Skeleton, from: &Skeleton) -> Vec<Option<u16>> {
    let named: HashMap<String, u16> = to
        .shown_bones()
        .take_while(|bone| *bone <= usize::from(u16::MAX))
        .map(|bone| (to.bone_name(bone), bone as u16))
        .collect();
    let of = |bone: usize| {
        let mut line = std::iter::successors(Some(bone), |&bone| parent_past_links(from, bone));
        line.find_map(|bone| named.get(&from.bone_name(bone)).copied())
    };
    (0..from.bones.len()).map(of).collect()
}

/// Whether `chosen` makes sense for a surface: in ascending order, all there.
pub fn is_choice(chosen: &[u32], surface: &HalfedgeMesh) -> bool {
    let in_order = chosen.is_sorted_by(|a, b| a < b);
    in_order
        && chosen
            .last()
            .is_none_or(|&last| (last as usize) < surface.vertex_count())
}

#[cfg(test)]
mod tests;
