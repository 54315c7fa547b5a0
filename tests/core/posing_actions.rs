//! Pins, limbs, FK and IK, limits: on the human, through the table of actions, with evaluated results.

use glam::{DVec3, Vec3};
use ossature::anim::channel::ChannelRef;
use ossature::edit::action::limits::{Poses, from_poses};
use ossature::edit::action::{Action, Prepared};
use ossature::edit::command::Command;
use ossature::edit::request::Request;
use ossature::edit::select::selection::{Part, Selection};
use ossature::edit::session::Session;
use ossature::edit::settings::view::{Tab, View, ViewSettings};
use ossature::io::js3d;
use ossature::rig::kinematics::{current_pose, tips};
use ossature::rig::limits::Limits;
use ossature::rig::skeleton::{Handle, Skeleton};
use ossature::scene::evaluate::{Evaluated, Evaluator, Settings};
use ossature::scene::property::PropertyValue;
use std::sync::Arc;

mod body;
mod mirrored;
mod other_axes;
mod paths;
mod props;
mod pull;
mod raised_feet;
mod spaces;
mod spread;

struct Desk {
    session: Session,
    settings: ViewSettings,
    evaluated: Evaluated,
    mesh: String,
}

impl Desk {
    fn new(tab: Tab) -> Self {
        Self::of("media/js3d/A4-human.js3d", tab)
    }

    fn of(file: &str, tab: Tab) -> Self {
        let bytes = std::fs::read(file).unwrap();
        let mut scene = js3d::read(&bytes).unwrap().0;
        let mesh = scene.skinned_meshes.keys().next().unwrap().clone();
        let of = std::sync::Arc::make_mut(scene.skinned_meshes.get_mut(&mesh).unwrap());
        std::sync::Arc::make_mut(&mut of.skeleton).handles.clear();
        let mut session = Session::new(scene, None);
        session.select(Selection::from_mesh(session.scene(), &mesh));
        let settings = ViewSettings { tab, ..ViewSettings::default() };
        let mut desk = Self { session, settings, evaluated: Evaluated::default(), mesh };
        desk.evaluate();
        desk
    }

    fn evaluate(&mut self) {
        let settings = Settings { bind: self.settings.tab == Tab::Rig, ..Settings::default() };
        self.evaluated = Evaluator::default().evaluate(self.session.animated(), &settings);
    }

    fn bone(&self, name: &str) -> usize {
        let skeleton = self.stored();
        (0..skeleton.bones.len()).find(|&bone| skeleton.bone_name(bone) == name).unwrap()
    }

    fn select(&mut self, part: Part) {
        let selection = self.session.selection().with_part(Some(part));
        self.session.select(selection);
    }

    fn select_bone(&mut self, name: &str) {
        let bone = self.bone(name);
        self.select(Part::Bone(bone));
    }

