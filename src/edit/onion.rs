//! Onion skins: how the character that is worked on looks at other frames, before and after the one that is shown.
//!
//! Evaluated beside what is shown, a slice at a time and once for each frame until something changes; not while frames are
//! played or something is dragged. What is drawn of them is not decided here.

use super::view::{Tab, View};
use crate::anim::channel_set::ChannelSet;
use crate::rig::ik;
use crate::scene::Scene;
use crate::scene::evaluate::{Evaluator, Posed, Settings};
use crate::scene::instance::InstanceKind;
use glam::Mat4;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The most to either side.
pub const MOST_GHOSTS: u32 = 12;
/// More than these are not kept while another frame is shown.
const MOST_KEPT: usize = 64;

/// Which frames have ghosts, and what these look like.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct OnionSettings {
    pub on: bool,
    /// At keys of the character; else every so many frames.
    pub by_keys: bool,
    pub before: u32,
    pub after: u32,
    /// From ghost to ghost, in frames.
    pub step: u32,
    /// The opacity of the nearest ghosts, from 0 to 1; others fade.
    pub opacity: f32,
}

impl Default for OnionSettings {
    fn default() -> Self {
        Self {
            on: false,
            by_keys: true,
            before: 2,
            after: 2,
            step: 4,
            opacity: 0.45,
        }
    }
}

/// The character at another frame.
#[derive(Clone)]
pub struct Ghost {
    pub frame: f32,
    pub posed: Arc<Posed>,
    pub world_from_local: Mat4,
    /// From 1 for the nearest down to 0.
    pub strength: f32,
}

/// What ghosts are evaluated from.
#[derive(Clone)]
struct Basis {
    scene: Scene,
    unkeyed: Arc<ChannelSet>,
    ik: Option<ik::Options>,
    mesh: String,
    instance: String,
}

impl Basis {
    fn from_view(view: &View, ik: Option<ik::Options>) -> Option<Self> {
        let session = view.session;
        let selection = session.selection();
        let (scene, mesh) = (session.scene(), selection.mesh.as_ref()?);
        let of_mesh = |name: &&String| {
            let placed = &scene.instances.skinned_meshes[*name];
            placed.of.as_ref() == Some(mesh) && placed.settings.visible
        };
        let selected = selection.instance.as_ref();
        let selected = selected.filter(|instance| instance.kind == InstanceKind::SkinnedMesh);
        let mut names = scene.instances.skinned_meshes.keys().filter(of_mesh);
        let instance = match selected {
            Some(instance) => names.find(|name| **name == instance.name)?,
            None => names.next()?,
        };
        Some(Self {
            unkeyed: session.unkeyed().clone(),
            ik,
            mesh: mesh.clone(),
            instance: instance.clone(),
            scene: scene.clone(),
        })
    }

    fn is(&self, other: &Self) -> bool {
        let same = self.mesh == other.mesh && self.instance == other.instance;
        same && self.ik == other.ik && self.unkeyed == other.unkeyed && self.scene.is_shared(&other.scene)
    }

    /// Frames of keys of the character, in ascending order.
    fn keys(&self) -> Vec<f32> {
        let animation = &self.scene.animation;
        let transform = self.scene.instances.skinned_meshes.get(&self.instance);
        let transform = transform.and_then(|placed| placed.transform.as_ref());
        let names = [Some(&self.mesh), transform].into_iter().flatten();
        let channels = names.filter_map(|name| animation.channels.get(name));
        let mut times: Vec<f32> = channels
            .flat_map(|of| of.values().flat_map(|channel| channel.times()))
            .collect();
        times.sort_by(f32::total_cmp);
        times.dedup();
        times
    }

    /// Frames and strengths, the nearest first on each side.
    fn wanted(&self, settings: &OnionSettings, frame: f32) -> Vec<(f32, f32)> {
        let clip = self.scene.animation.clip;
        let [before, after]: [Vec<f32>; 2] = match settings.by_keys {
            true => {
                let keys = self.keys();
                let before = keys.iter().rev().copied().filter(|key| *key < frame);
                [
                    before.collect(),
                    keys.iter().copied().filter(|key| *key > frame).collect(),
                ]
            }
            false => {
                let steps = |sign: f32| {
                    let at = move |n: u32| frame + sign * (n * settings.step.max(1)) as f32;
                    (1..=MOST_GHOSTS)
                        .map(at)
                        .filter(|at| clip.clamp(*at) == *at)
                        .collect()
                };
                [steps(-1.0), steps(1.0)]
            }
        };
        let side = |frames: Vec<f32>, count: u32| {
            let count = count.min(MOST_GHOSTS) as usize;
            let strength = move |n: usize| 1.0 - n as f32 / count.max(1) as f32;
            let frames = frames.into_iter().take(count).enumerate();
            frames.map(move |(n, frame)| (frame, strength(n)))
        };
        side(before, settings.before)
            .chain(side(after, settings.after))
            .collect()
    }
}

