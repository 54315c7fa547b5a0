//! The Bone menu. Values requested by dialogs are arguments of the functions here.

use super::selected::{Selected, bone, bones, in_rig, mesh, require};
use super::take_over::{self, NewIk};
use super::{Action, AppRequest, Dialog, Note, Prepared, Reason, Shortcut, row, rows};
use super::{limits, sides_of_bones};
use crate::edit::command::Command;
use crate::edit::pose::children::Children;
use crate::edit::pose::newer_side;
use crate::edit::settings::view::View;
use crate::io::count::counted;
use crate::math::axis::Axis;
use crate::rig::body::middle::{BothSides, mirror_plane};
use crate::rig::body::mirror_plane::MirrorPlane;
use crate::rig::body::sides;
use crate::rig::edits::mirror::Effect;
use crate::rig::edits::radius;
use crate::rig::edits::roll::{self, RollTo};
use crate::rig::edits::tree;
use crate::rig::kinematics::parent_past_links;
use crate::rig::skeleton::Skeleton;
use glam::Vec3;

/// The submenu for the two sides of a skeleton.
const SYMMETRY: &str = "Symmetry";

rows!(
    NEW_BONE = row(
        "New bone",
        "Draw bones into the mesh one after the other, from the tail of the selected bone or from the base.",
        |view| {
            mesh(view)?;
            in_rig(view, "Bones are drawn in the Rig tab.")?;
            Ok(Prepared::App(AppRequest::ChooseTool(Action::NEW_BONE)))
        },
    )
    .keys(&[Shortcut::plain("N")]),
    // Keys as in Blender, like those of the next row.
    ADD_BONE = row(
        "Add bone",
        "Add a bone at the tail of the selected bone, or at the base if no bone is selected.",
        add_bone,
    )
    .available_if(can_add_bone)
    .keys(&[Shortcut::shift("A")]),
    ADD_IK = row(
        "Add IK",
        "Add a handle that pulls the tail of each selected bone; in the Animate tab it holds the tail where it is, and where the limb has keys, a dialog asks in which frames.",
        |view| take_over::add(view, NewIk::Handles),
    )
    .keys(&[Shortcut::shift("I")]),
    ADD_LIMB_IK = row(
        "Add limb IK",
        "Add a handle to the wrist or ankle of each limb with a selected bone: it turns the limb's two long bones, and a pole in front of the joint sets where the elbow or knee points.",
        |view| take_over::add(view, NewIk::Limbs),
    )
    .keywords("pole target, knee, elbow")
    .keys(&[Shortcut::ctrl_shift("I")]),
    ADD_BODY_IK = row(
        "Add whole-body IK",
        "Add a handle to each selected bone, or reuse the one it has, make the whole body follow it, pin the feet flat and free the root.",
        |view| take_over::add(view, NewIk::Body),
    )
    .keywords("full body, fullbody, FBIK, crouch, squat, reach, root, feet")
    .keys(&[Shortcut::ctrl_alt("I")]),
    SET_PARENT = row(
        "Set parent",
        "Parent the selected bones to the active one, which was selected last; all tails stay where they are.",
        set_parent,
    )
    .keys(&[Shortcut::ctrl("P")])
    .separated(),
    CLEAR_PARENT = row(
        "Clear parent",
        "Make the selected bones start at the base; all tails stay where they are.",
        clear_parent,
    )
    .keys(&[Shortcut::alt("P")]),
    SPLIT_BONES = row(
        "Split…",
        "Cut each selected bone into equal pieces, which share its weights.",
        |view| selected(view).and_then(|_| Prepared::dialog(Dialog::SplitBones)),
    )
    .keys(&[Shortcut::ctrl("K")])
    .separated(),
    MERGE_BONES = row(
        "Merge into parent",
        "Join each selected bone with its parent, which then reaches to its tail and takes its weights.",
        merge,
    )
    .keys(&[Shortcut::alt("M")]),
    MIRROR = row(
        "Mirror",
        "Create or update the counterparts of the selected bones on the other side of the body (of x = 0 if there is none yet), with .L and .R in their names; if both sides are selected, the one changed last is copied.",
        |view| mirror(view, None),
    )
    .available_if(|view| mirror_selection(view, None).map(drop))
    .keys(&[Shortcut::ctrl("M")])
    .separated(),
    MIRROR_Y = row(
        "Mirror across y",
        "Create or update the counterparts of the selected bones on the other side of y = 0; if both sides are selected, the one changed last is copied.",
        |view| mirror(view, Some(Axis::Y)),
    )
    .available_if(|view| mirror_selection(view, Some(Axis::Y)).map(drop)),
    MIRROR_Z = row(
        "Mirror across z",
        "Create or update the counterparts of the selected bones on the other side of z = 0; if both sides are selected, the one changed last is copied.",
        |view| mirror(view, Some(Axis::Z)),
    )
    .available_if(|view| mirror_selection(view, Some(Axis::Z)).map(drop)),
    SYMMETRIZE_LEFT = row(
        "Symmetrize left to right",
        "Create or update the right side of the selected bones, or of all if none is selected, from the left side, which stays as it is.",
        |view| symmetrize(view, 0),
    )
    .in_submenu(SYMMETRY)
    .separated(),
    SYMMETRIZE_RIGHT = row(
        "Symmetrize right to left",
        "Create or update the left side of the selected bones, or of all if none is selected, from the right side, which stays as it is.",
        |view| symmetrize(view, 1),
    )
    .in_submenu(SYMMETRY),
    PAIR_SIDES = row(
        "Pair as mirror images",
        "Make the two selected bones each other's counterpart for symmetry, whatever their names and positions.",
        sides_of_bones::pair,
    )
    .in_submenu(SYMMETRY),
    UNPAIR_SIDES = row(
        "Unpair mirror images",
        "Find the other side of the selected bones by their names and positions again.",
        sides_of_bones::unpair,
    )
    .in_submenu(SYMMETRY),
    ALIGN_ROLL = row(
        "Align roll to bend",
        "Roll the selected bones so that a chain bends about local x alone.",
        |view| {
            let commands = align_roll(view, RollTo::BendPlane)?;
            require(!commands.is_empty(), "The rolls are aligned already, or nothing is bent.")?;
            Prepared::with_note(commands, Note::new(aligned_text(view, RollTo::BendPlane)?))
        },
    )
    .keys(&[Shortcut::shift("N")])
    .separated(),
    ALIGN_ROLL_TO_AXIS = row(
        "Align roll to axis…",
        "Roll the selected bones until local x or z points as nearly as possible along an axis of the mesh.",
        |view| selected(view).and_then(|_| Prepared::dialog(Dialog::AlignRoll)),
    ),
    FIT_RADIUS = row(
        "Fit radius",
        "Fit the radii of the selected bones, or of all if none is selected, to the surface around them.",
        fit_radius,
    )
    .available_if(|view| selected_or_all(view).map(drop))
    .keys(&[Shortcut::alt("F")])
    .separated(),
    SCALE_RADIUS = row(
        "Scale radius…",
        "Multiply the radii of the selected bones, or of all if none is selected.",
        |view| selected_or_all(view).and_then(|_| Prepared::dialog(Dialog::ScaleRadius)),
    )
    .keys(&[Shortcut::alt("S")]),
    LIMITS_FROM_POSE = row(
        "Set limits from pose…",
        "Set the joint limits of the selected bones, or of all if none is selected, from the current pose or from keys.",
        |view| limits::selected_or_all(view).and_then(|_| Prepared::dialog(Dialog::LimitsFromPose)),
    )
    .separated(),
    HUMAN_LIMITS = row(
        "Set human limits",
        "Give the selected bones, or all if none is selected, human joint limits and preferred bends, by their names (hand, forearm, thigh …).",
        limits::human,
    ),
    CLEAR_LIMITS = row(
        "Clear limits",
        "Remove the joint limits of the selected bones, or of all if none is selected.",
        limits::clear,
    ),
    DELETE_WITH_CHILDREN = row(
        "Delete with children",
        "Delete the selected bones and all their descendants.",
        |view| {
            let (mesh, _, bones) = selected(view)?;
            Prepared::command(Command::DeleteSubtrees { mesh, bones })
        },
    )
    .keys(&[Shortcut::ctrl("Delete")])
    .separated(),
    DELETE_UNUSED = row(
        "Delete unused bones",
        "Delete the bones without weights, handles or children that have any, such as the controls of an imported rig.",
        delete_unused,
    )
    .keywords("controls, pole targets, hidden, clean"),
    TOGGLE_CHILDREN = row(
        "Children move along",
        "Move all descendants along when a bone's tail is dragged or typed; when off, the tails of its children stay.",
        |_| {
            Ok(Prepared::Run(|_, settings| {
                settings.tools.children = match settings.tools.children {
                    Children::Stay => Children::Along,
                    Children::Along => Children::Stay,
                };
            }))
        },
    )
    .checked(|view| view.settings.tools.children == Children::Along),
);

