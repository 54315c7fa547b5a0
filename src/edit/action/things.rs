//! Actions on whole instances and resources: their commands, or why there are none.
//!
//! Keys delete and duplicate them in the Animate tab alone, and never while a part of a skeleton is
//! selected: who means a bone must not lose the character.

use crate::edit::command::Command;
use crate::edit::view::{Tab, View};
use crate::scene::instance::InstanceKind;
use crate::scene::names::{Kind, Thing};

fn chosen(view: &View) -> Result<Thing, String> {
    if view.settings.tab == Tab::Rig {
        return Err("Whole instances are handled in the Animate tab.".into());
    }
    let selection = view.session.selection();
    if selection.part.is_some() {
        return Err("A part of a skeleton is selected. Press Esc to select the whole instance.".into());
    }
    let thing = selection.thing().filter(|thing| view.session.seen().holds(thing));
    thing.ok_or_else(|| "Select an instance first.".into())
}

pub fn delete(view: &View, with_data: bool) -> Result<Vec<Command>, String> {
    let thing = chosen(view)?;
    Ok(vec![Command::Delete { thing, with_data }])
}

pub fn duplicate(view: &View, linked: bool) -> Result<Vec<Command>, String> {
    let instance = chosen(view)?
        .instance()
        .ok_or("Only instances are duplicated; a resource comes along with its instance.")?;
    Ok(vec![Command::Duplicate { instance, linked }])
}

/// The instance of a camera that is looked through next: the selected one, or the first of the scene.
pub fn camera_to_look_through(view: &View) -> Result<String, String> {
    if view.settings.tab == Tab::Rig {
        return Err("Cameras stand in the Animate tab.".into());
    }
    let scene = view.session.seen();
    let sees = |name: &String| {
        let camera = scene.instances.cameras.get(name)?.camera.as_ref()?;
        scene.cameras.contains_key(camera).then(|| name.clone())
    };
    let selected = view.session.selection().instance.as_ref();
    let selected = selected.filter(|instance| instance.kind == InstanceKind::Camera);
    selected
        .and_then(|instance| sees(&instance.name))
        .or_else(|| scene.instances.cameras.keys().find_map(sees))
        .ok_or_else(|| "The scene has no camera; add an instance of one in the list of the scene.".into())
}

/// What Rename would name while no bone is selected, or why there is nothing: the instance or resource that
/// is selected, or in the Rig tab the skinned mesh.
pub fn renamed(view: &View) -> Result<Thing, String> {
    let selection = view.session.selection();
    let mesh = selection
        .mesh
        .as_ref()
        .map(|mesh| Thing::new(Kind::SkinnedMesh, mesh.clone()));
    let thing = match (selection.part, view.settings.tab) {
        (Some(_), _) => return Err("A bone is named in the tree of bones.".into()),
        (None, Tab::Rig) => selection.resource.clone().or(mesh),
        (None, Tab::Animate) => selection.thing(),
    };
    let thing = thing.filter(|thing| view.session.seen().holds(thing));
    thing.ok_or_else(|| "Nothing is selected that has a name.".into())
}
