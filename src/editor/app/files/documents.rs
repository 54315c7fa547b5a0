//! New, open, save, quit, and the question about unsaved changes.

use crate::anim::mode::Mode;
use crate::edit::action::{ViewMove, selected_surface};
use crate::edit::command::keys::KeyCommand;
use crate::edit::command::sounds::SoundCommand;
use crate::edit::command::{Command, SceneData};
use crate::edit::fitting::FitRequest;
use crate::edit::request::Request;
use crate::edit::request::{Overwrite, SaveChanges, SaveUnkeyed};
use crate::edit::session::Session;
use crate::edit::settings::view::Tab;
use crate::editor::app::editor::Editor;
use crate::editor::app::files::AfterClose;
use crate::editor::app::files::exporting::{export_path, write_exported};
use crate::editor::app::files::meshes::write_mesh;
use crate::editor::app::files::overwrite::may_write;
use crate::editor::app::files::own_file::OwnFile;
use crate::editor::app::files::poses;
use crate::editor::app::in_place::put_in_place;
use crate::editor::app::jobs::Outcome;
use crate::editor::app::jobs::read_job::{self, Content, Purpose, ReadResult, name_of};
use crate::editor::app::jobs::worker::Progress;
use crate::editor::app::recovery::recovered;
use crate::editor::app::start::open_session;
use crate::editor::panels::dialogs::file_dialog::FileMode;
use crate::editor::panels::messages::{Level, Messages};
use crate::editor::panels::progress::JobKind;
use crate::io::count::counted;
use crate::io::examples::Example;
use crate::io::format::Contents;
use crate::io::formats::format_of;
use crate::io::import::ImportOptions;
use crate::io::motion::clips;
use crate::io::picture_paths::PicturePaths;
use crate::io::report::{Report, Severity};
use crate::io::{durable, js3d, picture_files};
use crate::scene::Scene;
use crate::scene::join::Joined;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Does `then`, after asking about unsaved changes if there are any.
pub fn leave_document(editor: &mut Editor, then: AfterClose) {
    editor.session.cancel();
    if editor.session.is_modified() {
        editor.files.then = Some(then);
        editor.panels.dialogs.save_changes = true;
    } else {
        carry_on(editor, then);
    }
}

pub fn answer_save_changes(editor: &mut Editor, answer: SaveChanges) {
    editor.panels.dialogs.save_changes = false;
    match answer {
        SaveChanges::Cancel => editor.files.then = None,
        SaveChanges::Discard => {
            if let Some(then) = editor.files.then.take() {
                carry_on(editor, then);
            }
        }
        SaveChanges::Save => save(editor),
    }
}

pub fn answer_save_unkeyed(editor: &mut Editor, answer: SaveUnkeyed) {
    editor.panels.dialogs.save_unkeyed = false;
    let path = editor.files.unkeyed.take();
    match answer {
        SaveUnkeyed::Cancel => {
            editor.files.then = None;
            return;
        }
        SaveUnkeyed::Key => {
            let (channels, frame) = (editor.session.unkeyed().iter().collect(), editor.session.frame());
            let command = Command::Keys(KeyCommand::Set { channels, frame, new_mode: Mode::Clamped });
            if let Err(error) = editor.session.apply(&[command]) {
                editor.files.then = None;
                let text = "The scene was not saved";
                editor.notify(Level::Error, text, error.to_string());
                return;
            }
        }
        SaveUnkeyed::Keep => drop(editor.session.dismiss_unkeyed()),
    }
    editor.refresh();
    if let Some(path) = path {
        save_to(editor, &path);
    }
}

/// Opens a file dialog at `start`.
pub fn ask_file(editor: &mut Editor, mode: FileMode, start: PathBuf) {
    let start = editor.folders.start(mode, start);
    editor.files.open_dialog(mode, start, &editor.waker, &mut editor.panels);
}

/// Opens an example scene as a document without a file.
fn open_example(editor: &mut Editor, example: Example) {
    match example.read() {
        Ok((scene, report)) => {
            let session = open_session(scene, None, &mut editor.settings);
            put_in_place(editor, session, None);
            notify_findings(&report, example.text(), &mut editor.panels.messages);
        }
        Err(error) => {
            let summary = format!("{} could not be opened", example.text());
            editor.notify(Level::Error, summary, error.to_string());
        }
    }
}

/// Asks for a file, first in the folder of the document.
pub fn ask_beside_document(editor: &mut Editor, mode: FileMode) {
    let start = editor.session.path().map(Path::to_owned).unwrap_or_default();
    ask_file(editor, mode, start);
}

