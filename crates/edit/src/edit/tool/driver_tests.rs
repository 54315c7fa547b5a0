//! The driver in small scenes, driven as by the window, and the guarantees for every tool of the table.

mod frame_rates;
mod paths;
mod pointing;
mod rings_and_bones;

use super::driver::{Event, Hovered};
use super::gizmo::{Axis, GizmoPart, SIZE_PX};
use super::rings::ring;
use super::scale::{ALL_AXES, LENGTH, axis_box};
use super::translate::{CENTER, arrow};
use super::*;
use crate::anim::channel::{ChannelRef, SkeletonChannel, Value};
use crate::anim::mode::Mode;
use crate::edit::command::keys::{KeyCommand, KeyframeValues, Purpose};
use crate::edit::fitting::{FitRequest, Fitting};
use crate::edit::session::Session;
use crate::edit::settings::view::{GizmoMode, Tab};
use crate::edit::testing::{Pointer, front, placed_session_with, skeleton};
use crate::io::js3d;
use crate::math::camera::ViewCamera;
use crate::mesh::primitives;
use crate::rig::property::POSE;
use crate::rig::skeleton::{Bone, Handle, Skeleton};
use crate::rig::weights::VertexWeights;
use crate::scene::evaluate::{Evaluator, Settings};
use crate::scene::names::{Kind, ObjectRef};
use crate::scene::skinned::SkinnedMesh;
use glam::Vec3;
use std::sync::Arc;

/// One bone up, then one to the right; a handle to the left.
fn session() -> Session {
    let bone = |parent, extent| Bone { parent, extent, radius: 0.2, ..Default::default() };
    let skeleton = Skeleton {
        bones: vec![bone(None, Vec3::Y), bone(Some(0), Vec3::X)],
        handles: vec![Handle {
            bone: 1,
            target: Vec3::new(-1.0, 1.0, 0.0),
            enabled: true,
            channel_id: 0,
            ..Handle::default()
        }],
        ..Default::default()
    };
    let surface = primitives::tube(0.4, 2.0, 8, 2).unwrap();
    placed_session_with(SkinnedMesh {
        weights: Arc::new(VertexWeights::none(surface.vertex_count())),
        surface: Arc::new(surface),
        skeleton: Arc::new(skeleton),
        ..Default::default()
    })
}

fn pointer(tab: Tab, part: Option<Part>) -> Pointer {
    let view = front(ViewCamera::default().target, 6.0);
    let mut pointer = Pointer::new(session(), tab, view);
    pointer.settings.display.show_skin = false;
    pointer.select(part);
    pointer
}

fn bytes(pointer: &Pointer) -> Vec<u8> {
    js3d::write(pointer.session.scene()).unwrap()
}

/// A point where a tool that changes the document can be grabbed, and keys that it accepts.
struct Case {
    name: &'static str,
    tab: Tab,
    part: Option<Part>,
    mode: GizmoMode,
    grip: Grip,
    keys: &'static str,
}

#[derive(Clone, Copy)]
enum Grip {
    Part(GizmoPart),
    /// The tail of the first bone.
    Tail,
    /// The key of a motion path at frame 20.
    Path,
    /// The middle of the view, after the tool has been chosen.
    Chosen(Action),
}

