//! The Select menu: what would be selected, or why nothing. It changes no document.

use super::selected::{mesh, require};
use super::{Action, AppRequest, Dialog, Prepared, Reason, Shortcut, row, rows, vertices};
use crate::edit::selection::{Part, Selection};
use crate::edit::view::View;
use crate::mesh::regions::Regions;
use crate::rig::edits::middle::BothSides;
use crate::rig::edits::{sides, symmetry};
use crate::rig::kinematics::parent_past_links;
use crate::rig::skeleton::Skeleton;

const VERTICES: &str = "Vertices";

rows!(
    // As in Blender, except for plain A, which frames all.
    SELECT_ALL = row(
        "Select all bones",
        "Select every bone of the skinned mesh.",
        |view| { found(view, all, false) }
    )
    .keys(&[Shortcut::ctrl("A")]),
    INVERT_SELECTION = row(
        "Invert selection",
        "Select the bones that are not selected, and deselect the others.",
        |view| found(view, inverted, false),
    )
    .keys(&[Shortcut::ctrl("I")]),
    DESELECT = row("Deselect", "Deselect the part, then the object.", deselect)
        .keys(&[Shortcut::plain("Escape")])
        .quiet(),
    SELECT_PARENT = row(
        "Select parent",
        "Select the parent of the selected bone instead.",
        |view| { found(view, parents, false) }
    )
    .keys(&[Shortcut::plain("OpenBracket")])
    .separated(),
    SELECT_CHILDREN = row(
        "Select children",
        "Select the bones that start at the tail of the selected one instead.",
        |view| found(view, children, false),
    )
    .keys(&[Shortcut::plain("CloseBracket")]),
    EXTEND_TO_PARENT = row(
        "Extend to parent",
        "Select the parents of the selected bones too.",
        |view| found(view, parents, true),
    )
    .keys(&[Shortcut::shift("OpenBracket")]),
    EXTEND_TO_CHILDREN = row(
        "Extend to children",
        "Select the bones that start at the tails of the selected ones too.",
        |view| found(view, children, true),
    )
    .keys(&[Shortcut::shift("CloseBracket")]),
    SELECT_UNMATCHED = row(
        "Select unmatched bones",
        "Select off-centre bones without a counterpart on the other side; symmetry leaves them alone.",
        |view| {
            let (_, skinned) = mesh(view)?;
            let unmatched = unmatched(view, &skinned.skeleton);
            require(
                !unmatched.is_empty(),
                "Every bone has a counterpart or lies in the middle.",
            )?;
            let unmatched = unmatched.into_iter().map(Part::Bone);
            Ok(Prepared::Select(view.session.selection().with_parts(unmatched)))
        },
    ),
    SELECT_VERTICES = row(
        "Select vertices",
        "Select vertices on the skin by click, box or lasso; press again to finish.",
        |view| {
            mesh(view)?;
            Ok(Prepared::App(AppRequest::ChooseTool(Action::SELECT_VERTICES)))
        },
    )
    .keys(&[Shortcut::plain("V")])
    .within(VERTICES),
    SELECT_ALL_VERTICES = row(
        "All vertices",
        "Select all vertices of the skinned mesh.",
        |view| {
            let (_, skinned) = mesh(view)?;
            vertices::chosen(view, (0..skinned.surface.vertex_count() as u32).collect())
        }
    )
    .within(VERTICES),
    INVERT_VERTICES = row(
        "Invert vertices",
        "Select the vertices that are not selected, and deselect the others.",
        |view| {
            let (_, skinned) = mesh(view)?;
            let now = &view.session.selection().vertices;
            let all = 0..skinned.surface.vertex_count() as u32;
            vertices::chosen(
                view,
                all.filter(|vertex| now.binary_search(vertex).is_err()).collect(),
            )
        },
    )
    .within(VERTICES),
    GROW_VERTICES = row(
        "Grow vertices",
        "Select the neighbours of the selected vertices too.",
        |view| vertices::regions(view, Regions::grown),
    )
    .possible(|view| vertices::some(view).map(drop))
    .within(VERTICES)
    .separated(),
    SHRINK_VERTICES = row(
        "Shrink vertices",
        "Deselect the border of the selected vertices.",
        |view| vertices::regions(view, Regions::shrunk),
    )
    .possible(|view| vertices::some(view).map(drop))
    .within(VERTICES),
    LINKED_VERTICES = row(
        "Linked vertices",
        "Select everything connected to the selected vertices: whole pieces of the mesh.",
        |view| vertices::regions(view, Regions::linked),
    )
    .possible(|view| vertices::some(view).map(drop))
    .within(VERTICES),
    VERTICES_OF_BONES = row(
        "Vertices of the selected bones",
        "Select the vertices that the selected bones move.",
        |view| vertices::by_weight(view, [f32::MIN_POSITIVE, 1.0]),
    )
    .possible(|view| vertices::weighted_bones(view).map(drop))
    .within(VERTICES)
    .separated(),
    VERTICES_BY_WEIGHT = row(
        "Vertices by weight",
        "Select the vertices whose total weight from the selected bones is in the range set in the panel.",
        |view| vertices::by_weight(view, view.settings.weight_range),
    )
    .possible(|view| vertices::weighted_bones(view).map(drop))
    .within(VERTICES),
    FILTER_BONES = row(
        "Filter bones",
        "Show only bones whose names contain the text you type.",
        |view| mesh(view).and_then(|_| Prepared::dialog(Dialog::FilterBones)),
    )
    .keys(&[Shortcut::ctrl("F")])
    .separated(),
);

