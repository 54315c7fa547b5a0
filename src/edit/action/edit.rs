//! The Edit menu: undo, and what is done to whole instances, resources and surfaces.
//!
//! Keys delete and duplicate whole things in the Animate tab alone, and never while a part of a skeleton is
//! selected: who means a bone must not lose the character.

use super::selected::{bone, bones, in_animate, in_rig, mesh, require};
use super::{Dialog, Prepared, Reason, Shortcut, row, rows};
use crate::edit::command::{Command, Posing};
use crate::edit::selection::Part;
use crate::edit::view::{Tab, View};
use crate::scene::instance::InstanceKind;
use crate::scene::names::{Kind, ObjectRef};

rows!(
    UNDO = row("Undo", "Undo the last change.", undo)
        .keys(&[Shortcut::ctrl("Z")])
        .repeats(),
    REDO = row("Redo", "Redo the change that was undone last.", redo)
        .keys(&[Shortcut::ctrl_shift("Z"), Shortcut::ctrl("Y")])
        .repeats(),
    // The second key is for keyboards without Delete.
    DELETE = row(
        "Delete",
        "Delete the selected bones, handles and poles, or in the Animate tab the selected instance.",
        delete,
    )
    .keys(&[Shortcut::plain("Delete"), Shortcut::ctrl("Backspace")])
    .separated(),
    DELETE_WITH_DATA = row(
        "Delete with data",
        "Delete the selected instance and the data only it uses: its transform, its mesh, its material.",
        |view| delete_thing(view, true),
    )
    .keys(&[Shortcut::shift("Delete")]),
    // As in Blender, as the next.
    DUPLICATE = row(
        "Duplicate",
        "Copy the selected bones in place, or in the Animate tab the instance with its mesh, skeleton or light.",
        |view| match view.settings.tab {
            Tab::Rig => super::bone::duplicate(view),
            Tab::Animate => duplicate_thing(view, false),
        },
    )
    .keys(&[Shortcut::shift("D")]),
    DUPLICATE_LINKED = row(
        "Duplicate linked",
        "Make a second instance in the same place that shares its mesh, skeleton or light with the first.",
        |view| duplicate_thing(view, true),
    )
    .keys(&[Shortcut::alt("D")]),
    RENAME = row(
        "Rename",
        "Rename the selected bone, instance or resource in its list.",
        rename,
    )
    .keys(&[Shortcut::plain("F2")]),
    MAKE_SKINNED = row(
        "Make skinned mesh",
        "Give the selected mesh, or the only one in the scene, a skeleton to draw bones into.",
        make_skinned,
    )
    .separated(),
    FLIP_ORIENTATION = row(
        "Flip orientation",
        "Turn the surface of the selected mesh inside out.",
        |view| {
            let mesh = surface(view)?;
            Prepared::command(Command::FlipOrientation { mesh })
        },
    ),
    TOGGLE_SYMMETRY = row(
        "Symmetry",
        "Apply edits of bones, poses and handles on one side of x = 0 to the other side too.",
        |_| {
            Ok(Prepared::Run(|session, _| {
                session.set_symmetric(!session.symmetric());
            }))
        },
    )
    .keys(&[Shortcut::alt("X")])
    .checked(|view| view.session.symmetric())
    .separated(),
    PREFERENCES = row(
        "Preferences…",
        "Set shortcuts, mouse buttons, the size of the interface and what the program keeps.",
        |_| Prepared::dialog(Dialog::Preferences),
    )
    .keys(&[Shortcut::ctrl("Comma")])
    .separated(),
);

/// Goes to the frame of the step, as Redo does.
fn undo(view: &View) -> Result<Prepared, Reason> {
    require(view.session.undo_label().is_some(), "There is nothing to undo.")?;
    Ok(Prepared::Run(|session, settings| {
        settings.playback.pause();
        session.undo();
    }))
}

fn redo(view: &View) -> Result<Prepared, Reason> {
    require(view.session.redo_label().is_some(), "There is nothing to redo.")?;
    Ok(Prepared::Run(|session, settings| {
        settings.playback.pause();
        session.redo();
    }))
}

