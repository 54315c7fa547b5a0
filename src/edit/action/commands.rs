//! Actions that change the document: their commands for the current selection, or why there are none.

use super::Action;
use super::{surfaces, things};
use crate::edit::command::Command;
use crate::edit::compare;
use crate::edit::selection::Part;
use crate::edit::view::{RefineNumbers, Tab, View};
use crate::rig::kinematics;
use crate::rig::skeleton::Skeleton;
use crate::rig::weights::method::Method;
use crate::rig::weights::refine::Refinement;
use crate::scene::skinned::SkinnedMesh;
use glam::Vec3;

/// The commands of `action`; empty if it changes no document; the reason if it cannot be done.
pub fn of(action: Action, view: &View) -> Result<Vec<Command>, String> {
    match action {
        Action::AddBone => add_bone(view),
        Action::AddIk => add_ik(view),
        Action::Delete => delete(view),
        Action::DeleteWithData => things::delete(view, true),
        Action::Duplicate if view.settings.tab == Tab::Rig => super::bones::duplicate(view),
        Action::Duplicate => things::duplicate(view, false),
        Action::DuplicateLinked => things::duplicate(view, true),
        Action::CalculateWeights => calculate_weights(view),
        Action::CalculateSelectedWeights => calculate_selected(view),
        Action::LimitWeights => refine(view, |n| Refinement::Limit { most: n.most }),
        Action::PruneWeights => refine(view, |n| Refinement::Prune { below: n.below }),
        Action::SmoothWeights => refine(view, |n| Refinement::Smooth {
            factor: n.factor,
            times: n.times,
        }),
        Action::NormalizeWeights => refine(view, |_| Refinement::Normalize),
        Action::ClearWeights => refine(view, |_| Refinement::Clear),
        Action::CopyPose
        | Action::PastePose
        | Action::PasteMirroredPose
        | Action::ResetBonePose
        | Action::ResetPose
        | Action::BakeIk => super::pose::of(action, view),
        Action::MakeSkinned => surfaces::make_skinned(view),
        Action::FlipOrientation => surfaces::flip(view),
        Action::Export => surfaces::chosen(view).map(|_| Vec::new()),
        // Nothing changes before a name has been typed.
        Action::Rename => rename(view).map(|_| Vec::new()),
        Action::FindBone => mesh(view).map(|_| Vec::new()),
        _ => super::bones::of(action, view),
    }
}

/// Name and value of the skinned mesh that is worked on.
pub(super) fn mesh<'a>(view: &View<'a>) -> Result<(String, &'a SkinnedMesh), String> {
    let session = view.session;
    let name = session.selection().mesh.as_ref();
    let found = name.and_then(|name| Some((name.clone(), &**session.seen().skinned_meshes.get(name)?)));
    found.ok_or_else(|| "Select a skinned mesh first.".into())
}

fn bone(view: &View, skeleton: &Skeleton) -> Result<usize, String> {
    let bone = view.session.selection().bone();
    bone.filter(|&b| b < skeleton.bones.len())
        .ok_or_else(|| "Select a bone first.".into())
}

/// All selected bones, in ascending order.
pub(super) fn bones(view: &View, skeleton: &Skeleton) -> Result<Vec<usize>, String> {
    let mut bones = view.session.selection().bones();
    bones.retain(|&b| b < skeleton.bones.len());
    match bones.is_empty() {
        true => Err("Select a bone first.".into()),
        false => Ok(bones),
    }
}

fn in_rig(view: &View, why: &str) -> Result<(), String> {
    match view.settings.tab {
        Tab::Rig => Ok(()),
        Tab::Animate => Err(why.into()),
    }
}

/// Whether bones can be drawn: they need a skinned mesh, and the Rig tab.
pub fn can_draw_bones(view: &View) -> Result<(), String> {
    mesh(view)?;
    in_rig(view, "Bones are drawn in the Rig tab.")
}

/// Whether a character can be shown twice. What is on can always be switched off.
pub fn can_compare(view: &View) -> Result<(), String> {
    if view.settings.compare.on {
        return Ok(());
    }
    if view.settings.tab == Tab::Rig {
        return Err("Deformations are compared in the Animate tab.".into());
    }
    let compared = compare::compared(view.session, None);
    compared
        .map(|_| ())
        .ok_or_else(|| "There is no visible skinned mesh.".into())
}

fn add_bone(view: &View) -> Result<Vec<Command>, String> {
    let (mesh, skinned) = mesh(view)?;
    in_rig(view, "Bones are added in the Rig tab.")?;
    let parent = bone(view, &skinned.skeleton).ok();
    let (extent, radius) = match parent {
        Some(parent) => continuing(&skinned.skeleton, parent),
        None => first_bone(skinned.surface.positions()),
    };
    Ok(vec![Command::AddBone {
        mesh,
        parent,
        extent,
        radius,
    }])
}

/// Half as long as the parent, in its direction, of its radius. Upwards where the parent has no length.
fn continuing(skeleton: &Skeleton, parent: usize) -> (Vec3, f32) {
    let parent = &skeleton.bones[parent];
    let half = parent.extent * 0.5;
    if half == Vec3::ZERO {
        let length = if parent.radius > 0.0 { parent.radius } else { 1.0 };
        return (Vec3::Y * length, parent.radius);
    }
    (half, parent.radius)
}

