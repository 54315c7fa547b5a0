//! Live symmetry: both sides stay mirror images whatever is done to one, in one step, and bones without
//! another side are edited alone.

mod by_hand;
mod nearest;
mod poses;

use crate::editing::{self, Random, bone, handle};
use glam::{DVec3, Quat, Vec3};
use ossature::edit::command::Command;
use ossature::edit::select::selection::Part;
use ossature::edit::session::Session;
use ossature::rig::body::middle::BothSides;
use ossature::rig::body::mirror_plane::MirrorPlane;
use ossature::rig::body::sides::{are_mirrored, other_sides};
use ossature::rig::edits::symmetry::mirrored_pose;
use ossature::rig::kinematics::{bind_pose, tips};
use ossature::rig::skeleton::Skeleton;
use std::sync::Arc;

const MESH: &str = "M";
const SPINE: usize = 0;
const ARM_L: usize = 1;
const ARM_R: usize = 2;
const HAND_L: usize = 3;
const HAND_R: usize = 4;
const HORN: usize = 5;

/// A spine, arms paired by name, hands by position, and a horn without another side.
fn skeleton() -> Skeleton {
    let mut bones = vec![
        bone(Some("Spine"), None, [0.0, 1.0, 0.1], 0),
        bone(Some("Arm.L"), Some(0), [0.8, 0.4, 0.2], 1),
        bone(Some("Arm.R"), Some(0), [-0.8, 0.4, 0.2], 2),
        bone(None, Some(1), [0.5, -1.0, 0.0], 3),
        bone(None, Some(2), [-0.5, -1.0, 0.0], 4),
        bone(Some("Horn"), Some(0), [0.3, 1.0, 0.0], 5),
    ];
    for bone in [ARM_R, HAND_R] {
        bones[bone].roll_deg = -bones[bone].roll_deg;
    }
    Skeleton {
        bones,
        handles: vec![handle(3, [1.3, 0.4, 0.3], 0), handle(4, [-1.3, 0.4, 0.3], 1)],
        ..Skeleton::default()
    }
}

fn session_on(skeleton: Skeleton) -> Session {
    let mut session = editing::session::session_on(MESH, skeleton);
    session.set_symmetric(true);
    session
}

fn session() -> Session {
    session_on(skeleton())
}

fn now(session: &Session) -> Arc<Skeleton> {
    session.scene().skinned_meshes[MESH].skeleton.clone()
}

fn bind_tips(skeleton: &Skeleton) -> Vec<DVec3> {
    tips(skeleton, &bind_pose(skeleton))
}

/// Returns the bones without another side.
fn unmatched(skeleton: &Skeleton) -> Vec<usize> {
    BothSides::new(skeleton).unmatched(skeleton)
}

fn image(point: DVec3) -> DVec3 {
    point * DVec3::new(-1.0, 1.0, 1.0)
}

fn apply(session: &mut Session, commands: &[Command]) {
    let steps = session.history().cursor();
    session.apply(commands).unwrap();
    assert_eq!(session.history().cursor(), steps + 1, "one step: {commands:?}");
}

/// Checks that tips of all pairs are images to 1e-6 of the size, and that the middle stays in place.
fn assert_symmetric(skeleton: &Skeleton, what: &str) {
    let found = bind_tips(skeleton);
    let size = found.iter().fold(0.0_f64, |size, tip| size.max(tip.abs().max_element()));
    for (this, other) in other_sides(skeleton, &MirrorPlane::X).into_iter().enumerate() {
        let Some(other) = other else { continue };
        let off = image(found[this]).distance(found[other]);
        assert!(off <= 1e-6 * size, "{what}: {} is off by {off}", skeleton.bone_name(this));
        let [a, b] = [this, other].map(|bone| &skeleton.bones[bone]);
        assert_eq!(a.radius, b.radius, "{what}");
        if this != other {
            let turned = mirrored_pose(a, b, a.pose_deg, &MirrorPlane::X);
            assert!(turned.abs_diff_eq(b.pose_deg, 1e-3), "{what}: {turned} {}", b.pose_deg);
        }
    }
}

