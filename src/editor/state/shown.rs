//! The scene as it is shown: evaluated when the document or the settings of the view have changed.

use super::joints_check::JointsCheck;
use super::parts::Parts;
use super::resources::{self, Document, Redraw};
use super::textures::Textures;
use super::weight_colors::WeightColors;
use crate::edit::pose::pose_preview::PosePreview;
use crate::edit::session::Session;
use crate::edit::settings::view::{Tab, ViewSettings};
use crate::rig::ik;
use crate::rig::joints::Joint;
use crate::scene::Scene;
use crate::scene::compare::Compare;
use crate::scene::evaluate::{Evaluated, Evaluator, Settings};
use bevy::prelude::{Res, ResMut, Resource};
use std::ops::DerefMut;
use std::sync::Arc;

/// The evaluated scene. Bevy considers it changed only when part of it is.
#[derive(Resource, Default)]
pub struct Shown {
    pub evaluated: Evaluated,
    /// The scene and settings that it was evaluated from.
    evaluated_from: Option<(Scene, Settings)>,
    /// A saved pose that is previewed, the scene without it, and the scene with it.
    preview: Option<(Arc<PosePreview>, Scene, Scene)>,
    /// The number of evaluations, which does not grow while nothing changes.
    pub evaluations: u64,
    /// The joints of the active skeleton that are outside its surface, in the Rig tab.
    pub outside_joints: Arc<Vec<Joint>>,
    /// Whether they are still being found.
    pub finds_outside_joints: bool,
    /// The comparison that the Compare view is to show.
    pub compare: Option<Arc<Compare>>,
}

/// The caches that make evaluating and drawing faster. Nothing else depends on them.
#[derive(Resource, Default)]
pub struct Caches {
    pub evaluator: Evaluator,
    /// The colours of both sides of the Compare view; without it, the first is used.
    pub weight_colors: [WeightColors; 2],
    pub textures: Textures,
    pub parts: Parts,
    pub joints: JointsCheck,
}

impl Shown {
    /// Returns the settings of the evaluator that the document and the view settings imply.
    pub fn settings(&self, session: &Session, view: &ViewSettings) -> Settings {
        let solve = view.tab == Tab::Animate && view.solve_ik;
        Settings {
            frame: Some(session.frame()),
            unkeyed: session.unkeyed().clone(),
            bind: view.tab == Tab::Rig,
            ik: solve.then(|| ik::Options { step: view.ik_step, ..ik::Options::default() }),
            compare: self.compare.clone(),
        }
    }

    /// Returns the scene with the previewed pose, if there is one.
    fn with_preview(&mut self, session: &Session, view: &ViewSettings) -> Option<Scene> {
        let allowed = view.tab == Tab::Animate && !view.playback.is_playing() && !session.in_transaction();
        let wanted = view.pose_preview.as_ref().filter(|_| allowed)?;
        let scene = session.animated();
        let is_current =
            |(pose, from, _): &(Arc<PosePreview>, Scene, Scene)| *pose == *wanted && from.is_shared(scene);
        if !self.preview.as_ref().is_some_and(is_current) {
            self.preview = Some((wanted.clone(), scene.clone(), wanted.apply_to(scene)?));
        }
        self.preview.as_ref().map(|(_, _, posed)| posed.clone())
    }
}

/// Calls [`refresh`] as a step of a frame.
pub fn evaluate(
    session: Res<Document>,
    settings: Res<resources::Settings>,
    mut shown: ResMut<Shown>,
    mut caches: ResMut<Caches>,
    mut redraw: ResMut<Redraw>,
) {
    if refresh(&mut shown, &mut caches, &session, &settings) {
        redraw.request();
    }
}

/// Evaluates what has changed since the last call. Returns whether the scene was evaluated.
pub fn refresh(
    shown: &mut impl DerefMut<Target = Shown>,
    caches: &mut Caches,
    session: &Session,
    view: &ViewSettings,
) -> bool {
    // The session has already applied the animation.
    let settings = Settings { frame: None, unkeyed: Arc::default(), ..shown.settings(session, view) };
    // Not accessed mutably without a preview, since that would mark it as changed.
    let preview = if view.pose_preview.is_some() { shown.with_preview(session, view) } else { None };
    let scene = preview.as_ref().unwrap_or(session.animated());
    let is_current = |(old, used): &(Scene, Settings)| *used == settings && old.is_shared(scene);
    let evaluates = !shown.evaluated_from.as_ref().is_some_and(is_current);
    if evaluates {
        shown.evaluated = caches.evaluator.evaluate(scene, &settings);
        shown.evaluated_from = Some((scene.clone(), settings));
        shown.evaluations += 1;
    }
    let mesh = session.selection().mesh.as_ref();
    let mesh = mesh.filter(|_| view.tab == Tab::Rig);
    let outside = match mesh.and_then(|mesh| shown.evaluated.scene.skinned_meshes.get(mesh)) {
        Some(mesh) => caches.joints.get(mesh),
        None => Some(Arc::default()),
    };
    if outside.is_none() != shown.finds_outside_joints {
        shown.finds_outside_joints = outside.is_none();
    }
    let outside = outside.unwrap_or_default();
    if !Arc::ptr_eq(&outside, &shown.outside_joints) && *outside != *shown.outside_joints {
        shown.outside_joints = outside;
    }
    evaluates
}
