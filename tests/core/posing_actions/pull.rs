//! Bones that are pulled by their tails.

use super::{Desk, farthest};
use crate::running::{Folder, good, read};
use glam::{DVec3, Vec3};
use ossature::anim::channel::{ChannelRef, SkeletonChannel};
use ossature::edit::action::take_over::{NewIk, take_over, taken_over};
use ossature::edit::action::{Action, AppRequest, Dialog, Prepared};
use ossature::edit::command::Command;
use ossature::edit::pose::pull::Pull;
use ossature::edit::request::Request;
use ossature::edit::select::selection;
use ossature::edit::settings::view::Tab;
use ossature::rig::body::feet::{feet_on_floor, hips};
use ossature::rig::kinematics::{current_pose, tips};
use ossature::rig::property::{BASE_OFFSET, POSE, WEIGHT};
use ossature::rig::skeleton::Part;

pub(super) const HUMAN: f64 = 5.61;
pub(super) const WALK: &str = "media/js3d/A4-human-walk.js3d";

pub(super) fn pulled(desk: &Desk, bone: &str, whole_body: bool, moved: Vec3) -> Vec<Command> {
    let mut pull = Pull::new(&desk.view(), desk.bone(bone), whole_body).unwrap();
    // The way to the end makes no difference.
    pull.commands(moved * 0.5);
    pull.commands(moved)
}

/// Returns the names of the bones whose pose the commands set, without sides.
fn posed(desk: &Desk, commands: &[Command]) -> Vec<String> {
    let parts = commands.iter().filter_map(|command| match command.part_property() {
        Some((_, [Part::Bone(bone)], "pose", _)) => Some(desk.stored().bone_name(*bone)),
        _ => None,
    });
    parts.collect()
}

#[test]
fn a_pulled_hand_moves_its_arm_and_nothing_else() {
    let mut desk = Desk::new(Tab::Animate);
    let before = desk.tips();
    let moved = Vec3::new(-0.6, 2.2, 0.9);
    let commands = pulled(&desk, "hand.L", false, moved);
    let names = posed(&desk, &commands);
    assert_eq!(names, ["clavicle.L", "upper_arm.L", "forearm.L"]);
    assert_eq!(names.len(), commands.len(), "no base, no keys");
    desk.apply(commands);
    assert!(desk.stored().handles.is_empty());
    let hand = desk.bone("hand.L");
    let goal = before[hand] + moved.as_dvec3();
    assert!(desk.tips()[hand].distance(goal) < 1e-3 * HUMAN);
}

/// The clavicle has its share of a raised arm, hardly one of an arm that is lowered, and loses it on the way back.
#[test]
fn the_clavicle_rises_with_a_raised_arm() {
    let mut desk = Desk::new(Tab::Animate);
    let turn = |desk: &Desk| desk.stored().bones[desk.bone("clavicle.L")].pose_deg.length();
    let up = Vec3::new(-0.9, 3.0, 0.4);
    for (moved, least, most) in [(Vec3::new(-0.9, -0.1, 0.4), 0.1, 4.0), (up, 15.0, 30.0)] {
        let mut desk = Desk::new(Tab::Animate);
        desk.apply(pulled(&desk, "hand.L", false, moved));
        assert!((least..most).contains(&turn(&desk)), "{moved}: {}", turn(&desk));
    }
    desk.apply(pulled(&desk, "hand.L", false, up));
    desk.apply(pulled(&desk, "hand.L", false, -up));
    assert!(turn(&desk) < 1.5, "{}", turn(&desk));
}

