//! Fits a skeleton into a mesh in the background, and proposes it, walking. See [`crate::edit::fitting`].

use crate::edit::action::Action;
use crate::edit::command::Command;
use crate::edit::fitting::{
    FitRequest, FittedWeights, Fitting, Weighing, Wishes, ask, axis_names, commands, describe,
};
use crate::edit::request::Request;
use crate::edit::select::selection::Selection;
use crate::edit::session::Proposal;
use crate::edit::settings::view::Tab;
use crate::editor::app::jobs::Jobs;
use crate::editor::app::jobs::worker::Worker;
use crate::editor::app::wake::Waker;
use crate::editor::state::{Document, Redraw, Requests, Settings};
use crate::rig::fit::{Body, Fit, FitError, Options};
use crate::rig::skeleton::Skeleton;
use crate::scene::Scene;
use bevy::prelude::*;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

/// The fit in progress.
#[derive(Resource, Default)]
pub struct FitJob(pub Option<Job>);

pub struct Job {
    /// The scene without the skeleton.
    scene: Scene,
    mesh: String,
    /// The tab in which it began.
    pub tab: Tab,
    /// The body, once it has been analysed.
    body: Arc<OnceLock<Result<Body, FitError>>>,
    pub wishes: Wishes,
    /// What was wished before, and what was taken back; the newest last.
    earlier: Vec<Wishes>,
    later: Vec<Wishes>,
    worker: Option<Worker<Done>>,
    /// Whether a skeleton has been proposed.
    proposed: bool,
    /// The proposed skeleton, while it has rough weights.
    rough: Option<Arc<Skeleton>>,
    /// The drag of a joint.
    dragged: Option<Dragged>,
    /// The weights that were calculated last.
    weights: Option<Arc<FittedWeights>>,
}

/// The drag of a joint, on whose way the skeleton is fitted again with the last weights.
struct Dragged {
    joint: String,
    /// What was wished before.
    before: Wishes,
    /// Whether it was dragged on since the fit that is under way began.
    is_newer: bool,
}

/// The fit, the commands that propose it, and whether its weights are rough.
type Done = Result<(Fit, Vec<Command>, bool), Failure>;

/// Why there is no fit.
struct Failure {
    /// A sentence.
    why: String,
    /// The names of the joints that have to be placed.
    missing: Vec<String>,
}

impl From<String> for Failure {
    fn from(why: String) -> Self {
        Self { why, missing: Vec::new() }
    }
}

impl From<FitError> for Failure {
    fn from(error: FitError) -> Self {
        Self { why: error.to_string(), missing: error.missing().to_vec() }
    }
}

impl Job {
    /// A fit into a mesh of a scene, with nothing wished.
    pub fn new(scene: Scene, mesh: String, tab: Tab) -> Self {
        let (body, wishes, earlier, later) = Default::default();
        let (dragged, weights, rough) = (None, None, None);
        Self {
            scene,
            mesh,
            tab,
            body,
            wishes,
            earlier,
            later,
            worker: None,
            proposed: false,
            rough,
            dragged,
            weights,
        }
    }

    /// Whether a scene has the skeleton with rough weights: it was accepted by what was done next.
    fn is_rough_in(&self, scene: &Scene) -> bool {
        let skinned = scene.skinned_meshes.get(&self.mesh);
        self.rough.as_ref().is_some_and(|rough| skinned.is_some_and(|skinned| skinned.skeleton == *rough))
    }