/// A random edit that neither adds nor removes bones.
fn random_edit(random: &mut Random, bones: usize) -> Command {
    let bone = random.below(bones);
    let mesh = MESH.to_owned();
    let near = |random: &mut Random| random.vec3(0.3) + Vec3::new(0.2, 0.7, 0.1);
    match random.below(9) {
        0 => Command::MoveTip { mesh, bone, extent: near(random) },
        1 => Command::set_bone(mesh, bone, "extent", near(random)),
        2 => Command::set_bone(mesh, bone, "roll", random.vec3(180.0).x),
        3 => Command::set_bone(mesh, bone, "radius", random.vec3(1.0).x.abs()),
        4 => Command::set_bone(mesh, bone, "pose", random.vec3(80.0)),
        5 => {
            let rotation = Quat::from_scaled_axis(random.vec3(0.5));
            Command::RotateBones { mesh, bones: vec![bone], rotation }
        }
        6 => {
            let factor = 1.0 + 0.3 * random.vec3(1.0).x;
            Command::ScaleBones { mesh, bones: vec![bone], factor }
        }
        7 => Command::set_skeleton(mesh, "base", random.vec3(0.5)),
        _ => {
            let (start, tip) = (random.vec3(1.0), random.vec3(2.0));
            Command::MoveBone { mesh, bone, start, tip }
        }
    }
}

#[test]
fn after_a_thousand_edits_both_sides_are_still_images() {
    // All arms and hands have names, because positions may coincide by chance.
    let mut named = skeleton();
    for (bone, name) in [(HAND_L, "Hand.L"), (HAND_R, "Hand.R")] {
        named.bones[bone].name = Some(name.into());
    }
    named.bones.truncate(HORN);
    let mut session = session_on(named);
    let mut random = Random::new(5);
    for step in 0..1000 {
        let edit = random_edit(&mut random, HORN);
        session.apply(std::slice::from_ref(&edit)).unwrap();
        assert_symmetric(&now(&session), &format!("step {step}, {edit:?}"));
    }
    assert_eq!(bind_tips(&now(&session))[SPINE].x, 0.0);
}

#[test]
fn without_symmetry_the_other_side_stays() {
    let mut session = session();
    session.set_symmetric(false);
    let (mesh, bone, radius) = (MESH.into(), ARM_L, 0.25);
    apply(&mut session, &[Command::set_bone(mesh, bone, "radius", radius)]);
    assert_eq!(now(&session).bones[ARM_R].radius, 0.9);
}

#[test]
fn a_drag_takes_the_other_side_along_in_each_frame_and_comes_back() {
    let mut session = session();
    let before = session.scene().clone();
    for x in [0.9, 1.4, 1.2] {
        let (mesh, bone, extent) = (MESH.into(), ARM_L, Vec3::new(x, 0.1, 0.4));
        session.preview(&[Command::MoveTip { mesh, bone, extent }]).unwrap();
        assert_symmetric(&now(&session), "preview");
        assert_eq!(now(&session).bones[ARM_R].extent.x, -x);
    }
    assert!(session.commit());
    session.undo();
    assert!(session.scene().is_shared(&before), "one step");
}

#[test]
fn a_bone_without_another_side_is_edited_alone() {
    let mut session = session();
    assert_eq!(unmatched(&now(&session)), [HORN]);
    let before = now(&session);
    let (mesh, bone, extent) = (MESH.into(), HORN, Vec3::new(0.7, 1.0, 0.2));
    apply(&mut session, &[Command::MoveTip { mesh, bone, extent }]);
    let after = now(&session);
    assert_eq!(after.bones[HORN].extent, extent);
    assert_eq!(after.bones[..HORN], before.bones[..HORN]);
}

#[test]
fn new_bones_come_in_pairs_and_in_the_middle_alone() {
    let mut session = session();
    let add =
        |parent, extent| Command::AddBone { mesh: MESH.into(), parent: Some(parent), extent, radius: 0.1 };
    apply(&mut session, &[add(HAND_L, Vec3::new(0.2, -0.2, 0.0))]);
    let after = now(&session);
    assert_eq!(after.bones.len(), 8);
    assert_symmetric(&after, "fingers");
    let selected = session.selection().bone().unwrap();
    assert_eq!(after.bone_name(selected), "Bone.L", "the one that was made");
    // A bone that leans slightly is meant to lie in the middle.
    apply(&mut session, &[add(SPINE, Vec3::new(0.03, 1.0, 0.0))]);
    let after = now(&session);
    let neck = session.selection().bone().unwrap();
    assert_eq!((after.bones.len(), after.bones[neck].extent.x), (9, 0.0));
    // This one leans too far for that.
    apply(&mut session, &[add(SPINE, Vec3::new(0.5, 0.5, 0.0))]);
    assert_eq!(now(&session).bones.len(), 11);
    assert_symmetric(&now(&session), "wings");
}

