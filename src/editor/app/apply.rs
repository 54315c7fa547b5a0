//! Carries out what panels, keys and tools asked for: the only system that changes the document.

use crate::edit::action::Action;
use crate::edit::request::Request;
use crate::edit::selection::Selection;
use crate::edit::view::Tab;
use crate::editor::Editor;
use crate::editor::app::files::Then;
use crate::editor::app::notifications::News;
use crate::editor::app::wake::Waker;
use crate::editor::panels::file_dialog::FileMode;
use crate::editor::panels::messages::Level;
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
        editor.end_rendering();
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
    let (tab, world_from_mesh) = (editor.settings.tab, editor.world_from_mesh());
    let news = News::of(editor, &request);
    let what = match &request {
        Request::Act(action) => action.info().text.trim_end_matches('…').to_owned(),
        Request::Apply(commands) if !commands.is_empty() => commands[0].label(editor.session.scene()),
        _ => "The change".to_owned(),
    };
    let Editor {
        session,
        settings,
        evaluated,
        ..
    } = editor;
    match request.carry_out(session, settings, evaluated) {
        Ok(true) => news.say(editor, &request),
        Ok(false) => outside(editor, request, waker),
        Err(error) => {
            editor
                .panels
                .messages
                .push(Level::Warning, format!("{what}: not possible"), error.to_string())
        }
    }
    if editor.settings.tab != tab {
        tab_changed(editor, world_from_mesh);
    }
}

/// What is not about the document and the switches: files, camera, dialogs.
fn outside(editor: &mut Editor, request: Request, waker: &Waker) {
    match request {
        Request::OpenPath(path) => editor.leave_document(Then::OpenPath(path), waker),
        Request::SavePath(path) => editor.save_to(&path, waker),
        Request::ImportPath(path) => editor.import_path(&path),
        Request::AppendPath(path) => editor.append_path(&path),
        Request::ExportPath(path) => editor.export_path(&path),
        Request::SaveChanges(answer) => editor.answer_save_changes(answer, waker),
        Request::Overwrite(answer) => editor.answer_overwrite(answer, waker),
        Request::SaveUnkeyed(answer) => editor.answer_save_unkeyed(answer, waker),
        Request::Act(Action::New) => editor.leave_document(Then::New, waker),
        Request::Act(Action::Open) => editor.leave_document(Then::OpenDialog, waker),
        Request::Act(Action::Save) => editor.save(waker),
        Request::Act(Action::SaveAs) => editor.save_as(waker),
        Request::Act(Action::Import) => editor.ask_mesh(FileMode::Import, waker),
        Request::Act(Action::Append) => editor.ask_mesh(FileMode::Append, waker),
        Request::Act(Action::Export) => editor.ask_mesh(FileMode::Export, waker),
        Request::Act(Action::Quit) => editor.leave_document(Then::Quit, waker),
        Request::Act(action) => {
            if let Some(example) = action.example() {
                editor.leave_document(Then::OpenExample(example), waker);
            } else if !editor.choose_tool(action) && !editor.create(action) && !editor.panels.act(action) {
                editor.look(action);
            }
        }
        Request::CancelCalculation => editor.cancel_work(),
        Request::Bake(what) => editor.bake_in_background(what, waker),
        Request::Render { settings, replace } => editor.render(*settings, replace, waker),
        Request::CancelRender => editor.stop_rendering(),
        Request::AskRenderOutput { format, start } => {
            editor
                .files
                .ask(FileMode::Render(format), start, waker, &mut editor.panels)
        }
        Request::RenderTo(path) => editor.panels.render.output = path.display().to_string(),
        Request::Select(_)
        | Request::Apply(_)
        | Request::Preview(_)
        | Request::Commit
        | Request::Cancel
        | Request::SetFrame(_)
        | Request::Repeat(_)
        | Request::Speed(_)
        | Request::Solve(_)
        | Request::Compare(_)
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
