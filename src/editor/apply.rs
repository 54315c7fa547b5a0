//! Carries out what panels, keys and tools asked for: the only system that changes the document.

use super::Editor;
use super::files::Then;
use super::panels::messages::Level;
use super::wake::Waker;
use crate::edit::action::Action;
use crate::edit::command::CommandError;
use crate::edit::request::Request;
use crate::edit::selection::Part;
use crate::edit::view::Tab;
use bevy::prelude::*;
use bevy::window::{PrimaryWindow, RequestRedraw};

pub fn requests(
    mut editor: ResMut<Editor>,
    waker: Res<Waker>,
    mut window: Query<&mut Window, With<PrimaryWindow>>,
    mut redraw: MessageWriter<RequestRedraw>,
    mut exit: MessageWriter<AppExit>,
) {
    let requests = std::mem::take(&mut editor.requests);
    if requests.is_empty() && !editor.quit {
        return;
    }
    let editor = editor.as_mut();
    for request in requests {
        carry_out(editor, request, &waker);
    }
    if let Ok(mut window) = window.single_mut() {
        let title = editor.window_title();
        if window.title != title {
            window.title = title;
        }
    }
    // Panels show the change in the next frame.
    redraw.write(RequestRedraw);
    if editor.quit {
        exit.write(AppExit::Success);
    }
}

fn carry_out(editor: &mut Editor, request: Request, waker: &Waker) {
    match request {
        Request::Act(action) => act(editor, action, waker),
        Request::Select(selection) => {
            editor.session.commit();
            editor.session.select(selection);
        }
        Request::Apply(commands) => {
            let result = editor.session.apply(&commands);
            explain(editor, result);
        }
        Request::Preview(commands) => {
            let result = editor.session.preview(&commands);
            explain(editor, result);
        }
        Request::Commit => {
            editor.session.commit();
        }
        Request::Cancel => {
            editor.session.cancel();
        }
        Request::OpenPath(path) => editor.leave_document(Then::OpenPath(path), waker),
        Request::SavePath(path) => editor.save_to(path, waker),
        Request::SaveChanges(answer) => editor.answer_save_changes(answer, waker),
    }
}

fn explain(editor: &mut Editor, result: Result<(), CommandError>) {
    if let Err(error) = result {
        editor
            .panels
            .messages
            .push(Level::Warning, "That could not be done", error.to_string());
    }
}

fn act(editor: &mut Editor, action: Action, waker: &Waker) {
    if let Err(why) = action.enabled(&editor.view()) {
        editor.panels.messages.push(
            Level::Info,
            format!("{}: {why}", action.info().text),
            String::new(),
        );
        return;
    }
    let commands = action.commands(&editor.view());
    if !commands.is_empty() {
        let result = editor.session.apply(&commands);
        explain(editor, result);
        return;
    }
    let settings = &mut editor.settings;
    match action {
        Action::New => editor.leave_document(Then::New, waker),
        Action::OpenHuman => editor.leave_document(Then::OpenHuman, waker),
        Action::Open => editor.leave_document(Then::OpenDialog, waker),
        Action::Save => editor.save(waker),
        Action::SaveAs => editor.save_as(waker),
        Action::Quit => editor.leave_document(Then::Quit, waker),
        Action::Undo => {
            editor.session.undo();
        }
        Action::Redo => {
            editor.session.redo();
        }
        Action::Deselect => {
            if !editor.session.cancel() {
                let outer = editor.session.selection().outer();
                editor.session.select(outer);
            }
        }
        Action::TabRig => show_tab(editor, Tab::Rig),
        Action::TabAnimate => show_tab(editor, Tab::Animate),
        Action::ToggleTab => {
            let other = if settings.tab == Tab::Rig {
                Tab::Animate
            } else {
                Tab::Rig
            };
            show_tab(editor, other);
        }
        Action::FrameSelected
        | Action::FrameAll
        | Action::ViewFront
        | Action::ViewBack
        | Action::ViewRight
        | Action::ViewLeft
        | Action::ViewTop
        | Action::ViewBottom => editor.look(action),
        Action::ToggleOrthographic => settings.orthographic = !settings.orthographic,
        Action::ToggleXray => settings.xray = !settings.xray,
        Action::ToggleSkin => settings.show_skin = !settings.show_skin,
        Action::ToggleBones => settings.show_bones = !settings.show_bones,
        Action::ToggleAxes => settings.show_axes = !settings.show_axes,
        Action::ToggleHandles => settings.show_handles = !settings.show_handles,
        Action::ToggleGrid => settings.show_grid = !settings.show_grid,
        Action::ToggleWireframe => settings.wireframe = !settings.wireframe,
        Action::ToggleSolveIk => settings.solve_ik = !settings.solve_ik,
        Action::ShowMessages | Action::ShowKeys | Action::About => {
            editor.panels.act(action);
        }
        // These stand for commands; with none there was nothing to change.
        Action::Delete
        | Action::AddBone
        | Action::AddIk
        | Action::CalculateWeights
        | Action::ResetBonePose
        | Action::ResetPose => {}
    }
}

/// The Rig tab works on a skinned mesh: with none chosen, it takes the first.
fn show_tab(editor: &mut Editor, tab: Tab) {
    editor.session.commit();
    editor.settings.tab = tab;
    let selection = editor.session.selection();
    if tab == Tab::Rig && selection.mesh.is_none() {
        let first = editor.session.scene().skinned_meshes.keys().next().cloned();
        if let Some(mesh) = first {
            let part: Option<Part> = None;
            let selection =
                crate::edit::selection::Selection::of_mesh(editor.session.scene(), &mesh).with_part(part);
            editor.session.select(selection);
        }
    }
}
