//! Handles in the space of another instance: a prop that moves, and a bone of another character.

use super::{Desk, farthest};
use glam::{DAffine3, DVec3, Quat, Vec3};
use ossature::anim::channel::{ChannelRef, Value};
use ossature::edit::action::Action;
use ossature::edit::command::keys::{KeyCommand, KeyframeValues, Purpose};
use ossature::edit::command::{Command, CommandError};
use ossature::edit::pose::spaces::{possible_spaces, set_space, space_name};
use ossature::edit::request::Request;
use ossature::edit::settings::view::Tab;
use ossature::edit::time::attach::{Attachment, attach};
use ossature::edit::time::bake::{Bake, bake};
use ossature::io::export::ExportOptions;
use ossature::io::{gltf, js3d};
use ossature::mesh::primitives;
use ossature::rig::kinematics::{bind_pose, current_pose, tips};
use ossature::rig::skeleton::Orientation;
use ossature::scene::Scene;
use ossature::scene::evaluate::{Evaluated, Evaluator, Settings};
use ossature::scene::instance::{GeometryInstance, InstanceKind, InstanceRef};
use ossature::scene::names::ObjectRef;
use ossature::scene::property::PropertyValue;
use ossature::scene::resource::{Mesh, Transform};
use ossature::scene::spaces::{Space, SpaceError};
use ossature::scene::world::world_matrix;
use std::collections::BTreeMap;
use std::sync::Arc;

const PLACE: &str = "Box place";
/// The bone that the handle of the arm pulls.
const WRIST: &str = "forearm.L";

fn prop() -> InstanceRef {
    InstanceRef { kind: InstanceKind::Mesh, name: "Box".into() }
}

fn in_box() -> Space {
    Space { instance: Some("Box".into()), bone: None }
}

/// The human, placed somewhere, with a handle at the left hand, and a box in front of it.
fn desk() -> Desk {
    let mut desk = Desk::new(Tab::Animate);
    desk.edit(|scene| {
        let place = |translation, turn: f32, scale| Transform {
            translation,
            rotation: Quat::from_rotation_y(turn),
            scale: Vec3::splat(scale),
            ..Transform::default()
        };
        let human = scene.instances.skinned_meshes.values().next().unwrap().transform.clone().unwrap();
        scene.transforms.insert(human, Arc::new(place(Vec3::new(1.0, 0.2, -2.0), 0.4, 0.9)));
        scene.transforms.insert(PLACE.into(), Arc::new(place(Vec3::new(1.9, 3.0, -1.6), -0.5, 0.5)));
        let instance = GeometryInstance { transform: Some(PLACE.into()), ..Default::default() };
        scene.instances.meshes.insert("Box".into(), Arc::new(instance));
    });
    desk.select_bone("hand.L");
    desk.act(Action::ADD_LIMB_IK);
    desk.apply(vec![desk.set(0, "target", Vec3::new(0.7, 2.9, 0.6))]);
    desk
}

impl Desk {
    fn edit(&mut self, change: impl FnOnce(&mut Scene)) {
        let mut scene = self.session.scene().clone();
        change(&mut scene);
        let selection = self.session.selection().clone();
        self.session = ossature::edit::session::Session::new(scene, None);
        self.session.select(selection);
        self.evaluate();
    }

    fn set(&self, handle: usize, id: &'static str, value: impl Into<PropertyValue>) -> Command {
        Command::set_handle(self.mesh.clone(), handle, id, value)
    }

    fn put_in(&mut self, handle: usize, space: &Space) {
        let commands = set_space(&self.view(), &self.mesh, handle, space);
        self.apply(commands);
    }

    fn go_to(&mut self, frame: f32) {
        self.session.set_frame(frame);
        self.evaluate();
    }

    /// The world matrices of the human and of the box.
    fn world(&self) -> [DAffine3; 2] {
        let scene = &self.evaluated.scene;
        let human = scene.instances.skinned_meshes.values().next().unwrap().transform.clone();
        [human.as_deref(), Some(PLACE)].map(|name| world_matrix(scene, name))
    }

    /// The tail of a bone in the world, and in the box.
    fn tail(&self, name: &str) -> [DVec3; 2] {
        let [human, place] = self.world();
        let tail = human.transform_point3(self.tips()[self.bone(name)]);
        [tail, place.inverse().transform_point3(tail)]
    }