    /// Changes what is wished, and starts to fit. Returns whether anything changes.
    pub fn change(&mut self, change: &FitRequest, shown: &Fitting, jobs: &Jobs, waker: &Waker) -> bool {
        // Another fit may number the joints in another way.
        let number = |name: &str| shown.joints.iter().position(|joint| joint == name);
        match *change {
            FitRequest::Drag { bone, tail } => {
                let Some(joint) = shown.joints.get(bone).filter(|_| self.dragged.is_none()).cloned() else {
                    return self.drag_on(tail, shown, jobs, waker);
                };
                self.dragged = Some(Dragged { joint, before: self.wishes.clone(), is_newer: false });
                self.worker = None;
                return self.drag_on(tail, shown, jobs, waker);
            }
            FitRequest::Place { bone, tail } => {
                let dragged = self.dragged.take();
                let bone = dragged.as_ref().map_or(Some(bone), |dragged| number(&dragged.joint));
                let Some(bone) = bone else { return false };
                self.remember(dragged.map_or_else(|| self.wishes.clone(), |dragged| dragged.before));
                self.wishes.change(&FitRequest::Place { bone, tail }, shown);
            }
            FitRequest::Undrag => match self.dragged.take() {
                Some(dragged) => self.wishes = dragged.before,
                None => return false,
            },
            FitRequest::Undo | FitRequest::Redo => {
                let is_undo = *change == FitRequest::Undo;
                let (from, to) = match is_undo {
                    true => (&mut self.earlier, &mut self.later),
                    false => (&mut self.later, &mut self.earlier),
                };
                match self.dragged.take() {
                    Some(dragged) => self.wishes = dragged.before,
                    None => {
                        let Some(wishes) = from.pop() else { return false };
                        to.push(std::mem::replace(&mut self.wishes, wishes));
                        self.weights = None;
                    }
                }
            }
            _ => {
                self.remember(self.wishes.clone());
                self.wishes.change(change, shown);
                // It may have other bones, or others where they are.
                self.weights = None;
            }
        }
        self.start(jobs, waker);
        true
    }

    /// Keeps what was wished before a change.
    fn remember(&mut self, wishes: Wishes) {
        self.earlier.push(wishes);
        self.later.clear();
    }

    /// What the view shows of a fit, with whether wishes can be taken back or restored.
    pub fn shown(&self, fitting: Fitting) -> Fitting {
        let (can_undo, can_redo) = (!self.earlier.is_empty(), !self.later.is_empty());
        Fitting { can_undo, can_redo, ..fitting }
    }

    /// Fits again with the dragged joint at a place, once the fit that is under way is done.
    fn drag_on(&mut self, tail: Vec3, shown: &Fitting, jobs: &Jobs, waker: &Waker) -> bool {
        let Some(dragged) = &mut self.dragged else { return false };
        let Some(bone) = shown.joints.iter().position(|joint| *joint == dragged.joint) else { return false };
        self.wishes.change(&FitRequest::Drag { bone, tail }, shown);
        dragged.is_newer = self.worker.is_some();
        if !dragged.is_newer {
            self.start(jobs, waker);
        }
        true
    }

    /// Starts to fit, in place of a fit that is under way: while a joint is dragged, with the last weights, and as long as there
    /// are none, with rough ones first.
    pub fn start(&mut self, jobs: &Jobs, waker: &Waker) {
        let last = self.weights.clone();
        let (is_rough, is_dragged) = (last.is_none(), self.dragged.is_some());
        self.run(None, (last.filter(|_| is_dragged), is_rough), jobs, waker);
    }

    /// Starts to give a mesh a skeleton, the `fit` or one that is fitted first, with weights: the last ones, rough or calculated ones.
    fn run(
        &mut self,
        fit: Option<Fit>,
        (last, is_rough): (Option<Arc<FittedWeights>>, bool),
        jobs: &Jobs,
        waker: &Waker,
    ) {
        let (scene, mesh, wishes) = (self.scene.clone(), self.mesh.clone(), self.wishes.clone());
        let body = self.body.clone();
        self.worker = Some(Worker::start(jobs.gate.clone(), waker.clone(), move |progress| {
            let surface = scene.surface(&mesh).ok_or_else(|| "The mesh is gone.".to_owned())?;
            let body = body.get_or_init(|| Body::from_surface(surface)).as_ref();
            let new = || body.map_err(Clone::clone).and_then(|body| wishes.fit(body, &scene));
            let fit = fit.map_or_else(new, Ok)?;
            let weighing = match last.as_deref() {
                Some(last) => Weighing::Last(last),
                None if is_rough => Weighing::Rough,
                None => Weighing::Calculated,
            };
            let commands = commands(&scene, &mesh, &fit, weighing, progress)?;
            Ok((fit, commands, is_rough))
        }));
    }
}

