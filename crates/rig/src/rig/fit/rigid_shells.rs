//! Separate pieces of a surface that do not bend, but follow one bone: eyes, plates and what else lies on one bone, and what a hand
//! holds. Heat gives a sword, whose blade is beside a leg, the weights of that leg.
//!
//! A piece that goes around a joint bends: sleeves, gloves, boots. So does one that lies on several bones: belts, straps, buttons.

use super::shells;
use crate::math::bounds::Bounds;
use crate::math::ray::Ray;
use crate::mesh::bvh::Bvh;
use crate::mesh::halfedge::HalfedgeMesh;
use crate::mesh::orientation::spread;
use crate::rig::body::roles::{Role, bone_role};
use crate::rig::kinematics::{bind_tips, parent_of};
use crate::rig::skeleton::Skeleton;
use crate::rig::weights::VertexWeights;
use glam::Vec3;
use rayon::prelude::*;
use std::f32::consts::TAU;

/// The share of the weights from which on most of them are those of one bone.
const MOST: f32 = 0.5;
/// The share of what is inside the body that is in one part of it, for a piece that this part holds.
const IN_ONE_PART: f32 = 0.7;
/// The points of a piece that tell where it crosses the skin.
const SAMPLES: usize = 300;
/// The directions in which lines leave a joint, and those that tell whether a point is inside the body.
const AROUND: usize = 64;
const INSIDE: usize = 15;

/// Makes the vertices of pieces that do not bend follow one bone alone. `weights`: of all vertices of `surface`, in the space of the
/// skeleton.
pub fn with_rigid_shells(
    weights: &VertexWeights,
    skeleton: &Skeleton,
    surface: &HalfedgeMesh,
) -> VertexWeights {
    let positions = surface.positions();
    let pieces = shells::pieces(positions, &surface.triangles());
    let Some((main, others)) = pieces.split_first() else { return weights.clone() };
    let skin = Skin::new(weights, skeleton, positions, main);
    let found: Vec<Option<usize>> = others.par_iter().map(|piece| skin.bone_of(piece)).collect();
    let mut alone: Vec<Option<u16>> = vec![None; weights.vertex_count()];
    for (piece, bone) in others.iter().zip(found) {
        let bone = bone.and_then(|bone| u16::try_from(bone).ok());
        piece.iter().flatten().for_each(|&vertex| alone[vertex as usize] = bone);
    }
    let mut result = VertexWeights::none(0);
    for (vertex, alone) in alone.into_iter().enumerate() {
        match alone {
            Some(bone) => result.push_row([(bone, 1.0)]),
            None => result.push_row(weights.influences(vertex)),
        }
    }
    result
}

/// The largest piece, and the bones in it.
struct Skin<'a> {
    weights: &'a VertexWeights,
    skeleton: &'a Skeleton,
    positions: &'a [Vec3],
    tree: Bvh,
    /// 1 if its triangles face outwards, -1 if they face inwards.
    facing: f32,
    /// Where bones meet, with the part of the body that the first of them belongs to.
    joints: Vec<(Option<usize>, Vec3)>,
}

impl<'a> Skin<'a> {
    fn new(
        weights: &'a VertexWeights,
        skeleton: &'a Skeleton,
        positions: &'a [Vec3],
        triangles: &[[u32; 3]],
    ) -> Self {
        let volume: f32 = triangles
            .iter()
            .map(|corners| {
                let [a, b, c] = corners.map(|vertex| positions[vertex as usize] - skeleton.base);
                a.dot(b.cross(c))
            })
            .sum();
        let tips = bind_tips(skeleton);
        let goes_on = |bone: usize| (0..tips.len()).any(|child| parent_of(skeleton, child) == Some(bone));
        let joints = (0..tips.len()).filter(|&bone| goes_on(bone));
        let joints = joints.map(|bone| (Some(part_of(skeleton, bone)), tips[bone].as_vec3()));
        let joints = joints.chain([(None, skeleton.base)]).collect();
        let tree = Bvh::new(positions, triangles);
        Self { weights, skeleton, positions, tree, facing: volume.signum(), joints }
    }

    /// The bone that a piece follows alone; `None` if it bends.
    fn bone_of(&self, piece: &[[u32; 3]]) -> Option<usize> {
        let part = || self.most_followed(piece, |bone| part_of(self.skeleton, bone));
        self.most_followed(piece, |bone| bone)
            .or_else(|| part().filter(|_| !self.goes_around_joint(piece, |_| true)))
            // The hilt of a sword may be thicker than the fingers beside it.
            .or_else(|| {
                self.holder(piece)
                    .filter(|holder| !self.goes_around_joint(piece, |part| part != Some(*holder)))
            })
    }

    /// The bone, or the part of the body, that each vertex of a piece follows more than all others.
    fn most_followed(&self, piece: &[[u32; 3]], part: impl Fn(usize) -> usize) -> Option<usize> {
        let most = |vertex: u32| {
            let mut shares = vec![0.0; self.skeleton.bones.len()];
            self.add_shares(&mut shares, vertex, 1.0, &part);
            largest(&shares).filter(|(_, share)| *share > MOST).map(|(bone, _)| bone)
        };
        let first = most(*piece.first()?.first()?)?;
        piece.iter().flatten().all(|&vertex| most(vertex) == Some(first)).then_some(first)
    }

