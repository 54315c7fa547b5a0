//! The Compare view without pixels: what its two sides are, which character stands in it, and what a
//! deformation does to it frame by frame. How the sides are drawn and on which thread they are measured is the
//! window's business.

use super::session::Session;
use crate::mesh::measure::{Deformation, Measure};
use crate::rig::{skinning, weights};
use crate::scene::Scene;
use crate::scene::compare::Compare;
use crate::scene::evaluate::{Evaluator, Settings};
use crate::scene::instance::InstanceKind;
use crate::scene::skinned::SkinnedMesh;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// One side: how the skin follows, and by which weights; `None` is as stored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SideChoice {
    pub skinning: Option<skinning::Method>,
    pub weights: Option<weights::method::Method>,
}

/// Where the sides are shown. Both are seen by the same camera.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Layout {
    /// The whole character twice, each in a half of the view.
    #[default]
    Beside,
    /// One character: what is left of a line is the left side, what is right of it the right one.
    Split,
}

/// The switch, the sides at the left and at the right, and how they are shown.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct CompareSettings {
    pub on: bool,
    pub sides: [SideChoice; 2],
    #[serde(default)]
    pub layout: Layout,
    /// Where the line of [`Layout::Split`] is, from 0 at the left of the view to 1 at its right.
    #[serde(default = "middle")]
    pub line: f32,
}

/// Where the line may be.
pub const LINES: std::ops::RangeInclusive<f32> = 0.05..=0.95;

fn middle() -> f32 {
    0.5
}

impl CompareSettings {
    /// Where the left side ends and the right one begins, as part of the view's width.
    pub fn border(&self) -> f32 {
        match self.layout {
            Layout::Beside => 0.5,
            Layout::Split if self.line.is_nan() => 0.5,
            Layout::Split => self.line.clamp(*LINES.start(), *LINES.end()),
        }
    }
}

impl Default for CompareSettings {
    fn default() -> Self {
        let side = |skinning| SideChoice {
            skinning: Some(skinning),
            weights: None,
        };
        Self {
            on: false,
            sides: [
                side(skinning::Method::LINEAR),
                side(skinning::Method::DUAL_QUATERNION),
            ],
            layout: Layout::default(),
            line: middle(),
        }
    }
}

/// "Stored weights", or how they are calculated.
pub fn weights_label(method: Option<weights::method::Method>) -> String {
    method.map_or("Stored weights".into(), |method| method.description())
}

/// What stands above each side of `mesh`: that in which they differ, as one sentence would.
pub fn captions(sides: &[SideChoice; 2], mesh: &SkinnedMesh) -> [String; 2] {
    let skinning = sides.map(|side| side.skinning.unwrap_or(mesh.skinning));
    let by_weights = sides[0].weights != sides[1].weights;
    let by_skinning = skinning[0] != skinning[1] || !by_weights;
    [0, 1].map(|i| {
        let parts = [
            by_skinning.then(|| skinning[i].description()),
            by_weights.then(|| weights_label(sides[i].weights)),
        ];
        let parts = parts.into_iter().flatten().enumerate();
        let parts = parts.map(|(i, part)| if i == 0 { part } else { lower(&part) });
        parts.collect::<Vec<_>>().join(", ")
    })
}

/// With a small first letter.
fn lower(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|c| c.to_lowercase().to_string());
    first.unwrap_or_default() + letters.as_str()
}

/// The instance that is compared and its skinned mesh: the selected one, else one of the selected mesh, else
/// `last`, else the first that can be seen.
pub fn compared<'s>(session: &'s Session, last: Option<&str>) -> Option<(&'s str, &'s str)> {
    let scene = session.animated();
    let of = |name: &str| {
        let (name, instance) = scene.instances.skinned_meshes.get_key_value(name)?;
        let mesh = instance.of.as_ref().filter(|_| instance.settings.visible)?;
        let (mesh, skinned) = scene.skinned_meshes.get_key_value(mesh)?;
        (skinned.surface.vertex_count() > 0).then_some((name.as_str(), mesh.as_str()))
    };
    let selection = session.selection();
    let selected = selection.instance.as_ref();
    let selected = selected.filter(|instance| instance.kind == InstanceKind::SkinnedMesh);
    let selected = selected.map(|instance| instance.name.as_str());
    let all = || scene.instances.skinned_meshes.keys().filter_map(|name| of(name));
    let of_mesh = || all().find(|(_, mesh)| selection.mesh.as_deref() == Some(*mesh));
    selected
        .and_then(of)
        .or_else(of_mesh)
        .or_else(|| last.and_then(of))
        .or_else(|| all().next())
}

/// What is measured of both sides; `None` of one that is not shown.
pub type Pair = [Option<Deformation>; 2];

/// Measures both sides frame by frame, just as `ossature measure` does.
pub struct Measuring {
    scene: Scene,
    settings: Settings,
    compare: Arc<Compare>,
    measure: Measure,
    evaluator: Evaluator,
}

impl Measuring {
    /// Of what `settings` compare in `scene`, at frames other than theirs. `None` where there is nothing to
    /// compare.
    pub fn new(scene: &Scene, settings: &Settings) -> Option<Self> {
        let compare = settings.compare.clone()?;
        let (name, mesh) = scene.skinned_meshes.get_key_value(&compare.mesh)?;
        // The rest of the scene has no part in it.
        let scene = Scene {
            skinned_meshes: [(name.clone(), mesh.clone())].into(),
            animation: scene.animation.clone(),
            ..Scene::default()
        };
        Some(Self {
            measure: Measure::new(&mesh.surface),
            scene,
            settings: settings.clone(),
            compare,
            evaluator: Evaluator::default(),
        })
    }

    pub fn at(&mut self, frame: u32) -> Option<Pair> {
        let settings = Settings {
            frame: Some(frame as f32),
            compare: Some(self.compare.clone()),
            ..self.settings.clone()
        };
        let evaluated = self.evaluator.evaluate(&self.scene, &settings);
        let compared = evaluated.compare?;
        let sides = compared.sides.each_ref();
        Some(sides.map(|side| Some(self.measure.deformation(&side.as_ref()?.posed.positions))))
    }
}

/// What is known of both sides over the frames that are played.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Curves {
    pub first: u32,
    /// Per frame; `None` where it has not been measured yet.
    pub frames: Vec<Option<Pair>>,
}

impl Curves {
    /// Nothing measured yet, for the frames that `scene` plays; none where nothing is animated.
    pub fn unknown(scene: &Scene) -> Self {
        let [first, last] = scene.animation.clip.played();
        let count = match scene.animation.last_key() {
            Some(_) => last.saturating_sub(first) as usize + 1,
            None => 0,
        };
        Self {
            first,
            frames: vec![None; count],
        }
    }

    pub fn put(&mut self, frame: u32, found: Pair) {
        let place = frame.checked_sub(self.first).map(|i| i as usize);
        if let Some(slot) = place.and_then(|i| self.frames.get_mut(i)) {
            *slot = Some(found);
        }
    }

    /// Forgets what was measured of a side that is not `kept`.
    pub fn keep(&mut self, kept: [bool; 2]) {
        for found in self.frames.iter_mut().flatten() {
            for (value, _) in found.iter_mut().zip(kept).filter(|(_, kept)| !kept) {
                *value = None;
            }
        }
    }
}
