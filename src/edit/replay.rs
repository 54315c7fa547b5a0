//! Carries steps out that were written down: lines of scripts and of journals.

use super::command::CommandError;
use super::near::near;
use super::plain::plain;
use super::session::Session;
use super::step::Step;
use crate::rig::skeleton::Skeleton;
use crate::scene::Scene;
use serde_json::Value;
use std::path::PathBuf;

/// Why a step cannot be carried out. What its line says was not done.
#[derive(Debug, thiserror::Error)]
pub enum ReplayError {
    #[error("{}; docs/script.md shows every step and command", in_line(.0))]
    Json(#[from] serde_json::Error),
    #[error(transparent)]
    Command(#[from] CommandError),
    /// Names a mesh beside the name of a bone or handle.
    #[error("there is no skinned mesh called “{name}”, as the member mesh says; {near}")]
    NoMesh { name: String, near: String },
    #[error("“{mesh}” has no {what} called “{name}”, as the member {member} says; {near}")]
    NoName {
        mesh: String,
        what: &'static str,
        member: String,
        name: String,
        near: String,
    },
    #[error("several parts of “{mesh}” are called “{name}”: {places}; give one of these numbers instead")]
    Ambiguous {
        mesh: String,
        name: String,
        places: String,
    },
    #[error("there is nothing to {0}; take this line out")]
    Nothing(&'static str),
    #[error("a frame must be a finite number")]
    Frame,
}

/// Its only line is that of the script which it is told with.
fn in_line(error: &serde_json::Error) -> String {
    plain(error).replace(" at line 1 column ", " at column ")
}

/// Reads a line of a script. Bones and handles may be given by their names in `scene`, as the line finds it.
///
/// # Errors
/// If it is no step, or names what the scene does not hold.
pub fn parse(line: &str, scene: &Scene) -> Result<Step, ReplayError> {
    let Ok(step) = serde_json::from_str(line) else {
        let mut value = serde_json::from_str(line)?;
        exchange(&mut value, None, &mut |mesh, member, value| {
            let Some(name) = value.as_str() else {
                return Ok(());
            };
            let skinned = scene
                .skinned_meshes
                .get(mesh)
                .ok_or_else(|| ReplayError::NoMesh {
                    name: mesh.to_owned(),
                    near: near(mesh, scene.skinned_meshes.keys()),
                })?;
            *value = place_of(mesh, &skinned.skeleton, member, name)?.into();
            Ok(())
        })?;
        return Ok(serde_json::from_value(value)?);
    };
    Ok(step)
}

/// A step as a line of a script, with names for the bones and handles that have one of their own in `scene`.
///
/// # Errors
/// If it holds what no line can: a mesh that cannot be written.
pub fn line(step: &Step, scene: &Scene) -> Result<String, ReplayError> {
    // Through text, in which numbers are as short as they can be.
    let mut value = serde_json::from_str(&serde_json::to_string(step)?)?;
    exchange(&mut value, None, &mut |mesh, member, value| {
        let skeleton = scene.skinned_meshes.get(mesh).map(|skinned| &*skinned.skeleton);
        if let (Some(at), Some(skeleton)) = (value.as_u64(), skeleton)
            && let Some(name) = names(skeleton, kind(member)).get(at as usize)
            && place_of(mesh, skeleton, member, name).is_ok()
        {
            *value = name.as_str().into();
        }
        Ok(())
    })?;
    Ok(serde_json::to_string(&value)?)
}

/// Calls `change` for each member that says a bone or a handle of a mesh: with the mesh, its name, and what it says.
fn exchange(
    value: &mut Value,
    mesh: Option<&str>,
    change: &mut dyn FnMut(&str, &str, &mut Value) -> Result<(), ReplayError>,
) -> Result<(), ReplayError> {
    match value {
        Value::Array(all) => all.iter_mut().try_for_each(|one| exchange(one, mesh, change)),
        Value::Object(members) => {
            let own = members.get("mesh").and_then(Value::as_str).map(str::to_owned);
            let mesh = own.as_deref().or(mesh);
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
                                other => exchange(other, Some(mesh), change)?,
                            }
                        }
                    }
                    (_, mesh, value) => exchange(value, mesh, change)?,
                }
            }
            Ok(())
        }
        _ => Ok(()),
    }
}

/// What a member says.
fn kind(member: &str) -> &'static str {
    match member {
        "handle" | "pole" => "handle",
        _ => "bone",
    }
}

fn names(skeleton: &Skeleton, what: &str) -> Vec<String> {
    match what {
        "handle" => skeleton.handle_names(),
        _ => (0..skeleton.bones.len())
            .map(|bone| skeleton.bone_name(bone))
            .collect(),
    }
}

fn place_of(mesh: &str, skeleton: &Skeleton, member: &str, name: &str) -> Result<usize, ReplayError> {
    let what = kind(member);
    let names = names(skeleton, what);
    let places = names.iter().enumerate().filter(|(_, of)| *of == name);
    let (mesh, name) = (mesh.to_owned(), name.to_owned());
    match places.map(|(at, _)| at).collect::<Vec<_>>()[..] {
        [place] => Ok(place),
        [] => Err(ReplayError::NoName {
            near: near(&name, &names),
            member: member.to_owned(),
            mesh,
            what,
            name,
        }),
        ref places => {
            let places = places.iter().map(usize::to_string).collect::<Vec<_>>().join(", ");
            Err(ReplayError::Ambiguous { mesh, name, places })
        }
    }
}

impl Step {
    /// Does to a session what the step says. Files are not touched.
    ///
    /// # Errors
    /// If it cannot be done; of `Undo` and `Redo` a part may be done then.
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

/// A script carried out: the session after it.
///
/// # Errors
/// The number of the first line that cannot be carried out, from 1, and why.
///
/// # Examples
/// ```
/// use ossature::edit::{replay, session::Session};
/// use ossature::io::js3d;
///
/// let (scene, _) = js3d::read(&std::fs::read("media/js3d/A4-human.js3d")?)?;
/// let script = r#"{"do":[{"command":"set_radius","mesh":"Human_skinned_mesh","bone":0,"radius":0.25}]}"#;
/// let session = replay::run(script, Session::new(scene, None)).map_err(|(line, error)| format!("{line}: {error}"))?;
/// assert_eq!(session.scene().skinned_meshes["Human_skinned_mesh"].skeleton.bones[0].radius, 0.25);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn run(script: &str, mut session: Session) -> Result<Session, (usize, ReplayError)> {
    for (at, text) in script.lines().enumerate() {
        let text = text.trim();
        if !text.is_empty() && !text.starts_with("//") {
            let step = parse(text, session.animated_before()).and_then(|step| step.carry_out(&mut session));
            step.map_err(|error| (at + 1, error))?;
        }
    }
    session.commit();
    Ok(session)
}

/// Steps as a script for `scene`, as they find it: names where they are clear.
///
/// # Errors
/// If a step cannot be carried out, or not be written: its number, from 0.
pub fn script(steps: &[Step], mut session: Session) -> Result<String, (usize, ReplayError)> {
    let mut text = String::new();
    for (at, step) in steps.iter().enumerate() {
        // A drag starts from what was there before it.
        let written = line(step, session.animated_before()).and_then(|line| {
            step.carry_out(&mut session)?;
            Ok(line)
        });
        text += &written.map_err(|error| (at, error))?;
        text.push('\n');
    }
    Ok(text)
}