fn selected<'a>(view: &View<'a>) -> Result<Selected<'a>, Reason> {
    let (mesh, skeleton) = skeleton(view)?;
    let bones = bones(view, skeleton)?;
    Ok((mesh, skeleton, bones))
}

/// The selected bones, or all bones if none is selected.
fn selected_or_all<'a>(view: &View<'a>) -> Result<Selected<'a>, Reason> {
    let (mesh, skeleton) = skeleton(view)?;
    match selected(view) {
        Ok(selected) => Ok(selected),
        Err(_) if skeleton.bones.is_empty() => Err("Add a bone first: this mesh has none.".into()),
        Err(_) => Ok((mesh, skeleton, skeleton.shown_bones().collect())),
    }
}

fn delete_unused(view: &View) -> Result<Prepared, Reason> {
    let (mesh, skeleton) = skeleton(view)?;
    let (_, skinned) = self::mesh(view)?;
    let is_unused = skinned.unused_bones();
    let bones: Vec<usize> = (0..skeleton.bones.len()).filter(|bone| is_unused[*bone]).collect();
    require(!bones.is_empty(), "Every bone has weights, a handle, or children that do.")?;
    require(bones.len() < skeleton.bones.len(), "No bone has weights yet: Calculate bone weights first.")?;
    let shown = bones.iter().filter(|bone| !skeleton.bones[**bone].link).count();
    let note = Note::new(format!("{} deleted", counted(shown, "unused bone", "unused bones")));
    Prepared::with_note(vec![Command::DeleteSubtrees { mesh, bones }], note)
}