fn cases() -> Vec<Case> {
    let case = |name, tab, part, mode, grip, keys| Case { name, tab, part, mode, grip, keys };
    let (bone, handle) = (Some(Part::Bone(1)), Some(Part::Handle(0)));
    let (rig, animate) = (Tab::Rig, Tab::Animate);
    let (translate, rotate, scale) = (GizmoMode::Move, GizmoMode::Rotate, GizmoMode::Scale);
    vec![
        case("tip", rig, bone, translate, Grip::Part(CENTER), "x.5"),
        case("tip along x", rig, bone, translate, Grip::Part(arrow(Axis::X)), "1.5"),
        case("start", rig, bone, translate, Grip::Part(bone::START), "x.25"),
        case("both ends", rig, bone, translate, Grip::Part(bone::WHOLE), "y-.5"),
        case("roll", rig, bone, translate, Grip::Part(rings::ROLL), "30"),
        case("radius", rig, bone, translate, Grip::Part(bone::RADIUS), ".3"),
        case("rotate in bind", rig, bone, rotate, Grip::Part(ring(Axis::Z)), "45"),
        case("scale bone", rig, bone, scale, Grip::Part(LENGTH), "2"),
        case("pose", animate, bone, translate, Grip::Part(ring(Axis::X)), "30"),
        case("pull", animate, None, translate, Grip::Tail, "x.5"),
        case("pull anywhere", animate, None, translate, Grip::Chosen(Action::POSE_BY_DRAGGING), "x.5"),
        case("path", animate, bone, translate, Grip::Path, "x.5"),
        case("handle", animate, handle, translate, Grip::Part(CENTER), "y.5"),
        case("base", animate, Some(Part::Base), translate, Grip::Part(CENTER), "x.5"),
        case("move instance", animate, None, translate, Grip::Part(arrow(Axis::Y)), "2"),
        case("rotate instance", animate, None, rotate, Grip::Part(ring(Axis::Z)), "45"),
        case("scale instance", animate, None, scale, Grip::Part(axis_box(Axis::X)), "1.5"),
        case("scale all", animate, None, scale, Grip::Part(ALL_AXES), "y2"),
        case("new bone", rig, bone, translate, Grip::Chosen(Action::NEW_BONE), "x.5"),
        case("tween", animate, bone, translate, Grip::Chosen(Action::TWEEN), "60"),
    ]
}

impl Case {
    /// The pointer, and the pixel to press.
    fn idle(&self) -> (Pointer, Vec2) {
        let mut pointer = pointer(self.tab, self.part);
        pointer.settings.tools.gizmo = self.mode;
        // Slightly from the side, so that no axis is seen end-on.
        (pointer.viewport.camera.yaw, pointer.viewport.camera.pitch) = (0.5, 0.4);
        if self.is_tween() {
            key_both_sides(&mut pointer.session);
        }
        let pixel = match self.grip {
            Grip::Part(part) => pointer.point_of(part),
            Grip::Tail => Vec3::Y,
            Grip::Path => key_of_path(&mut pointer),
            Grip::Chosen(action) => {
                choose(&mut pointer, action);
                if action == Action::POSE_BY_DRAGGING { Vec3::Y } else { Vec3::new(1.5, 1.5, 0.0) }
            }
        };
        let pixel = pointer.pixel(pixel);
        (pointer, pixel)
    }

    fn is_tween(&self) -> bool {
        matches!(self.grip, Grip::Chosen(action) if action == Action::TWEEN)
    }

    /// Whether the document changes during the drag, not only at the release.
    fn previews(&self) -> bool {
        let chosen = [Action::TWEEN, Action::POSE_BY_DRAGGING];
        !matches!(self.grip, Grip::Chosen(action) if !chosen.contains(&action))
    }

    /// Same as [`Self::idle`], with the button down.
    fn pressed(&self) -> (Pointer, Vec2) {
        let (mut pointer, pixel) = self.idle();
        pointer.press(pixel);
        assert!(pointer.tools.is_dragging(), "{}", self.name);
        (pointer, pixel)
    }
}

/// Gives the second bone keys at frames 0 and 20, and shows its path without IK. Returns the point of the path at frame 20.
fn key_of_path(pointer: &mut Pointer) -> Vec3 {
    key_both_sides(&mut pointer.session);
    pointer.settings.solve_ik = false;
    pointer.settings.display.motion_paths = true;
    point_at(pointer, 20.0)
}

fn point_at(pointer: &mut Pointer, frame: f32) -> Vec3 {
    let point = pointer.with_tools(|_, context| context.paths.paths().next()?.position_at(frame));
    point.expect("the path has a point there")
}

