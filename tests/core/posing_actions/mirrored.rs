//! The contact pose of a walk, made with handles, is mirrored: feet, pins, poles and orientations included.

use super::{Desk, farthest};
use glam::{DVec3, Quat, Vec3};
use ossature::anim::channel::{ChannelRef, Value};
use ossature::anim::mode::Mode;
use ossature::edit::action::Action;
use ossature::edit::command::keys::{KeyCommand, KeyframeValues};
use ossature::edit::command::{Command, PoseChange, PoseUse};
use ossature::edit::request::Request;
use ossature::edit::select::selection::Part;
use ossature::edit::settings::view::Tab;
use ossature::edit::time::keying;
use ossature::edit::time::mirror_keys::{mirrored, paste_mirrored};
use ossature::io::js3d;
use ossature::rig::body::mirror_plane::MirrorPlane;
use ossature::rig::body::sides::other_sides;
use ossature::rig::property::PropertyValue;
use ossature::rig::skeleton::Orientation;

/// A step with the left foot in front and turned, as posed with the handles of Add whole-body IK.
fn contact() -> Desk {
    let mut desk = Desk::new(Tab::Animate);
    desk.select_bone("pelvis");
    desk.act(Action::ADD_BODY_IK);
    let name = |desk: &Desk, handle: usize| desk.stored().bone_name(desk.handle(handle).bone as usize);
    for handle in 0..3 {
        let moved = match name(&desk, handle).as_str() {
            "foot.L" => Vec3::new(0.05, 0.0, 0.7),
            "foot.R" => Vec3::new(0.0, 0.0, -0.6),
            _ => Vec3::new(0.05, -0.12, 0.0),
        };
        let target = desk.handle(handle).target + moved;
        let set = |id, value: PropertyValue| Command::set_handle(desk.mesh.clone(), handle, id, value);
        let mut commands = vec![set("target", target.into())];
        if name(&desk, handle) == "foot.L" {
            let turned = Orientation::new(Quat::from_rotation_y(0.3), 1.0);
            commands.push(set("orientation", Some(turned).into()));
        }
        desk.apply(commands);
    }
    let arm = desk.bone("upper_arm.L");
    desk.apply(vec![Command::set_bone(desk.mesh.clone(), arm, "pose", Vec3::new(20.0, 10.0, 30.0))]);
    desk
}

/// Returns the greatest distance between tails and the mirror images of the tails of the other side.
fn deviation(desk: &Desk, before: &[DVec3], bones: impl Fn(&str) -> bool) -> f64 {
    deviation_of(desk, before, &desk.tips(), bones)
}

fn deviation_of(desk: &Desk, before: &[DVec3], tips: &[DVec3], bones: impl Fn(&str) -> bool) -> f64 {
    let others = other_sides(desk.stored(), &MirrorPlane::X);
    let chosen = (0..tips.len()).filter(|&bone| bones(&desk.stored().bone_name(bone)));
    let distance = |bone: usize| {
        let mirrored = before[others[bone].unwrap()] * DVec3::new(-1.0, 1.0, 1.0);
        tips[bone].distance(mirrored)
    };
    chosen.map(distance).fold(0.0, f64::max)
}

fn all(_: &str) -> bool {
    true
}

#[test]
fn a_contact_pose_is_mirrored_in_three_presses() {
    let mut desk = contact();
    let before = desk.tips();
    assert!(deviation(&desk, &before, all) > 0.5);
    desk.carry_out(Request::Act(Action::SELECT_ALL));
    desk.carry_out(Request::Act(Action::COPY_POSE));
    desk.act(Action::PASTE_MIRRORED_POSE);
    assert!(deviation(&desk, &before, all) < 0.01, "{}", deviation(&desk, &before, all));
    let [left, right] = ["foot.L", "foot.R"].map(|foot| desk.bone(foot));
    let turned = desk.stored().handles.iter().find(|handle| handle.bone as usize == right).unwrap();
    let flat = desk.stored().handles.iter().find(|handle| handle.bone as usize == left).unwrap();
    let angle = |handle: &ossature::rig::skeleton::Handle| {
        let (axis, angle) = handle.orientation.unwrap().rotation.to_axis_angle();
        axis.y * angle
    };
    assert!((angle(turned) + 0.3).abs() < 1e-5 && angle(flat).abs() < 1e-5);
}

