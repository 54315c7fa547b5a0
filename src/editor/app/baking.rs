//! IK baked in the background. The keys count only if the skeleton, its keys and what is held are still those
//! that they were made from.

use crate::edit::bake::{Bake, NotBaked, bake};
use crate::edit::command::Command;
use crate::edit::request::Request;
use crate::editor::Editor;
use crate::editor::app::wake::Waker;
use crate::editor::panels::messages::Level;
use crate::editor::panels::working::Doing;
use std::sync::Arc;

impl Editor {
    pub(in crate::editor) fn bake_in_background(&mut self, what: Bake, waker: &Waker) {
        self.session.commit();
        let scene = self.session.scene().clone();
        let held = self.session.unkeyed().clone();
        self.begin_work(Doing::Bake, waker, move |progress| {
            let go_on = |done: u32, of: u32| progress(done as f32 / of.max(1) as f32);
            let baked = bake(&scene, &held, &what, go_on);
            Box::new(move |editor| {
                let now = &editor.session;
                let mesh = |scene: &crate::scene::Scene| scene.skinned_meshes.get(&what.mesh).cloned();
                let same_mesh = match (mesh(&scene), mesh(now.scene())) {
                    (Some(old), Some(new)) => Arc::ptr_eq(&old.skeleton, &new.skeleton),
                    _ => false,
                };
                let same_keys = Arc::ptr_eq(&scene.animation, &now.scene().animation);
                let current = same_mesh && same_keys && held == *now.unkeyed();
                editor.baked(&what, baked, current);
            })
        });
    }

    /// Asks for the keys to be put in place, if they still count.
    fn baked(&mut self, what: &Bake, baked: Result<Vec<Command>, NotBaked>, current: bool) {
        let messages = &mut self.panels.messages;
        match baked {
            Ok(_) if !current => {
                let why = "Skeleton or keys were changed while they were made. Bake again.";
                messages.push(Level::Warning, "The baked keys were dropped", why.to_owned());
            }
            Ok(commands) => {
                let [first, last] = what.frames;
                let text = format!("IK of {} baked into keys, frames {first} to {last}", what.mesh);
                messages.push(Level::Info, text, String::new());
                self.requests.push(Request::Apply(commands));
            }
            Err(NotBaked::NoHandle) => {
                let [first, last] = what.frames;
                let text =
                    format!("There is nothing to bake: no handle is enabled in frames {first} to {last}");
                let why = "Select a handle and switch on Enable, or choose frames in which one pulls.";
                messages.push(Level::Warning, text, why.to_owned());
            }
            Err(error) => messages.push(Level::Warning, Doing::Bake.failed(), error.to_string()),
        }
    }
}
