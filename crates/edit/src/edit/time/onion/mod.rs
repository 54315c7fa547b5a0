//! Onion skins: ghosts of the active character at other frames, namely frames before and after the current
//! one (across the end of a loop) and pinned frames.
//!
//! Ghosts are evaluated separately from the current frame, a few at a time and once per frame until something
//! changes, but not during playback or a drag. How they are drawn is decided elsewhere.

mod frames;
mod limb;
pub mod settings;

use crate::anim::channel::Channel;
use crate::edit::settings::view::{Tab, View};
use crate::edit::time::playback::Repeat;
use crate::rig::ik;
use crate::scene::Scene;
use crate::scene::evaluate::{Evaluator, Posed, Settings};
use crate::scene::instance::InstanceKind;
use frames::{Loop, Wanted, wanted};
use glam::Mat4;
use limb::Limb;
use settings::Side;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The number of cached frames above which unused ones are dropped.
const MAX_CACHED: usize = 64;

/// The character at another frame.
#[derive(Clone)]
pub struct Ghost {
    pub frame: f32,
    pub side: Side,
    pub posed: Arc<Posed>,
    /// The triangles to draw; `None` for all of them.
    pub indices: Option<Arc<Vec<u32>>>,
    pub world_from_local: Mat4,
    /// The strength, from 1 for the nearest ghost down to 0.
    pub strength: f32,
}

/// The data from which ghosts are evaluated.
#[derive(Clone)]
struct Basis {
    scene: Scene,
    ik: Option<ik::Options>,
    mesh: String,
    instance: String,
}

impl Basis {
    fn from_view(view: &View, ik: Option<ik::Options>) -> Option<Self> {
        let session = view.session;
        let selection = session.selection();
        let (scene, mesh) = (session.scene(), selection.mesh.as_ref()?);
        let shows_mesh = |name: &&String| {
            let instance = &scene.instances.skinned_meshes[*name];
            instance.resource.as_ref() == Some(mesh) && instance.settings.visible
        };
        let selected = selection.instance.as_ref();
        let selected = selected.filter(|instance| instance.kind == InstanceKind::SkinnedMesh);
        let mut names = scene.instances.skinned_meshes.keys().filter(shows_mesh);
        let instance = match selected {
            Some(instance) => names.find(|name| **name == instance.name)?,
            None => names.next()?,
        };
        Some(Self { ik, mesh: mesh.clone(), instance: instance.clone(), scene: scene.clone() })
    }

    fn is_same_as(&self, other: &Self) -> bool {
        let is_same_instance = self.mesh == other.mesh && self.instance == other.instance;
        is_same_instance && self.ik == other.ik && self.scene.is_shared(&other.scene)
    }

    /// Iterates over the channels of the character and of its transform.
    fn channels(&self) -> impl Iterator<Item = &Arc<Channel>> {
        let animation = &self.scene.animation;
        let transform = self.scene.instances.skinned_meshes.get(&self.instance);
        let transform = transform.and_then(|instance| instance.transform.as_ref());
        let names = [Some(&self.mesh), transform].into_iter().flatten();
        let channels = names.filter_map(|name| animation.channels.get(name));
        channels.flat_map(|channels| channels.values())
    }

    /// Returns the frames with keys of the character, in ascending order.
    fn keys(&self) -> Vec<f32> {
        let mut times: Vec<f32> = self.channels().flat_map(|channel| channel.times()).collect();
        times.sort_by(f32::total_cmp);
        times.dedup();
        times
    }

    /// Returns the play range as a loop if the pose at its first frame is repeated at the last frame or one
    /// after it.
    fn find_loop(&self) -> Option<Loop> {
        let [first, last] = self.scene.animation.clip.play_range().map(|frame| frame as f32);
        let repeat = [last, last + 1.0].into_iter().find(|repeat| {
            let mut channels = self.channels();
            *repeat > first + 1.0 && channels.all(|channel| channel.at(first) == channel.at(*repeat))
        });
        let period = repeat? - first;
        Some(Loop { first, period })
    }

    fn wanted(&self, view: &View) -> Vec<Wanted> {
        let settings = &view.settings.display.onion;
        let keys = if settings.by_keys { self.keys() } else { Vec::new() };
        let repeats = view.settings.playback.repeat == Repeat::Loop;
        let cycle = if repeats { self.find_loop() } else { None };
        let clip = self.scene.animation.clip;
        wanted(settings, view.session.frame(), &keys, clip, cycle)
    }
}

/// The cached ghosts of the active character.
#[derive(Default)]
pub struct Onion {
    basis: Option<Basis>,
    evaluator: Evaluator,
    /// The evaluated characters and their transforms, by the bits of the frame.
    cache: BTreeMap<u32, (Arc<Posed>, Mat4)>,
    wanted: Vec<Wanted>,
    limb: Option<Limb>,
    is_underway: bool,
    /// The number of ghosts evaluated so far; constant while nothing changes.
    pub evaluated: u64,
}

