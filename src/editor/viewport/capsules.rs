//! Bones as translucent capsules of their radius. Each bone and each tail has an entity, which picking needs;
//! only bones that are shown have a mesh, and those of the same shape share it.

use super::bone_materials::{Highlight, Palette};
use super::bone_sides::Side;
use crate::edit::select::pick::PickTarget;
use crate::editor::projection::Pick;
use crate::editor::projection::studio::StudioMaterial;
use bevy::camera::visibility::{NoFrustumCulling, RenderLayers};
use bevy::prelude::*;
use std::collections::{HashMap, HashSet};

/// The number of steps per e-fold of the proportions; bones in the same step share a mesh.
const FINENESS: f32 = 400.0;
/// The distance between neighbouring indices in the drawing order, in world units. Translucent capsules at
/// the same depth are drawn by index; a changing order would be visible where they overlap.
const ORDER_STEP: f32 = 1e-4;
/// The number of indices with different materials; bones that overlap have similar indices.
const ORDERS: usize = 32;
/// Skeletons with more bones get plainer capsules.
const MANY: usize = 2000;

/// The entities of the bones, and the assets of those that are shown.
#[derive(Default)]
pub struct Capsules {
    bones: Vec<BonePart>,
    meshes: HashMap<Proportions, Handle<Mesh>>,
    materials: HashMap<(CapsuleStyle, usize), Handle<StudioMaterial>>,
}

struct BonePart {
    entity: Entity,
    tail: Entity,
    shown: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub enum CapsuleStyle {
    Translucent(Highlight, Option<Side>),
    /// Of a bone whose radius is being edited.
    Outline,
}

/// A bone that is shown by its radius.
pub struct Capsule {
    pub style: CapsuleStyle,
    /// In the skeleton's units; above zero.
    pub radius: f32,
    /// In the skeleton's units.
    pub length: f32,
    /// The transform of the capsule, whose origin is the middle of the bone, with y along it.
    pub world_from_capsule: Mat4,
    pub layer: RenderLayers,
}

/// The ratio of length to radius, on a logarithmic scale; `None` without length.
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

    /// Returns the mesh, of radius 1.
    fn mesh(self) -> Mesh {
        let length = self.steps.map_or(0.0, |steps| (steps as f32 / FINENESS).exp());
        let (longitudes, latitudes) = if self.plain { (12, 6) } else { (24, 12) };
        let capsule = Capsule3d::new(1.0, length).mesh();
        capsule.longitudes(longitudes).latitudes(latitudes).build()
    }
}

impl Capsules {
    /// Shows the capsules of a skeleton, `None` for bones without one, and removes all others.
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
            commands.entity(part.tail).despawn();
        }
        let mut used = HashSet::new();
        for (index, capsule) in capsules.iter().enumerate() {
            if index == self.bones.len() {
                let entity = commands.spawn(Pick(PickTarget::Bone(index))).id();
                let tail = commands.spawn(Pick(PickTarget::Tip(index))).id();
                let shown = false;
                self.bones.push(BonePart { entity, tail, shown });
            }
            let part = &mut self.bones[index];
            let Some(capsule) = capsule else {
                if std::mem::take(&mut part.shown) {
                    commands.entity(part.entity).remove::<(Mesh3d, MeshMaterial3d<StudioMaterial>)>();
                }
                continue;
            };
            part.shown = true;
            let proportions = Proportions::new(capsule, capsules.len() > MANY);
            used.insert(proportions);
            let mesh = self.meshes.entry(proportions).or_insert_with(|| meshes.add(proportions.mesh()));
            let order = index % ORDERS;
            let shared = match capsule.style {
                CapsuleStyle::Translucent(highlight, side) => palette.bone(highlight, side),
                CapsuleStyle::Outline => &palette.edited,
            };
            let shared = materials.get(shared).cloned().unwrap_or_default();
            let hue = shared.color;
            let material = self.materials.entry((capsule.style, order)).or_insert_with(|| {
                materials.add(StudioMaterial { order: order as f32 * ORDER_STEP, ..shared })
            });
            // The colours of the preferences have changed since.
            if materials.get(&*material).is_some_and(|cached| cached.color != hue)
                && let Some(mut cached) = materials.get_mut(&*material)
            {
                cached.color = hue;
            }
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
            style: CapsuleStyle::Outline,
            radius,
            length,
            world_from_capsule: Mat4::IDENTITY,
            layer: RenderLayers::layer(0),
        }
    }

    /// Bones of one shape share a mesh, whatever their size, and capsules are as long as their bones.
    #[test]
    fn proportions_are_shared_and_nearly_exact() {
        let proportions = |radius, length| Proportions::new(&capsule(radius, length), false);
        assert!(proportions(0.1, 0.5) == proportions(0.2, 1.0));
        assert!(proportions(0.1, 0.5) != proportions(0.1, 0.6));
        assert!(proportions(0.5, 0.0).steps.is_none());
        for ratio in [0.01f32, 0.3, 1.0, 7.7, 1e4] {
            let steps = proportions(1.0, ratio).steps.unwrap() as f32;
            assert!(((steps / FINENESS).exp() / ratio - 1.0).abs() < 2.0 / FINENESS, "{ratio}");
        }
    }
}