/// Fits radii; the message reports how many were fitted, and how many bones are outside the mesh.
fn fit_radius(view: &View) -> Result<Prepared, Reason> {
    let (name, _, bones) = selected_or_all(view)?;
    let (_, skinned) = mesh(view)?;
    let radii = radius::fit_radii(&skinned.skeleton, &skinned.surface);
    let outside = bones.iter().filter(|&&bone| radii[bone].is_none()).count();
    let fitted = counted(bones.len() - outside, "bone", "bones");
    let mut note = Note::new(format!("Radii of {fitted} fitted"));
    if outside > 0 {
        note.is_warning = true;
        note.text += &format!("; {} outside the mesh left unchanged", counted(outside, "bone", "bones"));
    }
    Prepared::with_note(vec![Command::FitRadius { mesh: name, bones }], note)
}

fn skeleton<'a>(view: &View<'a>) -> Result<(String, &'a Skeleton), Reason> {
    let (mesh, skinned) = mesh(view)?;
    in_rig(view, "The skeleton is changed in the Rig tab.")?;
    Ok((mesh, &skinned.skeleton))
}

/// Returns the number of bones that a dialog applies to: the selected ones, or for radii and limits all bones
/// if none is selected.
pub fn count(dialog: Dialog, view: &View) -> usize {
    let found = match dialog {
        Dialog::ScaleRadius => selected_or_all(view),
        Dialog::LimitsFromPose => limits::selected_or_all(view),
        _ => selected(view),
    };
    found.map_or(0, |(_, _, bones)| bones.len())
}

