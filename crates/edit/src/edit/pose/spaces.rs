//! The spaces that a handle may be in, and moving it to another one: its goals stay where they are seen, at this frame and
//! at all of its keys.

use crate::edit::command::Command;
use crate::edit::command::spaces::change;
use crate::edit::settings::view::{Tab, View};
use crate::rig::kinematics::with_descendants;
use crate::scene::Scene;
use crate::scene::solve::Posing;
use crate::scene::spaces::{Space, check, find_instance};

/// Returns the spaces that a handle of a mesh may be in: that of the mesh, then those of its bones, except links, the bone
/// that the handle pulls, and those below it, which follow it; then those of instances, each followed by its bones.
pub fn possible_spaces(scene: &Scene, mesh: &str, handle: usize) -> Vec<Space> {
    let Some(skeleton) = scene.skinned_meshes.get(mesh).map(|mesh| &mesh.skeleton) else { return Vec::new() };
    let Some(handle) = skeleton.handles.get(handle) else { return Vec::new() };
    let below = with_descendants(skeleton, &[handle.bone as usize]);
    let ids = skeleton.shown_bones().filter(|&bone| !below[bone]).map(|bone| skeleton.bones[bone].channel_id);
    let mut spaces = vec![Space::default()];
    spaces.extend(ids.map(|id| Space { instance: None, bone: Some(id) }));
    for instance in scene.instances.all() {
        let space = |bone| Space { instance: Some(instance.name.to_owned()), bone };
        let placed = instance.resource.filter(|_| find_instance(scene, instance.name) == Some(instance));
        let carrier = placed.and_then(|mesh| scene.skinned_meshes.get(mesh)).map(|mesh| &mesh.skeleton);
        let bones = carrier
            .into_iter()
            .flat_map(|carrier| carrier.shown_bones().map(|bone| Some(carrier.bones[bone].channel_id)));
        let all = [None].into_iter().chain(bones).map(space);
        spaces.extend(all.filter(|space| check(scene, mesh, space).is_ok()));
    }
    spaces
}

/// Returns the name of a space of a mesh that users see.
pub fn space_name(scene: &Scene, mesh: &str, space: &Space) -> String {
    let instance = space.instance.as_ref().and_then(|name| find_instance(scene, name));
    let mesh = match &space.instance {
        Some(_) => instance.and_then(|instance| instance.resource),
        None => Some(mesh),
    };
    let skeleton = mesh.and_then(|mesh| scene.skinned_meshes.get(mesh)).map(|mesh| &mesh.skeleton);
    let bone = skeleton.and_then(|skeleton| {
        let bone = skeleton.bones.iter().position(|bone| Some(bone.channel_id) == space.bone)?;
        Some(skeleton.bone_name(bone))
    });
    match (&space.instance, bone) {
        (Some(instance), Some(bone)) => format!("{instance}: {bone}"),
        (Some(instance), None) if find_instance(scene, instance).is_some() => instance.clone(),
        (None, Some(bone)) => bone,
        _ => "Mesh".to_owned(),
    }
}

/// Returns the commands that put a handle in a space; none if there is no such handle.
pub fn set_space(view: &View, mesh: &str, handle: usize, to: &Space) -> Vec<Command> {
    let ik = view.ik();
    let posing = Posing { ik: ik.as_ref(), bind: view.settings.tab == Tab::Rig };
    change(view.session.scene(), view.session.animated(), (mesh, handle), to, posing)
}
