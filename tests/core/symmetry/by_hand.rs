//! Partners that are chosen by hand, where names and places give none or the wrong one.

use super::unmatched;
use super::{
    ARM_L, ARM_R, HAND_L, HAND_R, HORN, MESH, SPINE, apply, image, now, session, session_on, skeleton,
};
use crate::editing::bone;
use glam::Vec3;
use ossature::edit::action::Action;
use ossature::edit::command::Command;
use ossature::edit::select::selection::Part;
use ossature::edit::session::Session;
use ossature::edit::settings::view::ViewSettings;
use ossature::io::js3d;
use ossature::rig::body::mirror_plane::MirrorPlane;
use ossature::rig::body::sides::other_sides;
use ossature::rig::edits::mirror::{Effect, mirror};
use ossature::rig::limits::Limits;
use ossature::rig::skeleton::{Bone, Skeleton};
use ossature::scene::evaluate::Evaluated;

const TAIL: usize = 6;
const LEFT: usize = 7;
const RIGHT: usize = 8;

/// A skeleton with a second horn unlike the first one, and a bone on each.
fn horned() -> Skeleton {
    let mut skeleton = skeleton();
    skeleton.bones.push(bone(None, Some(0), [-0.9, 0.2, 0.7], 16));
    skeleton.bones.push(bone(None, Some(HORN as u32), [0.1, 0.3, 0.0], 17));
    skeleton.bones.push(bone(None, Some(TAIL as u32), [-0.1, 0.3, 0.0], 18));
    skeleton
}

fn act(session: &mut Session, action: Action) -> Result<(), String> {
    let mut settings = ViewSettings::default();
    let prepared = action.prepare_in(session, &settings, &Evaluated::default());
    let prepared = prepared.map_err(|why| why.to_string())?;
    prepared.carry_out(session, &mut settings).unwrap();
    Ok(())
}

fn select(session: &mut Session, bones: &[usize]) {
    let parts = bones.iter().map(|&bone| Part::Bone(bone));
    session.select(session.selection().with_parts(parts));
}

#[test]
fn a_chosen_pair_is_edited_on_both_sides_and_so_is_what_it_carries() {
    let mut session = session_on(horned());
    assert_eq!(unmatched(&now(&session)), [HORN, TAIL, LEFT, RIGHT]);
    let before = session.scene().clone();
    select(&mut session, &[HORN, TAIL]);
    act(&mut session, Action::PAIR_SIDES).unwrap();
    let others = other_sides(&now(&session), &MirrorPlane::X);
    assert_eq!([others[HORN], others[TAIL]], [Some(TAIL), Some(HORN)]);
    assert_eq!(others[LEFT], Some(RIGHT), "along the parents");
    assert!(unmatched(&now(&session)).is_empty());
    assert!(act(&mut session, Action::PAIR_SIDES).unwrap_err().contains("already"));
    let (mesh, bone, extent) = (MESH.into(), HORN, Vec3::new(0.5, 1.2, 0.3));
    apply(&mut session, &[Command::MoveTip { mesh, bone, extent }]);
    let tips = super::bind_tips(&now(&session));
    assert!(image(tips[HORN]).distance(tips[TAIL]) < 1e-6, "{} {}", tips[HORN], tips[TAIL]);
    session.undo();
    select(&mut session, &[TAIL]);
    act(&mut session, Action::UNPAIR_SIDES).unwrap();
    assert_eq!(unmatched(&now(&session)), [HORN, TAIL, LEFT, RIGHT]);
    assert!(act(&mut session, Action::UNPAIR_SIDES).is_err());
    session.undo();
    session.undo();
    assert!(session.scene().is_shared(&before));
}

