//! The state of the Compare view: which character it shows, its weights by other methods, its measurements.
//! Long work runs on threads, so that the window stays responsive.

mod curves;
mod other_weights;

use crate::edit::action::Action;
use crate::edit::compare;
use crate::edit::request::Request;
use crate::edit::session::Session;
use crate::edit::settings::view::{Tab, ViewSettings};
use crate::editor::app::jobs::Jobs;
use crate::editor::app::wake::Waker;
use crate::editor::panels::compare::{Caption, CompareState, Numbers, SideStatus};
use crate::editor::state::{Document, Panels, Redraw, Requests, Settings as View, Shown};
use crate::mesh::halfedge::HalfedgeMesh;
use crate::mesh::measure::Measure;
use crate::scene::compare::{Compare, Variant};
use crate::scene::evaluate::{Evaluated, Posed, Settings};
use bevy::prelude::*;
use curves::CurveJob;
use other_weights::{OtherWeights, WeightsStatus};
use std::sync::Arc;

/// The state of the Compare view between frames.
#[derive(Resource, Default)]
pub struct Comparing {
    weights: OtherWeights,
    /// The instance that was compared last.
    last: Option<String>,
    /// Whether something is compared, or about to be.
    active: bool,
    /// Whether the view has been moved to show both sides.
    framed: bool,
    curves: Option<CurveJob>,
    measure: Option<(Arc<HalfedgeMesh>, Measure)>,
    /// The posed surfaces that the numbers in the panel were measured on.
    measured: Option<[Option<Arc<Posed>>; 2]>,
}

impl Comparing {
    /// Whether threads are at work.
    pub fn is_busy(&self) -> bool {
        self.active && (self.weights.is_busy() || self.curves.as_ref().is_some_and(|job| !job.is_done()))
    }

    fn forget(&mut self, panel: &mut CompareState) -> Option<Arc<Compare>> {
        if std::mem::take(&mut self.active) {
            *self = Self { last: self.last.take(), ..Self::default() };
            panel.forget();
        }
        None
    }

    /// Returns what is compared, and shows in the panel how far its weights are.
    fn compared(
        &mut self,
        session: &Session,
        view: &ViewSettings,
        at_once: usize,
        waker: &Waker,
        panel: &mut CompareState,
    ) -> Option<Arc<Compare>> {
        let wanted = view.compare.on && view.tab == Tab::Animate;
        let found = compare::compared_instance(session, self.last.as_deref()).filter(|_| wanted);
        let Some((instance, mesh)) = found.map(|(i, m)| (i.to_owned(), m.to_owned())) else {
            return self.forget(panel);
        };
        let Some(skinned) = session.scene().skinned_meshes.get(&mesh).cloned() else {
            return self.forget(panel);
        };
        self.active = true;
        let mut sides = [None, None];
        for (i, side) in view.compare.sides.iter().enumerate() {
            let found = side.weights.map(|method| self.weights.get(&skinned, method, at_once, Some(waker)));
            let (weights, status) = match found {
                None => (Some(None), SideStatus::Ready),
                Some(WeightsStatus::Ready(weights)) => (Some(Some(weights)), SideStatus::Ready),
                Some(WeightsStatus::Busy(progress)) => (None, SideStatus::CalculatingWeights(progress)),
                Some(WeightsStatus::Failed(why)) => (None, SideStatus::Failed(why)),
            };
            let skinning = side.skinning;
            sides[i] = weights.map(|weights| Variant { skinning, weights });
            panel.status[i] = status;
        }
        self.weights.forget_unused();
        panel.name.clone_from(&instance);
        if self.last.as_ref() != Some(&instance) {
            self.last = Some(instance.clone());
            self.framed = false;
        }
        Some(Arc::new(Compare { mesh, instance, sides }))
    }

    /// Starts measuring the frames of the play range, if anything that they depend on has changed.
    fn measure_curves(
        &mut self,
        session: &Session,
        settings: Settings,
        waker: &Waker,
        panel: &mut CompareState,
    ) {
        if settings.compare.is_none() {
            if self.curves.take().is_some() {
                panel.forget_curves();
            }
            return;
        }
        let scene = session.scene();
        let job = self.curves.as_ref();
        // A drag is measured when it ends.
        let later = session.in_transaction() && job.is_some();
        if later || job.is_some_and(|job| job.measures(scene, &settings)) {
            return;
        }
        let unknown = compare::Curves::unmeasured(scene);
        // The old curves stay until the new ones arrive, except those of a side that was switched to other
        // settings.
        let same_frames =
            (unknown.first, unknown.frames.len()) == (panel.curves.first, panel.curves.frames.len());
        match job.filter(|_| same_frames) {
            Some(job) => panel.curves.keep(job.same_sides(&settings)),
            None => panel.curves = unknown,
        }
        panel.measured = 0;
        let frames = panel.curves.first..panel.curves.first + panel.curves.frames.len() as u32;
        self.curves = Some(CurveJob::start(scene.clone(), settings, frames, waker.clone()));
    }