fn set_parent(view: &View) -> Result<Prepared, Reason> {
    let (mesh, skeleton, mut bones) = selected(view)?;
    let parent = view.session.selection().bone();
    bones.retain(|&bone| Some(bone) != parent);
    let Some(parent) = parent.filter(|_| !bones.is_empty()) else {
        return Err("Select the bones to parent, then with Shift their new parent.".into());
    };
    bones.retain(|&bone| parent_past_links(skeleton, bone) != Some(parent));
    require(!bones.is_empty(), "The active bone is already their parent.")?;
    let is_descendant = tree::reparent(&mut skeleton.clone(), &bones, Some(parent)).is_none();
    require(!is_descendant, "The active bone is a descendant of one of the others.")?;
    let parent = Some(parent);
    Prepared::command(Command::Reparent { mesh, bones, parent })
}

fn clear_parent(view: &View) -> Result<Prepared, Reason> {
    let (mesh, skeleton, mut bones) = selected(view)?;
    bones.retain(|&bone| parent_past_links(skeleton, bone).is_some());
    require(!bones.is_empty(), "A root has no parent: it starts at the base.")?;
    let parent = None;
    Prepared::command(Command::Reparent { mesh, bones, parent })
}

/// Cuts the selected bones into `pieces` each.
///
/// # Errors
/// The reason why that cannot be done: a sentence for the tooltip.
pub fn split(view: &View, pieces: usize) -> Result<Vec<Command>, Reason> {
    let (mesh, _, bones) = selected(view)?;
    Ok(vec![Command::SplitBones { mesh, bones, pieces }])
}

/// Duplicates the selected bones in place.
pub fn duplicate(view: &View) -> Result<Prepared, Reason> {
    let (mesh, _, bones) = selected(view)?;
    Prepared::command(Command::DuplicateBones { mesh, bones })
}

fn merge(view: &View) -> Result<Prepared, Reason> {
    let (mesh, skeleton, mut bones) = selected(view)?;
    bones.retain(|&bone| parent_past_links(skeleton, bone).is_some());
    require(!bones.is_empty(), "A root has no parent to merge into.")?;
    Prepared::command(Command::MergeBones { mesh, bones })
}

/// The selected bones, if any of them can be mirrored.
fn mirror_selection<'a>(view: &View<'a>, axis: Option<Axis>) -> Result<(Selected<'a>, MirrorPlane), Reason> {
    let (mesh, skeleton, bones) = selected(view)?;
    let plane = mirror_plane(skeleton, axis);
    if sides::can_mirror(skeleton, &bones, &plane) {
        Ok(((mesh, skeleton, bones), plane))
    } else {
        let subject = match bones.len() {
            1 => "The bone lies",
            _ => "The bones lie",
        };
        Err(format!("{subject} in the plane {plane}.").into())
    }
}

/// Mirrors the selected bones, or the side changed last if both sides are selected. The message reports the
/// effect, and in the latter case the side that was copied or replaced.
fn mirror(view: &View, axis: Option<Axis>) -> Result<Prepared, Reason> {
    let ((mesh, skeleton, bones), plane) = mirror_selection(view, axis)?;
    let (bones, newer) = newer_side::sources(view.session, &mesh, &bones, &plane);
    let effect = Effect::new(skeleton, &bones, &plane);
    let mut note = Note { offers_undo: true, ..Note::new(effect.text(&plane)) };
    if let Some(newer) = newer.filter(|_| effect.updated > 0) {
        let side = plane.side_names()[newer];
        note.is_warning = effect.from[newer] == 0;
        note.text += &if note.is_warning {
            format!(". The side changed last, {side}, was replaced")
        } else {
            format!(". The side changed last is copied: {side}")
        };
    }
    Prepared::with_note(vec![Command::MirrorBones { mesh, bones, axis }], note)
}

