//! The Weights menu: calculating, painting and refining bone weights, and their display.

use super::selected::{bones, in_animate, mesh, require};
use super::{Action, AppRequest, Dialog, Note, Prepared, Reason, Shortcut, row, rows, view::flag};
use crate::edit::command::{Command, WeightSource};
use crate::edit::paint::{Paint, fill, paintable_bone};
use crate::edit::settings::view::{RefineNumbers, View};
use crate::io::count::counted;
use crate::rig::body::middle::BothSides;
use crate::rig::weights::method::Method;
use crate::rig::weights::refine::Refinement;
use crate::rig::weights::transfer::mean_row;
use crate::scene::skinned::SkinnedMesh;
use std::sync::Arc;

const TRANSFER: &str = "Mirror and transfer";

rows!(
    CALCULATE_WEIGHTS = row(
        "Calculate bone weights",
        "Replace all weights with those the chosen method calculates from the bones and the surface.",
        calculate,
    )
    .keys(&[Shortcut::shift("W")]),
    CALCULATE_SELECTED_WEIGHTS = row(
        "Calculate selected bones",
        "Recalculate the share of the selected bones; the others keep their proportions.",
        calculate_selected,
    ),
    PAINT_WEIGHTS = row(
        "Paint weights",
        "Paint the weight of the selected bone on the skin, in any pose and during playback; press again to finish.",
        |view| {
            mesh(view).and_then(|(_, skinned)| require_bones(skinned))?;
            Ok(Prepared::App(AppRequest::ChooseTool(Action::PAINT_WEIGHTS)))
        },
    )
    .keys(&[Shortcut::plain("B")])
    .separated(),
    CHECK_MOTION = row(
        "Check motion…",
        "Play the poses in which a skin deforms the most, and show where it is stretched.",
        |view| {
            in_animate(view, "Motions play in the Animate tab.")?;
            mesh(view).and_then(|(_, skinned)| require_bones(skinned))?;
            Prepared::dialog(Dialog::CheckMotion)
        },
    ),
    FILL_WEIGHTS = row(
        "Fill with the brush",
        "Apply the brush to all selected vertices at once, or to all vertices if none is selected.",
        fill_weights,
    )
    .available_if(|view| {
        let (_, skinned) = mesh(view)?;
        paintable_bone(skinned, &brush(view)).map(drop).map_err(Reason::from)
    }),
    LOCK_WEIGHTS = row(
        "Lock weights",
        "Lock the weights of the selected bones against brushes, or unlock them.",
        lock_weights,
    )
    .opposite("Unlock weights", are_locked)
    .keys(&[Shortcut::alt("L")]),
    UNLOCK_ALL_WEIGHTS = row(
        "Unlock all weights",
        "Let brushes change the weights of all bones.",
        |view| {
            let (mesh, skinned) = mesh(view)?;
            let all = skinned.skeleton.bones.iter().enumerate();
            let bones: Vec<usize> = all
                .filter(|(_, bone)| bone.lock_weights)
                .map(|(index, _)| index)
                .collect();
            require(!bones.is_empty(), "No bone is locked.")?;
            Prepared::command(Command::lock_weights(mesh, &bones, false))
        },
    ),
    MIRROR_WEIGHTS_LEFT = row(
        "Mirror weights left to right",
        "Copy the weights of the left side to the right one, each bone's to its counterpart; only on the selected vertices, if any are selected.",
        |view| mirror(view, true),
    )
    .available_if(|view| mirror_source(view, true).map(drop))
    .in_submenu(TRANSFER)
    .separated(),
    MIRROR_WEIGHTS_RIGHT = row(
        "Mirror weights right to left",
        "Copy the weights of the right side to the left one, each bone's to its counterpart; only on the selected vertices, if any are selected.",
        |view| mirror(view, false),
    )
    .available_if(|view| mirror_source(view, false).map(drop))
    .in_submenu(TRANSFER),
    TRANSFER_WEIGHTS = row(
        "Transfer weights",
        "Copy weights from the nearest points of the mesh chosen in the panel, matching bones by name, so that clothes move with the body.",
        |view| transfer(view, |view, mesh| Ok(WeightSource::Mesh { name: transfer_source(view, mesh)? })),
    )
    .in_submenu(TRANSFER),
    COPY_WEIGHTS = row(
        "Copy weights of vertices",
        "Copy the weights of the selected vertices, or their mean.",
        copy_weights,
    )
    .in_submenu(TRANSFER)
    .separated(),
    PASTE_WEIGHTS = row(
        "Paste weights on vertices",
        "Apply the copied weights to the selected vertices; locked bones keep theirs.",
        |view| {
            let has_vertices = !view.session.selection().vertices.is_empty();
            require(has_vertices, "First select the vertices to paste onto.")?;
            transfer(view, paste_source)
        },
    )
    .in_submenu(TRANSFER),
    SMOOTH_WEIGHTS = row(
        "Smooth weights",
        "Blend each vertex's weights with those of its neighbours; vertices without weights take their neighbours'.",
        |view| {
            refine(view, |numbers| Refinement::Smooth {
                factor: numbers.factor,
                times: numbers.times,
            })
        },
    )
    .available_if(|view| weighted(view).map(drop))
    .separated(),
    PRUNE_WEIGHTS = row(
        "Prune weights",
        "Remove small weights and scale the rest so that they add up to 1.",
        |view| { refine(view, |numbers| Refinement::Prune { below: numbers.below }) },
    )
    .available_if(|view| weighted(view).map(drop)),
    LIMIT_WEIGHTS = row(
        "Limit influences",
        "Keep the largest weights of each vertex and scale them so that they add up to 1.",
        |view| refine(view, |numbers| Refinement::Limit { most: numbers.most }),
    )
    .available_if(|view| weighted(view).map(drop)),
    NORMALIZE_WEIGHTS = row(
        "Normalise weights",
        "Scale the weights of each vertex so that they add up to 1.",
        |view| refine(view, |_| Refinement::Normalize),
    )
    .available_if(|view| weighted(view).map(drop)),
    CLEAR_WEIGHTS = row(
        "Clear weights",
        "Remove all weights; vertices without weights stay where they are.",
        |view| refine(view, |_| Refinement::Clear),
    )
    .available_if(|view| weighted(view).map(drop)),
    TOGGLE_HEAT = flag!(
        "Weights view",
        "Colour the skin by the weight of the selected bone, or by the strongest bone if none is selected.",
        display.weights_view
    )
    .keys(&[Shortcut::plain("H")])
    .separated(),
    TOGGLE_RAINBOW = flag!(
        "Rainbow colours",
        "Colour the weights view from blue to red, as other programs do.",
        display.rainbow
    ),
);