#[test]
fn hips_and_with_whole_body_a_hand_lead_the_body_on_its_feet() {
    let pulls = [
        ("pelvis", false, Vec3::new(0.2, -0.8, 0.1)),
        ("hand.L", true, Vec3::new(-1.2, -2.2, 1.0)),
        ("head", true, Vec3::new(0.0, -1.0, 0.3)),
    ];
    for (bone, whole_body, moved) in pulls {
        let mut desk = Desk::new(Tab::Animate);
        let before = desk.tips();
        desk.apply(pulled(&desk, bone, whole_body, moved));
        let after = desk.tips();
        let [led, left, right] = [bone, "foot.L", "foot.R"].map(|name| desk.bone(name));
        assert!(after[led].distance(before[led] + moved.as_dvec3()) < 0.02 * HUMAN, "{bone}");
        for foot in [left, right] {
            assert!(after[foot].distance(before[foot]) < 0.0015 * HUMAN, "{bone}: a foot slides");
        }
        assert!(desk.stored().handles.is_empty() && !desk.stored().root_free, "{bone}");
        assert!(desk.stored().base_offset != Vec3::ZERO, "{bone}: hips follow");
    }
}

#[test]
fn a_pull_back_to_where_it_began_restores_the_pose() {
    let mut desk = Desk::of(WALK, Tab::Animate);
    desk.session.set_frame(6.0);
    desk.evaluate();
    let before = desk.seen_poses();
    let mut pull = Pull::new(&desk.view(), desk.bone("hand.R"), true).unwrap();
    let away = pull.commands(Vec3::new(0.3, 0.5, 0.4));
    let back = pull.commands(Vec3::ZERO);
    assert_eq!(away.len(), back.len(), "what was changed is set again");
    desk.apply(away);
    desk.apply(back);
    let after = desk.seen_poses();
    let worst = before.iter().zip(&after).map(|(a, b)| (*a - *b).abs().max_element()).fold(0.0, f32::max);
    assert!(worst < 0.01, "{worst}");
}

#[test]
fn auto_key_keys_the_bones_that_changed_at_this_frame() {
    let mut desk = Desk::of(WALK, Tab::Animate);
    desk.session.set_auto_key(true);
    desk.session.set_frame(7.0);
    desk.evaluate();
    let scene = desk.session.scene().clone();
    let commands = pulled(&desk, "foot.L", false, Vec3::new(0.0, 0.3, 0.2));
    let names = posed(&desk, &commands);
    desk.apply(commands);
    for (index, bone) in desk.stored().bones.clone().iter().enumerate() {
        let channel = ChannelRef::new(&desk.mesh, SkeletonChannel::Bone(bone.channel_id, POSE));
        let key =
            |scene: &ossature::scene::Scene| scene.animation.get(&channel).and_then(|keys| keys.key(7.0));
        let is_new = key(&scene).is_none() && key(desk.session.scene()).is_some();
        assert_eq!(
            is_new,
            names.contains(&desk.stored().bone_name(index)),
            "{}",
            desk.stored().bone_name(index)
        );
    }
}

/// Returns how far the tail of a bone is from where it was, at every frame of the walk.
fn displacements(desk: &mut Desk, bone: &str, change: impl FnOnce(&mut Desk)) -> Vec<DVec3> {
    let bone = desk.bone(bone);
    let all = |desk: &Desk| -> Vec<DVec3> {
        let at = |frame| {
            let skeleton = desk.view().skeleton_at(&desk.mesh, frame as f32).unwrap();
            tips(&skeleton, &current_pose(&skeleton))[bone]
        };
        (0..=24).map(at).collect()
    };
    let before = all(desk);
    change(desk);
    all(desk).iter().zip(before).map(|(after, before)| *after - before).collect()
}

