//! The Compare view without pixels: what its two sides are, which character stands in it, and what a
//! deformation does to it frame by frame. Where the sides are drawn and on which thread they are measured
//! is the window's business.

use super::session::Session;
use crate::math::bounds::Bounds;
use crate::math::camera::ViewCamera;
use crate::mesh::halfedge::HalfedgeMesh;
use crate::mesh::measure::{Deformation, Measure};
use crate::rig::{skinning, weights};
use crate::scene::Scene;
use crate::scene::compare::Compare;
use crate::scene::evaluate::{Evaluator, Settings};
use crate::scene::instance::InstanceKind;
use crate::scene::skinned::SkinnedMesh;
use glam::{Mat4, Vec3};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// One side: how the skin follows, and by which weights; `None` is as stored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SideChoice {
    pub skinning: Option<skinning::Method>,
    pub weights: Option<weights::method::Method>,
}

/// The switch, and the sides at the left and at the right.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct CompareSettings {
    pub on: bool,
    pub sides: [SideChoice; 2],
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
        }
    }
}

/// "Linear blend", "Dual quaternions", or how much of both.
pub fn skinning_label(method: skinning::Method) -> String {
    match method {
        skinning::Method::LINEAR => "Linear blend".into(),
        skinning::Method::DUAL_QUATERNION => "Dual quaternions".into(),
        mixed => format!("{:.0} % dual quaternions", 100.0 * mixed.dual_part()),
    }
}

/// "Stored weights", or how they are calculated.
pub fn weights_label(method: Option<weights::method::Method>) -> String {
    use weights::method::Method;
    match method {
        None => "Stored weights".into(),
        Some(method @ (Method::Power { exponent } | Method::Tube { exponent })) => {
            format!("{}, exponent {exponent}", method.label())
        }
        Some(method) => method.label().into(),
    }
}

/// What stands above each side of `mesh`: that in which they differ.
pub fn captions(sides: &[SideChoice; 2], mesh: &SkinnedMesh) -> [String; 2] {
    let skinning = sides.map(|side| side.skinning.unwrap_or(mesh.skinning));
    let by_weights = sides[0].weights != sides[1].weights;
    let by_skinning = skinning[0] != skinning[1] || !by_weights;
    [0, 1].map(|i| {
        let parts = [
            by_skinning.then(|| skinning_label(skinning[i])),
            by_weights.then(|| weights_label(sides[i].weights)),
        ];
        parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
    })
}

/// The instance that is compared and its skinned mesh: the selected one, else one of the selected mesh, else
/// `last`, else the first that can be seen.
pub fn compared<'s>(session: &'s Session, last: Option<&str>) -> Option<(&'s str, &'s str)> {
    let scene = session.seen();
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

/// How far the right side stands from the left one, world space: by its width in the bind pose and a gap, to
/// the right of who looks at it as a document is opened, so that both seem of one size.
pub fn offset(world_from_mesh: Mat4, surface: &HalfedgeMesh) -> Vec3 {
    let [right, ..] = ViewCamera::default().axes();
    let points = surface.positions().iter();
    let points = points.map(|p| world_from_mesh.transform_point3(*p));
    let reach = points.clone().map(|point| point.dot(right));
    let (low, high) = reach.fold((f32::MAX, f32::MIN), |(low, high), at| {
        (low.min(at), high.max(at))
    });
    let width = high - low + 0.1 * Bounds::of_points(points).diagonal();
    if width.is_finite() {
        right * width
    } else {
        Vec3::ZERO
    }
}

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

    pub fn at(&mut self, frame: u32) -> Option<[Deformation; 2]> {
        let settings = Settings {
            frame: Some(frame as f32),
            compare: Some(self.compare.clone()),
            ..self.settings.clone()
        };
        let evaluated = self.evaluator.evaluate(&self.scene, &settings);
        let compared = evaluated.compare?;
        Some([0, 1].map(|i| self.measure.of(&compared.sides[i].posed.positions)))
    }
}

/// What is known of both sides over the frames that are played.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Curves {
    pub first: u32,
    /// Per frame; `None` where it has not been measured yet.
    pub frames: Vec<Option<[Deformation; 2]>>,
}

impl Curves {
    /// Of the frames that `scene` plays; none where nothing is animated.
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

    pub fn put(&mut self, frame: u32, found: [Deformation; 2]) {
        let place = frame.checked_sub(self.first).map(|i| i as usize);
        if let Some(slot) = place.and_then(|i| self.frames.get_mut(i)) {
            *slot = Some(found);
        }
    }

    pub fn at(&self, frame: u32) -> Option<[Deformation; 2]> {
        let place = frame.checked_sub(self.first)? as usize;
        self.frames.get(place).copied().flatten()
    }

    /// The last frame; the first one where there is none.
    pub fn last(&self) -> u32 {
        self.first + self.frames.len().saturating_sub(1) as u32
    }

    /// How many frames have been measured.
    pub fn known(&self) -> usize {
        self.frames.iter().flatten().count()
    }
}
