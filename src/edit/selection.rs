//! What is selected. One model for viewport, tree and lists.

use super::command::effects::{Effects, PartEffects};
use super::tab::Tab;
pub use crate::rig::skeleton::Part;
use crate::scene::Scene;
use crate::scene::instance::{InstanceKind, InstanceRef};
use crate::scene::names::{Kind, ObjectRef};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::sync::Arc;

/// The selection: an instance of the scene, the skinned mesh that is worked on, and parts of it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Selection {
    /// In the outliner and the Animate tab.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub instance: Option<InstanceRef>,
    /// The skinned mesh that Rig and Animate work on. Selecting an instance of it selects it too.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mesh: Option<String>,
    /// The active part of that skinned mesh, the last that was selected. Panels show it, gizmos work on it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub part: Option<Part>,
    /// Parts selected together with the active one, which is not among them; empty where there is none.
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    pub others: BTreeSet<Part>,
    /// Vertices of that mesh that are picked out, in ascending order.
    #[serde(with = "super::shared", skip_serializing_if = "is_empty")]
    pub vertices: Arc<Vec<u32>>,
    /// A resource that was chosen itself, without any instance of it: a transform, a material.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resource: Option<ObjectRef>,
}

fn is_empty(vertices: &Arc<Vec<u32>>) -> bool {
    vertices.is_empty()
}

impl Selection {
    /// Without what `scene` does not hold (after undo, delete, open), and without links, which nobody sees.
    pub fn kept_in(&self, scene: &Scene) -> Selection {
        let skeleton_of = |name: &String| scene.skinned_meshes.get(name).map(|m| &m.skeleton);
        let mesh = self
            .mesh
            .clone()
            .filter(|name| scene.skinned_meshes.contains_key(name));
        let skeleton = mesh.as_ref().and_then(skeleton_of);
        let holds = |part: &Part| match (*part, skeleton) {
            (_, None) => false,
            (Part::Bone(bone), Some(skeleton)) => skeleton.bones.get(bone).is_some_and(|bone| !bone.link),
            (Part::Handle(handle) | Part::Pole(handle), Some(skeleton)) => handle < skeleton.handles.len(),
            (Part::Base, Some(_)) => true,
        };
        let vertex_count = mesh
            .as_ref()
            .and_then(|name| scene.skinned_meshes.get(name))
            .map_or(0, |m| m.surface.vertex_count());
        let mut vertices = Arc::clone(&self.vertices);
        if vertices.last().is_some_and(|&last| last as usize >= vertex_count) {
            let kept = vertices.iter().copied().filter(|&v| (v as usize) < vertex_count);
            vertices = Arc::new(kept.collect());
        }
        let instance = self.instance.clone().filter(|i| holds_instance(scene, i));
        let has_pole =
            |handle: usize| skeleton.is_some_and(|skeleton| skeleton.handles[handle].pole.is_some());
        // A handle that has no pole any more stands for it.
        let kept = |part| match part {
            Part::Pole(handle) if !has_pole(handle) => Part::Handle(handle),
            part => part,
        };
        let parts: Vec<Part> = self.parts().filter(holds).map(kept).collect();
        let kept = Selection {
            instance,
            mesh,
            resource: self.resource.clone().filter(|thing| scene.holds(thing)),
            ..Selection::default()
        };
        Selection {
            vertices,
            ..kept.with_parts(parts)
        }
    }

