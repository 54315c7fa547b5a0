//! The selection: one model for viewport, tree and lists.

use crate::edit::command::effects::{Effects, PartEffects};
use crate::edit::settings::tab::Tab;
pub use crate::rig::skeleton::Part;
use crate::scene::Scene;
use crate::scene::instance::{InstanceKind, InstanceRef};
use crate::scene::names::{Kind, ObjectRef};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::sync::Arc;

/// The selection: an instance of the scene, the active skinned mesh, and parts of it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Selection {
    /// The selected instance, in the outliner and the Animate tab.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub instance: Option<InstanceRef>,
    /// The skinned mesh that the Rig and Animate tabs edit. Selecting an instance of it selects it too.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mesh: Option<String>,
    /// The active part of that skinned mesh, which was selected last. Panels show it, and gizmos edit it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub part: Option<Part>,
    /// Parts selected together with the active one, without the active one itself; empty if there is none.
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    pub others: BTreeSet<Part>,
    /// The selected vertices of that mesh, in ascending order.
    #[serde(with = "crate::edit::session::shared", skip_serializing_if = "is_empty")]
    pub vertices: Arc<Vec<u32>>,
    /// A resource that was selected itself, without an instance: a transform, a material.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resource: Option<ObjectRef>,
}

fn is_empty(vertices: &Arc<Vec<u32>>) -> bool {
    vertices.is_empty()
}

impl Selection {
    /// Returns the selection without anything that is missing in `scene` (after undo, delete or open), and
    /// without links, which are hidden.
    pub fn existing_in(&self, scene: &Scene) -> Selection {
        let skeleton_of = |name: &String| scene.skinned_meshes.get(name).map(|m| &m.skeleton);
        let mesh = self.mesh.clone().filter(|name| scene.skinned_meshes.contains_key(name));
        let skeleton = mesh.as_ref().and_then(skeleton_of);
        let exists = |part: &Part| match (*part, skeleton) {
            (_, None) => false,
            (Part::Bone(bone), Some(skeleton)) => skeleton.bones.get(bone).is_some_and(|bone| !bone.link),
            (Part::Handle(handle) | Part::Pole(handle), Some(skeleton)) => handle < skeleton.handles.len(),
            (Part::Base, Some(_)) => true,
            // Shapes are set in the panel of the character; they are not selected.
            (Part::Shape(_), Some(_)) => false,
        };
        let vertex_count = mesh
            .as_ref()
            .and_then(|name| scene.skinned_meshes.get(name))
            .map_or(0, |m| m.surface.vertex_count());
        let mut vertices = Arc::clone(&self.vertices);
        if vertices.last().is_some_and(|&last| last as usize >= vertex_count) {
            let existing = vertices.iter().copied().filter(|&v| (v as usize) < vertex_count);
            vertices = Arc::new(existing.collect());
        }
        let instance = self.instance.clone().filter(|i| contains_instance(scene, i));
        let has_pole =
            |handle: usize| skeleton.is_some_and(|skeleton| skeleton.handles[handle].pole.is_some());
        // A handle replaces its pole if the pole no longer exists.
        let replace_pole = |part| match part {
            Part::Pole(handle) if !has_pole(handle) => Part::Handle(handle),
            part => part,
        };
        let parts: Vec<Part> = self.parts().filter(exists).map(replace_pole).collect();
        let existing = Selection {
            instance,
            mesh,
            resource: self.resource.clone().filter(|object| scene.contains(object)),
            ..Selection::default()
        };
        Selection { vertices, ..existing.with_parts(parts) }
    }

    /// Returns the selection after a command that made `scene`, with its effects: the last new bone or
    /// handle, or else a new instance, or else a new skinned mesh. Otherwise the old selection, by its new
    /// name and index; a deleted bone is replaced by its parent, and a deleted handle by its bone.
    pub fn after(&self, scene: &Scene, effects: &Effects) -> Selection {
        if let Some(PartEffects { mesh, created, .. }) =
            effects.parts.iter().find(|parts| !parts.created.is_empty())
        {
            let created = created.iter().copied();
            return if self.mesh.as_ref() == Some(mesh) {
                self.with_parts(created)
            } else {
                Selection::from_mesh(scene, mesh).with_parts(created)
            };
        }
        let instances = || effects.created.iter().filter_map(ObjectRef::instance);
        let selected = self.instance.as_ref().map(|instance| &instance.name);
        let recreated = instances().find(|new| Some(&new.name) == selected);
        if let Some(instance) = recreated.or_else(|| instances().next()) {
            return Selection::from_instance(scene, &instance);
        }
        if let Some(mesh) = effects.created.iter().find(|new| new.kind == Kind::SkinnedMesh) {
            return Selection::from_mesh(scene, &mesh.name);
        }
        let mut selection = self.clone();
        for [old, new] in &effects.renamed {
            if selection.instance.as_ref().map(ObjectRef::from).as_ref() == Some(old) {
                selection.instance = new.instance();
            }
            if selection.resource.as_ref() == Some(old) {
                selection.resource = Some(new.clone());
            }
            if old.kind == Kind::SkinnedMesh && selection.mesh.as_ref() == Some(&old.name) {
                selection.mesh = Some(new.name.clone());
            }
        }
        if let Some(moved) = effects.parts.iter().find(|parts| Some(&parts.mesh) == selection.mesh.as_ref()) {
            let parts: Vec<Part> = selection.parts().filter_map(|part| moved.successor(part)).collect();
            selection = selection.with_parts(parts);
        }
        selection.existing_in(scene)
    }

