//! Carries out the requests of panels, keys, tools and jobs: the only system that changes the document.

use crate::edit::action::take_over::take_over;
use crate::edit::action::time::change_time;
use crate::edit::action::{Action, AppRequest, Dialog, Prepared, Reason};
use crate::edit::command::CommandError;
use crate::edit::fitting::FitRequest;
use crate::edit::render::RenderSettings;
use crate::edit::request::Request;
use crate::edit::select::selection::Selection;
use crate::edit::session::Session;
use crate::edit::settings::view::{Tab, View};
use crate::editor::app::editor::Editor;
use crate::editor::app::files::AfterClose;
use crate::editor::app::files::creating::create;
use crate::editor::app::files::documents::{
    add_imported, answer_overwrite, answer_save_changes, answer_save_unkeyed, arrive, ask_beside_document,
    ask_export, ask_file, ask_mesh, leave_document, leave_sample, open_path, read, read_again, save, save_as,
    save_to,
};
use crate::editor::app::files::exporting::export_scene;
use crate::editor::app::files::meshes::export_path;
use crate::editor::app::files::poses;
use crate::editor::app::fitting;
use crate::editor::app::jobs::Outcome;
use crate::editor::app::jobs::bake_job;
use crate::editor::app::jobs::read_job::Purpose;
use crate::editor::app::jobs::render_job;
use crate::editor::app::jobs::weight_job;
use crate::editor::app::jobs::worker::Progress;
use crate::editor::app::notifications::notify;
use crate::editor::app::recovery::recovered;
use crate::editor::app::sound::set_sound;
use crate::editor::panels::dialogs::file_dialog::FileMode;
use crate::editor::panels::dialogs::render::RenderProgress;
use crate::editor::panels::messages::Level;
use crate::editor::panels::progress::JobKind;
use crate::editor::render::existing;
use crate::editor::viewport::camera::navigate;
use crate::editor::viewport::tools::choose_tool;
use bevy::prelude::*;
use bevy::window::PrimaryWindow;

pub fn carry_out_requests(
    mut editor: Editor,
    mut window: Query<&mut Window, With<PrimaryWindow>>,
    mut exit: MessageWriter<AppExit>,
) {
    if editor.requests.is_empty() && editor.files.arrived.is_none() && !editor.files.quit {
        return;
    }
    if let Some(read) = editor.files.arrived.take() {
        arrive(&mut editor, *read);
    }
    for request in std::mem::take(&mut **editor.requests) {
        carry_out(&mut editor, request);
    }
    if let Ok(mut window) = window.single_mut() {
        let title = window_title(&editor.session);
        if window.title != title {
            window.title = title;
        }
    }
    editor.redraw.request();
    if editor.files.quit {
        editor.rendering.end();
        let modified = editor.session.is_modified();
        editor.journaling.end(modified);
        editor.journaling.wait();
        exit.write(AppExit::Success);
    }
}

fn carry_out(editor: &mut Editor, request: Request) {
    if request == Request::Act(Action::DESELECT) {
        if editor.panels.close_windows() {
            return;
        }
        if editor.settings.fitting.is_some() {
            return fitting::change(editor, &FitRequest::End);
        }
    }
    let (tab, world_from_mesh) = (editor.settings.tab, editor.world_from_mesh());
    match request {
        Request::Act(action) => act(editor, action),
        Request::Apply(commands) => {
            let name = commands.first().map(|first| first.label(editor.session.scene()));
            let name = name.unwrap_or_else(|| UNNAMED.to_owned());
            let prepared = Prepared::Commands { commands, frame: None, select: None, note: None };
            carry_out_prepared(editor, &name, &prepared);
        }
        Request::TakeOver { new, range } => {
            act_with(editor, new.action(), |view| take_over(view, new, range));
        }
        Request::ChangeTime { change, frames } => {
            act_with(editor, change.action(), |view| change_time(view, change, frames));
        }
        request => {
            match request.carry_out(&mut editor.session, &mut editor.settings, &editor.shown.evaluated) {
                Ok(true) => {}
                Ok(false) => carry_out_in_app(editor, request),
                Err(error) => notify_failed(editor, UNNAMED, &error),
            }
        }
    }
    if editor.settings.tab != tab {
        follow_tab(editor, world_from_mesh);
    }
}

/// The name, in messages, of a change without one.
const UNNAMED: &str = "The change";

