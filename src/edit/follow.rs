//! Where the selection goes when a command adds, deletes, renames or reorders what it points at.

use super::selection::{Part, Selection};
use crate::rig::skeleton::Skeleton;
use crate::scene::Scene;
use crate::scene::instance::InstanceRef;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The selection after `before` became `after`.
///
/// New bones or handles are selected (the last is active), else a new instance or skinned mesh. Of what is
/// gone, a bone's parent is selected, a handle's bone, the only new name of the same kind (a rename). A
/// selection of something else stays on it though indices shift: bones and handles are told apart by
/// their channel ids.
pub fn follow(before: &Scene, after: &Scene, selection: &Selection) -> Selection {
    let selection = renamed(before, after, selection);
    for (name, mesh) in &after.skinned_meshes {
        let Some(old) = before.skinned_meshes.get(name) else {
            continue;
        };
        let parts = new_parts(&old.skeleton, &mesh.skeleton);
        if parts.is_empty() {
            continue;
        }
        return match selection.mesh.as_ref() == Some(name) {
            true => selection.with_parts(parts),
            false => Selection::of_mesh(after, name).with_parts(parts),
        };
    }
    if let Some(instance) = new_instances(before, after).first()
        && selection.instance.as_ref() != Some(instance)
    {
        return Selection::of_instance(after, instance);
    }
    if let Some(mesh) = only_new(&before.skinned_meshes, &after.skinned_meshes)
        && selection.mesh.as_ref() != Some(mesh)
    {
        return Selection::of_mesh(after, mesh);
    }
    let Some(mesh) = &selection.mesh else {
        return selection.kept_in(after);
    };
    // The mesh may have another name than before.
    let old_name = if before.skinned_meshes.contains_key(mesh) {
        Some(mesh)
    } else {
        only_new(&after.skinned_meshes, &before.skinned_meshes)
    };
    let old = old_name.and_then(|name| before.skinned_meshes.get(name));
    let (Some(old), Some(new)) = (old, after.skinned_meshes.get(mesh)) else {
        return selection.kept_in(after);
    };
    if Arc::ptr_eq(&old.skeleton, &new.skeleton) {
        return selection.kept_in(after);
    }
    let places = Places::of(&new.skeleton);
    let parts: Vec<Part> = selection
        .parts()
        .filter_map(|part| followed(&old.skeleton, &places, part))
        .collect();
    let vertices = selection.vertices.to_vec();
    selection.with_parts(parts).with_vertices(vertices).kept_in(after)
}

/// The selection with new names where what it named is gone and one thing of its kind is new.
fn renamed(before: &Scene, after: &Scene, selection: &Selection) -> Selection {
    let mut selection = selection.clone();
    if let Some(instance) = &selection.instance
        && after.instances.get(instance).is_none()
    {
        let same_kind = |new: &InstanceRef| new.kind == instance.kind;
        let new: Vec<_> = new_instances(before, after)
            .into_iter()
            .filter(same_kind)
            .collect();
        if let [only] = &new[..] {
            selection.instance = Some(only.clone());
        }
    }
    if let Some(thing) = &mut selection.resource
        && !after.holds(thing)
    {
        let old = before.names_of(thing.kind);
        let mut new = after.names_of(thing.kind);
        new.retain(|name| old.binary_search(name).is_err());
        if let [only] = new[..] {
            thing.name = only.to_owned();
        }
    }
    if let Some(mesh) = &selection.mesh
        && !after.skinned_meshes.contains_key(mesh)
        && let Some(new) = only_new(&before.skinned_meshes, &after.skinned_meshes)
    {
        selection.mesh = Some(new.clone());
    }
    selection
}

/// The name that `new` has and `old` has not, if it is one.
fn only_new<'a, T>(old: &BTreeMap<String, T>, new: &'a BTreeMap<String, T>) -> Option<&'a String> {
    let mut names = new.keys().filter(|name| !old.contains_key(*name));
    let first = names.next();
    first.filter(|_| names.next().is_none())
}