    fn view(&self) -> View<'_> {
        View { session: &self.session, evaluated: &self.evaluated, settings: &self.settings }
    }

    fn prepare(&self, action: Action) -> Prepared {
        action.prepare(&self.view()).unwrap()
    }

    fn note(&self, action: Action) -> String {
        self.prepare(action).note().unwrap().text
    }

    /// Removes all keys.
    fn clear_keys(&mut self) {
        let mut scene = self.session.scene().clone();
        scene.animation = Arc::default();
        self.session = Session::new(scene, None);
        self.session.select(Selection::from_mesh(self.session.scene(), &self.mesh));
        self.evaluate();
    }

    fn act(&mut self, action: Action) {
        let steps = self.session.undo_list().count();
        self.carry_out(Request::Act(action));
        assert_eq!(self.session.undo_list().count(), steps + 1, "one step: {action:?}");
    }

    fn carry_out(&mut self, request: Request) {
        let done = request.carry_out(&mut self.session, &mut self.settings, &self.evaluated);
        assert_eq!(done, Ok(true), "{request:?}");
        self.evaluate();
    }

    fn apply(&mut self, commands: Vec<Command>) {
        self.carry_out(Request::Apply(commands));
    }

    fn stored(&self) -> &Skeleton {
        &self.session.animated().skinned_meshes[&self.mesh].skeleton
    }

    fn handle(&self, at: usize) -> &Handle {
        &self.stored().handles[at]
    }

    fn tips(&self) -> Vec<DVec3> {
        let posed = &self.evaluated.skinned[&self.mesh];
        tips(&posed.skeleton, &posed.current)
    }

    fn seen_poses(&self) -> Vec<Vec3> {
        let posed = &self.evaluated.skinned[&self.mesh];
        posed.skeleton.bones.iter().map(|bone| bone.pose_deg).collect()
    }

    /// Turns a bone as far as its limits allow.
    fn turn(&mut self, name: &str, pose_deg: Vec3) {
        let (mesh, bone) = (self.mesh.clone(), self.bone(name));
        let pose_deg = self.stored().bones[bone].limits_deg.clamp(pose_deg);
        self.apply(vec![Command::set_bone(mesh, bone, "pose", pose_deg)]);
    }

    fn turn_freely(&mut self, name: &str, pose_deg: Vec3) {
        let (mesh, bone) = (self.mesh.clone(), self.bone(name));
        self.apply(vec![Command::set_bone(mesh, bone, "pose", pose_deg)]);
    }

    fn bytes(&self) -> Vec<u8> {
        js3d::write(self.session.scene()).unwrap()
    }
}

fn farthest(a: &[DVec3], b: &[DVec3]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a.distance(*b)).fold(0.0, f64::max)
}

#[test]
fn p_pins_where_it_is_then_its_turn_then_lets_go() {
    let mut desk = Desk::new(Tab::Animate);
    desk.turn("shin.L", Vec3::new(30.0, 0.0, 0.0));
    let before = desk.tips();
    let bytes = desk.bytes();
    desk.select_bone("foot.L");
    desk.act(Action::PIN);
    let foot = desk.bone("foot.L");
    assert!(desk.handle(0).pinned && desk.handle(0).enabled && desk.handle(0).orientation.is_none());
    assert_eq!(desk.session.selection().part, Some(Part::Handle(0)));
    assert!(farthest(&before, &desk.tips()) < 1e-3, "nothing moves");
    desk.act(Action::PIN);
    assert!(desk.handle(0).orientation.is_some());
    assert!(farthest(&before, &desk.tips()) < 1e-3);
    // The foot stays in place, and flat, while the pelvis goes down.
    let mesh = desk.mesh.clone();
    let base_offset = Vec3::new(0.0, -0.3, 0.1);
    desk.apply(vec![Command::set_skeleton(mesh, "base_offset", base_offset)]);
    let now = desk.tips();
    assert!(now[foot].distance(before[foot]) < 0.01, "{}", now[foot].distance(before[foot]));
    let knee = desk.bone("thigh.L");
    assert!(now[knee].distance(before[knee]) > 0.1);
    assert!(desk.note(Action::PIN).starts_with("Unpinned"));
    desk.act(Action::PIN);
    assert!(!desk.handle(0).pinned && desk.handle(0).orientation.is_none());
    for _ in 0..4 {
        desk.session.undo();
    }
    assert_eq!(desk.bytes(), bytes);
}

/// Any joint of the foot may be clicked: the ankle is the tail of the shin.
#[test]
fn p_pins_the_foot_by_its_ankle_and_by_its_toes() {
    for clicked in ["shin.R", "foot.R", "toes.R"] {
        let mut desk = Desk::new(Tab::Animate);
        desk.select_bone(clicked);
        desk.act(Action::PIN);
        desk.select_bone(clicked);
        desk.act(Action::PIN);
        assert_eq!(desk.stored().handles.len(), 1, "{clicked}");
        assert_eq!(desk.handle(0).bone as usize, desk.bone("foot.R"), "{clicked}");
        assert!(desk.handle(0).pinned && desk.handle(0).orientation.is_some());
    }
}