#[test]
fn a_spread_change_fades_out_over_the_keys_nearby() {
    let mut desk = Desk::of(WALK, Tab::Animate);
    desk.settings.tools.spread = 4;
    desk.session.set_frame(8.0);
    desk.evaluate();
    let thigh = desk.stored().bones[desk.bone("thigh.L")].channel_id;
    let channel = ChannelRef::new(&desk.mesh, SkeletonChannel::Bone(thigh, POSE));
    let before = desk.session.scene().animation.get(&channel).unwrap().clone();
    let moved = displacements(&mut desk, "foot.L", |desk| {
        desk.apply(pulled(desk, "foot.L", false, Vec3::new(0.1, 0.5, 0.3)));
    });
    let after = desk.session.scene().animation.get(&channel).unwrap().clone();
    assert_eq!(before.times(), after.times(), "the walk has a key at every other frame");
    assert_ne!(before.key(8.0), after.key(8.0));
    for [near, far] in [[8, 6], [6, 4], [8, 10], [10, 12]] {
        let [near_moved, far_moved] = [near, far].map(|frame: usize| moved[frame].length());
        assert!(near_moved > far_moved && far_moved > 0.0, "{near} {far}");
    }
    for frame in before.times().into_iter().filter(|frame| (frame - 8.0).abs() > 4.0) {
        assert_eq!(before.key(frame), after.key(frame), "{frame}");
    }
    assert!(!desk.session.auto_key() && desk.session.unkeyed().iter().next().is_none(), "it is keyed");
}

/// The same angles would move a foot elsewhere in another pose, and farther: here twice as far.
#[test]
fn a_spread_moves_a_tail_the_same_way_and_nowhere_farther() {
    let moved = Vec3::new(0.0, 0.06, 0.0);
    for frame in [6, 12, 18] {
        let mut desk = Desk::of(WALK, Tab::Animate);
        desk.settings.tools.spread = 10;
        desk.session.set_frame(frame as f32);
        desk.evaluate();
        let displaced = displacements(&mut desk, "shin.L", |desk| {
            desk.apply(pulled(desk, "shin.L", false, moved));
        });
        let length = f64::from(moved.y);
        assert!(displaced[frame].distance(moved.as_dvec3()) < 0.05 * length, "{}", displaced[frame]);
        for (at, displaced) in displaced.iter().enumerate() {
            assert!(displaced.length() < 1.1 * length, "{frame}: {displaced} at {at}");
        }
        // The walk has a key at every other frame, and is a loop of 24.
        for (at, displaced) in displaced.iter().enumerate().step_by(2) {
            let distance = at.abs_diff(frame);
            let left = f64::max(1.0 - distance.min(24 - distance) as f64 / 11.0, 0.0);
            let expected = moved.as_dvec3() * left * left * (3.0 - 2.0 * left);
            let error = displaced.distance(expected);
            assert!(error < 0.1 * length, "{frame}: {displaced} and not {expected} at {at}");
        }
    }
}

/// What follows the last frame of a walk is its first one, whose change spreads to the last frames too.
#[test]
fn a_spread_change_goes_around_a_loop() {
    for frame in [0.0, 2.0, 22.0, 24.0] {
        let mut desk = Desk::of(WALK, Tab::Animate);
        desk.settings.tools.spread = 5;
        desk.session.set_frame(frame);
        desk.evaluate();
        let poses = |desk: &Desk, frame: f32| -> Vec<Vec3> {
            let skeleton = desk.view().skeleton_at(&desk.mesh, frame).unwrap();
            skeleton.bones.iter().map(|bone| bone.pose_deg).collect()
        };
        let step =
            |a: &[Vec3], b: &[Vec3]| a.iter().zip(b).map(|(a, b)| (*a - *b).length()).fold(0.0, f32::max);
        let all =
            |desk: &Desk| -> Vec<Vec<Vec3>> { (0..=24).map(|frame| poses(desk, frame as f32)).collect() };
        let before = all(&desk);
        desk.apply(pulled(&desk, "foot.L", false, Vec3::new(0.1, 0.3, 0.2)));
        let after = all(&desk);
        assert!(step(&before[frame as usize], &after[frame as usize]) > 5.0, "frame {frame}");
        assert_eq!(after[24], after[0], "frame {frame}: it still loops");
        assert_ne!(before[24], after[24], "frame {frame}");
        for frames in [[23, 24], [24, 1]] {
            let [was, is] = [&before, &after].map(|poses| step(&poses[frames[0]], &poses[frames[1]]));
            assert!(is <= 1.5 * was, "frame {frame}, {frames:?}: {was} became {is}");
        }
        // A curve depends on two keys on either side.
        for far in 11..=13 {
            assert_eq!(before[far], after[far], "frame {frame}: {far}");
        }
    }
}