#[test]
fn what_changes_which_bones_there_are_is_done_to_both_sides() {
    let mesh = || MESH.to_owned();
    let cases = [
        (Command::DeleteBone { mesh: mesh(), bone: ARM_L }, 4),
        (Command::DeleteSubtrees { mesh: mesh(), bones: vec![ARM_R] }, 2),
        (Command::DeleteSubtrees { mesh: mesh(), bones: vec![ARM_R, ARM_L] }, 2),
        (Command::MergeBones { mesh: mesh(), bones: vec![HAND_L] }, 4),
        (Command::SplitBones { mesh: mesh(), bones: vec![ARM_L], pieces: 3 }, 10),
        (Command::DuplicateBones { mesh: mesh(), bones: vec![HAND_R] }, 8),
        (Command::Reparent { mesh: mesh(), bones: vec![HAND_L], parent: Some(SPINE) }, 6),
        (Command::Reparent { mesh: mesh(), bones: vec![HORN], parent: Some(ARM_L) }, 6),
    ];
    for (command, bones) in cases {
        let mut session = session();
        let before = session.scene().clone();
        apply(&mut session, std::slice::from_ref(&command));
        let after = now(&session);
        assert_eq!(after.bones.len(), bones, "{command:?}");
        assert_symmetric(&after, &format!("{command:?}"));
        let alone: Vec<String> = unmatched(&after).iter().map(|b| after.bone_name(*b)).collect();
        assert_eq!(alone, ["Horn"], "{command:?}");
        session.undo();
        assert!(session.scene().is_shared(&before));
    }
    let mut session = session();
    let (bones, parent) = (vec![HAND_R], Some(SPINE));
    apply(&mut session, &[Command::Reparent { mesh: mesh(), bones, parent }]);
    assert_eq!(now(&session).bones[HAND_L].parent, Some(SPINE as u32));
}

#[test]
fn both_sides_selected_count_once_and_the_active_one_leads() {
    let mut session = session();
    let selected = [Part::Bone(ARM_R), Part::Bone(ARM_L)];
    let selection = session.selection().with_parts(selected);
    session.select(selection);
    // Dragging both moves each to its own right.
    let moved = |bone: usize| Command::MoveTip {
        mesh: MESH.into(),
        bone,
        extent: skeleton().bones[bone].extent + Vec3::new(0.1, 0.2, 0.0),
    };
    session.preview(&[moved(ARM_L), moved(ARM_R)]).unwrap();
    let tips = bind_tips(&now(&session));
    assert!((tips[ARM_R].x - -0.7).abs() < 1e-6, "{}", tips[ARM_R]);
    assert_symmetric(&now(&session), "both");
    session.cancel();
    let turned = |bone| Command::set_bone(MESH.into(), bone, "pose", Vec3::new(0.0, 0.0, 20.0));
    session.preview(&[turned(ARM_L), turned(ARM_R)]).unwrap();
    assert_eq!(now(&session).bones[ARM_R].pose_deg.z, 20.0);
    assert_eq!(now(&session).bones[ARM_L].pose_deg.z, -20.0);
    session.cancel();
    // A pose for both sides is applied as given.
    apply(&mut session, &[turned(ARM_L), turned(ARM_R)]);
    assert_eq!(now(&session).bones[ARM_L].pose_deg.z, 20.0);
}

#[test]
fn symmetrize_is_by_side_whichever_was_changed_last() {
    use ossature::edit::action::Action;
    use ossature::edit::settings::view::ViewSettings;
    use ossature::scene::evaluate::Evaluated;
    let mut session = session();
    session.set_symmetric(false);
    let (mesh, bone, radius) = (MESH.into(), ARM_L, 0.25);
    apply(&mut session, &[Command::set_bone(mesh, bone, "radius", radius)]);
    let act = |session: &mut Session, action: Action| {
        let mut settings = ViewSettings::default();
        let prepared = action.prepare_in(session, &settings, &Evaluated::default()).unwrap();
        prepared.carry_out(session, &mut settings).unwrap();
    };
    act(&mut session, Action::SYMMETRIZE_RIGHT);
    assert_eq!(now(&session).bones[ARM_L].radius, 0.9);
    session.undo();
    act(&mut session, Action::SYMMETRIZE_LEFT);
    let after = now(&session);
    assert_eq!(after.bones[ARM_R].radius, 0.25);
    assert_eq!(after.bones.len(), 7, "the horn is on the left, and gets its other side");
    assert!(unmatched(&after).is_empty());
    session.undo();
    // A bone on the side that is made stands in for its image.
    let selection = session.selection().with_part(Some(Part::Bone(ARM_R)));
    session.select(selection);
    act(&mut session, Action::SYMMETRIZE_LEFT);
    assert_eq!(now(&session).bones[ARM_R].radius, 0.25);
    assert_eq!(now(&session).bones.len(), 6);
    assert!(are_mirrored(&now(&session), &[[ARM_L, ARM_R]], &MirrorPlane::X));
}
