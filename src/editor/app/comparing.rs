//! The Compare view at work: which character stands in it, its weights by other methods, its numbers. All
//! that takes long is done on threads, so that the window stays awake.

mod curves;
mod other_weights;

use crate::edit::action::ViewMove;
use crate::edit::compare;
use crate::edit::view::Tab;
use crate::editor::Editor;
use crate::editor::app::wake::Waker;
use crate::editor::panels::compare::{Caption, Numbers, SideStatus};
use crate::editor::viewport::Panes;
use crate::mesh::halfedge::HalfedgeMesh;
use crate::mesh::measure::Measure;
use crate::scene::compare::{Compare, Variant};
use crate::scene::evaluate::{Posed, Settings};
use bevy::prelude::*;
use bevy_egui::egui;
use curves::CurveJob;
use other_weights::{OtherWeights, Wanted};
use std::sync::Arc;

/// What the Compare view keeps from frame to frame.
#[derive(Default)]
pub struct Comparing {
    waker: Option<Waker>,
    weights: OtherWeights,
    /// What is to be evaluated.
    shown: Option<Arc<Compare>>,
    /// The instance that was compared last.
    last: Option<String>,
    /// Something is compared, or about to be.
    active: bool,
    /// The view has been moved so that both sides are seen.
    framed: bool,
    curves: Option<CurveJob>,
    measure: Option<(Arc<HalfedgeMesh>, Measure)>,
    /// What the numbers of the panel are of.
    measured: Option<[Option<Arc<Posed>>; 2]>,
}

impl Comparing {
    pub(in crate::editor) fn shown(&self) -> Option<Arc<Compare>> {
        self.shown.clone()
    }
}

/// Takes over what threads have found.
pub fn poll(mut editor: ResMut<Editor>, waker: Res<Waker>) {
    let editor = editor.bypass_change_detection();
    editor.comparing.waker.get_or_insert_with(|| waker.clone());
    let panel = &mut editor.panels.compare;
    if let Some(job) = &mut editor.comparing.curves
        && job.take(&mut panel.curves)
    {
        panel.measured = job.measured();
        editor.draw_soon();
    }
}

impl Editor {
    /// Whether threads are at work for the Compare view.
    pub(in crate::editor) fn is_comparing(&self) -> bool {
        let curves = self.comparing.curves.as_ref();
        let on = self.settings.compare.on && self.settings.tab == Tab::Animate;
        on && (self.comparing.weights.busy() || curves.is_some_and(|job| !job.is_done()))
    }

    /// Finds out what the Compare view shows: before an evaluation, which depends on it.
    pub(in crate::editor) fn follow_compared(&mut self) {
        let choice = self.settings.compare;
        let wanted = choice.on && self.settings.tab == Tab::Animate;
        let last = self.comparing.last.as_deref();
        let found = compare::compared(&self.session, last).filter(|_| wanted);
        let Some((instance, mesh)) = found.map(|(i, m)| (i.to_owned(), m.to_owned())) else {
            self.compare_nothing();
            return;
        };
        let scene = self.session.scene();
        let Some(skinned) = scene.skinned_meshes.get(&mesh).cloned() else {
            self.compare_nothing();
            return;
        };
        self.comparing.active = true;
        let mut sides = [None, None];
        for (i, side) in choice.sides.iter().enumerate() {
            let found = side.weights.map(|method| {
                let Comparing { weights, waker, .. } = &mut self.comparing;
                weights.of(&skinned, method, &self.weighing, waker.as_ref())
            });
            let (weights, status) = match found {
                None => (Some(None), SideStatus::Ready),
                Some(Wanted::Ready(weights)) => (Some(Some(weights)), SideStatus::Ready),
                Some(Wanted::Busy(progress)) => (None, SideStatus::Weighing(progress)),
                Some(Wanted::Failed(why)) => (None, SideStatus::Failed(why)),
            };
            let skinning = side.skinning;
            sides[i] = weights.map(|weights| Variant { skinning, weights });
            self.panels.compare.status[i] = status;
        }
        self.comparing.weights.forget_unused();
        let compare = Compare {
            mesh,
            instance: instance.clone(),
            sides,
        };
        if self.comparing.shown.as_deref() != Some(&compare) {
            self.comparing.shown = Some(Arc::new(compare));
        }
        self.panels.compare.name.clone_from(&instance);
        if self.comparing.last.as_ref() != Some(&instance) {
            self.comparing.last = Some(instance);
            self.comparing.framed = false;
        }
        self.measure_curves();
        // Once both are there, and the panel has taken its room.
        if self.evaluated.compare.is_some() && !self.comparing.framed {
            self.comparing.framed = true;
            self.move_view(ViewMove::FrameAll);
        }
    }