#[test]
fn symmetry_pulls_the_other_side_too() {
    let mut desk = Desk::new(Tab::Animate);
    desk.session.set_symmetric(true);
    for whole_body in [false, true] {
        let moved = Vec3::new(-0.5, 0.8, 0.9);
        desk.apply(pulled(&desk, "hand.L", whole_body, moved));
        let tips = desk.tips();
        let [left, right] = ["hand.L", "hand.R"].map(|name| tips[desk.bone(name)]);
        assert!(left.distance(right.reflect(glam::DVec3::X)) < 0.02 * HUMAN, "{left} {right}");
    }
}

#[test]
fn other_limbs_keep_their_handles() {
    let mut desk = Desk::new(Tab::Animate);
    desk.select_bone("forearm.R");
    desk.act(Action::ADD_LIMB_IK);
    let before = desk.tips();
    desk.apply(pulled(&desk, "hand.L", false, Vec3::new(-0.3, 0.6, 0.8)));
    let (after, right) = (desk.tips(), desk.bone("forearm.R"));
    assert!(farthest(&before[right..=right], &after[right..=right]) < 1e-3);
    assert!(desk.handle(0).enabled);
}

#[test]
fn ik_takes_a_limb_with_keys_over_in_its_range_and_gives_it_back() {
    let mut desk = Desk::of(WALK, Tab::Animate);
    desk.session.set_frame(6.0);
    desk.select_bone("forearm.L");
    desk.evaluate();
    assert!(matches!(
        desk.prepare(Action::ADD_LIMB_IK),
        Prepared::App(AppRequest::Dialog(Dialog::TakeOver(NewIk::Limbs)))
    ));
    let taken = taken_over(&desk.view(), NewIk::Limbs).unwrap();
    assert_eq!(taken.names, ["upper_arm.L", "forearm.L"]);
    assert_eq!((taken.to_next_key, taken.whole_clip), ([6, 7], [0, 23]));
    let poses = |desk: &mut Desk| -> Vec<Vec<Vec3>> {
        let poses = (0..=24).map(|frame| {
            desk.session.set_frame(frame as f32);
            desk.evaluate();
            desk.seen_poses()
        });
        let poses = poses.collect();
        desk.session.set_frame(6.0);
        desk.evaluate();
        poses
    };
    let before = poses(&mut desk);
    desk.carry_out(Request::TakeOver { new: NewIk::Limbs, range: taken.to_next_key });
    let with_ik = poses(&mut desk);
    // The hand goes elsewhere, and the limb is given back to FK there.
    desk.session.set_auto_key(true);
    let target = desk.handle(0).target + Vec3::new(0.1, 0.4, 0.5);
    desk.apply(vec![Command::set_handle(desk.mesh.clone(), 0, "target", target)]);
    let moved = desk.seen_poses();
    desk.act(Action::SWITCH_FK_IK);
    let with_fk = poses(&mut desk);
    let difference = |a: &[Vec3], b: &[Vec3]| {
        a.iter().zip(b).map(|(a, b)| (*a - *b).abs().max_element()).fold(0.0, f32::max)
    };
    for frame in 0..=24 {
        let outside = ![6, 7].contains(&frame);
        if outside {
            assert_eq!(before[frame], with_ik[frame], "{frame}");
            assert_eq!(before[frame], with_fk[frame], "{frame}");
        } else {
            assert!(difference(&before[frame], &with_ik[frame]) < 0.5, "{frame}");
        }
    }
    assert!(difference(&moved, &with_fk[6]) < 1e-3 && difference(&before[6], &with_fk[6]) > 5.0);
}