/// Proposes a skeleton that was fitted; ends the fit once it is accepted or rejected.
pub fn poll(
    mut session: ResMut<Document>,
    mut job: ResMut<FitJob>,
    mut settings: ResMut<Settings>,
    mut requests: ResMut<Requests>,
    mut redraw: ResMut<Redraw>,
    (jobs, waker): (Res<Jobs>, Res<Waker>),
) {
    let Some(current) = &mut job.0 else { return };
    let changed = !current.proposed && !session.scene().is_shared(&current.scene);
    let is_over = current.proposed && !session.in_proposal();
    let gets_weights = is_over && current.worker.is_some() && current.is_rough_in(session.scene());
    if is_over || changed {
        settings.fitting = None;
        if !gets_weights {
            job.0 = None;
            return redraw.request();
        }
    }
    let Some(done) = current.worker.as_ref().and_then(|worker| worker.result(Duration::ZERO)) else { return };
    current.worker = None;
    redraw.request();
    if let Some(dragged) = current.dragged.as_mut().filter(|dragged| dragged.is_newer) {
        dragged.is_newer = false;
        current.start(&jobs, &waker);
    }
    if gets_weights {
        if let Some(Ok((_, mut commands, false))) = done {
            commands.retain(|command| matches!(command, Command::SetCalculatedWeights { .. }));
            requests.push(Request::Apply(commands));
        }
        job.0 = None;
        return;
    }
    let done = done.unwrap_or_else(|| Err("An internal error occurred.".to_owned().into()));
    let proposed = done.and_then(|(fit, commands, is_rough)| {
        // Another tab would end the proposal.
        settings.tab = Tab::Animate;
        current.weights = FittedWeights::proposed(&commands).map(Arc::new);
        current.rough = None;
        let proposed = Request::Propose(Proposal::Offer, commands).carry_out(
            &mut session,
            &mut settings,
            &Default::default(),
        );
        proposed.map_err(|error| error.to_string())?;
        Ok((fit, is_rough))
    });
    match proposed {
        Ok((fit, is_rough)) => {
            requests.push(Request::Select(Selection::from_mesh(session.scene(), &current.mesh)));
            let axes = settings.fitting.as_ref().map(|fitting| fitting.axes);
            if !current.proposed || axes.is_some_and(|axes| axes != fit.axes()) {
                // It may stand up, or turn, beside others, and the strip takes room from the view.
                requests.push(Request::Act(Action::FRAME_SELECTED));
            }
            let Job { scene: before, mesh, wishes, .. } = &*current;
            let accepts = settings.fitting.as_ref().is_some_and(|fitting| fitting.accepts);
            if accepts && !is_rough {
                requests.push(Request::Commit);
            }
            let described = describe(before, session.animated(), mesh, &fit, wishes);
            // While a joint is dragged, the weights are earlier ones.
            let busy = is_rough || current.dragged.is_some();
            let shown = Fitting { busy, accepts: accepts && is_rough, ..described };
            settings.fitting = Some(Arc::new(current.shown(shown)));
            current.proposed = true;
            if is_rough && current.worker.is_none() {
                current.rough = session
                    .scene()
                    .skinned_meshes
                    .get(&current.mesh)
                    .map(|skinned| Arc::clone(&skinned.skeleton));
                current.run(Some(fit), (None, false), &jobs, &waker);
            }
        }
        // The last skeleton stays, with the reason why there is no new one.
        Err(Failure { why, missing }) => {
            let before = settings.fitting.as_deref().cloned().unwrap_or_default();
            let shown = match current.scene.surface(&current.mesh) {
                Some(surface) if before.bones == 0 && !missing.is_empty() => {
                    ask(&current.mesh, surface, &missing, &current.wishes)
                }
                _ => {
                    let stays = if before.bones > 0 { "The last skeleton stays: " } else { "" };
                    let Options { up, front, .. } = current.wishes.options;
                    let axes = up.zip(front).map(|(up, front)| axis_names([up, front]));
                    let direction = axes
                        .map(|[up, front]| format!("with up {up} and front {front}, "))
                        .unwrap_or_default();
                    Fitting {
                        advice: format!("{stays}{direction}{why}"),
                        busy: false,
                        accepts: false,
                        ..before
                    }
                }
            };
            settings.fitting = Some(Arc::new(current.shown(shown)));
        }
    }
}
