//! Commands that calculate, refine, paint and transfer bone weights, and that choose the skinning method.

use super::effects::Edit;
use super::helpers::{self, skinned_mesh};
use super::{CommandError, Result};
use crate::rig::body::middle::BothSides;
use crate::rig::skinning;
use crate::rig::weights::VertexWeights;
use crate::rig::weights::bind_snapshot::BindSnapshot;
use crate::rig::weights::calculate::Calculation;
use crate::rig::weights::method::Method;
use crate::rig::weights::paint::PaintedRows;
use crate::rig::weights::progress::Progress;
use crate::rig::weights::refine::Refinement;
use crate::rig::weights::transfer::{self, Skinned};
use crate::scene::Scene;
use crate::scene::skinned::SkinnedMesh;
use crate::scene::world::world_matrix;
use glam::{DAffine3, Mat4};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The maximum number of smoothing iterations in one command.
pub const MAX_ITERATIONS: usize = 100;

/// Calculates the weights of `mesh` for all bones, or only for `bones`. Returns the findings of the method as
/// sentences.
///
/// # Errors
/// If there is no such mesh or bone, or the method fails.
pub fn calculate(
    edit: &mut Edit,
    mesh: &str,
    method: &Method,
    bones: Option<&[usize]>,
    progress: &Progress<'_>,
) -> Result<Vec<String>> {
    let old = Arc::clone(skinned_mesh(edit.scene, mesh)?);
    check_bones(mesh, &old, bones)?;
    let calculated = calculation(&old, method, bones).run(progress)?;
    put_calculated(edit, mesh, &old, method, bones, calculated.weights);
    Ok(calculated.findings)
}

/// Returns the calculation that [`calculate`] runs.
pub fn calculation(mesh: &SkinnedMesh, method: &Method, bones: Option<&[usize]>) -> Calculation {
    Calculation {
        method: *method,
        skeleton: Arc::clone(&mesh.skeleton),
        surface: Arc::clone(&mesh.surface),
        bones: bones.map(<[usize]>::to_vec),
        stored: Arc::clone(&mesh.weights),
    }
}

/// Applies a finished calculation as [`calculate`] would.
pub fn set_calculated(
    edit: &mut Edit,
    mesh: &str,
    method: &Method,
    bones: Option<&[usize]>,
    weights: &VertexWeights,
) -> Result {
    let old = Arc::clone(skinned_mesh(edit.scene, mesh)?);
    check_bones(mesh, &old, bones)?;
    let (vertices, bone_count) = (old.surface.vertex_count(), old.skeleton.bones.len());
    if weights.validate(vertices, bone_count).is_err() {
        return Err(CommandError::Value {
            subject: "the weights",
            rule: "a row per vertex, of bones that the mesh has",
        });
    }
    method.check()?;
    put_calculated(edit, mesh, &old, method, bones, weights.clone());
    Ok(())
}

/// Sets the weight method of a mesh.
pub fn set_method(edit: &mut Edit, mesh: &str, method: Method) -> Result {
    skinned_mesh(edit.scene, mesh)?;
    method.check()?;
    edit.change_skinned(mesh, |mesh| mesh.weight_method = method);
    Ok(())
}

pub fn refine(edit: &mut Edit, mesh: &str, vertices: Option<&[u32]>, refinement: &Refinement) -> Result {
    let old = Arc::clone(skinned_mesh(edit.scene, mesh)?);
    let count = old.surface.vertex_count();
    for &v in vertices.unwrap_or_default() {
        helpers::check_index(mesh, "vertex", v as usize, count)?;
    }
    let error = |subject, rule| Err(CommandError::Value { subject, rule });
    match *refinement {
        Refinement::Limit { most: 0 } => return error("the number of influences", "at least one"),
        Refinement::Prune { below } if !(0.0..=1.0).contains(&below) => {
            return error("the threshold", "a number from 0 to 1");
        }
        Refinement::Smooth { factor, .. } if !(0.0..=1.0).contains(&factor) => {
            return error("the factor", "a number from 0 to 1");
        }
        Refinement::Smooth { times, .. } if !(1..=MAX_ITERATIONS).contains(&times) => {
            return error("the number of times", "from 1 to 100");
        }
        _ => {}
    }
    let weights = refinement.apply(&old.weights, &old.surface, vertices);
    if weights != *old.weights {
        edit.change_skinned(mesh, |mesh| {
            mesh.weights = Arc::new(weights);
            mesh.bind_snapshot = old.bind_snapshot.refined();
        });
    }
    Ok(())
}