#[test]
fn a_limb_gets_a_chain_of_two_and_a_pole_in_front_of_its_joint() {
    for tab in [Tab::Rig, Tab::Animate] {
        for (end, lower, upper, forwards) in
            [("hand.L", "forearm.L", "upper_arm.L", -1.0), ("foot.R", "shin.R", "thigh.R", 1.0)]
        {
            for chosen in [end, lower, upper] {
                let mut desk = Desk::new(tab);
                let before = desk.tips();
                desk.select_bone(chosen);
                desk.act(Action::ADD_LIMB_IK);
                let handle = desk.handle(0).clone();
                let bone = desk.bone(lower);
                assert_eq!(handle.bone as usize, bone, "{chosen}");
                let pole = handle.pole.unwrap().point.as_dvec3();
                let joint = current_pose(desk.stored())[bone].translation;
                assert!((pole.z - joint.z) * forwards > 0.5, "{chosen}: {pole} {joint}");
                assert_eq!(handle.enabled, tab == Tab::Animate);
                if tab == Tab::Animate {
                    assert!(farthest(&before, &desk.tips()) < 2e-3, "{}", farthest(&before, &desk.tips()));
                }
                desk.session.undo();
                assert!(desk.stored().handles.is_empty());
            }
        }
    }
    let mut desk = Desk::new(Tab::Rig);
    // Bones in the middle are no limbs.
    for name in ["pelvis", "spine", "spine2", "neck", "head"] {
        desk.select_bone(name);
        assert!(Action::ADD_LIMB_IK.enabled(&desk.view()).is_err(), "{name}");
    }
}

#[test]
fn fk_and_ik_are_switched_without_a_jump() {
    let mut desk = Desk::new(Tab::Animate);
    desk.select_bone("hand.L");
    desk.act(Action::ADD_LIMB_IK);
    let held = desk.tips();
    let (mesh, target) = (desk.mesh.clone(), desk.handle(0).target + Vec3::new(-0.3, 0.3, 0.5));
    let handle = 0;
    desk.apply(vec![Command::set_handle(mesh, handle, "target", target)]);
    let reaching = desk.tips();
    let hand = desk.bone("forearm.L");
    assert!(reaching[hand].distance(held[hand]) > 0.2, "the arm moves along");
    desk.act(Action::SWITCH_FK_IK);
    assert!(!desk.handle(0).enabled);
    assert!(farthest(&reaching, &desk.tips()) < 1e-6, "{}", farthest(&reaching, &desk.tips()));
    let bent = desk.stored().bones[hand].preferred_deg.unwrap() * 3.0;
    desk.turn("forearm.L", bent);
    desk.turn("upper_arm.L", Vec3::new(5.0, 10.0, -20.0));
    let posed = (desk.tips(), desk.seen_poses());
    desk.select(Part::Handle(0));
    desk.act(Action::SWITCH_FK_IK);
    assert!(desk.handle(0).enabled);
    assert!(farthest(&posed.0, &desk.tips()) < 2e-3, "{}", farthest(&posed.0, &desk.tips()));
    for (now, was) in desk.seen_poses().iter().zip(&posed.1) {
        assert!(now.abs_diff_eq(*was, 0.1), "{now} {was}");
    }
}

#[test]
fn with_auto_key_a_switch_is_keyed() {
    let mut desk = Desk::new(Tab::Animate);
    desk.select_bone("hand.L");
    desk.act(Action::ADD_LIMB_IK);
    desk.session.set_auto_key(true);
    desk.session.set_frame(10.0);
    desk.evaluate();
    desk.act(Action::SWITCH_FK_IK);
    let id = desk.handle(0).channel_id;
    let bone = desk.stored().bones[desk.bone("forearm.L")].channel_id;
    for channel in [format!("handle.{id}.enabled"), format!("bone.{bone}.pose")] {
        let keys = desk.session.scene().animation.get(&ChannelRef::new(&desk.mesh, &channel));
        assert!(keys.is_some_and(|keys| keys.key(10.0).is_some()), "{channel}");
    }
}