/// A new row of the table needs a case above.
#[test]
fn every_tool_has_a_case() {
    for (row, entry) in TOOLS.iter().enumerate() {
        let takes = |(mut pointer, pixel): (Pointer, Vec2)| {
            pointer.with_tools(|_, context| {
                let mut tool = match entry {
                    ToolEntry::Always(_) => return true,
                    ToolEntry::Selection(create) | ToolEntry::Fitting(create) => create(),
                    ToolEntry::Chosen(_, begin) => match begin(context.view) {
                        Some(tool) => tool,
                        None => return false,
                    },
                };
                let targets = context.pick(pixel);
                let press = Press {
                    button: Button::Primary,
                    alt: false,
                    pixel,
                    modifiers: Modifiers::default(),
                    part: tool.shape(context).hit(context.viewport, pixel),
                    targets: &targets,
                };
                tool.press(context, &press).is_some()
            })
        };
        let mut pointers = cases().into_iter().map(|case| case.idle()).chain([fitting()]);
        assert!(pointers.any(takes), "row {row}");
    }
}

/// A pointer over a joint of a skeleton that is being fitted. Unlike the cases above, a drag of it changes nothing: it asks.
fn fitting() -> (Pointer, Vec2) {
    let mut pointer = pointer(Tab::Animate, None);
    let bones = pointer.session.scene().skinned_meshes["m"].skeleton.bones.len();
    // The last bone is none of the template, like those of fingers.
    let confidence = vec![1.0; bones - 1];
    let fitting = Fitting { mesh: "m".into(), confidence, bones, ..Fitting::default() };
    pointer.settings.fitting = Some(Arc::new(fitting));
    let pixel = pointer.pixel(Vec3::Y);
    (pointer, pixel)
}

#[test]
fn a_dragged_joint_asks_to_be_placed_in_the_bind_pose() {
    let (mut pointer, pixel) = fitting();
    let before = bytes(&pointer);
    pointer.press(pixel);
    let dragged = pointer.frame(&[Event::Moved((pixel + AWAY / 2.0).into())]).requests;
    assert!(
        matches!(dragged[..], [Request::Fit(FitRequest::Drag { bone: 0, .. })]),
        "on the way: {dragged:?}"
    );
    pointer.move_to(pixel + AWAY);
    assert!(!pointer.session.in_transaction() && bytes(&pointer) == before);
    let [right, up, _] = pointer.viewport.camera.axes();
    let per_pixel = pointer.viewport.world_per_pixel(Vec3::Y);
    let moved = Vec3::Y + (right * AWAY.x - up * AWAY.y) * per_pixel;
    let released = Event::Released { button: Button::Primary, pixel: pixel + AWAY };
    let requests = pointer.frame(&[released]).requests;
    let [.., Request::Fit(FitRequest::Place { bone: 0, tail })] = requests[..] else {
        panic!("{requests:?}")
    };
    assert!(tail.distance(moved) < 1e-3 && tail.distance(Vec3::Y) > 0.1, "{tail} {moved}");
}

#[test]
fn a_clicked_joint_is_placed_where_it_is() {
    let (mut pointer, pixel) = fitting();
    pointer.press(pixel);
    let released = Event::Released { button: Button::Primary, pixel };
    let requests = pointer.frame(&[released]).requests;
    let [Request::Fit(FitRequest::Place { bone: 0, tail })] = requests[..] else { panic!("{requests:?}") };
    assert!(tail.distance(Vec3::Y) < 1e-5, "{tail}");
}

/// Where no skeleton was found, the joints that have to be placed are dragged.
#[test]
fn a_joint_of_no_skeleton_is_placed() {
    let (mut pointer, _) = fitting();
    let tails = vec![Vec3::new(0.3, 0.4, 0.0), Vec3::new(-0.3, 0.4, 0.0)];
    let (confidence, mesh) = (vec![0.0; 2], "m".into());
    let missing = Fitting { mesh, confidence, tails: tails.clone(), ..Fitting::default() };
    pointer.settings.fitting = Some(Arc::new(missing));
    let pixel = pointer.pixel(tails[1]);
    pointer.press(pixel);
    pointer.move_to(pixel + AWAY);
    let released = Event::Released { button: Button::Primary, pixel: pixel + AWAY };
    let requests = pointer.frame(&[released]).requests;
    let [Request::Fit(FitRequest::Place { bone: 1, tail })] = requests[..] else { panic!("{requests:?}") };
    assert!(tail.distance(tails[1]) > 0.05, "{tail}");
}

