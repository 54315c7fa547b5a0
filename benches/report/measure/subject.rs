//! Subjects of the benches, generated so that they are the same on every machine.

use super::naive::Packed;
use crate::random::Random;
use glam::{DAffine3, DQuat, Vec3};
use ossature::mesh::primitives;
use ossature::mesh::render::RenderMesh;
use ossature::rig::kinematics::{bind_pose, current_pose};
use ossature::rig::skeleton::{Bone, Skeleton};
use ossature::rig::weights::VertexWeights;
use ossature::rig::weights::capsule::capsule_weights;
use ossature::scene::skinned::SkinnedMesh;

/// Vertices with weights of random bones, and a motion for each bone.
pub struct Skinned {
    pub description: &'static str,
    pub positions: Vec<Vec3>,
    pub weights: VertexWeights,
    pub render: RenderMesh,
    pub bind: Vec<DAffine3>,
    pub current: Vec<DAffine3>,
}

impl Skinned {
    /// Creates vertices with the same number of influences each. `corners`: render vertices per vertex, each
    /// with its own normal.
    pub fn new(vertices: usize, bones: usize, influences: usize, corners: usize) -> Self {
        let mut random = Random::new(1);
        let bind: Vec<_> =
            (0..bones).map(|_| DAffine3::from_translation(random.vec3(1.0).as_dvec3())).collect();
        let moved = |bind: &DAffine3| {
            let rotation = DQuat::from_axis_angle(
                random.direction().as_dvec3().normalize(),
                f64::from(random.unit()) * 2.5,
            );
            let offset = random.vec3(1.0).as_dvec3() * 0.3;
            DAffine3::from_rotation_translation(rotation, bind.translation + offset)
        };
        let current = bind.iter().map(moved).collect();
        let mut weights = VertexWeights::none(0);
        for _ in 0..vertices {
            // Distinct bones in ascending order, with varied spacing.
            let start = random.below(bones);
            let mut row: Vec<(u16, f32)> = (0..influences)
                .map(|k| {
                    let step = random.below((bones / influences).max(1));
                    let bone = (start + k * (bones / influences).max(1) + step) % bones;
                    (bone as u16, random.unit().abs() + 0.05)
                })
                .collect();
            row.sort_unstable_by_key(|(bone, _)| *bone);
            let sum: f32 = row.iter().map(|(_, weight)| weight).sum();
            weights.push_row(row.into_iter().map(|(bone, weight)| (bone, weight / sum)));
        }
        Self {
            description: "64 bones, four influences a vertex",
            positions: (0..vertices).map(|_| random.vec3(1.0)).collect(),
            weights,
            render: RenderMesh {
                vertex: (0..vertices * corners).map(|r| (r / corners) as u32).collect(),
                normal: (0..vertices * corners).map(|_| random.direction()).collect(),
                ..RenderMesh::default()
            },
            bind,
            current,
        }
    }

    /// Creates the subject of a mesh in its current pose.
    pub fn from_mesh(mesh: &SkinnedMesh) -> Self {
        Self {
            description: "the rows as they are",
            positions: mesh.surface.positions().to_vec(),
            weights: (*mesh.weights).clone(),
            render: RenderMesh::new(&mesh.surface),
            bind: bind_pose(&mesh.skeleton),
            current: current_pose(&mesh.skeleton),
        }
    }

    /// Returns the subject with bones that rotate by less than a right angle.
    pub fn calm(mut self) -> Self {
        let mut random = Random::new(2);
        for (bind, current) in self.bind.iter().zip(&mut self.current) {
            let axis = random.direction().as_dvec3().normalize();
            let rotation = DQuat::from_axis_angle(axis, f64::from(random.unit()) * 1.5);
            *current = DAffine3::from_rotation_translation(rotation, bind.translation);
        }
        self
    }

    /// Returns the subject with one to all of the influences of each vertex.
    pub fn shortened(mut self) -> Self {
        let mut random = Random::new(3);
        let mut weights = VertexWeights::none(0);
        for (bones, all) in self.weights.rows() {
            let count = 1 + random.below(bones.len());
            let sum: f32 = all[..count].iter().sum();
            let row = bones.iter().zip(all).take(count);
            weights.push_row(row.map(|(bone, weight)| (*bone, weight / sum)));
        }
        self.weights = weights;
        self
    }

    /// Returns the subject with four entries in each row: longer ones are cut, shorter ones padded with
    /// weight 0.
    pub fn in_fours(self) -> Self {
        let mut weights = VertexWeights::none(0);
        for (bones, all) in self.weights.rows() {
            let last = bones.last().copied().unwrap_or(0);
            let entry =
                |k: usize| (bones.get(k).copied().unwrap_or(last), all.get(k).copied().unwrap_or(0.0));
            weights.push_row((0..4).map(entry));
        }
        Self { description: "four entries in each row", weights, ..self }
    }

    /// Returns the textbook's form of a subject with four influences and one corner per vertex.
    pub fn packed(&self) -> Packed {
        let rows = || self.weights.rows();
        Packed {
            positions: self.positions.iter().map(|p| p.to_array()).collect(),
            normals: self.render.normal.iter().map(|n| n.to_array()).collect(),
            bones: rows().map(|(bones, _)| std::array::from_fn(|k| bones[k])).collect(),
            weights: rows().map(|(_, weights)| std::array::from_fn(|k| weights[k])).collect(),
        }
    }
}

/// Returns a tube of about `vertices` vertices with a chain of twenty bones inside and capsule weights.
/// `None` for too few vertices.
pub fn tube(vertices: u32) -> Option<SkinnedMesh> {
    let around = 200;
    let surface = primitives::tube(1.0, 20.0, around, vertices / around).ok()?;
    let bones = (0..20).map(|i: u32| Bone {
        extent: Vec3::Y,
        radius: 1.8,
        parent: i.checked_sub(1),
        channel_id: i,
        ..Bone::default()
    });
    let skeleton = Skeleton { bones: bones.collect(), ..Skeleton::default() };
    Some(SkinnedMesh {
        weights: capsule_weights(&skeleton, surface.positions()).into(),
        surface: surface.into(),
        skeleton: skeleton.into(),
        ..SkinnedMesh::default()
    })
}