/// Opens a file after asking about unsaved changes, if it takes the place of the document.
pub fn open_path(editor: &mut Editor, path: PathBuf) {
    match format_of(&path).contents {
        Contents::Mesh => open(editor, path),
        Contents::Document | Contents::Scene(_) => leave_document(editor, AfterClose::OpenPath(path)),
    }
}

/// Opens a scene, or imports a mesh into the open document. A scene of another format becomes a document
/// without a file.
fn open(editor: &mut Editor, path: PathBuf) {
    let purpose = match format_of(&path).contents {
        Contents::Document => Purpose::Open,
        Contents::Scene(_) => Purpose::OpenOther,
        // As dropped: a body without a skeleton.
        Contents::Mesh => Purpose::Drop,
    };
    read(editor, purpose, path);
}

/// Reads a file in the background. If that is quick, the result is put in place at once.
pub fn read(editor: &mut Editor, purpose: Purpose, path: PathBuf) {
    let work = read_job::work(purpose, path, None, &editor.session, &editor.settings);
    begin_reading(editor, work);
}

/// Reads a file again for the import dialog, with other options.
pub fn read_again(editor: &mut Editor, path: PathBuf, options: ImportOptions) {
    let (session, settings) = (&editor.session, &editor.settings);
    let work = read_job::work(Purpose::ImportAgain, path, Some(options), session, settings);
    begin_reading(editor, work);
}

fn begin_reading(editor: &mut Editor, work: impl FnOnce(&Progress) -> ReadResult + Send + 'static) {
    editor.session.settle();
    let Editor { jobs, panels, waker, .. } = editor;
    jobs.begin(JobKind::Read, waker, panels, |progress| Outcome::File(Box::new(work(progress))));
    let patience = jobs.patience;
    if let Some(Outcome::File(read)) = jobs.outcome(patience, panels) {
        arrive(editor, *read);
    }
}

/// Applies the result of reading a file. If that failed, only shows a message with the reason.
pub fn arrive(editor: &mut Editor, read: ReadResult) {
    let (outdated, name) = (read.is_outdated(&editor.session), name_of(&read.path));
    let is_first = editor.session.scene().names().is_empty();
    let is_first = is_first || editor.files.is_untouched_sample(&editor.session);
    if is_first && read.content.is_ok() {
        editor.files.source = Some(read.path.clone());
    }
    let failed = match read.content {
        Ok(Content::Document { .. }) if outdated => {
            "The document changed while the file was being read. Open it again.".to_owned()
        }
        Ok(Content::Document { scene, report, own_file, bare_body, mut shown, caches }) => {
            shown.evaluations += editor.shown.evaluations;
            *editor.shown = *shown;
            let waits = editor.caches.joints.waits;
            *editor.caches = *caches;
            editor.caches.joints.waits = waits;
            let path = own_file.is_some().then(|| read.path.clone());
            let session = open_session(scene, path, &mut editor.settings);
            put_in_place(editor, session, own_file);
            editor.files.source = Some(read.path);
            show_animation(editor);
            notify_findings(&report, &name, &mut editor.panels.messages);
            if let Some(joined) = bare_body {
                notify_joined(editor, &name, &joined);
                editor.requests.push(Request::Fit(FitRequest::Begin));
            }
            return;
        }
        Ok(Content::Mesh(import)) if read.purpose == Purpose::Drop => {
            editor.requests.extend(import.requests());
            return editor.requests.push(Request::Fit(FitRequest::Begin));
        }
        Ok(Content::Mesh(import)) => return editor.panels.import = Some(*import),
        Ok(Content::Offered(import)) => {
            let dropped = read.purpose == Purpose::Drop;
            if let Some((add, joined)) = dropped.then(|| import.bare_body()).flatten() {
                notify_joined(editor, &name, &joined);
                return editor.requests.extend([add, Request::Fit(FitRequest::Begin)]);
            }
            // The dialog may have been closed by now.
            if read.purpose != Purpose::ImportAgain || editor.panels.import_scene.is_some() {
                editor.panels.import_scene = Some(*import);
            }
            return;
        }
        Ok(Content::Clips(scene, report)) => match add_clips(editor, scene, report, &name) {
            Ok(()) => return,
            Err(error) => error,
        },
        Ok(Content::Poses(scene, report)) => match poses::import(editor, &scene, &name) {
            Ok(()) => return notify_findings(&report, &name, &mut editor.panels.messages),
            Err(error) => error,
        },
        Ok(Content::Scene(scene, report)) => match append(editor, scene, &name) {
            Ok(()) => return notify_findings(&report, &name, &mut editor.panels.messages),
            Err(error) => error,
        },
        Err(error) => error.to_string(),
    };
    // If the file cannot be read again, its dialog closes.
    editor.panels.import_scene = None;
    editor.notify_failed(&read.path, read.purpose.past_participle(), failed);
}