    /// After a command that made `scene`, with its effects: on what is new, the last bone or handle, else an instance,
    /// else a skinned mesh. Otherwise on what it was, by its new name and index; of what is gone a bone's parent is
    /// selected, and a handle's bone.
    pub fn after(&self, scene: &Scene, effects: &Effects) -> Selection {
        if let Some(PartEffects { mesh, created, .. }) =
            effects.parts.iter().find(|of| !of.created.is_empty())
        {
            let created = created.iter().copied();
            return match self.mesh.as_ref() == Some(mesh) {
                true => self.with_parts(created),
                false => Selection::of_mesh(scene, mesh).with_parts(created),
            };
        }
        let instances = || effects.created.iter().filter_map(ObjectRef::instance);
        let selected = self.instance.as_ref().map(|instance| &instance.name);
        let again = instances().find(|new| Some(&new.name) == selected);
        if let Some(instance) = again.or_else(|| instances().next()) {
            return Selection::of_instance(scene, &instance);
        }
        if let Some(mesh) = effects.created.iter().find(|new| new.kind == Kind::SkinnedMesh) {
            return Selection::of_mesh(scene, &mesh.name);
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
        if let Some(moved) = effects
            .parts
            .iter()
            .find(|of| Some(&of.mesh) == selection.mesh.as_ref())
        {
            let parts: Vec<Part> = selection
                .parts()
                .filter_map(|part| moved.successor(part))
                .collect();
            selection = selection.with_parts(parts);
        }
        selection.kept_in(scene)
    }

    /// A skinned mesh by name (in the Rig tab), with the first instance of it if there is one.
    pub fn of_mesh(scene: &Scene, mesh: &str) -> Selection {
        if !scene.skinned_meshes.contains_key(mesh) {
            return Selection::default();
        }
        let mut instances = scene.instances.skinned_meshes.iter();
        let first = instances.find(|(_, instance)| instance.of.as_deref() == Some(mesh));
        Selection {
            instance: first.map(|(name, _)| InstanceRef {
                kind: InstanceKind::SkinnedMesh,
                name: name.clone(),
            }),
            mesh: Some(mesh.to_owned()),
            ..Selection::default()
        }
    }

    /// An instance, and its skinned mesh where it is one of a skinned mesh.
    pub fn of_instance(scene: &Scene, instance: &InstanceRef) -> Selection {
        if !holds_instance(scene, instance) {
            return Selection::default();
        }
        let mesh = match instance.kind {
            InstanceKind::SkinnedMesh => {
                let placed = scene.instances.skinned_meshes.get(&instance.name);
                placed.and_then(|placed| placed.of.clone())
            }
            _ => None,
        };
        Selection {
            instance: Some(instance.clone()),
            mesh: mesh.filter(|mesh| scene.skinned_meshes.contains_key(mesh)),
            ..Selection::default()
        }
    }

    /// A resource or an instance. A skinned mesh is worked on too.
    pub fn of_thing(scene: &Scene, thing: &ObjectRef) -> Selection {
        if let Some(instance) = thing.instance() {
            return Self::of_instance(scene, &instance);
        }
        if !scene.holds(thing) {
            return Selection::default();
        }
        Selection {
            mesh: (thing.kind == Kind::SkinnedMesh).then(|| thing.name.clone()),
            resource: Some(thing.clone()),
            ..Selection::default()
        }
    }

    /// The instance or the resource that is selected as a whole; `None` while a part of a skeleton is.
    pub fn thing(&self) -> Option<ObjectRef> {
        match (&self.part, &self.instance, &self.resource) {
            (Some(_), _, _) => None,
            (None, Some(instance), _) => Some(instance.into()),
            (None, None, resource) => resource.clone(),
        }
    }

    /// The same mesh and instance with `part` alone selected.
    pub fn with_part(&self, part: Option<Part>) -> Selection {
        self.with_parts(part)
    }

    /// The same mesh, instance and vertices with `parts` selected; the first is the active one.
    pub fn with_parts(&self, parts: impl IntoIterator<Item = Part>) -> Selection {
        let mut parts = parts.into_iter();
        let part = parts.next();
        let others = parts.filter(|other| Some(*other) != part).collect();
        Selection {
            part,
            others,
            ..self.clone()
        }
    }

    /// The same with `part` selected too and active, or no longer selected if it was active. What Shift and
    /// a click do: a part that was selected but not active becomes the active one.
    pub fn toggled(&self, part: Part) -> Selection {
        if self.part == Some(part) {
            self.with_parts(self.others.iter().rev().copied())
        } else {
            self.with_parts([part].into_iter().chain(self.parts()))
        }
    }

    /// The same mesh and instance with these vertices picked out, in ascending order.
    pub fn with_vertices(&self, vertices: Vec<u32>) -> Selection {
        Selection {
            vertices: Arc::new(vertices),
            ..self.clone()
        }
    }

    /// Selected parts, the active one first.
    pub fn parts(&self) -> impl Iterator<Item = Part> + '_ {
        self.part.into_iter().chain(self.others.iter().copied())
    }

    pub fn is_selected(&self, part: Part) -> bool {
        self.part == Some(part) || self.others.contains(&part)
    }

    /// Selected bones in ascending order.
    pub fn bones(&self) -> Vec<usize> {
        let bone = |part| match part {
            Part::Bone(bone) => Some(bone),
            _ => None,
        };
        let mut bones: Vec<usize> = self.parts().filter_map(bone).collect();
        bones.sort_unstable();
        bones
    }

    /// One level less: no vertices, then from a part to its mesh, from there to nothing. In the Rig tab the mesh
    /// stays, since the tab shows nothing else. For Esc and for clicks on nothing.
    pub fn parent_level(&self, tab: Tab) -> Selection {
        if !self.vertices.is_empty() {
            self.with_vertices(Vec::new())
        } else if self.part.is_some() {
            self.with_part(None)
        } else if tab == Tab::Rig {
            Selection {
                resource: None,
                ..self.with_part(None)
            }
        } else {
            Selection::default()
        }
    }

    /// Nothing at all is selected.
    pub fn is_empty(&self) -> bool {
        *self == Selection::default()
    }

    /// The active bone.
    pub fn bone(&self) -> Option<usize> {
        match self.part {
            Some(Part::Bone(bone)) => Some(bone),
            _ => None,
        }
    }

    /// The active handle, or that of the active pole.
    pub fn handle(&self) -> Option<usize> {
        handle_of(self.part?)
    }

