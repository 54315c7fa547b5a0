//! Calculates weights in the background, or at once if that is quick. The result is dropped if the mesh,
//! bones, method or weights that it was calculated from have changed meanwhile.

use crate::edit::command::Command;
use crate::edit::command::weights::calculation;
use crate::edit::request::Request;
use crate::edit::session::Session;
use crate::editor::app::jobs::worker::Progress;
use crate::editor::panels::messages::{Level, Messages};
use crate::editor::panels::progress::JobKind;
use crate::mesh::halfedge::HalfedgeMesh;
use crate::rig::weights::VertexWeights;
use crate::rig::weights::bind_snapshot::BindSnapshot;
use crate::rig::weights::method::{Calculated, Method, MethodError};
use crate::scene::skinned::SkinnedMesh;
use std::sync::Arc;

/// The state that a result was calculated from.
struct Basis {
    surface: Arc<HalfedgeMesh>,
    weights: Arc<VertexWeights>,
    bones: BindSnapshot,
    bone_ids: Vec<u32>,
    method: Method,
}

impl Basis {
    fn new(mesh: &SkinnedMesh) -> Self {
        Self {
            surface: mesh.surface.clone(),
            weights: mesh.weights.clone(),
            bones: BindSnapshot::capture(&mesh.skeleton, mesh.weight_method),
            bone_ids: mesh.skeleton.bones.iter().map(|bone| bone.channel_id).collect(),
            method: mesh.weight_method,
        }
    }

    fn is_current(&self, mesh: &SkinnedMesh) -> bool {
        let current = Self::new(mesh);
        Arc::ptr_eq(&self.surface, &current.surface)
            && Arc::ptr_eq(&self.weights, &current.weights)
            && self.bones == current.bones
            && self.bone_ids == current.bone_ids
            && self.method == current.method
    }
}

/// Calculated weights, what was requested, and the state that they were calculated from.
pub struct CalculatedWeights {
    mesh: String,
    bones: Option<Vec<usize>>,
    method: Method,
    basis: Basis,
    calculated: Result<Calculated, MethodError>,
}

/// Returns the work of these commands if it belongs in the background: it exceeds `at_once` (vertices times
/// bones), or its result may have findings.
pub fn work(
    commands: &[Command],
    session: &Session,
    at_once: usize,
) -> Option<impl FnOnce(&Progress) -> CalculatedWeights + use<>> {
    let (mesh, bones, method) = match commands {
        [Command::CalculateWeights { mesh, method }] => (mesh.clone(), None, *method),
        [Command::CalculateBoneWeights { mesh, bones, method }] => {
            (mesh.clone(), Some(bones.clone()), *method)
        }
        _ => return None,
    };
    let skinned = session.scene().skinned_meshes.get(&mesh)?;
    let calculation = calculation(skinned, &method, bones.as_deref());
    let has_findings = method.descriptor().has_findings;
    if calculation.work() <= at_once && !has_findings {
        return None;
    }
    let basis = Basis::new(skinned);
    Some(move |progress: &Progress| CalculatedWeights {
        mesh,
        bones,
        method,
        basis,
        calculated: calculation.run(progress),
    })
}

/// Returns the request that stores the weights, unless they failed or are outdated; shows messages.
pub fn finish(done: CalculatedWeights, session: &Session, messages: &mut Messages) -> Option<Request> {
    let calculated = match done.calculated {
        Ok(calculated) => calculated,
        Err(error) => {
            messages.push(Level::Warning, JobKind::Weights.failed(), error.to_string());
            return None;
        }
    };
    let skinned = session.scene().skinned_meshes.get(&done.mesh);
    if !skinned.is_some_and(|mesh| done.basis.is_current(mesh)) {
        let text = "The calculated weights were dropped";
        let why = "The mesh, bones, weights or method changed during the calculation. Calculate again.";
        messages.push(Level::Warning, text, why);
        return None;
    }
    for text in calculated.findings {
        messages.push(Level::Warning, text, "");
    }
    Some(Request::Apply(vec![Command::SetCalculatedWeights {
        mesh: done.mesh,
        bones: done.bones,
        method: done.method,
        weights: calculated.weights,
    }]))
}