    /// Updates the numbers at the frame that is shown.
    fn update_numbers(&mut self, evaluated: &Evaluated, frame: f32, numbers: &mut Option<Numbers>) {
        let Some(compared) = &evaluated.compare else {
            self.measured = None;
            *numbers = None;
            return;
        };
        let sides = compared.sides.each_ref();
        let sides = sides.map(|side| side.as_ref().map(|side| side.posed.clone()));
        let is_same = |a: &Option<Arc<Posed>>, b: &Option<Arc<Posed>>| match (a, b) {
            (Some(a), Some(b)) => Arc::ptr_eq(a, b),
            (a, b) => a.is_none() && b.is_none(),
        };
        if let (Some(measured), Some(numbers)) = (&self.measured, &mut *numbers)
            && (0..2).all(|i| is_same(&measured[i], &sides[i]))
        {
            numbers.frame = frame;
            return;
        }
        let Some(mesh) = evaluated.scene.skinned_meshes.get(&compared.settings.mesh) else {
            return;
        };
        let surface = &mesh.surface;
        if !matches!(&self.measure, Some((measured, _)) if Arc::ptr_eq(measured, surface)) {
            self.measure = Some((surface.clone(), Measure::new(surface)));
        }
        let Some((_, measure)) = &self.measure else { return };
        *numbers = Some(Numbers {
            frame,
            sides: sides.each_ref().map(|posed| Some(measure.deformation(&posed.as_ref()?.positions))),
        });
        self.measured = Some(sides);
    }
}

/// Collects the results of threads.
pub fn poll(mut comparing: ResMut<Comparing>, mut panels: ResMut<Panels>, mut redraw: ResMut<Redraw>) {
    let panel = &mut panels.compare;
    if let Some(job) = &mut comparing.curves
        && job.take(&mut panel.curves)
    {
        panel.measured = job.measured();
        redraw.request();
    }
}

/// Updates what the Compare view shows, before the evaluation that depends on it.
pub fn follow(
    session: Res<Document>,
    view: Res<View>,
    (jobs, waker): (Res<Jobs>, Res<Waker>),
    mut comparing: ResMut<Comparing>,
    mut panels: ResMut<Panels>,
    mut shown: ResMut<Shown>,
    (mut requests, mut redraw): (ResMut<Requests>, ResMut<Redraw>),
) {
    let (comparing, panel) = (&mut *comparing, &mut panels.compare);
    let compare = comparing.compared(&session, &view, jobs.at_once, &waker, panel);
    if shown.compare != compare {
        shown.compare = compare;
    }
    let settings = Settings { frame: None, ..shown.settings(&session, &view) };
    comparing.measure_curves(&session, settings, &waker, panel);
    // Once both sides are evaluated, and the panel has its size.
    if shown.evaluated.compare.is_some() && comparing.active && !comparing.framed {
        comparing.framed = true;
        requests.push(Request::Act(Action::FRAME_ALL));
        redraw.request();
    }
}

/// Measures what is shown, after the evaluation.
pub fn measure(
    session: Res<Document>,
    shown: Res<Shown>,
    mut comparing: ResMut<Comparing>,
    mut panels: ResMut<Panels>,
) {
    comparing.update_numbers(&shown.evaluated, session.frame(), &mut panels.compare.numbers);
}

/// Returns the captions above both sides.
pub fn captions(evaluated: &Evaluated, view: &ViewSettings, panel: &CompareState) -> Option<[Caption; 2]> {
    let compared = evaluated.compare.as_ref()?;
    let mesh = evaluated.scene.skinned_meshes.get(&compared.settings.mesh)?;
    let texts = compare::captions(&view.compare.sides, mesh);
    let statuses = panel.status.iter().cloned();
    let captions = texts.into_iter().zip(statuses);
    let mut captions = captions.map(|(text, status)| Caption { text, status });
    Some([captions.next()?, captions.next()?])
}