/// Copies one side to the other: 0 copies the left side, 1 the right one. Bones selected on the other side
/// stand for their counterparts.
fn symmetrize(view: &View, side: usize) -> Result<Prepared, Reason> {
    let (mesh, skeleton, bones) = selected_or_all(view)?;
    let plane = BothSides::new(skeleton).plane;
    let bones = sides::bones_on_side(skeleton, &bones, &plane, side);
    let reason = "None of these bones is on that side or has a counterpart there.";
    require(sides::can_mirror(skeleton, &bones, &plane), reason)?;
    let note = Note { offers_undo: true, ..Note::new(Effect::new(skeleton, &bones, &plane).text(&plane)) };
    Prepared::with_note(vec![Command::MirrorBones { mesh, bones, axis: None }], note)
}

/// Aligns the rolls of the selected bones; returns no command if they are aligned already.
///
/// # Errors
/// The reason why that cannot be done: a sentence for the tooltip.
pub fn align_roll(view: &View, to: RollTo) -> Result<Vec<Command>, Reason> {
    let (mesh, skeleton, bones) = selected(view)?;
    let mut rolls = roll::rolls(skeleton, &bones, to).into_iter();
    if rolls.all(|(bone, roll)| skeleton.bones[bone].roll_deg == roll) {
        return Ok(Vec::new());
    }
    Ok(vec![Command::AlignRoll { mesh, bones, to }])
}

/// Describes what aligning the rolls does: a bone that turns far gets other axes to pose it about.
fn aligned_text(view: &View, to: RollTo) -> Result<String, Reason> {
    let (_, skeleton, bones) = selected(view)?;
    let turns = roll::rolls(skeleton, &bones, to).into_iter();
    let turns = turns.map(|(bone, roll)| {
        let turn = (roll - skeleton.bones[bone].roll_deg).rem_euclid(360.0);
        (turn.min(360.0 - turn), bone)
    });
    let turns: Vec<_> = turns.filter(|(turn, _)| *turn > 0.0).collect();
    let farthest = turns.iter().copied().max_by(|(a, _), (b, _)| a.total_cmp(b));
    let (turn, bone) = farthest.unwrap_or_default();
    let rolled = counted(turns.len(), "bone", "bones");
    Ok(format!("Rolled {rolled} by up to {turn:.0}° ({})", skeleton.bone_name(bone)))
}

/// Multiplies the radii of the selected bones, or of all if none is selected.
///
/// # Errors
/// The reason why that cannot be done: a sentence for the tooltip.
pub fn scale_radius(view: &View, factor: f32) -> Result<Vec<Command>, Reason> {
    let (mesh, _, bones) = selected_or_all(view)?;
    Ok(vec![Command::ScaleRadius { mesh, bones, factor }])
}

fn can_add_bone(view: &View) -> Result<(), Reason> {
    mesh(view)?;
    in_rig(view, "Bones are added in the Rig tab.")
}

fn add_bone(view: &View) -> Result<Prepared, Reason> {
    can_add_bone(view)?;
    let (mesh, skinned) = mesh(view)?;
    let parent = bone(view, &skinned.skeleton).ok();
    let (extent, radius) = match parent {
        Some(parent) => child_extent(&skinned.skeleton, parent),
        None => first_bone_extent(skinned.surface.positions()),
    };
    Prepared::command(Command::AddBone { mesh, parent, extent, radius })
}

/// Returns the extent and radius of a new child: half the parent's extent, or upwards if the parent has no
/// length, and the parent's radius.
fn child_extent(skeleton: &Skeleton, parent: usize) -> (Vec3, f32) {
    let parent = &skeleton.bones[parent];
    let half = parent.extent * 0.5;
    if half == Vec3::ZERO {
        let length = if parent.radius > 0.0 { parent.radius } else { 1.0 };
        return (Vec3::Y * length, parent.radius);
    }
    (half, parent.radius)
}

/// Returns the extent and radius of a first bone: upwards, a quarter of the size of the mesh, or of length 1
/// if the mesh has no size.
fn first_bone_extent(positions: &[Vec3]) -> (Vec3, f32) {
    let low = positions.iter().copied().fold(Vec3::INFINITY, Vec3::min);
    let high = positions.iter().copied().fold(Vec3::NEG_INFINITY, Vec3::max);
    let size = (high - low).max_element();
    let length = if size.is_finite() && size > 0.0 { size / 4.0 } else { 1.0 };
    (Vec3::Y * length, length / 4.0)
}
