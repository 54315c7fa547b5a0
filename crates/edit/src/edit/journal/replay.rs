//! Replays recorded steps: lines of scripts and of journals.

use crate::edit::command::CommandError;
use crate::edit::journal::json_error::describe;
use crate::edit::journal::similar_names::suggest;
use crate::edit::session::Session;
use crate::edit::session::step::Step;
use crate::rig::skeleton::Skeleton;
use crate::scene::Scene;
use serde_json::Value;
use std::path::PathBuf;

/// The reason why a step cannot be carried out. The session does not change.
#[derive(Debug, thiserror::Error)]
pub enum ReplayError {
    #[error("{}; docs/script.md shows every step and command", without_line_number(.0))]
    Json(#[from] serde_json::Error),
    #[error(transparent)]
    Command(#[from] CommandError),
    /// The mesh of a named bone or handle does not exist.
    #[error("there is no skinned mesh called “{name}”, as the member mesh says; {suggestion}")]
    NoMesh { name: String, suggestion: String },
    #[error("“{mesh}” has no {kind} called “{name}”, as the member {member} says; {suggestion}")]
    NoName { mesh: String, kind: &'static str, member: String, name: String, suggestion: String },
    #[error("several parts of “{mesh}” are called “{name}”: {indices}; give one of these numbers instead")]
    Ambiguous { mesh: String, name: String, indices: String },
    #[error("there is nothing to {0}; take this line out")]
    Nothing(&'static str),
    #[error("a frame must be a finite number")]
    Frame,
}

/// Returns the message without the line number, which is always 1: the script's line is reported separately.
fn without_line_number(error: &serde_json::Error) -> String {
    describe(error).replace(" at line 1 column ", " at column ")
}

/// Parses a line of a script. Bones and handles may be given by their names in `scene`, the scene before that
/// line.
///
/// # Errors
/// If the line is not a step, or refers to names that do not exist in the scene.
pub fn parse(line: &str, scene: &Scene) -> Result<Step, ReplayError> {
    let Ok(step) = serde_json::from_str(line) else {
        let mut value = serde_json::from_str(line)?;
        for_each_part(&mut value, None, &mut |mesh, member, value| {
            let Some(name) = value.as_str() else {
                return Ok(());
            };
            let skinned = scene.skinned_meshes.get(mesh).ok_or_else(|| ReplayError::NoMesh {
                name: mesh.to_owned(),
                suggestion: suggest(mesh, scene.skinned_meshes.keys()),
            })?;
            *value = index_by_name(mesh, &skinned.skeleton, member, name)?.into();
            Ok(())
        })?;
        return Ok(serde_json::from_value(value)?);
    };
    Ok(step)
}

/// Returns a step as a line of a script, with names for the bones and handles that have unique names in
/// `scene`.
///
/// # Errors
/// If it contains something that a line cannot represent: a mesh that cannot be written.
pub fn line(step: &Step, scene: &Scene) -> Result<String, ReplayError> {
    // Through text, in which numbers are as short as possible.
    let mut value = serde_json::from_str(&serde_json::to_string(step)?)?;
    for_each_part(&mut value, None, &mut |mesh, member, value| {
        let skeleton = scene.skinned_meshes.get(mesh).map(|skinned| &*skinned.skeleton);
        if let (Some(index), Some(skeleton)) = (value.as_u64(), skeleton)
            && let Some(name) = names(skeleton, part_kind(member)).get(index as usize)
            && index_by_name(mesh, skeleton, member, name).is_ok()
        {
            *value = name.as_str().into();
        }
        Ok(())
    })?;
    Ok(serde_json::to_string(&value)?)
}

/// Calls `change` for each member that refers to a bone or handle of a mesh, with the name of the mesh, the
/// name of the member, and its value.
fn for_each_part(
    value: &mut Value,
    mesh: Option<&str>,
    change: &mut dyn FnMut(&str, &str, &mut Value) -> Result<(), ReplayError>,
) -> Result<(), ReplayError> {
    match value {
        Value::Array(items) => items.iter_mut().try_for_each(|item| for_each_part(item, mesh, change)),
        Value::Object(members) => {
            let member = members.get("mesh").or_else(|| members.get("of")?.get("name"));
            let member = member.and_then(Value::as_str).map(str::to_owned);
            let mesh = member.as_deref().or(mesh);
            for (key, value) in members {
                match (key.as_str(), mesh, &mut *value) {
                    (
                        "bone" | "parent" | "handle" | "pole",
                        Some(mesh),
                        Value::String(_) | Value::Number(_),
                    ) => change(mesh, key, value)?,
                    ("bones", Some(mesh), Value::Array(bones)) => {
                        for bone in bones {
                            match bone {
                                Value::String(_) | Value::Number(_) => change(mesh, key, bone)?,
                                other => for_each_part(other, Some(mesh), change)?,
                            }
                        }
                    }
                    // Pairs of a bone and its new name.
                    ("names", Some(mesh), Value::Array(pairs)) => {
                        let mut bones = pairs.iter_mut().filter_map(|pair| pair.get_mut(0));
                        bones.try_for_each(|bone| change(mesh, "bone", bone))?;
                    }
                    (_, mesh, value) => for_each_part(value, mesh, change)?,
                }
            }
            Ok(())
        }
        _ => Ok(()),
    }
}

/// Returns the kind of part that a member refers to.
fn part_kind(member: &str) -> &'static str {
    match member {
        "handle" | "pole" => "handle",
        _ => "bone",
    }
}

fn names(skeleton: &Skeleton, kind: &str) -> Vec<String> {
    match kind {
        "handle" => skeleton.handle_names(),
        _ => (0..skeleton.bones.len()).map(|bone| skeleton.bone_name(bone)).collect(),
    }
}

fn index_by_name(mesh: &str, skeleton: &Skeleton, member: &str, name: &str) -> Result<usize, ReplayError> {
    let kind = part_kind(member);
    let names = names(skeleton, kind);
    let indices = names.iter().enumerate().filter(|(_, other)| *other == name);
    let (mesh, name) = (mesh.to_owned(), name.to_owned());
    match indices.map(|(index, _)| index).collect::<Vec<_>>()[..] {
        [index] => Ok(index),
        [] => Err(ReplayError::NoName {
            suggestion: suggest(&name, &names),
            member: member.to_owned(),
            mesh,
            kind,
            name,
        }),
        ref indices => {
            let indices = indices.iter().map(usize::to_string).collect::<Vec<_>>().join(", ");
            Err(ReplayError::Ambiguous { mesh, name, indices })
        }
    }
}

impl Step {
    /// Carries out the step in a session. Files are not touched.
    ///
    /// # Errors
    /// If it cannot be carried out; `Undo` and `Redo` may be done in part.
    pub fn carry_out(&self, session: &mut Session) -> Result<(), ReplayError> {
        match self {
            Step::Do(commands) => session.apply(commands)?,
            Step::Preview(commands) => session.preview(commands)?,
            Step::Commit => drop(session.commit()),
            Step::Cancel => drop(session.cancel()),
            Step::Undo(count) => {
                for _ in 0..*count {
                    session.undo().ok_or(ReplayError::Nothing("undo"))?;
                }
            }
            Step::Redo(count) => {
                for _ in 0..*count {
                    session.redo().ok_or(ReplayError::Nothing("redo"))?;
                }
            }
            Step::Select(selection) => session.select(selection.clone()),
            Step::SelectKeys(keys) => session.select_keys(keys),
            Step::Frame(frame) if frame.is_finite() => session.set_frame(*frame),
            Step::Frame(_) => return Err(ReplayError::Frame),
            Step::AutoKey(on) => session.set_auto_key(*on),
            Step::KeyingSet(set) => session.set_keying_set(*set),
            Step::Symmetric(on) => session.set_symmetric(*on),
            Step::DismissUnkeyed => drop(session.dismiss_unkeyed()),
            Step::Saved(path) => session.saved_as(PathBuf::from(path)),
        }
        Ok(())
    }
}

/// Runs a script and returns the session after it.
///
/// # Errors
/// The number of the first line that cannot be carried out, counted from 1, and the reason.
///
/// # Examples
///  ```
///  use ossature_document::io::examples::Example;
///  use ossature_edit::edit::{journal::replay, session::Session};
///
///  let (scene, _) = Example::Human.read()?;
///  let script = r#"{"do":[{"command":"set_radius","mesh":"Human_skinned_mesh","bone":0,"radius":0.25}]}"#;
///  let session = replay::run(script, Session::new(scene, None)).map_err(|(line, error)| format!("{line}: {error}"))?;
///  assert_eq!(session.scene().skinned_meshes["Human_skinned_mesh"].skeleton.bones[0].radius, 0.25);
///  # Ok::<(), Box<dyn std::error::Error>>(())
///  ```
pub fn run(script: &str, mut session: Session) -> Result<Session, (usize, ReplayError)> {
    for (index, text) in script.lines().enumerate() {
        let text = text.trim();
        if !text.is_empty() && !text.starts_with("//") {
            let step = parse(text, session.animated_before()).and_then(|step| step.carry_out(&mut session));
            step.map_err(|error| (index + 1, error))?;
        }
    }
    session.commit();
    Ok(session)
}

/// Returns steps as a script for the session before them, with names where they are unambiguous.
///
/// # Errors
/// If a step cannot be carried out or written: its number, counted from 0, and the reason.
pub fn script(steps: &[Step], mut session: Session) -> Result<String, (usize, ReplayError)> {
    let mut text = String::new();
    for (index, step) in steps.iter().enumerate() {
        // A drag starts from the state before it.
        let written = line(step, session.animated_before()).and_then(|line| {
            step.carry_out(&mut session)?;
            Ok(line)
        });
        text += &written.map_err(|error| (index, error))?;
        text.push('\n');
    }
    Ok(text)
}