#[test]
fn it_wins_over_names_and_leaves_those_whose_partner_it_takes() {
    let mut session = session();
    let pair = |bone, other| Command::PairBones { mesh: MESH.into(), bone, other };
    apply(&mut session, &[pair(ARM_L, Some(HAND_R))]);
    let others = other_sides(&now(&session), &MirrorPlane::X);
    assert_eq!([others[ARM_L], others[HAND_R]], [Some(HAND_R), Some(ARM_L)]);
    assert_eq!([others[ARM_R], others[HAND_L]], [None; 2]);
    // Another pair frees the old one.
    apply(&mut session, &[pair(HAND_L, Some(HAND_R))]);
    let others = other_sides(&now(&session), &MirrorPlane::X);
    assert_eq!([others[ARM_L], others[HAND_R]], [Some(ARM_R), Some(HAND_L)]);
    assert!(session.apply(&[pair(SPINE, Some(SPINE))]).is_err());
    assert!(session.apply(&[pair(SPINE, Some(99))]).is_err());
    // A copy does not take the partner away.
    let (mesh, bones) = (MESH.into(), vec![HAND_L]);
    session.set_symmetric(false);
    apply(&mut session, &[Command::DuplicateBones { mesh, bones }]);
    let after = now(&session);
    let place = |id: u32| after.bones.iter().position(|bone| bone.channel_id == id).unwrap();
    assert_eq!(other_sides(&after, &MirrorPlane::X)[place(4)], Some(place(3)));
}

#[test]
fn the_file_keeps_it() {
    let mut session = session_on(horned());
    select(&mut session, &[HORN, TAIL]);
    act(&mut session, Action::PAIR_SIDES).unwrap();
    let written = js3d::write(session.scene()).unwrap();
    let (read, report) = js3d::read(&written).unwrap();
    assert!(report.findings.is_empty(), "{report:?}");
    assert_eq!(read.skinned_meshes[MESH].skeleton, now(&session));
    assert_eq!(js3d::write(&read).unwrap(), written);
    let text = String::from_utf8(written).unwrap();
    assert!(text.contains("\"mirror_of\""), "{text}");
    let spoiled = text.replace("\"mirror_of\":5", "\"mirror_of\":-5");
    assert_ne!(spoiled, text);
    let (read, report) = js3d::read(spoiled.as_bytes()).unwrap();
    assert!(report.findings.iter().any(|finding| finding.code == "bad-joint"));
    assert_eq!(unmatched(&read.skinned_meshes[MESH].skeleton).len(), 4);
}

#[test]
fn weights_are_locked_on_both_sides() {
    let mut session = session();
    for (bone, locked) in [(ARM_L, true), (ARM_R, false)] {
        apply(&mut session, &[Command::lock_weights(MESH.into(), &[bone], locked)]);
        let bones = &now(&session).bones;
        assert_eq!([ARM_L, ARM_R].map(|bone| bones[bone].lock_weights), [locked; 2]);
        assert!(!bones[SPINE].lock_weights && !bones[HAND_R].lock_weights);
    }
}

/// What no bone of a mirrored skeleton shows, such as limits, is a difference too.
#[test]
fn mirroring_says_that_it_changes_limits_and_locks() {
    let mut skeleton = skeleton();
    mirror(&mut skeleton, &[ARM_L], &MirrorPlane::X, &[], &[8, 9]).unwrap();
    assert_eq!(Effect::new(&skeleton, &[ARM_L], &MirrorPlane::X).updated, 0);
    for change in [
        |bone: &mut Bone| bone.limits_deg = Limits([Some([-5.0, 5.0]), None, None]),
        |bone: &mut Bone| bone.lock_weights = true,
        |bone: &mut Bone| bone.stiffness = Vec3::X,
        |bone: &mut Bone| bone.preferred_deg = Some(Vec3::Y),
    ] {
        let mut changed = skeleton.clone();
        change(&mut changed.bones[ARM_L]);
        assert_eq!(Effect::new(&changed, &[ARM_L], &MirrorPlane::X).updated, 1);
    }
}

#[test]
fn a_mirrored_bone_is_locked_like_its_source() {
    let mut skeleton = skeleton();
    skeleton.bones[HORN].lock_weights = true;
    let mut session = session_on(skeleton);
    let (mesh, bones) = (MESH.into(), vec![HORN]);
    apply(&mut session, &[Command::MirrorBones { mesh, bones, axis: None }]);
    let after = now(&session);
    let other = other_sides(&after, &MirrorPlane::X)[HORN].unwrap();
    assert!(other != HORN && after.bones[other].lock_weights);
}