/// Carries out an action, or shows why it cannot be done.
fn act(editor: &mut Editor, action: Action) {
    match action.prepare_in(&mut editor.session, &editor.settings, &editor.shown.evaluated) {
        Ok(prepared) => match weight_job::work(prepared.edits(), &editor.session, editor.jobs.at_once) {
            Some(work) => begin(editor, JobKind::Weights, |progress| Outcome::Weights(work(progress))),
            None => carry_out_prepared(editor, action.name(), &prepared),
        },
        Err(_) if action.quiet => {}
        Err(why) => {
            let text = format!("{}: {why}", action.name());
            editor.notify(Level::Info, text, "");
        }
    }
}

/// Carries out an action with what a dialog asked for, or shows why it cannot be done.
fn act_with(editor: &mut Editor, action: Action, prepare: impl FnOnce(&View) -> Result<Prepared, Reason>) {
    let shown = &editor.shown.evaluated;
    let view = View { session: &editor.session, settings: &editor.settings, evaluated: shown };
    match prepare(&view) {
        Ok(prepared) => carry_out_prepared(editor, action.name(), &prepared),
        Err(why) => editor.notify(Level::Info, format!("{}: {why}", action.name()), ""),
    }
}

/// Carries out a prepared action. `name`: its name in messages.
fn carry_out_prepared(editor: &mut Editor, name: &str, prepared: &Prepared) {
    let steps = editor.session.history().step();
    match prepared.carry_out(&mut editor.session, &mut editor.settings) {
        Ok(None) => {
            let idle = editor.session.history().step() == steps;
            notify(editor, name, prepared, idle);
        }
        Ok(Some(request)) => carry_out_app_request(editor, name, request),
        Err(error) => notify_failed(editor, name, &error),
    }
}

fn notify_failed(editor: &mut Editor, name: &str, error: &CommandError) {
    editor.notify(Level::Warning, format!("{name}: {error}"), "");
}

/// Carries out the part of an action that needs the application: files, cameras, dialogs.
fn carry_out_app_request(editor: &mut Editor, name: &str, request: &AppRequest) {
    match request {
        AppRequest::New => leave_document(editor, AfterClose::New),
        AppRequest::OpenExample(example) => leave_document(editor, AfterClose::OpenExample(*example)),
        // The file that is chosen asks about unsaved changes.
        AppRequest::Open => ask_beside_document(editor, FileMode::Open),
        AppRequest::Import => ask_mesh(editor, FileMode::Import),
        AppRequest::ImportScene => ask_mesh(editor, FileMode::ImportScene),
        AppRequest::Append => ask_mesh(editor, FileMode::Append),
        AppRequest::Export => ask_mesh(editor, FileMode::Export),
        AppRequest::Fit(change) => fitting::change(editor, change),
        AppRequest::AddClips => ask_file(editor, FileMode::AddClips, Default::default()),
        AppRequest::SetSound => ask_beside_document(editor, FileMode::Sound),
        AppRequest::ImportPoses => ask_file(editor, FileMode::ImportPoses, poses::start(editor)),
        AppRequest::ExportPoses => ask_file(editor, FileMode::ExportPoses, poses::start(editor)),
        AppRequest::Save => save(editor),
        AppRequest::SaveAs => save_as(editor),
        AppRequest::Recover => recovered::list(editor),
        AppRequest::Quit => leave_document(editor, AfterClose::Quit),
        AppRequest::ChooseTool(action) => choose_tool(
            *action,
            &mut editor.viewport,
            &mut editor.session,
            &mut editor.settings,
            &editor.shown,
        ),
        AppRequest::Create(new) => {
            if let Err(why) = create(editor, new) {
                editor.notify(Level::Warning, format!("{name}: {why}"), "");
            }
        }
        AppRequest::MoveView(to) => editor.move_view(to.clone()),
        AppRequest::Dialog(dialog) => {
            // They are about the character with the skeleton that is fitted.
            if matches!(dialog, Dialog::ExportGltf | Dialog::Motions | Dialog::CheckMotion) {
                editor.session.settle();
            }
            editor.panels.open(*dialog);
        }
    }
}

