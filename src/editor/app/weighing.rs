//! Weights calculated in the background. What takes but a moment is done at once. The result counts only if
//! mesh, bones, method and weights are still those that it was calculated from.

use crate::edit::command::Command;
use crate::edit::command::weights::calculation;
use crate::edit::request::Request;
use crate::editor::Editor;
use crate::editor::app::wake::Waker;
use crate::editor::panels::messages::Level;
use crate::editor::panels::working::Doing;
use crate::mesh::halfedge::HalfedgeMesh;
use crate::rig::weights::VertexWeights;
use crate::rig::weights::bind_snapshot::BindSnapshot;
use crate::rig::weights::method::{Calculated, Method, MethodError};
use crate::scene::skinned::SkinnedMesh;
use std::sync::Arc;

/// When weights are calculated in the background.
pub struct Weighing {
    /// What takes no longer than this is calculated within a frame: vertices times bones.
    pub at_once: usize,
}

impl Default for Weighing {
    fn default() -> Self {
        Self { at_once: 4_000_000 }
    }
}

/// What a result was calculated from.
struct Basis {
    surface: Arc<HalfedgeMesh>,
    weights: Arc<VertexWeights>,
    bones: BindSnapshot,
    bone_ids: Vec<u32>,
    method: Method,
}

impl Basis {
    fn of(mesh: &SkinnedMesh) -> Self {
        Self {
            surface: mesh.surface.clone(),
            weights: mesh.weights.clone(),
            bones: BindSnapshot::capture(&mesh.skeleton, mesh.weight_method),
            bone_ids: mesh.skeleton.bones.iter().map(|bone| bone.channel_id).collect(),
            method: mesh.weight_method,
        }
    }

    fn is_current(&self, mesh: &SkinnedMesh) -> bool {
        let now = Self::of(mesh);
        Arc::ptr_eq(&self.surface, &now.surface)
            && Arc::ptr_eq(&self.weights, &now.weights)
            && self.bones == now.bones
            && self.bone_ids == now.bone_ids
            && self.method == now.method
    }
}

/// What was asked for, and of what.
struct Asked {
    mesh: String,
    bones: Option<Vec<usize>>,
    method: Method,
    basis: Basis,
}

impl Editor {
    /// Begins to calculate weights in the background if these commands mean that and it takes long, or if
    /// there may be something to say of the result. False if the commands are to be applied at once.
    pub(in crate::editor) fn weigh_in_background(&mut self, commands: &[Command], waker: &Waker) -> bool {
        let (mesh, bones, method) = match commands {
            [Command::CalculateWeights { mesh, method }] => (mesh, None, method),
            [Command::CalculateBoneWeights { mesh, bones, method }] => (mesh, Some(bones.clone()), method),
            _ => return false,
        };
        let Some(skinned) = self.session.scene().skinned_meshes.get(mesh) else {
            return false;
        };
        let calculation = calculation(skinned, method, bones.as_deref());
        let has_findings = method.descriptor().has_findings;
        if calculation.work() <= self.weighing.at_once && !has_findings {
            return false;
        }
        let asked = Asked {
            mesh: mesh.clone(),
            bones,
            method: *method,
            basis: Basis::of(skinned),
        };
        self.begin_work(Doing::Weights, waker, move |progress| {
            let calculated = calculation.run(progress);
            Box::new(move |editor| editor.weighed(asked, calculated))
        });
        true
    }

    /// Asks for the result to be put in place, if it still counts.
    fn weighed(&mut self, asked: Asked, calculated: Result<Calculated, MethodError>) {
        let messages = &mut self.panels.messages;
        let calculated = match calculated {
            Ok(calculated) => calculated,
            Err(error) => {
                messages.push(Level::Warning, Doing::Weights.failed(), error.to_string());
                return;
            }
        };
        let skinned = self.session.scene().skinned_meshes.get(&asked.mesh);
        if !skinned.is_some_and(|mesh| asked.basis.is_current(mesh)) {
            let text = "The calculated weights were dropped";
            let why = "Mesh, bones, weights or their method were changed while they were calculated. Calculate again.";
            messages.push(Level::Warning, text, why.to_owned());
            return;
        }
        for text in calculated.findings {
            messages.push(Level::Warning, text, String::new());
        }
        let command = Command::SetCalculatedWeights {
            mesh: asked.mesh,
            bones: asked.bones,
            method: asked.method,
            weights: calculated.weights,
        };
        self.requests.push(Request::Apply(vec![command]));
    }
}
