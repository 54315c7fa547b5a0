//! The Select menu. Its actions never change the document.

use super::selected::{mesh, require};
use super::{Action, AppRequest, Dialog, Prepared, Reason, Shortcut, row, rows, vertices};
use crate::edit::select::selection::{Part, Selection};
use crate::edit::settings::view::View;
use crate::mesh::regions::Regions;
use crate::rig::body::middle::BothSides;
use crate::rig::kinematics::parent_past_links;
use crate::rig::skeleton::Skeleton;

const VERTICES: &str = "Vertices";

rows!(
    // Shortcuts as in Blender, except that plain A frames all.
    SELECT_ALL = row("Select all bones", "Select every bone of the skinned mesh.", |view| {
        select(view, all, false)
    })
    .keys(&[Shortcut::ctrl("A")]),
    INVERT_SELECTION =
        row("Invert selection", "Select the bones that are not selected, and deselect the others.", |view| {
            select(view, inverted, false)
        },)
        .keys(&[Shortcut::ctrl("I")]),
    DESELECT = row("Deselect", "End the preview of a motion, deselect the part, then the object.", deselect)
        .keys(&[Shortcut::plain("Escape")])
        .quiet(),
    SELECT_PARENT = row("Select parent", "Select the parent of the selected bone instead.", |view| {
        select(view, parents, false)
    })
    .keys(&[Shortcut::plain("OpenBracket")])
    .separated(),
    SELECT_CHILDREN = row(
        "Select children",
        "Select the bones that start at the tail of the selected one instead.",
        |view| select(view, children, false),
    )
    .keys(&[Shortcut::plain("CloseBracket")]),
    EXTEND_TO_PARENT =
        row("Extend to parent", "Select the parents of the selected bones too.", |view| select(
            view, parents, true
        ),)
        .keys(&[Shortcut::shift("OpenBracket")]),
    EXTEND_TO_CHILDREN = row(
        "Extend to children",
        "Select the bones that start at the tails of the selected ones too.",
        |view| select(view, children, true),
    )
    .keys(&[Shortcut::shift("CloseBracket")]),
    SELECT_UNMATCHED = row(
        "Select unmatched bones",
        "Select off-centre bones without a counterpart on the other side; symmetry leaves them alone.",
        |view| {
            let (_, skinned) = mesh(view)?;
            let unmatched = BothSides::new(&skinned.skeleton).unmatched(&skinned.skeleton);
            require(!unmatched.is_empty(), "Every bone has a counterpart or lies in the middle.")?;
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
    .in_submenu(VERTICES),
    SELECT_ALL_VERTICES = row("All vertices", "Select all vertices of the skinned mesh.", |view| {
        let (_, skinned) = mesh(view)?;
        vertices::select(view, (0..skinned.surface.vertex_count() as u32).collect())
    })
    .in_submenu(VERTICES),
    INVERT_VERTICES = row(
        "Invert vertices",
        "Select the vertices that are not selected, and deselect the others.",
        |view| {
            let (_, skinned) = mesh(view)?;
            let selected = &view.session.selection().vertices;
            let all = 0..skinned.surface.vertex_count() as u32;
            vertices::select(view, all.filter(|vertex| selected.binary_search(vertex).is_err()).collect())
        },
    )
    .in_submenu(VERTICES),
    GROW_VERTICES = row("Grow vertices", "Select the neighbours of the selected vertices too.", |view| {
        vertices::select_regions(view, Regions::grow)
    },)
    .available_if(|view| vertices::mesh_with_selection(view).map(drop))
    .in_submenu(VERTICES)
    .separated(),
    SHRINK_VERTICES = row("Shrink vertices", "Deselect the border of the selected vertices.", |view| {
        vertices::select_regions(view, Regions::shrink)
    },)
    .available_if(|view| vertices::mesh_with_selection(view).map(drop))
    .in_submenu(VERTICES),
    LINKED_VERTICES = row(
        "Linked vertices",
        "Select everything connected to the selected vertices: whole pieces of the mesh.",
        |view| vertices::select_regions(view, Regions::connected),
    )
    .available_if(|view| vertices::mesh_with_selection(view).map(drop))
    .in_submenu(VERTICES),
    VERTICES_OF_BONES =
        row("Vertices of the selected bones", "Select the vertices that the selected bones move.", |view| {
            vertices::select_by_weight(view, [f32::MIN_POSITIVE, 1.0])
        },)
        .available_if(|view| vertices::weighted_bones(view).map(drop))
        .in_submenu(VERTICES)
        .separated(),
    VERTICES_BY_WEIGHT = row(
        "Vertices by weight",
        "Select the vertices whose total weight from the selected bones is in the range set in the panel.",
        |view| vertices::select_by_weight(view, view.settings.tools.weight_range),
    )
    .available_if(|view| vertices::weighted_bones(view).map(drop))
    .in_submenu(VERTICES),
    FILTER_BONES =
        row("Filter bones", "Show only bones whose names contain the text you type.", |view| mesh(view)
            .and_then(|_| Prepared::dialog(Dialog::FilterBones)),)
        .keys(&[Shortcut::ctrl("F")])
        .separated(),
);

fn deselect(view: &View) -> Result<Prepared, Reason> {
    if view.session.in_proposal() {
        return Ok(Prepared::Run(|session, settings| settings.cancel_preview(session)));
    }
    let selection = view.session.selection();
    require(!selection.is_empty(), "Nothing is selected.")?;
    Ok(Prepared::Select(selection.parent_level(view.settings.tab)))
}

type Find = fn(&Skeleton, &Selection) -> Result<Vec<Part>, Reason>;

/// Selects the parts that `find` returns; with `extends`, in addition to the selected ones.
fn select(view: &View, find: Find, extends: bool) -> Result<Prepared, Reason> {
    let skeleton = &mesh(view)?.1.skeleton;
    require(!skeleton.bones.is_empty(), "This mesh has no bones.")?;
    let selection = view.session.selection();
    let mut found = find(skeleton, selection)?;
    let shows_hidden = view.settings.display.show_hidden;
    found.retain(|part| match part {
        Part::Bone(bone) => shows_hidden || !skeleton.bones[*bone].hidden || selection.is_selected(*part),
        _ => true,
    });
    let previous = selection.parts().filter(|_| extends);
    Ok(Prepared::Select(selection.with_parts(found.into_iter().chain(previous))))
}

/// Returns all bones; an active bone stays active.
fn all(skeleton: &Skeleton, selection: &Selection) -> Result<Vec<Part>, Reason> {
    let active = selection.bone().map(Part::Bone);
    let bones = skeleton.shown_bones().map(Part::Bone);
    Ok(active.into_iter().chain(bones).collect())
}

fn inverted(skeleton: &Skeleton, selection: &Selection) -> Result<Vec<Part>, Reason> {
    let bones = skeleton.shown_bones().map(Part::Bone);
    Ok(bones.filter(|bone| !selection.is_selected(*bone)).collect())
}

/// Returns the parents of the selected parts, beginning with that of the active part.
fn parents(skeleton: &Skeleton, selection: &Selection) -> Result<Vec<Part>, Reason> {
    if selection.part.is_none() {
        return Err("Select a bone or a handle first.".into());
    }
    let parents = selection.parts().filter_map(|part| match part {
        Part::Bone(bone) => parent_past_links(skeleton, bone).map(Part::Bone),
        Part::Handle(handle) => Some(Part::Bone(skeleton.handles.get(handle)?.bone as usize)),
        Part::Pole(handle) => Some(Part::Handle(handle)),
        Part::Base | Part::Shape(_) => None,
    });
    let parents: Vec<Part> = parents.collect();
    if parents.is_empty() { Err("It has no parent: it starts at the base.".into()) } else { Ok(parents) }
}

/// Returns the bones that start at the tails of the selected bones, or at the base if selected, in ascending
/// order.
fn children(skeleton: &Skeleton, selection: &Selection) -> Result<Vec<Part>, Reason> {
    if selection.part.is_none() {
        return Err("Select a bone or the base first.".into());
    }
    let bones = skeleton.shown_bones();
    let starts_at_selection = |bone: &usize| {
        let start = parent_past_links(skeleton, *bone).map_or(Part::Base, Part::Bone);
        selection.is_selected(start)
    };
    let children: Vec<Part> = bones.filter(starts_at_selection).map(Part::Bone).collect();
    if children.is_empty() { Err("No bone starts there.".into()) } else { Ok(children) }
}
