//! The Compare view at work: which character stands in it, its weights by other methods, its numbers. All
//! that takes long is done on threads, so that the window stays awake.

mod curves;
mod other_weights;

use super::Editor;
use super::panels::compare::{Caption, Numbers, SideStatus};
use super::wake::Waker;
use crate::edit::action::Action;
use crate::edit::compare;
use crate::edit::view::Tab;
use crate::math::bounds::Bounds;
use crate::mesh::halfedge::HalfedgeMesh;
use crate::mesh::measure::Measure;
use crate::scene::compare::{Compare, Variant};
use crate::scene::evaluate::{Posed, Settings};
use crate::scene::world::world_of;
use bevy::prelude::*;
use curves::CurveJob;
use other_weights::{OtherWeights, Wanted};
use std::sync::Arc;

/// What the Compare view keeps from frame to frame.
#[derive(Default)]
pub struct Comparing {
    waker: Option<Waker>,
    weights: OtherWeights,
    /// What is to be evaluated; `None` while weights are being calculated.
    shown: Option<Arc<Compare>>,
    /// The instance that was compared last.
    last: Option<String>,
    /// Something is compared, or about to be.
    active: bool,
    /// The view has been moved so that both sides are seen.
    framed: bool,
    offset: Option<(Arc<HalfedgeMesh>, Mat4, Vec3)>,
    curves: Option<CurveJob>,
    measure: Option<(Arc<HalfedgeMesh>, Measure)>,
    /// What the numbers of the panel are of.
    measured: Option<[Arc<Posed>; 2]>,
}

impl Comparing {
    pub(super) fn shown(&self) -> Option<Arc<Compare>> {
        self.shown.clone()
    }

    fn offset(&mut self, world_from_mesh: Mat4, surface: &Arc<HalfedgeMesh>) -> Vec3 {
        match &self.offset {
            Some((of, at, offset)) if Arc::ptr_eq(of, surface) && *at == world_from_mesh => *offset,
            _ => {
                let offset = compare::offset(world_from_mesh, surface);
                self.offset = Some((surface.clone(), world_from_mesh, offset));
                offset
            }
        }
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
    pub(super) fn is_comparing(&self) -> bool {
        let curves = self.comparing.curves.as_ref();
        let on = self.settings.compare.on && self.settings.tab == Tab::Animate;
        on && (self.comparing.weights.busy() || curves.is_some_and(|job| !job.is_done()))
    }

    /// Finds out what the Compare view shows: before an evaluation, which depends on it.
    pub(super) fn follow_compared(&mut self) {
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
        let mut sides = [Variant::default(), Variant::default()];
        let mut ready = true;
        for (i, side) in choice.sides.iter().enumerate() {
            sides[i].skinning = side.skinning;
            let found = side.weights.map(|method| {
                let Comparing { weights, waker, .. } = &mut self.comparing;
                weights.of(&skinned, method, &self.weighing, waker.as_ref())
            });
            self.panels.compare.status[i] = match found {
                None => SideStatus::Ready,
                Some(Wanted::Ready(weights)) => {
                    sides[i].weights = Some(weights);
                    SideStatus::Ready
                }
                Some(Wanted::Busy(progress)) => SideStatus::Weighing(progress),
                Some(Wanted::Failed(why)) => SideStatus::Failed(why),
            };
            ready &= self.panels.compare.status[i] == SideStatus::Ready;
        }
        self.comparing.weights.forget_unused();
        let placed = scene.instances.skinned_meshes.get(&instance);
        let transform = placed.and_then(|placed| placed.transform.as_deref());
        let world_from_mesh = Mat4::from(world_of(scene, transform).as_affine3a());
        let compare = ready.then(|| Compare {
            offset: self.comparing.offset(world_from_mesh, &skinned.surface),
            mesh,
            instance: instance.clone(),
            sides,
        });
        if self.comparing.shown.as_deref() != compare.as_ref() {
            self.comparing.shown = compare.map(Arc::new);
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
            self.look(Action::FrameAll);
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
        // After a change of the pose the old curves stay until the new ones come.
        let alike = job.is_some_and(|job| job.compares_as(&settings))
            && (unknown.first, unknown.frames.len()) == (panel.curves.first, panel.curves.frames.len());
        if !alike {
            panel.curves = unknown;
        }
        panel.measured = 0;
        let frames = panel.curves.first..panel.curves.first + panel.curves.frames.len() as u32;
        self.comparing.curves = Some(CurveJob::start(scene.clone(), settings, frames, waker));
    }

    /// The numbers at the frame that is shown: after an evaluation.
    pub(super) fn measure_compared(&mut self) {
        let comparing = &mut self.comparing;
        let Some(compared) = &self.evaluated.compare else {
            comparing.measured = None;
            self.panels.compare.numbers = None;
            return;
        };
        let sides = [0, 1].map(|i| compared.sides[i].posed.clone());
        let frame = self.session.frame();
        if let (Some(of), Some(numbers)) = (&comparing.measured, &mut self.panels.compare.numbers)
            && (0..2).all(|i| Arc::ptr_eq(&of[i], &sides[i]))
        {
            numbers.frame = frame;
            return;
        }
        let surface = &compared.sides[0].mesh.surface;
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
            sides: [0, 1].map(|i| measure.of(&sides[i].positions)),
        });
        comparing.measured = Some(sides);
    }

    /// What stands above both sides, and where, in points of the window.
    pub(super) fn compare_captions(&self) -> Vec<Caption> {
        let Some(compared) = &self.evaluated.compare else {
            return Vec::new();
        };
        let scene = &self.evaluated.scene;
        let (Some(mesh), Some(instance)) = (
            scene.skinned_meshes.get(&compared.of.mesh),
            scene.instances.skinned_meshes.get(&compared.of.instance),
        ) else {
            return Vec::new();
        };
        let view = self.viewport.view();
        let world_from_mesh = self.evaluated.world(instance.transform.as_deref());
        let texts = compare::captions(&self.settings.compare.sides, mesh);
        let captions = texts.into_iter().enumerate().filter_map(|(side, text)| {
            let aside = Mat4::from_translation(compared.of.offset * side as f32);
            let positions = &compared.sides[side].posed.positions;
            let bounds = Bounds::of_points(positions.iter().copied());
            let bounds = bounds.transformed(&(aside * world_from_mesh));
            let corners = bounds.corners().map(|corner| view.project(corner));
            let pixels: Vec<Vec2> = corners.into_iter().flatten().map(|c| c.pixel).collect();
            let low = pixels.iter().copied().reduce(Vec2::min)?;
            let high = pixels.iter().copied().reduce(Vec2::max)?;
            let at = self.viewport.origin() + Vec2::new((low.x + high.x) / 2.0, low.y);
            let at = at.is_finite().then_some(bevy_egui::egui::pos2(at.x, at.y))?;
            Some(Caption { side, text, at })
        });
        captions.collect()
    }
}
