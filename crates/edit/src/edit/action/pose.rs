//! The Pose menu: copying, pasting, resetting, baking.

use super::fk_ik::{switch, with_keys};
use super::lock;
use super::pins::all_look_at;
use super::selected::{bones, handles, in_animate, mesh, require, visible_pose};
use super::take_over::{self, NewIk};
use super::view::flag;
use super::{Action, AppRequest, Dialog, Note, Prepared, Reason, Shortcut, row, rows};
use crate::anim::channel::{ChannelRef, SkeletonChannel, Value};
use crate::anim::mode::Mode;
use crate::edit::command::keys::{KeyCommand, KeyframeValues, Purpose};
use crate::edit::command::poses::unique_name;
use crate::edit::command::{Command, PoseChange, new_handle_ids};
use crate::edit::pose::{PoseCopy, copy, is_whole};
use crate::edit::select::active_rig::ActiveRig;
use crate::edit::session::first_keys::neighbour_frames;
use crate::edit::settings::view::View;
use crate::edit::time::attach::{characters, transform_of};
use crate::edit::time::bake_moves::bake_moves;
use crate::edit::time::keying::part_channels;
use crate::edit::time::tween::{Tween, TweenKind};
use crate::io::count::{counted, grouped};
use crate::io::js3d::differences::moved_bones;
use crate::rig::ik::chain::chain;
use crate::rig::poses::SavedPose;
use crate::rig::property::{ENABLED, POSE, SCALE, TRANSLATION};
use crate::rig::skeleton::{Bone, Handle, Part, Skeleton};
use crate::scene::skinned::SkinnedMesh;
use glam::Vec3;
use std::sync::Arc;

