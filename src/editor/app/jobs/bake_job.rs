//! Bakes IK in the background. The keys are dropped if the skeleton, the keys or the unkeyed changes that
//! they were made from have changed meanwhile.

use crate::anim::channel_set::ChannelSet;
use crate::edit::command::Command;
use crate::edit::request::Request;
use crate::edit::session::Session;
use crate::edit::time::bake::{Bake, BakeError, bake};
use crate::editor::app::jobs::worker::Progress;
use crate::editor::panels::messages::{Level, Messages};
use crate::editor::panels::progress::JobKind;
use crate::scene::Scene;
use std::sync::Arc;

/// Baked keys, and the state that they were made from.
pub struct Baked {
    request: Bake,
    scene: Scene,
    unkeyed: Arc<ChannelSet>,
    keys: Result<Vec<Command>, BakeError>,
}

pub fn work(session: &Session, request: Bake) -> impl FnOnce(&Progress) -> Baked + use<> {
    let (scene, unkeyed) = (session.scene().clone(), session.unkeyed().clone());
    move |progress| {
        let report = |done: u32, total: u32| progress(done as f32 / total.max(1) as f32);
        let keys = bake(&scene, &unkeyed, &request, report);
        Baked { request, scene, unkeyed, keys }
    }
}

impl Baked {
    fn is_current(&self, session: &Session) -> bool {
        let mesh = |scene: &Scene| scene.skinned_meshes.get(&self.request.mesh).cloned();
        let same_mesh = match (mesh(&self.scene), mesh(session.scene())) {
            (Some(old), Some(new)) => Arc::ptr_eq(&old.skeleton, &new.skeleton),
            _ => false,
        };
        let same_keys = Arc::ptr_eq(&self.scene.animation, &session.scene().animation);
        same_mesh && same_keys && self.unkeyed == *session.unkeyed()
    }
}

/// Returns the request that inserts the keys, unless they failed or are outdated; shows a message.
pub fn finish(baked: Baked, session: &Session, messages: &mut Messages) -> Option<Request> {
    let current = baked.is_current(session);
    let [first, last] = baked.request.frames;
    match baked.keys {
        Ok(_) if !current => {
            let why = "The skeleton or keys changed during baking. Bake again.";
            messages.push(Level::Warning, "The baked keys were dropped", why);
        }
        Ok(commands) => {
            let text = format!("IK of {} baked into keys, frames {first} to {last}", baked.request.mesh);
            messages.push(Level::Info, text, "");
            return Some(Request::Apply(commands));
        }
        Err(BakeError::NoHandle) => {
            let text = format!("There is nothing to bake: no handle is enabled in frames {first} to {last}");
            let why = "Select a handle and switch on Enable, or choose frames in which one pulls.";
            messages.push(Level::Warning, text, why);
        }
        Err(error) => messages.push(Level::Warning, JobKind::Bake.failed(), error.to_string()),
    }
    None
}
