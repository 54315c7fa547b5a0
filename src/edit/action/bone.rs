//! The Bone menu. What a dialog asks for first is an argument of a function here.

use super::selected::{bone, bones, in_rig, mesh, require};
use super::{Action, AppRequest, Dialog, Note, Prepared, Reason, Shortcut, row, rows};
use crate::edit::children::Children;
use crate::edit::command::Command;
use crate::edit::newer_side;
use crate::edit::view::{Tab, View};
use crate::rig::edits::mirror::{self, Effect};
use crate::rig::edits::names::Axis;
use crate::rig::edits::roll::{self, RollTo};
use crate::rig::edits::tree;
use crate::rig::kinematics::{self, parent_past_links};
use crate::rig::skeleton::Skeleton;
use glam::Vec3;

rows!(
    NEW_BONE = row(
        "New bone",
        "Draw bones into the mesh one after the other, from the tip of the selected bone or from the base.",
        |view| {
            mesh(view)?;
            in_rig(view, "Bones are drawn in the Rig tab.")?;
            Ok(Prepared::App(AppRequest::ChooseTool(Action::NEW_BONE)))
        },
    )
    .keys(&[Shortcut::plain("N")]),
    // As in Blender, as the next.
    ADD_BONE = row(
        "Add bone",
        "Add a bone at the tip of the selected bone, or at the base if no bone is selected.",
        add_bone,
    )
    .possible(can_add_bone)
    .keys(&[Shortcut::shift("A")]),
    ADD_IK = row(
        "Add IK",
        "Add a handle that pulls the tip of each selected bone; in the Animate tab it holds the tip where it is.",
        add_ik,
    )
    .keys(&[Shortcut::shift("I")]),
    SET_PARENT = row(
        "Set parent",
        "Parent the selected bones to the active one, the last selected; all tips stay where they are.",
        set_parent,
    )
    .keys(&[Shortcut::ctrl("P")])
    .separated(),
    CLEAR_PARENT = row(
        "Clear parent",
        "Make the selected bones start at the base; all tips stay where they are.",
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
        "Join each selected bone with its parent, which reaches to its tip and takes its weights.",
        merge,
    )
    .keys(&[Shortcut::alt("M")]),
    MIRROR_X = row(
        "Mirror across x",
        "Make or update the selected bones' mirror images on the other side of x = 0, with .L and .R in their names; of two selected sides, the one changed last is copied.",
        |view| mirrored(view, Axis::X),
    )
    .possible(|view| to_mirror(view, Axis::X).map(drop))
    .keys(&[Shortcut::ctrl("M")])
    .separated(),
    MIRROR_Y = row(
        "Mirror across y",
        "Make or update the selected bones' mirror images on the other side of y = 0; of two selected sides, the one changed last is copied.",
        |view| mirrored(view, Axis::Y),
    )
    .possible(|view| to_mirror(view, Axis::Y).map(drop)),
    MIRROR_Z = row(
        "Mirror across z",
        "Make or update the selected bones' mirror images on the other side of z = 0; of two selected sides, the one changed last is copied.",
        |view| mirrored(view, Axis::Z),
    )
    .possible(|view| to_mirror(view, Axis::Z).map(drop)),
    ALIGN_ROLL = row(
        "Align roll to bend",
        "Turn the selected bones' own axes so that a chain bends about local x alone.",
        |view| {
            let commands = align_roll(view, RollTo::BendPlane)?;
            require(!commands.is_empty(), "The roll is so already, or nothing is bent.")?;
            Prepared::commands(commands)
        },
    )
    .keys(&[Shortcut::shift("N")])
    .separated(),
    ALIGN_ROLL_TO_AXIS = row(
        "Align roll to axis…",
        "Turn the selected bones' own x or z as near as can be to an axis of the mesh.",
        |view| selected(view).and_then(|_| Prepared::dialog(Dialog::AlignRoll)),
    ),
    FIT_RADIUS = row(
        "Fit radius",
        "Set the radii of the selected bones, or of all if none is selected, to what the surface around them needs.",
        |view| {
            let (mesh, _, bones) = selected_or_all(view)?;
            Prepared::command(Command::FitRadius { mesh, bones })
        },
    )
    .keys(&[Shortcut::alt("F")])
    .separated(),
    SCALE_RADIUS = row(
        "Scale radius…",
        "Multiply the radii of the selected bones, or of all if none is selected.",
        |view| selected_or_all(view).and_then(|_| Prepared::dialog(Dialog::ScaleRadius)),
    )
    .keys(&[Shortcut::alt("S")]),
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
    TOGGLE_CHILDREN = row(
        "Children move along",
        "Move all descendants along with a bone's tip, dragged or typed; off, the tips of its children stay.",
        |_| {
            Ok(Prepared::Run(|_, settings| {
                settings.children = match settings.children {
                    Children::Stay => Children::Along,
                    Children::Along => Children::Stay,
                };
            }))
        },
    )
    .checked(|view| view.settings.children == Children::Along),
);

