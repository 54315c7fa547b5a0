//! Which keys were selected when: undo and redo bring the selection of keys back too.

use crate::anim::channel::Animation;
use crate::edit::timeline::KeySelection;
use crate::scene::Scene;
use std::collections::VecDeque;
use std::sync::{Arc, Weak};

/// States of the animation whose selections are remembered.
const KEPT: usize = 64;

#[derive(Default)]
pub struct Memory {
    /// Scenes of the history share their animations, so that each state of it is known by where it lies.
    states: VecDeque<(Weak<Animation>, KeySelection)>,
    now: Option<Weak<Animation>>,
}

impl Memory {
    /// Called before `keys` are shown. If the animation is another than it was: keys that it does not have
    /// are dropped, and where it is one that was there before (undo, redo) its keys are selected again,
    /// but for those that were `chosen` for it just now.
    pub fn follow(&mut self, scene: &Scene, keys: &mut KeySelection, chosen: bool) {
        let now = Arc::downgrade(&scene.animation);
        if self.now.as_ref().is_some_and(|old| old.ptr_eq(&now)) {
            return;
        }
        let known = self.states.iter().find(|(of, _)| of.ptr_eq(&now));
        *keys = match known.filter(|_| !chosen) {
            Some((_, then)) => then.kept_in(scene),
            None => keys.kept_in(scene),
        };
        self.now = Some(now);
    }

    /// Called once `keys` follow the animation, before anything new is asked of it.
    pub fn keep(&mut self, keys: &KeySelection) {
        let Some(now) = &self.now else { return };
        match self.states.iter_mut().find(|(of, _)| of.ptr_eq(now)) {
            Some((_, then)) if then == keys => {}
            Some((_, then)) => *then = keys.clone(),
            None => {
                self.states.push_back((now.clone(), keys.clone()));
                if self.states.len() > KEPT {
                    self.states.pop_front();
                }
            }
        }
    }
}
