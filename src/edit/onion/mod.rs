//! Onion skins: how the character that is worked on looks at other frames: before and after the one that is shown, round
//! the end of a loop, and at those that are pinned.
//!
//! Evaluated beside what is shown, a slice at a time and once for each frame until something changes; not while frames are
//! played or something is dragged. What is drawn of them is not decided here.

mod frames;
mod limb;
pub mod settings;

use super::playback::Repeat;
use super::view::{Tab, View};
use crate::anim::channel::Channel;
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

/// More than these are not kept while another frame is shown.
const MOST_KEPT: usize = 64;

/// The character at another frame.
#[derive(Clone)]
pub struct Ghost {
    pub frame: f32,
    pub side: Side,
    pub posed: Arc<Posed>,
    /// The triangles that are shown; `None`: all.
    pub indices: Option<Arc<Vec<u32>>>,
    pub world_from_local: Mat4,
    /// From 1 for the nearest down to 0.
    pub strength: f32,
}

/// What ghosts are evaluated from.
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
            ik,
            mesh: mesh.clone(),
            instance: instance.clone(),
            scene: scene.clone(),
        })
    }

    fn is(&self, other: &Self) -> bool {
        let same = self.mesh == other.mesh && self.instance == other.instance;
        same && self.ik == other.ik && self.scene.is_shared(&other.scene)
    }

    /// Channels of the character and of its transform.
    fn channels(&self) -> impl Iterator<Item = &Arc<Channel>> {
        let animation = &self.scene.animation;
        let transform = self.scene.instances.skinned_meshes.get(&self.instance);
        let transform = transform.and_then(|placed| placed.transform.as_ref());
        let names = [Some(&self.mesh), transform].into_iter().flatten();
        let channels = names.filter_map(|name| animation.channels.get(name));
        channels.flat_map(|of| of.values())
    }

    /// Frames of keys of the character, in ascending order.
    fn keys(&self) -> Vec<f32> {
        let mut times: Vec<f32> = self.channels().flat_map(|channel| channel.times()).collect();
        times.sort_by(f32::total_cmp);
        times.dedup();
        times
    }

    /// The frames that are played, if the pose of the first one comes again at the last one or right behind it.
    fn round(&self) -> Option<Loop> {
        let [first, last] = self.scene.animation.clip.played().map(|frame| frame as f32);
        let again = [last, last + 1.0].into_iter().find(|again| {
            let mut channels = self.channels();
            *again > first + 1.0 && channels.all(|channel| channel.at(first) == channel.at(*again))
        });
        let period = again? - first;
        Some(Loop { first, period })
    }

    fn wanted(&self, view: &View) -> Vec<Wanted> {
        let settings = &view.settings.onion;
        let keys = if settings.by_keys { self.keys() } else { Vec::new() };
        let repeats = view.settings.playback.repeat == Repeat::Loop;
        let round = if repeats { self.round() } else { None };
        let clip = self.scene.animation.clip;
        wanted(settings, view.session.frame(), &keys, clip, round)
    }
}

/// The ghosts, as far as they have been evaluated.
#[derive(Default)]
pub struct Onion {
    basis: Option<Basis>,
    evaluator: Evaluator,
    /// By frame.
    kept: BTreeMap<u32, (Arc<Posed>, Mat4)>,
    wanted: Vec<Wanted>,
    limb: Option<Limb>,
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
        let wanted = basis.wanted(view);
        changed |= wanted != self.wanted;
        self.wanted = wanted;
        if self.kept.len() > MOST_KEPT {
            let wanted = &self.wanted;
            self.kept
                .retain(|at, _| wanted.iter().any(|(frame, ..)| frame.to_bits() == *at));
        }
        let mut scene = None;
        self.underway = false;
        for &(frame, ..) in &self.wanted {
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
                // What was posed here and not keyed is of this frame: elsewhere keys say what there is.
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
        self.find_limb(view) || changed
    }

    /// Which triangles are shown. True if they are others than before.
    fn find_limb(&mut self, view: &View) -> bool {
        let shown = |limb: &Option<Limb>| limb.as_ref().map(|limb| Arc::as_ptr(&limb.indices));
        let (before, old) = (shown(&self.limb), self.limb.take());
        let basis = self.basis.as_ref().filter(|_| view.settings.onion.limb);
        let skinned = basis.and_then(|basis| basis.scene.skinned_meshes.get(&basis.mesh));
        let bones = skinned.and_then(|skinned| limb::bones(view.session.selection(), &skinned.skeleton));
        let posed = self.kept.values().next();
        if let (Some(skinned), Some(bones), Some((posed, _))) = (skinned, bones, posed) {
            self.limb = Some(Limb::new(old, bones, &skinned.weights, &posed.render));
        }
        before != shown(&self.limb)
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

    /// Those that are pinned, then those before and after, the nearest first.
    pub fn ghosts(&self) -> impl Iterator<Item = Ghost> + '_ {
        self.wanted.iter().filter_map(|&(frame, side, strength)| {
            let (posed, world_from_local) = self.kept.get(&frame.to_bits())?;
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
