//! Carries out what panels, keys and tools asked for: the only system that changes the document.

use super::Editor;
use super::files::Then;
use super::panels::file_dialog::FileMode;
use super::panels::messages::Level;
use super::panels::status::{counted, grouped};
use super::wake::Waker;
use crate::edit::action::{Action, pose};
use crate::edit::command::Command;
use crate::edit::command::keys::{KeyCommand, KeysOf, replaced};
use crate::edit::request::Request;
use crate::edit::selection::Selection;
use crate::edit::view::Tab;
use crate::scene::names::Thing;
use bevy::prelude::*;
use bevy::window::PrimaryWindow;

pub fn requests(
    mut editor: ResMut<Editor>,
    waker: Res<Waker>,
    mut window: Query<&mut Window, With<PrimaryWindow>>,
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
    editor.draw_soon();
    if editor.quit {
        exit.write(AppExit::Success);
    }
}

fn carry_out(editor: &mut Editor, request: Request, waker: &Waker) {
    if request == Request::Act(Action::Deselect) && editor.panels.close_windows() {
        return;
    }
    if let Request::Act(action) = &request
        && let Err(why) = action.enabled(&editor.view())
    {
        let pressed_once_too_often = matches!(
            action,
            Action::Undo
                | Action::Redo
                | Action::Deselect
                | Action::PreviousFrame
                | Action::NextFrame
                | Action::PreviousKey
                | Action::NextKey
        );
        if pressed_once_too_often {
            return;
        }
        let text = action.info().text.trim_end_matches('…');
        editor
            .panels
            .messages
            .push(Level::Info, format!("{text}: {why}"), String::new());
        return;
    }
    if let Request::Act(action) = &request {
        let commands = action.commands(&editor.view());
        if editor.weigh_in_background(&commands, waker) {
            return;
        }
    }
    let steps = editor.session.history().cursor();
    let (tab, world_from_mesh) = (editor.settings.tab, editor.world_from_mesh());
    let deleted = deleted(editor, &request);
    let pasted = pasted(editor, &request);
    let keyed = keyed(editor, &request);
    let Editor {
        session,
        settings,
        evaluated,
        ..
    } = editor;
    match request.carry_out(session, settings, evaluated) {
        Ok(true) => {
            say_done(editor, &request, steps);
            say_deleted(editor, deleted);
            say_pasted(editor, pasted);
            if let Some(text) = keyed {
                editor.panels.messages.push(Level::Info, text, String::new());
            }
        }
        Ok(false) => outside(editor, request, waker),
        Err(error) => {
            editor
                .panels
                .messages
                .push(Level::Warning, "That could not be done", error.to_string())
        }
    }
    if editor.settings.tab != tab {
        tab_changed(editor, world_from_mesh);
    }
}

/// What came of calculating and refining weights, which may not be seen.
fn say_done(editor: &mut Editor, request: &Request, steps_before: usize) {
    let idle = editor.session.history().cursor() == steps_before;
    match request {
        Request::Act(Action::CopyPose) => {
            let count = editor
                .settings
                .copied_pose
                .as_ref()
                .map_or(0, |pose| pose.bone_count());
            let text = format!("Pose of {} copied", counted(count, "bone", "bones"));
            editor.panels.messages.push(Level::Info, text, String::new());
        }
        Request::Act(Action::CalculateWeights) => say_weights(editor),
        Request::Act(Action::CalculateSelectedWeights) => say_weights(editor),
        Request::Apply(_) if std::mem::take(&mut editor.say_weights_of) => say_weights(editor),
        Request::Act(action @ (Action::LimitWeights | Action::PruneWeights | Action::NormalizeWeights))
            if idle =>
        {
            let text = format!("{}: nothing needs it", action.info().text);
            editor.panels.messages.push(Level::Info, text, String::new());
        }
        _ => {}
    }
}

fn say_weights(editor: &mut Editor) {
    let session = &editor.session;
    let mesh = session
        .selection()
        .mesh
        .as_ref()
        .and_then(|mesh| session.scene().skinned_meshes.get(mesh));
    let Some(mesh) = mesh else { return };
    let (all, without) = (mesh.weights.ends.len(), mesh.weights.unweighted_count());
    let text = match without {
        0 => format!("Bone weights calculated; all {} vertices have some", grouped(all)),
        _ => format!(
            "Bone weights calculated; {} of {} vertices are out of reach",
            grouped(without),
            grouped(all)
        ),
    };
    editor.panels.messages.push(Level::Info, text, String::new());
}

/// Bones that were copied and that a pasted pose leaves out.
fn pasted(editor: &Editor, request: &Request) -> Option<(Action, Vec<String>)> {
    let Request::Act(action @ (Action::PastePose | Action::PasteMirroredPose)) = request else {
        return None;
    };
    let unmatched = pose::pasted(*action, &editor.view()).ok()?.unmatched;
    (!unmatched.is_empty()).then_some((*action, unmatched))
}

fn say_pasted(editor: &mut Editor, pasted: Option<(Action, Vec<String>)>) {
    let Some((action, unmatched)) = pasted else { return };
    let lack = match (action, unmatched.len()) {
        (Action::PasteMirroredPose, 1) => "has no other side here",
        (Action::PasteMirroredPose, _) => "have no other side here",
        (_, 1) => "is not in this skeleton",
        _ => "are not in this skeleton",
    };
    let text = match &unmatched[..] {
        [only] => format!("Pose pasted, but {only} {lack}"),
        _ => format!("Pose pasted, but {} of the copied bones {lack}", unmatched.len()),
    };
    let names = unmatched.join(", ");
    editor.panels.messages.push(Level::Warning, text, names);
}

