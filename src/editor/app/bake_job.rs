//! IK baked beside the window. The keys count only if the skeleton, its keys and what is unkeyed are still those that they
//! were made from.

use crate::anim::channel_set::ChannelSet;
use crate::edit::bake::{Bake, BakeError, bake};
use crate::edit::command::Command;
use crate::edit::request::Request;
use crate::edit::session::Session;
use crate::editor::app::worker::Progress;
use crate::editor::panels::messages::{Level, Messages};
use crate::editor::panels::progress::Doing;
use crate::scene::Scene;
use std::sync::Arc;

/// Keys, and what they were made from.
pub struct Baked {
    what: Bake,
    scene: Scene,
    unkeyed: Arc<ChannelSet>,
    keys: Result<Vec<Command>, BakeError>,
}

pub fn work(session: &Session, what: Bake) -> impl FnOnce(&Progress) -> Baked + use<> {
    let (scene, unkeyed) = (session.scene().clone(), session.unkeyed().clone());
    move |progress| {
        let go_on = |done: u32, of: u32| progress(done as f32 / of.max(1) as f32);
        let keys = bake(&scene, &unkeyed, &what, go_on);
        Baked {
            what,
            scene,
            unkeyed,
            keys,
        }
    }
}

impl Baked {
    fn is_current(&self, session: &Session) -> bool {
        let mesh = |scene: &Scene| scene.skinned_meshes.get(&self.what.mesh).cloned();
        let same_mesh = match (mesh(&self.scene), mesh(session.scene())) {
            (Some(old), Some(new)) => Arc::ptr_eq(&old.skeleton, &new.skeleton),
            _ => false,
        };
        let same_keys = Arc::ptr_eq(&self.scene.animation, &session.scene().animation);
        same_mesh && same_keys && self.unkeyed == *session.unkeyed()
    }
}

/// Asks for the keys to be put in place, if they still count.
pub fn finish(baked: Baked, session: &Session, messages: &mut Messages) -> Option<Request> {
    let current = baked.is_current(session);
    let [first, last] = baked.what.frames;
    match baked.keys {
        Ok(_) if !current => {
            let why = "The skeleton or keys changed during baking. Bake again.";
            messages.push(Level::Warning, "The baked keys were dropped", why);
        }
        Ok(commands) => {
            let text = format!(
                "IK of {} baked into keys, frames {first} to {last}",
                baked.what.mesh
            );
            messages.push(Level::Info, text, "");
            return Some(Request::Apply(commands));
        }
        Err(BakeError::NoHandle) => {
            let text = format!("There is nothing to bake: no handle is enabled in frames {first} to {last}");
            let why = "Select a handle and switch on Enable, or choose frames in which one pulls.";
            messages.push(Level::Warning, text, why);
        }
        Err(error) => messages.push(Level::Warning, Doing::Bake.failed(), error.to_string()),
    }
    None
}
