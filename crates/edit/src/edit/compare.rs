//! The Compare view without pixels: its two sides, the character that it shows, and measurements of the
//! deformation frame by frame. The window draws the sides, and decides on which thread they are measured.

use crate::edit::session::Session;
use crate::mesh::measure::{Deformation, Measure};
use crate::rig::{skinning, weights};
use crate::scene::Scene;
use crate::scene::compare::Compare;
use crate::scene::evaluate::{Evaluator, Settings};
use crate::scene::instance::InstanceKind;
use crate::scene::skinned::SkinnedMesh;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The choices for one side: skinning method and weights; `None` is as stored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SideChoice {
    pub skinning: Option<skinning::Method>,
    pub weights: Option<weights::method::Method>,
}

/// The layout of the sides. Both have the same camera.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Layout {
    /// The whole character twice, each in a half of the view.
    #[default]
    #[serde(rename = "beside")]
    SideBySide,
    /// One character, with the left side shown left of a line, and the right side right of it.
    Split,
}

/// Whether the Compare view is on, its left and right side, and how they are shown.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct CompareSettings {
    pub on: bool,
    pub sides: [SideChoice; 2],
    #[serde(default)]
    pub layout: Layout,
    /// The position of the line of [`Layout::Split`], from 0 at the left of the view to 1 at its right.
    #[serde(default = "middle")]
    pub line: f32,
}

/// The range of positions of the line.
pub const LINE_RANGE: std::ops::RangeInclusive<f32> = 0.05..=0.95;

fn middle() -> f32 {
    0.5
}

impl CompareSettings {
    /// Returns the border between the two sides, as a fraction of the view's width.
    pub fn border(&self) -> f32 {
        match self.layout {
            Layout::SideBySide => 0.5,
            Layout::Split if self.line.is_nan() => 0.5,
            Layout::Split => self.line.clamp(*LINE_RANGE.start(), *LINE_RANGE.end()),
        }
    }
}

impl Default for CompareSettings {
    fn default() -> Self {
        let side = |skinning| SideChoice { skinning: Some(skinning), weights: None };
        Self {
            on: false,
            sides: [side(skinning::Method::LINEAR), side(skinning::Method::DUAL_QUATERNION)],
            layout: Layout::default(),
            line: middle(),
        }
    }
}

/// Returns "Stored weights", or the description of the method that calculates them.
pub fn weights_label(method: Option<weights::method::Method>) -> String {
    method.map_or("Stored weights".into(), |method| method.description())
}

/// Returns the caption of each side of `mesh`: a phrase that names what the sides differ in.
pub fn captions(sides: &[SideChoice; 2], mesh: &SkinnedMesh) -> [String; 2] {
    let skinning = sides.map(|side| side.skinning.unwrap_or(mesh.skinning));
    let weights_differ = sides[0].weights != sides[1].weights;
    let skinning_differs = skinning[0] != skinning[1] || !weights_differ;
    [0, 1].map(|i| {
        let parts = [
            skinning_differs.then(|| skinning[i].description()),
            weights_differ.then(|| weights_label(sides[i].weights)),
        ];
        let parts = parts.into_iter().flatten().enumerate();
        let parts = parts.map(|(i, part)| if i == 0 { part } else { with_lowercase_first(&part) });
        parts.collect::<Vec<_>>().join(", ")
    })
}

/// Returns the text with a lower-case first letter.
fn with_lowercase_first(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|c| c.to_lowercase().to_string());
    first.unwrap_or_default() + letters.as_str()
}

/// Returns the instance to compare and its skinned mesh: the selected instance, or else one of the selected
/// mesh, or else `last`, or else the first visible one.
pub fn compared_instance<'s>(session: &'s Session, last: Option<&str>) -> Option<(&'s str, &'s str)> {
    let scene = session.animated();
    let candidate = |name: &str| {
        let (name, instance) = scene.instances.skinned_meshes.get_key_value(name)?;
        let mesh = instance.resource.as_ref().filter(|_| instance.settings.visible)?;
        let (mesh, skinned) = scene.skinned_meshes.get_key_value(mesh)?;
        (skinned.surface.vertex_count() > 0).then_some((name.as_str(), mesh.as_str()))
    };
    let selection = session.selection();
    let selected = selection.instance.as_ref();
    let selected = selected.filter(|instance| instance.kind == InstanceKind::SkinnedMesh);
    let selected = selected.map(|instance| instance.name.as_str());
    let all = || scene.instances.skinned_meshes.keys().filter_map(|name| candidate(name));
    let with_mesh = || all().find(|(_, mesh)| selection.mesh.as_deref() == Some(*mesh));
    selected
        .and_then(candidate)
        .or_else(with_mesh)
        .or_else(|| last.and_then(candidate))
        .or_else(|| all().next())
}

/// The measurements of both sides; `None` for a side that is not shown.
pub type Pair = [Option<Deformation>; 2];

/// Measures both sides frame by frame, just as `ossature measure` does.
pub struct Measurer {
    scene: Scene,
    settings: Settings,
    compare: Arc<Compare>,
    measure: Measure,
    evaluator: Evaluator,
}

impl Measurer {
    /// Prepares to measure the comparison of `settings` in `scene`, at any frame. `None` if there is nothing
    /// to compare.
    pub fn new(scene: &Scene, settings: &Settings) -> Option<Self> {
        let compare = settings.compare.clone()?;
        let (name, mesh) = scene.skinned_meshes.get_key_value(&compare.mesh)?;
        // The rest of the scene is irrelevant.
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

    /// Measures both sides at a frame.
    pub fn measure(&mut self, frame: u32) -> Option<Pair> {
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

/// The measurements of both sides over the frames that are played.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Curves {
    pub first: u32,
    /// The measurements per frame; `None` where not measured yet.
    pub frames: Vec<Option<Pair>>,
}

impl Curves {
    /// Returns curves without measurements, for the frames that `scene` plays; no frames if nothing is
    /// animated.
    pub fn unmeasured(scene: &Scene) -> Self {
        let [first, last] = scene.animation.clip.play_range();
        let count = match scene.animation.last_key() {
            Some(_) => last.saturating_sub(first) as usize + 1,
            None => 0,
        };
        Self { first, frames: vec![None; count] }
    }

    pub fn set(&mut self, frame: u32, measured: Pair) {
        let index = frame.checked_sub(self.first).map(|i| i as usize);
        if let Some(slot) = index.and_then(|i| self.frames.get_mut(i)) {
            *slot = Some(measured);
        }
    }

    /// Discards the measurements of the sides that are not kept.
    pub fn keep(&mut self, is_kept: [bool; 2]) {
        for measured in self.frames.iter_mut().flatten() {
            for (value, _) in measured.iter_mut().zip(is_kept).filter(|(_, is_kept)| !is_kept) {
                *value = None;
            }
        }
    }
}