    fn height(&self) -> f64 {
        let [low, high] = self.evaluated.skinned[&self.mesh]
            .positions
            .iter()
            .fold([f32::INFINITY, f32::NEG_INFINITY], |[low, high], p| [low.min(p.y), high.max(p.y)]);
        f64::from(high - low)
    }

    /// Keys the box, which moves by `offset` and turns until a frame.
    fn move_box(&mut self, frame: f32, offset: Vec3) {
        let start = self.session.scene().transforms[PLACE].clone();
        let turned = Quat::from_euler(glam::EulerRot::XYZ, 0.2, 0.6, -0.3) * start.rotation;
        let keys = |name: &str, values: [Value; 2]| KeyframeValues {
            channel: ChannelRef::new(PLACE, name),
            knots: [0.0, frame].into_iter().zip(values).collect(),
            modes: Vec::new(),
        };
        let moved = [start.translation, start.translation + offset].map(Value::Vec3);
        let knots =
            vec![keys("translation", moved), keys("rotation", [start.rotation, turned].map(Value::Quat))];
        self.apply(vec![Command::Keys(KeyCommand::Put { purpose: Purpose::Paste, knots })]);
    }
}

/// Returns the tail of each bone of the first character in the world.
fn tips_in_world(evaluated: &Evaluated) -> BTreeMap<String, DVec3> {
    let instance = evaluated.scene.instances.skinned_meshes.values().next().unwrap();
    let world = world_matrix(&evaluated.scene, instance.transform.as_deref());
    let posed = &evaluated.skinned[instance.resource.as_deref().unwrap()];
    let tips = tips(&posed.skeleton, &posed.current);
    let shown = posed.skeleton.shown_bones();
    shown.map(|bone| (posed.skeleton.bone_name(bone), world.transform_point3(tips[bone]))).collect()
}

/// Returns the greatest distance between tails of the same names. A format may not keep the tails of the last bones.
fn apart(before: &BTreeMap<String, DVec3>, after: &BTreeMap<String, DVec3>) -> f64 {
    let distances =
        [WRIST, "upper_arm.L", "hand.R", "head", "shin.L"].map(|bone| before[bone].distance(after[bone]));
    distances.into_iter().fold(0.0, f64::max)
}

/// The box is keyed to move from one place to another, and the hand stays on it; whatever else shows or writes the motion
/// says the same.
#[test]
fn a_hand_stays_on_a_box_that_moves() {
    let mut desk = desk();
    desk.put_in(0, &in_box());
    desk.move_box(20.0, Vec3::new(0.25, 0.4, 0.1));
    let reach = 1e-4 * desk.height();
    desk.go_to(0.0);
    let [start, on_box] = desk.tail(WRIST);
    let (mut seen, mut seen_in_world) = (Vec::new(), Vec::new());
    for frame in 0..=20 {
        desk.go_to(frame as f32);
        let [_, place] = desk.world();
        let off = desk.tail(WRIST)[0].distance(place.transform_point3(on_box));
        assert!(off < reach, "{frame}: {off} of {reach}");
        seen.push(desk.tips());
        seen_in_world.push(tips_in_world(&desk.evaluated));
    }
    assert!(desk.tail(WRIST)[0].distance(start) > 0.3, "the box carries it");
    // Goals are shown where they are seen.
    let shown = desk.evaluated.skinned[&desk.mesh].skeleton.handles[0].target.as_dvec3();
    assert!(desk.world()[0].transform_point3(shown).distance(desk.tail(WRIST)[0]) < reach);
    // A frame does not depend on how it is reached, and a session is a function of the file.
    let scene = desk.session.scene().clone();
    let read = js3d::read(&js3d::write(&scene).unwrap()).unwrap().0;
    assert_eq!(read.skinned_meshes[&desk.mesh].skeleton.handles[0].space_instance.as_deref(), Some("Box"));
    let at = |scene: &Scene, frame: f32| -> Evaluated {
        Evaluator::default().evaluate(scene, &Settings { frame: Some(frame), ..Settings::default() })
    };
    let tips_of = |evaluated: &Evaluated, mesh: &str| {
        let posed = &evaluated.skinned[mesh];
        tips(&posed.skeleton, &posed.current)
    };
    assert_eq!(tips_of(&at(&read, 13.0), &desk.mesh), seen[13]);
    // Baked, there are no handles.
    let settings =
        Bake { mesh: desk.mesh.clone(), frames: [0, 20], ik: Default::default(), disable_handles: true };
    let commands = bake(&scene, &Default::default(), &settings, |_, _| true).unwrap();
    let mut baked = scene.clone();
    commands.iter().for_each(|command| drop(command.apply(&mut baked).unwrap()));
    for frame in [0, 7, 20] {
        assert!(farthest(&tips_of(&at(&baked, frame as f32), &desk.mesh), &seen[frame]) < 1e-3, "{frame}");
    }
    // The same in glTF.
    let options = ExportOptions { scene: false, ..Default::default() };
    let export = gltf::write::export(&scene, &options, &|_| Err(String::new())).unwrap();
    let imported = gltf::read::read(&export.glb().unwrap(), None, &Default::default()).unwrap().scene;
    // A straight way between frames is not close enough to an eased one: there are keys in between, and twice as many frames.
    let pace = f64::from(imported.animation.clip.rate) / f64::from(scene.animation.clip.rate);
    for frame in [0, 7, 20] {
        let tips = tips_in_world(&at(&imported, (frame as f64 * pace) as f32));
        let off = apart(&tips, &seen_in_world[frame]);
        assert!(off < 1e-3, "{frame}: {off}");
    }
}