/// What an action does to keys, which may lie in rows that are not seen.
fn keyed(editor: &Editor, request: &Request) -> Option<String> {
    let Request::Act(action) = request else {
        return None;
    };
    let commands = action.commands(&editor.view());
    let [Command::Keys(command)] = commands.as_slice() else {
        return None;
    };
    let frame = editor.session.frame();
    let count = |keys: &[KeysOf]| counted(keys.iter().map(|of| of.frames.len()).sum(), "key", "keys");
    Some(match command {
        KeyCommand::Set { channels, .. } => {
            let channels = counted(channels.len(), "channel", "channels");
            format!("Keyed {channels} at frame {frame}")
        }
        KeyCommand::Delete { keys } => format!("Cleared {} at frame {frame}", count(keys)),
        KeyCommand::Move { keys, by } => {
            let replacing = match replaced(editor.session.scene(), command) {
                0 => String::new(),
                some => format!(", in place of {}", counted(some, "key", "keys")),
            };
            format!("Moved {} to frame {}{replacing}", count(keys), frame + by)
        }
        _ => return None,
    })
}

/// A thing that a request deletes as a whole, and how many things there were before.
fn deleted(editor: &Editor, request: &Request) -> Option<(Thing, usize)> {
    let commands = match request {
        Request::Act(action @ (Action::Delete | Action::DeleteWithData)) => action.commands(&editor.view()),
        Request::Apply(commands) => commands.clone(),
        _ => return None,
    };
    let thing = commands.into_iter().find_map(|command| match command {
        Command::Delete { thing, .. } => Some(thing),
        _ => None,
    });
    Some((thing?, editor.session.scene().names().len()))
}

/// A whole character may be gone: say so, and how to get it back.
fn say_deleted(editor: &mut Editor, deleted: Option<(Thing, usize)>) {
    let Some((thing, before)) = deleted else { return };
    let with = match before.saturating_sub(editor.session.scene().names().len()) {
        0 | 1 => String::new(),
        2 => " and one thing that it alone used".to_owned(),
        n => format!(" and {} things that it alone used", n - 1),
    };
    let text = format!("{}{with} deleted. Undo brings it back", thing.name);
    editor.panels.messages.push(Level::Info, text, String::new());
}

/// What is not about the document and the switches: files, camera, dialogs.
fn outside(editor: &mut Editor, request: Request, waker: &Waker) {
    match request {
        Request::OpenPath(path) => editor.leave_document(Then::OpenPath(path), waker),
        Request::SavePath(path) => editor.save_to(path, waker),
        Request::ImportPath(path) => editor.import_path(&path),
        Request::AppendPath(path) => editor.append_path(&path),
        Request::ExportPath(path) => editor.export_path(path),
        Request::SaveChanges(answer) => editor.answer_save_changes(answer, waker),
        Request::Act(Action::New) => editor.leave_document(Then::New, waker),
        Request::Act(Action::OpenHuman) => editor.leave_document(Then::OpenHuman, waker),
        Request::Act(Action::Open) => editor.leave_document(Then::OpenDialog, waker),
        Request::Act(Action::Save) => editor.save(waker),
        Request::Act(Action::SaveAs) => editor.save_as(waker),
        Request::Act(Action::NewBone) => editor.new_bone(),
        Request::Act(Action::Import) => editor.ask_mesh(FileMode::Import, waker),
        Request::Act(Action::Append) => editor.ask_mesh(FileMode::Append, waker),
        Request::Act(Action::Export) => editor.ask_mesh(FileMode::Export, waker),
        Request::Act(Action::Quit) => editor.leave_document(Then::Quit, waker),
        Request::Act(action) => {
            if !editor.panels.act(action) {
                editor.look(action);
            }
        }
        Request::CancelCalculation => editor.cancel_work(),
        Request::Bake(what) => editor.bake_in_background(what, waker),
        Request::Select(_)
        | Request::Apply(_)
        | Request::Preview(_)
        | Request::Commit
        | Request::Cancel
        | Request::SetFrame(_)
        | Request::Repeat(_)
        | Request::Speed(_)
        | Request::Solve(_)
        | Request::WeighBy(_)
        | Request::RefineNumbers(_) => {}
    }
}

/// The Rig tab works on a skinned mesh: with none chosen, it takes the first. The character stays in view
/// though the Rig tab shows it in mesh space and the Animate tab in the world.
fn tab_changed(editor: &mut Editor, old_world_from_mesh: Mat4) {
    editor.session.commit();
    let needed = match editor.settings.tab {
        Tab::Rig => editor.session.selection().mesh.is_none(),
        Tab::Animate => false,
    };
    if needed && let Some(mesh) = editor.session.scene().skinned_meshes.keys().next().cloned() {
        let selection = Selection::of_mesh(editor.session.scene(), &mesh);
        editor.session.select(selection);
    }
    let new_from_old = editor.world_from_mesh() * old_world_from_mesh.inverse();
    editor.viewport.change_space(new_from_old);
}
