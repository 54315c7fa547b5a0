//! Carries out what panels, keys and tools asked for: the only system that changes the document.

use crate::edit::action::{Action, AppRequest, Prepared};
use crate::edit::command::CommandError;
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
    if request == Request::Act(Action::DESELECT) && editor.panels.close_windows() {
        return;
    }
    let (tab, world_from_mesh) = (editor.settings.tab, editor.world_from_mesh());
    match request {
        Request::Act(action) => act(editor, action, waker),
        Request::Apply(commands) => {
            let what = commands.first().map(|first| first.label(editor.session.scene()));
            let what = what.unwrap_or_else(|| UNNAMED.to_owned());
            let prepared = Prepared::Commands {
                commands,
                frame: None,
                note: None,
            };
            carry_out_prepared(editor, &what, &prepared, waker);
        }
        request => match request.carry_out(&mut editor.session, &mut editor.settings, &editor.evaluated) {
            Ok(true) => {}
            Ok(false) => outside(editor, request, waker),
            Err(error) => notify_failed(editor, UNNAMED, &error),
        },
    }
    if editor.settings.tab != tab {
        tab_changed(editor, world_from_mesh);
    }
}

/// What could not be done where it has no name.
const UNNAMED: &str = "The change";

/// Carries out an action, or says why it cannot be done.
fn act(editor: &mut Editor, action: Action, waker: &Waker) {
    match action.prepare_in(&mut editor.session, &editor.settings, &editor.evaluated) {
        Ok(prepared) if editor.weigh_in_background(prepared.edits(), waker) => {}
        Ok(prepared) => carry_out_prepared(editor, action.name(), &prepared, waker),
        Err(_) if action.quiet => {}
        Err(why) => {
            let text = format!("{}: {why}", action.name());
            editor.panels.messages.push(Level::Info, text, "");
        }
    }
}

/// `what`: what it is called in messages.
fn carry_out_prepared(editor: &mut Editor, what: &str, prepared: &Prepared, waker: &Waker) {
    let news = News::of(editor);
    match prepared.carry_out(&mut editor.session, &mut editor.settings) {
        Ok(None) => news.notify(editor, what, prepared),
        Ok(Some(request)) => app_request(editor, what, request, waker),
        Err(error) => notify_failed(editor, what, &error),
    }
}

fn notify_failed(editor: &mut Editor, what: &str, error: &CommandError) {
    let messages = &mut editor.panels.messages;
    messages.push(Level::Warning, format!("{what}: not possible"), error.to_string());
}

/// What only the application can do for an action: files, cameras, dialogs.
fn app_request(editor: &mut Editor, what: &str, request: &AppRequest, waker: &Waker) {
    match request {
        AppRequest::New => editor.leave_document(Then::New, waker),
        AppRequest::OpenExample(example) => editor.leave_document(Then::OpenExample(*example), waker),
        AppRequest::Open => editor.leave_document(Then::OpenDialog, waker),
        AppRequest::Import => editor.ask_mesh(FileMode::Import, waker),
        AppRequest::Append => editor.ask_mesh(FileMode::Append, waker),
        AppRequest::Export => editor.ask_mesh(FileMode::Export, waker),
        AppRequest::Save => editor.save(waker),
        AppRequest::SaveAs => editor.save_as(waker),
        AppRequest::Quit => editor.leave_document(Then::Quit, waker),
        AppRequest::DrawBones => editor.new_bone(),
        AppRequest::Create(new) => {
            if let Err(why) = editor.create(new) {
                let messages = &mut editor.panels.messages;
                messages.push(Level::Warning, format!("{what}: {why}"), "");
            }
        }
        AppRequest::MoveView(to) => editor.move_view(to.clone()),
        AppRequest::Dialog(dialog) => editor.panels.open(*dialog),
    }
}

/// What else is not about the document and the switches.
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
        Request::Act(_)
        | Request::Select(_)
        | Request::SelectKeys(_)
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