fn calculate(view: &View) -> Result<Prepared, Reason> {
    let (mesh, skinned) = mesh(view)?;
    let no_bone = "Add a bone first: this mesh has none.";
    require(!skinned.skeleton.bones.is_empty(), no_bone)?;
    let method = method(skinned)?;
    Prepared::command(Command::CalculateWeights { mesh, method })
}

/// Requires that the mesh has bones.
fn require_bones(skinned: &SkinnedMesh) -> Result<(), Reason> {
    require(!skinned.skeleton.bones.is_empty(), "Add a bone first: this mesh has none.")
}

/// The brush for filling. Symmetry is off, so that only the given vertices are filled.
fn brush(view: &View) -> Paint {
    Paint { brush: view.settings.tools.brush, bone: view.session.selection().bone(), symmetric: false }
}

fn fill_weights(view: &View) -> Result<Prepared, Reason> {
    let (mesh, skinned) = mesh(view)?;
    let vertices = &view.session.selection().vertices;
    let vertices = (!vertices.is_empty()).then_some(&vertices[..]);
    let command = fill(&mesh, skinned, &brush(view), vertices).map_err(Reason::from)?;
    let mut prepared = Prepared::commands(command.into_iter().collect())?;
    if let Prepared::Commands { note, .. } = &mut prepared {
        let text = match vertices {
            Some(vertices) => {
                format!("Filled {}", counted(vertices.len(), "selected vertex", "selected vertices"))
            }
            None => format!(
                "Filled all {}: none was selected",
                counted(skinned.surface.vertex_count(), "vertex", "vertices")
            ),
        };
        *note = Some(Note::new(text));
    }
    Ok(prepared)
}