#[test]
fn handles_alone_mirror_the_feet() {
    let mut desk = contact();
    let before = desk.tips();
    desk.session.select(desk.session.selection().with_parts((0..3).map(Part::Handle)));
    desk.carry_out(Request::Act(Action::COPY_POSE));
    desk.act(Action::PASTE_MIRRORED_POSE);
    let legs = |bone: &str| ["foot.L", "foot.R", "pelvis"].contains(&bone);
    assert!(deviation(&desk, &before, legs) < 0.02, "{}", deviation(&desk, &before, legs));
    let arm = desk.bone("upper_arm.L");
    assert_eq!(desk.stored().bones[arm].pose_deg, Vec3::new(20.0, 10.0, 30.0), "the arms stay");
}

/// With symmetry on, a pose is pasted on both sides as it is.
#[test]
fn symmetry_leaves_a_pasted_pose_as_it_is() {
    let mut desk = contact();
    desk.session.select(desk.session.selection().with_part(None));
    desk.carry_out(Request::Act(Action::COPY_POSE));
    desk.session.set_symmetric(true);
    let (before, copied) = (desk.tips(), desk.stored().clone());
    let left = copied.handles.iter().position(|h| copied.bone_name(h.bone as usize) == "foot.L").unwrap();
    let target = desk.handle(left).target + Vec3::new(0.0, 0.4, 0.0);
    desk.apply(vec![Command::set_handle(desk.mesh.clone(), left, "target", target)]);
    desk.session.select(desk.session.selection().with_part(None));
    desk.act(Action::PASTE_POSE);
    assert_eq!(desk.stored().handles, copied.handles);
    let apart = before.iter().zip(desk.tips()).map(|(a, b)| a.distance(b)).fold(0.0, f64::max);
    assert!(apart < 0.01, "{apart}");
}

/// Pasted at another frame of an animated character, it is keyed there, handles included.
#[test]
fn a_mirrored_pose_is_keyed_with_its_handles() {
    let mut desk = contact();
    desk.session.select(desk.session.selection().with_part(None));
    desk.act(Action::INSERT_CHARACTER_KEYS);
    let before = desk.tips();
    desk.carry_out(Request::Act(Action::COPY_POSE));
    desk.session.set_frame(12.0);
    desk.evaluate();
    desk.act(Action::PASTE_MIRRORED_POSE);
    assert!(deviation(&desk, &before, all) < 0.01);
    assert!(desk.session.unkeyed().is_empty());
    desk.session.set_frame(0.0);
    desk.evaluate();
    let apart = before.iter().zip(desk.tips()).map(|(a, b)| a.distance(b)).fold(0.0, f64::max);
    assert!(apart < 0.01, "the first contact stays: {apart}");
}

