//! Actions that start from the visible pose: pasted poses, and tips that new handles hold.

use super::{Desk, MID, MID_BONE};
use crate::editing;
use crate::editing::scene;
use glam::Vec3;
use ossature::edit::action::Action;
use ossature::edit::action::take_over::{NewIk, take_over, taken_over};
use ossature::edit::command::Command;
use ossature::edit::command::keys::KeyCommand;
use ossature::edit::select::selection::Part;
use ossature::edit::settings::view::{Tab, View};
use ossature::edit::time::keying;
use ossature::rig::kinematics;
use ossature::scene::evaluate::{Evaluator, Settings};

/// Pasting at a frame keys everything that is pasted and changes no earlier keyed frame; without motion at
/// the first frame it only turns the bones.
#[test]
fn pasting_keys_what_it_pastes() {
    for auto_key in [false, true] {
        let mut desk = Desk::new(None, 0.0);
        desk.session.set_auto_key(auto_key);
        let before = desk.angles(0.0);
        desk.session.set_frame(5.0);
        desk.act(Action::COPY_POSE);
        desk.session.set_frame(12.0);
        let poses: Vec<_> = desk.session.animated().skinned_meshes["Body"].skeleton.bones.to_vec();
        desk.act(Action::PASTE_POSE);
        for bone in &poses {
            let name = format!("bone.{}.pose", bone.channel_id);
            assert!(desk.times(&name).contains(&12.0), "{name}: {:?}", desk.times(&name));
        }
        assert!(desk.session.unkeyed().is_empty());
        assert_eq!(desk.angles(0.0), before);
        assert_eq!(desk.session.undo_label(), Some("Pose bones and handles"));
        desk.act(Action::UNDO);
        assert_eq!(*desk.session.scene(), scene());
    }
    // A character without keys.
    let mut bare = scene();
    let keys = keying::all_keys(&bare);
    Command::Keys(KeyCommand::Delete { keys }).apply(&mut bare).unwrap();
    let copied = {
        let mut desk = Desk::with(bare.clone(), Some(Part::Bone(1)), 0.0);
        desk.turn(33.0);
        desk.act(Action::COPY_POSE);
        desk.settings.clipboard.pose
    };
    for (frame, times) in [(0.0, vec![]), (12.0, vec![0.0, 12.0])] {
        let mut desk = Desk::with(bare.clone(), Some(Part::Bone(1)), frame);
        desk.settings.clipboard.pose = copied.clone();
        desk.act(Action::PASTE_POSE);
        assert_eq!((desk.times(MID), desk.mid_x()), (times, 33.0));
        if frame > 0.0 {
            assert_eq!(desk.angles(0.0), vec![0.0; desk.angles(0.0).len()]);
        }
    }
}

/// A new handle holds the visible tip in Animate, so nothing moves; in Rig its target is the bind-pose tip.
#[test]
fn add_ik_holds_what_is_seen() {
    let mut desk = Desk::new(MID_BONE, 2.0);
    desk.turn(70.0);
    let see = |desk: &mut Desk| {
        desk.evaluated = Evaluator::default().evaluate(desk.session.animated(), &Settings::default());
        let posed = desk.evaluated.skinned["Body"].clone();
        let poses: Vec<Vec3> = posed.skeleton.bones.iter().map(|bone| bone.pose_deg).collect();
        (poses, kinematics::tips(&posed.skeleton, &posed.current)[1].as_vec3())
    };
    let (poses, tip) = see(&mut desk);
    assert!(poses[1].x != 0.0);
    let steps = desk.session.undo_list().count();
    // The bone has keys: the handle takes it over up to the next one.
    let view = View { session: &desk.session, evaluated: &desk.evaluated, settings: &desk.settings };
    let range = taken_over(&view, NewIk::Handles).unwrap().to_next_key;
    let prepared = take_over(&view, NewIk::Handles, range).unwrap();
    prepared.carry_out(&mut desk.session, &mut desk.settings).unwrap();
    assert_eq!(desk.session.undo_list().count(), steps + 1, "one step");
    assert_eq!(desk.session.undo_label(), Some("Add IK to Mid"));
    let added = editing::skeleton(desk.session.scene(), "Body").handles.last().unwrap().clone();
    assert!(added.enabled && added.target == tip, "{added:?}");
    // Without a fork above, the limb is everything except the root.
    assert_eq!(added.chain, Some(1));
    assert_eq!(see(&mut desk).0, poses, "nothing moves");

    let mut desk = Desk::new(MID_BONE, 2.0);
    desk.turn(70.0);
    see(&mut desk);
    desk.settings.tab = Tab::Rig;
    desk.act(Action::ADD_IK);
    let added = editing::skeleton(desk.session.scene(), "Body").handles.last().unwrap().clone();
    assert!(!added.enabled && added.target == Vec3::new(0.0, 2.75, 0.25), "{added:?}");
}

/// The weight of a new handle ends with a step at the frame after its range, up to which the target follows the motion.
#[test]
fn a_new_handle_follows_the_motion_between_its_last_frame_and_the_next() {
    let mut desk = Desk::new(MID_BONE, 2.0);
    let tip_at = |desk: &mut Desk, frame: f32| {
        desk.session.set_frame(frame);
        desk.evaluated = Evaluator::default().evaluate(desk.session.animated(), &Settings::default());
        let posed = &desk.evaluated.skinned["Body"];
        kinematics::tips(&posed.skeleton, &posed.current)[1].as_vec3()
    };
    let frames = [5.0, 5.25, 5.5, 5.9, 6.0, 7.0];
    let before = frames.map(|frame| tip_at(&mut desk, frame));
    let way = before[0].distance(before[4]);
    assert!(way > 0.01, "the tip moves: {way}");
    tip_at(&mut desk, 2.0);
    let view = View { session: &desk.session, evaluated: &desk.evaluated, settings: &desk.settings };
    let prepared = take_over(&view, NewIk::Handles, [2, 5]).unwrap();
    prepared.carry_out(&mut desk.session, &mut desk.settings).unwrap();
    for (frame, before) in frames.into_iter().zip(before) {
        let off = tip_at(&mut desk, frame).distance(before);
        assert!(off < 0.1 * way, "{off} of {way} at {frame}");
    }
}