rows!(
    COPY_POSE = row(
        "Copy pose",
        "Copy the pose of the selected bones and handles, or of everything if none is selected.",
        copy_pose,
    )
    .available_if(|view| copy_source(view).map(drop))
    .keys(&[Shortcut::ctrl("C")]),
    PASTE_POSE = row(
        "Paste pose",
        "Paste the copied pose onto the bones of the same names and their handles, in this skeleton or another.",
        |view| paste_pose(view, false),
    )
    .available_if(|view| paste_target(view, false).map(drop))
    .keys(&[Shortcut::ctrl("V")]),
    PASTE_MIRRORED_POSE = row(
        "Paste mirrored pose",
        "Paste the copied pose mirrored, onto the bones and handles of the other side.",
        |view| paste_pose(view, true),
    )
    .keywords("flip")
    .available_if(|view| paste_target(view, true).map(drop))
    .keys(&[Shortcut::ctrl_shift("V")]),
    SAVE_POSE = row(
        "Save pose",
        "Save the current pose of the selected bones and handles, or of everything if none is selected, with the character.",
        save_pose,
    )
    .available_if(|view| posable_character(view).map(drop)),
    IMPORT_POSES = row(
        "Import poses…",
        "Add the saved poses of another js3d file, for the bones that have the same names here.",
        |view| posable_character(view).map(|_| Prepared::App(AppRequest::ImportPoses)),
    )
    .in_submenu("Saved poses"),
    EXPORT_POSES = row(
        "Export poses…",
        "Write the saved poses, with the skeleton and nothing else, to a js3d file, for other characters.",
        |view| {
            let (_, skinned) = posable_character(view)?;
            require(!skinned.poses.is_empty(), "This character has no saved poses.")?;
            Ok(Prepared::App(AppRequest::ExportPoses))
        },
    )
    .in_submenu("Saved poses"),
    // The key of Clear Rotation in Blender.
    RESET_BONE_POSE = row(
        "Reset bone pose",
        "Return the selected bones to the bind pose.",
        reset_bone_pose,
    )
    .keys(&[Shortcut::alt("R")])
    .separated(),
    RESET_POSE = row(
        "Reset pose",
        "Return all bones and the base to the bind pose.",
        reset_pose,
    )
    .keys(&[Shortcut::alt_shift("R")]),
    POSE_BY_DRAGGING = row(
        "Pose by dragging",
        "Drag any part of the body, and its limb follows, or with Shift the whole body; bones can be dragged without this tool too.",
        pose_by_dragging,
    )
    .keywords("ik, auto ik, pull, full body, posing")
    .keys(&[Shortcut::plain("D")])
    .separated(),
    WHOLE_BODY = flag!(
        "Whole body",
        "When a bone is dragged, hips and trunk follow, and the feet that the body stands on stay, as with Shift.",
        tools.whole_body
    ),
    TWEEN = row(
        "Tween",
        "Drag sideways to blend the selected bones and handles, or the whole pose, between the keys before and after this frame.",
        |view| tween(view, TweenKind::Between, Action::TWEEN),
    )
    .keywords("breakdown, inbetween, in-between, tween machine")
    .keys(&[Shortcut::plain("T")])
    .separated(),
    BLEND_TO_NEIGHBORS = row(
        "Blend to neighbours",
        "Drag to the left to blend the pose towards the previous key, to the right towards the next one.",
        |view| tween(view, TweenKind::Neighbors, Action::BLEND_TO_NEIGHBORS),
    )
    .keys(&[Shortcut::shift("T")]),
    PUSH_RELAX = row(
        "Push or relax",
        "Drag to the right to exaggerate the pose relative to its neighbouring keys, to the left to relax it.",
        |view| tween(view, TweenKind::PushRelax, Action::PUSH_RELAX),
    ),
    BLEND_TO_REST = row(
        "Blend to bind pose",
        "Drag to the right to blend the selected bones, or the whole pose, towards the bind pose.",
        |view| tween(view, TweenKind::Rest, Action::BLEND_TO_REST),
    ),
    PIN = row(
        "Pin",
        "Pin the selected bones or handles in place; press again to pin their rotation too, a third time to unpin.",
        |view| take_over::add(view, NewIk::Pin),
    )
    .keywords("plant, hold, fix, feet")
    .keys(&[Shortcut::plain("P")])
    .separated(),
    LOOK_AT = row(
        "Look-at",
        "Make the selected handles turn their bones towards the target, like a head or an eye, instead of pulling their tails there; a bone without a handle gets one.",
        |view| take_over::add(view, NewIk::LookAt),
    )
    .checked(|view| all_look_at(view).is_ok_and(|all| all))
    .keywords("look at, aim, track to, gaze, eyes, head"),
    LOCK = row(
        "Lock in place…",
        "Hold the selected feet or hands where they are from this frame on, whatever the body does, then blend out.",
        lock::open_dialog,
    )
    .keywords("foot, plant, slide, skate, pin")
    .keys(&[Shortcut::ctrl_alt("P")]),
    ATTACH = row(
        "Attach to bone…",
        "Move the selected instance with a bone of a character, such as a prop in a hand, from one frame to another.",
        |view| {
            in_animate(view, "Instances are attached in the Animate tab.")?;
            let session = view.session;
            let instance = session.selection().instance.as_ref().ok_or("Select an instance first.")?;
            transform_of(session.scene(), instance)?;
            let others = characters(session.scene(), instance);
            require(!others.is_empty(), "There is no other instance with bones to attach it to.")?;
            Prepared::dialog(Dialog::Attach)
        },
    )
    .keywords("parent, prop, pick up, carry, constraint, child of"),
    SWITCH_FK_IK = row(
        "Switch between FK and IK",
        "Copy the IK result of the selected limbs into the pose and disable their handles, or move the handles to the limbs and enable them.",
        switch,
    )
    .keywords("FK/IK, FKIK, snap, match")
    .keys(&[Shortcut::shift("F")]),
    BAKE_IK = row(
        "Bake IK…",
        "Bake the rotations that IK gives bones into keyframes.",
        |view| can_bake(view).and_then(|_| Prepared::dialog(Dialog::BakeIk)),
    )
    .separated(),
    BAKE_MOVES = row(
        "Bake moves and scales",
        "Put bones back at their parents and unscaled, and let the base carry the body instead, at every frame: what Scotty3D can play.",
        bake_moves_of_mesh,
    )
    .available_if(|view| moved_mesh(view).map(drop)),
);

