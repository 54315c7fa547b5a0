//! Bodies of other proportions and poses, made from the human: every vertex follows its bones, which are stretched, thickened
//! and turned. The same seed makes the same body. For the fit of skeletons, whose joints are known here.

#![allow(dead_code, reason = "each program uses its part of this")]

use crate::random::Random;
use glam::{Mat3, Vec3};
use ossature::io::js3d;
use ossature::mesh::halfedge::HalfedgeMesh;
use ossature::rig::kinematics::{bind_tips, parent_of};
use ossature::rig::skeleton::Skeleton;
use ossature::rig::weights::VertexWeights;
use ossature::rig::weights::heat::heat_weights;
use std::path::Path;
use std::sync::Arc;

/// A kind of bodies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    /// Limbs × 0.7 to 1.35, girth × 0.75 to 1.5, trunk × 0.85 to 1.3, in A- to T-poses, asymmetric.
    Common,
    /// Arms that hang, 5° to 19° from the plumb line, and less stout.
    Hanging,
    /// Legs × 0.3 to 0.7, arms × 0.6 to 0.9, head × 1.5 to 2.6.
    Chibi,
}

/// What is done to a bone.
#[derive(Clone, Copy)]
struct Change {
    /// Length and thickness, as multiples.
    length: f32,
    girth: f32,
    /// The rotation about its start, in the axes of the body; its descendants follow.
    turn: Mat3,
}

impl Default for Change {
    fn default() -> Self {
        Self { length: 1.0, girth: 1.0, turn: Mat3::IDENTITY }
    }
}

/// The human that is varied.
pub struct Human {
    pub surface: Arc<HalfedgeMesh>,
    pub skeleton: Arc<Skeleton>,
    weights: VertexWeights,
    starts: Vec<Vec3>,
    /// The tip of each bone.
    pub tips: Vec<Vec3>,
}

/// A varied body.
pub struct Varied {
    pub surface: HalfedgeMesh,
    /// The tip of each bone of the human's skeleton.
    pub tips: Vec<Vec3>,
    pub height: f32,
}

impl Human {
    /// Reads the human of the project, with heat weights.
    pub fn new() -> Self {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("media/js3d/A4-human.js3d");
        let (scene, _) = js3d::read_file(&file).expect("the human can be read");
        let human = scene.skinned_meshes.values().next().expect("the file has a skinned mesh");
        let skeleton = human.skeleton.clone();
        let weights = heat_weights(&skeleton, &human.surface, Some(4), &|_| true);
        let tips: Vec<Vec3> = bind_tips(&skeleton).iter().map(|tip| tip.as_vec3()).collect();
        let start = |bone| parent_of(&skeleton, bone).map_or(skeleton.base, |parent| tips[parent]);
        Self {
            surface: human.surface.clone(),
            starts: (0..tips.len()).map(start).collect(),
            weights: weights.expect("heat weights can be calculated").weights,
            skeleton,
            tips,
        }
    }

    /// Makes the body of a kind with this number.
    pub fn varied(&self, kind: Kind, number: u64) -> Varied {
        let mut random = Random::new(1000 + number);
        let mut uniform = |low: f32, high: f32| random.range(low, high);
        let ((arm, leg), girth, head, trunk) = match kind {
            Kind::Common => {
                ((uniform(0.7, 1.35), uniform(0.7, 1.35)), uniform(0.75, 1.5), 1.0, uniform(0.85, 1.3))
            }
            Kind::Hanging => {
                ((uniform(0.7, 1.35), uniform(0.7, 1.35)), uniform(0.75, 1.25), 1.0, uniform(0.85, 1.1))
            }
            Kind::Chibi => {
                ((uniform(0.6, 0.9), uniform(0.3, 0.7)), uniform(0.9, 1.2), uniform(1.5, 2.6), 1.0)
            }
        };
        let is_hanging = kind == Kind::Hanging;
        let raised = if is_hanging { uniform(-40.0, -28.0) } else { uniform(0.0, 47.0) };
        let spread = uniform(-1.0, 10.0);
        let sides = [0; 2].map(|_| {
            let (raised, elbow) = (raised + uniform(-6.0, 6.0), uniform(0.0, 25.0));
            let elbow = if is_hanging { 0.4 * elbow } else { elbow };
            (raised.max(-41.0), elbow, spread + uniform(-2.0, 2.0), uniform(0.0, 15.0))
        });
        self.changed(trunk, |name| {
            let is_right = name.ends_with(".R");
            let (raised, elbow, spread, knee) = sides[usize::from(is_right)];
            let sign = if is_right { -1.0 } else { 1.0 };
            let about_z = |degrees: f32| Mat3::from_rotation_z(sign * degrees.to_radians());
            let about_x = |degrees: f32| Mat3::from_rotation_x(degrees.to_radians());
            let hinge = Vec3::new(0.7 * sign, 0.7, 0.0).normalize();
            match name.trim_end_matches(".L").trim_end_matches(".R") {
                "upper_arm" => Change { length: arm, girth, turn: about_z(raised) },
                "forearm" => Change {
                    length: arm,
                    girth,
                    turn: Mat3::from_axis_angle(hinge, -sign * elbow.to_radians()),
                },
                "thigh" => Change { length: leg, girth, turn: about_z(spread) },
                "shin" => Change { length: leg, girth, turn: about_x(knee) },
                "foot" => Change { turn: about_x(-knee), ..Change::default() },
                "head" => Change { length: head, girth: head, ..Change::default() },
                _ => Change::default(),
            }
        })
    }