/// Only the handle has keys, at 0 and 24: after a switch to FK between them, the arm still reaches the
/// handle's position at 24.
#[test]
fn fk_goes_on_to_where_ik_comes_on_again() {
    let mut desk = Desk::new(Tab::Animate);
    desk.select_bone("hand.L");
    desk.act(Action::ADD_LIMB_IK);
    let (mesh, handle, start) = (desk.mesh.clone(), 0, desk.handle(0).target);
    desk.session.set_auto_key(true);
    for (frame, by) in [(0.0, Vec3::new(-0.3, 0.6, 0.5)), (24.0, Vec3::new(-0.2, 0.1, 0.3))] {
        desk.session.set_frame(frame);
        desk.evaluate();
        let (mesh, target) = (mesh.clone(), start + by);
        desk.apply(vec![Command::set_handle(mesh, handle, "target", target)]);
    }
    let tips_at = |desk: &mut Desk, frame: f32| {
        desk.session.set_frame(frame);
        desk.evaluate();
        desk.tips()
    };
    let before = [0.0, 12.0, 24.0].map(|frame| tips_at(&mut desk, frame));
    desk.session.set_frame(12.0);
    desk.evaluate();
    desk.act(Action::SWITCH_FK_IK);
    let after = [0.0, 12.0, 24.0].map(|frame| tips_at(&mut desk, frame));
    for (before, after) in before.iter().zip(&after) {
        assert!(farthest(before, after) < 2e-3, "{}", farthest(before, after));
    }
    let mut last = tips_at(&mut desk, 12.0);
    for frame in 13..=24 {
        let now = tips_at(&mut desk, frame as f32);
        let moved = farthest(&last, &now);
        assert!(moved < 0.15, "frame {frame}: {moved}");
        last = now;
    }
}

#[test]
fn limits_come_from_the_pose_from_keys_and_from_names() {
    let mut desk = Desk::new(Tab::Animate);
    let forearm = desk.bone("forearm.L");
    desk.select_bone("forearm.L");
    let bytes = desk.bytes();
    desk.act(Action::CLEAR_LIMITS);
    assert!(desk.stored().bones[forearm].limits_deg.is_free());
    assert!(Action::CLEAR_LIMITS.enabled(&desk.view()).is_err());
    desk.turn("forearm.L", Vec3::new(10.0, 0.0, -80.0));
    let commands = from_poses(&desk.view(), Poses::Current, 4.0).unwrap();
    desk.apply(commands);
    let expected = Limits([Some([-4.0, 14.0]), Some([-4.0, 4.0]), Some([-84.0, 4.0])]);
    assert_eq!(desk.stored().bones[forearm].limits_deg, expected);
    // A second pose extends them.
    desk.turn_freely("forearm.L", Vec3::new(0.0, 0.0, 30.0));
    let commands = from_poses(&desk.view(), Poses::Current, 4.0).unwrap();
    desk.apply(commands);
    assert_eq!(desk.stored().bones[forearm].limits_deg.0[2], Some([-84.0, 34.0]));
    assert!(from_poses(&desk.view(), Poses::Keys, 4.0).is_err(), "it has no keys");
    desk.session.set_auto_key(true);
    for (frame, z) in [(0.0, 20.0), (8.0, 50.0)] {
        desk.session.set_frame(frame);
        desk.evaluate();
        desk.turn_freely("forearm.L", Vec3::new(0.0, 0.0, z));
    }
    let commands = from_poses(&desk.view(), Poses::Keys, 0.0).unwrap();
    desk.apply(commands);
    assert_eq!(desk.stored().bones[forearm].limits_deg.0[2], Some([0.0, 50.0]));
    // Limits of the selected bone alone, or of all bones if none is selected.
    let before = desk.stored().bones.clone();
    assert_eq!(desk.note(Action::HUMAN_LIMITS), "Human limits set for 1 bone");
    desk.act(Action::HUMAN_LIMITS);
    let after = &desk.stored().bones;
    let changed = (0..after.len()).filter(|&bone| after[bone].limits_deg != before[bone].limits_deg);
    assert_eq!(changed.collect::<Vec<_>>(), [forearm]);
    let selection = desk.session.selection().with_part(None);
    desk.session.select(selection);
    let (mesh, limits) = (desk.mesh.clone(), Limits::default());
    desk.apply(vec![Command::set_bone(mesh, forearm, "limits", limits)]);
    assert_eq!(desk.note(Action::HUMAN_LIMITS), "Human limits set for 34 bones");
    desk.act(Action::HUMAN_LIMITS);
    while desk.session.undo().is_some() {}
    assert_eq!(desk.bytes(), bytes);
}