/// A pin, a look-at and whole-body IK take a clip over only where they are asked to.
#[test]
fn goals_that_hold_ask_for_a_range_on_a_clip() {
    for (action, new) in
        [(Action::PIN, NewIk::Pin), (Action::LOOK_AT, NewIk::LookAt), (Action::ADD_BODY_IK, NewIk::Body)]
    {
        let mut desk = Desk::of(WALK, Tab::Animate);
        desk.session.set_frame(6.0);
        desk.select_bone("head");
        desk.evaluate();
        let asked = match desk.prepare(action) {
            Prepared::App(AppRequest::Dialog(Dialog::TakeOver(asked))) => Some(asked),
            _ => None,
        };
        assert_eq!(asked, Some(new), "{action:?}");
        let poses = |desk: &mut Desk, frame: u32| {
            desk.session.set_frame(frame as f32);
            desk.evaluate();
            desk.seen_poses()
        };
        let before: Vec<_> = (0..=24).map(|frame| poses(&mut desk, frame)).collect();
        desk.session.set_frame(6.0);
        desk.evaluate();
        let usual = taken_over(&desk.view(), new).unwrap().usual_range();
        assert_eq!(usual, [6, 16], "{action:?}: keys are at every other frame");
        desk.carry_out(Request::TakeOver { new, range: [6, 10] });
        assert_eq!(desk.session.selection().part, Some(selection::Part::Handle(0)), "{action:?}");
        assert_eq!(desk.handle(0).bone as usize, desk.bone("head"), "{action:?}");
        assert!(!desk.stored().handles.is_empty());
        let after: Vec<_> = (0..=24).map(|frame| poses(&mut desk, frame)).collect();
        for frame in (0..=5).chain(11..=24) {
            assert_eq!(before[frame], after[frame], "{action:?}: frame {frame}");
        }
        assert_ne!(before[9], after[9], "{action:?}");
    }
}

/// The message is that of the action, and what stands is known from the frame.
#[test]
fn whole_body_ik_on_a_clip_says_what_it_pinned() {
    let mut desk = Desk::of(WALK, Tab::Animate);
    desk.session.set_frame(6.0);
    desk.select_bone("head");
    desk.evaluate();
    let note = take_over(&desk.view(), NewIk::Body, [6, 10]).unwrap().note().unwrap();
    assert_eq!(note.text, "Handle on head; foot.L pinned; the root is free");
    assert_eq!(NewIk::Body.action(), Action::ADD_BODY_IK);
}

/// There is nothing after the last frame that should stay as it is.
#[test]
fn a_handle_that_pulls_to_the_end_makes_the_clip_no_longer() {
    for (new, last, has_end) in [(NewIk::Pin, 24, false), (NewIk::Limbs, 24, false), (NewIk::Limbs, 23, true)]
    {
        let mut desk = Desk::of(WALK, Tab::Animate);
        desk.session.set_frame(6.0);
        desk.select_bone("hand.L");
        desk.evaluate();
        let length = desk.session.scene().animation.clip.length;
        desk.carry_out(Request::TakeOver { new, range: [0, last] });
        assert_eq!(desk.session.scene().animation.clip.length, length, "{new:?}");
        let channel = ChannelRef::new(&desk.mesh, SkeletonChannel::Handle(desk.handle(0).channel_id, WEIGHT));
        let times = desk.session.scene().animation.get(&channel).unwrap().times();
        let expected: &[f32] = if has_end { &[0.0, 24.0] } else { &[0.0] };
        assert_eq!(times, expected, "{new:?}");
    }
}

/// A walk swings a foot low over the floor: it does not stand.
#[test]
fn a_foot_that_swings_past_the_other_does_not_stand() {
    let mut desk = Desk::of(WALK, Tab::Animate);
    for (frame, standing) in [(6.0, &["foot.L"][..]), (2.0, &["foot.L", "foot.R"]), (18.0, &["foot.R"])] {
        desk.session.set_frame(frame);
        desk.evaluate();
        let skeleton = desk.view().skeleton_at(&desk.mesh, frame).unwrap();
        let feet = feet_on_floor(&skeleton);
        let names: Vec<String> = feet.iter().map(|foot| skeleton.bone_name(foot.bone)).collect();
        assert_eq!(names, standing, "frame {frame}");
    }
    // The hips take the swinging foot along.
    desk.session.set_frame(6.0);
    desk.evaluate();
    let before = desk.tips();
    desk.apply(pulled(&desk, "pelvis", false, Vec3::new(0.0, 0.0, 0.4)));
    let after = desk.tips();
    let moved = |name: &str| after[desk.bone(name)].distance(before[desk.bone(name)]) / HUMAN;
    assert!(moved("foot.L") < 0.0015 && moved("foot.R") > 0.02, "{} {}", moved("foot.L"), moved("foot.R"));
}