/// Without keys the handle stays on in glTF, and finds the box again.
#[test]
fn a_still_hand_on_a_box_comes_back_from_gltf() {
    let mut desk = desk();
    desk.put_in(0, &in_box());
    desk.edit(|scene| {
        scene.animation = Arc::default();
        let cube = primitives::cuboid(Vec3::splat(0.5)).unwrap();
        let mesh = Mesh { surface: Arc::new(cube), ..Default::default() };
        scene.meshes.insert("Cube".into(), Arc::new(mesh));
        let instance = Arc::make_mut(scene.instances.meshes.get_mut("Box").unwrap());
        instance.resource = Some("Cube".into());
    });
    let options = ExportOptions { scene: false, ..Default::default() };
    let export = gltf::write::export(desk.session.scene(), &options, &|_| Err(String::new())).unwrap();
    let imported = gltf::read::read(&export.glb().unwrap(), None, &Default::default()).unwrap().scene;
    let evaluated = Evaluator::default().evaluate(&imported, &Settings::default());
    let posed = evaluated.skinned.values().next().unwrap();
    assert!(posed.skeleton.handles[0].enabled);
    let names: Vec<_> = imported.instances.all().iter().map(|it| it.name.to_owned()).collect();
    let [before, after] = [&desk.evaluated, &evaluated].map(tips_in_world);
    assert!(apart(&before, &after) < 1e-3, "{names:?} {before:?} {after:?}");
}

/// The right hand picks the box up from one frame to another; the left one stays on it all the time.
#[test]
fn a_box_is_picked_up_with_one_hand_and_the_other_stays_on_it() {
    let mut desk = desk();
    desk.put_in(0, &in_box());
    let shoulder = desk.bone("upper_arm.R");
    for (frame, pose) in [(0.0, Vec3::ZERO), (20.0, Vec3::new(-12.0, 0.0, 5.0))] {
        desk.go_to(frame);
        desk.apply(vec![Command::set_bone(desk.mesh.clone(), shoulder, "pose", pose)]);
        desk.carry_out(Request::Act(Action::INSERT_CHARACTER_KEYS));
    }
    let character = desk.session.scene().instances.skinned_meshes.keys().next().unwrap().clone();
    let to = |bone: &str| Attachment {
        character: character.clone(),
        bone: desk.bone(bone),
        frames: [5, 15],
        ik: Some(Default::default()),
    };
    // The left arm follows the box, so that the box cannot follow it.
    let error = attach(desk.session.scene(), &prop(), &to("forearm.L")).unwrap_err();
    assert!(error.contains("IK forearm.L follows what is attached"), "{error}");
    let commands = attach(desk.session.scene(), &prop(), &to("hand.R")).unwrap();
    desk.apply(commands);
    let reach = 1e-4 * desk.height();
    desk.go_to(0.0);
    let [start, on_box] = desk.tail(WRIST);
    desk.go_to(5.0);
    let right = desk.tail("hand.R")[1];
    for frame in 0..=20 {
        desk.go_to(frame as f32);
        let [_, place] = desk.world();
        let off = desk.tail(WRIST)[0].distance(place.transform_point3(on_box));
        assert!(off < reach, "{frame}: {off} of {reach}");
        if (5..=15).contains(&frame) {
            assert!(desk.tail("hand.R")[1].distance(right) < 1e-3, "{frame}: the box is in the right hand");
        }
    }
    desk.go_to(15.0);
    let moved = desk.tail(WRIST)[0].distance(start);
    assert!(moved > 0.02, "{moved}");
}