/// Returns the name of the skinned mesh, if bones of it are moved or scaled.
fn moved_mesh(view: &View) -> Result<String, Reason> {
    let (name, skinned) = mesh(view)?;
    in_animate(view, "Moves and scales are baked in the Animate tab.")?;
    let moved = moved_bones(&view.session.scene().animation, &name, &skinned.skeleton);
    require(!moved.is_empty(), "No bone of this skeleton is moved against its parent or scaled.")?;
    Ok(name)
}

fn bake_moves_of_mesh(view: &View) -> Result<Prepared, Reason> {
    let name = moved_mesh(view)?;
    let baked =
        bake_moves(view.session.scene(), &name).map_err(|error| format!("This cannot be baked: {error}."))?;
    let bones = counted(baked.bones, "bone", "bones");
    let text = format!(
        "Moves of {bones} baked; joints are at most {:.1} % of the size elsewhere",
        baked.distance * 100.0
    );
    Prepared::with_note(baked.commands, Note { offers_undo: true, ..Note::new(text) })
}

fn pose_by_dragging(view: &View) -> Result<Prepared, Reason> {
    in_animate(view, "Poses are changed in the Animate tab.")?;
    require(ActiveRig::from_view(view).is_some(), "Select a character first.")?;
    Ok(Prepared::App(AppRequest::ChooseTool(Action::POSE_BY_DRAGGING)))
}

fn tween(view: &View, kind: TweenKind, action: Action) -> Result<Prepared, Reason> {
    Tween::begin(view, kind)?;
    Ok(Prepared::App(AppRequest::ChooseTool(action)))
}

fn copy_source<'a>(view: &View<'a>) -> Result<(String, &'a SkinnedMesh), Reason> {
    let (name, skinned) = mesh(view)?;
    in_animate(view, "Poses are copied in the Animate tab.")?;
    require(!skinned.skeleton.bones.is_empty(), "This mesh has no bones.")?;
    Ok((name, skinned))
}

/// Copies the visible pose, with animation and IK applied, of the selected bones and handles, or of all of them and the
/// base if none is selected.
fn copy_pose(view: &View) -> Result<Prepared, Reason> {
    let (name, skinned) = copy_source(view)?;
    let stored = &skinned.skeleton;
    let (chosen, handles) = (bones(view, stored).unwrap_or_default(), handles(view, stored));
    // A whole pose is copied with all that pulls it, so that pulling the pose without IK gives it again; pulling a pose
    // that IK made may move its knees.
    let is_whole = is_whole(stored, &chosen, &handles);
    let visible = view.evaluated.skinned.get(&name).map(|posed| &posed.skeleton).filter(|_| !is_whole);
    let visible = visible.filter(|visible| visible.bones.len() == stored.bones.len()).unwrap_or(stored);
    let visible = with_stored_handles(visible, stored);
    Ok(Prepared::CopyPose(Arc::new(copy(&visible, &chosen, &handles))))
}

/// Returns a visible skeleton with the handles as stored: those that are shown are not in their spaces.
fn with_stored_handles(visible: &Skeleton, stored: &Skeleton) -> Skeleton {
    Skeleton { handles: stored.handles.clone(), ..visible.clone() }
}

fn posable_character<'a>(view: &View<'a>) -> Result<(String, &'a SkinnedMesh), Reason> {
    let (name, skinned) = mesh(view)?;
    in_animate(view, "Poses are saved in the Animate tab.")?;
    require(!skinned.skeleton.bones.is_empty(), "This mesh has no bones.")?;
    Ok((name, skinned))
}