/// Handles before bones and high indices before low ones, so that none shifts before its turn.
fn delete(view: &View) -> Result<Prepared, Reason> {
    let nothing = "Select a bone or a handle first.";
    let selection = view.session.selection();
    if selection.part.is_none() && view.settings.tab == Tab::Animate {
        return delete_thing(view, false);
    }
    let active = selection.part.ok_or(nothing)?;
    let (mesh, skinned) = mesh(view)?;
    let mut commands = Vec::new();
    for handle in (0..skinned.skeleton.handles.len()).rev() {
        if selection.is_selected(Part::Pole(handle)) {
            let (mesh, pole) = (mesh.clone(), None);
            let value = Posing::Pole { handle, pole };
            commands.push(Command::SetPosing { mesh, value });
        }
        if selection.is_selected(Part::Handle(handle)) {
            let mesh = mesh.clone();
            commands.push(Command::DeleteHandle { mesh, handle });
        }
    }
    let bones = bones(view, &skinned.skeleton).unwrap_or_default();
    for bone in bones.into_iter().rev() {
        in_rig(view, "Bones are deleted in the Rig tab.")?;
        let mesh = mesh.clone();
        commands.push(Command::DeleteBone { mesh, bone });
    }
    match commands.is_empty() {
        true if active == Part::Base => Err("The base point cannot be deleted.".into()),
        true => Err(nothing.into()),
        false => Prepared::commands(commands),
    }
}

/// The instance or resource that is selected as a whole.
fn thing(view: &View) -> Result<ObjectRef, Reason> {
    in_animate(view, "Instances are edited in the Animate tab.")?;
    let selection = view.session.selection();
    let part = "A part of a skeleton is selected. Press Esc to select the whole instance.";
    require(selection.part.is_none(), part)?;
    let thing = selection
        .thing()
        .filter(|thing| view.session.animated().holds(thing));
    thing.ok_or("Select an instance first.".into())
}

fn delete_thing(view: &View, with_data: bool) -> Result<Prepared, Reason> {
    let thing = thing(view)?;
    Prepared::command(Command::Delete { thing, with_data })
}

fn duplicate_thing(view: &View, linked: bool) -> Result<Prepared, Reason> {
    let instance = thing(view)?
        .instance()
        .ok_or("Only instances can be duplicated; a resource is copied with its instance.")?;
    Prepared::command(Command::Duplicate { instance, linked })
}

/// Nothing changes before a name has been typed.
fn rename(view: &View) -> Result<Prepared, Reason> {
    match view.session.selection().part {
        Some(Part::Handle(_)) => drop(mesh(view)?),
        Some(Part::Pole(_)) => return Err("A pole has the name of its handle.".into()),
        Some(_) => drop(bone(view, &mesh(view)?.1.skeleton)?),
        None => drop(renamed(view)?),
    }
    Prepared::dialog(Dialog::Rename)
}

/// What Rename would name while no bone is selected: the instance or resource that is selected, or in the Rig
/// tab the skinned mesh.
///
/// # Errors
/// Why there is nothing to rename.
pub fn renamed(view: &View) -> Result<ObjectRef, Reason> {
    let selection = view.session.selection();
    let mesh = selection.mesh.as_ref();
    let mesh = mesh.map(|mesh| ObjectRef::new(Kind::SkinnedMesh, mesh.clone()));
    let thing = match (selection.part, view.settings.tab) {
        (Some(_), _) => return Err("Bones are renamed in the tree of bones.".into()),
        (None, Tab::Rig) => selection.resource.clone().or(mesh),
        (None, Tab::Animate) => selection.thing(),
    };
    let thing = thing.filter(|thing| view.session.animated().holds(thing));
    thing.ok_or("Nothing selected has a name.".into())
}

/// The mesh or skinned mesh that is selected, itself or by an instance of it.
///
/// # Errors
/// That none is.
pub fn surface(view: &View) -> Result<ObjectRef, Reason> {
    let (selection, scene) = (view.session.selection(), view.session.scene());
    let resource = selection.resource.clone();
    let resource = resource.filter(|thing| matches!(thing.kind, Kind::Mesh | Kind::SkinnedMesh));
    let skinned = selection.mesh.clone();
    let skinned = skinned.map(|name| ObjectRef::new(Kind::SkinnedMesh, name));
    let placed = selection.instance.as_ref().and_then(|instance| {
        let placed = scene.instances.meshes.get(&instance.name);
        let placed = placed.filter(|_| instance.kind == InstanceKind::Mesh);
        Some(ObjectRef::new(Kind::Mesh, placed?.of.clone()?))
    });
    let thing = resource.or(skinned).or(placed);
    let thing = thing.filter(|thing| scene.holds(thing));
    thing.ok_or("Select a mesh or a skinned mesh first.".into())
}

/// The selected mesh, or the only one of the scene where none is selected.
fn make_skinned(view: &View) -> Result<Prepared, Reason> {
    let mesh = match surface(view) {
        Ok(thing) if thing.kind == Kind::Mesh => thing.name,
        Ok(_) => return Err("This is already a skinned mesh.".into()),
        Err(_) => {
            let mut all = view.session.scene().meshes.keys();
            match (all.next(), all.next()) {
                (Some(only), None) => only.clone(),
                _ => return Err("Select a mesh first.".into()),
            }
        }
    };
    Prepared::command(Command::MakeSkinned { mesh })
}