    /// Selects a skinned mesh by name (in the Rig tab), with its first instance if there is one.
    pub fn from_mesh(scene: &Scene, mesh: &str) -> Selection {
        if !scene.skinned_meshes.contains_key(mesh) {
            return Selection::default();
        }
        let mut instances = scene.instances.skinned_meshes.iter();
        let first = instances.find(|(_, instance)| instance.resource.as_deref() == Some(mesh));
        Selection {
            instance: first
                .map(|(name, _)| InstanceRef { kind: InstanceKind::SkinnedMesh, name: name.clone() }),
            mesh: Some(mesh.to_owned()),
            ..Selection::default()
        }
    }

    /// Selects an instance, and its skinned mesh if it is an instance of one.
    pub fn from_instance(scene: &Scene, instance: &InstanceRef) -> Selection {
        if !contains_instance(scene, instance) {
            return Selection::default();
        }
        let mesh = match instance.kind {
            InstanceKind::SkinnedMesh => {
                let placed = scene.instances.skinned_meshes.get(&instance.name);
                placed.and_then(|placed| placed.resource.clone())
            }
            _ => None,
        };
        Selection {
            instance: Some(instance.clone()),
            mesh: mesh.filter(|mesh| scene.skinned_meshes.contains_key(mesh)),
            ..Selection::default()
        }
    }

    /// Selects a resource or an instance. A skinned mesh also becomes the active one.
    pub fn from_object(scene: &Scene, object: &ObjectRef) -> Selection {
        if let Some(instance) = object.instance() {
            return Self::from_instance(scene, &instance);
        }
        if !scene.contains(object) {
            return Selection::default();
        }
        Selection {
            mesh: (object.kind == Kind::SkinnedMesh).then(|| object.name.clone()),
            resource: Some(object.clone()),
            ..Selection::default()
        }
    }

    /// Returns the instance or the resource that is selected as a whole; `None` while a part of a skeleton is
    /// selected.
    pub fn object(&self) -> Option<ObjectRef> {
        match (&self.part, &self.instance, &self.resource) {
            (Some(_), _, _) => None,
            (None, Some(instance), _) => Some(instance.into()),
            (None, None, resource) => resource.clone(),
        }
    }

    /// Returns the same mesh and instance with only `part` selected.
    pub fn with_part(&self, part: Option<Part>) -> Selection {
        self.with_parts(part)
    }

    /// Returns the same mesh, instance and vertices with `parts` selected; the first is the active one.
    pub fn with_parts(&self, parts: impl IntoIterator<Item = Part>) -> Selection {
        let mut parts = parts.into_iter();
        let part = parts.next();
        let others = parts.filter(|other| Some(*other) != part).collect();
        Selection { part, others, ..self.clone() }
    }

    /// Returns the selection after Shift and a click on `part`: an inactive part becomes the active one, and
    /// the active one is deselected.
    pub fn toggled(&self, part: Part) -> Selection {
        if self.part == Some(part) {
            self.with_parts(self.others.iter().rev().copied())
        } else {
            self.with_parts([part].into_iter().chain(self.parts()))
        }
    }

    /// Returns the same mesh and instance with these vertices selected, in ascending order.
    pub fn with_vertices(&self, vertices: Vec<u32>) -> Selection {
        Selection { vertices: Arc::new(vertices), ..self.clone() }
    }

    /// Returns the selected parts, the active one first.
    pub fn parts(&self) -> impl Iterator<Item = Part> + '_ {
        self.part.into_iter().chain(self.others.iter().copied())
    }

    pub fn is_selected(&self, part: Part) -> bool {
        self.part == Some(part) || self.others.contains(&part)
    }

    /// Returns the selected bones in ascending order.
    pub fn bones(&self) -> Vec<usize> {
        let bone = |part| match part {
            Part::Bone(bone) => Some(bone),
            _ => None,
        };
        let mut bones: Vec<usize> = self.parts().filter_map(bone).collect();
        bones.sort_unstable();
        bones
    }

    /// Returns the selection one level up: without vertices, then from a part to its mesh, then to nothing.
    /// In the Rig tab the mesh stays, since the tab shows nothing else. For Esc and for clicks on empty
    /// space.
    pub fn parent_level(&self, tab: Tab) -> Selection {
        if !self.vertices.is_empty() {
            self.with_vertices(Vec::new())
        } else if self.part.is_some() {
            self.with_part(None)
        } else if tab == Tab::Rig {
            Selection { resource: None, ..self.with_part(None) }
        } else {
            Selection::default()
        }
    }

    /// Whether nothing at all is selected.
    pub fn is_empty(&self) -> bool {
        *self == Selection::default()
    }

    /// Returns the active bone.
    pub fn bone(&self) -> Option<usize> {
        match self.part {
            Some(Part::Bone(bone)) => Some(bone),
            _ => None,
        }
    }

    /// Returns the active handle, or the handle of the active pole.
    pub fn handle(&self) -> Option<usize> {
        handle_of(self.part?)
    }

    /// Returns the selected handles and those of selected poles, in ascending order.
    pub fn handles(&self) -> Vec<usize> {
        let handles: BTreeSet<usize> = self.parts().filter_map(handle_of).collect();
        handles.into_iter().collect()
    }
}