fn save_pose(view: &View) -> Result<Prepared, Reason> {
    let pose = pose_to_save(view, None)?;
    let text = format!("{} saved with the character", pose.name);
    let mesh = posable_character(view)?.0;
    let change = PoseChange::Save(pose);
    Prepared::with_note(vec![Command::Poses { mesh, change }], Note::new(text))
}

/// Returns the visible pose of the selected bones and handles, or of all of them and the base, named `name` or with a new
/// name.
///
/// # Errors
/// The reason why there is none: a sentence for the tooltip.
pub fn pose_to_save(view: &View, name: Option<&str>) -> Result<SavedPose, Reason> {
    let (mesh, skinned) = posable_character(view)?;
    let (visible, _) = visible_pose(view, &mesh)?;
    let mut chosen = bones(view, &skinned.skeleton).unwrap_or_default();
    let name = name.map_or_else(|| unique_name(&skinned.poses, "Pose", None), str::to_owned);
    let mut handles = handles(view, &skinned.skeleton);
    // What a handle pulls is posed by bones where the other side has no handle.
    let pulled = handles.iter().map(|&handle| &skinned.skeleton.handles[handle]);
    chosen.extend(pulled.flat_map(|handle| chain(&skinned.skeleton, handle)));
    handles.extend(chosen.iter().flat_map(|&bone| skinned.skeleton.handles_on(bone)));
    let skeleton = with_stored_handles(&visible.skeleton, &skinned.skeleton);
    Ok(SavedPose::new(name, &skeleton, &chosen, &handles))
}

type PasteTarget<'a> = (String, &'a SkinnedMesh, &'a PoseCopy);

fn paste_target<'a>(view: &View<'a>, mirrored: bool) -> Result<PasteTarget<'a>, Reason> {
    let (name, skinned) = mesh(view)?;
    in_animate(view, "Poses are pasted in the Animate tab.")?;
    let copied = view.settings.clipboard.pose.as_ref().ok_or("Copy a pose first.")?;
    let reason = if mirrored {
        "Nothing of the copied pose has a counterpart here."
    } else {
        "Nothing of the copied pose is in this skeleton."
    };
    require(copied.fits(&skinned.skeleton, mirrored), reason)?;
    Ok((name, skinned, copied))
}

/// Pastes the copied pose or its mirror image; the message names the bones that are left out.
fn paste_pose(view: &View, mirrored: bool) -> Result<Prepared, Reason> {
    let (name, skinned, copied) = paste_target(view, mirrored)?;
    let (copied, others) = copied.within(view.session.scene(), &name);
    let mut pasted = if mirrored {
        copied.paste_mirrored(&name, &skinned.skeleton)
    } else {
        copied.paste(&name, &skinned.skeleton)
    };
    pasted.unmatched.extend(others);
    let lack = match (mirrored, pasted.unmatched.len()) {
        (true, 1) => "has no counterpart here",
        (true, _) => "have no counterpart here",
        (false, 1) => "is not in this skeleton",
        (false, _) => "are not in this skeleton",
    };
    let left_out = match &pasted.unmatched[..] {
        [] => None,
        [only] => Some(format!("Pose pasted, but {only} {lack}")),
        all => {
            let count = grouped(all.len());
            Some(format!("Pose pasted, but {count} of the copied bones and handles {lack}"))
        }
    };
    let mut commands = with_keys(view, &name, skinned, pasted.commands);
    if matches!(commands.last(), Some(Command::Keys(_))) {
        commands.extend(keys_of_new_handles(view, &name, skinned, &pasted.new_handles));
    }
    Prepared::with_note(
        commands,
        left_out.map(|text| Note {
            details: pasted.unmatched.join(", "),
            is_warning: true,
            ..Note::new(text)
        }),
    )
}