/// Applies the result of a brush stroke.
pub fn paint(edit: &mut Edit, mesh: &str, painted: &PaintedRows) -> Result {
    let old = Arc::clone(skinned_mesh(edit.scene, mesh)?);
    let (vertices, bones) = (old.surface.vertex_count(), old.skeleton.bones.len());
    check_painted(mesh, painted, vertices, bones)?;
    if old.weights.validate(vertices, bones).is_err() {
        return Err(CommandError::Value {
            subject: "the weights of the mesh",
            rule: "valid before they can be painted",
        });
    }
    if painted.differs_from(&old.weights) {
        edit.change_skinned(mesh, |mesh| {
            mesh.weights = Arc::new(painted.applied(&old.weights));
            mesh.bind_snapshot = old.bind_snapshot.refined();
        });
    }
    Ok(())
}

/// Checks that painted rows are valid for a mesh with the given numbers of vertices and bones.
///
/// # Errors
/// If they are not.
pub fn check_painted(mesh: &str, painted: &PaintedRows, vertices: usize, bones: usize) -> Result {
    let error = |subject, rule| Err(CommandError::Value { subject, rule });
    if painted.rows.validate(painted.vertices.len(), bones).is_err() {
        return error("the painted weights", "a row per vertex, of bones that the mesh has");
    }
    for &vertex in &painted.vertices {
        helpers::check_index(mesh, "vertex", vertex as usize, vertices)?;
    }
    if !painted.vertices.is_sorted_by(|a, b| a < b) {
        return error("the painted vertices", "in ascending order, each once");
    }
    if painted.rows.rows().any(|(bones, _)| !bones.is_sorted_by(|a, b| a < b)) {
        return error("the bones of a painted vertex", "in ascending order, each once");
    }
    Ok(())
}

/// A source of weights.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WeightSource {
    /// The side of the character with the greater x, or the other one; bones are replaced by their
    /// counterparts. `most` is the maximum number of bones per vertex; 0 for that of the weight method.
    OtherSide {
        from_positive: bool,
        #[serde(default, skip_serializing_if = "is_zero")]
        most: usize,
    },
    /// The nearest point of another skinned mesh, both in the bind pose at their places in the world; bones
    /// are matched by name.
    Mesh { name: String },
    /// The same row for all vertices: bones in ascending order with their weights.
    Row { row: Vec<(u16, f32)> },
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "required by serde")]
fn is_zero(count: &usize) -> bool {
    *count == 0
}