/// Says which meshes of a file were joined and left out, if any.
fn notify_joined(editor: &mut Editor, name: &str, joined: &Joined) {
    for text in joined.messages() {
        editor.notify(Level::Info, format!("{name}: {text}"), "");
    }
}

/// Adds everything in another scene to this one.
fn append(editor: &mut Editor, scene: Scene, name: &str) -> Result<(), String> {
    let count = scene.names().len();
    let has_sound = |scene: &Scene| scene.animation.sound.is_some();
    let leaves_sound = has_sound(&scene) && has_sound(editor.session.scene());
    let scene = SceneData(Arc::new(scene));
    let applied = editor.session.apply(&[Command::AppendScene { scene }]);
    applied.map_err(|error| error.to_string())?;
    let text = format!("Appended {} from {name}", counted(count, "item", "items"));
    let details = if leaves_sound { "Its sound was left out: this scene has one." } else { "" };
    editor.notify(Level::Info, text, details);
    editor.move_view(ViewMove::FrameSelected);
    Ok(())
}

/// Adds the animations of another scene to the selected character, and goes to the first of them. `report`: what was found in
/// the file.
fn add_clips(editor: &mut Editor, clips: Scene, mut report: Report, name: &str) -> Result<(), String> {
    let mesh = editor.session.selection().mesh.clone().ok_or("No character is selected now.")?;
    report.findings.extend(clips::report(editor.session.scene(), &mesh, &clips)?.findings);
    let count = clips.animation.takes.list.len();
    let scene = SceneData(Arc::new(clips));
    let applied = editor.session.apply(&[Command::AddClips { mesh, scene }]);
    applied.map_err(|error| error.to_string())?;
    editor.notify(Level::Info, format!("Added {} from {name}", counted(count, "take", "takes")), "");
    let first = editor.session.scene().animation.takes.chosen().map(|take| take.range[0]);
    first.into_iter().for_each(|first| editor.session.set_frame(first as f32));
    notify_findings(&report, name, &mut editor.panels.messages);
    Ok(())
}

/// Adds a scene of another format, or opens it in place of an untouched sample.
pub fn add_imported(editor: &mut Editor, scene: SceneData) {
    let moves = !scene.0.animation.channels.is_empty();
    if editor.files.is_untouched_sample(&editor.session) {
        let session = open_session((*scene.0).clone(), None, &mut editor.settings);
        put_in_place(editor, session, None);
    } else if let Err(error) = editor.session.apply(&[Command::AppendScene { scene }]) {
        return editor.notify(Level::Error, "The file was not imported", error.to_string());
    }
    if moves {
        editor.settings.tab = Tab::Animate;
    }
    editor.move_view(ViewMove::FrameSelected);
}

/// Replaces an untouched sample by an empty scene.
pub fn leave_sample(editor: &mut Editor) {
    if editor.files.is_untouched_sample(&editor.session) {
        put_in_place(editor, Session::new(Scene::default(), None), None);
    }
}

/// Opens the Animate tab if anything is animated.
fn show_animation(editor: &mut Editor) {
    if !editor.session.scene().animation.channels.is_empty() {
        editor.settings.tab = Tab::Animate;
    }
}

/// Shows the findings in a file.
pub fn notify_findings(report: &Report, name: &str, messages: &mut Messages) {
    let Some(worst) = report.findings.iter().map(|finding| finding.severity).max() else {
        return;
    };
    let details: Vec<String> = report.findings.iter().map(ToString::to_string).collect();
    let summary = format!("{name}: {}", counted(details.len(), "finding", "findings"));
    let level = match worst {
        Severity::Note => Level::Info,
        Severity::Warning => Level::Warning,
        Severity::Error => Level::Error,
    };
    messages.push(level, summary, details.join("\n"));
}

fn carry_on(editor: &mut Editor, then: AfterClose) {
    editor.files.source = None;
    match then {
        AfterClose::New => put_in_place(editor, Session::new(Scene::default(), None), None),
        AfterClose::OpenExample(example) => open_example(editor, example),
        AfterClose::OpenPath(path) => open(editor, path),
        AfterClose::Recover(id) => recovered::open(editor, &id),
        AfterClose::Quit => editor.files.quit = true,
    }
}

pub fn save(editor: &mut Editor) {
    match editor.session.path().map(Path::to_owned) {
        Some(path) => save_to(editor, &path),
        None => save_as(editor),
    }
}

pub fn save_as(editor: &mut Editor) {
    let start = editor.session.path().map(Path::to_owned).unwrap_or_default();
    ask_file(editor, FileMode::Save, start);
}