#[test]
fn a_saved_pose_has_its_handles_in_the_file_and_mirrored() {
    let mut desk = contact();
    let (before, handles) = (desk.tips(), desk.stored().handles.clone());
    desk.session.select(desk.session.selection().with_part(None));
    desk.act(Action::SAVE_POSE);
    let written = js3d::write(desk.session.scene()).unwrap();
    let (read, report) = js3d::read(&written).unwrap();
    assert!(report.is_empty(), "{report:?}");
    assert_eq!(read.skinned_meshes[&desk.mesh].poses, desk.session.scene().skinned_meshes[&desk.mesh].poses);
    assert_eq!(js3d::write(&read).unwrap(), written);
    let lift = |handle: usize| {
        let target = handles[handle].target + Vec3::Y;
        Command::set_handle(desk.mesh.clone(), handle, "target", target)
    };
    desk.apply((0..3).map(lift).collect());
    let apply = |desk: &Desk, amount, flipped| {
        let pose_use = PoseUse { pose: "Pose".into(), bones: Vec::new(), amount, flipped };
        vec![Command::Poses { mesh: desk.mesh.clone(), change: PoseChange::Apply(pose_use) }]
    };
    let half = apply(&desk, 0.5, false);
    desk.apply(half);
    assert!(desk.handle(0).target.abs_diff_eq(handles[0].target + Vec3::Y * 0.5, 1e-5), "half way");
    let whole = apply(&desk, 1.0, false);
    desk.apply(whole);
    assert_eq!(desk.stored().handles, handles);
    let feet = |bone: &str| ["foot.L", "foot.R", "pelvis"].contains(&bone);
    let posed = desk.tips();
    let mirrored = apply(&desk, 1.0, true);
    desk.apply(mirrored);
    assert!(deviation(&desk, &posed, all) < 0.01, "{}", deviation(&desk, &posed, all));
    assert!(deviation(&desk, &before, feet) < 0.01, "{}", deviation(&desk, &before, feet));
    let whole = apply(&desk, 1.0, false);
    desk.apply(whole);
    assert_eq!(desk.stored().handles, handles);
}

/// A foot pinned on one side alone: its mirror image is pinned on the other, and it is free.
#[test]
fn a_handle_of_one_side_changes_sides() {
    let mut desk = Desk::new(Tab::Animate);
    desk.select_bone("foot.L");
    desk.act(Action::PIN);
    let target = desk.handle(0).target + Vec3::new(0.0, 0.5, 0.3);
    desk.apply(vec![Command::set_handle(desk.mesh.clone(), 0, "target", target)]);
    let before = desk.tips();
    desk.session.select(desk.session.selection().with_part(None));
    desk.carry_out(Request::Act(Action::COPY_POSE));
    desk.act(Action::PASTE_MIRRORED_POSE);
    let stored = desk.stored();
    assert_eq!(stored.handles.len(), 2);
    let new = &stored.handles[1];
    assert!(stored.bone_name(new.bone as usize) == "foot.R" && new.pinned && new.pole.is_some());
    assert!(!desk.handle(0).enabled && new.enabled && new.chain == desk.handle(0).chain);
    assert!(deviation(&desk, &before, all) < 0.01, "{}", deviation(&desk, &before, all));
}

/// In an animated character, such a new handle pulls at its frame alone.
#[test]
fn a_new_handle_of_a_pasted_pose_pulls_at_its_frame() {
    let mut desk = Desk::new(Tab::Animate);
    desk.select_bone("foot.L");
    desk.act(Action::PIN);
    desk.session.select(desk.session.selection().with_part(None));
    desk.act(Action::INSERT_CHARACTER_KEYS);
    desk.carry_out(Request::Act(Action::COPY_POSE));
    desk.session.set_frame(10.0);
    desk.evaluate();
    desk.act(Action::PASTE_MIRRORED_POSE);
    for (frame, pulls) in [(0.0, [true, false]), (10.0, [false, true])] {
        desk.session.set_frame(frame);
        assert_eq!([0, 1].map(|handle| desk.handle(handle).enabled), pulls, "at {frame}");
    }
}