/// Into the space of the box and out again, with and without keys: nothing moves. A drag moves the goal to where the pointer
/// is, and undo goes back.
#[test]
fn a_change_of_space_moves_nothing_and_a_drag_stays_in_it() {
    let mut desk = desk();
    let turn = Some(Orientation::new(Quat::from_rotation_z(0.8), 1.0));
    desk.apply(vec![desk.set(0, "orientation", turn)]);
    desk.move_box(12.0, Vec3::new(0.2, 0.3, 0.1));
    for keyed in [false, true] {
        if keyed {
            for (frame, target) in [(0.0, Vec3::new(0.7, 2.9, 0.6)), (12.0, Vec3::new(0.6, 3.2, 0.6))] {
                desk.go_to(frame);
                desk.apply(vec![desk.set(0, "target", target)]);
                desk.carry_out(Request::Act(Action::INSERT_CHARACTER_KEYS));
            }
        }
        desk.go_to(12.0);
        let [before, stored] = [desk.tips(), vec![desk.handle(0).target.as_dvec3()]];
        let goal = |desk: &Desk| {
            desk.evaluated.skinned[&desk.mesh].skeleton.handles[0].orientation.unwrap().rotation
        };
        let turned = goal(&desk);
        desk.put_in(0, &in_box());
        assert_eq!(desk.session.history().undo_label(), Some("Change space of IK forearm.L"));
        assert_eq!(Space::from_handle(desk.handle(0)), in_box());
        assert!(farthest(&desk.tips(), &before) < 2e-3 && goal(&desk).angle_between(turned) < 1e-3);
        assert!(desk.handle(0).target.as_dvec3().distance(stored[0]) > 0.1);
        desk.session.undo();
        desk.evaluate();
        assert_eq!(desk.handle(0).space_instance, None);
        desk.session.redo();
        desk.evaluate();
        desk.put_in(0, &Space::default());
        assert!(farthest(&desk.tips(), &before) < 2e-3, "{keyed}");
        assert!(desk.handle(0).target.as_dvec3().distance(stored[0]) < 1e-4);
    }
    desk.go_to(0.0);
    desk.put_in(0, &in_box());
    let [human, place] = desk.world();
    let rig = ossature::edit::select::active_rig::ActiveRig::from_view(&desk.view()).unwrap();
    let matrix = rig.space_from_skeleton(0);
    assert!(matrix.abs_diff_eq(place.inverse() * human, 1e-6));
}

#[test]
fn spaces_are_renamed_deleted_and_refused() {
    let mut desk = desk();
    desk.put_in(0, &in_box());
    desk.move_box(10.0, Vec3::new(0.2, 0.3, 0.1));
    let object = ObjectRef::from(&prop());
    desk.apply(vec![Command::Rename { object: object.clone(), name: "Crate".into() }]);
    assert_eq!(desk.handle(0).space_instance.as_deref(), Some("Crate"));
    let seen: Vec<Vec<DVec3>> = [0.0, 4.0, 10.0]
        .map(|frame| {
            desk.go_to(frame);
            desk.tips()
        })
        .into();
    let delete = Command::Delete { object: ObjectRef::new(object.kind, "Crate"), with_data: true };
    desk.apply(vec![delete]);
    assert_eq!(Space::from_handle(desk.handle(0)), Space::default());
    for (frame, seen) in [0.0, 4.0, 10.0].into_iter().zip(&seen) {
        desk.go_to(frame);
        assert!(farthest(&desk.tips(), seen) < 2e-3, "{frame}: the hand moves as it did");
    }
    desk.session.undo();
    desk.evaluate();
    let set = |space: &str| desk.set(0, "space_instance", Some(space.to_owned()));
    let mut scene = desk.session.scene().clone();
    let first = scene.instances.skinned_meshes.keys().next().unwrap().clone();
    assert!(matches!(set("Nothing").apply(&mut scene), Err(CommandError::Space(SpaceError::NoInstance(_)))));
    assert!(matches!(set(&first).apply(&mut scene), Err(CommandError::Space(SpaceError::Same { .. }))));
}