/// Saves, unless a question has to be answered first.
pub fn save_to(editor: &mut Editor, path: &Path) {
    editor.session.settle();
    if !editor.session.unkeyed().is_empty() {
        // When the file is opened again, the keys would replace the unkeyed values.
        editor.files.unkeyed = Some(path.to_path_buf());
        editor.panels.dialogs.save_unkeyed = true;
        return;
    }
    if let Some(path) = may_write(editor, FileMode::Save, path) {
        write_scene(editor, path);
    }
}

/// Writes the embedded images and then the scene. Paths of images and of the sound are adapted to its new folder; as they are
/// part of the document, that is an undo step.
fn save_scene(editor: &mut Editor, path: &Path) -> Result<(durable::SaveReport, OwnFile, Images), String> {
    let scene = editor.session.scene();
    let from = editor.session.path().and_then(Path::parent);
    let PicturePaths { images, sound, files } = PicturePaths::new(scene, from, path, None);
    let mut commands = Vec::from_iter(path_command(scene, sound));
    if commands.is_empty() || !images.is_empty() {
        commands.insert(0, Command::SetImages { images });
    }
    let mut scene = scene.clone();
    for command in &commands {
        command.apply(&mut scene).map_err(|error| error.to_string())?;
    }
    let bytes = js3d::write(&scene).map_err(|error| error.to_string())?;
    picture_files::write(&files)?;
    let saved = durable::save(path, &bytes).map_err(|error| error.to_string())?;
    editor.session.apply(&commands).map_err(|error| error.to_string())?;
    Ok((saved, OwnFile::saved(path, &bytes), files))
}

/// Returns the command that sets the path of the sound, if it changes.
fn path_command(scene: &Scene, path: Option<String>) -> Option<Command> {
    let start = scene.animation.sound.as_ref()?.start;
    path.map(|path| Command::Sound(SoundCommand::Set { path, start }))
}

/// The paths and contents of image files.
type Images = Vec<(PathBuf, Vec<u8>)>;

/// Saves without asking.
pub fn write_scene(editor: &mut Editor, path: PathBuf) {
    let shown = path.display().to_string();
    match save_scene(editor, &path) {
        Ok((saved, own_file, images)) => {
            editor.files.own_file = Some(own_file);
            editor.session.saved_as(path);
            let mut text = format!("Saved {}", editor.session.title());
            if let Some((first, _)) = images.first() {
                let folder = first.parent().unwrap_or(first).display();
                text += &format!(" and {} in {folder}", counted(images.len(), "image", "images"));
            }
            let differences = js3d::differences::differences(editor.session.scene());
            match saved.note() {
                None if !differences.is_empty() => {
                    let found =
                        differences.findings.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n");
                    editor.notify(
                        Level::Info,
                        text + "; Scotty3D shows it differently",
                        format!("{shown}\n{found}"),
                    );
                }
                None => editor.notify(Level::Info, text, shown),
                Some(note) => {
                    let details = format!("{shown}: {note}");
                    editor.notify(Level::Warning, text, details);
                }
            }
            if let Some(then) = editor.files.then.take() {
                carry_on(editor, then);
            }
        }
        Err(error) => {
            editor.files.then = None;
            editor.notify(Level::Error, "The scene was not saved", error);
        }
    }
}

/// Handles the answer to "Replace the file?".
pub fn answer_overwrite(editor: &mut Editor, answer: Overwrite) {
    editor.panels.dialogs.overwrite = None;
    let Some((mode, path)) = editor.files.pending.take() else {
        return;
    };
    match (answer, mode) {
        (Overwrite::Replace, FileMode::Export) => write_mesh(editor, &path),
        (Overwrite::Replace, FileMode::ExportScene) => write_exported(editor, path),
        (Overwrite::Replace, FileMode::ExportPoses) => poses::write(editor, &path),
        (Overwrite::Replace, _) => write_scene(editor, path),
        (Overwrite::SaveElsewhere, _) => save_as(editor),
        (Overwrite::Reload, _) => {
            editor.files.then = None;
            open(editor, path);
        }
        (Overwrite::Cancel, _) => editor.files.then = None,
    }
}

/// Asks for a file to import, append or export, in the folder of the document.
pub fn ask_mesh(editor: &mut Editor, mode: FileMode) {
    let mut start = editor.session.path().map(Path::to_owned).unwrap_or_default();
    if let (true, Ok(mesh)) = (mode.writes(), selected_surface(&editor.view())) {
        start.set_file_name(format!("{}.obj", mesh.name.replace(['/', '\\', ':'], "_")));
    }
    ask_file(editor, mode, start);
}

/// Asks for the file to export the scene to, by default named like the document.
pub fn ask_export(editor: &mut Editor) {
    let start = export_path(&editor.session, &editor.files);
    let start = start.unwrap_or_else(|| PathBuf::from("untitled.glb"));
    ask_file(editor, FileMode::ExportScene, start);
}