/// The keys of the contact are copied in the sheet and pasted mirrored twelve frames later.
#[test]
fn copied_keys_are_pasted_mirrored_with_those_of_handles() {
    let mut desk = contact();
    desk.session.select(desk.session.selection().with_part(None));
    desk.act(Action::INSERT_CHARACTER_KEYS);
    let before = desk.tips();
    let scene = desk.session.scene().clone();
    let copied = keying::copy(&scene, &keying::all_keys(&scene));
    let (images, left_out) = mirrored(&scene, &copied);
    assert!(left_out.is_empty() && images.len() == copied.len(), "{left_out:?}");
    let (paste, left_out) = paste_mirrored(&scene, &copied, 12.0);
    assert!(left_out.is_empty() && paste.len() == 1, "the keys of pairs change sides: {paste:?}");
    desk.apply(paste);
    desk.session.set_frame(12.0);
    desk.evaluate();
    assert!(deviation(&desk, &before, all) < 0.01, "{}", deviation(&desk, &before, all));
    // Twice mirrored, they are the same keys.
    let (again, _) = mirrored(&scene, &images);
    let channels = |keys: &[KeyframeValues]| {
        let mut channels: Vec<_> = keys.iter().map(|keys| keys.channel.clone()).collect();
        channels.sort();
        channels
    };
    assert_eq!(channels(&again), channels(&copied));
    // Keys of what has no other side, such as the camera, are left out and named.
    let camera = ChannelRef::new("Camera", "translation");
    let key = KeyframeValues {
        channel: camera.clone(),
        knots: vec![(0.0, Value::Vec3(Vec3::X))],
        modes: Vec::new(),
    };
    assert_eq!(mirrored(&scene, &[key]), (Vec::new(), vec![camera]));
}

/// Pastes all keys at `from` mirrored at `to`, as the sheet does, and returns the tails at both frames.
fn paste_keys_mirrored(desk: &mut Desk, from: f32, to: f32) -> [Vec<DVec3>; 2] {
    let scene = desk.session.scene().clone();
    let channels: Vec<_> = keying::all_keys(&scene).into_iter().map(|keys| keys.channel).collect();
    let copied = keying::copy(&scene, &keying::keys_at(&scene, &channels, from));
    let (paste, left_out) = paste_mirrored(&scene, &copied, to);
    assert!(left_out.is_empty(), "{left_out:?}");
    let steps = desk.session.undo_list().count();
    desk.apply(paste);
    assert_eq!(desk.session.undo_list().count(), steps + 1);
    assert!(desk.session.undo_label().unwrap().starts_with("Paste "), "{:?}", desk.session.undo_label());
    [from, to].map(|frame| {
        desk.session.set_frame(frame);
        desk.evaluate();
        desk.tips()
    })
}

/// A hand that has a handle on one side alone: its keys go to a partner, and it does not pull at their frame.
#[test]
fn keys_of_a_handle_of_one_side_change_sides() {
    let mut desk = contact();
    desk.select_bone("forearm.L");
    desk.act(Action::PIN);
    let forearm = desk.bone("forearm.L");
    let arm = desk.stored().handles_on(forearm).next().unwrap();
    let target = desk.handle(arm).target + Vec3::new(-0.2, 0.4, 0.5);
    desk.apply(vec![Command::set_handle(desk.mesh.clone(), arm, "target", target)]);
    desk.session.select(desk.session.selection().with_part(None));
    let before = desk.tips();
    for frame in [0.0, 3.0, 12.0] {
        desk.session.set_frame(frame);
        desk.evaluate();
        desk.act(Action::INSERT_CHARACTER_KEYS);
    }
    let unchanged = desk.bytes();
    let [first, second] = paste_keys_mirrored(&mut desk, 0.0, 6.0);
    assert!(
        deviation_of(&desk, &first, &second, all) < 0.01,
        "{}",
        deviation_of(&desk, &first, &second, all)
    );
    assert!(farthest(&before, &first) < 1e-6, "the first pose stays");
    let stored = desk.stored();
    assert_eq!(stored.handles.len(), arm + 2);
    assert_eq!(stored.bone_name(stored.handles[arm + 1].bone as usize), "forearm.R");
    assert!(desk.session.unkeyed().is_empty());
    for (frame, pulls) in [(0.0, [true, false]), (6.0, [false, true]), (12.0, [true, false])] {
        desk.session.set_frame(frame);
        assert_eq!([arm, arm + 1].map(|handle| desk.handle(handle).enabled), pulls, "at {frame}");
    }
    // Pasted again from there, the hands change sides again.
    let [_, third] = paste_keys_mirrored(&mut desk, 6.0, 20.0);
    assert!(farthest(&before, &third) < 0.01, "mirrored twice: {}", farthest(&before, &third));
    // Also from the first frame, where the partner has no key.
    let [_, fourth] = paste_keys_mirrored(&mut desk, 0.0, 30.0);
    assert!(farthest(&second, &fourth) < 0.01, "{}", farthest(&second, &fourth));
    assert_eq!(desk.stored().handles.len(), arm + 2);
    assert_eq!([arm, arm + 1].map(|handle| desk.handle(handle).enabled), [false, true]);
    (0..3).for_each(|_| drop(desk.session.undo()));
    assert_eq!(desk.bytes(), unchanged);
}