/// Whether all selected bones are locked.
fn are_locked(view: &View) -> bool {
    let Ok((_, skinned)) = mesh(view) else {
        return false;
    };
    let is_locked = |bone: &usize| skinned.skeleton.bones[*bone].lock_weights;
    bones(view, &skinned.skeleton).is_ok_and(|bones| bones.iter().all(is_locked))
}

fn lock_weights(view: &View) -> Result<Prepared, Reason> {
    let (mesh, skinned) = mesh(view)?;
    let bones = bones(view, &skinned.skeleton)?;
    let locked = !are_locked(view);
    Prepared::command(Command::lock_weights(mesh, &bones, locked))
}

fn calculate_selected(view: &View) -> Result<Prepared, Reason> {
    let (mesh, skinned) = mesh(view)?;
    let bones = bones(view, &skinned.skeleton)?;
    let method = method(skinned)?;
    Prepared::command(Command::CalculateBoneWeights { mesh, bones, method })
}

/// The weight method of the mesh, if its skeleton supports it.
fn method(skinned: &SkinnedMesh) -> Result<Method, Reason> {
    let method = skinned.weight_method;
    match (method.descriptor().needs)(&skinned.skeleton) {
        Ok(()) => Ok(method),
        Err(error) => Err(format!("{} Choose another method.", error.sentence()).into()),
    }
}

/// The name of the active mesh, if it has weights.
fn weighted(view: &View) -> Result<String, Reason> {
    let (mesh, skinned) = mesh(view)?;
    require(!skinned.weights.weights.is_empty(), "There are no weights yet.")?;
    Ok(mesh)
}

/// Refines the weights of the selected vertices, or of all if none is selected.
fn refine(view: &View, refinement: fn(&RefineNumbers) -> Refinement) -> Result<Prepared, Reason> {
    let mesh = weighted(view)?;
    let vertices = &view.session.selection().vertices;
    Prepared::command(Command::RefineWeights {
        mesh,
        vertices: (!vertices.is_empty()).then(|| vertices.to_vec()),
        refinement: refinement(&view.settings.tools.refine),
    })
}

/// Copies weights from a source to the selected vertices, or to all if none is selected.
fn transfer(
    view: &View,
    from: impl FnOnce(&View, &str) -> Result<WeightSource, Reason>,
) -> Result<Prepared, Reason> {
    let (mesh, skinned) = mesh(view)?;
    require_valid_weights(skinned)?;
    let from = from(view, &mesh)?;
    let vertices = &view.session.selection().vertices;
    Prepared::command(Command::TakeWeights {
        mesh,
        vertices: (!vertices.is_empty()).then(|| vertices.to_vec()),
        from,
    })
}

/// Mirrors the weights. The message reports how bones were paired if their names do not determine it.
fn mirror(view: &View, from_positive: bool) -> Result<Prepared, Reason> {
    let mut prepared = transfer(view, |view, _| mirror_source(view, from_positive))?;
    if let Prepared::Commands { note, .. } = &mut prepared {
        let (_, skinned) = mesh(view)?;
        let text = BothSides::new(&skinned.skeleton).summary(&skinned.skeleton);
        *note = Some(Note::new(text));
    }
    Ok(prepared)
}