/// Carries out a request that is not only about the document and the view settings.
fn carry_out_in_app(editor: &mut Editor, request: Request) {
    editor.folders.remember(&request);
    match request {
        Request::OpenPath(path) => open_path(editor, path),
        Request::SavePath(path) => save_to(editor, &path),
        Request::ImportPath(path) => read(editor, Purpose::Import, path),
        Request::DropPath(path) => read(editor, Purpose::Drop, path),
        Request::ImportAgain { path, options } => read_again(editor, path, options),
        Request::AddImported(scene) => add_imported(editor, scene),
        Request::LeaveSample => leave_sample(editor),
        Request::AppendPath(path) => read(editor, Purpose::Append, path),
        Request::AddClips(path) => read(editor, Purpose::Clips, path),
        Request::SetSound(path) => set_sound(editor, &path),
        Request::ImportPoses(path) => read(editor, Purpose::Poses, path),
        Request::ExportPoses(path) => poses::export(editor, &path),
        Request::ExportPath(path) => export_path(editor, &path),
        Request::AskExport => ask_export(editor),
        Request::ExportScene(path) => export_scene(editor, &path),
        Request::SaveChanges(answer) => answer_save_changes(editor, answer),
        Request::Overwrite(answer) => answer_overwrite(editor, answer),
        Request::SaveUnkeyed(answer) => answer_save_unkeyed(editor, answer),
        Request::Recover(id) => leave_document(editor, AfterClose::Recover(id)),
        Request::DiscardLost(id) => recovered::discard(editor, &id),
        Request::Navigate(step) => navigate(step, &mut editor.viewport, &mut editor.settings),
        Request::CancelCalculation => editor.jobs.cancel(&mut editor.panels),
        Request::Bake(bake) => {
            editor.session.settle();
            let work = bake_job::work(&editor.session, bake);
            begin(editor, JobKind::Bake, |progress| Outcome::Keys(work(progress)));
        }
        Request::Render { settings, replace } => render(editor, *settings, replace),
        Request::CancelRender => editor.rendering.stop(),
        Request::Fit(change) => fitting::change(editor, &change),
        Request::AskRenderOutput { format, start } => ask_file(editor, FileMode::Render(format), start),
        Request::RenderTo(path) => editor.panels.render.output = path.display().to_string(),
        Request::Act(_)
        | Request::Select(_)
        | Request::SelectKeys(_)
        | Request::Apply(_)
        | Request::ApplyInstead(_)
        | Request::Preview(_)
        | Request::Propose(..)
        | Request::Commit
        | Request::Cancel
        | Request::SetFrame(_)
        | Request::Repeat(_)
        | Request::Speed(_)
        | Request::Solve(_)
        | Request::Onion(_)
        | Request::PreviewPose(_)
        | Request::Compare(_)
        | Request::Options(_)
        | Request::RefineNumbers(_)
        | Request::WeightRange(_)
        | Request::WeightsFrom(_)
        | Request::Spread(_)
        | Request::TakeOver { .. }
        | Request::ChangeTime { .. }
        | Request::Brush(_) => {}
    }
}

/// Starts a background job.
fn begin(editor: &mut Editor, doing: JobKind, work: impl FnOnce(&Progress) -> Outcome + Send + 'static) {
    let Editor { jobs, panels, waker, .. } = editor;
    jobs.begin(doing, waker, panels, work);
}

/// Starts rendering; unless `replace`, asks first if files would be replaced.
fn render(editor: &mut Editor, settings: RenderSettings, replace: bool) {
    editor.session.settle();
    let existing_count = existing(&settings).len();
    if existing_count > 0 && !replace {
        editor.panels.render.replace = Some(existing_count);
        return;
    }
    editor.panels.render.open = false;
    editor.panels.render.progress = Some(RenderProgress::new(settings.frame_count()));
    let job = render_job::job(settings, &editor.session, &editor.settings, editor.viewport.camera);
    editor.rendering.begin(job, editor.waker.clone());
}

/// Returns the title of the window, such as `A4-human.js3d* - Ossature`.
pub fn window_title(session: &Session) -> String {
    let mark = if session.is_modified() { "*" } else { "" };
    format!("{}{mark} - Ossature", session.title())
}

/// Selects the first skinned mesh if the Rig tab has none to work on, and keeps the character in view: the
/// Rig tab shows it in mesh space, the Animate tab in world space.
fn follow_tab(editor: &mut Editor, old_world_from_mesh: Mat4) {
    editor.session.settle();
    let needed = match editor.settings.tab {
        Tab::Rig => editor.session.selection().mesh.is_none(),
        Tab::Animate => false,
    };
    if needed && let Some(mesh) = editor.session.scene().skinned_meshes.keys().next().cloned() {
        let selection = Selection::from_mesh(editor.session.scene(), &mesh);
        editor.session.select(selection);
    }
    let new_from_old = editor.world_from_mesh() * old_world_from_mesh.inverse();
    editor.viewport.change_space(new_from_old);
}
