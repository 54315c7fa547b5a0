//! The reported effects of commands, and the selection after them.

use crate::editing::{bone, effects, examples, handle, scene};
use ossature::edit::command::Command;
use ossature::edit::select::selection::{Part, Selection};
use ossature::edit::session::Session;
use ossature::rig::skeleton::Skeleton;
use ossature::scene::Scene;
use ossature::scene::instance::{GeometryInstance, InstanceKind};
use ossature::scene::names::{Kind, ObjectRef};
use ossature::scene::skinned::SkinnedMesh;
use std::sync::Arc;

/// Applies each command twice; the second time, many have nothing left to do.
#[test]
fn every_command_says_what_it_did() {
    for (command, _) in examples() {
        let mut now = scene();
        for again in [false, true] {
            let before = now.clone();
            match command.apply(&mut now) {
                Ok(done) => effects::check(&command, &before, &now, &done),
                Err(error) => assert!(again, "{command:?}: {error}"),
            }
            assert!(again || now != before, "{command:?}");
        }
    }
}

/// Bones 0 <- 1 <- 2 and 0 <- 3; handles on 1, 2, 1, 3.
fn branching() -> Scene {
    let parents = [(0, None), (1, Some(0)), (2, Some(1)), (3, Some(0))];
    let skeleton = Skeleton {
        bones: parents.map(|(id, parent)| bone(None, parent, [0.0, 1.0, 0.0], id)).to_vec(),
        handles: [(0, 1), (1, 2), (2, 1), (3, 3)].map(|(id, of)| handle(of, [0.0; 3], id)).to_vec(),
        ..Skeleton::default()
    };
    let skinned = SkinnedMesh { skeleton: Arc::new(skeleton), ..SkinnedMesh::default() };
    let mut scene = Scene::default();
    scene.skinned_meshes.insert("M".into(), Arc::new(skinned));
    let placed = Arc::new(GeometryInstance { resource: Some("M".into()), ..GeometryInstance::default() });
    scene.instances.skinned_meshes.insert("A".into(), placed);
    scene
}

/// Returns the selected parts after a command, given the parts selected before.
fn parts_after<const N: usize>(command: Command, parts: [Part; N]) -> Vec<Part> {
    let mut scene = branching();
    let selection = Selection::from_mesh(&scene, "M").with_parts(parts);
    let done = command.apply(&mut scene).unwrap();
    selection.after(&scene, &done).parts().collect()
}

#[test]
fn deleting_a_bone_keeps_the_selection_on_what_it_was_on() {
    let delete = |bone, part| {
        let mesh = "M".into();
        parts_after(Command::DeleteBone { mesh, bone }, [part])
    };
    assert_eq!(delete(1, Part::Bone(1)), [Part::Bone(0)]);
    assert_eq!(delete(0, Part::Bone(0)), []);
    assert_eq!(delete(1, Part::Bone(3)), [Part::Bone(2)]);
    assert_eq!(delete(2, Part::Bone(1)), [Part::Bone(1)]);
    assert_eq!(delete(1, Part::Handle(0)), [Part::Bone(0)]);
    assert_eq!(delete(1, Part::Handle(1)), [Part::Handle(0)]);
    assert_eq!(delete(1, Part::Handle(3)), [Part::Handle(1)]);
    assert_eq!(delete(1, Part::Base), [Part::Base]);
    let (mesh, bone) = ("M".to_owned(), 1);
    let several =
        parts_after(Command::DeleteBone { mesh, bone }, [Part::Bone(3), Part::Bone(2), Part::Bone(1)]);
    assert_eq!(several, [Part::Bone(2), Part::Bone(0), Part::Bone(1)]);
}

#[test]
fn deleting_a_handle_selects_its_bone() {
    let delete = |handle, part| {
        let mesh = "M".into();
        parts_after(Command::DeleteHandle { mesh, handle }, [part])
    };
    assert_eq!(delete(1, Part::Handle(1)), [Part::Bone(2)]);
    assert_eq!(delete(1, Part::Handle(3)), [Part::Handle(2)]);
    assert_eq!(delete(1, Part::Handle(0)), [Part::Handle(0)]);
    assert_eq!(delete(1, Part::Bone(2)), [Part::Bone(2)]);
}

#[test]
fn new_names_are_followed_and_new_instances_selected() {
    let mut session = Session::new(branching(), None);
    session.select(Selection::from_mesh(session.scene(), "M").with_part(Some(Part::Bone(2))));
    let instance = Kind::Instance(InstanceKind::SkinnedMesh);
    for (kind, old, new) in [(instance, "A", "B"), (Kind::SkinnedMesh, "M", "N")] {
        let (object, name) = (ObjectRef::new(kind, old), new.to_owned());
        session.apply(&[Command::Rename { object, name }]).unwrap();
    }
    let selected = session.selection().clone();
    assert_eq!((selected.mesh.as_deref(), selected.part), (Some("N"), Some(Part::Bone(2))));
    assert_eq!(selected.instance.unwrap().name, "B");
    let resource = ObjectRef::new(Kind::SkinnedMesh, "N");
    session.apply(&[Command::AddInstance { resource }]).unwrap();
    let selected = session.selection();
    assert_eq!((selected.part, &*selected.instance.as_ref().unwrap().name), (None, "N_instance"));
}
