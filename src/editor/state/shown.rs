//! The scene as it is shown: evaluated when the document or the settings of the view have changed.

use super::parts::Parts;
use super::resources::{self, Document, Redraw};
use super::textures::Textures;
use super::weight_colors::WeightColors;
use crate::edit::pose_preview::PosePreview;
use crate::edit::session::Session;
use crate::edit::view::{Tab, ViewSettings};
use crate::rig::ik;
use crate::rig::joints::{Joint, OutsideJoints};
use crate::scene::Scene;
use crate::scene::compare::Compare;
use crate::scene::evaluate::{Evaluated, Evaluator, Settings};
use bevy::prelude::{Res, ResMut, Resource};
use std::ops::DerefMut;
use std::sync::Arc;

/// What is shown. Bevy takes it for changed only when something of it is.
#[derive(Resource, Default)]
pub struct Shown {
    pub evaluated: Evaluated,
    /// What it was evaluated from.
    evaluated_from: Option<(Scene, Settings)>,
    /// A saved pose that is shown, the scene that it was taken in, and what came of it.
    preview: Option<(Arc<PosePreview>, Scene, Scene)>,
    /// How often the scene was evaluated: not at all while nothing changes.
    pub evaluations: u64,
    /// Joints of the skeleton that is worked on, in the Rig tab, that lie outside of its surface.
    pub outside_joints: Arc<Vec<Joint>>,
    /// What the Compare view is to show.
    pub compare: Option<Arc<Compare>>,
}

/// What is kept to evaluate and to draw faster. Nothing else depends on it.
#[derive(Resource, Default)]
pub struct Caches {
    pub evaluator: Evaluator,
    /// For both sides of the Compare view; without it, the first counts.
    pub weight_colors: [WeightColors; 2],
    pub textures: Textures,
    pub parts: Parts,
    joints: OutsideJoints,
}

impl Shown {
    /// What the document, the tab and the switches ask of the evaluator.
    pub fn settings(&self, session: &Session, view: &ViewSettings) -> Settings {
        let solve = view.tab == Tab::Animate && view.solve_ik;
        Settings {
            frame: Some(session.frame()),
            unkeyed: session.unkeyed().clone(),
            bind: view.tab == Tab::Rig,
            ik: solve.then(|| ik::Options {
                step: view.ik_step,
                ..ik::Options::default()
            }),
            compare: self.compare.clone(),
        }
    }

    /// With a pose that is looked at before it is taken, if there is one.
    fn with_preview(&mut self, session: &Session, view: &ViewSettings) -> Option<Scene> {
        let may = view.tab == Tab::Animate && !view.playback.is_playing() && !session.in_transaction();
        let wanted = view.pose_preview.as_ref().filter(|_| may)?;
        let now = session.animated();
        let same = |(of, from, _): &(Arc<PosePreview>, Scene, Scene)| *of == *wanted && from.is_shared(now);
        if !self.preview.as_ref().is_some_and(same) {
            self.preview = Some((wanted.clone(), now.clone(), wanted.on(now)?));
        }
        self.preview.as_ref().map(|(_, _, posed)| posed.clone())
    }
}

/// [`refresh`] as a step of a frame.
pub fn evaluate(
    session: Res<Document>,
    settings: Res<resources::Settings>,
    mut shown: ResMut<Shown>,
    mut caches: ResMut<Caches>,
    mut redraw: ResMut<Redraw>,
) {
    if refresh(&mut shown, &mut caches, &session, &settings) {
        redraw.soon();
    }
}

/// Evaluates what has changed since the last time. True if the scene was evaluated.
pub fn refresh(
    shown: &mut impl DerefMut<Target = Shown>,
    caches: &mut Caches,
    session: &Session,
    view: &ViewSettings,
) -> bool {
    // The session has driven the channels.
    let settings = Settings {
        frame: None,
        unkeyed: Arc::default(),
        ..shown.settings(session, view)
    };
    // Untouched where there is none: whoever looks takes it for changed otherwise.
    let preview = match view.pose_preview.is_some() {
        true => shown.with_preview(session, view),
        false => None,
    };
    let scene = preview.as_ref().unwrap_or(session.animated());
    let same = |(old, by): &(Scene, Settings)| *by == settings && old.is_shared(scene);
    let evaluates = !shown.evaluated_from.as_ref().is_some_and(same);
    if evaluates {
        shown.evaluated = caches.evaluator.evaluate(scene, &settings);
        shown.evaluated_from = Some((scene.clone(), settings));
        shown.evaluations += 1;
    }
    let mesh = session.selection().mesh.as_ref();
    let mesh = mesh.filter(|_| view.tab == Tab::Rig);
    let outside = match mesh.and_then(|mesh| shown.evaluated.scene.skinned_meshes.get(mesh)) {
        Some(mesh) => caches.joints.get(&mesh.skeleton, &mesh.surface),
        None => Arc::default(),
    };
    if !Arc::ptr_eq(&outside, &shown.outside_joints) && *outside != *shown.outside_joints {
        shown.outside_joints = outside;
    }
    evaluates
}