/// A switch without keys keeps its value around the keys that are pasted, also if only the target was keyed.
#[test]
fn keys_of_a_target_alone_change_sides() {
    let mut desk = Desk::new(Tab::Animate);
    desk.clear_keys();
    desk.select_bone("foot.L");
    desk.act(Action::PIN);
    let target = desk.handle(0).target + Vec3::new(0.0, 0.5, 0.3);
    desk.apply(vec![Command::set_handle(desk.mesh.clone(), 0, "target", target)]);
    let channel = ChannelRef::new(&desk.mesh, format!("handle.{}.target", desk.handle(0).channel_id));
    desk.apply(vec![Command::Keys(KeyCommand::Set {
        channels: vec![channel],
        frame: 0.0,
        new_mode: Mode::Clamped,
    })]);
    let [first, second] = paste_keys_mirrored(&mut desk, 0.0, 10.0);
    assert!(
        deviation_of(&desk, &first, &second, all) < 0.01,
        "{}",
        deviation_of(&desk, &first, &second, all)
    );
    for (frame, pulls) in [(0.0, [true, false]), (10.0, [false, true])] {
        desk.session.set_frame(frame);
        assert_eq!([0, 1].map(|handle| desk.handle(handle).enabled), pulls, "at {frame}");
    }
}

/// Saved or copied with nothing but a handle selected, a pose raises the other arm, which has no handle, when it is applied
/// mirrored; the arm of the handle stays where it is.
#[test]
fn a_pose_of_a_handle_alone_is_mirrored() {
    for is_saved in [true, false] {
        let mut desk = Desk::new(Tab::Animate);
        desk.select_bone("forearm.R");
        desk.act(Action::ADD_LIMB_IK);
        let raised = desk.handle(0).target + Vec3::new(0.3, 1.2, 0.4);
        desk.apply(vec![Command::set_handle(desk.mesh.clone(), 0, "target", raised)]);
        let before = desk.tips();
        let selection = desk.session.selection().with_part(Some(Part::Handle(0)));
        desk.session.select(selection);
        if is_saved {
            desk.act(Action::SAVE_POSE);
            let pose_use = PoseUse { pose: "Pose".into(), bones: Vec::new(), amount: 1.0, flipped: true };
            let change = PoseChange::Apply(pose_use);
            desk.apply(vec![Command::Poses { mesh: desk.mesh.clone(), change }]);
        } else {
            desk.carry_out(Request::Act(Action::COPY_POSE));
            desk.act(Action::PASTE_MIRRORED_POSE);
        }
        let hand = desk.bone("forearm.R");
        let left = deviation(&desk, &before, |bone| bone.ends_with(".L"));
        let right = before[hand].distance(desk.tips()[hand]);
        assert!(left < 0.01 && right < 0.01 && desk.handle(0).enabled, "{is_saved}: {left} {right}");
        assert_eq!(desk.stored().handles.len(), if is_saved { 1 } else { 2 });
    }
}
