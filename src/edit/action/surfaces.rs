//! Actions on the surface of the selected mesh: their commands, or why there are none.

use crate::edit::command::Command;
use crate::edit::view::View;
use crate::scene::instance::InstanceKind;
use crate::scene::names::{Kind, Thing};

/// The mesh or skinned mesh that is selected, itself or by an instance of it.
pub fn chosen(view: &View) -> Result<Thing, String> {
    let (selection, scene) = (view.session.selection(), view.session.scene());
    let resource = selection.resource.clone();
    let resource = resource.filter(|thing| matches!(thing.kind, Kind::Mesh | Kind::SkinnedMesh));
    let skinned = selection.mesh.clone();
    let skinned = skinned.map(|name| Thing::new(Kind::SkinnedMesh, name));
    let placed = selection.instance.as_ref().and_then(|instance| {
        let placed = scene.instances.meshes.get(&instance.name);
        let placed = placed.filter(|_| instance.kind == InstanceKind::Mesh);
        Some(Thing::new(Kind::Mesh, placed?.of.clone()?))
    });
    let thing = resource.or(skinned).or(placed);
    let thing = thing.filter(|thing| scene.holds(thing));
    thing.ok_or_else(|| "Select a mesh or a skinned mesh first.".into())
}

/// Of the selected mesh; of the only one of the scene where none is selected.
pub fn make_skinned(view: &View) -> Result<Vec<Command>, String> {
    let mesh = match chosen(view) {
        Ok(thing) if thing.kind == Kind::Mesh => thing.name,
        Ok(_) => return Err("This is a skinned mesh already.".into()),
        Err(_) => {
            let mut all = view.session.scene().meshes.keys();
            match (all.next(), all.next()) {
                (Some(only), None) => only.clone(),
                _ => return Err("Select a mesh first.".into()),
            }
        }
    };
    Ok(vec![Command::MakeSkinned { mesh }])
}

pub fn flip(view: &View) -> Result<Vec<Command>, String> {
    Ok(vec![Command::FlipOrientation { mesh: chosen(view)? }])
}
