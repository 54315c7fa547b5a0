//! What the benches work on: made by formula, so that every machine has the same.

use super::naive::Packed;
use crate::mesh::primitives;
use crate::mesh::render::RenderMesh;
use crate::rig::kinematics::{bind_pose, current_pose};
use crate::rig::skeleton::{Bone, Skeleton};
use crate::rig::weights::VertexWeights;
use crate::rig::weights::capsule::capsule_weights;
use crate::scene::skinned::SkinnedMesh;
use glam::{DAffine3, DQuat, Vec3};

/// xorshift64*.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub fn bits(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    pub fn below(&mut self, n: usize) -> usize {
        (self.bits() >> 33) as usize % n
    }

    /// From -1 to 1.
    pub fn signed(&mut self) -> f32 {
        (self.bits() >> 40) as f32 / (1u64 << 23) as f32 - 1.0
    }

    pub fn vec3(&mut self) -> Vec3 {
        Vec3::new(self.signed(), self.signed(), self.signed())
    }

    pub fn unit(&mut self) -> Vec3 {
        loop {
            let v = self.vec3();
            if (0.1..1.0).contains(&v.length()) {
                return v.normalize();
            }
        }
    }

    /// Roughly normal with deviation 1.
    pub fn normal3(&mut self) -> Vec3 {
        let mut number = || (0..12).map(|_| self.signed()).sum::<f32>() * 0.5;
        Vec3::new(number(), number(), number())
    }
}

/// Vertices with the same number of influences of random bones, and a motion for each bone.
pub struct Skinned {
    pub what: &'static str,
    pub positions: Vec<Vec3>,
    pub weights: VertexWeights,
    pub render: RenderMesh,
    pub bind: Vec<DAffine3>,
    pub current: Vec<DAffine3>,
}

impl Skinned {
    /// `corners`: render vertices a vertex, each with a normal of its own.
    pub fn new(vertices: usize, bones: usize, influences: usize, corners: usize) -> Self {
        let mut random = Random::new(1);
        let bind: Vec<_> = (0..bones)
            .map(|_| DAffine3::from_translation(random.vec3().as_dvec3()))
            .collect();
        let turned = |bind: &DAffine3| {
            let turn = DQuat::from_axis_angle(
                random.unit().as_dvec3().normalize(),
                f64::from(random.signed()) * 2.5,
            );
            let moved = random.vec3().as_dvec3() * 0.3;
            DAffine3::from_rotation_translation(turn, bind.translation + moved)
        };
        let current = bind.iter().map(turned).collect();
        let mut weights = VertexWeights::none(0);
        for _ in 0..vertices {
            // Different bones, in order; a limb's influences are not all alike.
            let start = random.below(bones);
            let mut row: Vec<(u16, f32)> = (0..influences)
                .map(|k| {
                    let step = random.below((bones / influences).max(1));
                    let bone = (start + k * (bones / influences).max(1) + step) % bones;
                    (bone as u16, random.signed().abs() + 0.05)
                })
                .collect();
            row.sort_unstable_by_key(|(bone, _)| *bone);
            let sum: f32 = row.iter().map(|(_, weight)| weight).sum();
            weights.push_row(row.into_iter().map(|(bone, weight)| (bone, weight / sum)));
        }
        Self {
            what: "64 bones, four influences a vertex",
            positions: (0..vertices).map(|_| random.vec3()).collect(),
            weights,
            render: RenderMesh {
                vertex: (0..vertices * corners).map(|r| (r / corners) as u32).collect(),
                normal: (0..vertices * corners).map(|_| random.unit()).collect(),
                ..RenderMesh::default()
            },
            bind,
            current,
        }
    }

    /// A mesh in its current pose.
    pub fn of(mesh: &SkinnedMesh) -> Self {
        Self {
            what: "the rows as they are",
            positions: mesh.surface.positions().to_vec(),
            weights: (*mesh.weights).clone(),
            render: RenderMesh::new(&mesh.surface),
            bind: bind_pose(&mesh.skeleton),
            current: current_pose(&mesh.skeleton),
        }
    }

    /// With bones that turn by less than a right angle.
    pub fn calm(mut self) -> Self {
        let mut random = Random::new(2);
        for (bind, current) in self.bind.iter().zip(&mut self.current) {
            let axis = random.unit().as_dvec3().normalize();
            let turn = DQuat::from_axis_angle(axis, f64::from(random.signed()) * 1.5);
            *current = DAffine3::from_rotation_translation(turn, bind.translation);
        }
        self
    }

    /// With one to all of the influences of each vertex.
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

    /// With four entries in each row: the first of longer ones, and some of weight 0 in shorter ones.
    pub fn in_fours(self) -> Self {
        let mut weights = VertexWeights::none(0);
        for (bones, all) in self.weights.rows() {
            let last = bones.last().copied().unwrap_or(0);
            let at = |k: usize| {
                (
                    bones.get(k).copied().unwrap_or(last),
                    all.get(k).copied().unwrap_or(0.0),
                )
            };
            weights.push_row((0..4).map(at));
        }
        Self {
            what: "four entries in each row",
            weights,
            ..self
        }
    }

    /// For the textbook's kernels; of four influences and one corner a vertex.
    pub fn packed(&self) -> Packed {
        let rows = || self.weights.rows();
        Packed {
            positions: self.positions.iter().map(|p| p.to_array()).collect(),
            normals: self.render.normal.iter().map(|n| n.to_array()).collect(),
            bones: rows()
                .map(|(bones, _)| std::array::from_fn(|k| bones[k]))
                .collect(),
            weights: rows()
                .map(|(_, weights)| std::array::from_fn(|k| weights[k]))
                .collect(),
        }
    }
}

/// A tube of about so many vertices with a chain of twenty bones inside, weighted by capsules. `None` for too
/// few vertices.
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
    let skeleton = Skeleton {
        bones: bones.collect(),
        ..Skeleton::default()
    };
    Some(SkinnedMesh {
        weights: capsule_weights(&skeleton, surface.positions()).into(),
        surface: surface.into(),
        skeleton: skeleton.into(),
        ..SkinnedMesh::default()
    })
}