fn choose(pointer: &mut Pointer, action: Action) {
    let chosen = pointer.with_tools(|tools, context| tools.choose(action, context.view));
    assert!(!chosen);
}

/// Adds keys to the second bone before and after the current frame, which are not steps of a tool.
fn key_both_sides(session: &mut Session) {
    let knots = [(0.0, 0.0), (20.0, 80.0)].map(|(frame, x)| (frame, Value::Vec3(Vec3::X * x)));
    let keys = KeyCommand::Put {
        purpose: Purpose::Paste,
        knots: vec![KeyframeValues {
            channel: ChannelRef::new("m", SkeletonChannel::Bone(1, POSE)),
            knots: knots.to_vec(),
            modes: vec![Mode::default().into(); 2],
        }],
    };
    let mut scene = session.scene().clone();
    Command::Keys(keys).apply(&mut scene).unwrap();
    let selection = session.selection().clone();
    *session = Session::new(scene, None);
    session.select(selection);
    session.set_frame(10.0);
}

const AWAY: Vec2 = Vec2::new(37.0, -28.0);

#[test]
fn every_drag_is_one_step_and_typed_numbers_apply() {
    for case in cases() {
        let name = case.name;
        let (mut dragged, pixel) = case.pressed();
        let before = bytes(&dragged);
        for part in [0.3, 1.0] {
            dragged.move_to(pixel + AWAY * part);
        }
        dragged.release();
        assert_eq!(dragged.steps().len(), 1, "{name}");
        assert!(!dragged.session.in_transaction() && bytes(&dragged) != before, "{name}");
        dragged.session.undo();
        assert!(bytes(&dragged) == before, "{name}");

        // Typed numbers override the pointer: its position makes no difference.
        let mut typed = [Vec2::ZERO, AWAY, AWAY * -2.0].map(|path| {
            let (mut pointer, pixel) = case.pressed();
            if case.previews() {
                pointer.move_to(pixel + path);
            }
            pointer.type_keys(case.keys);
            pointer.move_to(pixel);
            pointer.release();
            assert_eq!(pointer.steps().len(), 1, "{name}");
            bytes(&pointer)
        });
        assert!(typed[0] != before && typed[0] == typed[1] && typed[0] == typed[2], "{name}");
        // Enter commits it as the release does; later events belong to no drag.
        let (mut entered, pixel) = case.pressed();
        entered.move_to(pixel);
        entered.type_keys(case.keys);
        entered.frame(&[Event::Enter]);
        assert!(entered.tools.drag_button().is_none(), "{name}");
        entered.release();
        typed[1] = bytes(&entered);
        assert!(typed[0] == typed[1], "{name}");
    }
}

#[test]
fn a_cancelled_drag_and_a_click_leave_no_trace() {
    let right = Event::Pressed { button: Button::Secondary, pixel: Vec2::ZERO, alt: false };
    for case in cases() {
        let name = case.name;
        for end in [Event::Escape, right, Event::FocusLost] {
            let (mut pointer, pixel) = case.pressed();
            let before = bytes(&pointer);
            pointer.move_to(pixel + AWAY);
            assert_eq!(pointer.session.in_transaction(), case.previews(), "{name}");
            pointer.frame(&[end]);
            assert!(pointer.tools.drag_button().is_none() && !pointer.session.in_transaction());
            pointer.move_to(pixel + AWAY * 2.0);
            pointer.release();
            assert!(bytes(&pointer) == before && pointer.steps().is_empty(), "{name} {end:?}");
        }
        // Something else ends the transaction.
        let (mut pointer, pixel) = case.pressed();
        let before = bytes(&pointer);
        pointer.move_to(pixel + AWAY);
        if pointer.session.cancel() {
            pointer.move_to(pixel + AWAY * 2.0);
            assert!(pointer.tools.drag_button().is_none() && bytes(&pointer) == before, "{name}");
        }
        if case.previews() {
            let (mut pointer, pixel) = case.pressed();
            pointer.move_to(pixel + Vec2::splat(1.5));
            pointer.release();
            assert!(bytes(&pointer) == before && pointer.steps().is_empty(), "{name}");
        }
    }
}

