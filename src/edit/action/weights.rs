//! The Weights menu: calculating and refining bone weights, and how they are shown.

use super::selected::{bones, mesh, require};
use super::{Action, AppRequest, Prepared, Reason, Shortcut, row, rows, view::flag};
use crate::edit::command::Command;
use crate::edit::paint::{Paint, check, fill};
use crate::edit::view::{RefineNumbers, View};
use crate::rig::weights::method::Method;
use crate::rig::weights::refine::Refinement;
use crate::scene::skinned::SkinnedMesh;

rows!(
    CALCULATE_WEIGHTS = row(
        "Calculate bone weights",
        "Replace all weights by those that the chosen method calculates from bones and surface.",
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
        "Paint the weight of the selected bone on the skin, in any pose and while it plays; again: end it.",
        |view| {
            mesh(view).and_then(|(_, skinned)| paintable(skinned))?;
            Ok(Prepared::App(AppRequest::ChooseTool(Action::PAINT_WEIGHTS)))
        },
    )
    .keys(&[Shortcut::plain("B")])
    .separated(),
    FILL_WEIGHTS = row(
        "Fill with the brush",
        "Do what the brush does to all selected vertices alike, or to all vertices if none is selected.",
        fill_weights,
    )
    .possible(|view| {
        let (_, skinned) = mesh(view)?;
        check(skinned, &brush(view)).map(drop).map_err(Reason::from)
    }),
    LOCK_WEIGHTS = row(
        "Lock weights",
        "Brushes leave the weights of the selected bones as they are; again: they may change.",
        lock_weights,
    )
    .keys(&[Shortcut::alt("L")]),
    UNLOCK_ALL_WEIGHTS = row(
        "Unlock all weights",
        "Brushes may change the weights of all bones.",
        |view| {
            let (mesh, skinned) = mesh(view)?;
            let all = skinned.skeleton.bones.iter().enumerate();
            let bones: Vec<usize> = all
                .filter(|(_, bone)| bone.lock_weights)
                .map(|(at, _)| at)
                .collect();
            require(!bones.is_empty(), "No bone is locked.")?;
            let locked = false;
            Prepared::command(Command::LockWeights { mesh, bones, locked })
        },
    ),
    SMOOTH_WEIGHTS = row(
        "Smooth weights",
        "Blend each vertex's weights with those of its neighbours; vertices without weights get theirs.",
        |view| {
            refine(view, |numbers| Refinement::Smooth {
                factor: numbers.factor,
                times: numbers.times,
            })
        },
    )
    .possible(|view| weighted(view).map(drop))
    .separated(),
    PRUNE_WEIGHTS = row(
        "Prune weights",
        "Drop small weights and scale the rest so that they add up to 1.",
        |view| { refine(view, |numbers| Refinement::Prune { below: numbers.below }) },
    )
    .possible(|view| weighted(view).map(drop)),
    LIMIT_WEIGHTS = row(
        "Limit influences",
        "Keep the largest weights of each vertex and scale them so that they add up to 1.",
        |view| refine(view, |numbers| Refinement::Limit { most: numbers.most }),
    )
    .possible(|view| weighted(view).map(drop)),
    NORMALIZE_WEIGHTS = row(
        "Normalise weights",
        "Scale the weights of each vertex so that they add up to 1.",
        |view| refine(view, |_| Refinement::Normalize),
    )
    .possible(|view| weighted(view).map(drop)),
    CLEAR_WEIGHTS = row(
        "Clear weights",
        "Remove all weights; vertices without weights stay where they are.",
        |view| refine(view, |_| Refinement::Clear),
    )
    .possible(|view| weighted(view).map(drop)),
    TOGGLE_HEAT = flag!(
        "Weights view",
        "Colour the skin by the weight of the selected bone, or by the strongest bone if none is selected.",
        heat
    )
    .keys(&[Shortcut::plain("H")])
    .separated(),
    TOGGLE_RAINBOW = flag!(
        "Rainbow colours",
        "Colour the weights view from blue to red, as other programs do.",
        rainbow
    ),
);

fn calculate(view: &View) -> Result<Prepared, Reason> {
    let (mesh, skinned) = mesh(view)?;
    let no_bone = "Add a bone first: this mesh has none.";
    require(!skinned.skeleton.bones.is_empty(), no_bone)?;
    let method = method(skinned)?;
    Prepared::command(Command::CalculateWeights { mesh, method })
}

/// Whether there is something to paint, and with what.
fn paintable(skinned: &SkinnedMesh) -> Result<(), Reason> {
    require(
        !skinned.skeleton.bones.is_empty(),
        "Add a bone first: this mesh has none.",
    )
}

/// What vertices are filled with; symmetry would do to both sides what is done to all.
fn brush(view: &View) -> Paint {
    Paint {
        brush: view.settings.brush,
        bone: view.session.selection().bone(),
        symmetric: false,
    }
}

fn fill_weights(view: &View) -> Result<Prepared, Reason> {
    let (mesh, skinned) = mesh(view)?;
    let vertices = &view.session.selection().vertices;
    let vertices = (!vertices.is_empty()).then_some(&vertices[..]);
    let command = fill(&mesh, skinned, &brush(view), vertices).map_err(Reason::from)?;
    Prepared::commands(command.into_iter().collect())
}

fn lock_weights(view: &View) -> Result<Prepared, Reason> {
    let (mesh, skinned) = mesh(view)?;
    let bones = bones(view, &skinned.skeleton)?;
    let locked = !bones
        .iter()
        .all(|&bone| skinned.skeleton.bones[bone].lock_weights);
    Prepared::command(Command::LockWeights { mesh, bones, locked })
}

fn calculate_selected(view: &View) -> Result<Prepared, Reason> {
    let (mesh, skinned) = mesh(view)?;
    let bones = bones(view, &skinned.skeleton)?;
    let method = method(skinned)?;
    Prepared::command(Command::CalculateBoneWeights { mesh, bones, method })
}

/// The method that belongs to the mesh, if it is one for its skeleton.
fn method(skinned: &SkinnedMesh) -> Result<Method, Reason> {
    let method = skinned.weight_method;
    match (method.descriptor().needs)(&skinned.skeleton) {
        Ok(()) => Ok(method),
        Err(error) => Err(format!("{} Choose another method.", error.sentence()).into()),
    }
}

/// The mesh, if it has weights.
fn weighted(view: &View) -> Result<String, Reason> {
    let (mesh, skinned) = mesh(view)?;
    require(!skinned.weights.weights.is_empty(), "There are no weights yet.")?;
    Ok(mesh)
}

/// Refines the selected vertices, or all where none is selected.
fn refine(view: &View, refinement: fn(&RefineNumbers) -> Refinement) -> Result<Prepared, Reason> {
    let mesh = weighted(view)?;
    let vertices = &view.session.selection().vertices;
    Prepared::command(Command::RefineWeights {
        mesh,
        vertices: (!vertices.is_empty()).then(|| vertices.to_vec()),
        how: refinement(&view.settings.refine),
    })
}