    fn compare_nothing(&mut self) {
        let comparing = &mut self.comparing;
        if !comparing.active {
            return;
        }
        let (waker, last) = (comparing.waker.take(), comparing.last.take());
        self.comparing = Comparing {
            waker,
            last,
            ..Comparing::default()
        };
        self.panels.compare.forget();
    }

    /// Begins to measure the frames that are played, if what they depend on has changed.
    fn measure_curves(&mut self) {
        let settings = Settings {
            frame: None,
            ..self.evaluation()
        };
        if settings.compare.is_none() {
            self.comparing.curves = None;
            self.panels.compare.forget_curves();
            return;
        }
        let scene = self.session.scene();
        let job = self.comparing.curves.as_ref();
        // A drag is measured when it has ended.
        let later = self.session.in_transaction() && job.is_some();
        if later || job.is_some_and(|job| job.is_of(scene, &settings)) {
            return;
        }
        let Some(waker) = self.comparing.waker.clone() else {
            return;
        };
        let unknown = compare::Curves::unknown(scene);
        let panel = &mut self.panels.compare;
        // After a change of the pose the old curves stay until the new ones come; after a change of one side,
        // those of the other.
        let as_before =
            (unknown.first, unknown.frames.len()) == (panel.curves.first, panel.curves.frames.len());
        match job.filter(|_| as_before) {
            Some(job) => panel.curves.keep(job.same_sides(&settings)),
            None => panel.curves = unknown,
        }
        panel.measured = 0;
        let frames = panel.curves.first..panel.curves.first + panel.curves.frames.len() as u32;
        self.comparing.curves = Some(CurveJob::start(scene.clone(), settings, frames, waker));
    }

    /// The numbers at the frame that is shown: after an evaluation.
    pub(in crate::editor) fn measure_compared(&mut self) {
        let comparing = &mut self.comparing;
        let Some(compared) = &self.evaluated.compare else {
            comparing.measured = None;
            self.panels.compare.numbers = None;
            return;
        };
        let sides = compared.sides.each_ref();
        let sides = sides.map(|side| side.as_ref().map(|side| side.posed.clone()));
        let frame = self.session.frame();
        let same = |a: &Option<Arc<Posed>>, b: &Option<Arc<Posed>>| match (a, b) {
            (Some(a), Some(b)) => Arc::ptr_eq(a, b),
            (a, b) => a.is_none() && b.is_none(),
        };
        if let (Some(of), Some(numbers)) = (&comparing.measured, &mut self.panels.compare.numbers)
            && (0..2).all(|i| same(&of[i], &sides[i]))
        {
            numbers.frame = frame;
            return;
        }
        let Some(mesh) = self.evaluated.scene.skinned_meshes.get(&compared.of.mesh) else {
            return;
        };
        let surface = &mesh.surface;
        let measure = match &comparing.measure {
            Some((of, measure)) if Arc::ptr_eq(of, surface) => measure,
            _ => {
                &comparing
                    .measure
                    .insert((surface.clone(), Measure::new(surface)))
                    .1
            }
        };
        self.panels.compare.numbers = Some(Numbers {
            frame,
            sides: sides
                .each_ref()
                .map(|posed| Some(measure.of(&posed.as_ref()?.positions))),
        });
        comparing.measured = Some(sides);
    }

    /// Divides the viewport while there is something to compare.
    pub(in crate::editor) fn divide_viewport(&mut self) {
        let pointed = self.viewport.panes.map_or(0, |panes| panes.pointed);
        let compared = self.evaluated.compare.is_some();
        self.viewport.panes = compared.then(|| Panes::of(&self.settings.compare, pointed));
        self.tell_pointed();
    }

    /// The pointer is at a point of the window and holds nothing: it means the side that it is on.
    pub(in crate::editor) fn point_at_side(&mut self, at: egui::Pos2) {
        let whole = self.viewport.rect();
        if let Some(panes) = &mut self.viewport.panes {
            panes.pointed = panes.side_of(whole, at);
        }
        self.tell_pointed();
    }

    fn tell_pointed(&mut self) {
        let pointed = self.viewport.panes.map_or(0, |panes| panes.pointed);
        if let Some(compared) = &mut self.evaluated.compare {
            compared.pointed = pointed;
        }
    }

    /// What stands above both sides.
    pub(in crate::editor) fn compare_captions(&self) -> Option<[Caption; 2]> {
        let compared = self.evaluated.compare.as_ref()?;
        let mesh = self.evaluated.scene.skinned_meshes.get(&compared.of.mesh)?;
        let texts = compare::captions(&self.settings.compare.sides, mesh);
        let statuses = self.panels.compare.status.iter().cloned();
        let captions = texts.into_iter().zip(statuses);
        let mut captions = captions.map(|(text, status)| Caption { text, status });
        Some([captions.next()?, captions.next()?])
    }
}