    /// Selected handles and those of selected poles, in ascending order.
    pub fn handles(&self) -> Vec<usize> {
        let handles: BTreeSet<usize> = self.parts().filter_map(handle_of).collect();
        handles.into_iter().collect()
    }
}

fn handle_of(part: Part) -> Option<usize> {
    match part {
        Part::Handle(handle) | Part::Pole(handle) => Some(handle),
        Part::Bone(_) | Part::Base => None,
    }
}

fn holds_instance(scene: &Scene, instance: &InstanceRef) -> bool {
    scene.holds(&ObjectRef::from(instance))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rig::skeleton::{Bone, Skeleton};
    use crate::scene::instance::{CameraInstance, GeometryInstance};
    use crate::scene::skinned::SkinnedMesh;
    use std::sync::Arc;

    fn reference(kind: InstanceKind, name: &str) -> InstanceRef {
        InstanceRef {
            kind,
            name: name.into(),
        }
    }

    /// Skinned mesh `Body` with one bone, placed as `A` and `B`; `Lost` is placed but names no mesh.
    fn scene() -> Scene {
        let skeleton = Arc::new(Skeleton {
            bones: vec![Bone::default()],
            ..Skeleton::default()
        });
        let body = SkinnedMesh {
            skeleton,
            ..SkinnedMesh::default()
        };
        let mut scene = Scene::default();
        scene.skinned_meshes.insert("Body".into(), Arc::new(body));
        for (name, of) in [("A", "Body"), ("B", "Body"), ("Lost", "Nothing")] {
            let placed = GeometryInstance {
                of: Some(of.into()),
                ..GeometryInstance::default()
            };
            scene
                .instances
                .skinned_meshes
                .insert(name.into(), Arc::new(placed));
        }
        scene
            .instances
            .cameras
            .insert("Eye".into(), Arc::new(CameraInstance::default()));
        scene
    }

    #[test]
    fn selecting_a_mesh_and_an_instance_go_together() {
        let scene = scene();
        let a = Selection::of_mesh(&scene, "Body");
        assert_eq!(a.instance, Some(reference(InstanceKind::SkinnedMesh, "A")));
        let b = Selection::of_instance(&scene, &reference(InstanceKind::SkinnedMesh, "B"));
        assert_eq!(b.mesh.as_deref(), Some("Body"));
        let lost = Selection::of_instance(&scene, &reference(InstanceKind::SkinnedMesh, "Lost"));
        assert_eq!((lost.mesh, lost.instance.is_some()), (None, true));
        let eye = Selection::of_instance(&scene, &reference(InstanceKind::Camera, "Eye"));
        assert_eq!((eye.mesh, eye.instance.is_some()), (None, true));
        assert!(Selection::of_instance(&scene, &reference(InstanceKind::Mesh, "Eye")).is_empty());
        assert!(Selection::of_mesh(&scene, "Nothing").is_empty());
    }

    #[test]
    fn what_the_scene_does_not_hold_is_dropped() {
        let scene = scene();
        let body = Selection::of_mesh(&scene, "Body");
        for (part, kept) in [
            (Part::Bone(0), true),
            (Part::Bone(1), false),
            (Part::Handle(0), false),
            (Part::Base, true),
        ] {
            let selection = body.with_part(Some(part));
            assert_eq!(selection.kept_in(&scene).part.is_some(), kept, "{part:?}");
        }
        let all = body.with_part(Some(Part::Base));
        assert!(all.kept_in(&Scene::default()).is_empty());
    }

    #[test]
    fn selected_vertices_stay_while_the_mesh_has_them() {
        let mut scene = scene();
        let cuboid = crate::mesh::primitives::cuboid(glam::Vec3::ONE).unwrap();
        let body = Arc::make_mut(scene.skinned_meshes.get_mut("Body").unwrap());
        body.surface = Arc::new(cuboid);
        let selection = Selection::of_mesh(&scene, "Body").with_vertices(vec![0, 7]);
        assert_eq!(*selection.kept_in(&scene).vertices, [0, 7]);
        let more = selection.with_vertices(vec![0, 7, 8]);
        assert_eq!(*more.kept_in(&scene).vertices, [0, 7]);
    }

    #[test]
    fn outer_goes_from_part_to_mesh_to_nothing() {
        let body = Selection::of_mesh(&scene(), "Body");
        assert_eq!(body.with_part(Some(Part::Base)).parent_level(Tab::Animate), body);
        assert!(body.parent_level(Tab::Animate).is_empty());
        assert_eq!(body.parent_level(Tab::Rig), body);
        // Vertices stay beside bones, and go first.
        let vertices = body.with_vertices(vec![1]).with_part(Some(Part::Bone(0)));
        assert_eq!(*vertices.vertices, [1]);
        assert_eq!(
            vertices.parent_level(Tab::Rig),
            body.with_part(Some(Part::Bone(0)))
        );
    }
}
