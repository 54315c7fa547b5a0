//! Shapes as morph targets: their differences, names and weights, and the tracks of the weights.

use super::super::schema::{Animation, AnimationSampler, Channel, Index, Interpolation, Mesh, Path, Target};
use super::binary::Binary;
use super::nodes::Nodes;
use super::takes::Take;
use crate::anim::channel::{ChannelRef, SkeletonChannel};
use crate::anim::channel_set::ChannelSet;
use crate::mesh::render::RenderMesh;
use crate::rig::property::SHAPE_WEIGHT;
use crate::rig::shapes::ShapeKey;
use crate::rig::skeleton::Skeleton;
use crate::scene::Scene;
use crate::scene::apply_animation::Animator;
use glam::Vec3;
use serde_json::json;
use std::collections::BTreeMap;

/// How far a weight may be off between keys.
const WEIGHT_TOLERANCE: f32 = 1e-4;

/// Writes the morph targets of a surface, for its render vertices.
pub fn targets(binary: &mut Binary, render: &RenderMesh, keys: &[ShapeKey]) -> Vec<BTreeMap<String, Index>> {
    let turns = keys.iter().any(|key| !key.normals.is_empty());
    let target = |key: &ShapeKey| {
        let offset = |vertex: &u32| {
            let found = key.positions.binary_search_by_key(vertex, |(vertex, _)| *vertex);
            found.map_or(Vec3::ZERO, |index| key.positions[index].1)
        };
        let offsets: Vec<Vec3> = render.vertex.iter().map(offset).collect();
        let mut attributes = BTreeMap::from([("POSITION".to_owned(), binary.add_positions(&offsets))]);
        if turns {
            let mut normals = vec![Vec3::ZERO; render.normal.len()];
            for &(corner, offset) in &key.normals {
                if let Some(normal) = normals.get_mut(render.corner[corner as usize] as usize) {
                    *normal = offset;
                }
            }
            attributes.insert("NORMAL".to_owned(), binary.add_attribute(&normals));
        }
        attributes
    };
    keys.iter().map(target).collect()
}

/// Adds the names and stored weights of shapes to their mesh.
pub fn describe(mesh: &mut Mesh, skeleton: &Skeleton) {
    if skeleton.shapes.is_empty() {
        return;
    }
    let names: Vec<String> = (0..skeleton.shapes.len()).map(|shape| skeleton.shape_name(shape)).collect();
    mesh.weights = skeleton.shapes.iter().map(|shape| f64::from(shape.weight)).collect();
    mesh.extras = Some(json!({ "targetNames": names }));
}

/// A skinned mesh whose shapes are keyed, and its nodes.
struct Keyed<'a> {
    name: &'a str,
    nodes: Vec<Index>,
}

/// Adds the tracks of keyed shapes to the animations of the takes, which are added if nothing else moves. `meshes` are the
/// names of skinned meshes with their meshes in the file.
pub fn add_tracks(
    scene: &Scene,
    takes: &[Take],
    meshes: &[(&str, Index)],
    nodes: &Nodes,
    binary: &mut Binary,
    animations: &mut Vec<Animation>,
) {
    let mut keyed: BTreeMap<&str, Keyed> = BTreeMap::new();
    for &(name, mesh) in meshes {
        let Some(skinned) = scene.skinned_meshes.get(name) else { continue };
        let is_keyed = skinned.skeleton.shapes.iter().any(|shape| {
            let channel = SkeletonChannel::Shape(shape.channel_id, SHAPE_WEIGHT);
            scene.animation.get(&ChannelRef::new(name, channel)).is_some()
        });
        if is_keyed {
            let with_mesh = (0..nodes.nodes.len()).filter(|node| nodes.nodes[*node].mesh == Some(mesh));
            keyed.entry(name).or_insert(Keyed { name, nodes: Vec::new() }).nodes.extend(with_mesh);
        }
    }
    if keyed.is_empty() {
        return;
    }
    let is_posed =
        animations.len() == 1 && takes.len() == 1 && animations[0].name.as_deref() != Some(&takes[0].name);
    if animations.is_empty() || is_posed {
        animations.resize_with(takes.len(), Animation::default);
        animations
            .iter_mut()
            .zip(takes)
            .for_each(|(animation, take)| animation.name = Some(take.name.clone()));
    }
    let mut animator = Animator::default();
    for (animation, take) in animations.iter_mut().zip(takes) {
        let [first, last] = take.range;
        let mut weights: Vec<Vec<Vec<f32>>> = vec![Vec::new(); keyed.len()];
        for frame in first..=last {
            let driven = animator.animate(scene, frame as f32, &ChannelSet::default());
            for (weights, keyed) in weights.iter_mut().zip(keyed.values()) {
                let shapes = driven.skinned_meshes.get(keyed.name).map(|mesh| &*mesh.skeleton.shapes);
                weights.push(shapes.unwrap_or_default().iter().map(|shape| shape.weight).collect());
            }
        }
        for (weights, keyed) in weights.iter().zip(keyed.values()) {
            let keys = keys(weights);
            let seconds: Vec<f32> = keys.iter().map(|key| *key as f32 / scene.animation.clip.rate).collect();
            let values: Vec<f32> = keys.iter().flat_map(|key| weights[*key].iter().copied()).collect();
            let (input, output) = (binary.add_times(&seconds), binary.add_values(&values));
            for &node in &keyed.nodes {
                let target = Target { node: Some(node), path: Path::Weights };
                animation.channels.push(Channel { sampler: animation.samplers.len(), target });
            }
            animation.samplers.push(AnimationSampler { input, interpolation: Interpolation::Linear, output });
        }
    }
}

/// Returns the frames that need keys, so that straight lines between them are within the tolerance; the first and the last
/// are among them.
fn keys(weights: &[Vec<f32>]) -> Vec<usize> {
    let mut keys = vec![0];
    let mut from = 0;
    for to in 2..weights.len() {
        let is_straight = (from + 1..to).all(|at| {
            let part = (at - from) as f32 / (to - from) as f32;
            let (ends, values) = (weights[from].iter().zip(&weights[to]), &weights[at]);
            ends.zip(values).all(|((a, b), value)| (a + (b - a) * part - value).abs() <= WEIGHT_TOLERANCE)
        });
        if !is_straight {
            from = to - 1;
            keys.push(from);
        }
    }
    if weights.len() > 1 {
        keys.push(weights.len() - 1);
    }
    keys
}

#[cfg(test)]
mod tests {
    use super::keys;

    #[test]
    fn straight_lines_need_their_ends() {
        let ramp = |at: usize| vec![if at < 5 { at as f32 * 0.2 } else { 1.0 }, 0.25];
        assert_eq!(keys(&(0..10).map(ramp).collect::<Vec<_>>()), [0, 5, 9]);
        assert_eq!(keys(&[vec![1.0]]), [0]);
        assert_eq!(keys(&[vec![1.0], vec![0.0]]), [0, 1]);
    }
}
