//! Begins, changes and ends the fit of a skeleton: see [`crate::editor::app::jobs::fit_job`].

use crate::edit::action::Action;
use crate::edit::action::edit::mesh_to_fit;
use crate::edit::fitting::{FitRequest, Fitting};
use crate::edit::request::Request;
use crate::edit::settings::view::Tab;
use crate::editor::app::editor::Editor;
use crate::editor::app::jobs::fit_job::Job;
use crate::editor::panels::messages::Level;
use std::sync::Arc;

/// Begins a fit, or changes what is wished of it.
pub fn change(editor: &mut Editor, change: &FitRequest) {
    match change {
        FitRequest::Begin => begin(editor),
        FitRequest::End => {
            if editor.session.in_proposal() {
                editor.requests.push(Request::Cancel);
            }
            // Back to where it began.
            let began_in_rig = editor.fit.0.take().is_some_and(|job| job.tab == Tab::Rig);
            if began_in_rig && editor.settings.tab != Tab::Rig {
                editor.requests.push(Request::Act(Action::TAB_RIG));
            }
            editor.settings.fitting = None;
        }
        FitRequest::Accept => {
            if let Some(fitting) = editor.settings.fitting.as_mut().filter(|fitting| fitting.busy) {
                Arc::make_mut(fitting).accepts = true;
            }
        }
        change => {
            let Editor { fit, settings, jobs, waker, .. } = editor;
            let (Some(job), Some(fitting)) = (&mut fit.0, &mut settings.fitting) else { return };
            if job.change(change, fitting, jobs, waker) {
                // It was another one that was to be accepted.
                let fitting = Arc::make_mut(fitting);
                *fitting = job.shown(Fitting { busy: true, accepts: false, ..std::mem::take(fitting) });
            }
        }
    }
}

fn begin(editor: &mut Editor) {
    editor.session.settle();
    let mesh = match mesh_to_fit(&editor.view()) {
        Ok(mesh) => mesh,
        Err(why) => return editor.notify(Level::Info, format!("{}: {why}", Action::FIT_SKELETON.name()), ""),
    };
    let (scene, tab) = (editor.session.scene().clone(), editor.settings.tab);
    let mut job = Job::new(scene, mesh.clone(), tab);
    let fitting = Fitting { mesh, busy: true, ..Fitting::default() };
    job.start(&editor.jobs, &editor.waker);
    editor.settings.fitting = Some(Arc::new(fitting));
    editor.fit.0 = Some(job);
}