/// The ghosts, as far as they have been evaluated.
#[derive(Default)]
pub struct Onion {
    basis: Option<Basis>,
    evaluator: Evaluator,
    /// By frame.
    kept: BTreeMap<u32, (Arc<Posed>, Mat4)>,
    wanted: Vec<(f32, f32)>,
    underway: bool,
    /// How many were evaluated: none while nothing changes.
    pub worked: u64,
}

impl Onion {
    /// Whether ghosts are shown.
    pub fn is_shown(view: &View) -> bool {
        let settings = view.settings;
        let still = !settings.playback.is_playing();
        settings.onion.on && settings.tab == Tab::Animate && still && !settings.compare.on
    }

    /// Whether anything changed, and the ghosts to be shown. While it plays none is evaluated, and none that was is
    /// dropped; see [`Self::update`].
    pub fn shown(
        &mut self,
        view: &View,
        ik: impl FnOnce() -> Option<ik::Options>,
        go_on: impl FnMut() -> bool,
    ) -> (bool, Vec<Ghost>) {
        if Self::is_shown(view) {
            let changed = self.update(view, ik(), go_on);
            return (changed, self.ghosts().collect());
        }
        if !view.settings.onion.on {
            self.clear();
        }
        (false, Vec::new())
    }

    /// Goes on for as long as `go_on` says so, at least one ghost if there is one to do. True if something changed. While
    /// something is dragged they stay as they were.
    pub fn update(&mut self, view: &View, ik: Option<ik::Options>, mut go_on: impl FnMut() -> bool) -> bool {
        if view.session.in_transaction() && self.basis.is_some() {
            return false;
        }
        let Some(now) = Basis::from_view(view, ik) else {
            let was = self.basis.is_some();
            self.clear();
            return was;
        };
        let mut changed = false;
        if !self.basis.as_ref().is_some_and(|old| old.is(&now)) {
            self.kept.clear();
            self.basis = Some(now);
            changed = true;
        }
        let Some(basis) = &self.basis else { return changed };
        let wanted = basis.wanted(&view.settings.onion, view.session.frame());
        changed |= wanted != self.wanted;
        self.wanted = wanted;
        if self.kept.len() > MOST_KEPT {
            let wanted = &self.wanted;
            self.kept
                .retain(|at, _| wanted.iter().any(|(frame, _)| frame.to_bits() == *at));
        }
        let mut scene = None;
        self.underway = false;
        for &(frame, _) in &self.wanted {
            if self.kept.contains_key(&frame.to_bits()) {
                continue;
            }
            if scene.is_some() && !go_on() {
                self.underway = true;
                break;
            }
            // The character alone.
            let scene = scene.get_or_insert_with(|| {
                let mut scene = basis.scene.clone();
                scene.skinned_meshes.retain(|name, _| *name == basis.mesh);
                scene
            });
            let settings = Settings {
                frame: Some(frame),
                unkeyed: basis.unkeyed.clone(),
                ik: basis.ik.clone(),
                ..Settings::default()
            };
            let evaluated = self.evaluator.evaluate(scene, &settings);
            let placed = evaluated.scene.instances.skinned_meshes.get(&basis.instance);
            let world = evaluated.world(placed.and_then(|placed| placed.transform.as_deref()));
            if let Some(posed) = evaluated.skinned.get(&basis.mesh) {
                self.kept.insert(frame.to_bits(), (posed.clone(), world));
            }
            self.worked += 1;
            changed = true;
        }
        changed
    }

    /// Nothing is shown, nor kept.
    pub fn clear(&mut self) {
        let worked = self.worked;
        *self = Self {
            worked,
            ..Self::default()
        };
    }

    /// Whether ghosts are still to be evaluated.
    pub fn is_underway(&self) -> bool {
        self.underway
    }

    /// The nearest first on each side.
    pub fn ghosts(&self) -> impl Iterator<Item = Ghost> + '_ {
        self.wanted.iter().filter_map(|&(frame, strength)| {
            let (posed, world_from_local) = self.kept.get(&frame.to_bits())?;
            Some(Ghost {
                frame,
                posed: posed.clone(),
                world_from_local: *world_from_local,
                strength,
            })
        })
    }
}