/// The other side as a source of weights.
fn mirror_source(view: &View, from_positive: bool) -> Result<WeightSource, Reason> {
    let (_, skinned) = mesh(view)?;
    require_valid_weights(skinned)?;
    match BothSides::new(&skinned.skeleton).fault(&skinned.skeleton) {
        Some(fault) => Err(fault.sentence().into()),
        None => Ok(WeightSource::OtherSide { from_positive, most: view.settings.tools.brush.most }),
    }
}

/// Requires that the mesh has bones and valid weights.
fn require_valid_weights(skinned: &SkinnedMesh) -> Result<(), Reason> {
    require_bones(skinned)?;
    let (vertices, bones) = (skinned.surface.vertex_count(), skinned.skeleton.bones.len());
    let is_valid = skinned.weights.validate(vertices, bones).is_ok();
    require(is_valid, "The weights of the mesh are damaged: calculate them first.")
}

/// Iterates over the other meshes from which weights can be transferred.
pub fn transfer_sources<'a>(view: &View<'a>) -> impl Iterator<Item = &'a String> {
    let selected = view.session.selection().mesh.clone();
    let meshes = view.session.animated().skinned_meshes.iter();
    meshes
        .filter(move |(name, skinned)| {
            Some(*name) != selected.as_ref() && !skinned.weights.weights.is_empty()
        })
        .map(|(name, _)| name)
}

/// The chosen transfer source, or the first one.
pub fn transfer_source(view: &View, mesh: &str) -> Result<String, Reason> {
    let chosen = view.settings.tools.weights_from.as_ref();
    let found =
        transfer_sources(view).find(|name| Some(*name) == chosen).or_else(|| transfer_sources(view).next());
    let name = found.ok_or("There is no other skinned mesh that has weights.")?;
    let meshes = &view.session.animated().skinned_meshes;
    let (Some(to), Some(from)) = (meshes.get(mesh), meshes.get(name)) else {
        return Err("The mesh no longer exists.".into());
    };
    require_valid_weights(from)?;
    let names: Vec<String> = to.skeleton.shown_bones().map(|b| to.skeleton.bone_name(b)).collect();
    let mut shared = from.skeleton.shown_bones();
    let shares = shared.any(|bone| names.contains(&from.skeleton.bone_name(bone)));
    require(shares, "The two meshes have no bone names in common.")?;
    Ok(name.clone())
}

fn copy_weights(view: &View) -> Result<Prepared, Reason> {
    let (_, skinned) = mesh(view)?;
    require_valid_weights(skinned)?;
    let vertices = &view.session.selection().vertices;
    require(!vertices.is_empty(), "Select the vertices first.")?;
    let row = mean_row(&skinned.weights, vertices);
    require(!row.is_empty(), "These vertices have no weights.")?;
    let named = row.into_iter().map(|(bone, weight)| (skinned.skeleton.bone_name(usize::from(bone)), weight));
    Ok(Prepared::CopyWeights(Arc::new(named.collect())))
}

/// The copied weights as a source, matched to the bones of the mesh by name.
fn paste_source(view: &View, name: &str) -> Result<WeightSource, Reason> {
    let copied = view.settings.clipboard.weights.as_ref().ok_or("Copy the weights of vertices first.")?;
    let skeleton = match view.session.animated().skinned_meshes.get(name) {
        Some(skinned) => &skinned.skeleton,
        None => return Err("The mesh no longer exists.".into()),
    };
    let weight = |bone: usize| {
        let name = skeleton.bone_name(bone);
        let found = copied.iter().find(|(copied, _)| *copied == name);
        found.map(|(_, weight)| (bone as u16, *weight))
    };
    let row: Vec<(u16, f32)> = skeleton.shown_bones().filter_map(weight).collect();
    require(!row.is_empty(), "No bone of this mesh has the name of a copied one.")?;
    Ok(WeightSource::Row { row })
}