/// A quarter as long as the mesh is large, upwards; a unit bone where there is no mesh to measure.
fn first_bone(positions: &[Vec3]) -> (Vec3, f32) {
    let low = positions.iter().copied().fold(Vec3::INFINITY, Vec3::min);
    let high = positions.iter().copied().fold(Vec3::NEG_INFINITY, Vec3::max);
    let size = (high - low).max_element();
    let length = if size.is_finite() && size > 0.0 {
        size / 4.0
    } else {
        1.0
    };
    (Vec3::Y * length, length / 4.0)
}

fn add_ik(view: &View) -> Result<Vec<Command>, String> {
    let (mesh, skinned) = mesh(view)?;
    let bones = bones(view, &skinned.skeleton)?;
    let first = skinned.skeleton.handles.len();
    let add = bones.iter().map(|&bone| Command::AddHandle {
        mesh: mesh.clone(),
        bone,
    });
    let mut commands: Vec<Command> = add.collect();
    // Where a pose is seen, the handles hold the tips where they are.
    let posed = view.evaluated.skinned.get(&mesh);
    if let Some(posed) = posed.filter(|_| view.settings.tab == Tab::Animate) {
        let tips = kinematics::tips(&posed.skeleton, &posed.current);
        for (handle, tip) in (first..).zip(bones.iter().map(|&bone| tips.get(bone))) {
            let (mesh, target) = (mesh.clone(), tip.map(|tip| tip.as_vec3()));
            commands.extend(target.map(|target| Command::SetHandleTarget {
                mesh: mesh.clone(),
                handle,
                target,
            }));
            commands.push(Command::SetHandleEnabled {
                mesh,
                handle,
                enabled: true,
            });
        }
    }
    Ok(commands)
}

/// Handles before bones and high indices before low ones, so that none shifts before its turn.
fn delete(view: &View) -> Result<Vec<Command>, String> {
    let nothing = "Select a bone or a handle first.";
    let selection = view.session.selection();
    if selection.part.is_none() && view.settings.tab == Tab::Animate {
        return things::delete(view, false);
    }
    let active = selection.part.ok_or(nothing)?;
    let (mesh, skinned) = mesh(view)?;
    let mut commands = Vec::new();
    for handle in 0..skinned.skeleton.handles.len() {
        if selection.is_selected(Part::Handle(handle)) {
            let mesh = mesh.clone();
            commands.insert(0, Command::DeleteHandle { mesh, handle });
        }
    }
    for bone in bones(view, &skinned.skeleton)
        .unwrap_or_default()
        .into_iter()
        .rev()
    {
        in_rig(view, "Bones are deleted in the Rig tab.")?;
        let mesh = mesh.clone();
        commands.push(Command::DeleteBone { mesh, bone });
    }
    match commands.is_empty() {
        true if active == Part::Base => Err("The base point cannot be deleted.".into()),
        true => Err(nothing.into()),
        false => Ok(commands),
    }
}

fn rename(view: &View) -> Result<(), String> {
    if let Some(part) = view.session.selection().part {
        let (_, skinned) = mesh(view)?;
        return match part {
            Part::Handle(_) => Ok(()),
            _ => bone(view, &skinned.skeleton).map(|_| ()),
        };
    }
    things::renamed(view).map(|_| ())
}

fn calculate_weights(view: &View) -> Result<Vec<Command>, String> {
    let (mesh, skinned) = mesh(view)?;
    if skinned.skeleton.bones.is_empty() {
        return Err("Add a bone first: this mesh has none.".into());
    }
    let method = method(skinned)?;
    Ok(vec![Command::CalculateWeights { mesh, method }])
}

fn calculate_selected(view: &View) -> Result<Vec<Command>, String> {
    let (mesh, skinned) = mesh(view)?;
    let count = skinned.skeleton.bones.len();
    let bones: Vec<usize> = view.session.selection().bones();
    if bones.is_empty() || bones.iter().any(|&bone| bone >= count) {
        return Err("Select a bone first.".into());
    }
    let method = method(skinned)?;
    Ok(vec![Command::CalculateBoneWeights { mesh, bones, method }])
}

/// The method that belongs to the mesh, if it is one for its skeleton.
fn method(skinned: &SkinnedMesh) -> Result<Method, String> {
    let method = skinned.weight_method;
    match (method.descriptor().needs)(&skinned.skeleton) {
        Ok(()) => Ok(method),
        Err(error) => Err(format!("{} Choose another method.", error.sentence())),
    }
}

/// Of the selected vertices, or of all where none is selected.
fn refine(view: &View, how: impl Fn(&RefineNumbers) -> Refinement) -> Result<Vec<Command>, String> {
    let (mesh, skinned) = mesh(view)?;
    if skinned.weights.weights.is_empty() {
        return Err("There are no weights yet.".into());
    }
    let vertices = &view.session.selection().vertices;
    Ok(vec![Command::RefineWeights {
        mesh,
        vertices: (!vertices.is_empty()).then(|| vertices.to_vec()),
        how: how(&view.settings.refine),
    }])
}
