//! Bones at their radius: translucent capsules. Each bone has an entity, since the pointer finds it by that; only those
//! that are shown have a mesh, and bones of one shape share it.

use super::bone_materials::{Look, Palette};
use crate::edit::pick::PickTarget;
use crate::editor::projection::Pick;
use crate::editor::projection::studio::StudioMaterial;
use bevy::camera::visibility::{NoFrustumCulling, RenderLayers};
use bevy::prelude::*;
use std::collections::{HashMap, HashSet};

/// Proportions that differ by less than one part in this many share a mesh.
const FINENESS: f32 = 400.0;
/// Translucent capsules at one depth are drawn by index, else in any order, which would show where they overlap: what
/// sets neighbouring indices apart, in world units.
const ORDER_STEP: f32 = 1e-4;
/// As many indices have a material of their own; bones that overlap have indices near each other.
const ORDERS: usize = 32;
/// Skeletons of more bones get plainer capsules.
const MANY: usize = 2000;

/// Entities of the bones, and what those that are shown are drawn by.
#[derive(Default)]
pub struct Capsules {
    bones: Vec<BonePart>,
    meshes: HashMap<Proportions, Handle<Mesh>>,
    materials: HashMap<(Look, usize), Handle<StudioMaterial>>,
}

struct BonePart {
    entity: Entity,
    shown: bool,
}

/// How a bone shows at its radius.
pub struct Capsule {
    pub look: Look,
    /// World units of the skeleton; above zero.
    pub radius: f32,
    pub length: f32,
    /// From the middle of the bone, y along it; the skeleton's units.
    pub world_from_capsule: Mat4,
    pub layer: RenderLayers,
}

/// Length by radius, on a logarithmic scale; `None` without length.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Proportions {
    steps: Option<i32>,
    plain: bool,
}

impl Proportions {
    fn new(capsule: &Capsule, plain: bool) -> Self {
        let ratio = capsule.length / capsule.radius;
        let steps = (ratio > 1e-3 && ratio.is_finite()).then(|| (ratio.ln() * FINENESS).round() as i32);
        Self { steps, plain }
    }

    /// The mesh, of radius 1.
    fn mesh(self) -> Mesh {
        let length = self.steps.map_or(0.0, |steps| (steps as f32 / FINENESS).exp());
        let (longitudes, latitudes) = if self.plain { (12, 6) } else { (24, 12) };
        let capsule = Capsule3d::new(1.0, length).mesh();
        capsule.longitudes(longitudes).latitudes(latitudes).build()
    }
}

impl Capsules {
    /// Shows the capsules of a skeleton, `None` for bones that have none, and drops what is left of others.
    pub fn show(
        &mut self,
        commands: &mut Commands,
        meshes: &mut Assets<Mesh>,
        materials: &mut Assets<StudioMaterial>,
        palette: &Palette,
        capsules: &[Option<Capsule>],
    ) {
        for part in self.bones.drain(capsules.len().min(self.bones.len())..) {
            commands.entity(part.entity).despawn();
        }
        let mut used = HashSet::new();
        for (index, capsule) in capsules.iter().enumerate() {
            if index == self.bones.len() {
                let entity = commands.spawn(Pick(PickTarget::Bone(index))).id();
                let shown = false;
                self.bones.push(BonePart { entity, shown });
            }
            let part = &mut self.bones[index];
            let Some(capsule) = capsule else {
                if std::mem::take(&mut part.shown) {
                    commands
                        .entity(part.entity)
                        .remove::<(Mesh3d, MeshMaterial3d<StudioMaterial>)>();
                }
                continue;
            };
            part.shown = true;
            let proportions = Proportions::new(capsule, capsules.len() > MANY);
            used.insert(proportions);
            let mesh = self
                .meshes
                .entry(proportions)
                .or_insert_with(|| meshes.add(proportions.mesh()));
            let order = index % ORDERS;
            let material = self.materials.entry((capsule.look, order)).or_insert_with(|| {
                let shared = palette.bone(capsule.look);
                let shared = materials.get(shared).cloned().unwrap_or_default();
                materials.add(StudioMaterial {
                    order: order as f32 * ORDER_STEP,
                    ..shared
                })
            });
            let scale = Mat4::from_scale(Vec3::splat(capsule.radius));
            commands.entity(part.entity).insert((
                Transform::from_matrix(capsule.world_from_capsule * scale),
                Mesh3d(mesh.clone()),
                MeshMaterial3d(material.clone()),
                capsule.layer.clone(),
                NoFrustumCulling,
            ));
        }
        self.meshes.retain(|proportions, _| used.contains(proportions));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn capsule(radius: f32, length: f32) -> Capsule {
        Capsule {
            look: Look::Plain,
            radius,
            length,
            world_from_capsule: Mat4::IDENTITY,
            layer: RenderLayers::layer(0),
        }
    }

    /// Bones of one shape share a mesh, whatever their size, and what is drawn is as long as the bone.
    #[test]
    fn proportions_are_shared_and_nearly_exact() {
        let of = |radius, length| Proportions::new(&capsule(radius, length), false);
        assert!(of(0.1, 0.5) == of(0.2, 1.0) && of(0.1, 0.5) != of(0.1, 0.6));
        assert!(of(0.5, 0.0).steps.is_none());
        for ratio in [0.01f32, 0.3, 1.0, 7.7, 1e4] {
            let steps = of(1.0, ratio).steps.unwrap() as f32;
            assert!(
                ((steps / FINENESS).exp() / ratio - 1.0).abs() < 2.0 / FINENESS,
                "{ratio}"
            );
        }
    }
}