    /// The part of the body that a piece crosses the skin of, if there is only one, and if it reaches farther out than that is thick:
    /// what lies on the skin may sink into it anywhere.
    fn holder(&self, piece: &[[u32; 3]]) -> Option<usize> {
        let mut shares = vec![0.0; self.skeleton.bones.len()];
        let mut farthest = 0.0_f32;
        for point in spread(self.positions, piece, SAMPLES) {
            let nearest = self.tree.closest(self.positions, point)?;
            if self.is_behind(point, nearest.triangle) && self.is_inside(point) {
                for (vertex, share) in nearest.triangle.into_iter().zip(nearest.weights) {
                    self.add_shares(&mut shares, vertex, share, &|bone| part_of(self.skeleton, bone));
                }
            } else {
                farthest = farthest.max(nearest.distance);
            }
        }
        let (bone, share) = largest(&shares)?;
        let is_only = share > IN_ONE_PART * shares.iter().sum::<f32>();
        (is_only && farthest > self.skeleton.bones[bone].radius).then_some(bone)
    }

    /// Adds the weights of a vertex to the shares of the bones, or of the parts of the body that they belong to.
    fn add_shares(&self, shares: &mut [f32], vertex: u32, factor: f32, part: &impl Fn(usize) -> usize) {
        for (bone, weight) in self.weights.influences(vertex as usize) {
            if usize::from(bone) < shares.len() {
                shares[part(usize::from(bone))] += factor * weight;
            }
        }
    }

    /// Whether a piece goes around a joint of one of these parts of the body: most lines from there meet it, and not before the skin.
    fn goes_around_joint(&self, piece: &[[u32; 3]], is_asked: impl Fn(Option<usize>) -> bool) -> bool {
        let Bounds { min, max } =
            Bounds::from_points(piece.iter().flatten().map(|vertex| self.positions[*vertex as usize]));
        let tree = Bvh::new(self.positions, piece);
        // From outside of its bounds, it is met by less than half of the lines.
        let inner =
            self.joints.iter().filter(|(part, joint)| is_asked(*part) && joint.clamp(min, max) == *joint);
        inner.into_iter().any(|(_, joint)| {
            let is_beyond_skin = |direction: &Vec3| {
                let first = |tree: &Bvh| {
                    tree.first_hit(self.positions, &Ray::new(*joint, *direction)).map(|hit| hit.t)
                };
                let (piece, skin) = (first(&tree), first(&self.tree));
                piece.is_some_and(|piece| skin.is_none_or(|skin| skin <= piece))
            };
            2 * directions(AROUND).filter(is_beyond_skin).count() > AROUND
        })
    }

    /// Whether a point is behind a triangle.
    fn is_behind(&self, point: Vec3, triangle: [u32; 3]) -> bool {
        let first = self.positions[triangle[0] as usize];
        self.normal(triangle).dot(point - first) < 0.0
    }

    /// Whether a point is inside: most lines from there meet the back of the skin first.
    fn is_inside(&self, point: Vec3) -> bool {
        let leaves = |direction: &Vec3| {
            let hit = self.tree.first_hit(self.positions, &Ray::new(point, *direction));
            hit.is_some_and(|hit| self.normal(hit.triangle).dot(*direction) > 0.0)
        };
        2 * directions(INSIDE).filter(leaves).count() > INSIDE
    }

    /// The normal of a triangle of the skin, outwards and of any length.
    fn normal(&self, triangle: [u32; 3]) -> Vec3 {
        let [a, b, c] = triangle.map(|vertex| self.positions[vertex as usize]);
        self.facing * (b - a).cross(c - a)
    }
}

/// The bone of the hand for those of its fingers, and any other bone itself.
fn part_of(skeleton: &Skeleton, bone: usize) -> usize {
    let mut above = std::iter::successors(Some(bone), |&bone| parent_of(skeleton, bone));
    let is_finger =
        |bone: &usize| matches!(bone_role(&skeleton.bones[*bone]), Some(Role::Finger | Role::Thumb));
    above.find(|bone| !is_finger(bone)).unwrap_or(bone)
}

/// The largest of some values with its index; `None` if all are 0.
fn largest(shares: &[f32]) -> Option<(usize, f32)> {
    let all = shares.iter().copied().enumerate().filter(|(_, share)| *share > 0.0);
    all.max_by(|a, b| a.1.total_cmp(&b.1))
}

/// Directions that are spread evenly: along a spiral from pole to pole, by the golden angle.
fn directions(count: usize) -> impl Iterator<Item = Vec3> {
    (0..count).map(move |index| {
        let y = 1.0 - (2 * index + 1) as f32 / count as f32;
        let (sine, cosine) = (index as f32 * 0.381_966 * TAU).sin_cos();
        let radius = (1.0 - y * y).sqrt();
        Vec3::new(radius * cosine, y, radius * sine)
    })
}