fn new_instances(before: &Scene, after: &Scene) -> Vec<InstanceRef> {
    let old = before.instances.all();
    let known: BTreeSet<_> = old.iter().map(|i| (i.kind, i.name)).collect();
    let new = after.instances.all().into_iter();
    new.filter(|i| !known.contains(&(i.kind, i.name)))
        .map(|i| InstanceRef {
            kind: i.kind,
            name: i.name.to_owned(),
        })
        .collect()
}

/// Index of each bone and handle by its channel id, and by which one of several with that id it is.
struct Places {
    bones: BTreeMap<(u32, usize), usize>,
    handles: BTreeMap<(u32, usize), usize>,
}

impl Places {
    fn of(skeleton: &Skeleton) -> Self {
        let index = |keys: Vec<(u32, usize)>| keys.into_iter().enumerate().map(|(i, k)| (k, i)).collect();
        Self {
            bones: index(keys(skeleton.bones.iter().map(|b| b.channel_id))),
            handles: index(keys(skeleton.handles.iter().map(|h| h.channel_id))),
        }
    }
}

fn keys(ids: impl Iterator<Item = u32>) -> Vec<(u32, usize)> {
    let mut times = BTreeMap::<u32, usize>::new();
    let key = |id| {
        let time = times.entry(id).or_default();
        *time += 1;
        (id, *time)
    };
    ids.map(key).collect()
}

/// Bones, else handles, that `old` does not have; the last first, since it is to be the active one.
fn new_parts(old: &Arc<Skeleton>, new: &Arc<Skeleton>) -> Vec<Part> {
    if Arc::ptr_eq(old, new) {
        return Vec::new();
    }
    let skeleton = new;
    let (old, new) = (Places::of(old), Places::of(new));
    let only_new = |old: BTreeMap<(u32, usize), usize>, new: BTreeMap<(u32, usize), usize>| {
        let new = new.into_iter().filter(|(key, _)| !old.contains_key(key));
        let mut places: Vec<usize> = new.map(|(_, place)| place).collect();
        places.sort_unstable_by(|a, b| b.cmp(a));
        places
    };
    let mut bones = only_new(old.bones, new.bones);
    bones.retain(|&bone| !skeleton.bones[bone].link);
    if !bones.is_empty() {
        return bones.into_iter().map(Part::Bone).collect();
    }
    let handles = only_new(old.handles, new.handles);
    handles.into_iter().map(Part::Handle).collect()
}

