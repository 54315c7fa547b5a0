//! The Edit menu: undo, and operations on whole instances, resources and surfaces.
//!
//! Whole objects are deleted and duplicated only in the Animate tab, and never while a part of a skeleton is
//! selected, so that deleting a bone cannot accidentally delete the character.

use super::AppRequest;
use super::selected::{bone, bones, in_animate, in_rig, mesh, require};
use super::{Dialog, Prepared, Reason, Shortcut, row, rows};
use crate::edit::command::Command;
use crate::edit::fitting::FitRequest;
use crate::edit::select::selection::Part;
use crate::edit::settings::view::{Tab, View};
use crate::rig::edits::tree_ranks;
use crate::rig::fit::is_sheet;
use crate::rig::skeleton::{Pole, Skeleton};
use crate::scene::instance::InstanceKind;
use crate::scene::names::{Kind, ObjectRef};

rows!(
    UNDO = row("Undo", "Undo the last change.", undo)
        .keys(&[Shortcut::ctrl("Z")])
        .repeats(),
    REDO = row("Redo", "Redo the change that was undone last.", redo)
        .keys(&[Shortcut::ctrl_shift("Z"), Shortcut::ctrl("Y")])
        .repeats(),
    // The second shortcut is for keyboards without a Delete key.
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
        |view| delete_object(view, true),
    )
    .keys(&[Shortcut::shift("Delete")]),
    // Keys as in Blender, like those of the next row.
    DUPLICATE = row(
        "Duplicate",
        "Copy the selected bones in place, or in the Animate tab the instance with its mesh, skeleton or light.",
        |view| match view.settings.tab {
            Tab::Rig => super::bone::duplicate(view),
            Tab::Animate => duplicate_object(view, false),
        },
    )
    .keys(&[Shortcut::shift("D")]),
    DUPLICATE_LINKED = row(
        "Duplicate linked",
        "Make a second instance in the same place that shares its mesh, skeleton or light with the first.",
        |view| duplicate_object(view, true),
    )
    .keys(&[Shortcut::alt("D")]),
    RENAME = row(
        "Rename",
        "Rename the selected bone, instance or resource in its list.",
        rename,
    )
    .keys(&[Shortcut::plain("F2")]),
    RENAME_BONES = row(
        "Rename bones…",
        "Rename all selected bones at once: by a list or a pattern with numbers, by finding and replacing, by side.",
        |view| bones_to_rename(view).and_then(|_| Prepared::dialog(Dialog::RenameBones)),
    )
    .keywords("batch, many, number, replace, suffix, prefix")
    .keys(&[Shortcut::ctrl("F2")]),
    MAKE_SKINNED = row(
        "Make skinned mesh",
        "Give the selected mesh, or the only one in the scene, a skeleton to draw bones into.",
        make_skinned,
    )
    .separated(),
    FIT_SKELETON = row(
        "Fit skeleton",
        "Find a skeleton for the selected mesh, and show it walking until it is accepted.",
        |view| {
            mesh_to_fit(view)?;
            Ok(Prepared::App(AppRequest::Fit(FitRequest::Begin)))
        },
    ),
    FLIP_ORIENTATION = row(
        "Flip orientation",
        "Turn the surface of the selected mesh inside out.",
        |view| {
            let mesh = selected_surface(view)?;
            Prepared::command(Command::FlipOrientation { mesh })
        },
    ),
    TOGGLE_SYMMETRY = row(
        "Symmetry",
        "Apply edits of bones, poses and handles on one side of the body to the other side too.",
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

/// Undoes a step and goes to its frame, as Redo does. While a skeleton is fitted, what was placed or chosen for it comes first.
fn undo(view: &View) -> Result<Prepared, Reason> {
    if view.settings.fitting.as_ref().is_some_and(|fitting| fitting.can_undo) {
        return Ok(Prepared::App(AppRequest::Fit(FitRequest::Undo)));
    }
    require(view.session.undo_label().is_some(), "There is nothing to undo.")?;
    Ok(Prepared::Run(|session, settings| {
        settings.playback.pause();
        session.undo();
    }))
}

fn redo(view: &View) -> Result<Prepared, Reason> {
    if view.settings.fitting.as_ref().is_some_and(|fitting| fitting.can_redo) {
        return Ok(Prepared::App(AppRequest::Fit(FitRequest::Redo)));
    }
    require(view.session.redo_label().is_some(), "There is nothing to redo.")?;
    Ok(Prepared::Run(|session, settings| {
        settings.playback.pause();
        session.redo();
    }))
}

/// Deletes handles before bones and high indices before low ones, so that pending indices stay valid.
fn delete(view: &View) -> Result<Prepared, Reason> {
    let none = "Select a bone or a handle first.";
    let selection = view.session.selection();
    if selection.part.is_none() && view.settings.tab == Tab::Animate {
        return delete_object(view, false);
    }
    let active = selection.part.ok_or(none)?;
    let (mesh, skinned) = mesh(view)?;
    let mut commands = Vec::new();
    for handle in (0..skinned.skeleton.handles.len()).rev() {
        if selection.is_selected(Part::Pole(handle)) {
            commands.push(Command::set_handle(mesh.clone(), handle, "pole", None::<Pole>));
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
        true => Err(none.into()),
        false => Prepared::commands(commands),
    }
}

/// The instance or resource that is selected as a whole.
fn object(view: &View) -> Result<ObjectRef, Reason> {
    in_animate(view, "Instances are edited in the Animate tab.")?;
    let selection = view.session.selection();
    let reason = "A part of a skeleton is selected. Press Esc to select the whole instance.";
    require(selection.part.is_none(), reason)?;
    let object = selection.object().filter(|object| view.session.animated().contains(object));
    object.ok_or("Select an instance first.".into())
}

fn delete_object(view: &View, with_data: bool) -> Result<Prepared, Reason> {
    let object = object(view)?;
    Prepared::command(Command::Delete { object, with_data })
}

fn duplicate_object(view: &View, linked: bool) -> Result<Prepared, Reason> {
    let instance = object(view)?
        .instance()
        .ok_or("Only instances can be duplicated; a resource is copied with its instance.")?;
    Prepared::command(Command::Duplicate { instance, linked })
}

/// Opens the name field; nothing changes until a name is entered.
fn rename(view: &View) -> Result<Prepared, Reason> {
    match view.session.selection().part {
        Some(Part::Handle(_)) => drop(mesh(view)?),
        Some(Part::Pole(_)) => return Err("A pole has the name of its handle.".into()),
        Some(_) => drop(bone(view, &mesh(view)?.1.skeleton)?),
        None => drop(rename_target(view)?),
    }
    Prepared::dialog(Dialog::Rename)
}

/// Returns the skinned mesh and the selected bones in the order of the tree: those that Rename bones applies to.
///
/// # Errors
/// The reason why there are none: a sentence for the tooltip.
pub fn bones_to_rename<'a>(view: &View<'a>) -> Result<(String, &'a Skeleton, Vec<usize>), Reason> {
    let (mesh, skinned) = mesh(view)?;
    let mut bones = bones(view, &skinned.skeleton)?;
    let ranks = tree_ranks(&skinned.skeleton);
    bones.sort_unstable_by_key(|bone| ranks[*bone]);
    Ok((mesh, &skinned.skeleton, bones))
}

/// Returns the object that Rename applies to while no bone is selected: the selected instance or resource, or
/// in the Rig tab the skinned mesh.
///
/// # Errors
/// The reason why there is nothing to rename.
pub fn rename_target(view: &View) -> Result<ObjectRef, Reason> {
    let selection = view.session.selection();
    let mesh = selection.mesh.as_ref();
    let mesh = mesh.map(|mesh| ObjectRef::new(Kind::SkinnedMesh, mesh.clone()));
    let object = match (selection.part, view.settings.tab) {
        (Some(_), _) => return Err("Bones are renamed in the tree of bones.".into()),
        (None, Tab::Rig) => selection.resource.clone().or(mesh),
        (None, Tab::Animate) => selection.object(),
    };
    let object = object.filter(|object| view.session.animated().contains(object));
    object.ok_or("Nothing selected has a name.".into())
}

/// Returns the mesh or skinned mesh that is selected directly or by an instance of it.
///
/// # Errors
/// If none is selected.
pub fn selected_surface(view: &View) -> Result<ObjectRef, Reason> {
    let (selection, scene) = (view.session.selection(), view.session.scene());
    let resource = selection.resource.clone();
    let resource = resource.filter(|resource| matches!(resource.kind, Kind::Mesh | Kind::SkinnedMesh));
    let skinned = selection.mesh.clone();
    let skinned = skinned.map(|name| ObjectRef::new(Kind::SkinnedMesh, name));
    let instanced = selection.instance.as_ref().and_then(|selected| {
        let instance = scene.instances.meshes.get(&selected.name);
        let instance = instance.filter(|_| selected.kind == InstanceKind::Mesh);
        Some(ObjectRef::new(Kind::Mesh, instance?.resource.clone()?))
    });
    let object = resource.or(skinned).or(instanced);
    let object = object.filter(|object| scene.contains(object));
    object.ok_or("Select a mesh or a skinned mesh first.".into())
}

/// Returns the name of the mesh that a skeleton would be fitted into.
///
/// # Errors
/// If none is selected, or it has a skeleton.
pub fn mesh_to_fit(view: &View) -> Result<String, Reason> {
    let scene = view.session.scene();
    let is_bare = |name: &str| match scene.skinned_meshes.get(name) {
        Some(skinned) => skinned.skeleton.bones.is_empty(),
        None => scene.meshes.contains_key(name),
    };
    let mut bare = scene.skinned_meshes.keys().chain(scene.meshes.keys()).filter(|name| is_bare(name));
    let is_only = bare.next().is_some() && bare.next().is_none();
    // Floors and the cards of lamps come in with bodies.
    let has_inside = |name: &str| {
        let surface = scene.surface(name);
        is_only || surface.is_some_and(|surface| !is_sheet(surface.positions(), &surface.triangles()))
    };
    if let Ok(object) = selected_surface(view)
        && (!is_bare(&object.name) || has_inside(&object.name))
    {
        return match is_bare(&object.name) {
            true => Ok(object.name),
            false => {
                Err("This mesh has a skeleton already. Delete its bones first: select them with Ctrl+A. \
                          `ossature fit --replace-skeleton` does both."
                    .into())
            }
        };
    }
    let names = scene.skinned_meshes.keys().chain(scene.meshes.keys());
    let mut bare = names.filter(|name| is_bare(name) && has_inside(name));
    match (bare.next(), bare.next()) {
        (Some(only), None) => Ok(only.clone()),
        _ => Err("Select a mesh first.".into()),
    }
}

/// Makes the selected mesh, or the only one in the scene if none is selected, a skinned mesh.
fn make_skinned(view: &View) -> Result<Prepared, Reason> {
    let mesh = match selected_surface(view) {
        Ok(object) if object.kind == Kind::Mesh => object.name,
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