/// Mesh, skeleton and selected bones, in ascending order.
type Selected<'a> = (String, &'a Skeleton, Vec<usize>);

fn selected<'a>(view: &View<'a>) -> Result<Selected<'a>, Reason> {
    let (mesh, skeleton) = skeleton(view)?;
    let bones = bones(view, skeleton)?;
    Ok((mesh, skeleton, bones))
}

/// All bones where none is selected.
fn selected_or_all<'a>(view: &View<'a>) -> Result<Selected<'a>, Reason> {
    let (mesh, skeleton) = skeleton(view)?;
    match selected(view) {
        Ok(selected) => Ok(selected),
        Err(_) if skeleton.bones.is_empty() => Err("Add a bone first: this mesh has none.".into()),
        Err(_) => Ok((mesh, skeleton, skeleton.shown_bones().collect())),
    }
}

fn skeleton<'a>(view: &View<'a>) -> Result<(String, &'a Skeleton), Reason> {
    let (mesh, skinned) = mesh(view)?;
    in_rig(view, "The skeleton is changed in the Rig tab.")?;
    Ok((mesh, &skinned.skeleton))
}

/// How many bones the dialog is about: the selected ones, or for radii all if none is selected.
pub fn count(dialog: Dialog, view: &View) -> usize {
    let found = match dialog {
        Dialog::ScaleRadius => selected_or_all(view),
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
    require(!bones.is_empty(), "The active bone is their parent already.")?;
    let below = tree::reparent(&mut skeleton.clone(), &bones, Some(parent)).is_none();
    require(!below, "The active bone is a descendant of one of the others.")?;
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
/// A sentence for the tooltip.
pub fn split(view: &View, pieces: usize) -> Result<Vec<Command>, Reason> {
    let (mesh, _, bones) = selected(view)?;
    Ok(vec![Command::SplitBones { mesh, bones, pieces }])
}

/// Copies of the selected bones, in place.
pub fn duplicate(view: &View) -> Result<Prepared, Reason> {
    let (mesh, _, bones) = selected(view)?;
    Prepared::command(Command::DuplicateBones { mesh, bones })
}

fn merge(view: &View) -> Result<Prepared, Reason> {
    let (mesh, skeleton, mut bones) = selected(view)?;
    bones.retain(|&bone| parent_past_links(skeleton, bone).is_some());
    require(!bones.is_empty(), "A root has no parent to be merged into.")?;
    Prepared::command(Command::MergeBones { mesh, bones })
}

fn to_mirror<'a>(view: &View<'a>, axis: Axis) -> Result<Selected<'a>, Reason> {
    let (mesh, skeleton, bones) = selected(view)?;
    match mirror::can_mirror(skeleton, &bones, axis) {
        true => Ok((mesh, skeleton, bones)),
        false => Err(format!("It lies in the plane where {} is 0.", axis.name()).into()),
    }
}