/// Where `part` of `old` is now; of a bone that is gone the nearest ancestor left, of a handle its bone.
fn followed(old: &Skeleton, now: &Places, part: Part) -> Option<Part> {
    match part {
        Part::Base => Some(Part::Base),
        Part::Bone(bone) => {
            let keys = keys(old.bones.iter().map(|b| b.channel_id));
            let mut at = Some(bone);
            while let Some(bone) = at {
                if let Some(&place) = now.bones.get(keys.get(bone)?) {
                    return Some(Part::Bone(place));
                }
                let parent = old.bones[bone].parent.map(|parent| parent as usize);
                at = parent.filter(|parent| *parent < bone);
            }
            None
        }
        Part::Handle(handle) => {
            let key = *keys(old.handles.iter().map(|h| h.channel_id)).get(handle)?;
            match now.handles.get(&key) {
                Some(&place) => Some(Part::Handle(place)),
                None => followed(old, now, Part::Bone(old.handles[handle].bone as usize)),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edit::command::Command;
    use crate::rig::skeleton::{Bone, Handle};
    use crate::scene::instance::{GeometryInstance, InstanceKind};
    use crate::scene::skinned::SkinnedMesh;

    /// Bones 0 <- 1 <- 2 and 0 <- 3; handles on 1, 2, 1, 3.
    fn scene() -> Scene {
        let bone = |(id, parent)| Bone {
            parent,
            channel_id: id,
            ..Bone::default()
        };
        let handle = |(id, bone)| Handle {
            bone,
            target: glam::Vec3::ZERO,
            enabled: false,
            channel_id: id,
            ..Handle::default()
        };
        let parents = [(0, None), (1, Some(0)), (2, Some(1)), (3, Some(0))];
        let skeleton = Skeleton {
            bones: parents.map(bone).to_vec(),
            handles: [(0, 1), (1, 2), (2, 1), (3, 3)].map(handle).to_vec(),
            ..Skeleton::default()
        };
        let skinned = SkinnedMesh {
            skeleton: Arc::new(skeleton),
            ..SkinnedMesh::default()
        };
        let mut scene = Scene::default();
        scene.skinned_meshes.insert("M".into(), Arc::new(skinned));
        scene
    }

    fn after(command: Command, part: Part) -> Option<Part> {
        let before = scene();
        let mut after = before.clone();
        command.apply(&mut after).unwrap();
        let selection = Selection::of_mesh(&before, "M").with_part(Some(part));
        follow(&before, &after, &selection).part
    }

    #[test]
    fn deleting_a_bone_keeps_the_selection_on_what_it_was_on() {
        let delete = |bone, part| {
            let mesh = "M".into();
            after(Command::DeleteBone { mesh, bone }, part)
        };
        assert_eq!(delete(1, Part::Bone(1)), Some(Part::Bone(0)));
        assert_eq!(delete(0, Part::Bone(0)), None);
        assert_eq!(delete(1, Part::Bone(3)), Some(Part::Bone(2)));
        assert_eq!(delete(2, Part::Bone(1)), Some(Part::Bone(1)));
        assert_eq!(delete(1, Part::Handle(0)), Some(Part::Bone(0)));
        assert_eq!(delete(1, Part::Handle(1)), Some(Part::Handle(0)));
        assert_eq!(delete(1, Part::Handle(3)), Some(Part::Handle(1)));
        assert_eq!(delete(1, Part::Base), Some(Part::Base));
    }

    #[test]
    fn deleting_a_handle_selects_its_bone() {
        let delete = |handle, part| {
            let mesh = "M".into();
            after(Command::DeleteHandle { mesh, handle }, part)
        };
        assert_eq!(delete(1, Part::Handle(1)), Some(Part::Bone(2)));
        assert_eq!(delete(1, Part::Handle(3)), Some(Part::Handle(2)));
        assert_eq!(delete(1, Part::Handle(0)), Some(Part::Handle(0)));
        assert_eq!(delete(1, Part::Bone(2)), Some(Part::Bone(2)));
    }

    #[test]
    fn all_selected_parts_are_followed() {
        let before = scene();
        let mut after = before.clone();
        let mesh = "M".to_owned();
        Command::DeleteBone { mesh, bone: 1 }.apply(&mut after).unwrap();
        let parts = [Part::Bone(3), Part::Bone(2), Part::Bone(1)];
        let selection = Selection::of_mesh(&before, "M").with_parts(parts);
        let followed: Vec<Part> = follow(&before, &after, &selection).parts().collect();
        assert_eq!(followed, [Part::Bone(2), Part::Bone(0), Part::Bone(1)]);
    }

    #[test]
    fn new_names_are_followed_and_new_instances_selected() {
        let mut before = scene();
        let placed = Arc::new(GeometryInstance {
            of: Some("M".into()),
            ..GeometryInstance::default()
        });
        let table = &mut before.instances.skinned_meshes;
        table.insert("A".into(), Arc::clone(&placed));
        let selection = Selection::of_mesh(&before, "M").with_part(Some(Part::Bone(2)));
        let mut after = before.clone();
        let old = after.instances.skinned_meshes.remove("A").unwrap();
        after.instances.skinned_meshes.insert("B".into(), old);
        let followed = follow(&before, &after, &selection);
        assert_eq!(followed.instance.as_ref().unwrap().name, "B");
        assert_eq!(followed.part, Some(Part::Bone(2)));

        let mut more = before.clone();
        more.instances.meshes.insert("C".into(), placed);
        let followed = follow(&before, &more, &selection);
        let instance = followed.instance.unwrap();
        assert_eq!((instance.kind, instance.name.as_str()), (InstanceKind::Mesh, "C"));

        let mut named = before.clone();
        let mesh = named.skinned_meshes.remove("M").unwrap();
        named.skinned_meshes.insert("N".into(), mesh);
        let followed = follow(&before, &named, &selection);
        assert_eq!(
            (followed.mesh.as_deref(), followed.part),
            (Some("N"), Some(Part::Bone(2)))
        );
    }
}