    /// Makes a tall thin body.
    pub fn tall(&self) -> Varied {
        self.changed(0.85, |name| match name.trim_end_matches(".L").trim_end_matches(".R") {
            "upper_arm" | "forearm" => Change { length: 1.3, girth: 0.8, ..Change::default() },
            "thigh" | "shin" => Change { length: 1.4, girth: 0.85, ..Change::default() },
            "neck" => Change { length: 1.4, girth: 0.9, ..Change::default() },
            "head" => Change { length: 0.9, girth: 0.9, ..Change::default() },
            _ => Change::default(),
        })
    }

    /// Makes a body whose thighs are thinner than its calves.
    pub fn thin(&self) -> Varied {
        self.changed(0.85, |name| match name.trim_end_matches(".L").trim_end_matches(".R") {
            "thigh" => Change { girth: 0.5, ..Change::default() },
            "shin" => Change { girth: 0.8, ..Change::default() },
            _ => Change::default(),
        })
    }

    /// Changes the bones. `trunk`: the width and depth of the trunk, as a multiple.
    fn changed(&self, trunk: f32, change: impl Fn(&str) -> Change) -> Varied {
        let (mut tips, mut turns): (Vec<Vec3>, Vec<Mat3>) = (Vec::new(), Vec::new());
        let mut maps: Vec<(Vec3, Mat3)> = Vec::new();
        for bone in 0..self.tips.len() {
            let name = self.skeleton.bone_name(bone);
            let stem = name.trim_end_matches(".L").trim_end_matches(".R");
            let change = change(&name);
            let parent = parent_of(&self.skeleton, bone);
            let turn = parent.map_or(Mat3::IDENTITY, |parent| turns[parent]) * change.turn;
            let extent = self.tips[bone] - self.starts[bone];
            let along = extent.normalize();
            let outer = Mat3::from_cols(along * along.x, along * along.y, along * along.z);
            let stretch = match stem {
                "pelvis" | "spine" | "spine2" | "chest" | "clavicle" | "hip" => {
                    Mat3::from_diagonal(Vec3::new(trunk, 1.0, trunk))
                }
                _ => change.girth * Mat3::IDENTITY + (change.length - change.girth) * outer,
            };
            let start = parent.map_or(self.skeleton.base, |parent| tips[parent]);
            tips.push(start + turn * stretch * extent);
            turns.push(turn);
            maps.push((start, turn * stretch));
        }
        let position = |(vertex, position): (usize, &Vec3)| {
            let moved = self.weights.influences(vertex).map(|(bone, weight)| {
                let (start, matrix) = maps[usize::from(bone)];
                weight * (start + matrix * (*position - self.starts[usize::from(bone)]))
            });
            moved.sum::<Vec3>()
        };
        let positions: Vec<Vec3> = self.surface.positions().iter().enumerate().map(position).collect();
        let ys = || positions.iter().map(|position| position.y);
        let height = ys().fold(f32::NEG_INFINITY, f32::max) - ys().fold(f32::INFINITY, f32::min);
        Varied { surface: with_positions(&self.surface, positions), tips, height }
    }
}

/// A copy of a surface with other positions.
pub fn with_positions(surface: &HalfedgeMesh, positions: Vec<Vec3>) -> HalfedgeMesh {
    let faces: Vec<Vec<u32>> = surface.triangles().iter().map(|triangle| triangle.to_vec()).collect();
    HalfedgeMesh::from_polygons(positions, &faces, None).expect("the faces are those of a valid surface")
}