#[test]
fn a_pole_is_a_part_that_is_deleted_alone_and_goes_with_its_handle() {
    let mut desk = Desk::new(Tab::Animate);
    desk.select_bone("foot.L");
    desk.act(Action::ADD_LIMB_IK);
    desk.select(Part::Pole(0));
    assert_eq!(desk.session.selection().part, Some(Part::Pole(0)));
    assert!(Action::RENAME.enabled(&desk.view()).is_err());
    desk.act(Action::DELETE);
    assert!(desk.handle(0).pole.is_none());
    // The selection falls back to the handle.
    assert_eq!(desk.session.selection().part, Some(Part::Handle(0)));
    desk.session.undo();
    assert!(desk.handle(0).pole.is_some());
    desk.select(Part::Pole(0));
    desk.carry_out(Request::Act(Action::SELECT_PARENT));
    assert_eq!(desk.session.selection().part, Some(Part::Handle(0)));
    let (mesh, handle) = (desk.mesh.clone(), 0);
    desk.select(Part::Pole(0));
    desk.apply(vec![Command::DeleteHandle { mesh, handle }]);
    assert!(!matches!(desk.session.selection().part, Some(Part::Pole(_) | Part::Handle(_))));
}

#[test]
fn what_a_head_looks_at_is_put_where_it_looks() {
    let mut desk = Desk::new(Tab::Animate);
    desk.turn("head", Vec3::new(0.0, 20.0, 0.0));
    desk.select_bone("head");
    desk.act(Action::ADD_IK);
    let before = desk.tips();
    let seen = ossature::edit::pose::limbs::VisiblePose::from_view(&desk.view(), &desk.mesh).unwrap();
    let commands = seen.look_at(0);
    let set: Vec<_> = commands.iter().filter_map(Command::part_property).collect();
    assert!(matches!(set[..], [(_, _, "look_at", PropertyValue::LookAt(Some(_))), (_, _, "target", _)]));
    desk.apply(commands);
    assert!(farthest(&before, &desk.tips()) < 2e-3, "{}", farthest(&before, &desk.tips()));
    let head = desk.bone("head");
    let (target, at) = (desk.handle(0).target, current_pose(desk.stored())[head].translation);
    assert!(f64::from(target.z) > at.z + 0.5, "in front of the face: {target} {at}");
}

#[test]
fn fitting_radii_says_how_many_and_how_many_bones_lie_outside() {
    let mut desk = Desk::new(Tab::Rig);
    desk.select_bone("forearm.L");
    assert_eq!(desk.note(Action::FIT_RADIUS), "Radii of 1 bone fitted");
    let mesh = desk.mesh.clone();
    let base = Vec3::X * 100.0;
    desk.apply(vec![Command::set_skeleton(mesh, "base", base)]);
    let note = desk.prepare(Action::FIT_RADIUS).note().unwrap();
    let text = "Radii of 0 bones fitted; 1 bone outside the mesh left unchanged";
    assert!(note.text == text && note.is_warning, "{note:?}");
}