fn handle_of(part: Part) -> Option<usize> {
    match part {
        Part::Handle(handle) | Part::Pole(handle) => Some(handle),
        Part::Bone(_) | Part::Base | Part::Shape(_) => None,
    }
}

fn contains_instance(scene: &Scene, instance: &InstanceRef) -> bool {
    scene.contains(&ObjectRef::from(instance))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rig::skeleton::{Bone, Skeleton};
    use crate::scene::instance::{CameraInstance, GeometryInstance};
    use crate::scene::skinned::SkinnedMesh;
    use std::sync::Arc;

    fn reference(kind: InstanceKind, name: &str) -> InstanceRef {
        InstanceRef { kind, name: name.into() }
    }

    /// Returns a scene with a skinned mesh `Body` with one bone, placed as `A` and `B`; `Lost` is an instance
    /// of a missing mesh.
    fn scene() -> Scene {
        let skeleton = Arc::new(Skeleton { bones: vec![Bone::default()], ..Skeleton::default() });
        let body = SkinnedMesh { skeleton, ..SkinnedMesh::default() };
        let mut scene = Scene::default();
        scene.skinned_meshes.insert("Body".into(), Arc::new(body));
        for (name, mesh) in [("A", "Body"), ("B", "Body"), ("Lost", "Nothing")] {
            let placed = GeometryInstance { resource: Some(mesh.into()), ..GeometryInstance::default() };
            scene.instances.skinned_meshes.insert(name.into(), Arc::new(placed));
        }
        scene.instances.cameras.insert("Eye".into(), Arc::new(CameraInstance::default()));
        scene
    }

    #[test]
    fn selecting_a_mesh_and_an_instance_go_together() {
        let scene = scene();
        let a = Selection::from_mesh(&scene, "Body");
        assert_eq!(a.instance, Some(reference(InstanceKind::SkinnedMesh, "A")));
        let b = Selection::from_instance(&scene, &reference(InstanceKind::SkinnedMesh, "B"));
        assert_eq!(b.mesh.as_deref(), Some("Body"));
        let lost = Selection::from_instance(&scene, &reference(InstanceKind::SkinnedMesh, "Lost"));
        assert_eq!((lost.mesh, lost.instance.is_some()), (None, true));
        let eye = Selection::from_instance(&scene, &reference(InstanceKind::Camera, "Eye"));
        assert_eq!((eye.mesh, eye.instance.is_some()), (None, true));
        assert!(Selection::from_instance(&scene, &reference(InstanceKind::Mesh, "Eye")).is_empty());
        assert!(Selection::from_mesh(&scene, "Nothing").is_empty());
    }

    #[test]
    fn missing_parts_are_dropped() {
        let scene = scene();
        let body = Selection::from_mesh(&scene, "Body");
        for (part, exists) in
            [(Part::Bone(0), true), (Part::Bone(1), false), (Part::Handle(0), false), (Part::Base, true)]
        {
            let selection = body.with_part(Some(part));
            assert_eq!(selection.existing_in(&scene).part.is_some(), exists, "{part:?}");
        }
        let all = body.with_part(Some(Part::Base));
        assert!(all.existing_in(&Scene::default()).is_empty());
    }

    #[test]
    fn selected_vertices_stay_while_the_mesh_has_them() {
        let mut scene = scene();
        let cuboid = crate::mesh::primitives::cuboid(glam::Vec3::ONE).unwrap();
        let body = Arc::make_mut(scene.skinned_meshes.get_mut("Body").unwrap());
        body.surface = Arc::new(cuboid);
        let selection = Selection::from_mesh(&scene, "Body").with_vertices(vec![0, 7]);
        assert_eq!(*selection.existing_in(&scene).vertices, [0, 7]);
        let more = selection.with_vertices(vec![0, 7, 8]);
        assert_eq!(*more.existing_in(&scene).vertices, [0, 7]);
    }

    #[test]
    fn parent_level_goes_from_part_to_mesh_to_nothing() {
        let body = Selection::from_mesh(&scene(), "Body");
        assert_eq!(body.with_part(Some(Part::Base)).parent_level(Tab::Animate), body);
        assert!(body.parent_level(Tab::Animate).is_empty());
        assert_eq!(body.parent_level(Tab::Rig), body);
        // Vertices can be selected together with bones, and are deselected first.
        let vertices = body.with_vertices(vec![1]).with_part(Some(Part::Bone(0)));
        assert_eq!(*vertices.vertices, [1]);
        assert_eq!(vertices.parent_level(Tab::Rig), body.with_part(Some(Part::Bone(0))));
    }
}