/// If the dragged object is deleted or undone during the drag, the drag ends and everything is restored.
#[test]
fn a_drag_ends_when_its_object_is_removed() {
    let delete = Command::Delete { object: ObjectRef::new(Kind::SkinnedMesh, "m"), with_data: false };
    for case in cases() {
        let name = case.name;
        for deletes in [true, false] {
            if !deletes && !case.previews() {
                continue;
            }
            let (mut pointer, pixel) = case.pressed();
            let before = bytes(&pointer);
            pointer.move_to(pixel + AWAY);
            if deletes {
                pointer.session.apply(std::slice::from_ref(&delete)).unwrap()
            } else {
                drop(pointer.session.undo())
            }
            pointer.move_to(pixel + AWAY * 2.0);
            pointer.release();
            assert!(pointer.tools.drag_button().is_none() && !pointer.session.in_transaction(), "{name}");
            assert_eq!(pointer.session.scene().skinned_meshes.is_empty(), deletes, "{name}");
            if deletes {
                pointer.session.undo();
                // What was dragged so far may be a step.
                if bytes(&pointer) != before {
                    pointer.session.undo();
                }
            }
            assert!(bytes(&pointer) == before, "{name}, deletes: {deletes}");
        }
    }
}

/// A press, a path and a release in a single frame give the same result as frame by frame.
#[test]
fn a_whole_drag_fits_into_one_frame() {
    for case in cases() {
        let (mut slow, pixel) = case.pressed();
        let path = [0.2, 0.7, 1.0].map(|part| pixel + AWAY * part);
        for to in path {
            slow.move_to(to);
        }
        slow.release();
        let (mut fast, pixel) = case.pressed();
        let (button, to) = (Button::Primary, path[2]);
        let mut events = path.map(|to| Event::Moved(to.into())).to_vec();
        events.push(Event::Released { button, pixel: to });
        events.push(Event::Moved((pixel + 300.0).into()));
        fast.frame(&events);
        assert!(bytes(&slow) == bytes(&fast), "{}", case.name);
        assert_eq!(fast.steps().len(), 1);
    }
}

/// A drag ends the tween tool; at the keys the values equal theirs exactly; beyond them they are
/// extrapolated.
#[test]
fn a_tween_goes_from_key_to_key_and_beyond() {
    let tween = cases().into_iter().find(Case::is_tween).unwrap();
    let turned =
        |pointer: &Pointer| pointer.session.animated().skinned_meshes["m"].skeleton.bones[1].pose_deg;
    for (keys, x) in [("0", 0.0), ("100", 80.0), ("125", 100.0), ("-25", -20.0)] {
        let (mut pointer, _) = tween.pressed();
        assert!((turned(&pointer).x - 40.0).abs() < 1e-4);
        pointer.type_keys(keys);
        assert_eq!(turned(&pointer), Vec3::X * x, "{keys} %");
        pointer.release();
        assert_eq!(pointer.steps().len(), 1);
    }
    let (mut pointer, pixel) = tween.pressed();
    // No jump at the press; a third of the way per 100 pixels.
    pointer.move_to(pixel + Vec2::new(90.0, 200.0));
    assert!((turned(&pointer).x - 64.0).abs() < 0.1, "{}", turned(&pointer));
    pointer.move_to(pixel + Vec2::new(2000.0, 0.0));
    assert!((turned(&pointer).x - 100.0).abs() < 0.1, "no farther than 125 %");
    let button = Button::Primary;
    let output = pointer.frame(&[Event::Released { button, pixel }]);
    assert_eq!(output.requests.last(), Some(&Request::Act(Action::TWEEN)), "for one drag");
    // With auto-key on, it sets a key.
    let (mut pointer, _) = tween.pressed();
    pointer.session.set_auto_key(true);
    pointer.type_keys("25");
    pointer.release();
    let key = ChannelRef::new("m", SkeletonChannel::Bone(1, POSE));
    let animation = &pointer.session.scene().animation;
    assert_eq!(animation.get(&key).unwrap().key(10.0), Some(Value::Vec3(Vec3::X * 20.0)));
}
