//! News: what a request did that may not be seen, said in a message.

use crate::edit::action::{Action, pose};
use crate::edit::command::Command;
use crate::edit::command::keys::{KeyCommand, KeysOf, replaced};
use crate::edit::newer_side;
use crate::edit::request::Request;
use crate::editor::app::editor::Editor;
use crate::editor::panels::messages::{Level, Offer};
use crate::editor::panels::status::{counted, grouped};
use crate::rig::edits::mirror::{self, Effect};
use crate::rig::edits::radius::fitted;
use crate::rig::weights::refine::Refinement;
use crate::scene::names::Thing;

/// What is known before a request is carried out.
pub struct News {
    /// Steps in the history.
    steps: usize,
    deleted: Option<(Thing, usize)>,
    keyed: Option<String>,
    pasted: Option<(Action, Vec<String>)>,
    mirrored: Option<Mirrored>,
}

/// Which side mirroring is about to copy, and what becomes of the other.
struct Mirrored {
    level: Level,
    text: String,
}

impl News {
    pub fn of(editor: &Editor, request: &Request) -> Self {
        Self {
            steps: editor.session.history().cursor(),
            deleted: deleted(editor, request),
            keyed: keyed(editor, request),
            pasted: pasted(editor, request),
            mirrored: mirrored(editor, request),
        }
    }

    /// After the request was carried out.
    pub fn say(self, editor: &mut Editor, request: &Request) {
        say_done(editor, request, self.steps);
        say_deleted(editor, self.deleted);
        if let Some(text) = self.keyed {
            editor.notify(Level::Info, text, String::new());
        }
        say_pasted(editor, self.pasted);
        if let Some(Mirrored { level, text }) = self.mirrored {
            let undo = undo(editor);
            editor.panels.messages.push_with(level, text, "", Some(undo));
        }
    }
}

/// Which side mirroring is about to overwrite, and by how much.
fn mirrored(editor: &Editor, request: &Request) -> Option<Mirrored> {
    let Request::Act(action @ (Action::MirrorX | Action::MirrorY | Action::MirrorZ)) = request else {
        return None;
    };
    let commands = action.commands(&editor.view());
    let [Command::MirrorBones { mesh, bones, axis }] = &commands[..] else {
        return None;
    };
    let skeleton = &editor.session.scene().skinned_meshes.get(mesh)?.skeleton;
    let effect = Effect::of(skeleton, bones, *axis);
    let (_, newer) = newer_side::sources(&editor.session, mesh, bones, *axis);
    let mut text = effect.text(*axis);
    let mut level = Level::Info;
    if let Some(newer) = newer.filter(|_| effect.updated > 0) {
        let side = mirror::side_names(*axis)[newer];
        let copied = effect.from[newer] > 0;
        text += &match copied {
            true => format!(". The side changed last is copied: {side}"),
            false => format!(". What was changed last, {side}, was replaced"),
        };
        level = if copied { Level::Info } else { Level::Warning };
    }
    Some(Mirrored { level, text })
}

/// The step that was just taken can be taken back.
fn undo(editor: &Editor) -> Offer {
    Offer {
        text: "Undo".into(),
        request: Request::Act(Action::Undo),
        step: editor.session.history().cursor(),
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
            editor.notify(Level::Info, text, String::new());
        }
        Request::Act(Action::CalculateWeights) => say_weights(editor),
        Request::Act(Action::CalculateSelectedWeights) => say_weights(editor),
        Request::Act(Action::FitRadius) => say_radii(editor),
        Request::Act(Action::SmoothWeights) => say_smoothed(editor),
        Request::Apply(commands) if matches!(commands[..], [Command::SetCalculatedWeights { .. }]) => {
            say_weights(editor)
        }
        Request::Act(action @ (Action::LimitWeights | Action::PruneWeights | Action::NormalizeWeights))
            if idle =>
        {
            let text = format!("{}: nothing needs it", action.info().text);
            editor.notify(Level::Info, text, String::new());
        }
        _ => {}
    }
}

/// Smoothing gives vertices more bones than they were limited to: offers the limit again.
fn say_smoothed(editor: &mut Editor) {
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
            step: session.history().cursor(),
        };
        editor
            .panels
            .messages
            .push_with(Level::Info, text, "", Some(offer));
    }
}

/// How many radii were fitted, and how many bones lie outside of the mesh.
fn say_radii(editor: &mut Editor) {
    let session = &editor.session;
    let selected = session.selection();
    let mesh = selected.mesh.as_ref();
    let Some(mesh) = mesh.and_then(|mesh| session.seen().skinned_meshes.get(mesh)) else {
        return;
    };
    // Fitting depends on no radius: this is what was just done.
    let radii = fitted(&mesh.skeleton, &mesh.surface);
    let mut bones = selected.bones();
    if bones.is_empty() {
        let is_link = |bone: &usize| mesh.skeleton.bones[*bone].link;
        bones = (0..radii.len()).filter(|bone| !is_link(bone)).collect();
    }
    let of: Vec<_> = bones
        .iter()
        .filter_map(|&bone| radii.get(bone).copied())
        .collect();
    let outside = of.iter().filter(|radius| radius.is_none()).count();
    let mut text = format!("Radii of {} fitted", counted(of.len() - outside, "bone", "bones"));
    if outside > 0 {
        text += &format!("; {} outside of the mesh kept", counted(outside, "bone", "bones"));
    }
    let level = if outside > 0 { Level::Warning } else { Level::Info };
    editor.notify(level, text, String::new());
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
    editor.notify(Level::Info, text, String::new());
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
        _ => format!(
            "Pose pasted, but {} of the copied bones {lack}",
            grouped(unmatched.len())
        ),
    };
    let names = unmatched.join(", ");
    editor.notify(Level::Warning, text, names);
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
        n => format!(" and {} things that it alone used", grouped(n - 1)),
    };
    let text = format!("{}{with} deleted", thing.name);
    let undo = undo(editor);
    editor
        .panels
        .messages
        .push_with(Level::Info, text, "", Some(undo));
}