impl Onion {
    /// Whether ghosts are shown.
    pub fn is_shown(view: &View) -> bool {
        let settings = view.settings;
        let is_paused = !settings.playback.is_playing();
        settings.display.onion.on && settings.tab == Tab::Animate && is_paused && !settings.compare.on
    }

    /// Updates the ghosts; returns whether anything changed, and the ghosts to draw. During playback, nothing
    /// is drawn or evaluated, but the cache is kept. See [`Self::update`].
    pub fn refresh(
        &mut self,
        view: &View,
        ik: impl FnOnce() -> Option<ik::Options>,
        may_continue: impl FnMut() -> bool,
    ) -> (bool, Vec<Ghost>) {
        if Self::is_shown(view) {
            let changed = self.update(view, ik(), may_continue);
            return (changed, self.ghosts().collect());
        }
        if !view.settings.display.onion.on {
            self.clear();
        }
        (false, Vec::new())
    }

    /// Evaluates missing ghosts while `may_continue` returns true, but at least one. Returns whether anything
    /// changed. During a drag, the ghosts remain as they are.
    pub fn update(
        &mut self,
        view: &View,
        ik: Option<ik::Options>,
        mut may_continue: impl FnMut() -> bool,
    ) -> bool {
        if view.session.in_transaction() && self.basis.is_some() {
            return false;
        }
        let Some(basis) = Basis::from_view(view, ik) else {
            let was_shown = self.basis.is_some();
            self.clear();
            return was_shown;
        };
        let mut changed = false;
        if !self.basis.as_ref().is_some_and(|old| old.is_same_as(&basis)) {
            self.cache.clear();
            self.basis = Some(basis);
            changed = true;
        }
        let Some(basis) = &self.basis else { return changed };
        let wanted = basis.wanted(view);
        changed |= wanted != self.wanted;
        self.wanted = wanted;
        if self.cache.len() > MAX_CACHED {
            let wanted = &self.wanted;
            self.cache.retain(|bits, _| wanted.iter().any(|(frame, ..)| frame.to_bits() == *bits));
        }
        let mut scene = None;
        self.is_underway = false;
        for &(frame, ..) in &self.wanted {
            if self.cache.contains_key(&frame.to_bits()) {
                continue;
            }
            if scene.is_some() && !may_continue() {
                self.is_underway = true;
                break;
            }
            // Only the character itself.
            let scene = scene.get_or_insert_with(|| {
                let mut scene = basis.scene.clone();
                scene.skinned_meshes.retain(|name, _| *name == basis.mesh);
                scene
            });
            let settings = Settings {
                frame: Some(frame),
                // Unkeyed changes belong to the current frame only; at other frames the keys apply.
                ik: basis.ik.clone(),
                ..Settings::default()
            };
            let evaluated = self.evaluator.evaluate(scene, &settings);
            let instance = evaluated.scene.instances.skinned_meshes.get(&basis.instance);
            let world = evaluated.world(instance.and_then(|instance| instance.transform.as_deref()));
            if let Some(posed) = evaluated.skinned.get(&basis.mesh) {
                self.cache.insert(frame.to_bits(), (posed.clone(), world));
            }
            self.evaluated += 1;
            changed = true;
        }
        self.update_limb(view) || changed
    }

    /// Updates the triangles that are drawn. Returns whether they changed.
    fn update_limb(&mut self, view: &View) -> bool {
        let identity = |limb: &Option<Limb>| limb.as_ref().map(|limb| Arc::as_ptr(&limb.indices));
        let (before, old) = (identity(&self.limb), self.limb.take());
        let basis = self.basis.as_ref().filter(|_| view.settings.display.onion.limb);
        let skinned = basis.and_then(|basis| basis.scene.skinned_meshes.get(&basis.mesh));
        let bones = skinned.and_then(|skinned| limb::limb_bones(view.session.selection(), &skinned.skeleton));
        let posed = self.cache.values().next();
        if let (Some(skinned), Some(bones), Some((posed, _))) = (skinned, bones, posed) {
            self.limb = Some(Limb::new(old, bones, &skinned.weights, &posed.render));
        }
        before != identity(&self.limb)
    }

    /// Drops all ghosts and cached frames.
    pub fn clear(&mut self) {
        let evaluated = self.evaluated;
        *self = Self { evaluated, ..Self::default() };
    }

    /// Whether some ghosts have not been evaluated yet.
    pub fn is_underway(&self) -> bool {
        self.is_underway
    }

    /// Iterates over the evaluated ghosts: pinned ones, then those before and those after, each nearest
    /// first.
    pub fn ghosts(&self) -> impl Iterator<Item = Ghost> + '_ {
        self.wanted.iter().filter_map(|&(frame, side, strength)| {
            let (posed, world_from_local) = self.cache.get(&frame.to_bits())?;
            Some(Ghost {
                frame,
                side,
                posed: posed.clone(),
                indices: self.limb.as_ref().map(|limb| limb.indices.clone()),
                world_from_local: *world_from_local,
                strength,
            })
        })
    }
}
