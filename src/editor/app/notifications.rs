//! Messages about what was done and may not be seen.

use crate::edit::action::{Action, Prepared};
use crate::edit::command::Command;
use crate::edit::request::Request;
use crate::editor::app::editor::Editor;
use crate::editor::panels::messages::{Level, Offer};
use crate::editor::panels::status::{counted, grouped};
use crate::rig::weights::refine::Refinement;

/// Says what was carried out. `what`: what it is called; `idle`: it took no step of the history.
pub fn notify(editor: &mut Editor, what: &str, prepared: &Prepared, idle: bool) {
    notify_calculated(editor, what, prepared.edits(), idle);
    if !idle {
        notify_deleted(editor, prepared.edits());
    }
    if let Some(note) = prepared.note() {
        let level = match note.is_warning {
            true => Level::Warning,
            false => Level::Info,
        };
        let undo = note.offers_undo.then(|| undo(editor));
        let messages = &mut editor.panels.messages;
        messages.push_with(level, note.text, note.details, undo);
    }
}

/// The step that was just taken can be taken back.
fn undo(editor: &Editor) -> Offer {
    Offer {
        text: "Undo".into(),
        request: Request::Act(Action::UNDO),
        step: editor.session.history().step(),
    }
}

/// What came of calculating and refining weights.
fn notify_calculated(editor: &mut Editor, what: &str, commands: &[Command], idle: bool) {
    match commands {
        [
            Command::CalculateWeights { .. }
            | Command::CalculateBoneWeights { .. }
            | Command::SetCalculatedWeights { .. },
        ] => notify_weights(editor),
        [Command::RefineWeights { how, .. }] => match how {
            Refinement::Smooth { .. } => notify_smoothed(editor),
            Refinement::Clear => {}
            _ if idle => {
                let text = format!("{what}: nothing to do");
                editor.notify(Level::Info, text, "");
            }
            _ => {}
        },
        _ => {}
    }
}

/// Smoothing gives vertices more bones than they were limited to: offers the limit again.
fn notify_smoothed(editor: &mut Editor) {
    let session = &editor.session;
    let name = session.selection().mesh.clone();
    let Some(name) = name.filter(|name| session.scene().skinned_meshes.contains_key(name)) else {
        return;
    };
    let mesh = &session.scene().skinned_meshes[&name];
    let most = editor.settings.refine.most;
    let many = mesh
        .weights
        .rows()
        .filter(|(bones, _)| bones.len() > most)
        .count();
    if many > 0 {
        let more = match many {
            1 => "1 vertex has".to_owned(),
            _ => format!("{} vertices have", grouped(many)),
        };
        let text = format!(
            "Smoothed; {more} more than {} now",
            counted(most, "bone", "bones")
        );
        let vertices = &session.selection().vertices;
        let limit = Command::RefineWeights {
            mesh: name,
            vertices: (!vertices.is_empty()).then(|| vertices.to_vec()),
            how: Refinement::Limit { most },
        };
        let offer = Offer {
            text: format!("Limit to {most}"),
            request: Request::Apply(vec![limit]),
            step: session.history().step(),
        };
        editor
            .panels
            .messages
            .push_with(Level::Info, text, "", Some(offer));
    }
}

fn notify_weights(editor: &mut Editor) {
    let session = &editor.session;
    let mesh = session
        .selection()
        .mesh
        .as_ref()
        .and_then(|mesh| session.scene().skinned_meshes.get(mesh));
    let Some(mesh) = mesh else { return };
    let (all, without) = (mesh.weights.ends.len(), mesh.weights.unweighted_count());
    let text = match without {
        0 => format!(
            "Bone weights calculated; all {} vertices have weights",
            grouped(all)
        ),
        _ => format!(
            "Bone weights calculated; {} of {} vertices are out of reach",
            grouped(without),
            grouped(all)
        ),
    };
    editor.notify(Level::Info, text, String::new());
}

/// A whole character may be gone: say so, and how to get it back.
fn notify_deleted(editor: &mut Editor, commands: &[Command]) {
    let deletes = |command: &Command| matches!(command, Command::Delete { .. });
    let step = editor
        .session
        .history()
        .last()
        .filter(|_| commands.iter().any(deletes));
    let Some([thing, others @ ..]) = step.map(|step| &step.effects.removed[..]) else {
        return;
    };
    let with = match others.len() {
        0 => String::new(),
        1 => " and 1 resource that only it used".to_owned(),
        n => format!(" and {} resources that only it used", grouped(n)),
    };
    let text = format!("{}{with} deleted", thing.name);
    let undo = undo(editor);
    editor
        .panels
        .messages
        .push_with(Level::Info, text, "", Some(undo));
}
