//! Messages about results that may not be visible.

use crate::edit::action::{Action, Prepared};
use crate::edit::command::Command;
use crate::edit::request::Request;
use crate::editor::app::editor::Editor;
use crate::editor::panels::messages::{Level, Offer};
use crate::editor::panels::status::{counted, grouped};
use crate::rig::weights::refine::Refinement;

/// Shows what was carried out. `name`: the name of the action; `idle`: whether it added no undo step.
pub fn notify(editor: &mut Editor, name: &str, prepared: &Prepared, idle: bool) {
    notify_calculated(editor, name, prepared.edits(), idle);
    if !idle {
        notify_deleted(editor, prepared.edits());
    }
    if let Some(note) = prepared.note() {
        let level = if note.is_warning { Level::Warning } else { Level::Info };
        let undo = note.offers_undo.then(|| undo_offer(editor));
        let messages = &mut editor.panels.messages;
        messages.push_with_offer(level, note.text, note.details, undo);
    }
}

/// Offers to undo the latest step.
fn undo_offer(editor: &Editor) -> Offer {
    Offer { text: "Undo".into(), request: Request::Act(Action::UNDO), step: editor.session.history().step() }
}

/// Shows the result of calculating and refining weights.
fn notify_calculated(editor: &mut Editor, name: &str, commands: &[Command], idle: bool) {
    match commands {
        [
            Command::CalculateWeights { .. }
            | Command::CalculateBoneWeights { .. }
            | Command::SetCalculatedWeights { .. },
        ] => notify_weights(editor, idle),
        [Command::RefineWeights { refinement, .. }] => match refinement {
            Refinement::Smooth { .. } => notify_smoothed(editor),
            Refinement::Clear => {}
            _ if idle => {
                let text = format!("{name}: nothing to do");
                editor.notify(Level::Info, text, "");
            }
            _ => {}
        },
        _ => {}
    }
}

/// Offers to limit the influences again if smoothing gave vertices more bones than the limit.
fn notify_smoothed(editor: &mut Editor) {
    let session = &editor.session;
    let mesh_name = session.selection().mesh.clone();
    let Some(mesh_name) = mesh_name.filter(|name| session.scene().skinned_meshes.contains_key(name)) else {
        return;
    };
    let mesh = &session.scene().skinned_meshes[&mesh_name];
    let most = editor.settings.tools.refine.most;
    let over_limit = mesh.weights.rows().filter(|(bones, _)| bones.len() > most).count();
    if over_limit > 0 {
        let vertices_have = match over_limit {
            1 => "1 vertex has".to_owned(),
            _ => format!("{} vertices have", grouped(over_limit)),
        };
        let text = format!("Smoothed; {vertices_have} more than {} now", counted(most, "bone", "bones"));
        let vertices = &session.selection().vertices;
        let limit = Command::RefineWeights {
            mesh: mesh_name,
            vertices: (!vertices.is_empty()).then(|| vertices.to_vec()),
            refinement: Refinement::Limit { most },
        };
        let offer = Offer {
            text: format!("Limit to {most}"),
            request: Request::Apply(vec![limit]),
            step: session.history().step(),
        };
        editor.panels.messages.push_with_offer(Level::Info, text, "", Some(offer));
    }
}

/// Shows how many vertices have weights. `idle`: whether the weights are the same as before.
fn notify_weights(editor: &mut Editor, idle: bool) {
    let session = &editor.session;
    let mesh = session.selection().mesh.as_ref().and_then(|mesh| session.scene().skinned_meshes.get(mesh));
    let Some(mesh) = mesh else { return };
    let (all, unweighted) = (mesh.weights.ends.len(), mesh.weights.unweighted_count());
    let text = match unweighted {
        _ if idle => "Bone weights calculated; nothing changed".to_owned(),
        0 => format!("Bone weights calculated; all {} vertices have weights", grouped(all)),
        _ => format!(
            "Bone weights calculated; {} of {} vertices have no weights",
            grouped(unweighted),
            grouped(all)
        ),
    };
    editor.notify(Level::Info, text, String::new());
}

/// Shows what was deleted and how to get it back, since it may be a whole character.
fn notify_deleted(editor: &mut Editor, commands: &[Command]) {
    let deletes = |command: &Command| matches!(command, Command::Delete { .. });
    let step = editor.session.history().last().filter(|_| commands.iter().any(deletes));
    let Some([object, others @ ..]) = step.map(|step| &step.effects.removed[..]) else {
        return;
    };
    let with = match others.len() {
        0 => String::new(),
        1 => " and 1 resource that only it used".to_owned(),
        n => format!(" and {} resources that only it used", grouped(n)),
    };
    let text = format!("{}{with} deleted", object.name);
    let undo = undo_offer(editor);
    editor.panels.messages.push_with_offer(Level::Info, text, "", Some(undo));
}