/// Returns the commands that key new handles at this frame, and make them pull neither before nor after it.
fn keys_of_new_handles(view: &View, mesh: &str, skinned: &SkinnedMesh, new: &[Handle]) -> Vec<Command> {
    let (session, mut skeleton) = (view.session, (*skinned.skeleton).clone());
    let first = skeleton.handles.len();
    let ids = new_handle_ids(session.animated(), mesh, new.len()).unwrap_or_default();
    let handles = new.iter().zip(ids).map(|(handle, channel_id)| Handle { channel_id, ..handle.clone() });
    skeleton.handles.extend(handles);
    let handles = first..skeleton.handles.len();
    let channels = handles.clone().flat_map(|handle| part_channels(mesh, &skeleton, Part::Handle(handle)));
    let around = neighbour_frames(session.scene(), mesh, session.frame());
    let knots = handles.clone().map(|handle| KeyframeValues {
        channel: ChannelRef::new(mesh, SkeletonChannel::Handle(skeleton.handles[handle].channel_id, ENABLED)),
        knots: around.iter().map(|frame| (*frame, Value::Bool(false))).collect(),
        modes: Vec::new(),
    });
    let set =
        KeyCommand::Set { channels: channels.collect(), frame: session.frame(), new_mode: Mode::Clamped };
    let put = KeyCommand::Put { purpose: Purpose::Paste, knots: knots.collect() };
    if new.is_empty() { Vec::new() } else { vec![Command::Keys(set), Command::Keys(put)] }
}

/// Returns the name of the skinned mesh whose handles can be baked.
///
/// # Errors
/// The reason why that is impossible: a sentence for the tooltip.
pub fn can_bake(view: &View) -> Result<String, Reason> {
    let (name, skinned) = mesh(view)?;
    in_animate(view, "IK is baked in the Animate tab.")?;
    let skeleton = &skinned.skeleton;
    let has_bone = |handle: &Handle| (handle.bone as usize) < skeleton.bones.len();
    let any = skeleton.handles.iter().any(has_bone);
    require(any, "This skeleton has no IK handle.")?;
    Ok(name)
}

fn reset_bone_pose(view: &View) -> Result<Prepared, Reason> {
    let (mesh, skinned) = mesh(view)?;
    let skeleton = &skinned.skeleton;
    let bones = bones(view, skeleton)?;
    let reset: Vec<Command> = bones.into_iter().flat_map(|bone| resets(&mesh, skeleton, bone)).collect();
    require(!reset.is_empty(), "The bone is already in its bind pose.")?;
    Prepared::commands(reset)
}

fn reset_pose(view: &View) -> Result<Prepared, Reason> {
    let (mesh, skinned) = mesh(view)?;
    let skeleton = &skinned.skeleton;
    let is_posed = skeleton.bones.iter().any(|bone| !bone.is_at_rest());
    let has_offset = skeleton.base_offset != Vec3::ZERO;
    require(is_posed || has_offset, "All bones and the base are in the bind pose already.")?;
    let poses_deg = vec![Vec3::ZERO; skeleton.bones.len()];
    let moved = (0..skeleton.bones.len()).flat_map(|bone| resets(&mesh, skeleton, bone));
    let moved = moved.filter(|command| !matches!(command.part_property(), Some((_, _, "pose", _))));
    let turned = Command::SetPoses { mesh: mesh.clone(), poses_deg };
    let offset = Command::set_skeleton(mesh.clone(), "base_offset", Vec3::ZERO);
    Prepared::commands([turned, offset].into_iter().chain(moved).collect())
}

/// Returns the commands that put a bone where it is in the bind pose.
fn resets(mesh: &str, skeleton: &Skeleton, bone: usize) -> impl Iterator<Item = Command> {
    let (this, rest) = (skeleton.bones[bone].clone(), Bone::default());
    let rows = [POSE, TRANSLATION, SCALE].into_iter();
    let changed = rows.filter_map(move |row| {
        row.get(&rest).filter(|value| row.get(&this).as_ref() != Some(value)).map(|value| (row, value))
    });
    let mesh = mesh.to_owned();
    changed.map(move |(row, value)| Command::set_bone(mesh.clone(), bone, row.info.id, value))
}