/// A body in the air has nothing to stand on: its hips take it along as it is. On the toes, a little above where they are
/// in the bind pose, it still stands.
#[test]
fn hips_in_the_air_take_the_body_along() {
    let moved = Vec3::new(0.2, -0.3, 0.1);
    for (lifted, whole_body) in [(1.0, false), (1.0, true), (0.02 * HUMAN as f32, true)] {
        let mut desk = Desk::new(Tab::Animate);
        let up = Command::set_skeleton(desk.mesh.clone(), BASE_OFFSET.info.id, lifted * Vec3::Y);
        desk.apply(vec![up]);
        let before = desk.tips();
        let commands = pulled(&desk, "pelvis", whole_body, moved);
        let stands = lifted < 1.0;
        assert_eq!(posed(&desk, &commands).is_empty(), !stands, "{lifted} {whole_body}");
        desk.apply(commands);
        let foot = desk.bone("foot.L");
        let goal = if stands { before[foot] } else { before[foot] + moved.as_dvec3() };
        let miss = desk.tips()[foot].distance(goal) / HUMAN;
        assert!(miss < 1e-3, "{lifted} {whole_body}: {miss}");
    }
}

/// An animal whose spine and pelvis both start at the base: the pelvis, with the hind legs, stands for its hips.
#[test]
fn the_hips_of_an_animal_with_two_roots_lead_it_on_four_feet() {
    const QUADRUPED: &str = "media/js3d/quadruped.js3d";
    let hooves = ["hoof.L", "hoof.R", "toe.L", "toe.R"];
    for moved in [Vec3::new(0.0, -0.5, 0.0), Vec3::new(0.15, -0.3, 0.2)] {
        let mut desk = Desk::of(QUADRUPED, Tab::Animate);
        desk.clear_keys();
        let before = desk.tips();
        let pelvis = desk.bone("pelvis");
        assert_eq!(hips(desk.stored()), Some(pelvis));
        desk.apply(pulled(&desk, "pelvis", true, moved));
        let (after, height) = (desk.tips(), before[desk.bone("neck5")].y);
        let goal = before[pelvis] + moved.as_dvec3();
        assert!(after[pelvis].distance(goal) < 0.02 * height, "{}", after[pelvis] - goal);
        for hoof in hooves.map(|name| desk.bone(name)) {
            let slid = after[hoof].distance(before[hoof]);
            assert!(slid < 0.003 * height, "{}: {slid}", desk.stored().bone_name(hoof));
        }
        for knee in ["cannon.L", "cannon.R", "shank.L", "shank.R"].map(|name| desk.bone(name)) {
            assert!(desk.stored().bones[knee].pose_deg.length() > 10.0, "legs bend");
        }
        // The command line does the same.
        let folder = Folder::new();
        let [still, out] = ["still.js3d", "led.js3d"].map(|name| folder.path(name).display().to_string());
        let mut scene = read(QUADRUPED);
        scene.animation = Default::default();
        std::fs::write(&still, ossature::io::js3d::write(&scene).unwrap()).unwrap();
        let point = format!("pelvis={},{},{}", goal.x, goal.y, goal.z);
        good(&["drag", &still, &point, "-o", &out]);
        let led = read(&out).skinned_meshes[&desk.mesh].skeleton.clone();
        assert!(led.base_offset.distance(desk.stored().base_offset) < 0.01, "{}", led.base_offset);
    }
}