fn deselect(view: &View) -> Result<Prepared, Reason> {
    let selection = view.session.selection();
    require(!selection.is_empty(), "Nothing is selected.")?;
    Ok(Prepared::Select(selection.parent_level(view.settings.tab)))
}

type Find = fn(&Skeleton, &Selection) -> Result<Vec<Part>, Reason>;

/// The parts that are found; `extends`: beside those that are selected.
fn found(view: &View, find: Find, extends: bool) -> Result<Prepared, Reason> {
    let skeleton = &mesh(view)?.1.skeleton;
    require(!skeleton.bones.is_empty(), "This mesh has no bones.")?;
    let selection = view.session.selection();
    let found = find(skeleton, selection)?;
    let kept = selection.parts().filter(|_| extends);
    Ok(Prepared::Select(
        selection.with_parts(found.into_iter().chain(kept)),
    ))
}

/// Every bone; an active bone stays active.
fn all(skeleton: &Skeleton, selection: &Selection) -> Result<Vec<Part>, Reason> {
    let active = selection.bone().map(Part::Bone);
    let bones = skeleton.shown_bones().map(Part::Bone);
    Ok(active.into_iter().chain(bones).collect())
}

fn inverted(skeleton: &Skeleton, selection: &Selection) -> Result<Vec<Part>, Reason> {
    let bones = skeleton.shown_bones().map(Part::Bone);
    Ok(bones.filter(|bone| !selection.is_selected(*bone)).collect())
}

/// The bones that symmetry finds no other side of: in the weights view that of weights, which finds the middle of the
/// character; else that of edits of the skeleton, which is about x = 0.
pub fn unmatched(view: &View, skeleton: &Skeleton) -> Vec<usize> {
    match view.settings.heat {
        true => BothSides::new(skeleton).unmatched(skeleton),
        false => sides::unmatched(skeleton, symmetry::AXIS),
    }
}

/// The parents of the selected parts, the active part's first.
fn parents(skeleton: &Skeleton, selection: &Selection) -> Result<Vec<Part>, Reason> {
    if selection.part.is_none() {
        return Err("Select a bone or a handle first.".into());
    }
    let parents = selection.parts().filter_map(|part| match part {
        Part::Bone(bone) => parent_past_links(skeleton, bone).map(Part::Bone),
        Part::Handle(handle) => Some(Part::Bone(skeleton.handles.get(handle)?.bone as usize)),
        Part::Pole(handle) => Some(Part::Handle(handle)),
        Part::Base => None,
    });
    let parents: Vec<Part> = parents.collect();
    match parents.is_empty() {
        true => Err("It has no parent: it starts at the base.".into()),
        false => Ok(parents),
    }
}

/// The bones that start at the tips of the selected bones, or at the base, in ascending order.
fn children(skeleton: &Skeleton, selection: &Selection) -> Result<Vec<Part>, Reason> {
    if selection.part.is_none() {
        return Err("Select a bone or the base first.".into());
    }
    let bones = skeleton.shown_bones();
    let starts_there = |bone: &usize| {
        let start = parent_past_links(skeleton, *bone).map_or(Part::Base, Part::Bone);
        selection.is_selected(start)
    };
    let children: Vec<Part> = bones.filter(starts_there).map(Part::Bone).collect();
    match children.is_empty() {
        true => Err("No bone starts there.".into()),
        false => Ok(children),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edit::testing::{Pointer, front, placed_session_with};
    use crate::edit::view::Tab;
    use crate::mesh::primitives;
    use crate::rig::skeleton::Bone;
    use crate::scene::skinned::SkinnedMesh;
    use glam::Vec3;
    use std::sync::Arc;

    /// A character beside the middle, whose bones have no names: the brush finds its plane, edits about x = 0 do not.
    #[test]
    fn unmatched_bones_are_those_that_what_is_done_in_the_view_leaves_alone() {
        let bone = |parent, extent: [f32; 3]| Bone {
            parent,
            extent: Vec3::from(extent),
            ..Bone::default()
        };
        let skeleton = Skeleton {
            base: Vec3::X * 0.5,
            bones: vec![
                bone(None, [0.0, 0.5, 0.0]),
                bone(Some(0), [0.0, 0.5, 0.0]),
                bone(Some(1), [0.5, 0.1, 0.0]),
                bone(Some(1), [-0.5, 0.1, 0.0]),
                bone(Some(0), [0.2, -0.9, 0.0]),
                bone(Some(0), [-0.2, -0.9, 0.0]),
            ],
            ..Skeleton::default()
        };
        let session = placed_session_with(SkinnedMesh {
            surface: Arc::new(primitives::tube(0.5, 2.0, 8, 2).unwrap()),
            skeleton: Arc::new(skeleton.clone()),
            ..SkinnedMesh::default()
        });
        let mut p = Pointer::new(session, Tab::Rig, front(Vec3::ZERO, 6.0));
        let mut found = |heat: bool| {
            p.settings.heat = heat;
            p.with_tools(|_, context| unmatched(context.view, &skeleton))
        };
        assert_eq!(found(false), [0, 1, 2, 3, 4, 5]);
        assert_eq!(found(true), BothSides::new(&skeleton).unmatched(&skeleton));
        assert!(found(true).is_empty());
    }
}