pub fn take_weights(edit: &mut Edit, mesh: &str, vertices: Option<&[u32]>, from: &WeightSource) -> Result {
    let old = Arc::clone(skinned_mesh(edit.scene, mesh)?);
    if vertices.is_some_and(|chosen| !transfer::is_valid_choice(chosen, &old.surface)) {
        return Err(CommandError::Value {
            subject: "the vertices that take weights",
            rule: "vertices of the mesh in ascending order, each once",
        });
    }
    let to = valid_weights(&old)?;
    let painted = match from {
        WeightSource::OtherSide { from_positive, most } => {
            if let Some(fault) = BothSides::new(&old.skeleton).fault(&old.skeleton) {
                return Err(CommandError::Value {
                    subject: "the mesh whose weights are mirrored",
                    rule: fault.rule(),
                });
            }
            let most = old.weight_method.bone_limit(*most);
            transfer::from_other_side(to, (*from_positive, most), vertices)
        }
        WeightSource::Mesh { name } if name == mesh => {
            return Err(CommandError::Value {
                subject: "the mesh that weights are taken from",
                rule: "another one",
            });
        }
        WeightSource::Mesh { name } => {
            let other = Arc::clone(skinned_mesh(edit.scene, name)?);
            let [world_to, world_from] = [mesh, name].map(|mesh| world_from_mesh(edit.scene, mesh));
            let to_from = (world_to.inverse() * world_from).as_affine3a();
            let to_from = if to_from.is_finite() { to_from.into() } else { Mat4::IDENTITY };
            transfer::from_surface(to, valid_weights(&other)?, to_from, vertices).map_err(|_| {
                CommandError::Value {
                    subject: "the mesh that weights are taken from",
                    rule: "one that shares bone names with the other mesh",
                }
            })?
        }
        WeightSource::Row { row } => {
            let mut rows = VertexWeights::none(0);
            rows.push_row(row.iter().copied());
            let is_valid = rows.validate(1, old.skeleton.bones.len()).is_ok();
            if !is_valid || row.is_empty() || !row.is_sorted_by(|a, b| a.0 < b.0) {
                return Err(CommandError::Value {
                    subject: "the row of weights",
                    rule: "some bones of the mesh, in ascending order, with weights from 0 to 1",
                });
            }
            match vertices {
                Some(vertices) => transfer::from_row(to, row, vertices),
                None => {
                    let all: Vec<u32> = (0..old.surface.vertex_count() as u32).collect();
                    transfer::from_row(to, row, &all)
                }
            }
        }
    };
    paint(edit, mesh, &painted)
}

/// Returns the transform of the first instance of a mesh, or the identity if there is none.
fn world_from_mesh(scene: &Scene, mesh: &str) -> DAffine3 {
    let mut instances = scene.instances.skinned_meshes.values();
    let instance = instances.find(|instance| instance.resource.as_deref() == Some(mesh));
    instance.map_or(DAffine3::IDENTITY, |instance| world_matrix(scene, instance.transform.as_deref()))
}

/// Checks the weights of a mesh and returns it as the source or destination of a transfer.
fn valid_weights(skinned: &SkinnedMesh) -> Result<Skinned<'_>> {
    let (vertices, bones) = (skinned.surface.vertex_count(), skinned.skeleton.bones.len());
    if skinned.weights.validate(vertices, bones).is_err() {
        return Err(CommandError::Value {
            subject: "the weights of a mesh",
            rule: "valid before they can be transferred",
        });
    }
    Ok(Skinned { surface: &skinned.surface, skeleton: &skinned.skeleton, weights: &skinned.weights })
}

/// Locks or unlocks the weights of `bones` against brushes.
fn check_bones(mesh: &str, skinned: &SkinnedMesh, bones: Option<&[usize]>) -> Result {
    for &bone in bones.unwrap_or_default() {
        helpers::check_bone(mesh, &skinned.skeleton, bone)?;
    }
    Ok(())
}

/// Stores calculated weights; if they are for all bones, also the method.
fn put_calculated(
    edit: &mut Edit,
    mesh: &str,
    old: &SkinnedMesh,
    method: &Method,
    bones: Option<&[usize]>,
    weights: VertexWeights,
) {
    edit.change_skinned(mesh, |mesh| {
        mesh.weights = Arc::new(weights);
        match bones {
            Some(bones) => mesh.bind_snapshot = old.bind_snapshot.updated(&old.skeleton, bones),
            None => {
                mesh.bind_snapshot = BindSnapshot::capture(&old.skeleton, *method);
                mesh.weight_method = *method;
            }
        }
    });
}

/// Sets the skinning method of a mesh.
pub fn set_skinning(edit: &mut Edit, mesh: &str, method: skinning::Method) -> Result {
    skinned_mesh(edit.scene, mesh)?;
    edit.change_skinned(mesh, |mesh| mesh.skinning = method);
    Ok(())
}
