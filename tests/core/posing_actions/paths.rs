//! Points of motion paths that are moved, at frames other than the current one.

use super::Desk;
use glam::{DVec3, Vec3};
use ossature::anim::channel::{ChannelRef, SkeletonChannel, Value};
use ossature::edit::command::Command;
use ossature::edit::command::keys::{KeyCommand, KeyframeValues, Purpose};
use ossature::edit::pose::path_pull::PathPull;
use ossature::edit::settings::view::Tab;
use ossature::rig::kinematics::{current_pose, tips};
use ossature::rig::property::POSE;
use ossature::scene::paths::PathSubject;

const HUMAN: f64 = 5.61;
const WALK: &str = "media/js3d/A4-human-walk.js3d";

fn subject(desk: &Desk, bone: &str) -> PathSubject {
    let instance = desk.session.selection().instance.as_ref().unwrap().name.clone();
    PathSubject::Tip { instance, bone: desk.bone(bone) }
}

/// Moves a point of the path of a bone, which the scene shows in skeleton space.
fn dragged(desk: &mut Desk, bone: &str, frame: f32, whole_body: bool, moved: Vec3) {
    let pull = PathPull::new(&desk.view(), &subject(desk, bone), frame, whole_body).unwrap();
    // The way there makes no difference.
    pull.command(-moved).unwrap();
    let command = pull.command(moved).unwrap();
    desk.apply(vec![command]);
}

fn tail(desk: &Desk, bone: &str, frame: f32) -> DVec3 {
    let skeleton = desk.view().skeleton_at(&desk.mesh, frame).unwrap();
    tips(&skeleton, &current_pose(&skeleton))[desk.bone(bone)]
}

fn poses(desk: &Desk, frame: f32) -> Vec<Vec3> {
    let skeleton = desk.view().skeleton_at(&desk.mesh, frame).unwrap();
    skeleton.bones.iter().map(|bone| bone.pose_deg).chain([skeleton.base_offset]).collect()
}

#[test]
fn a_point_of_a_path_moves_at_its_frame_and_other_keys_stay() {
    for whole_body in [false, true] {
        let mut desk = Desk::of(WALK, Tab::Animate);
        desk.session.set_frame(3.0);
        desk.evaluate();
        let (before, start) = (desk.bytes(), tail(&desk, "foot.L", 12.0));
        let at_keys: Vec<_> = (0..=12).map(|key| poses(&desk, 2.0 * key as f32)).collect();
        let moved = Vec3::new(0.1, 0.4, 0.2);
        dragged(&mut desk, "foot.L", 12.0, whole_body, moved);
        let error = tail(&desk, "foot.L", 12.0).distance(start + moved.as_dvec3());
        let most = if whole_body { 0.02 } else { 5e-3 };
        assert!(error < most * HUMAN, "whole body {whole_body}: {error}");
        for (key, expected) in at_keys.iter().enumerate().filter(|(key, _)| *key != 6) {
            assert_eq!(poses(&desk, 2.0 * key as f32), *expected, "frame {}", 2 * key);
        }
        assert_eq!(desk.session.frame(), 3.0);
        assert!(desk.session.unkeyed().is_empty());
        assert_eq!(desk.session.undo().as_deref(), Some("Drag path of foot.L at frame 12"));
        desk.evaluate();
        assert!(desk.bytes() == before);
    }
}

/// Bones that had no keys keep their pose at the keys around.
#[test]
fn bones_without_keys_keep_their_pose_at_the_keys_around() {
    let mut desk = Desk::new(Tab::Animate);
    desk.clear_keys();
    let forearm = desk.stored().bones[desk.bone("forearm.L")].channel_id;
    let knots = [(4.0, 5.0), (12.0, 40.0), (20.0, 15.0)];
    let keys = KeyframeValues {
        channel: ChannelRef::new(&desk.mesh, SkeletonChannel::Bone(forearm, POSE)),
        knots: knots.map(|(frame, x)| (frame, Value::Vec3(Vec3::X * x))).to_vec(),
        modes: Vec::new(),
    };
    let put = KeyCommand::Put { purpose: Purpose::Paste, knots: vec![keys] };
    desk.apply(vec![Command::Keys(put)]);
    let at_keys = [4.0, 20.0].map(|frame| poses(&desk, frame));
    let start = tail(&desk, "hand.L", 12.0);
    let moved = Vec3::new(-0.3, 0.5, 0.4);
    dragged(&mut desk, "hand.L", 12.0, false, moved);
    assert!(tail(&desk, "hand.L", 12.0).distance(start + moved.as_dvec3()) < 5e-3 * HUMAN);
    assert_eq!([4.0, 20.0].map(|frame| poses(&desk, frame)), at_keys);
    let upper_arm = desk.stored().bones[desk.bone("upper_arm.L")].channel_id;
    let channel = ChannelRef::new(&desk.mesh, SkeletonChannel::Bone(upper_arm, POSE));
    assert_eq!(desk.session.scene().animation.get(&channel).unwrap().times(), [4.0, 12.0, 20.0]);
}