/// A second human; the left hand is on its head, which moves. The second one's hand cannot be on the first one then.
#[test]
fn a_hand_stays_on_a_bone_of_another_character() {
    let mut desk = desk();
    let mesh = desk.mesh.clone();
    desk.edit(|scene| {
        let mut other = (*scene.skinned_meshes[&mesh]).clone();
        Arc::make_mut(&mut other.skeleton).handles[0].enabled = false;
        scene.skinned_meshes.insert("Other".into(), Arc::new(other));
        let place = Transform { translation: Vec3::new(1.9, 0.0, -1.2), ..Transform::default() };
        scene.transforms.insert("Other place".into(), Arc::new(place));
        let instance = GeometryInstance {
            transform: Some("Other place".into()),
            resource: Some("Other".into()),
            ..Default::default()
        };
        scene.instances.skinned_meshes.insert("Other here".into(), Arc::new(instance));
    });
    let spine = desk.bone("spine");
    let id = desk.stored().bones[spine].channel_id;
    let on_other = Space { instance: Some("Other here".into()), bone: Some(id) };
    assert_eq!(space_name(desk.session.scene(), &mesh, &on_other), "Other here: spine");
    assert!(possible_spaces(desk.session.scene(), &mesh, 0).contains(&on_other));
    let before = desk.tips();
    desk.put_in(0, &on_other);
    assert!(farthest(&desk.tips(), &before) < 1e-3);
    let on_spine = |desk: &Desk| {
        let other = &desk.evaluated.skinned["Other"].skeleton;
        let matrix = world_matrix(&desk.evaluated.scene, Some("Other place")) * current_pose(other)[spine];
        matrix.inverse().transform_point3(desk.tail(WRIST)[0])
    };
    let [hand, place] = [desk.tail(WRIST)[0], on_spine(&desk)];
    desk.apply(vec![Command::set_bone("Other".into(), spine, "pose", Vec3::new(0.0, 8.0, 5.0))]);
    assert!(desk.tail(WRIST)[0].distance(hand) > 0.02);
    assert!(on_spine(&desk).distance(place) < 1e-4 * desk.height(), "{} {place}", on_spine(&desk));
    // Nothing that depends on the first one can carry it.
    let first = desk
        .session
        .scene()
        .instances
        .skinned_meshes
        .keys()
        .find(|name| *name != "Other here")
        .unwrap()
        .clone();
    let back = Space { instance: Some(first.clone()), bone: Some(id) };
    assert!(!possible_spaces(desk.session.scene(), "Other", 0).contains(&back));
    let mut scene = desk.session.scene().clone();
    let set = |id, value: PropertyValue| Command::set_handle("Other".into(), 0, id, value);
    set("space_instance", Some(first).into()).apply(&mut scene).unwrap();
    let error = set("space", Some(id).into()).apply(&mut scene).unwrap_err();
    assert!(matches!(error, CommandError::Space(SpaceError::Cycle { .. })), "{error}");
    // A file may say so: it is evaluated, and the same from either side.
    let other = Arc::make_mut(scene.skinned_meshes.get_mut("Other").unwrap());
    let handle = &mut Arc::make_mut(&mut other.skeleton).handles[0];
    (handle.space, handle.enabled) = (Some(id), true);
    let evaluated = Evaluator::default().evaluate(&scene, &Settings::default());
    assert_eq!(bind_pose(&evaluated.skinned["Other"].skeleton).len(), 34);
}