/// Of two sides that are both selected, mirrors the one that was changed last. The message says which side was
/// overwritten, and by how much.
fn mirrored(view: &View, axis: Axis) -> Result<Prepared, Reason> {
    let (mesh, skeleton, bones) = to_mirror(view, axis)?;
    let (bones, newer) = newer_side::sources(view.session, &mesh, &bones, axis);
    let effect = Effect::of(skeleton, &bones, axis);
    let mut note = Note {
        offers_undo: true,
        ..Note::new(effect.text(axis))
    };
    if let Some(newer) = newer.filter(|_| effect.updated > 0) {
        let side = mirror::side_names(axis)[newer];
        note.is_warning = effect.from[newer] == 0;
        note.text += &match note.is_warning {
            true => format!(". What was changed last, {side}, was replaced"),
            false => format!(". The side changed last is copied: {side}"),
        };
    }
    Ok(Prepared::Commands {
        commands: vec![Command::MirrorBones { mesh, bones, axis }],
        frame: None,
        note: Some(note),
    })
}

/// Aligns the rolls of the selected bones; no command where they are so already.
///
/// # Errors
/// A sentence for the tooltip.
pub fn align_roll(view: &View, to: RollTo) -> Result<Vec<Command>, Reason> {
    let (mesh, skeleton, bones) = selected(view)?;
    let mut rolls = roll::rolls(skeleton, &bones, to).into_iter();
    if rolls.all(|(bone, roll)| skeleton.bones[bone].roll_deg == roll) {
        return Ok(Vec::new());
    }
    Ok(vec![Command::AlignRoll { mesh, bones, to }])
}

/// Multiplies the radii of the selected bones, or of all if none is selected.
///
/// # Errors
/// A sentence for the tooltip.
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
        Some(parent) => continuing(&skinned.skeleton, parent),
        None => first_bone(skinned.surface.positions()),
    };
    Prepared::command(Command::AddBone {
        mesh,
        parent,
        extent,
        radius,
    })
}

/// Half as long as the parent, in its direction, of its radius. Upwards where the parent has no length.
fn continuing(skeleton: &Skeleton, parent: usize) -> (Vec3, f32) {
    let parent = &skeleton.bones[parent];
    let half = parent.extent * 0.5;
    if half == Vec3::ZERO {
        let length = if parent.radius > 0.0 { parent.radius } else { 1.0 };
        return (Vec3::Y * length, parent.radius);
    }
    (half, parent.radius)
}

/// A quarter as long as the mesh is large, upwards; a unit bone where there is no mesh to measure.
fn first_bone(positions: &[Vec3]) -> (Vec3, f32) {
    let low = positions.iter().copied().fold(Vec3::INFINITY, Vec3::min);
    let high = positions.iter().copied().fold(Vec3::NEG_INFINITY, Vec3::max);
    let size = (high - low).max_element();
    let length = if size.is_finite() && size > 0.0 {
        size / 4.0
    } else {
        1.0
    };
    (Vec3::Y * length, length / 4.0)
}

fn add_ik(view: &View) -> Result<Prepared, Reason> {
    let (mesh, skinned) = mesh(view)?;
    let bones = bones(view, &skinned.skeleton)?;
    let first = skinned.skeleton.handles.len();
    let add = bones.iter().map(|&bone| Command::AddHandle {
        mesh: mesh.clone(),
        bone,
    });
    let mut commands: Vec<Command> = add.collect();
    // Where a pose is seen, the handles hold the tips where they are.
    let posed = view.evaluated.skinned.get(&mesh);
    if let Some(posed) = posed.filter(|_| view.settings.tab == Tab::Animate) {
        let tips = kinematics::tips(&posed.skeleton, &posed.current);
        for (handle, tip) in (first..).zip(bones.iter().map(|&bone| tips.get(bone))) {
            let (mesh, target) = (mesh.clone(), tip.map(|tip| tip.as_vec3()));
            commands.extend(target.map(|target| Command::SetHandleTarget {
                mesh: mesh.clone(),
                handle,
                target,
            }));
            commands.push(Command::SetHandleEnabled {
                mesh,
                handle,
                enabled: true,
            });
        }
    }
    Prepared::commands(commands)
}
